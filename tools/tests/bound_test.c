// SPDX-License-Identifier: GPL-2.0
/* What no policy can do without: strings that are worked by hand, and long ones of known loads. */
#include <stdlib.h>
#include <string.h>

#include "../uvm/run/run_bound.h"
#include "test.h"

#define TOUCHES_MAX	32768
#define PAGES_MAX	8192

static uint32_t piece[TOUCHES_MAX], launch[TOUCHES_MAX];
static uint64_t next[TOUCHES_MAX];
static struct run_string string = { .piece = piece, .next = next };
static struct run_launches launches = { .order = &string, .string = &string, .launch = launch };

static void begin(void)
{
	string.count = 0;
	string.pieces = 0;
	launches.count = 0;
	launches.empty = 0;
}

/* In the launch that is under way. */
static void touch(uint32_t page)
{
	launch[string.count] = launches.count;
	piece[string.count++] = page;
	if (page >= string.pieces)
		string.pieces = page + 1;
}

/* All is touched: when each page is the next time. */
static void end(void)
{
	static uint64_t seen[PAGES_MAX];
	size_t i;

	launches.count++;
	memset(seen, 0xff, sizeof(seen));
	for (i = string.count; i--;) {
		next[i] = seen[piece[i]];
		seen[piece[i]] = i;
	}
}

static struct run_bound bound(uint32_t units)
{
	struct run_bound b = { .units = units };

	CHECK(!run_bound_make(&launches, &b), "%u units", units);
	return b;
}

/* ---- by hand ------------------------------------------------------------------ */

static const struct {
	const char *touches;	/* pages 0 to 9; | between launches */
	uint32_t units;
	uint32_t empty;
	uint64_t min, any;		/* loads */
} rows[] = {
	/* Belady's string */
	{ "012301401234", 3, 0, 7, 5 },
	/* two sweeps: of four pages two are still there */
	{ "0123|0123", 2, 0, 6, 6 },
	{ "01230123", 2, 0, 6, 4 },
	/* the second launch in the other order finds the last two of the first one */
	{ "0123|3210", 2, 0, 6, 6 },
	{ "0123|3210", 4, 0, 4, 4 },
	/* 0 and 1 stay while 2 and 3 are used, or three do: 2 or 3 goes at once */
	{ "01|23|01", 2, 0, 5, 4 },
	{ "01|23|01", 3, 0, 4, 4 },
	/* who is needed last does not stay: 0 does, twice, and 1 comes twice */
	{ "01|0|01", 1, 0, 4, 3 },
	/* in one launch all touches of a page may come together */
	{ "01010", 1, 0, 5, 2 },
	/* whoever is first at 2 and 3 has nothing to copy */
	{ "0123|0123", 2, 2, 6, 6 },
	{ "0", 1, 1, 1, 1 },
};

static void by_hand(void)
{
	struct run_bound b;
	const char *c;
	size_t i;

	for (i = 0; i < ROWS(rows); i++) {
		begin();
		for (c = rows[i].touches; *c; c++) {
			if (*c == '|')
				launches.count++;
			else
				touch((uint32_t)(*c - '0'));
		}
		end();
		launches.empty = rows[i].empty;
		b = bound(rows[i].units);
		CHECK(b.min_loads == rows[i].min && b.any_loads == rows[i].any,
		      "%s with %u: %llu, %llu", rows[i].touches, rows[i].units,
		      (unsigned long long)b.min_loads, (unsigned long long)b.any_loads);
		CHECK(b.min_bytes == 4096 * (rows[i].min - rows[i].empty) &&
		      b.any_bytes == 4096 * (rows[i].any - rows[i].empty) &&
		      b.remote_bytes == 32 * (rows[i].any - rows[i].empty),
		      "%s with %u: %llu bytes remote", rows[i].touches, rows[i].units,
		      (unsigned long long)b.remote_bytes);
	}
}

static void unknown_order(void)
{
	struct run_bound b;

	begin();
	touch(0);
	touch(1);
	end();
	launches.order = NULL;
	b = bound(1);
	CHECK(!b.min_loads && !b.min_bytes && b.any_loads == 2 && b.any_bytes == 8192, "%llu",
	      (unsigned long long)b.min_loads);
	launches.order = &string;
}

/* ---- long ones ---------------------------------------------------------------- */

/* 4096 pages four times: 1024 come again in each round, or 2048. */
static void cyclic(void)
{
	uint32_t round, i;

	begin();
	for (round = 0; round < 4; round++) {
		launches.count = round;
		for (i = 0; i < 4096; i++)
			touch(i);
	}
	end();
	CHECK(bound(3072).min_loads == 7168 && bound(3072).any_loads == 7168, "75 %%");
	CHECK(bound(2048).min_loads == 10240 && bound(2048).any_loads == 10240, "50 %%");
	CHECK(bound(4096).min_bytes == 4096ULL * 4096, "100 %%");
}

/* The same of 256 units of 64 KB: 16 times 448 pages, for whoever moves those. */
static void cyclic_units(void)
{
	uint32_t i;

	begin();
	for (i = 0; i < 1024; i++)
		touch(i % 256);
	end();
	CHECK(16 * bound(192).min_loads == 7168, "64 KB");
}

/* Streams of 4096 pages, and 64 that are used again and again beside them. */
static void hot_and_stream(void)
{
	uint32_t round, i, k;

	begin();
	for (round = 0; round < 4; round++) {
		launches.count = round;
		for (i = 0; i < 4096; i += 64) {
			for (k = 0; k < 64; k++)
				touch(256 + i + k);
			for (k = 0; k < 64 && i % 256 == 0; k++)
				touch(k);
		}
	}
	end();
	CHECK(bound(3120).min_loads == 7280, "%llu", (unsigned long long)bound(3120).min_loads);
	CHECK(bound(2080).min_loads == 10400, "%llu", (unsigned long long)bound(2080).min_loads);
}

/* ---- any order ---------------------------------------------------------------- */

static uint32_t die(uint32_t sides)
{
	static uint64_t x = 1;

	x = x * 6364136223846793005ULL + 1442695040888963407ULL;
	return (uint32_t)(x >> 33) % sides;
}

/* The touches of each launch in another order. */
static void shuffle(void)
{
	size_t i, with;

	for (i = string.count; i-- > 1;) {
		with = die((uint32_t)i + 1);
		if (launch[i] == launch[with]) {
			uint32_t page = piece[i];

			piece[i] = piece[with];
			piece[with] = page;
		}
	}
}

/* MIN never has fewer loads than the bound, whatever the order, and with some order as many. */
static void any_order(void)
{
	unsigned int i, k, tight = 0;

	for (i = 0; i < 200; i++) {
		uint32_t units = 1 + die(5);
		uint64_t least = UINT64_MAX, any;

		begin();
		for (k = 0; k < 12; k++) {
			touch(die(7));
			launches.count += k < 11 && !die(4);
		}
		for (k = 0; k < 60; k++) {
			uint32_t count = launches.count;

			end();
			any = bound(units).any_loads;
			if (bound(units).min_loads < least)
				least = bound(units).min_loads;
			CHECK(least >= any, "string %u in order %u: %llu < %llu", i, k,
			      (unsigned long long)least, (unsigned long long)any);
			launches.count = count;
			shuffle();
		}
		tight += least == any;
	}
	CHECK(tight > 100, "%u of 200", tight);
}

int main(void)
{
	by_hand();
	unknown_order();
	cyclic();
	cyclic_units();
	hot_and_stream();
	any_order();
	return test_end("bound");
}
