/* SPDX-License-Identifier: GPL-2.0 */
/* CTAs of an SM become active and inactive.  Callers hold the SM's lock. */
#ifndef SOFTGPU_CTA_SWITCH_H
#define SOFTGPU_CTA_SWITCH_H

#include "sm/sm_state.h"

struct sgpu_cta;

/**
 * sgpu_sm_activate - the warps of a CTA get slots
 * @sm: the SM
 * @cta: inactive, and there are slots enough
 * @start_ps: they can issue from then on
 */
void sgpu_sm_activate(struct sgpu_sm *sm, struct sgpu_cta *cta, u64 start_ps);

/**
 * sgpu_sm_switch - switch CTAs until there is no more to switch; new ones are not dispatched
 * @sm: the SM
 */
void sgpu_sm_switch(struct sgpu_sm *sm);

/**
 * sgpu_sm_check_stalled - may an inactive CTA have the place of one that has stalled?
 * @sm: a pass of it will look, if so
 * @cta: a warp of it has stalled
 */
void sgpu_sm_check_stalled(struct sgpu_sm *sm, struct sgpu_cta *cta);

#endif
