// SPDX-License-Identifier: GPL-2.0
/* Copies of users; see user_copy.h. */
#include <linux/bitfield.h>
#include <linux/export.h>
#include <linux/mm.h>
#include <linux/slab.h>
#include <softgpu/ce_class.h>
#include <softgpu/fault_format.h>
#include <softgpu/host_class.h>
#include "base/gpu.h"
#include "base/history.h"
#include "context_types.h"
#include "host/channel_state.h"
#include "host/host.h"
#include "user_copy.h"

/* Twice as many as copies: a ring that is full looks like an empty one. */
#define COPY_GPFIFO		(2 * SGPU_COPY_SLOTS)
#define COPY_PUSH_PAGES		(SGPU_COPY_SLOTS * SGPU_COPY_SLOT_BYTES / PAGE_SIZE)
#define COPY_SEM_BYTES		16	/* CE_SEMAPHORE_FOUR_WORD */

#define COPY_HDR(count, method)							\
	(FIELD_PREP(HOST_HDR_OP, HOST_HDR_OP_INC) | FIELD_PREP(HOST_HDR_COUNT, count) |	\
	 FIELD_PREP(HOST_HDR_SUBCH, HOST_SUBCH_CE) | FIELD_PREP(HOST_HDR_METHOD, (method) / 4))

void sgpu_copies_init(struct sgpu_copies *copies)
{
	mutex_init(&copies->lock);
	sgpu_history_init(&copies->ended);
	copies->next = 1;
}

static void copy_free(struct sgpu_history_item *item)
{
	struct sgpu_user_copy *copy;

	if (!item)
		return;
	copy = container_of(item, struct sgpu_user_copy, ended);
	rm_uncharge(&copy->charge);
	kfree(copy);
}

void sgpu_copies_exit(struct sgpu_copies *copies)
{
	struct sgpu_history_item *item;

	while ((item = sgpu_history_take(&copies->ended)))
		copy_free(item);
	mutex_destroy(&copies->lock);
}

/* ---- channels -------------------------------------------------------- */

static void copy_channel_free(struct rm_gpu *gpu, struct sgpu_copy_channel *ch)
{
	unsigned int i;

	if (ch->rm)
		rm_channel_free(ch->rm);
	if (ch->iova)
		rm_iova_free(gpu, ch->iova, SGPU_COPY_PAGES * PAGE_SIZE);
	for (i = 0; i < SGPU_COPY_PAGES; i++)
		if (ch->pages[i])
			put_page(ch->pages[i]);
	WARN_ON_ONCE(!list_empty(&ch->pending));
	kfree(ch);
}

static int copy_channel_alloc_pages(struct rm_gpu *gpu, struct sgpu_copy_channel *ch)
{
	unsigned int i;
	int ret;

	ret = rm_iova_alloc(gpu, SGPU_COPY_PAGES * PAGE_SIZE, &ch->iova);
	if (ret) {
		ch->iova = 0;
		return ret;
	}
	for (i = 0; i < SGPU_COPY_PAGES; i++) {
		ch->pages[i] = alloc_page(GFP_KERNEL_ACCOUNT | __GFP_ZERO);
		if (!ch->pages[i])
			return -ENOMEM;
		rm_dma_map(gpu, ch->iova + i * PAGE_SIZE, ch->pages[i]);
	}
	return 0;
}

static struct sgpu_copy_channel *copy_channel_create(struct rm_context *context, u32 direction)
{
	static const enum rm_engine engines[SOFTGPU_COPY_DIRECTIONS] = {
		[SOFTGPU_COPY_HTOD] = RM_ENGINE_CE_HTOD,
		[SOFTGPU_COPY_DTOH] = RM_ENGINE_CE_DTOH,
		[SOFTGPU_COPY_DTOD] = RM_ENGINE_CE_INTERNAL,
	};
	struct sgpu_copy_channel *ch = kzalloc(sizeof(*ch), GFP_KERNEL_ACCOUNT);
	struct rm_gpu *gpu = context->gpu;
	int ret;

