// SPDX-License-Identifier: GPL-2.0
/*
 * A batch of replayable faults.
 */
#include <kunit/visibility.h>
#include <linux/bits.h>
#include <linux/export.h>
#include <linux/kernel.h>
#include <linux/sort.h>
#include <linux/string.h>
#include <softgpu/fault_format.h>
#include "model/fault_batch.h"

#define FAULT_VA_BITS	49

static u32 fault_field(u32 word, u32 mask)
{
	return (word & mask) >> __ffs(mask);
}

static u64 fault_word64(u32 lo, u32 hi)
{
	return (u64)hi << 32 | lo;
}

static enum uvm_fault_type fault_type(u32 hw_type)
{
	switch (hw_type) {
	case FAULT_TYPE_PDE:
		return UVM_FAULT_INVALID_PDE;
	case FAULT_TYPE_PTE:
		return UVM_FAULT_INVALID_PTE;
	case FAULT_TYPE_RO:
		return UVM_FAULT_RO_VIOLATION;
	case FAULT_TYPE_ATOMIC:
		return UVM_FAULT_ATOMIC_VIOLATION;
	default:
		return UVM_FAULT_OTHER;
	}
}

/* Weak atomics are served as strong ones.  False if there is no such access. */
static bool fault_access(u32 hw_access, u8 *access)
{
	static const u8 table[] = {
		[FAULT_ACCESS_READ] = UVM_ACCESS_READ,
		[FAULT_ACCESS_WRITE] = UVM_ACCESS_WRITE,
		[FAULT_ACCESS_ATOMIC_STRONG] = UVM_ACCESS_ATOMIC,
		[FAULT_ACCESS_PREFETCH] = UVM_ACCESS_PREFETCH,
		[FAULT_ACCESS_ATOMIC_WEAK] = UVM_ACCESS_ATOMIC,
	};

	*access = hw_access < ARRAY_SIZE(table) ? table[hw_access] : UVM_ACCESS_READ;
	return hw_access < ARRAY_SIZE(table);
}

/* Faults of clients outside the GPCs count as uTLB 0; so does nonsense. */
static unsigned int fault_utlb(const struct uvm_fault *fault, bool hub,
			       const struct uvm_fault_geometry *geometry)
{
	unsigned int in_gpc = fault->client / max(geometry->clients_per_utlb, 1U);
	unsigned int utlb = fault->gpc * geometry->utlbs_per_gpc + in_gpc;

	if (hub || in_gpc >= geometry->utlbs_per_gpc || utlb >= geometry->utlb_count)
		return 0;
	return utlb;
}

/**
 * uvm_fault_parse - read one record
 * @fault: out; everything that the record does not say is zero
 * @record: 8 words, seen to be valid
 * @geometry: of the GPU
 */
void uvm_fault_parse(struct uvm_fault *fault, const u32 *record,
		     const struct uvm_fault_geometry *geometry)
{
	u64 address = fault_word64(record[2] & FAULT_W2_ADDR_LO, record[3]);
	u32 w7 = record[7];

	memset(fault, 0, sizeof(*fault));
	fault->instance = fault_word64(record[0] & (FAULT_W0_INST_LO | FAULT_W0_INST_APERTURE),
				       record[1]);
	fault->address = (s64)(address << (64 - FAULT_VA_BITS)) >> (64 - FAULT_VA_BITS);
	fault->timestamp = fault_word64(record[4], record[5]);
	fault->engine = fault_field(record[6], FAULT_W6_ENGINE_ID);
	fault->hw_type = fault_field(w7, FAULT_W7_TYPE);
	fault->type = fault_type(fault->hw_type);
	fault->client = fault_field(w7, FAULT_W7_CLIENT);
	fault->gpc = fault_field(w7, FAULT_W7_GPC);
	fault->utlb = fault_utlb(fault, w7 & FAULT_W7_HUB, geometry);
	fault->fatal = !fault_access(fault_field(w7, FAULT_W7_ACCESS), &fault->access);
	/* A read of write-only memory is served like a missing page. */
	if (fault->type == UVM_FAULT_OTHER && fault->hw_type != FAULT_TYPE_WO)
		fault->fatal = true;
	fault->cancel_mode = fault->fatal ? UVM_CANCEL_ALL : UVM_CANCEL_NONE;
	fault->access_mask = BIT(fault->access);
	fault->num_instances = 1;
	INIT_LIST_HEAD(&fault->merged);
}
EXPORT_SYMBOL_IF_KUNIT(uvm_fault_parse);

/**
 * uvm_fault_parse_origin - read the record of the extension that goes with one
 * @fault: parsed already
 * @record: %FAULT_ORIGIN_WORDS words
 *
 * For reports only: nothing is decided by it.
 */
