// SPDX-License-Identifier: GPL-2.0
/*
 * Explicit memory: device and pinned allocations, mapped as external ranges
 * (nvidia-uvm 6.3).
 */
#include "explicit.h"

#include <linux/capability.h>
#include <sys/resource.h>
#include <sys/syscall.h>

/* ---- device memory ---------------------------------------------------- */

static void test_device(void)
{
	static const uint64_t sizes[] = { PAGE, 64 * KB, 68 * KB, 2 * MB, 5 * MB + 3 * PAGE };

	for (unsigned int i = 0; i < ARRAY_SIZE(sizes); i++) {
		struct object o = object_make(&pair, DEVICE, sizes[i]);
		uint64_t words = sizes[i] / 512;
		struct uvm_stats stats;

		stats_read(pair.uvm, true);
		is(gpu_fill(&pair, (void *)o.gpu, words, 512, 7), 0, "device %ld KB: written",
		   (long)(sizes[i] / KB));
		stats = stats_read(pair.uvm, true);
		is(stats.faults_fetched, 0, "device %ld KB: without a fault",
		   (long)(sizes[i] / KB));
		is(gpu_wrong(&pair, (void *)o.gpu, words, 512, 7, false), 0,
		   "device %ld KB: read back", (long)(sizes[i] / KB));
		is(touch((void *)o.gpu, false), SIGSEGV, "device %ld KB: not for the CPU",
		   (long)(sizes[i] / KB));
		object_end(&pair, &o);
	}
}

/* Nobody sees what the last owner left: memory is cleared between owners. */
static void test_zeroed(void)
{
	struct object o = object_make(&pair, DEVICE, 4 * MB);
	long used = counter("pma_used");

	must(!gpu_fill(&pair, (void *)o.gpu, 4 * MB / 8, 8, 1000));
	object_end(&pair, &o);
	is(counter("pma_used"), used - 2, "zeroed: the frames are free again");
	o = object_make(&pair, DEVICE, 4 * MB);
	is(gpu_wrong(&pair, (void *)o.gpu, 4 * MB / 8, 8, 0, true), 0,
	   "zeroed: the next owner reads zeros");
	object_end(&pair, &o);
}

static void expect_fault(const char *entry, uint64_t at, unsigned int access, const char *what)
{
	struct softgpu_wait w = { 0 };

	is(run_one(&pair, entry, (struct test_args){ .address = at }, &w), SOFTGPU_FAIL_FAULT,
	   "%s: a fault", what);
	ok(w.address == at && w.access == access && w.error == EFAULT,
	   "%s: told where and how", what);
}

static void test_beyond(void)
{
	struct object o = object_make(&pair, DEVICE, 64 * KB);
	uint64_t at = fresh_address(BLOCK);

	expect_fault("t_load", o.gpu + 64 * KB, 0, "past the end, read");
	expect_fault("t_store", o.gpu + 64 * KB, 1, "past the end, write");
	must(!range_create(pair.uvm, at, MB));
	must(!range_map(&pair, at + 8 * PAGE, 2 * PAGE, o.handle, PAGE, 0));
	expect_fault("t_load", at + 7 * PAGE, 0, "in the range, before what is mapped");
	expect_fault("t_atomic", at + 10 * PAGE, 2, "in the range, behind what is mapped");
	is(run_one(&pair, "t_store", (struct test_args){ .address = at + 9 * PAGE }, NULL), 0,
	   "beyond: what is mapped works");
	is(range_unmap(pair.uvm, at + 8 * PAGE, 2 * PAGE, 0), 0, "beyond: unmap");
	expect_fault("t_store", at + 9 * PAGE, 1, "after unmap");
	must(!range_free(pair.uvm, at, MB));
	object_end(&pair, &o);
	expect_fault("t_load", o.gpu, 0, "after free");
}

