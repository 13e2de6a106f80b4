/* SPDX-License-Identifier: GPL-2.0 */
/* /dev/uvm: a VA space for each open of it. */
#ifndef UVM_VA_SPACE_FILE_H
#define UVM_VA_SPACE_FILE_H

#include <linux/fs.h>

struct uvm_va_space;

extern const struct file_operations uvm_fops;
/* The VA space behind a file, or NULL if it is not an open /dev/uvm. */
struct uvm_va_space *uvm_va_space_from_file(struct file *file);
int uvm_va_space_start_reaper(struct uvm_va_space *va_space);

#endif
