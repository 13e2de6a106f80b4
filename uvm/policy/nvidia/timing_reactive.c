// SPDX-License-Identifier: GPL-2.0
/* Evict when an allocation finds nothing. */
#include "policy/timing.h"

UVM_POLICY(timing, reactive,
	   "when an allocation finds nothing, ordered on the GPU, as nvidia-uvm does");
