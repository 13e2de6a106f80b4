/* SPDX-License-Identifier: GPL-2.0 */
/* UVM_IOC_SET_STAYS and UVM_IOC_SET_USES. */
#ifndef UVM_REQUEST_STAYS_H
#define UVM_REQUEST_STAYS_H

#include <linux/types.h>

struct uvm_set_stays;
struct uvm_set_uses;
struct uvm_stays;

/*
 * Copy what a user says, for units of so many bytes.  The clock is not entered.  Return: NULL if he
 * says nothing; -EINVAL, -EFAULT, -ENOMEM (or he has too much), -EINTR as a pointer.
 */
struct uvm_stays *uvm_stays_from_user(const struct uvm_set_stays *arg, u32 unit);
/* The same of uses, for whatever units. */
struct uvm_stays *uvm_uses_from_user(const struct uvm_set_uses *arg);
/* Copy so many bytes, and be killed meanwhile: -EINTR.  -EFAULT. */
int uvm_stays_copy(void *to, u64 from, size_t bytes);

#endif