void uvm_fault_parse_origin(struct uvm_fault *fault, const u32 *record)
{
	fault->sm = record[0];
	fault->warp = record[1];
	fault->block = fault_word64(record[2], record[3]);
	fault->pc = fault_word64(record[4], record[5]);
	fault->has_origin = true;
}
EXPORT_SYMBOL_IF_KUNIT(uvm_fault_parse_origin);

/**
 * uvm_fault_batch_reset - forget all faults
 * @batch: with its arrays, @max, @geometry, @gpu and @coalesce set
 */
void uvm_fault_batch_reset(struct uvm_fault_batch *batch)
{
	memset(batch->utlb_last, 0, batch->geometry.utlb_count * sizeof(*batch->utlb_last));
	batch->last = NULL;
	batch->nr_cached = 0;
	batch->nr_coalesced = 0;
	batch->nr_duplicates = 0;
	batch->nr_invalid_prefetch = 0;
	batch->nr_fatal = 0;
	batch->single_instance = true;
}
EXPORT_SYMBOL_IF_KUNIT(uvm_fault_batch_reset);

static bool fault_same_page(const struct uvm_fault *a, const struct uvm_fault *b)
{
	return a->instance == b->instance && a->address == b->address;
}

/*
 * The new fault joins an older one.  That may have joined another one itself: then it
 * counts there no more, and is only reported with it.
 */
static void fault_join(struct uvm_fault *fault, struct uvm_fault *with)
{
	struct uvm_fault *rep = with->representative ?: with;

	list_add_tail(&fault->merged, &rep->merged);
	fault->representative = rep;
	fault->filtered = true;
	with->num_instances++;
	with->access_mask |= fault->access_mask;
}

/* The new fault, a stronger one, takes over from a representative. */
static void fault_take_over(struct uvm_fault *fault, struct uvm_fault *from)
{
	struct uvm_fault *pos;

	for_each_merged_fault(pos, from)
		pos->representative = fault;
	list_splice_tail_init(&from->merged, &fault->merged);
	list_add_tail(&from->merged, &fault->merged);
	from->representative = fault;
	from->filtered = true;
	fault->num_instances += from->num_instances;
	fault->access_mask |= from->access_mask;
}

/*
 * Two tests, in this order: the same page as the last fault of this uTLB, with any access;
 * or as the last fault of all, with no stronger access.  As in nvidia-uvm the last fault of
 * all stays the one that it was when another one takes over from it.
 */
static bool fault_coalesce(struct uvm_fault_batch *batch, struct uvm_fault *fault)
{
	struct uvm_fault *last = batch->utlb_last[fault->utlb];

	if (last && fault_same_page(last, fault)) {
		if (fault->access <= last->access) {
			fault_join(fault, last);
		} else {
			fault_take_over(fault, last);
			batch->utlb_last[fault->utlb] = fault;
		}
		return true;
	}
	last = batch->last;
	if (last && fault_same_page(last, fault) && fault->access <= last->access) {
		fault_join(fault, last);
		return true;
	}
	return false;
}

/**
 * uvm_fault_batch_add_record - parse a record and merge it if possible
 * @batch: the batch
 * @record: 8 words, seen to be valid
 *
 * A fatal fault joins no other, but one that is not may join it, or take over from it:
 * then the fatal access comes back with the replay.
 *
 * Return: the new fault, or NULL if the batch is full.
 */
struct uvm_fault *uvm_fault_batch_add_record(struct uvm_fault_batch *batch, const u32 *record)
{
	struct uvm_fault *fault;

	if (batch->nr_cached >= batch->max)
		return NULL;
	fault = &batch->faults[batch->nr_cached];
	uvm_fault_parse(fault, record, &batch->geometry);
	fault->index = batch->nr_cached++;
	fault->gpu = batch->gpu;
	if (fault->instance != batch->faults[0].instance)
		batch->single_instance = false;
	if (batch->coalesce && !fault->fatal && fault_coalesce(batch, fault))
		return fault;

	batch->nr_coalesced++;
	batch->utlb_last[fault->utlb] = fault;
	batch->last = fault;
	return fault;
}
EXPORT_SYMBOL_IF_KUNIT(uvm_fault_batch_add_record);

static int fault_cmp_u64(u64 a, u64 b)
{
	return a < b ? -1 : a > b;
}

static int fault_cmp_instance(const void *pa, const void *pb)
{
	const struct uvm_fault *a = *(const struct uvm_fault *const *)pa;
	const struct uvm_fault *b = *(const struct uvm_fault *const *)pb;

	return fault_cmp_u64(a->instance, b->instance) ?: fault_cmp_u64(a->index, b->index);
}

static int fault_cmp_service(const void *pa, const void *pb)
{
	const struct uvm_fault *a = *(const struct uvm_fault *const *)pa;
	const struct uvm_fault *b = *(const struct uvm_fault *const *)pb;

	return fault_cmp_u64(a->va_space_id, b->va_space_id) ?:
	       fault_cmp_u64(a->gpu, b->gpu) ?:
	       fault_cmp_u64(a->address, b->address) ?:
	       fault_cmp_u64(b->access, a->access) ?:
	       fault_cmp_u64(a->index, b->index);
}

