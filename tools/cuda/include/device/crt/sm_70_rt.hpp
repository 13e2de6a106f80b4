/* SPDX-License-Identifier: GPL-2.0 */
/* clang's header of warp intrinsics includes this name for what builds on it. */
#ifndef SOFTUVM_DEVICE_SM_70_H
#define SOFTUVM_DEVICE_SM_70_H

extern "C" __device__ unsigned int __softuvm_match_all(unsigned int mask, unsigned long long value);

#define SOFTUVM_MATCH(type, bits)							\
	static inline __device__ unsigned int __match_any_sync(unsigned int mask, type value) \
	{										\
		return __match##bits##_any_sync(mask, value);				\
	}										\
	static inline __device__ unsigned int __match_all_sync(unsigned int mask, type value, \
								int *all)		\
	{										\
		unsigned int members = __softuvm_match_all(mask, value);		\
											\
		*all = members != 0;							\
		return members;								\
	}

SOFTUVM_MATCH(int, 32)
SOFTUVM_MATCH(unsigned int, 32)
SOFTUVM_MATCH(long, 64)
SOFTUVM_MATCH(unsigned long, 64)
SOFTUVM_MATCH(long long, 64)
SOFTUVM_MATCH(unsigned long long, 64)

#undef SOFTUVM_MATCH

#endif
