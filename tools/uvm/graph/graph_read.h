/* SPDX-License-Identifier: GPL-2.0 */
/* What the readers of graph files share; one file for each format. */
#ifndef UVM_GRAPH_READ_H
#define UVM_GRAPH_READ_H

#include "graph/graph.h"

struct graph_reader;

/**
 * struct graph_format - a format of graph files
 * @name: as errors call it
 * @endings: of file names that say so, each with its dot, NULL at the end
 * @claims: is it this one, by the first line that is no comment?  NULL: the name alone says so
 * @line: take a line; 0 or -EINVAL after graph_bad(), -ENOMEM
 * @finish: after the last one
 */
struct graph_format {
	const char *name;
	const char * const *endings;
	bool (*claims)(const char *text);
	int (*line)(struct graph_reader *r, const char *text);
	int (*finish)(struct graph_reader *r);
};

extern const struct graph_format graph_matrix_format;
extern const struct graph_format graph_dimacs_format;
extern const struct graph_format graph_metis_format;
extern const struct graph_format graph_list_format;

/**
 * struct graph_reader - state of reading a file
 * @format: of the file, once that is known
 * @named: the file's name says so
 * @list: edges so far
 * @line: number, from 1
 * @sized: the line with the sizes was read
 * @rows: of that line; vertices, where both are
 * @columns: of that line
 * @entries: of that line
 * @values: matrix: numbers behind each entry
 * @whole: matrix: those are whole numbers
 * @vertex: METIS: lines of vertices so far
 * @skip: METIS: numbers before the neighbours of each
 * @edge_weights: METIS: each neighbour has one
 * @first: list: the first line, up to three numbers
 * @width: list: numbers a line
 * @lines: list: lines after the first, empty ones too
 * @low: list: lowest vertex after the first line
 * @high: list: highest
 * @error: what is wrong
 * @error_bytes: room in @error
 */
struct graph_reader {
	const struct graph_format *format;
	bool named;
	struct graph_list list;
	uint64_t line;
	bool sized;
	uint64_t rows, columns, entries;
	unsigned int values;
	bool whole;
	uint64_t vertex;
	uint64_t skip;
	bool edge_weights;
	uint64_t first[3];
	unsigned int width;
	uint64_t lines, low, high;
	char *error;
	size_t error_bytes;
};

/* "line N: ..."; returns -EINVAL. */
__attribute__((format(printf, 2, 3)))
int graph_bad(struct graph_reader *r, const char *format, ...);

const char *graph_skip(const char *text);
/* One whole number and what follows it; false if there is none. */
bool graph_number(const char **text, uint64_t *value);
/* The same for a number of any sort, as strtod() reads it. */
bool graph_any_number(const char **text);
/* A whole number of 32 bits. */
bool graph_weight(const char **text, uint64_t *weight);
/* The word @word, in upper or lower case, and what follows it. */
bool graph_word(const char **text, const char *word);
/* Nothing follows but blanks. */
bool graph_end(const char *text);

/* An edge of vertices counted from 0. */
int graph_edge(struct graph_reader *r, uint64_t from, uint64_t to, uint64_t weight);
/* Are there as many entries as the file says?  0 if so. */
int graph_complete(struct graph_reader *r);
/* What the file says of itself. */
int graph_size(struct graph_reader *r, uint64_t rows, uint64_t columns, uint64_t entries);

#endif
