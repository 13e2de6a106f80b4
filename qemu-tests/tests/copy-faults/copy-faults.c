// SPDX-License-Identifier: GPL-2.0
/*
 * Copies of users by virtual addresses, the faults of copy engines, channels that
 * die of them, and channels that die of hardware (nvidia-uvm 2.11).
 *
 *   copy-faults		copies and their faults
 *   copy-faults dead-channel N	the driver's channels break at the N-th method from now:
 *				no hang, an error
 *   copy-faults dead-frames	who gets the memory of a GPU whose channels are dead
 *   copy-faults dead-counter	they break while an access waits for its counter: no hang
 *   copy-faults dead-copy	they break while a copy waits for its fault: no hang
 */
#include "explicit.h"

#define HTOD	SOFTGPU_COPY_HTOD
#define DTOH	SOFTGPU_COPY_DTOH
#define DTOD	SOFTGPU_COPY_DTOD

static const char * const direction_names[] = { "HtoD", "DtoH", "DtoD" };

/* Some operand: pinned, device or managed memory at a GPU address. */
enum place { AT_PINNED, AT_DEVICE, AT_MANAGED, PLACES };

static const char * const place_names[] = { "pinned", "device", "managed" };
static struct object objects[2];	/* pinned, device */
static char *heap;

static uint64_t place_address(enum place place)
{
	return place == AT_MANAGED ? (uintptr_t)heap : objects[place].gpu;
}

/* Word i = value + i, wherever it is. */
static void place_fill(enum place place, uint64_t bytes, uint64_t value)
{
	must(!gpu_fill(&pair, (void *)place_address(place), bytes / 8, 8, value));
}

static long place_wrong(enum place place, uint64_t offset, uint64_t bytes, uint64_t value)
{
	return gpu_wrong(&pair, (void *)(place_address(place) + offset), bytes / 8, 8, value,
			 false);
}

static void places_make(uint64_t bytes)
{
	objects[0] = object_make(&pair, PINNED, bytes);
	objects[1] = object_make(&pair, DEVICE, bytes);
	heap = managed(pair.uvm, bytes);
}

static void places_end(uint64_t bytes)
{
	object_end(&pair, &objects[0]);
	object_end(&pair, &objects[1]);
	munmap(heap, bytes);
}

/* ---- data ------------------------------------------------------------- */

static void test_places(void)
{
	static const struct { uint64_t src, dst, bytes; } spans[] = {
		{ 0, 0, PAGE }, { 8, 0, 8 }, { 4088, 16, 64 * KB }, { 0, 8, 2 * MB + 72 },
	};
	const uint64_t bytes = 3 * MB;

	places_make(bytes);
	for (enum place from = 0; from < PLACES; from++) {
		for (enum place to = 0; to < PLACES; to++) {
			uint32_t direction = to == AT_PINNED ? DTOH : from == AT_PINNED ? HTOD : DTOD;
			long bad = 0, failed = 0;

			if (from == to)
				continue;
			for (unsigned int i = 0; i < ARRAY_SIZE(spans); i++) {
				uint64_t value = 1000000 * (1 + from) + i;

				place_fill(from, bytes, value);
				place_fill(to, bytes, 7);
				failed += copy(pair.gpu, place_address(to) + spans[i].dst,
					       place_address(from) + spans[i].src, spans[i].bytes,
					       direction, NULL) != 0;
				bad += place_wrong(to, spans[i].dst, spans[i].bytes,
						   value + spans[i].src / 8);
				bad += place_wrong(to, spans[i].dst + spans[i].bytes, 8 * KB,
						   7 + (spans[i].dst + spans[i].bytes) / 8);
			}
			is(failed, 0, "copy from %s to %s ends well", place_names[from],
			   place_names[to]);
			is(bad, 0, "copy from %s to %s: the data is right", place_names[from],
			   place_names[to]);
		}
	}
	places_end(bytes);
}

