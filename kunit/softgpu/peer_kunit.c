// SPDX-License-Identifier: GPL-2.0
/* softgpu peers: page walks, memory, copies, links. */
#include <kunit/test.h>
#include <linux/bitfield.h>
#include <softgpu/ce_class.h>
#include <softgpu/host_class.h>
#include <softgpu/mmu_format.h>
#include "fake_device.h"
#include "softgpu/base/gpu.h"
#include "softgpu/host/copy_engine.h"
#include "softgpu/memory/memory.h"
#include "softgpu/memory/peer.h"
#include "softgpu/mmu/mmu.h"
#include "softgpu/mmu/mmu_tlb.h"
#include "softgpu/mmu/walker.h"

#define VA	0x0000812345600000ULL
#define SET	"doorbell_ns:0,method_ns:0,semaphore_ns:0,copy_peer_latency_ns:700," \
		"copy_peer_mbps:10000,peer_line_ns:10"
#define END	(FAKE_VRAM_BYTES + FAKE_RESERVE_BYTES)
#define PEER(id) \
	(FIELD_PREP_CONST(MMU_PTE_APERTURE, MMU_PTE_APERTURE_PEER) | \
	 FIELD_PREP_CONST(MMU_PTE_PEER_ID, id))

/* The n-th GPU of a test. */
static struct fake_device *peer_device(struct kunit *test, unsigned int n, const char *set)
{
	struct fake_device *dev = fake_device_create(test, set);

	dev->gpu.index = n;
	return dev;
}

/* ---- who are peers ------------------------------------------------------ */

static void peer_kinds(struct kunit *test)
{
	struct rm_gpu *none = &peer_device(test, 0, "peer_link:0")->gpu;
	struct rm_gpu *pcie = &peer_device(test, 1, NULL)->gpu;
	struct rm_gpu *nvlink = &peer_device(test, 2, "peer_link:2")->gpu;
	struct rm_gpu *large = &peer_device(test, 3, NULL)->gpu;
	u64 bytes = large->vram_bytes;

	KUNIT_EXPECT_EQ(test, rm_peer_link(pcie, pcie), RM_PEER_LINK_NONE);
	KUNIT_EXPECT_EQ(test, rm_peer_link(pcie, none), RM_PEER_LINK_NONE);
	/* both ends must have it */
	KUNIT_EXPECT_EQ(test, rm_peer_link(pcie, nvlink), RM_PEER_LINK_PCIE);
	KUNIT_EXPECT_EQ(test, rm_peer_create(pcie, none), -EOPNOTSUPP);
	/* 128 GB is what an address of 37 bits holds */
	large->vram_bytes = BIT_ULL(RM_PEER_SHIFT);
	KUNIT_EXPECT_EQ(test, rm_peer_link(large, pcie), RM_PEER_LINK_NONE);
	large->vram_bytes = bytes;
	KUNIT_EXPECT_EQ(test, rm_peer_link(large, pcie), RM_PEER_LINK_PCIE);
}

/* As often undone as made: VA spaces have peers each for itself. */
static void peer_users(struct kunit *test)
{
	struct rm_gpu *a = &peer_device(test, 0, SET)->gpu, *b = &peer_device(test, 1, SET)->gpu;
	u64 address = rm_peer_address(rm_peer_id(a, b), 0x1000);

	KUNIT_EXPECT_FALSE(test, sgpu_peer_reachable(a, address, 1));
	KUNIT_ASSERT_EQ(test, rm_peer_create(a, b), 0);
	KUNIT_ASSERT_EQ(test, rm_peer_create(b, a), 0);
	KUNIT_EXPECT_TRUE(test, sgpu_peer_reachable(a, address, 1));
	KUNIT_EXPECT_TRUE(test, sgpu_peer_reachable(b, rm_peer_address(rm_peer_id(b, a), 0), 1));
	rm_peer_destroy(a, b);
	KUNIT_EXPECT_TRUE(test, sgpu_peer_reachable(a, address, 1));
	rm_peer_destroy(a, b);
	KUNIT_EXPECT_FALSE(test, sgpu_peer_reachable(a, address, 1));
	KUNIT_EXPECT_FALSE(test, sgpu_peer_reachable(b, rm_peer_address(rm_peer_id(b, a), 0), 1));
}

