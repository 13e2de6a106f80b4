// SPDX-License-Identifier: GPL-2.0
/*
 * Double precision, 32 lanes at a time, and single precision beside it; see exec_double.h.
 * As in exec_fpu.c only what every x86-64 computes alike is used, and NaNs are canonical.
 */
#include <kunit/visibility.h>
#include <linux/bitops.h>
#include <linux/export.h>
#include <linux/limits.h>
#include <linux/types.h>
#include "isa/exec.h"
#include "isa/exec_double.h"
#include "isa/isa.h"

#define DBL_NAN		0x7ff8000000000000ULL
#define DBL_SIGN	0x8000000000000000ULL
#define DBL_EXP		0x7ff0000000000000ULL
#define DBL_FRACTION	0x000fffffffffffffULL
#define DBL_QUIET	0x0008000000000000ULL
#define DBL_NAN_SINGLE	0x7fc00000U

union dbl_word {
	u64 u;
	double f;
};

union dbl_single {
	u32 u;
	float f;
};

static inline double dbl_float(u64 u)
{
	return ((union dbl_word){ .u = u }).f;
}

static inline bool dbl_isnan(u64 u)
{
	return (u & ~DBL_SIGN) > DBL_EXP;
}

static inline u64 dbl_canonical(double f)
{
	u64 u = ((union dbl_word){ .f = f }).u;

	return dbl_isnan(u) ? DBL_NAN : u;
}

static inline float dbl_single(u32 u)
{
	return ((union dbl_single){ .u = u }).f;
}

static inline u32 dbl_single_canonical(float f)
{
	u32 u = ((union dbl_single){ .f = f }).u;

	return (u & 0x7fffffff) > 0x7f800000 ? DBL_NAN_SINGLE : u;
}

/* ---- registers ------------------------------------------------------- */

static void doubles_box(struct sgpu_warp *warp, unsigned int reg)
{
	u64 *d = warp->d[reg];
	const u32 *f = warp->f[reg];
	unsigned int lane;

	for (lane = 0; lane < SGPU_LANES; lane++)
		d[lane] = SGPU_BOX | f[lane];
}

/* What is not boxed is a NaN as single precision. */
static void doubles_unbox(struct sgpu_warp *warp, unsigned int reg)
{
	const u64 *d = warp->d[reg];
	u32 *f = warp->f[reg];
	unsigned int lane;

	for (lane = 0; lane < SGPU_LANES; lane++)
		f[lane] = d[lane] >= SGPU_BOX ? (u32)d[lane] : DBL_NAN_SINGLE;
}

const u64 *sgpu_doubles_read(struct sgpu_warp *warp, unsigned int reg)
{
	if (!(warp->doubles >> reg & 1))
		doubles_box(warp, reg);
	return warp->d[reg];
}
EXPORT_SYMBOL_IF_KUNIT(sgpu_doubles_read);

const u32 *sgpu_doubles_low(struct sgpu_warp *warp, unsigned int reg)
{
	unsigned int lane;

	if (warp->doubles >> reg & 1)
		for (lane = 0; lane < SGPU_LANES; lane++)
			warp->f[reg][lane] = (u32)warp->d[reg][lane];
	return warp->f[reg];
}
EXPORT_SYMBOL_IF_KUNIT(sgpu_doubles_low);

u64 *sgpu_doubles_write(struct sgpu_warp *warp, unsigned int reg, u32 lanes)
{
	if (!(warp->doubles >> reg & 1) && lanes != warp->live)
		doubles_box(warp, reg);
	warp->doubles |= BIT(reg);
	return warp->d[reg];
}
EXPORT_SYMBOL_IF_KUNIT(sgpu_doubles_write);

u32 *sgpu_doubles_write_single(struct sgpu_warp *warp, unsigned int reg, u32 lanes)
{
	if (lanes == warp->live)
		warp->doubles &= ~BIT(reg);
	return warp->doubles >> reg & 1 ? NULL : warp->f[reg];
}

void sgpu_doubles_clear(struct sgpu_warp *warp, u32 used)
{
	unsigned int reg, lane;

	warp->doubles = used;
	sgpu_for_each_lane(reg, used)
		for (lane = 0; lane < SGPU_LANES; lane++)
			warp->d[reg][lane] = 0;
}

