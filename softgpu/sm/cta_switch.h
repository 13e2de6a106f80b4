/* SPDX-License-Identifier: GPL-2.0 */
/* CTAs of an SM become active and inactive.  Callers hold the SM's lock. */
#ifndef SOFTGPU_CTA_SWITCH_H
#define SOFTGPU_CTA_SWITCH_H

#include "sm/sm_state.h"

struct sgpu_cta;

/* The warps of a CTA get slots and can issue from @start_ps. */
void sgpu_sm_activate(struct sgpu_sm *sm, struct sgpu_cta *cta, u64 start_ps);
/* Switch CTAs until there is no more to switch; new ones are not dispatched. */
void sgpu_sm_switch(struct sgpu_sm *sm);
/* A warp of an active CTA has stalled: may an inactive one have its place? */
void sgpu_sm_check_stalled(struct sgpu_sm *sm, struct sgpu_cta *cta);

#endif
