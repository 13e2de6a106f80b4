/* SPDX-License-Identifier: GPL-2.0 */
/* How an ioctl of /dev/uvm is declared: a row beside the function that does it. */
#ifndef UVM_IOCTL_ROW_H
#define UVM_IOCTL_ROW_H

#include <linux/fs.h>
#include <linux/uvm.h>
#include <softgpu/door.h>
#include "base/types.h"

/**
 * uvm_ioctl_processor_check - may memory go to that processor?
 * @processor: as users number them
 *
 * Context: any.
 * Return: 0, -EINVAL (no processor), -ENODEV (there is no such GPU).
 */
static inline int uvm_ioctl_processor_check(s32 processor)
{
	if (processor < UVM_PROCESSOR_CPU)
		return -EINVAL;
	return uvm_id_from_user(processor) == UVM_ID_INVALID ? -ENODEV : 0;
}

/**
 * UVM_IOCTL() - declare an ioctl of /dev/uvm
 * @cmd_: UVM_IOC_*
 * @tag_: of its struct
 * @fn_: does it; the VA space is the file's private_data
 *
 * What follows initializes the other members of struct door_row.  Kbuild finds rows by this word
 * at the beginning of a line, and uvm/ioctl.c makes the table of them.
 */
#define UVM_IOCTL(cmd_, tag_, fn_, ...)					\
	extern const struct door_row uvm_row_##cmd_;			\
	const struct door_row uvm_row_##cmd_ = {			\
		.size = sizeof(struct tag_), .fn = (fn_), __VA_ARGS__	\
	}

#endif
