// SPDX-License-Identifier: GPL-2.0
/*
 * Explicit migration that a semaphore tells the end of (nvidia-uvm
 * 6.1): when the word is written, and when it is refused.
 */
#include "explicit.h"

#define BYTES	(8 * MB)
#define PAGES	(BYTES / PAGE)
#define VALUE	0xcafe0001u

static struct object words;		/* a page of pinned memory */

static volatile uint32_t *word(unsigned int i)
{
	return (volatile uint32_t *)words.cpu + i;
}

static uint64_t word_address(unsigned int i)
{
	return words.gpu + i * sizeof(uint32_t);
}

static uint64_t now_ns(void)
{
	return gpu_info(pair.gpu).now_ns;
}

static bool is_virtual(void)
{
	return !gpu_info(pair.gpu).clock;
}

static long start(void *at, size_t bytes, int dst, uint64_t semaphore, uint32_t payload,
		  uint64_t *fence)
{
	struct uvm_migrate arg = {
		.size = sizeof(arg), .flags = UVM_MIGRATE_ASYNC, .base = (uintptr_t)at,
		.length = bytes, .dst = dst, .semaphore = semaphore, .payload = payload,
	};
	long ret = try_ioctl(pair.uvm, UVM_IOC_MIGRATE, &arg);

	if (fence)
		*fence = arg.fence;
	return ret;
}

static long wait_fence(uint64_t fence)
{
	struct uvm_wait arg = { .size = sizeof(arg), .fence = fence };

	return try_ioctl(pair.uvm, UVM_IOC_WAIT, &arg);
}

static long poll_fence(uint64_t fence)
{
	struct uvm_wait arg = { .size = sizeof(arg), .flags = UVM_WAIT_POLL, .fence = fence };

	return try_ioctl(pair.uvm, UVM_IOC_WAIT, &arg);
}

/* A poll of a launch takes its time, so that this ends on both clocks. */
static bool comes(unsigned int i, uint32_t value, uint64_t launch)
{
	struct softgpu_wait w;

	for (unsigned long n = 0; n < 1000000; n++) {
		if (*word(i) == value)
			return true;
		must(!launch_wait(pair.gpu, launch, SOFTGPU_WAIT_POLL, &w));
	}
	return false;
}

/* ---- when ------------------------------------------------------------- */

static void test_async(void)
{
	char *at = managed(pair.uvm, BYTES);
	uint64_t fence, began, returned, done;

	for (int dst = 0; dst >= UVM_PROCESSOR_CPU; dst--) {
		const char *to = dst ? "to the CPU" : "to the GPU";

		if (!dst)
			cpu_fill(at, PAGES, PAGE, 40);
		*word(0) = 7;
		began = now_ns();
		is(start(at, BYTES, dst, word_address(0), VALUE + dst, &fence), 0, "async %s", to);
		if (is_virtual())
			is(*word(0), 7, "async %s: returns before the word is written", to);
		if (is_virtual())
			is(poll_fence(fence), -EAGAIN, "async %s: a poll does not wait", to);
		returned = now_ns();
		is(wait_fence(fence), 0, "async %s: wait", to);
		is(poll_fence(fence), 0, "async %s: a poll says that it is done", to);
		done = now_ns();
		is(*word(0), VALUE + dst, "async %s: the word is written then", to);
		if (is_virtual())
			ok(done - returned > (returned - began) / 4,
			   "async %s: there was something to wait for (%ld, then %ld ns)", to,
			   (long)(returned - began), (long)(done - returned));
		is(*word(1), 0, "async %s: and no other", to);
	}
	is(gpu_wrong(&pair, at, PAGES, PAGE, 40, false), 0, "async: the GPU reads what it should");
	is(cpu_wrong(at, PAGES, PAGE, 40, false), 0, "async: so does the CPU");
	munmap(at, BYTES);
}

