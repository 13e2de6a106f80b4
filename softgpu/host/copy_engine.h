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

struct rm_gpu;
struct rm_channel;
struct sgpu_address_space;

#define SGPU_COPY_PIECE		(2UL << 20)

/**
 * struct sgpu_copy - one LAUNCH_DMA
 * @node: in sgpu_copy_engine.queue
 * @channel: who launched it
 * @ready_ps: when it was launched
 * @bytes: to move or set; 0: only the semaphore
 * @src_ap: source aperture
 * @src: source address
 * @dst_ap: destination aperture
 * @dst: destination address
 * @memset: set to @pattern instead of copy
 * @pattern_bytes: 1, 4 or 8
 * @pattern: what to set, its low @pattern_bytes
 * @pipelined: pays no latency
 * @flush: a membar follows it
 * @semaphore: CE_SEMAPHORE_*
 * @increment: it is incremented, up to @sem_payload, instead of written
 * @sem_addr: DMA address
 * @sem_payload: what to write
 * @src_virtual: @src is virtual, @src_ap that of the present piece
 * @dst_virtual: likewise
 * @planned: the present piece is known
 * @carried: the links between peers have been occupied for it, or its present piece
 * @piece: bytes of it; 0: nothing more is translated
 * @done: bytes moved by earlier pieces
 * @fault_va: with @piece 0: address without translation
 * @fault_type: FAULT_TYPE_* of it
 * @fault_write: it was to be written
 */
struct sgpu_copy {
	struct list_head node;
	struct rm_channel *channel;
	u64 ready_ps;
	u64 bytes;
	enum rm_aperture src_ap;
	u64 src;
	enum rm_aperture dst_ap;
	u64 dst;
	bool memset;
	u8 pattern_bytes;
	u64 pattern;
	bool pipelined;
	bool flush;
	u8 semaphore;
	bool increment;
	u64 sem_addr;
	u32 sem_payload;
	bool src_virtual;
	bool dst_virtual;
	bool planned;
	bool carried;
	u64 piece;
	u64 done;
	u64 fault_va;
	u8 fault_type;
	bool fault_write;
};

static inline bool sgpu_copy_is_virtual(const struct sgpu_copy *copy)
{
	return copy->src_virtual || copy->dst_virtual;
}

/**
 * struct sgpu_copy_engine - one copy engine
 * @gpu: its GPU
 * @index: its number
 * @type: what it is for; any direction works
 * @lane: real clock lane of the engine and of its channels
 * @queue: copies, the first is under way.  Protected by sgpu_host.lock
 * @event: end of the first
 * @started_ps: when the first began
 * @free_ps: when the last one ended
 * @copies: since load
 * @bytes: since load
 * @busy_ps: since load
 * @moving: real clock: held while translations are in use
 * @halted: channels that are about to take their copies back.  Protected by sgpu_host.lock
 */
struct sgpu_copy_engine {
	struct rm_gpu *gpu;
	unsigned int index;
	enum rm_engine type;
	unsigned int lane;
	struct list_head queue;
	struct sgpu_event event;
	u64 started_ps;
	u64 free_ps;
	u64 copies;
	u64 bytes;
	u64 busy_ps;
	struct mutex moving;	/* real clock: translations in use */
	unsigned int halted;
};

void sgpu_copy_engine_init(struct rm_gpu *gpu, struct sgpu_copy_engine *ce, unsigned int index,
			   enum rm_engine type, unsigned int lane);
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
/* Move the bytes now; 0 or -EFAULT (nothing moved). */
int sgpu_copy_move(struct rm_gpu *gpu, const struct sgpu_copy *copy);
/* Real clock: return when no engine uses a translation that it has looked up before. */
void sgpu_copy_engines_quiesce(struct rm_gpu *gpu);

/* copy_virtual.c: what is the next piece?  Without any lock. */
void sgpu_copy_plan(struct rm_gpu *gpu, const struct sgpu_address_space *as,
		    struct sgpu_copy *copy);
/*
 * Move the planned piece, or what is still translated of it.  Return: 0 or
 * -EFAULT: an address that is not mapped by the IOMMU.
 */
int sgpu_copy_move_piece(struct rm_gpu *gpu, const struct sgpu_address_space *as,
			 struct sgpu_copy *copy);

#endif
