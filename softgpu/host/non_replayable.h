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

void sgpu_non_replayable_init(struct rm_gpu *gpu);
/* The channel's fault is set: queue it and raise the interrupt. */
void sgpu_non_replayable_report(struct rm_gpu *gpu, struct rm_channel *channel);
/* The channel goes, or is dead: nobody need hear of its fault. */
void sgpu_non_replayable_forget(struct rm_gpu *gpu, struct rm_channel *channel);

#endif
