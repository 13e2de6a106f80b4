// SPDX-License-Identifier: GPL-2.0
/*
 * softgpu instruction decoder: double precision.  Words come from an assembler; the rules are
 * those of the RISC-V unprivileged ISA manual, 20191213, chapter 12.
 */
#include <kunit/test.h>
#include "softgpu/isa/decode.h"
#include "softgpu/isa/isa.h"

/**
 * struct double_word - a word and what it means
 * @name: assembly
 * @word: encoding
 * @op: operation
 * @need: scoreboard mask
 * @insn: fields
 */
struct double_word {
	const char *name;
	u32 word;
	enum sgpu_op op;
	u64 need;
	struct sgpu_insn insn;
};

static const struct double_word double_words[] = {
	{ "fld f9, 8(x8)", 0x00843487, SGPU_OP_FLOAD, 0x20000000100,
	  { .rd = 9, .rs1 = 8, .imm = 8, .size = 3, .fn = 1 } },
	{ "fsd f0, -8(x8)", 0xfe043c27, SGPU_OP_FSTORE, 0x100000100,
	  { .rs1 = 8, .imm = -8, .size = 3, .fn = 1 } },
	{ "fadd.d f1, f2, f3", 0x023170d3, SGPU_OP_FADD_D, 0xe00000000,
	  { .rd = 1, .rs1 = 2, .rs2 = 3 } },
	{ "fadd.d f1, f2, f3, rne", 0x023100d3, SGPU_OP_FADD_D, 0xe00000000,
	  { .rd = 1, .rs1 = 2, .rs2 = 3 } },
	{ "fsub.d f1, f2, f3", 0x0a3170d3, SGPU_OP_FSUB_D, 0xe00000000,
	  { .rd = 1, .rs1 = 2, .rs2 = 3 } },
	{ "fsub.d f1, f2, f3, rne", 0x0a3100d3, SGPU_OP_FSUB_D, 0xe00000000,
	  { .rd = 1, .rs1 = 2, .rs2 = 3 } },
	{ "fmul.d f1, f2, f3", 0x123170d3, SGPU_OP_FMUL_D, 0xe00000000,
	  { .rd = 1, .rs1 = 2, .rs2 = 3 } },
	{ "fmul.d f1, f2, f3, rne", 0x123100d3, SGPU_OP_FMUL_D, 0xe00000000,
	  { .rd = 1, .rs1 = 2, .rs2 = 3 } },
	{ "fdiv.d f1, f2, f3", 0x1a3170d3, SGPU_OP_FDIV_D, 0xe00000000,
	  { .rd = 1, .rs1 = 2, .rs2 = 3 } },
	{ "fdiv.d f1, f2, f3, rne", 0x1a3100d3, SGPU_OP_FDIV_D, 0xe00000000,
	  { .rd = 1, .rs1 = 2, .rs2 = 3 } },
	{ "fsqrt.d f1, f2", 0x5a0170d3, SGPU_OP_FSQRT_D, 0x600000000,
	  { .rd = 1, .rs1 = 2 } },
	{ "fmadd.d f1, f2, f3, f31", 0xfa3170c3, SGPU_OP_FMADD_D, 0x8000000e00000000,
	  { .rd = 1, .rs1 = 2, .rs2 = 3, .rs3 = 31 } },
	{ "fmsub.d f1, f2, f3, f31", 0xfa3170c7, SGPU_OP_FMSUB_D, 0x8000000e00000000,
	  { .rd = 1, .rs1 = 2, .rs2 = 3, .rs3 = 31 } },
	{ "fnmsub.d f1, f2, f3, f31", 0xfa3170cb, SGPU_OP_FNMSUB_D, 0x8000000e00000000,
	  { .rd = 1, .rs1 = 2, .rs2 = 3, .rs3 = 31 } },
	{ "fnmadd.d f1, f2, f3, f31", 0xfa3170cf, SGPU_OP_FNMADD_D, 0x8000000e00000000,
	  { .rd = 1, .rs1 = 2, .rs2 = 3, .rs3 = 31 } },
	{ "fsgnj.d f1, f2, f3", 0x223100d3, SGPU_OP_FSGNJ_D, 0xe00000000,
	  { .rd = 1, .rs1 = 2, .rs2 = 3 } },
	{ "fsgnjn.d f1, f2, f3", 0x223110d3, SGPU_OP_FSGNJN_D, 0xe00000000,
	  { .rd = 1, .rs1 = 2, .rs2 = 3 } },
	{ "fsgnjx.d f1, f2, f3", 0x223120d3, SGPU_OP_FSGNJX_D, 0xe00000000,
	  { .rd = 1, .rs1 = 2, .rs2 = 3 } },
	{ "fmin.d f1, f2, f3", 0x2a3100d3, SGPU_OP_FMIN_D, 0xe00000000,
	  { .rd = 1, .rs1 = 2, .rs2 = 3 } },
	{ "fmax.d f1, f2, f3", 0x2a3110d3, SGPU_OP_FMAX_D, 0xe00000000,
	  { .rd = 1, .rs1 = 2, .rs2 = 3 } },
	{ "feq.d x1, f2, f3", 0xa23120d3, SGPU_OP_FEQ_D, 0xc00000002,
	  { .rd = 1, .rs1 = 2, .rs2 = 3 } },
	{ "flt.d x1, f2, f3", 0xa23110d3, SGPU_OP_FLT_D, 0xc00000002,
	  { .rd = 1, .rs1 = 2, .rs2 = 3 } },
	{ "fle.d x1, f2, f3", 0xa23100d3, SGPU_OP_FLE_D, 0xc00000002,
	  { .rd = 1, .rs1 = 2, .rs2 = 3 } },
	{ "feq.d x0, f2, f3", 0xa2312053, SGPU_OP_NOP, 0x0,
	  { 0 } },
	{ "fclass.d x1, f2", 0xe20110d3, SGPU_OP_FCLASS_D, 0x400000002,
	  { .rd = 1, .rs1 = 2 } },
	{ "fmv.x.d x1, f2", 0xe20100d3, SGPU_OP_FMV_X_D, 0x400000002,
	  { .rd = 1, .rs1 = 2 } },
	{ "fmv.d.x f1, x2", 0xf20100d3, SGPU_OP_FMV_D_X, 0x200000004,
	  { .rd = 1, .rs1 = 2 } },
	{ "fcvt.w.d x1, f2, rtz", 0xc20110d3, SGPU_OP_FCVT_W_D, 0x400000002,
	  { .rd = 1, .rs1 = 2, .fn = 1 } },
	{ "fcvt.w.d x1, f2, dyn", 0xc20170d3, SGPU_OP_FCVT_W_D, 0x400000002,
	  { .rd = 1, .rs1 = 2 } },
	{ "fcvt.w.d x1, f2, rne", 0xc20100d3, SGPU_OP_FCVT_W_D, 0x400000002,
	  { .rd = 1, .rs1 = 2 } },
	{ "fcvt.w.d x1, f2, rdn", 0xc20120d3, SGPU_OP_FCVT_W_D, 0x400000002,
	  { .rd = 1, .rs1 = 2, .fn = 2 } },
	{ "fcvt.w.d x1, f2, rup", 0xc20130d3, SGPU_OP_FCVT_W_D, 0x400000002,
	  { .rd = 1, .rs1 = 2, .fn = 3 } },
	{ "fcvt.w.d x1, f2, rmm", 0xc20140d3, SGPU_OP_FCVT_W_D, 0x400000002,
	  { .rd = 1, .rs1 = 2, .fn = 4 } },
	{ "fcvt.d.w f1, x2", 0xd20100d3, SGPU_OP_FCVT_D_W, 0x200000004,
	  { .rd = 1, .rs1 = 2 } },
	{ "fcvt.wu.d x1, f2, rtz", 0xc21110d3, SGPU_OP_FCVT_WU_D, 0x400000002,
	  { .rd = 1, .rs1 = 2, .rs2 = 1, .fn = 1 } },
	{ "fcvt.wu.d x1, f2, dyn", 0xc21170d3, SGPU_OP_FCVT_WU_D, 0x400000002,
	  { .rd = 1, .rs1 = 2, .rs2 = 1 } },
	{ "fcvt.wu.d x1, f2, rne", 0xc21100d3, SGPU_OP_FCVT_WU_D, 0x400000002,
	  { .rd = 1, .rs1 = 2, .rs2 = 1 } },
	{ "fcvt.wu.d x1, f2, rdn", 0xc21120d3, SGPU_OP_FCVT_WU_D, 0x400000002,
	  { .rd = 1, .rs1 = 2, .rs2 = 1, .fn = 2 } },
	{ "fcvt.wu.d x1, f2, rup", 0xc21130d3, SGPU_OP_FCVT_WU_D, 0x400000002,
	  { .rd = 1, .rs1 = 2, .rs2 = 1, .fn = 3 } },
	{ "fcvt.wu.d x1, f2, rmm", 0xc21140d3, SGPU_OP_FCVT_WU_D, 0x400000002,
	  { .rd = 1, .rs1 = 2, .rs2 = 1, .fn = 4 } },
	{ "fcvt.d.wu f1, x2", 0xd21100d3, SGPU_OP_FCVT_D_WU, 0x200000004,
	  { .rd = 1, .rs1 = 2, .rs2 = 1 } },
	{ "fcvt.l.d x1, f2, rtz", 0xc22110d3, SGPU_OP_FCVT_L_D, 0x400000002,
	  { .rd = 1, .rs1 = 2, .rs2 = 2, .fn = 1 } },
	{ "fcvt.l.d x1, f2, dyn", 0xc22170d3, SGPU_OP_FCVT_L_D, 0x400000002,
	  { .rd = 1, .rs1 = 2, .rs2 = 2 } },
	{ "fcvt.l.d x1, f2, rne", 0xc22100d3, SGPU_OP_FCVT_L_D, 0x400000002,
	  { .rd = 1, .rs1 = 2, .rs2 = 2 } },
	{ "fcvt.l.d x1, f2, rdn", 0xc22120d3, SGPU_OP_FCVT_L_D, 0x400000002,
	  { .rd = 1, .rs1 = 2, .rs2 = 2, .fn = 2 } },
	{ "fcvt.l.d x1, f2, rup", 0xc22130d3, SGPU_OP_FCVT_L_D, 0x400000002,
	  { .rd = 1, .rs1 = 2, .rs2 = 2, .fn = 3 } },
	{ "fcvt.l.d x1, f2, rmm", 0xc22140d3, SGPU_OP_FCVT_L_D, 0x400000002,
	  { .rd = 1, .rs1 = 2, .rs2 = 2, .fn = 4 } },
	{ "fcvt.d.l f1, x2", 0xd22170d3, SGPU_OP_FCVT_D_L, 0x200000004,
	  { .rd = 1, .rs1 = 2, .rs2 = 2 } },
	{ "fcvt.lu.d x1, f2, rtz", 0xc23110d3, SGPU_OP_FCVT_LU_D, 0x400000002,
	  { .rd = 1, .rs1 = 2, .rs2 = 3, .fn = 1 } },
	{ "fcvt.lu.d x1, f2, dyn", 0xc23170d3, SGPU_OP_FCVT_LU_D, 0x400000002,
	  { .rd = 1, .rs1 = 2, .rs2 = 3 } },
	{ "fcvt.lu.d x1, f2, rne", 0xc23100d3, SGPU_OP_FCVT_LU_D, 0x400000002,
	  { .rd = 1, .rs1 = 2, .rs2 = 3 } },
	{ "fcvt.lu.d x1, f2, rdn", 0xc23120d3, SGPU_OP_FCVT_LU_D, 0x400000002,
	  { .rd = 1, .rs1 = 2, .rs2 = 3, .fn = 2 } },
	{ "fcvt.lu.d x1, f2, rup", 0xc23130d3, SGPU_OP_FCVT_LU_D, 0x400000002,
	  { .rd = 1, .rs1 = 2, .rs2 = 3, .fn = 3 } },
	{ "fcvt.lu.d x1, f2, rmm", 0xc23140d3, SGPU_OP_FCVT_LU_D, 0x400000002,
	  { .rd = 1, .rs1 = 2, .rs2 = 3, .fn = 4 } },
	{ "fcvt.d.lu f1, x2", 0xd23170d3, SGPU_OP_FCVT_D_LU, 0x200000004,
	  { .rd = 1, .rs1 = 2, .rs2 = 3 } },
	{ "fcvt.d.w f1, x2, rtz", 0xd20110d3, SGPU_OP_FCVT_D_W, 0x200000004,
	  { .rd = 1, .rs1 = 2 } },
	{ "fcvt.d.wu f1, x2, rmm", 0xd21140d3, SGPU_OP_FCVT_D_WU, 0x200000004,
	  { .rd = 1, .rs1 = 2, .rs2 = 1 } },
	{ "fcvt.s.d f1, f2", 0x401170d3, SGPU_OP_FCVT_S_D, 0x600000000,
	  { .rd = 1, .rs1 = 2, .rs2 = 1 } },
	{ "fcvt.d.s f1, f2", 0x420100d3, SGPU_OP_FCVT_D_S, 0x600000000,
	  { .rd = 1, .rs1 = 2 } },
	{ "fcvt.d.s f1, f2, rup", 0x420130d3, SGPU_OP_FCVT_D_S, 0x600000000,
	  { .rd = 1, .rs1 = 2 } },
};

