// SPDX-License-Identifier: GPL-2.0
// Breadth-first search, a launch for each level.    ./bfs [VERTICES [DEGREE]]
#include <queue>
#include <vector>
#include "graph.h"

#define FAR	0xffffffffu

__global__ void level(const unsigned int *first, const unsigned int *to, unsigned int vertices,
		      unsigned int *distance, unsigned int now, int *more)
{
	unsigned int v = blockIdx.x * blockDim.x + threadIdx.x;

	if (v >= vertices || distance[v] != now)
		return;
	for (unsigned int e = first[v]; e < first[v + 1]; e++) {
		if (distance[to[e]] != FAR)
			continue;
		// several threads may find it; all write the same
		distance[to[e]] = now + 1;
		*more = 1;
	}
}

static std::vector<unsigned int> by_queue(const graph &g)
{
	std::vector<unsigned int> distance(g.vertices, FAR);
	std::queue<unsigned int> queue;

	distance[0] = 0;
	for (queue.push(0); !queue.empty(); queue.pop()) {
		unsigned int v = queue.front();

		for (unsigned int e = g.first[v]; e < g.first[v + 1]; e++)
			if (distance[g.to[e]] == FAR) {
				distance[g.to[e]] = distance[v] + 1;
				queue.push(g.to[e]);
			}
	}
	return distance;
}

int main(int argc, char **argv)
{
	graph g(argument(argc, argv, 1, 1 << 16), argument(argc, argv, 2, 16), 1);
	unsigned int *distance = managed<unsigned int>(g.vertices), now = 0;
	int *more = managed<int>(1);
	bool right = true;

	for (unsigned int v = 0; v < g.vertices; v++)
		distance[v] = v ? FAR : 0;
	do {
		*more = 0;
		level<<<blocks_for(g.vertices, 256), 256>>>(g.first, g.to, g.vertices, distance, now++,
							    more);
		finish();
	} while (*more);
	auto wanted = by_queue(g);
	for (unsigned int v = 0; v < g.vertices; v++)
		right &= distance[v] == wanted[v];
	printf("%u levels\n", now);
	CHECK(cudaFree(distance));
	CHECK(cudaFree(more));
	return verdict("bfs", right);
}
