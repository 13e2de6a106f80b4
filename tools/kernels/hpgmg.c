// SPDX-License-Identifier: GPL-2.0
/*
 * hpgmg: the operators of a geometric multigrid solver for the Poisson equation
 *
 *	-(d2/dx2 + d2/dy2 + d2/dz2) u = f	on the unit cube, u = 0 on its faces
 *
 * on cell-centred grids.  As in the benchmark of that name a level is stored box by
 * box, each a small cube, so that neighbours in space can be far apart in memory.
 * A block of threads owns one box; a thread owns a column of it.
 */
#ifndef KERNEL_HPGMG_C
#define KERNEL_HPGMG_C

#include <stdint.h>

#define HPGMG_LOG_BOX	4	/* greatest box: 16 cells a side, 256 columns */

/* The weight of Jacobi that smooths best with seven points in space. */
#define HPGMG_OMEGA	(6.0f / 7.0f)

/* The kernels differ in a constant argument, which is to be known inside. */
#define HPGMG_INLINE	inline __attribute__((always_inline))

/*
 * @h2 is the square of a cell's side, a power of two.  The coarse vectors are used
 * between levels only.
 */
struct hpgmg_args {
	const float *u;
	const float *f;
	float *to;
	const float *coarse_u;
	float *coarse_f;
	float *fine_u;
	uint32_t log_cells;	/* per side */
	uint32_t log_box;
	float h2;
};

/* Where a cell lies in a level's vectors. */
static inline uint64_t hpgmg_index(uint32_t log_cells, uint32_t log_box, uint32_t x, uint32_t y,
				   uint32_t z)
{
	uint32_t log_boxes = log_cells - log_box, mask = (1u << log_box) - 1;
	uint64_t box = (uint64_t)(z >> log_box) << 2 * log_boxes |
		       (uint64_t)(y >> log_box) << log_boxes | x >> log_box;

	return box << 3 * log_box | (uint64_t)(z & mask) << 2 * log_box |
	       (uint64_t)(y & mask) << log_box | (x & mask);
}

/*
 * A cell beside a column, and what to take it times.  Outside the cube that is the
 * mirrored cell, negative, so that u is 0 on the face between; a factor costs less
 * than a branch that lanes of a warp take differently.
 */
struct hpgmg_beside {
	const float *u;
	float times;
};

static inline struct hpgmg_beside hpgmg_beside(const struct hpgmg_args *args, int outside,
					       uint64_t mid, uint32_t x, uint32_t y, uint32_t z)
{
	uint32_t n = args->log_cells, b = args->log_box;

	return (struct hpgmg_beside){
		args->u + (outside ? mid : hpgmg_index(n, b, x, y, z)), outside ? -1.0f : 1.0f,
	};
}

static inline float hpgmg_value(const struct hpgmg_beside *beside, uint64_t up)
{
	return beside->times * beside->u[up];
}

/* A column of a box: its first cell, and what lies beside that. */
struct hpgmg_column {
	struct hpgmg_beside left, right, front, back, below, above;
	uint64_t mid;
};

static inline struct hpgmg_column hpgmg_column(const struct hpgmg_args *args, uint32_t x,
					       uint32_t y, uint32_t z)
{
	uint32_t n = args->log_cells, b = args->log_box;
	uint32_t last = (1u << n) - 1, top = z + (1u << b) - 1;
	uint64_t mid = hpgmg_index(n, b, x, y, z);
	uint64_t end = mid + ((((uint64_t)1 << b) - 1) << 2 * b);

	return (struct hpgmg_column){
		.left = hpgmg_beside(args, x == 0, mid, x - 1, y, z),
		.right = hpgmg_beside(args, x == last, mid, x + 1, y, z),
		.front = hpgmg_beside(args, y == 0, mid, x, y - 1, z),
		.back = hpgmg_beside(args, y == last, mid, x, y + 1, z),
		.below = hpgmg_beside(args, z == 0, mid, x, y, z - 1),
		.above = hpgmg_beside(args, top == last, end, x, y, top + 1),
		.mid = mid,
	};
}

/*
 * One cell, @up above the first of its column.  The same order of operations on
 * both sides.
 */
static inline float hpgmg_cell(const struct hpgmg_args *args, const struct hpgmg_column *c,
			       uint64_t up, float below, float mid, float above, int smooth)
{
	float sides = (hpgmg_value(&c->left, up) + hpgmg_value(&c->right, up)) +
		      (hpgmg_value(&c->front, up) + hpgmg_value(&c->back, up));
	float au = 6.0f * mid - (sides + (below + above)), f = args->f[c->mid + up];

	return smooth ? mid + HPGMG_OMEGA / 6.0f * (args->h2 * f - au) : f - au / args->h2;
}