/* Bytes that are no words, and operands that overlap themselves by nothing. */
static void test_bytes(void)
{
	unsigned char *cpu;
	long bad = 0;

	places_make(MB);
	cpu = (unsigned char *)objects[0].cpu;
	for (unsigned int i = 0; i < MB; i++)
		cpu[i] = i * 7;
	is(copy(pair.gpu, objects[1].gpu + 3, objects[0].gpu + 5, 12345, HTOD, NULL), 0,
	   "bytes: there");
	memset(cpu, 0, MB);
	is(copy(pair.gpu, objects[0].gpu + 4091, objects[1].gpu + 3, 12345, DTOH, NULL), 0,
	   "bytes: and back");
	for (unsigned int i = 0; i < MB; i++)
		bad += cpu[i] != (i >= 4091 && i < 4091 + 12345 ?
				  (unsigned char)((i - 4091 + 5) * 7) : 0);
	is(bad, 0, "bytes: those and no others");
	places_end(MB);
}

/* A copy is as long as the profile says (virtual clock). */
static void test_time(void)
{
	struct softgpu_copy_wait w;
	double mbps;

	places_make(4 * MB);
	must(!copy(pair.gpu, objects[1].gpu, objects[0].gpu, 4 * MB, HTOD, &w));
	ok(w.bytes == 4 * MB && w.end_ns > w.start_ns && !w.fault, "time: told");
	mbps = 1000.0 * w.bytes / (w.end_ns - w.start_ns);
	if (gpu_info(pair.gpu).clock)
		note("%.0f MB/s by the host", mbps);
	else
		ok(mbps > 11800 && mbps < 12200, "time: at the link's bandwidth (%.0f MB/s)", mbps);
	places_end(4 * MB);
}

/* ---- faults ----------------------------------------------------------- */

static int listen_to(uint64_t mask)
{
	int fd = open("/dev/uvm-tools", O_RDWR | O_NONBLOCK | O_CLOEXEC);
	struct uvm_tools_attach arg = { .size = sizeof(arg), .uvm_fd = pair.uvm,
					.entries = 1 << 14, .event_mask = mask };

	must(fd >= 0);
	must(!try_ioctl(fd, UVM_TOOLS_IOC_ATTACH, &arg));
	return fd;
}

static void test_on_demand(void)
{
	const uint64_t bytes = 4 * MB;
	struct uvm_event ev[512];
	struct uvm_stats stats;
	long wrong = 0, got;
	int fd;

	places_make(bytes);
	for (unsigned int prefetch = 0; prefetch < 2; prefetch++) {
		must(!set_param(pair.uvm, "perf_prefetch_enable", prefetch ? "1" : "0"));
		cpu_fill(heap, bytes / 8, 8, 40 + prefetch);
		fd = listen_to(1ULL << UVM_EVENT_NON_REPLAYABLE);
		stats_read(pair.uvm, true);
		is(copy(pair.gpu, objects[1].gpu, (uintptr_t)heap, bytes, DTOD, NULL), 0,
		   "on demand, prefetch %u", prefetch);
		stats = stats_read(pair.uvm, true);
		if (prefetch)
			ok(stats.faults_non_replayable < bytes / PAGE / 8,
			   "on demand: prefetch saves faults (%ld)",
			   (long)stats.faults_non_replayable);
		else
			is(stats.faults_non_replayable, bytes / PAGE, "on demand: one fault a page");
		is(stats.bytes_htod, bytes, "on demand: all of it migrates");
		is(stats.faults_fetched, 0, "on demand: without replayable faults");
		got = read(fd, ev, sizeof(ev));
		ok(got >= (long)sizeof(ev[0]) && ev[0].type == UVM_EVENT_NON_REPLAYABLE &&
		   ev[0].address == (uintptr_t)heap && ev[0].access == UVM_ACCESS_READ,
		   "on demand: the event tells address and access");
		close(fd);
		wrong += place_wrong(AT_DEVICE, 0, bytes, 40 + prefetch);
		stats_read(pair.uvm, true);
		cpu_fill(heap, bytes / PAGE, PAGE, 0);
		place_fill(AT_DEVICE, bytes, 90);
		must(!copy(pair.gpu, (uintptr_t)heap, objects[1].gpu, bytes, DTOD, NULL));
		ok(stats_read(pair.uvm, true).faults_non_replayable > 0,
		   "on demand: writes fault as well");
		wrong += cpu_wrong(heap, bytes / 8, 8, 90, false);
	}
	is(wrong, 0, "on demand: the data is right");
	must(!set_param(pair.uvm, "perf_prefetch_enable", "1"));
	places_end(bytes);
}

