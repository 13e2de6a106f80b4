/* SPDX-License-Identifier: GPL-2.0 */
/* Stamps of accessed memory; see accessed.h. */
#ifndef SOFTGPU_ACCESSED_TYPES_H
#define SOFTGPU_ACCESSED_TYPES_H

#include <linux/types.h>

/**
 * struct sgpu_accessed - stamps of one GPU
 * @enabled: accesses stamp; changed under the fault buffer's lock
 * @start_ps: when tick 1 began
 * @bytes: of GPU memory that has stamps; the reserve has none
 * @frame: by 2 MB frame; without a lock, the last writer is as good as any
 * @big: by 64 KB, likewise
 * @reads: stamps read by the driver since load
 */
struct sgpu_accessed {
	bool enabled;
	u64 start_ps;
	u64 bytes;
	u32 *frame;
	u32 *big;
	u64 reads;
};

#endif
