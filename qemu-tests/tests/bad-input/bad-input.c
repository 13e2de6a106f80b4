// SPDX-License-Identifier: GPL-2.0
/*
 * Bad input: mappings, spans and values of ioctls, objects, pins.  Each
 * has a clear errno, and leaves nothing behind.  Launches: bad_launch.c.
 */
#include "common.h"
#include <linux/io_uring.h>
#include <sys/syscall.h>
#include <sys/uio.h>

/* ---- mappings --------------------------------------------------------- */

static long try_map(uint64_t at, size_t bytes, int prot, int flags, uint64_t offset)
{
	void *got = mmap((void *)at, bytes, prot, flags | MAP_FIXED_NOREPLACE, pair.uvm, offset);

	if (got == MAP_FAILED)
		return -errno;
	munmap(got, bytes);
	return 0;
}

static void test_mmap(void)
{
	uint64_t at = fresh_address(4 * MB);
	const int rw = PROT_READ | PROT_WRITE;
	const struct {
		const char *what;
		uint64_t at, bytes, offset;
		int prot, flags;
		long want;
	} rows[] = {
		{ "shared, read and write, offset = address", at, 2 * MB, at, rw, MAP_SHARED, 0 },
		{ "one page", at + PAGE, PAGE, at + PAGE, rw, MAP_SHARED, 0 },
		{ "private", at, MB, at, rw, MAP_PRIVATE, -EINVAL },
		{ "read only", at, MB, at, PROT_READ, MAP_SHARED, -EINVAL },
		{ "write only", at, MB, at, PROT_WRITE, MAP_SHARED, -EINVAL },
		{ "no access", at, MB, at, PROT_NONE, MAP_SHARED, -EINVAL },
		{ "executable", at, MB, at, rw | PROT_EXEC, MAP_SHARED, -EINVAL },
		{ "offset 0", at, MB, 0, rw, MAP_SHARED, -EINVAL },
		{ "offset of the next page", at, MB, at + PAGE, rw, MAP_SHARED, -EINVAL },
		{ "offset not of a page", at, MB, at + 1, rw, MAP_SHARED, -EINVAL },
		{ "no length", at, 0, at, rw, MAP_SHARED, -EINVAL },
		{ "above the user's half", 0xffff800000000000, MB, 0xffff800000000000, rw,
		  MAP_SHARED, -ENOMEM },
	};

	for (unsigned int i = 0; i < ARRAY_SIZE(rows); i++)
		is(try_map(rows[i].at, rows[i].bytes, rows[i].prot, rows[i].flags, rows[i].offset),
		   rows[i].want, "mmap: %s", rows[i].what);
}

static void test_mmap_overlap(void)
{
	uint64_t at = fresh_address(4 * MB);
	char *base = map_managed(pair.uvm, at, 2 * MB), *over;

	must(base);
	cpu_fill(base, 512, PAGE, 7);
	is(try_map(at + MB, 2 * MB, PROT_READ | PROT_WRITE, MAP_SHARED, at + MB), -EEXIST,
	   "mmap: over the end of another is EEXIST");
	is(try_map(at, PAGE, PROT_READ | PROT_WRITE, MAP_SHARED, at), -EEXIST,
	   "mmap: inside another is EEXIST");
	is(cpu_wrong(base, 512, PAGE, 7, false), 0, "mmap: the other is whole");

	/* MAP_FIXED replaces: new pages are zero, the rest is as it was */
	over = mmap(base + 64 * KB, 64 * KB, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_FIXED,
		    pair.uvm, at + 64 * KB);
	ok(over == base + 64 * KB, "mmap: MAP_FIXED over the middle replaces it");
	is(gpu_wrong(&pair, base + 64 * KB, 16, PAGE, 0, true), 0, "mmap: replaced pages are zero");
	is(cpu_wrong(base, 16, PAGE, 7, false) + cpu_wrong(base + 128 * KB, 480, PAGE, 7 + 32, false),
	   0, "mmap: the rest keeps its data");
	/* A refused MAP_FIXED has unmapped what was there, as everywhere in Linux. */
	ok(mmap(base, 64 * KB, PROT_READ, MAP_SHARED | MAP_FIXED, pair.uvm, at) == MAP_FAILED &&
	   errno == EINVAL, "mmap: a bad one over a good one is EINVAL");
	munmap(base, 2 * MB);
}

static void map_in_child(void *at)
{
	void *got = mmap(at, PAGE, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_FIXED_NOREPLACE,
			 pair.uvm, (uintptr_t)at);

	_exit(got == MAP_FAILED ? errno : 0);
}

