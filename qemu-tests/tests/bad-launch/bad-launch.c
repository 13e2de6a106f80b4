// SPDX-License-Identifier: GPL-2.0
/*
 * Bad launches: shapes, arguments, kernels that misbehave or never end,
 * contexts that die.  Each has a clear errno or reason, and leaves nothing behind.
 */
#include "common.h"

/* ---- launches --------------------------------------------------------- */

static struct softgpu_launch good_launch(void)
{
	static struct test_args args;
	struct softgpu_launch l = {
		.size = sizeof(l), .image_id = pair.image, .grid = { 1, 1, 1 },
		.block = { 1, 1, 1 }, .args = (uintptr_t)&args, .args_bytes = 64,
		.entry = "t_nop",
	};

	return l;
}

static long try_launch(struct softgpu_launch *l)
{
	struct softgpu_wait w;
	long ret = try_ioctl(pair.gpu, SOFTGPU_IOC_LAUNCH, l);

	if (ret)
		return ret;
	ret = launch_wait(pair.gpu, l->launch_id, 0, &w);
	return ret ? ret : -(long)w.error;
}

static void test_shapes(void)
{
	static const struct {
		uint32_t grid[3], block[3], shared;
		long want;
	} rows[] = {
		{ { 1, 1, 1 }, { 1, 1, 1 }, 0, 0 },
		{ { 0, 1, 1 }, { 1, 1, 1 }, 0, -EINVAL },
		{ { 1, 0, 1 }, { 1, 1, 1 }, 0, -EINVAL },
		{ { 1, 1, 0 }, { 1, 1, 1 }, 0, -EINVAL },
		{ { 1, 1, 1 }, { 0, 1, 1 }, 0, -EINVAL },
		{ { 1, 1, 1 }, { 1, 0, 1 }, 0, -EINVAL },
		{ { 1, 1, 1 }, { 1, 1, 0 }, 0, -EINVAL },
		{ { 1u << 31, 1, 1 }, { 1, 1, 1 }, 0, -EINVAL },
		{ { UINT32_MAX, 1, 1 }, { 1, 1, 1 }, 0, -EINVAL },
		{ { 1, 65536, 1 }, { 1, 1, 1 }, 0, -EINVAL },
		{ { 1, 1, 65536 }, { 1, 1, 1 }, 0, -EINVAL },
		{ { 1, 1, 1 }, { 1024, 1, 1 }, 0, 0 },
		{ { 1, 1, 1 }, { 1025, 1, 1 }, 0, -EINVAL },
		{ { 1, 1, 1 }, { 32, 33, 1 }, 0, -EINVAL },
		{ { 1, 1, 1 }, { 32, 32, 2 }, 0, -EINVAL },
		{ { 1, 1, 1 }, { 65536, 65536, 1 }, 0, -EINVAL },
		{ { 1, 1, 1 }, { 1 << 16, 1 << 16, 1u << 31 }, 0, -EINVAL },
		{ { 2, 3, 4 }, { 2, 3, 4 }, 0, 0 },
		{ { 1, 1, 1 }, { 1, 1, 1 }, 49152, 0 },
		{ { 1, 1, 1 }, { 1, 1, 1 }, 49153, -EINVAL },
		{ { 1, 1, 1 }, { 1, 1, 1 }, UINT32_MAX, -EINVAL },
	};

	for (unsigned int i = 0; i < ARRAY_SIZE(rows); i++) {
		struct softgpu_launch l = good_launch();

		memcpy(l.grid, rows[i].grid, sizeof(l.grid));
		memcpy(l.block, rows[i].block, sizeof(l.block));
		l.shared_bytes = rows[i].shared;
		is(try_launch(&l), rows[i].want, "launch: grid %ux%ux%u block %ux%ux%u shared %u",
		   l.grid[0], l.grid[1], l.grid[2], l.block[0], l.block[1], l.block[2],
		   l.shared_bytes);
	}
}

/* The largest grid is taken at once and ended by its limit, not by patience. */
static void test_large_grid(void)
{
	struct softgpu_launch l = good_launch();

	l.grid[0] = INT32_MAX;
	l.grid[1] = l.grid[2] = 65535;
	l.instruction_limit = 1000;
	is(try_launch(&l), -ETIME, "launch: 2^63 blocks end at the instruction limit");
}

