/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The load/store unit of an SM: memory instructions of warps, from issue to completion, and
 * the scoreboard.
 *
 * An instruction is split into groups of lanes by 4K page.  A group whose page
 * hits in the uTLB is performed at issue; otherwise the MMU gets the group,
 * and it is performed, once, when its translation succeeds.  Addresses and
 * store data are those of the time of issue.  A group waits for earlier groups
 * of its warp to the same page if one of the two writes.
 */
#ifndef SOFTGPU_LSU_H
#define SOFTGPU_LSU_H

#include "mmu/mmu_types.h"
#include "sm/sm_state.h"

/* Called by the MMU (sgpu_mmu_client), without its lock, at virtual now. */
void sgpu_access_translated(struct rm_gpu *gpu, struct sgpu_access *access,
			    const struct sgpu_translation *xlat, u64 epoch);
void sgpu_access_cancelled(struct rm_gpu *gpu, struct sgpu_access *access, int error);

/*
 * Issue a memory instruction.  Return: false if it has to be tried again (the
 * warp sleeps) or failed (the launch is being stopped).  Needs the FPU.
 */
bool sgpu_lsu_issue(struct sgpu_sm *sm, struct sgpu_warp *warp, const struct sgpu_insn *insn);
/* The prefetch intrinsic: addresses in a0. */
bool sgpu_lsu_prefetch(struct sgpu_sm *sm, struct sgpu_warp *warp, const struct sgpu_insn *insn);

/*
 * Scoreboard: does an operation in flight still have to deliver @regs?  Puts
 * the warp to sleep and returns true if so.
 */
bool sgpu_scoreboard_stalls(struct sgpu_sm *sm, struct sgpu_warp *warp, u64 regs);
/* The same for every memory operation of the warp. */
bool sgpu_lsu_draining(struct sgpu_sm *sm, struct sgpu_warp *warp);

/* Number of a free operation, or -EAGAIN: then the warp sleeps. */
int sgpu_lsu_op_get(struct sgpu_sm *sm, struct sgpu_warp *warp);
/* Registers that the instruction writes, as in sgpu_insn.need. */
u64 sgpu_lsu_results(const struct sgpu_insn *insn);
/* Operation @i was performed entirely at issue; it delivers @regs after @latency_ps. */
void sgpu_lsu_op_performed(struct sgpu_sm *sm, struct sgpu_warp *warp, unsigned int i, u64 regs,
			   u64 latency_ps);

/* From the last lane's translation, @now, to the data, on the virtual clock; for tests. */
u64 sgpu_lsu_latency(const struct sgpu_sm *sm, enum sgpu_access_kind kind,
		     const struct sgpu_lsu_traffic *traffic, u64 now);

/* A warp that waits for translations: is a replay what it waits for?  SM's lock held. */
bool sgpu_lsu_waits_replay(struct rm_gpu *gpu, const struct sgpu_warp *warp);

/* Take every access of the CTA back from the MMU; no SM lock held. */
void sgpu_lsu_forget(struct rm_gpu *gpu, struct sgpu_cta *cta);

/* Perform one lane of any memory instruction at @mem, aligned. */
void sgpu_lsu_lane(struct sgpu_warp *warp, const struct sgpu_insn *insn, unsigned int lane,
		   void *mem, u64 va, u64 data);
/* The same where there is no memory. */
void sgpu_lsu_lane_absent(struct sgpu_warp *warp, const struct sgpu_insn *insn, unsigned int lane,
			  u64 va, u64 data);
/* The lanes in @mask, one by one, at @mem + off, or at no memory if NULL; all offsets are there. */
void sgpu_lsu_each(struct sgpu_warp *warp, const struct sgpu_insn *insn, void *mem,
		   const struct sgpu_lanes *lanes, u32 mask);

#endif
