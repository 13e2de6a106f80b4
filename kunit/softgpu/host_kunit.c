// SPDX-License-Identifier: GPL-2.0
/* softgpu host interface: fetch, methods, semaphores, errors. */
#include <kunit/test.h>
#include <linux/bitfield.h>
#include <softgpu/ce_class.h>
#include <softgpu/host_class.h>
#include "fake_device.h"
#include "softgpu/host/host.h"
#include "softgpu/mmu/mmu.h"
#include "softgpu/mmu/mmu_tlb.h"

#define SET	"doorbell_ns:100,method_ns:10,semaphore_ns:50,tlb_invalidate_ns:300," \
		"membar_ns:200,replay_ns:1000,copy_internal_latency_ns:0,copy_internal_mbps:1000"

#define HDR(op, count, subch, method) \
	(FIELD_PREP_CONST(HOST_HDR_OP, op) | FIELD_PREP_CONST(HOST_HDR_COUNT, count) | \
	 FIELD_PREP_CONST(HOST_HDR_SUBCH, subch) | FIELD_PREP_CONST(HOST_HDR_METHOD, (method) / 4))
#define INC(method)	HDR(HOST_HDR_OP_INC, 1, 0, method)
#define INC_CE(method)	HDR(HOST_HDR_OP_INC, 1, HOST_SUBCH_CE, method)
#define MEM_OP(op)	FIELD_PREP_CONST(HOST_MEM_OP_D_OPERATION, op)
#define REPLAY(type)	FIELD_PREP_CONST(HOST_MEM_OP_C_REPLAY, type)
#define LAUNCH_OK	(CE_LAUNCH_SRC_PITCH | CE_LAUNCH_DST_PITCH | CE_LAUNCH_SRC_PHYSICAL | \
			 CE_LAUNCH_DST_PHYSICAL | CE_TRANSFER_NON_PIPELINED)
#define REMAP(x, y, size, num) \
	(FIELD_PREP_CONST(CE_REMAP_DST_X, x) | FIELD_PREP_CONST(CE_REMAP_DST_Y, y) | \
	 FIELD_PREP_CONST(CE_REMAP_COMPONENT_SIZE, (size) - 1) | \
	 FIELD_PREP_CONST(CE_REMAP_NUM_DST, (num) - 1))

#define REDUCE(type, semaphore) \
	(FIELD_PREP_CONST(CE_LAUNCH_REDUCTION, type) | CE_LAUNCH_REDUCTION_UNSIGNED | \
	 CE_LAUNCH_REDUCTION_ENABLE | FIELD_PREP_CONST(CE_LAUNCH_SEMAPHORE, semaphore))

/* Words after SET_OBJECT, and the channel error they cause (0: none). */
struct host_case {
	const char *name;
	u32 error;
	u32 words[12];			/* END terminates */
};

#define END	U32_MAX

