// SPDX-License-Identifier: GPL-2.0
/*
 * ioctls of /dev/uvm: argument checks, then the work elsewhere.
 *
 * Everything is copied from userspace before the clock is entered and to it
 * after it was left: a page fault of the copy may have to enter it.
 */
#include <linux/err.h>
#include <linux/mm.h>
#include <linux/nospec.h>
#include <linux/overflow.h>
#include <linux/slab.h>
#include <linux/string.h>
#include <linux/uaccess.h>
#include <linux/uvm.h>
#include <softgpu/sim.h>
#include "memory/pmm_policy.h"
#include "space/external.h"
#include "gpu/gpu.h"
#include "ioctl.h"
#include "ioctl_future.h"
#include "memory/pmm.h"
#include "fault/access_counter.h"
#include "fault/fault.h"
#include "fault/gpu_concurrency.h"
#include "space/va_space.h"
#include "va_space_file.h"
#include "va_space_param.h"
#include "va_space_gpu.h"

static const struct uvm_ioctl *uvm_ioctl_find(const struct uvm_ioctl *table, unsigned int cmd)
{
	for (; table->cmd; table++) {
		if (table->cmd == cmd)
			return table;
	}
	return NULL;
}

/**
 * uvm_ioctl_dispatch - run one ioctl of a table
 * @table: rows, ended by one of zeros
 * @file: the file
 * @cmd: the ioctl
 * @arg: user pointer to its struct
 *
 * Return: 0, or the errno that the user ABI names.
 */
long uvm_ioctl_dispatch(const struct uvm_ioctl *table, struct file *file, unsigned int cmd,
			unsigned long arg)
{
	const struct uvm_ioctl *row = uvm_ioctl_find(table, cmd);
	void __user *user = (void __user *)arg;
	struct uvm_ioctl_head *head;
	u32 size;
	long ret;

	if (!row)
		return -ENOTTY;
	if (get_user(size, (u32 __user *)user))
		return -EFAULT;
	if (size < row->min_size)
		return -EINVAL;
	if (size > PAGE_SIZE)
		return -E2BIG;
	head = kzalloc(row->size, GFP_KERNEL_ACCOUNT);
	if (!head)
		return -ENOMEM;
	ret = copy_struct_from_user(head, row->size, user, size);
	if (ret)
		goto free;
	/* Read twice by now: what counts is the first. */
	head->size = size;
	ret = head->flags & ~row->flags ? -EOPNOTSUPP : row->fn(file, head);
	if (!ret && row->out && copy_to_user(user, head, min(size, row->size)))
		ret = -EFAULT;
free:
	kfree(head);
	return ret;
}

static void uvm_ioctl_enter(struct sim_task *self, enum rm_profile_key cost)
{
	sim_enter(self);
	sim_charge(rm_profile(uvm_gpu(0)->rm, cost));
}

/* A span of whole pages that does not wrap around; is it managed comes later. */
static bool uvm_ioctl_span_ok(u64 base, u64 length)
{
	u64 end;

	return length && PAGE_ALIGNED(base) && PAGE_ALIGNED(length) &&
	       !check_add_overflow(base, length, &end);
}

static int uvm_ioctl_register_gpu(struct file *file, void *data)
{
	struct uvm_register_gpu *arg = data;
	struct sim_task self;
	int ret;

	uvm_ioctl_enter(&self, RM_PROFILE_cost_ioctl);
	ret = uvm_va_space_register_gpu(uvm_va_space_from_file(file), arg->softgpu_fd, &arg->gpu);
	sim_leave(&self);
	return ret;
}

static int uvm_ioctl_unregister_gpu(struct file *file, void *data)
{
	struct uvm_unregister_gpu *arg = data;
	struct sim_task self;
	int ret;

	if (arg->__reserved)
		return -EINVAL;
	if (arg->gpu < 0 || arg->gpu >= UVM_MAX_GPUS)
		return -ENODEV;
	uvm_ioctl_enter(&self, RM_PROFILE_cost_ioctl);
	ret = uvm_va_space_unregister_gpu(uvm_va_space_from_file(file), arg->gpu);
	sim_leave(&self);
	return ret;
}

