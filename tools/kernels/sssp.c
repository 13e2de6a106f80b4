// SPDX-License-Identifier: GPL-2.0
/*
 * sssp: shortest paths from one vertex by rounds (Harish and Narayanan, HiPC 2007), as the program
 * of that name which comes with the adaptive framework's simulator (Ganguly et al., DATE 2021).
 *
 * A thread for each vertex.  sssp_relax looks at the edges of marked ones and proposes distances in
 * "updating"; sssp_adopt takes what is shorter, and marks.  "mask" is swept by every launch,
 * "distance" and "updating" by every second one, while proposals go anywhere.
 *
 * A minimum does not depend on the order in which it is found, so results repeat.
 */
#ifndef KERNEL_SSSP_C
#define KERNEL_SSSP_C

#include <float.h>
#include <stdint.h>

#define SSSP_INFINITY	FLT_MAX	/* not reached yet */

/**
 * struct sssp_args - arguments of all kernels
 * @first: edge of each vertex; they end where those of the next one begin
 * @edges: where each leads
 * @weights: not negative
 * @mask: 1 for vertices whose distance changed
 * @distance: so far
 * @updating: proposed
 * @vertices: how many
 * @edge_count: how many
 * @start: where paths begin
 */
struct sssp_args {
	const uint32_t *first;
	const uint32_t *edges;
	const float *weights;
	uint8_t *mask;
	float *distance;
	float *updating;
	uint64_t vertices;
	uint64_t edge_count;
	uint64_t start;
};

#ifdef __riscv
#include <softgpu_kernel.h>

SGPU_REGISTERS(24);

/* Floats that are not negative are ordered as their bits are. */
static inline void sssp_min(float *at, float value)
{
	union {
		float value;
		uint32_t bits;
	} to = { value };

	atomic_min_u32((uint32_t *)at, to.bits);
}

void sssp_init(const struct sssp_args *args)
{
	uint64_t v = global_idx_x();
	float distance = v == args->start ? 0 : SSSP_INFINITY;

	if (v >= args->vertices)
		return;
	args->mask[v] = v == args->start;
	args->distance[v] = distance;
	args->updating[v] = distance;
}

void sssp_relax(const struct sssp_args *args)
{
	uint64_t v = global_idx_x(), last = args->vertices - 1, edge, end;
	/* Copies: proposals cannot change these. */
	const uint32_t *edges = args->edges;
	const float *weights = args->weights;
	float *updating = args->updating;
	float distance;

	if (v > last || !args->mask[v])
		return;
	args->mask[v] = 0;
	distance = args->distance[v];
	edge = args->first[v];
	end = v < last ? args->first[v + 1] : args->edge_count;
	for (; edge < end; edge++)
		sssp_min(updating + edges[edge], distance + weights[edge]);
}

void sssp_adopt(const struct sssp_args *args)
{
	uint64_t v = global_idx_x();
	float distance, proposed;

	if (v >= args->vertices)
		return;
	distance = args->distance[v];
	proposed = args->updating[v];
	if (distance > proposed) {
		distance = proposed;
		args->distance[v] = proposed;
		args->mask[v] = 1;
	}
	/* As the original: also where there is nothing new. */
	args->updating[v] = distance;
}
#endif

#endif
