// SPDX-License-Identifier: GPL-2.0
/* Semaphores, for channels and copy engines. */
#include <linux/bitfield.h>
#include <softgpu/host_class.h>
#include "base/gpu.h"
#include "clock/clock.h"
#include "host/channel_state.h"
#include "host/semaphore.h"

static bool sgpu_semaphore_reached(u64 value, u64 payload, u32 execute)
{
	bool wide = execute & HOST_SEM_PAYLOAD_64;

	switch (FIELD_GET(HOST_SEM_OPERATION, execute)) {
	case HOST_SEM_OP_ACQUIRE:
		return value == payload;
	case HOST_SEM_OP_ACQ_STRICT_GEQ:
		return value >= payload;
	default:
		return wide ? (s64)(value - payload) >= 0 :
			      (s32)((u32)value - (u32)payload) >= 0;
	}
}

int sgpu_semaphore_test(struct rm_channel *ch, bool *satisfied)
{
	bool wide = ch->host.sem_execute & HOST_SEM_PAYLOAD_64;
	enum rm_aperture aperture;
	u32 *p = sgpu_channel_mem_get(ch, ch->host.sem_addr, SGPU_READ, &aperture);
	u64 value, payload = wide ? ch->host.sem_payload : (u32)ch->host.sem_payload;

	if (!p)
		return -EFAULT;
	value = wide ? READ_ONCE(*(u64 *)p) : READ_ONCE(*p);
	/* What the releaser wrote before is visible to what follows. */
	smp_rmb();
	sgpu_mem_put(ch->gpu, aperture);
	*satisfied = sgpu_semaphore_reached(value, payload, ch->host.sem_execute);
	return 0;
}

/* Semaphores changed: look at the blocked channels again, oldest first. */
static void sgpu_host_reevaluate(struct rm_gpu *gpu)
{
	struct sgpu_host *host = &gpu->host;
	struct rm_channel *ch, *next;

	spin_lock(&host->lock);
	list_for_each_entry_safe(ch, next, &host->blocked, blocked) {
		bool satisfied = false;

		/* One that became unreadable is woken to find that out. */
		if (sgpu_semaphore_test(ch, &satisfied) || satisfied)
			sgpu_channel_wake(ch, sgpu_now_ps());
	}
	spin_unlock(&host->lock);
}

int sgpu_semaphore_release(struct rm_channel *ch, u64 addr, u64 payload, bool wide, bool timestamp)
{
	enum rm_aperture aperture;
	u32 *p = sgpu_channel_mem_get(ch, addr, SGPU_WRITE, &aperture);

	if (!p)
		return -EFAULT;
	if (timestamp) {
		WRITE_ONCE(((u64 *)p)[1], sim_now());
		if (!wide)
			WRITE_ONCE(p[1], 0);
	}
	/* The time, and what the engine did before, are visible with the payload. */
	smp_wmb();
	if (wide)
		WRITE_ONCE(*(u64 *)p, payload);
	else
		WRITE_ONCE(*p, (u32)payload);
	sgpu_mem_put(ch->gpu, aperture);
	sgpu_host_reevaluate(ch->gpu);
	sim_wake(&ch->gpu->progress);
	return 0;
}

int sgpu_semaphore_increment(struct rm_channel *ch, u64 addr, u32 limit)
{
	enum rm_aperture aperture;
	u32 *p = sgpu_channel_mem_get(ch, addr, SGPU_ATOMIC, &aperture);
	u32 old, new;

	if (!p)
		return -EFAULT;
	/* Engines of other threads, and other GPUs, may count in the same word. */
	old = READ_ONCE(*p);
	do {
		new = old >= limit ? 0 : old + 1;
	} while (!try_cmpxchg(p, &old, new));
	sgpu_mem_put(ch->gpu, aperture);
	sgpu_host_reevaluate(ch->gpu);
	sim_wake(&ch->gpu->progress);
	return 0;
}
