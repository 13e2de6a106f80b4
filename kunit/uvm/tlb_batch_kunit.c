// SPDX-License-Identifier: GPL-2.0
/*
 * Tests of the TLB batch (nvidia-uvm 7.4): up to four ranges one by one with
 * the membar on the last, more as one invalidate of the address space at the
 * depth of the biggest page size.
 */
#include "uvm_gpu_fixture.h"
#include "uvm/mmu/page_tree.h"
#include "uvm/mmu/tlb_batch.h"

#define TLB_2M		((u64)1 << 21)

struct tlb_range {
	u64 va;
	u64 size;
	u64 page_sizes;
	enum uvm_membar membar;
};

/* One expected MEM_OP. */
struct tlb_op {
	u32 operation;
	u64 va;
	unsigned int order;
	u32 level;
	bool sysmembar;
};

struct tlb_batch_case {
	const char *name;
	unsigned int ranges;
	struct tlb_range range[6];
	enum uvm_membar membar;
	unsigned int ops;
	struct tlb_op op[4];
};

#define TLB_ALL		HOST_MEM_OP_TLB_INVALIDATE
#define TLB_VA		HOST_MEM_OP_TLB_INVALIDATE_TARGETED
#define TLB_PTE		HOST_LEVEL_PTE_ONLY
#define TLB_PDE0	HOST_LEVEL_UP_TO_PDE0
#define K4		UVM_PAGE_SIZE_4K
#define K64		UVM_PAGE_SIZE_64K

static const struct tlb_batch_case tlb_batch_cases[] = {
	{ "no range: nothing", 0, { }, UVM_MEMBAR_SYS, 0, { } },
	{ "one, upgrade", 1, { { 0x200000, 0x1000, K4, UVM_MEMBAR_NONE } }, UVM_MEMBAR_NONE, 1,
	  { { TLB_VA, 0x200000, 0, TLB_PTE, false } } },
	{ "one, downgrade", 1, { { 0x200000, 0x200000, K64, UVM_MEMBAR_SYS } }, UVM_MEMBAR_NONE, 1,
	  { { TLB_VA, 0x200000, 9, TLB_PTE, true } } },
	{ "membar of the end", 1, { { 0x200000, 0x1000, K4, UVM_MEMBAR_NONE } }, UVM_MEMBAR_SYS, 1,
	  { { TLB_VA, 0x200000, 0, TLB_PTE, true } } },
	{ "2M pages reach PDE0", 1, { { 0x200000, 0x200000, TLB_2M | K4, UVM_MEMBAR_SYS } },
	  UVM_MEMBAR_NONE, 1, { { TLB_VA, 0x200000, 9, TLB_PDE0, true } } },
	{ "strongest membar, on the last only", 3,
	  { { 0x1000, 0x1000, K4, UVM_MEMBAR_SYS }, { 0x200000, 0x200000, TLB_2M, UVM_MEMBAR_NONE },
	    { 0x7000, 0x2000, K4, UVM_MEMBAR_NONE } }, UVM_MEMBAR_NONE, 3,
	  { { TLB_VA, 0x1000, 0, TLB_PTE, false }, { TLB_VA, 0x200000, 9, TLB_PDE0, false },
	    { TLB_VA, 0, 4, TLB_PTE, true } } },
	{ "four ranges", 4,
	  { { 0x1000, 0x1000, K4, 0 }, { 0x3000, 0x1000, K4, 0 }, { 0x5000, 0x1000, K4, 0 },
	    { 0x7000, 0x1000, K4, UVM_MEMBAR_SYS } }, UVM_MEMBAR_NONE, 4,
	  { { TLB_VA, 0x1000, 0, TLB_PTE }, { TLB_VA, 0x3000, 0, TLB_PTE },
	    { TLB_VA, 0x5000, 0, TLB_PTE }, { TLB_VA, 0x7000, 0, TLB_PTE, true } } },
	{ "five: everything, once", 5,
	  { { 0x1000, 0x1000, K4, UVM_MEMBAR_SYS }, { 0x3000, 0x1000, K4, 0 },
	    { 0x5000, 0x1000, K4, 0 }, { 0x7000, 0x1000, K4, 0 }, { 0x9000, 0x1000, K4, 0 } },
	  UVM_MEMBAR_NONE, 1, { { TLB_ALL, 0, 0, TLB_PTE, true } } },
	{ "depth of the biggest, kept or not", 6,
	  { { 0x1000, 0x1000, K4, 0 }, { 0x3000, 0x1000, K4, 0 }, { 0x5000, 0x1000, K4, 0 },
	    { 0x7000, 0x1000, K4, 0 }, { 0x9000, 0x1000, K4, 0 },
	    { 0x200000, 0x200000, TLB_2M, 0 } },
	  UVM_MEMBAR_NONE, 1, { { TLB_ALL, 0, 0, TLB_PDE0, false } } },
};