	BUILD_BUG_ON(COPY_PUSH_PAGES * PAGE_SIZE + SGPU_COPY_SLOTS * 2 * COPY_SEM_BYTES >
		     SGPU_COPY_PAGES * PAGE_SIZE);
	if (!ch)
		return NULL;
	INIT_LIST_HEAD(&ch->pending);
	ret = copy_channel_alloc_pages(gpu, ch);
	if (!ret)
		ret = sgpu_channel_alloc(gpu, engines[direction], COPY_GPFIFO, &context->as,
					 &ch->rm);
	if (ret) {
		copy_channel_free(gpu, ch);
		return NULL;
	}
	return ch;
}

/* ---- ends ------------------------------------------------------------ */

/* Semaphore before (0) or behind (1) the copy of a slot: its offset in the pages. */
static size_t copy_sem_offset(unsigned int slot, unsigned int which)
{
	return COPY_PUSH_PAGES * PAGE_SIZE + (slot * 2 + which) * COPY_SEM_BYTES;
}

static void *copy_channel_ptr(struct sgpu_copy_channel *ch, size_t offset)
{
	return page_address(ch->pages[offset / PAGE_SIZE]) + offset_in_page(offset);
}

static u64 copy_sem_time(struct sgpu_copy_channel *ch, unsigned int slot, unsigned int which)
{
	return READ_ONCE(((u64 *)copy_channel_ptr(ch, copy_sem_offset(slot, which)))[1]);
}

static bool copy_sem_released(struct sgpu_copy_channel *ch, const struct sgpu_user_copy *copy,
			      unsigned int which)
{
	u32 *sem = copy_channel_ptr(ch, copy_sem_offset(copy->slot, which));

	/* what the engine wrote before is visible with it */
	return smp_load_acquire(sem) == copy->payload;
}

/* Off the channel and into the history. */
static void copy_end(struct rm_context *context, struct sgpu_copy_channel *ch,
		     struct sgpu_user_copy *copy, u32 error)
{
	lockdep_assert_held(&context->lock);
	copy->state = error ? SOFTGPU_COPY_FAILED : SOFTGPU_COPY_DONE;
	copy->error = error;
	copy->start_ns = copy_sem_released(ch, copy, 0) ? copy_sem_time(ch, copy->slot, 0) :
							  sim_now();
	copy->end_ns = error ? sim_now() : copy_sem_time(ch, copy->slot, 1);
	list_del(&copy->node);
	ch->pending_count--;
	copy->ended.id = copy->id;
	copy->ended.failed = error;
	copy_free(sgpu_history_add(&context->copies.ended, &copy->ended));
}

static void copy_end_all(struct rm_context *context, struct sgpu_copy_channel *ch, u32 error)
{
	struct sgpu_user_copy *copy, *next;

	list_for_each_entry_safe(copy, next, &ch->pending, node)
		copy_end(context, ch, copy, error);
}

/* The channel has died: the first copy that has not ended is to blame. */
static void copy_channel_failed(struct rm_context *context, struct sgpu_copy_channel *ch, u32 why)
{
	struct sgpu_user_copy *first;

	first = list_first_entry_or_null(&ch->pending, struct sgpu_user_copy, node);
	if (first) {
		u32 error = EIO;

		if (why == RM_CHANNEL_ERR_MMU) {
			error = READ_ONCE(ch->rm->stall.error);
			first->fault = true;
			first->address = ch->rm->stall.fault.va;
			first->write = ch->rm->stall.fault.write;
		}
		copy_end(context, ch, first, error);
	}
	copy_end_all(context, ch, ECANCELED);
}

/* Notice what has ended on a channel; true if the channel is dead. */
static bool copy_channel_reap(struct rm_context *context, struct sgpu_copy_channel *ch)
{
	/* the error first: all semaphores that were released before it are seen */
	u32 why = smp_load_acquire(&ch->rm->error);
	struct sgpu_user_copy *copy, *next;

	lockdep_assert_held(&context->lock);
	list_for_each_entry_safe(copy, next, &ch->pending, node) {
		if (!copy_sem_released(ch, copy, 1))
			break;
		copy_end(context, ch, copy, 0);
	}
	if (why)
		copy_channel_failed(context, ch, why);
	return why;
}

