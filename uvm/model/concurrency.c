// SPDX-License-Identifier: GPL-2.0
/*
 * How much a GPU runs at once; see concurrency.h.
 */
#include <kunit/visibility.h>
#include <linux/export.h>
#include <linux/math64.h>
#include <linux/string.h>
#include "model/concurrency.h"

/**
 * uvm_concurrency_init - facts about a GPU
 * @c: written
 * @sm_count: SMs
 * @extra_max: blocks per SM beyond its resources that the device can hold, REG_OVERSUB_MAX
 * @cycle_ps: length of an SM cycle, ps
 */
void uvm_concurrency_init(struct uvm_concurrency *c, u32 sm_count, u32 extra_max, u64 cycle_ps)
{
	memset(c, 0, sizeof(*c));
	c->sm_count = sm_count;
	c->extra_max = extra_max;
	c->now.sms = sm_count;
	c->window_ns = div_u64(UVM_CONCURRENCY_WINDOW_CYCLES * cycle_ps, 1000);
}
EXPORT_SYMBOL_IF_KUNIT(uvm_concurrency_init);

static struct uvm_concurrency_query concurrency_query(const struct uvm_concurrency *c)
{
	const struct uvm_memory_traffic *traffic = &c->traffic;

	return (struct uvm_concurrency_query){
		.now = c->now,
		.extra_max = c->extra_max,
		.sm_count = c->sm_count,
		.window = c->window,
		.evicted = traffic->evicted,
		.lifetime_ns = traffic->evicted ?
			       div64_u64(traffic->lifetime_ns, traffic->evicted) : 0,
		.evicted_before = c->evicted_before,
		.lifetime_before_ns = c->lifetime_before_ns,
		.arrived = traffic->arrived,
		.returned = traffic->returned,
	};
}

/**
 * uvm_concurrency_begin - a policy comes into force
 * @c: its past is forgotten
 * @ops: the policy
 * @now: driver time, ns
 */
void uvm_concurrency_begin(struct uvm_concurrency *c, const struct uvm_concurrency_ops *ops,
			   u64 now)
{
	struct uvm_concurrency_query query;

	c->now = (struct uvm_concurrency_answer){ .sms = c->sm_count };
	c->ends = now + c->window_ns;
	c->window = 0;
	c->evicted_before = 0;
	c->lifetime_before_ns = 0;
	memset(&c->traffic, 0, sizeof(c->traffic));
	memset(&c->told, 0, sizeof(c->told));
	if (!ops->start)
		return;
	query = concurrency_query(c);
	c->now = uvm_policy_check_concurrency(&query, ops->start(&query));
}
EXPORT_SYMBOL_IF_KUNIT(uvm_concurrency_begin);

/**
 * uvm_concurrency_note - something happened
 * @c: the window
 * @traffic: what
 */
void uvm_concurrency_note(struct uvm_concurrency *c, const struct uvm_memory_traffic *traffic)
{
	c->traffic.evicted += traffic->evicted;
	c->traffic.lifetime_ns += traffic->lifetime_ns;
	c->traffic.arrived += traffic->arrived;
	c->traffic.returned += traffic->returned;
}
EXPORT_SYMBOL_IF_KUNIT(uvm_concurrency_note);

/**
 * uvm_concurrency_step - has a window ended, and what follows from it?
 * @c: the window; if it has ended, a new one begins now
 * @ops: the policy in force
 * @now: driver time, ns
 *
 * Return: true if @c->now has changed.
 */
bool uvm_concurrency_step(struct uvm_concurrency *c, const struct uvm_concurrency_ops *ops,
			  u64 now)
{
	struct uvm_concurrency_answer before = c->now;
	struct uvm_concurrency_query query;

	if (now < c->ends)
		return false;
	query = concurrency_query(c);
	if (ops->window)
		c->now = uvm_policy_check_concurrency(&query, ops->window(&query));
	if (query.evicted)
		c->lifetime_before_ns = query.lifetime_ns;
	c->evicted_before += query.evicted;
	c->ends = now + c->window_ns;
	c->window++;
	c->told = query;
	memset(&c->traffic, 0, sizeof(c->traffic));
	return c->now.extra != before.extra || c->now.sms != before.sms;
}
EXPORT_SYMBOL_IF_KUNIT(uvm_concurrency_step);
