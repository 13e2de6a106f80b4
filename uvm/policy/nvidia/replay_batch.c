// SPDX-License-Identifier: GPL-2.0
/* Replay batch by batch. */
#include "policy/replay.h"

UVM_POLICY(replay, batch, "replay after each batch",
	   .replay_after_batch = true);