static const struct host_case host_cases[] = {
	/* known methods */
	{ "nop", 0, { INC(HOST_NOP), 1, END } },
	{ "immediate data", 0, { HDR(HOST_HDR_OP_IMMD, 5, 0, HOST_NOP), END } },
	{ "no data", 0, { HDR(HOST_HDR_OP_INC, 0, 0, 0x3f00), END } },
	{ "one address for all", 0, { HDR(HOST_HDR_OP_NON_INC, 2, 0, HOST_NOP), 1, 2, END } },
	{ "wait for idle, nothing to wait for", 0, { INC(HOST_WFI), 0, END } },
	{ "system membar", 0, { HDR(HOST_HDR_OP_INC, 4, 0, HOST_MEM_OP_A), 0, 0,
				    HOST_MEMBAR_SYS, MEM_OP(HOST_MEM_OP_MEMBAR), END } },
	{ "GPU membar", 0, { HDR(HOST_HDR_OP_INC, 4, 0, HOST_MEM_OP_A), 0, 0,
				 HOST_MEMBAR_GPU, MEM_OP(HOST_MEM_OP_MEMBAR), END } },
	{ "invalidate all", 0, { HDR(HOST_HDR_OP_INC, 4, 0, HOST_MEM_OP_A), 0, 0,
				     HOST_MEM_OP_C_PDB_ALL,
	  MEM_OP(HOST_MEM_OP_TLB_INVALIDATE), END } },
	{ "replay", 0, { HDR(HOST_HDR_OP_INC, 4, 0, HOST_MEM_OP_A), 0, 0,
			     REPLAY(HOST_REPLAY_START_ACK_ALL),
			     MEM_OP(HOST_MEM_OP_TLB_INVALIDATE_TARGETED), END } },
	{ "clear of all access counters", 0,
	  { INC(HOST_MEM_OP_D), MEM_OP(HOST_MEM_OP_ACCESS_COUNTER_CLR) | HOST_COUNTER_CLR_ALL,
	    END } },
	{ "clear of one access counter", 0,
	  { HDR(HOST_HDR_OP_INC, 2, 0, HOST_MEM_OP_C), 7,
		MEM_OP(HOST_MEM_OP_ACCESS_COUNTER_CLR) | HOST_COUNTER_CLR_TARGETED, END } },
	{ "pitches are ignored", 0, { INC_CE(CE_PITCH_IN), 7, INC_CE(CE_LINE_COUNT), 7, END } },
	{ "launch of nothing", 0, { INC_CE(CE_LAUNCH_DMA), CE_TRANSFER_NONE, END } },
	/* unknown methods, operands, headers: every one is an error */
	{ "unknown host method", RM_CHANNEL_ERR_METHOD, { INC(0x10), 0, END } },
	{ "increment runs into it", RM_CHANNEL_ERR_METHOD,
	  { HDR(HOST_HDR_OP_INC, 2, 0, HOST_NOP), 0, 0, END } },
	{ "one increment runs into it", RM_CHANNEL_ERR_METHOD,
	  { HDR(HOST_HDR_OP_ONE_INC, 2, 0, HOST_NOP), 0, 0, END } },
	{ "unknown copy method", RM_CHANNEL_ERR_METHOD, { INC_CE(0x500), 0, END } },
	{ "copy method elsewhere", RM_CHANNEL_ERR_METHOD,
	  { HDR(HOST_HDR_OP_INC, 1, 1, CE_NOP), 0, END } },
	{ "header 0", RM_CHANNEL_ERR_METHOD, { 0, END } },
	{ "reserved header", RM_CHANNEL_ERR_METHOD, { HDR(7, 1, 0, HOST_NOP), 0, END } },
	{ "membar of unknown kind", RM_CHANNEL_ERR_METHOD,
	  { HDR(HOST_HDR_OP_INC, 2, 0, HOST_MEM_OP_C), 5, MEM_OP(HOST_MEM_OP_MEMBAR), END } },
	{ "unknown memory operation", RM_CHANNEL_ERR_METHOD,
	  { INC(HOST_MEM_OP_D), MEM_OP(1), END } },
	{ "unknown bit of an access counter clear", RM_CHANNEL_ERR_METHOD,
	  { INC(HOST_MEM_OP_D), MEM_OP(HOST_MEM_OP_ACCESS_COUNTER_CLR) | BIT(7), END } },
	{ "cancel that is not supported", RM_CHANNEL_ERR_METHOD,
	  { HDR(HOST_HDR_OP_INC, 2, 0, HOST_MEM_OP_C), REPLAY(HOST_REPLAY_CANCEL_GLOBAL),
		MEM_OP(HOST_MEM_OP_TLB_INVALIDATE_TARGETED), END } },
	{ "cancel without a target", RM_CHANNEL_ERR_METHOD,
	  { HDR(HOST_HDR_OP_INC, 2, 0, HOST_MEM_OP_C), REPLAY(HOST_REPLAY_CANCEL_VA_GLOBAL),
		MEM_OP(HOST_MEM_OP_TLB_INVALIDATE), END } },
	{ "unknown PDB aperture", RM_CHANNEL_ERR_METHOD,
	  { HDR(HOST_HDR_OP_INC, 2, 0, HOST_MEM_OP_C),
		FIELD_PREP_CONST(HOST_MEM_OP_C_PDB_APERTURE, 1),
		MEM_OP(HOST_MEM_OP_TLB_INVALIDATE), END } },
	{ "unknown level", RM_CHANNEL_ERR_METHOD,
	  { HDR(HOST_HDR_OP_INC, 2, 0, HOST_MEM_OP_C),
		FIELD_PREP_CONST(HOST_MEM_OP_C_LEVEL, 6),
	  MEM_OP(HOST_MEM_OP_TLB_INVALIDATE), END } },
	{ "unknown semaphore operation", RM_CHANNEL_ERR_METHOD, { INC(HOST_SEM_EXECUTE), 4, END } },
	{ "unknown semaphore bit", RM_CHANNEL_ERR_METHOD,
	  { INC(HOST_SEM_EXECUTE), HOST_SEM_OP_RELEASE | BIT(30), END } },
	{ "unaligned semaphore", RM_CHANNEL_ERR_METHOD,
	  { INC(HOST_SEM_ADDR_LO), 2, INC(HOST_SEM_EXECUTE), HOST_SEM_OP_RELEASE, END } },
	{ "semaphore not mapped", RM_CHANNEL_ERR_DMA,
	  { INC(HOST_SEM_ADDR_LO), 0, INC(HOST_SEM_EXECUTE), HOST_SEM_OP_RELEASE, END } },
	{ "acquire, semaphore not mapped", RM_CHANNEL_ERR_DMA,
	  { INC(HOST_SEM_ADDR_LO), 0, INC(HOST_SEM_EXECUTE), HOST_SEM_OP_ACQ_CIRC_GEQ, END } },
	{ "virtual source", RM_CHANNEL_ERR_METHOD,
	  { INC_CE(CE_LINE_LENGTH_IN), 4, INC_CE(CE_LAUNCH_DMA),
		LAUNCH_OK & ~CE_LAUNCH_SRC_PHYSICAL, END } },
	{ "virtual destination", RM_CHANNEL_ERR_METHOD,
	  { INC_CE(CE_LAUNCH_DMA), LAUNCH_OK & ~CE_LAUNCH_DST_PHYSICAL, END } },
	{ "block-linear layout", RM_CHANNEL_ERR_METHOD,
	  { INC_CE(CE_LAUNCH_DMA), LAUNCH_OK & ~CE_LAUNCH_SRC_PITCH, END } },
	{ "several lines", RM_CHANNEL_ERR_METHOD,
	  { INC_CE(CE_LAUNCH_DMA), LAUNCH_OK | CE_LAUNCH_MULTI_LINE, END } },
	{ "interrupt", RM_CHANNEL_ERR_METHOD,
	  { INC_CE(CE_LAUNCH_DMA), FIELD_PREP_CONST(CE_LAUNCH_INTERRUPT, 1), END } },
	{ "transfer type 3", RM_CHANNEL_ERR_METHOD, { INC_CE(CE_LAUNCH_DMA), LAUNCH_OK | 3, END } },
	{ "physical mode 2", RM_CHANNEL_ERR_METHOD,
	  { INC_CE(CE_SET_SRC_PHYS_MODE), 2, INC_CE(CE_LAUNCH_DMA), LAUNCH_OK, END } },
	{ "three components", RM_CHANNEL_ERR_METHOD,
	  { INC_CE(CE_SET_REMAP_COMPONENTS), REMAP(4, 5, 4, 3),
		INC_CE(CE_LAUNCH_DMA), LAUNCH_OK | CE_LAUNCH_REMAP, END } },
	{ "two-byte components", RM_CHANNEL_ERR_METHOD,
	  { INC_CE(CE_SET_REMAP_COMPONENTS), REMAP(4, 0, 2, 1),
		INC_CE(CE_LAUNCH_DMA), LAUNCH_OK | CE_LAUNCH_REMAP, END } },
	{ "remap of the source", RM_CHANNEL_ERR_METHOD,
	  { INC_CE(CE_SET_REMAP_COMPONENTS), REMAP(0, 0, 4, 1),
		INC_CE(CE_LAUNCH_DMA), LAUNCH_OK | CE_LAUNCH_REMAP, END } },
	{ "copy from unmapped memory", RM_CHANNEL_ERR_DMA,
	  { INC_CE(CE_SET_SRC_PHYS_MODE), CE_PHYS_COHERENT_SYSMEM,
		INC_CE(CE_LINE_LENGTH_IN), 4, INC_CE(CE_LAUNCH_DMA), LAUNCH_OK, END } },
	{ "copy semaphore not mapped", RM_CHANNEL_ERR_DMA,
	  { INC_CE(CE_LAUNCH_DMA), FIELD_PREP_CONST(CE_LAUNCH_SEMAPHORE, 1), END } },
	/* classes */
	{ "another class", RM_CHANNEL_ERR_CLASS, { INC_CE(HOST_SET_OBJECT), 0xc6b5, END } },
	{ "the class on the host's subchannel", 0, { INC(HOST_SET_OBJECT), CE_CLASS, END } },
	{ "the class on another", RM_CHANNEL_ERR_CLASS,
	  { HDR(HOST_HDR_OP_INC, 1, 1, HOST_SET_OBJECT), CE_CLASS, END } },
	/* reductions: one word, unsigned increments, else nothing */
	{ "reduction but not of one word", RM_CHANNEL_ERR_METHOD,
	  { INC_CE(CE_LAUNCH_DMA), REDUCE(CE_REDUCTION_INC, CE_SEMAPHORE_FOUR_WORD), END } },
	{ "reduction of nothing", RM_CHANNEL_ERR_METHOD,
	  { INC_CE(CE_LAUNCH_DMA), REDUCE(CE_REDUCTION_INC, CE_SEMAPHORE_NONE), END } },
	{ "reduction that adds", RM_CHANNEL_ERR_METHOD,
	  { INC_CE(CE_LAUNCH_DMA), REDUCE(5, CE_SEMAPHORE_ONE_WORD), END } },
	{ "signed increment", RM_CHANNEL_ERR_METHOD,
	  { INC_CE(CE_LAUNCH_DMA), REDUCE(CE_REDUCTION_INC, CE_SEMAPHORE_ONE_WORD) &
	    ~CE_LAUNCH_REDUCTION_UNSIGNED, END } },
	{ "reduction that is not on", RM_CHANNEL_ERR_METHOD,
	  { INC_CE(CE_LAUNCH_DMA), REDUCE(CE_REDUCTION_INC, CE_SEMAPHORE_ONE_WORD) &
	    ~CE_LAUNCH_REDUCTION_ENABLE, END } },
	{ "increment, not mapped", RM_CHANNEL_ERR_DMA,
	  { INC_CE(CE_LAUNCH_DMA), REDUCE(CE_REDUCTION_INC, CE_SEMAPHORE_ONE_WORD), END } },
};