/* A semaphore is for who does not wait; without a span it is all there is to do. */
static bool uvm_ioctl_migrate_ok(const struct uvm_migrate *arg)
{
	if (arg->__reserved || arg->__reserved2 || arg->dst < UVM_PROCESSOR_CPU)
		return false;
	if (!arg->semaphore)
		return !arg->payload && uvm_ioctl_span_ok(arg->base, arg->length);
	if (!(arg->flags & UVM_MIGRATE_ASYNC) || !IS_ALIGNED(arg->semaphore, sizeof(u32)))
		return false;
	return !arg->length || uvm_ioctl_span_ok(arg->base, arg->length);
}

static int uvm_ioctl_migrate(struct file *file, void *data)
{
	struct uvm_migrate *arg = data;
	struct uvm_migration migration = {
		.base = arg->base, .length = arg->length, .dst = uvm_id_from_user(arg->dst),
		.flags = arg->flags, .semaphore = arg->semaphore, .payload = arg->payload,
	};
	struct sim_task self;
	int ret;

	if (!uvm_ioctl_migrate_ok(arg))
		return -EINVAL;
	if (migration.dst == UVM_ID_INVALID)
		return -ENODEV;
	uvm_ioctl_enter(&self, RM_PROFILE_cost_ioctl);
	ret = uvm_migrate(uvm_va_space_from_file(file), &migration);
	sim_leave(&self);
	arg->fence = migration.fence;
	return ret;
}

static int uvm_ioctl_wait(struct file *file, void *data)
{
	struct uvm_wait *arg = data;
	struct sim_task self;
	int ret;

	uvm_ioctl_enter(&self, RM_PROFILE_cost_ioctl);
	ret = uvm_va_space_wait(uvm_va_space_from_file(file), arg->fence);
	sim_leave(&self);
	return ret;
}

static int uvm_ioctl_advise_locked(struct uvm_va_space *va_space, const struct uvm_advise *arg)
{
	u8 id = uvm_id_from_user(arg->processor);
	bool on = !(arg->flags & UVM_ADVISE_UNSET);

	switch (arg->advice) {
	case UVM_ADVICE_PREFERRED_LOCATION:
		return uvm_set_preferred_location(va_space, arg->base, arg->length, id);
	case UVM_ADVICE_ACCESSED_BY:
		return uvm_set_accessed_by(va_space, arg->base, arg->length, id, on);
	default:
		return uvm_set_read_duplication(va_space, arg->base, arg->length, on);
	}
}

/* Does the advice take this processor, and this flag? */
static int uvm_ioctl_advise_check(const struct uvm_advise *arg)
{
	bool none = arg->processor == UVM_PROCESSOR_NONE;

	if (!uvm_ioctl_span_ok(arg->base, arg->length) || arg->processor < UVM_PROCESSOR_NONE)
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
	return none || uvm_id_from_user(arg->processor) != UVM_ID_INVALID ? 0 : -ENODEV;
}

static int uvm_ioctl_advise(struct file *file, void *data)
{
	struct uvm_advise *arg = data;
	struct sim_task self;
	int ret;

	ret = uvm_ioctl_advise_check(arg);
	if (ret)
		return ret;
	uvm_ioctl_enter(&self, RM_PROFILE_cost_ioctl);
	ret = uvm_ioctl_advise_locked(uvm_va_space_from_file(file), arg);
	sim_leave(&self);
	return ret;
}

static int uvm_ioctl_discard(struct file *file, void *data)
{
	struct uvm_discard *arg = data;
	struct sim_task self;
	int ret;

	if (!uvm_ioctl_span_ok(arg->base, arg->length))
		return -EINVAL;
	uvm_ioctl_enter(&self, RM_PROFILE_cost_ioctl);
	ret = uvm_discard(uvm_va_space_from_file(file), arg->base, arg->length,
			  arg->flags & UVM_DISCARD_UNMAP);
	sim_leave(&self);
	return ret;
}

