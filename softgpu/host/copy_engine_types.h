/* SPDX-License-Identifier: GPL-2.0 */
/* Copies and copy engines; see copy_engine.h. */
#ifndef SOFTGPU_COPY_ENGINE_TYPES_H
#define SOFTGPU_COPY_ENGINE_TYPES_H

#include <linux/list.h>
#include <linux/mutex.h>
#include <linux/types.h>
#include <softgpu/rm.h>
#include "clock/clock.h"
#include "memory/link_types.h"

struct rm_channel;
struct rm_gpu;

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

/**
 * struct sgpu_copy_engine - one copy engine
 * @gpu: its GPU
 * @index: its number
 * @type: what it is for; any direction works
 * @worker: real clock worker of the engine and of its channels
 * @queue: copies, the first is under way.  Protected by sgpu_host.lock
 * @event: end of the first
 * @started_ps: when the first began
 * @free_ps: when the last one ended
 * @copies: since load
 * @bytes: since load
 * @busy_ps: since load
 * @moving: real clock: held while translations are in use
 * @link: its present copy on the link to system memory
 * @halted: channels that are about to take their copies back.  Protected by sgpu_host.lock
 */
struct sgpu_copy_engine {
	struct rm_gpu *gpu;
	unsigned int index;
	enum rm_engine type;
	unsigned int worker;
	struct list_head queue;
	struct sgpu_event event;
	u64 started_ps;
	u64 free_ps;
	u64 copies;
	u64 bytes;
	u64 busy_ps;
	struct mutex moving;	/* real clock: translations in use */
	struct sgpu_link_copy link;
	unsigned int halted;
};

/**
 * sgpu_copy_is_virtual - has a copy a virtual operand?
 * @copy: the copy
 *
 * Return: true if so.
 */
static inline bool sgpu_copy_is_virtual(const struct sgpu_copy *copy)
{
	return copy->src_virtual || copy->dst_virtual;
}

/**
 * sgpu_copy_touches - does a copy read or write an aperture?
 * @copy: the copy, or its present piece
 * @aperture: which
 *
 * Return: true if so; a memset reads nothing.
 */
static inline bool sgpu_copy_touches(const struct sgpu_copy *copy, enum rm_aperture aperture)
{
	return copy->dst_ap == aperture || (!copy->memset && copy->src_ap == aperture);
}

#endif
