/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Range groups: spans of addresses that may or may not be migrated together
 * (nvidia-uvm 1.6).
 *
 * A span belongs to one group or to none; it need not be managed.  Spans are
 * [start, end], inclusive, page aligned, and never overlap:
 *
 *  1) set over nothing		[--g--]
 *  2) set inside another	[---a----------]   ->  [-a-][--b--][-a-]
 *	   b: [-----]
 *  3) set across several	[--a--][--b--]     ->  [a][---c---][b]
 *	   c: [---------]
 *  4) set to none		[---a----------]   ->  [-a-]       [-a-]
 *
 * Memory outside any group is migratable.
 *
 * Pure: the lock of the VA space is the caller's.
 */
#ifndef UVM_RANGE_GROUP_H
#define UVM_RANGE_GROUP_H

#include <linux/interval_tree.h>
#include <linux/list.h>
#include <linux/slab.h>
#include <linux/types.h>

/**
 * struct uvm_range_group - one group
 * @id: from 1, never used twice
 * @migratable: explicit migration and access counters may move its memory
 * @node: in uvm_range_groups.groups
 * @spans: of uvm_range_group_span.of_group
 */
struct uvm_range_group {
	u64 id;
	bool migratable;
	struct list_head node;
	struct list_head spans;
};

/**
 * struct uvm_range_group_span - addresses of a group
 * @node: node.start and node.last are the span
 * @group: the group
 * @of_group: in uvm_range_group.spans
 */
struct uvm_range_group_span {
	struct interval_tree_node node;
	struct uvm_range_group *group;
	struct list_head of_group;
};

/**
 * struct uvm_range_groups - the groups of a VA space
 * @spans: by address
 * @groups: by id, ascending
 * @last_id: given out last
 */
struct uvm_range_groups {
	struct rb_root_cached spans;
	struct list_head groups;
	u64 last_id;
};

void uvm_range_groups_init(struct uvm_range_groups *groups);
void uvm_range_groups_fini(struct uvm_range_groups *groups);
int uvm_range_group_create(struct uvm_range_groups *groups, gfp_t gfp,
			   struct uvm_range_group **group);
struct uvm_range_group *uvm_range_group_find(struct uvm_range_groups *groups, u64 id);
void uvm_range_group_destroy(struct uvm_range_groups *groups, struct uvm_range_group *group);
int uvm_range_group_set(struct uvm_range_groups *groups, struct uvm_range_group *group, u64 start,
			u64 end, gfp_t gfp);
struct uvm_range_group_span *uvm_range_group_first(struct uvm_range_groups *groups, u64 start,
						   u64 end);
struct uvm_range_group_span *uvm_range_group_next(struct uvm_range_group_span *span, u64 start,
						  u64 end);
bool uvm_range_group_next_run(struct uvm_range_groups *groups, u64 start, u64 end, u64 *last);

#endif
