// SPDX-License-Identifier: GPL-2.0
/*
 * Faults: data that goes back and forth, fatal faults and whom they hit, the
 * prefetcher against a model of its own, and hardware that misbehaves.
 *
 *   faults			data, fatal faults, prefetch
 *   faults overflow		the fault ring is tiny: nothing may go wrong
 *   faults stale-tlb		the device ignores invalidates: must be noticed
 *   faults lost-replay		the device loses a replay: reported as a hang
 */
#include <inttypes.h>
#include "common.h"
#include "prefetch_model.h"

#define PAGES	(BLOCK / PAGE)

static struct pair pair;

/* ---- data ------------------------------------------------------------- */

static long gpu_add(const struct pair *p, void *at, uint64_t count, uint64_t value)
{
	struct test_args args = { .address = (uintptr_t)at, .count = count, .stride = PAGE,
				  .value = value };

	return run_shape(p, "t_add", 4, 64, &args, NULL);
}

static void test_ping_pong(void)
{
	static const size_t sizes[] = { PAGE, 64 * KB, 300 * KB, 2 * MB + 68 * KB, 5 * MB };

	for (unsigned int i = 0; i < ARRAY_SIZE(sizes); i++) {
		uint64_t pages = sizes[i] / PAGE, failed = 0, wrong = 0;
		char *at = managed(pair.uvm, sizes[i]);

		cpu_fill(at, pages, PAGE, 0);
		for (uint64_t round = 1; round <= 6; round++) {
			failed += gpu_add(&pair, at, pages, 1) != 0;
			for (uint64_t page = round; page < pages; page += round)
				*(volatile uint64_t *)(at + page * PAGE) += 1;
			for (uint64_t page = round; page < pages; page += round)
				*(volatile uint64_t *)(at + page * PAGE) -= 1;
			wrong += cpu_wrong(at, pages, PAGE, round, false);
		}
		is(failed, 0, "ping-pong of %zu KB: all launches end well", sizes[i] / KB);
		is(wrong, 0, "ping-pong of %zu KB: the data is right", sizes[i] / KB);
		munmap(at, sizes[i]);
	}
}

/* Every byte of a page moves, not only its first word. */
static void test_whole_pages(void)
{
	const uint64_t words = MB / 8;
	char *at = managed(pair.uvm, MB);

	cpu_fill(at, words, 8, 17);
	is(gpu_wrong(&pair, at, words, 8, 17, false), 0, "whole pages: CPU to GPU");
	must(!gpu_fill(&pair, at, words, 8, 1000000));
	is(cpu_wrong(at, words, 8, 1000000, false), 0, "whole pages: GPU to CPU");
	for (uint64_t page = 0; page < MB / PAGE; page += 2)
		*(volatile uint64_t *)(at + page * PAGE + 2048) = 5;
	is(gpu_wrong(&pair, at, 1, 8, 1000000, false), 0, "whole pages: half of them go back");
	must(!gpu_add(&pair, at, MB / PAGE, 0));
	long wrong = 0;
	for (uint64_t i = 0; i < words; i++) {
		bool touched = i % 1024 == 256;

		wrong += ((volatile uint64_t *)at)[i] != (touched ? 5 : 1000000 + i);
	}
	is(wrong, 0, "whole pages: nothing is lost between");
	munmap(at, MB);
}

static void test_migrate(void)
{
	const uint64_t pages = 3 * PAGES + 17;
	char *at = managed(pair.uvm, pages * PAGE);
	struct uvm_stats before, after;

	cpu_fill(at, pages, PAGE, 9);
	is(migrate(pair.uvm, at, pages * PAGE, 0), 0, "migrate to the GPU");
	before = stats_read(pair.uvm, false);
	is(gpu_wrong(&pair, at, pages, PAGE, 9, false), 0, "migrate: the GPU reads the data");
	after = stats_read(pair.uvm, false);
	ok(after.faults_serviced - before.faults_serviced <= 1,
	   "migrate: and faults on nothing but the result (%ld)",
	   (long)(after.faults_serviced - before.faults_serviced));
	must(!gpu_add(&pair, at, pages, 1));
	is(migrate(pair.uvm, at + PAGE, (pages - 2) * PAGE, UVM_PROCESSOR_CPU), 0,
	   "migrate all but the ends to the CPU");
	is(cpu_wrong(at, pages, PAGE, 10, false), 0, "migrate: the CPU reads the data");
	munmap(at, pages * PAGE);
}

