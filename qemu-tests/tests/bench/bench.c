// SPDX-License-Identifier: GPL-2.0
/*
 * What qemu-tests/bench and tests/scale/test.sh measure, from inside the machine:
 *
 *   bench interpreter [KERNEL...]	warp instructions per second, data resident
 *   bench copy			copies of the engines against memcpy
 *   bench faults [RANGES...]	what a fault costs, by shape of the batch
 *   bench scale SIZE VRAM	one thread per page; time and bookkeeping
 *
 * Each result is a line "name value".
 */
#include <fcntl.h>
#include <inttypes.h>
#include <sched.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

#include "pages_test.h"

#define MB		(1UL << 20)
#define ROUNDS		5

static struct uvm *uvm;
static uint32_t image;

static uint64_t now_ns(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return t.tv_sec * 1000000000ULL + t.tv_nsec;
}

static int compare_u64(const void *a, const void *b)
{
	uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;

	return x < y ? -1 : x > y;
}

static uint64_t median(uint64_t *values, unsigned int n)
{
	qsort(values, n, sizeof(*values), compare_u64);
	return values[n / 2];
}

static __attribute__((format(printf, 2, 3)))
void result(uint64_t value, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	vprintf(format, args);
	va_end(args);
	printf(" %" PRIu64 "\n", value);
	fflush(stdout);
}

static void must(int err, const char *what)
{
	if (err)
		fail("%s: %s (%s)", what, strerror(-err), uvm_last_error(uvm));
}

static void begin(const char *kernels)
{
	const int gpu = 0;
	int err = uvm_open(&uvm, &gpu, 1);

	if (err)
		fail("%s", uvm_last_error(NULL));
	if (kernels)
		must(uvm_load_builtin(uvm, 0, kernels, &image), kernels);
}

static void *allocate(size_t bytes)
{
	void *at = uvm_malloc_managed(uvm, bytes, NULL);

	if (!at)
		fail("no memory for %zu bytes: %s", bytes, uvm_last_error(uvm));
	return at;
}

static struct uvm_stats stats(bool reset)
{
	struct uvm_stats s;

	must(uvm_stats_read(uvm, &s, reset), "stats");
	return s;
}

/* Launch and wait: real time. */
static uint64_t timed(const struct uvm_launch_params *launch)
{
	uint64_t start = now_ns();

	must(uvm_launch(uvm, launch), launch->entry);
	must(uvm_synchronize(uvm), launch->entry);
	return now_ns() - start;
}

#include "bench_interpreter.h"

/* ---- copies ----------------------------------------------------------- */

#define TRACING		"/sys/kernel/tracing/"

static bool put(const char *path, const char *text)
{
	int fd = open(path, O_WRONLY);
	bool good = fd >= 0 && write(fd, text, strlen(text)) == (ssize_t)strlen(text);

	if (fd >= 0)
		close(fd);
	return good;
}

/* Time the kernel from here on inside the copy engines' copy routine alone. */
static bool engine_watch(void)
{
	return put(TRACING "set_ftrace_filter", "sgpu_copy_move") &&
	       put(TRACING "current_tracer", "function_graph") && put(TRACING "trace", "\n") &&
	       put(TRACING "tracing_on", "1");
}

/* The sum of durations since then, ns, and how many calls. */
static uint64_t engine_ns(uint64_t *calls)
{
	FILE *file = fopen(TRACING "trace", "r");
	char line[512];
	double us = 0;

	*calls = 0;
	while (file && fgets(line, sizeof(line), file)) {
		const char *unit = strstr(line, " us ");

		if (*line == '#' || !unit || !strchr(unit, '|'))
			continue;
		while (unit > line && (unit[-1] == '.' || (unit[-1] >= '0' && unit[-1] <= '9')))
			unit--;
		us += atof(unit);
		++*calls;
	}
	if (file)
		fclose(file);
	put(TRACING "tracing_on", "0");
	put(TRACING "current_tracer", "nop");
	return us * 1000;
}

