// SPDX-License-Identifier: GPL-2.0
/* Launches: their life from the ioctl to their results. */
#include <linux/delay.h>
#include <linux/export.h>
#include <linux/math64.h>
#include <linux/slab.h>
#include <kunit/visibility.h>
#include <linux/softgpu_kernel_abi.h>
#include "base/gpu.h"
#include "base/history.h"
#include "base/timeline.h"
#include "clock/clock.h"
#include "isa/isa.h"
#include "context_types.h"
#include "base/extension.h"
#include "isa/image.h"
#include "sm/cta.h"
#include "sm/dispatch.h"
#include "sm/launch.h"
#include "base/trace.h"
#include "sm/launch_progress.h"
#include "sm/launch_state.h"
#include "sm/sm.h"

static void launch_event(struct sgpu_event *ev);

/* ---- making one ------------------------------------------------------ */

/* CTAs of this launch that one SM can hold; 0 if not even one. */
static u64 launch_ctas_per_sm(struct rm_gpu *gpu, const struct sgpu_launch *launch)
{
	u64 n = sgpu_prof(gpu, blocks_per_sm);

	n = min(n, div64_u64(sgpu_prof(gpu, threads_per_sm), (u64)launch->warps * SGPU_LANES));
	n = min(n, div64_u64(sgpu_prof(gpu, warps_per_sm), launch->warps));
	n = min(n, div64_u64(sgpu_prof(gpu, regs_per_sm), launch->regs));
	if (launch->shared_bytes)
		n = min(n, div64_u64(sgpu_prof(gpu, shared_bytes_per_sm), launch->shared_bytes));
	return n;
}

/*
 * CTAs that one SM can have, with those that wait on it: more than it can hold only
 * where that is possible, a warp's state is 60 KB.
 */
static u64 launch_resident_per_sm(struct rm_gpu *gpu, const struct sgpu_launch *launch)
{
	u64 active = launch_ctas_per_sm(gpu, launch), n = active;

	if (sgpu_prof(gpu, virtual_thread)) {
		n = div64_u64(sgpu_prof(gpu, regs_per_sm), launch->regs);
		if (launch->shared_bytes)
			n = min(n, div64_u64(sgpu_prof(gpu, shared_bytes_per_sm),
					     launch->shared_bytes));
		n = min(n, active + sgpu_prof(gpu, blocks_per_sm));
	}
	return n + sgpu_extra_ctas_most(gpu);
}

/* What its CTAs need while they run is there before it can. */
static int launch_reserve(struct rm_context *context, struct sgpu_launch *launch)
{
	struct rm_gpu *gpu = context->gpu;

	if (!launch_ctas_per_sm(gpu, launch))
		return -EINVAL;
	launch->shape = (struct sgpu_cta_shape){
		.count = min(launch->ctas, launch_resident_per_sm(gpu, launch) *
			     sgpu_prof(gpu, sm_count)),
		.warps = launch->warps,
		.mem_ops = sgpu_prof(gpu, mem_ops_per_warp),
		.stack_bytes = launch->image->stack_bytes,
		.shared_bytes = launch->shared_bytes,
		.doubles = launch->image->doubles,
	};
	return sgpu_cta_pool_reserve(&context->pool, &launch->shape);
}

static int launch_set_shape(struct rm_gpu *gpu, struct sgpu_launch *launch,
			    const struct sgpu_launch_params *p)
{
	u64 shared = (u64)p->image->shared_bytes + p->shared_bytes;
	u64 threads = (u64)p->cta_dim[0] * p->cta_dim[1];

	if (threads > 1024 || threads * p->cta_dim[2] > 1024)
		return -EINVAL;
	if (ALIGN(shared, 16) > sgpu_prof(gpu, shared_bytes_per_block))
		return -EINVAL;
	memcpy(launch->grid, p->grid, sizeof(launch->grid));
	memcpy(launch->cta_dim, p->cta_dim, sizeof(launch->cta_dim));
	launch->ctas = (u64)p->grid[0] * p->grid[1] * p->grid[2];
	launch->threads = threads * p->cta_dim[2];
	launch->warps = DIV_ROUND_UP(launch->threads, SGPU_LANES);
	launch->regs = launch->warps * SGPU_LANES * p->image->registers;
	launch->shared_static = p->image->shared_bytes;
	launch->shared_bytes = ALIGN(shared, 16);
	return 0;
}

