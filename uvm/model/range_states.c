// SPDX-License-Identifier: GPL-2.0
/* The range states of a VA space; see range_states.h. */
#include <kunit/visibility.h>
#include <linux/export.h>
#include <linux/kernel.h>
#include <linux/slab.h>
#include <linux/string.h>
#include "base/page_mask.h"
#include "model/range_states.h"

/* ---- which are kept ------------------------------------------------------- */

/**
 * uvm_range_states_init - nothing is kept, there is no range
 * @states: written
 * @params: what states may look at, or NULL
 */
void uvm_range_states_init(struct uvm_range_states *states, const struct uvm_params *params)
{
	*states = (struct uvm_range_states){ .root = RB_ROOT_CACHED, .params = params };
}
EXPORT_SYMBOL_IF_KUNIT(uvm_range_states_init);

/**
 * uvm_range_states_number - under which number is a state kept?
 * @states: the VA space's; outer or inner lock held
 * @state: the state
 *
 * Return: its number, -ENOENT if it is not.
 */
int uvm_range_states_number(const struct uvm_range_states *states,
			    const struct uvm_range_state *state)
{
	for (int i = 0; i < UVM_RANGE_STATES; i++)
		if (state && states->kept[i] == state)
			return i;
	return -ENOENT;
}
EXPORT_SYMBOL_IF_KUNIT(uvm_range_states_number);

/**
 * uvm_range_states_free_number - a number that is not in use
 * @states: the VA space's; outer lock held
 *
 * Return: the number, -ENOSPC if all are.
 */
int uvm_range_states_free_number(const struct uvm_range_states *states)
{
	for (int i = 0; i < UVM_RANGE_STATES; i++)
		if (!states->kept[i])
			return i;
	return -ENOSPC;
}
EXPORT_SYMBOL_IF_KUNIT(uvm_range_states_free_number);

/**
 * uvm_range_states_keep - from now on a number has a state
 * @states: the VA space's; both locks held
 * @number: which; every area has memory for it, or will not be looked at
 * @state: NULL: the number is free
 */
void uvm_range_states_keep(struct uvm_range_states *states, unsigned int number,
			   const struct uvm_range_state *state)
{
	WRITE_ONCE(states->count, states->count - !!states->kept[number] + !!state);
	states->kept[number] = state;
	states->space[number] = 0;
}
EXPORT_SYMBOL_IF_KUNIT(uvm_range_states_keep);

/* ---- areas ---------------------------------------------------------------- */

/* Blocks begin where a policy may have a long. */
static size_t range_state_bytes(const struct uvm_range_state *state)
{
	return ALIGN(state->bytes, sizeof(u64));
}

static u64 range_area_blocks(const struct uvm_range_area *area)
{
	return (area->node.last >> UVM_BLOCK_SHIFT) - (area->node.start >> UVM_BLOCK_SHIFT) + 1;
}

/**
 * uvm_range_area_bytes - what a state takes for a range
 * @area: the range
 * @state: the state
 *
 * Return: bytes, at least one.
 */
size_t uvm_range_area_bytes(const struct uvm_range_area *area, const struct uvm_range_state *state)
{
	return max_t(size_t, range_state_bytes(state) +
			     range_area_blocks(area) * state->block_bytes, 1);
}
EXPORT_SYMBOL_IF_KUNIT(uvm_range_area_bytes);

/**
 * uvm_range_area_add - have memory for a state
 * @area: the range; outer lock held
 * @number: of the state; has none yet
 * @state: the state
 * @gfp: how to allocate
 *
 * Return: 0 or -ENOMEM.
 */
int uvm_range_area_add(struct uvm_range_area *area, unsigned int number,
		       const struct uvm_range_state *state, gfp_t gfp)
{
	area->memory[number] = kvzalloc(uvm_range_area_bytes(area, state), gfp);
	return area->memory[number] ? 0 : -ENOMEM;
}
EXPORT_SYMBOL_IF_KUNIT(uvm_range_area_add);

/**
 * uvm_range_area_drop - the reverse
 * @area: the range; outer lock held
 * @number: of a state that is not kept any more, or @area is in no tree
 */
void uvm_range_area_drop(struct uvm_range_area *area, unsigned int number)
{
	kvfree(area->memory[number]);
	area->memory[number] = NULL;
}
EXPORT_SYMBOL_IF_KUNIT(uvm_range_area_drop);

/**
 * uvm_range_states_insert - a range has come
 * @states: the VA space's; both locks held
 * @area: the range, which meets no other
 */
void uvm_range_states_insert(struct uvm_range_states *states, struct uvm_range_area *area)
{
	interval_tree_insert(&area->node, &states->root);
}
EXPORT_SYMBOL_IF_KUNIT(uvm_range_states_insert);

/**
 * uvm_range_states_remove - a range goes
 * @states: the VA space's; both locks held
 * @area: the range
 */
