/* SPDX-License-Identifier: GPL-2.0 */
/*
 * ioctl tables: {number, sizes, function}.  One dispatcher copies the struct
 * in, by the rules of the user ABI, and back out.
 */
#ifndef UVM_IOCTL_H
#define UVM_IOCTL_H

#include <linux/fs.h>
#include <linux/stddef.h>
#include <linux/types.h>

/* Every struct begins like this. */
struct uvm_ioctl_head {
	__u32 size;
	__u32 flags;
};

/**
 * struct uvm_ioctl - one row of a table
 * @cmd: the ioctl number; 0 ends the table
 * @size: sizeof its struct now
 * @min_size: sizeof its struct when first published
 * @flags: flags that are known
 * @out: the struct is copied back if @fn returns 0
 * @fn: checks the arguments and does it; the struct is a kernel copy
 */
struct uvm_ioctl {
	unsigned int cmd;
	u32 size;
	u32 min_size;
	u32 flags;
	bool out;
	int (*fn)(struct file *file, void *arg);
};

/* @size doubles as @min_size as long as there is only one published size. */
#define UVM_IOCTL(cmd_, type, flags_, out_, fn_) {			\
	.cmd = (cmd_), .size = sizeof(type), .min_size = sizeof(type),	\
	.flags = (flags_), .out = (out_), .fn = (fn_),			\
}

/* A struct that has grown: @last_ is the last member that it was first published with. */
#define UVM_IOCTL_GROWN(cmd_, type, last_, flags_, out_, fn_) {		\
	.cmd = (cmd_), .size = sizeof(type), .min_size = offsetofend(type, last_), \
	.flags = (flags_), .out = (out_), .fn = (fn_),			\
}

long uvm_ioctl_dispatch(const struct uvm_ioctl *table, struct file *file, unsigned int cmd,
			unsigned long arg);
long uvm_ioctl(struct file *file, unsigned int cmd, unsigned long arg);

#endif