/* ---- fatal faults ----------------------------------------------------- */

static void test_fatal(void)
{
	static const struct {
		const char *entry;
		unsigned int access;
	} rows[] = { { "t_load", 0 }, { "t_store", 1 }, { "t_atomic", 2 } };
	char *at = managed(pair.uvm, 4 * MB), *other_at;
	struct pair other = pair_open();
	struct uvm_stats stats;
	struct softgpu_wait w;
	uint64_t id;

	other_at = managed(other.uvm, 4 * MB);
	for (unsigned int i = 0; i < ARRAY_SIZE(rows); i++) {
		struct test_args args = { .address = (uintptr_t)other_at, .count = 1024,
					  .stride = PAGE, .value = 100 + i };
		uint64_t hole = (uintptr_t)at + 4 * MB + i * 24;

		/* the other VA space's launch runs at the same time */
		must(!launch_shape(&other, "t_fill", 4, 64, 0, &args, &id));
		stats_read(pair.uvm, true);
		is(run_one(&pair, rows[i].entry, (struct test_args){ .address = hole }, &w),
		   SOFTGPU_FAIL_FAULT, "fatal %s", rows[i].entry);
		ok(w.address == hole && w.access == rows[i].access,
		   "fatal %s: address and access are told", rows[i].entry);
		is(w.error, EFAULT, "fatal %s: EFAULT", rows[i].entry);
		must(!launch_wait(other.gpu, id, 0, &w));
		is(w.state, SOFTGPU_LAUNCH_DONE, "fatal %s: another VA space's launch ends well",
		   rows[i].entry);
		is(cpu_wrong(other_at, 1024, PAGE, 100 + i, false), 0,
		   "fatal %s: and its data is right", rows[i].entry);
		stats = stats_read(pair.uvm, false);
		ok(stats.faults_fatal >= 1, "fatal %s: it is counted", rows[i].entry);
		stats = stats_read(other.uvm, false);
		is(stats.faults_fatal, 0, "fatal %s: not for the other", rows[i].entry);
	}
	is(gpu_fill(&pair, at, 1024, PAGE, 3), 0, "fatal: the context goes on");
	is(cpu_wrong(at, 1024, PAGE, 3, false), 0, "fatal: with the right data");
	pair_close(&other);
	munmap(other_at, 4 * MB);
	munmap(at, 4 * MB);
}

/* Launches before and after the bad one in the same context are right. */
static void test_fatal_between(void)
{
	char *at = managed(pair.uvm, 4 * MB);
	struct test_args good = { .address = (uintptr_t)at, .count = 1024, .stride = PAGE,
				  .value = 1 };
	struct test_args bad = { .address = (uintptr_t)at + 4 * MB };
	uint64_t id[3];
	struct softgpu_wait w;

	must(!launch_shape(&pair, "t_fill", 4, 64, 0, &good, &id[0]));
	must(!launch_shape(&pair, "t_store", 4, 64, 0, &bad, &id[1]));
	good.value = 5;
	must(!launch_shape(&pair, "t_add", 4, 64, 0, &good, &id[2]));
	for (int i = 0; i < 3; i++) {
		must(!launch_wait(pair.gpu, id[i], 0, &w));
		is(w.reason, i == 1 ? SOFTGPU_FAIL_FAULT : SOFTGPU_FAIL_NONE,
		   "fatal between: launch %d", i);
	}
	is(cpu_wrong(at, 1024, PAGE, 6, false), 0, "fatal between: the data is right");
	munmap(at, 4 * MB);
}

/* ---- events ----------------------------------------------------------- */

static int listen_to(int uvm, uint64_t mask)
{
	int fd = open("/dev/uvm-tools", O_RDWR | O_NONBLOCK | O_CLOEXEC);
	struct uvm_tools_attach arg = { .size = sizeof(arg), .uvm_fd = uvm, .entries = 1 << 14,
					.event_mask = mask };

	must(fd >= 0);
	must(!try_ioctl(fd, UVM_TOOLS_IOC_ATTACH, &arg));
	return fd;
}

