// SPDX-License-Identifier: GPL-2.0
/*
 * Single precision, 32 lanes at a time.
 *
 * Only operations that every x86-64 computes alike are used (SSE2, round to
 * nearest even, denormals on), and every NaN is replaced by RISC-V's canonical
 * one, so that results have the same bits everywhere.
 */
#include <kunit/visibility.h>
#include <linux/export.h>
#include <linux/string.h>
#include <linux/types.h>
#include "isa/exec.h"
#include "isa/isa.h"

#define FPU_NAN		0x7fc00000U
#define FPU_SIGN	0x80000000U
#define FPU_EXP		0x7f800000U
#define FPU_FRACTION	0x007fffffU
#define FPU_QUIET	0x00400000U

union fpu_word {
	u32 u;
	float f;
};

union fpu_double {
	u64 u;
	double f;
};

static inline float fpu_float(u32 u)
{
	return ((union fpu_word){ .u = u }).f;
}

static inline u32 fpu_bits(float f)
{
	return ((union fpu_word){ .f = f }).u;
}

static inline bool fpu_isnan(u32 u)
{
	return (u & ~FPU_SIGN) > FPU_EXP;
}

/* Integer tests, as vectors they cost less than a comparison of floats. */
static inline u32 fpu_canonical(float f)
{
	u32 u = fpu_bits(f);

	return fpu_isnan(u) ? FPU_NAN : u;
}

static inline u32 fpu_min(u32 a, u32 b)
{
	if (fpu_isnan(a))
		return fpu_isnan(b) ? FPU_NAN : b;
	if (fpu_isnan(b))
		return a;
	if (fpu_float(a) == fpu_float(b))
		return a | b;			/* -0 is less than +0 */
	return fpu_float(a) < fpu_float(b) ? a : b;
}

static inline u32 fpu_max(u32 a, u32 b)
{
	if (fpu_isnan(a))
		return fpu_isnan(b) ? FPU_NAN : b;
	if (fpu_isnan(b))
		return a;
	if (fpu_float(a) == fpu_float(b))
		return a & b;
	return fpu_float(a) > fpu_float(b) ? a : b;
}

static inline u64 fpu_class(u32 u)
{
	bool negative = u & FPU_SIGN;
	u32 exponent = u & FPU_EXP, fraction = u & FPU_FRACTION;

	if (exponent == FPU_EXP) {
		if (fraction)
			return fraction & FPU_QUIET ? 1 << 9 : 1 << 8;
		return negative ? 1 << 0 : 1 << 7;
	}
	if (exponent)
		return negative ? 1 << 1 : 1 << 6;
	if (fraction)
		return negative ? 1 << 2 : 1 << 5;
	return negative ? 1 << 3 : 1 << 4;
}

/* @a, rounded to an integer by @rm; |@a| < 2^63. */
static inline s64 fpu_round(float a, unsigned int rm)
{
	s64 t = (s64)a;
	float rest = a - (float)t;	/* exact; 0 from 2^23 on */
	int away = a < 0 ? -1 : 1;
	float size = rest < 0 ? -rest : rest;

	switch (rm) {
	case SGPU_RM_RNE:
		return size > 0.5f || (size == 0.5f && t & 1) ? t + away : t;
	case SGPU_RM_RDN:
		return rest < 0 ? t - 1 : t;
	case SGPU_RM_RUP:
		return rest > 0 ? t + 1 : t;
	case SGPU_RM_RMM:
		return size >= 0.5f ? t + away : t;
	}
	return t;
}

static inline u64 fpu_to_s64(u32 u, unsigned int rm)
{
	float a = fpu_float(u);

	if (fpu_isnan(u) || a >= 0x1p63f)
		return S64_MAX;
	if (a < -0x1p63f)
		return S64_MIN;
	return fpu_round(a, rm);
}

