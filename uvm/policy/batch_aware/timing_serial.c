// SPDX-License-Identifier: GPL-2.0
/*
 * Batch-aware, section 3 and Fig. 4: what it takes nvidia-uvm for.
 *
 * Standing: published ("Batch-Aware Unified Memory Management", ASPLOS 2020, section 3, its
 * baseline).  How far it is from the paper's figures: Documentation/batch-aware.rst, *Measured*.
 *
 * Deviates: what waits here is what that text tells; nvidia-uvm itself has the GPU keep the order
 * (reactive).
 */
#include "policy/timing.h"

UVM_POLICY(timing, serial, "reactive, one transfer at a time: the baseline of batch-aware",
	   .serial = true);
