// SPDX-License-Identifier: GPL-2.0
/*
 * softgpu CTA status table: which CTA of an SM is switched out, which in.  Every case
 * is a machine and what happens to its CTAs; after each step all switches are made, and
 * the states of all CTAs are compared.
 */
#include <kunit/test.h>
#include <linux/string.h>
#include "softgpu/sm/cta_table.h"

#define CTAS		6
#define STEPS		20
#define REGS		100
#define PATIENCE	1000
#define MOVE		10	/* registers, each way */
#define STATE		1	/* state of the scheduler, each way */

/*
 * A step.  a: assign a CTA, n: there is no room for one, l: the limit becomes @arg, t:
 * time @arg passes, and of CTA @cta: e it ends, g a warp of it goes on, m all wait for
 * memory, r all wait for a replay, w a warp could issue in @arg.
 */
struct table_step {
	char op;
	u8 cta;
	u16 arg;
	/* by CTA: N new, i restoring, R running, S stalled, s saving, W waiting, Y ready,
	 * - gone; with ! behind it if it is parked
	 */
	const char *want;
};

struct table_case {
	const char *name;
	u8 places;
	u8 holds;			/* CTAs that registers suffice for */
	bool virtual_thread;
	bool on_memory;
	u8 limit;
	struct table_step steps[STEPS];
};

