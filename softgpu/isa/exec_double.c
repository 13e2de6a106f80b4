// SPDX-License-Identifier: GPL-2.0
/* Double precision, 32 lanes at a time, and single precision beside it; see exec_double.h. */
#include <kunit/visibility.h>
#include <linux/bitops.h>
#include <linux/export.h>
#include <linux/types.h>
#include "isa/exec.h"
#include "isa/exec_double.h"
#include "isa/isa.h"

#define FP_FLOAT		double
#define FP_WORD			u64
#define FP_INT			s64
#define FP_FRACTION_BITS	52
#define FP_SQRT			"sqrtsd"
#define FP_OP(insn)		((insn)->op - SGPU_OP_DOUBLE)
#define FP_ROW(warp, reg)	((warp)->d[reg])
#include "isa/exec_float.h"

#define SINGLE_NAN	0x7fc00000U

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
		f[lane] = d[lane] >= SGPU_BOX ? (u32)d[lane] : SINGLE_NAN;
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

static __always_inline void doubles_clear(struct sgpu_warp *warp, u32 used)
{
	unsigned int reg, lane;

	sgpu_for_each_lane(reg, used)
		for (lane = 0; lane < SGPU_LANES; lane++)
			warp->d[reg][lane] = 0;
}

static SGPU_WIDE void doubles_clear_wide(struct sgpu_warp *warp, u32 used)
{
	doubles_clear(warp, used);
}

void sgpu_doubles_clear(struct sgpu_warp *warp, u32 used)
{
	warp->doubles = used;
	if (sgpu_wide)
		doubles_clear_wide(warp, used);
	else
		doubles_clear(warp, used);
}

/* ---- what operations of both precisions read and write --------------- */

/* Float registers that are sources of @op, as in single precision. */
static u32 float_sources(const struct sgpu_insn *insn, unsigned int op)
{
	switch (op) {
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

static bool float_to_int(unsigned int op)
{
	return (op >= SGPU_OP_FEQ && op <= SGPU_OP_FMV_X_W) ||
	       (op >= SGPU_OP_FCVT_W_S && op <= SGPU_OP_FCVT_LU_S);
}

/* ---- single precision ------------------------------------------------ */

/* The active lanes' results in f[@reg] belong into a register of which others stay as they are. */
static void single_blend(struct sgpu_warp *warp, unsigned int reg)
{
	unsigned int lane;

	sgpu_for_each_lane(lane, warp->active)
		warp->d[reg][lane] = SGPU_BOX | warp->f[reg][lane];
}

/*
 * In the rows of 32 bits, as without double precision.  FMV.X.W alone takes the lower half as it
 * is.
 */
static void exec_single(struct sgpu_warp *warp, const struct sgpu_insn *insn)
{
	u32 sources = float_sources(insn, insn->op) & warp->doubles;
	unsigned int reg;

	if (insn->op == SGPU_OP_FMV_X_W)
		sgpu_doubles_low(warp, insn->rs1);
	else
		sgpu_for_each_lane(reg, sources)
			doubles_unbox(warp, reg);
	sgpu_exec_float(warp, insn);
	if (!float_to_int(insn->op) &&
	    !sgpu_doubles_write_single(warp, insn->rd, warp->active))
		single_blend(warp, insn->rd);
}

/* ---- double precision ------------------------------------------------ */

/* Its sources, then its result, are rows of 64 bits. */
static void double_rows(struct sgpu_warp *warp, const struct sgpu_insn *insn)
{
	u32 sources = float_sources(insn, FP_OP(insn)) & ~warp->doubles;
	unsigned int reg;

	sgpu_for_each_lane(reg, sources)
		doubles_box(warp, reg);
	if (!float_to_int(FP_OP(insn)))
		sgpu_doubles_write(warp, insn->rd, warp->active);
}

static SGPU_WIDE void double_fma_wide(u64 *d, const u64 *a, const u64 *b, const u64 *c,
				      u64 flip_a, u64 flip_c)
{
	unsigned int lane;

#pragma GCC ivdep
	for (lane = 0; lane < SGPU_LANES; lane++)
		d[lane] = fp_canonical(__builtin_fma(fp_float(a[lane] ^ flip_a), FB,
						     fp_float(c[lane] ^ flip_c)));
}

/* d = +-(a * b) +- c */
static void fp_fused(struct sgpu_warp *warp, const struct sgpu_insn *insn, u64 flip_a, u64 flip_c)
{
	const u64 *a = warp->d[insn->rs1], *b = warp->d[insn->rs2], *c = warp->d[insn->rs3];
	bool all = warp->active == SGPU_FULL;
	u64 *d = warp->d[insn->rd], out[SGPU_LANES];
	unsigned int lane;

	if (sgpu_wide)
		double_fma_wide(all ? d : out, a, b, c, flip_a, flip_c);
	if (sgpu_wide && all)
		return;
	sgpu_for_each_lane(lane, warp->active)
		d[lane] = sgpu_wide ? out[lane] :
			  sgpu_double_fma(a[lane] ^ flip_a, b[lane], c[lane] ^ flip_c);
}

union single_value {
	u32 u;
	float f;
};

static inline u64 double_to_single(double a)
{
	u32 u = ((union single_value){ .f = (float)a }).u;

	return SGPU_BOX | ((u & 0x7fffffff) > 0x7f800000 ? SINGLE_NAN : u);
}

static inline u64 double_from_single(u64 boxed)
{
	if (boxed < SGPU_BOX)
		return FP_NAN;
	return fp_canonical((double)((union single_value){ .u = (u32)boxed }).f);
}

/* Between the formats. */
static void double_format(struct sgpu_warp *warp, const struct sgpu_insn *insn)
{
	const u64 *a = warp->d[insn->rs1];
	u64 *d = warp->d[insn->rd];
	unsigned int lane;

	if (insn->op == SGPU_OP_FCVT_S_D)
		FP_EXEC(d, double_to_single(FA));
	else
		FP_EXEC(d, double_from_single(a[lane]));
}

void sgpu_exec_double(struct sgpu_warp *warp, const struct sgpu_insn *insn)
{
	if (insn->op < SGPU_OP_FADD_D) {
		exec_single(warp, insn);
		return;
	}
	sgpu_rows_read(warp, insn->reads);
	sgpu_rows_write(warp, insn->writes, warp->active);
	double_rows(warp, insn);
	if (insn->op >= SGPU_OP_FCVT_S_D)
		double_format(warp, insn);
	else
		fp_exec(warp, insn);
}
EXPORT_SYMBOL_IF_KUNIT(sgpu_exec_double);
