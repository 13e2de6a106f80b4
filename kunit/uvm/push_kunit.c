// SPDX-License-Identifier: GPL-2.0
/*
 * Tests of semaphores, pushbuffer, channels and pushes.  The first ones are
 * pure; the others execute pushes on the loaded device.
 */
#include "uvm_gpu_fixture.h"
#include <softgpu/ce_class.h>

/* ---- 64-bit counter behind a 32-bit payload (nvidia-uvm 7.1) ---------- */

struct sem_case {
	u64 last;
	u32 payload;
	u64 value;
};

static const struct sem_case sem_cases[] = {
	{ 0, 0, 0 },
	{ 0, 7, 7 },
	{ 7, 7, 7 },
	{ 0xfffffffe, 0xffffffff, 0xffffffff },
	{ 0xffffffff, 0, 0x100000000 },
	{ 0xfffffff0, 5, 0x100000005 },
	{ 0x1fffffffe, 0xffffffff, 0x1ffffffff },
	{ 0x1ffffffff, 1, 0x200000001 },
};

static void push_sem_test(struct kunit *test)
{
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(sem_cases); i++)
		KUNIT_EXPECT_EQ_MSG(test,
				    uvm_semaphore_extend(sem_cases[i].last, sem_cases[i].payload),
				    sem_cases[i].value, "row %u", i);
}

/* ---- pushbuffer (nvidia-uvm 7.2) ------------------------------------- */

#define PB_MAX	UVM_PUSH_MAX_BYTES

static struct uvm_pushbuffer *pb_alloc(struct kunit *test)
{
	struct uvm_pushbuffer *pb = kunit_kzalloc(test, sizeof(*pb), GFP_KERNEL);
	unsigned int i;

	KUNIT_ASSERT_NOT_NULL(test, pb);
	for (i = 0; i < UVM_PUSHBUFFER_CHUNKS; i++)
		INIT_LIST_HEAD(&pb->chunks[i].pending);
	return pb;
}

/* At most one open push per chunk, so 16 at once; lowest idle chunk first. */
static void push_pb_open_test(struct kunit *test)
{
	struct uvm_pushbuffer *pb = pb_alloc(test);
	struct uvm_pushbuffer_span span[3];
	int i;

	for (i = 0; i < UVM_PUSHBUFFER_CHUNKS; i++)
		KUNIT_EXPECT_EQ(test, uvm_pushbuffer_begin(pb), i);
	KUNIT_EXPECT_EQ(test, uvm_pushbuffer_begin(pb), -1);
	/* An ended push makes its chunk available, not idle. */
	uvm_pushbuffer_end(pb, 3, 64, &span[0]);
	uvm_pushbuffer_end(pb, 9, 64, &span[1]);
	uvm_pushbuffer_release(&span[1]);
	KUNIT_EXPECT_EQ(test, uvm_pushbuffer_begin(pb), 9);
	KUNIT_EXPECT_EQ(test, uvm_pushbuffer_begin(pb), 3);
	KUNIT_EXPECT_EQ(test, uvm_pushbuffer_begin(pb), -1);
}

/* Push sizes in one chunk of two maximal pushes: where each begins; -1: no room. */
struct pb_step {
	u32 end_bytes;		/* begin, expect @at, end with this many; 0: release oldest */
	int at;
};

