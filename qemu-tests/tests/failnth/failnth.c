// SPDX-License-Identifier: GPL-2.0
/*
 * Every allocation of a whole run fails once.
 *
 *	failnth thread	the Nth allocation of the calling thread fails, for N = 1, 2, ...
 *			until none is left to fail (fail-nth of the task)
 *	failnth half	the same for the bottom half's
 *	failnth slab	the bottom half gets no slab memory any more, from some point on
 *	failnth pages	nor pages
 *
 * With units of 64 KB where NAME=VALUE, parameters of the driver, follow the step.
 *
 * A run is: open, register, load, map, fill, migrate, launch, wait, touch, unmap
 * a part, close, with eviction.  Each time the run must end well with right data
 * or be refused with an errno, or the launch must end with ENOMEM; a touch that
 * cannot be served may kill its process.  Never wrong data.  Fails if no failure
 * was injected.
 */
#include <dirent.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "pages_test.h"

/* Every 32nd page of three blocks, of which two fit; the last one is partial. */
#define STRIDE		(32 * UVM_PAGE_SIZE)
#define COUNT		40UL
#define BYTES		(COUNT * STRIDE)
#define USABLE		(2 * UVM_BLOCK_SIZE)
/* As units of 64 KB they are 2.5 MB. */
#define USABLE_64K	UVM_BLOCK_SIZE
#define NTH_MAX		20000
#define BOTTOM_HALF	"uvm-gpu0-bh"

/* How a run ended; exit statuses that nothing else has. */
enum outcome {
	RIGHT = 10,	/* all done, data right */
	REFUSED,	/* an errno */
	NO_MEMORY,	/* the launch ended with ENOMEM */
	KILLED,		/* SIGKILL or SIGBUS at a touch */
	WRONG,
	OUTCOMES,
};

static const char * const outcome_names[OUTCOMES] = {
	[RIGHT] = "right",
	[REFUSED] = "refused",
	[NO_MEMORY] = "launches ended with ENOMEM",
	[KILLED] = "killed at a touch",
	[WRONG] = "WRONG",
};

static unsigned long count[OUTCOMES];

/* Else the thread that fills a block allocates all of it, nothing is left to fail. */
static bool small_pages;

/* NAME=VALUE, up to a NULL. */
static char **params;

static void write_file(const char *path, const char *text)
{
	int fd = open(path, O_WRONLY);

	if (fd < 0 || write(fd, text, strlen(text)) < 0)
		fail("%s: %s", path, strerror(errno));
	close(fd);
}

static void write_number(const char *path, long n)
{
	char text[32];

	snprintf(text, sizeof(text), "%ld", n);
	write_file(path, text);
}

static long read_number(const char *path)
{
	FILE *f = fopen(path, "r");
	long n;

	if (!f || fscanf(f, "%ld", &n) != 1)
		fail("%s: %s", path, strerror(errno));
	fclose(f);
	return n;
}

/* ---- one run, in a child ---------------------------------------------- */

/* Every error but these would be a wrong excuse for lack of memory. */
static int refused(int err, const char *what, const char *why)
{
	if (err == -ENOMEM || err == -EAGAIN || err == -ENFILE)
		return REFUSED;
	printf("# %s: %s\n", what, why);
	return WRONG;
}

/* The launch's own lack of memory is an outcome as well. */
static int run_synchronize(struct uvm *u)
{
	const struct uvm_failure *f;
	int err = uvm_synchronize(u);

	if (!err)
		return RIGHT;
	f = uvm_failure(u);
	if (!f)
		return refused(err, "wait", uvm_last_error(u));
	if (f->wait.reason == SOFTGPU_FAIL_NO_MEMORY && f->wait.error == ENOMEM)
		return NO_MEMORY;
	printf("# launch: %s\n", uvm_last_error(u));
	return WRONG;
}

static volatile uint32_t *word(void *buffer, uint64_t i)
{
	return (volatile uint32_t *)((char *)buffer + i * STRIDE);
}

static int run_launch(struct uvm *u, uint32_t image, void *buffer)
{
	struct pages_args args = {
		.buffer = buffer, .pages = COUNT, .page_bytes = STRIDE,
		.access = PAGES_READ | PAGES_WRITE,
	};
	struct uvm_launch_params launch = {
		.image = image, .entry = "pages", .args = &args, .args_bytes = sizeof(args),
		.grid = UVM_DIM(2), .block = UVM_DIM(32),
	};

	return uvm_launch(u, &launch);
}