/* Memory that a user has allocated, as its own GPU sees it and as others do. */
static void peer_objects(struct kunit *test)
{
	struct rm_gpu *none = &peer_device(test, 0, "peer_link:0")->gpu;
	struct rm_gpu *own = &peer_device(test, 3, SET)->gpu;
	struct rm_gpu *other = &peer_device(test, 1, SET)->gpu;
	struct rm_memory *memory = kunit_kzalloc(test, sizeof(*memory), GFP_KERNEL);
	u64 frames[] = { 0x600000, 0x200000 };
	enum rm_aperture aperture;

	KUNIT_ASSERT_NOT_NULL(test, memory);
	memory->gpu = own;
	memory->aperture = RM_APERTURE_SYS;
	KUNIT_EXPECT_NULL(test, rm_memory_gpu(memory));
	memory->aperture = RM_APERTURE_VID;
	memory->frames = frames;
	memory->bytes = 0x300000;
	KUNIT_EXPECT_PTR_EQ(test, rm_memory_gpu(memory), own);
	KUNIT_EXPECT_EQ(test, rm_memory_attach(memory, none), -EOPNOTSUPP);
	KUNIT_EXPECT_EQ(test, rm_memory_attach(memory, own), 0);
	KUNIT_EXPECT_EQ(test, rm_memory_address(memory, own, 0x201000, &aperture), 0x201000);
	KUNIT_EXPECT_EQ(test, aperture, RM_APERTURE_VID);
	KUNIT_EXPECT_EQ(test, rm_memory_attach(memory, other), 0);
	KUNIT_EXPECT_EQ(test, rm_memory_address(memory, other, 0x1000, &aperture),
			rm_peer_address(3, 0x601000));
	KUNIT_EXPECT_EQ(test, aperture, RM_APERTURE_PEER);
	KUNIT_EXPECT_EQ(test, rm_memory_address(memory, other, 0x2ff000, &aperture),
			rm_peer_address(3, 0x2ff000));
	rm_memory_detach(memory, other);
	rm_memory_detach(memory, own);
}

/* ---- page walks ---------------------------------------------------------- */

struct peer_walk_case {
	const char *name;
	u64 pte;
	u8 shift;
	u8 kind;
	int res;
	u64 pa;
};

/* GPU 1 is the only peer. */
static const struct peer_walk_case peer_walk_cases[] = {
	{ "4K page", FAKE_PTE(0x3000) | PEER(1), 12, SGPU_READ, SGPU_WALK_OK, 0x3000 },
	{ "64K page", FAKE_PTE(0x30000) | PEER(1), 16, SGPU_WRITE, SGPU_WALK_OK, 0x30000 },
	{ "2M page", FAKE_PTE(0x200000) | PEER(1), 21, SGPU_ATOMIC, SGPU_WALK_OK, 0x200000 },
	{ "last page", FAKE_PTE(END - 4096) | PEER(1), 12, SGPU_READ, SGPU_WALK_OK, END - 4096 },
	{ "atomics disabled", FAKE_PTE(0x3000) | PEER(1) | MMU_PTE_ATOMIC_DISABLE, 12,
	  SGPU_ATOMIC, SGPU_WALK_ATOMIC },
	{ "read only", FAKE_PTE(0x3000) | PEER(1) | MMU_PTE_READ_ONLY, 12, SGPU_WRITE,
	  SGPU_WALK_RO },
	{ "itself", FAKE_PTE(0x3000) | PEER(0), 12, SGPU_READ, SGPU_WALK_BAD_ADDRESS },
	{ "another id", FAKE_PTE(0x3000) | PEER(7), 12, SGPU_READ, SGPU_WALK_BAD_ADDRESS },
	{ "behind the memory", FAKE_PTE(END) | PEER(1), 12, SGPU_READ, SGPU_WALK_BAD_ADDRESS },
	{ "2M page that ends behind it", FAKE_PTE(END - 0x100000) | PEER(1), 21, SGPU_READ,
	  SGPU_WALK_BAD_ADDRESS },
	{ "highest address of the peer", FAKE_PTE(BIT_ULL(RM_PEER_SHIFT) - 4096) | PEER(1), 12,
	  SGPU_READ, SGPU_WALK_BAD_ADDRESS },
	{ "bits above the id", FAKE_PTE(BIT_ULL(41)) | PEER(1), 12, SGPU_READ,
	  SGPU_WALK_BAD_ADDRESS },
};

static void peer_walk_desc(const struct peer_walk_case *c, char *desc)
{
	strscpy(desc, c->name, KUNIT_PARAM_DESC_SIZE);
}

KUNIT_ARRAY_PARAM(peer_walk, peer_walk_cases, peer_walk_desc);

