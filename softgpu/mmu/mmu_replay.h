/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Replays: accesses that wait try again.
 *
 * NVIDIA's hardware (profile key far_faults:replay) looks up every faulted MSHR again; what still
 * is not there faults anew.  The papers' machines (far_faults:wait) let go those whose page can
 * be accessed, in order of their faults; see far_fault.h.
 */
#ifndef SOFTGPU_MMU_REPLAY_H
#define SOFTGPU_MMU_REPLAY_H

#include <linux/types.h>

struct rm_gpu;

/**
 * sgpu_mmu_replay_init - no replay is under way
 * @gpu: its profile has been read
 */
void sgpu_mmu_replay_init(struct rm_gpu *gpu);

/**
 * sgpu_mmu_replay - let what waits try again, due after profile key replay_ns
 * @gpu: the GPU
 * @taken: what sgpu_fault_taken() was when the driver handed over the replay: a fault whose
 *	record it took later is not answered by this one
 *
 * Context: event; takes the MMU's lock.
 */
void sgpu_mmu_replay(struct rm_gpu *gpu, u64 taken);

#endif
