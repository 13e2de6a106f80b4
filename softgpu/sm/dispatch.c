// SPDX-License-Identifier: GPL-2.0
/* Thread blocks onto SMs, in CTA order, as they fit. */
#include "base/gpu.h"
#include "context_types.h"
#include "base/extension.h"
#include "clock/clock.h"
#include "isa/isa.h"
#include "isa/warp.h"
#include "sm/cta.h"
#include "sm/cta_state.h"
#include "sm/cta_switch.h"
#include "sm/cta_table.h"
#include "base/trace.h"
#include "sm/dispatch.h"
#include "sm/kick.h"
#include "sm/launch_state.h"
#include "sm/sm_state.h"
#include "sm/sm_warp.h"

void sgpu_dispatcher_init(struct rm_gpu *gpu)
{
	spin_lock_init(&gpu->dispatcher.lock);
	INIT_LIST_HEAD(&gpu->dispatcher.launches);
}

static void dispatch_need(const struct sgpu_launch *launch, struct sgpu_resources *need)
{
	need->threads = launch->warps * SGPU_LANES;
	need->warps = launch->warps;
	need->ctas = 1;
	need->regs = launch->regs;
	need->shared = launch->shared_bytes;
}

/* Where a CTA of the launch would go on @sm. */
static enum sgpu_cta_place dispatch_place(const struct sgpu_sm *sm,
					  const struct sgpu_launch *launch, bool inactive)
{
	enum sgpu_cta_place place;
	struct sgpu_resources need;

	dispatch_need(launch, &need);
	place = sgpu_cta_table_room(&sm->table, &need, sm->time);
	return place == SGPU_PLACE_ACTIVE || inactive ? place : SGPU_PLACE_NONE;
}

/* Next CTA that fits on @sm, out of its pool, with its number and place. */
static struct sgpu_cta *dispatch_next(struct sgpu_sm *sm, bool inactive,
				      struct sgpu_launch **from, u64 *index,
				      enum sgpu_cta_place *place, u64 *start)
{
	struct sgpu_dispatcher *dispatcher = &sm->gpu->dispatcher;
	struct sgpu_cta *cta = NULL;
	struct sgpu_launch *launch;

	spin_lock(&dispatcher->lock);
	list_for_each_entry(launch, &dispatcher->launches, gpu_node) {
		if (launch->stop || launch->next_cta == launch->ctas)
			continue;
		*place = dispatch_place(sm, launch, inactive);
		if (*place == SGPU_PLACE_NONE)
			continue;
		cta = list_first_entry_or_null(&launch->context->pool.free,
					       struct sgpu_cta, node);
		if (!cta)
			continue;
		list_del(&cta->node);
		*from = launch;
		*index = launch->next_cta++;
		launch->resident++;
		*start = sm->time;
		if (sm->is_virtual) {
			*start = max(dispatcher->busy_ps, sm->time) +
				 sgpu_prof(sm->gpu, block_dispatch_cycles) * sm->cycle_ps;
			dispatcher->busy_ps = *start;
		}
		break;
	}
	spin_unlock(&dispatcher->lock);
	return cta;
}

/* No warp has a slot yet; all could issue from @start on. */
static void dispatch_assign(struct sgpu_sm *sm, struct sgpu_cta *cta,
			    enum sgpu_cta_place place, u64 start)
{
	struct sgpu_resources need;
	u32 i;

	dispatch_need(cta->launch, &need);
	sgpu_cta_table_add(&sm->table, &cta->status, &need, place, start);
	cta->start_ps = start;
	cta->slots = 0;
	for (i = 0; i < cta->count; i++) {
		cta->warp[i].slot = SGPU_NO_SLOT;
		sgpu_sm_sleep_warp(sm, &cta->warp[i], SGPU_STALL_TIME, start);
	}
	list_add_tail(&cta->node, &sm->ctas);
}

bool sgpu_sm_take_cta(struct sgpu_sm *sm, bool inactive)
{
	enum sgpu_cta_place place;
	struct sgpu_launch *launch;
	struct sgpu_cta *cta;
	u64 index, start;

	lockdep_assert_held(&sm->lock);
	if (inactive)
		sgpu_cta_table_set_limit(&sm->table, sgpu_extra_ctas(sm->gpu));
	cta = dispatch_next(sm, inactive, &launch, &index, &place, &start);
	if (!cta)
		return false;
	sgpu_cta_prepare(cta, launch, sm, index);
	dispatch_assign(sm, cta, place, start);
	if (place == SGPU_PLACE_ACTIVE)
		sgpu_sm_activate(sm, cta, start);
	else
		sm->turnover = true;
	trace_softgpu_block_dispatch(sm->gpu->index, launch->context->as.instance, launch->id,
				     index, sm->index, div64_u64(start, PS_PER_NS));
	return true;
}

/* Virtual: one CTA per SM in turn, until none takes another. */
static void dispatch_deal(struct rm_gpu *gpu, bool inactive, u64 now_ps)
{
	struct sgpu_sm_array *sms = &gpu->sms;
	bool taken = true;
	unsigned int i;

	while (taken) {
		taken = false;
		for (i = 0; i < sms->count; i++) {
			struct sgpu_sm *sm = sms->sm[i];

			if (sgpu_sm_is_off(gpu, i))
				continue;
			mutex_lock(&sm->lock);
			sm->time = max(sm->time, now_ps);
			if (sgpu_sm_take_cta(sm, inactive)) {
				taken = true;
				/* an inactive one may be let in at once */
				sgpu_sms_kick(gpu, sm, sm->turnover ? sm->time :
					      max(sm->next_wake, sm->time));
			}
			mutex_unlock(&sm->lock);
		}
	}
}

void sgpu_dispatch(struct rm_gpu *gpu, u64 now_ps)
{
	unsigned int i;

	if (sim_is_virtual()) {
		dispatch_deal(gpu, false, now_ps);
		/* all have what they hold: CTAs that wait come behind it */
		dispatch_deal(gpu, true, now_ps);
		return;
	}
	for (i = 0; i < gpu->sms.count; i++)
		sgpu_event_at(&gpu->sms.sm[i]->event, 0);
}
