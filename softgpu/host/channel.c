// SPDX-License-Identifier: GPL-2.0
/*
 * Channels run: GPFIFO fetch, waiting, actions; see host.h.  What methods do is
 * host_method.c.
 *
 * A channel's event runs it.  Methods that only set registers cost no event:
 * the channel runs ahead of the clock (@now_ps) until something has to happen
 * at its time.  Apart from @state everything of a channel belongs to its event,
 * which shares its real-clock worker with the engine's.
 */
#include <linux/bitfield.h>
#include <linux/delay.h>
#include <linux/mm.h>
#include <softgpu/host_class.h>
#include "base/gpu.h"
#include "clock/clock.h"
#include "host/channel.h"
#include "host/channel_state.h"
#include "host/copy_engine.h"
#include "host/faulted.h"
#include "host/host_method.h"
#include "host/semaphore.h"
#include "mmu/fault_buffer.h"
#include "mmu/mmu_cancel.h"
#include "mmu/mmu_mshr.h"

#define SGPU_CHANNEL_ACK_POLLS	64	/* looks before a replay is taken as answered */

/* Actions return 0 when done, -EAGAIN when blocked, or RM_CHANNEL_ERR_*. */

static int sgpu_channel_acquire(struct rm_channel *ch)
{
	struct sgpu_host *host = &ch->gpu->host;
	bool satisfied = false;
	int ret;

	/* Under the lock: a release either is seen here or sees us blocked. */
	spin_lock(&host->lock);
	ret = sgpu_semaphore_test(ch, &satisfied);
	if (!ret && !satisfied) {
		if (sgpu_channel_enter(ch, SGPU_CHANNEL_ACQUIRE))
			list_add_tail(&ch->blocked, &host->blocked);
		ret = -EAGAIN;
	}
	spin_unlock(&host->lock);
	return ret == -EFAULT ? RM_CHANNEL_ERR_DMA : ret;
}

/* Wait for the channel's copies. */
static int sgpu_channel_wfi(struct rm_channel *ch)
{
	struct sgpu_host *host = &ch->gpu->host;
	int ret = 0;

	spin_lock(&host->lock);
	if (ch->copies.count) {
		sgpu_channel_enter(ch, SGPU_CHANNEL_COPIES_IDLE);
		ret = -EAGAIN;
	}
	spin_unlock(&host->lock);
	return ret;
}

static int sgpu_channel_semaphore(struct rm_channel *ch)
{
	u32 execute = ch->host.sem_execute;
	int ret;

	if (FIELD_GET(HOST_SEM_OPERATION, execute) != HOST_SEM_OP_RELEASE)
		return sgpu_channel_acquire(ch);
	ret = execute & HOST_SEM_RELEASE_WFI ? sgpu_channel_wfi(ch) : 0;
	if (ret)
		return ret;
	if (sgpu_semaphore_release(ch, ch->host.sem_addr, ch->host.sem_payload,
				   execute & HOST_SEM_PAYLOAD_64,
				   execute & HOST_SEM_RELEASE_TIMESTAMP))
		return RM_CHANNEL_ERR_DMA;
	return 0;
}

static int sgpu_channel_launch(struct rm_channel *ch)
{
	struct sgpu_host *host = &ch->gpu->host;
	struct sgpu_copy copy;
	u32 error = sgpu_host_decode_copy(ch, &copy);
	unsigned int i;

	if (error)
		return error;
	if (!copy.bytes && copy.semaphore == 0 && !copy.flush)
		return 0;
	copy.channel = ch;
	copy.ready_ps = ch->now_ps;
	spin_lock(&host->lock);
	i = ffz(ch->copies.used);
	if (i >= SGPU_CHANNEL_COPIES)
		sgpu_channel_enter(ch, SGPU_CHANNEL_COPIES_FULL);
	/* the owner may free a channel that runs */
	if (ch->state != SGPU_CHANNEL_ACTIVE) {
		spin_unlock(&host->lock);
		return -EAGAIN;
	}
	__set_bit(i, &ch->copies.used);
	ch->copies.count++;
	ch->copies.slot[i] = copy;
	if (ch->stall.active)
		list_add_tail(&ch->copies.slot[i].node, &ch->stall.copies);
	else
		sgpu_copy_engine_submit(ch->engine, &ch->copies.slot[i]);
	spin_unlock(&host->lock);
	return 0;
}

