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

/**
 * sgpu_memory_find - the object behind a handle
 * @context: whose
 * @handle: from SOFTGPU_IOC_ALLOC
 *
 * Context: any but interrupts.
 * Return: the object, with a reference; NULL: there is none.
 */
struct rm_memory *sgpu_memory_find(struct rm_context *context, u32 handle);

/**
 * sgpu_memory_mmap - map system memory to user space
 * @context: whose
 * @vma: its offset is the object's, see SGPU_MEMORY_OFFSET_SHIFT
 *
 * Context: mmap_lock is held for writing.
 * Return: 0, -ENOENT (no such object), or -EINVAL: GPU memory, not shared, executable, or beyond
 * its end.
 */
int sgpu_memory_mmap(struct rm_context *context, struct vm_area_struct *vma);

#endif
