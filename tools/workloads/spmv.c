// SPDX-License-Identifier: GPL-2.0
/*
 * spmv: a sparse matrix times a vector, several times.
 *
 * Half of a row's elements are near the diagonal, as in finite elements, the others anywhere.
 * Two may have the same column: both count.
 */
#include <errno.h>
#include <stdlib.h>

#include "../kernels/spmv.c"
#include "../uvm/run/workload.h"

#define SPMV_NEAR	512	/* columns on each side of the diagonal */
#define SPMV_MEAN_MAX	1024	/* elements of a row */

/**
 * struct spmv - state of a run
 * @args: managed memory and sizes
 * @mean: elements of a row
 * @elements: of all rows, with padding
 * @order: private: rows, the longest first
 * @begin: private: of each diagonal, and the end of the last
 */
struct spmv {
	struct spmv_args args;
	uint64_t mean;
	uint64_t elements;
	uint32_t *order;
	uint32_t begin[2 * SPMV_MEAN_MAX];
};

static uint64_t spmv_length(const struct wl_run *run, uint64_t row)
{
	const struct spmv *s = run->data;

	return 1 + wl_mix(~run->seed - row) % (2 * s->mean - 1);
}

/* Element @k of a row. */
static float spmv_element(const struct wl_run *run, uint64_t row, uint64_t k, uint32_t *column)
{
	const struct spmv *s = run->data;
	uint64_t rows = s->args.rows, number = row * 2 * SPMV_MEAN_MAX + k;
	uint64_t mixed = wl_mix(run->seed + number);

	if (k % 2)
		*column = (uint32_t)(mixed % rows);
	else
		*column = (uint32_t)((row + mixed % (2 * SPMV_NEAR) + rows * SPMV_NEAR -
				      SPMV_NEAR) % rows);
	return wl_small_float(mixed);
}

static float spmv_x(const struct wl_run *run, uint64_t i)
{
	return wl_small_float(wl_mix(run->seed) + i);
}

static uint64_t spmv_warps(const struct spmv *s)
{
	return (s->args.rows + SPMV_WARP - 1) / SPMV_WARP;
}

/* Rows by length; those of one length keep their order. */
static void spmv_sort(const struct wl_run *run)
{
	struct spmv *s = run->data;
	uint64_t row, place[2 * SPMV_MEAN_MAX] = { 0 }, length, at = 0, rows;

	for (row = 0; row < s->args.rows; row++)
		place[spmv_length(run, row)]++;
	for (length = 2 * s->mean - 1; length; length--) {
		rows = place[length];
		place[length] = at;
		at += rows;
	}
	for (row = 0; row < s->args.rows; row++)
		s->order[place[spmv_length(run, row)]++] = (uint32_t)row;
}

/* Where each diagonal begins: it has all warps whose first row is long enough. */
static void spmv_diagonals(const struct wl_run *run)
{
	struct spmv *s = run->data;
	uint64_t k, warps = spmv_warps(s);

	for (k = 0; k < 2 * s->mean - 1; k++) {
		while (warps && spmv_length(run, s->order[(warps - 1) * SPMV_WARP]) <= k)
			warps--;
		s->begin[k] = (uint32_t)s->elements;
		s->elements += warps * SPMV_WARP;
	}
	s->begin[k] = (uint32_t)s->elements;
}

static int spmv_alloc(struct wl_run *run)
{
	struct spmv *s = run->data;
	struct spmv_args *a = &s->args;

	a->data = wl_alloc(run, s->elements * sizeof(float), "data");
	a->index = wl_alloc(run, s->elements * sizeof(uint32_t), "index");
	a->begin = wl_alloc(run, 2 * s->mean * sizeof(uint32_t), "begin");
	a->count = wl_alloc(run, spmv_warps(s) * sizeof(uint32_t), "count");
	a->order = wl_alloc(run, a->rows * sizeof(uint32_t), "order");
	a->x = wl_alloc(run, a->rows * sizeof(float), "x");
	a->y = wl_alloc(run, a->rows * sizeof(float), "y");
	if (!a->data || !a->index || !a->begin || !a->count || !a->order || !a->x || !a->y)
		return -ENOMEM;
	wl_input(run, a->data);
	wl_input(run, a->index);
	wl_input(run, a->begin);
	wl_input(run, a->count);
	wl_input(run, a->order);
	wl_input(run, a->x);
	wl_output(run, a->y);
	return 0;
}

