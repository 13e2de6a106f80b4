/* SPDX-License-Identifier: GPL-2.0 */
/*
 * MMU: uTLBs, the shared L2 TLB, the page walker, and accesses that wait for
 * a translation, for a place in a uTLB's outstanding-fault table, or for a
 * replay.
 *
 * An SM asks sgpu_mmu_lookup() first; on a miss it hands the MMU a struct
 * sgpu_access, one per page and warp instruction.  The MMU calls it back once:
 * sgpu_access_translated() or sgpu_access_cancelled().
 *
 * Life of a missing access: it needs an entry of its uTLB's outstanding-fault
 * table (utlb_faults entries, one per address space, miss_bytes and access class).
 * If the table has one for its bytes and class, it is merged into that one
 * (counted if that faults; no second walk, no second record); if the table is
 * full, it waits in issue order until an entry becomes free.  With a new entry:
 * the uTLB's port (one miss per utlb_port_cycles) -> L2 lookup (l2tlb_cycles) ->
 * walk (walk_cycles, at most walks_in_flight at once, further ones wait in order)
 * -> fill both TLBs, call back, free the entry; or write a fault record and keep
 * the entry until a replay, which sends every faulted entry through port, L2
 * lookup and walk again, in issue order.  Entries freed by that go to the
 * accesses that waited for one.  An entry is translated for the page of its oldest
 * access; where the page found is smaller than miss_bytes, accesses outside it stay,
 * and the entry goes on at once with the oldest of them.
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
struct sgpu_miss;

enum sgpu_access_kind {
	SGPU_READ,
	SGPU_WRITE,
	SGPU_ATOMIC,
	SGPU_PREFETCH,
	SGPU_ACCESS_KINDS
};

/**
 * struct sgpu_translation - a successful translation of one 4K page
 * @aperture: where it points
 * @pa: physical address of the 4K page
 * @write: writes allowed
 * @atomic: atomics allowed
 */
struct sgpu_translation {
	enum rm_aperture aperture;
	u64 pa;
	bool write;
	bool atomic;
};

/**
 * struct sgpu_origin - who made an access
 * @block: block of its launch
 * @pc: address of the instruction in the image window
 * @sm: SM of the GPU
 * @warp: warp of the block
 */
struct sgpu_origin {
	u64 block;
	u64 pc;
	u32 sm;
	u32 warp;
};

/**
 * struct sgpu_access - one page of one warp memory instruction that missed
 * @node: the MMU's while it has the access
 * @as: address space
 * @va: address of the first lane (any byte of the page); canonical page = @va >> 12
 * @kind: access class
 * @sm: SM that issued it; gives uTLB, GPC and client
 * @warp: warp of @block, for fault records
 * @block: block of the launch, likewise
 * @pc: address of the instruction, likewise
 *
 * The rest is the MMU's: its place in the order of issue, the table entry it
 * waits for, its state, the result (why it was cancelled, a positive errno, or a
 * translation and its epoch).
 */
struct sgpu_access {
	struct list_head node;
	struct sgpu_address_space *as;
	u64 va;
	enum sgpu_access_kind kind;
	unsigned int sm;
	u32 warp;
	u64 block;
	u64 pc;
	/* private: the MMU's */
	u64 issue_seq;
	struct sgpu_miss *miss;
	u8 state;
	int error;
	struct sgpu_translation xlat;
	u64 epoch;
};

/**
 * struct sgpu_mmu_counters - what sgpu_mmu_read_counters() sums up, since load
 * @tlb_hits: uTLB hits
 * @tlb_misses: uTLB misses
 * @walks: page walks
 * @merged: accesses merged into an outstanding fault
 * @retried: faults that replays have looked up again
 */
struct sgpu_mmu_counters {
	u64 tlb_hits;
	u64 tlb_misses;
	u64 walks;
	u64 merged;
	u64 retried;
};

void sgpu_mmu_read_counters(struct rm_gpu *gpu, struct sgpu_mmu_counters *counters);

int sgpu_mmu_init(struct rm_gpu *gpu);
void sgpu_mmu_exit(struct rm_gpu *gpu);

/**
 * sgpu_mmu_lookup - translate through the uTLB of an SM
 * @gpu: the GPU
 * @sm: SM index
 * @as: address space
 * @va: virtual address, below 2^49
 * @kind: access class
 * @xlat: out
 *
 * Return: true on a hit that allows the access; false otherwise: then make a
 * request (a hit without permission is a miss too: the walk decides).
 */
