// SPDX-License-Identifier: GPL-2.0
/*
 * Pushes.
 */
#include <linux/align.h>
#include <linux/bitfield.h>
#include <linux/bug.h>
#include <linux/string.h>
#include <softgpu/host_class.h>
#include <kunit/visibility.h>
#include "gpu/gpu.h"
#include "gpu/channel.h"
#include "gpu/hal.h"
#include "gpu/push.h"

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

int uvm_push_begin(struct uvm_gpu *gpu, enum uvm_channel_type type, struct uvm_push *push)
{
	struct uvm_channel_manager *mgr = &gpu->channels;
	bool reserved = false;
	int ret;

	if (!sim_sem_trylock(&mgr->concurrent))
		sim_sem_down(&mgr->concurrent);
	for (;;) {
		uvm_channels_update_progress(gpu);
		if (uvm_gpu_channel_error(gpu))
			break;
		if (uvm_channel_try_reserve(gpu, type, push))
			return 0;
		atomic_inc(&mgr->space_waiters);
		ret = sim_wait_event(rm_gpu_waitq(gpu->rm),
				     (reserved = uvm_channel_try_reserve(gpu, type, push)) ||
				     uvm_channels_reclaimable(gpu) || uvm_gpu_channel_error(gpu));
		atomic_dec(&mgr->space_waiters);
		if (reserved)
			return 0;
		if (ret)
			WRITE_ONCE(mgr->error, true);
	}
	sim_sem_up(&mgr->concurrent);
	return -EIO;
}
EXPORT_SYMBOL_IF_KUNIT(uvm_push_begin);

/* A GPU cannot acquire another one's semaphores here: wait for their work. */
static int uvm_push_wait_other_gpus(struct uvm_gpu *gpu, struct uvm_tracker *tracker)
{
	struct uvm_tracker_entry *entry;
	unsigned int i;
	int ret;

	for (i = 0; i < tracker->count; i++) {
		entry = &uvm_tracker_entries(tracker)[i];
		if (entry->channel->gpu == gpu)
			continue;
		ret = uvm_channel_wait(entry->channel, entry->value, false);
		if (ret)
			return ret;
	}
	uvm_tracker_remove_completed(tracker);
	return 0;
}

/*
 * Acquire in the order of the channels, not of the tracker: the latter depends
 * on work of long ago, and the time that the GPU needs depends on the order.
 */
static void uvm_push_acquire(struct uvm_push *push, struct uvm_tracker *tracker)
{
	const struct uvm_tracker_entry *entry;
	struct uvm_channel *channel;
	unsigned int c, i;

	for (c = 0; c < UVM_CHANNELS; c++) {
		channel = &push->gpu->channels.channels[c];
		if (channel == push->channel)
			continue;
		for (i = 0; i < tracker->count; i++) {
			entry = &uvm_tracker_entries(tracker)[i];
			if (entry->channel == channel)
				uvm_host_semaphore_acquire(push, channel->tracking.va,
							   (u32)entry->value);
		}
	}
}

int uvm_push_begin_acquire(struct uvm_gpu *gpu, enum uvm_channel_type type,
			   struct uvm_tracker *tracker, struct uvm_push *push)
{
	int ret;

	if (tracker) {
		ret = uvm_push_wait_other_gpus(gpu, tracker);
		if (ret)
			return ret;
	}
	ret = uvm_push_begin(gpu, type, push);
	if (ret || !tracker)
		return ret;

	uvm_tracker_remove_completed(tracker);
	uvm_push_acquire(push, tracker);
	return 0;
}
EXPORT_SYMBOL_IF_KUNIT(uvm_push_begin_acquire);

static void uvm_push_write_release(struct uvm_push *push, u32 payload)
{
	/* What is left of a push that did not fit must not be executed. */
	if (push->overflow)
		push->next = push->begin;
	push->limit += UVM_PUSH_END_WORDS;
	uvm_ce_semaphore_release(push, push->channel->tracking.va, payload);
}

u64 uvm_push_end(struct uvm_push *push)
{
	struct uvm_channel_manager *mgr = &push->gpu->channels;

	if (push->overflow)
		WRITE_ONCE(mgr->error, true);
	uvm_channel_submit(push, uvm_push_write_release);
	sim_sem_up(&mgr->concurrent);
	return push->value;
}
EXPORT_SYMBOL_IF_KUNIT(uvm_push_end);

int uvm_push_wait(const struct uvm_push *push)
{
	return uvm_channel_wait(push->channel, push->value, false);
}
EXPORT_SYMBOL_IF_KUNIT(uvm_push_wait);

int uvm_push_end_and_wait(struct uvm_push *push)
{
	uvm_push_end(push);
	return uvm_push_wait(push);
}
EXPORT_SYMBOL_IF_KUNIT(uvm_push_end_and_wait);

size_t uvm_push_space(const struct uvm_push *push)
{
	return (push->limit - push->next) * sizeof(u32);
}
EXPORT_SYMBOL_IF_KUNIT(uvm_push_space);

void uvm_push_on_complete(struct uvm_push *push, void (*fn)(void *data), void *data)
{
	WARN_ON_ONCE(push->fn);
	push->fn = fn;
	push->data = data;
}
EXPORT_SYMBOL_IF_KUNIT(uvm_push_on_complete);

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

size_t uvm_push_inline_bytes(const struct uvm_push *push)
{
	if (!push->inline_header)
		return 0;
	return (push->next - push->inline_header - 1) * sizeof(u32);
}
EXPORT_SYMBOL_IF_KUNIT(uvm_push_inline_bytes);

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

const u64 *uvm_push_timestamp(struct uvm_push *push)
{
	u64 va;
	u32 *slot = uvm_push_slot(push, &va);

	uvm_ce_semaphore_timestamp(push, va);
	return (const u64 *)(slot + 2);
}
EXPORT_SYMBOL_IF_KUNIT(uvm_push_timestamp);