static void test_mprotect(void)
{
	char *at = managed(pair.uvm, 64 * KB);

	ok(mprotect(at, 64 * KB, PROT_READ | PROT_EXEC) && errno == EACCES,
	   "mprotect: PROT_EXEC is EACCES");
	ok(mprotect(at, PAGE, PROT_READ | PROT_WRITE | PROT_EXEC) && errno == EACCES,
	   "mprotect: PROT_EXEC of a part is EACCES");
	munmap(at, 64 * KB);
	is(in_child(map_in_child, (void *)fresh_address(PAGE)), EOPNOTSUPP,
	   "mmap: by another process than opened it is EOPNOTSUPP");
}

/* ---- spans of ioctls -------------------------------------------------- */

static long try_migrate(uint64_t at, uint64_t bytes, int dst)
{
	return migrate(pair.uvm, (void *)at, bytes, dst);
}

static long try_advise(uint64_t at, uint64_t bytes, uint32_t advice, int processor)
{
	return advise(pair.uvm, (void *)at, bytes, advice, processor, 0);
}

static long try_discard(uint64_t at, uint64_t bytes)
{
	struct uvm_discard arg = { .size = sizeof(arg), .base = at, .length = bytes };

	return try_ioctl(pair.uvm, UVM_IOC_DISCARD, &arg);
}

static long try_populate(uint64_t at, uint64_t bytes, int dst)
{
	struct uvm_populate arg = { .size = sizeof(arg), .base = at, .length = bytes, .dst = dst };

	return try_ioctl(pair.uvm, UVM_IOC_POPULATE, &arg);
}

static long try_group_set(uint64_t at, uint64_t bytes, uint64_t id)
{
	struct uvm_group_set arg = { .size = sizeof(arg), .base = at, .length = bytes, .id = id };

	return try_ioctl(pair.uvm, UVM_IOC_GROUP_SET, &arg);
}

static long try_evict(uint64_t at, uint64_t bytes, int gpu)
{
	struct uvm_evict arg = { .size = sizeof(arg), .base = at, .length = bytes, .gpu = gpu };

	return try_ioctl(pair.uvm, UVM_IOC_EVICT, &arg);
}

static long try_residency(uint64_t at, uint64_t bytes)
{
	struct uvm_residency arg = { .size = sizeof(arg), .base = at, .length = bytes };

	return try_ioctl(pair.uvm, UVM_IOC_RESIDENCY, &arg);
}

static long try_pattern(uint64_t at)
{
	struct uvm_get_pattern arg = { .size = sizeof(arg), .address = at };

	return try_ioctl(pair.uvm, UVM_IOC_PATTERN, &arg);
}

static long try_validate(uint64_t at, uint64_t bytes)
{
	struct uvm_validate_range arg = { .size = sizeof(arg), .base = at, .length = bytes };

	return try_ioctl(pair.uvm, UVM_IOC_VALIDATE_RANGE, &arg);
}

/* A span is checked alike wherever it is given; so is a processor. */
static void test_span(const char *what, uint64_t at, uint64_t bytes, int dst, long migrate,
		      long advise)
{
	bool span = dst == 0;

	is(try_migrate(at, bytes, dst), migrate, "migrate: %s", what);
	is(try_populate(at, bytes, dst), migrate, "populate: %s", what);
	is(try_advise(at, bytes, UVM_ADVICE_PREFERRED_LOCATION, dst), advise, "advise: %s", what);
	is(try_advise(at, bytes, UVM_ADVICE_ACCESSED_BY, dst), migrate, "accessed-by: %s", what);
	if (!span)
		return;
	is(try_advise(at, bytes, UVM_ADVICE_READ_DUPLICATE, UVM_PROCESSOR_NONE), migrate,
	   "read-duplicate: %s", what);
	is(try_discard(at, bytes), migrate, "discard: %s", what);
	is(try_evict(at, bytes, 0), migrate, "evict: %s", what);
	is(try_residency(at, bytes), bytes > UVM_RESIDENCY_PAGES * PAGE ? -EINVAL : migrate,
	   "residency: %s", what);
	is(try_group_set(at, bytes, 0), migrate, "group: %s", what);
}

static void test_advice_flags(uint64_t base)
{
	void *at = (void *)base;

	is(advise(pair.uvm, at, MB, UVM_ADVICE_PREFERRED_LOCATION, UVM_PROCESSOR_NONE,
		  UVM_ADVISE_UNSET), -EINVAL, "advise: preferred location is unset by NONE alone");
	is(advise(pair.uvm, at, MB, UVM_ADVICE_ACCESSED_BY, UVM_PROCESSOR_NONE, 0), -EINVAL,
	   "advise: accessed by nobody");
	is(advise(pair.uvm, at, MB, UVM_ADVICE_ACCESSED_BY, UVM_PROCESSOR_NONE, UVM_ADVISE_UNSET),
	   0, "advise: no more accessed by anybody");
	is(advise(pair.uvm, at, MB, UVM_ADVICE_ACCESSED_BY, 1, UVM_ADVISE_UNSET), -ENODEV,
	   "advise: no more accessed by a GPU that is not registered");
	is(advise(pair.uvm, at, MB, UVM_ADVICE_READ_DUPLICATE, 0, 0), -EINVAL,
	   "advise: read duplication is of no processor");
	is(advise(pair.uvm, at, MB, UVM_ADVICE_READ_DUPLICATE, UVM_PROCESSOR_NONE, 2),
	   -EOPNOTSUPP, "advise: unknown flag");
	is(try_group_set(base, MB, 1), -ENOENT, "group: unknown");
}

