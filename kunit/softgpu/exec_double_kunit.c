// SPDX-License-Identifier: GPL-2.0
/*
 * softgpu interpreter: double precision, edge cases first, and single precision in registers of
 * 64 bits.  Rules: RISC-V unprivileged ISA manual 20191213, chapters 11 and 12.
 */
#include <kunit/test.h>
#include <linux/prandom.h>
#include <linux/slab.h>
#include <asm/cpufeature.h>
#include "softgpu/isa/decode.h"
#include "softgpu/isa/exec.h"
#include "softgpu/isa/exec_double.h"
#include "softgpu/isa/isa.h"
#include "warp_fixture.h"

#define MIN64	0x8000000000000000ULL
#define MAX64	0x7fffffffffffffffULL
#define NAN_	0x7ff8000000000000ULL
#define SNAN	0x7ff0000000000001ULL
#define NNAN	0xfff8123456789abcULL
#define INF	0x7ff0000000000000ULL
#define NINF	0xfff0000000000000ULL
#define PZ	0x0000000000000000ULL
#define NZ	0x8000000000000000ULL
#define ONE	0x3ff0000000000000ULL
#define NONE_	0xbff0000000000000ULL
#define TWO	0x4000000000000000ULL
#define HALF	0x3fe0000000000000ULL
#define THREE	0x4008000000000000ULL
#define MAXD	0x7fefffffffffffffULL
#define TINY	0x0000000000000001ULL
#define EPS	0x3ca0000000000000ULL	/* 2^-53 */
#define SINGLE_NAN	0x7fc00000U

struct exec_double {
	enum sgpu_op op;
	u64 a;
	u64 b;
	u64 c;			/* or the rounding mode */
	u64 result;
};

