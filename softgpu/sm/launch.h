/* SPDX-License-Identifier: GPL-2.0 */
/*
 * One launch of a kernel: queued -> running -> ended.
 *
 * A launch fails by sgpu_launch_fail(), from anywhere; the SMs then drop its
 * CTAs at their next instruction boundary, and when the last CTA is gone
 * the launch ends.  Both starting and ending are events, so that a launch ends
 * at the time of its last instruction although SMs run ahead by a quantum.
 */
#ifndef SOFTGPU_LAUNCH_H
#define SOFTGPU_LAUNCH_H

#include <linux/bits.h>
#include <linux/types.h>
#include <linux/list.h>
#include <uapi/linux/softgpu.h>
#include "clock/clock.h"
#include "base/history.h"
#include "sm/launch_state.h"

struct rm_gpu;
struct rm_context;
struct sgpu_image;

#define SGPU_ARGS_MAX		4096
#define SGPU_INSTRUCTIONS	BIT_ULL(31)

/**
 * struct sgpu_launch_params - a checked and copied launch request
 * @image: a reference, consumed by sgpu_launch_create() if it succeeds
 * @entry: instruction index
 * @grid: CTAs, each at least 1
 * @cta_dim: threads, each at least 1
 * @shared_bytes: dynamic shared memory
 * @args: kernel copy; consumed likewise
 * @args_bytes: its size
 * @limit: instruction limit, 0 for the default
 */
struct sgpu_launch_params {
	struct sgpu_image *image;
	u32 entry;
	u32 grid[3];
	u32 cta_dim[3];
	u32 shared_bytes;
	void *args;
	u32 args_bytes;
	u64 limit;
};

/**
 * sgpu_launch_prepare - let the driver prepare a launch or a copy, see rm_context_set_prepare()
 * @context: whose
 *
 * Context: participant; may wait.
 */
void sgpu_launch_prepare(struct rm_context *context);

/**
 * sgpu_launch_create - allocate everything a launch needs
 * @context: whose launch
 * @params: its image and arguments are the launch's, if this succeeds
 *
 * Context: may sleep.
 * Return: the launch, or ERR_PTR: -EINVAL (it fits on no SM), -ENOMEM, -EINTR (killed).
 */
struct sgpu_launch *sgpu_launch_create(struct rm_context *context,
				       const struct sgpu_launch_params *params);

/**
 * sgpu_launch_submit - queue a launch, behind the driver's preparation
 * @launch: the context's from then on: it may have ended and be forgotten on return
 * @id: out: its id
 *
 * Waits while SOFTGPU_LAUNCHES_MAX are queued.
 * Context: participant.
 * Return: 0, -ENODEV (stopped), -EIO (lost, or a hang), -EINTR (killed), or -ENOBUFS: so many
 * failed of which nobody has been told that no more can be remembered.
 */
int sgpu_launch_submit(struct sgpu_launch *launch, u64 *id);

/**
 * sgpu_launch_free - free a launch
 * @launch: was not submitted, or has ended
 */
void sgpu_launch_free(struct sgpu_launch *launch);

/**
 * sgpu_launches_cancel - end every launch at once, with SOFTGPU_FAIL_CANCELLED
 * @context: whose
 *
 * Context: may sleep; no lock held that events take.
 */
void sgpu_launches_cancel(struct rm_context *context);

/**
 * sgpu_launch_ended - has a launch ended?
 * @context: whose
 * @id: its id
 *
 * Context: any but interrupts.
 * Return: true if so, or there is no such launch.
 */
bool sgpu_launch_ended(struct rm_context *context, u64 id);

/**
 * sgpu_launch_result - tell the user how a launch ended
 * @context: whose
 * @id: its id
 * @result: filled; of one that ended well long ago only that is known
 *
 * Context: any but interrupts.
 * Return: 0 (also: it runs), or -ENOENT.
 */
int sgpu_launch_result(struct rm_context *context, u64 id, struct softgpu_wait *result);

/**
 * sgpu_launches_busy - is a launch queued, or will it start or end by an event?
 * @gpu: the GPU
 *
 * Context: any but interrupts.
 * Return: true if so.
 */
bool sgpu_launches_busy(struct rm_gpu *gpu);

/**
 * sgpu_launches_fail - every running launch of a context ends
 * @context: the context
 * @reason: SOFTGPU_FAIL_*
 *
 * Context: any but interrupts.
 */
void sgpu_launches_fail(struct rm_context *context, u32 reason);

#endif
