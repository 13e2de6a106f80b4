// SPDX-License-Identifier: GPL-2.0
/*
 * Tests of the page tree on the loaded device: the tables that pushes have
 * written are walked by the device's own walker (softgpu/mmu/walker.c), which
 * knows nothing of the tree.
 */
#include "softgpu/mmu/mmu.h"
#include "softgpu/mmu/tlb.h"
#include "softgpu/mmu/walker.h"
#include "uvm_gpu_fixture.h"
#include "uvm/mmu/page_tree.h"
#include "uvm/mmu/pte_batch.h"
#include "softgpu/base/gpu.h"

#define K4	UVM_PAGE_SIZE_4K
#define K64	UVM_PAGE_SIZE_64K
#define M2	0x200000ULL
#define PT_VA	0x7f1234400000ULL	/* 2M aligned */

struct page_tree_fixture {
	struct live_gpu *live;
	struct uvm_page_tree tree;
	struct sgpu_address_space as;
	u64 reserve_used;
	bool ready;
};

static u64 page_tree_reserve_used(struct page_tree_fixture *fx)
{
	return READ_ONCE(fx->live->gpu.rm->reserve.used);
}

static struct page_tree_fixture *page_tree_enter(struct kunit *test)
{
	struct page_tree_fixture *fx = kunit_kzalloc(test, sizeof(*fx), GFP_KERNEL);
	struct uvm_gpu_address pdb;
	int ret;

	KUNIT_ASSERT_NOT_NULL(test, fx);
	fx->live = live_gpu_enter(test, 0, 64);
	fx->reserve_used = page_tree_reserve_used(fx);
	if (!fx->live->ready)
		return fx;
	ret = uvm_page_tree_init(&fx->live->gpu, &fx->tree);
	KUNIT_EXPECT_EQ(test, ret, 0);
	fx->ready = !ret;
	if (fx->ready) {
		pdb = uvm_page_tree_pdb(&fx->tree);
		fx->as.bound = true;
		fx->as.pdb_aperture = pdb.aperture;
		fx->as.pdb = pdb.address;
	}
	return fx;
}

/* Everything was put: only the root is left, and then no memory. */
static void page_tree_leave(struct kunit *test, struct page_tree_fixture *fx)
{
	if (fx->ready) {
		KUNIT_EXPECT_EQ(test, uvm_page_tree_wait(&fx->tree), 0);
		KUNIT_EXPECT_EQ(test, fx->tree.directories, 1U);
		uvm_page_tree_deinit(&fx->tree);
		KUNIT_EXPECT_EQ(test, page_tree_reserve_used(fx), fx->reserve_used);
	}
	live_gpu_leave(test, fx->live);
}

/* Write @value, plus one page per entry if it is valid, to a whole range. */
static void page_tree_fill(struct kunit *test, struct page_tree_fixture *fx,
			   struct uvm_page_table_range *range, u64 value)
{
	u64 step = value & MMU_PTE_VALID ? (range->page_size >> 12) << 8 : 0;
	struct uvm_tracker tracker = UVM_TRACKER_INIT();
	struct uvm_gpu_address pte;
	struct uvm_pte_batch batch;
	struct uvm_push push;
	unsigned int i;
	int ret;

	KUNIT_EXPECT_EQ(test, uvm_page_tree_add_tracker(&fx->tree, &tracker), 0);
	ret = uvm_push_begin_acquire(&fx->live->gpu, UVM_CHANNEL_MEMOPS, &tracker, &push);
	KUNIT_EXPECT_EQ(test, ret, 0);
	if (!ret) {
		uvm_pte_batch_begin(&push, &batch);
		for (i = 0; i < range->count; i++) {
			pte = uvm_page_table_range_entry_address(&fx->tree, range, i);
			uvm_pte_batch_write_pte(&batch, pte, value + i * step);
		}
		uvm_pte_batch_end(&batch, UVM_MEMBAR_NONE);
		KUNIT_EXPECT_EQ(test, uvm_push_end_and_wait(&push), 0);
	}
	uvm_tracker_deinit(&tracker);
}

static void page_tree_expect(struct kunit *test, struct page_tree_fixture *fx, u64 va,
			     enum sgpu_walk_result result, u64 pa)
{
	struct sgpu_translation xlat = { };
	enum sgpu_walk_result res;

