// SPDX-License-Identifier: GPL-2.0
/* Graphs from files: edge lists, Matrix Market, DIMACS. */
#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "graph.h"

enum graph_format {
	GRAPH_LIST,		/* two numbers a line, vertices counted from 0 */
	GRAPH_MATRIX,
	GRAPH_DIMACS,
};

/**
 * struct graph_reader - state of reading a file
 * @list: edges so far
 * @line: number
 * @format: of the file
 * @sized: the line with the sizes was read
 * @rows: of that line; vertices of a DIMACS file
 * @columns: of that line
 * @entries: of that line
 * @error: what is wrong
 * @error_bytes: room in @error
 */
struct graph_reader {
	struct graph_list list;
	uint64_t line;
	enum graph_format format;
	bool sized;
	uint64_t rows, columns, entries;
	char *error;
	size_t error_bytes;
};

static const char *graph_skip(const char *text)
{
	while (isspace((unsigned char)*text))
		text++;
	return text;
}

/* One whole number and what follows it; false if there is none. */
static bool graph_number(const char **text, uint64_t *value)
{
	char *end;

	*text = graph_skip(*text);
	if (!isdigit((unsigned char)**text))
		return false;
	errno = 0;
	*value = strtoull(*text, &end, 10);
	*text = end;
	return !errno && (!*end || isspace((unsigned char)*end));
}

static bool graph_weight(const char **text, uint64_t *weight)
{
	return graph_number(text, weight) && *weight <= UINT32_MAX;
}

/* The word @word, and what follows it. */
static bool graph_word(const char **text, const char *word)
{
	size_t length = strlen(word);

	*text = graph_skip(*text);
	if (strncmp(*text, word, length))
		return false;
	*text += length;
	return !**text || isspace((unsigned char)**text);
}

static int graph_bad(struct graph_reader *r, const char *what)
{
	snprintf(r->error, r->error_bytes, "line %llu: %s", (unsigned long long)r->line, what);
	return -EINVAL;
}

static int graph_no_memory(struct graph_reader *r)
{
	snprintf(r->error, r->error_bytes, "out of memory");
	return -ENOMEM;
}

/* Vertices counted from 0. */
static int graph_edge(struct graph_reader *r, uint64_t from, uint64_t to, uint64_t weight)
{
	if (from >= GRAPH_VERTICES_MAX || to >= GRAPH_VERTICES_MAX)
		return graph_bad(r, "vertex number too large");
	if (r->sized && r->list.count == r->entries)
		return graph_bad(r, "the file is too long");
	return graph_add(&r->list, from, to, weight) ? graph_no_memory(r) : 0;
}

static int graph_size(struct graph_reader *r, uint64_t rows, uint64_t columns, uint64_t entries)
{
	if (rows > GRAPH_VERTICES_MAX || columns > GRAPH_VERTICES_MAX)
		return graph_bad(r, "too many vertices");
	r->rows = rows;
	r->columns = columns;
	r->entries = entries;
	r->sized = true;
	return 0;
}

static int graph_matrix_line(struct graph_reader *r, const char *text)
{
	uint64_t from, to, last = 0;

	if (!graph_number(&text, &from) || !graph_number(&text, &to))
		return graph_bad(r, "not two numbers");
	if (!r->sized) {
		if (!graph_number(&text, &last))
			return graph_bad(r, "not a size line");
		return graph_size(r, from, to, last);
	}
	if (!from || !to || from > r->rows || to > r->columns)
		return graph_bad(r, "outside the matrix");
	if (r->list.weighted && !graph_weight(&text, &last))
		return graph_bad(r, "a weight must be 0 ... 4294967295");
	return graph_edge(r, from - 1, to - 1, last);
}

