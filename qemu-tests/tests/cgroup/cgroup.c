// SPDX-License-Identifier: GPL-2.0
/*
 * Managed memory is charged to the memory cgroup of the process whose VA space it is,
 * whoever allocates it: the process, the bottom half, or somebody else's eviction.
 * A limit ends a launch with ENOMEM and a CPU's touch as it ends any other's, by the OOM
 * killer; neighbours do not notice.
 */
#include "common.h"

#include <sys/mount.h>
#include <sys/stat.h>

#define ROOT	"/sys/fs/cgroup"
#define PAGES	(BLOCK / PAGE)
#define SLACK	(2L * 1048576)		/* what the kernel keeps per CPU, and a process */

/* ---- cgroups ---------------------------------------------------------- */

static void group_path(char *to, size_t room, const char *group, const char *file)
{
	snprintf(to, room, ROOT "/%s/%s", group, file);
}

static bool group_write(const char *group, const char *file, const char *format, ...)
	__attribute__((format(printf, 3, 4)));
static bool group_write(const char *group, const char *file, const char *format, ...)
{
	char path[256], text[64];
	va_list args;
	bool done;
	int fd;

	va_start(args, format);
	vsnprintf(text, sizeof(text), format, args);
	va_end(args);
	group_path(path, sizeof(path), group, file);
	fd = open(path, O_WRONLY);
	if (fd < 0)
		return false;
	done = write(fd, text, strlen(text)) > 0;
	close(fd);
	return done;
}

/* A number, or the one behind @key; -1 if there is none. */
static long group_read(const char *group, const char *file, const char *key)
{
	char path[256], line[256];
	long value = -1;
	size_t n = key ? strlen(key) : 0;
	FILE *f;

	group_path(path, sizeof(path), group, file);
	f = fopen(path, "r");
	must(f);
	while (value < 0 && fgets(line, sizeof(line), f))
		if (!key || (!strncmp(line, key, n) && line[n] == ' '))
			value = strtol(line + n, NULL, 10);
	fclose(f);
	return value;
}

static long current_bytes(const char *group)
{
	return group_read(group, "memory.current", NULL);
}

static void group_make(const char *group, long max)
{
	char path[256];

	group_path(path, sizeof(path), group, "");
	must(!mkdir(path, 0755) || errno == EEXIST);
	must(max ? group_write(group, "memory.max", "%ld", max) :
		   group_write(group, "memory.max", "max"));
}

/* What is left of a charge goes when its last page does. */
static bool falls_below(const char *group, long bytes)
{
	for (int i = 0; i < 200; i++) {
		if (current_bytes(group) < bytes)
			return true;
		usleep(20000);
	}
	note("%s: %ld bytes are still charged", group, current_bytes(group));
	return false;
}

/* ---- a process in a cgroup -------------------------------------------- */

/* Ordinary memory of the process, for when all that it may have is used up. */
static char ballast[1048576] __attribute__((aligned(4096)));

/* It does @work in @group, says so, and ends when it is told to. */
struct guest {
	pid_t pid;
	int to, from;
};

static struct guest guest_start(const char *group, int (*work)(void))
{
	int to[2], from[2];
	struct guest g;
	char byte;

	must(!pipe(to) && !pipe(from));
	fflush(stdout);
	g.pid = fork();
	must(g.pid >= 0);
	if (!g.pid) {
		close(to[1]);
		must(group_write(group, "cgroup.procs", "0"));
		memset(ballast, 1, sizeof(ballast));
		pair = pair_open();
		byte = (char)work();
		must(write(from[1], &byte, 1) == 1);
		must(read(to[0], &byte, 1) >= 0);
		_exit(0);
	}
	close(to[0]);
	close(from[1]);
	g.to = to[1];
	g.from = from[0];
	return g;
}

/* What @work returned, or -1 if it did not live to say so. */
static int guest_result(const struct guest *g)
{
	char byte;

	return read(g->from, &byte, 1) == 1 ? byte : -1;
}

/* Its exit status, or minus the signal that killed it. */
static int guest_end(struct guest *g)
{
	int status;

	close(g->to);
	must(waitpid(g->pid, &status, 0) == g->pid);
	close(g->from);
	return WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status);
}

static long prefer_cpu(void *at, size_t bytes)
{
	return advise(pair.uvm, at, bytes, UVM_ADVICE_PREFERRED_LOCATION, UVM_PROCESSOR_CPU, 0);
}