/* Managed memory three times as large as the GPU's, by copies alone. */
static void test_oversubscribed(void)
{
	const uint64_t bytes = 18 * MB;
	char *from = managed(pair.uvm, bytes), *to = managed(pair.uvm, bytes);

	must(!vram_limit(pair.gpu, 12 * MB));
	cpu_fill(from, bytes / PAGE, PAGE, 3);
	is(copy(pair.gpu, (uintptr_t)to, (uintptr_t)from, bytes, DTOD, NULL), 0,
	   "oversubscribed: the copy ends well");
	is(cpu_wrong(to, bytes / PAGE, PAGE, 3, false), 0, "oversubscribed: the data is right");
	munmap(from, bytes);
	munmap(to, bytes);
	must(!vram_limit(pair.gpu, 0));
}

/* Source and destination take the only memory from each other (found by fuzzing). */
static void test_room_for_one(void)
{
	char *at = managed(pair.uvm, 2 * BLOCK);

	must(!vram_limit(pair.gpu, BLOCK));
	cpu_fill(at, 2 * BLOCK / PAGE, PAGE, 3);
	stats_read(pair.uvm, true);
	is(copy(pair.gpu, (uintptr_t)at + BLOCK, (uintptr_t)at, PAGE, DTOD, NULL), -ENOMEM,
	   "room for one: the copy between two blocks ends");
	ok(stats_read(pair.uvm, true).faults_non_replayable < 1000, "room for one: and soon");
	is(cpu_wrong(at, 2 * BLOCK / PAGE, PAGE, 3, false), 0, "room for one: no data is lost");
	is(copy(pair.gpu, (uintptr_t)at + KB, (uintptr_t)at, KB, HTOD, NULL), 0,
	   "room for one: another channel copies within one block");
	munmap(at, 2 * BLOCK);
	must(!vram_limit(pair.gpu, 0));
}

/* Two channels have one frame in turn: each copy gets on, however often that is. */
static void test_in_turn(void)
{
	char *at = managed(pair.uvm, 2 * BLOCK);
	long ret = 0;
	int i;

	must(!vram_limit(pair.gpu, BLOCK));
	for (i = 0; !ret && i < 300; i++)
		ret = copy(pair.gpu, (uintptr_t)at + KB, (uintptr_t)at, KB, HTOD, NULL) ?:
		      copy(pair.gpu, (uintptr_t)at + BLOCK + KB, (uintptr_t)at + BLOCK, KB, DTOD,
			   NULL);
	is(ret, 0, "in turn: %d copies of two blocks end well", 2 * i);
	munmap(at, 2 * BLOCK);
	must(!vram_limit(pair.gpu, 0));
}

/* One of two blocks fills its second half from its first. */
static void copy_half(struct beside *b)
{
	char *at = b->at + b->rounds % 2 * BLOCK;
	long ret = copy(pair.gpu, (uintptr_t)at + BLOCK / 2, (uintptr_t)at, BLOCK / 2, DTOD, NULL);

	b->wrong += ret && ret != -ENOMEM;
}

/*
 * The only frame becomes explicit memory while the fault of a copy waits for whoever
 * takes it: then there is nothing to wait for any more, and the copy fails.
 */
static void test_frame_taken(void)
{
	char *at = managed(pair.uvm, 2 * BLOCK);
	long wrong = 0, taken = 0;
	struct softgpu_alloc frame;
	struct beside copier;

	must(!vram_limit(pair.gpu, BLOCK));
	cpu_fill(at, 2 * BLOCK / PAGE, PAGE, 4);
	beside_begin(&copier, copy_half, at);
	for (int i = 0; i < (few ? 50 : 500); i++) {
		long ret = object_alloc(pair.gpu, DEVICE, BLOCK, 0, &frame);

		/* the fault that has just got the frame may keep it */
		wrong += ret && ret != -ENOMEM;
		taken += !ret;
		if (!ret)
			wrong += object_free(pair.gpu, frame.handle) != 0;
	}
	is(beside_end(&copier) + wrong, 0, "frame taken: copies end, well or with ENOMEM");
	ok(taken, "frame taken: %ld times", taken);
	for (int i = 0; i < 2; i++)
		wrong += cpu_wrong(at + i * BLOCK, BLOCK / 2 / PAGE, PAGE, 4 + i * BLOCK / PAGE, false);
	is(wrong, 0, "frame taken: no data is lost");
	munmap(at, 2 * BLOCK);
	must(!vram_limit(pair.gpu, 0));
}