struct run {
	uint64_t first, pages;		/* from the start of the allocation */
	bool prefetch;
};

static unsigned int read_runs(int fd, const char *base, struct run *runs, unsigned int max)
{
	struct uvm_event ev[64];
	unsigned int n = 0;
	ssize_t got;

	while ((got = read(fd, ev, sizeof(ev))) > 0) {
		for (unsigned int i = 0; i < got / sizeof(ev[0]) && n < max; i++)
			runs[n++] = (struct run){
				.first = (ev[i].address - (uintptr_t)base) / PAGE,
				.pages = ev[i].bytes / PAGE,
				.prefetch = ev[i].cause == UVM_CAUSE_PREFETCH,
			};
	}
	return n;
}

/* ---- prefetch --------------------------------------------------------- */

struct shape {
	const char *name;
	uint64_t start;			/* page within the first 2 MB */
	uint64_t pages;
};

static const struct shape shapes[] = {
	{ "2M", 0, 512 }, { "2M+68K", 0, 512 + 17 }, { "300K", 0, 75 }, { "132K", 0, 33 },
	{ "60K", 0, 15 }, { "4K", 0, 1 }, { "4M", 0, 1024 },
	{ "1M at 20K", 5, 256 }, { "2M at 1M+4K", 257, 512 }, { "40K at 60K", 15, 10 },
};

enum order { FORWARD, BACKWARD, EVENS, BLOCKS_64K, SHUFFLED, ORDERS };

static const char * const order_names[] = {
	"forward", "backward", "every other page first", "64K blocks backward", "shuffled",
};

/* Fills @list with the pages in some order. */
static void make_order(enum order order, uint64_t n, uint32_t *list)
{
	uint64_t i, at = 0, seed = 12345;

	for (i = 0; i < n; i++)
		list[i] = order == BACKWARD ? n - 1 - i : i;
	if (order == EVENS) {
		for (i = 0; i < n; i += 2)
			list[at++] = i;
		for (i = 1; i < n; i += 2)
			list[at++] = i;
	}
	if (order == BLOCKS_64K)
		for (i = (n + 15) / 16; i--;)
			for (uint64_t j = i * 16; j < n && j < i * 16 + 16; j++)
				list[at++] = j;
	for (i = n; order == SHUFFLED && i > 1; i--) {
		seed = seed * 6364136223846793005 + 1442695040888963407;
		uint64_t j = (seed >> 33) % i;
		uint32_t keep = list[i - 1];

		list[i - 1] = list[j];
		list[j] = keep;
	}
}

/*
 * What the model says that touching @list moves, run by run.  @there_after_touch:
 * pages are mapped when they come, so only what is not there faults.
 */
static unsigned int model_runs(const struct shape *s, int threshold, const uint32_t *list,
			       struct run *runs, unsigned int *faults)
{
	struct model blocks[4];
	bool moves[MODEL_PAGES];
	unsigned int n = 0;

	*faults = 0;
	for (int b = 0; b < 4; b++) {
		int64_t first = (int64_t)s->start - b * 512, outer = first + s->pages;

		blocks[b] = (struct model){ .first = first < 0 ? 0 : first,
					    .outer = outer > 512 ? 512 : outer,
					    .threshold = threshold };
	}
	for (uint64_t i = 0; i < s->pages; i++) {
		uint64_t page = s->start + list[i], asked = page % 512;
		struct model *m = &blocks[page / 512];

		if (m->there[asked])
			continue;
		(*faults)++;
		model_fault(m, asked, moves);
		for (uint64_t p = 0; p < 512; p++) {
			if (!moves[p])
				continue;
			/* consecutive pages with one cause are one event */
			if (p && moves[p - 1] && p != asked && p - 1 != asked)
				runs[n - 1].pages++;
			else
				runs[n++] = (struct run){ p + page / 512 * 512 - s->start, 1,
							  p != asked };
		}
	}
	return n;
}