static void push_pb_ring_test(struct kunit *test)
{
	static const struct pb_step steps[] = {
		{ 100, 0 },		/* rounded up to 16: */
		{ PB_MAX - 112, 112 },
		{ PB_MAX, PB_MAX },	/* the chunk is full */
		{ 16, -1 },
		{ 0 },			/* 112 bytes at 0 are free: not enough */
		{ 16, -1 },
		{ 0 },			/* [0, PB_MAX) is free: wrap */
		{ PB_MAX, 0 },
		{ 16, -1 },		/* put has caught up: full, not empty */
		{ 0 },
		{ PB_MAX / 2, PB_MAX },	/* behind the one at 0 */
		{ 16, -1 },		/* half a push to the end, 0 is taken */
		{ 0 },
		{ 16, 0 },		/* only the half one is left: wrap */
		{ 0 }, { 0 },
		{ 16, 0 },		/* empty: from the start */
	};
	struct uvm_pushbuffer *pb = pb_alloc(test);
	struct uvm_pushbuffer_span span[ARRAY_SIZE(steps)];
	unsigned int i, head = 0, tail = 0;

	/* Only chunk 0 takes part. */
	for (i = 1; i < UVM_PUSHBUFFER_CHUNKS; i++)
		pb->chunks[i].open = true;
	for (i = 0; i < ARRAY_SIZE(steps); i++) {
		if (!steps[i].end_bytes) {
			uvm_pushbuffer_release(&span[tail++]);
			continue;
		}
		KUNIT_EXPECT_EQ_MSG(test, uvm_pushbuffer_begin(pb), steps[i].at < 0 ? -1 : 0,
				    "step %u", i);
		if (steps[i].at < 0)
			continue;
		KUNIT_EXPECT_EQ_MSG(test, uvm_pushbuffer_offset(pb, 0), (u32)steps[i].at,
				    "step %u", i);
		uvm_pushbuffer_end(pb, 0, steps[i].end_bytes, &span[head++]);
	}
}

/* ---- executed pushes ------------------------------------------------- */

typedef void (*push_body)(struct kunit *test, struct uvm_gpu *gpu);

struct push_live_case {
	const char *name;
	push_body body;
	unsigned int entries;
};

#define PUSH_BYTES	(64 * 1024)

/* Memory on both sides, for bodies that move bytes. */
struct push_memory {
	struct uvm_gpu_memory sys;
	struct uvm_gpu_address host;
	struct uvm_gpu_address vid;
	u64 frame;
	u8 *cpu;
};

static bool push_memory_alloc(struct kunit *test, struct uvm_gpu *gpu, struct push_memory *m)
{
	bool zeroed;

	if (uvm_gpu_memory_alloc(gpu->rm, PUSH_BYTES, &m->sys)) {
		KUNIT_FAIL(test, "no memory");
		return false;
	}
	if (rm_pma_alloc(gpu->rm, 1, RM_PMA_PINNED | RM_PMA_DONT_EVICT, &m->frame, &zeroed) != 1) {
		uvm_gpu_memory_free(&m->sys);
		KUNIT_FAIL(test, "no frame");
		return false;
	}
	m->cpu = m->sys.cpu;
	m->host = uvm_gpu_memory_address(&m->sys, 0);
	m->vid = uvm_gpu_address_vid(m->frame);
	return true;
}

static void push_memory_free(struct uvm_gpu *gpu, struct push_memory *m)
{
	rm_pma_free(gpu->rm, 1, &m->frame);
	uvm_gpu_memory_free(&m->sys);
}

/* Bytes go in and come back; nothing beside them is touched. */
static void push_copy_body(struct kunit *test, struct uvm_gpu *gpu)
{
	struct push_memory m;
	struct uvm_push push;
	unsigned int i;

	if (!push_memory_alloc(test, gpu, &m))
		return;
	for (i = 0; i < PUSH_BYTES; i++)
		m.cpu[i] = i * 7 + (i >> 8);
	KUNIT_EXPECT_EQ(test, uvm_push_begin(gpu, UVM_CHANNEL_CPU_TO_GPU, &push), 0);
	uvm_ce_memcopy(&push, m.vid, m.host, PUSH_BYTES);
	KUNIT_EXPECT_EQ(test, uvm_push_end_and_wait(&push), 0);
	memset(m.cpu, 0xee, PUSH_BYTES);
	KUNIT_EXPECT_EQ(test, uvm_push_begin(gpu, UVM_CHANNEL_GPU_TO_CPU, &push), 0);
	/* Odd addresses and a length across pages. */
	uvm_ce_memcopy(&push, uvm_gpu_address_add(m.host, 4093), uvm_gpu_address_add(m.vid, 13),
		       9001);
	KUNIT_EXPECT_EQ(test, uvm_push_end_and_wait(&push), 0);
	for (i = 0; i < PUSH_BYTES; i++) {
		unsigned int src = i - 4093 + 13;
		u8 want = i < 4093 || i >= 4093 + 9001 ? 0xee : src * 7 + (src >> 8);

		if (m.cpu[i] != want) {
			KUNIT_EXPECT_EQ_MSG(test, m.cpu[i], want, "byte %u", i);
			break;
		}
	}
	push_memory_free(gpu, &m);
}