/* ---- single precision ------------------------------------------------ */

/*
 * Float registers that are sources of an operation of single precision; FMV.X.W alone takes the
 * lower half as it is.
 */
static u32 single_sources(const struct sgpu_insn *insn)
{
	switch (insn->op) {
	case SGPU_OP_FMV_W_X:
	case SGPU_OP_FCVT_S_W:
	case SGPU_OP_FCVT_S_WU:
	case SGPU_OP_FCVT_S_L:
	case SGPU_OP_FCVT_S_LU:
		return 0;
	case SGPU_OP_FADD:
	case SGPU_OP_FSUB:
	case SGPU_OP_FMUL:
	case SGPU_OP_FDIV:
	case SGPU_OP_FSGNJ:
	case SGPU_OP_FSGNJN:
	case SGPU_OP_FSGNJX:
	case SGPU_OP_FMIN:
	case SGPU_OP_FMAX:
	case SGPU_OP_FEQ:
	case SGPU_OP_FLT:
	case SGPU_OP_FLE:
		return BIT(insn->rs1) | BIT(insn->rs2);
	case SGPU_OP_FMADD:
	case SGPU_OP_FMSUB:
	case SGPU_OP_FNMSUB:
	case SGPU_OP_FNMADD:
		return BIT(insn->rs1) | BIT(insn->rs2) | BIT(insn->rs3);
	}
	return BIT(insn->rs1);
}

static bool single_to_int(const struct sgpu_insn *insn)
{
	return (insn->op >= SGPU_OP_FEQ && insn->op <= SGPU_OP_FMV_X_W) ||
	       (insn->op >= SGPU_OP_FCVT_W_S && insn->op <= SGPU_OP_FCVT_LU_S);
}

/* The active lanes' results in f[@reg] belong into a register of which others stay as they are. */
static void single_blend(struct sgpu_warp *warp, unsigned int reg)
{
	unsigned int lane;

	sgpu_for_each_lane(lane, warp->active)
		warp->d[reg][lane] = SGPU_BOX | warp->f[reg][lane];
}

/* In the rows of 32 bits, as without double precision. */
static void exec_single(struct sgpu_warp *warp, const struct sgpu_insn *insn)
{
	u32 sources = single_sources(insn) & warp->doubles;
	unsigned int reg;

	if (insn->op == SGPU_OP_FMV_X_W)
		sgpu_doubles_low(warp, insn->rs1);
	else
		sgpu_for_each_lane(reg, sources)
			doubles_unbox(warp, reg);
	sgpu_exec_float(warp, insn);
	if (!single_to_int(insn) && !sgpu_doubles_write_single(warp, insn->rd, warp->active))
		single_blend(warp, insn->rd);
}

/* ---- double precision ------------------------------------------------ */

static inline u64 dbl_min(u64 a, u64 b)
{
	if (dbl_isnan(a))
		return dbl_isnan(b) ? DBL_NAN : b;
	if (dbl_isnan(b))
		return a;
	if (dbl_float(a) == dbl_float(b))
		return a | b;			/* -0 is less than +0 */
	return dbl_float(a) < dbl_float(b) ? a : b;
}

static inline u64 dbl_max(u64 a, u64 b)
{
	if (dbl_isnan(a))
		return dbl_isnan(b) ? DBL_NAN : b;
	if (dbl_isnan(b))
		return a;
	if (dbl_float(a) == dbl_float(b))
		return a & b;
	return dbl_float(a) > dbl_float(b) ? a : b;
}

static inline u64 dbl_class(u64 u)
{
	bool negative = u & DBL_SIGN;
	u64 exponent = u & DBL_EXP, fraction = u & DBL_FRACTION;

	if (exponent == DBL_EXP) {
		if (fraction)
			return fraction & DBL_QUIET ? 1 << 9 : 1 << 8;
		return negative ? 1 << 0 : 1 << 7;
	}
	if (exponent)
		return negative ? 1 << 1 : 1 << 6;
	if (fraction)
		return negative ? 1 << 2 : 1 << 5;
	return negative ? 1 << 3 : 1 << 4;
}

