// SPDX-License-Identifier: GPL-2.0
/*
 * Processes, four of them, at once do to managed memory what programs do, and what they
 * should not: launches, touches from both sides, explicit migration, munmap of
 * a part and of all under a running kernel, new mappings at old addresses, fork,
 * closing in the middle, and SIGKILL at any time.  Data must be right always.
 *
 *	stress SECONDS [SEED [PROCESSES]]
 *
 * On failure says what was wrong, with the seed, and exits with 1.
 */
#include <fcntl.h>
#include <signal.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "pages_test.h"

#define WORKERS_MAX	16
#define BUFFERS		3
#define PAGES_MAX	640U	/* a block and a remainder */
#define ATOMICS		256U

/* A managed buffer and what its words must hold. */
struct buffer {
	char *at;
	unsigned int pages;		/* still mapped; the rest was unmapped */
	uint32_t gpu[PAGES_MAX];
	uint32_t cpu[PAGES_MAX];
};

struct worker {
	struct uvm *uvm;
	uint32_t image, atomic_image;
	struct buffer buffers[BUFFERS];
	uint32_t *atomics;
	uint32_t count;
	uint64_t random;
	uint64_t seed;
	const char *doing;
	unsigned long steps;
};

static struct worker w;

static void wrong(const char *format, ...) __attribute__((format(printf, 1, 2), noreturn));
static void wrong(const char *format, ...)
{
	char text[256];
	va_list args;

	va_start(args, format);
	vsnprintf(text, sizeof(text), format, args);
	va_end(args);
	fail("seed %lu, step %lu, %s: %s", w.seed, w.steps, w.doing, text);
}

static void check(int err)
{
	if (err)
		wrong("%s", uvm_last_error(w.uvm));
}

static unsigned int pick(unsigned int n)
{
	return next_random(&w.random) % n;
}

static struct buffer *pick_buffer(void)
{
	struct buffer *b = &w.buffers[pick(BUFFERS)];

	return b->pages ? b : NULL;
}

static void fill(struct buffer *b, unsigned int first)
{
	for (unsigned int i = first; i < b->pages; i++) {
		b->gpu[i] = pages_before(i);
		b->cpu[i] = 0;
		*page_word(b->at, i, WORD_GPU) = b->gpu[i];
	}
}

static void new_buffer(struct buffer *b)
{
	b->pages = 1 + pick(PAGES_MAX);
	b->at = uvm_malloc_managed(w.uvm, b->pages * UVM_PAGE_SIZE, "buffer");
	if (!b->at)
		wrong("%s", uvm_last_error(w.uvm));
	fill(b, 0);
}

static void check_page(struct buffer *b, unsigned int page)
{
	uint32_t gpu = *page_word(b->at, page, WORD_GPU);
	uint32_t cpu = *page_word(b->at, page, WORD_CPU);

	if (gpu != b->gpu[page] || cpu != b->cpu[page])
		wrong("page %u of %u at %p: GPU word %#x, not %#x; CPU word %u, not %u", page,
		      b->pages, b->at, gpu, b->gpu[page], cpu, b->cpu[page]);
}

static void touch(struct buffer *b, unsigned int times)
{
	while (times--) {
		unsigned int page = pick(b->pages);
		volatile uint32_t *word = page_word(b->at, page, WORD_CPU);

		if (*word != b->cpu[page])
			wrong("page %u: CPU word %u, not %u", page, *word, b->cpu[page]);
		*word = ++b->cpu[page];
	}
}

static void launch(struct buffer *b, unsigned int pages)
{
	check(pages_launch(w.uvm, w.image, b->at, pages));
	for (unsigned int i = 0; i < pages; i++)
		b->gpu[i] = ~b->gpu[i];
}

/* ---- steps ------------------------------------------------------------ */

static void step_launch(void)
{
	struct buffer *b = pick_buffer();

	if (!b)
		return;
	launch(b, 1 + pick(b->pages));
	touch(b, pick(20));
	check(uvm_synchronize(w.uvm));
	for (unsigned int i = 0; i < 20; i++)
		check_page(b, pick(b->pages));
}

