// SPDX-License-Identifier: GPL-2.0
/*
 * Module uvm: load, unload, device nodes.
 */
#include <linux/fs.h>
#include <linux/miscdevice.h>
#include <linux/module.h>
#include "base/debugfs.h"
#include "gpu/gpu.h"
#include "space/inode.h"
#include "ioctl.h"
#include "tools.h"
#include "block/va_block.h"
#include "space/va_space.h"

static const struct file_operations uvm_fops = {
	.owner = THIS_MODULE,
	.open = uvm_va_space_open,
	.release = uvm_va_space_release,
	.mmap = uvm_vma_mmap,
	.unlocked_ioctl = uvm_ioctl,
};

static struct miscdevice uvm_device = {
	.minor = MISC_DYNAMIC_MINOR,
	.name = "uvm",
	.fops = &uvm_fops,
	.mode = 0600,
};

/**
 * uvm_va_space_from_file - the VA space behind a file
 * @file: any file
 *
 * Return: the VA space, or NULL if @file is not an open /dev/uvm; valid as
 * long as the caller holds the file.
 */
struct uvm_va_space *uvm_va_space_from_file(struct file *file)
{
	return file->f_op == &uvm_fops ? file->private_data : NULL;
}

static int __init uvm_init(void)
{
	int ret;

	ret = uvm_inodes_init();
	if (ret)
		return ret;
	uvm_debugfs_init();
	uvm_service_init();
	ret = uvm_gpus_init();
	if (ret)
		goto exit_service;
	ret = uvm_tools_init();
	if (ret)
		goto exit_gpus;
	/* Last: once there is /dev/uvm, it is used. */
	ret = misc_register(&uvm_device);
	if (ret)
		goto exit_tools;
	return 0;

exit_tools:
	uvm_tools_exit();
exit_gpus:
	uvm_gpus_exit();
exit_service:
	uvm_service_exit();
	uvm_debugfs_exit();
	uvm_inodes_exit();
	return ret;
}

static void __exit uvm_exit(void)
{
	misc_deregister(&uvm_device);
	uvm_tools_exit();
	uvm_gpus_exit();
	uvm_service_exit();
	uvm_debugfs_exit();
	uvm_inodes_exit();
}

module_init(uvm_init);
module_exit(uvm_exit);

MODULE_AUTHOR("softuvm contributors");
MODULE_DESCRIPTION("Unified-memory driver for software GPUs");
MODULE_LICENSE("GPL");
MODULE_IMPORT_NS(SOFTGPU);
