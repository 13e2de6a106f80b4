// SPDX-License-Identifier: GPL-2.0
/*
 * What the kernel does to managed memory in a user's place: futexes, debuggers, core dumps,
 * pages that somebody holds.  Who does so cannot come back for a second pass of a fault, so
 * it is served inside the call, and must have done what it says.
 */
#include <linux/futex.h>
#include <linux/mman.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/uio.h>

#include "common.h"

/* Where a page may be when the kernel comes for it. */
enum place { AT_CPU, AT_GPU, AT_BOTH, AT_NONE, PLACES };

static const char * const place_names[PLACES] = {
	"on the CPU", "on the GPU", "at both", "nowhere",
};

/* A page that holds @value in word 0 and 0 elsewhere, and is where it is to be. */
static uint32_t *page_at(enum place place, uint32_t value)
{
	uint32_t *page = managed(pair.uvm, PAGE);

	if (place == AT_NONE && !value)
		return page;
	*(volatile uint32_t *)page = value;
	if (place == AT_BOTH)
		must(!advise(pair.uvm, page, PAGE, UVM_ADVICE_READ_DUPLICATE, UVM_PROCESSOR_NONE,
			     0));
	if (place == AT_GPU || place == AT_BOTH)
		must(!migrate(pair.uvm, page, PAGE, 0));
	if (place == AT_BOTH)
		must(*(volatile uint32_t *)page == value);
	return page;
}

/* What the GPU reads of a word; the page stays where it is as far as the CPU is concerned. */
static uint32_t gpu_reads(const void *at)
{
	uint64_t *out = managed(pair.uvm, PAGE);
	uint32_t value;

	must(!gpu_load(&pair, at, out));
	value = (uint32_t)*out;
	munmap(out, PAGE);
	return value;
}

/* Both processors see the same, and it is right. */
static void page_is(const char *what, enum place place, uint32_t *page, uint32_t want)
{
	is(gpu_reads(page), want, "%s, %s: the GPU sees it", what, place_names[place]);
	is(*(volatile uint32_t *)page, want, "%s, %s: the CPU sees it", what, place_names[place]);
	munmap(page, PAGE);
}

/* ---- futexes ---------------------------------------------------------- */

static long futex(uint32_t *at, int op, uint32_t value, const void *timeout, uint32_t *at2,
		  uint32_t value3)
{
	return syscall(SYS_futex, at, op | FUTEX_PRIVATE_FLAG, value, timeout, at2, value3) < 0 ?
	       -errno : 0;
}

static void test_wake_op(void)
{
	for (enum place place = 0; place < PLACES; place++) {
		uint32_t *page = page_at(place, 0);

		is(futex(page, FUTEX_WAKE_OP, 1, (void *)1, page + 16,
			 FUTEX_OP(FUTEX_OP_ADD, 7, FUTEX_OP_CMP_EQ, 0)), 0,
		   "FUTEX_WAKE_OP, %s", place_names[place]);
		is(*(volatile uint32_t *)(page + 16), 7, "FUTEX_WAKE_OP, %s: the word has changed",
		   place_names[place]);
		page_is("FUTEX_WAKE_OP", place, page, 0);
	}
}

/* The word is read, not written: equal, so one sleeps until the time is over. */
static void test_wait(void)
{
	static const struct timespec soon = { .tv_nsec = 1000000 };

	for (enum place place = 0; place < AT_NONE; place++) {
		uint32_t *page = page_at(place, 5);

		is(futex(page, FUTEX_WAIT, 5, &soon, NULL, 0), -ETIMEDOUT, "FUTEX_WAIT, %s",
		   place_names[place]);
		is(futex(page, FUTEX_WAIT, 6, &soon, NULL, 0), -EAGAIN,
		   "FUTEX_WAIT for another value, %s", place_names[place]);
		is(futex(page, FUTEX_CMP_REQUEUE, 1, (void *)1, page + 16, 6), -EAGAIN,
		   "FUTEX_CMP_REQUEUE for another value, %s", place_names[place]);
		page_is("FUTEX_WAIT", place, page, 5);
	}
}

