/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Replayable fault buffer: the ring that the MMU writes, its GET and PUT, and
 * the GPU's interrupt.
 *
 * A fault becomes visible fault_write_ns after it was detected, in order of
 * detection.  A record that finds the ring full (PUT + 1 == GET) is dropped and
 * sets the overflow bit; its access still waits, and faults again at the next
 * replay.  The interrupt follows interrupt_ns after PENDING & ENABLE became
 * non-zero, or after a write of GET or EN_SET while it is; always from an
 * event of its own, and not at all if it is zero again by then.
 */
#ifndef SOFTGPU_FAULT_BUFFER_H
#define SOFTGPU_FAULT_BUFFER_H

#include <linux/types.h>
#include <linux/spinlock.h>
#include <softgpu/regs.h>
#include "clock/clock.h"
#include "mmu/mmu_types.h"
#include "mmu/fault_buffer_types.h"

struct rm_gpu;

/* What the hardware can report on and above published GPUs: bits of REG_CAPS. */
#define SGPU_CAPS							\
	(REG_CAP_FAULT_ORIGIN | REG_CAP_ACCESSED | REG_CAP_OVERSUBSCRIBE |	\
	 REG_CAP_SM_LIMIT | REG_CAP_FREE_EVICTION | REG_CAP_COMPRESSION |	\
	 REG_CAP_RECORDER)

/**
 * struct sgpu_fault - a fault as the MMU detects it
 * @detect_ps: when
 * @instance: context
 * @va: address (its 4K page is reported)
 * @type: FAULT_TYPE_*
 * @access: FAULT_ACCESS_*
 * @gpc: GPC of the SM
 * @client: SM within the GPC
 * @origin: who made the access
 */
struct sgpu_fault {
	u64 detect_ps;
	u64 instance;
	u64 va;
	u8 type;
	u8 access;
	u8 gpc;
	u8 client;
	struct sgpu_origin origin;
};

/* After the MMU: its fault tables bound the number of records on their way. */
int sgpu_fault_buffer_init(struct rm_gpu *gpu);
void sgpu_fault_buffer_exit(struct rm_gpu *gpu);

/* A fault was detected; caller may hold the MMU's lock. */
void sgpu_fault_report(struct rm_gpu *gpu, const struct sgpu_fault *fault);
/* A non-replayable fault is pending: raise the interrupt if it is enabled. */
void sgpu_fault_interrupt(struct rm_gpu *gpu);
/* Records on their way to the ring? */
bool sgpu_fault_buffer_busy(struct rm_gpu *gpu);
/*
 * Another unit's level, a bit of REG_INTR_*: set, it rises or is looked at
 * again.  The caller may hold that unit's lock.
 */
void sgpu_intr_set_level(struct rm_gpu *gpu, u32 bit, bool level);
/* REG_FAULT_PREFETCH */
bool sgpu_fault_prefetch_reported(struct rm_gpu *gpu);

/* The registers of this unit (regs.c). */
u32 sgpu_fault_reg_read(struct rm_gpu *gpu, u32 reg);
void sgpu_fault_reg_write(struct rm_gpu *gpu, u32 reg, u32 value);

#endif
