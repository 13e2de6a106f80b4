/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Policies: const tables chosen by name.
 *
 * Contract of every hook: it is called with locks held that it knows nothing
 * of, must not sleep, allocate or keep pointers, and must depend on nothing
 * but its arguments (never on addresses of objects, time of the host, CPU).
 * The caller checks the answer with the helper named at each table, so that a
 * wrong one costs performance, never data.
 *
 * One policy is one file; policy.c lists them.
 */
#ifndef UVM_POLICY_H
#define UVM_POLICY_H

#include <linux/types.h>
#include "policy/prefetch_tree.h"
#include "base/types.h"

#define UVM_PREFETCH_POLICY_DEFAULT	"tree"
#define UVM_EVICTION_POLICY_DEFAULT	"lru"
#define UVM_REPLAY_POLICY_DEFAULT	"batch_flush"
#define UVM_RESIDENCY_POLICY_DEFAULT	"first_touch"
#define UVM_THRASHING_POLICY_DEFAULT	"throttle_pin"
#define UVM_EVICTION_TIMING_DEFAULT	"reactive"
#define UVM_CONCURRENCY_POLICY_DEFAULT	"none"

/**
 * struct uvm_prefetch_ops - which pages to move along with faulted ones
 * @name: for users
 * @what: one sentence for users
 * @select: fill the mask; checked by uvm_prefetch_clamp()
 */
struct uvm_prefetch_ops {
	const char *name;
	const char *what;
	uvm_prefetch_select_fn select;
};

struct uvm_eviction_ctx;

/**
 * struct uvm_eviction_view - what the allocator lets policies see; the calls below
 * @first: see uvm_eviction_first()
 * @next: see uvm_eviction_next()
 * @place: see uvm_eviction_place()
 */
struct uvm_eviction_view {
	struct uvm_chunk *(*first)(struct uvm_eviction_ctx *ctx);
	struct uvm_chunk *(*next)(struct uvm_eviction_ctx *ctx, struct uvm_chunk *unit);
	bool (*place)(struct uvm_eviction_ctx *ctx, struct uvm_chunk *unit);
};

/**
 * struct uvm_eviction_ctx - one choice of a victim, see uvm_eviction_first()
 * @view: how the allocator answers
 * @pool: the allocator; not for policies
 * @random: state of the random numbers of this GPU
 */
struct uvm_eviction_ctx {
	const struct uvm_eviction_view *view;
	struct uvm_chunk_pool *pool;
	u64 *random;
};

/**
 * struct uvm_eviction_ops - which GPU memory to give up
 * @name: for users
 * @what: one sentence for users
 * @pick: return one of the chunks that uvm_eviction_first() and
 *	uvm_eviction_next() yield: the evictable units in use (of 2 MB, 64 KB or
 *	4 KB, see chunk.h), least recently migrated-to first; at least one
 *	exists.  Checked by uvm_chunk_pool_pick_victim(), which takes the first
 *	instead of a wrong one.
 * @accessed: asks uvm_eviction_place(): the hardware has to remember accesses
 */
struct uvm_eviction_ops {
	const char *name;
	const char *what;
	struct uvm_chunk *(*pick)(struct uvm_eviction_ctx *ctx);
	bool accessed;
};

/* For .pick: the first of the units that may be evicted; NULL if there is none. */
static inline struct uvm_chunk *uvm_eviction_first(struct uvm_eviction_ctx *ctx)
{
	return ctx->view->first(ctx);
}

/* The one behind @unit; NULL at the end. */
static inline struct uvm_chunk *uvm_eviction_next(struct uvm_eviction_ctx *ctx,
						  struct uvm_chunk *unit)
{
	return ctx->view->next(ctx, unit);
}

/*
 * Ask the hardware when the unit was accessed last, which costs a register read and is
 * charged.  If that was after it got its place in the order it moves behind all that
 * are known to have been used before.  Units smaller than 64 KB share an answer.
 * Return: true if the unit's last use is news.
 */
