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

/**
 * sgpu_access_translated - the MMU has translated an access: its lanes are performed
 * @gpu: the GPU
 * @access: the access
 * @xlat: where its page is
 * @epoch: when that was read, see sgpu_mmu_epoch(); if it is late the access is requested again
 *
 * Context: event of the MMU (sgpu_mmu_client), without its lock; may sleep.
 */
void sgpu_access_translated(struct rm_gpu *gpu, struct sgpu_access *access,
			    const struct sgpu_translation *xlat, u64 epoch);

/**
 * sgpu_access_cancelled - an access will not be translated: its launch fails, a prefetch is dropped
 * @gpu: the GPU
 * @access: the access
 * @error: a positive errno
 *
 * Context: event of the MMU (sgpu_mmu_client), without its lock; may sleep.
 */
void sgpu_access_cancelled(struct rm_gpu *gpu, struct sgpu_access *access, int error);

/**
 * sgpu_lsu_issue - issue a memory instruction
 * @sm: the SM
 * @warp: the warp
 * @insn: the instruction
 *
 * Context: the SM's lock is held, between sgpu_fpu_begin() and sgpu_fpu_end().
 * Return: false if it has to be tried again (the warp sleeps) or failed (the launch is being
 * stopped).
 */
bool sgpu_lsu_issue(struct sgpu_sm *sm, struct sgpu_warp *warp, const struct sgpu_insn *insn);

/**
 * sgpu_lsu_prefetch - issue the prefetch intrinsic: addresses in a0
 * @sm: the SM
 * @warp: the warp
 * @insn: the ecall
 *
 * Addresses outside the MMU's are ignored.
 * Context: as sgpu_lsu_issue().
 * Return: false if it has to be tried again: the warp sleeps.
 */
bool sgpu_lsu_prefetch(struct sgpu_sm *sm, struct sgpu_warp *warp, const struct sgpu_insn *insn);

/**
 * sgpu_scoreboard_stalls - does an operation in flight still have to deliver registers?
 * @sm: the SM
 * @warp: the warp; sleeps if so
 * @regs: as in sgpu_insn.need
 *
 * Context: the SM's lock is held.
 * Return: true if so.
 */
bool sgpu_scoreboard_stalls(struct sgpu_sm *sm, struct sgpu_warp *warp, u64 regs);

/**
 * sgpu_lsu_draining - is any memory operation of a warp in flight?
 * @sm: the SM
 * @warp: the warp; sleeps if so
 *
 * Context: the SM's lock is held.
 * Return: true if so.
 */
bool sgpu_lsu_draining(struct sgpu_sm *sm, struct sgpu_warp *warp);

/**
 * sgpu_lsu_op_get - find a free operation of a warp
 * @sm: the SM
 * @warp: the warp
 *
 * Context: the SM's lock is held.
 * Return: its number, or -EAGAIN: then the warp sleeps.
 */
int sgpu_lsu_op_get(struct sgpu_sm *sm, struct sgpu_warp *warp);

/**
 * sgpu_lsu_results - registers that a memory instruction writes
 * @insn: the instruction
 *
 * Return: as in sgpu_insn.need.
 */
u64 sgpu_lsu_results(const struct sgpu_insn *insn);

/**
 * sgpu_lsu_op_performed - an operation was performed entirely at issue
 * @sm: the SM
 * @warp: the warp
 * @i: number of the operation
 * @regs: that it delivers
 * @latency_ps: so long from now; 0: they are there
 *
 * Context: the SM's lock is held.
 */
void sgpu_lsu_op_performed(struct sgpu_sm *sm, struct sgpu_warp *warp, unsigned int i, u64 regs,
			   u64 latency_ps);

/**
 * sgpu_lsu_latency - how long the data of an operation take
 * @sm: the SM
 * @kind: access class; nobody waits for a prefetch
 * @traffic: what its lanes moved
 * @now: of the last lane's translation, ps
 *
 * For tests.
 * Return: ps; 0 on the real clock.
 */
u64 sgpu_lsu_latency(const struct sgpu_sm *sm, enum sgpu_access_kind kind,
		     const struct sgpu_lsu_traffic *traffic, u64 now);

/**
 * sgpu_lsu_waits_replay - is a replay what a warp waits for?
 * @gpu: the GPU
 * @warp: one that waits for translations
 *
 * Context: the SM's lock is held.
 * Return: true if so.
 */
bool sgpu_lsu_waits_replay(struct rm_gpu *gpu, const struct sgpu_warp *warp);

/**
 * sgpu_lsu_forget - take every access of a CTA back from the MMU
 * @gpu: the GPU
 * @cta: off its SM
 *
 * Context: no SM lock is held; real clock: may sleep, see sgpu_mmu_forget().
 */
void sgpu_lsu_forget(struct rm_gpu *gpu, struct sgpu_cta *cta);

/**
 * sgpu_lsu_lane - perform one lane of any memory instruction
 * @warp: the warp
 * @insn: the instruction
 * @lane: the lane
 * @mem: the memory, aligned
 * @va: its address, for reservations
 * @data: of a store, AMO or SC
 */
void sgpu_lsu_lane(struct sgpu_warp *warp, const struct sgpu_insn *insn, unsigned int lane,
		   void *mem, u64 va, u64 data);

/**
 * sgpu_lsu_lane_absent - the same where there is no memory: it reads as zero, and forgets
 * @warp: the warp
 * @insn: the instruction
 * @lane: the lane
 * @va: the address
 * @data: of a store, AMO or SC
 */
void sgpu_lsu_lane_absent(struct sgpu_warp *warp, const struct sgpu_insn *insn, unsigned int lane,
			  u64 va, u64 data);

/**
 * sgpu_lsu_each - perform lanes one by one
 * @warp: the warp
 * @insn: the instruction
 * @mem: the memory at @off 0; NULL: there is none
 * @lanes: their addresses and offsets
 * @mask: which lanes
 */
void sgpu_lsu_each(struct sgpu_warp *warp, const struct sgpu_insn *insn, void *mem,
		   const struct sgpu_lanes *lanes, u32 mask);

#endif
