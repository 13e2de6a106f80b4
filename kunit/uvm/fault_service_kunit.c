// SPDX-License-Identifier: GPL-2.0
/*
 * The bottom half's rules that need a device: when GET is written, when a run ends with a
 * replay, what a cancel waits for, what a further attempt asks again.
 */
#include <kunit/test.h>
#include <linux/bitfield.h>
#include <softgpu/host_class.h>
#include "softgpu/mmu/mmu.h"
#include "softgpu/mmu/mmu_mshr.h"
#include "uvm/block/block_thrashing.h"
#include "uvm/block/service.h"
#include "uvm/fault/fault.h"
#include "uvm/gpu/channel.h"
#include "uvm/gpu/gpu.h"
#include "uvm/gpu/hal.h"
#include "uvm/gpu/replay.h"
#include "uvm/policy/param.h"
#include "uvm/block/va_block.h"
#include "uvm/space/va_space.h"
#include "uvm/base/work.h"
#include "fake_device.h"

extern struct kunit_suite uvm_fault_service_suite;

/* A copy of a page within the GPU takes 4 ms. */
#define SET	"copy_internal_mbps:1,copy_internal_latency_ns:0"
#define COPY_NS	4000000
#define VA	0x10000000ULL
#define PAGE	7

/* A uvm GPU on a device of its own. */
struct service_test {
	struct fake_device *dev;
	struct rm_gpu_info info;
	struct uvm_gpu gpu;
	struct uvm_work work;
	struct sim_task self;
	bool ready;
};

static void service_batch(struct kunit *test, struct uvm_fault_batch *batch, unsigned int max,
			  const struct sgpu_mmu *mmu)
{
	batch->max = max;
	batch->gpu = UVM_ID_GPU(0);
	batch->geometry.utlb_count = mmu->utlb_count;
	batch->geometry.utlbs_per_gpc = mmu->utlbs_per_gpc;
	batch->geometry.clients_per_utlb = mmu->sms_per_utlb;
	batch->faults = kunit_kcalloc(test, max, sizeof(*batch->faults), GFP_KERNEL);
	batch->sorted = kunit_kcalloc(test, max, sizeof(*batch->sorted), GFP_KERNEL);
	batch->utlb_last = kunit_kcalloc(test, mmu->utlb_count, sizeof(*batch->utlb_last),
					 GFP_KERNEL);
	KUNIT_ASSERT_NOT_NULL(test, batch->faults);
	KUNIT_ASSERT_NOT_NULL(test, batch->sorted);
	KUNIT_ASSERT_NOT_NULL(test, batch->utlb_last);
}

/* From here to service_leave() the test is a participant: EXPECT only. */
static struct service_test *service_enter(struct kunit *test)
{
	struct service_test *s = kunit_kzalloc(test, sizeof(*s), GFP_KERNEL);
	struct uvm_fault_service *faults;

	KUNIT_ASSERT_NOT_NULL(test, s);
	s->dev = fake_device_create(test, SET);
	s->info.fault_ring = s->dev->gpu.faults.ring;
	s->info.fault_ring_entries = s->dev->gpu.faults.entries;
	s->gpu.rm = &s->dev->gpu;
	s->gpu.info = &s->info;
	s->gpu.id = UVM_ID_GPU(0);
	spin_lock_init(&s->gpu.instance_lock);
	INIT_LIST_HEAD(&s->gpu.gpu_va_spaces);
	faults = &s->gpu.faults;
	faults->gpu = &s->gpu;
	faults->entries = s->info.fault_ring_entries;
	uvm_replays_init(&s->gpu.replays);
	uvm_tracker_init(&faults->batch_tracker);
	uvm_tracker_init(&faults->replay_tracker);
	service_batch(test, &faults->batch, 64, &s->dev->gpu.mmu);
	sim_enter(&s->self);
	s->ready = !uvm_channels_init(&s->gpu, 64);
	KUNIT_EXPECT_TRUE(test, s->ready);
	uvm_work_begin(&s->work, NULL, NULL, UVM_PHASE_FETCH);
	return s;
}

static void service_leave(struct service_test *s)
{
	uvm_work_end(&s->work);
	if (s->ready) {
		uvm_channels_wait_idle(&s->gpu);
		uvm_channels_exit(&s->gpu);
	}
	uvm_tracker_deinit(&s->gpu.faults.batch_tracker);
	uvm_tracker_deinit(&s->gpu.faults.replay_tracker);
	sim_leave(&s->self);
}

