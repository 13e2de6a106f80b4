// SPDX-License-Identifier: GPL-2.0
/* Copy engines; see copy_engine.h. */
#include <linux/delay.h>
#include <linux/math64.h>
#include <linux/mm.h>
#include <linux/sched.h>
#include <kunit/visibility.h>
#include <softgpu/ce_class.h>
#include "base/gpu.h"
#include "base/extension.h"
#include "base/timeline.h"
#include "base/trace.h"
#include "clock/clock.h"
#include "host/channel_state.h"
#include "host/copy_engine.h"
#include "host/copy_move.h"
#include "host/copy_virtual.h"
#include "host/non_replayable.h"
#include "host/semaphore.h"
#include "memory/iommu.h"
#include "memory/link.h"
#include "memory/peer.h"
#include "memory/vram.h"

static void sgpu_copy_engine_due(struct sgpu_event *ev);

void sgpu_copy_engine_init(struct rm_gpu *gpu, struct sgpu_copy_engine *ce, unsigned int index,
			   enum rm_engine type, unsigned int worker)
{
	memset(ce, 0, sizeof(*ce));
	ce->gpu = gpu;
	ce->index = index;
	ce->type = type;
	ce->worker = worker;
	INIT_LIST_HEAD(&ce->queue);
	mutex_init(&ce->moving);
	sgpu_event_init(&ce->event, gpu->index, worker, sgpu_copy_engine_due);
}
EXPORT_SYMBOL_IF_KUNIT(sgpu_copy_engine_init);

void sgpu_copy_engine_exit(struct sgpu_copy_engine *ce)
{
	sgpu_event_cancel(&ce->event);
	mutex_destroy(&ce->moving);
}
EXPORT_SYMBOL_IF_KUNIT(sgpu_copy_engine_exit);

/* bytes at MB/s, in ps: 1e6 ps per byte at 1 MB/s */
static u64 sgpu_copy_transfer_ps(u64 bytes, u64 mbps)
{
	return mul_u64_u64_div_u64(bytes, 1000000, mbps);
}

/*
 * Bytes over the link to the CPU in one of its directions, where they may be compressed
 * (batch-aware, 6.1; profile key link_compression_percent).
 */
static u64 sgpu_copy_link_ps(struct rm_gpu *gpu, u64 bytes, u64 mbps)
{
	return mul_u64_u64_div_u64(bytes, 100000000,
				   mbps * sgpu_prof(gpu, link_compression_percent));
}

/**
 * struct sgpu_copy_time - what a copy, or its present piece, takes
 * @lead_ps: before its first byte goes
 * @bytes_ps: its bytes
 * @tail_ps: after its last byte
 * @way: the direction of the link to system memory that they take; SGPU_LINK_WAYS: none
 */
struct sgpu_copy_time {
	u64 lead_ps;
	u64 bytes_ps;
	u64 tail_ps;
	enum sgpu_link_way way;
};

/* Anything that ends in system memory is bound by that direction. */
static void sgpu_copy_time_bytes(struct rm_gpu *gpu, const struct sgpu_copy *copy, u64 bytes,
				 struct sgpu_copy_time *time)
{
	u64 ps, latency;

	if (copy->dst_ap == RM_APERTURE_SYS) {
		if (sgpu_extension_on(gpu, REG_CAP_FREE_EVICTION))
			return;
		time->way = SGPU_LINK_OUT;
		latency = sgpu_prof(gpu, copy_dtoh_latency_ns);
		ps = sgpu_copy_link_ps(gpu, bytes, sgpu_prof(gpu, copy_dtoh_mbps));
	} else if (!copy->memset && copy->src_ap == RM_APERTURE_SYS) {
		time->way = SGPU_LINK_IN;
		latency = sgpu_prof(gpu, copy_htod_latency_ns);
		ps = sgpu_copy_link_ps(gpu, bytes, sgpu_prof(gpu, copy_htod_mbps));
	} else if (sgpu_copy_touches(copy, RM_APERTURE_PEER)) {
		latency = sgpu_prof(gpu, copy_peer_latency_ns);
		ps = sgpu_copy_transfer_ps(bytes, sgpu_prof(gpu, copy_peer_mbps));
	} else {
		latency = sgpu_prof(gpu, copy_internal_latency_ns);
		ps = sgpu_copy_transfer_ps(bytes, sgpu_prof(gpu, copy_internal_mbps));
	}
	time->bytes_ps = ps;
	if (!copy->pipelined && !copy->done)
		time->lead_ps = latency * PS_PER_NS;
}

/* Of a virtual copy: of its present piece, or of the walk that finds nothing. */
static struct sgpu_copy_time sgpu_copy_time(struct rm_gpu *gpu, const struct sgpu_copy *copy)
{
	u64 bytes = sgpu_copy_is_virtual(copy) ? copy->piece : copy->bytes;
	struct sgpu_copy_time time = { .way = SGPU_LINK_WAYS };