static const struct table_case table_cases[] = {
	{ "full: no room", 2, 2, false, false, 0, {
		{ 'a', .want = "R" }, { 'a', .want = "RR" }, { 'n', .want = "RR" },
		{ 'r', 0, .want = "SR" }, { 'e', 0, .want = "-R" }, { 'a', .want = "-RR" },
	} },
	{ "registers, not places, without virtual threads", 1, 4, false, false, 0, {
		{ 'a', .want = "R" }, { 'n', .want = "R" },
	} },
	{ "an extra CTA comes in for a fault, and they take turns", 1, 1, false, false, 1, {
		{ 'a', .want = "R" }, { 'a', .want = "RN" }, { 'n', .want = "RN" },
		{ 'r', 0, .want = "si" },
		{ 't', .arg = MOVE, .want = "WR" },	/* saved; what is new needs no restore */
		{ 'w', 0, .want = "YR" },
		{ 'r', 1, .want = "is" },
		{ 't', .arg = MOVE, .want = "iW" },
		{ 't', .arg = MOVE, .want = "RW" },
	} },
	{ "nobody comes in while nobody could go on", 1, 1, false, false, 1, {
		{ 'a', .want = "R" }, { 'a', .want = "RN" },
		{ 'r', 0, .want = "si" }, { 't', .arg = MOVE, .want = "WR" },
		{ 'r', 1, .want = "WS" },
		{ 'w', 0, .want = "is" },
	} },
	{ "ready while it is saved: only then", 1, 1, false, false, 1, {
		{ 'a', .want = "R" }, { 'a', .want = "RN" }, { 'r', 0, .want = "si" },
		{ 'w', 0, .want = "si" }, { 't', .arg = MOVE, .want = "YR" },
	} },
	{ "ready in a while", 1, 1, false, false, 1, {
		{ 'a', .want = "R" }, { 'a', .want = "RN" }, { 'r', 0, .want = "si" },
		{ 't', .arg = MOVE, .want = "WR" }, { 'r', 1, .want = "WS" },
		{ 'w', 0, 50, "WS" }, { 't', .arg = 49, .want = "WS" },
		{ 't', .arg = 1, .want = "is" },
	} },
	{ "memory is no reason", 1, 1, false, false, 1, {
		{ 'a', .want = "R" }, { 'a', .want = "RN" }, { 'm', 0, .want = "SN" },
		{ 'g', 0, .want = "RN" }, { 'r', 0, .want = "si" },
	} },
	{ "switch_on_memory: it is", 1, 1, false, true, 1, {
		{ 'a', .want = "R" }, { 'a', .want = "RN" }, { 'm', 0, .want = "si" },
	} },
	{ "not while it is restored", 1, 1, false, false, 1, {
		{ 'a', .want = "R" }, { 'a', .want = "RN" }, { 'r', 0, .want = "si" },
		{ 'w', 0, .want = "si" }, { 't', .arg = MOVE, .want = "YR" },
		{ 'r', 1, .want = "is" }, { 'w', 1, .want = "is" },
		{ 't', .arg = MOVE, .want = "iY" }, { 't', .arg = MOVE, .want = "RY" },
	} },
	{ "who ran before new ones, in order", 2, 2, false, false, 2, {
		{ 'a', .want = "R" }, { 'a', .want = "RR" },
		{ 'a', .want = "RRN" }, { 'a', .want = "RRNN" },
		{ 'r', 1, .want = "RsiN" }, { 't', .arg = MOVE, .want = "RWRN" },
		{ 'w', 1, .want = "RYRN" },
		{ 'r', 2, .want = "RisN" },	/* 1, not 3 */
		{ 't', .arg = 2 * MOVE, .want = "RRWN" },
		{ 'r', 0, .want = "sRWi" }, { 't', .arg = MOVE, .want = "WRWR" },
		{ 'w', 2, .want = "WRYR" }, { 'w', 0, .want = "YRYR" },
		{ 'r', 3, .want = "iRYs" },	/* 0, not 2 */
	} },
	{ "the longest stalled one goes", 2, 2, false, false, 1, {
		{ 'a', .want = "R" }, { 'a', .want = "RR" }, { 'a', .want = "RRN" },
		{ 'r', 0, .want = "sRi" }, { 't', .arg = MOVE, .want = "WRR" },
		{ 'r', 2, .want = "WRS" }, { 't', .arg = 5, .want = "WRS" },
		{ 'r', 1, .want = "WSS" }, { 'w', 0, .want = "iSs" },
	} },
	{ "the place of one that ends: who is ready, before new ones", 1, 1, false, false, 2, {
		{ 'a', .want = "R" }, { 'a', .want = "RN" }, { 'a', .want = "RNN" },
		{ 'r', 0, .want = "siN" }, { 't', .arg = MOVE, .want = "WRN" },
		{ 'w', 0, .want = "YRN" }, { 'e', 1, .want = "i-N" },
		{ 't', .arg = MOVE, .want = "R-N" },	/* restored, nothing was saved */
		{ 'a', .want = "R-NN" },
		{ 'e', 0, .want = "--RN" },
	} },
	{ "the place of one that ends: a new one, if nobody else is ready", 1, 1, false, false, 2, {
		{ 'a', .want = "R" }, { 'a', .want = "RN" }, { 'a', .want = "RNN" },
		{ 'r', 0, .want = "siN" }, { 't', .arg = MOVE, .want = "WRN" },
		{ 'e', 1, .want = "W-R" }, { 'w', 0, .want = "Y-R" }, { 'e', 2, .want = "i--" },
	} },
	{ "dropped while inactive", 1, 1, false, false, 1, {
		{ 'a', .want = "R" }, { 'a', .want = "RN" }, { 'e', 1, .want = "R-" },
		{ 'a', .want = "R-N" }, { 'r', 0, .want = "s-i" }, { 'e', 0, .want = "--i" },
		{ 'a', .want = "--iN" }, { 'e', 2, .want = "---R" }, { 'a', .want = "---RN" },
	} },
	{ "limit lowered: the last new one is parked; raised: it is free", 1, 1, false, false, 2, {
		{ 'a', .want = "R" }, { 'a', .want = "RN" }, { 'a', .want = "RNN" },
		{ 'l', .arg = 1, .want = "RNN!" }, { 'n', .want = "RNN!" },
		{ 'r', 0, .want = "siN!" }, { 't', .arg = MOVE, .want = "WRN!" },
		{ 'r', 1, .want = "WSN!" },
		{ 'l', .arg = 0, .want = "W!SN!" }, { 'w', 0, .want = "Y!SN!" },
		{ 'l', .arg = 1, .want = "isN!" }, { 't', .arg = 2 * MOVE, .want = "RWN!" },
		{ 'r', 0, .want = "SWN!" },
		{ 'l', .arg = 2, .want = "sWi" },
	} },
	{ "parked: comes in when one ends, and frees another", 1, 1, false, false, 2, {
		{ 'a', .want = "R" }, { 'a', .want = "RN" }, { 'a', .want = "RNN" },
		{ 'l', .arg = 0, .want = "RN!N!" }, { 'r', 0, .want = "SN!N!" },
		{ 'e', 0, .want = "-RN!" }, { 'l', .arg = 1, .want = "-RN" },
		{ 'n', .want = "-RN" }, { 'e', 2, .want = "-R-" }, { 'a', .want = "-R-N" },
	} },
	{ "patience: who ran and could go on gets the place of who runs longest", 2, 2, false,
	  false, 1, {
		{ 'a', .want = "R" }, { 'a', .want = "RR" }, { 'a', .want = "RRN" },
		{ 't', .arg = 3 * PATIENCE, .want = "RRN" },	/* not for new ones */
		{ 'r', 1, .want = "Rsi" }, { 't', .arg = MOVE, .want = "RWR" },
		{ 't', .arg = 2 * PATIENCE, .want = "RWR" },	/* nor who waits himself */
		{ 'w', 1, .want = "RYR" }, { 't', .arg = PATIENCE - 1, .want = "RYR" },
		{ 't', .arg = 1, .want = "siR" },
		{ 't', .arg = 2 * MOVE, .want = "YRR" },
		{ 't', .arg = PATIENCE - MOVE - 1, .want = "YRR" },
		{ 't', .arg = 1, .want = "iRs" },
	} },
	{ "patience: all take turns, whose time is never less", 1, 1, false, false, 2, {
		{ 'a', .want = "R" }, { 'a', .want = "RN" }, { 'a', .want = "RNN" },
		{ 'r', 0, .want = "siN" }, { 't', .arg = MOVE, .want = "WRN" },
		{ 'r', 1, .want = "Wsi" }, { 't', .arg = MOVE, .want = "WWR" },
		{ 'w', 0, .want = "YWR" }, { 'w', 1, .want = "YYR" },
		{ 't', .arg = PATIENCE, .want = "iYs" },
		{ 't', .arg = PATIENCE, .want = "RYY" },
		{ 't', .arg = 2 * MOVE, .want = "siY" },	/* 1 has waited longer than 2 */
		{ 't', .arg = PATIENCE, .want = "YRY" },
		{ 't', .arg = 2 * MOVE, .want = "Ysi" },
		{ 't', .arg = PATIENCE, .want = "YYR" },
		{ 't', .arg = 2 * MOVE, .want = "iYs" },
	} },
	{ "patience: before others that are ready, in any stalled CTA's place", 1, 1, false, true,
	  2, {
		{ 'a', .want = "R" }, { 'a', .want = "RN" }, { 'a', .want = "RNN" },
		{ 'm', 0, .want = "siN" }, { 't', .arg = MOVE, .want = "WRN" },
		{ 'm', 1, .want = "Wsi" }, { 't', .arg = MOVE, .want = "WWR" },
		{ 'w', 1, .want = "WYR" }, { 't', .arg = PATIENCE - 1, .want = "WYR" },
		{ 'w', 0, .want = "YYR" }, { 'm', 2, .want = "iYs" },	/* in order */
		{ 't', .arg = 2 * MOVE, .want = "RYW" },
		{ 'w', 2, .want = "RYY" }, { 'm', 0, .want = "siY" },	/* 1 is out of patience */
	} },
	{ "patience of a parked one: they change roles", 1, 1, false, false, 1, {
		{ 'a', .want = "R" }, { 'a', .want = "RN" }, { 'r', 0, .want = "si" },
		{ 't', .arg = MOVE, .want = "WR" }, { 'l', .arg = 0, .want = "W!R" },
		{ 'w', 0, .want = "Y!R" }, { 't', .arg = PATIENCE, .want = "is!" },
		{ 't', .arg = 2 * MOVE, .want = "RY!" }, { 'e', 0, .want = "-i" },
	} },
	{ "virtual threads: registers suffice, places do not", 1, 2, true, false, 0, {
		{ 'a', .want = "R" }, { 'a', .want = "RN" }, { 'n', .want = "RN" },
		{ 'm', 0, .want = "si" }, { 't', .arg = STATE, .want = "WR" },
		{ 'w', 0, .want = "YR" }, { 'r', 1, .want = "is" },
		{ 't', .arg = 2 * STATE, .want = "RW" },
		{ 'e', 0, .want = "-W" }, { 'a', .want = "-WR" },
	} },
	{ "virtual threads and an extra CTA", 1, 2, true, false, 1, {
		{ 'a', .want = "R" }, { 'a', .want = "RN" }, { 'a', .want = "RNN" },
		{ 'n', .want = "RNN" },
		{ 'm', 0, .want = "siN" }, { 't', .arg = STATE, .want = "WRN" },
		{ 'm', 1, .want = "WSN" },		/* the extra one waits for a fault */
		{ 'r', 1, .want = "Wsi" }, { 't', .arg = MOVE, .want = "WWR" },
		{ 'w', 0, .want = "YWR" }, { 'm', 2, .want = "iWs" },
		{ 't', .arg = 2 * STATE, .want = "RWW" },
		/* 2 gives its registers away when 1 comes back */
		{ 'e', 0, .want = "-WW" }, { 'w', 1, .want = "-iW" },
		{ 't', .arg = MOVE, .want = "-RW" },
	} },
	{ "virtual threads: as many wait as there are places", 1, 6, true, false, 0, {
		{ 'a', .want = "R" }, { 'a', .want = "RN" }, { 'n', .want = "RN" },
	} },
};

