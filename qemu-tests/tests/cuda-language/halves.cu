// SPDX-License-Identifier: GPL-2.0
/*
 * half and bfloat16: every number of them is converted, and operations on many give what integers of
 * 128 bits say, rounded to the nearest even once.
 */
#include <cmath>
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include "check.h"

#define N	4096
#define UNIT	24		/* operands here are whole numbers of 2^-UNIT */

typedef __nv_bfloat16 bf16;

template<class T> struct kind;
template<> struct kind<half> { enum { digits = 11, least = -24, infinite = 0x7c00 }; };
template<> struct kind<bf16> { enum { digits = 8, least = -133, infinite = 0x7f80 }; };

template<class T> __host__ __device__ static T from_bits(unsigned short bits)
{
	T a;

	memcpy(&a, &bits, sizeof(a));
	return a;
}

template<class T> static unsigned int bits_of(T a)
{
	unsigned short bits;

	memcpy(&bits, &a, sizeof(bits));
	return bits;
}

template<class T> struct row {
	T add, sub, mul, div, fma, root, saturated, least, sum;
	T from_float, from_double, from_int, from_long;
	int to_int, order, unordered;
	float back;
};

static __device__ half toward(half, float f, int i)
{
	return i == 0 ? __float2half_rz(f) : i == 1 ? __float2half_ru(f) : __float2half_rd(f);
}

static __device__ bf16 toward(bf16, float f, int i)
{
	return i == 0 ? __float2bfloat16_rz(f) : i == 1 ? __float2bfloat16_ru(f) : __float2bfloat16_rd(f);
}

template<class T> __global__ void rows(row<T> *out, const T *in, const double *values, T *directed)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	T a = in[i], b = in[(i * 7 + 3) % N], c = in[(i * 13 + 5) % N];
	row<T> *r = out + i;

	r->add = __hadd(a, b);
	r->sub = a - b;
	r->mul = a * b;
	r->div = a / b;
	r->fma = __hfma(a, b, c);
	r->root = hsqrt(__habs(a));
	r->saturated = __hadd_sat(a, b);
	r->least = __hmin(a, b);
	r->sum = a;
	r->sum += b;
	r->back = a;
	r->from_float = T((float)values[i]);
	r->from_double = values[i];
	r->from_int = (int)values[i];
	r->from_long = (long long)(values[i] * 1e9);
	r->to_int = (int)a;
	r->order = __hlt(a, b) | (a >= b) << 1 | __heq(a, a) << 2;
	r->unordered = __hltu(a, b);
	for (int j = 0; j < 3; j++)
		directed[i * 3 + j] = toward(a, (float)values[i], j);
}

template<class T> __global__ void all_numbers(float *to, T *back)
{
	unsigned int i = blockIdx.x * blockDim.x + threadIdx.x;
	T a = from_bits<T>(i);

	to[i] = a;
	back[i] = T((float)a);
}

template<class T, class T2> __global__ void pairs(T2 *out, T *sum)
{
	T one = 1, two = 2;
	T2 a = { one, two }, b = { two, two };

	out[0] = __hfma2(a, b, a);
	out[1] = __hlt2(a, b);
	out[2] = __lowhigh2highlow(a) * b;
	out[3] = { __shfl_xor_sync(~0u, T(threadIdx.x), 1), -a.y };
	atomicAdd(out + 4, a);
	atomicAdd(sum + threadIdx.x % 2, one);
}

/* m * 2^-scale, rounded once to what T has. */
template<class T> static double nearest(__int128 m, int scale)
{
	unsigned __int128 whole = m < 0 ? -m : m, kept = whole;
	int top = 0, last;

	while (whole >> top > 1)
		top++;
	last = std::max(top - scale - (kind<T>::digits - 1), (int)kind<T>::least) + scale;
	if (last > 0) {
		unsigned __int128 rest = whole & (((unsigned __int128)1 << last) - 1);
		unsigned __int128 half_way = (unsigned __int128)1 << (last - 1);

		kept = whole >> last;
		kept += rest > half_way || (rest == half_way && kept & 1);
	}
	return std::copysign(std::ldexp((double)kept, std::max(last, 0) - scale), m < 0 ? -1.0 : 1.0);
}