	if (copy->bytes && !bytes) {
		time.lead_ps = gpu->mmu.walk_ps;
		return time;
	}
	if (bytes)
		sgpu_copy_time_bytes(gpu, copy, bytes, &time);
	if (copy->done + bytes < copy->bytes)
		return time;
	if (copy->flush)
		time.tail_ps += sgpu_prof(gpu, membar_ns) * PS_PER_NS;
	if (copy->semaphore != CE_SEMAPHORE_NONE)
		time.tail_ps += sgpu_prof(gpu, semaphore_ns) * PS_PER_NS;
	return time;
}

u64 sgpu_copy_ps(struct rm_gpu *gpu, const struct sgpu_copy *copy)
{
	struct sgpu_copy_time time = sgpu_copy_time(gpu, copy);

	return time.lead_ps + time.bytes_ps + time.tail_ps;
}
EXPORT_SYMBOL_IF_KUNIT(sgpu_copy_ps);

/* A copy, or a piece of it that is planned, begins at @start_ps. */
static void sgpu_copy_engine_begin(struct sgpu_copy_engine *ce, const struct sgpu_copy *copy,
				   u64 start_ps)
{
	struct sgpu_copy_time time = sgpu_copy_time(ce->gpu, copy);

	if (time.way != SGPU_LINK_WAYS && sim_is_virtual())
		sgpu_link_copy_begin(ce->gpu, &ce->link, copy, time.way, start_ps + time.lead_ps,
				     time.bytes_ps);
	sgpu_event_at(&ce->event, start_ps + time.lead_ps + time.bytes_ps + time.tail_ps);
}

/* Start the first copy of the queue.  What a virtual one takes is seen when it begins. */
static void sgpu_copy_engine_start(struct sgpu_copy_engine *ce)
{
	struct sgpu_copy *copy = list_first_entry(&ce->queue, struct sgpu_copy, node);
	bool plan = sgpu_copy_is_virtual(copy) && !copy->planned;

	lockdep_assert_held(&ce->gpu->host.lock);
	/* whoever goes has copies on the queue that must not begin any more */
	if (ce->halted)
		return;
	ce->started_ps = max(copy->ready_ps, ce->free_ps);
	if (plan)
		sgpu_event_at(&ce->event, ce->started_ps);
	else
		sgpu_copy_engine_begin(ce, copy, ce->started_ps);
}

/*
 * In order of launch.  A channel looks ahead of the clock while it only sets
 * registers, so a copy may come in that is ready before others of the queue;
 * each channel's own copies stay in order, its time never goes back.
 */
void sgpu_copy_engine_submit(struct sgpu_copy_engine *ce, struct sgpu_copy *copy)
{
	struct sgpu_copy *at;

	lockdep_assert_held(&ce->gpu->host.lock);
	list_for_each_entry_reverse(at, &ce->queue, node) {
		bool started = list_is_first(&at->node, &ce->queue) &&
			       ce->started_ps <= sgpu_now_ps();

		if (at->ready_ps <= copy->ready_ps || started || !sim_is_virtual())
			break;
	}
	list_add(&copy->node, &at->node);
	if (list_is_first(&copy->node, &ce->queue))
		sgpu_copy_engine_start(ce);
}
EXPORT_SYMBOL_IF_KUNIT(sgpu_copy_engine_submit);

/* Take the channel's copies off the queue. */
static void sgpu_copy_engine_remove(struct sgpu_copy_engine *ce, struct rm_channel *channel)
{
	struct sgpu_copy *copy, *next;

	lockdep_assert_held(&ce->gpu->host.lock);
	list_for_each_entry_safe(copy, next, &ce->queue, node) {
		if (copy->channel != channel)
			continue;
		if (ce->link.owner == copy)
			sgpu_link_copy_drop(ce->gpu, &ce->link);
		list_del_init(&copy->node);
	}
}

/* One piece of a virtual copy; only an unmapped DMA address is an error here. */
static int sgpu_copy_engine_move_piece(struct sgpu_copy_engine *ce, struct sgpu_copy *copy)
{
	int ret;

	/* who takes a translation away waits for this (sgpu_copy_engines_quiesce()) */
	mutex_lock(&ce->moving);
	ret = sgpu_copy_move_piece(ce->gpu, copy->channel->as, copy);
	mutex_unlock(&ce->moving);
	return ret;
}

/*
 * Fault injection.  On the real clock a copy takes as long as its bytes take the host: who
 * writes to memory that is still to be copied home would hardly ever be found out.
 */
