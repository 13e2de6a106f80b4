// SPDX-License-Identifier: GPL-2.0
/* hotspot3d: steps of heat flow in a stack of layers. */
#include <errno.h>
#include <stdlib.h>

#include "../kernels/hotspot3d.c"
#include "../uvm/run/workload.h"

struct hotspot3d {
	float *temperature[2];
	float *power;
	uint64_t width, height, layers;
	uint64_t steps;
};

static uint64_t hotspot3d_cells(const struct hotspot3d *h)
{
	return h->width * h->height * h->layers;
}

static int hotspot3d_setup(struct wl_run *run)
{
	struct hotspot3d *h = run->data;
	uint64_t bytes, row;

	h->width = wl_number(run, "width");
	h->layers = wl_number(run, "layers");
	h->steps = wl_number(run, "steps");
	if (!h->width || h->width > 65536 || !h->layers || h->layers > 65536)
		return wl_fail(run, EINVAL, "width and layers must be 1 ... 65536");
	if (!h->steps || h->steps > 1000000)
		return wl_fail(run, EINVAL, "steps must be 1 ... 1000000");
	row = h->width * h->layers * 3 * sizeof(float);
	h->height = wl_number(run, "size") / row;
	if (!h->height || h->height > 65535 * HOTSPOT3D_HEIGHT)
		return wl_fail(run, EINVAL, "the size makes %llu rows of %llu bytes in all layers, not 1 ... %d",
			       (unsigned long long)h->height, (unsigned long long)row,
			       65535 * HOTSPOT3D_HEIGHT);

	bytes = hotspot3d_cells(h) * sizeof(float);
	h->temperature[0] = wl_alloc(run, bytes, "even");
	h->power = wl_alloc(run, bytes, "power");
	h->temperature[1] = wl_alloc(run, bytes, "odd");
	if (!h->temperature[0] || !h->power || !h->temperature[1])
		return -ENOMEM;
	wl_input(run, h->power);
	wl_output(run, h->temperature[1]);
	if (h->steps == 1)
		wl_input(run, h->temperature[0]);
	return 0;
}

static float hotspot3d_temperature(const struct wl_run *run, uint64_t cell)
{
	return 323.0f + 7.0f * wl_small_float(run->seed + cell);
}

/* At most 300 W per square centimetre, as of the flat chip. */
static float hotspot3d_power(const struct wl_run *run, uint64_t cell)
{
	return 1.4e-3f + 1.4e-3f * wl_small_float(~run->seed - cell);
}

static int hotspot3d_init(struct wl_run *run)
{
	struct hotspot3d *h = run->data;
	uint64_t i;

	for (i = 0; i < hotspot3d_cells(h); i++) {
		h->temperature[0][i] = hotspot3d_temperature(run, i);
		h->power[i] = hotspot3d_power(run, i);
	}
	return 0;
}

static struct hotspot3d_args hotspot3d_args(const struct hotspot3d *h, float * const temperature[],
					    uint64_t step)
{
	return (struct hotspot3d_args){
		.from = temperature[step % 2], .to = temperature[(step + 1) % 2],
		.power = h->power, .width = h->width, .height = h->height, .layers = h->layers,
		.chip = HOTSPOT3D_CHIP,
	};
}

static int hotspot3d_execute(struct wl_run *run)
{
	struct hotspot3d *h = run->data;
	struct uvm_dim3 grid = {
		(uint32_t)((h->width + HOTSPOT3D_WIDTH - 1) / HOTSPOT3D_WIDTH),
		(uint32_t)((h->height + HOTSPOT3D_HEIGHT - 1) / HOTSPOT3D_HEIGHT), 1,
	};
	uint64_t step;
	int err = 0;

	for (step = 0; step < h->steps && !err; step++) {
		struct hotspot3d_args args = hotspot3d_args(h, h->temperature, step);

		err = wl_launch(run, "hotspot3d", grid, UVM_DIM(HOTSPOT3D_THREADS), 0, &args,
				sizeof(args));
	}
	return err;
}

