/* SPDX-License-Identifier: GPL-2.0 */
/* Graphs in compressed sparse rows: readers, a generator, a search on the CPU. */
#ifndef UVM_GRAPH_H
#define UVM_GRAPH_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

/**
 * struct graph - an undirected graph; each edge is stored in both directions
 * @vertices: how many
 * @edges: how many, counting both directions
 * @row: vertices + 1 positions in @column
 * @column: neighbours, ascending, without duplicates and loops
 */
struct graph {
	uint64_t vertices;
	uint64_t edges;
	uint64_t *row;
	uint32_t *column;
};

/**
 * graph_read() - read an edge list or a Matrix Market file
 * @g: filled; free it with graph_free()
 * @file: lines of two whole numbers; '#' and '%' begin comments.  A first line
 *	"%%MatrixMarket matrix coordinate ..." makes it a Matrix Market file,
 *	with a size line and vertices counted from 1
 * @error: what is wrong, on failure
 * @error_bytes: room in @error
 *
 * Returns 0 or a negative errno.
 */
int graph_read(struct graph *g, FILE *file, char *error, size_t error_bytes);

/**
 * graph_kronecker() - a Kronecker graph with the usual initiator .57 .19 .19 .05
 * @g: filled
 * @scale: log2 of the vertices, 1 ... 28
 * @degree: edges drawn per vertex
 * @seed: of the generator
 */
int graph_kronecker(struct graph *g, unsigned int scale, uint64_t degree, uint64_t seed);

/* Distance of every vertex from @start, @unseen where there is no way. */
int graph_levels(const struct graph *g, uint32_t start, int32_t unseen, int32_t *level);

/* The vertex with most neighbours, the first of them. */
uint32_t graph_hub(const struct graph *g);

void graph_free(struct graph *g);

#endif
