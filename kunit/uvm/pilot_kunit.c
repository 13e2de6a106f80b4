// SPDX-License-Identifier: GPL-2.0
/*
 * What pilot keeps of an allocation, and how it prefetches and leaves pages at the CPU by that.
 * Its victims are in eviction_policies_kunit.c.
 */
#include <kunit/test.h>
#include "evictor_fixture.h"
#include "uvm/base/page_mask.h"
#include "uvm/base/types.h"
#include "uvm/policy/param_table.h"
#include "uvm/policy/pilot/pilot_units.h"
#include "uvm/policy/policy.h"
#include "uvm/policy/pilot/range_pilot.h"
#include "uvm_pure.h"

#define PILOT_START	(7ULL << 21)
#define PILOT_PIECE	BIT_ULL(UVM_BIG_PAGE_SHIFT)

struct pilot_fixture {
	u64 state[8];
	u64 blocks[2][64];
	struct uvm_range_view view;
};

static struct pilot_fixture *pilot_fixture(struct kunit *test)
{
	struct pilot_fixture *f = kunit_kzalloc(test, sizeof(*f), GFP_KERNEL);

	KUNIT_ASSERT_NOT_NULL(test, f);
	KUNIT_ASSERT_LE(test, uvm_range_pilot.bytes, sizeof(f->state));
	KUNIT_ASSERT_LE(test, uvm_range_pilot.block_bytes, sizeof(f->blocks[0]));
	f->view = (struct uvm_range_view){
		.start = PILOT_START, .end = PILOT_START + 2 * UVM_BLOCK_SIZE - 1,
		.state = f->state, .blocks = f->blocks, .block_bytes = sizeof(f->blocks[0]),
	};
	return f;
}

static void pilot_evict(struct pilot_fixture *f, u64 offset, u32 used, bool prefetched, bool unused)
{
	struct uvm_pilot_eviction eviction = {
		.va = PILOT_START + offset, .bytes = PILOT_PIECE, .used = used,
		.prefetched = prefetched, .unused = unused,
	};

	uvm_range_pilot_evict(&f->view, &eviction);
}

static struct uvm_pilot_arrival pilot_arrive(struct pilot_fixture *f, u64 offset, u32 now)
{
	struct uvm_pilot_arrival arrival = {
		.va = PILOT_START + offset, .bytes = PILOT_PIECE, .now = now,
	};

	uvm_range_pilot_arrive(&f->view, &arrival);
	return arrival;
}

/* From the last use to the return, of each 64 KB. */
static void pilot_intervals(struct kunit *test)
{
	struct pilot_fixture *f = pilot_fixture(test);
	struct uvm_pilot_arrival arrival = pilot_arrive(f, 0, 10);

	KUNIT_EXPECT_EQ(test, arrival.interval, 0);
	KUNIT_EXPECT_EQ(test, arrival.start, PILOT_START);
	KUNIT_EXPECT_EQ(test, arrival.rhythm.returns, 0);
	pilot_evict(f, 0, 20, false, false);
	pilot_evict(f, UVM_BLOCK_SIZE, 25, false, false);
	KUNIT_EXPECT_EQ(test, pilot_arrive(f, PILOT_PIECE, 90).interval, 0);
	KUNIT_EXPECT_EQ(test, pilot_arrive(f, PILOT_PIECE - 1, 100).interval, 80);
	KUNIT_EXPECT_EQ_MSG(test, pilot_arrive(f, 0, 110).interval, 0, "once for each eviction");
	KUNIT_EXPECT_EQ(test, pilot_arrive(f, UVM_BLOCK_SIZE, 110).interval, 85);
	KUNIT_EXPECT_EQ(test, pilot_arrive(f, 0, 110).rhythm.returns, 2);
	pilot_evict(f, 0, (u32)-3, false, false);
	KUNIT_EXPECT_EQ_MSG(test, pilot_arrive(f, 0, 7).interval, 10, "ticks wrap");
	pilot_evict(f, 0, 7, false, false);
	KUNIT_EXPECT_EQ_MSG(test, pilot_arrive(f, 0, 7).interval, 1, "one at least");
}

