/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Coverage of kthreads (configs/fuzz.config): a fuzzer learns by KCOV what its own
 * thread executes, and what bottom halves and reapers do while it is
 * inside by the common handle of its process.  Without CONFIG_KCOV all of this is
 * nothing.
 */
#ifndef SOFTGPU_CLOCK_KCOV_H
#define SOFTGPU_CLOCK_KCOV_H

#include <linux/kcov.h>

#ifdef CONFIG_KCOV

extern u64 sim_kcov_handle;	/* of the last to enter that had one; read unlocked */

/**
 * sim_kcov_enter - a user thread enters: kthreads run on its behalf from now on
 */
static inline void sim_kcov_enter(void)
{
	u64 handle = kcov_common_handle();

	if (handle)
		WRITE_ONCE(sim_kcov_handle, handle);
}

/**
 * sim_kcov_begin - a kthread begins what it was kicked for
 *
 * Context: no lock held; may allocate.
 */
static inline void sim_kcov_begin(void)
{
	u64 handle = READ_ONCE(sim_kcov_handle);

	if (handle)
		kcov_remote_start_common(handle);
}

/**
 * sim_kcov_end - a kthread has done what it was kicked for; nothing if it did not begin
 */
static inline void sim_kcov_end(void)
{
	kcov_remote_stop();
}

#else

static inline void sim_kcov_enter(void) {}
static inline void sim_kcov_begin(void) {}
static inline void sim_kcov_end(void) {}

#endif

#endif