static void push_memset_body(struct kunit *test, struct uvm_gpu *gpu)
{
	static const u32 inline_data[] = { 0x01020304, 0x05060708, 0x090a0b0c };
	struct push_memory m;
	struct uvm_push push;
	u8 want[64];

	if (!push_memory_alloc(test, gpu, &m))
		return;
	memset(want, 0, sizeof(want));
	memset(want + 1, 0xab, 6);
	memcpy(want + 8, "\x44\x33\x22\x11\x44\x33\x22\x11", 8);
	memcpy(want + 16, "\x88\x77\x66\x55\x44\x33\x22\x11\x88\x77\x66\x55\x44\x33\x22\x11", 16);
	memcpy(want + 32, inline_data, sizeof(inline_data));

	KUNIT_EXPECT_EQ(test, uvm_push_begin(gpu, UVM_CHANNEL_GPU_INTERNAL, &push), 0);
	uvm_ce_memset_8(&push, m.vid, 0, sizeof(want));
	uvm_ce_memset_1(&push, uvm_gpu_address_add(m.vid, 1), 0xab, 6);
	uvm_ce_memset_4(&push, uvm_gpu_address_add(m.vid, 8), 0x11223344, 8);
	uvm_ce_memset_8(&push, uvm_gpu_address_add(m.vid, 16), 0x1122334455667788, 16);
	uvm_ce_memcopy_inline(&push, uvm_gpu_address_add(m.vid, 32), inline_data,
			      sizeof(inline_data));
	KUNIT_EXPECT_EQ(test, uvm_push_end_and_wait(&push), 0);
	KUNIT_EXPECT_EQ(test, live_read(gpu, m.vid, m.cpu, sizeof(want)), 0);
	KUNIT_EXPECT_MEMEQ(test, m.cpu, want, sizeof(want));
	push_memory_free(gpu, &m);
}

/* Each push doubles what the one before wrote, on another channel: acquires order them. */
static void push_acquire_body(struct kunit *test, struct uvm_gpu *gpu)
{
	static const enum uvm_channel_type types[] = {
		UVM_CHANNEL_CPU_TO_GPU, UVM_CHANNEL_GPU_INTERNAL, UVM_CHANNEL_GPU_TO_CPU,
		UVM_CHANNEL_MEMOPS,
	};
	struct uvm_tracker t = UVM_TRACKER_INIT();
	struct push_memory m;
	struct uvm_push push;
	unsigned int i, k;
	int ret;

	if (!push_memory_alloc(test, gpu, &m))
		return;
	memset(m.cpu, 0x11, PUSH_BYTES);
	for (i = 0; i < 16; i++) {
		ret = uvm_push_begin_acquire(gpu, types[i % 4], &t, &push);
		KUNIT_EXPECT_EQ(test, ret, 0);
		if (ret)
			break;
		/* Move 2 KB pieces one place up: wrong in any other order. */
		if (!i)
			uvm_ce_memcopy(&push, m.vid, m.host, 4096);
		else
			uvm_ce_memcopy(&push, uvm_gpu_address_add(m.vid, i * 4096),
				       uvm_gpu_address_add(m.vid, (i - 1) * 4096), 4096);
		uvm_push_end(&push);
		uvm_tracker_clear(&t);
		KUNIT_EXPECT_EQ(test, uvm_tracker_add_push(&t, &push), 0);
	}
	KUNIT_EXPECT_EQ(test, uvm_tracker_wait(&t), 0);
	KUNIT_EXPECT_TRUE(test, uvm_tracker_is_empty(&t));
	memset(m.cpu, 0, PUSH_BYTES);
	KUNIT_EXPECT_EQ(test, live_read(gpu, m.vid, m.cpu, PUSH_BYTES), 0);
	for (k = 0; k < PUSH_BYTES && m.cpu[k] == 0x11; k++)
		;
	KUNIT_EXPECT_EQ(test, k, (unsigned int)PUSH_BYTES);
	uvm_tracker_deinit(&t);
	push_memory_free(gpu, &m);
}