static void test_read_only(void)
{
	struct object o = object_make(&pair, DEVICE, 128 * KB);
	uint64_t at = fresh_address(BLOCK);

	must(!gpu_fill(&pair, (void *)o.gpu, 32, PAGE, 3));
	must(!range_create(pair.uvm, at, 128 * KB));
	must(!range_map(&pair, at, 128 * KB, o.handle, 0, UVM_MAP_EXTERNAL_READ_ONLY));
	is(gpu_wrong(&pair, (void *)at, 32, PAGE, 3, false), 0, "read-only: read");
	expect_fault("t_store", at + PAGE, 1, "read-only, write");
	expect_fault("t_atomic", at + 70 * KB, 2, "read-only, atomic");
	is(gpu_wrong(&pair, (void *)o.gpu, 32, PAGE, 3, false), 0, "read-only: unchanged");
	must(!range_free(pair.uvm, at, 128 * KB));
	object_end(&pair, &o);
}

/* Addresses and offsets that do and do not allow pages of 64 KB. */
static void test_offsets(void)
{
	static const struct { uint64_t at, offset, pages; } rows[] = {
		{ 0, 0, 512 }, { PAGE, 0, 100 }, { 0, PAGE, 100 }, { 3 * PAGE, 3 * PAGE, 600 },
		{ 15 * PAGE, 31 * PAGE, 40 }, { 2 * MB - PAGE, 2 * MB - PAGE, 2 },
		{ 60 * KB, 2 * MB - PAGE, 530 }, { 5 * PAGE, 5 * PAGE, 11 },
	};
	struct object o = object_make(&pair, DEVICE, 6 * MB);

	must(!gpu_fill(&pair, (void *)o.gpu, 6 * MB / PAGE, PAGE, 0));
	for (unsigned int i = 0; i < ARRAY_SIZE(rows); i++) {
		uint64_t at = fresh_address(6 * MB) + rows[i].at, bytes = rows[i].pages * PAGE;

		must(!range_create(pair.uvm, at, bytes));
		is(range_map(&pair, at, bytes, o.handle, rows[i].offset, 0), 0,
		   "offsets: row %u maps", i);
		is(gpu_wrong(&pair, (void *)at, rows[i].pages, PAGE, rows[i].offset / PAGE, false),
		   0, "offsets: row %u reads the right pages", i);
		expect_fault("t_load", at + bytes, 0, "offsets: behind the map");
		must(!range_free(pair.uvm, at, bytes));
	}
	object_end(&pair, &o);
}

/* Managed and external memory in the same 2 MB, and in the same 64 KB. */
static void test_shared_tables(void)
{
	uint64_t base = fresh_address(BLOCK), ext = base + 40 * KB, bytes = 300 * KB;
	char *low = map_managed(pair.uvm, base, 40 * KB);
	char *high = map_managed(pair.uvm, ext + bytes, MB);
	struct softgpu_alloc alloc;
	long bad = 0;

	must(low && high);
	must(!object_alloc(pair.gpu, DEVICE, bytes, 0, &alloc));
	for (unsigned int round = 0; round < 3; round++) {
		must(!range_create(pair.uvm, ext, bytes));
		cpu_fill(low, 10, PAGE, round);
		cpu_fill(high, 256, PAGE, round);
		must(!range_map(&pair, ext, bytes, alloc.handle, 0, 0));
		must(!gpu_fill(&pair, (void *)ext, bytes / PAGE, PAGE, 50 + round));
		bad += gpu_wrong(&pair, low, 10, PAGE, round, false);
		bad += gpu_wrong(&pair, high, 256, PAGE, round, false);
		must(!migrate(pair.uvm, high, MB, 0));
		bad += gpu_wrong(&pair, (void *)ext, bytes / PAGE, PAGE, 50 + round, false);
		must(!range_free(pair.uvm, ext, bytes));
		bad += gpu_wrong(&pair, low, 10, PAGE, round, false);
		bad += gpu_wrong(&pair, high, 256, PAGE, round, false);
		bad += cpu_wrong(high, 256, PAGE, round, false);
	}
	is(bad, 0, "shared tables: neither sees the other");
	expect_fault("t_load", ext, 0, "shared tables: after free");
	munmap(low, 40 * KB);
	munmap(high, MB);
	/* what munmap has left in the tables is gone before external memory comes */
	must(!range_create(pair.uvm, base, BLOCK));
	must(!range_map(&pair, base, bytes, alloc.handle, 0, 0));
	is(gpu_wrong(&pair, (void *)base, bytes / PAGE, PAGE, 52, false), 0,
	   "shared tables: where managed memory was");
	must(!range_free(pair.uvm, base, BLOCK));
	must(!object_free(pair.gpu, alloc.handle));
}

