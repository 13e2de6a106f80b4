/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A batch of access-counter notifications: parse, sort, expand (nvidia-uvm
 * 2.12).
 *
 * As with faults the caller fills in the VA spaces between the two sorts.  No
 * order depends on a pointer.  Pure: no mm, no device, no locks.
 */
#ifndef UVM_ACCESS_COUNTER_BATCH_H
#define UVM_ACCESS_COUNTER_BATCH_H

#include <linux/types.h>
#include "base/page_mask.h"
#include "base/types.h"

/**
 * struct uvm_access_notification - one record of the notification buffer
 * @instance: instance pointer: physical address
 * @address: page aligned, sign-extended from 49 bits
 * @va_space: set by the caller after sort_by_instance; NULL if unknown
 * @va_space_id: id of the VA space, never 0; 0 if unknown; sort key
 * @index: position in the ring's order within the batch; last sort key
 * @sub_granularity: bit per sub-region of the granule that was accessed
 * @tag: counter within its bank
 * @count: accesses
 * @bank: bank of the counter
 * @peer: the last access was to memory of a peer, not of the system
 * @usable: about accesses of the GPU by virtual address; others are not served
 */
struct uvm_access_notification {
	u64 instance;
	u64 address;
	void *va_space;
	u64 va_space_id;
	u32 index;
	u32 sub_granularity;
	u32 tag;
	u16 count;
	u8 bank;
	bool peer;
	bool usable;
};

/**
 * struct uvm_access_batch - notifications fetched together
 * @notifications: array of @max, in the order of the ring
 * @sorted: array of @max
 * @max: most notifications
 * @count: how many
 */
struct uvm_access_batch {
	struct uvm_access_notification *notifications;
	struct uvm_access_notification **sorted;
	unsigned int max;
	unsigned int count;
};

void uvm_access_batch_reset(struct uvm_access_batch *batch);
bool uvm_access_batch_add_record(struct uvm_access_batch *batch, const u32 *record);
void uvm_access_batch_sort_by_instance(struct uvm_access_batch *batch);
void uvm_access_batch_sort(struct uvm_access_batch *batch);

int uvm_access_granularity(u64 bytes);
u64 uvm_access_granule_bytes(unsigned int granularity);
unsigned int uvm_access_batch_run(const struct uvm_access_batch *batch, unsigned int first,
				  u64 span);
bool uvm_access_expand(const struct uvm_access_notification *notification, u64 granule_bytes,
		       u64 block, struct uvm_page_mask *pages);

#endif
