/* SPDX-License-Identifier: GPL-2.0 */
/* Replay: when waiting accesses are retried. */
#ifndef UVM_REPLAY_POLICY_H
#define UVM_REPLAY_POLICY_H

#include <linux/types.h>
#include "policy/declare.h"

/**
 * struct uvm_replay_ops - when waiting accesses are retried
 * @policy: its name, for all kinds the same
 * @replay_after_block: replay after each serviced block
 * @fresh_only: but not after one whose pages had all been there already
 * @replay_after_batch: replay after each serviced batch
 * @ring_percent: but only if the fault ring is at least that full; 0...99, 0: always
 * @flush: empty the fault ring before that replay
 * @wait: wait until that replay is done
 *
 * What is left unreplayed when the bottom half has emptied the ring, or reached
 * a limit, is replayed then: with none of these set, that is the only replay.
 */
struct uvm_replay_ops {
	struct uvm_policy policy;
	bool replay_after_block;
	bool fresh_only;
	bool replay_after_batch;
	u8 ring_percent;
	bool flush;
	bool wait;
};

bool uvm_policy_replays_block(const struct uvm_replay_ops *ops, bool fresh, bool fatal);
bool uvm_policy_replays_batch(const struct uvm_replay_ops *ops, unsigned int records,
			      unsigned int entries);

#endif
