// SPDX-License-Identifier: GPL-2.0
/* The future of a run; see run_touches.h. */
#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "run_plan.h"
#include "run_touches.h"

#define PAGE_SHIFT	12
#define BUFFER_SHIFT	40
/* When memory is touched. */
struct moment {
	uint64_t address;	/* of the piece of memory */
	uint64_t position;
};

static int touches_buffer(const struct wl_run *run, uint64_t address, uint64_t *key)
{
	unsigned int i;

	for (i = 0; i < run->buffer_count; i++) {
		uint64_t start = (uintptr_t)run->buffers[i].ptr;

		if (address - start >= run->buffers[i].bytes)
			continue;
		*key = (uint64_t)i << BUFFER_SHIFT | (address - start) >> PAGE_SHIFT;
		return 0;
	}
	return -ENOENT;
}

/* Room for one more; an array that could be enlarged alone is no harm. */
static bool touches_enlarge(struct run_touches *touches)
{
	size_t room = touches->room ? 2 * touches->room : 4096;
	uint64_t *touch, *when = NULL;

	if (touches->count < touches->room)
		return true;
	touch = realloc(touches->touch, room * sizeof(*touch));
	if (touch) {
		touches->touch = touch;
		when = realloc(touches->when, room * sizeof(*when));
	}
	touches->failed |= !when;
	if (!when)
		return false;
	touches->when = when;
	touches->room = room;
	return true;
}

static void touches_append(struct run_touches *touches, uint64_t key, uint64_t when)
{
	if (!touches_enlarge(touches))
		return;
	touches->touch[touches->count] = key;
	touches->when[touches->count++] = when;
}

/* Has the page been touched before?  From now on it has. */
static int touches_seen(struct run_touches *touches, const struct wl_run *run, uint64_t key)
{
	uint64_t buffer = key >> BUFFER_SHIFT, page = key & ((1ULL << BUFFER_SHIFT) - 1);
	int seen;

	if (!touches->seen[buffer])
		touches->seen[buffer] = calloc(1, (run->buffers[buffer].bytes >> PAGE_SHIFT) + 1);
	if (!touches->seen[buffer]) {
		touches->failed = 1;
		return 0;
	}
	seen = touches->seen[buffer][page];
	touches->seen[buffer][page] = 1;
	return seen;
}

void run_touches_add(struct run_touches *touches, const struct wl_run *run,
		     const struct uvm_event *event)
{
	uint64_t key;
	int seen;

	if (touches_buffer(run, event->address, &key))
		return;
	seen = touches_seen(touches, run, key);
	/* memory is enough: a record for a page that is there says nothing new */
	if (event->type == UVM_EVENT_GPU_FAULT && seen)
		return;
	/* nor does the next access to the same page */
	if (!touches->count || touches->touch[touches->count - 1] != key)
		touches_append(touches, key, event->time_ns);
}

static int moment_compare(const void *a, const void *b)
{
	const struct moment *x = a, *y = b;

	if (x->address != y->address)
		return x->address < y->address ? -1 : 1;
	return x->position < y->position ? -1 : x->position > y->position;
}

/* In pieces of memory, by address and time; buffers of the run may lie elsewhere than before. */
static void touches_sort(const struct run_touches *touches, const struct wl_run *run,
			 uint64_t piece, struct moment *moments)
{
	size_t i;

	for (i = 0; i < touches->count; i++) {
		uint64_t buffer = touches->touch[i] >> BUFFER_SHIFT;
		uint64_t page = touches->touch[i] & ((1ULL << BUFFER_SHIFT) - 1);

		moments[i].address = ((uintptr_t)run->buffers[buffer].ptr +
				      (page << PAGE_SHIFT)) / piece * piece;
		moments[i].position = i;
	}
	qsort(moments, touches->count, sizeof(*moments), moment_compare);
}

/**
 * struct future - touches by pieces of memory
 * @string: them
 * @address: of each piece
 */
struct future {
	struct run_string string;
	uint64_t *address;
};

static void future_free(struct future *future)
{
	free(future->string.piece);
	free(future->string.next);
	free(future->address);
}

/* Of moments by address and time. */
static int future_make(struct future *future, const struct moment *moments, size_t count)
{
	struct run_string *s = &future->string;
	size_t i;

	s->piece = calloc(count + 1, sizeof(*s->piece));
	s->next = calloc(count + 1, sizeof(*s->next));
	future->address = calloc(count + 1, sizeof(*future->address));
	if (!s->piece || !s->next || !future->address)
		return -ENOMEM;
	s->count = count;
	for (i = 0; i < count; i++) {
		bool last = i + 1 == count || moments[i + 1].address != moments[i].address;

		s->piece[moments[i].position] = s->pieces;
		s->next[moments[i].position] = last ? UINT64_MAX : moments[i + 1].position;
		future->address[s->pieces] = moments[i].address;
		s->pieces += last;
	}
	return 0;
}

