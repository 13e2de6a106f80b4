/* SPDX-License-Identifier: GPL-2.0 */
/* Semaphores, for channels and copy engines. */
#ifndef SOFTGPU_SEMAPHORE_H
#define SOFTGPU_SEMAPHORE_H

#include <linux/types.h>

struct rm_channel;
struct rm_gpu;

/*
 * 0 or -EFAULT; a release wakes blocked channels and waiters.  @channel: whose
 * method or copy it is.
 */
int sgpu_semaphore_release(struct rm_channel *channel, u64 addr, u64 payload, bool wide,
			   bool timestamp);
/* One more, or 0 from @limit on, as one operation for whoever else increments it; likewise. */
int sgpu_semaphore_increment(struct rm_channel *channel, u64 addr, u32 limit);
int sgpu_semaphore_test(struct rm_channel *channel, bool *satisfied);
void sgpu_host_reevaluate(struct rm_gpu *gpu);

#endif
