// SPDX-License-Identifier: GPL-2.0
/*
 * Managed ranges: their memory, what policies keep of them, and cutting one in two.
 */
#include <linux/slab.h>
#include "base/debugfs.h"
#include "base/trace.h"
#include "block/va_block.h"
#include "policy/param.h"
#include "policy/policy.h"
#include "space/managed_range.h"

/**
 * struct uvm_managed_range - a managed range, who pays for it, and what is kept of it
 * @range: the range
 * @charge: of the range and its table of blocks
 * @area: what policies keep
 * @kept: by number of the state: the charge of it
 */
struct uvm_managed_range {
	struct uvm_va_range range;
	struct rm_charge charge;
	struct uvm_range_area area;
	struct rm_charge kept[UVM_RANGE_STATES];
};

static struct uvm_managed_range *managed_range(struct uvm_va_range *range)
{
	return container_of(range, struct uvm_managed_range, range);
}

/* ---- what policies keep ---------------------------------------------------- */

static void managed_range_drop(struct uvm_managed_range *own, unsigned int number)
{
	uvm_range_area_drop(&own->area, number);
	rm_uncharge(&own->kept[number]);
}

/* Have memory for a state.  Return: 0 or -ENOMEM. */
static int managed_range_add(struct uvm_managed_range *own, unsigned int number,
			     const struct uvm_range_state *state)
{
	int ret = rm_charge(&own->kept[number], uvm_range_area_bytes(&own->area, state));

	if (!ret)
		ret = uvm_range_area_add(&own->area, number, state, UVM_GFP_ACCOUNT);
	if (ret)
		rm_uncharge(&own->kept[number]);
	return ret;
}

/* The same for all states that are kept; what is there already stays if there is no more. */
static int managed_range_add_all(struct uvm_va_space *va_space, struct uvm_managed_range *own)
{
	const struct uvm_range_state *state;
	int ret = 0;

	lockdep_assert_held(&va_space->ranges_lock);
	for (unsigned int i = 0; i < UVM_RANGE_STATES && !ret; i++) {
		state = va_space->range_states.kept[i];
		if (state)
			ret = managed_range_add(own, i, state);
	}
	return ret;
}

static void managed_ranges_drop(struct uvm_va_space *va_space, unsigned int number)
{
	struct uvm_va_range *range;

	lockdep_assert_held(&va_space->ranges_lock);
	for_each_uvm_va_range_in(range, &va_space->ranges, 0, U64_MAX)
		managed_range_drop(managed_range(range), number);
}

static void managed_ranges_forget(struct uvm_va_space *va_space, unsigned int number)
{
	spin_lock(&va_space->range_lock);
	uvm_range_states_keep(&va_space->range_states, number, NULL);
	spin_unlock(&va_space->range_lock);
	managed_ranges_drop(va_space, number);
}

/* A state is kept from now on.  Return: 0, or -ENOMEM and nothing has changed. */
static int managed_ranges_keep(struct uvm_va_space *va_space, const struct uvm_range_state *state)
{
	int number = uvm_range_states_free_number(&va_space->range_states), ret = 0;
	struct uvm_va_range *range;

	lockdep_assert_held(&va_space->ranges_lock);
	/* there are as many numbers as policies that could name a state */
	if (WARN_ON_ONCE(number < 0))
		return -ENOMEM;
	for_each_uvm_va_range_in(range, &va_space->ranges, 0, U64_MAX) {
		ret = managed_range_add(managed_range(range), number, state);
		if (ret) {
			managed_ranges_drop(va_space, number);
			return ret;
		}
	}
	spin_lock(&va_space->range_lock);
	uvm_range_states_keep(&va_space->range_states, number, state);
	spin_unlock(&va_space->range_lock);
	return 0;
}

