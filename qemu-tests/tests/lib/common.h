/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What the test programs share: TAP, raw ioctls, managed memory, launches, and
 * a look at what the modules hold and what the kernel has said.
 */
#ifndef TEST_COMMON_H
#define TEST_COMMON_H

#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <linux/softgpu.h>
#include <linux/uvm.h>

#include "addresses.h"
#include "kernels.h"
#include "tap.h"

#define ARRAY_SIZE(a)	(sizeof(a) / sizeof((a)[0]))
#define PAGE		4096UL
#define KB		1024UL
#define MB		(1UL << 20)
#define BLOCK		(2 * MB)

#ifndef MAP_FIXED_NOREPLACE
#define MAP_FIXED_NOREPLACE	0x100000
#endif

/* ---- TAP -------------------------------------------------------------- */

static UNUSED __attribute__((format(printf, 1, 2))) void note(const char *format, ...)
{
	va_list args;

	printf("# ");
	va_start(args, format);
	vprintf(format, args);
	va_end(args);
	printf("\n");
	fflush(stdout);
}

/* Two numbers must be equal; errors are negative errnos. */
static UNUSED bool is(long got, long want, const char *format, ...)
{
	char name[256];
	va_list args;

	va_start(args, format);
	vsnprintf(name, sizeof(name), format, args);
	va_end(args);
	if (ok(got == want, "%s", name))
		return true;
	note("got %ld%s%s, want %ld%s%s", got, got < 0 && got > -200 ? " " : "",
	     got < 0 && got > -200 ? strerror(-got) : "", want,
	     want < 0 && want > -200 ? " " : "", want < 0 && want > -200 ? strerror(-want) : "");
	return false;
}

/* What tests cannot go on without. */
#define must(expression) do {							\
	if (!(expression)) {							\
		printf("Bail out! %s:%d: %s: %s\n", __FILE__, __LINE__,	\
		       #expression, strerror(errno));				\
		fflush(stdout);							\
		_exit(2);							\
	}									\
} while (0)

/* ---- devices ---------------------------------------------------------- */

static UNUSED long try_ioctl(int fd, unsigned long cmd, const void *arg)
{
	return ioctl(fd, cmd, arg) < 0 ? -errno : 0;
}

/* One VA space with one GPU context. */
struct pair {
	int uvm, gpu;
	uint32_t image;
};

extern const char test_image[], test_image_end[];
__asm__(".section .rodata\n.balign 16\n.global test_image\ntest_image:\n.incbin \"" TEST_IMAGE
	"\"\n.global test_image_end\ntest_image_end:\n.byte 0\n.text\n");

static UNUSED size_t test_image_bytes(void)
{
	return test_image_end - test_image;
}

static UNUSED long image_load(int gpu, const void *data, size_t bytes, uint32_t *id)
{
	struct softgpu_load load = {
		.size = sizeof(load), .image = (uintptr_t)data, .image_bytes = bytes,
	};
	long ret = try_ioctl(gpu, SOFTGPU_IOC_LOAD, &load);

	*id = load.image_id;
	return ret;
}

static UNUSED long gpu_register(int uvm, int gpu)
{
	struct uvm_register_gpu arg = { .size = sizeof(arg), .softgpu_fd = gpu };

	return try_ioctl(uvm, UVM_IOC_REGISTER_GPU, &arg);
}

static UNUSED long gpu_unregister(int uvm, int gpu)
{
	struct uvm_unregister_gpu arg = { .size = sizeof(arg), .gpu = gpu };

	return try_ioctl(uvm, UVM_IOC_UNREGISTER_GPU, &arg);
}

static UNUSED struct pair pair_open(void)
{
	struct pair p = { .uvm = open("/dev/uvm", O_RDWR | O_CLOEXEC),
			  .gpu = open("/dev/softgpu0", O_RDWR | O_CLOEXEC) };

	must(p.uvm >= 0);
	must(p.gpu >= 0);
	must(!gpu_register(p.uvm, p.gpu));
	must(!image_load(p.gpu, test_image, test_image_bytes(), &p.image));
	return p;
}

static UNUSED void pair_close(struct pair *p)
{
	if (p->gpu >= 0)
		close(p->gpu);
	if (p->uvm >= 0)
		close(p->uvm);
	p->gpu = p->uvm = -1;
}

/* ---- managed memory --------------------------------------------------- */

static UNUSED void *map_managed(int uvm, uint64_t address, size_t bytes)
{
	void *at = mmap((void *)address, bytes, PROT_READ | PROT_WRITE,
			MAP_SHARED | MAP_FIXED_NOREPLACE, uvm, address);

	return at == MAP_FAILED ? NULL : at;
}

