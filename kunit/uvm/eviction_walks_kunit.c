// SPDX-License-Identifier: GPL-2.0
/*
 * Policies that are told of page walks, by reference strings (reference_string.h).  The victims of
 * the short ones are worked by hand; the numbers of evictions are those of an independent model
 * (qemu-tests/tests/eviction-model, which has ten thousand more).
 */
#include <kunit/test.h>
#include <linux/ctype.h>
#include "eviction_script.h"
#include "evictor_fixture.h"
#include "reference_string.h"
#include "uvm/policy/eviction_plan.h"

/* Belady's own: no page is spared. */
#define MIN_EXACT	"min_delay=0"

#define WALKS_TEXT	256

static void walks_destroy(void *r)
{
	reference_string_destroy(r);
}

static struct reference_string *walks_make(struct kunit *test,
					   const struct reference_machine *machine)
{
	struct reference_string *r = reference_string_create(machine);

	KUNIT_ASSERT_NOT_NULL(test, r);
	KUNIT_ASSERT_EQ(test, kunit_add_action_or_reset(test, walks_destroy, r), 0);
	return r;
}

/**
 * struct walks_future - Belady's MIN off line, by looking at everything
 * @string: pages that begin with 0
 * @length: how many
 * @nr_pages: pages are less
 * @stay: of each page that is there its stay and 1; 0: it is not
 * @next: of each page that is there, when it is touched next
 */
struct walks_future {
	const u16 *string;
	u32 length;
	u32 nr_pages;
	u32 *stay;
	u32 *next;
};

static u32 walks_next(const struct walks_future *f, u32 at)
{
	u32 page = f->string[at];

	while (++at < f->length && f->string[at] != page)
		;
	return at;
}

static u32 walks_victim(const struct walks_future *f)
{
	u32 page, best = f->nr_pages;

	for (page = 0; page < f->nr_pages; page++)
		if (f->stay[page] && (best == f->nr_pages || f->next[page] > f->next[best]))
			best = page;
	return best;
}

/* Of each load its page and when it goes, in loads.  Return: how many. */
static u32 walks_stays(struct walks_future *f, u32 units, u32 *pages, u32 *ends)
{
	u32 loads = 0, at, there = 0, victim;

	for (at = 0; at < f->length; at++) {
		u32 page = f->string[at];

		if (!f->stay[page] && there++ == units) {
			victim = walks_victim(f);
			ends[f->stay[victim] - 1] = loads;
			f->stay[victim] = 0;
			there--;
		}
		if (!f->stay[page]) {
			pages[loads] = page;
			ends[loads++] = UVM_STAY_FOR_GOOD;
			f->stay[page] = loads;
		}
		f->next[page] = walks_next(f, at);
	}
	return loads;
}

/* What MIN needs, of a string of pages that begin with 0. */
static struct uvm_eviction_plan *walks_plan(struct kunit *test, const u16 *string, u32 length,
					    u32 nr_pages, u32 units)
{
	struct uvm_eviction_plan *plan = kunit_kzalloc(test, sizeof(*plan), GFP_KERNEL);
	u32 *numbers = kunit_kcalloc(test, 2 * nr_pages + 3 * length, sizeof(*numbers), GFP_KERNEL);
	struct walks_future f = {
		.string = string, .length = length, .nr_pages = nr_pages,
		.stay = numbers, .next = numbers + nr_pages,
	};
	u32 *pages = numbers + 2 * nr_pages, *ends = pages + length, *sorted = ends + length;
	u32 loads, page, i, at = 0;

	KUNIT_ASSERT_TRUE(test, plan && numbers);
	plan->pages = kunit_kcalloc(test, nr_pages, sizeof(*plan->pages), GFP_KERNEL);
	KUNIT_ASSERT_NOT_NULL(test, plan->pages);
	plan->nr_pages = nr_pages;
	plan->va_space = REFERENCE_SPACE;
	plan->ends = sorted;
	loads = walks_stays(&f, units, pages, ends);
	for (page = 0; page < nr_pages; page++) {
		plan->pages[page].page = page;
		plan->pages[page].first = at;
		for (i = 0; i < loads; i++)
			if (pages[i] == page)
				sorted[at++] = ends[i];
		plan->pages[page].count = at - plan->pages[page].first;
	}
	return plan;
}

