// SPDX-License-Identifier: GPL-2.0
/*
 * tealeaf: steps of implicit heat conduction by conjugate gradients.
 *
 * The whole solver runs twice over the same functions, with kernels on the GPU and
 * with loops on the CPU, so results must be equal to the bit.  That the functions
 * solve the equation is shown by the residual, computed anew in double precision.
 */
#include <errno.h>
#include <math.h>
#include <stdlib.h>

#include "../kernels/tealeaf.c"
#include "../uvm/run/workload.h"

#define TEALEAF_TIME_STEP	0.5f	/* over the square of the cells' width */
#define TEALEAF_EPSILON		1e-10f	/* of the first sum of squares: solved */

static const char * const tealeaf_names[] = {
	"density", "energy", "u", "p", "r", "w", "kx", "ky",
};

#define TEALEAF_VECTORS	(sizeof(tealeaf_names) / sizeof(tealeaf_names[0]))

/**
 * struct tealeaf - state of a run
 * @vector: managed, in the order of the names
 * @partial: managed
 * @width: of the grid, cells
 * @cells: in all
 * @blocks: of a launch
 */
struct tealeaf {
	float *vector[TEALEAF_VECTORS];
	float *partial;
	uint64_t width, cells, blocks;
};

static int tealeaf_setup(struct wl_run *run)
{
	struct tealeaf *t = run->data;
	uint64_t height, i;

	t->width = wl_number(run, "width");
	if (t->width < 3 || t->width > 1 << 20)
		return wl_fail(run, EINVAL, "the width must be 3 ... 1M");
	height = wl_number(run, "size") / TEALEAF_VECTORS / sizeof(float) / t->width;
	if (height < 3 || height > 1 << 20)
		return wl_fail(run, EINVAL, "the size makes %llu rows, not 3 ... 1M",
			       (unsigned long long)height);
	if (!wl_number(run, "steps") || wl_number(run, "steps") > 1000)
		return wl_fail(run, EINVAL, "steps must be 1 ... 1000");
	if (!wl_number(run, "iterations") || wl_number(run, "iterations") > 10000)
		return wl_fail(run, EINVAL, "iterations must be 1 ... 10000");

	t->cells = t->width * height;
	t->blocks = (t->cells + TEALEAF_CELLS - 1) / TEALEAF_CELLS;
	for (i = 0; i < TEALEAF_VECTORS; i++) {
		t->vector[i] = wl_alloc(run, t->cells * sizeof(float), tealeaf_names[i]);
		if (!t->vector[i])
			return -ENOMEM;
	}
	t->partial = wl_alloc(run, (t->blocks + 1) * sizeof(float), "partial");
	if (!t->partial)
		return -ENOMEM;
	wl_input(run, t->vector[0]);
	wl_output(run, t->partial);
	return 0;
}

/* A hot and light corner in a cold and dense box, and a little of everything. */
static float tealeaf_density(const struct wl_run *run, const struct tealeaf *t, uint64_t i)
{
	uint64_t x = i % t->width, y = i / t->width;
	int hot = 3 * x < t->width && 3 * y * t->width < t->cells;

	return (hot ? 0.5f : 4.0f) + 0.25f * wl_small_float(run->seed + i);
}

static float tealeaf_energy(const struct wl_run *run, const struct tealeaf *t, uint64_t i)
{
	uint64_t x = i % t->width, y = i / t->width;
	int hot = 3 * x < t->width && 3 * y * t->width < t->cells;

	return (hot ? 25.0f : 1.0f) + 0.5f * wl_small_float(~run->seed - i);
}

static void tealeaf_fill(const struct wl_run *run, const struct tealeaf *t, float *density,
			 float *energy)
{
	uint64_t i;

	for (i = 0; i < t->cells; i++) {
		density[i] = tealeaf_density(run, t, i);
		energy[i] = tealeaf_energy(run, t, i);
	}
}

static int tealeaf_init(struct wl_run *run)
{
	struct tealeaf *t = run->data;

	tealeaf_fill(run, t, t->vector[0], t->vector[1]);
	return 0;
}

/* Runs one step over all cells; where it has a sum, *@sum is set if not NULL. */
typedef int (*tealeaf_step_fn)(struct wl_run *run, struct tealeaf_args *args,
			       enum tealeaf_step step, float *sum);

static int tealeaf_step_gpu(struct wl_run *run, struct tealeaf_args *args,
			    enum tealeaf_step step, float *sum)
{
	static const char * const entries[] = {
		[TEALEAF_CONDUCT] = "tealeaf_conduct", [TEALEAF_RESIDUAL] = "tealeaf_residual",
		[TEALEAF_APPLY] = "tealeaf_apply", [TEALEAF_ADVANCE] = "tealeaf_advance",
		[TEALEAF_DIRECTION] = "tealeaf_direction", [TEALEAF_FINISH] = "tealeaf_finish",
	};
	uint32_t shared = TEALEAF_BLOCK * sizeof(float);
	int err;

