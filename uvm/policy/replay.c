// SPDX-License-Identifier: GPL-2.0
/* What a replay policy says of a block, and of a batch. */
#include <kunit/visibility.h>
#include <linux/export.h>
#include "policy/replay.h"

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