/* ---- pinned memory ---------------------------------------------------- */

static void test_pinned(void)
{
	const uint64_t bytes = 3 * MB + 5 * PAGE, pages = bytes / PAGE;
	struct object o = object_make(&pair, PINNED, bytes);
	struct uvm_stats stats;
	uint64_t *sum;

	is(cpu_wrong(o.cpu, pages, PAGE, 0, true), 0, "pinned: zero at first");
	cpu_fill(o.cpu, pages, PAGE, 11);
	stats_read(pair.uvm, true);
	is(gpu_wrong(&pair, (void *)o.gpu, pages, PAGE, 11, false), 0, "pinned: the GPU reads it");
	must(!gpu_fill(&pair, (void *)o.gpu, pages, PAGE, 90));
	is(cpu_wrong(o.cpu, pages, PAGE, 90, false), 0, "pinned: the CPU sees what the GPU wrote");
	stats = stats_read(pair.uvm, false);
	ok(stats.bytes_htod <= 64 * KB, "pinned: nothing but the result migrates (%ld)",
	   (long)stats.bytes_htod);
	sum = (uint64_t *)o.cpu;
	*sum = 5;
	must(!run_one(&pair, "t_atomic", (struct test_args){ .address = o.gpu, .value = 3 }, NULL));
	ok(*(volatile uint64_t *)sum != 5, "pinned: atomics work");
	/* through a second mapping, as well after the handle has gone */
	must(!object_free(pair.gpu, o.handle));
	is(object_free(pair.gpu, o.handle), -ENOENT, "pinned: freed once");
	must(!gpu_fill(&pair, (void *)o.gpu, pages, PAGE, 30));
	is(cpu_wrong(o.cpu, pages, PAGE, 30, false), 0, "pinned: lives while it is mapped");
	must(!range_free(pair.uvm, o.gpu, bytes));
	is(cpu_wrong(o.cpu, pages, PAGE, 30, false), 0, "pinned: for the CPU as well");
	madvise(o.cpu, bytes, MADV_DONTNEED);
	is(cpu_wrong(o.cpu, pages, PAGE, 30, false), 0, "pinned: madvise loses nothing");
	munmap(o.cpu, bytes);
}

