// SPDX-License-Identifier: GPL-2.0
/* hotspot: steps of heat flow on a chip. */
#include <errno.h>
#include <math.h>
#include <stdlib.h>

#include "../kernels/hotspot.c"
#include "../uvm/run/workload.h"

#define HOTSPOT_SIDE_MAX	32768

struct hotspot {
	float *temperature[2];
	float *power;
	uint64_t side, steps;
};

static int hotspot_setup(struct wl_run *run)
{
	struct hotspot *h = run->data;
	uint64_t bytes;

	h->steps = wl_number(run, "steps");
	if (!h->steps || h->steps > 1000000)
		return wl_fail(run, EINVAL, "steps must be 1 ... 1000000");
	h->side = (uint64_t)sqrt((double)wl_number(run, "size") / 3 / sizeof(float));
	if (!h->side || h->side > HOTSPOT_SIDE_MAX)
		return wl_fail(run, EINVAL, "the size must be 12 bytes ... 12G");

	bytes = h->side * h->side * sizeof(float);
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

static float hotspot_temperature(const struct wl_run *run, uint64_t cell)
{
	return 323.0f + 7.0f * wl_small_float(run->seed + cell);
}

/* At most the chip's 300 W per square centimetre. */
static float hotspot_power(const struct wl_run *run, uint64_t cell)
{
	return 3.5e-4f + 3.5e-4f * wl_small_float(~run->seed - cell);
}

static int hotspot_init(struct wl_run *run)
{
	struct hotspot *h = run->data;
	uint64_t i;

	for (i = 0; i < h->side * h->side; i++) {
		h->temperature[0][i] = hotspot_temperature(run, i);
		h->power[i] = hotspot_power(run, i);
	}
	return 0;
}

static int hotspot_execute(struct wl_run *run)
{
	struct hotspot *h = run->data;
	uint32_t blocks = (uint32_t)((h->side + HOTSPOT_OUT - 1) / HOTSPOT_OUT);
	struct uvm_dim3 grid = { blocks, blocks, 1 };
	uint64_t step;
	int err = 0;

	for (step = 0; step < h->steps && !err; step++) {
		struct hotspot_args args = {
			.from = h->temperature[step % 2], .to = h->temperature[(step + 1) % 2],
			.power = h->power, .side = h->side, .chip = HOTSPOT_CHIP,
		};

		err = wl_launch(run, "hotspot", grid, UVM_DIM(HOTSPOT_THREADS),
				HOTSPOT_THREADS * sizeof(float), &args, sizeof(args));
	}
	return err;
}

static void hotspot_step(const struct wl_run *run, uint64_t side, const float *from, float *to)
{
	const struct hotspot_chip chip = HOTSPOT_CHIP;
	uint64_t x, y;

	for (y = 0; y < side; y++) {
		for (x = 0; x < side; x++) {
			uint64_t i = y * side + x;

			to[i] = hotspot_cell(&chip, from[i], hotspot_power(run, i),
					     from[y ? i - side : i],
					     from[y < side - 1 ? i + side : i],
					     from[x ? i - 1 : i],
					     from[x < side - 1 ? i + 1 : i]);
		}
	}
}

static int hotspot_compare(struct wl_run *run, const float *want)
{
	struct hotspot *h = run->data;
	const float *got = h->temperature[h->steps % 2];
	uint64_t i;

	for (i = 0; i < h->side * h->side; i++)
		if (got[i] != want[i])
			return wl_wrong(run, "row %llu, column %llu is %.9g, not %.9g",
					(unsigned long long)(i / h->side),
					(unsigned long long)(i % h->side), got[i], want[i]);
	return 0;
}

static int hotspot_verify(struct wl_run *run)
{
	struct hotspot *h = run->data;
	uint64_t cells = h->side * h->side, i;
	float *want[2] = { malloc(cells * sizeof(float)), malloc(cells * sizeof(float)) };
	int wrong;

	if (want[0] && want[1]) {
		for (i = 0; i < cells; i++)
			want[0][i] = hotspot_temperature(run, i);
		for (i = 0; i < h->steps; i++)
			hotspot_step(run, h->side, want[i % 2], want[(i + 1) % 2]);
		wrong = hotspot_compare(run, want[h->steps % 2]);
	} else {
		wrong = wl_fail(run, ENOMEM, "out of memory");
	}
	free(want[0]);
	free(want[1]);
	return wrong;
}

static const struct wl_option hotspot_options[] = {
	{ "size", WL_BYTES, "12M", "footprint of both grids and the power" },
	{ "steps", WL_COUNT, "1", "time steps" },
	{ 0 },
};

static const struct wl_case hotspot_cases[] = {
	{ "--size 100K", "odd", 4 * 4567 + 3 },
	/* Blocks end within and at the border. */
	{ "--size 21168 --steps 2", "even", 4 * 41 },
	{ "--size 12", "odd", 0 },
	{ 0 },
};

static const struct wl_size hotspot_sizes[] = {
	{ .small = "--size 3M" },
	{ 0 },
};

UVM_WORKLOAD(hotspot,
	     .what = "heat flow on a chip, five-point stencil",
	     .group = "hpe",
	     .image = "hotspot",
	     .options = hotspot_options,
	     .cases = hotspot_cases,
	     .sizes = hotspot_sizes,
	     .data_bytes = sizeof(struct hotspot),
	     .setup = hotspot_setup,
	     .init = hotspot_init,
	     .execute = hotspot_execute,
	     .verify = hotspot_verify,
);