/**
 * uvm_fault_batch_sort_by_instance - collect representatives, by instance
 * @batch: the batch; @sorted is filled
 */
void uvm_fault_batch_sort_by_instance(struct uvm_fault_batch *batch)
{
	unsigned int n = 0;

	for (unsigned int i = 0; i < batch->nr_cached; i++) {
		if (!batch->faults[i].filtered)
			batch->sorted[n++] = &batch->faults[i];
	}
	if (!batch->single_instance)
		sort(batch->sorted, n, sizeof(*batch->sorted), fault_cmp_instance, NULL);
}
EXPORT_SYMBOL_IF_KUNIT(uvm_fault_batch_sort_by_instance);

/**
 * uvm_fault_batch_sort - put representatives into the order of service
 * @batch: the batch, with VA spaces filled in; duplicates are found
 */
void uvm_fault_batch_sort(struct uvm_fault_batch *batch)
{
	const struct uvm_fault *prev = NULL;

	sort(batch->sorted, batch->nr_coalesced, sizeof(*batch->sorted), fault_cmp_service, NULL);
	for (unsigned int i = 0; i < batch->nr_coalesced; i++) {
		struct uvm_fault *fault = batch->sorted[i];

		fault->duplicate = prev && prev->va_space_id == fault->va_space_id &&
				   prev->gpu == fault->gpu && prev->address == fault->address;
		prev = fault;
	}
}
EXPORT_SYMBOL_IF_KUNIT(uvm_fault_batch_sort);

/**
 * uvm_fault_batch_meet - a fault has reached the block of its page
 * @batch: the batch; what is a duplicate is counted (nvidia-uvm 2.8)
 * @fault: one of @batch->sorted
 */
void uvm_fault_batch_meet(struct uvm_fault_batch *batch, const struct uvm_fault *fault)
{
	batch->nr_duplicates += fault->num_instances - !fault->duplicate;
}
EXPORT_SYMBOL_IF_KUNIT(uvm_fault_batch_meet);

/**
 * uvm_fault_batch_mark_fatal - nothing can serve a fault
 * @batch: the batch; the fault is counted
 * @fault: one of @batch->sorted
 * @mode: which of its accesses end
 * @error: why, negative errno
 *
 * A prefetch is only a hint: its records count for the governor, each one.
 */
void uvm_fault_batch_mark_fatal(struct uvm_fault_batch *batch, struct uvm_fault *fault,
				enum uvm_cancel_mode mode, int error)
{
	fault->fatal = true;
	fault->error = -error;
	fault->cancel_mode = mode;
	fault->invalid_prefetch = fault->access == UVM_ACCESS_PREFETCH;
	if (fault->invalid_prefetch)
		batch->nr_invalid_prefetch += fault->num_instances;
	else
		batch->nr_fatal++;
}
EXPORT_SYMBOL_IF_KUNIT(uvm_fault_batch_mark_fatal);

/**
 * uvm_fault_judge - what may be served of a fault, and what is cancelled
 * @access: strongest access of the fault
 * @access_mask: bit per enum uvm_access that waits for the page
 * @allowed: what the page allows at most
 *
 * Return: the verdict.  Reads that wait beside a write that is not allowed are
 * served first, so that a cancel of writes and atomics leaves none waiting.
 */
struct uvm_fault_verdict uvm_fault_judge(enum uvm_access access, unsigned int access_mask,
					 enum uvm_prot allowed)
{
	struct uvm_fault_verdict verdict = { .serve = access, .cancel_mode = UVM_CANCEL_NONE };

	if (uvm_prot_allows(allowed, access)) {
		verdict.action = UVM_FAULT_SERVE;
		return verdict;
	}
	verdict.action = UVM_FAULT_CANCEL;
	verdict.cancel_mode = UVM_CANCEL_ALL;
	/* a replay would bring even a prefetch back for ever */
	if (access == UVM_ACCESS_READ || access == UVM_ACCESS_PREFETCH)
		return verdict;
	if (!(access_mask & BIT(UVM_ACCESS_READ))) {
		verdict.cancel_mode = UVM_CANCEL_WRITE_AND_ATOMIC;
	} else if (uvm_prot_allows(allowed, UVM_ACCESS_READ)) {
		verdict.action = UVM_FAULT_SERVE_AND_CANCEL;
		verdict.serve = UVM_ACCESS_READ;
		verdict.cancel_mode = UVM_CANCEL_WRITE_AND_ATOMIC;
	}
	return verdict;
}
EXPORT_SYMBOL_IF_KUNIT(uvm_fault_judge);
