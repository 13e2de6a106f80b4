// SPDX-License-Identifier: GPL-2.0
/*
 * Module uvm: load, unload, device nodes.
 */
#include <linux/miscdevice.h>
#include <linux/module.h>
#include "base/debugfs.h"
#include "gpu_init.h"
#include "space/inode.h"
#include "ioctl.h"
#include "tools.h"
#include "block/block_thrashing.h"
#include "gpu/gpu.h"
#include "memory/pmm.h"
#include "memory/pmm_policy.h"
#include "va_space_file.h"

static struct miscdevice uvm_device = {
	.minor = MISC_DYNAMIC_MINOR,
	.name = "uvm",
	.fops = &uvm_fops,
	.mode = 0600,
};

static int __init uvm_init(void)
{
	struct dentry *debugfs;
	unsigned int i;
	int ret;

	ret = uvm_inodes_init();
	if (ret)
		return ret;
	debugfs = uvm_debugfs_init();
	uvm_thrashing_debugfs(debugfs);
	ret = uvm_gpus_init();
	if (ret)
		goto exit_debugfs;
	for (i = 0; i < uvm_gpu_count(); i++)
		uvm_pmm_debugfs(uvm_gpu(i), debugfs);
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
exit_debugfs:
	uvm_debugfs_exit();
	uvm_inodes_exit();
	return ret;
}

static void __exit uvm_exit(void)
{
	misc_deregister(&uvm_device);
	uvm_tools_exit();
	uvm_gpus_exit();
	uvm_debugfs_exit();
	uvm_inodes_exit();
}

module_init(uvm_init);
module_exit(uvm_exit);

MODULE_AUTHOR("softuvm contributors");
MODULE_DESCRIPTION("Unified-memory driver for software GPUs");
MODULE_LICENSE("GPL");
MODULE_IMPORT_NS(SOFTGPU);
