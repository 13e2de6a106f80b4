/* SPDX-License-Identifier: GPL-2.0 */
/* What an SM is; see sm.h. */
#ifndef SOFTGPU_SM_STATE_H
#define SOFTGPU_SM_STATE_H

#include <linux/list.h>
#include <linux/mutex.h>
#include <linux/types.h>
#include "clock/clock.h"
#include "isa/exec.h"
#include "isa/format.h"
#include "sm/cta_table.h"
#include "sm/wake_queue.h"

struct rm_gpu;

#define SGPU_SM_WARPS		64
static_assert(SGPU_SM_WARPS == SGPU_WAKE_SLOTS);
#define SGPU_REAL_SLICE		256
#define SGPU_SM_LAST_SLOT	63	/* warps of an SM: at most 64 */

/**
 * struct sgpu_sm - one SM
 * @gpu: its GPU
 * @index: its number
 * @lock: protects everything here but @reap; real clock: SMs run in parallel
 * @event: real clock: runs this SM
 * @warp: warps by slot
 * @used: slots in use
 * @ready: warps that can issue
 * @wakes: warps that become ready by themselves
 * @next_wake: earliest of @wakes, or @deadline, or earlier
 * @deadline: virtual clock: when to look at inactive CTAs again; U64_MAX: never
 * @time: ps; time of the next issue
 * @next: virtual clock: when it wants to run, U64_MAX if it does not
 * @last: slot that issued last
 * @passes: real clock: odd while it runs; see sms_computes()
 * @turnover: a CTA ended, or could give way: look outside the issue loop
 * @reap: a launch was stopped, or what SMs may do has changed; set by anybody
 * @table: states of its CTAs, resources not in use
 * @ctas: resident CTAs
 * @dead: CTAs whose accesses must be taken back from the MMU
 * @instructions: warp instructions since load
 * @switched_out: active CTAs that became inactive since load
 * @switched_in: inactive CTAs that became active
 * @switch_ns: what saving and restoring them took, each rounded down
 * @stall_ps: since when it has warps of which none can issue; U64_MAX: not so
 * @is_virtual: which clock
 * @cycle_ps: one cycle
 * @mem_ps: load latency, GPU memory; latencies are 0 on the real clock
 * @line_ps: each further line
 * @compression_ps: further latency of GPU memory that is compressed
 * @shared_ps: load latency, windows
 * @peer_ps: memory of a peer, behind what its lines take on the link
 * @tensor_ps: matrix operation
 * @double_ps: from one operation in double precision to the next
 * @double_next_ps: when the next one can begin
 * @mem_ops: memory operations per warp
 * @lanes: scratch
 * @mma: scratch of a matrix operation
 * @print: scratch of a printf(), too large for the stack
 */
struct sgpu_sm {
	struct rm_gpu *gpu;
	unsigned int index;
	struct mutex lock;	/* everything but reap */
	struct sgpu_event event;
	struct sgpu_warp *warp[SGPU_SM_WARPS];
	u64 used;
	u64 ready;
	struct sgpu_wake_queue wakes;
	u64 next_wake;
	u64 deadline;
	u64 time;
	u64 next;
	unsigned int last;
	unsigned long passes;
	bool turnover;
	bool reap;
	struct sgpu_cta_table table;
	struct list_head ctas;
	struct list_head dead;
	u64 instructions;
	u64 switched_out;
	u64 switched_in;
	u64 switch_ns;
	u64 stall_ps;
	bool is_virtual;
	u64 cycle_ps;
	u64 mem_ps;
	u64 line_ps;
	u64 compression_ps;
	u64 shared_ps;
	u64 peer_ps;
	u64 tensor_ps;
	u64 double_ps;
	u64 double_next_ps;
	u32 mem_ops;
	struct sgpu_lanes lanes;
	struct sgpu_mma_scratch mma;
	struct sgpu_print_scratch print;
};

#endif
