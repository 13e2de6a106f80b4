// SPDX-License-Identifier: GPL-2.0
/*
 * softgpu interpreter: results of every arithmetic operation, edge cases first;
 * partial masks.  Rules: RISC-V unprivileged ISA manual 20191213, chapters 2, 5,
 * 7, 11.
 */
#include <kunit/test.h>
#include <linux/prandom.h>
#include <linux/slab.h>
#include <asm/cpufeature.h>
#include "softgpu/isa/decode.h"
#include "softgpu/isa/exec.h"
#include "softgpu/isa/simt.h"
#include "softgpu/isa/isa.h"
#include "warp_fixture.h"

#define MIN64	0x8000000000000000ULL
#define MAX64	0x7fffffffffffffffULL

struct exec_case {
	enum sgpu_op op;
	u64 a;
	u64 b;				/* or the immediate */
	u64 result;
};

#define I(op) SGPU_OP_##op
static const struct exec_case exec_ints[] = {
	/* 2.4: immediates are sign-extended, also for sltiu */
	{ I(LI), 1, -5ULL, -5ULL }, { I(ADDI), MAX64, 1, MIN64 }, { I(ADDI), 5, -6ULL, ONES },
	{ I(SLTI), -1ULL, 0, 1 }, { I(SLTI), 0, -1ULL, 0 }, { I(SLTI), MIN64, 2047, 1 },
	{ I(SLTIU), 5, -1ULL, 1 }, { I(SLTIU), ONES, -1ULL, 0 }, { I(SLTIU), 0, 1, 1 },
	{ I(XORI), 0x0f, -1ULL, ~0x0fULL }, { I(ORI), 0xf0, 0x0f, 0xff },
	{ I(ANDI), ONES, -2ULL, -2ULL },
	{ I(SLLI), 1, 63, MIN64 }, { I(SLLI), 3, 0, 3 }, { I(SRLI), MIN64, 63, 1 },
	{ I(SRAI), MIN64, 63, ONES }, { I(SRAI), MAX64, 62, 1 },
	{ I(SRAI), MIN64, 1, 0xc000000000000000ULL },
	/* 5.2: word operations ignore the upper half and sign-extend */
	{ I(ADDIW), 0x7fffffff, 1, MIN32 }, { I(ADDIW), 0x1ffffffffULL, 0, ONES },
	{ I(SLLIW), 1, 31, MIN32 }, { I(SRLIW), ONES, 31, 1 },
	{ I(SRLIW), 0xffffffff80000000ULL, 0, MIN32 },
	{ I(SRAIW), 0x80000000, 31, ONES }, { I(SRAIW), 0x180000000ULL, 1, 0xffffffffc0000000ULL },
	{ I(ADD), ONES, 1, 0 }, { I(SUB), 0, 1, ONES }, { I(SUB), MIN64, 1, MAX64 },
	{ I(SLL), 1, 64, 1 }, { I(SLL), 1, 127, MIN64 }, { I(SRL), MIN64, 65, MIN64 >> 1 },
	{ I(SRA), MIN64, 127, ONES }, { I(SLT), MIN64, MAX64, 1 }, { I(SLT), 1, 1, 0 },
	{ I(SLTU), MIN64, MAX64, 0 }, { I(SLTU), 0, ONES, 1 }, { I(XOR), 0xff, 0x0f, 0xf0 },
	{ I(OR), 0xf0f0, 0x0f0f, 0xffff }, { I(AND), 0xff00, 0x0ff0, 0x0f00 },
	{ I(ADDW), 0x7fffffff, 0x100000001ULL, MIN32 }, { I(SUBW), 0, 1, ONES },
	{ I(SUBW), 0x80000000, 1, MAX32 }, { I(SLLW), 1, 32 + 31, MIN32 },
	{ I(SRLW), MIN32, 33, 0x40000000 },
	{ I(SRAW), 0x80000000, 63, ONES },
	/* 7.1 */
	{ I(MUL), MIN64, 2, 0 }, { I(MUL), ONES, ONES, 1 },
	{ I(MUL), 0x123456789ULL, 0x10, 0x1234567890ULL },
	{ I(MULH), MIN64, MIN64, 0x4000000000000000ULL }, { I(MULH), ONES, 1, ONES },
	{ I(MULH), ONES, ONES, 0 },
	{ I(MULHU), ONES, ONES, -2ULL }, { I(MULHU), MIN64, 2, 1 },
	{ I(MULHSU), ONES, ONES, ONES }, { I(MULHSU), 1, ONES, 0 },
	{ I(MULHSU), MIN64, ONES, MIN64 },
	{ I(MULW), 0x10000, 0x8000, MIN32 }, { I(MULW), 0xffffffff00000003ULL, 5, 15 },
	/* 7.2, table 7.1: division by zero and overflow */
	{ I(DIV), 7, 0, ONES }, { I(DIV), MIN64, ONES, MIN64 }, { I(DIV), -7ULL, 2, -3ULL },
	{ I(DIVU), 7, 0, ONES }, { I(DIVU), ONES, 2, MAX64 }, { I(REM), -7ULL, 0, -7ULL },
	{ I(REM), MIN64, ONES, 0 }, { I(REM), -7ULL, 2, ONES }, { I(REM), 7, -2ULL, 1 },
	{ I(REMU), 7, 0, 7 }, { I(REMU), ONES, 10, 5 },
	{ I(DIVW), 7, 0x100000000ULL, ONES }, { I(DIVW), 0x80000000, ONES, MIN32 },
	{ I(DIVW), -7ULL, 2, -3ULL },
	{ I(DIVUW), 0x80000000, 1, MIN32 }, { I(DIVUW), 5, 0, ONES },
	{ I(DIVUW), ONES, 3, 0x55555555 },
	{ I(REMW), 0x80000000, 0, MIN32 }, { I(REMW), 0x80000000, ONES, 0 },
	{ I(REMW), -9ULL, 4, ONES },
	{ I(REMUW), 0x80000000, 0, MIN32 }, { I(REMUW), ONES, 16, 15 },
};