static int graph_problem(struct graph_reader *r, const char *text)
{
	uint64_t vertices, arcs;

	if (r->sized || r->list.count)
		return graph_bad(r, "a second problem line");
	if (!graph_word(&text, "sp") || !graph_number(&text, &vertices) ||
	    !graph_number(&text, &arcs) || *graph_skip(text))
		return graph_bad(r, "not 'p sp VERTICES ARCS'");
	r->format = GRAPH_DIMACS;
	return graph_size(r, vertices, vertices, arcs);
}

static int graph_arc(struct graph_reader *r, const char *text)
{
	uint64_t from, to, weight;

	if (!r->sized)
		return graph_bad(r, "an arc before the problem line");
	if (!graph_number(&text, &from) || !graph_number(&text, &to))
		return graph_bad(r, "not 'a FROM TO WEIGHT'");
	if (!from || !to || from > r->rows || to > r->rows)
		return graph_bad(r, "outside the graph");
	if (!graph_weight(&text, &weight) || *graph_skip(text))
		return graph_bad(r, "a weight must be 0 ... 4294967295");
	return graph_edge(r, from - 1, to - 1, weight);
}

/* Comments and the problem line may come before it is known what the file is. */
static int graph_list_line(struct graph_reader *r, const char *text)
{
	uint64_t from, to;
	const char *rest;

	rest = text;
	if (graph_word(&rest, "c"))
		return 0;
	rest = text;
	if (graph_word(&rest, "p"))
		return graph_problem(r, rest);
	rest = text;
	if (graph_word(&rest, "a"))
		return graph_arc(r, rest);
	if (r->format == GRAPH_DIMACS)
		return graph_bad(r, "neither comment nor arc");
	if (!graph_number(&text, &from) || !graph_number(&text, &to))
		return graph_bad(r, "not two numbers");
	return graph_edge(r, from, to, 0);
}

static int graph_header(struct graph_reader *r, const char *text)
{
	static const char banner[] = "%%MatrixMarket ";

	if (strncmp(text, banner, sizeof(banner) - 1))
		return 0;
	text += sizeof(banner) - 1;
	if (strncmp(text, "matrix coordinate ", 18))
		return graph_bad(r, "only coordinate matrices");
	text += 18;
	r->format = GRAPH_MATRIX;
	r->list.weighted &= graph_word(&text, "integer");
	return 0;
}

static int graph_line(struct graph_reader *r, const char *text)
{
	int err = 0;

	if (r->line == 1)
		err = graph_header(r, text);
	text = graph_skip(text);
	if (err || !*text || *text == '#' || *text == '%')
		return err;
	return r->format == GRAPH_MATRIX ? graph_matrix_line(r, text) : graph_list_line(r, text);
}

static int graph_finish(struct graph_reader *r)
{
	if (r->format != GRAPH_LIST && (!r->sized || r->list.count != r->entries))
		return graph_bad(r, "the file is cut short");
	if (!r->list.count)
		return graph_bad(r, "no edges");
	/* There may be vertices without any edge. */
	if (r->rows > r->list.vertices)
		r->list.vertices = r->rows;
	if (r->columns > r->list.vertices)
		r->list.vertices = r->columns;
	/* An edge list has none, but only its end told that it is one. */
	if (r->format == GRAPH_LIST)
		r->list.weighted = false;
	return 0;
}

int graph_read(struct graph *g, FILE *file, bool weights, char *error, size_t error_bytes)
{
	struct graph_reader r = {
		.list.weighted = weights, .error = error, .error_bytes = error_bytes,
	};
	char *line = NULL;
	size_t room = 0;
	int err = 0;

	memset(g, 0, sizeof(*g));
	while (!err && getline(&line, &room, file) >= 0) {
		r.line++;
		err = graph_line(&r, line);
	}
	free(line);
	if (!err && ferror(file))
		err = graph_bad(&r, "cannot read on");
	if (!err)
		err = graph_finish(&r);
	if (err) {
		graph_list_free(&r.list);
		return err;
	}
	return graph_build(g, &r.list) ? graph_no_memory(&r) : 0;
}
