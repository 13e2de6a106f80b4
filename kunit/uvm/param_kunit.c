// SPDX-License-Identifier: GPL-2.0
/*
 * Parameters: names, defaults, ranges, sources.  Names and defaults are those
 * of nvidia-uvm (section 8 of its inventory), without the prefix uvm_.
 */
#include <kunit/test.h>
#include <linux/uvm.h>
#include "params_fixture.h"
#include "uvm/policy/param.h"
#include "uvm/policy/policy.h"

struct uvm_param_default_case {
	const char *name;
	const char *value;
	const char *choices;	/* NULL: policies, see policy_kunit.c */
	bool run_time;
};

static const struct uvm_param_default_case uvm_param_default_cases[] = {
	/* nvidia-uvm's, same default */
	{ "perf_prefetch_enable", "1", "0|1", true },
	{ "perf_prefetch_threshold", "51", "0...100", true },
	{ "perf_prefetch_min_faults", "1", "1...20", true },
	{ "perf_fault_batch_count", "256", "1...65536", true },
	{ "perf_fault_replay_update_put_ratio", "50", "0...100", true },
	{ "perf_fault_max_batches_per_service", "20", "1...4294967295", true },
	{ "perf_fault_max_throttle_per_service", "5", "1...4294967295", true },
	{ "perf_fault_coalesce", "1", "0|1", true },
	{ "perf_reenable_prefetch_faults_lapse_msec", "1000", "0...3600000", true },
	{ "perf_thrashing_enable", "1", "0|1", true },
	{ "perf_thrashing_threshold", "3", "1...7", true },
	{ "perf_thrashing_pin_threshold", "10", "1...255", true },
	{ "perf_thrashing_lapse_usec", "500", "1...500000", true },
	{ "perf_lapse_vote_threshold", "32", "1...4294967295", true },
	{ "perf_thrashing_nap", "1", "1...100", true },
	{ "perf_thrashing_epoch", "2000", "1...1000000", true },
	{ "perf_thrashing_pin", "300", "0...10000", true },
	{ "perf_thrashing_max_resets", "4", "0...4294967295", true },
	{ "perf_access_counter_migration_enable", "-1", "-1...1", true },
	{ "perf_access_counter_batch_count", "256", "1...65536", false },
	{ "perf_access_counter_threshold", "256", "1...65535", true },
	{ "perf_access_counter_granularity", "2m", "2m|64k", true },
	{ "perf_map_remote_on_native_atomics_fault", "0", "0|1", true },
	{ "fault_force_sysmem", "0", "0|1", true },
	{ "perf_map_remote_on_eviction", "1", "0|1", true },
	{ "perf_migrate_cpu_preunmap_enable", "1", "0|1", true },
	{ "perf_migrate_cpu_preunmap_block_order", "2", "0...10", true },
	{ "perf_pma_batch_nonpinned_order", "6", "0...10", false },
	{ "channel_num_gpfifo_entries", "1024", "32...1048576", false },
	{ "global_oversubscription", "1", "0|1", false },
	{ "cpu_chunk_allocation_sizes", "2166784", "0...2166784", true },
	/* ours */
	{ "perf_prefetch_threshold_min", "1", "0...100", true },
	{ "prefetch_quirks", "0", "0|1", true },
	{ "eviction_seed", "1", "0...4294967295", true },
	{ "eviction_refresh_size", "2m", "2m|64k|4k", true },
	{ "root_chunk_granularity", "2m", "2m|64k|4k", true },
	{ "gpu_memory_limit_kb", "0", "0...4294967295", true },
	{ "pte_max_bytes", "2m", "2m|64k|4k", true },
	{ "fault_origin", "0", "0|1", false },
	{ "cpu_grant_us", "100", "0...1000000", true },
	{ "recorder_replace", "0", "0|1", true },
	{ "recorder_no_fill", "0", "0|1", true },
	{ "hpe_set_pages", "16", "4...32", true },
	{ "hpe_interval", "64", "4...1024", true },
	{ "hpe_transfer", "16", "1...1024", true },
	{ "hpe_ratio1_percent", "30", "0...1000", true },
	{ "hpe_ratio2", "2", "1...1000", true },
	{ "hpe_wrong", "0", "0...1024", true },
	{ "hpe_guard", "0", "0...65536", true },
	{ "hpe_jump", "16", "1...65536", true },
	{ "hpe_history", "4096", "1...4096", true },
	{ "hpe_strategy", "0", "0...2", true },
	{ "hpe_readings", "none", "each_jump|in_all|least|anew|replays|every_walk", true },
	{ "rrip_bits", "2", "1...8", true },
	{ "rrip_distant", "0", "0|1", true },
	{ "rrip_delay", "0", "0...65536", true },
	{ "rrip_frequency", "1", "0|1", true },
	{ "clock_pro_cold", "128", "1...65536", true },
	{ "clock_pro_warm", "1", "0|1", true },
	{ "min_delay", "64", "0...65536", true },
	{ "eviction_free_percent", "5", "1...50", true },
	{ "reserve_lru_percent", "10", "0...90", true },
	{ "adaptive_inversions", "0", "0...100", true },
	{ "adaptive_log_demand", "0", "0|1", true },
	{ "adaptive_mixed_reuse", "0", "0|1", true },
	{ "adaptive_pin", "1", "0|1", true },
	{ "adaptive_penalty", "2", "1...64", true },
	{ "policy", "nvidia", NULL, true },
	{ "replay_policy", "batch_flush", NULL, true },
	{ "prefetch_policy", "tree", NULL, true },
	{ "eviction_policy", "lru", NULL, true },
	{ "residency_policy", "first_touch", NULL, true },
	{ "thrashing_policy", "throttle_pin", NULL, true },
	{ "eviction_timing", "reactive", NULL, true },
	{ "concurrency_policy", "none", NULL, true },
	{ "capacity_compression", "0", "0|1", true },
};

