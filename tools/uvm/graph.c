// SPDX-License-Identifier: GPL-2.0
/* Graphs in compressed sparse rows. */
#include <ctype.h>
#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "graph.h"
#include "workload.h"

#define GRAPH_VERTICES_MAX	(1ULL << 31)

struct graph_pair {
	uint32_t from, to;
};

/**
 * struct graph_list - edges while they are collected
 * @pair: edges
 * @count: how many
 * @room: room for so many
 * @vertices: highest vertex, plus 1
 */
struct graph_list {
	struct graph_pair *pair;
	uint64_t count;
	uint64_t room;
	uint64_t vertices;
};

static int graph_add(struct graph_list *list, uint64_t from, uint64_t to)
{
	struct graph_pair *pair;
	uint64_t room;

	if (list->count == list->room) {
		room = list->room ? 2 * list->room : 4096;
		pair = realloc(list->pair, room * sizeof(*pair));
		if (!pair)
			return -ENOMEM;
		list->pair = pair;
		list->room = room;
	}
	if (from >= list->vertices)
		list->vertices = from + 1;
	if (to >= list->vertices)
		list->vertices = to + 1;
	list->pair[list->count].from = (uint32_t)from;
	list->pair[list->count].to = (uint32_t)to;
	list->count++;
	return 0;
}

static int graph_compare(const void *a, const void *b)
{
	uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;

	return x < y ? -1 : x > y;
}

/* Sort each row and squeeze duplicates out. */
static void graph_tidy(struct graph *g)
{
	uint64_t v, i, begin = 0, end, out = 0;

	for (v = 0; v < g->vertices; v++) {
		end = g->row[v + 1];
		qsort(g->column + begin, end - begin, sizeof(*g->column), graph_compare);
		g->row[v] = out;
		for (i = begin; i < end; i++)
			if (i == begin || g->column[i] != g->column[i - 1])
				g->column[out++] = g->column[i];
		begin = end;
	}
	g->row[g->vertices] = out;
	g->edges = out;
}

/* A list of edges becomes rows; consumes the list. */
static int graph_build(struct graph *g, struct graph_list *list)
{
	uint64_t *fill = NULL;
	uint64_t i;
	int err = -ENOMEM;

	memset(g, 0, sizeof(*g));
	g->vertices = list->vertices;
	g->row = calloc(g->vertices + 2, sizeof(*g->row));
	g->column = malloc((2 * list->count + 1) * sizeof(*g->column));
	fill = malloc((g->vertices + 1) * sizeof(*fill));
	if (!g->row || !g->column || !fill)
		goto out;

	for (i = 0; i < list->count; i++) {
		if (list->pair[i].from == list->pair[i].to)
			continue;
		g->row[list->pair[i].from + 1]++;
		g->row[list->pair[i].to + 1]++;
	}
	for (i = 0; i < g->vertices; i++)
		g->row[i + 1] += g->row[i];
	memcpy(fill, g->row, (g->vertices + 1) * sizeof(*fill));
	for (i = 0; i < list->count; i++) {
		if (list->pair[i].from == list->pair[i].to)
			continue;
		g->column[fill[list->pair[i].from]++] = list->pair[i].to;
		g->column[fill[list->pair[i].to]++] = list->pair[i].from;
	}
	graph_tidy(g);
	err = 0;
out:
	free(fill);
	free(list->pair);
	list->pair = NULL;
	if (err)
		graph_free(g);
	return err;
}

/* One whole number and what follows it; false if there is none. */
static bool graph_number(const char **text, uint64_t *value)
{
	char *end;

	while (isspace((unsigned char)**text))
		(*text)++;
	if (!isdigit((unsigned char)**text))
		return false;
	errno = 0;
	*value = strtoull(*text, &end, 10);
	*text = end;
	return !errno && (!*end || isspace((unsigned char)*end));
}

static int graph_bad(char *error, size_t error_bytes, uint64_t line, const char *what)
{
	snprintf(error, error_bytes, "line %llu: %s", (unsigned long long)line, what);
	return -EINVAL;
}

/**
 * struct graph_reader - state of reading a file
 * @list: edges so far
 * @line: number
 * @matrix: it is a Matrix Market file
 * @sized: its size line was read
 * @rows: of the size line
 * @columns: of the size line
 * @entries: of the size line
 */
struct graph_reader {
	struct graph_list list;
	uint64_t line;
	bool matrix;
	bool sized;
	uint64_t rows, columns, entries;
};

