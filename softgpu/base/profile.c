// SPDX-License-Identifier: GPL-2.0
/*
 * Profiles: value, range and source of every key, and the parser of set=.
 *
 * Sources name rows of the published figures; "assumed" means that nobody
 * measured it, a plausible value was taken.
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
#include "base/gpu.h"
#include "base/profile.h"
#include "mmu/access_counter_types.h"

#define SGPU_PROFILES		3

static const char * const sgpu_profile_names[SGPU_PROFILES] = {
	"gtx1080ti", "titanv", "asplos20",
};

/**
 * struct sgpu_profile_row - one key
 * @min: least value accepted
 * @max: greatest value accepted
 * @value: by profile
 * @source: by profile
 */
struct sgpu_profile_row {
	u64 min;
	u64 max;
	u64 value[SGPU_PROFILES];
	const char *source[SGPU_PROFILES];
};

#define SRC_PCIE	"PCIe 3.0 x16"
#define SRC_ASSUMED	"assumed"
#define SRC_HPE	"HPE, machine table"
#define SRC_BATCH	"batch-aware, Table 1"
#define SRC_CC61	"CUDA programming guide, compute capability 6.1"
#define SRC_CC70	"CUDA programming guide, compute capability 7.0"
#define SRC_MEASURED	"measured, GTX 1080 Ti"
#define SRC_ADAPTIVE	"adaptive, GTX 1080 Ti row"
#define SRC_TITANV	"demystifying, Titan V row"
#define SRC_TITANV_FLOOR \
	"demystifying, III-C and III-D: the middle of a floor of 400-600 us, mostly this"
#define SRC_FIT	"fit of measured fault groups, GTX 1080 Ti: share of 14 us"
#define SRC_FIT_PAGE	"fit of measured fault groups, GTX 1080 Ti: share of 0.22 us per page"
#define SRC_AS_1080	"assumed as for GTX 1080 Ti"
#define SRC_BATCH_20US	"batch-aware: half of 20 us fault handling per batch"
#define SRC_BATCH_IN	"batch-aware: within its 20 us per batch"
#define SRC_DRIVER	"measured with the driver's defaults"
#define SRC_VOLTA	"measured, Volta: 56 faults per uTLB"
#define SRC_PEER_CPU	"assumed: the link to the CPU, HtoD; PCIe is what joins peers"
#define SRC_PEER_REMOTE	"assumed as remote_latency_ns"
#define SRC_VT		"batch-aware, 4.1: Virtual Thread is its baseline architecture"
#define SRC_NO_VT	"no published GPU has virtual threads"
#define SRC_SWITCH	"assumed as mem_latency_cycles: saved to GPU memory (batch-aware, 4.1)"
#define SRC_SWITCH_LINE	"assumed as mem_line_cycles: saved to GPU memory (batch-aware, 4.1)"
#define SRC_STATE	"batch-aware, footnote 5: 5 KB of a block of 64 warps"
#define SRC_EXTRA_OFF	"off: the registers decide"
#define SRC_FIG5_OFF	"off: batch-aware, 4.1 switches on page faults; on: its Figure 5"
#define SRC_MISS_4K	"a fault record names a 4K page"
#define SRC_MISS_64K	"batch-aware, Table 1: 64 KB page size"
#define SRC_NO_COMPRESS	"off: none"
#define SRC_QUANTA	"virtual clock study: fixed quanta of 64 cycles"

#define ROW(key, least, most, gtx, gtx_from, titan, titan_from, asplos, asplos_from)	\
	[RM_PROFILE_##key] = {								\
		.min = (least), .max = (most),						\
		.value = { (gtx), (titan), (asplos) },					\
		.source = { gtx_from, titan_from, asplos_from },				\
	}

