// SPDX-License-Identifier: GPL-2.0
/* How launches and copies ended; see history.h. */
#include <linux/export.h>
#include <linux/minmax.h>
#include <kunit/visibility.h>
#include "base/history.h"

void sgpu_history_init(struct sgpu_history *history)
{
	*history = (struct sgpu_history){ .ids = RB_ROOT };
	INIT_LIST_HEAD(&history->good);
	INIT_LIST_HEAD(&history->failed);
	INIT_LIST_HEAD(&history->told);
}
EXPORT_SYMBOL_IF_KUNIT(sgpu_history_init);

/* The count of the list that @item is or belongs in. */
static unsigned int *history_count(struct sgpu_history *history,
				   const struct sgpu_history_item *item)
{
	if (!item->failed)
		return &history->good_count;
	return item->told ? &history->told_count : &history->failed_count;
}

static struct list_head *history_list(struct sgpu_history *history,
				      const struct sgpu_history_item *item)
{
	if (!item->failed)
		return &history->good;
	return item->told ? &history->told : &history->failed;
}

static void history_link(struct sgpu_history *history, struct sgpu_history_item *item)
{
	list_add_tail(&item->node, history_list(history, item));
	++*history_count(history, item);
}

static void history_unlink(struct sgpu_history *history, struct sgpu_history_item *item)
{
	list_del(&item->node);
	--*history_count(history, item);
}

static bool history_less(struct rb_node *a, const struct rb_node *b)
{
	return rb_entry(a, struct sgpu_history_item, rb)->id <
	       rb_entry(b, struct sgpu_history_item, rb)->id;
}

static int history_compare(const void *key, const struct rb_node *node)
{
	const struct sgpu_history_item *item = rb_entry(node, struct sgpu_history_item, rb);

	u64 id = *(const u64 *)key;

	return (id > item->id) - (id < item->id);
}

static struct sgpu_history_item *history_remove_first(struct sgpu_history *history,
						      struct list_head *list)
{
	struct sgpu_history_item *item;

	item = list_first_entry_or_null(list, struct sgpu_history_item, node);
	if (!item)
		return NULL;
	history_unlink(history, item);
	rb_erase(&item->rb, &history->ids);
	return item;
}

/* Of what is too much, the oldest: failures only if they were told. */
static struct sgpu_history_item *history_forget(struct sgpu_history *history)
{
	struct sgpu_history_item *item;

	if (history->good_count > SGPU_HISTORY_GOOD)
		return history_remove_first(history, &history->good);
	if (history->failed_count + history->told_count <= SGPU_HISTORY_FAILED)
		return NULL;
	item = history_remove_first(history, &history->told);
	if (item)
		history->forgotten = max(history->forgotten, item->id);
	return item;
}

struct sgpu_history_item *sgpu_history_add(struct sgpu_history *history,
					   struct sgpu_history_item *item)
{
	item->told = false;
	rb_add(&item->rb, &history->ids, history_less);
	history_link(history, item);
	return history_forget(history);
}
EXPORT_SYMBOL_IF_KUNIT(sgpu_history_add);

bool sgpu_history_full(const struct sgpu_history *history)
{
	return READ_ONCE(history->failed_count) >= SGPU_HISTORY_FAILED;
}
EXPORT_SYMBOL_IF_KUNIT(sgpu_history_full);

struct sgpu_history_item *sgpu_history_find(const struct sgpu_history *history, u64 id)
{
	struct rb_node *node = rb_find(&id, &history->ids, history_compare);

	return node ? rb_entry(node, struct sgpu_history_item, rb) : NULL;
}
EXPORT_SYMBOL_IF_KUNIT(sgpu_history_find);

bool sgpu_history_ended_well(const struct sgpu_history *history, u64 id)
{
	return id > history->forgotten;
}
EXPORT_SYMBOL_IF_KUNIT(sgpu_history_ended_well);

void sgpu_history_tell(struct sgpu_history *history, struct sgpu_history_item *item)
{
	if (!item->failed || item->told)
		return;
	history_unlink(history, item);
	item->told = true;
	history_link(history, item);
}
EXPORT_SYMBOL_IF_KUNIT(sgpu_history_tell);

struct sgpu_history_item *sgpu_history_take(struct sgpu_history *history)
{
	return history_remove_first(history, &history->good) ?:
	       history_remove_first(history, &history->failed) ?:
	       history_remove_first(history, &history->told);
}
EXPORT_SYMBOL_IF_KUNIT(sgpu_history_take);
