// SPDX-License-Identifier: GPL-2.0
/* A parameter of a VA space changes, and what more has to be done for it. */
#include <linux/string.h>
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

int uvm_va_space_set_param(struct uvm_va_space *va_space, const char *name, const char *value)
{
	struct uvm_params *before;
	int ret;

	sim_assert_held_write(&va_space->lock);
	before = uvm_params_dup(&va_space->params);
	if (!before)
		return -ENOMEM;
	ret = uvm_params_set(&va_space->params, name, value);
	if (ret)
		uvm_params_restore(&va_space->params, before);
	else
		ret = uvm_param_apply(va_space, name, before);
	if (!ret)
		uvm_param_apply_access_counters(va_space, name);
	uvm_params_put(before);
	return ret;
}