static void step_check_all(void)
{
	struct buffer *b = pick_buffer();

	for (unsigned int i = 0; b && i < b->pages; i++)
		check_page(b, i);
}

static void step_prefetch(void)
{
	int to = pick(2) ? 0 : UVM_PROCESSOR_CPU;
	struct buffer *b = pick_buffer();
	unsigned int first, pages;
	uint64_t fence;

	if (!b)
		return;
	first = pick(b->pages);
	pages = 1 + pick(b->pages - first);
	check(uvm_prefetch_async(w.uvm, b->at + first * UVM_PAGE_SIZE, pages * UVM_PAGE_SIZE, to,
				 &fence));
	touch(b, pick(10));
	if (pick(2))
		launch(b, b->pages);
	check(uvm_wait_fence(w.uvm, pick(2) ? fence : 0));
	check(uvm_synchronize(w.uvm));
	check_page(b, first);
}

static void step_atomics(void)
{
	struct test_atomic_args args = {
		.count = w.atomics, .max = w.atomics + 1, .bits = w.atomics + 2, .rounds = 2,
	};
	struct uvm_launch_params params = {
		.image = w.atomic_image, .entry = "test_atomic", .args = &args,
		.args_bytes = sizeof(args), .grid = UVM_DIM(ATOMICS / 64), .block = UVM_DIM(64),
	};

	check(uvm_launch(w.uvm, &params));
	w.count += ATOMICS * args.rounds;
	/* The CPU counts along in the same page, as it may. */
	__atomic_fetch_add(w.atomics + 1000, 1, __ATOMIC_RELAXED);
	check(uvm_synchronize(w.uvm));
	if (w.atomics[0] != w.count || w.atomics[1] != ATOMICS - 1)
		wrong("count %u, not %u; max %u", w.atomics[0], w.count, w.atomics[1]);
	for (unsigned int i = 0; i < ATOMICS / 32; i++)
		if (w.atomics[2 + i] != ~0U)
			wrong("bits %#x", w.atomics[2 + i]);
}

/* Unmap the end of a buffer, or all of it; perhaps map it again, then it is zero. */
static void step_unmap(void)
{
	struct buffer *b = pick_buffer();
	unsigned int keep, pages;
	char *end;

	if (!b)
		return;
	pages = b->pages;
	keep = pick(2) ? pick(pages) : 0;
	end = b->at + keep * UVM_PAGE_SIZE;
	/* What is being moved, and what a kernel next door works on. */
	if (pick(2))
		check(uvm_prefetch_async(w.uvm, b->at, pages * UVM_PAGE_SIZE, 0, NULL));
	if (keep && pick(2))
		launch(b, keep);
	if (munmap(end, (pages - keep) * UVM_PAGE_SIZE))
		wrong("munmap: %s", strerror(errno));
	b->pages = keep;
	if (pick(2)) {
		if (mmap(end, (pages - keep) * UVM_PAGE_SIZE, PROT_READ | PROT_WRITE,
			 MAP_SHARED | MAP_FIXED, uvm_fd(w.uvm), (off_t)end) == MAP_FAILED)
			wrong("mmap: %s", strerror(errno));
		b->pages = pages;
		for (unsigned int i = keep; i < pages; i++)
			if (*page_word(b->at, i, WORD_GPU) || *page_word(b->at, i, WORD_CPU))
				wrong("page %u of a new mapping holds %#x, %u", i,
				      *page_word(b->at, i, WORD_GPU),
				      *page_word(b->at, i, WORD_CPU));
		fill(b, keep);
	}
	check(uvm_synchronize(w.uvm));
	if (keep)
		check_page(b, pick(keep));
	check(uvm_wait_fence(w.uvm, 0));
	if (!b->pages) {
		check(uvm_free(w.uvm, b->at));
		new_buffer(b);
	}
}

/*
 * Unmap what a kernel works on: it may be done, or have met the hole.  In what
 * is left each page was changed or not.
 */
