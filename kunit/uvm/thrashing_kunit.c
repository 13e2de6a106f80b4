// SPDX-License-Identifier: GPL-2.0
/*
 * Thrashing: every rule of nvidia-uvm 5.3 and 5.4 has its rows; steps 7 and 8 are
 * thrashing_policy_kunit.c's.
 */
#include <kunit/resource.h>
#include <kunit/test.h>
#include <linux/overflow.h>
#include "uvm/policy/param.h"
#include "uvm/policy/policy.h"
#include "uvm/model/thrashing.h"
#include "uvm_pure.h"

#define CPU	UVM_ID_CPU
#define GPU0	UVM_ID_GPU(0)
#define GPU1	UVM_ID_GPU(1)
#define NOBODY	UVM_ID_INVALID
#define B(id)	BIT(id)

#define NONE	UVM_THRASHING_HINT_NONE
#define THROTTLE UVM_THRASHING_HINT_THROTTLE
#define PIN	UVM_THRASHING_HINT_PIN

/* ---- scenarios ------------------------------------------------------------ */

/* What happens to page PAGE, or is asked about it. */
enum op {
	END,
	MOVES,		/* by a fault, to @who; @many pages */
	PREFETCHED,
	BY_USER,	/* API migration */
	BY_COPY,	/* a copy by virtual address */
	LEAVES,		/* its GPU is unregistered */
	EVICTED,
	COPIED,		/* read-duplicated */
	REVOKED,	/* @who lost permissions */
	FAULT,		/* @who faults: expect @hint and @where */
	ATOMIC,		/* the same with an atomic */
	EXPIRE,		/* pins that have ended go; expect @many */
	UNMAP,		/* munmap */
	PAGES,		/* expect: there is a history of pages if @many */
	EVENTS,		/* expect @many close events */
	FOUND,		/* expect the page to have been found out @many times */
	THRASHES,	/* expect @many thrashing pages */
	PINNED,		/* expect @many pinned pages */
	THROTTLES,	/* expect processors to have waited for it @many times */
	STARTS,		/* expect @many throttles begun so far */
	ENDS,		/* expect @many throttles ended so far */
	RESETS,		/* expect the block to have forgotten @many times */
	ALTERNATE,	/* @many migrations, 100 us apart, from @us on, CPU first */
};

struct step {
	enum op op;
	u64 us;
	u8 who;
	unsigned int many;
	enum uvm_thrashing_hint hint;
	u8 where;
};

struct scenario {
	const char *rule;
	const char *set[4];	/* NAME, VALUE, ... */
	struct step steps[24];
};

#define PAGE	7
#define M(us, who)		{ MOVES, us, who, 1 }
#define F(us, who, ...)		{ FAULT, us, who, 0, __VA_ARGS__ }
#define A(us, who, ...)		{ ATOMIC, us, who, 0, __VA_ARGS__ }
#define X(op, many)		{ op, 0, 0, many }
/* The fifth event makes a page thrash: one for the block, one for the page, three close. */
#define FIGHT			{ ALTERNATE, 1000, 0, 5 }	/* ends at the CPU, at 1400 us */

