// SPDX-License-Identifier: GPL-2.0
/*
 * GPUs: made at module load, gone at unload.
 */
#include <linux/slab.h>
#include "block/service.h"
#include "block/va_block.h"
#include "fault/fault.h"
#include "fault/gpu_concurrency.h"
#include "gpu/channel.h"
#include "gpu/gpu.h"
#include "gpu_init.h"
#include "memory/pmm.h"
#include "policy/param.h"

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
	uvm_service_turn_init(gpu);
	spin_lock_init(&gpu->extension_lock);
	spin_lock_init(&gpu->instance_lock);
	INIT_LIST_HEAD(&gpu->gpu_va_spaces);
	uvm_stats_init(&gpu->stats);
	gpu->stats.gpu = gpu->index;
	uvm_gpu_concurrency_init(gpu);

	ret = uvm_channels_init(gpu, uvm_params_module()->channel_num_gpfifo_entries);
	if (ret)
		goto free_gpu;
	ret = uvm_pmm_init(gpu, &uvm_va_block_owner_ops);
	if (ret)
		goto exit_channels;
	ret = uvm_isr_init(gpu);
	if (ret)
		goto exit_pmm;
	uvm_gpu_publish(index, gpu);
	return 0;

exit_pmm:
	uvm_pmm_exit(gpu);
exit_channels:
	uvm_channels_exit(gpu);
free_gpu:
	uvm_service_turn_exit(gpu);
	kfree(gpu);
	return ret;
}

static void uvm_gpu_destroy(unsigned int index)
{
	struct uvm_gpu *gpu = uvm_gpu(index);

	uvm_gpu_publish(index, NULL);
	WARN_ON_ONCE(!list_empty(&gpu->gpu_va_spaces));
	uvm_isr_exit(gpu);
	uvm_pmm_exit(gpu);
	uvm_channels_exit(gpu);
	uvm_service_turn_exit(gpu);
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
		{ RM_PROFILE_uvm_pte_max_bytes, UVM_PARAM_pte_max_bytes },
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
