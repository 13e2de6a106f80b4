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

void sgpu_copy_engine_init(struct rm_gpu *gpu, struct sgpu_copy_engine *ce, unsigned int index,
			   enum rm_engine type, unsigned int worker);
void sgpu_copy_engine_exit(struct sgpu_copy_engine *ce);

/* @copy stays the engine's until sgpu_channel_copy_done(). */
void sgpu_copy_engine_submit(struct sgpu_copy_engine *ce, struct sgpu_copy *copy);
/*
 * Take back every copy of a channel; none is under way on return.  By halves: stop the engine
 * at a copy boundary, waiting for it, then take them off and let it go on with what is left.
 * Several may do so at once: the engine goes on when the last is through.
 */
void sgpu_copy_engine_halt(struct sgpu_copy_engine *ce);
void sgpu_copy_engine_resume(struct sgpu_copy_engine *ce, struct rm_channel *channel);
void sgpu_copy_engine_forget(struct sgpu_copy_engine *ce, struct rm_channel *channel);
/* Modelled duration of a copy, semaphore and membar included. */
u64 sgpu_copy_ps(struct rm_gpu *gpu, const struct sgpu_copy *copy);
/* Real clock: return when no engine uses a translation that it has looked up before. */
void sgpu_copy_engines_quiesce(struct rm_gpu *gpu);

#endif
