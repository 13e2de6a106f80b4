// SPDX-License-Identifier: GPL-2.0
/*
 * What an ordinary user can make the kernel allocate: it ends with an errno before it ends with
 * somebody else's process, and takes neither all threads nor all contexts.
 * Run as root; the users are children without privileges.
 */
#include <sys/resource.h>
#include <sys/sysinfo.h>
#include <sys/wait.h>

#include "common.h"

#define NOBODY		65534
#define QUEUE_ENTRIES	(1U << 20)
#define RANGES_START	0x100000000000UL

static void become_nobody(void)
{
	must(!setgid(NOBODY) && !setuid(NOBODY));
}

static long available_mb(void)
{
	struct sysinfo s;

	must(!sysinfo(&s));
	return s.totalram / 1048576 * s.mem_unit;
}

static long procs(void)
{
	struct sysinfo s;

	must(!sysinfo(&s));
	return s.procs;
}

/* ---- memory ----------------------------------------------------------- */

static int more_queue(int i)
{
	static int uvm = -1;
	struct uvm_tools_attach arg = { .size = sizeof(arg), .entries = QUEUE_ENTRIES,
					.event_mask = 2 };
	int fd = open("/dev/uvm-tools", O_RDWR);

	if (!i)
		uvm = open("/dev/uvm", O_RDWR);
	arg.uvm_fd = uvm;
	must(fd >= 0 && uvm >= 0);
	return try_ioctl(fd, UVM_TOOLS_IOC_ATTACH, &arg);
}

static int more_timeline(int i)
{
	static int gpu = -1;
	struct softgpu_timeline arg = { .size = sizeof(arg), .entries = QUEUE_ENTRIES, .mask = 4 };

	if (!i)
		gpu = open("/dev/softgpu0", O_RDWR);
	must(gpu >= 0);
	return try_ioctl(gpu, SOFTGPU_IOC_TIMELINE, &arg);
}

static int more_range(int i)
{
	static int uvm = -1;
	const uint64_t bytes = 1UL << 43, at = RANGES_START + i * bytes;

	if (!i)
		uvm = open("/dev/uvm", O_RDWR);
	must(uvm >= 0);
	return map_managed(uvm, at, bytes) ? 0 : -errno;
}

/* User Mode Linux has too few addresses for that many. */
static bool has_addresses(void)
{
	void *at = mmap((void *)(RANGES_START + (1UL << 45)), PAGE, PROT_NONE,
			MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE, -1, 0);

	if (at != MAP_FAILED)
		munmap(at, PAGE);
	return at != MAP_FAILED;
}

static int more_image(int i)
{
	static unsigned char *file;
	static int gpu = -1;
	const size_t bytes = 16UL << 20;
	uint32_t id;

	if (!i) {
		gpu = open("/dev/softgpu0", O_RDWR);
		file = calloc(1, bytes);
		must(file);
		memcpy(file, test_image, test_image_bytes());
	}
	must(gpu >= 0);
	return image_load(gpu, file, bytes, &id);
}

struct hog {
	const char *name;
	int (*more)(int i);
	int most;		/* enough for a quarter of the 1 GB of a VM */
};

/* Exits with 0 when it is told that there is no more, and holds all until then. */
static void be_hog(void *arg)
{
	const struct hog *hog = arg;
	struct rlimit files = { 4096, 4096 };
	int ret = 0, i;

	setrlimit(RLIMIT_NOFILE, &files);
	become_nobody();
	for (i = 0; !ret && i < hog->most; i++)
		ret = hog->more(i);
	note("%s: %d times, then %s", hog->name, i - 1, strerror(-ret));
	fflush(stdout);
	_exit(ret == -ENOMEM ? 0 : 1);
}

static void be_innocent(void *arg)
{
	(void)arg;
	char *memory = malloc(60 * MB);

	must(memory);
	memset(memory, 1, 60 * MB);
	for (;;)
		pause();
}