static void host_case_desc(const struct host_case *c, char *desc)
{
	strscpy(desc, c->name, KUNIT_PARAM_DESC_SIZE);
}

KUNIT_ARRAY_PARAM(host, host_cases, host_case_desc);

static void host_methods(struct kunit *test)
{
	const struct host_case *c = test->param_value;
	struct fake_device *dev = fake_device_create(test, SET);
	struct fake_channel ch;
	unsigned int i;

	fake_channel_open(test, dev, &ch, RM_ENGINE_CE_INTERNAL);
	for (i = 0; c->words[i] != END; i++)
		fake_word(&ch, c->words[i]);
	fake_submit(&ch);
	fake_run(10000);
	KUNIT_EXPECT_EQ(test, c->error, *ch.info->error);
	KUNIT_EXPECT_EQ(test, !!c->error, dev->gpu.host.errors);
	KUNIT_EXPECT_FALSE(test, sgpu_host_busy(&dev->gpu));
	/* A dead channel stays dead; a good one goes on. */
	fake_method(&ch, HOST_NOP, 0);
	fake_submit(&ch);
	fake_run(10000);
	if (!c->error)
		KUNIT_EXPECT_EQ(test, 2, *ch.info->gp_get);
	KUNIT_EXPECT_EQ(test, c->error, *ch.info->error);
}

