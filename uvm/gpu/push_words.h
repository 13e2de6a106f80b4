/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The words of a push: what the HAL writes into it.  Opening, ending and waiting is push.h.
 */
#ifndef UVM_PUSH_WORDS_H
#define UVM_PUSH_WORDS_H

#include <linux/bits.h>
#include <linux/types.h>
#include "gpu/gpu_memory.h"

struct uvm_channel;
struct uvm_gpu;

/*
 * Flags for the next copy-engine operation, which consumes them: copy, memset,
 * or the semaphore release of uvm_push_end().
 */
#define UVM_PUSH_CE_NEXT_PIPELINED	BIT(0)	/* may overlap earlier copies */
#define UVM_PUSH_NEXT_MEMBAR_NONE	BIT(1)
#define UVM_PUSH_NEXT_MEMBAR_GPU	BIT(2)	/* default: system */

enum uvm_membar {
	UVM_MEMBAR_NONE,
	UVM_MEMBAR_GPU,
	UVM_MEMBAR_SYS,
};

/**
 * struct uvm_push - a push, on its author's stack
 * @gpu: the GPU
 * @channel: the channel, chosen at begin
 * @value: tracking value, valid after end
 * @begin: first word
 * @next: where the next word goes
 * @limit: where words end
 * @chunk: pushbuffer chunk
 * @flags: UVM_PUSH_*
 * @inline_header: open inline data: its NOP header
 * @overflow: too many methods; a bug, the push is not executed
 * @fn: completion function
 * @data: for @fn
 */
struct uvm_push {
	struct uvm_gpu *gpu;
	struct uvm_channel *channel;
	u64 value;
	u32 *begin;
	u32 *next;
	u32 *limit;
	unsigned int chunk;
	u32 flags;
	u32 *inline_header;
	bool overflow;
	void (*fn)(void *data);
	void *data;
};

static inline void uvm_push_set_flag(struct uvm_push *push, u32 flag)
{
	push->flags |= flag;
}

/* Bytes of methods that still fit; one copy, memset, membar or invalidate takes at most 64. */
size_t uvm_push_space(const struct uvm_push *push);

/*
 * Inline data: words in the pushbuffer that the host skips.  Nothing else may
 * be added to the push between begin and end.
 */
#define UVM_PUSH_INLINE_MAX_BYTES	32760
void uvm_push_inline_begin(struct uvm_push *push);
void uvm_push_inline_add(struct uvm_push *push, const void *data, size_t bytes);
size_t uvm_push_inline_bytes(const struct uvm_push *push);
/* Return: address of the first byte, for a copy. */
struct uvm_gpu_address uvm_push_inline_end(struct uvm_push *push);

/* For the HAL: room for @words words, which the caller fills. */
u32 *uvm_push_words(struct uvm_push *push, unsigned int words);
/* For the HAL: 16-byte aligned 16 bytes that the host skips; @va: where channels find them. */
u32 *uvm_push_slot(struct uvm_push *push, u64 *va);
/* For the HAL: consume the flags. */
enum uvm_membar uvm_push_take_membar(struct uvm_push *push);
bool uvm_push_take_pipelined(struct uvm_push *push);
/* For channel.c: a new push, in chunk @chunk of the pushbuffer. */
void uvm_push_open(struct uvm_push *push, struct uvm_channel *channel, unsigned int chunk);
/* For push.c: give the words that end a push their room. */
void uvm_push_open_end(struct uvm_push *push);

#endif
