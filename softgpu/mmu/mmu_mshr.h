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

/*
 * Take back an access whose launch ended; no call-back afterwards.  A fault
 * record already written stays in the ring.  Harmless if it was called back
 * before.  Real clock: waits for a call-back of this access that runs in
 * another thread, so hold no lock that the call-backs take.
 */
void sgpu_mmu_forget(struct rm_gpu *gpu, struct sgpu_access *access);

/*
 * Does an access that was requested, and not called back, wait for a replay, in an
 * MSHR or for one?  Otherwise it is being translated.  Caller may hold an SM's lock.
 */
bool sgpu_mmu_waits(struct rm_gpu *gpu, const struct sgpu_access *access);

/* Start re-translating every waiting access (they come due after replay_ns). */
void sgpu_mmu_replay(struct rm_gpu *gpu);

/* Walks, lookups or replays under way (not: accesses waiting for a replay). */
bool sgpu_mmu_busy(struct rm_gpu *gpu);

/* For mmu_cancel.c.  Callers hold the MMU's lock. */

/* Have the event run when the next thing is due. */
void sgpu_mmu_arm(struct sgpu_mmu *mmu);
void sgpu_mshr_remove(struct sgpu_mshr *m, struct sgpu_access *a);
/* Some accesses of an MSHR that is in no list or tree are done: free it, or go on. */
void sgpu_mshr_continue(struct sgpu_mmu *mmu, struct sgpu_mshr *m, u64 now);
/* The access is through: it will be called back. */
void sgpu_access_done(struct sgpu_mmu *mmu, struct sgpu_access *a, bool cancelled);

/* FAULT_TYPE_* of a walk that found no translation. */
u8 sgpu_fault_type(enum sgpu_walk_result res);
void sgpu_mmu_mshr_init(struct rm_gpu *gpu);

#endif