void uvm_range_states_remove(struct uvm_range_states *states, struct uvm_range_area *area)
{
	interval_tree_remove(&area->node, &states->root);
}
EXPORT_SYMBOL_IF_KUNIT(uvm_range_states_remove);

/* What is kept of the right half is a copy; of a block across the cut both have one. */
static void range_area_copy(const struct uvm_range_area *area, struct uvm_range_area *right,
			    unsigned int number, const struct uvm_range_state *state)
{
	u64 skip = (right->node.start >> UVM_BLOCK_SHIFT) - (area->node.start >> UVM_BLOCK_SHIFT);
	size_t head = range_state_bytes(state);

	if (!area->memory[number] || !right->memory[number])
		return;
	memcpy(right->memory[number], area->memory[number], head);
	memcpy(right->memory[number] + head,
	       area->memory[number] + head + skip * state->block_bytes,
	       range_area_blocks(right) * state->block_bytes);
}

/**
 * uvm_range_states_split - a range is cut in two
 * @states: the VA space's; both locks held
 * @area: the range, keeps the part below @right
 * @right: begins inside @area and ends with it; in no tree, has memory for what is kept
 */
void uvm_range_states_split(struct uvm_range_states *states, struct uvm_range_area *area,
			    struct uvm_range_area *right)
{
	for (unsigned int i = 0; i < UVM_RANGE_STATES; i++)
		if (states->kept[i])
			range_area_copy(area, right, i, states->kept[i]);
	interval_tree_remove(&area->node, &states->root);
	area->node.last = right->node.start - 1;
	interval_tree_insert(&area->node, &states->root);
	interval_tree_insert(&right->node, &states->root);
}
EXPORT_SYMBOL_IF_KUNIT(uvm_range_states_split);

/* ---- use ------------------------------------------------------------------ */

static struct uvm_range_area *range_area_first(struct uvm_range_states *states, u64 start, u64 last)
{
	struct interval_tree_node *node = interval_tree_iter_first(&states->root, start, last);

	return node ? container_of(node, struct uvm_range_area, node) : NULL;
}

static struct uvm_range_area *range_area_next(struct uvm_range_area *area, u64 start, u64 last)
{
	struct interval_tree_node *node = interval_tree_iter_next(&area->node, start, last);

	return node ? container_of(node, struct uvm_range_area, node) : NULL;
}

static void range_view(struct uvm_range_states *states, const struct uvm_range_area *area,
		       unsigned int number, struct uvm_range_view *view)
{
	const struct uvm_range_state *state = states->kept[number];

	*view = (struct uvm_range_view){
		.start = area->node.start,
		.end = area->node.last,
		.begun = states->begun,
		.ended = states->ended,
		.params = states->params,
		.space = &states->space[number],
		.state = area->memory[number],
		.blocks = area->memory[number] + range_state_bytes(state),
		.block_bytes = state->block_bytes,
	};
}

/**
 * uvm_range_states_find - what is kept of the range of an address
 * @states: the VA space's; inner lock held, for as long as the view is used
 * @state: the state
 * @va: any address
 * @view: written
 *
 * Return: @view, NULL if the address is not managed or the state is not kept.
 */
const struct uvm_range_view *uvm_range_states_find(struct uvm_range_states *states,
						   const struct uvm_range_state *state, u64 va,
						   struct uvm_range_view *view)
{
	int number = uvm_range_states_number(states, state);
	struct uvm_range_area *area;

	if (number < 0)
		return NULL;
	area = range_area_first(states, va, va);
	if (!area || !area->memory[number])
		return NULL;
	range_view(states, area, number, view);
	return view;
}
EXPORT_SYMBOL_IF_KUNIT(uvm_range_states_find);

/**
 * uvm_range_states_read - the same, to a function
 * @states: the VA space's; inner lock held
 * @state: the state
 * @va: any address
 * @read: called if there is something
 * @arg: its argument
 *
 * Return: whether it was.
 */
bool uvm_range_states_read(struct uvm_range_states *states, const struct uvm_range_state *state,
			   u64 va, uvm_range_read_fn read, void *arg)
{
	struct uvm_range_view view;

	if (!uvm_range_states_find(states, state, va, &view))
		return false;
	read(&view, arg);
	return true;
}
EXPORT_SYMBOL_IF_KUNIT(uvm_range_states_read);

/**
 * uvm_range_states_pattern - in what order the data of a range come
 * @states: the VA space's; inner lock held
 * @va: any address
 * @view: written: the range, and what is kept of it by the state that knows
 * @pattern: written
 *
 * Return: false if the address is not managed, or no state that is kept knows.
 */
bool uvm_range_states_pattern(struct uvm_range_states *states, u64 va,
			      struct uvm_range_view *view, enum uvm_pattern *pattern)
{
	const struct uvm_range_state *state;