static int run_check(void *buffer, unsigned int launches)
{
	for (uint64_t i = 0; i < COUNT; i++) {
		uint32_t got = *word(buffer, i);

		if (got == page_want(i, launches))
			continue;
		printf("# word %lu holds %#x, not %#x\n", i, got, page_want(i, launches));
		return WRONG;
	}
	return RIGHT;
}

static int run_launches(struct uvm *u, uint32_t image, void *buffer)
{
	int ret;

	for (unsigned int n = 1; n <= 2; n++) {
		ret = run_launch(u, image, buffer);
		if (ret)
			return refused(ret, "launch", uvm_last_error(u));
		ret = run_synchronize(u);
		if (ret == RIGHT)
			ret = run_check(buffer, n);
		if (ret != RIGHT)
			return ret;
	}
	return RIGHT;
}

/* By address; where the first page is then, unless there was no memory to take it home. */
static int run_evict(struct uvm *u, void *buffer)
{
	struct uvm_page_residency page;
	int ret = uvm_evict(u, buffer, BYTES / 4, 0, NULL);

	if (ret)
		return refused(ret, "evict", uvm_last_error(u));
	ret = uvm_residency(u, buffer, 1, &page);
	if (ret)
		return refused(ret, "residency", uvm_last_error(u));
	if (page.resident == 1)
		return RIGHT;
	printf("# an evicted page is at processors %#x\n", page.resident);
	return WRONG;
}

/* Policies keep something of ranges that are there, and of one that comes now. */
static int run_range_state(struct uvm *u)
{
	int ret = uvm_param_set(u, "residency_policy", "returning");

	if (ret)
		return refused(ret, "parameter", uvm_last_error(u));
	if (!uvm_malloc_managed(u, STRIDE, "late"))
		return errno == ENOMEM ? REFUSED :
					 refused(-errno, "allocate", uvm_last_error(u));
	return RIGHT;
}

static int run_buffer(struct uvm *u, uint32_t image)
{
	void *buffer = uvm_malloc_managed(u, BYTES, "buffer");
	int ret;

	if (!buffer)
		return errno == ENOMEM ? REFUSED :
					 refused(-errno, "allocate", uvm_last_error(u));
	for (uint64_t i = 0; i < COUNT; i++)
		*word(buffer, i) = pages_before(i);
	ret = uvm_prefetch(u, buffer, BYTES / 20, 0);
	if (ret)
		return refused(ret, "migrate", uvm_last_error(u));
	ret = run_launches(u, image, buffer);
	if (ret != RIGHT)
		return ret;
	ret = run_evict(u, buffer);
	if (ret != RIGHT)
		return ret;
	ret = run_range_state(u);
	if (ret != RIGHT)
		return ret;
	ret = uvm_prefetch_async(u, buffer, BYTES / 20, UVM_PROCESSOR_CPU, NULL);
	if (ret)
		return refused(ret, "migrate back", uvm_last_error(u));
	/* A part, so that the range is split. */
	if (munmap((char *)buffer + 10 * STRIDE, 20 * STRIDE))
		return refused(-errno, "munmap", strerror(errno));
	if (*word(buffer, 9) != page_want(9, 2) || *word(buffer, 30) != page_want(30, 2))
		return WRONG;
	ret = uvm_wait_fence(u, 0);
	if (ret)
		return refused(ret, "wait for migration", uvm_last_error(u));
	return RIGHT;
}

/* Also what goes with a device that has extensions on. */
static int run_params(struct uvm *u)
{
	int ret = *params ? uvm_param_set(u, "root_chunk_granularity", "64k") : 0;

	for (char **p = params; *p && !ret; p++) {
		char name[64];

		snprintf(name, sizeof(name), "%.*s", (int)strcspn(*p, "="), *p);
		ret = uvm_param_set(u, name, strchr(*p, '=') + 1);
	}
	return ret;
}

/* With a limit of its own there are frames to be cut. */
static uint64_t usable(void)
{
	return *params && strncmp(*params, "gpu_memory_limit_kb", 19) ? USABLE_64K : USABLE;
}

