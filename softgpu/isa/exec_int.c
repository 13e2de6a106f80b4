// SPDX-License-Identifier: GPL-2.0
/*
 * Integer operations, 32 lanes at a time, or one number for all if they are a line.
 *
 * With all lanes active a loop writes the destination row, and the compiler
 * turns it into SSE2.  Of some lanes each result is blended in under the lane
 * mask, few are taken one by one.  A source row may be the destination row but
 * rows never overlap in part, hence ivdep.
 */
#include <linux/bitops.h>
#include <linux/math64.h>
#include <linux/types.h>
#include <kunit/visibility.h>
#include <linux/export.h>
#include "isa/exec.h"
#include "isa/isa.h"
#include "isa/warp.h"

/* So many lanes take less time one by one than 32 at once (measured under QEMU's TCG). */
#define EXEC_FEW	8

/* d[lane] = expr for each active lane, in order: also for what is too dear for idle ones. */
#define EXEC_EACH(expr) do {						\
	sgpu_for_each_lane(lane, one ? 1 : warp->active)		\
		d[lane] = (expr);					\
} while (0)

/* d[lane] = expr for the active lanes; expr may use lane, a, b, imm. */
#define EXEC(expr) do {							\
	if (one) {							\
		lane = 0;						\
		d[lane] = (expr);					\
	} else if (full) {						\
		SGPU_IVDEP						\
		for (lane = 0; lane < SGPU_LANES; lane++)		\
			d[lane] = (expr);				\
	} else if (hweight32(warp->active) <= EXEC_FEW) {		\
		EXEC_EACH(expr);					\
	} else {							\
		SGPU_IVDEP						\
		for (lane = 0; lane < SGPU_LANES; lane++)		\
			d[lane] = (m[lane] & (expr)) | (~m[lane] & d[lane]); \
	}								\
} while (0)

#define SEXT32(v)	((u64)(s64)(s32)(v))

static inline u64 exec_mulh(u64 a, u64 b)
{
	return (u64)(((s128)(s64)a * (s64)b) >> 64);
}

static inline u64 exec_mulhu(u64 a, u64 b)
{
	return (u64)(((u128)a * b) >> 64);
}

static inline u64 exec_mulhsu(u64 a, u64 b)
{
	return exec_mulhu(a, b) - ((s64)a < 0 ? b : 0);
}

/* Division never traps: by zero gives all ones, overflow the dividend. */
static inline u64 exec_div(u64 a, u64 b)
{
	if (!b)
		return ~0ULL;
	if (b == ~0ULL)
		return -a;
	return (u64)((s64)a / (s64)b);
}

static inline u64 exec_rem(u64 a, u64 b)
{
	if (!b)
		return a;
	if (b == ~0ULL)
		return 0;
	return (u64)((s64)a % (s64)b);
}

static inline u64 exec_divw(u32 a, u32 b)
{
	if (!b)
		return ~0ULL;
	if (b == ~0U)
		return SEXT32(-a);
	return SEXT32((s32)a / (s32)b);
}

static inline u64 exec_remw(u32 a, u32 b)
{
	if (!b)
		return SEXT32(a);
	if (b == ~0U)
		return 0;
	return SEXT32((s32)a % (s32)b);
}

/* x[@reg] of each lane, or only of lane 0. */
static __always_inline const u64 *exec_source(const struct sgpu_warp *warp, unsigned int reg,
					      bool one)
{
	return one ? &warp->ax[reg].base : warp->x[reg];
}

/* Operations with an immediate. */
static __always_inline void exec_imm(struct sgpu_warp *warp, const struct sgpu_insn *insn,
				     u64 *d, bool one)
{
	const bool full = warp->active == SGPU_FULL;
	const u64 *m = warp->lane_mask;
	const u64 *a = exec_source(warp, insn->rs1, one);
	const u64 imm = insn->imm;
	unsigned int lane;

	switch (insn->op) {
	case SGPU_OP_LI:
		EXEC(imm);
		break;
	case SGPU_OP_ADDI:
		EXEC(a[lane] + imm);
		break;
	case SGPU_OP_SLTI:
		EXEC((u64)((s64)a[lane] < (s64)imm));
		break;
	case SGPU_OP_SLTIU:
		EXEC((u64)(a[lane] < imm));
		break;
	case SGPU_OP_XORI:
		EXEC(a[lane] ^ imm);
		break;
	case SGPU_OP_ORI:
		EXEC(a[lane] | imm);
		break;
	case SGPU_OP_ANDI:
		EXEC(a[lane] & imm);
		break;
	case SGPU_OP_SLLI:
		EXEC(a[lane] << imm);
		break;
	case SGPU_OP_SRLI:
		EXEC(a[lane] >> imm);
		break;
	case SGPU_OP_SRAI:
		EXEC((u64)((s64)a[lane] >> imm));
		break;
	case SGPU_OP_ADDIW:
		EXEC(SEXT32(a[lane] + imm));
		break;
	case SGPU_OP_SLLIW:
		EXEC(SEXT32((u32)a[lane] << imm));
		break;
	case SGPU_OP_SRLIW:
		EXEC(SEXT32((u32)a[lane] >> imm));
		break;
	case SGPU_OP_SRAIW:
		EXEC(SEXT32((s32)a[lane] >> imm));
		break;
	}
}

