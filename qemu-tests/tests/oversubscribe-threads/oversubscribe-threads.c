// SPDX-License-Identifier: GPL-2.0
/*
 * Thread blocks that wait on their SM: virtual threads, thread oversubscription, SMs that
 * are turned off.  Registers are written through debugfs, behind the driver's back.  For
 * two SMs with room for two blocks of one warp each.
 */
#include "common.h"

#define REG_EXT_ENABLE		0x304
#define REG_OVERSUB_LIMIT	0x500
#define REG_SM_LIMIT		0x508
#define EXT_OVERSUBSCRIBE	4
#define EXT_SM_LIMIT		8
#define BLOCKS			40
#define INSTRUCTIONS		100000000	/* of a launch that goes wrong */

/* The VA space goes when its last mapping does. */
static struct {
	void *at;
	size_t bytes;
} mapped[8];
static unsigned int mapped_count;

static void *memory(size_t bytes)
{
	void *at = managed(pair.uvm, bytes);

	mapped[mapped_count].at = at;
	mapped[mapped_count++].bytes = bytes;
	return at;
}

static void unmap_all(void)
{
	while (mapped_count--)
		munmap(mapped[mapped_count].at, mapped[mapped_count].bytes);
	mapped_count = 0;
}

static void reg_write(unsigned int reg, unsigned int value)
{
	int fd = open("/sys/kernel/debug/softgpu/gpu0/reg_write", O_WRONLY | O_CLOEXEC);
	char text[32];
	int n = snprintf(text, sizeof(text), "%#x %#x", reg, value);

	must(fd >= 0);
	must(write(fd, text, n) == n);
	close(fd);
}

static void limit_blocks(unsigned int extra)
{
	reg_write(REG_OVERSUB_LIMIT, extra);
	reg_write(REG_EXT_ENABLE, EXT_OVERSUBSCRIBE);
}

static long run(const char *entry, uint32_t threads, const struct test_args *args,
		struct softgpu_wait *w)
{
	uint64_t id;
	long ret = launch_shape(&pair, entry, BLOCKS, threads, INSTRUCTIONS, args, &id);

	return ret ? ret : launch_wait(pair.gpu, id, 0, w) ?: (long)w->reason;
}

/*
 * Blocks that fault with a lock held give way to others, which spin for the lock: without
 * patience the holder would never come back.
 */
static void locked(unsigned int extra)
{
	uint64_t *pages = memory(64 * MB), *lock = memory(PAGE);
	struct test_args args = { .address = (uintptr_t)pages, .out = (uintptr_t)lock,
				  .stride = MB };
	struct softgpu_info before, after;
	struct softgpu_wait w;
	unsigned int bad = 0;

	limit_blocks(extra);
	/* so that those who spin do not wait for a page */
	must(!run_one(&pair, "t_tally", (struct test_args){ .address = (uintptr_t)(lock + 8),
		      .count = 1 }, &w));
	before = gpu_info(pair.gpu);
	is(run("t_locked", 1, &args, &w), SOFTGPU_FAIL_NONE, "a lock in %u extra blocks", extra);
	after = gpu_info(pair.gpu);
	for (unsigned int i = 0; i < BLOCKS; i++)
		bad += pages[i * MB / sizeof(*pages)] != i + 1;
	is(bad, 0, "pages of blocks that have the lock");
	is(lock[1], BLOCKS, "turns with the lock");
	if (extra)
		ok(after.switched_out > before.switched_out && after.switched_in > before.switched_in,
		   "blocks give way");
	unmap_all();
}

static void test_locked(void)
{
	static const unsigned int extra[] = { 0, 1, 4 };

	for (unsigned int i = 0; i < 3; i++)
		locked(extra[i]);
}

static void test_data(void)
{
	uint64_t bytes = few ? 8 * MB : 24 * MB;
	char *at = memory(bytes);
	uint64_t *bad = memory(PAGE);
	struct test_args args = { .address = (uintptr_t)at, .count = bytes / 512, .stride = 512,
				  .value = 7, .out = (uintptr_t)bad };
	struct softgpu_wait w;

	must(!vram_limit(pair.gpu, bytes / 2));
	for (unsigned int extra = 0; extra <= 4; extra += 2) {
		limit_blocks(extra);
		args.value += 100;
		*bad = 0;
		is(run("t_fill", 32, &args, &w), SOFTGPU_FAIL_NONE, "filling with %u extra", extra);
		is(run("t_check", 32, &args, &w), SOFTGPU_FAIL_NONE, "checking with %u extra", extra);
		is(*bad, 0, "words that are wrong");
	}
	vram_limit(pair.gpu, 0);
	unmap_all();
}

