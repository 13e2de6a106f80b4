/* SPDX-License-Identifier: GPL-2.0 */
/* Explicit memory (memory/memory.h) by its handle in a context, and in user space. */
#ifndef SOFTGPU_USER_MEMORY_H
#define SOFTGPU_USER_MEMORY_H

#include <linux/types.h>

struct rm_context;
struct rm_memory;
struct vm_area_struct;

#define SGPU_MEMORY_HANDLES	65535U
/* File offset of an object: its handle above so many bits. */
#define SGPU_MEMORY_OFFSET_SHIFT 40

/* A reference on the object behind a handle, NULL if there is none. */
struct rm_memory *sgpu_memory_find(struct rm_context *context, u32 handle);
/* Map system memory to user space; @vma's offset is the object's. */
int sgpu_memory_mmap(struct rm_context *context, struct vm_area_struct *vma);

#endif
