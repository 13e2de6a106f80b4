// SPDX-License-Identifier: GPL-2.0
/* newlib's functions under the names of <math.h>, without errno: those of kernel-library/math.c apart. */
#define OF_ONE(type, name, suffix)						\
	type __ieee754_##name##suffix(type x);					\
	type name##suffix(type x) { return __ieee754_##name##suffix(x); }
#define OF_TWO(type, name, suffix)						\
	type __ieee754_##name##suffix(type x, type y);				\
	type name##suffix(type x, type y) { return __ieee754_##name##suffix(x, y); }
#define WITH_INT(type, name, suffix)						\
	type __ieee754_##name##suffix(int n, type x);				\
	type name##suffix(int n, type x) { return __ieee754_##name##suffix(n, x); }

#define FAMILY(type, s)								\
	OF_ONE(type, asin, s) OF_ONE(type, acos, s) OF_ONE(type, sinh, s)	\
	OF_ONE(type, cosh, s) OF_ONE(type, acosh, s) OF_ONE(type, atanh, s)	\
	OF_ONE(type, j0, s) OF_ONE(type, j1, s) OF_ONE(type, y0, s) OF_ONE(type, y1, s) \
	OF_TWO(type, hypot, s) OF_TWO(type, remainder, s)			\
	WITH_INT(type, jn, s) WITH_INT(type, yn, s)				\
	type fdim##s(type x, type y) { return x > y ? x - y : x <= y ? 0 : x + y; } \
	type scalbn##s(type x, int n);						\
	type ldexp##s(type x, int n) { return scalbn##s(x, n); }		\
	/* There is no flag of what is not exact: the two are one. */		\
	type rint##s(type x);							\
	type nearbyint##s(type x) { return rint##s(x); }			\
	type __ieee754_lgamma##s##_r(type x, int *sign);			\
	type lgamma##s(type x)							\
	{									\
		int sign;							\
										\
		return __ieee754_lgamma##s##_r(x, &sign);			\
	}

FAMILY(float, f)

FAMILY(double, )
OF_ONE(double, exp, )
OF_ONE(double, log, )
OF_ONE(double, log10, )
OF_TWO(double, pow, )
OF_TWO(double, fmod, )
OF_TWO(double, atan2, )

double __ieee754_sqrt(double x) { return __builtin_sqrt(x); }
double fabs(double x) { return __builtin_fabs(x); }
double copysign(double x, double y) { return __builtin_copysign(x, y); }
double nan(const char *tag) { (void)tag; return __builtin_nan(""); }
double exp2(double x) { return pow(2.0, x); }

double frexp(double x, int *exponent);

double log2(double x)
{
	int exponent;
	double rest;

	if (!(x > 0.0) || x == __builtin_inf())
		return log(x);
	/* From sqrt(1/2) to sqrt(2): powers of two are exact, and what is near 1 is not cancelled. */
	rest = frexp(x, &exponent);
	if (rest < 0.70710678118654752440) {
		rest *= 2;
		exponent--;
	}
	return exponent + log(rest) * 1.44269504088896340736;
}

/* How newlib ends what has no value. */
double __math_divzero(unsigned int negative) { return negative ? -__builtin_inf() : __builtin_inf(); }
double __math_oflow(unsigned int negative) { return __math_divzero(negative); }
double __math_uflow(unsigned int negative) { return negative ? -0.0 : 0.0; }
double __math_invalid(double x) { (void)x; return __builtin_nan(""); }
