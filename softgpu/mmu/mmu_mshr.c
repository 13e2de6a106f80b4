// SPDX-License-Identifier: GPL-2.0
/*
 * MMU: MSHRs and faults; see mmu.h.  Replays are mmu_replay.c, cancels mmu_cancel.c.
 *
 * Invariants, with the lock held: an MSHR in use has at least one access; no access
 * of a uTLB is stalled unless all of its MSHRs are in use.
 */
#include <linux/bitmap.h>
#include <linux/hash.h>
#include <linux/sched.h>
#include <kunit/visibility.h>
#include <softgpu/fault_format.h>
#include <softgpu/recorder_format.h>
#include "base/gpu.h"
#include "clock/clock.h"
#include "mmu/far_fault.h"
#include "mmu/fault_buffer.h"
#include "mmu/mmu_cancel.h"
#include "mmu/mmu_mshr.h"
#include "mmu/mmu_tlb.h"
#include "mmu/recorder.h"
#include "mmu/walker.h"

/* Real clock: MSHRs handled before the lock is dropped. */
#define SGPU_MMU_BATCH		64
/* A walk that the recorder has no room for looks again after. */
#define SGPU_MMU_RECORDER_PS	(500 * PS_PER_NS)

static void sgpu_mmu_due(struct sgpu_event *ev);

void sgpu_mmu_mshr_init(struct rm_gpu *gpu)
{
	struct sgpu_mmu *mmu = &gpu->mmu;

	spin_lock_init(&mmu->lock);
	init_waitqueue_head(&mmu->called);
	INIT_LIST_HEAD(&mmu->walk_wait);
	INIT_LIST_HEAD(&mmu->done);
	INIT_LIST_HEAD(&mmu->held);
	mmu->due = RB_ROOT_CACHED;
	mmu->armed = U64_MAX;
	mmu->cancel_before = U64_MAX;
	sgpu_event_init(&mmu->event, gpu->index, SGPU_WORKER_MMU, sgpu_mmu_due);
}

static struct sgpu_mshr *sgpu_mmu_first_due(struct sgpu_mmu *mmu)
{
	return rb_entry_safe(rb_first_cached(&mmu->due), struct sgpu_mshr, rb);
}

static bool sgpu_mshr_less(struct rb_node *a, const struct rb_node *b)
{
	const struct sgpu_mshr *x = rb_entry(a, struct sgpu_mshr, rb);
	const struct sgpu_mshr *y = rb_entry(b, struct sgpu_mshr, rb);

	return x->due != y->due ? x->due < y->due : x->seq < y->seq;
}

static void sgpu_mshr_queue(struct sgpu_mmu *mmu, struct sgpu_mshr *m, u64 due)
{
	/* On the real clock the order of issue is all there is. */
	m->due = mmu->real ? 0 : due;
	rb_add_cached(&m->rb, &mmu->due, sgpu_mshr_less);
}

/* When an L2 lookup begins that a uTLB passes on at @when: the first port that is free takes it. */
static u64 sgpu_mmu_take_l2_port(struct sgpu_mmu *mmu, u64 when)
{
	unsigned int i, first = 0;

	if (!mmu->l2_ports)
		return when;
	for (i = 1; i < mmu->l2_ports; i++)
		if (mmu->l2_port_ps[i] < mmu->l2_port_ps[first])
			first = i;
	when = max(when, mmu->l2_port_ps[first]);
	mmu->l2_port_ps[first] = when + mmu->cycle_ps;
	return when;
}

/*
 * To the L2 TLB, for the page of the oldest access.  Misses of one uTLB go one after the
 * other, those of all side by side.
 */
static void sgpu_mshr_lookup(struct sgpu_mmu *mmu, struct sgpu_mshr *m, u64 when)
{
	struct sgpu_utlb *utlb = &mmu->utlbs[m->utlb];
	u64 start = max(when, utlb->port_ps);

	m->page = sgpu_mshr_oldest(m)->va >> 12;
	utlb->port_ps = start + mmu->port_ps;
	m->state = SGPU_MSHR_L2;
	mmu->in_flight++;
	sgpu_mshr_queue(mmu, m, sgpu_mmu_take_l2_port(mmu, start) + mmu->l2_ps);
}

