/* SPDX-License-Identifier: GPL-2.0 */
/* The CTA dispatcher: CTAs go to SMs, in the order of launches and of their CTAs. */
#ifndef SOFTGPU_DISPATCH_H
#define SOFTGPU_DISPATCH_H

#include "sm/dispatch_types.h"
#include "sm/sm_state.h"

void sgpu_dispatcher_init(struct rm_gpu *gpu);
/* A launch has CTAs to dispatch from @now_ps on.  Sleeps; no SM lock held. */
void sgpu_dispatch(struct rm_gpu *gpu, u64 now_ps);
/*
 * Take the next CTA that fits, if there is one; @inactive: also one that has to wait
 * on the SM.  Caller holds the lock.
 */
bool sgpu_sm_take_cta(struct sgpu_sm *sm, bool inactive);

#endif
