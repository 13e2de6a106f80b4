// SPDX-License-Identifier: GPL-2.0
/* pathfinder: the cheapest way down a wall, after Rodinia. */
#include <errno.h>
#include <stdlib.h>

#include "../kernels/pathfinder.c"
#include "../uvm/run/workload.h"

#define PATHFINDER_HEIGHT_MAX	96	/* leaves 64 columns to a block */

/**
 * struct pathfinder - state of a run
 * @wall: managed, all rows but the first
 * @way: managed, two rows in turn; the first begins as the first row of the wall
 * @columns: width
 * @rows: of @wall
 * @height: rows per launch
 */
struct pathfinder {
	int32_t *wall;
	int32_t *way[2];
	uint64_t columns, rows, height;
};

static int pathfinder_setup(struct wl_run *run)
{
	struct pathfinder *p = run->data;
	uint64_t row;

	p->columns = wl_number(run, "columns");
	p->height = wl_number(run, "height");
	if (!p->columns || p->columns > 1 << 28)
		return wl_fail(run, EINVAL, "the wall has 1 ... 256M columns");
	if (!p->height || p->height > PATHFINDER_HEIGHT_MAX)
		return wl_fail(run, EINVAL, "a launch goes down 1 ... %d rows",
			       PATHFINDER_HEIGHT_MAX);
	row = p->columns * sizeof(int32_t);
	p->rows = wl_number(run, "size") / row;
	if (p->rows < 3 || p->rows > 1 << 24)
		return wl_fail(run, EINVAL, "the size must be 3 ... 16M rows of %llu bytes",
			       (unsigned long long)row);
	p->rows -= 2;

	p->wall = wl_alloc(run, p->rows * row, "wall");
	p->way[0] = wl_alloc(run, row, "even");
	p->way[1] = wl_alloc(run, row, "odd");
	if (!p->wall || !p->way[0] || !p->way[1])
		return -ENOMEM;
	wl_input(run, p->wall);
	wl_output(run, p->way[1]);
	return 0;
}

/* Row 0 is above those of the wall in managed memory. */
static int32_t pathfinder_cost(const struct wl_run *run, uint64_t row, uint64_t column)
{
	const struct pathfinder *p = run->data;

	return (int32_t)(wl_mix(run->seed + row * p->columns + column) % 10);
}

static int pathfinder_init(struct wl_run *run)
{
	struct pathfinder *p = run->data;
	uint64_t x, y;

	for (y = 0; y < p->rows; y++)
		for (x = 0; x < p->columns; x++)
			p->wall[y * p->columns + x] = pathfinder_cost(run, y + 1, x);
	for (x = 0; x < p->columns; x++)
		p->way[0][x] = pathfinder_cost(run, 0, x);
	return 0;
}

static int pathfinder_execute(struct wl_run *run)
{
	struct pathfinder *p = run->data;
	struct pathfinder_args args = { .wall = p->wall, .columns = p->columns };
	uint64_t done, launch = 0, each, blocks;
	int err = 0;

	for (done = 0; done < p->rows && !err; done += args.rows, launch++) {
		args.rows = (uint32_t)(p->rows - done < p->height ? p->rows - done : p->height);
		args.from = p->way[launch % 2];
		args.to = p->way[(launch + 1) % 2];
		each = PATHFINDER_BLOCK - 2 * args.rows;
		blocks = (p->columns + each - 1) / each;
		err = wl_launch(run, "pathfinder", UVM_DIM((uint32_t)blocks),
				UVM_DIM(PATHFINDER_BLOCK), PATHFINDER_SHARED, &args, sizeof(args));
		args.wall += args.rows * p->columns;
	}
	return err;
}

/* One row down; in place, so the way above and to the left is kept. */
static void pathfinder_row(const struct wl_run *run, int32_t *way, uint64_t row)
{
	const struct pathfinder *p = run->data;
	int32_t left = PATHFINDER_FAR, above, right;
	uint64_t x;

	for (x = 0; x < p->columns; x++) {
		above = way[x];
		right = x + 1 < p->columns ? way[x + 1] : PATHFINDER_FAR;
		way[x] = pathfinder_step(left, above, right, pathfinder_cost(run, row, x));
		left = above;
	}
}

static int pathfinder_verify(struct wl_run *run)
{
	struct pathfinder *p = run->data;
	uint64_t launches = (p->rows + p->height - 1) / p->height, before, row = 0, x;
	int32_t *way = malloc(p->columns * sizeof(*way));
	int wrong = 0, last;

	if (!way)
		return wl_fail(run, ENOMEM, "out of memory");
	for (x = 0; x < p->columns; x++)
		way[x] = pathfinder_cost(run, 0, x);
	/* What the last two launches left. */
	before = (launches - 1) * p->height;
	for (last = 0; last < 2 && !wrong; last++) {
		const int32_t *got = p->way[(launches - 1 + last) % 2];
		uint64_t end = last ? p->rows : before;

		while (row < end)
			pathfinder_row(run, way, ++row);
		for (x = 0; x < p->columns && !wrong; x++)
			if (got[x] != way[x])
				wrong = wl_wrong(run, "row %llu, column %llu costs %d, not %d",
						 (unsigned long long)row, (unsigned long long)x,
						 got[x], way[x]);
	}
	free(way);
	return wrong;
}

static const struct wl_option pathfinder_options[] = {
	{ "size", WL_BYTES, "15552K", "footprint of the wall and two rows of results" },
	{ "columns", WL_COUNT, "24K", "width of the wall" },
	{ "height", WL_COUNT, "8", "rows that a launch goes down, 1 ... 96" },
	{ 0 },
};

static const struct wl_case pathfinder_cases[] = {
	{ "--size 100K --columns 1000", "even", 4 * 999 },
	{ "--size 90K --columns 500 --height 20", "odd", 4 * 255 },
	{ "--size 60 --columns 1 --height 96", "odd", 0 },
	{ 0 },
};

static const struct wl_size pathfinder_sizes[] = {
	{ .small = "--size 3M --columns 8K" },
	{ 0 },
};

UVM_WORKLOAD(pathfinder,
	     .what = "cheapest way down a wall, some rows per launch in shared memory",
	     .group = "hpe",
	     .image = "pathfinder",
	     .options = pathfinder_options,
	     .cases = pathfinder_cases,
	     .sizes = pathfinder_sizes,
	     .data_bytes = sizeof(struct pathfinder),
	     .setup = pathfinder_setup,
	     .init = pathfinder_init,
	     .execute = pathfinder_execute,
	     .verify = pathfinder_verify,
);
