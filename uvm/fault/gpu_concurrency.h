/* SPDX-License-Identifier: GPL-2.0 */
/* How much a GPU runs at once; see gpu_concurrency.c and model/concurrency.h. */
#ifndef UVM_GPU_CONCURRENCY_H
#define UVM_GPU_CONCURRENCY_H

struct uvm_gpu;
struct uvm_params;

void uvm_gpu_concurrency_init(struct uvm_gpu *gpu);
int uvm_gpu_concurrency_start(struct uvm_gpu *gpu);
void uvm_gpu_concurrency_stop(struct uvm_gpu *gpu);
void uvm_gpu_set_concurrency(struct uvm_gpu *gpu, const struct uvm_params *params);
void uvm_gpu_concurrency_step(struct uvm_gpu *gpu);

#endif
