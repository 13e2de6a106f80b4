// SPDX-License-Identifier: GPL-2.0
/*
 * Fault batches: records, merging, order, verdicts.
 */
#include <kunit/test.h>
#include <linux/bitfield.h>
#include <softgpu/fault_format.h>
#include "uvm/model/fault_batch.h"
#include "uvm_pure.h"

#define BATCH_MAX	64
#define BATCH_UTLBS	12

#define R	FAULT_ACCESS_READ
#define W	FAULT_ACCESS_WRITE
#define A	FAULT_ACCESS_ATOMIC_STRONG
#define P	FAULT_ACCESS_PREFETCH

struct batch_fixture {
	struct uvm_fault_batch batch;
	struct uvm_fault faults[BATCH_MAX];
	struct uvm_fault *sorted[BATCH_MAX];
	struct uvm_fault *utlb_last[BATCH_UTLBS];
};

static int batch_init(struct kunit *test)
{
	struct batch_fixture *f = kunit_kzalloc(test, sizeof(*f), GFP_KERNEL);

	if (!f)
		return -ENOMEM;
	f->batch = (struct uvm_fault_batch){
		.faults = f->faults, .sorted = f->sorted, .utlb_last = f->utlb_last,
		.max = BATCH_MAX, .coalesce = true, .gpu = UVM_ID_GPU(0),
		.geometry = { BATCH_UTLBS, 2, 5 },
	};
	test->priv = f;
	uvm_fault_batch_reset(&f->batch);
	return 0;
}

struct record {
	u64 address;
	u64 instance;
	u32 access;
	u32 type;
	u32 gpc;
	u32 client;
};

static void record_write(u32 *words, const struct record *r)
{
	words[0] = (r->instance & FAULT_W0_INST_LO) | FIELD_PREP(FAULT_W0_INST_APERTURE, 2);
	words[1] = r->instance >> 32;
	words[2] = r->address & FAULT_W2_ADDR_LO;
	words[3] = (r->address >> 32) & GENMASK(16, 0);
	words[4] = 0x89abcdef;
	words[5] = 0x01234567;
	words[6] = FIELD_PREP(FAULT_W6_ENGINE_ID, FAULT_ENGINE_GRAPHICS);
	words[7] = FIELD_PREP(FAULT_W7_TYPE, r->type) | FIELD_PREP(FAULT_W7_ACCESS, r->access) |
		   FIELD_PREP(FAULT_W7_GPC, r->gpc) | FIELD_PREP(FAULT_W7_CLIENT, r->client) |
		   FAULT_W7_REPLAYABLE | FAULT_W7_REPLAYABLE_EN | FAULT_W7_VALID;
}

static struct uvm_fault *batch_add(struct kunit *test, const struct record *r)
{
	struct batch_fixture *f = test->priv;
	u32 words[FAULT_RECORD_WORDS];

	record_write(words, r);
	return uvm_fault_batch_add_record(&f->batch, words);
}

/* ---- parse --------------------------------------------------------------- */

struct parse_case {
	const char *rule;
	struct record record;
	u64 address;
	u8 access;
	u8 type;
	bool fatal;
	u16 utlb;
};

