// SPDX-License-Identifier: GPL-2.0
/*
 * The envelope of every ioctl of the three devices: size, flags, reserved
 * fields, tail, pointer, number (rules in <linux/softgpu.h>).  Which there are, with
 * their flags and reserved fields, is in the fuzzer's table (fuzz/calls.c).
 */
#include "../fuzz/fuzz.h"
#include "explicit.h"

enum device { GPU, UVM, TOOLS, DEVICES };

static const char * const device_names[] = { "softgpu", "uvm", "uvm-tools" };
static struct pair pair;
static int device_fd[DEVICES];
static char *memory;			/* managed, 2 pages */
static struct test_args launch_args;

static void fill_load(void *arg)
{
	struct softgpu_load *a = arg;

	a->image = (uintptr_t)test_image;
	a->image_bytes = test_image_bytes();
}

/* Never more than one: calls that fail leave the last one loaded. */
static void fill_unload(void *arg)
{
	static struct softgpu_unload last = { .size = sizeof(last) };

	if (last.image_id)
		try_ioctl(pair.gpu, SOFTGPU_IOC_UNLOAD, &last);
	must(!image_load(pair.gpu, test_image, test_image_bytes(), &last.image_id));
	((struct softgpu_unload *)arg)->image_id = last.image_id;
}

static void fill_launch(void *arg)
{
	struct softgpu_launch *a = arg;

	a->image_id = pair.image;
	for (int i = 0; i < 3; i++)
		a->grid[i] = a->block[i] = 1;
	a->args = (uintptr_t)&launch_args;
	a->args_bytes = sizeof(launch_args);
	strcpy(a->entry, "t_nop");
}

/* Results stay to be asked for again. */
static void fill_wait(void *arg)
{
	static uint64_t id;
	struct softgpu_wait w;

	if (!id || launch_wait(pair.gpu, id, 0, &w)) {
		must(!launch_shape(&pair, "t_nop", 1, 1, 0, &launch_args, &id));
		must(!launch_wait(pair.gpu, id, 0, &w));
	}
	((struct softgpu_wait *)arg)->launch_id = id;
}

/* Never more than one object: what the last call allocated goes first. */
static void fill_alloc(void *arg)
{
	struct softgpu_alloc *a = arg;

	for (uint32_t handle = 1; handle < 100; handle++)
		object_free(pair.gpu, handle);
	a->kind = SOFTGPU_MEMORY_DEVICE;
	a->bytes = PAGE;
}

static struct softgpu_alloc own_object(void)
{
	static struct softgpu_alloc own;

	if (own.handle)
		object_free(pair.gpu, own.handle);
	must(!object_alloc(pair.gpu, SOFTGPU_MEMORY_PINNED, 2 * PAGE, 0, &own));
	return own;
}

static void fill_free(void *arg)
{
	((struct softgpu_free *)arg)->handle = own_object().handle;
}

static void fill_copy(void *arg)
{
	struct softgpu_copy *a = arg;

	a->dst = (uintptr_t)memory;
	a->src = (uintptr_t)memory + PAGE;
	a->bytes = 64;
}

static void fill_copy_wait(void *arg)
{
	struct softgpu_copy copy = { .size = sizeof(copy) };

	fill_copy(&copy);
	must(!try_ioctl(pair.gpu, SOFTGPU_IOC_COPY, &copy));
	((struct softgpu_copy_wait *)arg)->copy_id = copy.copy_id;
}

/* Addresses that are external, with @maps objects mapped there. */
static uint64_t external_range(bool exists, bool mapped, uint32_t *handle)
{
	static uint64_t base;
	struct softgpu_alloc own = own_object();

	base = base ? base : fresh_address(BLOCK);
	range_free(pair.uvm, base, 2 * PAGE);
	if (exists)
		must(!range_create(pair.uvm, base, 2 * PAGE));
	if (mapped)
		must(!range_map(&pair, base, 2 * PAGE, own.handle, 0, 0));
	if (handle)
		*handle = own.handle;
	return base;
}

static void fill_create_external(void *arg)
{
	struct uvm_create_external_range *a = arg;

	a->base = external_range(false, false, NULL);
	a->length = 2 * PAGE;
}

static void fill_map_external(void *arg)
{
	struct uvm_map_external *a = arg;

	a->base = external_range(true, false, &a->handle);
	a->length = 2 * PAGE;
	a->softgpu_fd = pair.gpu;
}

static void fill_unmap_external(void *arg)
{
	struct uvm_unmap_external *a = arg;

	a->base = external_range(true, true, NULL);
	a->length = 2 * PAGE;
}