static void hotspot3d_cell_cpu(const struct wl_run *run, const struct hotspot3d_args *args,
			       uint64_t x, uint64_t y, uint64_t z)
{
	uint64_t width = args->width, plane = width * args->height;
	uint64_t i = z * plane + y * width + x;
	const float *from = args->from + i;
	float side = (from[x ? -1 : 0] + from[x < width - 1 ? 1 : 0]) +
		     (*(from - (y ? width : 0)) + from[y < args->height - 1 ? width : 0]);
	float stack = *(from - (z ? plane : 0)) + from[z < args->layers - 1 ? plane : 0];

	args->to[i] = hotspot3d_cell(&args->chip, *from, hotspot3d_power(run, i), side, stack);
}

static void hotspot3d_step(const struct wl_run *run, const struct hotspot3d_args *args)
{
	uint64_t x, y, z;

	for (z = 0; z < args->layers; z++)
		for (y = 0; y < args->height; y++)
			for (x = 0; x < args->width; x++)
				hotspot3d_cell_cpu(run, args, x, y, z);
}

static int hotspot3d_compare(struct wl_run *run, const float *want)
{
	struct hotspot3d *h = run->data;
	const float *got = h->temperature[h->steps % 2];
	uint64_t i;

	for (i = 0; i < hotspot3d_cells(h); i++)
		if (got[i] != want[i])
			return wl_wrong(run, "layer %llu, row %llu, column %llu is %.9g, not %.9g",
					(unsigned long long)(i / h->width / h->height),
					(unsigned long long)(i / h->width % h->height),
					(unsigned long long)(i % h->width), got[i], want[i]);
	return 0;
}

static int hotspot3d_verify(struct wl_run *run)
{
	struct hotspot3d *h = run->data;
	uint64_t cells = hotspot3d_cells(h), i;
	float *want[2] = { malloc(cells * sizeof(float)), malloc(cells * sizeof(float)) };
	int wrong;

	if (want[0] && want[1]) {
		for (i = 0; i < cells; i++)
			want[0][i] = hotspot3d_temperature(run, i);
		for (i = 0; i < h->steps; i++) {
			struct hotspot3d_args args = hotspot3d_args(h, want, i);

			hotspot3d_step(run, &args);
		}
		wrong = hotspot3d_compare(run, want[h->steps % 2]);
	} else {
		wrong = wl_fail(run, ENOMEM, "out of memory");
	}
	free(want[0]);
	free(want[1]);
	return wrong;
}

static const struct wl_option hotspot3d_options[] = {
	{ "size", WL_BYTES, "12M", "footprint of both grids and the power" },
	{ "width", WL_COUNT, "512", "columns of a layer" },
	{ "layers", WL_COUNT, "8", "layers" },
	{ "steps", WL_COUNT, "4", "time steps" },
	{ 0 },
};

static const struct wl_case hotspot3d_cases[] = {
	{ "--size 100K --width 100 --steps 3", "odd", 4 * 4567 + 3 },
	{ "--size 50K --width 64 --layers 3 --steps 2", "even", 4 * 41 },
	{ "--size 12 --width 1 --layers 1 --steps 1", "odd", 0 },
	{ 0 },
};

static const struct wl_size hotspot3d_sizes[] = {
	{ .small = "--size 3M --steps 2" },
	{ 0 },
};

UVM_WORKLOAD(hotspot3d,
	     .what = "heat flow in layers of a chip, seven-point stencil, several steps",
	     .group = "hpe",
	     .image = "hotspot3d",
	     .options = hotspot3d_options,
	     .cases = hotspot3d_cases,
	     .sizes = hotspot3d_sizes,
	     .data_bytes = sizeof(struct hotspot3d),
	     .setup = hotspot3d_setup,
	     .init = hotspot3d_init,
	     .execute = hotspot3d_execute,
	     .verify = hotspot3d_verify,
);
