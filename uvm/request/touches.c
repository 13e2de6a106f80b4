// SPDX-License-Identifier: GPL-2.0
/* The future, for an eviction policy that may know it: UVM_IOC_SET_TOUCHES. */
#include <linux/err.h>
#include <linux/sched/signal.h>
#include <linux/sizes.h>
#include <linux/slab.h>
#include <linux/uaccess.h>
#include <linux/uvm.h>
#include "gpu/gpu.h"
#include "memory/pmm.h"
#include "memory/pmm_touches.h"
#include "request/touches.h"

/* Bytes that are copied between two looks at signals. */
#define TOUCHES_PIECE	SZ_1M

static int touches_copy(void *to, u64 from, size_t bytes)
{
	size_t piece, at;

	for (at = 0; at < bytes; at += piece) {
		piece = min_t(size_t, bytes - at, TOUCHES_PIECE);
		if (fatal_signal_pending(current))
			return -EINTR;
		if (copy_from_user(to + at, u64_to_user_ptr(from + at), piece))
			return -EFAULT;
		cond_resched();
	}
	return 0;
}

/* Pages by number of units of 1 << @shift bytes; -EINVAL unless they are as uvm.h says. */
static int touches_take_pages(struct uvm_touches *t, const struct uvm_touched_page *pages,
			      unsigned int shift)
{
	u64 first = 0;
	u32 i;

	for (i = 0; i < t->trace.nr_pages; i++) {
		if (pages[i].__reserved || !pages[i].touches ||
		    pages[i].address & (BIT_ULL(shift) - 1) ||
		    (i && pages[i].address <= pages[i - 1].address) ||
		    pages[i].touches > t->nr_touches - first)
			return -EINVAL;
		t->trace.pages[i].page = pages[i].address >> shift;
		t->trace.pages[i].first = first;
		t->trace.pages[i].count = pages[i].touches;
		first += pages[i].touches;
	}
	return first == t->nr_touches ? 0 : -EINVAL;
}

static int touches_check_positions(const struct uvm_touches *t)
{
	const struct uvm_eviction_trace_page *p;
	u32 i, n;

	for (i = 0; i < t->trace.nr_pages; i++) {
		p = &t->trace.pages[i];
		for (n = p->first + 1; n < p->first + p->count; n++)
			if (t->trace.positions[n] <= t->trace.positions[n - 1])
				return -EINVAL;
	}
	return 0;
}

static int touches_read(struct uvm_touches *t, const struct uvm_set_touches *arg,
			unsigned int shift)
{
	size_t bytes = array_size(arg->nr_pages, sizeof(struct uvm_touched_page));
	struct uvm_touched_page *pages = kvmalloc(bytes, UVM_GFP_ACCOUNT);
	int ret;

	if (!pages)
		return -ENOMEM;
	ret = touches_copy(pages, arg->pages, bytes);
	if (!ret)
		ret = touches_take_pages(t, pages, shift);
	kvfree(pages);
	if (!ret)
		ret = touches_copy(t->positions, arg->positions,
				   array_size(arg->nr_touches, sizeof(*t->positions)));
	return ret ?: touches_check_positions(t);
}

struct uvm_touches *uvm_touches_from_user(const struct uvm_set_touches *arg, u32 unit)
{
	struct uvm_touches *t;
	int ret;

	if (!arg->nr_pages)
		return NULL;
	if (arg->nr_touches > UVM_TOUCHES_MAX || arg->nr_pages > arg->nr_touches)
		return ERR_PTR(-EINVAL);
	t = uvm_touches_alloc(arg->nr_pages, arg->nr_touches);
	if (!t)
		return ERR_PTR(-ENOMEM);
	t->unit = unit;
	ret = touches_read(t, arg, ilog2(unit));
	if (!ret)
		return t;
	uvm_touches_free(t);
	return ERR_PTR(ret);
}
