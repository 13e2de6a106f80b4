/* SPDX-License-Identifier: GPL-2.0 */
/* MSHRs, the outstanding misses of the MMU: requests, faults, replays; see mmu.h. */
#ifndef SOFTGPU_MMU_MSHR_H
#define SOFTGPU_MMU_MSHR_H

#include <linux/types.h>
#include "mmu/mmu_types.h"
#include "mmu/walker.h"

struct rm_gpu;

enum sgpu_mshr_state {
	SGPU_MSHR_L2,			/* in the due tree */
	SGPU_MSHR_WALK_WAIT,		/* in walk_wait */
	SGPU_MSHR_WALK,			/* in the due tree, has a walker */
	SGPU_MSHR_FAULTED,		/* waits for a replay */
};

/**
 * sgpu_mmu_request - start translating a missed access
 * @gpu: the GPU
 * @access: as, va, kind and sm set by the caller
 * @when_ps: time of issue
 *
 * Allocates nothing.  The call-back comes later, never from inside.
 */
void sgpu_mmu_request(struct rm_gpu *gpu, struct sgpu_access *access, u64 when_ps);

/**
 * sgpu_mmu_forget - take back an access whose launch ended; no call-back afterwards
 * @gpu: the GPU
 * @access: harmless if it was called back before
 *
 * A fault record already written stays in the ring.
 * Context: real clock: waits for a call-back of this access that runs in another thread, so hold no
 * lock that the call-backs take.
 */
void sgpu_mmu_forget(struct rm_gpu *gpu, struct sgpu_access *access);

/**
 * sgpu_mmu_waits - does an access wait for a replay, in an MSHR or for one?
 * @gpu: the GPU
 * @access: requested, and not called back
 *
 * Context: any but interrupts; the caller may hold an SM's lock.
 * Return: true; false: it is being translated.
 */
bool sgpu_mmu_waits(struct rm_gpu *gpu, const struct sgpu_access *access);

/**
 * sgpu_mmu_replay - start re-translating every waiting access, due after profile key replay_ns
 * @gpu: the GPU
 *
 * Context: event; takes the MMU's lock.
 */
void sgpu_mmu_replay(struct rm_gpu *gpu);

/**
 * sgpu_mmu_busy - are walks, lookups or replays under way?
 * @gpu: the GPU
 *
 * Accesses that wait for a replay are not.
 * Context: any but interrupts; takes the MMU's lock.
 * Return: true if so.
 */
bool sgpu_mmu_busy(struct rm_gpu *gpu);

/* For mmu_cancel.c.  Callers hold the MMU's lock. */

/**
 * sgpu_mmu_arm - have the event run when the next thing is due
 * @mmu: its lock is held
 */
void sgpu_mmu_arm(struct sgpu_mmu *mmu);

/**
 * sgpu_mshr_remove - take an access out of its MSHR
 * @m: the MSHR
 * @a: one of its accesses
 */
void sgpu_mshr_remove(struct sgpu_mshr *m, struct sgpu_access *a);

/**
 * sgpu_mshr_continue - some accesses of an MSHR are done: free it, or go on with the others
 * @mmu: its lock is held
 * @m: in no list or tree
 * @now: ps
 */
void sgpu_mshr_continue(struct sgpu_mmu *mmu, struct sgpu_mshr *m, u64 now);

/**
 * sgpu_access_done - an access is through: it will be called back
 * @mmu: its lock is held
 * @a: in no list
 * @cancelled: with the error of sgpu_access_cancel_error()
 */
void sgpu_access_done(struct sgpu_mmu *mmu, struct sgpu_access *a, bool cancelled);

/**
 * sgpu_fault_type - how a fault record calls what a walk found
 * @res: not SGPU_WALK_OK
 *
 * Return: FAULT_TYPE_*.
 */
u8 sgpu_fault_type(enum sgpu_walk_result res);

/**
 * sgpu_mmu_mshr_init - no miss is outstanding
 * @gpu: its profile has been read
 */
void sgpu_mmu_mshr_init(struct rm_gpu *gpu);

#endif
