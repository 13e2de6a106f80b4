// SPDX-License-Identifier: GPL-2.0
/*
 * test_barrier_even: blocks pass values around through shared memory.
 * test_barrier_exits: some threads are gone, or go while the others wait.
 * test_barrier_uneven: halves of a warp at two barriers, which is an error.
 */
#ifndef KERNEL_TEST_BARRIER_C
#define KERNEL_TEST_BARRIER_C

#include <stdint.h>

struct test_barrier_args {
	uint32_t *out;		/* one word per thread */
	uint32_t rounds;
	uint32_t leaves;	/* of a barrier that some pass by: enum test_barrier_leaves */
	uint32_t late;		/* they go when the others wait already */
};

enum test_barrier_leaves {
	TEST_BARRIER_ODD,	/* of each warp every other lane */
	TEST_BARRIER_FIRST,	/* the first warp */
	TEST_BARRIER_LAST,	/* all warps but the first */
	TEST_BARRIER_MOST,	/* all but the last thread */
	TEST_BARRIER_LEAVES
};

static inline int test_barrier_leaves(uint32_t leaves, uint32_t thread, uint32_t threads)
{
	switch (leaves) {
	case TEST_BARRIER_ODD:
		return thread & 1;
	case TEST_BARRIER_FIRST:
		return thread < 32;
	case TEST_BARRIER_LAST:
		return thread >= 32;
	}
	return thread != threads - 1;
}

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

SGPU_SHARED volatile uint32_t stay, met;

/* Those that stay meet again and again; each adds up how many had come. */
void test_barrier_exits(const struct test_barrier_args *args)
{
	uint32_t thread = thread_idx_x(), threads = block_dim_x(), sum = 0;

	if (test_barrier_leaves(args->leaves, thread, threads)) {
		while (args->late && !stay)
			;
		for (uint32_t i = 0; args->late && i < 2000; i++)
			__asm__ volatile("nop");
		return;
	}
	for (uint32_t round = 0; round < args->rounds; round++) {
		atomic_add_u32(&met, 1);
		stay = 1;
		barrier();
		sum += met;
		barrier();
	}
	args->out[block_idx_x() * threads + thread] = sum;
}

void test_barrier_uneven(const struct test_barrier_args *args)
{
	register uint64_t a7 __asm__("a7") = SGPU_ECALL_BARRIER;

	(void)args;
	if (thread_idx_x() % 32 < 16)
		barrier();
	else
		/* other text, so that the two are not made one */
		__asm__ volatile("ecall\n\tnop" : : "r"(a7) : "memory");
}
#endif

#endif