static int uvm_ioctl_populate(struct file *file, void *data)
{
	struct uvm_populate *arg = data;
	struct uvm_migration migration = {
		.base = arg->base, .length = arg->length, .dst = uvm_id_from_user(arg->dst),
		.flags = UVM_MIGRATE_POPULATE | UVM_MIGRATE_FIXED,
	};
	struct sim_task self;
	int ret;

	if (arg->__reserved || !uvm_ioctl_span_ok(arg->base, arg->length) ||
	    arg->dst < UVM_PROCESSOR_CPU)
		return -EINVAL;
	if (migration.dst == UVM_ID_INVALID)
		return -ENODEV;
	uvm_ioctl_enter(&self, RM_PROFILE_cost_ioctl);
	ret = uvm_migrate(uvm_va_space_from_file(file), &migration);
	sim_leave(&self);
	return ret;
}

/* ---- range groups ------------------------------------------------------ */

static int uvm_ioctl_group_create(struct file *file, void *data)
{
	struct uvm_group *arg = data;
	struct sim_task self;
	int ret;

	if (arg->id)
		return -EINVAL;
	uvm_ioctl_enter(&self, RM_PROFILE_cost_ioctl);
	ret = uvm_group_create(uvm_va_space_from_file(file), &arg->id);
	sim_leave(&self);
	return ret;
}

static int uvm_ioctl_group_destroy(struct file *file, void *data)
{
	struct uvm_group *arg = data;
	struct sim_task self;
	int ret;

	uvm_ioctl_enter(&self, RM_PROFILE_cost_ioctl);
	ret = uvm_group_destroy(uvm_va_space_from_file(file), arg->id);
	sim_leave(&self);
	return ret;
}

static int uvm_ioctl_group_set(struct file *file, void *data)
{
	struct uvm_group_set *arg = data;
	struct sim_task self;
	int ret;

	if (!uvm_ioctl_span_ok(arg->base, arg->length))
		return -EINVAL;
	uvm_ioctl_enter(&self, RM_PROFILE_cost_ioctl);
	ret = uvm_group_set(uvm_va_space_from_file(file), arg->base, arg->length, arg->id);
	sim_leave(&self);
	return ret;
}

static int uvm_ioctl_group_migration(struct file *file, void *data)
{
	struct uvm_group_migration *arg = data;
	struct sim_task self;
	int ret;

	if (arg->__reserved || !arg->count || arg->count > UVM_GROUP_IDS)
		return -EINVAL;
	uvm_ioctl_enter(&self, RM_PROFILE_cost_ioctl);
	ret = uvm_group_set_migration(uvm_va_space_from_file(file), arg->ids, arg->count,
				      !(arg->flags & UVM_GROUP_PREVENT));
	sim_leave(&self);
	return ret;
}

static int uvm_ioctl_group_migrate(struct file *file, void *data)
{
	struct uvm_group_migrate *arg = data;
	struct sim_task self;
	u8 dst;
	int ret;

	if (arg->__reserved || arg->dst < UVM_PROCESSOR_CPU)
		return -EINVAL;
	dst = uvm_id_from_user(arg->dst);
	if (dst == UVM_ID_INVALID)
		return -ENODEV;
	uvm_ioctl_enter(&self, RM_PROFILE_cost_ioctl);
	ret = uvm_group_migrate(uvm_va_space_from_file(file), arg->id, dst);
	sim_leave(&self);
	return ret;
}

static int uvm_ioctl_set_param(struct file *file, void *data)
{
	struct uvm_va_space *va_space = uvm_va_space_from_file(file);
	struct uvm_set_param *arg = data;
	struct sim_task self;
	int ret;

	if (strnlen(arg->name, sizeof(arg->name)) == sizeof(arg->name) ||
	    strnlen(arg->value, sizeof(arg->value)) == sizeof(arg->value))
		return -EINVAL;
	uvm_ioctl_enter(&self, RM_PROFILE_cost_poll);
	sim_down_write(&va_space->lock);
	ret = uvm_va_space_set_param(va_space, arg->name, arg->value);
	sim_up_write(&va_space->lock);
	sim_leave(&self);
	return ret;
}

