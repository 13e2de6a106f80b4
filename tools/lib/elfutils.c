// SPDX-License-Identifier: GPL-2.0
/*
 * What elfutils 0.192, Debian 13's, leaves out of its static libraries (its bug 32293): search
 * trees with a lock.  Here a file is opened, used and closed by one thread, so there
 * is no lock here.  Weak: other versions have their own, or none.
 */
#define _GNU_SOURCE
#include <search.h>
#include <stddef.h>

/* elfutils' search_tree begins with the root; behind that is what is not used here. */
struct eu_tree {
	void *root;
};

typedef int (*eu_compare_fn)(const void *a, const void *b);
typedef void (*eu_free_fn)(void *node);

void *eu_tsearch(const void *key, struct eu_tree *tree, eu_compare_fn compare);
void *eu_tfind(const void *key, struct eu_tree *tree, eu_compare_fn compare);
void *eu_tdelete(const void *key, struct eu_tree *tree, eu_compare_fn compare);
void eu_tdestroy(struct eu_tree *tree, eu_free_fn free_node);
void eu_search_tree_init(struct eu_tree *tree);
void eu_search_tree_fini(struct eu_tree *tree, eu_free_fn free_node);

#pragma weak eu_tsearch
void *eu_tsearch(const void *key, struct eu_tree *tree, eu_compare_fn compare)
{
	return tsearch(key, &tree->root, compare);
}

#pragma weak eu_tfind
void *eu_tfind(const void *key, struct eu_tree *tree, eu_compare_fn compare)
{
	return tfind(key, &tree->root, compare);
}

#pragma weak eu_tdelete
void *eu_tdelete(const void *key, struct eu_tree *tree, eu_compare_fn compare)
{
	return tdelete(key, &tree->root, compare);
}

#pragma weak eu_tdestroy
void eu_tdestroy(struct eu_tree *tree, eu_free_fn free_node)
{
	tdestroy(tree->root, free_node);
	tree->root = NULL;
}

#pragma weak eu_search_tree_init
void eu_search_tree_init(struct eu_tree *tree)
{
	tree->root = NULL;
}

#pragma weak eu_search_tree_fini
void eu_search_tree_fini(struct eu_tree *tree, eu_free_fn free_node)
{
	eu_tdestroy(tree, free_node);
}
