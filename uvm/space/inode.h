/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The inode of a VA space.
 *
 * Every open of /dev/uvm is another memory, as if it were another file.  What the kernel
 * goes by is the inode: unmapping must reach the mappings of one VA space only, and two
 * shared futexes are the same if inode and offset are.
 */
#ifndef UVM_INODE_H
#define UVM_INODE_H

struct inode;

int uvm_inodes_init(void);
void uvm_inodes_exit(void);
struct inode *uvm_inode_new(void);

#endif