static void peer_walk(struct kunit *test)
{
	const struct peer_walk_case *c = test->param_value;
	struct fake_device *a = peer_device(test, 0, SET), *b = peer_device(test, 1, SET);
	struct sgpu_translation xlat = {};

	fake_map(test, a, VA, c->shift, c->pte);
	KUNIT_EXPECT_EQ(test, SGPU_WALK_BAD_ADDRESS,
			sgpu_mmu_walk(&a->gpu, &a->as, VA, c->kind, &xlat));
	KUNIT_ASSERT_EQ(test, rm_peer_create(&a->gpu, &b->gpu), 0);
	KUNIT_EXPECT_EQ(test, c->res, sgpu_mmu_walk(&a->gpu, &a->as, VA, c->kind, &xlat));
	if (!c->res) {
		KUNIT_EXPECT_EQ(test, xlat.aperture, RM_APERTURE_PEER);
		KUNIT_EXPECT_EQ(test, xlat.pa, rm_peer_address(1, c->pa));
	}
	rm_peer_destroy(&a->gpu, &b->gpu);
	KUNIT_EXPECT_EQ(test, SGPU_WALK_BAD_ADDRESS,
			sgpu_mmu_walk(&a->gpu, &a->as, VA, c->kind, &xlat));
}

/* TLBs keep the aperture; memory behind it is the peer's, or nothing, counted. */
static void peer_memory(struct kunit *test)
{
	struct fake_device *a = peer_device(test, 0, SET), *b = peer_device(test, 1, SET);
	struct sgpu_translation xlat = {};

	KUNIT_ASSERT_EQ(test, rm_peer_create(&a->gpu, &b->gpu), 0);
	fake_map(test, a, VA, 12, FAKE_PTE(0x3000) | PEER(1));
	fake_issue(a, 0, 0, VA, SGPU_READ);
	fake_run(100000);
	KUNIT_ASSERT_TRUE(test, a->accesses[0].translated);
	KUNIT_EXPECT_EQ(test, a->accesses[0].xlat.aperture, RM_APERTURE_PEER);
	KUNIT_ASSERT_TRUE(test, sgpu_mmu_lookup(&a->gpu, 0, &a->as, VA + 8, SGPU_READ, &xlat));
	KUNIT_EXPECT_EQ(test, xlat.aperture, RM_APERTURE_PEER);
	KUNIT_EXPECT_PTR_EQ(test, sgpu_mem_get(&a->gpu, xlat.aperture, xlat.pa),
			    fake_vram(b, 0x3000));
	KUNIT_EXPECT_EQ(test, atomic64_read(&a->gpu.peers.faults), 0);
	rm_peer_destroy(&a->gpu, &b->gpu);
	/* the TLB has not been told yet */
	KUNIT_ASSERT_TRUE(test, sgpu_mmu_lookup(&a->gpu, 0, &a->as, VA, SGPU_READ, &xlat));
	KUNIT_EXPECT_NULL(test, sgpu_mem_get(&a->gpu, xlat.aperture, xlat.pa));
	KUNIT_EXPECT_NULL(test, sgpu_mem_get(&a->gpu, RM_APERTURE_PEER, ~0ULL));
	KUNIT_EXPECT_EQ(test, atomic64_read(&a->gpu.peers.faults), 2);
}

/* ---- copies ---------------------------------------------------------------- */

/* There and back, by the copy engine of either; then to a peer that is none. */
static void peer_copies(struct kunit *test)
{
	struct fake_device *a = peer_device(test, 0, SET), *b = peer_device(test, 1, SET);
	struct fake_channel ch;

	KUNIT_ASSERT_EQ(test, rm_peer_create(&a->gpu, &b->gpu), 0);
	fake_channel_open(test, a, &ch, RM_ENGINE_CE_DTOH);
	memset(fake_vram(a, 0x100000), 0x5a, 70000);
	/* over the end of a frame of the peer */
	fake_copy(&ch, RM_APERTURE_VID, 0x100000, RM_APERTURE_PEER,
		  rm_peer_address(1, 0x200000 - 30000), 70000,
		  FIELD_PREP(CE_LAUNCH_TRANSFER, CE_TRANSFER_NON_PIPELINED));
	fake_submit(&ch);
	fake_run(100000);
	KUNIT_EXPECT_MEMEQ(test, fake_vram(b, 0x200000 - 30000), fake_vram(a, 0x100000), 30000);
	KUNIT_EXPECT_MEMEQ(test, fake_vram(b, 0x200000), fake_vram(a, 0x100000), 40000);
	KUNIT_EXPECT_EQ(test, *(u8 *)fake_vram(b, 0x200000 + 40000), 0);
	KUNIT_EXPECT_EQ(test, a->gpu.peers.bytes_out, 70000);
	KUNIT_EXPECT_EQ(test, b->gpu.peers.bytes_in, 70000);

	memset(fake_vram(b, 0x300000), 0xa5, 4096);
	fake_copy(&ch, RM_APERTURE_PEER, rm_peer_address(1, 0x300000), RM_APERTURE_VID, 0, 4096,
		  FIELD_PREP(CE_LAUNCH_TRANSFER, CE_TRANSFER_NON_PIPELINED));
	fake_submit(&ch);
	fake_run(100000);
	KUNIT_EXPECT_MEMEQ(test, fake_vram(b, 0x300000), fake_vram(a, 0), 4096);
	KUNIT_EXPECT_EQ(test, *ch.info->error, 0);

	rm_peer_destroy(&a->gpu, &b->gpu);
	memset(fake_vram(a, 0), 0, 4096);
	fake_copy(&ch, RM_APERTURE_PEER, rm_peer_address(1, 0x300000), RM_APERTURE_VID, 0, 4096,
		  FIELD_PREP(CE_LAUNCH_TRANSFER, CE_TRANSFER_NON_PIPELINED));
	fake_submit(&ch);
	fake_run(100000);
	KUNIT_EXPECT_EQ(test, *ch.info->error, RM_CHANNEL_ERR_DMA);
	KUNIT_EXPECT_EQ(test, *(u8 *)fake_vram(a, 0), 0);
}

