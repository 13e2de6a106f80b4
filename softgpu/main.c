// SPDX-License-Identifier: GPL-2.0
/* The module: its parameters, the GPUs, what is made and undone in which order. */
#define pr_fmt(fmt) "softgpu: " fmt

#include <linux/cpumask.h>
#include <linux/mm.h>
#include <linux/module.h>
#include <linux/slab.h>
#include "base/gpu.h"
#include "chardev.h"
#include "clock/clock.h"
#include "context.h"
#include "host/host.h"
#include "isa/exec.h"
#include "memory/iommu.h"
#include "memory/link.h"
#include "memory/pma.h"
#include "memory/vram.h"
#include "mmu/access_counter.h"
#include "mmu/accessed.h"
#include "mmu/recorder.h"
#include "mmu/fault_buffer.h"
#include "mmu/mmu.h"
#include "mmu/rm_space.h"
#include "base/gpus.h"
#include "base/profile.h"
#include "base/timeline.h"
#include "rm_priv.h"
#include "sm/dispatch.h"
#include "sm/sm_array.h"

#define SGPU_VRAM_MB_MAX	1048576U
#define SGPU_RESERVE_BASE	(16UL << 20)

static char *profile = "gtx1080ti";
module_param(profile, charp, 0444);
MODULE_PARM_DESC(profile,
		 "Machine and cost table: gtx1080ti (default), titanv, asplos20, tcad20, date21");

static char *clock = "virtual";
module_param(clock, charp, 0444);
MODULE_PARM_DESC(clock, "virtual: simulated, repeatable time (default); real: threads run free");

static unsigned int gpus = 1;
module_param(gpus, uint, 0444);
MODULE_PARM_DESC(gpus, "Number of GPUs, 1 to 8 (default 1)");

static unsigned int vram_mb = 256;
module_param(vram_mb, uint, 0444);
MODULE_PARM_DESC(vram_mb, "Memory of each GPU in MB, even, at least 2 (default 256)");

static char *set = "";
module_param(set, charp, 0444);
MODULE_PARM_DESC(set, "Overrides of profile values: key:value,key:value,...");

static bool wide = true;
module_param(wide, bool, 0444);
MODULE_PARM_DESC(wide, "Use AVX2 and FMA3 where the CPU has them; results are the same (default Y)");

/* Bad values are refused, never corrected. */
static int sgpu_main_check_params(bool *is_virtual)
{
	*is_virtual = !strcmp(clock, "virtual");
	if (!*is_virtual && strcmp(clock, "real")) {
		pr_err("clock: \"%s\" is neither virtual nor real\n", clock);
		return -EINVAL;
	}
	if (!gpus || gpus > RM_MAX_GPUS) {
		pr_err("gpus: %u is not in [1, %u]\n", gpus, RM_MAX_GPUS);
		return -EINVAL;
	}
	if (!vram_mb || vram_mb % 2 || vram_mb > SGPU_VRAM_MB_MAX) {
		pr_err("vram_mb: %u is odd or not in [2, %u]\n", vram_mb, SGPU_VRAM_MB_MAX);
		return -EINVAL;
	}
	return 0;
}

/* Refuse what would bring the host down rather than let the OOM killer decide. */
static int sgpu_main_alloc_vram(struct rm_gpu *gpu)
{
	u64 bytes;

	gpu->vram_bytes = (u64)vram_mb << 20;
	gpu->reserve_bytes = SGPU_RESERVE_BASE + ALIGN(gpu->vram_bytes / 32, RM_FRAME_SIZE) +
			     SGPU_RESERVE_INSTANCES * PAGE_SIZE;
	bytes = gpu->vram_bytes + gpu->reserve_bytes;
	if (bytes >> PAGE_SHIFT >= si_mem_available() ||
	    sgpu_vram_alloc(&gpu->vram, bytes, &sgpu_vram_host)) {
		pr_err("vram_mb: no memory for %u MB per GPU\n", vram_mb);
		return -ENOMEM;
	}
	return 0;
}