/* Bits of floats. */
#define NAN_	0x7fc00000U
#define SNAN	0x7f800001U
#define NNAN	0xffc12345U
#define INF	0x7f800000U
#define NINF	0xff800000U
#define PZ	0x00000000U
#define NZ	0x80000000U
#define ONE	0x3f800000U
#define NONE_	0xbf800000U
#define TWO	0x40000000U
#define MAXF	0x7f7fffffU
#define TINY	0x00000001U

struct exec_float {
	enum sgpu_op op;
	u32 a;
	u32 b;
	u32 c;				/* or the rounding mode */
	u64 result;
};

static const struct exec_float exec_floats[] = {
	/* 11.2, 11.6: round to nearest even, denormals, canonical NaN */
	{ I(FADD), ONE, TWO, 0, 0x40400000 }, { I(FADD), ONE, 0x33800000, 0, ONE },
	{ I(FADD), ONE, 0x33800001, 0, 0x3f800001 }, { I(FADD), INF, NINF, 0, NAN_ },
	{ I(FADD), SNAN, ONE, 0, NAN_ }, { I(FADD), ONE, NNAN, 0, NAN_ },
	{ I(FADD), NZ, PZ, 0, PZ },
	{ I(FADD), NZ, NZ, 0, NZ }, { I(FADD), MAXF, MAXF, 0, INF }, { I(FADD), TINY, TINY, 0, 2 },
	{ I(FSUB), ONE, ONE, 0, PZ }, { I(FSUB), INF, INF, 0, NAN_ },
	{ I(FSUB), 0x00800000, TINY, 0, 0x007fffff },
	{ I(FMUL), PZ, INF, 0, NAN_ }, { I(FMUL), TINY, 0x3f000000, 0, PZ },
	{ I(FMUL), 3, 0x3f000000, 0, 2 },
	{ I(FMUL), NONE_, PZ, 0, NZ }, { I(FMUL), MAXF, TWO, 0, INF },
	{ I(FDIV), ONE, PZ, 0, INF }, { I(FDIV), NONE_, PZ, 0, NINF }, { I(FDIV), PZ, PZ, 0, NAN_ },
	{ I(FDIV), ONE, 0x40400000, 0, 0x3eaaaaab }, { I(FDIV), INF, INF, 0, NAN_ },
	{ I(FSQRT), 0x40800000, 0, 0, TWO }, { I(FSQRT), TWO, 0, 0, 0x3fb504f3 },
	{ I(FSQRT), NONE_, 0, 0, NAN_ },
	{ I(FSQRT), NZ, 0, 0, NZ }, { I(FSQRT), INF, 0, 0, INF },
	{ I(FSQRT), TINY, 0, 0, 0x1a3504f3 },
	/* 11.6: fused: one rounding; these differ from the sum rounded in double first */
	{ I(FMADD), 0x3fe2e900, 0x3fc38000, 0xa4000000, 0x402d48ef },
	{ I(FMADD), 0x3fd6c500, 0x3fce8000, 0x23800000, 0x402d3de9 },
	{ I(FMADD), 0x3f8c2f84, 0x3fb00000, 0xa4800000, 0x3fc0c155 },
	{ I(FMADD), 0xbf9b52b0, 0xbff80000, 0x24800000, 0x4016781b },
	{ I(FMADD), 0x3f89f2e8, 0xbfd80000, 0x22000000, 0xbfe8c9e7 },
	{ I(FMADD), 0x3fde8300, 0xbfcf8000, 0xa1000000, 0xc0345b2f },
	{ I(FMADD), 0x3f9e8a00, 0xbfc5a000, 0xa2000000, 0xbff4c691 },
	{ I(FMADD), 0xbfc035e0, 0x3fec0000, 0xa0800000, 0xc03131ab },
	{ I(FMADD), 0x3f800001, 0x3f800001, 0xbf800002, 0x28800000 },
	{ I(FMADD), ONE, ONE, ONE, TWO }, { I(FMADD), INF, PZ, ONE, NAN_ },
	{ I(FMADD), INF, ONE, NINF, NAN_ },
	{ I(FMADD), PZ, ONE, NZ, PZ }, { I(FMADD), NZ, ONE, NZ, NZ },
	{ I(FMADD), MAXF, TWO, 0xff7fffff, MAXF },
	{ I(FMADD), TINY, TINY, TINY, TINY }, { I(FMADD), ONE, ONE, SNAN, NAN_ },
	{ I(FMSUB), TWO, TWO, ONE, 0x40400000 }, { I(FMSUB), ONE, ONE, ONE, PZ },
	{ I(FNMSUB), TWO, TWO, ONE, 0xc0400000 }, { I(FNMADD), TWO, TWO, ONE, 0xc0a00000 },
	{ I(FNMADD), ONE, PZ, PZ, NZ },
	/* 11.7: sign injection works on any bits */
	{ I(FSGNJ), ONE, NZ, 0, NONE_ }, { I(FSGNJ), SNAN, NZ, 0, 0xff800001 },
	{ I(FSGNJN), ONE, ONE, 0, NONE_ },
	{ I(FSGNJX), NONE_, NZ, 0, ONE }, { I(FSGNJX), NONE_, PZ, 0, NONE_ },
	/* 11.6: minimum and maximum: -0 < +0, a NaN loses, two give the canonical one */
	{ I(FMIN), NZ, PZ, 0, NZ }, { I(FMIN), PZ, NZ, 0, NZ }, { I(FMIN), NAN_, ONE, 0, ONE },
	{ I(FMIN), ONE, SNAN, 0, ONE }, { I(FMIN), NNAN, SNAN, 0, NAN_ },
	{ I(FMIN), NINF, ONE, 0, NINF },
	{ I(FMAX), NZ, PZ, 0, PZ }, { I(FMAX), PZ, NZ, 0, PZ }, { I(FMAX), ONE, TWO, 0, TWO },
	{ I(FMAX), SNAN, NZ, 0, NZ }, { I(FMAX), NAN_, NAN_, 0, NAN_ },
	/* 11.8: comparisons with a NaN are false */
	{ I(FEQ), PZ, NZ, 0, 1 }, { I(FEQ), NAN_, NAN_, 0, 0 }, { I(FEQ), ONE, ONE, 0, 1 },
	{ I(FLT), NONE_, ONE, 0, 1 }, { I(FLT), ONE, ONE, 0, 0 }, { I(FLT), NAN_, ONE, 0, 0 },
	{ I(FLT), NZ, PZ, 0, 0 }, { I(FLE), ONE, ONE, 0, 1 }, { I(FLE), ONE, NAN_, 0, 0 },
	/* 11.9, table 11.5 */
	{ I(FCLASS), NINF, 0, 0, 1 << 0 }, { I(FCLASS), NONE_, 0, 0, 1 << 1 },
	{ I(FCLASS), 0x80000001, 0, 0, 1 << 2 },
	{ I(FCLASS), NZ, 0, 0, 1 << 3 }, { I(FCLASS), PZ, 0, 0, 1 << 4 },
	{ I(FCLASS), TINY, 0, 0, 1 << 5 },
	{ I(FCLASS), ONE, 0, 0, 1 << 6 }, { I(FCLASS), INF, 0, 0, 1 << 7 },
	{ I(FCLASS), SNAN, 0, 0, 1 << 8 },
	{ I(FCLASS), NAN_, 0, 0, 1 << 9 },
	/* 11.7: moves sign-extend to 64 bits */
	{ I(FMV_X_W), NONE_, 0, 0, 0xffffffffbf800000ULL }, { I(FMV_X_W), SNAN, 0, 0, SNAN },
	/* 11.7, table 11.4: conversions saturate; NaN is the largest */
	{ I(FCVT_W_S), 0x4f000000, 0, 1, MAX32 }, { I(FCVT_W_S), 0xcf000000, 0, 1, MIN32 },
	{ I(FCVT_W_S), 0xcf000001, 0, 1, MIN32 }, { I(FCVT_W_S), NAN_, 0, 1, MAX32 },
	{ I(FCVT_W_S), NNAN, 0, 1, MAX32 },
	{ I(FCVT_W_S), INF, 0, 1, MAX32 }, { I(FCVT_W_S), NINF, 0, 1, MIN32 },
	{ I(FCVT_W_S), 0xbfc00000, 0, 1, ONES },
	{ I(FCVT_WU_S), 0x4f800000, 0, 1, ONES }, { I(FCVT_WU_S), 0x4f000000, 0, 1, MIN32 },
	{ I(FCVT_WU_S), NONE_, 0, 1, 0 }, { I(FCVT_WU_S), 0xbf7fffff, 0, 1, 0 },
	{ I(FCVT_WU_S), NAN_, 0, 1, ONES },
	{ I(FCVT_L_S), 0x5f000000, 0, 1, MAX64 }, { I(FCVT_L_S), 0xdf000000, 0, 1, MIN64 },
	{ I(FCVT_L_S), 0xdf000001, 0, 1, MIN64 }, { I(FCVT_L_S), NAN_, 0, 1, MAX64 },
	{ I(FCVT_L_S), 0x5effffff, 0, 1, 0x7fffff8000000000ULL },
	{ I(FCVT_LU_S), 0x5f800000, 0, 1, ONES },
	{ I(FCVT_LU_S), 0x5f7fffff, 0, 1, 0xffffff0000000000ULL },
	{ I(FCVT_LU_S), 0x5f000000, 0, 1, MIN64 }, { I(FCVT_LU_S), NINF, 0, 1, 0 },
	{ I(FCVT_LU_S), NNAN, 0, 1, ONES },
	/* 11.2: rounding modes, at 2.5, -2.5, 3.5, 2.25 and -0.75 */
	{ I(FCVT_W_S), 0x40200000, 0, 0, 2 }, { I(FCVT_W_S), 0x40600000, 0, 0, 4 },
	{ I(FCVT_W_S), 0xc0200000, 0, 0, -2ULL },
	{ I(FCVT_W_S), 0x40200000, 0, 1, 2 }, { I(FCVT_W_S), 0xc0200000, 0, 1, -2ULL },
	{ I(FCVT_W_S), 0x40200000, 0, 2, 2 }, { I(FCVT_W_S), 0xc0200000, 0, 2, -3ULL },
	{ I(FCVT_W_S), 0x40200000, 0, 3, 3 }, { I(FCVT_W_S), 0xc0200000, 0, 3, -2ULL },
	{ I(FCVT_W_S), 0x40200000, 0, 4, 3 }, { I(FCVT_W_S), 0xc0200000, 0, 4, -3ULL },
	{ I(FCVT_W_S), 0x40100000, 0, 0, 2 }, { I(FCVT_W_S), 0x40100000, 0, 3, 3 },
	{ I(FCVT_W_S), 0x40100000, 0, 4, 2 },
	{ I(FCVT_WU_S), 0xbf400000, 0, 0, 0 }, { I(FCVT_WU_S), 0xbf400000, 0, 2, 0 },
	{ I(FCVT_L_S), 0xbf400000, 0, 0, ONES },
	{ I(FCVT_W_S), 0x3f000000, 0, 0, 0 }, { I(FCVT_W_S), 0x3effffff, 0, 0, 0 },
	{ I(FCVT_W_S), 0x4b000001, 0, 0, 8388609 },
};

