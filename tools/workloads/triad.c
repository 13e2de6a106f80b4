// SPDX-License-Identifier: GPL-2.0
/* triad: a = b + s * c, streaming. */
#include <errno.h>

#include "../kernels/triad.c"
#include "../uvm/run/workload.h"

#define TRIAD_BLOCK	256
#define TRIAD_S		3.14159274f

struct triad {
	float *a, *b, *c;
	uint64_t elements;
};

static int triad_setup(struct wl_run *run)
{
	struct triad *t = run->data;

	t->elements = wl_number(run, "size") / 3 / sizeof(float);
	if (!t->elements || t->elements > 1ULL << 31)
		return wl_fail(run, EINVAL, "the size must be 12 bytes ... 24G");
	if (!wl_number(run, "repeat") || wl_number(run, "repeat") > 1000000)
		return wl_fail(run, EINVAL, "repeat must be 1 ... 1000000");

	t->a = wl_alloc(run, t->elements * sizeof(float), "a");
	t->b = wl_alloc(run, t->elements * sizeof(float), "b");
	t->c = wl_alloc(run, t->elements * sizeof(float), "c");
	if (!t->a || !t->b || !t->c)
		return -ENOMEM;
	wl_output(run, t->a);
	wl_input(run, t->b);
	wl_input(run, t->c);
	return 0;
}

static int triad_init(struct wl_run *run)
{
	struct triad *t = run->data;
	uint64_t i;

	for (i = 0; i < t->elements; i++) {
		t->b[i] = wl_small_float(run->seed + 2 * i);
		t->c[i] = wl_small_float(run->seed + 2 * i + 1);
	}
	return 0;
}

static int triad_execute(struct wl_run *run)
{
	struct triad *t = run->data;
	struct triad_args args = {
		.a = t->a, .b = t->b, .c = t->c, .elements = t->elements, .s = TRIAD_S,
	};
	uint64_t blocks = (t->elements + TRIAD_BLOCK - 1) / TRIAD_BLOCK;
	uint64_t i;
	int err = 0;

	for (i = 0; i < wl_number(run, "repeat") && !err; i++)
		err = wl_launch(run, "triad", UVM_DIM((uint32_t)blocks), UVM_DIM(TRIAD_BLOCK), 0,
				&args, sizeof(args));
	return err;
}

static int triad_verify(struct wl_run *run)
{
	struct triad *t = run->data;
	uint64_t i;

	for (i = 0; i < t->elements; i++) {
		/* Two roundings, as on the GPU: both sides are built without contraction. */
		float want = wl_small_float(run->seed + 2 * i) +
			     TRIAD_S * wl_small_float(run->seed + 2 * i + 1);

		if (t->a[i] != want)
			return wl_wrong(run, "a[%llu] is %.9g, not %.9g", (unsigned long long)i,
					t->a[i], want);
	}
	return 0;
}

static const struct wl_option triad_options[] = {
	{ "size", WL_BYTES, "24M", "footprint" },
	{ "repeat", WL_COUNT, "1", "launches" },
	{ 0 },
};

static const struct wl_case triad_cases[] = {
	{ "--size 96K", "a", 0 },
	{ "--size 12", "a", 3 },
	{ 0 },
};

static const struct wl_size triad_sizes[] = {
	{ .small = "--size 6M" },
	{ 0 },
};

UVM_WORKLOAD(triad,
	     .what = "a = b + s * c, one thread per element, streaming",
	     .image = "triad",
	     .options = triad_options,
	     .cases = triad_cases,
	     .sizes = triad_sizes,
	     .data_bytes = sizeof(struct triad),
	     .setup = triad_setup,
	     .init = triad_init,
	     .execute = triad_execute,
	     .verify = triad_verify,
);