/* The copy class must be bound first. */
static void host_unbound_class(struct kunit *test)
{
	struct fake_device *dev = fake_device_create(test, SET);
	struct fake_channel ch;

	fake_channel_open(test, dev, &ch, RM_ENGINE_CE_INTERNAL);
	ch.next = 0;
	fake_method(&ch, CE_NOP, 0);
	fake_submit(&ch);
	fake_run(1000);
	KUNIT_EXPECT_EQ(test, RM_CHANNEL_ERR_CLASS, *ch.info->error);
}

/* Pushbuffer or PUT out of reach. */
static void host_fetch_errors(struct kunit *test)
{
	struct fake_device *dev = fake_device_create(test, SET);
	struct fake_channel a, b;

	fake_channel_open(test, dev, &a, RM_ENGINE_CE_INTERNAL);
	fake_channel_open(test, dev, &b, RM_ENGINE_CE_INTERNAL);
	rm_dma_unmap(&dev->gpu, a.iova);
	fake_submit(&a);
	*b.info->gp_put = 4;
	rm_channel_doorbell(b.rm);
	fake_run(1000);
	KUNIT_EXPECT_EQ(test, RM_CHANNEL_ERR_FETCH, *a.info->error);
	KUNIT_EXPECT_EQ(test, RM_CHANNEL_ERR_FETCH, *b.info->error);
	KUNIT_EXPECT_EQ(test, 1, rm_dma_faults(&dev->gpu));
}

static u32 *host_semaphore(struct kunit *test, struct fake_device *dev, u64 *iova)
{
	KUNIT_ASSERT_EQ(test, 0, rm_iova_alloc(&dev->gpu, PAGE_SIZE, iova));
	return fake_page(test, dev, *iova);
}

static void host_sem(struct fake_channel *ch, u64 iova, u64 payload, u32 execute)
{
	fake_method(ch, HOST_SEM_ADDR_LO, lower_32_bits(iova));
	fake_method(ch, HOST_SEM_ADDR_HI, upper_32_bits(iova));
	fake_method(ch, HOST_SEM_PAYLOAD_LO, lower_32_bits(payload));
	fake_method(ch, HOST_SEM_PAYLOAD_HI, upper_32_bits(payload));
	fake_method(ch, HOST_SEM_EXECUTE, execute);
}

/* Doorbell, methods and release each take their time; the GPFIFO wraps. */
static void host_release(struct kunit *test)
{
	struct fake_device *dev = fake_device_create(test, SET);
	struct fake_channel ch;
	u64 iova, start;
	unsigned int i;
	u32 *sem;

	sem = host_semaphore(test, dev, &iova);
	fake_channel_open(test, dev, &ch, RM_ENGINE_CE_INTERNAL);
	for (i = 1; i < 11; i++) {
		host_sem(&ch, iova + 16, i, HOST_SEM_OP_RELEASE | HOST_SEM_RELEASE_TIMESTAMP);
		sem[5] = 0xdead;
		start = sim_now();
		fake_submit(&ch);
		fake_run(1000);
		KUNIT_EXPECT_EQ(test, i, sem[4]);
		KUNIT_EXPECT_EQ(test, 0, sem[5]);
		/* SET_OBJECT comes with the first. */
		KUNIT_EXPECT_EQ(test, start + 100 + (i == 1 ? 60 : 50) + 50, *(u64 *)(sem + 6));
		KUNIT_EXPECT_EQ(test, i % 4, *ch.info->gp_get);
	}
	host_sem(&ch, iova + 8, 0x123456789abcdefULL, HOST_SEM_OP_RELEASE | HOST_SEM_PAYLOAD_64);
	fake_submit(&ch);
	fake_run(1000);
	KUNIT_EXPECT_EQ(test, 0x123456789abcdefULL, *(u64 *)(sem + 2));
	KUNIT_EXPECT_EQ(test, 0, *ch.info->error);
}