KUNIT_ARRAY_PARAM_DESC(table, table_cases, name);

struct table_fixture {
	struct kunit *test;
	const struct table_case *c;
	struct sgpu_cta_table table;
	struct sgpu_cta_status ctas[CTAS];
	bool there[CTAS];
	unsigned int count;
	u64 now;
};

static const struct sgpu_resources table_need = { 32, 1, 1, REGS, 0 };

static void table_describe(struct table_fixture *f, char *text)
{
	static const char letters[] = {
		[SGPU_CTA_NEW] = 'N', [SGPU_CTA_RESTORING] = 'i', [SGPU_CTA_RUNNING] = 'R',
		[SGPU_CTA_STALLED] = 'S', [SGPU_CTA_SAVING] = 's',
		[SGPU_CTA_WAITING] = 'W', [SGPU_CTA_READY] = 'Y',
	};
	unsigned int i;

	for (i = 0; i < f->count; i++) {
		if (!f->there[i]) {
			*text++ = '-';
			continue;
		}
		*text++ = letters[sgpu_cta_status_state(&f->ctas[i], f->now)];
		if (f->ctas[i].parked)
			*text++ = '!';
	}
	*text = 0;
}

static void table_assign(struct table_fixture *f)
{
	enum sgpu_cta_place place = sgpu_cta_table_room(&f->table, &table_need, f->now);

	KUNIT_ASSERT_LT(f->test, f->count, CTAS);
	KUNIT_ASSERT_NE(f->test, place, SGPU_PLACE_NONE);
	sgpu_cta_table_add(&f->table, &f->ctas[f->count], &table_need, place, f->now);
	f->there[f->count++] = true;
}

