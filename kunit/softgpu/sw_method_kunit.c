// SPDX-License-Identifier: GPL-2.0
/*
 * Methods of the software class C076: cancels of faults by client and by instance, faults of
 * channels cleared by instance.
 */
#include <kunit/test.h>
#include <linux/bitfield.h>
#include <softgpu/ce_class.h>
#include <softgpu/fault_format.h>
#include <softgpu/host_class.h>
#include <softgpu/sw_class.h>
#include "fake_device.h"
#include "softgpu/clock/clock.h"
#include "softgpu/mmu/mmu.h"
#include "softgpu/mmu/mmu_mshr.h"

/* 7 SMs, 2 of a uTLB, 2 uTLBs of a GPC: clients 0 ... 3 of GPC 0, 0 ... 2 of GPC 1. */
#define SET	"doorbell_ns:100,method_ns:10,sm_count:7,sms_per_utlb:2,gpc_count:2," \
		"utlb_faults:4,fault_ring_entries:64,sm_clock_khz:1000000,fault_write_ns:300," \
		"ce_internal:2"
#define VA	0x10000000ULL
#define PAGE(n)	(VA + (n) * 4096ULL)
#define OTHER	(FAKE_INSTANCE - 4096)

static void sw_word(struct fake_channel *ch, unsigned int subch, u32 method, u32 data)
{
	fake_word(ch, FIELD_PREP(HOST_HDR_OP, HOST_HDR_OP_INC) | FIELD_PREP(HOST_HDR_COUNT, 1) |
		      FIELD_PREP(HOST_HDR_SUBCH, subch) | FIELD_PREP(HOST_HDR_METHOD, method / 4));
	fake_word(ch, data);
}

static void sw_method(struct fake_channel *ch, u32 method, u32 data)
{
	sw_word(ch, HOST_SUBCH_SW, method, data);
}

static void sw_channel(struct kunit *test, struct fake_device *dev, struct fake_channel *ch)
{
	fake_channel_open(test, dev, ch, RM_ENGINE_CE_INTERNAL);
	sw_method(ch, HOST_SET_OBJECT, SW_CLASS);
}

static void sw_cancel(struct fake_channel *ch, u64 instance, u32 c)
{
	sw_method(ch, SW_FAULT_CANCEL_A, lower_32_bits(instance));
	sw_method(ch, SW_FAULT_CANCEL_B, upper_32_bits(instance));
	sw_method(ch, SW_FAULT_CANCEL_C, c);
	fake_submit(ch);
	fake_run(10000);
}

static u32 sw_client(unsigned int gpc, unsigned int client)
{
	return FIELD_PREP(SW_FAULT_CANCEL_C_GPC, gpc) |
	       FIELD_PREP(SW_FAULT_CANCEL_C_CLIENT, client);
}

/* The encoding, as the published class header has it. */
static void sw_encoding(struct kunit *test)
{
	KUNIT_EXPECT_EQ(test, 0xc076, SW_CLASS);
	KUNIT_EXPECT_EQ(test, 5, HOST_SUBCH_SW);
	KUNIT_EXPECT_EQ(test, 0x104, SW_FAULT_CANCEL_A);
	KUNIT_EXPECT_EQ(test, 0x110, SW_CLEAR_FAULTED_A);
	KUNIT_EXPECT_EQ(test, 3 << 6 | 17, sw_client(3, 17));
	KUNIT_EXPECT_EQ(test, 1U << 30, FIELD_PREP(SW_FAULT_CANCEL_C_MODE, SW_CANCEL_GLOBAL));
	KUNIT_EXPECT_EQ(test, 4, SW_CLEAR_FAULTED_A_TYPE);
}

struct sw_bind_case {
	const char *name;
	u8 subch;
	u32 class;
	u32 method;
	u32 error;
};

static const struct sw_bind_case sw_bind_cases[] = {
	{ "no operation", 5, SW_CLASS, SW_NOP, 0 },
	{ "no class", 0, CE_CLASS, SW_NOP, RM_CHANNEL_ERR_CLASS },
	{ "copy class on 5", 5, CE_CLASS, SW_NOP, RM_CHANNEL_ERR_CLASS },
	{ "on the host's subchannel", 0, SW_CLASS, SW_NOP, RM_CHANNEL_ERR_CLASS },
	{ "on the copy engine's", 4, SW_CLASS, SW_NOP, RM_CHANNEL_ERR_CLASS },
	{ "on another", 6, SW_CLASS, SW_NOP, RM_CHANNEL_ERR_CLASS },
	{ "unknown method", 5, SW_CLASS, 0x118, RM_CHANNEL_ERR_METHOD },
	{ "copy engine's method", 5, SW_CLASS, CE_LAUNCH_DMA, RM_CHANNEL_ERR_METHOD },
};