/* A copy for strsep(). */
static char *walks_words(struct kunit *test, const char *text)
{
	char *words = kunit_kmalloc(test, strlen(text) + 1, GFP_KERNEL);

	KUNIT_ASSERT_NOT_NULL(test, words);
	return memcpy(words, text, strlen(text) + 1);
}

/* "hpe_interval=4 hpe_wrong=4" */
static struct uvm_params *walks_params(struct kunit *test, const char *text)
{
	struct uvm_params *params = fixture_params(test);
	char *words = walks_words(test, text), *word;

	while ((word = strsep(&words, " "))) {
		char *value = strchr(word, '=');

		if (!value)
			continue;
		*value++ = 0;
		KUNIT_ASSERT_EQ_MSG(test, uvm_params_set(params, word, value), 0, "%s", word);
	}
	return params;
}

/* ---- short ones --------------------------------------------------------------- */

struct walks_case {
	const char *policy;
	const char *params;
	u32 units;
	const char *string;
	const char *victims;	/* a word for each page: "-" room, "." hit, or who went */
};

static const struct walks_case walks_cases[] = {
	{ "lru_walk", "", 3, "0 1 2 0 3 1 0 4", "- - - . 1 2 . 3" },
	{ "rrip", "", 4, "0 1 2 3 0 4 1 5", "- - - - . 1 2 3" },
	{ "rrip", "rrip_distant=1 rrip_delay=2", 4, "0 1 2 3 4 5 6 0 1 2",
	  "- - - - 0 1 4 5 6 ." },
	{ "rrip", "rrip_distant=1", 4, "0 1 2 3 4 5 6 0 1 2", "- - - - 0 4 5 6 . ." },
	{ "rrip", "", 2, "0 0 1 2 3", "- . - 1 0" },
	{ "rrip", "", 2, "0 0 0 1 2 3 4", "- . . - 1 2 0" },
	{ "rrip", "rrip_frequency=0", 2, "0 0 1 2 3 4", "- . - 1 2 0" },
	{ "rrip", "rrip_delay=100", 2, "0 1 2 3 4", "- - 0 1 2" },
	{ "clock_pro", "clock_pro_cold=1", 4, "0 1 2 3 4 0 1 2 3 4", "- - - - 3 . . . 4 3" },
	{ "clock_pro", "clock_pro_cold=2", 4, "0 1 2 3 4 2 5 2 6", "- - - - 2 3 4 . 0" },
	{ "clock_pro", "clock_pro_cold=1", 1, "0 0 1 0", "- . 0 1" },
	{ "min", MIN_EXACT, 3, "0 1 2 3 0 1 4 0 1 2 3 4", "- - - 2 . . 3 . . 0 1 ." },
	{ "hpe", "hpe_set_pages=4 hpe_interval=4", 12,
	  "0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15",
	  "- - - - - - - - - - - - 4 5 6 7 . . . . 8 9 10 11 12 13 14 15 4 5 6 7" },
};

/* Pages of a text. */
static u32 walks_parse(const char *text, u16 *string)
{
	u32 length = 0;

	while (*text) {
		u32 page = 0;

		for (; isdigit(*text); text++)
			page = 10 * page + *text - '0';
		text += *text == ' ';
		string[length++] = page;
	}
	return length;
}

static void walks_text(struct reference_string *r, const u16 *string, u32 length, char *text)
{
	size_t n = 0;

	for (u32 i = 0; i < length; i++) {
		u64 page = reference_walk(r, string[i]);
		const char *blank = i ? " " : "";

		if (page == REFERENCE_HIT || page == REFERENCE_NONE)
			n += scnprintf(text + n, WALKS_TEXT - n, "%s%c", blank,
				       page == REFERENCE_HIT ? '.' : '-');
		else
			n += scnprintf(text + n, WALKS_TEXT - n, "%s%llu", blank, page);
	}
}

