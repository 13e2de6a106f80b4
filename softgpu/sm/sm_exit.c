// SPDX-License-Identifier: GPL-2.0
/* Lanes that exit, and barriers; see sm_exit.h. */
#include <linux/bitops.h>
#include <linux/kernel.h>
#include <uapi/linux/softgpu.h>
#include "isa/simt.h"
#include "isa/warp.h"
#include "sm/cta_state.h"
#include "sm/lsu.h"
#include "sm/sm_exit.h"
#include "sm/sm_state.h"
#include "sm/sm_warp.h"

/* All warps that have not ended are at the barrier. */
static void sm_barrier_open(struct sgpu_sm *sm, struct sgpu_cta *cta)
{
	unsigned int i;

	cta->waiting = 0;
	for (i = 0; i < cta->count; i++)
		if (cta->warp[i].stall == SGPU_STALL_BARRIER)
			sgpu_sm_sleep_warp(sm, &cta->warp[i], SGPU_STALL_TIME,
					   sm->time + sm->cycle_ps);
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
