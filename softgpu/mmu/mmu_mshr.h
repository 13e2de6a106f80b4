/* SPDX-License-Identifier: GPL-2.0 */
/* MSHRs, the outstanding misses of the MMU: requests and faults; see mmu.h. */
#ifndef SOFTGPU_MMU_MSHR_H
#define SOFTGPU_MMU_MSHR_H

#include <linux/types.h>
#include "mmu/mmu_types.h"
#include "mmu/walker.h"

struct rm_gpu;
struct sgpu_fault;

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
 * sgpu_mmu_busy - are walks, lookups or replays under way?
 * @gpu: the GPU
 *
 * Accesses that wait for a replay are not.
 * Context: any but interrupts; takes the MMU's lock.
 * Return: true if so.
 */
bool sgpu_mmu_busy(struct rm_gpu *gpu);

/* For mmu_replay.c, mmu_cancel.c and mmu_hold.c.  Callers hold the MMU's lock. */

/**
 * sgpu_mmu_begin - sgpu_mmu_request() under the lock
 * @mmu: its lock is held
 * @a: as there; in no list
 * @when_ps: time of issue
 */
void sgpu_mmu_begin(struct sgpu_mmu *mmu, struct sgpu_access *a, u64 when_ps);

/**
 * sgpu_mmu_arm - have the event run when the next thing is due
 * @mmu: its lock is held
 */
void sgpu_mmu_arm(struct sgpu_mmu *mmu);

/**
 * sgpu_mshr_oldest - for whose page is an MSHR translated?
 * @m: in use
 *
 * Return: the oldest of its accesses.
 */
static inline struct sgpu_access *sgpu_mshr_oldest(const struct sgpu_mshr *m)
{
	return list_first_entry(&m->accesses, struct sgpu_access, node);
}

/**
 * sgpu_mshr_fault - what a fault record says of an MSHR
 * @gpu: the GPU
 * @m: the MSHR
 * @res: what the walk found, not SGPU_WALK_OK
 * @now: when, ps
 * @fault: filled
 */
void sgpu_mshr_fault(struct rm_gpu *gpu, const struct sgpu_mshr *m, enum sgpu_walk_result res,
		     u64 now, struct sgpu_fault *fault);

/**
 * sgpu_mshr_retry - a replay has an MSHR looked up again
 * @mmu: its lock is held
 * @m: faulted, and in no list any more
 * @now: ps
 */
void sgpu_mshr_retry(struct sgpu_mmu *mmu, struct sgpu_mshr *m, u64 now);

/**
 * sgpu_mshr_unwait - an MSHR waits for a replay no longer: it is in no list afterwards
 * @gpu: the GPU
 * @m: faulted
 */
void sgpu_mshr_unwait(struct rm_gpu *gpu, struct sgpu_mshr *m);

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
