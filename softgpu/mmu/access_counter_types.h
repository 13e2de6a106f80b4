/* SPDX-License-Identifier: GPL-2.0 */
/* Structures of the access counters; see access_counter.h. */
#ifndef SOFTGPU_ACCESS_COUNTER_TYPES_H
#define SOFTGPU_ACCESS_COUNTER_TYPES_H

#include <linux/spinlock.h>
#include <linux/types.h>

#define SGPU_COUNTER_WAYS	8

/**
 * struct sgpu_counter_span - what a counter counted
 * @instance: context
 * @first: address
 * @last: address
 */
struct sgpu_counter_span {
	u64 instance;
	u64 first;
	u64 last;
};

/* What becomes of an access that was to be counted. */
enum sgpu_counted {
	SGPU_COUNTED_GO,	/* it is performed */
	SGPU_COUNTED_WAIT,	/* it waits for its counter to be cleared; it has been counted */
	SGPU_COUNTED_NOT,	/* it waits likewise, and is to be counted when it tries again */
};

/**
 * struct sgpu_counter - one access counter
 * @instance: context
 * @granule: virtual address >> log2 of the granularity
 * @stamp: last use, for LRU
 * @sub: sub-regions accessed
 * @count: accesses, at most U16_MAX; 0: not in use
 * @notified: has written its record
 */
struct sgpu_counter {
	u64 instance;
	u64 granule;
	u64 stamp;
	u32 sub;
	u16 count;
	bool notified;
};

/**
 * struct sgpu_access_counters - access counters of one GPU
 * @lock: protects everything below; taken in interrupts
 * @enabled: accesses are counted; read without the lock
 * @stall: REG_CAP_ACCESS_STALL is on: accesses wait for a counter that has told
 * @config: REG_ACCESS_COUNTER_CONFIG
 * @shift: log2 of the granularity
 * @sub_shift: log2 of a sub-region
 * @threshold: accesses that make a record
 * @table: ACCESS_BANKS * @sets * SGPU_COUNTER_WAYS counters
 * @sets: sets of a bank
 * @clock: counts uses
 * @last: counter that was used last
 * @ring: @entries records, shared with the driver
 * @entries: records in the ring
 * @get: driver's index
 * @put: device's index
 * @overflow: a record was not written since the driver last cleared this
 * @accesses: accesses counted since load
 * @written: records written since load
 * @dropped: records not written for want of room since load
 * @evicted: counters in use that were taken by another granule since load
 * @uncounted: accesses that were not counted since others wait for all counters of their set,
 *	since load
 */
struct sgpu_access_counters {
	spinlock_t lock;	/* everything below */
	bool enabled;
	bool stall;
	u32 config;
	unsigned int shift;
	unsigned int sub_shift;
	u32 threshold;
	struct sgpu_counter *table;
	u32 sets;
	u64 clock;
	struct sgpu_counter *last;
	u32 *ring;
	u32 entries;
	u32 get;
	u32 put;
	bool overflow;
	u64 accesses;
	u64 written;
	u64 dropped;
	u64 evicted;
	u64 uncounted;
};

#endif