static unsigned int service_fetch(struct service_test *s, enum uvm_fetch_mode mode)
{
	return uvm_fault_fetch(&s->gpu, 64, mode, &s->work);
}

/*
 * GET is written when it has moved, and then only (nvidia-uvm, write_get()).  The device
 * notes how many accesses have been issued by then.
 */
static void service_get(struct kunit *test)
{
	static const enum uvm_flush_mode modes[] = {
		UVM_FLUSH_CACHED_PUT, UVM_FLUSH_UPDATE_PUT, UVM_FLUSH_WAIT_UPDATE_PUT,
	};
	struct service_test *s = service_enter(test);
	struct sgpu_mmu *mmu = &s->dev->gpu.mmu;
	unsigned int i;

	for (i = 0; s->ready && i < ARRAY_SIZE(modes); i++)
		KUNIT_EXPECT_EQ(test, 0, uvm_fault_flush(&s->gpu, modes[i], &s->work));
	KUNIT_EXPECT_EQ(test, 0, service_fetch(s, UVM_FETCH_READY));
	KUNIT_EXPECT_EQ(test, 0, service_fetch(s, UVM_FETCH_ALL));
	KUNIT_EXPECT_EQ(test, U64_MAX, mmu->cancel_before);
	fake_issue(s->dev, 0, 0, VA, SGPU_READ);
	sim_charge(100000);
	KUNIT_EXPECT_EQ(test, 1, service_fetch(s, UVM_FETCH_READY));
	KUNIT_EXPECT_EQ(test, 1, mmu->cancel_before);
	KUNIT_EXPECT_EQ(test, 1, FIELD_GET(REG_FAULT_GET_INDEX,
					   rm_reg_read(s->gpu.rm, REG_FAULT_GET)));
	fake_issue(s->dev, 1, 0, VA + 4096, SGPU_READ);
	/* its record has not come yet */
	KUNIT_EXPECT_EQ(test, 0, service_fetch(s, UVM_FETCH_READY));
	KUNIT_EXPECT_EQ(test, 0, uvm_fault_flush(&s->gpu, UVM_FLUSH_UPDATE_PUT, &s->work));
	KUNIT_EXPECT_EQ(test, 1, mmu->cancel_before);
	sim_charge(100000);
	KUNIT_EXPECT_EQ(test, 1, uvm_fault_flush(&s->gpu, UVM_FLUSH_UPDATE_PUT, &s->work));
	KUNIT_EXPECT_EQ(test, 2, mmu->cancel_before);
	for (i = 0; i < 2; i++)
		sgpu_mmu_forget(&s->dev->gpu, &s->dev->accesses[i].access);
	service_leave(s);
}

/* A run that has issued no replay ends with a START, whatever it found (nvidia-uvm 2.3). */
static void service_last_replay(struct kunit *test)
{
	static const struct {
		const char *rule;
		bool owed;
		unsigned int issued;
		unsigned int want;
	} rows[] = {
		{ "nothing found", false, 0, 1 },
		{ "records, no replay", true, 0, 1 },
		{ "replayed", false, 1, 0 },
		{ "replayed before the last records", true, 1, 1 },
	};
	struct service_test *s = service_enter(test);
	struct uvm_fault_service *faults = &s->gpu.faults;
	unsigned int i;

	for (i = 0; s->ready && i < ARRAY_SIZE(rows); i++) {
		u64 replays = s->gpu.replays.count, replayed;

		if (rows[i].issued)
			uvm_fault_replay(&s->gpu, HOST_REPLAY_START, 0, &s->work);
		KUNIT_EXPECT_EQ(test, 0, uvm_tracker_wait(&faults->replay_tracker));
		sim_charge(100000);
		replayed = s->dev->gpu.mmu.replayed;
		faults->owed = rows[i].owed;
		uvm_fault_last_replay(&s->gpu, NULL, replays);
		KUNIT_EXPECT_EQ(test, 0, uvm_tracker_wait(&faults->replay_tracker));
		sim_charge(100000);
		KUNIT_EXPECT_EQ_MSG(test, replayed + rows[i].want, s->dev->gpu.mmu.replayed, "%s",
				    rows[i].rule);
		KUNIT_EXPECT_FALSE(test, faults->owed);
	}
	service_leave(s);
}