static void test_memory(void)
{
	static const struct hog hogs[] = {
		{ "event queues", more_queue, 20 }, { "images", more_image, 100 },
		{ "ranges", more_range, 10 },
	};
	pid_t innocent = child_begin(be_innocent, NULL);
	int status;

	note("%ld MB", available_mb());
	for (unsigned int i = 0; i < ARRAY_SIZE(hogs) - !has_addresses(); i++) {
		is(in_child(be_hog, (void *)&hogs[i]), 0, "%s: there is an end", hogs[i].name);
		is(waitpid(innocent, &status, WNOHANG), 0, "%s: the innocent lives", hogs[i].name);
	}
	kill(innocent, SIGKILL);
	waitpid(innocent, &status, 0);
}

/* ---- a GPU ------------------------------------------------------------ */

static long frame_alloc(int gpu)
{
	struct softgpu_alloc arg = { .size = sizeof(arg), .kind = SOFTGPU_MEMORY_DEVICE,
				     .bytes = BLOCK };

	return try_ioctl(gpu, SOFTGPU_IOC_ALLOC, &arg);
}

/* Frames that a file of its own, left open, can pin until it is told that there are no more. */
static long frames_pinned(int *gpu)
{
	long n = 0, ret;

	*gpu = open("/dev/softgpu0", O_RDWR);
	must(*gpu >= 0);
	while (!(ret = frame_alloc(*gpu)))
		n++;
	note("%ld frames, then %s", n, strerror(-ret));
	return ret == -ENOMEM ? n : -1;
}

/* Of several files of one user together, allocated or by a limit for others. */
static void pin_frames(void *arg)
{
	long share = *(long *)arg, bad;
	int limit, gpu;

	become_nobody();
	limit = open("/dev/softgpu0", O_RDWR);
	must(limit >= 0);
	bad = vram_limit(limit, BLOCK) != -ENOMEM;
	must(!vram_limit(limit, gpu_info(limit).vram_bytes - 2 * BLOCK));
	bad += frames_pinned(&gpu) != share - 2;
	bad += frames_pinned(&gpu) != 0;
	must(!vram_limit(limit, 0));
	bad += frames_pinned(&gpu) != 2;
	fflush(stdout);
	_exit(bad);
}

static void test_frames(void)
{
	long all = gpu_info(pair.gpu).vram_bytes / BLOCK, share = all * 75 / 100;
	int gpu;

	is(in_child(pin_frames, &share), 0, "GPU memory: one user has his share of it");
	is(frames_pinned(&gpu), all, "GPU memory: who may has all of it");
	close(gpu);
}

#define FAR_BLOCKS	700U	/* more than one per cent of a GPU's addresses */

/* A page here and there: each takes 2 MB of addresses of the GPU. */
static long touch_far(void)
{
	struct pair p = pair_open();
	char *at = managed(p.uvm, FAR_BLOCKS * BLOCK);
	struct softgpu_wait w = { 0 };
	struct test_args args = { .address = (uintptr_t)at, .value = 1, .count = FAR_BLOCKS,
				  .stride = BLOCK };
	long ret;

	must(!set_param(p.uvm, "cpu_chunk_allocation_sizes", "4096"));
	ret = run_shape(&p, "t_fill", 4, 64, &args, &w);
	note("a page in each of %u blocks: reason %ld, error %u", FAR_BLOCKS, ret, w.error);
	fflush(stdout);
	if (!ret && cpu_wrong(at, FAR_BLOCKS, BLOCK, 1, false))
		ret = -EIO;
	munmap(at, FAR_BLOCKS * BLOCK);
	pair_close(&p);
	return ret ? -(long)w.error : 0;
}

static void touch_as_nobody(void *unused)
{
	(void)unused;
	become_nobody();
	_exit(-touch_far());
}

static void test_addresses(void)
{
	is(in_child(touch_as_nobody, NULL), ENOMEM, "addresses: one user has his share");
	is(touch_far(), 0, "addresses: who may has more");
	is(in_child(touch_as_nobody, NULL), ENOMEM, "addresses: nothing stays counted");
}

/* ---- what others do ---------------------------------------------------- */

static void be_curious(void *arg)
{
	(void)arg;
	become_nobody();
	_exit(-more_timeline(0));
}

