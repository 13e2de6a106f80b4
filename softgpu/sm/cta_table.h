/* SPDX-License-Identifier: GPL-2.0 */
/*
 * CTA status table: the thread blocks of one SM, which of them are active, and who
 * takes whose place; the role of the Virtual Thread Controller (batch-aware, 4.1).
 *
 * An *active* CTA owns resources of the scheduler (threads, warps, a place) and issues;
 * an *inactive* one is assigned to the SM and owns none.  A CTA *holds* if its registers
 * and shared memory are on the SM.  An active one does.  An inactive one does with virtual
 * threads, where there is room for it; otherwise it is *extra*: what it holds is in GPU
 * memory, and at most @limit CTAs may be so.
 *
 *             picked            stalls
 *     NEW -> RESTORING -> RUNNING <-> STALLED
 *               ^                       | for another
 *     READY ----'            SAVING <---'
 *       ^   a warp can issue   |
 *       '--------- WAITING <---'
 *
 * Who comes in: CTAs that ran before, then new ones, each in order of assignment.  One
 * that ran has pages here and an end in sight; a new one makes the working set larger.
 * A place that a CTA leaves by ending is taken first, then that of a stalled CTA, the
 * longest stalled one first.
 *
 * If the limit falls below the number of extra CTAs, the last ones are *parked*: they
 * get no place but one that a CTA leaves by ending.
 *
 * A CTA that ran before and could go on for @patience_ps, parked or not, comes before
 * all others, and those that wait longest first: it gets the place of any stalled CTA,
 * or of the one that has run longest, and as long as that.  What that one does may be to
 * spin until this one goes on.  If it is larger than what becomes free, which was
 * another launch's then, that is kept until it is enough.
 *
 * Knows no SM and no MMU, and takes no lock: the caller's lock protects all.
 */
#ifndef SOFTGPU_CTA_TABLE_H
#define SOFTGPU_CTA_TABLE_H

#include <linux/limits.h>
#include <linux/list.h>
#include <linux/minmax.h>
#include <linux/types.h>

/**
 * struct sgpu_resources - of an SM, or what one CTA needs
 * @threads: threads of the scheduler, in whole warps
 * @warps: its warps
 * @ctas: its places
 * @regs: 32-bit registers
 * @shared: bytes of shared memory
 */
struct sgpu_resources {
	u32 threads;
	u32 warps;
	u32 ctas;
	u32 regs;
	u32 shared;
};

/* What an active CTA waits for, if no warp of it can issue. */
enum sgpu_cta_stall {
	SGPU_CTA_RUNS,
	SGPU_CTA_WAITS_MEMORY,		/* for data or a translation at least */
	SGPU_CTA_WAITS_REPLAY,		/* for a replay, and nothing else ends it */
};

enum sgpu_cta_state {
	SGPU_CTA_NEW,			/* inactive, never ran */
	SGPU_CTA_RESTORING,		/* active soon: it gets its context */
	SGPU_CTA_RUNNING,
	SGPU_CTA_STALLED,
	SGPU_CTA_SAVING,		/* inactive: its context is put away */
	SGPU_CTA_WAITING,		/* inactive, no warp could issue */
	SGPU_CTA_READY,			/* inactive, a warp could issue */
};

/* Where a new CTA may go. */
enum sgpu_cta_place {
	SGPU_PLACE_NONE,
	SGPU_PLACE_ACTIVE,
	SGPU_PLACE_HELD,		/* inactive, holds */
	SGPU_PLACE_EXTRA,		/* inactive, does not */
};

/**
 * struct sgpu_cta_status - what the table knows of one CTA
 * @node: in the table, in order of assignment
 * @need: what it needs
 * @active: see above, as the next
 * @holds: ...
 * @parked: ...
 * @started: was active
 * @stall: of an active CTA
 * @busy_ps: it is saved or restored until then
 * @since_ps: since when it is active
 * @stalled_ps: since when it is stalled
 * @ready_ps: inactive: when a warp could issue first; U64_MAX: not known
 */
struct sgpu_cta_status {
	struct list_head node;
	struct sgpu_resources need;
	bool active;
	bool holds;
	bool parked;
	bool started;
	enum sgpu_cta_stall stall;
	u64 busy_ps;
	u64 since_ps;
	u64 stalled_ps;
	u64 ready_ps;
};

/**
 * struct sgpu_switch_costs - what saving or restoring takes, in ps
 * @latency_ps: registers and shared memory, to or from GPU memory
 * @line_ps: each 128 bytes of them
 * @state_latency_ps: state of the scheduler alone
 * @state_line_ps: each 128 bytes of it
 * @state_bytes: state of one warp
 */
struct sgpu_switch_costs {
	u64 latency_ps;
	u64 line_ps;
	u64 state_latency_ps;
	u64 state_line_ps;
	u32 state_bytes;
};