static void uvm_param_default_desc(const struct uvm_param_default_case *c, char *desc)
{
	strscpy(desc, c->name, KUNIT_PARAM_DESC_SIZE);
}

KUNIT_ARRAY_PARAM(uvm_param_default, uvm_param_default_cases, uvm_param_default_desc);

/* Index of a parameter by the list that users see, or -1. */
static int uvm_param_index(const struct uvm_params *params, const char *name,
			   struct uvm_get_param *out)
{
	unsigned int i;

	for (i = 0; !uvm_params_get(params, i, out); i++) {
		if (!strcmp(out->name, name))
			return i;
	}
	return -1;
}

/* What a user may write, in one line. */
static const char *uvm_param_values(const struct uvm_get_param *param, unsigned int index,
				    char *text, size_t size)
{
	struct uvm_get_choice choice = { .param = index };
	size_t at = 0;

	if (!param->choices)
		scnprintf(text, size, "%lld...%lld", param->min, param->max);
	for (; choice.choice < param->choices && !uvm_params_choice(&choice); choice.choice++)
		at += scnprintf(text + at, size - at, "%s%s", choice.choice ? "|" : "",
				choice.name);
	return text;
}

static void uvm_param_default_value(struct kunit *test)
{
	const struct uvm_param_default_case *c = test->param_value;
	struct uvm_params *params = fixture_params(test);
	struct uvm_get_param got = { };
	int index = uvm_param_index(params, c->name, &got);
	char text[64];

	KUNIT_ASSERT_GE(test, index, 0);
	KUNIT_EXPECT_STREQ(test, got.value, c->value);
	if (c->choices)
		KUNIT_EXPECT_STREQ(test, uvm_param_values(&got, index, text, sizeof(text)),
				   c->choices);
	else
		KUNIT_EXPECT_GT(test, got.choices, 0);
	KUNIT_EXPECT_STREQ(test, got.source, "default");
	KUNIT_EXPECT_GT(test, strlen(got.what), 0UL);
	/* The default can be set again, at run time if anything can. */
	KUNIT_EXPECT_EQ(test, uvm_params_set(params, c->name, c->value),
			c->run_time ? 0 : -ENOENT);
	uvm_param_index(params, c->name, &got);
	KUNIT_EXPECT_STREQ(test, got.value, c->value);
	KUNIT_EXPECT_STREQ(test, got.source, c->run_time ? "va_space" : "default");
}