int uvm_va_space_keep_range_states(struct uvm_va_space *va_space)
{
	struct uvm_range_states *states = &va_space->range_states;
	const struct uvm_range_state *state;
	int ret = 0;

	mutex_lock(&va_space->ranges_lock);
	/* what goes makes room for what comes */
	for (unsigned int i = 0; i < UVM_RANGE_STATES; i++)
		if (states->kept[i] && !uvm_params_name_state(&va_space->params, states->kept[i]))
			managed_ranges_forget(va_space, i);
	for (unsigned int kind = 0; kind < UVM_POLICY_COUNT && !ret; kind++) {
		state = uvm_params_policy(&va_space->params, kind)->range_state;
		if (state && uvm_range_states_number(states, state) < 0)
			ret = managed_ranges_keep(va_space, state);
	}
	mutex_unlock(&va_space->ranges_lock);
	return ret;
}

/* ---- ranges ---------------------------------------------------------------- */

void uvm_managed_range_free(struct uvm_va_range *range)
{
	struct uvm_managed_range *own = managed_range(range);

	for (unsigned int i = 0; i < UVM_RANGE_STATES; i++)
		managed_range_drop(own, i);
	uvm_va_range_fini(range);
	rm_uncharge(&own->charge);
	kfree(own);
}

struct uvm_va_range *uvm_managed_range_new(u64 start, u64 end)
{
	struct uvm_managed_range *own = kzalloc(sizeof(*own), UVM_GFP_ACCOUNT);
	u64 slots = (end >> UVM_BLOCK_SHIFT) - (start >> UVM_BLOCK_SHIFT) + 1;

	if (!own)
		return NULL;
	own->area.node.start = start;
	own->area.node.last = end;
	if (rm_charge(&own->charge, sizeof(*own) + slots * sizeof(*own->range.blocks)) ||
	    uvm_va_range_init(&own->range, start, end, UVM_GFP_ACCOUNT)) {
		uvm_managed_range_free(&own->range);
		return NULL;
	}
	return &own->range;
}

int uvm_managed_range_insert(struct uvm_va_space *va_space, struct uvm_va_range *range)
{
	struct uvm_managed_range *own = managed_range(range);
	int ret = managed_range_add_all(va_space, own) ?:
		  uvm_va_range_insert(&va_space->ranges, range);

	if (ret)
		return ret;
	spin_lock(&va_space->range_lock);
	uvm_range_states_insert(&va_space->range_states, &own->area);
	spin_unlock(&va_space->range_lock);
	return 0;
}

void uvm_managed_range_remove(struct uvm_va_space *va_space, struct uvm_va_range *range)
{
	lockdep_assert_held(&va_space->ranges_lock);
	uvm_va_range_remove(&va_space->ranges, range);
	spin_lock(&va_space->range_lock);
	uvm_range_states_remove(&va_space->range_states, &managed_range(range)->area);
	spin_unlock(&va_space->range_lock);
}

int uvm_va_space_split_range(struct uvm_va_space *va_space, struct uvm_va_range *range, u64 addr)
{
	struct uvm_va_range *right;
	void *shared = NULL;
	int ret;

	right = uvm_managed_range_new(addr, uvm_va_range_end(range));
	if (!right)
		return -ENOMEM;
	ret = managed_range_add_all(va_space, managed_range(right)) ?:
	      uvm_va_range_split(&va_space->ranges, range, right, &shared);
	if (ret) {
		uvm_managed_range_free(right);
		return ret;
	}
	spin_lock(&va_space->range_lock);
	uvm_range_states_split(&va_space->range_states, &managed_range(range)->area,
			       &managed_range(right)->area);
	spin_unlock(&va_space->range_lock);
	if (shared)
		uvm_va_block_get(shared);
	uvm_object_inc(UVM_OBJECT_VA_RANGE);
	trace_uvm_va_range(sim_now(), va_space->id, UVM_TRACE_RANGE_SPLIT,
			   uvm_va_range_start(right), uvm_va_range_end(right));
	return 0;
}
