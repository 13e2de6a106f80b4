// SPDX-License-Identifier: GPL-2.0
/*
 * PTX in asm(): numbers with a point, their comparisons and conversions (NVIDIA, "Parallel Thread Execution
 * ISA").  What NVIDIA's hardware approximates is exact here, and subnormal numbers are not flushed.  See
 * ptx.c for the names.
 */
#include <stdbool.h>
#include <stdint.h>

#define PTX __attribute__((always_inline))

typedef uint32_t u32;
typedef uint64_t u64;
typedef int32_t s32;
typedef int64_t s64;
typedef float f32;
typedef double f64;

/* PTX's roundings and libdevice's: to the nearest, to zero, down, up. */
#define EACH_ROUNDING(macro, ...)						\
	macro(rn, rn, __VA_ARGS__) macro(rz, rz, __VA_ARGS__)			\
	macro(rm, rd, __VA_ARGS__) macro(rp, ru, __VA_ARGS__)

#define OF_ONE(r, own, name, type, function)					\
	type __nv_##function##_##own(type a);					\
	PTX type __ptx_##name##_##r##_##type(type a) { return __nv_##function##_##own(a); }
#define OF_TWO(r, own, name, type, function)					\
	type __nv_##function##_##own(type a, type b);				\
	PTX type __ptx_##name##_##r##_##type(type a, type b) { return __nv_##function##_##own(a, b); }
#define OF_THREE(r, own, name, type, function)					\
	type __nv_##function##_##own(type a, type b, type c);			\
	PTX type __ptx_##name##_##r##_##type(type a, type b, type c)		\
	{									\
		return __nv_##function##_##own(a, b, c);			\
	}

EACH_ROUNDING(OF_TWO, add, f32, fadd)
EACH_ROUNDING(OF_TWO, add, f64, dadd)
EACH_ROUNDING(OF_TWO, sub, f32, fsub)
EACH_ROUNDING(OF_TWO, sub, f64, dsub)
EACH_ROUNDING(OF_TWO, mul, f32, fmul)
EACH_ROUNDING(OF_TWO, mul, f64, dmul)
EACH_ROUNDING(OF_TWO, div, f32, fdiv)
EACH_ROUNDING(OF_TWO, div, f64, ddiv)
EACH_ROUNDING(OF_ONE, rcp, f32, frcp)
EACH_ROUNDING(OF_ONE, rcp, f64, drcp)
EACH_ROUNDING(OF_ONE, sqrt, f32, fsqrt)
EACH_ROUNDING(OF_ONE, sqrt, f64, dsqrt)
EACH_ROUNDING(OF_THREE, fma, f32, fmaf)
EACH_ROUNDING(OF_THREE, fma, f64, fma)

PTX f32 __ptx_add_f32(f32 a, f32 b) { return a + b; }
PTX f32 __ptx_mul_f32(f32 a, f32 b) { return a * b; }
PTX f32 __ptx_div_full_f32(f32 a, f32 b) { return a / b; }
PTX f32 __ptx_div_approx_f32(f32 a, f32 b) { return a / b; }

/* What is no number is passed over; a zero with a sign is less than one without. */
#define LIMITS(type, s)								\
	type __nv_fmin##s(type a, type b);					\
	type __nv_fmax##s(type a, type b);					\
	PTX type __ptx_min_##type(type a, type b) { return __nv_fmin##s(a, b); } \
	PTX type __ptx_max_##type(type a, type b) { return __nv_fmax##s(a, b); } \
	PTX type __ptx_copysign_##type(type a, type b) { return __builtin_copysign##s(b, a); }

LIMITS(f32, f)
LIMITS(f64, )

#define COMPARE(name, type, value)						\
	PTX bool __ptx_setp_##name##_##type(type a, type b) { return value; }

/* "ne" is not what C has: with what is no number, only those with "u" hold, and "nan". */
#define COMPARISONS(type)							\
	COMPARE(eq, type, a == b)						\
	COMPARE(ne, type, a < b || a > b)					\
	COMPARE(lt, type, a < b)						\
	COMPARE(le, type, a <= b)						\
	COMPARE(gt, type, a > b)						\
	COMPARE(ge, type, a >= b)						\
	COMPARE(equ, type, !(a < b || a > b))					\
	COMPARE(neu, type, a != b)						\
	COMPARE(ltu, type, !(a >= b))						\
	COMPARE(leu, type, !(a > b))						\
	COMPARE(gtu, type, !(a <= b))						\
	COMPARE(geu, type, !(a < b))						\
	COMPARE(num, type, a == a && b == b)					\
	COMPARE(nan, type, a != a || b != b)

