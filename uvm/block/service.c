// SPDX-License-Identifier: GPL-2.0
/*
 * Operations on one block: their beginning, attempts, and taking turns.
 */
#include <linux/bitops.h>
#include <linux/slab.h>
#include <kunit/visibility.h>
#include "block/service_priv.h"
#include "block/va_block.h"
#include "gpu/gpu.h"
#include "memory/pmm.h"

/* What is allocated for one. */
struct uvm_service_room {
	struct uvm_service service;
	struct uvm_service_scratch scratch;
};

/**
 * uvm_service_alloc - make room for operations, one after the other
 *
 * Return: it, for uvm_service_begin(), or NULL.
 */
struct uvm_service *uvm_service_alloc(void)
{
	struct uvm_service_room *room = kvzalloc(sizeof(*room), GFP_KERNEL);
	unsigned int i;

	if (!room)
		return NULL;
	room->service.scratch = &room->scratch;
	for (i = 0; i < UVM_MAX_GPUS; i++) {
		INIT_LIST_HEAD(&room->scratch.parked[i]);
		INIT_LIST_HEAD(&room->scratch.used[i]);
	}
	return &room->service;
}
EXPORT_SYMBOL_IF_KUNIT(uvm_service_alloc);

/**
 * uvm_service_free - the reverse
 * @service: no operation is under way; or NULL
 */
void uvm_service_free(struct uvm_service *service)
{
	if (!service)
		return;
	uvm_service_free_parked(service);
	kvfree(container_of(service, struct uvm_service_room, service));
}
EXPORT_SYMBOL_IF_KUNIT(uvm_service_free);

/**
 * uvm_service_begin - an operation begins
 * @service: the one before, if there was one, has ended, and its result is lost
 * @request: what it is about; copied
 *
 * Nothing is wanted yet, and nothing has been done.  Of the scratch only what lives for the
 * whole operation is set here; attempts set the rest before they use it.
 */
void uvm_service_begin(struct uvm_service *service, const struct uvm_service_request *request)
{
	WARN_ON_ONCE(uvm_service_has_parked(service));
	service->request = *request;
	uvm_service_want_nothing(service);
	service->result = (struct uvm_service_result){};
	service->scratch->chosen = false;
	service->scratch->lacks = 0;
}
EXPORT_SYMBOL_IF_KUNIT(uvm_service_begin);

/* ---- pages ----------------------------------------------------------- */

/**
 * uvm_service_want_nothing - what is wanted is decided anew
 * @service: the operation
 */
void uvm_service_want_nothing(struct uvm_service *service)
{
	uvm_page_mask_zero(&service->pages.wanted);
	uvm_page_mask_zero(&service->pages.only_atomics);
	uvm_page_mask_zero(&service->pages.pinned);
}
EXPORT_SYMBOL_IF_KUNIT(uvm_service_want_nothing);

/**
 * uvm_service_want - a page is wanted, or wanted once more
 * @service: the operation
 * @page: the page
 * @access: how; the strongest counts
 * @only_atomics: by nothing but atomics of a GPU
 */
void uvm_service_want(struct uvm_service *service, unsigned int page, enum uvm_access access,
		      bool only_atomics)
{
	struct uvm_service_pages *pages = &service->pages;
	bool again = uvm_page_mask_test(&pages->wanted, page);

	if (!only_atomics)
		uvm_page_mask_clear(&pages->only_atomics, page);
	else if (!again)
		uvm_page_mask_set(&pages->only_atomics, page);
	pages->access[page] = again ? max_t(u8, pages->access[page], access) : access;
	uvm_page_mask_set(&pages->wanted, page);
}
EXPORT_SYMBOL_IF_KUNIT(uvm_service_want);

/**
 * uvm_service_want_mask - these pages are wanted and no others, all in one way
 * @service: the operation
 * @pages: the pages
 * @access: how
 */
void uvm_service_want_mask(struct uvm_service *service, const struct uvm_page_mask *pages,
			   enum uvm_access access)
{
	uvm_service_want_nothing(service);
	uvm_page_mask_copy(&service->pages.wanted, pages);
	memset(service->pages.access, access, sizeof(service->pages.access));
}

/**
 * uvm_service_want_region - these pages are wanted and no others, for no access
 * @service: the operation, which gives them to no requester: it moves them, say
 * @region: the pages
 */
void uvm_service_want_region(struct uvm_service *service, struct uvm_region region)
{
	uvm_service_want_nothing(service);
	uvm_page_mask_fill_region(&service->pages.wanted, region);
}

/**
 * uvm_service_pin - a page thrashes and is to be kept in one place
 * @service: the operation
 * @page: the page, which is wanted too
 * @where: at this processor
 */
void uvm_service_pin(struct uvm_service *service, unsigned int page, unsigned int where)
{
	uvm_page_mask_set(&service->pages.pinned, page);
	service->pages.pinned_at[page] = where;
}
EXPORT_SYMBOL_IF_KUNIT(uvm_service_pin);

/* ---- chunks ---------------------------------------------------------- */

