/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Atomics of CUDA, each also with _block and _system, which are no weaker here: memory has one
 * order for all.  They are relaxed, as CUDA says.
 */
#ifndef SOFTUVM_DEVICE_ATOMICS_H
#define SOFTUVM_DEVICE_ATOMICS_H

#define SOFTUVM_ATOMIC static inline __attribute__((always_inline)) __device__

#define SOFTUVM_ATOMIC_SCOPES(type, name)						\
	SOFTUVM_ATOMIC type name##_block(type *at, type value) { return name(at, value); } \
	SOFTUVM_ATOMIC type name##_system(type *at, type value) { return name(at, value); }

#define SOFTUVM_ATOMIC_OF(type, name, builtin)						\
	SOFTUVM_ATOMIC type name(type *at, type value)					\
	{										\
		return builtin(at, value, __ATOMIC_RELAXED);				\
	}										\
	SOFTUVM_ATOMIC_SCOPES(type, name)

#define SOFTUVM_ATOMIC_CAS(type)							\
	SOFTUVM_ATOMIC type atomicCAS(type *at, type expected, type value)		\
	{										\
		__atomic_compare_exchange_n(at, &expected, value, 0, __ATOMIC_RELAXED,	\
					    __ATOMIC_RELAXED);				\
		return expected;							\
	}										\
	SOFTUVM_ATOMIC type atomicCAS_block(type *at, type expected, type value)	\
	{										\
		return atomicCAS(at, expected, value);					\
	}										\
	SOFTUVM_ATOMIC type atomicCAS_system(type *at, type expected, type value)	\
	{										\
		return atomicCAS(at, expected, value);					\
	}

#define SOFTUVM_ATOMICS(type)								\
	SOFTUVM_ATOMIC_OF(type, atomicAdd, __atomic_fetch_add)				\
	SOFTUVM_ATOMIC_OF(type, atomicSub, __atomic_fetch_sub)				\
	SOFTUVM_ATOMIC_OF(type, atomicAnd, __atomic_fetch_and)				\
	SOFTUVM_ATOMIC_OF(type, atomicOr, __atomic_fetch_or)				\
	SOFTUVM_ATOMIC_OF(type, atomicXor, __atomic_fetch_xor)				\
	SOFTUVM_ATOMIC_OF(type, atomicMin, __atomic_fetch_min)				\
	SOFTUVM_ATOMIC_OF(type, atomicMax, __atomic_fetch_max)				\
	SOFTUVM_ATOMIC_OF(type, atomicExch, __atomic_exchange_n)			\
	SOFTUVM_ATOMIC_CAS(type)

SOFTUVM_ATOMICS(int)
SOFTUVM_ATOMICS(unsigned int)
SOFTUVM_ATOMICS(long long)
SOFTUVM_ATOMICS(unsigned long long)
SOFTUVM_ATOMIC_CAS(unsigned short)

/* What clang has no builtin for: of the device library. */
#define SOFTUVM_ATOMIC_BY(type, name, function)						\
	extern "C" __device__ type function(type *at, type value);			\
	SOFTUVM_ATOMIC type name(type *at, type value) { return function(at, value); }	\
	SOFTUVM_ATOMIC_SCOPES(type, name)

SOFTUVM_ATOMIC_BY(float, atomicAdd, __softuvm_atomic_add_float)
SOFTUVM_ATOMIC_BY(double, atomicAdd, __softuvm_atomic_add_double)
SOFTUVM_ATOMIC_BY(unsigned int, atomicInc, __softuvm_atomic_inc)
SOFTUVM_ATOMIC_BY(unsigned int, atomicDec, __softuvm_atomic_dec)

SOFTUVM_ATOMIC float atomicExch(float *at, float value)
{
	return __int_as_float(atomicExch((int *)at, __float_as_int(value)));
}
SOFTUVM_ATOMIC_SCOPES(float, atomicExch)

#undef SOFTUVM_ATOMIC_BY
#undef SOFTUVM_ATOMICS
#undef SOFTUVM_ATOMIC_CAS
#undef SOFTUVM_ATOMIC_OF
#undef SOFTUVM_ATOMIC_SCOPES
#undef SOFTUVM_ATOMIC

#endif
