// SPDX-License-Identifier: GPL-2.0
/* Replacement off line, of strings that are worked by hand. */
#include <errno.h>
#include <string.h>

#include "../uvm/run/run_plan.h"
#include "test.h"

#define TOUCHES_MAX	32
#define PIECES		10

static const struct {
	const char *string;		/* pieces, 0 to 9 */
	struct run_rule rule;
	const char *stays;		/* piece:end, "-" for good */
} rows[] = {
	/* Belady's string: 7 faults of MIN, 10 of LRU with three */
	{ "012301401234", { .units = 3 }, "0:5 1:6 2:3 3:4 4:- 2:- 3:-" },
	{ "012301401234", { .units = 3, .lru = true },
	  "0:3 1:4 2:5 3:6 0:8 1:9 4:7 2:- 3:- 4:-" },
	/* of what is not touched again what was so longest ago */
	{ "01234", { .units = 2 }, "0:2 1:3 2:4 3:- 4:-" },
	{ "01234", { .units = 2, .newest = true }, "0:- 1:2 2:3 3:4 4:-" },
	{ "0102", { .units = 2 }, "0:- 1:2 2:-" },
	/* 1 came in the last two loads: 0 goes, though it is touched sooner */
	{ "012021", { .units = 2 }, "0:3 1:2 2:- 1:-" },
	{ "012021", { .units = 2, .delay = 2 }, "0:2 1:3 2:- 0:4 1:-" },
	/* all came lately: what was touched first */
	{ "0123", { .units = 2, .delay = 9 }, "0:2 1:3 2:- 3:-" },
	/* room for all, and for one */
	{ "010", { .units = 5 }, "0:- 1:-" },
	{ "0010", { .units = 1 }, "0:1 1:2 0:-" },
	{ "", { .units = 1 }, "" },
};

static void string_of(const char *text, struct run_string *s)
{
	uint64_t last[PIECES];
	size_t i, n = strlen(text);

	for (i = 0; i < PIECES; i++)
		last[i] = UINT64_MAX;
	for (i = n; i--;) {
		s->piece[i] = (uint32_t)(text[i] - '0');
		s->next[i] = last[s->piece[i]];
		last[s->piece[i]] = i;
	}
	s->count = n;
	s->pieces = PIECES;
}

static void text_of(const struct run_plan *plan, char *text, size_t room)
{
	size_t i, at = 0;

	*text = 0;
	for (i = 0; i < plan->count; i++) {
		const struct run_stay *stay = &plan->stays[i];

		at += (size_t)snprintf(text + at, room - at, "%s%u:", i ? " " : "", stay->piece);
		if (stay->end == UINT32_MAX)
			at += (size_t)snprintf(text + at, room - at, "-");
		else
			at += (size_t)snprintf(text + at, room - at, "%u", stay->end);
	}
}

int main(void)
{
	uint32_t piece[TOUCHES_MAX];
	uint64_t next[TOUCHES_MAX];
	struct run_string string = { .piece = piece, .next = next };
	struct run_plan plan;
	char text[256];
	size_t i;

	for (i = 0; i < ROWS(rows); i++) {
		string_of(rows[i].string, &string);
		CHECK(!run_plan_make(&string, &rows[i].rule, &plan), "%s", rows[i].string);
		text_of(&plan, text, sizeof(text));
		CHECK(!strcmp(text, rows[i].stays), "%s with %u: %s, not %s", rows[i].string,
		      rows[i].rule.units, text, rows[i].stays);
		run_plan_free(&plan);
	}
	string.count = UINT32_MAX;
	CHECK(run_plan_make(&string, &rows[0].rule, &plan) == -E2BIG, "too many touches");
	return test_end("plan");
}
