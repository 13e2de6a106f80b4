// SPDX-License-Identifier: GPL-2.0
/*
 * Matrix Market files (R. F. Boisvert, R. Pozo, K. A. Remington, "The Matrix Market exchange
 * formats: initial design", NISTIR 5935): "%%MatrixMarket matrix coordinate FIELD SYMMETRY" in
 * upper or lower case, comments with "%", "ROWS COLUMNS ENTRIES", and an entry a line, counted
 * from 1.  Words and numbers are apart by blanks or tabs, lines may be empty.
 */
#define _GNU_SOURCE
#include <string.h>
#include <strings.h>

#include "graph/graph_read.h"

#define MATRIX_BANNER	"%%MatrixMarket"
#define MATRIX_HEADER	MATRIX_BANNER " matrix coordinate FIELD SYMMETRY"

static const struct matrix_field {
	const char *name;
	unsigned int values;
	bool whole;
} matrix_fields[] = {
	{ "pattern", 0, false }, { "integer", 1, true }, { "unsigned-integer", 1, true },
	{ "real", 1, false }, { "double", 1, false }, { "complex", 2, false },
};

static const char * const matrix_symmetries[] = {
	"general", "symmetric", "skew-symmetric", "hermitian",
};

#define COUNT(a)	(sizeof(a) / sizeof((a)[0]))

/* What is not quite the banner is meant to be it. */
static bool matrix_claims(const char *text)
{
	return strcasestr(text, "MatrixMarket");
}

static int matrix_field(struct graph_reader *r, const char **text)
{
	size_t i;

	for (i = 0; i < COUNT(matrix_fields); i++) {
		if (!graph_word(text, matrix_fields[i].name))
			continue;
		r->values = matrix_fields[i].values;
		r->whole = matrix_fields[i].whole;
		r->list.weighted &= r->whole;
		return 0;
	}
	return graph_bad(r, "the field of a matrix is pattern, integer, real or complex, not '%.*s'",
			 (int)strcspn(graph_skip(*text), " \t\r\n"), graph_skip(*text));
}

static int matrix_symmetry(struct graph_reader *r, const char **text)
{
	size_t i;

	for (i = 0; i < COUNT(matrix_symmetries); i++)
		if (graph_word(text, matrix_symmetries[i]))
			return 0;
	return graph_bad(r, "the symmetry of a matrix is general, symmetric, skew-symmetric or "
			 "hermitian, not '%.*s'", (int)strcspn(graph_skip(*text), " \t\r\n"),
			 graph_skip(*text));
}

static int matrix_header(struct graph_reader *r, const char *text)
{
	int err;

	if (graph_skip(text) != text || !graph_word(&text, MATRIX_BANNER))
		return graph_bad(r, "a Matrix Market file begins with '%s'", MATRIX_HEADER);
	if (!graph_word(&text, "matrix"))
		return graph_bad(r, "only matrices: '%s'", MATRIX_HEADER);
	if (!graph_word(&text, "coordinate"))
		return graph_bad(r, "only coordinate matrices have edges: '%s'",
				 MATRIX_HEADER);
	err = matrix_field(r, &text);
	if (!err)
		err = matrix_symmetry(r, &text);
	if (!err && !graph_end(text))
		err = graph_bad(r, "too many words for '%s'", MATRIX_HEADER);
	return err;
}

static int matrix_sizes(struct graph_reader *r, const char *text)
{
	uint64_t rows, columns, entries;

	if (!graph_number(&text, &rows) || !graph_number(&text, &columns) ||
	    !graph_number(&text, &entries) || !graph_end(text))
		return graph_bad(r, "not a size line: 'ROWS COLUMNS ENTRIES'");
	return graph_size(r, rows, columns, entries);
}

/* The values of an entry; whole ones may be weights. */
static int matrix_values(struct graph_reader *r, const char *text, uint64_t *weight)
{
	unsigned int i;

	if (r->list.weighted && (!graph_weight(&text, weight) || !graph_end(text)))
		return graph_bad(r, "a weight must be 0 ... 4294967295");
	if (r->list.weighted)
		return 0;
	if (r->whole) {
		text = graph_skip(text);
		text += *text == '-' || *text == '+';
		if (!graph_number(&text, weight) || !graph_end(text))
			return graph_bad(r, "a whole number must follow");
		return 0;
	}
	for (i = 0; i < r->values && graph_any_number(&text); i++)
		;
	if (i < r->values || !graph_end(text))
		return graph_bad(r, "%u values must follow", r->values);
	return 0;
}

static int matrix_entry(struct graph_reader *r, const char *text)
{
	uint64_t from, to, weight = 0;
	int err;

	if (r->list.count == r->entries)
		return graph_bad(r, "the file is too long");
	if (!graph_number(&text, &from) || !graph_number(&text, &to))
		return graph_bad(r, "not two numbers");
	if (!from || !to || from > r->rows || to > r->columns)
		return graph_bad(r, "outside the matrix");
	err = matrix_values(r, text, &weight);
	return err ? err : graph_edge(r, from - 1, to - 1, weight);
}

static int matrix_line(struct graph_reader *r, const char *text)
{
	if (r->line == 1)
		return matrix_header(r, text);
	if (graph_end(text) || *graph_skip(text) == '%')
		return 0;
	return r->sized ? matrix_entry(r, text) : matrix_sizes(r, text);
}

static const char * const matrix_endings[] = { ".mtx", NULL };

const struct graph_format graph_matrix_format = {
	.name = "Matrix Market file",
	.endings = matrix_endings,
	.claims = matrix_claims,
	.line = matrix_line,
	.finish = graph_complete,
};
