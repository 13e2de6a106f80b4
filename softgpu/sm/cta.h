/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A resident CTA (cooperative thread array), which is what hardware calls a thread block: its
 * warps, stacks and shared memory.
 *
 * Launches of a context run one after the other, so it has one pool, as large as the largest
 * of its launches needs: reserved when one is made, and cut into CTAs of the right shape
 * when that starts, which allocates nothing.  A struct sgpu_cta is used for one thread
 * block after the other.
 *
 * An inactive CTA (cta_table.h) is one whose warps have no slots.  What it is stays
 * where it is, also while its context is said to be in GPU memory: the time of a switch
 * and the room on the SM are modelled, the bytes do not move and take no GPU memory.
 */
#ifndef SOFTGPU_CTA_H
#define SOFTGPU_CTA_H

#include <linux/list.h>
#include <linux/mutex.h>
#include <linux/types.h>
#include <softgpu/rm.h>
#include "sm/cta_state.h"
#include "sm/cta_types.h"

struct rm_gpu;
struct sgpu_sm;
struct sgpu_launch;

void sgpu_cta_pool_init(struct sgpu_cta_pool *pool);
/* No launch is left. */
void sgpu_cta_pool_exit(struct sgpu_cta_pool *pool);
/*
 * Have enough memory for @shape; what other launches reserved stays.  Sleeps.  Memory is charged
 * to the caller's cgroup and his user.  0, -ENOMEM, or -EINTR: the caller is being killed.
 */
int sgpu_cta_pool_reserve(struct sgpu_cta_pool *pool, const struct sgpu_cta_shape *shape);
/* Cut what was reserved into free CTAs; no CTA is in use.  Never sleeps. */
void sgpu_cta_pool_cut(struct sgpu_cta_pool *pool, const struct sgpu_cta_shape *shape);
/* Make it ready to run as number @index of @launch on @sm. */
void sgpu_cta_prepare(struct sgpu_cta *cta, struct sgpu_launch *launch, struct sgpu_sm *sm,
		      u64 index);
/*
 * Instructions that its warps have executed and taken quota for, but not issued.  The CTA is off
 * its SM, or the caller holds the SM's lock.
 */
u32 sgpu_cta_ahead(const struct sgpu_cta *cta);
/* Their quota comes back: from now on each takes its own when it issues.  Returns how many. */
u32 sgpu_cta_recall(struct sgpu_cta *cta);
/* Quota for the next one of @warp, which has some that are owed; returns its bit. */
bool sgpu_cta_pay(struct sgpu_cta *cta, struct sgpu_warp *warp);

#endif
