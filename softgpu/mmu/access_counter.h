/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Access counters: how often SMs access memory that is not the GPU's own, per
 * granule of virtual addresses (MIMC), and the ring that tells the driver.  That is
 * memory of the system or of a peer; a granule may have both, and its record names that of
 * the access which reached the threshold.
 *
 * One access is one 128-byte line of one warp instruction, counted when it is
 * about to be performed.  A counter that reaches the threshold writes one record and is
 * silent until it is cleared.  If the ring is full the record is not written,
 * overflow is set, and the counter tries again at its next access: what gets
 * lost is promptness.
 *
 * The counters are a table of ACCESS_BANKS banks, each set-associative with
 * SGPU_COUNTER_WAYS ways and LRU: a granule that has none takes the one of its
 * set that was used longest ago, and begins at 0.  Bank and set follow from the
 * granule's number.
 *
 * With REG_CAP_ACCESS_STALL on, the access that made its counter write a record waits until the
 * counter is cleared, and so does each that comes meanwhile (mmu_hold.h).  Nobody waits for a
 * record that was not written.  A granule does not get a counter for which accesses may wait; if
 * its set has no other, its accesses are not counted.
 */
#ifndef SOFTGPU_ACCESS_COUNTER_H
#define SOFTGPU_ACCESS_COUNTER_H

#include <linux/spinlock.h>
#include <linux/types.h>
#include "mmu/access_counter_types.h"

struct rm_gpu;

/**
 * sgpu_access_counters_init - allocate table and ring; counting is off
 * @gpu: its fault buffer, which has the interrupt, is up
 *
 * Return: 0 or -ENOMEM.
 */
int sgpu_access_counters_init(struct rm_gpu *gpu);

/**
 * sgpu_access_counters_exit - free table and ring
 * @gpu: nobody counts any more
 *
 * Also after sgpu_access_counters_init() has failed.
 */
void sgpu_access_counters_exit(struct rm_gpu *gpu);

/**
 * sgpu_access_counters_count - lines of a page are to be accessed over the link
 * @gpu: whose SM accesses them
 * @instance: context of the access
 * @va: in the page
 * @peer: they are in the memory of a peer, not of the system
 * @lines: how many, of 128 bytes
 *
 * Does nothing while counters are off.
 * Context: any; the caller may hold an SM's lock.
 * Return: whether they may be now; if not, the caller gives the access to sgpu_mmu_hold().
 */
enum sgpu_counted sgpu_access_counters_count(struct rm_gpu *gpu, u64 instance, u64 va, bool peer,
					     u32 lines);

/**
 * sgpu_access_counters_stall - does an access have to wait for its counter to be cleared?
 * @gpu: the GPU
 * @instance: context of the access
 * @va: address
 *
 * Context: any.
 * Return: true if so.
 */
bool sgpu_access_counters_stall(struct rm_gpu *gpu, u64 instance, u64 va);

/**
 * sgpu_access_counters_set_stall - from now on accesses wait for counters that have told, or do not
 * @gpu: the GPU
 * @on: they do
 *
 * Context: any.
 */
void sgpu_access_counters_set_stall(struct rm_gpu *gpu, bool on);

/**
 * sgpu_access_counters_clear - clear all counters of a type, as MEM_OP says it
 * @gpu: the GPU
 * @type: HOST_COUNTER_CLR_*; there are none of MOMC, accesses by others
 *
 * Context: any.
 */
void sgpu_access_counters_clear(struct rm_gpu *gpu, unsigned int type);

/**
 * sgpu_access_counters_clear_one - clear one counter, as MEM_OP says it
 * @gpu: the GPU
 * @bank: from its record; one that there is not is ignored
 * @tag: from its record, likewise
 * @span: written: what it counted, if there is such a counter
 *
 * Context: any.
 * Return: whether it had written its record, so that accesses in @span may wait for this.
 */
bool sgpu_access_counters_clear_one(struct rm_gpu *gpu, unsigned int bank, u32 tag,
				    struct sgpu_counter_span *span);

/**
 * sgpu_access_counters_forget - a context goes: another may have its instance pointer next
 * @gpu: the GPU
 * @instance: of the context; its counters are cleared
 *
 * Context: any.
 */
void sgpu_access_counters_forget(struct rm_gpu *gpu, u64 instance);

/**
 * sgpu_access_counters_reg_read - read a register of this unit
 * @gpu: the GPU
 * @reg: REG_ACCESS_COUNTER_*
 *
 * Context: any.
 * Return: its value; 0 for another register.
 */
u32 sgpu_access_counters_reg_read(struct rm_gpu *gpu, u32 reg);

/**
 * sgpu_access_counters_reg_write - write a register of this unit
 * @gpu: the GPU
 * @reg: REG_ACCESS_COUNTER_CONFIG or _GET; others are ignored
 * @value: what to write
 *
 * Context: any.
 */
void sgpu_access_counters_reg_write(struct rm_gpu *gpu, u32 reg, u32 value);

#endif
