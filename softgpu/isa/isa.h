/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The instruction set of the SMs, decoded: RV64IMAFD without control registers.
 */
#ifndef SOFTGPU_ISA_H
#define SOFTGPU_ISA_H

#include <linux/types.h>

#define SGPU_LANES	32
#define SGPU_FULL	0xffffffffU

/* Who executes an operation; the order is that of sgpu_insn_is_narrow() and sgpu_insn_is_own(). */
enum sgpu_class {
	SGPU_CLASS_INT,
	SGPU_CLASS_FLOAT,
	SGPU_CLASS_BRANCH,
	SGPU_CLASS_JAL,
	SGPU_CLASS_WIDE,	/* float registers of 64 bits: floats, and doubles that only move */
	SGPU_CLASS_DOUBLE,	/* takes the SM's unit for double precision, too */
	SGPU_CLASS_JALR,
	SGPU_CLASS_MEM,
	SGPU_CLASS_FENCE,
	SGPU_CLASS_ECALL,
	SGPU_CLASS_TRAP,	/* ebreak, unimp: ends the launch */
	SGPU_CLASS_ILLEGAL,	/* not code: padding, or past the end */
};

enum sgpu_op {
	SGPU_OP_NOP, SGPU_OP_LI, SGPU_OP_ADDI, SGPU_OP_SLTI, SGPU_OP_SLTIU, SGPU_OP_XORI,
	SGPU_OP_ORI, SGPU_OP_ANDI, SGPU_OP_SLLI, SGPU_OP_SRLI, SGPU_OP_SRAI, SGPU_OP_ADDIW,
	SGPU_OP_SLLIW, SGPU_OP_SRLIW, SGPU_OP_SRAIW, SGPU_OP_ADD, SGPU_OP_SUB, SGPU_OP_SLL,
	SGPU_OP_SLT, SGPU_OP_SLTU, SGPU_OP_XOR, SGPU_OP_SRL, SGPU_OP_SRA, SGPU_OP_OR,
	SGPU_OP_AND, SGPU_OP_ADDW, SGPU_OP_SUBW, SGPU_OP_SLLW, SGPU_OP_SRLW, SGPU_OP_SRAW,
	SGPU_OP_MUL, SGPU_OP_MULH, SGPU_OP_MULHSU, SGPU_OP_MULHU, SGPU_OP_DIV, SGPU_OP_DIVU,
	SGPU_OP_REM, SGPU_OP_REMU, SGPU_OP_MULW, SGPU_OP_DIVW, SGPU_OP_DIVUW, SGPU_OP_REMW,
	SGPU_OP_REMUW,
	SGPU_OP_BEQ, SGPU_OP_BNE, SGPU_OP_BLT, SGPU_OP_BGE, SGPU_OP_BLTU, SGPU_OP_BGEU,
	SGPU_OP_JAL,
	SGPU_OP_JALR,
	SGPU_OP_LOAD, SGPU_OP_STORE, SGPU_OP_FLOAD, SGPU_OP_FSTORE, SGPU_OP_AMO, SGPU_OP_LR,
	SGPU_OP_SC,
	SGPU_OP_FENCE,
	SGPU_OP_ECALL,
	SGPU_OP_TRAP,
	SGPU_OP_FADD, SGPU_OP_FSUB, SGPU_OP_FMUL, SGPU_OP_FDIV, SGPU_OP_FSQRT,
	SGPU_OP_FMADD, SGPU_OP_FMSUB, SGPU_OP_FNMSUB, SGPU_OP_FNMADD, SGPU_OP_FSGNJ,
	SGPU_OP_FSGNJN, SGPU_OP_FSGNJX, SGPU_OP_FMIN, SGPU_OP_FMAX, SGPU_OP_FEQ,
	SGPU_OP_FLT, SGPU_OP_FLE, SGPU_OP_FCLASS, SGPU_OP_FMV_X_W, SGPU_OP_FMV_W_X,
	SGPU_OP_FCVT_W_S, SGPU_OP_FCVT_WU_S, SGPU_OP_FCVT_L_S, SGPU_OP_FCVT_LU_S,
	SGPU_OP_FCVT_S_W, SGPU_OP_FCVT_S_WU, SGPU_OP_FCVT_S_L, SGPU_OP_FCVT_S_LU,
	/* double precision, in the same order: SGPU_OP_DOUBLE more */
	SGPU_OP_FADD_D, SGPU_OP_FSUB_D, SGPU_OP_FMUL_D, SGPU_OP_FDIV_D, SGPU_OP_FSQRT_D,
	SGPU_OP_FMADD_D, SGPU_OP_FMSUB_D, SGPU_OP_FNMSUB_D, SGPU_OP_FNMADD_D, SGPU_OP_FSGNJ_D,
	SGPU_OP_FSGNJN_D, SGPU_OP_FSGNJX_D, SGPU_OP_FMIN_D, SGPU_OP_FMAX_D, SGPU_OP_FEQ_D,
	SGPU_OP_FLT_D, SGPU_OP_FLE_D, SGPU_OP_FCLASS_D, SGPU_OP_FMV_X_D, SGPU_OP_FMV_D_X,
	SGPU_OP_FCVT_W_D, SGPU_OP_FCVT_WU_D, SGPU_OP_FCVT_L_D, SGPU_OP_FCVT_LU_D,
	SGPU_OP_FCVT_D_W, SGPU_OP_FCVT_D_WU, SGPU_OP_FCVT_D_L, SGPU_OP_FCVT_D_LU,
	SGPU_OP_FCVT_S_D, SGPU_OP_FCVT_D_S,
	SGPU_OP_ILLEGAL,
	SGPU_OP_COUNT
};