/* UVM_IOC_GET_PARAM: index 0 ... until ENOENT; every parameter is in the table. */
static void uvm_param_list_is_complete(struct kunit *test)
{
	struct uvm_params *params = fixture_params(test);
	struct uvm_get_param got = { };
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(uvm_param_default_cases); i++)
		KUNIT_EXPECT_EQ(test, uvm_params_get(params, i, &got), 0);
	KUNIT_EXPECT_EQ(test, uvm_params_get(params, i, &got), -ENOENT);
	KUNIT_EXPECT_EQ(test, uvm_params_get(params, U32_MAX, &got), -ENOENT);
}

/* UVM_IOC_GET_CHOICE: past the last of either is -ENOENT; every byte is written. */
static void uvm_param_choice_ends(struct kunit *test)
{
	struct uvm_params *params = fixture_params(test);
	struct uvm_get_param got = { };
	struct uvm_get_choice *c = kunit_kzalloc(test, sizeof(*c), GFP_KERNEL);
	size_t from = offsetof(struct uvm_get_choice, feeds);

	KUNIT_ASSERT_NOT_NULL(test, c);
	for (unsigned int i = 0; !uvm_params_get(params, i, &got); i++) {
		for (unsigned int n = 0; n < got.choices; n++) {
			memset(c, 0xa5, sizeof(*c));
			c->param = i;
			c->choice = n;
			KUNIT_EXPECT_EQ(test, uvm_params_choice(c), 0);
			KUNIT_EXPECT_NULL(test, memchr((void *)c + from, 0xa5, sizeof(*c) - from));
			KUNIT_EXPECT_GT_MSG(test, strlen(c->name), 0UL, "%s", got.name);
		}
		c->param = i;
		c->choice = got.choices;
		KUNIT_EXPECT_EQ(test, uvm_params_choice(c), -ENOENT);
		c->choice = U32_MAX;
		KUNIT_EXPECT_EQ(test, uvm_params_choice(c), -ENOENT);
	}
	c->param = UVM_PARAM_COUNT;
	c->choice = 0;
	KUNIT_EXPECT_EQ(test, uvm_params_choice(c), -ENOENT);
}

/* A bundle sets what it says and the default of all else that bundles set; nothing is refused. */
static void uvm_param_bundles(struct kunit *test)
{
	struct uvm_params *params = fixture_params(test);
	const struct uvm_policy *policy;
	struct uvm_get_param got = { };

	for (unsigned int i = 0; (policy = uvm_policy_nth(UVM_POLICY_bundle, i)); i++) {
		const struct uvm_bundle_setting *s =
			container_of(policy, struct uvm_bundle_ops, policy)->settings;

		/* left over from before */
		KUNIT_EXPECT_EQ(test, uvm_params_set(params, "thrashing_policy", "none"), 0);
		KUNIT_EXPECT_EQ(test, uvm_params_set(params, "capacity_compression", "1"), 0);
		KUNIT_EXPECT_EQ(test, uvm_params_set(params, "policy", policy->name), 0);
		KUNIT_EXPECT_STREQ(test, params->thrashing_policy->policy.name, "throttle_pin");
		KUNIT_EXPECT_EQ(test, params->capacity_compression, !strcmp(policy->name, "etc"));
		for (; s->param; s++) {
			KUNIT_ASSERT_GE_MSG(test, uvm_param_index(params, s->param, &got), 0,
					    "%s: %s", policy->name, s->param);
			KUNIT_EXPECT_STREQ(test, got.value, s->value);
			KUNIT_EXPECT_STREQ(test, got.source, "va_space");
			KUNIT_EXPECT_EQ_MSG(test, uvm_params_set(params, s->param, s->value), 0,
					    "%s: %s is not for run time", policy->name, s->param);
		}
	}
	/* alone, behind it */
	KUNIT_EXPECT_EQ(test, uvm_params_set(params, "policy", "batch_aware"), 0);
	KUNIT_EXPECT_EQ(test, uvm_params_set(params, "eviction_timing", "serial"), 0);
	KUNIT_EXPECT_STREQ(test, params->concurrency_policy->policy.name, "oversubscribe");
	KUNIT_EXPECT_EQ(test, uvm_params_set(params, "policy", "tree"), -EINVAL);
}

