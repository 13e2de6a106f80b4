/* SPDX-License-Identifier: GPL-2.0 */
/*
 * An eviction policy in force on a GPU: its memory, what it is told, and the checks of what
 * it answers (policy/eviction.h).
 *
 * What no policy has asked for costs a look at a pointer.  Pure: the caller's lock.
 */
#ifndef UVM_EVICTOR_H
#define UVM_EVICTOR_H

#include <linux/compiler.h>
#include <linux/math64.h>
#include <linux/types.h>
#include "policy/eviction.h"

/**
 * struct uvm_evictor_memory - what a policy is to choose from
 * @view: how the allocator answers
 * @memory: its argument
 * @params: the parameters that the policy may look at; copied
 * @plan: what is known of the future, or NULL; outlives the policy
 * @nr_units: units that GPU memory has at most
 * @unit_pages: pages of a unit
 */
struct uvm_evictor_memory {
	const struct uvm_eviction_view *view;
	void *memory;
	const struct uvm_params *params;
	struct uvm_eviction_plan *plan;
	u32 nr_units;
	u32 unit_pages;
};

/**
 * struct uvm_evictor - a policy in force
 * @ops: the policy
 * @ctx: what it sees
 * @params: the parameters that it sees
 * @faults: pages demanded, since it came into force
 * @pages: pages that came
 * @touches: accesses that it was told of
 * @launches: launches that it was told of, begun and ended
 * @ticks: ticks so far
 * @start_ns: since when UVM_TICK_NS counts; 0: it does not yet
 * @swept: up to when all accesses are known: UVM_FEED_ACCESSED with a touch()
 * @calls: events that it was told of and that are charged
 * @charged: of these, those that were
 * @wrong: answers that were none
 * @idle: answers since a page came: uvm_evictor_came()
 * @was_full: full() has been called
 * @inject: fault injection: so many answers are nonsense; may be NULL
 */
struct uvm_evictor {
	const struct uvm_eviction_ops *ops;
	struct uvm_eviction_ctx ctx;
	struct uvm_params *params;
	u64 faults;
	u64 pages;
	u64 touches;
	u64 launches;
	u64 ticks;
	u64 start_ns;
	u32 swept;
	u64 calls;
	u64 charged;
	unsigned int wrong;
	u64 idle;
	bool was_full;
	u32 *inject;
};

struct uvm_evictor *uvm_evictor_create(const struct uvm_eviction_ops *ops,
				       const struct uvm_evictor_memory *memory);
void uvm_evictor_destroy(struct uvm_evictor *evictor);

u32 uvm_evictor_pick(struct uvm_evictor *evictor);
void uvm_evictor_arrive(struct uvm_evictor *evictor, u32 unit, struct uvm_eviction_page *page);
void uvm_evictor_time(struct uvm_evictor *evictor, u64 now_ns);
void uvm_evictor_touch(struct uvm_evictor *evictor, u32 unit,
		       const struct uvm_eviction_touch *touch);
void uvm_evictor_refuse(struct uvm_evictor *evictor, const struct uvm_eviction_prefetch *prefetch,
			struct uvm_page_mask *pages);
void uvm_evictor_also(struct uvm_evictor *evictor, u32 unit,
		      const struct uvm_eviction_victim *victim, struct uvm_page_mask *pages);
void uvm_evictor_launch(struct uvm_evictor *evictor, const struct uvm_eviction_launch *launch,
			bool begins);

/**
 * uvm_evictor_wants_pages - is a policy to be told of pages that come?
 * @evictor: the policy in force
 *
 * Context: the lock of the GPU's memory is held, as for all here.
 * Return: true if it has a function for them, or its ticks count them.
 */
static inline bool uvm_evictor_wants_pages(const struct uvm_evictor *evictor)
{
	const struct uvm_eviction_ops *ops = evictor->ops;

	return ops->arrive || ops->refault ||
	       (ops->tick_by != UVM_TICK_NEVER && ops->tick_by != UVM_TICK_NS);
}

/**
 * uvm_evictor_fetches - are the recorder's hits to be fetched before more pages are demanded?
 * @evictor: the policy in force
 * @faults: how many more
 *
 * Return: true if fetch_every of the policy falls within them.
 */
static inline bool uvm_evictor_fetches(struct uvm_evictor *evictor, unsigned int faults)
{
	const struct uvm_eviction_ops *ops = evictor->ops;
	u32 every = ops->fetch_every ? ops->fetch_every(&evictor->ctx) : 1;

	return every && div64_u64(evictor->faults + faults, every) !=
			div64_u64(evictor->faults, every);
}

/**
 * uvm_evictor_fetches_full - are the recorder's hits to be fetched before a victim is picked?
 * @evictor: the policy in force
 *
 * Return: true before the first time that memory is full, unless fetch_every says not now.
 */
static inline bool uvm_evictor_fetches_full(struct uvm_evictor *evictor)
{
	const struct uvm_eviction_ops *ops = evictor->ops;

	return !evictor->was_full && (!ops->fetch_every || ops->fetch_every(&evictor->ctx));
}

/**
 * uvm_evictor_enter - a unit is in use from now on, or once more the last
 * @evictor: the policy in force
 * @unit: number of the unit
 * @when: since when, as uvm_eviction_now()
 * @why: why
 */
static inline void uvm_evictor_enter(struct uvm_evictor *evictor, u32 unit, u32 when,
				     enum uvm_enter_why why)
{
	/* whoever enters otherwise has pages */
	if (unlikely(evictor->ctx.came) && why != UVM_ENTER_BLOCK && why != UVM_ENTER_PIECE)
		__set_bit(unit, evictor->ctx.came);
	if (unlikely(evictor->ops->enter))
		evictor->ops->enter(&evictor->ctx, unit, when, why);
}

/**
 * uvm_evictor_leave - a unit is not in use any more
 * @evictor: the policy in force
 * @unit: number of the unit, which has entered
 * @why: why
 */
static inline void uvm_evictor_leave(struct uvm_evictor *evictor, u32 unit,
				     enum uvm_leave_why why)
{
	if (unlikely(evictor->ops->leave))
		evictor->ops->leave(&evictor->ctx, unit, why);
}

/**
 * uvm_evictor_free - nobody has a unit: the next who gets it begins without a page
 * @evictor: the policy in force
 * @unit: number of the unit; it need not have been in use
 */
static inline void uvm_evictor_free(struct uvm_evictor *evictor, u32 unit)
{
	if (unlikely(evictor->ctx.came))
		__clear_bit(unit, evictor->ctx.came);
}

/**
 * uvm_evictor_came - some page came to the GPU: what was evicted was of use
 * @evictor: the policy in force; its evictions without effect are counted anew
 */
static inline void uvm_evictor_came(struct uvm_evictor *evictor)
{
	evictor->idle = 0;
}

/**
 * uvm_evictor_take_spent - what took time of its own and was not charged yet
 * @evictor: the policy in force
 *
 * Return: what is to be charged; from now on it is.
 */
static inline struct uvm_eviction_spent uvm_evictor_take_spent(struct uvm_evictor *evictor)
{
	struct uvm_eviction_spent spent = evictor->ctx.spent;

	evictor->ctx.spent = (struct uvm_eviction_spent){};
	return spent;
}

/**
 * uvm_evictor_take_calls - events that were not charged yet
 * @evictor: the policy in force
 *
 * Return: how many, of cost_policy each; from now on they are.
 */
static inline u64 uvm_evictor_take_calls(struct uvm_evictor *evictor)
{
	u64 calls = evictor->calls - evictor->charged;

	evictor->charged = evictor->calls;
	return calls;
}

#endif
