/* SPDX-License-Identifier: GPL-2.0 */
/* The SMs of a GPU; see sm_array.h. */
#ifndef SOFTGPU_SM_ARRAY_TYPES_H
#define SOFTGPU_SM_ARRAY_TYPES_H

#include <linux/types.h>
#include "clock/clock.h"

struct sgpu_sm;

/**
 * struct sgpu_sm_array - the SMs of one GPU
 * @count: SMs
 * @sm: the SMs
 * @tick: virtual clock: runs all SMs
 * @tick_when: time @tick is queued for, U64_MAX if it is not
 * @ticking: @tick runs; it queues itself at its end
 */
struct sgpu_sm_array {
	unsigned int count;
	struct sgpu_sm **sm;
	struct sgpu_event tick;
	u64 tick_when;
	bool ticking;
};

#endif
