// SPDX-License-Identifier: GPL-2.0
/*
 * Pushbuffer: who has which part of the memory that pushes are written into.
 */
#include <linux/errno.h>
#include <kunit/visibility.h>
#include "gpu/pushbuffer.h"

int uvm_pushbuffer_init(struct uvm_pushbuffer *pb, struct rm_gpu *rm)
{
	unsigned int i;

	for (i = 0; i < UVM_PUSHBUFFER_CHUNKS; i++) {
		INIT_LIST_HEAD(&pb->chunks[i].pending);
		pb->chunks[i].put = 0;
		pb->chunks[i].open = false;
	}
	return uvm_gpu_memory_alloc_channel(rm, UVM_PUSHBUFFER_CHUNKS * UVM_PUSHBUFFER_CHUNK_BYTES,
					    &pb->memory);
}
EXPORT_SYMBOL_IF_KUNIT(uvm_pushbuffer_init);

void uvm_pushbuffer_deinit(struct uvm_pushbuffer *pb)
{
	uvm_gpu_memory_free(&pb->memory);
}
EXPORT_SYMBOL_IF_KUNIT(uvm_pushbuffer_deinit);

/* Move @put to where a push of maximum size fits; false if there is no such place. */
static bool uvm_pushbuffer_chunk_fit(struct uvm_pushbuffer_chunk *chunk)
{
	struct uvm_pushbuffer_span *oldest;

	oldest = list_first_entry_or_null(&chunk->pending, struct uvm_pushbuffer_span, node);
	if (!oldest) {
		chunk->put = 0;
		return true;
	}
	/* Never let put catch up with the oldest: equal means full here. */
	if (chunk->put <= oldest->start)
		return oldest->start - chunk->put >= UVM_PUSH_MAX_BYTES;
	if (UVM_PUSHBUFFER_CHUNK_BYTES - chunk->put >= UVM_PUSH_MAX_BYTES)
		return true;
	if (oldest->start < UVM_PUSH_MAX_BYTES)
		return false;
	chunk->put = 0;
	return true;
}

int uvm_pushbuffer_begin(struct uvm_pushbuffer *pb)
{
	struct uvm_pushbuffer_chunk *chunk;
	int i, available = -1;

	for (i = 0; i < UVM_PUSHBUFFER_CHUNKS; i++) {
		chunk = &pb->chunks[i];
		if (chunk->open || !uvm_pushbuffer_chunk_fit(chunk))
			continue;
		if (list_empty(&chunk->pending)) {
			available = i;
			break;
		}
		if (available < 0)
			available = i;
	}
	if (available >= 0)
		pb->chunks[available].open = true;
	return available;
}
EXPORT_SYMBOL_IF_KUNIT(uvm_pushbuffer_begin);

void uvm_pushbuffer_end(struct uvm_pushbuffer *pb, unsigned int chunk, u32 bytes,
			struct uvm_pushbuffer_span *span)
{
	struct uvm_pushbuffer_chunk *c = &pb->chunks[chunk];

	span->start = c->put;
	list_add_tail(&span->node, &c->pending);
	/* The next push starts 16-byte aligned, so that slots in it can be. */
	c->put += ALIGN(bytes, 16);
	c->open = false;
}
EXPORT_SYMBOL_IF_KUNIT(uvm_pushbuffer_end);

void uvm_pushbuffer_release(struct uvm_pushbuffer_span *span)
{
	list_del(&span->node);
}
EXPORT_SYMBOL_IF_KUNIT(uvm_pushbuffer_release);
