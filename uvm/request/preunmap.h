/* SPDX-License-Identifier: GPL-2.0 */
/*
 * CPU pre-unmap: before an explicit migration moves several blocks, the CPU loses all
 * of them at once, not one after the other (nvidia-uvm 6.1).
 */
#ifndef UVM_PREUNMAP_H
#define UVM_PREUNMAP_H

#include <linux/types.h>

struct uvm_service;
struct uvm_service_request;
struct uvm_va_space;

bool uvm_preunmap_wanted(struct uvm_va_space *va_space, unsigned int dst, u64 base, u64 last);
int uvm_preunmap_group(struct uvm_service *service, const struct uvm_service_request *request,
		       unsigned int dst, u64 base, u64 last, u64 *end);

#endif
