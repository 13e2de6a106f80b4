// SPDX-License-Identifier: GPL-2.0
/*
 * Functions of CUDA's libdevice that are an instruction or a few: integers, conversions, arithmetic
 * with a rounding of its own.  clang's headers of CUDA call them.
 */
#include <stdint.h>

#define INLINE __attribute__((always_inline))

/* ---- integers --------------------------------------------------------- */

INLINE int __nv_abs(int x) { return x < 0 ? -(unsigned int)x : x; }
INLINE long long __nv_llabs(long long x) { return x < 0 ? -(unsigned long long)x : x; }
INLINE int __nv_min(int a, int b) { return a < b ? a : b; }
INLINE int __nv_max(int a, int b) { return a > b ? a : b; }
INLINE unsigned int __nv_umin(unsigned int a, unsigned int b) { return a < b ? a : b; }
INLINE unsigned int __nv_umax(unsigned int a, unsigned int b) { return a > b ? a : b; }
INLINE long long __nv_llmin(long long a, long long b) { return a < b ? a : b; }
INLINE long long __nv_llmax(long long a, long long b) { return a > b ? a : b; }

INLINE unsigned long long __nv_ullmin(unsigned long long a, unsigned long long b)
{
	return a < b ? a : b;
}

INLINE unsigned long long __nv_ullmax(unsigned long long a, unsigned long long b)
{
	return a > b ? a : b;
}

INLINE int __nv_mulhi(int a, int b) { return (long long)a * b >> 32; }
INLINE unsigned int __nv_umulhi(unsigned int a, unsigned int b) { return (uint64_t)a * b >> 32; }
INLINE long long __nv_mul64hi(long long a, long long b) { return (__int128)a * b >> 64; }

INLINE unsigned long long __nv_umul64hi(unsigned long long a, unsigned long long b)
{
	return (unsigned __int128)a * b >> 64;
}

/* The lower 24 bits of each, of which the upper is the sign. */
INLINE int __nv_mul24(int a, int b)
{
	return (int)((unsigned int)a << 8) / 256 * (int64_t)((int)((unsigned int)b << 8) / 256);
}

INLINE unsigned int __nv_umul24(unsigned int a, unsigned int b)
{
	return (a & 0xffffff) * (b & 0xffffff);
}

INLINE int __nv_hadd(int a, int b) { return ((long long)a + b) >> 1; }
INLINE int __nv_rhadd(int a, int b) { return ((long long)a + b + 1) >> 1; }
INLINE unsigned int __nv_uhadd(unsigned int a, unsigned int b) { return ((uint64_t)a + b) >> 1; }
INLINE unsigned int __nv_urhadd(unsigned int a, unsigned int b) { return ((uint64_t)a + b + 1) >> 1; }

INLINE unsigned int __nv_sad(int a, int b, unsigned int c)
{
	return c + (a > b ? (unsigned int)a - b : (unsigned int)b - a);
}

INLINE unsigned int __nv_usad(unsigned int a, unsigned int b, unsigned int c)
{
	return c + (a > b ? a - b : b - a);
}

/* The compiler's own counts would call a table's function: the ISA has no instruction for them. */
INLINE int __nv_popcll(long long value)
{
	uint64_t x = value;

	x -= x >> 1 & 0x5555555555555555;
	x = (x & 0x3333333333333333) + (x >> 2 & 0x3333333333333333);
	x = (x + (x >> 4)) & 0x0f0f0f0f0f0f0f0f;
	return x * 0x0101010101010101 >> 56;
}

INLINE int __nv_popc(int x) { return __nv_popcll((unsigned int)x); }

/* All bits below the highest that is set become set. */
INLINE int __nv_clzll(long long value)
{
	uint64_t x = value;

	for (int shift = 1; shift < 64; shift *= 2)
		x |= x >> shift;
	return 64 - __nv_popcll(x);
}

INLINE int __nv_clz(int x) { return __nv_clzll((unsigned int)x) - 32; }
INLINE int __nv_ffsll(long long x) { return x ? __nv_popcll(x ^ (x - 1)) : 0; }
INLINE int __nv_ffs(int x) { return __nv_ffsll((unsigned int)x); }

#define SWAP(x, mask, shift) (((x) & (mask)) << (shift) | ((x) >> (shift) & (mask)))

INLINE unsigned long long __nv_brevll(unsigned long long value)
{
	uint64_t x = value;

	x = SWAP(x, 0x5555555555555555, 1);
	x = SWAP(x, 0x3333333333333333, 2);
	x = SWAP(x, 0x0f0f0f0f0f0f0f0f, 4);
	x = SWAP(x, 0x00ff00ff00ff00ff, 8);
	x = SWAP(x, 0x0000ffff0000ffff, 16);
	return x << 32 | x >> 32;
}

