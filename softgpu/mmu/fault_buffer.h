/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Replayable fault buffer: the ring that the MMU writes, its GET and PUT, and
 * the GPU's interrupt.
 *
 * A fault becomes visible fault_write_ns after it was detected, in order of
 * detection.  A record that finds the ring full (PUT + 1 == GET) is dropped and
 * sets the overflow bit; its access still waits, and faults again at the next
 * replay.  Records of far faults that wait (far_fault.h) are never dropped: they
 * wait for room.  The interrupt follows interrupt_ns after PENDING & ENABLE became
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

/* What the hardware can do above published GPUs: bits of REG_CAPS. */
#define SGPU_CAPS							\
	(REG_CAP_FAULT_ORIGIN | REG_CAP_ACCESSED | REG_CAP_OVERSUBSCRIBE |	\
	 REG_CAP_SM_LIMIT | REG_CAP_FREE_EVICTION | REG_CAP_COMPRESSION |	\
	 REG_CAP_RECORDER | REG_CAP_ACCESS_STALL)

/**
 * sgpu_caps - which of these a GPU has
 * @gpu: its profile is loaded
 *
 * Return: all, but REG_CAP_ACCESS_STALL only if profile key access_counter_stall says so.
 */
u32 sgpu_caps(const struct rm_gpu *gpu);

/**
 * sgpu_fault_buffer_init - allocate the rings; no interrupt is enabled
 * @gpu: its MMU is up, whose fault tables bound the number of records on their way
 *
 * Return: 0 or -ENOMEM.
 */
int sgpu_fault_buffer_init(struct rm_gpu *gpu);

/**
 * sgpu_fault_buffer_exit - free the rings; nobody handles the interrupt afterwards
 * @gpu: its MMU reports nothing any more
 *
 * Also after sgpu_fault_buffer_init() has failed.
 * Context: may sleep.
 */
void sgpu_fault_buffer_exit(struct rm_gpu *gpu);

/**
 * sgpu_fault_report - a fault was detected
 * @gpu: the GPU
 * @fault: copied; visible after profile key fault_write_ns, or dropped with the overflow bit
 *
 * Context: any; the caller may hold the MMU's lock.
 */
void sgpu_fault_report(struct rm_gpu *gpu, const struct sgpu_fault *fault);

/**
 * sgpu_fault_queue - as sgpu_fault_report(), and the record waits for room in the ring
 * @gpu: the GPU
 * @queued: its @fault is filled; not queued
 *
 * Context: any; the caller may hold the MMU's lock.
 */
void sgpu_fault_queue(struct rm_gpu *gpu, struct sgpu_fault_queued *queued);

/**
 * sgpu_fault_unqueue - nobody wants a record any more, if it has not been written yet
 * @gpu: the GPU
 * @queued: also one that is not queued
 *
 * Context: any; the caller may hold the MMU's lock.
 */
void sgpu_fault_unqueue(struct rm_gpu *gpu, struct sgpu_fault_queued *queued);

/**
 * sgpu_fault_taken - how many records has the driver moved GET past?
 * @gpu: the GPU
 *
 * Context: any.
 * Return: the number of the last of them, from 1 since load; 0: none.
 */
u64 sgpu_fault_taken(struct rm_gpu *gpu);

/**
 * sgpu_fault_interrupt - a non-replayable fault is pending: raise the interrupt if it is enabled
 * @gpu: the GPU
 *
 * Context: any.
 */
void sgpu_fault_interrupt(struct rm_gpu *gpu);

/**
 * sgpu_fault_buffer_busy - are records on their way to the ring, or an interrupt on its way?
 * @gpu: the GPU
 *
 * Context: any; without a lock, so of now.
 * Return: true if so.
 */
bool sgpu_fault_buffer_busy(struct rm_gpu *gpu);

/**
 * sgpu_intr_set_level - the interrupt level of another unit
 * @gpu: the GPU
 * @bit: which, REG_INTR_*
 * @level: true: it rises, or is looked at again
 *
 * Context: any; the caller may hold that unit's lock.
 */
void sgpu_intr_set_level(struct rm_gpu *gpu, u32 bit, bool level);

/**
 * sgpu_fault_prefetch_reported - are faults of prefetches reported?
 * @gpu: the GPU
 *
 * Context: any.
 * Return: REG_FAULT_PREFETCH.
 */
bool sgpu_fault_prefetch_reported(struct rm_gpu *gpu);

/**
 * sgpu_fault_reg_read - read a register of this unit
 * @gpu: the GPU
 * @reg: REG_FAULT_*, REG_INTR_* or REG_EXT_ENABLE
 *
 * Context: any.
 * Return: its value; 0 for another register.
 */
u32 sgpu_fault_reg_read(struct rm_gpu *gpu, u32 reg);

/**
 * sgpu_fault_reg_write - write a register of this unit
 * @gpu: the GPU
 * @reg: REG_FAULT_GET, REG_FAULT_PREFETCH, REG_INTR_EN_*, REG_EXT_ENABLE; others are ignored
 * @value: what to write; bits that there are not are ignored
 *
 * Context: any.
 */
void sgpu_fault_reg_write(struct rm_gpu *gpu, u32 reg, u32 value);

#endif
