/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A set-associative TLB with LRU replacement.  Pure: no time, no locks; the
 * caller serialises.
 *
 * An entry holds one page of its size (4K, 64K or 2M), tagged with the page
 * directory it was read through.  Entries stay until invalidated or replaced,
 * whatever happens to the tables.  Page directory entries are not cached
 * (PDE caches are not modelled).
 */
#ifndef SOFTGPU_TLB_H
#define SOFTGPU_TLB_H

#include <linux/types.h>
#include "mmu/tlb_types.h"

#define SGPU_TLB_SIZES		3

/**
 * struct sgpu_tlb_entry - one translation
 * @tag: page directory, see sgpu_tlb_tag(); 0 = empty
 * @vpn: virtual address >> @shift
 * @pa: physical address of the page
 * @stamp: last use
 * @shift: log2 of the page size: 12, 16 or 21
 * @aperture: where it points, enum rm_aperture
 * @write: writes allowed
 * @atomic: atomics allowed
 */
struct sgpu_tlb_entry {
	u64 tag;
	u64 vpn;
	u64 pa;
	u64 stamp;
	u8 shift;
	u8 aperture;
	bool write;
	bool atomic;
};

/**
 * sgpu_tlb_tag - how entries name an address space
 * @sys: its page directory is in system memory
 * @pdb: its page directory, 4K aligned
 *
 * Return: the tag, never 0.
 */
static inline u64 sgpu_tlb_tag(bool sys, u64 pdb)
{
	return pdb | (sys ? 2 : 0) | 1;
}

/**
 * sgpu_tlb_init - make an empty TLB
 * @tlb: storage
 * @entries: a multiple of @ways, at most 65536
 * @ways: associativity, at least 1
 * @index: SGPU_TLB_INDEX_MODULO: the set is the page number modulo the number of sets.
 *	SGPU_TLB_INDEX_XOR: the page number is cut in pieces of as many bits as a set number has,
 *	and they are XORed first: planes at a power of two do not all share a set
 *
 * Return: 0, -EINVAL or -ENOMEM.
 */
int sgpu_tlb_init(struct sgpu_tlb *tlb, unsigned int entries, unsigned int ways,
		  unsigned int index);

/**
 * sgpu_tlb_exit - free the entries
 * @tlb: also one that was not made, or is zero
 */
void sgpu_tlb_exit(struct sgpu_tlb *tlb);

/**
 * sgpu_tlb_lookup - find the translation of an address
 * @tlb: the TLB
 * @tag: page directory
 * @va: virtual address
 *
 * Return: the entry, now most recently used in its set; or NULL.
 */
struct sgpu_tlb_entry *sgpu_tlb_lookup(struct sgpu_tlb *tlb, u64 tag, u64 va);

/**
 * sgpu_tlb_fill - add a translation
 * @tlb: the TLB
 * @entry: tag, vpn, pa, shift, aperture, write, atomic
 *
 * Replaces an entry of the same page, else an empty way, else the way of its
 * set that was not used for longest.
 */
void sgpu_tlb_fill(struct sgpu_tlb *tlb, const struct sgpu_tlb_entry *entry);

/**
 * sgpu_tlb_drop - empty an entry
 * @tlb: the TLB
 * @entry: one of its entries, in use
 */
void sgpu_tlb_drop(struct sgpu_tlb *tlb, struct sgpu_tlb_entry *entry);

/**
 * sgpu_tlb_invalidate - drop entries
 * @tlb: the TLB
 * @tag: page directory, or 0 for all
 * @first: first address of the span
 * @last: last address of the span; an entry that overlaps the span goes
 *
 * Return: how many were dropped.
 */
unsigned int sgpu_tlb_invalidate(struct sgpu_tlb *tlb, u64 tag, u64 first, u64 last);

#endif
