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
 * struct sgpu_channel_fetch - what a channel fetches
 * @address: of the next word of the segment
 * @left: words of the segment not yet fetched
 * @in_segment: a segment is being executed; GET moves at its end
 * @words: words fetched
 * @next: next of them
 * @count: how many
 * @taken: fault records that the driver had taken when it rang for this segment
 */
struct sgpu_channel_fetch {
	u64 address;
	u32 left;
	bool in_segment;
	u32 words[SGPU_CHANNEL_FETCH];
	u32 next;
	u32 count;
	u64 taken;
};

/**
 * struct sgpu_channel_rung - what the driver knew when it rang the doorbell
 * @put: GPFIFO entries before this one are noted.  Protected by sgpu_host.lock, as @taken
 * @taken: by GPFIFO entry: sgpu_fault_taken() then
 */
struct sgpu_channel_rung {
	u32 put;
	u64 *taken;
};

/**
 * struct sgpu_channel_header - the method header that is executed
 * @op: HOST_HDR_OP_*
 * @subch: its subchannel
 * @method: address of its next method
 * @count: its words left
 */
struct sgpu_channel_header {
	u8 op;
	u8 subch;
	u32 method;
	u32 count;
};

/**
 * struct sgpu_host_regs - registers of the host class
 * @mem_op: HOST_MEM_OP_A ... D
 * @sem_addr: semaphore
 * @sem_payload: likewise
 * @sem_execute: likewise
 * @clear_faulted: operand of CLEAR_FAULTED
 */
struct sgpu_host_regs {
	u32 mem_op[4];
	u64 sem_addr;
	u64 sem_payload;
	u32 sem_execute;
	u32 clear_faulted;
};

/**
 * struct sgpu_ce_regs - registers of the copy class, see host_method.c
 * @bound: SET_OBJECT was seen
 */
struct sgpu_ce_regs {
	bool bound;
	/* private: by the names of their methods */
	u32 sem_hi, sem_lo, sem_payload;
	u32 src_phys, dst_phys;
	u32 in_hi, in_lo, out_hi, out_lo;
	u32 line_length;
	u32 remap_a, remap_b, remap;
	u32 launch;
};

/**
 * struct sgpu_sw_regs - registers of the software class, see host_method.c
 * @bound: SET_OBJECT was seen
 * @instance: of the action
 * @sm: SM of the action, or %SGPU_MMU_ALL_SMS
 */
struct sgpu_sw_regs {
	bool bound;
	/* private: by the names of their methods */
	u32 cancel_a, cancel_b, clear_a;
	/* public: */
	u64 instance;
	int sm;
};

/**
 * struct sgpu_channel_copies - launched copies of a channel
 * @slot: the copies
 * @used: bit per slot in use.  Protected by sgpu_host.lock
 * @count: bits in it
 * @moved: pieces moved so far; written by the engine
 */
struct sgpu_channel_copies {
	struct sgpu_copy slot[SGPU_CHANNEL_COPIES];
	unsigned long used;
	unsigned int count;
	u64 moved;
};

/**
 * struct sgpu_channel_stall - a channel of a context that has faulted
 * @active: it has, and launches nothing until that is cleared.  Protected by
 *	sgpu_host.lock, as all but @node and @error
 * @copies: its copies, in order
 * @fault: why
 * @fetched: the driver has fetched it
 * @node: in sgpu_non_replayable.faulted, until the driver fetches it
 * @error: positive errno that the driver ended the fault with; written before
 *	rm_channel.error
 */
struct sgpu_channel_stall {
	bool active;
	struct list_head copies;
	struct sgpu_channel_fault fault;
	bool fetched;
	struct list_head node;
	int error;
};

/**
 * struct rm_channel - one channel
 * @gpu: its GPU
 * @engine: the copy engine it is bound to
 * @node: in sgpu_host.channels
 * @blocked: in sgpu_host.blocked, with %SGPU_CHANNEL_ACQUIRE
 * @index: number, unique per GPU since load
 * @chid: id of a channel that may fault
 * @info: what the owner sees
 * @host_as: address space of pushbuffers and semaphores; NULL: DMA addresses
 * @as: address space of virtual operands; NULL: a channel of the driver
 * @event: runs the channel
 * @state: enum sgpu_channel_state.  Protected by sgpu_host.lock
 * @gp_put: written by the owner
 * @gp_get: written by the device
 * @error: written by the device
 * @now_ps: how far the channel has got in time
 * @action: enum sgpu_channel_action due
 * @polls: looks of %SGPU_ACTION_REPLAY_ACK so far
 * @rung: what the driver knew when it rang
 * @fetch: words on their way
 * @header: what is executed
 * @host: registers of the host
 * @ce: registers of its copy engine
 * @sw: registers of the software class
 * @copies: launched copies
 * @stall: why it does not go on
 */
struct rm_channel {
	struct rm_gpu *gpu;
	struct sgpu_copy_engine *engine;
	struct list_head node;
	struct list_head blocked;
	unsigned int index;
	u32 chid;
	struct rm_channel_info info;
	const struct sgpu_address_space *host_as;
	struct sgpu_address_space *as;
	struct sgpu_event event;
	u8 state;
	u32 gp_put;
	u32 gp_get;
	u32 error;
	u64 now_ps;
	u8 action;
	u8 polls;
	struct sgpu_channel_rung rung;
	struct sgpu_channel_fetch fetch;
	struct sgpu_channel_header header;
	struct sgpu_host_regs host;
	struct sgpu_ce_regs ce;
	struct sgpu_sw_regs sw;
	struct sgpu_channel_copies copies;
	struct sgpu_channel_stall stall;
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
