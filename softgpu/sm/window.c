// SPDX-License-Identifier: GPL-2.0
/*
 * Address windows: image, shared memory, arguments, stack.  Every offset comes
 * from a GPU program, so it is checked and clamped against speculation.
 */
#include <linux/bitops.h>
#include <linux/nospec.h>
#include <linux/softgpu_kernel_abi.h>
#include "isa/exec.h"
#include "isa/image.h"
#include "isa/isa.h"
#include "sm/cta_state.h"
#include "sm/launch_state.h"
#include "sm/lsu.h"
#include "sm/sm_state.h"
#include "sm/sm_warp.h"
#include "sm/window.h"

#define WINDOW_SHIFT	28	/* windows are 256 MB apart */

/**
 * struct window - one window as a warp sees it
 * @mem: memory behind it, of lane 0
 * @bytes: its size, per lane
 * @stride: distance from one lane's memory to the next one's
 * @writable: stores and atomics allowed
 */
struct window {
	u8 *mem;
	u64 bytes;
	u64 stride;
	bool writable;
};

static bool window_find(struct sgpu_warp *warp, u64 va, struct window *w)
{
	struct sgpu_cta *cta = warp->cta;
	struct sgpu_launch *launch = cta->launch;

	w->stride = 0;
	w->writable = false;
	switch (va >> WINDOW_SHIFT) {
	case SGPU_WINDOW_IMAGE >> WINDOW_SHIFT:
		w->mem = launch->image->mem;
		w->bytes = launch->image->mem_bytes;
		return true;
	case SGPU_WINDOW_SHARED >> WINDOW_SHIFT:
		w->mem = cta->shared;
		w->bytes = launch->shared_bytes;
		w->writable = true;
		return true;
	case SGPU_WINDOW_ARGS >> WINDOW_SHIFT:
		w->mem = launch->args;
		w->bytes = launch->args_bytes;
		return true;
	case SGPU_WINDOW_STACK >> WINDOW_SHIFT:
		w->mem = warp->stack;
		w->bytes = cta->stack_bytes;
		w->stride = cta->stack_bytes;
		w->writable = true;
		return true;
	}
	return false;
}

static u32 window_access_code(const struct sgpu_insn *insn)
{
	if (insn->op == SGPU_OP_LOAD || insn->op == SGPU_OP_FLOAD)
		return 0;
	return insn->op == SGPU_OP_STORE || insn->op == SGPU_OP_FSTORE ? 1 : 2;
}

static bool window_fail(struct sgpu_sm *sm, struct sgpu_warp *warp, const struct sgpu_insn *insn,
			unsigned int lane)
{
	u64 va = sm->lanes.va[lane];
	bool window = va >> 32 == SGPU_WINDOW_IMAGE >> 32;

	sgpu_sm_fail(sm, warp, window ? SOFTGPU_FAIL_WINDOW : SOFTGPU_FAIL_FAULT, warp->pc, lane,
		     window_access_code(insn), va, 0);
	return false;
}

/* Offsets of the lanes in @mask, all in the window; false: launch failed. */
static bool window_offsets(struct sgpu_sm *sm, struct sgpu_warp *warp,
			   const struct sgpu_insn *insn, u32 mask, struct window *w)
{
	struct sgpu_lanes *lanes = &sm->lanes;
	u64 size = BIT(insn->size), limit = w->bytes < size ? 0 : w->bytes - size + 1;
	unsigned long each = mask;
	u64 most = lanes->low & (BIT(WINDOW_SHIFT) - 1);
	unsigned int lane;

	/* all in this window: idle lanes have the address of an active one */
	if (likely(!(lanes->diff >> WINDOW_SHIFT))) {
		/* the OR of the offsets is no less than any of them, and most often enough */
		if (unlikely(most >= limit)) {
			sgpu_lanes_offsets(lanes, BIT(WINDOW_SHIFT) - 1);
			most = sgpu_lanes_most(lanes);
		}
		if (likely(most < limit)) {
			u64 inside = (BIT(WINDOW_SHIFT) - 1) & array_index_mask_nospec(most, limit);

			if (lanes->ends && !w->stride && window_access_code(insn) < 2) {
				lanes->off[0] = lanes->va[0] & inside;
				return true;
			}
			sgpu_lanes_offsets(lanes, inside);
			if (w->stride)
				sgpu_lanes_spread_offsets(lanes, w->stride);
			return true;
		}
	}
	sgpu_lanes_fill(lanes);
	for_each_set_bit(lane, &each, SGPU_LANES) {
		u64 off = lanes->va[lane] & (BIT(WINDOW_SHIFT) - 1);

		if (off >= limit)
			return window_fail(sm, warp, insn, lane);
		lanes->off[lane] = array_index_nospec(off, limit) + lane * w->stride;
	}
	return true;
}

