/* SPDX-License-Identifier: GPL-2.0 */
/* Counters as JSON and for people. */
#ifndef UVM_STATS_JSON_H
#define UVM_STATS_JSON_H

#include "../../lib/uvm.h"
#include "out/json_write.h"

/* Add faults, batches, replays, migrated_bytes, evictions, phases_ns to @to. */
void stats_add_json(struct json_object *to, const struct uvm_stats *stats);

/* The same on stdout, in sections. */
void stats_print(const struct uvm_stats *stats);

/* The same of what stats_add_json() made. */
void stats_print_json(struct json_object *from);

/* Counters since @before was read; what is a maximum stays that of the whole time. */
void stats_subtract(struct uvm_stats *stats, const struct uvm_stats *before);

/* The histogram of batch sizes: a list of {"from", "to", "batches"}. */
struct json_object *stats_histogram_json(const struct uvm_stats *stats);

/* @sum / @count, 0 if there are none. */
double stats_mean(uint64_t sum, uint64_t count);

#endif
