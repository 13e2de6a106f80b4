// SPDX-License-Identifier: GPL-2.0
/*
 * test_double: how long double precision takes: of 32 additions and of 16, each after the other,
 * the difference in cycles.  Kernels are compiled without double precision, so these are words.
 */
#ifndef KERNEL_TEST_DOUBLE_C
#define KERNEL_TEST_DOUBLE_C

#include <stdint.h>

struct test_double_args {
	uint32_t *out;
};

#ifdef __riscv
#include <softgpu_kernel.h>

/* fadd.d ft1, ft2, ft3 */
#define TEST_DOUBLE_ADD(times) \
	__asm__ volatile(".rept " #times "\n\t.word 0x023170d3\n\t.endr" : : : "ft1")

void test_double(const struct test_double_args *args)
{
	uint64_t start, middle, end;

	/* whoever begins finds the unit idle */
	TEST_DOUBLE_ADD(4);
	start = clock_cycles();
	TEST_DOUBLE_ADD(16);
	middle = clock_cycles();
	TEST_DOUBLE_ADD(32);
	end = clock_cycles();
	if (!lane_id())
		args->out[warp_id()] = end - middle - (middle - start);
}
#endif

#endif
