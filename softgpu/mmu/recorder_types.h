/* SPDX-License-Identifier: GPL-2.0 */
/* Structures of the recorder; see recorder.h. */
#ifndef SOFTGPU_RECORDER_TYPES_H
#define SOFTGPU_RECORDER_TYPES_H

#include <linux/spinlock.h>
#include <linux/types.h>
#include "clock/clock.h"

#define SGPU_RECORDER_WORDS	3

/**
 * struct sgpu_recorder_entry - one entry of a table
 * @instance: context
 * @tag: what it counts: virtual address >> sgpu_recorder_table.shift
 * @word: counters, as in a record's words 4 to 6
 * @used: it counts something
 */
struct sgpu_recorder_entry {
	u64 instance;
	u64 tag;
	u32 word[SGPU_RECORDER_WORDS];
	bool used;
};

/**
 * struct sgpu_recorder_table - a set-associative table, empty after each transfer
 * @entry: @sets * @ways
 * @order: indices of those in use, in the order in which they began to be
 * @count: how many are in use
 * @sets: sets
 * @ways: entries of a set
 * @shift: log2 of the bytes of an entry
 * @bytes: of an entry, as it is transferred
 */
struct sgpu_recorder_table {
	struct sgpu_recorder_entry *entry;
	u32 *order;
	u32 count;
	u32 sets;
	u32 ways;
	unsigned int shift;
	unsigned int bytes;
};

/**
 * struct sgpu_recorder - the recorder of one GPU
 * @lock: protects everything below; taken in interrupts
 * @mode: RECORDER_MODE_* in force, REG_EXT_ENABLE counted in; read without the lock
 * @no_fill: REG_RECORDER_NO_FILL in force; read without the lock
 * @config: REG_RECORDER_CONFIG
 * @enabled: its bit of REG_EXT_ENABLE
 * @hits: page-walk hits
 * @accesses: accesses
 * @counter_bits: of a counter of @hits
 * @ring: @entries records, shared with the driver
 * @entries: records in the ring
 * @get: driver's index
 * @put: device's index
 * @pending: its interrupt is: the ring is half full; read without the lock
 * @transfer: a table goes to the ring
 * @busy: it is under way
 * @recorded: hits, or accesses, counted since REG_RECORDER_CONFIG was written
 * @lost: of these, those that found no entry
 */
struct sgpu_recorder {
	spinlock_t lock;	/* everything below */
	u32 mode;
	bool no_fill;
	u32 config;
	bool enabled;
	struct sgpu_recorder_table hits;
	struct sgpu_recorder_table accesses;
	unsigned int counter_bits;
	u32 *ring;
	u32 entries;
	u32 get;
	u32 put;
	bool pending;
	struct sgpu_event transfer;
	bool busy;
	u64 recorded;
	u64 lost;
};

#endif
