// SPDX-License-Identifier: GPL-2.0
/* 2dconv: a 3x3 convolution. */
#include <errno.h>
#include <math.h>

#include "../kernels/2dconv.c"
#include "../uvm/run/workload.h"

#define CONV2D_SIDE_MAX	65536

static const float conv2d_weight[9] = {
	0.2f, -0.3f, 0.4f, 0.5f, 0.6f, 0.7f, -0.8f, -0.9f, 0.1f,
};

struct conv2d {
	float *from, *to;
	uint64_t side;
};

static int conv2d_setup(struct wl_run *run)
{
	struct conv2d *c = run->data;
	uint64_t bytes;

	c->side = (uint64_t)sqrt((double)wl_number(run, "size") / 2 / sizeof(float));
	if (c->side < 3 || c->side > CONV2D_SIDE_MAX)
		return wl_fail(run, EINVAL, "the size must be 72 bytes ... 32G");

	bytes = c->side * c->side * sizeof(float);
	c->from = wl_alloc(run, bytes, "from");
	c->to = wl_alloc(run, bytes, "to");
	if (!c->from || !c->to)
		return -ENOMEM;
	wl_input(run, c->from);
	wl_output(run, c->to);
	return 0;
}

static int conv2d_init(struct wl_run *run)
{
	struct conv2d *c = run->data;
	uint64_t i;

	for (i = 0; i < c->side * c->side; i++)
		c->from[i] = wl_small_float(run->seed + i);
	return 0;
}

static int conv2d_execute(struct wl_run *run)
{
	struct conv2d *c = run->data;
	uint64_t inner = c->side - 2, first = c->side + 1;
	struct conv2d_args args = {
		.from = c->from + first, .to = c->to + first, .side = c->side, .inner = inner,
	};
	struct uvm_dim3 grid = {
		(uint32_t)((inner + CONV2D_WIDTH - 1) / CONV2D_WIDTH),
		(uint32_t)((inner + CONV2D_HEIGHT - 1) / CONV2D_HEIGHT), 1,
	};
	int i;

	for (i = 0; i < 9; i++)
		args.weight[i] = conv2d_weight[i];
	return wl_launch(run, "conv2d", grid, UVM_DIM(CONV2D_THREADS), 0, &args, sizeof(args));
}

/* The input as it was; the border of the output is nobody's. */
static int conv2d_verify(struct wl_run *run)
{
	struct conv2d *c = run->data;
	uint64_t x, y, side = c->side;
	int i;

	for (y = 1; y < side - 1; y++) {
		for (x = 1; x < side - 1; x++) {
			float near[9], want;

			for (i = 0; i < 9; i++)
				near[i] = wl_small_float(run->seed + (y + i / 3 - 1) * side + x +
							 i % 3 - 1);
			want = conv2d_element(conv2d_weight, near + 4, 3);
			if (c->to[y * side + x] != want)
				return wl_wrong(run, "row %llu, column %llu is %.9g, not %.9g",
						(unsigned long long)y, (unsigned long long)x,
						c->to[y * side + x], want);
		}
	}
	return 0;
}

static const struct wl_option conv2d_options[] = {
	{ "size", WL_BYTES, "17M", "footprint of input and output" },
	{ 0 },
};

static const struct wl_case conv2d_cases[] = {
	{ "--size 80000", "to", 4 * 5150 + 3 },
	{ "--size 32K", "to", 4 * 65 },
	{ "--size 72", "to", 4 * 4 },
	{ 0 },
};

static const struct wl_size conv2d_sizes[] = {
	{ .small = "--size 3M" },
	{ 0 },
};

UVM_WORKLOAD_NAMED(conv2d, "2dconv",
		   .what = "3x3 convolution, one thread per element",
		   .group = "hpe",
		   .image = "2dconv",
		   .options = conv2d_options,
		   .cases = conv2d_cases,
		   .sizes = conv2d_sizes,
		   .data_bytes = sizeof(struct conv2d),
		   .setup = conv2d_setup,
		   .init = conv2d_init,
		   .execute = conv2d_execute,
		   .verify = conv2d_verify,
);