/* The greatest that there is, and what is next to it, is infinite. */
template<class T> static float limited(double x)
{
	double end = 2 * std::ldexp((double)(float)from_bits<T>(kind<T>::infinite - 1), -1);

	return std::fabs(x) > end ? std::copysign(HUGE_VALF, x) : x;
}

template<class T> static T random_number(unsigned int *state)
{
	unsigned int bits = (*state = *state * 1103515245 + 12345) >> 16;
	float x = from_bits<T>(bits);

	/* Those that a whole number of units is not, are moved. */
	return std::fabs(x) < 60000 && std::floor(std::ldexp(x, UNIT)) == std::ldexp(x, UNIT) ?
		from_bits<T>(bits) : T((float)(int)(bits % 4001 - 2000) / 64);
}

template<class T> static __int128 units(T a) { return (__int128)std::ldexp((double)(float)a, UNIT); }

#define SAME(got, want) do {							\
	float got_ = (got), want_ = limited<T>(want);				\
	CHECK(got_ == want_, "%d: %a and %a: %a, not %a", i, (float)a, (float)b, got_, want_);	\
} while (0)

template<class T> static void check_row(const row<T> *r, const T *in, int i, double value, const T *to)
{
	T a = in[i], b = in[(i * 7 + 3) % N], c = in[(i * 13 + 5) % N];
	float x = a, y = b;

	SAME(r->add, nearest<T>(units(a) + units(b), UNIT));
	SAME(r->sum, nearest<T>(units(a) + units(b), UNIT));
	SAME(r->sub, nearest<T>(units(a) - units(b), UNIT));
	SAME(r->mul, nearest<T>(units(a) * units(b), 2 * UNIT));
	SAME(r->fma, nearest<T>(units(a) * units(b) + units(c) * (1 << UNIT), 2 * UNIT));
	if (y)
		SAME(r->div, nearest<T>((__int128)std::ldexp((double)x / y, 64), 64));
	SAME(r->root, nearest<T>((__int128)std::ldexp(std::sqrt(std::fabs((double)x)), 60), 60));
	SAME(r->saturated, std::min(std::max((double)(float)r->add, 0.0), 1.0));
	SAME(r->least, std::min(x, y));
	SAME(r->from_double, nearest<T>((__int128)std::ldexp(value, 64), 64));
	SAME(r->from_float, nearest<T>((__int128)std::ldexp((double)(float)value, 64), 64));
	SAME(r->from_int, nearest<T>((int)value, 0));
	SAME(r->from_long, nearest<T>((long long)(value * 1e9), 0));
	CHECK(r->back == x && r->to_int == (int)x, "%a: %a %d", x, r->back, r->to_int);
	CHECK(r->order == ((x < y) | (x >= y) << 1 | 4) && r->unordered == (x < y), "%d", r->order);
	value = (float)value;
	CHECK(std::fabs((float)to[0]) <= std::fabs(value) && (float)to[1] >= value && (float)to[2] <= value,
	      "%a: %a %a %a", value, (float)to[0], (float)to[1], (float)to[2]);
	CHECK(bits_of(to[1]) == bits_of(to[2]) || (float)to[1] == (float)r->from_float ||
	      (float)to[2] == (float)r->from_float, "%a", value);
}

template<class T> static void check_operations()
{
	T *in = managed<T>(N), *directed = managed<T>(3 * N);
	double *values = managed<double>(N);
	row<T> *out = managed<row<T>>(N);
	unsigned int state = 1;

	for (int i = 0; i < N; i++) {
		in[i] = random_number<T>(&state);
		/* Half way between two numbers of T, and what is near that. */
		values[i] = (float)in[i] * (1 + std::ldexp(1.0, -kind<T>::digits)) *
			    (1 + (i % 3 - 1) * std::ldexp(1.0, -30 - i % 20));
	}
	/* A product half way between two of bfloat16, and a bit that a double of the sum has no room for. */
	in[1] = 7 << 13;
	in[10] = 37 << 10;
	in[18] = -std::ldexp(1.0, -UNIT);
	rows<<<N / 128, 128>>>(out, in, values, directed);
	MUST(cudaDeviceSynchronize());
	for (int i = 0; i < N; i++)
		check_row(out + i, in, i, values[i], directed + 3 * i);
}

