/* SPDX-License-Identifier: GPL-2.0 */
/* CTAs go to SMs. */
#ifndef SOFTGPU_DISPATCH_H
#define SOFTGPU_DISPATCH_H

#include "sm/sm_state.h"

/*
 * Take the next CTA that fits, if there is one; @inactive: also one that has to wait
 * on the SM.  Caller holds the lock.
 */
bool sgpu_sm_take_cta(struct sgpu_sm *sm, bool inactive);

#endif