void sgpu_mmu_arm(struct sgpu_mmu *mmu)
{
	struct sgpu_mshr *m = sgpu_mmu_first_due(mmu);
	u64 when = m ? m->due : U64_MAX;

	lockdep_assert_held(&mmu->lock);
	if (!list_empty(&mmu->done) || mmu->faulted_any)
		when = sgpu_now_ps();
	if (when >= mmu->armed)
		return;
	mmu->armed = when;
	sgpu_event_at(&mmu->event, when);
}

void sgpu_access_done(struct sgpu_mmu *mmu, struct sgpu_access *a, bool cancelled)
{
	a->state = SGPU_ACCESS_DONE;
	a->mshr = NULL;
	a->error = cancelled ? sgpu_access_cancel_error(a) : 0;
	mmu->cancelled += cancelled;
	list_add_tail(&a->node, &mmu->done);
}

/* The access waits for a replay, or for an MSHR, which is the same. */
static void sgpu_access_waits(struct sgpu_mmu *mmu, const struct sgpu_access *a)
{
	mmu->waiting++;
	if (!READ_ONCE(mmu->tell_faulted))
		return;
	__set_bit(a->sm, mmu->faulted);
	mmu->faulted_any = true;
}

static struct hlist_head *sgpu_utlb_bucket(struct sgpu_mmu *mmu, struct sgpu_utlb *utlb, u64 va)
{
	return &utlb->buckets[hash_64(va >> mmu->mshr_shift, ilog2(SGPU_MMU_BUCKETS))];
}

static struct sgpu_mshr *sgpu_utlb_find(struct sgpu_mmu *mmu, struct sgpu_utlb *utlb,
					const struct sgpu_access *a)
{
	u64 piece = a->va >> mmu->mshr_shift;
	struct sgpu_mshr *m;

	hlist_for_each_entry(m, sgpu_utlb_bucket(mmu, utlb, a->va), hash)
		if (m->page >> (mmu->mshr_shift - 12) == piece && m->as == a->as &&
		    m->kind == a->kind)
			return m;
	return NULL;
}

static void sgpu_mshr_add(struct sgpu_mshr *m, struct sgpu_access *a)
{
	a->state = SGPU_ACCESS_MSHR;
	a->mshr = m;
	m->count++;
	list_add_tail(&a->node, &m->accesses);
}

/* Merge the access into an MSHR in use, or give it a free one; false if there is none. */
static bool sgpu_mshr_allocate(struct sgpu_mmu *mmu, struct sgpu_utlb *utlb, struct sgpu_access *a,
			       u64 when)
{
	struct sgpu_mshr *m = sgpu_utlb_find(mmu, utlb, a);
	unsigned int i;

	if (m) {
		sgpu_mshr_add(m, a);
		if (m->state == SGPU_MSHR_FAULTED) {
			mmu->merged++;
			sgpu_access_waits(mmu, a);
		}
		return true;
	}
	i = find_first_zero_bit(utlb->used, mmu->utlb_mshrs);
	if (i >= mmu->utlb_mshrs)
		return false;
	__set_bit(i, utlb->used);
	m = &utlb->mshrs[i];
	m->as = a->as;
	m->kind = a->kind;
	m->seq = a->issue_seq;
	m->count = 0;
	m->replayed = false;
	m->state = SGPU_MSHR_L2;	/* nobody waits for a replay */
	hlist_add_head(&m->hash, sgpu_utlb_bucket(mmu, utlb, a->va));
	sgpu_mshr_add(m, a);
	sgpu_mshr_lookup(mmu, m, when);
	return true;
}

/* MSHRs became free: the oldest stalled accesses get them. */
static void sgpu_utlb_unstall(struct sgpu_mmu *mmu, struct sgpu_utlb *utlb, u64 now)
{
	struct sgpu_access *a, *next;

	list_for_each_entry_safe(a, next, &utlb->stalled, node) {
		list_del(&a->node);
		if (!sgpu_mshr_allocate(mmu, utlb, a, now)) {
			list_add(&a->node, &utlb->stalled);
			return;
		}
		mmu->waiting--;
	}
}

static void sgpu_mshr_free(struct sgpu_mmu *mmu, struct sgpu_mshr *m, u64 now)
{
	struct sgpu_utlb *utlb = &mmu->utlbs[m->utlb];

	m->as = NULL;
	hlist_del_init(&m->hash);
	__clear_bit(m - utlb->mshrs, utlb->used);
	sgpu_utlb_unstall(mmu, utlb, now);
}

