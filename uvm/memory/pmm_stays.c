// SPDX-License-Identifier: GPL-2.0
/* Physical memory of one GPU: what is known of the future; see pmm_stays.h. */
#include <linux/slab.h>
#include "base/types.h"
#include "gpu/gpu.h"
#include "memory/pmm_policy.h"
#include "memory/pmm_stays.h"

struct uvm_stays *uvm_stays_alloc(u32 nr_pages, u32 nr_stays)
{
	size_t pages = array_size(nr_pages, sizeof(struct uvm_eviction_plan_page));
	size_t ends = array_size(nr_stays, sizeof(u32));
	struct uvm_stays *t = kzalloc(sizeof(*t), GFP_KERNEL_ACCOUNT);

	if (!t)
		return NULL;
	if (!rm_charge(&t->charge, pages + ends)) {
		t->plan.pages = kvzalloc(pages, UVM_GFP_ACCOUNT);
		t->ends = kvmalloc(ends, UVM_GFP_ACCOUNT);
	}
	t->plan.ends = t->ends;
	t->plan.nr_pages = nr_pages;
	t->nr_stays = nr_stays;
	if (t->plan.pages && t->ends)
		return t;
	uvm_stays_free(t);
	return NULL;
}

struct uvm_stays *uvm_uses_alloc(u32 nr_used, u32 nr_uses, u32 nr_launches)
{
	size_t used = array_size(nr_used, sizeof(struct uvm_eviction_used));
	size_t uses = array_size(nr_uses, sizeof(struct uvm_use));
	size_t launches = array_size(nr_launches, sizeof(u32));
	struct uvm_stays *t = kzalloc(sizeof(*t), GFP_KERNEL_ACCOUNT);

	if (!t)
		return NULL;
	if (!rm_charge(&t->charge, used + uses + launches)) {
		t->plan.used = kvzalloc(used, UVM_GFP_ACCOUNT);
		t->uses = kvmalloc(uses, UVM_GFP_ACCOUNT);
		t->launches = kvmalloc(launches, UVM_GFP_ACCOUNT);
	}
	t->plan.uses = t->uses;
	t->plan.launches = t->launches;
	t->plan.nr_used = nr_used;
	t->plan.nr_launches = nr_launches;
	t->nr_stays = nr_uses;
	if (t->plan.used && t->uses && t->launches)
		return t;
	uvm_stays_free(t);
	return NULL;
}

void uvm_stays_free(struct uvm_stays *stays)
{
	if (!stays)
		return;
	kvfree(stays->plan.pages);
	kvfree(stays->ends);
	kvfree(stays->plan.used);
	kvfree(stays->uses);
	kvfree(stays->launches);
	rm_uncharge(&stays->charge);
	kfree(stays);
}

int uvm_pmm_set_stays(struct uvm_gpu *gpu, struct uvm_stays *stays)
{
	struct uvm_pmm *pmm = &gpu->pmm;
	struct uvm_stays *before;
	int ret = 0;

	mutex_lock(&pmm->lock);
	before = pmm->stays;
	if (stays && stays->unit && stays->unit != uvm_chunk_bytes(pmm->pool.unit))
		ret = -EBUSY;
	pmm->stays = ret ? before : stays;
	if (!ret)
		ret = uvm_pmm_use_evictor(pmm, pmm->pool.evictor->ops,
					  pmm->pool.evictor->ctx.params);
	if (ret)
		pmm->stays = before;
	mutex_unlock(&pmm->lock);
	if (!ret)
		uvm_stays_free(before);
	return ret;
}