static const struct scenario scenarios[] = {
	/* 5.3: when a history is kept */
	{ "5.3: the first event makes no history of pages", {}, { M(100, CPU), X(PAGES, 0) } },
	{ "5.3: nor do more to the same processor", {},
	  { M(100, CPU), M(200, CPU), M(300, CPU), X(PAGES, 0) } },
	{ "5.3: nor one to another after the lapse", {},
	  { M(100, CPU), M(601, GPU0), X(PAGES, 0) } },
	{ "5.3: but one to another within it", {}, { M(100, CPU), M(600, GPU0), X(PAGES, 1) } },
	{ "5.3: counted is from the second event of the page on", {},
	  { M(100, CPU), M(200, GPU0), X(EVENTS, 0), M(300, CPU), X(EVENTS, 1) } },
	/* 5.3: counting */
	{ "5.3: an event at the lapse counts", {},
	  { M(100, CPU), M(128, GPU0), M(628, CPU), X(EVENTS, 1) } },
	{ "5.3: one after it does not", {},
	  { M(100, CPU), M(128, GPU0), M(629, CPU), X(EVENTS, 0) } },
	{ "5.3: the count stays over a long gap while below the threshold", {},
	  { M(100, CPU), M(200, GPU0), M(300, CPU), M(9000, GPU0), X(EVENTS, 1), M(9100, CPU),
	    X(EVENTS, 2) } },
	{ "5.2: three close events are thrashing", {},
	  { { ALTERNATE, 1000, 0, 4 }, X(THRASHES, 0), M(1400, CPU), X(THRASHES, 1) } },
	{ "5.2: as many as the threshold says", { "perf_thrashing_threshold", "7" },
	  { { ALTERNATE, 1000, 0, 8 }, X(THRASHES, 0), M(1800, CPU), X(THRASHES, 1) } },
	{ "5.2: one will do", { "perf_thrashing_threshold", "1" },
	  { { ALTERNATE, 1000, 0, 2 }, X(THRASHES, 0), M(1200, CPU), X(THRASHES, 1) } },
	{ "5.2: the counter has 3 bits", {}, { { ALTERNATE, 1000, 0, 60 }, X(EVENTS, 7) } },
	{ "5.3: a page is found out once", {}, { { ALTERNATE, 1000, 0, 60 }, X(FOUND, 1) } },
	{ "5.3: but by each event at the end of the counter", { "perf_thrashing_threshold", "7" },
	  { { ALTERNATE, 1000, 0, 9 }, X(FOUND, 1), M(1900, GPU0), X(FOUND, 2), M(2000, CPU),
	    X(FOUND, 3), X(THRASHES, 1) } },
	{ "5.3: a page that thrashed and then did not is reset, with the event that tells so", {},
	  { FIGHT, X(THRASHES, 1), M(1901, GPU0), X(THRASHES, 0), X(EVENTS, 0), M(2000, CPU),
	    X(EVENTS, 0), M(2100, GPU0), X(EVENTS, 1), M(2200, CPU), X(THRASHES, 0),
	    M(2300, GPU0), X(THRASHES, 1) } },
	{ "5.3: each page for itself", {},
	  { FIGHT, { MOVES, 1500, GPU0, 3 }, { MOVES, 1600, CPU, 3 }, { MOVES, 1700, GPU0, 3 },
	    X(THRASHES, 1), { MOVES, 1800, CPU, 3 }, X(THRASHES, 3) } },
	/* 5.3: which events */
	{ "5.3: eviction is ignored", {},
	  { M(100, CPU), { EVICTED, 150, CPU, 1 }, M(200, GPU0), M(300, CPU),
	    { EVICTED, 350, CPU, 1 }, { EVICTED, 360, CPU, 1 }, X(EVENTS, 1) } },
	{ "5.3: an evicted block alone makes no history", {},
	  { M(100, GPU0), { EVICTED, 150, CPU, 1 }, M(200, GPU0), X(PAGES, 0) } },
	{ "5.3: prefetched pages count", {},
	  { M(100, CPU), { PREFETCHED, 200, GPU0, 1 }, { PREFETCHED, 300, CPU, 1 },
	    X(EVENTS, 1) } },
	{ "5.3: API migration resets", {},
	  { FIGHT, { BY_USER, 1450, GPU0, 1 }, X(THRASHES, 0), X(EVENTS, 0),
	    F(1460, CPU, NONE) } },
	{ "5.3: but what does not thrash goes on counting", {},
	  { M(100, CPU), M(200, GPU0), M(300, CPU), { BY_USER, 350, GPU0, 1 }, X(EVENTS, 1),
	    { COPIED, 360, GPU0, 1 }, X(EVENTS, 1), M(400, GPU0), X(EVENTS, 2) } },
	{ "5.3: copies by address reset", {},
	  { FIGHT, { BY_COPY, 1450, GPU0, 1 }, X(THRASHES, 0), X(EVENTS, 0) } },
	{ "5.3: they are no events", {},
	  { M(100, CPU), { BY_COPY, 200, GPU0, 1 }, X(PAGES, 0), M(300, GPU0),
	    { BY_COPY, 350, CPU, 1 }, M(400, CPU), X(EVENTS, 1) } },
	{ "5.3: who is let through, and until when, outlives a reset", {},
	  { FIGHT, F(1450, GPU0, NONE), { BY_USER, 1460, GPU0, 1 }, M(1500, CPU), M(1510, GPU0),
	    M(1520, CPU), M(1530, GPU0), F(1540, CPU, THROTTLE), X(STARTS, 1) } },
	{ "5.3: so does how often processors waited: it is pinned sooner",
	  { "perf_thrashing_pin_threshold", "2" },
	  { FIGHT, F(1450, GPU0, NONE), F(1460, CPU, THROTTLE), { BY_USER, 1470, GPU0, 1 },
	    X(ENDS, 1), M(1500, CPU), M(1510, GPU0), M(1520, CPU), M(1530, GPU0),
	    X(THROTTLES, 1), F(1540, CPU, NONE), M(1541, CPU), F(1550, GPU0, THROTTLE),
	    F(1560, CPU, PIN, CPU), X(THROTTLES, 0) } },
	{ "5.3: so does a GPU that leaves", {},
	  { FIGHT, { LEAVES, 1450, CPU, 1 }, X(THRASHES, 0), X(EVENTS, 0) } },
	{ "5.3: so does read duplication", {},
	  { FIGHT, { COPIED, 1450, GPU0, 1 }, X(THRASHES, 0), X(EVENTS, 0) } },
	{ "5.4: so does munmap", {}, { FIGHT, { UNMAP, 1450 }, X(THRASHES, 0), X(EVENTS, 0) } },
	{ "5.4: nothing is left of what is unmapped", { "perf_thrashing_pin_threshold", "1" },
	  { FIGHT, F(1450, GPU0, NONE), F(1460, CPU, THROTTLE), { UNMAP, 1470 }, X(THROTTLES, 0),
	    M(1480, CPU), M(1490, GPU0), X(EVENTS, 1), { UNMAP, 1500 }, X(EVENTS, 0) } },
	{ "5.3: revocations count", {},
	  { { REVOKED, 100, CPU, 1 }, { REVOKED, 200, GPU0, 1 }, { REVOKED, 300, CPU, 1 },
	    { REVOKED, 400, GPU0, 1 }, { REVOKED, 500, CPU, 1 }, X(THRASHES, 1) } },
	/* 5.4, steps 1 to 3 */
	{ "5.4-1: no history of pages, no hint", {}, { M(100, CPU), F(200, GPU0, NONE) } },
	{ "5.4-3: not enough events, no hint", {},
	  { { ALTERNATE, 1000, 0, 4 }, F(1350, CPU, NONE), X(STARTS, 0) } },
	{ "5.4-2: a block forgets after an epoch", { "perf_thrashing_epoch", "4" },
	  { FIGHT, F(3401, GPU0, NONE), X(PAGES, 0), X(RESETS, 1), X(THRASHES, 0) } },
	{ "5.4-2: not earlier", { "perf_thrashing_epoch", "4" },
	  { FIGHT, F(3400, GPU0, NONE), X(PAGES, 1), X(RESETS, 0) } },
	{ "5.4-2: only so often",
	  { "perf_thrashing_epoch", "4", "perf_thrashing_max_resets", "1" },
	  { FIGHT, F(9000, GPU0, NONE), X(RESETS, 1), { ALTERNATE, 11000, 0, 5 }, X(PAGES, 1),
	    F(20000, GPU0, NONE), X(RESETS, 1), X(PAGES, 1) } },
	{ "5.4-2: never", { "perf_thrashing_epoch", "4", "perf_thrashing_max_resets", "0" },
	  { FIGHT, F(9000, GPU0, NONE), X(RESETS, 0), X(PAGES, 1) } },
	/* the original's count of pinned pages never falls */
	{ "5.4-2: not while a page is pinned, but again when none is",
	  { "perf_thrashing_pin_threshold", "1", "perf_thrashing_epoch", "301" },
	  { FIGHT, F(1450, GPU0, NONE), F(1460, CPU, THROTTLE), F(1951, CPU, PIN, CPU),
	    X(PINNED, 1), F(152000, CPU, PIN, CPU), X(RESETS, 0), { EXPIRE, 152000, 0, 1 },
	    X(PINNED, 0), F(152001, CPU, NONE), X(RESETS, 1) } },
	/* 5.4, steps 4 to 6 */
	{ "5.4-6: the first who asks has the free pass, 8e", {},
	  { FIGHT, F(1450, GPU0, NONE), X(STARTS, 0) } },
	{ "5.4-6: the second is throttled", {},
	  { FIGHT, F(1450, GPU0, NONE), F(1460, CPU, THROTTLE), X(STARTS, 1), X(ENDS, 0) } },
	{ "5.4-4: until the period ends", {},
	  { FIGHT, F(1450, GPU0, NONE), F(1460, CPU, THROTTLE), F(1949, CPU, THROTTLE),
	    X(STARTS, 1), X(ENDS, 0), X(THROTTLES, 1) } },
	{ "5.4-4: then it is its turn", {},
	  { FIGHT, F(1450, GPU0, NONE), F(1460, CPU, THROTTLE), F(1951, CPU, NONE), X(STARTS, 1),
	    X(ENDS, 1), F(1960, GPU0, THROTTLE), X(STARTS, 2) } },
	{ "5.4-6: the last instant belongs to the old period", {},
	  { FIGHT, F(1452, GPU0, NONE), M(1500, GPU0), F(1952, GPU0, NONE),
	    F(1953, GPU0, THROTTLE), X(STARTS, 1) } },
	{ "5.4-4: but not to the last one who waits: a new one begins", {},
	  { FIGHT, F(1452, GPU0, NONE), F(1460, CPU, THROTTLE), F(1952, CPU, NONE),
	    F(1953, GPU0, THROTTLE), X(STARTS, 2), X(ENDS, 1) } },
	{ "5.4-4: it does to one of two who wait", {},
	  { FIGHT, F(1452, GPU0, NONE), F(1460, CPU, THROTTLE), F(1470, GPU1, THROTTLE),
	    F(1952, CPU, THROTTLE), X(STARTS, 3), X(ENDS, 1), F(1953, GPU1, NONE) } },
	{ "5.4-6: not the same one twice", {},
	  { FIGHT, F(1450, GPU0, NONE), M(1500, GPU0), F(1951, GPU0, THROTTLE), X(STARTS, 1) } },
	{ "5.4-6: who is next in such a period has it", {},
	  { FIGHT, F(1450, GPU0, NONE), M(1500, GPU0), F(1951, GPU0, THROTTLE),
	    F(1952, CPU, NONE), F(1953, GPU0, THROTTLE), X(STARTS, 1) } },
	{ "5.2: a longer nap", { "perf_thrashing_nap", "3" },
	  { FIGHT, F(1450, GPU0, NONE), F(1460, CPU, THROTTLE), M(1800, GPU0),
	    M(2300, GPU0), M(2800, GPU0), F(2949, CPU, THROTTLE), F(2951, CPU, NONE),
	    F(2960, GPU0, THROTTLE) } },
	{ "5.4-5: a gap after which it does not thrash", {},
	  { FIGHT, F(1950, GPU0, NONE), F(1951, CPU, NONE), X(STARTS, 0) } },
	{ "5.4-5: a nap is a gap like any other", { "perf_thrashing_lapse_usec", "501" },
	  { FIGHT, F(1450, GPU0, NONE), F(1460, CPU, THROTTLE), F(1952, CPU, NONE), X(STARTS, 1),
	    X(ENDS, 1), F(1953, GPU0, NONE), X(STARTS, 1) } },
	{ "5.4-5: but it lets a lapse that adapts grow before", {},
	  { FIGHT, F(1450, GPU0, NONE), F(1460, CPU, THROTTLE), F(1952, CPU, NONE),
	    F(1953, GPU0, THROTTLE), X(STARTS, 2) } },
	/* 5.4, step 9 */
	{ "5.4-9: who waits counts once, however often the fault comes; free pass then pins (8e)",
	  { "perf_thrashing_pin_threshold", "2" },
	  { FIGHT, F(1450, GPU0, NONE), M(1451, GPU0), F(1460, CPU, THROTTLE),
	    F(1470, CPU, THROTTLE), F(1480, CPU, THROTTLE), X(THROTTLES, 1), F(1490, GPU0, NONE),
	    F(1951, CPU, NONE), M(1952, CPU), F(1960, GPU0, THROTTLE), F(1970, GPU0, THROTTLE),
	    X(THROTTLES, 2), F(1980, CPU, PIN, CPU), X(PINNED, 1), X(THROTTLES, 0), X(STARTS, 2),
	    X(ENDS, 2) } },
	{ "5.4-9: each of those who wait counts", {},
	  { FIGHT, F(1450, GPU0, NONE), F(1460, CPU, THROTTLE), F(1470, GPU1, THROTTLE),
	    F(1480, CPU, THROTTLE), F(1490, GPU1, THROTTLE), X(THROTTLES, 2) } },
	{ "5.4-8d: pinned out of the CPU's reach it moves with the CPU's free pass, and stays",
	  { "perf_thrashing_pin_threshold", "1" },
	  { FIGHT, F(1450, GPU0, NONE), F(1460, CPU, THROTTLE), F(1470, GPU0, PIN, GPU0),
	    F(1480, CPU, PIN, CPU), F(1490, GPU0, PIN, CPU), F(1999, GPU0, PIN, CPU),
	    X(PINNED, 1) } },
	{ "no atomics over a link: no place is good for all, so throttling is all there is",
	  { "perf_thrashing_pin_threshold", "1" },
	  { FIGHT, A(1450, GPU0, NONE), F(1460, CPU, THROTTLE), A(1470, GPU0, NONE),
	    F(1480, CPU, THROTTLE), X(PINNED, 0), F(1951, CPU, NONE), A(1960, GPU0, THROTTLE) } },
	{ "and a pin that is no longer good for all ends",
	  { "perf_thrashing_pin_threshold", "1" },
	  { FIGHT, F(1450, GPU0, NONE), F(1460, CPU, THROTTLE), F(1470, GPU0, PIN, GPU0),
	    F(1480, CPU, PIN, CPU), A(1490, GPU0, THROTTLE), X(PINNED, 0), F(1500, CPU, NONE) } },
	{ "5.3: a pinned page is not reset after a long gap",
	  { "perf_thrashing_pin_threshold", "1" },
	  { FIGHT, F(1450, GPU0, NONE), F(1460, CPU, THROTTLE), F(1470, GPU0, PIN, GPU0),
	    { PREFETCHED, 9000, CPU, 1 }, X(PINNED, 1), X(THRASHES, 1) } },
	{ "5.4-5: nor does it cease to thrash", { "perf_thrashing_pin_threshold", "1" },
	  { FIGHT, F(1450, GPU0, NONE), F(1460, CPU, THROTTLE), F(1470, GPU0, PIN, GPU0),
	    F(9000, CPU, PIN, CPU) } },
	{ "5.3: where all pages of a move are pinned it does not count",
	  { "perf_thrashing_pin_threshold", "1", "perf_thrashing_threshold", "3" },
	  { FIGHT, F(1450, GPU0, NONE), F(1460, CPU, THROTTLE), F(1470, GPU0, PIN, GPU0),
	    X(EVENTS, 3), M(1480, GPU0), X(EVENTS, 3), { MOVES, 1490, GPU0, 2 },
	    X(EVENTS, 4) } },
	{ "5.4: a pin ends in time, with slop, and the page is reset",
	  { "perf_thrashing_pin_threshold", "1" },
	  { FIGHT, F(1450, GPU0, NONE), F(1460, CPU, THROTTLE), F(1470, GPU0, PIN, GPU0),
	    F(1480, CPU, PIN, CPU), { EXPIRE, 151449, 0, 0 }, X(PINNED, 1),
	    { EXPIRE, 151450, 0, 1 }, X(PINNED, 0), X(THRASHES, 0), X(EVENTS, 0) } },
	{ "5.2: pin 0 is for ever",
	  { "perf_thrashing_pin_threshold", "1", "perf_thrashing_pin", "0" },
	  { FIGHT, F(1450, GPU0, NONE), F(1460, CPU, THROTTLE), F(1470, GPU0, PIN, GPU0),
	    { EXPIRE, U64_MAX / 2000, 0, 0 }, X(PINNED, 1) } },
	{ "5.3: API migration unpins", { "perf_thrashing_pin_threshold", "1" },
	  { FIGHT, F(1450, GPU0, NONE), F(1460, CPU, THROTTLE), F(1470, GPU0, PIN, GPU0),
	    { BY_USER, 1480, CPU, 1 }, X(PINNED, 0), X(THRASHES, 0) } },
	{ "5.4: munmap ends throttling", {},
	  { FIGHT, F(1450, GPU0, NONE), F(1460, CPU, THROTTLE), { UNMAP, 1470 }, X(STARTS, 1),
	    X(ENDS, 1) } },
	{ "5.4-7: a pinned page with revocations throttles all but one",
	  { "perf_thrashing_pin_threshold", "1" },
	  { FIGHT, { REVOKED, 1410, GPU0, 1 }, F(1450, GPU0, NONE), F(1460, CPU, THROTTLE),
	    F(1470, GPU0, PIN, GPU0), F(1480, CPU, PIN, CPU), F(1490, GPU0, THROTTLE),
	    X(THROTTLES, 0), X(ENDS, 1), F(1495, CPU, PIN, CPU) } },
	/* the page of these cases is never with who asks */
	{ "5.4-9: who waits for a pinned page is let go when it has to come back to its place",
	  { "perf_thrashing_pin_threshold", "1" },
	  { FIGHT, { REVOKED, 1410, GPU0, 1 }, F(1450, GPU0, NONE), F(1460, CPU, THROTTLE),
	    F(1470, GPU0, PIN, GPU0), F(1480, CPU, PIN, CPU), F(1490, GPU0, THROTTLE),
	    X(STARTS, 2), X(ENDS, 1), F(1495, CPU, PIN, CPU), X(ENDS, 2) } },
};

