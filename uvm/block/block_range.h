/* SPDX-License-Identifier: GPL-2.0 */
/* What policies keep of managed ranges: told of a block's pages, and asked with them. */
#ifndef UVM_BLOCK_RANGE_H
#define UVM_BLOCK_RANGE_H

#include "policy/policy.h"

struct uvm_gpu;
struct uvm_service;

/* All with the block's lock held.  @pages came to the GPU, of which a fault asked for @demanded. */
void uvm_block_tell_arrival(struct uvm_service *service, struct uvm_gpu *gpu,
			    const struct uvm_page_mask *pages,
			    const struct uvm_page_mask *demanded);
/* @pages are about to be resident at @dst and nowhere else: which of them leave a GPU? */
void uvm_block_tell_leaving(struct uvm_service *service, unsigned int dst,
			    const struct uvm_page_mask *pages, enum uvm_event_cause cause);

/* The answers of policies that may know something of the range of a page. */
u8 uvm_block_ask_residency(struct uvm_service *service, const struct uvm_residency_ops *policy,
			   struct uvm_residency_query *query, unsigned int page);
bool uvm_block_ask_prefetch(struct uvm_service *service, const struct uvm_prefetch_ops *policy,
			    struct uvm_prefetch_request *req);

#endif
