// SPDX-License-Identifier: GPL-2.0
/*
 * Graphs from files: which format it is, and what all of them need.
 *
 * A file is what its name says (.mtx, .gr, .graph), or what its first line says.  What looks like
 * one of the formats but is not is refused, lest it be read as a list of edges.
 */
#include <ctype.h>
#include <errno.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "graph/graph_read.h"

/*
 * So many vertices may have no edges, and each edge may leave so many out: memory is bound by what
 * is in the file, not by the largest number in it.
 */
#define GRAPH_ALONE_MAX		(1ULL << 20)
#define GRAPH_ALONE_PER_EDGE	64

/* In the order in which they are asked; a list is what is left. */
static const struct graph_format * const formats[] = {
	&graph_matrix_format, &graph_dimacs_format, &graph_metis_format, &graph_list_format,
};

#define FORMATS	(sizeof(formats) / sizeof(formats[0]))

int graph_bad(struct graph_reader *r, const char *format, ...)
{
	int used = snprintf(r->error, r->error_bytes, "line %llu: ", (unsigned long long)r->line);
	va_list args;

	va_start(args, format);
	if (used > 0 && (size_t)used < r->error_bytes)
		vsnprintf(r->error + used, r->error_bytes - (size_t)used, format, args);
	va_end(args);
	return -EINVAL;
}

static int graph_no_memory(struct graph_reader *r)
{
	snprintf(r->error, r->error_bytes, "out of memory");
	return -ENOMEM;
}

const char *graph_skip(const char *text)
{
	while (isspace((unsigned char)*text))
		text++;
	return text;
}

bool graph_end(const char *text)
{
	return !*graph_skip(text);
}

bool graph_number(const char **text, uint64_t *value)
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

bool graph_any_number(const char **text)
{
	char *end;

	strtod(*text, &end);
	if (end == *text || (*end && !isspace((unsigned char)*end)))
		return false;
	*text = end;
	return true;
}

bool graph_weight(const char **text, uint64_t *weight)
{
	return graph_number(text, weight) && *weight <= UINT32_MAX;
}

bool graph_word(const char **text, const char *word)
{
	size_t length = strlen(word);

	*text = graph_skip(*text);
	if (strncasecmp(*text, word, length) ||
	    ((*text)[length] && !isspace((unsigned char)(*text)[length])))
		return false;
	*text += length;
	return true;
}

int graph_edge(struct graph_reader *r, uint64_t from, uint64_t to, uint64_t weight)
{
	if (from >= GRAPH_VERTICES_MAX || to >= GRAPH_VERTICES_MAX)
		return graph_bad(r, "vertex number too large");
	return graph_add(&r->list, from, to, weight) ? graph_no_memory(r) : 0;
}

int graph_complete(struct graph_reader *r)
{
	return r->sized && r->list.count == r->entries ? 0 :
	       graph_bad(r, "the file is cut short");
}

int graph_size(struct graph_reader *r, uint64_t rows, uint64_t columns, uint64_t entries)
{
	if (rows > GRAPH_VERTICES_MAX || columns > GRAPH_VERTICES_MAX)
		return graph_bad(r, "too many vertices");
	r->rows = rows;
	r->columns = columns;
	r->entries = entries;
	r->sized = true;
	return 0;
}

static bool graph_ends_in(const char *name, const char *ending)
{
	size_t length = strlen(name), tail = strlen(ending);

	return length > tail && !strcasecmp(name + length - tail, ending);
}

static const struct graph_format *graph_by_name(const char *name)
{
	size_t i, j;

	for (i = 0; i < FORMATS; i++)
		for (j = 0; formats[i]->endings[j]; j++)
			if (graph_ends_in(name, formats[i]->endings[j]))
				return formats[i];
	return NULL;
}

static const struct graph_format *graph_by_line(const char *text)
{
	size_t i;

	for (i = 0; i < FORMATS; i++)
		if (formats[i]->claims && formats[i]->claims(text))
			return formats[i];
	return NULL;
}

/* Before it is known what the file is these are comments: of a list or of DIMACS. */
static bool graph_is_comment(const char *text)
{
	return !*text || *text == '#' || *text == '%' || graph_word(&text, "c");
}

static int graph_line(struct graph_reader *r, const char *text)
{
	if (!r->format && r->line == 1 && graph_matrix_format.claims(text))
		r->format = &graph_matrix_format;
	if (!r->format) {
		if (graph_is_comment(graph_skip(text)))
			return 0;
		r->format = graph_by_line(text);
	}
	return r->format->line(r, text);
}

static int graph_finish(struct graph_reader *r)
{
	uint64_t vertices;
	int err = r->format ? r->format->finish(r) : 0;

	if (err)
		return err;
	if (!r->list.count)
		return graph_bad(r, "no edges");
	/* There may be vertices without any edge. */
	vertices = r->rows > r->columns ? r->rows : r->columns;
	if (vertices > r->list.vertices)
		r->list.vertices = vertices;
	if (r->list.vertices > GRAPH_ALONE_MAX + GRAPH_ALONE_PER_EDGE * r->list.count)
		return graph_bad(r, "%llu vertices for %llu edges: number those that have edges, "
				 "one after the other", (unsigned long long)r->list.vertices,
				 (unsigned long long)r->list.count);
	return 0;
}

/* A mark that some editors put before the first line. */
static const char *graph_without_mark(const char *text)
{
	return strncmp(text, "\xef\xbb\xbf", 3) ? text : text + 3;
}

int graph_read(struct graph *g, FILE *file, const char *name, bool weights, char *error,
	       size_t error_bytes)
{
	struct graph_reader r = {
		.format = graph_by_name(name), .list.weighted = weights, .error = error,
		.error_bytes = error_bytes,
	};
	char *line = NULL;
	size_t room = 0;
	int err = 0;

	memset(g, 0, sizeof(*g));
	r.named = r.format;
	while (!err && getline(&line, &room, file) >= 0) {
		r.line++;
		err = graph_line(&r, r.line == 1 ? graph_without_mark(line) : line);
	}
	free(line);
	if (!err && ferror(file))
		err = graph_bad(&r, "cannot read on");
	else if (!err && !feof(file))
		err = graph_no_memory(&r);	/* for a line */
	if (!err)
		err = graph_finish(&r);
	if (err) {
		graph_list_free(&r.list);
		return err;
	}
	return graph_build(g, &r.list) ? graph_no_memory(&r) : 0;
}
