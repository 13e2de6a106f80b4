/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What a bottom half does at its end: its interrupt may come again, or those who wait for it are
 * told that nothing will be served any more.
 */
#ifndef UVM_ISR_ENABLE_H
#define UVM_ISR_ENABLE_H

#include <linux/types.h>

struct uvm_gpu;

/**
 * uvm_isr_is_lost - look for a dead channel; if there is one, end what waits to be served
 * @gpu: the GPU
 * @waits: accesses or copies wait for what this bottom half does
 *
 * With a dead channel nothing can be served.  A replay or a clear may break its channel after it
 * was pushed, and no interrupt tells of that.  So on the real clock this waits until what was
 * pushed has ended.  The virtual clock finds out by itself who waits in vain.
 *
 * Context: a bottom half, a participant; the service lock has been given back.
 * Return: true if a channel is dead.
 */
bool uvm_isr_is_lost(struct uvm_gpu *gpu, bool waits);

/**
 * uvm_isr_enable - have an interrupt come again, unless nothing can be served
 * @gpu: the GPU
 * @interrupt: REG_INTR_*
 * @waits: as for uvm_isr_is_lost()
 *
 * Context: as uvm_isr_is_lost().
 */
void uvm_isr_enable(struct uvm_gpu *gpu, u32 interrupt, bool waits);

#endif
