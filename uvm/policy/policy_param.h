/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Parameters of policies: a row stands beside the policy that owns it, UVM_POLICY_PARAM(), and
 * Kbuild finds it by that line.  It is a module parameter, and UVM_IOC_SET_PARAM sets it for one
 * VA space, which pays for it from then on.
 */
#ifndef UVM_POLICY_PARAM_H
#define UVM_POLICY_PARAM_H

#include <kunit/visibility.h>
#include <linux/export.h>
#include <linux/moduleparam.h>
#include <linux/stringify.h>
#include <linux/types.h>
#include "policy/param_row.h"

struct uvm_params;

/**
 * struct uvm_policy_param - a parameter of a policy
 * @row: what it is
 * @value: the module's, which holds for VA spaces that have none of their own; fixed at load
 * @source: enum uvm_param_source, of that value
 */
struct uvm_policy_param {
	struct uvm_param_row row;
	u32 value;
	u8 source;
};

/**
 * struct uvm_param_own - the value that a VA space has of one parameter of a policy
 * @next: another one.  They are freed all at once, so readers need no lock
 * @param: the parameter
 * @value: read and written whole
 * @source: enum uvm_param_source, likewise
 */
struct uvm_param_own {
	struct uvm_param_own *next;
	struct uvm_policy_param *param;
	u32 value;
	u8 source;
};

extern const struct kernel_param_ops uvm_policy_param_ops;

#define __UVM_POLICY_PARAM(name_, initial_, text_, what_, ...)		\
	struct uvm_policy_param uvm_param_##name_ = {			\
		.row.name = #name_,					\
		.row.what = what_,					\
		.row.initial = text_,					\
		.row.run_time = true,					\
		__VA_ARGS__						\
		.value = initial_,					\
	};								\
	EXPORT_SYMBOL_IF_KUNIT(uvm_param_##name_);			\
	module_param_cb(name_, &uvm_policy_param_ops, &uvm_param_##name_, 0444); \
	MODULE_PARM_DESC(name_, what_ " (default " text_ ")")

/**
 * UVM_POLICY_PARAM() - declare a parameter that is a number
 * @name_: as users write it, a word
 * @kind_: BOOL, UINT or POW2
 * @initial_: the default, digits
 * @min_: least value
 * @max_: largest value
 * @what_: one sentence for users
 */
#define UVM_POLICY_PARAM(name_, kind_, initial_, min_, max_, what_)	\
	extern struct uvm_policy_param uvm_param_##name_;		\
	__UVM_POLICY_PARAM(name_, initial_, __stringify(initial_), what_, \
			   .row.kind = UVM_PARAM_KIND_##kind_,		\
			   .row.min = min_, .row.max = max_,)

/**
 * UVM_POLICY_PARAM_WORDS() - declare a parameter that is a list of words; by default of none
 * @name_: as users write it, a word
 * @words_: array of struct uvm_param_word; the last one has no name
 * @what_: one sentence for users
 *
 * Its value has a bit for each word.
 */
#define UVM_POLICY_PARAM_WORDS(name_, words_, what_)			\
	extern struct uvm_policy_param uvm_param_##name_;		\
	__UVM_POLICY_PARAM(name_, 0, "none", what_,			\
			   .row.kind = UVM_PARAM_KIND_WORDS, .row.words = words_,)

/* For files that look at a parameter of another one. */
#define UVM_POLICY_PARAM_OF(name_) extern struct uvm_policy_param uvm_param_##name_

/**
 * uvm_policy_param - the value of a policy's parameter
 * @params: of the VA space
 * @param: the parameter
 *
 * Needs no lock.
 *
 * Return: the VA space's value if it has one, else the module's.
 */
u32 uvm_policy_param(const struct uvm_params *params, const struct uvm_policy_param *param);

/**
 * uvm_param_find_own - does a VA space have a value of its own?
 * @params: of the VA space
 * @param: the parameter
 *
 * Needs no lock.
 *
 * Return: the value, which stays as long as @params; NULL: the module's holds.
 */
struct uvm_param_own *uvm_param_find_own(const struct uvm_params *params,
					 const struct uvm_policy_param *param);

/* The value that @params has of a parameter, by its name. */
#define uvm_param(params, name_) uvm_policy_param(params, &uvm_param_##name_)

#endif