static int graph_line(struct graph_reader *r, const char *text, char *error, size_t error_bytes)
{
	uint64_t from, to;

	if (!graph_number(&text, &from) || !graph_number(&text, &to))
		return graph_bad(error, error_bytes, r->line, "not two numbers");

	if (r->matrix && !r->sized) {
		r->rows = from;
		r->columns = to;
		r->sized = true;
		if (!graph_number(&text, &r->entries))
			return graph_bad(error, error_bytes, r->line, "not a size line");
		if (from > GRAPH_VERTICES_MAX || to > GRAPH_VERTICES_MAX)
			return graph_bad(error, error_bytes, r->line, "too many vertices");
		return 0;
	}
	if (r->matrix) {
		if (!from || !to || from > r->rows || to > r->columns)
			return graph_bad(error, error_bytes, r->line, "outside the matrix");
		from--;
		to--;
	}
	if (from >= GRAPH_VERTICES_MAX || to >= GRAPH_VERTICES_MAX)
		return graph_bad(error, error_bytes, r->line, "vertex number too large");
	if (graph_add(&r->list, from, to)) {
		snprintf(error, error_bytes, "out of memory");
		return -ENOMEM;
	}
	return 0;
}

static int graph_header(struct graph_reader *r, const char *text, char *error, size_t error_bytes)
{
	static const char banner[] = "%%MatrixMarket ";

	if (strncmp(text, banner, sizeof(banner) - 1))
		return 0;
	if (strncmp(text + sizeof(banner) - 1, "matrix coordinate ", 18))
		return graph_bad(error, error_bytes, r->line, "only coordinate matrices");
	r->matrix = true;
	return 0;
}

static int graph_finish(struct graph_reader *r, char *error, size_t error_bytes)
{
	if (r->matrix && (!r->sized || r->list.count != r->entries))
		return graph_bad(error, error_bytes, r->line, "the file is cut short or too long");
	if (!r->list.count)
		return graph_bad(error, error_bytes, r->line, "no edges");
	/* A matrix may have vertices without any edge. */
	if (r->matrix && r->rows > r->list.vertices)
		r->list.vertices = r->rows;
	if (r->matrix && r->columns > r->list.vertices)
		r->list.vertices = r->columns;
	return 0;
}

int graph_read(struct graph *g, FILE *file, char *error, size_t error_bytes)
{
	struct graph_reader r = { 0 };
	char *line = NULL;
	size_t room = 0;
	int err = 0;

	memset(g, 0, sizeof(*g));
	while (!err && getline(&line, &room, file) >= 0) {
		const char *text = line;

		r.line++;
		if (r.line == 1)
			err = graph_header(&r, text, error, error_bytes);
		while (isspace((unsigned char)*text))
			text++;
		if (!err && *text && *text != '#' && *text != '%')
			err = graph_line(&r, text, error, error_bytes);
	}
	free(line);
	if (!err && ferror(file))
		err = graph_bad(error, error_bytes, r.line, "cannot read on");
	if (!err)
		err = graph_finish(&r, error, error_bytes);
	if (err) {
		free(r.list.pair);
		return err;
	}
	err = graph_build(g, &r.list);
	if (err)
		snprintf(error, error_bytes, "out of memory");
	return err;
}

int graph_kronecker(struct graph *g, unsigned int scale, uint64_t degree, uint64_t seed)
{
	struct graph_list list = { .vertices = 1ULL << scale };
	uint64_t edges = degree << scale, edge, random;
	unsigned int level;

	memset(g, 0, sizeof(*g));
	for (edge = 0; edge < edges; edge++) {
		uint64_t from = 0, to = 0;

		for (level = 0; level < scale; level++) {
			/* Per cent of the four quadrants: 57, 19, 19, 5. */
			random = (wl_mix(wl_mix(seed) + edge * 32 + level) >> 32) * 100 >> 32;
			from = from << 1 | (random >= 76);
			to = to << 1 | ((random >= 57 && random < 76) || random >= 95);
		}
		if (graph_add(&list, from, to)) {
			free(list.pair);
			return -ENOMEM;
		}
	}
	return graph_build(g, &list);
}

int graph_levels(const struct graph *g, uint32_t start, int32_t unseen, int32_t *level)
{
	uint32_t *queue = malloc(g->vertices * sizeof(*queue));
	uint64_t head = 0, tail = 0, i;

	if (!queue)
		return -ENOMEM;
	for (i = 0; i < g->vertices; i++)
		level[i] = unseen;
	level[start] = 0;
	queue[tail++] = start;
	while (head < tail) {
		uint32_t from = queue[head++];

		for (i = g->row[from]; i < g->row[from + 1]; i++) {
			uint32_t to = g->column[i];

			if (level[to] == unseen) {
				level[to] = level[from] + 1;
				queue[tail++] = to;
			}
		}
	}
	free(queue);
	return 0;
}

uint32_t graph_hub(const struct graph *g)
{
	uint64_t v, best = 0, most = 0;

	for (v = 0; v < g->vertices; v++) {
		if (g->row[v + 1] - g->row[v] > most) {
			most = g->row[v + 1] - g->row[v];
			best = v;
		}
	}
	return (uint32_t)best;
}

void graph_free(struct graph *g)
{
	free(g->row);
	free(g->column);
	g->row = NULL;
	g->column = NULL;
}