#define SGPU_OP_DOUBLE	(SGPU_OP_FADD_D - SGPU_OP_FADD)

/* Functions of SGPU_OP_AMO; from FADD on those of CUDA's that RISC-V has not (hardware.rst). */
enum sgpu_amo {
	SGPU_AMO_SWAP, SGPU_AMO_ADD, SGPU_AMO_XOR, SGPU_AMO_AND, SGPU_AMO_OR,
	SGPU_AMO_MIN, SGPU_AMO_MAX, SGPU_AMO_MINU, SGPU_AMO_MAXU,
	SGPU_AMO_FADD, SGPU_AMO_INC, SGPU_AMO_DEC,
};

/*
 * In the place of x0, for which nobody waits: the warp's load reservations.  LR and SC follow
 * each other in program order, wherever their pages are, as if they wrote it.
 */
#define SGPU_RESERVATION	1ULL

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
 * @fn: MEM: bit 0 of a LOAD: sign-extend; of a FLOAD or FSTORE: float registers have 64 bits;
 *	AMO: enum sgpu_amo; conversions: rounding mode
 * @imm: immediate; LI: the value; branches and JAL: target instruction index
 * @need: registers that must not be waited for: bit n is xn, bit 32 + n is fn; and
 *	SGPU_RESERVATION
 * @reads: x registers that are sources, but x0; of an ecall none
 * @writes: the x register that is the destination, or none
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
	u32 reads;
	u32 writes;
};

/**
 * sgpu_insn_is_double - does an instruction have double precision?
 * @insn: the instruction
 *
 * Return: true if so: in such an image float registers have 64 bits.
 */
static inline bool sgpu_insn_is_double(const struct sgpu_insn *insn)
{
	if (insn->op == SGPU_OP_FLOAD || insn->op == SGPU_OP_FSTORE)
		return insn->size == 3;
	return insn->op >= SGPU_OP_FADD_D && insn->op <= SGPU_OP_FCVT_D_S;
}

/**
 * sgpu_insn_is_own - does an instruction change nothing that another warp can see?
 * @insn: the instruction
 *
 * Return: true: only registers and the lanes' places change, and it cannot fail.
 */
static inline bool sgpu_insn_is_own(const struct sgpu_insn *insn)
{
	return insn->class <= SGPU_CLASS_DOUBLE;
}

/**
 * sgpu_insn_is_narrow - own, and no concern of float registers of 64 bits?
 * @insn: the instruction
 *
 * Return: true if so.
 */
static inline bool sgpu_insn_is_narrow(const struct sgpu_insn *insn)
{
	return insn->class <= SGPU_CLASS_JAL;
}

#endif
