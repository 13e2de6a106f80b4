/* SPDX-License-Identifier: GPL-2.0 */
/* ioctls of /dev/uvm that tell an eviction policy the future. */
#ifndef UVM_IOCTL_FUTURE_H
#define UVM_IOCTL_FUTURE_H

struct uvm_set_stays;
struct uvm_set_uses;
struct uvm_va_space;

/* Numbers of GPUs and reserved members are checked; 0, or what the ioctl returns (abi.rst). */
int uvm_future_set_stays(struct uvm_va_space *va_space, const struct uvm_set_stays *arg);
int uvm_future_set_uses(struct uvm_va_space *va_space, const struct uvm_set_uses *arg);

#endif
