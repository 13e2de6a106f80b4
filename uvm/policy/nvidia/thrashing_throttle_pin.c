// SPDX-License-Identifier: GPL-2.0
/*
 * Throttle, then pin, as nvidia-uvm (5.4).
 *
 * Standing: nvidia-uvm: the rules of the real driver, which Documentation/nvidia-uvm.rst lists.
 */
#include <linux/bits.h>
#include "policy/thrashing.h"

static struct uvm_thrashing_answer policy_thrashing_pin(u8 where)
{
	return (struct uvm_thrashing_answer){ UVM_THRASHING_HINT_PIN, where };
}

static struct uvm_thrashing_answer policy_thrashing_throttle(void)
{
	return (struct uvm_thrashing_answer){ UVM_THRASHING_HINT_THROTTLE, UVM_ID_INVALID };
}

static struct uvm_thrashing_answer policy_thrashing_nothing(void)
{
	return (struct uvm_thrashing_answer){ UVM_THRASHING_HINT_NONE, UVM_ID_INVALID };
}

/* 8b: all get at the page fast where it is; better in GPU memory than in the CPU's. */
static struct uvm_thrashing_answer
policy_thrashing_fast(const struct uvm_thrashing_query *query)
{
	if (query->resident != UVM_ID_CPU || !(query->common & BIT(query->requester)))
		return policy_thrashing_pin(query->resident);
	if (query->requester == UVM_ID_CPU)
		return policy_thrashing_nothing();
	return policy_thrashing_pin(query->requester);
}

/* 8c: who asks is who should have the page, but not all the others reach it there. */
static struct uvm_thrashing_answer
policy_thrashing_preferred(const struct uvm_thrashing_query *query, bool free_pass)
{
	if (query->pinned_at != UVM_ID_INVALID) {
		if (query->pinned_at == query->preferred || free_pass)
			return policy_thrashing_pin(query->preferred);
		return policy_thrashing_throttle();
	}
	if (!free_pass)
		return policy_thrashing_throttle();
	return query->persistent ? policy_thrashing_pin(query->preferred) :
				   policy_thrashing_nothing();
}

/* 8d: the page is kept somewhere. */
static struct uvm_thrashing_answer
policy_thrashing_pinned(const struct uvm_thrashing_query *query, bool free_pass)
{
	if (free_pass) {
		if (query->common & BIT(query->requester) ||
		    query->closest_common == UVM_ID_INVALID)
			return policy_thrashing_pin(query->requester);
		return policy_thrashing_pin(query->closest_common);
	}
	if (query->accessible & BIT(query->pinned_at))
		return policy_thrashing_pin(query->pinned_at);
	return policy_thrashing_throttle();
}

/*
 * nvidia-uvm 5.4, steps 7 and 8: first one processor is let through at a time,
 * the others throttled; if that does not help, the page is pinned where all can
 * reach it, and where there is no such place where one had to wait too often.
 */
static struct uvm_thrashing_answer
policy_thrashing_throttle_pin(const struct uvm_thrashing_query *query)
{
	bool free_pass = query->requester == query->free_pass;
	bool is_pinned = query->pinned_at != UVM_ID_INVALID;
	bool has_preferred = uvm_id_is_valid(query->preferred);

	if (is_pinned && query->revoked && !free_pass)
		return policy_thrashing_throttle();			/* step 7 */
	if (has_preferred && (query->common & BIT(query->preferred)))
		return policy_thrashing_pin(query->preferred);		/* 8a */
	if (!(has_preferred && (query->processors & BIT(query->preferred))) &&
	    uvm_id_is_valid(query->resident) && (query->fast & BIT(query->resident)))
		return policy_thrashing_fast(query);
	if (query->requester == query->preferred)
		return policy_thrashing_preferred(query, free_pass);
	if (is_pinned)
		return policy_thrashing_pinned(query, free_pass);
	if (!free_pass)							/* 8e */
		return policy_thrashing_throttle();
	return query->persistent ? policy_thrashing_pin(query->requester) :
				   policy_thrashing_nothing();
}

UVM_POLICY(thrashing, throttle_pin,
	   "nvidia-uvm's: let one processor through at a time, then pin the page",
	   .policy.params = "perf_thrashing_enable perf_thrashing_threshold "
			    "perf_thrashing_pin_threshold perf_thrashing_lapse_usec "
			    "perf_lapse_vote_threshold perf_thrashing_nap perf_thrashing_epoch "
			    "perf_thrashing_pin perf_thrashing_max_resets",
	   .detect = true,
	   .decide = policy_thrashing_throttle_pin);
