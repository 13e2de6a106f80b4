/* SPDX-License-Identifier: GPL-2.0 */
/*
 * CPU page faults on managed memory.
 */
#ifndef UVM_CPU_FAULT_H
#define UVM_CPU_FAULT_H

#include <linux/mm_types.h>

struct uvm_va_space;

/**
 * uvm_cpu_fault - serve a CPU fault, in two passes
 * @va_space: the VA space
 * @vmf: the fault
 *
 * First pass: drop the fault lock, take part in simulated time, bring the
 * pages home, grant them, return %VM_FAULT_RETRY.  Second pass: map what was
 * granted.  A page that was mapped before and whose entry the kernel dropped
 * is mapped again at once.  Who may not retry is served and mapped inside the call,
 * see sim_enter_locked().
 *
 * Return: VM_FAULT_*.
 */
vm_fault_t uvm_cpu_fault(struct uvm_va_space *va_space, struct vm_fault *vmf);
vm_fault_t uvm_cpu_fault_mkwrite(struct uvm_va_space *va_space, struct vm_fault *vmf);

#endif
