// SPDX-License-Identifier: GPL-2.0
/* softgpu profiles: values, sources, and what set= accepts. */
#include <kunit/test.h>
#include "fake_device.h"
#include "softgpu/base/gpu.h"
#include "softgpu/base/profile.h"

struct profile_case {
	const char *profile;
	const char *set;
	int ret;
	enum rm_profile_key key;	/* with ret 0: has this value */
	u64 value;
};

static const struct profile_case profile_cases[] = {
	/* the machines of the papers, see hardware.rst */
	{ "gtx1080ti", NULL, 0, RM_PROFILE_sm_count, 28 },
	{ "gtx1080ti", "", 0, RM_PROFILE_sm_clock_khz, 1481000 },
	{ "titanv", NULL, 0, RM_PROFILE_sm_count, 80 },
	{ "titanv", NULL, 0, RM_PROFILE_utlb_faults, 56 },
	{ "asplos20", NULL, 0, RM_PROFILE_fault_ring_entries, 1024 },
	{ "asplos20", NULL, 0, RM_PROFILE_copy_htod_mbps, 15750 },
	{ "asplos20", NULL, 0, RM_PROFILE_utlb_faults, 1024 },
	{ "asplos20", NULL, 0, RM_PROFILE_miss_bytes, 65536 },
	{ "tcad20", NULL, 0, RM_PROFILE_sm_count, 15 },
	{ "tcad20", NULL, 0, RM_PROFILE_walk_cycles, 8 },
	{ "tcad20", NULL, 0, RM_PROFILE_cost_map_page, 20000 },
	{ "tcad20", NULL, 0, RM_PROFILE_copy_htod_mbps, 16000 },
	{ "date21", NULL, 0, RM_PROFILE_launch_ns, 150000 },
	{ "date21", NULL, 0, RM_PROFILE_block_dispatch_cycles, 0 },
	{ "date21", NULL, 0, RM_PROFILE_utlb_ways, 4096 },
	{ "date21", NULL, 0, RM_PROFILE_walks_in_flight, 4096 },
	{ "date21", NULL, 0, RM_PROFILE_copy_dtoh_mbps, 12850 },
	{ "date21", NULL, 0, RM_PROFILE_remote_requests, 1 },
	{ "date21", NULL, 0, RM_PROFILE_cost_fetch_fault, 0 },
	/* overrides */
	{ "gtx1080ti", "sm_count:4", 0, RM_PROFILE_sm_count, 4 },
	{ "gtx1080ti", "sm_count:0x10", 0, RM_PROFILE_sm_count, 16 },
	{ "gtx1080ti", "sm_count:4,utlb_faults:8", 0, RM_PROFILE_utlb_faults, 8 },
	/* values with names */
	{ "gtx1080ti", NULL, 0, RM_PROFILE_access_counter_stall, 0 },
	{ "titanv", NULL, 0, RM_PROFILE_access_counter_stall, 0 },
	{ "date21", NULL, 0, RM_PROFILE_access_counter_stall, 1 },
	{ "gtx1080ti", NULL, 0, RM_PROFILE_far_faults, SGPU_FAR_FAULTS_REPLAY },
	{ "titanv", NULL, 0, RM_PROFILE_far_faults, SGPU_FAR_FAULTS_REPLAY },
	{ "tcad20", NULL, 0, RM_PROFILE_far_faults, SGPU_FAR_FAULTS_WAIT },
	{ "tcad20", NULL, 0, RM_PROFILE_l2tlb_index, SGPU_TLB_INDEX_XOR },
	{ "date21", NULL, 0, RM_PROFILE_far_faults, SGPU_FAR_FAULTS_WAIT },
	{ "gtx1080ti", "far_faults:wait", 0, RM_PROFILE_far_faults, SGPU_FAR_FAULTS_WAIT },
	{ "tcad20", "far_faults:replay", 0, RM_PROFILE_far_faults, SGPU_FAR_FAULTS_REPLAY },
	{ "gtx1080ti", "l2tlb_index:xor", 0, RM_PROFILE_l2tlb_index, SGPU_TLB_INDEX_XOR },
	{ "gtx1080ti", "l2tlb_index:0", 0, RM_PROFILE_l2tlb_index, SGPU_TLB_INDEX_MODULO },
	{ "gtx1080ti", "far_faults:wai", -EINVAL },
	{ "gtx1080ti", "far_faults:waits", -EINVAL },
	{ "gtx1080ti", "far_faults:replay|wait", -EINVAL },
	{ "gtx1080ti", "far_faults:", -EINVAL },
	{ "gtx1080ti", "far_faults:2", -EINVAL },
	{ "gtx1080ti", "sm_count:wait", -EINVAL },
	/* refused, not corrected */
	{ "gtx1080", NULL, -EINVAL },
	{ "", NULL, -EINVAL },
	{ "gtx1080ti", "nonsense:1", -EINVAL },
	{ "gtx1080ti", "sm_count", -EINVAL },
	{ "gtx1080ti", "sm_count:", -EINVAL },
	{ "gtx1080ti", "sm_count:x", -EINVAL },
	{ "gtx1080ti", "sm_count:-1", -EINVAL },
	{ "gtx1080ti", "sm_count:4 ", -EINVAL },
	{ "gtx1080ti", "sm_count:4,", -EINVAL },
	{ "gtx1080ti", ",", -EINVAL },
	{ "gtx1080ti", "sm_count:0", -EINVAL },
	{ "gtx1080ti", "sm_count:99999999999999999999", -EINVAL },
	{ "gtx1080ti", "sm_count:4,sm_count:5", -EINVAL },
	{ "gtx1080ti", "warps_per_sm:65", -EINVAL },
	{ "gtx1080ti", "utlb_entries:100,utlb_ways:8", -EINVAL },
	{ "gtx1080ti", "l2tlb_ways:7", -EINVAL },
	{ "gtx1080ti", "miss_bytes:12288", -EINVAL },
	{ "gtx1080ti", "l2tlb_ports:17", -EINVAL },
	{ "gtx1080ti", "sm_count:1024,gpc_count:1", -EINVAL },
	{ "gtx1080ti", "shared_bytes_per_block:200000", -EINVAL },
};

