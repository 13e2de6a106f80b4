/* SPDX-License-Identifier: GPL-2.0 */
/*
 * One bit per 4K page of a VA block, and regions [first, outer) of one.
 *
 * Page 0 is the first page of the aligned 2 MB that holds the block, so a
 * block that does not begin there has no page 0, and 64K pages are always the
 * sixteens [16u, 16u + 16).
 * Pure: no mm, no device, no locks.
 */
#ifndef UVM_PAGE_MASK_H
#define UVM_PAGE_MASK_H

#include <linux/bitmap.h>
#include <linux/types.h>
#include "base/types.h"

/**
 * struct uvm_page_mask - a set of pages of one block
 * @bits: bit i is page i
 */
struct uvm_page_mask {
	DECLARE_BITMAP(bits, UVM_PAGES_PER_BLOCK);
};

/**
 * struct uvm_region - consecutive pages
 * @first: first page
 * @outer: one past the last; equal to @first if there is none
 */
struct uvm_region {
	u16 first;
	u16 outer;
};

/**
 * uvm_region_make - the pages [@first, @outer)
 * @first: first page
 * @outer: one past the last, at most UVM_PAGES_PER_BLOCK
 *
 * Return: the region.
 */
static inline struct uvm_region uvm_region_make(unsigned int first, unsigned int outer)
{
	return (struct uvm_region){ .first = first, .outer = outer };
}

/**
 * uvm_region_num_pages - length of a region
 * @region: the region, @outer not below @first
 *
 * Return: pages.
 */
static inline unsigned int uvm_region_num_pages(struct uvm_region region)
{
	return region.outer - region.first;
}

/**
 * uvm_region_bytes - size of a region
 * @region: the region, @outer not below @first
 *
 * Return: bytes.
 */
static inline u64 uvm_region_bytes(struct uvm_region region)
{
	return (u64)uvm_region_num_pages(region) << UVM_PAGE_SHIFT;
}

/**
 * uvm_region_empty - has a region no page?
 * @region: the region
 *
 * Return: true if so.
 */
static inline bool uvm_region_empty(struct uvm_region region)
{
	return region.first >= region.outer;
}

/**
 * uvm_region_contains - is a page in a region?
 * @region: the region
 * @page: the page
 *
 * Return: true if so.
 */
static inline bool uvm_region_contains(struct uvm_region region, unsigned int page)
{
	return page >= region.first && page < region.outer;
}

/**
 * uvm_region_and - intersection of two regions
 * @a: a region
 * @b: the other
 *
 * Return: the region; empty (first == outer) if they do not meet.
 */
static inline struct uvm_region uvm_region_and(struct uvm_region a, struct uvm_region b)
{
	unsigned int first = a.first > b.first ? a.first : b.first;
	unsigned int outer = a.outer < b.outer ? a.outer : b.outer;

	return uvm_region_make(first, outer > first ? outer : first);
}

/**
 * uvm_page_mask_zero - no page
 * @mask: the set
 */
static inline void uvm_page_mask_zero(struct uvm_page_mask *mask)
{
	bitmap_zero(mask->bits, UVM_PAGES_PER_BLOCK);
}

/**
 * uvm_page_mask_fill - all 512 pages; for a short block use uvm_page_mask_fill_region()
 * @mask: the set
 */
static inline void uvm_page_mask_fill(struct uvm_page_mask *mask)
{
	bitmap_fill(mask->bits, UVM_PAGES_PER_BLOCK);
}

/**
 * uvm_page_mask_copy - the same pages as another set
 * @dst: the set
 * @src: the other
 */
static inline void uvm_page_mask_copy(struct uvm_page_mask *dst, const struct uvm_page_mask *src)
{
	bitmap_copy(dst->bits, src->bits, UVM_PAGES_PER_BLOCK);
}

/*
 * The four operations that a fault needs most are written out: of eight words each, a
 * call for the bitmap library costs more than the work.
 */
#define UVM_MASK_WORDS	BITS_TO_LONGS(UVM_PAGES_PER_BLOCK)

