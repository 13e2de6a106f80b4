// SPDX-License-Identifier: GPL-2.0
/*
 * Evictions beside migrations: units of GPU memory are copied out, and new bytes are
 * copied into each as soon as it is free, while the copies out finish late, in every
 * order.  What orders them is the tracker that goes with a unit (uvm/memory/pmm_tracker.c).
 */
#include "uvm_gpu_fixture.h"
#include "uvm/memory/pmm_priv.h"

#define UNITS		4
#define UNIT_BYTES	(64 * 1024)
/* one word in each line of a unit stands for it */
#define STEP		4096
#define OLD(unit)	(0x01010101U * ((unit) + 1))
#define NEW(unit)	(0x10101010U * ((unit) + 1))

/**
 * struct pipeline - units that are being replaced
 * @gpu: the GPU
 * @roots: the frame, as the allocator knows it
 * @chunk: the units: number i is 64 KB of it
 * @frame: their memory
 * @out: where they are copied to
 * @in: what they get
 * @look: to look at GPU memory
 * @gates: a word per unit: its copy out waits for 1
 * @evict: copies out
 * @fill: copies in
 */
struct pipeline {
	struct uvm_gpu *gpu;
	struct uvm_chunk *roots;
	struct uvm_chunk chunk[UNITS];
	u64 frame;
	struct uvm_gpu_memory out;
	struct uvm_gpu_memory in;
	struct uvm_gpu_memory look;
	struct uvm_gpu_memory gates;
	struct uvm_push evict[UNITS];
	struct uvm_push fill[UNITS];
};

static struct uvm_gpu_address pipeline_unit(const struct pipeline *p, unsigned int unit)
{
	return uvm_gpu_address_vid(p->frame + unit * UNIT_BYTES);
}

static void pipeline_paint(void *cpu, u32 value)
{
	memset32(cpu, value, UNIT_BYTES / sizeof(u32));
}

/* Does memory hold one value throughout?  Else which it holds where it does not. */
static u32 pipeline_value(const void *cpu)
{
	const u32 *words = cpu;
	unsigned int i;

	for (i = 0; i < UNIT_BYTES / sizeof(u32); i += STEP / sizeof(u32))
		if (words[i] != words[0])
			return words[i] ^ words[0];
	return words[0];
}

/* What a unit holds now, by a channel that waits for none of the others. */
static u32 pipeline_look(struct pipeline *p, unsigned int unit)
{
	struct uvm_push push;

	if (uvm_push_begin(p->gpu, UVM_CHANNEL_GPU_INTERNAL, &push))
		return 0;
	uvm_ce_memcopy(&push, uvm_gpu_memory_address(&p->look, 0), pipeline_unit(p, unit),
		       UNIT_BYTES);
	if (uvm_push_end_and_wait(&push))
		return 0;
	return pipeline_value(p->look.cpu);
}

static int pipeline_open_gate(struct pipeline *p, unsigned int unit)
{
	struct uvm_push push;
	int ret = uvm_push_begin(p->gpu, UVM_CHANNEL_MEMOPS, &push);

	if (ret)
		return ret;
	uvm_ce_semaphore_release(&push, p->gates.va + 16 * unit, 1);
	return uvm_push_end_and_wait(&push);
}

/* Copy a unit out, when its gate opens; the unit remembers it. */
static int pipeline_evict(struct pipeline *p, unsigned int unit)
{
	struct uvm_tracker tracker = UVM_TRACKER_INIT();
	struct uvm_push *push = &p->evict[unit];
	int ret = uvm_push_begin(p->gpu, UVM_CHANNEL_GPU_TO_CPU, push);

	if (ret)
		return ret;
	uvm_host_semaphore_acquire(push, p->gates.va + 16 * unit, 1);
	uvm_ce_memcopy(push, uvm_gpu_memory_address(&p->out, unit * UNIT_BYTES),
		       pipeline_unit(p, unit), UNIT_BYTES);
	uvm_push_end(push);
	ret = uvm_tracker_add_push(&tracker, push);
	uvm_pmm_leave_tracker(p->gpu, &p->chunk[unit], &tracker);
	uvm_tracker_deinit(&tracker);
	return ret;
}

