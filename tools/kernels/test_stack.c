// SPDX-License-Identifier: GPL-2.0
/*
 * test_stack: recursion.  Depths up to about 20 fit the default stack of 1 KB
 * and sum up correctly; a deep one runs over it, which is an error.
 */
#ifndef KERNEL_TEST_STACK_C
#define KERNEL_TEST_STACK_C

#include <stdint.h>

struct test_stack_args {
	uint32_t *out;		/* one word per thread: depth * (depth + 1) / 2 + thread */
	uint32_t depth;
};

#ifdef __riscv
#include <softgpu_kernel.h>

static __attribute__((noinline)) uint32_t test_stack_sum(uint32_t depth)
{
	volatile uint32_t here = depth;
	uint32_t below = 0;

	if (depth)
		below = test_stack_sum(depth - 1);
	return here + below;
}

void test_stack(const struct test_stack_args *args)
{
	uint32_t i = global_idx_x();

	args->out[i] = test_stack_sum(args->depth) + i;
}
#endif

#endif
