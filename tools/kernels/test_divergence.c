// SPDX-License-Identifier: GPL-2.0
/*
 * test_divergence: each lane walks its own Collatz sequence through a function
 * call, so that lanes part and meet at every step.
 */
#ifndef KERNEL_TEST_DIVERGENCE_C
#define KERNEL_TEST_DIVERGENCE_C

#include <stdint.h>

struct test_divergence_args {
	uint32_t *steps;	/* one word per thread: steps from thread + 1 to 1 */
	uint32_t *lock;		/* zero; taken in turn by all lanes of test_divergence_lock */
	uint32_t *counter;	/* counts under the lock */
};

static inline uint32_t test_divergence_expect(uint64_t n)
{
	uint32_t steps = 0;

	for (; n != 1; steps++)
		n = n & 1 ? 3 * n + 1 : n / 2;
	return steps;
}

#ifdef __riscv
#include <softgpu_kernel.h>

static __attribute__((noinline)) uint64_t test_divergence_up(uint64_t n)
{
	__asm__ volatile("" : "+r"(n));
	return 3 * n + 1;
}

static __attribute__((noinline)) uint64_t test_divergence_down(uint64_t n)
{
	__asm__ volatile("" : "+r"(n));
	return n / 2;
}

void test_divergence(const struct test_divergence_args *args)
{
	uint32_t i = global_idx_x();
	uint32_t steps = 0;

	for (uint64_t n = i + 1; n != 1; steps++)
		n = n & 1 ? test_divergence_up(n) : test_divergence_down(n);
	args->steps[i] = steps;
}

/* One call of lanes that go to different functions: 3n + 1 in odd threads, else n / 2. */
void test_divergence_pointers(const struct test_divergence_args *args)
{
	uint32_t i = global_idx_x();
	uint64_t (*f)(uint64_t) = i & 1 ? test_divergence_up : test_divergence_down;

	__asm__ volatile("" : "+r"(f));
	args->steps[i] = f(i);
}

/* A lane that spins must not starve the lane of its own warp that holds the lock. */
void test_divergence_lock(const struct test_divergence_args *args)
{
	volatile uint32_t *counter = args->counter;

	while (atomic_exchange_u32(args->lock, 1))
		;
	*counter = *counter + 1;
	__asm__ volatile("fence rw, rw" ::: "memory");
	atomic_exchange_u32(args->lock, 0);
}
#endif

#endif