static void test_pinned_mmap(void)
{
	struct softgpu_alloc pinned, device;
	const struct {
		const char *what;
		uint64_t bytes, offset;
		int prot, flags;
		int want;
	} rows[] = {
		{ "private", PAGE, 0, PROT_READ | PROT_WRITE, MAP_PRIVATE, EINVAL },
		{ "executable", PAGE, 0, PROT_READ | PROT_EXEC, MAP_SHARED, EINVAL },
		{ "longer than it is", 9 * PAGE, 0, PROT_READ, MAP_SHARED, EINVAL },
		{ "past its end", PAGE, 8 * PAGE, PROT_READ, MAP_SHARED, EINVAL },
		{ "far past its end", PAGE, 1UL << 39, PROT_READ, MAP_SHARED, EINVAL },
		{ "no such object", PAGE, 77UL << 40, PROT_READ, MAP_SHARED, ENOENT },
		{ "no handle", PAGE, 0 - (1UL << 40), PROT_READ, MAP_SHARED, ENOENT },
		{ "a part", 2 * PAGE, 6 * PAGE, PROT_READ, MAP_SHARED, 0 },
	};
	void *at;

	must(!object_alloc(pair.gpu, PINNED, 8 * PAGE, 0, &pinned));
	must(!object_alloc(pair.gpu, DEVICE, 8 * PAGE, 0, &device));
	ok(pinned.mmap_offset == (uint64_t)pinned.handle << 40, "mmap: the offset names it");
	for (unsigned int i = 0; i < ARRAY_SIZE(rows); i++) {
		/* the row "no handle" is that of handle 0 */
		uint64_t offset = rows[i].want == ENOENT && rows[i].offset >> 63 ? 0 :
				  pinned.mmap_offset + rows[i].offset;

		at = mmap(NULL, rows[i].bytes, rows[i].prot, rows[i].flags, pair.gpu, offset);
		is(at == MAP_FAILED ? errno : 0, rows[i].want, "mmap: %s", rows[i].what);
		if (at != MAP_FAILED)
			munmap(at, rows[i].bytes);
	}
	at = mmap(NULL, PAGE, PROT_READ, MAP_SHARED, pair.gpu, device.mmap_offset);
	is(at == MAP_FAILED ? errno : 0, EINVAL, "mmap: device memory");
	/* grown by mremap, it has nothing behind its end */
	at = mmap(NULL, 2 * PAGE, PROT_READ, MAP_SHARED, pair.gpu, pinned.mmap_offset);
	must(at != MAP_FAILED);
	ok(mremap(at, 2 * PAGE, 16 * PAGE, MREMAP_MAYMOVE) == MAP_FAILED, "mmap: does not grow");
	munmap(at, PAGE);
	is(touch((char *)at + PAGE, false), 0, "mmap: the rest of a partial munmap stays");
	munmap((char *)at + PAGE, PAGE);
	must(!object_free(pair.gpu, pinned.handle));
	must(!object_free(pair.gpu, device.handle));
}

static void over_memlock(void *arg)
{
	struct rlimit limit = { 64 * KB, 64 * KB };
	struct __user_cap_header_struct head = { .version = _LINUX_CAPABILITY_VERSION_3 };
	struct __user_cap_data_struct data[2] = { { 0 } };
	struct softgpu_alloc alloc;

	(void)arg;
	must(!setrlimit(RLIMIT_MEMLOCK, &limit));
	must(!syscall(SYS_capset, &head, data));
	if (object_alloc(pair.gpu, PINNED, 128 * KB, 0, NULL) != -EPERM)
		_exit(1);
	if (object_alloc(pair.gpu, PINNED, 64 * KB, 0, &alloc))
		_exit(2);
	if (object_alloc(pair.gpu, PINNED, PAGE, 0, NULL) != -EPERM)
		_exit(3);
	if (object_free(pair.gpu, alloc.handle) ||
	    object_alloc(pair.gpu, PINNED, 64 * KB, 0, &alloc))
		_exit(4);
	_exit(object_free(pair.gpu, alloc.handle) ? 5 : 0);
}

static void test_memlock(void)
{
	is(in_child(over_memlock, NULL), 0, "memlock: RLIMIT_MEMLOCK holds, and is given back");
}

/* ---- limits, collisions, ends ----------------------------------------- */

