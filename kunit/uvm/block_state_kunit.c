// SPDX-License-Identifier: GPL-2.0
/*
 * State of a block: residency, permissions, PTE layout.
 */
#include <kunit/test.h>
#include <linux/moduleparam.h>
#include <linux/prandom.h>
#include "uvm/model/block_state.h"
#include "uvm_pure.h"

static unsigned int block_state_seed = 1;
module_param(block_state_seed, uint, 0444);
MODULE_PARM_DESC(block_state_seed, "seed of the random block states");

#define CPU	UVM_ID_CPU
#define GPU0	UVM_ID_GPU(0)
#define GPU1	UVM_ID_GPU(1)
#define NONE	UVM_PROT_NONE
#define RO	UVM_PROT_READ_ONLY
#define RW	UVM_PROT_READ_WRITE
#define RWA	UVM_PROT_READ_WRITE_ATOMIC

struct state_fixture {
	struct uvm_block_state bs;
	struct uvm_topology topology;
	struct uvm_block_gpu_state gpu[2];
};

static void state_reset(struct state_fixture *f, unsigned int first, unsigned int outer)
{
	memset(f, 0, sizeof(*f));
	uvm_topology_init(&f->topology);
	uvm_block_state_init(&f->bs, uvm_region_make(first, outer), &f->topology);
	uvm_block_state_attach_gpu(&f->bs, GPU0, &f->gpu[0]);
	uvm_block_state_attach_gpu(&f->bs, GPU1, &f->gpu[1]);
}

static int state_init(struct kunit *test)
{
	struct state_fixture *f = kunit_kzalloc(test, sizeof(*f), GFP_KERNEL);

	if (!f)
		return -ENOMEM;
	state_reset(f, 0, UVM_PAGES_PER_BLOCK);
	test->priv = f;
	return 0;
}

static struct uvm_page_mask pages(unsigned int first, unsigned int outer)
{
	struct uvm_page_mask mask;

	uvm_page_mask_fill_region(&mask, uvm_region_make(first, outer));
	return mask;
}

#define EXPECT_VALID(bs) KUNIT_EXPECT_STREQ(test, uvm_block_state_check(bs) ?: "", "")

/* ---- residency ------------------------------------------------------------- */

struct resident_step {
	const char *rule;
	u8 dst;
	u16 first, outer;
	u8 at[3];	/* where pages 0, 100 and 511 are afterwards */
	u16 procs;
};

#define NOWHERE	UVM_ID_INVALID

/* A page is at one processor at most; the last move wins. */
static const struct resident_step resident_steps[] = {
	{ "first touch", CPU, 0, 200, { CPU, CPU, NOWHERE }, BIT(CPU) },
	{ "a part moves", GPU0, 50, 150, { CPU, GPU0, NOWHERE }, BIT(CPU) | BIT(GPU0) },
	{ "from GPU to GPU", GPU1, 100, 101, { CPU, GPU1, NOWHERE },
	  BIT(CPU) | BIT(GPU0) | BIT(GPU1) },
	{ "the last page of a processor leaves", GPU0, 0, 512, { GPU0, GPU0, GPU0 }, BIT(GPU0) },
	{ "all come home", CPU, 0, 512, { CPU, CPU, CPU }, BIT(CPU) },
};

static void state_residency(struct kunit *test)
{
	static const unsigned int look[3] = { 0, 100, 511 };
	struct state_fixture *f = test->priv;
	struct uvm_page_mask any, mask;

	for (int i = 0; i < ARRAY_SIZE(resident_steps); i++) {
		const struct resident_step *s = &resident_steps[i];

		mask = pages(s->first, s->outer);
		uvm_block_state_set_resident(&f->bs, s->dst, &mask);
		for (int j = 0; j < 3; j++)
			KUNIT_EXPECT_EQ_MSG(test, uvm_block_state_closest(&f->bs, CPU, look[j]),
					    s->at[j], "%s, page %u", s->rule, look[j]);
		KUNIT_EXPECT_EQ_MSG(test, f->bs.resident_procs, s->procs, "%s", s->rule);
		EXPECT_VALID(&f->bs);
	}
	uvm_block_state_resident_any(&f->bs, &any);
	KUNIT_EXPECT_EQ(test, uvm_page_mask_weight(&any), 512);
	mask = pages(0, 511);
	uvm_block_state_clear_resident(&f->bs, CPU, &mask);
	KUNIT_EXPECT_EQ(test, f->bs.resident_procs, BIT(CPU));
	mask = pages(511, 512);
	uvm_block_state_clear_resident(&f->bs, CPU, &mask);
	KUNIT_EXPECT_EQ(test, f->bs.resident_procs, 0);
}

/* ---- read duplication --------------------------------------------------------- */

struct duplicate_step {
	const char *rule;
	enum { COPY_ADD, COPY_MOVE, COPY_DROP } op;
	u8 id;
	u16 first, outer;
	u16 at[2];			/* copies of pages 10 and 20 */
	u16 duplicated[2];		/* which pages are, [first, outer) */
};

