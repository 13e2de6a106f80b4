// SPDX-License-Identifier: GPL-2.0
// k-means: each point goes to the nearest centre, and centres to the middle of their points (Lloyd).
// Centres are in constant memory.    ./kmeans [POINTS [ROUNDS]]
#include <cmath>
#include <vector>
#include "example.h"

#define FEATURES	8
#define CENTRES		5

__constant__ float centre[CENTRES][FEATURES];

/* A feature of all points lies together, so that a warp reads one line. */
__global__ void assign(const float *feature, int *nearest, int points)
{
	int p = blockIdx.x * blockDim.x + threadIdx.x, best = 0;
	float least = INFINITY;

	if (p >= points)
		return;
	for (int c = 0; c < CENTRES; c++) {
		float distance = 0;

		for (int f = 0; f < FEATURES; f++) {
			float d = feature[f * points + p] - centre[c][f];

			distance += d * d;
		}
		if (distance < least) {
			least = distance;
			best = c;
		}
	}
	nearest[p] = best;
}

/* A row of blocks for each feature.  A thread adds up what it sees, then adds that to the sum of all. */
__global__ void sum(const float *feature, const int *nearest, int points, float *sums, int *members)
{
	int f = blockIdx.y, count[CENTRES] = {};
	float mine[CENTRES] = {};

	for (int p = blockIdx.x * blockDim.x + threadIdx.x; p < points; p += gridDim.x * blockDim.x)
#pragma unroll
		for (int c = 0; c < CENTRES; c++)
			if (nearest[p] == c) {
				mine[c] += feature[f * points + p];
				count[c]++;
			}
#pragma unroll
	for (int c = 0; c < CENTRES; c++) {
		atomicAdd(&sums[c * FEATURES + f], mine[c]);
		if (f == 0)
			atomicAdd(&members[c], count[c]);
	}
}

static float squared(const float *feature, int points, int p, const float *c)
{
	float distance = 0;

	for (int f = 0; f < FEATURES; f++)
		distance += (feature[f * points + p] - c[f]) * (feature[f * points + p] - c[f]);
	return distance;
}

int main(int argc, char **argv)
{
	int points = argument(argc, argv, 1, 1 << 18), rounds = argument(argc, argv, 2, 3);
	float *feature = managed<float>((size_t)points * FEATURES);
	float *sums = managed<float>(CENTRES * FEATURES), now[CENTRES][FEATURES];
	int *nearest = managed<int>(points), *members = managed<int>(CENTRES);
	random_numbers numbers(5);
	bool right = true;

	for (int p = 0; p < points; p++)
		for (int f = 0; f < FEATURES; f++)
			feature[f * points + p] = numbers.fraction() + (p % CENTRES) * (f % 3);
	for (int c = 0; c < CENTRES; c++)
		for (int f = 0; f < FEATURES; f++)
			now[c][f] = feature[f * points + c];
	for (int round = 0; round < rounds; round++) {
		CHECK(cudaMemcpyToSymbol(centre, now, sizeof(now)));
		CHECK(cudaMemset(sums, 0, CENTRES * FEATURES * sizeof(*sums)));
		CHECK(cudaMemset(members, 0, CENTRES * sizeof(*members)));
		assign<<<blocks_for(points, 256), 256>>>(feature, nearest, points);
		sum<<<dim3(4, FEATURES), 256>>>(feature, nearest, points, sums, members);
		finish();
		/* nobody is nearer than the one that was found, but for rounding */
		for (int p = 0; p < points; p++)
			for (int c = 0; c < CENTRES; c++)
				right &= squared(feature, points, p, now[nearest[p]]) <=
					 squared(feature, points, p, now[c]) * 1.0001f;
		for (int c = 0; c < CENTRES; c++)
			for (int f = 0; f < FEATURES; f++)
				now[c][f] = members[c] ? sums[c * FEATURES + f] / members[c] : 0;
	}
	/* the last middles, added here */
	for (int c = 0; c < CENTRES; c++)
		for (int f = 0; f < FEATURES; f++) {
			double all = 0;
			int count = 0;

			for (int p = 0; p < points; p++)
				if (nearest[p] == c) {
					all += feature[f * points + p];
					count++;
				}
			right &= count == members[c] &&
				 (!count || std::fabs(now[c][f] - all / count) < 1e-2);
		}
	CHECK(cudaFree(feature));
	CHECK(cudaFree(sums));
	CHECK(cudaFree(nearest));
	CHECK(cudaFree(members));
	return verdict("kmeans", right);
}
