// SPDX-License-Identifier: GPL-2.0
/* softgpu page walks: every outcome of mmu_format.h, one row each. */
#include <kunit/test.h>
#include <linux/bitfield.h>
#include <softgpu/mmu_format.h>
#include "fake_device.h"
#include "softgpu/memory/iommu.h"
#include "softgpu/mmu/mmu.h"
#include "softgpu/mmu/walker.h"

#define VA		0x0000812345678000ULL	/* uses bits of every level */
#define PTE(pa)		FAKE_PTE(pa)
#define SYS		FIELD_PREP_CONST(MMU_PTE_APERTURE, MMU_PTE_APERTURE_SYS_COH)
#define PEER		FIELD_PREP_CONST(MMU_PTE_APERTURE, MMU_PTE_APERTURE_PEER)
#define OUTSIDE		(FAKE_VRAM_BYTES + FAKE_RESERVE_BYTES)

/* Entries of @level are overwritten after mapping: see fake_entry(). */
struct walk_case {
	const char *name;
	u64 pte;
	u8 shift;
	u8 kind;
	int res;
	u64 pa;				/* with SGPU_WALK_OK: of VA */
	u8 patch;			/* level + 1 to patch, 0 none */
	u64 value;
};

static const struct walk_case walk_cases[] = {
	/* pages of the three sizes */
	{ "4K page", PTE(0x3000), 12, SGPU_READ, SGPU_WALK_OK, 0x3000 },
	{ "64K page", PTE(0x30000), 16, SGPU_WRITE, SGPU_WALK_OK, 0x38000 },
	{ "2M page", PTE(0x200000), 21, SGPU_ATOMIC, SGPU_WALK_OK, 0x278000 },
	{ "system memory", PTE(0x40003000) | SYS, 12, SGPU_ATOMIC, SGPU_WALK_OK, 0x40003000 },
	{ "last page of the reserve", PTE(OUTSIDE - 4096), 12, SGPU_READ, SGPU_WALK_OK,
	  OUTSIDE - 4096 },
	/* permissions */
	{ "read of read-only", PTE(0x3000) | MMU_PTE_READ_ONLY, 12, SGPU_READ, SGPU_WALK_OK,
	  0x3000 },
	{ "write to read-only", PTE(0x3000) | MMU_PTE_READ_ONLY, 12, SGPU_WRITE, SGPU_WALK_RO },
	{ "atomic to read-only", PTE(0x3000) | MMU_PTE_READ_ONLY, 12, SGPU_ATOMIC, SGPU_WALK_RO },
	{ "atomic, atomics disabled", PTE(0x3000) | MMU_PTE_ATOMIC_DISABLE, 12, SGPU_ATOMIC,
	  SGPU_WALK_ATOMIC },
	{ "write, atomics disabled", PTE(0x3000) | MMU_PTE_ATOMIC_DISABLE, 12, SGPU_WRITE,
	  SGPU_WALK_OK, 0x3000 },
	{ "prefetch needs what a read needs", PTE(0x3000) | MMU_PTE_READ_ONLY, 12, SGPU_PREFETCH,
	  SGPU_WALK_OK, 0x3000 },
	{ "write to a read-only 2M page", PTE(0x200000) | MMU_PTE_READ_ONLY, 21, SGPU_WRITE,
	  SGPU_WALK_RO },
	/* invalid entries */
	{ "invalid 4K PTE", 0, 12, SGPU_READ, SGPU_WALK_INVALID_PTE },
	{ "PTE with all but VALID", PTE(0x3000) & ~MMU_PTE_VALID, 12, SGPU_READ,
	  SGPU_WALK_INVALID_PTE },
	{ "64K PTE: stop here", MMU_PTE_BIG_UNMAPPED, 16, SGPU_READ, SGPU_WALK_INVALID_PTE },
	{ "64K PTE empty, no 4K table", 0, 16, SGPU_READ, SGPU_WALK_INVALID_PTE },
	{ "empty PDE0", PTE(0x3000), 12, SGPU_READ, SGPU_WALK_INVALID_PDE, 0, 4, 0 },
	{ "empty PDE1", PTE(0x3000), 12, SGPU_READ, SGPU_WALK_INVALID_PDE, 0, 3, 0 },
	{ "empty PDE2", PTE(0x3000), 12, SGPU_READ, SGPU_WALK_INVALID_PDE, 0, 2, 0 },
	{ "empty PDE3", PTE(0x3000), 12, SGPU_READ, SGPU_WALK_INVALID_PDE, 0, 1, 0 },
	/* nonsense, which only a broken driver writes */
	{ "peer aperture", PTE(0x3000) | PEER, 12, SGPU_READ, SGPU_WALK_BAD_ADDRESS },
	{ "page outside memory", PTE(OUTSIDE), 12, SGPU_READ, SGPU_WALK_BAD_ADDRESS },
	{ "2M page that begins inside and ends outside", PTE(OUTSIDE - 0x100000), 21, SGPU_READ,
	  SGPU_WALK_BAD_ADDRESS },
	{ "unaligned 64K page", PTE(0x3000), 16, SGPU_READ, SGPU_WALK_BAD_ADDRESS },
	{ "table outside memory", PTE(0x3000), 12, SGPU_READ, SGPU_WALK_BAD_ADDRESS, 0, 3,
	  FIELD_PREP_CONST(MMU_PDE_APERTURE, MMU_PDE_APERTURE_VID) |
	  FIELD_PREP_CONST(MMU_PDE_ADDR, OUTSIDE >> 12) },
	{ "table in unmapped system memory", PTE(0x3000), 12, SGPU_READ, SGPU_WALK_BAD_ADDRESS,
	  0, 2, FIELD_PREP_CONST(MMU_PDE_APERTURE, MMU_PDE_APERTURE_SYS_COH) |
	  FIELD_PREP_CONST(MMU_PDE_ADDR, SGPU_IOVA_BASE >> 12) },
	{ "unknown PDE aperture", PTE(0x3000), 12, SGPU_READ, SGPU_WALK_BAD_ADDRESS, 0, 2,
	  MMU_PDE_APERTURE },
};