static inline u64 fpu_to_u64(u32 u, unsigned int rm)
{
	float a = fpu_float(u);
	s64 t;

	if (fpu_isnan(u) || a >= 0x1p64f)
		return U64_MAX;
	if (a >= 0x1p63f)
		return (u64)(s64)(a - 0x1p63f) + (1ULL << 63);
	if (a <= -1.0f)
		return 0;
	t = fpu_round(a, rm);
	return t < 0 ? 0 : t;
}

static inline u64 fpu_to_s32(u32 u, unsigned int rm)
{
	s64 t = fpu_to_s64(u, rm);

	if (t > S32_MAX)
		return S32_MAX;
	return t < S32_MIN ? (u64)(s64)S32_MIN : t;
}

static inline u64 fpu_to_u32(u32 u, unsigned int rm)
{
	u64 t = fpu_to_u64(u, rm);

	return (u64)(s64)(s32)(t > U32_MAX ? U32_MAX : t);
}

static inline float fpu_sqrt(float a)
{
	float root;

	asm("sqrtss %1, %0" : "=x" (root) : "xm" (a));
	return root;
}

/* d[lane] = expr for the active lanes; expr may use lane and the sources. */
#define FPU_EXEC(d, expr) do {						\
	if (warp->active == SGPU_FULL) {				\
		SGPU_IVDEP						\
		for (lane = 0; lane < SGPU_LANES; lane++)		\
			(d)[lane] = (expr);				\
	} else {							\
		sgpu_for_each_lane(lane, warp->active)			\
			(d)[lane] = (expr);				\
	}								\
} while (0)

#define FA	fpu_float(a[lane])
#define FB	fpu_float(b[lane])

/* ---- fused multiply and add ------------------------------------------- */

/* What a fused multiply-add works on: d = (a ^ flip_a) * b + (c ^ flip_c). */
struct fpu_fma {
	const u32 *a;
	const u32 *b;
	const u32 *c;
	u32 flip_a;
	u32 flip_c;
};

static SGPU_WIDE void fpu_fma_fused(u32 *d, const struct fpu_fma *f)
{
	const u32 *a = f->a, *b = f->b, *c = f->c;
	u32 flip_a = f->flip_a, flip_c = f->flip_c;
	unsigned int lane;

#pragma GCC ivdep
	for (lane = 0; lane < SGPU_LANES; lane++) {
		float x = fpu_float(a[lane] ^ flip_a), y = fpu_float(b[lane]);
		float z = fpu_float(c[lane] ^ flip_c);

		d[lane] = fpu_canonical(__builtin_fmaf(x, y, z));
	}
}

/*
 * a * b + c with one rounding.  The product of two floats is exact in double;
 * the sum is rounded to odd there, which makes the second rounding harmless
 * (double has more than twice the bits).
 */
static u32 fpu_fma(float a, float b, float c)
{
	double product = (double)a * (double)b;
	union fpu_double sum = { .f = product + (double)c };
	double back, error;

	if (sum.f - sum.f == 0.0) {
		back = sum.f - product;
		error = (product - (sum.f - back)) + ((double)c - back);
		if (error != 0.0 && !(sum.u & 1))
			sum.u += (error > 0.0) == (sum.f > 0.0) ? 1 : -1ULL;
	}
	return fpu_canonical((float)sum.f);
}

/*
 * Could rounding twice round wrongly?  Only if the rounded sum lies in the
 * middle between two floats: for a normal result its low 29 bits tell.
 */
static inline bool fpu_fma_is_hard(u32 low, u32 high)
{
	u32 size = high & ~FPU_SIGN;
	bool middle = (low & 0x1fffffff) == 0x10000000;
	bool subnormal = size < 0x38100000;

	return middle | (subnormal & ((size | low) != 0));
}

