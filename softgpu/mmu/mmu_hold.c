// SPDX-License-Identifier: GPL-2.0
/* Accesses that wait for an access counter to be cleared; see mmu_hold.h. */
#include <kunit/visibility.h>
#include "base/gpu.h"
#include "clock/clock.h"
#include "mmu/access_counter.h"
#include "mmu/mmu_hold.h"
#include "mmu/mmu_mshr.h"

/*
 * The counter is looked at under the MMU's lock: one that is cleared after that finds the access
 * in the list.
 */
void sgpu_mmu_hold(struct rm_gpu *gpu, struct sgpu_access *a, u64 when_ps)
{
	struct sgpu_mmu *mmu = &gpu->mmu;

	spin_lock(&mmu->lock);
	if (sgpu_access_counters_stall(gpu, a->as->instance, a->va)) {
		a->mshr = NULL;
		a->state = SGPU_ACCESS_HELD;
		list_add_tail(&a->node, &mmu->held);
		mmu->holds++;
	} else {
		sgpu_mmu_begin(mmu, a, when_ps);
	}
	spin_unlock(&mmu->lock);
}
EXPORT_SYMBOL_IF_KUNIT(sgpu_mmu_hold);

/* There may be thousands of others: only those in the span are looked up. */
static bool sgpu_access_may_go(struct rm_gpu *gpu, const struct sgpu_access *a,
			       const struct sgpu_counter_span *span)
{
	if (span && (a->as->instance != span->instance || a->va < span->first ||
		     a->va > span->last))
		return false;
	return !sgpu_access_counters_stall(gpu, a->as->instance, a->va);
}

void sgpu_mmu_release(struct rm_gpu *gpu, const struct sgpu_counter_span *span)
{
	struct sgpu_mmu *mmu = &gpu->mmu;
	struct sgpu_access *a, *next;
	u64 now = sgpu_now_ps();

	spin_lock(&mmu->lock);
	list_for_each_entry_safe(a, next, &mmu->held, node) {
		if (!sgpu_access_may_go(gpu, a, span))
			continue;
		list_del(&a->node);
		mmu->released++;
		sgpu_mmu_begin(mmu, a, now);
	}
	spin_unlock(&mmu->lock);
}
EXPORT_SYMBOL_IF_KUNIT(sgpu_mmu_release);
