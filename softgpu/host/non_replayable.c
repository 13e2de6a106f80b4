// SPDX-License-Identifier: GPL-2.0
/* Non-replayable faults; see non_replayable.h. */
#include <linux/bitfield.h>
#include <linux/export.h>
#include <softgpu/fault_format.h>
#include "base/gpu.h"
#include "base/trace.h"
#include "host/non_replayable.h"
#include "mmu/fault_buffer.h"

void sgpu_non_replayable_init(struct rm_gpu *gpu)
{
	struct sgpu_non_replayable *nr = &gpu->non_replayable;

	memset(nr, 0, sizeof(*nr));
	spin_lock_init(&nr->lock);
	INIT_LIST_HEAD(&nr->faulted);
}

void sgpu_non_replayable_report(struct rm_gpu *gpu, struct rm_channel *ch)
{
	struct sgpu_non_replayable *nr = &gpu->non_replayable;
	unsigned long flags;

	trace_softgpu_fault(gpu->index, ch->as->instance, ch->stall.fault.va, ch->stall.fault.type,
			    ch->stall.fault.write ? FAULT_ACCESS_WRITE : FAULT_ACCESS_READ, 0,
			    FAULT_CLIENT_HUB_CE0 + ch->engine->index, ch->chid,
			    ch->stall.fault.ps / PS_PER_NS);
	spin_lock_irqsave(&nr->lock, flags);
	/* cleared unread: one record stands for both */
	if (list_empty(&ch->stall.node)) {
		list_add_tail(&ch->stall.node, &nr->faulted);
		WRITE_ONCE(nr->count, nr->count + 1);
	}
	nr->faults++;
	spin_unlock_irqrestore(&nr->lock, flags);
	sgpu_fault_interrupt(gpu);
}

void sgpu_non_replayable_forget(struct rm_gpu *gpu, struct rm_channel *ch)
{
	struct sgpu_non_replayable *nr = &gpu->non_replayable;
	unsigned long flags;

	spin_lock_irqsave(&nr->lock, flags);
	if (!list_empty(&ch->stall.node)) {
		list_del_init(&ch->stall.node);
		WRITE_ONCE(nr->count, nr->count - 1);
	}
	spin_unlock_irqrestore(&nr->lock, flags);
}

/* As the hardware writes it: no GPC, the hub's client, not replayable. */
static void sgpu_non_replayable_record(const struct rm_channel *ch, u32 *rec)
{
	u64 ns = ch->stall.fault.ps / PS_PER_NS;

	rec[0] = lower_32_bits(ch->as->instance) & FAULT_W0_INST_LO;
	rec[1] = upper_32_bits(ch->as->instance);
	rec[2] = lower_32_bits(ch->stall.fault.va) & FAULT_W2_ADDR_LO;
	rec[3] = upper_32_bits(ch->stall.fault.va);
	rec[4] = lower_32_bits(ns);
	rec[5] = upper_32_bits(ns);
	rec[6] = FIELD_PREP(FAULT_W6_ENGINE_ID, FAULT_ENGINE_CE0 + ch->engine->index);
	rec[7] = FIELD_PREP(FAULT_W7_TYPE, ch->stall.fault.type) |
		 FIELD_PREP(FAULT_W7_CLIENT, FAULT_CLIENT_HUB_CE0 + ch->engine->index) |
		 FIELD_PREP(FAULT_W7_ACCESS, ch->stall.fault.write ? FAULT_ACCESS_WRITE :
						 FAULT_ACCESS_READ) |
		 FAULT_W7_HUB | FAULT_W7_VALID;
}

/* ---- rm.h ------------------------------------------------------------ */

bool rm_nonreplayable_pending(struct rm_gpu *gpu)
{
	return READ_ONCE(gpu->non_replayable.count);
}
EXPORT_SYMBOL_NS_GPL(rm_nonreplayable_pending, SOFTGPU);

bool rm_nonreplayable_get(struct rm_gpu *gpu, u32 *record)
{
	struct sgpu_non_replayable *nr = &gpu->non_replayable;
	struct rm_channel *ch;
	unsigned long flags;

	spin_lock_irqsave(&nr->lock, flags);
	ch = list_first_entry_or_null(&nr->faulted, struct rm_channel, stall.node);
	if (ch) {
		list_del_init(&ch->stall.node);
		WRITE_ONCE(nr->count, nr->count - 1);
		WRITE_ONCE(ch->stall.fetched, true);
		sgpu_non_replayable_record(ch, record);
	}
	spin_unlock_irqrestore(&nr->lock, flags);
	return ch;
}
EXPORT_SYMBOL_NS_GPL(rm_nonreplayable_get, SOFTGPU);
