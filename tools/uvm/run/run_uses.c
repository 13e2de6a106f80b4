// SPDX-License-Identifier: GPL-2.0
/* When memory is used; see run_uses.h. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "run/run_uses.h"

#define PAGE_SHIFT	12
#define PIECE_SHIFT	16
#define PIECE_PAGES	(1U << (PIECE_SHIFT - PAGE_SHIFT))

/* Where a use goes in a plan. */
struct place {
	uint64_t address;
	uint32_t position;
};

struct run_uses *run_uses_create(uint64_t piece)
{
	struct run_uses *uses = calloc(1, sizeof(*uses));

	if (!uses)
		return NULL;
	uses->piece = piece;
	uses->whole = piece >> PIECE_SHIFT;
	run_ends_init(&uses->ends);
	return uses;
}

void run_uses_free(struct run_uses *uses)
{
	unsigned int i;

	if (!uses)
		return;
	for (i = 0; i < WL_BUFFERS_MAX; i++)
		free(uses->last[i]);
	run_ends_free(&uses->ends);
	free(uses->begin);
	free(uses->use);
	free(uses);
}

/* ---- recording ----------------------------------------------------------------- */

/* Its buffer; -1: none. */
static int uses_buffer(const struct wl_run *run, uint64_t address)
{
	unsigned int i;

	for (i = 0; i < run->buffer_count; i++)
		if (address - (uintptr_t)run->buffers[i].ptr < run->buffers[i].bytes)
			return (int)i;
	return -1;
}

static bool uses_prepare(struct run_uses *uses, const struct wl_run *run, int buffer)
{
	const struct wl_buffer *b = &run->buffers[buffer];

	if (!uses->last[buffer])
		uses->last[buffer] = calloc((b->bytes >> PIECE_SHIFT) + 2,
					    sizeof(*uses->last[buffer]));
	uses->start[buffer] = (uintptr_t)b->ptr;
	return uses->last[buffer];
}

/* Launches up to that one have begun. */
static bool uses_begin(struct run_uses *uses, uint32_t launch)
{
	uint32_t *more;

	if (launch < uses->launches)
		return true;
	more = realloc(uses->begin, ((size_t)launch + 1) * sizeof(*more));
	if (!more)
		return false;
	uses->begin = more;
	while (uses->launches <= launch)
		uses->begin[uses->launches++] = (uint32_t)uses->count;
	return true;
}

/* Is it part of the last use of its piece? */
static bool uses_merge(struct run_uses *uses, const struct run_use *use, uint32_t last)
{
	struct run_use *before;

	if (!last || last - 1 < uses->begin[uses->launches - 1] ||
	    uses->count - last > RUN_USES_NEAR)
		return false;
	before = &uses->use[last - 1];
	if ((!uses->whole && before->pages != use->pages) ||
	    before->requests > UINT32_MAX - use->requests)
		return false;
	before->requests += use->requests;
	before->pages |= use->pages;
	return true;
}

static bool uses_append(struct run_uses *uses, const struct run_use *use)
{
	size_t room = uses->room ? 2 * uses->room : 4096;
	struct run_use *more;

	if (uses->count == UVM_USES_MAX) {
		uses->endless = true;
		return false;
	}
	if (uses->count == uses->room) {
		more = realloc(uses->use, room * sizeof(*more));
		if (!more)
			return false;
		uses->use = more;
		uses->room = room;
	}
	uses->use[uses->count++] = *use;
	return true;
}

void run_uses_add(struct run_uses *uses, const struct wl_run *run, const struct uvm_event *event)
{
	int buffer = uses_buffer(run, event->address);
	struct run_use use;

	if (buffer < 0 || event->type != UVM_EVENT_WALK_HIT || uses->failed)
		return;
	uses->failed = !uses_prepare(uses, run, buffer) ||
		       !uses_begin(uses, run_ends_launch(&uses->ends, event->time_ns));
	if (uses->failed)
		return;
	use = (struct run_use){
		.buffer = (uint16_t)buffer,
		.piece = (uint32_t)((event->address >> PIECE_SHIFT) -
				    (uses->start[buffer] >> PIECE_SHIFT)),
		.pages = (uint16_t)(1U << (event->address >> PAGE_SHIFT) % PIECE_PAGES),
		.requests = (uint32_t)event->value,
	};
	if (uses_merge(uses, &use, uses->last[buffer][use.piece]))
		return;
	uses->failed = !uses_append(uses, &use);
	uses->last[buffer][use.piece] = (uint32_t)uses->count;
}

/* What the recorder still has is told before the next launch begins, so that times tell them apart. */
int run_uses_launched(struct run_uses *uses, struct wl_run *run)
{
	struct softgpu_info info;
	int err = uvm_wait_quiet(run->uvm);

	if (!err)
		err = uvm_gpu_info(run->uvm, run->gpu, &info);
	if (err)
		return wl_fail(run, -err, "%s", uvm_last_error(run->uvm));
	err = run_ends_add(&uses->ends, info.now_ns);
	return err ? wl_fail(run, -err, "uses: out of memory") : 0;
}

/* ---- telling the driver -------------------------------------------------------- */

static int place_compare(const void *a, const void *b)
{
	const struct place *x = a, *y = b;

	if (x->address != y->address)
		return x->address < y->address ? -1 : 1;
	return x->position < y->position ? -1 : x->position > y->position;
}