/* What userspace sent along in the output fields must not come back. */
static void uvm_param_get_writes_every_byte(struct kunit *test)
{
	struct uvm_params *params = fixture_params(test);
	struct uvm_get_param *a = kunit_kzalloc(test, sizeof(*a), GFP_KERNEL);
	struct uvm_get_param *b = kunit_kzalloc(test, sizeof(*b), GFP_KERNEL);
	size_t in = offsetof(struct uvm_get_param, choices);

	KUNIT_ASSERT_NOT_NULL(test, a);
	KUNIT_ASSERT_NOT_NULL(test, b);
	memset((void *)b + in, 0xaa, sizeof(*b) - in);
	KUNIT_EXPECT_EQ(test, uvm_params_get(params, 0, a), 0);
	KUNIT_EXPECT_EQ(test, uvm_params_get(params, 0, b), 0);
	KUNIT_EXPECT_MEMEQ(test, a, b, sizeof(*a));
}

struct uvm_param_set_case {
	const char *rule;
	const char *name;
	const char *value;
	int ret;
};

/* Bad values are refused, never corrected. */
static const struct uvm_param_set_case uvm_param_set_cases[] = {
	{ "a size by name", "root_chunk_granularity", "64k", 0 },
	{ "the least", "root_chunk_granularity", "4k", 0 },
	{ "no chunk has this size", "root_chunk_granularity", "8k", -EINVAL },
	{ "a number", "root_chunk_granularity", "65536", -EINVAL },
	{ "other case", "root_chunk_granularity", "64K", -EINVAL },
	{ "nothing", "root_chunk_granularity", "", -EINVAL },
	{ "some sizes", "cpu_chunk_allocation_sizes", "69632", 0 },
	{ "4K is always among them", "cpu_chunk_allocation_sizes", "0", 0 },
	{ "a size that there is not", "cpu_chunk_allocation_sizes", "8192", -EINVAL },
	{ "more than there are", "cpu_chunk_allocation_sizes", "4194304", -EINVAL },
	{ "lowest", "perf_prefetch_threshold", "0", 0 },
	{ "highest", "perf_prefetch_threshold", "100", 0 },
	{ "above range", "perf_prefetch_threshold", "101", -EINVAL },
	{ "negative", "perf_prefetch_threshold", "-1", -EINVAL },
	{ "sign", "perf_prefetch_threshold", "+5", -EINVAL },
	{ "leading space", "perf_prefetch_threshold", " 5", -EINVAL },
	{ "line end", "perf_prefetch_threshold", "5\n", -EINVAL },
	{ "trailing text", "perf_prefetch_threshold", "5%", -EINVAL },
	{ "hexadecimal", "perf_prefetch_threshold", "0x10", -EINVAL },
	{ "empty", "perf_prefetch_threshold", "", -EINVAL },
	{ "text", "perf_prefetch_threshold", "tree", -EINVAL },
	{ "leading zero is decimal", "perf_prefetch_threshold", "010", 0 },
	{ "more than 32 bits", "perf_fault_max_batches_per_service", "4294967296", -EINVAL },
	{ "more than 64 bits", "perf_fault_max_batches_per_service",
	  "18446744073709551617", -EINVAL },
	{ "32 bits", "perf_fault_max_batches_per_service", "4294967295", 0 },
	{ "no batches", "perf_fault_max_batches_per_service", "0", -EINVAL },
	{ "below range", "perf_prefetch_min_faults", "0", -EINVAL },
	{ "min_faults 1..20", "perf_prefetch_min_faults", "20", 0 },
	{ "min_faults 1..20, not 21", "perf_prefetch_min_faults", "21", -EINVAL },
	{ "empty batches", "perf_fault_batch_count", "0", -EINVAL },
	{ "batches of one", "perf_fault_batch_count", "1", 0 },
	{ "thrashing threshold 1..7", "perf_thrashing_threshold", "0", -EINVAL },
	{ "thrashing threshold 1..7", "perf_thrashing_threshold", "7", 0 },
	{ "thrashing threshold 1..7", "perf_thrashing_threshold", "8", -EINVAL },
	{ "pin threshold 1..255", "perf_thrashing_pin_threshold", "0", -EINVAL },
	{ "pin threshold 1..255", "perf_thrashing_pin_threshold", "255", 0 },
	{ "pin threshold 1..255", "perf_thrashing_pin_threshold", "256", -EINVAL },
	{ "no lapse", "perf_thrashing_lapse_usec", "0", -EINVAL },
	{ "half a second", "perf_thrashing_lapse_usec", "500000", 0 },
	{ "more, for the clock is everybody's", "perf_thrashing_lapse_usec", "500001", -EINVAL },
	{ "32 bits of us", "perf_thrashing_lapse_usec", "4294967295", -EINVAL },
	{ "an hour and a half", "perf_thrashing_pin", "10000", 0 },
	{ "a longer pin that is not for ever", "perf_thrashing_pin", "10001", -EINVAL },
	{ "a longer epoch", "perf_thrashing_epoch", "1000001", -EINVAL },
	{ "an hour without prefetch faults", "perf_reenable_prefetch_faults_lapse_msec",
	  "3600000", 0 },
	{ "more", "perf_reenable_prefetch_faults_lapse_msec", "3600001", -EINVAL },
	{ "a grant of 1 s", "cpu_grant_us", "1000000", 0 },
	{ "a longer one", "cpu_grant_us", "1000001", -EINVAL },
	{ "no votes", "perf_lapse_vote_threshold", "0", -EINVAL },
	{ "nap 1..100", "perf_thrashing_nap", "0", -EINVAL },
	{ "nap 1..100", "perf_thrashing_nap", "100", 0 },
	{ "nap 1..100", "perf_thrashing_nap", "101", -EINVAL },
	{ "no epoch", "perf_thrashing_epoch", "0", -EINVAL },
	{ "pin for ever", "perf_thrashing_pin", "0", 0 },
	{ "no resets", "perf_thrashing_max_resets", "0", 0 },
	{ "thrashing policy", "thrashing_policy", "none", 0 },
	{ "no such thrashing policy", "thrashing_policy", "nvidia", -EINVAL },
	{ "bool", "perf_prefetch_enable", "0", 0 },
	{ "bool is not a number", "perf_prefetch_enable", "2", -EINVAL },
	{ "bool is not a word", "perf_prefetch_enable", "y", -EINVAL },
	{ "negative, where it means something", "perf_access_counter_migration_enable", "-1", 0 },
	{ "int", "perf_access_counter_migration_enable", "1", 0 },
	{ "int above range", "perf_access_counter_migration_enable", "2", -EINVAL },
	{ "int below range", "perf_access_counter_migration_enable", "-2", -EINVAL },
	{ "int with two signs", "perf_access_counter_migration_enable", "--1", -EINVAL },
	{ "int with plus", "perf_access_counter_migration_enable", "+1", -EINVAL },
	{ "a sign alone", "perf_access_counter_migration_enable", "-", -EINVAL },
	{ "int of 2^32 - 1", "perf_access_counter_migration_enable", "4294967295", -EINVAL },
	{ "int, empty", "perf_access_counter_migration_enable", "", -EINVAL },
	{ "threshold 1..65535", "perf_access_counter_threshold", "65535", 0 },
	{ "threshold 1..65535, not 65536", "perf_access_counter_threshold", "65536", -EINVAL },
	{ "granularity 64k", "perf_access_counter_granularity", "64k", 0 },
	{ "granularity, not 4k", "perf_access_counter_granularity", "4k", -EINVAL },
	{ "granularity, not a number", "perf_access_counter_granularity", "65536", -EINVAL },
	{ "threshold 1..65535, not 0", "perf_access_counter_threshold", "0", -EINVAL },
	{ "policy", "replay_policy", "once", 0 },
	{ "unknown policy", "replay_policy", "never", -EINVAL },
	{ "policy by name only", "replay_policy", "2", -EINVAL },
	{ "policy prefix", "replay_policy", "batch_", -EINVAL },
	{ "policy case", "replay_policy", "Batch", -EINVAL },
	{ "no policy", "prefetch_policy", "", -EINVAL },
	{ "another kind's policy", "prefetch_policy", "lru", -EINVAL },
	{ "unknown name", "perf_prefetch", "1", -ENOENT },
	{ "name's case", "PERF_PREFETCH_ENABLE", "1", -ENOENT },
	{ "no name", "", "1", -ENOENT },
	{ "prefix of nvidia-uvm", "uvm_perf_prefetch_enable", "1", -ENOENT },
	{ "fixed at load", "channel_num_gpfifo_entries", "1024", -ENOENT },
};

