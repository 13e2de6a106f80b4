// SPDX-License-Identifier: GPL-2.0
/*
 * Replay block by block.
 *
 * Standing: nvidia-uvm: the rules of the real driver, which Documentation/nvidia-uvm.rst lists.
 */
#include "policy/replay.h"

UVM_POLICY(replay, block, "replay after each block",
	   .replay_after_block = true);
