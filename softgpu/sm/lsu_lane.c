// SPDX-License-Identifier: GPL-2.0
/*
 * Memory operations one lane at a time: atomics, reservations, and what was waited for.  See
 * lsu.h; many lanes at once are in exec_mem.c.
 */
#include <kunit/visibility.h>
#include <linux/atomic.h>
#include <linux/bitops.h>
#include <linux/export.h>
#include "isa/exec.h"
#include "isa/exec_double.h"
#include "isa/isa.h"
#include "sm/lsu.h"

/* 1.0: what is computed here is computed in integers, as the FPU may not be there. */
#define LSU_ONE		0x3ff0000000000000ULL

static u64 lsu_amo_result(enum sgpu_amo fn, bool wide, u64 old, u64 data)
{
	s64 a = wide ? (s64)old : (s32)old, b = wide ? (s64)data : (s32)data;
	u64 ua = wide ? old : (u32)old, ub = wide ? data : (u32)data;

	switch (fn) {
	case SGPU_AMO_SWAP:
		return data;
	case SGPU_AMO_ADD:
		return old + data;
	case SGPU_AMO_XOR:
		return old ^ data;
	case SGPU_AMO_AND:
		return old & data;
	case SGPU_AMO_OR:
		return old | data;
	case SGPU_AMO_MIN:
		return a < b ? old : data;
	case SGPU_AMO_MAX:
		return a > b ? old : data;
	case SGPU_AMO_MINU:
		return ua < ub ? old : data;
	case SGPU_AMO_MAXU:
		return ua > ub ? old : data;
	case SGPU_AMO_FADD:
		return wide ? sgpu_double_fma(LSU_ONE, old, data) : sgpu_float_sum(old, data);
	case SGPU_AMO_INC:
		return ua >= ub ? 0 : ua + 1;
	case SGPU_AMO_DEC:
		return !ua || ua > ub ? ub : ua - 1;
	}
	return old;
}

static u64 lsu_amo(void *mem, const struct sgpu_insn *insn, u64 data)
{
	u64 old;
	u32 half;

	if (insn->size == 3) {
		old = READ_ONCE(*(u64 *)mem);
		while (!try_cmpxchg((u64 *)mem, &old, lsu_amo_result(insn->fn, true, old, data)))
			;
		return old;
	}
	half = READ_ONCE(*(u32 *)mem);
	while (!try_cmpxchg((u32 *)mem, &half,
			    (u32)lsu_amo_result(insn->fn, false, half, data)))
		;
	return (u64)(s64)(s32)half;
}

static u64 lsu_read(const void *mem, unsigned int size, bool is_signed)
{
	switch (size) {
	case 0:
		return is_signed ? (u64)READ_ONCE(*(const s8 *)mem) : READ_ONCE(*(const u8 *)mem);
	case 1:
		return is_signed ? (u64)READ_ONCE(*(const s16 *)mem) : READ_ONCE(*(const u16 *)mem);
	case 2:
		return is_signed ? (u64)READ_ONCE(*(const s32 *)mem) : READ_ONCE(*(const u32 *)mem);
	default:
		return READ_ONCE(*(const u64 *)mem);
	}
}

static void lsu_write(void *mem, unsigned int size, u64 data)
{
	switch (size) {
	case 0:
		WRITE_ONCE(*(u8 *)mem, data);
		break;
	case 1:
		WRITE_ONCE(*(u16 *)mem, data);
		break;
	case 2:
		WRITE_ONCE(*(u32 *)mem, data);
		break;
	default:
		WRITE_ONCE(*(u64 *)mem, data);
		break;
	}
}

/*
 * A reservation is an address and the value seen there: a store conditional
 * succeeds if memory still (or again) has that value.
 */
static u64 lsu_store_conditional(struct sgpu_warp *warp, const struct sgpu_insn *insn,
				 unsigned int lane, void *mem, u64 va, u64 data)
{
	bool held = warp->reserved >> lane & 1 && warp->reserve_va[lane] == va;
	u64 seen = warp->reserve_value[lane];

	warp->reserved &= ~BIT(lane);
	if (!held)
		return 1;
	if (insn->size == 3)
		return cmpxchg((u64 *)mem, seen, data) != seen;
	return cmpxchg((u32 *)mem, (u32)seen, (u32)data) != (u32)seen;
}

/* Since it was captured the register is a row of 64 bits. */
static void lsu_load_double(struct sgpu_warp *warp, const struct sgpu_insn *insn,
			    unsigned int lane, const void *mem)
{
	warp->d[insn->rd][lane] = lsu_read(mem, insn->size, false) |
				  (insn->size == 2 ? SGPU_BOX : 0);
}

void sgpu_lsu_lane(struct sgpu_warp *warp, const struct sgpu_insn *insn, unsigned int lane,
		   void *mem, u64 va, u64 data)
{
	u64 result;

	switch (insn->op) {
	case SGPU_OP_STORE:
	case SGPU_OP_FSTORE:
		lsu_write(mem, insn->size, data);
		return;
	case SGPU_OP_FLOAD:
		if (insn->fn)
			lsu_load_double(warp, insn, lane, mem);
		else
			warp->f[insn->rd][lane] = lsu_read(mem, 2, false);
		return;
	case SGPU_OP_LOAD:
		result = lsu_read(mem, insn->size, insn->fn & 1);
		break;
	case SGPU_OP_AMO:
		result = lsu_amo(mem, insn, data);
		break;
	case SGPU_OP_LR:
		result = lsu_read(mem, insn->size, true);
		warp->reserved |= BIT(lane);
		warp->reserve_va[lane] = va;
		warp->reserve_value[lane] = result;
		break;
	case SGPU_OP_SC:
		result = lsu_store_conditional(warp, insn, lane, mem, va, data);
		break;
	default:
		return;
	}
	if (insn->rd)
		warp->x[insn->rd][lane] = result;
}
EXPORT_SYMBOL_IF_KUNIT(sgpu_lsu_lane);

/* Memory that is not there reads as zero and forgets what is written. */
void sgpu_lsu_lane_absent(struct sgpu_warp *warp, const struct sgpu_insn *insn, unsigned int lane,
			  u64 va, u64 data)
{
	u64 nothing = 0;

	sgpu_lsu_lane(warp, insn, lane, &nothing, va, data);
}

/* A function of its own for the sake of its stack, which is cleared each time. */
noinline void sgpu_lsu_each(struct sgpu_warp *warp, const struct sgpu_insn *insn, void *mem,
			    const struct sgpu_lanes *lanes, u32 mask)
{
	u64 data[SGPU_LANES];
	unsigned int lane;

	sgpu_lanes_capture(warp, insn, data);
	sgpu_for_each_lane(lane, mask) {
		u64 va = lanes->va[lane];

		if (mem)
			sgpu_lsu_lane(warp, insn, lane, mem + lanes->off[lane], va, data[lane]);
		else
			sgpu_lsu_lane_absent(warp, insn, lane, va, data[lane]);
	}
}