/* Take a walker, or a place in the queue for one. */
static void sgpu_mshr_walk(struct sgpu_mmu *mmu, struct sgpu_mshr *m, u64 now)
{
	if (mmu->walking >= mmu->walks_max) {
		m->state = SGPU_MSHR_WALK_WAIT;
		list_add_tail(&m->node, &mmu->walk_wait);
		return;
	}
	mmu->walking++;
	m->state = SGPU_MSHR_WALK;
	sgpu_mshr_queue(mmu, m, now + mmu->walk_ps);
}

/* A walker is free again. */
static void sgpu_mmu_walk_ended(struct sgpu_mmu *mmu, u64 now)
{
	struct sgpu_mshr *m;

	mmu->walking--;
	m = list_first_entry_or_null(&mmu->walk_wait, struct sgpu_mshr, node);
	if (m) {
		list_del_init(&m->node);
		sgpu_mshr_walk(mmu, m, now);
	}
}

void sgpu_mshr_continue(struct sgpu_mmu *mmu, struct sgpu_mshr *m, u64 now)
{
	if (!m->count) {
		sgpu_mshr_free(mmu, m, now);
		return;
	}
	m->seq = sgpu_mshr_oldest(m)->issue_seq;
	sgpu_mshr_lookup(mmu, m, now);
}

void sgpu_mshr_remove(struct sgpu_mshr *m, struct sgpu_access *a)
{
	list_del(&a->node);
	m->count--;
}

static void sgpu_mshr_translated(struct rm_gpu *gpu, struct sgpu_mshr *m,
				 const struct sgpu_page *page, u64 now)
{
	struct sgpu_mmu *mmu = &gpu->mmu;
	u64 va = m->page << 12, epoch = atomic64_read(&mmu->epoch);
	struct sgpu_access *a, *next;

	sgpu_mmu_fill(gpu, &mmu->utlbs[m->utlb], m->as, va, page);
	list_for_each_entry_safe(a, next, &m->accesses, node) {
		if (a->va >> page->shift != va >> page->shift)
			continue;
		sgpu_mshr_remove(m, a);
		a->xlat.aperture = page->aperture;
		a->xlat.pa = page->pa | (a->va & ((1ULL << page->shift) - 1) & ~0xfffULL);
		a->xlat.write = page->write;
		a->xlat.atomic = page->atomic;
		a->epoch = epoch;
		sgpu_access_done(mmu, a, false);
	}
	mmu->in_flight--;
	sgpu_mshr_continue(mmu, m, now);
}

/* End the accesses of an MSHR that is being translated to one page, or all, unperformed. */
static void sgpu_mshr_drop(struct sgpu_mmu *mmu, struct sgpu_mshr *m, u64 page, bool all, u64 now)
{
	struct sgpu_access *a, *next;

	list_for_each_entry_safe(a, next, &m->accesses, node) {
		if (!all && a->va >> 12 != page)
			continue;
		sgpu_mshr_remove(m, a);
		sgpu_access_done(mmu, a, true);
	}
	mmu->in_flight--;
	sgpu_mshr_continue(mmu, m, now);
}

u8 sgpu_fault_type(enum sgpu_walk_result res)
{
	switch (res) {
	case SGPU_WALK_INVALID_PDE:
		return FAULT_TYPE_PDE;
	case SGPU_WALK_INVALID_PTE:
		return FAULT_TYPE_PTE;
	case SGPU_WALK_RO:
		return FAULT_TYPE_RO;
	case SGPU_WALK_ATOMIC:
		return FAULT_TYPE_ATOMIC;
	default:
		return FAULT_TYPE_PDE_SIZE;
	}
}

static u8 sgpu_fault_access(enum sgpu_access_kind kind)
{
	static const u8 access[SGPU_ACCESS_KINDS] = {
		[SGPU_READ] = FAULT_ACCESS_READ,
		[SGPU_WRITE] = FAULT_ACCESS_WRITE,
		[SGPU_ATOMIC] = FAULT_ACCESS_ATOMIC_STRONG,
		[SGPU_PREFETCH] = FAULT_ACCESS_PREFETCH,
	};

	return access[kind];
}

/* Detection is nearly in issue order: look from the end. */
static void sgpu_mshr_wait_in_order(struct sgpu_mmu *mmu, struct sgpu_mshr *m)
{
	struct list_head *faulted = &mmu->utlbs[m->utlb].faulted;
	struct sgpu_mshr *before;

	list_for_each_entry_reverse(before, faulted, node)
		if (before->seq < m->seq)
			break;
	list_add(&m->node, &before->node);
}