/* Stays by piece, as the driver wants them. */
static void plan_by_piece(const struct run_plan *plan, uint32_t pieces,
			  struct uvm_page_stays *pages, uint32_t *ends)
{
	uint32_t i, sum = 0, count;

	for (i = 0; i < plan->count; i++)
		pages[plan->stays[i].piece].stays++;
	/* where the next stay of a page goes, until all are there and each has what it had */
	for (i = 0; i < pieces; i++) {
		count = pages[i].stays;
		pages[i].stays = sum;
		sum += count;
	}
	for (i = 0; i < plan->count; i++)
		ends[pages[plan->stays[i].piece].stays++] = plan->stays[i].end;
	for (i = pieces; i-- > 1;)
		pages[i].stays -= pages[i - 1].stays;
}

static int plan_tell(const struct run_plan *plan, const struct future *future, struct wl_run *run)
{
	uint32_t pieces = future->string.pieces, i;
	struct uvm_page_stays *pages = calloc((size_t)pieces + 1, sizeof(*pages));
	uint32_t *ends = calloc(plan->count + 1, sizeof(*ends));
	int err = -ENOMEM;

	if (pages && ends) {
		for (i = 0; i < pieces; i++)
			pages[i].address = future->address[i];
		plan_by_piece(plan, pieces, pages, ends);
		err = uvm_set_stays(run->uvm, run->gpu, pages, pieces, ends, (uint32_t)plan->count);
		if (err)
			wl_fail(run, -err, "the plan of eviction_policy=min: %s",
				uvm_last_error(run->uvm));
	}
	free(pages);
	free(ends);
	return err;
}

static int plan_faults(const struct run_string *string, const struct run_rule *rule,
		       uint64_t *faults)
{
	struct run_plan plan;
	int err = run_plan_make(string, rule, &plan);

	*faults = plan.count;
	run_plan_free(&plan);
	return err;
}

/*
 * The driver gets a plan that forgives who comes late.  What is needed no more and oldest stays: so
 * such a plan is followed better (hotspot3d at 75 %: twice as fast as LRU rather than 1.5 times).
 */
static int plan_apply(const struct future *future, struct wl_run *run,
		      const struct run_rule *rule, struct run_ideal *ideal)
{
	struct run_plan plan;
	int err = run_plan_make(&future->string, rule, &plan);

	ideal->plan_faults = plan.count;
	if (!err)
		err = plan_tell(&plan, future, run);
	run_plan_free(&plan);
	return err;
}

static int plan_all(const struct future *future, struct wl_run *run, const struct run_rule *rule,
		    struct run_ideal *ideal)
{
	const struct run_rule min = { .units = rule->units };
	const struct run_rule lru = { .units = rule->units, .lru = true };
	int err;

	*ideal = (struct run_ideal){
		.touches = future->string.count, .pieces = future->string.pieces,
		.units = rule->units,
	};
	err = plan_faults(&future->string, &min, &ideal->min_faults);
	if (!err)
		err = plan_faults(&future->string, &lru, &ideal->lru_faults);
	return err ?: plan_apply(future, run, rule, ideal);
}

static uint32_t space_units(const struct run_space *space)
{
	uint64_t units = space->bytes / space->piece;

	return !units ? 1 : units > UINT32_MAX ? UINT32_MAX : (uint32_t)units;
}

int run_touches_apply(const struct run_touches *touches, struct wl_run *run,
		      const struct run_space *space, struct run_ideal *ideal)
{
	struct moment *moments = calloc(touches->count + 1, sizeof(*moments));
	struct run_rule rule = { .newest = true };
	struct future future = { 0 };
	int err = -ENOMEM;

	rule.units = space_units(space);
	rule.delay = space->delay;
	run->error[0] = '\0';
	if (moments && !touches->failed) {
		touches_sort(touches, run, space->piece, moments);
		err = future_make(&future, moments, touches->count);
	}
	free(moments);
	if (!err)
		err = plan_all(&future, run, &rule, ideal);
	future_free(&future);
	if (err && !run->error[0])
		wl_fail(run, -err, "no memory for the plan of eviction_policy=min: a smaller "
			"workload has a shorter one");
	return err;
}

/* ---- bounds ------------------------------------------------------------------ */

