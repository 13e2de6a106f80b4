// SPDX-License-Identifier: GPL-2.0
/* Counters as JSON and for people. */
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include "out/stats_json.h"
#include "uvm_cmd.h"

double stats_mean(uint64_t sum, uint64_t count)
{
	return count ? (double)sum / (double)count : 0.0;
}

/* How a counter is printed for people. */
enum stats_unit {
	STATS_NUMBER,
	STATS_BYTES,
	STATS_NS,
};

/**
 * struct stats_row - one number of the reports
 * @group: its JSON object, or "" for the top level; rows of a group stand together
 * @key: its JSON key
 * @heading: section of the text; rows of a section stand together
 * @label: in the text, or NULL: not there
 * @unit: enum stats_unit
 * @rare: not in the text when it is 0
 * @member: where it is in struct uvm_stats
 * @per: the report has the mean of @member over this one; 0 for @member itself
 */
struct stats_row {
	const char *group;
	const char *key;
	const char *heading;
	const char *label;
	enum stats_unit unit;
	bool rare;
	size_t member;
	size_t per;
};

#define M(name)		.member = offsetof(struct uvm_stats, name)
#define MEAN(name, by)	M(name), .per = offsetof(struct uvm_stats, by)

/* Every counter that is reported, in the order of the reports: one line each. */
static const struct stats_row stats_rows[] = {
	{ "faults", "fetched", "faults", "fetched", M(faults_fetched) },
	{ "faults", "duplicate", "faults", "duplicate", M(faults_duplicate) },
	{ "faults", "serviced", "faults", "serviced", M(faults_serviced) },
	{ "faults", "read", "faults", "read", M(faults_read) },
	{ "faults", "write", "faults", "write", M(faults_write) },
	{ "faults", "atomic", "faults", "atomic", M(faults_atomic) },
	{ "faults", "prefetch", "faults", "prefetch", .rare = true, M(faults_prefetch) },
	{ "faults", "fatal", "faults", "fatal", .rare = true, M(faults_fatal) },
	{ "faults", "throttled", "faults", "throttled", .rare = true, M(throttled) },
	{ "faults", "cpu", "faults", "CPU", M(faults_cpu) },
	{ "faults", "non_replayable", "faults", "of copy engines", .rare = true,
	  M(faults_non_replayable) },
	{ "faults", "buffer_overflows", "faults", "buffer overflows", .rare = true,
	  M(fault_overflows) },
	{ "faults", "flushed", "faults", "flushed", .rare = true, M(faults_flushed) },
	{ "faults", "prefetch_disabled", "faults", "prefetch faults off", .rare = true,
	  M(prefetch_disabled) },
	{ "batches", "count", "batches", "batches", M(batches) },
	{ "batches", "mean_faults", "batches", "faults, mean", MEAN(faults_fetched, batches) },
	{ "batches", "max_faults", "batches", "faults, largest", M(batch_faults_max) },
	{ "batches", "mean_bytes", "batches", "bytes, mean", STATS_BYTES,
	  MEAN(batch_bytes, batches) },
	{ "batches", "mean_time_ns", "batches", "time, mean", STATS_NS,
	  MEAN(batch_time_ns, batches) },
	{ "batches", "mean_handling_ns", "batches", "before first copy, mean", STATS_NS,
	  MEAN(batch_handling_ns, batches) },
	{ "", "replays", "batches", "replays", M(replays) },
	{ "migrated_bytes", "htod", "migrated", "to the GPU", STATS_BYTES, M(bytes_htod) },
	{ "migrated_bytes", "dtoh", "migrated", "to the CPU", STATS_BYTES, M(bytes_dtoh) },
	{ "migrated_bytes", "htod_demand", "migrated", "to the GPU on demand", STATS_BYTES,
	  M(bytes_htod_demand) },
	{ "migrated_bytes", "htod_prefetch", "migrated", "to the GPU prefetched", STATS_BYTES,
	  M(bytes_htod_prefetch) },
	{ "migrated_bytes", "dtoh_eviction", "migrated", "to the CPU by eviction", STATS_BYTES,
	  M(bytes_dtoh_eviction) },
	{ "migrated_bytes", "dtoh_prefetch", "migrated", "to the CPU prefetched", STATS_BYTES,
	  .rare = true, M(bytes_dtoh_prefetch) },
	{ "migrated_bytes", "htod_counter", "migrated", "to the GPU by access counters",
	  STATS_BYTES, true, M(bytes_htod_counter) },
	{ "migrated_bytes", "peer", "migrated", "from GPU to GPU", STATS_BYTES, true,
	  M(bytes_peer) },
	{ "evictions", "chunks", "evicted", "root chunks", M(evicted_chunks) },
	{ "evictions", "pages", "evicted", "pages", M(evicted_pages) },
	{ "evictions", "premature", "evicted", "pages, too early", M(premature_pages) },
	{ "evictions", "returned", "evicted", "pages that came again", .rare = true,
	  M(returned_pages) },
	{ "thrashing", "pages", "thrashing", "pages", .rare = true, M(thrashing_pages) },
	{ "thrashing", "throttles_cpu", "thrashing", "CPU throttled", .rare = true,
	  M(throttles_cpu) },
	{ "thrashing", "throttles_gpu", "thrashing", "GPUs throttled", .rare = true,
	  M(throttles_gpu) },
	{ "thrashing", "pins_local", "thrashing", "kept at who faulted", .rare = true,
	  M(pins_local) },
	{ "thrashing", "pins_remote", "thrashing", "kept elsewhere", .rare = true,
	  M(pins_remote) },
	{ "thrashing", "resets", "thrashing", "blocks that forgot", .rare = true,
	  M(thrashing_resets) },
	{ "", "access_counters", "access counters", "notifications", .rare = true,
	  M(counter_notifications) },
};

