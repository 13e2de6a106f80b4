/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Does a copy of a user get on?
 *
 * It goes on when source and destination are both there.  If one gets the only memory that
 * the other can have, they take it from each other for ever.  That is told from the
 * evictions that others cause, who take it now and then: they must not make it fail.
 */
#ifndef UVM_COPY_PROGRESS_H
#define UVM_COPY_PROGRESS_H

#include <linux/types.h>

/* Faults in a row at one address, each after an eviction by copies of the VA space itself ... */
#define UVM_COPY_AGAIN_OWN	128U
/* ... and of which so many by others count for one: they cannot go on for ever either. */
#define UVM_COPY_AGAIN_OTHERS	64U

/**
 * struct uvm_copy_progress - do the copies of an engine get on?
 * @address: of the latest faults, reading and writing
 * @taken: what was there has been evicted since, to serve a copy of the same VA space
 * @again: faults in a row at the same address whose page had been evicted meanwhile, in
 *	units of 1 / UVM_COPY_AGAIN_OTHERS
 */
struct uvm_copy_progress {
	u64 address[2];
	bool taken[2];
	unsigned int again;
};

/**
 * uvm_copy_progress_fault - there is a fault
 * @progress: of the engine
 * @address: where
 * @write: it was to be written
 * @evicted: the page has been evicted, and not come back since
 *
 * Return: true if the copy is to be given up.
 */
bool uvm_copy_progress_fault(struct uvm_copy_progress *progress, u64 address, bool write,
			     bool evicted);

/**
 * uvm_copy_progress_take - serving a copy of the VA space has evicted something
 * @progress: of an engine
 * @first: its first address
 * @last: its last
 */
void uvm_copy_progress_take(struct uvm_copy_progress *progress, u64 first, u64 last);

#endif
