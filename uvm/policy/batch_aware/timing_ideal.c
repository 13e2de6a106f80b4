// SPDX-License-Identifier: GPL-2.0
/*
 * A reference: copies out take no time.
 *
 * Standing: reference: no machine does this.
 */
#include "policy/timing.h"

UVM_POLICY(timing, ideal,
	   "reactive, copies out take no time: a reference, needs REG_CAP_FREE_EVICTION",
	   .free = true);
