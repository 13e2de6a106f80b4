// SPDX-License-Identifier: GPL-2.0
/* test_trap: ebreak, an unknown ecall, or a misaligned load ends the launch. */
#ifndef KERNEL_TEST_TRAP_C
#define KERNEL_TEST_TRAP_C

#include <stdint.h>

#define TEST_TRAP_EBREAK	0
#define TEST_TRAP_ECALL		1
#define TEST_TRAP_MISALIGNED	2

struct test_trap_args {
	uint64_t kind;
	uint64_t address;	/* for MISALIGNED */
};

#ifdef __riscv
#include <softgpu_kernel.h>

void test_trap(const struct test_trap_args *args)
{
	uint64_t value;

	if (args->kind == TEST_TRAP_EBREAK)
		__asm__ volatile("ebreak");
	else if (args->kind == TEST_TRAP_ECALL)
		__asm__ volatile("li a7, 0x7fff\n\tecall" ::: "a0", "a7", "memory");
	else
		__asm__ volatile("ld %0, 0(%1)" : "=r"(value) : "r"(args->address) : "memory");
}
#endif

#endif
