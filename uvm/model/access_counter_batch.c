// SPDX-License-Identifier: GPL-2.0
/*
 * A batch of access-counter notifications.
 */
#include <kunit/visibility.h>
#include <linux/bitfield.h>
#include <linux/export.h>
#include <linux/kernel.h>
#include <linux/sort.h>
#include <softgpu/access_counter_format.h>
#include <softgpu/regs.h>
#include "model/access_counter_batch.h"

#define ACCESS_VA_BITS	49

static const u64 access_granules[] = {
	[ACCESS_GRANULARITY_64K] = BIT_ULL(16),
	[ACCESS_GRANULARITY_2M] = BIT_ULL(21),
	[ACCESS_GRANULARITY_16M] = BIT_ULL(24),
	[ACCESS_GRANULARITY_16G] = BIT_ULL(34),
};

/**
 * uvm_access_granularity - what the hardware calls a granularity
 * @bytes: 64K, 2M, 16M or 16G
 *
 * Return: ACCESS_GRANULARITY_*, or -EINVAL.
 */
int uvm_access_granularity(u64 bytes)
{
	for (unsigned int i = 0; i < ARRAY_SIZE(access_granules); i++) {
		if (access_granules[i] == bytes)
			return i;
	}
	return -EINVAL;
}
EXPORT_SYMBOL_IF_KUNIT(uvm_access_granularity);

/**
 * uvm_access_granule_bytes - the reverse
 * @granularity: ACCESS_GRANULARITY_*
 *
 * Return: bytes that one counter counts accesses of.
 */
u64 uvm_access_granule_bytes(unsigned int granularity)
{
	return access_granules[granularity];
}
EXPORT_SYMBOL_IF_KUNIT(uvm_access_granule_bytes);

/**
 * uvm_access_batch_reset - forget all notifications
 * @batch: with its arrays and @max set
 */
void uvm_access_batch_reset(struct uvm_access_batch *batch)
{
	batch->count = 0;
}
EXPORT_SYMBOL_IF_KUNIT(uvm_access_batch_reset);

/**
 * uvm_access_batch_add_record - parse a record
 * @batch: the batch
 * @record: %ACCESS_RECORD_WORDS words, seen to be valid
 *
 * Return: false if the batch is full.
 */
bool uvm_access_batch_add_record(struct uvm_access_batch *batch, const u32 *record)
{
	struct uvm_access_notification *n;
	u64 address = (u64)record[3] << 32 | (record[2] & ~0xfffU);

	if (batch->count >= batch->max)
		return false;
	n = &batch->notifications[batch->count];
	*n = (struct uvm_access_notification){
		.instance = (u64)record[1] << 32 | (record[0] & ACCESS_W0_INST_LO),
		.address = (s64)(address << (64 - ACCESS_VA_BITS)) >> (64 - ACCESS_VA_BITS),
		.index = batch->count,
		.sub_granularity = record[4],
		.tag = FIELD_GET(ACCESS_W5_TAG, record[5]),
		.count = FIELD_GET(ACCESS_W6_COUNT, record[6]),
		.bank = FIELD_GET(ACCESS_W0_BANK, record[0]),
		.peer = FIELD_GET(ACCESS_W0_APERTURE, record[0]) == ACCESS_APERTURE_PEER,
		.usable = FIELD_GET(ACCESS_W0_TYPE, record[0]) == ACCESS_TYPE_GPU &&
			  FIELD_GET(ACCESS_W0_ADDR_TYPE, record[0]) == ACCESS_ADDR_GVA,
	};
	batch->count++;
	return true;
}
EXPORT_SYMBOL_IF_KUNIT(uvm_access_batch_add_record);

static int access_cmp_u64(u64 a, u64 b)
{
	return a < b ? -1 : a > b;
}

static int access_cmp_instance(const void *pa, const void *pb)
{
	const struct uvm_access_notification *a =
		*(const struct uvm_access_notification *const *)pa;
	const struct uvm_access_notification *b =
		*(const struct uvm_access_notification *const *)pb;

	return access_cmp_u64(a->instance, b->instance) ?: access_cmp_u64(a->index, b->index);
}

