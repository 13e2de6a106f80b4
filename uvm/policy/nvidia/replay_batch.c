// SPDX-License-Identifier: GPL-2.0
/*
 * Replay batch by batch.
 *
 * Standing: nvidia-uvm: the rules of the real driver, which Documentation/nvidia-uvm.rst lists.
 */
#include "policy/replay.h"

UVM_POLICY(replay, batch, "replay after each batch",
	   .replay_after_batch = true);
