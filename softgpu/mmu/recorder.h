/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The recorder: what of GPU memory is in use, told to the driver.  An extension
 * (REG_CAP_RECORDER) after the HPE paper (TCAD 2020, IV-B), which adds such a buffer to the page
 * walker: published GPUs tell their drivers of faults only.
 *
 * HIR counts page-walk hits for each page of GPU memory in a set-associative table, and tells them
 * when the driver asks for a transfer, in the order in which entries began.  A hit whose set is
 * full is lost.  WALKS tells each hit by itself, in order, and loses none: a walk waits while the
 * ring is full, and says how many requests it served: those of a page that wait for the same walk.
 * ACCESSES counts 128-byte lines of each 64 KB, like HIR, or requests.
 *
 * A request is what one instruction of one warp wants of one page.  How many there are depends on
 * the program alone, and not on faults, TLBs and replays: so with NO_FILL, REPLAYS and EVERY_WALK
 * WALKS counts the same ones as ACCESSES does when they are performed.
 *
 * A hit is the end of a walk for a read, write or atomic that the table allows, that brings the L2
 * TLB a page which it has not got meanwhile, and whose access has not faulted before: several SMs
 * that miss one page are one hit, and a fault is none (REG_RECORDER_CONFIG has it otherwise).
 * Copy engines and software prefetches make none.
 */
#ifndef SOFTGPU_RECORDER_H
#define SOFTGPU_RECORDER_H

#include <linux/compiler.h>
#include <linux/types.h>
#include <softgpu/regs.h>
#include <softgpu/rm.h>
#include "mmu/recorder_types.h"

struct rm_gpu;

/**
 * sgpu_recorder_init - allocate tables and ring; recording is off
 * @gpu: its profile is loaded
 *
 * Return: 0 or -ENOMEM.
 */
int sgpu_recorder_init(struct rm_gpu *gpu);

/**
 * sgpu_recorder_exit - free tables and ring
 * @gpu: nothing is recorded any more
 *
 * Also after sgpu_recorder_init() has failed.
 * Context: may sleep.
 */
void sgpu_recorder_exit(struct rm_gpu *gpu);

/**
 * sgpu_recorder_enable - its bit of REG_EXT_ENABLE
 * @gpu: the GPU
 * @on: the bit
 *
 * Context: any.
 */
void sgpu_recorder_enable(struct rm_gpu *gpu, bool on);

/**
 * sgpu_recorder_forget - a context goes: another may have its instance pointer next
 * @gpu: the GPU
 * @instance: of the context; its entries go
 *
 * Context: any.
 */
void sgpu_recorder_forget(struct rm_gpu *gpu, u64 instance);

/**
 * sgpu_recorder_reg_read - read a register of this unit
 * @gpu: the GPU
 * @reg: REG_RECORDER_*
 *
 * Context: any.
 * Return: its value; 0 for another register.
 */
u32 sgpu_recorder_reg_read(struct rm_gpu *gpu, u32 reg);

/**
 * sgpu_recorder_reg_write - write a register of this unit
 * @gpu: the GPU
 * @reg: REG_RECORDER_CONFIG, _TRANSFER or _GET; others are ignored
 * @value: what to write; an index outside the ring is ignored
 *
 * Context: any.
 */
void sgpu_recorder_reg_write(struct rm_gpu *gpu, u32 reg, u32 value);

/**
 * sgpu_recorder_mode - what is recorded
 * @recorder: the GPU's recorder
 *
 * Context: any.
 * Return: RECORDER_MODE_*; nothing while the extension is off.
 */
static inline u32 sgpu_recorder_mode(const struct sgpu_recorder *recorder)
{
	return READ_ONCE(recorder->mode);
}

/**
 * sgpu_recorder_walks - are walks recorded?
 * @recorder: the GPU's recorder
 *
 * Off, that is all that a walk costs.
 * Return: true if so.
 */
static inline bool sgpu_recorder_walks(const struct sgpu_recorder *recorder)
{
	u32 mode = sgpu_recorder_mode(recorder);

	return unlikely(mode == RECORDER_MODE_HIR || mode == RECORDER_MODE_WALKS);
}

/**
 * sgpu_recorder_no_fill - does a walk fill no TLB, so that the next access walks, too?
 * @recorder: the GPU's recorder
 *
 * Return: true if so.
 */
static inline bool sgpu_recorder_no_fill(const struct sgpu_recorder *recorder)
{
	return unlikely(READ_ONCE(recorder->no_fill));
}

/**
 * sgpu_recorder_full - must a walk wait, for its hit would find the ring full?
 * @gpu: the GPU
 *
 * Context: any.
 * Return: true if so: in mode WALKS only.
 */
bool sgpu_recorder_full(struct rm_gpu *gpu);

/**
 * struct sgpu_recorder_hit - a page-walk hit
 * @instance: context
 * @va: address
 * @replayed: the access had faulted before
 * @known: the L2 TLB has got the page meanwhile
 * @requests: that the walk serves, of the 64 KB around @va
 */
struct sgpu_recorder_hit {
	u64 instance;
	u64 va;
	bool replayed;
	bool known;
	u32 requests;
};

/**
 * sgpu_recorder_walked - a walk has hit
 * @gpu: sgpu_recorder_walks() and not sgpu_recorder_full()
 * @hit: copied
 *
 * The caller looks at the interrupt then (sgpu_recorder.pending).
 * Context: the MMU's lock is held.
 */
void sgpu_recorder_walked(struct rm_gpu *gpu, const struct sgpu_recorder_hit *hit);

/**
 * sgpu_recorder_accesses - are accesses counted?
 * @recorder: the GPU's recorder
 *
 * For every memory instruction: off, that is all that one costs.
 * Return: true if so.
 */
static inline bool sgpu_recorder_accesses(const struct sgpu_recorder *recorder)
{
	return unlikely(sgpu_recorder_mode(recorder) == RECORDER_MODE_ACCESSES);
}

/**
 * sgpu_recorder_count - a request accessed lines of 64 KB
 * @gpu: whose SM
 * @instance: context of the access
 * @va: in the 64 KB
 * @lines: how many, of 128 bytes; REG_RECORDER_REQUESTS counts them as one
 * @local: in GPU memory
 *
 * Context: any.
 */
void sgpu_recorder_count(struct rm_gpu *gpu, u64 instance, u64 va, u32 lines, bool local);

#endif