static void peer_copy_time(struct kunit *test)
{
	struct fake_device *a = peer_device(test, 0, SET);
	struct sgpu_copy copy = {
		.bytes = 10000, .src_ap = RM_APERTURE_VID, .dst_ap = RM_APERTURE_PEER,
	};

	/* 10 GB/s: 1000 ns, and 700 ns of latency unless pipelined */
	KUNIT_EXPECT_EQ(test, sgpu_copy_ps(&a->gpu, &copy) / PS_PER_NS, 1700);
	copy.pipelined = true;
	KUNIT_EXPECT_EQ(test, sgpu_copy_ps(&a->gpu, &copy) / PS_PER_NS, 1000);
	swap(copy.src_ap, copy.dst_ap);
	KUNIT_EXPECT_EQ(test, sgpu_copy_ps(&a->gpu, &copy) / PS_PER_NS, 1000);
	/* what ends in system memory is bound by that */
	copy.dst_ap = RM_APERTURE_SYS;
	KUNIT_EXPECT_EQ(test, sgpu_copy_ps(&a->gpu, &copy),
			div_u64(10000ULL * 1000000, sgpu_prof(&a->gpu, copy_dtoh_mbps)));
}

/* ---- links ------------------------------------------------------------------- */

/* In order: a copy of @gpu to @peer that begins at @start and takes 100. */
static const struct {
	const char *rule;
	u8 gpu;
	u8 peer;
	u64 start;
	u64 end;
} peer_link_rows[] = {
	{ "alone", 0, 1, 0, 100 },
	{ "the way out is busy", 0, 1, 50, 200 },
	{ "the other direction is free", 1, 0, 50, 150 },
	{ "another source, the way in is busy", 2, 1, 120, 300 },
	{ "so was that source's way out", 2, 0, 120, 400 },
	{ "long after", 0, 2, 1000, 1100 },
};

static void peer_links(struct kunit *test)
{
	struct fake_device *dev[3];
	unsigned int i, j;

	for (i = 0; i < 3; i++)
		dev[i] = peer_device(test, i, SET);
	for (i = 0; i < 3; i++)
		for (j = i + 1; j < 3; j++)
			KUNIT_ASSERT_EQ(test, rm_peer_create(&dev[i]->gpu, &dev[j]->gpu), 0);
	for (i = 0; i < ARRAY_SIZE(peer_link_rows); i++) {
		struct sgpu_copy copy = {
			.bytes = 1, .src_ap = RM_APERTURE_VID, .dst_ap = RM_APERTURE_PEER,
			.dst = rm_peer_address(peer_link_rows[i].peer, 0),
		};

		KUNIT_EXPECT_EQ_MSG(test, sgpu_peer_copy(&dev[peer_link_rows[i].gpu]->gpu, &copy,
							 peer_link_rows[i].start, 100),
				    peer_link_rows[i].end, "%s", peer_link_rows[i].rule);
	}
	/* reading brings lines in, 10 ns each; the way out of GPU 1 was free since 150 */
	KUNIT_EXPECT_EQ(test, sgpu_peer_access(&dev[2]->gpu, rm_peer_address(1, 0), false, 2,
					       2000), 2000 + 20 * PS_PER_NS);
	for (i = 0; i < 3; i++)
		for (j = i + 1; j < 3; j++)
			rm_peer_destroy(&dev[i]->gpu, &dev[j]->gpu);
}

static struct kunit_case peer_kunit_cases[] = {
	KUNIT_CASE(peer_kinds),
	KUNIT_CASE(peer_users),
	KUNIT_CASE(peer_objects),
	KUNIT_CASE_PARAM(peer_walk, peer_walk_gen_params),
	KUNIT_CASE(peer_memory),
	KUNIT_CASE(peer_copies),
	KUNIT_CASE(peer_copy_time),
	KUNIT_CASE(peer_links),
	{}
};

struct kunit_suite softgpu_peer_suite = {
	.name = "softgpu_peer",
	.test_cases = peer_kunit_cases,
};
