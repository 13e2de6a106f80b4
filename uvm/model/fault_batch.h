/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A batch of replayable faults: parse, coalesce, sort, judge.
 *
 * The caller owns the arrays and fills in which VA space a fault belongs to
 * between the two sorts.  No order depends on a pointer.  Pure: no mm, no
 * device, no locks.
 *
 *   reset, add_record...	faults in the order of the ring, merged
 *   sort_by_instance		so that each instance is looked up once
 *   (caller sets va_space, va_space_id, gpu of batch->sorted[])
 *   sort			by VA space, GPU, address; strongest access first
 */
#ifndef UVM_FAULT_BATCH_H
#define UVM_FAULT_BATCH_H

#include <linux/list.h>
#include <linux/types.h>
#include "base/types.h"

/* What a cancel ends. */
enum uvm_cancel_mode {
	UVM_CANCEL_NONE,
	UVM_CANCEL_ALL,
	UVM_CANCEL_WRITE_AND_ATOMIC,
};

/**
 * struct uvm_fault - one record of the fault ring
 * @instance: instance pointer: physical address, and aperture in bits 9:8
 * @address: page aligned, sign-extended from 49 bits
 * @timestamp: of the record, ns
 * @va_space: set by the caller after sort_by_instance; NULL if unknown
 * @va_space_id: id of @va_space, never 0; 0 if unknown; sort key
 * @merged: representative: list of the faults it stands for; filtered: node
 * @representative: filtered: the fault that stands for this one, else NULL
 * @num_instances: records that this one stands for, with itself
 * @index: position in the ring's order within the batch; last sort key
 * @access: enum uvm_access
 * @access_mask: bit per enum uvm_access of all records it stands for
 * @type: enum uvm_fault_type
 * @hw_type: fault type of the record
 * @cancel_mode: enum uvm_cancel_mode; NONE unless @fatal
 * @gpu: id of the GPU's processor; sort key
 * @gpc: GPC of the record
 * @client: client (SM of the GPC) of the record
 * @utlb: uTLB of the whole GPU
 * @engine: engine id of the record
 * @sm: SM of the GPU, if @has_origin
 * @warp: warp of @block, if @has_origin
 * @block: block of the launch, if @has_origin
 * @pc: address of the instruction, if @has_origin
 * @error: errno that the launch ends with, if @fatal; 0 for EFAULT
 * @fatal: cannot be served
 * @filtered: another fault stands for it
 * @throttled: skipped; the replay brings it back
 * @invalid_prefetch: fatal, but only a prefetch: cancelled without a report
 * @duplicate: same VA space, GPU and page as the one before it in sorted order
 * @has_origin: the device said who made the access
 */
struct uvm_fault {
	u64 instance;
	u64 address;
	u64 timestamp;
	void *va_space;
	u64 va_space_id;
	struct list_head merged;
	struct uvm_fault *representative;
	u32 num_instances;
	u32 index;
	u8 access;
	u8 access_mask;
	u8 type;
	u8 hw_type;
	u8 cancel_mode;
	u8 gpu;
	u8 gpc;
	u8 client;
	u16 utlb;
	u16 engine;
	u16 error;
	u32 sm;
	u32 warp;
	u64 block;
	u64 pc;
	bool fatal;
	bool filtered;
	bool throttled;
	bool invalid_prefetch;
	bool duplicate;
	bool has_origin;
};

/**
 * struct uvm_fault_geometry - which uTLB a record comes from
 * @utlb_count: uTLBs of the GPU
 * @utlbs_per_gpc: uTLBs of a GPC
 * @clients_per_utlb: clients sharing one
 */
struct uvm_fault_geometry {
	unsigned int utlb_count;
	unsigned int utlbs_per_gpc;
	unsigned int clients_per_utlb;
};

