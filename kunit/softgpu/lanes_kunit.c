// SPDX-License-Identifier: GPL-2.0
/*
 * softgpu interpreter: loads, stores and atomics of 32 lanes on plain memory.
 * Rules: RISC-V unprivileged ISA manual 20191213, chapters 5, 8.
 */
#include <kunit/test.h>
#include <linux/prandom.h>
#include <linux/slab.h>
#include "softgpu/isa/decode.h"
#include "softgpu/isa/exec.h"
#include "softgpu/isa/exec_double.h"
#include "softgpu/isa/isa.h"
#include "softgpu/sm/lsu.h"
#include "warp_fixture.h"

struct exec_mem {
	const char *name;
	u8 size;
	u8 fn;
	u64 step;			/* between lanes */
	u64 seen;			/* by a load of 0x8182...88 in lane 0 */
};

static const struct exec_mem exec_mems[] = {
	{ "lbu", 0, 0, 8, 0x88 }, { "lb", 0, 1, 8, 0xffffffffffffff88ULL },
	{ "lhu", 1, 0, 8, 0x8788 }, { "lh", 1, 1, 8, 0xffffffffffff8788ULL },
	{ "lwu", 2, 0, 8, 0x85868788 }, { "lw", 2, 1, 8, 0xffffffff85868788ULL },
	{ "ld", 3, 1, 8, 0x8182838485868788ULL }, { "lw, spread", 2, 1, 64, 0xffffffff85868788ULL },
	{ "lwu, backwards", 2, 0, -8ULL, 0x85868788 },
	{ "lbu, one place", 0, 0, 0, 0x88 }, { "lb, one place", 0, 1, 0, 0xffffffffffffff88ULL },
	{ "lhu, one place", 1, 0, 0, 0x8788 },
	{ "lh, one place", 1, 1, 0, 0xffffffffffff8788ULL },
	{ "lwu, one place", 2, 0, 0, 0x85868788 },
	{ "lw, one place", 2, 1, 0, 0xffffffff85868788ULL },
	{ "ld, one place", 3, 1, 0, 0x8182838485868788ULL },
};

static void lanes_place(struct sgpu_warp *warp, struct sgpu_lanes *lanes, u64 base, u64 step,
			unsigned int size)
{
	unsigned int lane;

	for (lane = 0; lane < SGPU_LANES; lane++)
		warp->x[RS1][lane] = base + lane * step - 16;
	sgpu_lanes_address(warp, RS1, 16, size, lanes);
	sgpu_lanes_page_offsets(lanes, warp->active);
}

static void lanes_load(struct kunit *test)
{
	u64 *mem = kunit_kzalloc(test, 4096, GFP_KERNEL);
	struct sgpu_lanes *lanes = kunit_kzalloc(test, sizeof(*lanes), GFP_KERNEL);
	u32 i, m, lane;

	KUNIT_ASSERT_NOT_NULL(test, mem);
	KUNIT_ASSERT_NOT_NULL(test, lanes);
	for (m = 0; m < ARRAY_SIZE(exec_masks); m++) {
		struct sgpu_warp *warp = exec_warp(test, exec_masks[m]);

		warp->live = SGPU_FULL;
		for (i = 0; i < ARRAY_SIZE(exec_mems); i++) {
			const struct exec_mem *c = &exec_mems[i];
			struct sgpu_insn insn = { .op = SGPU_OP_LOAD, .rd = RD, .rs1 = RS1,
						  .size = c->size, .fn = c->fn };

			for (lane = 0; lane < 512; lane++)
				mem[lane] = 0x8182838485868788ULL;
			sgpu_rows_write(warp, BIT(RD), warp->live);
			exec_fill(warp->x[RD], OLD);
			sgpu_fpu_begin();
			lanes_place(warp, lanes, 0x7000800, c->step, c->size);
			sgpu_lanes_load(warp, &insn, mem, lanes, warp->active);
			sgpu_rows_read(warp, BIT(RD));
			sgpu_fpu_end();
			exec_check(test, warp, warp->x[RD], NULL, c->seen, OLD, c->name);
		}
	}
}