#define I(op) SGPU_OP_##op
static const struct exec_double exec_doubles[] = {
	/* 12.3: as single precision */
	{ I(FADD_D), ONE, TWO, 0, THREE }, { I(FADD_D), ONE, EPS, 0, ONE },
	{ I(FADD_D), ONE, EPS + 1, 0, ONE + 1 }, { I(FADD_D), INF, NINF, 0, NAN_ },
	{ I(FADD_D), SNAN, ONE, 0, NAN_ }, { I(FADD_D), ONE, NNAN, 0, NAN_ },
	{ I(FADD_D), NZ, PZ, 0, PZ }, { I(FADD_D), NZ, NZ, 0, NZ },
	{ I(FADD_D), MAXD, MAXD, 0, INF }, { I(FADD_D), TINY, TINY, 0, 2 },
	{ I(FSUB_D), ONE, ONE, 0, PZ }, { I(FSUB_D), INF, INF, 0, NAN_ },
	{ I(FSUB_D), 0x0010000000000000, TINY, 0, 0x000fffffffffffff },
	{ I(FMUL_D), PZ, INF, 0, NAN_ }, { I(FMUL_D), TINY, HALF, 0, PZ },
	{ I(FMUL_D), 3, HALF, 0, 2 }, { I(FMUL_D), NONE_, PZ, 0, NZ },
	{ I(FMUL_D), MAXD, TWO, 0, INF },
	{ I(FDIV_D), ONE, PZ, 0, INF }, { I(FDIV_D), NONE_, PZ, 0, NINF },
	{ I(FDIV_D), PZ, PZ, 0, NAN_ }, { I(FDIV_D), ONE, THREE, 0, 0x3fd5555555555555 },
	{ I(FSQRT_D), 0x4010000000000000, 0, 0, TWO },
	{ I(FSQRT_D), TWO, 0, 0, 0x3ff6a09e667f3bcd },
	{ I(FSQRT_D), NONE_, 0, 0, NAN_ }, { I(FSQRT_D), NZ, 0, 0, NZ },
	{ I(FSQRT_D), TINY, 0, 0, 0x1e60000000000000 },
	/* one rounding: (1 + e)^2 - (1 + 2e) is e^2, e = 2^-52 */
	{ I(FMADD_D), ONE + 1, ONE + 1, 0xbff0000000000002, 0x3970000000000000 },
	{ I(FMADD_D), INF, PZ, ONE, NAN_ }, { I(FMADD_D), INF, ONE, NINF, NAN_ },
	{ I(FMADD_D), INF, ONE, INF, INF }, { I(FMADD_D), ONE, ONE, NINF, NINF },
	{ I(FMADD_D), PZ, ONE, NZ, PZ }, { I(FMADD_D), NZ, ONE, NZ, NZ },
	{ I(FMADD_D), ONE, ONE, SNAN, NAN_ }, { I(FMADD_D), TINY, TINY, TINY, TINY },
	{ I(FMADD_D), TINY, HALF, TINY, 2 }, { I(FMADD_D), TINY, TINY, PZ, PZ },
	{ I(FMADD_D), MAXD, TWO, MAXD | NZ, MAXD }, { I(FMADD_D), MAXD, TWO, PZ, INF },
	{ I(FMADD_D), MAXD, ONE, 0x7c90000000000000, INF },
	{ I(FMADD_D), MAXD, ONE, 0x7c8fffffffffffff, MAXD },
	{ I(FMADD_D), 0x0010000000000000, HALF, PZ, 0x0008000000000000 },
	{ I(FMADD_D), ONE, ONE, EPS, ONE }, { I(FMADD_D), ONE, ONE, EPS + 1, ONE + 1 },
	{ I(FMADD_D), ONE + 1, ONE, EPS, ONE + 2 }, { I(FMADD_D), ONE, ONE, TINY, ONE },
	{ I(FMADD_D), ONE, NONE_, TINY, NONE_ },
	{ I(FMSUB_D), TWO, TWO, ONE, THREE }, { I(FMSUB_D), ONE, ONE, ONE, PZ },
	{ I(FNMSUB_D), TWO, TWO, ONE, THREE | NZ }, { I(FNMADD_D), TWO, ONE, ONE, THREE | NZ },
	{ I(FNMADD_D), ONE, PZ, PZ, NZ },
	{ I(FSGNJ_D), ONE, NZ, 0, NONE_ }, { I(FSGNJ_D), SNAN, NZ, 0, SNAN | NZ },
	{ I(FSGNJN_D), ONE, ONE, 0, NONE_ }, { I(FSGNJX_D), NONE_, NZ, 0, ONE },
	{ I(FMIN_D), NZ, PZ, 0, NZ }, { I(FMIN_D), PZ, NZ, 0, NZ },
	{ I(FMIN_D), NAN_, ONE, 0, ONE },
	{ I(FMIN_D), ONE, SNAN, 0, ONE }, { I(FMIN_D), NNAN, SNAN, 0, NAN_ },
	{ I(FMAX_D), NZ, PZ, 0, PZ }, { I(FMAX_D), ONE, TWO, 0, TWO },
	{ I(FMAX_D), SNAN, NZ, 0, NZ },
	{ I(FMV_D_X), 0, 0, 0, OLD }, { I(FCVT_D_L), 0, 0, 0, 0xc3c0a920881a8088 },
	/* to the other format and back: ties, the smallest, the largest */
	{ I(FCVT_S_D), 0x3ff0000010000000, 0, 0, SGPU_BOX | 0x3f800000 },
	{ I(FCVT_S_D), 0x3ff0000030000000, 0, 0, SGPU_BOX | 0x3f800002 },
	{ I(FCVT_S_D), 0x3ff0000010000001, 0, 0, SGPU_BOX | 0x3f800001 },
	{ I(FCVT_S_D), 0x36a0000000000000, 0, 0, SGPU_BOX | 1 },
	{ I(FCVT_S_D), 0x3690000000000000, 0, 0, SGPU_BOX },
	{ I(FCVT_S_D), 0x47efffffefffffff, 0, 0, SGPU_BOX | 0x7f7fffff },
	{ I(FCVT_S_D), 0x47effffff0000000, 0, 0, SGPU_BOX | 0x7f800000 },
	{ I(FCVT_S_D), NNAN, 0, 0, SGPU_BOX | SINGLE_NAN },
	{ I(FCVT_S_D), NZ, 0, 0, SGPU_BOX | 0x80000000 },
	{ I(FCVT_D_S), SGPU_BOX | 0x3f800001, 0, 0, 0x3ff0000020000000 },
	{ I(FCVT_D_S), SGPU_BOX | 1, 0, 0, 0x36a0000000000000 },
	{ I(FCVT_D_S), SGPU_BOX | 0xff800001, 0, 0, NAN_ }, { I(FCVT_D_S), ONE, 0, 0, NAN_ },
	{ I(FCVT_D_S), SGPU_BOX | 0xff800000, 0, 0, NINF },
	/* what is no single precision is a NaN, wherever one is meant; results are boxed */
	{ I(FADD), SGPU_BOX | 0x3f800000, SGPU_BOX | 0x3f800000, 0, SGPU_BOX | 0x40000000 },
	{ I(FADD), SGPU_BOX | 0x3f800000, 0x3f800000, 0, SGPU_BOX | SINGLE_NAN },
	{ I(FMADD), SGPU_BOX | 0x3f800000, SGPU_BOX | 0x3f800000, ONE, SGPU_BOX | SINGLE_NAN },
	{ I(FSGNJ), ONE, SGPU_BOX | 0x80000000, 0, SGPU_BOX | 0xffc00000 },
	{ I(FMIN), ONE, SGPU_BOX | 0x40000000, 0, SGPU_BOX | 0x40000000 },
	{ I(FSQRT), TWO, 0, 0, SGPU_BOX | SINGLE_NAN },
};