	res = sgpu_mmu_walk(fx->live->gpu.rm, &fx->as, va, SGPU_READ, &xlat);
	KUNIT_EXPECT_EQ_MSG(test, res, result, "va %llx", va);
	if (result == SGPU_WALK_OK)
		KUNIT_EXPECT_EQ_MSG(test, xlat.pa, pa, "va %llx", va);
}

/* Does the L2 TLB know the address?  A test may put it there. */
static bool page_tree_tlb_knows(struct page_tree_fixture *fx, u64 va, bool put)
{
	struct sgpu_tlb_entry e = {
		.tag = sgpu_tlb_tag(fx->as.pdb_aperture == RM_APERTURE_SYS, fx->as.pdb),
		.vpn = va >> 21, .pa = 0, .shift = 21, .write = true,
	};
	struct sgpu_mmu *mmu = &fx->live->gpu.rm->mmu;
	bool known;

	spin_lock(&mmu->lock);
	if (put)
		sgpu_tlb_fill(&mmu->l2, &e);
	known = sgpu_tlb_lookup(&mmu->l2, e.tag, va);
	spin_unlock(&mmu->lock);
	return known;
}

/* ---- one range ------------------------------------------------------- */

struct page_tree_case {
	const char *name;
	u64 page_size;
	u64 va;
	u64 size;
	int ret;
	unsigned int first;
};

static const struct page_tree_case page_tree_cases[] = {
	{ "one 4K page", K4, PT_VA + 0x3000, K4, 0, 3 },
	{ "a whole 4K table", K4, PT_VA, M2, 0, 0 },
	{ "the end of a 4K table", K4, PT_VA + M2 - 2 * K4, 2 * K4, 0, 510 },
	{ "one 64K page", K64, PT_VA + 5 * K64, K64, 0, 5 },
	{ "a whole 64K table", K64, PT_VA, M2, 0, 0 },
	{ "address 0", K4, 0, K4, 0, 0 },
	{ "highest address", K4, (1ULL << 49) - K4, K4, 0, 511 },
	{ "last index of every level", K64, (1ULL << 49) - M2, M2, 0, 0 },
	/* one table: within 2 MB; aligned; below 2^49; a page size we have */
	{ "across 2M", K4, PT_VA + M2 - K4, 2 * K4, -EINVAL, 0 },
	{ "unaligned address", K64, PT_VA + K4, K64, -EINVAL, 0 },
	{ "unaligned size", K64, PT_VA, K64 + K4, -EINVAL, 0 },
	{ "no size", K4, PT_VA, 0, -EINVAL, 0 },
	{ "beyond 49 bits", K4, 1ULL << 49, K4, -EINVAL, 0 },
	{ "half a 2M page", M2, PT_VA, M2 / 2, -EINVAL, 0 },
	{ "two 2M pages", M2, PT_VA, 2 * M2, -EINVAL, 0 },
	{ "512M pages", 256 * M2, 0, 256 * M2, -EINVAL, 0 },
	{ "wrapping size", K4, PT_VA, ~(K4 - 1), -EINVAL, 0 },
};

static void page_tree_desc(const struct page_tree_case *c, char *desc)
{
	strscpy(desc, c->name, KUNIT_PARAM_DESC_SIZE);
}

KUNIT_ARRAY_PARAM(page_tree, page_tree_cases, page_tree_desc);