/* Integers to floats: a is the 64-bit source. */
static const struct exec_case exec_from_ints[] = {
	{ I(FMV_W_X), 0x12345678ffc00001ULL, 0, 0xffc00001 },
	{ I(FCVT_S_W), 0x1ffffffffULL, 0, 0xbf800000 }, { I(FCVT_S_W), MIN32, 0, 0xcf000000 },
	{ I(FCVT_S_W), 16777217, 0, 0x4b800000 }, { I(FCVT_S_W), 16777219, 0, 0x4b800002 },
	{ I(FCVT_S_WU), ONES, 0, 0x4f800000 }, { I(FCVT_S_WU), 0x80000000, 0, 0x4f000000 },
	{ I(FCVT_S_L), MIN64, 0, 0xdf000000 }, { I(FCVT_S_L), ONES, 0, 0xbf800000 },
	{ I(FCVT_S_L), 0x4000004000000001ULL, 0, 0x5e800001 },
	{ I(FCVT_S_L), 0x4000004000000000ULL, 0, 0x5e800000 },
	{ I(FCVT_S_LU), ONES, 0, 0x5f800000 },
	{ I(FCVT_S_LU), 0x8000008000000001ULL, 0, 0x5f000001 },
	{ I(FCVT_S_LU), 0x8000008000000000ULL, 0, 0x5f000000 }, { I(FCVT_S_LU), 0, 0, 0 },
};

