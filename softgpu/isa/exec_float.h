/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Floats of one precision, 32 lanes at a time: what exec_fpu.c and exec_double.c have in common.
 * Each includes it once and says before which floats it means:
 *
 * FP_FLOAT: the type; FP_WORD and FP_INT: its bits, without and with a sign
 * FP_FRACTION_BITS: of them, those of the fraction that are there
 * FP_SQRT: the instruction of SSE2, a string
 * FP_OP(insn): the operation, as in single precision
 * FP_ROW(warp, reg): the row of a float register
 *
 * Only operations that every x86-64 computes alike are used (SSE2, round to
 * nearest even, denormals on), and every NaN is replaced by RISC-V's canonical
 * one, so that results have the same bits everywhere.
 */
#if !defined(SOFTGPU_EXEC_FLOAT_H) && defined(FP_FLOAT)
#define SOFTGPU_EXEC_FLOAT_H

#include <linux/bits.h>
#include <linux/limits.h>
#include <linux/types.h>
#include "isa/exec.h"
#include "isa/isa.h"

#define FP_SIGN		((FP_WORD)1 << (8 * sizeof(FP_WORD) - 1))
#define FP_FRACTION	(((FP_WORD)1 << FP_FRACTION_BITS) - 1)
#define FP_EXP		(FP_SIGN - 1 - FP_FRACTION)
#define FP_QUIET	((FP_WORD)1 << (FP_FRACTION_BITS - 1))
#define FP_NAN		(FP_EXP | FP_QUIET)

union fp_value {
	FP_WORD u;
	FP_FLOAT f;
};

/**
 * fp_float - the number of these bits
 * @u: bits
 *
 * Return: it, of the precision that the includer means.
 */
static inline FP_FLOAT fp_float(FP_WORD u)
{
	return ((union fp_value){ .u = u }).f;
}

static inline FP_WORD fp_bits(FP_FLOAT f)
{
	return ((union fp_value){ .f = f }).u;
}

static inline bool fp_isnan(FP_WORD u)
{
	return (u & ~FP_SIGN) > FP_EXP;
}

/**
 * fp_canonical - the bits of a result
 * @f: the result
 *
 * Integer tests: as vectors they cost less than a comparison of floats.
 * Return: bits, of a NaN the canonical one.
 */
static inline FP_WORD fp_canonical(FP_FLOAT f)
{
	FP_WORD u = fp_bits(f);

	return fp_isnan(u) ? FP_NAN : u;
}

static inline FP_WORD fp_min(FP_WORD a, FP_WORD b)
{
	if (fp_isnan(a))
		return fp_isnan(b) ? FP_NAN : b;
	if (fp_isnan(b))
		return a;
	if (fp_float(a) == fp_float(b))
		return a | b;			/* -0 is less than +0 */
	return fp_float(a) < fp_float(b) ? a : b;
}

static inline FP_WORD fp_max(FP_WORD a, FP_WORD b)
{
	if (fp_isnan(a))
		return fp_isnan(b) ? FP_NAN : b;
	if (fp_isnan(b))
		return a;
	if (fp_float(a) == fp_float(b))
		return a & b;
	return fp_float(a) > fp_float(b) ? a : b;
}

static inline u64 fp_class(FP_WORD u)
{
	bool negative = u & FP_SIGN;
	FP_WORD exponent = u & FP_EXP, fraction = u & FP_FRACTION;

	if (exponent == FP_EXP) {
		if (fraction)
			return fraction & FP_QUIET ? 1 << 9 : 1 << 8;
		return negative ? 1 << 0 : 1 << 7;
	}
	if (exponent)
		return negative ? 1 << 1 : 1 << 6;
	if (fraction)
		return negative ? 1 << 2 : 1 << 5;
	return negative ? 1 << 3 : 1 << 4;
}

/* @a, rounded to an integer by @rm; -2^63 <= @a < 2^63. */
static inline s64 fp_round(FP_FLOAT a, unsigned int rm)
{
	s64 t = (s64)a;
	FP_FLOAT rest = a - (FP_FLOAT)t;	/* exact; 0 from 2^FP_FRACTION_BITS on */
	int away = a < 0 ? -1 : 1;
	FP_FLOAT size = rest < 0 ? -rest : rest;

	switch (rm) {
	case SGPU_RM_RNE:
		return size > (FP_FLOAT)0.5 || (size == (FP_FLOAT)0.5 && t & 1) ? t + away : t;
	case SGPU_RM_RDN:
		return rest < 0 ? t - 1 : t;
	case SGPU_RM_RUP:
		return rest > 0 ? t + 1 : t;
	case SGPU_RM_RMM:
		return size >= (FP_FLOAT)0.5 ? t + away : t;
	}
	return t;
}

