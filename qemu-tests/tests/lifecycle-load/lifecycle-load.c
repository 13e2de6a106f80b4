// SPDX-License-Identifier: GPL-2.0
/*
 * The ends of ranges, VA spaces and contexts in the middle of work: while the GPU
 * runs a kernel whose faults are being served, and a neighbour's goes on
 * (nvidia-uvm 1.3, 1.9, 1.10).
 */
#include "common.h"

#define PAGES	(BLOCK / PAGE)
#define BLOCKS	4
#define COUNT	(BLOCKS * PAGES)
#define BYTES	(BLOCKS * BLOCK)
#define OLD	1000
#define NEW	900000

/* A kernel under way over memory that the CPU has filled. */
struct load {
	struct pair p;
	char *at;
	uint64_t launch;
};

/* How far the kernel gets before something happens, differently each time. */
static unsigned int turn;

static void load_launch(struct load *l)
{
	struct test_args args = { .address = (uintptr_t)l->at, .count = COUNT, .stride = PAGE,
				  .value = NEW };

	must(!launch_shape(&l->p, "t_fill", 2, 32, 0, &args, &l->launch));
}

/* Time passes on both clocks: on the virtual one, while somebody polls. */
static void load_let_run(const struct load *l, unsigned int much)
{
	struct softgpu_wait w;

	for (unsigned int i = 0; i < much * 40; i++)
		must(!launch_wait(l->p.gpu, l->launch, SOFTGPU_WAIT_POLL, &w));
	for (unsigned int i = 0; i < much; i++)
		(void)*(volatile char *)(l->at + i * 7 * PAGE);
	if (gpu_info(l->p.gpu).clock)
		usleep(much * 300);
}

static struct load load_begin(struct pair p)
{
	struct load l = { .p = p, .at = managed(p.uvm, BYTES) };

	cpu_fill(l.at, COUNT, PAGE, OLD);
	load_launch(&l);
	load_let_run(&l, turn++ % 5);
	return l;
}

static unsigned int load_reason(const struct load *l, struct softgpu_wait *w)
{
	must(!launch_wait(l->p.gpu, l->launch, 0, w));
	return w->reason;
}

/* Pages of [first, outer) that hold neither what was there nor what the kernel writes. */
static long load_wrong(const struct load *l, uint64_t first, uint64_t outer, bool done)
{
	long wrong = 0;

	for (uint64_t i = first; i < outer; i++) {
		uint64_t value = *(volatile uint64_t *)(l->at + i * PAGE);

		wrong += value != NEW + i && (done || value != OLD + i);
	}
	return wrong;
}

/* A neighbour in another context of the same GPU, who must not notice. */
static struct load neighbour_begin(void)
{
	return load_begin(pair);
}

static void neighbour_end(struct load *l, const char *what)
{
	struct softgpu_wait w;

	is(load_reason(l, &w), 0, "%s: a neighbour's kernel ends well", what);
	is(load_wrong(l, 0, COUNT, true), 0, "%s: a neighbour's data is right", what);
	munmap(l->at, BYTES);
}

/* ---- mappings --------------------------------------------------------- */

#define HOLE	(2 * PAGES + 400)	/* where it begins, pages */
#define WIDTH	150			/* over the end of a block or not, pages */

static int do_mprotect(char *at)
{
	return mprotect(at, WIDTH * PAGE, PROT_NONE) || mprotect(at, WIDTH * PAGE, PROT_READ) ||
	       mprotect(at, WIDTH * PAGE, PROT_READ | PROT_WRITE);
}

static int do_madvise(char *at)
{
	return madvise(at, WIDTH * PAGE, MADV_DONTNEED) || madvise(at, PAGE, MADV_DONTNEED);
}

static void child_nothing(void *at)
{
	_exit(touch(at, true) == SIGSEGV ? 0 : 1);
}

static int do_fork(char *at)
{
	return in_child(child_nothing, at);
}

static void child_execs(void *unused)
{
	char *argv[] = { "true", NULL };

	(void)unused;
	execv("/bin/true", argv);
	_exit(1);
}

