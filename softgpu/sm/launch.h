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
/* End every launch of the context at once, with SOFTGPU_FAIL_CANCELLED.  Sleeps. */
void sgpu_launches_cancel(struct rm_context *context);
/* Launch @id of the context has ended, or does not exist. */
bool sgpu_launch_ended(struct rm_context *context, u64 id);
/*
 * Copy the results of launch @id, of which the user is thereby told; -ENOENT.  Of one that ended
 * well long ago only that is known.
 */
int sgpu_launch_result(struct rm_context *context, u64 id, struct softgpu_wait *result);

/* A launch of the GPU is queued, or will start or end by an event. */
bool sgpu_launches_busy(struct rm_gpu *gpu);

/* Clock's hang handler: every running launch ends with SOFTGPU_FAIL_HANG. */
void sgpu_launches_hang(void);

#endif
