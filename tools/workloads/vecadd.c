// SPDX-License-Identifier: GPL-2.0
/* vecadd: c = a + b with a chosen distance between elements. */
#include <errno.h>

#include "../kernels/vecadd.c"
#include "../uvm/run/workload.h"

struct vecadd {
	char *a, *b, *c;
	uint64_t elements;
	uint64_t stride;
};

static int vecadd_setup(struct wl_run *run)
{
	struct vecadd *v = run->data;
	uint64_t bytes;

	v->stride = wl_number(run, "stride");
	v->elements = wl_number(run, "elements");
	if (v->stride < sizeof(float) || v->stride % sizeof(float) || v->stride > UVM_BLOCK_SIZE)
		return wl_fail(run, EINVAL, "the stride must be a multiple of 4, at most 2M");
	if (!v->elements)
		v->elements = wl_number(run, "size") / 3 / v->stride;
	if (!v->elements || v->elements > 1ULL << 31)
		return wl_fail(run, EINVAL, "the number of elements must be 1 ... 2^31");
	if (!wl_number(run, "block") || wl_number(run, "block") > 1024)
		return wl_fail(run, EINVAL, "a block has 1 ... 1024 threads");

	bytes = (v->elements - 1) * v->stride + sizeof(float);
	v->a = wl_alloc(run, bytes, "a");
	v->b = wl_alloc(run, bytes, "b");
	v->c = wl_alloc(run, bytes, "c");
	if (!v->a || !v->b || !v->c)
		return -ENOMEM;
	wl_input(run, v->a);
	wl_input(run, v->b);
	wl_output(run, v->c);
	return 0;
}

static int vecadd_init(struct wl_run *run)
{
	struct vecadd *v = run->data;
	uint64_t i;

	for (i = 0; i < v->elements; i++) {
		*(float *)(v->a + i * v->stride) = wl_small_float(run->seed + 2 * i);
		*(float *)(v->b + i * v->stride) = wl_small_float(run->seed + 2 * i + 1);
	}
	return 0;
}

static int vecadd_execute(struct wl_run *run)
{
	struct vecadd *v = run->data;
	struct vecadd_args args = {
		.a = v->a, .b = v->b, .c = v->c, .elements = v->elements, .stride = v->stride,
	};
	uint32_t block = (uint32_t)wl_number(run, "block");

	return wl_launch(run, "vecadd", UVM_DIM((uint32_t)((v->elements + block - 1) / block)),
			 UVM_DIM(block), 0, &args, sizeof(args));
}

static int vecadd_verify(struct wl_run *run)
{
	struct vecadd *v = run->data;
	uint64_t i;

	for (i = 0; i < v->elements; i++) {
		float want = wl_small_float(run->seed + 2 * i) +
			     wl_small_float(run->seed + 2 * i + 1);
		float got = *(float *)(v->c + i * v->stride);

		if (got != want)
			return wl_wrong(run, "c[%llu] is %.9g, not %.9g", (unsigned long long)i,
					got, want);
	}
	return 0;
}

static const struct wl_option vecadd_options[] = {
	{ "size", WL_BYTES, "24M", "footprint, if --elements is 0" },
	{ "elements", WL_COUNT, "0", "elements of each vector" },
	{ "stride", WL_BYTES, "4", "bytes from one element to the next" },
	{ "block", WL_COUNT, "256", "threads per block" },
	{ 0 },
};

static const struct wl_case vecadd_cases[] = {
	{ "--size 96K", "c", 4 * 8191 + 1 },
	/* The shape of issue C: one warp, each lane a page of a, b and c. */
	{ "--elements 32 --stride 4K --block 32", "c", 31 << 12 },
	{ "--elements 33 --stride 8 --block 1", "c", 32 * 8 },
	{ 0 },
};

static const struct wl_size vecadd_sizes[] = {
	{ "--elements 1500 --stride 4K", "--elements 512 --stride 4K" },
	{ 0 },
};

UVM_WORKLOAD(vecadd,
	     .what = "c[i] = a[i] + b[i], elements a stride apart",
	     .image = "vecadd",
	     .options = vecadd_options,
	     .cases = vecadd_cases,
	     .sizes = vecadd_sizes,
	     .data_bytes = sizeof(struct vecadd),
	     .setup = vecadd_setup,
	     .init = vecadd_init,
	     .execute = vecadd_execute,
	     .verify = vecadd_verify,
);
