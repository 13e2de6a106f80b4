// SPDX-License-Identifier: GPL-2.0
/* The future, for an eviction policy that may know it: UVM_IOC_SET_STAYS. */
#include <linux/err.h>
#include <linux/sched/signal.h>
#include <linux/sizes.h>
#include <linux/slab.h>
#include <linux/uaccess.h>
#include <linux/uvm.h>
#include "gpu/gpu.h"
#include "memory/pmm.h"
#include "memory/pmm_stays.h"
#include "request/stays.h"

/* Bytes that are copied between two looks at signals. */
#define STAYS_PIECE	SZ_1M

int uvm_stays_copy(void *to, u64 from, size_t bytes)
{
	size_t piece, at;

	for (at = 0; at < bytes; at += piece) {
		piece = min_t(size_t, bytes - at, STAYS_PIECE);
		if (fatal_signal_pending(current))
			return -EINTR;
		if (copy_from_user(to + at, u64_to_user_ptr(from + at), piece))
			return -EFAULT;
		cond_resched();
	}
	return 0;
}

/* Pages by number of units of 1 << @shift bytes; -EINVAL unless they are as uvm.h says. */
static int stays_take_pages(struct uvm_stays *t, const struct uvm_page_stays *pages,
			    unsigned int shift)
{
	u64 first = 0;
	u32 i;

	for (i = 0; i < t->plan.nr_pages; i++) {
		if (pages[i].__reserved || !pages[i].stays ||
		    pages[i].address & (BIT_ULL(shift) - 1) ||
		    (i && pages[i].address <= pages[i - 1].address) ||
		    pages[i].stays > t->nr_stays - first)
			return -EINVAL;
		t->plan.pages[i].page = pages[i].address >> shift;
		t->plan.pages[i].first = first;
		t->plan.pages[i].count = pages[i].stays;
		first += pages[i].stays;
	}
	return first == t->nr_stays ? 0 : -EINVAL;
}

static int stays_check_ends(const struct uvm_stays *t)
{
	const struct uvm_eviction_plan_page *p;
	u32 i, n;

	for (i = 0; i < t->plan.nr_pages; i++) {
		p = &t->plan.pages[i];
		cond_resched();
		for (n = p->first + 1; n < p->first + p->count; n++)
			if (t->plan.ends[n] <= t->plan.ends[n - 1])
				return -EINVAL;
	}
	return 0;
}

static int stays_read(struct uvm_stays *t, const struct uvm_set_stays *arg, unsigned int shift)
{
	size_t bytes = array_size(arg->nr_pages, sizeof(struct uvm_page_stays));
	struct uvm_page_stays *pages = kvmalloc(bytes, UVM_GFP_ACCOUNT);
	int ret;

	if (!pages)
		return -ENOMEM;
	ret = uvm_stays_copy(pages, arg->pages, bytes);
	if (!ret)
		ret = stays_take_pages(t, pages, shift);
	kvfree(pages);
	if (!ret)
		ret = uvm_stays_copy(t->ends, arg->ends,
				     array_size(arg->nr_stays, sizeof(*t->ends)));
	return ret ?: stays_check_ends(t);
}

struct uvm_stays *uvm_stays_from_user(const struct uvm_set_stays *arg, u32 unit)
{
	struct uvm_stays *t;
	int ret;

	if (!arg->nr_pages)
		return NULL;
	if (arg->nr_stays > UVM_STAYS_MAX || arg->nr_pages > arg->nr_stays)
		return ERR_PTR(-EINVAL);
	t = uvm_stays_alloc(arg->nr_pages, arg->nr_stays);
	if (!t)
		return ERR_PTR(-ENOMEM);
	t->unit = unit;
	ret = stays_read(t, arg, ilog2(unit));
	if (!ret)
		return t;
	uvm_stays_free(t);
	return ERR_PTR(ret);
}
