// SPDX-License-Identifier: GPL-2.0
/*
 * Tests of the PTE batch (nvidia-uvm 7.4): up to four consecutive entries by
 * one 8-byte memset each, more by one copy of inline data, a gap flushes, wait
 * for idle and a membar at the end.
 */
#include "uvm_gpu_fixture.h"
#include <softgpu/ce_class.h>
#include "uvm/mmu/pte_batch.h"

#define PTE_BASE	0x10000000ULL

/* Runs of entries: @count entries from entry @first on. */
struct pte_run {
	unsigned int first;
	unsigned int count;
	bool clear;
	bool sys;
};

struct pte_batch_case {
	const char *name;
	struct pte_run runs[4];
	enum uvm_membar at_least;
	unsigned int memsets;
	unsigned int copies;
	enum uvm_membar membar;
};

static const struct pte_batch_case pte_batch_cases[] = {
	{ "nothing: idle only", { }, UVM_MEMBAR_NONE, 0, 0, UVM_MEMBAR_NONE },
	{ "one", { { 0, 1 } }, UVM_MEMBAR_NONE, 1, 0, UVM_MEMBAR_GPU },
	{ "four: a memset each", { { 3, 4 } }, UVM_MEMBAR_NONE, 4, 0, UVM_MEMBAR_GPU },
	{ "five: one copy", { { 3, 5 } }, UVM_MEMBAR_NONE, 0, 1, UVM_MEMBAR_GPU },
	{ "a whole table: one copy", { { 0, 512 } }, UVM_MEMBAR_NONE, 0, 1, UVM_MEMBAR_GPU },
	{ "consecutive calls are one run", { { 0, 3 }, { 3, 3 } }, UVM_MEMBAR_NONE, 0, 1,
	  UVM_MEMBAR_GPU },
	{ "a gap flushes", { { 0, 3 }, { 4, 3 } }, UVM_MEMBAR_NONE, 6, 0, UVM_MEMBAR_GPU },
	{ "backwards flushes", { { 8, 6 }, { 2, 6 } }, UVM_MEMBAR_NONE, 0, 2, UVM_MEMBAR_GPU },
	{ "another aperture flushes", { { 0, 2 }, { 2, 2, .sys = true } }, UVM_MEMBAR_NONE, 4, 0,
	  UVM_MEMBAR_SYS },
	{ "clear: one memset", { { 0, 512, .clear = true } }, UVM_MEMBAR_NONE, 1, 0,
	  UVM_MEMBAR_GPU },
	{ "clear flushes", { { 0, 6 }, { 6, 2, .clear = true }, { 8, 2 } }, UVM_MEMBAR_NONE, 3, 1,
	  UVM_MEMBAR_GPU },
	{ "entries in system memory: sys", { { 0, 1, .sys = true } }, UVM_MEMBAR_NONE, 1, 0,
	  UVM_MEMBAR_SYS },
	{ "stronger on request", { { 0, 1 } }, UVM_MEMBAR_SYS, 1, 0, UVM_MEMBAR_SYS },
};

static u64 pte_value(unsigned int entry)
{
	return 0x0600000000000001ULL + ((u64)(entry + 7) << 8);
}

static void pte_batch_play(struct uvm_pte_batch *batch, const struct pte_run *run,
			   struct uvm_gpu_address table)
{
	unsigned int i;

	if (run->sys)
		table.aperture = RM_APERTURE_SYS;
	if (run->clear) {
		uvm_pte_batch_clear_ptes(batch, uvm_gpu_address_add(table, run->first * 8), 0x20,
					 run->count);
		return;
	}
	for (i = 0; i < run->count; i++)
		uvm_pte_batch_write_pte(batch, uvm_gpu_address_add(table, (run->first + i) * 8),
					pte_value(run->first + i));
}

static void pte_batch_desc(const struct pte_batch_case *c, char *desc)
{
	strscpy(desc, c->name, KUNIT_PARAM_DESC_SIZE);
}

KUNIT_ARRAY_PARAM(pte_batch, pte_batch_cases, pte_batch_desc);

