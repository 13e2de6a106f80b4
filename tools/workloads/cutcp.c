// SPDX-License-Identifier: GPL-2.0
/* cutcp: cutoff Coulomb potential on a lattice. */
#include <errno.h>
#include <math.h>
#include <stdlib.h>

#include "../kernels/cutcp.c"
#include "../uvm/run/workload.h"

#define CUTCP_ATOMS	2	/* in a bin, at most */
#define CUTCP_SIDE_MAX	1024	/* regions */

struct cutcp {
	struct cutcp_bin *bin;
	float *lattice;
	uint64_t side, layers;
};

static uint64_t cutcp_bins(const struct cutcp *c)
{
	return (c->side + 2) * (c->side + 2) * (c->layers + 2);
}

static uint64_t cutcp_lattice_points(const struct cutcp *c)
{
	return c->side * c->side * c->layers * CUTCP_POINTS;
}

/* About a cube. */
static int cutcp_shape(struct wl_run *run, struct cutcp *c)
{
	uint64_t size = wl_number(run, "size"), layer, border;

	/* A region and its bin, and some for the bins at the border. */
	c->side = (uint64_t)cbrt((double)size / (CUTCP_POINTS * sizeof(float) + 182));
	if (!c->side)
		c->side = 1;
	layer = c->side * c->side * CUTCP_POINTS * sizeof(float) +
		(c->side + 2) * (c->side + 2) * sizeof(struct cutcp_bin);
	border = 2 * (c->side + 2) * (c->side + 2) * sizeof(struct cutcp_bin);
	c->layers = size > border ? (size - border) / layer : 0;
	if (!c->layers || c->side > CUTCP_SIDE_MAX)
		return wl_fail(run, EINVAL, "the size must be %llu bytes, for one region and 27 bins, ... 2T",
			       (unsigned long long)(layer + border));
	return 0;
}

static int cutcp_setup(struct wl_run *run)
{
	struct cutcp *c = run->data;
	int err = cutcp_shape(run, c);

	if (err)
		return err;
	if (!wl_number(run, "atoms") || wl_number(run, "atoms") > 100 * CUTCP_ATOMS)
		return wl_fail(run, EINVAL, "atoms in 100 bins must be 1 ... %d",
			       100 * CUTCP_ATOMS);
	c->bin = wl_alloc(run, cutcp_bins(c) * sizeof(struct cutcp_bin), "bins");
	c->lattice = wl_alloc(run, cutcp_lattice_points(c) * sizeof(float), "lattice");
	if (!c->bin || !c->lattice)
		return -ENOMEM;
	wl_input(run, c->bin);
	wl_output(run, c->lattice);
	return 0;
}

/*
 * An atom of the bin at @x, @y, @z, which are counted from the border.  It lies between layers of
 * points, so that no point is where an atom is.
 */
static struct cutcp_atom cutcp_atom(uint64_t random, uint64_t x, uint64_t y, uint64_t z)
{
	float charge = 1.0f + 0.5f * wl_small_float(random);

	return (struct cutcp_atom){
		.x = (float)((x - 1) * CUTCP_SIDE) + 4.0f + 4.0f * wl_small_float(random + 1),
		.y = (float)((y - 1) * CUTCP_SIDE) + 4.0f + 4.0f * wl_small_float(random + 2),
		.z = (float)((z - 1) * CUTCP_SIDE + (random >> 32) % CUTCP_SIDE) + 0.5f,
		.charge = random >> 63 ? charge : -charge,
	};
}

static void cutcp_fill_bin(const struct wl_run *run, struct cutcp_bin *bin, uint64_t number,
			   const uint64_t at[3], int inside)
{
	uint64_t slot = 0, i;

	for (i = 0; inside && i < CUTCP_ATOMS; i++) {
		uint64_t random = wl_mix(run->seed + CUTCP_ATOMS * number + i);

		if (random % (100 * CUTCP_ATOMS) < wl_number(run, "atoms"))
			bin->slot[slot++] = cutcp_atom(random, at[0], at[1], at[2]);
	}
	for (; slot < CUTCP_SLOTS; slot++)
		bin->slot[slot] = (struct cutcp_atom){ 0 };
}

