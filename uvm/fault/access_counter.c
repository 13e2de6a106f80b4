// SPDX-License-Identifier: GPL-2.0
/*
 * Access counters: set-up, configuration, interrupt (nvidia-uvm 2.2, 2.12).
 */
#include <linux/bitfield.h>
#include <linux/slab.h>
#include <softgpu/regs.h>
#include "base/ioctl_row.h"
#include "fault/access_counter.h"
#include "fault/isr_enable.h"
#include "gpu/channel.h"
#include "gpu/gpu.h"
#include "gpu/hal.h"
#include "memory/pmm_policy.h"
#include "policy/param.h"
#include "policy/policy.h"
#include "gpu/push.h"
#include "block/service.h"
#include "space/va_space.h"

/* ---- interrupt ------------------------------------------------------- */

/**
 * uvm_access_counters_pending - are there records to read?
 * @gpu: the GPU
 *
 * Any context.  Only the holder of the service lock may change the answer.
 *
 * Return: true if GET and PUT differ.
 */
bool uvm_access_counters_pending(struct uvm_gpu *gpu)
{
	return gpu->counters.cached_get !=
	       FIELD_GET(REG_ACCESS_COUNTER_INDEX, rm_reg_read(gpu->rm, REG_ACCESS_COUNTER_PUT));
}

/**
 * uvm_access_counters_top_half - in hard interrupt context: trylock, mask, kick
 * @gpu: the GPU
 */
void uvm_access_counters_top_half(struct uvm_gpu *gpu)
{
	struct uvm_access_counters *ac = &gpu->counters;

	if (!READ_ONCE(ac->enabled) || !sim_sem_trylock(&ac->service_lock))
		return;
	if (!uvm_access_counters_pending(gpu)) {
		sim_sem_up(&ac->service_lock);
		return;
	}
	ac->interrupts++;
	rm_reg_write(gpu->rm, REG_INTR_EN_CLEAR, REG_INTR_ACCESS_COUNTER);
	WRITE_ONCE(ac->kicked, true);
	sim_kthread_kick(&gpu->faults.bottom_half, uvm_cost(gpu, bh_wake));
}

/**
 * uvm_access_counters_bottom_half - serve if the top half asked for it
 * @gpu: the GPU
 *
 * Enabling the interrupt comes last, as for faults: see uvm_isr_unlock().
 */
void uvm_access_counters_bottom_half(struct uvm_gpu *gpu)
{
	struct uvm_access_counters *ac = &gpu->counters;

	if (!READ_ONCE(ac->kicked))
		return;
	WRITE_ONCE(ac->kicked, false);
	uvm_access_counters_service(gpu);
	/* an eviction policy that was ejected wants them no more */
	uvm_access_counters_apply(gpu, NULL);
	sim_sem_up(&ac->service_lock);
	if (!READ_ONCE(ac->enabled))
		return;
	uvm_isr_enable(gpu, REG_INTR_ACCESS_COUNTER, ac->stall);
}

/* ---- configuration --------------------------------------------------- */

static bool uvm_access_counters_wanted(const struct uvm_gpu_va_space *gvs)
{
	return READ_ONCE(gvs->access.enable) || uvm_pmm_counts_remote(&gvs->gpu->pmm) ||
	       uvm_params_counters_migrate(&gvs->va_space->params);
}

static bool uvm_access_counters_wanted_by_any(struct uvm_gpu *gpu)
{
	struct uvm_gpu_va_space *gvs;
	bool wanted = false;

	spin_lock(&gpu->instance_lock);
	list_for_each_entry(gvs, &gpu->gpu_va_spaces, node)
		wanted |= uvm_access_counters_wanted(gvs);
	spin_unlock(&gpu->instance_lock);
	return wanted;
}

/* Threshold and granularity as this VA space has them. */
static u32 uvm_access_counters_config(const struct uvm_gpu_va_space *gvs)
{
	const struct uvm_params *params = &gvs->va_space->params;
	u64 bytes = gvs->access.granularity ?: READ_ONCE(params->perf_access_counter_granularity);
	u32 threshold = gvs->access.threshold ?: READ_ONCE(params->perf_access_counter_threshold);

	return FIELD_PREP(REG_ACCESS_COUNTER_GRANULARITY, uvm_access_granularity(bytes)) |
	       FIELD_PREP(REG_ACCESS_COUNTER_THRESHOLD, threshold) | REG_ACCESS_COUNTER_ENABLE;
}

/**
 * uvm_access_counters_apply - turn the counters on or off, as the VA spaces want
 * @gpu: the GPU
 * @latest: the VA space whose wishes changed; it has come, or NULL: one has left, or nobody knows
 *
 * Caller holds @latest's VA space lock for writing.
 */
void uvm_access_counters_apply(struct uvm_gpu *gpu, struct uvm_gpu_va_space *latest)
{
	struct uvm_access_counters *ac = &gpu->counters;
	u32 config;

	if (latest)
		sim_assert_held_write(&latest->va_space->lock);
	mutex_lock(&ac->config_lock);
	config = ac->config;
	if (!uvm_access_counters_wanted_by_any(gpu))
		config = 0;
	else if (latest && uvm_access_counters_wanted(latest))
		config = uvm_access_counters_config(latest);
	if (config != ac->config)
		rm_reg_write(gpu->rm, REG_ACCESS_COUNTER_CONFIG, config);
	WRITE_ONCE(ac->config, config);
	mutex_unlock(&ac->config_lock);
}

