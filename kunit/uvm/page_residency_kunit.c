// SPDX-License-Identifier: GPL-2.0
/*
 * What the user is told of one page: residency, permissions and size of PTEs by processor.
 */
#include <kunit/test.h>
#include "uvm/model/page_residency.h"
#include "uvm_pure.h"

#define CPU	BIT(UVM_ID_CPU)
#define GPU0	BIT(UVM_ID_GPU(0))
#define GPU7	BIT(UVM_ID_GPU(7))

struct residency_fixture {
	struct uvm_block_state bs;
	struct uvm_topology topology;
	struct uvm_block_gpu_state gpu[2];	/* 0 and 7 */
};

static int residency_init(struct kunit *test)
{
	struct residency_fixture *f = kunit_kzalloc(test, sizeof(*f), GFP_KERNEL);

	if (!f)
		return -ENOMEM;
	uvm_topology_init(&f->topology);
	uvm_block_state_init(&f->bs, uvm_region_make(0, UVM_PAGES_PER_BLOCK), &f->topology);
	uvm_block_state_attach_gpu(&f->bs, UVM_ID_GPU(0), &f->gpu[0]);
	uvm_block_state_attach_gpu(&f->bs, UVM_ID_GPU(7), &f->gpu[1]);
	test->priv = f;
	return 0;
}

static struct uvm_page_mask pages(unsigned int first, unsigned int outer)
{
	struct uvm_page_mask mask;

	uvm_page_mask_fill_region(&mask, uvm_region_make(first, outer));
	return mask;
}

static void expect_page(struct kunit *test, unsigned int page, struct uvm_page_residency want)
{
	struct residency_fixture *f = test->priv;
	struct uvm_page_residency got;

	/* what was there before must not shine through */
	memset(&got, 0xff, sizeof(got));
	uvm_page_residency(&f->bs, page, &got);
	KUNIT_EXPECT_EQ_MSG(test, got.resident, want.resident, "page %u", page);
	KUNIT_EXPECT_EQ_MSG(test, got.populated, 0, "page %u", page);
	KUNIT_EXPECT_EQ_MSG(test, got.readable, want.readable, "page %u", page);
	KUNIT_EXPECT_EQ_MSG(test, got.writable, want.writable, "page %u", page);
	KUNIT_EXPECT_EQ_MSG(test, got.atomic, want.atomic, "page %u", page);
	KUNIT_EXPECT_EQ_MSG(test, got.pte_64k, want.pte_64k, "page %u", page);
	KUNIT_EXPECT_EQ_MSG(test, got.pte_2m, want.pte_2m, "page %u", page);
	KUNIT_EXPECT_EQ_MSG(test, got.flags, want.flags, "page %u", page);
}

#define PAGE_IS(...) ((struct uvm_page_residency){ __VA_ARGS__ })

static void residency_nowhere(struct kunit *test)
{
	expect_page(test, 0, PAGE_IS());
	expect_page(test, UVM_PAGES_PER_BLOCK - 1, PAGE_IS());
}

/* One page per protection that there is, the CPU's two and a GPU's three. */
static void residency_permissions(struct kunit *test)
{
	struct residency_fixture *f = test->priv;
	struct uvm_page_mask p;

	p = pages(0, 2);
	uvm_block_state_set_resident(&f->bs, UVM_ID_CPU, &p);
	p = pages(0, 1);
	uvm_block_state_map(&f->bs, UVM_ID_CPU, &p, UVM_PROT_READ_ONLY);
	p = pages(1, 2);
	uvm_block_state_map(&f->bs, UVM_ID_CPU, &p, UVM_PROT_READ_WRITE_ATOMIC);
	p = pages(1, 2);
	uvm_block_state_map(&f->bs, UVM_ID_GPU(7), &p, UVM_PROT_READ_WRITE);
	p = pages(2, 4);
	uvm_block_state_set_resident(&f->bs, UVM_ID_GPU(0), &p);
	p = pages(2, 3);
	uvm_block_state_map(&f->bs, UVM_ID_GPU(0), &p, UVM_PROT_READ_WRITE_ATOMIC);

	expect_page(test, 0, PAGE_IS(.resident = CPU, .readable = CPU));
	expect_page(test, 1, PAGE_IS(.resident = CPU, .readable = CPU | GPU7,
				     .writable = CPU | GPU7, .atomic = CPU));
	expect_page(test, 2, PAGE_IS(.resident = GPU0, .readable = GPU0, .writable = GPU0,
				     .atomic = GPU0));
	expect_page(test, 3, PAGE_IS(.resident = GPU0));
}

static void residency_duplicated(struct kunit *test)
{
	struct residency_fixture *f = test->priv;
	struct uvm_page_mask p = pages(5, 6);

	uvm_block_state_set_resident(&f->bs, UVM_ID_CPU, &p);
	uvm_block_state_add_resident(&f->bs, UVM_ID_GPU(0), &p);
	uvm_block_state_add_resident(&f->bs, UVM_ID_GPU(7), &p);
	uvm_block_state_map(&f->bs, UVM_ID_GPU(7), &p, UVM_PROT_READ_ONLY);
	expect_page(test, 5, PAGE_IS(.resident = CPU | GPU0 | GPU7, .readable = GPU7));
	expect_page(test, 4, PAGE_IS());
}

static void residency_discarded(struct kunit *test)
{
	struct residency_fixture *f = test->priv;
	struct uvm_page_mask p = pages(100, 101);

	uvm_block_state_set_resident(&f->bs, UVM_ID_GPU(0), &p);
	uvm_page_mask_copy(&f->bs.discarded, &p);
	expect_page(test, 100, PAGE_IS(.resident = GPU0, .flags = UVM_PAGE_DISCARDED));
}

/* A big PTE is of 16 pages, each GPU's own; one of 2 MB is instead of all. */
static void residency_pte_sizes(struct kunit *test)
{
	struct residency_fixture *f = test->priv;
	struct uvm_page_mask all = pages(0, UVM_PAGES_PER_BLOCK);
	struct uvm_page_residency want = {
		.resident = CPU, .readable = GPU0 | GPU7, .writable = GPU0 | GPU7,
	};

	uvm_block_state_set_resident(&f->bs, UVM_ID_CPU, &all);
	uvm_block_state_map(&f->bs, UVM_ID_GPU(0), &all, UVM_PROT_READ_WRITE);
	uvm_block_state_map(&f->bs, UVM_ID_GPU(7), &all, UVM_PROT_READ_WRITE);
	f->gpu[0].big_ptes = BIT(1) | BIT(31);
	f->gpu[1].pte_2m = true;
	want.pte_2m = GPU7;
	expect_page(test, 15, want);
	expect_page(test, 32, want);
	want.pte_64k = GPU0;
	expect_page(test, 16, want);
	expect_page(test, 31, want);
	expect_page(test, 511, want);
}

static struct kunit_case residency_cases[] = {
	KUNIT_CASE(residency_nowhere),
	KUNIT_CASE(residency_permissions),
	KUNIT_CASE(residency_duplicated),
	KUNIT_CASE(residency_discarded),
	KUNIT_CASE(residency_pte_sizes),
	{}
};

struct kunit_suite uvm_page_residency_suite = {
	.name = "uvm_page_residency",
	.init = residency_init,
	.test_cases = residency_cases,
};