/**
 * uvm_page_mask_and - pages in both of two sets
 * @dst: out; may be one of the two
 * @a: a set
 * @b: the other
 *
 * Return: true if there is any.
 */
static inline bool uvm_page_mask_and(struct uvm_page_mask *dst, const struct uvm_page_mask *a,
				     const struct uvm_page_mask *b)
{
	unsigned long any = 0;

#pragma GCC unroll 8
	for (unsigned int i = 0; i < UVM_MASK_WORDS; i++)
		any |= dst->bits[i] = a->bits[i] & b->bits[i];
	return any;
}

/**
 * uvm_page_mask_andnot - pages in one set and not in another
 * @dst: out; may be one of the two
 * @a: the one
 * @b: the other
 *
 * Return: true if there is any.
 */
static inline bool uvm_page_mask_andnot(struct uvm_page_mask *dst, const struct uvm_page_mask *a,
					const struct uvm_page_mask *b)
{
	unsigned long any = 0;

#pragma GCC unroll 8
	for (unsigned int i = 0; i < UVM_MASK_WORDS; i++)
		any |= dst->bits[i] = a->bits[i] & ~b->bits[i];
	return any;
}

/**
 * uvm_page_mask_or - pages in one set or another
 * @dst: out; may be one of the two
 * @a: a set
 * @b: the other
 */
static inline void uvm_page_mask_or(struct uvm_page_mask *dst, const struct uvm_page_mask *a,
				    const struct uvm_page_mask *b)
{
#pragma GCC unroll 8
	for (unsigned int i = 0; i < UVM_MASK_WORDS; i++)
		dst->bits[i] = a->bits[i] | b->bits[i];
}

/**
 * uvm_page_mask_or_region - add the pages of a region
 * @mask: the set
 * @region: the region
 */
static inline void uvm_page_mask_or_region(struct uvm_page_mask *mask, struct uvm_region region)
{
	if (!uvm_region_empty(region))
		bitmap_set(mask->bits, region.first, uvm_region_num_pages(region));
}

/**
 * uvm_page_mask_clear_region - remove the pages of a region
 * @mask: the set
 * @region: the region
 */
static inline void uvm_page_mask_clear_region(struct uvm_page_mask *mask, struct uvm_region region)
{
	if (!uvm_region_empty(region))
		bitmap_clear(mask->bits, region.first, uvm_region_num_pages(region));
}

/**
 * uvm_page_mask_fill_region - exactly the pages of a region
 * @mask: the set
 * @region: the region
 */
static inline void uvm_page_mask_fill_region(struct uvm_page_mask *mask, struct uvm_region region)
{
	uvm_page_mask_zero(mask);
	uvm_page_mask_or_region(mask, region);
}

/**
 * uvm_page_mask_and_region - remove what is outside a region
 * @mask: the set
 * @region: the region
 */
static inline void uvm_page_mask_and_region(struct uvm_page_mask *mask, struct uvm_region region)
{
	if (uvm_region_empty(region)) {
		uvm_page_mask_zero(mask);
		return;
	}
	uvm_page_mask_clear_region(mask, uvm_region_make(0, region.first));
	uvm_page_mask_clear_region(mask, uvm_region_make(region.outer, UVM_PAGES_PER_BLOCK));
}

/**
 * uvm_page_mask_test - is a page in a set?
 * @mask: the set
 * @page: the page
 *
 * Return: true if so.
 */
static inline bool uvm_page_mask_test(const struct uvm_page_mask *mask, unsigned int page)
{
	return test_bit(page, mask->bits);
}

/**
 * uvm_page_mask_set - add a page
 * @mask: the set
 * @page: the page
 */
static inline void uvm_page_mask_set(struct uvm_page_mask *mask, unsigned int page)
{
	__set_bit(page, mask->bits);
}

/**
 * uvm_page_mask_clear - remove a page
 * @mask: the set
 * @page: the page
 */
static inline void uvm_page_mask_clear(struct uvm_page_mask *mask, unsigned int page)
{
	__clear_bit(page, mask->bits);
}

