// SPDX-License-Identifier: GPL-2.0
/* Units by blocks; see eviction_block.h. */
#include <linux/container_of.h>
#include "base/page_mask.h"
#include "base/types.h"
#include "policy/adaptive/eviction_block.h"
#include "policy/adaptive/tree_evict.h"

/* ---- records --------------------------------------------------------------- */

static struct uvm_eviction_block_record *block_record(struct uvm_eviction_ctx *ctx, u32 i)
{
	return uvm_eviction_unit(ctx, i);
}

static struct uvm_key_hash block_hash(struct uvm_eviction_ctx *ctx)
{
	return (struct uvm_key_hash){
		.slots = &block_record(ctx, 0)->block.slot, .nr = ctx->nr_units,
		.record_bytes = ctx->unit_bytes, .per = 1,
	};
}

static struct uvm_eviction_block *block_get(struct uvm_eviction_ctx *ctx,
					    const struct uvm_key *key)
{
	struct uvm_eviction_blocks *blocks = ctx->state;
	struct uvm_key_hash hash = block_hash(ctx);
	u32 i = uvm_key_find(&hash, key);
	struct uvm_eviction_block *block;

	if (i != UVM_KEY_NONE)
		return &block_record(ctx, i)->block;
	i = blocks->free ? blocks->free - 1 : blocks->used++;
	block = &block_record(ctx, i)->block;
	blocks->free = blocks->free ? block->next : 0;
	uvm_key_add(&hash, i, key);
	INIT_LIST_HEAD(&block->units);
	list_add(&block->node, &blocks->order);
	block->count = 0;
	block->used = 0;
	block->heat = 0;
	return block;
}

static void block_put(struct uvm_eviction_ctx *ctx, struct uvm_eviction_block *block)
{
	struct uvm_eviction_blocks *blocks = ctx->state;
	struct uvm_key_hash hash = block_hash(ctx);
	u32 i = uvm_eviction_unit_number(ctx, container_of(block, struct uvm_eviction_block_record,
							   block));

	if (block->count)
		return;
	list_del(&block->node);
	uvm_key_remove(&hash, i);
	block->next = blocks->free;
	blocks->free = i + 1;
}

/* ---- the order ------------------------------------------------------------- */

/* Behind all that were used before. */
static void block_place(struct uvm_eviction_ctx *ctx, struct uvm_eviction_block *block)
{
	struct uvm_eviction_blocks *blocks = ctx->state;
	struct list_head *pos;

	list_del(&block->node);
	list_for_each_prev(pos, &blocks->order) {
		const struct uvm_eviction_block *other =
			list_entry(pos, struct uvm_eviction_block, node);

		if (!uvm_eviction_before(block->used, other->used))
			break;
	}
	list_add(&block->node, pos);
}

/* The unit was used; true: it is the block's latest use so far. */
static bool block_use(struct uvm_eviction_block *block, struct uvm_eviction_block_unit *unit,
		      u32 when)
{
	bool first = block->count == 1 && !unit->used;

	if (!unit->used || uvm_eviction_before(unit->used, when))
		unit->used = when;
	if (!first && !uvm_eviction_before(block->used, unit->used))
		return false;
	block->used = unit->used;
	return true;
}

/* The hardware knows of accesses to the block; true: it has another place by that. */
static bool block_ask(struct uvm_eviction_ctx *ctx, struct uvm_eviction_block *block)
{
	struct uvm_eviction_block_unit *unit;
	bool later = false;

	list_for_each_entry(unit, &block->units, node) {
		const struct uvm_eviction_block_record *record =
			container_of(unit, struct uvm_eviction_block_record, unit);
		u32 used = uvm_eviction_last_access(ctx, uvm_eviction_unit_number(ctx, record));

		if (used && uvm_eviction_before(unit->used, used))
			later |= block_use(block, unit, used);
	}
	if (later)
		block_place(ctx, block);
	return later;
}

/* ---- told ------------------------------------------------------------------ */

