// SPDX-License-Identifier: GPL-2.0
/* Replayable fault buffer and the interrupt; see fault_buffer.h. */
#include <linux/bitfield.h>
#include <linux/slab.h>
#include <linux/vmalloc.h>
#include <kunit/visibility.h>
#include <softgpu/fault_format.h>
#include "base/extension.h"
#include "base/gpu.h"
#include "base/timeline.h"
#include "clock/clock.h"
#include "mmu/accessed.h"
#include "mmu/fault_buffer.h"
#include "base/trace.h"

static void sgpu_fault_write_due(struct sgpu_event *ev);
static void sgpu_fault_irq_due(struct sgpu_event *ev);

int sgpu_fault_buffer_init(struct rm_gpu *gpu)
{
	struct sgpu_fault_buffer *fb = &gpu->faults;
	unsigned int outstanding = gpu->mmu.utlb_count * gpu->mmu.utlb_mshrs;

	memset(fb, 0, sizeof(*fb));
	spin_lock_init(&fb->lock);
	INIT_LIST_HEAD(&fb->queued);
	sgpu_event_init(&fb->write_event, gpu->index, SGPU_WORKER_MMU, sgpu_fault_write_due);
	sgpu_event_init(&fb->irq_event, gpu->index, SGPU_WORKER_MMU, sgpu_fault_irq_due);
	sgpu_irq_init(&fb->irq);
	fb->entries = sgpu_prof(gpu, fault_ring_entries);
	/* Twice: a replay may find the records of the last round on their way. */
	if (sgpu_prof(gpu, far_faults) != SGPU_FAR_FAULTS_WAIT)
		fb->pending_size = 2 * outstanding;
	fb->prefetch = true;
	fb->ring = vzalloc(array_size(fb->entries, FAULT_RECORD_BYTES));
	fb->origin = vzalloc(array_size(fb->entries, FAULT_ORIGIN_BYTES));
	fb->pending = kvcalloc(fb->pending_size, sizeof(*fb->pending), GFP_KERNEL);
	if (!fb->ring || !fb->origin || !fb->pending) {
		sgpu_fault_buffer_exit(gpu);
		return -ENOMEM;
	}
	return 0;
}
EXPORT_SYMBOL_IF_KUNIT(sgpu_fault_buffer_init);

void sgpu_fault_buffer_exit(struct rm_gpu *gpu)
{
	struct sgpu_fault_buffer *fb = &gpu->faults;

	sgpu_event_cancel(&fb->write_event);
	sgpu_event_cancel(&fb->irq_event);
	sgpu_irq_set_handler(&fb->irq, NULL, NULL);
	vfree(fb->ring);
	vfree(fb->origin);
	kvfree(fb->pending);
	fb->ring = NULL;
	fb->origin = NULL;
	fb->pending = NULL;
}
EXPORT_SYMBOL_IF_KUNIT(sgpu_fault_buffer_exit);

static u64 sgpu_fault_visible_ps(struct rm_gpu *gpu, const struct sgpu_fault *fault)
{
	return fault->detect_ps + sgpu_prof(gpu, fault_write_ns) * PS_PER_NS;
}

static u32 sgpu_fault_pending_bits(const struct rm_gpu *gpu)
{
	const struct sgpu_fault_buffer *fb = &gpu->faults;
	u32 bits = fb->levels;

	if (fb->get != fb->put)
		bits |= REG_INTR_REPLAYABLE_FAULT;
	if (READ_ONCE(gpu->non_replayable.count))
		bits |= REG_INTR_NON_REPLAYABLE_FAULT;
	if (READ_ONCE(gpu->recorder.pending))
		bits |= REG_INTR_RECORDER;
	return bits;
}

/* PENDING & ENABLE became non-zero, or something re-evaluates it. */
static void sgpu_fault_signal(struct rm_gpu *gpu)
{
	struct sgpu_fault_buffer *fb = &gpu->faults;

	lockdep_assert_held(&fb->lock);
	if (!(sgpu_fault_pending_bits(gpu) & fb->enable) || sgpu_event_queued(&fb->irq_event))
		return;
	sgpu_event_at(&fb->irq_event,
		      sgpu_now_ps() + sgpu_prof(gpu, interrupt_ns) * PS_PER_NS);
}

void sgpu_fault_interrupt(struct rm_gpu *gpu)
{
	struct sgpu_fault_buffer *fb = &gpu->faults;
	unsigned long flags;

	spin_lock_irqsave(&fb->lock, flags);
	sgpu_fault_signal(gpu);
	spin_unlock_irqrestore(&fb->lock, flags);
}

