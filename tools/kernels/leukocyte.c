// SPDX-License-Identifier: GPL-2.0
/*
 * leukocyte: finds white blood cells in a picture, after the detection of Rodinia's leukocyte
 * (Boyer et al., "Accelerating leukocyte tracking using CUDA", IPDPS 2009).
 *
 * The first launch has a thread per pixel and a row of blocks per row of the picture.  It looks
 * at the gradient on circles around the pixel, in the directions of their radii: around the
 * centre of a cell it points outwards everywhere, so its mean is large beside its variance (the
 * gradient inverse coefficient of variation).  The second launch takes the largest value of each
 * 3x3 pixels.  Both components of the gradient are read once, row by row, with the rows within a
 * radius close behind; each result is written once, and the first one is read once.
 */
#ifndef KERNEL_LEUKOCYTE_C
#define KERNEL_LEUKOCYTE_C

#include <stdint.h>

#define LEUKOCYTE_THREADS	256
#define LEUKOCYTE_MARGIN	8	/* the largest radius: no circle is around pixels there */
#define LEUKOCYTE_POINTS	8	/* of a circle */

/**
 * struct leukocyte_args - arguments of both kernels
 * @x: gradient along a row
 * @y: and across rows
 * @score: of the best circle around a pixel; 0 in the margin
 * @dilated: largest score near it
 * @side: of the picture
 */
struct leukocyte_args {
	const float *x, *y;
	float *score, *dilated;
	int64_t side;
};

/*
 * Gradients along the radii, which lead to 0, 45, ... 315 degrees; @diagonal is the radius times
 * the cosine of 45 degrees, to the nearest pixel.
 */
static inline void leukocyte_circle(const float *x, const float *y, int64_t side, int64_t radius,
				    int64_t diagonal, float along[LEUKOCYTE_POINTS])
{
	const float cosine = 0.70710678f;
	const float *x_below = x + diagonal * side, *x_above = x - diagonal * side;
	const float *y_below = y + diagonal * side, *y_above = y - diagonal * side;

	along[0] = x[radius];
	along[1] = (x_below[diagonal] + y_below[diagonal]) * cosine;
	along[2] = y[radius * side];
	along[3] = (y_below[-diagonal] - x_below[-diagonal]) * cosine;
	along[4] = -x[-radius];
	along[5] = -(x_above[-diagonal] + y_above[-diagonal]) * cosine;
	along[6] = -*(y - radius * side);
	along[7] = (x_above[diagonal] - y_above[diagonal]) * cosine;
}

/* Square of the mean by the variance; the same order of operations on both sides. */
static inline float leukocyte_score(const float along[LEUKOCYTE_POINTS])
{
	float mean = along[0], squares = 0.0f;

	for (int i = 1; i < LEUKOCYTE_POINTS; i++)
		mean += along[i];
	mean *= 1.0f / LEUKOCYTE_POINTS;
	for (int i = 0; i < LEUKOCYTE_POINTS; i++)
		squares += (along[i] - mean) * (along[i] - mean);
	return mean * mean / (squares * (1.0f / (LEUKOCYTE_POINTS - 1)));
}

static inline float leukocyte_pixel(const float *x, const float *y, int64_t side)
{
	float along[LEUKOCYTE_POINTS], score;

	leukocyte_circle(x, y, side, 5, 4, along);
	score = leukocyte_score(along);
	leukocyte_circle(x, y, side, LEUKOCYTE_MARGIN, 6, along);
	return __builtin_fmaxf(score, leukocyte_score(along));
}

/* The largest of the pixels at @row - 1, @row and @row + 1, where there are some. */
static inline float leukocyte_row(const float *row, int64_t left, int64_t right)
{
	return __builtin_fmaxf(__builtin_fmaxf(row[left], row[right]), row[0]);
}

static inline float leukocyte_largest(const struct leukocyte_args *args, int64_t column,
				      int64_t row)
{
	int64_t side = args->side;
	const float *at = args->score + row * side + column;
	int64_t left = column ? -1 : 0, right = column < side - 1 ? 1 : 0;
	float large = leukocyte_row(at, left, right);

	large = __builtin_fmaxf(leukocyte_row(at - (row ? side : 0), left, right), large);
	return __builtin_fmaxf(leukocyte_row(at + (row < side - 1 ? side : 0), left, right), large);
}

#ifdef __riscv
#include <softgpu_kernel.h>

SGPU_REGISTERS(40);

void leukocyte_circles(const struct leukocyte_args *args)
{
	int64_t column = (int64_t)global_idx_x(), row = block_idx_y(), side = args->side;
	int64_t at = row * side + column;
	float score = 0.0f;

	if (column >= side)
		return;
	if ((uint64_t)(column - LEUKOCYTE_MARGIN) < (uint64_t)(side - 2 * LEUKOCYTE_MARGIN) &&
	    (uint64_t)(row - LEUKOCYTE_MARGIN) < (uint64_t)(side - 2 * LEUKOCYTE_MARGIN))
		score = leukocyte_pixel(args->x + at, args->y + at, side);
	args->score[at] = score;
}

void leukocyte_dilate(const struct leukocyte_args *args)
{
	int64_t column = (int64_t)global_idx_x(), row = block_idx_y();

	if (column < args->side)
		args->dilated[row * args->side + column] = leukocyte_largest(args, column, row);
}
#endif

#endif