/**
 * uvm_page_mask_empty - has a set no page?
 * @mask: the set
 *
 * Return: true if so.
 */
static inline bool uvm_page_mask_empty(const struct uvm_page_mask *mask)
{
	unsigned long any = 0;

#pragma GCC unroll 8
	for (unsigned int i = 0; i < UVM_MASK_WORDS; i++)
		any |= mask->bits[i];
	return !any;
}

/**
 * uvm_page_mask_equal - have two sets the same pages?
 * @a: a set
 * @b: the other
 *
 * Return: true if so.
 */
static inline bool uvm_page_mask_equal(const struct uvm_page_mask *a,
				       const struct uvm_page_mask *b)
{
	return bitmap_equal(a->bits, b->bits, UVM_PAGES_PER_BLOCK);
}

/**
 * uvm_page_mask_subset - is every page of one set in another?
 * @a: the one
 * @b: the other
 *
 * Return: true if so.
 */
static inline bool uvm_page_mask_subset(const struct uvm_page_mask *a,
					const struct uvm_page_mask *b)
{
	return bitmap_subset(a->bits, b->bits, UVM_PAGES_PER_BLOCK);
}

/**
 * uvm_page_mask_intersects - have two sets a page in common?
 * @a: a set
 * @b: the other
 *
 * Return: true if so.
 */
static inline bool uvm_page_mask_intersects(const struct uvm_page_mask *a,
					    const struct uvm_page_mask *b)
{
	return bitmap_intersects(a->bits, b->bits, UVM_PAGES_PER_BLOCK);
}

/**
 * uvm_page_mask_weight - how many pages a set has
 * @mask: the set
 *
 * Return: 0 ...  UVM_PAGES_PER_BLOCK.
 */
static inline unsigned int uvm_page_mask_weight(const struct uvm_page_mask *mask)
{
	return bitmap_weight(mask->bits, UVM_PAGES_PER_BLOCK);
}

/**
 * uvm_page_mask_first - first page of a set in a region
 * @mask: the set
 * @region: the region
 *
 * Return: the page; region.outer if there is none.
 */
static inline unsigned int uvm_page_mask_first(const struct uvm_page_mask *mask,
					       struct uvm_region region)
{
	return find_next_bit(mask->bits, region.outer, region.first);
}

/**
 * uvm_page_mask_first_zero - first page of a region that is not in a set
 * @mask: the set
 * @region: the region
 *
 * Return: the page; region.outer if there is none.
 */
static inline unsigned int uvm_page_mask_first_zero(const struct uvm_page_mask *mask,
						    struct uvm_region region)
{
	return find_next_zero_bit(mask->bits, region.outer, region.first);
}

/**
 * uvm_page_mask_region_empty - is no page of a region in a set?
 * @mask: the set
 * @region: the region
 *
 * Return: true if so.
 */
static inline bool uvm_page_mask_region_empty(const struct uvm_page_mask *mask,
					      struct uvm_region region)
{
	return uvm_page_mask_first(mask, region) >= region.outer;
}

/**
 * uvm_page_mask_region_full - is every page of a region in a set?
 * @mask: the set
 * @region: the region
 *
 * Return: true if so.
 */
static inline bool uvm_page_mask_region_full(const struct uvm_page_mask *mask,
					     struct uvm_region region)
{
	return uvm_page_mask_first_zero(mask, region) >= region.outer;
}

/**
 * uvm_page_mask_unit - which pages of a 64K unit are in a set?
 * @mask: the set
 * @unit: 0 ...  UVM_BIG_PER_BLOCK - 1
 *
 * Return: a bit each, the lowest page first.
 */
static inline u16 uvm_page_mask_unit(const struct uvm_page_mask *mask, unsigned int unit)
{
	unsigned int page = unit * UVM_PAGES_PER_BIG;

	return mask->bits[page / BITS_PER_LONG] >> (page % BITS_PER_LONG);
}

