// SPDX-License-Identifier: GPL-2.0
/*
 * Functions that C has not, or that are not newlib's: gamma, inverses of the error function, Bessel's
 * I, norms.  Each is near what the host finds in long double: within so many units in the last place
 * of a double.
 */
#include <cmath>
#include <limits>
#include "check.h"

typedef long double exact;

#define N 600

#define ONES(F)									\
	F(tgamma, 10) F(erfinv, 5) F(erfcinv, 6) F(erfcx, 4) F(normcdf, 5) F(normcdfinv, 8)	\
	F(cyl_bessel_i0, 6) F(cyl_bessel_i1, 6)

struct row {
	double tgamma, erfinv, erfcinv, erfcx, normcdf, normcdfinv, cyl_bessel_i0, cyl_bessel_i1;
};
struct floats {
	float tgamma, erfinv, erfcinv, erfcx, normcdf, normcdfinv, cyl_bessel_i0, cyl_bessel_i1;
};

__global__ void rows(row *out, floats *single, const row *in, double *norms, const double *of,
		     float *few, const float *of_single)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;

	if (i >= N)
		return;
#define CALL(name, ulps)							\
	out[i].name = name(in[i].name);						\
	single[i].name = name##f((float)in[i].name);
	ONES(CALL)
	norms[i] = i % 2 ? norm(i % 5, of + i) : rnorm(i % 5, of + i);
	few[i] = i % 2 ? normf(i % 5, of_single + i) : rnormf(i % 5, of_single + i);
}

__global__ void limits(double *out, double inf)
{
	*out++ = tgamma(0.0);
	*out++ = tgamma(-0.0);
	*out++ = tgamma(-3.0);
	*out++ = tgamma(-inf);
	*out++ = tgamma(inf);
	*out++ = tgamma(180.0);
	*out++ = tgamma(5.0);
	*out++ = tgamma(nan(""));
	*out++ = erfinv(1.0);
	*out++ = erfinv(-1.0);
	*out++ = erfinv(-0.0);
	*out++ = erfinv(1.5);
	*out++ = erfcinv(0.0);
	*out++ = erfcinv(2.0);
	*out++ = erfcinv(2.5);
	*out++ = erfcx(-inf);
	*out++ = erfcx(inf);
	*out++ = normcdf(-inf);
	*out++ = normcdf(inf);
	*out++ = normcdfinv(0.5);
	*out++ = normcdfinv(1.0);
	*out++ = cyl_bessel_i0(inf);
	*out++ = cyl_bessel_i1(-inf);
	*out++ = cyl_bessel_i1(-0.0);
}

/* ---- what they should be ---------------------------------------------- */

static exact want_tgamma(exact x) { return tgammal(x); }
static exact want_erfcx(exact x) { return expl(x * x) * erfcl(x); }
static exact want_normcdf(exact x) { return erfcl(-x / sqrtl(2)) / 2; }

/* Newton's steps for the logarithm, which is steep nowhere. */
static exact want_erfcinv(exact q)
{
	exact y = q < 1 ? sqrtl(-logl(q)) : 0, slope = 2 / sqrtl(M_PIl);

	if (q == 0)
		return HUGE_VALL;
	if (q > 1)
		return -want_erfcinv(2 - q);
	for (int i = 0; i < 200; i++)
		y += logl(erfcl(y) / q) * erfcl(y) / (slope * expl(-y * y));
	return y;
}

static exact want_erfinv(exact x)
{
	exact y = x, slope = 2 / sqrtl(M_PIl);

	if (fabsl(x) > 0.7)
		return copysignl(want_erfcinv(1 - fabsl(x)), x);
	for (int i = 0; i < 100; i++)
		y -= (erfl(y) - x) / (slope * expl(-y * y));
	return y;
}

static exact want_normcdfinv(exact p) { return -sqrtl(2) * want_erfcinv(2 * p); }

static exact bessel(exact x, int n)
{
	exact term = n ? x / 2 : 1, sum = term;

	for (int k = 1; k < 1500; k++)
		sum += term *= x * x / 4 / (k * (k + n));
	return sum;
}

static exact want_cyl_bessel_i0(exact x) { return bessel(x, 0); }
static exact want_cyl_bessel_i1(exact x) { return bessel(x, 1); }

/* ---- comparison ------------------------------------------------------- */