/*
 * One column of a sweep, from bottom to top: with @smooth "to" becomes u after a
 * weighted Jacobi step, else f - A u.
 */
static HPGMG_INLINE void hpgmg_sweep(const struct hpgmg_args *args, const struct hpgmg_column *c,
				     int smooth)
{
	uint64_t plane = (uint64_t)1 << 2 * args->log_box, up;
	uint64_t top = (((uint64_t)1 << args->log_box) - 1) * plane;
	const float *u = args->u + c->mid;
	float *to = args->to + c->mid;
	float below = hpgmg_value(&c->below, 0), mid = u[0], above;

	for (up = 0; up < top; up += plane) {
		above = u[up + plane];
		to[up] = hpgmg_cell(args, c, up, below, mid, above, smooth);
		below = mid;
		mid = above;
	}
	to[up] = hpgmg_cell(args, c, up, below, mid, hpgmg_value(&c->above, 0), smooth);
}

/* A coarse cell's right-hand side: the mean of eight fine residuals, in u here. */
static inline void hpgmg_restrict_cell(const struct hpgmg_args *args, uint64_t index, uint32_t x,
				       uint32_t y, uint32_t z)
{
	uint32_t n = args->log_cells + 1, b = args->log_box;
	float sum = 0.0f;

	/* The fine level has boxes of the same size, or twice a box that is a level. */
	if (b < HPGMG_LOG_BOX)
		b++;
	for (uint32_t i = 0; i < 8; i++)
		sum = sum + args->u[hpgmg_index(n, b, 2 * x + (i & 1), 2 * y + (i >> 1 & 1),
						2 * z + (i >> 2))];
	args->coarse_f[index] = 0.125f * sum;
	args->to[index] = 0.0f;
}

/* A fine cell is corrected by the coarse cell that it lies in. */
static inline void hpgmg_prolong_cell(const struct hpgmg_args *args, uint64_t index, uint32_t x,
				      uint32_t y, uint32_t z)
{
	uint32_t n = args->log_cells - 1;
	uint32_t b = n < HPGMG_LOG_BOX ? n : HPGMG_LOG_BOX;

	args->fine_u[index] = args->fine_u[index] +
			      args->coarse_u[hpgmg_index(n, b, x / 2, y / 2, z / 2)];
}

enum hpgmg_op {
	HPGMG_SMOOTH,
	HPGMG_RESIDUAL,
	HPGMG_RESTRICT,		/* the level in the arguments is the coarse one */
	HPGMG_PROLONG,		/* the level in the arguments is the fine one */
};

/* Column @column of box @box of the level. */
static HPGMG_INLINE void hpgmg_do(const struct hpgmg_args *args, enum hpgmg_op op, uint32_t box,
				  uint32_t column)
{
	uint32_t b = args->log_box, log_boxes = args->log_cells - b;
	uint32_t mask = (1u << log_boxes) - 1;
	uint32_t x = (box & mask) << b | (column & ((1u << b) - 1));
	uint32_t y = (box >> log_boxes & mask) << b | column >> b;
	uint32_t z = box >> 2 * log_boxes << b;
	uint64_t first = hpgmg_index(args->log_cells, b, x, y, z);

	if (op == HPGMG_SMOOTH || op == HPGMG_RESIDUAL) {
		struct hpgmg_column c = hpgmg_column(args, x, y, z);

		hpgmg_sweep(args, &c, op == HPGMG_SMOOTH);
		return;
	}
	for (uint32_t k = 0; k < 1u << b; k++) {
		uint64_t index = first + ((uint64_t)k << 2 * b);

		if (op == HPGMG_RESTRICT)
			hpgmg_restrict_cell(args, index, x, y, z + k);
		else
			hpgmg_prolong_cell(args, index, x, y, z + k);
	}
}

#ifdef __riscv
#include <softgpu_kernel.h>

/* The arguments as a copy: stores to the vectors cannot change that. */
#define HPGMG_KERNEL(name, op)						\
void name(const struct hpgmg_args *args)				\
{									\
	const struct hpgmg_args copy = *args;				\
									\
	hpgmg_do(&copy, op, block_idx_x(), thread_idx_x());		\
}

HPGMG_KERNEL(hpgmg_smooth, HPGMG_SMOOTH)
HPGMG_KERNEL(hpgmg_residual, HPGMG_RESIDUAL)
HPGMG_KERNEL(hpgmg_restrict, HPGMG_RESTRICT)
HPGMG_KERNEL(hpgmg_prolong, HPGMG_PROLONG)
#endif

#endif