static void uvm_param_set_desc(const struct uvm_param_set_case *c, char *desc)
{
	strscpy(desc, c->rule, KUNIT_PARAM_DESC_SIZE);
}

KUNIT_ARRAY_PARAM(uvm_param_set, uvm_param_set_cases, uvm_param_set_desc);

static void uvm_param_set_value(struct kunit *test)
{
	const struct uvm_param_set_case *c = test->param_value;
	struct uvm_params *params = fixture_params(test);
	struct uvm_params *before = fixture_params(test);
	struct uvm_get_param got = { };

	KUNIT_EXPECT_EQ(test, uvm_params_set(params, c->name, c->value), c->ret);
	if (c->ret) {
		KUNIT_EXPECT_MEMEQ(test, params, before, sizeof(*params));
		return;
	}
	KUNIT_ASSERT_GE(test, uvm_param_index(params, c->name, &got), 0);
	KUNIT_EXPECT_STREQ(test, got.value, strcmp(c->value, "010") ? c->value : "10");
	KUNIT_EXPECT_STREQ(test, got.source, "va_space");
}

/* A GPFIFO has 2^n entries, 32 ... 2^20. */
static void uvm_param_gpfifo_is_a_power_of_two(struct kunit *test)
{
	static const struct {
		const char *value;
		int ret;
	} rows[] = {
		{ "32", 0 }, { "1048576", 0 }, { "4096", 0 }, { "16", -EINVAL },
		{ "2097152", -EINVAL }, { "1000", -EINVAL }, { "0", -EINVAL },
	};
	struct uvm_params *params = fixture_params(test);
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(rows); i++)
		KUNIT_EXPECT_EQ_MSG(test, rows[i].ret,
				    uvm_params_assign(params,
						      UVM_PARAM_channel_num_gpfifo_entries,
						      rows[i].value, UVM_PARAM_MODULE),
				    "%s", rows[i].value);
	KUNIT_EXPECT_EQ(test, params->channel_num_gpfifo_entries, 4096U);
}