COMPARISONS(f32)
COMPARISONS(f64)

/* ---- conversions ------------------------------------------------------ */

#define TO_INTEGER(r, own, to, from, function)					\
	to __nv_##function##_##own(from a);					\
	PTX to __ptx_cvt_##r##i_##to##_##from(from a) { return __nv_##function##_##own(a); }
#define FROM_INTEGER(r, own, to, from, function)				\
	to __nv_##function##_##own(from a);					\
	PTX to __ptx_cvt_##r##_##to##_##from(from a) { return __nv_##function##_##own(a); }

EACH_ROUNDING(TO_INTEGER, s32, f32, float2int)
EACH_ROUNDING(TO_INTEGER, u32, f32, float2uint)
EACH_ROUNDING(TO_INTEGER, s32, f64, double2int)
EACH_ROUNDING(TO_INTEGER, u32, f64, double2uint)
EACH_ROUNDING(FROM_INTEGER, f32, s32, int2float)
EACH_ROUNDING(FROM_INTEGER, f32, u32, uint2float)
EACH_ROUNDING(FROM_INTEGER, f32, f64, double2float)

/* libdevice's integers of 64 bits are "long long". */
#define TO_LONG(r, own, to, type, from, function)				\
	type __nv_##function##_##own(from a);					\
	PTX to __ptx_cvt_##r##i_##to##_##from(from a) { return __nv_##function##_##own(a); }
#define FROM_LONG(r, own, to, from, type, function)				\
	to __nv_##function##_##own(type a);					\
	PTX to __ptx_cvt_##r##_##to##_##from(from a) { return __nv_##function##_##own(a); }

EACH_ROUNDING(TO_LONG, s64, long long, f32, float2ll)
EACH_ROUNDING(TO_LONG, u64, unsigned long long, f32, float2ull)
EACH_ROUNDING(TO_LONG, s64, long long, f64, double2ll)
EACH_ROUNDING(TO_LONG, u64, unsigned long long, f64, double2ull)
EACH_ROUNDING(FROM_LONG, f32, s64, long long, ll2float)
EACH_ROUNDING(FROM_LONG, f32, u64, unsigned long long, ull2float)
EACH_ROUNDING(FROM_LONG, f64, s64, long long, ll2double)
EACH_ROUNDING(FROM_LONG, f64, u64, unsigned long long, ull2double)

PTX f64 __ptx_cvt_rn_f64_s32(s32 a) { return a; }
PTX f64 __ptx_cvt_rn_f64_u32(u32 a) { return a; }
PTX f64 __ptx_cvt_f64_f32(f32 a) { return a; }
float __nv_saturatef(float a);
PTX f32 __ptx_cvt_sat_f32_f32(f32 a) { return __nv_saturatef(a); }

#define WHOLE(type, s)								\
	type rint##s(type a);							\
	type trunc##s(type a);							\
	type floor##s(type a);							\
	type ceil##s(type a);							\
	PTX type __ptx_cvt_rni_##type##_##type(type a) { return rint##s(a); }	\
	PTX type __ptx_cvt_rzi_##type##_##type(type a) { return trunc##s(a); }	\
	PTX type __ptx_cvt_rmi_##type##_##type(type a) { return floor##s(a); }	\
	PTX type __ptx_cvt_rpi_##type##_##type(type a) { return ceil##s(a); }

WHOLE(f32, f)
WHOLE(f64, )

/* ---- functions -------------------------------------------------------- */

#define APPROXIMATE(name, value) PTX f32 __ptx_##name##_approx_f32(f32 x) { return value; }

float sinf(float x);
float cosf(float x);
float exp2f(float x);
float log2f(float x);
float tanhf(float x);

APPROXIMATE(sin, sinf(x))
APPROXIMATE(cos, cosf(x))
APPROXIMATE(ex2, exp2f(x))
APPROXIMATE(lg2, log2f(x))
APPROXIMATE(rcp, 1 / x)
APPROXIMATE(sqrt, __builtin_sqrtf(x))
APPROXIMATE(rsqrt, 1 / __builtin_sqrtf(x))
APPROXIMATE(tanh, tanhf(x))
