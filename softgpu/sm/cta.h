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

/**
 * sgpu_cta_pool_init - make an empty pool
 * @pool: storage
 */
void sgpu_cta_pool_init(struct sgpu_cta_pool *pool);

/**
 * sgpu_cta_pool_exit - free a pool
 * @pool: of a context without launches
 */
void sgpu_cta_pool_exit(struct sgpu_cta_pool *pool);

/**
 * sgpu_cta_pool_reserve - have enough memory for the CTAs of a launch
 * @pool: what other launches reserved stays
 * @shape: of the launch
 *
 * Context: may sleep.  Memory is charged to the caller's cgroup and his user.
 * Return: 0, -ENOMEM, or -EINTR: the caller is being killed.
 */
int sgpu_cta_pool_reserve(struct sgpu_cta_pool *pool, const struct sgpu_cta_shape *shape);

/**
 * sgpu_cta_pool_cut - cut what was reserved into free CTAs
 * @pool: no CTA of it is in use
 * @shape: has been reserved
 *
 * Context: event; never sleeps.
 */
void sgpu_cta_pool_cut(struct sgpu_cta_pool *pool, const struct sgpu_cta_shape *shape);

/**
 * sgpu_cta_prepare - make a CTA ready to run
 * @cta: a free one
 * @launch: whose it is
 * @sm: where it will run
 * @index: its number in the grid
 *
 * Context: the SM's lock is held; takes the FPU.
 */
void sgpu_cta_prepare(struct sgpu_cta *cta, struct sgpu_launch *launch, struct sgpu_sm *sm,
		      u64 index);

/**
 * sgpu_cta_ahead - instructions that warps have taken quota for, but not issued
 * @cta: it is off its SM, or the caller holds the SM's lock
 *
 * Return: how many.
 */
u32 sgpu_cta_ahead(const struct sgpu_cta *cta);

/**
 * sgpu_cta_recall - quota of what has not issued comes back
 * @cta: as for sgpu_cta_ahead()
 *
 * From now on each takes its own when it issues.
 * Return: how many.
 */
u32 sgpu_cta_recall(struct sgpu_cta *cta);

/**
 * sgpu_cta_pay - quota for the next instruction of a warp
 * @cta: the warp's; it has quota
 * @warp: some of its instructions are owed
 *
 * Context: the SM's lock is held.
 * Return: is it more than to let a cycle pass?
 */
bool sgpu_cta_pay(struct sgpu_cta *cta, struct sgpu_warp *warp);

#endif
