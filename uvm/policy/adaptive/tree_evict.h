/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Tree-based eviction, TBNe (Ganguly et al., "Interplay between Hardware Prefetcher and Page
 * Eviction Policy in CPU-GPU Unified Virtual Memory", ISCA 2019; the rule as in the simulator of
 * DATE 2021): what the tree would bring together leaves together.
 *
 * The 64 KB of 2 MB are the leaves of a binary tree.  One leaves; then, from the leaves up, the
 * rest of each node leaves of whose leaves *less than half* are there.  What leaves counts for
 * the nodes above.
 */
#ifndef UVM_TREE_EVICT_H
#define UVM_TREE_EVICT_H

#include <linux/types.h>

/**
 * uvm_tree_evict - what leaves with a victim
 * @leaves: 64 KB that the block has
 * @there: of these, those that are on the GPU, without the victim
 *
 * Return: those of @there that leave, too.
 */
u32 uvm_tree_evict(u32 leaves, u32 there);

#endif