#undef I

static void exec_integer_rows(struct kunit *test)
{
	u32 i, m;

	for (m = 0; m < ARRAY_SIZE(exec_masks); m++) {
		struct sgpu_warp *warp = exec_warp(test, exec_masks[m]);

		for (i = 0; i < ARRAY_SIZE(exec_ints); i++) {
			const struct exec_case *c = &exec_ints[i];
			struct sgpu_insn insn = { .op = c->op, .rd = RD, .rs1 = RS1, .rs2 = RS2,
						  .reads = BIT(RS1) | BIT(RS2), .writes = BIT(RD),
						  .imm = c->b };

			exec_fill(warp->x[RD], OLD);
			exec_fill(warp->x[RS1], c->a);
			exec_fill(warp->x[RS2], c->b);
			sgpu_fpu_begin();
			sgpu_exec_int(warp, &insn);
			sgpu_fpu_end();
			exec_check(test, warp, warp->x[RD], NULL, c->result, OLD,
				   sgpu_op_name(c->op));
		}
	}
}

static void exec_integer(struct kunit *test)
{
	sgpu_exec_use_wide(false);
	exec_integer_rows(test);
	sgpu_exec_use_wide(true);
	exec_integer_rows(test);
}

/* Other lanes of the same warp, one after the other: a mask is not that of the last time. */
static void exec_other_lanes(struct kunit *test)
{
	static const u32 masks[] = { PART, ~PART, SGPU_FULL, ~PART, 0x3ff, PART };
	struct sgpu_insn insn = { .op = SGPU_OP_ADDI, .rd = RD, .rs1 = RS1, .reads = BIT(RS1),
				  .writes = BIT(RD), .imm = 1 };
	struct sgpu_warp *warp = exec_warp(test, SGPU_FULL);
	u32 i;

	for (i = 0; i < 2 * ARRAY_SIZE(masks); i++) {
		sgpu_exec_use_wide(i & 1);
		warp->active = masks[i / 2];
		exec_fill(warp->x[RD], OLD);
		exec_fill(warp->x[RS1], i);
		sgpu_fpu_begin();
		sgpu_exec_int(warp, &insn);
		sgpu_fpu_end();
		exec_check(test, warp, warp->x[RD], NULL, i + 1, OLD, "addi");
	}
	sgpu_exec_use_wide(true);
}

