// SPDX-License-Identifier: GPL-2.0
/* A parameter of a VA space changes, and what more has to be done for it. */
#include <linux/string.h>
#include "base/ioctl_row.h"
#include "fault/access_counter.h"
#include "fault/gpu_concurrency.h"
#include "gpu/gpu.h"
#include "memory/pmm.h"
#include "memory/pmm_policy.h"
#include "policy/param.h"
#include "policy/policy.h"
#include "space/managed_range.h"
#include "space/va_space.h"
#include "va_space_param.h"

/*
 * Victims are chosen per GPU, for all VA spaces on it: who sets it last, wins.  On all GPUs or
 * none: those that took it go back, unless there is no memory for that either.
 */
static int uvm_param_apply_eviction(struct uvm_va_space *va_space,
				    const struct uvm_params *before,
				    enum uvm_eviction_change change)
{
	unsigned int i;
	int ret = 0;

	sim_assert_held_write(&va_space->lock);
	for (i = 0; i < UVM_MAX_GPUS && !ret; i++) {
		if (va_space->gpus[i])
			ret = uvm_pmm_set_eviction(va_space->gpus[i]->gpu, &va_space->params,
						   change);
	}
	while (ret && i--)
		if (va_space->gpus[i])
			uvm_pmm_set_eviction(va_space->gpus[i]->gpu, before, change);
	return ret;
}

/* Nor is what runs on a GPU the business of one VA space alone. */
static void uvm_param_apply_concurrency(struct uvm_va_space *va_space)
{
	unsigned int i;

	sim_assert_held_write(&va_space->lock);
	for (i = 0; i < UVM_MAX_GPUS; i++) {
		if (va_space->gpus[i])
			uvm_gpu_set_concurrency(va_space->gpus[i]->gpu, &va_space->params);
	}
}

struct uvm_pmm_shape uvm_params_shape(const struct uvm_params *params)
{
	return (struct uvm_pmm_shape){
		.unit = READ_ONCE(params->root_chunk_granularity),
		.limit = (u64)READ_ONCE(params->gpu_memory_limit_kb) << 10,
	};
}

/*
 * On all GPUs or none: those that took it go back.  (If another VA space has begun to
 * use memory of one of them meanwhile, that one stays.)
 */
static int uvm_param_apply_shape(struct uvm_va_space *va_space)
{
	struct uvm_pmm_shape before[UVM_MAX_GPUS];
	struct uvm_gpu *gpu;
	unsigned int i;
	int ret = 0;

	uvm_va_space_reap(va_space);
	for (i = 0; i < UVM_MAX_GPUS && !ret; i++) {
		if (!va_space->gpus[i])
			continue;
		gpu = va_space->gpus[i]->gpu;
		before[i] = uvm_pmm_shape(gpu);
		ret = uvm_pmm_set_shape(gpu, uvm_params_shape(&va_space->params));
	}
	while (ret && i--)
		if (va_space->gpus[i])
			uvm_pmm_set_shape(va_space->gpus[i]->gpu, before[i]);
	return ret;
}

/* What takes more than to be read next time. */
static int uvm_param_apply(struct uvm_va_space *va_space, const char *name,
			   const struct uvm_params *before)
{
	bool all = !strcmp(name, "policy");
	int ret = uvm_va_space_keep_range_states(va_space);

	if (!ret && (all || !strcmp(name, "eviction_policy")))
		ret = uvm_param_apply_eviction(va_space, before, UVM_EVICTION_CHOSEN);
	else if (!ret && uvm_policy_looks_at(&va_space->params.eviction_policy->policy, name))
		ret = uvm_param_apply_eviction(va_space, before, UVM_EVICTION_PARAM);
	else if (!ret && (strstarts(name, "eviction_") || strstarts(name, "recorder_")))
		ret = uvm_param_apply_eviction(va_space, before, UVM_EVICTION_OTHER);
	if (!ret && (all || !strcmp(name, "concurrency_policy") ||
		     !strcmp(name, "capacity_compression")))
		uvm_param_apply_concurrency(va_space);
	if (!ret && (!strcmp(name, "root_chunk_granularity") ||
		     !strcmp(name, "gpu_memory_limit_kb")))
		ret = uvm_param_apply_shape(va_space);
	if (ret) {
		uvm_params_restore(&va_space->params, before);
		/* if there is no memory for that either, less is known */
		uvm_va_space_keep_range_states(va_space);
	}
	return ret;
}

