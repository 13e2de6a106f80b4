/* SPDX-License-Identifier: GPL-2.0 */
/* make_float4() and the like. */
#ifndef SOFTUVM_VECTOR_FUNCTIONS_H
#define SOFTUVM_VECTOR_FUNCTIONS_H

#include "vector_types.h"

#define SOFTUVM_MAKE(type, name)							\
	static inline __host__ __device__ name##1 make_##name##1(type x)		\
	{										\
		name##1 v = { x };							\
		return v;								\
	}										\
	static inline __host__ __device__ name##2 make_##name##2(type x, type y)	\
	{										\
		name##2 v = { x, y };							\
		return v;								\
	}										\
	static inline __host__ __device__ name##3 make_##name##3(type x, type y, type z) \
	{										\
		name##3 v = { x, y, z };						\
		return v;								\
	}										\
	static inline __host__ __device__ name##4 make_##name##4(type x, type y, type z, type w) \
	{										\
		name##4 v = { x, y, z, w };						\
		return v;								\
	}

SOFTUVM_MAKE(signed char, char)
SOFTUVM_MAKE(unsigned char, uchar)
SOFTUVM_MAKE(short, short)
SOFTUVM_MAKE(unsigned short, ushort)
SOFTUVM_MAKE(int, int)
SOFTUVM_MAKE(unsigned int, uint)
SOFTUVM_MAKE(long, long)
SOFTUVM_MAKE(unsigned long, ulong)
SOFTUVM_MAKE(long long, longlong)
SOFTUVM_MAKE(unsigned long long, ulonglong)
SOFTUVM_MAKE(float, float)
SOFTUVM_MAKE(double, double)

#undef SOFTUVM_MAKE

#endif