/* Results in integer registers. */
static const struct exec_double exec_to_ints[] = {
	{ I(FEQ_D), PZ, NZ, 0, 1 }, { I(FEQ_D), NAN_, NAN_, 0, 0 }, { I(FLT_D), NONE_, ONE, 0, 1 },
	{ I(FLT_D), ONE, ONE, 0, 0 }, { I(FLE_D), ONE, ONE, 0, 1 }, { I(FLE_D), ONE, NAN_, 0, 0 },
	{ I(FCLASS_D), NINF, 0, 0, 1 << 0 }, { I(FCLASS_D), NONE_, 0, 0, 1 << 1 },
	{ I(FCLASS_D), TINY | NZ, 0, 0, 1 << 2 }, { I(FCLASS_D), NZ, 0, 0, 1 << 3 },
	{ I(FCLASS_D), PZ, 0, 0, 1 << 4 }, { I(FCLASS_D), TINY, 0, 0, 1 << 5 },
	{ I(FCLASS_D), ONE, 0, 0, 1 << 6 }, { I(FCLASS_D), INF, 0, 0, 1 << 7 },
	{ I(FCLASS_D), SNAN, 0, 0, 1 << 8 }, { I(FCLASS_D), NAN_, 0, 0, 1 << 9 },
	{ I(FCLASS_D), SGPU_BOX | 0x3f800000, 0, 0, 1 << 9 },
	{ I(FMV_X_D), NNAN, 0, 0, NNAN },
	{ I(FCVT_W_D), 0x41e0000000000000, 0, 1, MAX32 }, { I(FCVT_W_D), NAN_, 0, 1, MAX32 },
	{ I(FCVT_W_D), 0x41dfffffffdfffff, 0, 0, MAX32 }, { I(FCVT_W_D), NINF, 0, 1, MIN32 },
	{ I(FCVT_W_D), 0xc1e0000000100000, 0, 0, MIN32 },
	{ I(FCVT_WU_D), 0x41efffffffe00000, 0, 1, ONES },
	{ I(FCVT_WU_D), 0x41f0000000000000, 0, 1, ONES },
	{ I(FCVT_WU_D), 0x41efffffffefffff, 0, 0, ONES }, { I(FCVT_WU_D), NONE_, 0, 1, 0 },
	{ I(FCVT_WU_D), 0xbfe0000000000001, 0, 0, 0 },
	{ I(FCVT_WU_D), 0xbfe8000000000000, 0, 2, 0 },
	{ I(FCVT_L_D), 0x43e0000000000000, 0, 1, MAX64 },
	{ I(FCVT_L_D), 0xc3e0000000000000, 0, 1, MIN64 },
	{ I(FCVT_L_D), 0x43dfffffffffffff, 0, 1, 0x7ffffffffffffc00 },
	{ I(FCVT_L_D), 0xc3e0000000000001, 0, 1, MIN64 }, { I(FCVT_L_D), NNAN, 0, 1, MAX64 },
	{ I(FCVT_LU_D), 0x43f0000000000000, 0, 1, ONES },
	{ I(FCVT_LU_D), 0x43e0000000000000, 0, 1, MIN64 },
	{ I(FCVT_LU_D), 0x43efffffffffffff, 0, 0, 0xfffffffffffff800 },
	/* 2.5, -2.5, 3.5 and 0.75 */
	{ I(FCVT_L_D), 0x4004000000000000, 0, 0, 2 }, { I(FCVT_L_D), 0x400c000000000000, 0, 0, 4 },
	{ I(FCVT_L_D), 0xc004000000000000, 0, 1, -2ULL },
	{ I(FCVT_L_D), 0xc004000000000000, 0, 2, -3ULL },
	{ I(FCVT_L_D), 0xc004000000000000, 0, 3, -2ULL },
	{ I(FCVT_L_D), 0xc004000000000000, 0, 4, -3ULL },
	{ I(FCVT_L_D), 0x4004000000000000, 0, 4, 3 }, { I(FCVT_L_D), 0x3fe8000000000000, 0, 3, 1 },
	{ I(FCVT_L_D), 0x3fdfffffffffffff, 0, 0, 0 }, { I(FCVT_L_D), 0x3fe0000000000001, 0, 0, 1 },
	{ I(FCVT_L_D), 0x4330000000000001, 0, 0, 0x10000000000001 },
	/* single precision beside it */
	{ I(FEQ), SGPU_BOX, SGPU_BOX | 0x80000000, 0, 1 }, { I(FEQ), SGPU_BOX, 0, 0, 0 },
	{ I(FCLASS), ONE, 0, 0, 1 << 9 }, { I(FCLASS), SGPU_BOX | 0x3f800000, 0, 0, 1 << 6 },
	{ I(FMV_X_W), 0x12345678bf800000, 0, 0, 0xffffffffbf800000ULL },
	{ I(FCVT_W_S), ONE, 0, 1, MAX32 },
};