	err = wl_launch(run, entries[step], UVM_DIM((uint32_t)args->blocks), UVM_DIM(TEALEAF_BLOCK),
			shared, args, sizeof(*args));
	if (err || !sum)
		return err;
	err = wl_launch(run, "tealeaf_sum", UVM_DIM(1), UVM_DIM(TEALEAF_BLOCK), shared, args,
			sizeof(*args));
	if (!err)
		err = wl_to_cpu(run, &args->partial[args->blocks], sizeof(*sum));
	if (!err)
		*sum = args->partial[args->blocks];
	return err;
}

/* As the block's threads do it in shared memory. */
static float tealeaf_reduce_cpu(float sums[TEALEAF_BLOCK])
{
	uint32_t half, i;

	for (half = TEALEAF_BLOCK / 2; half; half /= 2)
		for (i = 0; i < half; i++)
			sums[i] = sums[i] + sums[i + half];
	return sums[0];
}

static int tealeaf_step_cpu(struct wl_run *run, struct tealeaf_args *args,
			    enum tealeaf_step step, float *sum)
{
	float sums[TEALEAF_BLOCK];
	uint64_t block;
	uint32_t i;

	(void)run;
	for (block = 0; block < args->blocks; block++) {
		for (i = 0; i < TEALEAF_BLOCK; i++)
			sums[i] = tealeaf_thread(args, step, block, i);
		if (tealeaf_has_sum(step))
			args->partial[block] = tealeaf_reduce_cpu(sums);
	}
	for (i = 0; i < TEALEAF_BLOCK && sum; i++)
		sums[i] = tealeaf_parts(args, i);
	if (sum)
		*sum = tealeaf_reduce_cpu(sums);
	return 0;
}

static int tealeaf_do(struct wl_run *run, tealeaf_step_fn step, struct tealeaf_args *args,
		      enum tealeaf_step what, float scale, float *sum)
{
	args->scale = scale;
	return step(run, args, what, sum);
}

/* One time step: conjugate gradients from u as it was. */
static int tealeaf_solve(struct wl_run *run, tealeaf_step_fn step, struct tealeaf_args *args)
{
	uint64_t iteration;
	float rr, rr_before, rr_first, pw;
	int err;

	err = tealeaf_do(run, step, args, TEALEAF_CONDUCT, TEALEAF_TIME_STEP, NULL);
	if (!err)
		err = tealeaf_do(run, step, args, TEALEAF_RESIDUAL, 0, &rr);
	rr_first = err ? 0 : rr;
	for (iteration = 0; !err && iteration < wl_number(run, "iterations"); iteration++) {
		if (!(rr > rr_first * TEALEAF_EPSILON))
			break;
		err = tealeaf_do(run, step, args, TEALEAF_APPLY, 0, &pw);
		if (err)
			break;
		rr_before = rr;
		err = tealeaf_do(run, step, args, TEALEAF_ADVANCE, rr / pw, &rr);
		if (!err)
			err = tealeaf_do(run, step, args, TEALEAF_DIRECTION, rr / rr_before, NULL);
	}
	return err ? err : tealeaf_do(run, step, args, TEALEAF_FINISH, 0, NULL);
}

static void tealeaf_args(const struct tealeaf *t, float * const vector[], float *partial,
			 struct tealeaf_args *args)
{
	*args = (struct tealeaf_args){
		.density = vector[0], .energy = vector[1], .u = vector[2], .p = vector[3],
		.r = vector[4], .w = vector[5], .kx = vector[6], .ky = vector[7],
		.partial = partial, .width = t->width, .cells = t->cells, .blocks = t->blocks,
	};
}

static int tealeaf_steps(struct wl_run *run, tealeaf_step_fn step, struct tealeaf_args *args)
{
	uint64_t i;
	int err = 0;

	for (i = 0; i < wl_number(run, "steps") && !err; i++)
		err = tealeaf_solve(run, step, args);
	return err;
}

static int tealeaf_execute(struct wl_run *run)
{
	struct tealeaf *t = run->data;
	struct tealeaf_args args;

	tealeaf_args(t, t->vector, t->partial, &args);
	return tealeaf_steps(run, tealeaf_step_gpu, &args);
}

