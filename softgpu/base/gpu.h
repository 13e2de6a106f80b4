/* SPDX-License-Identifier: GPL-2.0 */
/*
 * struct rm_gpu: one software GPU, the sum of its units.  Each unit has its
 * own header and file; this one only puts them together.
 */
#ifndef SOFTGPU_GPU_H
#define SOFTGPU_GPU_H

#include <softgpu/rm.h>
#include <softgpu/regs.h>
#include "clock/clock.h"
#include "memory/vram_types.h"
#include "memory/iommu_types.h"
#include "memory/link_types.h"
#include "memory/peer_types.h"
#include "memory/pma_types.h"
#include "mmu/mmu_types.h"
#include "mmu/rm_space_types.h"
#include "mmu/fault_buffer_types.h"
#include "mmu/access_counter_types.h"
#include "mmu/accessed_types.h"
#include "mmu/recorder_types.h"
#include "host/host_types.h"
#include "sm/dispatch_types.h"
#include "sm/sm_array_types.h"
#include "base/extension_types.h"
#include "base/timeline.h"
#include "host/non_replayable_types.h"

struct miscdevice;

/**
 * struct rm_gpu - one software GPU
 * @index: its number
 * @profile: profile values after overrides, by enum rm_profile_key
 * @profile_name: name of the profile
 * @profile_override: bit per key that set= changed
 * @cycle_ps: picoseconds per SM cycle
 * @vram: GPU memory: @vram_bytes for PMA, then the reserve
 * @vram_bytes: a multiple of RM_FRAME_SIZE
 * @reserve_bytes: likewise
 * @progress: rm_gpu_waitq()
 * @info: what RM tells the driver
 * @iommu: device addresses of system memory
 * @pma: frames of GPU memory
 * @reserve: memory that the device keeps for itself
 * @rm_space: what the driver's channels are mapped in
 * @mmu: translations, misses and replays
 * @faults: replayable fault buffer
 * @non_replayable: faults of copy engines
 * @counters: access counters
 * @accessed: when its memory was accessed
 * @recorder: page-walk hits
 * @host: channels and copy engines
 * @dispatcher: gives CTAs to SMs
 * @sms: streaming multiprocessors
 * @timelines: who listens to all of them
 * @peers: other GPUs whose memory it reaches
 * @link: to system memory
 * @contexts_lock: protects @contexts
 * @contexts: all of its contexts
 * @lost: rm_gpu_set_lost()
 * @misc: the device node
 * @extension: registers of extensions
 */
struct rm_gpu {
	unsigned int index;
	u64 profile[RM_PROFILE_COUNT];
	const char *profile_name;
	DECLARE_BITMAP(profile_override, RM_PROFILE_COUNT);
	u64 cycle_ps;
	struct sgpu_vram vram;
	u64 vram_bytes;
	u64 reserve_bytes;
	struct sim_waitq progress;
	struct rm_gpu_info info;

	struct sgpu_iommu iommu;
	struct sgpu_pma pma;
	struct sgpu_reserve reserve;
	struct sgpu_rm_space rm_space;
	struct sgpu_mmu mmu;
	struct sgpu_fault_buffer faults;
	struct sgpu_non_replayable non_replayable;
	struct sgpu_access_counters counters;
	struct sgpu_accessed accessed;
	struct sgpu_recorder recorder;
	struct sgpu_host host;
	struct sgpu_dispatcher dispatcher;
	struct sgpu_sm_array sms;
	struct sgpu_timelines timelines;
	struct sgpu_peers peers;
	struct sgpu_link link;
	spinlock_t contexts_lock;	/* contexts */
	struct list_head contexts;
	bool lost;
	struct miscdevice *misc;
	struct sgpu_extension extension;
};

#define sgpu_prof(gpu, key) ((gpu)->profile[RM_PROFILE_##key])

/**
 * sgpu_mem_get - CPU pointer to device-visible memory
 * @gpu: the GPU
 * @aperture: GPU memory, a DMA address, or memory of a peer
 * @pa: address; the pointer is good up to the end of its 4K page
 *
 * Pair with sgpu_mem_put(); do not sleep in between.
 *
 * Return: pointer; NULL for an address outside GPU memory, not mapped by the
 * IOMMU (counted as a DMA fault) or not in a peer's memory (counted likewise).
 */
void *sgpu_mem_get(struct rm_gpu *gpu, enum rm_aperture aperture, u64 pa);

/**
 * sgpu_mem_put - the reverse of sgpu_mem_get()
 * @gpu: the GPU
 * @aperture: as it was asked for
 */
void sgpu_mem_put(struct rm_gpu *gpu, enum rm_aperture aperture);

#endif
