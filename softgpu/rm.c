// SPDX-License-Identifier: GPL-2.0
/* Resource manager: facts about a GPU; see rm.h. */
#include <linux/export.h>
#include "base/gpu.h"
#include "base/gpus.h"
#include "host/host.h"
#include "mmu/fault_buffer.h"
#include "mmu/mmu.h"
#include "mmu/mmu_mshr.h"
#include "rm_priv.h"
#include "sm/launch.h"
#include "sm/sm_array.h"

void sgpu_rm_add(struct rm_gpu *gpu)
{
	gpu->info = (struct rm_gpu_info) {
		.index = gpu->index,
		.profile_name = gpu->profile_name,
		.vram_bytes = gpu->vram_bytes,
		.reserve_bytes = gpu->reserve_bytes,
		.fault_ring = gpu->faults.ring,
		.fault_ring_entries = gpu->faults.entries,
		.fault_origin_ring = gpu->faults.origin,
		.access_ring = gpu->counters.ring,
		.access_ring_entries = gpu->counters.entries,
		.recorder_ring = gpu->recorder.ring,
		.recorder_ring_entries = gpu->recorder.entries,
		.utlb_count = gpu->mmu.utlb_count,
		.utlbs_per_gpc = gpu->mmu.utlbs_per_gpc,
		.sms_per_utlb = gpu->mmu.sms_per_utlb,
		.gpc_count = sgpu_prof(gpu, gpc_count),
	};
	sgpu_gpus_add(gpu);
}

const struct rm_gpu_info *rm_gpu_info(struct rm_gpu *gpu)
{
	return &gpu->info;
}
EXPORT_SYMBOL_NS_GPL(rm_gpu_info, SOFTGPU);

u64 rm_profile(struct rm_gpu *gpu, enum rm_profile_key key)
{
	return gpu->profile[key];
}
EXPORT_SYMBOL_NS_GPL(rm_profile, SOFTGPU);

struct sim_waitq *rm_gpu_waitq(struct rm_gpu *gpu)
{
	return &gpu->progress;
}
EXPORT_SYMBOL_NS_GPL(rm_gpu_waitq, SOFTGPU);

/*
 * An access that waits for a replay, or a channel for a semaphore, does not
 * count: it cannot go on by itself.
 */
bool rm_gpu_computing(struct rm_gpu *gpu)
{
	return sgpu_sms_busy(gpu) || sgpu_launches_busy(gpu);
}
EXPORT_SYMBOL_NS_GPL(rm_gpu_computing, SOFTGPU);

/* Grows with whatever leaves an SM, the host or the MMU for the next unit, but wake-ups. */
static u64 gpu_steps(struct rm_gpu *gpu)
{
	return sgpu_sms_instructions(gpu) + READ_ONCE(gpu->mmu.replayed) +
	       READ_ONCE(gpu->mmu.released) + READ_ONCE(gpu->mmu.faults);
}

static bool gpu_units_busy(struct rm_gpu *gpu)
{
	return rm_gpu_computing(gpu) || sgpu_mmu_busy(gpu) || sgpu_fault_buffer_busy(gpu) ||
	       sgpu_host_busy(gpu);
}

/*
 * Real clock: what goes from one unit to another while they are looked at, one by one, may
 * be in neither.  So they are looked at twice, and nothing may have moved meanwhile.
 */
bool rm_gpu_busy(struct rm_gpu *gpu)
{
	u64 steps = gpu_steps(gpu);

	return gpu_units_busy(gpu) || gpu_units_busy(gpu) || steps != gpu_steps(gpu);
}
EXPORT_SYMBOL_NS_GPL(rm_gpu_busy, SOFTGPU);
