/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Loads and stores with a wish for the caches ("Load Functions Using Cache Hints" of the CUDA C++
 * Programming Guide), of the types that __ldg() has: this GPU's caches take no wishes.
 */
#ifndef SOFTUVM_DEVICE_LOADS_H
#define SOFTUVM_DEVICE_LOADS_H

#define SOFTUVM_LOAD(name, type)							\
	static inline __device__ type name(const type *at) { return *at; }
#define SOFTUVM_STORE(name, type)							\
	static inline __device__ void name(type *at, type value) { *at = value; }

#define SOFTUVM_LOADS(type)								\
	SOFTUVM_LOAD(__ldcg, type) SOFTUVM_LOAD(__ldca, type) SOFTUVM_LOAD(__ldcs, type) \
	SOFTUVM_LOAD(__ldlu, type)							\
	static inline __device__ type __ldcv(const type *at)				\
	{										\
		/* Read anew each time, as something volatile is. */			\
		__asm__ volatile("" : : : "memory");					\
		return *at;								\
	}										\
	SOFTUVM_STORE(__stwb, type) SOFTUVM_STORE(__stcg, type) SOFTUVM_STORE(__stcs, type) \
	SOFTUVM_STORE(__stwt, type)

SOFTUVM_LOADS(char)
SOFTUVM_LOADS(signed char)
SOFTUVM_LOADS(unsigned char)
SOFTUVM_LOADS(short)
SOFTUVM_LOADS(unsigned short)
SOFTUVM_LOADS(int)
SOFTUVM_LOADS(unsigned int)
SOFTUVM_LOADS(long)
SOFTUVM_LOADS(unsigned long)
SOFTUVM_LOADS(long long)
SOFTUVM_LOADS(unsigned long long)
SOFTUVM_LOADS(float)
SOFTUVM_LOADS(double)
SOFTUVM_LOADS(char2)
SOFTUVM_LOADS(char4)
SOFTUVM_LOADS(uchar2)
SOFTUVM_LOADS(uchar4)
SOFTUVM_LOADS(short2)
SOFTUVM_LOADS(short4)
SOFTUVM_LOADS(ushort2)
SOFTUVM_LOADS(ushort4)
SOFTUVM_LOADS(int2)
SOFTUVM_LOADS(int4)
SOFTUVM_LOADS(uint2)
SOFTUVM_LOADS(uint4)
SOFTUVM_LOADS(longlong2)
SOFTUVM_LOADS(ulonglong2)
SOFTUVM_LOADS(float2)
SOFTUVM_LOADS(float4)
SOFTUVM_LOADS(double2)

#undef SOFTUVM_LOADS
#undef SOFTUVM_STORE
#undef SOFTUVM_LOAD

#endif