static void *unreadable(void)
{
	void *at = mmap(NULL, 2 * PAGE, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	must(at != MAP_FAILED);
	return at;
}

static void test_arguments(void)
{
	struct softgpu_launch l = good_launch();

	l.args_bytes = 4097;
	is(try_launch(&l), -EINVAL, "launch: 4097 bytes of arguments");
	l.args_bytes = UINT32_MAX;
	is(try_launch(&l), -EINVAL, "launch: 2^32 - 1 bytes of arguments");
	l.args_bytes = 4096;
	l.args = (uintptr_t)unreadable();
	is(try_launch(&l), -EFAULT, "launch: unreadable arguments");
	l.args = 0;
	l.args_bytes = 0;
	is(try_launch(&l), 0, "launch: no arguments");

	l = good_launch();
	l.image_id = 0;
	is(try_launch(&l), -ENOENT, "launch: image 0");
	l.image_id = UINT32_MAX;
	is(try_launch(&l), -ENOENT, "launch: no such image");

	static const char * const names[] = { "", "t_no", "t_nopp", "deep", "T_NOP" };
	for (unsigned int i = 0; i < ARRAY_SIZE(names); i++) {
		l = good_launch();
		strcpy(l.entry, names[i]);
		is(try_launch(&l), -ENOENT, "launch: no entry \"%s\"", names[i]);
	}
	memset(l.entry, 't', sizeof(l.entry));
	is(try_launch(&l), -EINVAL, "launch: an entry without end");
}

/* ---- kernels that misbehave ------------------------------------------- */

static void test_kernels(void)
{
	char *at = managed(pair.uvm, BLOCK);
	uint64_t hole = (uintptr_t)at + BLOCK, base = (uintptr_t)at;
	const struct {
		const char *what, *entry;
		uint64_t address, value;
		uint32_t threads;
		int reason, error;
		int access;		/* -1: address is not looked at */
	} rows[] = {
		{ "wild read", "t_load", hole, 0, 1, SOFTGPU_FAIL_FAULT, EFAULT, 0 },
		{ "wild write", "t_store", hole, 0, 1, SOFTGPU_FAIL_FAULT, EFAULT, 1 },
		{ "wild atomic", "t_atomic", hole, 0, 1, SOFTGPU_FAIL_FAULT, EFAULT, 2 },
		{ "read of NULL", "t_load", 0, 0, 1, SOFTGPU_FAIL_FAULT, EFAULT, 0 },
		{ "write to NULL", "t_store", 0, 0, 1, SOFTGPU_FAIL_FAULT, EFAULT, 1 },
		{ "read at the top of 49 bits", "t_load", (1UL << 49) - 8, 0, 1,
		  SOFTGPU_FAIL_FAULT, EFAULT, 0 },
		{ "read behind 49 bits", "t_load", 1UL << 49, 0, 1, SOFTGPU_FAIL_FAULT, EFAULT, 0 },
		{ "write to a kernel address", "t_store", 0xffff888000000000, 0, 1,
		  SOFTGPU_FAIL_FAULT, EFAULT, 1 },
		{ "read of a CPU-only page", "t_load", (uintptr_t)&base & -8, 0, 1,
		  SOFTGPU_FAIL_FAULT, EFAULT, 0 },
		{ "misaligned read", "t_load", base + 1, 0, 1, SOFTGPU_FAIL_MISALIGNED, EFAULT, 0 },
		{ "misaligned write", "t_store", base + 4, 0, 1, SOFTGPU_FAIL_MISALIGNED, EFAULT,
		  1 },
		{ "misaligned atomic", "t_atomic", base + 4, 0, 1, SOFTGPU_FAIL_MISALIGNED, EFAULT,
		  2 },
		{ "misaligned over the end of a page", "t_load", base + PAGE - 4, 0, 1,
		  SOFTGPU_FAIL_MISALIGNED, EFAULT, 0 },
		{ "beyond shared memory", "t_shared", 0, 0, 1, SOFTGPU_FAIL_WINDOW, EFAULT, -1 },
		{ "stack overrun", "t_stack", 0, 100000, 1, SOFTGPU_FAIL_WINDOW, EFAULT, -1 },
		{ "stack overrun of many", "t_stack", 0, 1000, 256, SOFTGPU_FAIL_WINDOW, EFAULT,
		  -1 },
		{ "read just above its stack", "t_load", 0x4000000030000400, 0, 1,
		  SOFTGPU_FAIL_WINDOW, EFAULT, 0 },
		{ "write to its own code", "t_store", 0x4000000000000000, 0, 1,
		  SOFTGPU_FAIL_WINDOW, EFAULT, 1 },
		{ "write to its arguments", "t_store", 0x4000000020000000, 0, 1,
		  SOFTGPU_FAIL_WINDOW, EFAULT, 1 },
		{ "read behind its arguments", "t_load", 0x4000000020010000, 0, 1,
		  SOFTGPU_FAIL_WINDOW, EFAULT, 0 },
		{ "uneven barrier", "t_barrier_uneven", 0, 0, 32, SOFTGPU_FAIL_BARRIER, EDEADLK,
		  -1 },
		{ "warp intrinsic without itself", "t_warp", 0, 3, 32, SOFTGPU_FAIL_TRAP, ENOEXEC,
		  -1 },
		{ "warp intrinsic without itself, of some", "t_warp", 0x5555, 4, 32,
		  SOFTGPU_FAIL_TRAP, ENOEXEC, -1 },
		{ "two barriers that count", "t_warp", 0, 0, 32, SOFTGPU_FAIL_BARRIER, EDEADLK,
		  -1 },
		{ "jump to NULL", "t_jump", 0, 0, 1, SOFTGPU_FAIL_JUMP, ENOEXEC, -1 },
		{ "jump into managed memory", "t_jump", base, 0, 1, SOFTGPU_FAIL_JUMP, ENOEXEC,
		  -1 },
		{ "jump behind the code", "t_jump", 0x4000000000008000, 0, 1, SOFTGPU_FAIL_JUMP,
		  ENOEXEC, -1 },
		{ "jump into a word", "t_jump", 0x4000000000000002, 0, 1, SOFTGPU_FAIL_JUMP,
		  ENOEXEC, -1 },
		{ "ebreak", "t_trap", 0, 0, 1, SOFTGPU_FAIL_TRAP, ENOEXEC, -1 },
		{ "unknown ecall", "t_trap", 0, 1000, 1, SOFTGPU_FAIL_TRAP, ENOEXEC, -1 },
		{ "unknown ecall 2^63", "t_trap", 0, 1UL << 63, 1, SOFTGPU_FAIL_TRAP, ENOEXEC, -1 },
	};
	struct softgpu_wait w;

	for (unsigned int i = 0; i < ARRAY_SIZE(rows); i++) {
		struct test_args args = { .address = rows[i].address, .value = rows[i].value };

		memset(&w, 0, sizeof(w));
		is(run_shape(&pair, rows[i].entry, 1, rows[i].threads, &args, &w), rows[i].reason,
		   "kernel: %s", rows[i].what);
		is(w.error, rows[i].error, "kernel: %s: errno", rows[i].what);
		if (rows[i].access >= 0 &&
		    !ok(w.address == rows[i].address && w.access == (uint32_t)rows[i].access,
			"kernel: %s: address and access are told", rows[i].what))
			note("address %#lx access %u pc %#lx", (long)w.address, w.access,
			     (long)w.pc);
		ok(w.pc >= 0x4000000000000000 || !strcmp(rows[i].entry, "t_jump"),
		   "kernel: %s: pc is told", rows[i].what);
	}
	is(gpu_fill(&pair, at, 512, PAGE, 9), 0, "kernel: the context still works");
	is(cpu_wrong(at, 512, PAGE, 9, false), 0, "kernel: and is right");
	is(run_one(&pair, "t_stack", (struct test_args){ .value = 10, .out = base }, NULL), 0,
	   "kernel: a recursion that fits");
	is(*(volatile uint64_t *)at, 55, "kernel: a recursion that fits is right");
	is(run_one(&pair, "t_warp", (struct test_args){ .value = 11, .out = base,
							.address = ~0UL << 1 | 1 }, NULL), 0,
	   "kernel: a warp intrinsic whose other members are not there");
	is(*(volatile uint64_t *)at, 0, "kernel: a ballot without a vote");
	munmap(at, BLOCK);
}

/* ---- shared memory ---------------------------------------------------- */

/* Of more blocks than fit at once each begins with zeros, and waits for all its warps. */
static void test_shared(void)
{
	uint64_t *out = managed(pair.uvm, PAGE);
	struct test_args args = { .out = (uintptr_t)out };
	struct softgpu_launch l = good_launch();

	l.grid[0] = 1000;
	l.block[0] = 128;
	l.shared_bytes = l.block[0] * sizeof(uint64_t);
	l.args = (uintptr_t)&args;
	l.args_bytes = sizeof(args);
	strcpy(l.entry, "t_ring");
	is(try_launch(&l), 0, "shared memory: 1000 blocks");
	is(*out, 0, "shared memory: zero at first, then what was written before the barrier");
	munmap(out, PAGE);
}

/* ---- endless kernels -------------------------------------------------- */

static void spin_and_die(void *arg)
{
	struct pair p = pair_open();
	struct softgpu_wait w;
	uint64_t id;

	(void)arg;
	must(!launch_shape(&p, "t_spin", 8, 64, 0, NULL, &id));
	launch_wait(p.gpu, id, 0, &w);
}

static void test_sigkill(void)
{
	struct timespec nap = { .tv_nsec = 300000000 };
	pid_t pid = child_begin(spin_and_die, NULL);
	int status;

	nanosleep(&nap, NULL);
	kill(pid, SIGKILL);
	for (int i = 0; i < 200 && !waitpid(pid, &status, WNOHANG); i++)
		usleep(50000);
	is(waitpid(pid, &status, WNOHANG) < 0 && WIFSIGNALED(status) ? WTERMSIG(status) : 0,
	   SIGKILL, "endless: SIGKILL ends the process that waits");
}

static void spin_and_close(void *arg)
{
	struct pair p = pair_open();
	uint64_t id;

	must(!launch_shape(&p, "t_spin", 8, 64, 0, NULL, &id));
	if (arg)
		close(p.gpu);
	close(p.uvm);
	if (!arg)
		close(p.gpu);
	_exit(42);
}

static void test_endless(void)
{
	struct softgpu_wait w;
	uint64_t id;

	must(!launch_shape(&pair, "t_spin", 3, 64, 10000, NULL, &id));
	must(!launch_wait(pair.gpu, id, 0, &w));
	is(w.reason, SOFTGPU_FAIL_INSTRUCTION_LIMIT, "endless: ends at the instruction limit");
	is(w.error, ETIME, "endless: ETIME");
	/* never before, and at most a share of 4096 per block after */
	ok(w.instructions >= 10000 && w.instructions < 10000 + 3 * 4096,
	   "endless: after so many instructions (%ld)", (long)w.instructions);
	must(!launch_shape(&pair, "t_spin", 3, 64, 1, NULL, &id));
	must(!launch_wait(pair.gpu, id, 0, &w));
	is(w.reason, SOFTGPU_FAIL_INSTRUCTION_LIMIT, "endless: a limit of 1");
	test_sigkill();
	is(in_child(spin_and_close, (void *)1), 42, "endless: closing the GPU first ends it");
	is(in_child(spin_and_close, NULL), 42, "endless: closing the VA space first ends it");
}

/*
 * What a launch had issued when it failed counts, and nothing more: another round of the warp
 * that traps is two instructions of each of the two, which take turns.
 */
static void test_trap_beside(void)
{
	struct test_args args = { .count = 100 };
	int64_t before = 0, odd = 0;
	struct softgpu_wait w;

	for (; args.count < 140; args.count++) {
		must(run_shape(&pair, "t_spin_trap", 1, 64, &args, &w) == SOFTGPU_FAIL_TRAP);
		odd += before && (int64_t)w.instructions != before + 4;
		before = w.instructions;
	}
	if (!gpu_info(pair.gpu).clock)
		is(odd, 0, "beside: a launch that failed counts what it had issued");
}

/* The image with the floats of t_spin_float in double precision. */
static void load_doubles(struct pair *p)
{
	static const uint32_t singles[] = { 0x01eefe53, 0x01ee7ed3 };
	size_t bytes = test_image_bytes();
	char *work = malloc(bytes);
	int changed = 0;

	must(work);
	memcpy(work, test_image, bytes);
	for (size_t at = 0; at + 4 <= bytes; at += 4) {
		uint32_t *word = (uint32_t *)(work + at);

		if (*word == singles[0] || *word == singles[1]) {
			*word |= 1 << 25;
			changed++;
		}
	}
	must(changed == 12);
	must(!image_load(p->gpu, work, bytes, &p->image));
	free(work);
}

/*
 * With a block alone a launch ends at its limit exactly, and what it ends at is what would have
 * issued next.  So limits one after the other tell what issues, and for each warp that must be its
 * instructions one after the other, also of warps that wait for the unit for double precision.
 */
static void test_limits(void)
{
	enum { LIMITS = 1000, WARPS = 8 };
	static struct softgpu_wait w[LIMITS];
	uint64_t low[WARPS], high[WARPS] = { 0 }, last[WARPS] = { 0 }, id;
	int inexact = 0, odd = 0;
	struct pair p = pair;

	if (gpu_info(pair.gpu).clock)
		return;
	load_doubles(&p);
	memset(low, 0xff, sizeof(low));
	for (int i = 0; i < LIMITS; i++) {
		uint64_t limit = 9000 + i;

		must(!launch_shape(&p, "t_spin_float", 1, 32 * WARPS, limit, NULL, &id));
		must(!launch_wait(p.gpu, id, 0, &w[i]));
		must(w[i].reason == SOFTGPU_FAIL_INSTRUCTION_LIMIT);
		inexact += w[i].instructions != limit;
		if (w[i].pc < low[w[i].thread / 32])
			low[w[i].thread / 32] = w[i].pc;
		if (w[i].pc > high[w[i].thread / 32])
			high[w[i].thread / 32] = w[i].pc;
	}
	for (int i = 0; i < LIMITS; i++) {
		int warp = w[i].thread / 32;
		uint64_t next = last[warp] == high[warp] ? low[warp] : last[warp] + 4;

		odd += last[warp] && w[i].pc != next;
		last[warp] = w[i].pc;
	}
	is(inexact, 0, "limits: a block alone ends at each exactly");
	is(odd, 0, "limits: and where its warps are, one instruction after the other");
	is(high[0] - low[0], 52, "limits: all of the loop was seen");
}

/* A context without a VA space has no memory but its windows. */
static void test_unregistered(void)
{
	struct pair p = { .uvm = -1, .gpu = open("/dev/softgpu0", O_RDWR) };
	struct softgpu_wait w = { 0 };
	long reason;

	must(p.gpu >= 0);
	must(!image_load(p.gpu, test_image, test_image_bytes(), &p.image));
	is(run_one(&p, "t_nop", (struct test_args){ 0 }, NULL), 0, "no VA space: a launch runs");
	reason = run_one(&p, "t_load", (struct test_args){ .address = 0x1000 }, &w);
	is(reason, SOFTGPU_FAIL_FAULT, "no VA space: every access is wild");
	close(p.gpu);
}

/* ---- a second context dies -------------------------------------------- */

static void die_wildly(void *arg)
{
	struct pair p = pair_open();
	char *at = managed(p.uvm, BLOCK);
	uint64_t id;

	(void)arg;
	must(!gpu_fill(&p, at, 512, PAGE, 1));
	launch_shape(&p, "t_store", 16, 64, 0, &(struct test_args){ .address = 8 }, &id);
	launch_shape(&p, "t_spin", 16, 64, 0, NULL, &id);
	raise(SIGKILL);
}

static void test_second_context(void)
{
	char *at = managed(pair.uvm, 8 * MB);
	struct test_args args = { .address = (uintptr_t)at, .value = 100, .count = 2048,
				  .stride = PAGE };
	struct softgpu_wait w;
	uint64_t id;

	for (int round = 0; round < 4; round++) {
		must(!launch_shape(&pair, "t_fill", 8, 64, 0, &args, &id));
		is(in_child(die_wildly, NULL), -SIGKILL, "second context: dies, round %d", round);
		must(!launch_wait(pair.gpu, id, 0, &w));
		is(w.state, SOFTGPU_LAUNCH_DONE, "second context: the first one's launch ends well");
		is(cpu_wrong(at, 2048, PAGE, args.value, false), 0,
		   "second context: the first one's data is right");
		args.value += 10000;
	}
	munmap(at, 8 * MB);
}

static const struct test_case cases[] = {
	{ "shapes", test_shapes }, { "grid", test_large_grid }, { "arguments", test_arguments },
	{ "kernels", test_kernels }, { "shared", test_shared }, { "endless", test_endless },
	{ "beside", test_trap_beside }, { "limits", test_limits },
	{ "unregistered", test_unregistered }, { "second", test_second_context },
};

int main(int argc, char **argv)
{
	return run_cases(argc, argv, "bad launches", cases, ARRAY_SIZE(cases));
}
