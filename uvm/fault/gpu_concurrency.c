// SPDX-License-Identifier: GPL-2.0
/*
 * How much a GPU runs at once: from the policy's answers to the device's registers.
 */
#include <softgpu/regs.h>
#include "fault/gpu_concurrency.h"
#include "gpu/gpu.h"
#include "memory/pmm.h"
#include "policy/param.h"
#include "policy/policy.h"
#include "base/trace.h"

static void gpu_concurrency_write(struct uvm_gpu *gpu)
{
	const struct uvm_concurrency_answer *now = &gpu->concurrency.now;

	lockdep_assert_held(&gpu->concurrency_lock);
	rm_reg_write(gpu->rm, REG_OVERSUB_LIMIT, now->extra);
	rm_reg_write(gpu->rm, REG_SM_LIMIT, now->sms);
}

/* What the device was told, rather than what we meant to tell it. */
static void gpu_concurrency_trace(struct uvm_gpu *gpu)
{
	const struct uvm_concurrency *c = &gpu->concurrency;

	trace_uvm_concurrency(sim_now(), gpu->index, c->window,
			      rm_reg_read(gpu->rm, REG_OVERSUB_LIMIT),
			      rm_reg_read(gpu->rm, REG_SM_LIMIT), c->told.evicted,
			      c->told.lifetime_ns, c->told.lifetime_before_ns, c->told.arrived,
			      c->told.returned);
}

/*
 * SMs that are off keep their blocks: when the others are done no fault comes any more, and
 * still the window has to end.
 */
static void gpu_concurrency_watch(struct uvm_gpu *gpu)
{
	const struct uvm_concurrency *c = &gpu->concurrency;

	lockdep_assert_held(&gpu->concurrency_lock);
	if (c->now.sms < c->sm_count && gpu->concurrency_timer)
		sim_timer_start(gpu->concurrency_timer, c->ends);
}

/**
 * uvm_gpu_set_concurrency - a concurrency policy comes into force
 * @gpu: the GPU
 * @params: whose policy, and whether memory is compressed; NULL: nobody uses the GPU
 */
void uvm_gpu_set_concurrency(struct uvm_gpu *gpu, const struct uvm_params *params)
{
	const struct uvm_concurrency_ops *policy = params ? READ_ONCE(params->concurrency_policy) :
							    uvm_policy_find_concurrency("none");
	u32 ours = REG_CAP_OVERSUBSCRIBE | REG_CAP_SM_LIMIT | REG_CAP_COMPRESSION, wanted = 0;

	if (policy->start || policy->window)
		wanted |= REG_CAP_OVERSUBSCRIBE | REG_CAP_SM_LIMIT;
	if (params && READ_ONCE(params->capacity_compression))
		wanted |= REG_CAP_COMPRESSION;
	mutex_lock(&gpu->concurrency_lock);
	gpu->concurrency_policy = policy;
	/* the end of the last policy's window is nothing to the next run */
	if (gpu->concurrency_timer)
		sim_timer_cancel(gpu->concurrency_timer);
	uvm_concurrency_begin(&gpu->concurrency, policy, sim_now());
	gpu_concurrency_write(gpu);
	gpu_concurrency_trace(gpu);
	gpu_concurrency_watch(gpu);
	uvm_gpu_set_extensions(gpu, ours, wanted);
	mutex_unlock(&gpu->concurrency_lock);
}

/**
 * uvm_gpu_concurrency_step - is it time to run more, or less?
 * @gpu: the GPU
 *
 * When a batch begins, and while SMs are off when a window has ended.
 */
void uvm_gpu_concurrency_step(struct uvm_gpu *gpu)
{
	struct uvm_memory_traffic traffic = uvm_pmm_take_traffic(gpu);
	const struct uvm_concurrency_ops *policy;
	u64 window;

	mutex_lock(&gpu->concurrency_lock);
	policy = gpu->concurrency_policy;
	window = gpu->concurrency.window;
	uvm_concurrency_note(&gpu->concurrency, &traffic);
	if (uvm_concurrency_step(&gpu->concurrency, policy, sim_now()))
		gpu_concurrency_write(gpu);
	if (policy->window && gpu->concurrency.window != window)
		gpu_concurrency_trace(gpu);
	gpu_concurrency_watch(gpu);
	mutex_unlock(&gpu->concurrency_lock);
}

/**
 * uvm_gpu_concurrency_start - windows end without faults, too
 * @gpu: the GPU; its bottom half runs
 *
 * Return: 0 or -ENOMEM.
 */
int uvm_gpu_concurrency_start(struct uvm_gpu *gpu)
{
	gpu->concurrency_timer = sim_timer_create(&gpu->faults.bottom_half);
	return gpu->concurrency_timer ? 0 : -ENOMEM;
}

/**
 * uvm_gpu_concurrency_stop - the reverse
 * @gpu: the GPU; nobody uses it
 */
void uvm_gpu_concurrency_stop(struct uvm_gpu *gpu)
{
	if (gpu->concurrency_timer)
		sim_timer_destroy(gpu->concurrency_timer);
	gpu->concurrency_timer = NULL;
}

/**
 * uvm_gpu_concurrency_init - run what the SMs hold
 * @gpu: the GPU; its rm and info are set
 */
void uvm_gpu_concurrency_init(struct uvm_gpu *gpu)
{
	u64 khz = rm_profile(gpu->rm, RM_PROFILE_sm_clock_khz);

	mutex_init(&gpu->concurrency_lock);
	uvm_concurrency_init(&gpu->concurrency, rm_profile(gpu->rm, RM_PROFILE_sm_count),
			     rm_reg_read(gpu->rm, REG_OVERSUB_MAX),
			     div64_u64(1000000000ULL, khz));
	gpu->concurrency_policy = uvm_policy_find_concurrency("none");
}