/* Whose owner exits while the page is somewhere else. */
struct robust {
	pthread_mutex_t *mutex;
	volatile int step;
};

static void *robust_owner(void *data)
{
	struct robust *r = data;

	must(!pthread_mutex_lock(r->mutex));
	r->step = 1;
	while (r->step != 2)
		usleep(1000);
	return NULL;
}

static pthread_mutex_t *robust_mutex(void *at, int protocol)
{
	pthread_mutexattr_t attr;

	pthread_mutexattr_init(&attr);
	pthread_mutexattr_setrobust(&attr, PTHREAD_MUTEX_ROBUST);
	pthread_mutexattr_setprotocol(&attr, protocol);
	must(!pthread_mutex_init(at, &attr));
	return at;
}

/* It is in a list of ours, which must not lead to memory that is gone. */
static void robust_free(struct robust *r)
{
	pthread_mutex_consistent(r->mutex);
	must(!pthread_mutex_unlock(r->mutex));
	munmap(r->mutex, PAGE);
}

static void robust_case(enum place place, int protocol, const char *what)
{
	char *page = managed(pair.uvm, PAGE);
	struct robust r = { .mutex = robust_mutex(page, protocol) };
	struct timespec until;
	pthread_t owner;

	must(!pthread_create(&owner, NULL, robust_owner, &r));
	while (!r.step)
		usleep(1000);
	if (place == AT_BOTH)
		must(!advise(pair.uvm, page, PAGE, UVM_ADVICE_READ_DUPLICATE, UVM_PROCESSOR_NONE,
			     0));
	if (place != AT_CPU)
		must(!migrate(pair.uvm, page, PAGE, 0));
	if (place == AT_BOTH)
		(void)*(volatile char *)(page + 2000);
	r.step = 2;
	must(!pthread_join(owner, NULL));
	clock_gettime(CLOCK_REALTIME, &until);
	until.tv_sec += 20;
	is(-pthread_mutex_timedlock(r.mutex, &until), -EOWNERDEAD, "%s mutex whose owner died, %s",
	   what, place_names[place]);
	robust_free(&r);
}

static void test_robust(void)
{
	for (enum place place = 0; place < AT_NONE; place++) {
		robust_case(place, PTHREAD_PRIO_NONE, "robust");
		robust_case(place, PTHREAD_PRIO_INHERIT, "robust PI");
	}
}

/* The kernel hands a PI futex to the waiter, and writes who it is. */
static void test_pi(void)
{
	for (enum place place = 0; place < AT_NONE; place++) {
		char *page = managed(pair.uvm, PAGE);
		struct robust r = { .mutex = robust_mutex(page, PTHREAD_PRIO_INHERIT) };
		pthread_t owner;
		int ret;

		must(!pthread_create(&owner, NULL, robust_owner, &r));
		while (!r.step)
			usleep(1000);
		if (place == AT_BOTH)
			must(!advise(pair.uvm, page, PAGE, UVM_ADVICE_READ_DUPLICATE,
				     UVM_PROCESSOR_NONE, 0));
		if (place != AT_CPU)
			must(!migrate(pair.uvm, page, PAGE, 0));
		r.step = 2;
		/* whether the owner is still there or not: both make the kernel write */
		ret = pthread_mutex_lock(r.mutex);
		must(!pthread_join(owner, NULL));
		is(-ret, -EOWNERDEAD, "PI futex with a waiter, %s", place_names[place]);
		robust_free(&r);
	}
}

/* Shared futexes are told apart by what they map: the same address, but not the same memory. */
static void wake_own(void *at)
{
	struct pair p = pair_open();
	uint32_t *page = map_managed(p.uvm, (uintptr_t)at, PAGE);

	must(page);
	*page = 5;
	/* nobody sleeps here */
	_exit(syscall(SYS_futex, page, FUTEX_WAKE, 1, NULL, NULL, 0));
}

