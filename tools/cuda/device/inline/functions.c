// SPDX-License-Identifier: GPL-2.0
/*
 * Functions of CUDA's libdevice that are the C library's: clang's headers of CUDA call __nv_sinf()
 * for sinf().  What is called here is in the device library, or an instruction.
 */
#define INLINE __attribute__((always_inline))

#define OF_ONE(type, name, suffix)						\
	type name##suffix(type x);						\
	INLINE type __nv_##name##suffix(type x) { return name##suffix(x); }
#define OF_TWO(type, name, suffix)						\
	type name##suffix(type x, type y);					\
	INLINE type __nv_##name##suffix(type x, type y) { return name##suffix(x, y); }
#define WITH_INT(type, name, suffix)						\
	type name##suffix(type x, int n);					\
	INLINE type __nv_##name##suffix(type x, int n) { return name##suffix(x, n); }
#define TO_LONG(type, name, suffix)						\
	long long name##suffix(type x);						\
	INLINE long long __nv_##name##suffix(type x) { return name##suffix(x); }

/* @s: the suffix of their names. */
#define FAMILY(type, s)								\
	OF_ONE(type, sin, s) OF_ONE(type, cos, s) OF_ONE(type, tan, s)		\
	OF_ONE(type, asin, s) OF_ONE(type, acos, s) OF_ONE(type, atan, s)	\
	OF_ONE(type, sinh, s) OF_ONE(type, cosh, s) OF_ONE(type, tanh, s)	\
	OF_ONE(type, asinh, s) OF_ONE(type, acosh, s) OF_ONE(type, atanh, s)	\
	OF_ONE(type, exp, s) OF_ONE(type, exp2, s) OF_ONE(type, expm1, s)	\
	OF_ONE(type, log, s) OF_ONE(type, log2, s) OF_ONE(type, log10, s)	\
	OF_ONE(type, log1p, s) OF_ONE(type, cbrt, s) OF_ONE(type, logb, s)	\
	OF_ONE(type, erf, s) OF_ONE(type, erfc, s) OF_ONE(type, lgamma, s)	\
	OF_ONE(type, ceil, s) OF_ONE(type, floor, s) OF_ONE(type, trunc, s)	\
	OF_ONE(type, round, s) OF_ONE(type, rint, s)				\
	OF_ONE(type, j0, s) OF_ONE(type, j1, s) OF_ONE(type, y0, s) OF_ONE(type, y1, s) \
	OF_TWO(type, atan2, s) OF_TWO(type, fmod, s)	\
	OF_TWO(type, hypot, s) OF_TWO(type, remainder, s) OF_TWO(type, nextafter, s) \
	OF_TWO(type, fdim, s)							\
	WITH_INT(type, scalbn, s) WITH_INT(type, ldexp, s)			\
	TO_LONG(type, llround, s) TO_LONG(type, llrint, s)			\
	int ilogb##s(type x);							\
	INLINE int __nv_ilogb##s(type x) { return ilogb##s(x); }		\
	type frexp##s(type x, int *exponent);					\
	INLINE type __nv_frexp##s(type x, int *e) { return frexp##s(x, e); }	\
	type modf##s(type x, type *whole);					\
	INLINE type __nv_modf##s(type x, type *whole) { return modf##s(x, whole); } \
	type remquo##s(type x, type y, int *quotient);				\
	INLINE type __nv_remquo##s(type x, type y, int *q) { return remquo##s(x, y, q); } \
	type jn##s(int n, type x);						\
	INLINE type __nv_jn##s(int n, type x) { return jn##s(n, x); }		\
	type yn##s(int n, type x);						\
	INLINE type __nv_yn##s(int n, type x) { return yn##s(n, x); }		\
	type pow##s(type x, type y);						\
	/* newlib's has 1 for -1 and NaN. */					\
	INLINE type __nv_pow##s(type x, type y)					\
	{									\
		return y != y && x != 1 ? y : pow##s(x, y);			\
	}									\
	INLINE type __nv_nearbyint##s(type x) { return rint##s(x); }		\
	INLINE type __nv_sqrt##s(type x) { return __builtin_sqrt##s(x); }	\
	INLINE type __nv_rsqrt##s(type x) { return 1 / __builtin_sqrt##s(x); }	\
	INLINE type __nv_rcbrt##s(type x) { return 1 / cbrt##s(x); }		\
	INLINE type __nv_fabs##s(type x) { return __builtin_fabs##s(x); }	\
	INLINE type __nv_copysign##s(type x, type y) { return __builtin_copysign##s(x, y); } \
	INLINE type __nv_fmin##s(type x, type y) { return __builtin_fmin##s(x, y); } \
	INLINE type __nv_fmax##s(type x, type y) { return __builtin_fmax##s(x, y); } \
	INLINE type __nv_fma##s(type x, type y, type z) { return __builtin_fma##s(x, y, z); } \
	INLINE type __nv_exp10##s(type x) { return pow##s(10, x); }		\
	INLINE type __nv_rhypot##s(type x, type y) { return 1 / hypot##s(x, y); } \
	INLINE type __nv_norm3d##s(type x, type y, type z)			\
	{									\
		return hypot##s(hypot##s(x, y), z);				\
	}									\
	INLINE type __nv_rnorm3d##s(type x, type y, type z)			\
	{									\
		return 1 / hypot##s(hypot##s(x, y), z);				\
	}									\
	INLINE type __nv_norm4d##s(type x, type y, type z, type w)		\
	{									\
		return hypot##s(hypot##s(x, y), hypot##s(z, w));		\
	}									\
	INLINE type __nv_rnorm4d##s(type x, type y, type z, type w)		\
	{									\
		return 1 / hypot##s(hypot##s(x, y), hypot##s(z, w));		\
	}									\
	/* Folded, which is exact, to where rounding the argument does not tell. */	\
	INLINE type __nv_sinpi##s(type x)					\
	{									\
		type r = remainder##s(x, 2);					\
										\
		if (__builtin_fabs##s(r) > (type)0.5)				\
			r = __builtin_copysign##s(1, r) - r;			\
		return sin##s((type)3.14159265358979323846 * r);		\
	}									\
	INLINE type __nv_cospi##s(type x)					\
	{									\
		type r = __builtin_fabs##s(remainder##s(x, 2));			\
										\
		if (r < (type)0.25)						\
			return cos##s((type)3.14159265358979323846 * r);	\
		return sin##s((type)3.14159265358979323846 * ((type)0.5 - r));	\
	}									\
	INLINE void __nv_sincos##s(type x, type *sine, type *cosine)		\
	{									\
		*sine = sin##s(x);						\
		*cosine = cos##s(x);						\
	}									\
	INLINE void __nv_sincospi##s(type x, type *sine, type *cosine)		\
	{									\
		*sine = __nv_sinpi##s(x);					\
		*cosine = __nv_cospi##s(x);					\
	}									\
	INLINE type __nv_powi##s(type x, int n) { return pow##s(x, n); }

FAMILY(float, f)

/* CUDA's are less exact where NVIDIA's hardware has an instruction; these are the functions. */
INLINE float __nv_fast_sinf(float x) { return sinf(x); }
INLINE float __nv_fast_cosf(float x) { return cosf(x); }
INLINE float __nv_fast_tanf(float x) { return tanf(x); }
INLINE float __nv_fast_expf(float x) { return expf(x); }
INLINE float __nv_fast_exp10f(float x) { return powf(10, x); }
INLINE float __nv_fast_logf(float x) { return logf(x); }
INLINE float __nv_fast_log2f(float x) { return log2f(x); }
INLINE float __nv_fast_log10f(float x) { return log10f(x); }
INLINE float __nv_fast_powf(float x, float y) { return powf(x, y); }
INLINE float __nv_fast_fdividef(float x, float y) { return x / y; }
INLINE void __nv_fast_sincosf(float x, float *s, float *c) { __nv_sincosf(x, s, c); }

FAMILY(double, )

/* special.c has these in double precision. */
#define SPECIAL(name)								\
	double name(double x);							\
	INLINE double __nv_##name(double x) { return name(x); }			\
	INLINE float __nv_##name##f(float x) { return (float)name(x); }
#define NORM(name)								\
	double name(int n, const double *x);					\
	float name##f(int n, const float *x);					\
	INLINE double __nv_##name(int n, const double *x) { return name(n, x); } \
	INLINE float __nv_##name##f(int n, const float *x) { return name##f(n, x); }

SPECIAL(tgamma)
SPECIAL(erfinv)
SPECIAL(erfcinv)
SPECIAL(erfcx)
SPECIAL(normcdf)
SPECIAL(normcdfinv)
SPECIAL(cyl_bessel_i0)
SPECIAL(cyl_bessel_i1)
NORM(norm)
NORM(rnorm)