static void table_step(struct table_fixture *f, const struct table_step *step)
{
	struct sgpu_cta_status *cta = &f->ctas[step->cta];

	switch (step->op) {
	case 'a':
		table_assign(f);
		break;
	case 'n':
		KUNIT_EXPECT_EQ(f->test, sgpu_cta_table_room(&f->table, &table_need, f->now),
				SGPU_PLACE_NONE);
		break;
	case 'l':
		sgpu_cta_table_set_limit(&f->table, step->arg);
		break;
	case 't':
		f->now += step->arg;
		break;
	case 'e':
		sgpu_cta_table_remove(&f->table, cta);
		f->there[step->cta] = false;
		break;
	case 'g':
		sgpu_cta_status_stall(cta, SGPU_CTA_RUNS, f->now);
		break;
	case 'm':
		sgpu_cta_status_stall(cta, SGPU_CTA_WAITS_MEMORY, f->now);
		break;
	case 'r':
		sgpu_cta_status_stall(cta, SGPU_CTA_WAITS_REPLAY, f->now);
		break;
	case 'w':
		sgpu_cta_status_ready(cta, f->now + step->arg);
		break;
	}
}

/* As an SM does; a CTA that was running is ready at once. */
static void table_switch_all(struct table_fixture *f)
{
	struct sgpu_cta_switch sw;

	while (sgpu_cta_table_pick(&f->table, f->now, &sw)) {
		bool ran = sw.out && sw.out->stall == SGPU_CTA_RUNS;

		sgpu_cta_table_switch(&f->table, &sw, f->now);
		if (ran)
			sgpu_cta_status_ready(sw.out, f->now);
	}
}

