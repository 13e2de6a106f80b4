// SPDX-License-Identifier: GPL-2.0
/* Counters as JSON. */
#include <stdio.h>

#include "stats_json.h"

double stats_mean(uint64_t sum, uint64_t count)
{
	return count ? (double)sum / (double)count : 0.0;
}

struct json_object *json_new_decimal(double value)
{
	char text[64];

	/* Written by us, so that no library version can change a digit. */
	snprintf(text, sizeof(text), "%.1f", value);
	return json_object_new_double_s(value, text);
}

void json_add_u64(struct json_object *to, const char *key, uint64_t value)
{
	json_object_object_add(to, key, json_object_new_uint64(value));
}

void json_add_text(struct json_object *to, const char *key, const char *value)
{
	json_object_object_add(to, key, json_object_new_string(value));
}

static void stats_add_faults(struct json_object *to, const struct uvm_stats *s)
{
	struct json_object *o = json_object_new_object();

	json_add_u64(o, "fetched", s->faults_fetched);
	json_add_u64(o, "duplicate", s->faults_duplicate);
	json_add_u64(o, "serviced", s->faults_serviced);
	json_add_u64(o, "read", s->faults_read);
	json_add_u64(o, "write", s->faults_write);
	json_add_u64(o, "atomic", s->faults_atomic);
	json_add_u64(o, "fatal", s->faults_fatal);
	json_add_u64(o, "cpu", s->faults_cpu);
	json_object_object_add(to, "faults", o);
}

static void stats_add_batches(struct json_object *to, const struct uvm_stats *s)
{
	struct json_object *o = json_object_new_object();

	json_add_u64(o, "count", s->batches);
	json_object_object_add(o, "mean_faults",
			       json_new_decimal(stats_mean(s->faults_fetched, s->batches)));
	json_add_u64(o, "max_faults", s->batch_faults_max);
	json_object_object_add(o, "mean_bytes",
			       json_new_decimal(stats_mean(s->batch_bytes, s->batches)));
	json_object_object_add(o, "mean_time_ns",
			       json_new_decimal(stats_mean(s->batch_time_ns, s->batches)));
	json_object_object_add(o, "mean_handling_ns",
			       json_new_decimal(stats_mean(s->batch_handling_ns, s->batches)));
	json_object_object_add(to, "batches", o);
}

void stats_add_json(struct json_object *to, const struct uvm_stats *s)
{
	struct json_object *o;
	unsigned int phase;

	stats_add_faults(to, s);
	stats_add_batches(to, s);
	json_add_u64(to, "replays", s->replays);

	o = json_object_new_object();
	json_add_u64(o, "htod", s->bytes_htod);
	json_add_u64(o, "dtoh", s->bytes_dtoh);
	json_add_u64(o, "htod_demand", s->bytes_htod_demand);
	json_add_u64(o, "htod_prefetch", s->bytes_htod_prefetch);
	json_add_u64(o, "dtoh_eviction", s->bytes_dtoh_eviction);
	json_object_object_add(to, "migrated_bytes", o);

	o = json_object_new_object();
	json_add_u64(o, "chunks", s->evicted_chunks);
	json_add_u64(o, "pages", s->evicted_pages);
	json_add_u64(o, "premature", s->premature_pages);
	json_object_object_add(to, "evictions", o);

	o = json_object_new_object();
	for (phase = 0; uvm_phase_name(phase); phase++)
		json_add_u64(o, uvm_phase_name(phase), s->phase_ns[phase]);
	json_object_object_add(to, "phases_ns", o);
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
		json_object_array_add(list, o);
	}
	return list;
}
