/* SPDX-License-Identifier: GPL-2.0 */
/*
 * CUDA's min() and max(), on both sides; clang's headers give the device those of two int.  What is
 * of two signs is taken as unsigned.
 */
#ifndef SOFTUVM_DEVICE_MIN_MAX_H
#define SOFTUVM_DEVICE_MIN_MAX_H

#define SOFTUVM_MIN_MAX(side, type, a_type, b_type)					\
	static inline side type min(a_type a, b_type b)					\
	{										\
		return (type)a < (type)b ? (type)a : (type)b;				\
	}										\
	static inline side type max(a_type a, b_type b)					\
	{										\
		return (type)a > (type)b ? (type)a : (type)b;				\
	}

#define SOFTUVM_MIN_MAX_OF(sign, unsign)						\
	SOFTUVM_MIN_MAX(__host__ __device__, unsign, unsign, unsign)			\
	SOFTUVM_MIN_MAX(__host__ __device__, unsign, sign, unsign)			\
	SOFTUVM_MIN_MAX(__host__ __device__, unsign, unsign, sign)

SOFTUVM_MIN_MAX(__host__, int, int, int)
SOFTUVM_MIN_MAX(__host__ __device__, long, long, long)
SOFTUVM_MIN_MAX(__host__ __device__, long long, long long, long long)
SOFTUVM_MIN_MAX_OF(int, unsigned int)
SOFTUVM_MIN_MAX_OF(long, unsigned long)
SOFTUVM_MIN_MAX_OF(long long, unsigned long long)

#undef SOFTUVM_MIN_MAX_OF
#undef SOFTUVM_MIN_MAX

/* A number wins over NaN. */
#define SOFTUVM_MIN_MAX(type, a_type, b_type, suffix)					\
	static inline __host__ __device__ type min(a_type a, b_type b)			\
	{										\
		return __builtin_fmin##suffix(a, b);					\
	}										\
	static inline __host__ __device__ type max(a_type a, b_type b)			\
	{										\
		return __builtin_fmax##suffix(a, b);					\
	}

SOFTUVM_MIN_MAX(float, float, float, f)
SOFTUVM_MIN_MAX(double, double, double, )
SOFTUVM_MIN_MAX(double, float, double, )
SOFTUVM_MIN_MAX(double, double, float, )

#undef SOFTUVM_MIN_MAX

#endif
