// SPDX-License-Identifier: GPL-2.0
/*
 * Memory operations of 32 lanes on memory that has been found: addresses,
 * loads and stores.  Consecutive addresses, the usual case, are moved at
 * once.
 */
#include <kunit/visibility.h>
#include <linux/bits.h>
#include <linux/compiler.h>
#include <linux/export.h>
#include <linux/kernel.h>
#include <linux/string.h>
#include <linux/types.h>
#include "isa/exec.h"
#include "isa/exec_double.h"
#include "isa/isa.h"

/* All of a warp most often go to one place, or to neighbouring ones. */
static __always_inline bool mem_step_usual(u64 step, unsigned int size)
{
	return !step || step == 1ULL << size;
}

/* What there is to say of such lanes, by the addresses of two. */
static __always_inline void mem_address_usual(struct sgpu_lanes *lanes, u64 step)
{
	u64 first = lanes->va[0], last = lanes->va[31], most;

	lanes->diff = first ^ last;
	most = lanes->diff ? ~0ULL >> __builtin_clzll(lanes->diff) : 0;
	lanes->low = first | (most & -step);
	lanes->contiguous = step;
	lanes->uniform = !step;
	lanes->ends = false;
}

/* Fill in va of all lanes; is each @step more than the one before? */
static __always_inline bool mem_steps(u64 *va, const u64 *base, u64 imm, u64 step)
{
	u64 want = base[0], other = 0;
	unsigned int lane;

#pragma GCC ivdep
	for (lane = 0; lane < SGPU_LANES; lane++, want += step) {
		va[lane] = base[lane] + imm;
		other |= base[lane] ^ want;
	}
	return !other;
}

static __always_inline bool mem_address_row(const u64 *base, u64 imm, unsigned int size,
					    struct sgpu_lanes *lanes)
{
	u64 step = base[1] - base[0];

	if (!mem_step_usual(step, size) || base[31] - base[0] != 31 * step)
		return false;
	if (!mem_steps(lanes->va, base, imm, step))
		return false;
	mem_address_usual(lanes, step);
	return true;
}

static void mem_address_line(const struct sgpu_affine *line, u64 imm, struct sgpu_lanes *lanes)
{
	lanes->va[0] = line->base + imm;
	lanes->va[31] = lanes->va[0] + 31 * line->step;
	mem_address_usual(lanes, line->step);
	lanes->step = line->step;
	lanes->ends = true;
}

static __always_inline void mem_address(const struct sgpu_warp *warp, const u64 *base, u64 imm,
					unsigned int size, struct sgpu_lanes *lanes)
{
	const u64 *m = warp->lane_mask;
	u64 *va = lanes->va;
	u64 first, low = 0, diff = 0;
	unsigned int lane;

	if (warp->active == SGPU_FULL) {
		if (mem_address_row(base, imm, size, lanes))
			return;
		first = base[0] + imm;
#pragma GCC ivdep
		for (lane = 0; lane < SGPU_LANES; lane++) {
			u64 v = base[lane] + imm;

			va[lane] = v;
			low |= v;
			diff |= v ^ first;
		}
	} else {
		first = base[__builtin_ctz(warp->active)] + imm;
#pragma GCC ivdep
		for (lane = 0; lane < SGPU_LANES; lane++) {
			u64 v = (m[lane] & (base[lane] + imm)) | (~m[lane] & first);

			va[lane] = v;
			low |= v;
			diff |= v ^ first;
		}
	}
	lanes->low = low;
	lanes->diff = diff;
	lanes->contiguous = false;
	lanes->uniform = !diff;
	lanes->ends = false;
}

static noinline void mem_address_base(const struct sgpu_warp *warp, const u64 *base, s64 imm,
				      unsigned int size, struct sgpu_lanes *lanes)
{
	mem_address(warp, base, imm, size, lanes);
}

static SGPU_WIDE void mem_address_wide(const struct sgpu_warp *warp, const u64 *base, s64 imm,
				       unsigned int size, struct sgpu_lanes *lanes)
{
	mem_address(warp, base, imm, size, lanes);
}

void sgpu_lanes_address(struct sgpu_warp *warp, unsigned int reg, s64 imm, unsigned int size,
			struct sgpu_lanes *lanes)
{
	const struct sgpu_affine *line = &warp->ax[reg];