/* ---- completion functions and timestamps ----------------------------- */

struct push_record {
	const u64 *at[3];
	u64 ns[3];
	unsigned int *order;
	unsigned int seen;
};

static void push_record_fn(void *data)
{
	struct push_record *r = data;
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(r->at); i++)
		r->ns[i] = r->at[i] ? *r->at[i] : 0;
	r->seen = ++*r->order;
}

/* Functions run once, in push order; times bracket the copies. */
static void push_timestamp_body(struct kunit *test, struct uvm_gpu *gpu)
{
	struct push_record r[6] = { };
	struct push_memory m;
	struct uvm_push push;
	unsigned int i, order = 0;
	u64 before = sim_now();

	if (!push_memory_alloc(test, gpu, &m))
		return;
	for (i = 0; i < ARRAY_SIZE(r); i++) {
		r[i].order = &order;
		KUNIT_EXPECT_EQ(test, uvm_push_begin(gpu, UVM_CHANNEL_CPU_TO_GPU, &push), 0);
		r[i].at[2] = uvm_host_timestamp(&push);
		r[i].at[0] = uvm_push_timestamp(&push);
		uvm_ce_memcopy(&push, m.vid, m.host, PUSH_BYTES);
		r[i].at[1] = uvm_push_timestamp(&push);
		uvm_push_on_complete(&push, push_record_fn, &r[i]);
		uvm_push_end(&push);
	}
	KUNIT_EXPECT_EQ(test, uvm_channels_wait_idle(gpu), 0);
	KUNIT_EXPECT_EQ(test, order, (unsigned int)ARRAY_SIZE(r));
	for (i = 0; i < ARRAY_SIZE(r); i++) {
		/* Channels take turns: 0, 2, 4 on one and 1, 3, 5 on the other. */
		if (i >= 2)
			KUNIT_EXPECT_GT(test, r[i].seen, r[i - 2].seen);
		KUNIT_EXPECT_GE(test, r[i].ns[2], before);
		KUNIT_EXPECT_GT(test, r[i].ns[1], r[i].ns[0]);
		KUNIT_EXPECT_LE(test, r[i].ns[1], sim_now());
		if (i >= 2)
			KUNIT_EXPECT_GE(test, r[i].ns[0], r[i - 2].ns[1]);
	}
	if (sim_is_virtual()) {
		/* 64 KB at the profile's bandwidth, at least. */
		u64 ns = PUSH_BYTES * 1000ULL / rm_profile(gpu->rm, RM_PROFILE_copy_htod_mbps);

		KUNIT_EXPECT_GE(test, r[0].ns[1] - r[0].ns[0], ns);
	}
	push_memory_free(gpu, &m);
}

/* ---- limits ---------------------------------------------------------- */

/* Many more pushes than GPFIFO entries and pushbuffer space: begin waits for room. */
static void push_many_body(struct kunit *test, struct uvm_gpu *gpu)
{
	struct push_memory m;
	struct uvm_push push;
	unsigned int i, order = 0;
	struct push_record last = { .order = &order };
	int ret = 0;

	if (!push_memory_alloc(test, gpu, &m))
		return;
	for (i = 0; i < 600 && !ret; i++) {
		ret = uvm_push_begin(gpu, UVM_CHANNEL_CPU_TO_GPU, &push);
		if (ret)
			break;
		/* Every fourth push takes 48 KB of pushbuffer. */
		if (i % 4 == 0) {
			uvm_push_inline_begin(&push);
			uvm_push_inline_add(&push, m.cpu, 24 * 1024);
			uvm_push_inline_end(&push);
			uvm_push_inline_begin(&push);
			uvm_push_inline_add(&push, m.cpu, 24 * 1024);
			uvm_push_inline_end(&push);
		}
		uvm_ce_memset_4(&push, uvm_gpu_address_add(m.vid, i * 4), i + 1, 4);
		if (i == 599)
			uvm_push_on_complete(&push, push_record_fn, &last);
		uvm_push_end(&push);
	}
	KUNIT_EXPECT_EQ(test, ret, 0);
	KUNIT_EXPECT_EQ(test, uvm_channels_wait_idle(gpu), 0);
	KUNIT_EXPECT_EQ(test, order, 1U);
	KUNIT_EXPECT_EQ(test, live_read(gpu, m.vid, m.cpu, 600 * 4), 0);
	for (i = 0; i < 600 && ((u32 *)m.cpu)[i] == i + 1; i++)
		;
	KUNIT_EXPECT_EQ(test, i, 600U);
	push_memory_free(gpu, &m);
}

