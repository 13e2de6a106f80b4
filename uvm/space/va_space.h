/* SPDX-License-Identifier: GPL-2.0 */
/*
 * VA space: one per open /dev/uvm.
 *
 * Locks, outermost first (the whole order is in Documentation/design.rst):
 *
 *   gpu->faults.service_lock	bottom half (a semaphore handed over by the ISR)
 *   mmap_lock			never held over a charge or a wait
 *   va_space->lock		sim_rwsem: GPUs, policies, who may serve
 *   va_space->reap_lock	sim_mutex: finishing what munmap began
 *   va_space->external_lock	sim_mutex: maps of external ranges
 *   va_space->ranges_lock	mutex, short: range tree, detached blocks
 *   va_block->lock		sim_mutex: everything of a block
 *   va_block->map_lock		mutex, short: CPU page tables of a block
 *   page tree, push, pmm	see their headers
 *
 * mmap and munmap run under mmap_lock and take only ranges_lock: munmap cuts
 * its ranges out of the tree, moves blocks that lost their last page to the
 * detached list and kicks the reaper.  Whoever serves reaps first, so a new
 * range at an old address never meets an old block's page tables.
 */
#ifndef UVM_VA_SPACE_H
#define UVM_VA_SPACE_H

#include <linux/kref.h>
#include <linux/fs.h>
#include <linux/mm_types.h>
#include <softgpu/rm.h>
#include <softgpu/sim.h>
#include "base/types.h"
#include "block/block_thrashing.h"
#include "base/event.h"
#include "gpu/gpu.h"
#include "mmu/page_tree.h"
#include "policy/param.h"
#include "base/counters.h"
#include "model/copy_progress.h"
#include "model/range_group.h"
#include "base/stats.h"
#include "model/topology.h"
#include "gpu/tracker.h"
#include "model/va_range.h"

struct uvm_va_block;
struct mem_cgroup;

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

int uvm_va_space_open(struct inode *inode, struct file *file);
int uvm_va_space_start_reaper(struct uvm_va_space *va_space);
int uvm_va_space_release(struct inode *inode, struct file *file);
/* The VA space behind a file, or NULL if it is not an open /dev/uvm. */
struct uvm_va_space *uvm_va_space_from_file(struct file *file);

/* ioctls; the caller is a participant and holds no lock */
int uvm_va_space_register_gpu(struct uvm_va_space *va_space, int softgpu_fd, s32 *gpu);
int uvm_va_space_unregister_gpu(struct uvm_va_space *va_space, s32 gpu);
/* peer.c */
int uvm_va_space_change_peer(struct uvm_va_space *va_space, unsigned int a, unsigned int b,
			     bool on);
/* A GPU has come, or leaves with no page of it mapped any more; @lock held for writing. */
void uvm_va_space_join_peers(struct uvm_va_space *va_space, struct uvm_gpu *gpu);
void uvm_va_space_leave_peers(struct uvm_va_space *va_space, struct uvm_gpu *gpu);
/* Flags of uvm_migrate() beside UVM_MIGRATE_ASYNC. */
#define UVM_MIGRATE_POPULATE	BIT(16)	/* only what is nowhere yet */
#define UVM_MIGRATE_FIXED	BIT(17)	/* also what a range group keeps where it is */
#define UVM_MIGRATE_HOLES	BIT(18)	/* leave out what is not managed */
/**
 * struct uvm_migration - what uvm_migrate() is asked for
 * @base: first byte, page aligned
 * @length: bytes, whole pages; 0: only the release
 * @dst: processor id
 * @flags: UVM_MIGRATE_*
 * @semaphore: address of the word to release, with UVM_MIGRATE_ASYNC; 0: none
 * @payload: what is written there
 * @fence: out: for uvm_va_space_wait()
 */
struct uvm_migration {
	u64 base;
	u64 length;
	unsigned int dst;
	unsigned int flags;
	u64 semaphore;
	u32 payload;
	u64 fence;
};

int uvm_migrate(struct uvm_va_space *va_space, struct uvm_migration *migration);
int uvm_va_space_wait(struct uvm_va_space *va_space, u64 fence);
int uvm_set_preferred_location(struct uvm_va_space *va_space, u64 base, u64 length,
			       unsigned int id);
int uvm_set_accessed_by(struct uvm_va_space *va_space, u64 base, u64 length, unsigned int id,
			bool on);
void uvm_advice_forget_gpu(struct uvm_va_space *va_space, unsigned int id);
int uvm_discard(struct uvm_va_space *va_space, u64 base, u64 length, bool unmap);
int uvm_set_read_duplication(struct uvm_va_space *va_space, u64 base, u64 length, bool on);
int uvm_va_space_quiesce(struct uvm_va_space *va_space);
/* evict_span.c, residency.c */
int uvm_evict(struct uvm_va_space *va_space, struct uvm_evict *arg);
int uvm_residency(struct uvm_va_space *va_space, struct uvm_residency *arg);
int uvm_validate_range(struct uvm_va_space *va_space, u64 base, u64 length);

/* group.c: range groups */
int uvm_group_create(struct uvm_va_space *va_space, u64 *id);
int uvm_group_destroy(struct uvm_va_space *va_space, u64 id);
int uvm_group_set(struct uvm_va_space *va_space, u64 base, u64 length, u64 id);
int uvm_group_set_migration(struct uvm_va_space *va_space, const u64 *ids, unsigned int count,
			    bool allow);
int uvm_group_migrate(struct uvm_va_space *va_space, u64 id, unsigned int dst);

/* Is every address of the span managed?  ranges_lock held. */
bool uvm_va_space_is_managed(struct uvm_va_space *va_space, u64 base, u64 length);
/* Next block that exists at or after @addr, which moves past it; @lock held. */
struct uvm_va_block *uvm_va_space_next_block(struct uvm_va_space *va_space, u64 *addr);
/* Is the processor one this VA space can use?  @lock held. */
bool uvm_va_space_has_processor(struct uvm_va_space *va_space, unsigned int id);

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
 * uvm_va_space_find_block - block of a managed address, created if needed
 * @va_space: the VA space; @lock held
 * @addr: any address
 * @span: out: the range
 * @block: out: with a reference
 *
 * Return: 0, -EFAULT if @addr is not managed, -ENOMEM.
 */
int uvm_va_space_find_block(struct uvm_va_space *va_space, u64 addr, struct uvm_span *span,
			    struct uvm_va_block **block);

/*
 * Finish what munmap began, or wait until whoever is at it has finished.  @lock
 * held, no block lock.
 */
void uvm_va_space_reap(struct uvm_va_space *va_space);
/* block_remap.c */
void uvm_va_space_remap(struct uvm_va_space *va_space);
void uvm_va_space_wait_pending(struct uvm_va_space *va_space);

/* vma.c */
/* Cut a range in two at @addr, a page inside it; ranges_lock held. */
int uvm_va_space_split_range(struct uvm_va_space *va_space, struct uvm_va_range *range, u64 addr);
int uvm_vma_mmap(struct file *file, struct vm_area_struct *vma);

#endif
