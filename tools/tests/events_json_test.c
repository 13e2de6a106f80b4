// SPDX-License-Identifier: GPL-2.0
/* Events as JSON: fields where they apply, in a fixed order. */
#include <string.h>

#include "../lib/addresses.h"
#include "../uvm/out/events_json.h"
#include "test.h"

#define BASE	UVM_ADDRESSES_START

static bool resolve(void *arg, uint64_t address, char *name, size_t room, uint64_t *offset)
{
	(void)arg;
	if (address < BASE || address >= BASE + (4 << 20))
		return false;
	snprintf(name, room, "a");
	*offset = address - BASE;
	return true;
}

static const struct {
	struct uvm_event event;
	const char *want;
} rows[] = {
	{ { .type = UVM_EVENT_GPU_FAULT, .gpu = 0, .time_ns = 100, .address = BASE + 8192,
	    .bytes = 4096, .batch = 3, .fault_type = UVM_FAULT_INVALID_PDE,
	    .access = UVM_ACCESS_READ, .gpc = 1, .client = 2, .utlb = 4, .count = 1 },
	  "{\"event\":\"gpu_fault\",\"gpu\":0,\"name\":\"a\",\"offset\":8192,\"bytes\":4096,"
	  "\"type\":\"invalid_pde\",\"access\":\"read\",\"batch\":3,\"time_ns\":100,\"gpc\":1,"
	  "\"client\":2,\"utlb\":4,\"duplicate\":true}" },
	{ { .type = UVM_EVENT_CPU_FAULT, .gpu = -1, .time_ns = 5,
	    .address = BASE, .bytes = 4096, .access = UVM_ACCESS_WRITE },
	  "{\"event\":\"cpu_fault\",\"name\":\"a\",\"offset\":0,\"bytes\":4096,"
	  "\"access\":\"write\",\"time_ns\":5}" },
	{ { .type = UVM_EVENT_MIGRATION, .gpu = 1, .time_ns = 5, .duration_ns = 9,
	    .address = BASE + 65536, .bytes = 65536, .batch = 2, .src = -1, .dst = 1,
	    .cause = UVM_CAUSE_PREFETCH },
	  "{\"event\":\"migration\",\"gpu\":1,\"name\":\"a\",\"offset\":65536,\"bytes\":65536,"
	  "\"src\":\"cpu\",\"dst\":\"gpu1\",\"cause\":\"prefetch\",\"batch\":2,\"time_ns\":5,"
	  "\"duration_ns\":9}" },
	{ { .type = UVM_EVENT_EVICTION, .gpu = 0, .time_ns = 5, .duration_ns = 9,
	    .address = BASE, .bytes = 2 << 20, .src = 0, .dst = -1, .cause = UVM_CAUSE_EVICTION },
	  "{\"event\":\"eviction\",\"gpu\":0,\"name\":\"a\",\"offset\":0,\"bytes\":2097152,"
	  "\"src\":\"gpu0\",\"dst\":\"cpu\",\"cause\":\"eviction\",\"time_ns\":5,"
	  "\"duration_ns\":9}" },
	{ { .type = UVM_EVENT_REPLAY, .gpu = 0, .time_ns = 6, .batch = 1 },
	  "{\"event\":\"replay\",\"gpu\":0,\"batch\":1,\"time_ns\":6}" },
	{ { .type = UVM_EVENT_BATCH, .gpu = 0, .time_ns = 6, .duration_ns = 10, .batch = 1,
	    .count = 64, .bytes = 131072, .value = 8 },
	  "{\"event\":\"batch\",\"gpu\":0,\"batch\":1,\"faults\":64,\"bytes\":131072,"
	  "\"handling_ns\":8,\"time_ns\":6,\"duration_ns\":10}" },
	/* The fault-origin extension: two fields of which 0 is a value. */
	{ { .type = UVM_EVENT_GPU_FAULT, .gpu = 0, .time_ns = 100, .address = BASE,
	    .fault_type = UVM_FAULT_INVALID_PTE, .access = UVM_ACCESS_WRITE,
	    .flags = UVM_EVENT_ORIGIN, .sm = 27, .warp = 0, .block = 5000000000ULL,
	    .pc = 0x4000000000001234ULL },
	  "{\"event\":\"gpu_fault\",\"gpu\":0,\"name\":\"a\",\"offset\":0,"
	  "\"type\":\"invalid_pte\",\"access\":\"write\",\"time_ns\":100,\"gpc\":0,"
	  "\"client\":0,\"utlb\":0,\"duplicate\":false,\"sm\":27,\"block\":5000000000,"
	  "\"warp\":0,\"pc\":4611686018427392564}" },
	{ { .type = UVM_EVENT_THROTTLING_START, .gpu = -1, .time_ns = 6, .address = BASE + 4096,
	    .bytes = 4096, .src = -1, .dst = -2 },
	  "{\"event\":\"throttling_start\",\"name\":\"a\",\"offset\":4096,\"bytes\":4096,"
	  "\"src\":\"cpu\",\"time_ns\":6}" },
	{ { .type = UVM_EVENT_ACCESS_COUNTER, .gpu = 0, .time_ns = 6, .address = BASE + 4096,
	    .bytes = 2 << 20, .src = 0, .dst = -1, .count = 256, .value = 0x80000001 },
	  "{\"event\":\"access_counter\",\"gpu\":0,\"name\":\"a\",\"offset\":4096,"
	  "\"bytes\":2097152,\"src\":\"gpu0\",\"dst\":\"cpu\",\"accesses\":256,"
	  "\"sub_granularity\":2147483649,\"time_ns\":6}" },
	{ { .type = UVM_EVENT_WALK_HIT, .gpu = 0, .time_ns = 6, .address = BASE + 4096,
	    .bytes = 4096, .count = 1, .value = 32 },
	  "{\"event\":\"walk_hit\",\"gpu\":0,\"name\":\"a\",\"offset\":4096,"
	  "\"bytes\":4096,\"hits\":1,\"requests\":32,\"time_ns\":6}" },
	{ { .type = UVM_EVENT_PATTERN, .gpu = 0, .time_ns = 6, .address = BASE,
	    .bytes = 8192, .src = -2, .dst = -2, .value = UVM_PATTERN_RANDOM_REUSE },
	  "{\"event\":\"pattern\",\"gpu\":0,\"name\":\"a\",\"offset\":0,"
	  "\"bytes\":8192,\"pattern\":\"random_reuse\",\"time_ns\":6}" },
	{ { .type = UVM_EVENT_PATTERN, .gpu = 0, .time_ns = 6, .address = BASE,
	    .bytes = 8192, .src = -2, .dst = -2, .value = UVM_PATTERN_COUNT },
	  "{\"event\":\"pattern\",\"gpu\":0,\"name\":\"a\",\"offset\":0,"
	  "\"bytes\":8192,\"pattern\":\"unknown\",\"time_ns\":6}" },
	{ { .type = UVM_EVENT_MIGRATION, .gpu = 0, .time_ns = 5, .duration_ns = 9,
	    .address = BASE, .bytes = 4096, .src = -1, .dst = 0,
	    .cause = UVM_CAUSE_ACCESS_COUNTER },
	  "{\"event\":\"migration\",\"gpu\":0,\"name\":\"a\",\"offset\":0,\"bytes\":4096,"
	  "\"src\":\"cpu\",\"dst\":\"gpu0\",\"cause\":\"access_counter\",\"time_ns\":5,"
	  "\"duration_ns\":9}" },
	/* An address outside every allocation is given as it is. */
	{ { .type = UVM_EVENT_FATAL_FAULT, .gpu = 0, .time_ns = 6, .address = 4096,
	    .fault_type = UVM_FAULT_INVALID_PDE, .access = UVM_ACCESS_ATOMIC },
	  "{\"event\":\"fatal_fault\",\"gpu\":0,\"address\":4096,\"type\":\"invalid_pde\","
	  "\"access\":\"atomic\",\"time_ns\":6}" },
	/* A newer driver's event must not break the tool. */
	{ { .type = 77, .gpu = 0, .time_ns = 6, .address = BASE },
	  "{\"event\":\"unknown\",\"gpu\":0,\"name\":\"a\",\"offset\":0,\"time_ns\":6}" },
};

int main(void)
{
	size_t i;

	for (i = 0; i < ROWS(rows); i++) {
		struct json_object *o = event_to_json(&rows[i].event, resolve, NULL);
		const char *got = json_object_to_json_string_ext(o, JSON_C_TO_STRING_PLAIN);

		CHECK(!strcmp(got, rows[i].want), "row %zu: %s", i, got);
		json_object_put(o);
	}
	return test_end("events");
}
