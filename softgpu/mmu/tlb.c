// SPDX-License-Identifier: GPL-2.0
/* A set-associative TLB with LRU replacement; see tlb.h. */
#include <linux/log2.h>
#include <linux/mm.h>
#include <linux/slab.h>
#include <kunit/visibility.h>
#include "mmu/tlb.h"

#define SGPU_TLB_REGION_SHIFT	21

static const u8 sgpu_tlb_shift[SGPU_TLB_SIZES] = { 12, 16, 21 };

static unsigned int sgpu_tlb_size_index(unsigned int shift)
{
	return shift == 12 ? 0 : shift == 16 ? 1 : 2;
}

static u32 *sgpu_tlb_region(struct sgpu_tlb *tlb, u64 va)
{
	return &tlb->regions[(va >> SGPU_TLB_REGION_SHIFT) % SGPU_TLB_REGIONS];
}

static struct sgpu_tlb_slot *sgpu_tlb_slot(struct sgpu_tlb *tlb, unsigned int size, u64 vpn)
{
	/* Neighbours do not share a slot, nor do most pages of one number and another size. */
	return &tlb->slots[(vpn ^ (vpn >> 8) ^ size << 6) % SGPU_TLB_SLOTS];
}

/* XOR of the pieces of @bits. */
static u64 sgpu_tlb_fold(u64 vpn, unsigned int bits)
{
	u64 fold = 0;

	for (; vpn; vpn >>= bits)
		fold ^= vpn & (BIT_ULL(bits) - 1);
	return fold;
}

static struct sgpu_tlb_entry *sgpu_tlb_set(struct sgpu_tlb *tlb, u64 vpn)
{
	if (tlb->sets == 1)
		return tlb->entries;
	if (tlb->index == SGPU_TLB_INDEX_XOR)
		vpn = sgpu_tlb_fold(vpn, order_base_2(tlb->sets));
	return &tlb->entries[(vpn % tlb->sets) * tlb->ways];
}

static bool sgpu_tlb_match(const struct sgpu_tlb_entry *e, u64 tag, u64 va)
{
	return e->tag == tag && e->vpn == va >> e->shift;
}

/* An entry comes or goes. */
static void sgpu_tlb_count(struct sgpu_tlb *tlb, const struct sgpu_tlb_entry *e, int by)
{
	tlb->valid += by;
	*sgpu_tlb_region(tlb, e->vpn << e->shift) += by;
	sgpu_tlb_slot(tlb, sgpu_tlb_size_index(e->shift), e->vpn)->valid += by;
}

int sgpu_tlb_init(struct sgpu_tlb *tlb, unsigned int entries, unsigned int ways,
		  unsigned int index)
{
	memset(tlb, 0, sizeof(*tlb));
	if (!ways || !entries || entries % ways || entries > U16_MAX + 1)
		return -EINVAL;
	tlb->entries = kvcalloc(entries, sizeof(*tlb->entries), GFP_KERNEL);
	if (!tlb->entries)
		return -ENOMEM;
	tlb->ways = ways;
	tlb->index = index;
	tlb->sets = entries / ways;
	return 0;
}
EXPORT_SYMBOL_IF_KUNIT(sgpu_tlb_init);

void sgpu_tlb_exit(struct sgpu_tlb *tlb)
{
	kvfree(tlb->entries);
	tlb->entries = NULL;
}
EXPORT_SYMBOL_IF_KUNIT(sgpu_tlb_exit);

/* Look in the set of one page. */
static struct sgpu_tlb_entry *sgpu_tlb_search(struct sgpu_tlb *tlb, u64 tag, u64 va, u64 vpn)
{
	struct sgpu_tlb_entry *e = sgpu_tlb_set(tlb, vpn), *end = e + tlb->ways;

	for (; e < end; e++)
		if (sgpu_tlb_match(e, tag, va))
			return e;
	return NULL;
}

struct sgpu_tlb_entry *sgpu_tlb_lookup(struct sgpu_tlb *tlb, u64 tag, u64 va)
{
	unsigned int size;

	for (size = 0; size < SGPU_TLB_SIZES; size++) {
		u64 vpn = va >> sgpu_tlb_shift[size];
		struct sgpu_tlb_slot *slot = sgpu_tlb_slot(tlb, size, vpn);
		struct sgpu_tlb_entry *e;

		if (!slot->valid)
			continue;
		e = &tlb->entries[slot->last];
		if (!sgpu_tlb_match(e, tag, va)) {
			e = sgpu_tlb_search(tlb, tag, va, vpn);
			if (!e)
				continue;
			slot->last = e - tlb->entries;
		}
		e->stamp = ++tlb->clock;
		return e;
	}
	return NULL;
}
EXPORT_SYMBOL_IF_KUNIT(sgpu_tlb_lookup);

void sgpu_tlb_drop(struct sgpu_tlb *tlb, struct sgpu_tlb_entry *e)
{
	sgpu_tlb_count(tlb, e, -1);
	e->tag = 0;
	e->stamp = 0;
}
EXPORT_SYMBOL_IF_KUNIT(sgpu_tlb_drop);

void sgpu_tlb_fill(struct sgpu_tlb *tlb, const struct sgpu_tlb_entry *entry)
{
	struct sgpu_tlb_entry *set = sgpu_tlb_set(tlb, entry->vpn), *victim = set;
	unsigned int way;

	for (way = 0; way < tlb->ways; way++) {
		if (set[way].tag == entry->tag && set[way].shift == entry->shift &&
		    set[way].vpn == entry->vpn) {
			victim = &set[way];
			break;
		}
		/* Empty ways have stamp 0: they go first, lowest way first. */
		if (set[way].stamp < victim->stamp)
			victim = &set[way];
	}
	if (victim->tag)
		sgpu_tlb_drop(tlb, victim);
	*victim = *entry;
	victim->stamp = ++tlb->clock;
	sgpu_tlb_count(tlb, victim, 1);
	sgpu_tlb_slot(tlb, sgpu_tlb_size_index(entry->shift), entry->vpn)->last =
		victim - tlb->entries;
}
EXPORT_SYMBOL_IF_KUNIT(sgpu_tlb_fill);

/* May any entry lie in the span?  Exact for no, only for spans of few regions. */
static bool sgpu_tlb_may_hold(struct sgpu_tlb *tlb, u64 first, u64 last)
{
	u64 region = first >> SGPU_TLB_REGION_SHIFT, end = last >> SGPU_TLB_REGION_SHIFT;

	if (!tlb->valid)
		return false;
	if (end - region >= SGPU_TLB_REGIONS)
		return true;
	for (; region <= end; region++)
		if (tlb->regions[region % SGPU_TLB_REGIONS])
			return true;
	return false;
}

unsigned int sgpu_tlb_invalidate(struct sgpu_tlb *tlb, u64 tag, u64 first, u64 last)
{
	struct sgpu_tlb_entry *e = tlb->entries, *end = e + tlb->sets * tlb->ways;
	unsigned int dropped = 0;

	if (!sgpu_tlb_may_hold(tlb, first, last))
		return 0;
	for (; e < end; e++) {
		u64 va = e->vpn << e->shift;

		if (!e->tag || (tag && e->tag != tag))
			continue;
		if (va > last || va + (1ULL << e->shift) - 1 < first)
			continue;
		sgpu_tlb_drop(tlb, e);
		dropped++;
	}
	return dropped;
}
EXPORT_SYMBOL_IF_KUNIT(sgpu_tlb_invalidate);