/* The destination may be a source. */
static void exec_in_place(struct kunit *test)
{
	struct sgpu_insn insn = { .op = SGPU_OP_SUB, .rd = RS1, .rs1 = RS1, .rs2 = RS2,
				  .reads = BIT(RS1) | BIT(RS2) };
	struct sgpu_warp *warp = exec_warp(test, SGPU_FULL);

	exec_fill(warp->x[RS1], 10);
	exec_fill(warp->x[RS2], 3);
	sgpu_fpu_begin();
	sgpu_exec_int(warp, &insn);
	insn.rd = RS2;
	sgpu_exec_int(warp, &insn);
	sgpu_fpu_end();
	exec_check(test, warp, warp->x[RS1], NULL, 7, 0, "rd = rs1");
	exec_check(test, warp, warp->x[RS2], NULL, 4, 0, "rd = rs2");
}

static void exec_floating_rows(struct kunit *test)
{
	u32 i, m;

	for (m = 0; m < ARRAY_SIZE(exec_masks); m++) {
		struct sgpu_warp *warp = exec_warp(test, exec_masks[m]);

		for (i = 0; i < ARRAY_SIZE(exec_floats); i++) {
			const struct exec_float *c = &exec_floats[i];
			struct sgpu_insn insn = { .op = c->op, .rd = RD, .rs1 = RS1, .rs2 = RS2,
						  .rs3 = RS3, .fn = c->c };
			bool to_int = c->op >= SGPU_OP_FEQ;

			exec_fill(warp->x[RD], OLD);
			exec_fill32(warp->f[RD], lower_32_bits(OLD));
			exec_fill32(warp->f[RS1], c->a);
			exec_fill32(warp->f[RS2], c->b);
			exec_fill32(warp->f[RS3], c->c);
			sgpu_fpu_begin();
			sgpu_exec_float(warp, &insn);
			sgpu_fpu_end();
			exec_check(test, warp, to_int ? warp->x[RD] : NULL, warp->f[RD], c->result,
				   to_int ? OLD : lower_32_bits(OLD), sgpu_op_name(c->op));
		}
	}
}

