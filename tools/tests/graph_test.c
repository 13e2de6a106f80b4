// SPDX-License-Identifier: GPL-2.0
/* Graph files, the generator, and the search that checks the GPU's. */
#include <stdlib.h>
#include <string.h>

#include "../uvm/graph/graph.h"
#include "../uvm/graph/kronecker.h"
#include "test.h"

static int read_named(const char *name, const char *text, bool weights, struct graph *g,
		      char *error, size_t room)
{
	FILE *file = fmemopen((void *)text, strlen(text), "r");
	int err;

	error[0] = '\0';
	err = graph_read(g, file, name, weights, error, room);
	fclose(file);
	return err;
}

static int read_text(const char *text, bool weights, struct graph *g, char *error, size_t room)
{
	return read_named("graph.txt", text, weights, g, error, room);
}

/* A row of neighbours per vertex, as "0:1,2 1:0 2:0", with weights "0:1=7 1:0=7". */
static void graph_text(const struct graph *g, char *text, size_t room)
{
	uint64_t v, i;
	size_t used = 0;

	text[0] = '\0';
	for (v = 0; v < g->vertices; v++) {
		used += snprintf(text + used, room - used, "%s%llu:", v ? " " : "",
				 (unsigned long long)v);
		for (i = g->row[v]; i < g->row[v + 1]; i++) {
			used += snprintf(text + used, room - used, "%s%u",
					 i > g->row[v] ? "," : "", g->column[i]);
			if (g->weight)
				used += snprintf(text + used, room - used, "=%u", g->weight[i]);
		}
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
	{ "%%MatrixMarket matrix coordinate real general\n2 2 2\n1 2 1\n", NULL,
	  "line 3: the file is cut short" },
	{ "%%MatrixMarket matrix coordinate real general\n2 2 1\n1 3\n", NULL, "line 3: outside" },
	{ "%%MatrixMarket matrix coordinate real general\n2 2 1\n0 1\n", NULL, "line 3: outside" },
	{ "%%MatrixMarket matrix coordinate real general\n2 2\n", NULL, "line 2: not a size line" },
	{ "0 1\n2 x\n", NULL, "line 2: not two numbers" },
	{ "0 -1\n", NULL, "line 1: not two numbers" },
	{ "0 1a\n", NULL, "line 1: not two numbers" },
	{ "0 4294967296\n", NULL, "line 1: vertex number too large" },
	{ "# nothing\n", NULL, "line 1: no edges" },
	{ "%%MatrixMarket matrix coordinate pattern general\n2 2 1\n1 2\n2 1\n", NULL,
	  "line 4: the file is too long" },
	{ "%%MatrixMarket matrix coordinate integer general\n2 2 1\n1 2 -1\n", "0:1 1:0", NULL },
	{ "c comment\np sp 4 2\na 1 2 7\nc\na 2 1 7\n", "0:1 1:0 2: 3:", NULL },
	{ "c\n0 1\n", "0:1 1:0", NULL },
	{ "p sp 2 1\na 1 2\n", NULL, "line 2: a weight must be" },
	{ "p sp 2 1\na 1 2 x\n", NULL, "line 2: a weight must be" },
	{ "p sp 2 1\na 1 2 -1\n", NULL, "line 2: a weight must be" },
	{ "p sp 2 1\na 1 2 4294967296\n", NULL, "line 2: a weight must be" },
	{ "p sp 2 1\na 1 2 1 1\n", NULL, "line 2: a weight must be" },
	{ "p sp 2 1\na 1 3 1\n", NULL, "line 2: outside the graph" },
	{ "p sp 2 1\na 0 1 1\n", NULL, "line 2: outside the graph" },
	{ "p sp 2 1\na 1\n", NULL, "line 2: not 'a FROM" },
	{ "p sp 2 1\n0 1\n", NULL, "line 2: neither comment nor arc" },
	{ "p sp 2 1\nab 1 2 1\n", NULL, "line 2: neither comment nor arc" },
	{ "p sp 2 1\np sp 2 1\n", NULL, "line 2: a second problem line" },
	{ "0 1\np sp 2 1\n", NULL, "line 2: not two numbers" },
	{ "p max 2 1\n", NULL, "line 1: not 'p sp" },
	{ "p sp 2\n", NULL, "line 1: not 'p sp" },
	{ "p sp 4294967296 1\n", NULL, "line 1: too many vertices" },
	{ "a 1 2 3\n", NULL, "line 1: an arc before" },
	{ "p sp 2 2\na 1 2 3\n", NULL, "line 2: the file is cut short" },
	{ "p sp 2 1\na 1 2 3\na 2 1 3\n", NULL, "line 3: the file is too long" },
	{ "p sp 2 0\n", NULL, "line 1: no edges" },
	/* Upper case, tabs and blanks, empty lines; as the format allows. */
	{ "%%MatrixMarket MATRIX Coordinate Pattern Symmetric\n2 2 1\n2 1\n", "0:1 1:0", NULL },
	{ "%%matrixmarket  matrix\tcoordinate \t pattern  general \r\n\n 2\t2  1\n\n2\t1\n\n",
	  "0:1 1:0", NULL },
	{ "\xef\xbb\xbf%%MatrixMarket matrix coordinate pattern general\n2 2 1\n2 1\n", "0:1 1:0",
	  NULL },
	{ "%%MatrixMarket matrix coordinate complex hermitian\n2 2 1\n2 1 1.5 -1e3\n", "0:1 1:0",
	  NULL },
	{ "%%MatrixMarket matrix coordinate double skew-symmetric\n2 2 1\n2 1 .5\n", "0:1 1:0",
	  NULL },
	/* What is not quite a Matrix Market file is no list. */
	{ "%MatrixMarket matrix coordinate pattern general\n2 2 1\n2 1\n", NULL,
	  "line 1: a Matrix Market file begins with" },
	{ "%% MatrixMarket matrix coordinate pattern general\n2 2 1\n2 1\n", NULL,
	  "line 1: a Matrix Market file begins with '%%MatrixMarket matrix coordinate FIELD" },
	{ "%%MatrixMarketmatrix coordinate pattern general\n2 2 1\n2 1\n", NULL,
	  "line 1: a Matrix Market file begins with" },
	{ "# matrixmarket\n2 1\n", NULL, "line 1: a Matrix Market file begins with" },
	{ "%%MatrixMarket vector coordinate real general\n", NULL, "line 1: only matrices" },
	{ "%%MatrixMarket matrix coordinate reel general\n", NULL,
	  "line 1: the field of a matrix is pattern, integer, real or complex, not 'reel'" },
	{ "%%MatrixMarket matrix coordinate pattern symetric\n", NULL,
	  "line 1: the symmetry of a matrix is general" },
	{ "%%MatrixMarket matrix coordinate pattern\n2 2 1\n2 1\n", NULL,
	  "line 1: the symmetry of a matrix is general" },
	{ "%%MatrixMarket matrix coordinate pattern general too\n", NULL,
	  "line 1: too many words" },
	{ "%%MatrixMarket matrix coordinate pattern general\n2 2 1\n2 1 5\n", NULL,
	  "line 3: 0 values must follow" },
	{ "%%MatrixMarket matrix coordinate real general\n2 2 1\n2 1\n", NULL,
	  "line 3: 1 values must follow" },
	{ "%%MatrixMarket matrix coordinate complex general\n2 2 1\n2 1 5\n", NULL,
	  "line 3: 2 values must follow" },
	{ "%%MatrixMarket matrix coordinate integer general\n2 2 1\n2 1 5.5\n", NULL,
	  "line 3: a whole number must follow" },
	/* Nor is a METIS file. */
	{ "3 3\n2 3\n1 3\n1 2\n", NULL, "line 4: a METIS file, or a list of 4 edges" },
	{ "4 3\n2\n1 3\n2 4\n3\n", NULL, "line 2: not two numbers" },
	{ "4 4\n2 4\n1 3\n2 4 1\n3\n", NULL, "line 4: 3 numbers, and 2 in the first line" },
	{ "3 3 10\n5 2 3\n6 1 3\n7 1 2\n", NULL, "line 4: a METIS file, or a list of 4 edges" },
	{ "4 6 0\n2 3 4\n1 3 4\n1 2 4\n1 2 3\n", NULL, "line 5: a METIS file, or a list of 5" },
	{ "3 1 1\n1 2 1\n2 3 1\n1 3 1\n", "0: 1:2,3 2:1,3 3:1,2", NULL },
	{ "3 3\n2 3\n1 3\n1 2\n2 1\n", "0: 1:2,3 2:1,3 3:1,2", NULL },
	{ "0 1 a\n", NULL, "line 1: behind the two vertices" },
	/* Memory is bound by the file, not by a number in it. */
	{ "0 1\n1 2\n30000000 1\n", NULL, "line 3: 30000001 vertices for 3 edges" },
	{ "p sp 30000000 1\na 1 2 3\n", NULL, "line 2: 30000000 vertices for 1 edges" },
	{ "%%MatrixMarket matrix coordinate pattern general\n9 30000000 1\n2 1\n", NULL,
	  "line 3: 30000000 vertices for 1 edges" },
};

/* What the file's name says. */
static const struct {
	const char *name;
	const char *file;
	const char *want;	/* with weights; NULL: refused */
	const char *error;
} named[] = {
	{ "a.graph", "3 3\n2 3\n1 3\n1 2\n", "0:1,2 1:0,2 2:0,1", NULL },
	{ "a.metis", "% c\n4 2\n3\n\n1 4\n3\n\n", "0:2 1: 2:0,3 3:2", NULL },
	{ "a.graph", "2 1 1\n2 7\n1 7\n", "0:1=7 1:0=7", NULL },
	{ "a.graph", "2 1 011\n5 2 7\n6 1 7\n", "0:1=7 1:0=7", NULL },
	{ "a.graph", "2 1 110 2\n9 5 5 2\n9 6 6 1\n", "0:1 1:0", NULL },
	{ "a.graph", "2 1\n2\n", NULL, "line 2: the file is cut short: 1 of 2 vertices" },
	{ "a.graph", "2 1\n2\n1\n1\n", NULL, "line 4: a line more than there are vertices" },
	{ "a.graph", "2 1\n3\n1\n", NULL, "line 2: a neighbour must be 1 ... 2" },
	{ "a.graph", "2 1\n0\n1\n", NULL, "line 2: a neighbour must be 1 ... 2" },
	{ "a.graph", "2 1\n2\n1 1\n", NULL, "line 3: more than the 1 edges" },
	{ "a.graph", "2 1 1\n2\n1 7\n", NULL, "line 2: a weight must be" },
	{ "a.graph", "2 1 2\n2\n1\n", NULL, "line 1: FMT of a METIS file" },
	{ "a.graph", "2\n", NULL, "line 1: not 'VERTICES EDGES" },
	{ "a.graph", "2 1 10\n\n9 1\n", NULL, "line 2: 1 numbers must come before" },
	{ "a.graph", "30000000 0\n", NULL, "line 1: the file is cut short" },
	{ "a.el", "3 3\n2 3\n1 3\n1 2\n", "0: 1:2,3 2:1,3 3:1,2", NULL },
	{ "a.mtx", "4 4 1\n2 1\n", NULL, "line 1: a Matrix Market file begins with" },
	{ "A.MTX", "%%MatrixMarket matrix coordinate Integer general\n2 2 1\n2 1 12\n",
	  "0:1=12 1:0=12", NULL },
	{ "a.gr", "0 1\n", NULL, "line 1: neither comment nor arc" },
	{ "a.gr", "c\np sp 2 1\na 1 2 7\n", "0:1=7 1:0=7", NULL },
};

/* Read with weights. */
static const struct {
	const char *file;
	const char *want;	/* NULL: refused */
	const char *error;
} weighted[] = {
	{ "p sp 3 2\na 1 2 7\na 3 2 0\n", "0:1=7 1:0=7,2=0 2:1=0", NULL },
	/* The least of several counts, in both directions. */
	{ "p sp 2 3\na 1 2 7\na 2 1 5\na 1 2 9\n", "0:1=5 1:0=5", NULL },
	{ "%%MatrixMarket matrix coordinate integer general\n2 2 1\n2 1 12\n", "0:1=12 1:0=12",
	  NULL },
	{ "%%MatrixMarket matrix coordinate integer general\n2 2 1\n2 1 -3\n", NULL,
	  "line 3: a weight must be" },
	{ "%%MatrixMarket matrix coordinate integer general\n2 2 1\n2 1\n", NULL,
	  "line 3: a weight must be" },
	/* No weights: those that are no whole numbers do not count. */
	{ "%%MatrixMarket matrix coordinate real general\n2 2 1\n1 2 7.5\n", "0:1 1:0", NULL },
	{ "%%MatrixMarket matrix coordinate pattern general\n2 2 1\n1 2\n", "0:1 1:0", NULL },
	{ "0 1 7\n", "0:1 1:0", NULL },
};

static void check_levels(void)
{
	/* A path 0-1-2-3, a shortcut 0-2, and 4-5 apart from it. */
	static const int32_t want[] = { 0, 1, 1, 2, 99, 99 };
	struct graph g;
	char error[128];
	int32_t level[6];

	CHECK(!read_text("0 1\n1 2\n2 3\n0 2\n4 5\n", false, &g, error, sizeof(error)), "%s",
	      error);
	CHECK(!graph_levels(&g, 0, 99, level), "levels");
	CHECK(!memcmp(level, want, sizeof(want)), "levels");
	CHECK(graph_hub(&g) == 2, "%u", graph_hub(&g));
	graph_free(&g);
}

static const struct kronecker skewed = { .near = 57, .side = 19, .far = 5, .seed = 1 };

static struct kronecker kronecker(unsigned int scale, uint64_t seed)
{
	struct kronecker k = skewed;

	k.scale = scale;
	k.seed = seed;
	return k;
}

static uint64_t hub_degree(const struct graph *g)
{
	uint32_t hub = graph_hub(g);

	return g->row[hub + 1] - g->row[hub];
}

static void check_kronecker(void)
{
	struct kronecker first = kronecker(10, 1), second = kronecker(10, 2);
	struct graph a, b, c;

	CHECK(!kronecker_build(&a, &first, 8192) && !kronecker_build(&b, &first, 8192) &&
	      !kronecker_build(&c, &second, 8192), "generator");
	CHECK(a.vertices == 1024 && a.edges <= 2 * 8 * 1024 && a.edges > 8 * 1024, "%llu edges",
	      (unsigned long long)a.edges);
	/* The same seed makes the same graph, another seed another one. */
	CHECK(a.edges == b.edges && !memcmp(a.column, b.column, a.edges * 4), "seed");
	CHECK(a.edges != c.edges || memcmp(a.column, c.column, a.edges * 4), "seed");
	/* A skewed initiator: the hub has many times the mean degree. */
	CHECK(hub_degree(&a) > 10 * a.edges / 1024, "skew");
	graph_free(&a);
	graph_free(&b);
	graph_free(&c);
}

/* What the initiator says: an even one has no hubs, the usual one of R-MAT smaller ones. */
static void check_initiator(void)
{
	struct kronecker k = kronecker(10, 1), even = kronecker(10, 1), mild = kronecker(10, 1);
	struct graph a, b, c;

	CHECK(kronecker_parse(&even, "25,25,25,25") && kronecker_parse(&mild, "45,15,15,25"),
	      "parse");
	CHECK(!kronecker_build(&a, &k, 8192) && !kronecker_build(&b, &mild, 8192) &&
	      !kronecker_build(&c, &even, 8192), "generator");
	CHECK(hub_degree(&a) > 2 * hub_degree(&b) && hub_degree(&b) > 2 * hub_degree(&c) &&
	      hub_degree(&c) < 3 * c.edges / 1024, "hubs of %llu, %llu, %llu",
	      (unsigned long long)hub_degree(&a), (unsigned long long)hub_degree(&b),
	      (unsigned long long)hub_degree(&c));
	graph_free(&a);
	graph_free(&b);
	graph_free(&c);
}

static void check_initiator_text(void)
{
	static const char * const wrong[] = {
		"", "57", "57,19,19", "57,19,19,", "57,19,19,6", "57,19,20,4", "57,19,19,5,",
		"57,19,19,5 ", "-7,19,19,69", "100,0,0,0", "50,0,0,50", "057,19,19,5", "x",
	};
	struct kronecker k;
	size_t i;

	CHECK(kronecker_parse(&k, "57,19,19,5") && k.near == 57 && k.side == 19 && k.far == 5,
	      "parse");
	for (i = 0; i < ROWS(wrong); i++)
		CHECK(!kronecker_parse(&k, wrong[i]), "row %zu", i);
}

static int by_value(const void *a, const void *b)
{
	uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;

	return (x > y) - (x < y);
}

static void degrees(const struct graph *g, uint64_t *degree)
{
	uint64_t v;

	for (v = 0; v < g->vertices; v++)
		degree[v] = g->row[v + 1] - g->row[v];
	qsort(degree, g->vertices, sizeof(*degree), by_value);
}

/* The same graph under other numbers: degrees are the same, and hubs are not the first. */
static void check_shuffled(void)
{
	struct kronecker k = kronecker(10, 1), shuffled = k;
	uint64_t one[1024], other[1024];
	struct graph a, b;

	shuffled.shuffled = true;
	CHECK(!kronecker_build(&a, &k, 8192) && !kronecker_build(&b, &shuffled, 8192),
	      "generator");
	degrees(&a, one);
	degrees(&b, other);
	CHECK(!memcmp(one, other, sizeof(one)), "degrees");
	CHECK(a.row[64] > 2 * b.row[64], "%llu and %llu edges at the first vertices",
	      (unsigned long long)a.row[64], (unsigned long long)b.row[64]);
	graph_free(&a);
	graph_free(&b);
}

/* Rows ascend, without duplicates and loops; every edge is there in both directions. */
static void check_rows(void)
{
	struct kronecker k = kronecker(6, 3);
	struct graph g;
	uint64_t v, i, wrong = 0, sum = 0;

	CHECK(!kronecker_build(&g, &k, 2000), "generator");
	for (v = 0; v < g.vertices; v++) {
		for (i = g.row[v]; i < g.row[v + 1]; i++) {
			wrong += g.column[i] == v || (i > g.row[v] &&
						      g.column[i] <= g.column[i - 1]);
			/* What the mirror image takes away again. */
			sum += (v << 8) + g.column[i];
			sum -= ((uint64_t)g.column[i] << 8) + v;
		}
	}
	CHECK(!wrong && !sum && g.row[g.vertices] == g.edges, "%llu wrong",
	      (unsigned long long)wrong);
	graph_free(&g);
}

/* As many edges as were wanted, within a fortieth. */
static void check_draws(void)
{
	static const struct {
		unsigned int scale;
		uint64_t edges;
		const char *initiator;
	} wanted[] = {
		{ 8, 4000, "57,19,19,5" }, { 10, 40000, "57,19,19,5" },
		{ 14, 600000, "57,19,19,5" }, { 15, 200000, "57,19,19,5" },
		{ 10, 40000, "45,15,15,25" }, { 8, 20000, "25,25,25,25" },
	};
	struct kronecker k = kronecker(3, 5);
	struct graph g;
	uint64_t draws;
	size_t i;

	/* More than there can be: what is allowed. */
	CHECK(kronecker_draws(&k, 1000, 77) == 77, "limit");
	for (i = 0; i < ROWS(wanted); i++) {
		k.scale = wanted[i].scale;
		CHECK(kronecker_parse(&k, wanted[i].initiator), "parse");
		draws = kronecker_draws(&k, wanted[i].edges, 1ULL << 32);
		CHECK(!kronecker_build(&g, &k, draws), "generator");
		CHECK(g.edges * 40 > wanted[i].edges * 39 && g.edges * 40 < wanted[i].edges * 41,
		      "row %zu: %llu of %llu edges", i, (unsigned long long)g.edges,
		      (unsigned long long)wanted[i].edges);
		graph_free(&g);
	}
}

static void check_file(size_t row, const char *name, const char *file, bool weights,
		       const char *want, const char *want_error)
{
	char error[256], text[256];
	struct graph g;
	int err;

	err = read_named(name, file, weights, &g, error, sizeof(error));
	CHECK(!err == !!want, "row %zu: %s", row, error);
	if (!err && want) {
		graph_text(&g, text, sizeof(text));
		CHECK(!strcmp(text, want), "row %zu: %s", row, text);
	} else if (want_error) {
		CHECK(!strncmp(error, want_error, strlen(want_error)), "row %zu: %s", row, error);
	}
	graph_free(&g);
}

int main(void)
{
	size_t i;

	for (i = 0; i < ROWS(files); i++)
		check_file(i, "graph.txt", files[i].file, false, files[i].want, files[i].error);
	for (i = 0; i < ROWS(weighted); i++)
		check_file(i, "graph.txt", weighted[i].file, true, weighted[i].want, weighted[i].error);
	for (i = 0; i < ROWS(named); i++)
		check_file(i, named[i].name, named[i].file, true, named[i].want, named[i].error);
	check_levels();
	check_kronecker();
	check_initiator();
	check_initiator_text();
	check_shuffled();
	check_rows();
	check_draws();
	return test_end("graph");
}
