// SPDX-License-Identifier: GPL-2.0
/*
 * hotspot: the temperature of a chip, after Rodinia's hotspot (Huang et al., "HotSpot: a
 * compact thermal modeling methodology for early-stage VLSI design", TVLSI 2006).
 *
 * A launch is one time step: a cell changes by its power and by what flows to its four
 * neighbours and to the heat sink.  A block of 16x16 threads loads that many cells and makes
 * the 14x14 inner ones.  Temperature and power are read once, row by row, and the new
 * temperature is written once.
 */
#ifndef KERNEL_HOTSPOT_C
#define KERNEL_HOTSPOT_C

#include <stdint.h>

#define HOTSPOT_TILE	16			/* cells of a side that a block loads */
#define HOTSPOT_OUT	(HOTSPOT_TILE - 2)	/* of these it makes */
#define HOTSPOT_THREADS	(HOTSPOT_TILE * HOTSPOT_TILE)

/**
 * struct hotspot_chip - what a cell is like
 * @step: time step / heat capacity, K/W
 * @side: conductance to a neighbour, W/K
 * @sink: and to the heat sink
 * @ambient: temperature of the air
 */
struct hotspot_chip {
	float step, side, sink, ambient;
};

/*
 * Rodinia's chip: 0.5 mm of silicon, 1024 cells on 16 mm.  A larger grid is a larger chip, so
 * that cells stay what they are, and the step stays stable.
 */
#define HOTSPOT_CHIP ((struct hotspot_chip){ 1.3653333f, 0.1f, 4.8828125e-5f, 80.0f })

struct hotspot_args {
	const float *from;
	const float *power;
	float *to;
	uint64_t side;		/* cells */
	struct hotspot_chip chip;
};

/* The same order of operations on both sides: results are equal to the bit. */
static inline float hotspot_cell(const struct hotspot_chip *chip, float mid, float power, float up,
				 float down, float left, float right)
{
	float twice = mid + mid;
	float flow = ((up + down - twice) + (left + right - twice)) * chip->side;

	return mid + chip->step * (power + flow + (chip->ambient - mid) * chip->sink);
}

#ifdef __riscv
#include <softgpu_kernel.h>

SGPU_REGISTERS(32);

void hotspot(const struct hotspot_args *args)
{
	float *tile = shared_base();
	uint64_t thread = thread_idx_x(), side = args->side;
	uint64_t tx = thread % HOTSPOT_TILE, ty = thread / HOTSPOT_TILE;
	/* Left of the first column and above the first row they wrap: not inside. */
	uint64_t x = (uint64_t)block_idx_x() * HOTSPOT_OUT + tx - 1;
	uint64_t y = (uint64_t)block_idx_y() * HOTSPOT_OUT + ty - 1;
	uint64_t at = y * side + x;
	int inside = x < side && y < side;
	float mid = 0.0f, power = 0.0f;

	tile += thread;
	if (inside) {
		mid = args->from[at];
		power = args->power[at];
		*tile = mid;
	}
	barrier();
	if (!inside || tx - 1 >= HOTSPOT_OUT || ty - 1 >= HOTSPOT_OUT)
		return;
	/* Nothing flows across the border of the chip. */
	args->to[at] = hotspot_cell(&args->chip, mid, power, y ? tile[-HOTSPOT_TILE] : mid,
				    y < side - 1 ? tile[HOTSPOT_TILE] : mid,
				    x ? tile[-1] : mid, x < side - 1 ? tile[1] : mid);
}
#endif

#endif