/* @a, rounded to an integer by @rm; |@a| < 2^63. */
static inline s64 dbl_round(double a, unsigned int rm)
{
	s64 t = (s64)a;
	double rest = a - (double)t;	/* exact; 0 from 2^52 on */
	int away = a < 0 ? -1 : 1;
	double size = rest < 0 ? -rest : rest;

	switch (rm) {
	case SGPU_RM_RNE:
		return size > 0.5 || (size == 0.5 && t & 1) ? t + away : t;
	case SGPU_RM_RDN:
		return rest < 0 ? t - 1 : t;
	case SGPU_RM_RUP:
		return rest > 0 ? t + 1 : t;
	case SGPU_RM_RMM:
		return size >= 0.5 ? t + away : t;
	}
	return t;
}

static inline u64 dbl_to_s64(u64 u, unsigned int rm)
{
	double a = dbl_float(u);

	if (dbl_isnan(u) || a >= 0x1p63)
		return S64_MAX;
	if (a < -0x1p63)
		return S64_MIN;
	return dbl_round(a, rm);
}

static inline u64 dbl_to_u64(u64 u, unsigned int rm)
{
	double a = dbl_float(u);
	s64 t;

	if (dbl_isnan(u) || a >= 0x1p64)
		return U64_MAX;
	if (a >= 0x1p63)
		return (u64)(s64)(a - 0x1p63) + (1ULL << 63);
	if (a <= -1.0)
		return 0;
	t = dbl_round(a, rm);
	return t < 0 ? 0 : t;
}

static inline u64 dbl_to_s32(u64 u, unsigned int rm)
{
	s64 t = dbl_to_s64(u, rm);

	if (t > S32_MAX)
		return S32_MAX;
	return t < S32_MIN ? (u64)(s64)S32_MIN : t;
}

static inline u64 dbl_to_u32(u64 u, unsigned int rm)
{
	u64 t = dbl_to_u64(u, rm);

	return (u64)(s64)(s32)(t > U32_MAX ? U32_MAX : t);
}

static inline double dbl_sqrt(double a)
{
	double root;

	asm("sqrtsd %1, %0" : "=x" (root) : "xm" (a));
	return root;
}

/* d[lane] = expr for the active lanes; expr may use lane and the sources. */
#define DBL_EXEC(d, expr) do {						\
	if (warp->active == SGPU_FULL) {				\
		SGPU_IVDEP						\
		for (lane = 0; lane < SGPU_LANES; lane++)		\
			(d)[lane] = (expr);				\
	} else {							\
		sgpu_for_each_lane(lane, warp->active)			\
			(d)[lane] = (expr);				\
	}								\
} while (0)

#define DA	dbl_float(a[lane])
#define DB	dbl_float(b[lane])

static SGPU_WIDE void dbl_fma_fused(u64 *d, const u64 *a, const u64 *b, const u64 *c,
				    u64 flip_a, u64 flip_c)
{
	unsigned int lane;

#pragma GCC ivdep
	for (lane = 0; lane < SGPU_LANES; lane++)
		d[lane] = dbl_canonical(__builtin_fma(dbl_float(a[lane] ^ flip_a), DB,
						      dbl_float(c[lane] ^ flip_c)));
}

/* d = +-(a * b) +- c */
static void dbl_fma(struct sgpu_warp *warp, const struct sgpu_insn *insn, u64 flip_a, u64 flip_c)
{
	const u64 *a = sgpu_doubles_read(warp, insn->rs1);
	const u64 *b = sgpu_doubles_read(warp, insn->rs2);
	const u64 *c = sgpu_doubles_read(warp, insn->rs3);
	u64 *d = sgpu_doubles_write(warp, insn->rd, warp->active);
	u64 out[SGPU_LANES];
	unsigned int lane;

	if (sgpu_wide)
		dbl_fma_fused(out, a, b, c, flip_a, flip_c);
	sgpu_for_each_lane(lane, warp->active)
		d[lane] = sgpu_wide ? out[lane] :
			  sgpu_double_fma(a[lane] ^ flip_a, b[lane], c[lane] ^ flip_c);
}