	if (warp->affine >> reg & 1 && warp->active == SGPU_FULL &&
	    mem_step_usual(line->step, size)) {
		mem_address_line(line, imm, lanes);
		return;
	}
	sgpu_rows_read(warp, BIT(reg));
	if (warp->active != SGPU_FULL)
		sgpu_exec_lane_mask(warp);
	if (sgpu_wide)
		mem_address_wide(warp, warp->x[reg], imm, size, lanes);
	else
		mem_address_base(warp, warp->x[reg], imm, size, lanes);
}
EXPORT_SYMBOL_IF_KUNIT(sgpu_lanes_address);

void sgpu_lanes_fill(struct sgpu_lanes *lanes)
{
	if (!lanes->ends)
		return;
	lanes->ends = false;
	sgpu_exec_line(lanes->va, lanes->va[0], lanes->step);
}
EXPORT_SYMBOL_IF_KUNIT(sgpu_lanes_fill);

static __always_inline void mem_offsets(struct sgpu_lanes *lanes, u64 mask)
{
	unsigned int lane;

#pragma GCC ivdep
	for (lane = 0; lane < SGPU_LANES; lane++)
		lanes->off[lane] = lanes->va[lane] & mask;
}

static SGPU_WIDE void mem_offsets_wide(struct sgpu_lanes *lanes, u64 mask)
{
	mem_offsets(lanes, mask);
}

void sgpu_lanes_offsets(struct sgpu_lanes *lanes, u64 mask)
{
	sgpu_lanes_fill(lanes);
	if (sgpu_wide)
		mem_offsets_wide(lanes, mask);
	else
		mem_offsets(lanes, mask);
}

/*
 * @what for each lane in @mask, in order.  Most often these are all, a loop of its own;
 * where addresses are scattered they are few, so lanes that are not there take no time.
 */
#define EACH(what) do {							\
	if (mask == SGPU_FULL) {					\
		for (lane = 0; lane < SGPU_LANES; lane++)		\
			what;						\
	} else {							\
		sgpu_for_each_lane(lane, mask)				\
			what;						\
	}								\
} while (0)

u32 sgpu_lanes_page_offsets(struct sgpu_lanes *lanes, u32 mask)
{
	u64 *off = lanes->off;
	unsigned int lane;
	u32 lines = 0;

	off[0] = lanes->va[0] & 0xfff;
	if (lanes->uniform)
		return 1U << (off[0] >> 7);
	if (lanes->contiguous && mask == SGPU_FULL)
		return GENMASK((lanes->va[SGPU_LANES - 1] & 0xfff) >> 7, off[0] >> 7);
	sgpu_lanes_fill(lanes);
	if (mask == SGPU_FULL || !(lanes->diff >> 7))
		sgpu_lanes_offsets(lanes, 0xfff);	/* at once */
	else
		EACH(off[lane] = lanes->va[lane] & 0xfff);
	if (!(lanes->diff >> 7))
		return 1U << (off[0] >> 7);
	EACH(lines |= 1U << (off[lane] >> 7));
	return lines;
}
EXPORT_SYMBOL_IF_KUNIT(sgpu_lanes_page_offsets);

void sgpu_sectors_of(struct sgpu_sectors *sectors, const u64 *va, u32 mask)
{
	unsigned int lane;

	*sectors = (struct sgpu_sectors){ };
	sgpu_for_each_lane(lane, mask) {
		unsigned int sector = (va[lane] & 0xfff) >> 5;

		sectors->map[sector / 64] |= 1ULL << (sector % 64);
	}
}
EXPORT_SYMBOL_IF_KUNIT(sgpu_sectors_of);

/*
 * @at has the group last seen for a page (hashed), so lanes of 32 pages take hardly longer than
 * of one.
 */
unsigned int sgpu_lanes_split(const struct sgpu_lanes *lanes, u32 mask, u32 *groups)
{
	u64 pages[SGPU_LANES];
	u8 at[2 * SGPU_LANES];
	unsigned int lane, i, count = 0;

	memset(at, SGPU_LANES, sizeof(at));
	sgpu_for_each_lane(lane, mask) {
		u64 page = lanes->va[lane] >> 12;
		u8 *seen = &at[page % ARRAY_SIZE(at)];

		i = *seen;
		if (i == SGPU_LANES || pages[i] != page) {
			/* Nothing was seen here, or another page, behind which it may be. */
			for (i = i == SGPU_LANES ? count : 0; i < count; i++)
				if (pages[i] == page)
					break;
			if (i == count) {
				pages[count] = page;
				groups[count++] = 0;
			}
			*seen = i;
		}
		groups[i] |= 1U << lane;
	}
	return count;
}
EXPORT_SYMBOL_IF_KUNIT(sgpu_lanes_split);

