// SPDX-License-Identifier: GPL-2.0
/* atax: a matrix times a vector, then its transpose times the product. */
#include <errno.h>
#include <math.h>
#include <stdlib.h>

#include "../kernels/atax.c"
#include "../uvm/run/workload.h"

#define ATAX_SIDE_MAX	65536

static float atax_a(const struct wl_run *run, uint64_t i)
{
	return wl_small_float(run->seed + i);
}

static float atax_x(const struct wl_run *run, uint64_t i)
{
	return wl_small_float(run->seed + (1ULL << 40) + i);
}

/* A matrix and three vectors. */
static uint64_t atax_bytes(uint64_t side)
{
	return side * (side + 3) * sizeof(float);
}

static int atax_setup(struct wl_run *run)
{
	struct atax_args *a = run->data;
	uint64_t size = wl_number(run, "size");

	a->side = (uint64_t)sqrt((double)size / sizeof(float));
	while (a->side && atax_bytes(a->side) > size)
		a->side--;
	if (!a->side || a->side > ATAX_SIDE_MAX)
		return wl_fail(run, EINVAL, "the size must be 16 bytes ... 16G");

	a->a = wl_alloc(run, a->side * a->side * sizeof(float), "a");
	a->x = wl_alloc(run, a->side * sizeof(float), "x");
	a->product = wl_alloc(run, a->side * sizeof(float), "product");
	a->y = wl_alloc(run, a->side * sizeof(float), "y");
	if (!a->a || !a->x || !a->product || !a->y)
		return -ENOMEM;
	wl_input(run, a->a);
	wl_input(run, a->x);
	return 0;
}

static int atax_init(struct wl_run *run)
{
	struct atax_args *args = run->data;
	float *a = (float *)args->a, *x = (float *)args->x;
	uint64_t i;

	for (i = 0; i < args->side * args->side; i++)
		a[i] = atax_a(run, i);
	for (i = 0; i < args->side; i++) {
		x[i] = atax_x(run, i);
		args->product[i] = 0;
		args->y[i] = 0;
	}
	return 0;
}

static int atax_launch(struct wl_run *run, const char *entry)
{
	const struct atax_args *a = run->data;

	return wl_launch(run, entry, UVM_DIM((uint32_t)((a->side + ATAX_BLOCK - 1) / ATAX_BLOCK)),
			 UVM_DIM(ATAX_BLOCK), 0, a, sizeof(*a));
}

static int atax_execute(struct wl_run *run)
{
	int err = atax_launch(run, "atax_rows");

	return err ? err : atax_launch(run, "atax_columns");
}

/* Row by row, which is the order of both kernels. */
static int atax_check(struct wl_run *run, float *y)
{
	const struct atax_args *args = run->data;
	uint64_t row, column, side = args->side;

	for (row = 0; row < side; row++) {
		float product = 0;

		for (column = 0; column < side; column++)
			product = atax_add(product, atax_a(run, row * side + column),
					   atax_x(run, column));
		if (args->product[row] != product)
			return wl_wrong(run, "product[%llu] is %.9g, not %.9g",
					(unsigned long long)row, args->product[row], product);
		for (column = 0; column < side; column++)
			y[column] = atax_add(y[column], atax_a(run, row * side + column), product);
	}
	for (column = 0; column < side; column++)
		if (args->y[column] != y[column])
			return wl_wrong(run, "y[%llu] is %.9g, not %.9g",
					(unsigned long long)column, args->y[column], y[column]);
	return 0;
}

static int atax_verify(struct wl_run *run)
{
	const struct atax_args *args = run->data;
	float *y = calloc(args->side, sizeof(float));
	int wrong;

	if (!y)
		return wl_fail(run, ENOMEM, "out of memory");
	wrong = atax_check(run, y);
	free(y);
	return wrong;
}

static const struct wl_option atax_options[] = {
	{ "size", WL_BYTES, "5640K", "footprint of the square matrix and three vectors" },
	{ 0 },
};

static const struct wl_case atax_cases[] = {
	{ "--size 256K", "product", 4 * 250 },
	{ "--size 100K", "y", 4 * 30 },
	{ "--size 16", "y", 0 },
	{ 0 },
};

static const struct wl_size atax_sizes[] = {
	{ "--size 6M", "--size 3M" },
	{ 0 },
};

UVM_WORKLOAD(atax,
	     .what = "a matrix times a vector by rows, and back by columns",
	     .group = "adaptive",
	     .image = "atax",
	     .options = atax_options,
	     .cases = atax_cases,
	     .sizes = atax_sizes,
	     .data_bytes = sizeof(struct atax_args),
	     .setup = atax_setup,
	     .init = atax_init,
	     .execute = atax_execute,
	     .verify = atax_verify,
);