/* flw of all active lanes from one place, and from places of their own. */
static void lanes_load_float(struct kunit *test)
{
	u32 *mem = kunit_kzalloc(test, 4096, GFP_KERNEL);
	struct sgpu_lanes *lanes = kunit_kzalloc(test, sizeof(*lanes), GFP_KERNEL);
	struct sgpu_insn insn = { .op = SGPU_OP_FLOAD, .rd = RD, .rs1 = RS1, .size = 2 };
	u32 m, step, lane;

	KUNIT_ASSERT_NOT_NULL(test, mem);
	KUNIT_ASSERT_NOT_NULL(test, lanes);
	for (lane = 0; lane < 1024; lane++)
		mem[lane] = 1000 + lane;
	for (m = 0; m < ARRAY_SIZE(exec_masks); m++) {
		struct sgpu_warp *warp = exec_warp(test, exec_masks[m]);

		for (step = 0; step <= 8; step += 4) {
			exec_fill32(warp->f[RD], 7);
			sgpu_fpu_begin();
			lanes_place(warp, lanes, 0x7000100, step, 2);
			sgpu_lanes_load(warp, &insn, mem, lanes, warp->active);
			sgpu_fpu_end();
			KUNIT_EXPECT_EQ(test, !step || hweight32(warp->active) == 1,
					lanes->uniform);
			for (lane = 0; lane < SGPU_LANES; lane++)
				KUNIT_ASSERT_EQ(test, warp->f[RD][lane],
						warp->active >> lane & 1 ?
						1064 + lane * step / 4 : 7);
		}
	}
}

/* Neighbouring lanes, moved as a block, and the same one lane at a time. */
static void lanes_contiguous(struct kunit *test)
{
	u8 *mem = kunit_kzalloc(test, 4096, GFP_KERNEL);
	struct sgpu_lanes *lanes = kunit_kzalloc(test, sizeof(*lanes), GFP_KERNEL);
	struct sgpu_insn insn = { .rd = RD, .rs1 = RS1, .rs2 = RS2 };
	u32 size, lane, part;

	KUNIT_ASSERT_NOT_NULL(test, mem);
	KUNIT_ASSERT_NOT_NULL(test, lanes);
	for (part = 0; part < 2; part++) {
		struct sgpu_warp *warp = exec_warp(test, part ? 0x7fffffff : SGPU_FULL);

		for (size = 0; size < 4; size++) {
			memset(mem, 0x5a, 4096);
			for (lane = 0; lane < SGPU_LANES; lane++)
				warp->x[RS2][lane] = lane + 1;
			insn.size = size;
			insn.fn = 0;
			insn.op = SGPU_OP_STORE;
			sgpu_fpu_begin();
			lanes_place(warp, lanes, 0x1100, 1 << size, size);
			sgpu_lanes_store(warp, &insn, mem, lanes, warp->active);
			insn.op = SGPU_OP_LOAD;
			sgpu_lanes_load(warp, &insn, mem, lanes, warp->active);
			sgpu_fpu_end();
			KUNIT_EXPECT_EQ(test, !part, lanes->contiguous);
			for (lane = 0; lane < 31; lane++)
				KUNIT_ASSERT_EQ(test, lane + 1, warp->x[RD][lane]);
			KUNIT_EXPECT_EQ(test, 0x5a, mem[0xff]);
			KUNIT_EXPECT_EQ(test, 0x5a, mem[0x100 + (32 << size)]);
			KUNIT_EXPECT_EQ(test, part ? 0x5a : 32, mem[0x100 + (31 << size)]);
		}
	}
}