/* The one that faults, those behind it, those of other channels, those after it. */
static void test_fatal(void)
{
	const uint64_t bytes = 2 * MB;
	uint64_t hole, ro = fresh_address(MB), id[4], other;
	struct softgpu_copy_wait w;
	struct uvm_stats stats;

	places_make(bytes);
	hole = objects[1].gpu + bytes;
	must(!range_create(pair.uvm, ro, 64 * KB));
	must(!range_map(&pair, ro, 64 * KB, objects[1].handle, 0, UVM_MAP_EXTERNAL_READ_ONLY));
	place_fill(AT_PINNED, bytes, 5);
	for (uint32_t d = 0; d < SOFTGPU_COPY_DIRECTIONS; d++) {
		uint64_t before = objects[1].gpu + bytes - 64 * KB;
		const struct { uint64_t dst, src; uint64_t at; uint32_t access; } rows[] = {
			{ objects[0].gpu, before, hole, 0 },
			{ before, objects[0].gpu, hole, 1 },
			{ ro + 100, objects[0].gpu, ro + 100, 1 },
			{ objects[0].gpu, 1UL << 48, 1UL << 48, 0 },
			{ 1UL << 52, objects[0].gpu, 1UL << 52, 1 },
		};

		for (unsigned int i = 0; i < ARRAY_SIZE(rows); i++) {
			stats_read(pair.uvm, true);
			must(!copy_start(pair.gpu, rows[i].dst, rows[i].src, 128 * KB, d, &id[0]));
			must(!copy_start(pair.gpu, objects[1].gpu, objects[0].gpu, PAGE, d, &id[1]));
			must(!copy_start(pair.gpu, objects[1].gpu, objects[0].gpu, MB, (d + 1) % 3,
					 &other));
			must(!copy_wait(pair.gpu, id[0], 0, &w));
			ok(w.state == SOFTGPU_COPY_FAILED && w.error == EFAULT && w.fault &&
			   w.address == rows[i].at && w.access == rows[i].access,
			   "fatal %s, row %u: EFAULT, address and access are told",
			   direction_names[d], i);
			if (w.error != EFAULT || w.address != rows[i].at)
				note("error %u fault %u address %#lx access %u", w.error, w.fault,
				     (long)w.address, w.access);
			must(!copy_wait(pair.gpu, id[1], 0, &w));
			/* unless, on the real clock, it came when all was over */
			is(w.error ?: gpu_info(pair.gpu).clock * ECANCELED, ECANCELED,
			   "fatal %s, row %u: the one behind it is cancelled",
			   direction_names[d], i);
			must(!copy_wait(pair.gpu, other, 0, &w));
			is(w.error, 0, "fatal %s, row %u: another channel goes on",
			   direction_names[d], i);
			stats = stats_read(pair.uvm, false);
			ok(stats.faults_fatal == 1 && stats.faults_non_replayable >= 1,
			   "fatal %s, row %u: counted", direction_names[d], i);
			is(copy(pair.gpu, objects[1].gpu, objects[0].gpu, MB, d, NULL), 0,
			   "fatal %s, row %u: the next copy has a new channel", direction_names[d],
			   i);
		}
	}
	/* what came before the hole was copied to the start of the pinned memory */
	is(place_wrong(AT_PINNED, 64 * KB, MB, 5 + 64 * KB / 8), 0, "fatal: no other byte was touched");
	place_fill(AT_PINNED, bytes, 6);
	must(!copy(pair.gpu, objects[1].gpu, objects[0].gpu, MB, HTOD, NULL));
	is(place_wrong(AT_DEVICE, 0, MB, 6), 0, "fatal: the data is right");
	must(!range_free(pair.uvm, ro, 64 * KB));
	places_end(bytes);
}

