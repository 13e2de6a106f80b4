// SPDX-License-Identifier: GPL-2.0
/*
 * The life of ranges, VA spaces and contexts (nvidia-uvm 1.3, 1.9):
 * munmap, mremap, fork, exec, mprotect, madvise, register, unregister, close,
 * in every state that pages can be in.
 */
#include "explicit.h"

#define PAGES	(BLOCK / PAGE)


/* Where the pages of a range are. */
enum state { UNTOUCHED, ON_CPU, ON_GPU, MIXED, REMOTE, ACCESSED_BY, DUPLICATED, STATES };

static const char * const state_names[] = {
	"untouched", "on the CPU", "on the GPU", "mixed", "remote", "accessed by the GPU",
	"read-duplicated",
};

static long prefer_cpu(void *at, size_t bytes)
{
	return advise(pair.uvm, at, bytes, UVM_ADVICE_PREFERRED_LOCATION, UVM_PROCESSOR_CPU, 0);
}

/* Word 0 of page i becomes value + i, with the pages as @state says. */
static void bring(enum state state, char *at, uint64_t pages, uint64_t value)
{
	switch (state) {
	case UNTOUCHED:
		break;
	case ON_CPU:
		cpu_fill(at, pages, PAGE, value);
		break;
	case ON_GPU:
		must(!gpu_fill(&pair, at, pages, PAGE, value));
		break;
	case MIXED:
		must(!gpu_fill(&pair, at, pages, PAGE, value));
		for (uint64_t i = 0; i < pages; i += 48)
			(void)*(volatile uint64_t *)(at + i * PAGE);
		break;
	case REMOTE:
		must(!prefer_cpu(at, pages * PAGE));
		cpu_fill(at, pages, PAGE, value);
		must(gpu_wrong(&pair, at, pages, PAGE, value, false) == 0);
		break;
	case ACCESSED_BY:
		cpu_fill(at, pages, PAGE, value);
		must(!advise(pair.uvm, at, pages * PAGE, UVM_ADVICE_ACCESSED_BY, 0, 0));
		break;
	case DUPLICATED:
		must(!advise(pair.uvm, at, pages * PAGE, UVM_ADVICE_READ_DUPLICATE,
			     UVM_PROCESSOR_NONE, 0));
		cpu_fill(at, pages, PAGE, value);
		must(gpu_wrong(&pair, at, pages, PAGE, value, false) == 0);
		break;
	case STATES:
		break;
	}
}

static long wrong_data(enum state state, char *at, uint64_t pages, uint64_t value)
{
	bool none = state == UNTOUCHED;

	return cpu_wrong(at, pages, PAGE, none ? 0 : value, none);
}

/* ---- munmap ----------------------------------------------------------- */

static void check_gone(const char *what, char *at)
{
	struct softgpu_wait w;

	is(touch(at, false), SIGSEGV, "%s: the CPU gets SIGSEGV", what);
	is(run_one(&pair, "t_store", (struct test_args){ .address = (uintptr_t)at }, &w),
	   SOFTGPU_FAIL_FAULT, "%s: the GPU gets a fault", what);
	ok(w.address == (uintptr_t)at && w.access == 1, "%s: which tells address and access",
	   what);
}

/* New memory at an old address is zero for both, whoever looks first. */
static void check_fresh(const char *what, char *at, uint64_t pages, bool gpu_first)
{
	char *again = map_managed(pair.uvm, (uintptr_t)at, pages * PAGE);

	ok(again == at, "%s: can be mapped again", what);
	if (gpu_first)
		is(gpu_wrong(&pair, at, pages, PAGE, 0, true), 0, "%s: the GPU reads zeros", what);
	is(cpu_wrong(at, pages, PAGE, 0, true), 0, "%s: the CPU reads zeros", what);
	is(gpu_wrong(&pair, at, pages, PAGE, 0, true), 0, "%s: then the GPU reads zeros", what);
	must(!gpu_fill(&pair, at, pages, PAGE, 99));
	is(cpu_wrong(at, pages, PAGE, 99, false), 0, "%s: and it works", what);
}