#undef I

static void double_row(struct kunit *test, const struct exec_double *c, u32 mask, bool to_int)
{
	struct sgpu_warp *warp = exec_warp_double(test, SGPU_FULL);
	struct sgpu_insn insn = { .op = c->op, .rd = RD, .rs1 = RS1, .rs2 = RS2, .rs3 = RS3,
				  .fn = c->c };

	warp->active = mask;
	warp->doubles = BIT(RD) | BIT(RS1) | BIT(RS2) | BIT(RS3);
	exec_fill(warp->x[RD], ~OLD);
	exec_fill(warp->x[RS1], OLD);
	exec_fill(warp->d[RD], ~OLD);
	exec_fill(warp->d[RS1], c->a);
	exec_fill(warp->d[RS2], c->b);
	exec_fill(warp->d[RS3], c->c);
	sgpu_fpu_begin();
	sgpu_exec_double(warp, &insn);
	if (!to_int)
		sgpu_doubles_read(warp, RD);
	sgpu_fpu_end();
	exec_check(test, warp, to_int ? warp->x[RD] : warp->d[RD], NULL, c->result, ~OLD,
		   sgpu_op_name(c->op));
	kunit_kfree(test, warp->d);
	kunit_kfree(test, warp);
}

static void double_results(struct kunit *test)
{
	u32 i, m, wide;

	for (wide = 0; wide < 2; wide++) {
		sgpu_exec_use_wide(wide);
		for (m = 0; m < ARRAY_SIZE(exec_masks); m++) {
			for (i = 0; i < ARRAY_SIZE(exec_doubles); i++)
				double_row(test, &exec_doubles[i], exec_masks[m], false);
			for (i = 0; i < ARRAY_SIZE(exec_to_ints); i++)
				double_row(test, &exec_to_ints[i], exec_masks[m], true);
		}
	}
}

/* Of few bits, near another's size, subnormal, or anything. */
static u64 odd_double(struct rnd_state *rnd, u64 near)
{
	u64 u = (u64)prandom_u32_state(rnd) << 32 | prandom_u32_state(rnd);
	u32 how = prandom_u32_state(rnd) % 16;

	if (how < 6)
		u = (u & 0x800fffffffffffff) | (990ULL + (u >> 52) % 70) << 52;
	if (how & 1)
		u &= 0xfffffffff0000000;
	if (how == 13)
		u &= 0x801fffffffffffff;
	if (how == 14)
		u = near ^ NZ ^ (u & 3);
	if (how == 15)
		u &= 0xfff0000000000000;
	return u;
}