/* Multiplication and division. */
static __always_inline void exec_mul(struct sgpu_warp *warp, const struct sgpu_insn *insn,
				     u64 *d, bool one)
{
	const bool full = warp->active == SGPU_FULL;
	const u64 *m = warp->lane_mask;
	const u64 *a = exec_source(warp, insn->rs1, one);
	const u64 *b = exec_source(warp, insn->rs2, one);
	unsigned int lane;

	switch (insn->op) {
	case SGPU_OP_MUL:
		EXEC(a[lane] * b[lane]);
		break;
	case SGPU_OP_MULW:
		EXEC(SEXT32((u32)a[lane] * (u32)b[lane]));
		break;
	case SGPU_OP_MULH:
		EXEC_EACH(exec_mulh(a[lane], b[lane]));
		break;
	case SGPU_OP_MULHU:
		EXEC_EACH(exec_mulhu(a[lane], b[lane]));
		break;
	case SGPU_OP_MULHSU:
		EXEC_EACH(exec_mulhsu(a[lane], b[lane]));
		break;
	case SGPU_OP_DIV:
		EXEC_EACH(exec_div(a[lane], b[lane]));
		break;
	case SGPU_OP_DIVU:
		EXEC_EACH(b[lane] ? a[lane] / b[lane] : ~0ULL);
		break;
	case SGPU_OP_REM:
		EXEC_EACH(exec_rem(a[lane], b[lane]));
		break;
	case SGPU_OP_REMU:
		EXEC_EACH(b[lane] ? a[lane] % b[lane] : a[lane]);
		break;
	case SGPU_OP_DIVW:
		EXEC_EACH(exec_divw(a[lane], b[lane]));
		break;
	case SGPU_OP_DIVUW:
		EXEC_EACH((u32)b[lane] ? SEXT32((u32)a[lane] / (u32)b[lane]) : ~0ULL);
		break;
	case SGPU_OP_REMW:
		EXEC_EACH(exec_remw(a[lane], b[lane]));
		break;
	case SGPU_OP_REMUW:
		EXEC_EACH((u32)b[lane] ? SEXT32((u32)a[lane] % (u32)b[lane]) : SEXT32(a[lane]));
		break;
	}
}

/* The rest: two registers. */
static __always_inline void exec_reg(struct sgpu_warp *warp, const struct sgpu_insn *insn,
				     u64 *d, bool one)
{
	const bool full = warp->active == SGPU_FULL;
	const u64 *m = warp->lane_mask;
	const u64 *a = exec_source(warp, insn->rs1, one);
	const u64 *b = exec_source(warp, insn->rs2, one);
	unsigned int lane;

	switch (insn->op) {
	case SGPU_OP_ADD:
		EXEC(a[lane] + b[lane]);
		break;
	case SGPU_OP_SUB:
		EXEC(a[lane] - b[lane]);
		break;
	case SGPU_OP_SLL:
		EXEC(a[lane] << (b[lane] & 63));
		break;
	case SGPU_OP_SLT:
		EXEC((u64)((s64)a[lane] < (s64)b[lane]));
		break;
	case SGPU_OP_SLTU:
		EXEC((u64)(a[lane] < b[lane]));
		break;
	case SGPU_OP_XOR:
		EXEC(a[lane] ^ b[lane]);
		break;
	case SGPU_OP_SRL:
		EXEC(a[lane] >> (b[lane] & 63));
		break;
	case SGPU_OP_SRA:
		EXEC((u64)((s64)a[lane] >> (b[lane] & 63)));
		break;
	case SGPU_OP_OR:
		EXEC(a[lane] | b[lane]);
		break;
	case SGPU_OP_AND:
		EXEC(a[lane] & b[lane]);
		break;
	case SGPU_OP_ADDW:
		EXEC(SEXT32(a[lane] + b[lane]));
		break;
	case SGPU_OP_SUBW:
		EXEC(SEXT32(a[lane] - b[lane]));
		break;
	case SGPU_OP_SLLW:
		EXEC(SEXT32((u32)a[lane] << (b[lane] & 31)));
		break;
	case SGPU_OP_SRLW:
		EXEC(SEXT32((u32)a[lane] >> (b[lane] & 31)));
		break;
	case SGPU_OP_SRAW:
		EXEC(SEXT32((s32)a[lane] >> (b[lane] & 31)));
		break;
	}
}