static int access_cmp_service(const void *pa, const void *pb)
{
	const struct uvm_access_notification *a =
		*(const struct uvm_access_notification *const *)pa;
	const struct uvm_access_notification *b =
		*(const struct uvm_access_notification *const *)pb;

	return access_cmp_u64(a->va_space_id, b->va_space_id) ?:
	       access_cmp_u64(a->address, b->address) ?:
	       access_cmp_u64(a->index, b->index);
}

/**
 * uvm_access_batch_sort_by_instance - collect notifications, by instance
 * @batch: the batch; @sorted is filled
 */
void uvm_access_batch_sort_by_instance(struct uvm_access_batch *batch)
{
	for (unsigned int i = 0; i < batch->count; i++)
		batch->sorted[i] = &batch->notifications[i];
	sort(batch->sorted, batch->count, sizeof(*batch->sorted), access_cmp_instance, NULL);
}
EXPORT_SYMBOL_IF_KUNIT(uvm_access_batch_sort_by_instance);

/**
 * uvm_access_batch_sort - put notifications into the order of service
 * @batch: the batch, with VA spaces filled in
 */
void uvm_access_batch_sort(struct uvm_access_batch *batch)
{
	sort(batch->sorted, batch->count, sizeof(*batch->sorted), access_cmp_service, NULL);
}
EXPORT_SYMBOL_IF_KUNIT(uvm_access_batch_sort);

/**
 * uvm_access_batch_run - notifications that are served together
 * @batch: the sorted batch
 * @first: index of the first in @sorted
 * @span: power of two
 *
 * Return: one past the last of the same VA space whose address lies in the same
 * aligned @span.
 */
unsigned int uvm_access_batch_run(const struct uvm_access_batch *batch, unsigned int first,
				  u64 span)
{
	const struct uvm_access_notification *n = batch->sorted[first];
	unsigned int outer = first + 1;

	while (outer < batch->count && batch->sorted[outer]->va_space_id == n->va_space_id &&
	       !((batch->sorted[outer]->address ^ n->address) & ~(span - 1)))
		outer++;
	return outer;
}
EXPORT_SYMBOL_IF_KUNIT(uvm_access_batch_run);

/* Add what [@start, @start + @bytes) has in common with the 2 MB from @block on. */
static void access_add_span(u64 start, u64 bytes, u64 block, struct uvm_page_mask *pages)
{
	u64 first = max(start, block), outer = min(start + bytes, block + UVM_BLOCK_SIZE);

	if (first < outer)
		uvm_page_mask_or_region(pages,
					uvm_region_make((first - block) >> UVM_PAGE_SHIFT,
							(outer - block) >> UVM_PAGE_SHIFT));
}

/**
 * uvm_access_expand - pages of a block that a notification is about
 * @notification: the notification
 * @granule_bytes: bytes of a granule, as the counters are configured
 * @block: address of the block's page 0, 2 MB aligned
 * @pages: added to
 *
 * A granule has 32 sub-regions; a sub-region has at least 64K, so one of 64K is
 * its own.  nvidia-uvm takes more than one page only where the source is one 2M
 * chunk, since its counters know of physical memory; ours count virtual
 * addresses.  Pages that are not mapped over the link are the caller's to drop.
 *
 * Return: true if there are any such pages.
 */
bool uvm_access_expand(const struct uvm_access_notification *notification, u64 granule_bytes,
		       u64 block, struct uvm_page_mask *pages)
{
	u64 sub_bytes = max_t(u64, granule_bytes / ACCESS_SUB_REGIONS, UVM_BIG_PAGE);
	u64 granule = notification->address & ~(granule_bytes - 1);
	unsigned int regions = granule_bytes / sub_bytes;
	bool some = false;

	for (unsigned int i = 0; i < regions; i++) {
		u64 start = granule + i * sub_bytes;

		if (!(notification->sub_granularity & BIT(i)) ||
		    start + sub_bytes <= block || start >= block + UVM_BLOCK_SIZE)
			continue;
		access_add_span(start, sub_bytes, block, pages);
		some = true;
	}
	/* whatever the sub-regions say */
	if (uvm_block_align_down(notification->address) == block) {
		uvm_page_mask_set(pages, uvm_page_in_2m(notification->address));
		some = true;
	}
	return some;
}
EXPORT_SYMBOL_IF_KUNIT(uvm_access_expand);