static void walk_case_desc(const struct walk_case *c, char *desc)
{
	strscpy(desc, c->name, KUNIT_PARAM_DESC_SIZE);
}

KUNIT_ARRAY_PARAM(walk, walk_cases, walk_case_desc);

static void walker_walk(struct kunit *test)
{
	const struct walk_case *c = test->param_value;
	struct fake_device *dev = fake_device_create(test, NULL);
	u64 write = !(c->pte & MMU_PTE_READ_ONLY);
	struct sgpu_translation xlat = {};
	u64 *e;

	fake_map(test, dev, VA, c->shift, c->pte);
	if (c->patch) {
		e = fake_entry(dev, VA, c->patch - 1);
		e[0] = c->value;
		/* The second half of a PDE0. */
		if (c->patch == 4)
			e[1] = c->value;
	}
	KUNIT_ASSERT_EQ(test, c->res,
			sgpu_mmu_walk(&dev->gpu, &dev->as, VA + 0x18, c->kind, &xlat));
	if (c->res)
		return;
	KUNIT_EXPECT_EQ(test, c->pa, xlat.pa);
	KUNIT_EXPECT_EQ(test, c->pte & SYS ? RM_APERTURE_SYS : RM_APERTURE_VID, xlat.aperture);
	KUNIT_EXPECT_EQ(test, write, xlat.write);
	KUNIT_EXPECT_EQ(test, write && !(c->pte & MMU_PTE_ATOMIC_DISABLE), xlat.atomic);
}

/* Dual PDE0 (mmu_format.h): 64K first; empty goes on to 4K, "stop here" does not. */
static void walker_dual(struct kunit *test)
{
	struct fake_device *dev = fake_device_create(test, NULL);
	struct sgpu_translation xlat;

	fake_map(test, dev, VA, 12, PTE(0x3000));
	fake_map(test, dev, VA, 16, 0);
	KUNIT_EXPECT_EQ(test, SGPU_WALK_OK,
			sgpu_mmu_walk(&dev->gpu, &dev->as, VA, SGPU_READ, &xlat));
	KUNIT_EXPECT_EQ(test, 0x3000, xlat.pa);
	*fake_entry(dev, VA, 5) = MMU_PTE_BIG_UNMAPPED;
	KUNIT_EXPECT_EQ(test, SGPU_WALK_INVALID_PTE,
			sgpu_mmu_walk(&dev->gpu, &dev->as, VA, SGPU_READ, &xlat));
	*fake_entry(dev, VA, 5) = PTE(0x50000);
	KUNIT_EXPECT_EQ(test, SGPU_WALK_OK,
			sgpu_mmu_walk(&dev->gpu, &dev->as, VA, SGPU_READ, &xlat));
	KUNIT_EXPECT_EQ(test, 0x58000, xlat.pa);
}

/* Tables in system memory are read through the IOMMU. */
static void walker_system_tables(struct kunit *test)
{
	struct fake_device *dev = fake_device_create(test, NULL);
	struct sgpu_translation xlat;
	u64 *table, iova, *pde0;

	KUNIT_ASSERT_EQ(test, 0, rm_iova_alloc(&dev->gpu, 4096, &iova));
	table = fake_page(test, dev, iova);
	fake_map(test, dev, VA, 12, 0);
	table[(VA >> 12) % 512] = PTE(0x7000);
	pde0 = fake_entry(dev, VA, 3);
	pde0[1] = FIELD_PREP(MMU_PDE_APERTURE, MMU_PDE_APERTURE_SYS_COH) |
		  FIELD_PREP(MMU_PDE_ADDR, iova >> 12);
	KUNIT_EXPECT_EQ(test, SGPU_WALK_OK,
			sgpu_mmu_walk(&dev->gpu, &dev->as, VA, SGPU_READ, &xlat));
	KUNIT_EXPECT_EQ(test, 0x7000, xlat.pa);
}

/* 49 bits of virtual address; a context without directory has nothing at all. */
static void walker_limits(struct kunit *test)
{
	struct fake_device *dev = fake_device_create(test, NULL);
	struct sgpu_translation xlat;

	fake_map(test, dev, VA, 12, PTE(0x3000));
	KUNIT_EXPECT_EQ(test, SGPU_WALK_BAD_ADDRESS,
			sgpu_mmu_walk(&dev->gpu, &dev->as, VA | 1ULL << 49, SGPU_READ, &xlat));
	dev->as.bound = false;
	KUNIT_EXPECT_EQ(test, SGPU_WALK_INVALID_PDE,
			sgpu_mmu_walk(&dev->gpu, &dev->as, VA, SGPU_READ, &xlat));
}

static struct kunit_case walker_kunit_cases[] = {
	KUNIT_CASE_PARAM(walker_walk, walk_gen_params),
	KUNIT_CASE(walker_dual),
	KUNIT_CASE(walker_system_tables),
	KUNIT_CASE(walker_limits),
	{}
};

struct kunit_suite softgpu_walker_suite = {
	.name = "softgpu_walker",
	.test_cases = walker_kunit_cases,
};
