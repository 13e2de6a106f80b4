/* SPDX-License-Identifier: GPL-2.0 */
/* The replayable fault buffer; see fault_buffer.h. */
#ifndef SOFTGPU_FAULT_BUFFER_TYPES_H
#define SOFTGPU_FAULT_BUFFER_TYPES_H

#include <linux/list.h>
#include <linux/spinlock.h>
#include <linux/types.h>
#include "clock/clock.h"
#include "mmu/mmu_types.h"

/**
 * struct sgpu_fault - a fault as the MMU detects it
 * @detect_ps: when
 * @instance: context
 * @va: address (its 4K page is reported)
 * @type: FAULT_TYPE_*
 * @access: FAULT_ACCESS_*
 * @gpc: GPC of the SM
 * @client: SM within the GPC
 * @origin: who made the access
 */
struct sgpu_fault {
	u64 detect_ps;
	u64 instance;
	u64 va;
	u8 type;
	u8 access;
	u8 gpc;
	u8 client;
	struct sgpu_origin origin;
};

/**
 * struct sgpu_fault_queued - a record that waits for room in the ring
 * @node: in sgpu_fault_buffer.queued, until it is written
 * @fault: what it says
 * @number: of the record, from 1 since load; 0 until it is written
 */
struct sgpu_fault_queued {
	struct list_head node;
	struct sgpu_fault fault;
	u64 number;
};

/**
 * struct sgpu_fault_buffer - ring, registers, interrupt
 * @lock: protects everything below; taken in interrupts
 * @ring: @entries records, shared with the driver
 * @origin: as many records of the extension REG_CAP_FAULT_ORIGIN
 * @extensions: REG_EXT_ENABLE; read without the lock
 * @entries: records in the ring
 * @get: driver's index
 * @put: device's index
 * @overflow: a record was dropped since the driver last cleared this
 * @prefetch: prefetch faults are reported
 * @enable: interrupts enabled, REG_INTR_*
 * @levels: REG_INTR_* of other units that are pending
 * @pending: faults detected, not yet visible: a queue of @pending_size
 * @pending_size: its size
 * @pending_head: oldest
 * @pending_count: how many
 * @queued: records of far faults that wait, not yet visible, in order
 * @write_event: makes them visible
 * @irq_event: raises the interrupt
 * @irq: the interrupt line
 * @written: records written since load
 * @dropped: records dropped since load
 * @raised: interrupts since load
 */
struct sgpu_fault_buffer {
	spinlock_t lock;	/* everything below */
	u32 *ring;
	u32 *origin;
	u32 extensions;
	u32 entries;
	u32 get;
	u32 put;
	bool overflow;
	bool prefetch;
	u32 enable;
	u32 levels;
	struct sgpu_fault *pending;
	u32 pending_size;
	u32 pending_head;
	u32 pending_count;
	struct list_head queued;
	struct sgpu_event write_event;
	struct sgpu_event irq_event;
	struct sgpu_irq irq;
	u64 written;
	u64 dropped;
	u64 raised;
};

#endif