static inline bool uvm_eviction_place(struct uvm_eviction_ctx *ctx, struct uvm_chunk *unit)
{
	return ctx->view->place(ctx, unit);
}

/**
 * struct uvm_timing_query - how the memory of a GPU stands, in units of eviction
 * @units: what the driver has, in use or not
 * @free: of these, what can be had without eviction
 * @taken: what the last batch of faults took, rounded up
 */
struct uvm_timing_query {
	unsigned int units;
	unsigned int free;
	unsigned int taken;
};

/**
 * struct uvm_timing_ops - when GPU memory is given up
 * @name: for users
 * @what: one sentence for users
 * @before: asked when a batch begins and memory is full: how many units are to be free
 *	before its faults are fetched; NULL: none.  Checked by uvm_policy_check_timing()
 * @after: likewise, when a batch has ended and was replayed
 * @pipelined: when memory is full a block gets its units one after the other: an
 *	eviction runs beside the copy into the unit that was freed before it
 * @serial: an eviction waits for what is on its way in, and is waited for
 * @free: copies out take no time: REG_CAP_FREE_EVICTION
 */
struct uvm_timing_ops {
	const char *name;
	const char *what;
	unsigned int (*before)(const struct uvm_timing_query *query);
	unsigned int (*after)(const struct uvm_timing_query *query);
	bool pipelined;
	bool serial;
	bool free;
};

/**
 * struct uvm_concurrency_answer - how much a GPU runs at once
 * @extra: blocks per SM beyond what its resources hold (REG_OVERSUB_LIMIT)
 * @sms: SMs that issue (REG_SM_LIMIT)
 */
struct uvm_concurrency_answer {
	u32 extra;
	u32 sms;
};

/**
 * struct uvm_concurrency_query - what happened in a window of time
 * @now: in force
 * @extra_max: what the device can do
 * @sm_count: SMs that the device has
 * @window: number of the window, from 0
 * @evicted: units evicted in it
 * @lifetime_ns: average time for which these had been in use; 0 with none
 * @evicted_before: units evicted in all windows before it
 * @lifetime_before_ns: the same of the last window before it with evictions, or 0
 * @arrived: pages that came to the GPU for faults
 * @returned: of these, pages that had been evicted before
 */
struct uvm_concurrency_query {
	struct uvm_concurrency_answer now;
	u32 extra_max;
	u32 sm_count;
	u64 window;
	u64 evicted;
	u64 lifetime_ns;
	u64 evicted_before;
	u64 lifetime_before_ns;
	u64 arrived;
	u64 returned;
};

/**
 * struct uvm_concurrency_ops - how much a GPU runs at once
 * @name: for users
 * @what: one sentence for users
 * @start: of a first VA space; only @now, @extra_max and @sm_count of the query count.
 *	NULL: what the resources of the SMs hold
 * @window: at the first batch after each window, UVM_CONCURRENCY_WINDOW_CYCLES long, and
 *	while SMs are off at its end; may be NULL.  Both checked by
 *	uvm_policy_check_concurrency()
 */
struct uvm_concurrency_ops {
	const char *name;
	const char *what;
	struct uvm_concurrency_answer (*start)(const struct uvm_concurrency_query *query);
	struct uvm_concurrency_answer (*window)(const struct uvm_concurrency_query *query);
};

/**
 * struct uvm_replay_ops - when waiting accesses are retried
 * @name: for users
 * @what: one sentence for users
 * @replay_after_block: replay after each serviced block
 * @fresh_only: but not after one whose pages had all been there already
 * @replay_after_batch: replay after each serviced batch
 * @ring_percent: but only if the fault ring is at least that full; 0...99, 0: always
 * @flush: empty the fault ring before that replay
 * @wait: wait until that replay is done
 *
 * What is left unreplayed when the bottom half has emptied the ring, or reached
 * a limit, is replayed then: with none of these set, that is the only replay.
 */
struct uvm_replay_ops {
	const char *name;
	const char *what;
	bool replay_after_block;
	bool fresh_only;
	bool replay_after_batch;
	u8 ring_percent;
	bool flush;
	bool wait;
};