static void test_munmap(void)
{
	static const struct {
		const char *part;
		uint64_t first, pages;		/* of 3 blocks less 5 pages */
	} parts[] = {
		{ "all", 0, 3 * PAGES - 5 },
		{ "the first block", 0, PAGES },
		{ "a few pages at the start", 0, 17 },
		{ "the end", 3 * PAGES - 40, 35 },
		{ "the middle of a block", PAGES + 100, 33 },
		{ "the middle over a boundary", PAGES - 9, 20 },
		{ "one page", 2 * PAGES + 1, 1 },
	};
	const uint64_t pages = 3 * PAGES - 5;

	for (enum state s = 0; s < STATES; s++) {
		for (unsigned int i = 0; i < ARRAY_SIZE(parts); i++) {
			uint64_t first = parts[i].first, outer = first + parts[i].pages;
			char *at, what[128];
			long mapped;

			/* each state and each part, not all pairs */
			if (few && (s + i) % 5)
				continue;
			at = managed(pair.uvm, pages * PAGE);
			snprintf(what, sizeof(what), "munmap %s, %s", parts[i].part,
				 state_names[s]);
			bring(s, at, pages, 1000);
			/* a launch waits for what was unmapped before it */
			must(!run_one(&pair, "t_nop", (struct test_args){ 0 }, NULL));
			mapped = counter("iova_mapped");
			is(munmap(at + first * PAGE, parts[i].pages * PAGE), 0, "%s", what);
			is(wrong_data(s, at, first, 1000) +
			   wrong_data(s, at + outer * PAGE, pages - outer, 1000 + outer), 0,
			   "%s: the rest is right", what);
			check_gone(what, at + first * PAGE);
			if (s == REMOTE)
				is(mapped - counter("iova_mapped"), parts[i].pages,
				   "%s: no DMA address leads to it", what);
			check_fresh(what, at + first * PAGE, parts[i].pages, i & 1);
			is(wrong_data(s, at, first, 1000) +
			   wrong_data(s, at + outer * PAGE, pages - outer, 1000 + outer), 0,
			   "%s: the rest is still right", what);
			munmap(at, pages * PAGE);
		}
	}
}

/*
 * New memory at the same addresses, which the GPU touches at once: it must meet
 * neither PTEs nor TLB entries of what was there.
 */
static void test_remap(void)
{
	const uint64_t pages = 12 * PAGES;
	struct softgpu_wait w;

	for (enum state s = 0; s < STATES; s += few ? 2 : 1) {
		char *at = managed(pair.uvm, pages * PAGE);
		const char *name = state_names[s];

		bring(s, at, pages, 500);
		munmap(at, pages * PAGE);
		must(map_managed(pair.uvm, (uintptr_t)at, pages * PAGE) == at);
		/* the last block first: the thread that unmaps begins with the first */
		must(!run_one(&pair, "t_store", (struct test_args){
			.address = (uintptr_t)at + (pages - 1) * PAGE, .value = 77 }, &w));
		is(*(volatile uint64_t *)(at + (pages - 1) * PAGE), 77,
		   "remap, %s: the first thing the GPU wrote", name);
		must(!gpu_fill(&pair, at, pages, PAGE, 900));
		is(cpu_wrong(at, pages, PAGE, 900, false), 0, "remap, %s: what the GPU wrote", name);
		munmap(at, pages * PAGE);
		must(map_managed(pair.uvm, (uintptr_t)at, pages * PAGE) == at);
		is(gpu_wrong(&pair, at, pages, PAGE, 0, true), 0, "remap, %s: zeros for the GPU",
		   name);
		is(cpu_wrong(at, pages, PAGE, 0, true), 0, "remap, %s: zeros for the CPU", name);
		munmap(at, pages * PAGE);
	}
}

/* The GPU is in the middle of it: a fault for what is gone, the rest is right. */
static void test_munmap_under_launch(void)
{
	struct test_args args = { .count = 8 * PAGES, .stride = PAGE, .value = 5 };
	char *at = managed(pair.uvm, 8 * BLOCK);
	struct softgpu_wait w;
	uint64_t id;

	args.address = (uintptr_t)at;
	cpu_fill(at, 8 * PAGES, PAGE, 1);
	must(!launch_shape(&pair, "t_fill", 1, 32, 0, &args, &id));
	is(munmap(at + 4 * BLOCK, 2 * BLOCK), 0, "munmap under a launch");
	must(!launch_wait(pair.gpu, id, 0, &w));
	is(w.reason, SOFTGPU_FAIL_FAULT, "munmap under a launch: it ends with a fault");
	ok(w.address >= (uintptr_t)at + 4 * BLOCK && w.address < (uintptr_t)at + 6 * BLOCK,
	   "munmap under a launch: in what is gone");
	is(cpu_wrong(at, 64, PAGE, 5, false), 0, "munmap under a launch: what was before is right");
	munmap(at, 8 * BLOCK);
}

/* ---- fork, exec ------------------------------------------------------- */

static void child_touches(void *at)
{
	int signal = touch(at, false);

	_exit(signal == SIGSEGV ? 42 : signal);
}

static void child_uses_files(void *at)
{
	struct uvm_stats stats = { .size = sizeof(stats) };

	/* It may ask, but it has no memory there. */
	if (try_ioctl(pair.uvm, UVM_IOC_STATS, &stats))
		_exit(1);
	if (map_managed(pair.uvm, (uintptr_t)at, PAGE) || errno != EOPNOTSUPP)
		_exit(2);
	pair_close(&pair);
	_exit(42);
}

