/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Does a copy of a user get on?
 *
 * It goes on when source and destination are both there.  If one gets the only memory that
 * the other can have, they take it from each other for ever.  Two copies can do that to each
 * other, too.  Evictions that others cause are told from that: others take memory now and
 * then, and must not make a copy fail.  Whoever moves bytes gets on.
 */
#ifndef UVM_COPY_PROGRESS_H
#define UVM_COPY_PROGRESS_H

#include <linux/types.h>

/* Faults in a row, no byte moved, each after an eviction by copies of the VA space itself ... */
#define UVM_COPY_AGAIN_OWN	128U
/* ... and of which so many by others count for one: they cannot go on for ever either. */
#define UVM_COPY_AGAIN_OTHERS	64U

/**
 * struct uvm_copy_progress - do the copies of an engine get on?
 * @moved: what the channel had moved at the latest fault
 * @address: of the latest faults, reading and writing
 * @taken: what was there has been evicted since, to serve a copy of the same VA space
 * @again: faults since then whose page had been evicted, in units of
 *	1 / UVM_COPY_AGAIN_OTHERS
 */
struct uvm_copy_progress {
	u64 moved;
	u64 address[2];
	bool taken[2];
	unsigned int again;
};

/**
 * uvm_copy_progress_fault - there is a fault
 * @progress: of the engine
 * @address: where
 * @write: it was to be written
 * @evicted: the page has been evicted, and not come back since.  Another copy of it may
 *	have brought it back: then only uvm_copy_progress_take() tells.
 * @moved: from rm_context_copies_moved()
 *
 * Return: true if the copy is to be given up.
 */
bool uvm_copy_progress_fault(struct uvm_copy_progress *progress, u64 address, bool write,
			     bool evicted, u64 moved);

/**
 * uvm_copy_progress_take - serving a copy of the VA space has evicted something
 * @progress: of an engine
 * @first: its first address
 * @last: its last
 */
void uvm_copy_progress_take(struct uvm_copy_progress *progress, u64 first, u64 last);

#endif
