// SPDX-License-Identifier: GPL-2.0
/*
 * A VA block may lie in GPU memory in part.  If its other part is read over the link often enough
 * for an access counter to tell, the block is in use.  Then its part in GPU memory stays, if
 * something else can go.  The order is lru's.  This is useful with settings that leave pages on the
 * other side of the link: residency_policy=delayed or remote, perf_map_remote_on_eviction.
 *
 * Standing: example.
 */
#include "base/types.h"
#include "policy/lib/eviction_older.h"

/* VA blocks that are remembered; an access counter counts for 2 MB, too. */
#define LINKED_BLOCKS	16
/* Time after which a block is forgotten that no counter tells of: from one of these to two. */
#define LINKED_TICK_NS	1000000

/* A VA block; all zero: none. */
struct linked_block {
	u64 va_space;
	u64 number;
};

struct linked {
	struct linked_block used[LINKED_BLOCKS];	/* a ring */
	u64 told[LINKED_BLOCKS];			/* tick of the last time */
	u32 next;
	u64 tick;
};

static struct linked_block linked_block(u64 va_space, u64 va)
{
	return (struct linked_block){ .va_space = va_space, .number = va >> UVM_BLOCK_SHIFT };
}

/* Its place, or LINKED_BLOCKS. */
static unsigned int linked_find(const struct linked *linked, const struct linked_block *block)
{
	unsigned int i;

	for (i = 0; i < LINKED_BLOCKS; i++)
		if (linked->used[i].va_space == block->va_space &&
		    linked->used[i].number == block->number)
			break;
	return i;
}

static void eviction_linked_arrive(struct uvm_eviction_ctx *ctx, u32 unit,
				   const struct uvm_eviction_page *page)
{
	struct linked_block *of = uvm_eviction_unit(ctx, unit);

	*of = linked_block(page->va_space, page->va);
}

static void eviction_linked_touch(struct uvm_eviction_ctx *ctx, u32 unit,
				  const struct uvm_eviction_touch *touch)
{
	struct linked_block block = linked_block(touch->va_space, touch->va);
	struct linked *linked = ctx->state;
	unsigned int i = linked_find(linked, &block);

	if (i == LINKED_BLOCKS) {
		i = linked->next;
		linked->used[i] = block;
		linked->next = (i + 1) % LINKED_BLOCKS;
	}
	linked->told[i] = linked->tick;
}

static void eviction_linked_tick(struct uvm_eviction_ctx *ctx, u64 n)
{
	struct linked *linked = ctx->state;

	linked->tick = n;
}

static bool linked_keep(struct uvm_eviction_ctx *ctx, u32 unit)
{
	const struct linked_block *block = uvm_eviction_unit(ctx, unit);
	const struct linked *linked = ctx->state;
	unsigned int i = linked_find(linked, block);

	return block->va_space && i < LINKED_BLOCKS && linked->tick - linked->told[i] <= 1;
}

static u32 eviction_linked_pick(struct uvm_eviction_ctx *ctx)
{
	return uvm_eviction_older(ctx, linked_keep);
}

UVM_POLICY(eviction, linked, "as lru, but what is read over the link as well stays",
	   .policy.feeds = UVM_FEED_COUNTERS,
	   .state_bytes = sizeof(struct linked),
	   .unit_bytes = sizeof(struct linked_block),
	   .tick_by = UVM_TICK_NS,
	   .tick_every = LINKED_TICK_NS,
	   .arrive = eviction_linked_arrive,
	   .touch = eviction_linked_touch,
	   .tick = eviction_linked_tick,
	   .pick = eviction_linked_pick);