static const struct sgpu_profile_row sgpu_profile_rows[RM_PROFILE_COUNT] = {
	/* streaming multiprocessors */
	ROW(sm_count, 1, 1024, 28, SRC_ADAPTIVE, 80, SRC_TITANV, 16, SRC_BATCH),
	ROW(sm_clock_khz, 1000, 10000000, 1481000, SRC_ADAPTIVE, 1455000, SRC_TITANV,
	    1000000, SRC_BATCH),
	ROW(threads_per_sm, 32, 65536, 2048, SRC_CC61, 2048, SRC_CC70, 1024, SRC_BATCH),
	ROW(warps_per_sm, 1, 64, 64, SRC_CC61, 64, SRC_CC70, 32, SRC_BATCH),
	ROW(blocks_per_sm, 1, 1024, 32, SRC_CC61, 32, SRC_CC70, 16, SRC_ASSUMED),
	ROW(regs_per_sm, 1024, 16777216, 65536, SRC_CC61, 65536, SRC_CC70, 65536, SRC_BATCH),
	ROW(shared_bytes_per_sm, 0, 16777216, 98304, SRC_CC61, 98304, SRC_CC70,
	    65536, SRC_ASSUMED),
	ROW(shared_bytes_per_block, 0, 16777216, 49152, SRC_CC61, 49152, SRC_CC70,
	    49152, SRC_ASSUMED),
	ROW(mem_ops_per_warp, 1, 64, 16, SRC_ASSUMED, 16, SRC_ASSUMED, 16, SRC_ASSUMED),
	ROW(quantum_cycles, 1, 1048576, 64, SRC_QUANTA, 64, SRC_QUANTA, 64, SRC_QUANTA),
	ROW(mem_latency_cycles, 0, 1048576, 400, SRC_ASSUMED, 400, SRC_ASSUMED, 200, SRC_BATCH),
	ROW(mem_line_cycles, 0, 1048576, 4, SRC_ASSUMED, 4, SRC_ASSUMED, 4, SRC_ASSUMED),
	ROW(shared_latency_cycles, 0, 1048576, 24, SRC_ASSUMED, 24, SRC_ASSUMED, 24, SRC_ASSUMED),
	ROW(tensor_cycles, 1, 1048576, 32, SRC_ASSUMED, 32, SRC_ASSUMED, 32, SRC_ASSUMED),
	ROW(remote_latency_ns, 0, NSEC_PER_SEC, 1200, SRC_ASSUMED, 1200, SRC_ASSUMED,
	    1200, SRC_ASSUMED),
	ROW(remote_line_ns, 0, NSEC_PER_SEC,
	    10, "measured, GTX 1080 Ti: 128 B at link bandwidth", 10, SRC_AS_1080,
	    8, "batch-aware, Table 1: 128 B at link bandwidth"),
	ROW(peer_latency_ns, 0, NSEC_PER_SEC, 1200, SRC_PEER_REMOTE, 1200, SRC_PEER_REMOTE,
	    1200, SRC_PEER_REMOTE),
	ROW(peer_line_ns, 0, NSEC_PER_SEC, 10, SRC_PEER_CPU, 10, SRC_PEER_CPU, 8, SRC_PEER_CPU),
	ROW(launch_ns, 0, NSEC_PER_SEC, 5000, SRC_ASSUMED, 5000, SRC_ASSUMED, 5000, SRC_ASSUMED),
	ROW(block_dispatch_cycles, 0, 1048576, 20, SRC_ASSUMED, 20, SRC_ASSUMED, 20, SRC_ASSUMED),
	ROW(virtual_thread, 0, 1, 0, SRC_NO_VT, 0, SRC_NO_VT, 1, SRC_VT),
	ROW(extra_blocks_max, 0, 16, 4, SRC_ASSUMED, 4, SRC_ASSUMED, 4, SRC_ASSUMED),
	ROW(extra_blocks, 0, 16, 0, SRC_EXTRA_OFF, 0, SRC_EXTRA_OFF, 0, SRC_EXTRA_OFF),
	ROW(switch_latency_cycles, 0, 1048576, 400, SRC_SWITCH, 400, SRC_SWITCH, 200, SRC_SWITCH),
	ROW(switch_line_cycles, 0, 1048576, 4, SRC_SWITCH_LINE, 4, SRC_SWITCH_LINE,
	    4, SRC_SWITCH_LINE),
	ROW(switch_state_bytes, 0, 65536, 80, SRC_STATE, 80, SRC_STATE, 80, SRC_STATE),
	ROW(switch_on_memory, 0, 1, 0, SRC_FIG5_OFF, 0, SRC_FIG5_OFF, 0, SRC_FIG5_OFF),
	ROW(switch_patience_us, 1, 1000000, 1000, SRC_ASSUMED, 1000, SRC_ASSUMED,
	    1000, SRC_ASSUMED),
	ROW(compression_cycles, 0, 1048576, 11, SRC_ASSUMED, 11, SRC_ASSUMED, 11, SRC_ASSUMED),
	/* MMU */
	ROW(gpc_count, 1, 32, 6, "GTX 1080 Ti: 6 GPCs", 6, "Titan V: 6 GPCs", 4, SRC_ASSUMED),
	ROW(sms_per_utlb, 1, 128, 2, SRC_ASSUMED, 2, SRC_ASSUMED,
	    1, "batch-aware, Table 1: one L1 TLB per SM"),
	ROW(utlb_entries, 1, 65536, 128, SRC_HPE, 128, SRC_ASSUMED, 64, SRC_BATCH),
	ROW(utlb_ways, 1, 65536, 8, SRC_ASSUMED, 8, SRC_ASSUMED, 64, SRC_BATCH),
	ROW(utlb_port_cycles, 0, 1048576, 1, SRC_HPE, 1, SRC_HPE, 1, SRC_HPE),
	ROW(l2tlb_entries, 1, 65536, 512, SRC_HPE, 1024, SRC_ASSUMED, 1024, SRC_BATCH),
	ROW(l2tlb_ways, 1, 65536, 16, SRC_HPE, 32, SRC_ASSUMED, 32, SRC_BATCH),
	ROW(l2tlb_cycles, 0, 1048576, 10, SRC_HPE, 10, SRC_HPE, 10, SRC_HPE),
	ROW(walk_cycles, 0, 1048576, 100, SRC_ADAPTIVE, 100, SRC_AS_1080, 100, SRC_ASSUMED),
	ROW(walks_in_flight, 1, 4096, 64, "batch-aware", 64, "batch-aware", 64, SRC_BATCH),
	ROW(utlb_faults, 1, 1024, 56, SRC_VOLTA, 56, SRC_VOLTA,
	    1024, "batch-aware, 5.1: up to 1024 simultaneous page faults, no other limit named"),
	/* a power of two */
	ROW(miss_bytes, 4096, 2097152, 4096, SRC_MISS_4K, 4096, SRC_MISS_4K,
	    65536, SRC_MISS_64K),
	ROW(fault_ring_entries, 2, 524288, 1024, SRC_BATCH, 4096, SRC_ASSUMED, 1024, SRC_BATCH),
	ROW(access_counters, 128, 65536, 4096, SRC_ASSUMED, 4096, SRC_ASSUMED, 4096, SRC_ASSUMED),
	ROW(access_ring_entries, 2, 524288, 1024, SRC_ASSUMED, 1024, SRC_ASSUMED,
	    1024, SRC_ASSUMED),
	ROW(access_clear_ns, 0, NSEC_PER_SEC, 100, SRC_ASSUMED, 100, SRC_ASSUMED,
	    100, SRC_ASSUMED),
	ROW(fault_write_ns, 0, NSEC_PER_SEC, 300, SRC_FIT, 300, SRC_AS_1080, 0, SRC_BATCH_IN),
	ROW(interrupt_ns, 0, NSEC_PER_SEC, 500, SRC_FIT, 500, SRC_AS_1080, 0, SRC_BATCH_IN),
	ROW(replay_ns, 0, NSEC_PER_SEC, 500, SRC_ASSUMED, 500, SRC_ASSUMED, 500, SRC_ASSUMED),
	ROW(tlb_invalidate_ns, 0, NSEC_PER_SEC, 300, SRC_ASSUMED, 300, SRC_ASSUMED,
	    300, SRC_ASSUMED),
	ROW(membar_ns, 0, NSEC_PER_SEC, 150, SRC_ASSUMED, 150, SRC_ASSUMED, 150, SRC_ASSUMED),
	/* host, copy engines, link */
	ROW(doorbell_ns, 0, NSEC_PER_SEC, 300, SRC_ASSUMED, 300, SRC_ASSUMED, 300, SRC_ASSUMED),
	ROW(method_ns, 0, NSEC_PER_SEC, 2, SRC_ASSUMED, 2, SRC_ASSUMED, 2, SRC_ASSUMED),
	ROW(semaphore_ns, 0, NSEC_PER_SEC, 50, SRC_ASSUMED, 50, SRC_ASSUMED, 50, SRC_ASSUMED),
	ROW(ce_htod, 1, 8, 1, SRC_ASSUMED, 1, SRC_ASSUMED, 1, SRC_ASSUMED),
	ROW(ce_dtoh, 1, 8, 1, SRC_ASSUMED, 1, SRC_ASSUMED, 1, SRC_ASSUMED),
	ROW(ce_internal, 1, 8, 1, SRC_ASSUMED, 1, SRC_ASSUMED, 1, SRC_ASSUMED),
	ROW(copy_htod_latency_ns, 0, NSEC_PER_SEC, 900, SRC_MEASURED, 900, SRC_AS_1080,
	    0, "batch-aware: bandwidth only"),
	ROW(copy_dtoh_latency_ns, 0, NSEC_PER_SEC, 550, SRC_MEASURED, 550, SRC_AS_1080,
	    0, "batch-aware: bandwidth only"),
	ROW(copy_internal_latency_ns, 0, NSEC_PER_SEC, 500, SRC_ASSUMED, 500, SRC_ASSUMED,
	    500, SRC_ASSUMED),
	ROW(copy_htod_mbps, 1, 100000000, 12200, SRC_MEASURED, 12200, SRC_AS_1080,
	    15750, SRC_BATCH),
	ROW(copy_dtoh_mbps, 1, 100000000, 12900, SRC_MEASURED, 12900, SRC_AS_1080,
	    15750, SRC_BATCH),
	ROW(copy_internal_mbps, 1, 100000000, 200000, SRC_ASSUMED, 300000, SRC_ASSUMED,
	    200000, SRC_ASSUMED),
	ROW(link_compression_percent, 100, 1000, 100, SRC_NO_COMPRESS, 100, SRC_NO_COMPRESS,
	    100, SRC_NO_COMPRESS),
	/* GeForce 10 and Titan V have no NVLink; over PCIe they can be peers */
	ROW(peer_link, 0, 2, 1, "GTX 1080 Ti: PCIe only", 1, "Titan V: PCIe only",
	    1, SRC_ASSUMED),
	ROW(copy_peer_latency_ns, 0, NSEC_PER_SEC, 900, SRC_PEER_CPU, 900, SRC_PEER_CPU,
	    0, SRC_PEER_CPU),
	ROW(copy_peer_mbps, 1, 100000000, 12200, SRC_PEER_CPU, 12200, SRC_PEER_CPU,
	    15750, SRC_PEER_CPU),
	ROW(cpu_link_fast, 0, 1, 0, SRC_PCIE, 0, SRC_PCIE, 0, SRC_PCIE),
	/* driver costs */
	ROW(cost_bh_wake, 0, NSEC_PER_SEC, 1000, SRC_FIT, 1000, SRC_AS_1080, 0, SRC_BATCH_IN),
	ROW(cost_fetch, 0, NSEC_PER_SEC, 1200, SRC_FIT, 1200, SRC_AS_1080, 10000, SRC_BATCH_20US),
	ROW(cost_fetch_fault, 0, NSEC_PER_SEC, 60, SRC_FIT, 60, SRC_AS_1080, 0, SRC_BATCH_IN),
	ROW(cost_preprocess, 0, NSEC_PER_SEC, 800, SRC_FIT, 800, SRC_AS_1080,
	    10000, SRC_BATCH_20US),
	ROW(cost_preprocess_fault, 0, NSEC_PER_SEC, 40, SRC_FIT, 40, SRC_AS_1080,
	    0, SRC_BATCH_IN),
	ROW(cost_block, 0, NSEC_PER_SEC, 5000, SRC_FIT, 5000, SRC_AS_1080, 0, SRC_BATCH_IN),
	ROW(cost_pma, 0, NSEC_PER_SEC, 1500, SRC_FIT, 1500, SRC_AS_1080, 0, SRC_BATCH_IN),
	ROW(cost_pma_grant, 0, NSEC_PER_SEC, 0, SRC_ASSUMED, 475000, SRC_TITANV_FLOOR,
	    0, SRC_BATCH_IN),
	ROW(cost_populate_page, 0, NSEC_PER_SEC, 70, SRC_FIT_PAGE, 70, SRC_AS_1080,
	    0, SRC_BATCH_IN),
	ROW(cost_cpu_unmap, 0, NSEC_PER_SEC, 1500, SRC_FIT, 1500, SRC_AS_1080, 0, SRC_BATCH_IN),
	ROW(cost_cpu_unmap_page, 0, NSEC_PER_SEC, 70, SRC_FIT_PAGE, 70, SRC_AS_1080,
	    0, SRC_BATCH_IN),
	ROW(cost_copy, 0, NSEC_PER_SEC, 2200, SRC_FIT, 2200, SRC_AS_1080, 0, SRC_BATCH_IN),
	ROW(cost_copy_page, 0, NSEC_PER_SEC, 80, SRC_FIT_PAGE, 80, SRC_AS_1080, 0, SRC_BATCH_IN),
	ROW(cost_map, 0, NSEC_PER_SEC, 1500, SRC_FIT, 1500, SRC_AS_1080, 0, SRC_BATCH_IN),
	ROW(cost_map_page, 0, NSEC_PER_SEC, 20, SRC_ASSUMED, 20, SRC_AS_1080, 0, SRC_BATCH_IN),
	ROW(cost_evict, 0, NSEC_PER_SEC, 3000, SRC_ASSUMED, 3000, SRC_ASSUMED, 0, SRC_BATCH_IN),
	ROW(cost_evict_page, 0, NSEC_PER_SEC, 60, SRC_ASSUMED, 60, SRC_ASSUMED, 0, SRC_BATCH_IN),
	/* some cache misses under a lock that is held anyway */
	ROW(cost_policy, 0, NSEC_PER_SEC, 20, SRC_ASSUMED, 20, SRC_ASSUMED, 20, SRC_ASSUMED),
	/* a register read waits for a round trip over the link */
	ROW(cost_accessed, 0, NSEC_PER_SEC, 1000, SRC_ASSUMED, 1000, SRC_ASSUMED,
	    1000, SRC_ASSUMED),
	ROW(cost_replay, 0, NSEC_PER_SEC, 1800, SRC_FIT, 1800, SRC_AS_1080, 0, SRC_BATCH_IN),
	ROW(cost_flush_fault, 0, NSEC_PER_SEC, 20, SRC_ASSUMED, 20, SRC_ASSUMED, 0, SRC_BATCH_IN),
	ROW(cost_cpu_fault, 0, NSEC_PER_SEC, 3000, SRC_ASSUMED, 3000, SRC_ASSUMED,
	    3000, SRC_ASSUMED),
	ROW(cost_cpu_map_page, 0, NSEC_PER_SEC, 60, SRC_ASSUMED, 60, SRC_ASSUMED,
	    60, SRC_ASSUMED),
	ROW(cost_ioctl, 0, NSEC_PER_SEC, 1000, SRC_ASSUMED, 1000, SRC_ASSUMED, 1000, SRC_ASSUMED),
	ROW(cost_poll, 0, NSEC_PER_SEC, 500, SRC_ASSUMED, 500, SRC_ASSUMED, 500, SRC_ASSUMED),
	/* suggested driver parameters */
	ROW(uvm_fault_batch_count, 0, 65536, 0, SRC_DRIVER, 0, SRC_DRIVER,
	    1024, "batch-aware: a batch is all that the fault buffer holds"),
	ROW(uvm_root_chunk_bytes, 0, 2097152, 0, SRC_DRIVER, 0, SRC_DRIVER,
	    65536, "batch-aware, Table 1: 64 KB pages, evicted one by one"),
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

static int sgpu_profile_find(const char *name)
{
	return match_string(sgpu_profile_names, SGPU_PROFILES, name);
}

const char *sgpu_profile_source(const struct rm_gpu *gpu, enum rm_profile_key key)
{
	int p = sgpu_profile_find(gpu->profile_name);

	if (test_bit(key, gpu->profile_override))
		return "set=";
	return p < 0 ? "" : sgpu_profile_rows[key].source[p];
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

/* One "key:value" of set=. */
static int sgpu_profile_override(struct rm_gpu *gpu, char *item)
{
	const struct sgpu_profile_row *row;
	char *name = strsep(&item, ":");
	int key = sgpu_profile_find_key(name);
	u64 value;

	if (key < 0) {
		pr_err("set: unknown key \"%s\"\n", name);
		return -EINVAL;
	}
	row = &sgpu_profile_rows[key];
	if (!item || kstrtou64(item, 0, &value)) {
		pr_err("set: \"%s\" needs a number\n", name);
		return -EINVAL;
	}
	if (value < row->min || value > row->max) {
		pr_err("set: %s:%llu is not in [%llu, %llu]\n", name, value, row->min, row->max);
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
	     /* the width of a fault record's client field */
	     sgpu_profile_require(clients <= 128, "more than 128 SMs in one GPC") &&
	     sgpu_profile_require(sgpu_prof(gpu, shared_bytes_per_block) <=
				  sgpu_prof(gpu, shared_bytes_per_sm),
				  "shared_bytes_per_block is greater than shared_bytes_per_sm");
	return ok ? 0 : -EINVAL;
}

int sgpu_profile_load(struct rm_gpu *gpu, const char *name, const char *set)
{
	int key, ret, p = sgpu_profile_find(name);

	if (p < 0) {
		pr_err("profile: \"%s\" is unknown\n", name);
		return -EINVAL;
	}
	gpu->profile_name = sgpu_profile_names[p];
	bitmap_zero(gpu->profile_override, RM_PROFILE_COUNT);
	for (key = 0; key < RM_PROFILE_COUNT; key++)
		gpu->profile[key] = sgpu_profile_rows[key].value[p];
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