/* The CPU's instruction and the integers' agree in all. */
static void double_fused_agrees(struct kunit *test)
{
	struct sgpu_insn insn = { .op = SGPU_OP_FMADD_D, .rd = RD, .rs1 = RS1, .rs2 = RS2,
				  .rs3 = RS3 };
	struct sgpu_warp *warp = exec_warp_double(test, SGPU_FULL);
	struct rnd_state rnd;
	u32 i, lane;

	if (!boot_cpu_has(X86_FEATURE_FMA) || !boot_cpu_has(X86_FEATURE_AVX2))
		kunit_skip(test, "this CPU has no AVX2 with FMA3");
	sgpu_exec_use_wide(true);
	prandom_seed_state(&rnd, 1);
	warp->doubles = BIT(RS1) | BIT(RS2) | BIT(RS3);
	for (i = 0; i < 4000; i++) {
		for (lane = 0; lane < SGPU_LANES; lane++) {
			u64 a = odd_double(&rnd, 0);

			warp->d[RS1][lane] = a;
			warp->d[RS2][lane] = i & 1 ? ONE + (i & 2) : odd_double(&rnd, a);
			warp->d[RS3][lane] = odd_double(&rnd, a);
		}
		sgpu_fpu_begin();
		sgpu_exec_double(warp, &insn);
		sgpu_fpu_end();
		for (lane = 0; lane < SGPU_LANES; lane++) {
			u64 a = warp->d[RS1][lane], b = warp->d[RS2][lane], c = warp->d[RS3][lane];

			KUNIT_ASSERT_EQ_MSG(test, sgpu_double_fma(a, b, c), warp->d[RD][lane],
					    "%#llx %#llx %#llx", a, b, c);
		}
	}
}

/* A register is 32 or 64 bits to whoever looks, whichever was written last, and where. */
static void double_registers(struct kunit *test)
{
	struct sgpu_insn add = { .op = SGPU_OP_FADD, .rd = RD, .rs1 = RS1, .rs2 = RS1 };
	struct sgpu_warp *warp = exec_warp_double(test, SGPU_FULL);
	u32 lane;

	exec_fill32(warp->f[RS1], 0x3f800000);
	exec_fill(warp->d[RD], ONE);
	warp->doubles = BIT(RD);
	warp->active = PART;
	sgpu_fpu_begin();
	sgpu_exec_double(warp, &add);
	sgpu_fpu_end();
	KUNIT_EXPECT_EQ(test, BIT(RD), warp->doubles);
	for (lane = 0; lane < SGPU_LANES; lane++)
		KUNIT_EXPECT_EQ(test, warp->d[RD][lane],
				PART >> lane & 1 ? SGPU_BOX | 0x40000000 : ONE);
	warp->active = SGPU_FULL;
	sgpu_fpu_begin();
	sgpu_exec_double(warp, &add);
	KUNIT_EXPECT_EQ(test, 0, warp->doubles);
	KUNIT_EXPECT_EQ(test, SGPU_BOX | 0x40000000, sgpu_doubles_read(warp, RD)[3]);
	/* some of its lanes are written: the others are boxed, whatever the row held */
	exec_fill(warp->d[RD], ONE);
	sgpu_doubles_write(warp, RD, PART)[0] = TWO;
	KUNIT_EXPECT_EQ(test, SGPU_BOX | 0x40000000, sgpu_doubles_read(warp, RD)[3]);
	KUNIT_EXPECT_EQ(test, 0, sgpu_doubles_low(warp, RD)[0]);
	KUNIT_EXPECT_EQ(test, 0x40000000, sgpu_doubles_low(warp, RD)[3]);
	sgpu_fpu_end();
}

static struct kunit_case exec_double_cases[] = {
	KUNIT_CASE(double_results),
	KUNIT_CASE(double_fused_agrees),
	KUNIT_CASE(double_registers),
	{}
};

struct kunit_suite softgpu_exec_double_suite = {
	.name = "softgpu_exec_double",
	.test_cases = exec_double_cases,
};
