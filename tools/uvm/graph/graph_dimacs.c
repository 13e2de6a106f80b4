// SPDX-License-Identifier: GPL-2.0
/* Files of the ninth DIMACS challenge: "p sp VERTICES ARCS", "a FROM TO WEIGHT", counted from 1. */
#include "graph/graph_read.h"

static bool dimacs_claims(const char *text)
{
	const char *rest = text;

	return graph_word(&rest, "p") || (rest = text, graph_word(&rest, "a"));
}

static int dimacs_problem(struct graph_reader *r, const char *text)
{
	uint64_t vertices, arcs;

	if (r->sized)
		return graph_bad(r, "a second problem line");
	if (!graph_word(&text, "sp") || !graph_number(&text, &vertices) ||
	    !graph_number(&text, &arcs) || !graph_end(text))
		return graph_bad(r, "not 'p sp VERTICES ARCS'");
	return graph_size(r, vertices, vertices, arcs);
}

static int dimacs_arc(struct graph_reader *r, const char *text)
{
	uint64_t from, to, weight;

	if (!r->sized)
		return graph_bad(r, "an arc before the problem line");
	if (r->list.count == r->entries)
		return graph_bad(r, "the file is too long");
	if (!graph_number(&text, &from) || !graph_number(&text, &to))
		return graph_bad(r, "not 'a FROM TO WEIGHT'");
	if (!from || !to || from > r->rows || to > r->rows)
		return graph_bad(r, "outside the graph");
	if (!graph_weight(&text, &weight) || !graph_end(text))
		return graph_bad(r, "a weight must be 0 ... 4294967295");
	return graph_edge(r, from - 1, to - 1, weight);
}

static int dimacs_line(struct graph_reader *r, const char *text)
{
	const char *rest = text;

	if (graph_end(text) || graph_word(&rest, "c") || *rest == '#' || *rest == '%')
		return 0;
	rest = text;
	if (graph_word(&rest, "p"))
		return dimacs_problem(r, rest);
	if (graph_word(&rest, "a"))
		return dimacs_arc(r, rest);
	return graph_bad(r, "neither comment nor arc");
}

static const char * const dimacs_endings[] = { ".gr", NULL };

const struct graph_format graph_dimacs_format = {
	.name = "DIMACS file",
	.endings = dimacs_endings,
	.claims = dimacs_claims,
	.line = dimacs_line,
	.finish = graph_complete,
};