/* Which values let an acquire pass (host_class.h). */
struct host_acquire_case {
	u32 op;
	u64 value;
	u64 payload;
	bool passes;
};

static const struct host_acquire_case host_acquire_cases[] = {
	{ HOST_SEM_OP_ACQUIRE, 5, 5, true },
	{ HOST_SEM_OP_ACQUIRE, 6, 5, false },
	{ HOST_SEM_OP_ACQ_STRICT_GEQ, 5, 5, true },
	{ HOST_SEM_OP_ACQ_STRICT_GEQ, 6, 5, true },
	{ HOST_SEM_OP_ACQ_STRICT_GEQ, 4, 5, false },
	{ HOST_SEM_OP_ACQ_STRICT_GEQ, 0xfffffff0, 5, true },
	{ HOST_SEM_OP_ACQ_CIRC_GEQ, 5, 5, true },
	{ HOST_SEM_OP_ACQ_CIRC_GEQ, 4, 5, false },
	{ HOST_SEM_OP_ACQ_CIRC_GEQ, 3, 0xfffffffe, true },
	{ HOST_SEM_OP_ACQ_CIRC_GEQ, 0xfffffffe, 3, false },
	{ HOST_SEM_OP_ACQ_CIRC_GEQ | HOST_SEM_PAYLOAD_64, 3, 0xfffffffe, false },
	{ HOST_SEM_OP_ACQUIRE | HOST_SEM_PAYLOAD_64, 0x100000005, 0x100000005, true },
	{ HOST_SEM_OP_ACQUIRE | HOST_SEM_PAYLOAD_64, 0x200000005, 0x100000005, false },
	{ HOST_SEM_OP_ACQUIRE, 0x200000005, 0x100000005, true },
};

static void host_acquire_desc(const struct host_acquire_case *c, char *desc)
{
	snprintf(desc, KUNIT_PARAM_DESC_SIZE, "op %#x value %#llx payload %#llx", c->op, c->value,
		 c->payload);
}

KUNIT_ARRAY_PARAM(host_acquire, host_acquire_cases, host_acquire_desc);

static void host_acquire(struct kunit *test)
{
	const struct host_acquire_case *c = test->param_value;
	struct fake_device *dev = fake_device_create(test, SET);
	struct fake_channel ch;
	u32 *sem;
	u64 iova;

	sem = host_semaphore(test, dev, &iova);
	fake_channel_open(test, dev, &ch, RM_ENGINE_CE_INTERNAL);
	*(u64 *)sem = c->value;
	host_sem(&ch, iova, c->payload, c->op | HOST_SEM_ACQUIRE_SWITCH);
	host_sem(&ch, iova + 64, 1, HOST_SEM_OP_RELEASE);
	fake_submit(&ch);
	fake_run(1000);
	KUNIT_EXPECT_EQ(test, c->passes, sem[16]);
	/* One that is blocked cannot make progress by itself. */
	KUNIT_EXPECT_FALSE(test, sgpu_host_busy(&dev->gpu));
	/* The doorbell makes it look again. */
	*(u64 *)sem = c->payload;
	rm_channel_doorbell(ch.rm);
	fake_run(1000);
	KUNIT_EXPECT_EQ(test, 1, sem[16]);
}

/* A release by one channel wakes those that wait, at that time, in order. */
static void host_chain(struct kunit *test)
{
	struct fake_device *dev = fake_device_create(test, SET);
	struct fake_channel ch[3];
	unsigned int i;
	u32 *sem;
	u64 iova;

	sem = host_semaphore(test, dev, &iova);
	for (i = 0; i < 3; i++) {
		fake_channel_open(test, dev, &ch[i], RM_ENGINE_CE_INTERNAL);
		/* channel i waits for i + 1 and then releases i + 2 */
		host_sem(&ch[i], iova, i + 1, HOST_SEM_OP_ACQ_CIRC_GEQ);
		host_sem(&ch[i], iova + 16 + i * 16, 7,
			 HOST_SEM_OP_RELEASE | HOST_SEM_RELEASE_TIMESTAMP);
		host_sem(&ch[i], iova, i + 2, HOST_SEM_OP_RELEASE);
		fake_submit(&ch[i]);
	}
	fake_run(5000);
	KUNIT_EXPECT_EQ(test, 0, sem[0]);
	sem[0] = 1;
	rm_channel_doorbell(ch[0].rm);
	fake_run(5000);
	KUNIT_EXPECT_EQ(test, 4, sem[0]);
	/* Five methods and a release, twice, from one time stamp to the next. */
	KUNIT_EXPECT_EQ(test, *(u64 *)(sem + 6) + 200, *(u64 *)(sem + 10));
	KUNIT_EXPECT_EQ(test, *(u64 *)(sem + 10) + 200, *(u64 *)(sem + 14));
}