static int uvm_ioctl_get_param(struct file *file, void *data)
{
	struct uvm_va_space *va_space = uvm_va_space_from_file(file);
	struct uvm_get_param *arg = data;
	struct sim_task self;
	int ret;

	if (arg->__reserved)
		return -EINVAL;
	uvm_ioctl_enter(&self, RM_PROFILE_cost_poll);
	ret = uvm_params_get(&va_space->params, arg->index, arg);
	sim_leave(&self);
	return ret;
}

static int uvm_ioctl_get_choice(struct file *file, void *data)
{
	struct sim_task self;
	int ret;

	uvm_ioctl_enter(&self, RM_PROFILE_cost_poll);
	ret = uvm_params_choice(data);
	sim_leave(&self);
	return ret;
}

static int uvm_ioctl_get_policy_number(struct file *file, void *data)
{
	struct uvm_va_space *va_space = uvm_va_space_from_file(file);
	struct uvm_get_policy_number *arg = data;
	struct uvm_gpu_va_space *gvs;
	struct sim_task self;
	int ret = -ENODEV;

	if (arg->gpu < 0 || arg->gpu >= UVM_MAX_GPUS)
		return -ENODEV;
	uvm_ioctl_enter(&self, RM_PROFILE_cost_poll);
	sim_down_read(&va_space->lock);
	gvs = va_space->gpus[array_index_nospec(arg->gpu, UVM_MAX_GPUS)];
	if (gvs)
		ret = uvm_pmm_get_policy_number(gvs->gpu, arg);
	sim_up_read(&va_space->lock);
	sim_leave(&self);
	return ret;
}

static int uvm_ioctl_stats(struct file *file, void *data)
{
	struct uvm_va_space *va_space = uvm_va_space_from_file(file);
	struct uvm_stats *arg = data;
	struct sim_task self;

	uvm_ioctl_enter(&self, RM_PROFILE_cost_poll);
	uvm_stats_report(&va_space->stats, arg, arg->flags & UVM_STATS_RESET);
	sim_leave(&self);
	return 0;
}

static int uvm_ioctl_quiesce(struct file *file, void *data)
{
	struct sim_task self;
	int ret;

	uvm_ioctl_enter(&self, RM_PROFILE_cost_ioctl);
	ret = uvm_va_space_quiesce(uvm_va_space_from_file(file));
	sim_leave(&self);
	return ret;
}

static int uvm_ioctl_create_external(struct file *file, void *data)
{
	struct uvm_create_external_range *arg = data;
	struct sim_task self;
	int ret;

	if (!uvm_ioctl_span_ok(arg->base, arg->length))
		return -EINVAL;
	uvm_ioctl_enter(&self, RM_PROFILE_cost_ioctl);
	ret = uvm_external_create(uvm_va_space_from_file(file), arg->base, arg->length);
	sim_leave(&self);
	return ret;
}

static int uvm_ioctl_map_external(struct file *file, void *data)
{
	struct uvm_map_external *arg = data;
	struct sim_task self;
	u64 end;
	int ret;

	if (arg->__reserved || !uvm_ioctl_span_ok(arg->base, arg->length) ||
	    !PAGE_ALIGNED(arg->offset) || check_add_overflow(arg->offset, arg->length, &end))
		return -EINVAL;
	if (arg->gpu < 0 || arg->gpu >= UVM_MAX_GPUS)
		return -ENODEV;
	arg->gpu = array_index_nospec(arg->gpu, UVM_MAX_GPUS);
	uvm_ioctl_enter(&self, RM_PROFILE_cost_ioctl);
	ret = uvm_external_map(uvm_va_space_from_file(file), arg);
	sim_leave(&self);
	return ret;
}

static int uvm_ioctl_unmap_external(struct file *file, void *data)
{
	struct uvm_unmap_external *arg = data;
	struct sim_task self;
	int ret;

	if (arg->__reserved || !uvm_ioctl_span_ok(arg->base, arg->length))
		return -EINVAL;
	if (arg->gpu < 0 || arg->gpu >= UVM_MAX_GPUS)
		return -ENODEV;
	arg->gpu = array_index_nospec(arg->gpu, UVM_MAX_GPUS);
	uvm_ioctl_enter(&self, RM_PROFILE_cost_ioctl);
	ret = uvm_external_unmap(uvm_va_space_from_file(file), arg->base, arg->length, arg->gpu);
	sim_leave(&self);
	return ret;
}

