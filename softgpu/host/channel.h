/* SPDX-License-Identifier: GPL-2.0 */
/* Channels run: GPFIFO, fetch, and what methods make them do; see host.h. */
#ifndef SOFTGPU_CHANNEL_H
#define SOFTGPU_CHANNEL_H

#include "clock/clock.h"

/* The function of rm_channel.event. */
void sgpu_channel_due(struct sgpu_event *ev);

#endif
