// SPDX-License-Identifier: GPL-2.0
/*
 * gemm: C = alpha A * B + beta C.
 *
 * Elements are small whole numbers and both factors halves, so every sum is exact and does not
 * depend on the order of operations.
 */
#include <errno.h>
#include <stdlib.h>

#include "../kernels/gemm.c"
#include "../uvm/run/workload.h"

#define GEMM_ENTRY_MAX	4	/* elements are -4 ... 4 */
#define GEMM_INNER_MAX	8192	/* and sums below 2^18 */
#define GEMM_WIDTH_MAX	8192
#define GEMM_ALPHA	1.5f
#define GEMM_BETA	0.5f

struct gemm {
	float *a, *b, *c;
	uint64_t rows, inner, width;
};

static int gemm_setup(struct wl_run *run)
{
	struct gemm *g = run->data;
	uint64_t size = wl_number(run, "size"), bytes_b, bytes_row;

	g->inner = wl_number(run, "inner");
	if (!g->inner || g->inner % GEMM_UNROLL || g->inner > GEMM_INNER_MAX)
		return wl_fail(run, EINVAL, "inner must be a multiple of %d, up to %d", GEMM_UNROLL,
			       GEMM_INNER_MAX);
	g->width = wl_number(run, "width");
	if (!g->width || g->width % GEMM_COLUMNS || g->width > GEMM_WIDTH_MAX)
		return wl_fail(run, EINVAL, "width must be a multiple of %d, up to %d",
			       GEMM_COLUMNS, GEMM_WIDTH_MAX);
	bytes_b = g->inner * g->width * sizeof(float);
	bytes_row = (g->inner + g->width) * sizeof(float);
	g->rows = size > bytes_b ? (size - bytes_b) / bytes_row : 0;
	if (!g->rows || g->rows > 1ULL << 30)
		return wl_fail(run, EINVAL, "the size must be %llu bytes, for one row of C, ... %lluG",
			       (unsigned long long)(bytes_b + bytes_row),
			       (unsigned long long)bytes_row);

	g->a = wl_alloc(run, g->rows * g->inner * sizeof(float), "a");
	g->b = wl_alloc(run, bytes_b, "b");
	g->c = wl_alloc(run, g->rows * g->width * sizeof(float), "c");
	if (!g->a || !g->b || !g->c)
		return -ENOMEM;
	wl_input(run, g->a);
	wl_input(run, g->b);
	return 0;
}

static float gemm_entry(uint64_t x)
{
	return (float)((int)(wl_mix(x) % (2 * GEMM_ENTRY_MAX + 1)) - GEMM_ENTRY_MAX);
}

static float gemm_entry_c(const struct wl_run *run, uint64_t i)
{
	return gemm_entry(wl_mix(run->seed) + i);
}

static int gemm_init(struct wl_run *run)
{
	struct gemm *g = run->data;
	uint64_t i;

	for (i = 0; i < g->rows * g->inner; i++)
		g->a[i] = gemm_entry(run->seed + i);
	for (i = 0; i < g->inner * g->width; i++)
		g->b[i] = gemm_entry(~run->seed - i);
	for (i = 0; i < g->rows * g->width; i++)
		g->c[i] = gemm_entry_c(run, i);
	return 0;
}

static int gemm_execute(struct wl_run *run)
{
	struct gemm *g = run->data;
	struct gemm_args args = {
		.a = g->a, .b = g->b, .c = g->c, .rows = g->rows, .inner = g->inner,
		.alpha = GEMM_ALPHA, .beta = GEMM_BETA, .width = g->width,
	};
	uint32_t columns = (uint32_t)(g->width / GEMM_COLUMNS);
	uint32_t rows = (uint32_t)((g->rows + GEMM_ROWS - 1) / GEMM_ROWS);

	if (columns == 1)
		return wl_launch(run, "gemm", UVM_DIM(rows), UVM_DIM(GEMM_THREADS), 0, &args,
				 sizeof(args));
	return wl_launch(run, "gemm_wide", (struct uvm_dim3){ .x = columns, .y = rows },
			 UVM_DIM(GEMM_THREADS), 0, &args, sizeof(args));
}

/* One row of the product, from the seed. */
static void gemm_row(const struct wl_run *run, const struct gemm *g, const float *b, uint64_t row,
		     float *want)
{
	uint64_t j, k;

	for (j = 0; j < g->width; j++)
		want[j] = 0;
	for (k = 0; k < g->inner; k++) {
		float a = gemm_entry(run->seed + row * g->inner + k);

		for (j = 0; j < g->width; j++)
			want[j] += a * b[k * g->width + j];
	}
	for (j = 0; j < g->width; j++)
		want[j] = GEMM_ALPHA * want[j] +
			  GEMM_BETA * gemm_entry_c(run, row * g->width + j);
}

static int gemm_verify(struct wl_run *run)
{
	struct gemm *g = run->data;
	float *b = malloc((g->inner + 1) * g->width * sizeof(float)), *want;
	uint64_t i, j;
	int wrong = 0;

	if (!b)
		return wl_fail(run, ENOMEM, "out of memory");
	want = b + g->inner * g->width;
	for (i = 0; i < g->inner * g->width; i++)
		b[i] = gemm_entry(~run->seed - i);
	for (i = 0; i < g->rows && !wrong; i++) {
		const float *got = g->c + i * g->width;

		gemm_row(run, g, b, i, want);
		for (j = 0; j < g->width && !wrong; j++)
			if (got[j] != want[j])
				wrong = wl_wrong(run, "row %llu, column %llu is %.9g, not %.9g",
						 (unsigned long long)i, (unsigned long long)j,
						 got[j], want[j]);
	}
	free(b);
	return wrong;
}

static const struct wl_option gemm_options[] = {
	{ "size", WL_BYTES, "6M", "footprint of A, B and C" },
	{ "inner", WL_COUNT, "64", "columns of A, rows of B" },
	{ "width", WL_COUNT, "32", "columns of B and C" },
	{ 0 },
};

static const struct wl_case gemm_cases[] = {
	{ "--size 64K", "c", 4 * 1000 },
	{ "--size 100000 --inner 200", "c", 4 * 100 + 3 },
	{ "--size 1184 --inner 8", "c", 4 * 31 + 2 },
	{ "--size 64K --inner 32 --width 96", "c", 4 * 1000 },
	{ 0 },
};

static const struct wl_size gemm_sizes[] = {
	{ .small = "--size 3M --inner 8" },
	{ 0 },
};

UVM_WORKLOAD(gemm,
	     .what = "C = alpha A * B + beta C, not tiled",
	     .group = "hpe",
	     .image = "gemm",
	     .options = gemm_options,
	     .cases = gemm_cases,
	     .sizes = gemm_sizes,
	     .data_bytes = sizeof(struct gemm),
	     .setup = gemm_setup,
	     .init = gemm_init,
	     .execute = gemm_execute,
	     .verify = gemm_verify,
);