static const struct parse_case parse_cases[] = {
	{ "missing PTE, read", { 0x7f1234567000, 0x5000, R, FAULT_TYPE_PTE, 0, 0 },
	  0x7f1234567000, UVM_ACCESS_READ, UVM_FAULT_INVALID_PTE, false, 0 },
	{ "missing PDE, write, uTLB = gpc * 2 + client / 5",
	  { 0x1000, 0x5000, W, FAULT_TYPE_PDE, 3, 7 },
	  0x1000, UVM_ACCESS_WRITE, UVM_FAULT_INVALID_PDE, false, 7 },
	{ "bit 48 is the sign", { 0xffff800000001000, 0x5000, P, FAULT_TYPE_PTE, 5, 9 },
	  0xffff800000001000, UVM_ACCESS_PREFETCH, UVM_FAULT_INVALID_PTE, false,
	  11 },
	{ "write to read-only memory", { 0x2000, 0x5000, W, FAULT_TYPE_RO, 0, 4 },
	  0x2000, UVM_ACCESS_WRITE, UVM_FAULT_RO_VIOLATION, false, 0 },
	{ "atomic not allowed", { 0x2000, 0x5000, A, FAULT_TYPE_ATOMIC, 0, 5 },
	  0x2000, UVM_ACCESS_ATOMIC, UVM_FAULT_ATOMIC_VIOLATION, false, 1 },
	{ "weak atomic as a strong one",
	  { 0x2000, 0x5000, FAULT_ACCESS_ATOMIC_WEAK, FAULT_TYPE_PTE, 0, 0 },
	  0x2000, UVM_ACCESS_ATOMIC, UVM_FAULT_INVALID_PTE, false, 0 },
	{ "write-only can be served", { 0x2000, 0x5000, R, FAULT_TYPE_WO, 0, 0 },
	  0x2000, UVM_ACCESS_READ, UVM_FAULT_OTHER, false, 0 },
	{ "from PDE_SIZE on fatal", { 0x2000, 0x5000, R, FAULT_TYPE_PDE_SIZE, 0, 0 },
	  0x2000, UVM_ACCESS_READ, UVM_FAULT_OTHER, true, 0 },
	{ "VA limit is fatal", { 0x2000, 0x5000, R, FAULT_TYPE_VA_LIMIT, 0, 0 },
	  0x2000, UVM_ACCESS_READ, UVM_FAULT_OTHER, true, 0 },
	{ "region violation is fatal", { 0x2000, 0x5000, W, FAULT_TYPE_REGION, 0, 0 },
	  0x2000, UVM_ACCESS_WRITE, UVM_FAULT_OTHER, true, 0 },
	{ "unknown access is fatal", { 0x2000, 0x5000, 9, FAULT_TYPE_PTE, 0, 0 },
	  0x2000, UVM_ACCESS_READ, UVM_FAULT_INVALID_PTE, true, 0 },
	{ "a client beyond its GPC is no index", { 0x2000, 0x5000, R, FAULT_TYPE_PTE, 1, 127 },
	  0x2000, UVM_ACCESS_READ, UVM_FAULT_INVALID_PTE, false, 0 },
	{ "a GPC that does not exist is no index", { 0x2000, 0x5000, R, FAULT_TYPE_PTE, 31, 0 },
	  0x2000, UVM_ACCESS_READ, UVM_FAULT_INVALID_PTE, false, 0 },
};

static void batch_parse(struct kunit *test)
{
	struct batch_fixture *f = test->priv;

	for (int i = 0; i < ARRAY_SIZE(parse_cases); i++) {
		const struct parse_case *c = &parse_cases[i];
		struct uvm_fault fault;
		u32 words[FAULT_RECORD_WORDS];

		record_write(words, &c->record);
		uvm_fault_parse(&fault, words, &f->batch.geometry);
		KUNIT_EXPECT_EQ_MSG(test, fault.address, c->address & ~0xfffULL, "%s", c->rule);
		KUNIT_EXPECT_EQ_MSG(test, fault.access, c->access, "%s", c->rule);
		KUNIT_EXPECT_EQ_MSG(test, fault.access_mask, BIT(c->access), "%s", c->rule);
		KUNIT_EXPECT_EQ_MSG(test, fault.type, c->type, "%s", c->rule);
		KUNIT_EXPECT_EQ_MSG(test, fault.fatal, c->fatal, "%s", c->rule);
		KUNIT_EXPECT_EQ_MSG(test, fault.cancel_mode,
				    c->fatal ? UVM_CANCEL_ALL : UVM_CANCEL_NONE, "%s", c->rule);
		KUNIT_EXPECT_EQ_MSG(test, fault.utlb, c->utlb, "%s", c->rule);
		KUNIT_EXPECT_EQ(test, fault.timestamp, 0x0123456789abcdefULL);
		KUNIT_EXPECT_EQ(test, fault.engine, FAULT_ENGINE_GRAPHICS);
		KUNIT_EXPECT_EQ(test, uvm_fault_instance_pa(&fault), 0x5000);
		KUNIT_EXPECT_EQ(test, uvm_fault_instance_aperture(&fault), 2);
	}
}

