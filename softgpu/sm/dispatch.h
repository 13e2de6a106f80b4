/* SPDX-License-Identifier: GPL-2.0 */
/* The CTA dispatcher: CTAs go to SMs, in the order of launches and of their CTAs. */
#ifndef SOFTGPU_DISPATCH_H
#define SOFTGPU_DISPATCH_H

#include "sm/dispatch_types.h"
#include "sm/sm_state.h"

/**
 * sgpu_dispatcher_init - no launch has CTAs to dispatch
 * @gpu: the GPU
 */
void sgpu_dispatcher_init(struct rm_gpu *gpu);

/**
 * sgpu_dispatch - a launch has CTAs to dispatch
 * @gpu: the GPU
 * @now_ps: from now on
 *
 * Context: event, no SM lock held; may sleep.
 */
void sgpu_dispatch(struct rm_gpu *gpu, u64 now_ps);

/**
 * sgpu_sm_take_cta - take the next CTA that fits
 * @sm: the SM
 * @inactive: also one that has to wait on the SM
 *
 * Context: the SM's lock is held.
 * Return: true; false: there is none.
 */
bool sgpu_sm_take_cta(struct sgpu_sm *sm, bool inactive);

#endif