/* All lanes with two roundings; if that may be wrong for any, all again with one. */
static void fpu_fma_double(u32 *d, const struct fpu_fma *f)
{
	u32 a[SGPU_LANES], c[SGPU_LANES], out[SGPU_LANES];
	const u32 *b = f->b;
	union {
		double f[SGPU_LANES];
		u32 u[2 * SGPU_LANES];
	} sum;
	unsigned int lane;
	u32 hard = 0;

	for (lane = 0; lane < SGPU_LANES; lane++) {
		a[lane] = f->a[lane] ^ f->flip_a;
		c[lane] = f->c[lane] ^ f->flip_c;
		sum.f[lane] = (double)fpu_float(a[lane]) * (double)fpu_float(b[lane]) +
			      (double)fpu_float(c[lane]);
		out[lane] = fpu_canonical((float)sum.f[lane]);
	}
	for (lane = 0; lane < SGPU_LANES; lane++)
		hard |= fpu_fma_is_hard(sum.u[2 * lane], sum.u[2 * lane + 1]);
	for (lane = 0; hard && lane < SGPU_LANES; lane++)
		out[lane] = fpu_fma(fpu_float(a[lane]), fpu_float(b[lane]), fpu_float(c[lane]));
	memcpy(d, out, sizeof(out));
}

/* d = +-(a * b) +- c */
static void fpu_fma_lanes(struct sgpu_warp *warp, const struct sgpu_insn *insn,
			  u32 flip_product, u32 flip_sum)
{
	struct fpu_fma f = {
		.a = warp->f[insn->rs1], .b = warp->f[insn->rs2], .c = warp->f[insn->rs3],
		.flip_a = flip_product, .flip_c = flip_sum,
	};
	bool all = warp->active == SGPU_FULL;
	u32 *d = warp->f[insn->rd], out[SGPU_LANES];
	unsigned int lane;

	if (sgpu_wide)
		fpu_fma_fused(all ? d : out, &f);
	else
		fpu_fma_double(all ? d : out, &f);
	for (lane = 0; !all && lane < SGPU_LANES; lane++)
		if (warp->active >> lane & 1)
			d[lane] = out[lane];
}

/* Results in float registers from float registers. */
static __always_inline void fpu_arith(struct sgpu_warp *warp, const struct sgpu_insn *insn)
{
	const u32 *a = warp->f[insn->rs1];
	const u32 *b = warp->f[insn->rs2];
	u32 *d = warp->f[insn->rd];
	unsigned int lane;

	switch (insn->op) {
	case SGPU_OP_FADD:
		FPU_EXEC(d, fpu_canonical(FA + FB));
		break;
	case SGPU_OP_FSUB:
		FPU_EXEC(d, fpu_canonical(FA - FB));
		break;
	case SGPU_OP_FMUL:
		FPU_EXEC(d, fpu_canonical(FA * FB));
		break;
	case SGPU_OP_FDIV:
		FPU_EXEC(d, fpu_canonical(FA / FB));
		break;
	case SGPU_OP_FSQRT:
		FPU_EXEC(d, fpu_canonical(fpu_sqrt(FA)));
		break;
	case SGPU_OP_FMADD:
		fpu_fma_lanes(warp, insn, 0, 0);
		break;
	case SGPU_OP_FMSUB:
		fpu_fma_lanes(warp, insn, 0, FPU_SIGN);
		break;
	case SGPU_OP_FNMSUB:
		fpu_fma_lanes(warp, insn, FPU_SIGN, 0);
		break;
	case SGPU_OP_FNMADD:
		fpu_fma_lanes(warp, insn, FPU_SIGN, FPU_SIGN);
		break;
	case SGPU_OP_FSGNJ:
		FPU_EXEC(d, (a[lane] & ~FPU_SIGN) | (b[lane] & FPU_SIGN));
		break;
	case SGPU_OP_FSGNJN:
		FPU_EXEC(d, (a[lane] & ~FPU_SIGN) | (~b[lane] & FPU_SIGN));
		break;
	case SGPU_OP_FSGNJX:
		FPU_EXEC(d, a[lane] ^ (b[lane] & FPU_SIGN));
		break;
	case SGPU_OP_FMIN:
		FPU_EXEC(d, fpu_min(a[lane], b[lane]));
		break;
	case SGPU_OP_FMAX:
		FPU_EXEC(d, fpu_max(a[lane], b[lane]));
		break;
	}
}

