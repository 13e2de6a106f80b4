/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Pushbuffer: the DMA memory that pushes are written into.
 *
 * 16 chunks; at most one push is open in each, so at most 16 pushes are
 * open at once.  A chunk is used as a ring: pushes are laid out in the order
 * they begin, and the space of the oldest pending one bounds what is free.
 * nvidia-uvm uses chunks of 1 MiB and pushes of 128 KiB; ours are 128 KiB and
 * 64 KiB, because the memory is the host's.
 *
 * Pure but for the allocation of the memory: all locking is the channel
 * manager's.
 */
#ifndef UVM_PUSHBUFFER_H
#define UVM_PUSHBUFFER_H

#include <linux/list.h>
#include "gpu/gpu_memory.h"

#define UVM_PUSHBUFFER_CHUNKS		16
#define UVM_PUSHBUFFER_CHUNK_BYTES	(128 * 1024)
#define UVM_PUSH_MAX_BYTES		(64 * 1024)

/**
 * struct uvm_pushbuffer_chunk - one chunk
 * @pending: ended pushes not yet reclaimed, oldest first
 * @put: offset in the chunk where the next push begins
 * @open: a push is being written at @put
 */
struct uvm_pushbuffer_chunk {
	struct list_head pending;
	u32 put;
	bool open;
};

/**
 * struct uvm_pushbuffer_span - memory of one ended push
 * @node: in the chunk's pending list
 * @start: offset in the chunk
 */
struct uvm_pushbuffer_span {
	struct list_head node;
	u32 start;
};

/**
 * struct uvm_pushbuffer - pushbuffer of one GPU
 * @memory: all chunks
 * @chunks: their state
 */
struct uvm_pushbuffer {
	struct uvm_gpu_memory memory;
	struct uvm_pushbuffer_chunk chunks[UVM_PUSHBUFFER_CHUNKS];
};

/**
 * uvm_pushbuffer_init - an empty pushbuffer
 * @pb: written
 * @rm: the GPU
 *
 * Context: may sleep.
 * Return: 0 or -ENOMEM.
 */
int uvm_pushbuffer_init(struct uvm_pushbuffer *pb, struct rm_gpu *rm);

/**
 * uvm_pushbuffer_deinit - the reverse of uvm_pushbuffer_init()
 * @pb: no push is pending
 *
 * Context: may sleep.
 */
void uvm_pushbuffer_deinit(struct uvm_pushbuffer *pb);

/**
 * uvm_pushbuffer_begin - find room for one push of maximum size
 * @pb: the pushbuffer
 *
 * Idle chunks are preferred over merely available ones, lower over higher.
 *
 * Return: the chunk, now open, or -1.
 */
int uvm_pushbuffer_begin(struct uvm_pushbuffer *pb);

/**
 * uvm_pushbuffer_offset - where the open push of a chunk starts
 * @pb: the pushbuffer
 * @chunk: the chunk
 *
 * Return: bytes from the start of the pushbuffer.
 */
static inline u32 uvm_pushbuffer_offset(const struct uvm_pushbuffer *pb, unsigned int chunk)
{
	return chunk * UVM_PUSHBUFFER_CHUNK_BYTES + pb->chunks[chunk].put;
}

/**
 * uvm_pushbuffer_end - the open push of a chunk ends
 * @pb: the pushbuffer
 * @chunk: the chunk, open no longer
 * @bytes: that it took
 * @span: holds them until released
 *
 * Context: channels.lock held.
 */
void uvm_pushbuffer_end(struct uvm_pushbuffer *pb, unsigned int chunk, u32 bytes,
			struct uvm_pushbuffer_span *span);

/**
 * uvm_pushbuffer_release - memory of an ended push is free again
 * @span: as uvm_pushbuffer_end() wrote it
 *
 * Context: channels.lock held.
 */
void uvm_pushbuffer_release(struct uvm_pushbuffer_span *span);

#endif