void uvm_eviction_blocks_init(struct uvm_eviction_ctx *ctx)
{
	struct uvm_eviction_blocks *blocks = ctx->state;

	INIT_LIST_HEAD(&blocks->order);
}

static void block_quit(struct uvm_eviction_ctx *ctx, struct uvm_eviction_block_unit *unit)
{
	struct uvm_eviction_block *block;

	if (!unit->block)
		return;
	block = &block_record(ctx, unit->block - 1)->block;
	list_del(&unit->node);
	unit->block = 0;
	unit->used = 0;
	block->count--;
	block_put(ctx, block);
}

/* The unit is in the block of the key from now on. */
static void block_join(struct uvm_eviction_ctx *ctx, struct uvm_eviction_block_unit *unit,
		       const struct uvm_key *key)
{
	struct uvm_eviction_block *block;

	if (unit->block && uvm_key_equal(&unit->key, key))
		return;
	block_quit(ctx, unit);
	block = block_get(ctx, key);
	unit->block = 1 + uvm_eviction_unit_number(ctx,
				container_of(block, struct uvm_eviction_block_record, block));
	unit->key = *key;
	list_add_tail(&unit->node, &block->units);
	block->count++;
}

static void block_use_unit(struct uvm_eviction_ctx *ctx, u32 unit, u32 when)
{
	struct uvm_eviction_block *block = uvm_eviction_block_of(ctx, unit);

	if (block_use(block, &block_record(ctx, unit)->unit, when))
		block_place(ctx, block);
}

void uvm_eviction_blocks_enter(struct uvm_eviction_ctx *ctx, u32 unit, u32 when,
			       enum uvm_enter_why why)
{
	struct uvm_eviction_block_unit *u = &block_record(ctx, unit)->unit;
	struct uvm_key own = { .number = unit }, before = u->key;

	if (!u->block)
		block_join(ctx, u, before.space && uvm_eviction_returns(why) ? &before : &own);
	block_use_unit(ctx, unit, when);
}

void uvm_eviction_blocks_leave(struct uvm_eviction_ctx *ctx, u32 unit, enum uvm_leave_why why)
{
	struct uvm_eviction_block_unit *u = &block_record(ctx, unit)->unit;

	block_quit(ctx, u);
	if (!uvm_eviction_may_return(why))
		u->key.space = 0;
}

void uvm_eviction_blocks_arrive(struct uvm_eviction_ctx *ctx, u32 unit,
				const struct uvm_eviction_page *page)
{
	struct uvm_key key = { .space = page->va_space, .number = page->va >> UVM_BLOCK_SHIFT };

	block_join(ctx, &block_record(ctx, unit)->unit, &key);
	block_use_unit(ctx, unit, uvm_eviction_now(ctx));
}

/* ---- asked ----------------------------------------------------------------- */

struct uvm_eviction_block *uvm_eviction_block_find(struct uvm_eviction_ctx *ctx, u64 va_space,
						   u64 va)
{
	struct uvm_key key = { .space = va_space, .number = va >> UVM_BLOCK_SHIFT };
	struct uvm_key_hash hash = block_hash(ctx);
	u32 i = uvm_key_find(&hash, &key);

	return i == UVM_KEY_NONE ? NULL : &block_record(ctx, i)->block;
}

struct uvm_eviction_block *uvm_eviction_block_of(struct uvm_eviction_ctx *ctx, u32 unit)
{
	u32 i = block_record(ctx, unit)->unit.block;

	return i ? &block_record(ctx, i - 1)->block : NULL;
}

u32 uvm_eviction_block_unit(struct uvm_eviction_ctx *ctx, const struct uvm_eviction_block *block)
{
	const struct uvm_eviction_block_unit *unit, *best = NULL;
	u32 found = UVM_UNIT_NONE;

	list_for_each_entry(unit, &block->units, node) {
		u32 number = uvm_eviction_unit_number(ctx,
				container_of(unit, struct uvm_eviction_block_record, unit));

		if (!uvm_eviction_evictable(ctx, number) ||
		    (best && !uvm_eviction_before(unit->used, best->used)))
			continue;
		best = unit;
		found = number;
	}
	return found;
}

