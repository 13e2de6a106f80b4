// SPDX-License-Identifier: GPL-2.0
/* ecall: intrinsics of GPU kernels.  The numbers are in softgpu_kernel_abi.h. */
#include <linux/bitops.h>
#include <linux/math64.h>
#include <linux/string.h>
#include <linux/softgpu_kernel_abi.h>
#include "base/gpu.h"
#include "base/print.h"
#include "clock/clock.h"
#include "context_types.h"
#include "isa/exec.h"
#include "isa/simt.h"
#include "isa/format.h"
#include "isa/image.h"
#include "isa/isa.h"
#include "isa/warp.h"
#include "isa/warp_op.h"
#include "sm/cta_state.h"
#include "sm/intrinsic.h"
#include "sm/launch_state.h"
#include "sm/lsu.h"
#include "sm/sm_exit.h"
#include "sm/sm_state.h"
#include "sm/sm_warp.h"
#include "sm/window.h"

#define REG_A0		10
#define REG_A7		17
#define NEED_A1		BIT_ULL(11)
#define NEED_A1_A5	GENMASK_ULL(15, 11)
#define MMA_SIZE	16

static bool intrinsic_trap(struct sgpu_sm *sm, struct sgpu_warp *warp)
{
	sgpu_sm_fail(sm, warp, SOFTGPU_FAIL_TRAP, warp->pc, __ffs(warp->active), 0, 0, 0);
	return false;
}

static bool intrinsic_uneven(struct sgpu_sm *sm, struct sgpu_warp *warp, u32 pc,
			     unsigned int lane)
{
	sgpu_sm_fail(sm, warp, SOFTGPU_FAIL_BARRIER, pc, lane, 0, 0, 0);
	return false;
}

/*
 * Barrier and matrix operation: all live lanes of the warp together.  True if they
 * are; otherwise the lanes wait for the others, or the launch failed.
 */
static bool intrinsic_together(struct sgpu_sm *sm, struct sgpu_warp *warp)
{
	u32 pc = warp->pc;
	unsigned int lane = __ffs(warp->active);

	if (likely(sgpu_warp_converged(warp)))
		return true;
	return sgpu_simt_park(warp) < 0 ? intrinsic_uneven(sm, warp, pc, lane) : false;
}

static bool intrinsic_barrier(struct sgpu_sm *sm, struct sgpu_warp *warp)
{
	if (!intrinsic_together(sm, warp) || sgpu_lsu_draining(sm, warp))
		return false;
	sgpu_sm_barrier(sm, warp);
	return true;
}

/* A barrier that tells for how many threads of the CTA a0 is not 0. */
static bool intrinsic_barrier_reduce(struct sgpu_sm *sm, struct sgpu_warp *warp, u64 number)
{
	struct sgpu_cta *cta = warp->cta;
	unsigned int lane;

	if (!intrinsic_together(sm, warp) || sgpu_lsu_draining(sm, warp))
		return false;
	sgpu_rows_read(warp, BIT(REG_A0));
	sgpu_for_each_lane(lane, warp->live)
		cta->truths += !!warp->x[REG_A0][lane];
	cta->voters += hweight32(warp->live);
	warp->reduce = number;
	sgpu_sm_barrier(sm, warp);
	return true;
}

/* Lanes of the warp among themselves; those that come first wait. */
static bool intrinsic_warp_op(struct sgpu_sm *sm, struct sgpu_warp *warp, u64 number)
{
	u64 needs = sgpu_warp_op_needs(number);
	unsigned int lane;

	if (warp->pending & needs && sgpu_scoreboard_stalls(sm, warp, needs))
		return false;
	switch (sgpu_warp_op_arrive(warp, number)) {
	case 0:
		return true;
	case -EINVAL:
		return intrinsic_trap(sm, warp);
	}
	lane = __ffs(warp->syncing);
	return intrinsic_uneven(sm, warp, lower_32_bits(warp->lane_at[lane]), lane);
}

/* Thread index in @axis of every lane, more than @base. */
static void intrinsic_thread(struct sgpu_warp *warp, unsigned int axis, u64 base)
{
	const u32 *dim = warp->cta->launch->cta_dim;
	u32 first = warp->index * SGPU_LANES;
	unsigned long mask = warp->active;
	unsigned int lane;

	if (dim[0] % SGPU_LANES == 0 || (dim[1] == 1 && dim[2] == 1)) {
		/* the warp lies in one row */
		u32 row = first / dim[0];
		u32 at[3] = { first % dim[0], row % dim[1], row / dim[1] };

		sgpu_exec_iota(warp, REG_A0, base + at[axis], !axis);
		return;
	}
	sgpu_rows_write(warp, BIT(REG_A0), warp->active);
	for_each_set_bit(lane, &mask, SGPU_LANES) {
		u32 thread = first + lane, row = thread / dim[0];
		u32 at[3] = { thread % dim[0], row % dim[1], row / dim[1] };

		warp->x[REG_A0][lane] = base + at[axis];
	}
}

