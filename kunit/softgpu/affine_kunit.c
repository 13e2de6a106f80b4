// SPDX-License-Identifier: GPL-2.0
/*
 * softgpu interpreter: integer registers that are lines give what 32 lanes would, and stay lines
 * where they should.
 */
#include <kunit/test.h>
#include <linux/prandom.h>
#include <linux/slab.h>
#include "softgpu/isa/decode.h"
#include "softgpu/isa/exec.h"
#include "softgpu/isa/simt.h"
#include "softgpu/isa/isa.h"
#include "softgpu/isa/warp.h"
#include "warp_fixture.h"

#define MIN64	0x8000000000000000ULL
#define MAX64	0x7fffffffffffffffULL

static struct sgpu_insn affine_insn(enum sgpu_op op, u64 imm)
{
	const bool is_branch = op >= SGPU_OP_BEQ && op <= SGPU_OP_BGEU;
	struct sgpu_insn insn = { .op = op, .rs1 = RS1, .rs2 = RS2, .imm = imm };

	insn.rd = is_branch ? 0 : RD;
	insn.writes = is_branch ? 0 : BIT(RD);
	insn.reads = op == SGPU_OP_LI ? 0 : op < SGPU_OP_ADD ? BIT(RS1) : BIT(RS1) | BIT(RS2);
	return insn;
}

/* x[@reg] as a row, whatever it was. */
static void affine_row(struct sgpu_warp *warp, unsigned int reg, const struct sgpu_affine *a)
{
	unsigned int lane;

	warp->affine &= ~BIT(reg);
	warp->stale &= ~BIT(reg);
	for (lane = 0; lane < SGPU_LANES; lane++)
		warp->x[reg][lane] = a->base + lane * a->step;
}

/* x[@reg] as a line, whose row must not be looked at. */
static void affine_line(struct sgpu_warp *warp, unsigned int reg, const struct sgpu_affine *a)
{
	exec_fill(warp->x[reg], OLD);
	sgpu_affine_set(warp, reg, a->base, a->step);
}

struct affine_case {
	const char *name;
	enum sgpu_op op;
	struct sgpu_affine a, b;
	u64 imm;
	bool line;
	u64 step;
};

#define I(op) SGPU_OP_##op

static const struct affine_case affine_cases[] = {
	{ "an immediate", I(LI), { }, { }, 7, true, 0 },
	{ "an index and a constant", I(ADDI), { 5, 1 }, { }, -6ULL, true, 1 },
	{ "an index, scaled", I(SLLI), { 5, 1 }, { }, 2, true, 4 },
	{ "an array and an index", I(ADD), { 0x7000000000, 0 }, { 0x100, 4 }, 0, true, 4 },
	{ "an index from the end", I(SUB), { 1000, 0 }, { 5, 1 }, 0, true, -1ULL },
	{ "two that cancel out", I(SUB), { 1000, 3 }, { 5, 3 }, 0, true, 0 },
	{ "rows of a matrix", I(MUL), { 3, 1 }, { 4096, 0 }, 0, true, 4096 },
	{ "the same turned round", I(MUL), { 4096, 0 }, { 3, 1 }, 0, true, 4096 },
	{ "squares", I(MUL), { 3, 1 }, { 3, 1 }, 0, false, 0 },
	{ "sums may wrap", I(ADD), { -4ULL, 1 }, { 2, 0 }, 0, true, 1 },
	{ "words", I(ADDW), { 100, 1 }, { 200, 2 }, 0, true, 3 },
	{ "words, the last lane the largest", I(ADDIW), { 0x7fffffff - 32, 1 }, { }, 1, true, 1 },
	{ "words, the last lane too large", I(ADDIW), { 0x7fffffff - 31, 1 }, { }, 1, false, 0 },
	{ "words of a large step", I(ADDIW), { 0, 0x10000000 }, { }, 0, false, 0 },
	{ "words down to the smallest", I(SUBW), { -0x7fffffffULL + 30, -1ULL }, { 0, 0 }, 0,
	  true, -1ULL },
	{ "words, upper halves apart", I(ADDW), { 5, 0x100000001ULL }, { 0, 0 }, 0, true, 1 },
	{ "words, scaled", I(SLLIW), { 5, 1 }, { }, 3, true, 8 },
	{ "products of words", I(MULW), { 5, 1 }, { 12, 0 }, 0, true, 12 },
	{ "products of words, too large", I(MULW), { 0x10000, 0x400 }, { 0x7f00, 0 }, 0, false, 0 },
	{ "upper half cleared, first part", I(SLLI), { 5, 1 }, { }, 32, true, 1ULL << 32 },
	{ "upper half cleared", I(SRLI), { 5ULL << 32, 1ULL << 32 }, { }, 32, true, 1 },
	{ "upper half cleared and scaled", I(SRLI), { 5ULL << 32, 1ULL << 32 }, { }, 30, true, 4 },
	{ "negative ones have none", I(SRLI), { -2ULL << 32, 1ULL << 32 }, { }, 32, false, 0 },
	{ "but signed ones do", I(SRAI), { -2ULL << 32, 1ULL << 32 }, { }, 32, true, 1 },
	{ "bits that are lost", I(SRLI), { 0, 1 }, { }, 1, false, 0 },
	{ "bits that are lost in none", I(SRLI), { 1, 2 }, { }, 1, true, 1 },
	{ "down", I(SRLI), { 320, -8ULL }, { }, 3, true, -1ULL },
	{ "all less", I(SLT), { 0, 1 }, { 32, 0 }, 0, true, 0 },
	{ "not all less", I(SLT), { 0, 1 }, { 31, 0 }, 0, false, 0 },
	{ "none less", I(SLTU), { 32, 1 }, { 32, 0 }, 0, true, 0 },
	{ "less on the way", I(SLT), { 0, 1 }, { 5, -1ULL }, 0, false, 0 },
	{ "unsigned wraps", I(SLTU), { -5ULL, 1 }, { 32, 0 }, 0, false, 0 },
	{ "signed does not", I(SLT), { -5ULL, 1 }, { 32, 0 }, 0, true, 0 },
	{ "signed wraps", I(SLTI), { MAX64 - 5, 1 }, { }, 7, false, 0 },
	{ "unsigned does not", I(SLTIU), { MAX64 - 5, 1 }, { }, 7, true, 0 },
	{ "bits of an index", I(ANDI), { 0, 1 }, { }, 3, false, 0 },
	{ "bits of one value", I(ANDI), { 6, 0 }, { }, 3, true, 0 },
	{ "a quotient of one value", I(DIVU), { 100, 0 }, { 7, 0 }, 0, true, 0 },
	{ "by zero", I(DIV), { 100, 0 }, { 0, 0 }, 0, true, 0 },
	{ "quotients", I(DIVU), { 100, 1 }, { 7, 0 }, 0, false, 0 },
	{ "an index shifted by one value", I(SLL), { 1, 1 }, { 3, 0 }, 0, false, 0 },
};