static void test_fork(void)
{
	char *at = managed(pair.uvm, BLOCK);

	for (enum state s = ON_CPU; s < STATES; s++) {
		bring(s, at, PAGES, 50);
		is(in_child(child_touches, at), 42, "fork, %s: the child has no mapping",
		   state_names[s]);
		is(wrong_data(s, at, PAGES, 50), 0, "fork, %s: the parent's data is right",
		   state_names[s]);
	}
	is(in_child(child_uses_files, at + 64 * BLOCK), 42, "fork: the child can map nothing");
	must(!gpu_fill(&pair, at, PAGES, PAGE, 60));
	is(cpu_wrong(at, PAGES, PAGE, 60, false), 0, "fork: the parent goes on");
	munmap(at, BLOCK);
}

static void child_execs(void *keep)
{
	char *argv[] = { "true", NULL };
	struct pair p = pair_open();
	char *at = managed(p.uvm, BLOCK);
	uint64_t id;

	if (keep) {
		fcntl(p.uvm, F_SETFD, 0);
		fcntl(p.gpu, F_SETFD, 0);
	}
	if (gpu_fill(&p, at, PAGES, PAGE, 1))
		_exit(1);
	launch_shape(&p, "t_spin", 4, 32, 0, NULL, &id);
	execv("/bin/true", argv);
	_exit(2);
}

static void child_exits(void *how)
{
	struct pair p = pair_open();
	char *at = managed(p.uvm, 2 * BLOCK);
	uint64_t id;

	if (gpu_fill(&p, at, PAGES, PAGE, 1))
		_exit(1);
	cpu_fill(at + BLOCK, PAGES, PAGE, 1);
	launch_shape(&p, "t_spin", 4, 32, 0, NULL, &id);
	if (how)
		raise(SIGKILL);
	_exit(42);
}

static void test_exec_exit(void)
{
	is(in_child(child_execs, NULL), 0, "exec with close-on-exec files");
	is(in_child(child_execs, (void *)1), 0, "exec that keeps the files open");
	is(in_child(child_exits, NULL), 42, "exit without closing, with a launch that runs");
	is(in_child(child_exits, (void *)1), -SIGKILL, "SIGKILL, with a launch that runs");
}

/* ---- mremap, mprotect, madvise ---------------------------------------- */

static void test_mremap(void)
{
	for (enum state s = 0; s < STATES; s++) {
		char *at = managed(pair.uvm, BLOCK);
		char *to = (char *)fresh_address(BLOCK);
		const char *name = state_names[s];

		bring(s, at, PAGES, 70);
		ok(mremap(at, BLOCK, 2 * BLOCK, MREMAP_MAYMOVE) == MAP_FAILED,
		   "mremap to grow, %s: refused", name);
		ok(mremap(at, BLOCK, BLOCK / 2, 0) == at, "mremap to shrink, %s", name);
		is(wrong_data(s, at, PAGES / 2, 70), 0, "mremap to shrink, %s: the rest is right",
		   name);
		check_gone("mremap to shrink", at + BLOCK / 2);
		if (mremap(at, BLOCK / 2, BLOCK / 2, MREMAP_MAYMOVE | MREMAP_FIXED, to) ==
		    MAP_FAILED) {
			ok(false, "mremap to move, %s: %s", name, strerror(errno));
			munmap(at, BLOCK / 2);
			continue;
		}
		is(touch(to, false), SIGBUS, "mremap to move, %s: reading is SIGBUS", name);
		is(touch(to + PAGE, true), SIGBUS, "mremap to move, %s: writing is SIGBUS", name);
		is(migrate(pair.uvm, to, PAGE, 0), -EINVAL, "mremap to move, %s: not managed",
		   name);
		check_gone("mremap to move: the old place", at);
		munmap(to, BLOCK / 2);
		is(touch(to, false), SIGSEGV, "mremap to move, %s: can be unmapped", name);
	}
}

/* A part that moves away takes nothing else with it. */
static void test_mremap_part(void)
{
	char *at = managed(pair.uvm, BLOCK), *to = (char *)fresh_address(BLOCK);

	must(!gpu_fill(&pair, at, PAGES, PAGE, 70));
	ok(mremap(at + 16 * PAGE, 16 * PAGE, 16 * PAGE, MREMAP_MAYMOVE | MREMAP_FIXED, to) == to,
	   "mremap to move a part");
	is(cpu_wrong(at, 16, PAGE, 70, false) + cpu_wrong(at + 32 * PAGE, PAGES - 32, PAGE, 102,
	   false), 0, "mremap to move a part: the rest is right");
	is(touch(to, true), SIGBUS, "mremap to move a part: it is disabled");
	check_gone("mremap to move a part: the hole", at + 20 * PAGE);
	munmap(to, 16 * PAGE);
	munmap(at, BLOCK);
}

