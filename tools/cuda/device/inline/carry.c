// SPDX-License-Identifier: GPL-2.0
/*
 * Sums of words with a carry: PTX's "add.cc", "addc" and their like.  __ptx_carry_NAME() is what such an
 * instruction gives, with the carry before it as its last argument, and __ptx_carry_NAME_p() the carry
 * behind it; of a difference that is what was borrowed (NVIDIA, "Parallel Thread Execution ISA",
 * Extended-Precision Integer Arithmetic).  See tools/cuda/compiler/retarget/ptx_carry.c.
 */
#include <stdint.h>

#define PTX __attribute__((always_inline))

typedef uint32_t u32;
typedef uint64_t u64;

#define SUMS(type, word)							\
	PTX word __ptx_carry_add_##type(word a, word b, u32 carry) { return a + b + carry; } \
	PTX u32 __ptx_carry_add_##type##_p(word a, word b, u32 carry)		\
	{									\
		word sum = a + b;						\
										\
		return (sum < a) | ((word)(sum + carry) < sum);			\
	}									\
	PTX word __ptx_carry_sub_##type(word a, word b, u32 carry) { return a - b - carry; } \
	PTX u32 __ptx_carry_sub_##type##_p(word a, word b, u32 carry)		\
	{									\
		return (a < b) | (a - b < carry);				\
	}

SUMS(u32, u32)
SUMS(s32, u32)
SUMS(u64, u64)
SUMS(s64, u64)

/* A half of a product is added; the carry is that of the sum alone. */
#define PRODUCT(name, type, word, half)						\
	PTX word __ptx_carry_mad_##name##_##type(word a, word b, word c, u32 carry) \
	{									\
		return __ptx_carry_add_##type(half, c, carry);			\
	}									\
	PTX u32 __ptx_carry_mad_##name##_##type##_p(word a, word b, word c, u32 carry) \
	{									\
		return __ptx_carry_add_##type##_p(half, c, carry);		\
	}

PRODUCT(lo, u32, u32, a * b)
PRODUCT(lo, s32, u32, a * b)
PRODUCT(lo, u64, u64, a * b)
PRODUCT(lo, s64, u64, a * b)
PRODUCT(hi, u32, u32, (u64)a * b >> 32)
PRODUCT(hi, s32, u32, (u32)((int64_t)(int32_t)a * (int32_t)b >> 32))
PRODUCT(hi, u64, u64, (unsigned __int128)a * b >> 64)
PRODUCT(hi, s64, u64, (u64)((__int128)(int64_t)a * (int64_t)b >> 64))
