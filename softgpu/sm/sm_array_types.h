/* SPDX-License-Identifier: GPL-2.0 */
/* The SMs of a GPU; see sm_array.h. */
#ifndef SOFTGPU_SM_ARRAY_TYPES_H
#define SOFTGPU_SM_ARRAY_TYPES_H

#include <linux/list.h>
#include <linux/spinlock.h>
#include <linux/types.h>
#include "clock/clock.h"

struct rm_gpu;
struct sgpu_sm;

/**
 * struct sgpu_sm_array - the SMs of one GPU
 * @gpu: the GPU
 * @count: SMs
 * @sm: the SMs
 * @tick: virtual clock: runs all SMs
 * @tick_when: time @tick is queued for, U64_MAX if it is not
 * @ticking: @tick runs; it queues itself at its end
 * @lock: inner-most; protects the members below and the dispatch state of launches
 * @launches: launches with CTAs still to dispatch or running, oldest first
 * @look: sgpu_sms_look(), for units below (sgpu_extension_changed()); NULL before there are SMs
 * @dispatch_ps: time until which the CTA dispatcher is busy
 */
struct sgpu_sm_array {
	struct rm_gpu *gpu;
	unsigned int count;
	struct sgpu_sm **sm;
	struct sgpu_event tick;
	u64 tick_when;
	bool ticking;
	spinlock_t lock;	/* launches, dispatch_ps, dispatch state */
	struct list_head launches;
	void (*look)(struct rm_gpu *gpu);
	u64 dispatch_ps;
};

#endif
