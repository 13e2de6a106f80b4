// SPDX-License-Identifier: GPL-2.0
/*
 * Physical memory of a GPU: the policies in force, what they are told, and what they need of
 * the device.
 */
#include <linux/debugfs.h>
#include <linux/seq_file.h>
#include <linux/bitfield.h>
#include <softgpu/regs.h>
#include "base/event.h"
#include "base/trace.h"
#include "base/work.h"
#include "gpu/gpu.h"
#include "memory/pmm_policy.h"
#include "memory/pmm_stays.h"
#include "policy/lib/recorder.h"
#include "policy/param.h"
#include "policy/policy.h"
#include "space/va_space_types.h"

/* ---- the device ---------------------------------------------------------- */

static u32 uvm_pmm_now(void *data)
{
	struct uvm_pmm *pmm = data;

	return 1 + ((sim_now() - pmm->accessed_start) >> REG_ACCESSED_TICK_SHIFT);
}

static u32 uvm_pmm_last_access(void *data, const struct uvm_chunk *unit)
{
	struct uvm_pmm *pmm = data;

	return rm_reg_read(pmm->gpu->rm, unit->size == UVM_CHUNK_2M ?
			   REG_ACCESSED_2M(unit->pa >> UVM_BLOCK_SHIFT) :
			   REG_ACCESSED_64K(unit->pa >> UVM_BIG_PAGE_SHIFT));
}

/* What a VA space that is on the GPU keeps of a range. */
static bool uvm_pmm_read_range(void *data, const struct uvm_range_state *state, u64 va_space,
			       u64 va, uvm_range_read_fn read, void *arg)
{
	struct uvm_pmm *pmm = data;
	struct uvm_gpu_va_space *gvs;
	bool found = false;

	spin_lock(&pmm->gpu->instance_lock);
	list_for_each_entry(gvs, &pmm->gpu->gpu_va_spaces, node) {
		if (gvs->va_space->id != va_space)
			continue;
		spin_lock(&gvs->va_space->range_lock);
		found = uvm_range_states_read(&gvs->va_space->range_states, state, va, read, arg);
		spin_unlock(&gvs->va_space->range_lock);
	}
	spin_unlock(&pmm->gpu->instance_lock);
	return found;
}

void uvm_pmm_policy_init(struct uvm_pmm *pmm)
{
	pmm->pool.range = uvm_pmm_read_range;
	pmm->pool.now = uvm_pmm_now;
	pmm->pool.last_access = uvm_pmm_last_access;
}

/* Where in a tick a run begins must not tell in what it does. */
static void uvm_pmm_start_ticks(struct uvm_pmm *pmm)
{
	lockdep_assert_held(&pmm->lock);
	pmm->accessed_start = sim_now();
	rm_reg_write(pmm->gpu->rm, REG_ACCESSED_START, 1);
}

static void uvm_pmm_set_extensions(struct uvm_pmm *pmm)
{
	u32 ours = REG_CAP_ACCESSED | REG_CAP_FREE_EVICTION | REG_CAP_RECORDER, wanted = 0;
	const struct uvm_params *params = pmm->pool.evictor->ctx.params;

	lockdep_assert_held(&pmm->lock);
	rm_reg_write(pmm->gpu->rm, REG_RECORDER_CONFIG,
		     uvm_recorder_config(params, pmm->feeds));
	if (pmm->feeds & UVM_RECORDER_FEEDS)
		wanted |= REG_CAP_RECORDER;
	if (pmm->feeds & UVM_FEED_ACCESSED)
		wanted |= REG_CAP_ACCESSED;
	if (pmm->timing->free)
		wanted |= REG_CAP_FREE_EVICTION;
	uvm_gpu_set_extensions(pmm->gpu, ours, wanted);
}

/* ---- what the timing wants ------------------------------------------------- */

unsigned int uvm_pmm_units(const struct uvm_pmm *pmm, unsigned int frames)
{
	return frames * (UVM_BLOCK_SIZE / uvm_chunk_bytes(READ_ONCE(pmm->pool.unit)));
}