static void *wait_shared(void *at)
{
	static const struct timespec enough = { .tv_sec = 20 };

	return (void *)(long)(syscall(SYS_futex, at, FUTEX_WAIT, 5, &enough, NULL, 0) ? errno : 0);
}

static void test_shared_futex(void)
{
	for (enum place place = 0; place < AT_NONE; place++) {
		uint32_t *page = page_at(place, 5);
		pthread_t sleeper;
		long woken = 0;
		void *result;

		must(!pthread_create(&sleeper, NULL, wait_shared, page));
		usleep(50000);
		is(in_child(wake_own, page), 0, "shared futex, %s: another memory's is not it",
		   place_names[place]);
		for (unsigned int i = 0; i < 1000 && !woken; i++) {
			woken = syscall(SYS_futex, page, FUTEX_WAKE, 1, NULL, NULL, 0);
			usleep(10000);
		}
		must(!pthread_join(sleeper, &result));
		is(woken, 1, "shared futex, %s: the sleeper is woken", place_names[place]);
		is((long)result, 0, "shared futex, %s: and was asleep", place_names[place]);
		page_is("shared futex", place, page, 5);
	}
}

/* ---- debuggers -------------------------------------------------------- */

static void test_proc_mem(void)
{
	int fd = open("/proc/self/mem", O_RDWR);

	must(fd >= 0);
	for (enum place place = 0; place < PLACES; place++) {
		uint32_t *page = page_at(place, 22), got = 0, next = 23;

		is(pread(fd, &got, 4, (uintptr_t)page), 4, "/proc/self/mem, %s: read",
		   place_names[place]);
		is(got, 22, "/proc/self/mem, %s: what it read", place_names[place]);
		is(pwrite(fd, &next, 4, (uintptr_t)page), 4, "/proc/self/mem, %s: write",
		   place_names[place]);
		page_is("/proc/self/mem", place, page, 23);
	}
	close(fd);
}

/* Not every kernel has these calls. */
static bool has_process_vm(void)
{
	struct iovec none;

	if (!process_vm_readv(getpid(), &none, 0, &none, 0, 0))
		return true;
	must(errno == ENOSYS);
	ok(true, "process_vm_readv # SKIP the kernel does not have it");
	return false;
}

static void test_process_vm(void)
{
	if (!has_process_vm())
		return;
	for (enum place place = 0; place < PLACES; place++) {
		uint32_t *page = page_at(place, 32), got = 0, next = 33;
		struct iovec there = { page, 4 }, here = { &got, 4 };

		is(process_vm_readv(getpid(), &here, 1, &there, 1, 0), 4,
		   "process_vm_readv, %s", place_names[place]);
		is(got, 32, "process_vm_readv, %s: what it read", place_names[place]);
		here.iov_base = &next;
		is(process_vm_writev(getpid(), &here, 1, &there, 1, 0), 4,
		   "process_vm_writev, %s", place_names[place]);
		page_is("process_vm_writev", place, page, 33);
	}
}

/* From managed memory on the GPU to managed memory on the GPU. */
static void test_process_vm_both(void)
{
	struct iovec there = { NULL, PAGE }, here = { NULL, PAGE };
	uint32_t *from, *to;

	if (!has_process_vm())
		return;
	there.iov_base = from = page_at(AT_GPU, 42);
	here.iov_base = to = page_at(AT_GPU, 43);
	is(process_vm_readv(getpid(), &here, 1, &there, 1, 0), PAGE,
	   "process_vm_readv between managed pages");
	page_is("process_vm_readv into", AT_GPU, to, 42);
	page_is("process_vm_readv from", AT_GPU, from, 42);
}

struct peek {
	uint32_t *page;
	pid_t target;
};

