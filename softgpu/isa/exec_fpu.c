// SPDX-License-Identifier: GPL-2.0
/* Single precision, 32 lanes at a time: exec_float.h, and multiply-add with one rounding. */
#include <kunit/visibility.h>
#include <linux/export.h>
#include <linux/string.h>
#include <linux/types.h>
#include "isa/exec.h"
#include "isa/isa.h"

#define FP_FLOAT		float
#define FP_WORD			u32
#define FP_INT			s32
#define FP_FRACTION_BITS	23
#define FP_SQRT			"sqrtss"
#define FP_OP(insn)		((insn)->op)
#define FP_ROW(warp, reg)	((warp)->f[reg])
#include "isa/exec_float.h"

union fpu_double {
	u64 u;
	double f;
};

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
		float x = fp_float(a[lane] ^ flip_a), y = fp_float(b[lane]);
		float z = fp_float(c[lane] ^ flip_c);

		d[lane] = fp_canonical(__builtin_fmaf(x, y, z));
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
	return fp_canonical((float)sum.f);
}

/*
 * Could rounding twice round wrongly?  Only if the rounded sum lies in the
 * middle between two floats: for a normal result its low 29 bits tell.
 */
static inline bool fpu_fma_is_hard(u32 low, u32 high)
{
	u32 size = high & ~FP_SIGN;
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
		sum.f[lane] = (double)fp_float(a[lane]) * (double)fp_float(b[lane]) +
			      (double)fp_float(c[lane]);
		out[lane] = fp_canonical((float)sum.f[lane]);
	}
	for (lane = 0; lane < SGPU_LANES; lane++)
		hard |= fpu_fma_is_hard(sum.u[2 * lane], sum.u[2 * lane + 1]);
	for (lane = 0; hard && lane < SGPU_LANES; lane++)
		out[lane] = fpu_fma(fp_float(a[lane]), fp_float(b[lane]), fp_float(c[lane]));
	memcpy(d, out, sizeof(out));
}

/* d = +-(a * b) +- c */
static void fp_fused(struct sgpu_warp *warp, const struct sgpu_insn *insn, u32 flip_product,
		     u32 flip_sum)
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

/* What lies between float and integer registers. */
static noinline void fpu_exec_mixed(struct sgpu_warp *warp, const struct sgpu_insn *insn)
{
	sgpu_rows_read(warp, insn->reads);
	sgpu_rows_write(warp, insn->writes, warp->active);
	fp_exec(warp, insn);
}

void sgpu_exec_float(struct sgpu_warp *warp, const struct sgpu_insn *insn)
{
	if (insn->reads | insn->writes)
		fpu_exec_mixed(warp, insn);
	else
		fp_exec(warp, insn);
}
EXPORT_SYMBOL_IF_KUNIT(sgpu_exec_float);