/* Only reported: nothing else of the fault changes, and a parse forgets it. */
static void batch_parse_origin(struct kunit *test)
{
	static const u32 origin[FAULT_ORIGIN_WORDS] = {
		79, 31, 0x3456789a, 0x12, 0x1004, 0x40000000,
	};
	struct batch_fixture *f = test->priv;
	struct uvm_fault before, fault;
	u32 words[FAULT_RECORD_WORDS];

	record_write(words, &parse_cases[0].record);
	uvm_fault_parse(&before, words, &f->batch.geometry);
	fault = before;
	KUNIT_EXPECT_FALSE(test, fault.has_origin);
	uvm_fault_parse_origin(&fault, origin);
	KUNIT_EXPECT_TRUE(test, fault.has_origin);
	KUNIT_EXPECT_EQ(test, fault.sm, 79);
	KUNIT_EXPECT_EQ(test, fault.warp, 31);
	KUNIT_EXPECT_EQ(test, fault.block, 0x123456789aULL);
	KUNIT_EXPECT_EQ(test, fault.pc, 0x4000000000001004ULL);
	KUNIT_EXPECT_EQ(test, fault.address, before.address);
	KUNIT_EXPECT_EQ(test, fault.access, before.access);
	KUNIT_EXPECT_EQ(test, fault.utlb, before.utlb);
	uvm_fault_parse(&fault, words, &f->batch.geometry);
	KUNIT_EXPECT_FALSE(test, fault.has_origin);
	KUNIT_EXPECT_EQ(test, fault.pc, 0);
}

/* ---- coalesce --------------------------------------------------------------- */

/* Address in pages, client 0 or 5 of GPC: uTLB 2 * gpc or 2 * gpc + 1. */
struct coalesce_step {
	u32 page;
	u32 access;
	u32 gpc;
	u32 instance;
	u32 type;
};

struct coalesce_case {
	const char *rule;
	bool on;
	struct coalesce_step step[5];
	unsigned int steps;
	unsigned int coalesced;
	/* of each representative in ring order: index, instances, mask */
	struct {
		u32 index;
		u32 instances;
		u32 mask;
	} rep[4];
	u32 uncounted;		/* merged, but not among the instances */
};

#define MASK_R	BIT(UVM_ACCESS_READ)
#define MASK_W	BIT(UVM_ACCESS_WRITE)
#define MASK_A	BIT(UVM_ACCESS_ATOMIC)
#define PTE	FAULT_TYPE_PTE

