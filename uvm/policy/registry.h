/* SPDX-License-Identifier: GPL-2.0 */
/* Finding policies. */
#ifndef UVM_POLICY_REGISTRY_H
#define UVM_POLICY_REGISTRY_H

#include "policy/declare.h"
#include "policy/policy_param.h"

/* By exact name; NULL if there is none. */
const struct uvm_policy *uvm_policy_find(enum uvm_policy_kind kind, const char *name);
/* Number @i of a kind, from 0, in the order of their names; NULL past the last. */
const struct uvm_policy *uvm_policy_nth(enum uvm_policy_kind kind, unsigned int i);
const struct uvm_policy *uvm_policy_default(enum uvm_policy_kind kind);
/* Is it among the parameters that the policy names? */
bool uvm_policy_looks_at(const struct uvm_policy *policy, const char *param);
const char *uvm_policy_kind_name(enum uvm_policy_kind kind);

/* How many parameters policies have, all together. */
unsigned int uvm_policy_param_count(void);
/* One of them, in no order that means anything; @i is below that. */
struct uvm_policy_param *uvm_policy_param_nth(unsigned int i);

#endif
