// SPDX-License-Identifier: GPL-2.0
/*
 * Making calls: from numbers to files, pointers and structs.
 *
 * Whatever a program says, it stays small: at most 4 MB at a time, 64 blocks and
 * 16,384 warp instructions a launch, 4,096 entries a queue; what would be refused
 * anyway is passed on as it is.
 */
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <ucontext.h>
#include <unistd.h>

#include <linux/softgpu.h>
#include <linux/uvm.h>

#include "fuzz.h"
#include "kernels.h"

#define LEN_MAX		(4ULL << 20)
#define LEN_REFUSED	(1ULL << 47)	/* beyond any address space */
#define SCRATCH_PAGES	8
#define SCRATCH		(SCRATCH_PAGES * FUZZ_PAGE)

extern const char test_image[], test_image_end[];

static int slots[SLOT_COUNT] = { -1, -1, -1, -1, -1, -1, -1, -1 };
static const char * const paths[SLOT_COUNT] = {
	[SLOT_UVM] = "/dev/uvm", [SLOT_UVM_2] = "/dev/uvm",
	[SLOT_GPU] = "/dev/softgpu0", [SLOT_GPU_2] = "/dev/softgpu0",
	[SLOT_GPU1] = "/dev/softgpu1",
	[SLOT_TOOLS] = "/dev/uvm-tools", [SLOT_TOOLS_2] = "/dev/uvm-tools",
};
static pthread_mutex_t slots_lock = PTHREAD_MUTEX_INITIALIZER;

/* One page of nothing follows @scratch; @read_only is the same memory. */
static __thread char *scratch, *read_only;
static __thread char *image;
static uint64_t pinned_offset;	/* of the first handle */

/* ---- files ------------------------------------------------------------ */

/* Closing may wait for a machine that stands until drain() has read: not with the lock. */
static void slot_set(unsigned int slot, int fd)
{
	int old;

	pthread_mutex_lock(&slots_lock);
	old = slots[slot];
	slots[slot] = fd;
	pthread_mutex_unlock(&slots_lock);
	if (old >= 0)
		close(old);
}

/* The file of a slot, opened if it is not; behind the slots: no device, no file. */
static int slot_fd(uint64_t slot)
{
	if (slot == SLOT_COUNT)
		return STDIN_FILENO;
	if (slot > SLOT_COUNT)
		return -1;
	if (slots[slot] < 0 && paths[slot])
		slot_set(slot, open(paths[slot], O_RDWR | O_CLOEXEC | O_NONBLOCK));
	return slots[slot];
}

/*
 * On the virtual clock a full queue stops the machine until somebody reads, and
 * whoever fills it here is the one who would.
 */
static void *drain(void *unused)
{
	static const int drained[] = { SLOT_TOOLS, SLOT_TOOLS_2, SLOT_TIMELINE };
	static char buffer[1 << 16];

	for (;;) {
		usleep(10000);
		pthread_mutex_lock(&slots_lock);
		for (unsigned int i = 0; i < sizeof(drained) / sizeof(drained[0]); i++)
			if (slots[drained[i]] >= 0)
				while (read(slots[drained[i]], buffer, sizeof(buffer)) > 0)
					;
		pthread_mutex_unlock(&slots_lock);
	}
	return unused;
}

/* ---- memory that may not be there ------------------------------------- */

static __thread sigjmp_buf fault_jump;
static __thread volatile sig_atomic_t fault_expected;

static void on_fault(int signal, siginfo_t *info, void *context)
{
	const ucontext_t *at = context;
	char text[128];
	int n;

	if (!fault_expected) {
		/* after a fork stdout may be locked by a thread that is not here */
		n = snprintf(text, sizeof(text), "# signal %d, code %d at %llx, address %p\n", signal,
			     info->si_code, (unsigned long long)at->uc_mcontext.gregs[REG_RIP],
			     info->si_addr);
		if (write(STDOUT_FILENO, text, n) < n)
			_exit(99);
		_exit(100 + signal);
	}
	siglongjmp(fault_jump, 1);
}