/* By address; buffers of this run may lie elsewhere than those of the recorded one. */
static struct place *uses_sort(const struct run_uses *uses, const struct wl_run *run)
{
	struct place *places = calloc(uses->count + 1, sizeof(*places));
	size_t i;

	for (i = 0; places && i < uses->count; i++) {
		const struct run_use *use = &uses->use[i];
		uint64_t start = (uintptr_t)run->buffers[use->buffer].ptr;

		places[i].address = ((start >> PIECE_SHIFT) + use->piece) << PIECE_SHIFT;
		places[i].position = (uint32_t)i;
	}
	if (places)
		qsort(places, uses->count, sizeof(*places), place_compare);
	return places;
}

static uint32_t uses_fill(const struct run_uses *uses, const struct place *places,
			  struct uvm_used *used, struct uvm_use *when)
{
	uint32_t count = 0;
	size_t i;

	for (i = 0; i < uses->count; i++) {
		const struct run_use *use = &uses->use[places[i].position];

		if (!i || places[i].address != places[i - 1].address)
			used[count++].address = places[i].address;
		used[count - 1].uses++;
		when[i] = (struct uvm_use){
			.position = places[i].position, .requests = use->requests,
			.pages = use->pages,
		};
	}
	return count;
}

/* Of the whole 64 KB, or of the one page that a use is of if these go one by one. */
static uint64_t uses_page(const struct run_uses *uses, const struct place *place)
{
	return uses->whole ? place->address :
			     place->address | (uint64_t)__builtin_ctz(uses->use[place->position].pages)
			     << PAGE_SHIFT;
}

static void uses_string(const struct run_uses *uses, struct place *places, struct run_string *s)
{
	size_t i;

	for (i = 0; i < uses->count; i++)
		places[i].address = uses_page(uses, &places[i]);
	qsort(places, uses->count, sizeof(*places), place_compare);
	for (i = 0; i < uses->count; i++) {
		bool last = i + 1 == uses->count || places[i + 1].address != places[i].address;

		s->piece[places[i].position] = s->pieces;
		s->next[places[i].position] = last ? UINT64_MAX : places[i + 1].position;
		s->pieces += last;
	}
}

/* Memory that is given up by 64 KB, or by the page; what is larger holds some of both. */
static int uses_min(const struct run_uses *uses, struct place *places, struct run_known *known)
{
	const struct run_rule min = { .units = (uint32_t)known->units };
	struct run_string s = {
		.piece = calloc(uses->count + 1, sizeof(*s.piece)),
		.next = calloc(uses->count + 1, sizeof(*s.next)),
		.count = uses->count,
	};
	int err = -ENOMEM;

	if (s.piece && s.next) {
		uses_string(uses, places, &s);
		known->pieces = s.pieces;
		err = run_plan_loads(&s, &min, &known->min_faults);
	}
	free(s.piece);
	free(s.next);
	return err;
}

static void uses_know(const struct run_uses *uses, uint64_t bytes, struct run_known *known)
{
	size_t i;

	*known = (struct run_known){
		.uses = uses->count, .launches = uses->launches,
		.units = bytes / uses->piece ?: 1,
	};
	for (i = 0; i < uses->count; i++)
		known->requests += uses->use[i].requests;
}

static int uses_tell(const struct run_uses *uses, struct wl_run *run, struct run_known *known)
{
	struct uvm_used *used = calloc(uses->count + 1, sizeof(*used));
	struct uvm_use *when = calloc(uses->count + 1, sizeof(*when));
	struct place *places = uses_sort(uses, run);
	int err = -ENOMEM;

	if (used && when && places) {
		const struct uvm_uses all = {
			.nr_used = uses_fill(uses, places, used, when),
			.used = used, .uses = when, .launches = uses->begin,
			.nr_uses = (uint32_t)uses->count, .nr_launches = uses->launches,
		};

		err = uvm_set_uses(run->uvm, run->gpu, &all);
		if (err)
			wl_fail(run, -err, "the plan of eviction_policy=fnu: %s",
				uvm_last_error(run->uvm));
		else if (uses->piece <= 1U << PIECE_SHIFT)
			err = uses_min(uses, places, known);
	}
	free(used);
	free(when);
	free(places);
	return err;
}

/* Do 64 KB have the same pages of each buffer as when they were recorded? */
static bool uses_fit(const struct run_uses *uses, const struct wl_run *run)
{
	unsigned int i;

	for (i = 0; i < run->buffer_count; i++)
		if (uses->last[i] &&
		    (uses->start[i] ^ (uintptr_t)run->buffers[i].ptr) & ((1U << PIECE_SHIFT) - 1))
			return false;
	return true;
}

int run_uses_apply(const struct run_uses *uses, struct wl_run *run, uint64_t bytes,
		   struct run_known *known)
{
	int err = -ENOMEM;

	run->error[0] = '\0';
	if (uses->endless)
		return wl_fail(run, E2BIG, "more uses than eviction_policy=fnu can know");
	if (!uses_fit(uses, run))
		return wl_fail(run, EINVAL, "memory lies elsewhere than it was recorded");
	uses_know(uses, bytes, known);
	if (!uses->failed)
		err = uses_tell(uses, run, known);
	if (err && !run->error[0])
		wl_fail(run, -err, "no memory for the plan of eviction_policy=fnu: a smaller "
			"workload has a shorter one");
	return err;
}
