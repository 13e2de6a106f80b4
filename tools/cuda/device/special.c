// SPDX-License-Identifier: GPL-2.0
/*
 * CUDA's functions that newlib has not, or not well, in double precision: gamma, inverses of the error
 * function, Bessel's I, norms of arrays.
 */
#include <stddef.h>
#include <stdint.h>

#define PI		3.14159265358979323846
#define SQRT_PI		1.77245385090551602730
#define SQRT_2PI	2.50662827463100050242
#define SQRT_2		1.41421356237309504880
/* The root of 1/2 in two parts, of which the second is what is missing in the first. */
#define ROOT_HALF	0x1.6a09e667f3bcdp-1
#define ROOT_HALF_REST	(-0x1.bdd3413b26456p-55)

double exp(double x);
double log(double x);
double pow(double x, double y);
double sin(double x);
double remainder(double x, double y);
double floor(double x);
double erf(double x);
double erfc(double x);
double frexp(double x, int *exponent);
double scalbn(double x, int n);

/* ---- gamma ------------------------------------------------------------ */

#define STIRLING_LEAST	8	/* from here on the series below is exact to 2^-53 */

/* What follows the first factors of Stirling's formula (DLMF 5.11.1): terms of Bernoulli's numbers. */
static double stirling_series(double x)
{
	static const double term[] = {
		1.0 / 12, -1.0 / 360, 1.0 / 1260, -1.0 / 1680, 1.0 / 1188, -691.0 / 360360,
		1.0 / 156, -3617.0 / 122400, 43867.0 / 244188,
	};
	double square = 1 / (x * x), sum = 0;

	for (int i = sizeof(term) / sizeof(*term) - 1; i >= 0; i--)
		sum = sum * square + term[i];
	return sum / x;
}

/*
 * The gamma function of @x > 0 is *a times *b, each of which is finite up to x = 190: the power in two
 * halves, for all of it may be too large alone.
 */
static void stirling(double x, double *a, double *b)
{
	double part = 1, rest = 0, steps = 0, y = x, term, missing, high;

	/* By the recurrence to where the series is exact: part + rest is x (x + 1) ... */
	while (y < STIRLING_LEAST) {
		term = x + steps;
		missing = steps > x ? x - (term - steps) : steps - (term - x);
		high = part * term;
		rest = rest * term + (__builtin_fma(part, term, -high) + part * missing);
		part = high;
		y = x + ++steps;
	}
	/* What rounding took of y: the logarithm's derivative, log(y) - 1 / 2y, says what it changes. */
	missing = steps > x ? x - (y - steps) : steps - (y - x);
	*b = pow(y, y / 2 - 0.25);
	*a = *b * exp(-y) * SQRT_2PI / part *
	     exp(stirling_series(y) + missing * (log(y) - 0.5 / y) - rest / part);
}

/* sin(pi x), folded to where rounding the argument does not tell; @x > 0. */
static double sine_of_pi(double x)
{
	double r = remainder(x, 2);

	if (__builtin_fabs(r) > 0.5)
		r = __builtin_copysign(1, r) - r;
	return sin(PI * r);
}

double tgamma(double x)
{
	double a, b;

	if (x != x || x == 0)
		return 1 / x;
	if (x > 190)
		return __builtin_inf();
	if (x > 0) {
		stirling(x, &a, &b);
		return a * b;
	}
	if (floor(x) == x)
		return __builtin_nan("");
	if (x < -190)
		return floor(x / 2) * 2 == floor(x) ? 0.0 : -0.0;
	stirling(-x, &a, &b);
	return -PI / sine_of_pi(-x) / (-x * a) / b;
}

/* ---- error function --------------------------------------------------- */

/* exp(x^2) with what rounding takes of the square. */
static double exp_square(double x)
{
	double square = x * x, rest = __builtin_fma(x, x, -square), e = exp(square);

	return e + e * rest;
}

double erfcx(double x)
{
	double square = 1 / (2 * x * x), sum = 1;

	if (x < 25)
		return x < -27 ? __builtin_inf() : exp_square(x) * erfc(x);
	/* DLMF 7.12.1; the first term that is left out is below 2^-53 here. */
	for (int odd = 13; odd > 0; odd -= 2)
		sum = 1 - odd * square * sum;
	return sum / (x * SQRT_PI);
}

/*
 * Where erfc() is @q, 0 < q < 1/2: Newton's steps for the logarithm, which is nearly a parabola, from
 * Abramowitz and Stegun's 26.2.22, which is right to 3e-3.
 */
static double inverse_of_small(double q)
{
	double t = __builtin_sqrt(-2 * log(q / 2)), scaled, y;

	/* Half of the smallest is not there. */
	if (q < 0x1p-1000)
		t = __builtin_sqrt(-2 * (log(q * 0x1p60) - log(0x1p61)));
	y = (t - (2.30753 + 0.27061 * t) / (1 + t * (0.99229 + 0.04481 * t))) / SQRT_2;
	for (int i = 0; i < 4; i++) {
		scaled = erfcx(y);
		if (q < 0x1p-1000)
			y += (log(scaled) - y * y - log(q * 0x1p60) + log(0x1p60)) * SQRT_PI / 2 * scaled;
		else
			y += (log(scaled / q) - y * y) * SQRT_PI / 2 * scaled;
	}
	return y;
}

