/* SPDX-License-Identifier: GPL-2.0 */
/* How a launch gets on: what its CTAs may issue, those that are gone, failure. */
#ifndef SOFTGPU_LAUNCH_PROGRESS_H
#define SOFTGPU_LAUNCH_PROGRESS_H

#include <linux/types.h>

struct sgpu_cta;
struct sgpu_failure;
struct sgpu_launch;

/* Instructions a CTA may issue before it looks at the launch's limit. */
#define SGPU_QUOTA		4096U

/**
 * sgpu_launch_fail - a launch fails, and the SMs of the GPU are told
 * @launch: the launch; its first failure wins
 * @failure: copied
 *
 * Context: any that may spin.
 */
void sgpu_launch_fail(struct sgpu_launch *launch, const struct sgpu_failure *failure);

/**
 * sgpu_quota - instructions for one CTA until it looks at the launch's limit again
 * @limit: of the launch
 * @used: instructions that are gone
 * @resident: CTAs on SMs, at least 1
 *
 * What counts is what was executed, not what is in other CTAs' hands: a launch never ends before
 * its limit, and at most a quota per CTA after it.
 * Return: 1 ...  SGPU_QUOTA; 0: the limit is reached.
 */
u32 sgpu_quota(u64 limit, u64 used, u32 resident);

/**
 * sgpu_launch_quota - next quota of a CTA
 * @launch: its launch
 * @used: the last one, used up
 *
 * Context: any but interrupts; the SM's lock may be held.
 * Return: as sgpu_quota().
 */
u32 sgpu_launch_quota(struct sgpu_launch *launch, u32 used);

/**
 * sgpu_launch_cta_gone - a CTA is off its SM
 * @cta: free from now on
 * @ran: to its end; false: it was dropped
 * @now_ps: time of its SM
 *
 * Context: any but interrupts; the SM's lock may be held.
 */
void sgpu_launch_cta_gone(struct sgpu_cta *cta, bool ran, u64 now_ps);

/**
 * sgpu_fail_errno - the errno of a failure
 * @reason: SOFTGPU_FAIL_*
 *
 * Return: a positive errno; 0: no failure.
 */
u32 sgpu_fail_errno(u32 reason);

/**
 * sgpu_launch_over - is no CTA left, and will none come?
 * @launch: the launch
 *
 * Context: the dispatcher's lock is held.
 * Return: true: it ends.
 */
bool sgpu_launch_over(const struct sgpu_launch *launch);

#endif