static const struct coalesce_case coalesce_cases[] = {
	{ "off: nothing merges", false,
	  { { 1, R, 0, 1, PTE }, { 1, R, 0, 1, PTE } }, 2, 2,
	  { { 0, 1, MASK_R }, { 1, 1, MASK_R } } },
	{ "same uTLB, same page", true,
	  { { 1, R, 0, 1, PTE }, { 1, R, 0, 1, PTE } }, 2, 1, { { 0, 2, MASK_R } } },
	{ "same uTLB: a stronger access takes over", true,
	  { { 1, R, 0, 1, PTE }, { 1, W, 0, 1, PTE } }, 2, 1, { { 1, 2, MASK_R | MASK_W } } },
	{ "another uTLB: a stronger access stands alone", true,
	  { { 1, R, 0, 1, PTE }, { 1, W, 1, 1, PTE } }, 2, 2,
	  { { 0, 1, MASK_R }, { 1, 1, MASK_W } } },
	{ "another uTLB: a weaker access joins", true,
	  { { 1, W, 0, 1, PTE }, { 1, R, 1, 1, PTE } }, 2, 1, { { 0, 2, MASK_R | MASK_W } } },
	{ "another uTLB: an equal access joins", true,
	  { { 1, W, 0, 1, PTE }, { 1, W, 1, 1, PTE } }, 2, 1, { { 0, 2, MASK_W } } },
	{ "only the last fault of the batch counts across uTLBs", true,
	  { { 1, R, 0, 1, PTE }, { 2, R, 1, 1, PTE }, { 1, R, 2, 1, PTE } }, 3, 3,
	  { { 0, 1, MASK_R }, { 1, 1, MASK_R }, { 2, 1, MASK_R } } },
	{ "the last fault of the uTLB counts, others between or not", true,
	  { { 1, R, 0, 1, PTE }, { 2, R, 1, 1, PTE }, { 1, R, 0, 1, PTE } }, 3, 2,
	  { { 0, 2, MASK_R }, { 1, 1, MASK_R } } },
	{ "only the last fault of the uTLB", true,
	  { { 1, R, 0, 1, PTE }, { 2, R, 0, 1, PTE }, { 1, R, 0, 1, PTE } }, 3, 3,
	  { { 0, 1, MASK_R }, { 1, 1, MASK_R }, { 2, 1, MASK_R } } },
	{ "another instance never merges", true,
	  { { 1, R, 0, 1, PTE }, { 1, R, 0, 2, PTE } }, 2, 2,
	  { { 0, 1, MASK_R }, { 1, 1, MASK_R } } },
	{ "after a take-over, another uTLB is compared with the old one", true,
	  { { 1, R, 0, 1, PTE }, { 1, R, 0, 1, PTE }, { 1, A, 0, 1, PTE }, { 1, W, 3, 1, PTE } },
	  4, 2, { { 2, 3, MASK_R | MASK_A }, { 3, 1, MASK_W } } },
	{ "and counts there, which counts no more", true,
	  { { 1, R, 0, 1, PTE }, { 1, W, 0, 1, PTE }, { 1, R, 3, 1, PTE } },
	  3, 1, { { 1, 2, MASK_R | MASK_W } }, .uncounted = 1 },
	{ "after a take-over the uTLB's next one finds it too", true,
	  { { 1, R, 0, 1, PTE }, { 1, W, 0, 1, PTE }, { 2, R, 1, 1, PTE }, { 1, A, 0, 1, PTE },
	    { 1, R, 0, 1, PTE } }, 5, 2,
	  { { 2, 1, MASK_R }, { 3, 4, MASK_R | MASK_W | MASK_A } } },
	{ "a fatal fault joins none, but another one may join it", true,
	  { { 1, R, 0, 1, PTE }, { 1, R, 0, 1, FAULT_TYPE_REGION }, { 1, R, 0, 1, PTE },
	    { 1, R, 1, 1, PTE } }, 4, 2,
	  { { 0, 1, MASK_R }, { 1, 3, MASK_R } } },
	{ "or take over from it", true,
	  { { 1, R, 0, 1, FAULT_TYPE_REGION }, { 1, W, 0, 1, PTE } }, 2, 1,
	  { { 1, 2, MASK_R | MASK_W } } },
};

static void coalesce_check(struct kunit *test, const struct coalesce_case *c)
{
	struct batch_fixture *f = test->priv;
	struct uvm_fault *pos;

	KUNIT_EXPECT_EQ_MSG(test, f->batch.nr_cached, c->steps, "%s", c->rule);
	KUNIT_ASSERT_EQ_MSG(test, f->batch.nr_coalesced, c->coalesced, "%s", c->rule);
	f->batch.single_instance = true;	/* keep ring order */
	uvm_fault_batch_sort_by_instance(&f->batch);
	for (unsigned int i = 0; i < c->coalesced; i++) {
		struct uvm_fault *rep = f->batch.sorted[i];
		u32 n = 1;

		KUNIT_EXPECT_EQ_MSG(test, rep->index, c->rep[i].index, "%s", c->rule);
		KUNIT_EXPECT_EQ_MSG(test, rep->num_instances, c->rep[i].instances, "%s", c->rule);
		KUNIT_EXPECT_EQ_MSG(test, rep->access_mask, c->rep[i].mask, "%s", c->rule);
		for_each_merged_fault(pos, rep) {
			KUNIT_EXPECT_TRUE_MSG(test, pos->filtered, "%s", c->rule);
			KUNIT_EXPECT_PTR_EQ_MSG(test, pos->representative, rep, "%s", c->rule);
			n++;
		}
		KUNIT_EXPECT_EQ_MSG(test, n, rep->num_instances + c->uncounted, "%s", c->rule);
	}
}