/* The units, in order of dependence. */
static const struct {
	int (*init)(struct rm_gpu *gpu);
	void (*exit)(struct rm_gpu *gpu);
} sgpu_main_units[] = {
	{ sgpu_iommu_init, sgpu_iommu_exit },
	{ sgpu_pma_init, sgpu_pma_exit },
	{ sgpu_reserve_init, sgpu_reserve_exit },
	{ sgpu_rm_space_init, sgpu_rm_space_exit },
	{ sgpu_mmu_init, sgpu_mmu_exit },
	{ sgpu_fault_buffer_init, sgpu_fault_buffer_exit },
	{ sgpu_access_counters_init, sgpu_access_counters_exit },
	{ sgpu_accessed_init, sgpu_accessed_exit },
	{ sgpu_recorder_init, sgpu_recorder_exit },
	{ sgpu_host_init, sgpu_host_exit },
	{ sgpu_sm_array_init, sgpu_sm_array_exit },
};

static void sgpu_main_exit_units(struct rm_gpu *gpu, unsigned int count)
{
	while (count--)
		sgpu_main_units[count].exit(gpu);
}

static void sgpu_main_destroy_gpu(struct rm_gpu *gpu)
{
	sgpu_chardev_unregister(gpu);
	sgpu_gpus_remove(gpu);
	sgpu_main_exit_units(gpu, ARRAY_SIZE(sgpu_main_units));
	sgpu_vram_free(&gpu->vram);
	kvfree(gpu);
}

static struct rm_gpu *sgpu_main_create_gpu(unsigned int index)
{
	struct rm_gpu *gpu = kvzalloc(sizeof(*gpu), GFP_KERNEL);
	unsigned int i;
	int ret;

	if (!gpu)
		return ERR_PTR(-ENOMEM);
	gpu->index = index;
	sim_waitq_init(&gpu->progress);
	spin_lock_init(&gpu->contexts_lock);
	INIT_LIST_HEAD(&gpu->contexts);
	sgpu_timelines_init(&gpu->timelines);
	sgpu_dispatcher_init(gpu);
	ret = sgpu_profile_load(gpu, profile, set);
	if (!ret)
		ret = sgpu_main_alloc_vram(gpu);
	if (ret)
		goto err_free;
	sgpu_link_init(gpu);
	for (i = 0; i < ARRAY_SIZE(sgpu_main_units); i++) {
		ret = sgpu_main_units[i].init(gpu);
		if (ret) {
			sgpu_main_exit_units(gpu, i);
			goto err_free;
		}
	}
	sgpu_rm_add(gpu);
	return gpu;
err_free:
	sgpu_vram_free(&gpu->vram);
	kvfree(gpu);
	return ERR_PTR(ret);
}

static void sgpu_main_destroy_gpus(void)
{
	unsigned int i;

	for (i = RM_MAX_GPUS; i--;) {
		if (rm_gpu(i))
			sgpu_main_destroy_gpu(rm_gpu(i));
	}
}

/* Users come in last, when all GPUs are there. */
static int sgpu_main_create_gpus(void)
{
	unsigned int i;
	int ret;

	for (i = 0; i < gpus; i++) {
		struct rm_gpu *gpu = sgpu_main_create_gpu(i);

		if (IS_ERR(gpu))
			return PTR_ERR(gpu);
		sgpu_debugfs_add(gpu);
	}
	for (i = 0; i < gpus; i++) {
		ret = sgpu_chardev_register(rm_gpu(i));
		if (ret)
			return ret;
	}
	return 0;
}

static int __init sgpu_main_init(void)
{
	bool is_virtual;
	int ret;

	ret = sgpu_main_check_params(&is_virtual);
	if (ret)
		return ret;
	ret = sgpu_clock_init(is_virtual, 2 * num_online_cpus());
	if (ret)
		return ret;
	sgpu_clock_set_hang_handler(sgpu_contexts_hang);
	sgpu_clock_set_throttle(sgpu_timeline_throttle);
	sgpu_exec_use_wide(wide);
	sgpu_debugfs_init();
	ret = sgpu_main_create_gpus();
	if (ret) {
		sgpu_debugfs_exit();
		sgpu_main_destroy_gpus();
		sgpu_clock_exit();
	}
	return ret;
}

static void __exit sgpu_main_exit(void)
{
	sgpu_debugfs_exit();
	sgpu_main_destroy_gpus();
	sgpu_clock_exit();
}

module_init(sgpu_main_init);
module_exit(sgpu_main_exit);

MODULE_DESCRIPTION("Software GPU with its resource manager");
MODULE_LICENSE("GPL");
