// SPDX-License-Identifier: GPL-2.0
// PageRank by rounds: each vertex pushes its rank along its edges (Page and Brin, 1998).
//    ./pagerank [VERTICES [DEGREE [ROUNDS]]]
#include <cmath>
#include <vector>
#include "graph.h"

#define DAMPING	0.85f

__global__ void push(const unsigned int *first, const unsigned int *to, unsigned int vertices,
		     const float *rank, float *next)
{
	unsigned int v = blockIdx.x * blockDim.x + threadIdx.x;

	if (v >= vertices || first[v] == first[v + 1])
		return;

	float share = DAMPING * rank[v] / (first[v + 1] - first[v]);

	for (unsigned int e = first[v]; e < first[v + 1]; e++)
		atomicAdd(&next[to[e]], share);
}

__global__ void fill(float *values, float value, unsigned int n)
{
	for (unsigned int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
		values[i] = value;
}

int main(int argc, char **argv)
{
	graph g(argument(argc, argv, 1, 1 << 16), argument(argc, argv, 2, 16), 6);
	int rounds = argument(argc, argv, 3, 4);
	float *rank = managed<float>(g.vertices), *next = managed<float>(g.vertices);
	std::vector<double> wanted(g.vertices, 1.0 / g.vertices);
	unsigned int grid = blocks_for(g.vertices, 256);
	bool right = true;

	fill<<<32, 256>>>(rank, 1.0f / g.vertices, g.vertices);
	for (int round = 0; round < rounds; round++) {
		std::vector<double> more(g.vertices, (1 - DAMPING) / g.vertices);
		float *before = rank;

		fill<<<32, 256>>>(next, (1 - DAMPING) / g.vertices, g.vertices);
		push<<<grid, 256>>>(g.first, g.to, g.vertices, rank, next);
		rank = next;
		next = before;
		for (unsigned int v = 0; v < g.vertices; v++)
			for (unsigned int e = g.first[v]; e < g.first[v + 1]; e++)
				more[g.to[e]] += DAMPING * wanted[v] / (g.first[v + 1] - g.first[v]);
		wanted = more;
	}
	finish();
	for (unsigned int v = 0; v < g.vertices; v++)
		right &= std::fabs(rank[v] - wanted[v]) < 1e-3 * wanted[v];
	CHECK(cudaFree(rank));
	CHECK(cudaFree(next));
	return verdict("pagerank", right);
}