/* ---- who is charged --------------------------------------------------- */

static int touch_by_cpu(void)
{
	cpu_fill(managed(pair.uvm, 16 * MB), 8 * PAGES, PAGE, 1);
	return 0;
}

/* The bottom half allocates: the GPU touches first what is to be in system memory. */
static int touch_by_gpu(void)
{
	char *at = managed(pair.uvm, 16 * MB);

	must(!prefer_cpu(at, 16 * MB));
	return gpu_fill(&pair, at, 8 * PAGES, PAGE, 1);
}

/* The bottom half allocates: what has been on the GPU only goes to system memory. */
static int evict_own(void)
{
	return gpu_fill(&pair, managed(pair.uvm, 24 * MB), 12 * PAGES, PAGE, 1);
}

static int populate_cpu(void)
{
	struct uvm_populate arg = { .size = sizeof(arg), .length = 16 * MB,
				    .dst = UVM_PROCESSOR_CPU };

	arg.base = (uintptr_t)managed(pair.uvm, 16 * MB);
	return try_ioctl(pair.uvm, UVM_IOC_POPULATE, &arg) != 0;
}

static void test_charged(void)
{
	static const struct {
		const char *what;
		int (*work)(void);
		long bytes;
	} rows[] = {
		{ "the CPU touches", touch_by_cpu, 16 * MB },
		{ "the GPU touches", touch_by_gpu, 16 * MB },
		{ "its own eviction", evict_own, 16 * MB },
		{ "populate", populate_cpu, 16 * MB },
	};

	for (unsigned int i = 0; i < ARRAY_SIZE(rows); i++) {
		long other = current_bytes("other"), before;
		struct guest g;

		group_make("charged", 0);
		before = current_bytes("charged");
		g = guest_start("charged", rows[i].work);
		is(guest_result(&g), 0, "%s: works", rows[i].what);
		ok(current_bytes("charged") - before >= rows[i].bytes,
		   "%s: is charged (%ld of %ld KB)", rows[i].what,
		   (current_bytes("charged") - before) / 1024, rows[i].bytes / 1024);
		ok(group_read("charged", "memory.stat", "kernel") >= rows[i].bytes,
		   "%s: shows in memory.stat", rows[i].what);
		ok(current_bytes("other") - other < SLACK, "%s: and nowhere else", rows[i].what);
		is(guest_end(&g), 0, "%s: ends", rows[i].what);
		ok(falls_below("charged", before + SLACK), "%s: the charge is given back",
		   rows[i].what);
	}
}

static int half_the_gpu(void)
{
	char *at = managed(pair.uvm, 4 * MB);

	return gpu_fill(&pair, at, 2 * PAGES, PAGE, 1);
}

static int half_the_gpu_in_units(void)
{
	must(!set_param(pair.uvm, "root_chunk_granularity", "64k"));
	return half_the_gpu();
}

/* Who evicts somebody else's pages is not charged for them. */
static void test_evicted_by_other(void)
{
	long victim, other;
	struct guest g;
	char *at;

	/* what launches take of their context they take once */
	at = managed(pair.uvm, PAGE);
	must(!gpu_fill(&pair, at, 1, PAGE, 5));
	munmap(at, PAGE);
	group_make("victim", 0);
	g = guest_start("victim", half_the_gpu);
	is(guest_result(&g), 0, "evicted by another: half of the GPU's memory");
	victim = current_bytes("victim");
	other = current_bytes("other");
	at = managed(pair.uvm, 8 * MB);
	is(gpu_fill(&pair, at, 4 * PAGES, PAGE, 5), 0, "evicted by another: all of it");
	ok(current_bytes("victim") - victim >= (long)(4 * MB) - SLACK,
	   "evicted by another: whose pages they are is charged (%ld KB)",
	   (current_bytes("victim") - victim) / 1024);
	ok(current_bytes("other") - other < SLACK, "evicted by another: who evicts is not (%ld KB)",
	   (current_bytes("other") - other) / 1024);
	is(cpu_wrong(at, 4 * PAGES, PAGE, 5, false), 0, "evicted by another: the data is right");
	is(guest_end(&g), 0, "evicted by another: ends");
	munmap(at, 8 * MB);
}

/* ---- limits ----------------------------------------------------------- */

