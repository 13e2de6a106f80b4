// SPDX-License-Identifier: GPL-2.0
/* test_wild: one chosen thread makes one access to a chosen address. */
#ifndef KERNEL_TEST_WILD_C
#define KERNEL_TEST_WILD_C

#include <stdint.h>

#define TEST_WILD_READ		0
#define TEST_WILD_WRITE		1
#define TEST_WILD_ATOMIC	2
#define TEST_WILD_JUMP		3

struct test_wild_args {
	uint64_t address;
	uint64_t access;
	uint64_t thread;	/* global index */
};

#ifdef __riscv
#include <softgpu_kernel.h>

void test_wild(const struct test_wild_args *args)
{
	uint64_t i = global_idx_x();
	volatile uint32_t *at = (volatile uint32_t *)args->address;

	if (i != args->thread)
		return;

	switch (args->access) {
	case TEST_WILD_READ: {
		uint32_t value = *at;

		__asm__ volatile("" :: "r"(value));
		break;
	}
	case TEST_WILD_WRITE:
		*at = 0x57494c44;
		break;
	case TEST_WILD_ATOMIC:
		atomic_add_u32((uint32_t *)args->address, 1);
		break;
	case TEST_WILD_JUMP:
		((void (*)(void))args->address)();
		break;
	}
}
#endif

#endif
