// SPDX-License-Identifier: GPL-2.0
/*
 * Tests of uvm's HAL: words and entries against bit patterns worked out by
 * hand from the class headers (include/softgpu/{host,ce}_class.h) and the page
 * table format (mmu_format.h).
 */
#include "uvm_gpu_fixture.h"

/* ---- page table entries ---------------------------------------------- */

struct hal_pte_case {
	const char *name;
	enum rm_aperture aperture;
	u64 address;
	enum uvm_prot prot;
	u64 page_size;
	u64 pte;
};

/*
 * VALID bit 0, aperture 2:1 (vid 0, peer 1, sys 2), VOL 3, READ_ONLY 6,
 * ATOMIC_DISABLE 7, pa >> 12 at 8, of a peer with its id at 35:33, kind 6 at 56
 */
static const struct hal_pte_case hal_pte_cases[] = {
	{ "vid rwa", RM_APERTURE_VID, 0x200000, UVM_PROT_READ_WRITE_ATOMIC, UVM_PAGE_SIZE_4K,
	  0x0600000000020001 },
	{ "vid rw: atomics off", RM_APERTURE_VID, 0x200000, UVM_PROT_READ_WRITE, UVM_PAGE_SIZE_4K,
	  0x0600000000020081 },
	{ "vid ro: writes and atomics off", RM_APERTURE_VID, 0x201000, UVM_PROT_READ_ONLY,
	  UVM_PAGE_SIZE_4K, 0x06000000000201c1 },
	{ "sys rwa: volatile", RM_APERTURE_SYS, 0x40001000, UVM_PROT_READ_WRITE_ATOMIC,
	  UVM_PAGE_SIZE_4K, 0x060000000400010d },
	{ "sys ro", RM_APERTURE_SYS, 0x40001000, UVM_PROT_READ_ONLY, UVM_PAGE_SIZE_4K,
	  0x06000000040001cd },
	{ "peer 1 rw: volatile", RM_APERTURE_PEER, 0x2000201000, UVM_PROT_READ_WRITE,
	  UVM_PAGE_SIZE_4K, 0x060000020002018b },
	{ "peer 7 rwa, 2M", RM_APERTURE_PEER, 0xe000200000, UVM_PROT_READ_WRITE_ATOMIC,
	  UVM_PAGE_SIZE_2M, 0x0600000e0002000b },
	{ "peer 3 ro, last address", RM_APERTURE_PEER, 0x7ffffff000, UVM_PROT_READ_ONLY,
	  UVM_PAGE_SIZE_4K, 0x06000007ffffffcb },
	{ "64K vid rw", RM_APERTURE_VID, 0x10000, UVM_PROT_READ_WRITE, UVM_PAGE_SIZE_64K,
	  0x0600000000001081 },
	{ "address 0", RM_APERTURE_VID, 0, UVM_PROT_READ_WRITE_ATOMIC, UVM_PAGE_SIZE_4K,
	  0x0600000000000001 },
	{ "highest address", RM_APERTURE_VID, 0x3fffffffffff000, UVM_PROT_READ_WRITE_ATOMIC,
	  UVM_PAGE_SIZE_4K, 0x063fffffffffff01 },
	{ "no access is the invalid entry", RM_APERTURE_VID, 0x200000, UVM_PROT_NONE,
	  UVM_PAGE_SIZE_4K, 0 },
};

static void hal_case_desc(const struct hal_pte_case *c, char *desc)
{
	strscpy(desc, c->name, KUNIT_PARAM_DESC_SIZE);
}

KUNIT_ARRAY_PARAM(hal_pte, hal_pte_cases, hal_case_desc);

static void hal_pte_test(struct kunit *test)
{
	const struct hal_pte_case *c = test->param_value;
	struct uvm_gpu_address address = { c->aperture, c->address };

	KUNIT_EXPECT_EQ(test, uvm_pte_make(address, c->prot, c->page_size), c->pte);
}

/* The two empty encodings of a 64K entry (nvidia-uvm 3.6). */
static void hal_empty_test(struct kunit *test)
{
	KUNIT_EXPECT_EQ(test, uvm_pte_invalid(), 0ULL);
	KUNIT_EXPECT_EQ(test, uvm_pte_big_unmapped(), 0x20ULL);
}

