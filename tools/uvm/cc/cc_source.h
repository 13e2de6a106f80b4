/* SPDX-License-Identifier: GPL-2.0 */
/* What a kernel's source defines, as clang's syntax tree says. */
#ifndef CC_SOURCE_H
#define CC_SOURCE_H

#include <json-c/json.h>
#include <stdbool.h>

/**
 * struct cc_definition - a function that others can call, or a variable
 * @name: as in the source
 * @type: "void (const struct a *)"
 * @file: where it is defined
 * @line: in @file
 * @function: it is a function
 */
struct cc_definition {
	const char *name;
	const char *type;
	const char *file;
	int line;
	bool function;
};

#define CC_DEFINITIONS	512

/**
 * struct cc_source - all of them
 * @list: in the order of the source
 * @count: how many
 */
struct cc_source {
	struct cc_definition list[CC_DEFINITIONS];
	int count;
};

/*
 * Fill @source from the tree that clang -ast-dump=json prints, which has to stay: its texts are there.
 * False, and said, if there are too many definitions.
 */
bool cc_source_read(struct cc_source *source, struct json_object *tree);

/* A launch can name it: void f(void), or with one pointer. */
bool cc_is_kernel(const struct cc_definition *definition);

#endif
