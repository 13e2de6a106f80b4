/* SPDX-License-Identifier: GPL-2.0 */
/* UVM_IOC_SET_STAYS and UVM_IOC_SET_USES. */
#ifndef UVM_REQUEST_STAYS_H
#define UVM_REQUEST_STAYS_H

#include <linux/types.h>

struct uvm_set_uses;
struct uvm_stays;

/**
 * uvm_uses_from_user - copy the uses that a user says
 * @arg: what the user says; checked
 *
 * For units of any size.
 *
 * Context: may sleep; neither a participant nor with a lock, since the copy may have to wait for
 * the clock.
 * Return: the uses; NULL if there are none to be; as a pointer -EINVAL: they are not as uvm.h
 * says, -EFAULT, -ENOMEM (or the user has too much), -EINTR: killed.
 */
struct uvm_stays *uvm_uses_from_user(const struct uvm_set_uses *arg);

/**
 * uvm_stays_copy - copy from a user, who may be killed meanwhile
 * @to: to here
 * @from: a user's address
 * @bytes: how many
 *
 * Context: may sleep.
 * Return: 0, -EFAULT, or -EINTR.
 */
int uvm_stays_copy(void *to, u64 from, size_t bytes);

#endif