/* Copy new bytes into a unit, behind whatever it remembers. */
static int pipeline_fill(struct pipeline *p, unsigned int unit)
{
	struct uvm_tracker tracker = UVM_TRACKER_INIT();
	struct uvm_push *push = &p->fill[unit];
	int ret;

	ret = uvm_pmm_add_tracker(p->gpu, &p->chunk[unit], &tracker);
	if (!ret)
		ret = uvm_push_begin_acquire(p->gpu, UVM_CHANNEL_CPU_TO_GPU, &tracker, push);
	uvm_tracker_deinit(&tracker);
	if (ret)
		return ret;
	uvm_ce_memcopy(push, pipeline_unit(p, unit),
		       uvm_gpu_memory_address(&p->in, unit * UNIT_BYTES), UNIT_BYTES);
	uvm_push_end(push);
	return 0;
}

/* Old bytes everywhere, gates shut, evictions and fills queued in turn. */
static int pipeline_start(struct pipeline *p)
{
	struct uvm_push push;
	unsigned int i;
	int ret = uvm_push_begin(p->gpu, UVM_CHANNEL_GPU_INTERNAL, &push);

	if (ret)
		return ret;
	for (i = 0; i < UNITS; i++)
		uvm_ce_memset_4(&push, pipeline_unit(p, i), OLD(i), UNIT_BYTES);
	ret = uvm_push_end_and_wait(&push);
	memset(p->gates.cpu, 0, p->gates.bytes);
	memset(p->out.cpu, 0, p->out.bytes);
	for (i = 0; i < UNITS && !ret; i++) {
		ret = pipeline_evict(p, i);
		if (!ret)
			ret = pipeline_fill(p, i);
	}
	return ret;
}

/*
 * Work of a channel is in order, and the channels of a type take turns: a copy out is
 * through when its gate is open and those before it on its channel are through.
 */
static bool pipeline_is_out(const struct pipeline *p, unsigned long open, unsigned int unit)
{
	unsigned int i;

	for (i = 0; i <= unit; i++)
		if (p->evict[i].channel == p->evict[unit].channel && !(open & BIT(i)))
			return false;
	return true;
}

static bool pipeline_is_in(const struct pipeline *p, unsigned long open, unsigned int unit)
{
	unsigned int i;

	for (i = 0; i <= unit; i++)
		if (p->fill[i].channel == p->fill[unit].channel && !pipeline_is_out(p, open, i))
			return false;
	return true;
}

/* Nothing was overwritten that is not out, and nothing waits for a neighbour. */
static void pipeline_check(struct kunit *test, struct pipeline *p, unsigned long open)
{
	unsigned int i;

	for (i = 0; i < UNITS; i++) {
		if (!pipeline_is_in(p, open, i)) {
			/* what still has to go out is there */
			if (!pipeline_is_out(p, open, i))
				KUNIT_EXPECT_EQ_MSG(test, pipeline_look(p, i), OLD(i),
						    "unit %u, open %lx", i, open);
			continue;
		}
		KUNIT_EXPECT_EQ_MSG(test, uvm_push_wait(&p->fill[i]), 0, "unit %u, open %lx",
				    i, open);
		KUNIT_EXPECT_EQ_MSG(test, pipeline_value(p->out.cpu + i * UNIT_BYTES), OLD(i),
				    "unit %u, open %lx", i, open);
		KUNIT_EXPECT_EQ_MSG(test, pipeline_look(p, i), NEW(i), "unit %u, open %lx", i,
				    open);
	}
}

static void pipeline_run(struct kunit *test, struct pipeline *p, const unsigned int *order)
{
	unsigned long open = 0;
	unsigned int i;

	KUNIT_EXPECT_EQ(test, pipeline_start(p), 0);
	pipeline_check(test, p, open);
	for (i = 0; i < UNITS; i++) {
		KUNIT_EXPECT_EQ(test, pipeline_open_gate(p, order[i]), 0);
		open |= BIT(order[i]);
		pipeline_check(test, p, open);
	}
}

