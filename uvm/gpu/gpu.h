/* SPDX-License-Identifier: GPL-2.0 */
/*
 * struct uvm_gpu: a GPU as the driver sees it, and the table from instance
 * pointers to address spaces that the fault path needs.
 */
#ifndef UVM_GPU_H
#define UVM_GPU_H

#include <linux/mutex.h>
#include <linux/spinlock.h>
#include <linux/list.h>
#include <softgpu/rm.h>
#include "base/types.h"
#include "gpu/channel_types.h"
#include "gpu/replay_types.h"
#include "memory/pmm_types.h"
#include "fault/fault_service_types.h"
#include "fault/non_replayable_types.h"
#include "fault/access_counter_types.h"
#include "model/concurrency.h"
#include "base/stats.h"

/**
 * struct uvm_gpu - one GPU, from module load to unload
 * @rm: the resource manager's handle
 * @info: fixed facts about it
 * @index: GPU number, as users see it
 * @id: processor id, %UVM_ID_GPU(index)
 * @channels: channels and pushbuffer
 * @pmm: physical memory
 * @service_turn: who has tried in vain for long to get its memory, see uvm_service_try()
 * @replays: the latest
 * @faults: fault buffer, interrupt and bottom half
 * @non_replayable: faults of copy engines
 * @counters: access counters
 * @users_lock: written by who registers or unregisters it: the first user sets it up, the
 *	last clears up
 * @concurrency_lock: protects the next two; only @extension_lock and registers below it
 * @concurrency: how much it runs at once
 * @concurrency_policy: who decides that
 * @concurrency_timer: ends windows while SMs are off
 * @stats: counters over all VA spaces
 * @extension_lock: serialises changes of REG_EXT_ENABLE
 * @instance_lock: protects @gpu_va_spaces; innermost
 * @gpu_va_spaces: of struct uvm_gpu_va_space.node: translates instance
 *	pointers of fault records
 */
struct uvm_gpu {
	struct rm_gpu *rm;
	const struct rm_gpu_info *info;
	unsigned int index;
	unsigned int id;
	struct uvm_channel_manager channels;
	struct uvm_pmm pmm;
	struct sim_mutex service_turn;
	struct uvm_replays replays;
	struct uvm_fault_service faults;
	struct uvm_non_replayable non_replayable;
	struct uvm_access_counters counters;
	struct sim_rwsem users_lock;
	struct mutex concurrency_lock;	/* concurrency, concurrency_policy */
	struct uvm_concurrency concurrency;
	const struct uvm_concurrency_ops *concurrency_policy;
	struct sim_timer *concurrency_timer;
	struct uvm_stats_set stats;
	spinlock_t extension_lock;	/* REG_EXT_ENABLE */
	spinlock_t instance_lock;	/* gpu_va_spaces */
	struct list_head gpu_va_spaces;
};

/**
 * uvm_gpu_publish - from now on there is such a GPU, or none
 * @index: its number, below UVM_MAX_GPUS
 * @gpu: the GPU, or NULL
 *
 * Context: while the module is loaded or unloaded; nobody looks.
 */
void uvm_gpu_publish(unsigned int index, struct uvm_gpu *gpu);

/* NULL if there is no such GPU. */
struct uvm_gpu *uvm_gpu(unsigned int index);
unsigned int uvm_gpu_count(void);

/**
 * uvm_gpu_set_extensions - turn extensions of the device on or off
 * @gpu: the GPU
 * @ours: bits of REG_EXT_ENABLE that the caller decides about
 * @wanted: of these, those to be on; those that REG_CAPS does not have stay off
 *
 * Context: any but interrupts; takes extension_lock.
 */
void uvm_gpu_set_extensions(struct uvm_gpu *gpu, u32 ours, u32 wanted);

/* Modelled cost from the profile, ns. */
#define uvm_cost(gpu, key) rm_profile((gpu)->rm, RM_PROFILE_cost_##key)

struct uvm_gpu_va_space;
/* The address space behind an instance pointer, or NULL if it is gone. */
struct uvm_gpu_va_space *uvm_gpu_find_va_space(struct uvm_gpu *gpu, u64 instance);
u64 uvm_gpu_note_launch(struct uvm_gpu *gpu, u64 instance, bool begins);
bool uvm_gpu_is_unused(struct uvm_gpu *gpu);
void uvm_gpu_add_va_space(struct uvm_gpu *gpu, struct uvm_gpu_va_space *gpu_va_space);
void uvm_gpu_remove_va_space(struct uvm_gpu *gpu, struct uvm_gpu_va_space *gpu_va_space);

#endif
