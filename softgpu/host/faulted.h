/* SPDX-License-Identifier: GPL-2.0 */
/* Channels that have faulted go on. */
#ifndef SOFTGPU_FAULTED_H
#define SOFTGPU_FAULTED_H

#include <linux/types.h>

struct rm_gpu;

/* CLEAR_FAULTED is due. */
void sgpu_host_clear_faulted(struct rm_gpu *gpu, u32 chid);
/* Likewise, by the software class: every channel of the instance whose fault was fetched. */
void sgpu_host_clear_instance(struct rm_gpu *gpu, u64 instance);

#endif