/* Parameters that decide whether, and how, the GPUs count accesses. */
static void uvm_param_apply_access_counters(struct uvm_va_space *va_space, const char *name)
{
	unsigned int i;

	if (strcmp(name, "residency_policy") && strcmp(name, "eviction_policy") &&
	    strcmp(name, "policy") && !strstarts(name, "perf_access_counter_"))
		return;
	for (i = 0; i < UVM_MAX_GPUS; i++) {
		if (va_space->gpus[i])
			uvm_access_counters_apply(va_space->gpus[i]->gpu, va_space->gpus[i]);
	}
}

/* ---- ioctls ---------------------------------------------------------- */

static int uvm_ioctl_set_param_check(struct file *file, const void *data)
{
	const struct uvm_set_param *arg = data;

	return strnlen(arg->name, sizeof(arg->name)) == sizeof(arg->name) ||
	       strnlen(arg->value, sizeof(arg->value)) == sizeof(arg->value) ? -EINVAL : 0;
}

/*
 * Set a parameter, and do what takes more than to be read next time.  0; -ENOENT, -EINVAL: see
 * uvm_params_set(); -EBUSY: memory is in use with another granularity or limit; -ENOMEM.  Then
 * nothing has changed.
 */
static int uvm_ioctl_set_param(struct file *file, void *data)
{
	struct uvm_va_space *va_space = file->private_data;
	const struct uvm_set_param *arg = data;
	struct uvm_params *before;
	int ret;

	sim_down_write(&va_space->lock);
	before = uvm_params_dup(&va_space->params);
	if (!before) {
		sim_up_write(&va_space->lock);
		return -ENOMEM;
	}
	ret = uvm_params_set(&va_space->params, arg->name, arg->value);
	if (ret)
		uvm_params_restore(&va_space->params, before);
	else
		ret = uvm_param_apply(va_space, arg->name, before);
	if (!ret)
		uvm_param_apply_access_counters(va_space, arg->name);
	sim_up_write(&va_space->lock);
	uvm_params_put(before);
	return ret;
}

UVM_IOCTL(UVM_IOC_SET_PARAM, uvm_set_param, uvm_ioctl_set_param,
	  .check = uvm_ioctl_set_param_check, .cost = DOOR_COST(poll));

static int uvm_ioctl_get_param(struct file *file, void *data)
{
	struct uvm_va_space *va_space = file->private_data;
	struct uvm_get_param *arg = data;

	return uvm_params_get(&va_space->params, arg->index, arg);
}

UVM_IOCTL(UVM_IOC_GET_PARAM, uvm_get_param, uvm_ioctl_get_param,
	  .reserved = { DOOR_AT(uvm_get_param, __reserved) }, .cost = DOOR_COST(poll),
	  .out = true);

static int uvm_ioctl_get_choice(struct file *file, void *data)
{
	return uvm_params_choice(data);
}

UVM_IOCTL(UVM_IOC_GET_CHOICE, uvm_get_choice, uvm_ioctl_get_choice, .cost = DOOR_COST(poll),
	  .out = true);

static int uvm_ioctl_get_policy_number(struct file *file, void *data)
{
	struct uvm_va_space *va_space = file->private_data;
	struct uvm_get_policy_number *arg = data;
	struct uvm_gpu_va_space *gvs;
	int ret = -ENODEV;

	sim_down_read(&va_space->lock);
	gvs = va_space->gpus[arg->gpu];
	if (gvs)
		ret = uvm_pmm_get_policy_number(gvs->gpu, arg);
	sim_up_read(&va_space->lock);
	return ret;
}

UVM_IOCTL(UVM_IOC_GET_POLICY_NUMBER, uvm_get_policy_number, uvm_ioctl_get_policy_number,
	  .gpu = { DOOR_AT(uvm_get_policy_number, gpu) }, .cost = DOOR_COST(poll), .out = true);