static void test_mprotect(void)
{
	char *at = managed(pair.uvm, BLOCK);

	for (enum state s = ON_CPU; s < STATES; s++) {
		const char *name = state_names[s];

		bring(s, at, PAGES, 80);
		is(mprotect(at + 64 * PAGE, 64 * PAGE, PROT_READ), 0, "mprotect, %s: read only",
		   name);
		is(touch(at + 70 * PAGE, true), SIGSEGV, "mprotect, %s: writing is SIGSEGV", name);
		is(wrong_data(s, at, PAGES, 80), 0, "mprotect, %s: reading is right", name);
		is(mprotect(at + 64 * PAGE, 64 * PAGE, PROT_NONE), 0, "mprotect, %s: nothing", name);
		is(touch(at + 70 * PAGE, false), SIGSEGV, "mprotect, %s: reading is SIGSEGV", name);
		/* production nvidia-uvm: the GPU does not care (2.8) */
		is(gpu_fill(&pair, at, PAGES, PAGE, 81), 0, "mprotect, %s: the GPU may", name);
		is(mprotect(at, BLOCK, PROT_READ | PROT_WRITE), 0, "mprotect, %s: all again", name);
		is(cpu_wrong(at, PAGES, PAGE, 81, false), 0, "mprotect, %s: all is right", name);
		is(touch(at + 70 * PAGE, true), 0, "mprotect, %s: and writable", name);
	}
	munmap(at, BLOCK);
}

static void test_madvise(void)
{
	char *at = managed(pair.uvm, BLOCK);
	unsigned char *vec = malloc(PAGES);

	for (enum state s = ON_CPU; s < STATES; s++) {
		bring(s, at, PAGES, 90);
		is(madvise(at, BLOCK, MADV_DONTNEED), 0, "madvise, %s: MADV_DONTNEED",
		   state_names[s]);
		is(wrong_data(s, at, PAGES, 90), 0, "madvise, %s: keeps the data", state_names[s]);
		is(gpu_wrong(&pair, at, PAGES, PAGE, 90, false), 0, "madvise, %s: for the GPU too",
		   state_names[s]);
		is(madvise(at, BLOCK, MADV_DONTNEED), 0, "madvise, %s: again", state_names[s]);
		cpu_fill(at, PAGES, PAGE, 91);
		is(gpu_wrong(&pair, at, PAGES, PAGE, 91, false), 0,
		   "madvise, %s: and can be written", state_names[s]);
	}
	must(!madvise(at, BLOCK, MADV_DOFORK));
	is(in_child(child_touches, at), SIGBUS, "madvise: MADV_DOFORK does not bring it to children");
	mincore(at, BLOCK, vec);
	is(cpu_wrong(at, PAGES, PAGE, 91, false), 0, "mincore changes nothing");
	free(vec);
	munmap(at, BLOCK);
}

/* ---- VA spaces and contexts ------------------------------------------- */

static void test_spaces(void)
{
	struct pair other[3];
	char *at[4];
	int i;

	at[3] = managed(pair.uvm, BLOCK);
	for (i = 0; i < 3; i++) {
		other[i] = pair_open();
		at[i] = managed(other[i].uvm, BLOCK);
		must(!gpu_fill(&other[i], at[i], PAGES, PAGE, 1000 * i));
	}
	must(!gpu_fill(&pair, at[3], PAGES, PAGE, 3000));
	for (i = 0; i < 3; i++) {
		is(run_one(&pair, "t_load", (struct test_args){ .address = (uintptr_t)at[i] }, NULL),
		   SOFTGPU_FAIL_FAULT, "another VA space's memory cannot be seen");
		is(migrate(pair.uvm, at[i], BLOCK, 0), -EINVAL, "nor migrated");
	}
	close(other[1].uvm);
	munmap(at[1], BLOCK);
	close(other[1].gpu);
	is(cpu_wrong(at[0], PAGES, PAGE, 0, false) + cpu_wrong(at[2], PAGES, PAGE, 2000, false) +
	   cpu_wrong(at[3], PAGES, PAGE, 3000, false), 0, "each VA space has its own data");
	other[1].gpu = other[1].uvm = -1;
	for (i = 0; i < 3; i++)
		pair_close(&other[i]);
	for (i = 0; i < 4; i++)
		munmap(at[i], BLOCK);
}

static void test_register(void)
{
	struct pair p = { .uvm = open("/dev/uvm", O_RDWR), .gpu = open("/dev/softgpu0", O_RDWR) };
	int second = open("/dev/uvm", O_RDWR), context = open("/dev/softgpu0", O_RDWR);
	char *at = managed(p.uvm, BLOCK);

	cpu_fill(at, PAGES, PAGE, 7);
	is(migrate(p.uvm, at, BLOCK, 0), -ENODEV, "register: no GPU before");
	is(gpu_register(p.uvm, p.gpu), 0, "register");
	is(gpu_register(p.uvm, p.gpu), -EBUSY, "register: twice the same is EBUSY");
	is(gpu_register(p.uvm, context), -EBUSY, "register: two contexts of a GPU is EBUSY");
	is(gpu_register(second, p.gpu), -EBUSY, "register: a context of another VA space is EBUSY");
	is(gpu_register(second, context), 0, "register: another context to another VA space");
	is(migrate(p.uvm, at, BLOCK, 0), 0, "register: now there is a GPU");
	is(gpu_unregister(p.uvm, 0), 0, "unregister with resident pages");
	is(cpu_wrong(at, PAGES, PAGE, 7, false), 0, "unregister: the data comes home");
	is(gpu_unregister(p.uvm, 0), -ENODEV, "unregister: twice is ENODEV");
	close(p.gpu);
	p.gpu = open("/dev/softgpu0", O_RDWR);
	is(gpu_register(p.uvm, p.gpu), 0, "register: a new context after that");
	must(!image_load(p.gpu, test_image, test_image_bytes(), &p.image));
	is(gpu_wrong(&p, at, PAGES, PAGE, 7, false), 0, "register: the GPU sees the old data");
	close(second);
	close(context);
	pair_close(&p);
	munmap(at, BLOCK);
}

