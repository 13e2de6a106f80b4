/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Policies: const tables chosen by name.
 *
 * One policy is one file with one declaration, UVM_POLICY(); Kbuild finds it by that line.
 *
 * Contract of every hook: it is called with locks held that it knows nothing
 * of, must not sleep, allocate or keep pointers, and must depend on nothing
 * but its arguments (never on addresses of objects, time of the host, CPU).
 * The caller checks the answer with the helper named at each table, so that a
 * wrong one costs performance, never data.
 */
#ifndef UVM_POLICY_DECLARE_H
#define UVM_POLICY_DECLARE_H

#include <linux/types.h>
#include <linux/uvm.h>
#include "policy/kinds.h"
#include "policy/range_state.h"

/**
 * struct uvm_policy - what policies of all kinds have; the first member of their ops
 * @name: for users
 * @what: one sentence for users
 * @params: parameters that it looks at, by name, separated by blanks; NULL: none of its own
 * @range_state: what is kept of each managed range while it is in force, or NULL
 * @kind: which ops it is part of
 * @feeds: UVM_FEED_*: what the hardware has to tell while it is in force, and tells nobody
 *	otherwise
 */
struct uvm_policy {
	const char *name;
	const char *what;
	const char *params;
	const struct uvm_range_state *range_state;
	enum uvm_policy_kind kind;
	u32 feeds;
};

/**
 * UVM_POLICY() - declare a policy
 * @kind_: of UVM_POLICY_KINDS
 * @name_: for users, a word
 * @what_: one sentence for users
 *
 * What follows initializes the other members of struct uvm_KIND_ops.
 */
#define UVM_POLICY(kind_, name_, what_, ...)				\
	extern const struct uvm_##kind_##_ops uvm_##kind_##_##name_;	\
	const struct uvm_##kind_##_ops uvm_##kind_##_##name_ = {	\
		.policy.name = #name_,					\
		.policy.what = what_,					\
		.policy.kind = UVM_POLICY_##kind_,			\
		__VA_ARGS__						\
	}

#endif