static const struct affine_case affine_branches[] = {
	{ "before the end", I(BLTU), { 0, 1 }, { 32, 0 }, 0, true, SGPU_FULL },
	{ "over the end", I(BLTU), { 1, 1 }, { 32, 0 }, 0, false, 0 },
	{ "behind the end", I(BGEU), { 32, 1 }, { 32, 0 }, 0, true, SGPU_FULL },
	{ "negative", I(BLT), { -32ULL, 1 }, { 0, 0 }, 0, true, SGPU_FULL },
	{ "not all negative", I(BGE), { -31ULL, 1 }, { 0, 0 }, 0, false, 0 },
	{ "one value", I(BEQ), { 9, 0 }, { 9, 0 }, 0, true, SGPU_FULL },
	{ "another", I(BNE), { 9, 0 }, { 9, 0 }, 0, true, 0 },
	{ "always apart", I(BEQ), { 9, 2 }, { 8, 2 }, 0, true, 0 },
	{ "the first thread", I(BNE), { 0, 1 }, { 0, 0 }, 0, false, 0 },
	{ "threads behind it", I(BNE), { 32, 1 }, { 0, 0 }, 0, true, SGPU_FULL },
	{ "threads before", I(BEQ), { 32, 1 }, { 64, 0 }, 0, true, 0 },
	{ "met between two lanes", I(BEQ), { 1, 2 }, { 4, 0 }, 0, false, 0 },
	{ "met after wrapping", I(BNE), { MAX64, MIN64 }, { 0, 1 }, 0, false, 0 },
};

#undef I

static void affine_stays(struct kunit *test)
{
	struct sgpu_warp *warp = exec_warp(test, SGPU_FULL);
	u32 i;

	for (i = 0; i < ARRAY_SIZE(affine_cases); i++) {
		const struct affine_case *c = &affine_cases[i];
		struct sgpu_insn insn = affine_insn(c->op, c->imm);

		affine_line(warp, RS1, &c->a);
		affine_line(warp, RS2, &c->b);
		sgpu_fpu_begin();
		sgpu_exec_int(warp, &insn);
		sgpu_fpu_end();
		KUNIT_EXPECT_EQ_MSG(test, c->line, warp->affine >> RD & 1, "%s", c->name);
		if (c->line)
			KUNIT_EXPECT_EQ_MSG(test, c->step, warp->ax[RD].step, "%s", c->name);
	}
}

