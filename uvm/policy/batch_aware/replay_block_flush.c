// SPDX-License-Identifier: GPL-2.0
/*
 * A replay retries all that waits, not just what waits for the block, and what still
 * misses faults again.  After a block that brought nothing that is all it does.  When
 * much waits for memory the records of one replay are more than what is served until
 * the next: the ring fills up with those of pages that have come since, and batches
 * bring less and less.  Half a ring of them is worth a flush and the wait for copies;
 * a few are not.
 *
 * Standing: ours.
 */
#include "policy/replay.h"

UVM_POLICY(replay, block_flush,
	   "after each block that brought something; flush a ring that gets full, and wait",
	   .replay_after_block = true,
	   .fresh_only = true,
	   .replay_after_batch = true,
	   .ring_percent = 50,
	   .flush = true,
	   .wait = true);
