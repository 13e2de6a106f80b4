// SPDX-License-Identifier: GPL-2.0
/*
 * Ours; what it does is in pilot_choice.h.  Hardware is asked for the last access of a unit.
 *
 * Standing: ours.
 */
#include "policy/pilot/pilot_choice.h"

UVM_POLICY(eviction, pilot, "what is used last of all, by the rhythm of its allocation (ours)",
	   .policy.feeds = UVM_FEED_ACCESSED,
	   UVM_PILOT_OPS);