/* nvidia-uvm 3.3: reading adds a copy, moving leaves one. */
static const struct duplicate_step duplicate_steps[] = {
	{ "first copy of a page is no duplicate", COPY_ADD, CPU, 0, 15, { BIT(CPU), 0 }, { 0, 0 } },
	{ "second copy", COPY_ADD, GPU0, 0, 30, { BIT(CPU) | BIT(GPU0), BIT(GPU0) }, { 0, 15 } },
	{ "third copy", COPY_ADD, GPU1, 10, 30,
	  { BIT(CPU) | BIT(GPU0) | BIT(GPU1), BIT(GPU0) | BIT(GPU1) }, { 0, 30 } },
	{ "one of three leaves", COPY_DROP, GPU0, 0, 30,
	  { BIT(CPU) | BIT(GPU1), BIT(GPU1) }, { 10, 15 } },
	{ "one of two leaves", COPY_DROP, CPU, 0, 12, { BIT(GPU1), BIT(GPU1) }, { 12, 15 } },
	{ "a copy where it is already", COPY_ADD, GPU1, 10, 15,
	  { BIT(GPU1), BIT(GPU1) }, { 12, 15 } },
	{ "the writer becomes the only owner", COPY_MOVE, GPU0, 0, 30,
	  { BIT(GPU0), BIT(GPU0) }, { 0, 0 } },
};

static void state_duplication(struct kunit *test)
{
	struct state_fixture *f = test->priv;

	for (int i = 0; i < ARRAY_SIZE(duplicate_steps); i++) {
		const struct duplicate_step *s = &duplicate_steps[i];
		struct uvm_page_mask mask = pages(s->first, s->outer), want;

		if (s->op == COPY_ADD)
			uvm_block_state_add_resident(&f->bs, s->id, &mask);
		else if (s->op == COPY_MOVE)
			uvm_block_state_set_resident(&f->bs, s->id, &mask);
		else
			uvm_block_state_clear_resident(&f->bs, s->id, &mask);
		want = pages(s->duplicated[0], s->duplicated[1]);
		KUNIT_EXPECT_TRUE_MSG(test, uvm_page_mask_equal(&f->bs.read_duplicated, &want),
				      "%s", s->rule);
		KUNIT_EXPECT_EQ_MSG(test, uvm_block_state_residents(&f->bs, 10), s->at[0], "%s",
				    s->rule);
		KUNIT_EXPECT_EQ_MSG(test, uvm_block_state_residents(&f->bs, 20), s->at[1], "%s",
				    s->rule);
		EXPECT_VALID(&f->bs);
	}
}

/* Who moves a duplicated page unmaps every other copy, and those alone. */
static void state_duplicates_to_unmap(struct kunit *test)
{
	struct state_fixture *f = test->priv;
	struct uvm_page_mask mask = pages(0, 16), out;

	uvm_block_state_add_resident(&f->bs, CPU, &mask);
	uvm_block_state_add_resident(&f->bs, GPU0, &mask);
	uvm_block_state_map(&f->bs, CPU, &mask, RO);
	uvm_block_state_map(&f->bs, GPU0, &mask, RO);
	EXPECT_VALID(&f->bs);
	KUNIT_EXPECT_TRUE(test, uvm_block_state_to_unmap(&f->bs, GPU0, &mask, CPU, &out));
	KUNIT_EXPECT_TRUE(test, uvm_page_mask_equal(&out, &mask));
	KUNIT_EXPECT_FALSE(test, uvm_block_state_to_unmap(&f->bs, GPU0, &mask, GPU0, &out));
	KUNIT_EXPECT_TRUE(test, uvm_block_state_to_unmap(&f->bs, CPU, &mask, GPU0, &out));
	KUNIT_EXPECT_TRUE(test, uvm_block_state_to_unmap(&f->bs, GPU1, &mask, GPU0, &out));
}

/* A big PTE must find all 16 pages at one place: copies may be nearer in part. */
static void state_duplicates_plan(struct kunit *test)
{
	struct state_fixture *f = test->priv;
	struct uvm_page_mask mask = pages(0, 16), some = pages(3, 4);
	const struct uvm_pte_layout layout = { .contiguous = ~0u, .may_merge = true };
	struct uvm_pte_plan plan;

	uvm_block_state_add_resident(&f->bs, CPU, &mask);
	uvm_block_state_plan(&f->bs, GPU0, &mask, RO, &layout, &plan);
	KUNIT_EXPECT_EQ(test, plan.big_write, 1);
	uvm_block_state_add_resident(&f->bs, GPU0, &some);
	uvm_block_state_plan(&f->bs, GPU0, &mask, RO, &layout, &plan);
	KUNIT_EXPECT_EQ(test, plan.big_write, 0);
	uvm_block_state_add_resident(&f->bs, GPU0, &mask);
	uvm_block_state_plan(&f->bs, GPU0, &mask, RO, &layout, &plan);
	KUNIT_EXPECT_EQ(test, plan.big_write, 1);
	KUNIT_EXPECT_EQ(test, uvm_block_state_closest(&f->bs, GPU0, 3), GPU0);
	KUNIT_EXPECT_EQ(test, uvm_block_state_closest(&f->bs, GPU1, 3), CPU);
}