struct uvm_timing_query uvm_pmm_timing_query(struct uvm_pmm *pmm)
{
	lockdep_assert_held(&pmm->lock);
	return (struct uvm_timing_query){
		.units = uvm_chunk_pool_units(&pmm->pool),
		.free = READ_ONCE(pmm->pool.room),
		.taken = DIV_ROUND_UP_ULL(pmm->taken_last, uvm_chunk_bytes(pmm->pool.unit)),
		.number = pmm->timing_number,
	};
}

void uvm_pmm_plan_ahead(struct uvm_pmm *pmm)
{
	struct uvm_timing_query query = uvm_pmm_timing_query(pmm);

	WRITE_ONCE(pmm->ahead, pmm->timing->before ?
		   uvm_policy_check_timing(&query, pmm->timing->before(&query)) : 0);
}

/* ---- which are in force --------------------------------------------------- */

int uvm_pmm_use_evictor(struct uvm_pmm *pmm, const struct uvm_eviction_ops *ops,
			const struct uvm_params *params)
{
	struct uvm_chunk_pool *pool = &pmm->pool;
	struct uvm_evictor_memory memory = {
		.view = &uvm_chunk_pool_view, .memory = pool,
		.params = params, .plan = pmm->stays ? &pmm->stays->plan : NULL,
		.nr_units = uvm_chunk_pool_nr_units(pool),
		.unit_pages = uvm_chunk_bytes(pool->unit) >> UVM_PAGE_SHIFT,
	};
	struct uvm_evictor *evictor;

	lockdep_assert_held(&pmm->lock);
	evictor = uvm_evictor_create(ops, &memory);
	if (!evictor)
		return -ENOMEM;
	evictor->inject = &pmm->wrong_victims;
	uvm_evictor_destroy(pool->evictor);
	uvm_chunk_pool_set_evictor(pool, evictor);
	pmm->ejected = NULL;
	WRITE_ONCE(pmm->wants_pages, uvm_evictor_wants_pages(evictor));
	WRITE_ONCE(pmm->wants_launches, ops->launch_begin || ops->launch_end);
	WRITE_ONCE(pmm->takes_more, ops->also);
	WRITE_ONCE(pmm->refuses, ops->refuse);
	WRITE_ONCE(pmm->feeds, ops->policy.feeds);
	memset(&pmm->recorder, 0, sizeof(pmm->recorder));
	WRITE_ONCE(pmm->full, false);
	return 0;
}

static void uvm_pmm_set_timing(struct uvm_pmm *pmm, const struct uvm_params *params)
{
	lockdep_assert_held(&pmm->lock);
	const struct uvm_timing_ops *timing = READ_ONCE(params->eviction_timing);

	pmm->timing_number = timing->number ? uvm_policy_param(params, timing->number) : 0;
	pmm->pool.refresh = uvm_chunk_size_of(READ_ONCE(params->eviction_refresh_size));
	WRITE_ONCE(pmm->timing, timing);
	if (!pmm->timing->before && !pmm->timing->after)
		WRITE_ONCE(pmm->kept, 0);
	uvm_pmm_plan_ahead(pmm);
	uvm_pmm_set_extensions(pmm);
}

/* Does the policy that is wanted begin? */
static bool uvm_pmm_begins(const struct uvm_pmm *pmm, const struct uvm_eviction_ops *ops,
			   enum uvm_eviction_change change)
{
	if (ops == pmm->pool.evictor->ops)
		return change == UVM_EVICTION_PARAM;
	return change == UVM_EVICTION_CHOSEN || ops != pmm->ejected;
}

int uvm_pmm_set_eviction(struct uvm_gpu *gpu, const struct uvm_params *params,
			 enum uvm_eviction_change change)
{
	const struct uvm_eviction_ops *ops = READ_ONCE(params->eviction_policy);
	struct uvm_pmm *pmm = &gpu->pmm;
	int ret = 0;

	mutex_lock(&pmm->lock);
	if (uvm_pmm_begins(pmm, ops, change))
		ret = uvm_pmm_use_evictor(pmm, ops, params);
	if (!ret)
		uvm_pmm_set_timing(pmm, params);
	mutex_unlock(&pmm->lock);
	return ret;
}