/*
 * What is unmapped is given back a little later.  Until then the next page of any sort
 * would be one too many, which would be nobody's fault.
 */
static void give_back(void *at, size_t bytes)
{
	must(!madvise(ballast, sizeof(ballast), MADV_DONTNEED));
	must(!munmap(at, bytes));
	must(!quiesce(pair.uvm));
}

/* A launch that needs more system memory than there is, then one that does not. */
static int launch_over_limit(void)
{
	char *at = managed(pair.uvm, 32 * MB);
	struct test_args args = { .address = (uintptr_t)at, .count = 16 * PAGES, .stride = PAGE };
	struct softgpu_wait w = { 0 };

	must(!prefer_cpu(at, 32 * MB));
	if (run_shape(&pair, "t_fill", 4, 64, &args, &w) != SOFTGPU_FAIL_NO_MEMORY ||
	    w.error != ENOMEM)
		return 1;
	give_back(at, 32 * MB);
	at = managed(pair.uvm, MB);
	must(!prefer_cpu(at, MB));
	if (gpu_fill(&pair, at, MB / PAGE, PAGE, 3))
		return 2;
	return cpu_wrong(at, MB / PAGE, PAGE, 3, false) ? 3 : 0;
}

/* The same, because there is nowhere to evict to. */
static int evict_over_limit(void)
{
	char *at = managed(pair.uvm, 32 * MB);
	struct test_args args = { .address = (uintptr_t)at, .count = 16 * PAGES, .stride = PAGE };
	struct softgpu_wait w = { 0 };

	if (run_shape(&pair, "t_fill", 4, 64, &args, &w) != SOFTGPU_FAIL_NO_MEMORY ||
	    w.error != ENOMEM)
		return 1;
	give_back(at, 32 * MB);
	at = managed(pair.uvm, 4 * MB);
	if (gpu_fill(&pair, at, 2 * PAGES, PAGE, 3))
		return 2;
	return gpu_wrong(&pair, at, 2 * PAGES, PAGE, 3, false) ? 3 : 0;
}

static int calls_over_limit(void)
{
	struct softgpu_alloc alloc = { .size = sizeof(alloc), .kind = SOFTGPU_MEMORY_PINNED,
				       .bytes = 32 * MB };
	char *at = managed(pair.uvm, 32 * MB);

	if (migrate(pair.uvm, at, 32 * MB, UVM_PROCESSOR_CPU) != -ENOMEM)
		return 1;
	give_back(at, 32 * MB);
	if (try_ioctl(pair.gpu, SOFTGPU_IOC_ALLOC, &alloc) != -ENOMEM)
		return 2;
	at = managed(pair.uvm, MB);
	return migrate(pair.uvm, at, MB, UVM_PROCESSOR_CPU) ? 3 : 0;
}

static void test_limits(void)
{
	static const struct {
		const char *what;
		int (*work)(void);
	} rows[] = {
		{ "a launch over the limit", launch_over_limit },
		{ "eviction over the limit", evict_over_limit },
		{ "calls over the limit", calls_over_limit },
	};
	char *at = managed(pair.uvm, 4 * MB);

	cpu_fill(at, PAGES, PAGE, 8);
	must(!gpu_fill(&pair, at + BLOCK, PAGES, PAGE, 9));
	for (unsigned int i = 0; i < ARRAY_SIZE(rows); i++) {
		struct guest g;

		group_make("limited", 12 * MB);
		g = guest_start("limited", rows[i].work);
		is(guest_result(&g), 0, "%s: ENOMEM, and then it goes on", rows[i].what);
		is(guest_end(&g), 0, "%s: ends", rows[i].what);
		is(group_read("limited", "memory.events", "oom_kill"), 0, "%s: nobody is killed",
		   rows[i].what);
		ok(falls_below("limited", SLACK), "%s: the charge is given back", rows[i].what);
	}
	is(cpu_wrong(at, PAGES, PAGE, 8, false) + cpu_wrong(at + BLOCK, PAGES, PAGE, 9, false), 0,
	   "over the limit: a neighbour's data is right");
	munmap(at, 4 * MB);
}