/* ---- permissions ------------------------------------------------------------- */

struct prot_step {
	const char *rule;
	bool revoke;
	u8 id;
	u16 first, outer;
	enum uvm_prot prot;
	enum uvm_prot want[2];	/* of pages 0 and 100 */
};

static const struct prot_step gpu_prot_steps[] = {
	{ "map", false, GPU0, 0, 200, RO, { RO, RO } },
	{ "raise a part", false, GPU0, 100, 200, RWA, { RO, RWA } },
	{ "map can lower, too", false, GPU0, 100, 101, RW, { RO, RW } },
	{ "revoke never raises", true, GPU0, 0, 200, RW, { RO, RW } },
	{ "revoke write", true, GPU0, 0, 200, RO, { RO, RO } },
	{ "revoke everything", true, GPU0, 50, 200, NONE, { RO, NONE } },
	{ "revoke of what is not mapped", true, GPU0, 50, 200, RO, { RO, NONE } },
	{ "map to nothing unmaps", false, GPU0, 0, 200, NONE, { NONE, NONE } },
};

/* The CPU reads, or may do everything: its writes are atomic. */
static const struct prot_step cpu_prot_steps[] = {
	{ "map for reading", false, CPU, 0, 101, RO, { RO, RO } },
	{ "map for writing is map for all", false, CPU, 0, 101, RW, { RWA, RWA } },
	{ "without atomics it may read", true, CPU, 100, 101, RW, { RWA, RO } },
	{ "nothing to revoke", true, CPU, 0, 512, RWA, { RWA, RO } },
	{ "a revocation maps nothing new", true, CPU, 0, 512, RO, { RO, RO } },
	{ "unmap a part", true, CPU, 100, 512, NONE, { RO, NONE } },
	{ "unmap", true, CPU, 0, 512, NONE, { NONE, NONE } },
};

static void state_prot_run(struct kunit *test, const struct prot_step *steps, int n)
{
	struct state_fixture *f = test->priv;
	struct uvm_page_mask mask = pages(0, 512), mapped;

	state_reset(f, 0, 512);
	uvm_block_state_set_resident(&f->bs, steps[0].id, &mask);
	for (int i = 0; i < n; i++) {
		const struct prot_step *s = &steps[i];

		mask = pages(s->first, s->outer);
		if (s->revoke)
			uvm_block_state_revoke(&f->bs, s->id, &mask, s->prot);
		else
			uvm_block_state_map(&f->bs, s->id, &mask, s->prot);
		KUNIT_EXPECT_EQ_MSG(test, uvm_block_state_prot(&f->bs, s->id, 0), s->want[0],
				    "%s", s->rule);
		KUNIT_EXPECT_EQ_MSG(test, uvm_block_state_prot(&f->bs, s->id, 100), s->want[1],
				    "%s", s->rule);
		uvm_block_state_mapped(&f->bs, s->id, RO, &mapped);
		KUNIT_EXPECT_EQ_MSG(test, f->bs.mapped_procs,
				    uvm_page_mask_empty(&mapped) ? 0 : BIT(s->id), "%s", s->rule);
		uvm_block_state_mapped(&f->bs, s->id, RW, &mapped);
		KUNIT_EXPECT_EQ_MSG(test, uvm_page_mask_test(&mapped, 100), s->want[1] >= RW,
				    "%s", s->rule);
		EXPECT_VALID(&f->bs);
	}
}

static void state_permissions(struct kunit *test)
{
	state_prot_run(test, gpu_prot_steps, ARRAY_SIZE(gpu_prot_steps));
	state_prot_run(test, cpu_prot_steps, ARRAY_SIZE(cpu_prot_steps));
}

struct to_unmap_case {
	const char *rule;
	u8 dst, id;
	u16 first, outer;	/* moved */
	u16 want_first, want_outer;
};

/* Pages 0..99 on the CPU, 100..199 on GPU0; CPU maps 0..49, GPU0 maps 0..149. */
static const struct to_unmap_case to_unmap_cases[] = {
	{ "the CPU's mappings of what leaves it", GPU0, CPU, 0, 200, 0, 50 },
	{ "the destination's own remote mappings point at the old place", GPU0, GPU0, 0, 200, 0,
	  100 },
	{ "what is at the destination stays mapped there", CPU, GPU0, 50, 200, 100, 150 },
	{ "and stays mapped by others", CPU, CPU, 0, 200, 0, 0 },
	{ "only what moves", GPU1, GPU0, 140, 200, 140, 150 },
	{ "a processor without mappings", GPU0, GPU1, 0, 200, 0, 0 },
};

