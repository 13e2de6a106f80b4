/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Reductions of lanes, which clang has for sm_80 and for the host's half only: those are not taken,
 * for the reason that shuffles.h tells.  And matches of floats.
 */
#ifndef SOFTUVM_DEVICE_LANES_H
#define SOFTUVM_DEVICE_LANES_H

#define SOFTUVM_REDUCTION(name, type)							\
	extern "C" __device__ type __softuvm_reduce_##name(unsigned int mask, type value);

#define SOFTUVM_REDUCE(name, type, own)							\
	static inline __device__ type __reduce_##name##_sync(unsigned int mask, type value) \
		__attribute__((enable_if(true, "")))					\
	{										\
		return __softuvm_reduce_##own(mask, value);				\
	}

SOFTUVM_REDUCTION(add, unsigned int)
SOFTUVM_REDUCTION(and, unsigned int)
SOFTUVM_REDUCTION(or, unsigned int)
SOFTUVM_REDUCTION(xor, unsigned int)
SOFTUVM_REDUCTION(umin, unsigned int)
SOFTUVM_REDUCTION(umax, unsigned int)
SOFTUVM_REDUCTION(min, int)
SOFTUVM_REDUCTION(max, int)

SOFTUVM_REDUCE(add, unsigned int, add)
SOFTUVM_REDUCE(add, int, add)
SOFTUVM_REDUCE(and, unsigned int, and)
SOFTUVM_REDUCE(or, unsigned int, or)
SOFTUVM_REDUCE(xor, unsigned int, xor)
SOFTUVM_REDUCE(min, unsigned int, umin)
SOFTUVM_REDUCE(max, unsigned int, umax)
SOFTUVM_REDUCE(min, int, min)
SOFTUVM_REDUCE(max, int, max)

#undef SOFTUVM_REDUCE
#undef SOFTUVM_REDUCTION

#define SOFTUVM_MATCH(type, bits)							\
	static inline __device__ unsigned int __match_any_sync(unsigned int mask, type value) \
	{										\
		return __match_any_sync(mask, bits(value));				\
	}										\
	static inline __device__ unsigned int __match_all_sync(unsigned int mask, type value, \
							       int *all)		\
	{										\
		return __match_all_sync(mask, bits(value), all);			\
	}

SOFTUVM_MATCH(float, __float_as_uint)
SOFTUVM_MATCH(double, __double_as_longlong)

#undef SOFTUVM_MATCH

#endif
