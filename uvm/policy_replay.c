// SPDX-License-Identifier: GPL-2.0
/*
 * Replay policies, as of nvidia-uvm.
 */
#include "policy.h"

const struct uvm_replay_ops uvm_replay_block = {
	.name = "block",
	.what = "replay after each block",
	.replay_after_block = true,
};

const struct uvm_replay_ops uvm_replay_batch = {
	.name = "batch",
	.what = "replay after each batch",
	.replay_after_batch = true,
};

const struct uvm_replay_ops uvm_replay_batch_flush = {
	.name = "batch_flush",
	.what = "after each batch flush the fault ring, replay and wait",
	.replay_after_batch = true,
	.flush = true,
	.wait = true,
};

const struct uvm_replay_ops uvm_replay_once = {
	.name = "once",
	.what = "replay once, when the fault ring is empty",
};