static void copy_reap(struct rm_context *context)
{
	unsigned int i;

	for (i = 0; i < SOFTGPU_COPY_DIRECTIONS; i++)
		if (context->copies.channel[i])
			copy_channel_reap(context, context->copies.channel[i]);
}

/* ---- submitting ------------------------------------------------------ */

static void copy_add(u32 **at, u32 word)
{
	*(*at)++ = word;
}

/* A launch with a semaphore that tells the time; other methods come before. */
static void copy_add_launch(u32 **at, u64 sem, u32 payload, u32 launch)
{
	copy_add(at, COPY_HDR(3, CE_SET_SEMAPHORE_A));
	copy_add(at, upper_32_bits(sem));
	copy_add(at, lower_32_bits(sem));
	copy_add(at, payload);
	copy_add(at, COPY_HDR(1, CE_LAUNCH_DMA));
	copy_add(at, launch | FIELD_PREP(CE_LAUNCH_SEMAPHORE, CE_SEMAPHORE_FOUR_WORD));
}

/* The methods of a copy, into its slot; returns their number. */
static unsigned int copy_write(struct sgpu_copy_channel *ch, const struct sgpu_user_copy *copy,
			       const struct softgpu_copy *arg)
{
	u32 *begin = copy_channel_ptr(ch, copy->slot * SGPU_COPY_SLOT_BYTES), *at = begin;
	u64 before = ch->iova + copy_sem_offset(copy->slot, 0);
	u64 behind = ch->iova + copy_sem_offset(copy->slot, 1);

	if (!ch->bound) {
		copy_add(&at, COPY_HDR(1, HOST_SET_OBJECT));
		copy_add(&at, CE_CLASS);
		ch->bound = true;
	}
	copy_add_launch(&at, before, copy->payload, CE_TRANSFER_NONE);
	copy_add(&at, COPY_HDR(4, CE_OFFSET_IN_UPPER));
	copy_add(&at, upper_32_bits(arg->src));
	copy_add(&at, lower_32_bits(arg->src));
	copy_add(&at, upper_32_bits(arg->dst));
	copy_add(&at, lower_32_bits(arg->dst));
	copy_add(&at, COPY_HDR(1, CE_LINE_LENGTH_IN));
	copy_add(&at, arg->bytes);
	copy_add_launch(&at, behind, copy->payload, CE_TRANSFER_NON_PIPELINED |
			CE_LAUNCH_SRC_PITCH | CE_LAUNCH_DST_PITCH | CE_LAUNCH_FLUSH);
	return at - begin;
}

static void copy_ring(struct sgpu_copy_channel *ch, const struct sgpu_user_copy *copy,
		      unsigned int words)
{
	const struct rm_channel_info *info = rm_channel_info(ch->rm);
	u64 segment = ch->iova + copy->slot * SGPU_COPY_SLOT_BYTES;
	u32 put = *info->gp_put;

	info->gpfifo[put] = (u64)(FIELD_PREP(HOST_GP1_ADDR_HI, upper_32_bits(segment)) |
				  FIELD_PREP(HOST_GP1_LENGTH, words)) << 32 |
			    (lower_32_bits(segment) & HOST_GP0_ADDR_LO);
	WRITE_ONCE(*info->gp_put, (put + 1) & (info->entries - 1));
	rm_channel_doorbell(ch->rm);
}

/* Under both locks: put the channel, if it is dead, out of use.  Returns what to free. */
static struct sgpu_copy_channel *copy_take_dead(struct rm_context *context, u32 direction)
{
	struct sgpu_copy_channel *ch;

	spin_lock(&context->lock);
	ch = context->copies.channel[direction];
	if (ch && copy_channel_reap(context, ch))
		context->copies.channel[direction] = NULL;
	else
		ch = NULL;
	spin_unlock(&context->lock);
	return ch;
}

/* The channel of a direction, a new one if there is none or it is dead. */
static struct sgpu_copy_channel *copy_get_channel(struct rm_context *context, u32 direction)
{
	struct sgpu_copy_channel *ch = copy_take_dead(context, direction);

