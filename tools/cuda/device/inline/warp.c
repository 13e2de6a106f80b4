// SPDX-License-Identifier: GPL-2.0
/* Barriers that reduce, and what lanes of a warp do together: NVVM's intrinsics by the GPU's own. */
#include <stdbool.h>
#include <softgpu_kernel.h>

#define INTRINSIC __attribute__((always_inline))

INTRINSIC int __nvvm_barrier0_popc(int predicate) { return barrier_count(predicate); }
INTRINSIC int __nvvm_barrier0_and(int predicate) { return barrier_and(predicate); }
INTRINSIC int __nvvm_barrier0_or(int predicate) { return barrier_or(predicate); }

INTRINSIC void __nvvm_bar_warp_sync(uint32_t members) { warp_sync(members); }
INTRINSIC bool __nvvm_vote_all_sync(uint32_t members, bool p) { return vote_all(members, p); }
INTRINSIC bool __nvvm_vote_any_sync(uint32_t members, bool p) { return vote_any(members, p); }
INTRINSIC bool __nvvm_vote_uni_sync(uint32_t members, bool p) { return vote_uni(members, p); }
INTRINSIC int __nvvm_vote_ballot_sync(uint32_t members, bool p) { return vote_ballot(members, p); }

/* Those without a mask, of CUDA 8: the lanes that are together. */
INTRINSIC bool __nvvm_vote_all(bool p) { return vote_all(active_mask(), p); }
INTRINSIC bool __nvvm_vote_any(bool p) { return vote_any(active_mask(), p); }
INTRINSIC bool __nvvm_vote_uni(bool p) { return vote_uni(active_mask(), p); }
INTRINSIC int __nvvm_vote_ballot(bool p) { return vote_ballot(active_mask(), p); }

INTRINSIC int __nvvm_match_any_sync_i32(int members, int value)
{
	return match_any(members, (uint32_t)value);
}

INTRINSIC int __nvvm_match_any_sync_i64(int members, long long value)
{
	return match_any(members, value);
}

/* For crt/sm_70_rt.hpp: NVVM's own returns a struct, which C has otherwise. */
INTRINSIC unsigned int __softuvm_match_all(unsigned int members, unsigned long long value)
{
	return match_all(members, value);
}

/* PTX has 32 less the width in the upper bits of a shuffle's last operand. */
#define WIDTH(bounds) (32 - ((bounds) >> 8 & 31))

#define SHUFFLE(name, own)							\
	INTRINSIC int __nvvm_shfl_sync_##name##_i32(int members, int value, int by, int bounds) \
	{									\
		return own(members, (uint32_t)value, by, WIDTH(bounds));	\
	}									\
	INTRINSIC float __nvvm_shfl_sync_##name##_f32(int members, float value, int by, int bounds) \
	{									\
		return bits_float(own(members, float_bits(value), by, WIDTH(bounds))); \
	}									\
	INTRINSIC int __nvvm_shfl_##name##_i32(int value, int by, int bounds)	\
	{									\
		return own(active_mask(), (uint32_t)value, by, WIDTH(bounds));	\
	}									\
	INTRINSIC float __nvvm_shfl_##name##_f32(float value, int by, int bounds) \
	{									\
		return bits_float(own(active_mask(), float_bits(value), by, WIDTH(bounds))); \
	}

SHUFFLE(idx, shuffle_idx)
SHUFFLE(up, shuffle_up)
SHUFFLE(down, shuffle_down)
SHUFFLE(bfly, shuffle_xor)

/* ---- reductions ------------------------------------------------------- */

/* By halves if the whole warp is there, else over its members one by one. */
#define REDUCE(name, type, result)						\
	INTRINSIC type __softuvm_reduce_##name(uint32_t members, type a)	\
	{									\
		uint32_t left = warp_sync(members);				\
		unsigned int by = 1;						\
		type b, own = a;						\
										\
		for (; left == ~0u && by < 32; by *= 2) {			\
			b = shuffle_xor(members, (uint32_t)a, by, 32);		\
			a = result;						\
		}								\
		if (left == ~0u)						\
			return a;						\
		a = shuffle_idx(members, (uint32_t)own, __nv_ffs(left) - 1, 32); \
		for (left &= left - 1; left; left &= left - 1) {		\
			b = shuffle_idx(members, (uint32_t)own, __nv_ffs(left) - 1, 32); \
			a = result;						\
		}								\
		return a;							\
	}

int __nv_ffs(int x);

REDUCE(add, uint32_t, a + b)
REDUCE(and, uint32_t, a & b)
REDUCE(or, uint32_t, a | b)
REDUCE(xor, uint32_t, a ^ b)
REDUCE(umin, uint32_t, a < b ? a : b)
REDUCE(umax, uint32_t, a > b ? a : b)
REDUCE(min, int, a < b ? a : b)
REDUCE(max, int, a > b ? a : b)
