/* SPDX-License-Identifier: GPL-2.0 */
/* VA space: the structures, and the order of locks is in va_space.h. */
#ifndef UVM_VA_SPACE_TYPES_H
#define UVM_VA_SPACE_TYPES_H

#include <linux/kref.h>
#include <linux/mm_types.h>
#include <linux/mutex.h>
#include <softgpu/rm.h>
#include <softgpu/sim.h>
#include "base/counters.h"
#include "base/event.h"
#include "base/stats.h"
#include "base/types.h"
#include "block/block_thrashing_types.h"
#include "fault/access_counter_types.h"
#include "gpu/tracker_types.h"
#include "mmu/page_tree_types.h"
#include "model/copy_progress.h"
#include "model/range_group.h"
#include "model/range_states.h"
#include "model/topology.h"
#include "model/va_range.h"
#include "policy/param.h"

struct mem_cgroup;
struct uvm_gpu;

#define UVM_COPY_ENGINES	8	/* told apart; those behind share the last */

/**
 * struct uvm_gpu_va_space - a VA space on one GPU
 * @va_space: the VA space
 * @gpu: the GPU
 * @context: the compute context whose faults we serve
 * @instance: its instance pointer
 * @page_tree: page tables
 * @node: in uvm_gpu.gpu_va_spaces
 * @leaving: somebody unregisters it; va_space->lock
 * @dead_maps: external maps that a dead channel could not clear.  Protected by
 *	the VA space's external_lock
 * @dead_blocks: of uvm_va_block_gpu, of blocks that are gone while the GPU was dead.
 *	Protected by va_space->reap_lock
 * @access: what was asked of its access counters; va_space->lock
 * @copies: by copy engine; only the bottom half of non-replayable faults uses it
 */
struct uvm_gpu_va_space {
	struct uvm_va_space *va_space;
	struct uvm_gpu *gpu;
	struct rm_context *context;
	u64 instance;
	struct uvm_page_tree page_tree;
	struct list_head node;
	bool leaving;
	struct list_head dead_maps;
	struct list_head dead_blocks;
	struct uvm_access_config access;
	struct uvm_copy_progress copies[UVM_COPY_ENGINES];
};

/**
 * struct uvm_va_space - the managed memory of one process
 * @id: unique, counts from 1; orders VA spaces in a batch
 * @mm: owner; only identity, no reference on its users
 * @user: whose share of the GPUs it takes, see rm_user_take()
 * @memcg: charged for pages and bookkeeping; NULL without memory cgroups
 * @mapping: of an inode of its own, see inode.h; what is mapped of the file
 * @lock: serving takes it for reading; changing GPUs or policies for writing
 * @ranges_lock: protects @ranges, @detached and the block arrays of ranges
 * @ranges: managed ranges
 * @range_states: what policies keep of managed ranges.  Outer lock: @ranges_lock, inner:
 *	@range_lock; which are kept changes under @lock for writing, too
 * @range_lock: see there; taken last, nothing under it but locks of event queues
 * @externals: external ranges, of struct uvm_external_range.node.  Protected by
 *	@external_lock; changed under @ranges_lock too
 * @external_lock: maps of external ranges
 * @detached: blocks that lost pages to munmap, of uvm_va_block.detached_node
 * @reaping: one that was taken from @detached is not done yet
 * @reap_lock: one reaps at a time, and whoever serves waits for it
 * @reaper_lock: protects @has_reaper and @reaper_charge
 * @has_reaper: @reaper was started, by the first mapping; it stays until release
 * @reaper_charge: of its stack
 * @reaper: runs uvm_va_space_reap(), uvm_va_space_unpin() and uvm_va_space_remap()
 * @gpus: registered GPUs, by index.  Protected by @lock
 * @topology: who reaches whose memory.  Changed under @lock for writing
 * @groups: range groups.  Changed under @lock for writing
 * @thrashing: what blocks whose pages thrash share
 * @params: run-time parameters.  Protected by @lock
 * @stats: counters
 * @counters: by processor; not reset
 * @events: event queues
 * @accessed_by: bit per processor that some memory is, or was, accessed by.  Changed under
 *	@lock for writing; a hint where it is read without
 * @pending: all asynchronous migrations.  Protected by @pending_lock
 * @remap: blocks with evicted pages to be mapped, of uvm_va_block.remap_node.  Likewise
 * @pending_lock: short
 * @next_fence: fences given out so far
 */
struct uvm_va_space {
	u64 id;
	struct mm_struct *mm;
	struct rm_user *user;
	struct mem_cgroup *memcg;
	struct address_space *mapping;
	struct sim_rwsem lock;
	struct mutex ranges_lock;	/* ranges, detached */
	struct uvm_va_range_tree ranges;
	struct uvm_range_states range_states;
	spinlock_t range_lock;	/* bytes of range_states */
	struct rb_root_cached externals;
	struct sim_mutex external_lock;
	struct list_head detached;
	bool reaping;
	struct sim_mutex reap_lock;
	struct mutex reaper_lock;	/* has_reaper, reaper_charge */
	bool has_reaper;
	struct rm_charge reaper_charge;
	struct sim_kthread reaper;
	struct uvm_gpu_va_space *gpus[UVM_MAX_GPUS];
	struct uvm_topology topology;
	struct uvm_range_groups groups;
	struct uvm_va_space_thrashing thrashing;
	struct uvm_params params;
	struct uvm_stats_set stats;
	struct uvm_counter_sets counters;
	struct uvm_event_queues events;
	u16 accessed_by;
	struct uvm_tracker pending;
	struct list_head remap;
	struct mutex pending_lock;	/* pending, remap */
	u64 next_fence;
};

/**
 * struct uvm_span - what serving needs to know of a range around an address
 * @start: first byte of the range
 * @end: last byte
 * @policy: what the user advised
 */
struct uvm_span {
	u64 start;
	u64 end;
	struct uvm_va_policy policy;
};

/**
 * uvm_va_space_has_processor - may pages live there?
 * @va_space: the VA space; lock held
 * @id: processor
 *
 * Return: true for the CPU and registered GPUs.
 */
static inline bool uvm_va_space_has_processor(const struct uvm_va_space *va_space,
					      unsigned int id)
{
	sim_assert_held(&va_space->lock);
	if (id == UVM_ID_CPU)
		return true;
	return uvm_id_is_gpu(id) && va_space->gpus[uvm_id_gpu_index(id)];
}

#endif
