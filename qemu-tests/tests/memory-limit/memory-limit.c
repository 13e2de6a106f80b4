// SPDX-License-Identifier: GPL-2.0
/*
 * gpu_memory_limit_kb: managed memory has so much of a GPU, to the unit; the rest of the last
 * frame is for nobody.
 */
#include "common.h"

#define LIMIT	(9 * MB / 2)	/* two frames and a quarter of a third */

static uint64_t evicted(void)
{
	return stats_read(pair.uvm, false).evicted_pages;
}

/* Exactly so much stays: one unit more, and one is evicted. */
static void test_exact(void)
{
	static const struct {
		const char *granularity;
		unsigned int unit, usable;
	} cases[] = {
		{ "4k", PAGE, LIMIT + PAGE }, { "64k", 16 * PAGE, LIMIT }, { "2m", 2 * MB, 4 * MB },
	};
	char kb[16];

	snprintf(kb, sizeof(kb), "%lu", (LIMIT + PAGE) / 1024);
	for (unsigned int i = 0; i < ARRAY_SIZE(cases); i++) {
		unsigned int pages = cases[i].usable / PAGE;
		char *at = managed(pair.uvm, 8 * MB);

		must(!set_param(pair.uvm, "root_chunk_granularity", cases[i].granularity));
		is(set_param(pair.uvm, "gpu_memory_limit_kb", kb), 0, "%s: a limit",
		   cases[i].granularity);
		must(!set_param(pair.uvm, "prefetch_policy", "none"));
		stats_read(pair.uvm, true);
		must(!gpu_fill(&pair, at, pages, PAGE, 11));
		is(evicted(), 0, "%s: %u pages fit", cases[i].granularity, pages);
		must(!gpu_fill(&pair, at + pages * PAGE, 1, PAGE, 12));
		is(evicted(), cases[i].unit / PAGE, "%s: one more, and a unit is evicted",
		   cases[i].granularity);
		is(set_param(pair.uvm, "gpu_memory_limit_kb", "0"), -EBUSY,
		   "%s: memory in use keeps its limit", cases[i].granularity);
		is(gpu_wrong(&pair, at, pages, PAGE, 11, false) +
		   cpu_wrong(at, pages, PAGE, 11, false), 0, "%s: data right",
		   cases[i].granularity);
		munmap(at, 8 * MB);
		must(!quiesce(pair.uvm));
		is(set_param(pair.uvm, "gpu_memory_limit_kb", "0"), 0, "%s: without one again",
		   cases[i].granularity);
		at = managed(pair.uvm, 8 * MB);
		stats_read(pair.uvm, true);
		must(!gpu_fill(&pair, at, 8 * MB / PAGE, PAGE, 13));
		is(evicted(), 0, "%s: all of it fits", cases[i].granularity);
		munmap(at, 8 * MB);
		must(!quiesce(pair.uvm));
	}
}

/* A block gets all that it needs at once: 2 MB is the least. */
static void test_least(void)
{
	char *at = managed(pair.uvm, 4 * MB);

	must(!set_param(pair.uvm, "root_chunk_granularity", "4k"));
	is(set_param(pair.uvm, "gpu_memory_limit_kb", "1"), 0, "a limit of 1 KB");
	stats_read(pair.uvm, true);
	must(!gpu_fill(&pair, at, BLOCK / PAGE, PAGE, 21));
	is(evicted(), 0, "2 MB fit");
	must(!gpu_fill(&pair, at + BLOCK, BLOCK / PAGE, PAGE, 22));
	is(evicted(), BLOCK / PAGE, "and no more");
	is(gpu_wrong(&pair, at, BLOCK / PAGE, PAGE, 21, false) +
	   cpu_wrong(at + BLOCK, BLOCK / PAGE, PAGE, 22, false), 0, "data right");
	munmap(at, 4 * MB);
	must(!quiesce(pair.uvm));
	must(!set_param(pair.uvm, "gpu_memory_limit_kb", "0"));
}

/*
 * Others want frames: they get whole ones, never the one that is cut, and what they leave is used
 * before memory is withheld.
 */
static void test_frames(void)
{
	int gpu = open("/dev/softgpu0", O_RDWR);
	char *at = managed(pair.uvm, 8 * MB);
	unsigned int pages = LIMIT / PAGE;

	must(gpu >= 0);
	must(!set_param(pair.uvm, "root_chunk_granularity", "64k"));
	must(!set_param(pair.uvm, "gpu_memory_limit_kb", "4608"));
	must(!set_param(pair.uvm, "prefetch_policy", "none"));
	must(!gpu_fill(&pair, at, pages, PAGE, 31));
	stats_read(pair.uvm, true);
	is(vram_limit(gpu, 4 * MB), 0, "two frames for others");
	is(gpu_wrong(&pair, at, pages, PAGE, 31, false), 0, "data right on the GPU");
	ok(evicted() >= pages - 4 * MB / PAGE, "what did not fit was evicted");
	munmap(at + 4 * MB, 4 * MB);
	must(!gpu_fill(&pair, at, 4 * MB / PAGE, PAGE, 32));
	stats_read(pair.uvm, true);
	must(!gpu_fill(&pair, at, 4 * MB / PAGE, PAGE, 32));
	is(evicted(), 0, "all of what is left is used");
	close(gpu);
	munmap(at, 4 * MB);
	must(!quiesce(pair.uvm));
	at = managed(pair.uvm, 8 * MB);
	stats_read(pair.uvm, true);
	must(!gpu_fill(&pair, at, pages, PAGE, 33));
	is(evicted(), 0, "the frames are back: as much as before fits");
	must(!gpu_fill(&pair, at + pages * PAGE, 1, PAGE, 34));
	is(evicted(), 16, "and no more");
	munmap(at, 8 * MB);
	must(!quiesce(pair.uvm));
	must(!set_param(pair.uvm, "gpu_memory_limit_kb", "0"));
}

/* Nobody inherits a limit; who comes later has that of those who are there. */
static void test_others(void)
{
	struct pair other;
	char *at;

	must(!set_param(pair.uvm, "root_chunk_granularity", "64k"));
	must(!set_param(pair.uvm, "gpu_memory_limit_kb", "3072"));
	other = pair_open();
	must(!set_param(other.uvm, "prefetch_policy", "none"));
	at = managed(other.uvm, 4 * MB);
	stats_read(other.uvm, true);
	must(!gpu_fill(&other, at, 3 * MB / PAGE + 1, PAGE, 41));
	is(stats_read(other.uvm, false).evicted_pages, 16, "another VA space shares the limit");
	munmap(at, 4 * MB);
	pair_close(&other);
	pair_close(&pair);
	pair = pair_open();
	must(!set_param(pair.uvm, "root_chunk_granularity", "64k"));
	at = managed(pair.uvm, 8 * MB);
	stats_read(pair.uvm, true);
	must(!gpu_fill(&pair, at, 8 * MB / PAGE, PAGE, 42));
	is(evicted(), 0, "the next one has no limit");
	munmap(at, 8 * MB);
}

static const struct test_case cases[] = {
	{ "exact", test_exact }, { "least", test_least }, { "frames", test_frames },
	{ "others", test_others },
};

int main(int argc, char **argv)
{
	return run_cases(argc, argv, "memory-limit", cases, ARRAY_SIZE(cases));
}