static void page_tree_range(struct kunit *test, struct page_tree_fixture *fx,
			    const struct page_tree_case *c)
{
	u64 pte = uvm_pte_make(uvm_gpu_address_vid(0), UVM_PROT_READ_WRITE_ATOMIC, c->page_size);
	struct uvm_page_table_range range;
	enum sgpu_walk_result before;
	int ret;

	ret = uvm_page_tree_get_ptes(&fx->tree, c->page_size, c->va, c->size, &range);
	KUNIT_EXPECT_EQ(test, ret, c->ret);
	if (ret)
		return;
	/* Root, PDE2, PDE1, PDE0, table. */
	KUNIT_EXPECT_EQ(test, fx->tree.directories, 5U);
	KUNIT_EXPECT_EQ(test, range.first, c->first);
	KUNIT_EXPECT_EQ(test, (u64)range.count, c->size / c->page_size);

	/* A new table is published, and empty. */
	KUNIT_EXPECT_EQ(test, uvm_page_tree_wait(&fx->tree), 0);
	page_tree_expect(test, fx, c->va, SGPU_WALK_INVALID_PTE, 0);
	page_tree_fill(test, fx, &range, pte);
	page_tree_expect(test, fx, c->va, SGPU_WALK_OK, 0);
	page_tree_expect(test, fx, c->va + c->size - 1, SGPU_WALK_OK, c->size - K4);
	before = c->va & (M2 - 1) ? SGPU_WALK_INVALID_PTE : SGPU_WALK_INVALID_PDE;
	if (c->va)
		page_tree_expect(test, fx, c->va - 1, before, 0);

	/* Nothing else refers to the tables: they go, from the top, and out of the TLBs. */
	KUNIT_EXPECT_TRUE(test, page_tree_tlb_knows(fx, c->va, true));
	uvm_page_tree_put_ptes(&fx->tree, &range, NULL);
	KUNIT_EXPECT_NULL(test, range.table);
	KUNIT_EXPECT_EQ(test, uvm_page_tree_wait(&fx->tree), 0);
	page_tree_expect(test, fx, c->va, SGPU_WALK_INVALID_PDE, 0);
	KUNIT_EXPECT_FALSE(test, page_tree_tlb_knows(fx, c->va, false));
}

static void page_tree_range_test(struct kunit *test)
{
	struct page_tree_fixture *fx = page_tree_enter(test);

	if (fx->ready)
		page_tree_range(test, fx, test->param_value);
	page_tree_leave(test, fx);
}

/* ---- several ranges share directories -------------------------------- */

struct page_tree_share {
	const char *name;
	u64 page_size;
	u64 va;
	unsigned int directories;	/* with all ranges up to this one */
	unsigned int left;		/* after this one was put, in the same order */
};

/* What a new range adds, and what is left when the ranges go first in, first out. */
static const struct page_tree_share page_tree_shares[] = {
	{ "first", K4, PT_VA, 5, 16 },
	{ "same table", K4, PT_VA + 8 * K4, 5, 15 },
	{ "64K table beside it", K64, PT_VA, 6, 14 },
	{ "same PDE0", K4, PT_VA + M2, 7, 12 },
	{ "same PDE1", K4, PT_VA + (1ULL << 29), 9, 9 },
	{ "same PDE2", K4, PT_VA + (1ULL << 38), 12, 5 },
	{ "other half of the address space", K4, (1ULL << 48) + PT_VA, 16, 1 },
};

static void page_tree_share(struct kunit *test, struct page_tree_fixture *fx)
{
	struct uvm_page_table_range range[ARRAY_SIZE(page_tree_shares)] = { };
	const struct page_tree_share *s = page_tree_shares;
	unsigned int i, got;
	int ret;

	for (got = 0; got < ARRAY_SIZE(range); got++) {
		ret = uvm_page_tree_get_ptes(&fx->tree, s[got].page_size, s[got].va, K64,
					     &range[got]);
		KUNIT_EXPECT_EQ(test, ret, 0);
		if (ret)
			break;
		KUNIT_EXPECT_EQ_MSG(test, fx->tree.directories, s[got].directories, "get: %s",
				    s[got].name);
	}
	for (i = 0; i < got; i++) {
		uvm_page_tree_put_ptes(&fx->tree, &range[i], NULL);
		KUNIT_EXPECT_EQ(test, uvm_page_tree_wait(&fx->tree), 0);
		KUNIT_EXPECT_EQ_MSG(test, fx->tree.directories, s[i].left, "put: %s", s[i].name);
		/* The neighbours still have theirs. */
		if (i + 1 < got)
			page_tree_expect(test, fx, s[i + 1].va, SGPU_WALK_INVALID_PTE, 0);
	}
}

static void page_tree_share_test(struct kunit *test)
{
	struct page_tree_fixture *fx = page_tree_enter(test);

	if (fx->ready)
		page_tree_share(test, fx);
	page_tree_leave(test, fx);
}

/* ---- 64K and 4K tables of one 2M ------------------------------------- */

