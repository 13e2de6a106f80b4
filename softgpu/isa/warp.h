/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A warp: 32 threads in lockstep.  Everything here is protected by the lock of
 * the SM the warp is on.
 *
 * Divergence.  @active lanes share @pc and @depth; every other live lane has
 * its own in @lane_at.  Lanes that reached a barrier or a
 * matrix operation are @parked until all live lanes are.
 */
#ifndef SOFTGPU_WARP_H
#define SOFTGPU_WARP_H

#include <linux/build_bug.h>
#include <linux/cache.h>
#include <linux/list.h>
#include <linux/stddef.h>
#include <linux/types.h>
#include "isa/isa.h"
#include "mmu/mmu.h"

/* most pages one warp can have in flight; two scattered instructions' worth */
#define SGPU_WARP_GROUPS	64
#define SGPU_WARP_OPS_MAX	64
/* picks that leave other lanes waiting before those get a turn */
#define SGPU_FAIR_PICKS		1024
#define SGPU_NO_PC		0xffffffffU
/* call depth beyond which frames are no longer told apart */
#define SGPU_DEPTH_MAX		0xffffU
#define SGPU_NO_SLOT		0xffU

struct sgpu_cta;
struct sgpu_warp;
struct sgpu_lsu_op;

/**
 * struct sgpu_affine - one register of all lanes, as most are: a line
 * @base: value in lane 0
 * @step: from each lane to the next, modulo 2^64; 0 if all have one value
 */
struct sgpu_affine {
	u64 base;
	u64 step;
};

enum sgpu_group_state {
	SGPU_GROUP_FREE,
	SGPU_GROUP_MMU,		/* the MMU has it */
	SGPU_GROUP_CHAINED,	/* waits for an earlier one of the warp to the same page */
};

/**
 * struct sgpu_lsu_group - the lanes of one memory operation that share a page
 * @access: what the MMU sees
 * @op: the operation
 * @node: in the warp's groups, in issue order
 * @lanes: lanes not performed yet
 * @state: enum sgpu_group_state
 * @counted: an access counter has counted it, and had it wait
 */
struct sgpu_lsu_group {
	struct sgpu_access access;
	struct sgpu_lsu_op *op;
	struct list_head node;
	u32 lanes;
	u8 state;
	bool counted;
};

/**
 * struct sgpu_scoreboard_entry - what the scoreboard knows of one memory operation in flight
 * @regs: registers to be written, as in sgpu_insn.need
 * @ready_ps: time at which all lanes are ready; U64_MAX: not all are performed
 */
struct sgpu_scoreboard_entry {
	u64 regs;
	u64 ready_ps;
};

/**
 * struct sgpu_lsu_traffic - what lanes that were performed moved
 * @lines: 128-byte lines touched, per aperture
 * @link_ps: virtual clock: when the link has carried those of peers
 * @remote_ps: virtual clock: when those of system memory are done
 */
struct sgpu_lsu_traffic {
	u32 lines[RM_APERTURES];
	u64 link_ps;
	u64 remote_ps;
};

/**
 * struct sgpu_lsu_op - one memory instruction of which some pages missed
 * @warp: its warp
 * @insn: the instruction; of a prefetch the ecall
 * @kind: access class
 * @traffic: of performed groups
 * @groups: groups not performed
 * @pc: instruction index
 * @va: captured addresses
 * @data: captured store data
 */
struct sgpu_lsu_op {
	struct sgpu_warp *warp;
	const struct sgpu_insn *insn;
	enum sgpu_access_kind kind;
	struct sgpu_lsu_traffic traffic;
	u32 groups;
	u32 pc;
	u64 va[SGPU_LANES];
	u64 data[SGPU_LANES];
};

/* Why a warp does not issue. */
enum sgpu_stall {
	SGPU_STALL_NONE,
	SGPU_STALL_TIME,	/* until a known time */
	SGPU_STALL_MEMORY,	/* until an operation of the warp is translated */
	SGPU_STALL_LSU_FULL,	/* until a group is free: backpressure */
	SGPU_STALL_BARRIER,
	SGPU_STALL_GONE,	/* ended */
};

