/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What generated programs share: what kernels work on, helpers without undefined behaviour, and the
 * host's side, which prints a line "kernel N HASH" for each.  "PROGRAM N" prints all that kernel N
 * left.  Floats are seen only as numbers: NaNs have other bits on each machine.
 */
#ifndef CUDA_ORACLE_PROGRAM_H
#define CUDA_ORACLE_PROGRAM_H

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef unsigned char byte;
typedef unsigned short half;
typedef unsigned int word;
typedef long long wide;
typedef unsigned long long giant;

#define THREADS		512		/* most of a launch */
#define BLOCK		128		/* most of a block */
#define TABLE		(3 << 18)	/* words of 8 bytes: three granules of 2 MB */
#define CELLS		16

/* A thread's variables, by type. */
struct values {
	signed char c[4];
	byte b[4];
	short s[4];
	half h[4];
	int i[4];
	word u[4];
	wide l[4];
	giant w[4];
	float f[4];
	double d[4];
};

/* Of all threads: each is changed in one way only, in which no order can be told. */
struct tally {
	int add_i[CELLS], min_i[CELLS], max_i[CELLS];
	word and_u[CELLS], or_u[CELLS], xor_u[CELLS], umin_u[CELLS], umax_u[CELLS], inc_u[CELLS],
	     dec_u[CELLS], cas_u[CELLS], next_u[CELLS], tickets_u[CELLS];
	giant add_w[CELLS], and_w[CELLS], or_w[CELLS], xor_w[CELLS], min_w[CELLS], max_w[CELLS],
	      cas_w[CELLS];
	wide min_l[CELLS], max_l[CELLS];
	float add_f[CELLS];
	double add_d[CELLS];
};

/* Parameters by value. */
struct pack { signed char c; half h; int i; double d; byte b; giant w; };

__constant__ giant constants[64];
__device__ giant seeds[8] = { 1, 0xffffffff, 0x80000000, 0x7fffffffffffffff, 77, 1ull << 33 };

typedef void (*kernel)(const values *in, values *out, tally *all, const giant *table, pack p,
		       short s);
struct launch { kernel run; dim3 grid, block; };

/* ---- helpers ---------------------------------------------------------- */

#define HELPER template<class T> static __device__ T
#define PLAIN static __device__ inline

/* Sums and products wrap, as those of unsigned do. */
HELPER add(T a, T b) { return (T)((giant)a + (giant)b); }
HELPER sub(T a, T b) { return (T)((giant)a - (giant)b); }
HELPER mul(T a, T b) { return (T)((giant)a * (giant)b); }
HELPER neg(T a) { return (T)(0 - (giant)a); }
HELPER left(T a, int n) { return (T)((giant)a << (n & (8 * sizeof(T) - 1))); }
HELPER right(T a, int n) { return (T)(a >> (n & (8 * sizeof(T) - 1))); }
template<class T> static __device__ bool divides(T b)
{
	return b != 0 && ((T)-1 > 0 || b != (T)-1);
}

HELPER quot(T a, T b) { return divides(b) ? (T)(a / b) : neg(a); }
HELPER rest(T a, T b) { return divides(b) ? (T)(a % b) : b; }

/* A NaN of no other bits; what is compared, or seen as bits, goes through it. */
PLAIN float pure(float x) { return x == x ? x : __int_as_float(0x7fc00000); }
PLAIN double pure(double x) { return x == x ? x : __longlong_as_double(0x7ff8000000000000); }

/* Of two zeros of different signs either may be the smaller. */
PLAIN float low(float a, float b) { return fminf(a, b) + 0.0f; }
PLAIN float high(float a, float b) { return fmaxf(a, b) + 0.0f; }
PLAIN double low(double a, double b) { return fmin(a, b) + 0.0; }
PLAIN double high(double a, double b) { return fmax(a, b) + 0.0; }

/* Any bits as a number that is none of the NaNs that signal. */
PLAIN float number(word bits) { return pure(__int_as_float(bits)); }
PLAIN double number(giant bits) { return pure(__longlong_as_double(bits)); }