void sgpu_mshr_fault(struct rm_gpu *gpu, const struct sgpu_mshr *m, enum sgpu_walk_result res,
		     u64 now, struct sgpu_fault *fault)
{
	const struct sgpu_mmu *mmu = &gpu->mmu;
	const struct sgpu_access *a = sgpu_mshr_oldest(m);
	unsigned int gpc = m->utlb / mmu->utlbs_per_gpc;

	*fault = (struct sgpu_fault){
		.detect_ps = now,
		.instance = m->as->instance,
		.va = a->va,
		.type = sgpu_fault_type(res),
		.access = sgpu_fault_access(m->kind),
		.gpc = gpc,
		.client = a->sm - gpc * mmu->utlbs_per_gpc * mmu->sms_per_utlb,
		.origin = { .cta = a->cta, .pc = a->pc, .sm = a->sm, .warp = a->warp },
	};
}

static void sgpu_mshr_faulted(struct rm_gpu *gpu, struct sgpu_mshr *m, enum sgpu_walk_result res,
			      u64 now)
{
	struct sgpu_mmu *mmu = &gpu->mmu;
	struct sgpu_fault fault;
	struct sgpu_access *a;
	bool reported = true;

	m->state = SGPU_MSHR_FAULTED;
	list_for_each_entry(a, &m->accesses, node)
		sgpu_access_waits(mmu, a);
	mmu->in_flight--;
	sgpu_mshr_fault(gpu, m, res, now, &fault);
	if (sgpu_far_faults_wait(mmu)) {
		reported = sgpu_far_fault_join(gpu, m, &fault);
	} else {
		sgpu_mshr_wait_in_order(mmu, m);
		sgpu_fault_report(gpu, &fault);
	}
	mmu->faults += reported;
	mmu->merged += m->count - reported;
}

void sgpu_mshr_retry(struct sgpu_mmu *mmu, struct sgpu_mshr *m, u64 now)
{
	mmu->waiting -= m->count;
	m->replayed = true;
	sgpu_mshr_lookup(mmu, m, now);
}

void sgpu_mshr_unwait(struct rm_gpu *gpu, struct sgpu_mshr *m)
{
	if (m->far)
		sgpu_far_fault_leave(gpu, m);
	else
		list_del_init(&m->node);
}

/* Accesses that the walk serves, as sgpu_mshr_translated() does: of the 64 KB that are recorded. */
static u32 sgpu_mshr_requests(const struct sgpu_mshr *m, const struct sgpu_page *page)
{
	unsigned int shift = min_t(unsigned int, page->shift, RECORDER_GRANULE_SHIFT);
	const struct sgpu_access *a;
	u32 n = 0;

	list_for_each_entry(a, &m->accesses, node)
		n += a->va >> shift == m->page << 12 >> shift;
	return n;
}

/* The walk has found a page: that is a hit, if somebody wants to know. */
static void sgpu_mshr_record(struct rm_gpu *gpu, const struct sgpu_mshr *m,
			     const struct sgpu_page *page)
{
	struct sgpu_recorder_hit hit = {
		.instance = m->as->instance, .va = m->page << 12, .replayed = m->replayed,
	};

	if (page->aperture != RM_APERTURE_VID || m->kind == SGPU_PREFETCH)
		return;
	hit.requests = sgpu_mshr_requests(m, page);
	hit.known = sgpu_tlb_lookup(&gpu->mmu.l2, sgpu_mmu_tag(m->as), hit.va);
	sgpu_recorder_walked(gpu, &hit);
	if (READ_ONCE(gpu->recorder.pending))
		sgpu_fault_interrupt(gpu);
}

/* The walk of an MSHR ended: read the tables now. */
static void sgpu_mshr_walked(struct rm_gpu *gpu, struct sgpu_mshr *m, u64 now)
{
	struct sgpu_mmu *mmu = &gpu->mmu;
	enum sgpu_walk_result res;
	struct sgpu_page page;

	mmu->walks++;
	sgpu_mmu_walk_ended(mmu, now);
	if (!m->as->bound) {
		sgpu_mshr_drop(mmu, m, m->page, true, now);
		return;
	}
	res = sgpu_walk(gpu, m->as, m->page << 12, m->kind, &page);
	if (res == SGPU_WALK_OK && sgpu_recorder_walks(&gpu->recorder))
		sgpu_mshr_record(gpu, m, &page);
	if (res == SGPU_WALK_OK)
		sgpu_mshr_translated(gpu, m, &page, now);
	else if (m->kind == SGPU_PREFETCH && !sgpu_fault_prefetch_reported(gpu))
		sgpu_mshr_drop(mmu, m, m->page, false, now);
	else
		sgpu_mshr_faulted(gpu, m, res, now);
}