/* What a memory instruction learns of its addresses at once, against a look at each. */
static void lanes_summary(struct kunit *test)
{
	static const struct {
		u64 base, step;
		unsigned int size;
		u64 odd;	/* the last but one is so much further */
	} cases[] = {
		{ 0x1000, 4, 2, 0 }, { 0x1f70, 4, 2, 0 }, { 0x1f74, 4, 2, 0 }, { 0x1002, 4, 2, 0 },
		{ 0x1000, 1, 0, 0 }, { 0x1ff0, 1, 0, 0 }, { 0x1ff1, 2, 1, 0 }, { 0x1f00, 8, 3, 0 },
		{ 0x1f08, 8, 3, 0 }, { 0x1000, 0, 2, 0 }, { 0x1001, 0, 2, 0 }, { 0x1000, 8, 2, 0 },
		{ 0x1000, -4ULL, 2, 0 }, { 0x1000, 4, 2, 4 }, { 0x1000, 0, 2, 1 },
		{ (1ULL << 49) - 64, 4, 2, 0 }, { (1ULL << 49) - 128, 4, 2, 0 },
		{ -64ULL, 4, 2, 0 },
	};
	struct sgpu_lanes *lanes = kunit_kzalloc(test, sizeof(*lanes), GFP_KERNEL);
	struct sgpu_warp *warp = exec_warp(test, SGPU_FULL);
	u32 i, lane, bit;

	KUNIT_ASSERT_NOT_NULL(test, lanes);
	for (i = 0; i < ARRAY_SIZE(cases); i++) {
		u64 low = 0, diff = 0, *x = warp->x[RS1];
		u64 step = cases[i].step, own = (1ULL << cases[i].size) - 1;

		for (lane = 0; lane < SGPU_LANES; lane++)
			x[lane] = cases[i].base + lane * step;
		x[30] += cases[i].odd;
		sgpu_fpu_begin();
		sgpu_lanes_address(warp, RS1, 16, cases[i].size, lanes);
		sgpu_fpu_end();
		for (lane = 0; lane < SGPU_LANES; lane++) {
			KUNIT_ASSERT_EQ(test, x[lane] + 16, lanes->va[lane]);
			low |= lanes->va[lane];
			diff |= lanes->va[lane] ^ lanes->va[0];
		}
		KUNIT_EXPECT_EQ_MSG(test, step == own + 1 && !cases[i].odd, lanes->contiguous,
				    "case %u", i);
		KUNIT_EXPECT_EQ_MSG(test, !diff, lanes->uniform, "case %u", i);
		KUNIT_EXPECT_EQ_MSG(test, low, lanes->low & low, "case %u", i);
		KUNIT_EXPECT_EQ_MSG(test, low & own, lanes->low & own, "case %u", i);
		KUNIT_EXPECT_EQ_MSG(test, low >> 49, lanes->low >> 49, "case %u", i);
		for (bit = 0; bit < 64; bit++)
			KUNIT_EXPECT_EQ_MSG(test, !(diff >> bit), !(lanes->diff >> bit),
					    "case %u, bit %u", i, bit);
	}
}

/* Lanes store in order: at one place the last one's value stays. */
static void lanes_store_one_place(struct kunit *test)
{
	u64 *mem = kunit_kzalloc(test, 4096, GFP_KERNEL);
	struct sgpu_lanes *lanes = kunit_kzalloc(test, sizeof(*lanes), GFP_KERNEL);
	struct sgpu_insn insn = { .op = SGPU_OP_STORE, .rs1 = RS1, .rs2 = RS2 };
	u32 m, lane;

	KUNIT_ASSERT_NOT_NULL(test, mem);
	KUNIT_ASSERT_NOT_NULL(test, lanes);
	for (m = 0; m < ARRAY_SIZE(exec_masks); m++) {
		struct sgpu_warp *warp = exec_warp(test, exec_masks[m]);

		for (lane = 0; lane < SGPU_LANES; lane++)
			warp->x[RS2][lane] = 100 + lane;
		for (insn.size = 0; insn.size < 4; insn.size++) {
			mem[32] = 0;
			sgpu_fpu_begin();
			lanes_place(warp, lanes, 0x7000100, 0, insn.size);
			sgpu_lanes_store(warp, &insn, mem, lanes, warp->active);
			sgpu_fpu_end();
			KUNIT_EXPECT_EQ(test, 100 + __fls(warp->active), mem[32]);
		}
	}
}