struct bench {
	struct kunit *test;
	const char *rule;
	struct uvm_params params;
	struct uvm_thrashing_params thrashing;
	struct uvm_thrashing_block block;
	struct uvm_thrashing_lapse lapse;
	struct uvm_thrashing_ctx ctx;
	unsigned int reports[UVM_THRASHING_FORGOTTEN + 1];
};

/* A GPU reaches system memory and its own; the CPU its own. */
static const struct uvm_topology pcie = {
	.can_access = { [CPU] = B(CPU), [GPU0] = B(CPU) | B(GPU0), [GPU1] = B(CPU) | B(GPU1) },
	.native_atomics = { [CPU] = B(CPU), [GPU0] = B(GPU0), [GPU1] = B(GPU1) },
};

static void bench_report(struct uvm_thrashing_ctx *ctx, enum uvm_thrashing_report what,
			 unsigned int page, unsigned int processor)
{
	container_of(ctx, struct bench, ctx)->reports[what]++;
}

static void bench_end(void *b)
{
	uvm_thrashing_deinit(&((struct bench *)b)->block);
}

/* Its history goes with the test. */
static struct bench *bench_new(struct kunit *test)
{
	struct bench *b = kunit_kzalloc(test, sizeof(*b), GFP_KERNEL);

	KUNIT_ASSERT_NOT_NULL(test, b);
	b->test = test;
	uvm_params_defaults(&b->params);
	uvm_thrashing_init(&b->block);
	KUNIT_ASSERT_EQ(test, kunit_add_action_or_reset(test, bench_end, b), 0);
	b->ctx = (struct uvm_thrashing_ctx){
		.block = &b->block, .params = &b->thrashing, .lapse = &b->lapse,
		.topology = &pcie, .report = bench_report,
	};
	KUNIT_ASSERT_TRUE(test, uvm_thrashing_params_read(&b->params, &b->thrashing));
	return b;
}