static void state_to_unmap(struct kunit *test)
{
	struct state_fixture *f = test->priv;
	struct uvm_page_mask mask, out, want;

	mask = pages(0, 100);
	uvm_block_state_set_resident(&f->bs, CPU, &mask);
	mask = pages(100, 200);
	uvm_block_state_set_resident(&f->bs, GPU0, &mask);
	mask = pages(0, 50);
	uvm_block_state_map(&f->bs, CPU, &mask, RWA);
	mask = pages(0, 150);
	uvm_block_state_map(&f->bs, GPU0, &mask, RO);
	EXPECT_VALID(&f->bs);
	for (int i = 0; i < ARRAY_SIZE(to_unmap_cases); i++) {
		const struct to_unmap_case *c = &to_unmap_cases[i];
		bool any;

		mask = pages(c->first, c->outer);
		want = pages(c->want_first, c->want_outer);
		any = uvm_block_state_to_unmap(&f->bs, c->dst, &mask, c->id, &out);
		KUNIT_EXPECT_TRUE_MSG(test, uvm_page_mask_equal(&out, &want), "%s", c->rule);
		KUNIT_EXPECT_EQ_MSG(test, any, !uvm_page_mask_empty(&want), "%s", c->rule);
	}
}

/* ---- invariants: each broken once ---------------------------------------------- */

struct broken_case {
	const char *rule;
	void (*damage)(struct state_fixture *f);
};

static void damage_write(struct state_fixture *f)
{
	uvm_page_mask_clear(&f->gpu[0].pte[UVM_PTE_READ], 3);
}

static void damage_atomic(struct state_fixture *f)
{
	uvm_page_mask_clear(&f->gpu[0].pte[UVM_PTE_WRITE], 3);
}

static void damage_two_places(struct state_fixture *f)
{
	uvm_page_mask_set(&f->bs.cpu_resident, 3);
	f->bs.resident_procs |= BIT(CPU);
}

/* Pages of two copies that are in order, to be damaged. */
static void damage_begin_copies(struct state_fixture *f)
{
	struct uvm_page_mask mask = pages(0, 20);

	uvm_block_state_map(&f->bs, GPU0, &mask, RO);
	uvm_block_state_add_resident(&f->bs, CPU, &mask);
	uvm_block_state_map(&f->bs, CPU, &mask, RO);
}

static void damage_write_copy(struct state_fixture *f)
{
	damage_begin_copies(f);
	uvm_page_mask_set(&f->gpu[0].pte[UVM_PTE_WRITE], 3);
}

static void damage_map_other_copy(struct state_fixture *f)
{
	struct uvm_page_mask mask = pages(3, 4);

	damage_begin_copies(f);
	uvm_block_state_map(&f->bs, GPU1, &mask, RO);
}

static void damage_cpu_write_copy(struct state_fixture *f)
{
	damage_begin_copies(f);
	uvm_page_mask_set(&f->bs.cpu_writable, 3);
}

static void damage_discarded_copy(struct state_fixture *f)
{
	damage_begin_copies(f);
	uvm_page_mask_set(&f->bs.discarded, 3);
}

static void damage_cpu_write(struct state_fixture *f)
{
	uvm_page_mask_set(&f->bs.cpu_writable, 3);
}

static void damage_nowhere(struct state_fixture *f)
{
	uvm_page_mask_clear(&f->gpu[0].resident, 3);
}

static void damage_cpu_map(struct state_fixture *f)
{
	uvm_page_mask_set(&f->bs.cpu_mapped, 3);
	f->bs.mapped_procs |= BIT(CPU);
}

static void damage_resident_procs(struct state_fixture *f)
{
	f->bs.resident_procs = 0;
}

static void damage_mapped_procs(struct state_fixture *f)
{
	f->bs.mapped_procs |= BIT(GPU1);
}

static void damage_outside(struct state_fixture *f)
{
	uvm_page_mask_set(&f->gpu[0].resident, 300);
}

static void damage_big(struct state_fixture *f)
{
	f->gpu[0].big_ptes = BIT(1);
}

static void damage_2m(struct state_fixture *f)
{
	f->gpu[0].pte_2m = true;
}

static const struct broken_case broken_cases[] = {
	{ "writable but not readable", damage_write },
	{ "atomic but not writable", damage_atomic },
	{ "page at two places", damage_two_places },
	{ "GPU maps a page that is nowhere", damage_nowhere },
	{ "CPU maps a page that is elsewhere", damage_cpu_map },
	{ "CPU may write what it has not mapped", damage_cpu_write },
	{ "GPU may write one copy of several", damage_write_copy },
	{ "GPU maps somebody else's copy", damage_map_other_copy },
	{ "CPU may write one copy of several", damage_cpu_write_copy },
	{ "several copies of a discarded page", damage_discarded_copy },
	{ "resident processors wrong", damage_resident_procs },
	{ "mapped processors wrong", damage_mapped_procs },
	{ "page outside the block", damage_outside },
	{ "big PTE over unequal pages", damage_big },
	{ "2 MB PTE over unequal pages", damage_2m },
};

