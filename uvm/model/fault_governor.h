/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Prefetch-fault governor: a GPU that prefetches what nobody may access fills the
 * fault buffer with faults that are good for nothing.  When most of a full batch is
 * of that sort the hardware is told not to report prefetch faults, for a while
 * (nvidia-uvm 2.3, step 4).
 *
 * Pure: no device, no locks.
 */
#ifndef UVM_FAULT_GOVERNOR_H
#define UVM_FAULT_GOVERNOR_H

#include <linux/types.h>

/**
 * struct uvm_fault_governor - of one GPU; the holder of the service lock's
 * @disabled: prefetch faults are not reported
 * @since: driver time when that began, ns
 */
struct uvm_fault_governor {
	bool disabled;
	u64 since;
};

void uvm_fault_governor_step(struct uvm_fault_governor *governor, unsigned int invalid,
			     unsigned int batch_max, unsigned int lapse_msec, u64 now);

#endif
