// SPDX-License-Identifier: GPL-2.0
/*
 * More launches and copies than the device remembers: whoever submits waits, nothing that
 * nobody collected is lost, and what waits takes no memory of what runs.
 */
#include "explicit.h"

#define LAUNCHES	5000
#define BAD_ADDRESS	8

static uint64_t launch_ids[LAUNCHES + 1], copy_ids[LAUNCHES + 1];

/* Number @i of a loop: adds one to @word, or fails. */
static long start(uint64_t *word, int i, bool fails)
{
	struct test_args args = { .address = fails ? BAD_ADDRESS : (uintptr_t)word, .value = 1 };

	return launch_shape(&pair, fails ? "t_store" : "t_atomic", 1, 1, 0, &args, &launch_ids[i]);
}

/* How many of the first @count ended otherwise than @fails says. */
static long wrong_ends(int count, bool (*fails)(int i))
{
	struct softgpu_wait w;
	long wrong = 0;

	for (int i = 0; i < count; i++) {
		if (launch_wait(pair.gpu, launch_ids[i], 0, &w))
			wrong++;
		else if (fails(i))
			wrong += w.state != SOFTGPU_LAUNCH_FAILED || w.error != EFAULT ||
				 w.reason != SOFTGPU_FAIL_FAULT || w.address != BAD_ADDRESS;
		else
			wrong += w.state != SOFTGPU_LAUNCH_DONE || w.error;
	}
	return wrong;
}

static bool none_fails(int i)
{
	(void)i;
	return false;
}

static bool some_fail(int i)
{
	return i == 5 || i % 1000 == 7;
}

static bool all_fail(int i)
{
	(void)i;
	return true;
}

static void loop(const char *name, bool (*fails)(int i))
{
	uint64_t *word = managed(pair.uvm, PAGE), want = 0;
	long refused = 0;
	struct softgpu_wait w;

	*word = 0;
	for (int i = 0; i < LAUNCHES; i++) {
		refused += start(word, i, fails(i)) != 0;
		want += !fails(i);
	}
	is(refused, 0, "%s: all are taken", name);
	is(wrong_ends(LAUNCHES, fails), 0, "%s: each is told how it ended", name);
	is(wrong_ends(LAUNCHES, fails), 0, "%s: and when asked again", name);
	is(*word, want, "%s: all ran", name);
	must(!launch_wait(pair.gpu, launch_ids[LAUNCHES - 1], SOFTGPU_WAIT_POLL, &w));
	ok(w.end_ns > w.start_ns && w.instructions, "%s: of the last all is known", name);
	is(launch_wait(pair.gpu, launch_ids[LAUNCHES - 1] + 1, 0, &w), -ENOENT,
	   "%s: one that never was", name);
	is(launch_wait(pair.gpu, 0, 0, &w), -ENOENT, "%s: one without a number", name);
	munmap(word, PAGE);
}

static void test_loop(void)
{
	loop("launches", none_fails);
}

static void test_failures(void)
{
	loop("failures between", some_fail);
}

/* So many that no more can be remembered: told at the next launch, mended by asking. */
static void test_all_fail(void)
{
	struct pair saved = pair;
	long ret = 0;
	int taken;

	pair = pair_open();
	for (taken = 0; !ret && taken < 3 * LAUNCHES; taken += !ret)
		ret = start(NULL, taken < LAUNCHES ? taken : LAUNCHES, true);
	is(ret, -ENOBUFS, "all fail: refused, in the end");
	ok(taken >= SOFTGPU_FAILURES_KEPT &&
	   taken <= SOFTGPU_FAILURES_KEPT + SOFTGPU_LAUNCHES_MAX, "all fail: %d were taken", taken);
	is(wrong_ends(SOFTGPU_FAILURES_KEPT, all_fail), 0, "all fail: each is told");
	is(start(NULL, LAUNCHES, true), 0, "all fail: and then others may");
	pair_close(&pair);
	pair = saved;
}

static long available_kb(void)
{
	FILE *file = fopen("/proc/meminfo", "r");
	char line[128];
	long kb = -1;

	must(file);
	while (kb < 0 && fgets(line, sizeof(line), file))
		sscanf(line, "MemAvailable: %ld", &kb);
	fclose(file);
	return kb;
}

/*
 * 3000 launches need no more than one that runs, 8 times 32 warps of some 90 KB: a thousand of
 * them wait at any time.
 */
