// SPDX-License-Identifier: GPL-2.0
/* Registers: the table, what has no register, what cannot be read or written. */
#include <kunit/test.h>
#include "fake_device.h"
#include "softgpu/mmu/accessed.h"
#include "softgpu/mmu/fault_buffer.h"
#include "softgpu/reg_table.h"

#define NONE	U32_MAX
#define ALL	U32_MAX

/* Binary search needs order; a row that does nothing is a slip; capabilities can be had. */
static void reg_table_rows(struct kunit *test)
{
	const struct sgpu_reg *row;
	u32 next = 0;

	for (unsigned int i = 0; (row = sgpu_reg_row(i)); i++) {
		KUNIT_EXPECT_GE_MSG(test, row->reg, next, "row %u", i);
		KUNIT_EXPECT_EQ_MSG(test, 0, row->reg % 4, "row %u", i);
		KUNIT_EXPECT_TRUE_MSG(test, !row->last || row->last > row->reg, "row %u", i);
		KUNIT_EXPECT_TRUE_MSG(test, row->read || row->write, "row %u", i);
		KUNIT_EXPECT_EQ_MSG(test, 0, row->cap & ~SGPU_CAPS, "row %u", i);
		KUNIT_EXPECT_PTR_EQ_MSG(test, row, sgpu_reg_find(row->reg, ALL), "row %u", i);
		next = max(row->reg + 4, row->last + 1);
	}
	KUNIT_EXPECT_GT(test, next, 0);
}

static void reg_table_find(struct kunit *test)
{
	static const struct {
		const char *what;
		u32 reg;
		u32 caps;
		u32 row;
	} cases[] = {
		{ "the first", 0, 0, REG_FAULT_GET },
		{ "a byte within it", 1, ALL, NONE },
		{ "between two groups", REG_FAULT_PREFETCH + 4, ALL, NONE },
		{ "behind the last of a group", REG_SM_COUNT + 8, ALL, NONE },
		{ "it has the capability", REG_SM_LIMIT, REG_CAP_SM_LIMIT, REG_SM_LIMIT },
		{ "it has another one", REG_SM_LIMIT, REG_CAP_OVERSUBSCRIBE, NONE },
		{ "it has all others", REG_OVERSUB_MAX, ALL ^ REG_CAP_OVERSUBSCRIBE, NONE },
		{ "what needs none", REG_EXT_ENABLE, 0, REG_EXT_ENABLE },
		{ "before an array", REG_ACCESSED_2M(0) - 4, ALL, NONE },
		{ "an element", REG_ACCESSED_2M(77), ALL, REG_ACCESSED_2M(0) },
		{ "a byte within it", REG_ACCESSED_2M(77) + 3, ALL, REG_ACCESSED_2M(0) },
		{ "the last", REG_ACCESSED_64K(0) - 4, ALL, REG_ACCESSED_2M(0) },
		{ "the next array", REG_ACCESSED_64K(0), ALL, REG_ACCESSED_64K(0) },
		{ "an array without its capability", REG_ACCESSED_64K(5), 0, NONE },
		{ "the last of all", REG_ACCESSED_LAST, ALL, REG_ACCESSED_64K(0) },
		{ "behind all", REG_ACCESSED_LAST + 1, ALL, NONE },
		{ "the largest offset", U32_MAX, ALL, NONE },
	};

	for (unsigned int i = 0; i < ARRAY_SIZE(cases); i++) {
		const struct sgpu_reg *row = sgpu_reg_find(cases[i].reg, cases[i].caps);
		u32 found = row ? row->reg : NONE;

		KUNIT_EXPECT_EQ_MSG(test, cases[i].row, found, "%s (%x)", cases[i].what,
				    cases[i].reg);
	}
}

/* Everything that has a value, but for the stamps. */
static const u32 readable[] = {
	REG_FAULT_GET, REG_FAULT_PUT, REG_FAULT_SIZE, REG_FAULT_PREFETCH, REG_INTR_PENDING,
	REG_INTR_EN, REG_TIME_LO, REG_TIME_HI, REG_CAPS, REG_EXT_ENABLE,
	REG_ACCESS_COUNTER_CONFIG, REG_ACCESS_COUNTER_GET, REG_ACCESS_COUNTER_PUT,
	REG_ACCESS_COUNTER_SIZE, REG_OVERSUB_LIMIT, REG_OVERSUB_MAX, REG_SM_LIMIT, REG_SM_COUNT,
	REG_RECORDER_CONFIG, REG_RECORDER_BUSY, REG_RECORDER_GET, REG_RECORDER_PUT,
	REG_RECORDER_SIZE, REG_RECORDER_COUNT, REG_RECORDER_LOST,
};

static const u32 writable[] = {
	REG_FAULT_GET, REG_FAULT_PREFETCH, REG_INTR_EN_SET, REG_INTR_EN_CLEAR, REG_EXT_ENABLE,
	REG_ACCESS_COUNTER_CONFIG, REG_ACCESS_COUNTER_GET, REG_OVERSUB_LIMIT, REG_SM_LIMIT,
	REG_ACCESSED_START, REG_RECORDER_CONFIG, REG_RECORDER_TRANSFER, REG_RECORDER_GET,
};