/* The two empty encodings of a 64K entry (nvidia-uvm 3.6), and who wins. */
static void page_tree_dual(struct kunit *test, struct page_tree_fixture *fx)
{
	u64 small = uvm_pte_make(uvm_gpu_address_vid(M2), UVM_PROT_READ_WRITE, K4);
	u64 big = uvm_pte_make(uvm_gpu_address_vid(2 * M2), UVM_PROT_READ_WRITE, K64);
	struct uvm_page_table_range r4, r64;

	KUNIT_EXPECT_EQ(test, uvm_page_tree_get_ptes(&fx->tree, K4, PT_VA, M2, &r4), 0);
	page_tree_fill(test, fx, &r4, small);
	/* A 64K table that comes later does not hide what is mapped. */
	KUNIT_EXPECT_EQ(test, uvm_page_tree_get_ptes(&fx->tree, K64, PT_VA, M2, &r64), 0);
	KUNIT_EXPECT_EQ(test, uvm_page_tree_wait(&fx->tree), 0);
	page_tree_expect(test, fx, PT_VA + K64, SGPU_WALK_OK, M2 + K64);
	page_tree_fill(test, fx, &r64, uvm_pte_big_unmapped());
	page_tree_expect(test, fx, PT_VA + K64, SGPU_WALK_INVALID_PTE, 0);
	page_tree_fill(test, fx, &r64, big);
	page_tree_expect(test, fx, PT_VA + K64 + K4, SGPU_WALK_OK, 2 * M2 + K64 + K4);
	page_tree_fill(test, fx, &r64, uvm_pte_invalid());
	page_tree_expect(test, fx, PT_VA + K64, SGPU_WALK_OK, M2 + K64);
	/* Each table goes alone. */
	uvm_page_tree_put_ptes(&fx->tree, &r64, NULL);
	KUNIT_EXPECT_EQ(test, uvm_page_tree_wait(&fx->tree), 0);
	page_tree_expect(test, fx, PT_VA + M2 - 1, SGPU_WALK_OK, 2 * M2 - K4);
	uvm_page_tree_put_ptes(&fx->tree, &r4, NULL);
}

static void page_tree_dual_test(struct kunit *test)
{
	struct page_tree_fixture *fx = page_tree_enter(test);

	if (fx->ready)
		page_tree_dual(test, fx);
	page_tree_leave(test, fx);
}

/* ---- a 2 MB page in the place of tables ------------------------------ */

enum page_tree_2m_step { PT_BREAK = 1, PT_WRITE = 2, PT_LINK = 4 };

/* One push with some of the three steps. */
static void page_tree_change(struct kunit *test, struct page_tree_fixture *fx,
			     struct uvm_page_table_range *range, unsigned int steps, u64 pte)
{
	struct uvm_tracker tracker = UVM_TRACKER_INIT();
	struct uvm_push push;

	KUNIT_EXPECT_EQ(test, uvm_page_tree_add_tracker(&fx->tree, &tracker), 0);
	KUNIT_ASSERT_EQ(test, uvm_push_begin_acquire(&fx->live->gpu, UVM_CHANNEL_MEMOPS, &tracker,
						     &push), 0);
	if (steps & PT_BREAK)
		uvm_page_tree_break_entry(&fx->tree, range, &push, PT_VA);
	if (steps & PT_WRITE)
		uvm_page_tree_write_2m(&fx->tree, range, &push, PT_VA, pte, UVM_MEMBAR_NONE);
	if (steps & PT_LINK)
		uvm_page_tree_link_tables(&fx->tree, range, &push, PT_VA);
	KUNIT_EXPECT_EQ(test, uvm_push_end_and_wait(&push), 0);
	uvm_tracker_deinit(&tracker);
}

/*
 * nvidia-uvm 3.6: tables that come while the entry is a PTE are not seen before
 * they are linked, and no TLB knows the PTE any more when it is gone.
 */