/* 16 pushes can be open, ended in any order. */
static void push_open_body(struct kunit *test, struct uvm_gpu *gpu)
{
	struct uvm_push *push = kunit_kcalloc(test, 16, sizeof(*push), GFP_KERNEL);
	unsigned int i, n;

	if (!push)
		return;
	for (n = 0; n < 16; n++) {
		if (uvm_push_begin(gpu, n % UVM_CHANNEL_TYPES, &push[n]))
			break;
	}
	KUNIT_EXPECT_EQ(test, n, 16U);
	KUNIT_EXPECT_FALSE(test, sim_sem_trylock(&gpu->channels.concurrent));
	for (i = n; i--; )
		uvm_push_end(&push[i]);
	for (i = 0; i < n; i++)
		KUNIT_EXPECT_EQ(test, uvm_push_wait(&push[i]), 0);
	KUNIT_EXPECT_TRUE(test, sim_sem_trylock(&gpu->channels.concurrent));
	sim_sem_up(&gpu->channels.concurrent);
}

/* The tracking counter runs over 2^32; acquires compare circularly. */
static void push_wrap_body(struct kunit *test, struct uvm_gpu *gpu)
{
	struct uvm_tracker t = UVM_TRACKER_INIT();
	struct uvm_channel *channel;
	struct uvm_push push;
	unsigned int i;
	int ret = uvm_channels_wait_idle(gpu);

	KUNIT_EXPECT_EQ(test, ret, 0);
	for (i = 0; i < UVM_CHANNELS; i++) {
		channel = &gpu->channels.channels[i];
		channel->queued = 0xfffffffcULL;
		channel->completed = channel->queued;
		WRITE_ONCE(*channel->tracking.payload, 0xfffffffc);
	}
	for (i = 0; i < 40 && !ret; i++) {
		ret = uvm_push_begin_acquire(gpu, i % UVM_CHANNEL_TYPES, &t, &push);
		KUNIT_EXPECT_EQ(test, ret, 0);
		if (!ret) {
			uvm_push_end(&push);
			KUNIT_EXPECT_EQ(test, uvm_tracker_add_push(&t, &push), 0);
		}
	}
	KUNIT_EXPECT_EQ(test, uvm_tracker_wait(&t), 0);
	for (i = 0; i < UVM_CHANNELS; i++)
		KUNIT_EXPECT_EQ(test, gpu->channels.channels[i].completed, 0xfffffffcULL + 5);
	uvm_tracker_deinit(&t);
}

/* ---- errors ---------------------------------------------------------- */

