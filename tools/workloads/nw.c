// SPDX-License-Identifier: GPL-2.0
/* nw: the best alignment of two sequences, after Rodinia. */
#include <errno.h>
#include <stdlib.h>

#include "../kernels/nw.c"
#include "../uvm/run/workload.h"

#define NW_LETTERS	20	/* amino acids */

/**
 * struct nw - state of a run
 * @reference: managed
 * @matrix: managed
 * @rows: letters of one sequence, a multiple of NW_TILE
 * @columns: of the other one
 */
struct nw {
	int32_t *reference, *matrix;
	uint64_t rows, columns;
};

static int nw_setup(struct wl_run *run)
{
	struct nw *n = run->data;
	uint64_t row, bytes;

	n->columns = wl_number(run, "columns");
	if (!n->columns || n->columns % NW_TILE || n->columns > 1 << 24)
		return wl_fail(run, EINVAL, "columns must be a multiple of %d, at most 16M",
			       NW_TILE);
	row = 2 * (n->columns + 1) * sizeof(int32_t);
	/* To the nearest row of tiles. */
	n->rows = (wl_number(run, "size") / row + NW_TILE / 2 - 1) / NW_TILE * NW_TILE;
	if (!n->rows || n->rows > 1 << 24)
		return wl_fail(run, EINVAL, "the size makes %llu rows of %llu bytes, not 16 ... 16M",
			       (unsigned long long)n->rows, (unsigned long long)row);

	bytes = (n->rows + 1) * (n->columns + 1) * sizeof(int32_t);
	n->reference = wl_alloc(run, bytes, "reference");
	n->matrix = wl_alloc(run, bytes, "matrix");
	if (!n->reference || !n->matrix)
		return -ENOMEM;
	wl_input(run, n->reference);
	return 0;
}

/* Letter @i of a sequence: 0 goes down, 1 to the right. */
static unsigned int nw_letter(const struct wl_run *run, unsigned int sequence, uint64_t i)
{
	return wl_mix(wl_mix(run->seed + sequence) + i) % NW_LETTERS;
}

/* What a pair is worth: the same letter much, others little or less than nothing. */
static int32_t nw_worth(unsigned int a, unsigned int b)
{
	if (a == b)
		return 4 + (int32_t)(a % 8);
	return (int32_t)(wl_mix(a < b ? a * NW_LETTERS + b : b * NW_LETTERS + a) % 8) - 4;
}

/* Row 0 and column 0: gaps only. */
static int32_t nw_border(uint64_t i)
{
	return -(int32_t)i * NW_PENALTY;
}

static int nw_init(struct wl_run *run)
{
	struct nw *n = run->data;
	uint64_t stride = n->columns + 1, x, y;

	for (y = 0; y <= n->rows; y++) {
		for (x = 0; x < stride; x++) {
			uint64_t i = y * stride + x;

			n->matrix[i] = x && y ? 0 : nw_border(x + y);
			n->reference[i] = x && y ? nw_worth(nw_letter(run, 0, y),
							    nw_letter(run, 1, x)) : 0;
		}
	}
	return 0;
}

static int nw_execute(struct wl_run *run)
{
	struct nw *n = run->data;
	struct nw_args args = {
		.reference = n->reference, .matrix = n->matrix, .stride = n->columns + 1,
	};
	uint32_t down = (uint32_t)(n->rows / NW_TILE), right = (uint32_t)(n->columns / NW_TILE);
	int err = 0;

	for (; args.diagonal < down + right - 1 && !err; args.diagonal++) {
		uint32_t last = args.diagonal < right ? args.diagonal : right - 1;

		args.first = args.diagonal < down ? 0 : args.diagonal - down + 1;
		err = wl_launch(run, "nw", UVM_DIM(last - args.first + 1), UVM_DIM(NW_TILE),
				NW_SHARED, &args, sizeof(args));
	}
	return err;
}

/* Row @y of @best comes from the row above, in place. */
static void nw_row(const struct wl_run *run, const unsigned int *letters, int32_t *best, uint64_t y)
{
	const struct nw *n = run->data;
	unsigned int letter = nw_letter(run, 0, y);
	int32_t corner = best[0], above;
	uint64_t x;

	best[0] = nw_border(y);
	for (x = 1; x <= n->columns; x++) {
		above = best[x];
		best[x] = nw_best(corner, best[x - 1], above, nw_worth(letter, letters[x]));
		corner = above;
	}
}

static int nw_verify(struct wl_run *run)
{
	struct nw *n = run->data;
	uint64_t stride = n->columns + 1, x, y;
	unsigned int *letters = malloc(stride * sizeof(*letters));
	int32_t *best = malloc(stride * sizeof(*best));
	int wrong = 0;

	if (!letters || !best) {
		wrong = wl_fail(run, ENOMEM, "out of memory");
		goto out;
	}
	for (x = 0; x < stride; x++) {
		letters[x] = nw_letter(run, 1, x);
		best[x] = nw_border(x);
	}
	for (y = 0; y <= n->rows && !wrong; y++) {
		const int32_t *got = n->matrix + y * stride;

		if (y)
			nw_row(run, letters, best, y);
		for (x = 0; x < stride && !wrong; x++)
			if (got[x] != best[x])
				wrong = wl_wrong(run, "row %llu, column %llu is %d, not %d",
						 (unsigned long long)y, (unsigned long long)x,
						 got[x], best[x]);
	}
out:
	free(letters);
	free(best);
	return wrong;
}

static const struct wl_option nw_options[] = {
	{ "size", WL_BYTES, "16416K", "footprint of both matrices" },
	{ "columns", WL_COUNT, "2K", "a multiple of 16; the size gives the rows" },
	{ 0 },
};

static const struct wl_case nw_cases[] = {
	{ "--size 60K --columns 64", "matrix", 4 * 65 * 97 },
	{ "--size 40K --columns 16", "matrix", 4 * 40 + 3 },
	{ "--size 40K --columns 128", "matrix", 0 },
	{ 0 },
};

static const struct wl_size nw_sizes[] = {
	{ .small = "--size 3M" },
	{ 0 },
};

UVM_WORKLOAD(nw,
	     .what = "best alignment of two sequences, by anti-diagonals of tiles",
	     .group = "hpe",
	     .image = "nw",
	     .options = nw_options,
	     .cases = nw_cases,
	     .sizes = nw_sizes,
	     .data_bytes = sizeof(struct nw),
	     .setup = nw_setup,
	     .init = nw_init,
	     .execute = nw_execute,
	     .verify = nw_verify,
);
