// SPDX-License-Identifier: GPL-2.0
/*
 * Chaos: each process has threads that make any call of the devices on the same
 * files and the same memory, all at once, while others unmap, move, fork, trace, signal and
 * kill.  Nothing is checked of what their calls return.  After each round a good launch must
 * work, and none of them may have died of anything but what killed it: memory outside of the
 * arena is nobody's to take away, and what touches the arena expects SIGSEGV and SIGBUS.
 *
 *	chaos SECONDS [SEED]
 */
#include "common.h"
#include "../fuzz/fuzz.h"

#include <sys/ptrace.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/uio.h>

#define PROCESSES	2U
#define THREADS		6U
#define ROUND_MS	3000U
/* A process that was killed is gone after so long, also on a sanitized kernel. */
#define GONE_MS		120000U
#define ARENA		(32 * MB)

static uint64_t seed;

/* What all threads of a process use. */
static struct {
	uint64_t until;
} self;

/* Of all processes: chaos whose calls all fail is none. */
static struct {
	uint64_t calls, good;
} *made;

/* How often a process ended otherwise than it should. */
static unsigned int hurt;

static uint64_t now_ms(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return t.tv_sec * 1000UL + t.tv_nsec / 1000000;
}

/* ---- a thread ----------------------------------------------------------- */

static void make_calls(struct fuzz_random *random)
{
	static __thread struct fuzz_prog prog;

	fuzz_generate(random, &prog);
	for (unsigned int i = 0; i < prog.calls && now_ms() < self.until; i++) {
		if (fuzz_exec_call(&prog, i) >= 0)
			__atomic_add_fetch(&made->good, 1, __ATOMIC_RELAXED);
		__atomic_add_fetch(&made->calls, 1, __ATOMIC_RELAXED);
	}
}

/* Somebody else looks at and writes into our memory: the kernel's own accesses. */
static void trace_self(struct fuzz_random *random)
{
	pid_t parent = getpid(), pid = syscall(SYS_fork);
	char bytes[256];
	struct iovec here = { bytes, sizeof(bytes) }, there = { .iov_len = sizeof(bytes) };

	there.iov_base = (void *)(FUZZ_ARENA + fuzz_rand(random, ARENA / PAGE) * PAGE);
	if (pid) {
		waitpid(pid, NULL, 0);
		return;
	}
	if (!ptrace(PTRACE_SEIZE, parent, 0, 0)) {
		ptrace(PTRACE_INTERRUPT, parent, 0, 0);
		ptrace(PTRACE_PEEKDATA, parent, there.iov_base, 0);
	}
	process_vm_readv(parent, &here, 1, &there, 1, 0);
	process_vm_writev(parent, &here, 1, &there, 1, 0);
	_exit(0);
}

static void *thread_main(void *data)
{
	struct fuzz_random random = { .state = seed + (uintptr_t)data };

	if (data)
		fuzz_exec_thread();
	while (now_ms() < self.until) {
		if (!fuzz_rand(&random, 16))
			trace_self(&random);
		make_calls(&random);
		if (!fuzz_rand(&random, 8))
			kill(getpid(), SIGUSR1);
	}
	return NULL;
}

static void on_signal(int signal)
{
	(void)signal;
}

/* ---- a process ---------------------------------------------------------- */

static void __attribute__((noreturn)) process_main(uint64_t own_seed)
{
	struct sigaction action = { .sa_handler = on_signal };
	pthread_t thread;

	seed = own_seed;
	self.until = now_ms() + ROUND_MS;
	sigaction(SIGUSR1, &action, NULL);
	prctl(PR_SET_PTRACER, PR_SET_PTRACER_ANY);
	fuzz_exec_init();
	for (uintptr_t i = 1; i < THREADS; i++)
		must(!pthread_create(&thread, NULL, thread_main, (void *)i));
	thread_main((void *)0);
	/* threads may be inside of calls; half of the processes are killed there by their parent */
	if (own_seed & 1)
		_exit(0);
	for (;;)
		pause();
}

/*
 * By itself with 0, or killed; a fault that a call does not expect is 100 and the signal
 * (fuzz/exec.c), anything else is a bug of the kernel or of ours, too.
 */
static void judge_end(pid_t pid, int status)
{
	if (!status || (WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL))
		return;
	hurt++;
	note("process %d ended with status %x", pid, status);
}

static bool gone(pid_t pid)
{
	uint64_t until = now_ms() + GONE_MS;
	int status;

	while (now_ms() < until) {
		if (waitpid(pid, &status, WNOHANG) == pid) {
			judge_end(pid, status);
			return true;
		}
		usleep(20000);
	}
	return false;
}

static void show_stacks(pid_t pid)
{
	char command[128];

	snprintf(command, sizeof(command), "cat /proc/%d/task/*/stack | sed 's/^/# /'", pid);
	fflush(stdout);
	if (system(command))
		note("no stacks of %d", pid);
}

/* A process of its own: whatever was broken, a newcomer must not notice. */
static void good_launch(void *unused)
{
	struct pair p = pair_open();
	char *at = managed(p.uvm, MB);

	(void)unused;
	must(!gpu_fill(&p, at, 256, PAGE, 7));
	must(!cpu_wrong(at, 256, PAGE, 7, false));
	munmap(at, MB);
	pair_close(&p);
}

static bool one_round(uint64_t round_seed)
{
	pid_t pid[PROCESSES];
	bool well = true;

	for (unsigned int i = 0; i < PROCESSES; i++) {
		fflush(stdout);
		pid[i] = fork();
		must(pid[i] >= 0);
		if (!pid[i])
			process_main(round_seed * 64 + i * 32 + i);
	}
	usleep((ROUND_MS + 500) * 1000);
	for (unsigned int i = 0; i < PROCESSES; i++)
		kill(pid[i], SIGKILL);
	for (unsigned int i = 0; i < PROCESSES; i++) {
		if (gone(pid[i]))
			continue;
		show_stacks(pid[i]);
		well = false;
	}
	return well;
}

int main(int argc, char **argv)
{
	uint64_t seconds = argc > 1 ? strtoull(argv[1], NULL, 0) : 30;
	uint64_t first = argc > 2 ? strtoull(argv[2], NULL, 0) : 1, round = 0;
	uint64_t until = now_ms() + seconds * 1000;
	bool well = true, works = true;
	int status;
	pid_t pid;

	made = mmap(NULL, PAGE, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	must(made != MAP_FAILED);
	note("seed %llu", (unsigned long long)first);
	must(!prctl(PR_SET_CHILD_SUBREAPER, 1));
	kmsg_begin();
	warm_up();
	leak_begin();
	while (well && works && !hurt && now_ms() < until) {
		well = one_round(first + round++);
		/* those that its children left */
		while ((pid = waitpid(-1, &status, WNOHANG)) > 0)
			judge_end(pid, status);
		works = well && !in_child(good_launch, NULL);
	}
	ok(well, "processes end when they are killed (last seed %llu)",
	   (unsigned long long)(first + round - 1));
	is(hurt, 0, "no process is hurt (last seed %llu)",
	   (unsigned long long)(first + round - 1));
	ok(works, "a good launch works after each of %llu rounds (last seed %llu)",
	   (unsigned long long)round, (unsigned long long)(first + round - 1));
	note("%llu calls, %llu succeeded", (unsigned long long)made->calls,
	     (unsigned long long)made->good);
	ok(made->good >= 50 * round, "its calls succeed at times");
	leak_end("chaos");
	kmsg_end("chaos");
	return tap_finish();
}