/* WFI and RELEASE_WFI wait for the channel's copies, a plain release does not. */
static void host_wait_for_copies(struct kunit *test)
{
	struct fake_device *dev = fake_device_create(test, SET);
	struct fake_channel ch;
	u32 *sem;
	u64 iova;

	sem = host_semaphore(test, dev, &iova);
	fake_channel_open(test, dev, &ch, RM_ENGINE_CE_INTERNAL);
	/* 1 MB at 1 GB/s: about a millisecond */
	fake_copy(&ch, RM_APERTURE_VID, 0, RM_APERTURE_VID, 0x200000, 1 << 20,
		  CE_TRANSFER_PIPELINED);
	host_sem(&ch, iova, 1, HOST_SEM_OP_RELEASE);
	host_sem(&ch, iova + 16, 1, HOST_SEM_OP_RELEASE | HOST_SEM_RELEASE_WFI);
	fake_copy(&ch, RM_APERTURE_VID, 0, RM_APERTURE_VID, 0x200000, 1 << 20,
		  CE_TRANSFER_PIPELINED);
	fake_method(&ch, HOST_WFI, 0);
	host_sem(&ch, iova + 32, 1, HOST_SEM_OP_RELEASE);
	fake_submit(&ch);
	fake_run(1000000);
	KUNIT_EXPECT_EQ(test, 1, sem[0]);
	KUNIT_EXPECT_EQ(test, 0, sem[4]);
	KUNIT_EXPECT_TRUE(test, sgpu_host_busy(&dev->gpu));
	fake_run(100000);
	KUNIT_EXPECT_EQ(test, 1, sem[4]);
	KUNIT_EXPECT_EQ(test, 0, sem[8]);
	fake_run(1100000);
	KUNIT_EXPECT_EQ(test, 1, sem[8]);
	KUNIT_EXPECT_FALSE(test, sgpu_host_busy(&dev->gpu));
}

/* More launches than a channel can have in flight: it waits, none is lost. */
static void host_many_copies(struct kunit *test)
{
	struct fake_device *dev = fake_device_create(test, SET);
	struct fake_channel ch;
	unsigned int i;
	u32 *sem;
	u64 iova;

	sem = host_semaphore(test, dev, &iova);
	fake_channel_open(test, dev, &ch, RM_ENGINE_CE_INTERNAL);
	for (i = 0; i < 50; i++)
		*(u32 *)fake_vram(dev, i * 4096) = i + 1;
	for (i = 0; i < 50; i++)
		fake_copy(&ch, RM_APERTURE_VID, i * 4096, RM_APERTURE_VID, 0x200000 + i * 4, 4,
			  CE_TRANSFER_PIPELINED);
	host_sem(&ch, iova, 1, HOST_SEM_OP_RELEASE | HOST_SEM_RELEASE_WFI);
	fake_submit(&ch);
	fake_run(20000);
	KUNIT_EXPECT_EQ(test, 1, sem[0]);
	for (i = 0; i < 50; i++)
		KUNIT_EXPECT_EQ(test, i + 1, *(u32 *)fake_vram(dev, 0x200000 + i * 4));
	KUNIT_EXPECT_EQ(test, 50, dev->gpu.host.engines[2].copies);
}