static void fill_free_external(void *arg)
{
	struct uvm_free_external_range *a = arg;

	a->base = external_range(true, true, NULL);
	a->length = 2 * PAGE;
}

static void fill_register(void *arg)
{
	((struct uvm_register_gpu *)arg)->softgpu_fd = pair.gpu;
	gpu_unregister(device_fd[UVM], 0);
}

/* A context that was stopped by unregistering takes no launches: get a new one. */
static void fill_unregister(void *arg)
{
	((struct uvm_unregister_gpu *)arg)->gpu = 0;
	gpu_register(device_fd[UVM], pair.gpu);
}

static void fill_advise(void *arg)
{
	struct uvm_advise *a = arg;

	a->base = (uintptr_t)memory;
	a->length = 2 * PAGE;
	a->advice = UVM_ADVICE_READ_DUPLICATE;
	a->processor = UVM_PROCESSOR_NONE;
}

static void fill_group_migration(void *arg)
{
	struct uvm_group_migration *a = arg;
	struct uvm_group group = { .size = sizeof(group) };

	must(!try_ioctl(pair.uvm, UVM_IOC_GROUP_CREATE, &group));
	a->count = 1;
	a->ids[0] = group.id;
}

static void fill_group(void *arg)
{
	struct uvm_group_migration known;
	struct uvm_group *a = arg;

	fill_group_migration(&known);
	a->id = known.ids[0];
}

static void fill_group_migrate(void *arg)
{
	struct uvm_group_migration known;
	struct uvm_group_migrate *a = arg;

	fill_group_migration(&known);
	a->id = known.ids[0];
	a->dst = UVM_PROCESSOR_CPU;
}

static void fill_set_param(void *arg)
{
	struct uvm_set_param *a = arg;

	strcpy(a->name, "perf_prefetch_threshold");
	strcpy(a->value, "51");
}

/* Somebody has to look at the order in which data come. */
static void fill_pattern(void *arg)
{
	must(!set_param(device_fd[UVM], "eviction_policy", "adaptive_global"));
	((struct uvm_get_pattern *)arg)->address = (uintptr_t)memory;
}

static void reopen_tools(void)
{
	close(device_fd[TOOLS]);
	device_fd[TOOLS] = open("/dev/uvm-tools", O_RDWR | O_NONBLOCK);
	must(device_fd[TOOLS] >= 0);
}

static void fill_attach(void *arg)
{
	struct uvm_tools_attach *a = arg;

	reopen_tools();
	a->uvm_fd = device_fd[UVM];
	a->entries = 64;
	a->event_mask = 1 << UVM_EVENT_BATCH;
}

static void fill_status(void *arg)
{
	struct uvm_tools_attach a = { .size = sizeof(a) };

	(void)arg;
	fill_attach(&a);
	must(!try_ioctl(device_fd[TOOLS], UVM_TOOLS_IOC_ATTACH, &a));
}

/* What attaches is closed with the file; twice on one file is EBUSY. */
static void fill_threshold(void *arg)
{
	fill_status(arg);
	((struct uvm_tools_threshold *)arg)->entries = 64;
}

static void fill_events(void *arg)
{
	fill_status(arg);
	((struct uvm_tools_events *)arg)->event_mask = 1 << UVM_EVENT_REPLAY;
}

/* Only the newest is kept: nobody reads, and a full one would stop the clock. */
static void fill_timeline(void *arg)
{
	static int fd = -1;
	struct softgpu_timeline *a = arg;

	if (fd < 0)
		fd = open("/dev/null", O_RDONLY);
	must(fd >= 0);
	/* The call before this one got the lowest free descriptor, if it got one. */
	close_range(fd + 1, ~0U, 0);
	a->entries = 1024;
	a->mask = 1 << SOFTGPU_TIMELINE_COPY;
}

/* A second GPU, which is there from now on. */
static int peer_fd = -1;

static struct uvm_peer_access peers(void)
{
	if (peer_fd < 0) {
		peer_fd = open("/dev/softgpu1", O_RDWR | O_CLOEXEC);
		must(peer_fd >= 0 && !gpu_register(device_fd[UVM], peer_fd));
	}
	return (struct uvm_peer_access){ .size = sizeof(struct uvm_peer_access), .gpu_b = 1 };
}

static void fill_enable_peer(void *arg)
{
	struct uvm_peer_access *a = arg, own = peers();

	a->gpu_b = own.gpu_b;
	(void)try_ioctl(device_fd[UVM], UVM_IOC_DISABLE_PEER_ACCESS, &own);
}

