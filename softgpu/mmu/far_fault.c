// SPDX-License-Identifier: GPL-2.0
/* Far faults that wait for their page; see far_fault.h. */
#include <linux/hash.h>
#include <linux/log2.h>
#include <linux/mm.h>
#include "base/gpu.h"
#include "base/profile.h"
#include "mmu/far_fault.h"

int sgpu_far_faults_init(struct rm_gpu *gpu)
{
	struct sgpu_far_faults *far = &gpu->mmu.far;
	unsigned int count = gpu->mmu.utlb_count * gpu->mmu.utlb_mshrs, i;

	INIT_LIST_HEAD(&far->waiting);
	INIT_LIST_HEAD(&far->free);
	if (sgpu_prof(gpu, far_faults) != SGPU_FAR_FAULTS_WAIT)
		return 0;
	far->all = kvcalloc(count, sizeof(*far->all), GFP_KERNEL);
	if (!far->all)
		return -ENOMEM;
	for (i = 0; i < count; i++) {
		INIT_LIST_HEAD(&far->all[i].mshrs);
		INIT_LIST_HEAD(&far->all[i].report.node);
		list_add_tail(&far->all[i].node, &far->free);
	}
	return 0;
}

void sgpu_far_faults_exit(struct rm_gpu *gpu)
{
	kvfree(gpu->mmu.far.all);
	gpu->mmu.far.all = NULL;
}

static struct hlist_head *sgpu_far_bucket(struct sgpu_far_faults *far, u64 page)
{
	return &far->buckets[hash_64(page, ilog2(SGPU_FAR_FAULT_BUCKETS))];
}

static struct sgpu_far_fault *sgpu_far_fault_find(struct sgpu_far_faults *far,
						  const struct sgpu_mshr *m)
{
	struct sgpu_far_fault *f;

	hlist_for_each_entry(f, sgpu_far_bucket(far, m->page), hash)
		if (f->page == m->page && f->as == m->as)
			return f;
	return NULL;
}

static void sgpu_far_fault_report(struct rm_gpu *gpu, struct sgpu_far_fault *f,
				  const struct sgpu_fault *fault)
{
	f->report.fault = *fault;
	sgpu_fault_queue(gpu, &f->report);
}

/* There is one for each MSHR, so there is a free one for an MSHR that has none. */
static struct sgpu_far_fault *sgpu_far_fault_begin(struct sgpu_far_faults *far,
						   const struct sgpu_mshr *m)
{
	struct sgpu_far_fault *f = list_first_entry(&far->free, struct sgpu_far_fault, node);

	f->as = m->as;
	f->page = m->page;
	list_move_tail(&f->node, &far->waiting);
	hlist_add_head(&f->hash, sgpu_far_bucket(far, f->page));
	return f;
}

bool sgpu_far_fault_join(struct rm_gpu *gpu, struct sgpu_mshr *m, const struct sgpu_fault *fault)
{
	struct sgpu_far_faults *far = &gpu->mmu.far;
	struct sgpu_far_fault *f = sgpu_far_fault_find(far, m);
	bool report = !f;

	lockdep_assert_held(&gpu->mmu.lock);
	if (!f)
		f = sgpu_far_fault_begin(far, m);
	m->far = f;
	list_add_tail(&m->node, &f->mshrs);
	if (report)
		sgpu_far_fault_report(gpu, f, fault);
	return report;
}

void sgpu_far_fault_leave(struct rm_gpu *gpu, struct sgpu_mshr *m)
{
	struct sgpu_far_fault *f = m->far;

	lockdep_assert_held(&gpu->mmu.lock);
	list_del_init(&m->node);
	m->far = NULL;
	if (!list_empty(&f->mshrs))
		return;
	sgpu_fault_unqueue(gpu, &f->report);
	hlist_del_init(&f->hash);
	list_move(&f->node, &gpu->mmu.far.free);
}

bool sgpu_far_fault_taken(const struct sgpu_far_fault *f, u64 taken)
{
	u64 number = READ_ONCE(f->report.number);

	return number && number <= taken;
}

void sgpu_far_fault_again(struct rm_gpu *gpu, struct sgpu_far_fault *f,
			  const struct sgpu_fault *fault)
{
	lockdep_assert_held(&gpu->mmu.lock);
	list_move_tail(&f->node, &gpu->mmu.far.waiting);
	sgpu_far_fault_report(gpu, f, fault);
}
