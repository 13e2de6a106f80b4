/* SPDX-License-Identifier: GPL-2.0 */
/* UVM_IOC_SET_TOUCHES. */
#ifndef UVM_REQUEST_TOUCHES_H
#define UVM_REQUEST_TOUCHES_H

#include <linux/types.h>

struct uvm_set_touches;
struct uvm_touches;

/*
 * Copy what a user says, for units of so many bytes.  The clock is not entered.  Return: NULL if he
 * says nothing; -EINVAL, -EFAULT, -ENOMEM (or he has too much), -EINTR as a pointer.
 */
struct uvm_touches *uvm_touches_from_user(const struct uvm_set_touches *arg, u32 unit);

#endif