struct intrinsic_strings {
	struct sgpu_warp *warp;
	unsigned int lane;
};

/* %s: the string must lie in a window, to its NUL or the window's end. */
static const char *intrinsic_string(void *data, u64 va, size_t *max)
{
	struct intrinsic_strings *s = data;
	const char *text = sgpu_window_pointer(s->warp, s->lane, va, 1, false);
	size_t n = 1, step;

	if (!text)
		return NULL;
	/* The longest that can be read, by halves: a format may have a hundred of these. */
	for (step = SGPU_FORMAT_BYTES / 2; step; step /= 2)
		if (sgpu_window_pointer(s->warp, s->lane, va, n + step, false))
			n += step;
	*max = n;
	return text;
}

static bool intrinsic_printf(struct sgpu_sm *sm, struct sgpu_warp *warp)
{
	struct sgpu_print_scratch *print = &sm->print;
	unsigned long mask = warp->active;
	unsigned int lane;

	if (warp->pending & NEED_A1 && sgpu_scoreboard_stalls(sm, warp, NEED_A1))
		return false;
	for_each_set_bit(lane, &mask, SGPU_LANES) {
		struct intrinsic_strings strings = { .warp = warp, .lane = lane };
		u64 at = sgpu_warp_x(warp, REG_A0, lane);
		unsigned int n = SGPU_FORMAT_ARGS;
		size_t max = 0;
		const char *format = intrinsic_string(&strings, at, &max);
		const void *from = NULL;

		if (!format) {
			sgpu_sm_fail(sm, warp, SOFTGPU_FAIL_WINDOW, warp->pc, lane, 0,
				     at, 0);
			return false;
		}
		/* as many arguments as can be read: the format tells how many there are */
		while (n && !from)
			from = sgpu_window_pointer(warp, lane, sgpu_warp_x(warp, REG_A0 + 1, lane),
						   n-- * sizeof(u64), false);
		if (from)
			memcpy(print->args, from, ++n * sizeof(u64));
		n = sgpu_format(print->out, format, max, print->args, n, intrinsic_string,
				&strings);
		sgpu_print_put(&warp->cta->launch->context->print, print->out, n);
	}
	warp->pc++;
	return true;
}

/* A 16x16 tile with leading dimension @ld at @va in shared memory. */
static float *intrinsic_tile(struct sgpu_warp *warp, u64 va, u64 ld, bool write)
{
	if (ld < MMA_SIZE || ld > U16_MAX || va & 3 ||
	    va >> 28 != SGPU_WINDOW_SHARED >> 28)
		return NULL;
	return sgpu_window_pointer(warp, 0, va, (ld * (MMA_SIZE - 1) + MMA_SIZE) * 4, write);
}

static bool intrinsic_mma(struct sgpu_sm *sm, struct sgpu_warp *warp)
{
	u64 arg[6];
	float *tile[3];
	unsigned int i;

	if (!intrinsic_together(sm, warp))
		return false;
	if (warp->pending & NEED_A1_A5 && sgpu_scoreboard_stalls(sm, warp, NEED_A1_A5))
		return false;
	if (warp->initial != SGPU_FULL)
		return intrinsic_trap(sm, warp);
	/* a tile is computed by all lanes: some that exited are missed */
	if (warp->live != SGPU_FULL)
		return intrinsic_uneven(sm, warp, warp->pc, __ffs(warp->live));
	for (i = 0; i < 6; i++)
		if (!sgpu_exec_uniform(warp, REG_A0 + i, &arg[i]))
			return intrinsic_trap(sm, warp);
	for (i = 0; i < 3; i++) {
		tile[i] = intrinsic_tile(warp, arg[i], arg[3 + i], !i);
		if (!tile[i]) {
			sgpu_sm_fail(sm, warp, SOFTGPU_FAIL_WINDOW, warp->pc, 0, !i, arg[i], 0);
			return false;
		}
	}
	sgpu_exec_mma(&sm->mma, tile[0], arg[3], tile[1], arg[4], tile[2], arg[5]);
	warp->pc++;
	if (sm->tensor_ps)
		sgpu_sm_sleep_warp(sm, warp, SGPU_STALL_TIME, sm->time + sm->tensor_ps);
	return true;
}

