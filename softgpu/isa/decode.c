// SPDX-License-Identifier: GPL-2.0
/*
 * Instruction decoder: RV64IMAFD, unprivileged ISA manual 20191213.  Every
 * reserved encoding is refused here, so that the interpreter has no default
 * cases and a program cannot depend on what they would do.
 */
#include <kunit/visibility.h>
#include <linux/bits.h>
#include <linux/bitops.h>
#include <linux/bitfield.h>
#include <linux/errno.h>
#include <linux/export.h>
#include <linux/string.h>
#include "isa/decode.h"
#include "isa/isa.h"

#define WORD_OPCODE	GENMASK(6, 0)
#define WORD_RD		GENMASK(11, 7)
#define WORD_FUNCT3	GENMASK(14, 12)
#define WORD_RS1	GENMASK(19, 15)
#define WORD_RS2	GENMASK(24, 20)
#define WORD_FUNCT7	GENMASK(31, 25)
#define WORD_FMT	GENMASK(26, 25)
#define WORD_RS3	GENMASK(31, 27)
#define WORD_SHAMT6	GENMASK(25, 20)
#define WORD_FUNCT6	GENMASK(31, 26)
#define WORD_RL_AQ	GENMASK(26, 25)
#define WORD_FUNCT5	GENMASK(31, 27)

#define WORD_ECALL	0x00000073
#define WORD_EBREAK	0x00100073
#define WORD_UNIMP	0xc0001073	/* what assemblers emit for unimp */

#define OPCODE_LOAD	0x03
#define OPCODE_FLOAD	0x07
#define OPCODE_FENCE	0x0f
#define OPCODE_IMM	0x13
#define OPCODE_AUIPC	0x17
#define OPCODE_IMM32	0x1b
#define OPCODE_STORE	0x23
#define OPCODE_FSTORE	0x27
#define OPCODE_CUDA_AMO	0x2b		/* custom-1, as an AMO with other functions */
#define OPCODE_AMO	0x2f
#define OPCODE_REG	0x33
#define OPCODE_LUI	0x37
#define OPCODE_REG32	0x3b
#define OPCODE_FMADD	0x43
#define OPCODE_FMSUB	0x47
#define OPCODE_FNMSUB	0x4b
#define OPCODE_FNMADD	0x4f
#define OPCODE_FP	0x53
#define OPCODE_BRANCH	0x63
#define OPCODE_JALR	0x67
#define OPCODE_JAL	0x6f

#define RM_DYN		7
#define BAD		0xff		/* marks reserved entries of the tables below */

/* Registers an operation waits for; x0 never is. */
#define NEED_RD		BIT(0)
#define NEED_RS1	BIT(1)
#define NEED_RS2	BIT(2)
#define NEED_FD		BIT(3)
#define NEED_FS1	BIT(4)
#define NEED_FS2	BIT(5)
#define NEED_FS3	BIT(6)
#define NEED_RESERVATION BIT(7)