static void sgpu_copy_engine_linger(struct sgpu_copy_engine *ce, const struct sgpu_copy *copy)
{
	u32 us = min_t(u32, READ_ONCE(ce->gpu->host.slow_dtoh_us), USEC_PER_SEC);

	if (us && !sim_is_virtual() && !copy->memset && copy->src_ap == RM_APERTURE_VID &&
	    copy->dst_ap == RM_APERTURE_SYS)
		fsleep(us);
}

static int sgpu_copy_engine_move(struct sgpu_copy_engine *ce, struct sgpu_copy *copy, u64 now)
{
	u64 before = copy->done, moved = copy->bytes;
	struct rm_gpu *gpu = ce->gpu;
	int ret;

	sgpu_copy_engine_linger(ce, copy);
	if (sgpu_copy_is_virtual(copy)) {
		ret = sgpu_copy_engine_move_piece(ce, copy);
		moved = copy->done - before;
	} else {
		ret = sgpu_copy_move(gpu, copy);
	}
	if (ret || !moved)
		return ret;
	ce->copies++;
	ce->bytes += moved;
	WRITE_ONCE(copy->channel->copies.moved, copy->channel->copies.moved + 1);
	trace_softgpu_copy(gpu->index, ce->index, moved, copy->src_ap, copy->src + before,
			   copy->dst_ap, copy->dst + before, ce->started_ps / PS_PER_NS,
			   (now - ce->started_ps) / PS_PER_NS);
	sgpu_timeline_emit(&gpu->timelines, .type = SOFTGPU_TIMELINE_COPY,
			   .unit = ce->index, .gpu = gpu->index,
			   .src = copy->memset ? SOFTGPU_MEMORY_NONE : copy->src_ap,
			   .dst = copy->dst_ap, .time_ns = ce->started_ps / PS_PER_NS,
			   .duration_ns = (now - ce->started_ps) / PS_PER_NS,
			   .value = moved);
	return 0;
}

static bool sgpu_copy_is_over(const struct sgpu_copy *copy)
{
	return !sgpu_copy_is_virtual(copy) || copy->done == copy->bytes;
}

static int sgpu_copy_release(const struct sgpu_copy *copy)
{
	if (copy->semaphore == CE_SEMAPHORE_NONE)
		return 0;
	if (copy->increment)
		return sgpu_semaphore_increment(copy->channel, copy->sem_addr, copy->sem_payload);
	return sgpu_semaphore_release(copy->channel, copy->sem_addr, copy->sem_payload, false,
				      copy->semaphore == CE_SEMAPHORE_FOUR_WORD);
}

/* Move, then release the semaphore; RM_CHANNEL_ERR_* or 0. */
static u32 sgpu_copy_engine_execute(struct sgpu_copy_engine *ce, struct sgpu_copy *copy, u64 now)
{
	if (copy->bytes && sgpu_copy_engine_move(ce, copy, now))
		return RM_CHANNEL_ERR_DMA;
	if (!sgpu_copy_is_over(copy))
		return 0;
	return sgpu_copy_release(copy) ? RM_CHANNEL_ERR_DMA : 0;
}

/* A virtual copy begins a piece, or a walk that finds nothing. */
static void sgpu_copy_engine_plan(struct sgpu_copy_engine *ce, struct sgpu_copy *copy)
{
	sgpu_copy_plan(ce->gpu, copy->channel->as, copy);
	sgpu_copy_engine_begin(ce, copy, sgpu_now_ps());
}

/* No translation: the channel's copies leave the engine until the fault is cleared. */
static void sgpu_copy_engine_fault(struct sgpu_copy_engine *ce, struct sgpu_copy *copy, u64 now)
{
	struct sgpu_host *host = &ce->gpu->host;

	spin_lock(&host->lock);
	ce->busy_ps += now - ce->started_ps;
	ce->free_ps = now;
	sgpu_channel_stall(copy, now);
	if (!list_empty(&ce->queue))
		sgpu_copy_engine_start(ce);
	spin_unlock(&host->lock);
	sgpu_non_replayable_report(ce->gpu, copy->channel);
}

/* True if the event has done its work: a piece begins, or the copy has stopped. */
static bool sgpu_copy_engine_step(struct sgpu_copy_engine *ce, struct sgpu_copy *copy, u64 now)
{
	if (!sgpu_copy_is_virtual(copy))
		return false;
	if (!copy->planned) {
		sgpu_copy_engine_plan(ce, copy);
		return true;
	}
	if (copy->piece)
		return false;
	/* the walk has found nothing, and has ended: look once more */
	sgpu_copy_plan(ce->gpu, copy->channel->as, copy);
	if (copy->piece) {
		sgpu_copy_engine_begin(ce, copy, now);
		return true;
	}
	copy->planned = false;
	sgpu_copy_engine_fault(ce, copy, now);
	return true;
}