static void state_invariants(struct kunit *test)
{
	struct state_fixture *f = test->priv;

	for (int i = 0; i < ARRAY_SIZE(broken_cases); i++) {
		struct uvm_page_mask mask = pages(0, 20);

		state_reset(f, 0, 256);
		uvm_block_state_set_resident(&f->bs, GPU0, &mask);
		uvm_block_state_map(&f->bs, GPU0, &mask, RWA);
		EXPECT_VALID(&f->bs);
		broken_cases[i].damage(f);
		KUNIT_EXPECT_STREQ(test, uvm_block_state_check(&f->bs) ?: "nothing",
				   broken_cases[i].rule);
	}
}

/* ---- PTE layout --------------------------------------------------------------- */

struct plan_step {
	const char *rule;
	u16 first, outer;
	enum uvm_prot prot;
	u32 contiguous;
	bool may_merge;
	u32 big_after, big_write, big_clear, big_split, big_merge;
	u16 write_first, write_outer;
};

/*
 * A block of pages [8, 100), that is, units 1 ... 5 whole, 0 and 6 in part.
 * Pages below 64 are on GPU0, the others on the CPU.
 */
static const struct plan_step plan_steps[] = {
	{ "part of a unit: 4K PTEs", 16, 20, RW, ~0u, true, 0, 0, 0, 0, 0, 16, 20 },
	{ "the rest with another protection: 4K PTEs", 20, 32, RO, ~0u, true,
	  0, 0, 0, 0, 0, 20, 32 },
	{ "now all equal: one big PTE after the 4K PTEs are gone", 20, 32, RW, ~0u, true,
	  0x2, 0x2, 0, 0, 0x2, 0, 0 },
	{ "whole unit at once: big, nothing to merge", 32, 48, RW, ~0u, true,
	  0x6, 0x4, 0, 0, 0, 0, 0 },
	{ "not contiguous: 4K PTEs", 48, 64, RW, ~0x8u, true, 0x6, 0, 0, 0, 0, 48, 64 },
	{ "no merge asked for: 4K PTEs stay", 48, 64, RO, ~0u, false, 0x6, 0, 0, 0, 0, 48, 64 },
	{ "a big PTE changes as a whole", 32, 48, RO, ~0u, false, 0x6, 0x4, 0, 0, 0, 0, 0 },
	{ "one page of a big PTE: split, all 16 are written", 33, 34, RW, ~0u, true,
	  0x2, 0, 0, 0x4, 0, 32, 48 },
	{ "unmap a big PTE as a whole", 16, 32, NONE, ~0u, true, 0, 0, 0x2, 0, 0, 0, 0 },
	{ "unmap what is not mapped: nothing", 16, 32, NONE, ~0u, true, 0, 0, 0, 0, 0, 0, 0 },
	{ "remote memory can be big, too", 64, 80, RW, ~0u, true, 0x10, 0x10, 0, 0, 0, 0, 0 },
	{ "unmap half of a big PTE: split, 16 are written", 64, 72, NONE, ~0u, true,
	  0, 0, 0, 0x10, 0, 64, 80 },
	{ "partial units at both ends of the block stay 4K", 8, 16, RWA, ~0u, true,
	  0, 0, 0, 0, 0, 8, 16 },
	{ "the same at the end", 96, 100, RO, ~0u, true, 0, 0, 0, 0, 0, 96, 100 },
	{ "no table for big PTEs", 80, 96, RO, 0, true, 0, 0, 0, 0, 0, 80, 96 },
};

static void state_plan(struct kunit *test)
{
	struct state_fixture *f = test->priv;
	struct uvm_page_mask mask, want;

	state_reset(f, 8, 100);
	mask = pages(8, 64);
	uvm_block_state_set_resident(&f->bs, GPU0, &mask);
	mask = pages(64, 100);
	uvm_block_state_set_resident(&f->bs, CPU, &mask);
	for (int i = 0; i < ARRAY_SIZE(plan_steps); i++) {
		const struct plan_step *s = &plan_steps[i];
		struct uvm_pte_layout layout;
		struct uvm_pte_plan plan;

		mask = pages(s->first, s->outer);
		want = pages(s->write_first, s->write_outer);
		layout = (struct uvm_pte_layout){ s->contiguous, false, s->may_merge };
		uvm_block_state_plan(&f->bs, GPU0, &mask, s->prot, &layout, &plan);
		KUNIT_EXPECT_EQ_MSG(test, plan.big_after, s->big_after, "%s", s->rule);
		KUNIT_EXPECT_EQ_MSG(test, plan.big_write, s->big_write, "%s", s->rule);
		KUNIT_EXPECT_EQ_MSG(test, plan.big_clear, s->big_clear, "%s", s->rule);
		KUNIT_EXPECT_EQ_MSG(test, plan.big_split, s->big_split, "%s", s->rule);
		KUNIT_EXPECT_EQ_MSG(test, plan.big_merge, s->big_merge, "%s", s->rule);
		KUNIT_EXPECT_TRUE_MSG(test, uvm_page_mask_equal(&plan.write_4k, &want),
				      "%s: %*pbl", s->rule, 512, plan.write_4k.bits);
		uvm_block_state_apply(&f->bs, GPU0, &plan);
		KUNIT_EXPECT_EQ_MSG(test, uvm_block_state_prot(&f->bs, GPU0, s->first), s->prot,
				    "%s", s->rule);
		EXPECT_VALID(&f->bs);
	}
}