/*
 * A fresh 2 MB aligned address with room; never given out twice.  They begin where the
 * environment says (TEST_ADDRESSES), which may be where not every kernel has addresses.
 */
static UNUSED uint64_t fresh_address(size_t bytes)
{
	static uint64_t next;
	uint64_t at;

	if (!next) {
		const char *start = getenv("TEST_ADDRESSES");

		next = start ? strtoull(start, NULL, 0) : UVM_ADDRESSES_START;
	}
	at = next;
	next += (bytes + 2 * BLOCK - 1) & -BLOCK;
	return at;
}

static UNUSED void *managed(int uvm, size_t bytes)
{
	void *at = map_managed(uvm, fresh_address(bytes), bytes);

	must(at);
	return at;
}

static UNUSED long migrate(int uvm, void *at, size_t bytes, int dst)
{
	struct uvm_migrate arg = { .size = sizeof(arg), .base = (uintptr_t)at, .length = bytes,
				   .dst = dst };

	return try_ioctl(uvm, UVM_IOC_MIGRATE, &arg);
}

static UNUSED long advise(int uvm, void *at, size_t bytes, uint32_t advice, int processor,
			  uint32_t flags)
{
	struct uvm_advise arg = { .size = sizeof(arg), .flags = flags, .base = (uintptr_t)at,
				  .length = bytes, .advice = advice, .processor = processor };

	return try_ioctl(uvm, UVM_IOC_ADVISE, &arg);
}

static UNUSED long quiesce(int uvm)
{
	struct uvm_quiesce arg = { .size = sizeof(arg) };

	return try_ioctl(uvm, UVM_IOC_QUIESCE, &arg);
}

static UNUSED long set_param(int uvm, const char *name, const char *value)
{
	struct uvm_set_param arg = { .size = sizeof(arg) };

	snprintf(arg.name, sizeof(arg.name), "%s", name);
	snprintf(arg.value, sizeof(arg.value), "%s", value);
	return try_ioctl(uvm, UVM_IOC_SET_PARAM, &arg);
}

static UNUSED struct uvm_stats stats_read(int uvm, bool reset)
{
	struct uvm_stats arg = { .size = sizeof(arg), .flags = reset ? UVM_STATS_RESET : 0 };

	must(!try_ioctl(uvm, UVM_IOC_STATS, &arg));
	return arg;
}

static UNUSED struct softgpu_info gpu_info(int gpu)
{
	struct softgpu_info arg = { .size = sizeof(arg) };

	must(!try_ioctl(gpu, SOFTGPU_IOC_INFO, &arg));
	return arg;
}

/* So many bytes of a GPU's memory may be used; 0: all of them. */
static UNUSED long vram_limit(int gpu, uint64_t bytes)
{
	struct softgpu_vram_limit arg = { .size = sizeof(arg), .bytes = bytes };

	return try_ioctl(gpu, SOFTGPU_IOC_VRAM_LIMIT, &arg);
}

/* ---- launches --------------------------------------------------------- */

static UNUSED long launch_shape(const struct pair *p, const char *entry, uint32_t grid,
				uint32_t block, uint64_t limit, const struct test_args *args,
				uint64_t *id)
{
	struct softgpu_launch arg = {
		.size = sizeof(arg), .image_id = p->image, .grid = { grid, 1, 1 },
		.block = { block, 1, 1 }, .args = (uintptr_t)args, .args_bytes = args ? sizeof(*args) : 0,
		.instruction_limit = limit,
	};
	long ret;

	snprintf(arg.entry, sizeof(arg.entry), "%s", entry);
	ret = try_ioctl(p->gpu, SOFTGPU_IOC_LAUNCH, &arg);
	if (id)
		*id = arg.launch_id;
	return ret;
}

static UNUSED long launch_wait(int gpu, uint64_t id, uint32_t flags, struct softgpu_wait *w)
{
	*w = (struct softgpu_wait){ .size = sizeof(*w), .flags = flags, .launch_id = id };
	return try_ioctl(gpu, SOFTGPU_IOC_WAIT, w);
}

/* Launch and wait: how it ended is in @w; returns SOFTGPU_FAIL_* or an errno. */
static UNUSED long run_shape(const struct pair *p, const char *entry, uint32_t grid,
			     uint32_t block, const struct test_args *args,
			     struct softgpu_wait *w)
{
	struct softgpu_wait own;
	uint64_t id;
	long ret;

	w = w ? w : &own;
	ret = launch_shape(p, entry, grid, block, 0, args, &id);
	if (!ret)
		ret = launch_wait(p->gpu, id, 0, w);
	if (ret)
		return ret;
	must(w->state != SOFTGPU_LAUNCH_RUNNING);
	return w->reason;
}

