// SPDX-License-Identifier: GPL-2.0
/*
 * Range groups: who belongs to which, and what may be migrated.
 */
#include <kunit/visibility.h>
#include <linux/export.h>
#include <linux/minmax.h>
#include "model/range_group.h"

/**
 * uvm_range_groups_init - no groups
 * @groups: written
 */
void uvm_range_groups_init(struct uvm_range_groups *groups)
{
	groups->spans = RB_ROOT_CACHED;
	INIT_LIST_HEAD(&groups->groups);
	groups->last_id = 0;
}
EXPORT_SYMBOL_IF_KUNIT(uvm_range_groups_init);

/**
 * uvm_range_groups_fini - destroy what is left
 * @groups: the groups
 */
void uvm_range_groups_fini(struct uvm_range_groups *groups)
{
	struct uvm_range_group *group, *next;

	list_for_each_entry_safe(group, next, &groups->groups, node)
		uvm_range_group_destroy(groups, group);
}
EXPORT_SYMBOL_IF_KUNIT(uvm_range_groups_fini);

/**
 * uvm_range_group_create - a group without memory, migratable
 * @groups: the groups
 * @gfp: how to allocate
 * @group: out
 *
 * Return: 0 or -ENOMEM.
 */
int uvm_range_group_create(struct uvm_range_groups *groups, gfp_t gfp,
			   struct uvm_range_group **group)
{
	struct uvm_range_group *g = kzalloc(sizeof(*g), gfp);

	if (!g)
		return -ENOMEM;
	g->id = ++groups->last_id;
	g->migratable = true;
	INIT_LIST_HEAD(&g->spans);
	list_add_tail(&g->node, &groups->groups);
	*group = g;
	return 0;
}
EXPORT_SYMBOL_IF_KUNIT(uvm_range_group_create);

/**
 * uvm_range_group_find - a group by its id
 * @groups: the groups
 * @id: the id
 *
 * Return: the group or NULL.
 */
struct uvm_range_group *uvm_range_group_find(struct uvm_range_groups *groups, u64 id)
{
	struct uvm_range_group *group;

	list_for_each_entry(group, &groups->groups, node) {
		if (group->id == id)
			return group;
	}
	return NULL;
}
EXPORT_SYMBOL_IF_KUNIT(uvm_range_group_find);

static void range_group_drop(struct uvm_range_groups *groups, struct uvm_range_group_span *span)
{
	interval_tree_remove(&span->node, &groups->spans);
	list_del(&span->of_group);
	kfree(span);
}

static void range_group_add(struct uvm_range_groups *groups, struct uvm_range_group_span *span,
			    struct uvm_range_group *group, u64 start, u64 end)
{
	span->node.start = start;
	span->node.last = end;
	span->group = group;
	list_add_tail(&span->of_group, &group->spans);
	interval_tree_insert(&span->node, &groups->spans);
}

static void range_group_resize(struct uvm_range_groups *groups, struct uvm_range_group_span *span,
			       u64 start, u64 end)
{
	interval_tree_remove(&span->node, &groups->spans);
	span->node.start = start;
	span->node.last = end;
	interval_tree_insert(&span->node, &groups->spans);
}

/**
 * uvm_range_group_destroy - forget a group; its memory belongs to none
 * @groups: the groups
 * @group: one of them
 */
void uvm_range_group_destroy(struct uvm_range_groups *groups, struct uvm_range_group *group)
{
	struct uvm_range_group_span *span, *next;

	list_for_each_entry_safe(span, next, &group->spans, of_group)
		range_group_drop(groups, span);
	list_del(&group->node);
	kfree(group);
}
EXPORT_SYMBOL_IF_KUNIT(uvm_range_group_destroy);

/* Take [start, end] from whoever has it; *@spare is used if one is cut in three. */
static void range_group_cut(struct uvm_range_groups *groups, u64 start, u64 end,
			    struct uvm_range_group_span **spare)
{
	struct uvm_range_group_span *span;

	while ((span = uvm_range_group_first(groups, start, end))) {
		u64 first = span->node.start, last = span->node.last;

		if (first < start && last > end) {
			range_group_resize(groups, span, first, start - 1);
			range_group_add(groups, *spare, span->group, end + 1, last);
			*spare = NULL;
		} else if (first < start) {
			range_group_resize(groups, span, first, start - 1);
		} else if (last > end) {
			range_group_resize(groups, span, end + 1, last);
		} else {
			range_group_drop(groups, span);
		}
	}
}

/**
 * uvm_range_group_set - give addresses to a group
 * @groups: the groups
 * @group: one of them, or NULL: to none
 * @start: first byte
 * @end: last byte
 * @gfp: how to allocate
 *
 * Return: 0 or -ENOMEM, and then nothing has changed.
 */
int uvm_range_group_set(struct uvm_range_groups *groups, struct uvm_range_group *group, u64 start,
			u64 end, gfp_t gfp)
{
	struct uvm_range_group_span *span = kzalloc(sizeof(*span), gfp);
	struct uvm_range_group_span *spare = kzalloc(sizeof(*spare), gfp);

	if (!span || !spare) {
		kfree(span);
		kfree(spare);
		return -ENOMEM;
	}
	range_group_cut(groups, start, end, &spare);
	kfree(spare);
	if (group)
		range_group_add(groups, span, group, start, end);
	else
		kfree(span);
	return 0;
}
EXPORT_SYMBOL_IF_KUNIT(uvm_range_group_set);

static struct uvm_range_group_span *range_group_of(struct interval_tree_node *node)
{
	return node ? container_of(node, struct uvm_range_group_span, node) : NULL;
}

/**
 * uvm_range_group_first - lowest span of a group in a range
 * @groups: the groups
 * @start: first byte of the range
 * @end: last byte
 *
 * Return: a span that meets the range, or NULL.
 */
struct uvm_range_group_span *uvm_range_group_first(struct uvm_range_groups *groups, u64 start,
						   u64 end)
{
	return range_group_of(interval_tree_iter_first(&groups->spans, start, end));
}
EXPORT_SYMBOL_IF_KUNIT(uvm_range_group_first);

/**
 * uvm_range_group_next - the one after it
 * @span: a span
 * @start: as for uvm_range_group_first()
 * @end: likewise
 *
 * Return: the next span that meets the range, or NULL.
 */
struct uvm_range_group_span *uvm_range_group_next(struct uvm_range_group_span *span, u64 start,
						  u64 end)
{
	return range_group_of(interval_tree_iter_next(&span->node, start, end));
}
EXPORT_SYMBOL_IF_KUNIT(uvm_range_group_next);

/**
 * uvm_range_group_next_run - how far does it go on the same way?
 * @groups: the groups
 * @start: first byte
 * @end: last byte to look at
 * @last: out: last byte of the longest run from @start that is all migratable or
 *	all not
 *
 * Return: true if the run is migratable.
 */
bool uvm_range_group_next_run(struct uvm_range_groups *groups, u64 start, u64 end, u64 *last)
{
	struct uvm_range_group_span *span = uvm_range_group_first(groups, start, end);
	bool migratable = !span || span->node.start > start || span->group->migratable;
	u64 next = start;

	for (; span; span = uvm_range_group_next(span, start, end)) {
		if (span->node.start > next && !migratable)
			break;	/* a hole belongs to no group */
		if (span->group->migratable != migratable) {
			next = max_t(u64, next, span->node.start);
			break;
		}
		next = span->node.last + 1;
	}
	*last = !span && migratable ? end : min(end, next - 1);
	return migratable;
}
EXPORT_SYMBOL_IF_KUNIT(uvm_range_group_next_run);
