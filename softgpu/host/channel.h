/* SPDX-License-Identifier: GPL-2.0 */
/* Channels run: GPFIFO, fetch, and what methods make them do; see host.h. */
#ifndef SOFTGPU_CHANNEL_H
#define SOFTGPU_CHANNEL_H

#include "clock/clock.h"

struct rm_channel;

/**
 * sgpu_channel_due - the function of rm_channel.event: a channel runs until it has to wait
 * @ev: the event
 *
 * Context: event.
 */
void sgpu_channel_due(struct sgpu_event *ev);

/**
 * sgpu_channel_rings - the driver hands over GPFIFO entries: note what it knows now
 * @channel: the channel
 * @put: they end before this one; nothing is noted if that is outside the ring
 *
 * A replay in them is about no fault that the driver takes later (mmu_replay.h).
 * Context: sgpu_host.lock is held.
 */
void sgpu_channel_rings(struct rm_channel *channel, u32 put);

#endif