struct sgpu_launch *sgpu_launch_create(struct rm_context *context,
				       const struct sgpu_launch_params *p)
{
	struct sgpu_launch *launch = kzalloc(sizeof(*launch), GFP_KERNEL_ACCOUNT);
	int ret;

	if (!launch)
		return ERR_PTR(-ENOMEM);
	launch->context = context;
	launch->image = p->image;
	launch->entry = p->entry;
	launch->args_bytes = p->args_bytes;
	launch->limit = p->limit ?: SGPU_INSTRUCTIONS;
	INIT_LIST_HEAD(&launch->gpu_node);
	sgpu_event_init(&launch->event, context->gpu->index, context->gpu->sms.count,
			launch_event);
	ret = launch_set_shape(context->gpu, launch, p);
	if (!ret)
		ret = rm_charge(&launch->charge, sizeof(*launch) + p->args_bytes);
	if (!ret)
		ret = launch_reserve(context, launch);
	if (ret) {
		rm_uncharge(&launch->charge);
		kfree(launch);
		return ERR_PTR(ret);
	}
	launch->args = p->args;
	return launch;
}

/* What only a launch that has not ended needs. */
static void launch_drop_state(struct sgpu_launch *launch)
{
	kfree(launch->args);
	sgpu_image_put(launch->image);
	launch->args = NULL;
	launch->image = NULL;
}

void sgpu_launch_free(struct sgpu_launch *launch)
{
	if (launch->image)
		launch_drop_state(launch);
	rm_uncharge(&launch->charge);
	kfree(launch);
}

/* 0 if it is queued; -EAGAIN if there is no room now. */
static int launch_try_submit(struct sgpu_launch *launch, u64 *id)
{
	struct rm_context *context = launch->context;
	int ret = 0;

	launch->ready_ps = sgpu_now_ps() + sgpu_prof(context->gpu, launch_ns) * PS_PER_NS;
	spin_lock(&context->lock);
	if (context->stopped) {
		ret = -ENODEV;
	} else if (READ_ONCE(context->gpu->lost)) {
		ret = -EIO;
	} else if (sgpu_history_full(&context->ended)) {
		ret = -ENOBUFS;
	} else if (context->launch_count >= SOFTGPU_LAUNCHES_MAX) {
		ret = -EAGAIN;
	} else {
		launch->id = context->next_launch++;
		*id = launch->id;
		list_add_tail(&launch->node, &context->launches);
		if (!context->launch_count++)
			sgpu_event_at(&launch->event, launch->ready_ps);
	}
	spin_unlock(&context->lock);
	return ret;
}

static bool launch_has_room(struct rm_context *context)
{
	bool room;

	spin_lock(&context->lock);
	room = context->launch_count < SOFTGPU_LAUNCHES_MAX;
	spin_unlock(&context->lock);
	return room;
}

void sgpu_launch_prepare(struct rm_context *context)
{
	sim_mutex_lock(&context->prepare_lock);
	if (context->prepare)
		context->prepare(context->prepare_data);
	sim_mutex_unlock(&context->prepare_lock);
}

int sgpu_launch_submit(struct sgpu_launch *launch, u64 *id)
{
	struct rm_context *context = launch->context;
	int ret;

	do {
		ret = sim_wait_event_killable(&context->waitq, launch_has_room(context));
		if (ret)
			break;
		sgpu_launch_prepare(context);
		ret = launch_try_submit(launch, id);
	} while (ret == -EAGAIN);
	return ret;
}

/* ---- running --------------------------------------------------------- */

static void launch_tell(const struct sgpu_launch *launch, bool begins)
{
	struct rm_context *context = launch->context;
	void (*launched)(void *data, const struct rm_launch *launch, bool begins);
	struct rm_launch told = {
		.instance = context->as.instance,
		.id = launch->id,
		.function = launch->image->code_base + (u64)launch->entry * 4,
		.blocks = launch->ctas,
	};

	/* pairs with rm_context_set_launched() */
	launched = smp_load_acquire(&context->launched);
	if (launched)
		launched(context->launched_data, &told, begins);
}

