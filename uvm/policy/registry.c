// SPDX-License-Identifier: GPL-2.0
/*
 * The lists of policies, and checks of their answers.
 */
#include <kunit/visibility.h>
#include <linux/bits.h>
#include <linux/export.h>
#include <linux/kernel.h>
#include <linux/string.h>
#include "policy/policy.h"

static const struct uvm_prefetch_ops *const policy_prefetch[] = {
	&uvm_prefetch_tree,
	&uvm_prefetch_none,
	&uvm_prefetch_adaptive,
	&uvm_prefetch_fitting,
};

static const struct uvm_eviction_ops *const policy_eviction[] = {
	&uvm_eviction_lru,
	&uvm_eviction_random,
	&uvm_eviction_accessed,
};

static const struct uvm_replay_ops *const policy_replay[] = {
	&uvm_replay_block,
	&uvm_replay_batch,
	&uvm_replay_batch_flush,
	&uvm_replay_once,
	&uvm_replay_block_flush,
};

static const struct uvm_residency_ops *const policy_residency[] = {
	&uvm_residency_first_touch,
	&uvm_residency_remote,
	&uvm_residency_delayed,
};

static const struct uvm_thrashing_ops *const policy_thrashing[] = {
	&uvm_thrashing_throttle_pin,
	&uvm_thrashing_none,
};

static const struct uvm_timing_ops *const policy_timing[] = {
	&uvm_timing_reactive,
	&uvm_timing_serial,
	&uvm_timing_unobtrusive,
	&uvm_timing_proactive,
	&uvm_timing_ideal,
	&uvm_timing_eager,
};

static const struct uvm_concurrency_ops *const policy_concurrency[] = {
	&uvm_concurrency_none,
	&uvm_concurrency_oversubscribe,
	&uvm_concurrency_throttle,
};

const struct uvm_prefetch_ops *uvm_policy_find_prefetch(const char *name)
{
	for (unsigned int i = 0; i < ARRAY_SIZE(policy_prefetch); i++) {
		if (!strcmp(policy_prefetch[i]->name, name))
			return policy_prefetch[i];
	}
	return NULL;
}
EXPORT_SYMBOL_IF_KUNIT(uvm_policy_find_prefetch);

const char *uvm_policy_prefetch_name(unsigned int i)
{
	return i < ARRAY_SIZE(policy_prefetch) ? policy_prefetch[i]->name : NULL;
}
EXPORT_SYMBOL_IF_KUNIT(uvm_policy_prefetch_name);

const struct uvm_eviction_ops *uvm_policy_find_eviction(const char *name)
{
	for (unsigned int i = 0; i < ARRAY_SIZE(policy_eviction); i++) {
		if (!strcmp(policy_eviction[i]->name, name))
			return policy_eviction[i];
	}
	return NULL;
}
EXPORT_SYMBOL_IF_KUNIT(uvm_policy_find_eviction);

const char *uvm_policy_eviction_name(unsigned int i)
{
	return i < ARRAY_SIZE(policy_eviction) ? policy_eviction[i]->name : NULL;
}
EXPORT_SYMBOL_IF_KUNIT(uvm_policy_eviction_name);

const struct uvm_replay_ops *uvm_policy_find_replay(const char *name)
{
	for (unsigned int i = 0; i < ARRAY_SIZE(policy_replay); i++) {
		if (!strcmp(policy_replay[i]->name, name))
			return policy_replay[i];
	}
	return NULL;
}
EXPORT_SYMBOL_IF_KUNIT(uvm_policy_find_replay);

const char *uvm_policy_replay_name(unsigned int i)
{
	return i < ARRAY_SIZE(policy_replay) ? policy_replay[i]->name : NULL;
}
EXPORT_SYMBOL_IF_KUNIT(uvm_policy_replay_name);

const struct uvm_residency_ops *uvm_policy_find_residency(const char *name)
{
	for (unsigned int i = 0; i < ARRAY_SIZE(policy_residency); i++) {
		if (!strcmp(policy_residency[i]->name, name))
			return policy_residency[i];
	}
	return NULL;
}
EXPORT_SYMBOL_IF_KUNIT(uvm_policy_find_residency);

const char *uvm_policy_residency_name(unsigned int i)
{
	return i < ARRAY_SIZE(policy_residency) ? policy_residency[i]->name : NULL;
}
EXPORT_SYMBOL_IF_KUNIT(uvm_policy_residency_name);

const struct uvm_thrashing_ops *uvm_policy_find_thrashing(const char *name)
{
	for (unsigned int i = 0; i < ARRAY_SIZE(policy_thrashing); i++) {
		if (!strcmp(policy_thrashing[i]->name, name))
			return policy_thrashing[i];
	}
	return NULL;
}
EXPORT_SYMBOL_IF_KUNIT(uvm_policy_find_thrashing);

const char *uvm_policy_thrashing_name(unsigned int i)
{
	return i < ARRAY_SIZE(policy_thrashing) ? policy_thrashing[i]->name : NULL;
}
EXPORT_SYMBOL_IF_KUNIT(uvm_policy_thrashing_name);