static struct uvm_region bench_pages(unsigned int many)
{
	return uvm_region_make(PAGE, PAGE + many);
}

static void bench_fault(struct bench *b, const struct step *s)
{
	struct uvm_thrashing_fault fault = {
		.page = PAGE, .requester = s->who, .preferred = NOBODY,
		.resident = s->who == CPU ? GPU0 : CPU, .atomic = s->op == ATOMIC,
		.residents = s->who == CPU ? B(GPU0) : B(CPU),
	};
	struct uvm_thrashing_hint_result got = uvm_thrashing_hint(&b->ctx, &fault);

	KUNIT_EXPECT_EQ_MSG(b->test, got.hint, s->hint, "%s: fault at %llu us", b->rule, s->us);
	if (s->hint == PIN)
		KUNIT_EXPECT_EQ_MSG(b->test, got.where, s->where, "%s: fault at %llu us", b->rule,
				    s->us);
	if (s->hint == THROTTLE)
		KUNIT_EXPECT_GE_MSG(b->test, got.until, b->ctx.now, "%s: fault at %llu us",
				    b->rule, s->us);
}

static void bench_move(struct bench *b, u64 us, u8 who, unsigned int many,
		       enum uvm_event_cause cause, bool duplicates)
{
	b->ctx.now = us * NSEC_PER_USEC;
	uvm_thrashing_migration(&b->ctx, who, bench_pages(many), cause, duplicates);
}