static void fill_disable_peer(void *arg)
{
	struct uvm_peer_access *a = arg, own = peers();

	a->gpu_b = own.gpu_b;
	(void)try_ioctl(device_fd[UVM], UVM_IOC_ENABLE_PEER_ACCESS, &own);
}

static void fill_counters(void *arg)
{
	struct uvm_tools_counters *a = arg;

	a->uvm_fd = device_fd[UVM];
	a->processor = UVM_PROCESSOR_CPU;
}

/*
 * Calls that need more to succeed than that what is not in the kernel's hands is 0 and a span is
 * one of managed memory.  All others are in the fuzzer's table alone.
 */
static const struct {
	unsigned long cmd;
	void (*fill)(void *arg);
} fills[] = {
	{ SOFTGPU_IOC_LOAD, fill_load },
	{ SOFTGPU_IOC_UNLOAD, fill_unload },
	{ SOFTGPU_IOC_LAUNCH, fill_launch },
	{ SOFTGPU_IOC_WAIT, fill_wait },
	{ SOFTGPU_IOC_TIMELINE, fill_timeline },
	{ SOFTGPU_IOC_ALLOC, fill_alloc },
	{ SOFTGPU_IOC_FREE, fill_free },
	{ SOFTGPU_IOC_COPY, fill_copy },
	{ SOFTGPU_IOC_COPY_WAIT, fill_copy_wait },
	{ UVM_IOC_ADVISE, fill_advise },
	{ UVM_IOC_GROUP_DESTROY, fill_group },
	{ UVM_IOC_GROUP_MIGRATION, fill_group_migration },
	{ UVM_IOC_GROUP_MIGRATE, fill_group_migrate },
	{ UVM_IOC_SET_PARAM, fill_set_param },
	{ UVM_IOC_PATTERN, fill_pattern },
	{ UVM_IOC_CREATE_EXTERNAL_RANGE, fill_create_external },
	{ UVM_IOC_MAP_EXTERNAL, fill_map_external },
	{ UVM_IOC_UNMAP_EXTERNAL, fill_unmap_external },
	{ UVM_IOC_FREE_EXTERNAL_RANGE, fill_free_external },
	{ UVM_IOC_ENABLE_PEER_ACCESS, fill_enable_peer },
	{ UVM_IOC_DISABLE_PEER_ACCESS, fill_disable_peer },
	{ UVM_TOOLS_IOC_ATTACH, fill_attach },
	{ UVM_TOOLS_IOC_STATUS, fill_status },
	{ UVM_TOOLS_IOC_THRESHOLD, fill_threshold },
	{ UVM_TOOLS_IOC_ENABLE, fill_events },
	{ UVM_TOOLS_IOC_DISABLE, fill_events },
	{ UVM_TOOLS_IOC_FLUSH, fill_status },
	{ UVM_TOOLS_IOC_COUNTERS, fill_counters },
	{ UVM_IOC_REGISTER_GPU, fill_register },
	{ UVM_IOC_UNREGISTER_GPU, fill_unregister },
};

static enum device device_of(const struct fuzz_desc *e)
{
	return e->slot == SLOT_UVM ? UVM : e->slot == SLOT_TOOLS ? TOOLS : GPU;
}

/* Its flags are its third argument. */
static uint32_t known_flags(const struct fuzz_desc *e)
{
	return (uint32_t)e->field[2].max;
}

/* An argument with which the call succeeds. */
static void fill(const struct fuzz_desc *e, char *arg)
{
	static const uint64_t length = 2 * PAGE;
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(fills); i++) {
		if (fills[i].cmd == e->cmd) {
			fills[i].fill(arg);
			return;
		}
	}
	for (i = 0; i + 1 < FUZZ_ARGS; i++) {
		if (e->field[i].kind == K_ADDR && e->field[i + 1].kind == K_LEN) {
			memcpy(arg + e->field[i].offset, &memory, sizeof(memory));
			memcpy(arg + e->field[i + 1].offset, &length, sizeof(length));
		}
	}
}

/* The struct at the end of a page that nothing follows: reading on would fault. */
static char *guarded;

static char *prepare(const struct fuzz_desc *e, unsigned int size)
{
	char *arg = guarded + 2 * PAGE - size;

	memset(guarded, 0, 2 * PAGE);
	fill(e, arg);
	memcpy(arg, &size, sizeof(size));
	return arg;
}

static long call(const struct fuzz_desc *e, const void *arg)
{
	return try_ioctl(device_fd[device_of(e)], e->cmd, arg);
}