static int uvm_ioctl_free_external(struct file *file, void *data)
{
	struct uvm_free_external_range *arg = data;
	struct sim_task self;
	int ret;

	if (!uvm_ioctl_span_ok(arg->base, arg->length))
		return -EINVAL;
	uvm_ioctl_enter(&self, RM_PROFILE_cost_ioctl);
	ret = uvm_external_free(uvm_va_space_from_file(file), arg->base, arg->length);
	sim_leave(&self);
	return ret;
}

static int uvm_ioctl_config_access_counters(struct file *file, void *data)
{
	struct uvm_va_space *va_space = uvm_va_space_from_file(file);
	struct uvm_config_access_counters *arg = data;
	struct uvm_gpu_va_space *gvs;
	struct sim_task self;
	int ret = -ENODEV;

	if (arg->__reserved || arg->enable > 1 || arg->threshold > U16_MAX ||
	    (arg->granularity && uvm_access_granularity(arg->granularity) < 0))
		return -EINVAL;
	if (arg->gpu < 0 || arg->gpu >= UVM_MAX_GPUS)
		return -ENODEV;
	uvm_ioctl_enter(&self, RM_PROFILE_cost_ioctl);
	sim_down_write(&va_space->lock);
	gvs = va_space->gpus[array_index_nospec(arg->gpu, UVM_MAX_GPUS)];
	if (gvs) {
		gvs->access.enable = arg->enable;
		gvs->access.granularity = arg->granularity;
		gvs->access.threshold = arg->threshold;
		uvm_access_counters_apply(gvs->gpu, gvs);
		ret = 0;
	}
	sim_up_write(&va_space->lock);
	sim_leave(&self);
	return ret;
}

/* Both in range; whether they are registered comes later. */
static int uvm_ioctl_peers_check(struct uvm_peer_access *arg)
{
	if (arg->gpu_a < 0 || arg->gpu_a >= UVM_MAX_GPUS ||
	    arg->gpu_b < 0 || arg->gpu_b >= UVM_MAX_GPUS)
		return -ENODEV;
	if (arg->gpu_a == arg->gpu_b)
		return -EINVAL;
	arg->gpu_a = array_index_nospec(arg->gpu_a, UVM_MAX_GPUS);
	arg->gpu_b = array_index_nospec(arg->gpu_b, UVM_MAX_GPUS);
	return 0;
}

static int uvm_ioctl_change_peer(struct file *file, struct uvm_peer_access *arg, bool on)
{
	struct sim_task self;
	int ret;

	ret = uvm_ioctl_peers_check(arg);
	if (ret)
		return ret;
	uvm_ioctl_enter(&self, RM_PROFILE_cost_ioctl);
	ret = uvm_va_space_change_peer(uvm_va_space_from_file(file), arg->gpu_a, arg->gpu_b, on);
	sim_leave(&self);
	return ret;
}

static int uvm_ioctl_enable_peer(struct file *file, void *data)
{
	return uvm_ioctl_change_peer(file, data, true);
}

static int uvm_ioctl_disable_peer(struct file *file, void *data)
{
	return uvm_ioctl_change_peer(file, data, false);
}

static int uvm_ioctl_clear_access_counters(struct file *file, void *data)
{
	struct uvm_va_space *va_space = uvm_va_space_from_file(file);
	struct uvm_clear_access_counters *arg = data;
	bool all = arg->gpu == UVM_PROCESSOR_NONE;
	int i, cleared = 0, ret = 0;
	struct sim_task self;

	if (arg->__reserved)
		return -EINVAL;
	uvm_ioctl_enter(&self, RM_PROFILE_cost_ioctl);
	sim_down_read(&va_space->lock);
	for (i = 0; i < UVM_MAX_GPUS && !ret; i++) {
		if (!va_space->gpus[i] || !(all || i == arg->gpu))
			continue;
		ret = uvm_access_counters_clear_all(va_space->gpus[i]->gpu);
		cleared++;
	}
	sim_up_read(&va_space->lock);
	sim_leave(&self);
	return !ret && !cleared && !all ? -ENODEV : ret;
}