static const struct {
	u8 class;
	const char *name;
} decode_ops[SGPU_OP_COUNT] = {
	[SGPU_OP_NOP] = { SGPU_CLASS_INT, "nop" },
	[SGPU_OP_LI] = { SGPU_CLASS_INT, "li" },
	[SGPU_OP_ADDI] = { SGPU_CLASS_INT, "addi" },
	[SGPU_OP_SLTI] = { SGPU_CLASS_INT, "slti" },
	[SGPU_OP_SLTIU] = { SGPU_CLASS_INT, "sltiu" },
	[SGPU_OP_XORI] = { SGPU_CLASS_INT, "xori" },
	[SGPU_OP_ORI] = { SGPU_CLASS_INT, "ori" },
	[SGPU_OP_ANDI] = { SGPU_CLASS_INT, "andi" },
	[SGPU_OP_SLLI] = { SGPU_CLASS_INT, "slli" },
	[SGPU_OP_SRLI] = { SGPU_CLASS_INT, "srli" },
	[SGPU_OP_SRAI] = { SGPU_CLASS_INT, "srai" },
	[SGPU_OP_ADDIW] = { SGPU_CLASS_INT, "addiw" },
	[SGPU_OP_SLLIW] = { SGPU_CLASS_INT, "slliw" },
	[SGPU_OP_SRLIW] = { SGPU_CLASS_INT, "srliw" },
	[SGPU_OP_SRAIW] = { SGPU_CLASS_INT, "sraiw" },
	[SGPU_OP_ADD] = { SGPU_CLASS_INT, "add" },
	[SGPU_OP_SUB] = { SGPU_CLASS_INT, "sub" },
	[SGPU_OP_SLL] = { SGPU_CLASS_INT, "sll" },
	[SGPU_OP_SLT] = { SGPU_CLASS_INT, "slt" },
	[SGPU_OP_SLTU] = { SGPU_CLASS_INT, "sltu" },
	[SGPU_OP_XOR] = { SGPU_CLASS_INT, "xor" },
	[SGPU_OP_SRL] = { SGPU_CLASS_INT, "srl" },
	[SGPU_OP_SRA] = { SGPU_CLASS_INT, "sra" },
	[SGPU_OP_OR] = { SGPU_CLASS_INT, "or" },
	[SGPU_OP_AND] = { SGPU_CLASS_INT, "and" },
	[SGPU_OP_ADDW] = { SGPU_CLASS_INT, "addw" },
	[SGPU_OP_SUBW] = { SGPU_CLASS_INT, "subw" },
	[SGPU_OP_SLLW] = { SGPU_CLASS_INT, "sllw" },
	[SGPU_OP_SRLW] = { SGPU_CLASS_INT, "srlw" },
	[SGPU_OP_SRAW] = { SGPU_CLASS_INT, "sraw" },
	[SGPU_OP_MUL] = { SGPU_CLASS_INT, "mul" },
	[SGPU_OP_MULH] = { SGPU_CLASS_INT, "mulh" },
	[SGPU_OP_MULHSU] = { SGPU_CLASS_INT, "mulhsu" },
	[SGPU_OP_MULHU] = { SGPU_CLASS_INT, "mulhu" },
	[SGPU_OP_DIV] = { SGPU_CLASS_INT, "div" },
	[SGPU_OP_DIVU] = { SGPU_CLASS_INT, "divu" },
	[SGPU_OP_REM] = { SGPU_CLASS_INT, "rem" },
	[SGPU_OP_REMU] = { SGPU_CLASS_INT, "remu" },
	[SGPU_OP_MULW] = { SGPU_CLASS_INT, "mulw" },
	[SGPU_OP_DIVW] = { SGPU_CLASS_INT, "divw" },
	[SGPU_OP_DIVUW] = { SGPU_CLASS_INT, "divuw" },
	[SGPU_OP_REMW] = { SGPU_CLASS_INT, "remw" },
	[SGPU_OP_REMUW] = { SGPU_CLASS_INT, "remuw" },
	[SGPU_OP_BEQ] = { SGPU_CLASS_BRANCH, "beq" },
	[SGPU_OP_BNE] = { SGPU_CLASS_BRANCH, "bne" },
	[SGPU_OP_BLT] = { SGPU_CLASS_BRANCH, "blt" },
	[SGPU_OP_BGE] = { SGPU_CLASS_BRANCH, "bge" },
	[SGPU_OP_BLTU] = { SGPU_CLASS_BRANCH, "bltu" },
	[SGPU_OP_BGEU] = { SGPU_CLASS_BRANCH, "bgeu" },
	[SGPU_OP_JAL] = { SGPU_CLASS_JAL, "jal" },
	[SGPU_OP_JALR] = { SGPU_CLASS_JALR, "jalr" },
	[SGPU_OP_LOAD] = { SGPU_CLASS_MEM, "load" },
	[SGPU_OP_STORE] = { SGPU_CLASS_MEM, "store" },
	[SGPU_OP_FLOAD] = { SGPU_CLASS_MEM, "flw" },
	[SGPU_OP_FSTORE] = { SGPU_CLASS_MEM, "fsw" },
	[SGPU_OP_AMO] = { SGPU_CLASS_MEM, "amo" },
	[SGPU_OP_LR] = { SGPU_CLASS_MEM, "lr" },
	[SGPU_OP_SC] = { SGPU_CLASS_MEM, "sc" },
	[SGPU_OP_FENCE] = { SGPU_CLASS_FENCE, "fence" },
	[SGPU_OP_ECALL] = { SGPU_CLASS_ECALL, "ecall" },
	[SGPU_OP_TRAP] = { SGPU_CLASS_TRAP, "ebreak" },
	[SGPU_OP_FADD] = { SGPU_CLASS_FLOAT, "fadd.s" },
	[SGPU_OP_FSUB] = { SGPU_CLASS_FLOAT, "fsub.s" },
	[SGPU_OP_FMUL] = { SGPU_CLASS_FLOAT, "fmul.s" },
	[SGPU_OP_FDIV] = { SGPU_CLASS_FLOAT, "fdiv.s" },
	[SGPU_OP_FSQRT] = { SGPU_CLASS_FLOAT, "fsqrt.s" },
	[SGPU_OP_FMADD] = { SGPU_CLASS_FLOAT, "fmadd.s" },
	[SGPU_OP_FMSUB] = { SGPU_CLASS_FLOAT, "fmsub.s" },
	[SGPU_OP_FNMSUB] = { SGPU_CLASS_FLOAT, "fnmsub.s" },
	[SGPU_OP_FNMADD] = { SGPU_CLASS_FLOAT, "fnmadd.s" },
	[SGPU_OP_FSGNJ] = { SGPU_CLASS_FLOAT, "fsgnj.s" },
	[SGPU_OP_FSGNJN] = { SGPU_CLASS_FLOAT, "fsgnjn.s" },
	[SGPU_OP_FSGNJX] = { SGPU_CLASS_FLOAT, "fsgnjx.s" },
	[SGPU_OP_FMIN] = { SGPU_CLASS_FLOAT, "fmin.s" },
	[SGPU_OP_FMAX] = { SGPU_CLASS_FLOAT, "fmax.s" },
	[SGPU_OP_FEQ] = { SGPU_CLASS_FLOAT, "feq.s" },
	[SGPU_OP_FLT] = { SGPU_CLASS_FLOAT, "flt.s" },
	[SGPU_OP_FLE] = { SGPU_CLASS_FLOAT, "fle.s" },
	[SGPU_OP_FCLASS] = { SGPU_CLASS_FLOAT, "fclass.s" },
	[SGPU_OP_FMV_X_W] = { SGPU_CLASS_FLOAT, "fmv.x.w" },
	[SGPU_OP_FMV_W_X] = { SGPU_CLASS_FLOAT, "fmv.w.x" },
	[SGPU_OP_FCVT_W_S] = { SGPU_CLASS_FLOAT, "fcvt.w.s" },
	[SGPU_OP_FCVT_WU_S] = { SGPU_CLASS_FLOAT, "fcvt.wu.s" },
	[SGPU_OP_FCVT_L_S] = { SGPU_CLASS_FLOAT, "fcvt.l.s" },
	[SGPU_OP_FCVT_LU_S] = { SGPU_CLASS_FLOAT, "fcvt.lu.s" },
	[SGPU_OP_FCVT_S_W] = { SGPU_CLASS_FLOAT, "fcvt.s.w" },
	[SGPU_OP_FCVT_S_WU] = { SGPU_CLASS_FLOAT, "fcvt.s.wu" },
	[SGPU_OP_FCVT_S_L] = { SGPU_CLASS_FLOAT, "fcvt.s.l" },
	[SGPU_OP_FCVT_S_LU] = { SGPU_CLASS_FLOAT, "fcvt.s.lu" },
	[SGPU_OP_FADD_D] = { SGPU_CLASS_DOUBLE, "fadd.d" },
	[SGPU_OP_FSUB_D] = { SGPU_CLASS_DOUBLE, "fsub.d" },
	[SGPU_OP_FMUL_D] = { SGPU_CLASS_DOUBLE, "fmul.d" },
	[SGPU_OP_FDIV_D] = { SGPU_CLASS_DOUBLE, "fdiv.d" },
	[SGPU_OP_FSQRT_D] = { SGPU_CLASS_DOUBLE, "fsqrt.d" },
	[SGPU_OP_FMADD_D] = { SGPU_CLASS_DOUBLE, "fmadd.d" },
	[SGPU_OP_FMSUB_D] = { SGPU_CLASS_DOUBLE, "fmsub.d" },
	[SGPU_OP_FNMSUB_D] = { SGPU_CLASS_DOUBLE, "fnmsub.d" },
	[SGPU_OP_FNMADD_D] = { SGPU_CLASS_DOUBLE, "fnmadd.d" },
	[SGPU_OP_FSGNJ_D] = { SGPU_CLASS_WIDE, "fsgnj.d" },
	[SGPU_OP_FSGNJN_D] = { SGPU_CLASS_WIDE, "fsgnjn.d" },
	[SGPU_OP_FSGNJX_D] = { SGPU_CLASS_WIDE, "fsgnjx.d" },
	[SGPU_OP_FMIN_D] = { SGPU_CLASS_DOUBLE, "fmin.d" },
	[SGPU_OP_FMAX_D] = { SGPU_CLASS_DOUBLE, "fmax.d" },
	[SGPU_OP_FEQ_D] = { SGPU_CLASS_DOUBLE, "feq.d" },
	[SGPU_OP_FLT_D] = { SGPU_CLASS_DOUBLE, "flt.d" },
	[SGPU_OP_FLE_D] = { SGPU_CLASS_DOUBLE, "fle.d" },
	[SGPU_OP_FCLASS_D] = { SGPU_CLASS_WIDE, "fclass.d" },
	[SGPU_OP_FMV_X_D] = { SGPU_CLASS_WIDE, "fmv.x.d" },
	[SGPU_OP_FMV_D_X] = { SGPU_CLASS_WIDE, "fmv.d.x" },
	[SGPU_OP_FCVT_W_D] = { SGPU_CLASS_DOUBLE, "fcvt.w.d" },
	[SGPU_OP_FCVT_WU_D] = { SGPU_CLASS_DOUBLE, "fcvt.wu.d" },
	[SGPU_OP_FCVT_L_D] = { SGPU_CLASS_DOUBLE, "fcvt.l.d" },
	[SGPU_OP_FCVT_LU_D] = { SGPU_CLASS_DOUBLE, "fcvt.lu.d" },
	[SGPU_OP_FCVT_D_W] = { SGPU_CLASS_DOUBLE, "fcvt.d.w" },
	[SGPU_OP_FCVT_D_WU] = { SGPU_CLASS_DOUBLE, "fcvt.d.wu" },
	[SGPU_OP_FCVT_D_L] = { SGPU_CLASS_DOUBLE, "fcvt.d.l" },
	[SGPU_OP_FCVT_D_LU] = { SGPU_CLASS_DOUBLE, "fcvt.d.lu" },
	[SGPU_OP_FCVT_S_D] = { SGPU_CLASS_DOUBLE, "fcvt.s.d" },
	[SGPU_OP_FCVT_D_S] = { SGPU_CLASS_DOUBLE, "fcvt.d.s" },
	[SGPU_OP_ILLEGAL] = { SGPU_CLASS_ILLEGAL, "illegal" },
};

