/* SPDX-License-Identifier: GPL-2.0 */
/* Finding policies. */
#ifndef UVM_POLICY_REGISTRY_H
#define UVM_POLICY_REGISTRY_H

#include "policy/declare.h"
#include "policy/policy_param.h"

/**
 * uvm_policy_find - a policy by its name
 * @kind: its kind
 * @name: from user space; all of it
 *
 * Return: the policy; NULL if there is none.
 */
const struct uvm_policy *uvm_policy_find(enum uvm_policy_kind kind, const char *name);

/**
 * uvm_policy_nth - all policies of a kind, one after the other
 * @kind: the kind
 * @i: from 0, in the order of their names
 *
 * Return: the policy; NULL past the last.
 */
const struct uvm_policy *uvm_policy_nth(enum uvm_policy_kind kind, unsigned int i);

/**
 * uvm_policy_default - the policy of a kind that is in force unless somebody chooses
 * @kind: the kind
 *
 * Return: the policy; each kind has one (kinds.h).
 */
const struct uvm_policy *uvm_policy_default(enum uvm_policy_kind kind);

/**
 * uvm_policy_looks_at - is a parameter among those that a policy names?
 * @policy: the policy
 * @param: the parameter's name, all of it
 *
 * Return: true if so.
 */
bool uvm_policy_looks_at(const struct uvm_policy *policy, const char *param);

/**
 * uvm_policy_kind_name - what users call a kind
 * @kind: the kind
 *
 * Return: a word.
 */
const char *uvm_policy_kind_name(enum uvm_policy_kind kind);

/**
 * uvm_policy_param_count - how many parameters policies have, all together
 *
 * Return: so many.
 */
unsigned int uvm_policy_param_count(void);

/**
 * uvm_policy_param_nth - one of them
 * @i: below uvm_policy_param_count(); the order is that of their files' names
 *
 * Return: the parameter.
 */
struct uvm_policy_param *uvm_policy_param_nth(unsigned int i);

#endif