/* Aperture 2:1 (vid 1, sys 2), VOL 3; address pa>>12 at 8, or pa>>8 at 4 for a 64K table. */
static void hal_pde_test(struct kunit *test)
{
	struct uvm_gpu_address vid = uvm_gpu_address_vid(0x10002000);
	struct uvm_gpu_address sys = uvm_gpu_address_sys(0x40003000);
	struct uvm_gpu_address big = uvm_gpu_address_vid(0x10002300);

	KUNIT_EXPECT_EQ(test, uvm_pde_make(NULL, UVM_PDE_DIRECTORY), 0ULL);
	KUNIT_EXPECT_EQ(test, uvm_pde_make(&vid, UVM_PDE_DIRECTORY), 0x1000202ULL);
	KUNIT_EXPECT_EQ(test, uvm_pde_make(&vid, UVM_PDE_SMALL_TABLE), 0x1000202ULL);
	KUNIT_EXPECT_EQ(test, uvm_pde_make(&sys, UVM_PDE_DIRECTORY), 0x400030cULL);
	KUNIT_EXPECT_EQ(test, uvm_pde_make(&big, UVM_PDE_BIG_TABLE), 0x1000232ULL);
}

/* ---- methods --------------------------------------------------------- */

#define HAL_MAX_WORDS	24

static void hal_emit(struct uvm_push *push, unsigned int what);

struct hal_push_case {
	const char *name;
	unsigned int what;
	unsigned int count;
	u32 words[HAL_MAX_WORDS];
};

enum {
	HAL_SET_OBJECT, HAL_ACQUIRE, HAL_WFI, HAL_MEMBAR_SYS, HAL_MEMBAR_GPU, HAL_MEMBAR_NONE,
	HAL_INVAL_ALL_NONE, HAL_INVAL_ALL_SYS, HAL_INVAL_ALL_GPU, HAL_INVAL_VA, HAL_REPLAY,
	HAL_REPLAY_ACK, HAL_CANCEL, HAL_COPY, HAL_COPY_FLAGS, HAL_MEMSET8, HAL_MEMSET4,
	HAL_MEMSET1, HAL_RELEASE, HAL_RELEASE_GPU, HAL_TIMESTAMP, HAL_HOST_TIMESTAMP,
	HAL_INLINE, HAL_COUNTER_CLEAR_ALL, HAL_COUNTER_CLEAR,
};

/*
 * Header: op 1 (increasing) at 29, count at 16, subchannel at 13, method / 4.
 * HOST is subchannel 0, where the copy class is bound, CE 4 (0x8000).
 */
