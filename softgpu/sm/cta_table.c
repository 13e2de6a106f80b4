// SPDX-License-Identifier: GPL-2.0
/* CTA status table; see cta_table.h. */
#include <linux/math.h>
#include <linux/minmax.h>
#include <linux/string.h>
#include <kunit/visibility.h>
#include "sm/cta_table.h"

#define SWITCH_LINE	128

void sgpu_cta_table_init(struct sgpu_cta_table *table, const struct sgpu_resources *total)
{
	memset(table, 0, sizeof(*table));
	INIT_LIST_HEAD(&table->ctas);
	table->free = *total;
	table->held_max = total->ctas;
}
EXPORT_SYMBOL_IF_KUNIT(sgpu_cta_table_init);

/* ---- resources ------------------------------------------------------- */

/* Resources of the scheduler: active CTAs own them. */
static void table_set_active(struct sgpu_cta_table *table, struct sgpu_cta_status *cta,
			     bool active)
{
	u32 sign = active ? -1 : 1;

	table->free.threads += sign * cta->need.threads;
	table->free.warps += sign * cta->need.warps;
	table->free.ctas += sign * cta->need.ctas;
	table->inactive += sign;
	cta->active = active;
}

/* Registers and shared memory: a CTA without them is extra. */
static void table_set_holds(struct sgpu_cta_table *table, struct sgpu_cta_status *cta,
			    bool holds)
{
	u32 sign = holds ? -1 : 1;

	table->free.regs += sign * cta->need.regs;
	table->free.shared += sign * cta->need.shared;
	table->extra += sign;
	cta->holds = holds;
}

/* Room in the scheduler, if @out leaves it. */
static bool table_schedulable(const struct sgpu_cta_table *table,
			      const struct sgpu_resources *need,
			      const struct sgpu_cta_status *out)
{
	u32 threads = table->free.threads, warps = table->free.warps, ctas = table->free.ctas;

	if (out) {
		threads += out->need.threads;
		warps += out->need.warps;
		ctas += out->need.ctas;
	}
	return need->threads <= threads && need->warps <= warps && need->ctas <= ctas;
}

/* Room for registers and shared memory, if @out gives its away. */
static bool table_holdable(const struct sgpu_cta_table *table, const struct sgpu_resources *need,
			   const struct sgpu_cta_status *out)
{
	u32 regs = table->free.regs, shared = table->free.shared;

	if (out) {
		regs += out->need.regs;
		shared += out->need.shared;
	}
	return need->regs <= regs && need->shared <= shared;
}

static bool table_fits(const struct sgpu_cta_table *table, const struct sgpu_cta_status *in,
		       const struct sgpu_cta_status *out)
{
	return table_schedulable(table, &in->need, out) &&
	       (in->holds || table_holdable(table, &in->need, out));
}

/* ---- parked CTAs ----------------------------------------------------- */

/* CTAs that ran go before new ones, each in order of assignment. */
static struct sgpu_cta_status *table_first_parked(struct sgpu_cta_table *table)
{
	struct sgpu_cta_status *cta, *found = NULL;

	list_for_each_entry(cta, &table->ctas, node) {
		if (!cta->parked)
			continue;
		if (cta->started)
			return cta;
		found = found ?: cta;
	}
	return found;
}

static struct sgpu_cta_status *table_last_extra(struct sgpu_cta_table *table)
{
	struct sgpu_cta_status *cta, *found = NULL;

	list_for_each_entry_reverse(cta, &table->ctas, node) {
		if (cta->holds || cta->parked)
			continue;
		if (!cta->started)
			return cta;
		found = found ?: cta;
	}
	return found;
}

/* As many are parked as there are more than the limit. */
static void table_park(struct sgpu_cta_table *table)
{
	u32 want = table->extra > table->limit ? table->extra - table->limit : 0;

	for (; table->parked < want; table->parked++)
		table_last_extra(table)->parked = true;
	for (; table->parked > want; table->parked--)
		table_first_parked(table)->parked = false;
}

void sgpu_cta_table_set_limit(struct sgpu_cta_table *table, u32 limit)
{
	table->limit = limit;
	table_park(table);
}
EXPORT_SYMBOL_IF_KUNIT(sgpu_cta_table_set_limit);

/* ---- CTAs come and go ------------------------------------------------ */

static u32 table_held(const struct sgpu_cta_table *table)
{
	return table->inactive - table->extra;
}

static u64 status_ready_ps(const struct sgpu_cta_status *cta)
{
	return max(cta->ready_ps, cta->busy_ps);
}

static bool table_is_patient(const struct sgpu_cta_table *table,
			     const struct sgpu_cta_status *cta, u64 now_ps)
{
	u64 ready = status_ready_ps(cta);

	return cta->started && ready <= now_ps && now_ps - ready >= table->patience_ps;
}

