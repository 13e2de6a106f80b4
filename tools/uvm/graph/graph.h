/* SPDX-License-Identifier: GPL-2.0 */
/* Graphs in compressed sparse rows: readers, a search on the CPU. */
#ifndef UVM_GRAPH_H
#define UVM_GRAPH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#define GRAPH_VERTICES_MAX	(1ULL << 31)

/**
 * struct graph - an undirected graph; each edge is stored in both directions
 * @vertices: how many
 * @edges: how many, counting both directions
 * @row: vertices + 1 positions in @column
 * @column: neighbours, ascending, without duplicates and loops
 * @weight: of each entry of @column, the same in both directions; NULL if the
 *	graph has none
 */
struct graph {
	uint64_t vertices;
	uint64_t edges;
	uint64_t *row;
	uint32_t *column;
	uint32_t *weight;
};

/**
 * struct graph_list - edges while they are collected
 * @from: one end
 * @to: the other
 * @weight: of each edge, with @weighted
 * @count: how many
 * @room: room for so many
 * @vertices: highest vertex, plus 1
 * @weighted: edges have weights
 */
struct graph_list {
	uint32_t *from;
	uint32_t *to;
	uint32_t *weight;
	uint64_t count;
	uint64_t room;
	uint64_t vertices;
	bool weighted;
};

/* One more edge; 0 or -ENOMEM. */
int graph_add(struct graph_list *list, uint64_t from, uint64_t to, uint64_t weight);

/* A list of edges becomes rows; of duplicates the least weight stays.  Frees the list. */
int graph_build(struct graph *g, struct graph_list *list);
void graph_list_free(struct graph_list *list);

/**
 * graph_read() - read a list of edges, a Matrix Market, DIMACS or METIS file
 * @g: filled; free it with graph_free()
 * @file: the file, in one of the formats of graph_list.c, graph_matrix.c, graph_dimacs.c,
 *	graph_metis.c
 * @name: its name; what it ends in says what the file is, else the first line does
 * @weights: read weights, where there are some: those of DIMACS files, of METIS files with weights
 *	of edges, of matrices of whole numbers
 * @error: what is wrong, on failure, with the line
 * @error_bytes: room in @error
 *
 * Returns 0 or a negative errno.
 */
int graph_read(struct graph *g, FILE *file, const char *name, bool weights, char *error,
	       size_t error_bytes);

/* Distance of every vertex from @start, @unseen where there is no way. */
int graph_levels(const struct graph *g, uint32_t start, int32_t unseen, int32_t *level);

/* The vertex with most neighbours, the first of them. */
uint32_t graph_hub(const struct graph *g);

void graph_free(struct graph *g);

#endif