static void launch_start(struct sgpu_launch *launch, u64 now_ps)
{
	struct rm_context *context = launch->context;
	struct rm_gpu *gpu = context->gpu;

	launch_tell(launch, true);
	/* the launch before has ended: no CTA is in use */
	sgpu_cta_pool_cut(&context->pool, &launch->shape);
	spin_lock(&gpu->dispatcher.lock);
	launch->started = true;
	launch->start_ns = div64_u64(now_ps, PS_PER_NS);
	launch->end_ps = now_ps;
	list_add_tail(&launch->gpu_node, &gpu->dispatcher.launches);
	/* failed before it started: no CTA will be the last one */
	if (launch->stop)
		sgpu_event_at(&launch->event, now_ps);
	spin_unlock(&gpu->dispatcher.lock);
	trace_softgpu_launch(gpu->index, context->as.instance, launch->id, launch->ctas,
			     launch->threads, launch->start_ns);
	sgpu_dispatch(gpu, now_ps);
}

/* Publish the results, let the next launch of the context start. */
static void launch_end(struct sgpu_launch *launch, u64 now_ps)
{
	struct rm_context *context = launch->context;
	struct rm_gpu *gpu = context->gpu;
	struct sgpu_history_item *old;
	struct sgpu_launch *next;

	spin_lock(&gpu->dispatcher.lock);
	list_del_init(&launch->gpu_node);
	spin_unlock(&gpu->dispatcher.lock);
	if (launch->started)
		launch_tell(launch, false);
	launch_drop_state(launch);
	launch->end_ns = div64_u64(now_ps, PS_PER_NS);
	if (!launch->started)
		launch->start_ns = launch->end_ns;
	trace_softgpu_launch_done(gpu->index, context->as.instance, launch->id,
				  launch->failure.reason, launch->instructions, launch->end_ns);
	sgpu_timeline_emit(&gpu->timelines, .type = SOFTGPU_TIMELINE_LAUNCH, .gpu = gpu->index,
			   .time_ns = launch->start_ns,
			   .duration_ns = launch->end_ns - launch->start_ns,
			   .id = launch->id, .value = launch->instructions);
	spin_lock(&context->lock);
	launch->state = launch->stop ? SOFTGPU_LAUNCH_FAILED : SOFTGPU_LAUNCH_DONE;
	list_del(&launch->node);
	launch->ended.id = launch->id;
	launch->ended.failed = launch->stop;
	old = sgpu_history_add(&context->ended, &launch->ended);
	context->launch_count--;
	next = list_first_entry_or_null(&context->launches, struct sgpu_launch, node);
	if (next && !context->stopped)
		sgpu_event_at(&next->event, max(next->ready_ps, now_ps));
	/* under the lock: who sees the end may close and free the context */
	sim_wake(&context->waitq);
	spin_unlock(&context->lock);
	if (old)
		sgpu_launch_free(container_of(old, struct sgpu_launch, ended));
	sim_wake(&gpu->progress);
}

static void launch_event(struct sgpu_event *ev)
{
	struct sgpu_launch *launch = container_of(ev, struct sgpu_launch, event);
	struct sgpu_dispatcher *dispatcher = &launch->context->gpu->dispatcher;
	bool over;

	spin_lock(&dispatcher->lock);
	over = sgpu_launch_over(launch);
	spin_unlock(&dispatcher->lock);
	if (over)
		launch_end(launch, sgpu_now_ps());
	else if (!launch->started)
		launch_start(launch, sgpu_now_ps());
}

/* The launch of @context will start or end by an event that is queued or runs. */
static bool launch_context_busy(struct rm_context *context)
{
	struct sgpu_dispatcher *dispatcher = &context->gpu->dispatcher;
	struct sgpu_launch *launch;
	bool busy = false;

	spin_lock(&context->lock);
	launch = list_first_entry_or_null(&context->launches, struct sgpu_launch, node);
	if (launch) {
		spin_lock(&dispatcher->lock);
		busy = !launch->resident || sgpu_event_queued(&launch->event);
		spin_unlock(&dispatcher->lock);
	}
	spin_unlock(&context->lock);
	return busy;
}

