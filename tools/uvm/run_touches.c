// SPDX-License-Identifier: GPL-2.0
/* The future of a run; see run_touches.h. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

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
	uint32_t i;
	int seen;

	if (touches_buffer(run, event->address, &key))
		return;
	seen = touches_seen(touches, run, key);
	/* memory is enough: a record for a page that is there says nothing new */
	if (event->type == UVM_EVENT_GPU_FAULT && !seen)
		touches_append(touches, key);
	for (i = 0; event->type == UVM_EVENT_WALK_HIT && i < event->count; i++)
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

/* One entry for each piece; how many. */
static uint32_t touches_group(const struct moment *moments, size_t count,
			      struct uvm_touched_page *pages, uint64_t *positions)
{
	uint32_t n = 0;
	size_t i;

	for (i = 0; i < count; i++) {
		if (!i || moments[i].address != moments[i - 1].address)
			pages[n++].address = moments[i].address;
		pages[n - 1].touches++;
		positions[i] = moments[i].position;
	}
	return n;
}

int run_touches_apply(const struct run_touches *touches, struct wl_run *run, uint64_t piece)
{
	struct moment *moments = calloc(touches->count + 1, sizeof(*moments));
	struct uvm_touched_page *pages = calloc(touches->count + 1, sizeof(*pages));
	uint64_t *positions = calloc(touches->count + 1, sizeof(*positions));
	uint32_t n;
	int err = -ENOMEM;

	if (moments && pages && positions && !touches->failed) {
		touches_sort(touches, run, piece, moments);
		n = touches_group(moments, touches->count, pages, positions);
		err = uvm_set_touches(run->uvm, run->gpu, pages, n, positions,
				      (uint32_t)touches->count);
	}
	free(moments);
	free(pages);
	free(positions);
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