/* Returns 0, or -EFAULT at the first byte that cannot be had. */
static int guarded_copy(volatile char *to, const char *from, size_t bytes)
{
	fault_expected = 1;
	if (sigsetjmp(fault_jump, 0)) {
		fault_expected = 0;
		return -EFAULT;
	}
	for (size_t i = 0; i < bytes; i++)
		to[i] = from[i];
	fault_expected = 0;
	return 0;
}

static int guarded_touch(volatile char *at, uint64_t count, uint64_t stride, bool write)
{
	fault_expected = 1;
	if (sigsetjmp(fault_jump, 0)) {
		fault_expected = 0;
		return -EFAULT;
	}
	for (uint64_t i = 0; i < count; i++) {
		if (write)
			at[i * stride] = i;
		else
			(void)at[i * stride];
	}
	fault_expected = 0;
	return 0;
}

/* @bytes at @good, presented as a call wants it. */
static void *present(uint64_t pointer, char *good, size_t bytes)
{
	char *at;

	switch (pointer % POINTER_COUNT) {
	case POINTER_NULL:
		return NULL;
	case POINTER_PAGE_END:
		at = scratch + SCRATCH - bytes / 2;
		memmove(at, good, bytes / 2);
		return at;
	case POINTER_MANAGED:
		at = (char *)FUZZ_ARENA;
		guarded_copy(at, good, bytes);
		return at;
	case POINTER_KERNEL:
		return (void *)0xffff888000001000ULL;
	case POINTER_READ_ONLY:
		if (good >= scratch && good < scratch + SCRATCH)
			return read_only + (good - scratch);
		return good;
	case POINTER_GUARD:
		return scratch + SCRATCH;
	default:
		return good;
	}
}

/* ---- values ----------------------------------------------------------- */

static uint64_t bounded_length(uint64_t length)
{
	return length > LEN_MAX && length < LEN_REFUSED ? length % LEN_MAX : length;
}

/* For mappings of our own: always inside the arena. */
static uint64_t arena(uint64_t offset)
{
	return FUZZ_ARENA + (offset & (FUZZ_ARENA_SIZE / 2 - 1));
}

static uint64_t value_of(const struct fuzz_desc *desc, const struct fuzz_field *field,
			 uint64_t value)
{
	switch (field->kind) {
	case K_ADDR:
		return FUZZ_ARENA + value;
	case K_WORD:
	case K_SEMAPHORE:
		/* where nothing is meant: no semaphore, no result */
		return value ? FUZZ_ARENA + value - 1 : 0;
	case K_LEN:
		return bounded_length(value);
	case K_FD:
		return slot_fd(value);
	case K_POW2:
		return value > 4096 && value <= field->max ? 4096 : value;
	default:
		break;
	}
	if (desc->cmd != SOFTGPU_IOC_LAUNCH || field->place != IN_STRUCT)
		return value;
	if (field->offset == offsetof(struct softgpu_launch, instruction_limit))
		return value % 16384 + 1;
	if (field->offset >= offsetof(struct softgpu_launch, grid) &&
	    field->offset < offsetof(struct softgpu_launch, block) &&
	    value > 8 && value < 1ULL << 31)
		return value % 8 + 1;
	return value;
}

static void put(char *to, unsigned int width, uint64_t value)
{
	memcpy(to, &value, width < sizeof(value) ? width : sizeof(value));
}

/* What a pointer inside a struct leads to: an image, or the arguments of a kernel. */
static uint64_t indirect(const struct fuzz_desc *desc, const struct fuzz_call *call,
			 uint64_t pointer)
{
	char *args = scratch + 6 * FUZZ_PAGE;
	size_t bytes = sizeof(struct test_args);
	uint64_t at = 0, with = 0;

	memset(args, 0, bytes);
	for (unsigned int i = 0; i < fuzz_fields(desc); i++) {
		const struct fuzz_field *field = &desc->field[i];

		if (field->place == IN_ARGS)
			put(args + field->offset, field->width,
			    value_of(desc, field, call->arg[i]));
		if (field->place == IN_IMAGE)
			*(field->offset ? &with : &at) = call->arg[i];
	}
	if (desc->cmd == SOFTGPU_IOC_LOAD) {
		bytes = test_image_end - test_image;
		args = image;
		memcpy(args, test_image, bytes);
		args[at % bytes] ^= with;
	}
	if (pointer % POINTER_COUNT == POINTER_PAGE_END && bytes > SCRATCH)
		pointer = POINTER_GUARD;
	return (uintptr_t)present(pointer, args, bytes);
}