u64 sgpu_lanes_most(const struct sgpu_lanes *lanes)
{
	unsigned int lane;
	u64 most = 0;

	for (lane = 0; lane < SGPU_LANES; lane++)
		most = lanes->off[lane] > most ? lanes->off[lane] : most;
	return most;
}

void sgpu_lanes_spread_offsets(struct sgpu_lanes *lanes, u64 stride)
{
	unsigned int lane;

#pragma GCC ivdep
	for (lane = 0; lane < SGPU_LANES; lane++)
		lanes->off[lane] += lane * stride;
}

/* to[lane] = memory of the lane; a lane's access is a single one of its size (see Kbuild). */
#define LOAD(to, type, conv) do {					\
	const type *from = mem + off[0];				\
									\
	if (lanes->contiguous && mask == SGPU_FULL) {			\
		SGPU_IVDEP						\
		for (lane = 0; lane < SGPU_LANES; lane++)		\
			(to)[lane] = (conv)from[lane];			\
	} else {							\
		EACH((to)[lane] = (conv)READ_ONCE(*(const type *)(mem + off[lane]))); \
	}								\
} while (0)

/* One value for all lanes. */
static u64 mem_load_one(const struct sgpu_insn *insn, const void *from)
{
	bool is_signed = insn->fn & 1;

	switch (insn->size) {
	case 0:
		return is_signed ? (u64)READ_ONCE(*(const s8 *)from) : READ_ONCE(*(const u8 *)from);
	case 1:
		return is_signed ? (u64)READ_ONCE(*(const s16 *)from) :
				   READ_ONCE(*(const u16 *)from);
	case 2:
		return is_signed ? (u64)READ_ONCE(*(const s32 *)from) :
				   READ_ONCE(*(const u32 *)from);
	default:
		return READ_ONCE(*(const u64 *)from);
	}
}

static noinline void mem_load_uniform(struct sgpu_warp *warp, const struct sgpu_insn *insn,
				      const void *from, u32 mask)
{
	u64 *d = warp->x[insn->rd];
	unsigned int lane;
	u64 value;

	if (!insn->rd)
		return;
	value = mem_load_one(insn, from);
	if (mask == warp->live) {
		sgpu_affine_set(warp, insn->rd, value, 0);
		return;
	}
	sgpu_rows_write(warp, BIT(insn->rd), mask);
	EACH(d[lane] = value);
}

/* Into registers of 64 bits, under which a number of 32 bits is boxed. */
static noinline void mem_load_double(struct sgpu_warp *warp, const struct sgpu_insn *insn,
				     const void *mem, const struct sgpu_lanes *lanes, u32 mask)
{
	u64 *d = sgpu_doubles_write(warp, insn->rd, mask);
	bool uniform = lanes->uniform;
	const u64 *off = lanes->off;
	unsigned int lane;

	if (insn->size == 2)
		EACH(d[lane] = SGPU_BOX |
		     READ_ONCE(*(const u32 *)(mem + off[uniform ? 0 : lane])));
	else if (uniform)
		EACH(d[lane] = READ_ONCE(*(const u64 *)(mem + off[0])));
	else
		LOAD(d, u64, u64);
}

static noinline void mem_load_float(struct sgpu_warp *warp, const struct sgpu_insn *insn,
				    const void *mem, const struct sgpu_lanes *lanes, u32 mask)
{
	const u64 *off = lanes->off;
	u32 *f = warp->f[insn->rd];
	unsigned int lane;
	u32 value;

	if (unlikely(insn->fn) &&
	    (insn->size == 3 || !sgpu_doubles_write_single(warp, insn->rd, mask))) {
		mem_load_double(warp, insn, mem, lanes, mask);
		return;
	}
	if (lanes->uniform) {
		value = READ_ONCE(*(const u32 *)(mem + off[0]));
		EACH(f[lane] = value);
	} else {
		LOAD(f, u32, u32);
	}
}

static noinline void mem_load_int(struct sgpu_warp *warp, const struct sgpu_insn *insn,
				  const void *mem, const struct sgpu_lanes *lanes, u32 mask)
{
	const u64 *off = lanes->off;
	u64 *d = warp->x[insn->rd];
	unsigned int lane;

	if (!insn->rd)
		return;
	sgpu_rows_write(warp, BIT(insn->rd), mask);
	switch (insn->size << 1 | (insn->fn & 1)) {
	case 0:
		LOAD(d, u8, u64);
		break;
	case 1:
		LOAD(d, s8, s64);
		break;
	case 2:
		LOAD(d, u16, u64);
		break;
	case 3:
		LOAD(d, s16, s64);
		break;
	case 4:
		LOAD(d, u32, u64);
		break;
	case 5:
		LOAD(d, s32, s64);
		break;
	default:
		LOAD(d, u64, u64);
		break;
	}
}