static const struct hal_push_case hal_push_cases[] = {
	{ "bind the copy class", HAL_SET_OBJECT, 2, { 0x20010000, 0xc5b5 } },
	/* ACQ_CIRC_GEQ 3, ACQUIRE_SWITCH bit 12 */
	{ "acquire", HAL_ACQUIRE, 6, { 0x20050017, 0x40000010, 0x1, 0x12345678, 0, 0x1003 } },
	{ "wait for idle", HAL_WFI, 2, { 0x2001001e, 0 } },
	{ "membar sys", HAL_MEMBAR_SYS, 5, { 0x2004000a, 0, 0, 0, 0x28000000 } },
	{ "membar gpu", HAL_MEMBAR_GPU, 5, { 0x2004000a, 0, 0, 1, 0x28000000 } },
	{ "membar none", HAL_MEMBAR_NONE, 0, { } },
	/* operation 9 at 27; level up to PDE3 (depth 0) 5 at 7; pdb 0x345_6789a000 vid */
	{ "invalidate all, depth 0", HAL_INVAL_ALL_NONE, 5,
	  { 0x2004000a, 0, 0, 0x6789a280, 0x48000345 } },
	/* ack globally 1 at 5, SYSMEMBAR bit 11 of A; depth 4 = PTE only 1; pdb sys 2 at 10 */
	{ "invalidate all, depth 4, sys", HAL_INVAL_ALL_SYS, 5,
	  { 0x2004000a, 0x800, 0, 0x400018a0, 0x48000000 } },
	/* depth 3 = up to PDE0 2; the GPU's membar is a method of its own */
	{ "invalidate all, depth 3, gpu", HAL_INVAL_ALL_GPU, 10,
	  { 0x2004000a, 0, 0, 0x40001920, 0x48000000, 0x2004000a, 0, 0, 1, 0x28000000 } },
	/* operation 0xa; pages 7, 8, 9 of 0x1_2345_0000: 16 pages, log2 is 4 */
	{ "invalidate va", HAL_INVAL_VA, 5,
	  { 0x2004000a, 0x23450004, 0x1, 0x40001880, 0x50000000 } },
	{ "replay start", HAL_REPLAY, 5, { 0x2004000a, 0, 0, 0x84, 0x50000000 } },
	{ "replay start ack all", HAL_REPLAY_ACK, 5, { 0x2004000a, 0, 0, 0x88, 0x50000000 } },
	/* CANCEL_VA_GLOBAL 5 at 2, WRITE_AND_ATOMIC 6 at 7, engine 64 */
	{ "cancel va", HAL_CANCEL, 5, { 0x2004000a, 0x23457040, 0x1, 0x40001b14, 0x50000000 } },
	/* operation 0x16; type all 2, targeted 3; bank 13 at 3; the tag in C */
	{ "clear all access counters", HAL_COUNTER_CLEAR_ALL, 5,
	  { 0x2004000a, 0, 0, 0, 0xb0000002 } },
	{ "clear one access counter", HAL_COUNTER_CLEAR, 5,
	  { 0x2004000a, 0, 0, 0xabcde, 0xb000006b } },
	/* non-pipelined 2, flush 4, pitch 0x180, physical 0x3000 */
	{ "copy sys to vid", HAL_COPY, 12,
	  { 0x20028098, 1, 0, 0x20048100, 0x1, 0x40000000, 0, 0x200000, 0x20018106, 0x1000,
	    0x200180c0, 0x3186 } },
	{ "copy vid to sys, pipelined, no membar", HAL_COPY_FLAGS, 12,
	  { 0x20028098, 0, 1, 0x20048100, 0, 0x200000, 0x1, 0x40000000, 0x20018106, 0x1000,
	    0x200180c0, 0x3181 } },
	/* two components of 4 bytes, X = CONST_A 4, Y = CONST_B 5; elements; remap bit 10 */
	{ "memset 8", HAL_MEMSET8, 13,
	  { 0x200381c0, 0x55667788, 0x11223344, 0x01030054, 0x20018099, 0, 0x20028102, 0, 0x200000,
	    0x20018106, 0x200, 0x200180c0, 0x2586 } },
	{ "memset 4", HAL_MEMSET4, 13,
	  { 0x200381c0, 0x55667788, 0, 0x00030004, 0x20018099, 1, 0x20028102, 1, 0x40000000,
	    0x20018106, 0x400, 0x200180c0, 0x2586 } },
	{ "memset 1", HAL_MEMSET1, 13,
	  { 0x200381c0, 0x88, 0, 0x00000004, 0x20018099, 0, 0x20028102, 0, 0x200001,
	    0x20018106, 0x3, 0x200180c0, 0x2586 } },
	/* one word release 1 at 3; flush by the system unless told otherwise */
	{ "release", HAL_RELEASE, 6,
	  { 0x20038090, 0x1, 0x40000010, 0x12345678, 0x200180c0, 0xc } },
	{ "release, gpu membar", HAL_RELEASE_GPU, 6,
	  { 0x20038090, 0x1, 0x40000010, 0x12345678, 0x200180c0, 0x200000c } },
	/* NOP (op 3) over pad and slot: data from word 1 on, slot at 4; four words 2 at 3 */
	{ "copy engine timestamp", HAL_TIMESTAMP, 14,
	  { 0x60070002, 0, 0, 0, 0, 0, 0, 0, 0x20038090, 0x76, 0x54200010, 0, 0x200180c0, 0x10 } },
	{ "host timestamp", HAL_HOST_TIMESTAMP, 14,
	  { 0x60070002, 0, 0, 0, 0, 0, 0, 0, 0x20050017, 0x54200010, 0x76, 0, 0, 0x2000001 } },
	{ "inline copy", HAL_INLINE, 15,
	  { 0x60020002, 0x11111111, 0x22222222, 0x20028098, 1, 0, 0x20048100, 0x1, 0x23400004, 0,
	    0x200000, 0x20018106, 8, 0x200180c0, 0x3186 } },
};

