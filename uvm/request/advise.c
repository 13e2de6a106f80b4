// SPDX-License-Identifier: GPL-2.0
/*
 * Advice: where pages should live, who is to reach them, who may have copies
 * (nvidia-uvm 1.5, 6.2).
 */
#include "base/ioctl_row.h"
#include "gpu/gpu.h"
#include "block/service.h"
#include "block/va_block.h"
#include "space/managed_range.h"
#include "space/va_space.h"
#include "base/work.h"

/**
 * struct uvm_advice - one change of policy
 * @apply: change the policy of a range
 * @refresh: bring a block that exists into line with it, NULL: nothing to do
 * @release_groups: what must not migrate leaves its group: it has no place to be
 * @accessed_by: bit per processor that memory is accessed by from now on
 * @id: processor concerned
 * @on: set or unset
 */
struct uvm_advice {
	void (*apply)(struct uvm_va_policy *policy, const struct uvm_advice *advice);
	uvm_service_fn refresh;
	bool release_groups;
	u16 accessed_by;
	unsigned int id;
	bool on;
};

/* Make @addr a boundary between ranges; ranges_lock held. */
static int uvm_advise_split_at(struct uvm_va_space *va_space, u64 addr)
{
	struct uvm_va_range *range = uvm_va_range_find(&va_space->ranges, addr);

	if (!range || uvm_va_range_start(range) == addr)
		return 0;
	return uvm_va_space_split_range(va_space, range, addr);
}

static int uvm_advise_ranges(struct uvm_va_space *va_space, u64 base, u64 length,
			     const struct uvm_advice *advice)
{
	struct uvm_va_range *range;
	int ret = -EINVAL;

	mutex_lock(&va_space->ranges_lock);
	if (uvm_va_space_is_managed(va_space, base, length)) {
		ret = uvm_advise_split_at(va_space, base);
		if (!ret)
			ret = uvm_advise_split_at(va_space, base + length);
	}
	if (!ret)
		for_each_uvm_va_range_in(range, &va_space->ranges, base, base + length - 1)
			advice->apply(&range->policy, advice);
	mutex_unlock(&va_space->ranges_lock);
	return ret;
}

static int uvm_advise_release_groups(struct uvm_va_space *va_space, u64 base, u64 last)
{
	u64 addr, end;
	int ret = 0;

	for (addr = base; addr <= last && !ret; addr = end + 1) {
		if (!uvm_range_group_next_run(&va_space->groups, addr, last, &end))
			ret = uvm_range_group_set(&va_space->groups, NULL, addr, end,
						  GFP_KERNEL_ACCOUNT);
	}
	return ret;
}

static int uvm_advise(struct uvm_va_space *va_space, u64 base, u64 length,
		      const struct uvm_advice *advice)
{
	int ret;

	sim_down_write(&va_space->lock);
	uvm_va_space_reap(va_space);
	if (advice->id != UVM_ID_INVALID && !uvm_va_space_has_processor(va_space, advice->id))
		ret = -ENODEV;
	else
		ret = uvm_advise_ranges(va_space, base, length, advice);
	if (!ret)
		WRITE_ONCE(va_space->accessed_by, va_space->accessed_by | advice->accessed_by);
	if (!ret && advice->release_groups)
		ret = uvm_advise_release_groups(va_space, base, base + length - 1);
	if (!ret && advice->refresh)
		ret = uvm_va_space_visit(va_space, base, length, advice->refresh, advice);
	sim_up_write(&va_space->lock);
	return ret;
}

/* ---- preferred location ---------------------------------------------- */

static void uvm_advise_apply_preferred(struct uvm_va_policy *policy,
				       const struct uvm_advice *advice)
{
	policy->preferred = advice->id;
}

