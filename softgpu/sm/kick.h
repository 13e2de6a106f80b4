/* SPDX-License-Identifier: GPL-2.0 */
/* An SM, or all, are to run: by the tick on the virtual clock, by their events on the real. */
#ifndef SOFTGPU_KICK_H
#define SOFTGPU_KICK_H

#include <linux/types.h>

struct rm_gpu;
struct sgpu_sm;
struct sgpu_sm_array;

/**
 * sgpu_sms_tick_at - virtual clock: have the SMs run
 * @sms: the SMs
 * @when_ps: the tick comes then at the latest
 */
void sgpu_sms_tick_at(struct sgpu_sm_array *sms, u64 when_ps);

/**
 * sgpu_sms_kick - an SM wants to run
 * @gpu: its GPU
 * @sm: the SM
 * @when_ps: when; on the real clock soon
 *
 * Context: the SM's lock is held.
 */
void sgpu_sms_kick(struct rm_gpu *gpu, struct sgpu_sm *sm, u64 when_ps);

/**
 * sgpu_sms_look - every SM looks soon, and drops the CTAs of stopped launches
 * @gpu: a launch of it was stopped, or what its SMs may do has changed
 *
 * Context: any; the caller may hold locks.
 */
void sgpu_sms_look(struct rm_gpu *gpu);

#endif