static void dbl_fused(struct sgpu_warp *warp, const struct sgpu_insn *insn)
{
	switch (insn->op) {
	case SGPU_OP_FMADD_D:
		dbl_fma(warp, insn, 0, 0);
		break;
	case SGPU_OP_FMSUB_D:
		dbl_fma(warp, insn, 0, DBL_SIGN);
		break;
	case SGPU_OP_FNMSUB_D:
		dbl_fma(warp, insn, DBL_SIGN, 0);
		break;
	case SGPU_OP_FNMADD_D:
		dbl_fma(warp, insn, DBL_SIGN, DBL_SIGN);
		break;
	}
}

/* Results in float registers from float registers. */
static __always_inline void dbl_arith(struct sgpu_warp *warp, const struct sgpu_insn *insn,
				      u64 *d, const u64 *a, const u64 *b)
{
	unsigned int lane;

	switch (insn->op) {
	case SGPU_OP_FADD_D:
		DBL_EXEC(d, dbl_canonical(DA + DB));
		break;
	case SGPU_OP_FSUB_D:
		DBL_EXEC(d, dbl_canonical(DA - DB));
		break;
	case SGPU_OP_FMUL_D:
		DBL_EXEC(d, dbl_canonical(DA * DB));
		break;
	case SGPU_OP_FDIV_D:
		DBL_EXEC(d, dbl_canonical(DA / DB));
		break;
	case SGPU_OP_FSQRT_D:
		DBL_EXEC(d, dbl_canonical(dbl_sqrt(DA)));
		break;
	case SGPU_OP_FSGNJ_D:
		DBL_EXEC(d, (a[lane] & ~DBL_SIGN) | (b[lane] & DBL_SIGN));
		break;
	case SGPU_OP_FSGNJN_D:
		DBL_EXEC(d, (a[lane] & ~DBL_SIGN) | (~b[lane] & DBL_SIGN));
		break;
	case SGPU_OP_FSGNJX_D:
		DBL_EXEC(d, a[lane] ^ (b[lane] & DBL_SIGN));
		break;
	case SGPU_OP_FMIN_D:
		DBL_EXEC(d, dbl_min(a[lane], b[lane]));
		break;
	case SGPU_OP_FMAX_D:
		DBL_EXEC(d, dbl_max(a[lane], b[lane]));
		break;
	}
}

/* Results in integer registers. */
static __always_inline void dbl_to_int(struct sgpu_warp *warp, const struct sgpu_insn *insn,
				       u64 *x, const u64 *a, const u64 *b)
{
	const unsigned int rm = insn->fn;
	unsigned int lane;

	switch (insn->op) {
	case SGPU_OP_FEQ_D:
		DBL_EXEC(x, DA == DB);
		break;
	case SGPU_OP_FLT_D:
		DBL_EXEC(x, DA < DB);
		break;
	case SGPU_OP_FLE_D:
		DBL_EXEC(x, DA <= DB);
		break;
	case SGPU_OP_FCLASS_D:
		DBL_EXEC(x, dbl_class(a[lane]));
		break;
	case SGPU_OP_FMV_X_D:
		DBL_EXEC(x, a[lane]);
		break;
	case SGPU_OP_FCVT_W_D:
		DBL_EXEC(x, dbl_to_s32(a[lane], rm));
		break;
	case SGPU_OP_FCVT_WU_D:
		DBL_EXEC(x, dbl_to_u32(a[lane], rm));
		break;
	case SGPU_OP_FCVT_L_D:
		DBL_EXEC(x, dbl_to_s64(a[lane], rm));
		break;
	case SGPU_OP_FCVT_LU_D:
		DBL_EXEC(x, dbl_to_u64(a[lane], rm));
		break;
	}
}