static void exec_floating(struct kunit *test)
{
	sgpu_exec_use_wide(false);
	exec_floating_rows(test);
	sgpu_exec_use_wide(true);
	exec_floating_rows(test);
}

/* A float that makes trouble: few bits, near another's size, or anything. */
static u32 exec_odd_float(struct rnd_state *rnd, u32 near)
{
	u32 u = prandom_u32_state(rnd), how = prandom_u32_state(rnd) % 8;

	if (how < 3)	/* exponents whose products and sums meet */
		u = (u & 0x807fffff) | (100 + u % 50) << 23;
	if (how & 1)
		u &= 0xfffff000;
	if (how == 7)
		u = near ^ 0x80000000 ^ (u & 3);
	return u;
}

/* Each lane another number: the CPU's instruction and the emulation agree in all. */
static void exec_fused_agrees(struct kunit *test)
{
	static const u8 ops[] = { SGPU_OP_FMADD, SGPU_OP_FMSUB, SGPU_OP_FNMSUB, SGPU_OP_FNMADD };
	struct sgpu_warp *warp = exec_warp(test, SGPU_FULL);
	struct rnd_state rnd;
	u32 fused[SGPU_LANES], i, lane;

	if (!boot_cpu_has(X86_FEATURE_FMA) || !boot_cpu_has(X86_FEATURE_AVX2))
		kunit_skip(test, "this CPU has no AVX2 with FMA3");
	prandom_seed_state(&rnd, 1);
	for (i = 0; i < 4000; i++) {
		struct sgpu_insn insn = { .op = ops[i % 4], .rd = RD, .rs1 = RS1, .rs2 = RS2,
					  .rs3 = RS3 };

		for (lane = 0; lane < SGPU_LANES; lane++) {
			u32 a = exec_odd_float(&rnd, 0);

			warp->f[RS1][lane] = a;
			warp->f[RS2][lane] = i & 1 ? 0x3f800001 : exec_odd_float(&rnd, a);
			warp->f[RS3][lane] = exec_odd_float(&rnd, a);
		}
		sgpu_fpu_begin();
		sgpu_exec_float(warp, &insn);
		sgpu_fpu_end();
		memcpy(fused, warp->f[RD], sizeof(fused));
		sgpu_exec_use_wide(false);
		sgpu_fpu_begin();
		sgpu_exec_float(warp, &insn);
		sgpu_fpu_end();
		sgpu_exec_use_wide(true);
		for (lane = 0; lane < SGPU_LANES; lane++)
			KUNIT_ASSERT_EQ_MSG(test, warp->f[RD][lane], fused[lane],
					    "%s %#x %#x %#x", sgpu_op_name(insn.op),
					    warp->f[RS1][lane], warp->f[RS2][lane],
					    warp->f[RS3][lane]);
	}
}