/* What the new preferred location reaches over a link is to come to it. */
static int uvm_advise_refresh_preferred(struct uvm_service *service, const void *arg)
{
	const struct uvm_advice *advice = arg;
	struct uvm_va_block *block = service->request.block;
	struct uvm_page_mask remote;

	uvm_page_mask_andnot(&remote, &service->pages.wanted,
			     uvm_block_state_resident(&block->state, advice->id));
	return uvm_va_block_unmap_gpu(block,
				      service->request.va_space->gpus[uvm_id_gpu_index(advice->id)],
				      &remote);
}

/*
 * Where pages should live; %UVM_ID_INVALID is nowhere in particular.  Moves nothing, but what a
 * preferred GPU has mapped remotely is unmapped, to be faulted in (nvidia-uvm 6.2).
 */
static int uvm_advise_preferred(struct uvm_va_space *va_space, const struct uvm_advise *arg,
				unsigned int id)
{
	const struct uvm_advice advice = {
		.apply = uvm_advise_apply_preferred,
		.refresh = uvm_id_is_gpu(id) ? uvm_advise_refresh_preferred : NULL,
		.release_groups = id == UVM_ID_INVALID,
		.id = id,
	};

	return uvm_advise(va_space, arg->base, arg->length, &advice);
}

/* ---- accessed by ------------------------------------------------------ */

static void uvm_advise_apply_accessed_by(struct uvm_va_policy *policy,
					 const struct uvm_advice *advice)
{
	if (advice->on)
		policy->accessed_by |= BIT(advice->id);
	else if (advice->id != UVM_ID_INVALID)
		policy->accessed_by &= ~BIT(advice->id);
	else
		policy->accessed_by = 0;
}

static int uvm_advise_refresh_accessed_by(struct uvm_service *service, const void *arg)
{
	const struct uvm_advice *advice = arg;

	return uvm_service_map_accessed_by(service, advice->id, &service->pages.wanted);
}

/*
 * A processor is to reach a span wherever it is; to unset, %UVM_ID_INVALID means all.  Setting
 * maps what is resident and in reach, at once and after every move.  Unsetting leaves the
 * mappings until something else takes them away (nvidia-uvm 6.2).
 */
static int uvm_advise_accessed_by(struct uvm_va_space *va_space, const struct uvm_advise *arg,
				  unsigned int id, bool on)
{
	const struct uvm_advice advice = {
		.apply = uvm_advise_apply_accessed_by,
		.refresh = on ? uvm_advise_refresh_accessed_by : NULL,
		.accessed_by = on ? BIT(id) : 0,
		.id = id,
		.on = on,
	};

	return uvm_advise(va_space, arg->base, arg->length, &advice);
}

/* ---- read duplication ------------------------------------------------- */

static void uvm_advise_apply_duplication(struct uvm_va_policy *policy,
					 const struct uvm_advice *advice)
{
	policy->read_duplication = advice->on ? UVM_READ_DUPLICATION_ENABLED :
						UVM_READ_DUPLICATION_DISABLED;
}

static int uvm_advise_map_accessed_by(struct uvm_service *service)
{
	u16 accessed_by = service->request.span.policy.accessed_by;
	unsigned int id;
	int ret = 0;

	for_each_uvm_id(id) {
		if (!ret && (accessed_by & BIT(id)) &&
		    uvm_va_space_has_processor(service->request.va_space, id))
			ret = uvm_service_map_accessed_by(service, id, &service->pages.wanted);
	}
	return ret;
}

/*
 * On: every page is read only and mapped by its owner alone, so that the next
 * writer is heard of.  Off: one copy of each stays.
 */
static int uvm_advise_refresh_duplication(struct uvm_service *service, const void *arg)
{
	const struct uvm_advice *advice = arg;
	int ret;

	if (advice->on)
		return uvm_va_block_share(service, &service->pages.wanted);
	ret = uvm_va_block_collapse(service, &service->pages.wanted);
	if (!ret)
		ret = uvm_advise_map_accessed_by(service);
	return ret;
}

/*
 * May readers of a span have copies of their own?  If not, one copy of each page stays, at the
 * preferred location if it is there.
 */