INLINE unsigned int __nv_brev(unsigned int x) { return __nv_brevll(x) >> 32; }

/* Each of the selector's four digits names one of the eight bytes; its upper bit asks for the sign. */
INLINE unsigned int __nv_byte_perm(unsigned int a, unsigned int b, unsigned int selector)
{
	uint64_t from = (uint64_t)b << 32 | a;
	unsigned int result = 0;

	for (int i = 0; i < 4; i++) {
		unsigned int digit = selector >> 4 * i & 15, byte = from >> 8 * (digit & 7) & 255;

		if (digit & 8)
			byte = byte & 0x80 ? 255 : 0;
		result |= byte << 8 * i;
	}
	return result;
}

/* ---- bits of numbers -------------------------------------------------- */

#define CAST(name, to_type, from_type)						\
	INLINE to_type name(from_type x)					\
	{									\
		union { from_type from; to_type to; } u = { .from = x };	\
										\
		return u.to;							\
	}

CAST(__nv_float_as_int, int, float)
CAST(__nv_float_as_uint, unsigned int, float)
CAST(__nv_int_as_float, float, int)
CAST(__nv_uint_as_float, float, unsigned int)
CAST(__nv_double_as_longlong, long long, double)
CAST(__nv_longlong_as_double, double, long long)

INLINE int __nv_double2hiint(double x) { return __nv_double_as_longlong(x) >> 32; }
INLINE int __nv_double2loint(double x) { return __nv_double_as_longlong(x); }

INLINE double __nv_hiloint2double(int high, int low)
{
	return __nv_longlong_as_double((long long)((uint64_t)(unsigned int)high << 32 |
						   (unsigned int)low));
}

INLINE int __nv_signbitf(float x) { return __nv_float_as_uint(x) >> 31; }
INLINE int __nv_signbitd(double x) { return (uint64_t)__nv_double_as_longlong(x) >> 63; }
INLINE int __nv_isnanf(float x) { return (__nv_float_as_uint(x) & 0x7fffffff) > 0x7f800000; }
INLINE int __nv_isinff(float x) { return (__nv_float_as_uint(x) & 0x7fffffff) == 0x7f800000; }
INLINE int __nv_finitef(float x) { return (__nv_float_as_uint(x) & 0x7fffffff) < 0x7f800000; }

INLINE uint64_t magnitude(double x) { return __nv_double_as_longlong(x) & INT64_MAX; }
INLINE int __nv_isnand(double x) { return magnitude(x) > 0x7ff0000000000000; }
INLINE int __nv_isinfd(double x) { return magnitude(x) == 0x7ff0000000000000; }
INLINE int __nv_isfinited(double x) { return magnitude(x) < 0x7ff0000000000000; }

/* ---- with a rounding of their own ------------------------------------- */

/*
 * NVIDIA's names of RISC-V's roundings: to the nearest even, to zero, up, down.  Arithmetic of this
 * GPU has the first alone: rounding.c has the functions with the others.
 */
#define NEAREST(macro, ...) macro(rn, "rne", __VA_ARGS__)
#define ROUNDED(macro, ...)							\
	macro(rn, "rne", __VA_ARGS__)						\
	macro(rz, "rtz", __VA_ARGS__)						\
	macro(ru, "rup", __VA_ARGS__)						\
	macro(rd, "rdn", __VA_ARGS__)

#define OF_TWO(r, rounding, name, type, insn)					\
	INLINE type __nv_##name##_##r(type a, type b)				\
	{									\
		type c;								\
										\
		__asm__(insn " %0, %1, %2, " rounding : "=f"(c) : "f"(a), "f"(b)); \
		return c;							\
	}

#define OF_ONE(r, rounding, name, type, insn)					\
	INLINE type __nv_##name##_##r(type a)					\
	{									\
		type c;								\
										\
		__asm__(insn " %0, %1, " rounding : "=f"(c) : "f"(a));		\
		return c;							\
	}

#define RECIPROCAL(r, rounding, name, type, insn)				\
	INLINE type __nv_##name##_##r(type a)					\
	{									\
		type c, one = 1;						\
										\
		__asm__(insn " %0, %1, %2, " rounding : "=f"(c) : "f"(one), "f"(a)); \
		return c;							\
	}

