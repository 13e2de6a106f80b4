// SPDX-License-Identifier: GPL-2.0
/* Block status table; see cta_table.h. */
#include <linux/math.h>
#include <linux/minmax.h>
#include <linux/string.h>
#include <kunit/visibility.h>
#include "sm/cta_table.h"

#define SWITCH_LINE	128

void sgpu_block_table_init(struct sgpu_block_table *table, const struct sgpu_resources *total)
{
	memset(table, 0, sizeof(*table));
	INIT_LIST_HEAD(&table->blocks);
	table->free = *total;
	table->held_max = total->blocks;
}
EXPORT_SYMBOL_IF_KUNIT(sgpu_block_table_init);

/* ---- resources ------------------------------------------------------- */

/* Resources of the scheduler: active blocks own them. */
static void table_set_active(struct sgpu_block_table *table, struct sgpu_block_status *block,
			     bool active)
{
	u32 sign = active ? -1 : 1;

	table->free.threads += sign * block->need.threads;
	table->free.warps += sign * block->need.warps;
	table->free.blocks += sign * block->need.blocks;
	table->inactive += sign;
	block->active = active;
}

/* Registers and shared memory: a block without them is extra. */
static void table_set_holds(struct sgpu_block_table *table, struct sgpu_block_status *block,
			    bool holds)
{
	u32 sign = holds ? -1 : 1;

	table->free.regs += sign * block->need.regs;
	table->free.shared += sign * block->need.shared;
	table->extra += sign;
	block->holds = holds;
}

/* Room in the scheduler, if @out leaves it. */
static bool table_schedulable(const struct sgpu_block_table *table,
			      const struct sgpu_resources *need,
			      const struct sgpu_block_status *out)
{
	u32 threads = table->free.threads, warps = table->free.warps, blocks = table->free.blocks;

	if (out) {
		threads += out->need.threads;
		warps += out->need.warps;
		blocks += out->need.blocks;
	}
	return need->threads <= threads && need->warps <= warps && need->blocks <= blocks;
}

/* Room for registers and shared memory, if @out gives its away. */
static bool table_holdable(const struct sgpu_block_table *table, const struct sgpu_resources *need,
			   const struct sgpu_block_status *out)
{
	u32 regs = table->free.regs, shared = table->free.shared;

	if (out) {
		regs += out->need.regs;
		shared += out->need.shared;
	}
	return need->regs <= regs && need->shared <= shared;
}

static bool table_fits(const struct sgpu_block_table *table, const struct sgpu_block_status *in,
		       const struct sgpu_block_status *out)
{
	return table_schedulable(table, &in->need, out) &&
	       (in->holds || table_holdable(table, &in->need, out));
}

/* ---- parked blocks --------------------------------------------------- */

/* Blocks that ran go before new ones, each in order of assignment. */
static struct sgpu_block_status *table_first_parked(struct sgpu_block_table *table)
{
	struct sgpu_block_status *block, *found = NULL;

	list_for_each_entry(block, &table->blocks, node) {
		if (!block->parked)
			continue;
		if (block->started)
			return block;
		found = found ?: block;
	}
	return found;
}

static struct sgpu_block_status *table_last_extra(struct sgpu_block_table *table)
{
	struct sgpu_block_status *block, *found = NULL;

	list_for_each_entry_reverse(block, &table->blocks, node) {
		if (block->holds || block->parked)
			continue;
		if (!block->started)
			return block;
		found = found ?: block;
	}
	return found;
}

/* As many are parked as there are more than the limit. */
static void table_park(struct sgpu_block_table *table)
{
	u32 want = table->extra > table->limit ? table->extra - table->limit : 0;

	for (; table->parked < want; table->parked++)
		table_last_extra(table)->parked = true;
	for (; table->parked > want; table->parked--)
		table_first_parked(table)->parked = false;
}

void sgpu_block_table_set_limit(struct sgpu_block_table *table, u32 limit)
{
	table->limit = limit;
	table_park(table);
}
EXPORT_SYMBOL_IF_KUNIT(sgpu_block_table_set_limit);

/* ---- blocks come and go ---------------------------------------------- */

static u32 table_held(const struct sgpu_block_table *table)
{
	return table->inactive - table->extra;
}

static u64 status_ready_ps(const struct sgpu_block_status *block)
{
	return max(block->ready_ps, block->busy_ps);
}

static bool table_is_patient(const struct sgpu_block_table *table,
			     const struct sgpu_block_status *block, u64 now_ps)
{
	u64 ready = status_ready_ps(block);

	return block->started && ready <= now_ps && now_ps - ready >= table->patience_ps;
}

/*
 * One whose patience has ended may be larger than what becomes free, if that was of another
 * launch: then this is kept until it is enough.  @held: registers and shared memory alone.
 */
static bool table_keeps_room(const struct sgpu_block_table *table, bool held, u64 now_ps)
{
	const struct sgpu_block_status *block;

	list_for_each_entry(block, &table->blocks, node) {
		if (block->active || !table_is_patient(table, block, now_ps))
			continue;
		if (held ? !block->holds && !table_holdable(table, &block->need, NULL) :
			   !table_fits(table, block, NULL))
			return true;
	}
	return false;
}

