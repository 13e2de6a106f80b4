// SPDX-License-Identifier: GPL-2.0
/*
 * Lists of edges: two vertices a line, counted from 0, and what else there is about the edge, which
 * is not looked at: but each line has as much of it as the first.
 */
#include "graph/graph_read.h"

static bool list_claims(const char *text)
{
	(void)text;
	return true;
}

/* Numbers from @text to the end of the line; 0: something else is there. */
static unsigned int list_width(const char *text)
{
	unsigned int width = 0;

	for (; !graph_end(text); width++) {
		text = graph_skip(text);
		if (!graph_any_number(&text))
			return 0;
	}
	return width;
}

static void list_note(struct graph_reader *r, uint64_t from, uint64_t to)
{
	uint64_t low = from < to ? from : to, high = from < to ? to : from;

	if (!r->list.count)
		return;
	r->low = r->list.count == 1 || low < r->low ? low : r->low;
	r->high = high > r->high ? high : r->high;
}

static int list_line(struct graph_reader *r, const char *text)
{
	const char *line = text, *rest = text;
	uint64_t from, to;
	unsigned int width;

	text = graph_skip(text);
	if (*text == '#' || *text == '%' || graph_word(&rest, "c"))
		return 0;
	r->lines += r->list.count > 0;
	if (!*text)
		return 0;
	if (!graph_number(&text, &from) || !graph_number(&text, &to))
		return graph_bad(r, "not two numbers");
	width = list_width(line);
	if (!width)
		return graph_bad(r, "behind the two vertices is something that is no number");
	if (!r->list.count) {
		r->first[0] = from;
		r->first[1] = to;
		r->first[2] = UINT64_MAX;
		if (width > 2)
			graph_number(&text, &r->first[2]);
		r->width = width;
	} else if (width != r->width) {
		return graph_bad(r, "%u numbers, and %u in the first line: no list of edges "
				 "(a METIS file is to be named *.graph)", width, r->width);
	}
	list_note(r, from, to);
	return graph_edge(r, from, to, 0);
}

/*
 * A METIS file begins with its vertices and edges and maybe what else a line has, and has a line for
 * each vertex.  Its lines are as long as the first one if each vertex has so many neighbours.
 */
static bool list_may_be_metis(const struct graph_reader *r)
{
	const bool inside = r->low && r->high <= r->first[0];

	if (r->list.count < 2 || r->lines != r->first[0])
		return false;
	if (r->width == 2)
		return inside && r->list.count - 1 == r->first[1];
	return r->first[2] == 10 || r->first[2] == 11 || r->first[2] == 100 ||
	       (r->first[2] == 0 && inside);
}

static int list_finish(struct graph_reader *r)
{
	r->list.weighted = false;
	if (r->named || !list_may_be_metis(r))
		return 0;
	return graph_bad(r, "a METIS file, or a list of %llu edges: name it *.graph or *.el",
			 (unsigned long long)r->list.count);
}

static const char * const list_endings[] = { ".el", ".edges", NULL };

const struct graph_format graph_list_format = {
	.name = "list of edges",
	.endings = list_endings,
	.claims = list_claims,
	.line = list_line,
	.finish = list_finish,
};