const char *sgpu_op_name(enum sgpu_op op)
{
	return op < SGPU_OP_COUNT ? decode_ops[op].name : "?";
}
EXPORT_SYMBOL_IF_KUNIT(sgpu_op_name);

void sgpu_decode_illegal(struct sgpu_insn *insn)
{
	memset(insn, 0, sizeof(*insn));
	insn->op = SGPU_OP_ILLEGAL;
	insn->class = SGPU_CLASS_ILLEGAL;
}

static void decode_finish(struct sgpu_insn *insn, u8 op, unsigned int need)
{
	u64 mask;

	insn->op = op;
	insn->class = decode_ops[op].class;
	insn->writes = need & NEED_RD ? BIT(insn->rd) & ~BIT(0) : 0;
	insn->reads = 0;
	if (need & NEED_RS1)
		insn->reads |= BIT(insn->rs1);
	if (need & NEED_RS2)
		insn->reads |= BIT(insn->rs2);
	insn->reads &= ~BIT(0);
	mask = insn->reads | insn->writes;
	if (need & NEED_FD)
		mask |= BIT_ULL(32 + insn->rd);
	if (need & NEED_FS1)
		mask |= BIT_ULL(32 + insn->rs1);
	if (need & NEED_FS2)
		mask |= BIT_ULL(32 + insn->rs2);
	if (need & NEED_FS3)
		mask |= BIT_ULL(32 + insn->rs3);
	if (need & NEED_RESERVATION)
		mask |= SGPU_RESERVATION;
	insn->need = mask;
}