static void page_tree_2m(struct kunit *test, struct page_tree_fixture *fx)
{
	u64 small = uvm_pte_make(uvm_gpu_address_vid(M2), UVM_PROT_READ_WRITE, K4);
	u64 big = uvm_pte_make(uvm_gpu_address_vid(2 * M2), UVM_PROT_READ_WRITE, K64);
	u64 whole = uvm_pte_make(uvm_gpu_address_vid(3 * M2), UVM_PROT_READ_WRITE, M2);
	struct uvm_page_table_range r4, r64, r2m;

	KUNIT_EXPECT_EQ(test, uvm_page_tree_get_ptes(&fx->tree, M2, PT_VA, M2, &r2m), 0);
	/* Root, PDE2, PDE1, PDE0. */
	KUNIT_EXPECT_EQ(test, fx->tree.directories, 4U);
	page_tree_change(test, fx, &r2m, PT_WRITE, whole);
	page_tree_expect(test, fx, PT_VA, SGPU_WALK_OK, 3 * M2);
	page_tree_expect(test, fx, PT_VA + M2 - 1, SGPU_WALK_OK, 4 * M2 - K4);
	page_tree_expect(test, fx, PT_VA + M2, SGPU_WALK_INVALID_PDE, 0);
	page_tree_expect(test, fx, PT_VA - 1, SGPU_WALK_INVALID_PDE, 0);

	KUNIT_EXPECT_EQ(test, uvm_page_tree_get_ptes(&fx->tree, K4, PT_VA, M2, &r4), 0);
	KUNIT_EXPECT_EQ(test, uvm_page_tree_get_ptes(&fx->tree, K64, PT_VA, M2, &r64), 0);
	page_tree_fill(test, fx, &r4, small);
	page_tree_expect(test, fx, PT_VA + K64, SGPU_WALK_OK, 3 * M2 + K64);

	/* Split. */
	KUNIT_EXPECT_TRUE(test, page_tree_tlb_knows(fx, PT_VA, true));
	page_tree_change(test, fx, &r2m, PT_BREAK, 0);
	KUNIT_EXPECT_FALSE(test, page_tree_tlb_knows(fx, PT_VA + K64, false));
	page_tree_expect(test, fx, PT_VA + K64, SGPU_WALK_INVALID_PDE, 0);
	page_tree_change(test, fx, &r2m, PT_LINK, 0);
	page_tree_expect(test, fx, PT_VA + K64, SGPU_WALK_OK, M2 + K64);
	page_tree_fill(test, fx, &r64, big);
	page_tree_expect(test, fx, PT_VA + K64, SGPU_WALK_OK, 2 * M2 + K64);

	/* Merge; a table that goes meanwhile does not take the PTE along. */
	KUNIT_EXPECT_TRUE(test, page_tree_tlb_knows(fx, PT_VA, true));
	page_tree_change(test, fx, &r2m, PT_BREAK | PT_WRITE, whole);
	KUNIT_EXPECT_FALSE(test, page_tree_tlb_knows(fx, PT_VA, false));
	uvm_page_tree_put_ptes(&fx->tree, &r64, NULL);
	KUNIT_EXPECT_EQ(test, uvm_page_tree_wait(&fx->tree), 0);
	page_tree_expect(test, fx, PT_VA + K64, SGPU_WALK_OK, 3 * M2 + K64);

	/* What is linked is what there still is. */
	page_tree_change(test, fx, &r2m, PT_BREAK | PT_LINK, 0);
	page_tree_expect(test, fx, PT_VA + K64, SGPU_WALK_OK, M2 + K64);
	uvm_page_tree_put_ptes(&fx->tree, &r4, NULL);
	KUNIT_EXPECT_EQ(test, uvm_page_tree_wait(&fx->tree), 0);
	page_tree_expect(test, fx, PT_VA, SGPU_WALK_INVALID_PDE, 0);
	KUNIT_EXPECT_EQ(test, fx->tree.directories, 4U);
	uvm_page_tree_put_ptes(&fx->tree, &r2m, NULL);
}

static void page_tree_2m_test(struct kunit *test)
{
	struct page_tree_fixture *fx = page_tree_enter(test);

	if (fx->ready)
		page_tree_2m(test, fx);
	page_tree_leave(test, fx);
}

/* ---- memory is freed after the work that uses it --------------------- */

/*
 * nvidia-uvm behaviour 13: tables are not freed before what still writes to
 * them.  The write is queued behind 2 MB of copies on another channel.
 */
