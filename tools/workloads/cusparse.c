// SPDX-License-Identifier: GPL-2.0
/*
 * cusparse: dense to compressed sparse rows on the GPU, then sparse times dense.
 *
 * All of it can be told in advance: columns and values are those of the dense
 * matrix in order, and sums have the same order of operations on the CPU.
 */
#include <errno.h>
#include <stdlib.h>

#include "../kernels/cusparse.c"
#include "../uvm/run/workload.h"

#define CUSPARSE_COLUMNS_MAX	4096
#define CUSPARSE_MULTIPLY_MAX	128	/* threads of a block of the product */

/**
 * struct cusparse - state of a run
 * @args: managed memory and sizes
 * @nonzeros: of A
 * @density: of a thousand elements of A so many are not zero
 */
struct cusparse {
	struct cusparse_args args;
	uint64_t nonzeros;
	uint64_t density;
};

/* Non-zeros are scattered.  Called for each element: no look at the options here. */
static float cusparse_element(const struct wl_run *run, uint64_t i)
{
	const struct cusparse *s = run->data;
	uint64_t mixed = wl_mix(run->seed + i);

	if (mixed % 1000 >= s->density)
		return 0.0f;
	return (float)(1 + (int)(mixed >> 54)) / 1024.0f;
}

static float cusparse_b(const struct wl_run *run, uint64_t i)
{
	return wl_small_float(~run->seed - i);
}

static int cusparse_check_options(struct wl_run *run, struct cusparse *s)
{
	struct cusparse_args *a = &s->args;
	uint64_t elements = wl_number(run, "size") / sizeof(float);

	a->columns = wl_number(run, "columns");
	if (!a->columns || a->columns > CUSPARSE_COLUMNS_MAX)
		return wl_fail(run, EINVAL, "columns must be 1 ... %d", CUSPARSE_COLUMNS_MAX);
	s->density = wl_number(run, "density");
	if (!s->density || s->density > 1000)
		return wl_fail(run, EINVAL, "the density must be 1 ... 1000");
	if (!elements || elements > 1ULL << 31)
		return wl_fail(run, EINVAL, "the size must be 4 ... 8G");
	while ((a->rows + 1) * (a->rows + 1) <= elements && a->rows < 65535)
		a->rows++;
	a->inner = elements / a->rows;
	return 0;
}

static int cusparse_setup(struct wl_run *run)
{
	struct cusparse *s = run->data;
	struct cusparse_args *a = &s->args;
	uint64_t i;
	int err;

	err = cusparse_check_options(run, s);
	if (err)
		return err;
	/* The real library is asked for this number before the sparse form is made. */
	for (i = 0; i < a->rows * a->inner; i++)
		s->nonzeros += cusparse_element(run, i) != 0.0f;

	a->dense = wl_alloc(run, a->rows * a->inner * sizeof(float), "dense");
	a->count = wl_alloc(run, a->rows * sizeof(uint32_t), "count");
	a->begin = wl_alloc(run, (a->rows + 1) * sizeof(uint32_t), "begin");
	a->column = wl_alloc(run, (s->nonzeros + 1) * sizeof(uint32_t), "column");
	a->value = wl_alloc(run, (s->nonzeros + 1) * sizeof(float), "value");
	a->b = wl_alloc(run, a->inner * a->columns * sizeof(float), "b");
	a->c = wl_alloc(run, a->rows * a->columns * sizeof(float), "c");
	if (!a->dense || !a->count || !a->begin || !a->column || !a->value || !a->b || !a->c)
		return -ENOMEM;
	wl_input(run, a->dense);
	wl_output(run, a->count);
	wl_output(run, a->begin);
	wl_output(run, a->column);
	wl_output(run, a->value);
	wl_input(run, a->b);
	wl_output(run, a->c);
	return 0;
}

static int cusparse_init(struct wl_run *run)
{
	struct cusparse *s = run->data;
	struct cusparse_args *a = &s->args;
	float *dense = (float *)a->dense, *b = (float *)a->b;
	uint64_t i;

	for (i = 0; i < a->rows * a->inner; i++)
		dense[i] = cusparse_element(run, i);
	for (i = 0; i < a->inner * a->columns; i++)
		b[i] = cusparse_b(run, i);
	return 0;
}

/* Threads of a block of the product: whole warps, no more than there are columns. */
static uint32_t cusparse_width(const struct cusparse_args *a)
{
	uint32_t width = 32;

	while (width < CUSPARSE_MULTIPLY_MAX && width < a->columns)
		width *= 2;
	return width;
}