int uvm_pmm_reset_policy(struct uvm_gpu *gpu, const struct uvm_params *params)
{
	struct uvm_pmm *pmm = &gpu->pmm;
	int ret;

	mutex_lock(&pmm->lock);
	uvm_pmm_start_ticks(pmm);
	memset(&pmm->prefetch, 0, sizeof(pmm->prefetch));
	pmm->taken = 0;
	pmm->taken_last = 0;
	memset(&pmm->traffic, 0, sizeof(pmm->traffic));
	WRITE_ONCE(pmm->kept, 0);
	ret = uvm_pmm_use_evictor(pmm, READ_ONCE(params->eviction_policy), params);
	if (!ret)
		uvm_pmm_set_timing(pmm, params);
	mutex_unlock(&pmm->lock);
	return ret;
}

void uvm_pmm_forget_stays(struct uvm_pmm *pmm)
{
	lockdep_assert_held(&pmm->lock);
	pmm->pool.evictor->ctx.plan = NULL;
	uvm_stays_free(pmm->stays);
	pmm->stays = NULL;
}

/* The number of a policy among the choices of its parameter. */
static unsigned int uvm_pmm_policy_choice(const struct uvm_policy *policy)
{
	unsigned int i = 0;

	while (uvm_policy_nth(policy->kind, i) != policy)
		i++;
	return i;
}

static void uvm_pmm_tell_ejected(struct uvm_pmm *pmm, const struct uvm_policy *policy,
				 unsigned int wrong)
{
	struct uvm_gpu *gpu = pmm->gpu;
	struct uvm_gpu_va_space *gvs;
	struct uvm_event ev = {
		.type = UVM_EVENT_POLICY_EJECTED,
		.gpu = gpu->index,
		.time_ns = sim_now(),
		.count = wrong,
		.value = uvm_pmm_policy_choice(policy),
		.cause = UVM_CAUSE_POLICY,
	};

	trace_uvm_policy_ejected(ev.time_ns, gpu->index, policy->name, wrong);
	spin_lock(&gpu->instance_lock);
	list_for_each_entry(gvs, &gpu->gpu_va_spaces, node)
		uvm_events_emit(&gvs->va_space->events, &ev);
	spin_unlock(&gpu->instance_lock);
}

void uvm_pmm_eject(struct uvm_pmm *pmm)
{
	const struct uvm_eviction_ops *ops = pmm->pool.evictor->ops;
	unsigned int wrong = pmm->pool.evictor->wrong;
	const struct uvm_policy *instead = uvm_policy_default(UVM_POLICY_eviction);

	lockdep_assert_held(&pmm->lock);
	if (wrong < UVM_EVICTION_WRONG || &ops->policy == instead)
		return;
	if (uvm_pmm_use_evictor(pmm, container_of(instead, struct uvm_eviction_ops, policy),
				pmm->pool.evictor->ctx.params))
		return;
	pmm->ejected = ops;
	uvm_pmm_set_extensions(pmm);
	uvm_pmm_tell_ejected(pmm, &ops->policy, wrong);
}

/* ---- what they are told --------------------------------------------------- */

u64 uvm_pmm_policy_ns(struct uvm_pmm *pmm, u64 readings)
{
	struct uvm_eviction_spent spent = uvm_evictor_take_spent(pmm->pool.evictor);

	lockdep_assert_held(&pmm->lock);
	return (pmm->pool.readings - readings) * uvm_cost(pmm->gpu, accessed) +
	       uvm_evictor_take_calls(pmm->pool.evictor) * uvm_cost(pmm->gpu, policy) +
	       spent.compared * uvm_cost(pmm->gpu, policy_compare) +
	       spent.records * uvm_cost(pmm->gpu, policy_record) +
	       spent.classified * uvm_cost(pmm->gpu, policy_classify);
}

void uvm_pmm_tell_launch(struct uvm_gpu *gpu, const struct uvm_eviction_launch *launch,
			 bool begins)
{
	struct uvm_pmm *pmm = &gpu->pmm;

	if (likely(!READ_ONCE(pmm->wants_launches)))
		return;
	mutex_lock(&pmm->lock);
	uvm_evictor_launch(pmm->pool.evictor, launch, begins);
	mutex_unlock(&pmm->lock);
}

