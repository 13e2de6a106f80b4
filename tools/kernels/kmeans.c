// SPDX-License-Identifier: GPL-2.0
/*
 * kmeans: points go to the nearest of a few centres, which the CPU then moves, after
 * Rodinia's kmeans (Che et al., IISWC 2009).
 *
 * kmeans_invert turns the points, one after the other in memory, into columns, one per
 * feature: it reads "points" once in order and writes all columns side by side.
 * kmeans_nearest reads the same place of every column for the first centre, again for
 * the second one and so on, and writes "membership".  A page of a column is 1024 points
 * long and shared by four blocks.
 */
#ifndef KERNEL_KMEANS_C
#define KERNEL_KMEANS_C

#include <stdint.h>

#define KMEANS_BLOCK	256	/* threads, a point each */
#define KMEANS_FEATURES	34	/* of a point, as those of KDD Cup 1999 */
#define KMEANS_CENTRES	16	/* at most */

/**
 * struct kmeans_args - arguments of both kernels
 * @points: managed, KMEANS_FEATURES numbers of each point
 * @columns: managed, a number of each point for every feature
 * @membership: managed, the centre of each point
 * @count: points
 * @centres: how many
 * @centre: where they are; in constant memory, as in Rodinia
 */
struct kmeans_args {
	const float *points;
	float *columns;
	int32_t *membership;
	uint64_t count;
	uint32_t centres;
	float centre[KMEANS_CENTRES][KMEANS_FEATURES];
};

/* A term of the square of a distance; both sides add in the order of the features. */
static inline float kmeans_add(float sum, float feature, float centre)
{
	float difference = feature - centre;

	return sum + difference * difference;
}

#ifdef __riscv
#include <softgpu_kernel.h>

SGPU_REGISTERS(40);

void kmeans_invert(const struct kmeans_args *args)
{
	uint64_t point = global_idx_x(), count = args->count;
	const float *from = args->points + point * KMEANS_FEATURES;
	float *to = args->columns + point;

	if (point >= count)
		return;
#pragma unroll
	for (int i = 0; i < KMEANS_FEATURES; i++, to += count)
		*to = from[i];
}

static inline float kmeans_distance(const float *from, uint64_t count, const float *centre)
{
	float sum = 0.0f;

#pragma unroll
	for (int i = 0; i < KMEANS_FEATURES; i++, from += count)
		sum = kmeans_add(sum, *from, centre[i]);
	return sum;
}

void kmeans_nearest(const struct kmeans_args *args)
{
	uint64_t point = global_idx_x(), count = args->count, nearest = 0, centre;
	const float *from = args->columns + point;
	float least, distance;

	if (point >= count)
		return;
	least = kmeans_distance(from, count, args->centre[0]);
	for (centre = 1; centre < args->centres; centre++) {
		uint64_t closer;

		distance = kmeans_distance(from, count, args->centre[centre]);
		/* Without a branch, at which lanes would part; the compiler likes one better. */
		closer = -(uint64_t)(distance < least);
		__asm__("" : "+r"(closer));
		nearest ^= (nearest ^ centre) & closer;
		least = __builtin_fminf(least, distance);
	}
	args->membership[point] = (int32_t)nearest;
}
#endif

#endif
