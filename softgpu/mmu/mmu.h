/* SPDX-License-Identifier: GPL-2.0 */
/*
 * MMU: uTLBs, the shared L2 TLB, the page walker, and accesses that wait for
 * a translation, for a free MSHR of a uTLB, or for a replay.
 *
 * An SM asks sgpu_mmu_lookup() first; on a miss it hands the MMU a struct
 * sgpu_access, one per page and warp instruction.  The MMU calls it back once:
 * sgpu_access_translated() or sgpu_access_cancelled().
 *
 * Life of a missing access: it needs an MSHR (miss status holding register) of its
 * uTLB, of which there are utlb_faults, one per address space, miss_bytes and access
 * class.  If one is in use for its bytes and class, it is merged into that one, as a
 * secondary miss (counted if that faults; no second walk, no second record); if none
 * is free, it stalls in issue order until one becomes so.  With a new MSHR: the uTLB's
 * port (one miss per utlb_port_cycles) -> a port of the L2 TLB (l2tlb_ports lookups begin
 * in one cycle) -> L2 lookup (l2tlb_cycles) ->
 * walk (walk_cycles, at most walks_in_flight at once, further ones wait in order)
 * -> fill both TLBs, call back, free the MSHR; or write a fault record and keep
 * it until a replay, which sends every faulted one through port, L2
 * lookup and walk again, in issue order.  MSHRs freed by that go to the
 * accesses that stalled for one.  One is translated for the page of its oldest
 * access; where the page found is smaller than miss_bytes, accesses outside it stay,
 * and it goes on at once with the oldest of them.
 *
 * Walk results and fault types: PDE, PTE (serviceable), RO, ATOMIC; a table or
 * page outside memory is FAULT_TYPE_PDE_SIZE, which is fatal.  A prefetch that
 * faults while prefetch faults are not reported is dropped (called back as
 * cancelled).  A context without page directory gets its accesses cancelled.
 *
 * Real clock: the MMU's state is under @lock; SMs run under their own locks
 * and re-check @epoch before they use a translation that was handed to them.
 */
#ifndef SOFTGPU_MMU_H
#define SOFTGPU_MMU_H

#include <linux/types.h>
#include <linux/list.h>
#include <linux/spinlock.h>
#include <softgpu/rm.h>
#include "clock/clock.h"
#include "mmu/mmu_types.h"

struct rm_gpu;

/**
 * struct sgpu_mmu_counters - what sgpu_mmu_read_counters() sums up, since load
 * @tlb_hits: uTLB hits
 * @tlb_misses: uTLB misses
 * @walks: page walks
 * @merged: accesses merged into an outstanding fault
 * @retried: records that replays have answered: what they stand for has tried again
 */
struct sgpu_mmu_counters {
	u64 tlb_hits;
	u64 tlb_misses;
	u64 walks;
	u64 merged;
	u64 retried;
};

/**
 * sgpu_mmu_read_counters - what the MMU has done since load
 * @gpu: the GPU
 * @counters: filled
 *
 * Context: any; without a lock, so not of one moment.
 */
void sgpu_mmu_read_counters(struct rm_gpu *gpu, struct sgpu_mmu_counters *counters);

/**
 * sgpu_mmu_init - make TLBs and MSHRs as the profile says
 * @gpu: its profile is loaded
 *
 * Return: 0, -EINVAL (a TLB's entries are no multiple of its ways) or -ENOMEM.
 */
int sgpu_mmu_init(struct rm_gpu *gpu);

/**
 * sgpu_mmu_exit - free them
 * @gpu: nothing is under way
 *
 * Also after sgpu_mmu_init() has failed.
 * Context: may sleep.
 */
void sgpu_mmu_exit(struct rm_gpu *gpu);

/**
 * sgpu_mmu_epoch - which translations are still good on the real clock?
 * @gpu: the GPU
 *
 * Context: any.
 * Return: the number of invalidates: @epoch given with a translation must still be this.
 */
u64 sgpu_mmu_epoch(struct rm_gpu *gpu);

/**
 * struct sgpu_invalidate - a decoded TLB invalidate (host_class.h MEM_OP)
 * @all_pdbs: every address space
 * @pdb_aperture: with @pdb
 * @pdb: address space
 * @targeted: only [@va, @va + (4K << @log2_pages))
 * @va: target
 * @log2_pages: log2 of the span in 4K pages
 * @level: HOST_LEVEL_*
 */
struct sgpu_invalidate {
	bool all_pdbs;
	enum rm_aperture pdb_aperture;
	u64 pdb;
	bool targeted;
	u64 va;
	unsigned int log2_pages;
	unsigned int level;
};

/**
 * sgpu_mmu_invalidate - perform a TLB invalidate
 * @gpu: whose TLBs
 * @inv: what goes: by address space, and by span of addresses
 *
 * Context: event; on the real clock it sleeps until no SM and no copy uses an old translation.
 */
void sgpu_mmu_invalidate(struct rm_gpu *gpu, const struct sgpu_invalidate *inv);

#endif
