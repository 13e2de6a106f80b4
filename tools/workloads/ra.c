// SPDX-License-Identifier: GPL-2.0
/* ra: random access. */
#include <errno.h>
#include <stdlib.h>

#include "../kernels/ra.c"
#include "../uvm/run/workload.h"

#define RA_COUNT_MAX	(1ULL << 30)
#define RA_UNTOUCHED	(-2.0f)	/* no product is */

/**
 * struct ra - state of a run
 * @args: managed memory
 * @output: what is to be in it
 */
struct ra {
	struct ra_args args;
	float *output;
};

static int ra_setup(struct wl_run *run)
{
	struct ra *r = run->data;
	struct ra_args *a = &r->args;

	a->count = wl_number(run, "size") / 3 / sizeof(float);
	if (!a->count || a->count > RA_COUNT_MAX)
		return wl_fail(run, EINVAL, "the size must be 12 bytes ... 12G");
	a->input = wl_alloc(run, a->count * sizeof(float), "input");
	a->output = wl_alloc(run, a->count * sizeof(float), "output");
	a->table = wl_alloc(run, a->count * sizeof(float), "table");
	if (!a->input || !a->output || !a->table)
		return -ENOMEM;
	wl_input(run, a->input);
	wl_input(run, a->table);

	r->output = malloc(a->count * sizeof(float));
	return r->output ? 0 : wl_fail(run, ENOMEM, "out of memory");
}

/* In [0, 1). */
static float ra_number(const struct wl_run *run, uint64_t i)
{
	return (float)(wl_mix(run->seed + i) >> 40) / (1 << 24);
}

static float ra_table(const struct wl_run *run, uint64_t i)
{
	return wl_small_float(~run->seed - i);
}

/*
 * A number whose place in the output nobody has yet: of two threads the later one would win, which
 * depends on time.  @draws: numbers drawn so far, behind those of threads without work.
 */
static float ra_draw(const struct wl_run *run, uint64_t *draws)
{
	const struct ra *r = run->data;
	uint64_t count = r->args.count;
	uint32_t index;
	float number;

	do {
		number = ra_number(run, count + (*draws)++);
		index = ra_index(number, count);
	} while (index >= count || r->output[index] != RA_UNTOUCHED);
	return number;
}

static int ra_init(struct wl_run *run)
{
	struct ra *r = run->data;
	const struct ra_args *a = &r->args;
	float *input = (float *)a->input, *table = (float *)a->table, number;
	uint64_t i, draws = 0;
	uint32_t index;

	for (i = 0; i < a->count; i++) {
		table[i] = ra_table(run, i);
		a->output[i] = RA_UNTOUCHED;
		r->output[i] = RA_UNTOUCHED;
	}
	for (i = 0; i < a->count; i++) {
		if (i % RA_EACH) {
			input[i] = ra_number(run, i);
			continue;
		}
		number = ra_draw(run, &draws);
		index = ra_index(number, a->count);
		r->output[index] = ra_table(run, index) * number;
		input[i] = number;
	}
	return 0;
}

static int ra_execute(struct wl_run *run)
{
	const struct ra *r = run->data;
	uint64_t blocks = (r->args.count + RA_BLOCK - 1) / RA_BLOCK;

	return wl_launch(run, "ra", UVM_DIM((uint32_t)blocks), UVM_DIM(RA_BLOCK), 0, &r->args,
			 sizeof(r->args));
}

static int ra_verify(struct wl_run *run)
{
	const struct ra *r = run->data;
	uint64_t i;

	for (i = 0; i < r->args.count; i++)
		if (r->args.output[i] != r->output[i])
			return wl_wrong(run, "output[%llu] is %.9g, not %.9g",
					(unsigned long long)i, r->args.output[i], r->output[i]);
	return 0;
}

static void ra_cleanup(struct wl_run *run)
{
	struct ra *r = run->data;

	free(r->output);
}

static const struct wl_option ra_options[] = {
	{ "size", WL_BYTES, "12M", "footprint of input, output and table" },
	{ 0 },
};

static const struct wl_case ra_cases[] = {
	{ "--size 100K", "output", 4 * 8000 + 3 },
	{ "--size 14412", "output", 4 * 1200 + 3 },
	{ "--size 12", "output", 3 },
	{ 0 },
};

static const struct wl_size ra_sizes[] = {
	{ "--size 6M", "--size 2.5M" },
	{ 0 },
};

UVM_WORKLOAD(ra,
	     .what = "random access: one thread in a hundred reads and writes anywhere",
	     .group = "adaptive",
	     .image = "ra",
	     .options = ra_options,
	     .cases = ra_cases,
	     .sizes = ra_sizes,
	     .data_bytes = sizeof(struct ra),
	     .setup = ra_setup,
	     .init = ra_init,
	     .execute = ra_execute,
	     .verify = ra_verify,
	     .cleanup = ra_cleanup,
);