static void batch_coalesce(struct kunit *test)
{
	struct batch_fixture *f = test->priv;

	for (int i = 0; i < ARRAY_SIZE(coalesce_cases); i++) {
		const struct coalesce_case *c = &coalesce_cases[i];

		f->batch.coalesce = c->on;
		uvm_fault_batch_reset(&f->batch);
		for (unsigned int s = 0; s < c->steps; s++) {
			struct record r = {
				.address = (u64)c->step[s].page << 12,
				.instance = (u64)c->step[s].instance << 12,
				.access = c->step[s].access, .type = c->step[s].type,
				.gpc = c->step[s].gpc,
			};

			KUNIT_ASSERT_NOT_NULL(test, batch_add(test, &r));
		}
		coalesce_check(test, c);
	}
}

static void batch_full(struct kunit *test)
{
	struct record r = { .address = 0x1000, .instance = 0x1000, .type = PTE };

	for (int i = 0; i < BATCH_MAX; i++)
		KUNIT_ASSERT_NOT_NULL(test, batch_add(test, &r));
	KUNIT_EXPECT_NULL(test, batch_add(test, &r));
}

/* ---- sort, duplicates --------------------------------------------------------- */

/* Instance pages map to VA space ids as in sort_space[]. */
static const u64 sort_space[] = { 0, 7, 3, 3 };

struct sort_row {
	u32 instance;
	u64 address;
	u32 access;
	u32 want_place;
	bool want_duplicate;
};

/* VA space 3 before 7; address; atomic before write before read; then age. */
static const struct sort_row sort_rows[] = {
	{ 1, 0x400000, R, 6, false },
	{ 2, 0x3ff000, R, 1, false },
	{ 1, 0x401000, R, 7, false },
	{ 2, 0x200000, W, 0, false },
	{ 3, 0x400000, R, 4, true },
	{ 2, 0x400000, A, 2, false },
	{ 3, 0x5ff000, W, 5, false },
	{ 2, 0x400000, W, 3, true },
};

static void batch_sort_order(struct kunit *test)
{
	struct batch_fixture *f = test->priv;
	struct uvm_fault_batch *b = &f->batch;
	unsigned int i;

	b->coalesce = false;
	for (i = 0; i < ARRAY_SIZE(sort_rows); i++) {
		struct record r = {
			.address = sort_rows[i].address, .access = sort_rows[i].access,
			.instance = (u64)sort_rows[i].instance << 12, .type = PTE,
		};

		batch_add(test, &r);
	}
	KUNIT_EXPECT_FALSE(test, b->single_instance);
	uvm_fault_batch_sort_by_instance(b);
	for (i = 1; i < b->nr_coalesced; i++) {
		KUNIT_EXPECT_LE(test, b->sorted[i - 1]->instance, b->sorted[i]->instance);
		if (b->sorted[i - 1]->instance == b->sorted[i]->instance)
			KUNIT_EXPECT_LT(test, b->sorted[i - 1]->index, b->sorted[i]->index);
	}
	for (i = 0; i < b->nr_coalesced; i++)
		b->sorted[i]->va_space_id =
			sort_space[uvm_fault_instance_pa(b->sorted[i]) >> 12];
	uvm_fault_batch_sort(b);
	for (i = 0; i < ARRAY_SIZE(sort_rows); i++) {
		const struct sort_row *row = &sort_rows[i];

		KUNIT_EXPECT_EQ_MSG(test, b->sorted[row->want_place]->index, i, "row %u", i);
		KUNIT_EXPECT_EQ_MSG(test, b->faults[i].duplicate, row->want_duplicate,
				    "row %u", i);
	}
	KUNIT_EXPECT_EQ(test, b->nr_duplicates, 0);
	for (i = 0; i < b->nr_coalesced; i++)
		uvm_fault_batch_meet(b, b->sorted[i]);
	KUNIT_EXPECT_EQ(test, b->nr_duplicates, 2);
}

/*
 * n merged records are n - 1 duplicates; a later duplicate counts all of its own.  Only
 * what reaches its block counts.
 */