/* A unit whose pages are at two places is never big. */
static void state_plan_two_places(struct kunit *test)
{
	struct state_fixture *f = test->priv;
	struct uvm_page_mask mask = pages(0, 16), one = pages(7, 8);
	const struct uvm_pte_layout layout = { ~0u, true, true };
	struct uvm_pte_plan plan;

	uvm_block_state_set_resident(&f->bs, GPU0, &mask);
	uvm_block_state_set_resident(&f->bs, CPU, &one);
	uvm_block_state_plan(&f->bs, GPU0, &mask, RW, &layout, &plan);
	KUNIT_EXPECT_EQ(test, plan.big_after, 0);
	KUNIT_EXPECT_EQ(test, uvm_page_mask_weight(&plan.write_4k), 16);
}

/* ---- 2 MB PTEs (nvidia-uvm 3.6) ------------------------------------------------ */

enum { W2M = 1, CLEAR = 2, SPLIT = 4, MERGE = 8 };	/* W2M: write */

struct plan_2m_step {
	const char *rule;
	u16 first, outer;
	enum uvm_prot prot;
	bool contiguous_2m, may_merge;
	bool move;			/* the pages go to the CPU first */
	unsigned int what;		/* of W2M ... MERGE */
	u32 big_after, big_write, big_clear;
	u16 write_first, write_outer;	/* 4K PTEs */
	u16 clear_first, clear_outer;	/* 4K PTEs emptied by a merge */
};

#define ALL	0xffffffffu

/* A whole block on GPU0, one step after the other. */
static const struct plan_2m_step plan_2m_steps[] = {
	{ "all at once: one 2 MB PTE, nothing to merge", 0, 512, RW, true, true, false, W2M,
	  0, 0, 0, 0, 0, 0, 0 },
	{ "raised as a whole: the same PTE again", 0, 512, RWA, true, false, false, W2M,
	  0, 0, 0, 0, 0, 0, 0 },
	{ "one page read-only: split, big PTEs around it", 17, 18, RO, true, true, false, SPLIT,
	  ~0x2u, ~0x2u, 0, 16, 32, 0, 0 },
	{ "all equal again: merge, what was below is emptied", 17, 18, RWA, true, true, false,
	  W2M | MERGE, 0, 0, ~0x2u, 0, 0, 16, 32 },
	{ "half unmapped at unit boundaries: split, no 4K PTE is needed", 256, 512, NONE, true,
	  true, false, SPLIT, 0xffff, 0xffff, 0xffff0000, 0, 0, 0, 0 },
	{ "the rest unmapped: no 2 MB PTE is concerned", 0, 256, NONE, true, true, false, 0,
	  0, 0, 0xffff, 0, 0, 0, 0 },
	{ "memory is not contiguous: big PTEs", 0, 512, RW, false, true, false, 0,
	  ALL, ALL, 0, 0, 0, 0, 0 },
	{ "it is, but merging was not asked for: big PTEs stay", 0, 512, RWA, true, false,
	  false, 0, ALL, ALL, 0, 0, 0, 0, 0 },
	{ "merge of big PTEs alone", 0, 512, RW, true, true, false, W2M | MERGE,
	  0, 0, ALL, 0, 0, 0, 0 },
	{ "all unmapped: the PTE goes as a whole", 0, 512, NONE, true, true, false, CLEAR,
	  0, 0, 0, 0, 0, 0, 0 },
	{ "unmap what is not mapped: nothing", 0, 512, NONE, true, true, false, 0,
	  0, 0, 0, 0, 0, 0, 0 },
	{ "all but one page: big and 4K PTEs", 0, 511, RW, true, true, false, 0,
	  0x7fffffff, 0x7fffffff, 0, 496, 511, 0, 0 },
	{ "the last page: merge of both kinds", 511, 512, RW, true, true, false, W2M | MERGE,
	  0, 0, 0x7fffffff, 0, 0, 496, 511 },
	{ "one page leaves, unmapped first: split", 100, 101, NONE, true, true, true, SPLIT,
	  ~0x40u, ~0x40u, 0, 96, 112, 0, 0 },
	{ "mapped remotely: two places, no 2 MB PTE and no big one there", 100, 101, RW, true, true,
	  false, 0, ~0x40u, 0, 0, 100, 101, 0, 0 },
};

static unsigned int plan_2m_what(const struct uvm_pte_plan *plan)
{
	return (plan->write_2m ? W2M : 0) | (plan->clear_2m ? CLEAR : 0) |
	       (plan->split_2m ? SPLIT : 0) | (plan->merge_2m ? MERGE : 0);
}

