/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The instruction set of the SMs, decoded: RV64IMAF without control registers.
 * X(operation, class, name)
 */
#ifndef SOFTGPU_ISA_H
#define SOFTGPU_ISA_H

#include <linux/types.h>

#define SGPU_LANES	32
#define SGPU_FULL	0xffffffffU

/* Who executes an operation. */
enum sgpu_class {
	SGPU_CLASS_INT,
	SGPU_CLASS_FLOAT,
	SGPU_CLASS_BRANCH,
	SGPU_CLASS_JAL,
	SGPU_CLASS_JALR,
	SGPU_CLASS_MEM,
	SGPU_CLASS_FENCE,
	SGPU_CLASS_ECALL,
	SGPU_CLASS_TRAP,	/* ebreak, unimp: ends the launch */
	SGPU_CLASS_ILLEGAL,	/* not code: padding, or past the end */
};

#define SGPU_OPS(X) \
	X(NOP, INT, "nop") X(LI, INT, "li") \
	X(ADDI, INT, "addi") X(SLTI, INT, "slti") X(SLTIU, INT, "sltiu") \
	X(XORI, INT, "xori") X(ORI, INT, "ori") X(ANDI, INT, "andi") \
	X(SLLI, INT, "slli") X(SRLI, INT, "srli") X(SRAI, INT, "srai") \
	X(ADDIW, INT, "addiw") X(SLLIW, INT, "slliw") X(SRLIW, INT, "srliw") \
	X(SRAIW, INT, "sraiw") \
	X(ADD, INT, "add") X(SUB, INT, "sub") X(SLL, INT, "sll") X(SLT, INT, "slt") \
	X(SLTU, INT, "sltu") X(XOR, INT, "xor") X(SRL, INT, "srl") X(SRA, INT, "sra") \
	X(OR, INT, "or") X(AND, INT, "and") \
	X(ADDW, INT, "addw") X(SUBW, INT, "subw") X(SLLW, INT, "sllw") X(SRLW, INT, "srlw") \
	X(SRAW, INT, "sraw") \
	X(MUL, INT, "mul") X(MULH, INT, "mulh") X(MULHSU, INT, "mulhsu") \
	X(MULHU, INT, "mulhu") X(DIV, INT, "div") X(DIVU, INT, "divu") X(REM, INT, "rem") \
	X(REMU, INT, "remu") X(MULW, INT, "mulw") X(DIVW, INT, "divw") X(DIVUW, INT, "divuw") \
	X(REMW, INT, "remw") X(REMUW, INT, "remuw") \
	X(BEQ, BRANCH, "beq") X(BNE, BRANCH, "bne") X(BLT, BRANCH, "blt") \
	X(BGE, BRANCH, "bge") X(BLTU, BRANCH, "bltu") X(BGEU, BRANCH, "bgeu") \
	X(JAL, JAL, "jal") X(JALR, JALR, "jalr") \
	X(LOAD, MEM, "load") X(STORE, MEM, "store") X(FLOAD, MEM, "flw") \
	X(FSTORE, MEM, "fsw") X(AMO, MEM, "amo") X(LR, MEM, "lr") X(SC, MEM, "sc") \
	X(FENCE, FENCE, "fence") X(ECALL, ECALL, "ecall") X(TRAP, TRAP, "ebreak") \
	X(FADD, FLOAT, "fadd.s") X(FSUB, FLOAT, "fsub.s") X(FMUL, FLOAT, "fmul.s") \
	X(FDIV, FLOAT, "fdiv.s") X(FSQRT, FLOAT, "fsqrt.s") \
	X(FMADD, FLOAT, "fmadd.s") X(FMSUB, FLOAT, "fmsub.s") X(FNMSUB, FLOAT, "fnmsub.s") \
	X(FNMADD, FLOAT, "fnmadd.s") \
	X(FSGNJ, FLOAT, "fsgnj.s") X(FSGNJN, FLOAT, "fsgnjn.s") X(FSGNJX, FLOAT, "fsgnjx.s") \
	X(FMIN, FLOAT, "fmin.s") X(FMAX, FLOAT, "fmax.s") \
	X(FEQ, FLOAT, "feq.s") X(FLT, FLOAT, "flt.s") X(FLE, FLOAT, "fle.s") \
	X(FCLASS, FLOAT, "fclass.s") X(FMV_X_W, FLOAT, "fmv.x.w") X(FMV_W_X, FLOAT, "fmv.w.x") \
	X(FCVT_W_S, FLOAT, "fcvt.w.s") X(FCVT_WU_S, FLOAT, "fcvt.wu.s") \
	X(FCVT_L_S, FLOAT, "fcvt.l.s") X(FCVT_LU_S, FLOAT, "fcvt.lu.s") \
	X(FCVT_S_W, FLOAT, "fcvt.s.w") X(FCVT_S_WU, FLOAT, "fcvt.s.wu") \
	X(FCVT_S_L, FLOAT, "fcvt.s.l") X(FCVT_S_LU, FLOAT, "fcvt.s.lu") \
	X(ILLEGAL, ILLEGAL, "illegal")

enum sgpu_op {
#define X(op, class, name) SGPU_OP_##op,
	SGPU_OPS(X)
#undef X
	SGPU_OP_COUNT
};

/* Functions of SGPU_OP_AMO. */
enum sgpu_amo {
	SGPU_AMO_SWAP, SGPU_AMO_ADD, SGPU_AMO_XOR, SGPU_AMO_AND, SGPU_AMO_OR,
	SGPU_AMO_MIN, SGPU_AMO_MAX, SGPU_AMO_MINU, SGPU_AMO_MAXU,
};

/* Rounding modes of conversions to integers. */
#define SGPU_RM_RNE	0
#define SGPU_RM_RTZ	1
#define SGPU_RM_RDN	2
#define SGPU_RM_RUP	3
#define SGPU_RM_RMM	4

/**
 * struct sgpu_insn - one decoded instruction
 * @op: enum sgpu_op
 * @class: enum sgpu_class
 * @rd: destination, x or f; integer operations that write x0 are NOPs
 * @rs1: first source
 * @rs2: second source
 * @rs3: third source
 * @size: MEM: log2 of the access size
 * @fn: MEM: bit 0 of a LOAD: sign-extend; AMO: enum sgpu_amo; conversions:
 *	rounding mode
 * @imm: immediate; LI: the value; branches and JAL: target instruction index
 * @need: registers that must not be waited for: bit n is xn, bit 32 + n is fn
 */
struct sgpu_insn {
	u8 op;
	u8 class;
	u8 rd;
	u8 rs1;
	u8 rs2;
	u8 rs3;
	u8 size;
	u8 fn;
	s64 imm;
	u64 need;
};

#endif