	lockdep_assert_held(&context->copies.lock);
	if (ch)
		copy_channel_free(context->gpu, ch);
	ch = context->copies.channel[direction];
	if (ch)
		return ch;
	ch = copy_channel_create(context, direction);
	spin_lock(&context->lock);
	context->copies.channel[direction] = ch;
	spin_unlock(&context->lock);
	return ch;
}

/* 0 if the copy is queued; -EAGAIN if there is no room now. */
static int copy_try_submit(struct rm_context *context, struct sgpu_user_copy *copy,
			   struct softgpu_copy *arg)
{
	struct sgpu_copy_channel *ch;
	int ret = 0;

	mutex_lock(&context->copies.lock);
	if (READ_ONCE(context->stopped) || !READ_ONCE(context->as.bound))
		ret = -ENODEV;
	else if (READ_ONCE(context->gpu->lost))
		ret = -EIO;
	else if (sgpu_history_full(&context->copies.ended))
		ret = -ENOBUFS;
	ch = ret ? NULL : copy_get_channel(context, arg->direction);
	if (!ret && !ch)
		ret = -ENOMEM;
	if (!ret && ch->pending_count == SGPU_COPY_SLOTS)
		ret = -EAGAIN;
	if (!ret) {
		copy->slot = ch->seq++ % SGPU_COPY_SLOTS;
		copy->payload = ch->seq;
		spin_lock(&context->lock);
		copy->id = context->copies.next++;
		list_add_tail(&copy->node, &ch->pending);
		ch->pending_count++;
		spin_unlock(&context->lock);
		arg->copy_id = copy->id;
		copy_ring(ch, copy, copy_write(ch, copy, arg));
	}
	mutex_unlock(&context->copies.lock);
	return ret;
}

static bool copy_has_room(struct rm_context *context, u32 direction)
{
	struct sgpu_copy_channel *ch;
	bool room;

	spin_lock(&context->lock);
	copy_reap(context);
	ch = context->copies.channel[direction];
	room = !ch || ch->pending_count < SGPU_COPY_SLOTS;
	spin_unlock(&context->lock);
	return room;
}

int sgpu_copy_submit(struct rm_context *context, struct softgpu_copy *arg)
{
	struct sgpu_user_copy *copy = kzalloc(sizeof(*copy), GFP_KERNEL_ACCOUNT);
	int ret;

	if (!copy)
		return -ENOMEM;
	copy->bytes = arg->bytes;
	ret = rm_charge(&copy->charge, sizeof(*copy));
	while (!ret) {
		ret = copy_try_submit(context, copy, arg);
		if (ret != -EAGAIN)
			break;
		ret = sim_wait_event_killable(&context->gpu->progress,
					      copy_has_room(context, arg->direction));
		if (ret)
			break;
	}
	if (ret)
		copy_free(&copy->ended);
	return ret;
}

void sgpu_copies_stop(struct rm_context *context)
{
	struct sgpu_copy_channel *ch;
	unsigned int i;

	for (i = 0; i < SOFTGPU_COPY_DIRECTIONS; i++) {
		mutex_lock(&context->copies.lock);
		spin_lock(&context->lock);
		ch = context->copies.channel[i];
		context->copies.channel[i] = NULL;
		spin_unlock(&context->lock);
		if (ch) {
			/* no copy runs any more: what has not ended by now never does */
			rm_channel_free(ch->rm);
			ch->rm = NULL;
			spin_lock(&context->lock);
			copy_end_all(context, ch, ECANCELED);
			spin_unlock(&context->lock);
			copy_channel_free(context->gpu, ch);
		}
		mutex_unlock(&context->copies.lock);
	}
	sim_wake(&context->gpu->progress);
}

/* One that has died says what of, and goes on saying so. */
static void copy_channel_give_up(struct rm_context *context, struct rm_channel *ch, int error)
{
	lockdep_assert_held(&context->lock);
	if (READ_ONCE(ch->stall.active) && !READ_ONCE(ch->error))
		sgpu_channel_fail(ch, error);
}

void sgpu_copies_hang(struct rm_context *context)
{
	unsigned int i;

	spin_lock(&context->lock);
	for (i = 0; i < SOFTGPU_COPY_DIRECTIONS; i++)
		if (context->copies.channel[i])
			copy_channel_give_up(context, context->copies.channel[i]->rm, EIO);
	spin_unlock(&context->lock);
}

