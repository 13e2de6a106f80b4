// SPDX-License-Identifier: GPL-2.0
/* leukocyte: circles in a picture, and the largest of neighbours. */
#include <errno.h>
#include <math.h>
#include <stdlib.h>

#include "../kernels/leukocyte.c"
#include "../uvm/run/workload.h"

#define LEUKOCYTE_ARRAYS	4
#define LEUKOCYTE_SIDE_MAX	65535
#define LEUKOCYTE_CELL		40	/* pixels from a cell to the next one */

struct leukocyte {
	float *x, *y;
	float *score, *dilated;
	int64_t side;
};

static int leukocyte_setup(struct wl_run *run)
{
	struct leukocyte *l = run->data;
	uint64_t bytes;

	l->side = (int64_t)sqrt((double)wl_number(run, "size") / LEUKOCYTE_ARRAYS / sizeof(float));
	if (l->side <= 2 * LEUKOCYTE_MARGIN || l->side > LEUKOCYTE_SIDE_MAX)
		return wl_fail(run, EINVAL, "the size must be 4624 bytes ... 63G");

	bytes = (uint64_t)(l->side * l->side) * sizeof(float);
	l->x = wl_alloc(run, bytes, "x");
	l->y = wl_alloc(run, bytes, "y");
	l->score = wl_alloc(run, bytes, "score");
	l->dilated = wl_alloc(run, bytes, "dilated");
	if (!l->x || !l->y || !l->score || !l->dilated)
		return -ENOMEM;
	wl_input(run, l->x);
	wl_input(run, l->y);
	wl_output(run, l->score);
	wl_output(run, l->dilated);
	return 0;
}

/* Rings of growing brightness, each around a cell, and noise. */
static void leukocyte_gradient(const struct wl_run *run, int64_t side, int64_t i, float *x,
			       float *y)
{
	int64_t column = i % side % LEUKOCYTE_CELL - LEUKOCYTE_CELL / 2;
	int64_t row = i / side % LEUKOCYTE_CELL - LEUKOCYTE_CELL / 2;
	int64_t square = column * column + row * row;

	*x = 0.5f * wl_small_float(run->seed + (uint64_t)i);
	*y = 0.5f * wl_small_float(~run->seed - (uint64_t)i);
	if (square >= 16 && square < 100) {
		*x += 0.125f * (float)column;
		*y += 0.125f * (float)row;
	}
}

static int leukocyte_init(struct wl_run *run)
{
	struct leukocyte *l = run->data;
	int64_t i;

	for (i = 0; i < l->side * l->side; i++)
		leukocyte_gradient(run, l->side, i, &l->x[i], &l->y[i]);
	return 0;
}

static int leukocyte_execute(struct wl_run *run)
{
	struct leukocyte *l = run->data;
	struct leukocyte_args args = {
		.x = l->x, .y = l->y, .score = l->score, .dilated = l->dilated, .side = l->side,
	};
	struct uvm_dim3 grid = {
		(uint32_t)((l->side + LEUKOCYTE_THREADS - 1) / LEUKOCYTE_THREADS),
		(uint32_t)l->side, 1,
	};
	int err;

	err = wl_launch(run, "leukocyte_circles", grid, UVM_DIM(LEUKOCYTE_THREADS), 0, &args,
			sizeof(args));
	return err ? err : wl_launch(run, "leukocyte_dilate", grid, UVM_DIM(LEUKOCYTE_THREADS), 0,
				     &args, sizeof(args));
}

static int leukocyte_compare(struct wl_run *run, const char *what, int64_t i, float got, float want)
{
	struct leukocyte *l = run->data;

	if (got == want)
		return 0;
	return wl_wrong(run, "%s of row %lld, column %lld is %.9g, not %.9g", what,
			(long long)(i / l->side), (long long)(i % l->side), got, want);
}

/* With the gradient as it was; scores go to @args->score. */
static int leukocyte_check(struct wl_run *run, const struct leukocyte_args *args)
{
	struct leukocyte *l = run->data;
	int64_t side = l->side, row, column, i;
	int wrong = 0;

	for (row = LEUKOCYTE_MARGIN; row < side - LEUKOCYTE_MARGIN; row++) {
		for (column = LEUKOCYTE_MARGIN; column < side - LEUKOCYTE_MARGIN; column++) {
			i = row * side + column;
			args->score[i] = leukocyte_pixel(args->x + i, args->y + i, side);
		}
	}
	for (i = 0; i < side * side && !wrong; i++) {
		wrong = leukocyte_compare(run, "score", i, l->score[i], args->score[i]);
		if (!wrong)
			wrong = leukocyte_compare(run, "largest score", i, l->dilated[i],
						  leukocyte_largest(args, i % side, i / side));
	}
	return wrong;
}

static int leukocyte_verify(struct wl_run *run)
{
	struct leukocyte *l = run->data;
	uint64_t pixels = (uint64_t)(l->side * l->side);
	float *memory = calloc(3 * pixels, sizeof(float));
	float *x = memory, *y = memory + pixels;
	struct leukocyte_args args = {
		.x = x, .y = y, .score = memory + 2 * pixels, .side = l->side,
	};
	uint64_t i;
	int wrong;

	if (!memory)
		return wl_fail(run, ENOMEM, "out of memory");
	for (i = 0; i < pixels; i++)
		leukocyte_gradient(run, l->side, (int64_t)i, &x[i], &y[i]);
	wrong = leukocyte_check(run, &args);
	free(memory);
	return wrong;
}

static const struct wl_option leukocyte_options[] = {
	{ "size", WL_BYTES, "9M", "footprint of the gradient and both results" },
	{ 0 },
};

static const struct wl_case leukocyte_cases[] = {
	{ "--size 64K", "score", 4 * 64 * 30 + 4 * 30 },
	/* Blocks end within the picture. */
	{ "--size 1200000", "dilated", 4 * 70000 + 3 },
	{ "--size 4624", "dilated", 4 * (7 * 17 + 9) },
	{ 0 },
};

static const struct wl_size leukocyte_sizes[] = {
	{ .small = "--size 3M" },
	{ 0 },
};

UVM_WORKLOAD(leukocyte,
	     .what = "finds cells in a picture: circles around each pixel, then a dilation",
	     .group = "hpe",
	     .image = "leukocyte",
	     .options = leukocyte_options,
	     .cases = leukocyte_cases,
	     .sizes = leukocyte_sizes,
	     .data_bytes = sizeof(struct leukocyte),
	     .setup = leukocyte_setup,
	     .init = leukocyte_init,
	     .execute = leukocyte_execute,
	     .verify = leukocyte_verify,
);