/* Results in integer registers. */
static __always_inline void fpu_to_int(struct sgpu_warp *warp, const struct sgpu_insn *insn)
{
	const u32 *a = warp->f[insn->rs1];
	const u32 *b = warp->f[insn->rs2];
	u64 *x = warp->x[insn->rd];
	const unsigned int rm = insn->fn;
	unsigned int lane;

	switch (insn->op) {
	case SGPU_OP_FEQ:
		FPU_EXEC(x, FA == FB);
		break;
	case SGPU_OP_FLT:
		FPU_EXEC(x, FA < FB);
		break;
	case SGPU_OP_FLE:
		FPU_EXEC(x, FA <= FB);
		break;
	case SGPU_OP_FCLASS:
		FPU_EXEC(x, fpu_class(a[lane]));
		break;
	case SGPU_OP_FMV_X_W:
		FPU_EXEC(x, (u64)(s64)(s32)a[lane]);
		break;
	case SGPU_OP_FCVT_W_S:
		FPU_EXEC(x, fpu_to_s32(a[lane], rm));
		break;
	case SGPU_OP_FCVT_WU_S:
		FPU_EXEC(x, fpu_to_u32(a[lane], rm));
		break;
	case SGPU_OP_FCVT_L_S:
		FPU_EXEC(x, fpu_to_s64(a[lane], rm));
		break;
	case SGPU_OP_FCVT_LU_S:
		FPU_EXEC(x, fpu_to_u64(a[lane], rm));
		break;
	}
}

/* Results in float registers from integer registers. */
static __always_inline void fpu_from_int(struct sgpu_warp *warp, const struct sgpu_insn *insn)
{
	const u64 *y = warp->x[insn->rs1];
	u32 *d = warp->f[insn->rd];
	unsigned int lane;

	switch (insn->op) {
	case SGPU_OP_FMV_W_X:
		FPU_EXEC(d, (u32)y[lane]);
		break;
	case SGPU_OP_FCVT_S_W:
		FPU_EXEC(d, fpu_bits((float)(s32)y[lane]));
		break;
	case SGPU_OP_FCVT_S_WU:
		FPU_EXEC(d, fpu_bits((float)(u32)y[lane]));
		break;
	case SGPU_OP_FCVT_S_L:
		FPU_EXEC(d, fpu_bits((float)(s64)y[lane]));
		break;
	case SGPU_OP_FCVT_S_LU:
		FPU_EXEC(d, fpu_bits((float)y[lane]));
		break;
	}
}

static __always_inline void fpu_exec(struct sgpu_warp *warp, const struct sgpu_insn *insn)
{
	if (insn->op < SGPU_OP_FEQ)
		fpu_arith(warp, insn);
	else if (insn->op == SGPU_OP_FMV_W_X || insn->op >= SGPU_OP_FCVT_S_W)
		fpu_from_int(warp, insn);
	else
		fpu_to_int(warp, insn);
}

static SGPU_WIDE void fpu_exec_wide(struct sgpu_warp *warp, const struct sgpu_insn *insn)
{
	fpu_exec(warp, insn);
}

static noinline void fpu_exec_base(struct sgpu_warp *warp, const struct sgpu_insn *insn)
{
	fpu_exec(warp, insn);
}

/* What lies between float and integer registers. */
static noinline void fpu_exec_mixed(struct sgpu_warp *warp, const struct sgpu_insn *insn)
{
	sgpu_rows_read(warp, insn->reads);
	sgpu_rows_write(warp, insn->writes, warp->active);
	if (sgpu_wide)
		fpu_exec_wide(warp, insn);
	else
		fpu_exec_base(warp, insn);
}

void sgpu_exec_float(struct sgpu_warp *warp, const struct sgpu_insn *insn)
{
	if (insn->reads | insn->writes)
		fpu_exec_mixed(warp, insn);
	else if (sgpu_wide)
		fpu_exec_wide(warp, insn);
	else
		fpu_exec_base(warp, insn);
}
EXPORT_SYMBOL_IF_KUNIT(sgpu_exec_float);