/*
 * A replay is done when the MMU has begun it and had the time of one walk.  Were
 * the channel to go on at once, an unmap that waits for it would come first
 * each time, and accesses to two places that evict each other would never get
 * through.
 */
static u64 sgpu_channel_replay_ps(const struct rm_channel *ch)
{
	const struct sgpu_mmu *mmu = &ch->gpu->mmu;

	return sgpu_prof(ch->gpu, replay_ns) * PS_PER_NS + mmu->l2_ps + mmu->walk_ps;
}

static int sgpu_channel_mem_op(struct rm_channel *ch)
{
	sgpu_host_mem_op(ch);
	if (sgpu_host_is_replay(ch))
		ch->now_ps += sgpu_channel_replay_ps(ch);
	if (!sgpu_host_wants_ack(ch))
		return 0;
	ch->action = SGPU_ACTION_REPLAY_ACK;
	ch->polls = 0;
	sgpu_event_at(&ch->event, ch->now_ps);
	return -EAGAIN;
}

/*
 * Every replayed access has been translated or has faulted again when neither
 * the MMU nor the fault buffer has anything under way.  SMs that run on keep
 * them busy with new misses: give up waiting for those.
 */
static int sgpu_channel_replay_ack(struct rm_channel *ch)
{
	if (!sgpu_mmu_busy(ch->gpu) && !sgpu_fault_buffer_busy(ch->gpu))
		return 0;
	if (ch->polls++ == SGPU_CHANNEL_ACK_POLLS)
		return 0;
	if (!sim_is_virtual())
		usleep_range(10, 20);
	ch->now_ps = max(ch->now_ps, sgpu_now_ps()) +
		     sgpu_prof(ch->gpu, membar_ns) * PS_PER_NS;
	sgpu_event_at(&ch->event, ch->now_ps);
	return -EAGAIN;
}

static int sgpu_channel_act(struct rm_channel *ch)
{
	int ret = 0;

	switch (ch->action) {
	case SGPU_ACTION_MEM_OP:
		ret = sgpu_channel_mem_op(ch);
		break;
	case SGPU_ACTION_CLEAR_FAULTED:
		sgpu_host_clear_faulted(ch->gpu, ch->host.clear_faulted);
		break;
	case SGPU_ACTION_SW_CANCEL:
		sgpu_mmu_cancel_instance(ch->gpu, ch->sw.instance, ch->sw.sm);
		break;
	case SGPU_ACTION_SW_CLEAR:
		sgpu_host_clear_instance(ch->gpu, ch->sw.instance);
		break;
	case SGPU_ACTION_REPLAY_ACK:
		ret = sgpu_channel_replay_ack(ch);
		break;
	case SGPU_ACTION_SEMAPHORE:
		ret = sgpu_channel_semaphore(ch);
		break;
	case SGPU_ACTION_WFI:
		ret = sgpu_channel_wfi(ch);
		break;
	case SGPU_ACTION_LAUNCH:
		ret = sgpu_channel_launch(ch);
		break;
	}
	if (!ret)
		ch->action = SGPU_ACTION_NONE;
	return ret;
}

/* A segment, or a control entry, of which none but NOP means anything here. */
static bool sgpu_channel_good_entry(u32 lo, u32 hi)
{
	if (!FIELD_GET(HOST_GP1_LENGTH, hi))
		return FIELD_GET(HOST_GP1_OPCODE, hi) == HOST_GP_OPCODE_NOP;
	return !(lo & HOST_GP0_CONDITIONAL) && !(hi & HOST_GP1_SUBROUTINE);
}

