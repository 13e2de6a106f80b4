/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Thrashing: pages that processors take from each other again and again
 * (nvidia-uvm 5.2 to 5.4; "step" below is a step of 5.4).
 *
 * A block's history begins with the first migration or revocation; that of its
 * pages only when a second one comes soon after, from another processor, so
 * blocks that do not thrash cost nothing.  On a fault the history and the
 * thrashing policy (policy.h) say whether to serve it as usual, to leave it for
 * later, or to keep the page in one place for a while.
 *
 * Pure: the block lock is the caller's, as is the lock of the adaptive lapse;
 * time is an argument.  What listeners and counters shall know is reported
 * through a function of the caller's.
 *
 * Its count of pinned pages never falls in the original, so that step 2 never fires
 * again after the first pin in a block; here, on purpose, unpinning counts.
 */
#ifndef UVM_THRASHING_H
#define UVM_THRASHING_H

#include <linux/types.h>
#include "base/page_mask.h"
#include "policy/policy.h"
#include "model/topology.h"
#include "base/types.h"

#define UVM_THRASHING_EVENTS_MAX	7	/* a counter of 3 bits (5.2) */
#define UVM_THRASHING_THROTTLES_MAX	255	/* a counter of 8 bits (5.2) */
#define UVM_THRASHING_STAMP_NS		64	/* granularity of timestamps (5.3) */
#define UVM_THRASHING_UNPIN_SLOP_NS	20000	/* pins that end so soon end now (5.4) */
#define UVM_THRASHING_LAPSE_DEFAULT_NS	500000ULL	/* who sets another fixes it (5.2) */
#define UVM_THRASHING_LAPSE_MIN_NS	5000ULL		/* bounds of a lapse that adapts (5.4) */
#define UVM_THRASHING_LAPSE_MAX_NS	500000000ULL

/**
 * struct uvm_thrashing_params - what users can set, in ns (5.2)
 * @policy: what to do about pages that thrash
 * @threshold: events at small gaps that make a page a thrashing one
 * @pin_threshold: throttled faults that make the policy pin it
 * @lapse_ns: largest gap between events, before it adapts
 * @adaptive: it does adapt, for it is nvidia-uvm's default
 * @vote_threshold: votes that adapt it
 * @nap_ns: how long to throttle
 * @epoch_ns: a block forgets after that long without thrashing
 * @pin_ns: a pin lasts so long; U64_MAX for ever
 * @max_resets: times that a block may forget
 */
struct uvm_thrashing_params {
	const struct uvm_thrashing_ops *policy;
	unsigned int threshold;
	unsigned int pin_threshold;
	u64 lapse_ns;
	bool adaptive;
	unsigned int vote_threshold;
	u64 nap_ns;
	u64 epoch_ns;
	u64 pin_ns;
	unsigned int max_resets;
};

/**
 * struct uvm_thrashing_lapse - a lapse that adapts
 * @ns: its length now; 0 before the first vote: as the parameter says
 * @votes: faults at large gaps less faults at small ones, in 8 bits that wrap
 */
struct uvm_thrashing_lapse {
	u64 ns;
	s8 votes;
};

struct uvm_params;
bool uvm_thrashing_params_read(const struct uvm_params *params, struct uvm_thrashing_params *out);
u64 uvm_thrashing_lapse_get(const struct uvm_thrashing_lapse *lapse,
			    const struct uvm_thrashing_params *params);
void uvm_thrashing_lapse_vote(struct uvm_thrashing_lapse *lapse,
			      const struct uvm_thrashing_params *params, u64 gap);

/**
 * struct uvm_thrashing_page - history of one page
 * @stamp: time of the last event, 0 for none that counts
 * @nap_end: end of the throttling period, 0 since nobody waits any more
 * @pin_end: end of the pin, U64_MAX never; 0 if it is not pinned
 * @processors: bit per processor that events or thrashing faults named
 * @atomics: of these, the ones whose faults were atomics
 * @throttled: bit per processor whose last fault was left for later
 * @events: events at small gaps
 * @throttles: times that processors had to wait since the last pin, each once per nap
 * @free_pass: processor not to throttle in this period
 * @pinned_at: where it is pinned, UVM_ID_INVALID if it is not
 * @migrated: it thrashes by migration
 * @revoked: it thrashes by revocation of permissions
 */
struct uvm_thrashing_page {
	u64 stamp;
	u64 nap_end;
	u64 pin_end;
	u16 processors;
	u16 atomics;
	u16 throttled;
	u8 events;
	u8 throttles;
	u8 free_pass;
	u8 pinned_at;
	bool migrated;
	bool revoked;
};