static void exec_from_integer(struct kunit *test)
{
	struct sgpu_warp *warp = exec_warp(test, PART);
	u32 i;

	for (i = 0; i < ARRAY_SIZE(exec_from_ints); i++) {
		const struct exec_case *c = &exec_from_ints[i];
		struct sgpu_insn insn = { .op = c->op, .rd = RD, .rs1 = RS1 };

		exec_fill32(warp->f[RD], 1);
		exec_fill(warp->x[RS1], c->a);
		sgpu_fpu_begin();
		sgpu_exec_float(warp, &insn);
		sgpu_fpu_end();
		exec_check(test, warp, NULL, warp->f[RD], c->result, 1, sgpu_op_name(c->op));
	}
}

/* 2.5 */
static void exec_branch_masks(struct kunit *test)
{
	static const struct {
		enum sgpu_op op;
		u64 a, b;
		bool taken;
	} cases[] = {
		{ SGPU_OP_BEQ, 1, 1, true }, { SGPU_OP_BEQ, 1, 1ULL << 32 | 1, false },
		{ SGPU_OP_BNE, 1, 1, false }, { SGPU_OP_BNE, 0, MIN64, true },
		{ SGPU_OP_BLT, ONES, 0, true }, { SGPU_OP_BLT, 0, ONES, false },
		{ SGPU_OP_BLT, 3, 3, false }, { SGPU_OP_BGE, 3, 3, true },
		{ SGPU_OP_BGE, MIN64, MAX64, false }, { SGPU_OP_BLTU, ONES, 0, false },
		{ SGPU_OP_BLTU, 0, ONES, true }, { SGPU_OP_BGEU, MIN64, MAX64, true },
	};
	u32 i, m, mask;

	for (m = 0; m < ARRAY_SIZE(exec_masks); m++)
		for (i = 0; i < ARRAY_SIZE(cases); i++) {
			struct sgpu_warp *warp = exec_warp(test, exec_masks[m] | BIT(9));
			struct sgpu_insn insn = { .op = cases[i].op, .rs1 = RS1, .rs2 = RS2,
						  .reads = BIT(RS1) | BIT(RS2) };
			u32 rest = cases[i].taken * (warp->active & ~BIT(9));

			exec_fill(warp->x[RS1], cases[i].a);
			exec_fill(warp->x[RS2], cases[i].b);
			/* one lane that decides the other way, or the same */
			warp->x[RS1][9] = 77;
			warp->x[RS2][9] = 77;
			sgpu_fpu_begin();
			mask = sgpu_exec_condition(warp, &insn) & warp->active;
			sgpu_fpu_end();
			KUNIT_EXPECT_EQ_MSG(test, rest, mask & ~BIT(9), "%s of %#x",
					    sgpu_op_name(cases[i].op), warp->active);
			KUNIT_EXPECT_EQ(test, cases[i].op == SGPU_OP_BEQ ||
					cases[i].op == SGPU_OP_BGE || cases[i].op == SGPU_OP_BGEU,
					mask >> 9 & 1);
		}
}

static void exec_branches(struct kunit *test)
{
	sgpu_exec_use_wide(false);
	exec_branch_masks(test);
	sgpu_exec_use_wide(true);
	exec_branch_masks(test);
}

/* Against the definition, in integers: all products and sums are exact. */
static void exec_matrix(struct kunit *test)
{
	float *tile = kunit_kzalloc(test, 3 * 16 * 20 * sizeof(u32), GFP_KERNEL);
	static const u32 bits[8] = { 0, 0x3f800000, 0x40000000, 0x40400000, 0xbf800000, 0xc0000000,
				     0x40800000, 0x40a00000 };
	static const int values[8] = { 0, 1, 2, 3, -1, -2, 4, 5 };
	struct sgpu_mma_scratch *scratch = kunit_kzalloc(test, sizeof(*scratch), GFP_KERNEL);
	u32 *word = (u32 *)tile;
	u32 i, j, k;

	KUNIT_ASSERT_NOT_NULL(test, tile);
	KUNIT_ASSERT_NOT_NULL(test, scratch);
	for (i = 0; i < 16; i++)
		for (j = 0; j < 16; j++) {
			word[320 + i * 20 + j] = bits[(i * 3 + j) % 8];
			word[640 + i * 18 + j] = bits[(i + j * 5) % 8];
			word[i * 16 + j] = 0x42c80000;		/* 100 */
		}
	sgpu_fpu_begin();
	sgpu_exec_mma(scratch, tile, 16, tile + 320, 20, tile + 640, 18);
	sgpu_fpu_end();
	for (i = 0; i < 16; i++)
		for (j = 0; j < 16; j++) {
			struct sgpu_insn insn = { .op = SGPU_OP_FCVT_W_S, .rd = RD, .rs1 = RS1 };
			struct sgpu_warp *warp;
			s64 sum = 100;

			for (k = 0; k < 16; k++)
				sum += values[(i * 3 + k) % 8] * values[(k + j * 5) % 8];
			warp = kunit_kzalloc(test, sizeof(*warp), GFP_KERNEL);
			KUNIT_ASSERT_NOT_NULL(test, warp);
			sgpu_simt_start(warp, 1, 0);
			warp->f[RS1][0] = word[i * 16 + j];
			sgpu_fpu_begin();
			sgpu_exec_float(warp, &insn);
			sgpu_fpu_end();
			KUNIT_EXPECT_EQ(test, sum, (s64)warp->x[RD][0]);
			kunit_kfree(test, warp);
		}
}

