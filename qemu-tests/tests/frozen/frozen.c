// SPDX-License-Identifier: GPL-2.0
/*
 * The clock is everybody's: who listens and does not read stops itself, and nobody else; no
 * parameter moves it by more than its user could wait.
 *
 *	frozen [CASE...]
 *
 * Virtual clock: on the real one nobody stops.
 */
#include <signal.h>
#include "common.h"

#define PATIENCE	20	/* s; what is refused here took for ever */

/* In memory shared with the children. */
struct shared {
	volatile unsigned int rounds;	/* of the one who does not read */
};

static struct shared *shared;

static void listen_to_space(struct pair *p)
{
	struct uvm_tools_attach attach = { .size = sizeof(attach), .uvm_fd = p->uvm,
					   .entries = 64,
					   .event_mask = (1ULL << UVM_EVENT_COUNT) - 2 };
	int tools = open("/dev/uvm-tools", O_RDWR | O_CLOEXEC);

	must(tools >= 0 && !try_ioctl(tools, UVM_TOOLS_IOC_ATTACH, &attach));
}

static void listen_to_gpu(struct pair *p)
{
	struct softgpu_timeline arg = { .size = sizeof(arg), .entries = 64,
					.mask = 1ULL << SOFTGPU_TIMELINE_LAUNCH |
						1ULL << SOFTGPU_TIMELINE_BLOCK |
						1ULL << SOFTGPU_TIMELINE_FAULT };

	must(!try_ioctl(p->gpu, SOFTGPU_IOC_TIMELINE, &arg));
}

/* New memory is faulted in, for ever. */
static void fault_on(struct pair *p)
{
	for (;; shared->rounds++) {
		char *at = managed(p->uvm, BLOCK);

		if (!at || gpu_fill(p, at, BLOCK / PAGE, PAGE, 1))
			_exit(1);
		munmap(at, BLOCK);
	}
}

static void never_reads(void *listen)
{
	struct pair p = pair_open();

	((void (*)(struct pair *))listen)(&p);
	shared->rounds = 1;
	fault_on(&p);
}

static void uses_everything(void *unused)
{
	struct pair p = pair_open();
	char *at = managed(p.uvm, BLOCK);

	(void)unused;
	if (gpu_fill(&p, at, BLOCK / PAGE, PAGE, 7) ||
	    cpu_wrong(at, BLOCK / PAGE, PAGE, 7, false) || quiesce(p.uvm))
		_exit(1);
	pair_close(&p);
}

static void faults_for_ever(void *unused)
{
	struct pair p = pair_open();

	(void)unused;
	fault_on(&p);
}

/* Seconds until the child has gone, or -1. */
static int gone(pid_t pid, int *status)
{
	for (int i = 0; i < PATIENCE * 100; i++) {
		if (waitpid(pid, status, WNOHANG) == pid)
			return i / 100;
		usleep(10000);
	}
	return -1;
}

/* Until the child, which has begun, makes no progress. */
static bool stands_still(void)
{
	unsigned int before;

	for (int i = 0; i < 100; i++) {
		before = shared->rounds;
		usleep(300000);
		if (before && before == shared->rounds)
			return true;
	}
	return false;
}

static void one_listener(const char *what, void (*listen)(struct pair *p))
{
	pid_t deaf, other;
	int status = -1;

	shared->rounds = 0;
	deaf = child_begin(never_reads, listen);
	ok(stands_still(), "%s: who does not read stops itself", what);
	other = child_begin(uses_everything, NULL);
	ok(gone(other, &status) >= 0 && !status, "%s: another process does all it wants", what);

	other = child_begin(faults_for_ever, NULL);
	usleep(300000);
	kill(other, SIGKILL);
	ok(gone(other, &status) >= 0, "%s: another one can be killed in the middle", what);
	ok(stands_still(), "%s: when they have gone it stands still again", what);
	kill(deaf, SIGKILL);
	ok(gone(deaf, &status) >= 0 && WIFSIGNALED(status), "%s: and can be killed itself", what);
	other = child_begin(uses_everything, NULL);
	ok(gone(other, &status) >= 0 && !status, "%s: everything works afterwards", what);
}

static void test_space(void)
{
	one_listener("events", listen_to_space);
}

static void test_gpu(void)
{
	one_listener("timeline", listen_to_gpu);
}

static void reads_nothing_of_parent(void *unused)
{
	(void)unused;
	listen_to_space(&pair);
	shared->rounds = 1;
	pause();
}

/* It has the file, be it by fork, and may not stop whose VA space it is. */
static void test_not_own(void)
{
	pid_t child;
	int status;

	shared->rounds = 0;
	child = child_begin(reads_nothing_of_parent, NULL);
	while (!shared->rounds)
		usleep(1000);
	alarm(PATIENCE);	/* ends the test, not only the wait */
	for (int i = 0; i < 8; i++) {
		char *at = managed(pair.uvm, BLOCK);

		must(!gpu_fill(&pair, at, BLOCK / PAGE, PAGE, 1));
		munmap(at, BLOCK);
	}
	alarm(0);
	ok(true, "another process listens to our VA space, and we go on");
	kill(child, SIGKILL);
	gone(child, &status);
}

/* CPU and GPU want the same page in turn. */
static void fight(char *at, unsigned int rounds)
{
	for (unsigned int i = 0; i < rounds; i++) {
		must(!gpu_fill(&pair, at, 1, PAGE, i));
		((volatile char *)at)[64]++;
	}
}

static void test_jump(void)
{
	static const char *const too_long[] = {
		"perf_thrashing_lapse_usec", "perf_thrashing_pin", "perf_thrashing_epoch",
		"perf_thrashing_nap", "cpu_grant_us", "perf_reenable_prefetch_faults_lapse_msec",
	};
	static const char *const worst[][2] = {
		{ "perf_thrashing_lapse_usec", "500000" }, { "perf_thrashing_nap", "100" },
		{ "perf_thrashing_pin_threshold", "255" }, { "perf_thrashing_threshold", "1" },
	};
	char *at = managed(pair.uvm, PAGE);
	uint64_t before, after;

	for (unsigned int i = 0; i < ARRAY_SIZE(too_long); i++)
		is(set_param(pair.uvm, too_long[i], "4294967295"), -EINVAL, "%s is bounded",
		   too_long[i]);
	for (unsigned int i = 0; i < ARRAY_SIZE(worst); i++)
		must(!set_param(pair.uvm, worst[i][0], worst[i][1]));
	before = gpu_info(pair.gpu).now_ns;
	fight(at, 4);
	after = gpu_info(pair.gpu).now_ns;
	/* each of the two waits for one nap of 100 ms at most */
	ok(after - before > 50000000 && after - before < 4 * 250000000ULL,
	   "the longest naps: 4 rounds take %lu ms", (unsigned long)(after - before) / 1000000);
	munmap(at, PAGE);
}

static const struct test_case cases[] = {
	{ "jump", test_jump },
	{ "space", test_space }, { "gpu", test_gpu }, { "not-own", test_not_own },
};

int main(int argc, char **argv)
{
	shared = mmap(NULL, sizeof(*shared), PROT_READ | PROT_WRITE,
		      MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	must(shared != MAP_FAILED);
	return run_cases(argc, argv, "frozen", cases, ARRAY_SIZE(cases));
}
