/* SPDX-License-Identifier: GPL-2.0 */
/* Sums of products of an int's parts, and the least and greatest of sums; what clang's headers lack. */
#ifndef SOFTUVM_DEVICE_INTEGERS_H
#define SOFTUVM_DEVICE_INTEGERS_H

extern "C" __device__ void __softuvm_nanosleep(unsigned int ns);

static inline __device__ void __nanosleep(unsigned int ns) { __softuvm_nanosleep(ns); }

#define __assume(condition)	__builtin_assume(condition)

static inline __device__ unsigned int __isConstant(const void *) { return 0; }

/* The @i-th part of an int, of @type. */
#define SOFTUVM_PART(type, x, i)	((type)((x) >> (i) * 8 * sizeof(type)))

#define SOFTUVM_DOT(whole, half, byte, halves, bytes)			\
	static inline __device__ whole __dp4a(whole a, whole b, whole c)		\
	{										\
		for (int i = 0; i < 4; i++)						\
			c += (whole)SOFTUVM_PART(byte, a, i) * SOFTUVM_PART(byte, b, i); \
		return c;								\
	}										\
	static inline __device__ whole __dp4a(bytes a, bytes b, whole c)		\
	{										\
		return c + (whole)(a.x * b.x + a.y * b.y + a.z * b.z + a.w * b.w);	\
	}										\
	static inline __device__ whole __dp2a_lo(whole a, whole b, whole c)		\
	{										\
		return c + (whole)SOFTUVM_PART(half, a, 0) * SOFTUVM_PART(byte, b, 0) +	\
		       (whole)SOFTUVM_PART(half, a, 1) * SOFTUVM_PART(byte, b, 1);	\
	}										\
	static inline __device__ whole __dp2a_hi(whole a, whole b, whole c)		\
	{										\
		return __dp2a_lo(a, (whole)((unsigned int)b >> 16), c);			\
	}										\
	static inline __device__ whole __dp2a_lo(halves a, bytes b, whole c)		\
	{										\
		return c + (whole)a.x * b.x + (whole)a.y * b.y;				\
	}										\
	static inline __device__ whole __dp2a_hi(halves a, bytes b, whole c)		\
	{										\
		return c + (whole)a.x * b.z + (whole)a.y * b.w;				\
	}

SOFTUVM_DOT(int, short, signed char, short2, char4)
SOFTUVM_DOT(unsigned int, unsigned short, unsigned char, ushort2, uchar4)

#undef SOFTUVM_DOT
#undef SOFTUVM_PART

/* DPX of CUDA 12, both sides'.  Sums wrap around; "relu" is the greater of it and 0. */
#define SOFTUVM_OF_THREE(type, suffix, which, compare)					\
	static inline __host__ __device__ type __vi##which##3_##suffix(type a, type b, type c) \
	{										\
		a = a compare b ? a : b;						\
		return a compare c ? a : c;						\
	}										\
	static inline __host__ __device__ type __viadd##which##_##suffix(type a, type b, type c) \
	{										\
		a = (type)((unsigned int)a + (unsigned int)b);				\
		return a compare c ? a : c;						\
	}										\
	static inline __host__ __device__ type __vib##which##_##suffix(type a, type b, bool *first) \
	{										\
		*first = a compare##= b;						\
		return *first ? a : b;							\
	}

#define SOFTUVM_POSITIVE(which, compare)						\
	static inline __host__ __device__ int __vi##which##_s32_relu(int a, int b)	\
	{										\
		a = a compare b ? a : b;						\
		return a > 0 ? a : 0;							\
	}										\
	static inline __host__ __device__ int __vi##which##3_s32_relu(int a, int b, int c) \
	{										\
		a = __vi##which##3_s32(a, b, c);					\
		return a > 0 ? a : 0;							\
	}										\
	static inline __host__ __device__ int __viadd##which##_s32_relu(int a, int b, int c) \
	{										\
		a = __viadd##which##_s32(a, b, c);					\
		return a > 0 ? a : 0;							\
	}

SOFTUVM_OF_THREE(int, s32, max, >)
SOFTUVM_OF_THREE(int, s32, min, <)
SOFTUVM_OF_THREE(unsigned int, u32, max, >)
SOFTUVM_OF_THREE(unsigned int, u32, min, <)
SOFTUVM_POSITIVE(max, >)
SOFTUVM_POSITIVE(min, <)

/* The same of two halves of a word: x, y and z are those of a, b and c; the sum of halves is a half. */
#define SOFTUVM_HALVES(name, half, value)						\
	static inline __host__ __device__ unsigned int name(unsigned int a, unsigned int b, \
							    unsigned int c)		\
	{										\
		unsigned int result = 0;						\
											\
		for (int i = 0; i < 32; i += 16) {					\
			half x = (half)(a >> i), y = (half)(b >> i), z = (half)(c >> i); \
											\
			result |= (unsigned int)(unsigned short)(value) << i;		\
		}									\
		return result;								\
	}

#define SOFTUVM_CHOSEN(x, compare, y)	((x) compare (y) ? (x) : (y))
#define SOFTUVM_CHOSEN3(compare)	SOFTUVM_CHOSEN(SOFTUVM_CHOSEN(x, compare, y), compare, z)
#define SOFTUVM_SUM(half, compare)	SOFTUVM_CHOSEN((half)(x + y), compare, z)

#define SOFTUVM_OF_HALVES(half, suffix, which, compare)					\
	SOFTUVM_HALVES(__vi##which##3_##suffix, half, SOFTUVM_CHOSEN3(compare))		\
	SOFTUVM_HALVES(__viadd##which##_##suffix, half, SOFTUVM_SUM(half, compare))	\
	static inline __host__ __device__ unsigned int __vib##which##_##suffix(unsigned int a, \
							unsigned int b, bool *high, bool *low) \
	{										\
		*high = (half)(a >> 16) compare##= (half)(b >> 16);			\
		*low = (half)a compare##= (half)b;					\
		return (*high ? a : b) & 0xffff0000 | (*low ? a : b) & 0xffff;		\
	}

#define SOFTUVM_POSITIVE_HALVES(which, compare)						\
	SOFTUVM_HALVES(__vi##which##3_s16x2_relu, short,				\
		       SOFTUVM_CHOSEN(SOFTUVM_CHOSEN3(compare), >, 0))			\
	SOFTUVM_HALVES(__viadd##which##_s16x2_relu, short,				\
		       SOFTUVM_CHOSEN(SOFTUVM_SUM(short, compare), >, 0))		\
	static inline __host__ __device__ unsigned int __vi##which##_s16x2_relu(unsigned int a, \
										unsigned int b) \
	{										\
		return __vi##which##3_s16x2_relu(a, b, b);				\
	}

SOFTUVM_OF_HALVES(short, s16x2, max, >)
SOFTUVM_OF_HALVES(short, s16x2, min, <)
SOFTUVM_OF_HALVES(unsigned short, u16x2, max, >)
SOFTUVM_OF_HALVES(unsigned short, u16x2, min, <)
SOFTUVM_POSITIVE_HALVES(max, >)
SOFTUVM_POSITIVE_HALVES(min, <)

#undef SOFTUVM_POSITIVE_HALVES
#undef SOFTUVM_OF_HALVES
#undef SOFTUVM_SUM
#undef SOFTUVM_CHOSEN3
#undef SOFTUVM_CHOSEN
#undef SOFTUVM_HALVES
#undef SOFTUVM_POSITIVE
#undef SOFTUVM_OF_THREE

#endif