static void test_sizes(const struct fuzz_desc *e)
{
	static const unsigned int tails[] = { 1, 4, 8, 100, 1000 };
	unsigned int first = e->first ? e->first : e->size;
	unsigned int bad = 0, i;
	unsigned int size;
	char *arg;

	is(call(e, prepare(e, e->size)), 0, "%s: exact size, next to an unmapped page", e->macro);
	arg = prepare(e, e->size);
	for (size = 0; size < first; size++) {
		memcpy(arg, &size, sizeof(size));
		bad += call(e, arg) != -EINVAL;
	}
	is(bad, 0, "%s: every shorter size is EINVAL", e->macro);
	for (bad = 0, size = first; size < e->size; size += 8)
		bad += call(e, prepare(e, size)) != 0;
	is(bad, 0, "%s: every size since the first is accepted, and is not exceeded", e->macro);

	for (bad = i = 0; i < ARRAY_SIZE(tails); i++) {
		arg = prepare(e, e->size + tails[i]);
		bad += call(e, arg) != 0;
		bad += *(uint32_t *)arg != e->size + tails[i];
	}
	is(bad, 0, "%s: a tail of zeros is accepted, size is left alone", e->macro);

	for (bad = i = 0; i < ARRAY_SIZE(tails); i++) {
		arg = prepare(e, e->size + tails[i]);
		arg[e->size + tails[i] - 1] = 1;
		bad += call(e, arg) != -E2BIG;
		arg = prepare(e, e->size + tails[i]);
		arg[e->size] = (char)0x80;
		bad += call(e, arg) != -E2BIG;
	}
	is(bad, 0, "%s: any other tail is E2BIG", e->macro);

	arg = prepare(e, e->size);
	size = UINT32_MAX;
	memcpy(arg, &size, sizeof(size));
	is(call(e, arg), -E2BIG, "%s: size 2^32 - 1 is refused", e->macro);
}

static void test_flags(const struct fuzz_desc *e)
{
	unsigned int bit, known = 0, unknown = 0;

	for (bit = 0; bit < 32; bit++) {
		char *arg = prepare(e, e->size);
		uint32_t flags = 1U << bit;
		long ret;

		memcpy(arg + 4, &flags, sizeof(flags));
		ret = call(e, arg);
		if (known_flags(e) & flags)
			known += ret != 0;
		else
			unknown += ret != -EOPNOTSUPP;
	}
	is(unknown, 0, "%s: an unknown flag is EOPNOTSUPP", e->macro);
	if (known_flags(e))
		is(known, 0, "%s: a known flag is accepted", e->macro);
	for (unsigned int i = 0; i < FUZZ_ARGS; i++) {
		char *arg = prepare(e, e->size);
		long ret;

		if (!e->field[i].reserved)
			continue;
		arg[e->field[i].offset + 3] = 0x40;
		ret = call(e, arg);
		is(ret, -EINVAL, "%s: a reserved field must be 0", e->macro);
	}
}

