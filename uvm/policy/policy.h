/* SPDX-License-Identifier: GPL-2.0 */
/* All kinds of policies, and finding one by its name. */
#ifndef UVM_POLICY_H
#define UVM_POLICY_H

#include <linux/container_of.h>
#include "policy/bundle.h"
#include "policy/concurrency.h"
#include "policy/eviction.h"
#include "policy/prefetch.h"
#include "policy/registry.h"
#include "policy/replay.h"
#include "policy/residency.h"
#include "policy/thrashing.h"
#include "policy/timing.h"

/* uvm_policy_find_KIND(): by exact name; NULL if there is none. */
#define P(kind, ...)							\
static inline const struct uvm_##kind##_ops *uvm_policy_find_##kind(const char *name) \
{									\
	const struct uvm_policy *policy = uvm_policy_find(UVM_POLICY_##kind, name); \
									\
	return policy ? container_of(policy, struct uvm_##kind##_ops, policy) : NULL; \
}
UVM_POLICY_KINDS(P)
#undef P

#endif
