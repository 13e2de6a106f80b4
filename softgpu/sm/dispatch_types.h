/* SPDX-License-Identifier: GPL-2.0 */
/* The CTA dispatcher of a GPU; see dispatch.h. */
#ifndef SOFTGPU_DISPATCH_TYPES_H
#define SOFTGPU_DISPATCH_TYPES_H

#include <linux/list.h>
#include <linux/spinlock.h>
#include <linux/types.h>

/**
 * struct sgpu_dispatcher - what gives the CTAs of launches to the SMs of one GPU
 * @lock: inner-most; protects the members below, the dispatch state of launches and the
 *	free CTAs of pools
 * @launches: launches with CTAs still to dispatch or running, oldest first
 * @busy_ps: time until which it is busy with the last CTA
 */
struct sgpu_dispatcher {
	spinlock_t lock;	/* see above */
	struct list_head launches;
	u64 busy_ps;
};

#endif
