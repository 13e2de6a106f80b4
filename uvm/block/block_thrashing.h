/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Thrashing, joined to blocks, events, counters and the clock.
 */
#ifndef UVM_BLOCK_THRASHING_H
#define UVM_BLOCK_THRASHING_H

#include <linux/list.h>
#include <linux/mutex.h>
#include <softgpu/sim.h>
#include "model/thrashing.h"
#include "block/block_thrashing_types.h"

struct uvm_span;
struct uvm_va_block;
struct uvm_va_space;
struct dentry;

int uvm_va_space_thrashing_init(struct uvm_va_space *va_space);
void uvm_va_space_thrashing_exit(struct uvm_va_space *va_space);
void uvm_va_space_unpin(struct uvm_va_space *va_space);

void uvm_block_thrashing_migrated(struct uvm_va_block *block, unsigned int dst,
				  const struct uvm_page_mask *pages,
				  const struct uvm_page_mask *demand, enum uvm_event_cause cause,
				  bool duplicates);
void uvm_block_thrashing_revoked(struct uvm_va_block *block, unsigned int id,
				 const struct uvm_page_mask *pages);
void uvm_block_thrashing_reset(struct uvm_va_block *block, const struct uvm_page_mask *pages);
struct uvm_thrashing_hint_result uvm_block_thrashing_hint(struct uvm_va_block *block,
							  const struct uvm_span *span,
							  unsigned int requester, u64 addr,
							  enum uvm_access access);
void uvm_thrashing_cpu_naps(struct uvm_va_space *va_space, u64 addr);
void uvm_thrashing_cpu_wakes(struct uvm_va_space *va_space, u64 addr);
bool uvm_block_thrashing_pages(struct uvm_va_block *block, unsigned int id,
			       const struct uvm_page_mask *pages, struct uvm_page_mask *out);

void uvm_thrashing_debugfs(struct dentry *dir);

#endif