static void test_close_gpu_first(void)
{
	struct pair p = pair_open();
	char *at = managed(p.uvm, BLOCK);

	must(!gpu_fill(&p, at, PAGES, PAGE, 11));
	close(p.gpu);
	is(cpu_wrong(at, PAGES, PAGE, 11, false), 0, "closing the GPU first: the data is there");
	cpu_fill(at, PAGES, PAGE, 12);
	is(quiesce(p.uvm), 0, "closing the GPU first: quiesce");
	is(gpu_unregister(p.uvm, 0), 0, "closing the GPU first: it can be unregistered");
	is(cpu_wrong(at, PAGES, PAGE, 12, false), 0, "closing the GPU first: the data is right");
	close(p.uvm);
	is(cpu_wrong(at, PAGES, PAGE, 12, false), 0, "closing the VA space: the mapping lives on");
	munmap(at, BLOCK);
}

static void test_close_uvm_first(void)
{
	struct pair p = pair_open();
	char *at = managed(p.uvm, BLOCK);
	struct softgpu_wait w = { 0 };

	must(!gpu_fill(&p, at, PAGES, PAGE, 21));
	close(p.uvm);
	/* the mapping holds the VA space: all goes on */
	is(gpu_fill(&p, at, PAGES, PAGE, 22), 0, "closing the VA space first: the mapping holds it");
	is(cpu_wrong(at, PAGES, PAGE, 22, false), 0, "closing the VA space first: the data is right");
	munmap(at, BLOCK);
	/* now it is gone, and with it the context's memory; it may have been stopped */
	long ret = run_one(&p, "t_load", (struct test_args){ .address = (uintptr_t)at }, &w);

	ok(ret == SOFTGPU_FAIL_FAULT || ret == SOFTGPU_FAIL_CANCELLED || ret == -ENODEV,
	   "closing the VA space first: the last munmap ends it (%ld)", ret);
	close(p.gpu);
}

/* As often as wanted, without growing. */
static void test_many(void)
{
	for (int i = 0; i < 20; i++) {
		struct pair p = pair_open();
		char *at = managed(p.uvm, 64 * KB);

		if (i & 1)
			must(!gpu_fill(&p, at, 16, PAGE, i));
		if (i & 2)
			munmap(at, 64 * KB);
		if (i & 4)
			must(!gpu_unregister(p.uvm, 0));
		pair_close(&p);
		if (!(i & 2))
			munmap(at, 64 * KB);
	}
	ok(true, "twenty short lives");
}

static void test_many_ranges(void)
{
	const unsigned int n = 500;
	uint64_t base = fresh_address(n * 2 * PAGE), bad = 0;
	unsigned int i;

	for (i = 0; i < n; i++)
		must(map_managed(pair.uvm, base + i * 2 * PAGE, PAGE));
	for (i = 0; i < n; i++)
		*(volatile uint64_t *)(base + i * 2 * PAGE) = i;
	is(gpu_wrong(&pair, (void *)base, n, 2 * PAGE, 0, false), 0,
	   "ranges of one page: the GPU reads all");
	must(!gpu_fill(&pair, (void *)base, n, 2 * PAGE, 1));
	for (i = 0; i < n; i++)
		bad += *(volatile uint64_t *)(base + i * 2 * PAGE) != i + 1;
	is(bad, 0, "ranges of one page: the CPU reads what the GPU wrote");
	is(munmap((void *)base, n * 2 * PAGE), 0, "ranges of one page: one munmap for all");
	is(touch((void *)base, false), SIGSEGV, "ranges of one page: all gone");
}

/* GPU memory that was freed is zero for who gets it next. */
static void test_cleared(void)
{
	char *at = managed(pair.uvm, 8 * BLOCK);
	struct pair p;

	must(!gpu_fill(&pair, at, 8 * BLOCK / 512, 512, 0x5ec7e7));
	munmap(at, 8 * BLOCK);
	p = pair_open();
	at = managed(p.uvm, 8 * BLOCK);
	is(gpu_wrong(&p, at, 8 * BLOCK / 512, 512, 0, true), 0,
	   "GPU memory is cleared between owners");
	is(cpu_wrong(at, 8 * BLOCK / 512, 512, 0, true), 0, "also as the CPU sees it");
	pair_close(&p);
	munmap(at, 8 * BLOCK);
}

