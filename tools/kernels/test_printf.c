// SPDX-License-Identifier: GPL-2.0
/* test_printf: one line per block, from its first thread. */
#ifndef KERNEL_TEST_PRINTF_C
#define KERNEL_TEST_PRINTF_C

#include <stdint.h>

struct test_printf_args {
	uint64_t value;
};

#ifdef __riscv
#include <softgpu_kernel.h>

void test_printf(const struct test_printf_args *args)
{
	if (thread_idx_x())
		return;
	sgpu_printf("block %u of %u: %lu 0x%lx %s\n", block_idx_x(), grid_dim_x(), args->value,
		    args->value, "done");
}
#endif

#endif