/**
 * struct uvm_fault_batch - faults fetched together
 * @faults: array of @max, in the order of the ring
 * @sorted: array of @max; the @nr_coalesced representatives
 * @utlb_last: array of geometry.utlb_count: last fault of each uTLB
 * @max: most faults
 * @geometry: of the GPU
 * @gpu: id of the GPU's processor
 * @coalesce: merge at all
 * @last: last fault not merged
 * @nr_cached: records in @faults
 * @nr_coalesced: of these, representatives
 * @nr_duplicates: records about a page that another record of the batch was
 *	about, of those that have reached their block
 * @nr_invalid_prefetch: records of prefetches that nothing can serve
 * @nr_fatal: representatives of other accesses that nothing can serve
 * @single_instance: all from the same instance
 */
struct uvm_fault_batch {
	struct uvm_fault *faults;
	struct uvm_fault **sorted;
	struct uvm_fault **utlb_last;
	unsigned int max;
	struct uvm_fault_geometry geometry;
	u8 gpu;
	bool coalesce;
	struct uvm_fault *last;
	unsigned int nr_cached;
	unsigned int nr_coalesced;
	unsigned int nr_duplicates;
	unsigned int nr_invalid_prefetch;
	unsigned int nr_fatal;
	bool single_instance;
};

/* Instances merged into a representative; not itself. */
#define for_each_merged_fault(pos, rep) \
	list_for_each_entry(pos, &(rep)->merged, merged)

/**
 * uvm_fault_instance_pa - address of a fault's instance block
 * @fault: the fault
 *
 * Return: physical address, 4 KB aligned, in uvm_fault_instance_aperture().
 */
static inline u64 uvm_fault_instance_pa(const struct uvm_fault *fault)
{
	return fault->instance & ~0xfffULL;
}

/**
 * uvm_fault_instance_aperture - which memory a fault's instance block is in
 * @fault: the fault
 *
 * Return: the two bits that the record has of it (fault_format.h).
 */
static inline unsigned int uvm_fault_instance_aperture(const struct uvm_fault *fault)
{
	return (fault->instance >> 8) & 3;
}

/**
 * uvm_fault_ring_records - records between GET and PUT
 * @get: index of the first
 * @put: index after the last
 * @entries: of the ring, any number; both indices are below
 *
 * Return: 0 ... @entries - 1.
 */
static inline unsigned int uvm_fault_ring_records(unsigned int get, unsigned int put,
						  unsigned int entries)
{
	return put >= get ? put - get : put + entries - get;
}

void uvm_fault_parse(struct uvm_fault *fault, const u32 *record,
		     const struct uvm_fault_geometry *geometry);
void uvm_fault_parse_origin(struct uvm_fault *fault, const u32 *record);
void uvm_fault_batch_reset(struct uvm_fault_batch *batch);
struct uvm_fault *uvm_fault_batch_add_record(struct uvm_fault_batch *batch, const u32 *record);
void uvm_fault_batch_sort_by_instance(struct uvm_fault_batch *batch);
void uvm_fault_batch_sort(struct uvm_fault_batch *batch);
void uvm_fault_batch_meet(struct uvm_fault_batch *batch, const struct uvm_fault *fault);
void uvm_fault_batch_mark_fatal(struct uvm_fault_batch *batch, struct uvm_fault *fault,
				enum uvm_cancel_mode mode, int error);

enum uvm_fault_action {
	UVM_FAULT_SERVE,	/* access @serve */
	UVM_FAULT_CANCEL,	/* by @cancel_mode */
	UVM_FAULT_SERVE_AND_CANCEL,	/* first the one, then the other */
};

/**
 * struct uvm_fault_verdict - what the permissions of a page mean for a fault
 * @action: what to do
 * @serve: access to serve, for SERVE and SERVE_AND_CANCEL
 * @cancel_mode: for CANCEL and SERVE_AND_CANCEL, else NONE
 */
struct uvm_fault_verdict {
	enum uvm_fault_action action;
	enum uvm_access serve;
	enum uvm_cancel_mode cancel_mode;
};

struct uvm_fault_verdict uvm_fault_judge(enum uvm_access access, unsigned int access_mask,
					 enum uvm_prot allowed);

#endif
