/* SPDX-License-Identifier: GPL-2.0 */
/*
 * CUDA's small vectors.  Those of three have the alignment of one; those of two and four have that of
 * their size, but at most 16 bytes.
 */
#ifndef SOFTUVM_VECTOR_TYPES_H
#define SOFTUVM_VECTOR_TYPES_H

/* What programs ask to find out whether this file was included. */
#define __VECTOR_TYPES_H__

#include "host_defines.h"

#define SOFTUVM_VECTOR(type, name, align2, align4)				\
	struct name##1 { type x; };						\
	struct __attribute__((aligned(align2))) name##2 { type x, y; };		\
	struct name##3 { type x, y, z; };					\
	struct __attribute__((aligned(align4))) name##4 { type x, y, z, w; };	\
	typedef struct name##1 name##1;						\
	typedef struct name##2 name##2;						\
	typedef struct name##3 name##3;						\
	typedef struct name##4 name##4

SOFTUVM_VECTOR(signed char, char, 2, 4);
SOFTUVM_VECTOR(unsigned char, uchar, 2, 4);
SOFTUVM_VECTOR(short, short, 4, 8);
SOFTUVM_VECTOR(unsigned short, ushort, 4, 8);
SOFTUVM_VECTOR(int, int, 8, 16);
SOFTUVM_VECTOR(unsigned int, uint, 8, 16);
SOFTUVM_VECTOR(long, long, 16, 16);
SOFTUVM_VECTOR(unsigned long, ulong, 16, 16);
SOFTUVM_VECTOR(long long, longlong, 16, 16);
SOFTUVM_VECTOR(unsigned long long, ulonglong, 16, 16);
SOFTUVM_VECTOR(float, float, 8, 16);
SOFTUVM_VECTOR(double, double, 16, 16);

#undef SOFTUVM_VECTOR

/* CUDA 13's other names of those of four 8-byte numbers; the ones aligned to 32 are not here. */
typedef long4 long4_16a;
typedef ulong4 ulong4_16a;
typedef longlong4 longlong4_16a;
typedef ulonglong4 ulonglong4_16a;
typedef double4 double4_16a;

/* What is not said is 1. */
struct dim3 {
	unsigned int x, y, z;
#ifdef __cplusplus
	__host__ __device__ constexpr dim3(unsigned int width = 1, unsigned int height = 1,
					   unsigned int depth = 1)
		: x(width), y(height), z(depth) { }
	__host__ __device__ constexpr dim3(uint3 from) : x(from.x), y(from.y), z(from.z) { }
	__host__ __device__ constexpr operator uint3() const { return uint3{ x, y, z }; }
#endif
};
typedef struct dim3 dim3;

#endif
