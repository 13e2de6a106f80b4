/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Accesses that wait for their access counter (REG_CAP_ACCESS_STALL).  They have been translated.
 * Their counter has told the driver, and they wait until it is cleared.  They are translated anew
 * then, since the driver may have moved their page.
 *
 * They do not wait for a replay: sgpu_mmu_waits() is about that alone, and a CTA whose warps are
 * held keeps its place.
 */
#ifndef SOFTGPU_MMU_HOLD_H
#define SOFTGPU_MMU_HOLD_H

#include <linux/types.h>

struct rm_gpu;
struct sgpu_access;
struct sgpu_counter_span;

/**
 * sgpu_mmu_hold - an access waits for its counter
 * @gpu: the GPU
 * @access: as sgpu_mmu_request() takes it
 * @when_ps: now
 *
 * It is called back as one that was requested is, and is forgotten likewise.  If the counter has
 * been cleared since, it is requested at once.
 * Context: any but interrupts; the caller may hold an SM's lock.
 */
void sgpu_mmu_hold(struct rm_gpu *gpu, struct sgpu_access *access, u64 when_ps);

/**
 * sgpu_mmu_release - counters were cleared, or accesses do not wait for any more
 * @gpu: the GPU
 * @span: what the one counter counted that was cleared; NULL: whichever
 *
 * Who has nothing to wait for is requested, in the order in which they began to wait.
 * Context: any but interrupts; takes the MMU's lock.
 */
void sgpu_mmu_release(struct rm_gpu *gpu, const struct sgpu_counter_span *span);

#endif