static void walks_by_hand(struct kunit *test)
{
	u16 *string = kunit_kcalloc(test, WALKS_TEXT, sizeof(*string), GFP_KERNEL);
	char *text = kunit_kzalloc(test, WALKS_TEXT, GFP_KERNEL);

	KUNIT_ASSERT_TRUE(test, string && text);
	for (int i = 0; i < ARRAY_SIZE(walks_cases); i++) {
		const struct walks_case *c = &walks_cases[i];
		u32 length = walks_parse(c->string, string);
		struct reference_machine machine = {
			.ops = uvm_policy_find_eviction(c->policy),
			.params = walks_params(test, c->params),
			.plan = walks_plan(test, string, length, 16, c->units),
			.units = c->units, .nr_pages = 16,
		};
		struct reference_string *r;

		KUNIT_ASSERT_NOT_NULL_MSG(test, machine.ops, "%s", c->policy);
		r = walks_make(test, &machine);
		r->at_once = true;
		walks_text(r, string, length, text);
		KUNIT_EXPECT_STREQ_MSG(test, text, c->victims, "%s %s: %s", c->policy, c->params,
				       c->string);
		KUNIT_EXPECT_EQ(test, r->evictor->wrong, 0);
	}
}

/* ---- the paper's patterns ------------------------------------------------------ */

/* @rounds times: each @part of the pages in turn, @times, going up by @step. */
struct walks_pattern {
	u32 pages;
	u32 part;
	u32 step;
	u32 times;
	u32 rounds;
};

static u32 walks_fill(const struct walks_pattern *p, u16 *string)
{
	u32 length = 0, round, start, first, time, page;

	for (round = 0; round < p->rounds; round++)
		for (start = 0; start < p->pages; start += p->part)
			for (first = start; first < start + p->step; first++)
				for (time = 0; time < p->times; time++)
					for (page = first; page < start + p->part; page += p->step)
						string[length++] = page;
	return length;
}

#define WALKS_I		{ 1024, 1024, 1, 1, 1 }
#define WALKS_II	{ 1024, 1024, 1, 4, 1 }
#define WALKS_VI	{ 1024, 256, 1, 4, 1 }
#define WALKS_EVEN_ODD	{ 1024, 1024, 2, 2, 1 }
#define WALKS_SMALL	{ 96, 96, 1, 3, 1 }

#define HPE_SMALL	"hpe_set_pages=4 hpe_interval=8 hpe_transfer=4 hpe_jump=4"

