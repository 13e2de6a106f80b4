/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Host interface: channels.
 *
 * The owner writes GPFIFO entries (pushbuffer segments in system memory), PUT
 * and the doorbell; doorbell_ns later the channel fetches and executes
 * methods, method_ns each.  Channels run independently of each other.
 *
 * What differs from published hardware, for the manual:
 * - Pushbuffers and semaphores, of the host and of the copy engines, have virtual
 *   addresses (rm_space.h) on the driver's channels; on those of a context DMA addresses
 *   of system memory.  Their walks take no time; one that finds nothing is an error.
 * - Copies and memsets of the driver's channels use physical addresses; a
 *   virtual operand is an error.  Channels of a context have virtual ones too.
 * - A semaphore acquire that is not satisfied blocks its channel (there are no
 *   runlists to switch) and is looked at again after every semaphore release
 *   by this GPU and at the channel's doorbell.
 * - SYNC of a GPFIFO entry changes nothing: no entry is fetched before all methods of those
 *   before it have been executed.
 * - Of control entries there is NOP, which takes no time; all others, conditional fetches and
 *   subroutine levels are errors.
 * - MEM_OP with REPLAY set invalidates first, then replays or cancels.
 * - GPC_DISABLE leaves the GPCs' TLBs alone: nothing else holds translations
 *   here, so the invalidate then has no effect.
 * - CLEAR_FAULTED names the channel by its id; one that has not faulted, or is
 *   gone, is left alone.
 * - The software class runs in the device, not in RM, and its methods take no longer than
 *   others.  Instance blocks are in the GPU's memory and name contexts, so its CLEAR_FAULTED
 *   is for all channels of a context whose fault the driver has fetched.
 *
 * Every unknown method or operand is a channel error: the error word is set,
 * the channel is dead, whoever waits for the GPU is woken.
 */
#ifndef SOFTGPU_HOST_H
#define SOFTGPU_HOST_H

#include <linux/types.h>
#include <linux/atomic.h>
#include <linux/idr.h>
#include <linux/list.h>
#include <linux/spinlock.h>
#include <softgpu/rm.h>
#include "clock/clock.h"
#include "host/copy_engine.h"
#include "mmu/mmu.h"

#define SGPU_CHANNEL_COPIES	16	/* launched and not yet done */
#define SGPU_CHANNEL_FETCH	64	/* words fetched at once */
#define SGPU_CHANNEL_ACK_POLLS	64	/* looks before a replay is taken as answered */
#define SGPU_CHANNEL_ENTRIES	65536	/* GPFIFO entries at most */

enum sgpu_channel_state {
	SGPU_CHANNEL_IDLE,		/* GET == PUT; a doorbell wakes it */
	SGPU_CHANNEL_ACTIVE,		/* its event is queued or runs */
	SGPU_CHANNEL_ACQUIRE,		/* blocked on a semaphore */
	SGPU_CHANNEL_COPIES_FULL,	/* until one of its copies is done */
	SGPU_CHANNEL_COPIES_IDLE,	/* until all of its copies are done */
	SGPU_CHANNEL_DEAD,		/* channel error */
};

/* What a channel does when its event comes due, before the next method. */
enum sgpu_channel_action {
	SGPU_ACTION_NONE,
	SGPU_ACTION_MEM_OP,
	SGPU_ACTION_CLEAR_FAULTED,
	SGPU_ACTION_SW_CANCEL,
	SGPU_ACTION_SW_CLEAR,
	SGPU_ACTION_REPLAY_ACK,		/* REPLAY_START_ACK_ALL: until all are answered */
	SGPU_ACTION_SEMAPHORE,
	SGPU_ACTION_WFI,
	SGPU_ACTION_LAUNCH,
};

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

int sgpu_host_init(struct rm_gpu *gpu);
/* Every channel is gone by now. */
void sgpu_host_exit(struct rm_gpu *gpu);
/* As rm_channel_alloc(), with virtual operands in @as, which outlives the channel. */
int sgpu_channel_alloc(struct rm_gpu *gpu, enum rm_engine engine, unsigned int entries,
		       struct sgpu_address_space *as, struct rm_channel **channel);
/* The driver gives up on the fault of a channel: it is dead.  @error: positive errno. */
void sgpu_channel_fail(struct rm_channel *channel, int error);
/* Channels or copy engines that can make progress? */
bool sgpu_host_busy(struct rm_gpu *gpu);

/* host_method.c: decode and execute one data word of the present header. */
enum sgpu_method_result {
	SGPU_METHOD_DONE,		/* go on with the next word */
	SGPU_METHOD_ACTION,		/* @action due at @now_ps */
	SGPU_METHOD_ERROR,		/* RM_CHANNEL_ERR_* in @error */
};

enum sgpu_method_result sgpu_host_method(struct rm_channel *channel, u32 method, u32 data,
					 u32 *error);
/* Perform the due MEM_OP (no lock held; real clock: waits for the SMs). */
void sgpu_host_mem_op(struct rm_channel *channel);
/* Is the MEM_OP a replay? */
bool sgpu_host_is_replay(const struct rm_channel *channel);
/* Is the MEM_OP a replay that completes only when all accesses are answered? */
bool sgpu_host_wants_ack(const struct rm_channel *channel);
/* Fill @copy from the CE registers; 0 or RM_CHANNEL_ERR_*. */
u32 sgpu_host_decode_copy(struct rm_channel *channel, struct sgpu_copy *copy);

/**
 * sgpu_channel_mem_get - CPU pointer to a channel's pushbuffer or semaphore
 * @channel: the channel
 * @addr: address, in @channel's host_as if it has one
 * @kind: what is done there
 * @aperture: out: for sgpu_mem_put(), to which the rules of sgpu_mem_get() lead
 *
 * Return: pointer, good up to the end of its 4K page; NULL without a translation, or for
 * what sgpu_mem_get() refuses.
 */
void *sgpu_channel_mem_get(struct rm_channel *channel, u64 addr, enum sgpu_access_kind kind,
			   enum rm_aperture *aperture);

/*
 * semaphore.c: 0 or -EFAULT; a release wakes blocked channels and waiters.  @channel: whose
 * method or copy it is.
 */
int sgpu_semaphore_release(struct rm_channel *channel, u64 addr, u64 payload, bool wide,
			   bool timestamp);
/* One more, or 0 from @limit on, as one operation for whoever else increments it; likewise. */
int sgpu_semaphore_increment(struct rm_channel *channel, u64 addr, u32 limit);
int sgpu_semaphore_test(struct rm_channel *channel, bool *satisfied);
void sgpu_host_reevaluate(struct rm_gpu *gpu);

/*
 * From the copy engines: the first copy of an engine found no translation.  The
 * channel's copies leave the engine.  Under sgpu_host.lock.
 */
void sgpu_channel_stall(struct sgpu_copy *copy, u64 now_ps);
/* CLEAR_FAULTED is due. */
void sgpu_host_clear_faulted(struct rm_gpu *gpu, u32 chid);
/* Likewise, by the software class: every channel of the instance whose fault was fetched. */
void sgpu_host_clear_instance(struct rm_gpu *gpu, u64 instance);

/* From the copy engines: a copy is done (@error 0) or failed. */
void sgpu_channel_copy_done(struct sgpu_copy *copy, u32 error);

#endif