/* All orders of UNITS gates. */
static void pipeline_orders(struct kunit *test, struct pipeline *p)
{
	unsigned int n, i, k, rest, order[UNITS], left[UNITS];

	for (n = 0; n < 24; n++) {
		for (i = 0; i < UNITS; i++)
			left[i] = i;
		for (i = 0, rest = n; i < UNITS; i++) {
			k = rest % (UNITS - i);
			rest /= UNITS - i;
			order[i] = left[k];
			memmove(&left[k], &left[k + 1], (UNITS - 1 - k) * sizeof(left[0]));
		}
		pipeline_run(test, p, order);
	}
}

static bool pipeline_alloc(struct pipeline *p)
{
	struct rm_gpu *rm = p->gpu->rm;
	struct uvm_pmm *pmm = &p->gpu->pmm;
	bool zeroed;

	pmm->gpu = p->gpu;
	mutex_init(&pmm->lock);
	pmm->pool.unit = UVM_CHUNK_64K;
	pmm->pool.roots = p->roots;
	pmm->pool.nr_roots = 1;
	return !uvm_pmm_trackers_init(pmm, 1) &&
	       !uvm_gpu_memory_alloc(rm, UNITS * UNIT_BYTES, &p->out) &&
	       !uvm_gpu_memory_alloc(rm, UNITS * UNIT_BYTES, &p->in) &&
	       !uvm_gpu_memory_alloc(rm, UNIT_BYTES, &p->look) &&
	       !uvm_gpu_memory_alloc_channel(rm, PAGE_SIZE, &p->gates) &&
	       rm_pma_alloc(rm, 1, RM_PMA_PINNED | RM_PMA_DONT_EVICT, &p->frame, &zeroed) == 1;
}

static void pipeline_free(struct pipeline *p)
{
	if (p->frame != U64_MAX)
		rm_pma_free(p->gpu->rm, 1, &p->frame);
	uvm_gpu_memory_free(&p->gates);
	uvm_gpu_memory_free(&p->look);
	uvm_gpu_memory_free(&p->in);
	uvm_gpu_memory_free(&p->out);
	if (p->gpu->pmm.trackers)
		uvm_pmm_trackers_exit(&p->gpu->pmm);
}

static void eviction_pipeline_every_order(struct kunit *test)
{
	struct pipeline *p = kunit_kzalloc(test, sizeof(*p), GFP_KERNEL);
	struct live_gpu *live;
	unsigned int i;

	KUNIT_ASSERT_NOT_NULL(test, p);
	p->roots = kunit_kzalloc(test, sizeof(*p->roots), GFP_KERNEL);
	KUNIT_ASSERT_NOT_NULL(test, p->roots);
	live = live_gpu_enter(test, 0, 64);
	p->gpu = &live->gpu;
	p->frame = U64_MAX;
	if (live->ready && pipeline_alloc(p)) {
		for (i = 0; i < UNITS; i++) {
			p->chunk[i].pa = i * UNIT_BYTES;
			p->chunk[i].size = UVM_CHUNK_64K;
			p->chunk[i].parent = p->roots;
			pipeline_paint(p->in.cpu + i * UNIT_BYTES, NEW(i));
		}
		pipeline_orders(test, p);
	} else {
		KUNIT_FAIL(test, "no memory");
	}
	uvm_channels_wait_idle(p->gpu);
	pipeline_free(p);
	live_gpu_leave(test, live);
}

static struct kunit_case eviction_pipeline_cases[] = {
	KUNIT_CASE_SLOW(eviction_pipeline_every_order),
	{ }
};

struct kunit_suite uvm_eviction_pipeline_suite = {
	.name = "uvm_eviction_pipeline",
	.test_cases = eviction_pipeline_cases,
};