bool uvm_policy_replays_block(const struct uvm_replay_ops *ops, bool fresh, bool fatal);
bool uvm_policy_replays_batch(const struct uvm_replay_ops *ops, unsigned int records,
			      unsigned int entries);

enum uvm_thrashing_hint {
	UVM_THRASHING_HINT_NONE,
	UVM_THRASHING_HINT_THROTTLE,	/* leave this fault for later */
	UVM_THRASHING_HINT_PIN,		/* keep the page where the answer says */
};

/* Why a page is to be used. */
enum uvm_service_operation {
	UVM_OPERATION_FAULT,
	UVM_OPERATION_ACCESS_COUNTER,	/* a counter of remote accesses ran full */
};

/**
 * struct uvm_residency_query - where shall a page be?
 * @requester: processor that faulted
 * @preferred: preferred location, or UVM_ID_INVALID
 * @resident: where the page is now: the copy closest to the requester, or
 *	UVM_ID_INVALID
 * @pinned: where it is kept because it thrashes, or UVM_ID_INVALID
 * @access: the strongest that is asked for
 * @operation: why
 * @advice: read duplication of the range
 * @duplicated: the page is at several processors now
 * @discarded: nobody wants its bytes: they are not copied when it moves
 * @accessed_by: the requester is one that the range is accessed by
 * @held: somebody holds the page, which is in system memory alone: it cannot move
 * @force_sysmem: to system memory, whatever else is said
 * @only_atomics: it is asked for by nothing but atomics
 * @accessible: bit per processor whose memory the requester can reach
 * @leave_atomics: of these, the ones at which pages stay for atomics
 */
struct uvm_residency_query {
	u8 requester;
	u8 preferred;
	u8 resident;
	u8 pinned;
	enum uvm_access access;
	enum uvm_service_operation operation;
	enum uvm_read_duplication advice;
	bool duplicated;
	bool discarded;
	bool accessed_by;
	bool held;
	bool force_sysmem;
	bool only_atomics;
	u16 accessible;
	u16 leave_atomics;
};

/**
 * struct uvm_residency_ops - where a faulted page goes
 * @name: for users
 * @what: one sentence for users
 * @delays: leaves pages to access counters, which are turned on for it: pages
 *	beyond the link are mapped for reading only, so that a write asks again
 * @select: return a processor id; checked by uvm_policy_check_residency()
 */
struct uvm_residency_ops {
	const char *name;
	const char *what;
	bool delays;
	u8 (*select)(const struct uvm_residency_query *query);
};

/**
 * struct uvm_thrashing_query - a fault on a page that thrashes
 * @requester: processor that faulted
 * @preferred: preferred location, or UVM_ID_INVALID
 * @resident: the copy closest to @requester, or UVM_ID_INVALID
 * @pinned_at: processor whose memory keeps the page, UVM_ID_INVALID for none
 * @free_pass: processor that is not to be throttled now, or UVM_ID_INVALID; it
 *	changes with each throttling period
 * @closest_common: of @common the closest to @requester, or UVM_ID_INVALID
 * @revoked: permissions to the page were taken from somebody
 * @persistent: it was throttled perf_thrashing_pin_threshold times in vain, and
 *	there is a place for it that all reach
 * @processors: bit per processor that fights for the page, @requester too
 * @accessible: bit per processor whose memory @requester can reach
 * @common: the same for all of @processors
 * @fast: of @common, memory that is as good as their own to all of them
 */
struct uvm_thrashing_query {
	u8 requester;
	u8 preferred;
	u8 resident;
	u8 pinned_at;
	u8 free_pass;
	u8 closest_common;
	bool revoked;
	bool persistent;
	u16 processors;
	u16 accessible;
	u16 common;
	u16 fast;
};

/**
 * struct uvm_thrashing_answer - what to do about it
 * @hint: what
 * @where: PIN: processor whose memory shall keep the page
 */
struct uvm_thrashing_answer {
	enum uvm_thrashing_hint hint;
	u8 where;
};

