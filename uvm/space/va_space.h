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
 *   va_space->range_lock		spinlock: what policies keep of ranges; nothing under it
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
#include "block/service.h"
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
#include "space/va_space_types.h"

struct uvm_va_block;
struct mem_cgroup;

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

/* The caller is a participant and holds no lock. */
int uvm_migrate(struct uvm_va_space *va_space, struct uvm_migration *migration);
int uvm_va_space_wait(struct uvm_va_space *va_space, u64 fence);
int uvm_va_space_poll(struct uvm_va_space *va_space, u64 fence);
void uvm_advice_forget_gpu(struct uvm_va_space *va_space, unsigned int id);

/**
 * uvm_va_space_is_managed - is every address of a span managed?
 * @va_space: the VA space
 * @base: first address
 * @length: bytes, at least one, to the end of the address space at most
 *
 * Context: ranges_lock held.
 * Return: true if so, by one range or by several.
 */
bool uvm_va_space_is_managed(struct uvm_va_space *va_space, u64 base, u64 length);

/* block_visit.c */
int uvm_service_visit(struct uvm_service *service, const struct uvm_service_request *request,
		      u64 base, u64 last, uvm_service_fn visit, const void *arg);
int uvm_va_space_visit(struct uvm_va_space *va_space, u64 base, u64 length,
		       uvm_service_fn visit, const void *arg);
/* Next block that exists at or after @addr, which moves past it; @lock held. */
struct uvm_va_block *uvm_va_space_next_block(struct uvm_va_space *va_space, u64 *addr);

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

/**
 * uvm_va_space_reap - finish what munmap began, or wait until whoever is at it has finished
 * @va_space: the VA space
 *
 * Context: va_space->lock held, no block's; takes reap_lock and those of blocks; may wait for GPUs.
 */
void uvm_va_space_reap(struct uvm_va_space *va_space);

/* remap.c */
void uvm_va_space_remap(struct uvm_va_space *va_space);
void uvm_va_space_wait_pending(struct uvm_va_space *va_space);

#endif
