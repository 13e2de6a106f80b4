// SPDX-License-Identifier: GPL-2.0
/* MMU: replays; see mmu_replay.h. */
#include <kunit/visibility.h>
#include "base/gpu.h"
#include "base/timeline.h"
#include "base/trace.h"
#include "clock/clock.h"
#include "mmu/far_fault.h"
#include "mmu/fault_buffer.h"
#include "mmu/mmu_mshr.h"
#include "mmu/mmu_replay.h"
#include "mmu/walker.h"

static void sgpu_mmu_replay_due(struct sgpu_event *ev);

void sgpu_mmu_replay_init(struct rm_gpu *gpu)
{
	sgpu_event_init(&gpu->mmu.replay_event, gpu->index, SGPU_WORKER_MMU, sgpu_mmu_replay_due);
}

void sgpu_mmu_replay(struct rm_gpu *gpu, u64 taken)
{
	struct sgpu_mmu *mmu = &gpu->mmu;
	struct sgpu_replay replay = {
		.due = sgpu_now_ps() + mmu->replay_ps, .taken = taken,
	};

	spin_lock(&mmu->lock);
	if (mmu->lose_replay) {
		mmu->lose_replay--;
		spin_unlock(&mmu->lock);
		return;
	}
	/* The last one stands for all that came after it: it comes later. */
	if (mmu->replay_count == SGPU_MMU_REPLAYS)
		replay.taken = max(taken, mmu->replays[--mmu->replay_count].taken);
	mmu->replays[mmu->replay_count++] = replay;
	if (mmu->replay_count == 1)
		sgpu_event_at(&mmu->replay_event, replay.due);
	spin_unlock(&mmu->lock);
}
EXPORT_SYMBOL_IF_KUNIT(sgpu_mmu_replay);

/* Take the replays due now off the queue; false if there is none.  @taken: the most of them. */
static bool sgpu_mmu_take_replays(struct sgpu_mmu *mmu, u64 now, u64 *taken)
{
	unsigned int n = 0;

	while (n < mmu->replay_count && (mmu->real || mmu->replays[n].due <= now))
		*taken = max(*taken, mmu->replays[n++].taken);
	mmu->replay_count -= n;
	memmove(mmu->replays, mmu->replays + n, mmu->replay_count * sizeof(mmu->replays[0]));
	if (mmu->replay_count)
		sgpu_event_at(&mmu->replay_event, mmu->replays[0].due);
	mmu->replayed += n;
	return n;
}

/* Every faulted MSHR is looked up again; equal times are taken in issue order. */
static void sgpu_mmu_retranslate(struct sgpu_mmu *mmu, u64 now)
{
	struct sgpu_mshr *m, *next;
	unsigned int u;

	for (u = 0; u < mmu->utlb_count; u++) {
		list_for_each_entry_safe(m, next, &mmu->utlbs[u].faulted, node) {
			list_del_init(&m->node);
			mmu->retried++;
			sgpu_mshr_retry(mmu, m, now);
		}
	}
}

/*
 * Does an MSHR have nothing to wait for?  Then its lookup ends, one way or the other: its page
 * can be accessed, its context has gone, it is a prefetch that is dropped now, or the access that
 * wanted the page has been forgotten.
 */
static bool sgpu_mshr_may_go(struct rm_gpu *gpu, const struct sgpu_mshr *m,
			     enum sgpu_walk_result *res)
{
	struct sgpu_page page;

	if (!m->as->bound || sgpu_mshr_oldest(m)->va >> 12 != m->page ||
	    (m->kind == SGPU_PREFETCH && !sgpu_fault_prefetch_reported(gpu)))
		return true;
	*res = sgpu_walk(gpu, m->as, m->page << 12, m->kind, &page);
	return *res == SGPU_WALK_OK;
}

/* Report pages again that the driver has taken without an answer. */
static void sgpu_far_faults_again(struct rm_gpu *gpu, struct list_head *unanswered, u64 now)
{
	struct sgpu_far_fault *far, *next;
	struct sgpu_mshr *first;
	struct sgpu_fault fault;

	list_for_each_entry_safe(far, next, unanswered, node) {
		first = list_first_entry(&far->mshrs, struct sgpu_mshr, node);
		/* not looked up anew: the page may have come since */
		sgpu_mshr_fault(gpu, first, far->why, now, &fault);
		gpu->mmu.faults++;
		gpu->mmu.retried++;
		sgpu_far_fault_again(gpu, far, &fault);
	}
}

/* Let go what waits for pages that can be accessed, in order of the faults. */
static void sgpu_far_faults_let_go(struct rm_gpu *gpu, u64 taken, u64 now)
{
	struct sgpu_mmu *mmu = &gpu->mmu;
	struct sgpu_far_fault *far, *next;
	struct sgpu_mshr *m, *after;
	enum sgpu_walk_result res;
	LIST_HEAD(unanswered);
	bool left;

	list_for_each_entry_safe(far, next, &mmu->far.waiting, node) {
		left = false;
		list_for_each_entry_safe(m, after, &far->mshrs, node) {
			if (!sgpu_mshr_may_go(gpu, m, &res)) {
				if (!left)
					far->why = res;
				left = true;
				continue;
			}
			/* the last one takes @far with it */
			sgpu_far_fault_leave(gpu, m);
			m->seq = mmu->issue_seq++;
			sgpu_mshr_retry(mmu, m, now);
		}
		if (!left)
			mmu->retried += sgpu_far_fault_taken(far, U64_MAX);
		else if (sgpu_far_fault_taken(far, taken))
			list_move_tail(&far->node, &unanswered);
	}
	sgpu_far_faults_again(gpu, &unanswered, now);
}

static void sgpu_mmu_replay_due(struct sgpu_event *ev)
{
	struct rm_gpu *gpu = container_of(ev, struct rm_gpu, mmu.replay_event);
	struct sgpu_mmu *mmu = &gpu->mmu;
	u64 now = sgpu_now_ps(), taken = 0, waiting;
	bool replay;

	spin_lock(&mmu->lock);
	replay = sgpu_mmu_take_replays(mmu, now, &taken);
	waiting = mmu->waiting;
	if (replay && sgpu_far_faults_wait(mmu))
		sgpu_far_faults_let_go(gpu, taken, now);
	else if (replay)
		sgpu_mmu_retranslate(mmu, now);
	sgpu_mmu_arm(mmu);
	spin_unlock(&mmu->lock);
	if (!replay)
		return;
	trace_softgpu_replay(gpu->index, waiting, now / PS_PER_NS);
	sgpu_timeline_emit(&gpu->timelines, .type = SOFTGPU_TIMELINE_REPLAY, .gpu = gpu->index,
			   .time_ns = now / PS_PER_NS, .value = waiting);
}