void uvm_service_unpin(struct uvm_service *service)
{
	struct uvm_chunk *chunk, *next;
	unsigned int i;

	for (i = 0; i < UVM_MAX_GPUS; i++) {
		list_for_each_entry_safe(chunk, next, &service->scratch->used[i], list) {
			list_del_init(&chunk->list);
			uvm_pmm_unpin(uvm_gpu(i), chunk, service->request.block,
				      chunk->page_index);
		}
	}
}

bool uvm_service_has_parked(const struct uvm_service *service)
{
	unsigned int i;

	for (i = 0; i < UVM_MAX_GPUS; i++) {
		if (!list_empty(&service->scratch->parked[i]))
			return true;
	}
	return false;
}

void uvm_service_free_parked(struct uvm_service *service)
{
	struct uvm_chunk *chunk, *next;
	unsigned int i;

	for (i = 0; i < UVM_MAX_GPUS; i++) {
		list_for_each_entry_safe(chunk, next, &service->scratch->parked[i], list) {
			list_del_init(&chunk->list);
			uvm_pmm_free(uvm_gpu(i), chunk, NULL);
		}
	}
}

/* ---- attempts -------------------------------------------------------- */

/*
 * So many that ended without enough memory, then an operation takes its turn.  One that
 * fills a block unit by unit may have one for each unit besides.
 */
#define UVM_SERVICE_PATIENCE	16

void uvm_service_turn_init(struct uvm_gpu *gpu)
{
	/* a class for each GPU: so lockdep knows that they are taken in their order */
	static struct lock_class_key keys[UVM_MAX_GPUS];

	__sim_mutex_init(&gpu->service_turn, "service_turn", &keys[gpu->index]);
}

void uvm_service_turn_exit(struct uvm_gpu *gpu)
{
	sim_mutex_destroy(&gpu->service_turn);
}

static void uvm_service_give_turns(unsigned long turns)
{
	unsigned int i;

	for_each_set_bit(i, &turns, UVM_MAX_GPUS)
		sim_mutex_unlock(&uvm_gpu(i)->service_turn);
}

/*
 * Operations that together want more memory than there is may take it from each other
 * for ever, chunk by chunk; on the virtual clock nothing breaks the symmetry.  So who has
 * tried in vain for long takes the turn of each GPU whose memory it has lacked, and others
 * that come to that point wait.  Operations that lack memory of other GPUs do not.
 *
 * One may lack memory of several GPUs, one after the other, while it holds the turns of the
 * first.  Then it gives them all back and takes those of all in the order of the GPUs.  So:
 *
 * * Nobody waits for a turn who holds one of a later GPU, nor with chunks or a block's lock.
 *   Who holds the last turn that is waited for waits for no other, and has what it needs in
 *   the end: no deadlock.
 * * What an operation has lacked it never forgets.  So it gives turns back at most once for
 *   each GPU, and then holds those of all GPUs that it needs.  Others that want memory there
 *   have as many attempts as patience allows and as there are GPUs, and wait then: no
 *   starvation.
 *
 * Returns the turns it has now, of which it had @held.
 */
static unsigned long uvm_service_take_turns(struct uvm_service *service, unsigned long held)
{
	unsigned long lacks = service->scratch->lacks;
	unsigned int i;

	if (!(lacks & ~held))
		return held;
	/* who waits holds nothing that others wait for */
	uvm_service_free_parked(service);
	uvm_service_give_turns(held);
	for_each_set_bit(i, &lacks, UVM_MAX_GPUS)
		sim_mutex_lock(&uvm_gpu(i)->service_turn);
	return lacks;
}

static bool uvm_service_is_impatient(const struct uvm_service *service)
{
	return service->result.retries >= UVM_SERVICE_PATIENCE +
					  (service->scratch->chosen ? UVM_BIG_PER_BLOCK : 0);
}

/**
 * uvm_service_try - attempts at an operation on one block, until one ends it
 * @service: the operation, which has begun; the VA space is locked
 * @attempt: called with the block's lock held; -EAGAIN if an allocation made it drop
 *	the lock: then it is called again, with the chunk parked.  All it changes until
 *	then is as if it had never been called, but for pages that are where they are to
 *	be already
 * @arg: its argument
 *
 * Operations that get nowhere, because others take memory from them as they do from
 * others, take turns after some attempts, for each GPU whose memory they lack.
 *
 * Return: what @attempt said; -ENOMEM for -ENOSPC.
 */
int uvm_service_try(struct uvm_service *service, uvm_service_fn attempt, const void *arg)
{
	struct uvm_va_block *block = service->request.block;
	unsigned long turns = 0;
	int ret;

	sim_assert_held(&service->request.va_space->lock);
	for (;; service->result.retries++) {
		if (uvm_service_is_impatient(service))
			turns = uvm_service_take_turns(service, turns);
		sim_mutex_lock(&block->lock);
		ret = attempt(service, arg);
		uvm_service_unpin(service);
		sim_mutex_unlock(&block->lock);
		if (ret != -EAGAIN)
			break;
	}
	uvm_service_free_parked(service);
	uvm_service_give_turns(turns);
	/* only eviction can have said so, and it could not help */
	return ret == -ENOSPC ? -ENOMEM : ret;
}
EXPORT_SYMBOL_IF_KUNIT(uvm_service_try);