static void put_field(const struct fuzz_desc *desc, const struct fuzz_call *call,
		      unsigned int i, char *to)
{
	const struct fuzz_field *field = &desc->field[i];
	uint64_t value = call->arg[i];
	const char *text;

	to += field->offset;
	switch (field->kind) {
	case K_PARAM:
	case K_VALUE:
		text = fuzz_param(value, field->kind == K_VALUE);
		strncpy(to, text, field->width);
		return;
	case K_ENTRY:
		strncpy(to, fuzz_entries[value % fuzz_entry_count], field->width);
		return;
	case K_POINTER:
		put(to, field->width, indirect(desc, call, value));
		return;
	case K_LEN_IMAGE:
		put(to, field->width, value ? value : (uint64_t)(test_image_end - test_image));
		return;
	default:
		put(to, field->width, value_of(desc, field, value));
		return;
	}
}

static uint32_t size_of(const struct fuzz_desc *desc, uint64_t how)
{
	switch (how % SIZE_COUNT) {
	case SIZE_SHORT:
		return desc->size - 4;
	case SIZE_TAIL_ZERO:
	case SIZE_TAIL:
		return desc->size + 8;
	case SIZE_0:
		return 0;
	case SIZE_BIG:
		return 4104;
	case SIZE_OLD:
		return 8 + (desc->size - 8) / 16 * 8;
	default:
		return desc->size;
	}
}

/* ---- calls ------------------------------------------------------------ */

static long result(long ret)
{
	return ret < 0 ? -errno : ret;
}

long run_ioctl(const struct fuzz_desc *desc, const struct fuzz_call *call)
{
	uint64_t pointer = call->arg[1] & 7, size = call->arg[1] >> 3;
	unsigned int i, n = fuzz_fields(desc);
	char *at = scratch;
	long ret;

	memset(at, 0, desc->size + 16);
	for (i = 2; i < n; i++)
		if (desc->field[i].place == IN_STRUCT)
			put_field(desc, call, i, at);
	if (desc->cmd == SOFTGPU_IOC_LAUNCH) {
		put(at + offsetof(struct softgpu_launch, grid[2]), 4, 1);
		put(at + offsetof(struct softgpu_launch, block[2]), 4, 1);
	}
	put(at, 4, size_of(desc, size));
	if (size % SIZE_COUNT == SIZE_TAIL)
		at[desc->size] = 1;
	/* the file that it makes has to be found again */
	if (desc->cmd == SOFTGPU_IOC_TIMELINE && pointer == POINTER_MANAGED)
		pointer = POINTER_GOOD;
	ret = result(ioctl(slot_fd(call->arg[0]), desc->cmd, present(pointer, at, desc->size)));
	if (!ret && desc->cmd == SOFTGPU_IOC_TIMELINE) {
		struct softgpu_timeline timeline;

		memcpy(&timeline, at, sizeof(timeline));
		slot_set(SLOT_TIMELINE, timeline.fd);
	}
	return ret;
}

long run_raw(const struct fuzz_desc *desc, const struct fuzz_call *call)
{
	unsigned long cmd = call->arg[1];
	uint64_t words[8];

	(void)desc;
	/* mostly a number of ours */
	if (cmd < 512)
		cmd = _IO(cmd & 256 ? SOFTGPU_IOC_TYPE : UVM_IOC_TYPE, cmd & 255);
	/* a file for ever or a queue beyond all bounds */
	if (cmd == SOFTGPU_IOC_TIMELINE || cmd == SOFTGPU_IOC_LAUNCH ||
	    cmd == UVM_TOOLS_IOC_ATTACH)
		cmd = 0;
	memset(words, 0, sizeof(words));
	words[0] = (call->arg[2] & 0x1fff) | call->arg[3] << 32;
	words[1] = FUZZ_ARENA + call->arg[4];
	words[2] = bounded_length(call->arg[5]);
	words[3] = bounded_length(call->arg[6]);
	words[4] = call->arg[7];
	memcpy(scratch, words, sizeof(words));
	return result(ioctl(slot_fd(call->arg[0]), cmd, scratch));
}

