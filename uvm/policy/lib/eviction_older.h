/* SPDX-License-Identifier: GPL-2.0 */
/*
 * For policies that leave some units alone: whoever looks for the first that may go looks only
 * at the older half of the order.  What has just come is at its other end, and is needed by the
 * access that waits for it; were it to go again at once, that would never get through.
 */
#ifndef UVM_EVICTION_OLDER_H
#define UVM_EVICTION_OLDER_H

#include "policy/eviction.h"

/* Units that are looked at, at most. */
#define UVM_EVICTION_LOOKS	64

/**
 * uvm_eviction_older - the first unit of the older half that may go
 * @ctx: the policy in force
 * @keep: is the unit to stay?
 *
 * Return: the unit; the first of all if each is to stay.
 */
u32 uvm_eviction_older(struct uvm_eviction_ctx *ctx,
		       bool (*keep)(struct uvm_eviction_ctx *ctx, u32 unit));

#endif
