/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What policies and their evictor use of the kernel, for a program of the host.  It is included
 * before all; <linux/...> and <kunit/...> are empty files, but for the host's linux/types.h.
 */
#ifndef KERNEL_H
#define KERNEL_H

#include <linux/types.h>
#include <errno.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef __u8 u8;
typedef __u16 u16;
typedef __u32 u32;
typedef __u64 u64;
typedef __s32 s32;
typedef __s64 s64;
typedef unsigned int gfp_t;

#define U32_MAX		UINT32_MAX
#define U64_MAX		UINT64_MAX
#define S64_MIN		INT64_MIN
#define GFP_KERNEL	0
#define BITS_PER_LONG	(8 * (int)sizeof(long))
#define BITS_TO_LONGS(n) (((n) + BITS_PER_LONG - 1) / BITS_PER_LONG)
#define BIT(n)		(1UL << (n))
#define DECLARE_BITMAP(name, n) unsigned long name[BITS_TO_LONGS(n)]
#define ARRAY_SIZE(a)	(sizeof(a) / sizeof((a)[0]))
#define ALIGN(x, a)	(((x) + (a) - 1) / (a) * (a))
#define likely(x)	(x)
#define unlikely(x)	(x)
#define READ_ONCE(x)	(x)
#define WRITE_ONCE(x, v) ((x) = (v))
#define min(a, b)	({ __typeof__(a) _a = (a); __typeof__(b) _b = (b); _a < _b ? _a : _b; })
#define max(a, b)	({ __typeof__(a) _a = (a); __typeof__(b) _b = (b); _a > _b ? _a : _b; })
#define min_t(t, a, b)	({ t _a = (a); t _b = (b); _a < _b ? _a : _b; })
#define container_of(p, t, m) ((t *)((char *)(p) - offsetof(t, m)))
#define EXPORT_SYMBOL_IF_KUNIT(x) struct uvm_page_mask

#define module_param_cb(...) struct uvm_page_mask
#define MODULE_PARM_DESC(...) struct uvm_page_mask
#define __stringify_1(x)	#x
#define __stringify(x)		__stringify_1(x)
#define sizeof_field(t, m)	sizeof(((t *)0)->m)
#define UINT_MAX		UINT32_MAX
#define GENMASK(h, l)	((~0ULL >> (63 - (h))) & (~0ULL << (l)))
#define FIELD_PREP(mask, v)	((u64)(v) << __builtin_ctzll(mask) & (mask))
#define scnprintf		snprintf
#define strscpy(to, from, n)	snprintf(to, n, "%s", from)
#define array_index_nospec(i, n) (i)

static inline bool is_power_of_2(u64 n)
{
	return n && !(n & (n - 1));
}

/* Of digits alone, or "-" and digits. */
static inline int kstrtos64(const char *text, s64 *n)
{
	errno = 0;
	*n = strtoll(text, NULL, 10);
	return errno ? -EINVAL : 0;
}

static inline int kstrtou32(const char *text, int base, u32 *n)
{
	s64 all;

	if (kstrtos64(text, &all) || all < 0 || all > U32_MAX)
		return -EINVAL;
	*n = all;
	return 0;
}

static inline int kstrtos32(const char *text, int base, s32 *n)
{
	s64 all;

	if (kstrtos64(text, &all) || all < INT32_MIN || all > INT32_MAX)
		return -EINVAL;
	*n = all;
	return 0;
}

#define kzalloc(bytes, how)		calloc(1, bytes)
#define kvzalloc(bytes, how)		calloc(1, bytes)
#define kvcalloc(n, bytes, how)		calloc(n, bytes)
#define kfree				free
#define kvfree(p)			free((void *)(p))
#define kmemdup(p, bytes, how)		memcpy(malloc(bytes), p, bytes)

static inline u64 div64_u64(u64 a, u64 b)
{
	return a / b;
}

static inline int ilog2(u64 n)
{
	return 63 - __builtin_clzll(n);
}

static inline u64 roundup_pow_of_two(u64 n)
{
	return n < 2 ? 1 : 2ULL << ilog2(n - 1);
}

static inline bool test_bit(unsigned long i, const unsigned long *bits)
{
	return bits[i / BITS_PER_LONG] >> i % BITS_PER_LONG & 1;
}

static inline void __set_bit(unsigned long i, unsigned long *bits)
{
	bits[i / BITS_PER_LONG] |= 1UL << i % BITS_PER_LONG;
}

static inline void __clear_bit(unsigned long i, unsigned long *bits)
{
	bits[i / BITS_PER_LONG] &= ~(1UL << i % BITS_PER_LONG);
}

/* In base/page_mask.h, and used by nobody here. */
#define bitmap_zero(...)	abort()
#define bitmap_fill(...)	abort()
#define bitmap_copy(...)	abort()
#define bitmap_set(...)		abort()
#define bitmap_clear(...)	abort()
#define bitmap_equal(...)	(abort(), 0)
#define bitmap_subset(...)	(abort(), 0)
#define bitmap_intersects(...)	(abort(), 0)
#define bitmap_weight(...)	(abort(), 0)
#define find_next_bit(...)	(abort(), 0)
#define find_next_zero_bit(...)	(abort(), 0)
#define find_first_bit(...)	(abort(), 0)
#define find_last_bit(...)	(abort(), 0)
#define hweight_long(...)	(abort(), 0)
#define BITMAP_FIRST_WORD_MASK(...) 0UL
#define BITMAP_LAST_WORD_MASK(...) 0UL

struct list_head {
	struct list_head *next, *prev;
};

static inline void INIT_LIST_HEAD(struct list_head *list)
{
	list->next = list->prev = list;
}

static inline bool list_empty(const struct list_head *list)
{
	return list->next == list;
}

static inline void list_add(struct list_head *new, struct list_head *prev)
{
	new->prev = prev;
	new->next = prev->next;
	new->next->prev = prev->next = new;
}

static inline void list_add_tail(struct list_head *new, struct list_head *head)
{
	list_add(new, head->prev);
}

static inline void list_del(struct list_head *node)
{
	node->next->prev = node->prev;
	node->prev->next = node->next;
}

static inline void list_del_init(struct list_head *node)
{
	list_del(node);
	INIT_LIST_HEAD(node);
}

static inline void list_move_tail(struct list_head *node, struct list_head *head)
{
	list_del(node);
	list_add_tail(node, head);
}

static inline void list_splice_init(struct list_head *list, struct list_head *prev)
{
	if (list_empty(list))
		return;
	list->prev->next = prev->next;
	prev->next->prev = list->prev;
	prev->next = list->next;
	list->next->prev = prev;
	INIT_LIST_HEAD(list);
}

static inline void list_splice_tail_init(struct list_head *list, struct list_head *head)
{
	list_splice_init(list, head->prev);
}

#define list_entry(p, t, m)	container_of(p, t, m)
#define list_for_each_entry(p, head, m) \
	for (p = list_entry((head)->next, __typeof__(*p), m); &p->m != (head); \
	     p = list_entry(p->m.next, __typeof__(*p), m))
#define list_for_each_entry_reverse(p, head, m) \
	for (p = list_entry((head)->prev, __typeof__(*p), m); &p->m != (head); \
	     p = list_entry(p->m.prev, __typeof__(*p), m))
#define list_for_each_entry_safe(p, n, head, m) \
	for (p = list_entry((head)->next, __typeof__(*p), m), \
	     n = list_entry(p->m.next, __typeof__(*p), m); &p->m != (head); \
	     p = n, n = list_entry(n->m.next, __typeof__(*p), m))

#endif
