// SPDX-License-Identifier: GPL-2.0
/* The SMs of one GPU: who runs when. */
#include <linux/slab.h>
#include "base/gpu.h"
#include "clock/clock.h"
#include "base/extension.h"
#include "isa/warp.h"
#include "mmu/mmu.h"
#include "sm/kick.h"
#include "sm/lsu.h"
#include "sm/sm.h"
#include "sm/sm_array.h"
#include "sm/sm_state.h"

static void sms_tick(struct sgpu_event *ev);

static int sms_check_profile(struct rm_gpu *gpu)
{
	u64 ops = sgpu_prof(gpu, mem_ops_per_warp), warps = sgpu_prof(gpu, warps_per_sm);

	if (!sgpu_prof(gpu, sm_count) || !gpu->cycle_ps || !ops || ops > SGPU_WARP_OPS_MAX ||
	    !warps || warps > SGPU_SM_WARPS || !sgpu_prof(gpu, quantum_cycles))
		return -EINVAL;
	return 0;
}

/* Accesses of the SM have begun to wait for a replay. */
static void sms_faulted(struct rm_gpu *gpu, unsigned int index)
{
	struct sgpu_sm *sm = gpu->sms.sm[index];

	mutex_lock(&sm->lock);
	if (sm->table.inactive) {
		sm->turnover = true;
		sgpu_sms_kick(gpu, sm, max(sgpu_now_ps(), sm->time));
	}
	mutex_unlock(&sm->lock);
}

/* Real clock: returns when every SM has passed an instruction boundary. */
static void sms_quiesce(struct rm_gpu *gpu)
{
	unsigned int i;

	if (sim_is_virtual())
		return;
	for (i = 0; i < gpu->sms.count; i++) {
		mutex_lock(&gpu->sms.sm[i]->lock);
		mutex_unlock(&gpu->sms.sm[i]->lock);
	}
}

static const struct sgpu_mmu_client sms_mmu_client = {
	.translated = sgpu_access_translated,
	.cancelled = sgpu_access_cancelled,
	.faulted = sms_faulted,
	.quiesce = sms_quiesce,
};

int sgpu_sm_array_init(struct rm_gpu *gpu)
{
	struct sgpu_sm_array *sms = &gpu->sms;
	unsigned int i, count = sgpu_prof(gpu, sm_count);
	int ret = sms_check_profile(gpu);

	if (ret)
		return ret;
	memset(sms, 0, sizeof(*sms));
	sms->tick_when = U64_MAX;
	gpu->extension.changed = sgpu_sms_look;
	gpu->mmu.client = &sms_mmu_client;
	gpu->mmu.tell_faulted = sgpu_extra_ctas(gpu) > 0;
	sgpu_event_init(&sms->tick, gpu->index, 0, sms_tick);
	sms->sm = kcalloc(count, sizeof(*sms->sm), GFP_KERNEL);
	if (!sms->sm)
		return -ENOMEM;
	for (i = 0; i < count; i++) {
		sms->sm[i] = sgpu_sm_create(gpu, i);
		if (!sms->sm[i]) {
			sgpu_sm_array_exit(gpu);
			return -ENOMEM;
		}
		sms->count++;
	}
	return 0;
}

void sgpu_sm_array_exit(struct rm_gpu *gpu)
{
	struct sgpu_sm_array *sms = &gpu->sms;
	unsigned int i;

	if (!sms->sm)
		return;
	sgpu_event_cancel(&sms->tick);
	for (i = 0; i < sms->count; i++)
		sgpu_sm_destroy(sms->sm[i]);
	kfree(sms->sm);
	sms->sm = NULL;
	sms->count = 0;
}

/*
 * One quantum of every SM, in order.  It ends early where the next event of
 * the device is due, but lasts at least a cycle.
 */
static void sms_tick(struct sgpu_event *ev)
{
	struct rm_gpu *gpu = container_of(ev, struct rm_gpu, sms.tick);
	struct sgpu_sm_array *sms = &gpu->sms;
	u64 now = sgpu_now_ps(), horizon = sgpu_horizon_ps(), next = U64_MAX;
	u64 end = now + sgpu_prof(gpu, quantum_cycles) * gpu->cycle_ps;
	unsigned int i;

	end = max(min(end, horizon), now + gpu->cycle_ps);
	sms->tick_when = U64_MAX;
	sms->ticking = true;
	for (i = 0; i < sms->count; i++) {
		struct sgpu_sm *sm = sms->sm[i];

		if (sm->next < end || sm->reap)
			sgpu_sm_quantum(sm, now, end);
	}
	for (i = 0; i < sms->count; i++)
		next = min(next, sms->sm[i]->reap ? now : sms->sm[i]->next);
	sms->ticking = false;
	if (next != U64_MAX)
		sgpu_sms_tick_at(sms, max(next, now));
	else
		sim_wake(&gpu->progress);	/* rm_gpu_computing() may have changed */
}

/*
 * Without the lock, which a waiter's condition must not take.  On the real clock a warp that
 * waits for its time becomes ready only in a pass of its SM, so it could be missed in both
 * places only if one ran meanwhile.  Who computes in a pass tells waiters when it has ended.
 */
static bool sms_computes(const struct sgpu_sm *sm)
{
	unsigned long passes = READ_ONCE(sm->passes);
	bool found;

	/* First the number, then the places: pairs with sm_pass(). */
	smp_rmb();
	found = READ_ONCE(sm->ready) || READ_ONCE(sm->wakes.timed) ||
		READ_ONCE(sm->deadline) != U64_MAX;
	/* And the number again after them: pairs with sm_pass(). */
	smp_rmb();
	return found || passes & 1 || passes != READ_ONCE(sm->passes);
}

bool sgpu_sms_busy(struct rm_gpu *gpu)
{
	struct sgpu_sm_array *sms = &gpu->sms;
	bool busy = false;
	unsigned int i;

	for (i = 0; i < sms->count && !busy; i++) {
		struct sgpu_sm *sm = sms->sm[i];

		busy = READ_ONCE(sm->reap) || READ_ONCE(sm->turnover);
		/* one that is off will go on with what it has when it is turned on */
		if (sgpu_sm_is_off(gpu, i))
			busy = busy || !list_empty(&sm->ctas);
		else
			busy = busy || sms_computes(sm);
	}
	return busy;
}

void sgpu_sms_read_switches(struct rm_gpu *gpu, struct sgpu_sms_switches *sum)
{
	unsigned int i;

	memset(sum, 0, sizeof(*sum));
	for (i = 0; i < gpu->sms.count; i++) {
		const struct sgpu_sm *sm = gpu->sms.sm[i];

		sum->out += READ_ONCE(sm->switched_out);
		sum->in += READ_ONCE(sm->switched_in);
		sum->ns += READ_ONCE(sm->switch_ns);
	}
}

u64 sgpu_sms_instructions(struct rm_gpu *gpu)
{
	u64 sum = 0;
	unsigned int i;

	for (i = 0; i < gpu->sms.count; i++)
		sum += READ_ONCE(gpu->sms.sm[i]->instructions);
	return sum;
}
