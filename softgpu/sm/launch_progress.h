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

/* First failure wins; the SMs of the GPU are told.  Any context that may spin. */
void sgpu_launch_fail(struct sgpu_launch *launch, const struct sgpu_failure *failure);
/*
 * Instructions for one of @resident CTAs, of @limit of which @used are gone.
 * What counts is what was executed, not what is in other CTAs' hands: a
 * launch never ends before its limit, and at most a quota per CTA after it.
 */
u32 sgpu_quota(u64 limit, u64 used, u32 resident);
/* Next quota of a CTA that has used up its last one; 0: the limit is reached. */
u32 sgpu_launch_quota(struct sgpu_launch *launch, u32 used);
/* A CTA is off its SM: it ran to its end (@ran) or was dropped. */
void sgpu_launch_cta_gone(struct sgpu_cta *cta, bool ran, u64 now_ps);
/* errno of a SOFTGPU_FAIL_* reason. */
u32 sgpu_fail_errno(u32 reason);
/* No CTA is left, and none will come: it ends.  Under the dispatcher's lock. */
bool sgpu_launch_over(const struct sgpu_launch *launch);

#endif
