// SPDX-License-Identifier: GPL-2.0
/*
 * PTX's atomics in asm(), with their result ("atom") and without ("red"); uvm-retarget drops the words
 * for scope, order and space (NVIDIA, "Parallel Thread Execution ISA").  See ptx.c for the names.
 */
#include <stdint.h>
#include <softgpu_kernel.h>

#define PTX __attribute__((always_inline))

typedef uint32_t u32;
typedef uint64_t u64;
typedef int32_t s32;
typedef int64_t s64;

float __softuvm_atomic_add_float(float *at, float value);
double __softuvm_atomic_add_double(double *at, double value);

#define ATOMIC(name, type, old)							\
	PTX type __ptx_atom_##name(u64 at, type a) { type *p = (type *)at; return old; } \
	PTX void __ptx_red_##name(u64 at, type a) { type *p = (type *)at; (void)(old); }

#define BUILTIN(name, type, builtin) ATOMIC(name, type, builtin(p, a, __ATOMIC_SEQ_CST))

#define NUMBERS(letters, type)							\
	BUILTIN(add_##letters, type, __atomic_fetch_add)			\
	BUILTIN(min_##letters, type, __atomic_fetch_min)			\
	BUILTIN(max_##letters, type, __atomic_fetch_max)

#define BITS(letters, type)							\
	BUILTIN(and_##letters, type, __atomic_fetch_and)			\
	BUILTIN(or_##letters, type, __atomic_fetch_or)				\
	BUILTIN(xor_##letters, type, __atomic_fetch_xor)			\
	BUILTIN(exch_##letters, type, __atomic_exchange_n)			\
	PTX type __ptx_atom_cas_##letters(u64 at, type expected, type value)	\
	{									\
		__atomic_compare_exchange_n((type *)at, &expected, value, 0, __ATOMIC_SEQ_CST, \
					    __ATOMIC_SEQ_CST);			\
		return expected;						\
	}

NUMBERS(u32, u32)
NUMBERS(s32, s32)
NUMBERS(u64, u64)
NUMBERS(s64, s64)
BITS(b32, u32)
BITS(b64, u64)
ATOMIC(inc_u32, u32, atomic_inc_u32(p, a))
ATOMIC(dec_u32, u32, atomic_dec_u32(p, a))
ATOMIC(add_f32, float, __softuvm_atomic_add_float(p, a))
ATOMIC(add_f64, double, __softuvm_atomic_add_double(p, a))