/* What is not in use, and how many CTAs are where: counted anew. */
static void table_check(struct table_fixture *f)
{
	struct sgpu_cta_table *t = &f->table;
	u32 active = 0, held = 0, parked = 0, all = 0;
	unsigned int i;

	for (i = 0; i < f->count; i++) {
		if (!f->there[i])
			continue;
		all++;
		active += f->ctas[i].active;
		held += f->ctas[i].holds;
		parked += f->ctas[i].parked;
		KUNIT_EXPECT_TRUE(f->test, f->ctas[i].holds || !f->ctas[i].active);
	}
	KUNIT_EXPECT_EQ(f->test, t->free.ctas, f->c->places - active);
	KUNIT_EXPECT_EQ(f->test, t->free.warps, f->c->places - active);
	KUNIT_EXPECT_EQ(f->test, t->free.threads, 32 * (f->c->places - active));
	KUNIT_EXPECT_EQ(f->test, t->free.regs, REGS * (f->c->holds - held));
	KUNIT_EXPECT_EQ(f->test, t->inactive, all - active);
	KUNIT_EXPECT_EQ(f->test, t->extra, all - held);
	KUNIT_EXPECT_EQ(f->test, t->parked, parked);
}

/* Between now and the deadline no answer changes: nobody has to look. */
static void table_check_deadline(struct table_fixture *f)
{
	u64 deadline = sgpu_cta_table_deadline(&f->table, f->now);
	struct sgpu_cta_switch sw;
	u64 last = deadline == U64_MAX ? f->now + 100 * PATIENCE : deadline - 1;

	KUNIT_EXPECT_GT(f->test, deadline, f->now);
	KUNIT_EXPECT_FALSE(f->test, sgpu_cta_table_pick(&f->table, last, &sw));
}