/* As the kernel's memcpy copies where "rep movsb" is slow: 32 bytes a turn. */
static void copy_by_words(void *to, const void *from, size_t bytes)
{
	uint64_t *t = to;
	const uint64_t *f = from;

	for (; bytes; bytes -= 32, t += 4, f += 4) {
		uint64_t a = f[0], b = f[1], c = f[2], d = f[3];

		__asm__ volatile("" : "+r"(a), "+r"(b), "+r"(c), "+r"(d));
		t[0] = a;
		t[1] = b;
		t[2] = c;
		t[3] = d;
	}
}

static void copy_by_libc(void *to, const void *from, size_t bytes)
{
	memcpy(to, from, bytes);
}

/* Page by page, in order of addresses; the median round. */
static uint64_t copy_pages(char *to, const char *from, size_t bytes,
			   void (*copy)(void *to, const void *from, size_t bytes))
{
	uint64_t ns[ROUNDS];

	for (unsigned int i = 0; i < ROUNDS; i++) {
		uint64_t start = now_ns();

		for (size_t at = 0; at < bytes; at += UVM_PAGE_SIZE)
			copy(to + at, from + at, UVM_PAGE_SIZE);
		ns[i] = now_ns() - start;
	}
	return median(ns, ROUNDS);
}

static void bench_copy(void)
{
	const size_t bytes = 64 * MB;
	uint64_t ioctl_ns[2][ROUNDS], ce_ns[2][ROUNDS], calls = 0, words, libc;
	static const char * const names[] = { "htod", "dtoh" };
	char *at, *plain;
	bool traced;

	begin(NULL);
	at = allocate(bytes);
	plain = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (plain == MAP_FAILED)
		fail("no memory");
	madvise(plain, bytes, MADV_NOHUGEPAGE);
	for (size_t i = 0; i < bytes; i += 8)
		*(uint64_t *)(at + i) = i;
	memset(plain, 1, bytes);

	words = copy_pages(plain, at, bytes, copy_by_words);
	libc = copy_pages(plain, at, bytes, copy_by_libc);
	for (unsigned int i = 0; i < ROUNDS; i++) {
		for (int way = 0; way < 2; way++) {
			uint64_t start = now_ns();

			must(uvm_prefetch(uvm, at, bytes, way ? UVM_PROCESSOR_CPU : 0), "migrate");
			ioctl_ns[way][i] = now_ns() - start;
			traced = engine_watch();
			if (!traced)
				continue;
			must(uvm_prefetch(uvm, at, bytes, way ? 0 : UVM_PROCESSOR_CPU), "migrate");
			ce_ns[!way][i] = engine_ns(&calls);
			must(uvm_prefetch(uvm, at, bytes, way ? UVM_PROCESSOR_CPU : 0), "migrate");
		}
	}
	for (size_t i = 0; i < bytes; i += 8)
		if (*(uint64_t *)(at + i) != i)
			fail("copy: wrong data at %zu", i);
	for (int way = 0; way < 2; way++) {
		result(bytes * 1000 / median(ioctl_ns[way], ROUNDS), "copy.migrate_%s.mb_per_second",
		       names[way]);
		if (traced && calls)
			result(bytes * 1000 / median(ce_ns[way], ROUNDS),
			       "copy.engine_%s.mb_per_second", names[way]);
	}
	result(bytes * 1000 / words, "copy.memcpy_words.mb_per_second");
	result(bytes * 1000 / libc, "copy.memcpy_libc.mb_per_second");
	uvm_close(uvm);
}

/* ---- faults ----------------------------------------------------------- */

static const struct {
	const char *name;
	unsigned int faults;
	uint64_t stride;
} shapes[] = {
	{ "1", 1, UVM_PAGE_SIZE },
	{ "256_in_1", 256, UVM_PAGE_SIZE },
	{ "256_in_16", 256, UVM_BLOCK_SIZE / 16 },
	{ "256_in_256", 256, UVM_BLOCK_SIZE },
};

/* Without the PMA, which clears what it gives out: that is not the driver's code. */
static uint64_t phase_sum(const struct uvm_stats *s)
{
	uint64_t sum = 0;

	for (unsigned int i = 0; i < UVM_PHASE_COUNT; i++)
		sum += i == UVM_PHASE_PMA_ALLOC ? 0 : s->phase_ns[i];
	return sum;
}

static uint64_t least(const uint64_t *values, unsigned int n)
{
	uint64_t min = values[0];

	for (unsigned int i = 1; i < n; i++)
		min = values[i] < min ? values[i] : min;
	return min;
}

