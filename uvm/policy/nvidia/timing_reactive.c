// SPDX-License-Identifier: GPL-2.0
/*
 * Evict when an allocation finds nothing.
 *
 * Standing: nvidia-uvm: the rules of the real driver, which Documentation/nvidia-uvm.rst lists.
 */
#include "policy/timing.h"

UVM_POLICY(timing, reactive,
	   "when an allocation finds nothing, ordered on the GPU, as nvidia-uvm does");
