// SPDX-License-Identifier: GPL-2.0
/* newlib's functions under the names of <math.h>, without errno; and what the ISA has itself. */
float __ieee754_expf(float x);
float __ieee754_logf(float x);
float __ieee754_log10f(float x);
float __ieee754_powf(float x, float y);
float __ieee754_fmodf(float x, float y);
float __ieee754_atan2f(float y, float x);
float __ieee754_sqrtf(float x);
float scalbnf(float x, int exponent);

float expf(float x) { return __ieee754_expf(x); }
float exp2f(float x) { return __ieee754_powf(2.0f, x); }
float logf(float x) { return __ieee754_logf(x); }
float log10f(float x) { return __ieee754_log10f(x); }
float powf(float x, float y) { return __ieee754_powf(x, y); }
float fmodf(float x, float y) { return __ieee754_fmodf(x, y); }
float atan2f(float y, float x) { return __ieee754_atan2f(y, x); }

/* newlib's own calls of what math.h has inline. */
float __ieee754_sqrtf(float x) { return __builtin_sqrtf(x); }
float fabsf(float x) { return __builtin_fabsf(x); }
float copysignf(float x, float y) { return __builtin_copysignf(x, y); }
float nanf(const char *tag) { (void)tag; return __builtin_nanf(""); }

/* Exponent and rest, of sqrt(1/2) to sqrt(2), apart: powers of two are exact. */
float log2f(float x)
{
	union { float value; int bits; } u = { .value = x };
	int scaled = 0, exponent;

	if (!(x > 0.0f) || x == __builtin_inff())
		return __ieee754_logf(x);
	if (u.bits < 0x00800000) {	/* denormal */
		u.value *= 0x1p24f;
		scaled = 24;
	}
	exponent = (u.bits - 0x3f3504f3) >> 23;
	u.bits -= exponent * (1 << 23);
	return (float)(exponent - scaled) + __ieee754_logf(u.value) * 1.44269504f;
}

/* How newlib ends what has no value. */
float __math_divzerof(unsigned int negative)
{
	return negative ? -__builtin_inff() : __builtin_inff();
}

float __math_oflowf(unsigned int negative)
{
	return __math_divzerof(negative);
}

float __math_invalidf(float x)
{
	(void)x;
	return __builtin_nanf("");
}