static int filled_buffer(struct run_touches *touches, struct wl_run *run, unsigned int buffer)
{
	const struct wl_buffer *b = &run->buffers[buffer];
	uint64_t pages = (b->bytes + RUN_PAGE_BYTES - 1) / RUN_PAGE_BYTES, i;
	struct uvm_page_residency *where = calloc(pages + 1, sizeof(*where));
	int err = -ENOMEM;

	touches->filled[buffer] = calloc(1, pages + 1);
	if (where && touches->filled[buffer])
		err = uvm_residency(run->uvm, b->ptr, b->bytes, where);
	for (i = 0; !err && i < pages; i++)
		touches->filled[buffer][i] = where[i].resident == 1;	/* the CPU, and nobody else */
	free(where);
	return err;
}

int run_touches_filled(struct run_touches *touches, struct wl_run *run)
{
	unsigned int i;
	int err = 0;

	for (i = 0; !err && i < run->buffer_count; i++)
		err = filled_buffer(touches, run, i);
	return err ? wl_fail(run, -err, "bounds: where memory is: %s", strerror(-err)) : 0;
}

/* What the recorder still has is told before the next launch begins, so that times tell them apart. */
int run_touches_launched(struct run_touches *touches, struct wl_run *run)
{
	struct softgpu_info info;
	uint64_t *more;
	int err;

	if (touches->launches == touches->launch_room) {
		touches->launch_room = touches->launch_room ? 2 * touches->launch_room : 64;
		more = realloc(touches->launch_end, touches->launch_room * sizeof(*more));
		if (!more)
			return wl_fail(run, ENOMEM, "bounds: out of memory");
		touches->launch_end = more;
	}
	err = uvm_wait_quiet(run->uvm);
	if (!err)
		err = uvm_gpu_info(run->uvm, run->gpu, &info);
	if (err)
		return wl_fail(run, -err, "%s", uvm_last_error(run->uvm));
	touches->launch_end[touches->launches++] = info.now_ns;
	return 0;
}

/* Of each touch its launch; what comes after the last one belongs to that. */
static uint32_t *bounds_launches(const struct run_touches *touches)
{
	uint32_t *launch = calloc(touches->count + 1, sizeof(*launch)), now = 0;
	size_t i;

	for (i = 0; launch && i < touches->count; i++) {
		while (now + 1 < touches->launches && touches->when[i] > touches->launch_end[now])
			now++;
		launch[i] = now;
	}
	return launch;
}

static uint32_t bounds_empty(const struct run_touches *touches, const struct wl_run *run)
{
	uint32_t empty = 0;
	uint64_t page;
	unsigned int i;

	for (i = 0; i < run->buffer_count; i++)
		for (page = 0; touches->seen[i] && page <= run->buffers[i].bytes >> PAGE_SHIFT; page++)
			empty += touches->seen[i][page] && !touches->filled[i][page];
	return empty;
}

static int bounds_all(const struct run_launches *launches, struct run_bound *bounds,
		      unsigned int count)
{
	unsigned int i;
	int err = 0;

	for (i = 0; !err && i < count; i++) {
		const struct run_space space = {
			.bytes = bounds[i].memory, .piece = RUN_PAGE_BYTES,
		};

		bounds[i].units = space_units(&space);
		err = run_bound_make(launches, &bounds[i]);
	}
	return err;
}

int run_touches_bounds(const struct run_touches *touches, struct wl_run *run,
		       struct run_bound *bounds, unsigned int count, struct run_touched *touched)
{
	struct moment *moments = calloc(touches->count + 1, sizeof(*moments));
	uint32_t *launch = bounds_launches(touches);
	struct future future = { 0 };
	struct run_launches launches = {
		.string = &future.string, .launch = launch, .count = touches->launches + 1,
		.empty = bounds_empty(touches, run),
	};
	int err = -ENOMEM;

	if (moments && launch && !touches->failed) {
		touches_sort(touches, run, RUN_PAGE_BYTES, moments);
		err = future_make(&future, moments, touches->count);
	}
	free(moments);
	if (!err)
		err = bounds_all(&launches, bounds, count);
	*touched = (struct run_touched){
		.touches = future.string.count, .pages = future.string.pieces,
		.empty = launches.empty,
	};
	future_free(&future);
	free(launch);
	return err ? wl_fail(run, -err, "no memory for bounds: a smaller workload touches less") : 0;
}

void run_touches_free(struct run_touches *touches)
{
	unsigned int i;

	for (i = 0; i < WL_BUFFERS_MAX; i++) {
		free(touches->seen[i]);
		free(touches->filled[i]);
	}
	free(touches->touch);
	free(touches->when);
	free(touches->launch_end);
	memset(touches, 0, sizeof(*touches));
}
