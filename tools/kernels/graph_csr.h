/* SPDX-License-Identifier: GPL-2.0 */
/* A graph as the kernels of the GraphBIG workloads see it. */
#ifndef KERNEL_GRAPH_CSR_H
#define KERNEL_GRAPH_CSR_H

#include <stdint.h>

#define GRAPH_INFINITY	0xffffff00U	/* not reached yet, as in GraphBIG */
#define GRAPH_LANES	32		/* of a warp */
#define GRAPH_CHUNK	32		/* vertices that a warp takes, one after the other */

/**
 * struct graph_csr - compressed sparse rows, 64-bit throughout as in GraphBIG
 * @row: where the edges of each vertex begin; vertices + 1
 * @column: neighbours
 * @vertices: how many
 */
struct graph_csr {
	const uint64_t *row;
	const uint64_t *column;
	uint64_t vertices;
};

#endif