double erfinv(double x)
{
	double a = __builtin_fabs(x), y, wrong;

	if (!(a <= 1))
		return __builtin_nan("");
	if (a == 1)
		return x * __builtin_inf();
	if (a > 0.5)
		return __builtin_copysign(inverse_of_small(1 - a), x);
	if (a < 0x1p-30)
		return x * (SQRT_PI / 2);
	/* Halley's steps from the first terms of the series (DLMF 7.17.3). */
	y = x * (SQRT_PI / 2) * (1 + x * x * (PI / 12));
	for (int i = 0; i < 3; i++) {
		wrong = (erf(y) - x) * (SQRT_PI / 2) * exp(y * y);
		y -= wrong / (1 + y * wrong);
	}
	return y;
}

double erfcinv(double q)
{
	if (!(q >= 0 && q <= 2))
		return __builtin_nan("");
	if (q == 0)
		return __builtin_inf();
	if (q < 0.5)
		return inverse_of_small(q);
	return q > 1.5 ? -erfcinv(2 - q) : erfinv(1 - q);
}

double normcdf(double x)
{
	double y = -x * ROOT_HALF, rest = __builtin_fma(-x, ROOT_HALF, -y) - x * ROOT_HALF_REST;

	if (__builtin_fabs(x) > 40)
		return x > 0;
	/* The function's slope, times what rounding took of its argument. */
	return 0.5 * (erfc(y) - rest * (2 / SQRT_PI) * exp(-y * y));
}

double normcdfinv(double p)
{
	/* Not -0 for 1/2. */
	return 0 - SQRT_2 * erfcinv(2 * p);
}

/* ---- Bessel's I ------------------------------------------------------- */

/* Of order @n, 0 or 1, for @x > 0: its series (DLMF 10.25.2), and for large ones 10.40.1. */
static double bessel(double x, int n)
{
	double term = n ? x / 2 : 1, sum = term, square = x * x, rest = 0, slope = 0, part = 1, more;

	if (x < 20) {
		for (int k = 1; term > sum * 0x1p-55; k++) {
			term *= square / 4 / (k * (k + n));
			more = sum + term;
			rest += term > sum ? sum - (more - term) : term - (more - sum);
			sum = more;
			slope += term * k;
		}
		/* What rounding took of the sum, and of the square. */
		return sum + (rest + slope * (__builtin_fma(x, x, -square) / square));
	}
	/* From x = 20 on terms get smaller up to here, and are below 2^-53 then. */
	sum = 1;
	for (int k = 30; k; k--)
		sum = 1 + sum * (((2.0 * k - 1) * (2 * k - 1) - 4 * n) / (k * 8 * x));
	if (x > 700)
		part = exp(x - 700);
	return exp(x < 700 ? x : 700) * (sum / (__builtin_sqrt(x) * SQRT_2PI)) * part;
}

double cyl_bessel_i0(double x)
{
	x = __builtin_fabs(x);
	return x != x || x == __builtin_inf() ? x : x > 720 ? __builtin_inf() : bessel(x, 0);
}

double cyl_bessel_i1(double x)
{
	double a = __builtin_fabs(x);

	if (a != a || a == __builtin_inf() || a == 0)
		return x;
	return __builtin_copysign(a > 720 ? __builtin_inf() : bessel(a, 1), x);
}

/* ---- norms ------------------------------------------------------------ */

/* Scaled by a power of two, so that no square is too large or too small. */
double norm(int n, const double *x)
{
	double greatest = 0, sum = 0;
	int exponent, is_number = 1;

	for (int i = 0; i < n; i++) {
		double a = __builtin_fabs(x[i]);

		if (a == __builtin_inf())
			return a;
		is_number &= a == a;
		greatest = a > greatest ? a : greatest;
	}
	if (!is_number || greatest == 0)
		return is_number ? 0 : __builtin_nan("");
	frexp(greatest, &exponent);
	for (int i = 0; i < n; i++) {
		double scaled = scalbn(x[i], -exponent);

		sum += scaled * scaled;
	}
	return scalbn(__builtin_sqrt(sum), exponent);
}

double rnorm(int n, const double *x)
{
	return 1 / norm(n, x);
}

/* A double has room for any float's square. */
static double float_norm(int n, const float *x)
{
	double sum = 0;
	int infinite = 0;

	for (int i = 0; i < n; i++) {
		infinite |= __builtin_fabsf(x[i]) == __builtin_inff();
		sum += (double)x[i] * x[i];
	}
	return infinite ? __builtin_inf() : __builtin_sqrt(sum);
}

float normf(int n, const float *x)
{
	return float_norm(n, x);
}

float rnormf(int n, const float *x)
{
	return 1 / float_norm(n, x);
}
