// SPDX-License-Identifier: GPL-2.0
/* Graphs in compressed sparse rows. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "graph/graph.h"

static bool graph_grow(uint32_t **array, uint64_t room)
{
	uint32_t *grown = realloc(*array, room * sizeof(*grown));

	if (grown)
		*array = grown;
	return grown;
}

int graph_add(struct graph_list *list, uint64_t from, uint64_t to, uint64_t weight)
{
	uint64_t room;

	if (list->count == list->room) {
		room = list->room ? 2 * list->room : 4096;
		if (!graph_grow(&list->from, room) || !graph_grow(&list->to, room) ||
		    (list->weighted && !graph_grow(&list->weight, room)))
			return -ENOMEM;
		list->room = room;
	}
	if (from >= list->vertices)
		list->vertices = from + 1;
	if (to >= list->vertices)
		list->vertices = to + 1;
	list->from[list->count] = (uint32_t)from;
	list->to[list->count] = (uint32_t)to;
	if (list->weighted)
		list->weight[list->count] = (uint32_t)weight;
	list->count++;
	return 0;
}

void graph_list_free(struct graph_list *list)
{
	free(list->from);
	free(list->to);
	free(list->weight);
	memset(list, 0, sizeof(*list));
}

/**
 * struct graph_rows - rows while they are filled
 * @fill: where the next entry of each row goes
 * @column: entries
 * @weight: their weights, or NULL
 */
struct graph_rows {
	uint64_t *fill;
	uint32_t *column;
	uint32_t *weight;
};

static bool graph_rows_alloc(struct graph_rows *rows, uint64_t vertices, uint64_t entries,
			     bool weighted)
{
	rows->fill = malloc((vertices + 1) * sizeof(*rows->fill));
	rows->column = malloc((entries + 1) * sizeof(*rows->column));
	rows->weight = weighted ? malloc((entries + 1) * sizeof(*rows->weight)) : NULL;
	return rows->fill && rows->column && (rows->weight || !weighted);
}

static void graph_rows_free(struct graph_rows *rows)
{
	free(rows->fill);
	free(rows->column);
	free(rows->weight);
}

static void graph_put(struct graph_rows *rows, uint32_t row, uint32_t column, uint32_t weight)
{
	uint64_t at = rows->fill[row]++;

	rows->column[at] = column;
	if (rows->weight)
		rows->weight[at] = weight;
}

/* Where each row begins, duplicates counted. */
static void graph_count(struct graph *g, const struct graph_list *list)
{
	uint64_t i;

	for (i = 0; i < list->count; i++) {
		if (list->from[i] == list->to[i])
			continue;
		g->row[list->from[i] + 1]++;
		g->row[list->to[i] + 1]++;
	}
	for (i = 0; i < g->vertices; i++)
		g->row[i + 1] += g->row[i];
}

/* Rows in the order of the list. */
static void graph_scatter(const struct graph *g, const struct graph_list *list,
			  struct graph_rows *rows)
{
	uint64_t i;

	memcpy(rows->fill, g->row, (g->vertices + 1) * sizeof(*rows->fill));
	for (i = 0; i < list->count; i++) {
		uint32_t from = list->from[i], to = list->to[i];
		uint32_t weight = list->weighted ? list->weight[i] : 0;

		if (from == to)
			continue;
		graph_put(rows, from, to, weight);
		graph_put(rows, to, from, weight);
	}
}

/*
 * The graph is its own mirror image, so going through the rows in order and
 * putting each into those of its neighbours leaves those sorted.
 */
static void graph_sort(const struct graph *g, const struct graph_rows *in,
		       struct graph_rows *out)
{
	uint64_t v, i;

	memcpy(out->fill, g->row, (g->vertices + 1) * sizeof(*out->fill));
	for (v = 0; v < g->vertices; v++) {
		for (i = g->row[v]; i < g->row[v + 1]; i++) {
			uint32_t to = in->column[i], weight = in->weight ? in->weight[i] : 0;
			uint64_t end = out->fill[to];

			if (end == g->row[to] || out->column[end - 1] != v)
				graph_put(out, to, (uint32_t)v, weight);
			else if (out->weight && weight < out->weight[end - 1])
				out->weight[end - 1] = weight;
		}
	}
}

/* Close the gaps that duplicates left at the ends of rows. */
static void graph_squeeze(struct graph *g, struct graph_rows *rows)
{
	uint64_t v, i, out = 0;

	for (v = 0; v < g->vertices; v++) {
		i = g->row[v];
		g->row[v] = out;
		for (; i < rows->fill[v]; i++, out++) {
			rows->column[out] = rows->column[i];
			if (rows->weight)
				rows->weight[out] = rows->weight[i];
		}
	}
	g->row[g->vertices] = out;
	g->edges = out;
}

int graph_build(struct graph *g, struct graph_list *list)
{
	struct graph_rows unsorted = { 0 }, sorted = { 0 };
	bool weighted = list->weighted;
	int err = -ENOMEM;

	memset(g, 0, sizeof(*g));
	g->vertices = list->vertices;
	g->row = calloc(g->vertices + 2, sizeof(*g->row));
	if (!g->row)
		goto out;
	graph_count(g, list);
	if (!graph_rows_alloc(&unsorted, g->vertices, g->row[g->vertices], weighted))
		goto out;
	graph_scatter(g, list, &unsorted);
	/* Before more is allocated: there may be a lot of it. */
	graph_list_free(list);
	if (!graph_rows_alloc(&sorted, g->vertices, g->row[g->vertices], weighted))
		goto out;
	graph_sort(g, &unsorted, &sorted);
	graph_squeeze(g, &sorted);
	g->column = sorted.column;
	g->weight = sorted.weight;
	sorted.column = NULL;
	sorted.weight = NULL;
	err = 0;
out:
	graph_list_free(list);
	graph_rows_free(&unsorted);
	graph_rows_free(&sorted);
	if (err)
		graph_free(g);
	return err;
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
	free(g->weight);
	g->row = NULL;
	g->column = NULL;
	g->weight = NULL;
}
