// SPDX-License-Identifier: GPL-2.0
/* Physical memory of one GPU: what will be touched; see pmm_touches.h. */
#include <linux/slab.h>
#include "base/types.h"
#include "gpu/gpu.h"
#include "memory/pmm_policy.h"
#include "memory/pmm_touches.h"

struct uvm_touches *uvm_touches_alloc(u32 nr_pages, u32 nr_touches)
{
	size_t pages = array_size(nr_pages, sizeof(struct uvm_eviction_trace_page));
	size_t positions = array_size(nr_touches, sizeof(u64));
	struct uvm_touches *t = kzalloc(sizeof(*t), GFP_KERNEL_ACCOUNT);

	if (!t)
		return NULL;
	if (!rm_charge(&t->charge, pages + positions)) {
		t->trace.pages = kvzalloc(pages, UVM_GFP_ACCOUNT);
		t->positions = kvmalloc(positions, UVM_GFP_ACCOUNT);
	}
	t->trace.positions = t->positions;
	t->trace.nr_pages = nr_pages;
	t->nr_touches = nr_touches;
	if (t->trace.pages && t->positions)
		return t;
	uvm_touches_free(t);
	return NULL;
}

void uvm_touches_free(struct uvm_touches *touches)
{
	if (!touches)
		return;
	kvfree(touches->trace.pages);
	kvfree(touches->positions);
	rm_uncharge(&touches->charge);
	kfree(touches);
}

int uvm_pmm_set_touches(struct uvm_gpu *gpu, struct uvm_touches *touches)
{
	struct uvm_pmm *pmm = &gpu->pmm;
	struct uvm_touches *before;
	int ret = 0;

	mutex_lock(&pmm->lock);
	before = pmm->touches;
	if (touches && touches->unit != uvm_chunk_bytes(pmm->pool.unit))
		ret = -EBUSY;
	pmm->touches = ret ? before : touches;
	if (!ret)
		ret = uvm_pmm_use_evictor(pmm, pmm->pool.evictor->ops,
					  pmm->pool.evictor->ctx.params);
	if (ret)
		pmm->touches = before;
	mutex_unlock(&pmm->lock);
	if (!ret)
		uvm_touches_free(before);
	return ret;
}
