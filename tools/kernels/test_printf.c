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

/* Every thread prints a line of 32 bytes. */
void test_printf_many(const struct test_printf_args *args)
{
	(void)args;
	sgpu_printf("%20lu 0123456789\n", (unsigned long)global_idx_x());
}

void test_printf(const struct test_printf_args *args)
{
	if (thread_idx_x())
		return;
	sgpu_printf("block %u of %u: %lu 0x%lx %s\n", block_idx_x(), grid_dim_x(), args->value,
		    args->value, "done");
}
#endif

#endif