static void hal_emit_host(struct uvm_push *push, unsigned int what)
{
	struct uvm_gpu_address vid = uvm_gpu_address_vid(0x3456789a000);
	struct uvm_gpu_address sys = uvm_gpu_address_sys(0x40001000);

	switch (what) {
	case HAL_SET_OBJECT:
		return uvm_host_set_object(push);
	case HAL_ACQUIRE:
		return uvm_host_semaphore_acquire(push, 0x140000010, 0x12345678);
	case HAL_WFI:
		return uvm_host_wait_for_idle(push);
	case HAL_MEMBAR_SYS:
		return uvm_host_membar(push, UVM_MEMBAR_SYS);
	case HAL_MEMBAR_GPU:
		return uvm_host_membar(push, UVM_MEMBAR_GPU);
	case HAL_MEMBAR_NONE:
		return uvm_host_membar(push, UVM_MEMBAR_NONE);
	case HAL_INVAL_ALL_NONE:
		return uvm_host_tlb_invalidate_all(push, vid, 0, UVM_MEMBAR_NONE);
	case HAL_INVAL_ALL_SYS:
		return uvm_host_tlb_invalidate_all(push, sys, 4, UVM_MEMBAR_SYS);
	case HAL_INVAL_ALL_GPU:
		return uvm_host_tlb_invalidate_all(push, sys, 3, UVM_MEMBAR_GPU);
	case HAL_INVAL_VA:
		return uvm_host_tlb_invalidate_va(push, sys, 4, 0x123457000, 0x3000,
						  UVM_MEMBAR_NONE);
	case HAL_REPLAY:
		return uvm_host_replay(push, HOST_REPLAY_START);
	case HAL_REPLAY_ACK:
		return uvm_host_replay(push, HOST_REPLAY_START_ACK_ALL);
	case HAL_CANCEL:
		return uvm_host_cancel_va(push, sys, 0x123457000, HOST_CANCEL_WRITE_AND_ATOMIC);
	case HAL_COUNTER_CLEAR_ALL:
		return uvm_host_access_counter_clear_all(push);
	case HAL_COUNTER_CLEAR:
		return uvm_host_access_counter_clear(push, 13, 0xabcde);
	default:
		return (void)uvm_host_timestamp(push);
	}
}

static void hal_emit(struct uvm_push *push, unsigned int what)
{
	static const u32 data[] = { 0x11111111, 0x22222222 };
	struct uvm_gpu_address vid = uvm_gpu_address_vid(0x200000);
	struct uvm_gpu_address sys = uvm_gpu_address_sys(0x140000000);

	switch (what) {
	case HAL_COPY:
		return uvm_ce_memcopy(push, vid, sys, 0x1000);
	case HAL_COPY_FLAGS:
		uvm_push_set_flag(push, UVM_PUSH_CE_NEXT_PIPELINED | UVM_PUSH_NEXT_MEMBAR_NONE);
		return uvm_ce_memcopy(push, sys, vid, 0x1000);
	case HAL_MEMSET8:
		return uvm_ce_memset_8(push, vid, 0x1122334455667788, 0x1000);
	case HAL_MEMSET4:
		return uvm_ce_memset_4(push, sys, 0x55667788, 0x1000);
	case HAL_MEMSET1:
		return uvm_ce_memset_1(push, uvm_gpu_address_add(vid, 1), 0x88, 3);
	case HAL_RELEASE:
		return uvm_ce_semaphore_release(push, 0x140000010, 0x12345678);
	case HAL_RELEASE_GPU:
		uvm_push_set_flag(push, UVM_PUSH_NEXT_MEMBAR_GPU);
		return uvm_ce_semaphore_release(push, 0x140000010, 0x12345678);
	case HAL_TIMESTAMP:
		return (void)uvm_push_timestamp(push);
	case HAL_INLINE:
		return uvm_ce_memcopy_inline(push, vid, data, sizeof(data));
	default:
		return hal_emit_host(push, what);
	}
}