static void lanes_lines(struct kunit *test)
{
	static const struct {
		u64 base, step;
		u32 mask, lines;
	} cases[] = {
		{ 0x1000, 4, SGPU_FULL, 1 }, { 0x1040, 4, SGPU_FULL, 2 },
		{ 0x1000, 0, SGPU_FULL, 1 },
		{ 0x1000, 128, SGPU_FULL, 32 }, { 0x1000, 128, 0xff, 8 },
		{ 0x1000, 64, SGPU_FULL, 16 }, { 0x1000, 64, 0x1f, 3 },
		{ 0x1ff8, 0, 1, 1 },
	};
	struct sgpu_lanes *lanes = kunit_kzalloc(test, sizeof(*lanes), GFP_KERNEL);
	u32 i, lane, lines;

	KUNIT_ASSERT_NOT_NULL(test, lanes);
	for (i = 0; i < ARRAY_SIZE(cases); i++) {
		struct sgpu_warp *warp = exec_warp(test, cases[i].mask);

		for (lane = 0; lane < SGPU_LANES; lane++)
			warp->x[RS1][lane] = cases[i].base + lane * cases[i].step;
		sgpu_fpu_begin();
		sgpu_lanes_address(warp, RS1, 0, 2, lanes);
		lines = sgpu_lanes_page_offsets(lanes, warp->active);
		sgpu_fpu_end();
		KUNIT_EXPECT_EQ_MSG(test, cases[i].lines, hweight32(lines), "case %u", i);
	}
}

/* Sectors that the first lanes touch, and those of one line. */
static void lanes_sectors(struct kunit *test)
{
	static const struct {
		u64 base;
		u32 step, mask, total, line, of_line;
	} cases[] = {
		{ 0x1000, 4, SGPU_FULL, 4, 0, 0xf }, { 0x1020, 4, SGPU_FULL, 4, 1, 0x1 },
		{ 0x1060, 0, SGPU_FULL, 1, 0, 0x8 }, { 0x1000, 64, SGPU_FULL, 32, 15, 0x5 },
		{ 0x1040, 128, 0xff, 8, 7, 0x4 }, { 0x1000, 128, SGPU_FULL, 32, 31, 0x1 },
		{ 0x1ff8, 0, 1, 1, 31, 0x8 }, { 0x1000, 32, 0x10, 1, 1, 0x1 },
		{ 0x17e0, 32, 0x3, 2, 16, 0x1 },
	};
	u64 va[SGPU_LANES];
	u32 i, lane;

	for (i = 0; i < ARRAY_SIZE(cases); i++) {
		struct sgpu_sectors sectors;

		for (lane = 0; lane < SGPU_LANES; lane++)
			va[lane] = cases[i].base + lane * cases[i].step;
		sgpu_sectors_of(&sectors, va, cases[i].mask);
		KUNIT_EXPECT_EQ_MSG(test, cases[i].total,
				    hweight64(sectors.map[0]) + hweight64(sectors.map[1]),
				    "case %u", i);
		KUNIT_EXPECT_EQ_MSG(test, cases[i].of_line,
				    sgpu_sectors_line(&sectors, cases[i].line), "case %u", i);
	}
}

/* One lane after the other, and all groups for each. */
static u32 lanes_split_model(const struct sgpu_lanes *lanes, u32 mask, u32 *groups)
{
	u32 lane, i, count = 0;

	for (lane = 0; lane < SGPU_LANES; lane++) {
		if (!(mask >> lane & 1))
			continue;
		for (i = 0; i < count; i++)
			if (lanes->va[__ffs(groups[i])] >> 12 == lanes->va[lane] >> 12)
				break;
		if (i == count)
			groups[count++] = 0;
		groups[i] |= BIT(lane);
	}
	return count;
}

/* Pages of one hash too: @pages of them, @apart. */
static void lanes_split(struct kunit *test)
{
	static const struct {
		u32 pages, apart;
	} cases[] = {
		{ 1, 1 }, { 2, 64 }, { 5, 1 }, { 8, 64 }, { 32, 1 }, { 100, 64 }, { 200, 33 },
	};
	struct sgpu_lanes *lanes = kunit_kzalloc(test, sizeof(*lanes), GFP_KERNEL);
	u32 want[SGPU_LANES], got[SGPU_LANES], i, n, lane, mask, count;
	struct rnd_state rnd;

	KUNIT_ASSERT_NOT_NULL(test, lanes);
	prandom_seed_state(&rnd, 1);
	for (i = 0; i < ARRAY_SIZE(cases) * 100; i++) {
		n = i / 100;
		mask = i % 2 ? SGPU_FULL : prandom_u32_state(&rnd);
		for (lane = 0; lane < SGPU_LANES; lane++)
			lanes->va[lane] = (1ULL << 40) + prandom_u32_state(&rnd) % 4096 +
				((u64)(prandom_u32_state(&rnd) % cases[n].pages) * cases[n].apart <<
				 12);
		sgpu_fpu_begin();
		count = sgpu_lanes_split(lanes, mask, got);
		sgpu_fpu_end();
		KUNIT_ASSERT_EQ_MSG(test, lanes_split_model(lanes, mask, want), count,
				    "case %u", n);
		KUNIT_ASSERT_MEMEQ_MSG(test, want, got, count * sizeof(*got), "case %u", n);
	}
}

