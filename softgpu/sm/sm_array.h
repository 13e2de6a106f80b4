/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The SMs of one GPU, and who makes them run.
 *
 * Virtual clock: one event for the whole GPU, the tick, runs every SM that has
 * something to do for one quantum, in SM order, and queues itself again for the
 * time when the next warp can issue.  Real clock: one event per SM.
 */
#ifndef SOFTGPU_SM_ARRAY_H
#define SOFTGPU_SM_ARRAY_H

#include <linux/types.h>
#include "clock/clock.h"
#include "sm/sm_array_types.h"

struct rm_gpu;

/**
 * sgpu_sm_array_init - create the SMs
 * @gpu: the GPU; its profile is final, its MMU need not be up yet
 *
 * Return: 0, -ENOMEM, or -EINVAL if the profile asks for more than 64 warps
 * per SM or 64 memory operations per warp.
 */
int sgpu_sm_array_init(struct rm_gpu *gpu);

/**
 * sgpu_sm_array_exit - the reverse of sgpu_sm_array_init(); harmless if that failed
 * @gpu: no launch is left
 *
 * Context: may sleep.
 */
void sgpu_sm_array_exit(struct rm_gpu *gpu);

/**
 * sgpu_sms_busy - is there a warp that does not wait for memory?
 * @gpu: the GPU
 *
 * Context: any; needs no lock, so that it can be the condition of a wait.
 * Return: true if so.
 */
bool sgpu_sms_busy(struct rm_gpu *gpu);

/**
 * sgpu_sms_instructions - how many warp instructions have issued
 * @gpu: the GPU
 *
 * Context: any.
 * Return: since load.
 */
u64 sgpu_sms_instructions(struct rm_gpu *gpu);

/**
 * struct sgpu_sms_switches - switches of CTAs since load, all SMs
 * @out: active CTAs that became inactive
 * @in: inactive CTAs that became active
 * @ns: what saving and restoring them took
 */
struct sgpu_sms_switches {
	u64 out;
	u64 in;
	u64 ns;
};

/**
 * sgpu_sms_read_switches - how often CTAs were switched
 * @gpu: the GPU
 * @sum: filled
 *
 * Context: any; without a lock, so not of one moment.
 */
void sgpu_sms_read_switches(struct rm_gpu *gpu, struct sgpu_sms_switches *sum);

#endif
