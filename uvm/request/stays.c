// SPDX-License-Identifier: GPL-2.0
/* The future, for an eviction policy that may know it: UVM_IOC_SET_STAYS, UVM_IOC_SET_USES. */
#include <linux/err.h>
#include <linux/sched/signal.h>
#include <linux/sizes.h>
#include <linux/slab.h>
#include <linux/uaccess.h>
#include <linux/uvm.h>
#include "base/ioctl_row.h"
#include "gpu/gpu.h"
#include "memory/pmm.h"
#include "memory/pmm_stays.h"
#include "request/stays.h"
#include "space/va_space.h"

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

static struct uvm_stays *stays_from_user(const struct uvm_set_stays *arg, u32 unit)
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

/* ---- ioctls: they copy in between, so they enter the clock themselves ------ */

/* Which units that GPU of the VA space has, 0 if there is none. */
static u32 stays_gpu_unit(struct uvm_va_space *va_space, s32 gpu)
{
	struct uvm_gpu_va_space *gvs;
	struct sim_task self;
	u32 unit = 0;

	door_enter(&self, uvm_gpu(0)->rm, RM_PROFILE_cost_poll);
	sim_down_read(&va_space->lock);
	gvs = va_space->gpus[gpu];
	if (gvs)
		unit = uvm_chunk_bytes(uvm_pmm_granularity(gvs->gpu));
	sim_up_read(&va_space->lock);
	sim_leave(&self);
	return unit;
}

/* What a user says becomes the GPU's. */
static int stays_set(struct uvm_va_space *va_space, s32 gpu, struct uvm_stays *stays)
{
	struct uvm_gpu_va_space *gvs;
	struct sim_task self;
	int ret = -ENODEV;

	if (IS_ERR(stays))
		return PTR_ERR(stays);
	if (stays)
		stays->plan.va_space = va_space->id;
	door_enter(&self, uvm_gpu(0)->rm, RM_PROFILE_cost_ioctl);
	sim_down_read(&va_space->lock);
	gvs = va_space->gpus[gpu];
	if (gvs)
		ret = uvm_pmm_set_stays(gvs->gpu, stays);
	sim_up_read(&va_space->lock);
	sim_leave(&self);
	if (ret)
		uvm_stays_free(stays);
	return ret;
}

static int uvm_ioctl_set_stays(struct file *file, void *data)
{
	const struct uvm_set_stays *arg = data;
	u32 unit = stays_gpu_unit(file->private_data, arg->gpu);

	if (!unit)
		return -ENODEV;
	return stays_set(file->private_data, arg->gpu, stays_from_user(arg, unit));
}

UVM_IOCTL(UVM_IOC_SET_STAYS, uvm_set_stays, uvm_ioctl_set_stays,
	  .reserved = { DOOR_AT(uvm_set_stays, __reserved) },
	  .gpu = { DOOR_AT(uvm_set_stays, gpu) });

static int uvm_ioctl_set_uses(struct file *file, void *data)
{
	const struct uvm_set_uses *arg = data;

	if (!stays_gpu_unit(file->private_data, arg->gpu))
		return -ENODEV;
	return stays_set(file->private_data, arg->gpu, uvm_uses_from_user(arg));
}

UVM_IOCTL(UVM_IOC_SET_USES, uvm_set_uses, uvm_ioctl_set_uses,
	  .gpu = { DOOR_AT(uvm_set_uses, gpu) });