/* Kernels and copies at the same time, on the same managed memory. */
static void test_with_launches(void)
{
	const uint64_t bytes = 4 * MB;
	struct softgpu_copy_wait c;
	struct softgpu_wait w;
	long failed = 0, wrong = 0;
	uint64_t id, copy_id;

	places_make(bytes);
	for (uint64_t round = 0; round < 4; round++) {
		struct test_args args = { .address = (uintptr_t)heap, .value = round,
					  .count = bytes / 2 / PAGE, .stride = PAGE };

		cpu_fill(objects[0].cpu, bytes / 8, 8, round * 3);
		cpu_fill(heap, bytes / PAGE, PAGE, 0);
		must(!launch_shape(&pair, "t_fill", 4, 64, 0, &args, &id));
		must(!copy_start(pair.gpu, (uintptr_t)heap + bytes / 2, objects[0].gpu, bytes / 2,
				 HTOD, &copy_id));
		must(!launch_wait(pair.gpu, id, 0, &w));
		must(!copy_wait(pair.gpu, copy_id, 0, &c));
		failed += w.reason || c.error;
		wrong += cpu_wrong(heap, bytes / 2 / PAGE, PAGE, round, false);
		wrong += cpu_wrong(heap + bytes / 2, bytes / 2 / 8, 8, round * 3, false);
	}
	is(failed, 0, "with launches: both end well");
	is(wrong, 0, "with launches: the data is right");
	places_end(bytes);
}

/* ---- limits and ends -------------------------------------------------- */

static void test_arguments(void)
{
	static const struct { uint64_t dst, src, bytes; uint32_t direction; } rows[] = {
		{ PAGE, PAGE, 0, 0 }, { PAGE, PAGE, SOFTGPU_COPY_MAX + 1, 0 },
		{ PAGE, PAGE, 8, 3 }, { UINT64_MAX, PAGE, 8, 0 }, { PAGE, UINT64_MAX - 6, 8, 0 },
	};
	struct softgpu_copy_wait w;
	uint64_t id;
	int gpu = open("/dev/softgpu0", O_RDWR);

	for (unsigned int i = 0; i < ARRAY_SIZE(rows); i++)
		is(copy_start(pair.gpu, rows[i].dst, rows[i].src, rows[i].bytes,
			      rows[i].direction, &id), -EINVAL, "arguments: row %u", i);
	is(copy_wait(pair.gpu, 1, 0, &w), -ENOENT, "arguments: no copy of that number");
	is(copy_start(gpu, PAGE, PAGE, 8, 0, &id), -ENODEV, "arguments: not registered");
	close(gpu);
	must(!gpu_unregister(pair.uvm, 0));
	is(copy_start(pair.gpu, PAGE, PAGE, 8, 0, &id), -ENODEV, "arguments: no more registered");
}

/* More than fit in a queue: who submits waits. */
static void test_many(void)
{
	struct softgpu_copy_wait w;
	uint64_t id = 0, first = 0;
	long failed = 0;

	places_make(MB);
	cpu_fill(objects[0].cpu, MB / 8, 8, 1);
	for (unsigned int i = 0; i < 1200; i++) {
		failed += copy_start(pair.gpu, objects[1].gpu + i * 64, objects[0].gpu + i * 64, 64,
				     i % 3, &id) != 0;
		first = first ? first : id;
	}
	is(failed, 0, "many: all are taken");
	must(!copy_wait(pair.gpu, id, 0, &w));
	is(w.state, SOFTGPU_COPY_DONE, "many: the last ends well");
	for (; id > first + 1100; id--)
		failed += copy_wait(pair.gpu, id, 0, &w) || w.error;
	is(failed, 0, "many: those before as well");
	is(copy_wait(pair.gpu, first, SOFTGPU_WAIT_POLL, &w), 0, "many: the first is known");
	is(place_wrong(AT_DEVICE, 0, 1200 * 64, 1), 0, "many: the data is right");
	places_end(MB);
}