static void test_collisions(void)
{
	uint64_t at = fresh_address(8 * MB);
	char *mine = map_managed(pair.uvm, at, MB);
	struct softgpu_alloc alloc;

	must(mine);
	must(!object_alloc(pair.gpu, DEVICE, MB, 0, &alloc));
	is(range_create(pair.uvm, at + MB - PAGE, MB), -EEXIST, "collision: over managed memory");
	is(range_create(pair.uvm, at + MB, MB), 0, "collision: beside it");
	is(range_create(pair.uvm, at + 2 * MB - PAGE, PAGE), -EEXIST, "collision: over external");
	ok(!map_managed(pair.uvm, at + 2 * MB - PAGE, 2 * PAGE) && errno == EEXIST,
	   "collision: managed over external");
	is(range_map(&pair, at, PAGE, alloc.handle, 0, 0), -ENOENT, "map: over managed memory");
	is(range_map(&pair, at + 2 * MB - PAGE, 2 * PAGE, alloc.handle, 0, 0), -ENOENT,
	   "map: past the range");
	is(range_map(&pair, at + MB, MB, alloc.handle, PAGE, 0), -EINVAL, "map: past the object");
	is(range_map(&pair, at + MB, MB, alloc.handle + 1, 0, 0), -ENOENT, "map: no such object");
	is(range_map(&pair, at + MB, 64 * KB, alloc.handle, 0, 0), 0, "map: a part");
	is(range_map(&pair, at + MB + 60 * KB, PAGE, alloc.handle, 0, 0), -EEXIST, "map: twice");
	is(range_map(&pair, at + MB + 64 * KB, PAGE, alloc.handle, 0, 0), 0, "map: beside");
	is(range_unmap(pair.uvm, at + MB, PAGE, 0), -EINVAL, "unmap: half of a map");
	is(range_unmap(pair.uvm, at + MB + 512 * KB, PAGE, 0), -ENOENT, "unmap: nothing there");
	is(range_unmap(pair.uvm, at, PAGE, 0), -ENOENT, "unmap: managed memory");
	is(range_unmap(pair.uvm, at + MB, PAGE, 3), -ENODEV, "unmap: of another GPU");
	is(range_unmap(pair.uvm, at + MB, MB, 0), 0, "unmap: two at once");
	is(range_free(pair.uvm, at + MB, PAGE), -ENOENT, "free: half a range");
	is(range_free(pair.uvm, at, MB), -ENOENT, "free: managed memory");
	is(migrate(pair.uvm, (void *)(at + MB), PAGE, 0), -EINVAL, "migrate: external memory");
	is(range_free(pair.uvm, at + MB, MB), 0, "free: the range");
	ok(map_managed(pair.uvm, at + MB, MB), "free: the addresses can be managed");
	munmap(mine, 2 * MB);
	must(!object_free(pair.gpu, alloc.handle));
}

static void test_bad_objects(void)
{
	struct softgpu_info info = gpu_info(pair.gpu);
	static const struct { uint32_t kind, flags; uint64_t bytes; long want; } rows[] = {
		{ DEVICE, 0, 0, -EINVAL },
		{ PINNED, 0, 0, -EINVAL },
		{ 2, 0, PAGE, -EINVAL },
		{ PINNED, SOFTGPU_ALLOC_CONTIGUOUS, PAGE, -EINVAL },
		{ DEVICE, 2, PAGE, -EOPNOTSUPP },
		{ DEVICE, 0, 1UL << 62, -ENOMEM },
		{ DEVICE, 0, UINT64_MAX, -EINVAL },
		{ PINNED, 0, 1UL << 50, -ENOMEM },
		{ PINNED, 0, UINT64_MAX, -EINVAL },
	};

	for (unsigned int i = 0; i < ARRAY_SIZE(rows); i++)
		is(object_alloc(pair.gpu, rows[i].kind, rows[i].bytes, rows[i].flags, NULL),
		   rows[i].want, "objects: row %u", i);
	is(object_alloc(pair.gpu, DEVICE, info.vram_bytes + PAGE, 0, NULL), -ENOMEM,
	   "objects: more than there is");
	is(object_free(pair.gpu, 0), -ENOENT, "objects: no such handle");
	is(range_create(pair.uvm, 1UL << 49, PAGE), -EINVAL, "objects: an address no GPU has");
	is(range_create(pair.uvm, 0 - 2 * PAGE, PAGE), -EINVAL, "objects: nor this");
}