void sgpu_channel_rings(struct rm_channel *ch, u32 put)
{
	u64 taken;

	lockdep_assert_held(&ch->gpu->host.lock);
	if (put >= ch->info.entries)
		return;
	taken = sgpu_fault_taken(ch->gpu);
	for (; ch->rung.put != put; ch->rung.put = (ch->rung.put + 1) & (ch->info.entries - 1))
		ch->rung.taken[ch->rung.put] = taken;
}

/* Take the next GPFIFO entry: 0, -EAGAIN (idle) or RM_CHANNEL_ERR_*. */
static int sgpu_channel_next_entry(struct rm_channel *ch)
{
	struct sgpu_host *host = &ch->gpu->host;
	u32 put, lo, hi;
	u64 entry;

	/* Under the lock: a doorbell either is seen here or finds us idle. */
	spin_lock(&host->lock);
	put = READ_ONCE(ch->gp_put);
	if (put == ch->gp_get)
		sgpu_channel_enter(ch, SGPU_CHANNEL_IDLE);
	else
		sgpu_channel_rings(ch, put);	/* seen before the doorbell */
	spin_unlock(&host->lock);
	if (put == ch->gp_get)
		return -EAGAIN;
	if (put >= ch->info.entries)
		return RM_CHANNEL_ERR_FETCH;
	ch->fetch.taken = ch->rung.taken[ch->gp_get];
	entry = READ_ONCE(ch->info.gpfifo[ch->gp_get]);
	lo = lower_32_bits(entry);
	hi = upper_32_bits(entry);
	if (!sgpu_channel_good_entry(lo, hi))
		return RM_CHANNEL_ERR_FETCH;
	ch->fetch.address = (u64)FIELD_GET(HOST_GP1_ADDR_HI, hi) << 32 | (lo & HOST_GP0_ADDR_LO);
	ch->fetch.left = FIELD_GET(HOST_GP1_LENGTH, hi);
	ch->fetch.in_segment = true;
	return 0;
}

/* Fetch more words of the segment, at most up to the end of a page. */
static int sgpu_channel_fetch(struct rm_channel *ch)
{
	u32 words = min3(ch->fetch.left, (u32)SGPU_CHANNEL_FETCH,
			 (u32)((PAGE_SIZE - offset_in_page(ch->fetch.address)) / 4));
	enum rm_aperture aperture;
	void *p = sgpu_channel_mem_get(ch, ch->fetch.address, SGPU_READ, &aperture);

	if (!p)
		return RM_CHANNEL_ERR_FETCH;
	memcpy(ch->fetch.words, p, words * 4);
	sgpu_mem_put(ch->gpu, aperture);
	ch->fetch.address += words * 4;
	ch->fetch.left -= words;
	ch->fetch.next = 0;
	ch->fetch.count = words;
	return 0;
}

/* 0, -EAGAIN (idle) or RM_CHANNEL_ERR_*. */
static int sgpu_channel_next_word(struct rm_channel *ch, u32 *word)
{
	int ret;

	while (ch->fetch.next == ch->fetch.count) {
		if (ch->fetch.left) {
			ret = sgpu_channel_fetch(ch);
		} else {
			if (ch->fetch.in_segment) {
				ch->fetch.in_segment = false;
				/* Its words were read: the owner may reuse the place. */
				smp_store_release(&ch->gp_get,
						  (ch->gp_get + 1) & (ch->info.entries - 1));
			}
			ret = sgpu_channel_next_entry(ch);
		}
		if (ret)
			return ret;
	}
	*word = ch->fetch.words[ch->fetch.next++];
	return 0;
}