long run_open(const struct fuzz_desc *desc, const struct fuzz_call *call)
{
	static const int flags[] = { O_RDWR, O_RDONLY, O_WRONLY, O_RDWR | O_APPEND };
	uint64_t slot = call->arg[0];
	int fd;

	(void)desc;
	if (slot >= SLOT_COUNT || !paths[slot])
		return -EBADF;
	fd = open(paths[slot], flags[call->arg[1] % 4] | O_CLOEXEC | O_NONBLOCK);
	if (fd < 0)
		return -errno;
	slot_set(slot, fd);
	return 0;
}

long run_close(const struct fuzz_desc *desc, const struct fuzz_call *call)
{
	uint64_t slot = call->arg[0];

	(void)desc;
	if (slot >= SLOT_COUNT || slots[slot] < 0)
		return -EBADF;
	slot_set(slot, -1);
	return 0;
}

long run_mmap(const struct fuzz_desc *desc, const struct fuzz_call *call)
{
	static const int kinds[] = {
		MAP_SHARED | MAP_FIXED, MAP_PRIVATE | MAP_FIXED,
		MAP_SHARED | MAP_FIXED_NOREPLACE, MAP_SHARED | MAP_FIXED | MAP_POPULATE,
	};
	uint64_t at = arena(call->arg[1]), offset = at + call->arg[3];
	void *got;

	if (desc->slot == SLOT_GPU)
		offset = call->arg[3] * pinned_offset;
	got = mmap((void *)at, bounded_length(call->arg[2]), call->arg[4] & 7,
		   kinds[call->arg[5] % 4], slot_fd(call->arg[0]), offset);
	return got == MAP_FAILED ? -errno : 0;
}

long run_munmap(const struct fuzz_desc *desc, const struct fuzz_call *call)
{
	(void)desc;
	return result(munmap((void *)arena(call->arg[0]), bounded_length(call->arg[1])));
}

long run_mprotect(const struct fuzz_desc *desc, const struct fuzz_call *call)
{
	(void)desc;
	return result(mprotect((void *)arena(call->arg[0]), bounded_length(call->arg[1]),
			       call->arg[2] & 7));
}

long run_mremap(const struct fuzz_desc *desc, const struct fuzz_call *call)
{
	static const int flags[] = {
		0, MREMAP_MAYMOVE | MREMAP_FIXED,
		MREMAP_MAYMOVE | MREMAP_FIXED | MREMAP_DONTUNMAP,
	};
	void *got;

	(void)desc;
	got = mremap((void *)arena(call->arg[0]), bounded_length(call->arg[1]),
		     bounded_length(call->arg[2]), flags[call->arg[3] % 3],
		     (void *)arena(call->arg[4]));
	return got == MAP_FAILED ? -errno : 0;
}

long run_madvise(const struct fuzz_desc *desc, const struct fuzz_call *call)
{
	uint64_t at = arena(call->arg[0]), length = bounded_length(call->arg[1]);
	uint64_t room = FUZZ_ARENA + FUZZ_ARENA_SIZE - at;

	(void)desc;
	/* it passes over holes, and what is behind the arena is the fuzzer's own */
	return result(madvise((void *)at, length < room ? length : room, call->arg[2] % 26));
}

long run_touch(const struct fuzz_desc *desc, const struct fuzz_call *call)
{
	uint64_t stride = call->arg[2] & (LEN_MAX - 1);

	(void)desc;
	return guarded_touch((volatile char *)arena(call->arg[0]), call->arg[1] % 65, stride,
			     call->arg[3] & 1);
}

long run_read(const struct fuzz_desc *desc, const struct fuzz_call *call)
{
	int fd = slot_fd(call->arg[0]);
	long ret;

	(void)desc;
	if (fd == STDIN_FILENO)
		return -EBADF;
	ret = result(read(fd, present(call->arg[1], scratch, FUZZ_PAGE),
			  call->arg[2] % FUZZ_PAGE));
	return ret > 0 ? 0 : ret;
}

long run_write(const struct fuzz_desc *desc, const struct fuzz_call *call)
{
	int fd = slot_fd(call->arg[0]);
	long ret;

	(void)desc;
	if (fd == STDIN_FILENO)
		return -EBADF;
	ret = result(write(fd, present(call->arg[1], scratch, FUZZ_PAGE),
			   call->arg[2] % FUZZ_PAGE));
	return ret > 0 ? 0 : ret;
}