static int do_exec(char *at)
{
	return in_child(child_execs, at);
}

static int do_munmap(char *at)
{
	return munmap(at, WIDTH * PAGE);
}

static int do_mremap(char *at)
{
	char *to = (char *)fresh_address(WIDTH * PAGE);

	if (mremap(at, WIDTH * PAGE, WIDTH * PAGE, MREMAP_MAYMOVE | MREMAP_FIXED, to) != to ||
	    touch(to, true) != SIGBUS)
		return 1;
	return munmap(to, WIDTH * PAGE);
}

static int do_remap(char *at)
{
	if (munmap(at, WIDTH * PAGE) || !map_managed(pair.uvm, (uintptr_t)at, WIDTH * PAGE))
		return 1;
	/* the kernel may write it anew, but nothing else can be there */
	for (uint64_t i = 0; i < WIDTH; i++) {
		uint64_t value = *(volatile uint64_t *)(at + i * PAGE);

		if (value && value != NEW + HOLE + i)
			return 1;
	}
	return 0;
}

/**
 * struct operation - something done to a span under a kernel
 * @name: what
 * @fn: does it; 0 if it worked
 * @hole: the kernel may meet a hole there
 * @lost: what was there is not there any more
 */
struct operation {
	const char *name;
	int (*fn)(char *at);
	bool hole, lost;
};

static const struct operation operations[] = {
	{ "mprotect", do_mprotect, false, false },
	{ "madvise", do_madvise, false, false },
	{ "fork", do_fork, false, false },
	{ "exec of a child", do_exec, false, false },
	{ "munmap", do_munmap, true, true },
	{ "mremap", do_mremap, true, true },
	{ "munmap and mmap", do_remap, true, true },
};

static void vma_under_load(const struct operation *op)
{
	struct load l = load_begin(pair);
	struct softgpu_wait w;
	unsigned int reason;
	int failed;

	failed = op->fn(l.at + HOLE * PAGE);
	is(failed, 0, "%s under a kernel", op->name);
	reason = load_reason(&l, &w);
	if (reason == SOFTGPU_FAIL_FAULT && op->hole)
		ok(w.address >= (uintptr_t)l.at + HOLE * PAGE &&
		   w.address < (uintptr_t)l.at + (HOLE + WIDTH) * PAGE,
		   "%s under a kernel: it meets the hole and nothing else", op->name);
	else
		is(reason, 0, "%s under a kernel: it ends well", op->name);
	is(load_wrong(&l, 0, HOLE, !reason) +
	   (op->lost ? 0 : load_wrong(&l, HOLE, HOLE + WIDTH, !reason)) +
	   load_wrong(&l, HOLE + WIDTH, COUNT, !reason), 0,
	   "%s under a kernel: the data is right", op->name);
	munmap(l.at, BYTES);
}

static void test_vma(void)
{
	for (unsigned int round = 0; round < (few ? 1 : 2); round++)
		for (unsigned int i = 0; i < ARRAY_SIZE(operations); i++)
			vma_under_load(&operations[i]);
}

/* ---- the GPU leaves --------------------------------------------------- */

/* Its faults are in the ring, in the batch, or being replayed. */
static void test_unregister(void)
{
	for (unsigned int i = 0; i < (few ? 3 : 6); i++) {
		struct load near = neighbour_begin(), l = load_begin(pair_open());
		struct softgpu_wait w;
		unsigned int reason;

		is(gpu_unregister(l.p.uvm, 0), 0, "unregister %u, while faults are served", i);
		reason = load_reason(&l, &w);
		ok(!reason || reason == SOFTGPU_FAIL_CANCELLED, "unregister %u: ends the launch (%u)",
		   i, reason);
		is(load_wrong(&l, 0, COUNT, !reason), 0, "unregister %u: the data comes home", i);
		/* a new context sees it all */
		close(l.p.gpu);
		l.p.gpu = open("/dev/softgpu0", O_RDWR | O_CLOEXEC);
		must(!gpu_register(l.p.uvm, l.p.gpu));
		must(!image_load(l.p.gpu, test_image, test_image_bytes(), &l.p.image));
		load_launch(&l);
		is(load_reason(&l, &w), 0, "unregister %u: and registered again", i);
		is(load_wrong(&l, 0, COUNT, true), 0, "unregister %u: the data is right", i);
		neighbour_end(&near, "unregister");
		pair_close(&l.p);
		munmap(l.at, BYTES);
	}
}