/* ---- looking at memory, and taking it away ----------------------------- */

/* Not charged: who only looks lets no time pass. */
static int uvm_ioctl_residency(struct file *file, void *data)
{
	struct uvm_residency *arg = data;
	struct sim_task self;
	int ret;

	if (!uvm_ioctl_span_ok(arg->base, arg->length) ||
	    arg->length > UVM_RESIDENCY_PAGES * UVM_PAGE_SIZE)
		return -EINVAL;
	sim_enter(&self);
	ret = uvm_residency(uvm_va_space_from_file(file), arg);
	sim_leave(&self);
	return ret;
}

static int uvm_ioctl_evict(struct file *file, void *data)
{
	struct uvm_evict *arg = data;
	struct sim_task self;
	int ret;

	if (arg->__reserved || !uvm_ioctl_span_ok(arg->base, arg->length))
		return -EINVAL;
	if (arg->gpu < 0 || arg->gpu >= UVM_MAX_GPUS)
		return -ENODEV;
	arg->gpu = array_index_nospec(arg->gpu, UVM_MAX_GPUS);
	uvm_ioctl_enter(&self, RM_PROFILE_cost_ioctl);
	ret = uvm_evict(uvm_va_space_from_file(file), arg);
	sim_leave(&self);
	return ret;
}

static int uvm_ioctl_validate_range(struct file *file, void *data)
{
	struct uvm_validate_range *arg = data;
	struct sim_task self;
	int ret;

	if (!uvm_ioctl_span_ok(arg->base, arg->length))
		return -EINVAL;
	uvm_ioctl_enter(&self, RM_PROFILE_cost_ioctl);
	ret = uvm_validate_range(uvm_va_space_from_file(file), arg->base, arg->length);
	sim_leave(&self);
	return ret;
}

/* GPUs walk page tables of their own, and only managed memory is faulted in. */
static int uvm_ioctl_pageable_access(struct file *file, void *data)
{
	struct uvm_pageable_access *arg = data;

	if (arg->__reserved)
		return -EINVAL;
	arg->access = 0;
	return 0;
}

static int uvm_ioctl_set_stays(struct file *file, void *data)
{
	return uvm_future_set_stays(uvm_va_space_from_file(file), data);
}

static int uvm_ioctl_set_uses(struct file *file, void *data)
{
	return uvm_future_set_uses(uvm_va_space_from_file(file), data);
}