static int run_opened(struct uvm *u)
{
	uint32_t image;
	int ret;

	/* Granularity is for who comes first. */
	ret = run_params(u);
	if (ret)
		return refused(ret, "parameter", uvm_last_error(u));
	ret = uvm_load_builtin(u, 0, "pages", &image);
	if (ret)
		return refused(ret, "load", uvm_last_error(u));
	ret = uvm_vram_limit(u, 0, usable(), NULL);
	if (ret)
		return refused(ret, "limit", uvm_last_error(u));
	/* Fewer pages, fewer runs. */
	ret = uvm_param_set(u, "prefetch_policy", "none");
	if (ret)
		return refused(ret, "parameter", uvm_last_error(u));
	if (small_pages)
		ret = uvm_param_set(u, "cpu_chunk_allocation_sizes", "4096");
	if (ret)
		return refused(ret, "parameter", uvm_last_error(u));
	return run_buffer(u, image);
}

static int run(void)
{
	struct uvm *u;
	int gpu = 0, ret;

	ret = uvm_open(&u, &gpu, 1);
	if (ret)
		return refused(ret, "open", uvm_last_error(NULL));
	ret = run_opened(u);
	uvm_close(u);
	return ret;
}

static void nth_write(int fd, long nth)
{
	char text[32];
	int bytes = snprintf(text, sizeof(text), "%ld", nth);

	if (pwrite(fd, text, bytes, 0) != bytes)
		fail("fail-nth: %s", strerror(errno));
}

static long nth_read(int fd)
{
	char text[32] = "";

	if (pread(fd, text, sizeof(text) - 1, 0) <= 0)
		fail("fail-nth: %s", strerror(errno));
	return atol(text);
}

/* The whole run, with the allocation of the file's task failing that it says. */
static void __attribute__((noreturn)) child(const char *fail_nth, long nth, int report)
{
	/* Open before: opening allocates. */
	int fd = fail_nth ? open(fail_nth, O_RDWR | O_CLOEXEC) : -1, ret;
	long left = 0;

	if (fail_nth)
		nth_write(fd, nth);
	ret = run();
	if (fail_nth) {
		left = nth_read(fd);
		nth_write(fd, 0);
	}
	fflush(stdout);
	if (write(report, &left, sizeof(left)) != sizeof(left))
		_exit(WRONG);
	_exit(ret);
}

/* One run; @left: what was not injected, 0 if it was (or the child is dead). */
static enum outcome run_in_child(const char *fail_nth, long nth, long *left)
{
	int report[2], status;
	pid_t pid;

	fflush(stdout);
	if (pipe(report))
		fail("pipe: %s", strerror(errno));
	pid = fork();
	if (pid < 0)
		fail("fork: %s", strerror(errno));
	if (!pid)
		child(fail_nth, nth, report[1]);
	close(report[1]);
	*left = 0;
	if (read(report[0], left, sizeof(*left)) < 0)
		fail("read: %s", strerror(errno));
	close(report[0]);
	if (waitpid(pid, &status, 0) != pid)
		fail("waitpid: %s", strerror(errno));
	if (WIFEXITED(status) && WEXITSTATUS(status) >= RIGHT && WEXITSTATUS(status) < OUTCOMES)
		return WEXITSTATUS(status);
	/* VM_FAULT_OOM: the killer takes it, or it gets SIGBUS. */
	if (WIFSIGNALED(status) && (WTERMSIG(status) == SIGKILL || WTERMSIG(status) == SIGBUS))
		return KILLED;
	printf("# status %#x\n", status);
	return WRONG;
}

static int summary(unsigned long injected)
{
	bool bad = count[WRONG] || !injected || !count[RIGHT];

	printf("# %lu failures injected:", injected);
	for (int i = RIGHT; i < OUTCOMES; i++)
		printf(" %lu %s%s", count[i], outcome_names[i], i < OUTCOMES - 1 ? "," : "\n");
	if (!injected)
		printf("no failure was injected\n");
	return bad;
}

static int every_nth(const char *fail_nth, long step)
{
	unsigned long injected = 0;
	long nth, left;

	for (nth = 1; nth < NTH_MAX; nth += step) {
		enum outcome outcome = run_in_child(fail_nth, nth, &left);

		count[outcome]++;
		if (outcome == WRONG)
			printf("# allocation %ld: %s\n", nth, outcome_names[outcome]);
		if (left) {
			if (outcome != RIGHT)
				printf("# not injected, but %s\n", outcome_names[outcome]);
			return summary(injected) || outcome != RIGHT;
		}
		injected++;
	}
	printf("the run never ends\n");
	return 1;
}

/* ---- the bottom half -------------------------------------------------- */

