// SPDX-License-Identifier: GPL-2.0
/* mvt: a matrix times a vector by rows, then its transpose times another by columns. */
#include <errno.h>
#include <stdlib.h>

#include "../kernels/mvt.c"
#include "../uvm/run/workload.h"

/* Which numbers of the seed an array has. */
enum mvt_array { MVT_A, MVT_X1, MVT_X2, MVT_Y1, MVT_Y2 };

static float mvt_value(const struct wl_run *run, enum mvt_array array, uint64_t i)
{
	return wl_small_float(run->seed + ((uint64_t)array << 40) + i);
}

static int mvt_setup(struct wl_run *run)
{
	struct mvt_args *m = run->data;

	m->columns = wl_number(run, "columns");
	if (!m->columns || m->columns > 1 << 20)
		return wl_fail(run, EINVAL, "columns must be 1 ... 1M");
	m->rows = wl_number(run, "size") / sizeof(float) / m->columns;
	if (!m->rows || m->rows > 1 << 24)
		return wl_fail(run, EINVAL, "the size makes %llu rows of %llu, not 1 ... 16M",
			       (unsigned long long)m->rows,
			       (unsigned long long)(m->columns * sizeof(float)));
	if (!wl_number(run, "repeat") || wl_number(run, "repeat") > 1000000)
		return wl_fail(run, EINVAL, "repeat must be 1 ... 1000000");

	m->a = wl_alloc(run, m->rows * m->columns * sizeof(float), "a");
	m->x1 = wl_alloc(run, m->rows * sizeof(float), "x1");
	m->x2 = wl_alloc(run, m->columns * sizeof(float), "x2");
	m->y1 = wl_alloc(run, m->columns * sizeof(float), "y1");
	m->y2 = wl_alloc(run, m->rows * sizeof(float), "y2");
	if (!m->a || !m->x1 || !m->x2 || !m->y1 || !m->y2)
		return -ENOMEM;
	wl_input(run, m->a);
	wl_input(run, m->y1);
	wl_input(run, m->y2);
	return 0;
}

static void mvt_fill(const struct wl_run *run, const float *to, enum mvt_array array, uint64_t n)
{
	uint64_t i;

	for (i = 0; i < n; i++)
		((float *)to)[i] = mvt_value(run, array, i);
}

static int mvt_init(struct wl_run *run)
{
	struct mvt_args *m = run->data;

	mvt_fill(run, m->a, MVT_A, m->rows * m->columns);
	mvt_fill(run, m->x1, MVT_X1, m->rows);
	mvt_fill(run, m->x2, MVT_X2, m->columns);
	mvt_fill(run, m->y1, MVT_Y1, m->columns);
	mvt_fill(run, m->y2, MVT_Y2, m->rows);
	return 0;
}

static int mvt_launch(struct wl_run *run, const char *entry, uint64_t threads)
{
	return wl_launch(run, entry, UVM_DIM((uint32_t)((threads + MVT_BLOCK - 1) / MVT_BLOCK)),
			 UVM_DIM(MVT_BLOCK), 0, run->data, sizeof(struct mvt_args));
}

static int mvt_execute(struct wl_run *run)
{
	struct mvt_args *m = run->data;
	uint64_t i;
	int err = 0;

	for (i = 0; i < wl_number(run, "repeat") && !err; i++) {
		err = mvt_launch(run, "mvt_rows", m->rows);
		if (!err)
			err = mvt_launch(run, "mvt_columns", m->columns);
	}
	return err;
}

/* Each row of A once, for both products; sums are in the order of the kernels. */
static void mvt_want(const struct wl_run *run, float *x1, float *x2)
{
	const struct mvt_args *m = run->data;
	uint64_t row, column;

	for (row = 0; row < m->rows; row++) {
		float y2 = mvt_value(run, MVT_Y2, row), sum = x1[row];

		for (column = 0; column < m->columns; column++) {
			float a = mvt_value(run, MVT_A, row * m->columns + column);

			sum = mvt_add(sum, a, mvt_value(run, MVT_Y1, column));
			x2[column] = mvt_add(x2[column], a, y2);
		}
		x1[row] = sum;
	}
}

static int mvt_compare(struct wl_run *run, const char *name, const float *got, const float *want,
		       uint64_t n)
{
	uint64_t i;

	for (i = 0; i < n; i++)
		if (got[i] != want[i])
			return wl_wrong(run, "%s[%llu] is %.9g, not %.9g", name,
					(unsigned long long)i, got[i], want[i]);
	return 0;
}

static int mvt_verify(struct wl_run *run)
{
	struct mvt_args *m = run->data;
	float *x1 = malloc(m->rows * sizeof(float));
	float *x2 = malloc(m->columns * sizeof(float));
	uint64_t i;
	int wrong;

	if (!x1 || !x2) {
		wrong = wl_fail(run, ENOMEM, "out of memory");
		goto out;
	}
	mvt_fill(run, x1, MVT_X1, m->rows);
	mvt_fill(run, x2, MVT_X2, m->columns);
	for (i = 0; i < wl_number(run, "repeat"); i++)
		mvt_want(run, x1, x2);
	wrong = mvt_compare(run, "x1", m->x1, x1, m->rows);
	if (!wrong)
		wrong = mvt_compare(run, "x2", m->x2, x2, m->columns);
out:
	free(x1);
	free(x2);
	return wrong;
}

static const struct wl_option mvt_options[] = {
	{ "size", WL_BYTES, "16M", "footprint of the matrix" },
	{ "columns", WL_COUNT, "4K", "columns: rows are so many floats apart" },
	{ "repeat", WL_COUNT, "1", "times both products" },
	{ 0 },
};

static const struct wl_case mvt_cases[] = {
	{ "--size 256K --columns 250", "x1", 4 * 200 },
	{ "--size 256K --columns 300 --repeat 2", "x2", 4 * 299 },
	{ "--size 4 --columns 1", "x2", 0 },
	{ 0 },
};

static const struct wl_size mvt_sizes[] = {
	{ "--size 6M", "--size 2M" },
	{ 0 },
};

UVM_WORKLOAD(mvt,
	     .what = "a matrix times a vector by rows, its transpose by columns",
	     .group = "hpe",
	     .image = "mvt",
	     .options = mvt_options,
	     .cases = mvt_cases,
	     .sizes = mvt_sizes,
	     .data_bytes = sizeof(struct mvt_args),
	     .setup = mvt_setup,
	     .init = mvt_init,
	     .execute = mvt_execute,
	     .verify = mvt_verify,
);