static void sw_bind_desc(const struct sw_bind_case *c, char *desc)
{
	strscpy(desc, c->name, KUNIT_PARAM_DESC_SIZE);
}

KUNIT_ARRAY_PARAM(sw_bind, sw_bind_cases, sw_bind_desc);

static void sw_bind(struct kunit *test)
{
	const struct sw_bind_case *c = test->param_value;
	struct fake_device *dev = fake_device_create(test, SET);
	struct fake_channel ch;

	fake_channel_open(test, dev, &ch, RM_ENGINE_CE_INTERNAL);
	sw_word(&ch, c->subch, HOST_SET_OBJECT, c->class);
	sw_method(&ch, c->method, 0);
	fake_submit(&ch);
	fake_run(1000);
	KUNIT_EXPECT_EQ(test, c->error, *ch.info->error);
}

struct sw_operand_case {
	const char *name;
	bool clear;
	u32 a, b, c;
	bool good;
};

#define CANCEL(name, a, b, c, good)	{ name, false, a, b, c, good }
#define CLEAR(name, a, b, good)		{ name, true, a, b, 0, good }
#define MODE(m)				((u32)(m) << 30)
#define CLIENT(gpc, client)		((gpc) << 6 | (client))

static const struct sw_operand_case sw_operand_cases[] = {
	CANCEL("cancel", FAKE_INSTANCE, 0, 0, true),
	CANCEL("cancel, nobody's instance", OTHER, 0, 0, true),
	CANCEL("cancel, aperture 1", FAKE_INSTANCE | 1, 0, 0, false),
	CANCEL("cancel, system memory", FAKE_INSTANCE | SW_INST_SYS_COH, 0, 0, false),
	CANCEL("cancel, incoherent", FAKE_INSTANCE | SW_INST_SYS_NCOH, 0, 0, false),
	CANCEL("cancel, bit 2", FAKE_INSTANCE | 4, 0, 0, false),
	CANCEL("cancel, bit 11", FAKE_INSTANCE | 2048, 0, 0, false),
	CANCEL("cancel, behind memory", FAKE_INSTANCE + 4096, 0, 0, false),
	CANCEL("cancel, far behind", FAKE_INSTANCE, 1, 0, false),
	CANCEL("cancel, last client", FAKE_INSTANCE, 0, CLIENT(0, 3), true),
	CANCEL("cancel, client of the next GPC", FAKE_INSTANCE, 0, CLIENT(0, 4), false),
	CANCEL("cancel, last GPC's last", FAKE_INSTANCE, 0, CLIENT(1, 2), true),
	CANCEL("cancel, no such SM", FAKE_INSTANCE, 0, CLIENT(1, 3), false),
	CANCEL("cancel, no such GPC", FAKE_INSTANCE, 0, CLIENT(2, 0), false),
	CANCEL("cancel, last there could be", FAKE_INSTANCE, 0, CLIENT(31, 63), false),
	CANCEL("cancel, bit 11 of C", FAKE_INSTANCE, 0, 2048, false),
	CANCEL("cancel, bit 29 of C", FAKE_INSTANCE, 0, 1 << 29, false),
	CANCEL("cancel global", FAKE_INSTANCE, 0, MODE(1), true),
	CANCEL("cancel global, client is nothing", FAKE_INSTANCE, 0, MODE(1) | CLIENT(31, 63),
	       true),
	CANCEL("cancel global, aperture 1", FAKE_INSTANCE | 1, 0, MODE(1), false),
	CANCEL("cancel, mode 2", FAKE_INSTANCE, 0, MODE(2), false),
	CANCEL("cancel, mode 3", FAKE_INSTANCE, 0, MODE(3), false),
	CLEAR("clear", FAKE_INSTANCE | 4, 0, true),
	CLEAR("clear, nobody's instance", OTHER | 4, 0, true),
	CLEAR("clear, PBDMA", FAKE_INSTANCE, 0, false),
	CLEAR("clear, aperture 1", FAKE_INSTANCE | 4 | 1, 0, false),
	CLEAR("clear, system memory", FAKE_INSTANCE | 4 | SW_INST_SYS_COH, 0, false),
	CLEAR("clear, bit 3", FAKE_INSTANCE | 4 | 8, 0, false),
	CLEAR("clear, behind memory", (FAKE_INSTANCE + 4096) | 4, 0, false),
	CLEAR("clear, far behind", FAKE_INSTANCE | 4, U32_MAX, false),
};

