// SPDX-License-Identifier: GPL-2.0
/*
 * The five hangs that the virtual clock's protocol must not have, and one of readers
 * of events, each with 8 blocks of which 4 fit, so that every lock is contended.
 * Says nothing and exits with 0 if all went well; with -p prints the counters, which
 * must not depend on what other threads of the process did to mmap_lock.
 */
#include <fcntl.h>
#include <linux/uvm.h>
#include <pthread.h>
#include <stdatomic.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <unistd.h>

#include "addresses.h"
#include "pages_test.h"

#define BLOCKS		8UL
#define PAGES		(BLOCKS * (UVM_BLOCK_SIZE / UVM_PAGE_SIZE))
#define HALF		(PAGES / 2)
#define USABLE		(4 * UVM_BLOCK_SIZE)
#define TOUCHES		300
#define THREADS		2
#define ROUNDS		3

static struct uvm *uvm;
static uint32_t image;
static void *buffer;
static unsigned int launches;
static uint32_t touched[THREADS][PAGES];	/* what the CPU words must hold */
static atomic_bool stop;
static atomic_ulong noises;

static void check(int err, const char *what)
{
	if (err)
		fail("%s: %s", what, uvm_last_error(uvm));
}

static void setup(void)
{
	int gpu = 0;

	if (uvm_open(&uvm, &gpu, 1))
		fail("open: %s", uvm_last_error(NULL));
	check(uvm_load_builtin(uvm, 0, "pages", &image), "load");
	check(uvm_vram_limit(uvm, 0, USABLE, NULL), "limit");
	buffer = uvm_malloc_managed(uvm, PAGES * UVM_PAGE_SIZE, "buffer");
	if (!buffer)
		fail("allocate: %s", uvm_last_error(uvm));
	pages_fill(buffer, PAGES);
}

static void launch(uint64_t pages)
{
	check(pages_launch(uvm, image, buffer, pages), "launch");
}

/* Touch pages all over, each touch one more in this thread's word of the page. */
static void touch(unsigned int thread, uint64_t *seed, uint64_t pages, unsigned int times)
{
	while (times--) {
		uint64_t page = next_random(seed) % pages;
		volatile uint32_t *word = page_word(buffer, page, WORD_CPU + thread);

		if (*word != touched[thread][page])
			fail("page %lu, thread %u: %u touches are left of %u", page, thread, *word,
			     touched[thread][page]);
		*word = ++touched[thread][page];
	}
}

static void verify_range(uint64_t first, uint64_t pages)
{
	for (uint64_t i = first; i < pages; i++) {
		uint32_t got = *page_word(buffer, i, WORD_GPU);

		if (got != page_want(i, launches))
			fail("page %lu holds %#x after %u launches, not %#x", i, got, launches,
			     page_want(i, launches));
		for (unsigned int t = 0; t < THREADS; t++) {
			got = *page_word(buffer, i, WORD_CPU + t);
			if (got != touched[t][i])
				fail("page %lu: thread %u touched it %u times, %u are left", i, t,
				     touched[t][i], got);
		}
	}
}

static void verify(uint64_t pages)
{
	verify_range(0, pages);
}

/* ---- other threads ---------------------------------------------------- */

static void *touch_thread(void *arg)
{
	uint64_t seed = 77;

	(void)arg;
	while (!stop) {
		touch(1, &seed, PAGES, 20);
		noises++;
	}
	return NULL;
}

