// SPDX-License-Identifier: GPL-2.0
/*
 * cutcp: the electric potential of atoms on a lattice, with a cutoff, after Parboil's cutcp
 * (Rodrigues et al., "GPU acceleration of cutoff pair potentials for molecular modeling
 * applications", CF 2008).
 *
 * Atoms lie in bins as large as a block's region, 8x8x8 points, which is how far they reach: a
 * block looks at 27 bins.  A thread owns four points.  A launch makes one layer of regions.  So
 * the lattice is written once, in the order of z, while three layers of bins are read again and
 * again and then left.
 */
#ifndef KERNEL_CUTCP_C
#define KERNEL_CUTCP_C

#include <stdint.h>

#define CUTCP_SIDE	8	/* points of a side of a region, and of a bin */
#define CUTCP_POINTS	(CUTCP_SIDE * CUTCP_SIDE * CUTCP_SIDE)
#define CUTCP_EACH	4	/* points of a thread: y, y + 2 and so on */
#define CUTCP_THREADS	(CUTCP_POINTS / CUTCP_EACH)
#define CUTCP_SLOTS	8	/* of a bin; the last one is always empty */
#define CUTCP_ROWS	9	/* rows of three bins, which a block looks at */

/* Where it is, in distances of points.  An empty slot has no charge and ends its bin. */
struct cutcp_atom {
	float x, y, z;
	union {
		float charge;
		uint32_t charge_bits;
	};
};

struct cutcp_bin {
	struct cutcp_atom slot[CUTCP_SLOTS];
};

/**
 * struct cutcp_args - arguments
 * @bin: bins, one more on each side than there are regions
 * @lattice: potential, region by region
 * @side: regions along x, and along y
 * @layer: of regions, along z
 * @row: bins from the first of the 27 to the first of each row of three
 * @cutoff: its square
 * @inverse: 1 / @cutoff
 */
struct cutcp_args {
	const struct cutcp_bin *bin;
	float *lattice;
	uint64_t side;
	uint64_t layer;
	uint64_t row[CUTCP_ROWS];
	float cutoff, inverse;
};

/* Points of a thread, and their potentials. */
struct cutcp_points {
	float x, z, y[CUTCP_EACH];
	float sum[CUTCP_EACH];
};

/* What an atom adds to the points of a thread; the same order of operations on both sides. */
static inline void cutcp_add(const struct cutcp_args *args, const struct cutcp_atom *atom,
			     struct cutcp_points *p)
{
	float dx = atom->x - p->x, dz = atom->z - p->z, flat = dx * dx + dz * dz;

	if (flat >= args->cutoff)
		return;
	for (int i = 0; i < CUTCP_EACH; i++) {
		float dy = atom->y - p->y[i], square = flat + dy * dy;
		float smooth = (args->cutoff - square) * args->inverse;

		if (square < args->cutoff)
			p->sum[i] += atom->charge / __builtin_sqrtf(square) * (smooth * smooth);
	}
}

static inline void cutcp_add_bin(const struct cutcp_args *args, const struct cutcp_bin *bin,
				 struct cutcp_points *p)
{
	for (const struct cutcp_atom *atom = bin->slot; atom->charge_bits; atom++)
		cutcp_add(args, atom, p);
}

/* All that thread @thread of the block at region @x, @y does. */
static inline void cutcp_thread(const struct cutcp_args *args, uint64_t x, uint64_t y,
				uint64_t thread, struct cutcp_points *p)
{
	uint64_t row = args->side + 2;
	const struct cutcp_bin *first = args->bin + (args->layer * row + y) * row + x;

	p->x = (float)(x * CUTCP_SIDE + thread % 8);
	p->z = (float)(args->layer * CUTCP_SIDE + thread / 16);
	for (uint64_t i = 0; i < CUTCP_EACH; i++) {
		p->y[i] = (float)(y * CUTCP_SIDE + thread / 8 % 2 + 2 * i);
		p->sum[i] = 0.0f;
	}
	for (int i = 0; i < CUTCP_ROWS; i++) {
		const struct cutcp_bin *bin = first + args->row[i];

		cutcp_add_bin(args, bin, p);
		cutcp_add_bin(args, bin + 1, p);
		cutcp_add_bin(args, bin + 2, p);
	}
}

#ifdef __riscv
#include <softgpu_kernel.h>

SGPU_REGISTERS(48);

void cutcp(const struct cutcp_args *args)
{
	uint64_t x = block_idx_x(), y = block_idx_y(), thread = thread_idx_x();
	uint64_t region = (args->layer * args->side + y) * args->side + x;
	float *to = args->lattice + region * CUTCP_POINTS;
	struct cutcp_points points;

	cutcp_thread(args, x, y, thread, &points);
	/* Rows of a region are along x, then along y. */
	to += thread / 16 * 64 + thread % 16;
	for (int i = 0; i < CUTCP_EACH; i++)
		to[16 * i] = points.sum[i];
}
#endif

#endif
