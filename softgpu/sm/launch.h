/* SPDX-License-Identifier: GPL-2.0 */
/*
 * One launch of a kernel: queued -> running -> ended.
 *
 * A launch fails by sgpu_launch_fail(), from anywhere; the SMs then drop its
 * blocks at their next instruction boundary, and when the last block is gone
 * the launch ends.  Both starting and ending are events, so that a launch ends
 * at the time of its last instruction although SMs run ahead by a quantum.
 */
#ifndef SOFTGPU_LAUNCH_H
#define SOFTGPU_LAUNCH_H

#include <linux/bits.h>
#include <linux/types.h>
#include <linux/list.h>
#include <uapi/linux/softgpu.h>
#include "sm/block.h"
#include "clock/clock.h"
#include "base/history.h"

struct rm_gpu;
struct rm_context;
struct sgpu_image;

#define SGPU_ARGS_MAX		4096
#define SGPU_INSTRUCTIONS	BIT_ULL(31)
/* instructions a block may issue before it looks at the launch's limit */
#define SGPU_QUOTA		4096U

/**
 * struct sgpu_failure - where and why a launch failed
 * @reason: SOFTGPU_FAIL_*
 * @error: positive errno
 * @access: 0 read, 1 write, 2 atomic
 * @address: of the access or jump
 * @pc: image address
 * @block: block index
 * @thread: thread index in its block
 */
struct sgpu_failure {
	u32 reason;
	u32 error;
	u32 access;
	u64 address;
	u64 pc;
	u64 block;
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
 * @shape: of its resident blocks
 * @event: start, then end
 * @ready_ps: it cannot start before
 * @entry: instruction index of the entry function
 * @grid: blocks
 * @block: threads of a block
 * @threads: product of @block
 * @warps: warps of a block
 * @regs: registers of a block, for occupancy
 * @shared_static: shared memory the image declares
 * @shared_bytes: all shared memory of a block
 * @args: argument block
 * @args_bytes: valid bytes of @args
 * @blocks: product of @grid
 * @limit: warp instructions allowed
 * @started: start event done.  Protected by the array's lock, as all below
 * @stop: failed or cancelled: SMs drop its blocks
 * @next_block: next block to dispatch
 * @resident: blocks on SMs
 * @done: blocks that ran to their end
 * @used: instructions of quotas that were used up
 * @instructions: instructions executed by blocks that are gone
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
	struct sgpu_block_shape shape;
	struct sgpu_event event;
	u64 ready_ps;
	u32 entry;
	u32 grid[3];
	u32 block[3];
	u32 threads;
	u32 warps;
	u32 regs;
	u32 shared_static;
	u32 shared_bytes;
	void *args;
	u32 args_bytes;
	u64 blocks;
	u64 limit;
	bool started;
	bool stop;
	u64 next_block;
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

/**
 * struct sgpu_launch_params - a checked and copied launch request
 * @image: a reference, consumed by sgpu_launch_create() if it succeeds
 * @entry: instruction index
 * @grid: blocks, each at least 1
 * @block: threads, each at least 1
 * @shared_bytes: dynamic shared memory
 * @args: kernel copy; consumed likewise
 * @args_bytes: its size
 * @limit: instruction limit, 0 for the default
 */
struct sgpu_launch_params {
	struct sgpu_image *image;
	u32 entry;
	u32 grid[3];
	u32 block[3];
	u32 shared_bytes;
	void *args;
	u32 args_bytes;
	u64 limit;
};

/* Let the driver prepare a launch or a copy of the context.  Participant. */
void sgpu_launch_prepare(struct rm_context *context);
/* Allocate everything a launch needs; sleeps. ERR_PTR: -EINVAL, -ENOMEM, -EINTR (killed). */
struct sgpu_launch *sgpu_launch_create(struct rm_context *context,
				       const struct sgpu_launch_params *params);
/*
 * Queue it, behind the driver's preparation; from then on the context owns it, and may have
 * ended and forgotten it by the time that this returns.  @id: its id.  Participant.  Waits
 * while SOFTGPU_LAUNCHES_MAX are queued.  0 or -ENODEV (stopped), -EIO (lost), -EINTR (killed),
 * -ENOBUFS (so many failed of which nobody has been told that no more can be remembered).
 */
int sgpu_launch_submit(struct sgpu_launch *launch, u64 *id);
/* Free one that was not submitted, or that has ended. */
void sgpu_launch_free(struct sgpu_launch *launch);
/* First failure wins; the SMs of the GPU are told.  Any context that may spin. */
void sgpu_launch_fail(struct sgpu_launch *launch, const struct sgpu_failure *failure);
/* End every launch of the context at once, with SOFTGPU_FAIL_CANCELLED.  Sleeps. */
void sgpu_launches_cancel(struct rm_context *context);
/*
 * Instructions for one of @resident blocks, of @limit of which @used are gone.
 * What counts is what was executed, not what is in other blocks' hands: a
 * launch never ends before its limit, and at most a quota per block after it.
 */
u32 sgpu_quota(u64 limit, u64 used, u32 resident);
/* Next quota of a block that has used up its last one; 0: the limit is reached. */
u32 sgpu_launch_quota(struct sgpu_launch *launch, u32 used);
/* A block is off its SM: it ran to its end (@ran) or was dropped. */
void sgpu_launch_block_gone(struct sgpu_block *block, bool ran, u64 now_ps);
/* Launch @id of the context has ended, or does not exist. */
bool sgpu_launch_ended(struct rm_context *context, u64 id);
/*
 * Copy the results of launch @id, of which the user is thereby told; -ENOENT.  Of one that ended
 * well long ago only that is known.
 */
int sgpu_launch_result(struct rm_context *context, u64 id, struct softgpu_wait *result);
/* errno of a SOFTGPU_FAIL_* reason. */
u32 sgpu_fail_errno(u32 reason);

/* Clock's hang handler: every running launch ends with SOFTGPU_FAIL_HANG. */
void sgpu_launches_hang(void);

#endif
