// SPDX-License-Identifier: GPL-2.0
/* stencil: sweeps of a 2-D five-point average, two grids in turn. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "../kernels/stencil.c"
#include "../uvm/run/workload.h"

#define STENCIL_BLOCK	128

struct stencil {
	float *grid[2];
	uint64_t width, height;
	uint64_t sweeps;
};

static int stencil_setup(struct wl_run *run)
{
	struct stencil *s = run->data;
	uint64_t bytes;

	s->width = wl_number(run, "width");
	s->sweeps = wl_number(run, "sweeps");
	if (s->width < 3 || s->width > 1 << 20)
		return wl_fail(run, EINVAL, "the width must be 3 ... 1M");
	if (s->sweeps > 1000000)
		return wl_fail(run, EINVAL, "at most 1000000 sweeps");
	s->height = wl_number(run, "size") / 2 / sizeof(float) / s->width;
	if (s->height < 3 || s->height > 65535 * STENCIL_ROWS)
		return wl_fail(run, EINVAL, "the size makes %llu rows, not 3 ... %d",
			       (unsigned long long)s->height, 65535 * STENCIL_ROWS);

	bytes = s->width * s->height * sizeof(float);
	s->grid[0] = wl_alloc(run, bytes, "even");
	s->grid[1] = wl_alloc(run, bytes, "odd");
	return s->grid[0] && s->grid[1] ? 0 : -ENOMEM;
}

static int stencil_init(struct wl_run *run)
{
	struct stencil *s = run->data;
	uint64_t i;

	for (i = 0; i < s->width * s->height; i++) {
		s->grid[0][i] = wl_small_float(run->seed + i);
		s->grid[1][i] = s->grid[0][i];
	}
	return 0;
}

static int stencil_execute(struct wl_run *run)
{
	struct stencil *s = run->data;
	struct uvm_dim3 grid = {
		(uint32_t)((s->width - 2 + STENCIL_BLOCK - 1) / STENCIL_BLOCK),
		(uint32_t)((s->height - 2 + STENCIL_ROWS - 1) / STENCIL_ROWS), 1,
	};
	uint64_t sweep;
	int err = 0;

	for (sweep = 0; sweep < s->sweeps && !err; sweep++) {
		struct stencil_args args = {
			.from = s->grid[sweep % 2], .to = s->grid[(sweep + 1) % 2],
			.width = s->width, .height = s->height,
		};

		err = wl_launch(run, "stencil", grid, UVM_DIM(STENCIL_BLOCK), 0, &args,
				sizeof(args));
	}
	return err;
}

static void stencil_sweep(const float *from, float *to, uint64_t width, uint64_t height)
{
	uint64_t x, y;

	for (y = 1; y < height - 1; y++) {
		const float *row = from + y * width;

		for (x = 1; x < width - 1; x++)
			to[y * width + x] = stencil_point(row[x - width], row[x - 1], row[x],
							  row[x + 1], row[x + width]);
	}
}

static int stencil_verify(struct wl_run *run)
{
	struct stencil *s = run->data;
	uint64_t points = s->width * s->height, i;
	float *got = s->grid[s->sweeps % 2], *want[2];
	int wrong = 0;

	want[0] = malloc(points * sizeof(float));
	want[1] = malloc(points * sizeof(float));
	if (!want[0] || !want[1]) {
		wrong = wl_fail(run, ENOMEM, "out of memory");
		goto out;
	}
	for (i = 0; i < points; i++)
		want[0][i] = wl_small_float(run->seed + i);
	memcpy(want[1], want[0], points * sizeof(float));
	for (i = 0; i < s->sweeps; i++)
		stencil_sweep(want[i % 2], want[(i + 1) % 2], s->width, s->height);

	for (i = 0; i < points && !wrong; i++)
		if (got[i] != want[s->sweeps % 2][i])
			wrong = wl_wrong(run, "row %llu, column %llu is %.9g, not %.9g",
					 (unsigned long long)(i / s->width),
					 (unsigned long long)(i % s->width), got[i],
					 want[s->sweeps % 2][i]);
out:
	free(want[0]);
	free(want[1]);
	return wrong;
}

static const struct wl_option stencil_options[] = {
	{ "size", WL_BYTES, "16M", "footprint of both grids" },
	{ "width", WL_COUNT, "1K", "columns" },
	{ "sweeps", WL_COUNT, "3", "sweeps" },
	{ 0 },
};

static const struct wl_case stencil_cases[] = {
	{ "--size 256K --width 100", "odd", 4 * 5050 },
	{ "--size 256K --width 64 --sweeps 2", "even", 4 * 70 },
	{ "--size 72 --width 3 --sweeps 1", "odd", 16 },
	{ 0 },
};

static const struct wl_size stencil_sizes[] = {
	{ "--size 6M --sweeps 2", "--size 4M --sweeps 1" },
	{ 0 },
};

UVM_WORKLOAD(stencil,
	     .what = "2-D five-point stencil, several sweeps over two grids",
	     .image = "stencil",
	     .options = stencil_options,
	     .cases = stencil_cases,
	     .sizes = stencil_sizes,
	     .data_bytes = sizeof(struct stencil),
	     .setup = stencil_setup,
	     .init = stencil_init,
	     .execute = stencil_execute,
	     .verify = stencil_verify,
);
