// SPDX-License-Identifier: GPL-2.0
/*
 * The door of /dev/uvm.  Kbuild makes UVM_IOCTLS of all lines UVM_IOCTL(number, ...), which stand
 * beside what they do; here are those that have no home of their own.
 */
#include <linux/kernel.h>
#include "base/ioctl_row.h"
#include "base/stats.h"
#include "gpu/gpu.h"
#include "ioctl.h"
#include "space/va_space.h"

static int uvm_ioctl_stats(struct file *file, void *data)
{
	struct uvm_va_space *va_space = file->private_data;
	struct uvm_stats *arg = data;

	uvm_stats_report(&va_space->stats, arg, arg->flags & UVM_STATS_RESET);
	return 0;
}

UVM_IOCTL(UVM_IOC_STATS, uvm_stats, uvm_ioctl_stats,
	  .min_size = offsetofend(struct uvm_stats, phase_ns), .flags = UVM_STATS_RESET,
	  .cost = DOOR_COST(poll), .out = true);

/* GPUs walk page tables of their own, and only managed memory is faulted in. */
static int uvm_ioctl_pageable_access(struct file *file, void *data)
{
	struct uvm_pageable_access *arg = data;

	arg->access = 0;
	return 0;
}

UVM_IOCTL(UVM_IOC_PAGEABLE_ACCESS, uvm_pageable_access, uvm_ioctl_pageable_access,
	  .reserved = { DOOR_AT(uvm_pageable_access, __reserved) }, .out = true);

#define IOCTL(cmd)	extern const struct door_row uvm_row_##cmd;
UVM_IOCTLS
#undef IOCTL

static const struct door_row *const uvm_rows[] = {
#define IOCTL(cmd)	[_IOC_NR(cmd)] = &uvm_row_##cmd,
	UVM_IOCTLS
#undef IOCTL
};

static const struct door uvm_door = {
	.rows = uvm_rows,
	.count = ARRAY_SIZE(uvm_rows),
	.type = UVM_IOC_TYPE,
	.gpu = uvm_door_gpu,
};

struct rm_gpu *uvm_door_gpu(struct file *file)
{
	return uvm_gpu(0)->rm;
}

long uvm_ioctl(struct file *file, unsigned int cmd, unsigned long arg)
{
	return door_ioctl(&uvm_door, file, cmd, arg);
}