static void test_memory(void)
{
	struct pair saved = pair;
	uint64_t first, id;
	long before, after, refused = 0;

	pair = pair_open();
	must(!launch_shape(&pair, "t_spin", 1, 32, 1 << 22, NULL, &first));
	before = available_kb();
	for (int i = 0; i < 3000; i++)
		refused += launch_shape(&pair, "t_nop", 8, 1024, 0, NULL, &id) != 0;
	after = available_kb();
	is(refused, 0, "memory: 3000 launches are taken");
	ok(before - after < 40 << 10, "memory: they take %ld KB", before - after);
	pair_close(&pair);
	pair = saved;
}

static void fill_queue(void *arg)
{
	struct pair p = pair_open();
	uint64_t id;

	(void)arg;
	for (int i = 0; i < 2 * SOFTGPU_LAUNCHES_MAX; i++)
		must(!launch_shape(&p, "t_spin", 1, 1, 1ULL << 40, NULL, &id));
}

static void test_killed(void)
{
	pid_t pid = child_begin(fill_queue, NULL);
	int status, tries;

	sleep(2);
	is(waitpid(pid, &status, WNOHANG), 0, "killed: it waits for room");
	kill(pid, SIGKILL);
	for (tries = 0; tries < 200 && waitpid(pid, &status, WNOHANG) != pid; tries++)
		usleep(50000);
	ok(tries < 200 && WIFSIGNALED(status), "killed: and is gone");
}

/* One that must not be kills its channel, and those that wait behind it are cancelled. */
static void test_copies(void)
{
	struct object pinned = object_make(&pair, PINNED, 2 * MB);
	uint64_t to = pinned.gpu + MB, bad = 3;
	long refused = 0, wrong = 0, failed = 0;
	struct softgpu_copy_wait w;

	cpu_fill(pinned.cpu, MB / 8, 8, 7);
	for (uint64_t i = 0; i < LAUNCHES; i++) {
		uint64_t at = i % 256 * PAGE;

		refused += copy_start(pair.gpu, i == bad ? BAD_ADDRESS : to + at, pinned.gpu + at,
				      PAGE, SOFTGPU_COPY_DTOH, &copy_ids[i]) != 0;
	}
	is(refused, 0, "copies: all are taken");
	for (uint64_t i = 0; i < LAUNCHES; i++) {
		if (copy_wait(pair.gpu, copy_ids[i], 0, &w)) {
			wrong++;
			continue;
		}
		failed += w.state == SOFTGPU_COPY_FAILED;
		if (i == bad)
			wrong += w.state != SOFTGPU_COPY_FAILED || w.error != EFAULT || !w.fault;
		else if (w.state == SOFTGPU_COPY_FAILED)
			wrong += w.error != ECANCELED || i < bad;
	}
	is(wrong, 0, "copies: each is told how it ended");
	ok(failed >= 1 && failed <= 64, "copies: %ld failed", failed);
	is(w.bytes, PAGE, "copies: of the last all is known");
	is(cpu_wrong(pinned.cpu + MB, MB / 8, 8, 7, false), 0, "copies: the data is right");
	is(copy_wait(pair.gpu, copy_ids[LAUNCHES - 1] + 1, 0, &w), -ENOENT,
	   "copies: one that never was");
	object_end(&pair, &pinned);
}

/* Fences of migrations are in order: a later one includes the earlier. */
static void test_fences(void)
{
	char *at = managed(pair.uvm, BLOCK);
	long refused = 0, wrong = 0;

	for (int i = 0; i < LAUNCHES; i++) {
		struct uvm_migrate arg = { .size = sizeof(arg), .flags = UVM_MIGRATE_ASYNC,
					   .base = (uintptr_t)at + i % 512 * PAGE, .length = PAGE,
					   .dst = i & 1 ? UVM_PROCESSOR_CPU : 0 };

		refused += try_ioctl(pair.uvm, UVM_IOC_MIGRATE, &arg) != 0;
		copy_ids[i] = arg.fence;
	}
	for (int i = 0; i < LAUNCHES; i++) {
		struct uvm_wait arg = { .size = sizeof(arg), .fence = copy_ids[i] };

		wrong += try_ioctl(pair.uvm, UVM_IOC_WAIT, &arg) != 0;
	}
	is(refused, 0, "fences: all are taken");
	is(wrong, 0, "fences: all can be waited for");
	munmap(at, BLOCK);
}

static const struct test_case cases[] = {
	{ "loop", test_loop }, { "failures", test_failures }, { "all-fail", test_all_fail },
	{ "memory", test_memory }, { "killed", test_killed }, { "copies", test_copies },
	{ "fences", test_fences },
};

int main(int argc, char **argv)
{
	return run_cases(argc, argv, "queues", cases, ARRAY_SIZE(cases));
}