/* A fixed limit of GPU memory belongs to its file. */
static void test_limit(void)
{
	struct softgpu_vram_limit limit = { .size = sizeof(limit), .bytes = 4 * MB };
	int gpu = open("/dev/softgpu0", O_RDWR);
	uint64_t all = gpu_info(pair.gpu).usable_bytes;
	char *at = managed(pair.uvm, 16 * MB);

	must(!gpu_fill(&pair, at, 8 * PAGES, PAGE, 31));
	is(try_ioctl(gpu, SOFTGPU_IOC_VRAM_LIMIT, &limit), 0, "limit: resident pages make room");
	is(limit.usable_bytes, 4 * MB, "limit: what is left is told");
	is(gpu_wrong(&pair, at, 8 * PAGES, PAGE, 31, false), 0, "limit: four times too much works");
	limit.bytes = 1;
	is(try_ioctl(gpu, SOFTGPU_IOC_VRAM_LIMIT, &limit), 0, "limit: 1 byte");
	is(limit.usable_bytes, 2 * MB, "limit: is rounded up to 2 MB");
	must(!gpu_fill(&pair, at, 8 * PAGES, PAGE, 32));
	is(cpu_wrong(at, 8 * PAGES, PAGE, 32, false), 0, "limit: 2 MB work too");
	close(gpu);
	is(gpu_info(pair.gpu).usable_bytes, all, "limit: ends with its file");
	munmap(at, 16 * MB);
}

/*
 * The top of memory is taken away, whatever is there (nvidia-uvm 4.5: a range of
 * frames), with every granularity of memory.
 */
static void test_limit_top(void)
{
	static const char *const sizes[] = { "64k", "4k", "2m" };
	struct softgpu_vram_limit limit = { .size = sizeof(limit), .bytes = 6 * MB,
					    .flags = SOFTGPU_VRAM_LIMIT_TOP };
	struct uvm_stats stats;

	for (unsigned int i = 0; i < ARRAY_SIZE(sizes); i++) {
		int gpu = open("/dev/softgpu0", O_RDWR);
		char *at = managed(pair.uvm, 16 * MB);

		must(gpu >= 0);
		is(set_param(pair.uvm, "root_chunk_granularity", sizes[i]), 0, "granularity %s",
		   sizes[i]);
		/* frames 0 ... 7 */
		must(!gpu_fill(&pair, at, 8 * PAGES, PAGE, 41));
		is(set_param(pair.uvm, "root_chunk_granularity", sizes[(i + 1) % 3]), -EBUSY,
		   "granularity %s: memory in use keeps it", sizes[i]);
		stats_read(pair.uvm, true);
		is(try_ioctl(gpu, SOFTGPU_IOC_VRAM_LIMIT, &limit), 0, "limit %s: the top",
		   sizes[i]);
		stats = stats_read(pair.uvm, false);
		is(stats.evicted_pages, 5 * PAGES, "limit %s: five frames and no more are emptied",
		   sizes[i]);
		is(gpu_wrong(&pair, at, 8 * PAGES, PAGE, 41, false), 0,
		   "limit %s: the data is right on the GPU", sizes[i]);
		is(cpu_wrong(at, 8 * PAGES, PAGE, 41, false), 0, "limit %s: and on the CPU",
		   sizes[i]);
		munmap(at, 16 * MB);
		close(gpu);
		is(migrate(pair.uvm, at, PAGE, 0), -EINVAL, "limit %s: all is unmapped", sizes[i]);
	}
}

/* PMA takes managed memory away only where the driver lets it (global_oversubscription). */
static void test_limit_kept(void)
{
	int gpu = open("/dev/softgpu0", O_RDWR), allowed = 1;
	FILE *f = fopen("/sys/module/uvm/parameters/global_oversubscription", "r");
	char *at = managed(pair.uvm, 16 * MB);

	must(f && fscanf(f, "%d", &allowed) == 1);
	fclose(f);
	must(!gpu_fill(&pair, at, 8 * PAGES, PAGE, 51));
	is(vram_limit(gpu, 4 * MB), allowed ? 0 : -EBUSY,
	   "limit: global_oversubscription=%d", allowed);
	is(gpu_wrong(&pair, at, 8 * PAGES, PAGE, 51, false), 0, "limit: the data is right");
	munmap(at, 16 * MB);
	close(gpu);
}

/* Memory kept free ahead of need is no more than that: the rest goes back to PMA. */
static void test_limit_ahead(void)
{
	int gpu = open("/dev/softgpu0", O_RDWR);
	char *at;

	must(gpu >= 0 && !vram_limit(gpu, 8 * MB));
	must(!set_param(pair.uvm, "eviction_timing", "unobtrusive"));
	at = managed(pair.uvm, 16 * MB);
	must(!gpu_fill(&pair, at, 16 * MB / PAGE, PAGE, 61));
	munmap(at, 16 * MB);
	must(!quiesce(pair.uvm));
	is(vram_limit(gpu, 4 * MB), 0, "limit: what was unmapped is PMA's, with eviction ahead");
	close(gpu);
}