static int cusparse_execute(struct wl_run *run)
{
	struct cusparse *s = run->data;
	struct cusparse_args *a = &s->args;
	uint32_t width = cusparse_width(a);
	struct uvm_dim3 rows = UVM_DIM((uint32_t)a->rows);
	struct uvm_dim3 grid = {
		(uint32_t)((a->columns + width - 1) / width), (uint32_t)a->rows, 1,
	};
	uint32_t shared = CUSPARSE_BLOCK * sizeof(uint32_t);
	int err;

	err = wl_launch(run, "cusparse_count", rows, UVM_DIM(CUSPARSE_BLOCK), shared, a,
			sizeof(*a));
	if (!err)
		err = wl_launch(run, "cusparse_scan", UVM_DIM(1), UVM_DIM(CUSPARSE_BLOCK), shared,
				a, sizeof(*a));
	if (!err)
		err = wl_to_cpu(run, &a->begin[a->rows], sizeof(a->begin[0]));
	/* Wrong sums must not send the next launch astray. */
	if (!err && a->begin[a->rows] != s->nonzeros)
		return wl_wrong(run, "%u elements are not zero, not %llu", a->begin[a->rows],
				(unsigned long long)s->nonzeros);
	if (!err)
		err = wl_launch(run, "cusparse_fill", rows, UVM_DIM(CUSPARSE_BLOCK), shared, a,
				sizeof(*a));
	if (!err)
		err = wl_launch(run, "cusparse_multiply", grid, UVM_DIM(width), 0, a, sizeof(*a));
	return err;
}

/* Row @row, whose non-zeros begin at *@at; @sum has room for a row of C. */
static int cusparse_check_row(struct wl_run *run, const struct cusparse_args *a, uint64_t row,
			      uint64_t *at, float *sum)
{
	uint64_t i, j;

	if (a->begin[row] != *at)
		return wl_wrong(run, "row %llu begins at %u, not %llu", (unsigned long long)row,
				a->begin[row], (unsigned long long)*at);
	for (j = 0; j < a->columns; j++)
		sum[j] = 0.0f;
	for (i = 0; i < a->inner; i++) {
		float v = cusparse_element(run, row * a->inner + i);

		if (a->dense[row * a->inner + i] != v)
			return wl_wrong(run, "row %llu, column %llu of A has changed",
					(unsigned long long)row, (unsigned long long)i);
		if (v == 0.0f)
			continue;
		if (a->column[*at] != i || a->value[*at] != v)
			return wl_wrong(run, "non-zero %llu is column %u, %.9g, not %llu, %.9g",
					(unsigned long long)*at, a->column[*at], a->value[*at],
					(unsigned long long)i, v);
		(*at)++;
		for (j = 0; j < a->columns; j++)
			sum[j] = sum[j] + v * cusparse_b(run, i * a->columns + j);
	}
	for (j = 0; j < a->columns; j++)
		if (a->c[row * a->columns + j] != sum[j])
			return wl_wrong(run, "row %llu, column %llu of C is %.9g, not %.9g",
					(unsigned long long)row, (unsigned long long)j,
					a->c[row * a->columns + j], sum[j]);
	return 0;
}

static int cusparse_verify(struct wl_run *run)
{
	struct cusparse *s = run->data;
	const struct cusparse_args *a = &s->args;
	float sum[CUSPARSE_COLUMNS_MAX];
	uint64_t row, at = 0;
	int wrong = 0;

	for (row = 0; row < a->rows && !wrong; row++)
		wrong = cusparse_check_row(run, a, row, &at, sum);
	if (!wrong && a->begin[a->rows] != at)
		wrong = wl_wrong(run, "the rows end at %u, not %llu", a->begin[a->rows],
				 (unsigned long long)at);
	return wrong;
}

static const struct wl_option cusparse_options[] = {
	{ "size", WL_BYTES, "7M", "of the dense matrix, near to square" },
	{ "density", WL_COUNT, "20", "of a thousand elements so many are not zero" },
	{ "columns", WL_COUNT, "64", "of the dense matrix that is multiplied" },
	{ 0 },
};

static const struct wl_case cusparse_cases[] = {
	/* A row longer than a block takes at once; ends that are no multiples; all full. */
	{ "--size 5M --density 1 --columns 1", "begin", 0 },
	{ "--size 40000 --columns 33", "c", 4 * 3000 + 2 },
	{ "--size 10000 --density 1000 --columns 130", "column", 4 * 777 },
	{ "--size 64K --density 500", "value", 4 * 777 + 1 },
	{ "--size 4 --density 1000", "c", 0 },
	{ 0 },
};

static const struct wl_size cusparse_sizes[] = {
	{ .small = "--size 3M --columns 32" },
	{ 0 },
};

UVM_WORKLOAD(cusparse,
	     .what = "dense matrix to compressed sparse rows, then times a dense matrix",
	     .image = "cusparse",
	     .options = cusparse_options,
	     .cases = cusparse_cases,
	     .sizes = cusparse_sizes,
	     .data_bytes = sizeof(struct cusparse),
	     .setup = cusparse_setup,
	     .init = cusparse_init,
	     .execute = cusparse_execute,
	     .verify = cusparse_verify,
);
