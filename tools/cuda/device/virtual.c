// SPDX-License-Identifier: GPL-2.0
/*
 * What stands in tables of virtual functions for those that cannot be called (Itanium C++ ABI, 3.2.6
 * "Pure Virtual Function API").  A call of one is said and ends the launch, as an assertion does.
 */
#include <softgpu_kernel.h>

void __cxa_pure_virtual(void)
{
	__sgpu_print("__cxa_pure_virtual: a pure virtual function was called\n", 0);
	__asm__ volatile("ebreak");
}

void __cxa_deleted_virtual(void)
{
	__sgpu_print("__cxa_deleted_virtual: a deleted virtual function was called\n", 0);
	__asm__ volatile("ebreak");
}
