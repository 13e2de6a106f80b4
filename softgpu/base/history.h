/* SPDX-License-Identifier: GPL-2.0 */
/*
 * How things with ids ended: launches and copies.
 *
 * Most end well, and then "it has ended" is all that has to be known of an old one: the
 * newest are kept whole, and of older ones only failures.  Those stay until their owner has
 * been told; told ones make room for others, and are then no longer known.  What nobody
 * asked for is never forgotten: when there is no room for more of it, no more may be started.
 *
 * A pure unit: it allocates nothing; the caller's lock protects it.
 */
#ifndef SOFTGPU_HISTORY_H
#define SOFTGPU_HISTORY_H

#include <linux/list.h>
#include <linux/rbtree.h>
#include <linux/types.h>
#include <uapi/linux/softgpu.h>

#define SGPU_HISTORY_GOOD	SOFTGPU_RESULTS_KEPT	/* ended well, known whole */
#define SGPU_HISTORY_FAILED	SOFTGPU_FAILURES_KEPT	/* failures */

/**
 * struct sgpu_history_item - what is remembered, embedded in its owner's struct
 * @rb: by id
 * @node: in one of the lists of struct sgpu_history
 * @id: counts from 1
 * @failed: it did not end well
 * @told: and its owner knows
 */
struct sgpu_history_item {
	struct rb_node rb;
	struct list_head node;
	u64 id;
	bool failed;
	bool told;
};

/**
 * struct sgpu_history - what has ended
 * @ids: all items, by id
 * @good: those that ended well, in the order of their ends, as the lists below
 * @failed: failures of which nobody has been told
 * @told: the other failures
 * @good_count: length of @good
 * @failed_count: length of @failed
 * @told_count: length of @told
 * @forgotten: highest id of a failure that is no longer known
 */
struct sgpu_history {
	struct rb_root ids;
	struct list_head good;
	struct list_head failed;
	struct list_head told;
	unsigned int good_count;
	unsigned int failed_count;
	unsigned int told_count;
	u64 forgotten;
};

/**
 * sgpu_history_init - nothing has ended yet
 * @history: storage
 */
void sgpu_history_init(struct sgpu_history *history);

/**
 * sgpu_history_add - something has ended
 * @history: the history
 * @item: its id and whether it failed are set
 *
 * Return: what is forgotten instead and the caller frees, or NULL.
 */
struct sgpu_history_item *sgpu_history_add(struct sgpu_history *history,
					   struct sgpu_history_item *item);

/**
 * sgpu_history_full - is there no room for further failures?
 * @history: the history
 *
 * Context: any; needs no lock.
 * Return: true if nothing may be started until the owner has asked for failures.
 */
bool sgpu_history_full(const struct sgpu_history *history);

/**
 * sgpu_history_find - look something up that has ended
 * @history: the history
 * @id: its id
 *
 * Return: the item; NULL: not known, see sgpu_history_ended_well().
 */
struct sgpu_history_item *sgpu_history_find(const struct sgpu_history *history, u64 id);

/**
 * sgpu_history_ended_well - how something ended that is not found
 * @history: the history
 * @id: was given out, has ended, and sgpu_history_find() does not know it
 *
 * Return: true: well.  False: nobody knows.
 */
bool sgpu_history_ended_well(const struct sgpu_history *history, u64 id);

/**
 * sgpu_history_tell - the owner knows of this one; of a failure, it may be forgotten now
 * @history: the history
 * @item: in it
 */
void sgpu_history_tell(struct sgpu_history *history, struct sgpu_history_item *item);

/**
 * sgpu_history_take - take out any one, to free it
 * @history: the history
 *
 * Return: the item, or NULL: none is left.
 */
struct sgpu_history_item *sgpu_history_take(struct sgpu_history *history);

#endif