/* Spans of ioctls that are no whole pages, wrap around, or name no GPU. */
static void test_spans(void)
{
	static const struct { uint64_t base, length, offset; int gpu; long map, unmap, range; } rows[] = {
		{ BLOCK, 0, 0, 0, -EINVAL, -EINVAL, -EINVAL },
		{ BLOCK + 8, PAGE, 0, 0, -EINVAL, -EINVAL, -EINVAL },
		{ BLOCK, 100, 0, 0, -EINVAL, -EINVAL, -EINVAL },
		{ BLOCK, 0 - BLOCK, 0, 0, -EINVAL, -EINVAL, -EINVAL },
		{ BLOCK, PAGE, 8, 0, -EINVAL, -ENOENT, 0 },
		{ BLOCK, PAGE, 0 - PAGE, 0, -EINVAL, -ENOENT, 0 },
		{ BLOCK, PAGE, 0, -1, -ENODEV, -ENODEV, 0 },
		{ BLOCK, PAGE, 0, 8, -ENODEV, -ENODEV, 0 },
		{ BLOCK, PAGE, 0, INT32_MAX, -ENODEV, -ENODEV, 0 },
	};
	struct softgpu_alloc alloc;

	must(!object_alloc(pair.gpu, DEVICE, BLOCK, 0, &alloc));
	for (unsigned int i = 0; i < ARRAY_SIZE(rows); i++) {
		struct uvm_map_external map = {
			.size = sizeof(map), .base = rows[i].base, .length = rows[i].length,
			.offset = rows[i].offset, .softgpu_fd = pair.gpu, .handle = alloc.handle,
			.gpu = rows[i].gpu,
		};

		is(try_ioctl(pair.uvm, UVM_IOC_MAP_EXTERNAL, &map), rows[i].map,
		   "spans: map, row %u", i);
		is(range_unmap(pair.uvm, rows[i].base, rows[i].length, rows[i].gpu), rows[i].unmap,
		   "spans: unmap, row %u", i);
		is(range_create(pair.uvm, rows[i].base, rows[i].length), rows[i].range,
		   "spans: create, row %u", i);
		is(range_free(pair.uvm, rows[i].base, rows[i].length), rows[i].range,
		   "spans: free, row %u", i);
	}
	for (int fd = -1; fd < 1; fd++) {
		struct uvm_map_external map = { .size = sizeof(map), .base = BLOCK, .length = PAGE,
						.softgpu_fd = fd, .handle = alloc.handle };

		is(try_ioctl(pair.uvm, UVM_IOC_MAP_EXTERNAL, &map), -EBADF, "spans: map, fd %d", fd);
	}
	must(!object_free(pair.gpu, alloc.handle));
}

/* Managed memory makes room, and comes back with its data (nvidia-uvm 4.5). */
static void test_evicts(void)
{
	const uint64_t pages = 16 * MB / PAGE;
	char *at = managed(pair.uvm, 16 * MB);
	struct softgpu_alloc alloc, more;
	struct uvm_stats stats;

	must(!vram_limit(pair.gpu, 16 * MB));
	must(!gpu_fill(&pair, at, pages, PAGE, 60));
	stats_read(pair.uvm, true);
	is(object_alloc(pair.gpu, DEVICE, 10 * MB, 0, &alloc), 0, "evicts: 10 of 16 MB");
	stats = stats_read(pair.uvm, true);
	ok(stats.bytes_dtoh_eviction >= 10 * MB - PAGE, "evicts: managed memory made room (%ld)",
	   (long)stats.bytes_dtoh_eviction);
	is(object_alloc(pair.gpu, DEVICE, 7 * MB, 0, &more), -ENOMEM,
	   "evicts: what is pinned stays");
	is(gpu_wrong(&pair, at, pages, PAGE, 60, false), 0, "evicts: the data is right");
	is(object_alloc(pair.gpu, DEVICE, 6 * MB, 0, &more), 0, "evicts: all there is");
	is(run_one(&pair, "t_store", (struct test_args){ .address = (uintptr_t)at }, NULL),
	   SOFTGPU_FAIL_NO_MEMORY, "evicts: then managed memory finds none");
	must(!object_free(pair.gpu, more.handle));
	is(gpu_wrong(&pair, at + PAGE, pages - 1, PAGE, 61, false), 0, "evicts: until some is freed");
	must(!object_free(pair.gpu, alloc.handle));
	is(object_alloc(pair.gpu, DEVICE, 6 * MB, SOFTGPU_ALLOC_CONTIGUOUS, &more), 0,
	   "evicts: contiguous");
	must(!object_free(pair.gpu, more.handle));
	munmap(at, 16 * MB);
	must(!vram_limit(pair.gpu, 0));
}

