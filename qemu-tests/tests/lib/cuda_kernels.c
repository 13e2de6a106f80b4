// SPDX-License-Identifier: GPL-2.0
/*
 * An image as the CUDA compiler makes it, by hand: entries that take a slot of 8 bytes for each
 * parameter, their descriptions, and variables that are reached through a table of addresses.
 */
#include <stdint.h>
#include <softgpu_kernel.h>

/* Description of a kernel: number of its entry, of parameters, and size and sort of each. */
#define KERNEL(name, entry, ...)							\
	extern const uint32_t kernel_##name[] __asm__("__sgpu_kernel$" #name);		\
	__attribute__((section(".softgpu_kernels"), used))				\
	const uint32_t kernel_##name[] = { entry, __VA_ARGS__ };			\
	void __cuda_entry_##entry(const uint64_t *slots);				\
	void __cuda_entry_##entry(const uint64_t *slots)

struct pair {
	int32_t a;
	int16_t b;
	int64_t c;
};

int32_t variable = 41;
int64_t zeroes[4];
int32_t *pointer = &variable;
int32_t both = 5;			/* __managed__ */
int32_t *pointer_to_both = &both;

/* What code takes addresses of variables from, and words that hold some. */
__attribute__((section(".test_got"), used)) uint64_t got[5] = {
	(uint64_t)&variable, (uint64_t)&zeroes, (uint64_t)&pointer, (uint64_t)&both,
	(uint64_t)&pointer_to_both,
};
__attribute__((section(".softgpu_relocations"), used)) uint64_t relocations[2] = {
	(uint64_t)&pointer, (uint64_t)&pointer_to_both,
};

SGPU_SHARED int32_t counts[32];

static inline uint64_t variable_address(int n)
{
	return ((volatile uint64_t *)got)[n];
}

/* plain(int): described, but its entry is missing */
extern const uint32_t kernel_plain[] __asm__("__sgpu_kernel$_Z5plaini");
__attribute__((section(".softgpu_kernels"), used))
const uint32_t kernel_plain[] = { 99, 0 };

/* add(const float *a, const float *b, float *c, int n) */
KERNEL(add, 0, 4, 8, 0, 8, 0, 8, 0, 4, 0)
{
	const float *a = (const float *)slots[0], *b = (const float *)slots[1];
	uint64_t i = global_idx_x();

	if (i < (uint32_t)slots[3])
		((float *)slots[2])[i] = a[i] + b[i];
}

/* touch(char *p, unsigned long stride, int n): one byte more each */
KERNEL(touch, 1, 3, 8, 0, 8, 0, 4, 0)
{
	uint64_t i = global_idx_x();

	if (i < (uint32_t)slots[2])
		((volatile uint8_t *)slots[0])[i * slots[1]]++;
}

/* take(struct pair p, char q, long *out) */
KERNEL(take, 2, 3, 16, 1, 1, 0, 8, 0)
{
	const struct pair *p = (const struct pair *)slots[0];
	int64_t *out = (int64_t *)slots[2];

	out[0] = p->a;
	out[1] = p->b;
	out[2] = p->c;
	out[3] = (int8_t)slots[1];
}

/* global(long *out): variables as they were linked, one changed */
KERNEL(global, 3, 1, 8, 0)
{
	volatile int32_t *v = (volatile int32_t *)variable_address(0);
	volatile int64_t *z = (volatile int64_t *)variable_address(1);
	int32_t *volatile *p = (int32_t *volatile *)variable_address(2);
	int64_t *out = (int64_t *)slots[0];

	out[0] = *v;
	out[1] = z[0] + z[1] + z[2] + z[3];
	out[2] = *p == v;
	*v = *v + 1;
	z[0] = 7;
}

/* print(int n) */
KERNEL(print, 4, 1, 4, 0)
{
	sgpu_printf("n is %d\n", (int32_t)slots[0]);
}

/* block(int *out): threads of a block, by shared memory */
KERNEL(block, 5, 1, 8, 0)
{
	counts[thread_idx_x() % 32] = 1;
	barrier();
	if (!thread_idx_x())
		for (int i = 0; i < 32; i++)
			((int32_t *)slots[0])[block_idx_x()] += counts[i];
}

/* trap() */
KERNEL(trap, 6, 0)
{
	(void)slots;
	__asm__ volatile("ebreak");
}

/* after(int *seen, const char *of): what another stream may have done by now */
KERNEL(after, 7, 2, 8, 0, 8, 0)
{
	*(volatile int32_t *)slots[0] = *(volatile const uint8_t *)slots[1];
}

/* count(int n, int *same): what the CPU has, too */
KERNEL(count, 8, 2, 4, 0, 8, 0)
{
	volatile int32_t *v = (volatile int32_t *)variable_address(3);

	*v += (int32_t)slots[0];
	*(int32_t *)slots[1] = *(int32_t *volatile *)variable_address(4) == v;
}

/* tally(long *sum): each thread adds one */
KERNEL(tally, 9, 1, 8, 0)
{
	__atomic_fetch_add((int64_t *)slots[0], 1, __ATOMIC_RELAXED);
}
