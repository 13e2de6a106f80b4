// SPDX-License-Identifier: GPL-2.0
/*
 * What kernels can do beside arithmetic: atomics, barriers, lanes that part, recursion,
 * printing, one instruction for several memories; and the ways to fail.  Each case says
 * what is wrong and ends the program with 1.
 *
 *	device CASE
 */
#include <unistd.h>

#include "pages_test.h"

#include "../../../tools/kernels/test_barrier.c"
#include "../../../tools/kernels/test_divergence.c"
#include "../../../tools/kernels/test_double.c"
#include "../../../tools/kernels/test_mixed.c"
#include "../../../tools/kernels/test_printf.c"
#include "../../../tools/kernels/test_stack.c"
#include "../../../tools/kernels/test_trap.c"
#include "../../../tools/kernels/test_warp.c"
#include "../../../tools/kernels/test_wild.c"

#define BLOCKS	3U
#define THREADS	80U		/* per block: the last warp is not full */
#define ALL	(BLOCKS * THREADS)

static struct uvm *u;

static void check(int err)
{
	if (err)
		fail("%s", uvm_last_error(u));
}

static uint32_t *words(unsigned int count)
{
	uint32_t *at = uvm_malloc_managed(u, count * sizeof(*at), "words");

	if (!at)
		fail("%s", uvm_last_error(u));
	memset(at, 0, count * sizeof(*at));
	return at;
}

static void same(const char *what, unsigned int i, uint64_t got, uint64_t want)
{
	if (got != want)
		fail("%s[%u] is 0x%lx, not 0x%lx", what, i, got, want);
}

/* The kernel @entry of the image @name in @blocks; returns uvm_synchronize(). */
static int run(const char *name, const char *entry, unsigned int blocks, const void *args,
	       size_t bytes)
{
	struct uvm_launch_params launch = {
		.entry = entry, .grid = UVM_DIM(blocks), .block = UVM_DIM(THREADS),
		.shared_bytes = THREADS * 4, .args = args, .args_bytes = bytes,
		.instruction_limit = 10000000,
	};

	check(uvm_load_builtin(u, 0, name, &launch.image));
	check(uvm_launch(u, &launch));
	return uvm_synchronize(u);
}

#define RUN(name, entry, blocks, args)	run(name, entry, blocks, &(args), sizeof(args))

static void test_atomics(void)
{
	struct test_atomic_args args = { words(1), words(1), words(ALL / 32 + 1), 5 };

	check(RUN("test_atomic", "test_atomic", BLOCKS, args));
	same("count", 0, *args.count, ALL * args.rounds);
	same("max", 0, *args.max, ALL - 1);
	for (unsigned int i = 0; i < ALL; i++)
		same("bit", i, args.bits[i / 32] >> i % 32 & 1, 1);
}

static void test_barriers(void)
{
	struct test_barrier_args args = { .out = words(ALL), .rounds = 7 };

	check(RUN("test_barrier", "test_barrier_even", BLOCKS, args));
	for (unsigned int i = 0; i < ALL; i++)
		same("out", i, args.out[i], (i % THREADS + args.rounds) % THREADS);
}

/* Those that have exited are not waited for, whenever they went. */
static void exits_one(const struct test_barrier_args *args)
{
	unsigned int stay = 0, sum = args->rounds * (args->rounds + 1) / 2;
	char what[32];

	for (unsigned int i = 0; i < THREADS; i++)
		stay += !test_barrier_leaves(args->leaves, i, THREADS);
	memset(args->out, 0, ALL * sizeof(*args->out));
	check(RUN("test_barrier", "test_barrier_exits", BLOCKS, *args));
	snprintf(what, sizeof(what), "leaves %u, late %u", args->leaves, args->late);
	for (unsigned int i = 0; i < ALL; i++)
		same(what, i, args->out[i],
		     test_barrier_leaves(args->leaves, i % THREADS, THREADS) ? 0 : sum * stay);
}

static void test_barrier_exited(void)
{
	struct test_barrier_args args = { .out = words(ALL), .rounds = 5 };

	for (args.leaves = 0; args.leaves < TEST_BARRIER_LEAVES; args.leaves++)
		for (args.late = 0; args.late < 2; args.late++)
			exits_one(&args);
}

