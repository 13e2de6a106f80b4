// SPDX-License-Identifier: GPL-2.0
/* test_atomic: every thread counts; maxima and a lock-free bit set. */
#ifndef KERNEL_TEST_ATOMIC_C
#define KERNEL_TEST_ATOMIC_C

#include <stdint.h>

struct test_atomic_args {
	uint32_t *count;	/* ends as threads * rounds */
	uint32_t *max;		/* ends as threads - 1 */
	uint32_t *bits;		/* bit i % 32 of word i / 32 for each thread i */
	uint32_t rounds;
};

#ifdef __riscv
#include <softgpu_kernel.h>

void test_atomic(const struct test_atomic_args *args)
{
	uint32_t i = global_idx_x();

	for (uint32_t round = 0; round < args->rounds; round++)
		atomic_add_u32(args->count, 1);
	atomic_max_u32(args->max, i);
	atomic_or_u32(&args->bits[i / 32], 1u << i % 32);
}
#endif

#endif