	for (unsigned int i = 0; i < UVM_RANGE_STATES; i++) {
		state = states->kept[i];
		if (!state || !state->pattern || !uvm_range_states_find(states, state, va, view))
			continue;
		*pattern = state->pattern(view);
		return true;
	}
	return false;
}
EXPORT_SYMBOL_IF_KUNIT(uvm_range_states_pattern);

/* Pages come; somebody may want to hear what a state makes of it. */
static void range_arrive(const struct uvm_range_state *state, const struct uvm_range_view *view,
			 const struct uvm_range_pages *pages,
			 const struct uvm_range_listener *listener)
{
	enum uvm_pattern before, now;

	if (!listener || !state->pattern) {
		state->arrive(view, pages);
		return;
	}
	before = state->pattern(view);
	state->arrive(view, pages);
	now = state->pattern(view);
	if (now != before)
		listener->heard(listener->arg, view, now);
}

/* Tell one state of what one range has of the pages.  Returns how many functions were called. */
static unsigned int range_tell(struct uvm_range_states *states, struct uvm_range_area *area,
			       unsigned int number, const struct uvm_range_pages *pages,
			       bool arrives, const struct uvm_range_listener *listener)
{
	const struct uvm_range_state *state = states->kept[number];
	struct uvm_range_view view;

	if (!state || !area->memory[number] || !(arrives ? state->arrive : state->leave))
		return 0;
	range_view(states, area, number, &view);
	if (arrives)
		range_arrive(state, &view, pages, listener);
	else
		state->leave(&view, pages);
	return 1;
}

/* Pages of the 2 MB that a range has; they are one region. */
static struct uvm_region range_area_region(const struct uvm_range_area *area, u64 va)
{
	u64 first = max_t(u64, area->node.start, va);
	u64 last = min_t(u64, area->node.last, va + UVM_BLOCK_SIZE - 1);

	return uvm_region_make((first - va) >> UVM_PAGE_SHIFT,
			       ((last - va) >> UVM_PAGE_SHIFT) + 1);
}

static unsigned int range_states_tell(struct uvm_range_states *states,
				      const struct uvm_range_pages *pages, bool arrives,
				      const struct uvm_range_listener *listener)
{
	u64 start = pages->va, last = pages->va + UVM_BLOCK_SIZE - 1;
	struct uvm_range_pages part = *pages;
	struct uvm_range_area *area;
	struct uvm_page_mask mine;
	unsigned int calls = 0;

	part.pages = &mine;
	for (area = range_area_first(states, start, last); area;
	     area = range_area_next(area, start, last)) {
		uvm_page_mask_copy(&mine, pages->pages);
		uvm_page_mask_and_region(&mine, range_area_region(area, pages->va));
		if (uvm_page_mask_empty(&mine))
			continue;
		for (unsigned int i = 0; i < UVM_RANGE_STATES; i++)
			calls += range_tell(states, area, i, &part, arrives, listener);
	}
	return calls;
}

/**
 * uvm_range_states_arrive - pages came to a GPU
 * @states: the VA space's; inner lock held
 * @pages: the pages, of one 2 MB; of several ranges, if that lies across their borders
 * @listener: hears of each range whose pattern is another than before, once for each state; or NULL
 *
 * Return: how many functions were called, to be charged.
 */
unsigned int uvm_range_states_arrive(struct uvm_range_states *states,
				     const struct uvm_range_pages *pages,
				     const struct uvm_range_listener *listener)
{
	return range_states_tell(states, pages, true, listener);
}
EXPORT_SYMBOL_IF_KUNIT(uvm_range_states_arrive);

/**
 * uvm_range_states_leave - pages left a GPU
 * @states: the VA space's; inner lock held
 * @pages: likewise
 *
 * Return: how many functions were called, to be charged.
 */
unsigned int uvm_range_states_leave(struct uvm_range_states *states,
				    const struct uvm_range_pages *pages)
{
	return range_states_tell(states, pages, false, NULL);
}
EXPORT_SYMBOL_IF_KUNIT(uvm_range_states_leave);

/**
 * uvm_range_states_touch - memory was accessed
 * @states: the VA space's; inner lock held
 * @touch: what of it; of no consequence if it is in no range any more
 *
 * Return: how many functions were called, to be charged.
 */
unsigned int uvm_range_states_touch(struct uvm_range_states *states,
				    const struct uvm_range_touch *touch)
{
	struct uvm_range_area *area = range_area_first(states, touch->va, touch->va);
	struct uvm_range_view view;
	unsigned int calls = 0;

	for (unsigned int i = 0; area && i < UVM_RANGE_STATES; i++) {
		if (!states->kept[i] || !area->memory[i] || !states->kept[i]->touch)
			continue;
		range_view(states, area, i, &view);
		states->kept[i]->touch(&view, touch);
		calls++;
	}
	return calls;
}
EXPORT_SYMBOL_IF_KUNIT(uvm_range_states_touch);
