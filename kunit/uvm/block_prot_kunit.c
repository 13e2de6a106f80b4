// SPDX-License-Identifier: GPL-2.0
/*
 * Permissions on pages of a block: what a request gets, what others lose for it, what is
 * given unasked (nvidia-uvm 3.2, steps 2, 3 and 5).
 */
#include <kunit/test.h>
#include "uvm/model/block_state.h"
#include "uvm_pure.h"

#define CPU	UVM_ID_CPU
#define GPU0	UVM_ID_GPU(0)
#define GPU1	UVM_ID_GPU(1)
#define GPU2	UVM_ID_GPU(2)
#define NO	UVM_PROT_NONE
#define RO	UVM_PROT_READ_ONLY
#define RW	UVM_PROT_READ_WRITE
#define RWA	UVM_PROT_READ_WRITE_ATOMIC
#define PAGE	7

enum { READS, WRITES, ATOMICS, ONLY_READS };

/* GPU0 and GPU1 are peers over PCIe, GPU0 and GPU2 over NVLink. */
struct block_prot_fixture {
	struct uvm_block_state bs;
	struct uvm_topology topology;
	struct uvm_block_gpu_state gpu[3];
	struct uvm_page_mask page;
	struct uvm_page_mask by_prot[RWA + 1];
	struct uvm_prot_asked asked;
};

struct block_prot_case {
	const char *rule;
	u8 id;
	u8 at;
	u8 asked;
	u8 has[4];	/* CPU, GPU0, GPU1, GPU2 before; of @id, too */
	u8 gets;
	u8 after[4];	/* of the others, and of @id what it gets */
};

static const struct block_prot_case block_prot_cases[] = {
	{ "a page that nobody else has: a GPU reads system memory, and may write", GPU0, CPU, READS,
	  { NO }, RW, { NO, RW } },
	{ "a write over the link", GPU0, CPU, WRITES, { RWA }, RW, { RWA, RW } },
	{ "a read beside the CPU", GPU0, CPU, READS, { RWA }, RW, { RWA, RW } },
	{ "an atomic over the link: the CPU may only read", GPU0, CPU, ATOMICS, { RWA }, RWA,
	  { RO, RWA } },
	{ "and so may other GPUs", GPU0, CPU, ATOMICS,
	  { RWA, RO, RW, RW }, RWA, { RO, RWA, RO, RO } },
	{ "one GPU's atomics after another's", GPU1, CPU, ATOMICS,
	  { RO, RWA }, RWA, { RO, RO, RWA } },
	{ "a read beside atomics over a link is one", GPU1, CPU, READS, { RO, RWA }, RO,
	  { RO, RWA, RO } },
	{ "a write ends them", GPU1, CPU, WRITES, { RO, RWA }, RW, { RO, RW, RW } },
	{ "the CPU reads beside them", CPU, CPU, READS, { NO, RWA }, RO, { RO, RWA } },
	{ "the CPU writes: they end", CPU, CPU, WRITES, { RO, RWA }, RWA, { RWA, RW } },
	{ "the CPU reads alone, and may write", CPU, CPU, READS, { NO }, RWA, { RWA } },
	{ "the CPU beside a GPU that writes", CPU, CPU, WRITES, { NO, RW }, RWA, { RWA, RW } },
	{ "at home all comes at once", GPU0, GPU0, READS, { NO }, RWA, { NO, RWA } },
	{ "atomics at home exclude writers over PCIe", GPU0, GPU0, WRITES, { NO, NO, RW }, RWA,
	  { NO, RWA, RO } },
	{ "but not over NVLink", GPU0, GPU0, WRITES,
	  { NO, NO, NO, RWA }, RWA, { NO, RWA, NO, RWA } },
	{ "atomics over NVLink need nobody's consent", GPU2, GPU0, ATOMICS, { NO, RWA }, RWA,
	  { NO, RWA, NO, RWA } },
	{ "over PCIe the owner may only read", GPU1, GPU0, ATOMICS,
	  { NO, RWA }, RWA, { NO, RO, RWA } },
	{ "and reads beside them", GPU0, GPU0, READS, { NO, NO, RWA }, RO, { NO, RO, RWA } },
	{ "a write of the owner ends them", GPU0, GPU0, WRITES,
	  { NO, RO, RWA }, RWA, { NO, RWA, RO } },
	{ "a writer over PCIe takes nothing from the owner", GPU1, GPU0, WRITES, { NO, RWA }, RW,
	  { NO, RWA, RW } },
	{ "not to be written now, whoever could", GPU0, CPU, ONLY_READS, { NO }, RO, { NO, RO } },
};

static int block_prot_init(struct kunit *test)
{
	struct block_prot_fixture *f = kunit_kzalloc(test, sizeof(*f), GFP_KERNEL);

	if (!f)
		return -ENOMEM;
	uvm_topology_init(&f->topology);
	uvm_topology_set_peers(&f->topology, GPU0, GPU1, false, false);
	uvm_topology_set_peers(&f->topology, GPU0, GPU2, true, true);
	uvm_page_mask_set(&f->page, PAGE);
	test->priv = f;
	return 0;
}

/* The page is @at a processor, and mapped as @has says. */
static void block_prot_set(struct block_prot_fixture *f, unsigned int at, const u8 *has)
{
	memset(f->gpu, 0, sizeof(f->gpu));
	uvm_block_state_init(&f->bs, uvm_region_make(0, UVM_PAGES_PER_BLOCK), &f->topology);
	for (int i = 0; i < ARRAY_SIZE(f->gpu); i++)
		uvm_block_state_attach_gpu(&f->bs, UVM_ID_GPU(i), &f->gpu[i]);
	uvm_block_state_set_resident(&f->bs, at, &f->page);
	for (unsigned int id = CPU; id <= GPU2; id++)
		if (has[id])
			uvm_block_state_map(&f->bs, id, &f->page, has[id]);
}

