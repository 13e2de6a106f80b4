/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Access counters: how often SMs access memory that is not the GPU's own, per
 * granule of virtual addresses (MIMC), and the ring that tells the driver.
 *
 * One access is one 128-byte line of one warp instruction, counted when it is
 * performed.  A counter that reaches the threshold writes one record and is
 * silent until it is cleared.  If the ring is full the record is not written,
 * overflow is set, and the counter tries again at its next access: what gets
 * lost is promptness.
 *
 * The counters are a table of ACCESS_BANKS banks, each set-associative with
 * SGPU_COUNTER_WAYS ways and LRU: a granule that has none takes the one of its
 * set that was used longest ago, and begins at 0.  Bank and set follow from the
 * granule's number.
 */
#ifndef SOFTGPU_ACCESS_COUNTER_H
#define SOFTGPU_ACCESS_COUNTER_H

#include <linux/spinlock.h>
#include <linux/types.h>

struct rm_gpu;

#define SGPU_COUNTER_WAYS	8

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
 */
struct sgpu_access_counters {
	spinlock_t lock;	/* everything below */
	bool enabled;
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
};

/* After the fault buffer, which has the interrupt. */
int sgpu_access_counters_init(struct rm_gpu *gpu);
void sgpu_access_counters_exit(struct rm_gpu *gpu);

/*
 * @lines lines of @va's page were accessed over the link.  Only while enabled;
 * the caller may hold an SM's lock.
 */
void sgpu_access_counters_count(struct rm_gpu *gpu, u64 instance, u64 va, u32 lines);

/* MEM_OP access counter clear: all of a type (HOST_COUNTER_CLR_*), or one. */
void sgpu_access_counters_clear(struct rm_gpu *gpu, unsigned int type);
void sgpu_access_counters_clear_one(struct rm_gpu *gpu, unsigned int bank, u32 tag);
/* The context goes: another may have its instance pointer next. */
void sgpu_access_counters_forget(struct rm_gpu *gpu, u64 instance);

/* The registers of this unit (regs.c). */
u32 sgpu_access_counters_reg_read(struct rm_gpu *gpu, u32 reg);
void sgpu_access_counters_reg_write(struct rm_gpu *gpu, u32 reg, u32 value);

#endif