static bool on_virtual_clock(void)
{
	FILE *file = fopen("/sys/module/softgpu/parameters/clock", "r");
	char name[16] = "";

	if (!file || !fgets(name, sizeof(name), file))
		fail("no clock");
	fclose(file);
	return !strncmp(name, "virtual", 7);
}

/* One warp has the unit for double precision for itself, or three share it: 8 cycles each. */
static void test_doubles(void)
{
	struct test_double_args args = { words(4) };
	struct uvm_launch_params launch = {
		.entry = "test_double", .grid = UVM_DIM(1), .block = UVM_DIM(32), .args = &args,
		.args_bytes = sizeof(args),
	};

	check(uvm_load_builtin(u, 0, "test_double", &launch.image));
	check(uvm_launch(u, &launch) ? -EIO : uvm_synchronize(u));
	if (on_virtual_clock())
		same("cycles of 16 additions", 0, args.out[0], 16 * 8);
	launch.block = UVM_DIM(96);
	check(uvm_launch(u, &launch) ? -EIO : uvm_synchronize(u));
	/* their turn may have changed meanwhile */
	for (unsigned int i = 0; on_virtual_clock() && i < 3; i++)
		if (args.out[i] < 16 * 8 * 3 - 8 || args.out[i] > 16 * 8 * 3 + 8)
			fail("16 additions beside others: %u cycles", args.out[i]);
}

/* What each lane of a warp of so many lanes is to have. */
static uint32_t warp_want(unsigned int word, unsigned int lane, unsigned int lanes)
{
	uint32_t all = lanes == 32 ? ~0U : (1U << lanes) - 1, mask = 0, sum = 0;
	unsigned int eighth = lane / 8 * 8 + 3;

	for (unsigned int other = 0; other < lanes; other++) {
		mask |= (other % 5 == lane % 5) << other;
		sum += other % 3 == lane % 3 ? other : 0;
	}
	switch (word) {
	case TEST_WARP_SUM_DOWN:
	case TEST_WARP_SUM_XOR:
		return lanes * (lanes - 1) / 2;
	case TEST_WARP_SCAN:
		return lane * (lane + 1) / 2;
	case TEST_WARP_EIGHTH:
		return eighth < lanes ? eighth : 0;
	case TEST_WARP_BALLOT:
		return 0xaaaaaaaa & all;
	case TEST_WARP_MATCH:
		return mask;
	case TEST_WARP_PART:
		return sum;
	case TEST_WARP_VOTES:
		return 0xb;
	}
	return lane & 1 ? 0 : 0x55555555 & all;
}

/* Warps of 32, 32 and 16 lanes. */
static void test_warps(void)
{
	struct test_warp_args args = { words(ALL * TEST_WARP_WORDS) };

	check(RUN("test_warp", "test_warp", BLOCKS, args));
	for (unsigned int i = 0; i < ALL * TEST_WARP_WORDS; i++) {
		unsigned int thread = i / TEST_WARP_WORDS % THREADS, word = i % TEST_WARP_WORDS;

		if (word == TEST_WARP_SUM_DOWN && thread % 32)
			continue;
		same("word of a lane", i, args.out[i],
		     warp_want(word, thread % 32, thread < 64 ? 32 : THREADS - 64));
	}
}

static void test_reductions(void)
{
	struct test_warp_args args = { words(ALL) };
	unsigned int count = 0;

	for (unsigned int i = 0; i < THREADS; i++)
		count += i % 3 == 0 && (i <= 40 || !(i & 1));
	check(RUN("test_warp", "test_warp_reduce", BLOCKS, args));
	for (unsigned int i = 0; i < ALL; i++) {
		bool gone = i % THREADS > 40 && i % THREADS & 1;

		same("count", i, args.out[i], gone ? 0 : count | 5 << 16);
	}
}

/* Calls and returns of lanes that have parted, and lanes of one warp at one lock. */
static void test_divergent(void)
{
	struct test_divergence_args args = { words(ALL), words(1), words(1) };

	check(RUN("test_divergence", "test_divergence", BLOCKS, args));
	for (unsigned int i = 0; i < ALL; i++)
		same("steps", i, args.steps[i], test_divergence_expect(i + 1));
	check(RUN("test_divergence", "test_divergence_pointers", BLOCKS, args));
	for (unsigned int i = 0; i < ALL; i++)
		same("next", i, args.steps[i], i & 1 ? 3 * i + 1 : i / 2);
	check(RUN("test_divergence", "test_divergence_lock", BLOCKS, args));
	same("counter", 0, *args.counter, ALL);
	same("lock", 0, *args.lock, 0);
}