static const struct {
	struct walks_pattern pattern;
	u32 units;
	const char *policy;
	const char *params;
	u64 evictions;
	const char *numbers;	/* that it tells of itself, among others */
} patterns[] = {
	{ WALKS_I, 768, "min", MIN_EXACT, 256 },
	{ WALKS_I, 768, "lru_walk", "", 256 },
	{ WALKS_I, 768, "rrip", "", 256 },
	{ WALKS_I, 768, "clock_pro", "", 256 },
	{ WALKS_I, 768, "hpe", "", 256, "category=1 ratio1_thousandths=0 old_sets=44" },
	{ WALKS_II, 768, "min", MIN_EXACT, 1024 },
	{ WALKS_II, 768, "lru_walk", "", 3328 },
	{ WALKS_II, 768, "rrip", "rrip_distant=1 rrip_delay=128", 1408 },
	{ WALKS_II, 768, "clock_pro", "", 1408 },
	{ WALKS_II, 768, "clock_pro", "clock_pro_warm=0", 2048 },
	{ WALKS_II, 768, "hpe", "", 1408, "category=1 old_sets=44 longest_batch=40" },
	{ WALKS_II, 512, "min", MIN_EXACT, 2048 },
	{ WALKS_II, 512, "lru_walk", "", 3584 },
	{ WALKS_II, 512, "rrip", "rrip_distant=1 rrip_delay=128", 2432 },
	{ WALKS_II, 512, "clock_pro", "", 2432 },
	{ WALKS_II, 512, "hpe", "", 2432, "category=1 old_sets=28 longest_batch=24" },
	{ WALKS_VI, 768, "min", MIN_EXACT, 256 },
	{ WALKS_VI, 768, "lru_walk", "", 256 },
	{ WALKS_VI, 768, "rrip", "", 256 },
	{ WALKS_VI, 768, "clock_pro", "", 512 },
	{ WALKS_VI, 768, "hpe", "", 256, "category=2 ratio2_thousandths=999999999 old_sets=32" },
	{ WALKS_VI, 512, "min", MIN_EXACT, 512 },
	{ WALKS_VI, 512, "lru_walk", "", 512 },
	{ WALKS_VI, 512, "rrip", "", 512 },
	{ WALKS_VI, 512, "clock_pro", "", 1024 },
	{ WALKS_VI, 512, "hpe", "", 512, "category=2 old_sets=16 longest_batch=16" },
	{ WALKS_EVEN_ODD, 768, "min", MIN_EXACT, 256 },
	{ WALKS_EVEN_ODD, 768, "lru_walk", "", 256 },
	{ WALKS_EVEN_ODD, 768, "rrip", "", 512 },
	{ WALKS_EVEN_ODD, 768, "clock_pro", "", 640 },
	{ WALKS_EVEN_ODD, 768, "hpe", "", 388,
	  "category=3 ratio1_thousandths=1000 old_sets=56 switches=2 longest_batch=64" },
	{ WALKS_SMALL, 72, "min", MIN_EXACT, 72 },
	{ WALKS_SMALL, 72, "lru_walk", "", 216 },
	{ WALKS_SMALL, 72, "hpe", HPE_SMALL, 104,
	  "category=1 old_sets=16 jumps=0 searches=26 comparisons=54" },
	{ WALKS_SMALL, 48, "hpe", HPE_SMALL, 176 },
};

/* Does the policy say so of itself? */
static void walks_numbers(struct kunit *test, struct uvm_evictor *e, const char *expected)
{
	char *words = walks_words(test, expected), *word;
	struct uvm_eviction_number number;
	char text[64];

	while ((word = strsep(&words, " "))) {
		unsigned int i;

		for (i = 0; e->ops->number(&e->ctx, i, &number); i++) {
			snprintf(text, sizeof(text), "%s=%llu", number.name, number.value);
			if (!strncmp(text, word, strchr(word, '=') - word + 1))
				break;
		}
		KUNIT_EXPECT_STREQ(test, text, word);
	}
}

static void walks_patterns(struct kunit *test)
{
	u16 *string = kunit_kcalloc(test, 4096, sizeof(*string), GFP_KERNEL);

	KUNIT_ASSERT_NOT_NULL(test, string);
	for (int i = 0; i < ARRAY_SIZE(patterns); i++) {
		u32 nr_pages = patterns[i].pattern.pages;
		u32 length = walks_fill(&patterns[i].pattern, string);
		struct reference_machine machine = {
			.ops = uvm_policy_find_eviction(patterns[i].policy),
			.params = walks_params(test, patterns[i].params),
			.plan = walks_plan(test, string, length, nr_pages, patterns[i].units),
			.units = patterns[i].units, .nr_pages = nr_pages,
		};
		struct reference_string *r;

		KUNIT_ASSERT_NOT_NULL_MSG(test, machine.ops, "%s", patterns[i].policy);
		r = walks_make(test, &machine);
		for (u32 at = 0; at < length; at++)
			reference_walk(r, string[at]);
		KUNIT_EXPECT_EQ_MSG(test, r->evictions, patterns[i].evictions, "%s %s: row %d",
				    patterns[i].policy, patterns[i].params, i);
		KUNIT_EXPECT_EQ(test, r->evictor->wrong, 0);
		if (patterns[i].numbers)
			walks_numbers(test, r->evictor, patterns[i].numbers);
	}
}