const struct uvm_timing_ops *uvm_policy_find_timing(const char *name)
{
	for (unsigned int i = 0; i < ARRAY_SIZE(policy_timing); i++) {
		if (!strcmp(policy_timing[i]->name, name))
			return policy_timing[i];
	}
	return NULL;
}
EXPORT_SYMBOL_IF_KUNIT(uvm_policy_find_timing);

const char *uvm_policy_timing_name(unsigned int i)
{
	return i < ARRAY_SIZE(policy_timing) ? policy_timing[i]->name : NULL;
}
EXPORT_SYMBOL_IF_KUNIT(uvm_policy_timing_name);

const struct uvm_concurrency_ops *uvm_policy_find_concurrency(const char *name)
{
	for (unsigned int i = 0; i < ARRAY_SIZE(policy_concurrency); i++) {
		if (!strcmp(policy_concurrency[i]->name, name))
			return policy_concurrency[i];
	}
	return NULL;
}
EXPORT_SYMBOL_IF_KUNIT(uvm_policy_find_concurrency);

const char *uvm_policy_concurrency_name(unsigned int i)
{
	return i < ARRAY_SIZE(policy_concurrency) ? policy_concurrency[i]->name : NULL;
}
EXPORT_SYMBOL_IF_KUNIT(uvm_policy_concurrency_name);

/**
 * uvm_policy_may_duplicate - may the requester have a copy of its own to read?
 * @query: what is asked
 *
 * The range says so, or does not say no and the page has copies already; a
 * page that thrashes stays one (nvidia-uvm 3.1, step 2).  Whoever writes
 * becomes the only owner.  A discarded page is not copied, so that copies of it
 * would not be the same; what is forced to system memory is there alone (step 1).
 *
 * Return: true if so; then the page goes to the requester, whatever it wants.
 */
bool uvm_policy_may_duplicate(const struct uvm_residency_query *query)
{
	if (query->discarded || query->force_sysmem)
		return false;
	if (query->advice == UVM_READ_DUPLICATION_ENABLED)
		return true;
	return query->advice != UVM_READ_DUPLICATION_DISABLED && query->duplicated &&
	       query->pinned == UVM_ID_INVALID;
}
EXPORT_SYMBOL_IF_KUNIT(uvm_policy_may_duplicate);

/**
 * uvm_policy_check_residency - make sure that a page goes where it can be used
 * @query: what was asked
 * @answer: what the policy said
 *
 * Return: @answer if the requester can reach the memory of that processor,
 * else the requester, which always can; the CPU if everything is to go there
 * (nvidia-uvm 3.1, step 1).
 */
u8 uvm_policy_check_residency(const struct uvm_residency_query *query, u8 answer)
{
	if (query->force_sysmem)
		answer = UVM_ID_CPU;
	if (!uvm_id_is_valid(answer) || !(query->accessible & BIT(answer)))
		return query->requester;
	return answer;
}
EXPORT_SYMBOL_IF_KUNIT(uvm_policy_check_residency);

/**
 * uvm_policy_check_thrashing - make sure that an answer can be followed
 * @query: what was asked
 * @answer: what the policy said
 *
 * Return: @answer; no hint instead of nonsense; a pin where the requester
 * cannot reach the page becomes one at the requester.
 */
struct uvm_thrashing_answer uvm_policy_check_thrashing(const struct uvm_thrashing_query *query,
						       struct uvm_thrashing_answer answer)
{
	switch (answer.hint) {
	case UVM_THRASHING_HINT_PIN:
		if (!uvm_id_is_valid(answer.where) || !(query->accessible & BIT(answer.where)))
			answer.where = query->requester;
		return answer;
	case UVM_THRASHING_HINT_THROTTLE:
		break;
	default:
		answer.hint = UVM_THRASHING_HINT_NONE;
	}
	answer.where = UVM_ID_INVALID;
	return answer;
}
EXPORT_SYMBOL_IF_KUNIT(uvm_policy_check_thrashing);

/**
 * uvm_policy_check_timing - check how many units a timing policy wants free
 * @query: what it was asked
 * @answer: its answer
 *
 * Return: the answer, at most half of the units: the rest is for those who run.
 */
unsigned int uvm_policy_check_timing(const struct uvm_timing_query *query, unsigned int answer)
{
	return min(answer, query->units / 2);
}
EXPORT_SYMBOL_IF_KUNIT(uvm_policy_check_timing);

/**
 * uvm_policy_check_concurrency - check what a concurrency policy wants
 * @query: what it was asked
 * @answer: its answer
 *
 * Return: the answer, within what the device can do; at least one SM runs.
 */
struct uvm_concurrency_answer
uvm_policy_check_concurrency(const struct uvm_concurrency_query *query,
			     struct uvm_concurrency_answer answer)
{
	answer.extra = min(answer.extra, query->extra_max);
	answer.sms = clamp(answer.sms, 1u, max(query->sm_count, 1u));
	return answer;
}
EXPORT_SYMBOL_IF_KUNIT(uvm_policy_check_concurrency);