/* An eighth of the new one goes into the mean, and into the distance from it. */
static void pilot_rhythms(struct kunit *test)
{
	static const struct {
		u32 interval, mean, dev;
		bool periodic;
	} rows[] = {
		{ 80, 80, 40, false }, { 80, 80, 35, false }, { 80, 80, 31, false },
		{ 80, 80, 28, false }, { 80, 80, 25, false }, { 80, 80, 22, false },
		{ 80, 80, 20, false }, { 80, 80, 18, true }, { 160, 90, 25, true },
		{ 8, 80, 32, true }, { 400, 120, 68, false },
	};
	struct pilot_fixture *f = pilot_fixture(test);
	struct uvm_pilot_rhythm r;

	for (int i = 0; i < ARRAY_SIZE(rows); i++) {
		pilot_evict(f, 0, 1000 * i + 1, false, false);
		r = pilot_arrive(f, 0, 1000 * i + 1 + rows[i].interval).rhythm;
		KUNIT_EXPECT_EQ_MSG(test, r.mean, rows[i].mean, "row %d", i);
		KUNIT_EXPECT_EQ_MSG(test, r.dev, rows[i].dev, "row %d", i);
		KUNIT_EXPECT_EQ_MSG(test, uvm_pilot_is_periodic(&r), rows[i].periodic, "row %d", i);
	}
}

/* Of 8 prefetched and evicted more than one was not used; evictions that were demanded fade it. */
static void pilot_waste(struct kunit *test)
{
	struct pilot_fixture *f = pilot_fixture(test);

	KUNIT_EXPECT_FALSE(test, uvm_range_pilot_wastes(NULL));
	for (int i = 0; i < 7; i++)
		pilot_evict(f, 0, 1, true, true);
	KUNIT_EXPECT_FALSE_MSG(test, uvm_range_pilot_wastes(&f->view), "too few");
	pilot_evict(f, 0, 1, true, true);
	KUNIT_EXPECT_TRUE(test, uvm_range_pilot_wastes(&f->view));
	for (int i = 8; i < 63; i++)
		pilot_evict(f, 0, 1, false, false);
	KUNIT_EXPECT_TRUE_MSG(test, uvm_range_pilot_wastes(&f->view), "it lasts");
	pilot_evict(f, 0, 1, false, false);
	KUNIT_EXPECT_FALSE_MSG(test, uvm_range_pilot_wastes(&f->view), "and fades");
}

static void pilot_waste_share(struct kunit *test)
{
	struct pilot_fixture *f = pilot_fixture(test);

	for (int i = 0; i < 16; i++)
		pilot_evict(f, 0, 1, true, i < 2);
	KUNIT_EXPECT_FALSE_MSG(test, uvm_range_pilot_wastes(&f->view), "2 of 16");
	pilot_evict(f, 0, 1, true, true);
	KUNIT_EXPECT_TRUE_MSG(test, uvm_range_pilot_wastes(&f->view), "3 of 17");
}

/* Pages that come along with one that faults, in 2 MB of which three quarters are there. */
static unsigned int pilot_prefetched(struct kunit *test, const struct uvm_range_view *range,
				     u8 evicting, bool dst_is_cpu)
{
	struct uvm_page_mask *masks = kunit_kzalloc(test, 3 * sizeof(*masks), GFP_KERNEL);
	struct uvm_prefetch_input in = {
		.resident = &masks[0], .faulted = &masks[1], .dst_is_cpu = dst_is_cpu,
		.max_region = uvm_region_make(0, UVM_PAGES_PER_BLOCK),
		.faulted_region = uvm_region_make(511, 512), .threshold = 51,
		.load.evicting = evicting, .range = range,
	};

	KUNIT_ASSERT_NOT_NULL(test, masks);
	for (unsigned int i = 0; i < 384; i++)
		uvm_page_mask_set(&masks[0], i);
	uvm_page_mask_set(&masks[1], 511);
	uvm_policy_find_prefetch("pilot")->select(&in, &masks[2]);
	uvm_page_mask_andnot(&masks[2], &masks[2], &masks[0]);
	uvm_page_mask_clear(&masks[2], 511);
	return uvm_page_mask_weight(&masks[2]);
}

/* The tree brings the quarter that is missing; of what wastes, 64 KB while pages are evicted. */
static void pilot_prefetch(struct kunit *test)
{
	struct pilot_fixture *f = pilot_fixture(test);

	KUNIT_EXPECT_EQ(test, pilot_prefetched(test, &f->view, 10, false), 127);
	for (int i = 0; i < 8; i++)
		pilot_evict(f, 0, 1, true, true);
	KUNIT_EXPECT_EQ(test, pilot_prefetched(test, &f->view, 10, false), 15);
	KUNIT_EXPECT_EQ(test, pilot_prefetched(test, &f->view, 0, false), 127);
	KUNIT_EXPECT_EQ(test, pilot_prefetched(test, NULL, 10, false), 127);
}