/* A VA space in which nothing is, to be looked up. */
static struct uvm_gpu_va_space *service_va_space(struct kunit *test)
{
	struct uvm_gpu_va_space *gvs = kunit_kzalloc(test, sizeof(*gvs), GFP_KERNEL);
	struct uvm_va_space *va_space = kunit_kzalloc(test, sizeof(*va_space), GFP_KERNEL);

	KUNIT_ASSERT_NOT_NULL(test, gvs);
	KUNIT_ASSERT_NOT_NULL(test, va_space);
	gvs->va_space = va_space;
	gvs->instance = FAKE_INSTANCE;
	va_space->id = 1;
	sim_rwsem_init(&va_space->lock);
	uvm_stats_init(&va_space->stats);
	uvm_params_defaults(&va_space->params);
	uvm_event_queues_init(&va_space->events);
	mutex_init(&va_space->thrashing.lock);
	return gvs;
}

/*
 * A cancel begins when the work of its batch is done: nvidia-uvm waits for the batch's
 * tracker before it flushes.
 */
static void service_cancel_waits(struct kunit *test)
{
	const struct uvm_gpu_address dst = { .aperture = RM_APERTURE_VID };
	struct uvm_gpu_va_space *gvs = service_va_space(test);
	struct service_test *s = service_enter(test);
	struct uvm_fault_service *faults = &s->gpu.faults;
	struct uvm_fault_run run = { .gpu = &s->gpu, .work = &s->work };
	u64 began = sim_now(), replayed = s->dev->gpu.mmu.replayed;
	struct uvm_push push;

	/* it has left the GPU meanwhile: nothing but flush and replay */
	list_add(&gvs->node, &s->gpu.gpu_va_spaces);
	KUNIT_EXPECT_EQ(test, 0, uvm_push_begin(&s->gpu, UVM_CHANNEL_GPU_INTERNAL, &push));
	uvm_ce_memset_8(&push, dst, 0, 4096);
	uvm_push_end(&push);
	KUNIT_EXPECT_EQ(test, 0, uvm_tracker_add_push(&faults->batch_tracker, &push));
	KUNIT_EXPECT_EQ(test, 0, uvm_fault_cancel(&run, FAKE_INSTANCE));
	KUNIT_EXPECT_GE(test, sim_now() - began, COPY_NS);
	KUNIT_EXPECT_EQ(test, 0, uvm_tracker_wait(&faults->replay_tracker));
	KUNIT_EXPECT_EQ(test, replayed + 1, s->dev->gpu.mmu.replayed);
	/* whose instance has gone is left alone, and nothing is waited for */
	KUNIT_EXPECT_EQ(test, 0, uvm_fault_cancel(&run, FAKE_INSTANCE - 4096));
	KUNIT_EXPECT_EQ(test, replayed + 1, s->dev->gpu.mmu.replayed);
	service_leave(s);
}

/* ---- what a further attempt asks again ------------------------------------ */

static const struct uvm_topology pcie = {
	.can_access = { [UVM_ID_CPU] = BIT(UVM_ID_CPU), [UVM_ID_GPU(0)] = 3 },
	.native_atomics = { [UVM_ID_CPU] = BIT(UVM_ID_CPU), [UVM_ID_GPU(0)] = 2 },
};

static void service_report(struct uvm_thrashing_ctx *ctx, enum uvm_thrashing_report what,
			   unsigned int page, unsigned int processor)
{
}

/* The CPU and the GPU have fought for the page, and it is the CPU's turn. */
static void service_fight(struct kunit *test, struct uvm_va_block *block)
{
	struct uvm_thrashing_params params;
	struct uvm_thrashing_ctx ctx = {
		.block = &block->thrashing, .params = &params,
		.lapse = &block->va_space->thrashing.lapse, .topology = &pcie,
		.report = service_report,
	};
	struct uvm_thrashing_fault fault = {
		.page = PAGE, .requester = UVM_ID_CPU, .preferred = UVM_ID_INVALID,
		.resident = UVM_ID_GPU(0), .residents = BIT(UVM_ID_GPU(0)),
	};
	unsigned int i;

	KUNIT_EXPECT_TRUE(test, uvm_thrashing_params_read(&block->va_space->params, &params));
	for (i = 0; i < 5; i++) {
		sim_charge(100000);
		ctx.now = sim_now();
		uvm_thrashing_migration(&ctx, i % 2 ? UVM_ID_GPU(0) : UVM_ID_CPU,
					uvm_region_make(PAGE, PAGE + 1), UVM_CAUSE_FAULT, false);
	}
	sim_charge(50000);
	ctx.now = sim_now();
	KUNIT_EXPECT_EQ(test, UVM_THRASHING_HINT_NONE, uvm_thrashing_hint(&ctx, &fault).hint);
}

