// SPDX-License-Identifier: GPL-2.0
/*
 * Run reference strings through the driver's evictor and policies (kunit/fixture/reference_string.c).
 *
 * A line of stdin is: policy, units of memory, NAME=VALUE of parameters, ":", pages; the last of
 * these end at the line's end.  A line of stdout is the pages that were evicted, in order, then "|",
 * "faults=N", what the policy tells of itself, and what the recorder has lost.
 */
#include <stdio.h>
#include "reference_string.h"
#include "tools/uvm/run/run_plan.h"
#include "uvm/policy/eviction_plan.h"
#include "uvm/policy/param.h"

#define POLICIES(X) X(lru) X(lru_walk) X(rrip) X(clock_pro) X(min) X(hpe)
#define X(name) extern const struct uvm_eviction_ops uvm_eviction_##name;
POLICIES(X)
#undef X

static const struct uvm_eviction_ops * const policies[] = {
#define X(name) &uvm_eviction_##name,
	POLICIES(X)
#undef X
};

#define PARAMS(X) X(eviction_seed) X(hpe_set_pages) X(hpe_interval) X(hpe_transfer) \
	X(hpe_ratio1_percent) X(hpe_ratio2) X(hpe_wrong) X(hpe_guard) X(hpe_jump) X(hpe_history) \
	X(hpe_strategy) X(hpe_readings) X(recorder_replace) X(recorder_no_fill) X(rrip_bits) \
	X(rrip_distant) X(rrip_delay) X(rrip_frequency) X(clock_pro_cold) X(clock_pro_warm) \
	X(min_delay)
#define X(name) UVM_POLICY_PARAM_OF(name);
PARAMS(X)
#undef X

static struct uvm_policy_param * const params_table[] = {
#define X(name) &uvm_param_##name,
	PARAMS(X)
#undef X
};

/* There is one VA space, so what the module has is what it has. */
u32 uvm_policy_param(const struct uvm_params *params, const struct uvm_policy_param *param)
{
	return param->value;
}

struct uvm_params *uvm_params_dup(const struct uvm_params *params)
{
	return (struct uvm_params *)params;
}

void uvm_params_put(struct uvm_params *copy)
{
}

static void fail(const char *why, const char *what)
{
	fprintf(stderr, "strings: %s: %s\n", why, what);
	exit(2);
}

static void params_defaults(void)
{
	for (size_t i = 0; i < ARRAY_SIZE(params_table); i++)
		uvm_param_parse(&params_table[i]->row, params_table[i]->row.initial,
				&params_table[i]->value);
}

static void params_set(char *word)
{
	char *value = strchr(word, '=');

	if (!value)
		fail("no value", word);
	*value++ = 0;
	for (size_t i = 0; i < ARRAY_SIZE(params_table); i++) {
		if (strcmp(params_table[i]->row.name, word))
			continue;
		if (uvm_param_parse(&params_table[i]->row, value, &params_table[i]->value))
			fail("no such value", value);
		return;
	}
	fail("no such parameter", word);
}

static const struct uvm_eviction_ops *policy_find(const char *name)
{
	for (size_t i = 0; i < ARRAY_SIZE(policies); i++)
		if (!strcmp(policies[i]->policy.name, name))
			return policies[i];
	fail("no such policy", name);
	return NULL;
}

struct job {
	struct reference_machine machine;
	struct uvm_params params;
	struct uvm_eviction_plan plan;
	u64 *pages;
	u32 count;
	u32 room;
};

/* Touches as 'uvm run' has them. */
static void job_string(const struct job *job, struct run_string *string)
{
	u64 *next = calloc(job->machine.nr_pages, sizeof(*next));

	*string = (struct run_string){
		.piece = calloc(job->count, sizeof(*string->piece)),
		.next = calloc(job->count, sizeof(*string->next)),
		.count = job->count, .pieces = job->machine.nr_pages,
	};
	for (u32 page = 0; page < string->pieces; page++)
		next[page] = UINT64_MAX;
	for (u32 i = job->count; i--;) {
		string->piece[i] = job->pages[i];
		string->next[i] = next[job->pages[i]];
		next[job->pages[i]] = i;
	}
	free(next);
}

