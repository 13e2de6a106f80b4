// SPDX-License-Identifier: GPL-2.0
/*
 * hotspot3d: the temperature of a stack of layers on a chip, after Rodinia's hotspot3D (Meng,
 * Kawakami and Coskun, "Optimizing energy efficiency of 3-D multicore systems with stacked DRAM
 * under power and thermal constraints", DAC 2012).
 *
 * A launch is one time step.  A thread owns a column of cells, a block 64x4 columns, and walks
 * along z.  So each launch sweeps temperature, power and new temperature once, block after block
 * through all layers; then the temperatures change places.
 */
#ifndef KERNEL_HOTSPOT3D_C
#define KERNEL_HOTSPOT3D_C

#include <stdint.h>

#define HOTSPOT3D_WIDTH		64	/* of a block */
#define HOTSPOT3D_HEIGHT	4
#define HOTSPOT3D_THREADS	(HOTSPOT3D_WIDTH * HOTSPOT3D_HEIGHT)

/**
 * struct hotspot3d_chip - what a step does to a cell
 * @cell: factor of its own temperature
 * @side: of each neighbour in the layer
 * @stack: of the cells above and below
 * @step: of its power: time step / heat capacity, K/W
 * @ambient: what comes from the air, K
 */
struct hotspot3d_chip {
	float cell, side, stack, step, ambient;
};

/* Rodinia's, of 512x512x8 cells on 16 mm; a larger grid is a larger chip. */
#define HOTSPOT3D_SIDE	3.41333e-2f
#define HOTSPOT3D_STACK	5.33333e-4f
#define HOTSPOT3D_CHIP	((struct hotspot3d_chip){				\
	.cell = 1.0f - (4.0f * HOTSPOT3D_SIDE + 3.0f * HOTSPOT3D_STACK),	\
	.side = HOTSPOT3D_SIDE, .stack = HOTSPOT3D_STACK,			\
	.step = 0.341333f, .ambient = 80.0f * HOTSPOT3D_STACK,			\
})

struct hotspot3d_args {
	const float *from;
	const float *power;
	float *to;
	uint64_t width, height, layers;
	struct hotspot3d_chip chip;
};

/* Neighbours in the layer, and above and below; the same order of operations on both sides. */
static inline float hotspot3d_cell(const struct hotspot3d_chip *chip, float mid, float power,
				   float side, float stack)
{
	return chip->cell * mid + chip->side * side + chip->stack * stack + chip->step * power +
	       chip->ambient;
}

#ifdef __riscv
#include <softgpu_kernel.h>

SGPU_REGISTERS(48);

void hotspot3d(const struct hotspot3d_args *args)
{
	/* A copy: stores to the grid cannot change that. */
	const struct hotspot3d_args copy = *args;
	uint64_t thread = thread_idx_x(), width = copy.width, plane = width * copy.height;
	uint64_t x = (uint64_t)block_idx_x() * HOTSPOT3D_WIDTH + thread % HOTSPOT3D_WIDTH;
	uint64_t y = (uint64_t)block_idx_y() * HOTSPOT3D_HEIGHT + thread / HOTSPOT3D_WIDTH;
	uint64_t at = y * width + x, layer = copy.layers;
	const float *from = copy.from + at, *power = copy.power + at;
	float *to = copy.to + at;
	/* Nothing flows across the border: a neighbour beyond it is the cell itself. */
	const float *left = from - (x ? 1 : 0), *right = from + (x < width - 1 ? 1 : 0);
	const float *up = from - (y ? width : 0), *down = from + (y < copy.height - 1 ? width : 0);
	float below, mid, above;

	if (x >= width || y >= copy.height)
		return;
	mid = *from;
	below = mid;
	while (--layer) {
		from += plane;
		above = *from;
		*to = hotspot3d_cell(&copy.chip, mid, *power, (*left + *right) + (*up + *down),
				     below + above);
		below = mid;
		mid = above;
		left += plane;
		right += plane;
		up += plane;
		down += plane;
		power += plane;
		to += plane;
		/* Otherwise the compiler adds a common offset to each address, twice the work. */
		__asm__("" : "+r"(left), "+r"(right), "+r"(up), "+r"(down), "+r"(power), "+r"(to));
	}
	*to = hotspot3d_cell(&copy.chip, mid, *power, (*left + *right) + (*up + *down),
			     below + mid);
}
#endif

#endif
