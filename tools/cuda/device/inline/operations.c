// SPDX-License-Identifier: GPL-2.0
/*
 * PTX's operations with a word in C, and shuffles with their predicate: for asm() of several
 * instructions.  See ptx.c for the names.
 */
#include <stdbool.h>
#include <stdint.h>
#include <softgpu_kernel.h>

#define PTX __attribute__((always_inline))

typedef uint32_t u32;
typedef uint64_t u64;
typedef int32_t s32;
typedef int64_t s64;
typedef uint16_t u16;
typedef int16_t s16;
typedef uint16_t b16;
typedef uint32_t b32;
typedef uint64_t b64;
typedef float f32;
typedef double f64;

#define ONE(name, type, value) PTX type __ptx_##name##_##type(type a) { return value; }
#define TWO(name, type, value) PTX type __ptx_##name##_##type(type a, type b) { return value; }
#define SHIFT(name, type, value) PTX type __ptx_##name##_##type(type a, u32 by) { return value; }
#define COMPARE(name, type, operator)						\
	PTX bool __ptx_setp_##name##_##type(type a, type b) { return a operator b; }

#define BITS(type, n, sign)							\
	TWO(and, type, a & b)							\
	TWO(or, type, a | b)							\
	TWO(xor, type, a ^ b)							\
	ONE(not, type, ~a)							\
	/* All bits can be shifted out. */					\
	SHIFT(shl, type, by < n ? a << by : 0)					\
	SHIFT(shr, type, by < n ? a >> by : 0)					\
	SHIFT(shr, sign, by < n ? a >> by : a >> (n - 1))

BITS(b16, 16, s16)
BITS(b32, 32, s32)
BITS(b64, 64, s64)
SHIFT(shr, u16, by < 16 ? a >> by : 0)
SHIFT(shr, u32, by < 32 ? a >> by : 0)
SHIFT(shr, u64, by < 64 ? a >> by : 0)

PTX bool __ptx_and_pred(bool a, bool b) { return a && b; }
PTX bool __ptx_or_pred(bool a, bool b) { return a || b; }
PTX bool __ptx_xor_pred(bool a, bool b) { return a != b; }
PTX bool __ptx_not_pred(bool a) { return !a; }

#define VALUES(type)								\
	TWO(min, type, a < b ? a : b)						\
	TWO(max, type, a > b ? a : b)						\
	COMPARE(eq, type, ==)							\
	COMPARE(ne, type, !=)							\
	COMPARE(lt, type, <)							\
	COMPARE(le, type, <=)							\
	COMPARE(gt, type, >)							\
	COMPARE(ge, type, >=)							\
	PTX type __ptx_selp_##type(type a, type b, bool p) { return p ? a : b; }

VALUES(u16)
VALUES(s16)
VALUES(u32)
VALUES(s32)
VALUES(u64)
VALUES(s64)
COMPARE(eq, b32, ==)
COMPARE(ne, b32, !=)
COMPARE(eq, b64, ==)
COMPARE(ne, b64, !=)
PTX b32 __ptx_selp_b32(b32 a, b32 b, bool p) { return p ? a : b; }
PTX b64 __ptx_selp_b64(b64 a, b64 b, bool p) { return p ? a : b; }
PTX f32 __ptx_selp_f32(f32 a, f32 b, bool p) { return p ? a : b; }
PTX f64 __ptx_selp_f64(f64 a, f64 b, bool p) { return p ? a : b; }

/* What is too large for a type loses its upper bits, with and without a sign. */
#define SUMS(type, without)							\
	TWO(add, type, (type)((without)a + (without)b))				\
	TWO(sub, type, (type)((without)a - (without)b))

SUMS(u16, u32)
SUMS(s16, u32)
TWO(mul_lo, u16, (u32)a * b)
TWO(mul_lo, s16, (u32)a * (u32)b)
PTX u16 __ptx_mad_lo_u16(u16 a, u16 b, u16 c) { return (u32)a * b + c; }
PTX u32 __ptx_mul_wide_u16(u16 a, u16 b) { return (u32)a * b; }
PTX s32 __ptx_mul_wide_s16(s16 a, s16 b) { return a * b; }
SUMS(u32, u32)
SUMS(s32, u32)
SUMS(u64, u64)
SUMS(s64, u64)
SUMS(f64, f64)
TWO(sub, f32, a - b)
TWO(mul, f64, a * b)
ONE(neg, s32, (s32)-(u32)a)
ONE(neg, s64, (s64)-(u64)a)
ONE(neg, f32, -a)
ONE(neg, f64, -a)
ONE(abs, s32, a < 0 ? (s32)-(u32)a : a)
ONE(abs, f32, __builtin_fabsf(a))
ONE(abs, f64, __builtin_fabs(a))

/* All bits or none; and the first if the third is not negative. */
#define SET(type, name, operator)						\
	PTX u32 __ptx_set_##name##_u32_##type(type a, type b) { return a operator b ? ~0u : 0; }