/*
 * On one CPU the threads of the device would run in the middle of the driver's
 * phases: a bottom half of real-time priority lets them run only when it waits.
 */
static void bottom_half_first(void)
{
	const struct sched_param param = { .sched_priority = 10 };
	char path[64], name[32];
	FILE *file;

	for (int pid = 2; pid < 32768; pid++) {
		snprintf(path, sizeof(path), "/proc/%d/comm", pid);
		file = fopen(path, "r");
		if (!file)
			continue;
		if (fgets(name, sizeof(name), file) && !strcmp(name, "uvm-gpu0-bh\n") &&
		    sched_setscheduler(pid, SCHED_FIFO, &param))
			fail("cannot give the bottom half a priority");
		fclose(file);
	}
}

/* One warp per block, so that the faults come from many uTLBs at once. */
static void bench_shape(unsigned int shape, unsigned int ranges)
{
	const unsigned int faults = shapes[shape].faults;
	uint64_t cold[ROUNDS], warm[ROUNDS], driver[ROUNDS], batches = 0, fetched = 0;
	struct uvm_stats s;
	struct pages_args args = {
		.pages = faults, .page_bytes = shapes[shape].stride, .access = PAGES_WRITE,
	};
	struct uvm_launch_params launch = {
		.image = image, .entry = "pages", .grid = UVM_DIM((faults + 31) / 32),
		.block = UVM_DIM(32), .args = &args, .args_bytes = sizeof(args),
	};

	for (unsigned int i = 0; i < ROUNDS; i++) {
		args.buffer = allocate(faults * shapes[shape].stride);
		/* resident on the CPU, so that every fault moves a page */
		for (unsigned int page = 0; page < faults; page++)
			*(volatile uint32_t *)(args.buffer + page * shapes[shape].stride) = 1;
		must(uvm_wait_quiet(uvm), "quiet");
		stats(true);
		cold[i] = timed(&launch);
		must(uvm_wait_quiet(uvm), "quiet");
		s = stats(true);
		driver[i] = phase_sum(&s);
		batches += s.batches;
		fetched += s.faults_fetched;
		warm[i] = timed(&launch);
		if (stats(true).faults_fetched)
			fail("faults although all is resident");
		uvm_free(uvm, args.buffer);
		must(uvm_wait_quiet(uvm), "quiet");
	}
	result(fetched / ROUNDS, "faults.%s.ranges_%u.fetched", shapes[shape].name, ranges);
	result(batches * 100 / ROUNDS, "faults.%s.ranges_%u.batches_x100", shapes[shape].name,
	       ranges);
	/* the least: now and then a fault pays for a batch of frames from the PMA */
	result((least(cold, ROUNDS) - least(warm, ROUNDS)) / faults,
	       "faults.%s.ranges_%u.machine_per_fault", shapes[shape].name, ranges);
	for (unsigned int i = 0; i < UVM_PHASE_COUNT; i++)
		result(s.phase_ns[i] / faults, "faults.%s.ranges_%u.phase.%s", shapes[shape].name,
		       ranges, uvm_phase_name(i));
	result(least(driver, ROUNDS) / faults, "faults.%s.ranges_%u.driver_per_fault",
	       shapes[shape].name, ranges);
}

static void bench_faults(int count, char **list)
{
	unsigned int have = 1;	/* the buffer itself */

	bottom_half_first();
	begin("pages");
	must(uvm_param_set(uvm, "perf_prefetch_enable", "0"), "perf_prefetch_enable");
	for (int i = 0; i < count; i++) {
		unsigned int ranges = atoi(list[i]);

		for (; have < ranges; have++)
			allocate(UVM_PAGE_SIZE);
		for (unsigned int shape = 0; shape < sizeof(shapes) / sizeof(*shapes); shape++)
			bench_shape(shape, ranges);
	}
	uvm_close(uvm);
}

/* ---- scale ------------------------------------------------------------ */

/* A number that stands behind its name in a file. */
static uint64_t number_in(const char *path, const char *name)
{
	FILE *file = fopen(path, "r");
	char word[64];
	uint64_t value = 0;

	if (!file)
		fail("no %s", path);
	while (fscanf(file, "%63s", word) == 1)
		if (!strcmp(word, name) && fscanf(file, "%" SCNu64, &value) == 1)
			break;
	fclose(file);
	return value;
}