bool sgpu_launches_busy(struct rm_gpu *gpu)
{
	struct rm_context *context;
	bool busy = false;

	spin_lock(&gpu->contexts_lock);
	list_for_each_entry(context, &gpu->contexts, node)
		busy = busy || launch_context_busy(context);
	spin_unlock(&gpu->contexts_lock);
	return busy;
}

/* ---- ending from outside --------------------------------------------- */

void sgpu_launches_fail(struct rm_context *context, u32 reason)
{
	struct sgpu_failure failure = { .reason = reason, .error = sgpu_fail_errno(reason) };
	struct sgpu_launch *launch;

	spin_lock(&context->lock);
	list_for_each_entry(launch, &context->launches, node)
		sgpu_launch_fail(launch, &failure);
	spin_unlock(&context->lock);
}

static u32 launch_resident(struct sgpu_launch *launch)
{
	struct sgpu_dispatcher *dispatcher = &launch->context->gpu->dispatcher;
	u32 resident;

	spin_lock(&dispatcher->lock);
	resident = launch->resident;
	spin_unlock(&dispatcher->lock);
	return resident;
}

static struct sgpu_launch *launch_first(struct rm_context *context)
{
	struct sgpu_launch *launch;

	spin_lock(&context->lock);
	launch = list_first_entry_or_null(&context->launches, struct sgpu_launch, node);
	spin_unlock(&context->lock);
	return launch;
}

void sgpu_launches_cancel(struct rm_context *context)
{
	struct sgpu_launch *launch;
	unsigned int i;

	/* close and unregister may come at once */
	mutex_lock(&context->stop_lock);
	sgpu_launches_fail(context, SOFTGPU_FAIL_CANCELLED);
	for (i = 0; i < context->gpu->sms.count; i++)
		sgpu_sm_drop_stopped(context->gpu->sms.sm[i]);
	/* what ends by itself meanwhile is removed by its own event */
	while ((launch = launch_first(context))) {
		u64 id = launch->id;

		sgpu_event_cancel(&launch->event);
		if (sgpu_launch_ended(context, id))
			continue;
		/* real clock: an SM may be burying a CTA just now */
		while (launch_resident(launch))
			usleep_range(50, 200);
		sgpu_event_cancel(&launch->event);
		if (!sgpu_launch_ended(context, id))
			launch_end(launch, sgpu_now_ps());
	}
	mutex_unlock(&context->stop_lock);
}

/* ---- results --------------------------------------------------------- */

bool sgpu_launch_ended(struct rm_context *context, u64 id)
{
	struct sgpu_launch *launch;
	bool running = false;

	spin_lock(&context->lock);
	list_for_each_entry(launch, &context->launches, node)
		running = running || launch->id == id;
	spin_unlock(&context->lock);
	return !running;
}

static void launch_fill_result(const struct sgpu_launch *launch, struct softgpu_wait *r)
{
	r->state = launch->state;
	r->reason = launch->failure.reason;
	r->error = launch->failure.error;
	r->access = launch->failure.access;
	r->address = launch->failure.address;
	r->pc = launch->failure.pc;
	r->block = launch->failure.cta;
	r->thread = launch->failure.thread;
	r->start_ns = launch->start_ns;
	r->end_ns = launch->end_ns;
	r->instructions = launch->instructions;
}

/* One that has ended, or was never there. */
static int launch_ended_result(struct rm_context *context, u64 id, struct softgpu_wait *result)
{
	struct sgpu_history_item *item = sgpu_history_find(&context->ended, id);

	if (item) {
		launch_fill_result(container_of(item, struct sgpu_launch, ended), result);
		sgpu_history_tell(&context->ended, item);
		return 0;
	}
	if (!id || id >= context->next_launch || !sgpu_history_ended_well(&context->ended, id))
		return -ENOENT;
	result->state = SOFTGPU_LAUNCH_DONE;
	return 0;
}

int sgpu_launch_result(struct rm_context *context, u64 id, struct softgpu_wait *result)
{
	struct sgpu_launch *launch;
	bool running = false;
	int ret = 0;

	spin_lock(&context->lock);
	list_for_each_entry(launch, &context->launches, node)
		running = running || launch->id == id;
	if (running)
		result->state = SOFTGPU_LAUNCH_RUNNING;
	else
		ret = launch_ended_result(context, id, result);
	spin_unlock(&context->lock);
	return ret;
}