/* Module parameter before profile before default; VA space before all. */
static void uvm_param_stronger_source_wins(struct kunit *test)
{
	static const struct {
		enum uvm_param_source source;
		const char *value;
		int ret;
		u32 then;
		const char *from;
	} rows[] = {
		{ UVM_PARAM_PROFILE, "1024", 0, 1024, "profile" },
		{ UVM_PARAM_DEFAULT, "7", 0, 1024, "profile" },
		{ UVM_PARAM_MODULE, "512", 0, 512, "module" },
		{ UVM_PARAM_PROFILE, "7", 0, 512, "module" },
		{ UVM_PARAM_PROFILE, "0", -EINVAL, 512, "module" },
		{ UVM_PARAM_MODULE, "513", 0, 513, "module" },
		{ UVM_PARAM_VA_SPACE, "64", 0, 64, "va_space" },
		{ UVM_PARAM_MODULE, "7", 0, 64, "va_space" },
		{ UVM_PARAM_VA_SPACE, "65", 0, 65, "va_space" },
	};
	struct uvm_params *params = fixture_params(test);
	struct uvm_get_param got = { };
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(rows); i++) {
		KUNIT_EXPECT_EQ_MSG(test, rows[i].ret,
				    uvm_params_assign(params, UVM_PARAM_perf_fault_batch_count,
						      rows[i].value, rows[i].source),
				    "row %u", i);
		KUNIT_EXPECT_EQ_MSG(test, params->perf_fault_batch_count, rows[i].then,
				    "row %u", i);
		uvm_params_get(params, UVM_PARAM_perf_fault_batch_count, &got);
		KUNIT_EXPECT_STREQ_MSG(test, got.source, rows[i].from, "row %u", i);
	}
}

