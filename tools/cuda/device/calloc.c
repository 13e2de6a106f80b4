// SPDX-License-Identifier: GPL-2.0
/* calloc() of device code: CUDA has none, but the optimiser makes it of malloc() and memset(). */
#include <stddef.h>
#include <softgpu_kernel.h>

void *malloc(size_t bytes);

void *calloc(size_t count, size_t bytes)
{
	size_t all;
	void *at;

	if (__builtin_mul_overflow(count, bytes, &all))
		return NULL;
	at = malloc(all);
	/* Else the optimiser makes a call of this function of it. */
	__asm__ volatile("" : "+r"(at));
	return at ? __builtin_memset(at, 0, all) : NULL;
}
