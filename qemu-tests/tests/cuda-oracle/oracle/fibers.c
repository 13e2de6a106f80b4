// SPDX-License-Identifier: GPL-2.0
/*
 * Threads of a block as fibers: one runs until it exits or waits for others.  ORACLE_BACKWARDS=1
 * has them run in the opposite order, which no right program can tell.
 */
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <ucontext.h>

#include "oracle.h"

#define THREADS_MAX	1024
#define STACK_BYTES	(256 << 10)

enum state { READY, WAITING, EXITED };

/**
 * struct fiber - a thread of the block
 * @context: where it goes on
 * @state: whether it does
 * @at: the coordinates in the block
 * @what: what it waits at, with
 * @value: its own value,
 * @members: the lanes that it waits for,
 * @by: a shuffle's lane or distance, and
 * @width: lanes in a segment
 * @result: what it gets there
 */
struct fiber {
	ucontext_t context;
	enum state state;
	struct oracle_place at;
	enum oracle_meeting what;
	uint64_t value, result;
	uint32_t members, by, width;
};

struct oracle_place oracle_thread, oracle_block, oracle_block_size, oracle_grid_size;

static struct fiber fibers[THREADS_MAX];
static char *stacks;
static unsigned int count, current, came;
static ucontext_t scheduler;
static void (*entry_of_all)(void *args);
static void *args_of_all;

void oracle_die(const char *format, ...)
{
	va_list list;

	fprintf(stderr, "oracle: ");
	va_start(list, format);
	vfprintf(stderr, format, list);
	va_end(list);
	fprintf(stderr, "\n");
	exit(3);
}

uint32_t oracle_lane(void)
{
	return current % ORACLE_LANES;
}

static void wait_for_others(void)
{
	struct fiber *f = &fibers[current];

	f->state = WAITING;
	swapcontext(&f->context, &scheduler);
}

uint32_t oracle_barrier(int predicate, uint32_t *of)
{
	struct fiber *f = &fibers[current];

	f->what = ORACLE_BARRIER;
	f->value = predicate != 0;
	wait_for_others();
	*of = came;
	return f->result;
}

uint64_t oracle_meet(enum oracle_meeting what, uint64_t value, uint32_t members, uint32_t by,
		     uint32_t width)
{
	struct fiber *f = &fibers[current];

	if (!(members >> oracle_lane() & 1))
		oracle_die("thread %u is not in its own mask %#x", current, members);
	f->what = what;
	f->value = value;
	f->members = members;
	f->by = by;
	f->width = width;
	wait_for_others();
	return f->result;
}

static void run_thread(void)
{
	entry_of_all(args_of_all);
	fibers[current].state = EXITED;
	setcontext(&scheduler);
}

/* ---- what meetings give ----------------------------------------------- */

/* Which lane's value lane @lane of a shuffle asks for; its own where its segment ends. */
static unsigned int source(const struct fiber *f, unsigned int lane)
{
	unsigned int first = lane & ~(f->width - 1), last = first + f->width - 1;

	switch (f->what) {
	case ORACLE_INDEX:
		return first + f->by % f->width;
	case ORACLE_UP:
		return f->by <= lane - first ? lane - f->by : lane;
	case ORACLE_DOWN:
		return f->by <= last - lane ? lane + f->by : lane;
	default:
		return (lane ^ f->by) <= last ? lane ^ f->by : lane;
	}
}

static uint64_t result_of(const struct fiber *warp, unsigned int lane, uint32_t here)
{
	const struct fiber *f = &warp[lane];
	uint32_t holds = 0, same = 0;
	unsigned int from;

	for (unsigned int i = 0; i < ORACLE_LANES; i++) {
		if (!(here >> i & 1))
			continue;
		holds |= (uint32_t)(warp[i].value != 0) << i;
		same |= (uint32_t)(warp[i].value == f->value) << i;
	}
	switch (f->what) {
	case ORACLE_SYNC:
		return 0;
	case ORACLE_ANY:
		return holds != 0;
	case ORACLE_ALL:
		return holds == here;
	case ORACLE_UNIFORM:
		return holds == here || !holds;
	case ORACLE_BALLOT:
		return holds;
	case ORACLE_MATCH_ANY:
		return same;
	case ORACLE_MATCH_ALL:
		return same == here ? here : 0;
	default:
		/* Who is not here gives zero (hardware.rst, Intrinsics). */
		from = source(f, lane);
		return from < ORACLE_LANES && here >> from & 1 ? warp[from].value : 0;
	}
}