/* A VA space begins with the module's values and keeps its own changes. */
static void uvm_param_va_spaces_are_separate(struct kunit *test)
{
	struct uvm_params *a = kunit_kzalloc(test, sizeof(*a), GFP_KERNEL);
	struct uvm_params *b = kunit_kzalloc(test, sizeof(*b), GFP_KERNEL);
	u32 threshold = uvm_params_module()->perf_prefetch_threshold;

	KUNIT_ASSERT_NOT_NULL(test, a);
	KUNIT_ASSERT_NOT_NULL(test, b);
	uvm_params_init(a);
	KUNIT_EXPECT_MEMEQ(test, a, uvm_params_module(), sizeof(*a));
	KUNIT_EXPECT_EQ(test, uvm_params_set(a, "perf_prefetch_threshold",
					     threshold == 3 ? "4" : "3"), 0);
	uvm_params_init(b);
	KUNIT_EXPECT_NE(test, a->perf_prefetch_threshold, threshold);
	KUNIT_EXPECT_EQ(test, b->perf_prefetch_threshold, threshold);
	KUNIT_EXPECT_EQ(test, uvm_params_module()->perf_prefetch_threshold, threshold);
}

/* A VA space has a place for a policy's parameter once it sets it, and others have none. */
static void uvm_param_own_values(struct kunit *test)
{
	struct uvm_params *a = fixture_params(test), *b = fixture_params(test);
	struct uvm_get_param got = { };

	KUNIT_EXPECT_NULL(test, a->own);
	KUNIT_EXPECT_EQ(test, uvm_params_set(a, "policy", "pilot"), 0);
	KUNIT_EXPECT_EQ(test, uvm_params_set(a, "min_delay", "65537"), -EINVAL);
	KUNIT_EXPECT_NULL(test, a->own);
	KUNIT_EXPECT_EQ(test, uvm_params_set(a, "min_delay", "3"), 0);
	KUNIT_EXPECT_EQ(test, uvm_params_set(a, "min_delay", "5"), 0);
	KUNIT_ASSERT_NOT_NULL(test, a->own);
	KUNIT_EXPECT_NULL(test, a->own->next);
	KUNIT_EXPECT_NULL(test, b->own);
	uvm_param_index(a, "min_delay", &got);
	KUNIT_EXPECT_STREQ(test, got.value, "5");
	KUNIT_EXPECT_STREQ(test, got.source, "va_space");
	uvm_param_index(b, "min_delay", &got);
	KUNIT_EXPECT_STREQ(test, got.value, "64");
	KUNIT_EXPECT_STREQ(test, got.source, "default");
}

/* A copy keeps what it has, and what was set since goes back to it, or to the module's value. */
static void uvm_param_copies(struct kunit *test)
{
	struct uvm_params *params = fixture_params(test), *before;
	struct uvm_get_param got = { };

	KUNIT_EXPECT_EQ(test, uvm_params_set(params, "min_delay", "3"), 0);
	before = uvm_params_dup(params);
	KUNIT_ASSERT_NOT_NULL(test, before);
	KUNIT_EXPECT_EQ(test, uvm_params_set(params, "min_delay", "4"), 0);
	KUNIT_EXPECT_EQ(test, uvm_params_set(params, "rrip_bits", "5"), 0);
	KUNIT_EXPECT_EQ(test, uvm_params_set(params, "eviction_policy", "min"), 0);
	KUNIT_EXPECT_EQ(test, uvm_params_set(params, "perf_prefetch_threshold", "7"), 0);
	uvm_param_index(before, "min_delay", &got);
	KUNIT_EXPECT_STREQ(test, got.value, "3");
	uvm_params_restore(params, before);
	uvm_param_index(params, "min_delay", &got);
	KUNIT_EXPECT_STREQ(test, got.value, "3");
	uvm_param_index(params, "rrip_bits", &got);
	KUNIT_EXPECT_STREQ(test, got.value, "2");
	KUNIT_EXPECT_STREQ(test, got.source, "default");
	KUNIT_EXPECT_STREQ(test, params->eviction_policy->policy.name, "lru");
	KUNIT_EXPECT_EQ(test, params->perf_prefetch_threshold, 51U);
	KUNIT_EXPECT_EQ(test, params->source[UVM_PARAM_perf_prefetch_threshold],
			UVM_PARAM_DEFAULT);
	uvm_params_put(before);
}