static void table_run(struct kunit *test)
{
	const struct table_case *c = test->param_value;
	struct table_fixture *f = kunit_kzalloc(test, sizeof(*f), GFP_KERNEL);
	struct sgpu_resources total = {
		.threads = 32 * c->places, .warps = c->places, .ctas = c->places,
		.regs = REGS * c->holds,
	};
	char text[2 * CTAS + 1];
	unsigned int i;

	KUNIT_ASSERT_NOT_NULL(test, f);
	f->test = test;
	f->c = c;
	f->now = 1;
	sgpu_cta_table_init(&f->table, &total);
	f->table.virtual_thread = c->virtual_thread;
	f->table.on_memory = c->on_memory;
	f->table.patience_ps = PATIENCE;
	f->table.costs.latency_ps = MOVE;
	f->table.costs.state_latency_ps = STATE;
	sgpu_cta_table_set_limit(&f->table, c->limit);
	for (i = 0; i < STEPS && c->steps[i].op; i++) {
		table_step(f, &c->steps[i]);
		table_switch_all(f);
		table_describe(f, text);
		KUNIT_ASSERT_STREQ_MSG(test, text, c->steps[i].want, "step %u, %c", i,
				       c->steps[i].op);
		table_check(f);
		table_check_deadline(f);
	}
}

/*
 * Footnote 5 and 6.5 of the paper: 2048 threads with 10 registers, 85 KB, 680 cycles.  Shared
 * memory of 100 lines comes on top.
 */
static void table_costs(struct kunit *test)
{
	static const struct sgpu_resources need = { 2048, 64, 1, 2048 * 10, 100 * 128 };
	struct sgpu_resources total = need;
	struct sgpu_cta_status a, b;
	struct sgpu_cta_switch sw;
	struct sgpu_cta_table table;

	sgpu_cta_table_init(&table, &total);
	sgpu_cta_table_set_limit(&table, 1);
	table.costs.line_ps = 1;
	table.costs.state_bytes = 80;
	sgpu_cta_table_add(&table, &a, &need, sgpu_cta_table_room(&table, &need, 0), 0);
	sgpu_cta_table_add(&table, &b, &need, sgpu_cta_table_room(&table, &need, 0), 0);
	sgpu_cta_status_stall(&a, SGPU_CTA_WAITS_REPLAY, 0);
	KUNIT_ASSERT_TRUE(test, sgpu_cta_table_pick(&table, 0, &sw));
	KUNIT_EXPECT_PTR_EQ(test, sw.in, &b);
	KUNIT_EXPECT_PTR_EQ(test, sw.out, &a);
	sgpu_cta_table_switch(&table, &sw, 0);
	KUNIT_EXPECT_EQ(test, 780, b.busy_ps);
	sgpu_cta_status_ready(&a, 800);
	sgpu_cta_status_stall(&b, SGPU_CTA_WAITS_REPLAY, 1000);
	KUNIT_ASSERT_TRUE(test, sgpu_cta_table_pick(&table, 1000, &sw));
	sgpu_cta_table_switch(&table, &sw, 1000);
	KUNIT_EXPECT_EQ(test, 1000 + 2 * 780, a.busy_ps);
}

/* A CTA of another shape gets a place only where it fits. */
static void table_shapes(struct kunit *test)
{
	static const struct sgpu_resources total = { 128, 4, 4, 400, 64 };
	static const struct sgpu_resources small = { 32, 1, 1, 100, 0 };
	static const struct sgpu_resources large = { 64, 2, 1, 300, 64 };
	struct sgpu_cta_status a, b, c;
	struct sgpu_cta_switch sw;
	struct sgpu_cta_table table;

	sgpu_cta_table_init(&table, &total);
	sgpu_cta_table_set_limit(&table, 1);
	sgpu_cta_table_add(&table, &a, &small, sgpu_cta_table_room(&table, &small, 0), 0);
	sgpu_cta_table_add(&table, &b, &large, sgpu_cta_table_room(&table, &large, 0), 0);
	KUNIT_EXPECT_EQ(test, SGPU_PLACE_EXTRA, sgpu_cta_table_room(&table, &large, 0));
	sgpu_cta_table_add(&table, &c, &large, SGPU_PLACE_EXTRA, 0);
	sgpu_cta_status_stall(&a, SGPU_CTA_WAITS_REPLAY, 1);
	KUNIT_EXPECT_FALSE(test, sgpu_cta_table_pick(&table, 1, &sw));
	sgpu_cta_status_stall(&b, SGPU_CTA_WAITS_REPLAY, 2);
	KUNIT_ASSERT_TRUE(test, sgpu_cta_table_pick(&table, 2, &sw));
	KUNIT_EXPECT_PTR_EQ(test, sw.out, &b);
	sgpu_cta_table_switch(&table, &sw, 2);
	sgpu_cta_table_remove(&table, &c);
	KUNIT_EXPECT_FALSE(test, sgpu_cta_table_pick(&table, 3, &sw));
	sgpu_cta_status_ready(&b, 3);
	KUNIT_ASSERT_TRUE(test, sgpu_cta_table_pick(&table, 3, &sw));
	KUNIT_EXPECT_PTR_EQ(test, sw.in, &b);
	KUNIT_EXPECT_NULL(test, sw.out);
}