/* Who looks at the word, and does not wait, sees it when all is done and not before. */
static void test_poll(void)
{
	char *at = managed(pair.uvm, BYTES);
	uint64_t plain, polled, fence, began, launch;
	struct softgpu_wait w;

	must(!launch_shape(&pair, "t_nop", 1, 1, 0, NULL, &launch));
	must(!launch_wait(pair.gpu, launch, 0, &w));
	cpu_fill(at, PAGES, PAGE, 50);
	for (int i = 0; i < 2; i++) {
		must(!migrate(pair.uvm, at, BYTES, 0));
		must(!migrate(pair.uvm, at, BYTES, UVM_PROCESSOR_CPU));
	}
	began = now_ns();
	must(!start(at, BYTES, 0, 0, 0, &fence));
	must(!wait_fence(fence));
	plain = now_ns() - began;
	must(!migrate(pair.uvm, at, BYTES, UVM_PROCESSOR_CPU));
	began = now_ns();
	is(start(at, BYTES, 0, word_address(2), VALUE, NULL), 0, "poll: started");
	ok(comes(2, VALUE, launch), "poll: the word comes");
	polled = now_ns() - began;
	if (is_virtual())
		ok(polled * 20 > plain * 19, "poll: not before the copies are done (%ld of %ld ns)",
		   (long)polled, (long)plain);
	is(gpu_wrong(&pair, at, PAGES, PAGE, 50, false), 0, "poll: the data is right");
	munmap(at, BYTES);
}

/* A kernel that waits for the word, before it is known that anybody will write it. */
static void test_gpu_waits(void)
{
	struct test_args args = { .address = word_address(4), .value = VALUE,
				  .out = word_address(6), .count = 5 };
	char *at = managed(pair.uvm, BYTES);
	struct softgpu_wait w;
	uint64_t id;

	cpu_fill(at, PAGES, PAGE, 60);
	must(!launch_shape(&pair, "t_await", 1, 1, 0, &args, &id));
	must(!start(at, BYTES, 0, word_address(4), VALUE, NULL));
	must(!launch_wait(pair.gpu, id, 0, &w));
	is(w.reason, 0, "a kernel that waits for the word ends");
	is(*word(6), 5, "and does then what it is to do");
	munmap(at, BYTES);
}

/* Nothing to wait for: written when the call returns (nvidia-uvm 6.1). */
static void test_at_once(void)
{
	char *at = managed(pair.uvm, BLOCK);
	uint64_t fence;

	is(start(NULL, 0, 0, word_address(8), 1, &fence), 0, "a release and nothing else");
	is(*word(8), 1, "a release and nothing else: written at once");
	is(wait_fence(fence), 0, "a release and nothing else: its fence can be waited for");
	is(start(NULL, 0, UVM_PROCESSOR_CPU, word_address(8), 0, NULL), 0, "payload 0");
	is(*word(8), 0, "payload 0: written too");
	/* the last word of the page, and a migration that finds all in place */
	cpu_fill(at, BLOCK / PAGE, PAGE, 1);
	must(!migrate(pair.uvm, at, BLOCK, 0));
	is(start(at, BLOCK, 0, word_address(1023), VALUE, &fence), 0, "all in place already");
	is(wait_fence(fence), 0, "all in place already: wait");
	is(*word(1023), VALUE, "all in place already: written");
	munmap(at, BLOCK);
}

static void test_many(void)
{
	char *at = managed(pair.uvm, 64 * 64 * KB);
	long bad = 0;

	cpu_fill(at, 64 * 16, PAGE, 70);
	for (unsigned int i = 0; i < 64; i++)
		bad += start(at + i * 64 * KB, 64 * KB, 0, word_address(100 + i), i + 1, NULL) != 0;
	is(bad, 0, "many: started");
	is(wait_fence(0), 0, "many: one wait for all");
	for (unsigned int i = 0; i < 64; i++)
		bad += *word(100 + i) != i + 1;
	is(bad, 0, "many: each word has its payload");
	munmap(at, 64 * 64 * KB);
}

/* ---- refusals --------------------------------------------------------- */

struct refusal {
	const char *what;
	uint64_t semaphore;
	uint32_t payload;
	uint32_t flags;
	uint64_t length;
	int dst;
	long want;
};