static void step_unmap_under_kernel(void)
{
	struct buffer *b = pick_buffer();
	unsigned int keep, pages;
	char *end;
	int err;

	if (!b || b->pages < 2)
		return;
	pages = b->pages;
	keep = 1 + pick(pages - 1);
	end = b->at + keep * UVM_PAGE_SIZE;
	launch(b, pages);
	touch(b, pick(3));
	if (munmap(end, (pages - keep) * UVM_PAGE_SIZE))
		wrong("munmap: %s", strerror(errno));
	b->pages = keep;
	err = uvm_synchronize(w.uvm);
	if (err) {
		const struct uvm_failure *f = uvm_failure(w.uvm);

		if (!f || f->wait.reason != SOFTGPU_FAIL_FAULT || f->wait.address < (uint64_t)end ||
		    f->wait.address >= (uint64_t)b->at + pages * UVM_PAGE_SIZE)
			wrong("%s, hole at %p", uvm_last_error(w.uvm), end);
	}
	for (unsigned int i = 0; i < keep; i++) {
		uint32_t got = *page_word(b->at, i, WORD_GPU);

		if (got != b->gpu[i] && (!err || got != ~b->gpu[i]))
			wrong("page %u holds %#x, not %#x%s", i, got, b->gpu[i],
			      err ? " nor its inverse" : "");
		b->gpu[i] = got;
	}
}

/* A child does not have the mapping, and cannot harm the parent. */
static void step_fork(void)
{
	struct buffer *b = pick_buffer();
	struct uvm_quiesce quiesce = { .size = sizeof(quiesce) };
	int status;
	pid_t pid;

	if (!b)
		return;
	if (pick(2))
		launch(b, b->pages);
	pid = fork();
	if (pid < 0)
		return;		/* no memory is no failure */
	if (!pid) {
		ioctl(uvm_fd(w.uvm), UVM_IOC_QUIESCE, &quiesce);
		signal(SIGSEGV, SIG_DFL);
		_exit(*page_word(b->at, 0, WORD_GPU) ? 100 : 101);
	}
	check(uvm_synchronize(w.uvm));
	if (waitpid(pid, &status, 0) != pid)
		wrong("waitpid: %s", strerror(errno));
	if (!WIFSIGNALED(status) || WTERMSIG(status) != SIGSEGV)
		wrong("a child has the mapping: status %#x", status);
	check_page(b, pick(b->pages));
}

/* A second VA space, closed this way or that in the middle of its work. */
static void step_close(void)
{
	struct uvm *other;
	uint32_t image;
	char *at;
	int gpu = 0;

	if (uvm_open(&other, &gpu, 1))
		wrong("open: %s", uvm_last_error(NULL));
	at = uvm_malloc_managed(other, 64 * UVM_PAGE_SIZE, "other");
	if (!at || uvm_load_builtin(other, 0, "pages", &image))
		wrong("second VA space: %s", uvm_last_error(other));
	pages_fill(at, pick(64));
	if (pages_launch(other, image, at, 64))
		wrong("second VA space: %s", uvm_last_error(other));
	if (pick(2))
		uvm_prefetch_async(other, at, 64 * UVM_PAGE_SIZE, pick(2) ? 0 : -1, NULL);
	switch (pick(3)) {
	case 0:
		close(uvm_gpu_fd(other, 0));
		break;
	case 1:
		/* The mapping keeps the VA space; a later close finds EBADF. */
		close(uvm_fd(other));
		break;
	}
	if (pick(2))
		munmap(at, 32 * UVM_PAGE_SIZE);
	uvm_close(other);
}

static const struct {
	void (*step)(void);
	const char *name;
	unsigned int weight;
} steps[] = {
	{ step_launch, "launch", 10 },
	{ step_check_all, "check", 2 },
	{ step_prefetch, "prefetch", 5 },
	{ step_atomics, "atomics", 3 },
	{ step_unmap, "munmap", 4 },
	{ step_unmap_under_kernel, "munmap under a kernel", 2 },
	{ step_fork, "fork", 2 },
	{ step_close, "close", 2 },
};

static void one_step(void)
{
	unsigned int total = 0, i, at;

	for (i = 0; i < sizeof(steps) / sizeof(steps[0]); i++)
		total += steps[i].weight;
	at = pick(total);
	for (i = 0; at >= steps[i].weight; i++)
		at -= steps[i].weight;
	w.doing = steps[i].name;
	steps[i].step();
	w.steps++;
}

