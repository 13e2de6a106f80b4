// SPDX-License-Identifier: GPL-2.0
/* Thread blocks onto SMs, in block order, as they fit. */
#include <linux/bitops.h>
#include "gpu.h"
#include "context.h"
#include "launch.h"
#include "sm.h"
#include "trace.h"

static bool dispatch_fits(const struct sgpu_sm *sm, const struct sgpu_launch *launch)
{
	return sm->blocks_free && launch->warps <= sm->warps_free &&
	       launch->warps * SGPU_LANES <= sm->threads_free &&
	       launch->regs <= sm->regs_free && launch->shared_bytes <= sm->shared_free;
}

/* Next block that fits on @sm, out of its pool, with its number. */
static struct sgpu_block *dispatch_next(struct sgpu_sm *sm, struct sgpu_launch **from, u64 *index,
					u64 *start)
{
	struct sgpu_sm_array *sms = &sm->gpu->sms;
	struct sgpu_block *block = NULL;
	struct sgpu_launch *launch;

	spin_lock(&sms->lock);
	list_for_each_entry(launch, &sms->launches, gpu_node) {
		if (launch->stop || launch->next_block == launch->blocks ||
		    !dispatch_fits(sm, launch))
			continue;
		block = list_first_entry_or_null(&launch->pool->free, struct sgpu_block, node);
		if (!block)
			continue;
		list_del(&block->node);
		*from = launch;
		*index = launch->next_block++;
		launch->resident++;
		*start = sm->time;
		if (sm->is_virtual) {
			sms->dispatch_ps = max(sms->dispatch_ps, sm->time) +
					   sgpu_prof(sm->gpu, block_dispatch_cycles) * sm->cycle_ps;
			*start = sms->dispatch_ps;
		}
		break;
	}
	spin_unlock(&sms->lock);
	return block;
}

bool sgpu_sm_take_block(struct sgpu_sm *sm)
{
	struct sgpu_launch *launch;
	struct sgpu_block *block;
	u64 index, start;
	u32 i;

	lockdep_assert_held(&sm->lock);
	block = dispatch_next(sm, &launch, &index, &start);
	if (!block)
		return false;
	sgpu_block_prepare(block, launch, sm, index);
	sm->threads_free -= block->count * SGPU_LANES;
	sm->warps_free -= block->count;
	sm->blocks_free--;
	sm->regs_free -= launch->regs;
	sm->shared_free -= launch->shared_bytes;
	/* an empty SM begins its round robin anew: no launch inherits the last one's */
	if (!sm->used)
		sm->last = SGPU_SM_LAST_SLOT;
	block->start_ps = start;
	block->slots = 0;
	for (i = 0; i < block->count; i++) {
		struct sgpu_warp *warp = &block->warp[i];

		warp->slot = __ffs64(~sm->used);
		sm->used |= BIT_ULL(warp->slot);
		block->slots |= BIT_ULL(warp->slot);
		sm->warp[warp->slot] = warp;
		sgpu_sm_sleep_warp(sm, warp, SGPU_STALL_TIME, start);
	}
	list_add_tail(&block->node, &sm->blocks);
	trace_softgpu_block_dispatch(sm->gpu->index, launch->context->as.instance, launch->id,
				     index, sm->index, div64_u64(start, PS_PER_NS));
	return true;
}