void uvm_pmm_tell_remote(struct uvm_gpu *gpu, struct uvm_eviction_touch *touch,
			 struct uvm_work *work)
{
	struct uvm_pmm *pmm = &gpu->pmm;
	u64 ns;

	if (!uvm_pmm_counts_remote(pmm))
		return;
	mutex_lock(&pmm->lock);
	ns = pmm->pool.readings;
	touch->when = uvm_eviction_now(&pmm->pool.evictor->ctx);
	uvm_evictor_touch(pmm->pool.evictor, UVM_UNIT_NONE, touch);
	ns = uvm_pmm_policy_ns(pmm, ns);
	mutex_unlock(&pmm->lock);
	uvm_work_charge(work, UVM_PHASE_EVICT, ns);
}

unsigned int uvm_pmm_tell_ranges(struct uvm_gpu_va_space *gvs,
				 const struct uvm_range_touch *touch)
{
	struct uvm_va_space *va_space = gvs->va_space;
	unsigned int calls;

	if (!uvm_range_states_any(&va_space->range_states))
		return 0;
	spin_lock(&va_space->range_lock);
	calls = uvm_range_states_touch(&va_space->range_states, touch);
	spin_unlock(&va_space->range_lock);
	return calls;
}

unsigned int uvm_pmm_occupancy(struct uvm_gpu *gpu)
{
	struct uvm_pmm *pmm = &gpu->pmm;
	u64 used, all;

	mutex_lock(&pmm->lock);
	used = (u64)(uvm_chunk_pool_units(&pmm->pool) - pmm->pool.room) *
	       uvm_chunk_bytes(pmm->pool.unit);
	all = pmm->limit ?: gpu->info->vram_bytes;
	mutex_unlock(&pmm->lock);
	return min_t(u64, div64_u64(used * 1000, all), 1000);
}

void uvm_pmm_also(struct uvm_gpu *gpu, const struct uvm_chunk *chunk,
		  const struct uvm_eviction_victim *victim, struct uvm_page_mask *pages)
{
	struct uvm_pmm *pmm = &gpu->pmm;

	if (likely(!READ_ONCE(pmm->takes_more)))
		return;
	mutex_lock(&pmm->lock);
	uvm_evictor_also(pmm->pool.evictor, uvm_chunk_unit_number(&pmm->pool, chunk), victim,
			 pages);
	mutex_unlock(&pmm->lock);
}

void uvm_pmm_refuse(struct uvm_gpu *gpu, struct uvm_eviction_prefetch *prefetch,
		    struct uvm_page_mask *pages)
{
	struct uvm_pmm *pmm = &gpu->pmm;

	if (likely(!READ_ONCE(pmm->refuses)) || !READ_ONCE(pmm->dry))
		return;
	mutex_lock(&pmm->lock);
	prefetch->free = pmm->pool.room;
	uvm_evictor_refuse(pmm->pool.evictor, prefetch, pages);
	mutex_unlock(&pmm->lock);
}

static void uvm_pmm_tell_arrival(struct uvm_pmm *pmm, const struct uvm_arrivals *arrivals,
				 unsigned int i)
{
	struct uvm_eviction_page page = {
		.va = arrivals->va + ((u64)i << UVM_PAGE_SHIFT),
		.va_space = arrivals->va_space,
		.demanded = uvm_page_mask_test(arrivals->demanded, i),
		.returned = uvm_page_mask_test(arrivals->returned, i),
	};

	uvm_evictor_arrive(pmm->pool.evictor,
			   uvm_chunk_unit_number(&pmm->pool, arrivals->chunks[i]), &page);
}

void uvm_pmm_tell_arrivals(struct uvm_gpu *gpu, const struct uvm_arrivals *arrivals,
			   struct uvm_work *work)
{
	struct uvm_pmm *pmm = &gpu->pmm;
	unsigned int i;
	u64 ns;