static void page_tree_after(struct kunit *test, struct page_tree_fixture *fx)
{
	struct uvm_tracker after = UVM_TRACKER_INIT();
	struct uvm_gpu *gpu = &fx->live->gpu;
	struct uvm_page_table_range range;
	struct uvm_push push;
	u64 used, frame;
	bool zeroed;
	int i;

	if (rm_pma_alloc(gpu->rm, 1, RM_PMA_PINNED | RM_PMA_DONT_EVICT, &frame, &zeroed) != 1) {
		KUNIT_FAIL(test, "no frame");
		return;
	}
	KUNIT_EXPECT_EQ(test, uvm_page_tree_get_ptes(&fx->tree, K4, PT_VA, M2, &range), 0);
	KUNIT_EXPECT_EQ(test, uvm_page_tree_wait(&fx->tree), 0);
	used = page_tree_reserve_used(fx);

	KUNIT_EXPECT_EQ(test, uvm_push_begin(gpu, UVM_CHANNEL_CPU_TO_GPU, &push), 0);
	for (i = 0; i < 8; i++)
		uvm_ce_memset_8(&push, uvm_gpu_address_vid(frame), 1, M2);
	uvm_ce_memset_8(&push, uvm_page_table_range_entry_address(&fx->tree, &range, 0), 0, 4096);
	uvm_push_end(&push);
	KUNIT_EXPECT_EQ(test, uvm_tracker_add_push(&after, &push), 0);
	uvm_page_tree_put_ptes(&fx->tree, &range, &after);
	if (sim_is_virtual())
		KUNIT_EXPECT_EQ(test, page_tree_reserve_used(fx), used);
	KUNIT_EXPECT_EQ(test, uvm_page_tree_wait(&fx->tree), 0);
	KUNIT_EXPECT_TRUE(test, uvm_tracker_is_completed(&after));
	KUNIT_EXPECT_LT(test, page_tree_reserve_used(fx), used);
	uvm_tracker_deinit(&after);
	rm_pma_free(gpu->rm, 1, &frame);
}

static void page_tree_after_test(struct kunit *test)
{
	struct page_tree_fixture *fx = page_tree_enter(test);

	if (fx->ready)
		page_tree_after(test, fx);
	page_tree_leave(test, fx);
}

/* ---- no GPU memory for tables ---------------------------------------- */

struct page_tree_hoard {
	struct page_tree_hoard *next;
	u64 pa;
};

/* nvidia-uvm 7.4: system memory when GPU memory has run out. */
static void page_tree_sysmem(struct kunit *test, struct page_tree_fixture *fx)
{
	struct rm_gpu *rm = fx->live->gpu.rm;
	struct page_tree_hoard *hoard = NULL, *h;
	struct uvm_page_table_range range = { };
	struct uvm_gpu_address pte;
	u64 small = uvm_pte_make(uvm_gpu_address_vid(M2), UVM_PROT_READ_WRITE, K4);

	while ((h = kzalloc(sizeof(*h), GFP_KERNEL))) {
		if (rm_reserve_alloc(rm, PAGE_SIZE, &h->pa)) {
			kfree(h);
			break;
		}
		h->next = hoard;
		hoard = h;
	}
	KUNIT_EXPECT_EQ(test, uvm_page_tree_get_ptes(&fx->tree, K4, PT_VA, M2, &range), 0);
	if (range.table) {
		pte = uvm_page_table_range_entry_address(&fx->tree, &range, 0);
		KUNIT_EXPECT_EQ(test, pte.aperture, RM_APERTURE_SYS);
		page_tree_fill(test, fx, &range, small);
		page_tree_expect(test, fx, PT_VA + 9 * K4, SGPU_WALK_OK, M2 + 9 * K4);
		uvm_page_tree_put_ptes(&fx->tree, &range, NULL);
		KUNIT_EXPECT_EQ(test, uvm_page_tree_wait(&fx->tree), 0);
		page_tree_expect(test, fx, PT_VA + 9 * K4, SGPU_WALK_INVALID_PDE, 0);
	}
	while ((h = hoard)) {
		hoard = h->next;
		rm_reserve_free(rm, PAGE_SIZE, h->pa);
		kfree(h);
	}
}

static void page_tree_sysmem_test(struct kunit *test)
{
	struct page_tree_fixture *fx = page_tree_enter(test);

	if (fx->ready)
		page_tree_sysmem(test, fx);
	page_tree_leave(test, fx);
}

/* ---- after a channel error ------------------------------------------- */