enum sgpu_block_place sgpu_block_table_room(const struct sgpu_block_table *table,
					    const struct sgpu_resources *need, u64 now_ps)
{
	bool holdable = table_holdable(table, need, NULL);

	if (holdable && table_schedulable(table, need, NULL) &&
	    !table_keeps_room(table, false, now_ps))
		return SGPU_PLACE_ACTIVE;
	if (holdable && table->virtual_thread && table_held(table) < table->held_max &&
	    !table_keeps_room(table, true, now_ps))
		return SGPU_PLACE_HELD;
	return table->extra < table->limit ? SGPU_PLACE_EXTRA : SGPU_PLACE_NONE;
}
EXPORT_SYMBOL_IF_KUNIT(sgpu_block_table_room);

void sgpu_block_table_add(struct sgpu_block_table *table, struct sgpu_block_status *block,
			  const struct sgpu_resources *need, enum sgpu_block_place place,
			  u64 start_ps)
{
	memset(block, 0, sizeof(*block));
	block->need = *need;
	block->busy_ps = start_ps;
	block->since_ps = start_ps;
	block->ready_ps = start_ps;
	/* inactive and extra until it is told otherwise */
	table->inactive++;
	table->extra++;
	if (place != SGPU_PLACE_EXTRA)
		table_set_holds(table, block, true);
	if (place == SGPU_PLACE_ACTIVE) {
		table_set_active(table, block, true);
		block->started = true;
	}
	list_add_tail(&block->node, &table->blocks);
}
EXPORT_SYMBOL_IF_KUNIT(sgpu_block_table_add);

void sgpu_block_table_remove(struct sgpu_block_table *table, struct sgpu_block_status *block)
{
	if (block->active)
		table_set_active(table, block, false);
	if (block->holds)
		table_set_holds(table, block, false);
	table->inactive--;
	table->extra--;
	table->parked -= block->parked;
	list_del(&block->node);
	table_park(table);
}
EXPORT_SYMBOL_IF_KUNIT(sgpu_block_table_remove);

void sgpu_block_status_stall(struct sgpu_block_status *block, enum sgpu_block_stall stall,
			     u64 now_ps)
{
	if (stall != SGPU_BLOCK_RUNS && block->stall == SGPU_BLOCK_RUNS)
		block->stalled_ps = now_ps;
	block->stall = stall;
}
EXPORT_SYMBOL_IF_KUNIT(sgpu_block_status_stall);

enum sgpu_block_state sgpu_block_status_state(const struct sgpu_block_status *block, u64 now_ps)
{
	if (block->active) {
		if (block->busy_ps > now_ps)
			return SGPU_BLOCK_RESTORING;
		return block->stall ? SGPU_BLOCK_STALLED : SGPU_BLOCK_RUNNING;
	}
	if (!block->started)
		return SGPU_BLOCK_NEW;
	if (block->busy_ps > now_ps)
		return SGPU_BLOCK_SAVING;
	return block->ready_ps > now_ps ? SGPU_BLOCK_WAITING : SGPU_BLOCK_READY;
}
EXPORT_SYMBOL_IF_KUNIT(sgpu_block_status_state);

/* ---- who takes whose place ------------------------------------------- */

/* Is @out stalled so that @in may have its place?  For one whose patience ended, any is. */
static bool table_gives_way(const struct sgpu_block_table *table,
			    const struct sgpu_block_status *in,
			    const struct sgpu_block_status *out, bool patient)
{
	if (out->stall == SGPU_BLOCK_WAITS_MEMORY)
		return in->holds || table->on_memory || patient;
	return out->stall == SGPU_BLOCK_WAITS_REPLAY;
}

/* Who gives its place to @in: the longest stalled one. */
static struct sgpu_block_status *table_longest_stalled(const struct sgpu_block_table *table,
						       const struct sgpu_block_status *in,
						       bool patient, u64 now_ps)
{
	struct sgpu_block_status *block, *found = NULL;

	list_for_each_entry(block, &table->blocks, node) {
		if (!block->active || block->busy_ps > now_ps ||
		    !table_gives_way(table, in, block, patient) ||
		    !table_fits(table, in, block))
			continue;
		if (!found || block->stalled_ps < found->stalled_ps)
			found = block;
	}
	return found;
}

/* Who has run longest, and has had as much time as others have patience. */
static struct sgpu_block_status *table_longest_active(const struct sgpu_block_table *table,
						      const struct sgpu_block_status *in,
						      u64 now_ps)
{
	struct sgpu_block_status *block, *found = NULL;

	list_for_each_entry(block, &table->blocks, node) {
		if (!block->active || block->since_ps + table->patience_ps > now_ps ||
		    !table_fits(table, in, block))
			continue;
		if (!found || block->since_ps < found->since_ps)
			found = block;
	}
	return found;
}

