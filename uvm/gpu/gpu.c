// SPDX-License-Identifier: GPL-2.0
/*
 * GPUs: made at module load, gone at unload.
 */
#include <linux/slab.h>
#include <softgpu/regs.h>
#include "gpu/gpu.h"
#include "policy/param.h"
#include "space/va_space.h"

static struct uvm_gpu *uvm_gpus[UVM_MAX_GPUS];

/**
 * uvm_gpu - a GPU by number
 * @index: number, as users see it
 *
 * Return: the GPU, or NULL; valid while the module is loaded.
 */
struct uvm_gpu *uvm_gpu(unsigned int index)
{
	return index < UVM_MAX_GPUS ? uvm_gpus[index] : NULL;
}

/**
 * uvm_gpu_count - how many there are
 *
 * Return: 1 ... %UVM_MAX_GPUS.
 */
unsigned int uvm_gpu_count(void)
{
	return min_t(unsigned int, rm_gpu_count(), UVM_MAX_GPUS);
}

/**
 * uvm_gpu_find_va_space - translate an instance pointer
 * @gpu: the GPU
 * @instance: from a fault record
 *
 * The result stays valid while the service lock is held: a VA space removes
 * itself here and then flushes the bottom half before it goes.
 *
 * Return: the address space, or NULL if it is gone.
 */
struct uvm_gpu_va_space *uvm_gpu_find_va_space(struct uvm_gpu *gpu, u64 instance)
{
	struct uvm_gpu_va_space *gvs, *found = NULL;

	spin_lock(&gpu->instance_lock);
	list_for_each_entry(gvs, &gpu->gpu_va_spaces, node) {
		if (gvs->instance == instance) {
			found = gvs;
			break;
		}
	}
	spin_unlock(&gpu->instance_lock);
	return found;
}

/**
 * uvm_gpu_add_va_space - from now on its faults are found
 * @gpu: the GPU
 * @gpu_va_space: with its instance pointer set
 */
void uvm_gpu_add_va_space(struct uvm_gpu *gpu, struct uvm_gpu_va_space *gpu_va_space)
{
	spin_lock(&gpu->instance_lock);
	list_add_tail(&gpu_va_space->node, &gpu->gpu_va_spaces);
	spin_unlock(&gpu->instance_lock);
}

/**
 * uvm_gpu_is_unused - has no VA space registered it?
 * @gpu: the GPU
 *
 * Return: true if so; on the real clock that may change at once.
 */
bool uvm_gpu_is_unused(struct uvm_gpu *gpu)
{
	bool unused;

	spin_lock(&gpu->instance_lock);
	unused = list_empty(&gpu->gpu_va_spaces);
	spin_unlock(&gpu->instance_lock);
	return unused;
}

/**
 * uvm_gpu_remove_va_space - from now on its faults are stale
 * @gpu: the GPU
 * @gpu_va_space: as added
 */
void uvm_gpu_remove_va_space(struct uvm_gpu *gpu, struct uvm_gpu_va_space *gpu_va_space)
{
	spin_lock(&gpu->instance_lock);
	list_del(&gpu_va_space->node);
	spin_unlock(&gpu->instance_lock);
}

void uvm_gpu_set_extensions(struct uvm_gpu *gpu, u32 ours, u32 wanted)
{
	u32 others;

	spin_lock(&gpu->extension_lock);
	others = rm_reg_read(gpu->rm, REG_EXT_ENABLE) & ~ours;
	rm_reg_write(gpu->rm, REG_EXT_ENABLE,
		     others | (wanted & ours & rm_reg_read(gpu->rm, REG_CAPS)));
	spin_unlock(&gpu->extension_lock);
}

static int uvm_gpu_create(unsigned int index)
{
	struct uvm_gpu *gpu;
	int ret;

	gpu = kzalloc(sizeof(*gpu), GFP_KERNEL);
	if (!gpu)
		return -ENOMEM;
	gpu->index = index;
	gpu->id = UVM_ID_GPU(index);
	gpu->rm = rm_gpu(index);
	gpu->info = rm_gpu_info(gpu->rm);
	sim_rwsem_init(&gpu->users_lock);
	spin_lock_init(&gpu->extension_lock);
	spin_lock_init(&gpu->instance_lock);
	INIT_LIST_HEAD(&gpu->gpu_va_spaces);
	uvm_stats_init(&gpu->stats);
	gpu->stats.gpu = gpu->index;
	uvm_gpu_concurrency_init(gpu);

	ret = uvm_channels_init(gpu, uvm_params_module()->channel_num_gpfifo_entries);
	if (ret)
		goto free_gpu;
	ret = uvm_pmm_init(gpu);
	if (ret)
		goto exit_channels;
	ret = uvm_isr_init(gpu);
	if (ret)
		goto exit_pmm;
	uvm_gpus[index] = gpu;
	return 0;

exit_pmm:
	uvm_pmm_exit(gpu);
exit_channels:
	uvm_channels_exit(gpu);
free_gpu:
	kfree(gpu);
	return ret;
}

static void uvm_gpu_destroy(unsigned int index)
{
	struct uvm_gpu *gpu = uvm_gpus[index];

	uvm_gpus[index] = NULL;
	WARN_ON_ONCE(!list_empty(&gpu->gpu_va_spaces));
	uvm_isr_exit(gpu);
	uvm_pmm_exit(gpu);
	uvm_channels_exit(gpu);
	kfree(gpu);
}

/* What the profile suggests; all GPUs have the same. */
static int uvm_gpus_suggest_params(void)
{
	static const struct {
		enum rm_profile_key key;
		enum uvm_param param;
	} suggested[] = {
		{ RM_PROFILE_uvm_fault_batch_count, UVM_PARAM_perf_fault_batch_count },
		{ RM_PROFILE_uvm_root_chunk_bytes, UVM_PARAM_root_chunk_granularity },
	};
	unsigned int i;
	int ret = 0;

	for (i = 0; !ret && i < ARRAY_SIZE(suggested); i++)
		ret = uvm_params_suggest(suggested[i].param,
					 rm_profile(rm_gpu(0), suggested[i].key));
	return ret;
}

/**
 * uvm_gpus_init - take every GPU the resource manager has
 *
 * Return: 0 or a negative errno; nothing is left behind on failure.
 */
int uvm_gpus_init(void)
{
	unsigned int i;
	int ret;

	ret = uvm_gpus_suggest_params();
	if (ret)
		return ret;
	for (i = 0; i < uvm_gpu_count(); i++) {
		ret = uvm_gpu_create(i);
		if (ret) {
			while (i--)
				uvm_gpu_destroy(i);
			return ret;
		}
	}
	return 0;
}

/**
 * uvm_gpus_exit - give all GPUs back; no VA space is left
 */
void uvm_gpus_exit(void)
{
	unsigned int i;

	for (i = uvm_gpu_count(); i--; )
		uvm_gpu_destroy(i);
}