#define SETS(type)								\
	SET(type, eq, ==) SET(type, ne, !=) SET(type, lt, <) SET(type, le, <=)	\
	SET(type, gt, >) SET(type, ge, >=)					\
	PTX type __ptx_slct_##type##_s32(type a, type b, s32 c) { return c >= 0 ? a : b; }

SETS(u32)
SETS(s32)
PTX b32 __ptx_slct_b32_s32(b32 a, b32 b, s32 c) { return c >= 0 ? a : b; }
PTX f32 __ptx_slct_f32_s32(f32 a, f32 b, s32 c) { return c >= 0 ? a : b; }
TWO(mul24_lo, u32, (a & 0xffffff) * (b & 0xffffff))
TWO(mul24_lo, s32, (s32)((u32)((s32)((u32)a << 8) >> 8) * (u32)((s32)((u32)b << 8) >> 8)))
PTX u32 __ptx_mad24_lo_u32(u32 a, u32 b, u32 c) { return __ptx_mul24_lo_u32(a, b) + c; }
ONE(cnot, b32, !a)

/* ---- warps ------------------------------------------------------------ */

/*
 * @bounds has the last lane to read in bits 0 to 4 (upwards the first), and in bits 8 to 12 those that
 * tell parts of a warp apart.  A lane that would read beyond reads itself; "p" is whether it need not.
 */
#define SHUFFLE(name, from, within)						\
	PTX bool __ptx_shfl_sync_##name##_b32_p(u32 a, u32 by, u32 bounds, u32 members) \
	{									\
		u32 parts = bounds >> 8 & 31, first = lane_id() & parts;	\
		u32 last = first | (bounds & 31 & ~parts), j;			\
										\
		(void)a, (void)members;						\
		by &= 31;							\
		j = from;							\
		return within;							\
	}									\
	PTX u32 __ptx_shfl_sync_##name##_b32(u32 a, u32 by, u32 bounds, u32 members) \
	{									\
		u32 parts = bounds >> 8 & 31, first = lane_id() & parts;	\
		u32 last = first | (bounds & 31 & ~parts), j;			\
										\
		by &= 31;							\
		j = from;							\
		return shuffle_idx(members, a, within ? j : lane_id(), 32);	\
	}									\
	PTX bool __ptx_shfl_##name##_b32_p(u32 a, u32 by, u32 bounds)		\
	{									\
		return __ptx_shfl_sync_##name##_b32_p(a, by, bounds, 0);	\
	}									\
	PTX u32 __ptx_shfl_##name##_b32(u32 a, u32 by, u32 bounds)		\
	{									\
		return __ptx_shfl_sync_##name##_b32(a, by, bounds, active_mask()); \
	}

SHUFFLE(up, lane_id() - by, (s32)j >= (s32)last)
SHUFFLE(down, lane_id() + by, j <= last)
SHUFFLE(bfly, lane_id() ^ by, j <= last)
SHUFFLE(idx, first | (by & ~parts), j <= last)

PTX u32 __ptx_vote_ballot_sync_b32(bool p, u32 members) { return vote_ballot(members, p); }
PTX bool __ptx_vote_all_sync_pred(bool p, u32 members) { return vote_all(members, p); }
PTX bool __ptx_vote_any_sync_pred(bool p, u32 members) { return vote_any(members, p); }
PTX u32 __ptx_vote_ballot_b32(bool p) { return vote_ballot(active_mask(), p); }
PTX bool __ptx_vote_all_pred(bool p) { return vote_all(active_mask(), p); }
PTX bool __ptx_vote_any_pred(bool p) { return vote_any(active_mask(), p); }
/* The older order of the words. */
PTX u32 __ptx_vote_sync_ballot_b32(bool p, u32 members) { return vote_ballot(members, p); }
PTX bool __ptx_vote_sync_all_pred(bool p, u32 members) { return vote_all(members, p); }
PTX bool __ptx_vote_sync_any_pred(bool p, u32 members) { return vote_any(members, p); }
PTX u32 __ptx_match_any_sync_b32(u32 a, u32 members) { return match_any(members, a); }
PTX u32 __ptx_match_all_sync_b32(u32 a, u32 members) { return match_all(members, a); }
PTX bool __ptx_match_all_sync_b32_p(u32 a, u32 members) { return match_all(members, a); }
PTX u32 __ptx_match_any_sync_b64(u64 a, u32 members) { return match_any(members, a); }

#define REDUCE(type, name, own)							\
	type __softuvm_reduce_##own(u32 members, type a);			\
	PTX type __ptx_redux_sync_##name##_##type(type a, u32 members)		\
	{									\
		return __softuvm_reduce_##own(members, a);			\
	}

REDUCE(u32, add, add)
REDUCE(u32, min, umin)
REDUCE(u32, max, umax)
REDUCE(s32, min, min)
REDUCE(s32, max, max)
REDUCE(b32, and, and)
REDUCE(b32, or, or)
REDUCE(b32, xor, xor)
PTX s32 __ptx_redux_sync_add_s32(s32 a, u32 members) { return (s32)__softuvm_reduce_add(members, (u32)a); }