/* What a tile is made of: whole numbers, and one in @odd of what is none. */
static u32 exec_tile_word(struct rnd_state *rnd, unsigned int odd)
{
	static const u32 special[] = {
		0x80000000, 0x7f800000, 0xff800000, 0x7fc00000, 0x7f812345, 1, 0x80000001,
		0x3f800001, 0x3f000000,		/* 1 and a bit, 0.5 */
		0x43ff8000, 0xc3ff8000,		/* 511, the largest factor, and -511 */
		0x44000000,			/* 512 */
		0x4afffffe, 0xcafffffe,		/* the largest sums */
		0x4b000000, 0x4b800001, 0x7f7fffff,
	};
	/* 0 and 1 ... 127, exactly, of either sign */
	static const u32 whole[] = { 0, 0x3f800000, 0x40000000, 0x40e00000, 0x42fe0000 };
	u32 word = whole[prandom_u32_state(rnd) % ARRAY_SIZE(whole)];

	if (odd && prandom_u32_state(rnd) % odd == 0)
		return special[prandom_u32_state(rnd) % ARRAY_SIZE(special)];
	return word && prandom_u32_state(rnd) & 1 ? word | 0x80000000 : word;
}

/* Whole numbers, and what is none in some rows: the same bits with and without integers. */
static void exec_matrix_agrees(struct kunit *test)
{
	struct sgpu_mma_scratch *scratch = kunit_kzalloc(test, sizeof(*scratch), GFP_KERNEL);
	u32 *word = kunit_kzalloc(test, 4 * 320 * sizeof(u32), GFP_KERNEL);
	struct rnd_state rnd;
	u32 i, round;

	KUNIT_ASSERT_NOT_NULL(test, scratch);
	KUNIT_ASSERT_NOT_NULL(test, word);
	prandom_seed_state(&rnd, 2);
	for (round = 0; round < 400; round++) {
		/* in the last ones D lies over B */
		float *d = (float *)word, *b = (float *)word + (round < 300 ? 640 : 5);
		float *again = (float *)word + 960;

		for (i = 0; i < 960; i++)
			word[i] = exec_tile_word(&rnd, round % 4 ? 100 * (round % 4) : 0);
		memcpy(again, word, 320 * sizeof(u32));
		sgpu_fpu_begin();
		sgpu_exec_mma(scratch, d, 16, d + 320, 20, b, 18);
		sgpu_fpu_end();
		for (i = 0; i < 320; i++)	/* results here, the tile as it was there */
			swap(word[i], word[960 + i]);
		sgpu_fpu_begin();
		sgpu_exec_mma_float(d, 16, d + 320, 20, b, 18);
		sgpu_fpu_end();
		KUNIT_ASSERT_MEMEQ_MSG(test, word, word + 960, 320 * sizeof(u32), "round %u",
				       round);
	}
}

static struct kunit_case exec_suite_cases[] = {
	KUNIT_CASE(exec_integer),
	KUNIT_CASE(exec_in_place),
	KUNIT_CASE(exec_other_lanes),
	KUNIT_CASE(exec_floating),
	KUNIT_CASE(exec_fused_agrees),
	KUNIT_CASE(exec_from_integer),
	KUNIT_CASE(exec_branches),
	KUNIT_CASE(exec_matrix),
	KUNIT_CASE(exec_matrix_agrees),
	{}
};

struct kunit_suite softgpu_exec_suite = {
	.name = "softgpu_exec",
	.test_cases = exec_suite_cases,
};