/* A block of another launch does not wait until those that sleep are woken. */
static void test_second_launch(void)
{
	char *at = memory(8 * MB);
	struct test_args args = { .address = (uintptr_t)at, .count = 4 * 32, .stride = 16 * PAGE };
	struct pair second = pair_open();
	char *apart = managed(second.uvm, PAGE);
	struct softgpu_wait first, other;
	uint64_t id;

	limit_blocks(1);
	must(!launch_shape(&pair, "t_fill", 4, 32, INSTRUCTIONS, &args, &id));
	/* time passes, until its blocks wait for memory */
	is(migrate(second.uvm, apart, PAGE, -1), 0, "a page of somebody else");
	is(run_shape(&second, "t_fill", 1, 32, &(struct test_args){ .stride = PAGE }, &other),
	   SOFTGPU_FAIL_NONE, "a second launch, which has nothing to do");
	must(!launch_wait(pair.gpu, id, 0, &first));
	is(first.state, SOFTGPU_LAUNCH_DONE, "the first launch, which faults");
	note("first %llu to %llu ns, second %llu to %llu ns", (long long)first.start_ns,
	     (long long)first.end_ns, (long long)other.start_ns, (long long)other.end_ns);
	if (!gpu_info(pair.gpu).clock)
		ok(other.end_ns - other.start_ns < (first.end_ns - first.start_ns) / 10,
		   "it ends while the other waits");
	munmap(apart, PAGE);
	pair_close(&second);
	unmap_all();
}

static volatile bool turning;
static bool real_clock;

static void *turn_limit(void *arg)
{
	(void)arg;
	for (unsigned int i = 0; turning; i++) {
		reg_write(REG_OVERSUB_LIMIT, i * 7 % 5);
		if (real_clock && i % 5 == 4)
			reg_write(REG_EXT_ENABLE, i % 2 ? EXT_OVERSUBSCRIBE :
				  EXT_OVERSUBSCRIBE | EXT_SM_LIMIT);
		usleep(2000);
	}
	return NULL;
}

/*
 * The limits go up and down meanwhile, and an SM stands still now and then: not on the
 * virtual clock, where a device that stands still while nobody else is due hangs.
 */
static void test_limits_move(void)
{
	uint64_t bytes = few ? 8 * MB : 24 * MB;
	char *at = memory(bytes);
	uint64_t *bad = memory(PAGE);
	struct test_args args = { .address = (uintptr_t)at, .count = bytes / 512, .stride = 512,
				  .value = 7, .out = (uintptr_t)bad };
	struct softgpu_wait w;
	pthread_t thread;

	must(!vram_limit(pair.gpu, bytes / 2));
	limit_blocks(4);
	real_clock = gpu_info(pair.gpu).clock;
	reg_write(REG_SM_LIMIT, 1);
	turning = true;
	must(!pthread_create(&thread, NULL, turn_limit, NULL));
	is(run("t_fill", 32, &args, &w), SOFTGPU_FAIL_NONE, "filling while limits move");
	is(run("t_check", 32, &args, &w), SOFTGPU_FAIL_NONE, "checking while limits move");
	turning = false;
	pthread_join(thread, NULL);
	reg_write(REG_SM_LIMIT, 0);
	is(*bad, 0, "words that are wrong");
	vram_limit(pair.gpu, 0);
	unmap_all();
}

/* A block that waits may be the one whose access is cancelled. */
static void test_wild(void)
{
	char *at = memory(64 * MB);
	struct test_args args = { .address = (uintptr_t)at, .stride = MB, .value = 23,
				  .out = 0x7f0000000000 };
	struct softgpu_wait w;

	limit_blocks(4);
	is(run("t_place", 1, &args, &w), SOFTGPU_FAIL_FAULT, "a wild access ends the launch");
	is(w.block, 23, "its block");
	ok(w.address == args.out, "its address");
	args.out = 0;
	is(run("t_place", 1, &args, &w), SOFTGPU_FAIL_NONE, "the next launch runs");
	unmap_all();
}

/* An SM that is off takes no blocks. */
static void test_sm_limit(void)
{
	uint64_t *at = memory(64 * MB);
	struct test_args args = { .address = (uintptr_t)at, .stride = MB, .value = ~0ULL };
	struct softgpu_wait w;
	unsigned int others = 0;

	reg_write(REG_EXT_ENABLE, EXT_SM_LIMIT);
	reg_write(REG_SM_LIMIT, 1);
	is(run("t_place", 1, &args, &w), SOFTGPU_FAIL_NONE, "one SM runs all blocks");
	for (unsigned int i = 0; i < BLOCKS; i++)
		others += at[i * MB / sizeof(*at)] != 1;
	is(others, 0, "blocks of other SMs");
	reg_write(REG_SM_LIMIT, 0);
	is(run("t_place", 1, &args, &w), SOFTGPU_FAIL_NONE, "all SMs run blocks");
	for (unsigned int i = 0; i < BLOCKS; i++)
		others += at[i * MB / sizeof(*at)] != 1;
	ok(others, "some are of others");
	unmap_all();
}

/* Closed while blocks wait for a lock that is never free, on their SM or not. */
static void test_close(void)
{
	uint64_t *lock = memory(PAGE), *pages = memory(64 * MB);
	struct test_args args = { .address = (uintptr_t)pages, .out = (uintptr_t)lock,
				  .stride = MB, .count = BLOCKS + 1 };

	limit_blocks(2);
	is(launch_shape(&pair, "t_locked", BLOCKS, 1, 0, &args, NULL), 0, "a launch without end");
	usleep(200000);
	pair_close(&pair);
	unmap_all();
	ok(true, "it can be closed");
}

static const struct test_case cases[] = {
	{ "locked", test_locked },
	{ "data", test_data },
	{ "second-launch", test_second_launch },
	{ "limits-move", test_limits_move },
	{ "wild", test_wild },
	{ "sm-limit", test_sm_limit },
	{ "close", test_close },
};

int main(int argc, char **argv)
{
	return run_cases(argc, argv, "oversubscription", cases, sizeof(cases) / sizeof(cases[0]));
}