/* A method that the class does not have kills the channel; nobody waits for ever. */
static void push_error_body(struct kunit *test, struct uvm_gpu *gpu)
{
	unsigned int order = 0;
	struct push_record r = { .order = &order }, late = { .order = &order };
	struct uvm_tracker t = UVM_TRACKER_INIT();
	struct uvm_push push, open;
	u32 *words;

	/* both before the channel can die: on the real clock it does so at once */
	KUNIT_EXPECT_EQ(test, uvm_push_begin(gpu, UVM_CHANNEL_MEMOPS, &open), 0);
	KUNIT_EXPECT_EQ(test, uvm_push_begin(gpu, UVM_CHANNEL_GPU_INTERNAL, &push), 0);
	words = uvm_push_words(&push, 2);
	words[0] = FIELD_PREP(HOST_HDR_OP, HOST_HDR_OP_INC) | FIELD_PREP(HOST_HDR_COUNT, 1) |
		   FIELD_PREP(HOST_HDR_SUBCH, HOST_SUBCH_CE) | (0x7f0 / 4);
	words[1] = 0;
	r.at[0] = uvm_push_timestamp(&push);
	r.ns[0] = 1;
	uvm_push_on_complete(&push, push_record_fn, &r);
	uvm_push_end(&push);
	KUNIT_EXPECT_EQ(test, uvm_tracker_add_push(&t, &push), 0);
	KUNIT_EXPECT_EQ(test, uvm_push_wait(&push), -EIO);
	/* What was not executed is finished all the same, with no time. */
	KUNIT_EXPECT_EQ(test, order, 1U);
	KUNIT_EXPECT_EQ(test, r.ns[0], 0ULL);
	KUNIT_EXPECT_TRUE(test, uvm_gpu_channel_error(gpu));
	/* A push that was open meanwhile ends, and is finished too. */
	uvm_push_on_complete(&open, push_record_fn, &late);
	uvm_push_end(&open);
	KUNIT_EXPECT_EQ(test, uvm_push_wait(&open), -EIO);
	KUNIT_EXPECT_EQ(test, order, 2U);
	KUNIT_EXPECT_EQ(test, uvm_tracker_wait(&t), -EIO);
	KUNIT_EXPECT_EQ(test, uvm_tracker_wait_killable(&t), -EIO);
	KUNIT_EXPECT_EQ(test, uvm_channels_wait_idle(gpu), -EIO);
	KUNIT_EXPECT_EQ(test, uvm_push_begin(gpu, UVM_CHANNEL_CPU_TO_GPU, &push), -EIO);
	KUNIT_EXPECT_EQ(test, uvm_push_begin_acquire(gpu, UVM_CHANNEL_MEMOPS, &t, &push), -EIO);
	KUNIT_EXPECT_EQ(test, order, 2U);
	uvm_tracker_deinit(&t);
	uvm_channels_exit(gpu);
	KUNIT_EXPECT_EQ(test, uvm_channels_init(gpu, 64), 0);
}

/* What kills every channel: a method that the copy class does not have. */
static u64 push_kill(struct kunit *test, struct uvm_gpu *gpu, struct uvm_tracker *owed)
{
	struct uvm_push push;
	u32 *words;

	KUNIT_EXPECT_EQ(test, uvm_push_begin(gpu, UVM_CHANNEL_GPU_INTERNAL, &push), 0);
	words = uvm_push_words(&push, 2);
	words[0] = FIELD_PREP(HOST_HDR_OP, HOST_HDR_OP_INC) | FIELD_PREP(HOST_HDR_COUNT, 1) |
		   FIELD_PREP(HOST_HDR_SUBCH, HOST_SUBCH_CE) | (0x7f0 / 4);
	words[1] = 0;
	uvm_push_end(&push);
	KUNIT_EXPECT_EQ(test, uvm_tracker_add_push(owed, &push), 0);
	KUNIT_EXPECT_EQ(test, uvm_push_wait(&push), -EIO);
	return push.value;
}

/*
 * Dead channels are replaced: what they owed counts as done, values go on from where they
 * were, so that no old tracker takes new work for its own, and everything can be done again,
 * more often than a ring has entries, and after each death.
 */