/**
 * struct uvm_thrashing_block - history of a block
 * @pages: by page number, NULL until two processors met in the block
 * @thrashing: pages that reached the threshold; only they are throttled or pinned
 * @pinned: pages kept in one place
 * @nr_pinned: how many
 * @last_processor: of the last event, UVM_ID_INVALID for none
 * @last_event: its time
 * @last_thrashing: last event of a thrashing page, 0 for none
 * @resets: times that the block has forgotten
 */
struct uvm_thrashing_block {
	struct uvm_thrashing_page *pages;
	struct uvm_page_mask thrashing;
	struct uvm_page_mask pinned;
	unsigned int nr_pinned;
	u8 last_processor;
	u64 last_event;
	u64 last_thrashing;
	unsigned int resets;
};

/* What a block reports; the page and the processor concerned come along. */
enum uvm_thrashing_report {
	UVM_THRASHING_DETECTED,		/* the page is at the threshold */
	UVM_THRASHING_THROTTLE_START,	/* the processor is held back */
	UVM_THRASHING_THROTTLE_END,
	UVM_THRASHING_PINNED,		/* new, or in a new place: the processor is where */
	UVM_THRASHING_UNPINNED,		/* the processor is where */
	UVM_THRASHING_FORGOTTEN,	/* the block; page and processor mean nothing */
};

/**
 * struct uvm_thrashing_ctx - one look at a block
 * @block: the block
 * @params: parameters in force
 * @lapse: the VA space's; changed only by uvm_thrashing_hint()
 * @topology: who reaches whom
 * @now: driver time, ns
 * @origin: since when timestamps are counted, in steps of UVM_THRASHING_STAMP_NS: where in a step
 *	a run begins must not tell in what it does
 * @report: called for each thing that happens; does not sleep
 */
struct uvm_thrashing_ctx {
	struct uvm_thrashing_block *block;
	const struct uvm_thrashing_params *params;
	struct uvm_thrashing_lapse *lapse;
	const struct uvm_topology *topology;
	u64 now;
	u64 origin;
	void (*report)(struct uvm_thrashing_ctx *ctx, enum uvm_thrashing_report what,
		       unsigned int page, unsigned int processor);
};

/* What pages that move mean to the history (5.3, first rules). */
enum uvm_thrashing_effect {
	UVM_THRASHING_IGNORE,
	UVM_THRASHING_RESET,		/* they no longer thrash, those that did */
	UVM_THRASHING_COUNT,
	UVM_THRASHING_COUNT_UNPINNED,	/* unless all of them are pinned */
};

enum uvm_thrashing_effect uvm_thrashing_classify(enum uvm_event_cause cause, bool duplicates);

void uvm_thrashing_init(struct uvm_thrashing_block *block);
void uvm_thrashing_deinit(struct uvm_thrashing_block *block);
void uvm_thrashing_migration(struct uvm_thrashing_ctx *ctx, unsigned int dst,
			     struct uvm_region run, enum uvm_event_cause cause,
			     bool duplicates);
void uvm_thrashing_revocation(struct uvm_thrashing_ctx *ctx, unsigned int processor,
			      struct uvm_region run);
void uvm_thrashing_reset(struct uvm_thrashing_ctx *ctx, const struct uvm_page_mask *pages);
void uvm_thrashing_forget(struct uvm_thrashing_ctx *ctx, const struct uvm_page_mask *pages);

/**
 * struct uvm_thrashing_fault - a fault, for a hint
 * @page: its page
 * @requester: who faults
 * @preferred: preferred location, or UVM_ID_INVALID
 * @resident: copy that is closest to @requester, or UVM_ID_INVALID
 * @residents: bit per processor that has a copy
 * @atomic: the access is an atomic
 */
struct uvm_thrashing_fault {
	unsigned int page;
	u8 requester;
	u8 preferred;
	u8 resident;
	u16 residents;
	bool atomic;
};

/**
 * struct uvm_thrashing_hint_result - what to do about a fault
 * @hint: what
 * @where: PIN: the processor whose memory keeps the page
 * @until: THROTTLE: driver time of the next try, ns
 */
struct uvm_thrashing_hint_result {
	enum uvm_thrashing_hint hint;
	u8 where;
	u64 until;
};

struct uvm_thrashing_hint_result uvm_thrashing_hint(struct uvm_thrashing_ctx *ctx,
						    const struct uvm_thrashing_fault *fault);
bool uvm_thrashing_expired(const struct uvm_thrashing_block *block, u64 now,
			   struct uvm_page_mask *out);
u64 uvm_thrashing_next_unpin(const struct uvm_thrashing_block *block);
u16 uvm_thrashing_processors(const struct uvm_thrashing_block *block, unsigned int page);

#endif