static void test_pointers(const struct fuzz_desc *e)
{
	char *none = mmap(NULL, 2 * PAGE, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	char *arg;

	must(none != MAP_FAILED);
	is(call(e, NULL), -EFAULT, "%s: NULL is EFAULT", e->macro);
	is(call(e, (void *)0xffff888000000000), -EFAULT, "%s: kernel address is EFAULT", e->macro);
	is(call(e, (void *)0x800000000000), -EFAULT, "%s: non-canonical is EFAULT", e->macro);
	is(call(e, none), -EFAULT, "%s: unreadable is EFAULT", e->macro);

	/* All but the last byte is readable. */
	prepare(e, e->size);
	arg = guarded + 2 * PAGE - e->size + 1;
	memmove(arg, arg - 1, e->size - 1);
	is(call(e, arg), -EFAULT, "%s: a struct cut off by an unmapped page is EFAULT", e->macro);

	if (e->out) {
		arg = prepare(e, e->size);
		must(!mprotect(guarded, 2 * PAGE, PROT_READ));
		is(call(e, arg), -EFAULT, "%s: an unwritable struct is EFAULT", e->macro);
		must(!mprotect(guarded, 2 * PAGE, PROT_READ | PROT_WRITE));
	}
	munmap(none, 2 * PAGE);
}

static void test_numbers(enum device device)
{
	unsigned int nr, bad = 0, known;
	char buffer[4096];

	for (nr = 0; nr < 256; nr++) {
		unsigned int type = device == GPU ? SOFTGPU_IOC_TYPE : UVM_IOC_TYPE, i;

		memset(buffer, 0, sizeof(buffer));
		for (known = i = 0; i < fuzz_desc_count && fuzz_descs[i].macro; i++)
			known |= device_of(&fuzz_descs[i]) == device &&
				 (fuzz_descs[i].cmd & 0xff) == nr;
		if (!known)
			bad += try_ioctl(device_fd[device], _IO(type, nr), buffer) != -ENOTTY;
		bad += try_ioctl(device_fd[device], _IO(type ^ 1, nr), buffer) != -ENOTTY;
		bad += try_ioctl(device_fd[device], _IOC(_IOC_READ, type, nr, 8), buffer) != -ENOTTY;
		bad += try_ioctl(device_fd[device], _IOC(_IOC_WRITE, type, nr, 0), buffer) != -ENOTTY;
	}
	is(bad, 0, "%s: an unknown ioctl is ENOTTY", device_names[device]);
}

/* Every device refuses the ioctls of the two others. */
static void test_foreign(void)
{
	unsigned int i, bad = 0;
	char buffer[4096] = "";

	for (i = 0; i < fuzz_desc_count && fuzz_descs[i].macro; i++)
		for (enum device d = 0; d < DEVICES; d++)
			if (d != device_of(&fuzz_descs[i]))
				bad += try_ioctl(device_fd[d], fuzz_descs[i].cmd, buffer) != -ENOTTY;
	is(bad, 0, "no device takes another's ioctls");
}

static void test_files(void)
{
	char buffer[4096];

	is(read(device_fd[UVM], buffer, 64) < 0 ? -errno : 0, -EINVAL, "/dev/uvm cannot be read");
	is(write(device_fd[UVM], buffer, 64) < 0 ? -errno : 0, -EINVAL,
	   "/dev/uvm cannot be written");
	is(write(device_fd[GPU], buffer, 64) < 0 ? -errno : 0, -EINVAL,
	   "/dev/softgpu0 cannot be written");
	is(read(device_fd[GPU], buffer, 64), 0, "/dev/softgpu0 reads nothing without output");
	is(read(device_fd[GPU], NULL, 0), 0, "read of no bytes");
	reopen_tools();
	is(read(device_fd[TOOLS], buffer, 4096) < 0 ? -errno : 0, -ENOTCONN,
	   "/dev/uvm-tools cannot be read before it is attached");
	fill_status(NULL);
	is(read(device_fd[TOOLS], buffer, 4096) < 0 ? -errno : 0, -EAGAIN,
	   "an empty queue does not block with O_NONBLOCK");
	ok(mmap(NULL, PAGE, PROT_READ, MAP_SHARED, device_fd[GPU], 0) == MAP_FAILED &&
	   errno == ENOENT, "/dev/softgpu0 cannot be mapped but for pinned memory");
	ok(mmap(NULL, PAGE, PROT_READ, MAP_SHARED, device_fd[TOOLS], 0) == MAP_FAILED &&
	   errno == ENODEV, "/dev/uvm-tools cannot be mapped");
	ok(lseek(device_fd[GPU], 100, SEEK_SET) <= 0, "/dev/softgpu0 does not seek");
}

static void test_call(const struct fuzz_desc *e)
{
	test_sizes(e);
	test_flags(e);
	test_pointers(e);
}

/* They stop the context, so they come last. */
static bool stops(const struct fuzz_desc *e)
{
	return e->cmd == UVM_IOC_REGISTER_GPU || e->cmd == UVM_IOC_UNREGISTER_GPU;
}

int main(void)
{
	unsigned int i;

	kmsg_begin();
	warm_up();
	leak_begin();
	pair = pair_open();
	device_fd[GPU] = pair.gpu;
	device_fd[UVM] = pair.uvm;
	device_fd[TOOLS] = open("/dev/uvm-tools", O_RDWR | O_NONBLOCK);
	must(device_fd[TOOLS] >= 0);
	memory = managed(pair.uvm, 2 * PAGE);
	guarded = mmap(NULL, 3 * PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	must(guarded != MAP_FAILED);
	must(!mprotect(guarded + 2 * PAGE, PAGE, PROT_NONE));

	for (enum device d = 0; d < DEVICES; d++)
		test_numbers(d);
	test_foreign();
	test_files();
	for (i = 0; i < fuzz_desc_count && fuzz_descs[i].macro; i++)
		if (!stops(&fuzz_descs[i]))
			test_call(&fuzz_descs[i]);
	for (i = 0; i < fuzz_desc_count && fuzz_descs[i].macro; i++)
		if (stops(&fuzz_descs[i]))
			test_call(&fuzz_descs[i]);
	munmap(memory, 2 * PAGE);
	close(device_fd[TOOLS]);
	close(peer_fd);
	pair_close(&pair);
	leak_end("abi");
	kmsg_end("abi");
	return tap_finish();
}
