/* SPDX-License-Identifier: GPL-2.0 */
/*
 * An operation on one block: pages go to a processor, or something else is done to them.
 *
 * It has a *request*, which who begins it gives and nobody changes; the *pages* that are
 * asked for, which each attempt may decide about anew; and a *result*.  What uvm/block/
 * needs meanwhile nobody else sees (service_priv.h).
 *
 * The object is large, allocated once and used for one operation after the other.  Nothing
 * goes from one to the next: uvm_service_begin() sets all there is.  So each member below
 * lives for one operation, unless it says otherwise; what is to be added up over several
 * (a batch of faults, a migration), their caller adds up.
 *
 *	uvm_service_begin()		request; no pages, empty result
 *	uvm_service_want...()		pages; or in each attempt
 *	uvm_service_try()		attempts, until one ends it
 *	service->result			until the next begins
 */
#ifndef UVM_SERVICE_H
#define UVM_SERVICE_H

#include "base/page_mask.h"
#include "base/types.h"
#include "policy/residency.h"
#include "space/va_space_types.h"

struct uvm_service_scratch;
struct uvm_va_block;
struct uvm_work;

/**
 * struct uvm_service_request - what an operation is about; small, lives on its author's stack
 * @work: bracket that is charged; outlives the operation
 * @va_space: the VA space; its lock is held for reading
 * @block: the block; a reference is held until the result has been read
 * @span: its range
 * @requester: who wants the pages
 * @batch: batch id, 0 if none
 * @operation: why
 * @cause: cause of demanded pages
 */
struct uvm_service_request {
	struct uvm_work *work;
	struct uvm_va_space *va_space;
	struct uvm_va_block *block;
	struct uvm_span span;
	unsigned int requester;
	u64 batch;
	enum uvm_service_operation operation;
	enum uvm_event_cause cause;
};

/**
 * struct uvm_service_pages - which pages are asked for, and how
 * @wanted: pages; an attempt leaves those out that are unmapped, or not for the operation
 * @only_atomics: of these, the ones asked for by nothing but atomics of a GPU
 * @pinned: of these, the ones that thrash and are to be kept in one place
 * @access: strongest access wanted, by page; valid where @wanted and only if the operation
 *	gives pages to a requester
 * @pinned_at: where, by page; valid where @pinned
 *
 * Set by uvm_service_want...() and uvm_service_pin().  They are not forgotten between
 * attempts: an attempt that asks anew begins with uvm_service_want_nothing().
 */
struct uvm_service_pages {
	struct uvm_page_mask wanted;
	struct uvm_page_mask only_atomics;
	struct uvm_page_mask pinned;
	u8 access[UVM_PAGES_PER_BLOCK];
	u8 pinned_at[UVM_PAGES_PER_BLOCK];
};

/**
 * struct uvm_service_result - what came of it so far, over all attempts
 * @retries: attempts that ended with -EAGAIN; 0 during the first
 * @prefetched: pages added by the prefetcher; not over all attempts, but as last chosen
 * @fresh: a page was not yet where and as it was wanted
 * @bytes_to_gpu: bytes migrated to GPUs.  What an attempt has moved stays moved, so the
 *	next adds to it
 * @bytes_from_cpu: of these, from system memory
 * @first_copy_ns: driver time of the first copy's doorbell, 0 if none
 */
struct uvm_service_result {
	unsigned int retries;
	unsigned int prefetched;
	bool fresh;
	u64 bytes_to_gpu;
	u64 bytes_from_cpu;
	u64 first_copy_ns;
};

/**
 * struct uvm_service - an operation, or the room for one
 * @request: what it is about; uvm_service_begin() alone writes it
 * @pages: what is asked for; the block's lock is held once attempts have begun
 * @result: written by uvm/block/ alone, read by callers
 * @scratch: private to uvm/block/; allocated along
 */
struct uvm_service {
	struct uvm_service_request request;
	struct uvm_service_pages pages;
	struct uvm_service_result result;
	struct uvm_service_scratch *scratch;
};