static bool compare_runs(const struct run *got, unsigned int n, const struct run *want,
			 unsigned int m)
{
	unsigned int i;

	for (i = 0; i < n && i < m; i++)
		if (got[i].first != want[i].first || got[i].pages != want[i].pages ||
		    got[i].prefetch != want[i].prefetch)
			break;
	if (i == n && i == m)
		return true;
	note("%u events, %u expected; the first difference is number %u", n, m, i);
	if (i < n)
		note("got %lu pages at %lu%s", (long)got[i].pages, (long)got[i].first,
		     got[i].prefetch ? ", prefetched" : "");
	if (i < m)
		note("want %lu pages at %lu%s", (long)want[i].pages, (long)want[i].first,
		     want[i].prefetch ? ", prefetched" : "");
	return false;
}

static struct run got_runs[8192], want_runs[8192];
static uint32_t touches[2048];

/* One GPU thread, one page after the other; argument blocks hold 500 of them. */
static void gpu_walk(char *at, const uint32_t *list, uint64_t n)
{
	for (uint64_t i = 0; i < n; i += TEST_OFFSETS) {
		struct test_args args = { .address = (uintptr_t)at };

		args.count = n - i < TEST_OFFSETS ? n - i : TEST_OFFSETS;
		memcpy(args.offset, list + i, args.count * sizeof(*list));
		must(!run_shape(&pair, "t_walk", 1, 1, &args, NULL));
	}
}

static void check_prefetch(const struct shape *s, enum order order, int threshold)
{
	uint64_t address = fresh_address(s->pages * PAGE + BLOCK) + s->start * PAGE;
	char *at = map_managed(pair.uvm, address, s->pages * PAGE), value[16];
	unsigned int n, m, faults;
	int events;

	must(at);
	snprintf(value, sizeof(value), "%d", threshold < 0 ? 51 : threshold);
	must(!set_param(pair.uvm, "perf_prefetch_threshold", value));
	must(!set_param(pair.uvm, "perf_prefetch_enable", threshold < 0 ? "0" : "1"));
	cpu_fill(at, s->pages, PAGE, 1);
	make_order(order, s->pages, touches);
	m = model_runs(s, threshold, touches, want_runs, &faults);
	events = listen_to(pair.uvm, 1 << UVM_EVENT_MIGRATION);

	stats_read(pair.uvm, true);
	gpu_walk(at, touches, s->pages);
	must(!quiesce(pair.uvm));
	n = read_runs(events, at, got_runs, ARRAY_SIZE(got_runs));
	ok(compare_runs(got_runs, n, want_runs, m), "prefetch %s %s at %d: to the GPU", s->name,
	   order_names[order], threshold);
	is(stats_read(pair.uvm, true).faults_fetched, faults,
	   "prefetch %s %s at %d: GPU faults", s->name, order_names[order], threshold);

	for (uint64_t i = 0; i < s->pages; i++)
		(void)*(volatile uint64_t *)(at + touches[i] * PAGE);
	must(!quiesce(pair.uvm));
	n = read_runs(events, at, got_runs, ARRAY_SIZE(got_runs));
	ok(compare_runs(got_runs, n, want_runs, m), "prefetch %s %s at %d: to the CPU", s->name,
	   order_names[order], threshold);
	is(stats_read(pair.uvm, true).faults_cpu, faults,
	   "prefetch %s %s at %d: CPU faults", s->name, order_names[order], threshold);
	close(events);
	munmap(at, s->pages * PAGE);
}

static void test_prefetch(void)
{
	static const int thresholds[] = { 51, 0, 10, 25, 75, 100, -1 };

	for (unsigned int i = 0; i < ARRAY_SIZE(shapes); i++)
		for (enum order o = 0; o < ORDERS; o++)
			check_prefetch(&shapes[i], o, 51);
	/* threshold 100: nothing is more than all, so nothing is prefetched */
	for (unsigned int i = 1; i < ARRAY_SIZE(thresholds); i++)
		for (unsigned int j = 0; j < 3; j++)
			check_prefetch(&shapes[j], j ? SHUFFLED : FORWARD, thresholds[i]);
	must(!set_param(pair.uvm, "perf_prefetch_threshold", "51"));
	must(!set_param(pair.uvm, "perf_prefetch_enable", "1"));
}