/* Casts of what has no number of the type are undefined; these are the compiler's own otherwise. */
HELPER whole(double x)
{
	return fabs(x) < 100 ? (T)(int)x : x >= 100 && x < 1e18 ? (T)(wide)x : (T)3;
}

/* Byte @n of a word in memory, and the halves likewise. */
PLAIN byte part8(giant x, int n) { return ((byte *)&x)[n & 7]; }
PLAIN signed char part8s(giant x, int n) { return ((signed char *)&x)[n & 7]; }

template<class T, int N> struct bag {
	T at[N];
	__device__ bag(T first, T step)
	{
		for (int i = 0; i < N; i++)
			at[i] = i ? add(at[i - 1], step) : first;
	}
	__device__ T &operator[](int n) { return at[(word)n % N]; }
	__device__ T sum() const
	{
		T s = 0;
		for (int i = 0; i < N; i++)
			s = add(s, at[i]);
		return s;
	}
};

/* Calls by pointer, and calls that the compiler can make no loop of. */
static __device__ __noinline__ word of_sum(word a, word b) { return a + 3 * b; }
static __device__ __noinline__ word of_bits(word a, word b) { return __brev(a) ^ b; }
static __device__ __noinline__ word of_halves(word a, word b) { return __umulhi(a, b | 1); }
static __device__ __noinline__ word of_branch(word a, word b) { return a < b ? a : of_bits(b, a); }
static __device__ word (*const operations[])(word a, word b) = { of_sum, of_bits, of_halves,
								  of_branch };

static __device__ __noinline__ word deep(int n, word x)
{
	return n <= 0 ? x : 5 * deep(n - 1, x ^ n) + deep(n / 2 - 1, x + 1);
}

/* Not deeper than the stack. */
static __device__ inline word recursive(int n, word x) { return deep(n & 7, x); }

/* ---- threads and warps ------------------------------------------------ */

