// SPDX-License-Identifier: GPL-2.0
/*
 * sgemm: C = A * B in single precision.
 *
 * The elements of A and B are small whole numbers, so every partial sum is exact
 * and the result does not depend on the order of operations.  It is then checked
 * without an n^3 computation: C * r = A * (B * r) for random vectors r, modulo
 * 2^64, where a wrong C passes with a probability below 2^-50.
 */
#include <errno.h>
#include <stdlib.h>

#include "../kernels/sgemm.c"
#include "../uvm/run/workload.h"

#define SGEMM_ENTRY_MAX		4	/* elements are -4 ... 4 */
#define SGEMM_K_MAX		(1 << 19) /* sums stay below 2^24 */
#define SGEMM_ROUNDS		2

struct sgemm {
	float *a, *b, *c;
	uint64_t m, n, k;
	bool tensor;
};

/*
 * By default a large C comes of a thin product: a square product that fills as
 * much memory would need ten times as many instructions.
 */
static void sgemm_shape(struct wl_run *run, struct sgemm *s)
{
	uint64_t size = wl_number(run, "size");

	s->tensor = wl_flag(run, "tensor");
	s->m = s->tensor ? 1536 : 1024;
	s->n = s->tensor ? 1536 : 1984;
	s->k = s->tensor ? 192 : 16;
	if (size) {
		uint64_t side = SGEMM_TILE;

		while (3 * (side + SGEMM_TILE) * (side + SGEMM_TILE) * sizeof(float) <= size &&
		       side < SGEMM_K_MAX)
			side += SGEMM_TILE;
		s->m = side;
		s->n = side;
		s->k = side;
	}
	if (wl_number(run, "m"))
		s->m = wl_number(run, "m");
	if (wl_number(run, "n"))
		s->n = wl_number(run, "n");
	if (wl_number(run, "k"))
		s->k = wl_number(run, "k");
}

static int sgemm_setup(struct wl_run *run)
{
	struct sgemm *s = run->data;

	sgemm_shape(run, s);
	if (s->m % SGEMM_TILE || s->n % SGEMM_TILE || s->k % SGEMM_STEP)
		return wl_fail(run, EINVAL, "m and n must be multiples of %d, k of %d",
			       SGEMM_TILE, SGEMM_STEP);
	if (s->m > 1 << 21 || s->n > 1 << 21 || s->k > SGEMM_K_MAX)
		return wl_fail(run, EINVAL, "m and n are at most 2M, k 512K");

	s->a = wl_alloc(run, s->m * s->k * sizeof(float), "a");
	s->b = wl_alloc(run, s->k * s->n * sizeof(float), "b");
	s->c = wl_alloc(run, s->m * s->n * sizeof(float), "c");
	if (!s->a || !s->b || !s->c)
		return -ENOMEM;
	wl_input(run, s->a);
	wl_input(run, s->b);
	wl_output(run, s->c);
	return 0;
}

static float sgemm_entry(uint64_t x)
{
	return (float)((int)(wl_mix(x) % (2 * SGEMM_ENTRY_MAX + 1)) - SGEMM_ENTRY_MAX);
}

static int sgemm_init(struct wl_run *run)
{
	struct sgemm *s = run->data;
	uint64_t i;

	for (i = 0; i < s->m * s->k; i++)
		s->a[i] = sgemm_entry(run->seed + i);
	for (i = 0; i < s->k * s->n; i++)
		s->b[i] = sgemm_entry(~run->seed - i);
	return 0;
}

static int sgemm_execute(struct wl_run *run)
{
	struct sgemm *s = run->data;
	struct sgemm_args args = {
		.a = s->a, .b = s->b, .c = s->c, .m = s->m, .n = s->n, .k = s->k,
	};
	struct uvm_dim3 grid = {
		(uint32_t)(s->n / SGEMM_TILE), (uint32_t)(s->m / SGEMM_TILE), 1,
	};

	if (s->tensor)
		return wl_launch(run, "sgemm_tensor", grid, UVM_DIM(SGEMM_TENSOR_THREADS),
				 SGEMM_TENSOR_SHARED, &args, sizeof(args));
	return wl_launch(run, "sgemm", grid, UVM_DIM(SGEMM_THREADS), SGEMM_SHARED_BYTES, &args,
			 sizeof(args));
}

/* y = M * x modulo 2^64. */
static void sgemm_times(const float *matrix, uint64_t rows, uint64_t columns, const uint64_t *x,
			uint64_t *y)
{
	uint64_t i, j;

	for (i = 0; i < rows; i++) {
		uint64_t sum = 0;

		for (j = 0; j < columns; j++)
			sum += (uint64_t)(int64_t)matrix[i * columns + j] * x[j];
		y[i] = sum;
	}
}

