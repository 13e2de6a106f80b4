// SPDX-License-Identifier: GPL-2.0
/* What no policy can do without; see run_bound.h. */
#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>

#include "run/run_bound.h"

/**
 * struct between - pages that stay from one launch to a later one
 * @waiting: by launch: how many stay for it
 * @last: none stays for a later one
 * @count: how many stay
 */
struct between {
	uint64_t *waiting;
	uint32_t last;
	uint64_t count;
};

static void between_add(struct between *b, uint32_t launch)
{
	b->waiting[launch]++;
	b->count++;
	if (launch > b->last)
		b->last = launch;
}

/* Who is needed last goes, until all fit: that leaves the others as much room as there can be. */
static void between_fit(struct between *b, uint32_t units)
{
	while (b->count > units) {
		uint64_t more = b->count - units, here = b->waiting[b->last];
		uint64_t gone = here < more ? here : more;

		b->waiting[b->last] -= gone;
		b->count -= gone;
		if (!b->waiting[b->last])
			b->last--;
	}
}

/* Those that stayed for a launch need not come. */
static uint64_t between_take(struct between *b, uint32_t launch)
{
	uint64_t stayed = b->waiting[launch];

	b->waiting[launch] = 0;
	b->count -= stayed;
	return stayed;
}

/* Is it the last touch of its page in its launch? */
static bool bound_leaves(const struct run_launches *l, size_t at)
{
	uint64_t next = l->string->next[at];

	return next == UINT64_MAX || l->launch[next] != l->launch[at];
}

static int bound_any(const struct run_launches *l, uint32_t units, uint64_t *loads)
{
	struct between b = { .waiting = calloc((size_t)l->count + 1, sizeof(*b.waiting)) };
	uint64_t needed = 0, stayed = 0;
	size_t i;

	if (!b.waiting)
		return -ENOMEM;
	for (i = 0; i < l->string->count; i++) {
		if (!i || l->launch[i] != l->launch[i - 1]) {
			between_fit(&b, units);
			stayed += between_take(&b, l->launch[i]);
		}
		if (!bound_leaves(l, i))
			continue;
		needed++;
		if (l->string->next[i] != UINT64_MAX)
			between_add(&b, l->launch[l->string->next[i]]);
	}
	free(b.waiting);
	*loads = needed - stayed;
	return 0;
}

/*
 * Where SMs may reach over the link: a touch that finds its page not there costs the page or, over the
 * link, a sector at least, and there are as many of these: what is reached for stays no more than
 * what does not fit.  To take MIN's stays and have each cost the lesser of its page and its lines is
 * no bound: with room for one page and the touches 0 1 0 1 0, many lines of 0 and one of 1, MIN loads
 * five times, and who keeps 0 and reaches for 1 loads once.
 */
int run_bound_make(const struct run_launches *l, struct run_bound *bound)
{
	const struct run_rule min = { .units = bound->units };
	int err = bound_any(l, bound->units, &bound->any_loads);

	bound->min_loads = 0;
	bound->min_bytes = 0;
	if (!err && l->order)
		err = run_plan_loads(l->order, &min, &bound->min_loads);
	if (err)
		return err;
	if (l->order)
		bound->min_bytes = (bound->min_loads - l->empty) * RUN_PAGE_BYTES;
	bound->any_bytes = (bound->any_loads - l->empty) * RUN_PAGE_BYTES;
	bound->remote_bytes = (bound->any_loads - l->empty) * RUN_SECTOR_BYTES;
	return 0;
}
