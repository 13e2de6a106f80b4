// SPDX-License-Identifier: GPL-2.0
/*
 * Arithmetic on registers that are lines: x of lane is base + lane * step.  Pure.
 *
 * Addresses, indices, counters and arguments are lines nearly always, and computing one number
 * instead of 32 is what makes them cheap (S. Collange, D. Defour, Y. Zhang, "Dynamic detection
 * of uniform and affine vectors in GPGPU computations", 2009).  Here it is a matter of the
 * interpreter's speed alone: results are those of the 32 lanes, wherever there are lines.
 *
 * A line says nothing of how its lanes compare, or of their upper bits, if it wraps around on
 * its way: what depends on these looks at both ends first.
 */
#include <kunit/visibility.h>
#include <linux/export.h>
#include "isa/exec.h"
#include "isa/isa.h"

#define AFFINE_LAST	(SGPU_LANES - 1)

/* Both ends as integers; false: the lanes between do not lie between them. */
static bool affine_ends(const struct sgpu_affine *a, bool is_signed, s128 *first, s128 *last)
{
	*first = is_signed ? (s128)(s64)a->base : (s128)a->base;
	*last = *first + (s128)(s64)a->step * AFFINE_LAST;
	return is_signed ? *last == (s64)*last : *last == (u64)*last;
}

/* a < b in all lanes (1), in none (0), or not known (-1). */
static int affine_less(const struct sgpu_affine *a, const struct sgpu_affine *b, bool is_signed)
{
	s128 a_first, a_last, b_first, b_last;

	if (!affine_ends(a, is_signed, &a_first, &a_last) ||
	    !affine_ends(b, is_signed, &b_first, &b_last))
		return -1;
	/* the difference has no bends: what it is at both ends it is between */
	return (a_first < b_first) == (a_last < b_last) ? a_first < b_first : -1;
}

static int affine_equal(const struct sgpu_affine *a, const struct sgpu_affine *b)
{
	const struct sgpu_affine apart = { a->base - b->base, a->step - b->step };
	s128 first, last;

	if (!apart.step)
		return !apart.base;
	if (!affine_ends(&apart, true, &first, &last))
		return -1;
	return (first < 0 && last < 0) || (first > 0 && last > 0) ? 0 : -1;
}

static int affine_not(int all)
{
	return all < 0 ? all : !all;
}

int sgpu_affine_condition(const struct sgpu_warp *warp, const struct sgpu_insn *insn)
{
	const struct sgpu_affine *a = &warp->ax[insn->rs1], *b = &warp->ax[insn->rs2];

	switch (insn->op) {
	case SGPU_OP_BEQ:
		return affine_equal(a, b);
	case SGPU_OP_BNE:
		return affine_not(affine_equal(a, b));
	case SGPU_OP_BLT:
		return affine_less(a, b, true);
	case SGPU_OP_BGE:
		return affine_not(affine_less(a, b, true));
	case SGPU_OP_BLTU:
		return affine_less(a, b, false);
	case SGPU_OP_BGEU:
		return affine_not(affine_less(a, b, false));
	}
	return -1;
}
EXPORT_SYMBOL_IF_KUNIT(sgpu_affine_condition);

/* 32 bits, sign-extended: a line if no lane's upper bits differ from the sign. */
static bool affine_word(u64 base, u64 sum, u64 *step)
{
	s64 each = (s32)sum, last = (s64)base + each * AFFINE_LAST;

	*step = each;
	return last == (s32)last;
}

/* a >> shift: no lane takes bits from the ones it loses to the next. */
static bool affine_right(const struct sgpu_affine *a, unsigned int shift, bool is_signed, u64 *step)
{
	s128 first, last;

	*step = (s64)a->step >> shift;
	return *step << shift == a->step && affine_ends(a, is_signed, &first, &last);
}

/* The step of the results; false: they are no line. */
static __always_inline bool affine_step(const struct sgpu_warp *warp,
					const struct sgpu_insn *insn, u64 base, u64 *step)
{
	const struct sgpu_affine imm = { insn->imm, 0 };
	const struct sgpu_affine *a = &warp->ax[insn->rs1];
	const struct sgpu_affine *b = &warp->ax[insn->rs2];

	*step = 0;
	switch (insn->op) {
	case SGPU_OP_LI:
		return true;
	case SGPU_OP_ADDI:
		*step = a->step;
		return true;
	case SGPU_OP_ADDIW:
		return affine_word(base, a->step, step);
	case SGPU_OP_SLLI:
		*step = a->step << insn->imm;
		return true;
	case SGPU_OP_SLLIW:
		return affine_word(base, a->step << insn->imm, step);
	case SGPU_OP_SRLI:
		return affine_right(a, insn->imm, false, step);
	case SGPU_OP_SRAI:
		return affine_right(a, insn->imm, true, step);
	case SGPU_OP_SLTI:
		return affine_less(a, &imm, true) >= 0;
	case SGPU_OP_SLTIU:
		return affine_less(a, &imm, false) >= 0;
	case SGPU_OP_ADD:
		*step = a->step + b->step;
		return true;
	case SGPU_OP_ADDW:
		return affine_word(base, a->step + b->step, step);
	case SGPU_OP_SUB:
		*step = a->step - b->step;
		return true;
	case SGPU_OP_SUBW:
		return affine_word(base, a->step - b->step, step);
	case SGPU_OP_SLT:
		return affine_less(a, b, true) >= 0;
	case SGPU_OP_SLTU:
		return affine_less(a, b, false) >= 0;
	case SGPU_OP_MUL:
		*step = a->step * b->base + b->step * a->base;
		return !a->step || !b->step;
	case SGPU_OP_MULW:
		return (!a->step || !b->step) &&
		       affine_word(base, a->step * b->base + b->step * a->base, step);
	}
	/* anything else of one value each has one value; x0 and what is not read count as such */
	return !((insn->reads >> insn->rs1 & 1 ? a->step : 0) |
		 (insn->reads >> insn->rs2 & 1 ? b->step : 0));
}

bool sgpu_affine_result(struct sgpu_warp *warp, const struct sgpu_insn *insn, u64 base)
{
	u64 step;

	if (!affine_step(warp, insn, base, &step))
		return false;
	sgpu_affine_set(warp, insn->rd, base, step);
	return true;
}
EXPORT_SYMBOL_IF_KUNIT(sgpu_affine_result);
