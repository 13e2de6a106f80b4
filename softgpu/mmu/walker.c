// SPDX-License-Identifier: GPL-2.0
/* Page-table walk; see walker.h and the format in mmu_format.h. */
#include <linux/bitfield.h>
#include <linux/compiler.h>
#include <kunit/static_stub.h>
#include <kunit/visibility.h>
#include <softgpu/mmu_format.h>
#include "base/gpu.h"
#include "memory/peer.h"
#include "mmu/walker.h"

/* A table: where its entries are. */
struct sgpu_table {
	enum rm_aperture aperture;
	u64 pa;
};

static unsigned int sgpu_walk_index(u64 va, unsigned int shift, unsigned int entries)
{
	return (va >> shift) & (entries - 1);
}

/* One entry of 8 bytes; false if it lies outside memory. */
static bool sgpu_walk_read(struct rm_gpu *gpu, const struct sgpu_table *t, unsigned int offset,
			   u64 *entry)
{
	u64 *p = sgpu_mem_get(gpu, t->aperture, t->pa + offset);

	if (!p)
		return false;
	*entry = READ_ONCE(*p);
	sgpu_mem_put(gpu, t->aperture);
	return true;
}

/*
 * The two words of a PDE0.  The owner may replace them while we read: what is
 * used is a pair that was there at one time (low word first and last).
 */
static bool sgpu_walk_read_pde0(struct rm_gpu *gpu, const struct sgpu_table *t, unsigned int offset,
				u64 *low, u64 *high)
{
	u64 *p = sgpu_mem_get(gpu, t->aperture, t->pa + offset);
	int tries = 4;

	if (!p)
		return false;
	do {
		*low = READ_ONCE(p[0]);
		/* Low before high before low again. */
		smp_rmb();
		*high = READ_ONCE(p[1]);
		/* As above. */
		smp_rmb();
	} while (READ_ONCE(p[0]) != *low && --tries);
	sgpu_mem_put(gpu, t->aperture);
	return true;
}

static bool sgpu_walk_aperture(u64 field, enum rm_aperture *aperture)
{
	if (field == MMU_PDE_APERTURE_VID)
		*aperture = RM_APERTURE_VID;
	else if (field == MMU_PDE_APERTURE_SYS_COH)
		*aperture = RM_APERTURE_SYS;
	else
		return false;
	return true;
}

/* The next table that a directory entry names. */
static enum sgpu_walk_result sgpu_walk_pde(u64 pde, struct sgpu_table *next)
{
	u64 field = FIELD_GET(MMU_PDE_APERTURE, pde);

	if (field == MMU_PDE_APERTURE_INVALID || (pde & MMU_PDE_IS_PTE))
		return SGPU_WALK_INVALID_PDE;
	if (!sgpu_walk_aperture(field, &next->aperture))
		return SGPU_WALK_BAD_ADDRESS;
	next->pa = FIELD_GET(MMU_PDE_ADDR, pde) << 12;
	return SGPU_WALK_OK;
}

/* A valid PTE of a page of 1 << @shift bytes. */
static enum sgpu_walk_result sgpu_walk_pte(struct rm_gpu *gpu, u64 pte, unsigned int shift,
					   enum sgpu_access_kind kind, struct sgpu_page *page)
{
	u64 size = 1ULL << shift;

	page->shift = shift;
	page->pa = FIELD_GET(MMU_PTE_ADDR, pte) << 12;
	page->write = !(pte & MMU_PTE_READ_ONLY);
	page->atomic = page->write && !(pte & MMU_PTE_ATOMIC_DISABLE);
	switch (FIELD_GET(MMU_PTE_APERTURE, pte)) {
	case MMU_PTE_APERTURE_VID:
		page->aperture = RM_APERTURE_VID;
		if (page->pa + size > gpu->vram_bytes + gpu->reserve_bytes)
			return SGPU_WALK_BAD_ADDRESS;
		break;
	case MMU_PTE_APERTURE_SYS_COH:
		/* Whether it is mapped shows when it is accessed. */
		page->aperture = RM_APERTURE_SYS;
		break;
	case MMU_PTE_APERTURE_PEER:
		page->aperture = RM_APERTURE_PEER;
		if (!sgpu_peer_reachable(gpu, page->pa, size))
			return SGPU_WALK_BAD_ADDRESS;
		break;
	default:
		return SGPU_WALK_BAD_ADDRESS;
	}
	if (page->pa & (size - 1))
		return SGPU_WALK_BAD_ADDRESS;
	if (sgpu_allows(page->write, page->atomic, kind))
		return SGPU_WALK_OK;
	return page->write ? SGPU_WALK_ATOMIC : SGPU_WALK_RO;
}