/* An operation whose only effect is its integer result. */
static int decode_int(struct sgpu_insn *insn, u8 op, unsigned int sources)
{
	if (op == BAD)
		return -ENOEXEC;
	if (!insn->rd)
		decode_finish(insn, SGPU_OP_NOP, 0);
	else
		decode_finish(insn, op, NEED_RD | sources);
	return 0;
}

static int decode_imm(u32 word, struct sgpu_insn *insn)
{
	static const u8 ops[8] = {
		SGPU_OP_ADDI, SGPU_OP_SLLI, SGPU_OP_SLTI, SGPU_OP_SLTIU,
		SGPU_OP_XORI, SGPU_OP_SRLI, SGPU_OP_ORI, SGPU_OP_ANDI,
	};
	unsigned int f3 = FIELD_GET(WORD_FUNCT3, word);
	unsigned int f6 = FIELD_GET(WORD_FUNCT6, word);
	u8 op = ops[f3];

	insn->imm = (s32)word >> 20;
	if (f3 == 1 || f3 == 5) {
		insn->imm = FIELD_GET(WORD_SHAMT6, word);
		if (f3 == 5 && f6 == 0x10)
			op = SGPU_OP_SRAI;
		else if (f6)
			op = BAD;
	} else if (op == SGPU_OP_ADDI && !insn->rs1) {
		return decode_int(insn, SGPU_OP_LI, 0);
	}
	return decode_int(insn, op, NEED_RS1);
}

static int decode_imm32(u32 word, struct sgpu_insn *insn)
{
	unsigned int f7 = FIELD_GET(WORD_FUNCT7, word);
	u8 op = BAD;

	switch (FIELD_GET(WORD_FUNCT3, word)) {
	case 0:
		insn->imm = (s32)word >> 20;
		return decode_int(insn, SGPU_OP_ADDIW, NEED_RS1);
	case 1:
		op = f7 ? BAD : SGPU_OP_SLLIW;
		break;
	case 5:
		if (!f7)
			op = SGPU_OP_SRLIW;
		else if (f7 == 0x20)
			op = SGPU_OP_SRAIW;
		break;
	}
	insn->imm = insn->rs2;
	return decode_int(insn, op, NEED_RS1);
}