static struct uvm_va_block *service_block(struct kunit *test, struct uvm_va_space *va_space)
{
	struct uvm_va_block *block = kunit_kzalloc(test, sizeof(*block), GFP_KERNEL);

	KUNIT_ASSERT_NOT_NULL(test, block);
	sim_mutex_init(&block->lock);
	mutex_init(&block->map_lock);
	block->va_space = va_space;
	block->start = VA;
	block->region = uvm_region_make(0, UVM_PAGES_PER_BLOCK);
	uvm_block_state_init(&block->state, block->region, &pcie);
	uvm_thrashing_init(&block->thrashing);
	INIT_LIST_HEAD(&block->pinned_node);
	return block;
}

static struct uvm_service *service_alloc(struct kunit *test, struct uvm_va_block *block)
{
	const struct uvm_service_request request = {
		.va_space = block->va_space,
		.block = block,
		.span.policy.preferred = UVM_ID_INVALID,
		.requester = UVM_ID_GPU(0),
	};
	struct uvm_service *service = uvm_service_alloc();

	KUNIT_ASSERT_NOT_NULL(test, service);
	uvm_service_begin(service, &request);
	return service;
}

/*
 * Who may go on is asked in each attempt (nvidia-uvm, inside the retry loop): an answer of
 * before an eviction is none.  A fault that was throttled already is told of once.
 */
static void service_asks_again(struct kunit *test)
{
	struct service_test *s = service_enter(test);
	struct uvm_gpu_va_space *gvs = service_va_space(test);
	struct uvm_va_block *block = service_block(test, gvs->va_space);
	struct uvm_service *service = service_alloc(test, block);
	struct uvm_fault_batch *batch = &s->gpu.faults.batch;
	struct uvm_fault_run run = { .gpu = &s->gpu, .work = &s->work };
	const struct uvm_fault_group group = { &run, gvs, 0, 1 };
	struct uvm_fault *fault = &batch->faults[0];

	fault->address = VA + PAGE * 4096;
	fault->access = UVM_ACCESS_READ;
	fault->access_mask = BIT(UVM_ACCESS_READ);
	fault->num_instances = 3;
	batch->sorted[0] = fault;
	gvs->gpu = &s->gpu;
	service_fight(test, block);
	sim_mutex_lock(&block->lock);
	KUNIT_EXPECT_EQ(test, 0, uvm_fault_attempt(service, &group));
	KUNIT_EXPECT_EQ(test, 1, run.throttled);
	KUNIT_EXPECT_EQ(test, 2, batch->nr_duplicates);
	service->result.retries = 1;
	KUNIT_EXPECT_EQ(test, 0, uvm_fault_attempt(service, &group));
	KUNIT_EXPECT_EQ(test, 1, run.throttled);
	/* as if the attempt before had found that it may go on */
	fault->throttled = false;
	service->result.retries = 2;
	KUNIT_EXPECT_EQ(test, 0, uvm_fault_attempt(service, &group));
	KUNIT_EXPECT_TRUE(test, fault->throttled);
	KUNIT_EXPECT_EQ(test, 2, run.throttled);
	KUNIT_EXPECT_EQ(test, 2, batch->nr_duplicates);
	sim_mutex_unlock(&block->lock);
	uvm_service_free(service);
	uvm_thrashing_deinit(&block->thrashing);
	service_leave(s);
}

static struct kunit_case service_kunit_cases[] = {
	KUNIT_CASE(service_get),
	KUNIT_CASE(service_last_replay),
	KUNIT_CASE(service_cancel_waits),
	KUNIT_CASE(service_asks_again),
	{}
};

struct kunit_suite uvm_fault_service_suite = {
	.name = "uvm_fault_service",
	.test_cases = service_kunit_cases,
};