static void batch_duplicates_count_records(struct kunit *test)
{
	struct batch_fixture *f = test->priv;
	static const struct coalesce_step steps[] = {
		{ 1, R, 0, 1, PTE }, { 1, R, 0, 1, PTE }, { 1, R, 0, 1, PTE },
		{ 2, R, 0, 1, PTE },
		{ 1, W, 1, 1, PTE }, { 1, W, 1, 1, PTE },
	};

	for (int i = 0; i < ARRAY_SIZE(steps); i++) {
		struct record r = {
			.address = (u64)steps[i].page << 12, .instance = 0x1000,
			.access = steps[i].access, .type = PTE, .gpc = steps[i].gpc,
		};

		batch_add(test, &r);
	}
	uvm_fault_batch_sort_by_instance(&f->batch);
	uvm_fault_batch_sort(&f->batch);
	KUNIT_EXPECT_EQ(test, f->batch.nr_coalesced, 3);
	/* The write comes first with 1 duplicate; all three reads are duplicates of it. */
	KUNIT_EXPECT_EQ(test, f->batch.sorted[0]->access, UVM_ACCESS_WRITE);
	KUNIT_EXPECT_TRUE(test, f->batch.sorted[1]->duplicate);
	KUNIT_EXPECT_EQ(test, f->batch.nr_duplicates, 0);
	uvm_fault_batch_meet(&f->batch, f->batch.sorted[0]);
	KUNIT_EXPECT_EQ(test, f->batch.nr_duplicates, 1);
	uvm_fault_batch_meet(&f->batch, f->batch.sorted[1]);
	KUNIT_EXPECT_EQ(test, f->batch.nr_duplicates, 4);
}

/* Prefetches of nothing count by the record, what must be cancelled by the page. */
static void batch_fatal_counts(struct kunit *test)
{
	struct batch_fixture *f = test->priv;
	static const struct coalesce_step steps[] = {
		{ 1, P, 0, 1, PTE }, { 1, P, 0, 1, PTE }, { 1, P, 0, 1, PTE },
		{ 2, P, 0, 1, PTE }, { 3, R, 0, 1, PTE }, { 3, R, 0, 1, PTE },
	};
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(steps); i++) {
		struct record r = {
			.address = (u64)steps[i].page << 12, .instance = 0x1000,
			.access = steps[i].access, .type = PTE,
		};

		batch_add(test, &r);
	}
	uvm_fault_batch_sort_by_instance(&f->batch);
	uvm_fault_batch_sort(&f->batch);
	for (i = 0; i < f->batch.nr_coalesced; i++)
		uvm_fault_batch_mark_fatal(&f->batch, f->batch.sorted[i], UVM_CANCEL_ALL,
					   -EFAULT);
	KUNIT_EXPECT_EQ(test, 4, f->batch.nr_invalid_prefetch);
	KUNIT_EXPECT_EQ(test, 1, f->batch.nr_fatal);
	KUNIT_EXPECT_EQ(test, EFAULT, f->batch.sorted[2]->error);
	KUNIT_EXPECT_TRUE(test, f->batch.sorted[0]->invalid_prefetch);
	KUNIT_EXPECT_FALSE(test, f->batch.sorted[2]->invalid_prefetch);
	uvm_fault_batch_reset(&f->batch);
	KUNIT_EXPECT_EQ(test, 0, f->batch.nr_invalid_prefetch + f->batch.nr_fatal);
}

/* ---- verdict ------------------------------------------------------------------- */

struct judge_case {
	enum uvm_access access;
	unsigned int mask;
	enum uvm_prot allowed;
	struct uvm_fault_verdict want;
};

#define SERVE(x)	{ UVM_FAULT_SERVE, UVM_ACCESS_##x, UVM_CANCEL_NONE }
#define CANCEL(x)	{ UVM_FAULT_CANCEL, 0, UVM_CANCEL_##x }
#define BOTH(x)		{ UVM_FAULT_SERVE_AND_CANCEL, UVM_ACCESS_READ, UVM_CANCEL_##x }
#define MASK_P		BIT(UVM_ACCESS_PREFETCH)