static void sw_operand_desc(const struct sw_operand_case *c, char *desc)
{
	strscpy(desc, c->name, KUNIT_PARAM_DESC_SIZE);
}

KUNIT_ARRAY_PARAM(sw_operand, sw_operand_cases, sw_operand_desc);

/* Operands that mean nothing are a channel error; an instance may have gone, which is none. */
static void sw_operand(struct kunit *test)
{
	const struct sw_operand_case *c = test->param_value;
	struct fake_device *dev = fake_device_create(test, SET);
	struct fake_channel ch;

	sw_channel(test, dev, &ch);
	sw_method(&ch, c->clear ? SW_CLEAR_FAULTED_A : SW_FAULT_CANCEL_A, c->a);
	sw_method(&ch, c->clear ? SW_CLEAR_FAULTED_B : SW_FAULT_CANCEL_B, c->b);
	if (!c->clear)
		sw_method(&ch, SW_FAULT_CANCEL_C, c->c);
	fake_submit(&ch);
	fake_run(1000);
	KUNIT_EXPECT_EQ(test, c->good ? 0 : RM_CHANNEL_ERR_METHOD, *ch.info->error);
	KUNIT_EXPECT_EQ(test, c->good ? 1 : 0, *ch.info->gp_get);
}

static void sw_forget(struct fake_device *dev, unsigned int count)
{
	while (count--)
		sgpu_mmu_forget(&dev->gpu, &dev->accesses[count].access);
}

/* Another context on the same tables. */
static struct sgpu_address_space *sw_other(struct kunit *test, struct fake_device *dev)
{
	struct sgpu_address_space *other = kunit_kzalloc(test, sizeof(*other), GFP_KERNEL);

	KUNIT_ASSERT_NOT_NULL(test, other);
	*other = dev->as;
	other->instance = OTHER;
	return other;
}

static void sw_issue_other(struct fake_device *dev, unsigned int i, unsigned int sm,
			   struct sgpu_address_space *other)
{
	struct sgpu_access *a = &dev->accesses[i].access;

	memset(&dev->accesses[i], 0, sizeof(dev->accesses[i]));
	a->as = other;
	a->va = PAGE(1);
	a->sm = sm;
	sgpu_mmu_request(&dev->gpu, a, sgpu_now_ps());
}

/* Which SMs' accesses end, for a mode and client. */
struct sw_cancel_case {
	const char *name;
	u32 c;
	bool ends[7];
};

static const struct sw_cancel_case sw_cancel_cases[] = {
	{ "first client", CLIENT(0, 0), { true, true } },
	{ "other client of its uTLB", CLIENT(0, 1), { true, true } },
	{ "other uTLB", CLIENT(0, 2), { false, false, true, true } },
	{ "other GPC", CLIENT(1, 1), { false, false, false, false, true, true } },
	{ "uTLB with one SM", CLIENT(1, 2), { [6] = true } },
	{ "global", MODE(1), { true, true, true, true, true, true, true } },
};

static void sw_cancel_desc(const struct sw_cancel_case *c, char *desc)
{
	strscpy(desc, c->name, KUNIT_PARAM_DESC_SIZE);
}

KUNIT_ARRAY_PARAM(sw_cancel, sw_cancel_cases, sw_cancel_desc);

/* A uTLB's faults of one instance end, whatever their page and class. */
static void sw_cancels(struct kunit *test)
{
	static const u8 kinds[] = { SGPU_READ, SGPU_WRITE, SGPU_ATOMIC, SGPU_PREFETCH };
	const struct sw_cancel_case *c = test->param_value;
	struct fake_device *dev = fake_device_create(test, SET);
	struct sgpu_address_space *other = sw_other(test, dev);
	struct fake_channel ch;
	unsigned int i;

	sw_channel(test, dev, &ch);
	for (i = 0; i < 7; i++)
		fake_issue(dev, i, i, PAGE(i), kinds[i % 4]);
	for (i = 0; i < 7; i++)
		sw_issue_other(dev, 7 + i, i, other);
	fake_run(10000);
	sw_cancel(&ch, FAKE_INSTANCE, c->c);
	KUNIT_EXPECT_EQ(test, 0, *ch.info->error);
	for (i = 0; i < 7; i++) {
		KUNIT_EXPECT_EQ_MSG(test, c->ends[i], dev->accesses[i].cancelled, "SM %u", i);
		KUNIT_EXPECT_EQ(test, c->ends[i] ? EFAULT : 0, dev->accesses[i].error);
		KUNIT_EXPECT_FALSE(test, dev->accesses[7 + i].cancelled);
	}
	sw_forget(dev, 14);
}