static __always_inline void exec_int(struct sgpu_warp *warp, const struct sgpu_insn *insn, u64 *d,
				     bool one)
{
	if (insn->op < SGPU_OP_ADD)
		exec_imm(warp, insn, d, one);
	else if (insn->op < SGPU_OP_MUL)
		exec_reg(warp, insn, d, one);
	else
		exec_mul(warp, insn, d, one);
}

static SGPU_WIDE void exec_int_wide(struct sgpu_warp *warp, const struct sgpu_insn *insn)
{
	exec_int(warp, insn, warp->x[insn->rd], false);
}

static noinline void exec_int_base(struct sgpu_warp *warp, const struct sgpu_insn *insn)
{
	exec_int(warp, insn, warp->x[insn->rd], false);
}

static noinline void exec_int_rows(struct sgpu_warp *warp, const struct sgpu_insn *insn)
{
	sgpu_rows_read(warp, insn->reads);
	sgpu_rows_write(warp, insn->writes, warp->active);
	if (warp->active != SGPU_FULL)
		sgpu_exec_lane_mask(warp);
	if (sgpu_wide)
		exec_int_wide(warp, insn);
	else
		exec_int_base(warp, insn);
}

void sgpu_exec_int(struct sgpu_warp *warp, const struct sgpu_insn *insn)
{
	u64 base;

	if (insn->op == SGPU_OP_NOP)
		return;
	if (sgpu_affine_reads(warp, insn) && sgpu_warp_converged(warp)) {
		exec_int(warp, insn, &base, true);
		if (sgpu_affine_result(warp, insn, base))
			return;
	}
	exec_int_rows(warp, insn);
}
EXPORT_SYMBOL_IF_KUNIT(sgpu_exec_int);

/*
 * mask |= cond ? bit of the lane : 0.  Lanes that are not active may be left out; with all
 * of them bits come from a table, for the compiler to see vectors of 64 bits throughout.
 */
#define EXEC_MASK(cond) do {						\
	if (warp->active == SGPU_FULL) {				\
		for (lane = 0; lane < SGPU_LANES; lane++)		\
			mask |= (cond) ? exec_bit[lane] : 0;		\
	} else {							\
		sgpu_for_each_lane(lane, warp->active)			\
			mask |= (u64)(cond) << lane;			\
	}								\
} while (0)

static const u64 exec_bit[SGPU_LANES] = {
	BIT(0), BIT(1), BIT(2), BIT(3), BIT(4), BIT(5), BIT(6), BIT(7), BIT(8), BIT(9), BIT(10),
	BIT(11), BIT(12), BIT(13), BIT(14), BIT(15), BIT(16), BIT(17), BIT(18), BIT(19), BIT(20),
	BIT(21), BIT(22), BIT(23), BIT(24), BIT(25), BIT(26), BIT(27), BIT(28), BIT(29), BIT(30),
	BIT(31),
};

static __always_inline void exec_masks(u64 *m, u64 lanes)
{
	unsigned int lane;

	for (lane = 0; lane < SGPU_LANES; lane++)
		m[lane] = lanes & exec_bit[lane] ? ~0ULL : 0;
}

static SGPU_WIDE void exec_masks_wide(u64 *m, u64 lanes)
{
	exec_masks(m, lanes);
}

void sgpu_exec_masks(struct sgpu_warp *warp)
{
	warp->masked = warp->active;
	if (sgpu_wide)
		exec_masks_wide(warp->lane_mask, warp->active);
	else
		exec_masks(warp->lane_mask, warp->active);
}

static __always_inline u32 exec_condition(const struct sgpu_warp *warp,
					  const struct sgpu_insn *insn)
{
	const u64 *a = warp->x[insn->rs1];
	const u64 *b = warp->x[insn->rs2];
	unsigned int lane;
	u64 mask = 0;

	switch (insn->op) {
	case SGPU_OP_BEQ:
		EXEC_MASK(a[lane] == b[lane]);
		break;
	case SGPU_OP_BNE:
		EXEC_MASK(a[lane] != b[lane]);
		break;
	case SGPU_OP_BLT:
		EXEC_MASK((s64)a[lane] < (s64)b[lane]);
		break;
	case SGPU_OP_BGE:
		EXEC_MASK((s64)a[lane] >= (s64)b[lane]);
		break;
	case SGPU_OP_BLTU:
		EXEC_MASK(a[lane] < b[lane]);
		break;
	case SGPU_OP_BGEU:
		EXEC_MASK(a[lane] >= b[lane]);
		break;
	}
	return mask;
}

