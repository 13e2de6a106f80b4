/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The latest replays of a GPU: who takes pages away orders himself behind them, and on the real
 * clock no more than so many wait for the GPU.
 */
#ifndef UVM_REPLAY_H
#define UVM_REPLAY_H

#include <linux/spinlock.h>
#include <linux/types.h>
#include "gpu/tracker.h"
#include "gpu/replay_types.h"

struct uvm_gpu;
struct uvm_push;
struct uvm_work;

/**
 * uvm_replays_init - no replay is under way
 * @replays: written
 */
void uvm_replays_init(struct uvm_replays *replays);

/**
 * uvm_replays_add - a replay has been pushed
 * @replays: of the GPU
 * @push: the push, ended
 *
 * Context: service lock held; takes replays->lock.
 */
void uvm_replays_add(struct uvm_replays *replays, const struct uvm_push *push);

/**
 * uvm_replays_bound - wait until one more replay may be under way
 * @replays: of the GPU
 * @work: of the bottom half
 *
 * On the virtual clock a replay takes the time that hardware needs, and there is no bound, as in
 * nvidia-uvm.
 *
 * Context: service lock held; a participant.
 * Return: 0 or -EIO.
 */
int uvm_replays_bound(struct uvm_replays *replays, struct uvm_work *work);

/**
 * uvm_replays_track - order work behind the latest replay
 * @replays: of the GPU
 * @tracker: of the work, its owner's lock held
 *
 * Evictions need it: a replay and the unmapping of what was mapped before it may
 * both wait for the same copy.  If the unmapping won each time, accesses to two
 * blocks that evict each other would never be performed.
 *
 * Return: 0 or -EIO.
 */
int uvm_replays_track(struct uvm_replays *replays, struct uvm_tracker *tracker);

#endif