	mutex_lock(&pmm->lock);
	ns = pmm->pool.readings;
	for_each_page_in_mask(i, arrivals->pages, uvm_region_make(0, UVM_PAGES_PER_BLOCK))
		if (arrivals->chunks[i])
			uvm_pmm_tell_arrival(pmm, arrivals, i);
	ns = uvm_pmm_policy_ns(pmm, ns);
	mutex_unlock(&pmm->lock);
	uvm_work_charge(work, UVM_PHASE_EVICT, ns);
}

#define PMM_NUMBERS	11

/* What the driver knows of a policy, and of the recorder if that is used; how many. */
static unsigned int uvm_pmm_numbers(struct uvm_pmm *pmm, struct uvm_eviction_number *numbers)
{
	const struct uvm_evictor *e = pmm->pool.evictor;
	const struct uvm_eviction_number of_policy[] = {
		{ "pages", e->pages }, { "faults", e->faults }, { "touches", e->touches },
		{ "launches", e->launches }, { "ticks", e->ticks }, { "wrong", e->wrong },
	};
	struct rm_gpu *rm = pmm->gpu->rm;
	const struct uvm_eviction_number of_recorder[] = {
		{ "recorder_hits", rm_reg_read(rm, REG_RECORDER_COUNT) },
		{ "recorder_lost", rm_reg_read(rm, REG_RECORDER_LOST) },
		{ "recorder_fetches", pmm->recorder.fetches },
		{ "recorder_records", pmm->recorder.records },
		{ "recorder_longest", pmm->recorder.longest },
	};

	static_assert(ARRAY_SIZE(of_policy) + ARRAY_SIZE(of_recorder) == PMM_NUMBERS);
	lockdep_assert_held(&pmm->lock);
	memcpy(numbers, of_policy, sizeof(of_policy));
	if (!(pmm->feeds & UVM_RECORDER_FEEDS))
		return ARRAY_SIZE(of_policy);
	memcpy(numbers + ARRAY_SIZE(of_policy), of_recorder, sizeof(of_recorder));
	return PMM_NUMBERS;
}

static bool uvm_pmm_number(struct uvm_pmm *pmm, unsigned int i, struct uvm_eviction_number *number)
{
	struct uvm_eviction_number numbers[PMM_NUMBERS];
	struct uvm_evictor *e = pmm->pool.evictor;
	unsigned int n = uvm_pmm_numbers(pmm, numbers);

	if (i >= n)
		return e->ops->number && e->ops->number(&e->ctx, i - n, number);
	*number = numbers[array_index_nospec(i, n)];
	return true;
}

int uvm_pmm_get_policy_number(struct uvm_gpu *gpu, struct uvm_get_policy_number *arg)
{
	struct uvm_eviction_number number = {};
	struct uvm_pmm *pmm = &gpu->pmm;
	bool found;

	mutex_lock(&pmm->lock);
	found = uvm_pmm_number(pmm, arg->index, &number);
	mutex_unlock(&pmm->lock);
	if (!found)
		return -ENOENT;
	arg->value = number.value;
	strscpy_pad(arg->name, number.name, sizeof(arg->name));
	return 0;
}

/* What is in force, and what it was told of since. */
static int uvm_pmm_policy_show(struct seq_file *seq, void *data)
{
	struct uvm_pmm *pmm = seq->private;
	struct uvm_eviction_number number;
	unsigned int i;

	mutex_lock(&pmm->lock);
	seq_printf(seq, "policy %s\n", pmm->pool.evictor->ops->policy.name);
	for (i = 0; uvm_pmm_number(pmm, i, &number); i++)
		seq_printf(seq, "%s %llu\n", number.name, number.value);
	mutex_unlock(&pmm->lock);
	return 0;
}
DEFINE_SHOW_ATTRIBUTE(uvm_pmm_policy);

void uvm_pmm_debugfs(struct uvm_gpu *gpu, struct dentry *dir)
{
	struct uvm_pmm *pmm = &gpu->pmm;
	char name[16];

	snprintf(name, sizeof(name), "gpu%u", gpu->index);
	pmm->debugfs = debugfs_create_dir(name, dir);
	debugfs_create_u32("wrong_victims", 0600, pmm->debugfs, &pmm->wrong_victims);
	debugfs_create_file("eviction_policy", 0400, pmm->debugfs, pmm, &uvm_pmm_policy_fops);
}