/* A prefetch of what is not managed is only a hint: nobody hears of it. */
static void test_prefetch_nothing(void)
{
	char *at = managed(pair.uvm, BLOCK);
	struct test_args args = {
		.address = (uintptr_t)at + BLOCK - 4 * PAGE, .count = 12, .stride = PAGE,
		.out = (uintptr_t)at, .value = 77,
	};
	struct uvm_stats stats;
	struct softgpu_wait w;

	/* what lies behind was never managed, or is managed no more */
	munmap(map_managed(pair.uvm, (uintptr_t)at + BLOCK, BLOCK), BLOCK);
	stats_read(pair.uvm, true);
	is(run_one(&pair, "t_prefetch", args, &w), 0, "prefetch past the end: the launch ends well");
	stats = stats_read(pair.uvm, true);
	is(*(volatile uint64_t *)at, 77, "prefetch past the end: it went on");
	is(stats.faults_fatal, 0, "prefetch past the end: no fatal fault is counted");
	ok(stats.faults_prefetch >= 4, "prefetch past the end: what is managed was asked for");
	munmap(at, BLOCK);
	args.count = 100;
	args.out = (uintptr_t)managed(pair.uvm, PAGE);
	is(run_one(&pair, "t_prefetch", args, &w), 0, "prefetch of nothing: the launch ends well");
	munmap((void *)args.out, PAGE);
}

static struct uvm_stats prefetch_run(const void *at, uint64_t count, void *out)
{
	struct test_args args = { .address = (uintptr_t)at, .count = count, .stride = PAGE,
				  .out = (uintptr_t)out, .value = count };

	stats_read(pair.uvm, true);
	is(run_one(&pair, "t_prefetch", args, NULL), 0, "governor: the launch ends well");
	is(*(volatile uint64_t *)out, count, "governor: it went on");
	return stats_read(pair.uvm, true);
}

/*
 * Too many prefetches of nothing switch prefetch faults off, for a while
 * (nvidia-uvm 2.3, step 4).  In batches of 6 that takes 5 of them.
 */
static void test_governor(void)
{
	char *out = managed(pair.uvm, PAGE), *good = managed(pair.uvm, BLOCK);
	const void *nothing = (void *)fresh_address(BLOCK);
	struct uvm_stats stats;
	uint64_t until;

	must(!set_param(pair.uvm, "perf_fault_batch_count", "6"));
	must(!set_param(pair.uvm, "perf_reenable_prefetch_faults_lapse_msec", "0"));
	stats = prefetch_run(nothing, 200, out);
	is(stats.prefetch_disabled, 0, "governor: a lapse of 0 never switches them off");
	ok(stats.faults_prefetch >= 200, "governor: all of them faulted (%ld)",
	   (long)stats.faults_prefetch);
	must(!set_param(pair.uvm, "perf_reenable_prefetch_faults_lapse_msec", "1000"));
	stats = prefetch_run(nothing, 201, out);
	is(stats.prefetch_disabled, 1, "governor: switched off, once");
	ok(stats.faults_prefetch < 100, "governor: the rest is dropped (%ld)",
	   (long)stats.faults_prefetch);
	is(stats.faults_fatal, 0, "governor: nothing is fatal");
	stats = prefetch_run(good, 202, out);
	is(stats.faults_prefetch, 0, "governor: others are dropped as well");

	must(!set_param(pair.uvm, "perf_reenable_prefetch_faults_lapse_msec", "1"));
	until = gpu_info(pair.gpu).now_ns + 2000000;
	while (gpu_info(pair.gpu).now_ns < until) {
		must(!migrate(pair.uvm, good, BLOCK, 0));
		must(!migrate(pair.uvm, good, BLOCK, UVM_PROCESSOR_CPU));
	}
	/* a batch, whatever it holds, sees that the lapse is over */
	must(!gpu_fill(&pair, good, 16, PAGE, 1));
	must(!migrate(pair.uvm, good, BLOCK, UVM_PROCESSOR_CPU));
	stats = prefetch_run(good, 203, out);
	ok(stats.faults_prefetch > 0, "governor: on again after the lapse (%ld)",
	   (long)stats.faults_prefetch);
	munmap(out, PAGE);
	munmap(good, BLOCK);
}

