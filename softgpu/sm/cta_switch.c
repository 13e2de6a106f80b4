// SPDX-License-Identifier: GPL-2.0
/*
 * CTAs of one SM change places: what cta_table.c decides.  The warps of an inactive
 * CTA have no slots, so the scheduler does not see them; whatever the MMU performs for
 * them meanwhile goes to their registers all the same, and wakes them in the table.
 */
#include <linux/bitops.h>
#include "base/gpu.h"
#include "base/extension.h"
#include "base/timeline.h"
#include "isa/warp.h"
#include "sm/cta_state.h"
#include "sm/cta_switch.h"
#include "sm/cta_table.h"
#include "sm/lsu.h"
#include "base/trace.h"
#include "sm/sm_state.h"
#include "sm/sm_warp.h"
#include "sm/wake_queue.h"
#include "sm/launch_state.h"

static struct sgpu_cta *switch_cta(struct sgpu_cta_status *status)
{
	return container_of(status, struct sgpu_cta, status);
}

void sgpu_sm_activate(struct sgpu_sm *sm, struct sgpu_cta *cta, u64 start_ps)
{
	u32 i;

	lockdep_assert_held(&sm->lock);
	/* an empty SM begins its round robin anew: no launch inherits the last one's */
	if (!sm->used)
		sm->last = SGPU_SM_LAST_SLOT;
	for (i = 0; i < cta->count; i++) {
		struct sgpu_warp *warp = &cta->warp[i];

		warp->slot = __ffs64(~sm->used);
		sm->used |= BIT_ULL(warp->slot);
		cta->slots |= BIT_ULL(warp->slot);
		sm->warp[warp->slot] = warp;
		if (warp->stall == SGPU_STALL_TIME)
			sgpu_sm_sleep_warp(sm, warp, SGPU_STALL_TIME,
					   max(warp->wake_ps, start_ps));
	}
}

/* Its warps lose their slots.  Returns when the first of them could issue. */
static u64 switch_deactivate(struct sgpu_sm *sm, struct sgpu_cta *cta)
{
	u64 ready = U64_MAX;
	u32 i;

	for (i = 0; i < cta->count; i++) {
		struct sgpu_warp *warp = &cta->warp[i];

		if (warp->stall == SGPU_STALL_NONE) {
			warp->stall = SGPU_STALL_TIME;
			warp->wake_ps = sm->time;
		} else if (warp->stall == SGPU_STALL_TIME) {
			warp->wake_ps = sm->wakes.at[warp->slot];
		}
		if (warp->stall == SGPU_STALL_TIME)
			ready = min(ready, warp->wake_ps);
		warp->slot = SGPU_NO_SLOT;
	}
	sm->used &= ~cta->slots;
	sm->ready &= ~cta->slots;
	sgpu_wake_drop(&sm->wakes, cta->slots);
	cta->slots = 0;
	return ready;
}

/* What an active CTA waits for.  Shared memory and the like is not worth a switch. */
static enum sgpu_cta_stall switch_stall(struct sgpu_sm *sm, const struct sgpu_cta *cta)
{
	bool memory = false, replay = false;
	u32 i;

	if (sm->ready & cta->slots)
		return SGPU_CTA_RUNS;
	for (i = 0; i < cta->count; i++) {
		const struct sgpu_warp *warp = &cta->warp[i];

		switch (warp->stall) {
		case SGPU_STALL_TIME:
			if (sm->wakes.at[warp->slot] <= sm->time + sm->shared_ps)
				return SGPU_CTA_RUNS;
			memory = true;
			break;
		case SGPU_STALL_MEMORY:
		case SGPU_STALL_LSU_FULL:
			if (sgpu_lsu_waits_replay(sm->gpu, warp))
				replay = true;
			else
				memory = true;
			break;
		default:
			break;
		}
	}
	if (memory)
		return SGPU_CTA_WAITS_MEMORY;
	return replay ? SGPU_CTA_WAITS_REPLAY : SGPU_CTA_RUNS;
}

static void switch_note(struct sgpu_sm *sm, const struct sgpu_cta *in,
			const struct sgpu_cta *out)
{
	struct rm_gpu *gpu = sm->gpu;
	u64 ns = (in->status.busy_ps - sm->time) / PS_PER_NS;
	u64 left = out ? out->index : SOFTGPU_SWITCH_NONE;

	sm->switched_in++;
	sm->switched_out += !!out;
	sm->switch_ns += ns;
	trace_softgpu_block_switch(gpu->index, in->launch->id, sm->index, left, in->index,
				   sm->time / PS_PER_NS, ns);
	sgpu_timeline_emit(&gpu->timelines, .type = SOFTGPU_TIMELINE_SWITCH, .unit = sm->index,
			   .gpu = gpu->index, .time_ns = sm->time / PS_PER_NS,
			   .duration_ns = ns, .id = left, .value = in->index);
}

static void switch_ctas(struct sgpu_sm *sm, const struct sgpu_cta_switch *sw)
{
	struct sgpu_cta *in = switch_cta(sw->in), *out = NULL;

	sgpu_cta_table_switch(&sm->table, sw, sm->time);
	if (sw->out) {
		out = switch_cta(sw->out);
		sgpu_cta_status_ready(&out->status, switch_deactivate(sm, out));
	}
	sgpu_sm_activate(sm, in, in->status.busy_ps);
	switch_note(sm, in, out);
}

void sgpu_sm_switch(struct sgpu_sm *sm)
{
	struct sgpu_cta_switch sw;
	struct sgpu_cta *cta;

	lockdep_assert_held(&sm->lock);
	sm->deadline = U64_MAX;
	sgpu_cta_table_set_limit(&sm->table, sgpu_extra_ctas(sm->gpu));
	if (likely(!sm->table.inactive))
		return;
	list_for_each_entry(cta, &sm->ctas, node)
		if (cta->slots)
			sgpu_cta_status_stall(&cta->status, switch_stall(sm, cta), sm->time);
	while (sgpu_cta_table_pick(&sm->table, sm->time, &sw))
		switch_ctas(sm, &sw);
	/* real clock: whatever makes an SM run makes it look */
	if (!sm->is_virtual)
		return;
	sm->deadline = sgpu_cta_table_deadline(&sm->table, sm->time);
	sm->next_wake = min(sm->next_wake, sm->deadline);
}

void sgpu_sm_check_stalled(struct sgpu_sm *sm, struct sgpu_cta *cta)
{
	struct sgpu_cta_switch sw;

	if (sm->ready & cta->slots)
		return;
	sgpu_cta_status_stall(&cta->status, switch_stall(sm, cta), sm->time);
	if (sgpu_cta_table_pick(&sm->table, sm->time, &sw))
		sm->turnover = true;
}