static void test_refusals(void)
{
	struct object device = object_make(&pair, DEVICE, PAGE), read_only;
	uint64_t range = fresh_address(MB);
	char *at = managed(pair.uvm, BLOCK);
	char *stack = (char *)&device;
	struct uvm_stats stats;

	read_only = object_make(&pair, PINNED, PAGE);
	must(!range_unmap(pair.uvm, read_only.gpu, PAGE, 0));
	must(!range_map(&pair, read_only.gpu, PAGE, read_only.handle, 0,
			UVM_MAP_EXTERNAL_READ_ONLY));
	must(!range_create(pair.uvm, range, MB));

	const struct refusal rows[] = {
		{ "without ASYNC", word_address(0), 1, 0, BLOCK, 0, -EINVAL },
		{ "payload without a semaphore", 0, 1, UVM_MIGRATE_ASYNC, BLOCK, 0, -EINVAL },
		{ "not aligned", word_address(0) + 2, 1, UVM_MIGRATE_ASYNC, BLOCK, 0, -EINVAL },
		{ "nothing to do", 0, 0, UVM_MIGRATE_ASYNC, 0, 0, -EINVAL },
		{ "only a release, without ASYNC", word_address(0), 1, 0, 0, 0, -EINVAL },
		{ "half a page", word_address(0), 1, UVM_MIGRATE_ASYNC, 100, 0, -EINVAL },
		{ "managed memory", (uintptr_t)at, 1, UVM_MIGRATE_ASYNC, BLOCK, 0, -ENOENT },
		{ "memory of the process", (uintptr_t)stack & -4, 1, UVM_MIGRATE_ASYNC, BLOCK, 0,
		  -ENOENT },
		{ "the CPU's address of pinned memory", (uintptr_t)words.cpu, 1,
		  UVM_MIGRATE_ASYNC, BLOCK, 0, -ENOENT },
		{ "an external range, nothing mapped", range, 1, UVM_MIGRATE_ASYNC, BLOCK, 0,
		  -ENOENT },
		{ "behind what is mapped", word_address(1024), 1, UVM_MIGRATE_ASYNC, BLOCK, 0,
		  -ENOENT },
		{ "the kernel's half", 0xffff888000000000, 1, UVM_MIGRATE_ASYNC, BLOCK, 0,
		  -ENOENT },
		{ "the end of all addresses", -4UL, 1, UVM_MIGRATE_ASYNC, BLOCK, 0, -ENOENT },
		{ "device memory", device.gpu, 1, UVM_MIGRATE_ASYNC, BLOCK, 0, -EOPNOTSUPP },
		{ "read only", read_only.gpu, 1, UVM_MIGRATE_ASYNC, BLOCK, 0, -EACCES },
		{ "more than is managed", word_address(0), 1, UVM_MIGRATE_ASYNC, BLOCK + PAGE, 0,
		  -EINVAL },
		{ "no such GPU", word_address(0), 1, UVM_MIGRATE_ASYNC, BLOCK, 7, -ENODEV },
		{ "only a release, no such GPU", word_address(0), 1, UVM_MIGRATE_ASYNC, 0, 7,
		  -ENODEV },
	};

	cpu_fill(at, BLOCK / PAGE, PAGE, 80);
	*word(0) = 7;
	stats_read(pair.uvm, true);
	for (unsigned int i = 0; i < ARRAY_SIZE(rows); i++) {
		struct uvm_migrate arg = {
			.size = sizeof(arg), .flags = rows[i].flags, .base = (uintptr_t)at,
			.length = rows[i].length, .dst = rows[i].dst,
			.semaphore = rows[i].semaphore, .payload = rows[i].payload,
		};

		is(try_ioctl(pair.uvm, UVM_IOC_MIGRATE, &arg), rows[i].want, "refused: %s",
		   rows[i].what);
	}
	stats = stats_read(pair.uvm, false);
	is(stats.bytes_htod, 0, "refused: nothing has moved");
	is(*word(0), 7, "refused: nothing was written");
	must(!range_free(pair.uvm, range, MB));
	object_end(&pair, &device);
	object_end(&pair, &read_only);
	munmap(at, BLOCK);
}

/* ---- ends ------------------------------------------------------------- */

/* The word is unmapped, and its memory freed, while the copies are under way. */
static void test_unmap(void)
{
	char *at = managed(pair.uvm, BYTES);
	struct object own = object_make(&pair, PINNED, PAGE);

	cpu_fill(at, PAGES, PAGE, 90);
	must(!start(at, BYTES, 0, own.gpu + 8, VALUE, NULL));
	is(range_unmap(pair.uvm, own.gpu, PAGE, 0), 0, "unmapping the word");
	is(((volatile uint32_t *)own.cpu)[2], VALUE, "unmapping the word waits until it is written");
	is(start(at, BYTES, 0, own.gpu + 8, 1, NULL), -ENOENT, "unmapping the word: it is gone");
	must(!range_map(&pair, own.gpu, PAGE, own.handle, 0, 0));
	must(!migrate(pair.uvm, at, BYTES, UVM_PROCESSOR_CPU));
	must(!start(at, BYTES, 0, own.gpu + 8, VALUE + 1, NULL));
	object_end(&pair, &own);
	is(gpu_wrong(&pair, at, PAGES, PAGE, 90, false), 0, "unmapping the word: data is right");
	munmap(at, BYTES);
}

