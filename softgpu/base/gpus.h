/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The GPUs of this module, by index: rm_gpu() and rm_gpu_count() of rm.h.
 *
 * Written while the module is loaded and unloaded only, when nobody else can call.
 */
#ifndef SOFTGPU_GPUS_H
#define SOFTGPU_GPUS_H

struct rm_gpu;

/**
 * sgpu_gpus_add - a GPU can be found from now on
 * @gpu: its units are up
 */
void sgpu_gpus_add(struct rm_gpu *gpu);

/**
 * sgpu_gpus_remove - a GPU cannot be found any more
 * @gpu: its units are still up
 */
void sgpu_gpus_remove(struct rm_gpu *gpu);

#endif