/* Of 16 that were evicted 8 return; each window of 64 halves both. */
static void pilot_returns(struct kunit *test)
{
	struct pilot_fixture *f = pilot_fixture(test);

	KUNIT_EXPECT_FALSE(test, uvm_range_pilot_returns(NULL));
	for (int i = 0; i < 15; i++) {
		pilot_evict(f, i * PILOT_PIECE, 1, false, false);
		if (i < 8)
			pilot_arrive(f, i * PILOT_PIECE, 2);
	}
	KUNIT_EXPECT_FALSE_MSG(test, uvm_range_pilot_returns(&f->view), "too few");
	pilot_evict(f, 15 * PILOT_PIECE, 1, false, false);
	KUNIT_EXPECT_TRUE_MSG(test, uvm_range_pilot_returns(&f->view), "8 of 16");
	pilot_evict(f, 16 * PILOT_PIECE, 1, false, false);
	KUNIT_EXPECT_FALSE_MSG(test, uvm_range_pilot_returns(&f->view), "8 of 17");
	for (int i = 17; i < 64; i++)
		pilot_evict(f, i * PILOT_PIECE, 1, false, false);
	for (int i = 9; i < 16; i++)
		pilot_arrive(f, i * PILOT_PIECE, 2);
	KUNIT_EXPECT_FALSE_MSG(test, uvm_range_pilot_returns(&f->view), "4 + 7 of 32");
	for (int i = 0; i < 5; i++) {
		pilot_evict(f, 0, 1, false, false);
		pilot_arrive(f, 0, 2);
	}
	KUNIT_EXPECT_FALSE_MSG(test, uvm_range_pilot_returns(&f->view), "16 of 37");
	for (int i = 0; i < 5; i++) {
		pilot_evict(f, 0, 1, false, false);
		pilot_arrive(f, 0, 2);
	}
	KUNIT_EXPECT_TRUE_MSG(test, uvm_range_pilot_returns(&f->view), "21 of 42");
}

/* An eviction that failed was none. */
static void pilot_stayed(struct kunit *test)
{
	struct uvm_pilot_arrival stays = { .va = PILOT_START, .bytes = PILOT_PIECE, .now = 2,
					     .stayed = true };
	struct pilot_fixture *f = pilot_fixture(test);
	u32 remote, trips;

	for (int i = 0; i < 32; i++) {
		pilot_evict(f, 0, 1, false, false);
		uvm_range_pilot_arrive(&f->view, &stays);
	}
	KUNIT_EXPECT_EQ(test, stays.rhythm.returns, 0);
	uvm_range_pilot_remote(&f->view, PILOT_START, &remote, &trips);
	KUNIT_EXPECT_EQ(test, trips, 0);
	for (int i = 0; i < 16; i++) {
		pilot_evict(f, 0, 1, false, false);
		pilot_arrive(f, 0, 2);
	}
	KUNIT_EXPECT_TRUE_MSG(test, uvm_range_pilot_returns(&f->view), "16 of 16, not of 48");
}

/* ---- an allocation that begins within a unit ----------------------------------- */

static u32 pilot_now(void *memory)
{
	return 1;
}

static bool pilot_range(void *memory, const struct uvm_range_state *state, u64 va_space, u64 va,
			uvm_range_read_fn read, void *arg)
{
	struct pilot_fixture *f = memory;

	if (va < f->view.start || va > f->view.end)
		return false;
	read(&f->view, arg);
	return true;
}

/* Of @units units of so many pages. */
static struct uvm_evictor *pilot_evictor(struct kunit *test, const char *policy,
					 struct pilot_fixture *f, u32 units, u32 unit_pages)
{
	static const struct uvm_eviction_view view = { .now = pilot_now, .range = pilot_range };
	struct uvm_evictor_memory memory = {
		.view = &view, .memory = f, .params = fixture_params(test),
		.nr_units = units, .unit_pages = unit_pages,
	};
	struct uvm_evictor *e = uvm_evictor_create(uvm_policy_find_eviction(policy), &memory);

	KUNIT_ASSERT_NOT_NULL(test, e);
	KUNIT_ASSERT_EQ(test, kunit_add_action_or_reset(test, evictor_fixture_destroy, e), 0);
	return e;
}