/* Memory that lost its inputs would otherwise agree with itself. */
static int sgemm_check_inputs(struct wl_run *run, struct sgemm *s)
{
	uint64_t i;

	for (i = 0; i < s->m * s->k; i++)
		if (s->a[i] != sgemm_entry(run->seed + i))
			return wl_wrong(run, "element %llu of A has changed",
					(unsigned long long)i);
	for (i = 0; i < s->k * s->n; i++)
		if (s->b[i] != sgemm_entry(~run->seed - i))
			return wl_wrong(run, "element %llu of B has changed",
					(unsigned long long)i);
	return 0;
}

static int sgemm_check_whole(struct wl_run *run, struct sgemm *s)
{
	float limit = (float)s->k * SGEMM_ENTRY_MAX * SGEMM_ENTRY_MAX;
	uint64_t i;

	/* Also keeps NaN and fractions away from the conversion to integers. */
	for (i = 0; i < s->m * s->n; i++)
		if (!(s->c[i] >= -limit && s->c[i] <= limit) || s->c[i] != (float)(int)s->c[i])
			return wl_wrong(run, "row %llu, column %llu is %.9g",
					(unsigned long long)(i / s->n),
					(unsigned long long)(i % s->n), s->c[i]);
	return 0;
}

static int sgemm_verify(struct wl_run *run)
{
	struct sgemm *s = run->data;
	uint64_t *r = malloc(s->n * sizeof(*r)), *br = malloc(s->k * sizeof(*br));
	uint64_t *abr = malloc(s->m * sizeof(*abr)), *cr = malloc(s->m * sizeof(*cr));
	uint64_t i, round;
	int wrong;

	if (!r || !br || !abr || !cr) {
		wrong = wl_fail(run, ENOMEM, "out of memory");
		goto out;
	}
	wrong = sgemm_check_inputs(run, s);
	if (!wrong)
		wrong = sgemm_check_whole(run, s);
	for (round = 0; round < SGEMM_ROUNDS && !wrong; round++) {
		for (i = 0; i < s->n; i++)
			r[i] = wl_mix(wl_mix(run->seed + round) + i);
		sgemm_times(s->b, s->k, s->n, r, br);
		sgemm_times(s->a, s->m, s->k, br, abr);
		sgemm_times(s->c, s->m, s->n, r, cr);
		for (i = 0; i < s->m && !wrong; i++)
			if (cr[i] != abr[i])
				wrong = wl_wrong(run, "row %llu of C is wrong",
						 (unsigned long long)i);
	}
out:
	free(r);
	free(br);
	free(abr);
	free(cr);
	return wrong;
}

static const struct wl_option sgemm_options[] = {
	{ "tensor", WL_FLAG, "", "use the matrix unit" },
	{ "size", WL_BYTES, "0", "footprint of a square product; 0: by m, n, k" },
	{ "m", WL_COUNT, "0", "rows of A and C; 0: 1024, with --tensor 1536" },
	{ "n", WL_COUNT, "0", "columns of B and C; 0: 1984, with --tensor 1536" },
	{ "k", WL_COUNT, "0", "columns of A, rows of B; 0: 16, with --tensor 192" },
	{ 0 },
};

static const struct wl_case sgemm_cases[] = {
	{ "--m 64 --n 128 --k 48", "c", 4 * 100 + 3 },
	{ "--size 100K", "c", 4 * 64 * 63 + 3 },
	{ "--tensor --m 128 --n 64 --k 32", "c", 3 },
	{ "--m 64 --n 64 --k 16", "a", 3 },
	{ 0 },
};

static const struct wl_size sgemm_sizes[] = {
	{ "--m 64 --n 20480 --k 16", "--m 64 --n 1024 --k 16" },
	{ "--tensor --m 64 --n 12800 --k 64", "--tensor --m 64 --n 640 --k 64" },
	{ 0 },
};

UVM_WORKLOAD(sgemm,
	     .what = "C = A * B, single precision, tiled; optionally with the matrix unit",
	     .image = "sgemm",
	     .options = sgemm_options,
	     .cases = sgemm_cases,
	     .sizes = sgemm_sizes,
	     .data_bytes = sizeof(struct sgemm),
	     .setup = sgemm_setup,
	     .init = sgemm_init,
	     .execute = sgemm_execute,
	     .verify = sgemm_verify,
);
