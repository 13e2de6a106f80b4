/* SPDX-License-Identifier: GPL-2.0 */
/* What a launch is; see launch.h. */
#ifndef SOFTGPU_LAUNCH_STATE_H
#define SOFTGPU_LAUNCH_STATE_H

#include <linux/list.h>
#include <linux/types.h>
#include <softgpu/rm.h>
#include "base/history.h"
#include "clock/clock.h"
#include "sm/cta_types.h"

struct rm_context;
struct sgpu_image;

/**
 * struct sgpu_failure - where and why a launch failed
 * @reason: SOFTGPU_FAIL_*
 * @error: positive errno
 * @access: 0 read, 1 write, 2 atomic
 * @address: of the access or jump
 * @pc: image address
 * @cta: CTA index
 * @thread: thread index in its CTA
 */
struct sgpu_failure {
	u32 reason;
	u32 error;
	u32 access;
	u64 address;
	u64 pc;
	u64 cta;
	u64 thread;
};

/**
 * struct sgpu_launch - one launch
 * @node: in the context's launches, until it has ended
 * @ended: in the context's history, once it has
 * @gpu_node: in the GPU's list of dispatchable launches
 * @context: owner, outlives the launch
 * @id: handle
 * @charge: of itself and @args
 * @image: what runs
 * @shape: of its resident CTAs
 * @event: start, then end
 * @ready_ps: it cannot start before
 * @entry: instruction index of the entry function
 * @grid: CTAs
 * @cta_dim: threads of a CTA
 * @threads: product of @cta_dim
 * @warps: warps of a CTA
 * @regs: registers of a CTA, for occupancy
 * @shared_static: shared memory the image declares
 * @shared_bytes: all shared memory of a CTA
 * @args: argument block
 * @args_bytes: valid bytes of @args
 * @ctas: product of @grid
 * @limit: warp instructions allowed
 * @started: start event done.  Protected by the dispatcher's lock, as all below
 * @stop: failed or cancelled: SMs drop its CTAs
 * @next_cta: next CTA to dispatch
 * @resident: CTAs on SMs
 * @done: CTAs that ran to their end
 * @used: instructions of quotas that were used up
 * @instructions: instructions executed by CTAs that are gone
 * @end_ps: time of the last instruction so far
 * @failure: valid with @stop
 * @state: SOFTGPU_LAUNCH_*; written once, released; read with acquire
 * @start_ns: device time of the first dispatch
 * @end_ns: device time of the end
 */
struct sgpu_launch {
	struct list_head node;
	struct sgpu_history_item ended;
	struct list_head gpu_node;
	struct rm_context *context;
	u64 id;
	struct rm_charge charge;
	struct sgpu_image *image;
	struct sgpu_cta_shape shape;
	struct sgpu_event event;
	u64 ready_ps;
	u32 entry;
	u32 grid[3];
	u32 cta_dim[3];
	u32 threads;
	u32 warps;
	u32 regs;
	u32 shared_static;
	u32 shared_bytes;
	void *args;
	u32 args_bytes;
	u64 ctas;
	u64 limit;
	bool started;
	bool stop;
	u64 next_cta;
	u32 resident;
	u64 done;
	u64 used;
	u64 instructions;
	u64 end_ps;
	struct sgpu_failure failure;
	u32 state;
	u64 start_ns;
	u64 end_ns;
};

#endif