/* What has no entry has not faulted: it gets one that is free now, and its own record. */
static void sw_cancel_waiting(struct kunit *test)
{
	struct fake_device *dev = fake_device_create(test, SET);
	struct fake_channel ch;
	unsigned int i;

	sw_channel(test, dev, &ch);
	for (i = 0; i < 6; i++)
		fake_issue(dev, i, 0, PAGE(i), SGPU_READ);
	fake_run(10000);
	KUNIT_EXPECT_EQ(test, 4, dev->gpu.mmu.faults);
	sw_cancel(&ch, FAKE_INSTANCE, sw_client(0, 0));
	for (i = 0; i < 6; i++)
		KUNIT_EXPECT_EQ_MSG(test, i < 4, dev->accesses[i].cancelled, "%u", i);
	KUNIT_EXPECT_EQ(test, 6, dev->gpu.mmu.faults);
	KUNIT_EXPECT_EQ(test, 2, dev->gpu.mmu.waiting);
	sw_cancel(&ch, FAKE_INSTANCE, sw_client(0, 0));
	KUNIT_EXPECT_TRUE(test, dev->accesses[4].cancelled && dev->accesses[5].cancelled);
	KUNIT_EXPECT_EQ(test, 0, dev->gpu.mmu.waiting);
	sw_forget(dev, 6);
}

/*
 * An access that was issued since the driver last moved GET may be that of a later launch:
 * no cancel ends it, and it gets a record of its own.
 */
static void sw_cancel_later(struct kunit *test)
{
	struct fake_device *dev = fake_device_create(test, SET);
	struct fake_channel ch;
	unsigned int mode, i;

	for (mode = SW_CANCEL_TARGETED; mode <= SW_CANCEL_GLOBAL; mode++) {
		u64 faults = dev->gpu.mmu.faults;

		sw_channel(test, dev, &ch);
		fake_issue(dev, 0, 0, PAGE(0), SGPU_READ);
		fake_run(10000);
		rm_reg_write(&dev->gpu, REG_FAULT_GET, rm_reg_read(&dev->gpu, REG_FAULT_PUT));
		fake_issue(dev, 1, 0, PAGE(0) + 8, SGPU_READ);
		fake_issue(dev, 2, 0, PAGE(1), SGPU_READ);
		fake_run(10000);
		sw_cancel(&ch, FAKE_INSTANCE, FIELD_PREP(SW_FAULT_CANCEL_C_MODE, mode));
		for (i = 0; i < 3; i++)
			KUNIT_EXPECT_EQ_MSG(test, !i, dev->accesses[i].cancelled, "%u", i);
		KUNIT_EXPECT_EQ(test, faults + 3, dev->gpu.mmu.faults);
		rm_reg_write(&dev->gpu, REG_FAULT_GET, rm_reg_read(&dev->gpu, REG_FAULT_PUT));
		sw_cancel(&ch, FAKE_INSTANCE, FIELD_PREP(SW_FAULT_CANCEL_C_MODE, mode));
		for (i = 0; i < 3; i++)
			KUNIT_EXPECT_TRUE(test, dev->accesses[i].cancelled);
	}
}

/* A copy between two addresses that have no translation. */
static void sw_fault(struct fake_channel *ch)
{
	fake_method(ch, CE_OFFSET_IN_UPPER, 0);
	fake_method(ch, CE_OFFSET_IN_LOWER, PAGE(0));
	fake_method(ch, CE_OFFSET_OUT_UPPER, 0);
	fake_method(ch, CE_OFFSET_OUT_LOWER, PAGE(1));
	fake_method(ch, CE_LINE_LENGTH_IN, 64);
	fake_method(ch, CE_LAUNCH_DMA, CE_TRANSFER_NON_PIPELINED | CE_LAUNCH_SRC_PITCH |
				       CE_LAUNCH_DST_PITCH);
	fake_submit(ch);
	fake_run(10000);
}