/* A block could go on: find it a place, a free one if there is. */
static bool table_pick_place(const struct sgpu_block_table *table, struct sgpu_block_status *in,
			     bool patient, u64 now_ps, struct sgpu_block_switch *sw)
{
	sw->in = in;
	sw->out = NULL;
	if (table_fits(table, in, NULL))
		return true;
	if (!in->parked || patient)
		sw->out = table_longest_stalled(table, in, patient, now_ps);
	if (!sw->out && patient)
		sw->out = table_longest_active(table, in, now_ps);
	return sw->out;
}

/* Those whose patience has ended: who waits longest first. */
static bool table_pick_patient(const struct sgpu_block_table *table, u64 now_ps,
			       struct sgpu_block_switch *sw)
{
	struct sgpu_block_switch found = {}, try;
	struct sgpu_block_status *block;

	list_for_each_entry(block, &table->blocks, node) {
		if (block->active || !table_is_patient(table, block, now_ps) ||
		    (found.in && status_ready_ps(found.in) <= status_ready_ps(block)))
			continue;
		if (table_pick_place(table, block, true, now_ps, &try))
			found = try;
	}
	*sw = found;
	return found.in;
}

/* The others in order, those that ran or new ones. */
static bool table_pick_in_order(const struct sgpu_block_table *table, bool started, u64 now_ps,
				struct sgpu_block_switch *sw)
{
	struct sgpu_block_status *block;

	list_for_each_entry(block, &table->blocks, node) {
		if (block->active || block->started != started || status_ready_ps(block) > now_ps)
			continue;
		if (table_pick_place(table, block, false, now_ps, sw))
			return true;
	}
	return false;
}

bool sgpu_block_table_pick(const struct sgpu_block_table *table, u64 now_ps,
			   struct sgpu_block_switch *sw)
{
	if (!table->inactive)
		return false;
	if (table_pick_patient(table, now_ps, sw))
		return true;
	return !table_keeps_room(table, false, now_ps) &&
	       (table_pick_in_order(table, true, now_ps, sw) ||
		table_pick_in_order(table, false, now_ps, sw));
}
EXPORT_SYMBOL_IF_KUNIT(sgpu_block_table_pick);

/* Time to save or restore a block; @moves: with its registers and shared memory. */
static u64 table_cost_ps(const struct sgpu_block_table *table,
			 const struct sgpu_block_status *block, bool moves)
{
	const struct sgpu_switch_costs *costs = &table->costs;
	u64 bytes = (u64)block->need.warps * costs->state_bytes;

	if (!moves)
		return costs->state_latency_ps +
		       DIV_ROUND_UP(bytes, SWITCH_LINE) * costs->state_line_ps;
	bytes += block->need.regs * 4ULL + block->need.shared;
	return costs->latency_ps + DIV_ROUND_UP(bytes, SWITCH_LINE) * costs->line_ps;
}

static void table_switch_out(struct sgpu_block_table *table, const struct sgpu_block_switch *sw,
			     u64 now_ps)
{
	struct sgpu_block_status *in = sw->in, *out = sw->out;
	bool moves = !table->virtual_thread ||
		     (!in->holds && !table_holdable(table, &in->need, NULL));

	table_set_active(table, out, false);
	out->stall = SGPU_BLOCK_RUNS;
	out->ready_ps = U64_MAX;
	out->busy_ps = now_ps + table_cost_ps(table, out, moves);
	if (!moves)
		return;
	table_set_holds(table, out, false);
	/* the one is as much beyond the limit as the other was */
	swap(in->parked, out->parked);
}

void sgpu_block_table_switch(struct sgpu_block_table *table, const struct sgpu_block_switch *sw,
			     u64 now_ps)
{
	struct sgpu_block_status *in = sw->in;
	u64 start = now_ps;

	if (sw->out) {
		table_switch_out(table, sw, now_ps);
		start = sw->out->busy_ps;
	}
	/* what never ran has no context yet */
	if (in->started)
		start += table_cost_ps(table, in, !in->holds);
	if (!in->holds)
		table_set_holds(table, in, true);
	table_set_active(table, in, true);
	table->parked -= in->parked;
	in->parked = false;
	in->started = true;
	in->busy_ps = start;
	in->since_ps = start;
	table_park(table);
}
EXPORT_SYMBOL_IF_KUNIT(sgpu_block_table_switch);

/* When something about one block changes by itself. */
static u64 table_block_deadline(const struct sgpu_block_table *table,
				const struct sgpu_block_status *block, u64 now_ps)
{
	u64 at = status_ready_ps(block), since = at;

	if (block->active) {
		at = block->busy_ps;
		since = block->since_ps;
	}
	if (at > now_ps)
		return at;
	at = since + table->patience_ps;
	return block->started && at > now_ps ? at : U64_MAX;
}

u64 sgpu_block_table_deadline(const struct sgpu_block_table *table, u64 now_ps)
{
	const struct sgpu_block_status *block;
	u64 next = U64_MAX;

	if (!table->inactive)
		return U64_MAX;
	list_for_each_entry(block, &table->blocks, node)
		next = min(next, table_block_deadline(table, block, now_ps));
	return next;
}
EXPORT_SYMBOL_IF_KUNIT(sgpu_block_table_deadline);