static bool reg_is_in(const u32 *list, unsigned int count, u32 reg)
{
	for (unsigned int i = 0; i < count; i++)
		if (list[i] == reg)
			return true;
	return false;
}

/* regs.h: what is not known reads 0, and what is not known or read only takes no writes. */
static void reg_table_unknown(struct kunit *test)
{
	struct fake_device *dev = fake_device_create(test, "fault_ring_entries:8");
	u32 before[ARRAY_SIZE(readable)];
	unsigned int i;

	fake_run(12345);
	rm_reg_write(&dev->gpu, REG_FAULT_GET, 3);
	rm_reg_write(&dev->gpu, REG_FAULT_PREFETCH, 1);
	rm_reg_write(&dev->gpu, REG_EXT_ENABLE, REG_CAP_ACCESSED);
	sgpu_accessed_mark(&dev->gpu.accessed, 0);
	for (i = 0; i < ARRAY_SIZE(readable); i++)
		before[i] = rm_reg_read(&dev->gpu, readable[i]);
	KUNIT_EXPECT_EQ(test, 3, before[0]);
	KUNIT_EXPECT_EQ(test, 8, before[2]);
	KUNIT_EXPECT_EQ(test, lower_32_bits(sim_now()), before[6]);

	for (u32 reg = 0; reg < 0x1000; reg++) {
		if (!reg_is_in(readable, ARRAY_SIZE(readable), reg))
			KUNIT_EXPECT_EQ_MSG(test, 0, rm_reg_read(&dev->gpu, reg), "%x", reg);
		if (!reg_is_in(writable, ARRAY_SIZE(writable), reg))
			rm_reg_write(&dev->gpu, reg, U32_MAX);
	}
	rm_reg_write(&dev->gpu, REG_ACCESSED_2M(0), U32_MAX);
	rm_reg_write(&dev->gpu, REG_ACCESSED_LAST + 1, U32_MAX);
	for (i = 0; i < ARRAY_SIZE(readable); i++)
		KUNIT_EXPECT_EQ_MSG(test, before[i], rm_reg_read(&dev->gpu, readable[i]), "%x",
				    readable[i]);
	/* not cleared: nothing wrote REG_ACCESSED_START */
	KUNIT_EXPECT_NE(test, 0, rm_reg_read(&dev->gpu, REG_ACCESSED_2M(0)));
}

/* A write arrives at its unit: what it changes reads back. */
static void reg_table_write(struct kunit *test)
{
	static const struct {
		u32 reg;
		u32 value;
		u32 shown_by;
		u32 want;
	} cases[] = {
		{ REG_FAULT_GET, 2, REG_FAULT_GET, 2 },
		{ REG_FAULT_GET, 8, REG_FAULT_GET, 2 },
		{ REG_FAULT_PREFETCH, 0, REG_FAULT_PREFETCH, 0 },
		{ REG_FAULT_PREFETCH, 3, REG_FAULT_PREFETCH, 1 },
		{ REG_INTR_EN_SET, U32_MAX, REG_INTR_EN, 15 },
		{ REG_INTR_EN_CLEAR, 2, REG_INTR_EN, 13 },
		{ REG_EXT_ENABLE, U32_MAX, REG_EXT_ENABLE, SGPU_CAPS },
		{ REG_EXT_ENABLE, 0, REG_EXT_ENABLE, 0 },
		{ REG_ACCESS_COUNTER_CONFIG, 7, REG_ACCESS_COUNTER_CONFIG, 7 },
		{ REG_ACCESS_COUNTER_GET, 1, REG_ACCESS_COUNTER_GET, 1 },
		{ REG_SM_LIMIT, 5, REG_SM_LIMIT, 5 },
		{ REG_OVERSUB_LIMIT, 0, REG_OVERSUB_LIMIT, 0 },
		{ REG_RECORDER_CONFIG, 0x71, REG_RECORDER_CONFIG, 0x71 },
		{ REG_RECORDER_GET, 5, REG_RECORDER_GET, 5 },
	};
	static const char set[] = "fault_ring_entries:8,access_counter_stall:1";
	struct fake_device *dev = fake_device_create(test, set);
	u32 most;

	for (unsigned int i = 0; i < ARRAY_SIZE(cases); i++) {
		rm_reg_write(&dev->gpu, cases[i].reg, cases[i].value);
		KUNIT_EXPECT_EQ_MSG(test, cases[i].want,
				    rm_reg_read(&dev->gpu, cases[i].shown_by), "row %u", i);
	}
	most = rm_reg_read(&dev->gpu, REG_OVERSUB_MAX);
	rm_reg_write(&dev->gpu, REG_OVERSUB_LIMIT, most + 1);
	KUNIT_EXPECT_EQ(test, most, rm_reg_read(&dev->gpu, REG_OVERSUB_LIMIT));
}

static struct kunit_case reg_table_cases[] = {
	KUNIT_CASE(reg_table_rows),
	KUNIT_CASE(reg_table_find),
	KUNIT_CASE(reg_table_unknown),
	KUNIT_CASE(reg_table_write),
	{}
};

struct kunit_suite softgpu_reg_table_suite = {
	.name = "softgpu_reg_table",
	.test_cases = reg_table_cases,
};