/* How many CPU faults a sequential first touch of 2 MB costs. */
static void test_first_touch(void)
{
	static const int thresholds[] = { 0, 10, 25, 51, 75, 100 };
	const struct shape shape = { "2M", 0, 512 };

	for (unsigned int i = 0; i < ARRAY_SIZE(thresholds); i++) {
		char *at = managed(pair.uvm, BLOCK), value[16];
		unsigned int faults;

		snprintf(value, sizeof(value), "%d", thresholds[i]);
		must(!set_param(pair.uvm, "perf_prefetch_threshold", value));
		make_order(FORWARD, 512, touches);
		model_runs(&shape, thresholds[i], touches, want_runs, &faults);
		stats_read(pair.uvm, true);
		cpu_fill(at, PAGES, PAGE, 1);
		is(stats_read(pair.uvm, true).faults_cpu, faults,
		   "first touch of 2 MB at threshold %d: %u CPU faults", thresholds[i], faults);
		munmap(at, BLOCK);
	}
	must(!set_param(pair.uvm, "perf_prefetch_threshold", "51"));
}

/* ---- hardware that misbehaves ----------------------------------------- */

/* set=fault_ring_entries:N, small: records are dropped and come back. */
static void test_overflow(void)
{
	const uint64_t pages = 8 * PAGES;
	char *at = managed(pair.uvm, pages * PAGE);
	struct test_args args = { .address = (uintptr_t)at, .count = pages, .stride = PAGE };
	uint64_t dropped = gpu_info(pair.gpu).faults_dropped;
	int fd = listen_to(pair.uvm, 1ULL << UVM_EVENT_FAULT_BUFFER_OVERFLOW);
	struct uvm_event ev = { 0 };

	stats_read(pair.uvm, true);
	must(!set_param(pair.uvm, "perf_prefetch_enable", "0"));
	cpu_fill(at, pages, PAGE, 0);
	for (uint64_t round = 1; round <= 3; round++) {
		args.value = 1;
		is(run_shape(&pair, "t_add", 32, 128, &args, NULL), 0,
		   "overflow: the launch ends well, round %ld", (long)round);
		is(cpu_wrong(at, pages, PAGE, round, false), 0,
		   "overflow: the data is right, round %ld", (long)round);
	}
	dropped = gpu_info(pair.gpu).faults_dropped - dropped;
	ok(dropped > 0, "overflow: records were dropped (%ld)", (long)dropped);
	ok(stats_read(pair.uvm, false).fault_overflows > 0, "overflow: it is counted");
	ok(read(fd, &ev, sizeof(ev)) == sizeof(ev) && ev.type == UVM_EVENT_FAULT_BUFFER_OVERFLOW &&
	   !ev.gpu, "overflow: it is an event");
	close(fd);
	munmap(at, pages * PAGE);
}

static void knob(const char *name, const char *value)
{
	char path[128];
	int fd;

	snprintf(path, sizeof(path), "/sys/kernel/debug/softgpu/gpu0/%s", name);
	fd = open(path, O_WRONLY);
	must(fd >= 0);
	must(write(fd, value, strlen(value)) > 0);
	close(fd);
}

/* ---- page sizes ------------------------------------------------------- */

static uint64_t gpu_walks(void)
{
	uint64_t walks = 0;
	FILE *f = fopen("/sys/kernel/debug/softgpu/gpu0/walks", "r");

	must(f && fscanf(f, "%" SCNu64, &walks) == 1);
	fclose(f);
	return walks;
}

/*
 * Read pages [first, outer) by one GPU thread; page walks tell how large the PTEs
 * are.
 */
static void expect_walks(char *at, uint64_t first, uint64_t outer, uint64_t least, uint64_t most,
			 const char *what)
{
	uint64_t *out = managed(pair.uvm, PAGE);
	struct test_args args = { .address = (uintptr_t)at + first * PAGE, .value = first,
				  .count = outer - first, .stride = PAGE, .out = (uintptr_t)out };
	uint64_t walks;

	*(volatile uint64_t *)out = 0;
	walks = gpu_walks();
	is(run_one(&pair, "t_check", args, NULL), 0, "page sizes: %s: read", what);
	walks = gpu_walks() - walks;
	is(*(volatile uint64_t *)out, 0, "page sizes: %s: the data is right", what);
	munmap(out, PAGE);
	ok(walks >= least && walks <= most, "page sizes: %s: %ld walks for %ld pages", what,
	   (long)walks, (long)(outer - first));
}