static void test_group_counts(void)
{
	static const struct {
		uint32_t count;
		long want;
	} rows[] = {
		{ 0, -EINVAL }, { UVM_GROUP_IDS + 1, -EINVAL }, { UINT32_MAX, -EINVAL },
		{ 1, -ENOENT }, { UVM_GROUP_IDS, -ENOENT },
	};

	for (unsigned int i = 0; i < ARRAY_SIZE(rows); i++) {
		struct uvm_group_migration arg = { .size = sizeof(arg), .count = rows[i].count };

		is(try_ioctl(pair.uvm, UVM_IOC_GROUP_MIGRATION, &arg), rows[i].want,
		   "group migration: %u ids", rows[i].count);
	}
}

/* Of a span that is well formed it is told whether it lies in one range, and no more. */
static void test_looking(uint64_t at)
{
	is(try_residency(at, UVM_RESIDENCY_PAGES * PAGE), 0, "residency: as much as there can be");
	is(try_residency(at, (UVM_RESIDENCY_PAGES + 1) * PAGE), -EINVAL, "residency: a page more");
	is(try_pattern(at + MB - 1), -ENOENT, "pattern: no policy looks at it");
	is(try_pattern(at - 1), -EINVAL, "pattern: before the start");
	is(try_pattern(0xffff888000000000), -EINVAL, "pattern: a kernel address");
	is(try_pattern(UINT64_MAX), -EINVAL, "pattern: the last address");
	is(try_evict(at, PAGE, UVM_PROCESSOR_CPU), -ENODEV, "evict: from the CPU");
	is(try_evict(at, PAGE, 1), -ENODEV, "evict: from a GPU that is not registered");
	is(try_evict(at, PAGE, INT32_MAX), -ENODEV, "evict: from GPU 2^31 - 1");
	is(try_validate(at, MB), 0, "validate: a range");
	is(try_validate(at + PAGE, PAGE), 0, "validate: a part of one");
	is(try_validate(at, MB + PAGE), -ENOENT, "validate: beyond the end");
	is(try_validate(at - PAGE, 2 * PAGE), -ENOENT, "validate: before the start");
	is(try_validate(0xffff888000000000, PAGE), -ENOENT, "validate: a kernel address");
	is(try_validate(at + 8, PAGE), -EINVAL, "validate: base not of a page");
	is(try_validate(at, 0), -EINVAL, "validate: no length");
	is(try_validate(at, -at), -EINVAL, "validate: wraps around");
	is(try_advise(at, MB / 2, UVM_ADVICE_PREFERRED_LOCATION, UVM_PROCESSOR_CPU), 0,
	   "validate: advice for one half");
	is(try_validate(at, MB), -ENOENT, "validate: two ranges, one advised");
	is(try_validate(at, MB / 2), 0, "validate: the one");
}

static void test_spans(void)
{
	uint64_t at = (uintptr_t)managed(pair.uvm, MB);
	const struct {
		const char *what;
		uint64_t at, bytes;
		int dst;
		long migrate, advise;
	} rows[] = {
		{ "all of a range", at, MB, 0, 0, 0 },
		{ "no length", at, 0, 0, -EINVAL, -EINVAL },
		{ "base not of a page", at + 8, PAGE, 0, -EINVAL, -EINVAL },
		{ "length not of pages", at, 100, 0, -EINVAL, -EINVAL },
		{ "beyond the end", at, MB + PAGE, 0, -EINVAL, -EINVAL },
		{ "before the start", at - PAGE, 2 * PAGE, 0, -EINVAL, -EINVAL },
		{ "wraps around", at, -at, 0, -EINVAL, -EINVAL },
		{ "wraps around behind itself", at, -PAGE, 0, -EINVAL, -EINVAL },
		{ "nothing managed", PAGE, PAGE, 0, -EINVAL, -EINVAL },
		{ "a kernel address", 0xffff888000000000, PAGE, 0, -EINVAL, -EINVAL },
		{ "a GPU that is not registered", at, MB, 1, -ENODEV, -ENODEV },
		{ "GPU 32", at, MB, 32, -ENODEV, -ENODEV },
		{ "GPU 2^31 - 1", at, MB, INT32_MAX, -ENODEV, -ENODEV },
		{ "the CPU", at, MB, UVM_PROCESSOR_CPU, 0, 0 },
		{ "no processor", at, MB, UVM_PROCESSOR_NONE, -EINVAL, 0 },
		{ "processor -3", at, MB, -3, -EINVAL, -EINVAL },
		{ "processor -2^31", at, MB, INT32_MIN, -EINVAL, -EINVAL },
	};

	for (unsigned int i = 0; i < ARRAY_SIZE(rows); i++)
		test_span(rows[i].what, rows[i].at, rows[i].bytes, rows[i].dst, rows[i].migrate,
			  rows[i].advise);
	test_advice_flags(at);
	test_group_counts();
	test_looking(at);
	is(try_advise(at, MB, 0, 0), -EINVAL, "advise: 0");
	is(try_advise(at, MB, 99, 0), -EINVAL, "advise: 99");
	munmap((void *)at, MB);
}

