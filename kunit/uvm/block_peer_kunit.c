// SPDX-License-Identifier: GPL-2.0
/*
 * State of a block whose GPUs are peers: copies, mappings, PTEs (nvidia-uvm 3.1, 3.3).
 */
#include <kunit/test.h>
#include "uvm/model/block_state.h"
#include "uvm_pure.h"

#define CPU	UVM_ID_CPU
#define GPU0	UVM_ID_GPU(0)
#define GPU1	UVM_ID_GPU(1)
#define GPU2	UVM_ID_GPU(2)

/* GPU0 and GPU1 are peers, GPU2 is a stranger to both. */
struct block_peer_fixture {
	struct uvm_block_state bs;
	struct uvm_topology topology;
	struct uvm_block_gpu_state gpu[3];
	struct uvm_page_mask unit;
};

static int block_peer_init(struct kunit *test)
{
	struct block_peer_fixture *f = kunit_kzalloc(test, sizeof(*f), GFP_KERNEL);

	if (!f)
		return -ENOMEM;
	uvm_topology_init(&f->topology);
	uvm_topology_set_peers(&f->topology, GPU0, GPU1, false, false);
	uvm_block_state_init(&f->bs, uvm_region_make(0, UVM_PAGES_PER_BLOCK), &f->topology);
	for (int i = 0; i < 3; i++)
		uvm_block_state_attach_gpu(&f->bs, UVM_ID_GPU(i), &f->gpu[i]);
	uvm_page_mask_fill_region(&f->unit, uvm_region_make(0, UVM_PAGES_PER_BIG));
	test->priv = f;
	return 0;
}

/* A peer may write the only copy, and loses it when the page goes, wherever to. */
static void block_peer_map(struct kunit *test)
{
	static const u8 dst[] = { CPU, GPU1, GPU2 };
	struct block_peer_fixture *f = test->priv;
	struct uvm_page_mask out;

	uvm_block_state_set_resident(&f->bs, GPU0, &f->unit);
	uvm_block_state_map(&f->bs, GPU0, &f->unit, UVM_PROT_READ_WRITE_ATOMIC);
	uvm_block_state_map(&f->bs, GPU1, &f->unit, UVM_PROT_READ_WRITE);
	KUNIT_EXPECT_STREQ(test, uvm_block_state_check(&f->bs) ?: "", "");
	for (int i = 0; i < ARRAY_SIZE(dst); i++) {
		KUNIT_EXPECT_TRUE(test, uvm_block_state_to_unmap(&f->bs, dst[i], &f->unit, GPU1,
								 &out));
		KUNIT_EXPECT_TRUE(test, uvm_page_mask_equal(&out, &f->unit));
	}
	/* whose memory it is keeps both */
	KUNIT_EXPECT_FALSE(test, uvm_block_state_to_unmap(&f->bs, GPU0, &f->unit, GPU1, &out));
}

/* A copy at a peer is closer than the CPU's, to a stranger it is not. */
static void block_peer_copies(struct kunit *test)
{
	struct block_peer_fixture *f = test->priv;

	uvm_block_state_add_resident(&f->bs, CPU, &f->unit);
	uvm_block_state_add_resident(&f->bs, GPU0, &f->unit);
	KUNIT_EXPECT_EQ(test, uvm_block_state_closest(&f->bs, GPU1, 3), GPU0);
	KUNIT_EXPECT_EQ(test, uvm_block_state_closest(&f->bs, GPU2, 3), CPU);
	KUNIT_EXPECT_EQ(test, uvm_block_state_closest(&f->bs, CPU, 3), CPU);
	/* nobody maps somebody else's copy, be it a peer's */
	uvm_block_state_map(&f->bs, GPU1, &f->unit, UVM_PROT_READ_ONLY);
	KUNIT_EXPECT_STREQ(test, uvm_block_state_check(&f->bs) ?: "",
			   "GPU maps somebody else's copy");
}

/* Memory of a peer is mapped by large PTEs like one's own, if it is all there. */
static void block_peer_plan(struct kunit *test)
{
	const struct uvm_pte_layout layout = { .contiguous = ~0u, .may_merge = true };
	struct block_peer_fixture *f = test->priv;
	struct uvm_page_mask some;
	struct uvm_pte_plan plan;

	uvm_block_state_set_resident(&f->bs, GPU0, &f->unit);
	uvm_block_state_plan(&f->bs, GPU1, &f->unit, UVM_PROT_READ_WRITE, &layout, &plan);
	KUNIT_EXPECT_EQ(test, plan.big_write, 1);
	uvm_page_mask_fill_region(&some, uvm_region_make(3, 4));
	uvm_block_state_set_resident(&f->bs, CPU, &some);
	uvm_block_state_plan(&f->bs, GPU1, &f->unit, UVM_PROT_READ_WRITE, &layout, &plan);
	KUNIT_EXPECT_EQ(test, plan.big_write, 0);
	KUNIT_EXPECT_EQ(test, uvm_page_mask_weight(&plan.write_4k), UVM_PAGES_PER_BIG);
}

static struct kunit_case block_peer_cases[] = {
	KUNIT_CASE(block_peer_map),
	KUNIT_CASE(block_peer_copies),
	KUNIT_CASE(block_peer_plan),
	{}
};

struct kunit_suite uvm_block_peer_suite = {
	.name = "uvm_block_peer",
	.init = block_peer_init,
	.test_cases = block_peer_cases,
};