struct uvm_service *uvm_service_alloc(void);
void uvm_service_free(struct uvm_service *service);
void uvm_service_begin(struct uvm_service *service, const struct uvm_service_request *request);

/* ---- pages that are wanted; by the owner of the operation, or with the block locked ---- */

void uvm_service_want_nothing(struct uvm_service *service);
void uvm_service_want(struct uvm_service *service, unsigned int page, enum uvm_access access,
		      bool only_atomics);
void uvm_service_want_mask(struct uvm_service *service, const struct uvm_page_mask *pages,
			   enum uvm_access access);
void uvm_service_want_region(struct uvm_service *service, struct uvm_region region);
void uvm_service_pin(struct uvm_service *service, unsigned int page, unsigned int where);

/* ---- attempts ---------------------------------------------------------------------- */

/* Something done to the pages that are wanted of a block, whose lock is held. */
typedef int (*uvm_service_fn)(struct uvm_service *service, const void *arg);

/**
 * uvm_service_turn_init - a GPU comes: the turn at its memory, see uvm_service_try()
 * @gpu: the GPU
 */
void uvm_service_turn_init(struct uvm_gpu *gpu);

/**
 * uvm_service_turn_exit - a GPU goes
 * @gpu: the GPU; nobody wants its memory
 */
void uvm_service_turn_exit(struct uvm_gpu *gpu);

int uvm_service_try(struct uvm_service *service, uvm_service_fn attempt, const void *arg);

/* ---- block_service.c ----------------------------------------------------------------- */

/**
 * uvm_service_block - give the pages that are wanted to the requester
 * @service: has begun
 *
 * Takes the block lock, runs the residency policy and the prefetcher, moves,
 * maps; runs again as often as an allocation made it drop the lock.
 * GPU requester: on return the pages are mapped (work in the block's tracker).
 * CPU requester: the copies are done and the pages granted, to be mapped by
 * the second pass of the fault.
 *
 * Return: 0, -EFAULT (block died), -ENOMEM, -EIO.
 */
int uvm_service_block(struct uvm_service *service);

/**
 * uvm_service_attempt - one attempt of uvm_service_block()
 * @service: the operation
 * @arg: of no consequence
 *
 * For uvm_service_try(), after the caller's own begin of an attempt.
 *
 * Context: block lock held, may be dropped and retaken.
 * Return: 0, -EAGAIN, -EFAULT: the block is dead, -ENOMEM, -EIO.
 */
int uvm_service_attempt(struct uvm_service *service, const void *arg);

/* ---- block_map.c: who may use the pages of an operation --------------- */

/**
 * uvm_service_map_accessed_by - map resident pages for a processor, wherever they are
 * @service: the operation
 * @id: the processor, which the range is accessed by, or which fights for the pages
 * @pages: which; those that it does not reach, with copies, or discarded are left out
 *
 * Context: block lock held; the work goes to the block's tracker, which is waited for if it is the
 * CPU.
 * Return: 0, -ENOMEM: no memory for tables, -EIO.
 */
int uvm_service_map_accessed_by(struct uvm_service *service, unsigned int id,
				const struct uvm_page_mask *pages);

/**
 * uvm_service_map_local - who has pages in its memory maps them
 * @service: the operation
 * @id: the processor
 * @pages: which
 * @copies: they are copies: to be read only
 *
 * Context: block lock held; the work goes to the block's tracker.
 * Return: 0, -ENOMEM: no memory for tables, -EIO.
 */
int uvm_service_map_local(struct uvm_service *service, unsigned int id,
			  const struct uvm_page_mask *pages, bool copies);

/**
 * uvm_service_map_evicted - a GPU maps pages that were evicted from it
 * @service: the operation
 * @id: processor id of the GPU
 * @pages: which; those that it does not reach, with copies, or discarded are left out
 *
 * Where access counters migrate a page back they are mapped for reading only, so that a write asks
 * again.
 *
 * Context: block lock held; the work goes to the block's tracker.
 * Return: 0, -ENOMEM: no memory for tables, -EIO.
 */
int uvm_service_map_evicted(struct uvm_service *service, unsigned int id,
			    const struct uvm_page_mask *pages);

#endif