static void double_desc(const struct double_word *c, char *desc)
{
	snprintf(desc, KUNIT_PARAM_DESC_SIZE, "%s (%#x)", c->name, c->word);
}

KUNIT_ARRAY_PARAM(double_word, double_words, double_desc);

static void decode_double_word(struct kunit *test)
{
	const struct double_word *c = test->param_value;
	struct sgpu_insn insn;

	KUNIT_ASSERT_EQ(test, 0, sgpu_decode(c->word, 0, 0, 1, &insn));
	KUNIT_EXPECT_STREQ(test, sgpu_op_name(c->op), sgpu_op_name(insn.op));
	KUNIT_EXPECT_EQ(test, c->need, insn.need);
	KUNIT_EXPECT_EQ(test, c->insn.rs3, insn.rs3);
	KUNIT_EXPECT_EQ(test, c->insn.imm, insn.imm);
	KUNIT_EXPECT_EQ(test, c->insn.size, insn.size);
	KUNIT_EXPECT_EQ(test, c->insn.fn, insn.fn);
	KUNIT_EXPECT_EQ(test, c->op != SGPU_OP_NOP, sgpu_insn_is_double(&insn));
	if (c->op == SGPU_OP_NOP)
		return;
	KUNIT_EXPECT_EQ(test, c->insn.rd, insn.rd);
	KUNIT_EXPECT_EQ(test, c->insn.rs1, insn.rs1);
	KUNIT_EXPECT_TRUE(test, insn.class == SGPU_CLASS_DOUBLE || insn.class == SGPU_CLASS_WIDE ||
			  insn.class == SGPU_CLASS_MEM);
}