/* Pages of a unit, one after the other, come and go; how many of these were returns? */
static u32 pilot_come_and_go(struct kunit *test, struct pilot_fixture *f, u32 unit_pages,
			     const u64 *pages, unsigned int count)
{
	struct uvm_evictor *e = pilot_evictor(test, "pilot", f, 1, unit_pages);
	struct uvm_eviction_page page = { .va_space = 1 };

	for (unsigned int i = 0; i < count; i++) {
		page.va = PILOT_START + pages[i] * UVM_PAGE_SIZE;
		uvm_evictor_arrive(e, 0, &page);
		uvm_evictor_enter(e, 0, 1, UVM_ENTER_BLOCK);
		uvm_evictor_leave(e, 0, UVM_LEAVE_EVICTED);
	}
	return ((struct uvm_pilot_rhythm *)f->state)->returns;
}

/* It is found by the page that came, not by where its unit begins. */
static void pilot_unaligned(struct kunit *test)
{
	static const u64 pages[] = { 5, 5, 4, 7 };
	struct pilot_fixture *f = pilot_fixture(test);

	f->view.start = PILOT_START + 4 * UVM_PAGE_SIZE;
	KUNIT_EXPECT_EQ(test, pilot_come_and_go(test, f, UVM_PAGES_PER_BIG, pages, 4), 3);
}

/* A unit returns whichever page of it is the first, and all 64 KB of it have made the trip. */
static void pilot_whole_chunks(struct kunit *test)
{
	static const u64 pages[] = { 0, 300, 511 };
	struct pilot_fixture *f = pilot_fixture(test);
	u32 remote, trips;

	KUNIT_EXPECT_EQ(test, pilot_come_and_go(test, f, UVM_PAGES_PER_BLOCK, pages, 3), 2);
	for (int i = 0; i < UVM_BIG_PER_BLOCK; i++) {
		uvm_range_pilot_remote(&f->view, PILOT_START + i * PILOT_PIECE, &remote, &trips);
		KUNIT_EXPECT_EQ_MSG(test, trips, 3, "%d", i);
	}
}

/* Pages of 64 KB that leave one by one make one trip, and are one that leaves. */
static void pilot_pages(struct kunit *test)
{
	struct uvm_pilot_eviction eviction = { .bytes = UVM_PAGE_SIZE, .used = 1 };
	struct pilot_fixture *f = pilot_fixture(test);
	u32 remote, trips;

	for (int round = 0; round < 16; round++) {
		for (int i = 0; i < UVM_PAGES_PER_BIG; i++) {
			eviction.va = PILOT_START + i * UVM_PAGE_SIZE;
			uvm_range_pilot_evict(&f->view, &eviction);
		}
		for (int i = 0; i < UVM_PAGES_PER_BIG; i++)
			uvm_range_pilot_arrive(&f->view, &(struct uvm_pilot_arrival){
				.va = PILOT_START + i * UVM_PAGE_SIZE, .bytes = UVM_PAGE_SIZE,
				.now = 2,
			});
		uvm_range_pilot_remote(&f->view, PILOT_START, &remote, &trips);
		KUNIT_EXPECT_EQ(test, trips, round + 1);
	}
}

/* An eviction that fails leaves nothing that is going: it may leave later, for another reason. */
static void pilot_goes_nowhere(struct kunit *test)
{
	struct pilot_fixture *f = pilot_fixture(test);
	struct uvm_evictor *e = pilot_evictor(test, "pilot", f, 2, UVM_PAGES_PER_BIG);

	for (int i = 0; i < 2; i++) {
		uvm_evictor_arrive(e, i, &(struct uvm_eviction_page){
			.va = PILOT_START + i * PILOT_PIECE, .va_space = 1,
		});
		uvm_evictor_enter(e, i, 1, UVM_ENTER_BLOCK);
	}
	uvm_pilot_record(&e->ctx, 1)->unit.going = true;
	uvm_evictor_leave(e, 0, UVM_LEAVE_EVICTED);
	uvm_evictor_enter(e, 0, 1, UVM_ENTER_BACK);
	uvm_evictor_leave(e, 1, UVM_LEAVE_UNUSED);
	KUNIT_EXPECT_EQ(test, pilot_arrive(f, PILOT_PIECE, 9).interval, 0);
}

/* A recorder tells of 64 KB, which are 16 units of a page. */
static void pilot_told(struct kunit *test)
{
	struct pilot_fixture *f = pilot_fixture(test);
	struct uvm_evictor *e = pilot_evictor(test, "pilot_recorder", f, 32, 1);
	struct uvm_eviction_touch touch = {
		.when = 9, .count = 1, .va = PILOT_START, .va_space = 1,
	};

	for (int i = 0; i < 32; i++)
		uvm_evictor_arrive(e, i, &(struct uvm_eviction_page){
			.va = PILOT_START + i * UVM_PAGE_SIZE, .va_space = 1,
		});
	uvm_evictor_touch(e, UVM_UNIT_NONE, &touch);
	for (int i = 0; i < 32; i++)
		KUNIT_EXPECT_EQ_MSG(test, uvm_pilot_record(&e->ctx, i)->unit.used,
				    i < UVM_PAGES_PER_BIG ? 9 : 1, "%d", i);
}