/* What the CPU writes is what the GPU sees, whatever the PTE was that mapped it. */
static void cpu_to_gpu(char *at, uint64_t page, uint64_t value, const char *what)
{
	uint64_t *out = managed(pair.uvm, PAGE);

	*(volatile uint64_t *)(at + page * PAGE) = value;
	is(gpu_load(&pair, at + page * PAGE, out), 0, "page sizes: %s: read", what);
	is(*(volatile uint64_t *)out, value, "page sizes: %s: the new value", what);
	munmap(out, PAGE);
}

/*
 * A block is mapped by one 2 MB PTE when all of it is at one place with one
 * permission, and by smaller ones again when it is not (nvidia-uvm 3.6).
 */
static void test_page_sizes(void)
{
	char *at = managed(pair.uvm, BLOCK);

	must(!set_param(pair.uvm, "perf_prefetch_enable", "0"));
	cpu_fill(at, PAGES, PAGE, 0);
	is(migrate(pair.uvm, at, BLOCK, 0), 0, "page sizes: migrate");
	expect_walks(at, 0, PAGES, 0, 16, "all on the GPU: one PTE");
	/* the CPU takes a page: split, and the TLBs forget the 2 MB */
	*(volatile uint64_t *)(at + 77 * PAGE) = 77;
	expect_walks(at, 128, PAGES, 24, 100, "split: PTEs of 64 KB");
	cpu_to_gpu(at, 300, 12345, "split once more");
	cpu_to_gpu(at, 300, 300, "split, 4 KB to 4 KB");
	is(gpu_wrong(&pair, at, PAGES, PAGE, 0, false), 0, "page sizes: all back on the GPU");
	expect_walks(at, 0, PAGES, 0, 16, "merged: one PTE");
	cpu_to_gpu(at, 511, 54321, "split of what was merged");
	cpu_to_gpu(at, 511, 511, "and merged again");
	expect_walks(at, 0, PAGES, 0, 16, "merged again: one PTE");
	/* to the CPU as a whole and back: the PTE goes without a split */
	is(migrate(pair.uvm, at, BLOCK, UVM_PROCESSOR_CPU), 0, "page sizes: home");
	cpu_fill(at, PAGES, PAGE, 0);
	is(gpu_wrong(&pair, at, PAGES, PAGE, 0, false), 0, "page sizes: by faults of 4 KB");
	expect_walks(at, 0, PAGES, 0, 16, "by faults of 4 KB: one PTE");
	munmap(at, 17 * PAGE);
	expect_walks(at, 32, PAGES, 30, 100, "cut by munmap: PTEs of 64 KB");
	munmap(at, BLOCK);
}

/* The same for system memory that the GPU maps over the link: no page moves. */
static void test_page_sizes_remote(void)
{
	char *at = managed(pair.uvm, BLOCK);
	struct uvm_stats stats;

	must(!set_param(pair.uvm, "perf_prefetch_enable", "0"));
	must(!set_param(pair.uvm, "residency_policy", "remote"));
	cpu_fill(at, PAGES, PAGE, 0);
	stats_read(pair.uvm, true);
	is(gpu_wrong(&pair, at, PAGES, PAGE, 0, false), 0, "page sizes, remote: faults");
	expect_walks(at, 0, PAGES, 0, 16, "remote: one PTE");
	cpu_fill(at, PAGES, PAGE, 7);
	is(gpu_wrong(&pair, at, PAGES, PAGE, 7, false), 0, "page sizes, remote: the CPU's data");
	stats = stats_read(pair.uvm, false);
	ok(stats.bytes_htod <= 4 * PAGE, "page sizes, remote: the block stays at home");
	/* and a page that comes is split off */
	must(!set_param(pair.uvm, "residency_policy", "first_touch"));
	is(migrate(pair.uvm, at + 5 * PAGE, PAGE, 0), 0, "page sizes, remote: one page comes");
	cpu_to_gpu(at, 5, 99, "remote, split");
	munmap(at, BLOCK);
}

