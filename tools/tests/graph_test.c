// SPDX-License-Identifier: GPL-2.0
/* Graph files, the generator, and the search that checks the GPU's. */
#include <stdlib.h>
#include <string.h>

#include "../uvm/graph.h"
#include "test.h"

static int read_text(const char *text, struct graph *g, char *error, size_t room)
{
	FILE *file = fmemopen((void *)text, strlen(text), "r");
	int err;

	error[0] = '\0';
	err = graph_read(g, file, error, room);
	fclose(file);
	return err;
}

/* A row of neighbours per vertex, as "0:1,2 1:0 2:0". */
static void graph_text(const struct graph *g, char *text, size_t room)
{
	uint64_t v, i;
	size_t used = 0;

	text[0] = '\0';
	for (v = 0; v < g->vertices; v++) {
		used += snprintf(text + used, room - used, "%s%llu:", v ? " " : "",
				 (unsigned long long)v);
		for (i = g->row[v]; i < g->row[v + 1]; i++)
			used += snprintf(text + used, room - used, "%s%u",
					 i > g->row[v] ? "," : "", g->column[i]);
	}
}

static const struct {
	const char *file;
	const char *want;	/* NULL: refused */
	const char *error;
} files[] = {
	{ "0 1\n0 2\n", "0:1,2 1:0 2:0", NULL },
	{ "# comment\n% another\n\n0\t1\r\n", "0:1 1:0", NULL },
	{ "1 0\n0 1\n0 1\n", "0:1 1:0", NULL },			/* duplicates go */
	{ "0 0\n0 1\n", "0:1 1:0", NULL },			/* loops go */
	{ "0 3\n", "0:3 1: 2: 3:0", NULL },
	{ "0 1 0.25\n", "0:1 1:0", NULL },			/* weights are ignored */
	{ "0 1", "0:1 1:0", NULL },				/* no newline at the end */
	{ "%%MatrixMarket matrix coordinate pattern symmetric\n% c\n3 3 2\n2 1\n3 1\n",
	  "0:1,2 1:0 2:0", NULL },
	{ "%%MatrixMarket matrix coordinate real general\n4 4 1\n1 2 7.5\n",
	  "0:1 1:0 2: 3:", NULL },
	{ "%%MatrixMarket matrix array real general\n2 2\n1\n", NULL, "line 1: only coordinate" },
	{ "%%MatrixMarket matrix coordinate real general\n2 2 2\n1 2\n", NULL,
	  "line 3: the file is cut short" },
	{ "%%MatrixMarket matrix coordinate real general\n2 2 1\n1 3\n", NULL, "line 3: outside" },
	{ "%%MatrixMarket matrix coordinate real general\n2 2 1\n0 1\n", NULL, "line 3: outside" },
	{ "%%MatrixMarket matrix coordinate real general\n2 2\n", NULL, "line 2: not a size line" },
	{ "0 1\n2 x\n", NULL, "line 2: not two numbers" },
	{ "0 -1\n", NULL, "line 1: not two numbers" },
	{ "0 1a\n", NULL, "line 1: not two numbers" },
	{ "0 4294967296\n", NULL, "line 1: vertex number too large" },
	{ "# nothing\n", NULL, "line 1: no edges" },
};

static void check_levels(void)
{
	/* A path 0-1-2-3, a shortcut 0-2, and 4-5 apart from it. */
	static const int32_t want[] = { 0, 1, 1, 2, 99, 99 };
	struct graph g;
	char error[128];
	int32_t level[6];

	CHECK(!read_text("0 1\n1 2\n2 3\n0 2\n4 5\n", &g, error, sizeof(error)), "%s", error);
	CHECK(!graph_levels(&g, 0, 99, level), "levels");
	CHECK(!memcmp(level, want, sizeof(want)), "levels");
	CHECK(graph_hub(&g) == 2, "%u", graph_hub(&g));
	graph_free(&g);
}

static void check_kronecker(void)
{
	struct graph a, b, c;

	CHECK(!graph_kronecker(&a, 10, 8, 1) && !graph_kronecker(&b, 10, 8, 1) &&
	      !graph_kronecker(&c, 10, 8, 2), "generator");
	CHECK(a.vertices == 1024 && a.edges <= 2 * 8 * 1024 && a.edges > 8 * 1024, "%llu edges",
	      (unsigned long long)a.edges);
	/* The same seed makes the same graph, another seed another one. */
	CHECK(a.edges == b.edges && !memcmp(a.column, b.column, a.edges * 4), "seed");
	CHECK(a.edges != c.edges || memcmp(a.column, c.column, a.edges * 4), "seed");
	/* A skewed initiator: the hub has many times the mean degree. */
	CHECK(a.row[graph_hub(&a) + 1] - a.row[graph_hub(&a)] > 10 * a.edges / 1024, "skew");
	graph_free(&a);
	graph_free(&b);
	graph_free(&c);
}

int main(void)
{
	struct graph g;
	char error[128], text[256];
	size_t i;
	int err;

	for (i = 0; i < ROWS(files); i++) {
		err = read_text(files[i].file, &g, error, sizeof(error));
		CHECK(!err == !!files[i].want, "row %zu: %s", i, error);
		if (!err && files[i].want) {
			graph_text(&g, text, sizeof(text));
			CHECK(!strcmp(text, files[i].want), "row %zu: %s", i, text);
		} else if (files[i].error) {
			CHECK(!strncmp(error, files[i].error, strlen(files[i].error)),
			      "row %zu: %s", i, error);
		}
		graph_free(&g);
	}
	check_levels();
	check_kronecker();
	return test_end("graph");
}