/* The child is the debugger: 0, or 1 for a wrong value, or an errno. */
static void peek_and_poke(void *data)
{
	struct peek *peek = data;
	long value;
	int status;

	if (ptrace(PTRACE_ATTACH, peek->target, 0, 0))
		_exit(errno);
	must(waitpid(peek->target, &status, 0) == peek->target);
	errno = 0;
	value = ptrace(PTRACE_PEEKDATA, peek->target, peek->page, 0);
	if (!errno && (uint32_t)value == 52)
		ptrace(PTRACE_POKEDATA, peek->target, peek->page, value + 1);
	status = errno ? errno : (uint32_t)value != 52;
	ptrace(PTRACE_DETACH, peek->target, 0, 0);
	_exit(status);
}

static void test_ptrace(void)
{
	prctl(PR_SET_PTRACER, PR_SET_PTRACER_ANY);
	for (enum place place = 0; place < AT_NONE; place++) {
		struct peek peek = { page_at(place, 52), getpid() };
		pid_t pid = child_begin(peek_and_poke, &peek);
		int status;

		while (waitpid(pid, &status, 0) != pid)
			;
		is(WEXITSTATUS(status), 0, "PTRACE_PEEKDATA, %s", place_names[place]);
		page_is("PTRACE_POKEDATA", place, peek.page, 53);
	}
}

/* Whether a file holds a word 16 times in a row. */
static bool file_holds(const char *path, uint32_t word)
{
	FILE *file = fopen(path, "r");
	unsigned int row = 0;
	uint32_t next;

	if (!file)
		return false;
	while (row < 16 && fread(&next, sizeof(next), 1, file) == 1)
		row = next == word ? row + 1 : 0;
	fclose(file);
	return row == 16;
}

#define CORE_WORD	0x60a6c0deU

static void die_with_core(void *data)
{
	static const struct rlimit all = { RLIM_INFINITY, RLIM_INFINITY };
	FILE *filter = fopen("/proc/self/coredump_filter", "w");
	struct pair p = pair_open();
	uint32_t *page = managed(p.uvm, PAGE);

	(void)data;
	/* shared file mappings too, which managed memory is one of */
	must(filter && fprintf(filter, "0x0b\n") > 0 && !fclose(filter));
	must(!setrlimit(RLIMIT_CORE, &all));
	prctl(PR_SET_DUMPABLE, 1);
	for (unsigned int i = 0; i < 16; i++)
		((volatile uint32_t *)page)[i] = CORE_WORD;
	must(!migrate(p.uvm, page, PAGE, 0));
	signal(SIGSEGV, SIG_DFL);
	kill(getpid(), SIGSEGV);
}

static void test_core(void)
{
	FILE *pattern = fopen("/proc/sys/kernel/core_pattern", "w");

	must(pattern && fprintf(pattern, "/tmp/core-of-test\n") > 0 && !fclose(pattern));
	is(in_child(die_with_core, NULL), -SIGSEGV, "core dump: the process died");
	ok(file_holds("/tmp/core-of-test", CORE_WORD), "core dump: it has the page on the GPU");
	unlink("/tmp/core-of-test");
}

/* ---- held pages ------------------------------------------------------- */

/* A page of managed memory sits in a pipe: it is held, and does not leave. */
static void test_held(void)
{
	uint32_t *page = page_at(AT_CPU, 62), got[PAGE / 4];
	struct iovec there = { page, PAGE };
	struct test_args args = { .address = (uintptr_t)page, .value = 63 };
	struct uvm_stats stats;
	int pipes[2];

	must(!pipe(pipes));
	must(vmsplice(pipes[1], &there, 1, 0) == PAGE);
	is(gpu_reads(page), 62, "held: the GPU reads it");
	is(run_one(&pair, "t_store", args, NULL), 0, "held: the GPU writes it");
	stats_read(pair.uvm, true);
	is(migrate(pair.uvm, page, PAGE, 0), 0, "held: it may be migrated");
	stats = stats_read(pair.uvm, false);
	is(stats.bytes_htod, 0, "held: migration passes it by");
	is(*(volatile uint32_t *)page, 63, "held: the CPU sees what the GPU wrote");
	must(read(pipes[0], got, PAGE) == PAGE);
	is(got[0], 63, "held: so does who holds it");
	stats_read(pair.uvm, true);
	must(!migrate(pair.uvm, page, PAGE, 0));
	stats = stats_read(pair.uvm, false);
	is(stats.bytes_htod, PAGE, "held no more: it moves");
	page_is("held", AT_CPU, page, 63);
	close(pipes[0]);
	close(pipes[1]);
}