/* The plan that 'uvm run' would make. */
static void job_plan(struct job *job)
{
	const struct run_rule rule = { .units = job->machine.units };
	u32 nr = job->machine.nr_pages, at = 0;
	struct uvm_eviction_plan_page *pages = calloc(nr, sizeof(*pages));
	struct run_string string;
	struct run_plan plan;
	u32 *ends;

	job_string(job, &string);
	if (run_plan_make(&string, &rule, &plan))
		fail("no memory", "");
	ends = calloc(plan.count, sizeof(*ends));
	for (u32 i = 0; i < plan.count; i++)
		pages[plan.stays[i].piece].count++;
	for (u32 page = 0; page < nr; page++) {
		pages[page].page = page;
		pages[page].first = at;
		at += pages[page].count;
	}
	for (u32 i = 0; i < plan.count; i++) {
		struct uvm_eviction_plan_page *page = &pages[plan.stays[i].piece];

		ends[page->first + page->used++] = plan.stays[i].end;
	}
	job->plan = (struct uvm_eviction_plan){
		.pages = pages, .nr_pages = nr, .va_space = REFERENCE_SPACE, .ends = ends,
	};
	job->machine.plan = &job->plan;
	run_plan_free(&plan);
	free(string.piece);
	free(string.next);
}

static void job_page(struct job *job, const char *word)
{
	u64 page = strtoull(word, NULL, 0);

	if (job->count == job->room) {
		job->room = 2 * job->room + 4096;
		job->pages = realloc(job->pages, job->room * sizeof(*job->pages));
	}
	job->pages[job->count++] = page;
	if (page >= job->machine.nr_pages)
		job->machine.nr_pages = page + 1;
}

static void job_read(struct job *job, char *line)
{
	char *word = strtok(line, " \n"), *units = strtok(NULL, " \n");

	if (!word || !units)
		fail("bad line", line);
	job->count = 0;
	job->machine = (struct reference_machine){
		.ops = policy_find(word), .params = &job->params, .units = strtoul(units, NULL, 0),
	};
	params_defaults();
	while ((word = strtok(NULL, " \n")) && strcmp(word, ":"))
		params_set(word);
	while ((word = strtok(NULL, " \n")))
		job_page(job, word);
	job_plan(job);
}

static void job_tell(const struct reference_string *r)
{
	struct uvm_eviction_ctx *ctx = &r->evictor->ctx;
	const struct uvm_eviction_ops *ops = r->evictor->ops;
	struct uvm_eviction_number number;

	printf("| faults=%llu wrong=%u lost=%llu", r->faults, r->evictor->wrong, r->recorder.lost);
	for (unsigned int i = 0; ops->number && ops->number(ctx, i, &number); i++)
		printf(" %s=%llu", number.name, number.value);
	printf("\n");
	fflush(stdout);
}

static void job_run(const struct job *job)
{
	struct reference_string *r = reference_string_create(&job->machine);

	if (!r)
		fail("no memory", "");
	for (u32 i = 0; i < job->count; i++) {
		u64 page = reference_walk(r, job->pages[i]);

		if (page != REFERENCE_HIT && page != REFERENCE_NONE)
			printf("%llu ", page);
	}
	job_tell(r);
	reference_string_destroy(r);
}

int main(void)
{
	struct job job = {};
	char *line = NULL;
	size_t room = 0;

	while (getline(&line, &room, stdin) > 0) {
		job_read(&job, line);
		job_run(&job);
		free(job.plan.pages);
		free((void *)job.plan.ends);
	}
	free(job.pages);
	free(line);
	return 0;
}
