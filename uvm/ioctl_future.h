/* SPDX-License-Identifier: GPL-2.0 */
/* ioctls of /dev/uvm that tell an eviction policy the future. */
#ifndef UVM_IOCTL_FUTURE_H
#define UVM_IOCTL_FUTURE_H

struct uvm_set_stays;
struct uvm_set_uses;
struct uvm_va_space;

/**
 * uvm_future_set_stays - UVM_IOC_SET_STAYS
 * @va_space: the VA space
 * @arg: what the user says; the number of the GPU and reserved members are checked
 *	uvm_pmm_set_stays() (abi.rst).
 *
 * Context: no participant; enters the clock, and takes va_space->lock for reading.
 * Return: 0, -ENODEV: the VA space has no such GPU, or as uvm_stays_from_user() and
 */
int uvm_future_set_stays(struct uvm_va_space *va_space, const struct uvm_set_stays *arg);

/**
 * uvm_future_set_uses - UVM_IOC_SET_USES
 * @va_space: the VA space
 * @arg: what the user says; likewise
 *
 * Context: as uvm_future_set_stays().
 * Return: likewise, with uvm_uses_from_user().
 */
int uvm_future_set_uses(struct uvm_va_space *va_space, const struct uvm_set_uses *arg);

#endif