/* Under which protection the page is, and under no other. */
static unsigned int block_prot_of(const struct block_prot_fixture *f)
{
	unsigned int prot, found = NO, n = 0;

	for (prot = NO; prot <= RWA; prot++) {
		if (uvm_page_mask_test(&f->by_prot[prot], PAGE))
			found = prot;
		n += uvm_page_mask_weight(&f->by_prot[prot]);
	}
	return n == 1 ? found : NO;
}

static void block_prot_ask(struct block_prot_fixture *f, unsigned int what)
{
	memset(&f->asked, 0, sizeof(f->asked));
	if (what == READS || what == ONLY_READS)
		f->asked.read = f->page;
	if (what == ONLY_READS)
		f->asked.only_read = f->page;
	/* the CPU's writes are atomics, as far as it tells */
	if (what == ATOMICS)
		f->asked.atomic = f->page;
}

static void block_prot_request(struct kunit *test)
{
	struct block_prot_fixture *f = test->priv;
	struct uvm_page_mask lost;
	enum uvm_prot left;

	for (int i = 0; i < ARRAY_SIZE(block_prot_cases); i++) {
		const struct block_prot_case *c = &block_prot_cases[i];

		block_prot_set(f, c->at, c->has);
		block_prot_ask(f, c->asked);
		uvm_block_prot_requested(&f->bs, c->id, c->at, &f->page, &f->asked, f->by_prot);
		KUNIT_EXPECT_EQ_MSG(test, block_prot_of(f), c->gets, "%s", c->rule);
		for (unsigned int id = CPU; id <= GPU2; id++) {
			left = uvm_block_prot_revoked(&f->bs, c->id, c->at, &f->page, c->gets, id,
						      &lost);
			if (left != RWA)
				uvm_block_state_revoke(&f->bs, id, &lost, left);
		}
		uvm_block_state_map(&f->bs, c->id, &f->page, c->gets);
		for (unsigned int id = CPU; id <= GPU2; id++)
			KUNIT_EXPECT_EQ_MSG(test, uvm_block_state_prot(&f->bs, id, PAGE),
					    c->after[id], "%s: processor %u", c->rule, id);
		KUNIT_EXPECT_STREQ_MSG(test, uvm_block_prot_check(&f->bs) ?: "", "", "%s", c->rule);
	}
}

static const struct block_prot_case block_prot_unasked[] = {
	{ "nobody has it: all, also over a link", GPU0, CPU, 0, { NO }, RWA },
	{ "the CPU may write: no atomics", GPU0, CPU, 0, { RWA }, RW },
	{ "the CPU may read", GPU0, CPU, 0, { RO }, RWA },
	{ "another GPU has atomics", GPU1, CPU, 0, { RO, RWA }, RO },
	{ "so have those of the owner nothing against writers", GPU1, GPU0, 0, { NO, RWA }, RW },
	{ "atomics over NVLink beside the owner's", GPU2, GPU0, 0, { NO, RWA }, RWA },
	{ "at home, beside a writer", GPU0, GPU0, 0, { NO, NO, RW }, RWA },
	{ "at home, beside atomics over PCIe", GPU0, GPU0, 0, { NO, NO, RWA }, RO },
	{ "the CPU, beside a GPU's atomics", CPU, CPU, 0, { NO, RWA }, RO },
	{ "what it has itself is nobody else's", GPU0, CPU, 0, { NO, RW }, RWA },
};

static void block_prot_give(struct kunit *test)
{
	struct block_prot_fixture *f = test->priv;

	for (int i = 0; i < ARRAY_SIZE(block_prot_unasked); i++) {
		const struct block_prot_case *c = &block_prot_unasked[i];

		block_prot_set(f, c->at, c->has);
		uvm_block_prot_highest(&f->bs, c->id, c->at, &f->page, f->by_prot);
		KUNIT_EXPECT_EQ_MSG(test, block_prot_of(f), c->gets, "%s", c->rule);
	}
}

/* What must never be. */
static void block_prot_impossible(struct kunit *test)
{
	struct block_prot_fixture *f = test->priv;
	const u8 two[] = { NO, RWA, RW, NO }, cpu[] = { RWA, RWA, NO, NO };
	const u8 owner[] = { NO, RWA, RWA, NO }, fine[] = { NO, RWA, RW, RWA };

	block_prot_set(f, CPU, two);
	KUNIT_EXPECT_NOT_NULL(test, uvm_block_prot_check(&f->bs));
	block_prot_set(f, CPU, cpu);
	KUNIT_EXPECT_NOT_NULL(test, uvm_block_state_check(&f->bs));
	block_prot_set(f, GPU0, owner);
	KUNIT_EXPECT_NOT_NULL(test, uvm_block_prot_check(&f->bs));
	block_prot_set(f, GPU0, fine);
	KUNIT_EXPECT_NULL(test, uvm_block_prot_check(&f->bs));
}

static struct kunit_case block_prot_kunit_cases[] = {
	KUNIT_CASE(block_prot_request),
	KUNIT_CASE(block_prot_give),
	KUNIT_CASE(block_prot_impossible),
	{}
};

struct kunit_suite uvm_block_prot_suite = {
	.name = "uvm_block_prot",
	.init = block_prot_init,
	.test_cases = block_prot_kunit_cases,
};
