// SPDX-License-Identifier: GPL-2.0
/* Who makes SMs run; see kick.h. */
#include "base/extension.h"
#include "base/gpu.h"
#include "clock/clock.h"
#include "sm/kick.h"
#include "sm/sm_state.h"

void sgpu_sms_tick_at(struct sgpu_sm_array *sms, u64 when_ps)
{
	if (sms->ticking || when_ps >= sms->tick_when)
		return;
	sms->tick_when = when_ps;
	sgpu_event_at(&sms->tick, when_ps);
}

void sgpu_sms_kick(struct rm_gpu *gpu, struct sgpu_sm *sm, u64 when_ps)
{
	if (!sm->is_virtual) {
		sgpu_event_at(&sm->event, 0);
		return;
	}
	sm->next = min(sm->next, when_ps);
	sgpu_sms_tick_at(&gpu->sms, when_ps);
}

void sgpu_sms_look(struct rm_gpu *gpu)
{
	struct sgpu_sm_array *sms = &gpu->sms;
	unsigned int i;

	WRITE_ONCE(gpu->mmu.tell_faulted, sgpu_extra_ctas(gpu) > 0);
	for (i = 0; i < sms->count; i++) {
		WRITE_ONCE(sms->sm[i]->reap, true);
		if (!sms->sm[i]->is_virtual)
			sgpu_event_at(&sms->sm[i]->event, 0);
	}
	/* a GPU made up for a test has none */
	if (sms->count && sim_is_virtual())
		sgpu_sms_tick_at(sms, sgpu_now_ps());
}