/* What the last of three passes over more than there is takes, the first one with @timing. */
static uint64_t third_pass(const char *timing)
{
	struct test_args args = { .count = 3 * MB / PAGE, .stride = PAGE, .value = 65 };
	struct pair p = pair_open();
	char *at = managed(p.uvm, 3 * MB);
	struct softgpu_wait w;

	args.address = (uintptr_t)at;
	must(!set_param(p.uvm, "root_chunk_granularity", "64k"));
	must(!set_param(p.uvm, "eviction_timing", timing));
	for (unsigned int pass = 0; pass < 3; pass++) {
		must(!run_shape(&p, "t_fill", 8, 32, &args, &w));
		must(!set_param(p.uvm, "eviction_timing", "unobtrusive"));
	}
	munmap(at, 3 * MB);
	pair_close(&p);
	return w.end_ns - w.start_ns;
}

/* A timing that comes into force is so for what was used under another one, too. */
static void test_timing_switched(void)
{
	int gpu = open("/dev/softgpu0", O_RDWR);
	uint64_t always, later;

	must(gpu >= 0 && !vram_limit(gpu, 2 * MB));
	always = third_pass("unobtrusive");
	later = third_pass("reactive");
	note("third pass: %llu ns, %llu ns if the first one was reactive", (long long)always,
	     (long long)later);
	if (!gpu_info(pair.gpu).clock)
		is(later, always, "timing: the same after another one");
	close(gpu);
}

/* A free frame is as many units as it has: so many fewer are evicted ahead. */
static void test_room_ahead(void)
{
	int gpu = open("/dev/softgpu0", O_RDWR);
	char *first, *frame, *many, *last;
	uint64_t evicted;

	must(gpu >= 0 && !vram_limit(gpu, 16 * MB));
	must(!set_param(pair.uvm, "root_chunk_granularity", "64k"));
	must(!set_param(pair.uvm, "eviction_timing", "eager"));
	must(!set_param(pair.uvm, "prefetch_policy", "none"));
	must(!set_param(pair.uvm, "perf_fault_batch_count", "1024"));
	first = managed(pair.uvm, 14 * MB);
	frame = managed(pair.uvm, 2 * MB);
	many = managed(pair.uvm, 4 * MB);
	last = managed(pair.uvm, 2 * MB);
	must(!gpu_fill(&pair, first, 14 * 32, 32 * 1024, 66));
	must(!gpu_fill(&pair, frame, 32, 64 * 1024, 67));
	must(!gpu_fill(&pair, many, 60, 64 * 1024, 68));
	munmap(frame, 2 * MB);
	must(!quiesce(pair.uvm));
	evicted = stats_read(pair.uvm, false).evicted_chunks;
	must(!gpu_fill(&pair, last, 1, PAGE, 69));
	evicted = stats_read(pair.uvm, false).evicted_chunks - evicted;
	/* how many at most depends on the batches; with 1024 faults in one it is this */
	ok(evicted <= 60 - 32, "room ahead: a free frame counts (%llu units evicted)",
	   (long long)evicted);
	munmap(first, 14 * MB);
	munmap(many, 4 * MB);
	munmap(last, 2 * MB);
	close(gpu);
}

/* How many of many launches had not ended when nothing moved any more. */
static int quiesced_early(const char *policy, unsigned int rounds)
{
	char *at = managed(pair.uvm, 16 * MB);
	struct test_args args = { .address = (uintptr_t)at, .count = 16 * MB / PAGE,
				  .stride = PAGE };
	struct softgpu_wait w;
	uint64_t id;
	int early = 0;

	must(!set_param(pair.uvm, "concurrency_policy", policy));
	for (unsigned int round = 0; round < rounds; round++) {
		args.value = 71 + round;
		must(!launch_shape(&pair, "t_fill", 64, 256, 0, &args, &id));
		must(!quiesce(pair.uvm));
		must(!launch_wait(pair.gpu, id, SOFTGPU_WAIT_POLL, &w));
		early += w.state == SOFTGPU_LAUNCH_RUNNING;
		must(!launch_wait(pair.gpu, id, 0, &w));
	}
	munmap(at, 16 * MB);
	return early;
}

/* While faults are served, and with SMs that are off and keep their blocks. */
static void test_quiesce(void)
{
	int gpu = open("/dev/softgpu0", O_RDWR);

	must(gpu >= 0 && !vram_limit(gpu, 8 * MB));
	is(quiesced_early("none", few ? 10 : 50), 0, "quiesce: all is done");
	is(quiesced_early("throttle", few ? 4 : 20), 0, "quiesce: by SMs that were off, too");
	close(gpu);
}

/* The value of softgpu's debugfs file of GPU 0. */
static unsigned long device_value(const char *name)
{
	char path[96];
	unsigned long value = 0;
	FILE *f;

	snprintf(path, sizeof(path), "/sys/kernel/debug/softgpu/gpu0/%s", name);
	f = fopen(path, "r");
	must(f && fscanf(f, "%lu", &value) == 1);
	fclose(f);
	return value;
}