/* 8.4; word operations work on the low half and return it sign-extended */
static void lanes_amo(struct kunit *test)
{
	static const struct {
		enum sgpu_amo fn;
		u8 size;
		u64 mem, reg, result, after;
	} cases[] = {
		{ SGPU_AMO_SWAP, 3, 1, 2, 1, 2 }, { SGPU_AMO_ADD, 3, ONES, 1, ONES, 0 },
		{ SGPU_AMO_SWAP, 2, 0x1180000000ULL, 5, MIN32, 0x1100000005ULL },
		{ SGPU_AMO_ADD, 2, 0x11ffffffffULL, 1, ONES, 0x1100000000ULL },
		{ SGPU_AMO_XOR, 3, 0xff, 0x0f, 0xff, 0xf0 },
		{ SGPU_AMO_AND, 3, 0xff, 0x0f, 0xff, 0x0f },
		{ SGPU_AMO_OR, 2, 0xf0, 0x0f, 0xf0, 0xff },
		{ SGPU_AMO_MIN, 2, 0x1180000000ULL, 1, MIN32, 0x1180000000ULL },
		{ SGPU_AMO_MINU, 2, 0x1180000000ULL, 1, MIN32, 0x1100000001ULL },
		{ SGPU_AMO_MAX, 2, 0x80000000, 1, MIN32, 1 },
		{ SGPU_AMO_MAXU, 2, 0x80000000, 1, MIN32, 0x80000000 },
		{ SGPU_AMO_MIN, 3, 5, ONES, 5, ONES }, { SGPU_AMO_MINU, 3, 5, ONES, 5, 5 },
		{ SGPU_AMO_MAX, 3, 5, ONES, 5, 5 }, { SGPU_AMO_MAXU, 3, 5, ONES, 5, ONES },
		{ SGPU_AMO_MAX, 2, 1, 0x1180000000ULL, 1, 1 },
		/* CUDA's: up to a bound, down from it; 1.5 + 2.25; -1 + 1; inf - inf */
		{ SGPU_AMO_INC, 2, 0x1100000004ULL, 5, 4, 0x1100000005ULL },
		{ SGPU_AMO_INC, 2, 5, 5, 5, 0 }, { SGPU_AMO_INC, 2, 0x80000000, 5, MIN32, 0 },
		{ SGPU_AMO_DEC, 2, 5, 9, 5, 4 }, { SGPU_AMO_DEC, 2, 0, 9, 0, 9 },
		{ SGPU_AMO_DEC, 2, 0x1100000010ULL, 9, 16, 0x1100000009ULL },
		{ SGPU_AMO_FADD, 2, 0x113fc00000ULL, 0x40100000, 0x3fc00000, 0x1140700000ULL },
		{ SGPU_AMO_FADD, 3, 0xbff0000000000000ULL, 0x3ff0000000000000ULL,
		  0xbff0000000000000ULL, 0 },
		{ SGPU_AMO_FADD, 2, 0x7f800000, 0xff800000, 0x7f800000, 0x7fc00000 },
	};
	struct sgpu_warp *warp = exec_warp(test, SGPU_FULL);
	u32 i;

	for (i = 0; i < ARRAY_SIZE(cases); i++) {
		struct sgpu_insn insn = { .op = SGPU_OP_AMO, .rd = RD, .size = cases[i].size,
					  .fn = cases[i].fn };
		u64 mem = cases[i].mem;

		sgpu_lsu_lane(warp, &insn, 3, &mem, 0x1000, cases[i].reg);
		KUNIT_EXPECT_EQ_MSG(test, cases[i].result, warp->x[RD][3], "case %u", i);
		KUNIT_EXPECT_EQ_MSG(test, cases[i].after, mem, "case %u", i);
	}
}

