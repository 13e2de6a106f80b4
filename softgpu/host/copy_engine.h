/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Copy engines: move bytes, in order per engine, independently of the other
 * engines.
 *
 * A copy takes (latency, if it is not pipelined) + bytes / bandwidth of its
 * actual direction; its bytes move when it ends, then its semaphore is
 * released.  Between peers it ends later if the links are busy (peer.h).  System
 * memory is reached through the IOMMU, and a physical copy that finds an address
 * unmapped, or of no peer, moves no bytes at all and kills its channel.
 *
 * Channels of a context have virtual operands as well (copy_virtual.c).  Such a
 * copy is done in pieces: as far as both sides are translated and lie in the
 * same two apertures, at most %SGPU_COPY_PIECE.  A piece is translated when it
 * begins, for its time, and again when its bytes move.  Where there is no
 * translation the copy stops with a non-replayable fault (non_replayable.h):
 * its channel's copies leave the engine, which goes on with other channels',
 * until the driver clears the fault; then the copy goes on behind the bytes
 * that it has moved.
 */
#ifndef SOFTGPU_COPY_ENGINE_H
#define SOFTGPU_COPY_ENGINE_H

#include <linux/types.h>
#include <linux/list.h>
#include <linux/mutex.h>
#include <softgpu/rm.h>
#include "clock/clock.h"
#include "host/copy_engine_types.h"

struct rm_gpu;
struct rm_channel;

#define SGPU_COPY_PIECE		(2UL << 20)

/**
 * sgpu_copy_engine_init - make an engine that has nothing to do
 * @gpu: its GPU
 * @ce: storage
 * @index: its number
 * @type: what it is for; any direction works
 * @worker: of the real clock
 */
void sgpu_copy_engine_init(struct rm_gpu *gpu, struct sgpu_copy_engine *ce, unsigned int index,
			   enum rm_engine type, unsigned int worker);

/**
 * sgpu_copy_engine_exit - the reverse of sgpu_copy_engine_init()
 * @ce: no channel has a copy of it
 *
 * Context: may sleep.
 */
void sgpu_copy_engine_exit(struct sgpu_copy_engine *ce);

/**
 * sgpu_copy_engine_submit - queue a copy, in order of launch
 * @ce: the engine
 * @copy: stays the engine's until sgpu_channel_copy_done()
 *
 * Context: sgpu_host.lock is held.
 */
void sgpu_copy_engine_submit(struct sgpu_copy_engine *ce, struct sgpu_copy *copy);

/**
 * sgpu_copy_engine_halt - stop an engine at a copy boundary, to take copies of a channel back
 * @ce: the engine
 *
 * Several may do so at once: the engine goes on when the last is through.
 * Context: may sleep: waits for the copy under way.
 */
void sgpu_copy_engine_halt(struct sgpu_copy_engine *ce);

/**
 * sgpu_copy_engine_resume - take a channel's copies back, and let the engine go on with the rest
 * @ce: halted by the caller
 * @channel: the channel; none of its copies is under way on return
 *
 * Context: takes sgpu_host.lock.
 */
void sgpu_copy_engine_resume(struct sgpu_copy_engine *ce, struct rm_channel *channel);

/**
 * sgpu_copy_engine_forget - take every copy of a channel back; none is under way on return
 * @ce: the engine
 * @channel: the channel, which launches no more
 *
 * Context: may sleep, see sgpu_copy_engine_halt().
 */
void sgpu_copy_engine_forget(struct sgpu_copy_engine *ce, struct rm_channel *channel);

/**
 * sgpu_copy_ps - modelled duration of a copy, semaphore and membar included
 * @gpu: whose engine
 * @copy: the copy, or the present piece of it
 *
 * Return: ps, if no link is busy.
 */
u64 sgpu_copy_ps(struct rm_gpu *gpu, const struct sgpu_copy *copy);

/**
 * sgpu_copy_engines_quiesce - wait until no engine uses a translation that it has looked up
 * @gpu: whose engines
 *
 * Context: may sleep, on the real clock; on the virtual one none is in use between events.
 */
void sgpu_copy_engines_quiesce(struct rm_gpu *gpu);

#endif