/* PDE0: a 2M page, or a 64K table before a 4K table. */
static enum sgpu_walk_result sgpu_walk_pde0(struct rm_gpu *gpu, const struct sgpu_table *pde0,
					    u64 va, enum sgpu_access_kind kind,
					    struct sgpu_page *page)
{
	unsigned int index = sgpu_walk_index(va, MMU_PDE0_SHIFT, MMU_PDE0_ENTRIES);
	enum sgpu_walk_result res;
	u64 low, high, field, pte;
	struct sgpu_table t;
	bool big;

	if (!sgpu_walk_read_pde0(gpu, pde0, index * MMU_PDE0_BYTES, &low, &high))
		return SGPU_WALK_BAD_ADDRESS;
	if (low & MMU_PDE_IS_PTE)
		return sgpu_walk_pte(gpu, low, MMU_PDE0_SHIFT, kind, page);
	field = FIELD_GET(MMU_PDE_APERTURE, low);
	big = field != MMU_PDE_APERTURE_INVALID;
	if (big) {
		if (!sgpu_walk_aperture(field, &t.aperture))
			return SGPU_WALK_BAD_ADDRESS;
		t.pa = FIELD_GET(MMU_PDE0_BIG_ADDR, low) << 8;
		index = sgpu_walk_index(va, MMU_BIG_SHIFT, MMU_BIG_ENTRIES);
		if (!sgpu_walk_read(gpu, &t, index * MMU_PTE_BYTES, &pte))
			return SGPU_WALK_BAD_ADDRESS;
		if (pte & MMU_PTE_VALID)
			return sgpu_walk_pte(gpu, pte, MMU_BIG_SHIFT, kind, page);
		/* "Unmapped: stop here", and whatever else is not empty. */
		if (pte)
			return SGPU_WALK_INVALID_PTE;
	}
	res = sgpu_walk_pde(high, &t);
	if (res == SGPU_WALK_INVALID_PDE && big)
		return SGPU_WALK_INVALID_PTE;
	if (res != SGPU_WALK_OK)
		return res;
	index = sgpu_walk_index(va, MMU_SMALL_SHIFT, MMU_SMALL_ENTRIES);
	if (!sgpu_walk_read(gpu, &t, index * MMU_PTE_BYTES, &pte))
		return SGPU_WALK_BAD_ADDRESS;
	if (!(pte & MMU_PTE_VALID))
		return SGPU_WALK_INVALID_PTE;
	return sgpu_walk_pte(gpu, pte, MMU_SMALL_SHIFT, kind, page);
}

enum sgpu_walk_result sgpu_walk(struct rm_gpu *gpu, const struct sgpu_address_space *as, u64 va,
				enum sgpu_access_kind kind, struct sgpu_page *page)
{
	static const struct {
		u8 shift;
		u16 entries;
	} level[] = {
		{ MMU_PDE3_SHIFT, MMU_PDE3_ENTRIES },
		{ MMU_PDE2_SHIFT, MMU_PDE2_ENTRIES },
		{ MMU_PDE1_SHIFT, MMU_PDE1_ENTRIES },
	};
	struct sgpu_table t = { .aperture = as->pdb_aperture, .pa = as->pdb };
	enum sgpu_walk_result res;
	unsigned int i, index;
	u64 pde;

	KUNIT_STATIC_STUB_REDIRECT(sgpu_walk, gpu, as, va, kind, page);
	if (va >> MMU_VA_BITS)
		return SGPU_WALK_BAD_ADDRESS;
	for (i = 0; i < ARRAY_SIZE(level); i++) {
		index = sgpu_walk_index(va, level[i].shift, level[i].entries);
		if (!sgpu_walk_read(gpu, &t, index * MMU_PDE_BYTES, &pde))
			return SGPU_WALK_BAD_ADDRESS;
		res = sgpu_walk_pde(pde, &t);
		if (res != SGPU_WALK_OK)
			return res;
	}
	return sgpu_walk_pde0(gpu, &t, va, kind, page);
}
EXPORT_SYMBOL_IF_KUNIT(sgpu_walk);

enum sgpu_walk_result sgpu_mmu_walk(struct rm_gpu *gpu, const struct sgpu_address_space *as, u64 va,
				    enum sgpu_access_kind kind, struct sgpu_translation *xlat)
{
	enum sgpu_walk_result res;
	struct sgpu_page page;

	if (!as->bound)
		return SGPU_WALK_INVALID_PDE;
	res = sgpu_walk(gpu, as, va, kind, &page);
	if (res != SGPU_WALK_OK)
		return res;
	xlat->aperture = page.aperture;
	xlat->pa = page.pa | (va & ((1ULL << page.shift) - 1) & ~0xfffULL);
	xlat->write = page.write;
	xlat->atomic = page.atomic;
	return SGPU_WALK_OK;
}
EXPORT_SYMBOL_IF_KUNIT(sgpu_mmu_walk);