/* |b - A u| / |b - A b|, where u solves A u = b and the search began at u = b. */
static double tealeaf_residual(const struct tealeaf_args *args, const float *b)
{
	double now = 0, first = 0;
	uint64_t i, w = args->width;

	for (i = w; i < args->cells - w; i++) {
		double face[4] = { args->kx[i], args->kx[i + 1], args->ky[i], args->ky[i + w] };
		uint64_t at[4] = { i - 1, i + 1, i - w, i + w };
		double au = args->u[i], ab = b[i];
		int k;

		if (i % w == 0 || i % w == w - 1)
			continue;
		for (k = 0; k < 4; k++) {
			au += face[k] * ((double)args->u[i] - args->u[at[k]]);
			ab += face[k] * ((double)b[i] - b[at[k]]);
		}
		now += (b[i] - au) * (b[i] - au);
		first += (b[i] - ab) * (b[i] - ab);
	}
	return first > 0 ? sqrt(now / first) : 0;
}

/*
 * The greatest conductivity is 2 (both densities 0.25), so the eigenvalues of A are
 * in [1, 17].  Conjugate gradients then gain (sqrt(17) - 1) / (sqrt(17) + 1) = 0.61
 * each iteration in the norm of A, after a factor of 2; another sqrt(17) leads to
 * this norm.  Below 1e-4 single precision limits what can be had.
 */
static int tealeaf_check_solution(struct wl_run *run, const struct tealeaf_args *args,
				  const float *b)
{
	double residual = tealeaf_residual(args, b);
	double limit = 2 * sqrt(17) * pow(0.61, (double)wl_number(run, "iterations"));

	if (!(residual <= (limit < 1e-4 ? 1e-4 : limit)))
		return wl_wrong(run, "the residual is still %.3g of the first", residual);
	return 0;
}

static int tealeaf_compare(struct wl_run *run, const struct tealeaf *t, uint64_t vector,
			   const float *want)
{
	uint64_t i;

	for (i = 0; i < t->cells; i++)
		if (t->vector[vector][i] != want[i])
			return wl_wrong(run, "%s of cell %llu is %.9g, not %.9g",
					tealeaf_names[vector], (unsigned long long)i,
					t->vector[vector][i], want[i]);
	return 0;
}

/* The whole run on the CPU, with @b for the right-hand side. */
static int tealeaf_check(struct wl_run *run, float * const vector[], float *partial, float *b)
{
	struct tealeaf *t = run->data;
	struct tealeaf_args args;
	uint64_t i, step;
	int wrong = 0;

	tealeaf_args(t, vector, partial, &args);
	tealeaf_fill(run, t, vector[0], vector[1]);
	for (step = 0; step < wl_number(run, "steps") && !wrong; step++) {
		for (i = 0; i < t->cells; i++)
			b[i] = args.energy[i] * args.density[i];
		tealeaf_solve(run, tealeaf_step_cpu, &args);
		wrong = tealeaf_check_solution(run, &args, b);
	}
	for (i = 0; i < TEALEAF_VECTORS && !wrong; i++)
		wrong = tealeaf_compare(run, t, i, vector[i]);
	return wrong;
}

static int tealeaf_verify(struct wl_run *run)
{
	struct tealeaf *t = run->data;
	float *memory = calloc((TEALEAF_VECTORS + 1) * t->cells + t->blocks + 1, sizeof(float));
	float *vector[TEALEAF_VECTORS];
	uint64_t i;
	int wrong;

	if (!memory)
		return wl_fail(run, ENOMEM, "out of memory");
	for (i = 0; i < TEALEAF_VECTORS; i++)
		vector[i] = memory + i * t->cells;
	wrong = tealeaf_check(run, vector, memory + (TEALEAF_VECTORS + 1) * t->cells,
			      memory + TEALEAF_VECTORS * t->cells);
	free(memory);
	return wrong;
}

static const struct wl_option tealeaf_options[] = {
	{ "size", WL_BYTES, "8M", "footprint of the eight vectors" },
	{ "width", WL_COUNT, "512", "columns" },
	{ "steps", WL_COUNT, "1", "time steps" },
	{ "iterations", WL_COUNT, "3", "of conjugate gradients, at most, in each" },
	{ 0 },
};

static const struct wl_case tealeaf_cases[] = {
	/* Enough iterations for the residual to mean something; several blocks. */
	{ "--size 256K --width 50 --iterations 20", "energy", 4 * 4000 },
	{ "--size 64K --width 64 --steps 3", "energy", 4 * 65 },
	{ "--size 288 --width 3 --iterations 1", "energy", 16 },
	{ 0 },
};

static const struct wl_size tealeaf_sizes[] = {
	{ "--size 5M --iterations 1", "--size 2M --iterations 1" },
	{ 0 },
};

UVM_WORKLOAD(tealeaf,
	     .what = "implicit heat conduction by conjugate gradients, five-point stencil",
	     .image = "tealeaf",
	     .options = tealeaf_options,
	     .cases = tealeaf_cases,
	     .sizes = tealeaf_sizes,
	     .data_bytes = sizeof(struct tealeaf),
	     .setup = tealeaf_setup,
	     .init = tealeaf_init,
	     .execute = tealeaf_execute,
	     .verify = tealeaf_verify,
);
