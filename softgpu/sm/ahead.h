/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Instructions that a warp has executed, but that have not issued yet.  Pure.
 *
 * Each has a bit, the next to issue the lowest; above the last there is a one.  A bit is set if to
 * issue is more than to let a cycle pass: the instruction takes the unit for double precision, or
 * its quota has been given back.
 *
 * Those in float registers of 64 bits may have to wait for that unit, so meanwhile other warps
 * of the CTA may use up its quota.  Then what has not issued gives back what it took
 * (sgpu_cta_recall()), and is *owed*: each takes its own when it issues.  So a CTA asks for its
 * next quota when it would if nobody looked ahead.
 */
#ifndef SOFTGPU_AHEAD_H
#define SOFTGPU_AHEAD_H

#include <linux/bitops.h>
#include <linux/types.h>

/* Instructions that a warp executes at once, the one that issues and those ahead of their time. */
#define SGPU_AHEAD		16
#define SGPU_AHEAD_NONE		1

/**
 * sgpu_ahead_pack - instructions ahead of their time
 * @left: how many, at most SGPU_AHEAD - 1
 * @more: bits of those that are more than a cycle
 *
 * Return: for sgpu_warp.ahead.
 */
static inline u16 sgpu_ahead_pack(unsigned int left, u32 more)
{
	return BIT(left) | more;
}

/**
 * sgpu_ahead_left - how many instructions are ahead of their time
 * @ahead: from sgpu_ahead_pack(), not 0
 *
 * Return: 0 ...  SGPU_AHEAD - 1.
 */
static inline unsigned int sgpu_ahead_left(u16 ahead)
{
	return fls(ahead) - 1;
}

#endif