/* What computes takes the unit for double precision; what moves bits or looks at them does not. */
static void decode_double_unit(struct kunit *test)
{
	static const u32 moves[] = {
		0x223100d3 /* fsgnj.d */, 0x223110d3 /* fsgnjn.d */, 0x223120d3 /* fsgnjx.d */,
		0xe20110d3 /* fclass.d */, 0xe20100d3 /* fmv.x.d */, 0xf20100d3 /* fmv.d.x */,
	};
	static const u32 computes[] = {
		0x023170d3 /* fadd.d */, 0x5a0170d3 /* fsqrt.d */, 0xfa3170cf /* fnmadd.d */,
		0x2a3100d3 /* fmin.d */, 0xa23120d3 /* feq.d */, 0xc20170d3 /* fcvt.w.d */,
		0xd2017053 /* fcvt.d.w */, 0x401170d3 /* fcvt.s.d */, 0x420100d3 /* fcvt.d.s */,
	};
	struct sgpu_insn insn;
	u32 i;

	for (i = 0; i < ARRAY_SIZE(moves); i++) {
		KUNIT_ASSERT_EQ(test, 0, sgpu_decode(moves[i], 0, 0, 1, &insn));
		KUNIT_EXPECT_EQ_MSG(test, SGPU_CLASS_WIDE, insn.class, "%#x", moves[i]);
	}
	for (i = 0; i < ARRAY_SIZE(computes); i++) {
		KUNIT_ASSERT_EQ(test, 0, sgpu_decode(computes[i], 0, 0, 1, &insn));
		KUNIT_EXPECT_EQ_MSG(test, SGPU_CLASS_DOUBLE, insn.class, "%#x", computes[i]);
	}
}