static void state_plan_2m(struct kunit *test)
{
	struct state_fixture *f = test->priv;
	struct uvm_page_mask mask = pages(0, 512), want;

	uvm_block_state_set_resident(&f->bs, GPU0, &mask);
	for (int i = 0; i < ARRAY_SIZE(plan_2m_steps); i++) {
		const struct plan_2m_step *s = &plan_2m_steps[i];
		const struct uvm_pte_layout layout = { ~0u, s->contiguous_2m, s->may_merge };
		struct uvm_pte_plan plan;

		mask = pages(s->first, s->outer);
		uvm_block_state_plan(&f->bs, GPU0, &mask, s->prot, &layout, &plan);
		KUNIT_EXPECT_EQ_MSG(test, plan_2m_what(&plan), s->what, "%s", s->rule);
		KUNIT_EXPECT_EQ_MSG(test, plan.after_2m, !!(s->what & W2M), "%s", s->rule);
		KUNIT_EXPECT_EQ_MSG(test, plan.big_after, s->big_after, "%s", s->rule);
		KUNIT_EXPECT_EQ_MSG(test, plan.big_write, s->big_write, "%s", s->rule);
		KUNIT_EXPECT_EQ_MSG(test, plan.big_clear, s->big_clear, "%s", s->rule);
		want = pages(s->write_first, s->write_outer);
		KUNIT_EXPECT_TRUE_MSG(test, uvm_page_mask_equal(&plan.write_4k, &want), "%s: %*pbl",
				      s->rule, 512, plan.write_4k.bits);
		want = pages(s->clear_first, s->clear_outer);
		KUNIT_EXPECT_TRUE_MSG(test, uvm_page_mask_equal(&plan.clear_4k, &want), "%s: %*pbl",
				      s->rule, 512, plan.clear_4k.bits);
		uvm_block_state_apply(&f->bs, GPU0, &plan);
		KUNIT_EXPECT_EQ(test, f->gpu[0].pte_2m, plan.after_2m);
		EXPECT_VALID(&f->bs);
		if (s->move)
			uvm_block_state_set_resident(&f->bs, CPU, &mask);
	}
}

/* A block that is short has no 2 MB PTE, whatever its memory is. */
static void state_plan_2m_short(struct kunit *test)
{
	const struct uvm_pte_layout layout = { ~0u, true, true };
	struct uvm_page_mask mask = pages(0, 511);
	struct state_fixture *f = test->priv;
	struct uvm_pte_plan plan;

	state_reset(f, 0, 511);
	uvm_block_state_set_resident(&f->bs, GPU0, &mask);
	uvm_block_state_plan(&f->bs, GPU0, &mask, RWA, &layout, &plan);
	KUNIT_EXPECT_EQ(test, plan_2m_what(&plan), 0);
	KUNIT_EXPECT_EQ(test, plan.big_write, 0x7fffffff);
}

/*
 * Random plans, carried out on model page tables: after each, what a walker
 * finds for every page is what the state says, and no page is ever mapped by
 * two kinds of PTE.
 */
struct model_tables {
	u8 small[512];
	u8 big[UVM_BIG_PER_BLOCK];
	u8 whole;
};

static void state_plan_carry_out(struct model_tables *t, const struct state_fixture *f,
				 const struct uvm_pte_plan *plan)
{
	unsigned int page, u;

	if (plan->merge_2m || plan->clear_2m || plan->split_2m)
		t->whole = NONE;
	for_each_page_in_mask(page, &plan->clear_4k, uvm_region_make(0, 512))
		t->small[page] = NONE;
	for (u = 0; u < UVM_BIG_PER_BLOCK; u++) {
		if (plan->big_merge & BIT(u))
			memset(&t->small[u * 16], NONE, 16);
		if ((plan->big_split | plan->big_clear) & BIT(u))
			t->big[u] = NONE;
	}
	for_each_page_in_mask(page, &plan->write_4k, uvm_region_make(0, 512))
		t->small[page] = uvm_pte_plan_prot(&f->bs, GPU0, plan, page);
	for (u = 0; u < UVM_BIG_PER_BLOCK; u++) {
		if (plan->big_write & BIT(u))
			t->big[u] = uvm_pte_plan_prot(&f->bs, GPU0, plan, u * 16);
	}
	if (plan->write_2m)
		t->whole = plan->prot;
}

static void state_plan_check_tables(struct kunit *test, const struct model_tables *t,
				    const struct state_fixture *f, int step)
{
	for (unsigned int page = 0; page < 512; page++) {
		u8 b = t->big[page / 16], s = t->small[page];

		KUNIT_ASSERT_LE_MSG(test, !!t->whole + !!b + !!s, 1, "step %d page %u", step, page);
		KUNIT_ASSERT_EQ_MSG(test, t->whole ?: b ?: s,
				    uvm_block_state_prot(&f->bs, GPU0, page),
				    "step %d page %u", step, page);
	}
}