/* Somebody's pages that can go nowhere are not in the way of others (nvidia-uvm 4.4). */
static void test_stuck_victim(int (*victim)(void))
{
	char *at = managed(pair.uvm, 16 * MB);
	struct guest g;

	group_make("stuck", 0);
	g = guest_start("stuck", victim);
	is(guest_result(&g), 0, "a victim without memory: half of the GPU's memory");
	must(group_write("stuck", "memory.max", "%ld", current_bytes("stuck")));
	is(gpu_fill(&pair, at, 8 * PAGES, PAGE, 6), 0,
	   "a victim without memory: another evicts its own pages");
	is(gpu_wrong(&pair, at, 8 * PAGES, PAGE, 6, false), 0,
	   "a victim without memory: the data is right");
	must(group_write("stuck", "memory.max", "max"));
	is(guest_end(&g), 0, "a victim without memory: ends");
	munmap(at, 16 * MB);
}

static void test_stuck_frames(void)
{
	test_stuck_victim(half_the_gpu);
}

/* There are more units than frames, and as many may have to be tried. */
static void test_stuck_units(void)
{
	must(!set_param(pair.uvm, "root_chunk_granularity", "64k"));
	test_stuck_victim(half_the_gpu_in_units);
}

/* ---- the OOM killer --------------------------------------------------- */

/* Pages that are on the GPU come home to where there is no room. */
static int fetch_over_limit(void)
{
	char *at = managed(pair.uvm, 16 * MB);

	must(!gpu_fill(&pair, at, 8 * PAGES, PAGE, 1));
	return cpu_wrong(at, 8 * PAGES, PAGE, 1, false);
}

static void test_killed(void)
{
	static const struct {
		const char *what;
		int (*work)(void);
	} rows[] = {
		{ "touching over the limit", touch_by_cpu },
		{ "fetching over the limit", fetch_over_limit },
	};
	char *at = managed(pair.uvm, BLOCK);

	cpu_fill(at, PAGES, PAGE, 8);
	for (unsigned int i = 0; i < ARRAY_SIZE(rows); i++) {
		long kills;
		struct guest g;

		group_make("killed", 10 * MB);
		kills = group_read("killed", "memory.events", "oom_kill");
		g = guest_start("killed", rows[i].work);
		is(guest_result(&g), -1, "%s: is not survived", rows[i].what);
		is(guest_end(&g), -SIGKILL, "%s: it is killed", rows[i].what);
		is(group_read("killed", "memory.events", "oom_kill") - kills, 1,
		   "%s: by the OOM killer", rows[i].what);
		ok(falls_below("killed", SLACK), "%s: the charge is given back", rows[i].what);
	}
	is(cpu_wrong(at, PAGES, PAGE, 8, false), 0, "killed: a neighbour's data is right");
	must(!gpu_fill(&pair, at, PAGES, PAGE, 9));
	is(cpu_wrong(at, PAGES, PAGE, 9, false), 0, "killed: a neighbour goes on");
	munmap(at, BLOCK);
}

/* ---- all -------------------------------------------------------------- */

/* Four frames of GPU memory, and we in a cgroup of our own. */
static void small_gpu(void (*test)(void))
{
	int gpu = open("/dev/softgpu0", O_RDWR);

	must(gpu >= 0);
	must(!vram_limit(gpu, 8 * MB));
	test();
	close(gpu);
}

static void charged(void) { small_gpu(test_charged); }
static void evicted_by_other(void) { small_gpu(test_evicted_by_other); }
static void limits(void) { small_gpu(test_limits); }
static void stuck_frames(void) { small_gpu(test_stuck_frames); }
static void stuck_units(void) { small_gpu(test_stuck_units); }

static const struct test_case cases[] = {
	{ "charged", charged },
	{ "evicted-by-other", evicted_by_other },
	{ "limits", limits },
	{ "stuck-frames", stuck_frames },
	{ "stuck-units", stuck_units },
};

/* The OOM killer talks in the kernel log, so these are for themselves. */
static int run_killed(void)
{
	warm_up();
	leak_begin();
	pair = pair_open();
	test_killed();
	pair_close(&pair);
	leak_end("killed");
	return tap_finish();
}

int main(int argc, char **argv)
{
	must(!mount("none", ROOT, "cgroup2", 0, NULL) || errno == EBUSY);
	must(group_write("", "cgroup.subtree_control", "+memory"));
	group_make("other", 0);
	must(group_write("other", "cgroup.procs", "0"));
	if (argc > 1 && !strcmp(argv[1], "killed"))
		return run_killed();
	return run_cases(argc, argv, "cgroup", cases, ARRAY_SIZE(cases));
}