static void test_values(void)
{
	static const struct {
		const char *name, *value;
		long want;
	} rows[] = {
		{ "perf_prefetch_threshold", "100", 0 },
		{ "perf_prefetch_threshold", "101", -EINVAL },
		{ "perf_prefetch_threshold", "-1", -EINVAL },
		{ "perf_prefetch_threshold", "", -EINVAL },
		{ "perf_prefetch_threshold", "51 ", -EINVAL },
		{ "perf_prefetch_threshold", "0x33", -EINVAL },
		{ "perf_prefetch_threshold", "4294967347", -EINVAL },
		{ "perf_prefetch_threshold", "51", 0 },
		{ "perf_fault_batch_count", "0", -EINVAL },
		{ "replay_policy", "nonsense", -EINVAL },
		{ "replay_policy", "batch", 0 },
		{ "replay_policy", "batch_flush", 0 },
		{ "eviction_policy", "LRU", -EINVAL },
		{ "eviction_policy", "access", -EINVAL },
		{ "eviction_policy", "accessed", 0 },
		{ "eviction_policy", "lru", 0 },
		{ "prefetch_policy", "adaptive ", -EINVAL },
		{ "prefetch_policy", "adaptive", 0 },
		{ "prefetch_policy", "tree", 0 },
		{ "perf_prefetch_threshold_min", "101", -EINVAL },
		{ "perf_prefetch_threshold_min", "0", 0 },
		{ "perf_prefetch_threshold_min", "1", 0 },
		{ "", "1", -ENOENT },
		{ "nonsense", "1", -ENOENT },
	};
	struct uvm_set_param full = { .size = sizeof(full) };
	struct uvm_get_param get = { .size = sizeof(get), .index = 10000 };
	struct softgpu_profile_entry profile = { .size = sizeof(profile), .index = UINT32_MAX };

	for (unsigned int i = 0; i < ARRAY_SIZE(rows); i++)
		is(set_param(pair.uvm, rows[i].name, rows[i].value), rows[i].want,
		   "set: %s=%s", rows[i].name, rows[i].value);
	memset(full.name, 'a', sizeof(full.name));
	is(try_ioctl(pair.uvm, UVM_IOC_SET_PARAM, &full), -EINVAL, "set: a name without end");
	memset(full.name, 0, sizeof(full.name));
	memset(full.value, '1', sizeof(full.value));
	strcpy(full.name, "perf_prefetch_threshold");
	is(try_ioctl(pair.uvm, UVM_IOC_SET_PARAM, &full), -EINVAL, "set: a value without end");
	is(try_ioctl(pair.uvm, UVM_IOC_GET_PARAM, &get), -ENOENT, "get: behind the last");
	is(try_ioctl(pair.gpu, SOFTGPU_IOC_PROFILE, &profile), -ENOENT, "profile: behind the last");
}

static long try_counters(int gpu, uint32_t enable, uint64_t granularity, uint32_t threshold)
{
	struct uvm_config_access_counters arg = {
		.size = sizeof(arg), .gpu = gpu, .enable = enable, .granularity = granularity,
		.threshold = threshold,
	};

	return try_ioctl(pair.uvm, UVM_IOC_CONFIG_ACCESS_COUNTERS, &arg);
}

static long try_clear_counters(int gpu)
{
	struct uvm_clear_access_counters arg = { .size = sizeof(arg), .gpu = gpu };

	return try_ioctl(pair.uvm, UVM_IOC_CLEAR_ACCESS_COUNTERS, &arg);
}

