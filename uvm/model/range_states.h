/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The range states of a VA space (policy/range_state.h): which are kept, and those of each range.
 *
 * Pure.  Two locks of the caller: the *outer* one, under which ranges come and go and states are
 * chosen, and which may be held over an allocation; and the *inner* one, a spinlock, under which
 * the bytes are used.  Whoever changes what others look up holds both.
 */
#ifndef UVM_RANGE_STATES_H
#define UVM_RANGE_STATES_H

#include <linux/interval_tree.h>
#include <linux/types.h>
#include "policy/kinds.h"
#include "policy/range_state.h"

/* States that can be kept at a time: each policy of a VA space may name one. */
#define UVM_RANGE_STATES	UVM_POLICY_COUNT

/**
 * struct uvm_range_area - what is kept of one range; embed it
 * @node: node.start and node.last are the range
 * @memory: by state; NULL where the number is not in use
 */
struct uvm_range_area {
	struct interval_tree_node node;
	void *memory[UVM_RANGE_STATES];
};

/**
 * struct uvm_range_states - the range states of a VA space
 * @root: areas by address
 * @kept: states that are kept, by number; NULL: not in use
 * @space: by number: their words for the VA space
 * @params: of the VA space, or NULL
 * @count: how many; may be read without a lock
 * @begun: launches that have begun
 * @ended: launches that have ended
 */
struct uvm_range_states {
	struct rb_root_cached root;
	const struct uvm_range_state *kept[UVM_RANGE_STATES];
	u64 space[UVM_RANGE_STATES];
	const struct uvm_params *params;
	unsigned int count;
	u64 begun;
	u64 ended;
};

/* Outer lock, but for the first, which is for nobody else yet. */
void uvm_range_states_init(struct uvm_range_states *states, const struct uvm_params *params);
int uvm_range_states_number(const struct uvm_range_states *states,
			    const struct uvm_range_state *state);
int uvm_range_states_free_number(const struct uvm_range_states *states);
size_t uvm_range_area_bytes(const struct uvm_range_area *area, const struct uvm_range_state *state);
int uvm_range_area_add(struct uvm_range_area *area, unsigned int number,
		       const struct uvm_range_state *state, gfp_t gfp);
void uvm_range_area_drop(struct uvm_range_area *area, unsigned int number);

/* Outer and inner lock. */
void uvm_range_states_keep(struct uvm_range_states *states, unsigned int number,
			   const struct uvm_range_state *state);
void uvm_range_states_insert(struct uvm_range_states *states, struct uvm_range_area *area);
void uvm_range_states_remove(struct uvm_range_states *states, struct uvm_range_area *area);
void uvm_range_states_split(struct uvm_range_states *states, struct uvm_range_area *area,
			    struct uvm_range_area *right);

/* Inner lock. */
const struct uvm_range_view *uvm_range_states_find(struct uvm_range_states *states,
						   const struct uvm_range_state *state, u64 va,
						   struct uvm_range_view *view);
bool uvm_range_states_read(struct uvm_range_states *states, const struct uvm_range_state *state,
			   u64 va, uvm_range_read_fn read, void *arg);
bool uvm_range_states_pattern(struct uvm_range_states *states, u64 va,
			      struct uvm_range_view *view, enum uvm_pattern *pattern);
unsigned int uvm_range_states_arrive(struct uvm_range_states *states,
				     const struct uvm_range_pages *pages,
				     const struct uvm_range_listener *listener);
unsigned int uvm_range_states_leave(struct uvm_range_states *states,
				    const struct uvm_range_pages *pages);
unsigned int uvm_range_states_touch(struct uvm_range_states *states,
				    const struct uvm_range_touch *touch);

/**
 * uvm_range_states_launch - a launch of the VA space begins or has ended
 * @states: of the VA space
 * @begins: which
 *
 * Context: inner lock held.
 */
static inline void uvm_range_states_launch(struct uvm_range_states *states, bool begins)
{
	*(begins ? &states->begun : &states->ended) += 1;
}

/**
 * uvm_range_states_any - is anything kept?
 * @states: of a VA space
 *
 * Context: any; no lock.
 * Return: true if a policy of the VA space names a range state.
 */
static inline bool uvm_range_states_any(const struct uvm_range_states *states)
{
	return unlikely(READ_ONCE(states->count));
}

#endif