void sgpu_lanes_load(struct sgpu_warp *warp, const struct sgpu_insn *insn, const void *mem,
		     const struct sgpu_lanes *lanes, u32 mask)
{
	if (insn->op == SGPU_OP_FLOAD)
		mem_load_float(warp, insn, mem, lanes, mask);
	else if (lanes->uniform)
		mem_load_uniform(warp, insn, mem + lanes->off[0], mask);
	else
		mem_load_int(warp, insn, mem, lanes, mask);
}
EXPORT_SYMBOL_IF_KUNIT(sgpu_lanes_load);

/* In order; of those that have one place the last one's stays. */
#define STORE(type, from) do {						\
	type *to = mem + off[0];					\
									\
	if (lanes->contiguous && mask == SGPU_FULL) {			\
		SGPU_IVDEP						\
		for (lane = 0; lane < SGPU_LANES; lane++)		\
			to[lane] = (from)[lane];			\
	} else if (lanes->uniform) {					\
		WRITE_ONCE(*to, (from)[31 - __builtin_clz(mask)]);	\
	} else {							\
		EACH(WRITE_ONCE(*(type *)(mem + off[lane]), (from)[lane])); \
	}								\
} while (0)

static noinline void mem_store_double(struct sgpu_warp *warp, const struct sgpu_insn *insn,
				      void *mem, const struct sgpu_lanes *lanes, u32 mask)
{
	const u64 *off = lanes->off;
	unsigned int lane;
	const u64 *d;
	const u32 *f;

	if (insn->size == 3) {
		d = sgpu_doubles_read(warp, insn->rs2);
		STORE(u64, d);
	} else {
		f = sgpu_doubles_low(warp, insn->rs2);
		STORE(u32, f);
	}
}

void sgpu_lanes_store(struct sgpu_warp *warp, const struct sgpu_insn *insn, void *mem,
		      const struct sgpu_lanes *lanes, u32 mask)
{
	const u64 *off = lanes->off;
	const u64 *v = warp->x[insn->rs2];
	const u32 *f = warp->f[insn->rs2];
	unsigned int lane;

	if (insn->op == SGPU_OP_FSTORE) {
		if (unlikely(insn->fn))
			mem_store_double(warp, insn, mem, lanes, mask);
		else
			STORE(u32, f);
		return;
	}
	sgpu_rows_read(warp, BIT(insn->rs2));
	switch (insn->size) {
	case 0:
		STORE(u8, v);
		break;
	case 1:
		STORE(u16, v);
		break;
	case 2:
		STORE(u32, v);
		break;
	default:
		STORE(u64, v);
		break;
	}
}
EXPORT_SYMBOL_IF_KUNIT(sgpu_lanes_store);

/* Lanes that are performed one by one write to the row of 64 bits. */
static void mem_capture_double(struct sgpu_warp *warp, const struct sgpu_insn *insn, u64 *data)
{
	const u64 *d;
	unsigned int lane;

	if (insn->op == SGPU_OP_FLOAD) {
		sgpu_doubles_write(warp, insn->rd, 0);
		return;
	}
	d = sgpu_doubles_read(warp, insn->rs2);
	for (lane = 0; lane < SGPU_LANES; lane++)
		data[lane] = d[lane];
}

void sgpu_lanes_capture(struct sgpu_warp *warp, const struct sgpu_insn *insn, u64 *data)
{
	const u64 *v = warp->x[insn->rs2];
	const u32 *f = warp->f[insn->rs2];
	unsigned int lane;

	if (unlikely(insn->fn) && (insn->op == SGPU_OP_FSTORE || insn->op == SGPU_OP_FLOAD)) {
		mem_capture_double(warp, insn, data);
		return;
	}
	if (insn->op == SGPU_OP_FSTORE) {
#pragma GCC ivdep
		for (lane = 0; lane < SGPU_LANES; lane++)
			data[lane] = f[lane];
		return;
	}
	sgpu_rows_read(warp, insn->reads | insn->writes);
	sgpu_rows_write(warp, insn->writes, warp->active);
#pragma GCC ivdep
	for (lane = 0; lane < SGPU_LANES; lane++)
		data[lane] = v[lane];
}
EXPORT_SYMBOL_IF_KUNIT(sgpu_lanes_capture);
