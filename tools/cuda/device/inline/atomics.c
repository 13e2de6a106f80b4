// SPDX-License-Identifier: GPL-2.0
/* For device/atomics.h: what the GPU has instructions for and C has no builtin for. */
#include <softgpu_kernel.h>

#define INTRINSIC __attribute__((always_inline))

INTRINSIC float __softuvm_atomic_add_float(float *at, float value)
{
	return atomic_add_f32(at, value);
}

INTRINSIC double __softuvm_atomic_add_double(double *at, double value)
{
	uint64_t bits, old;
	double result;

	__asm__("fmv.x.d %0, %1" : "=r"(bits) : "f"(value));
	__SGPU_CUDA_AMO("3", "0", old, at, bits);
	__asm__("fmv.d.x %0, %1" : "=f"(result) : "r"(old));
	return result;
}

INTRINSIC unsigned int __softuvm_atomic_inc(unsigned int *at, unsigned int last)
{
	return atomic_inc_u32(at, last);
}

INTRINSIC unsigned int __softuvm_atomic_dec(unsigned int *at, unsigned int last)
{
	return atomic_dec_u32(at, last);
}
