// SPDX-License-Identifier: GPL-2.0
/* Lanes that exit, and barriers; see sm_exit.h. */
#include <linux/bitops.h>
#include <linux/kernel.h>
#include <linux/softgpu_kernel_abi.h>
#include <uapi/linux/softgpu.h>
#include "isa/exec.h"
#include "isa/simt.h"
#include "isa/warp.h"
#include "isa/warp_op.h"
#include "sm/cta_state.h"
#include "sm/lsu.h"
#include "sm/sm_exit.h"
#include "sm/sm_state.h"
#include "sm/sm_warp.h"

#define REG_A0	10

/* What the threads of a reduction at a barrier get: of @voters that came @truths said yes. */
static u64 sm_reduction(u32 kind, u32 truths, u32 voters)
{
	switch (kind) {
	case SGPU_ECALL_BARRIER_AND:
		return truths == voters;
	case SGPU_ECALL_BARRIER_OR:
		return !!truths;
	}
	return truths;
}

/* All warps that have not ended are at the barrier. */
static void sm_barrier_open(struct sgpu_sm *sm, struct sgpu_cta *cta)
{
	unsigned int i;

	for (i = 0; i < cta->count; i++) {
		struct sgpu_warp *warp = &cta->warp[i];

		if (unlikely(warp->reduce)) {
			sgpu_exec_set(warp, REG_A0,
				      sm_reduction(warp->reduce, cta->truths, cta->voters));
			warp->reduce = 0;
		}
		if (warp->stall == SGPU_STALL_BARRIER)
			sgpu_sm_sleep_warp(sm, warp, SGPU_STALL_TIME, sm->time + sm->cycle_ps);
	}
	cta->waiting = 0;
	cta->truths = 0;
	cta->voters = 0;
}

void sgpu_sm_warp_gone(struct sgpu_sm *sm, struct sgpu_warp *warp)
{
	struct sgpu_cta *cta = warp->cta;

	sgpu_sm_sleep_warp(sm, warp, SGPU_STALL_GONE, U64_MAX);
	if (!--cta->left) {
		cta->ended = true;
		sm->turnover = true;
	} else if (cta->waiting == cta->left) {
		sm_barrier_open(sm, cta);
	}
}

void sgpu_sm_exit_lanes(struct sgpu_sm *sm, struct sgpu_warp *warp, u32 lanes)
{
	sgpu_simt_exit(warp, lanes);
	if (unlikely(warp->syncing))
		sgpu_warp_op_left(warp);
	if (sgpu_simt_unpark(warp) < 0) {
		unsigned int lane = __ffs(warp->parked);

		sgpu_sm_fail(sm, warp, SOFTGPU_FAIL_BARRIER, lower_32_bits(warp->lane_at[lane]),
			     lane, 0, 0, 0);
		return;
	}
	if (!warp->live && !sgpu_lsu_draining(sm, warp))
		sgpu_sm_warp_gone(sm, warp);
}

void sgpu_sm_barrier(struct sgpu_sm *sm, struct sgpu_warp *warp)
{
	struct sgpu_cta *cta = warp->cta;

	warp->pc++;
	if (++cta->waiting < cta->left)
		sgpu_sm_sleep_warp(sm, warp, SGPU_STALL_BARRIER, U64_MAX);
	else
		sm_barrier_open(sm, cta);
}