static void test_access_counters(void)
{
	static const struct {
		const char *what;
		int gpu;
		uint32_t enable;
		uint64_t granularity;
		uint32_t threshold;
		long want;
	} rows[] = {
		{ "on", 0, 1, 0, 0, 0 },
		{ "64K", 0, 1, 64 * KB, 1, 0 },
		{ "16G", 0, 1, 16UL << 30, 65535, 0 },
		{ "4K", 0, 1, 4 * KB, 1, -EINVAL },
		{ "no power of two", 0, 1, 2 * MB + 1, 1, -EINVAL },
		{ "2^64 - 1", 0, 1, UINT64_MAX, 1, -EINVAL },
		{ "threshold 65536", 0, 1, 2 * MB, 65536, -EINVAL },
		{ "threshold 2^32 - 1", 0, 1, 2 * MB, UINT32_MAX, -EINVAL },
		{ "enable 2", 0, 2, 2 * MB, 1, -EINVAL },
		{ "a GPU that is not registered", 1, 1, 2 * MB, 1, -ENODEV },
		{ "GPU 8", 8, 1, 2 * MB, 1, -ENODEV },
		{ "GPU 2^31 - 1", INT32_MAX, 1, 2 * MB, 1, -ENODEV },
		{ "the CPU", UVM_PROCESSOR_CPU, 1, 2 * MB, 1, -ENODEV },
		{ "processor -2^31", INT32_MIN, 1, 2 * MB, 1, -ENODEV },
		{ "off", 0, 0, 0, 0, 0 },
	};

	for (unsigned int i = 0; i < ARRAY_SIZE(rows); i++)
		is(try_counters(rows[i].gpu, rows[i].enable, rows[i].granularity,
				rows[i].threshold), rows[i].want, "counters: %s", rows[i].what);
	is(try_clear_counters(0), 0, "clear counters: GPU 0");
	is(try_clear_counters(UVM_PROCESSOR_NONE), 0, "clear counters: of all GPUs");
	is(try_clear_counters(UVM_PROCESSOR_CPU), -ENODEV, "clear counters: the CPU");
	is(try_clear_counters(1), -ENODEV, "clear counters: a GPU that is not registered");
	is(try_clear_counters(INT32_MAX), -ENODEV, "clear counters: GPU 2^31 - 1");
	is(set_param(pair.uvm, "perf_access_counter_migration_enable", "-2"), -EINVAL,
	   "set: perf_access_counter_migration_enable=-2");
	is(set_param(pair.uvm, "perf_access_counter_threshold", "0"), -EINVAL,
	   "set: perf_access_counter_threshold=0");
}

static void test_peers(void)
{
	static const struct {
		const char *what;
		int a, b;
		long want;
	} rows[] = {
		{ "a GPU and itself", 0, 0, -EINVAL },
		{ "a GPU that is not registered", 0, 1, -ENODEV },
		{ "GPU 8", 0, 8, -ENODEV },
		{ "GPU 2^31 - 1", INT32_MAX, 0, -ENODEV },
		{ "the CPU", 0, UVM_PROCESSOR_CPU, -ENODEV },
		{ "no processor", UVM_PROCESSOR_NONE, 0, -ENODEV },
		{ "processor -2^31", 0, INT32_MIN, -ENODEV },
	};

	for (unsigned int i = 0; i < ARRAY_SIZE(rows); i++) {
		struct uvm_peer_access arg = { .size = sizeof(arg), .gpu_a = rows[i].a,
					       .gpu_b = rows[i].b };

		is(try_ioctl(pair.uvm, UVM_IOC_ENABLE_PEER_ACCESS, &arg), rows[i].want,
		   "enable peers: %s", rows[i].what);
		is(try_ioctl(pair.uvm, UVM_IOC_DISABLE_PEER_ACCESS, &arg), rows[i].want,
		   "disable peers: %s", rows[i].what);
	}
}