#define FUSED(r, rounding, name, type, insn)					\
	INLINE type __nv_##name##_##r(type a, type b, type c)			\
	{									\
		type d;								\
										\
		__asm__(insn " %0, %1, %2, %3, " rounding			\
			: "=f"(d) : "f"(a), "f"(b), "f"(c));			\
		return d;							\
	}

NEAREST(OF_TWO, fadd, float, "fadd.s")
NEAREST(OF_TWO, fsub, float, "fsub.s")
NEAREST(OF_TWO, fmul, float, "fmul.s")
NEAREST(OF_TWO, fdiv, float, "fdiv.s")
NEAREST(OF_ONE, fsqrt, float, "fsqrt.s")
NEAREST(RECIPROCAL, frcp, float, "fdiv.s")
NEAREST(FUSED, fmaf, float, "fmadd.s")
NEAREST(FUSED, fmaf_ieee, float, "fmadd.s")

/*
 * What has no number in the result's type: the nearest that it has.  NaN is 0 where 32 bits become 32,
 * and else the highest bit (PTX ISA, "cvt").
 */
#define TO_INTEGER(r, rounding, name, type, from, insn, is_nan)			\
	INLINE type __nv_##name##_##r(from x)					\
	{									\
		uint64_t y;							\
										\
		__asm__(insn " %0, %1, " rounding : "=r"(y) : "f"(x));		\
		if (is_nan(x))							\
			y = sizeof(x) == 8 || sizeof(type) == 8 ?		\
				    1ULL << (8 * sizeof(type) - 1) : 0;		\
		return (type)y;							\
	}

#define FROM_INTEGER(r, rounding, name, type, from, insn)			\
	INLINE type __nv_##name##_##r(from x)					\
	{									\
		type y;								\
										\
		__asm__(insn " %0, %1, " rounding : "=f"(y) : "r"(x));		\
		return y;							\
	}

ROUNDED(TO_INTEGER, float2int, int, float, "fcvt.w.s", __nv_isnanf)
ROUNDED(TO_INTEGER, float2uint, unsigned int, float, "fcvt.wu.s", __nv_isnanf)
ROUNDED(TO_INTEGER, float2ll, long long, float, "fcvt.l.s", __nv_isnanf)
ROUNDED(TO_INTEGER, float2ull, unsigned long long, float, "fcvt.lu.s", __nv_isnanf)
NEAREST(FROM_INTEGER, int2float, float, int, "fcvt.s.w")
NEAREST(FROM_INTEGER, uint2float, float, unsigned int, "fcvt.s.wu")
NEAREST(FROM_INTEGER, ll2float, float, long long, "fcvt.s.l")
NEAREST(FROM_INTEGER, ull2float, float, unsigned long long, "fcvt.s.lu")

/* Rounded once: a double has more than twice the digits. */
INLINE float __nv_frsqrt_rn(float x) { return (float)(1.0 / __builtin_sqrt((double)x)); }
INLINE float __nv_saturatef(float x) { return !(x > 0.0f) ? 0.0f : x > 1.0f ? 1.0f : x; }

NEAREST(OF_TWO, dadd, double, "fadd.d")
NEAREST(OF_TWO, dsub, double, "fsub.d")
NEAREST(OF_TWO, dmul, double, "fmul.d")
NEAREST(OF_TWO, ddiv, double, "fdiv.d")
NEAREST(OF_ONE, dsqrt, double, "fsqrt.d")
NEAREST(RECIPROCAL, drcp, double, "fdiv.d")
NEAREST(FUSED, fma, double, "fmadd.d")
ROUNDED(TO_INTEGER, double2int, int, double, "fcvt.w.d", __nv_isnand)
ROUNDED(TO_INTEGER, double2uint, unsigned int, double, "fcvt.wu.d", __nv_isnand)
ROUNDED(TO_INTEGER, double2ll, long long, double, "fcvt.l.d", __nv_isnand)
ROUNDED(TO_INTEGER, double2ull, unsigned long long, double, "fcvt.lu.d", __nv_isnand)
NEAREST(FROM_INTEGER, ll2double, double, long long, "fcvt.d.l")
NEAREST(FROM_INTEGER, ull2double, double, unsigned long long, "fcvt.d.lu")

/* Each int has a double of its own. */
INLINE double __nv_int2double_rn(int x) { return x; }
INLINE double __nv_uint2double_rn(unsigned int x) { return x; }

#define NARROW(r, rounding, name)						\
	INLINE float __nv_##name##_##r(double x)				\
	{									\
		float y;							\
										\
		__asm__("fcvt.s.d %0, %1, " rounding : "=f"(y) : "f"(x));	\
		return y;							\
	}

NEAREST(NARROW, double2float)
