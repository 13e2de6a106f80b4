// SPDX-License-Identifier: GPL-2.0
/* stencil3d: sweeps of a 3-D seven-point stencil, two grids in turn. */
#include <errno.h>
#include <stdlib.h>

#include "../kernels/stencil3d.c"
#include "../uvm/run/workload.h"

/* Factors of Parboil's. */
#define STENCIL3D_CENTRE	(1.0f / 6)
#define STENCIL3D_SIDE		(1.0f / 36)

struct stencil3d {
	float *grid[2];
	uint64_t width, height, layers;
	uint64_t sweeps;
};

static uint64_t stencil3d_points(const struct stencil3d *s)
{
	return s->width * s->height * s->layers;
}

static int stencil3d_setup(struct wl_run *run)
{
	struct stencil3d *s = run->data;

	s->width = wl_number(run, "width");
	s->height = wl_number(run, "height");
	s->sweeps = wl_number(run, "sweeps");
	if (s->width < 3 || s->width > 65536 || s->height < 3 || s->height > 65536)
		return wl_fail(run, EINVAL, "width and height must be 3 ... 65536");
	if (s->sweeps < 1 || s->sweeps > 1000000)
		return wl_fail(run, EINVAL, "sweeps must be 1 ... 1000000");
	s->layers = wl_number(run, "size") / 2 / sizeof(float) / (s->width * s->height);
	if (s->layers < 3)
		return wl_fail(run, EINVAL, "the size must be %llu bytes, for 3 layers of both grids",
			       (unsigned long long)(s->width * s->height * 6 * sizeof(float)));

	s->grid[0] = wl_alloc(run, stencil3d_points(s) * sizeof(float), "even");
	s->grid[1] = wl_alloc(run, stencil3d_points(s) * sizeof(float), "odd");
	return s->grid[0] && s->grid[1] ? 0 : -ENOMEM;
}

static int stencil3d_init(struct wl_run *run)
{
	struct stencil3d *s = run->data;
	uint64_t i;

	/* The border is in both. */
	for (i = 0; i < stencil3d_points(s); i++) {
		s->grid[0][i] = wl_small_float(run->seed + i);
		s->grid[1][i] = s->grid[0][i];
	}
	return 0;
}

static struct stencil3d_args stencil3d_args(const struct stencil3d *s, float * const grid[],
					    uint64_t sweep)
{
	return (struct stencil3d_args){
		.from = grid[sweep % 2], .to = grid[(sweep + 1) % 2],
		.width = s->width, .height = s->height, .layers = s->layers,
		.centre = STENCIL3D_CENTRE, .side = STENCIL3D_SIDE,
	};
}

static int stencil3d_execute(struct wl_run *run)
{
	struct stencil3d *s = run->data;
	struct uvm_dim3 grid = {
		(uint32_t)((s->width - 2 + 2 * STENCIL3D_WIDTH - 1) / STENCIL3D_WIDTH / 2),
		(uint32_t)((s->height - 2 + STENCIL3D_HEIGHT - 1) / STENCIL3D_HEIGHT), 1,
	};
	uint64_t sweep;
	int err = 0;

	for (sweep = 0; sweep < s->sweeps && !err; sweep++) {
		struct stencil3d_args args = stencil3d_args(s, s->grid, sweep);

		err = wl_launch(run, "stencil3d", grid, UVM_DIM(STENCIL3D_THREADS), 0, &args,
				sizeof(args));
	}
	return err;
}

static void stencil3d_row(const struct stencil3d_args *args, uint64_t first)
{
	uint64_t width = args->width, plane = width * args->height, i;
	const float *from = args->from;

	for (i = first + 1; i < first + width - 1; i++)
		args->to[i] = stencil3d_point(args, from[i], from[i - 1] + from[i + 1],
					      from[i - width] + from[i + width],
					      from[i - plane] + from[i + plane]);
}

static void stencil3d_sweep(const struct stencil3d_args *args)
{
	uint64_t y, z;

	for (z = 1; z < args->layers - 1; z++)
		for (y = 1; y < args->height - 1; y++)
			stencil3d_row(args, (z * args->height + y) * args->width);
}

static int stencil3d_compare(struct wl_run *run, const float *got, const float *want)
{
	struct stencil3d *s = run->data;
	uint64_t i;

	for (i = 0; i < stencil3d_points(s); i++)
		if (got[i] != want[i])
			return wl_wrong(run, "layer %llu, row %llu, column %llu is %.9g, not %.9g",
					(unsigned long long)(i / s->width / s->height),
					(unsigned long long)(i / s->width % s->height),
					(unsigned long long)(i % s->width), got[i], want[i]);
	return 0;
}

static int stencil3d_verify(struct wl_run *run)
{
	struct stencil3d *s = run->data;
	uint64_t points = stencil3d_points(s), i;
	float *want[2] = { malloc(points * sizeof(float)), malloc(points * sizeof(float)) };
	int wrong;

	if (want[0] && want[1]) {
		for (i = 0; i < points; i++) {
			want[0][i] = wl_small_float(run->seed + i);
			want[1][i] = want[0][i];
		}
		for (i = 0; i < s->sweeps; i++) {
			struct stencil3d_args args = stencil3d_args(s, want, i);

			stencil3d_sweep(&args);
		}
		wrong = stencil3d_compare(run, s->grid[s->sweeps % 2], want[s->sweeps % 2]);
	} else {
		wrong = wl_fail(run, ENOMEM, "out of memory");
	}
	free(want[0]);
	free(want[1]);
	return wrong;
}

static const struct wl_option stencil3d_options[] = {
	{ "size", WL_BYTES, "5M", "footprint of both grids" },
	{ "width", WL_COUNT, "128", "columns of a layer" },
	{ "height", WL_COUNT, "128", "rows of a layer" },
	{ "sweeps", WL_COUNT, "6", "sweeps" },
	{ 0 },
};

static const struct wl_case stencil3d_cases[] = {
	{ "--size 64K --width 50 --height 20 --sweeps 3", "odd", 4 * 3235 },
	{ "--size 64K --width 18 --height 35 --sweeps 2", "even", 4 * 650 + 3 },
	{ "--size 216 --width 3 --height 3 --sweeps 1", "odd", 4 * 13 },
	{ 0 },
};

static const struct wl_size stencil3d_sizes[] = {
	{ .small = "--size 3M --sweeps 2" },
	{ 0 },
};

UVM_WORKLOAD(stencil3d,
	     .what = "3-D seven-point stencil, several sweeps over two grids",
	     .group = "hpe",
	     .image = "stencil3d",
	     .options = stencil3d_options,
	     .cases = stencil3d_cases,
	     .sizes = stencil3d_sizes,
	     .data_bytes = sizeof(struct stencil3d),
	     .setup = stencil3d_setup,
	     .init = stencil3d_init,
	     .execute = stencil3d_execute,
	     .verify = stencil3d_verify,
);
