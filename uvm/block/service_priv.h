/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What the files of uvm/block/ keep in an operation, and nobody else sees; see service.h.
 */
#ifndef UVM_SERVICE_PRIV_H
#define UVM_SERVICE_PRIV_H

#include <linux/list.h>
#include "block/service.h"

/**
 * struct uvm_service_scratch - an operation, from the inside; the block's lock is held
 * @dst: pages to move, by destination.  Per attempt: set when destinations are chosen, what
 *	could not be moved leaves it
 * @duplicate: of these, the ones to be copied rather than moved.  Per attempt, likewise
 * @full: the requester's memory is, see struct uvm_residency_query.  Per attempt: set before
 *	destinations are chosen
 * @occupancy: likewise
 * @prefetch: pages added by the prefetcher.  Per attempt, or per operation once @chosen
 * @chosen: the block is filled unit by unit: @prefetch holds for all attempts to come.  Per
 *	operation
 * @prot: pages to be mapped, by enum uvm_prot.  From where they are worked out to where they
 *	are mapped
 * @cpu_mapped: what the prefetcher is told of the CPU.  While it is asked
 * @parked: by GPU: chunks allocated while the block lock was dropped, for the next attempt.
 *	Emptied when the operation ends or waits for its turn
 * @used: by GPU: chunks taken during this attempt.  Emptied, that is unpinned, when it ends
 *	or drops the lock
 * @lacks: by GPU index: an attempt found no memory there without evicting.  Per operation
 */
struct uvm_service_scratch {
	struct uvm_page_mask dst[UVM_MAX_PROCESSORS];
	struct uvm_page_mask duplicate;
	bool full;
	u16 occupancy;
	struct uvm_page_mask prefetch;
	bool chosen;
	struct uvm_page_mask prot[UVM_PROT_READ_WRITE_ATOMIC + 1];
	struct uvm_page_mask cpu_mapped;
	struct list_head parked[UVM_MAX_GPUS];
	struct list_head used[UVM_MAX_GPUS];
	unsigned long lacks;
};

/**
 * uvm_service_unpin - end of one attempt: unpin the chunks that it took
 * @service: the operation
 *
 * Context: block lock held.
 */
void uvm_service_unpin(struct uvm_service *service);

/**
 * uvm_service_has_parked - are there chunks that were allocated and have no place yet?
 * @service: the operation
 *
 * Return: true if so.
 */
bool uvm_service_has_parked(const struct uvm_service *service);

/**
 * uvm_service_free_parked - end of the operation: free the chunks that have no place
 * @service: the operation
 *
 * Context: no block lock is needed.
 */
void uvm_service_free_parked(struct uvm_service *service);

/**
 * uvm_service_revoke_cpu - the CPU loses pages, or the right to write them, and is charged for it
 * @service: the operation
 * @mask: in: which; out: those that it has lost
 * @pages: what the CPU is being given, or somebody holds, it keeps, and that leaves this mask, too
 * @prot: what is left: NONE, or READ_ONLY
 *
 * Context: block lock held; takes map_lock; may sleep.
 */
void uvm_service_revoke_cpu(struct uvm_service *service, struct uvm_page_mask *mask,
			    struct uvm_page_mask *pages, enum uvm_prot prot);

/**
 * uvm_service_map - map what an attempt has moved
 * @service: the operation: for the requester, and for whoever the range is accessed by
 *
 * What its writing excludes is revoked.
 *
 * Context: block lock held; the work goes to the block's tracker, which the CPU as requester waits
 * for.
 * Return: 0, -ENOMEM: no memory for the requester's tables, -EIO.
 */
int uvm_service_map(struct uvm_service *service);

#endif
