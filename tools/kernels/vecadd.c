// SPDX-License-Identifier: GPL-2.0
/*
 * vecadd: c[i] = a[i] + b[i], element i at byte i * stride of each vector.
 *
 * With a stride of one page and one warp, this is the kernel with which the
 * published studies take a fault batch apart: 32 faults of a and 32 of b are
 * raised before the first store can be.
 */
#ifndef KERNEL_VECADD_C
#define KERNEL_VECADD_C

#include <stdint.h>

struct vecadd_args {
	const char *a;
	const char *b;
	char *c;
	uint64_t elements;
	uint64_t stride;
};

#ifdef __riscv
#include <softgpu_kernel.h>

void vecadd(const struct vecadd_args *args)
{
	uint64_t i = global_idx_x();
	uint64_t at = i * args->stride;

	if (i >= args->elements)
		return;

	*(float *)(args->c + at) = *(const float *)(args->a + at) + *(const float *)(args->b + at);
}
#endif

#endif
