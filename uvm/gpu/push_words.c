// SPDX-License-Identifier: GPL-2.0
/*
 * The words of a push.
 */
#include <linux/align.h>
#include <linux/bitfield.h>
#include <linux/bug.h>
#include <linux/string.h>
#include <kunit/visibility.h>
#include <softgpu/host_class.h>
#include "gpu/gpu.h"
#include "gpu/push_words.h"

/* Kept free for the words that end a push. */
#define UVM_PUSH_END_WORDS	16

static const u32 uvm_push_nop = FIELD_PREP_CONST(HOST_HDR_OP, HOST_HDR_OP_NON_INC) |
				FIELD_PREP_CONST(HOST_HDR_SUBCH, HOST_SUBCH_HOST) |
				FIELD_PREP_CONST(HOST_HDR_METHOD, HOST_NOP / 4);

void uvm_push_open(struct uvm_push *push, struct uvm_channel *channel, unsigned int chunk)
{
	struct uvm_pushbuffer *pb = &channel->gpu->channels.pushbuffer;

	memset(push, 0, sizeof(*push));
	push->gpu = channel->gpu;
	push->channel = channel;
	push->chunk = chunk;
	push->begin = pb->memory.cpu + uvm_pushbuffer_offset(pb, chunk);
	push->next = push->begin;
	push->limit = push->begin + UVM_PUSH_MAX_BYTES / sizeof(u32) - UVM_PUSH_END_WORDS;
}
EXPORT_SYMBOL_IF_KUNIT(uvm_push_open);

void uvm_push_open_end(struct uvm_push *push)
{
	push->limit += UVM_PUSH_END_WORDS;
}

u32 *uvm_push_words(struct uvm_push *push, unsigned int words)
{
	u32 *p;

	if (WARN_ON_ONCE(words > push->limit - push->next)) {
		push->overflow = true;
		push->inline_header = NULL;
		push->next = push->begin;
	}
	p = push->next;
	push->next += words;
	return p;
}
EXPORT_SYMBOL_IF_KUNIT(uvm_push_words);

enum uvm_membar uvm_push_take_membar(struct uvm_push *push)
{
	enum uvm_membar membar = UVM_MEMBAR_SYS;

	if (push->flags & UVM_PUSH_NEXT_MEMBAR_NONE)
		membar = UVM_MEMBAR_NONE;
	else if (push->flags & UVM_PUSH_NEXT_MEMBAR_GPU)
		membar = UVM_MEMBAR_GPU;
	push->flags &= ~(UVM_PUSH_NEXT_MEMBAR_NONE | UVM_PUSH_NEXT_MEMBAR_GPU);
	return membar;
}
EXPORT_SYMBOL_IF_KUNIT(uvm_push_take_membar);

bool uvm_push_take_pipelined(struct uvm_push *push)
{
	bool pipelined = push->flags & UVM_PUSH_CE_NEXT_PIPELINED;

	push->flags &= ~UVM_PUSH_CE_NEXT_PIPELINED;
	return pipelined;
}
EXPORT_SYMBOL_IF_KUNIT(uvm_push_take_pipelined);

/* ---- data in the push ------------------------------------------------ */

static struct uvm_gpu_address uvm_push_address(const struct uvm_push *push, const u32 *word)
{
	const struct uvm_gpu_memory *memory = &push->gpu->channels.pushbuffer.memory;

	return uvm_gpu_memory_address(memory, (void *)word - memory->cpu);
}

void uvm_push_inline_begin(struct uvm_push *push)
{
	push->inline_header = uvm_push_words(push, 1);
}
EXPORT_SYMBOL_IF_KUNIT(uvm_push_inline_begin);

void uvm_push_inline_add(struct uvm_push *push, const void *data, size_t bytes)
{
	u32 *words = uvm_push_words(push, bytes / sizeof(u32));

	memcpy(words, data, bytes);
}
EXPORT_SYMBOL_IF_KUNIT(uvm_push_inline_add);

static size_t uvm_push_inline_bytes(const struct uvm_push *push)
{
	if (!push->inline_header)
		return 0;
	return (push->next - push->inline_header - 1) * sizeof(u32);
}

struct uvm_gpu_address uvm_push_inline_end(struct uvm_push *push)
{
	u32 *header = push->inline_header;
	unsigned int words = uvm_push_inline_bytes(push) / sizeof(u32);

	/* Overflow: the push is void. */
	if (!header)
		return uvm_push_address(push, push->begin);
	*header = uvm_push_nop | FIELD_PREP(HOST_HDR_COUNT, words);
	push->inline_header = NULL;
	return uvm_push_address(push, header + 1);
}
EXPORT_SYMBOL_IF_KUNIT(uvm_push_inline_end);

u32 *uvm_push_slot(struct uvm_push *push, u64 *va)
{
	unsigned int pad = -(push->next + 1 - push->begin) & 3;
	u32 *header = uvm_push_words(push, 1 + pad + 4);
	u32 *slot = header + 1 + pad;
	const struct uvm_gpu_memory *memory = &push->gpu->channels.pushbuffer.memory;

	*header = uvm_push_nop | FIELD_PREP(HOST_HDR_COUNT, pad + 4);
	memset(header + 1, 0, (pad + 4) * sizeof(u32));
	*va = memory->va + ((void *)slot - memory->cpu);
	return slot;
}
EXPORT_SYMBOL_IF_KUNIT(uvm_push_slot);
