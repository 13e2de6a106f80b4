// SPDX-License-Identifier: GPL-2.0
/* test_spin: never ends by itself. */
#include <softgpu_kernel.h>

void test_spin(const void *args)
{
	(void)args;
	for (;;)
		__asm__ volatile("" ::: "memory");
}