static int decode_reg(u32 word, struct sgpu_insn *insn)
{
	static const u8 base[8] = {
		SGPU_OP_ADD, SGPU_OP_SLL, SGPU_OP_SLT, SGPU_OP_SLTU,
		SGPU_OP_XOR, SGPU_OP_SRL, SGPU_OP_OR, SGPU_OP_AND,
	};
	static const u8 alt[8] = {
		SGPU_OP_SUB, BAD, BAD, BAD, BAD, SGPU_OP_SRA, BAD, BAD,
	};
	static const u8 mul[8] = {
		SGPU_OP_MUL, SGPU_OP_MULH, SGPU_OP_MULHSU, SGPU_OP_MULHU,
		SGPU_OP_DIV, SGPU_OP_DIVU, SGPU_OP_REM, SGPU_OP_REMU,
	};
	unsigned int f3 = FIELD_GET(WORD_FUNCT3, word);
	u8 op = BAD;

	switch (FIELD_GET(WORD_FUNCT7, word)) {
	case 0x00:
		op = base[f3];
		break;
	case 0x01:
		op = mul[f3];
		break;
	case 0x20:
		op = alt[f3];
		break;
	}
	return decode_int(insn, op, NEED_RS1 | NEED_RS2);
}

static int decode_reg32(u32 word, struct sgpu_insn *insn)
{
	static const u8 base[8] = {
		SGPU_OP_ADDW, SGPU_OP_SLLW, BAD, BAD, BAD, SGPU_OP_SRLW, BAD, BAD,
	};
	static const u8 alt[8] = {
		SGPU_OP_SUBW, BAD, BAD, BAD, BAD, SGPU_OP_SRAW, BAD, BAD,
	};
	static const u8 mul[8] = {
		SGPU_OP_MULW, BAD, BAD, BAD,
		SGPU_OP_DIVW, SGPU_OP_DIVUW, SGPU_OP_REMW, SGPU_OP_REMUW,
	};
	unsigned int f3 = FIELD_GET(WORD_FUNCT3, word);
	u8 op = BAD;

	switch (FIELD_GET(WORD_FUNCT7, word)) {
	case 0x00:
		op = base[f3];
		break;
	case 0x01:
		op = mul[f3];
		break;
	case 0x20:
		op = alt[f3];
		break;
	}
	return decode_int(insn, op, NEED_RS1 | NEED_RS2);
}

static int decode_load(u32 word, struct sgpu_insn *insn)
{
	unsigned int f3 = FIELD_GET(WORD_FUNCT3, word);

	if (f3 == 7)
		return -ENOEXEC;
	insn->imm = (s32)word >> 20;
	insn->size = f3 & 3;
	insn->fn = !(f3 & 4);
	decode_finish(insn, SGPU_OP_LOAD, NEED_RD | NEED_RS1);
	return 0;
}

static int decode_store(u32 word, struct sgpu_insn *insn, bool is_float)
{
	unsigned int f3 = FIELD_GET(WORD_FUNCT3, word);

	insn->imm = (s32)(word & 0xfe000000) >> 20 | insn->rd;
	insn->rd = 0;
	insn->size = f3;
	if (is_float) {
		if (f3 != 2 && f3 != 3)
			return -ENOEXEC;
		insn->fn = f3 == 3;
		decode_finish(insn, SGPU_OP_FSTORE, NEED_RS1 | NEED_FS2);
		return 0;
	}
	if (f3 > 3)
		return -ENOEXEC;
	decode_finish(insn, SGPU_OP_STORE, NEED_RS1 | NEED_RS2);
	return 0;
}

static int decode_fload(u32 word, struct sgpu_insn *insn)
{
	unsigned int f3 = FIELD_GET(WORD_FUNCT3, word);

	if (f3 != 2 && f3 != 3)
		return -ENOEXEC;
	insn->imm = (s32)word >> 20;
	insn->size = f3;
	insn->fn = f3 == 3;
	decode_finish(insn, SGPU_OP_FLOAD, NEED_FD | NEED_RS1);
	return 0;
}