#define OVERSUBSCRIBE	4UL	/* REG_CAP_OVERSUBSCRIBE */
#define FREE_EVICTION	16UL	/* REG_CAP_FREE_EVICTION */
#define COMPRESSION	32UL	/* REG_CAP_COMPRESSION */
#define OURS		(OVERSUBSCRIBE | FREE_EVICTION | COMPRESSION)

/* Its policy is in force from the time when it is registered. */
static void first_user_extends(void)
{
	for (unsigned int i = 0; i < 500; i++) {
		struct pair p = { .uvm = open("/dev/uvm", O_RDWR), .gpu = open("/dev/softgpu0", O_RDWR) };

		must(!set_param(p.uvm, "concurrency_policy", "oversubscribe"));
		must(!gpu_register(p.uvm, p.gpu));
		must(device_value("extensions") & OVERSUBSCRIBE);
		pair_close(&p);
	}
}

/* Who leaves last must not undo what the next first user has just set up. */
static void test_first_policy(void)
{
	int status, failed = 0;

	pair_close(&pair);
	fflush(stdout);
	for (int i = 0; i < 3; i++) {
		if (!fork()) {
			first_user_extends();
			_exit(0);
		}
	}
	while (wait(&status) > 0)
		failed += status != 0;
	is(failed, 0, "first users: each has its concurrency policy");
}

/* What a parameter needs of the device is on as long as it has that value and a user. */
static void extension(const char *param, const char *value, const char *other,
		      unsigned long wanted)
{
	struct pair p = { .uvm = open("/dev/uvm", O_RDWR), .gpu = open("/dev/softgpu0", O_RDWR) };

	must(!set_param(p.uvm, param, value));
	is(device_value("extensions") & OURS, 0, "extensions: none before %s=%s", param, value);
	must(!gpu_register(p.uvm, p.gpu));
	is(device_value("extensions") & OURS, wanted, "extensions: of %s=%s", param, value);
	must(!set_param(p.uvm, param, other));
	is(device_value("extensions") & OURS, 0, "extensions: none of %s=%s", param, other);
	must(!set_param(p.uvm, param, value));
	is(device_value("extensions") & OURS, wanted, "extensions: of %s=%s again", param, value);
	pair_close(&p);
	is(device_value("extensions") & OURS, 0, "extensions: none after %s=%s", param, value);
}

static void test_extensions(void)
{
	pair_close(&pair);
	extension("eviction_timing", "ideal", "reactive", FREE_EVICTION);
	extension("capacity_compression", "1", "0", COMPRESSION);
	extension("concurrency_policy", "oversubscribe", "none", OVERSUBSCRIBE);
}

static void first_user(void)
{
	for (unsigned int i = 0; i < 40; i++) {
		struct pair p = { .uvm = open("/dev/uvm", O_RDWR), .gpu = open("/dev/softgpu0", O_RDWR) };
		char *at = managed(p.uvm, BLOCK);

		must(!gpu_register(p.uvm, p.gpu));
		must(!migrate(p.uvm, at, BLOCK, 0));
		munmap(at, BLOCK);
		pair_close(&p);
	}
}

/*
 * The first users of a GPU at the same time, and the last: while one carries the
 * frames from PMA or to it, another finds none there and nothing to evict.
 */
static void test_first_users(void)
{
	int gpu = open("/dev/softgpu0", O_RDWR), status, failed = 0;

	must(gpu >= 0 && !vram_limit(gpu, 8 * MB));
	pair_close(&pair);
	fflush(stdout);
	for (int i = 0; i < 3; i++) {
		if (!fork()) {
			first_user();
			_exit(0);
		}
	}
	while (wait(&status) > 0)
		failed += status != 0;
	is(failed, 0, "first users: there is memory for all");
	close(gpu);
}

static const struct test_case cases[] = {
	{ "munmap", test_munmap }, { "remap", test_remap }, { "under-launch", test_munmap_under_launch },
	{ "fork", test_fork }, { "exec-exit", test_exec_exit }, { "mremap", test_mremap },
	{ "mremap-part", test_mremap_part }, { "mprotect", test_mprotect },
	{ "madvise", test_madvise }, { "spaces", test_spaces }, { "register", test_register },
	{ "close-gpu", test_close_gpu_first }, { "close-uvm", test_close_uvm_first },
	{ "many", test_many }, { "many-ranges", test_many_ranges }, { "cleared", test_cleared },
	{ "first-users", test_first_users }, { "first-policy", test_first_policy },
	{ "extensions", test_extensions },
	{ "quiesce", test_quiesce }, { "limit-ahead", test_limit_ahead },
	{ "timing-switched", test_timing_switched }, { "room-ahead", test_room_ahead },
	{ "limit", test_limit }, { "limit-top", test_limit_top }, { "limit-kept", test_limit_kept },
};

int main(int argc, char **argv)
{
	return run_cases(argc, argv, "life cycle", cases, ARRAY_SIZE(cases));
}