/* MEM_OP reaches the MMU with its operands, tlb_invalidate_ns after it was read. */
static void host_mem_ops(struct kunit *test)
{
	struct fake_device *dev = fake_device_create(test, SET);
	struct sgpu_mmu *mmu = &dev->gpu.mmu;
	u64 va = 0x123456000ULL, pdb = dev->as.pdb;
	struct sgpu_translation xlat;
	struct fake_channel ch;
	u32 d = MEM_OP(HOST_MEM_OP_TLB_INVALIDATE_TARGETED);

	fake_channel_open(test, dev, &ch, RM_ENGINE_CE_INTERNAL);
	fake_map(test, dev, va, 12, FAKE_PTE(0x5000));
	fake_issue(dev, 0, 0, va, SGPU_READ);
	fake_issue(dev, 1, 0, va + 4096, SGPU_WRITE);
	fake_run(5000);
	/* invalidate of the page: SET_OBJECT, 4 methods, 300 ns */
	fake_method(&ch, HOST_MEM_OP_A, lower_32_bits(va));
	fake_method(&ch, HOST_MEM_OP_B, upper_32_bits(va));
	fake_method(&ch, HOST_MEM_OP_C, lower_32_bits(pdb));
	fake_method(&ch, HOST_MEM_OP_D, d | upper_32_bits(pdb));
	fake_submit(&ch);
	fake_run(100 + 50 + 299);
	KUNIT_EXPECT_TRUE(test, sgpu_mmu_lookup(&dev->gpu, 0, &dev->as, va, SGPU_READ, &xlat));
	fake_run(1);
	fake_run(1);
	KUNIT_EXPECT_FALSE(test, sgpu_mmu_lookup(&dev->gpu, 0, &dev->as, va, SGPU_READ, &xlat));
	KUNIT_EXPECT_EQ(test, 1, mmu->invalidates);
	/* a cancel of writes of the next page */
	fake_method(&ch, HOST_MEM_OP_A, lower_32_bits(va + 4096) | 64);
	fake_method(&ch, HOST_MEM_OP_C, lower_32_bits(pdb) |
		    REPLAY(HOST_REPLAY_CANCEL_VA_GLOBAL) |
		    FIELD_PREP(HOST_MEM_OP_C_ACCESS, HOST_CANCEL_WRITE_AND_ATOMIC));
	fake_method(&ch, HOST_MEM_OP_D, d | upper_32_bits(pdb));
	fake_submit(&ch);
	fake_run(2000);
	KUNIT_EXPECT_TRUE(test, dev->accesses[1].cancelled);
	/* a replay, by a method that invalidates nothing of ours */
	fake_issue(dev, 2, 0, va + 8192, SGPU_READ);
	fake_run(2000);
	fake_map(test, dev, va + 8192, 12, FAKE_PTE(0x7000));
	fake_method(&ch, HOST_MEM_OP_A, 0);
	fake_method(&ch, HOST_MEM_OP_B, 0);
	fake_method(&ch, HOST_MEM_OP_C, REPLAY(HOST_REPLAY_START));
	fake_method(&ch, HOST_MEM_OP_D, d);
	fake_submit(&ch);
	fake_run(3000);
	KUNIT_EXPECT_TRUE(test, dev->accesses[2].translated);
	KUNIT_EXPECT_EQ(test, 1, mmu->replayed);
	KUNIT_EXPECT_EQ(test, 0, *ch.info->error);
}

/* Drivers give canonical addresses: bits above the 49th are copies of it. */
static void host_cancel_canonical(struct kunit *test)
{
	struct fake_device *dev = fake_device_create(test, SET);
	u64 va = 0x1fffffffff000ULL, canonical = va | GENMASK_ULL(63, 49);
	u64 pdb = dev->as.pdb;
	struct fake_channel ch;

	fake_channel_open(test, dev, &ch, RM_ENGINE_CE_INTERNAL);
	fake_issue(dev, 0, 0, va, SGPU_READ);
	fake_run(5000);
	fake_method(&ch, HOST_MEM_OP_A, lower_32_bits(canonical) | 64);
	fake_method(&ch, HOST_MEM_OP_B, upper_32_bits(canonical));
	fake_method(&ch, HOST_MEM_OP_C, lower_32_bits(pdb) |
		    REPLAY(HOST_REPLAY_CANCEL_VA_GLOBAL) |
		    FIELD_PREP(HOST_MEM_OP_C_ACCESS, HOST_CANCEL_ALL));
	fake_method(&ch, HOST_MEM_OP_D, MEM_OP(HOST_MEM_OP_TLB_INVALIDATE_TARGETED) |
		    upper_32_bits(pdb));
	fake_submit(&ch);
	fake_run(2000);
	KUNIT_EXPECT_TRUE(test, dev->accesses[0].cancelled);
	KUNIT_EXPECT_EQ(test, 0, *ch.info->error);
}

/* START_ACK_ALL completes when the access has faulted again, START when it was walked. */
static void host_replay_ack(struct kunit *test, unsigned int type, u32 records)
{
	struct fake_device *dev = fake_device_create(test, SET);
	unsigned int step;
	struct fake_channel ch;
	u32 *sem;
	u64 iova;

	sem = host_semaphore(test, dev, &iova);
	fake_channel_open(test, dev, &ch, RM_ENGINE_CE_INTERNAL);
	fake_issue(dev, 0, 0, 0x123456000ULL, SGPU_READ);
	fake_run(5000);
	KUNIT_ASSERT_EQ(test, 1, rm_reg_read(&dev->gpu, REG_FAULT_PUT));
	fake_method(&ch, HOST_MEM_OP_A, 0);
	fake_method(&ch, HOST_MEM_OP_B, 0);
	fake_method(&ch, HOST_MEM_OP_C, FIELD_PREP(HOST_MEM_OP_C_REPLAY, type));
	fake_method(&ch, HOST_MEM_OP_D, MEM_OP(HOST_MEM_OP_TLB_INVALIDATE_TARGETED));
	host_sem(&ch, iova, 1, HOST_SEM_OP_RELEASE);
	fake_submit(&ch);
	for (step = 0; !sem[0] && step < 5000; step++)
		fake_run(10);
	KUNIT_EXPECT_EQ(test, 1, sem[0]);
	KUNIT_EXPECT_EQ(test, records, rm_reg_read(&dev->gpu, REG_FAULT_PUT));
	/* either way the access has been tried: what follows cannot come before */
	KUNIT_EXPECT_EQ(test, 2, dev->gpu.mmu.walks);
}

