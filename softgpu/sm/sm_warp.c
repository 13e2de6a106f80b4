// SPDX-License-Identifier: GPL-2.0
/* Warps that sleep, wake, or fail; see sm_warp.h. */
#include <kunit/visibility.h>
#include <linux/bits.h>
#include <linux/export.h>
#include <linux/lockdep.h>
#include "base/gpu.h"
#include "isa/image.h"
#include "isa/isa.h"
#include "isa/warp.h"
#include "sm/cta_state.h"
#include "sm/cta_table.h"
#include "sm/kick.h"
#include "sm/launch_progress.h"
#include "sm/launch_state.h"
#include "sm/sm_state.h"
#include "sm/sm_warp.h"
#include "sm/wake_queue.h"

void sgpu_sm_sleep_warp(struct sgpu_sm *sm, struct sgpu_warp *warp, enum sgpu_stall stall,
			u64 wake_ps)
{
	warp->stall = stall;
	if (unlikely(warp->slot == SGPU_NO_SLOT)) {
		warp->wake_ps = wake_ps;
		sgpu_cta_status_ready(&warp->cta->status, wake_ps);
		return;
	}
	sm->ready &= ~BIT_ULL(warp->slot);
	if (wake_ps == U64_MAX) {
		sgpu_wake_drop(&sm->wakes, BIT_ULL(warp->slot));
		return;
	}
	sgpu_wake_add(&sm->wakes, warp->slot, wake_ps);
	sm->next_wake = min(sm->next_wake, wake_ps);
}

void sgpu_sm_wake_warp(struct sgpu_sm *sm, struct sgpu_warp *warp, u64 wake_ps)
{
	if (warp->stall == SGPU_STALL_GONE)
		return;
	if (unlikely(warp->slot == SGPU_NO_SLOT))
		sm->turnover = true;
	else
		/* its registers may be on their way back still */
		wake_ps = max(wake_ps, warp->cta->status.busy_ps);
	sgpu_sm_sleep_warp(sm, warp, SGPU_STALL_TIME, wake_ps);
	sgpu_sms_kick(sm->gpu, sm, max(wake_ps, sm->time));
}
EXPORT_SYMBOL_IF_KUNIT(sgpu_sm_wake_warp);

void sgpu_sm_fail(struct sgpu_sm *sm, struct sgpu_warp *warp, u32 reason, u32 pc,
		  unsigned int lane, u32 access, u64 address, u32 error)
{
	struct sgpu_cta *cta = warp->cta;
	struct sgpu_failure failure = {
		.reason = reason,
		.error = error ?: sgpu_fail_errno(reason),
		.access = access,
		.address = address,
		.pc = cta->launch->image->code_base + (u64)pc * 4,
		.cta = cta->index,
		.thread = warp->index * SGPU_LANES + lane,
	};

	lockdep_assert_held(&sm->lock);
	sgpu_sm_sleep_warp(sm, warp, SGPU_STALL_GONE, U64_MAX);
	sm->turnover = true;
	sgpu_launch_fail(cta->launch, &failure);
}