/* Take a copy that is done off the queue; the next one, or its next piece, begins. */
static void sgpu_copy_engine_next(struct sgpu_copy_engine *ce, struct sgpu_copy *copy, bool over,
				  u32 error, u64 now)
{
	lockdep_assert_held(&ce->gpu->host.lock);
	ce->busy_ps += now - ce->started_ps;
	ce->free_ps = now;
	copy->planned = false;
	copy->carried = false;
	if (over)
		list_del_init(&copy->node);
	/* The channel dies of an error, with all that it launched. */
	if (error)
		sgpu_copy_engine_remove(ce, copy->channel);
	if (!list_empty(&ce->queue))
		sgpu_copy_engine_start(ce);
}

/* True if the links to peers are busy: the copy ends later. */
static bool sgpu_copy_engine_carry(struct sgpu_copy_engine *ce, struct sgpu_copy *copy, u64 now)
{
	u64 bytes = sgpu_copy_is_virtual(copy) ? copy->piece : copy->bytes;
	u64 end;

	if (copy->carried || !bytes || !sgpu_copy_touches(copy, RM_APERTURE_PEER) ||
	    !sim_is_virtual())
		return false;
	copy->carried = true;
	end = sgpu_peer_copy(ce->gpu, copy, ce->started_ps,
			     sgpu_copy_transfer_ps(bytes, sgpu_prof(ce->gpu, copy_peer_mbps)));
	if (end <= now)
		return false;
	sgpu_event_at(&ce->event, end);
	return true;
}

/* True if SMs had their share of the link to system memory: the copy ends later. */
static bool sgpu_copy_engine_shared(struct sgpu_copy_engine *ce, struct sgpu_copy *copy, u64 now)
{
	u64 end = sgpu_link_copy_end(ce->gpu, &ce->link, now);

	if (end)
		end += sgpu_copy_time(ce->gpu, copy).tail_ps;
	if (end <= now) {
		sgpu_link_copy_drop(ce->gpu, &ce->link);
		return false;
	}
	sgpu_event_at(&ce->event, end);
	return true;
}

static void sgpu_copy_engine_due(struct sgpu_event *ev)
{
	struct sgpu_copy_engine *ce = container_of(ev, struct sgpu_copy_engine, event);
	struct sgpu_host *host = &ce->gpu->host;
	u64 now = sgpu_now_ps();
	struct sgpu_copy *copy;
	u32 error;
	bool over;

	spin_lock(&host->lock);
	copy = list_first_entry_or_null(&ce->queue, struct sgpu_copy, node);
	spin_unlock(&host->lock);
	/* Only this event, or somebody who has halted the engine, takes it off. */
	if (!copy || sgpu_copy_engine_step(ce, copy, now) ||
	    sgpu_copy_engine_carry(ce, copy, now) || sgpu_copy_engine_shared(ce, copy, now))
		return;
	error = sgpu_copy_engine_execute(ce, copy, now);
	over = error || sgpu_copy_is_over(copy);
	spin_lock(&host->lock);
	sgpu_copy_engine_next(ce, copy, over, error, now);
	spin_unlock(&host->lock);
	if (over)
		sgpu_channel_copy_done(copy, error);
}

void sgpu_copy_engines_quiesce(struct rm_gpu *gpu)
{
	struct sgpu_host *host = &gpu->host;
	unsigned int i;

	for (i = 0; i < host->engine_count; i++) {
		mutex_lock(&host->engines[i].moving);
		mutex_unlock(&host->engines[i].moving);
	}
}

void sgpu_copy_engine_halt(struct sgpu_copy_engine *ce)
{
	struct sgpu_host *host = &ce->gpu->host;

	spin_lock(&host->lock);
	ce->halted++;
	spin_unlock(&host->lock);
	sgpu_event_cancel(&ce->event);
}
EXPORT_SYMBOL_IF_KUNIT(sgpu_copy_engine_halt);

void sgpu_copy_engine_resume(struct sgpu_copy_engine *ce, struct rm_channel *channel)
{
	struct sgpu_host *host = &ce->gpu->host;

	spin_lock(&host->lock);
	sgpu_copy_engine_remove(ce, channel);
	ce->halted--;
	if (!list_empty(&ce->queue) && !sgpu_event_queued(&ce->event))
		sgpu_copy_engine_start(ce);
	spin_unlock(&host->lock);
}
EXPORT_SYMBOL_IF_KUNIT(sgpu_copy_engine_resume);

void sgpu_copy_engine_forget(struct sgpu_copy_engine *ce, struct rm_channel *channel)
{
	sgpu_copy_engine_halt(ce);
	sgpu_copy_engine_resume(ce, channel);
}
EXPORT_SYMBOL_IF_KUNIT(sgpu_copy_engine_forget);