static void profile_case_desc(const struct profile_case *c, char *desc)
{
	snprintf(desc, KUNIT_PARAM_DESC_SIZE, "%s %s", c->profile, c->set ?: "-");
}

KUNIT_ARRAY_PARAM(profile, profile_cases, profile_case_desc);

static struct rm_gpu *profile_gpu(struct kunit *test)
{
	struct rm_gpu *gpu = kunit_kzalloc(test, sizeof(*gpu), GFP_KERNEL);

	KUNIT_ASSERT_NOT_NULL(test, gpu);
	return gpu;
}

static void profile_load(struct kunit *test)
{
	const struct profile_case *c = test->param_value;
	struct rm_gpu *gpu = profile_gpu(test);

	KUNIT_ASSERT_EQ(test, c->ret, sgpu_profile_load(gpu, c->profile, c->set));
	if (!c->ret)
		KUNIT_EXPECT_EQ(test, c->value, gpu->profile[c->key]);
}

/* Every number of every profile cites its source or says "assumed". */
static void profile_sources(struct kunit *test)
{
	struct rm_gpu *gpu = profile_gpu(test);
	unsigned int p, key;
	const char *name;
	char set[64];

	for (p = 0; (name = sgpu_profile_name(p)); p++) {
		KUNIT_ASSERT_EQ(test, 0, sgpu_profile_load(gpu, name, NULL));
		for (key = 0; key < RM_PROFILE_COUNT; key++) {
			const char *source = sgpu_profile_source(gpu, key);
			u64 value = gpu->profile[key];

			KUNIT_EXPECT_TRUE(test, source && *source);
			/* The ABI has 160 bytes for it. */
			KUNIT_EXPECT_LT(test, strlen(source), 160);
			/* Its own value is in the range that set= accepts. */
			snprintf(set, sizeof(set), "%s:%llu", sgpu_profile_key(key)->name, value);
			KUNIT_EXPECT_EQ_MSG(test, 0, sgpu_profile_load(gpu, name, set), "%s", set);
			KUNIT_EXPECT_STREQ(test, "set=", sgpu_profile_source(gpu, key));
			KUNIT_ASSERT_EQ(test, 0, sgpu_profile_load(gpu, name, NULL));
		}
	}
}

/* 1 / 1.481 GHz = 675.2 ps; 1 GHz = 1000 ps exactly. */
static void profile_cycle(struct kunit *test)
{
	struct rm_gpu *gpu = profile_gpu(test);

	KUNIT_ASSERT_EQ(test, 0, sgpu_profile_load(gpu, "gtx1080ti", NULL));
	KUNIT_EXPECT_EQ(test, 675, gpu->cycle_ps);
	KUNIT_ASSERT_EQ(test, 0, sgpu_profile_load(gpu, "asplos20", NULL));
	KUNIT_EXPECT_EQ(test, 1000, gpu->cycle_ps);
}

static struct kunit_case profile_kunit_cases[] = {
	KUNIT_CASE_PARAM(profile_load, profile_gen_params),
	KUNIT_CASE(profile_sources),
	KUNIT_CASE(profile_cycle),
	{}
};

struct kunit_suite softgpu_profile_suite = {
	.name = "softgpu_profile",
	.test_cases = profile_kunit_cases,
};