static void tlb_batch_desc(const struct tlb_batch_case *c, char *desc)
{
	strscpy(desc, c->name, KUNIT_PARAM_DESC_SIZE);
}

KUNIT_ARRAY_PARAM(tlb_batch, tlb_batch_cases, tlb_batch_desc);

/* A, B, C, D of one MEM_OP. */
static void tlb_batch_check_op(struct kunit *test, const struct push_method *m,
			       const struct tlb_op *op, struct uvm_gpu_address pdb)
{
	u64 va = ((u64)m[1].data << 32) | (m[0].data & HOST_MEM_OP_A_ADDR_LO);
	u64 base = (u64)FIELD_GET(HOST_MEM_OP_D_PDB_HI, m[3].data) << 32 |
		   (m[2].data & HOST_MEM_OP_C_PDB_LO);

	KUNIT_EXPECT_EQ(test, FIELD_GET(HOST_MEM_OP_D_OPERATION, m[3].data), op->operation);
	KUNIT_EXPECT_EQ(test, va, op->va);
	KUNIT_EXPECT_EQ(test, FIELD_GET(HOST_MEM_OP_A_INVAL_SIZE, m[0].data), op->order);
	KUNIT_EXPECT_EQ(test, FIELD_GET(HOST_MEM_OP_C_LEVEL, m[2].data), op->level);
	KUNIT_EXPECT_EQ(test, !!(m[0].data & HOST_MEM_OP_A_SYSMEMBAR), op->sysmembar);
	KUNIT_EXPECT_EQ(test, base, pdb.address);
	KUNIT_EXPECT_EQ(test, FIELD_GET(HOST_MEM_OP_C_REPLAY, m[2].data), (u32)HOST_REPLAY_NONE);
	KUNIT_EXPECT_FALSE(test, m[2].data & HOST_MEM_OP_C_PDB_ALL);
}

static void tlb_batch_words(struct kunit *test, struct uvm_page_tree *tree,
			    const struct tlb_batch_case *c, struct fake_push *fake)
{
	struct push_method *m = fake->methods;
	struct uvm_tlb_batch batch;
	unsigned int i, n;

	uvm_tlb_batch_begin(tree, &batch);
	for (i = 0; i < c->ranges; i++)
		uvm_tlb_batch_invalidate(&batch, c->range[i].va, c->range[i].size,
					 c->range[i].page_sizes, c->range[i].membar);
	uvm_tlb_batch_end(&batch, &fake->push, c->membar);
	n = fake_push_decode(fake);
	KUNIT_EXPECT_EQ(test, n, c->ops * 4);
	for (i = 0; i < c->ops && n == c->ops * 4; i++)
		tlb_batch_check_op(test, &m[i * 4], &c->op[i], uvm_page_tree_pdb(tree));
}

static void tlb_batch_words_test(struct kunit *test)
{
	struct fake_push *fake = fake_push_alloc(test);
	struct uvm_page_tree *tree = kunit_kzalloc(test, sizeof(*tree), GFP_KERNEL);
	struct live_gpu *live;

	KUNIT_ASSERT_NOT_NULL(test, tree);
	live = live_gpu_enter(test, 0, 64);
	if (live->ready) {
		int ret = uvm_page_tree_init(&live->gpu, tree);

		KUNIT_EXPECT_EQ(test, ret, 0);
		if (!ret) {
			tlb_batch_words(test, tree, test->param_value, fake);
			uvm_page_tree_deinit(tree);
		}
	}
	live_gpu_leave(test, live);
}

static struct kunit_case uvm_tlb_batch_cases[] = {
	KUNIT_CASE_PARAM(tlb_batch_words_test, tlb_batch_gen_params),
	{ }
};

struct kunit_suite uvm_tlb_batch_suite = {
	.name = "uvm_tlb_batch",
	.test_cases = uvm_tlb_batch_cases,
};
