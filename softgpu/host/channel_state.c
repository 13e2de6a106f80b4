// SPDX-License-Identifier: GPL-2.0
/* States of channels; see channel_state.h. */
#include <kunit/visibility.h>
#include <linux/export.h>
#include "base/gpu.h"
#include "base/trace.h"
#include "clock/clock.h"
#include "host/channel_state.h"
#include "host/non_replayable.h"
#include "mmu/walker.h"

void sgpu_channel_die(struct rm_channel *ch)
{
	struct sgpu_host *host = &ch->gpu->host;

	spin_lock(&host->lock);
	ch->state = SGPU_CHANNEL_DEAD;
	list_del_init(&ch->blocked);
	spin_unlock(&host->lock);
}

bool sgpu_channel_enter(struct rm_channel *ch, enum sgpu_channel_state state)
{
	lockdep_assert_held(&ch->gpu->host.lock);
	if (ch->state == SGPU_CHANNEL_DEAD)
		return false;
	ch->state = state;
	return true;
}

void sgpu_channel_wake(struct rm_channel *ch, u64 when)
{
	lockdep_assert_held(&ch->gpu->host.lock);
	list_del_init(&ch->blocked);
	ch->state = SGPU_CHANNEL_ACTIVE;
	sgpu_event_at(&ch->event, max(when, ch->now_ps));
}

void sgpu_channel_kill(struct rm_channel *ch, u32 error)
{
	struct sgpu_host *host = &ch->gpu->host;

	sgpu_channel_die(ch);
	spin_lock(&host->lock);
	host->errors++;
	WRITE_ONCE(ch->error, error);
	spin_unlock(&host->lock);
	trace_softgpu_channel_error(ch->gpu->index, ch->index, error, ch->header.method);
	sim_wake(&ch->gpu->progress);
}

void sgpu_channel_fail(struct rm_channel *ch, int error)
{
	WRITE_ONCE(ch->stall.error, error);
	/* who sees the error sees why */
	smp_wmb();
	sgpu_channel_kill(ch, RM_CHANNEL_ERR_MMU);
	sgpu_non_replayable_forget(ch->gpu, ch);
}
EXPORT_SYMBOL_IF_KUNIT(sgpu_channel_fail);

void sgpu_channel_stall(struct sgpu_copy *copy, u64 now_ps)
{
	struct rm_channel *ch = copy->channel;
	struct sgpu_copy *at, *next;

	lockdep_assert_held(&ch->gpu->host.lock);
	ch->stall.active = true;
	WRITE_ONCE(ch->stall.fetched, false);
	ch->stall.fault = (struct sgpu_channel_fault) {
		.ps = now_ps,
		.va = copy->fault_va,
		.type = copy->fault_type,
		.write = copy->fault_write,
	};
	list_for_each_entry_safe(at, next, &ch->engine->queue, node)
		if (at->channel == ch)
			list_move_tail(&at->node, &ch->stall.copies);
}

void sgpu_channel_copy_done(struct sgpu_copy *copy, u32 error)
{
	struct rm_channel *ch = copy->channel;
	struct sgpu_host *host = &ch->gpu->host;

	if (error) {
		sgpu_channel_kill(ch, error);
		return;
	}
	spin_lock(&host->lock);
	__clear_bit(copy - ch->copies.slot, &ch->copies.used);
	ch->copies.count--;
	if (ch->state == SGPU_CHANNEL_COPIES_FULL ||
	    (ch->state == SGPU_CHANNEL_COPIES_IDLE && !ch->copies.count))
		sgpu_channel_wake(ch, sgpu_now_ps());
	spin_unlock(&host->lock);
}

void *sgpu_channel_mem_get(struct rm_channel *ch, u64 addr, enum sgpu_access_kind kind,
			   enum rm_aperture *aperture)
{
	struct sgpu_page page = { .aperture = RM_APERTURE_SYS, .pa = addr };

	if (ch->host_as) {
		if (!ch->host_as->bound ||
		    sgpu_walk(ch->gpu, ch->host_as, addr, kind, &page) != SGPU_WALK_OK)
			return NULL;
		page.pa += addr & (BIT_ULL(page.shift) - 1);
	}
	*aperture = page.aperture;
	return sgpu_mem_get(ch->gpu, page.aperture, page.pa);
}
