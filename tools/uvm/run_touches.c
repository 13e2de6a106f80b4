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

static void touches_append(struct run_touches *touches, uint64_t key)
{
	if (touches->count == touches->room) {
		size_t room = touches->room ? 2 * touches->room : 4096;
		uint64_t *more = realloc(touches->touch, room * sizeof(*more));

		touches->failed |= !more;
		if (!more)
			return;
		touches->touch = more;
		touches->room = room;
	}
	touches->touch[touches->count++] = key;
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
		touches_append(touches, key);
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

void run_touches_free(struct run_touches *touches)
{
	unsigned int i;

	for (i = 0; i < WL_BUFFERS_MAX; i++)
		free(touches->seen[i]);
	free(touches->touch);
	memset(touches, 0, sizeof(*touches));
}