/* A method header; an immediate one is its own data. */
static int sgpu_channel_header(struct rm_channel *ch, u32 word)
{
	ch->header.op = FIELD_GET(HOST_HDR_OP, word);
	ch->header.count = FIELD_GET(HOST_HDR_COUNT, word);
	ch->header.subch = FIELD_GET(HOST_HDR_SUBCH, word);
	ch->header.method = FIELD_GET(HOST_HDR_METHOD, word) * 4;
	switch (ch->header.op) {
	case HOST_HDR_OP_INC:
	case HOST_HDR_OP_NON_INC:
	case HOST_HDR_OP_IMMD:
	case HOST_HDR_OP_ONE_INC:
		return 0;
	default:
		return RM_CHANNEL_ERR_METHOD;
	}
}

/* Fault injection: is this the method that breaks its channel? */
static bool sgpu_host_breaks(struct sgpu_host *host)
{
	return unlikely(atomic_read(&host->break_after) > 0) &&
	       atomic_dec_and_test(&host->break_after);
}

/* One data word to its method.  0, -EAGAIN (action due later) or an error. */
static int sgpu_channel_data(struct rm_channel *ch, u32 data)
{
	u32 method = ch->header.method, error = 0;
	enum sgpu_method_result res;

	if (ch->header.op == HOST_HDR_OP_INC)
		ch->header.method += 4;
	if (ch->header.op == HOST_HDR_OP_ONE_INC) {
		ch->header.method += 4;
		ch->header.op = HOST_HDR_OP_NON_INC;
	}
	ch->header.count--;
	ch->gpu->host.methods++;
	ch->now_ps += sgpu_prof(ch->gpu, method_ns) * PS_PER_NS;
	if (sgpu_host_breaks(&ch->gpu->host)) {
		ch->header.method = method;
		return RM_CHANNEL_ERR_METHOD;
	}
	res = sgpu_host_method(ch, method, data, &error);
	if (res == SGPU_METHOD_ERROR) {
		ch->header.method = method;
		return error;
	}
	if (res == SGPU_METHOD_DONE)
		return 0;
	/* A launch takes effect through its ready time and needs no event. */
	if (ch->action == SGPU_ACTION_LAUNCH)
		return sgpu_channel_act(ch);
	sgpu_event_at(&ch->event, ch->now_ps);
	return -EAGAIN;
}

/* Inline data hides behind a NOP: the host skips it, at no cost. */
static bool sgpu_channel_skip(struct rm_channel *ch)
{
	u32 rest;

	if (ch->header.method != HOST_NOP || ch->header.op != HOST_HDR_OP_NON_INC)
		return false;
	rest = min(ch->header.count - 1, ch->fetch.count - ch->fetch.next);
	ch->fetch.next += rest;
	ch->header.count -= rest + 1;
	return true;
}

static int sgpu_channel_step(struct rm_channel *ch)
{
	u32 word;
	int ret = sgpu_channel_next_word(ch, &word);

	if (ret)
		return ret;
	if (ch->header.count && sgpu_channel_skip(ch))
		return 0;
	if (ch->header.count)
		return sgpu_channel_data(ch, word);
	ret = sgpu_channel_header(ch, word);
	if (ret || ch->header.op != HOST_HDR_OP_IMMD)
		return ret;
	word = ch->header.count;
	ch->header.count = 1;
	return sgpu_channel_data(ch, word);
}

void sgpu_channel_due(struct sgpu_event *ev)
{
	struct rm_channel *ch = container_of(ev, struct rm_channel, event);
	int ret;

	if (READ_ONCE(ch->state) != SGPU_CHANNEL_ACTIVE)
		return;
	ch->now_ps = max(ch->now_ps, sgpu_now_ps());
	ret = sgpu_channel_act(ch);
	while (!ret && READ_ONCE(ch->state) == SGPU_CHANNEL_ACTIVE)
		ret = sgpu_channel_step(ch);
	if (ret > 0)
		sgpu_channel_kill(ch, ret);
}