/* nvidia-uvm's permission check. */
static const struct judge_case judge_cases[] = {
	/* allowed: serve the strongest */
	{ UVM_ACCESS_PREFETCH, MASK_P, UVM_PROT_READ_ONLY, SERVE(PREFETCH) },
	{ UVM_ACCESS_READ, MASK_R, UVM_PROT_READ_ONLY, SERVE(READ) },
	{ UVM_ACCESS_WRITE, MASK_W | MASK_R, UVM_PROT_READ_WRITE, SERVE(WRITE) },
	{ UVM_ACCESS_ATOMIC, MASK_A | MASK_W, UVM_PROT_READ_WRITE_ATOMIC, SERVE(ATOMIC) },
	/* a prefetch or a read that is denied: all */
	{ UVM_ACCESS_PREFETCH, MASK_P, UVM_PROT_NONE, CANCEL(ALL) },
	{ UVM_ACCESS_READ, MASK_R, UVM_PROT_NONE, CANCEL(ALL) },
	{ UVM_ACCESS_READ, MASK_R | MASK_P, UVM_PROT_NONE, CANCEL(ALL) },
	/* a write that is denied, no read waiting: writes and atomics */
	{ UVM_ACCESS_WRITE, MASK_W, UVM_PROT_READ_ONLY, CANCEL(WRITE_AND_ATOMIC) },
	{ UVM_ACCESS_WRITE, MASK_W, UVM_PROT_NONE, CANCEL(WRITE_AND_ATOMIC) },
	{ UVM_ACCESS_ATOMIC, MASK_A | MASK_W, UVM_PROT_READ_ONLY, CANCEL(WRITE_AND_ATOMIC) },
	{ UVM_ACCESS_ATOMIC, MASK_A, UVM_PROT_READ_WRITE, CANCEL(WRITE_AND_ATOMIC) },
	/* a read waits and is allowed: serve it first */
	{ UVM_ACCESS_WRITE, MASK_W | MASK_R, UVM_PROT_READ_ONLY, BOTH(WRITE_AND_ATOMIC) },
	{ UVM_ACCESS_ATOMIC, MASK_A | MASK_R, UVM_PROT_READ_ONLY, BOTH(WRITE_AND_ATOMIC) },
	/* a read waits and is not allowed either: all */
	{ UVM_ACCESS_WRITE, MASK_W | MASK_R, UVM_PROT_NONE, CANCEL(ALL) },
	{ UVM_ACCESS_ATOMIC, MASK_A | MASK_R | MASK_P, UVM_PROT_NONE, CANCEL(ALL) },
};

static void batch_judge(struct kunit *test)
{
	for (int i = 0; i < ARRAY_SIZE(judge_cases); i++) {
		const struct judge_case *c = &judge_cases[i];
		struct uvm_fault_verdict got = uvm_fault_judge(c->access, c->mask, c->allowed);

		KUNIT_EXPECT_EQ_MSG(test, got.action, c->want.action, "case %d", i);
		KUNIT_EXPECT_EQ_MSG(test, got.cancel_mode, c->want.cancel_mode, "case %d", i);
		if (got.action != UVM_FAULT_CANCEL)
			KUNIT_EXPECT_EQ_MSG(test, got.serve, c->want.serve, "case %d", i);
	}
}

static void batch_ring_records(struct kunit *test)
{
	KUNIT_EXPECT_EQ(test, uvm_fault_ring_records(0, 0, 250), 0);
	KUNIT_EXPECT_EQ(test, uvm_fault_ring_records(249, 249, 250), 0);
	KUNIT_EXPECT_EQ(test, uvm_fault_ring_records(0, 249, 250), 249);
	KUNIT_EXPECT_EQ(test, uvm_fault_ring_records(249, 0, 250), 1);
	KUNIT_EXPECT_EQ(test, uvm_fault_ring_records(200, 75, 250), 125);
	KUNIT_EXPECT_EQ(test, uvm_fault_ring_records(1, 0, 2), 1);
}

static struct kunit_case batch_kunit_cases[] = {
	KUNIT_CASE(batch_parse),
	KUNIT_CASE(batch_parse_origin),
	KUNIT_CASE(batch_coalesce),
	KUNIT_CASE(batch_full),
	KUNIT_CASE(batch_sort_order),
	KUNIT_CASE(batch_duplicates_count_records),
	KUNIT_CASE(batch_fatal_counts),
	KUNIT_CASE(batch_judge),
	KUNIT_CASE(batch_ring_records),
	{}
};

struct kunit_suite uvm_fault_batch_suite = {
	.name = "uvm_fault_batch",
	.init = batch_init,
	.test_cases = batch_kunit_cases,
};
