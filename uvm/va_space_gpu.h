/* SPDX-License-Identifier: GPL-2.0 */
/* GPUs of a VA space: register, unregister, quiesce. */
#ifndef UVM_VA_SPACE_GPU_H
#define UVM_VA_SPACE_GPU_H

#include <linux/types.h>

struct uvm_va_space;

/* ioctls; the caller is a participant and holds no lock */
int uvm_va_space_register_gpu(struct uvm_va_space *va_space, int softgpu_fd, s32 *gpu);
int uvm_va_space_unregister_gpu(struct uvm_va_space *va_space, s32 gpu);
int uvm_va_space_quiesce(struct uvm_va_space *va_space);

#endif
