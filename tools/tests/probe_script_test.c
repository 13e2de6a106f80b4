// SPDX-License-Identifier: GPL-2.0
/* Probe scripts: what is accepted with which values, and what is refused where. */
#include <linux/uvm.h>
#include <stdlib.h>
#include <string.h>

#include "../uvm/probe_script.h"
#include "test.h"

static bool read_text(const char *text, struct probe_script *script, char *error, size_t room)
{
	FILE *file = fmemopen((void *)text, strlen(text), "r");
	bool good;

	error[0] = '\0';
	good = probe_script_read(script, file, error, room);
	fclose(file);
	return good;
}

/* The commands of a probe script, one row per form; the last command of the script is compared. */
static const struct {
	const char *script;
	struct probe_command want;
	int gpus;
} good[] = {
	{ "alloc a 3M", { .op = PROBE_ALLOC, .line = 1, .name = "a", .length = 3 << 20 }, 1 },
	{ "alloc a 1\nfree a", { .op = PROBE_FREE, .line = 2, .name = "a" }, 1 },
	{ "alloc a 1\nfree a\nalloc a 2", { .op = PROBE_ALLOC, .line = 3, .name = "a", .slot = 1,
		.length = 2 }, 1 },
	{ "alloc a 8K\n\n# note\n  cpu  read\ta 4K # tail\r", { .op = PROBE_CPU, .line = 4,
		.name = "a", .offset = 4096, .length = 1, .stride = 4096 }, 1 },
	{ "alloc a 2M\ncpu write a 0 2M", { .op = PROBE_CPU, .line = 2, .name = "a", .write = true,
		.length = 2 << 20, .stride = 4096 }, 1 },
	{ "alloc a 2M\ncpu write a 64K 1M 64K", { .op = PROBE_CPU, .line = 2, .name = "a",
		.write = true, .offset = 65536, .length = 1 << 20, .stride = 65536 }, 1 },
	/* A size is rounded up to pages: the rest of the last page can be touched. */
	{ "alloc a 1\ncpu read a 4095", { .op = PROBE_CPU, .line = 2, .name = "a", .offset = 4095,
		.length = 1, .stride = 4096 }, 1 },
	{ "alloc a 1M\ngpu read a 0", { .op = PROBE_GPU, .line = 2, .name = "a",
		.offset_count = 1 }, 1 },
	{ "alloc a 1M\ngpu2 write a 1 2 3", { .op = PROBE_GPU, .line = 2, .name = "a", .gpu = 2,
		.write = true, .offset_count = 3 }, 3 },
	/* GPU offsets may lie outside: that probes a wild access. */
	{ "alloc a 4K\ngpu read a 1G", { .op = PROBE_GPU, .line = 2, .name = "a",
		.offset_count = 1 }, 1 },
	{ "alloc a 1M\nwarp write a 0 4K 8K", { .op = PROBE_WARP, .line = 2, .name = "a",
		.write = true, .offset_count = 3 }, 1 },
	{ "alloc a 1M\nprefetch a 0 1M gpu1", { .op = PROBE_PREFETCH, .line = 2, .name = "a",
		.length = 1 << 20, .processor = 1 }, 2 },
	{ "alloc a 1M\nevict a 4K 8K gpu1", { .op = PROBE_EVICT, .line = 2, .name = "a",
		.offset = 4096, .length = 8192, .processor = 1 }, 2 },
	{ "alloc a 5K\nresidency a", { .op = PROBE_RESIDENCY, .line = 2, .name = "a",
		.length = 8192 }, 1 },
	{ "alloc a 1M\nresidency a 4K 8K", { .op = PROBE_RESIDENCY, .line = 2, .name = "a",
		.offset = 4096, .length = 8192 }, 1 },
	{ "alloc a 1M\nprefetch a 4K 8K cpu", { .op = PROBE_PREFETCH, .line = 2, .name = "a",
		.offset = 4096, .length = 8192, .processor = -1 }, 1 },
	{ "alloc a 1M\nadvise a 0 1M preferred=gpu0", { .op = PROBE_ADVISE, .line = 2, .name = "a",
		.length = 1 << 20, .advice = UVM_ADVICE_PREFERRED_LOCATION }, 1 },
	{ "alloc a 1M\nadvise a 0 1M preferred=none", { .op = PROBE_ADVISE, .line = 2, .name = "a",
		.length = 1 << 20, .advice = UVM_ADVICE_PREFERRED_LOCATION, .processor = -2 }, 1 },
	{ "alloc a 1M\nadvise a 0 1M accessed-by=cpu", { .op = PROBE_ADVISE, .line = 2,
		.name = "a", .length = 1 << 20, .advice = UVM_ADVICE_ACCESSED_BY,
		.processor = -1 }, 1 },
	{ "alloc a 1M\nadvise a 0 1M accessed-by=none", { .op = PROBE_ADVISE, .line = 2,
		.name = "a", .length = 1 << 20, .advice = UVM_ADVICE_ACCESSED_BY,
		.processor = -2, .off = true }, 1 },
	{ "alloc a 1M\nadvise a 0 1M read-duplicate=on", { .op = PROBE_ADVISE, .line = 2,
		.name = "a", .length = 1 << 20, .advice = UVM_ADVICE_READ_DUPLICATE,
		.processor = -2 }, 1 },
	{ "alloc a 1M\nadvise a 0 1M read-duplicate=off", { .op = PROBE_ADVISE, .line = 2,
		.name = "a", .length = 1 << 20, .advice = UVM_ADVICE_READ_DUPLICATE,
		.processor = -2, .off = true }, 1 },
	{ "alloc a 1M\ndiscard a 0 4K", { .op = PROBE_DISCARD, .line = 2, .name = "a",
		.length = 4096 }, 1 },
	{ "alloc a 1M\ndiscard a 4K 4K unmap", { .op = PROBE_DISCARD, .line = 2, .name = "a",
		.offset = 4096, .length = 4096, .off = true }, 1 },
	{ "alloc a 1M\npopulate a 0 1M gpu1", { .op = PROBE_POPULATE, .line = 2, .name = "a",
		.length = 1 << 20, .processor = 1 }, 2 },
	{ "alloc a 1M\ngroup a 0 4K 3", { .op = PROBE_GROUP, .line = 2, .name = "a",
		.length = 4096, .group = 3 }, 1 },
	{ "alloc a 1M\ngroup a 0 4K none", { .op = PROBE_GROUP, .line = 2, .name = "a",
		.length = 4096 }, 1 },
	{ "migration 2 prevent", { .op = PROBE_MIGRATION, .line = 1, .group = 2,
		.off = true }, 1 },
	{ "migration 2 allow", { .op = PROBE_MIGRATION, .line = 1, .group = 2 }, 1 },
	{ "counters gpu0 on", { .op = PROBE_COUNTERS, .line = 1, .write = true }, 1 },
	{ "counters gpu1 on 64K 16", { .op = PROBE_COUNTERS, .line = 1, .write = true,
		.processor = 1, .length = 65536, .stride = 16 }, 2 },
	{ "counters gpu0 off", { .op = PROBE_COUNTERS, .line = 1 }, 1 },
	{ "counters gpu0 clear", { .op = PROBE_COUNTERS_CLEAR, .line = 1 }, 1 },
	{ "peer gpu0 gpu2 on", { .op = PROBE_PEER, .line = 1, .processor = 2 }, 3 },
	{ "peer gpu1 gpu0 off", { .op = PROBE_PEER, .line = 1, .gpu = 1, .off = true }, 2 },
	{ "set perf_prefetch_threshold 51", { .op = PROBE_SET, .line = 1,
		.param = "perf_prefetch_threshold", .value = "51" }, 1 },
};

