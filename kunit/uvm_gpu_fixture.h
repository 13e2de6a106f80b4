/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What the suites of uvm's hardware side share: a push that goes nowhere, to
 * look at its words, and a uvm GPU with channels of its own on the loaded
 * device, to execute pushes.
 *
 * A case that executes runs between enter and leave: it holds the baton, so it
 * uses EXPECT and returns; no ASSERT.
 */
#ifndef KUNIT_UVM_GPU_FIXTURE_H
#define KUNIT_UVM_GPU_FIXTURE_H

#include <kunit/test.h>
#include <linux/bitfield.h>
#include "../uvm/gpu.h"
#include "../uvm/hal.h"
#include "../uvm/push.h"

extern struct kunit_suite uvm_eviction_pipeline_suite;
extern struct kunit_suite uvm_hal_suite;
extern struct kunit_suite uvm_page_tree_suite;
extern struct kunit_suite uvm_pte_batch_suite;
extern struct kunit_suite uvm_push_suite;
extern struct kunit_suite uvm_tlb_batch_suite;
extern struct kunit_suite uvm_tracker_suite;

/* One data word of a push, with the method it goes to. */
struct push_method {
	u32 subch;
	u32 method;
	u32 data;
};

/* ---- a push that goes nowhere ---------------------------------------- */

#define FAKE_IOVA	0x123400000ULL
#define FAKE_VA		0x7654200000ULL
#define FAKE_METHODS	256

struct fake_push {
	struct uvm_gpu gpu;
	struct uvm_channel channel;
	struct uvm_push push;
	struct push_method methods[FAKE_METHODS];
};

static inline struct fake_push *fake_push_alloc(struct kunit *test)
{
	struct fake_push *fake = kunit_kzalloc(test, sizeof(*fake), GFP_KERNEL);
	struct uvm_pushbuffer *pb;

	KUNIT_ASSERT_NOT_NULL(test, fake);
	pb = &fake->gpu.channels.pushbuffer;
	pb->memory.cpu = kunit_kzalloc(test, UVM_PUSH_MAX_BYTES, GFP_KERNEL);
	KUNIT_ASSERT_NOT_NULL(test, pb->memory.cpu);
	pb->memory.iova = FAKE_IOVA;
	pb->memory.va = FAKE_VA;
	fake->channel.gpu = &fake->gpu;
	uvm_push_open(&fake->push, &fake->channel, 0);
	return fake;
}

static inline unsigned int fake_push_count(const struct fake_push *fake)
{
	return fake->push.next - fake->push.begin;
}

/* Decode the push into methods, NOP data left out; returns how many. */
static inline unsigned int fake_push_decode(struct fake_push *fake)
{
	struct push_method *out = fake->methods;
	const u32 *p = fake->push.begin;
	unsigned int n = 0;

	while (p < fake->push.next) {
		u32 header = *p++;
		u32 op = FIELD_GET(HOST_HDR_OP, header);
		u32 method = FIELD_GET(HOST_HDR_METHOD, header) * 4;
		u32 count = FIELD_GET(HOST_HDR_COUNT, header);

		for (; count && p < fake->push.next; count--, p++) {
			if (method != HOST_NOP && n < FAKE_METHODS)
				out[n++] = (struct push_method){
					FIELD_GET(HOST_HDR_SUBCH, header), method, *p,
				};
			if (op == HOST_HDR_OP_INC)
				method += 4;
		}
	}
	return n;
}

/* ---- the loaded device ----------------------------------------------- */

struct live_gpu {
	struct uvm_gpu gpu;
	struct sim_task self;
	bool ready;
};

static inline struct live_gpu *live_gpu_enter(struct kunit *test, unsigned int index,
					      unsigned int entries)
{
	struct live_gpu *live = kunit_kzalloc(test, sizeof(*live), GFP_KERNEL);

	KUNIT_ASSERT_NOT_NULL(test, live);
	if (index >= rm_gpu_count())
		kunit_skip(test, "needs %u GPUs", index + 1);
	live->gpu.rm = rm_gpu(index);
	live->gpu.info = rm_gpu_info(live->gpu.rm);
	live->gpu.index = index;
	live->gpu.id = UVM_ID_GPU(index);
	sim_enter(&live->self);
	live->ready = !uvm_channels_init(&live->gpu, entries);
	KUNIT_EXPECT_TRUE(test, live->ready);
	return live;
}

static inline void live_gpu_leave(struct kunit *test, struct live_gpu *live)
{
	if (live->ready) {
		uvm_channels_wait_idle(&live->gpu);
		uvm_channels_exit(&live->gpu);
	}
	sim_leave(&live->self);
}

/* Bytes of device-visible memory, copied out by the GPU. */
static inline int live_read(struct uvm_gpu *gpu, struct uvm_gpu_address src, void *to, size_t bytes)
{
	struct uvm_gpu_memory memory;
	struct uvm_push push;
	int ret;

	ret = uvm_gpu_memory_alloc(gpu->rm, bytes, &memory);
	if (ret)
		return ret;
	ret = uvm_push_begin(gpu, UVM_CHANNEL_GPU_TO_CPU, &push);
	if (!ret) {
		uvm_ce_memcopy(&push, uvm_gpu_memory_address(&memory, 0), src, bytes);
		ret = uvm_push_end_and_wait(&push);
		memcpy(to, memory.cpu, bytes);
	}
	uvm_gpu_memory_free(&memory);
	return ret;
}

#endif