template<class T, class T2> static void check_numbers()
{
	float *to = managed<float>(65536), want;
	T *back = managed<T>(65536), *sum = managed<T>(2);
	T2 *two = managed<T2>(5);

	all_numbers<<<256, 256>>>(to, back);
	MUST(cudaDeviceSynchronize());
	for (int i = 0; i < 65536; i++) {
		int field = (i & 0x7fff) >> (kind<T>::digits - 1), rest = i & ((1 << (kind<T>::digits - 1)) - 1);

		if ((i & 0x7fff) > kind<T>::infinite) {
			CHECK(std::isnan(to[i]) && std::isnan((float)back[i]), "%x: %g", i, to[i]);
			continue;
		}
		want = std::ldexp(rest | (field ? 1 << (kind<T>::digits - 1) : 0),
				  std::max(field, 1) - 1 + kind<T>::least);
		if ((i & 0x7fff) == kind<T>::infinite)
			want = HUGE_VALF;
		want = std::copysign(want, i & 0x8000 ? -1 : 1);
		CHECK(to[i] == want && bits_of(back[i]) == i, "%x: %a, not %a", i, to[i], want);
	}
	pairs<<<1, 32>>>(two, sum);
	MUST(cudaDeviceSynchronize());
	CHECK(two[0] == T2(T(3), T(6)) && two[1] == T2(T(1), T(0)) && two[2] == T2(T(4), T(2)));
	CHECK((float)two[3].y == -2 && two[4] == T2(T(32), T(64)), "%g", (float)two[4].x);
	CHECK((float)sum[0] == 16 && (float)sum[1] == 16, "%g %g", (float)sum[0], (float)sum[1]);
}

/* From one to the other, on both sides: by way of a float, which has all digits of both. */
__global__ void cross(half *h, bf16 *b)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;

	h[i] = static_cast<half>(__ushort_as_bfloat16(i));
	b[i] = bf16(__ushort_as_half(i));
}

static void check_crossing()
{
	half *h = managed<half>(65536);
	bf16 *b = managed<bf16>(65536);

	cross<<<256, 256>>>(h, b);
	MUST(cudaDeviceSynchronize());
	for (int i = 0; i < 65536; i++) {
		half there(__ushort_as_bfloat16(i));
		bf16 back = static_cast<bf16>(__ushort_as_half(i));

		CHECK(bits_of(h[i]) == bits_of(there) &&
		      bits_of(there) == bits_of(half((float)__ushort_as_bfloat16(i))),
		      "%x: %x", i, bits_of(h[i]));
		CHECK(bits_of(b[i]) == bits_of(back) &&
		      bits_of(back) == bits_of(bf16((float)__ushort_as_half(i))),
		      "%x: %x", i, bits_of(b[i]));
	}
}

template<class T> __global__ void to_integers(signed char *c, unsigned char *u, long *l)
{
	const float values[] = { 3.75f, -3.75f, 300, -300, NAN };
	T value(values[threadIdx.x]);

	c[threadIdx.x] = value;
	u[threadIdx.x] = static_cast<unsigned char>(value);
	l[threadIdx.x] = threadIdx.x < 4 ? (long)value : (char)value;
}

/* To the next towards zero, and bytes within their range. */
template<class T> static void check_integers()
{
	signed char *c = managed<signed char>(5);
	unsigned char *u = managed<unsigned char>(5);
	long *l = managed<long>(5);

	to_integers<T><<<1, 5>>>(c, u, l);
	MUST(cudaDeviceSynchronize());
	CHECK(c[0] == 3 && c[1] == -3 && c[2] == 127 && c[3] == -128 && !c[4]);
	CHECK(u[0] == 3 && !u[1] && u[2] == 255 && !u[3] && !u[4]);
	CHECK(l[0] == 3 && l[1] == -3 && l[2] == 300 && l[3] == -300 && !l[4]);
	CHECK((signed char)T(-1000.0f) == -128 && (unsigned char)T(-1000.0f) == 0);
	CHECK((unsigned long)T(1000.0f) == 1000);
}

int main()
{
	check_crossing();
	check_integers<half>();
	check_integers<bf16>();
	check_operations<half>();
	check_operations<bf16>();
	check_numbers<half, half2>();
	check_numbers<bf16, __nv_bfloat162>();
	return wrong != 0;
}