/* A line per block; on the real clock SMs run beside each other, so in any order. */
static void test_printing(void)
{
	struct test_printf_args args = { .value = 48879 };
	char text[4096], line[80];
	size_t all = 0;
	long got;

	check(RUN("test_printf", "test_printf", BLOCKS, args));
	got = uvm_gpu_output(u, 0, text, sizeof(text) - 1);
	if (got < 0)
		fail("uvm_gpu_output(): %s", strerror(-got));
	text[got] = 0;
	for (unsigned int i = 0; i < BLOCKS; i++) {
		all += snprintf(line, sizeof(line), "block %u of %u: 48879 0xbeef done\n", i,
				BLOCKS);
		if (!strstr(text, line))
			fail("printed: %s, but not: %s", text, line);
	}
	same("bytes printed", 0, got, all);
}

/* All that was printed, by a reader who fails first. */
static size_t printed(char *text, size_t room)
{
	size_t all = 0;
	long got;

	got = uvm_gpu_output(u, 0, (char *)8, 100);
	if (got != -EFAULT)
		fail("uvm_gpu_output() to nowhere: %ld", got);
	while ((got = uvm_gpu_output(u, 0, text + all, room - all - 1)) > 0)
		all += got;
	text[all] = 0;
	return all;
}

/* Twice as much as there is room for: half of it, and a line that says so. */
static void test_printing_much(void)
{
	static const char lost[] = "[65536 bytes of printf were lost]\n";
	struct uvm_launch_params launch = {
		.entry = "test_printf_many", .grid = UVM_DIM(128), .block = UVM_DIM(32),
	};
	struct test_printf_args args = { 0 };
	static char text[1 << 17];
	size_t all;

	launch.args = &args;
	launch.args_bytes = sizeof(args);
	check(uvm_load_builtin(u, 0, "test_printf", &launch.image));
	for (int round = 0; round < 2; round++) {
		check(uvm_launch(u, &launch) ? -EIO : uvm_synchronize(u));
		all = printed(text, sizeof(text));
		same("bytes printed", round, all, 65536 + sizeof(lost) - 1);
		if (strcmp(text + 65536, lost))
			fail("after 64 KB: %s", text + 65536);
		for (unsigned int i = 0; i < 65536; i += 32)
			if (strncmp(text + i + 20, " 0123456789\n", 12))
				fail("no whole line at %u: %.32s", i, text + i);
	}
}

static void test_recursion(void)
{
	struct test_stack_args args = { words(ALL), 12 };

	check(RUN("test_stack", "test_stack", BLOCKS, args));
	for (unsigned int i = 0; i < ALL; i++)
		same("out", i, args.out[i], args.depth * (args.depth + 1) / 2 + i);
}

static void test_memories(void)
{
	struct test_mixed_args args = { words(THREADS), words(THREADS) };

	check(RUN("test_mixed", "test_mixed", 1, args));
	for (unsigned int i = 0; i < THREADS; i++) {
		same("out", i, args.out[i], i + 1);
		same("words", i, args.words[i], i % 3 == 2 ? i + 1 : 0);
	}
}

/* The launch must have failed, for this reason. */
static const struct softgpu_wait *reason(const char *what, int err, uint32_t want)
{
	const struct uvm_failure *failure = uvm_failure(u);

	if (!err || !failure)
		fail("%s does not fail", what);
	same(what, 0, failure->wait.reason, want);
	return &failure->wait;
}

/* And here, in this thread. */
static void failed(const char *what, int err, uint32_t want, uint64_t address, uint32_t thread)
{
	const struct softgpu_wait *wait = reason(what, err, want);

	same(what, 1, wait->address, address);
	same(what, 2, wait->thread, thread);
}