/* Something was written at no lower offset than @low. */
static void window_mark_dirty(struct sgpu_warp *warp, const struct window *w, u32 low)
{
	struct sgpu_cta *cta = warp->cta;

	if (w->stride)
		cta->stack_low = min(cta->stack_low, low);
	else
		cta->shared_dirty = true;
}

static void window_perform(struct sgpu_sm *sm, struct sgpu_warp *warp,
			   const struct sgpu_insn *insn, u32 mask, const struct window *w)
{
	struct sgpu_lanes *lanes = &sm->lanes;

	if (w->stride) {
		lanes->contiguous = false;
		lanes->uniform = false;
	}
	if (insn->op == SGPU_OP_LOAD || insn->op == SGPU_OP_FLOAD) {
		sgpu_lanes_load(warp, insn, w->mem, lanes, mask);
		return;
	}
	/* on the stack the offset is most often the same in all lanes */
	window_mark_dirty(warp, w, lanes->diff ? 0 : lanes->low & (BIT(WINDOW_SHIFT) - 1));
	if (insn->op == SGPU_OP_STORE || insn->op == SGPU_OP_FSTORE) {
		sgpu_lanes_store(warp, insn, w->mem, lanes, mask);
		return;
	}
	sgpu_lsu_each(warp, insn, w->mem, lanes, mask);
}

/* Lanes in @mask, all in the window of the first. */
static bool window_group(struct sgpu_sm *sm, struct sgpu_warp *warp, const struct sgpu_insn *insn,
			 u32 mask)
{
	unsigned int first = __ffs(mask);
	struct window w;

	if (!window_find(warp, sm->lanes.va[first], &w) ||
	    (!w.writable && window_access_code(insn)))
		return window_fail(sm, warp, insn, first);
	if (!window_offsets(sm, warp, insn, mask, &w))
		return false;
	window_perform(sm, warp, insn, mask, &w);
	return true;
}

static u32 window_same(struct sgpu_lanes *lanes, u32 mask)
{
	u64 window = lanes->va[__ffs(mask)] >> WINDOW_SHIFT;
	unsigned int lane;
	u32 same = 0;

	sgpu_lanes_fill(lanes);
	for (lane = 0; lane < SGPU_LANES; lane++)
		same |= (u32)(lanes->va[lane] >> WINDOW_SHIFT == window) << lane;
	return same & mask;
}

bool sgpu_window_access(struct sgpu_sm *sm, struct sgpu_warp *warp, const struct sgpu_insn *insn,
			u32 mask, bool timed)
{
	bool load = window_access_code(insn) != 1;
	int op = -1;

	if (timed && load && sm->shared_ps) {
		op = sgpu_lsu_op_get(sm, warp);
		if (op < 0)
			return false;
	}
	while (mask) {
		u32 same = sm->lanes.diff >> WINDOW_SHIFT ? window_same(&sm->lanes, mask) : mask;

		if (!window_group(sm, warp, insn, same))
			return false;
		mask &= ~same;
	}
	if (op >= 0)
		sgpu_lsu_op_performed(sm, warp, op, sgpu_lsu_results(insn), sm->shared_ps);
	return true;
}

void *sgpu_window_pointer(struct sgpu_warp *warp, unsigned int lane, u64 va, u64 bytes, bool write)
{
	struct window w;
	u64 off = va & (BIT(WINDOW_SHIFT) - 1);

	if (!window_find(warp, va, &w) || (write && !w.writable))
		return NULL;
	if (bytes > w.bytes || off > w.bytes - bytes)
		return NULL;
	if (write)
		window_mark_dirty(warp, &w, off);
	return w.mem + array_index_nospec(off, w.bytes - bytes + 1) + lane * w.stride;
}
