// SPDX-License-Identifier: GPL-2.0
/*
 * srad_v2: takes speckles out of an image, after Rodinia's srad_v2 (Yu and Acton, "Speckle
 * reducing anisotropic diffusion", IEEE Transactions on Image Processing 2002).
 *
 * An iteration has two launches, a thread per pixel and blocks of 16x16.  The first reads the
 * image and writes the differences with the four neighbours and a coefficient, which says how
 * smooth the place is; the second reads these five arrays and changes the image.  So each launch
 * sweeps six arrays, row by row.
 */
#ifndef KERNEL_SRAD_V2_C
#define KERNEL_SRAD_V2_C

#include <stdint.h>

#define SRAD_TILE	16	/* pixels of a side of a block */
#define SRAD_THREADS	(SRAD_TILE * SRAD_TILE)

/**
 * struct srad_args - arguments of both kernels
 * @image: the image
 * @c: diffusion coefficient
 * @north: difference with the pixel above
 * @south: and below
 * @west: and to the left
 * @east: and to the right
 * @side: of the image, pixels
 * @speckle: square of the speckles' scale at this time
 * @divisor: what follows from it: @speckle * (1 + @speckle)
 * @step: a quarter of the time step
 */
struct srad_args {
	float *image, *c;
	float *north, *south, *west, *east;
	uint64_t side;
	float speckle, divisor, step;
};

/* Where the image changes more than speckles do, 0; the same order of operations on both sides. */
static inline float srad_coefficient(float mid, float n, float s, float w, float e, float speckle,
				     float divisor)
{
	float gradient = (n * n + s * s + w * w + e * e) / (mid * mid);
	float laplace = (n + s + w + e) / mid;
	float near = 1.0f + 0.25f * laplace;
	float scale = (0.5f * gradient - 0.0625f * (laplace * laplace)) / (near * near);
	float c = 1.0f / (1.0f + (scale - speckle) / divisor);

	if (c < 0.0f)
		return 0.0f;
	return c > 1.0f ? 1.0f : c;
}

static inline void srad_differences(const struct srad_args *args, uint64_t x, uint64_t y)
{
	uint64_t side = args->side, i = y * side + x;
	const float *at = args->image + i;
	float mid = *at;
	/* Beyond the border is what is at the border. */
	float n = *(y ? at - side : at) - mid, s = *(y < side - 1 ? at + side : at) - mid;
	float w = *(x ? at - 1 : at) - mid, e = *(x < side - 1 ? at + 1 : at) - mid;

	args->north[i] = n;
	args->south[i] = s;
	args->west[i] = w;
	args->east[i] = e;
	args->c[i] = srad_coefficient(mid, n, s, w, e, args->speckle, args->divisor);
}

static inline void srad_diffuse(const struct srad_args *args, uint64_t x, uint64_t y)
{
	uint64_t side = args->side, i = y * side + x;
	const float *at = args->c + i;
	float c = *at, below = *(y < side - 1 ? at + side : at);
	float right = *(x < side - 1 ? at + 1 : at);

	args->image[i] += args->step * (c * args->north[i] + below * args->south[i] +
					c * args->west[i] + right * args->east[i]);
}

#ifdef __riscv
#include <softgpu_kernel.h>

SGPU_REGISTERS(40);

static inline uint64_t srad_x(void)
{
	return (uint64_t)block_idx_x() * SRAD_TILE + thread_idx_x() % SRAD_TILE;
}

static inline uint64_t srad_y(void)
{
	return (uint64_t)block_idx_y() * SRAD_TILE + thread_idx_x() / SRAD_TILE;
}

void srad_v2_differences(const struct srad_args *args)
{
	/* A copy: stores to the arrays cannot change that. */
	const struct srad_args copy = *args;
	uint64_t x = srad_x(), y = srad_y();

	if (x < copy.side && y < copy.side)
		srad_differences(&copy, x, y);
}

void srad_v2_diffuse(const struct srad_args *args)
{
	const struct srad_args copy = *args;
	uint64_t x = srad_x(), y = srad_y();

	if (x < copy.side && y < copy.side)
		srad_diffuse(&copy, x, y);
}
#endif

#endif
