// SPDX-License-Identifier: GPL-2.0
/* hybridsort: floats are sorted by buckets, and these by merging. */
#include <errno.h>
#include <stdlib.h>

#include "../kernels/hybridsort.c"
#include "../uvm/run/workload.h"

#define HYBRIDSORT_BUCKETS_MAX	4096

/* A multiple of 2^-24 in [0, 1): times the buckets it is less than these, when rounded, too. */
static float hybridsort_value(const struct wl_run *run, uint64_t i)
{
	return (float)(wl_mix(run->seed + i) >> 40) / (float)(1 << 24);
}

static int hybridsort_setup(struct wl_run *run)
{
	uint64_t size = wl_number(run, "size"), bytes;
	struct hybridsort_args *h = run->data;

	h->buckets = wl_number(run, "buckets");
	if (!h->buckets || h->buckets > HYBRIDSORT_BUCKETS_MAX)
		return wl_fail(run, EINVAL, "buckets must be 1 ... %d", HYBRIDSORT_BUCKETS_MAX);
	/* In 4096ths: two arrays and an index, and each part's counters. */
	bytes = 3 * sizeof(float) * HYBRIDSORT_PART + sizeof(uint32_t) * h->buckets;
	h->elements = size >> 40 ? 0 : size * HYBRIDSORT_PART / bytes;
	if (!h->elements || h->elements > 1ULL << 31)
		return wl_fail(run, EINVAL, "the size must be 16 ... 24G: an element has 12 bytes");
	h->parts = (h->elements + HYBRIDSORT_PART - 1) / HYBRIDSORT_PART;

	h->input = wl_alloc(run, h->elements * sizeof(float), "input");
	h->bucketed = wl_alloc(run, h->elements * sizeof(float), "bucketed");
	h->index = wl_alloc(run, h->elements * sizeof(uint32_t), "index");
	h->count = wl_alloc(run, h->parts * h->buckets * sizeof(uint32_t), "count");
	h->total = wl_alloc(run, h->buckets * sizeof(uint32_t), "total");
	h->begin = wl_alloc(run, (h->buckets + 1) * sizeof(uint32_t), "begin");
	if (!h->input || !h->bucketed || !h->index || !h->count || !h->total || !h->begin)
		return -ENOMEM;
	wl_input(run, h->input);
	wl_output(run, h->bucketed);
	wl_output(run, h->index);
	wl_output(run, h->count);
	wl_output(run, h->total);
	wl_output(run, h->begin);
	return 0;
}

static int hybridsort_init(struct wl_run *run)
{
	struct hybridsort_args *h = run->data;
	uint64_t i;

	for (i = 0; i < h->elements; i++)
		h->input[i] = hybridsort_value(run, i);
	return 0;
}

/* The CPU adds up where buckets begin, as in the original. */
static int hybridsort_begin(struct wl_run *run)
{
	struct hybridsort_args *h = run->data;
	uint64_t i, sum = 0;
	int err;

	err = wl_to_cpu(run, h->total, h->buckets * sizeof(*h->total));
	if (err)
		return err;
	for (i = 0; i < h->buckets; i++) {
		h->begin[i] = (uint32_t)sum;
		sum += h->total[i];
	}
	h->begin[i] = (uint32_t)sum;
	if (sum != h->elements)
		return wl_wrong(run, "%llu elements were counted, not %llu",
				(unsigned long long)sum, (unsigned long long)h->elements);
	return wl_to_gpu(run, h->begin, (h->buckets + 1) * sizeof(*h->begin));
}

static int hybridsort_launch(struct wl_run *run, const char *entry, uint64_t blocks,
			     uint32_t threads)
{
	const struct hybridsort_args *h = run->data;

	return wl_launch(run, entry, UVM_DIM((uint32_t)blocks), UVM_DIM(threads),
			 threads == HYBRIDSORT_WARP ? h->buckets * sizeof(uint32_t) : 0, h,
			 sizeof(*h));
}

static int hybridsort_execute(struct wl_run *run)
{
	const struct hybridsort_args *h = run->data;
	uint64_t blocks = (h->buckets + HYBRIDSORT_PREFIX_BLOCK - 1) / HYBRIDSORT_PREFIX_BLOCK;
	int err;

	err = hybridsort_launch(run, "hybridsort_count", h->parts, HYBRIDSORT_WARP);
	if (!err)
		err = hybridsort_launch(run, "hybridsort_prefix", blocks, HYBRIDSORT_PREFIX_BLOCK);
	if (!err)
		err = hybridsort_begin(run);
	if (!err)
		err = hybridsort_launch(run, "hybridsort_scatter", h->parts, HYBRIDSORT_WARP);
	if (!err)
		err = hybridsort_launch(run, "hybridsort_merge", h->buckets,
					HYBRIDSORT_MERGE_BLOCK);
	return err;
}

static int hybridsort_compare(const void *a, const void *b)
{
	float x = *(const float *)a, y = *(const float *)b;

	return (x > y) - (x < y);
}

static int hybridsort_verify(struct wl_run *run)
{
	const struct hybridsort_args *h = run->data;
	float *want = malloc(h->elements * sizeof(*want));
	int wrong = 0;
	uint64_t i;

	if (!want)
		return wl_fail(run, ENOMEM, "out of memory");
	for (i = 0; i < h->elements; i++)
		want[i] = hybridsort_value(run, i);
	qsort(want, h->elements, sizeof(*want), hybridsort_compare);
	for (i = 0; i < h->elements && !wrong; i++)
		if (h->bucketed[i] != want[i])
			wrong = wl_wrong(run, "element %llu is %.9g, not %.9g",
					 (unsigned long long)i, h->bucketed[i], want[i]);
	free(want);
	return wrong;
}

static const struct wl_option hybridsort_options[] = {
	{ "size", WL_BYTES, "12M", "footprint" },
	{ "buckets", WL_COUNT, "1K", "buckets" },
	{ 0 },
};

static const struct wl_case hybridsort_cases[] = {
	/* Passes of all numbers of parity, and buckets that are empty or of one element. */
	{ "--size 256K --buckets 64", "bucketed", 4 * 10000 },
	{ "--size 300K --buckets 15", "bucketed", 4 * 20 },
	{ "--size 16K --buckets 1K", "bucketed", 4 * 300 },
	{ "--size 16 --buckets 1", "bucketed", 0 },
	{ 0 },
};

static const struct wl_size hybridsort_sizes[] = {
	{ "--size 4200K --buckets 350", "--size 2M --buckets 170" },
	{ 0 },
};

UVM_WORKLOAD(hybridsort,
	     .what = "floats sorted by buckets, and these by merging",
	     .group = "hpe",
	     .image = "hybridsort",
	     .options = hybridsort_options,
	     .cases = hybridsort_cases,
	     .sizes = hybridsort_sizes,
	     .data_bytes = sizeof(struct hybridsort_args),
	     .setup = hybridsort_setup,
	     .init = hybridsort_init,
	     .execute = hybridsort_execute,
	     .verify = hybridsort_verify,
);