static void affine_branch(struct kunit *test)
{
	struct sgpu_warp *warp = exec_warp(test, SGPU_FULL);
	u32 i;

	for (i = 0; i < ARRAY_SIZE(affine_branches); i++) {
		const struct affine_case *c = &affine_branches[i];
		struct sgpu_insn insn = affine_insn(c->op, 0);
		int all;

		affine_line(warp, RS1, &c->a);
		affine_line(warp, RS2, &c->b);
		all = sgpu_affine_condition(warp, &insn);
		KUNIT_EXPECT_EQ_MSG(test, c->line ? (int)!!c->step : -1, all, "%s", c->name);
	}
}

/* Ends that wrap, that just do not, and what programs have. */
static struct sgpu_affine affine_odd(struct rnd_state *rnd)
{
	static const u64 bases[] = {
		0, 1, -1ULL, 32, -31ULL, -32ULL, MAX64, MIN64, MAX64 - 31, MIN64 + 31, 1ULL << 32,
		MAX32, MIN32, 0x80000000, 0xffffffff, 0x7fffffe0, 0x7fffffe1, 0x700000100000,
	};
	static const u64 steps[] = {
		0, 0, 0, 1, -1ULL, 4, 8, -8ULL, 1ULL << 32, -1ULL << 32, 0x100000001ULL, MIN64,
		0x4000000, 0x10000000, 1ULL << 58, 1ULL << 59, 3, 96,
	};
	struct sgpu_affine a = {
		bases[prandom_u32_state(rnd) % ARRAY_SIZE(bases)],
		steps[prandom_u32_state(rnd) % ARRAY_SIZE(steps)],
	};

	if (prandom_u32_state(rnd) % 4 == 0)
		a.base += (s32)prandom_u32_state(rnd) >> prandom_u32_state(rnd) % 32;
	return a;
}

/* An operation of @line, whose registers are lines, and of @row, where they are not. */
static void affine_compare(struct kunit *test, struct sgpu_warp *line, struct sgpu_warp *row,
			   struct rnd_state *rnd)
{
	enum sgpu_op op = SGPU_OP_LI + prandom_u32_state(rnd) % (SGPU_OP_BGEU - SGPU_OP_LI + 1);
	struct sgpu_affine a = affine_odd(rnd), b = affine_odd(rnd), d = affine_odd(rnd);
	struct sgpu_insn insn = affine_insn(op, prandom_u32_state(rnd) % 32);
	u32 line_taken = 0, row_taken = 0, lane;

	affine_line(line, RS1, &a);
	affine_line(line, RS2, &b);
	affine_line(line, RD, &d);
	affine_row(row, RS1, &a);
	affine_row(row, RS2, &b);
	affine_row(row, RD, &d);
	sgpu_fpu_begin();
	if (insn.writes) {
		sgpu_exec_int(line, &insn);
		sgpu_exec_int(row, &insn);
	} else {
		line_taken = sgpu_exec_condition(line, &insn) & line->active;
		row_taken = sgpu_exec_condition(row, &insn) & row->active;
	}
	sgpu_fpu_end();
	KUNIT_ASSERT_EQ_MSG(test, row_taken, line_taken, "%s %#llx+%#llx %#llx+%#llx",
			    sgpu_op_name(op), a.base, a.step, b.base, b.step);
	for (lane = 0; lane < SGPU_LANES; lane++)
		if (sgpu_warp_x(row, RD, lane) != sgpu_warp_x(line, RD, lane))
			break;
	KUNIT_ASSERT_EQ_MSG(test, SGPU_LANES, lane, "%s of %#x: %#llx+%#llx %#llx+%#llx %lld",
			    sgpu_op_name(op), line->active, a.base, a.step, b.base, b.step,
			    insn.imm);
}

/* Every operation, with all lanes and with some of those that live. */
static void affine_agrees(struct kunit *test)
{
	struct sgpu_warp *line = exec_warp(test, SGPU_FULL), *row = exec_warp(test, SGPU_FULL);
	struct rnd_state rnd;
	u32 i;

	prandom_seed_state(&rnd, 1);
	for (i = 0; i < 9000; i++) {
		sgpu_exec_use_wide(i & 1);
		if (i % 900 == 450) {		/* diverged from here to the next 900 */
			u32 some = exec_masks[1 + i / 900 % (ARRAY_SIZE(exec_masks) - 1)];

			sgpu_simt_start(line, some, 0);
			sgpu_simt_start(row, some, 0);
			line->live = SGPU_FULL;
			row->live = SGPU_FULL;
		} else if (i % 900 == 0) {
			sgpu_simt_start(line, SGPU_FULL, 0);
			sgpu_simt_start(row, SGPU_FULL, 0);
		}
		affine_compare(test, line, row, &rnd);
	}
	sgpu_exec_use_wide(true);
}