void sgpu_intr_set_level(struct rm_gpu *gpu, u32 bit, bool level)
{
	struct sgpu_fault_buffer *fb = &gpu->faults;
	unsigned long flags;

	spin_lock_irqsave(&fb->lock, flags);
	if (level) {
		fb->levels |= bit;
		if (fb->enable & bit)
			sgpu_fault_signal(gpu);
	} else {
		fb->levels &= ~bit;
	}
	spin_unlock_irqrestore(&fb->lock, flags);
}

static void sgpu_fault_drop(struct sgpu_fault_buffer *fb)
{
	fb->overflow = true;
	fb->dropped++;
}

void sgpu_fault_report(struct rm_gpu *gpu, const struct sgpu_fault *fault)
{
	struct sgpu_fault_buffer *fb = &gpu->faults;
	unsigned long flags;

	spin_lock_irqsave(&fb->lock, flags);
	if (fb->pending_count == fb->pending_size) {
		sgpu_fault_drop(fb);
	} else {
		u32 at = (fb->pending_head + fb->pending_count++) % fb->pending_size;

		fb->pending[at] = *fault;
		if (fb->pending_count == 1)
			sgpu_event_at(&fb->write_event, sgpu_fault_visible_ps(gpu, fault));
	}
	spin_unlock_irqrestore(&fb->lock, flags);
}
EXPORT_SYMBOL_IF_KUNIT(sgpu_fault_report);

void sgpu_fault_queue(struct rm_gpu *gpu, struct sgpu_fault_queued *queued)
{
	struct sgpu_fault_buffer *fb = &gpu->faults;
	unsigned long flags;

	spin_lock_irqsave(&fb->lock, flags);
	WRITE_ONCE(queued->number, 0);
	list_add_tail(&queued->node, &fb->queued);
	if (list_is_first(&queued->node, &fb->queued))
		sgpu_event_at(&fb->write_event, sgpu_fault_visible_ps(gpu, &queued->fault));
	spin_unlock_irqrestore(&fb->lock, flags);
}
EXPORT_SYMBOL_IF_KUNIT(sgpu_fault_queue);

void sgpu_fault_unqueue(struct rm_gpu *gpu, struct sgpu_fault_queued *queued)
{
	struct sgpu_fault_buffer *fb = &gpu->faults;
	unsigned long flags;

	spin_lock_irqsave(&fb->lock, flags);
	list_del_init(&queued->node);
	spin_unlock_irqrestore(&fb->lock, flags);
}
EXPORT_SYMBOL_IF_KUNIT(sgpu_fault_unqueue);

/* Records in the ring, which the driver has not taken yet. */
static u32 sgpu_fault_ring_used(const struct sgpu_fault_buffer *fb)
{
	return (fb->put + fb->entries - fb->get) % fb->entries;
}

u64 sgpu_fault_taken(struct rm_gpu *gpu)
{
	struct sgpu_fault_buffer *fb = &gpu->faults;
	unsigned long flags;
	u64 taken;

	spin_lock_irqsave(&fb->lock, flags);
	/* a driver that moves GET past PUT has taken what was never written */
	taken = fb->written - min_t(u64, fb->written, sgpu_fault_ring_used(fb));
	spin_unlock_irqrestore(&fb->lock, flags);
	return taken;
}
EXPORT_SYMBOL_IF_KUNIT(sgpu_fault_taken);

/* The record of the extension that goes with the one at PUT. */
static void sgpu_fault_write_origin(struct sgpu_fault_buffer *fb, const struct sgpu_origin *o)
{
	u32 *rec = fb->origin + fb->put * FAULT_ORIGIN_WORDS;

	WRITE_ONCE(rec[0], o->sm);
	WRITE_ONCE(rec[1], o->warp);
	WRITE_ONCE(rec[2], lower_32_bits(o->cta));
	WRITE_ONCE(rec[3], upper_32_bits(o->cta));
	WRITE_ONCE(rec[4], lower_32_bits(o->pc));
	WRITE_ONCE(rec[5], upper_32_bits(o->pc));
}