static inline u64 fp_to_s64(FP_WORD u, unsigned int rm)
{
	FP_FLOAT a = fp_float(u);

	if (fp_isnan(u) || a >= (FP_FLOAT)0x1p63)
		return S64_MAX;
	if (a < (FP_FLOAT)-0x1p63)
		return S64_MIN;
	return fp_round(a, rm);
}

static inline u64 fp_to_u64(FP_WORD u, unsigned int rm)
{
	FP_FLOAT a = fp_float(u);
	s64 t;

	if (fp_isnan(u) || a >= (FP_FLOAT)0x1p64)
		return U64_MAX;
	if (a >= (FP_FLOAT)0x1p63)
		return (u64)(s64)(a - (FP_FLOAT)0x1p63) + (1ULL << 63);
	if (a <= (FP_FLOAT)-1.0)
		return 0;
	t = fp_round(a, rm);
	return t < 0 ? 0 : t;
}

static inline u64 fp_to_s32(FP_WORD u, unsigned int rm)
{
	s64 t = fp_to_s64(u, rm);

	if (t > S32_MAX)
		return S32_MAX;
	return t < S32_MIN ? (u64)(s64)S32_MIN : t;
}

static inline u64 fp_to_u32(FP_WORD u, unsigned int rm)
{
	u64 t = fp_to_u64(u, rm);

	return (u64)(s64)(s32)(t > U32_MAX ? U32_MAX : t);
}

static inline FP_FLOAT fp_sqrt(FP_FLOAT a)
{
	FP_FLOAT root;

	asm(FP_SQRT " %1, %0" : "=x" (root) : "xm" (a));
	return root;
}

/* d[lane] = expr for the active lanes; expr may use lane and the sources. */
#define FP_EXEC(d, expr) do {						\
	if (warp->active == SGPU_FULL) {				\
		SGPU_IVDEP						\
		for (lane = 0; lane < SGPU_LANES; lane++)		\
			(d)[lane] = (expr);				\
	} else {							\
		sgpu_for_each_lane(lane, warp->active)			\
			(d)[lane] = (expr);				\
	}								\
} while (0)

#define FA	fp_float(a[lane])
#define FB	fp_float(b[lane])

/* The includer's: rd = (rs1 ^ @flip_a) * rs2 + (rs3 ^ @flip_c), with one rounding. */
static void fp_fused(struct sgpu_warp *warp, const struct sgpu_insn *insn, FP_WORD flip_a,
		     FP_WORD flip_c);

/* Results in float registers from float registers. */
static __always_inline void fp_arith(struct sgpu_warp *warp, const struct sgpu_insn *insn)
{
	const FP_WORD *a = FP_ROW(warp, insn->rs1);
	const FP_WORD *b = FP_ROW(warp, insn->rs2);
	FP_WORD *d = FP_ROW(warp, insn->rd);
	unsigned int lane;

	switch (FP_OP(insn)) {
	case SGPU_OP_FADD:
		FP_EXEC(d, fp_canonical(FA + FB));
		break;
	case SGPU_OP_FSUB:
		FP_EXEC(d, fp_canonical(FA - FB));
		break;
	case SGPU_OP_FMUL:
		FP_EXEC(d, fp_canonical(FA * FB));
		break;
	case SGPU_OP_FDIV:
		FP_EXEC(d, fp_canonical(FA / FB));
		break;
	case SGPU_OP_FSQRT:
		FP_EXEC(d, fp_canonical(fp_sqrt(FA)));
		break;
	case SGPU_OP_FMADD:
		fp_fused(warp, insn, 0, 0);
		break;
	case SGPU_OP_FMSUB:
		fp_fused(warp, insn, 0, FP_SIGN);
		break;
	case SGPU_OP_FNMSUB:
		fp_fused(warp, insn, FP_SIGN, 0);
		break;
	case SGPU_OP_FNMADD:
		fp_fused(warp, insn, FP_SIGN, FP_SIGN);
		break;
	case SGPU_OP_FSGNJ:
		FP_EXEC(d, (a[lane] & ~FP_SIGN) | (b[lane] & FP_SIGN));
		break;
	case SGPU_OP_FSGNJN:
		FP_EXEC(d, (a[lane] & ~FP_SIGN) | (~b[lane] & FP_SIGN));
		break;
	case SGPU_OP_FSGNJX:
		FP_EXEC(d, a[lane] ^ (b[lane] & FP_SIGN));
		break;
	case SGPU_OP_FMIN:
		FP_EXEC(d, fp_min(a[lane], b[lane]));
		break;
	case SGPU_OP_FMAX:
		FP_EXEC(d, fp_max(a[lane], b[lane]));
		break;
	}
}