/* As the unit for floats adds them: numbers of all kinds, and ties. */
static void lanes_float_sum(struct kunit *test)
{
	static const u32 numbers[] = {
		0, 0x80000000, 1, 0x80000001, 0x007fffff, 0x807fffff, 0x00800000, 0x80800001,
		0x33800000, 0x33800001, 0x337fffff, 0x3f800000, 0xbf800000, 0x3f800001, 0x3f7fffff,
		0x4b800000, 0xcb800001, 0x7f7fffff, 0xff7fffff, 0x73000000, 0x73800000, 0x7f800000,
		0xff800000, 0x7fc00000, 0xffc00001, 0x12345678, 0x92345679, 0x40490fdb,
	};
	struct sgpu_insn add = { .op = SGPU_OP_FADD, .rd = RD, .rs1 = RS1, .rs2 = RS2 };
	struct sgpu_warp *warp = exec_warp(test, SGPU_FULL);
	u32 i, j;

	for (i = 0; i < ARRAY_SIZE(numbers); i++)
		for (j = 0; j < ARRAY_SIZE(numbers); j++) {
			warp->f[RS1][3] = numbers[i];
			warp->f[RS2][3] = numbers[j];
			sgpu_fpu_begin();
			sgpu_exec_float(warp, &add);
			sgpu_fpu_end();
			KUNIT_EXPECT_EQ_MSG(test, warp->f[RD][3],
					    sgpu_float_sum(numbers[i], numbers[j]), "%#x + %#x",
					    numbers[i], numbers[j]);
		}
}

/* 8.2: a store conditional succeeds once, at the reserved address, if nothing changed. */
static void lanes_reserve(struct kunit *test)
{
	struct sgpu_insn lr = { .op = SGPU_OP_LR, .rd = RD, .size = 2 };
	struct sgpu_insn sc = { .op = SGPU_OP_SC, .rd = RS1, .size = 2 };
	struct sgpu_warp *warp = exec_warp(test, SGPU_FULL);
	u32 mem = 0x80000001;

	sgpu_lsu_lane(warp, &sc, 0, &mem, 0x1000, 9);
	KUNIT_EXPECT_NE(test, 0, warp->x[RS1][0]);
	KUNIT_EXPECT_EQ(test, 0x80000001, mem);
	sgpu_lsu_lane(warp, &lr, 0, &mem, 0x1000, 0);
	KUNIT_EXPECT_EQ(test, 0xffffffff80000001ULL, warp->x[RD][0]);
	sgpu_lsu_lane(warp, &sc, 1, &mem, 0x1000, 9);
	KUNIT_EXPECT_NE(test, 0, warp->x[RS1][1]);
	sgpu_lsu_lane(warp, &sc, 0, &mem, 0x1000, 9);
	KUNIT_EXPECT_EQ(test, 0, warp->x[RS1][0]);
	KUNIT_EXPECT_EQ(test, 9, mem);
	sgpu_lsu_lane(warp, &sc, 0, &mem, 0x1000, 10);
	KUNIT_EXPECT_NE(test, 0, warp->x[RS1][0]);
	sgpu_lsu_lane(warp, &lr, 0, &mem, 0x1000, 0);
	sgpu_lsu_lane(warp, &sc, 0, &mem, 0x2000, 11);
	KUNIT_EXPECT_NE(test, 0, warp->x[RS1][0]);
	sgpu_lsu_lane(warp, &lr, 0, &mem, 0x1000, 0);
	mem = 12;
	sgpu_lsu_lane(warp, &sc, 0, &mem, 0x1000, 13);
	KUNIT_EXPECT_NE(test, 0, warp->x[RS1][0]);
	KUNIT_EXPECT_EQ(test, 12, mem);
}

static struct kunit_case lanes_cases[] = {
	KUNIT_CASE(lanes_load),
	KUNIT_CASE(lanes_load_float),
	KUNIT_CASE(lanes_contiguous),
	KUNIT_CASE(lanes_summary),
	KUNIT_CASE(lanes_store_one_place),
	KUNIT_CASE(lanes_lines),
	KUNIT_CASE(lanes_sectors),
	KUNIT_CASE(lanes_split),
	KUNIT_CASE(lanes_amo),
	KUNIT_CASE(lanes_float_sum),
	KUNIT_CASE(lanes_reserve),
	{}
};

struct kunit_suite softgpu_lanes_suite = {
	.name = "softgpu_lanes",
	.test_cases = lanes_cases,
};
