// SPDX-License-Identifier: GPL-2.0
/*
 * Arithmetic and conversions that are rounded to zero, up and down: bit by bit as the host's with
 * fesetround(), for numbers of all sizes, their limits, and random bits.
 */
#include <cfenv>
#include <cmath>
#include <string.h>
#include "check.h"

#define N 96		/* each with each */

#define FLOATS(F, r)								\
	F(__fadd_##r, x + y) F(__fsub_##r, x - y) F(__fmul_##r, x * y) F(__fdiv_##r, x / y)	\
	F(__frcp_##r, one / x, 1) F(__fsqrt_##r, std::sqrt(x), 1) F(__fmaf_##r, fmaf(x, y, z), 3)
#define DOUBLES(F, r)								\
	F(__dadd_##r, x + y) F(__dsub_##r, x - y) F(__dmul_##r, x * y) F(__ddiv_##r, x / y)	\
	F(__drcp_##r, one / x, 1) F(__dsqrt_##r, std::sqrt(x), 1) F(__fma_##r, fma(x, y, z), 3)
#define FROM(F, r)								\
	F(__int2float_##r, (float)(int)i) F(__uint2float_##r, (float)(unsigned int)i)	\
	F(__ll2float_##r, (float)i) F(__ull2float_##r, (float)(unsigned long long)i)	\
	/* x86 has no instruction for the last, and clang's two parts have -0 for 0. */	\
	F(__ll2double_##r, (double)i) F(__ull2double_##r, i ? (double)(unsigned long long)i : 0)
#define RESULTS	8

template<class T> struct values { T at[N]; };

#define GET(macro, a, b, c, which, ...) which
#define ARGUMENTS(...) ARGUMENTS_(__VA_ARGS__, 2)
#define ARGUMENTS_(value, count, ...) ARGUMENTS_##count
#define ARGUMENTS_1 (x)
#define ARGUMENTS_2 (x, y)
#define ARGUMENTS_3 (x, y, z)

#define KERNEL(T, list, r)							\
	__global__ void T##_##r(T *out, const T *of)				\
	{									\
		T x = of[threadIdx.x], y = of[blockIdx.x], z = of[(threadIdx.x + blockIdx.x) % N]; \
										\
		out += (blockIdx.x * N + threadIdx.x) * RESULTS;		\
		list(CALL, r)							\
	}									\
	__global__ void T##_from_##r(double *out, const double *of)		\
	{									\
		long long i = __double_as_longlong(of[threadIdx.x]) >> blockIdx.x;	\
										\
		out += (blockIdx.x * N + threadIdx.x) * RESULTS;		\
		FROM(CALL_FROM, r)						\
		*out = __double2float_##r(of[threadIdx.x]);			\
	}

#define CALL(name, ...) *out++ = name ARGUMENTS(__VA_ARGS__);
#define CALL_FROM(name, value) *out++ = name(i);

KERNEL(float, FLOATS, rz)
KERNEL(float, FLOATS, ru)
KERNEL(float, FLOATS, rd)
KERNEL(double, DOUBLES, rz)
KERNEL(double, DOUBLES, ru)
KERNEL(double, DOUBLES, rd)

template<class T> static bool same(T a, T b)
{
	return (a != a && b != b) || !memcmp(&a, &b, sizeof(a));
}

static const char *mode_name;

template<class T> static void compare(const char *name, T got, T want, double x, double y, double z)
{
	int mode = fegetround();

	if (same(got, want))
		return;
	fesetround(FE_TONEAREST);
	CHECK(false, "%s(%a, %a, %a), %s, is %a, not %a", name, x, y, z, mode_name, got, want);
	fesetround(mode);
}

#define COMPARE(name, value, ...) compare(#name, *out++, (decltype(x + x))(value), x, y, z);
#define COMPARE_FROM(name, value)						\
	rounded = value;							\
	compare(#name, *out++, (double)rounded, i, 0, 0);

#define WITH(T, list, r, fe)							\
	mode_name = #r;								\
	T##_##r<<<N, N>>>(out, of);						\
	MUST(cudaDeviceSynchronize());						\
	fesetround(fe);								\
	for (int n = 0; n < N * N; n++) {					\
		volatile T x = of[n % N], y = of[n / N], z = of[(n % N + n / N) % N], one = 1; \
		T *all = out;							\
										\
		list(COMPARE, r)						\
		out = all + RESULTS;						\
	}									\
	fesetround(FE_TONEAREST);						\
	out -= N * N * RESULTS;

#define WITH_FROM(r, fe)							\
	mode_name = #r;								\
	double_from_##r<<<64, N>>>(out, of);					\
	MUST(cudaDeviceSynchronize());						\
	fesetround(fe);								\
	for (int n = 0; n < 64 * N; n++) {					\
		volatile long long i;						\
		volatile double rounded, x = of[n % N];				\
		double *all = out;						\
		long long bits;							\
										\
		memcpy(&bits, of + n % N, sizeof(bits));			\
		i = bits >> n / N;						\
		FROM(COMPARE_FROM, r)						\
		rounded = (float)x;						\
		compare("__double2float_" #r, *out, (double)rounded, x, 0, 0);	\
		out = all + RESULTS;						\
	}									\
	fesetround(FE_TONEAREST);						\
	out -= 64 * N * RESULTS;

/* Limits, numbers near 1, and random bits. */
template<class T, class W> static T *numbers()
{
	typedef std::numeric_limits<T> limits;
	const T first[] = { 0, -(T)0, 1, -1, limits::infinity(), -limits::infinity(), limits::quiet_NaN(),
			    limits::max(), -limits::max(), limits::min(), -limits::min(),
			    limits::denorm_min(), -limits::denorm_min(), limits::min() / 2, 3, -3, (T)0.1,
			    1 + limits::epsilon(), 1 - limits::epsilon() / 2, limits::epsilon(),
			    limits::epsilon() / 4, -limits::epsilon() / 4, limits::max() / 2, 1 << 24,
			    (T)1e-30, (T)1e30, (T)2.25, 4 };
	T *all = managed<T>(N);
	unsigned long long state = 1;
	W bits;

	for (size_t i = 0; i < N; i++) {
		state = state * 6364136223846793005 + 1442695040888963407;
		bits = state >> (64 - 8 * sizeof(bits));
		if (i < sizeof(first) / sizeof(*first))
			all[i] = first[i];
		else
			memcpy(all + i, &bits, sizeof(bits));
		if (i > 2 * N / 3)
			all[i] = std::ldexp((T)(state >> 40), -20);
	}
	return all;
}

static void floats()
{
	float *of = numbers<float, unsigned int>(), *out = managed<float>(N * N * RESULTS);

	WITH(float, FLOATS, rz, FE_TOWARDZERO)
	WITH(float, FLOATS, ru, FE_UPWARD)
	WITH(float, FLOATS, rd, FE_DOWNWARD)
}

static void doubles()
{
	double *of = numbers<double, unsigned long long>(), *out = managed<double>(N * N * RESULTS);

	WITH(double, DOUBLES, rz, FE_TOWARDZERO)
	WITH(double, DOUBLES, ru, FE_UPWARD)
	WITH(double, DOUBLES, rd, FE_DOWNWARD)
	WITH_FROM(rz, FE_TOWARDZERO)
	WITH_FROM(ru, FE_UPWARD)
	WITH_FROM(rd, FE_DOWNWARD)
}

int main()
{
	floats();
	doubles();
	return wrong != 0;
}