static int find_task(const char *comm)
{
	DIR *proc = opendir("/proc");
	struct dirent *entry;
	int found = 0;

	while (!found && (entry = readdir(proc))) {
		char path[300], text[32] = "";
		FILE *f;

		snprintf(path, sizeof(path), "/proc/%s/comm", entry->d_name);
		f = fopen(path, "r");
		if (!f)
			continue;
		if (fgets(text, sizeof(text), f) && !strncmp(text, comm, strlen(comm)))
			found = atoi(entry->d_name);
		fclose(f);
	}
	closedir(proc);
	if (!found)
		fail("no task %s", comm);
	return found;
}

static void attribute(const char *kind, const char *name, long value)
{
	char path[128];

	snprintf(path, sizeof(path), "/sys/kernel/debug/%s/%s", kind, name);
	write_number(path, value);
}

static bool attribute_exists(const char *kind, const char *name)
{
	char path[128];

	snprintf(path, sizeof(path), "/sys/kernel/debug/%s/%s", kind, name);
	return !access(path, F_OK);
}

/* Everything may fail, also what may wait for memory, also single pages. */
static void allow(const char *kind)
{
	static const char * const filters[] = {
		"ignore-gfp-wait", "ignore-gfp-highmem", "min-order", "cache-filter", "verbose",
	};

	attribute(kind, "task-filter", 1);
	for (size_t i = 0; i < sizeof(filters) / sizeof(filters[0]); i++)
		if (attribute_exists(kind, filters[i]))
			attribute(kind, filters[i], 0);
}

/* Fail allocations of the bottom half after so many bytes (or pages). */
static void arm(const char *kind, long space, long times)
{
	attribute(kind, "interval", 1);
	attribute(kind, "space", space);
	attribute(kind, "times", times);
	attribute(kind, "probability", 100);
}

static bool disarm(const char *kind, long times)
{
	char path[128];
	long left;

	snprintf(path, sizeof(path), "/sys/kernel/debug/%s/times", kind);
	left = read_number(path);
	attribute(kind, "probability", 0);
	return left < times;
}

static int from_some_point_on(const char *kind, long unit, long step)
{
	const long times = 1000000;
	unsigned long injected = 0;
	bool hit = true;
	char path[64];
	long nth, left;

	snprintf(path, sizeof(path), "/proc/%d/make-it-fail", find_task(BOTTOM_HALF));
	write_number(path, 1);
	for (nth = 0; nth < NTH_MAX && hit; nth += step) {
		enum outcome outcome;

		arm(kind, nth * unit, times);
		outcome = run_in_child(NULL, 0, &left);
		hit = disarm(kind, times);
		count[outcome]++;
		injected += hit;
		if (outcome != WRONG && (hit || outcome == RIGHT))
			continue;
		printf("# %s, from %ld on: %s%s\n", kind, nth * unit, outcome_names[outcome],
		       hit ? "" : ", not injected");
		count[WRONG] += outcome != WRONG;
	}
	write_number(path, 0);
	return summary(injected);
}

int main(int argc, char **argv)
{
	const char *mode = argc > 1 ? argv[1] : "";
	long step = argc > 2 ? atol(argv[2]) : 1;
	char path[64];

	params = argv + (argc > 3 ? 3 : argc);
	for (char **p = params; *p; p++)
		if (!strchr(*p, '='))
			fail("%s: NAME=VALUE is wanted", *p);
	setvbuf(stdout, NULL, _IOLBF, 0);
	small_pages = !strcmp(mode, "pages");
	/* Once without, for what is made at first use. */
	if (run_in_child(NULL, 0, &(long){ 0 }) != RIGHT)
		fail("the run fails without injection");
	allow("failslab");
	allow("fail_page_alloc");
	if (!strcmp(mode, "thread"))
		return every_nth("/proc/thread-self/fail-nth", step);
	if (!strcmp(mode, "half")) {
		snprintf(path, sizeof(path), "/proc/%d/fail-nth", find_task(BOTTOM_HALF));
		return every_nth(path, step);
	}
	if (!strcmp(mode, "slab"))
		return from_some_point_on("failslab", 64, step);
	if (!strcmp(mode, "pages"))
		return from_some_point_on("fail_page_alloc", 1, step);
	fprintf(stderr, "usage: failnth thread|half|slab|pages [STEP [NAME=VALUE...]]\n");
	return 2;
}