static void test_objects(void)
{
	struct softgpu_vram_limit limit = { .size = sizeof(limit), .bytes = 1UL << 50 };
	struct uvm_tools_gpu_stats stats = { .size = sizeof(stats), .gpu = 5 };
	struct uvm_tools_attach attach = { .size = sizeof(attach), .uvm_fd = pair.uvm,
					   .entries = 64, .event_mask = 2 };
	struct softgpu_unload unload = { .size = sizeof(unload), .image_id = 999 };
	struct uvm_wait fence = { .size = sizeof(fence), .fence = 1UL << 40 };
	int tools = open("/dev/uvm-tools", O_RDWR);
	struct softgpu_wait w;

	is(try_ioctl(pair.gpu, SOFTGPU_IOC_UNLOAD, &unload), -ENOENT, "unload: no such image");
	is(launch_wait(pair.gpu, 0, 0, &w), -ENOENT, "wait: launch 0");
	is(launch_wait(pair.gpu, 1UL << 40, 0, &w), -ENOENT, "wait: no such launch");
	is(launch_wait(pair.gpu, UINT64_MAX, SOFTGPU_WAIT_POLL, &w), -ENOENT,
	   "poll: no such launch");
	ok(try_ioctl(pair.uvm, UVM_IOC_WAIT, &fence) < 0, "wait: no such fence");
	is(try_ioctl(pair.gpu, SOFTGPU_IOC_VRAM_LIMIT, &limit), -EINVAL, "limit: 2^50 bytes");
	is(gpu_register(pair.uvm, -1), -EBADF, "register: fd -1");
	is(gpu_register(pair.uvm, 0), -EBADF, "register: a file that is no GPU");
	is(gpu_register(pair.uvm, pair.uvm), -EBADF, "register: a VA space");
	is(gpu_register(pair.uvm, pair.gpu), -EBUSY, "register: twice");
	is(gpu_unregister(pair.uvm, 1), -ENODEV, "unregister: a GPU that is not there");
	is(gpu_unregister(pair.uvm, -1), -ENODEV, "unregister: the CPU");
	is(gpu_unregister(pair.uvm, INT32_MAX), -ENODEV, "unregister: GPU 2^31 - 1");
	is(try_ioctl(tools, UVM_TOOLS_IOC_GPU_STATS, &stats), -ENODEV, "gpu stats: GPU 5");
	stats.gpu = -1;
	is(try_ioctl(tools, UVM_TOOLS_IOC_GPU_STATS, &stats), -ENODEV, "gpu stats: the CPU");

	struct uvm_tools_threshold threshold = { .size = sizeof(threshold), .entries = 1 };
	struct uvm_tools_events events = { .size = sizeof(events), .event_mask = 2 };
	struct uvm_tools_flush flush = { .size = sizeof(flush) };

	is(try_ioctl(tools, UVM_TOOLS_IOC_THRESHOLD, &threshold), -ENOTCONN,
	   "threshold: not attached");
	is(try_ioctl(tools, UVM_TOOLS_IOC_ENABLE, &events), -ENOTCONN, "enable: not attached");
	is(try_ioctl(tools, UVM_TOOLS_IOC_DISABLE, &events), -ENOTCONN, "disable: not attached");
	is(try_ioctl(tools, UVM_TOOLS_IOC_FLUSH, &flush), -ENOTCONN, "flush: not attached");
	events.event_mask = 1;
	is(try_ioctl(tools, UVM_TOOLS_IOC_ENABLE, &events), -EINVAL, "enable: type 0");
	events.event_mask = 1UL << UVM_EVENT_COUNT;
	is(try_ioctl(tools, UVM_TOOLS_IOC_DISABLE, &events), -EINVAL, "disable: no such type");

	static const struct { int fd; int processor; long want; } counters[] = {
		{ -1, -2, -ENODEV }, { -1, -3, -ENODEV }, { -1, 5, -ENODEV }, { -1, 100, -ENODEV },
		{ -1, INT32_MAX, -ENODEV }, { -2, -1, -EBADF }, { 0, -1, -EBADF },
		{ 1000, 0, -EBADF }, { -1, -1, 0 }, { -1, 0, 0 },
	};
	for (unsigned int i = 0; i < ARRAY_SIZE(counters); i++) {
		struct uvm_tools_counters c = { .size = sizeof(c), .uvm_fd = counters[i].fd,
						.processor = counters[i].processor };

		is(try_ioctl(tools, UVM_TOOLS_IOC_COUNTERS, &c), counters[i].want,
		   "counters: file %d, processor %d", counters[i].fd, counters[i].processor);
	}

	static const struct { int entries; uint64_t mask; } timelines[] = {
		{ 0, 4 }, { 32, 4 }, { 65, 4 }, { 1 << 21, 4 }, { 64, 0 }, { 64, 1 }, { 64, 2 },
		{ 64, 1UL << SOFTGPU_TIMELINE_COUNT }, { 64, 1UL << 63 },
	};
	for (unsigned int i = 0; i < ARRAY_SIZE(timelines); i++) {
		struct softgpu_timeline t = { .size = sizeof(t), .entries = timelines[i].entries,
					      .mask = timelines[i].mask };

		is(try_ioctl(pair.gpu, SOFTGPU_IOC_TIMELINE, &t), -EINVAL,
		   "timeline: %d entries, mask %#lx", timelines[i].entries,
		   (long)timelines[i].mask);
	}

	static const struct { int entries; uint64_t mask; } bad[] = {
		{ 0, 2 }, { 32, 2 }, { 65, 2 }, { 1 << 21, 2 }, { 64, 0 }, { 64, 1UL << 63 },
	};
	for (unsigned int i = 0; i < ARRAY_SIZE(bad); i++) {
		attach.entries = bad[i].entries;
		attach.event_mask = bad[i].mask;
		is(try_ioctl(tools, UVM_TOOLS_IOC_ATTACH, &attach), -EINVAL,
		   "attach: %d entries, mask %#lx", bad[i].entries, (long)bad[i].mask);
	}
	attach.entries = 64;
	attach.event_mask = 2;
	attach.uvm_fd = -1;
	is(try_ioctl(tools, UVM_TOOLS_IOC_ATTACH, &attach), -EBADF, "attach: fd -1");
	attach.uvm_fd = pair.gpu;
	is(try_ioctl(tools, UVM_TOOLS_IOC_ATTACH, &attach), -EBADF, "attach: a GPU");
	attach.uvm_fd = pair.uvm;
	is(try_ioctl(tools, UVM_TOOLS_IOC_ATTACH, &attach), 0, "attach: good");
	is(try_ioctl(tools, UVM_TOOLS_IOC_ATTACH, &attach), -EBUSY, "attach: twice");
	close(tools);
}