/* The CPU reads and writes what the kernel does not. */
static void race_touch(struct beside *b)
{
	volatile uint64_t *own = (volatile uint64_t *)(b->at + b->rounds * 13 % COUNT * PAGE) + 9;

	*own = b->rounds;
	b->wrong += *own != b->rounds;
}

/* A thread of the CPU faults in the same pages all the while. */
static void test_race(void)
{
	for (unsigned int i = 0; i < (few ? 2 : 4); i++) {
		struct load l = load_begin(pair_open());
		struct softgpu_wait w;
		unsigned int reason;
		struct beside cpu;

		beside_begin(&cpu, race_touch, l.at);
		load_let_run(&l, i);
		is(gpu_unregister(l.p.uvm, 0), 0, "unregister %u, while the CPU faults too", i);
		is(beside_end(&cpu), 0, "unregister %u: the CPU finds its own words", i);
		reason = load_reason(&l, &w);
		ok(!reason || reason == SOFTGPU_FAIL_CANCELLED, "unregister %u: ends the launch (%u)",
		   i, reason);
		is(load_wrong(&l, 0, COUNT, !reason), 0, "unregister %u: the data is right", i);
		pair_close(&l.p);
		munmap(l.at, BYTES);
	}
}

/* ---- the process leaves ----------------------------------------------- */

static void leave(const char *how)
{
	struct load l = load_begin(pair_open());
	char *argv[] = { "true", NULL };

	if (!strcmp(how, "exit"))
		_exit(42);
	if (!strcmp(how, "exec"))
		execv("/bin/true", argv);
	if (!strcmp(how, "exec, files kept")) {
		fcntl(l.p.uvm, F_SETFD, 0);
		fcntl(l.p.gpu, F_SETFD, 0);
		execv("/bin/true", argv);
	}
	if (!strcmp(how, "munmap all")) {
		munmap(l.at, BYTES);
		_exit(42);
	}
	if (!strcmp(how, "close the GPU")) {
		close(l.p.gpu);
		_exit(load_wrong(&l, 0, COUNT, false) ? 1 : 42);
	}
	if (!strcmp(how, "close the VA space")) {
		struct softgpu_wait w;

		/* the mapping holds it: the launch goes on */
		close(l.p.uvm);
		_exit(load_reason(&l, &w) || load_wrong(&l, 0, COUNT, true) ? 1 : 42);
	}
	raise(SIGKILL);
}

static void child_leaves(void *how)
{
	leave(how);
}

static void test_leave(void)
{
	static const struct {
		const char *how;
		int want;
	} rows[] = {
		{ "exit", 42 }, { "exec", 0 }, { "exec, files kept", 0 }, { "munmap all", 42 },
		{ "close the GPU", 42 }, { "close the VA space", 42 }, { "SIGKILL", -SIGKILL },
	};

	for (unsigned int round = 0; round < (few ? 1 : 2); round++) {
		for (unsigned int i = 0; i < ARRAY_SIZE(rows); i++) {
			struct load near = neighbour_begin();

			is(in_child(child_leaves, (void *)rows[i].how), rows[i].want,
			   "%s while faults are served", rows[i].how);
			neighbour_end(&near, rows[i].how);
		}
	}
}

static const struct test_case cases[] = {
	{ "vma", test_vma },
	{ "unregister", test_unregister },
	{ "race", test_race },
	{ "leave", test_leave },
};

int main(int argc, char **argv)
{
	return run_cases(argc, argv, "lifecycle-load", cases, ARRAY_SIZE(cases));
}
