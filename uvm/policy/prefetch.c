// SPDX-License-Identifier: GPL-2.0
/* What goes around the choice of any prefetch policy; see prefetch.h. */
#include <kunit/visibility.h>
#include <linux/export.h>
#include "policy/prefetch.h"

/**
 * uvm_prefetch_clamp - drop what must not be prefetched
 * @in: the situation
 * @prefetch: in: the answer of a policy; out: without pages that are faulted,
 *	thrash, lie outside, or are where they should be already
 *
 * Return: true if @prefetch lay within the block.
 */
bool uvm_prefetch_clamp(const struct uvm_prefetch_input *in, struct uvm_page_mask *prefetch)
{
	unsigned int before = uvm_page_mask_weight(prefetch);
	bool inside;

	uvm_page_mask_and_region(prefetch, in->max_region);
	inside = uvm_page_mask_weight(prefetch) == before;
	uvm_page_mask_andnot(prefetch, prefetch, in->faulted);
	if (in->dst_is_cpu && in->cpu_mapped_resident)
		uvm_page_mask_andnot(prefetch, prefetch, in->cpu_mapped_resident);
	if (in->thrashing)
		uvm_page_mask_andnot(prefetch, prefetch, in->thrashing);
	return inside;
}
EXPORT_SYMBOL_IF_KUNIT(uvm_prefetch_clamp);

/**
 * uvm_prefetch_decide - shall pages be prefetched, and which?
 * @state: what the block remembers; updated
 * @req: the situation; req->in.first_touch_preferred is set here
 * @prefetch: out: the pages, to go to the same destination as the faulted ones
 *
 * To be called once for each time that pages of the block are served, provided
 * that they all go to one destination.
 *
 * Return: true if there is something to prefetch.
 */
bool uvm_prefetch_decide(struct uvm_prefetch_state *state, struct uvm_prefetch_request *req,
			 struct uvm_page_mask *prefetch)
{
	struct uvm_prefetch_input *in = &req->in;

	uvm_page_mask_zero(prefetch);
	if (!req->enable)
		return false;

	if (state->last_proc != req->dst) {
		state->last_proc = req->dst;
		state->migrations = 0;
	}
	in->dst_is_cpu = uvm_id_is_cpu(req->dst);
	in->first_touch_preferred = !req->resident_anywhere && req->dst == req->preferred;
	if (req->preferred == UVM_ID_INVALID || req->preferred == req->dst) {
		req->select(in, prefetch);
		uvm_prefetch_clamp(in, prefetch);
	}
	state->migrations += uvm_page_mask_region_weight(in->faulted, in->faulted_region);

	if (state->migrations < req->min_faults)
		uvm_page_mask_zero(prefetch);
	return !uvm_page_mask_empty(prefetch);
}
EXPORT_SYMBOL_IF_KUNIT(uvm_prefetch_decide);
