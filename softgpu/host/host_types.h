/* SPDX-License-Identifier: GPL-2.0 */
/* Channels of a GPU; see host.h. */
#ifndef SOFTGPU_HOST_TYPES_H
#define SOFTGPU_HOST_TYPES_H

#include <linux/atomic.h>
#include <linux/idr.h>
#include <linux/list.h>
#include <linux/spinlock.h>
#include <linux/types.h>
#include <softgpu/rm.h>
#include "clock/clock.h"
#include "host/copy_engine_types.h"

struct sgpu_address_space;

#define SGPU_CHANNEL_COPIES	16	/* launched and not yet done */
#define SGPU_CHANNEL_FETCH	64	/* words fetched at once */

/**
 * struct sgpu_channel_fault - why a channel of a context has stopped
 * @ps: when
 * @va: address without translation
 * @type: FAULT_TYPE_*
 * @write: it was to be written
 */
struct sgpu_channel_fault {
	u64 ps;
	u64 va;
	u8 type;
	bool write;
};

/**
 * struct rm_channel - one channel
 * @gpu: its GPU
 * @engine: the copy engine it is bound to
 * @node: in sgpu_host.channels
 * @blocked: in sgpu_host.blocked, with %SGPU_CHANNEL_ACQUIRE
 * @index: number, unique per GPU since load
 * @info: what the owner sees
 * @event: runs the channel
 * @state: enum sgpu_channel_state.  Protected by sgpu_host.lock
 * @gp_put: written by the owner
 * @gp_get: written by the device
 * @error: written by the device
 * @now_ps: how far the channel has got in time
 * @segment: address of the next word to fetch
 * @segment_words: words of the segment not yet fetched
 * @in_segment: a segment is being executed; GET moves at its end
 * @words: words fetched
 * @word: next of them
 * @word_count: how many
 * @op: HOST_HDR_OP_* of the header being executed
 * @subch: its subchannel
 * @method: address of its next method
 * @count: its words left
 * @action: enum sgpu_channel_action due
 * @polls: looks of %SGPU_ACTION_REPLAY_ACK so far
 * @ce_bound: SET_OBJECT was seen
 * @mem_op: HOST_MEM_OP_A ... D
 * @sem_addr: host semaphore registers
 * @sem_payload: host semaphore registers
 * @sem_execute: host semaphore registers
 * @ce: copy engine registers, see host_method.c
 * @sw_bound: SET_OBJECT of the software class was seen
 * @sw: its registers, see host_method.c; instance and SM (or %SGPU_MMU_ALL_SMS) of the action
 * @copies: launched copies
 * @copies_used: bit per copy in use.  Protected by sgpu_host.lock
 * @copies_count: bits in it
 * @clear_faulted: operand of CLEAR_FAULTED
 * @host_as: address space of pushbuffers and semaphores; NULL: DMA addresses
 * @as: address space of virtual operands; NULL: a channel of the driver
 * @chid: id of a channel that may fault
 * @faulted: it has, and launches nothing until that is cleared.  Protected by
 *	sgpu_host.lock
 * @stalled: copies of a faulted channel, in order.  Likewise
 * @fault: with @faulted
 * @fault_fetched: likewise: the driver has fetched it
 * @fault_node: in sgpu_non_replayable.faulted, until the driver fetches it
 * @fault_error: positive errno that the driver ended the fault with; written
 *	before @error
 */
struct rm_channel {
	struct rm_gpu *gpu;
	struct sgpu_copy_engine *engine;
	struct list_head node;
	struct list_head blocked;
	unsigned int index;
	struct rm_channel_info info;
	struct sgpu_event event;
	u8 state;
	u32 gp_put;
	u32 gp_get;
	u32 error;
	u64 now_ps;
	u64 segment;
	u32 segment_words;
	bool in_segment;
	u32 words[SGPU_CHANNEL_FETCH];
	u32 word;
	u32 word_count;
	u8 op;
	u8 subch;
	u32 method;
	u32 count;
	u8 action;
	u8 polls;
	bool ce_bound;
	u32 mem_op[4];
	u64 sem_addr;
	u64 sem_payload;
	u32 sem_execute;
	struct {
		u32 sem_hi, sem_lo, sem_payload;
		u32 src_phys, dst_phys;
		u32 in_hi, in_lo, out_hi, out_lo;
		u32 line_length;
		u32 remap_a, remap_b, remap;
		u32 launch;
	} ce;
	bool sw_bound;
	struct {
		u32 cancel_a, cancel_b, clear_a;
		u64 instance;
		int sm;
	} sw;
	struct sgpu_copy copies[SGPU_CHANNEL_COPIES];
	unsigned long copies_used;
	unsigned int copies_count;
	u32 clear_faulted;
	const struct sgpu_address_space *host_as;
	struct sgpu_address_space *as;
	u32 chid;
	bool faulted;
	struct list_head stalled;
	struct sgpu_channel_fault fault;
	bool fault_fetched;
	struct list_head fault_node;
	int fault_error;
};

/**
 * struct sgpu_host - channels and copy engines of one GPU
 * @lock: protects the lists, channel states and engine queues
 * @channels: all channels
 * @blocked: channels in a semaphore acquire, in order
 * @engines: copy engines, HtoD first, then DtoH, then internal
 * @engine_count: how many
 * @channel_seq: index of the next channel
 * @doorbells: since load
 * @methods: since load
 * @errors: channel errors since load
 * @chids: ids of channels that may fault
 * @break_after: fault injection: the method that brings it to 0 is an error
 * @slow_dtoh_us: likewise, on the real clock: copies home begin so much later
 */
struct sgpu_host {
	spinlock_t lock;	/* lists, states, queues */
	struct list_head channels;
	struct list_head blocked;
	struct sgpu_copy_engine *engines;
	unsigned int engine_count;
	unsigned int channel_seq;
	u64 doorbells;
	u64 methods;
	u64 errors;
	struct ida chids;
	atomic_t break_after;
	u32 slow_dtoh_us;
};

#endif
