// SPDX-License-Identifier: GPL-2.0
// Shortest paths from vertex 0 by rounds of relaxation (Bellman and Ford).    ./sssp [VERTICES [DEGREE]]
#include <queue>
#include <utility>
#include <vector>
#include "graph.h"

#define FAR	0x7fffffffu

__device__ int changed;

__global__ void relax(const unsigned int *first, const unsigned int *to, const unsigned int *weight,
		      unsigned int vertices, unsigned int *distance)
{
	unsigned int v = blockIdx.x * blockDim.x + threadIdx.x;

	if (v >= vertices || distance[v] == FAR)
		return;
	for (unsigned int e = first[v]; e < first[v + 1]; e++) {
		unsigned int there = distance[v] + weight[e];

		if (atomicMin(&distance[to[e]], there) > there)
			changed = 1;
	}
}

static std::vector<unsigned int> by_dijkstra(const graph &g)
{
	typedef std::pair<unsigned int, unsigned int> entry;
	std::priority_queue<entry, std::vector<entry>, std::greater<entry>> queue;
	std::vector<unsigned int> distance(g.vertices, FAR);

	distance[0] = 0;
	queue.push(entry(0, 0));
	while (!queue.empty()) {
		entry nearest = queue.top();

		queue.pop();
		if (nearest.first > distance[nearest.second])
			continue;
		for (unsigned int e = g.first[nearest.second]; e < g.first[nearest.second + 1]; e++)
			if (nearest.first + g.weight[e] < distance[g.to[e]]) {
				distance[g.to[e]] = nearest.first + g.weight[e];
				queue.push(entry(distance[g.to[e]], g.to[e]));
			}
	}
	return distance;
}

int main(int argc, char **argv)
{
	graph g(argument(argc, argv, 1, 1 << 16), argument(argc, argv, 2, 16), 2, true);
	unsigned int *distance = managed<unsigned int>(g.vertices);
	int again = 1, rounds = 0;
	bool right = true;

	for (unsigned int v = 0; v < g.vertices; v++)
		distance[v] = v ? FAR : 0;
	while (again) {
		again = 0;
		CHECK(cudaMemcpyToSymbol(changed, &again, sizeof(again)));
		relax<<<blocks_for(g.vertices, 128), 128>>>(g.first, g.to, g.weight, g.vertices,
							    distance);
		CHECK(cudaMemcpyFromSymbol(&again, changed, sizeof(again)));
		rounds++;
	}
	finish();
	auto wanted = by_dijkstra(g);
	for (unsigned int v = 0; v < g.vertices; v++)
		right &= distance[v] == wanted[v];
	printf("%d rounds\n", rounds);
	CHECK(cudaFree(distance));
	return verdict("sssp", right);
}