/* Takes mmap_lock for writing, again and again. */
static void *map_thread(void *arg)
{
	(void)arg;
	while (!stop) {
		char *p = mmap(NULL, 65536, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

		if (p == MAP_FAILED)
			fail("mmap: %s", strerror(errno));
		*p = 1;
		munmap(p, 65536);
		noises++;
	}
	return NULL;
}

static void *wait_thread(void *arg)
{
	struct softgpu_wait *wait = arg;

	if (ioctl(uvm_gpu_fd(uvm, 0), SOFTGPU_IOC_WAIT, wait))
		fail("wait: %s", strerror(errno));
	return NULL;
}

static void start(pthread_t *thread, void *(*fn)(void *), void *arg)
{
	if (pthread_create(thread, NULL, fn, arg))
		fail("no thread");
}

static void end_noise(pthread_t thread)
{
	stop = true;
	pthread_join(thread, NULL);
	if (!noises)
		fail("the other thread did nothing");
}

/* ---- scenarios -------------------------------------------------------- */

/* What every scenario does next to its noise: GPU and CPU at the same blocks. */
static void contend(void)
{
	uint64_t seed = 1;

	for (unsigned int round = 0; round < ROUNDS; round++) {
		launch(PAGES);
		touch(0, &seed, PAGES, TOUCHES);
		check(uvm_synchronize(uvm), "wait");
		launches++;
	}
	verify(PAGES);
}

static void h1_same_thread(void)
{
	contend();
}

static void h1_other_thread(void)
{
	pthread_t thread;

	start(&thread, touch_thread, NULL);
	for (unsigned int round = 0; round < ROUNDS; round++) {
		uint64_t seed = round;

		launch(PAGES);
		touch(0, &seed, PAGES, TOUCHES);
		check(uvm_synchronize(uvm), "wait");
		launches++;
	}
	end_noise(thread);
	verify(PAGES);
}

static void h2_mmap_thread(void)
{
	pthread_t thread;

	start(&thread, map_thread, NULL);
	contend();
	end_noise(thread);
}

static unsigned long khugepaged_collapses(void)
{
	FILE *f = fopen("/sys/kernel/mm/transparent_hugepage/khugepaged/pages_collapsed", "r");
	unsigned long n;

	if (!f || fscanf(f, "%lu", &n) != 1)
		fail("no khugepaged");
	fclose(f);
	return n;
}

/* Memory that khugepaged wants: touched as small pages, then declared huge. */
static void make_collapsible(size_t bytes)
{
	char *p = mmap((void *)UVM_ADDRESSES_END, bytes, PROT_READ | PROT_WRITE,
		       MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE, -1, 0);

	if (p == MAP_FAILED)
		fail("mmap: %s", strerror(errno));
	madvise(p, bytes, MADV_NOHUGEPAGE);
	for (size_t i = 0; i < bytes; i += UVM_PAGE_SIZE)
		p[i] = 1;
	madvise(p, bytes, MADV_HUGEPAGE);
}

/*
 * khugepaged takes mmap_lock of a single-threaded program.  On one CPU it may
 * have had no turn: then all over again, in a new program, as addresses count.
 */
static void h3_khugepaged(void)
{
	char *again[] = { "hangs", "h3-khugepaged", "-p", NULL };
	unsigned long before = khugepaged_collapses();
	const char *tries = getenv("TRIES");
	char text[] = "0";

	make_collapsible(48UL << 20);
	contend();
	if (khugepaged_collapses() != before)
		return;
	text[0] = tries ? *tries + 1 : '1';
	if (text[0] > '9' || setenv("TRIES", text, 1))
		fail("khugepaged collapsed nothing");
	execv("/proc/self/exe", again);
	fail("exec: %s", strerror(errno));
}

/* Back from a launch, with faults on their way, the program needs mmap_lock. */
static void h4_own_mmap(void)
{
	for (unsigned int round = 0; round < 20; round++) {
		void *p;

		launch(PAGES);
		p = mmap(NULL, 1 << 20, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
		if (p == MAP_FAILED || sbrk(65536) == (void *)-1)
			fail("mmap or brk: %s", strerror(errno));
		munmap(p, 1 << 20);
		check(uvm_synchronize(uvm), "wait");
		launches++;
	}
	verify(PAGES);
}

static void unmap_upper_half(void)
{
	if (munmap((char *)buffer + HALF * UVM_PAGE_SIZE, HALF * UVM_PAGE_SIZE))
		fail("munmap: %s", strerror(errno));
}

/* munmap of what is moving; the kernel works on the other half. */
static void h5_unmap_moving(void)
{
	struct softgpu_wait wait = { .size = sizeof(wait), .launch_id = 1 };
	pthread_t noise, waiter;
	uint64_t seed = 1;

	start(&noise, map_thread, NULL);
	check(uvm_prefetch_async(uvm, (char *)buffer + HALF * UVM_PAGE_SIZE,
				 HALF * UVM_PAGE_SIZE, 0, NULL), "prefetch");
	launch(HALF);
	start(&waiter, wait_thread, &wait);
	touch(0, &seed, HALF, TOUCHES / 2);
	unmap_upper_half();
	touch(0, &seed, HALF, TOUCHES / 2);
	pthread_join(waiter, NULL);
	check(uvm_synchronize(uvm), "wait");
	launches++;
	end_noise(noise);
	verify(HALF);
}

/* munmap of what the kernel is about to touch: done, or a fault in that half. */
static void h5_unmap_used(void)
{
	struct softgpu_wait wait = { .size = sizeof(wait), .launch_id = 1 };
	uint64_t start_of_half = (uint64_t)buffer + HALF * UVM_PAGE_SIZE;
	pthread_t noise, waiter;
	uint64_t seed = 1;

	start(&noise, map_thread, NULL);
	launch(PAGES);
	start(&waiter, wait_thread, &wait);
	touch(0, &seed, HALF, 20);
	unmap_upper_half();
	touch(0, &seed, HALF, TOUCHES);
	pthread_join(waiter, NULL);
	end_noise(noise);
	if (wait.state == SOFTGPU_LAUNCH_FAILED &&
	    (wait.reason != SOFTGPU_FAIL_FAULT || wait.address < start_of_half ||
	     wait.address >= start_of_half + HALF * UVM_PAGE_SIZE))
		fail("launch failed: %s at %#llx", uvm_fail_reason_name(wait.reason), wait.address);
	for (uint64_t i = 0; i < HALF; i++) {
		uint32_t got = *page_word(buffer, i, WORD_GPU);

		if (got != pages_after(i) &&
		    (wait.state == SOFTGPU_LAUNCH_DONE || got != pages_before(i)))
			fail("page %lu holds %#x", i, got);
	}
}

/* Reads events to the first page, which the GPU takes away again and again. */
static void *read_thread(void *arg)
{
	int fd = *(int *)arg;

	while (!stop) {
		if (read(fd, buffer, UVM_PAGE_SIZE) > 0)
			noises++;
		else
			usleep(100);
	}
	return NULL;
}

/*
 * A queue that is full stops the clock, and its reader's buffer is managed memory,
 * whose faults need the clock.
 */
static void h6_managed_reader(void)
{
	struct uvm_tools_attach attach = { .size = sizeof(attach), .uvm_fd = uvm_fd(uvm),
					   .entries = 64, .event_mask = UVM_EVENTS_USUAL };
	uint64_t seed = 1;
	pthread_t reader;
	int fd;

	fd = open("/dev/uvm-tools", O_RDWR | O_NONBLOCK | O_CLOEXEC);
	if (fd < 0 || ioctl(fd, UVM_TOOLS_IOC_ATTACH, &attach))
		fail("attach: %s", strerror(errno));
	start(&reader, read_thread, &fd);
	for (unsigned int round = 0; round < ROUNDS; round++) {
		launch(PAGES);
		check(uvm_synchronize(uvm), "wait");
		launches++;
		for (unsigned int i = 0; i < TOUCHES; i++) {
			uint64_t page = 1 + next_random(&seed) % (PAGES - 1);

			++*page_word(buffer, page, WORD_CPU);
			touched[0][page]++;
		}
	}
	end_noise(reader);
	close(fd);
	verify_range(1, PAGES);
}

static const struct scenario {
	const char *name;
	void (*run)(void);
} scenarios[] = {
	{ "h1-same-thread", h1_same_thread },
	{ "h1-other-thread", h1_other_thread },
	{ "h2-mmap-thread", h2_mmap_thread },
	{ "h3-khugepaged", h3_khugepaged },
	{ "h4-own-mmap", h4_own_mmap },
	{ "h5-unmap-moving", h5_unmap_moving },
	{ "h5-unmap-used", h5_unmap_used },
	{ "h6-managed-reader", h6_managed_reader },
};

static void print_counters(void)
{
	struct uvm_totals totals = uvm_launch_totals(uvm);
	struct uvm_stats stats;
	const uint64_t *values = (const uint64_t *)&stats;

	check(uvm_wait_quiet(uvm), "quiesce");
	check(uvm_stats_read(uvm, &stats, false), "stats");
	printf("%lu ns %lu instructions:", totals.gpu_time_ns, totals.instructions);
	for (size_t i = 1; i < sizeof(stats) / sizeof(*values); i++)
		printf(" %lu", values[i]);
	printf("\n");
}

int main(int argc, char **argv)
{
	for (size_t i = 0; argc > 1 && i < sizeof(scenarios) / sizeof(scenarios[0]); i++) {
		if (strcmp(argv[1], scenarios[i].name))
			continue;
		setup();
		scenarios[i].run();
		if (argc > 2)
			print_counters();
		uvm_close(uvm);
		return 0;
	}
	fprintf(stderr, "usage: hangs SCENARIO [-p]\n");
	return 2;
}
