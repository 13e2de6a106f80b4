// SPDX-License-Identifier: GPL-2.0
/* Channels that have faulted go on; see faulted.h. */
#include "base/gpu.h"
#include "clock/clock.h"
#include "host/channel_state.h"
#include "host/copy_engine.h"
#include "host/faulted.h"

/* The channel's copies go on, behind what other channels have launched meanwhile. */
static void sgpu_channel_resume(struct rm_channel *ch, u64 now_ps)
{
	struct sgpu_copy *copy, *next;

	lockdep_assert_held(&ch->gpu->host.lock);
	ch->stall.active = false;
	list_for_each_entry_safe(copy, next, &ch->stall.copies, node) {
		list_del_init(&copy->node);
		copy->ready_ps = max(copy->ready_ps, now_ps);
		sgpu_copy_engine_submit(ch->engine, copy);
	}
}

static void sgpu_channel_clear(struct rm_channel *ch)
{
	if (!ch->stall.active || ch->state == SGPU_CHANNEL_DEAD)
		return;
	ch->gpu->non_replayable.cleared++;
	sgpu_channel_resume(ch, sgpu_now_ps());
}

void sgpu_host_clear_faulted(struct rm_gpu *gpu, u32 chid)
{
	struct sgpu_host *host = &gpu->host;
	struct rm_channel *ch;

	spin_lock(&host->lock);
	list_for_each_entry(ch, &host->channels, node)
		if (ch->as && ch->chid == chid)
			sgpu_channel_clear(ch);
	spin_unlock(&host->lock);
}

/*
 * The instance is the context's, which has several channels: a fault that the driver has not
 * heard of is none that it can have served.
 */
void sgpu_host_clear_instance(struct rm_gpu *gpu, u64 instance)
{
	struct sgpu_host *host = &gpu->host;
	struct rm_channel *ch;

	spin_lock(&host->lock);
	list_for_each_entry(ch, &host->channels, node)
		if (ch->as && ch->as->instance == instance && READ_ONCE(ch->stall.fetched))
			sgpu_channel_clear(ch);
	spin_unlock(&host->lock);
}