static noinline u32 exec_condition_base(const struct sgpu_warp *warp, const struct sgpu_insn *insn)
{
	return exec_condition(warp, insn);
}

static SGPU_WIDE u32 exec_condition_wide(const struct sgpu_warp *warp,
					 const struct sgpu_insn *insn)
{
	return exec_condition(warp, insn);
}

u32 sgpu_exec_condition(struct sgpu_warp *warp, const struct sgpu_insn *insn)
{
	int all = sgpu_affine_reads(warp, insn) ? sgpu_affine_condition(warp, insn) : -1;

	if (all >= 0)
		return all ? SGPU_FULL : 0;
	sgpu_rows_read(warp, insn->reads);
	if (sgpu_wide)
		return exec_condition_wide(warp, insn);
	return exec_condition_base(warp, insn);
}
EXPORT_SYMBOL_IF_KUNIT(sgpu_exec_condition);

void sgpu_exec_set(struct sgpu_warp *warp, unsigned int rd, u64 value)
{
	sgpu_exec_iota(warp, rd, value, 0);
}

static __always_inline void exec_line(u64 *d, u64 base, u64 step)
{
	unsigned int lane;

	for (lane = 0; lane < SGPU_LANES; lane++)
		d[lane] = base + lane * step;
}

static SGPU_WIDE void exec_line_wide(u64 *d, u64 base, u64 step)
{
	exec_line(d, base, step);
}

void sgpu_exec_line(u64 *row, u64 base, u64 step)
{
	if (sgpu_wide)
		exec_line_wide(row, base, step);
	else
		exec_line(row, base, step);
}

void sgpu_exec_expand(struct sgpu_warp *warp, u32 regs)
{
	unsigned int reg;

	warp->stale &= ~regs;
	sgpu_for_each_lane(reg, regs)
		sgpu_exec_line(warp->x[reg], warp->ax[reg].base, warp->ax[reg].step);
}
EXPORT_SYMBOL_IF_KUNIT(sgpu_exec_expand);

void sgpu_exec_iota(struct sgpu_warp *warp, unsigned int rd, u64 base, u64 step)
{
	unsigned int lane;

	if (sgpu_warp_converged(warp)) {
		sgpu_affine_set(warp, rd, base, step);
		return;
	}
	sgpu_rows_write(warp, BIT(rd), warp->active);
	sgpu_for_each_lane(lane, warp->active)
		warp->x[rd][lane] = base + lane * step;
}

static __always_inline void exec_clear(struct sgpu_warp *warp, u32 used)
{
	unsigned int reg, lane;

	sgpu_for_each_lane(reg, used) {
		u32 *f = warp->f[reg];

		for (lane = 0; lane < SGPU_LANES; lane++)
			f[lane] = 0;
	}
	for (reg = 0; reg < ARRAY_SIZE(warp->ax); reg++) {
		warp->ax[reg].base = 0;
		warp->ax[reg].step = 0;
	}
}

static SGPU_WIDE void exec_clear_wide(struct sgpu_warp *warp, u32 used)
{
	exec_clear(warp, used);
}

void sgpu_exec_clear(struct sgpu_warp *warp, u32 used)
{
	warp->affine = ~0U;
	warp->stale = ~1U;		/* the row of x0 is always there */
	if (sgpu_wide)
		exec_clear_wide(warp, used);
	else
		exec_clear(warp, used);
}

static __always_inline bool exec_uniform(const struct sgpu_warp *warp, const u64 *a, u64 first)
{
	unsigned int lane;
	u64 diff = 0;

	if (warp->active == SGPU_FULL) {
		for (lane = 0; lane < SGPU_LANES; lane++)
			diff |= a[lane] ^ first;
	} else {
		sgpu_for_each_lane(lane, warp->active)
			diff |= a[lane] ^ first;
	}
	return !diff;
}

static SGPU_WIDE bool exec_uniform_wide(const struct sgpu_warp *warp, const u64 *a, u64 first)
{
	return exec_uniform(warp, a, first);
}

bool sgpu_exec_uniform(struct sgpu_warp *warp, unsigned int reg, u64 *value)
{
	const u64 *a = warp->x[reg];

	*value = sgpu_warp_x(warp, reg, __builtin_ctz(warp->active));
	if (warp->affine >> reg & 1 && !warp->ax[reg].step)
		return true;
	sgpu_rows_read(warp, BIT(reg));
	return sgpu_wide ? exec_uniform_wide(warp, a, *value) : exec_uniform(warp, a, *value);
}