/* A list has each of its words once, in any order, and tells them in theirs. */
static void uvm_param_words(struct kunit *test)
{
	static const struct {
		const char *value;
		const char *told;	/* NULL: refused */
	} rows[] = {
		{ "anew", "anew" }, { "none", "none" }, { "anew+in_all", "in_all+anew" },
		{ "each_jump+in_all+least+anew+replays+every_walk",
		  "each_jump+in_all+least+anew+replays+every_walk" },
		{ "", NULL }, { "anew+", NULL }, { "+anew", NULL }, { "anew+anew", NULL },
		{ "ane", NULL }, { "anew2", NULL }, { "none+anew", NULL }, { "1", NULL },
		{ "anew in_all", NULL }, { "anew,in_all", NULL },
	};
	struct uvm_params *params = fixture_params(test);
	struct uvm_get_param got = { };

	for (unsigned int i = 0; i < ARRAY_SIZE(rows); i++) {
		KUNIT_EXPECT_EQ_MSG(test, uvm_params_set(params, "hpe_readings", rows[i].value),
				    rows[i].told ? 0 : -EINVAL, "%s", rows[i].value);
		uvm_param_index(params, "hpe_readings", &got);
		if (rows[i].told)
			KUNIT_EXPECT_STREQ(test, got.value, rows[i].told);
	}
}

/* Each word is a choice, of no kind of policy, with a sentence. */
static void uvm_param_words_are_choices(struct kunit *test)
{
	struct uvm_get_param got = { };
	struct uvm_get_choice choice = {
		.param = uvm_param_index(fixture_params(test), "hpe_readings", &got),
	};

	KUNIT_EXPECT_EQ(test, uvm_params_choice(&choice), 0);
	KUNIT_EXPECT_STREQ(test, choice.kind, "");
	KUNIT_EXPECT_STREQ(test, choice.name, "each_jump");
	KUNIT_EXPECT_GT(test, strlen(choice.what), 0UL);
}

/* The member is the policy that the name says. */
static void uvm_param_policies_by_name(struct kunit *test)
{
	struct uvm_params *params = fixture_params(test);

	KUNIT_EXPECT_EQ(test, uvm_params_set(params, "replay_policy", "block"), 0);
	KUNIT_EXPECT_EQ(test, uvm_params_set(params, "prefetch_policy", "none"), 0);
	KUNIT_EXPECT_EQ(test, uvm_params_set(params, "eviction_policy", "random"), 0);
	KUNIT_EXPECT_EQ(test, uvm_params_set(params, "residency_policy", "remote"), 0);
	KUNIT_EXPECT_STREQ(test, params->replay_policy->policy.name, "block");
	KUNIT_EXPECT_TRUE(test, params->replay_policy->replay_after_block);
	KUNIT_EXPECT_STREQ(test, params->prefetch_policy->policy.name, "none");
	KUNIT_EXPECT_STREQ(test, params->eviction_policy->policy.name, "random");
	KUNIT_EXPECT_STREQ(test, params->residency_policy->policy.name, "remote");
}

static struct kunit_case uvm_param_cases[] = {
	KUNIT_CASE_PARAM(uvm_param_default_value, uvm_param_default_gen_params),
	KUNIT_CASE(uvm_param_list_is_complete),
	KUNIT_CASE(uvm_param_bundles),
	KUNIT_CASE(uvm_param_choice_ends),
	KUNIT_CASE(uvm_param_get_writes_every_byte),
	KUNIT_CASE_PARAM(uvm_param_set_value, uvm_param_set_gen_params),
	KUNIT_CASE(uvm_param_gpfifo_is_a_power_of_two),
	KUNIT_CASE(uvm_param_stronger_source_wins),
	KUNIT_CASE(uvm_param_va_spaces_are_separate),
	KUNIT_CASE(uvm_param_own_values),
	KUNIT_CASE(uvm_param_copies),
	KUNIT_CASE(uvm_param_words),
	KUNIT_CASE(uvm_param_words_are_choices),
	KUNIT_CASE(uvm_param_policies_by_name),
	{ }
};

struct kunit_suite uvm_param_suite = {
	.name = "uvm_param",
	.test_cases = uvm_param_cases,
};
