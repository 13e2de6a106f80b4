// SPDX-License-Identifier: GPL-2.0
/* Optimal string alignment (R. Lowrance, R. A. Wagner 1975, restricted): the textbook's table. */
#include <stdio.h>
#include <string.h>

#include "nearest.h"

#define NEAREST_MAX	64	/* longer words are no names */

static unsigned int nearest_least(unsigned int a, unsigned int b)
{
	return a < b ? a : b;
}

static unsigned int nearest_distance(const char *a, size_t a_length, const char *b,
				     size_t b_length)
{
	unsigned int d[NEAREST_MAX + 1][NEAREST_MAX + 1];
	size_t i, j;

	for (i = 0; i <= a_length; i++)
		d[i][0] = (unsigned int)i;
	for (j = 0; j <= b_length; j++)
		d[0][j] = (unsigned int)j;
	for (i = 1; i <= a_length; i++) {
		for (j = 1; j <= b_length; j++) {
			d[i][j] = nearest_least(d[i - 1][j - 1] + (a[i - 1] != b[j - 1]),
						nearest_least(d[i - 1][j], d[i][j - 1]) + 1);
			if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
				d[i][j] = nearest_least(d[i][j], d[i - 2][j - 2] + 1);
		}
	}
	return d[a_length][b_length];
}

/* A third of the letters may be wrong. */
static unsigned int nearest_allowed(size_t a, size_t b)
{
	return (unsigned int)((a > b ? a : b) + 2) / 3;
}

void nearest_try(struct nearest *n, const char *name)
{
	size_t a = strlen(n->word), b = strlen(name);
	unsigned int apart;

	if (!a || a > NEAREST_MAX || b > NEAREST_MAX)
		return;
	apart = nearest_distance(n->word, a, name, b);
	/* the beginning of a name is like it, however much is left */
	if (a > 2 && !strncmp(n->word, name, a))
		apart = 1;
	if (apart > nearest_allowed(a, b) || apart == (a > b ? a : b) ||
	    (n->name && apart >= n->apart))
		return;
	n->name = name;
	n->apart = apart;
}

const char *nearest_hint(const struct nearest *n, char *text, size_t room)
{
	text[0] = '\0';
	if (n->name)
		snprintf(text, room, "; did you mean '%s'?", n->name);
	return text;
}