/* Write the record at PUT; the word with VALID comes last. */
static void sgpu_fault_write_record(struct sgpu_fault_buffer *fb, const struct sgpu_fault *f)
{
	u32 *rec = fb->ring + fb->put * FAULT_RECORD_WORDS;
	u64 ns = f->detect_ps / PS_PER_NS;

	WRITE_ONCE(rec[0], lower_32_bits(f->instance) & FAULT_W0_INST_LO);
	WRITE_ONCE(rec[1], upper_32_bits(f->instance));
	WRITE_ONCE(rec[2], lower_32_bits(f->va) & FAULT_W2_ADDR_LO);
	WRITE_ONCE(rec[3], upper_32_bits(f->va));
	WRITE_ONCE(rec[4], lower_32_bits(ns));
	WRITE_ONCE(rec[5], upper_32_bits(ns));
	WRITE_ONCE(rec[6], FIELD_PREP(FAULT_W6_ENGINE_ID, FAULT_ENGINE_GRAPHICS));
	if (fb->extensions & REG_CAP_FAULT_ORIGIN)
		sgpu_fault_write_origin(fb, &f->origin);
	/* The driver reads VALID first, then the rest. */
	smp_wmb();
	WRITE_ONCE(rec[7], FIELD_PREP(FAULT_W7_TYPE, f->type) | FAULT_W7_REPLAYABLE |
		   FIELD_PREP(FAULT_W7_CLIENT, f->client) |
		   FIELD_PREP(FAULT_W7_ACCESS, f->access) |
		   FIELD_PREP(FAULT_W7_GPC, f->gpc) | FAULT_W7_REPLAYABLE_EN | FAULT_W7_VALID);
}

static bool sgpu_fault_ring_full(const struct sgpu_fault_buffer *fb)
{
	return sgpu_fault_ring_used(fb) == fb->entries - 1;
}

/* One record becomes visible, or is dropped. */
static void sgpu_fault_write(struct rm_gpu *gpu, const struct sgpu_fault *f)
{
	struct sgpu_fault_buffer *fb = &gpu->faults;
	bool was_empty = fb->get == fb->put;

	if (sgpu_fault_ring_full(fb)) {
		sgpu_fault_drop(fb);
		return;
	}
	sgpu_fault_write_record(fb, f);
	trace_softgpu_fault(gpu->index, f->instance, f->va, f->type, f->access, f->gpc, f->client,
			    fb->put, f->detect_ps / PS_PER_NS);
	sgpu_timeline_emit(&gpu->timelines, .type = SOFTGPU_TIMELINE_FAULT, .unit = f->gpc,
			   .gpu = gpu->index, .time_ns = f->detect_ps / PS_PER_NS, .id = f->va,
			   .value = READ_ONCE(gpu->mmu.waiting));
	fb->put = (fb->put + 1) % fb->entries;
	fb->written++;
	/* The level rises with the first record only. */
	if (was_empty)
		sgpu_fault_signal(gpu);
}

/* Is a fault's record not due yet?  Then the event comes again. */
static bool sgpu_fault_too_early(struct rm_gpu *gpu, const struct sgpu_fault *f)
{
	u64 visible = sgpu_fault_visible_ps(gpu, f);

	if (gpu->mmu.real || visible <= sgpu_now_ps())
		return false;
	sgpu_event_at(&gpu->faults.write_event, visible);
	return true;
}

/* Those that find no room go on when GET has moved. */
static void sgpu_fault_write_queued(struct rm_gpu *gpu)
{
	struct sgpu_fault_buffer *fb = &gpu->faults;
	struct sgpu_fault_queued *q;

	while ((q = list_first_entry_or_null(&fb->queued, struct sgpu_fault_queued, node))) {
		if (sgpu_fault_too_early(gpu, &q->fault) || sgpu_fault_ring_full(fb))
			return;
		list_del_init(&q->node);
		sgpu_fault_write(gpu, &q->fault);
		WRITE_ONCE(q->number, fb->written);
	}
}

static void sgpu_fault_write_due(struct sgpu_event *ev)
{
	struct rm_gpu *gpu = container_of(ev, struct rm_gpu, faults.write_event);
	struct sgpu_fault_buffer *fb = &gpu->faults;

	spin_lock_irq(&fb->lock);
	while (fb->pending_count) {
		struct sgpu_fault *f = &fb->pending[fb->pending_head];

		if (sgpu_fault_too_early(gpu, f))
			break;
		sgpu_fault_write(gpu, f);
		fb->pending_head = (fb->pending_head + 1) % fb->pending_size;
		fb->pending_count--;
	}
	sgpu_fault_write_queued(gpu);
	spin_unlock_irq(&fb->lock);
}

static void sgpu_fault_irq_due(struct sgpu_event *ev)
{
	struct rm_gpu *gpu = container_of(ev, struct rm_gpu, faults.irq_event);
	struct sgpu_fault_buffer *fb = &gpu->faults;
	bool raise;

	spin_lock_irq(&fb->lock);
	raise = sgpu_fault_pending_bits(gpu) & fb->enable;
	fb->raised += raise;
	spin_unlock_irq(&fb->lock);
	if (raise)
		sgpu_irq_raise(&fb->irq);
}