static void push_revive_body(struct kunit *test, struct uvm_gpu *gpu)
{
	struct uvm_tracker owed = UVM_TRACKER_INIT();
	unsigned int death, n;
	struct uvm_push push;
	u64 last;

	KUNIT_EXPECT_EQ(test, uvm_channels_revive(gpu), 0);	/* nothing to do */
	for (death = 0; death < 3; death++) {
		last = push_kill(test, gpu, &owed);
		KUNIT_EXPECT_FALSE(test, uvm_tracker_is_completed(&owed));
		KUNIT_EXPECT_EQ(test, uvm_channels_revive(gpu), 0);
		KUNIT_EXPECT_FALSE(test, uvm_gpu_channel_error(gpu));
		KUNIT_EXPECT_TRUE(test, uvm_tracker_is_completed(&owed));
		KUNIT_EXPECT_GE(test, gpu->channels.channels[UVM_CHANNELS - 1].queued, death + 2);
		for (n = 0; n < 100; n++) {
			if (uvm_push_begin(gpu, UVM_CHANNEL_GPU_INTERNAL, &push))
				break;
			KUNIT_EXPECT_EQ(test, uvm_push_end_and_wait(&push), 0);
		}
		KUNIT_EXPECT_EQ(test, n, 100);
		KUNIT_EXPECT_GT(test, push.value, last);
		KUNIT_EXPECT_EQ(test, uvm_channels_wait_idle(gpu), 0);
	}
	uvm_tracker_deinit(&owed);
}

/* A copy from an address that is not mapped: -EIO, and only this GPU's channels. */
static void push_dma_fault_body(struct kunit *test, struct uvm_gpu *gpu)
{
	u64 faults = rm_dma_faults(gpu->rm);
	struct push_memory m;
	struct uvm_push push;

	if (!push_memory_alloc(test, gpu, &m))
		return;
	KUNIT_EXPECT_EQ(test, uvm_push_begin(gpu, UVM_CHANNEL_CPU_TO_GPU, &push), 0);
	uvm_ce_memcopy(&push, m.vid, uvm_gpu_address_sys(0x1000), 4096);
	KUNIT_EXPECT_EQ(test, uvm_push_end_and_wait(&push), -EIO);
	KUNIT_EXPECT_GT(test, rm_dma_faults(gpu->rm), faults);
	push_memory_free(gpu, &m);
}

/* GPFIFO sizes: a power of two, at least 32 (nvidia-uvm, section 8). */
static void push_entries_body(struct kunit *test, struct uvm_gpu *gpu)
{
	static const unsigned int bad[] = { 0, 1, 16, 31, 33, 1000 };
	unsigned int i;

	uvm_channels_exit(gpu);
	for (i = 0; i < ARRAY_SIZE(bad); i++)
		KUNIT_EXPECT_EQ_MSG(test, uvm_channels_init(gpu, bad[i]), -EINVAL, "%u", bad[i]);
	KUNIT_EXPECT_EQ(test, uvm_channels_init(gpu, 32), 0);
}

static const struct push_live_case push_live_cases[] = {
	{ "copy", push_copy_body, 64 },
	{ "memset and inline data", push_memset_body, 64 },
	{ "acquire orders channels", push_acquire_body, 64 },
	{ "timestamps and completion", push_timestamp_body, 64 },
	{ "more pushes than room", push_many_body, 32 },
	{ "16 open pushes", push_open_body, 64 },
	{ "counter wraps", push_wrap_body, 64 },
	{ "channel error", push_error_body, 64 },
	{ "channels revived", push_revive_body, 32 },
	{ "DMA fault", push_dma_fault_body, 64 },
	{ "GPFIFO sizes", push_entries_body, 32 },
};

static void push_live_desc(const struct push_live_case *c, char *desc)
{
	strscpy(desc, c->name, KUNIT_PARAM_DESC_SIZE);
}

KUNIT_ARRAY_PARAM(push_live, push_live_cases, push_live_desc);

static void push_live_test(struct kunit *test)
{
	const struct push_live_case *c = test->param_value;
	struct live_gpu *live = live_gpu_enter(test, 0, c->entries);

	if (live->ready)
		c->body(test, &live->gpu);
	live_gpu_leave(test, live);
}

/* The same pushes take the same time: rule of the virtual clock. */
static void push_repeat_test(struct kunit *test)
{
	u64 took[2];
	unsigned int i;

	if (!sim_is_virtual())
		kunit_skip(test, "virtual clock only");
	for (i = 0; i < 2; i++) {
		struct live_gpu *live = live_gpu_enter(test, 0, 32);
		u64 start = sim_now();

		if (live->ready)
			push_many_body(test, &live->gpu);
		took[i] = sim_now() - start;
		live_gpu_leave(test, live);
	}
	KUNIT_EXPECT_GT(test, took[0], 0ULL);
	KUNIT_EXPECT_EQ(test, took[0], took[1]);
}

