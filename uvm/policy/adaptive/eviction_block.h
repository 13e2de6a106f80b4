/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Units by the 2 MB of addresses that they hold pages of, for policies that choose among these
 * *blocks* first.  The order of blocks is that of their last accesses, and so is the order of
 * units in a block (Ganguly et al., ISCA 2019; DATE 2021's simulator).
 *
 * Accesses are known as in eviction_accessed.c: a page that comes is one, and whoever is first in
 * the order is asked of the hardware (UVM_FEED_ACCESSED), unit by unit; if one was used since,
 * the block gets the place that it should have.  At most UVM_EVICTION_BLOCK_LOOKS blocks are
 * asked for one choice.  Without the extension the order is that of arrivals.
 *
 * A unit whose addresses are not known is a block of its own: it was in use when the policy came
 * into force, or it has no page yet.
 */
#ifndef UVM_EVICTION_BLOCK_H
#define UVM_EVICTION_BLOCK_H

#include <linux/list.h>
#include "policy/eviction.h"
#include "policy/lib/key_hash.h"

/* Blocks that are asked for one choice at most. */
#define UVM_EVICTION_BLOCK_LOOKS	64

/**
 * struct uvm_eviction_block - a block that has units
 * @slot: VA space and address in 2 MB; VA space 0: one unit, by its number
 * @node: in uvm_eviction_blocks.order
 * @units: of uvm_eviction_block_unit.node
 * @count: how many
 * @used: last access, in ticks that wrap
 * @heat: accesses, for the policy's use; 0 when it gets its first unit
 * @next: of a free record the next free one, and 1
 */
struct uvm_eviction_block {
	struct uvm_key_slot slot;
	struct list_head node;
	struct list_head units;
	u32 count;
	u32 used;
	u64 heat;
	u32 next;
};

/**
 * struct uvm_eviction_block_unit - a unit's part
 * @node: in its block; NULL before the first
 * @block: record of its block, and 1; 0: none
 * @used: last access
 * @key: of the block, also after it has left that as long as it may come back
 */
struct uvm_eviction_block_unit {
	struct list_head node;
	u32 block;
	u32 used;
	struct uvm_key key;
};

/* The bytes of a unit.  The block is any, not the unit's: there are never more than units. */
struct uvm_eviction_block_record {
	struct uvm_eviction_block block;
	struct uvm_eviction_block_unit unit;
};

/**
 * struct uvm_eviction_blocks - the bytes of a GPU; a policy with more has these first
 * @order: of uvm_eviction_block.node, least recently accessed first
 * @used: records that ever had a block
 * @free: a record that has none any more, and 1
 */
struct uvm_eviction_blocks {
	struct list_head order;
	u32 used;
	u32 free;
};

/**
 * uvm_eviction_blocks_init - .init of a policy with blocks
 * @ctx: the policy in force; no block has units
 *
 * Context: a hook of the policy.
 */
void uvm_eviction_blocks_init(struct uvm_eviction_ctx *ctx);

/**
 * uvm_eviction_blocks_enter - .enter of a policy with blocks
 * @ctx: the policy in force
 * @unit: a unit that is in use; a block of its own if it does not hold again what it did
 * @when: its last access
 * @why: as told to the hook
 *
 * Context: a hook of the policy.
 */
void uvm_eviction_blocks_enter(struct uvm_eviction_ctx *ctx, u32 unit, u32 when,
			       enum uvm_enter_why why);

/**
 * uvm_eviction_blocks_leave - .leave of a policy with blocks
 * @ctx: the policy in force
 * @unit: a unit that is not in use any more, and leaves its block
 * @why: as told to the hook
 *
 * Context: a hook of the policy.
 */
void uvm_eviction_blocks_leave(struct uvm_eviction_ctx *ctx, u32 unit, enum uvm_leave_why why);

/**
 * uvm_eviction_blocks_arrive - .arrive of a policy with blocks
 * @ctx: the policy in force
 * @unit: a unit; it is in the block of the page from now on, and was accessed just now
 * @page: the page that came to it
 *
 * Context: a hook of the policy.
 */
void uvm_eviction_blocks_arrive(struct uvm_eviction_ctx *ctx, u32 unit,
				const struct uvm_eviction_page *page);

/**
 * uvm_eviction_block_find - the block of an address
 * @ctx: the policy in force
 * @va_space: number of the VA space
 * @va: any address of the 2 MB
 *
 * Context: a hook of the policy.
 * Return: the block; NULL: it has no unit.
 */
struct uvm_eviction_block *uvm_eviction_block_find(struct uvm_eviction_ctx *ctx, u64 va_space,
						   u64 va);

/**
 * uvm_eviction_block_of - the block of a unit
 * @ctx: the policy in force
 * @unit: the unit
 *
 * Context: a hook of the policy.
 * Return: the block; NULL: the unit is not in use.
 */
struct uvm_eviction_block *uvm_eviction_block_of(struct uvm_eviction_ctx *ctx, u32 unit);

/**
 * uvm_eviction_block_unit - which unit of a block goes?
 * @ctx: the policy in force
 * @block: the block
 *
 * Context: a hook of the policy.
 * Return: of those that may be evicted the least recently accessed; UVM_UNIT_NONE: none may.
 */
u32 uvm_eviction_block_unit(struct uvm_eviction_ctx *ctx, const struct uvm_eviction_block *block);

/**
 * uvm_eviction_block_oldest - the unit to go by the order
 * @ctx: the policy in force
 * @spare: the blocks with so many units, which are first in it, stay if others can go
 *
 * Return: of the first block that has an evictable unit the least recently accessed.
 */
u32 uvm_eviction_block_oldest(struct uvm_eviction_ctx *ctx, u32 spare);

/**
 * uvm_eviction_block_pick - .pick by the order: uvm_eviction_block_oldest() without anything spared
 * @ctx: the policy in force
 *
 * Context: a hook of the policy.
 * Return: the unit.
 */
u32 uvm_eviction_block_pick(struct uvm_eviction_ctx *ctx);

/**
 * uvm_eviction_block_all - .also: all of the victim's block goes
 * @ctx: the policy in force
 * @unit: the victim
 * @victim: where it is
 * @pages: out: what is resident of the block
 *
 * Context: a hook of the policy.
 */
void uvm_eviction_block_all(struct uvm_eviction_ctx *ctx, u32 unit,
			    const struct uvm_eviction_victim *victim,
			    struct uvm_page_mask *pages);

/**
 * uvm_eviction_block_tree - .also: what TBNe says goes (tree_evict.h)
 * @ctx: the policy in force
 * @unit: the victim
 * @victim: where it is
 * @pages: the 64 KB that go are set
 *
 * Context: a hook of the policy.
 */
void uvm_eviction_block_tree(struct uvm_eviction_ctx *ctx, u32 unit,
			     const struct uvm_eviction_victim *victim,
			     struct uvm_page_mask *pages);

/* What policies of this kind have in common, as members of struct uvm_eviction_ops. */
#define UVM_EVICTION_BLOCK_OPS						\
	.unit_bytes = sizeof(struct uvm_eviction_block_record),	\
	.init = uvm_eviction_blocks_init,				\
	.enter = uvm_eviction_blocks_enter,				\
	.leave = uvm_eviction_blocks_leave,				\
	.arrive = uvm_eviction_blocks_arrive

#endif