/* The first that has more than @spare units before it or in it, and one that may go. */
static struct uvm_eviction_block *block_first(struct uvm_eviction_ctx *ctx, u32 spare, u32 *unit)
{
	struct uvm_eviction_blocks *blocks = ctx->state;
	struct uvm_eviction_block *block;
	u64 passed = 0;

	list_for_each_entry(block, &blocks->order, node) {
		passed += block->count;
		if (passed <= spare)
			continue;
		*unit = uvm_eviction_block_unit(ctx, block);
		if (*unit != UVM_UNIT_NONE)
			return block;
	}
	return NULL;
}

/* Ask all up to @last, in the order; true: one of them has another place now. */
static bool block_ask_to(struct uvm_eviction_ctx *ctx, const struct uvm_eviction_block *last,
			 unsigned int *looks)
{
	struct uvm_eviction_blocks *blocks = ctx->state;
	struct uvm_eviction_block *block;

	list_for_each_entry(block, &blocks->order, node) {
		if (!*looks)
			return false;
		--*looks;
		if (block_ask(ctx, block))
			return true;
		if (block == last)
			return false;
	}
	return false;
}

u32 uvm_eviction_block_oldest(struct uvm_eviction_ctx *ctx, u32 spare)
{
	unsigned int looks = UVM_EVICTION_BLOCK_LOOKS;
	struct uvm_eviction_block *block;
	u32 unit = UVM_UNIT_NONE;

	do
		block = block_first(ctx, spare, &unit);
	while (block && block_ask_to(ctx, block, &looks));
	if (!block && spare)
		return uvm_eviction_block_oldest(ctx, 0);
	/* the block's order may have changed since it was found */
	return block ? uvm_eviction_block_unit(ctx, block) : uvm_eviction_first(ctx);
}

u32 uvm_eviction_block_pick(struct uvm_eviction_ctx *ctx)
{
	return uvm_eviction_block_oldest(ctx, 0);
}

/* ---- what else goes -------------------------------------------------------- */

void uvm_eviction_block_all(struct uvm_eviction_ctx *ctx, u32 unit,
			    const struct uvm_eviction_victim *victim,
			    struct uvm_page_mask *pages)
{
	uvm_page_mask_copy(pages, victim->resident);
}

/* Pages of 64 KB that the block has, but for the victim's. */
static struct uvm_region block_leaf(const struct uvm_eviction_victim *victim, unsigned int leaf)
{
	unsigned int first = leaf * UVM_PAGES_PER_BIG;

	return uvm_region_and(uvm_region_make(first, first + UVM_PAGES_PER_BIG),
			      uvm_region_make(victim->begin, victim->end));
}

void uvm_eviction_block_tree(struct uvm_eviction_ctx *ctx, u32 unit,
			     const struct uvm_eviction_victim *victim,
			     struct uvm_page_mask *pages)
{
	u32 leaves = 0, there = 0, also;
	struct uvm_page_mask others;
	unsigned int i;

	uvm_page_mask_copy(&others, victim->resident);
	uvm_page_mask_clear_region(&others, uvm_region_make(victim->first, victim->outer));
	for (i = 0; i < UVM_BIG_PER_BLOCK; i++) {
		struct uvm_region leaf = block_leaf(victim, i);

		if (uvm_region_empty(leaf))
			continue;
		leaves |= BIT(i);
		if (!uvm_page_mask_region_empty(&others, leaf))
			there |= BIT(i);
	}
	also = uvm_tree_evict(leaves, there);
	for (i = 0; i < UVM_BIG_PER_BLOCK; i++)
		if (also & BIT(i))
			uvm_page_mask_or_region(pages, block_leaf(victim, i));
}