long run_poll(const struct fuzz_desc *desc, const struct fuzz_call *call)
{
	struct pollfd fd = { .fd = slot_fd(call->arg[0]), .events = POLLIN | POLLOUT };

	(void)desc;
	if (fd.fd < 0)
		return -EBADF;
	return result(poll(&fd, 1, 0)) < 0 ? -errno : 0;
}

/* What it does is in fuzz_exec_call(), which knows the calls that follow. */
long run_fork(const struct fuzz_desc *desc, const struct fuzz_call *call)
{
	(void)desc;
	(void)call;
	return 0;
}

/* ---- programs --------------------------------------------------------- */

static long fork_calls(const struct fuzz_prog *prog, unsigned int index)
{
	unsigned int i, end = index + 1 + prog->call[index].arg[0] % 8;
	int status = 0;
	pid_t pid;

	pthread_mutex_lock(&slots_lock);
	pid = fork();
	pthread_mutex_unlock(&slots_lock);
	if (pid < 0)
		return -errno;
	if (pid) {
		while (waitpid(pid, &status, 0) < 0 && errno == EINTR)
			;
		/* what hurt the child is told by its parent's end */
		if (WIFEXITED(status) && WEXITSTATUS(status))
			_exit(WEXITSTATUS(status));
		return 0;
	}
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	for (i = index + 1; i < end && i < prog->calls; i++) {
		const struct fuzz_desc *desc = &fuzz_descs[prog->call[i].op];

		if (desc->run != run_fork)
			desc->run(desc, &prog->call[i]);
	}
	_exit(0);
}

long fuzz_exec_call(const struct fuzz_prog *prog, unsigned int index)
{
	const struct fuzz_call *call = &prog->call[index];
	const struct fuzz_desc *desc = &fuzz_descs[call->op];

	return desc->run == run_fork ? fork_calls(prog, index) : desc->run(desc, call);
}

void fuzz_exec_end(void)
{
	for (unsigned int i = 0; i < SLOT_COUNT; i++)
		if (slots[i] >= 0)
			slot_set(i, -1);
	munmap((void *)FUZZ_ARENA, FUZZ_ARENA_SIZE);
}

/* What multiplied by a handle is the offset for mmap; by the ABI alone. */
static void learn_pinned_offset(void)
{
	struct softgpu_alloc alloc = {
		.size = sizeof(alloc), .kind = SOFTGPU_MEMORY_PINNED, .bytes = FUZZ_PAGE,
	};
	int fd = open("/dev/softgpu0", O_RDWR | O_CLOEXEC);

	if (fd >= 0 && !ioctl(fd, SOFTGPU_IOC_ALLOC, &alloc) && alloc.handle)
		pinned_offset = alloc.mmap_offset / alloc.handle;
	close(fd);
}

static void die(const char *what)
{
	perror(what);
	_exit(90);
}

/* In a worker. */
void fuzz_exec_thread(void)
{
	int memory = memfd_create("fuzz", MFD_CLOEXEC);

	if (memory < 0 || ftruncate(memory, SCRATCH))
		die("memfd");
	scratch = mmap(NULL, SCRATCH + FUZZ_PAGE, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (scratch == MAP_FAILED ||
	    mmap(scratch, SCRATCH, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_FIXED, memory,
		 0) == MAP_FAILED)
		die("mmap");
	read_only = mmap(NULL, SCRATCH, PROT_READ, MAP_SHARED, memory, 0);
	image = malloc(test_image_end - test_image);
	if (read_only == MAP_FAILED || !image)
		die("memory");
	close(memory);
}

void fuzz_exec_init(void)
{
	struct sigaction action = {
		.sa_sigaction = on_fault, .sa_flags = SA_NODEFER | SA_SIGINFO,
	};
	pthread_t thread;

	fuzz_exec_thread();
	sigaction(SIGSEGV, &action, NULL);
	sigaction(SIGBUS, &action, NULL);
	learn_pinned_offset();
	if (pthread_create(&thread, NULL, drain, NULL))
		die("thread");
}
