/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What policies keep of each managed range, which is what a user allocates.
 *
 * A range state says how many bytes that is and has functions for what happens to pages of the
 * range.  Policies of any kind name it (struct uvm_policy.range_state).  It is kept in a VA space
 * while a policy that it has chosen names it, and policies that name the same one share it: so
 * the members of a bundle have one picture of an allocation, and each can be chosen alone.
 *
 * Only the functions here write, and others of the state's own file that an eviction policy has
 * called with uvm_eviction_range(); policies read what they are given, or ask by address.  All of
 * a VA space is under one lock, and like all hooks these neither sleep nor allocate.  The bytes
 * begin as zeros, also when the range is there before the policy.  A range that is cut in two
 * (munmap of a part, advice for a part) has copies in both halves.
 */
#ifndef UVM_RANGE_STATE_H
#define UVM_RANGE_STATE_H

#include <linux/types.h>
#include <linux/uvm.h>
#include "base/types.h"

struct uvm_page_mask;
struct uvm_params;

/**
 * struct uvm_range_view - a managed range, and what is kept of it
 * @start: first byte
 * @end: last byte
 * @begun: launches that have begun in its VA space
 * @ended: of these, those that have ended
 * @params: the parameters of its VA space; NULL: their defaults
 * @space: a word for the VA space, 0 when the state begins to be kept
 * @state: the state's bytes
 * @blocks: its bytes for each 2 MB, or piece of it, that the range has
 * @block_bytes: how many for each
 *
 * "In its VA space" counts launches of all its GPUs.
 */
struct uvm_range_view {
	u64 start;
	u64 end;
	u64 begun;
	u64 ended;
	const struct uvm_params *params;
	u64 *space;
	void *state;
	void *blocks;
	u32 block_bytes;
};

/**
 * struct uvm_range_pages - pages of one 2 MB that came to a processor's memory, or left it
 * @va: address of the 2 MB
 * @id: the processor, see uvm_id_is_gpu()
 * @evicted: they leave because somebody else needs the memory
 * @pages: which; all of one range
 * @demanded: of these, those that a fault asked for; NULL when they leave
 * @returned: of these, those that had been evicted from there; likewise
 */
struct uvm_range_pages {
	u64 va;
	unsigned int id;
	bool evicted;
	const struct uvm_page_mask *pages;
	const struct uvm_page_mask *demanded;
	const struct uvm_page_mask *returned;
};

/**
 * struct uvm_range_touch - hardware says that memory of a range was accessed
 * @va: address of the 64 KB
 * @all: 128-byte lines of them that were, anywhere: what a recorder says
 * @remote: of them over the link: what an access counter says.  Both may say the same accesses
 */
struct uvm_range_touch {
	u64 va;
	u32 all;
	u32 remote;
};

/**
 * struct uvm_range_state - what is kept of a managed range
 * @name: for people
 * @bytes: for each range
 * @block_bytes: for each 2 MB of it
 * @arrive: pages came to a GPU; each call is charged cost_policy
 * @leave: pages left a GPU; likewise
 * @touch: memory was accessed, of the feeds UVM_FEED_COUNTERS and UVM_FEED_ACCESSES that a policy
 *	has asked for; likewise.  A counter of 2 MB says it of each
 *	64 KB that it knows of, a larger one of those that made it tell, once
 * @pattern: in what order its data come, for users; @arrive changes it, and so do parameters
 *
 * Each function may be NULL.  @arrive is called when the pages are there, @leave when their
 * bytes are at another processor.  Nobody is told of pages that go without moving: unmapped or
 * discarded ones, and copies for reading that are given up.
 */
struct uvm_range_state {
	const char *name;
	u32 bytes;
	u32 block_bytes;
	void (*arrive)(const struct uvm_range_view *range, const struct uvm_range_pages *pages);
	void (*leave)(const struct uvm_range_view *range, const struct uvm_range_pages *pages);
	void (*touch)(const struct uvm_range_view *range, const struct uvm_range_touch *touch);
	enum uvm_pattern (*pattern)(const struct uvm_range_view *range);
};

/**
 * struct uvm_range_listener - who hears that the pattern of a range is another than before
 * @heard: called with both locks of the range states as they are; neither sleeps nor asks them
 * @arg: its first argument
 */
struct uvm_range_listener {
	void (*heard)(void *arg, const struct uvm_range_view *range, enum uvm_pattern pattern);
	void *arg;
};

/* Gets what is kept of a range: reads, and puts the answer where @arg says. */
typedef void (*uvm_range_read_fn)(const struct uvm_range_view *range, void *arg);

/**
 * uvm_range_block - a state's bytes for 2 MB of a range
 * @range: the range, and what is kept of it
 * @va: an address of the range; not one of the same 2 MB below @range->start
 *
 * Context: while @range is valid.
 * Return: @range->block_bytes bytes.
 */
static inline void *uvm_range_block(const struct uvm_range_view *range, u64 va)
{
	return range->blocks + ((va >> UVM_BLOCK_SHIFT) - (range->start >> UVM_BLOCK_SHIFT)) *
			       range->block_bytes;
}

#endif