static UNUSED long run_one(const struct pair *p, const char *entry, struct test_args args,
			   struct softgpu_wait *w)
{
	return run_shape(p, entry, 1, 1, &args, w);
}

/* word i of [at, at + count * stride) = value + i, by many GPU threads */
static UNUSED long gpu_fill(const struct pair *p, void *at, uint64_t count, uint64_t stride,
			    uint64_t value)
{
	struct test_args args = { .address = (uintptr_t)at, .value = value, .count = count,
				  .stride = stride };

	return run_shape(p, "t_fill", 4, 64, &args, NULL);
}

static UNUSED long gpu_load(const struct pair *p, const void *at, void *out)
{
	return run_one(p, "t_load", (struct test_args){ .address = (uintptr_t)at,
		       .out = (uintptr_t)out }, NULL);
}

/* How many of the words the GPU sees are not value + i (all: not value); -1 on failure. */
static UNUSED long gpu_wrong(const struct pair *p, const void *at, uint64_t count,
			     uint64_t stride, uint64_t value, bool all)
{
	uint64_t *out = managed(p->uvm, PAGE);
	struct test_args args = { .address = (uintptr_t)at, .value = value, .count = count,
				  .stride = stride, .out = (uintptr_t)out };
	long wrong, ret;

	*out = 0;
	ret = run_shape(p, all ? "t_check_all" : "t_check", 2, 64, &args, NULL);
	wrong = ret ? -1 : (long)*out;
	munmap(out, PAGE);
	return wrong;
}

static UNUSED void cpu_fill(void *at, uint64_t count, uint64_t stride, uint64_t value)
{
	for (uint64_t i = 0; i < count; i++)
		*(volatile uint64_t *)((char *)at + i * stride) = value + i;
}

static UNUSED long cpu_wrong(const void *at, uint64_t count, uint64_t stride, uint64_t value,
			     bool all)
{
	long wrong = 0;

	for (uint64_t i = 0; i < count; i++)
		wrong += *(const volatile uint64_t *)((const char *)at + i * stride) !=
			 value + (all ? 0 : i);
	return wrong;
}

/* ---- signals ---------------------------------------------------------- */

static sigjmp_buf probe_jump;

static void probe_handler(int signal)
{
	siglongjmp(probe_jump, signal);
}

/* Touch one byte: 0, or the signal that came instead. */
static UNUSED int touch(volatile void *at, bool write)
{
	struct sigaction action = { .sa_handler = probe_handler }, bus, segv;
	int signal;

	sigaction(SIGBUS, &action, &bus);
	sigaction(SIGSEGV, &action, &segv);
	signal = sigsetjmp(probe_jump, 1);
	if (!signal) {
		if (write)
			*(volatile char *)at = 1;
		else
			(void)*(volatile char *)at;
	}
	sigaction(SIGBUS, &bus, NULL);
	sigaction(SIGSEGV, &segv, NULL);
	return signal;
}

/* ---- others, beside the test ------------------------------------------ */

static UNUSED pid_t child_begin(void (*fn)(void *), void *arg)
{
	pid_t pid;

	fflush(stdout);
	pid = fork();
	must(pid >= 0);
	if (!pid) {
		fn(arg);
		fflush(stdout);
		_exit(0);
	}
	return pid;
}

/* Run in a child: its exit status, or minus the signal that killed it. */
static UNUSED int in_child(void (*fn)(void *), void *arg)
{
	pid_t pid = child_begin(fn, arg);
	int status;

	must(waitpid(pid, &status, 0) == pid);
	return WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status);
}

/* A thread that does one thing again and again, and counts what went wrong. */
struct beside {
	void (*step)(struct beside *b);
	char *at;
	uint64_t rounds;	/* that are over */
	long wrong;
	bool stop;
	pthread_t thread;
};

static UNUSED void *beside_work(void *data)
{
	struct beside *b = data;

	for (; !__atomic_load_n(&b->stop, __ATOMIC_RELAXED); b->rounds++)
		b->step(b);
	return NULL;
}

static UNUSED void beside_begin(struct beside *b, void (*step)(struct beside *b), char *at)
{
	*b = (struct beside){ .step = step, .at = at };
	must(!pthread_create(&b->thread, NULL, beside_work, b));
}

static UNUSED long beside_end(struct beside *b)
{
	__atomic_store_n(&b->stop, true, __ATOMIC_RELAXED);
	must(!pthread_join(b->thread, NULL));
	return b->wrong;
}

