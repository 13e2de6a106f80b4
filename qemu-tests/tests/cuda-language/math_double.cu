// SPDX-License-Identifier: GPL-2.0
/*
 * Double precision: arithmetic and conversions equal to the host's, math functions beside those of
 * the C library, whose own error is below one unit of the last place.
 */
#include <math.h>
#include <cmath>
#include "check.h"

#define N 256

/* Name, expression with double x, range, error in ulps; 0 is equal. */
#define FUNCTIONS(F)								\
	F(arithmetic, x * 3 + 1 / x - x / 7, -1e3, 1e3, 0)			\
	F(convert, (double)(float)x + (int)x + (double)(long long)(x * 1e6), -1e3, 1e3, 0) \
	F(unsigned_, (double)(unsigned int)x + (double)(unsigned long long)x, 0, 4e9, 0) \
	F(compare, (x < 3) + 2 * (x >= 3) + 4 * (x == x), -5, 5, 0)		\
	F(fma, fma(x, x, 0.1), -50, 50, 0)					\
	F(sqrt, sqrt(x), 0, 1e9, 0)						\
	F(fmod, fmod(x, 0.75), -50, 50, 0)					\
	F(floor, floor(x), -50, 50, 0)						\
	F(ceil, std::ceil(x), -50, 50, 0)					\
	F(trunc, trunc(x), -50, 50, 0)						\
	F(round, round(x), -50, 50, 0)						\
	F(rint, rint(x), -50, 50, 0)						\
	F(fabs, std::abs(x), -50, 50, 0)					\
	F(fmax, fmax(x, 1.0), -50, 50, 0)					\
	F(ldexp, ldexp(x, 5), -50, 50, 0)					\
	F(sin, sin(x), -20, 20, 2)						\
	F(cos, std::cos(x), -20, 20, 2)						\
	F(sin_far, sin(x), 1e7, 1e8, 2)						\
	F(tan, tan(x), -20, 20, 2)						\
	F(asin, asin(x), -1, 1, 2)						\
	F(acos, acos(x), -1, 1, 2)						\
	F(atan, atan(x), -50, 50, 2)						\
	F(sinh, sinh(x), -10, 10, 2)						\
	F(cosh, cosh(x), -10, 10, 2)						\
	F(tanh, tanh(x), -10, 10, 2)						\
	F(asinh, asinh(x), -100, 100, 3)					\
	F(acosh, acosh(x), 1, 100, 3)						\
	F(atanh, atanh(x), -.99, .99, 3)					\
	F(exp, std::exp(x), -80, 80, 2)						\
	F(exp2, exp2(x), -80, 80, 2)						\
	F(expm1, expm1(x), -5, 5, 2)						\
	F(log, log(x), 1e-6, 1e6, 2)						\
	F(log2, log2(x), 1e-6, 1e6, 2)						\
	F(log2_near, log2(x), 0.9, 1.1, 3)					\
	F(log10, log10(x), 1e-6, 1e6, 2)					\
	F(log1p, log1p(x), -.9, 100, 2)						\
	F(pow, pow(x, 2.5), 0, 100, 2)						\
	F(cbrt, cbrt(x), -1e9, 1e9, 2)						\
	F(hypot, hypot(x, 3.0), -50, 50, 2)					\
	F(erf, erf(x), -4, 4, 2)						\
	F(erfc, erfc(x), -4, 9, 5)						\
	F(lgamma, lgamma(x), 3, 50, 4)						\
	F(atan2, atan2(x, -2.0), -50, 50, 2)

#define KERNEL(name, expression, from, to, ulps)				\
	__global__ void k_##name(double *y, const double *of)			\
	{									\
		double x = of[threadIdx.x];					\
										\
		y[threadIdx.x] = expression;					\
	}									\
	static double h_##name(double x) { return expression; }

FUNCTIONS(KERNEL)

/* How far @y is from @want, in units of the last place there. */
static double ulps_off(double y, double want)
{
	double near = fabs(want);

	return y == want ? 0 : fabs(y - want) / (nextafter(near, INFINITY) - near);
}

static void compare(const char *name, void (*kernel)(double *, const double *),
		    double (*host)(double), double from, double to, double ulps)
{
	static double *x = managed<double>(N), *y = managed<double>(N);

	for (int i = 0; i < N; i++)
		x[i] = from + (to - from) * (i + 0.31) / N;
	kernel<<<1, N>>>(y, x);
	MUST(cudaDeviceSynchronize());
	for (int i = 0; i < N; i++) {
		double want = host(x[i]), off = ulps_off(y[i], want);

		CHECK(off <= ulps, "%s(%g) is %.17g and not %.17g: %.2f places", name, x[i], y[i], want,
		      off);
	}
}

__global__ void sums(double *sum, double *rounded, const double *x)
{
	atomicAdd(sum, x[threadIdx.x]);
	rounded[threadIdx.x] = __dadd_rn(x[threadIdx.x], 1e-3) + rsqrt(2.0) + sinpi(0.5) + normcdf(0.0);
}

int main()
{
	double *sum = managed<double>(1), *x = managed<double>(N), *y = managed<double>(N);

#define RUN(name, expression, from, to, ulps) compare(#name, k_##name, h_##name, from, to, ulps);
	FUNCTIONS(RUN)
	for (int i = 0; i < N; i++)
		x[i] = i * 0.25;
	sums<<<1, N>>>(sum, y, x);
	MUST(cudaDeviceSynchronize());
	CHECK(*sum == N * (N - 1) / 8.0, "%f", *sum);
	for (int i = 0; i < N; i++)
		CHECK(fabs(y[i] - (x[i] + 1e-3 + sqrt(0.5) + 1.5)) < 1e-13, "%d: %f", i, y[i]);
	return wrong != 0;
}
