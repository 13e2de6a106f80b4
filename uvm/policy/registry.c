// SPDX-License-Identifier: GPL-2.0
/*
 * The lists of policies and of their parameters, which Kbuild makes of all lines
 * UVM_POLICY(kind, name, ...) and UVM_POLICY_PARAM(name, ...): UVM_POLICIES, UVM_POLICY_PARAMS.
 */
#include <kunit/visibility.h>
#include <linux/export.h>
#include <linux/kernel.h>
#include <linux/string.h>
#include "policy/policy.h"

#define POLICY(kind, name) extern const struct uvm_##kind##_ops uvm_##kind##_##name;
UVM_POLICIES
#undef POLICY

static const struct uvm_policy *const policies[] = {
#define POLICY(kind, name) &uvm_##kind##_##name.policy,
	UVM_POLICIES
#undef POLICY
};

#define PARAM(name) UVM_POLICY_PARAM_OF(name);
UVM_POLICY_PARAMS
#undef PARAM

static struct uvm_policy_param *const policy_params[] = {
#define PARAM(name) &uvm_param_##name,
	UVM_POLICY_PARAMS
#undef PARAM
};

unsigned int uvm_policy_param_count(void)
{
	return ARRAY_SIZE(policy_params);
}

struct uvm_policy_param *uvm_policy_param_nth(unsigned int i)
{
	return policy_params[i];
}

static const struct {
	const char *name;
	const char *initial;
} policy_kinds[UVM_POLICY_COUNT] = {
#define P(kind, param, what, initial) { #kind, initial },
	UVM_POLICY_KINDS(P)
#undef P
};

/* Ops are found by their policy, and the other way round. */
#define P(kind, ...) static_assert(!offsetof(struct uvm_##kind##_ops, policy));
UVM_POLICY_KINDS(P)
#undef P

const char *uvm_policy_kind_name(enum uvm_policy_kind kind)
{
	return policy_kinds[kind].name;
}
EXPORT_SYMBOL_IF_KUNIT(uvm_policy_kind_name);

const struct uvm_policy *uvm_policy_find(enum uvm_policy_kind kind, const char *name)
{
	for (unsigned int i = 0; i < ARRAY_SIZE(policies); i++) {
		if (policies[i]->kind == kind && !strcmp(policies[i]->name, name))
			return policies[i];
	}
	return NULL;
}
EXPORT_SYMBOL_IF_KUNIT(uvm_policy_find);

const struct uvm_policy *uvm_policy_default(enum uvm_policy_kind kind)
{
	return uvm_policy_find(kind, policy_kinds[kind].initial);
}
EXPORT_SYMBOL_IF_KUNIT(uvm_policy_default);

/* How many of a kind come before one, by their names. */
static unsigned int policy_rank(const struct uvm_policy *policy)
{
	unsigned int rank = 0;

	for (unsigned int i = 0; i < ARRAY_SIZE(policies); i++)
		rank += policies[i]->kind == policy->kind &&
			strcmp(policies[i]->name, policy->name) < 0;
	return rank;
}

const struct uvm_policy *uvm_policy_nth(enum uvm_policy_kind kind, unsigned int i)
{
	for (unsigned int n = 0; n < ARRAY_SIZE(policies); n++) {
		if (policies[n]->kind == kind && policy_rank(policies[n]) == i)
			return policies[n];
	}
	return NULL;
}
EXPORT_SYMBOL_IF_KUNIT(uvm_policy_nth);

bool uvm_policy_looks_at(const struct uvm_policy *policy, const char *param)
{
	size_t length = strlen(param), word;
	const char *at;

	for (at = policy->params; at && *at; at += word + strspn(at + word, " ")) {
		word = strcspn(at, " ");
		if (word == length && !strncmp(at, param, length))
			return true;
	}
	return false;
}
EXPORT_SYMBOL_IF_KUNIT(uvm_policy_looks_at);