/* ---- who may go on ---------------------------------------------------- */

/* The members of a waiting lane's meeting, if all that have not exited have come to it; else 0. */
static uint32_t complete(const struct fiber *warp, unsigned int lanes, unsigned int lane)
{
	const struct fiber *f = &warp[lane], *other;
	uint32_t here = 0;

	for (unsigned int i = 0; i < lanes; i++) {
		other = &warp[i];
		if (!(f->members >> i & 1) || other->state == EXITED)
			continue;
		if (other->state != WAITING || other->what != f->what ||
		    other->members != f->members)
			return 0;
		here |= 1u << i;
	}
	return here;
}

static void meet_warp(struct fiber *warp, unsigned int lanes)
{
	for (unsigned int lane = 0; lane < lanes; lane++) {
		uint32_t here = 0;

		if (warp[lane].state == WAITING && warp[lane].what != ORACLE_BARRIER)
			here = complete(warp, lanes, lane);
		for (unsigned int i = 0; i < lanes; i++)
			if (here >> i & 1)
				warp[i].result = result_of(warp, i, here);
		for (unsigned int i = 0; i < lanes; i++)
			if (here >> i & 1)
				warp[i].state = READY;
	}
}

static void meet_block(void)
{
	unsigned int waiting = 0, left = 0, holds = 0;

	for (unsigned int i = 0; i < count; i++) {
		bool there = fibers[i].state == WAITING && fibers[i].what == ORACLE_BARRIER;

		left += fibers[i].state != EXITED;
		waiting += there;
		holds += there && fibers[i].value;
	}
	if (waiting < left)
		return;
	came = waiting;
	for (unsigned int i = 0; i < count; i++)
		if (fibers[i].state == WAITING) {
			fibers[i].result = holds;
			fibers[i].state = READY;
		}
}

/* ---- launches --------------------------------------------------------- */

/* Runs what is ready; false if nothing was. */
static bool turn(bool backwards)
{
	bool ran = false;

	for (unsigned int i = 0; i < count; i++) {
		current = backwards ? count - 1 - i : i;
		if (fibers[current].state != READY)
			continue;
		ran = true;
		oracle_thread = fibers[current].at;
		swapcontext(&scheduler, &fibers[current].context);
	}
	return ran;
}

static void begin_thread(unsigned int i, struct oracle_place size)
{
	struct fiber *f = &fibers[i];

	memset(f, 0, sizeof(*f));
	f->at = (struct oracle_place){ i % size.x, i / size.x % size.y, i / size.x / size.y };
	getcontext(&f->context);
	f->context.uc_stack.ss_sp = stacks + (size_t)i * STACK_BYTES;
	f->context.uc_stack.ss_size = STACK_BYTES;
	makecontext(&f->context, run_thread, 0);
}

static void run_block(struct oracle_place size, bool backwards)
{
	unsigned int left = 1;

	for (unsigned int i = 0; i < count; i++)
		begin_thread(i, size);
	while (left) {
		if (!turn(backwards))
			oracle_die("all threads of a block wait, and none for another");
		for (unsigned int i = 0; i < count; i += ORACLE_LANES)
			meet_warp(fibers + i, count - i < ORACLE_LANES ? count - i : ORACLE_LANES);
		meet_block();
		left = 0;
		for (unsigned int i = 0; i < count; i++)
			left += fibers[i].state != EXITED;
	}
}

void oracle_launch(void (*entry)(void *args), void *args, struct oracle_place grid,
		   struct oracle_place block, void *shared, uint64_t shared_bytes)
{
	unsigned int blocks = grid.x * grid.y * grid.z;
	bool backwards = getenv("ORACLE_BACKWARDS");

	count = block.x * block.y * block.z;
	if (!count || count > THREADS_MAX)
		oracle_die("a block of %u threads", count);
	if (!stacks)
		stacks = malloc((size_t)THREADS_MAX * STACK_BYTES);
	entry_of_all = entry;
	args_of_all = args;
	oracle_block_size = block;
	oracle_grid_size = grid;
	for (unsigned int n = 0; n < blocks; n++) {
		unsigned int i = backwards ? blocks - 1 - n : n;

		oracle_block = (struct oracle_place){ i % grid.x, i / grid.x % grid.y,
						      i / grid.x / grid.y };
		memset(shared, 0, shared_bytes);
		run_block(block, backwards);
	}
}
