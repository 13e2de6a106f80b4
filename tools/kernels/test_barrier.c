// SPDX-License-Identifier: GPL-2.0
/*
 * test_barrier_even: blocks pass values around through shared memory.
 * test_barrier_uneven: half of a warp never comes, which is an error.
 */
#ifndef KERNEL_TEST_BARRIER_C
#define KERNEL_TEST_BARRIER_C

#include <stdint.h>

struct test_barrier_args {
	uint32_t *out;		/* one word per thread */
	uint32_t rounds;
};

#ifdef __riscv
#include <softgpu_kernel.h>

/* Wants 4 shared bytes per thread. */
void test_barrier_even(const struct test_barrier_args *args)
{
	uint32_t thread = thread_idx_x(), threads = block_dim_x();
	volatile uint32_t *ring = shared_base();
	uint32_t value;

	ring[thread] = thread;
	for (uint32_t round = 0; round < args->rounds; round++) {
		barrier();
		value = ring[(thread + 1) % threads];
		barrier();
		ring[thread] = value;
	}
	args->out[block_idx_x() * threads + thread] = ring[thread];
}

void test_barrier_uneven(const struct test_barrier_args *args)
{
	(void)args;
	if (thread_idx_x() % 32 < 16)
		barrier();
	else
		__asm__ volatile("nop");
}
#endif

#endif