/* The access whose page was to be translated is forgotten: it is another one's turn. */
static void sgpu_mshr_restart(struct sgpu_mmu *mmu, struct sgpu_mshr *m, u64 now)
{
	if (m->state == SGPU_MSHR_WALK)
		sgpu_mmu_walk_ended(mmu, now);
	mmu->in_flight--;
	sgpu_mshr_continue(mmu, m, now);
}

static void sgpu_mshr_step(struct rm_gpu *gpu, struct sgpu_mshr *m, u64 now)
{
	struct sgpu_mmu *mmu = &gpu->mmu;
	struct sgpu_page page;

	rb_erase_cached(&m->rb, &mmu->due);
	if (m->state == SGPU_MSHR_WALK && unlikely(sgpu_recorder_full(gpu))) {
		sgpu_mshr_queue(mmu, m, now + SGPU_MMU_RECORDER_PS);
		return;
	}
	if (unlikely(sgpu_mshr_oldest(m)->va >> 12 != m->page))
		sgpu_mshr_restart(mmu, m, now);
	else if (m->state == SGPU_MSHR_WALK)
		sgpu_mshr_walked(gpu, m, now);
	else if (m->as->bound && sgpu_mmu_lookup_l2(gpu, m->as, m->page << 12, m->kind, &page))
		sgpu_mshr_translated(gpu, m, &page, now);
	else
		sgpu_mshr_walk(mmu, m, now);
}

/* Make the call-backs, without the lock. */
static void sgpu_mmu_call_back(struct rm_gpu *gpu)
	__must_hold(&gpu->mmu.lock)
{
	struct sgpu_mmu *mmu = &gpu->mmu;
	struct sgpu_access *a;

	while ((a = list_first_entry_or_null(&mmu->done, struct sgpu_access, node))) {
		struct sgpu_translation xlat = a->xlat;
		u64 epoch = a->epoch;
		int error = a->error;

		list_del_init(&a->node);
		/* From here it is its owner's, who may free or reuse it. */
		a->state = SGPU_ACCESS_FREE;
		WRITE_ONCE(mmu->calling, a);
		mmu->caller = current;
		spin_unlock(&mmu->lock);
		if (error)
			mmu->client->cancelled(gpu, a, error);
		else
			mmu->client->translated(gpu, a, &xlat, epoch);
		spin_lock(&mmu->lock);
		WRITE_ONCE(mmu->calling, NULL);
		mmu->caller = NULL;
		if (mmu->real)
			wake_up_all(&mmu->called);
	}
}

/* Tell the SMs whose accesses have begun to wait for a replay, without the lock. */
static void sgpu_mmu_tell_faulted(struct rm_gpu *gpu)
	__must_hold(&gpu->mmu.lock)
{
	struct sgpu_mmu *mmu = &gpu->mmu;
	unsigned long sm;

	if (likely(!mmu->faulted_any))
		return;
	while ((sm = find_first_bit(mmu->faulted, SGPU_MMU_SMS_MAX)) < SGPU_MMU_SMS_MAX) {
		__clear_bit(sm, mmu->faulted);
		if (!mmu->client->faulted)
			continue;
		spin_unlock(&mmu->lock);
		mmu->client->faulted(gpu, sm);
		spin_lock(&mmu->lock);
	}
	mmu->faulted_any = false;
}

static void sgpu_mmu_due(struct sgpu_event *ev)
{
	struct rm_gpu *gpu = container_of(ev, struct rm_gpu, mmu.event);
	struct sgpu_mmu *mmu = &gpu->mmu;
	u64 now = sgpu_now_ps();
	struct sgpu_mshr *m;
	unsigned int n = 0;

	spin_lock(&mmu->lock);
	mmu->armed = U64_MAX;
	while ((m = sgpu_mmu_first_due(mmu)) && m->due <= now) {
		if (mmu->real && n++ == SGPU_MMU_BATCH)
			break;
		sgpu_mshr_step(gpu, m, now);
	}
	sgpu_mmu_call_back(gpu);
	sgpu_mmu_tell_faulted(gpu);
	sgpu_mmu_arm(mmu);
	spin_unlock(&mmu->lock);
}