static void bench_expire(struct bench *b, unsigned int many)
{
	struct uvm_page_mask pages;

	KUNIT_EXPECT_EQ_MSG(b->test, uvm_thrashing_expired(&b->block, b->ctx.now, &pages),
			    many > 0, "%s", b->rule);
	KUNIT_EXPECT_EQ_MSG(b->test, uvm_page_mask_weight(&pages), many, "%s", b->rule);
	uvm_thrashing_reset(&b->ctx, &pages);
}

/* Moves, by cause; what a fault causes depends on whose it is. */
static const enum uvm_event_cause bench_causes[] = {
	[PREFETCHED] = UVM_CAUSE_PREFETCH,
	[BY_USER] = UVM_CAUSE_USER,
	[BY_COPY] = UVM_CAUSE_NON_REPLAYABLE,
	[LEAVES] = UVM_CAUSE_UNREGISTER,
	[EVICTED] = UVM_CAUSE_EVICTION,
	[COPIED] = UVM_CAUSE_FAULT,
};

static bool bench_act(struct bench *b, const struct step *s)
{
	struct uvm_page_mask pages;

	b->ctx.now = s->us * NSEC_PER_USEC;
	switch (s->op) {
	case MOVES:
		bench_move(b, s->us, s->who, s->many,
			   s->who == CPU ? UVM_CAUSE_CPU_FAULT : UVM_CAUSE_FAULT, false);
		return true;
	case PREFETCHED:
	case BY_USER:
	case BY_COPY:
	case LEAVES:
	case EVICTED:
	case COPIED:
		bench_move(b, s->us, s->who, s->many, bench_causes[s->op], s->op == COPIED);
		return true;
	case REVOKED:
		uvm_thrashing_revocation(&b->ctx, s->who, bench_pages(s->many));
		return true;
	case ALTERNATE:
		for (unsigned int i = 0; i < s->many; i++)
			bench_move(b, s->us + i * 100, i % 2 ? GPU0 : CPU, 1, UVM_CAUSE_FAULT,
				   false);
		return true;
	case FAULT:
	case ATOMIC:
		bench_fault(b, s);
		return true;
	case EXPIRE:
		bench_expire(b, s->many);
		return true;
	case UNMAP:
		uvm_page_mask_fill(&pages);
		uvm_thrashing_forget(&b->ctx, &pages);
		return true;
	default:
		return false;
	}
}

static unsigned int bench_look(struct bench *b, enum op op)
{
	switch (op) {
	case PAGES:
		return !!b->block.pages;
	case EVENTS:
		return b->block.pages ? b->block.pages[PAGE].events : 99;
	case FOUND:
		return b->reports[UVM_THRASHING_DETECTED];
	case THRASHES:
		return uvm_page_mask_weight(&b->block.thrashing);
	case PINNED:
		return b->block.nr_pinned;
	case THROTTLES:
		return b->block.pages ? b->block.pages[PAGE].throttles : 999;
	case STARTS:
		return b->reports[UVM_THRASHING_THROTTLE_START];
	case ENDS:
		return b->reports[UVM_THRASHING_THROTTLE_END];
	case RESETS:
		return b->reports[UVM_THRASHING_FORGOTTEN];
	default:
		return 99;
	}
}

/* What must hold after every step. */
static void bench_check(struct bench *b, const struct step *s)
{
	struct uvm_thrashing_block *block = &b->block;
	unsigned int page, pinned = 0;

	KUNIT_EXPECT_EQ_MSG(b->test, uvm_page_mask_weight(&block->pinned), block->nr_pinned,
			    "%s", b->rule);
	for (page = 0; block->pages && page < UVM_PAGES_PER_BLOCK; page++)
		pinned += block->pages[page].pinned_at != NOBODY;
	KUNIT_EXPECT_EQ_MSG(b->test, pinned, block->nr_pinned, "%s", b->rule);
	KUNIT_EXPECT_EQ_MSG(b->test, uvm_thrashing_next_unpin(block) != U64_MAX,
			    block->nr_pinned && b->thrashing.pin_ns != U64_MAX, "%s", b->rule);
	if (!bench_act(b, s))
		KUNIT_EXPECT_EQ_MSG(b->test, bench_look(b, s->op), s->many, "%s: check %d",
				    b->rule, s->op);
}

