/* SPDX-License-Identifier: GPL-2.0 */
/* ioctls of /dev/uvm; how one is declared is in base/ioctl_row.h. */
#ifndef UVM_IOCTL_H
#define UVM_IOCTL_H

struct file;

/**
 * uvm_ioctl - ioctl(2) of /dev/uvm
 * @file: the VA space
 * @cmd: the ioctl
 * @arg: user pointer to its struct
 *
 * Return: as door_ioctl().
 */
long uvm_ioctl(struct file *file, unsigned int cmd, unsigned long arg);
/**
 * uvm_door_gpu - whose profile has the costs of calls
 * @file: of a VA space, or of its events
 *
 * Context: any.
 * Return: the first GPU.
 */
struct rm_gpu *uvm_door_gpu(struct file *file);

#endif
