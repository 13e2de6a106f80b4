// SPDX-License-Identifier: GPL-2.0
/* The future, for an eviction policy that may know it: UVM_IOC_SET_USES. */
#include <linux/err.h>
#include <linux/sched.h>
#include <linux/slab.h>
#include <linux/uvm.h>
#include "base/types.h"
#include "gpu/gpu.h"
#include "memory/pmm_stays.h"
#include "policy/references/eviction_uses.h"
#include "request/stays.h"

/* -EINVAL unless they are as uvm.h says. */
static int uses_take_used(struct uvm_stays *t, const struct uvm_used *used)
{
	u32 i, first = 0;

	for (i = 0; i < t->plan.nr_used; i++) {
		cond_resched();
		if (used[i].__reserved || !used[i].uses ||
		    used[i].address & (UVM_BIG_PAGE - 1) ||
		    (i && used[i].address <= used[i - 1].address) ||
		    used[i].uses > t->nr_stays - first)
			return -EINVAL;
		t->plan.used[i].number = used[i].address >> UVM_BIG_PAGE_SHIFT;
		t->plan.used[i].first = first;
		t->plan.used[i].count = used[i].uses;
		first += used[i].uses;
	}
	return first == t->nr_stays ? 0 : -EINVAL;
}

static int uses_check_one(const struct uvm_use *use, bool first)
{
	if (use->__reserved || !use->pages || !use->requests ||
	    use->position == UVM_USE_NEVER || (!first && use->position <= use[-1].position))
		return -EINVAL;
	return 0;
}

static int uses_check(const struct uvm_stays *t)
{
	const struct uvm_eviction_used *used;
	u32 i, n;

	for (i = 0; i < t->plan.nr_used; i++) {
		used = &t->plan.used[i];
		for (n = 0; n < used->count; n++) {
			cond_resched();
			if (uses_check_one(&t->uses[used->first + n], !n))
				return -EINVAL;
		}
	}
	for (i = 1; i < t->plan.nr_launches; i++) {
		cond_resched();
		if (t->launches[i] < t->launches[i - 1])
			return -EINVAL;
	}
	return 0;
}

static int uses_read(struct uvm_stays *t, const struct uvm_set_uses *arg)
{
	size_t bytes = array_size(arg->nr_used, sizeof(struct uvm_used));
	struct uvm_used *used = kvmalloc(bytes, UVM_GFP_ACCOUNT);
	int ret;

	if (!used)
		return -ENOMEM;
	ret = uvm_stays_copy(used, arg->used, bytes);
	if (!ret)
		ret = uses_take_used(t, used);
	kvfree(used);
	if (!ret)
		ret = uvm_stays_copy(t->uses, arg->uses,
				     array_size(arg->nr_uses, sizeof(*t->uses)));
	if (!ret)
		ret = uvm_stays_copy(t->launches, arg->launches,
				     array_size(arg->nr_launches, sizeof(*t->launches)));
	return ret ?: uses_check(t);
}

struct uvm_stays *uvm_uses_from_user(const struct uvm_set_uses *arg)
{
	struct uvm_stays *t;
	int ret;

	if (!arg->nr_used)
		return NULL;
	if (arg->nr_uses > UVM_USES_MAX || arg->nr_used > arg->nr_uses ||
	    !arg->nr_launches || arg->nr_launches > UVM_USES_MAX)
		return ERR_PTR(-EINVAL);
	t = uvm_uses_alloc(arg->nr_used, arg->nr_uses, arg->nr_launches);
	if (!t)
		return ERR_PTR(-ENOMEM);
	ret = uses_read(t, arg);
	if (!ret)
		return t;
	uvm_stays_free(t);
	return ERR_PTR(ret);
}
