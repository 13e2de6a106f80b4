/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What was done on a device between two readings, for reports: those of `uvm run` and of programs
 * that bring their own kernels (cuda/runtime).
 */
#ifndef UVM_DEVICE_USE_H
#define UVM_DEVICE_USE_H

#include <json-c/json.h>

#include "../../lib/uvm.h"

/* Add thread_blocks, gpu_faults, mmu and link. */
void device_use_add_json(struct json_object *to, const struct softgpu_info *before,
			 const struct softgpu_info *after);

/* What SMs accessed in system memory. */
struct json_object *device_use_link_json(const struct softgpu_info *before,
					 const struct softgpu_info *after);

/* By processor, the CPU's first: room for 1 + UVM_GPU_MAX.  How many GPUs there are; 0 or an errno. */
int device_use_counters(struct uvm *u, struct uvm_counters *counters, int *gpus);

/* The same as a list. */
struct json_object *device_use_processors_json(const struct uvm_counters *counters, int gpus);

/* What the eviction policy of a GPU tells of itself. */
struct json_object *device_use_policy_json(struct uvm *u, int gpu);

#endif