static int spmv_setup(struct wl_run *run)
{
	struct spmv *s = run->data;
	uint64_t bytes;

	s->mean = wl_number(run, "nonzeros");
	if (!s->mean || s->mean > SPMV_MEAN_MAX)
		return wl_fail(run, EINVAL, "nonzeros must be 1 ... %d", SPMV_MEAN_MAX);
	if (!wl_number(run, "iterations") || wl_number(run, "iterations") > 1000000)
		return wl_fail(run, EINVAL, "iterations must be 1 ... 1000000");
	/* With what each row has in order, x and y. */
	bytes = s->mean * (sizeof(float) + sizeof(uint32_t)) + sizeof(uint32_t) + 2 * sizeof(float);
	s->args.rows = wl_number(run, "size") / bytes;
	if (!s->args.rows || s->args.rows > (1ULL << 31) / s->mean)
		return wl_fail(run, EINVAL, "the size makes %llu rows of %llu, not 1 ... %llu",
			       (unsigned long long)s->args.rows, (unsigned long long)bytes,
			       (1ULL << 31) / s->mean);
	s->order = malloc(s->args.rows * sizeof(*s->order));
	if (!s->order)
		return wl_fail(run, ENOMEM, "out of memory");
	spmv_sort(run);
	spmv_diagonals(run);
	return spmv_alloc(run);
}

static int spmv_init(struct wl_run *run)
{
	struct spmv *s = run->data;
	struct spmv_args *a = &s->args;
	uint32_t *begin = (uint32_t *)a->begin, *count = (uint32_t *)a->count;
	float *data = (float *)a->data, *x = (float *)a->x;
	uint32_t *index = (uint32_t *)a->index, *order = (uint32_t *)a->order;
	uint64_t k, i;

	for (k = 0; k < 2 * s->mean - 1; k++) {
		begin[k] = s->begin[k];
		for (i = 0; i < s->begin[k + 1] - s->begin[k]; i++) {
			uint64_t at = s->begin[k] + i;

			index[at] = 0;
			data[at] = 0.0f;
			if (i < a->rows && k < spmv_length(run, s->order[i]))
				data[at] = spmv_element(run, s->order[i], k, &index[at]);
		}
	}
	for (i = 0; i < spmv_warps(s); i++)
		count[i] = (uint32_t)spmv_length(run, s->order[i * SPMV_WARP]);
	for (i = 0; i < a->rows; i++) {
		order[i] = s->order[i];
		x[i] = spmv_x(run, i);
	}
	return 0;
}

static int spmv_execute(struct wl_run *run)
{
	struct spmv *s = run->data;
	uint64_t blocks = (s->args.rows + SPMV_BLOCK - 1) / SPMV_BLOCK, i;
	int err = 0;

	for (i = 0; i < wl_number(run, "iterations") && !err; i++)
		err = wl_launch(run, "spmv", UVM_DIM((uint32_t)blocks), UVM_DIM(SPMV_BLOCK), 0,
				&s->args, sizeof(s->args));
	return err;
}

/* Row by row.  The padding of the kernel's sums adds zeros, which change no number. */
static int spmv_verify(struct wl_run *run)
{
	const struct spmv *s = run->data;
	uint64_t row, k;

	for (row = 0; row < s->args.rows; row++) {
		uint64_t length = spmv_length(run, row);
		float want = 0.0f;

		for (k = 0; k < length; k++) {
			uint32_t column;
			float element = spmv_element(run, row, k, &column);

			want = spmv_add(want, element, spmv_x(run, column));
		}
		if (s->args.y[row] != want)
			return wl_wrong(run, "y[%llu] is %.9g, not %.9g", (unsigned long long)row,
					s->args.y[row], want);
	}
	return 0;
}

static void spmv_cleanup(struct wl_run *run)
{
	free(((struct spmv *)run->data)->order);
}

static const struct wl_option spmv_options[] = {
	{ "size", WL_BYTES, "9M", "footprint" },
	{ "nonzeros", WL_COUNT, "16", "of a row, on average: 1 ... 2 N - 1" },
	{ "iterations", WL_COUNT, "4", "times the same product" },
	{ 0 },
};

static const struct wl_case spmv_cases[] = {
	{ "--size 128K", "y", 4 * 500 },
	{ "--size 64K --nonzeros 3 --iterations 1", "y", 4 * 1000 },
	{ "--size 20 --nonzeros 1", "y", 0 },
	{ 0 },
};

static const struct wl_size spmv_sizes[] = {
	{ "--size 5M --iterations 1", "--size 2M --iterations 2" },
	{ 0 },
};

UVM_WORKLOAD(spmv,
	     .what = "a sparse matrix in jagged diagonals times a vector",
	     .group = "hpe",
	     .image = "spmv",
	     .options = spmv_options,
	     .cases = spmv_cases,
	     .sizes = spmv_sizes,
	     .data_bytes = sizeof(struct spmv),
	     .setup = spmv_setup,
	     .init = spmv_init,
	     .execute = spmv_execute,
	     .verify = spmv_verify,
	     .cleanup = spmv_cleanup,
);