static void thrashing_scenarios(struct kunit *test)
{
	for (int i = 0; i < ARRAY_SIZE(scenarios); i++) {
		struct bench *b = bench_new(test);

		b->rule = scenarios[i].rule;
		for (int p = 0; p < ARRAY_SIZE(scenarios[i].set) && scenarios[i].set[p]; p += 2)
			KUNIT_ASSERT_EQ_MSG(test, uvm_params_set(&b->params, scenarios[i].set[p],
								 scenarios[i].set[p + 1]), 0,
					    "%s", b->rule);
		uvm_thrashing_params_read(&b->params, &b->thrashing);
		for (int s = 0; scenarios[i].steps[s].op; s++)
			bench_check(b, &scenarios[i].steps[s]);
	}
}

/* ---- the rest --------------------------------------------------------------- */

static void thrashing_reports(struct kunit *test)
{
	struct bench *b = bench_new(test);
	static const struct step steps[] = {
		FIGHT, F(1450, GPU0, NONE), F(1460, CPU, THROTTLE), F(1470, GPU0, PIN, GPU0),
		F(1480, CPU, PIN, CPU), F(1490, GPU0, PIN, CPU), { UNMAP, 1500 },
	};

	b->rule = "reports";
	b->thrashing.pin_threshold = 1;
	for (int i = 0; i < ARRAY_SIZE(steps); i++)
		bench_act(b, &steps[i]);
	KUNIT_EXPECT_EQ(test, b->reports[UVM_THRASHING_DETECTED], 1);
	KUNIT_EXPECT_EQ(test, b->reports[UVM_THRASHING_THROTTLE_START], 1);
	KUNIT_EXPECT_EQ(test, b->reports[UVM_THRASHING_THROTTLE_END], 1);
	KUNIT_EXPECT_EQ(test, b->reports[UVM_THRASHING_PINNED], 2);	/* moved once */
	KUNIT_EXPECT_EQ(test, b->reports[UVM_THRASHING_UNPINNED], 1);
	KUNIT_EXPECT_EQ(test, b->reports[UVM_THRASHING_FORGOTTEN], 0);
}

/* Who fights is told of pinned pages only, and the time to try again is the period's end. */
static void thrashing_answers(struct kunit *test)
{
	struct bench *b = bench_new(test);
	struct uvm_thrashing_fault fault = {
		.page = PAGE, .requester = GPU0, .preferred = NOBODY, .resident = CPU,
	};
	struct uvm_thrashing_hint_result got;
	static const struct step steps[] = { FIGHT };

	bench_act(b, &steps[0]);
	b->thrashing.pin_threshold = 1;
	b->ctx.now = 1450 * NSEC_PER_USEC;
	uvm_thrashing_hint(&b->ctx, &fault);
	KUNIT_EXPECT_EQ(test, uvm_thrashing_processors(&b->block, PAGE), 0);
	fault.requester = CPU;
	b->ctx.now = 1460 * NSEC_PER_USEC;
	got = uvm_thrashing_hint(&b->ctx, &fault);
	KUNIT_EXPECT_EQ(test, got.hint, THROTTLE);
	/* 1450 us and a nap: not rounded, see thrashing_update_period() */
	KUNIT_EXPECT_EQ(test, got.until, 1950 * NSEC_PER_USEC);
	fault.requester = GPU0;
	got = uvm_thrashing_hint(&b->ctx, &fault);
	KUNIT_EXPECT_EQ(test, got.hint, PIN);
	KUNIT_EXPECT_EQ(test, uvm_thrashing_processors(&b->block, PAGE), B(CPU) | B(GPU0));
	KUNIT_EXPECT_EQ(test, uvm_thrashing_next_unpin(&b->block), (1460 + 150000) * NSEC_PER_USEC);
}

struct classify_case {
	enum uvm_event_cause cause;
	bool duplicates;
	enum uvm_thrashing_effect want;
};

/* 5.3, first rules. */
static const struct classify_case classify_cases[] = {
	{ UVM_CAUSE_FAULT, false, UVM_THRASHING_COUNT_UNPINNED },
	{ UVM_CAUSE_CPU_FAULT, false, UVM_THRASHING_COUNT_UNPINNED },
	{ UVM_CAUSE_ACCESS_COUNTER, false, UVM_THRASHING_COUNT_UNPINNED },
	{ UVM_CAUSE_PREFETCH, false, UVM_THRASHING_COUNT },
	{ UVM_CAUSE_EVICTION, false, UVM_THRASHING_IGNORE },
	{ UVM_CAUSE_EVICTION, true, UVM_THRASHING_IGNORE },
	{ UVM_CAUSE_FAULT, true, UVM_THRASHING_RESET },
	{ UVM_CAUSE_PREFETCH, true, UVM_THRASHING_RESET },
	{ UVM_CAUSE_NON_REPLAYABLE, false, UVM_THRASHING_RESET },
	{ UVM_CAUSE_USER, false, UVM_THRASHING_RESET },
	{ UVM_CAUSE_UNREGISTER, false, UVM_THRASHING_RESET },
	{ UVM_CAUSE_POLICY, false, UVM_THRASHING_RESET },
};

/* Gaps of nearly the lapse: where in a step of timestamps a run begins makes no difference. */
static void thrashing_begins_anywhere(struct kunit *test)
{
	static const u64 at[] = { 10, 499990, 999960, 1499930, 1999900, 2499870 };

	for (u64 origin = 1 << 20; origin < (1 << 20) + UVM_THRASHING_STAMP_NS; origin++) {
		struct bench *b = bench_new(test);

		b->ctx.origin = origin;
		for (int i = 0; i < ARRAY_SIZE(at); i++) {
			b->ctx.now = origin + at[i];
			uvm_thrashing_migration(&b->ctx, i % 2 ? GPU0 : CPU, bench_pages(1),
						i % 2 ? UVM_CAUSE_FAULT : UVM_CAUSE_CPU_FAULT,
						false);
		}
		KUNIT_EXPECT_EQ_MSG(test, uvm_page_mask_weight(&b->block.thrashing), 1,
				    "origin %llu", origin);
	}
}

