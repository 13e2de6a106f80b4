// SPDX-License-Identifier: GPL-2.0
/*
 * nvidia-uvm's default: flush, replay and wait.
 *
 * Standing: nvidia-uvm: the rules of the real driver, which Documentation/nvidia-uvm.rst lists.
 */
#include "policy/replay.h"

UVM_POLICY(replay, batch_flush, "after each batch flush the fault ring, replay and wait",
	   .replay_after_batch = true,
	   .flush = true,
	   .wait = true);