/* Single precision decodes to neither. */
static void decode_single_word(struct kunit *test)
{
	static const u32 words[] = {
		0x00842487 /* flw */, 0xfe042e27 /* fsw */, 0x003170d3 /* fadd.s */,
		0xd03170d3 /* fcvt.s.lu */, 0xf83170cf /* fnmadd.s */, 0x00843483 /* ld */,
	};
	struct sgpu_insn insn;
	u32 i;

	for (i = 0; i < ARRAY_SIZE(words); i++) {
		KUNIT_ASSERT_EQ(test, 0, sgpu_decode(words[i], 0, 0, 1, &insn));
		KUNIT_EXPECT_FALSE_MSG(test, sgpu_insn_is_double(&insn), "%#x", words[i]);
		KUNIT_EXPECT_NE(test, SGPU_CLASS_DOUBLE, insn.class);
		KUNIT_EXPECT_NE(test, SGPU_CLASS_WIDE, insn.class);
	}
}

static struct kunit_case decode_double_cases[] = {
	KUNIT_CASE_PARAM(decode_double_word, double_word_gen_params),
	KUNIT_CASE(decode_double_unit),
	KUNIT_CASE(decode_single_word),
	{}
};

struct kunit_suite softgpu_decode_double_suite = {
	.name = "softgpu_decode_double",
	.test_cases = decode_double_cases,
};