/**
 * struct sgpu_warp - a warp
 * @pc: instruction index of the active lanes
 * @active: lanes that execute
 * @live: lanes that have not exited
 * @slot: slot in its SM; SGPU_NO_SLOT while its CTA is inactive
 * @stall: why it does not issue, enum sgpu_stall
 * @ahead: which are executed, but have not issued: see sm/ahead.h
 * @pending: registers that wait for a load
 * @ops_busy: bit per memory operation in use
 * @groups_busy: bit per group in use
 * @code: its launch's instructions
 * @cta: its CTA
 * @affine: integer registers of which @ax has the values of all live lanes
 * @stale: of these, registers of which @x does not
 * @x: integer registers, by register, then lane; x[0] is never written
 * @f: float registers of 32 bits
 * @ax: integer registers as lines
 * @scoreboard: of each memory operation what is looked at most
 * @index: warp in its CTA
 * @initial: lanes that ever existed
 * @parked: lanes at a convergence point
 * @depth: call depth of the active lanes
 * @reconv_pc: reconvergence point: lowest PC of a waiting lane as deep as the active ones, or
 *	none: there the active lanes must be chosen anew
 * @streak: picks since the last fairness turn that left lanes waiting
 * @ran: lanes that were picked during @streak
 * @served: lanes that must let others go first in this fairness round
 * @reserved: lanes with a load reservation
 * @masked: the lanes for which @lane_mask stands
 * @lane_at: where lanes that are not active are, sgpu_lane_at(): the least goes first
 * @lane_mask: all ones for lanes in @masked, else 0: see sgpu_exec_lane_mask()
 * @reserve_va: address of the reservation
 * @reserve_value: what was there
 * @wake_ps: without a slot, and with SGPU_STALL_TIME: until when it waits
 * @awaited: with SGPU_STALL_MEMORY: bit per operation that it waits for
 * @any: one of these is enough
 * @ops: memory operations, profile value mem_ops_per_warp of them, for those that miss
 * @groups: groups in use, in issue order
 * @group: SGPU_WARP_GROUPS groups
 * @stack: stacks by thread
 * @syncing: parked lanes that wait at an intrinsic of the warp, see warp_op.h
 * @members: of these, whom each waits for
 * @sync_op: and where, SGPU_ECALL_*
 * @owed: @ahead of those that no quota has been taken for, or 0; see sm/ahead.h
 * @ahead_end: the instruction behind the last of a run in float registers of 64 bits
 * @ahead_active: and the lanes that executed them
 * @reduce: at a barrier, which reduction its a0 is to get, SGPU_ECALL_*, or 0
 * @doubles: float registers that are in @d, not in @f
 * @d: float registers of 64 bits, of images that have double precision; else NULL
 */
struct sgpu_warp {
	u32 pc;
	u32 active;
	u32 live;
	u8 slot;
	u8 stall;
	u16 ahead;
	u64 pending;
	u64 ops_busy;
	u64 groups_busy;
	const struct sgpu_insn *code;
	struct sgpu_cta *cta;
	u32 affine;
	u32 stale;
	u64 x[32][SGPU_LANES];
	u32 f[32][SGPU_LANES];
	struct sgpu_affine ax[32];
	struct sgpu_scoreboard_entry scoreboard[SGPU_WARP_OPS_MAX];
	u32 index;
	u32 initial;
	u32 parked;
	u32 depth;
	u32 reconv_pc;
	u32 streak;
	u32 ran;
	u32 served;
	u32 reserved;
	u32 masked;
	u64 lane_at[SGPU_LANES];
	u64 lane_mask[SGPU_LANES];
	u64 reserve_va[SGPU_LANES];
	u64 reserve_value[SGPU_LANES];
	u64 wake_ps;
	u64 awaited;
	bool any;
	struct sgpu_lsu_op *ops;
	struct list_head groups;
	struct sgpu_lsu_group *group;
	u8 *stack;
	u32 syncing;
	u32 members[SGPU_LANES];
	u8 sync_op[SGPU_LANES];
	u8 reduce;
	u16 owed;
	u32 ahead_end;
	u32 ahead_active;
	u32 doubles;
	u64 (*d)[SGPU_LANES];
} ____cacheline_aligned;

#define SGPU_DOUBLES_BYTES	sizeof(u64[32][SGPU_LANES])	/* of @d */
/*
 * From one warp's to the next: five lines more, for at multiples of a power of 2 the registers that
 * a program uses would be at the same few places of the caches in all warps.
 */
#define SGPU_DOUBLES_STRIDE	(SGPU_DOUBLES_BYTES + 5 * SMP_CACHE_BYTES)

/*
 * Warps are many more than caches hold, and each issues one instruction at a time: what
 * that looks at is one line, and each register begins one.
 */
static_assert(offsetof(struct sgpu_warp, x) == 64);

/**
 * sgpu_lane_at - a place in the code as one number: deeper frames first, then lower addresses
 * @depth: call depth, at most SGPU_DEPTH_MAX
 * @pc: instruction index
 *
 * Return: for sgpu_warp.lane_at.
 */
static inline u64 sgpu_lane_at(u32 depth, u32 pc)
{
	return (u64)(SGPU_DEPTH_MAX - depth) << 32 | pc;
}

/**
 * sgpu_lane_depth - the call depth of a place
 * @at: from sgpu_lane_at()
 *
 * Return: 0 ...  SGPU_DEPTH_MAX.
 */
static inline u32 sgpu_lane_depth(u64 at)
{
	return SGPU_DEPTH_MAX - (at >> 32);
}

/**
 * sgpu_warp_converged - do all live lanes execute together?
 * @warp: the warp
 *
 * Return: true if so.
 */
static inline bool sgpu_warp_converged(const struct sgpu_warp *warp)
{
	return warp->active == warp->live;
}

/**
 * sgpu_warp_x - the value of x[@reg] in a live lane
 * @warp: the warp
 * @reg: the register
 * @lane: the lane
 *
 * Return: the value, whether the register is a line or a row.
 */
static inline u64 sgpu_warp_x(const struct sgpu_warp *warp, unsigned int reg, unsigned int lane)
{
	if (warp->stale >> reg & 1)
		return warp->ax[reg].base + lane * warp->ax[reg].step;
	return warp->x[reg][lane];
}

#endif