/* Loads from one place make a line only if no lane that lives is left out. */
static void affine_loads(struct kunit *test)
{
	struct sgpu_insn insn = { .op = SGPU_OP_LOAD, .size = 3, .rd = RD, .rs1 = RS1,
				  .reads = BIT(RS1), .writes = BIT(RD) };
	const struct sgpu_affine place = { 0x7000010, 0 }, before = { 100, 1 };
	struct sgpu_lanes *lanes = kunit_kzalloc(test, sizeof(*lanes), GFP_KERNEL);
	u64 mem[4] = { 1, 2, 3, 4 };
	u32 m, lane;

	KUNIT_ASSERT_NOT_NULL(test, lanes);
	for (m = 0; m < ARRAY_SIZE(exec_masks); m++) {
		struct sgpu_warp *warp = exec_warp(test, exec_masks[m]);

		warp->live = SGPU_FULL;
		affine_line(warp, RS1, &place);
		affine_line(warp, RD, &before);
		sgpu_fpu_begin();
		sgpu_lanes_address(warp, RS1, -8, 3, lanes);
		sgpu_lanes_page_offsets(lanes, warp->active);
		sgpu_lanes_load(warp, &insn, mem, lanes, warp->active);
		sgpu_fpu_end();
		KUNIT_EXPECT_EQ(test, warp->active == SGPU_FULL, warp->affine >> RD & 1);
		for (lane = 0; lane < SGPU_LANES; lane++)
			KUNIT_EXPECT_EQ(test, warp->active >> lane & 1 ? 2 : 100 + lane,
					sgpu_warp_x(warp, RD, lane));
	}
}

/* What looks at rows sees those of lines: stores, atomics, floats; and what writes them. */
static void affine_is_seen(struct kunit *test)
{
	struct sgpu_insn store = { .op = SGPU_OP_STORE, .size = 3, .rs1 = RS1, .rs2 = RS2 };
	struct sgpu_insn amo = { .op = SGPU_OP_AMO, .size = 3, .rd = RS2, .rs1 = RS1, .rs2 = RS2,
				 .reads = BIT(RS1) | BIT(RS2), .writes = BIT(RS2) };
	struct sgpu_insn move = { .op = SGPU_OP_FMV_W_X, .rd = RD, .rs1 = RS2, .reads = BIT(RS2) };
	struct sgpu_insn back = { .op = SGPU_OP_FMV_X_W, .rd = RS1, .rs1 = RD, .writes = BIT(RS1) };
	const struct sgpu_affine place = { 0x7000000, 8 }, value = { 40, 3 };
	struct sgpu_lanes *lanes = kunit_kzalloc(test, sizeof(*lanes), GFP_KERNEL);
	struct sgpu_warp *warp = exec_warp(test, SGPU_FULL);
	u64 *mem = kunit_kzalloc(test, 2 * sizeof(u64) * SGPU_LANES, GFP_KERNEL);
	u64 *data = mem + SGPU_LANES;
	u32 lane;

	KUNIT_ASSERT_NOT_NULL(test, lanes);
	KUNIT_ASSERT_NOT_NULL(test, mem);
	affine_line(warp, RS1, &place);
	affine_line(warp, RS2, &value);
	sgpu_fpu_begin();
	sgpu_lanes_address(warp, RS1, 0, 3, lanes);
	KUNIT_EXPECT_TRUE(test, lanes->contiguous);
	sgpu_lanes_page_offsets(lanes, SGPU_FULL);
	sgpu_lanes_store(warp, &store, mem, lanes, SGPU_FULL);
	affine_line(warp, RS2, &value);
	sgpu_exec_float(warp, &move);
	sgpu_exec_float(warp, &back);
	affine_line(warp, RS2, &value);
	sgpu_lanes_capture(warp, &amo, data);
	sgpu_fpu_end();
	KUNIT_EXPECT_FALSE(test, (warp->affine | warp->stale) & (BIT(RS1) | BIT(RS2)));
	for (lane = 0; lane < SGPU_LANES; lane++) {
		u64 want = value.base + lane * value.step;

		KUNIT_EXPECT_EQ(test, want, mem[lane]);
		KUNIT_EXPECT_EQ(test, want, data[lane]);
		KUNIT_EXPECT_EQ(test, want, warp->x[RS1][lane]);
		KUNIT_EXPECT_EQ(test, want, warp->x[RS2][lane]);
	}
}

static struct kunit_case affine_kunit_cases[] = {
	KUNIT_CASE(affine_stays),
	KUNIT_CASE(affine_branch),
	KUNIT_CASE(affine_agrees),
	KUNIT_CASE(affine_loads),
	KUNIT_CASE(affine_is_seen),
	{}
};

struct kunit_suite softgpu_affine_suite = {
	.name = "softgpu_affine",
	.test_cases = affine_kunit_cases,
};
