// SPDX-License-Identifier: GPL-2.0
/* Replacement off line; see run_plan.h. */
#include <errno.h>
#include <stdlib.h>

#include "run/run_plan.h"

/**
 * struct memory - what is there
 * @string: touches
 * @rule: who goes
 * @plan: the stays so far
 * @heap: pieces that may go, from index 1: the greatest key first
 * @count: how many
 * @at: of each piece its index there, or 0
 * @key: of each piece that is there
 * @last: of each piece: position of its latest touch
 * @stay: of each piece: its stay and 1; 0: it is not there
 * @loads: of each touch: loads by then, its own too
 * @resident: pieces that are there
 * @grown: touches that are no longer young
 */
struct memory {
	const struct run_string *string;
	const struct run_rule *rule;
	struct run_plan *plan;
	uint32_t *heap;
	uint32_t count;
	uint32_t *at;
	uint64_t *key;
	size_t *last;
	uint32_t *stay;
	uint32_t *loads;
	uint32_t resident;
	size_t grown;
};

static void heap_put(struct memory *m, uint32_t piece, uint32_t at)
{
	m->heap[at] = piece;
	m->at[piece] = at;
}

/* Up from @at, then down, to where it belongs. */
static void heap_settle(struct memory *m, uint32_t piece, uint32_t at)
{
	uint32_t child;

	for (; at > 1 && m->key[m->heap[at / 2]] < m->key[piece]; at /= 2)
		heap_put(m, m->heap[at / 2], at);
	for (child = 2 * at; child <= m->count; child = 2 * at) {
		if (child < m->count && m->key[m->heap[child + 1]] > m->key[m->heap[child]])
			child++;
		if (m->key[m->heap[child]] <= m->key[piece])
			break;
		heap_put(m, m->heap[child], at);
		at = child;
	}
	heap_put(m, piece, at);
}

static void heap_remove(struct memory *m, uint32_t piece)
{
	uint32_t at = m->at[piece], last = m->heap[m->count--];

	m->at[piece] = 0;
	if (last != piece)
		heap_settle(m, last, at);
}

/* What has not been touched for @rule->delay loads may go; if there is nothing, what was first. */
static void memory_grow_up(struct memory *m, size_t now)
{
	for (; m->grown < now; m->grown++) {
		uint32_t piece = m->string->piece[m->grown];

		if (m->count && m->plan->count - m->loads[m->grown] < m->rule->delay)
			return;
		if (m->stay[piece] && m->last[piece] == m->grown)
			heap_settle(m, piece, ++m->count);
	}
}

static void memory_evict(struct memory *m, size_t now)
{
	uint32_t victim;

	memory_grow_up(m, now);
	victim = m->heap[1];
	heap_remove(m, victim);
	m->plan->stays[m->stay[victim] - 1].end = (uint32_t)m->plan->count;
	m->stay[victim] = 0;
	m->resident--;
}

static void memory_load(struct memory *m, uint32_t piece, size_t now)
{
	if (m->resident == m->rule->units)
		memory_evict(m, now);
	m->plan->stays[m->plan->count++] = (struct run_stay){ .piece = piece, .end = UINT32_MAX };
	m->stay[piece] = (uint32_t)m->plan->count;
	m->resident++;
}

/* Who has the greatest goes first. */
static uint64_t memory_key(const struct memory *m, size_t now)
{
	uint64_t next = m->string->next[now];

	if (m->rule->lru)
		return UINT64_MAX - now;
	if (next != UINT64_MAX)
		return next;
	return m->rule->newest ? UINT64_MAX / 2 + now : UINT64_MAX - now;
}

static void memory_touch(struct memory *m, size_t now)
{
	uint32_t piece = m->string->piece[now];

	if (!m->stay[piece])
		memory_load(m, piece, now);
	if (m->at[piece])
		heap_remove(m, piece);
	m->key[piece] = memory_key(m, now);
	m->last[piece] = now;
	m->loads[now] = (uint32_t)m->plan->count;
}

static void memory_free(struct memory *m)
{
	free(m->heap);
	free(m->at);
	free(m->key);
	free(m->last);
	free(m->stay);
	free(m->loads);
}

static int memory_alloc(struct memory *m)
{
	size_t pieces = (size_t)m->string->pieces + 1;

	m->heap = calloc(pieces + 1, sizeof(*m->heap));
	m->at = calloc(pieces, sizeof(*m->at));
	m->key = calloc(pieces, sizeof(*m->key));
	m->last = calloc(pieces, sizeof(*m->last));
	m->stay = calloc(pieces, sizeof(*m->stay));
	m->loads = calloc(m->string->count + 1, sizeof(*m->loads));
	m->plan->stays = calloc(m->string->count + 1, sizeof(*m->plan->stays));
	return m->heap && m->at && m->key && m->last && m->stay && m->loads && m->plan->stays ?
	       0 : -ENOMEM;
}

int run_plan_make(const struct run_string *string, const struct run_rule *rule,
		  struct run_plan *plan)
{
	struct memory m = { .string = string, .rule = rule, .plan = plan };
	size_t i;
	int err;

	*plan = (struct run_plan){ 0 };
	if (string->count >= UINT32_MAX)
		return -E2BIG;
	err = memory_alloc(&m);
	for (i = 0; !err && i < string->count; i++)
		memory_touch(&m, i);
	memory_free(&m);
	if (err)
		run_plan_free(plan);
	return err;
}

void run_plan_free(struct run_plan *plan)
{
	free(plan->stays);
	*plan = (struct run_plan){ 0 };
}

int run_plan_loads(const struct run_string *string, const struct run_rule *rule, uint64_t *loads)
{
	struct run_plan plan;
	int err = run_plan_make(string, rule, &plan);

	*loads = plan.count;
	run_plan_free(&plan);
	return err;
}