static void host_replay_start(struct kunit *test)
{
	host_replay_ack(test, HOST_REPLAY_START, 1);
}

static void host_replay_start_ack_all(struct kunit *test)
{
	host_replay_ack(test, HOST_REPLAY_START_ACK_ALL, 2);
}

/* Freed in the middle of everything: nothing of it runs later. */
static void host_free_busy(struct kunit *test)
{
	struct fake_device *dev = fake_device_create(test, SET);
	struct rm_channel *victim;
	struct fake_channel ch;
	u32 *sem;
	u64 iova;

	sem = host_semaphore(test, dev, &iova);
	fake_channel_open(test, dev, &ch, RM_ENGINE_CE_INTERNAL);
	KUNIT_ASSERT_EQ(test, 0, rm_channel_alloc(&dev->gpu, RM_ENGINE_CE_INTERNAL, 4, &victim));
	memcpy(rm_channel_info(victim)->gpfifo, ch.info->gpfifo, 8);
	fake_copy(&ch, RM_APERTURE_VID, 0, RM_APERTURE_VID, 0x200000, 1 << 20,
		  CE_TRANSFER_PIPELINED);
	host_sem(&ch, iova, 1, HOST_SEM_OP_RELEASE | HOST_SEM_RELEASE_WFI);
	fake_submit(&ch);
	/* The victim runs the same segment; its copy is queued behind ours. */
	rm_channel_info(victim)->gpfifo[0] = ch.info->gpfifo[0];
	*rm_channel_info(victim)->gp_put = 1;
	rm_channel_doorbell(victim);
	fake_run(1000);
	KUNIT_EXPECT_EQ(test, 0, sem[0]);
	rm_channel_free(victim);
	fake_run(1100000);
	KUNIT_EXPECT_EQ(test, 1, sem[0]);
	KUNIT_EXPECT_EQ(test, 1, dev->gpu.host.engines[2].copies);
	KUNIT_EXPECT_FALSE(test, sgpu_host_busy(&dev->gpu));
}

static void host_bad_channels(struct kunit *test)
{
	struct fake_device *dev = fake_device_create(test, SET);
	struct rm_channel *ch;

	KUNIT_EXPECT_EQ(test, -EINVAL, rm_channel_alloc(&dev->gpu, RM_ENGINE_CE_HTOD, 0, &ch));
	KUNIT_EXPECT_EQ(test, -EINVAL, rm_channel_alloc(&dev->gpu, RM_ENGINE_CE_HTOD, 6, &ch));
	KUNIT_EXPECT_EQ(test, -EINVAL, rm_channel_alloc(&dev->gpu, 3, 4, &ch));
	KUNIT_EXPECT_EQ(test, -EINVAL,
			rm_channel_alloc(&dev->gpu, RM_ENGINE_CE_HTOD, 1 << 17, &ch));
}

/* Which engine a channel gets depends on what is open, not on what has been. */
static void host_engine_of_channel(struct kunit *test)
{
	struct fake_device *dev = fake_device_create(test, SET ",ce_htod:2");
	struct rm_channel *ch[4];
	struct sgpu_copy_engine *first = dev->gpu.host.engines;
	unsigned int i;

	for (i = 0; i < 3; i++) {
		KUNIT_ASSERT_EQ(test, 0, rm_channel_alloc(&dev->gpu, RM_ENGINE_CE_HTOD, 4, &ch[0]));
		KUNIT_EXPECT_PTR_EQ(test, first, ch[0]->engine);
		rm_channel_free(ch[0]);
	}
	for (i = 0; i < ARRAY_SIZE(ch); i++) {
		KUNIT_ASSERT_EQ(test, 0, rm_channel_alloc(&dev->gpu, RM_ENGINE_CE_HTOD, 4, &ch[i]));
		KUNIT_EXPECT_PTR_EQ(test, first + i % 2, ch[i]->engine);
	}
	for (i = 0; i < ARRAY_SIZE(ch); i++)
		rm_channel_free(ch[i]);
}

static struct kunit_case host_kunit_cases[] = {
	KUNIT_CASE_PARAM(host_methods, host_gen_params),
	KUNIT_CASE(host_engine_of_channel),
	KUNIT_CASE(host_unbound_class),
	KUNIT_CASE(host_fetch_errors),
	KUNIT_CASE(host_release),
	KUNIT_CASE_PARAM(host_acquire, host_acquire_gen_params),
	KUNIT_CASE(host_chain),
	KUNIT_CASE(host_wait_for_copies),
	KUNIT_CASE(host_many_copies),
	KUNIT_CASE(host_mem_ops),
	KUNIT_CASE(host_cancel_canonical),
	KUNIT_CASE(host_replay_start),
	KUNIT_CASE(host_replay_start_ack_all),
	KUNIT_CASE(host_free_busy),
	KUNIT_CASE(host_bad_channels),
	{}
};

struct kunit_suite softgpu_host_suite = {
	.name = "softgpu_host",
	.test_cases = host_kunit_cases,
};
