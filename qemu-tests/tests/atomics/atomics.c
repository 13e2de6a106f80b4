// SPDX-License-Identifier: GPL-2.0
/*
 * Atomics on memory that stays where it is: over a link that has none they are done by the
 * one that may write, while all others may only read (nvidia-uvm 3.2, steps 2 and 3).
 *
 *	atomics [few] [CASE...]
 */
#include "common.h"

#define GPUS		2
#define THREADS		(4 * 64)

static struct pair gpus[GPUS];
static int gpu_count;

static void gpus_open(void)
{
	gpus[0] = pair;
	gpu_count = 1;
	if (access("/dev/softgpu1", F_OK))
		return;
	gpus[1] = pair;
	gpus[1].gpu = open("/dev/softgpu1", O_RDWR | O_CLOEXEC);
	must(gpus[1].gpu >= 0 && !gpu_register(pair.uvm, gpus[1].gpu));
	must(!image_load(gpus[1].gpu, test_image, test_image_bytes(), &gpus[1].image));
	gpu_count = 2;
}

static void gpus_close(void)
{
	if (gpu_count > 1)
		close(gpus[1].gpu);
}

static uint64_t moved(void)
{
	struct uvm_stats s;

	must(!quiesce(pair.uvm));
	s = stats_read(pair.uvm, false);
	return s.bytes_htod + s.bytes_dtoh + s.bytes_peer;
}

/* Memory that is to be the CPU's, or with @home none nobody's in particular; a word of it. */
static uint64_t *word_of(int home)
{
	uint64_t *at = managed(pair.uvm, BLOCK);

	if (home != UVM_PROCESSOR_NONE)
		must(!advise(pair.uvm, at, BLOCK, UVM_ADVICE_PREFERRED_LOCATION, home, 0));
	*(volatile uint64_t *)at = 0;
	return at;
}

/* All GPUs add 1 in each of their threads, @times; the CPU meanwhile, until they are done. */
static uint64_t add_together(uint64_t *at, uint64_t times)
{
	struct test_args args = { .address = (uintptr_t)at, .value = 1, .count = times };
	struct softgpu_wait w;
	uint64_t id[GPUS], mine = 0;
	int left = gpu_count;

	for (int i = 0; i < gpu_count; i++)
		must(!launch_shape(&gpus[i], "t_atomics", THREADS / 64, 64, 0, &args, &id[i]));
	while (left) {
		left = 0;
		for (int i = 0; i < gpu_count; i++) {
			must(!launch_wait(gpus[i].gpu, id[i], SOFTGPU_WAIT_POLL, &w) && !w.reason);
			left += w.state == SOFTGPU_LAUNCH_RUNNING;
		}
		__atomic_fetch_add(at, 1, __ATOMIC_SEQ_CST);
		mine++;
	}
	return mine;
}

/* The page stays where it is preferred, and the CPU has what the GPU made of it. */
static void test_stays(void)
{
	struct test_args args = { .value = 5 };
	uint64_t *at = word_of(UVM_PROCESSOR_CPU), before;

	args.address = (uintptr_t)at;
	before = moved();
	is(run_one(&pair, "t_atomic", args, NULL), 0, "stays: an atomic over the link");
	is(moved() - before, 0, "stays: nothing moves");
	is(*(volatile long *)at, 5, "stays: the CPU reads what it made");
	is(run_one(&pair, "t_atomic", args, NULL), 0, "stays: another one, beside a reader");
	is(__atomic_fetch_add(at, 7, __ATOMIC_SEQ_CST), 10, "stays: the CPU adds to it");
	is(run_one(&pair, "t_atomic", args, NULL), 0, "stays: and the GPU again");
	is((long)at[0], 22, "stays: nothing is lost");
	is(moved() - before, 0, "stays: and nothing has moved");
	munmap(at, BLOCK);
}

static void add(const char *name, int home)
{
	uint64_t *at, before, mine, times = few ? 3 : 20;
	bool stays = home == UVM_PROCESSOR_CPU;

	gpus_open();
	at = word_of(home);
	before = moved();
	mine = add_together(at, times);
	ok(mine > 1, "%s: the CPU adds meanwhile, %lu times", name, (unsigned long)mine);
	is((long)at[0], (long)(mine + gpu_count * times * THREADS), "%s: no addition is lost",
	   name);
	if (stays)
		is(moved() - before, 0, "%s: nothing moves", name);
	munmap(at, BLOCK);
	gpus_close();
}

static void test_home(void)
{
	add("home", UVM_PROCESSOR_CPU);
}

/* It may go to and fro, and be kept in one place. */
static void test_free(void)
{
	add("free", UVM_PROCESSOR_NONE);
}

/* On the GPU the CPU cannot reach it: it moves. */
static void test_away(void)
{
	add("away", 0);
}

static const struct test_case cases[] = {
	{ "stays", test_stays }, { "home", test_home }, { "free", test_free },
	{ "away", test_away },
};

int main(int argc, char **argv)
{
	return run_cases(argc, argv, "atomics", cases, ARRAY_SIZE(cases));
}
