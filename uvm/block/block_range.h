/* SPDX-License-Identifier: GPL-2.0 */
/* What policies keep of managed ranges: told of a block's pages, and asked with them. */
#ifndef UVM_BLOCK_RANGE_H
#define UVM_BLOCK_RANGE_H

#include "policy/policy.h"

struct uvm_gpu;
struct uvm_service;

/**
 * uvm_block_tell_arrival - pages came to a GPU: their ranges are told
 * @service: the operation, which is charged
 * @gpu: the GPU
 * @pages: the pages
 * @demanded: of these, those that a fault asked for
 *
 * Context: block lock held; takes range_lock.
 */
void uvm_block_tell_arrival(struct uvm_service *service, struct uvm_gpu *gpu,
			    const struct uvm_page_mask *pages,
			    const struct uvm_page_mask *demanded);

/**
 * uvm_block_tell_leaving - pages leave GPUs: their ranges are told
 * @service: the operation, which is charged
 * @dst: where the pages are about to be, and nowhere else
 * @pages: the pages; those that are at @dst already do not leave it
 * @cause: why; an eviction counts as one
 *
 * Context: block lock held; takes range_lock.
 */
void uvm_block_tell_leaving(struct uvm_service *service, unsigned int dst,
			    const struct uvm_page_mask *pages, enum uvm_event_cause cause);

/**
 * uvm_block_ask_residency - ask where a page goes, with what is kept of its range
 * @service: the operation
 * @policy: whom
 * @query: the situation; if the policy has a range state, address and range are written
 * @page: the page
 *
 * Context: block lock held; takes range_lock.
 * Return: a processor; to be checked by uvm_policy_check_residency().
 */
u8 uvm_block_ask_residency(struct uvm_service *service, const struct uvm_residency_ops *policy,
			   struct uvm_residency_query *query, unsigned int page);

/**
 * uvm_block_ask_prefetch - ask what comes along, with what is kept of the range
 * @service: the operation; its pages to prefetch are written
 * @policy: whom
 * @req: the situation; the policy and, if it has a range state, the range are written
 *
 * Context: block lock held; takes range_lock.
 * Return: true if there is something to prefetch.
 */
bool uvm_block_ask_prefetch(struct uvm_service *service, const struct uvm_prefetch_ops *policy,
			    struct uvm_prefetch_request *req);

#endif