/*
 * One whose patience has ended may be larger than what becomes free, if that was of another
 * launch: then this is kept until it is enough.  @held: registers and shared memory alone.
 */
static bool table_keeps_room(const struct sgpu_cta_table *table, bool held, u64 now_ps)
{
	const struct sgpu_cta_status *cta;

	list_for_each_entry(cta, &table->ctas, node) {
		if (cta->active || !table_is_patient(table, cta, now_ps))
			continue;
		if (held ? !cta->holds && !table_holdable(table, &cta->need, NULL) :
			   !table_fits(table, cta, NULL))
			return true;
	}
	return false;
}

enum sgpu_cta_place sgpu_cta_table_room(const struct sgpu_cta_table *table,
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
EXPORT_SYMBOL_IF_KUNIT(sgpu_cta_table_room);

void sgpu_cta_table_add(struct sgpu_cta_table *table, struct sgpu_cta_status *cta,
			const struct sgpu_resources *need, enum sgpu_cta_place place,
			u64 start_ps)
{
	memset(cta, 0, sizeof(*cta));
	cta->need = *need;
	cta->busy_ps = start_ps;
	cta->since_ps = start_ps;
	cta->ready_ps = start_ps;
	/* inactive and extra until it is told otherwise */
	table->inactive++;
	table->extra++;
	if (place != SGPU_PLACE_EXTRA)
		table_set_holds(table, cta, true);
	if (place == SGPU_PLACE_ACTIVE) {
		table_set_active(table, cta, true);
		cta->started = true;
	}
	list_add_tail(&cta->node, &table->ctas);
}
EXPORT_SYMBOL_IF_KUNIT(sgpu_cta_table_add);

void sgpu_cta_table_remove(struct sgpu_cta_table *table, struct sgpu_cta_status *cta)
{
	if (cta->active)
		table_set_active(table, cta, false);
	if (cta->holds)
		table_set_holds(table, cta, false);
	table->inactive--;
	table->extra--;
	table->parked -= cta->parked;
	list_del(&cta->node);
	table_park(table);
}
EXPORT_SYMBOL_IF_KUNIT(sgpu_cta_table_remove);

void sgpu_cta_status_stall(struct sgpu_cta_status *cta, enum sgpu_cta_stall stall,
			   u64 now_ps)
{
	if (stall != SGPU_CTA_RUNS && cta->stall == SGPU_CTA_RUNS)
		cta->stalled_ps = now_ps;
	cta->stall = stall;
}
EXPORT_SYMBOL_IF_KUNIT(sgpu_cta_status_stall);

enum sgpu_cta_state sgpu_cta_status_state(const struct sgpu_cta_status *cta, u64 now_ps)
{
	if (cta->active) {
		if (cta->busy_ps > now_ps)
			return SGPU_CTA_RESTORING;
		return cta->stall ? SGPU_CTA_STALLED : SGPU_CTA_RUNNING;
	}
	if (!cta->started)
		return SGPU_CTA_NEW;
	if (cta->busy_ps > now_ps)
		return SGPU_CTA_SAVING;
	return cta->ready_ps > now_ps ? SGPU_CTA_WAITING : SGPU_CTA_READY;
}
EXPORT_SYMBOL_IF_KUNIT(sgpu_cta_status_state);

/* ---- who takes whose place ------------------------------------------- */

/* Is @out stalled so that @in may have its place?  For one whose patience ended, any is. */
static bool table_gives_way(const struct sgpu_cta_table *table,
			    const struct sgpu_cta_status *in,
			    const struct sgpu_cta_status *out, bool patient)
{
	if (out->stall == SGPU_CTA_WAITS_MEMORY)
		return in->holds || table->on_memory || patient;
	return out->stall == SGPU_CTA_WAITS_REPLAY;
}

/* Who gives its place to @in: the longest stalled one. */
static struct sgpu_cta_status *table_longest_stalled(const struct sgpu_cta_table *table,
						     const struct sgpu_cta_status *in,
						     bool patient, u64 now_ps)
{
	struct sgpu_cta_status *cta, *found = NULL;

	list_for_each_entry(cta, &table->ctas, node) {
		if (!cta->active || cta->busy_ps > now_ps ||
		    !table_gives_way(table, in, cta, patient) ||
		    !table_fits(table, in, cta))
			continue;
		if (!found || cta->stalled_ps < found->stalled_ps)
			found = cta;
	}
	return found;
}

/* Who has run longest, and has had as much time as others have patience. */
static struct sgpu_cta_status *table_longest_active(const struct sgpu_cta_table *table,
						    const struct sgpu_cta_status *in,
						    u64 now_ps)
{
	struct sgpu_cta_status *cta, *found = NULL;

	list_for_each_entry(cta, &table->ctas, node) {
		if (!cta->active || cta->since_ps + table->patience_ps > now_ps ||
		    !table_fits(table, in, cta))
			continue;
		if (!found || cta->since_ps < found->since_ps)
			found = cta;
	}
	return found;
}

/* A CTA could go on: find it a place, a free one if there is. */
static bool table_pick_place(const struct sgpu_cta_table *table, struct sgpu_cta_status *in,
			     bool patient, u64 now_ps, struct sgpu_cta_switch *sw)
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
static bool table_pick_patient(const struct sgpu_cta_table *table, u64 now_ps,
			       struct sgpu_cta_switch *sw)
{
	struct sgpu_cta_switch found = {}, try;
	struct sgpu_cta_status *cta;

	list_for_each_entry(cta, &table->ctas, node) {
		if (cta->active || !table_is_patient(table, cta, now_ps) ||
		    (found.in && status_ready_ps(found.in) <= status_ready_ps(cta)))
			continue;
		if (table_pick_place(table, cta, true, now_ps, &try))
			found = try;
	}
	*sw = found;
	return found.in;
}

/* The others in order, those that ran or new ones. */
static bool table_pick_in_order(const struct sgpu_cta_table *table, bool started, u64 now_ps,
				struct sgpu_cta_switch *sw)
{
	struct sgpu_cta_status *cta;

	list_for_each_entry(cta, &table->ctas, node) {
		if (cta->active || cta->started != started || status_ready_ps(cta) > now_ps)
			continue;
		if (table_pick_place(table, cta, false, now_ps, sw))
			return true;
	}
	return false;
}

bool sgpu_cta_table_pick(const struct sgpu_cta_table *table, u64 now_ps,
			 struct sgpu_cta_switch *sw)
{
	if (!table->inactive)
		return false;
	if (table_pick_patient(table, now_ps, sw))
		return true;
	return !table_keeps_room(table, false, now_ps) &&
	       (table_pick_in_order(table, true, now_ps, sw) ||
		table_pick_in_order(table, false, now_ps, sw));
}
EXPORT_SYMBOL_IF_KUNIT(sgpu_cta_table_pick);

/* Time to save or restore a CTA; @moves: with its registers and shared memory. */
static u64 table_cost_ps(const struct sgpu_cta_table *table,
			 const struct sgpu_cta_status *cta, bool moves)
{
	const struct sgpu_switch_costs *costs = &table->costs;
	u64 bytes = (u64)cta->need.warps * costs->state_bytes;

	if (!moves)
		return costs->state_latency_ps +
		       DIV_ROUND_UP(bytes, SWITCH_LINE) * costs->state_line_ps;
	bytes += cta->need.regs * 4ULL + cta->need.shared;
	return costs->latency_ps + DIV_ROUND_UP(bytes, SWITCH_LINE) * costs->line_ps;
}

static void table_switch_out(struct sgpu_cta_table *table, const struct sgpu_cta_switch *sw,
			     u64 now_ps)
{
	struct sgpu_cta_status *in = sw->in, *out = sw->out;
	bool moves = !table->virtual_thread ||
		     (!in->holds && !table_holdable(table, &in->need, NULL));

	table_set_active(table, out, false);
	out->stall = SGPU_CTA_RUNS;
	out->ready_ps = U64_MAX;
	out->busy_ps = now_ps + table_cost_ps(table, out, moves);
	if (!moves)
		return;
	table_set_holds(table, out, false);
	/* the one is as much beyond the limit as the other was */
	swap(in->parked, out->parked);
}

void sgpu_cta_table_switch(struct sgpu_cta_table *table, const struct sgpu_cta_switch *sw,
			   u64 now_ps)
{
	struct sgpu_cta_status *in = sw->in;
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
EXPORT_SYMBOL_IF_KUNIT(sgpu_cta_table_switch);

/* When something about one CTA changes by itself. */
static u64 table_cta_deadline(const struct sgpu_cta_table *table,
			      const struct sgpu_cta_status *cta, u64 now_ps)
{
	u64 at = status_ready_ps(cta), since = at;

	if (cta->active) {
		at = cta->busy_ps;
		since = cta->since_ps;
	}
	if (at > now_ps)
		return at;
	at = since + table->patience_ps;
	return cta->started && at > now_ps ? at : U64_MAX;
}

u64 sgpu_cta_table_deadline(const struct sgpu_cta_table *table, u64 now_ps)
{
	const struct sgpu_cta_status *cta;
	u64 next = U64_MAX;

	if (!table->inactive)
		return U64_MAX;
	list_for_each_entry(cta, &table->ctas, node)
		next = min(next, table_cta_deadline(table, cta, now_ps));
	return next;
}
EXPORT_SYMBOL_IF_KUNIT(sgpu_cta_table_deadline);