/* Copies under way when their context, their VA space or their process goes. */
static void copy_and_go(void *how)
{
	struct pair p = pair_open();
	const uint64_t bytes = 8 * MB;
	char *at = managed(p.uvm, bytes);
	struct object o = object_make(&p, DEVICE, bytes);
	struct softgpu_copy_wait w;
	uint64_t id[6];

	cpu_fill(at, bytes / PAGE, PAGE, 1);
	for (unsigned int i = 0; i < 6; i++)
		must(!copy_start(p.gpu, o.gpu, (uintptr_t)at, bytes, i % 3, &id[i]));
	switch (*(char *)how) {
	case 'g':
		close(p.gpu);
		break;
	case 'u':
		close(p.uvm);
		break;
	case 'r':
		must(!gpu_unregister(p.uvm, 0));
		for (unsigned int i = 0; i < 6; i++) {
			must(!copy_wait(p.gpu, id[i], 0, &w));
			if (w.state == SOFTGPU_COPY_RUNNING || (w.error && w.error != ECANCELED))
				_exit(1);
		}
		break;
	case 'm':
		munmap(at, bytes);
		for (unsigned int i = 0; i < 6; i++)
			must(!copy_wait(p.gpu, id[i], 0, &w));
		break;
	case 'f':
		must(!range_free(p.uvm, o.gpu, bytes));
		for (unsigned int i = 0; i < 6; i++) {
			must(!copy_wait(p.gpu, id[i], 0, &w));
			if (w.error && w.error != EFAULT && w.error != ECANCELED)
				_exit(1);
		}
		break;
	case 'k':
		kill(getpid(), SIGKILL);
	}
}

static void test_ends(void)
{
	static const struct { const char *how; const char *what; int want; } rows[] = {
		{ "g", "the context is closed", 0 }, { "u", "the VA space is closed", 0 },
		{ "r", "the GPU is unregistered", 0 }, { "m", "its memory is unmapped", 0 },
		{ "f", "its external range is freed", 0 }, { "k", "the process is killed", -SIGKILL },
		{ "-", "the process exits", 0 },
	};

	for (unsigned int i = 0; i < ARRAY_SIZE(rows); i++)
		is(in_child(copy_and_go, (void *)rows[i].how), rows[i].want, "ends: %s",
		   rows[i].what);
	places_make(MB);
	place_fill(AT_PINNED, MB, 8);
	is(copy(pair.gpu, objects[1].gpu, objects[0].gpu, MB, HTOD, NULL), 0,
	   "ends: others go on");
	is(place_wrong(AT_DEVICE, 0, MB, 8), 0, "ends: with the right data");
	places_end(MB);
}

/* ---- hardware that breaks --------------------------------------------- */

/* Who registers next finds the GPU as if nothing had been: faults, migrations, copies. */
static void works_again(unsigned int methods)
{
	struct object o;
	char *at;

	pair = pair_open();
	at = managed(pair.uvm, 4 * MB);
	o = object_make(&pair, DEVICE, MB);
	cpu_fill(at, 1024, PAGE, 7);
	is(gpu_wrong(&pair, at, 1024, PAGE, 7, false), 0,
	   "revived after %u methods: the GPU's faults are served", methods);
	is(migrate(pair.uvm, at, MB, 0), 0, "revived after %u methods: migration", methods);
	is(copy(pair.gpu, o.gpu, (uintptr_t)at + 2 * MB, MB, DTOD, NULL), 0,
	   "revived after %u methods: a copy whose source faults", methods);
	is(cpu_wrong(at, 1024, PAGE, 7, false), 0, "revived after %u methods: and back", methods);
	pair_close(&pair);
	munmap(at, 4 * MB);
}

/*
 * The n-th method from now on breaks its channel, so all of the GPU's: launches and
 * copies end with an error, nothing hangs, everything can be closed.
 */
