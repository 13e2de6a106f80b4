/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Non-replayable faults of one GPU: copy engines that met an address without
 * translation (nvidia-uvm 2.11).
 *
 * The interrupt kicks the bottom half without further ado: no lock is handed
 * over, nothing is masked.  It fetches one fault after the other, without
 * batches, merging or sorting, serves each like a replayable one (prefetch
 * included, no thrashing hints), and lets its channel go on by a push behind the
 * work on the block.  What cannot be served kills the channel.
 *
 * Beside nvidia-uvm: a thread of its own instead of one for all kinds; and the
 * channel is killed from it, not from another queue, for RM takes no lock here
 * that the bottom half's order forbids.
 */
#ifndef UVM_NON_REPLAYABLE_H
#define UVM_NON_REPLAYABLE_H

#include <linux/types.h>
#include <softgpu/sim.h>
#include "gpu/tracker.h"
#include "fault/non_replayable_types.h"

struct uvm_gpu;
struct uvm_service;

int uvm_non_replayable_init(struct uvm_gpu *gpu);
void uvm_non_replayable_exit(struct uvm_gpu *gpu);
void uvm_non_replayable_top_half(struct uvm_gpu *gpu);
void uvm_non_replayable_flush(struct uvm_gpu *gpu);

#endif