/* Results in integer registers. */
static __always_inline void fp_to_int(struct sgpu_warp *warp, const struct sgpu_insn *insn)
{
	const FP_WORD *a = FP_ROW(warp, insn->rs1);
	const FP_WORD *b = FP_ROW(warp, insn->rs2);
	u64 *x = warp->x[insn->rd];
	const unsigned int rm = insn->fn;
	unsigned int lane;

	switch (FP_OP(insn)) {
	case SGPU_OP_FEQ:
		FP_EXEC(x, FA == FB);
		break;
	case SGPU_OP_FLT:
		FP_EXEC(x, FA < FB);
		break;
	case SGPU_OP_FLE:
		FP_EXEC(x, FA <= FB);
		break;
	case SGPU_OP_FCLASS:
		FP_EXEC(x, fp_class(a[lane]));
		break;
	case SGPU_OP_FMV_X_W:
		FP_EXEC(x, (u64)(s64)(FP_INT)a[lane]);
		break;
	case SGPU_OP_FCVT_W_S:
		FP_EXEC(x, fp_to_s32(a[lane], rm));
		break;
	case SGPU_OP_FCVT_WU_S:
		FP_EXEC(x, fp_to_u32(a[lane], rm));
		break;
	case SGPU_OP_FCVT_L_S:
		FP_EXEC(x, fp_to_s64(a[lane], rm));
		break;
	case SGPU_OP_FCVT_LU_S:
		FP_EXEC(x, fp_to_u64(a[lane], rm));
		break;
	}
}

/* Results in float registers from integer registers. */
static __always_inline void fp_from_int(struct sgpu_warp *warp, const struct sgpu_insn *insn)
{
	const u64 *y = warp->x[insn->rs1];
	FP_WORD *d = FP_ROW(warp, insn->rd);
	unsigned int lane;

	switch (FP_OP(insn)) {
	case SGPU_OP_FMV_W_X:
		FP_EXEC(d, (FP_WORD)y[lane]);
		break;
	case SGPU_OP_FCVT_S_W:
		FP_EXEC(d, fp_bits((FP_FLOAT)(s32)y[lane]));
		break;
	case SGPU_OP_FCVT_S_WU:
		FP_EXEC(d, fp_bits((FP_FLOAT)(u32)y[lane]));
		break;
	case SGPU_OP_FCVT_S_L:
		FP_EXEC(d, fp_bits((FP_FLOAT)(s64)y[lane]));
		break;
	case SGPU_OP_FCVT_S_LU:
		FP_EXEC(d, fp_bits((FP_FLOAT)y[lane]));
		break;
	}
}

static __always_inline void fp_exec_any(struct sgpu_warp *warp, const struct sgpu_insn *insn)
{
	if (FP_OP(insn) < SGPU_OP_FEQ)
		fp_arith(warp, insn);
	else if (FP_OP(insn) == SGPU_OP_FMV_W_X || FP_OP(insn) >= SGPU_OP_FCVT_S_W)
		fp_from_int(warp, insn);
	else
		fp_to_int(warp, insn);
}

static SGPU_WIDE void fp_exec_wide(struct sgpu_warp *warp, const struct sgpu_insn *insn)
{
	fp_exec_any(warp, insn);
}

static noinline void fp_exec_base(struct sgpu_warp *warp, const struct sgpu_insn *insn)
{
	fp_exec_any(warp, insn);
}

/**
 * fp_exec - perform a float operation in the active lanes
 * @warp: rows that @insn reads can be read, and the one that it writes can be written
 * @insn: the instruction
 */
static __always_inline void fp_exec(struct sgpu_warp *warp, const struct sgpu_insn *insn)
{
	if (sgpu_wide)
		fp_exec_wide(warp, insn);
	else
		fp_exec_base(warp, insn);
}

#endif
