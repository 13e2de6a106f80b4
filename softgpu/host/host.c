// SPDX-License-Identifier: GPL-2.0
/* Channels: their life, and the engines they are bound to; see host.h.  They run in channel.c. */
#include <linux/bitfield.h>
#include <linux/log2.h>
#include <linux/slab.h>
#include <kunit/visibility.h>
#include <softgpu/host_class.h>
#include "base/gpu.h"
#include "clock/clock.h"
#include "host/channel.h"
#include "host/channel_state.h"
#include "host/copy_engine.h"
#include "host/host.h"
#include "host/non_replayable.h"
#include "mmu/mmu_cancel.h"
#include "mmu/mmu_mshr.h"

/* Real clock: engines, and their channels, spread over the workers. */
#define SGPU_WORKER_ENGINE	1

static unsigned int sgpu_host_engine_count(struct rm_gpu *gpu, enum rm_engine type)
{
	switch (type) {
	case RM_ENGINE_CE_HTOD:
		return sgpu_prof(gpu, ce_htod);
	case RM_ENGINE_CE_DTOH:
		return sgpu_prof(gpu, ce_dtoh);
	default:
		return sgpu_prof(gpu, ce_internal);
	}
}

int sgpu_host_init(struct rm_gpu *gpu)
{
	struct sgpu_host *host = &gpu->host;
	unsigned int i, n = 0, total = 0;
	enum rm_engine type;

	memset(host, 0, sizeof(*host));
	spin_lock_init(&host->lock);
	INIT_LIST_HEAD(&host->channels);
	INIT_LIST_HEAD(&host->blocked);
	ida_init(&host->chids);
	sgpu_non_replayable_init(gpu);
	gpu->mmu.quiesce_copies = sgpu_copy_engines_quiesce;
	for (type = 0; type <= RM_ENGINE_CE_INTERNAL; type++)
		total += sgpu_host_engine_count(gpu, type);
	host->engines = kcalloc(total, sizeof(*host->engines), GFP_KERNEL);
	if (!host->engines)
		return -ENOMEM;
	for (type = 0; type <= RM_ENGINE_CE_INTERNAL; type++)
		for (i = 0; i < sgpu_host_engine_count(gpu, type); i++, n++)
			sgpu_copy_engine_init(gpu, &host->engines[n], n, type,
					      SGPU_WORKER_ENGINE + n);
	host->engine_count = total;
	return 0;
}
EXPORT_SYMBOL_IF_KUNIT(sgpu_host_init);

void sgpu_host_exit(struct rm_gpu *gpu)
{
	struct sgpu_host *host = &gpu->host;
	unsigned int i;

	WARN_ON_ONCE(!list_empty(&host->channels));
	for (i = 0; i < host->engine_count; i++)
		sgpu_copy_engine_exit(&host->engines[i]);
	ida_destroy(&host->chids);
	kfree(host->engines);
	host->engines = NULL;
	host->engine_count = 0;
}
EXPORT_SYMBOL_IF_KUNIT(sgpu_host_exit);

static unsigned int sgpu_host_engine_load(struct rm_gpu *gpu,
					  const struct sgpu_copy_engine *engine)
{
	struct rm_channel *ch;
	unsigned int n = 0;

	lockdep_assert_held(&gpu->host.lock);
	list_for_each_entry(ch, &gpu->host.channels, node)
		n += ch->engine == engine;
	return n;
}

/* The first of those with the fewest channels: a matter of what is open only. */
static struct sgpu_copy_engine *sgpu_host_pick_engine(struct rm_gpu *gpu, enum rm_engine type)
{
	unsigned int count = sgpu_host_engine_count(gpu, type);
	struct sgpu_copy_engine *first = gpu->host.engines, *engine, *best;

	while (first->type != type)
		first++;
	best = first;
	for (engine = first + 1; engine < first + count; engine++)
		if (sgpu_host_engine_load(gpu, engine) < sgpu_host_engine_load(gpu, best))
			best = engine;
	return best;
}

/* Ids are given out lowest first, so they depend on what is open only. */
static int sgpu_channel_alloc_id(struct rm_channel *ch)
{
	int id = ida_alloc_max(&ch->gpu->host.chids, FIELD_MAX(HOST_CLEAR_FAULTED_CHID),
			       GFP_KERNEL);

	if (id >= 0)
		ch->chid = id;
	return min(id, 0);
}

static int sgpu_channel_alloc_rings(struct rm_channel *ch, unsigned int entries)
{
	ch->info.entries = entries;
	ch->info.gpfifo = kvcalloc(entries, HOST_GP_ENTRY_SIZE, GFP_KERNEL);
	ch->rung.taken = kvcalloc(entries, sizeof(*ch->rung.taken), GFP_KERNEL);
	return ch->info.gpfifo && ch->rung.taken ? 0 : -ENOMEM;
}

