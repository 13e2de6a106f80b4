/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Access counters: how often SMs access memory that is not the GPU's own, per
 * granule of virtual addresses (MIMC), and the ring that tells the driver.  That is
 * memory of the system or of a peer; a granule may have both, and its record names that of
 * the access which reached the threshold.
 *
 * One access is one 128-byte line of one warp instruction, counted when it is
 * performed.  A counter that reaches the threshold writes one record and is
 * silent until it is cleared.  If the ring is full the record is not written,
 * overflow is set, and the counter tries again at its next access: what gets
 * lost is promptness.
 *
 * The counters are a table of ACCESS_BANKS banks, each set-associative with
 * SGPU_COUNTER_WAYS ways and LRU: a granule that has none takes the one of its
 * set that was used longest ago, and begins at 0.  Bank and set follow from the
 * granule's number.
 */
#ifndef SOFTGPU_ACCESS_COUNTER_H
#define SOFTGPU_ACCESS_COUNTER_H

#include <linux/spinlock.h>
#include <linux/types.h>
#include "mmu/access_counter_types.h"

struct rm_gpu;

/* After the fault buffer, which has the interrupt. */
int sgpu_access_counters_init(struct rm_gpu *gpu);
void sgpu_access_counters_exit(struct rm_gpu *gpu);

/*
 * @lines lines of @va's page were accessed over the link, in memory of a @peer or of the
 * system.  Only while enabled; the caller may hold an SM's lock.
 */
void sgpu_access_counters_count(struct rm_gpu *gpu, u64 instance, u64 va, bool peer, u32 lines);

/* MEM_OP access counter clear: all of a type (HOST_COUNTER_CLR_*), or one. */
void sgpu_access_counters_clear(struct rm_gpu *gpu, unsigned int type);
void sgpu_access_counters_clear_one(struct rm_gpu *gpu, unsigned int bank, u32 tag);
/* The context goes: another may have its instance pointer next. */
void sgpu_access_counters_forget(struct rm_gpu *gpu, u64 instance);

/* The registers of this unit (regs.c). */
u32 sgpu_access_counters_reg_read(struct rm_gpu *gpu, u32 reg);
void sgpu_access_counters_reg_write(struct rm_gpu *gpu, u32 reg, u32 value);

#endif