static void thrashing_classify(struct kunit *test)
{
	for (int i = 0; i < ARRAY_SIZE(classify_cases); i++)
		KUNIT_EXPECT_EQ_MSG(test, uvm_thrashing_classify(classify_cases[i].cause,
								 classify_cases[i].duplicates),
				    classify_cases[i].want, "case %d", i);
}

struct place_case {
	const char *rule;
	u16 reach, link, atomics;	/* of GPU0 */
	u8 resident;
	u8 want;
};

/*
 * Where a page is pinned that the CPU and GPU0 fight for when GPU0 asks and has
 * the free pass; GPU1 does not fight, and the CPU reaches everything.
 */
static const struct place_case place_cases[] = {
	{ "8d: itself", B(CPU) | B(GPU0), 0, 0, GPU1, GPU0 },
	{ "8d: the closest that both reach", B(CPU) | B(GPU1), 0, 0, GPU1, GPU1 },
	{ "8d: the CPU over a fast link", B(CPU) | B(GPU1), B(CPU), 0, GPU1, CPU },
	{ "8b: a fast link is not enough", B(CPU) | B(GPU0) | B(GPU1), B(GPU1), 0, GPU1, GPU0 },
	{ "8b: nor are atomics", B(CPU) | B(GPU0) | B(GPU1), 0, B(GPU1), GPU1, GPU0 },
	{ "8b: both are", B(CPU) | B(GPU0) | B(GPU1), B(GPU1), B(GPU1), GPU1, GPU1 },
};

static void thrashing_places(struct kunit *test)
{
	for (int i = 0; i < ARRAY_SIZE(place_cases); i++) {
		const struct place_case *c = &place_cases[i];
		struct uvm_topology topology = {
			.can_access = { [CPU] = B(CPU) | B(GPU0) | B(GPU1), [GPU0] = c->reach },
			.fast_link = { [CPU] = B(GPU1), [GPU0] = c->link },
			.native_atomics = { [CPU] = B(GPU1), [GPU0] = c->atomics },
		};
		struct bench *b = bench_new(test);
		struct uvm_thrashing_fault fault = { PAGE, GPU0, NOBODY, c->resident };
		static const struct step fight = FIGHT;

		b->ctx.topology = &topology;
		bench_act(b, &fight);
		b->ctx.now = 1450 * NSEC_PER_USEC;
		/* as if pinned before */
		b->block.pages[PAGE].pinned_at = GPU1;
		uvm_page_mask_set(&b->block.pinned, PAGE);
		b->block.nr_pinned = 1;
		KUNIT_EXPECT_EQ_MSG(test, uvm_thrashing_hint(&b->ctx, &fault).where, c->want, "%s",
				    c->rule);
	}
}

static void lapse_votes(struct uvm_thrashing_lapse *lapse,
			const struct uvm_thrashing_params *params, unsigned int n, u64 gap_us)
{
	while (n--)
		uvm_thrashing_lapse_vote(lapse, params, gap_us * NSEC_PER_USEC);
}

/*
 * End of 5.4: by an eighth for 32 late votes more than early ones; as the original
 * compares them, an early one that leaves the sum negative lets it grow at once.
 */
static void thrashing_lapse_adapts(struct kunit *test)
{
	struct bench *b = bench_new(test);
	struct uvm_thrashing_lapse *lapse = &b->lapse;
	struct uvm_thrashing_params *params = &b->thrashing;

	KUNIT_EXPECT_EQ(test, uvm_thrashing_lapse_get(lapse, params), 500000);
	lapse_votes(lapse, params, 31, 501);
	KUNIT_EXPECT_EQ(test, uvm_thrashing_lapse_get(lapse, params), 500000);
	lapse_votes(lapse, params, 1, 500);	/* a gap of just the lapse is late */
	KUNIT_EXPECT_EQ(test, uvm_thrashing_lapse_get(lapse, params), 562500);
	KUNIT_EXPECT_EQ(test, lapse->votes, 16);	/* half of them count again */
	lapse_votes(lapse, params, 16, 600);
	KUNIT_EXPECT_EQ(test, uvm_thrashing_lapse_get(lapse, params), 632812);
	/* early ones only use up the late ones ... */
	lapse_votes(lapse, params, 16, 100);
	KUNIT_EXPECT_EQ(test, uvm_thrashing_lapse_get(lapse, params), 632812);
	KUNIT_EXPECT_EQ(test, lapse->votes, 0);
	/* ... and then each one lets it grow */
	lapse_votes(lapse, params, 1, 100);
	KUNIT_EXPECT_EQ(test, uvm_thrashing_lapse_get(lapse, params), 711913);
	KUNIT_EXPECT_EQ(test, lapse->votes, 0);
	/* another threshold; who sets another lapse gets what was set */
	params->vote_threshold = 1;
	lapse_votes(lapse, params, 1, 1000);
	KUNIT_EXPECT_EQ(test, uvm_thrashing_lapse_get(lapse, params), 711913 + 711913 / 8);
	params->adaptive = false;
	lapse_votes(lapse, params, 100, 0);
	KUNIT_EXPECT_EQ(test, uvm_thrashing_lapse_get(lapse, params), 500000);
}