#define STATS_ROWS	(sizeof(stats_rows) / sizeof(stats_rows[0]))

static uint64_t stats_at(const struct uvm_stats *s, size_t offset)
{
	uint64_t value;

	memcpy(&value, (const char *)s + offset, sizeof(value));
	return value;
}

/* The JSON object that a row goes into. */
static struct json_object *stats_group(struct json_object *to, const char *group)
{
	struct json_object *o;

	if (!group[0])
		return to;
	if (!json_object_object_get_ex(to, group, &o))
		o = json_add(to, group, json_object_new_object());
	return o;
}

void stats_add_json(struct json_object *to, const struct uvm_stats *s)
{
	const struct stats_row *row;
	struct json_object *o;
	unsigned int phase;

	for (row = stats_rows; row < stats_rows + STATS_ROWS; row++) {
		o = stats_group(to, row->group);
		if (row->per)
			json_add(o, row->key,
				 json_new_decimal(stats_mean(stats_at(s, row->member),
							     stats_at(s, row->per))));
		else
			json_add_u64(o, row->key, stats_at(s, row->member));
	}
	o = stats_group(to, "phases_ns");
	for (phase = 0; uvm_phase_name(phase); phase++)
		json_add_u64(o, uvm_phase_name(phase), s->phase_ns[phase]);
}

void stats_subtract(struct uvm_stats *stats, const struct uvm_stats *before)
{
	size_t first = offsetof(struct uvm_stats, faults_fetched), at;
	uint64_t most = stats->batch_faults_max, value;

	/* From the first counter to the end of the structure there is nothing else. */
	for (at = first; at + sizeof(value) <= sizeof(*stats); at += sizeof(value)) {
		value = stats_at(stats, at) - stats_at(before, at);
		memcpy((char *)stats + at, &value, sizeof(value));
	}
	stats->batch_faults_max = most;
}

static void stats_print_row(const struct stats_row *row, double value)
{
	char text[32];

	if (row->unit == STATS_BYTES)
		format_bytes(value, text, sizeof(text));
	else if (row->unit == STATS_NS)
		format_ns(value, text, sizeof(text));
	else
		snprintf(text, sizeof(text), row->per ? "%.1f" : "%.0f", value);
	printf("  %-28s%16s\n", row->label, text);
}

/* One of an object's numbers; 0: it has none such. */
static double stats_number(struct json_object *o, const char *group, const char *key)
{
	struct json_object *in = o, *value;

	if (group[0] && !json_object_object_get_ex(o, group, &in))
		return 0;
	return json_object_object_get_ex(in, key, &value) ? json_object_get_double(value) : 0;
}

static void stats_print_phases(struct json_object *o)
{
	double sum = 0, ns;
	unsigned int i;
	char text[32];

	for (i = 0; uvm_phase_name(i); i++)
		sum += stats_number(o, "phases_ns", uvm_phase_name(i));
	printf("driver time by phase\n");
	for (i = 0; uvm_phase_name(i); i++) {
		ns = stats_number(o, "phases_ns", uvm_phase_name(i));
		if (ns > 0)
			printf("  %-28s%16s  %5.1f %%\n", uvm_phase_name(i),
			       format_ns(ns, text, sizeof(text)), 100.0 * ns / sum);
	}
	if (sum <= 0)
		printf("  none\n");
}

void stats_print_json(struct json_object *o)
{
	const struct stats_row *row;
	const char *heading = "";
	double value;

	for (row = stats_rows; row < stats_rows + STATS_ROWS; row++) {
		value = stats_number(o, row->group, row->key);
		if (!row->label || (row->rare && value <= 0))
			continue;
		if (strcmp(heading, row->heading)) {
			heading = row->heading;
			printf("%s\n", heading);
		}
		stats_print_row(row, value);
	}
	stats_print_phases(o);
}

void stats_print(const struct uvm_stats *s)
{
	struct json_object *o = json_object_new_object();

	stats_add_json(o, s);
	if (!json_lost())
		stats_print_json(o);
	json_object_put(o);
}

struct json_object *stats_histogram_json(const struct uvm_stats *s)
{
	struct json_object *list = json_object_new_array();
	unsigned int b;

	for (b = 0; b < UVM_BATCH_BUCKETS; b++) {
		struct json_object *o = json_object_new_object();

		json_add_u64(o, "from", 1ULL << b);
		json_add_u64(o, "to", (2ULL << b) - 1);
		json_add_u64(o, "batches", s->batch_histogram[b]);
		json_append(list, o);
	}
	return list;
}