#define MEMINFO		"/proc/meminfo"
#define RESERVE		"/sys/kernel/debug/softgpu/gpu0/reserve_used"

/* KB */
struct memory {
	uint64_t slab, vmalloc, cpu_tables, reserve;
};

static uint64_t reserve_kb(void)
{
	FILE *file = fopen(RESERVE, "r");
	char text[64] = "";

	if (!file || !fgets(text, sizeof(text), file))
		fail("no %s", RESERVE);
	fclose(file);
	return strtoull(text, NULL, 0) / 1024;
}

static struct memory memory_now(void)
{
	return (struct memory){
		.slab = number_in(MEMINFO, "Slab:"),
		.vmalloc = number_in(MEMINFO, "VmallocUsed:"),
		.cpu_tables = number_in(MEMINFO, "PageTables:"),
		.reserve = reserve_kb(),
	};
}

/*
 * What the kernel and the GPU's reserve (page tables) hold more than before the
 * data came.  The process's own page tables are the kernel's.
 */
static void report_memory(uint64_t size, struct memory a, struct memory b)
{
	int64_t grown = b.slab - a.slab + (b.vmalloc - a.vmalloc) + (b.reserve - a.reserve);

	if (grown < 0)
		fail("bookkeeping shrank: other things were freed meanwhile");
	result(b.slab - a.slab, "scale.slab_kb");
	result(b.vmalloc - a.vmalloc, "scale.vmalloc_kb");
	result(b.reserve - a.reserve, "scale.gpu_page_tables_kb");
	result(b.cpu_tables - a.cpu_tables, "scale.cpu_page_tables_kb");
	result(grown * 1024 * 10000 / size, "scale.bookkeeping_per_10000");
}

static void bench_scale(uint64_t size, uint64_t vram)
{
	struct pages_args args = {
		.pages = size / UVM_PAGE_SIZE, .page_bytes = UVM_PAGE_SIZE, .access = PAGES_WRITE,
	};
	struct uvm_launch_params launch = {
		.entry = "pages", .grid = UVM_DIM((args.pages + 255) / 256), .block = UVM_DIM(256),
		.args = &args, .args_bytes = sizeof(args),
	};
	uint64_t start = now_ns(), ns, usable, wrong = 0;
	struct memory before;

	begin("pages");
	launch.image = image;
	must(uvm_vram_limit(uvm, 0, vram, &usable), "vram limit");
	/* the context's warps, with registers and stacks, are the device: not counted */
	args.pages = 0;
	timed(&launch);
	args.pages = size / UVM_PAGE_SIZE;
	stats(true);
	before = memory_now();
	args.buffer = allocate(size);
	pages_fill(args.buffer, args.pages);
	ns = timed(&launch);
	result(ns / args.pages, "scale.ns_per_page");
	result(stats(false).evicted_chunks, "scale.evicted_chunks");
	report_memory(size, before, memory_now());
	for (uint64_t i = 0; i < args.pages; i++)
		wrong += *page_word(args.buffer, i, WORD_GPU) != page_want(i, 1);
	if (wrong)
		fail("scale: %" PRIu64 " pages are wrong", wrong);
	result((now_ns() - start) / 1000000, "scale.all_ms");
	uvm_close(uvm);
}

static uint64_t megabytes(const char *text)
{
	return strtoull(text, NULL, 0) * MB;
}

int main(int argc, char **argv)
{
	const char *what = argc > 1 ? argv[1] : "";

	if (!strcmp(what, "interpreter")) {
		bench_interpreter(argc - 2, argv + 2);
	} else if (!strcmp(what, "copy")) {
		bench_copy();
	} else if (!strcmp(what, "faults") && argc > 2) {
		bench_faults(argc - 2, argv + 2);
	} else if (!strcmp(what, "scale") && argc == 4) {
		bench_scale(megabytes(argv[2]), megabytes(argv[3]));
	} else {
		fprintf(stderr, "usage: bench interpreter [KERNEL...]|copy|faults RANGES...|scale MB MB\n");
		return 2;
	}
	return 0;
}
