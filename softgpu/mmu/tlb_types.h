/* SPDX-License-Identifier: GPL-2.0 */
/* Structures of a TLB; see tlb.h. */
#ifndef SOFTGPU_TLB_TYPES_H
#define SOFTGPU_TLB_TYPES_H

#include <linux/types.h>

struct sgpu_tlb_entry;

#define SGPU_TLB_SLOTS		256
#define SGPU_TLB_REGIONS	256

/* Values of l2tlb_index: how the set of a page is chosen. */
#define SGPU_TLB_INDEX_MODULO	0
#define SGPU_TLB_INDEX_XOR	1

/**
 * struct sgpu_tlb_slot - what is known of the pages of one hash
 * @valid: how many entries there are: sets of pages without any are not searched
 * @last: the entry that last hit or was filled, looked at first
 */
struct sgpu_tlb_slot {
	u32 valid;
	u16 last;
};

/**
 * struct sgpu_tlb - one TLB
 * @entries: @sets * @ways of them, a set's ways adjacent
 * @sets: number of sets
 * @ways: associativity
 * @index: SGPU_TLB_INDEX_*
 * @clock: counts uses
 * @valid: valid entries
 * @regions: valid entries by 2 MB region (hashed): bounds invalidates, every entry
 *	lies in exactly one
 * @slots: valid entries by page of their size (hashed), every entry lies in exactly one
 */
struct sgpu_tlb {
	struct sgpu_tlb_entry *entries;
	unsigned int sets;
	unsigned int ways;
	unsigned int index;
	u64 clock;
	u32 valid;
	u32 regions[SGPU_TLB_REGIONS];
	struct sgpu_tlb_slot slots[SGPU_TLB_SLOTS];
};

#endif