static int uvm_advise_duplication(struct uvm_va_space *va_space, const struct uvm_advise *arg,
				  bool on)
{
	const struct uvm_advice advice = {
		.apply = uvm_advise_apply_duplication,
		.refresh = uvm_advise_refresh_duplication,
		.id = UVM_ID_INVALID,
		.on = on,
	};

	return uvm_advise(va_space, arg->base, arg->length, &advice);
}

/* ---- the ioctl --------------------------------------------------------- */

/* Does the advice take this processor, and this flag? */
static int uvm_ioctl_advise_check(struct file *file, const void *data)
{
	const struct uvm_advise *arg = data;
	bool none = arg->processor == UVM_PROCESSOR_NONE;

	if (arg->processor < UVM_PROCESSOR_NONE)
		return -EINVAL;
	switch (arg->advice) {
	case UVM_ADVICE_PREFERRED_LOCATION:
		if (arg->flags)
			return -EINVAL;
		break;
	case UVM_ADVICE_ACCESSED_BY:
		if (none && !(arg->flags & UVM_ADVISE_UNSET))
			return -EINVAL;
		break;
	case UVM_ADVICE_READ_DUPLICATE:
		if (!none)
			return -EINVAL;
		break;
	default:
		return -EINVAL;
	}
	return none ? 0 : uvm_ioctl_processor_check(arg->processor);
}

/* 0, -EINVAL (not all managed), -ENODEV, -ENOMEM, -EIO. */
static int uvm_ioctl_advise(struct file *file, void *data)
{
	struct uvm_va_space *va_space = file->private_data;
	const struct uvm_advise *arg = data;
	u8 id = uvm_id_from_user(arg->processor);
	bool on = !(arg->flags & UVM_ADVISE_UNSET);

	switch (arg->advice) {
	case UVM_ADVICE_PREFERRED_LOCATION:
		return uvm_advise_preferred(va_space, arg, id);
	case UVM_ADVICE_ACCESSED_BY:
		return uvm_advise_accessed_by(va_space, arg, id, on);
	default:
		return uvm_advise_duplication(va_space, arg, on);
	}
}

UVM_IOCTL(UVM_IOC_ADVISE, uvm_advise, uvm_ioctl_advise, .flags = UVM_ADVISE_UNSET,
	  .span = DOOR_AT(uvm_advise, base), .check = uvm_ioctl_advise_check,
	  .cost = DOOR_COST(ioctl));

/* ---- a GPU leaves ------------------------------------------------------ */

/* The next range from *@addr on that prefers the GPU does not any more. */
static bool uvm_advise_forget_next(struct uvm_va_space *va_space, unsigned int id, u64 *addr,
				   u64 *last)
{
	struct uvm_va_range *range;
	bool found = false;

	mutex_lock(&va_space->ranges_lock);
	for_each_uvm_va_range_in(range, &va_space->ranges, *addr, U64_MAX >> 1) {
		range->policy.accessed_by &= ~BIT(id);
		if (range->policy.preferred != id)
			continue;
		range->policy.preferred = UVM_ID_INVALID;
		*addr = uvm_va_range_start(range);
		*last = uvm_va_range_end(range);
		found = true;
		break;
	}
	mutex_unlock(&va_space->ranges_lock);
	return found;
}

/**
 * uvm_advice_forget_gpu - advice that names a GPU goes with it
 * @va_space: the VA space; lock held to write
 * @id: the GPU, which has neither pages nor mappings here any more
 *
 * As if it were unset for all memory: who registers the GPU again begins anew.  Without
 * memory to split a range group, what has no place to be stays in its group; it is
 * left where it is, which is system memory.
 */
void uvm_advice_forget_gpu(struct uvm_va_space *va_space, unsigned int id)
{
	u64 addr = 0, last;

	sim_assert_held(&va_space->lock);
	for (; uvm_advise_forget_next(va_space, id, &addr, &last); addr = last + 1)
		uvm_advise_release_groups(va_space, addr, last);
}