/* Early faults take the lapse to half a second in some 60 steps; there it can shrink. */
static void thrashing_lapse_bounds(struct kunit *test)
{
	struct bench *b = bench_new(test);
	struct uvm_thrashing_lapse *lapse = &b->lapse;
	struct uvm_thrashing_params *params = &b->thrashing;
	unsigned int n = 0;
	u64 top;

	while (uvm_thrashing_lapse_get(lapse, params) < 500 * NSEC_PER_MSEC && n++ < 100)
		lapse_votes(lapse, params, 1, 0);
	KUNIT_EXPECT_EQ(test, n, 59);
	top = uvm_thrashing_lapse_get(lapse, params);
	KUNIT_EXPECT_LT(test, top, 550 * NSEC_PER_MSEC);
	lapse_votes(lapse, params, 31, 600000);
	KUNIT_EXPECT_EQ(test, uvm_thrashing_lapse_get(lapse, params), top);
	lapse_votes(lapse, params, 1, 600000);
	KUNIT_EXPECT_EQ(test, uvm_thrashing_lapse_get(lapse, params), top - top / 8);
	KUNIT_EXPECT_EQ(test, lapse->votes, 16);
	/* up again; then 128 early ones are no news, and one more is 127 late ones */
	lapse_votes(lapse, params, 16, 600000);
	KUNIT_EXPECT_EQ(test, lapse->ns, top - top / 8 + 50 * NSEC_PER_MSEC);
	lapse->ns = top;
	lapse->votes = 0;
	lapse_votes(lapse, params, 128, 0);
	KUNIT_EXPECT_EQ(test, uvm_thrashing_lapse_get(lapse, params), top);
	KUNIT_EXPECT_EQ(test, lapse->votes, -128);
	lapse_votes(lapse, params, 1, 0);
	KUNIT_EXPECT_EQ(test, uvm_thrashing_lapse_get(lapse, params), top - top / 8);
	KUNIT_EXPECT_EQ(test, lapse->votes, 63);
}

/* Faults on thrashing pages vote, also after a nap, but not during it. */
static void thrashing_faults_vote(struct kunit *test)
{
	struct bench *b = bench_new(test);
	static const struct step steps[] = {
		FIGHT, F(1450, GPU0, NONE), F(1460, CPU, THROTTLE), F(1470, CPU, THROTTLE),
		F(1951, CPU, NONE),
	};
	static const u64 lapses[] = { 500000, 562500, 632812, 632812, 711913 };

	b->rule = "votes";
	for (int i = 0; i < ARRAY_SIZE(steps); i++) {
		bench_act(b, &steps[i]);
		KUNIT_EXPECT_EQ_MSG(test, uvm_thrashing_lapse_get(&b->lapse, &b->thrashing),
				    lapses[i], "step %d", i);
	}
}

/* 5.2 */
static void thrashing_params(struct kunit *test)
{
	struct bench *b = bench_new(test);
	struct uvm_thrashing_params *p = &b->thrashing;

	KUNIT_EXPECT_EQ(test, p->threshold, 3);
	KUNIT_EXPECT_EQ(test, p->pin_threshold, 10);
	KUNIT_EXPECT_EQ(test, p->lapse_ns, 500 * NSEC_PER_USEC);
	KUNIT_EXPECT_TRUE(test, p->adaptive);
	KUNIT_EXPECT_EQ(test, p->vote_threshold, 32);
	KUNIT_EXPECT_EQ(test, p->nap_ns, 500 * NSEC_PER_USEC);
	KUNIT_EXPECT_EQ(test, p->epoch_ns, NSEC_PER_SEC);
	KUNIT_EXPECT_EQ(test, p->pin_ns, 150 * NSEC_PER_MSEC);
	KUNIT_EXPECT_EQ(test, p->max_resets, 4);

	/* set to its default it adapts as well */
	KUNIT_EXPECT_EQ(test, uvm_params_set(&b->params, "perf_thrashing_lapse_usec", "500"), 0);
	KUNIT_EXPECT_TRUE(test, uvm_thrashing_params_read(&b->params, p));
	KUNIT_EXPECT_TRUE(test, p->adaptive);
	KUNIT_EXPECT_EQ(test, uvm_params_set(&b->params, "perf_thrashing_lapse_usec",
					     "500000"), 0);
	KUNIT_EXPECT_EQ(test, uvm_params_set(&b->params, "perf_thrashing_epoch",
					     "1000000"), 0);
	KUNIT_EXPECT_EQ(test, uvm_params_set(&b->params, "perf_thrashing_nap", "100"), 0);
	KUNIT_EXPECT_EQ(test, uvm_params_set(&b->params, "perf_thrashing_pin", "0"), 0);
	KUNIT_EXPECT_TRUE(test, uvm_thrashing_params_read(&b->params, p));
	KUNIT_EXPECT_FALSE(test, p->adaptive);
	KUNIT_EXPECT_EQ(test, p->lapse_ns, 500 * NSEC_PER_MSEC);
	KUNIT_EXPECT_EQ(test, p->nap_ns, 100 * NSEC_PER_MSEC);	/* not 50 s */
	KUNIT_EXPECT_EQ(test, p->epoch_ns, 500000ULL * NSEC_PER_SEC);
	KUNIT_EXPECT_EQ(test, p->pin_ns, U64_MAX);

	KUNIT_EXPECT_EQ(test, uvm_params_set(&b->params, "perf_thrashing_enable", "0"), 0);
	KUNIT_EXPECT_FALSE(test, uvm_thrashing_params_read(&b->params, p));
	KUNIT_EXPECT_EQ(test, uvm_params_set(&b->params, "perf_thrashing_enable", "1"), 0);
	KUNIT_EXPECT_EQ(test, uvm_params_set(&b->params, "thrashing_policy", "none"), 0);
	KUNIT_EXPECT_FALSE(test, uvm_thrashing_params_read(&b->params, p));
}

static struct kunit_case thrashing_kunit_cases[] = {
	KUNIT_CASE(thrashing_scenarios),
	KUNIT_CASE(thrashing_reports),
	KUNIT_CASE(thrashing_answers),
	KUNIT_CASE(thrashing_begins_anywhere),
	KUNIT_CASE(thrashing_classify),
	KUNIT_CASE(thrashing_places),
	KUNIT_CASE(thrashing_lapse_adapts),
	KUNIT_CASE(thrashing_lapse_bounds),
	KUNIT_CASE(thrashing_faults_vote),
	KUNIT_CASE(thrashing_params),
	{}
};

struct kunit_suite uvm_thrashing_suite = {
	.name = "uvm_thrashing",
	.test_cases = thrashing_kunit_cases,
};