bool sgpu_mmu_lookup(struct rm_gpu *gpu, unsigned int sm, const struct sgpu_address_space *as,
		     u64 va, enum sgpu_access_kind kind, struct sgpu_translation *xlat);

/**
 * sgpu_mmu_request - start translating a missed access
 * @gpu: the GPU
 * @access: as, va, kind and sm set by the caller
 * @when_ps: time of issue
 *
 * Allocates nothing.  The call-back comes later, never from inside.
 */
void sgpu_mmu_request(struct rm_gpu *gpu, struct sgpu_access *access, u64 when_ps);

/*
 * Take back an access whose launch ended; no call-back afterwards.  A fault
 * record already written stays in the ring.  Harmless if it was called back
 * before.  Real clock: waits for a call-back of this access that runs in
 * another thread, so hold no lock that the call-backs take.
 */
void sgpu_mmu_forget(struct rm_gpu *gpu, struct sgpu_access *access);

/*
 * Does an access that was requested, and not called back, wait for a replay, itself
 * or for an entry?  Otherwise it is being translated.  Caller may hold an SM's lock.
 */
bool sgpu_mmu_waits(struct rm_gpu *gpu, const struct sgpu_access *access);

/* Implemented by the SMs; called without the MMU's lock, at virtual now. */
void sgpu_access_translated(struct rm_gpu *gpu, struct sgpu_access *access,
			    const struct sgpu_translation *xlat, u64 epoch);
void sgpu_access_cancelled(struct rm_gpu *gpu, struct sgpu_access *access, int error);
/* Accesses of the SM have begun to wait for a replay. */
void sgpu_sms_faulted(struct rm_gpu *gpu, unsigned int index);
/* Real clock: returns when every SM has passed an instruction boundary. */
void sgpu_sms_quiesce(struct rm_gpu *gpu);

/* Real clock: @epoch given with a translation must still be this. */
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

void sgpu_mmu_invalidate(struct rm_gpu *gpu, const struct sgpu_invalidate *inv);
/* Start re-translating every waiting access (they come due after replay_ns). */
void sgpu_mmu_replay(struct rm_gpu *gpu);
/*
 * Why the accesses to a page are cancelled next, a positive errno.  It is theirs
 * from the cancel on, whenever their owner gets to hear of it.
 */
void sgpu_mmu_set_cancel_error(struct rm_gpu *gpu, struct sgpu_address_space *as, u64 va,
			       int error);
/*
 * Cancel the waiting accesses of one page of an address space whose class is
 * in @access (HOST_CANCEL_*); with EFAULT if nobody said why.  Those issued since
 * the driver last moved GET are left alone: it cannot have them in mind.
 */
void sgpu_mmu_cancel(struct rm_gpu *gpu, enum rm_aperture pdb_aperture, u64 pdb, u64 va,
		     unsigned int access);
#define SGPU_MMU_ALL_SMS	(-1)
/*
 * Cancel the accesses of an instance that have faulted in the uTLB of an SM, or in all:
 * whatever their page and class.  One that waits for an entry has not faulted.  Likewise
 * those issued since the driver last moved GET are left alone.
 */
void sgpu_mmu_cancel_instance(struct rm_gpu *gpu, u64 instance, int sm);
/* The SM that fault records name so; -ENXIO: there is none. */
int sgpu_mmu_client_sm(struct rm_gpu *gpu, unsigned int gpc, unsigned int client);
/* The driver has read records up to here: it decides about accesses issued by now. */
void sgpu_mmu_records_read(struct rm_gpu *gpu);
/* Walks, lookups or replays under way (not: accesses waiting for a replay). */
bool sgpu_mmu_busy(struct rm_gpu *gpu);

/* Walk the tables now, without TLBs or time; for copy engines and tests. */
enum sgpu_walk_result {
	SGPU_WALK_OK,
	SGPU_WALK_INVALID_PDE,
	SGPU_WALK_INVALID_PTE,
	SGPU_WALK_RO,
	SGPU_WALK_ATOMIC,
	SGPU_WALK_BAD_ADDRESS,		/* table or page outside memory */
};

enum sgpu_walk_result sgpu_mmu_walk(struct rm_gpu *gpu, const struct sgpu_address_space *as,
				    u64 va, enum sgpu_access_kind kind,
				    struct sgpu_translation *xlat);

#endif