static void test_failures(void)
{
	struct test_trap_args trap = { .kind = TEST_TRAP_EBREAK };
	struct test_wild_args wild = { .address = 0x10000, .thread = 37 };
	struct test_stack_args deep = { words(ALL), 100000 };
	struct test_warp_args warp = { NULL };
	struct test_barrier_args barrier = { .out = words(ALL), .rounds = 1 };

	failed("ebreak", RUN("test_trap", "test_trap", 1, trap), SOFTGPU_FAIL_TRAP, 0, 0);
	trap.kind = TEST_TRAP_ECALL;
	failed("ecall", RUN("test_trap", "test_trap", 1, trap), SOFTGPU_FAIL_TRAP, 0, 0);
	trap.kind = TEST_TRAP_MISALIGNED;
	trap.address = (uintptr_t)words(4) + 4;
	failed("misaligned", RUN("test_trap", "test_trap", 1, trap), SOFTGPU_FAIL_MISALIGNED,
	       trap.address, 0);
	for (wild.access = TEST_WILD_READ; wild.access <= TEST_WILD_ATOMIC; wild.access++)
		failed("wild access", RUN("test_wild", "test_wild", 1, wild), SOFTGPU_FAIL_FAULT,
		       wild.address, 37);
	wild.access = TEST_WILD_WRITE;
	RUN("test_wild", "test_wild", 1, wild);
	if (!strstr(uvm_last_error(u), "; at tools/kernels/test_wild.c:"))
		fail("its line is not told: %s", uvm_last_error(u));
	wild.access = TEST_WILD_JUMP;
	failed("jump", RUN("test_wild", "test_wild", 1, wild), SOFTGPU_FAIL_JUMP, wild.address, 37);
	reason("a stack without end", RUN("test_stack", "test_stack", 1, deep),
	       SOFTGPU_FAIL_WINDOW);
	reason("a lane that waits in vain",
	       RUN("test_warp", "test_warp_vain", 1, warp), SOFTGPU_FAIL_BARRIER);
	reason("halves of a warp at two barriers",
	       RUN("test_barrier", "test_barrier_uneven", 1, barrier), SOFTGPU_FAIL_BARRIER);
}

/* More than the device remembers; the first failure is told, and all are counted. */
static void test_many_launches(void)
{
	const unsigned int count = 5000;
	struct test_trap_args trap = { .kind = TEST_TRAP_EBREAK };
	struct test_wild_args wild = { .address = 0x10000 }, good = { .thread = ~0ULL };
	struct uvm_launch_params launch = {
		.grid = UVM_DIM(1), .block = UVM_DIM(1), .args_bytes = sizeof(wild),
	};
	uint32_t trap_image, wild_image;
	int err;

	check(uvm_load_builtin(u, 0, "test_trap", &trap_image));
	check(uvm_load_builtin(u, 0, "test_wild", &wild_image));
	for (unsigned int i = 0; i < count; i++) {
		bool traps = i == 4000;

		launch.image = traps ? trap_image : wild_image;
		launch.entry = traps ? "test_trap" : "test_wild";
		launch.args = i == 3 ? &wild : &good;
		if (traps)
			launch.args = &trap;
		launch.args_bytes = traps ? sizeof(trap) : sizeof(wild);
		check(uvm_launch(u, &launch));
	}
	err = uvm_synchronize(u);
	same("error of the first", 0, -err, EFAULT);
	if (!uvm_failure(u) || strcmp(uvm_failure(u)->entry, "test_wild"))
		fail("the first failure is not told");
	same("its address", 0, uvm_failure(u)->wait.address, wild.address);
	same("launches", 0, uvm_launch_totals(u).launches, count);
	check(uvm_synchronize(u));
	if (uvm_failure(u))
		fail("a failure is told twice");
}

static const struct {
	const char *name;
	void (*run)(void);
} cases[] = {
	{ "atomics", test_atomics }, { "barriers", test_barriers },
	{ "barriers-exited", test_barrier_exited }, { "warps", test_warps },
	{ "reductions", test_reductions }, { "doubles", test_doubles },
	{ "divergence", test_divergent }, { "printing", test_printing },
	{ "printing-much", test_printing_much },
	{ "recursion", test_recursion }, { "memories", test_memories },
	{ "failures", test_failures }, { "many-launches", test_many_launches },
};

int main(int argc, char **argv)
{
	int gpu = 0;

	for (unsigned int i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		if (argc != 2 || strcmp(argv[1], cases[i].name))
			continue;
		check(uvm_open(&u, &gpu, 1));
		cases[i].run();
		uvm_close(u);
		return 0;
	}
	fail("usage: device CASE");
}