static void pte_batch_words_test(struct kunit *test)
{
	const struct pte_batch_case *c = test->param_value;
	struct fake_push *fake = fake_push_alloc(test);
	unsigned int i, n, memsets = 0, copies = 0, idles = 0, last = 0;
	enum uvm_membar membar = UVM_MEMBAR_NONE;
	struct uvm_pte_batch batch;
	struct push_method *m = fake->methods;

	uvm_pte_batch_begin(&fake->push, &batch);
	for (i = 0; i < ARRAY_SIZE(c->runs); i++)
		pte_batch_play(&batch, &c->runs[i], uvm_gpu_address_vid(PTE_BASE));
	uvm_pte_batch_end(&batch, c->at_least);

	n = fake_push_decode(fake);
	for (i = 0; i < n; i++) {
		if (m[i].subch == HOST_SUBCH_CE && m[i].method == CE_LAUNCH_DMA) {
			memsets += !!(m[i].data & CE_LAUNCH_REMAP);
			copies += !(m[i].data & CE_LAUNCH_REMAP);
			/* One barrier for all: none of their own, and all overlap. */
			KUNIT_EXPECT_FALSE(test, m[i].data & CE_LAUNCH_FLUSH);
			KUNIT_EXPECT_EQ(test, FIELD_GET(CE_LAUNCH_TRANSFER, m[i].data),
					(u32)CE_TRANSFER_PIPELINED);
			last = i;
		} else if (m[i].method == HOST_WFI) {
			idles++;
			KUNIT_EXPECT_GE(test, i, last);
		} else if (m[i].method == HOST_MEM_OP_D) {
			KUNIT_EXPECT_EQ(test, idles, 1U);
			membar = m[i - 1].data == HOST_MEMBAR_SYS ? UVM_MEMBAR_SYS :
								    UVM_MEMBAR_GPU;
		}
	}
	KUNIT_EXPECT_EQ(test, memsets, c->memsets);
	KUNIT_EXPECT_EQ(test, copies, c->copies);
	KUNIT_EXPECT_EQ(test, idles, 1U);
	KUNIT_EXPECT_EQ(test, membar, c->membar);
}

/* The same cases executed: the table holds what was written and nothing else. */
static void pte_batch_run(struct kunit *test, struct uvm_gpu *gpu, const struct pte_batch_case *c,
			  struct uvm_gpu_address table, u64 *expect, u64 *got)
{
	struct uvm_pte_batch batch;
	struct uvm_push push;
	unsigned int i, k;

	if (uvm_push_begin(gpu, UVM_CHANNEL_MEMOPS, &push)) {
		KUNIT_FAIL(test, "begin");
		return;
	}
	for (i = 0; i < 512; i++)
		expect[i] = 0x5a5a5a5a00000000ULL;
	uvm_ce_memset_8(&push, table, expect[0], PAGE_SIZE);
	uvm_pte_batch_begin(&push, &batch);
	for (i = 0; i < ARRAY_SIZE(c->runs); i++) {
		if (c->runs[i].sys)
			continue;
		pte_batch_play(&batch, &c->runs[i], table);
		for (k = c->runs[i].first; k < c->runs[i].first + c->runs[i].count; k++)
			expect[k] = c->runs[i].clear ? 0x20 : pte_value(k);
	}
	uvm_pte_batch_end(&batch, UVM_MEMBAR_NONE);
	KUNIT_EXPECT_EQ(test, uvm_push_end_and_wait(&push), 0);
	KUNIT_EXPECT_EQ(test, live_read(gpu, table, got, PAGE_SIZE), 0);
	KUNIT_EXPECT_MEMEQ(test, got, expect, PAGE_SIZE);
}

static void pte_batch_memory_test(struct kunit *test)
{
	u64 *expect = kunit_kzalloc(test, PAGE_SIZE, GFP_KERNEL);
	u64 *got = kunit_kzalloc(test, PAGE_SIZE, GFP_KERNEL);
	struct live_gpu *live;
	u64 pa;

	KUNIT_ASSERT_NOT_NULL(test, expect);
	KUNIT_ASSERT_NOT_NULL(test, got);
	live = live_gpu_enter(test, 0, 64);
	if (live->ready) {
		KUNIT_EXPECT_EQ(test, rm_reserve_alloc(live->gpu.rm, PAGE_SIZE, &pa), 0);
		pte_batch_run(test, &live->gpu, test->param_value, uvm_gpu_address_vid(pa), expect,
			      got);
		rm_reserve_free(live->gpu.rm, PAGE_SIZE, pa);
	}
	live_gpu_leave(test, live);
}

static struct kunit_case uvm_pte_batch_cases[] = {
	KUNIT_CASE_PARAM(pte_batch_words_test, pte_batch_gen_params),
	KUNIT_CASE_PARAM(pte_batch_memory_test, pte_batch_gen_params),
	{ }
};

struct kunit_suite uvm_pte_batch_suite = {
	.name = "uvm_pte_batch",
	.test_cases = uvm_pte_batch_cases,
};
