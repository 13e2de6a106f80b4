/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The recorder's buffer (REG_CAP_RECORDER, an extension): 32-byte records in memory that the GPU
 * writes at PUT and the driver reads at GET.  What is recorded: <softgpu/regs.h>.
 */
#ifndef SOFTGPU_RECORDER_FORMAT_H
#define SOFTGPU_RECORDER_FORMAT_H

#include <linux/bits.h>

#define RECORDER_RECORD_BYTES		32
#define RECORDER_RECORD_WORDS		8

/* word 0, 1: what it is, and the instance pointer of the context */
#define RECORDER_W0_TYPE		GENMASK(1, 0)
#define RECORDER_TYPE_HITS		0	/* page-walk hits of several pages */
#define RECORDER_TYPE_WALK		1	/* one page-walk hit */
#define RECORDER_TYPE_ACCESSES		2	/* accesses of 64 KB */
#define RECORDER_W0_INST_LO		GENMASK(31, 12)
/* word 2, 3: address of the first byte: of the pages, the page, the 64 KB */
/*
 * HITS: words 4 to 6 are a counter for each page, the first in the lowest bits, of
 * recorder_counter_bits each; a counter does not wrap.
 */
#define RECORDER_COUNTER_BITS		96	/* recorder_pages * recorder_counter_bits at most */
#define RECORDER_W4_REPLAYED		BIT(0)	/* WALK: the access had faulted before */
/* WALK: requests, a warp's instruction in a page each, that the walk served.  No wrap. */
#define RECORDER_W5_REQUESTS		GENMASK(26, 0)
/*
 * ACCESSES: 128-byte lines, or requests, since the last transfer; in GPU memory, and elsewhere.
 * No wrap.
 */
#define RECORDER_W4_LOCAL		GENMASK(26, 0)
#define RECORDER_W5_REMOTE		GENMASK(26, 0)
#define RECORDER_W7_VALID		BIT(31)

#define RECORDER_GRANULE_SHIFT		16

#endif
