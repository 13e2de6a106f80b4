// SPDX-License-Identifier: GPL-2.0
/*
 * Math functions in single precision, by C's names, C++'s and CUDA's, beside the C library's in double
 * precision: NVIDIA's documentation allows each an error in units of the last place.  newlib's
 * cbrtf() has 2 where that has 1.
 */
#include <math.h>
#include <cmath>
#include "check.h"

#define N 256

/* Name, expression on the device with float x, on the host with double x, range, error in ulps. */
#define FUNCTIONS(F)								\
	F(sinf, sinf(x), sin(x), -20, 20, 2)					\
	F(cosf, std::cos(x), cos(x), -20, 20, 2)				\
	F(tanf, tanf(x), tan(x), -20, 20, 4)					\
	F(asinf, asin(x), asin(x), -1, 1, 2)					\
	F(acosf, acosf(x), acos(x), -1, 1, 2)					\
	F(atanf, atanf(x), atan(x), -50, 50, 2)					\
	F(sinhf, sinhf(x), sinh(x), -10, 10, 3)					\
	F(coshf, coshf(x), cosh(x), -10, 10, 2)					\
	F(tanhf, tanhf(x), tanh(x), -10, 10, 2)					\
	F(asinhf, asinhf(x), asinh(x), -100, 100, 3)				\
	F(acoshf, acoshf(x), acosh(x), 1, 100, 4)				\
	F(atanhf, atanhf(x), atanh(x), -.99, .99, 3)				\
	F(expf, std::exp(x), exp(x), -80, 80, 2)				\
	F(exp2f, exp2f(x), exp2(x), -80, 80, 2)					\
	F(exp10f, exp10f(x), pow(10, x), -30, 30, 2)				\
	F(expm1f, expm1f(x), expm1(x), -5, 5, 1)				\
	F(logf, log(x), log(x), 1e-6, 1e6, 1)					\
	F(log2f, log2f(x), log2(x), 1e-6, 1e6, 2)				\
	F(log10f, log10f(x), log10(x), 1e-6, 1e6, 2)				\
	F(log1pf, log1pf(x), log1p(x), -.9, 100, 1)				\
	F(powf, powf(x, 2.5f), pow(x, 2.5), 0, 100, 9)				\
	F(pow_int, std::pow(x, 3), x * x * x, -100, 100, 9)			\
	F(sqrtf, sqrtf(x), sqrt(x), 0, 1e9, 0)					\
	F(rsqrtf, rsqrtf(x), 1 / sqrt(x), 1e-6, 1e9, 2)				\
	F(cbrtf, cbrtf(x), cbrt(x), -1e9, 1e9, 2)				\
	F(hypotf, hypotf(x, 3), hypot(x, 3.0), -50, 50, 3)			\
	F(erff, erff(x), erf(x), -4, 4, 2)					\
	F(erfcf, erfcf(x), erfc(x), -4, 9, 4)					\
	F(floorf, floorf(x), floor(x), -50, 50, 0)				\
	F(ceilf, std::ceil(x), ceil(x), -50, 50, 0)				\
	F(truncf, truncf(x), trunc(x), -50, 50, 0)				\
	F(roundf, roundf(x), round(x), -50, 50, 0)				\
	F(rintf, rintf(x), rint(x), -50, 50, 0)					\
	F(fabsf, std::abs(x), fabs(x), -50, 50, 0)				\
	F(fmodf, fmodf(x, 0.75f), fmod(x, 0.75), -50, 50, 0)			\
	F(atan2f, atan2f(x, -2), atan2(x, -2.0), -50, 50, 3)			\
	F(fmaf, fmaf(x, x, 0.1f), fma(x, x, (double)0.1f), -50, 50, 0)		\
	F(fmaxf, fmaxf(x, 1), fmax(x, 1.0), -50, 50, 0)				\
	F(fminf, min(x, 1.0f), fmin(x, 1.0), -50, 50, 0)			\
	F(fdividef, __fdividef(x, 3), x / 3, -50, 50, 2)			\
	F(normcdff, normcdff(x), erfc(-x / sqrt(2.0)) / 2, -4, 4, 5)		\
	F(sinpif, sinpif(x), sin(M_PI * remainder(x, 2)), -9, 9, 3)		\
	F(cospif, cospif(x), sin(M_PI * (0.5 - fabs(remainder(x, 2)))), -9, 9, 3) \
	F(ldexpf, ldexpf(x, 5), x * 32, -50, 50, 0)				\
	F(saturatef, __saturatef(x), fmin(fmax(x, 0.0), 1.0), -2, 2, 0)		\
	F(fast_exp, __expf(x), exp(x), -5, 5, 4)				\
	F(fast_sin, __sinf(x), sin(x), -3, 3, 4)

#define KERNEL(name, device, host, from, to, ulps)				\
	__global__ void k_##name(float *y, const float *of)			\
	{									\
		float x = of[threadIdx.x];					\
										\
		y[threadIdx.x] = device;					\
	}									\
	static double h_##name(double x) { return host; }

FUNCTIONS(KERNEL)

/* How far @y is from @want, in units of the last place of a float there. */
static double ulps_off(double y, double want)
{
	float near = fabsf((float)want);
	double ulp = (double)nextafterf(near, INFINITY) - near;

	return near < 1e-37f ? 0 : fabs(y - want) / ulp;
}

static void compare(const char *name, void (*kernel)(float *, const float *), double (*host)(double),
		    double from, double to, double ulps)
{
	static float *x = managed<float>(N), *y = managed<float>(N);

	for (int i = 0; i < N; i++)
		x[i] = (float)(from + (to - from) * (i + 0.31) / N);
	kernel<<<1, N>>>(y, x);
	MUST(cudaDeviceSynchronize());
	for (int i = 0; i < N; i++) {
		double off = ulps_off(y[i], host(x[i]));

		/* Half a place is the nearest. */
		CHECK(off <= ulps + 0.5, "%s(%g) is %.9g and not %.9g: %.2f places", name, x[i], y[i],
		      host(x[i]), off);
	}
}

int main()
{
#define RUN(name, device, host, from, to, ulps) compare(#name, k_##name, h_##name, from, to, ulps);
	FUNCTIONS(RUN)
	return wrong != 0;
}