/**
 * uvm_page_mask_region_weight - how many pages of a region are in a set
 * @mask: the set
 * @region: the region
 *
 * Return: pages.
 */
static inline unsigned int uvm_page_mask_region_weight(const struct uvm_page_mask *mask,
						       struct uvm_region region)
{
	unsigned int first = region.first / BITS_PER_LONG;
	unsigned int last = (region.outer - 1) / BITS_PER_LONG;
	unsigned int weight = 0;

	if (uvm_region_empty(region))
		return 0;
	for (unsigned int i = first; i <= last; i++) {
		unsigned long word = mask->bits[i];

		if (i == first)
			word &= BITMAP_FIRST_WORD_MASK(region.first);
		if (i == last)
			word &= BITMAP_LAST_WORD_MASK(region.outer);
		weight += hweight_long(word);
	}
	return weight;
}

/**
 * uvm_page_mask_span - smallest region that holds a whole set
 * @mask: the set
 *
 * Return: the region; [0, 0) if the set is empty.
 */
static inline struct uvm_region uvm_page_mask_span(const struct uvm_page_mask *mask)
{
	if (uvm_page_mask_empty(mask))
		return uvm_region_make(0, 0);
	return uvm_region_make(find_first_bit(mask->bits, UVM_PAGES_PER_BLOCK),
			       find_last_bit(mask->bits, UVM_PAGES_PER_BLOCK) + 1);
}

/**
 * uvm_page_mask_next_run - first maximal run of a set
 * @mask: the set
 * @from: within [@from, @outer)
 * @outer: likewise
 *
 * Return: the run; empty if there is none.
 */
static inline struct uvm_region uvm_page_mask_next_run(const struct uvm_page_mask *mask,
						       unsigned int from, unsigned int outer)
{
	unsigned int first = find_next_bit(mask->bits, outer, from);

	return uvm_region_make(first, find_next_zero_bit(mask->bits, outer, first));
}

/**
 * struct uvm_page_iter - cursor of the loops below
 * @mask: the set
 * @next: where to go on
 * @outer: where to stop
 */
struct uvm_page_iter {
	const struct uvm_page_mask *mask;
	unsigned int next;
	unsigned int outer;
};

/**
 * uvm_page_iter_make - a cursor before the first page
 * @mask: the set
 * @region: the part of it that is looked at
 *
 * Return: for the two below.
 */
static inline struct uvm_page_iter uvm_page_iter_make(const struct uvm_page_mask *mask,
						      struct uvm_region region)
{
	return (struct uvm_page_iter){
		.mask = mask, .next = region.first, .outer = region.outer
	};
}

/**
 * uvm_page_iter_next_page - next page of the set
 * @iter: the cursor
 *
 * Return: the page; outer at the end.
 */
static inline unsigned int uvm_page_iter_next_page(struct uvm_page_iter *iter)
{
	unsigned int page = find_next_bit(iter->mask->bits, iter->outer, iter->next);

	iter->next = page + 1;
	return page;
}

/**
 * uvm_page_iter_next_run - next maximal run of the set
 * @iter: the cursor
 *
 * Return: the run; empty at the end.
 */
static inline struct uvm_region uvm_page_iter_next_run(struct uvm_page_iter *iter)
{
	struct uvm_region run = uvm_page_mask_next_run(iter->mask, iter->next, iter->outer);

	iter->next = run.outer;
	return run;
}

/* @page: an integer; pages of @mask in @region, ascending; region.outer after the loop. */
#define for_each_page_in_mask(page, mask, region) \
	for (struct uvm_page_iter uvm_it = uvm_page_iter_make((mask), (region)); \
	     ((page) = uvm_page_iter_next_page(&uvm_it)) < uvm_it.outer;)

/* @sub: struct uvm_region; maximal runs of @mask in @region, ascending. */
#define for_each_subregion(sub, mask, region) \
	for (struct uvm_page_iter uvm_it = uvm_page_iter_make((mask), (region)); \
	     ((sub) = uvm_page_iter_next_run(&uvm_it)).first < uvm_it.outer;)

#endif