/**
 * struct sgpu_cta_table - CTAs of one SM
 * @ctas: all, in order of assignment
 * @free: resources not in use
 * @virtual_thread: inactive CTAs may hold
 * @on_memory: extra CTAs come in for what waits for memory only
 * @patience_ps: see above
 * @costs: of a switch
 * @held_max: inactive CTAs that hold, at most
 * @limit: extra CTAs that may be
 * @inactive: inactive CTAs
 * @extra: those that do not hold
 * @parked: those of them that are parked
 */
struct sgpu_cta_table {
	struct list_head ctas;
	struct sgpu_resources free;
	bool virtual_thread;
	bool on_memory;
	u64 patience_ps;
	struct sgpu_switch_costs costs;
	u32 held_max;
	u32 limit;
	u32 inactive;
	u32 extra;
	u32 parked;
};

/**
 * struct sgpu_cta_switch - an answer of sgpu_cta_table_pick()
 * @in: who comes in
 * @out: who goes; NULL if there is a free place
 */
struct sgpu_cta_switch {
	struct sgpu_cta_status *in;
	struct sgpu_cta_status *out;
};

/**
 * sgpu_cta_table_init - make an empty table
 * @table: filled; the caller sets @virtual_thread, @on_memory, @patience_ps and @costs
 * @total: resources of the SM; as many inactive CTAs as it has places may hold
 */
void sgpu_cta_table_init(struct sgpu_cta_table *table, const struct sgpu_resources *total);

/**
 * sgpu_cta_table_room - where may a new CTA go?
 * @table: the table
 * @need: what it needs
 * @now_ps: now
 *
 * Return: the best place that there is.
 */
enum sgpu_cta_place sgpu_cta_table_room(const struct sgpu_cta_table *table,
					const struct sgpu_resources *need, u64 now_ps);

/**
 * sgpu_cta_table_add - a new CTA is assigned
 * @table: the table
 * @cta: filled
 * @need: what it needs
 * @place: from sgpu_cta_table_room()
 * @start_ps: it could issue from then on
 */
void sgpu_cta_table_add(struct sgpu_cta_table *table, struct sgpu_cta_status *cta,
			const struct sgpu_resources *need, enum sgpu_cta_place place,
			u64 start_ps);

/**
 * sgpu_cta_table_remove - a CTA ended, or was dropped
 * @table: the table
 * @cta: in the table
 */
void sgpu_cta_table_remove(struct sgpu_cta_table *table, struct sgpu_cta_status *cta);

/**
 * sgpu_cta_table_set_limit - how many CTAs may be extra
 * @table: the table
 * @limit: if there are more, the last ones are parked
 */
void sgpu_cta_table_set_limit(struct sgpu_cta_table *table, u32 limit);

/**
 * sgpu_cta_status_stall - does an active CTA run?
 * @cta: the CTA
 * @stall: what it waits for, or SGPU_CTA_RUNS
 * @now_ps: now
 */
void sgpu_cta_status_stall(struct sgpu_cta_status *cta, enum sgpu_cta_stall stall,
			   u64 now_ps);

/**
 * sgpu_cta_status_ready - a warp of an inactive CTA could issue
 * @cta: the CTA
 * @ready_ps: when, if none can earlier
 */
static inline void sgpu_cta_status_ready(struct sgpu_cta_status *cta, u64 ready_ps)
{
	cta->ready_ps = min(cta->ready_ps, ready_ps);
}

/**
 * sgpu_cta_status_state - what a CTA does
 * @cta: the CTA
 * @now_ps: now
 *
 * Return: its state, see above.
 */
enum sgpu_cta_state sgpu_cta_status_state(const struct sgpu_cta_status *cta, u64 now_ps);

/**
 * sgpu_cta_table_pick - is there a switch to make?
 * @table: the table
 * @now_ps: now
 * @sw: out: make it by sgpu_cta_table_switch(), then ask again
 *
 * Return: true if so.
 */
bool sgpu_cta_table_pick(const struct sgpu_cta_table *table, u64 now_ps,
			 struct sgpu_cta_switch *sw);

/**
 * sgpu_cta_table_switch - make a switch
 * @table: the table
 * @sw: @out is inactive now, and the caller tells when it is ready; @in is active, and can
 *	issue from its @busy_ps on
 * @now_ps: now
 */
void sgpu_cta_table_switch(struct sgpu_cta_table *table, const struct sgpu_cta_switch *sw,
			   u64 now_ps);

/**
 * sgpu_cta_table_deadline - when may sgpu_cta_table_pick() find another switch in time?
 * @table: the table
 * @now_ps: now
 *
 * Return: ps, U64_MAX: never.
 */
u64 sgpu_cta_table_deadline(const struct sgpu_cta_table *table, u64 now_ps);

#endif