static void test_unregister(void)
{
	char *at = managed(pair.uvm, BYTES);
	struct object own = object_make(&pair, PINNED, PAGE);
	uint64_t fence;

	cpu_fill(at, PAGES, PAGE, 95);
	must(!start(at, BYTES, 0, own.gpu, VALUE, &fence));
	is(gpu_unregister(pair.uvm, 0), 0, "unregister while it is under way");
	is(*(volatile uint32_t *)own.cpu, VALUE, "unregister: the word is written");
	is(wait_fence(fence), 0, "unregister: the fence can be waited for");
	is(start(at, BYTES, 0, own.gpu, 1, NULL), -ENOENT, "unregister: the word is not mapped");
	is(cpu_wrong(at, PAGES, PAGE, 95, false), 0, "unregister: the data is right");
	munmap(own.cpu, PAGE);
	munmap(at, BYTES);
}

static void child_leaves(void *how)
{
	struct object own;
	char *at;

	pair = pair_open();
	at = managed(pair.uvm, BYTES);
	own = object_make(&pair, PINNED, PAGE);
	cpu_fill(at, PAGES, PAGE, 1);
	must(!start(at, BYTES, 0, own.gpu, VALUE, NULL));
	if (how)
		raise(SIGKILL);
	_exit(42);
}

static void test_exit(void)
{
	is(in_child(child_leaves, NULL), 42, "exit while it is under way");
	is(in_child(child_leaves, (void *)1), -SIGKILL, "SIGKILL while it is under way");
}

/* ---- CPU pre-unmap ---------------------------------------------------- */

#define GROUP_BLOCKS	8
#define GROUP_BYTES	(GROUP_BLOCKS * BLOCK)
#define GROUP_PAGES	(GROUP_BYTES / PAGE)

/* What it costs to take @at from the CPU, with 2^@order blocks at a time; -1: one by one. */
static int64_t unmap_cost(char *at, int order)
{
	char value[16];
	struct uvm_stats stats;

	snprintf(value, sizeof(value), "%d", order < 0 ? 0 : order);
	must(!set_param(pair.uvm, "perf_migrate_cpu_preunmap_block_order", value));
	must(!set_param(pair.uvm, "perf_migrate_cpu_preunmap_enable", order < 0 ? "0" : "1"));
	cpu_fill(at, GROUP_PAGES, PAGE, 30);
	stats_read(pair.uvm, true);
	must(!migrate(pair.uvm, at, GROUP_BYTES, 0));
	stats = stats_read(pair.uvm, false);
	is(stats.bytes_htod, GROUP_BYTES, "pre-unmap, order %d: all of it moves", order);
	return stats.phase_ns[UVM_PHASE_CPU_UNMAP];
}

static bool link_is_fast(void)
{
	char set[256] = "";
	FILE *f = fopen("/sys/module/softgpu/parameters/set", "r");

	must(f && fgets(set, sizeof(set), f));
	fclose(f);
	return strstr(set, "cpu_link_fast:1");
}

/*
 * The price of a block is paid once for each group (nvidia-uvm 6.1), where the link
 * is fast; where it is not, and for what must stay mapped, block by block.
 */
static void test_preunmap(void)
{
	static const int groups[] = { [0] = GROUP_BLOCKS, [1] = 4, [2] = 2, [3] = 1, [10] = 1 };
	char *room = managed(pair.uvm, 2 * GROUP_BYTES), *at;
	int64_t each, saved;

	/* groups are aligned; the first time takes longer than those that follow */
	at = (char *)(((uintptr_t)room + GROUP_BYTES - 1) & -GROUP_BYTES);
	unmap_cost(at, -1);
	each = unmap_cost(at, -1);
	saved = each - unmap_cost(at, 3);
	if (!is_virtual()) {
		munmap(room, 2 * GROUP_BYTES);
		return;
	}
	is(saved > 0, link_is_fast(), "pre-unmap: saves something (%ld of %ld ns)", (long)saved, (long)each);
	is(saved % (GROUP_BLOCKS - 1), 0, "pre-unmap: the price of seven blocks");
	for (unsigned int order = 0; order < ARRAY_SIZE(groups); order++) {
		int64_t want = saved / (GROUP_BLOCKS - 1) * (GROUP_BLOCKS - groups[order]);

		if (groups[order])
			is(each - unmap_cost(at, order), want, "pre-unmap, order %d: %d groups",
			   order, groups[order]);
	}
	is(gpu_wrong(&pair, at, GROUP_PAGES, PAGE, 30, false), 0, "pre-unmap: the data is right");
	must(!advise(pair.uvm, at + BLOCK, PAGE, UVM_ADVICE_READ_DUPLICATE, UVM_PROCESSOR_NONE, 0));
	each = unmap_cost(at, -1);
	is(unmap_cost(at, 3), each, "pre-unmap: one page stays, none is unmapped ahead");
	munmap(room, 2 * GROUP_BYTES);
}