static const struct {
	const char *script;
	const char *error;	/* begins with */
} bad[] = {
	{ "touch a 0", "line 1: no such command 'touch'" },
	{ "alloc a", "line 1: usage: alloc" },
	{ "alloc a 0", "line 1: an allocation cannot be empty" },
	{ "alloc a 1X", "line 1: bad size '1X'" },
	{ "alloc 1a 4K", "line 1: bad name '1a'" },
	{ "alloc a 4K\nalloc a 4K", "line 2: 'a' is already allocated" },
	{ "alloc a 4K\nfree b", "line 2: no allocation 'b'" },
	{ "alloc a 4K\nfree a\ncpu read a 0", "line 3: no allocation 'a'" },
	{ "alloc a 4K\nevict a 0 4K cpu", "line 2: the CPU evicts nothing" },
	{ "alloc a 4K\nevict a 0 4K", "line 2: usage: evict" },
	{ "alloc a 4K\nresidency a 0", "line 2: usage: residency" },
	{ "alloc a 4K\nresidency a 0 8K", "line 2: 'a' ends at 4096" },
	{ "alloc a 4K\nresidency b", "line 2: no allocation 'b'" },
	{ "alloc a 4K\ncpu touch a 0", "line 2: 'touch' is neither read nor write" },
	{ "alloc a 4K\ncpu read a 4K", "line 2: 'a' ends at 4096" },
	{ "alloc a 4K\ncpu read a 0 4097", "line 2: 'a' ends at 4096" },
	{ "alloc a 4K\ncpu read a 0 0", "line 2: length and stride cannot be 0" },
	{ "alloc a 4K\ncpu read a 0 1 0", "line 2: length and stride cannot be 0" },
	{ "alloc a 4K\n\ngpu read a", "line 3: usage: gpu" },
	{ "alloc a 4K\ngpu read a -1", "line 2: bad offset '-1'" },
	{ "alloc a 4K\ngpux read a 0", "line 2: no such command 'gpux'" },
	{ "alloc a 4K\ngpu32 read a 0", "line 2: no such command 'gpu32'" },
	{ "alloc a 4K\nwarp read a 0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 "
	  "24 25 26 27 28 29 30 31 32", "line 2: at most 32 offsets" },
	{ "alloc a 4K\nprefetch a 0 4K none", "line 2: bad processor 'none'" },
	{ "alloc a 4K\nprefetch a 0 8K cpu", "line 2: 'a' ends at 4096" },
	{ "alloc a 4K\nprefetch a 0 0 cpu", "line 2: 'a' ends at 4096" },
	{ "alloc a 4K\nadvise a 0 4K preferred", "line 2: usage: advise" },
	{ "alloc a 4K\nadvise a 0 4K colour=red", "line 2: usage: advise" },
	{ "alloc a 4K\nadvise a 0 4K read-duplicate=maybe", "line 2: usage: advise" },
	{ "alloc a 4K\ndiscard a 0 4K now", "line 2: usage: discard" },
	{ "peer gpu0 on", "line 1: usage: peer" },
	{ "peer gpu0 gpu1 maybe", "line 1: usage: peer" },
	{ "peer gpu0 cpu on", "line 1: the CPU is nobody's peer" },
	{ "peer gpu0 gpux on", "line 1: bad processor 'gpux'" },
	{ "alloc a 4K\ngroup a 0 4K 0", "line 2: bad group '0'" },
	{ "alloc a 4K\ngroup a 0 4K 17", "line 2: bad group '17'" },
	{ "migration 1 perhaps", "line 1: usage: migration" },
	{ "migration none allow", "line 1: bad group 'none'" },
	{ "set x", "line 1: usage: set" },
	{ "counters gpu0", "line 1: usage: counters" },
	{ "counters gpu0 often", "line 1: usage: counters" },
	{ "counters gpu0 off 64K", "line 1: usage: counters" },
	{ "counters gpu0 on 64X", "line 1: bad granularity '64X'" },
	{ "counters cpu on", "line 1: the CPU has no access counters" },
};