/* ---- what they spend, and who is not told ---------------------------------------- */

static struct reference_string *walks_hpe(struct kunit *test, const char *params, u32 units)
{
	struct reference_machine machine = {
		.ops = uvm_policy_find_eviction("hpe"), .params = walks_params(test, params),
		.units = units, .nr_pages = 4096,
	};

	KUNIT_ASSERT_NOT_NULL(test, machine.ops);
	return walks_make(test, &machine);
}

/* A record is a set of the recorder, however many of its pages were hit. */
static void hpe_spends(struct kunit *test)
{
	struct reference_string *r = walks_hpe(test, "hpe_transfer=1", 64);
	struct uvm_eviction_spent spent;
	u64 page;

	for (page = 0; page < 64; page++)
		reference_walk(r, page);
	spent = uvm_evictor_take_spent(r->evictor);
	KUNIT_EXPECT_EQ(test, spent.records, 0);
	for (page = 0; page < 40; page++)
		reference_walk(r, page);
	reference_walk(r, 100);
	spent = uvm_evictor_take_spent(r->evictor);
	KUNIT_EXPECT_EQ(test, spent.records, 3);
	KUNIT_EXPECT_EQ(test, spent.classified, 1);
	KUNIT_EXPECT_EQ(test, spent.compared, 0);	/* no set is old yet */
	walks_numbers(test, r->evictor, "records=3 longest_batch=3 lru_intervals=0 sets=5");
}

/* Without a plan MIN is lru. */
static void min_without_plan(struct kunit *test)
{
	struct reference_machine machine = {
		.ops = uvm_policy_find_eviction("min"), .params = fixture_params(test),
		.units = 2, .nr_pages = 16,
	};
	struct reference_string *r;

	KUNIT_ASSERT_NOT_NULL(test, machine.ops);
	r = walks_make(test, &machine);
	reference_walk(r, 0);
	reference_walk(r, 1);
	reference_walk(r, 0);
	KUNIT_EXPECT_EQ(test, reference_walk(r, 2), 0);
	KUNIT_EXPECT_EQ(test, reference_walk(r, 3), 1);
}

/* Stays of five pages, three at once: who goes with which arrival. */
static const struct uvm_eviction_plan_page min_pages[] = {
	{ .page = 0, .first = 0, .count = 2 }, { .page = 1, .first = 2, .count = 1 },
	{ .page = 2, .first = 3, .count = 2 }, { .page = 3, .first = 5, .count = 1 },
};

static const u32 min_ends[] = { 4, UVM_STAY_FOR_GOOD, 5, 3, 7, 6 };

static const struct {
	const char *what;
	const char *params;
	const char *string;
	const char *victims;
	bool foreign;		/* the plan is another VA space's */
} min_cases[] = {
	{ "as planned", "min_delay=0", "0 1 2 3 2 0", "- - - 2 0 1" },
	{ "2 comes once more: its second stay", "min_delay=0", "2 0 1 3 2 3 0",
	  "- - - 2 0 . 1" },
	{ "what the plan does not have goes last", "min_delay=0", "9 0 1 3 2 0", "- - - 0 1 2" },
	{ "of these what came first", "min_delay=0", "9 8 7 6 5", "- - - 9 8" },
	{ "its stays are over: for good", "min_delay=0", "1 3 9 2 1 3 4 5 6",
	  "- - - 1 2 . 3 9 1" },
	{ "the young are spared", "min_delay=2", "0 1 2 3 9 8", "- - - 0 1 2" },
	{ "if all are, who came first goes", "min_delay=100", "2 1 0 3 9", "- - - 2 1" },
	{ "another's plan says nothing", "min_delay=0", "0 1 2 3 2 0", "- - - 0 . 1", true },
};

