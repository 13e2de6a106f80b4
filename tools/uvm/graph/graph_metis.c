// SPDX-License-Identifier: GPL-2.0
/*
 * METIS files (manual of METIS 5.1, 4.1.1): "VERTICES EDGES [FMT [NCON]]", then a line for each
 * vertex: its size and weights, if FMT says so, and its neighbours, counted from 1, each with a
 * weight if FMT says so.  Each edge is there twice.
 */
#include "graph/graph_read.h"

#define METIS_EDGE_WEIGHTS	1
#define METIS_VERTEX_WEIGHTS	10
#define METIS_VERTEX_SIZES	100

static int metis_header(struct graph_reader *r, const char *text)
{
	uint64_t vertices, edges, fmt = 0, weights = 1;

	if (!graph_number(&text, &vertices) || !graph_number(&text, &edges))
		return graph_bad(r, "not 'VERTICES EDGES [FMT [NCON]]' of a METIS file");
	if (!graph_end(text) && !graph_number(&text, &fmt))
		return graph_bad(r, "FMT of a METIS file is three digits of 0 and 1");
	if (fmt > 111 || fmt % 10 > 1 || fmt / 10 % 10 > 1)
		return graph_bad(r, "FMT of a METIS file is three digits of 0 and 1");
	if (!graph_end(text) && (!graph_number(&text, &weights) || !graph_end(text)))
		return graph_bad(r, "not 'VERTICES EDGES [FMT [NCON]]' of a METIS file");
	if (edges > UINT64_MAX / 4)
		return graph_bad(r, "too many edges");
	r->edge_weights = fmt % 10;
	r->skip = (fmt / METIS_VERTEX_WEIGHTS % 10 ? weights : 0) + fmt / METIS_VERTEX_SIZES;
	r->list.weighted &= r->edge_weights;
	return graph_size(r, vertices, vertices, 2 * edges);
}

static int metis_vertex(struct graph_reader *r, const char *text)
{
	uint64_t to, weight = 0, i;
	int err = 0;

	if (r->vertex == r->rows)
		return graph_end(text) ? 0 : graph_bad(r, "a line more than there are vertices");
	for (i = 0; i < r->skip; i++)
		if (!graph_number(&text, &weight))
			return graph_bad(r, "%llu numbers must come before the neighbours",
					 (unsigned long long)r->skip);
	for (weight = 0; !err && !graph_end(text);) {
		if (!graph_number(&text, &to) || !to || to > r->rows)
			return graph_bad(r, "a neighbour must be 1 ... %llu",
					 (unsigned long long)r->rows);
		if (r->edge_weights && !graph_weight(&text, &weight))
			return graph_bad(r, "a weight must be 0 ... 4294967295");
		if (r->list.count == r->entries)
			return graph_bad(r, "more than the %llu edges of the first line, each twice",
					 (unsigned long long)r->entries / 2);
		err = graph_edge(r, r->vertex, to - 1, weight);
	}
	r->vertex++;
	return err;
}

static int metis_line(struct graph_reader *r, const char *text)
{
	if (*graph_skip(text) == '%')
		return 0;
	if (r->sized)
		return metis_vertex(r, text);
	return graph_end(text) ? 0 : metis_header(r, text);
}

static int metis_finish(struct graph_reader *r)
{
	if (!r->sized || r->vertex != r->rows || r->list.count != r->entries)
		return graph_bad(r, "the file is cut short: %llu of %llu vertices, %llu of %llu "
				 "neighbours", (unsigned long long)r->vertex,
				 (unsigned long long)r->rows, (unsigned long long)r->list.count,
				 (unsigned long long)r->entries);
	return 0;
}

static const char * const metis_endings[] = { ".graph", ".metis", NULL };

const struct graph_format graph_metis_format = {
	.name = "METIS file",
	.endings = metis_endings,
	.line = metis_line,
	.finish = metis_finish,
};