/**
 * struct uvm_thrashing_ops - what to do about pages that go to and fro
 * @name: for users
 * @what: one sentence for users
 * @detect: find such pages at all
 * @decide: checked by uvm_policy_check_thrashing()
 */
struct uvm_thrashing_ops {
	const char *name;
	const char *what;
	bool detect;
	struct uvm_thrashing_answer (*decide)(const struct uvm_thrashing_query *query);
};

/* The policies themselves; each in its file. */
extern const struct uvm_prefetch_ops uvm_prefetch_none;
extern const struct uvm_prefetch_ops uvm_prefetch_tree;
extern const struct uvm_prefetch_ops uvm_prefetch_adaptive;
extern const struct uvm_prefetch_ops uvm_prefetch_fitting;
extern const struct uvm_eviction_ops uvm_eviction_lru;
extern const struct uvm_eviction_ops uvm_eviction_accessed;
extern const struct uvm_eviction_ops uvm_eviction_random;
extern const struct uvm_timing_ops uvm_timing_reactive;
extern const struct uvm_timing_ops uvm_timing_serial;
extern const struct uvm_timing_ops uvm_timing_unobtrusive;
extern const struct uvm_timing_ops uvm_timing_eager;
extern const struct uvm_timing_ops uvm_timing_proactive;
extern const struct uvm_timing_ops uvm_timing_ideal;
extern const struct uvm_concurrency_ops uvm_concurrency_none;
extern const struct uvm_concurrency_ops uvm_concurrency_oversubscribe;
extern const struct uvm_concurrency_ops uvm_concurrency_throttle;
extern const struct uvm_replay_ops uvm_replay_block;
extern const struct uvm_replay_ops uvm_replay_batch;
extern const struct uvm_replay_ops uvm_replay_batch_flush;
extern const struct uvm_replay_ops uvm_replay_once;
extern const struct uvm_replay_ops uvm_replay_block_flush;
extern const struct uvm_residency_ops uvm_residency_first_touch;
extern const struct uvm_residency_ops uvm_residency_remote;
extern const struct uvm_residency_ops uvm_residency_delayed;
extern const struct uvm_thrashing_ops uvm_thrashing_none;
extern const struct uvm_thrashing_ops uvm_thrashing_throttle_pin;

/* By exact name; NULL if there is none. */
const struct uvm_prefetch_ops *uvm_policy_find_prefetch(const char *name);
const struct uvm_eviction_ops *uvm_policy_find_eviction(const char *name);
const struct uvm_replay_ops *uvm_policy_find_replay(const char *name);
const struct uvm_residency_ops *uvm_policy_find_residency(const char *name);
const struct uvm_thrashing_ops *uvm_policy_find_thrashing(const char *name);
const struct uvm_timing_ops *uvm_policy_find_timing(const char *name);
const struct uvm_concurrency_ops *uvm_policy_find_concurrency(const char *name);

/* Name number @i, from 0; NULL past the last. */
const char *uvm_policy_prefetch_name(unsigned int i);
const char *uvm_policy_eviction_name(unsigned int i);
const char *uvm_policy_replay_name(unsigned int i);
const char *uvm_policy_residency_name(unsigned int i);
const char *uvm_policy_thrashing_name(unsigned int i);
const char *uvm_policy_timing_name(unsigned int i);
const char *uvm_policy_concurrency_name(unsigned int i);

bool uvm_policy_may_duplicate(const struct uvm_residency_query *query);
u8 uvm_policy_check_residency(const struct uvm_residency_query *query, u8 answer);
struct uvm_thrashing_answer uvm_policy_check_thrashing(const struct uvm_thrashing_query *query,
						       struct uvm_thrashing_answer answer);

unsigned int uvm_policy_check_timing(const struct uvm_timing_query *query, unsigned int answer);
struct uvm_concurrency_answer
uvm_policy_check_concurrency(const struct uvm_concurrency_query *query,
			     struct uvm_concurrency_answer answer);

#endif