/* ---- use after close -------------------------------------------------- */

static void test_after_close(void)
{
	struct pair p = pair_open();
	char *at = managed(p.uvm, BLOCK);
	struct softgpu_wait w;
	uint64_t id;

	must(!gpu_fill(&p, at, 512, PAGE, 77));
	must(!launch_shape(&p, "t_spin", 2, 32, 0, NULL, &id));
	is(gpu_unregister(p.uvm, 0), 0, "after unregister: it works");
	is(launch_wait(p.gpu, id, 0, &w), 0, "after unregister: wait returns");
	is(w.reason, SOFTGPU_FAIL_CANCELLED, "after unregister: its launch was cancelled");
	is(w.error, ECANCELED, "after unregister: ECANCELED");
	is(launch_shape(&p, "t_nop", 1, 1, 0, NULL, &id), -ENODEV,
	   "after unregister: no more launches");
	is(cpu_wrong(at, 512, PAGE, 77, false), 0, "after unregister: the data came home");
	is(migrate(p.uvm, at, BLOCK, 0), -ENODEV, "after unregister: no migration to it");
	close(p.gpu);
	is(cpu_wrong(at, 512, PAGE, 77, false), 0, "after close of the GPU: the data is there");
	close(p.uvm);
	is(cpu_wrong(at, 512, PAGE, 77, false), 0,
	   "after close of the VA space: the mapping keeps the data");
	cpu_fill(at, 512, PAGE, 78);
	is(cpu_wrong(at, 512, PAGE, 78, false), 0, "after close of the VA space: and is writable");
	munmap(at, BLOCK);
}

/* ---- pins, read and write --------------------------------------------- */

/* Buffers of io_uring are pinned for good, as those of RDMA and VFIO are. */
static void test_long_pin(void *at)
{
	struct io_uring_params params = { 0 };
	struct iovec iov = { .iov_base = at, .iov_len = 64 * KB };
	int ring = syscall(SYS_io_uring_setup, 2, &params);
	long ret;

	if (ring < 0) {
		printf("ok %d pins: io_uring # SKIP this kernel has none\n", ++tap_tests);
		return;
	}
	ret = syscall(SYS_io_uring_register, ring, IORING_REGISTER_BUFFERS, &iov, 1);
	is(ret < 0 ? -errno : 0, -EFAULT, "pins: a registered buffer of io_uring is EFAULT");
	close(ring);
}

/* A file system on tmpfs takes O_DIRECT and copies all the same; a disk pins. */
static void test_direct(char *at)
{
	int disk = open("/dev/nvme0n1", O_RDWR | O_DIRECT);
	char *plain = aligned_alloc(PAGE, 64 * KB);

	if (disk < 0) {
		printf("ok %d pins: O_DIRECT # SKIP this VM has no disk\n", ++tap_tests);
		free(plain);
		return;
	}
	memset(plain, 7, 64 * KB);
	is(pwrite(disk, plain, 64 * KB, 0), 64 * KB, "pins: O_DIRECT of other memory works");
	memset(at, 5, 64 * KB);
	must(!migrate(pair.uvm, at, 64 * KB, 0));
	is(pread(disk, at, 64 * KB, 0), 64 * KB, "pins: O_DIRECT read into managed memory");
	is(gpu_wrong(&pair, at, 16, PAGE, 0x0707070707070707, true), 0, "pins: what it read");
	must(!gpu_fill(&pair, at, 16, PAGE, 9));
	is(pwrite(disk, at, 64 * KB, 0), 64 * KB, "pins: O_DIRECT write from managed memory");
	memset(plain, 0, 64 * KB);
	is(pread(disk, plain, 64 * KB, 0), 64 * KB, "pins: the disk can be read");
	is(cpu_wrong(plain, 16, PAGE, 9, false), 0, "pins: what it wrote");
	close(disk);
	free(plain);
}

/*
 * Until it ends: /dev/zero gives less where task work waits for the reader, as that of the ring
 * closed above does, whenever a worker of the kernel comes to it.
 */
static ssize_t read_whole(int file, char *to, size_t size)
{
	size_t done = 0;
	ssize_t n;

	while (done < size && (n = read(file, to + done, size - done)) > 0)
		done += n;
	return done;
}