static void sgpu_channel_release(struct rm_channel *ch)
{
	kvfree(ch->info.gpfifo);
	kvfree(ch->rung.taken);
	kfree(ch);
}

int sgpu_channel_alloc(struct rm_gpu *gpu, enum rm_engine engine, unsigned int entries,
		       struct sgpu_address_space *as, struct rm_channel **channel)
{
	struct sgpu_host *host = &gpu->host;
	struct rm_channel *ch;
	int ret;

	if (engine > RM_ENGINE_CE_INTERNAL || !is_power_of_2(entries) ||
	    entries > SGPU_CHANNEL_ENTRIES)
		return -EINVAL;
	ch = kzalloc(sizeof(*ch), GFP_KERNEL);
	if (!ch)
		return -ENOMEM;
	ch->gpu = gpu;
	ch->as = as;
	ret = sgpu_channel_alloc_rings(ch, entries);
	if (!ret && as)
		ret = sgpu_channel_alloc_id(ch);
	if (ret) {
		sgpu_channel_release(ch);
		return ret;
	}
	ch->info.gp_put = &ch->gp_put;
	ch->info.gp_get = &ch->gp_get;
	ch->info.error = &ch->error;
	INIT_LIST_HEAD(&ch->blocked);
	INIT_LIST_HEAD(&ch->stall.copies);
	INIT_LIST_HEAD(&ch->stall.node);
	spin_lock(&host->lock);
	ch->index = host->channel_seq++;
	ch->engine = sgpu_host_pick_engine(gpu, engine);
	list_add_tail(&ch->node, &host->channels);
	spin_unlock(&host->lock);
	sgpu_event_init(&ch->event, gpu->index, ch->engine->worker, sgpu_channel_due);
	*channel = ch;
	return 0;
}
EXPORT_SYMBOL_IF_KUNIT(sgpu_channel_alloc);

int rm_channel_alloc(struct rm_gpu *gpu, enum rm_engine engine, unsigned int entries,
		     struct rm_channel **channel)
{
	int ret = sgpu_channel_alloc(gpu, engine, entries, NULL, channel);

	if (!ret)
		(*channel)->host_as = &gpu->rm_space.as;
	return ret;
}
EXPORT_SYMBOL_NS_GPL(rm_channel_alloc, SOFTGPU);

/* Work that is still under way is dropped. */
void rm_channel_free(struct rm_channel *ch)
{
	struct sgpu_host *host = &ch->gpu->host;

	sgpu_channel_die(ch);
	spin_lock(&host->lock);
	list_del(&ch->node);
	spin_unlock(&host->lock);
	/* copies first: their end queues the event */
	sgpu_copy_engine_forget(ch->engine, ch);
	sgpu_event_cancel(&ch->event);
	sgpu_non_replayable_forget(ch->gpu, ch);
	if (ch->as)
		ida_free(&host->chids, ch->chid);
	sgpu_channel_release(ch);
}
EXPORT_SYMBOL_NS_GPL(rm_channel_free, SOFTGPU);

const struct rm_channel_info *rm_channel_info(struct rm_channel *ch)
{
	return &ch->info;
}
EXPORT_SYMBOL_NS_GPL(rm_channel_info, SOFTGPU);

void rm_channel_doorbell(struct rm_channel *ch)
{
	struct sgpu_host *host = &ch->gpu->host;
	u64 now = sgpu_now_ps();

	/* The lock orders the owner's stores before the channel's loads. */
	spin_lock(&host->lock);
	host->doorbells++;
	sgpu_channel_rings(ch, READ_ONCE(ch->gp_put));
	if (ch->state == SGPU_CHANNEL_IDLE)
		sgpu_channel_wake(ch, now + sgpu_prof(ch->gpu, doorbell_ns) * PS_PER_NS);
	else if (ch->state == SGPU_CHANNEL_ACQUIRE)
		sgpu_channel_wake(ch, now);
	spin_unlock(&host->lock);
}
EXPORT_SYMBOL_NS_GPL(rm_channel_doorbell, SOFTGPU);

/* A copy off its engine's queue is not done before its channel knows. */
static bool sgpu_channel_busy(const struct rm_channel *ch)
{
	lockdep_assert_held(&ch->gpu->host.lock);
	return ch->state == SGPU_CHANNEL_ACTIVE ||
	       (ch->state != SGPU_CHANNEL_DEAD && ch->copies.count && !ch->stall.active);
}

bool sgpu_host_busy(struct rm_gpu *gpu)
{
	struct sgpu_host *host = &gpu->host;
	struct rm_channel *ch;
	bool busy = false;
	unsigned int i;

	spin_lock(&host->lock);
	list_for_each_entry(ch, &host->channels, node)
		busy = busy || sgpu_channel_busy(ch);
	for (i = 0; i < host->engine_count; i++)
		busy = busy || !list_empty(&host->engines[i].queue);
	spin_unlock(&host->lock);
	return busy;
}
EXPORT_SYMBOL_IF_KUNIT(sgpu_host_busy);