/* ---- where pages go ---------------------------------------------------------- */

struct pilot_wait {
	const char *rule;
	bool full;
	bool returns;
	bool counter;
	enum uvm_access access;
	u32 remote;
	unsigned int trips;
	bool gpu;
};

#define R	UVM_ACCESS_READ
#define W	UVM_ACCESS_WRITE

/* perf_access_counter_threshold=8, adaptive_penalty=2: 16 accesses, and as much for each trip. */
static const struct pilot_wait pilot_waits[] = {
	{ "there is room", false, true, false, R, 0, 1, true },
	{ "nothing returns", true, false, false, R, 0, 1, true },
	{ "full, it returns: it waits", true, true, false, R, 0, 1, false },
	{ "until it is written", true, true, false, W, 0, 1, true },
	{ "or for 32 accesses after a trip", true, true, true, R, 31, 1, false },
	{ "these are 32", true, true, true, R, 32, 1, true },
	{ "with the one that faults", true, true, false, R, 31, 1, true },
	{ "after two for 48", true, true, true, R, 47, 2, false },
	{ "these are 48", true, true, true, R, 48, 2, true },
	{ "what never left for 16", true, true, true, R, 16, 0, true },
	{ "31 trips at most are counted", true, true, true, R, 16 * 32, 40, true },
};

static u8 pilot_ask(struct kunit *test, const struct pilot_wait *wait)
{
	struct uvm_params *params = fixture_params(test);
	struct pilot_fixture *f = pilot_fixture(test);
	const u64 at = 20 * PILOT_PIECE;
	struct uvm_residency_query query = {
		.va = PILOT_START + at, .requester = UVM_ID_GPU(0), .preferred = UVM_ID_INVALID,
		.resident = UVM_ID_CPU, .pinned = UVM_ID_INVALID, .access = wait->access,
		.operation = wait->counter ? UVM_OPERATION_ACCESS_COUNTER : UVM_OPERATION_FAULT,
		.accessible = BIT(UVM_ID_CPU) | BIT(UVM_ID_GPU(0)),
		.full = wait->full, .occupancy = 1000, .range = &f->view,
	};

	params->perf_access_counter_threshold = 8;
	FIXTURE_SET(test, params, "adaptive_penalty", "2");
	f->view.params = params;
	for (unsigned int i = 0; i < wait->trips; i++) {
		pilot_evict(f, at, 1, false, false);
		pilot_arrive(f, at, 2);
	}
	for (int i = 0; i < 50; i++) {
		u64 offset = (21 + i % 40) * PILOT_PIECE;

		pilot_evict(f, offset, 1, false, false);
		if (wait->returns)
			pilot_arrive(f, offset, 2);
	}
	uvm_range_pilot.touch(&f->view, &(struct uvm_range_touch){
		.va = query.va, .remote = wait->remote,
	});
	return uvm_policy_find_residency("pilot")->select(&query);
}

static void pilot_residency(struct kunit *test)
{
	KUNIT_EXPECT_TRUE(test, uvm_policy_find_residency("pilot")->maps_around);
	for (int i = 0; i < ARRAY_SIZE(pilot_waits); i++)
		KUNIT_EXPECT_EQ_MSG(test, pilot_ask(test, &pilot_waits[i]),
				    pilot_waits[i].gpu ? UVM_ID_GPU(0) : UVM_ID_CPU, "%s",
				    pilot_waits[i].rule);
}

static struct kunit_case pilot_cases[] = {
	KUNIT_CASE(pilot_intervals),
	KUNIT_CASE(pilot_rhythms),
	KUNIT_CASE(pilot_waste),
	KUNIT_CASE(pilot_waste_share),
	KUNIT_CASE(pilot_prefetch),
	KUNIT_CASE(pilot_returns),
	KUNIT_CASE(pilot_residency),
	KUNIT_CASE(pilot_stayed),
	KUNIT_CASE(pilot_unaligned),
	KUNIT_CASE(pilot_whole_chunks),
	KUNIT_CASE(pilot_pages),
	KUNIT_CASE(pilot_told),
	KUNIT_CASE(pilot_goes_nowhere),
	{}
};

struct kunit_suite uvm_pilot_suite = {
	.name = "uvm_pilot",
	.test_cases = pilot_cases,
};
