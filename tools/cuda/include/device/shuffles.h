/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Shuffles of unsigned long long: those of clang 14's header call themselves without end.  clang
 * takes these instead, since of two functions with the same parameters it prefers the one with
 * a condition.
 */
#ifndef SOFTUVM_DEVICE_SHUFFLES_H
#define SOFTUVM_DEVICE_SHUFFLES_H

#define SOFTUVM_SHUFFLE(name, by_type)							\
	static inline __device__ unsigned long long					\
	name##_sync(unsigned int mask, unsigned long long value, by_type by,		\
		    int width = warpSize) __attribute__((enable_if(true, "")))		\
	{										\
		return name##_sync(mask, (long long)value, by, width);			\
	}										\
	static inline __device__ unsigned long long					\
	name(unsigned long long value, by_type by, int width = warpSize)		\
		__attribute__((enable_if(true, "")))					\
	{										\
		return name((long long)value, by, width);			\
	}

SOFTUVM_SHUFFLE(__shfl, int)
SOFTUVM_SHUFFLE(__shfl_up, unsigned int)
SOFTUVM_SHUFFLE(__shfl_down, unsigned int)
SOFTUVM_SHUFFLE(__shfl_xor, int)

#undef SOFTUVM_SHUFFLE

#endif
