// SPDX-License-Identifier: GPL-2.0
/*
 * Two halves or four bytes of a word at once: PTX's video instructions (NVIDIA, "Parallel Thread
 * Execution ISA"), by which clang's headers make __vadd2() and the like.  See ptx.c for the names.
 */
#include <stdint.h>

#define EACH(name, n, part, value)						\
	__attribute__((always_inline))						\
	uint32_t __ptx_##name(uint32_t a, uint32_t b, uint32_t c)		\
	{									\
		uint32_t result = 0;						\
										\
		(void)c;							\
		for (int i = 0; i < 32; i += 32 / n) {				\
			int x = (part)(a >> i), y = (part)(b >> i);		\
										\
			result |= ((uint32_t)(value) & (~0u >> (32 - 32 / n))) << i; \
		}								\
		return result;							\
	}

/* Of all parts, and the third operand. */
#define SUM(name, n, part, value)						\
	__attribute__((always_inline))						\
	uint32_t __ptx_##name(uint32_t a, uint32_t b, uint32_t c)		\
	{									\
		for (int i = 0; i < 32; i += 32 / n) {				\
			int x = (part)(a >> i), y = (part)(b >> i);		\
										\
			c += value;						\
		}								\
		return c;							\
	}

#define CLAMP(x, low, high) ((x) < (low) ? (low) : (x) > (high) ? (high) : (x))
#define DISTANCE (x > y ? x - y : y - x)
/* To the nearest; halves away from zero. */
#define AVERAGE ((x + y + (x + y >= 0)) >> 1)

/* @part: the type of a part, of which @low to @high are the values; @kind: PTX's s32 or u32. */
#define OF_KIND(n, kind, part, low, high)					\
	EACH(vadd##n##_##kind##_##kind##_##kind, n, part, x + y)		\
	EACH(vadd##n##_##kind##_##kind##_##kind##_sat, n, part, CLAMP(x + y, low, high)) \
	EACH(vsub##n##_##kind##_##kind##_##kind, n, part, x - y)		\
	EACH(vsub##n##_##kind##_##kind##_##kind##_sat, n, part, CLAMP(x - y, low, high)) \
	EACH(vavrg##n##_##kind##_##kind##_##kind, n, part, AVERAGE)		\
	EACH(vmax##n##_##kind##_##kind##_##kind, n, part, x > y ? x : y)	\
	EACH(vmin##n##_##kind##_##kind##_##kind, n, part, x < y ? x : y)	\
	EACH(vabsdiff##n##_##kind##_##kind##_##kind, n, part, DISTANCE)		\
	EACH(vabsdiff##n##_##kind##_##kind##_##kind##_sat, n, part, CLAMP(DISTANCE, low, high)) \
	SUM(vabsdiff##n##_##kind##_##kind##_##kind##_add, n, part, DISTANCE)	\
	EACH(vset##n##_##kind##_##kind##_eq, n, part, x == y)			\
	EACH(vset##n##_##kind##_##kind##_ne, n, part, x != y)			\
	EACH(vset##n##_##kind##_##kind##_lt, n, part, x < y)			\
	EACH(vset##n##_##kind##_##kind##_le, n, part, x <= y)			\
	EACH(vset##n##_##kind##_##kind##_gt, n, part, x > y)			\
	EACH(vset##n##_##kind##_##kind##_ge, n, part, x >= y)

OF_KIND(2, s32, int16_t, INT16_MIN, INT16_MAX)
OF_KIND(2, u32, uint16_t, 0, 0xffff)
OF_KIND(4, s32, int8_t, INT8_MIN, INT8_MAX)
OF_KIND(4, u32, uint8_t, 0, 0xff)

/* Sums of products: of four bytes, and of two halves with two of four bytes. */
#define DOT4(kinds, of_a, of_b)							\
	__attribute__((always_inline))						\
	uint32_t __ptx_dp4a_##kinds(uint32_t a, uint32_t b, uint32_t c)		\
	{									\
		for (int i = 0; i < 32; i += 8)					\
			c += (of_a)(a >> i) * (of_b)(b >> i);			\
		return c;							\
	}

#define DOT2(part, kinds, shift, of_a, of_b)					\
	__attribute__((always_inline))						\
	uint32_t __ptx_dp2a_##part##_##kinds(uint32_t a, uint32_t b, uint32_t c) \
	{									\
		b >>= shift;							\
		return c + (uint32_t)((of_a)a * (of_b)b) +			\
		       (uint32_t)((of_a)(a >> 16) * (of_b)(b >> 8));		\
	}

#define DOTS(kinds, half, of_a, of_b)						\
	DOT4(kinds, of_a, of_b)							\
	DOT2(lo, kinds, 0, half, of_b)						\
	DOT2(hi, kinds, 16, half, of_b)

DOTS(u32_u32, uint16_t, uint8_t, uint8_t)
DOTS(u32_s32, uint16_t, uint8_t, int8_t)
DOTS(s32_u32, int16_t, int8_t, uint8_t)
DOTS(s32_s32, int16_t, int8_t, int8_t)