/* How far @got is from @want, in units of the last place of a double or float. */
template<class T> static double distance(T got, exact want)
{
	T near = want, unit;

	if (got == near)
		return 0;
	if (!std::isfinite(got) || !std::isfinite(near))
		return 1e9;
	unit = std::nextafter(std::fabs(near), std::numeric_limits<T>::infinity()) - std::fabs(near);
	return fabsl((got - want) / unit);
}

/* From @from to @to in N steps. */
static double step(int i, double from, double to) { return from + (to - from) * i / (N - 1); }

static void fill(row *in)
{
	for (int i = 0; i < N; i++) {
		in[i].tgamma = i % 3 ? step(i, -30.3, 60) : step(i, -183.7, 171.6);
		in[i].erfinv = i % 2 ? step(i, -0.999, 0.999) : 1 - std::ldexp(1.0, -i / 12);
		in[i].erfcinv = i % 2 ? step(i, 1e-3, 1.999) : std::pow(10, step(i, -307, 0));
		in[i].erfcx = i % 2 ? step(i, -5, 30) : std::pow(2, step(i, -20, 6));
		in[i].normcdf = step(i, -37, 9);
		in[i].normcdfinv = i % 2 ? step(i, 1e-3, 0.999) : std::pow(10, step(i, -300, -1));
		in[i].cyl_bessel_i0 = i % 3 ? step(i, -40, 40) : step(i, 1, 713);
		in[i].cyl_bessel_i1 = i % 3 ? step(i, -40, 40) : step(i, 1, 713);
	}
}

static void check_rows(const row *in, const row *out, const floats *single)
{
	double d;

#define COMPARE(name, ulps) for (int i = 0; i < N; i++) {			\
		d = distance(out[i].name, want_##name(in[i].name));		\
		CHECK(d <= ulps, #name "(%.17g) is %.17g, %g of the last place off", in[i].name, \
		      out[i].name, d);						\
		d = distance(single[i].name, (exact)want_##name((float)in[i].name)); \
		CHECK(d <= 1, #name "f(%.9g) is %.9g, %g of the last place off",	\
		      (float)in[i].name, single[i].name, d);			\
	}
	ONES(COMPARE)
}

static void check_norms(const double *got, const double *of, const float *few, const float *of_single)
{
	for (int i = 0; i < N; i++) {
		exact sum = 0, sum_single = 0;

		for (int j = i; j < i + i % 5; j++) {
			sum += (exact)of[j] * of[j];
			sum_single += (exact)of_single[j] * of_single[j];
		}
		sum = i % 2 ? sqrtl(sum) : 1 / sqrtl(sum);
		sum_single = i % 2 ? sqrtl(sum_single) : 1 / sqrtl(sum_single);
		CHECK(distance(got[i], sum) <= 3, "%d: %g, not %Lg", i, got[i], sum);
		CHECK(distance(few[i], sum_single) <= 1, "%d: %g, not %Lg", i, few[i], sum_single);
	}
}

static void check_limits()
{
	const double inf = HUGE_VAL, none = NAN;
	const double want[] = { inf, -inf, none, none, inf, inf, 24, none, inf, -inf, -0.0, none, inf, -inf,
				none, inf, 0, 0, 1, 0, inf, inf, -inf, -0.0 };
	double *out = managed<double>(32);

	limits<<<1, 1>>>(out, inf);
	MUST(cudaDeviceSynchronize());
	for (size_t i = 0; i < sizeof(want) / sizeof(*want); i++)
		CHECK(std::isnan(want[i]) ? std::isnan(out[i]) : out[i] == want[i] &&
		      std::signbit(out[i]) == std::signbit(want[i]), "%zu: %g, not %g", i, out[i], want[i]);
}

int main()
{
	row *in = managed<row>(N), *out = managed<row>(N);
	floats *single = managed<floats>(N);
	double *of = managed<double>(N + 5), *norms = managed<double>(N);
	float *of_single = managed<float>(N + 5), *few = managed<float>(N);

	fill(in);
	for (int i = 0; i < N + 5; i++) {
		of[i] = std::ldexp(1.0 + i, i / 10 * 32 - 1000 + i % 3);
		of_single[i] = std::ldexp(1.0f + i, i % 100 - 60);
	}
	rows<<<(N + 127) / 128, 128>>>(out, single, in, norms, of, few, of_single);
	MUST(cudaDeviceSynchronize());
	check_rows(in, out, single);
	check_norms(norms, of, few, of_single);
	check_limits();
	return wrong != 0;
}