/* The page that comes back from the pipe is the old one, though its mapping has gone. */
static void test_held_unmapped(void)
{
	uint32_t *page = page_at(AT_CPU, 72), got[PAGE / 4];
	struct iovec there = { page, PAGE };
	int pipes[2];

	must(!pipe(pipes));
	must(vmsplice(pipes[1], &there, 1, 0) == PAGE);
	munmap(page, PAGE);
	must(!quiesce(pair.uvm));
	must(read(pipes[0], got, PAGE) == PAGE);
	is(got[0], 72, "held, unmapped: whoever holds it still has it");
	close(pipes[0]);
	close(pipes[1]);
}

/* Copies are for reading: who holds one of them keeps the GPU from a second. */
static void test_held_duplicate(void)
{
	uint32_t *page = page_at(AT_CPU, 82), got[PAGE / 4];
	struct iovec there = { page, PAGE };
	int pipes[2];

	must(!advise(pair.uvm, page, PAGE, UVM_ADVICE_READ_DUPLICATE, UVM_PROCESSOR_NONE, 0));
	must(!pipe(pipes));
	must(vmsplice(pipes[1], &there, 1, 0) == PAGE);
	is(gpu_reads(page), 82, "held, to be duplicated: the GPU reads it");
	*(volatile uint32_t *)page = 83;
	is(gpu_reads(page), 83, "held, to be duplicated: the GPU sees what was written since");
	must(read(pipes[0], got, PAGE) == PAGE);
	is(got[0], 83, "held, to be duplicated: so does who holds it");
	page_is("held, to be duplicated", AT_CPU, page, 83);
	close(pipes[0]);
	close(pipes[1]);
}

static void test_populate(void)
{
	for (enum place place = 0; place < PLACES; place++) {
		uint32_t *page = page_at(place, 92);

		is(madvise(page, PAGE, MADV_POPULATE_WRITE) ? -errno : 0, 0,
		   "MADV_POPULATE_WRITE, %s", place_names[place]);
		page_is("MADV_POPULATE_WRITE", place, page, 92);
	}
}

/* ---- forks ------------------------------------------------------------ */

static void child_writes(void *at)
{
	_exit(touch(at, true));
}

/* A child gets none of the entries, with which it could write behind the driver's back. */
static void test_forked(void)
{
	for (enum place place = 0; place < AT_NONE; place++) {
		uint32_t *page = page_at(place, 102);

		must(!madvise(page, PAGE, MADV_DOFORK));
		is(in_child(child_writes, page), SIGBUS, "forked, %s: the child cannot write",
		   place_names[place]);
		page_is("forked", place, page, 102);
	}
}

/* ---- beside others ---------------------------------------------------- */

