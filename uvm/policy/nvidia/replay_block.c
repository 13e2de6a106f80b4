// SPDX-License-Identifier: GPL-2.0
/* Replay block by block. */
#include "policy/replay.h"

UVM_POLICY(replay, block, "replay after each block",
	   .replay_after_block = true);