/* Who waits for a frame of which much is being made free ahead waits for the end of that. */
static void test_evicts_ahead(void)
{
	const uint64_t count = 256, stride = 64 * KB, part = count * stride;
	char *at;

	must(!vram_limit(pair.gpu, 32 * MB));
	must(!set_param(pair.uvm, "root_chunk_granularity", "4k"));
	must(!set_param(pair.uvm, "eviction_timing", "eager"));
	must(!set_param(pair.uvm, "eviction_policy", "random"));
	must(!set_param(pair.uvm, "perf_fault_batch_count", "1024"));
	at = managed(pair.uvm, 4 * part);
	for (unsigned int i = 0; i < 2; i++) {
		struct test_args args = { .address = (uintptr_t)at + i * part, .count = count,
					  .stride = stride, .value = i };
		struct softgpu_alloc alloc;
		struct softgpu_wait w;
		uint64_t id;

		/* all frames are in use, and the last batch took many units */
		must(!gpu_fill(&pair, at + (i ^ 1) * part, count, stride, i ^ 1));
		must(!gpu_fill(&pair, at + (i ^ 2) * part, count, stride, i ^ 2));
		must(!launch_shape(&pair, "t_fill", 64, 64, 0, &args, &id));
		is(object_alloc(pair.gpu, DEVICE, 8 * MB, SOFTGPU_ALLOC_CONTIGUOUS, &alloc), 0,
		   "evicts ahead: contiguous, beside launch %u", i);
		must(!launch_wait(pair.gpu, id, 0, &w));
		is(w.reason, 0, "evicts ahead: launch %u ends well", i);
		if (alloc.handle)
			must(!object_free(pair.gpu, alloc.handle));
	}
	for (unsigned int i = 0; i < 2; i++)
		is(gpu_wrong(&pair, at + i * part, count, stride, i, false), 0,
		   "evicts ahead: data of launch %u", i);
	munmap(at, 4 * part);
	must(!vram_limit(pair.gpu, 0));
}

/* Whatever is left is taken back, in every order of closing. */
static void test_ends(void)
{
	for (unsigned int order = 0; order < 4; order++) {
		long used = counter("pma_used");
		struct pair p = pair_open();
		struct object o[3];

		o[0] = object_make(&p, DEVICE, 3 * MB);
		o[1] = object_make(&p, PINNED, 3 * MB);
		o[2] = object_make(&p, DEVICE, PAGE);
		must(!gpu_fill(&p, (void *)o[0].gpu, 100, PAGE, 1));
		if (order == 1)
			must(!gpu_unregister(p.uvm, 0));
		if (order == 2)
			close(p.uvm);
		if (order == 3)
			close(p.gpu);
		if (order == 2)
			p.uvm = -1;
		if (order == 3)
			p.gpu = -1;
		is(touch(o[1].cpu, true), 0, "ends, order %u: pinned memory stays for the CPU",
		   order);
		munmap(o[1].cpu, 3 * MB);
		pair_close(&p);
		ok(counter("pma_used") <= used, "ends, order %u: all frames are free", order);
	}
}

static const struct test_case cases[] = {
	{ "device", test_device },
	{ "zeroed", test_zeroed },
	{ "beyond", test_beyond },
	{ "read-only", test_read_only },
	{ "offsets", test_offsets },
	{ "shared-tables", test_shared_tables },
	{ "pinned", test_pinned },
	{ "pinned-mmap", test_pinned_mmap },
	{ "memlock", test_memlock },
	{ "collisions", test_collisions },
	{ "bad-objects", test_bad_objects },
	{ "spans", test_spans },
	{ "evicts", test_evicts },
	{ "ends", test_ends },
};

/* It takes long: for itself. */
static const struct test_case ahead[] = {
	{ "evicts-ahead", test_evicts_ahead },
};

int main(int argc, char **argv)
{
	if (argc == 2 && !strcmp(argv[1], "evicts-ahead"))
		return run_cases(argc, argv, "explicit", ahead, ARRAY_SIZE(ahead));
	return run_cases(argc, argv, "explicit", cases, ARRAY_SIZE(cases));
}