/* ---- what the modules hold, what the kernel said ---------------------- */

static UNUSED void append_file(char *to, size_t room, const char *name, const char *path)
{
	size_t at = strlen(to);
	FILE *file = fopen(path, "r");
	size_t n;

	if (!file)
		return;
	n = snprintf(to + at, room - at, "%s ", name);
	n += fread(to + at + n, 1, room - at - n - 1, file);
	to[at + n] = 0;
	fclose(file);
}

static UNUSED void objects_read(char *to, size_t room)
{
	static const char * const counters[] = {
		"accesses_waiting", "reserve_used", "iova_reserved", "iova_mapped",
	};
	char path[128];

	*to = 0;
	append_file(to, room, "", "/sys/kernel/debug/uvm/objects");
	for (unsigned int i = 0; i < ARRAY_SIZE(counters); i++) {
		snprintf(path, sizeof(path), "/sys/kernel/debug/softgpu/gpu0/%s", counters[i]);
		append_file(to, room, counters[i], path);
	}
}

static char objects_before[4096];

static UNUSED void leak_begin(void)
{
	objects_read(objects_before, sizeof(objects_before));
}

/* The last reference of a dying process may go a little after its parent woke. */
static UNUSED bool leak_end(const char *name)
{
	char now[4096];

	for (int i = 0; i < 100; i++) {
		objects_read(now, sizeof(now));
		if (!strcmp(now, objects_before))
			return ok(*now, "%s: nothing leaked", name);
		usleep(50000);
	}
	ok(false, "%s: nothing leaked", name);
	for (char *a = strtok(now, "\n"); a; a = strtok(NULL, "\n"))
		if (!strstr(objects_before, a))
			note("now: %s", a);
	note("before:");
	for (char *a = strtok(objects_before, "\n"); a; a = strtok(NULL, "\n"))
		note("  %s", a);
	return false;
}

static int kmsg_fd = -1;

static UNUSED void kmsg_begin(void)
{
	kmsg_fd = open("/dev/kmsg", O_RDONLY | O_NONBLOCK);
	must(kmsg_fd >= 0);
	lseek(kmsg_fd, 0, SEEK_END);
}

/* No module of ours said anything above debug level, nobody warned. */
static UNUSED bool kmsg_end(const char *name)
{
	char record[8192];
	bool quiet = true;
	ssize_t n;

	for (;;) {
		n = read(kmsg_fd, record, sizeof(record) - 1);
		if (n < 0 && errno == EPIPE)
			continue;
		if (n <= 0)
			break;
		record[n] = 0;
		/* of others only what a busy host cannot cause: no late timers */
		if ((atoi(record) & 7) == 7 ||
		    (!strstr(record, "uvm") && !strstr(record, "softgpu") &&
		     !strstr(record, "WARNING") && !strstr(record, "BUG") &&
		     !strstr(record, "Call Trace")))
			continue;
		if (quiet)
			ok(false, "%s: nothing in the kernel log", name);
		quiet = false;
		note("%.200s", record);
	}
	close(kmsg_fd);
	return quiet ? ok(true, "%s: nothing in the kernel log", name) : false;
}

/* First use makes what stays for good (channels' memory, free chunks). */
static UNUSED void warm_up(void)
{
	struct pair p = pair_open();
	char *at = managed(p.uvm, 4 * MB);

	cpu_fill(at, 1024, PAGE, 1);
	must(!gpu_fill(&p, at, 1024, PAGE, 2));
	must(!cpu_wrong(at, 1024, PAGE, 2, false));
	munmap(at, 4 * MB);
	pair_close(&p);
}

/* ---- programs that are a list of cases --------------------------------- */

static UNUSED struct pair pair;	/* of the case that runs */
static UNUSED bool few;		/* "few": what a sanitized kernel has time for */

struct test_case {
	const char *name;
	void (*fn)(void);
};

/* PROGRAM [few] [CASE...]: each case with fresh files, and nothing left behind. */
static UNUSED int run_cases(int argc, char **argv, const char *what,
			    const struct test_case *cases, unsigned int count)
{
	few = argc > 1 && !strcmp(argv[1], "few");
	kmsg_begin();
	warm_up();
	for (unsigned int i = 0; i < count; i++) {
		bool wanted = argc == 1 + few;

		for (int a = 1 + few; a < argc; a++)
			wanted |= !strcmp(argv[a], cases[i].name);
		if (!wanted)
			continue;
		leak_begin();
		pair = pair_open();
		cases[i].fn();
		pair_close(&pair);
		leak_end(cases[i].name);
	}
	kmsg_end(what);
	return tap_finish();
}

#endif