/* ---- processes -------------------------------------------------------- */

static unsigned long now_ms(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return now.tv_sec * 1000UL + now.tv_nsec / 1000000;
}

/* Any policy of those that there are. */
static void choose(const char *param)
{
	struct uvm_get_choice choice;
	struct uvm_get_param p;
	uint32_t i = 0;

	do
		check(uvm_param_get(w.uvm, i, &p));
	while (strcmp(p.name, param) && ++i);
	check(uvm_choice_get(w.uvm, i, pick(p.choices), &choice));
	check(uvm_param_set(w.uvm, param, choice.name));
}

/* Until the time is over; exits without closing every other time. */
static void __attribute__((noreturn)) work(uint64_t seed, unsigned long until, int report)
{
	int gpu = 0;

	w.seed = seed;
	w.random = seed * 0x9e3779b97f4a7c15ULL;
	w.doing = "open";
	if (uvm_open(&w.uvm, &gpu, 1))
		wrong("%s", uvm_last_error(NULL));
	check(uvm_load_builtin(w.uvm, 0, "pages", &w.image));
	check(uvm_load_builtin(w.uvm, 0, "test_atomic", &w.atomic_image));
	if (pick(2))
		choose("prefetch_policy");
	if (pick(4) == 0)
		choose("eviction_policy");
	for (unsigned int i = 0; i < BUFFERS; i++)
		new_buffer(&w.buffers[i]);
	w.atomics = uvm_malloc_managed(w.uvm, UVM_PAGE_SIZE, "atomics");
	if (!w.atomics)
		wrong("%s", uvm_last_error(w.uvm));
	while (now_ms() < until) {
		one_step();
		if (write(report, "", 1) != 1)
			_exit(2);
	}
	w.doing = "close";
	if (seed & 1)
		uvm_close(w.uvm);
	_exit(0);
}

static pid_t start(uint64_t seed, unsigned long until, int report)
{
	pid_t pid = fork();

	if (pid < 0)
		fail("fork: %s", strerror(errno));
	if (!pid)
		work(seed, until, report);
	return pid;
}

static unsigned long drain(int fd)
{
	char bytes[4096];
	unsigned long n = 0;
	ssize_t got;

	while ((got = read(fd, bytes, sizeof(bytes))) > 0)
		n += got;
	return n;
}

int main(int argc, char **argv)
{
	unsigned long seconds = argc > 1 ? strtoul(argv[1], NULL, 0) : 10;
	uint64_t seed = argc > 2 ? strtoul(argv[2], NULL, 0) : 1, random = seed;
	unsigned long until = now_ms() + seconds * 1000, kills = 0, done = 0, life;
	unsigned int workers = argc > 3 ? strtoul(argv[3], NULL, 0) : 4;
	pid_t pids[WORKERS_MAX];
	int report[2], status;
	bool bad = false;

	if (!workers || workers > WORKERS_MAX)
		fail("1 to %d processes", WORKERS_MAX);
	if (pipe2(report, O_NONBLOCK | O_CLOEXEC))
		fail("pipe: %s", strerror(errno));
	for (unsigned int i = 0; i < workers; i++)
		pids[i] = start(seed++, until, report[1]);

	/* One of them dies every now and then, and another takes its place. */
	while (!bad && now_ms() + 3000 < until) {
		unsigned int victim = next_random(&random) % workers;

		life = 200 + next_random(&random) % 1500;
		usleep(life * 1000);
		done += drain(report[0]);
		if (waitpid(pids[victim], &status, WNOHANG) == 0) {
			kill(pids[victim], SIGKILL);
			waitpid(pids[victim], &status, 0);
			kills++;
		} else {
			bad = true;
			break;
		}
		pids[victim] = start(seed++, until, report[1]);
	}
	for (unsigned int i = 0; i < workers; i++) {
		if (waitpid(pids[i], &status, 0) == pids[i] && status)
			bad = true;
	}
	done += drain(report[0]);
	printf("%lu steps, %lu processes killed\n", done, kills);
	if (!done || (seconds > 10 && !kills))
		fail("nothing was done");
	return bad;
}