static void test_pins(void)
{
	char *at = managed(pair.uvm, BLOCK), *plain = malloc(64 * KB);
	int file = open("plain.data", O_RDWR | O_CREAT | O_TRUNC, 0600);
	int zero = open("/dev/zero", O_RDONLY);

	must(plain && file >= 0 && zero >= 0);
	for (unsigned int i = 0; i < 64 * KB; i++)
		plain[i] = i * 7 + i / 251;
	must(pwrite(file, plain, 64 * KB, 0) == 64 * KB);

	test_direct(at);
	test_long_pin(at);

	must(!gpu_fill(&pair, at, 16, PAGE, 1));
	is(pread(file, at, 64 * KB, 0), 64 * KB, "read(2) into pages on the GPU");
	ok(!memcmp(at, plain, 64 * KB), "read(2): the data is right");
	is(gpu_wrong(&pair, at, 1, PAGE, *(uint64_t *)plain, false), 0, "read(2): the GPU sees it");
	is(pwrite(file, at, 64 * KB, 64 * KB), 64 * KB, "write(2) from pages on the GPU");
	memset(plain, 0, 64 * KB);
	must(pread(file, plain, 64 * KB, 64 * KB) == 64 * KB);
	ok(!memcmp(at, plain, 64 * KB), "write(2): the data is right");
	must(!gpu_fill(&pair, at + MB, 16, PAGE, 1));
	is(read_whole(zero, at + MB, 64 * KB), 64 * KB, "read(2) of /dev/zero into pages on the GPU");
	is(gpu_wrong(&pair, at + MB, 16, PAGE, 0, true), 0, "read(2) of /dev/zero: all zero");
	is(read_whole(zero, at + BLOCK - 4 * KB, 8 * KB), 4 * KB, "read(2) stops at the end of the range");

	close(file);
	close(zero);
	unlink("plain.data");
	free(plain);
	munmap(at, BLOCK);
}

/* ---- ioctl structs in managed memory ---------------------------------- */

static void test_struct_in_managed(void)
{
	char *at = managed(pair.uvm, BLOCK);
	struct uvm_stats *stats = (void *)(at + PAGE - 64);
	struct softgpu_launch *l = (void *)(at + 8 * PAGE - 32);
	struct softgpu_wait *w = (void *)(at + 64 * PAGE);

	must(!gpu_fill(&pair, at, 512, PAGE, 0));
	stats->size = sizeof(*stats);
	stats->flags = 0;
	must(!migrate(pair.uvm, at, BLOCK, 0));
	is(try_ioctl(pair.uvm, UVM_IOC_STATS, stats), 0, "a struct may lie in managed memory on the GPU");
	ok(stats->faults_fetched > 0, "and is written there");
	*l = (struct softgpu_launch){
		.size = sizeof(*l), .image_id = pair.image, .grid = { 1, 1, 1 },
		.block = { 1, 1, 1 }, .entry = "t_nop",
	};
	must(!migrate(pair.uvm, at, BLOCK, 0));
	is(try_ioctl(pair.gpu, SOFTGPU_IOC_LAUNCH, l), 0, "so may that of a launch");
	*w = (struct softgpu_wait){ .size = sizeof(*w), .launch_id = l->launch_id };
	must(!migrate(pair.uvm, at, BLOCK, 0));
	is(try_ioctl(pair.gpu, SOFTGPU_IOC_WAIT, w), 0, "and of a wait");
	is(w->state, SOFTGPU_LAUNCH_DONE, "which says that it is done");
	munmap(at, BLOCK);
}

static int lowest_free_fd(void)
{
	int fd = dup(pair.gpu);

	close(fd);
	return fd;
}

/* A timeline that its owner could not be told of would stop the clock for ever. */
static void test_timeline_untold(void)
{
	struct softgpu_timeline *t = mmap(NULL, PAGE, PROT_READ | PROT_WRITE,
					  MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	int fd = lowest_free_fd();

	must(t != MAP_FAILED);
	*t = (struct softgpu_timeline){ .size = sizeof(*t), .entries = 64,
					.mask = 1 << SOFTGPU_TIMELINE_COPY };
	must(!mprotect(t, PAGE, PROT_READ));
	is(try_ioctl(pair.gpu, SOFTGPU_IOC_TIMELINE, t), -EFAULT, "timeline: into read-only memory");
	is(lowest_free_fd(), fd, "timeline: no file that nobody knows of");
	must(!mprotect(t, PAGE, PROT_READ | PROT_WRITE));
	is(try_ioctl(pair.gpu, SOFTGPU_IOC_TIMELINE, t), 0, "timeline: told");
	is(t->fd, fd, "timeline: the file is there");
	is(close(t->fd), 0, "timeline: and can be closed");
	munmap(t, PAGE);
}

static const struct test_case cases[] = {
	{ "mmap", test_mmap }, { "overlap", test_mmap_overlap }, { "mprotect", test_mprotect },
	{ "spans", test_spans }, { "values", test_values }, { "counters", test_access_counters },
	{ "peers", test_peers }, { "objects", test_objects }, { "after-close", test_after_close },
	{ "pins", test_pins }, { "struct", test_struct_in_managed },
	{ "timeline", test_timeline_untold },
};

int main(int argc, char **argv)
{
	return run_cases(argc, argv, "bad input", cases, ARRAY_SIZE(cases));
}