static int decode_amo(u32 word, struct sgpu_insn *insn)
{
	static const u8 fns[32] = {
		SGPU_AMO_ADD, SGPU_AMO_SWAP, BAD, BAD, SGPU_AMO_XOR, BAD, BAD, BAD,
		SGPU_AMO_OR, BAD, BAD, BAD, SGPU_AMO_AND, BAD, BAD, BAD,
		SGPU_AMO_MIN, BAD, BAD, BAD, SGPU_AMO_MAX, BAD, BAD, BAD,
		SGPU_AMO_MINU, BAD, BAD, BAD, SGPU_AMO_MAXU, BAD, BAD, BAD,
	};
	unsigned int f3 = FIELD_GET(WORD_FUNCT3, word);
	unsigned int f5 = FIELD_GET(WORD_FUNCT5, word);

	if (f3 != 2 && f3 != 3)
		return -ENOEXEC;
	insn->size = f3;
	if (f5 == 0x02) {
		if (insn->rs2)
			return -ENOEXEC;
		decode_finish(insn, SGPU_OP_LR, NEED_RD | NEED_RS1 | NEED_RESERVATION);
		return 0;
	}
	if (f5 == 0x03) {
		decode_finish(insn, SGPU_OP_SC, NEED_RD | NEED_RS1 | NEED_RS2 | NEED_RESERVATION);
		return 0;
	}
	insn->fn = fns[f5];
	if (insn->fn == BAD)
		return -ENOEXEC;
	decode_finish(insn, SGPU_OP_AMO, NEED_RD | NEED_RS1 | NEED_RS2);
	return 0;
}

static int decode_cuda_amo(u32 word, struct sgpu_insn *insn)
{
	static const u8 fns[] = { SGPU_AMO_FADD, SGPU_AMO_INC, SGPU_AMO_DEC };
	unsigned int f3 = FIELD_GET(WORD_FUNCT3, word);
	unsigned int f5 = FIELD_GET(WORD_FUNCT5, word);

	if ((f3 != 2 && f3 != 3) || f5 >= ARRAY_SIZE(fns) || (f5 && f3 != 2))
		return -ENOEXEC;
	insn->size = f3;
	insn->fn = fns[f5];
	decode_finish(insn, SGPU_OP_AMO, NEED_RD | NEED_RS1 | NEED_RS2);
	return 0;
}

/* Instruction index of @offset bytes from @index, if it is inside the code. */
static int decode_target(s64 offset, u32 index, u32 count, struct sgpu_insn *insn)
{
	s64 target = (s64)index + offset / 4;

	if (offset & 3 || target < 0 || target >= count)
		return -ENOEXEC;
	insn->imm = target;
	return 0;
}

static int decode_branch(u32 word, u32 index, u32 count, struct sgpu_insn *insn)
{
	static const u8 ops[8] = {
		SGPU_OP_BEQ, SGPU_OP_BNE, BAD, BAD,
		SGPU_OP_BLT, SGPU_OP_BGE, SGPU_OP_BLTU, SGPU_OP_BGEU,
	};
	u8 op = ops[FIELD_GET(WORD_FUNCT3, word)];
	s64 offset;

	offset = (s64)((s32)word >> 31) * BIT(12);
	offset |= (u64)((word >> 7) & 1) << 11;
	offset |= (u64)((word >> 25) & 0x3f) << 5;
	offset |= (u64)((word >> 8) & 0xf) << 1;
	insn->rd = 0;
	if (op == BAD)
		return -ENOEXEC;
	decode_finish(insn, op, NEED_RS1 | NEED_RS2);
	return decode_target(offset, index, count, insn);
}

static int decode_jal(u32 word, u32 index, u32 count, struct sgpu_insn *insn)
{
	s64 offset;

	offset = (s64)((s32)word >> 31) * BIT(20);
	offset |= (u64)((word >> 12) & 0xff) << 12;
	offset |= (u64)((word >> 20) & 1) << 11;
	offset |= (u64)((word >> 21) & 0x3ff) << 1;
	decode_finish(insn, SGPU_OP_JAL, NEED_RD);
	return decode_target(offset, index, count, insn);
}

static int decode_jalr(u32 word, struct sgpu_insn *insn)
{
	if (FIELD_GET(WORD_FUNCT3, word))
		return -ENOEXEC;
	insn->imm = (s32)word >> 20;
	decode_finish(insn, SGPU_OP_JALR, NEED_RD | NEED_RS1);
	return 0;
}

static int decode_fence(u32 word, struct sgpu_insn *insn)
{
	unsigned int fm = word >> 28;

	/* fence with reserved fields is a plain fence; fence.i is not supported */
	if (FIELD_GET(WORD_FUNCT3, word) || (fm && fm != 8))
		return -ENOEXEC;
	insn->rd = 0;
	decode_finish(insn, SGPU_OP_FENCE, 0);
	return 0;
}