PLAIN word block_size() { return blockDim.x * blockDim.y * blockDim.z; }
PLAIN word in_block()
{
	return (threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x;
}
PLAIN word in_grid() { return blockIdx.x * block_size() + in_block(); }
PLAIN word lane() { return in_block() % 32; }

/* The lanes that this warp has. */
PLAIN word all_lanes()
{
	word left = block_size() - in_block() / 32 * 32;

	return left >= 32 ? ~0u : (1u << left) - 1;
}

/* Some lane of a mask. */
PLAIN int some(word mask, word n)
{
	for (n %= __popc(mask); n; n--)
		mask &= mask - 1;
	return __ffs(mask) - 1;
}

PLAIN void save(values *to, values v)
{
	for (int i = 0; i < 4; i++) {
		v.f[i] = pure(v.f[i]);
		v.d[i] = pure(v.d[i]);
	}
	*to = v;
}

/* ---- the host --------------------------------------------------------- */

static inline giant random_word(giant *state)
{
	giant z = *state += 0x9e3779b97f4a7c15;

	z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9;
	z = (z ^ z >> 27) * 0x94d049bb133111eb;
	return z ^ z >> 31;
}

/* Integers at the ends of their ranges; all sizes of numbers; infinities and NaN. */
static inline giant some_integer(giant *state)
{
	giant r = random_word(state);

	switch (r % 5) {
	case 0:
		return r >> 60;
	case 1:
		return -(r >> 61);
	case 2:
		return ((giant)1 << (r >> 8) % 64) - (r >> 16 & 1);
	default:
		return random_word(state) >> (r >> 8) % 64;
	}
}

static inline double some_number(giant *state)
{
	static const double special[] = { 0.0, -0.0, 1, -1, 0.5, 1e-40, -1e-310, 1e30, 1e-30,
					  0x1p31, -0x1p63, 16777217, 1e300, __builtin_inf(),
					  -__builtin_inf(), __builtin_nan("") };
	giant r = random_word(state);

	if (r % 4 == 0)
		return special[r / 4 % 16];
	return (double)(wide)random_word(state) / (double)((giant)1 << (r >> 8) % 63);
}

static inline void fill_values(values *v, giant *state)
{
	for (int i = 0; i < 4; i++) {
		v->c[i] = some_integer(state);
		v->b[i] = some_integer(state);
		v->s[i] = some_integer(state);
		v->h[i] = some_integer(state);
		v->i[i] = some_integer(state);
		v->u[i] = some_integer(state);
		v->l[i] = some_integer(state);
		v->w[i] = some_integer(state);
		v->f[i] = some_number(state);
		v->d[i] = some_number(state);
	}
}

static inline void must(cudaError_t error)
{
	if (error != cudaSuccess) {
		printf("error: %s\n", cudaGetErrorString(error));
		exit(1);
	}
}

/* FNV-1a */
static inline giant hash(const void *at, size_t bytes, giant h)
{
	for (size_t i = 0; i < bytes; i++)
		h = (h ^ ((const byte *)at)[i]) * 0x100000001b3;
	return h;
}

static inline void print(const char *what, word n, const void *at, size_t bytes)
{
	printf("%s %u:", what, n);
	for (size_t i = 0; i < bytes / 4; i++)
		printf(" %08x", ((const word *)at)[i]);
	printf("\n");
}

/* Two sets of values of each thread go in and come out. */
struct memory { values *in, *out; tally *all; giant *table; };

static inline memory allocate(giant seed)
{
	memory m;
	giant state = seed, words[64];

	must(cudaMallocManaged(&m.in, 2 * THREADS * sizeof(values)));
	must(cudaMallocManaged(&m.out, 2 * THREADS * sizeof(values)));
	must(cudaMallocManaged(&m.all, sizeof(tally)));
	must(cudaMallocManaged(&m.table, TABLE * sizeof(giant)));
	for (int i = 0; i < TABLE; i++)
		m.table[i] = i % 4 ? random_word(&state) : some_integer(&state);
	for (int i = 0; i < 64; i++)
		words[i] = some_integer(&state);
	must(cudaMemcpyToSymbol(constants, words, sizeof(words)));
	return m;
}

static inline void run_kernel(const memory &m, const launch &l, giant seed, bool say)
{
	giant state = seed;
	pack p;

	memset(&p, 0, sizeof(p));
	for (int i = 0; i < 2 * THREADS; i++)
		fill_values(m.in + i, &state);
	memset(m.out, 0, 2 * THREADS * sizeof(values));
	memset(m.all, 0, sizeof(tally));
	for (int i = 0; i < CELLS; i++) {
		m.all->and_u[i] = m.all->umin_u[i] = ~0u;
		m.all->and_w[i] = m.all->min_w[i] = ~(giant)0;
	}
	p.c = some_integer(&state);
	p.h = some_integer(&state);
	p.i = some_integer(&state);
	p.d = some_number(&state);
	p.b = some_integer(&state);
	p.w = some_integer(&state);
	l.run<<<l.grid, l.block>>>(m.in, m.out, m.all, m.table, p, (short)some_integer(&state));
	must(cudaGetLastError());
	must(cudaDeviceSynchronize());
	if (!say)
		return;
	for (int i = 0; i < 2 * THREADS; i++)
		print("values", i, m.out + i, sizeof(values));
	print("tally", 0, m.all, sizeof(tally));
}

static inline int run_all(const launch *launches, int first, int count, giant seed, int argc,
			  char **argv)
{
	memory m = allocate(seed);
	giant h;

	for (int i = 0; i < count; i++) {
		bool say = argc > 1 && atoi(argv[1]) == first + i;

		if (argc > 1 && !say)
			continue;
		run_kernel(m, launches[i], seed + first + i, say);
		h = hash(m.out, 2 * THREADS * sizeof(values), 0xcbf29ce484222325);
		printf("kernel %d %016llx\n", first + i, hash(m.all, sizeof(tally), h));
		fflush(stdout);
	}
	return 0;
}

#endif
