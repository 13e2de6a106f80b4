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

/**
 * uvm_push_set_flag - what the next operation of a copy engine is to do besides
 * @push: the push
 * @flag: UVM_PUSH_*, consumed by that operation
 */
static inline void uvm_push_set_flag(struct uvm_push *push, u32 flag)
{
	push->flags |= flag;
}

/*
 * Inline data: words in the pushbuffer that the host skips.  Nothing else may
 * be added to the push between begin and end.
 */
#define UVM_PUSH_INLINE_MAX_BYTES	32760

/**
 * uvm_push_inline_begin - begin inline data
 * @push: the push
 */
void uvm_push_inline_begin(struct uvm_push *push);

/**
 * uvm_push_inline_add - add to inline data
 * @push: the push
 * @data: the data
 * @bytes: how many, a multiple of 4; UVM_PUSH_INLINE_MAX_BYTES in all
 */
void uvm_push_inline_add(struct uvm_push *push, const void *data, size_t bytes);

/**
 * uvm_push_inline_end - end inline data
 * @push: the push
 *
 * Return: address of the first byte, for a copy.
 */
struct uvm_gpu_address uvm_push_inline_end(struct uvm_push *push);

/**
 * uvm_push_words - room for words, which the caller fills; for the HAL
 * @push: the push. If it is full that is a bug: it begins anew and is not executed
 * @words: how many
 *
 * Return: where they go.
 */
u32 *uvm_push_words(struct uvm_push *push, unsigned int words);

/**
 * uvm_push_slot - 16 bytes in a push that the host skips; for the HAL
 * @push: the push
 * @va: out: where channels find them
 *
 * Return: where they are, 16-byte aligned, zero.
 */
u32 *uvm_push_slot(struct uvm_push *push, u64 *va);

/**
 * uvm_push_take_membar - consume the flags that say how a barrier is to be; for the HAL
 * @push: the push
 *
 * Return: the barrier; the system's if no flag says otherwise.
 */
enum uvm_membar uvm_push_take_membar(struct uvm_push *push);

/**
 * uvm_push_take_pipelined - consume the flag that says not to wait; for the HAL
 * @push: the push
 *
 * Return: true: the operation may overlap those before it.
 */
bool uvm_push_take_pipelined(struct uvm_push *push);

/**
 * uvm_push_open - a new push; for channel.c
 * @push: written
 * @channel: where it will go
 * @chunk: chunk of the pushbuffer that has room for it, open
 */
void uvm_push_open(struct uvm_push *push, struct uvm_channel *channel, unsigned int chunk);

/**
 * uvm_push_open_end - give the words that end a push their room; for push.c
 * @push: the push
 */
void uvm_push_open_end(struct uvm_push *push);

#endif