/* Data of some rounds of migration, as wrong words, failed launches and DMA faults. */
static uint64_t migration_trouble(void)
{
	char *at = managed(pair.uvm, BLOCK);
	uint64_t trouble = 0, before = gpu_info(pair.gpu).dma_faults;

	cpu_fill(at, PAGES, PAGE, 0);
	for (uint64_t round = 1; round <= 4; round++) {
		trouble += gpu_add(&pair, at, PAGES, 1) != 0;
		trouble += cpu_wrong(at, PAGES, PAGE, round, false);
		cpu_fill(at, PAGES, PAGE, round);
	}
	munmap(at, BLOCK);
	return trouble + gpu_info(pair.gpu).dma_faults - before;
}

static void test_stale_tlb(void)
{
	is(migration_trouble(), 0, "stale TLB: all is well while invalidates work");
	knob("ignore_tlb_invalidate", "Y");
	ok(migration_trouble() > 0, "stale TLB: ignored invalidates are noticed");
	knob("ignore_tlb_invalidate", "N");
	/* entries that should have gone are still there: a new context has none */
	pair_close(&pair);
	pair = pair_open();
	is(migration_trouble(), 0, "stale TLB: all is well again");
}

static void test_lost_replay(void)
{
	char *at = managed(pair.uvm, BLOCK);
	struct softgpu_wait w = { 0 };
	struct test_args args = { .address = (uintptr_t)at, .value = 1 };
	struct timespec begin, end;
	uint64_t id;
	long ret;

	cpu_fill(at, PAGES, PAGE, 5);
	knob("lose_replay", "1000");
	clock_gettime(CLOCK_MONOTONIC, &begin);
	must(!launch_shape(&pair, "t_store", 1, 1, 0, &args, &id));
	ret = launch_wait(pair.gpu, id, 0, &w);
	clock_gettime(CLOCK_MONOTONIC, &end);
	ok(ret == -EIO || (!ret && w.reason == SOFTGPU_FAIL_HANG && w.error == EIO),
	   "lost replay: reported as a hang (ioctl %ld, reason %u, error %u)", ret, w.reason,
	   w.error);
	ok(end.tv_sec - begin.tv_sec < 30, "lost replay: at once, in %ld s",
	   (long)(end.tv_sec - begin.tv_sec));
	knob("lose_replay", "0");
	munmap(at, BLOCK);
	pair_close(&pair);
	pair = pair_open();
	is(migration_trouble(), 0, "lost replay: the machine lives");
}

static const struct {
	const char *name;
	void (*fn)(void);
	bool noisy;			/* says something in the kernel log */
	bool asked;			/* only when asked for */
} tests[] = {
	{ "ping-pong", test_ping_pong, false, false },
	{ "whole", test_whole_pages, false, false },
	{ "migrate", test_migrate, false, false },
	{ "fatal", test_fatal, false, false },
	{ "fatal-between", test_fatal_between, false, false },
	{ "first-touch", test_first_touch, false, false },
	{ "prefetch", test_prefetch, false, false },
	{ "prefetch-nothing", test_prefetch_nothing, false, false },
	{ "page-sizes", test_page_sizes, false, false },
	{ "page-sizes-remote", test_page_sizes_remote, false, false },
	{ "governor", test_governor, false, false },
	{ "overflow", test_overflow, false, true },
	{ "stale-tlb", test_stale_tlb, false, true },
	{ "lost-replay", test_lost_replay, true, true },
};

int main(int argc, char **argv)
{
	bool noisy = false;

	kmsg_begin();
	warm_up();
	for (unsigned int i = 0; i < ARRAY_SIZE(tests); i++) {
		bool wanted = argc == 1 && !tests[i].asked;

		for (int a = 1; a < argc; a++)
			wanted |= !strcmp(argv[a], tests[i].name);
		if (!wanted)
			continue;
		noisy |= tests[i].noisy;
		leak_begin();
		pair = pair_open();
		tests[i].fn();
		pair_close(&pair);
		leak_end(tests[i].name);
	}
	if (!noisy)
		kmsg_end("faults");
	return tap_finish();
}