static void hal_push_desc(const struct hal_push_case *c, char *desc)
{
	strscpy(desc, c->name, KUNIT_PARAM_DESC_SIZE);
}

KUNIT_ARRAY_PARAM(hal_push, hal_push_cases, hal_push_desc);

static void hal_push_test(struct kunit *test)
{
	const struct hal_push_case *c = test->param_value;
	struct fake_push *fake = fake_push_alloc(test);
	unsigned int i;

	hal_emit(&fake->push, c->what);
	KUNIT_ASSERT_EQ(test, fake_push_count(fake), c->count);
	for (i = 0; i < c->count; i++)
		KUNIT_EXPECT_EQ_MSG(test, fake->push.begin[i], c->words[i], "word %u: %08x", i,
				    fake->push.begin[i]);
	/* Operations consume their flags. */
	KUNIT_EXPECT_EQ(test, fake->push.flags, 0U);
}

/* A timestamp leaves the flags to the operation they were meant for. */
static void hal_timestamp_flags_test(struct kunit *test)
{
	struct fake_push *fake = fake_push_alloc(test);

	uvm_push_set_flag(&fake->push, UVM_PUSH_CE_NEXT_PIPELINED);
	uvm_push_timestamp(&fake->push);
	KUNIT_EXPECT_EQ(test, fake->push.flags, (u32)UVM_PUSH_CE_NEXT_PIPELINED);
}

/* ---- span of a targeted invalidate ----------------------------------- */

struct hal_span_case {
	u64 va;
	u64 size;
	unsigned int order;
};

/* nvidia-uvm 7.4: a power-of-two aligned span that covers the range */
static const struct hal_span_case hal_span_cases[] = {
	{ 0x0, 0x1000, 0 },
	{ 0x7000, 0x1000, 0 },
	{ 0x7fff, 0x1, 0 },
	{ 0x6000, 0x2000, 1 },
	{ 0x7000, 0x2000, 4 },		/* pages 7, 8: 0 ... 15 */
	{ 0x10000, 0x10000, 4 },
	{ 0x200000, 0x200000, 9 },
	{ 0x1ff000, 0x2000, 10 },	/* across 2 MB: pages 511, 512 */
	{ 0x200000, 0x1f0000, 9 },
	{ 0xfffffff000, 0x2000, 29 },
	{ 0x0, 1ULL << 49, 37 },
};

static void hal_span_desc(const struct hal_span_case *c, char *desc)
{
	snprintf(desc, KUNIT_PARAM_DESC_SIZE, "%llx+%llx", c->va, c->size);
}

KUNIT_ARRAY_PARAM(hal_span, hal_span_cases, hal_span_desc);

static void hal_span_test(struct kunit *test)
{
	const struct hal_span_case *c = test->param_value;
	unsigned int order = uvm_host_invalidate_order(c->va, c->size);
	u64 base = c->va & ~((4096ULL << order) - 1);

	KUNIT_EXPECT_EQ(test, order, c->order);
	KUNIT_EXPECT_LE(test, base, c->va);
	KUNIT_EXPECT_GE(test, base + (4096ULL << order), c->va + c->size);
}

static struct kunit_case uvm_hal_cases[] = {
	KUNIT_CASE_PARAM(hal_pte_test, hal_pte_gen_params),
	KUNIT_CASE(hal_empty_test),
	KUNIT_CASE(hal_pde_test),
	KUNIT_CASE_PARAM(hal_push_test, hal_push_gen_params),
	KUNIT_CASE(hal_timestamp_flags_test),
	KUNIT_CASE_PARAM(hal_span_test, hal_span_gen_params),
	{ }
};

struct kunit_suite uvm_hal_suite = {
	.name = "uvm_hal",
	.test_cases = uvm_hal_cases,
};
