/* SPDX-License-Identifier: GPL-2.0 */
/* An SM, or all, are to run: by the tick on the virtual clock, by their events on the real. */
#ifndef SOFTGPU_KICK_H
#define SOFTGPU_KICK_H

#include <linux/types.h>

struct rm_gpu;
struct sgpu_sm;
struct sgpu_sm_array;

/* Virtual clock: the tick comes at @when_ps at the latest. */
void sgpu_sms_tick_at(struct sgpu_sm_array *sms, u64 when_ps);
/* @sm wants to run at @when_ps; caller holds its lock. */
void sgpu_sms_kick(struct rm_gpu *gpu, struct sgpu_sm *sm, u64 when_ps);
/*
 * A launch was stopped, or what SMs may do has changed: every SM looks soon, and drops
 * the CTAs of stopped launches.  Caller may hold locks.
 */
void sgpu_sms_look(struct rm_gpu *gpu);

#endif
