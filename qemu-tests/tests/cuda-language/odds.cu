// SPDX-License-Identifier: GPL-2.0
/*
 * Of C++ in device code: local statics, tables of functions, constexpr, initializer_list, variadic
 * templates, unions, bit fields, alignment, lambdas, large parameters; and CUDA's words for the
 * compiler.
 */
#include <initializer_list>
#include <type_traits>
#include <utility>
#include "check.h"

#define THREADS 64

typedef int (*of_two)(int, int);
__device__ int plus(int a, int b) { return a + b; }
__device__ int minus(int a, int b) { return a - b; }
__device__ of_two writable[2] = { plus, minus };
__constant__ of_two fixed[2] = { minus, plus };
template<class T> __device__ T times(T a, T b) { return a * b; }
__device__ of_two of_template = times<int>;

__device__ __noinline__ int counted()
{
	static int count = 40;

	return atomicAdd(&count, 1);
}

__device__ int primes(int n)
{
	static const int table[] = { 2, 3, 5, 7 };
	static constexpr float halves[] = { 0.5f, 1.5f, 2.5f, 3.5f };

	return table[n % 4] * 10 + (int)(halves[n % 4] * 2);
}

__device__ int sum_of(std::initializer_list<int> list)
{
	int sum = 0;

	for (int i : list)
		sum += i;
	return sum;
}

template<class T> __host__ __device__ constexpr T total(T last) { return last; }
template<class T, class... Rest> __host__ __device__ constexpr T total(T first, Rest... rest)
{
	return first + total(rest...);
}

constexpr int square(int x) { return x * x; }
struct limits {
	static constexpr int most = square(11);
};

union word {
	float real;
	unsigned int bits;
	unsigned char bytes[4];
};

struct packed {
	unsigned int low : 5, high : 11;
	int sign : 4;
	unsigned long long wide : 40;
};

struct alignas(32) aligned {
	char first;
	alignas(16) char second;
};

enum class kind : unsigned char { none, some = 3 };

struct large {
	int at[700];
	aligned a;
};

/* A class that calls what it is given, as lambdas do. */
template<class F> struct repeated {
	F f;
	int times;
	__device__ int operator()(int x) const
	{
		for (int i = 0; i < times; i++)
			x = f(x);
		return x;
	}
};

template<class F> __global__ void call(int *out, F f) { out[threadIdx.x] = f(threadIdx.x); }

__global__ void __launch_bounds__(THREADS, 2) large_one(const __grid_constant__ large l,
							int *__restrict__ out)
{
	out[threadIdx.x] = l.at[threadIdx.x * 10] + l.a.second + ((size_t)&l.a % 32 != 0);
}

__device__ __forceinline__ int forced(int x) { return x + 1; }

/* Bounds of templates have commas of their own, and a third number is that of a cluster's blocks. */
template<int A, int B> struct bounds {
	static const unsigned int threads = A * B, blocks = B;
};

template<int A, int B>
__global__ void __launch_bounds__(bounds<A, B>::threads, bounds<A, B>::blocks) bounded(int *out)
{
	out[threadIdx.x] = A;
}

__global__ void __launch_bounds__(THREADS, 2, 1) clustered(int *out) { out[threadIdx.x]++; }

__global__ void tables(int *out)
{
	int i = threadIdx.x, n = 0;
	of_two mine = i % 3 ? writable[i % 2] : fixed[i % 2];

	n += mine(i, 5);
	n += 1000 * of_template(i, 2);
	out[i] = n;
}

__global__ void several(int *out, int *counts)
{
	int i = threadIdx.x;
	word w = { 1.0f };
	packed p = { };
	aligned a[2];
	auto more = [&](int by) { return i + by; };
	const int2 &pair = *(int2 *)(counts + 2 * THREADS);

	p.low = i;
	p.high = i * 100;
	p.sign = -(i % 8);
	p.wide = 1ull << 39 | i;
	a[1].second = i;
	__builtin_assume(i < THREADS);
	__nanosleep(10);
#pragma unroll 4
	for (int k = 0; k < i; k++)
		w.real += 1;
	counts[i] = counted();
	out[i] = primes(i) + sum_of({ i, 2, more(3) }) + total(i, 2, 3, 4) + limits::most +
		 (w.bits == __float_as_uint(1.0f + i)) + w.bytes[3] + p.low + p.high + p.sign +
		 (p.wide == (1ull << 39 | i)) + a[1].second + (((size_t)&a[1] & 31) == 0) +
		 (int)kind::some + forced(pair.x) + pair.y + (std::is_same<decltype(p.sign + 0), int>::value) +
		 sizeof(aligned);
}