static void state_plan_random_run(struct kunit *test, unsigned int begin, unsigned int end)
{
	struct model_tables *t = kunit_kzalloc(test, sizeof(*t), GFP_KERNEL);
	struct state_fixture *f = test->priv;
	unsigned int whole = 0;
	struct rnd_state rnd;

	KUNIT_ASSERT_NOT_NULL(test, t);
	prandom_seed_state(&rnd, block_state_seed);
	state_reset(f, begin, end);
	for (int i = 0; i < 1000; i++) {
		u32 bits = prandom_u32_state(&rnd);
		unsigned int first = begin + prandom_u32_state(&rnd) % (end - begin);
		unsigned int outer = min(first + 1 + (bits >> 8) % 64, end);
		struct uvm_pte_layout layout = { ~0u, false, false };
		struct uvm_page_mask mask, out;
		struct uvm_pte_plan plan;

		if (bits & 1)	/* whole units are more interesting */
			mask = pages(max(round_down(first, 16), begin),
				     min(round_up(outer, 16), end));
		else
			mask = pages(first, outer);
		if (!(bits & 0x300000))	/* and whole blocks */
			mask = pages(begin, end);
		if (bits & 2) {
			u8 dst = bits & 4 ? GPU0 : CPU;

			uvm_block_state_to_unmap(&f->bs, dst, &mask, GPU0, &out);
			uvm_block_state_plan(&f->bs, GPU0, &out, NONE, &layout, &plan);
			state_plan_carry_out(t, f, &plan);
			uvm_block_state_apply(&f->bs, GPU0, &plan);
			uvm_block_state_set_resident(&f->bs, dst, &mask);
		}
		uvm_block_state_resident_any(&f->bs, &out);
		uvm_page_mask_and(&mask, &mask, &out);
		layout.contiguous = prandom_u32_state(&rnd) | prandom_u32_state(&rnd);
		layout.contiguous_2m = bits & 0x80;
		layout.may_merge = bits & 0x40;
		uvm_block_state_plan(&f->bs, GPU0, &mask, (bits >> 3) & 3, &layout, &plan);
		state_plan_carry_out(t, f, &plan);
		uvm_block_state_apply(&f->bs, GPU0, &plan);
		whole += plan.split_2m || plan.merge_2m;

		KUNIT_ASSERT_STREQ(test, uvm_block_state_check(&f->bs) ?: "", "");
		state_plan_check_tables(test, t, f, i);
	}
	/* A whole block sees splits and merges. */
	KUNIT_EXPECT_EQ(test, whole > 10, end - begin == 512);
}

static void state_plan_random(struct kunit *test)
{
	kunit_info(test, "block_state_seed=%u\n", block_state_seed);
	state_plan_random_run(test, 5, 250);
	state_plan_random_run(test, 0, 512);
}

/* Pages that munmap took, and the units that may still say "stop". */
static void state_own_units(struct kunit *test)
{
	static const struct {
		struct uvm_region valid;	/* the block */
		struct uvm_region gone;		/* unmapped of it */
		u32 own;
	} rows[] = {
		{ { 0, 512 }, { 0, 0 }, 0xffffffff },
		{ { 0, 512 }, { 0, 1 }, 0xfffffffe },
		{ { 0, 512 }, { 15, 16 }, 0xfffffffe },
		{ { 0, 512 }, { 15, 17 }, 0xfffffffc },
		{ { 0, 512 }, { 16, 32 }, 0xfffffffd },
		{ { 0, 512 }, { 100, 133 }, 0xfffffe3f },
		{ { 0, 512 }, { 0, 511 }, 0 },
		{ { 3, 40 }, { 0, 0 }, 0x2 },
		{ { 16, 40 }, { 0, 0 }, 0x2 },
		{ { 500, 512 }, { 0, 0 }, 0 },
	};
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(rows); i++) {
		struct uvm_page_mask valid;

		uvm_page_mask_zero(&valid);
		uvm_page_mask_fill_region(&valid, rows[i].valid);
		uvm_page_mask_clear_region(&valid, rows[i].gone);
		KUNIT_EXPECT_EQ_MSG(test, uvm_block_own_units(&valid), rows[i].own, "row %u", i);
	}
}

static struct kunit_case state_kunit_cases[] = {
	KUNIT_CASE(state_residency),
	KUNIT_CASE(state_duplication),
	KUNIT_CASE(state_duplicates_to_unmap),
	KUNIT_CASE(state_duplicates_plan),
	KUNIT_CASE(state_permissions),
	KUNIT_CASE(state_to_unmap),
	KUNIT_CASE(state_invariants),
	KUNIT_CASE(state_own_units),
	KUNIT_CASE(state_plan),
	KUNIT_CASE(state_plan_two_places),
	KUNIT_CASE(state_plan_2m),
	KUNIT_CASE(state_plan_2m_short),
	KUNIT_CASE_SLOW(state_plan_random),
	{}
};

struct kunit_suite uvm_block_state_suite = {
	.name = "uvm_block_state",
	.init = state_init,
	.test_cases = state_kunit_cases,
};
