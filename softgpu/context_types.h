/* SPDX-License-Identifier: GPL-2.0 */
/* A compute context; see context.h. */
#ifndef SOFTGPU_CONTEXT_TYPES_H
#define SOFTGPU_CONTEXT_TYPES_H

#include <linux/kref.h>
#include <linux/list.h>
#include <linux/mutex.h>
#include <linux/spinlock.h>
#include <linux/uidgid.h>
#include <linux/xarray.h>
#include <softgpu/rm.h>
#include "base/history.h"
#include "base/print.h"
#include "clock/clock.h"
#include "memory/pma_types.h"
#include "mmu/mmu_types.h"
#include "sm/cta_types.h"
#include "user_copy_types.h"

/**
 * struct rm_context - one compute context
 * @ref: the open file and, if tied, a VA space
 * @gpu: its GPU
 * @node: in the GPU's list
 * @process: who opened it
 * @uid: and as whom
 * @user: the same, for what he takes of the GPU
 * @as: address space; its instance is a piece of the GPU's reserve
 * @tied: belongs to a VA space; changed by xchg
 * @images: loaded images by handle
 * @lock: protects the members below; taken outside those of SMs and of the dispatcher
 * @stopped: refuses launches
 * @launches: running first, then queued, in launch order
 * @ended: finished launches
 * @launch_count: length of @launches, at most SOFTGPU_LAUNCHES_MAX
 * @next_launch: next launch id
 * @pool: memory of resident CTAs
 * @waitq: woken when a launch ends: its result is there, and room for another
 * @print: printf output
 * @limit: frames pinned by SOFTGPU_IOC_VRAM_LIMIT
 * @limit_lock: serialises changes of @limit
 * @prepare_lock: held while @prepare runs
 * @prepare: the driver's, before each launch
 * @prepare_data: its argument
 * @launched: told of launches that begin and end
 * @launched_data: its argument; written before it
 * @stop_lock: one ends all launches at a time
 * @copies: copies of the user
 * @memory: memory objects by handle
 */
struct rm_context {
	struct kref ref;
	struct rm_gpu *gpu;
	struct list_head node;
	struct pid *process;
	kuid_t uid;
	struct rm_user *user;
	struct sgpu_address_space as;
	unsigned int tied;
	struct xarray images;
	spinlock_t lock;	/* stopped ... next_launch */
	bool stopped;
	struct list_head launches;
	struct sgpu_history ended;
	unsigned int launch_count;
	u64 next_launch;
	struct sgpu_cta_pool pool;
	struct sim_waitq waitq;
	struct sgpu_print_ring print;
	struct sgpu_pma_limit limit;
	struct sim_mutex limit_lock;
	struct sim_mutex prepare_lock;	/* prepare, prepare_data */
	void (*prepare)(void *data);
	void *prepare_data;
	void (*launched)(void *data, const struct rm_launch *launch, bool begins);
	void *launched_data;
	struct mutex stop_lock;	/* sgpu_launches_cancel() */
	struct sgpu_copies copies;
	struct xarray memory;
};

#endif