static void cutcp_fill(const struct wl_run *run, const struct cutcp *c, struct cutcp_bin *bins)
{
	uint64_t row = c->side + 2, i;

	for (i = 0; i < cutcp_bins(c); i++) {
		uint64_t at[3] = { i % row, i / row % row, i / row / row };
		int inside = at[0] - 1 < c->side && at[1] - 1 < c->side && at[2] - 1 < c->layers;

		cutcp_fill_bin(run, &bins[i], i, at, inside);
	}
}

static int cutcp_init(struct wl_run *run)
{
	struct cutcp *c = run->data;

	cutcp_fill(run, c, c->bin);
	return 0;
}

static struct cutcp_args cutcp_args(const struct cutcp *c, const struct cutcp_bin *bins)
{
	struct cutcp_args args = {
		.bin = bins, .lattice = c->lattice, .side = c->side,
		.cutoff = CUTCP_SIDE * CUTCP_SIDE, .inverse = 1.0f / (CUTCP_SIDE * CUTCP_SIDE),
	};
	uint64_t row = c->side + 2, i;

	for (i = 0; i < CUTCP_ROWS; i++)
		args.row[i] = (i / 3 * row + i % 3) * row;
	return args;
}

static int cutcp_execute(struct wl_run *run)
{
	struct cutcp *c = run->data;
	struct uvm_dim3 grid = { (uint32_t)c->side, (uint32_t)c->side, 1 };
	struct cutcp_args args = cutcp_args(c, c->bin);
	int err = 0;

	for (; args.layer < c->layers && !err; args.layer++)
		err = wl_launch(run, "cutcp", grid, UVM_DIM(CUTCP_THREADS), 0, &args, sizeof(args));
	return err;
}

static int cutcp_check_region(struct wl_run *run, const struct cutcp_args *args, uint64_t x,
			      uint64_t y)
{
	uint64_t region = (args->layer * args->side + y) * args->side + x, thread, i;
	const float *got = args->lattice + region * CUTCP_POINTS;
	struct cutcp_points points;

	for (thread = 0; thread < CUTCP_THREADS; thread++) {
		cutcp_thread(args, x, y, thread, &points);
		for (i = 0; i < CUTCP_EACH; i++) {
			uint64_t point = thread / 16 * 64 + thread % 16 + 16 * i;

			if (got[point] != points.sum[i])
				return wl_wrong(run, "point %llu of region %llu is %.9g, not %.9g",
						(unsigned long long)point,
						(unsigned long long)region, got[point],
						points.sum[i]);
		}
	}
	return 0;
}

static int cutcp_verify(struct wl_run *run)
{
	struct cutcp *c = run->data;
	struct cutcp_bin *bins = malloc(cutcp_bins(c) * sizeof(*bins));
	struct cutcp_args args = cutcp_args(c, bins);
	uint64_t x, y;
	int wrong = 0;

	if (!bins)
		return wl_fail(run, ENOMEM, "out of memory");
	cutcp_fill(run, c, bins);
	for (; args.layer < c->layers; args.layer++)
		for (y = 0; y < c->side; y++)
			for (x = 0; x < c->side && !wrong; x++)
				wrong = cutcp_check_region(run, &args, x, y);
	free(bins);
	return wrong;
}

static const struct wl_option cutcp_options[] = {
	{ "size", WL_BYTES, "9M", "footprint of lattice and bins" },
	{ "atoms", WL_COUNT, "12", "in 100 bins, on average; at most 200" },
	{ 0 },
};

static const struct wl_case cutcp_cases[] = {
	{ "--size 100K", "lattice", 4 * 8192 + 3 },
	{ "--size 48K --atoms 200", "lattice", 4 * 700 },
	{ "--size 5504 --atoms 200", "lattice", 4 * 511 },
	{ 0 },
};

static const struct wl_size cutcp_sizes[] = {
	{ .small = "--size 3M --atoms 4" },
	{ 0 },
};

UVM_WORKLOAD(cutcp,
	     .what = "potential of atoms in bins on a lattice, with a cutoff",
	     .group = "hpe",
	     .image = "cutcp",
	     .options = cutcp_options,
	     .cases = cutcp_cases,
	     .sizes = cutcp_sizes,
	     .data_bytes = sizeof(struct cutcp),
	     .setup = cutcp_setup,
	     .init = cutcp_init,
	     .execute = cutcp_execute,
	     .verify = cutcp_verify,
);