/* ---- results --------------------------------------------------------- */

static struct sgpu_user_copy *copy_find_pending(struct rm_context *context, u64 id)
{
	struct sgpu_copy_channel *ch;
	struct sgpu_user_copy *copy;
	unsigned int i;

	lockdep_assert_held(&context->lock);
	copy_reap(context);
	for (i = 0; i < SOFTGPU_COPY_DIRECTIONS; i++) {
		ch = context->copies.channel[i];
		if (!ch)
			continue;
		list_for_each_entry(copy, &ch->pending, node)
			if (copy->id == id)
				return copy;
	}
	return NULL;
}

bool sgpu_copy_ended(struct rm_context *context, u64 id)
{
	bool ended;

	spin_lock(&context->lock);
	ended = !copy_find_pending(context, id);
	spin_unlock(&context->lock);
	return ended;
}

static void copy_fill_result(const struct sgpu_user_copy *copy, struct softgpu_copy_wait *out)
{
	out->state = copy->state;
	out->error = copy->error;
	out->fault = copy->fault;
	out->access = copy->write;
	out->address = copy->address;
	out->bytes = copy->bytes;
	out->start_ns = copy->start_ns;
	out->end_ns = copy->end_ns;
}

/* One that has ended, or was never there. */
static int copy_ended_result(struct sgpu_copies *copies, u64 id, struct softgpu_copy_wait *out)
{
	struct sgpu_history_item *item = sgpu_history_find(&copies->ended, id);

	if (item) {
		copy_fill_result(container_of(item, struct sgpu_user_copy, ended), out);
		sgpu_history_tell(&copies->ended, item);
		return 0;
	}
	if (!id || id >= copies->next || !sgpu_history_ended_well(&copies->ended, id))
		return -ENOENT;
	out->state = SOFTGPU_COPY_DONE;
	return 0;
}

int sgpu_copy_result(struct rm_context *context, u64 id, struct softgpu_copy_wait *out)
{
	struct sgpu_user_copy *copy;
	int ret = 0;

	spin_lock(&context->lock);
	copy = copy_find_pending(context, id);
	if (copy)
		copy_fill_result(copy, out);
	else
		ret = copy_ended_result(&context->copies, id, out);
	spin_unlock(&context->lock);
	return ret;
}

/* ---- rm.h ------------------------------------------------------------ */

static struct rm_channel *copy_channel_on(struct rm_context *context, u32 engine)
{
	struct sgpu_copy_channel *ch;
	unsigned int i;

	lockdep_assert_held(&context->lock);
	for (i = 0; i < SOFTGPU_COPY_DIRECTIONS; i++) {
		ch = context->copies.channel[i];
		if (ch && FAULT_ENGINE_CE0 + ch->rm->engine->index == engine)
			return ch->rm;
	}
	return NULL;
}

int rm_context_channel_id(struct rm_context *context, u32 engine)
{
	struct rm_channel *ch;
	int id = -ENOENT;

	spin_lock(&context->lock);
	ch = copy_channel_on(context, engine);
	if (ch)
		id = ch->chid;
	spin_unlock(&context->lock);
	return id;
}
EXPORT_SYMBOL_NS_GPL(rm_context_channel_id, SOFTGPU);

u64 rm_context_copies_moved(struct rm_context *context, u32 engine)
{
	struct rm_channel *ch;
	u64 moved = 0;

	spin_lock(&context->lock);
	ch = copy_channel_on(context, engine);
	if (ch)
		moved = READ_ONCE(ch->copies.moved);
	spin_unlock(&context->lock);
	return moved;
}
EXPORT_SYMBOL_NS_GPL(rm_context_copies_moved, SOFTGPU);

void rm_context_report_fault(struct rm_context *context, u32 engine, int error)
{
	struct rm_channel *ch;

	spin_lock(&context->lock);
	ch = copy_channel_on(context, engine);
	if (ch)
		copy_channel_give_up(context, ch, abs(error));
	spin_unlock(&context->lock);
}
EXPORT_SYMBOL_NS_GPL(rm_context_report_fault, SOFTGPU);
