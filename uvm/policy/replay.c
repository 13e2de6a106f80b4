// SPDX-License-Identifier: GPL-2.0
/*
 * Replay policies: nvidia-uvm's four, and one of ours.
 */
#include <kunit/visibility.h>
#include <linux/export.h>
#include "policy/policy.h"

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

/*
 * A replay retries all that waits, not just what waits for the block, and what still
 * misses faults again.  After a block that brought nothing that is all it does.  When
 * much waits for memory the records of one replay are more than what is served until
 * the next: the ring fills up with those of pages that have come since, and batches
 * bring less and less.  Half a ring of them is worth a flush and the wait for copies;
 * a few are not.
 */
const struct uvm_replay_ops uvm_replay_block_flush = {
	.name = "block_flush",
	.what = "after each block that brought something; flush a ring that gets full, and wait",
	.replay_after_block = true,
	.fresh_only = true,
	.replay_after_batch = true,
	.ring_percent = 50,
	.flush = true,
	.wait = true,
};

/**
 * uvm_policy_replays_block - is a replay due after a block?
 * @ops: the policy
 * @fresh: a page of the block was not yet where and as it was wanted
 * @fatal: an access of the batch has to be cancelled, which replays in its own time
 *
 * As in nvidia-uvm it does not matter whether anything was served.
 *
 * Return: true if it is.
 */
bool uvm_policy_replays_block(const struct uvm_replay_ops *ops, bool fresh, bool fatal)
{
	return ops->replay_after_block && (fresh || !ops->fresh_only) && !fatal;
}
EXPORT_SYMBOL_IF_KUNIT(uvm_policy_replays_block);

/**
 * uvm_policy_replays_batch - is a replay due after a batch?
 * @ops: the policy
 * @records: in the fault ring, not fetched yet; looked at only with a ring_percent
 * @entries: of the fault ring
 *
 * Return: true if it is.
 */
bool uvm_policy_replays_batch(const struct uvm_replay_ops *ops, unsigned int records,
			      unsigned int entries)
{
	return ops->replay_after_batch &&
	       (!ops->ring_percent || records * 100 >= entries * ops->ring_percent);
}
EXPORT_SYMBOL_IF_KUNIT(uvm_policy_replays_batch);