static void min_follows_plan(struct kunit *test)
{
	u16 *string = kunit_kcalloc(test, WALKS_TEXT, sizeof(*string), GFP_KERNEL);
	char *text = kunit_kzalloc(test, WALKS_TEXT, GFP_KERNEL);
	struct uvm_eviction_plan_page pages[ARRAY_SIZE(min_pages)];
	struct uvm_eviction_plan plan = {
		.pages = pages, .nr_pages = ARRAY_SIZE(pages), .ends = min_ends,
	};

	KUNIT_ASSERT_TRUE(test, string && text);
	memcpy(pages, min_pages, sizeof(pages));
	for (int i = 0; i < ARRAY_SIZE(min_cases); i++) {
		struct reference_machine machine = {
			.ops = uvm_policy_find_eviction("min"),
			.params = walks_params(test, min_cases[i].params),
			.plan = &plan, .units = 3, .nr_pages = 16,
		};
		struct reference_string *r;

		plan.va_space = REFERENCE_SPACE + min_cases[i].foreign;
		KUNIT_ASSERT_NOT_NULL(test, machine.ops);
		r = walks_make(test, &machine);
		walks_text(r, string, walks_parse(min_cases[i].string, string), text);
		KUNIT_EXPECT_STREQ_MSG(test, text, min_cases[i].victims, "%s: %s",
				       min_cases[i].what, min_cases[i].string);
		KUNIT_EXPECT_EQ(test, r->evictor->wrong, 0);
	}
}

/* ---- the recorder of the fixture -------------------------------------------------- */

static struct reference_recorder *recorder_make(struct kunit *test)
{
	struct reference_recorder *recorder = kunit_kzalloc(test, sizeof(*recorder), GFP_KERNEL);

	KUNIT_ASSERT_NOT_NULL(test, recorder);
	recorder->pages = 16;
	recorder->sets = 128;
	recorder->ways = 8;
	recorder->most = 3;
	return recorder;
}

static void recorder_counts(struct kunit *test)
{
	struct reference_recorder *recorder = recorder_make(test);

	for (int i = 0; i < 5; i++)
		reference_recorder_hit(recorder, 0x80000);
	reference_recorder_hit(recorder, 0x80005);
	reference_recorder_hit(recorder, 0x7fff0);
	KUNIT_EXPECT_EQ(test, recorder->count, 2);
	KUNIT_EXPECT_EQ(test, recorder->tag[0], 0x8000);
	KUNIT_EXPECT_EQ(test, recorder->tag[1], 0x7fff);
	KUNIT_EXPECT_EQ(test, recorder->hits[0][0], 3);
	KUNIT_EXPECT_EQ(test, recorder->hits[0][5], 1);
	KUNIT_EXPECT_EQ(test, recorder->hits[0][1], 0);
}

/* Nine page sets of one set of the cache. */
static void recorder_loses(struct kunit *test)
{
	struct reference_recorder *recorder = recorder_make(test);
	u64 i;

	for (i = 0; i < 9; i++)
		reference_recorder_hit(recorder, 128 * 16 * i);
	KUNIT_EXPECT_EQ(test, recorder->count, 8);
	KUNIT_EXPECT_EQ(test, recorder->lost, 1);
	KUNIT_EXPECT_EQ(test, recorder->tag[0], 0);
	recorder->replace = true;
	reference_recorder_hit(recorder, 128 * 16 * 8);
	KUNIT_EXPECT_EQ(test, recorder->count, 8);
	KUNIT_EXPECT_EQ(test, recorder->lost, 2);
	KUNIT_EXPECT_EQ(test, recorder->tag[0], 128);
	KUNIT_EXPECT_EQ(test, recorder->tag[7], 128 * 8);
}

static struct kunit_case eviction_walks_cases[] = {
	KUNIT_CASE(walks_by_hand),
	KUNIT_CASE(walks_patterns),
	KUNIT_CASE(hpe_spends),
	KUNIT_CASE(min_follows_plan),
	KUNIT_CASE(min_without_plan),
	KUNIT_CASE(recorder_counts),
	KUNIT_CASE(recorder_loses),
	{}
};

struct kunit_suite uvm_eviction_walks_suite = {
	.name = "uvm_eviction_walks",
	.test_cases = eviction_walks_cases,
};