/* All counters begin at 0, those of other VA spaces on the GPU, too.  0 or -EIO. */
static int uvm_access_counters_clear_all(struct uvm_gpu *gpu)
{
	struct uvm_push push;
	int ret;

	sim_charge(uvm_cost(gpu, counter_clear));
	ret = uvm_push_begin(gpu, UVM_CHANNEL_MEMOPS, &push);
	if (ret)
		return ret;
	uvm_host_access_counter_clear_all(&push);
	return uvm_push_end_and_wait(&push);
}

/* ---- ioctls ---------------------------------------------------------- */

static int uvm_ioctl_config_counters_check(struct file *file, const void *data)
{
	const struct uvm_config_access_counters *arg = data;

	return arg->enable > 1 || arg->threshold > U16_MAX ||
	       (arg->granularity && uvm_access_granularity(arg->granularity) < 0) ? -EINVAL : 0;
}

static int uvm_ioctl_config_counters(struct file *file, void *data)
{
	struct uvm_va_space *va_space = file->private_data;
	const struct uvm_config_access_counters *arg = data;
	struct uvm_gpu_va_space *gvs;

	sim_down_write(&va_space->lock);
	gvs = va_space->gpus[arg->gpu];
	if (gvs) {
		gvs->access.enable = arg->enable;
		gvs->access.granularity = arg->granularity;
		gvs->access.threshold = arg->threshold;
		uvm_access_counters_apply(gvs->gpu, gvs);
	}
	sim_up_write(&va_space->lock);
	return gvs ? 0 : -ENODEV;
}

UVM_IOCTL(UVM_IOC_CONFIG_ACCESS_COUNTERS, uvm_config_access_counters, uvm_ioctl_config_counters,
	  .reserved = { DOOR_AT(uvm_config_access_counters, __reserved) },
	  .gpu = { DOOR_AT(uvm_config_access_counters, gpu) },
	  .check = uvm_ioctl_config_counters_check, .cost = DOOR_COST(ioctl));

/* The number is compared only, for it may stand for all. */
static int uvm_ioctl_clear_counters(struct file *file, void *data)
{
	struct uvm_va_space *va_space = file->private_data;
	const struct uvm_clear_access_counters *arg = data;
	bool all = arg->gpu == UVM_PROCESSOR_NONE;
	int i, cleared = 0, ret = 0;

	sim_down_read(&va_space->lock);
	for (i = 0; i < UVM_MAX_GPUS && !ret; i++) {
		if (!va_space->gpus[i] || !(all || i == arg->gpu))
			continue;
		ret = uvm_access_counters_clear_all(va_space->gpus[i]->gpu);
		cleared++;
	}
	sim_up_read(&va_space->lock);
	return !ret && !cleared && !all ? -ENODEV : ret;
}

UVM_IOCTL(UVM_IOC_CLEAR_ACCESS_COUNTERS, uvm_clear_access_counters, uvm_ioctl_clear_counters,
	  .reserved = { DOOR_AT(uvm_clear_access_counters, __reserved) },
	  .cost = DOOR_COST(ioctl));

/* ---- set-up ---------------------------------------------------------- */

static void uvm_access_counters_free(struct uvm_access_counters *ac)
{
	uvm_service_free(ac->service);
	kvfree(ac->batch.notifications);
	kvfree(ac->batch.sorted);
}

/**
 * uvm_access_counters_init - be ready to serve notifications; counters are off
 * @gpu: the GPU, with its bottom half
 *
 * Return: 0 or -ENOMEM.
 */
int uvm_access_counters_init(struct uvm_gpu *gpu)
{
	struct uvm_access_counters *ac = &gpu->counters;
	struct uvm_access_batch *batch = &ac->batch;

	sim_sem_init(&ac->service_lock, 1);
	mutex_init(&ac->config_lock);
	ac->entries = gpu->info->access_ring_entries;
	batch->max = ac->entries;
	batch->notifications = kvcalloc(batch->max, sizeof(*batch->notifications), GFP_KERNEL);
	batch->sorted = kvcalloc(batch->max, sizeof(*batch->sorted), GFP_KERNEL);
	ac->service = uvm_service_alloc();
	if (!batch->notifications || !batch->sorted || !ac->service) {
		uvm_access_counters_free(ac);
		return -ENOMEM;
	}
	ac->cached_get = FIELD_GET(REG_ACCESS_COUNTER_INDEX,
				   rm_reg_read(gpu->rm, REG_ACCESS_COUNTER_GET));
	ac->cached_put = ac->cached_get;
	rm_reg_write(gpu->rm, REG_ACCESS_COUNTER_CONFIG, 0);
	ac->stall = rm_reg_read(gpu->rm, REG_CAPS) & REG_CAP_ACCESS_STALL;
	uvm_gpu_set_extensions(gpu, REG_CAP_ACCESS_STALL, ac->stall ? REG_CAP_ACCESS_STALL : 0);
	WRITE_ONCE(ac->enabled, true);
	rm_reg_write(gpu->rm, REG_INTR_EN_SET, REG_INTR_ACCESS_COUNTER);
	return 0;
}

/**
 * uvm_access_counters_exit - the reverse
 * @gpu: the GPU; its interrupt handler and its bottom half are gone
 */
void uvm_access_counters_exit(struct uvm_gpu *gpu)
{
	rm_reg_write(gpu->rm, REG_ACCESS_COUNTER_CONFIG, 0);
	uvm_gpu_set_extensions(gpu, REG_CAP_ACCESS_STALL, 0);
	rm_reg_write(gpu->rm, REG_INTR_EN_CLEAR, REG_INTR_ACCESS_COUNTER);
	uvm_access_counters_free(&gpu->counters);
}