void sgpu_mmu_begin(struct sgpu_mmu *mmu, struct sgpu_access *a, u64 when_ps)
{
	struct sgpu_utlb *utlb = mmu->by_sm[a->sm];

	lockdep_assert_held(&mmu->lock);
	a->issue_seq = mmu->issue_seq++;
	a->mshr = NULL;
	if (!a->as->bound) {
		sgpu_access_done(mmu, a, true);
	} else if (!sgpu_mshr_allocate(mmu, utlb, a, when_ps)) {
		a->state = SGPU_ACCESS_STALLED;
		list_add_tail(&a->node, &utlb->stalled);
		sgpu_access_waits(mmu, a);
	}
	sgpu_mmu_arm(mmu);
}

void sgpu_mmu_request(struct rm_gpu *gpu, struct sgpu_access *a, u64 when_ps)
{
	struct sgpu_mmu *mmu = &gpu->mmu;

	spin_lock(&mmu->lock);
	sgpu_mmu_begin(mmu, a, when_ps);
	spin_unlock(&mmu->lock);
}
EXPORT_SYMBOL_IF_KUNIT(sgpu_mmu_request);

/* Nobody waits for this MSHR any more. */
static void sgpu_mshr_abandon(struct rm_gpu *gpu, struct sgpu_mshr *m, u64 now)
{
	struct sgpu_mmu *mmu = &gpu->mmu;

	if (m->state == SGPU_MSHR_L2 || m->state == SGPU_MSHR_WALK)
		rb_erase_cached(&m->rb, &mmu->due);
	if (m->state == SGPU_MSHR_WALK)
		sgpu_mmu_walk_ended(mmu, now);
	if (m->state == SGPU_MSHR_WALK_WAIT)
		list_del_init(&m->node);
	if (m->state == SGPU_MSHR_FAULTED)
		sgpu_mshr_unwait(gpu, m);
	else
		mmu->in_flight--;
	sgpu_mshr_free(mmu, m, now);
}

void sgpu_mmu_forget(struct rm_gpu *gpu, struct sgpu_access *a)
{
	struct sgpu_mmu *mmu = &gpu->mmu;
	struct sgpu_mshr *m;

	spin_lock(&mmu->lock);
	while (mmu->real && mmu->calling == a && mmu->caller != current) {
		spin_unlock(&mmu->lock);
		wait_event(mmu->called, READ_ONCE(mmu->calling) != a);
		spin_lock(&mmu->lock);
	}
	m = a->mshr;
	if (a->state != SGPU_ACCESS_FREE)
		list_del_init(&a->node);
	if (a->state == SGPU_ACCESS_STALLED || (m && m->state == SGPU_MSHR_FAULTED))
		mmu->waiting--;
	a->state = SGPU_ACCESS_FREE;
	a->mshr = NULL;
	if (m && !--m->count)
		sgpu_mshr_abandon(gpu, m, sgpu_now_ps());
	sgpu_mmu_arm(mmu);
	spin_unlock(&mmu->lock);
}
EXPORT_SYMBOL_IF_KUNIT(sgpu_mmu_forget);

bool sgpu_mmu_waits(struct rm_gpu *gpu, const struct sgpu_access *a)
{
	struct sgpu_mmu *mmu = &gpu->mmu;
	bool waits;

	spin_lock(&mmu->lock);
	waits = a->state == SGPU_ACCESS_STALLED ||
		(a->state == SGPU_ACCESS_MSHR && a->mshr->state == SGPU_MSHR_FAULTED);
	spin_unlock(&mmu->lock);
	return waits;
}
EXPORT_SYMBOL_IF_KUNIT(sgpu_mmu_waits);

bool sgpu_mmu_busy(struct rm_gpu *gpu)
{
	struct sgpu_mmu *mmu = &gpu->mmu;
	bool busy;

	spin_lock(&mmu->lock);
	busy = mmu->in_flight || mmu->replay_count || mmu->calling || !list_empty(&mmu->done) ||
	       mmu->faulted_any;
	spin_unlock(&mmu->lock);
	return busy;
}
EXPORT_SYMBOL_IF_KUNIT(sgpu_mmu_busy);
