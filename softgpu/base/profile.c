// SPDX-License-Identifier: GPL-2.0
/*
 * Profiles: which there are (profile_NAME.c), the range of every key, and the parser of set=.
 */
#define pr_fmt(fmt) "softgpu: " fmt

#include <linux/bitmap.h>
#include <linux/kernel.h>
#include <linux/log2.h>
#include <linux/slab.h>
#include <linux/string.h>
#include <linux/time64.h>
#include <kunit/visibility.h>
#include <softgpu/access_counter_format.h>
#include <softgpu/recorder_format.h>
#include "base/gpu.h"
#include "base/profile.h"
#include "base/profile_table.h"
#include "memory/link_types.h"
#include "mmu/access_counter_types.h"
#include "mmu/far_fault_types.h"
#include "mmu/tlb_types.h"

static const struct sgpu_profile * const sgpu_profiles[] = {
	&sgpu_profile_gtx1080ti,
	&sgpu_profile_titanv,
	&sgpu_profile_asplos20,
	&sgpu_profile_tcad20,
	&sgpu_profile_date21,
};

#define ROW(key, least, most) \
	[RM_PROFILE_##key] = { least, most }

/* What set= accepts: the least value and the greatest. */
static const struct {
	u64 min;
	u64 max;
} sgpu_profile_ranges[RM_PROFILE_COUNT] = {
	/* streaming multiprocessors */
	ROW(sm_count, 1, 1024),
	ROW(sm_clock_khz, 1000, 10000000),
	ROW(threads_per_sm, 32, 65536),
	ROW(warps_per_sm, 1, 64),
	ROW(blocks_per_sm, 1, 1024),
	ROW(regs_per_sm, 1024, 16777216),
	ROW(shared_bytes_per_sm, 0, 16777216),
	ROW(shared_bytes_per_block, 0, 16777216),
	ROW(mem_ops_per_warp, 1, 64),
	ROW(quantum_cycles, 1, 1048576),
	ROW(mem_latency_cycles, 0, 1048576),
	ROW(mem_line_cycles, 0, 1048576),
	ROW(shared_latency_cycles, 0, 1048576),
	ROW(double_cycles, 1, 1024),
	ROW(tensor_cycles, 1, 1048576),
	ROW(remote_latency_ns, 0, NSEC_PER_SEC),
	ROW(remote_requests, 1, SGPU_LINK_REQUESTS_MAX),
	ROW(remote_header_bytes, 0, 4096),
	ROW(peer_latency_ns, 0, NSEC_PER_SEC),
	ROW(peer_line_ns, 0, NSEC_PER_SEC),
	ROW(launch_ns, 0, NSEC_PER_SEC),
	ROW(block_dispatch_cycles, 0, 1048576),
	ROW(virtual_thread, 0, 1),
	ROW(extra_blocks_max, 0, 16),
	ROW(extra_blocks, 0, 16),
	ROW(switch_latency_cycles, 0, 1048576),
	ROW(switch_line_cycles, 0, 1048576),
	ROW(switch_state_bytes, 0, 65536),
	ROW(switch_on_memory, 0, 1),
	ROW(switch_patience_us, 1, 1000000),
	ROW(compression_cycles, 0, 1048576),
	/* MMU */
	ROW(gpc_count, 1, 32),
	ROW(sms_per_utlb, 1, 128),
	ROW(utlb_entries, 1, 65536),
	ROW(utlb_ways, 1, 65536),
	ROW(utlb_port_cycles, 0, 1048576),
	ROW(l2tlb_entries, 1, 65536),
	ROW(l2tlb_ways, 1, 65536),
	ROW(l2tlb_cycles, 0, 1048576),
	ROW(l2tlb_ports, 0, SGPU_MMU_L2_PORTS),
	ROW(l2tlb_index, 0, SGPU_TLB_INDEX_XOR),
	ROW(walk_cycles, 0, 1048576),
	ROW(walks_in_flight, 1, 4096),
	ROW(utlb_faults, 1, 1024),
	ROW(far_faults, 0, SGPU_FAR_FAULTS_WAIT),
	/* a power of two */
	ROW(miss_bytes, 4096, 2097152),
	ROW(fault_ring_entries, 2, 524288),
	ROW(access_counters, 128, 65536),
	ROW(access_ring_entries, 2, 524288),
	ROW(access_clear_ns, 0, NSEC_PER_SEC),
	ROW(access_counter_stall, 0, 1),
	ROW(recorder_entries, 1, 65536),
	ROW(recorder_ways, 1, 65536),
	ROW(recorder_pages, 1, 32),
	ROW(recorder_counter_bits, 1, 16),
	ROW(recorder_granules, 1, 1048576),
	ROW(recorder_ring_entries, 2, 1048576),
	ROW(fault_write_ns, 0, NSEC_PER_SEC),
	ROW(interrupt_ns, 0, NSEC_PER_SEC),
	ROW(replay_ns, 0, NSEC_PER_SEC),
	ROW(tlb_invalidate_ns, 0, NSEC_PER_SEC),
	ROW(membar_ns, 0, NSEC_PER_SEC),
	/* host, copy engines, link */
	ROW(doorbell_ns, 0, NSEC_PER_SEC),
	ROW(method_ns, 0, NSEC_PER_SEC),
	ROW(semaphore_ns, 0, NSEC_PER_SEC),
	ROW(ce_htod, 1, 8),
	ROW(ce_dtoh, 1, 8),
	ROW(ce_internal, 1, 8),
	ROW(copy_htod_latency_ns, 0, NSEC_PER_SEC),
	ROW(copy_dtoh_latency_ns, 0, NSEC_PER_SEC),
	ROW(copy_internal_latency_ns, 0, NSEC_PER_SEC),
	ROW(copy_htod_mbps, 1, 100000000),
	ROW(copy_dtoh_mbps, 1, 100000000),
	ROW(copy_internal_mbps, 1, 100000000),
	ROW(link_compression_percent, 100, 1000),
	ROW(peer_link, 0, 2),
	ROW(copy_peer_latency_ns, 0, NSEC_PER_SEC),
	ROW(copy_peer_mbps, 1, 100000000),
	ROW(cpu_link_fast, 0, 1),
	/* driver costs */
	ROW(cost_bh_wake, 0, NSEC_PER_SEC),
	ROW(cost_fetch, 0, NSEC_PER_SEC),
	ROW(cost_fetch_fault, 0, NSEC_PER_SEC),
	ROW(cost_preprocess, 0, NSEC_PER_SEC),
	ROW(cost_preprocess_fault, 0, NSEC_PER_SEC),
	ROW(cost_block, 0, NSEC_PER_SEC),
	ROW(cost_pma, 0, NSEC_PER_SEC),
	ROW(cost_pma_grant, 0, NSEC_PER_SEC),
	ROW(cost_populate_page, 0, NSEC_PER_SEC),
	ROW(cost_cpu_unmap, 0, NSEC_PER_SEC),
	ROW(cost_cpu_unmap_page, 0, NSEC_PER_SEC),
	ROW(cost_copy, 0, NSEC_PER_SEC),
	ROW(cost_copy_page, 0, NSEC_PER_SEC),
	ROW(cost_map, 0, NSEC_PER_SEC),
	ROW(cost_map_page, 0, NSEC_PER_SEC),
	ROW(cost_evict, 0, NSEC_PER_SEC),
	ROW(cost_evict_page, 0, NSEC_PER_SEC),
	/* some cache misses under a lock that is held anyway */
	ROW(cost_policy, 0, NSEC_PER_SEC),
	/* a register read waits for a round trip over the link */
	ROW(cost_accessed, 0, NSEC_PER_SEC),
	ROW(cost_policy_compare, 0, NSEC_PER_SEC),
	ROW(cost_policy_record, 0, NSEC_PER_SEC),
	ROW(cost_policy_classify, 0, NSEC_PER_SEC),
	ROW(cost_counter_clear, 0, NSEC_PER_SEC),
	ROW(cost_replay, 0, NSEC_PER_SEC),
	ROW(cost_flush_fault, 0, NSEC_PER_SEC),
	ROW(cost_cpu_fault, 0, NSEC_PER_SEC),
	ROW(cost_cpu_map_page, 0, NSEC_PER_SEC),
	ROW(cost_ioctl, 0, NSEC_PER_SEC),
	ROW(cost_poll, 0, NSEC_PER_SEC),
	/* suggested driver parameters */
	ROW(uvm_fault_batch_count, 0, 65536),
	ROW(uvm_root_chunk_bytes, 0, 2097152),
	ROW(uvm_pte_max_bytes, 0, 2097152),
};

static const struct sgpu_profile_key sgpu_profile_keys[RM_PROFILE_COUNT] = {
#define X(key_, unit_, what_) \
	[RM_PROFILE_##key_] = { #key_, unit_, what_ },
	RM_PROFILE_KEYS(X)
#undef X
};

const struct sgpu_profile_key *sgpu_profile_key(enum rm_profile_key key)
{
	return &sgpu_profile_keys[key];
}
EXPORT_SYMBOL_IF_KUNIT(sgpu_profile_key);

static const struct sgpu_profile *sgpu_profile_find(const char *name)
{
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(sgpu_profiles); i++)
		if (!strcmp(sgpu_profiles[i]->name, name))
			return sgpu_profiles[i];
	return NULL;
}

const char *sgpu_profile_name(unsigned int index)
{
	return index < ARRAY_SIZE(sgpu_profiles) ? sgpu_profiles[index]->name : NULL;
}
EXPORT_SYMBOL_IF_KUNIT(sgpu_profile_name);

/* One line, which names those that there are. */
static void sgpu_profile_refuse(const char *name)
{
	char known[128];
	unsigned int i;
	int used = 0;

	for (i = 0; i < ARRAY_SIZE(sgpu_profiles); i++)
		used += scnprintf(known + used, sizeof(known) - used, "%s%s", i ? ", " : "",
				  sgpu_profiles[i]->name);
	pr_err("profile: \"%s\" is unknown; there are %s\n", name, known);
}

const char *sgpu_profile_source(const struct rm_gpu *gpu, enum rm_profile_key key)
{
	const struct sgpu_profile *profile = sgpu_profile_find(gpu->profile_name);

	if (test_bit(key, gpu->profile_override))
		return "set=";
	return profile ? profile->values[key].source : "";
}
EXPORT_SYMBOL_IF_KUNIT(sgpu_profile_source);

static int sgpu_profile_find_key(const char *name)
{
	int key;

	for (key = 0; key < RM_PROFILE_COUNT; key++)
		if (!strcmp(sgpu_profile_keys[key].name, name))
			return key;
	return -EINVAL;
}

/* The value that a key's unit gives this name; false: none. */
static bool sgpu_profile_named(int key, const char *text, u64 *value)
{
	const char *name = sgpu_profile_keys[key].unit, *end;

	if (!strchr(name, RM_PROFILE_NAMES))
		return false;
	for (*value = 0; name; (*value)++, name = *end ? end + 1 : NULL) {
		end = strchrnul(name, RM_PROFILE_NAMES);
		if (strlen(text) == end - name && !memcmp(text, name, end - name))
			return true;
	}
	return false;
}

/* One "key:value" of set=. */
static int sgpu_profile_override(struct rm_gpu *gpu, char *item)
{
	char *name = strsep(&item, ":");
	int key = sgpu_profile_find_key(name);
	u64 value;

	if (key < 0) {
		pr_err("set: unknown key \"%s\"\n", name);
		return -EINVAL;
	}
	if (!item || (!sgpu_profile_named(key, item, &value) && kstrtou64(item, 0, &value))) {
		pr_err("set: \"%s\" needs %s\n", name,
		       strchr(sgpu_profile_keys[key].unit, RM_PROFILE_NAMES) ?
		       sgpu_profile_keys[key].unit : "a number");
		return -EINVAL;
	}
	if (value < sgpu_profile_ranges[key].min || value > sgpu_profile_ranges[key].max) {
		pr_err("set: %s:%llu is not in [%llu, %llu]\n", name, value,
		       sgpu_profile_ranges[key].min, sgpu_profile_ranges[key].max);
		return -EINVAL;
	}
	if (__test_and_set_bit(key, gpu->profile_override)) {
		pr_err("set: \"%s\" is given twice\n", name);
		return -EINVAL;
	}
	gpu->profile[key] = value;
	return 0;
}

static int sgpu_profile_override_all(struct rm_gpu *gpu, const char *set)
{
	char *copy, *rest, *item;
	int ret = 0;

	copy = kstrdup(set, GFP_KERNEL);
	if (!copy)
		return -ENOMEM;
	rest = copy;
	while (!ret && (item = strsep(&rest, ",")))
		ret = sgpu_profile_override(gpu, item);
	kfree(copy);
	return ret;
}

static bool sgpu_profile_require(bool ok, const char *what)
{
	if (!ok)
		pr_err("set: %s\n", what);
	return ok;
}

/* What single ranges cannot say. */
static int sgpu_profile_check(struct rm_gpu *gpu)
{
	u64 utlbs = DIV_ROUND_UP(sgpu_prof(gpu, sm_count), sgpu_prof(gpu, sms_per_utlb));
	u64 clients = DIV_ROUND_UP(utlbs, sgpu_prof(gpu, gpc_count)) *
		      sgpu_prof(gpu, sms_per_utlb);
	u64 entries = sgpu_prof(gpu, utlb_entries), l2 = sgpu_prof(gpu, l2tlb_entries);
	bool ok;

	ok = sgpu_profile_require(entries % sgpu_prof(gpu, utlb_ways) == 0,
				  "utlb_entries is not a multiple of utlb_ways") &&
	     sgpu_profile_require(l2 % sgpu_prof(gpu, l2tlb_ways) == 0,
				  "l2tlb_entries is not a multiple of l2tlb_ways") &&
	     sgpu_profile_require(is_power_of_2(sgpu_prof(gpu, miss_bytes)),
				  "miss_bytes is not a power of two") &&
	     sgpu_profile_require(sgpu_prof(gpu, access_counters) %
				  (ACCESS_BANKS * SGPU_COUNTER_WAYS) == 0,
				  "access_counters is not a multiple of 128") &&
	     sgpu_profile_require(is_power_of_2(sgpu_prof(gpu, recorder_pages)),
				  "recorder_pages is not a power of two") &&
	     sgpu_profile_require(sgpu_prof(gpu, recorder_entries) %
				  sgpu_prof(gpu, recorder_ways) == 0 &&
				  sgpu_prof(gpu, recorder_granules) %
				  sgpu_prof(gpu, recorder_ways) == 0,
				  "recorder_ways does not divide recorder_entries or _granules") &&
	     sgpu_profile_require(sgpu_prof(gpu, recorder_pages) *
				  sgpu_prof(gpu, recorder_counter_bits) <= RECORDER_COUNTER_BITS,
				  "recorder_pages of recorder_counter_bits do not fit a record") &&
	     /* the width of a fault record's client field */
	     sgpu_profile_require(clients <= 128, "more than 128 SMs in one GPC") &&
	     sgpu_profile_require(sgpu_prof(gpu, shared_bytes_per_block) <=
				  sgpu_prof(gpu, shared_bytes_per_sm),
				  "shared_bytes_per_block is greater than shared_bytes_per_sm");
	return ok ? 0 : -EINVAL;
}

int sgpu_profile_load(struct rm_gpu *gpu, const char *name, const char *set)
{
	const struct sgpu_profile *profile = sgpu_profile_find(name);
	int key, ret;

	if (!profile) {
		sgpu_profile_refuse(name);
		return -EINVAL;
	}
	gpu->profile_name = profile->name;
	bitmap_zero(gpu->profile_override, RM_PROFILE_COUNT);
	for (key = 0; key < RM_PROFILE_COUNT; key++)
		gpu->profile[key] = profile->values[key].value;
	if (set && *set) {
		ret = sgpu_profile_override_all(gpu, set);
		if (!ret)
			ret = sgpu_profile_check(gpu);
		if (ret)
			return ret;
	}
	gpu->cycle_ps = DIV_ROUND_CLOSEST_ULL(1000000000, sgpu_prof(gpu, sm_clock_khz));
	return 0;
}
EXPORT_SYMBOL_IF_KUNIT(sgpu_profile_load);
