// SPDX-License-Identifier: GPL-2.0
/*
 * Prefetch-fault governor.
 */
#include <kunit/visibility.h>
#include <linux/export.h>
#include <linux/time64.h>
#include "model/fault_governor.h"

/**
 * uvm_fault_governor_step - after a batch: are prefetch faults reported from now on?
 * @governor: the state; changed
 * @invalid: prefetches of the batch that are not allowed
 * @batch_max: most faults that a batch may have, not what this one had
 * @lapse_msec: how long they stay off, ms; 0: they are never switched off
 * @now: driver time, ns
 *
 * Off when more than two thirds of the largest batch are invalid; on again by the
 * first batch after the lapse.
 */
void uvm_fault_governor_step(struct uvm_fault_governor *governor, unsigned int invalid,
			     unsigned int batch_max, unsigned int lapse_msec, u64 now)
{
	if (governor->disabled) {
		governor->disabled = now - governor->since <= (u64)lapse_msec * NSEC_PER_MSEC;
		return;
	}
	if (!lapse_msec || (u64)invalid * 3 <= (u64)batch_max * 2)
		return;
	governor->disabled = true;
	governor->since = now;
}
EXPORT_SYMBOL_IF_KUNIT(uvm_fault_governor_step);