/* Work of another GPU is waited for before the push begins. */
static void push_two_gpus_test(struct kunit *test)
{
	struct live_gpu *second = kunit_kzalloc(test, sizeof(*second), GFP_KERNEL);
	struct uvm_tracker t = UVM_TRACKER_INIT();
	struct live_gpu *live;
	struct uvm_push push;

	KUNIT_ASSERT_NOT_NULL(test, second);
	if (rm_gpu_count() < 2)
		kunit_skip(test, "needs 2 GPUs");
	live = live_gpu_enter(test, 0, 64);
	second->gpu.rm = rm_gpu(1);
	second->gpu.index = 1;
	second->ready = live->ready && !uvm_channels_init(&second->gpu, 64);
	KUNIT_EXPECT_TRUE(test, second->ready);
	if (second->ready) {
		KUNIT_EXPECT_EQ(test, uvm_push_begin(&second->gpu, UVM_CHANNEL_MEMOPS, &push), 0);
		uvm_push_end(&push);
		KUNIT_EXPECT_EQ(test, uvm_tracker_add_push(&t, &push), 0);
		KUNIT_EXPECT_EQ(test, uvm_push_begin_acquire(&live->gpu, UVM_CHANNEL_MEMOPS, &t,
							     &push), 0);
		KUNIT_EXPECT_TRUE(test, uvm_tracker_is_empty(&t));
		KUNIT_EXPECT_EQ(test, uvm_push_end_and_wait(&push), 0);
		KUNIT_EXPECT_EQ(test, uvm_channels_wait_idle(&second->gpu), 0);
		uvm_channels_exit(&second->gpu);
	}
	uvm_tracker_deinit(&t);
	live_gpu_leave(test, live);
}

/* ---- memory of channels ---------------------------------------------- */

/* Without an address for it there is no memory either, and nothing is left mapped. */
static void push_channel_memory_test(struct kunit *test)
{
	u64 *va = kunit_kcalloc(test, 256, sizeof(*va), GFP_KERNEL);
	struct uvm_gpu_memory memory = {}, plain;
	struct rm_gpu *rm = rm_gpu(0);
	unsigned int count = 0;

	KUNIT_ASSERT_NOT_NULL(test, va);
	KUNIT_ASSERT_EQ(test, 0, uvm_gpu_memory_alloc(rm, PAGE_SIZE, &plain));
	KUNIT_EXPECT_EQ(test, 0, plain.va);
	while (count < 256 && !rm_va_map(rm, plain.iova, PAGE_SIZE, &va[count]))
		count++;
	KUNIT_EXPECT_EQ(test, -ENOMEM, uvm_gpu_memory_alloc_channel(rm, PAGE_SIZE, &memory));
	KUNIT_EXPECT_EQ(test, 0, memory.bytes);
	KUNIT_EXPECT_NULL(test, memory.cpu);
	uvm_gpu_memory_free(&memory);
	while (count)
		rm_va_unmap(rm, va[--count]);
	KUNIT_EXPECT_EQ(test, 0, uvm_gpu_memory_alloc_channel(rm, PAGE_SIZE, &memory));
	KUNIT_EXPECT_NE(test, 0, memory.va);
	uvm_gpu_memory_free(&memory);
	uvm_gpu_memory_free(&plain);
}

static struct kunit_case uvm_push_cases[] = {
	KUNIT_CASE(push_sem_test),
	KUNIT_CASE(push_pb_open_test),
	KUNIT_CASE(push_pb_ring_test),
	KUNIT_CASE_PARAM(push_live_test, push_live_gen_params),
	KUNIT_CASE(push_repeat_test),
	KUNIT_CASE(push_two_gpus_test),
	KUNIT_CASE(push_channel_memory_test),
	{ }
};

struct kunit_suite uvm_push_suite = {
	.name = "uvm_push",
	.test_cases = uvm_push_cases,
};
