/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What pilot keeps of an allocation: when each 64 KB were used before they were evicted, how long
 * it is from there to their return, how much of what was prefetched was evicted unused, how much of
 * what is evicted returns, and how often it was used over the link.
 */
#ifndef UVM_RANGE_PILOT_H
#define UVM_RANGE_PILOT_H

#include "policy/range_state.h"

/**
 * struct uvm_pilot_rhythm - how far apart uses of what returns are
 * @mean: ticks
 * @dev: mean distance from it
 * @returns: how many were seen, 255 at most
 */
struct uvm_pilot_rhythm {
	u32 mean;
	u32 dev;
	u32 returns;
};

/**
 * struct uvm_pilot_eviction - a unit that is evicted
 * @va: its address; the range may begin within it
 * @bytes: how large it is
 * @used: tick of its last use
 * @prefetched: it came without a fault
 * @unused: and was not used since
 */
struct uvm_pilot_eviction {
	u64 va;
	u64 bytes;
	u32 used;
	bool prefetched;
	bool unused;
};

/**
 * struct uvm_pilot_arrival - a unit that comes
 * @va: its address; the range may begin within it
 * @bytes: how large it is
 * @now: tick
 * @stayed: it has not been away, its eviction has failed: no rhythm is learned
 * @start: of the range; written
 * @interval: ticks since its last use, if it was evicted since, else 0; written
 * @rhythm: of the range, with this; written
 */
struct uvm_pilot_arrival {
	u64 va;
	u64 bytes;
	u32 now;
	bool stayed;
	u64 start;
	u32 interval;
	struct uvm_pilot_rhythm rhythm;
};

extern const struct uvm_range_state uvm_range_pilot;

/**
 * uvm_range_pilot_evict - a unit is evicted; for uvm_eviction_range()
 * @range: the range it belongs to
 * @arg: a struct uvm_pilot_eviction
 */
void uvm_range_pilot_evict(const struct uvm_range_view *range, void *arg);

/**
 * uvm_range_pilot_arrive - a unit comes; for uvm_eviction_range()
 * @range: the range it belongs to
 * @arg: a struct uvm_pilot_arrival; its last three members are written
 */
void uvm_range_pilot_arrive(const struct uvm_range_view *range, void *arg);

/**
 * uvm_range_pilot_wastes - is much of what is prefetched evicted unused?
 * @range: the range; NULL: nothing is known of it
 *
 * Return: true if more than one in eight is, of eight or more.
 */
bool uvm_range_pilot_wastes(const struct uvm_range_view *range);

/**
 * uvm_range_pilot_returns - does much of what is evicted return?
 * @range: the range; NULL: nothing is known of it
 *
 * Return: true if half of it does, of 16 or more.
 */
bool uvm_range_pilot_returns(const struct uvm_range_view *range);

/**
 * uvm_range_pilot_remote - what is known of the 64 KB of an address
 * @range: the range
 * @va: an address of the range
 * @remote: out: accesses over the link since they came last, as access counters say
 * @trips: out: how often they were evicted, up to 31
 */
void uvm_range_pilot_remote(const struct uvm_range_view *range, u64 va, u32 *remote, u32 *trips);

/**
 * uvm_pilot_is_periodic - is a rhythm believed?
 * @rhythm: the rhythm
 *
 * Return: true after eight returns whose mean distance from the mean is less than half of it.
 */
bool uvm_pilot_is_periodic(const struct uvm_pilot_rhythm *rhythm);

#endif