static void sw_clear(struct fake_channel *ch, u64 instance)
{
	sw_method(ch, SW_CLEAR_FAULTED_A, lower_32_bits(instance) | SW_CLEAR_FAULTED_A_TYPE);
	sw_method(ch, SW_CLEAR_FAULTED_B, upper_32_bits(instance));
	fake_submit(ch);
	fake_run(10000);
}

/*
 * Faulted channels of the instance go on, if the driver has heard of their faults, and fault
 * again: nothing is mapped.
 */
static void sw_clears(struct kunit *test)
{
	struct fake_device *dev = fake_device_create(test, SET);
	struct sgpu_non_replayable *nr = &dev->gpu.non_replayable;
	struct fake_channel driver, ch[3];
	struct sgpu_address_space *other = sw_other(test, dev);
	u32 rec[FAULT_RECORD_WORDS];
	unsigned int i;

	sw_channel(test, dev, &driver);
	for (i = 0; i < 3; i++) {
		fake_channel_open_as(test, dev, &ch[i], RM_ENGINE_CE_INTERNAL,
				     i < 2 ? &dev->as : other);
		sw_fault(&ch[i]);
	}
	KUNIT_EXPECT_EQ(test, 3, nr->faults);
	sw_clear(&driver, FAKE_INSTANCE);
	KUNIT_EXPECT_EQ(test, 0, nr->cleared);
	KUNIT_EXPECT_TRUE(test, rm_nonreplayable_get(&dev->gpu, rec));
	sw_clear(&driver, OTHER);
	KUNIT_EXPECT_EQ(test, 0, nr->cleared);
	sw_clear(&driver, FAKE_INSTANCE);
	KUNIT_EXPECT_EQ(test, 1, nr->cleared);
	KUNIT_EXPECT_EQ(test, 4, nr->faults);
	/* it has faulted again since */
	sw_clear(&driver, FAKE_INSTANCE);
	KUNIT_EXPECT_EQ(test, 1, nr->cleared);
	for (i = 0; i < 3; i++)
		KUNIT_EXPECT_TRUE(test, rm_nonreplayable_get(&dev->gpu, rec));
	sw_clear(&driver, FAKE_INSTANCE);
	KUNIT_EXPECT_EQ(test, 3, nr->cleared);
	KUNIT_EXPECT_EQ(test, 6, nr->faults);
	KUNIT_EXPECT_EQ(test, 2, nr->count);
	KUNIT_EXPECT_EQ(test, 0, *driver.info->error);
}

/* By its id a channel goes on though nobody has read its record, which stays one. */
static void sw_clear_unread(struct kunit *test)
{
	struct fake_device *dev = fake_device_create(test, SET);
	struct sgpu_non_replayable *nr = &dev->gpu.non_replayable;
	u32 rec[FAULT_RECORD_WORDS];
	struct fake_channel driver, ch;

	sw_channel(test, dev, &driver);
	fake_channel_open_as(test, dev, &ch, RM_ENGINE_CE_INTERNAL, &dev->as);
	sw_fault(&ch);
	fake_method(&driver, HOST_CLEAR_FAULTED,
		    FIELD_PREP(HOST_CLEAR_FAULTED_CHID, ch.rm->chid) | HOST_CLEAR_FAULTED_TYPE);
	fake_submit(&driver);
	fake_run(10000);
	KUNIT_EXPECT_EQ(test, 2, nr->faults);
	KUNIT_EXPECT_EQ(test, 1, nr->count);
	KUNIT_EXPECT_TRUE(test, rm_nonreplayable_get(&dev->gpu, rec));
	KUNIT_EXPECT_FALSE(test, rm_nonreplayable_pending(&dev->gpu));
}

static struct kunit_case sw_method_kunit_cases[] = {
	KUNIT_CASE(sw_encoding),
	KUNIT_CASE_PARAM(sw_bind, sw_bind_gen_params),
	KUNIT_CASE_PARAM(sw_operand, sw_operand_gen_params),
	KUNIT_CASE_PARAM(sw_cancels, sw_cancel_gen_params),
	KUNIT_CASE(sw_cancel_waiting),
	KUNIT_CASE(sw_cancel_later),
	KUNIT_CASE(sw_clears),
	KUNIT_CASE(sw_clear_unread),
	{}
};

struct kunit_suite softgpu_sw_method_suite = {
	.name = "softgpu_sw_method",
	.test_cases = sw_method_kunit_cases,
};
