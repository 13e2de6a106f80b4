/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Non-replayable faults: copy engines stop at an address without translation.
 *
 * A channel has at most one such fault, and does no more copies until it is
 * cleared, so RM keeps it in the channel itself: the shadow queue that drivers
 * read (rm_nonreplayable_get()) is a list of channels and never overflows.  The
 * interrupt is that of the fault buffer, its pending bit is set while the queue
 * is not empty.
 */
#ifndef SOFTGPU_NON_REPLAYABLE_H
#define SOFTGPU_NON_REPLAYABLE_H

#include <linux/types.h>
#include <linux/list.h>
#include <linux/spinlock.h>
#include "host/non_replayable_types.h"

struct rm_gpu;
struct rm_channel;

/**
 * sgpu_non_replayable_init - no channel has faulted
 * @gpu: the GPU
 */
void sgpu_non_replayable_init(struct rm_gpu *gpu);

/**
 * sgpu_non_replayable_report - queue the fault of a channel and raise the interrupt
 * @gpu: the GPU
 * @channel: its fault is set
 *
 * Context: any; takes the lock of the queue and that of the fault buffer.
 */
void sgpu_non_replayable_report(struct rm_gpu *gpu, struct rm_channel *channel);

/**
 * sgpu_non_replayable_forget - nobody need hear of a channel's fault
 * @gpu: the GPU
 * @channel: it goes, or is dead
 *
 * Context: any.
 */
void sgpu_non_replayable_forget(struct rm_gpu *gpu, struct rm_channel *channel);

#endif
