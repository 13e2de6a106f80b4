/* SPDX-License-Identifier: GPL-2.0 */
/* Channels run: GPFIFO, fetch, and what methods make them do; see host.h. */
#ifndef SOFTGPU_CHANNEL_H
#define SOFTGPU_CHANNEL_H

#include "clock/clock.h"

/**
 * sgpu_channel_due - the function of rm_channel.event: a channel runs until it has to wait
 * @ev: the event
 *
 * Context: event.
 */
void sgpu_channel_due(struct sgpu_event *ev);

#endif