/* Intrinsics that put one value into a0; false: not one of them. */
static bool intrinsic_value(struct sgpu_sm *sm, struct sgpu_warp *warp, u64 number)
{
	const struct sgpu_cta *cta = warp->cta;
	const struct sgpu_launch *launch = cta->launch;
	u64 now = sm->is_virtual ? sm->time : sgpu_now_ps();
	u64 value;

	switch (number) {
	case SGPU_ECALL_BLOCK_X:
	case SGPU_ECALL_BLOCK_Y:
	case SGPU_ECALL_BLOCK_Z:
		value = cta->idx[number - SGPU_ECALL_BLOCK_X];
		break;
	case SGPU_ECALL_BLOCK_DIM_X:
	case SGPU_ECALL_BLOCK_DIM_Y:
	case SGPU_ECALL_BLOCK_DIM_Z:
		value = launch->cta_dim[number - SGPU_ECALL_BLOCK_DIM_X];
		break;
	case SGPU_ECALL_GRID_DIM_X:
	case SGPU_ECALL_GRID_DIM_Y:
	case SGPU_ECALL_GRID_DIM_Z:
		value = launch->grid[number - SGPU_ECALL_GRID_DIM_X];
		break;
	case SGPU_ECALL_WARP:
		value = warp->index;
		break;
	case SGPU_ECALL_SM:
		value = sm->index;
		break;
	case SGPU_ECALL_CLOCK:
		value = div64_u64(now, sm->cycle_ps);
		break;
	case SGPU_ECALL_GLOBALTIMER:
		value = div64_u64(now, PS_PER_NS);
		break;
	case SGPU_ECALL_SHARED_BYTES:
		value = launch->shared_bytes;
		break;
	case SGPU_ECALL_SHARED_DYNAMIC:
		value = SGPU_WINDOW_SHARED + launch->shared_static;
		break;
	case SGPU_ECALL_ACTIVE:
		value = warp->active;
		break;
	default:
		return false;
	}
	sgpu_exec_set(warp, REG_A0, value);
	return true;
}

/* Intrinsics with a value per lane; false: not one of them. */
static bool intrinsic_lane_value(struct sgpu_warp *warp, u64 number)
{
	const struct sgpu_cta *cta = warp->cta;

	switch (number) {
	case SGPU_ECALL_THREAD_X:
	case SGPU_ECALL_THREAD_Y:
	case SGPU_ECALL_THREAD_Z:
		intrinsic_thread(warp, number - SGPU_ECALL_THREAD_X, 0);
		return true;
	case SGPU_ECALL_GLOBAL_X:
		intrinsic_thread(warp, 0, (u64)cta->idx[0] * cta->launch->cta_dim[0]);
		return true;
	case SGPU_ECALL_LANE:
		sgpu_exec_iota(warp, REG_A0, 0, 1);
		return true;
	}
	return false;
}

bool sgpu_intrinsic(struct sgpu_sm *sm, struct sgpu_warp *warp, const struct sgpu_insn *insn)
{
	u64 number;

	if (!sgpu_exec_uniform(warp, REG_A7, &number))
		return intrinsic_trap(sm, warp);
	switch (number) {
	case SGPU_ECALL_EXIT:
		sgpu_sm_exit_lanes(sm, warp, warp->active);
		return true;
	case SGPU_ECALL_BARRIER:
		return intrinsic_barrier(sm, warp);
	case SGPU_ECALL_BARRIER_COUNT:
	case SGPU_ECALL_BARRIER_AND:
	case SGPU_ECALL_BARRIER_OR:
		return intrinsic_barrier_reduce(sm, warp, number);
	case SGPU_ECALL_PRINTF:
		return intrinsic_printf(sm, warp);
	case SGPU_ECALL_MMA:
		return intrinsic_mma(sm, warp);
	case SGPU_ECALL_PREFETCH:
		if (!sgpu_lsu_prefetch(sm, warp, insn))
			return false;
		warp->pc++;
		return true;
	}
	if (sgpu_warp_op_is(number))
		return intrinsic_warp_op(sm, warp, number);
	if (!intrinsic_lane_value(warp, number) && !intrinsic_value(sm, warp, number))
		return intrinsic_trap(sm, warp);
	warp->pc++;
	return true;
}