static int decode_system(u32 word, struct sgpu_insn *insn)
{
	insn->rd = 0;
	if (word == WORD_ECALL) {
		decode_finish(insn, SGPU_OP_ECALL, 0);
		/* its number and its result; other arguments are looked at later */
		insn->need = BIT_ULL(17) | BIT_ULL(10);
	} else if (word == WORD_EBREAK || word == WORD_UNIMP) {
		decode_finish(insn, SGPU_OP_TRAP, 0);
	} else {
		return -ENOEXEC;
	}
	return 0;
}

/* Formats of operands. */
#define FMT_S		0
#define FMT_D		1

/* @op, or the same in double precision. */
static u8 decode_format(u8 op, unsigned int fmt)
{
	return op == BAD || fmt == FMT_S ? op : op + SGPU_OP_DOUBLE;
}

/* Arithmetic is always rounded to nearest even. */
static bool decode_rm_nearest(u32 word)
{
	unsigned int rm = FIELD_GET(WORD_FUNCT3, word);

	return rm == SGPU_RM_RNE || rm == RM_DYN;
}

static int decode_fma(u32 word, struct sgpu_insn *insn, u8 op)
{
	unsigned int fmt = FIELD_GET(WORD_FMT, word);

	if (fmt > FMT_D || !decode_rm_nearest(word))
		return -ENOEXEC;
	insn->rs3 = FIELD_GET(WORD_RS3, word);
	decode_finish(insn, decode_format(op, fmt), NEED_FD | NEED_FS1 | NEED_FS2 | NEED_FS3);
	return 0;
}

/* Float operations chosen by funct3; the result goes to @dest. */
static int decode_fp_choice(struct sgpu_insn *insn, u8 op, unsigned int dest)
{
	if (op == BAD)
		return -ENOEXEC;
	if (dest == NEED_RD && !insn->rd)
		decode_finish(insn, SGPU_OP_NOP, 0);
	else
		decode_finish(insn, op, dest | NEED_FS1 | NEED_FS2);
	return 0;
}

static int decode_fp_to_int(u32 word, struct sgpu_insn *insn, unsigned int fmt)
{
	unsigned int rm = FIELD_GET(WORD_FUNCT3, word);

	if (insn->rs2 > 3)
		return -ENOEXEC;
	if (rm == RM_DYN)
		rm = SGPU_RM_RNE;
	if (rm > SGPU_RM_RMM)
		return -ENOEXEC;
	insn->fn = rm;
	return decode_int(insn, decode_format(SGPU_OP_FCVT_W_S + insn->rs2, fmt), NEED_FS1);
}

static int decode_fp_from_int(u32 word, struct sgpu_insn *insn, unsigned int fmt)
{
	/* 32 bits are exact in double precision, whatever the rounding mode */
	bool exact = fmt == FMT_D && insn->rs2 < 2 &&
		     FIELD_GET(WORD_FUNCT3, word) <= SGPU_RM_RMM;

	if (insn->rs2 > 3 || (!exact && !decode_rm_nearest(word)))
		return -ENOEXEC;
	decode_finish(insn, decode_format(SGPU_OP_FCVT_S_W + insn->rs2, fmt), NEED_FD | NEED_RS1);
	return 0;
}

/* Between the two formats; to the wider one it is exact. */
static int decode_fp_format(u32 word, struct sgpu_insn *insn, unsigned int to)
{
	bool exact = to == FMT_D && FIELD_GET(WORD_FUNCT3, word) <= SGPU_RM_RMM;

	if (insn->rs2 != !to || (!exact && !decode_rm_nearest(word)))
		return -ENOEXEC;
	decode_finish(insn, to == FMT_D ? SGPU_OP_FCVT_D_S : SGPU_OP_FCVT_S_D, NEED_FD | NEED_FS1);
	return 0;
}

static int decode_fp_move(u32 word, struct sgpu_insn *insn, bool to_float, unsigned int fmt)
{
	unsigned int f3 = FIELD_GET(WORD_FUNCT3, word);

	if (insn->rs2)
		return -ENOEXEC;
	if (to_float) {
		if (f3)
			return -ENOEXEC;
		decode_finish(insn, decode_format(SGPU_OP_FMV_W_X, fmt), NEED_FD | NEED_RS1);
		return 0;
	}
	if (f3 > 1)
		return -ENOEXEC;
	return decode_int(insn, decode_format(f3 ? SGPU_OP_FCLASS : SGPU_OP_FMV_X_W, fmt),
			  NEED_FS1);
}

static int decode_fp_arith(u32 word, struct sgpu_insn *insn, u8 op)
{
	if (!decode_rm_nearest(word))
		return -ENOEXEC;
	decode_finish(insn, op, NEED_FD | NEED_FS1 | NEED_FS2);
	return 0;
}