bool sgpu_fault_buffer_busy(struct rm_gpu *gpu)
{
	const struct sgpu_fault_buffer *fb = &gpu->faults;

	return READ_ONCE(fb->pending_count) || !list_empty_careful(&fb->queued) ||
	       sgpu_event_queued(&gpu->faults.irq_event);
}
EXPORT_SYMBOL_IF_KUNIT(sgpu_fault_buffer_busy);

bool sgpu_fault_prefetch_reported(struct rm_gpu *gpu)
{
	return READ_ONCE(gpu->faults.prefetch);
}

u32 sgpu_fault_reg_read(struct rm_gpu *gpu, u32 reg)
{
	struct sgpu_fault_buffer *fb = &gpu->faults;
	unsigned long flags;
	u32 value = 0;

	spin_lock_irqsave(&fb->lock, flags);
	switch (reg) {
	case REG_FAULT_GET:
		value = fb->get;
		break;
	case REG_FAULT_PUT:
		value = fb->put | (fb->overflow ? REG_FAULT_PUT_OVERFLOW : 0);
		break;
	case REG_FAULT_SIZE:
		value = fb->entries;
		break;
	case REG_FAULT_PREFETCH:
		value = fb->prefetch;
		break;
	case REG_INTR_PENDING:
		value = sgpu_fault_pending_bits(gpu);
		break;
	case REG_INTR_EN:
		value = fb->enable;
		break;
	case REG_EXT_ENABLE:
		value = fb->extensions;
		break;
	}
	spin_unlock_irqrestore(&fb->lock, flags);
	return value;
}

u32 sgpu_caps(const struct rm_gpu *gpu)
{
	return sgpu_prof(gpu, access_counter_stall) ? SGPU_CAPS : SGPU_CAPS & ~REG_CAP_ACCESS_STALL;
}
EXPORT_SYMBOL_IF_KUNIT(sgpu_caps);

/* Records written before know nothing of an origin: theirs are zeros. */
static void sgpu_fault_set_extensions(struct rm_gpu *gpu, u32 value)
{
	struct sgpu_fault_buffer *fb = &gpu->faults;
	u32 changed;

	value &= sgpu_caps(gpu);
	if (value & ~fb->extensions & REG_CAP_FAULT_ORIGIN)
		memset(fb->origin, 0, array_size(fb->entries, FAULT_ORIGIN_BYTES));
	sgpu_accessed_enable(&gpu->accessed, value & REG_CAP_ACCESSED);
	changed = value ^ fb->extensions;
	WRITE_ONCE(fb->extensions, value);
	if (changed & (REG_CAP_OVERSUBSCRIBE | REG_CAP_SM_LIMIT))
		sgpu_extension_changed(gpu);
}

/* An index outside the ring is ignored. */
static void sgpu_fault_set_get(struct rm_gpu *gpu, u32 value)
{
	struct sgpu_fault_buffer *fb = &gpu->faults;
	u32 index = FIELD_GET(REG_FAULT_GET_INDEX, value);

	if (index < fb->entries)
		fb->get = index;
	if (!list_empty(&fb->queued))
		sgpu_event_at(&fb->write_event, sgpu_now_ps());
	/* of accesses made later the driver knows nothing: no cancel is about them */
	WRITE_ONCE(gpu->mmu.cancel_before, READ_ONCE(gpu->mmu.issue_seq));
	if (value & REG_FAULT_GET_CLEAR_OVERFLOW)
		fb->overflow = false;
	sgpu_fault_signal(gpu);
}

void sgpu_fault_reg_write(struct rm_gpu *gpu, u32 reg, u32 value)
{
	struct sgpu_fault_buffer *fb = &gpu->faults;
	unsigned long flags;

	spin_lock_irqsave(&fb->lock, flags);
	switch (reg) {
	case REG_FAULT_GET:
		sgpu_fault_set_get(gpu, value);
		break;
	case REG_FAULT_PREFETCH:
		WRITE_ONCE(fb->prefetch, value & 1);
		break;
	case REG_INTR_EN_SET:
		fb->enable |= value & (REG_INTR_REPLAYABLE_FAULT | REG_INTR_ACCESS_COUNTER |
				       REG_INTR_NON_REPLAYABLE_FAULT | REG_INTR_RECORDER);
		sgpu_fault_signal(gpu);
		break;
	case REG_INTR_EN_CLEAR:
		fb->enable &= ~value;
		break;
	case REG_EXT_ENABLE:
		sgpu_fault_set_extensions(gpu, value);
		break;
	}
	spin_unlock_irqrestore(&fb->lock, flags);
}