static void dead_channel(unsigned int methods)
{
	char *at = managed(pair.uvm, 4 * MB), *fresh = managed(pair.uvm, MB), text[16];
	char *both = managed(pair.uvm, MB);
	struct test_args args = { .address = (uintptr_t)at, .value = 1, .count = 1024,
				  .stride = PAGE };
	struct object o = object_make(&pair, DEVICE, MB);
	struct softgpu_copy_wait c = { 0 };
	struct softgpu_wait w = { 0 };
	struct timespec begin, end;
	uint64_t id, copy_id, fatal_id;
	long ret, copied;

	/* nobody asks for this one before the channels are dead */
	must(!copy_start(pair.gpu, o.gpu, 0x1000, PAGE, HTOD, &fatal_id));
	usleep(100000);
	cpu_fill(at, 1024, PAGE, 1);
	must(!advise(pair.uvm, both, MB, UVM_ADVICE_READ_DUPLICATE, UVM_PROCESSOR_NONE, 0));
	cpu_fill(both, MB / PAGE, PAGE, 5);
	must(!gpu_wrong(&pair, both, MB / PAGE, PAGE, 5, false));
	must(!cpu_wrong(both, MB / PAGE, PAGE, 5, false));
	clock_gettime(CLOCK_MONOTONIC, &begin);
	snprintf(text, sizeof(text), "%u", methods);
	knob("break_channel", text);
	ret = launch_shape(&pair, "t_add", 4, 64, 0, &args, &id);
	if (!ret)
		ret = launch_wait(pair.gpu, id, 0, &w);
	ok(ret == -EIO || (!ret && w.state == SOFTGPU_LAUNCH_FAILED && w.error == EIO),
	   "dead channel after %u methods: the launch ends with EIO (ioctl %ld, error %u)",
	   methods, ret, w.error);
	/* its own channel lives, but nobody serves its faults */
	copied = copy_start(pair.gpu, o.gpu, (uintptr_t)at + 2 * MB, MB, DTOD, &copy_id);
	if (!copied)
		copied = copy_wait(pair.gpu, copy_id, 0, &c);
	ok(copied == -EIO || (!copied && c.error == EIO),
	   "dead channel after %u methods: so does a copy (ioctl %ld, error %u)", methods, copied,
	   c.error);
	must(!copy_wait(pair.gpu, fatal_id, 0, &c));
	is(c.error, EFAULT, "dead channel after %u methods: a copy that had failed keeps its reason",
	   methods);
	is(migrate(pair.uvm, fresh, MB, 0), -EIO, "dead channel after %u methods: migration fails",
	   methods);
	is(range_unmap(pair.uvm, o.gpu, MB, 0), 0, "dead channel after %u methods: unmap", methods);
	/* what only the GPU had is lost; what the CPU has mapped stays its */
	is(gpu_unregister(pair.uvm, 0), 0, "dead channel after %u methods: unregister", methods);
	is(cpu_wrong(both, MB / PAGE, PAGE, 5, false), 0,
	   "dead channel after %u methods: the CPU still has its copies", methods);
	cpu_fill(both, MB / PAGE, PAGE, 6);
	is(cpu_wrong(both, MB / PAGE, PAGE, 6, false), 0,
	   "dead channel after %u methods: and may write them", methods);
	pair_close(&pair);
	clock_gettime(CLOCK_MONOTONIC, &end);
	ok(end.tv_sec - begin.tv_sec < 60, "dead channel after %u methods: at once, in %ld s",
	   methods, (long)(end.tv_sec - begin.tv_sec));
	munmap(at, 4 * MB);
	munmap(fresh, MB);
	munmap(both, MB);
	knob("break_channel", "0");
	works_again(methods);
}

/* How many frames of GPU memory can be had as device memory; all are freed again. */
static long frames_to_be_had(void)
{
	struct softgpu_alloc frame[512];
	long n = 0;

	while (n < (long)ARRAY_SIZE(frame) && !object_alloc(pair.gpu, DEVICE, BLOCK, 0, &frame[n]))
		n++;
	for (long i = 0; i < n; i++)
		must(!object_free(pair.gpu, frame[i].handle));
	return n;
}

/*
 * On a dead channel nothing is unmapped, so kernels that run may still write where memory was:
 * it is nobody else's before they have been stopped.
 */
static void dead_frames(void)
{
	long all = gpu_info(pair.gpu).vram_bytes / BLOCK, had, addresses;
	char *at = managed(pair.uvm, 4 * BLOCK), *fresh = managed(pair.uvm, PAGE);

	must(!gpu_fill(&pair, at, 4, BLOCK, 1));
	addresses = counter("iova_reserved");
	cpu_fill(fresh, 1, PAGE, 1);
	knob("break_channel", "1");
	is(migrate(pair.uvm, fresh, PAGE, 0), -EIO, "dead frames: the channel is dead");
	knob("break_channel", "0");
	munmap(at, 4 * BLOCK);
	/* munmap leaves the rest to whoever comes next */
	is(migrate(pair.uvm, fresh, PAGE, 0), -EIO, "dead frames: it stays so");
	had = frames_to_be_had();
	ok(had <= all - 4, "dead frames: what the GPU may still use is not given away (%ld of %ld)",
	   had, all);
	ok(counter("iova_reserved") >= addresses, "dead frames: nor are device addresses");
	must(!gpu_unregister(pair.uvm, 0));
	is(frames_to_be_had(), all, "dead frames: when its context has been stopped it is");
	ok(counter("iova_reserved") <= addresses - 4 * (long)(BLOCK / PAGE),
	   "dead frames: and so are the addresses");
	munmap(fresh, PAGE);
	pair_close(&pair);
	works_again(1);
}