/* Results in float registers from integer registers. */
static __always_inline void dbl_from_int(struct sgpu_warp *warp, const struct sgpu_insn *insn,
					 u64 *d, const u64 *y)
{
	unsigned int lane;

	switch (insn->op) {
	case SGPU_OP_FMV_D_X:
		DBL_EXEC(d, y[lane]);
		break;
	case SGPU_OP_FCVT_D_W:
		DBL_EXEC(d, dbl_canonical((double)(s32)y[lane]));
		break;
	case SGPU_OP_FCVT_D_WU:
		DBL_EXEC(d, dbl_canonical((double)(u32)y[lane]));
		break;
	case SGPU_OP_FCVT_D_L:
		DBL_EXEC(d, dbl_canonical((double)(s64)y[lane]));
		break;
	case SGPU_OP_FCVT_D_LU:
		DBL_EXEC(d, dbl_canonical((double)y[lane]));
		break;
	}
}

/* Between the formats. */
static void dbl_format(struct sgpu_warp *warp, const struct sgpu_insn *insn)
{
	const u64 *a;
	unsigned int lane;
	u64 *d;

	if (insn->op == SGPU_OP_FCVT_D_S) {
		a = sgpu_doubles_read(warp, insn->rs1);
		d = sgpu_doubles_write(warp, insn->rd, warp->active);
		DBL_EXEC(d, a[lane] < SGPU_BOX ? DBL_NAN :
			 dbl_canonical((double)dbl_single((u32)a[lane])));
		return;
	}
	a = sgpu_doubles_read(warp, insn->rs1);
	d = sgpu_doubles_write(warp, insn->rd, warp->active);
	DBL_EXEC(d, SGPU_BOX | dbl_single_canonical((float)DA));
}

static __always_inline void dbl_exec(struct sgpu_warp *warp, const struct sgpu_insn *insn)
{
	const u64 *a, *b;

	if (insn->op == SGPU_OP_FMV_D_X || insn->op >= SGPU_OP_FCVT_D_W) {
		dbl_from_int(warp, insn, sgpu_doubles_write(warp, insn->rd, warp->active),
			     warp->x[insn->rs1]);
		return;
	}
	a = sgpu_doubles_read(warp, insn->rs1);
	b = insn->op >= SGPU_OP_FCLASS_D || insn->op == SGPU_OP_FSQRT_D ? a :
	    sgpu_doubles_read(warp, insn->rs2);
	if (insn->op < SGPU_OP_FEQ_D)
		dbl_arith(warp, insn, sgpu_doubles_write(warp, insn->rd, warp->active), a, b);
	else
		dbl_to_int(warp, insn, warp->x[insn->rd], a, b);
}

static SGPU_WIDE void dbl_exec_wide(struct sgpu_warp *warp, const struct sgpu_insn *insn)
{
	dbl_exec(warp, insn);
}

static noinline void dbl_exec_base(struct sgpu_warp *warp, const struct sgpu_insn *insn)
{
	dbl_exec(warp, insn);
}

bool sgpu_double_is_arith(const struct sgpu_insn *insn)
{
	switch (insn->op) {
	case SGPU_OP_FSGNJ_D:
	case SGPU_OP_FSGNJN_D:
	case SGPU_OP_FSGNJX_D:
	case SGPU_OP_FCLASS_D:
	case SGPU_OP_FMV_X_D:
	case SGPU_OP_FMV_D_X:
		return false;
	}
	return insn->op >= SGPU_OP_FADD_D && insn->op <= SGPU_OP_FCVT_D_S;
}

void sgpu_exec_double(struct sgpu_warp *warp, const struct sgpu_insn *insn)
{
	if (insn->op < SGPU_OP_FADD_D) {
		exec_single(warp, insn);
		return;
	}
	sgpu_rows_read(warp, insn->reads);
	sgpu_rows_write(warp, insn->writes, warp->active);
	if (insn->op >= SGPU_OP_FMADD_D && insn->op <= SGPU_OP_FNMADD_D)
		dbl_fused(warp, insn);
	else if (insn->op == SGPU_OP_FCVT_S_D || insn->op == SGPU_OP_FCVT_D_S)
		dbl_format(warp, insn);
	else if (sgpu_wide)
		dbl_exec_wide(warp, insn);
	else
		dbl_exec_base(warp, insn);
}
EXPORT_SYMBOL_IF_KUNIT(sgpu_exec_double);
