/* SPDX-License-Identifier: GPL-2.0 */
/* Channels that have faulted go on. */
#ifndef SOFTGPU_FAULTED_H
#define SOFTGPU_FAULTED_H

#include <linux/types.h>

struct rm_gpu;

/**
 * sgpu_host_clear_faulted - a CLEAR_FAULTED of the host is due: a channel goes on
 * @gpu: the GPU
 * @chid: id of the channel; one that has not faulted, or is gone, is left alone
 *
 * Context: event; takes sgpu_host.lock.
 */
void sgpu_host_clear_faulted(struct rm_gpu *gpu, u32 chid);

/**
 * sgpu_host_clear_instance - likewise of the software class: every channel whose fault was fetched
 * @gpu: the GPU
 * @instance: of the context that the channels are of
 *
 * Context: event; takes sgpu_host.lock.
 */
void sgpu_host_clear_instance(struct rm_gpu *gpu, u64 instance);

#endif