static int decode_fp(u32 word, struct sgpu_insn *insn)
{
	static const u8 sgnj[8] = { SGPU_OP_FSGNJ, SGPU_OP_FSGNJN, SGPU_OP_FSGNJX,
				    BAD, BAD, BAD, BAD, BAD };
	static const u8 minmax[8] = { SGPU_OP_FMIN, SGPU_OP_FMAX, BAD, BAD, BAD, BAD, BAD, BAD };
	static const u8 compare[8] = { SGPU_OP_FLE, SGPU_OP_FLT, SGPU_OP_FEQ,
				       BAD, BAD, BAD, BAD, BAD };
	unsigned int f3 = FIELD_GET(WORD_FUNCT3, word);
	unsigned int fmt = FIELD_GET(WORD_FMT, word);

	if (fmt > FMT_D)
		return -ENOEXEC;
	switch (FIELD_GET(WORD_FUNCT5, word)) {
	case 0x00:
		return decode_fp_arith(word, insn, decode_format(SGPU_OP_FADD, fmt));
	case 0x01:
		return decode_fp_arith(word, insn, decode_format(SGPU_OP_FSUB, fmt));
	case 0x02:
		return decode_fp_arith(word, insn, decode_format(SGPU_OP_FMUL, fmt));
	case 0x03:
		return decode_fp_arith(word, insn, decode_format(SGPU_OP_FDIV, fmt));
	case 0x0b:
		if (insn->rs2 || !decode_rm_nearest(word))
			return -ENOEXEC;
		decode_finish(insn, decode_format(SGPU_OP_FSQRT, fmt), NEED_FD | NEED_FS1);
		return 0;
	case 0x04:
		return decode_fp_choice(insn, decode_format(sgnj[f3], fmt), NEED_FD);
	case 0x05:
		return decode_fp_choice(insn, decode_format(minmax[f3], fmt), NEED_FD);
	case 0x08:
		return decode_fp_format(word, insn, fmt);
	case 0x14:
		return decode_fp_choice(insn, decode_format(compare[f3], fmt), NEED_RD);
	case 0x18:
		return decode_fp_to_int(word, insn, fmt);
	case 0x1a:
		return decode_fp_from_int(word, insn, fmt);
	case 0x1c:
	case 0x1e:
		return decode_fp_move(word, insn, FIELD_GET(WORD_FUNCT5, word) == 0x1e, fmt);
	}
	return -ENOEXEC;
}

static int decode_upper(u32 word, u64 base, struct sgpu_insn *insn)
{
	insn->imm = (s64)(s32)(word & 0xfffff000) + base;
	return decode_int(insn, SGPU_OP_LI, 0);
}

int sgpu_decode(u32 word, u64 pc, u32 index, u32 count, struct sgpu_insn *insn)
{
	memset(insn, 0, sizeof(*insn));
	insn->rd = FIELD_GET(WORD_RD, word);
	insn->rs1 = FIELD_GET(WORD_RS1, word);
	insn->rs2 = FIELD_GET(WORD_RS2, word);

	switch (word & WORD_OPCODE) {
	case OPCODE_LOAD:
		return decode_load(word, insn);
	case OPCODE_FLOAD:
		return decode_fload(word, insn);
	case OPCODE_FENCE:
		return decode_fence(word, insn);
	case OPCODE_IMM:
		return decode_imm(word, insn);
	case OPCODE_AUIPC:
		return decode_upper(word, pc, insn);
	case OPCODE_IMM32:
		return decode_imm32(word, insn);
	case OPCODE_STORE:
		return decode_store(word, insn, false);
	case OPCODE_FSTORE:
		return decode_store(word, insn, true);
	case OPCODE_CUDA_AMO:
		return decode_cuda_amo(word, insn);
	case OPCODE_AMO:
		return decode_amo(word, insn);
	case OPCODE_REG:
		return decode_reg(word, insn);
	case OPCODE_LUI:
		return decode_upper(word, 0, insn);
	case OPCODE_REG32:
		return decode_reg32(word, insn);
	case OPCODE_FMADD:
		return decode_fma(word, insn, SGPU_OP_FMADD);
	case OPCODE_FMSUB:
		return decode_fma(word, insn, SGPU_OP_FMSUB);
	case OPCODE_FNMSUB:
		return decode_fma(word, insn, SGPU_OP_FNMSUB);
	case OPCODE_FNMADD:
		return decode_fma(word, insn, SGPU_OP_FNMADD);
	case OPCODE_FP:
		return decode_fp(word, insn);
	case OPCODE_BRANCH:
		return decode_branch(word, index, count, insn);
	case OPCODE_JALR:
		return decode_jalr(word, insn);
	case OPCODE_JAL:
		return decode_jal(word, index, count, insn);
	case 0x73:
		return decode_system(word, insn);
	}
	return -ENOEXEC;
}
EXPORT_SYMBOL_IF_KUNIT(sgpu_decode);
