/* SPDX-License-Identifier: GPL-2.0 */
/* /dev/softgpuN: the user's door to one GPU; ABI in uapi/linux/softgpu.h. */
#ifndef SOFTGPU_CHARDEV_H
#define SOFTGPU_CHARDEV_H

struct file;
struct rm_gpu;
struct rm_context;

/**
 * sgpu_chardev_register - create /dev/softgpuN
 * @gpu: the GPU, fully set up
 *
 * Return: 0 or a negative errno.
 */
int sgpu_chardev_register(struct rm_gpu *gpu);

/**
 * sgpu_chardev_unregister - remove it; no file can be open any more
 * @gpu: the GPU; nothing happens if it was not registered
 */
void sgpu_chardev_unregister(struct rm_gpu *gpu);

/**
 * sgpu_chardev_context - the context behind a file
 * @file: any file
 *
 * Return: the context, without a reference; NULL if it is no softgpu file.
 */
struct rm_context *sgpu_chardev_context(struct file *file);

#endif