/* Nothing can be unpublished any more: tables stay until the tree goes, and go then. */
static void page_tree_error(struct kunit *test, struct page_tree_fixture *fx)
{
	struct uvm_gpu *gpu = &fx->live->gpu;
	struct uvm_page_table_range range, other;
	struct uvm_push push;
	u64 used;

	KUNIT_EXPECT_EQ(test, uvm_page_tree_get_ptes(&fx->tree, K4, PT_VA, M2, &range), 0);
	KUNIT_EXPECT_EQ(test, uvm_page_tree_wait(&fx->tree), 0);
	used = page_tree_reserve_used(fx);
	KUNIT_EXPECT_EQ(test, uvm_push_begin(gpu, UVM_CHANNEL_CPU_TO_GPU, &push), 0);
	*uvm_push_words(&push, 1) = U32_MAX;
	KUNIT_EXPECT_EQ(test, uvm_push_end_and_wait(&push), -EIO);

	KUNIT_EXPECT_EQ(test, uvm_page_tree_get_ptes(&fx->tree, K4, PT_VA + M2, M2, &other), -EIO);
	KUNIT_EXPECT_EQ(test, page_tree_reserve_used(fx), used);
	uvm_page_tree_put_ptes(&fx->tree, &range, NULL);
	KUNIT_EXPECT_EQ(test, page_tree_reserve_used(fx), used);
}

static void page_tree_error_test(struct kunit *test)
{
	struct page_tree_fixture *fx = page_tree_enter(test);

	if (fx->ready)
		page_tree_error(test, fx);
	page_tree_leave(test, fx);
}

/* ---- several builders at once ---------------------------------------- */

#define PT_BUILDERS	3
#define PT_ROUNDS	40

struct page_tree_builder {
	struct page_tree_fixture *fx;
	struct sim_kthread kt;
	unsigned int number;
	unsigned int failed;
	bool started;
};

/* Get and put ranges that share directories with the other builders'. */
static void page_tree_build(void *data)
{
	struct page_tree_builder *b = data;
	struct uvm_page_table_range range[2];
	unsigned int i, k;
	int ret;
	u64 va;

	for (i = 0; i < PT_ROUNDS; i++) {
		for (k = 0; k < 2; k++) {
			va = PT_VA + ((i + k) % 4) * (1ULL << 29) + ((i + b->number) % 2) * M2;
			ret = uvm_page_tree_get_ptes(&b->fx->tree, k ? K64 : K4, va, K64,
						     &range[k]);
			if (ret) {
				b->failed++;
				memset(&range[k], 0, sizeof(range[k]));
			}
		}
		for (k = 0; k < 2; k++) {
			if (range[k].table)
				uvm_page_tree_put_ptes(&b->fx->tree, &range[k], NULL);
		}
	}
}

static void page_tree_race(struct kunit *test, struct page_tree_fixture *fx,
			   struct page_tree_builder *b)
{
	unsigned int i;

	for (i = 0; i < PT_BUILDERS; i++) {
		if (b[i].started)
			sim_kthread_kick(&b[i].kt, i);
	}
	for (i = 0; i < PT_BUILDERS; i++) {
		if (b[i].started)
			sim_kthread_flush(&b[i].kt);
		KUNIT_EXPECT_TRUE(test, b[i].started);
		KUNIT_EXPECT_EQ(test, b[i].failed, 0U);
	}
}

static void page_tree_race_test(struct kunit *test)
{
	struct page_tree_builder *b;
	struct page_tree_fixture *fx;
	unsigned int i;

	b = kunit_kcalloc(test, PT_BUILDERS, sizeof(*b), GFP_KERNEL);
	KUNIT_ASSERT_NOT_NULL(test, b);
	for (i = 0; i < PT_BUILDERS; i++) {
		b[i].number = i;
		b[i].started = !sim_kthread_start(&b[i].kt, page_tree_build, &b[i], "pt_build");
	}
	fx = page_tree_enter(test);
	for (i = 0; i < PT_BUILDERS; i++)
		b[i].fx = fx;
	if (fx->ready)
		page_tree_race(test, fx, b);
	page_tree_leave(test, fx);
	for (i = 0; i < PT_BUILDERS; i++) {
		if (b[i].started)
			sim_kthread_stop(&b[i].kt);
	}
}

static struct kunit_case uvm_page_tree_cases[] = {
	KUNIT_CASE_PARAM(page_tree_range_test, page_tree_gen_params),
	KUNIT_CASE(page_tree_share_test),
	KUNIT_CASE(page_tree_dual_test),
	KUNIT_CASE(page_tree_2m_test),
	KUNIT_CASE(page_tree_after_test),
	KUNIT_CASE(page_tree_sysmem_test),
	KUNIT_CASE(page_tree_error_test),
	KUNIT_CASE(page_tree_race_test),
	{ }
};

struct kunit_suite uvm_page_tree_suite = {
	.name = "uvm_page_tree",
	.test_cases = uvm_page_tree_cases,
};
