/* SPDX-License-Identifier: GPL-2.0 */
/* A random directed graph in managed memory: the edges of vertex v lead to to[first[v]] and on. */
#ifndef GRAPH_H
#define GRAPH_H

#include "example.h"

struct graph {
	unsigned int vertices, edges;
	unsigned int *first, *to, *weight;

	graph(unsigned int vertices, unsigned int degree, unsigned int seed, bool weighted = false)
		: vertices(vertices), edges(vertices * degree), weight(nullptr)
	{
		random_numbers numbers(seed);

		first = managed<unsigned int>(vertices + 1);
		to = managed<unsigned int>(edges);
		if (weighted)
			weight = managed<unsigned int>(edges);
		for (unsigned int v = 0; v <= vertices; v++)
			first[v] = v * degree;
		for (unsigned int e = 0; e < edges; e++) {
			/* one edge of each vertex leads to the next, so all can be reached */
			to[e] = e % degree ? numbers.next() % vertices : (e / degree + 1) % vertices;
			if (weighted)
				weight[e] = 1 + numbers.next() % 64;
		}
	}
	~graph()
	{
		CHECK(cudaFree(first));
		CHECK(cudaFree(to));
		CHECK(cudaFree(weight));
	}
};

#endif
