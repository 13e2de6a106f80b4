// SPDX-License-Identifier: GPL-2.0
/* Inodes of VA spaces, on a file system that is mounted nowhere. */
#include <linux/fs.h>
#include <linux/mount.h>
#include <linux/pseudo_fs.h>
#include "space/inode.h"

#define UVM_FS_MAGIC	0x75766d66	/* "uvmf" */

static struct vfsmount *uvm_inode_mount;

static int uvm_inode_init_context(struct fs_context *fc)
{
	return init_pseudo(fc, UVM_FS_MAGIC) ? 0 : -ENOMEM;
}

static struct file_system_type uvm_inode_fs = {
	.name = "uvm",
	.init_fs_context = uvm_inode_init_context,
	.kill_sb = kill_anon_super,
};

/**
 * uvm_inodes_init - at module load
 *
 * Return: 0 or a negative errno.
 */
int uvm_inodes_init(void)
{
	uvm_inode_mount = kern_mount(&uvm_inode_fs);
	return PTR_ERR_OR_ZERO(uvm_inode_mount);
}

/**
 * uvm_inodes_exit - the reverse; no inode is left
 */
void uvm_inodes_exit(void)
{
	kern_unmount(uvm_inode_mount);
}

/**
 * uvm_inode_new - make one
 *
 * Return: it, with one reference for iput(), or an ERR_PTR().
 */
struct inode *uvm_inode_new(void)
{
	return alloc_anon_inode(uvm_inode_mount->mnt_sb);
}