/* A word that only the GPU had is lost when the channels die before the CPU reads it. */
static bool read_or_lost(volatile uint64_t *at, uint64_t *value)
{
	if (touch(at, false))
		return false;
	*value = *at;
	return true;
}

/* One try of dead_each(): a word is put @out, of what is @at, unless it fails. */
typedef bool dead_try(uint64_t *at, uint64_t *out);

/* They break at each of the next methods in turn while @how makes @want of 3. */
static void dead_each(const char *name, dead_try *how, uint64_t want)
{
	struct timespec begin, end;
	unsigned int failed = 0;

	clock_gettime(CLOCK_MONOTONIC, &begin);
	for (unsigned int methods = 1; methods <= 240; methods += methods < 40 ? 1 : 4) {
		uint64_t *at = managed(pair.uvm, PAGE), *out = managed(pair.uvm, PAGE), got;
		char text[16];

		*at = 3;
		*out = 0;
		snprintf(text, sizeof(text), "%u", methods);
		knob("break_channel", text);
		if (!how(at, out) || !read_or_lost(out, &got))
			failed++;
		else
			is(got, want, "%s after %u methods: right", name, methods);
		knob("break_channel", "0");
		pair_close(&pair);
		munmap(at, PAGE);
		munmap(out, PAGE);
		pair = pair_open();
	}
	clock_gettime(CLOCK_MONOTONIC, &end);
	ok(failed, "%s: %u times it ended with an error", name, failed);
	ok(end.tv_sec - begin.tv_sec < 60, "%s: at once, in %ld s", name,
	   (long)(end.tv_sec - begin.tv_sec));
	pair_close(&pair);
	works_again(240);
}

/*
 * One read, which waits for its access counter where accesses do: nothing else faults that would
 * tell that the channels are dead.
 */
static bool counter_try(uint64_t *at, uint64_t *out)
{
	struct test_args args = { .address = (uintptr_t)at, .value = 3, .count = 1,
				  .stride = PAGE, .out = (uintptr_t)out };

	return !run_shape(&pair, "t_check", 2, 64, &args, NULL);
}

/* One copy, whose faults nobody else's would follow either. */
static bool copy_try(uint64_t *at, uint64_t *out)
{
	return !copy(pair.gpu, (uintptr_t)out, (uintptr_t)at, sizeof(*at), DTOD, NULL);
}

static const struct test_case cases[] = {
	{ "places", test_places },
	{ "bytes", test_bytes },
	{ "time", test_time },
	{ "on-demand", test_on_demand },
	{ "oversubscribed", test_oversubscribed },
	{ "room-for-one", test_room_for_one },
	{ "in-turn", test_in_turn },
	{ "frame-taken", test_frame_taken },
	{ "fatal", test_fatal },
	{ "with-launches", test_with_launches },
	{ "arguments", test_arguments },
	{ "many", test_many },
	{ "ends", test_ends },
};

int main(int argc, char **argv)
{
	if (argc == 3 && !strcmp(argv[1], "dead-channel")) {
		pair = pair_open();
		dead_channel(atoi(argv[2]));
		return tap_finish();
	}
	if (argc == 2 && !strcmp(argv[1], "dead-frames")) {
		pair = pair_open();
		dead_frames();
		return tap_finish();
	}
	if (argc == 2 && !strcmp(argv[1], "dead-counter")) {
		pair = pair_open();
		dead_each("dead counter", counter_try, 0);
		return tap_finish();
	}
	if (argc == 2 && !strcmp(argv[1], "dead-copy")) {
		pair = pair_open();
		dead_each("dead copy", copy_try, 3);
		return tap_finish();
	}
	return run_cases(argc, argv, "copy faults", cases, ARRAY_SIZE(cases));
}