static void map_and_unmap(struct beside *b)
{
	void *at = mmap(NULL, PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	b->wrong += at == MAP_FAILED || munmap(at, PAGE);
}

/* Reads to memory that it maps for the purpose, so it needs what a fault holds. */
static void read_events(struct beside *b)
{
	int fd = *(int *)b->at;
	char *at = mmap(NULL, PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	if (at == MAP_FAILED || (read(fd, at, PAGE) <= 0 && usleep(100)))
		b->wrong++;
	munmap(at, PAGE);
}

/*
 * Faults that hold mmap_lock, a thread that wants it for writing, and a listener that stops
 * the clock when it is full and whose reader stands behind that thread.
 */
static void test_beside_readers(void)
{
	struct uvm_tools_attach attach = { .size = sizeof(attach), .uvm_fd = pair.uvm,
					   .entries = 64, .event_mask = (1ULL << UVM_EVENT_COUNT) - 2 };
	int fd = open("/dev/uvm-tools", O_RDWR | O_NONBLOCK | O_CLOEXEC);
	struct beside mapper, reader;
	uint32_t *page = page_at(AT_CPU, 0);
	long failed = 0;

	must(fd >= 0 && !try_ioctl(fd, UVM_TOOLS_IOC_ATTACH, &attach));
	beside_begin(&mapper, map_and_unmap, NULL);
	beside_begin(&reader, read_events, (char *)&fd);
	for (unsigned int i = 0; i < 300; i++) {
		failed += migrate(pair.uvm, page, PAGE, 0) != 0;
		failed += futex(page, FUTEX_WAKE_OP, 1, (void *)1, page + 16,
				FUTEX_OP(FUTEX_OP_ADD, 1, FUTEX_OP_CMP_EQ, 0)) != 0;
	}
	is(beside_end(&mapper), 0, "beside a mapper and a reader: the mapper");
	is(beside_end(&reader), 0, "beside a mapper and a reader: the reader");
	is(failed, 0, "beside a mapper and a reader: all calls end well");
	is(*(volatile uint32_t *)(page + 16), 300, "beside a mapper and a reader: each once");
	close(fd);
	munmap(page, PAGE);
}

static void wake_op_step(struct beside *b)
{
	uint32_t *word = (uint32_t *)b->at;

	b->wrong += futex(word, FUTEX_WAKE_OP, 1, (void *)1, word + 16,
			  FUTEX_OP(FUTEX_OP_ADD, 1, FUTEX_OP_CMP_EQ, 0)) != 0;
}

/* The GPU takes the page again and again while the kernel writes to it. */
static void test_beside_gpu(void)
{
	struct test_args args = { .value = 1, .count = 64, .stride = PAGE };
	char *at = managed(pair.uvm, 64 * PAGE);
	struct beside b;
	long failed = 0;

	cpu_fill(at, 64, PAGE, 0);
	args.address = (uintptr_t)at;
	beside_begin(&b, wake_op_step, at + 8);
	for (unsigned int i = 0; i < 20; i++)
		failed += run_shape(&pair, "t_add", 2, 32, &args, NULL) != 0;
	is(beside_end(&b), 0, "beside a GPU: the futexes");
	is(failed, 0, "beside a GPU: the launches");
	is(*(volatile uint32_t *)(at + 8 + 64), b.rounds, "beside a GPU: each futex once");
	is(cpu_wrong(at, 64, PAGE, 20, false), 0, "beside a GPU: each launch once");
	munmap(at, 64 * PAGE);
}

static const struct test_case cases[] = {
	{ "wake-op", test_wake_op },
	{ "wait", test_wait },
	{ "robust", test_robust },
	{ "pi", test_pi },
	{ "shared-futex", test_shared_futex },
	{ "proc-mem", test_proc_mem },
	{ "process-vm", test_process_vm },
	{ "process-vm-both", test_process_vm_both },
	{ "ptrace", test_ptrace },
	{ "core", test_core },
	{ "held", test_held },
	{ "held-unmapped", test_held_unmapped },
	{ "held-duplicate", test_held_duplicate },
	{ "populate", test_populate },
	{ "forked", test_forked },
	{ "beside-readers", test_beside_readers },
	{ "beside-gpu", test_beside_gpu },
};

int main(int argc, char **argv)
{
	return run_cases(argc, argv, "emulated accesses", cases, ARRAY_SIZE(cases));
}