/* A large CTA that gave way to small ones comes back: what they leave is kept for it. */
static void table_keeps_room(struct kunit *test)
{
	static const struct sgpu_resources total = { 128, 4, 4, 400, 64 };
	static const struct sgpu_resources small = { 32, 1, 1, 100, 0 };
	static const struct sgpu_resources large = { 64, 2, 1, 300, 64 };
	struct sgpu_cta_status l, s[4];
	struct sgpu_cta_switch sw;
	struct sgpu_cta_table table;
	unsigned int i;

	sgpu_cta_table_init(&table, &total);
	table.patience_ps = 100;
	sgpu_cta_table_set_limit(&table, 1);
	sgpu_cta_table_add(&table, &l, &large, SGPU_PLACE_ACTIVE, 0);
	sgpu_cta_table_add(&table, &s[0], &small, SGPU_PLACE_ACTIVE, 0);
	sgpu_cta_table_add(&table, &s[1], &small, SGPU_PLACE_EXTRA, 0);
	sgpu_cta_status_stall(&l, SGPU_CTA_WAITS_REPLAY, 1);
	KUNIT_ASSERT_TRUE(test, sgpu_cta_table_pick(&table, 1, &sw));
	KUNIT_ASSERT_PTR_EQ(test, sw.out, &l);
	sgpu_cta_table_switch(&table, &sw, 1);
	sgpu_cta_status_ready(&l, 2);
	for (i = 2; i < 4; i++) {
		KUNIT_ASSERT_EQ(test, SGPU_PLACE_ACTIVE, sgpu_cta_table_room(&table, &small, 3));
		sgpu_cta_table_add(&table, &s[i], &small, SGPU_PLACE_ACTIVE, 3);
	}
	/* each has a turn as long as others have patience: none is displaced */
	for (i = 0; i < 4; i++)
		s[i].since_ps = 150;
	for (i = 0; i < 3; i++) {
		KUNIT_EXPECT_FALSE(test, sgpu_cta_table_pick(&table, 200 + i, &sw));
		sgpu_cta_table_remove(&table, &s[i]);
		KUNIT_EXPECT_EQ(test, i < 2 ? SGPU_PLACE_NONE : SGPU_PLACE_ACTIVE,
				sgpu_cta_table_room(&table, &small, 200 + i));
		/* as long as it has patience, what is free is anybody's */
		KUNIT_EXPECT_EQ(test, SGPU_PLACE_ACTIVE, sgpu_cta_table_room(&table, &small, 3));
	}
	KUNIT_ASSERT_TRUE(test, sgpu_cta_table_pick(&table, 203, &sw));
	KUNIT_EXPECT_PTR_EQ(test, sw.in, &l);
	KUNIT_EXPECT_NULL(test, sw.out);
}

static struct kunit_case cta_table_cases[] = {
	KUNIT_CASE_PARAM(table_run, table_gen_params),
	KUNIT_CASE(table_costs),
	KUNIT_CASE(table_shapes),
	KUNIT_CASE(table_keeps_room),
	{}
};

struct kunit_suite softgpu_cta_table_suite = {
	.name = "softgpu_cta_table",
	.test_cases = cta_table_cases,
};
