/* SPDX-License-Identifier: GPL-2.0 */
/* Thrashing: what to do about pages that go to and fro. */
#ifndef UVM_THRASHING_POLICY_H
#define UVM_THRASHING_POLICY_H

#include <linux/types.h>
#include "base/types.h"
#include "policy/declare.h"

enum uvm_thrashing_hint {
	UVM_THRASHING_HINT_NONE,
	UVM_THRASHING_HINT_THROTTLE,	/* leave this fault for later */
	UVM_THRASHING_HINT_PIN,		/* keep the page where the answer says */
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
 * @policy: its name, for all kinds the same
 * @detect: find such pages at all
 * @decide: checked by uvm_policy_check_thrashing()
 */
struct uvm_thrashing_ops {
	struct uvm_policy policy;
	bool detect;
	struct uvm_thrashing_answer (*decide)(const struct uvm_thrashing_query *query);
};

struct uvm_thrashing_answer uvm_policy_check_thrashing(const struct uvm_thrashing_query *query,
						       struct uvm_thrashing_answer answer);

#endif
