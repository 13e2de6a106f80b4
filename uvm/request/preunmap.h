/* SPDX-License-Identifier: GPL-2.0 */
/*
 * CPU pre-unmap: before an explicit migration moves several blocks, the CPU loses all
 * of them at once, not one after the other (nvidia-uvm 6.1).
 */
#ifndef UVM_PREUNMAP_H
#define UVM_PREUNMAP_H

#include <linux/types.h>

struct uvm_service;

bool uvm_preunmap_wanted(struct uvm_service *service, unsigned int dst, u64 base, u64 last);
int uvm_preunmap_group(struct uvm_service *service, unsigned int dst, u64 base, u64 last,
		       u64 *end);

#endif