static const struct uvm_ioctl uvm_ioctls[] = {
	UVM_IOCTL(UVM_IOC_REGISTER_GPU, struct uvm_register_gpu, 0, true,
		  uvm_ioctl_register_gpu),
	UVM_IOCTL(UVM_IOC_UNREGISTER_GPU, struct uvm_unregister_gpu, 0, false,
		  uvm_ioctl_unregister_gpu),
	UVM_IOCTL_GROWN(UVM_IOC_MIGRATE, struct uvm_migrate, fence, UVM_MIGRATE_ASYNC, true,
			uvm_ioctl_migrate),
	UVM_IOCTL(UVM_IOC_WAIT, struct uvm_wait, 0, false, uvm_ioctl_wait),
	UVM_IOCTL(UVM_IOC_ADVISE, struct uvm_advise, UVM_ADVISE_UNSET, false, uvm_ioctl_advise),
	UVM_IOCTL(UVM_IOC_SET_PARAM, struct uvm_set_param, 0, false, uvm_ioctl_set_param),
	UVM_IOCTL(UVM_IOC_GET_PARAM, struct uvm_get_param, 0, true, uvm_ioctl_get_param),
	UVM_IOCTL(UVM_IOC_GET_CHOICE, struct uvm_get_choice, 0, true, uvm_ioctl_get_choice),
	UVM_IOCTL(UVM_IOC_GET_POLICY_NUMBER, struct uvm_get_policy_number, 0, true,
		  uvm_ioctl_get_policy_number),
	UVM_IOCTL(UVM_IOC_SET_STAYS, struct uvm_set_stays, 0, false, uvm_ioctl_set_stays),
	UVM_IOCTL(UVM_IOC_SET_USES, struct uvm_set_uses, 0, false, uvm_ioctl_set_uses),
	UVM_IOCTL_GROWN(UVM_IOC_STATS, struct uvm_stats, phase_ns, UVM_STATS_RESET, true,
			uvm_ioctl_stats),
	UVM_IOCTL(UVM_IOC_QUIESCE, struct uvm_quiesce, 0, false, uvm_ioctl_quiesce),
	UVM_IOCTL(UVM_IOC_GROUP_CREATE, struct uvm_group, 0, true, uvm_ioctl_group_create),
	UVM_IOCTL(UVM_IOC_GROUP_DESTROY, struct uvm_group, 0, false, uvm_ioctl_group_destroy),
	UVM_IOCTL(UVM_IOC_GROUP_SET, struct uvm_group_set, 0, false, uvm_ioctl_group_set),
	UVM_IOCTL(UVM_IOC_GROUP_MIGRATION, struct uvm_group_migration, UVM_GROUP_PREVENT, false,
		  uvm_ioctl_group_migration),
	UVM_IOCTL(UVM_IOC_GROUP_MIGRATE, struct uvm_group_migrate, 0, false,
		  uvm_ioctl_group_migrate),
	UVM_IOCTL(UVM_IOC_DISCARD, struct uvm_discard, UVM_DISCARD_UNMAP, false,
		  uvm_ioctl_discard),
	UVM_IOCTL(UVM_IOC_POPULATE, struct uvm_populate, 0, false, uvm_ioctl_populate),
	UVM_IOCTL(UVM_IOC_CREATE_EXTERNAL_RANGE, struct uvm_create_external_range, 0, false,
		  uvm_ioctl_create_external),
	UVM_IOCTL(UVM_IOC_MAP_EXTERNAL, struct uvm_map_external, UVM_MAP_EXTERNAL_READ_ONLY,
		  false, uvm_ioctl_map_external),
	UVM_IOCTL(UVM_IOC_UNMAP_EXTERNAL, struct uvm_unmap_external, 0, false,
		  uvm_ioctl_unmap_external),
	UVM_IOCTL(UVM_IOC_FREE_EXTERNAL_RANGE, struct uvm_free_external_range, 0, false,
		  uvm_ioctl_free_external),
	UVM_IOCTL(UVM_IOC_ENABLE_PEER_ACCESS, struct uvm_peer_access, 0, false,
		  uvm_ioctl_enable_peer),
	UVM_IOCTL(UVM_IOC_DISABLE_PEER_ACCESS, struct uvm_peer_access, 0, false,
		  uvm_ioctl_disable_peer),
	UVM_IOCTL(UVM_IOC_CONFIG_ACCESS_COUNTERS, struct uvm_config_access_counters, 0, false,
		  uvm_ioctl_config_access_counters),
	UVM_IOCTL(UVM_IOC_CLEAR_ACCESS_COUNTERS, struct uvm_clear_access_counters, 0, false,
		  uvm_ioctl_clear_access_counters),
	UVM_IOCTL(UVM_IOC_RESIDENCY, struct uvm_residency, 0, true, uvm_ioctl_residency),
	UVM_IOCTL(UVM_IOC_EVICT, struct uvm_evict, 0, true, uvm_ioctl_evict),
	UVM_IOCTL(UVM_IOC_VALIDATE_RANGE, struct uvm_validate_range, 0, false,
		  uvm_ioctl_validate_range),
	UVM_IOCTL(UVM_IOC_PAGEABLE_ACCESS, struct uvm_pageable_access, 0, true,
		  uvm_ioctl_pageable_access),
	{ }
};

/**
 * uvm_ioctl - ioctl(2) of /dev/uvm
 * @file: the VA space
 * @cmd: the ioctl
 * @arg: user pointer
 *
 * Return: 0 or a negative errno.
 */
long uvm_ioctl(struct file *file, unsigned int cmd, unsigned long arg)
{
	return uvm_ioctl_dispatch(uvm_ioctls, file, cmd, arg);
}
