/* SPDX-License-Identifier: GPL-2.0 */
/* GPUs of a VA space: register, unregister, quiesce. */
#ifndef UVM_VA_SPACE_GPU_H
#define UVM_VA_SPACE_GPU_H

struct uvm_va_space;

/* The caller is a participant and holds no lock. */
int uvm_va_space_unregister_gpu(struct uvm_va_space *va_space, unsigned int gpu_index);

#endif