static int expected(int i)
{
	static const int table[] = { 2, 3, 5, 7 };
	word w = { 1.0f + i };

	return table[i % 4] * 10 + 2 * (i % 4) + 1 + 2 * i + 5 + i + 9 + 121 + 1 + w.bytes[3] + i % 32 +
	       i * 100 % 2048 - i % 8 + 1 + i + 1 + 3 + 8 + 9 + 1 + 32;
}

/* A launch of more threads than the bound is refused, and nobody is told to ask for more. */
static void check_bounds(int *out)
{
	cudaFuncAttributes a;
	int grid = 0, block = 0, blocks = -1;

	MUST(cudaFuncGetAttributes(&a, clustered));
	CHECK(a.maxThreadsPerBlock == THREADS, "%d", a.maxThreadsPerBlock);
	MUST(cudaFuncGetAttributes(&a, tables));
	CHECK(a.maxThreadsPerBlock == 1024, "%d", a.maxThreadsPerBlock);
	MUST(cudaOccupancyMaxPotentialBlockSize(&grid, &block, bounded<THREADS / 2, 2>));
	CHECK(block == THREADS && grid > 0, "%d %d", block, grid);
	MUST(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, clustered, 2 * THREADS, 0));
	CHECK(!blocks, "%d", blocks);
	clustered<<<1, 2 * THREADS>>>(out);
	CHECK(cudaGetLastError() == cudaErrorLaunchOutOfResources);
	MUST(cudaDeviceSynchronize());
}

int main()
{
	int *out = managed<int>(THREADS), *counts = managed<int>(2 * THREADS + 2), seen = 0;
	static large l;

	counts[2 * THREADS] = 7;
	counts[2 * THREADS + 1] = 9;
	tables<<<1, THREADS>>>(out);
	MUST(cudaDeviceSynchronize());
	for (int i = 0; i < THREADS; i++)
		CHECK(out[i] == 2000 * i + ((i % 3 != 0) == (i % 2 == 0) ? i + 5 : i - 5), "%d: %d", i,
		      out[i]);
	several<<<1, THREADS>>>(out, counts);
	MUST(cudaDeviceSynchronize());
	for (int i = 0; i < THREADS; i++) {
		CHECK(out[i] == expected(i), "%d: %d, not %d", i, out[i], expected(i));
		seen += counts[i];
	}
	CHECK(seen == 40 * THREADS + THREADS * (THREADS - 1) / 2, "%d", seen);
	for (int i = 0; i < 700; i++)
		l.at[i] = 3 * i;
	l.a.second = 50;
	large_one<<<1, THREADS>>>(l, out);
	MUST(cudaDeviceSynchronize());
	for (int i = 0; i < THREADS; i++)
		CHECK(out[i] == 30 * i + 50, "%d: %d", i, out[i]);
	bounded<THREADS / 2, 2><<<1, THREADS>>>(out);
	clustered<<<1, THREADS>>>(out);
	MUST(cudaDeviceSynchronize());
	for (int i = 0; i < THREADS; i++)
		CHECK(out[i] == THREADS / 2 + 1, "%d: %d", i, out[i]);
	size_t shared = 0;
	MUST(cudaOccupancyAvailableDynamicSMemPerBlock(&shared, clustered, 2, THREADS));
	CHECK(shared >= 16384, "%zu", shared);
	check_bounds(out);
	int add = 50;
	auto triple = [=] __device__ (int x) { return 3 * x + add; };
	call<<<1, THREADS>>>(out, repeated<decltype(triple)>{ triple, 2 });
	MUST(cudaDeviceSynchronize());
	for (int i = 0; i < THREADS; i++)
		CHECK(out[i] == 9 * i + 200, "%d: %d", i, out[i]);
	return wrong != 0;
}
