// SPDX-License-Identifier: GPL-2.0
/* Counters by processor, as JSON and for people. */
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include "out/counters_json.h"
#include "out/stats_json.h"
#include "uvm_cmd.h"

/* Every counter that is reported, in order: JSON object, key, words, place. */
static const struct {
	const char *group;
	const char *key;
	const char *label;
	size_t member;
} counters_rows[] = {
#define M(name)	offsetof(struct uvm_counters, name)
	{ "faults", "all", "faults", M(faults) },
	{ "faults", "duplicate", "  duplicates", M(faults_duplicate) },
	{ "faults", "prefetch", "  prefetches", M(faults_prefetch) },
	{ "faults", "read", "  reads", M(faults_read) },
	{ "faults", "write", "  writes", M(faults_write) },
	{ "faults", "atomic", "  atomics", M(faults_atomic) },
	{ "fault_pages", "in", "pages that faults moved in", M(fault_pages_in) },
	{ "fault_pages", "out", "pages that faults moved out", M(fault_pages_out) },
	{ "replays", "start", "replays", M(replays_start) },
	{ "replays", "start_ack_all", "replays before a cancel", M(replays_start_ack_all) },
	{ "bytes", "populated", "bytes that came without a copy", M(bytes_populated) },
	{ "bytes", "resident", "bytes resident now", M(bytes_resident) },
#undef M
};

#define COUNTERS_ROWS	(sizeof(counters_rows) / sizeof(counters_rows[0]))

static uint64_t counters_at(const struct uvm_counters *c, size_t offset)
{
	uint64_t value;

	memcpy(&value, (const char *)c + offset, sizeof(value));
	return value;
}

static const char *counters_processor(int processor, char *text, size_t room)
{
	if (processor == UVM_PROCESSOR_CPU)
		snprintf(text, room, "cpu");
	else
		snprintf(text, room, "gpu%d", processor);
	return text;
}

static struct json_object *counters_group(struct json_object *to, const char *name)
{
	struct json_object *o;

	if (!json_object_object_get_ex(to, name, &o))
		o = json_add(to, name, json_object_new_object());
	return o;
}

/* By the processor that the bytes came from: 0 the CPU, 1 + N GPU N. */
static void counters_add_from(struct json_object *to, const char *name, int gpus,
			      const __u64 *bytes)
{
	struct json_object *o = counters_group(to, name);
	char text[16];
	int from;

	for (from = 0; from <= gpus && from < UVM_COUNTER_PROCESSORS; from++)
		json_add_u64(o, counters_processor(from - 1, text, sizeof(text)), bytes[from]);
}

struct json_object *counters_json(int processor, int gpus, const struct uvm_counters *counters)
{
	struct json_object *o = json_object_new_object();
	char text[16];
	size_t i;

	json_add_text(o, "processor", counters_processor(processor, text, sizeof(text)));
	for (i = 0; i < COUNTERS_ROWS; i++)
		json_add_u64(counters_group(o, counters_rows[i].group), counters_rows[i].key,
			     counters_at(counters, counters_rows[i].member));
	counters_add_from(o, "bytes_from", gpus, counters->bytes_from);
	counters_add_from(o, "prefetch_bytes_from", gpus, counters->prefetch_bytes_from);
	return o;
}

void counters_print(int processor, int gpus, const struct uvm_counters *counters)
{
	char name[16], bytes[32], prefetched[32];
	size_t i;
	int from;

	printf("%s\n", counters_processor(processor, name, sizeof(name)));
	for (i = 0; i < COUNTERS_ROWS; i++)
		printf("  %-28s%16llu\n", counters_rows[i].label,
		       (unsigned long long)counters_at(counters, counters_rows[i].member));
	for (from = 0; from <= gpus && from < UVM_COUNTER_PROCESSORS; from++)
		if (counters->bytes_from[from])
			printf("  migrated from %-14s%16s, of which prefetched %s\n",
			       counters_processor(from - 1, name, sizeof(name)),
			       format_bytes(counters->bytes_from[from], bytes, sizeof(bytes)),
			       format_bytes(counters->prefetch_bytes_from[from], prefetched,
					    sizeof(prefetched)));
}
