// SPDX-License-Identifier: GPL-2.0
/*
 * test_mixed: one instruction whose lanes go to different memories: the thread's own stack,
 * the block's shared memory and managed memory, a third of the lanes each.
 */
#ifndef KERNEL_TEST_MIXED_C
#define KERNEL_TEST_MIXED_C

#include <stdint.h>

struct test_mixed_args {
	uint32_t *words;	/* one per thread; becomes thread + 1 where thread % 3 is 2 */
	uint32_t *out;		/* one per thread: thread + 1, from wherever it was */
};

#ifdef __riscv
#include <softgpu_kernel.h>

/* One block.  Wants 4 shared bytes per thread. */
void test_mixed(const struct test_mixed_args *args)
{
	uint32_t thread = thread_idx_x(), own = 0;
	uint32_t *shared = shared_base();
	volatile uint32_t *at = &own;

	/* chosen without a branch, or the lanes would not go there together */
	at = thread % 3 == 1 ? &shared[thread] : at;
	at = thread % 3 == 2 ? &args->words[thread] : at;
	*at = thread;
	*at = *at + 1;
	args->out[thread] = *at;
}
#endif

#endif
