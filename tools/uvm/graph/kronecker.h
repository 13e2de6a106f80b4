/* SPDX-License-Identifier: GPL-2.0 */
/* A generator of graphs: stochastic Kronecker graphs, also known as R-MAT. */
#ifndef UVM_KRONECKER_H
#define UVM_KRONECKER_H

#include <stdbool.h>
#include <stdint.h>

#include "graph/graph.h"

#define KRONECKER_SCALE_MAX	28

/**
 * struct kronecker - a graph to generate
 * @scale: log2 of the vertices, 1 ... KRONECKER_SCALE_MAX
 * @near: per cent of the edges within the first half of the vertices, and so on within it
 * @side: from one half to the other, of each of both directions
 * @far: within the second half; @near + 2 @side + @far is 100
 * @shuffled: vertices are numbered at random, as Graph 500 does, or hubs come first
 * @seed: of all that is random
 */
struct kronecker {
	unsigned int scale;
	unsigned int near;
	unsigned int side;
	unsigned int far;
	bool shuffled;
	uint64_t seed;
};

/* "NEAR,SIDE,SIDE,FAR", per cent. */
bool kronecker_parse(struct kronecker *k, const char *initiator);

/* @draws edges are drawn; loops and duplicates among them go.  0 or -ENOMEM. */
int kronecker_build(struct graph *g, const struct kronecker *k, uint64_t draws);

/* How many edges to draw, at most @max, so that about @edges stay, counting both directions. */
uint64_t kronecker_draws(const struct kronecker *k, uint64_t edges, uint64_t max);

#endif