static void test_curious(void)
{
	is(in_child(be_curious, NULL), EPERM, "timelines are not for everybody");
}

/* ---- threads ---------------------------------------------------------- */

#define OPENS	500

static void open_many(void *arg)
{
	struct rlimit files = { OPENS + 100, OPENS + 100 };
	long before = procs();
	int i;

	(void)arg;
	setrlimit(RLIMIT_NOFILE, &files);
	become_nobody();
	for (i = 0; i < OPENS; i++)
		must(open("/dev/uvm", O_RDWR) >= 0);
	note("%ld more threads", procs() - before);
	fflush(stdout);
	_exit(procs() - before > 20);
}

/* Threads for memory that is mapped are the user's own, as fork(2) counts. */
static void map_many(void *arg)
{
	struct rlimit files = { OPENS + 100, OPENS + 100 }, threads = { 8, 8 };
	int i, ret = 0;

	(void)arg;
	setrlimit(RLIMIT_NOFILE, &files);
	setrlimit(RLIMIT_NPROC, &threads);
	become_nobody();
	for (i = 0; !ret && i < OPENS; i++) {
		int uvm = open("/dev/uvm", O_RDWR);

		must(uvm >= 0);
		ret = map_managed(uvm, fresh_address(PAGE), PAGE) ? 0 : errno;
	}
	note("%d had memory, then %s", i - 1, strerror(ret));
	fflush(stdout);
	_exit(ret != EAGAIN || i - 1 != 8);
}

static void test_threads(void)
{
	is(in_child(open_many, NULL), 0, "an open file has no thread");
	is(in_child(map_many, NULL), 0, "threads end at RLIMIT_NPROC");
}

/* ---- contexts --------------------------------------------------------- */

static int open_contexts(void)
{
	int n = 0;

	while (n < 5000 && open("/dev/softgpu0", O_RDWR) >= 0)
		n++;
	return n;
}

/* One process has its share, and processes of one user have theirs. */
static void be_opener(void *arg)
{
	struct rlimit files = { 6000, 6000 };
	int (*fd)[2] = arg, n, sum;
	char byte = 0;

	setrlimit(RLIMIT_NOFILE, &files);
	become_nobody();
	sum = n = open_contexts();
	note("%d contexts in one process: %s", n, strerror(errno));
	for (int child = 0; child < 20; child++) {
		int report[2];

		must(!pipe(report));
		if (!fork()) {
			n = open_contexts();
			must(write(report[1], &n, sizeof(n)) == sizeof(n));
			pause();
		}
		must(read(report[0], &n, sizeof(n)) == sizeof(n));
		close(report[0]);
		close(report[1]);
		sum += n;
	}
	note("%d contexts in 21 processes", sum);
	fflush(stdout);
	must(write(fd[0][1], &byte, 1) == 1);
	pause();
}

static void test_contexts(void)
{
	int fd[2], gpu;
	pid_t pid;
	char byte;

	must(!pipe(fd));
	pid = fork();
	must(pid >= 0);
	if (!pid) {
		must(!setpgid(0, 0));
		be_opener(&fd);
	}
	must(read(fd[0], &byte, 1) == 1);
	gpu = open("/dev/softgpu0", O_RDWR);
	ok(gpu >= 0, "contexts: one user leaves some for others");
	close(gpu);
	kill(-pid, SIGKILL);
	waitpid(pid, NULL, 0);
}

static const struct test_case cases[] = {
	{ "memory", test_memory }, { "curious", test_curious }, { "threads", test_threads },
	{ "contexts", test_contexts }, { "frames", test_frames },
};

int main(int argc, char **argv)
{
	must(!chmod("/dev/uvm", 0666) && !chmod("/dev/uvm-tools", 0666) &&
	     !chmod("/dev/softgpu0", 0666));
	if (argc == 2 && !strcmp(argv[1], "addresses")) {
		leak_begin();
		test_addresses();
		leak_end("addresses");
		return tap_finish();
	}
	return run_cases(argc, argv, "limits", cases, ARRAY_SIZE(cases));
}