/* Adds 1 to the first word of every page. */
static void touch_pages(struct beside *b)
{
	for (size_t i = 0; i < GROUP_PAGES; i++)
		__atomic_fetch_add((uint32_t *)(b->at + i * PAGE), 1, __ATOMIC_RELAXED);
}

/* What the CPU writes between the unmapping of a group and the move of a block is there. */
static void test_preunmap_race(void)
{
	char *at = managed(pair.uvm, GROUP_BYTES);
	struct beside cpu;
	long wrong = 0;

	beside_begin(&cpu, touch_pages, at);
	for (int i = 0; i < 10; i++)
		wrong += migrate(pair.uvm, at, GROUP_BYTES, 0) != 0;
	is(wrong, 0, "pre-unmap: migrations beside a thread that writes");
	beside_end(&cpu);
	for (size_t i = 0; i < GROUP_PAGES; i++)
		wrong += *(uint32_t *)(at + i * PAGE) != cpu.rounds;
	is(wrong, 0, "pre-unmap: no write is lost (%lu rounds)", cpu.rounds);
	munmap(at, GROUP_BYTES);
}

/* What a block has that begins and ends with single pages: chunks of two sizes. */
#define RAGGED		(BLOCK - 8 * PAGE)
#define RAGGED_PAGES	(RAGGED / PAGE)

static void move_pages(struct beside *b)
{
	long ret = migrate(pair.uvm, b->at, RAGGED, 0);

	/* the other one may pin all there is for as long as it is asked */
	b->wrong += ret && ret != -ENOMEM;
}

/*
 * A migration and faults of another block want the only frame there is.  Whoever has
 * a small chunk of it and waits for another one must let it go: nobody else will.
 */
static void test_only_frame(void)
{
	char *area = managed(pair.uvm, 2 * BLOCK), *at = area + BLOCK + 3 * PAGE;
	char *moved = area + 3 * PAGE;
	struct beside mover;
	long wrong = 0;

	must(!munmap(area, 3 * PAGE) && !munmap(moved + RAGGED, 8 * PAGE) &&
	     !munmap(at + RAGGED, 5 * PAGE));
	must(!vram_limit(pair.gpu, BLOCK));
	cpu_fill(moved, RAGGED_PAGES, PAGE, 9);
	beside_begin(&mover, move_pages, moved);
	for (int i = 0; i < (few ? 5 : 10); i++) {
		cpu_fill(at, RAGGED_PAGES, PAGE, i);
		wrong += gpu_wrong(&pair, at, RAGGED_PAGES, PAGE, i, false);
	}
	is(beside_end(&mover) + wrong, 0, "only frame: two who want it both get on");
	is(cpu_wrong(moved, RAGGED_PAGES, PAGE, 9, false), 0, "only frame: no data is lost");
	munmap(area, 2 * BLOCK);
	must(!vram_limit(pair.gpu, 0));
}

static void with_words(void (*test)(void))
{
	words = object_make(&pair, PINNED, PAGE);
	test();
	object_end(&pair, &words);
}

#define WITH_WORDS(name) static void name##_words(void) { with_words(name); }
WITH_WORDS(test_async)
WITH_WORDS(test_poll)
WITH_WORDS(test_gpu_waits)
WITH_WORDS(test_at_once)
WITH_WORDS(test_many)
WITH_WORDS(test_refusals)

static const struct test_case cases[] = {
	{ "async", test_async_words },
	{ "poll", test_poll_words },
	{ "gpu-waits", test_gpu_waits_words },
	{ "at-once", test_at_once_words },
	{ "many", test_many_words },
	{ "refusals", test_refusals_words },
	{ "unmap", test_unmap },
	{ "unregister", test_unregister },
	{ "exit", test_exit },
	{ "preunmap", test_preunmap },
	{ "preunmap-race", test_preunmap_race },
	{ "only-frame", test_only_frame },
};

int main(int argc, char **argv)
{
	return run_cases(argc, argv, "migrate", cases, ARRAY_SIZE(cases));
}