static void compare(const struct probe_command *got, const struct probe_command *want, size_t row)
{
	CHECK(got->op == want->op, "row %zu", row);
	CHECK(got->line == want->line, "row %zu: %u", row, got->line);
	CHECK(!strcmp(got->name, want->name), "row %zu: %s", row, got->name);
	CHECK(got->slot == want->slot, "row %zu: %u", row, got->slot);
	CHECK(got->write == want->write, "row %zu", row);
	CHECK(got->gpu == want->gpu, "row %zu: %d", row, got->gpu);
	CHECK(got->offset == want->offset, "row %zu", row);
	CHECK(got->length == want->length, "row %zu", row);
	CHECK(got->stride == want->stride, "row %zu", row);
	CHECK(got->offset_count == want->offset_count, "row %zu", row);
	CHECK(got->advice == want->advice, "row %zu", row);
	CHECK(got->processor == want->processor, "row %zu", row);
	CHECK(!strcmp(got->param, want->param), "row %zu", row);
	CHECK(!strcmp(got->value, want->value), "row %zu", row);
}

int main(void)
{
	struct probe_script script;
	char error[256];
	size_t i;

	for (i = 0; i < ROWS(good); i++) {
		CHECK(read_text(good[i].script, &script, error, sizeof(error)), "row %zu: %s", i,
		      error);
		CHECK(script.gpus == good[i].gpus, "row %zu: %d", i, script.gpus);
		if (script.count)
			compare(&script.commands[script.count - 1], &good[i].want, i);
		probe_script_free(&script);
	}
	for (i = 0; i < ROWS(bad); i++) {
		CHECK(!read_text(bad[i].script, &script, error, sizeof(error)), "row %zu", i);
		CHECK(!strncmp(error, bad[i].error, strlen(bad[i].error)), "row %zu: %s", i, error);
		probe_script_free(&script);
	}

	/* Offsets keep their order; text is the line with single blanks. */
	CHECK(read_text("alloc a 1M\n gpu   read a 8K 4K  0", &script, error, sizeof(error)), "%s",
	      error);
	CHECK(script.commands[1].offsets[0] == 8192 && script.commands[1].offsets[1] == 4096 &&
	      script.commands[1].offsets[2] == 0, "order");
	CHECK(!strcmp(script.commands[1].text, "gpu read a 8K 4K 0"), "%s",
	      script.commands[1].text);
	probe_script_free(&script);
	return test_end("probe script");
}
