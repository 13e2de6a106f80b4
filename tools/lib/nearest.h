/* SPDX-License-Identifier: GPL-2.0 */
/* The name that somebody meant: for errors about names that do not exist. */
#ifndef UVM_NEAREST_H
#define UVM_NEAREST_H

#include <stddef.h>

/**
 * struct nearest - a search for the name most like a word
 * @word: the word
 * @name: the best so far, NULL if none is like it
 * @apart: letters to be put in, left out, changed or swapped
 */
struct nearest {
	const char *word;
	const char *name;
	unsigned int apart;
};

/* Is @name more like it than those before?  It must stay where it is. */
void nearest_try(struct nearest *n, const char *name);

/* "; did you mean 'NAME'?", or nothing.  Returns @text. */
const char *nearest_hint(const struct nearest *n, char *text, size_t room);

#endif
