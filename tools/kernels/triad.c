// SPDX-License-Identifier: GPL-2.0
/* triad: a = b + s * c, one thread per element (the STREAM benchmark's fourth kernel). */
#ifndef KERNEL_TRIAD_C
#define KERNEL_TRIAD_C

#include <stdint.h>

struct triad_args {
	float *a;
	const float *b;
	const float *c;
	uint64_t elements;
	float s;
};

#ifdef __riscv
#include <softgpu_kernel.h>

void triad(const struct triad_args *args)
{
	uint64_t i = global_idx_x();

	if (i < args->elements)
		args->a[i] = args->b[i] + args->s * args->c[i];
}
#endif

#endif
