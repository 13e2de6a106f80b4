// SPDX-License-Identifier: GPL-2.0
/*
 * Profile date21: the machine of the adaptive framework (DATE 2021), a GTX 1080 Ti as the authors'
 * simulator (gpgpu-sim_UVMSmart) is shipped to have it.
 *
 * Work of the driver takes no time: 45 us for each fault are added to the time of a run when it has
 * ended, as the authors do.
 */
#include "base/profile_table.h"

#define SRC_CONFIG	"adaptive's simulator, its GTX 1080 Ti"
#define SRC_DIRECT	"adaptive's simulator: 200 cycles, one access at a time"
#define SRC_TLB		"adaptive's simulator: 4096 entries for each SM, any for any page, 1 cycle"
#define SRC_NO_L2	"adaptive's simulator: there is none"
#define SRC_NO_LIMIT	"adaptive's simulator: no limit; the most that there can be"
#define SRC_LINK	"fit of adaptive's simulator, 24 / pi * atan(0.07292 KB) GiB/s, 20 KB to 2 MB"
#define SRC_AFTER	"adaptive's simulator: 45 us per fault are added afterwards, and are all"
#define SRC_1080TI	"as gtx1080ti: nothing is said of it"

const struct sgpu_profile sgpu_profile_date21 = {
	.name = "date21",
	.values = {
		/* streaming multiprocessors */
		[RM_PROFILE_sm_count] = { 28, SRC_CONFIG },
		[RM_PROFILE_sm_clock_khz] = { 1481000, SRC_CONFIG },
		[RM_PROFILE_threads_per_sm] = { 2048, SRC_CONFIG },
		[RM_PROFILE_warps_per_sm] = { 64, SRC_CONFIG },
		[RM_PROFILE_blocks_per_sm] = { 32, SRC_CONFIG },
		[RM_PROFILE_regs_per_sm] = { 65536, SRC_CONFIG },
		[RM_PROFILE_shared_bytes_per_sm] = { 98304, SRC_CONFIG },
		[RM_PROFILE_shared_bytes_per_block] = { 49152, SRC_CONFIG },
		[RM_PROFILE_mem_ops_per_warp] = { 16, SRC_1080TI },
		[RM_PROFILE_quantum_cycles] = { 64, SRC_1080TI },
		[RM_PROFILE_mem_latency_cycles] = {
			400, "assumed: 120 + 100 cycles in adaptive's simulator, and its network",
		},
		[RM_PROFILE_mem_line_cycles] = { 4, SRC_1080TI },
		[RM_PROFILE_shared_latency_cycles] = { 24, SRC_1080TI },
		[RM_PROFILE_double_cycles] = { 8, SRC_1080TI },
		[RM_PROFILE_tensor_cycles] = { 32, SRC_1080TI },
		[RM_PROFILE_remote_latency_ns] = { 135, SRC_DIRECT },
		[RM_PROFILE_remote_requests] = { 1, SRC_DIRECT },
		[RM_PROFILE_remote_header_bytes] = { 0, SRC_NO_HEADER },
		[RM_PROFILE_peer_latency_ns] = { 135, SRC_PEER_REMOTE },
		[RM_PROFILE_peer_line_ns] = { 135, SRC_PEER_CPU },
		[RM_PROFILE_launch_ns] = { 150000, "adaptive's simulator: 222150 cycles" },
		[RM_PROFILE_block_dispatch_cycles] = {
			0, "adaptive's simulator: each SM takes a block in each cycle",
		},
		[RM_PROFILE_virtual_thread] = { 0, SRC_NO_VT },
		[RM_PROFILE_extra_blocks_max] = { 4, SRC_1080TI },
		[RM_PROFILE_extra_blocks] = { 0, SRC_EXTRA_OFF },
		[RM_PROFILE_switch_latency_cycles] = { 400, SRC_1080TI },
		[RM_PROFILE_switch_line_cycles] = { 4, SRC_1080TI },
		[RM_PROFILE_switch_state_bytes] = { 80, SRC_1080TI },
		[RM_PROFILE_switch_on_memory] = { 0, SRC_FIG5_OFF },
		[RM_PROFILE_switch_patience_us] = { 1000, SRC_1080TI },
		[RM_PROFILE_compression_cycles] = { 11, SRC_1080TI },
		/* MMU */
		[RM_PROFILE_gpc_count] = { 6, SRC_1080TI },
		[RM_PROFILE_sms_per_utlb] = { 1, SRC_TLB },
		[RM_PROFILE_utlb_entries] = { 4096, SRC_TLB },
		[RM_PROFILE_utlb_ways] = { 4096, SRC_TLB },
		[RM_PROFILE_utlb_port_cycles] = { 1, SRC_TLB },
		[RM_PROFILE_l2tlb_entries] = { 1, SRC_NO_L2 },
		[RM_PROFILE_l2tlb_ways] = { 1, SRC_NO_L2 },
		[RM_PROFILE_l2tlb_cycles] = { 0, SRC_NO_L2 },
		[RM_PROFILE_l2tlb_ports] = { 0, SRC_1080TI },
		[RM_PROFILE_l2tlb_index] = { SGPU_TLB_INDEX_MODULO, SRC_NO_L2 },
		[RM_PROFILE_walk_cycles] = { 100, "adaptive's simulator: 100 cycles" },
		[RM_PROFILE_walks_in_flight] = { 4096, SRC_NO_LIMIT },
		[RM_PROFILE_utlb_faults] = { 1024, SRC_NO_LIMIT },
		[RM_PROFILE_far_faults] = {
			SGPU_FAR_FAULTS_WAIT, "adaptive, II: a far-fault MSHR waits for its page",
		},
		[RM_PROFILE_miss_bytes] = { 4096, "adaptive's simulator: pages of 4 KB" },
		[RM_PROFILE_fault_ring_entries] = { 1024, SRC_ASSUMED },
		[RM_PROFILE_access_counters] = { 4096, SRC_1080TI },
		[RM_PROFILE_access_ring_entries] = { 1024, SRC_1080TI },
		[RM_PROFILE_access_clear_ns] = { 100, SRC_1080TI },
		[RM_PROFILE_access_counter_stall] = {
			1, "adaptive's simulator: what meets the threshold waits for its 64 KB",
		},
		[RM_PROFILE_recorder_entries] = { 1024, SRC_1080TI },
		[RM_PROFILE_recorder_ways] = { 8, SRC_1080TI },
		[RM_PROFILE_recorder_pages] = { 16, SRC_1080TI },
		[RM_PROFILE_recorder_counter_bits] = { 2, SRC_1080TI },
		[RM_PROFILE_recorder_granules] = { 16384, SRC_1080TI },
		[RM_PROFILE_recorder_ring_entries] = { 16384, SRC_1080TI },
		[RM_PROFILE_fault_write_ns] = { 300, SRC_1080TI },
		[RM_PROFILE_interrupt_ns] = { 500, SRC_1080TI },
		[RM_PROFILE_replay_ns] = { 500, SRC_1080TI },
		[RM_PROFILE_tlb_invalidate_ns] = { 300, SRC_1080TI },
		[RM_PROFILE_membar_ns] = { 150, SRC_1080TI },
		/* host, copy engines, link */
		[RM_PROFILE_doorbell_ns] = { 300, SRC_1080TI },
		[RM_PROFILE_method_ns] = { 2, SRC_1080TI },
		[RM_PROFILE_semaphore_ns] = { 50, SRC_1080TI },
		[RM_PROFILE_ce_htod] = { 1, SRC_1080TI },
		[RM_PROFILE_ce_dtoh] = { 1, SRC_1080TI },
		[RM_PROFILE_ce_internal] = { 1, SRC_1080TI },
		[RM_PROFILE_copy_htod_latency_ns] = { 1000, SRC_LINK },
		[RM_PROFILE_copy_dtoh_latency_ns] = { 1000, SRC_LINK },
		[RM_PROFILE_copy_internal_latency_ns] = { 500, SRC_1080TI },
		[RM_PROFILE_copy_htod_mbps] = { 12850, SRC_LINK },
		[RM_PROFILE_copy_dtoh_mbps] = { 12850, SRC_LINK },
		[RM_PROFILE_copy_internal_mbps] = { 200000, SRC_1080TI },
		[RM_PROFILE_link_compression_percent] = { 100, SRC_NO_COMPRESS },
		[RM_PROFILE_peer_link] = { 1, SRC_1080TI },
		[RM_PROFILE_copy_peer_latency_ns] = { 1000, SRC_PEER_CPU },
		[RM_PROFILE_copy_peer_mbps] = { 12850, SRC_PEER_CPU },
		[RM_PROFILE_cpu_link_fast] = { 0, SRC_PCIE },
		/* driver costs */
		[RM_PROFILE_cost_bh_wake] = { 0, SRC_AFTER },
		[RM_PROFILE_cost_fetch] = { 0, SRC_AFTER },
		[RM_PROFILE_cost_fetch_fault] = { 0, SRC_AFTER },
		[RM_PROFILE_cost_preprocess] = { 0, SRC_AFTER },
		[RM_PROFILE_cost_preprocess_fault] = { 0, SRC_AFTER },
		[RM_PROFILE_cost_block] = { 0, SRC_AFTER },
		[RM_PROFILE_cost_pma] = { 0, SRC_AFTER },
		[RM_PROFILE_cost_pma_grant] = { 0, SRC_AFTER },
		[RM_PROFILE_cost_populate_page] = { 0, SRC_AFTER },
		[RM_PROFILE_cost_cpu_unmap] = { 0, SRC_AFTER },
		[RM_PROFILE_cost_cpu_unmap_page] = { 0, SRC_AFTER },
		[RM_PROFILE_cost_copy] = { 0, SRC_AFTER },
		[RM_PROFILE_cost_copy_page] = { 0, SRC_AFTER },
		[RM_PROFILE_cost_map] = { 0, SRC_AFTER },
		[RM_PROFILE_cost_map_page] = { 0, SRC_AFTER },
		[RM_PROFILE_cost_evict] = { 0, SRC_AFTER },
		[RM_PROFILE_cost_evict_page] = { 0, SRC_AFTER },
		[RM_PROFILE_cost_policy] = { 0, SRC_AFTER },
		[RM_PROFILE_cost_accessed] = { 0, SRC_AFTER },
		[RM_PROFILE_cost_policy_compare] = { 0, SRC_AFTER },
		[RM_PROFILE_cost_policy_record] = { 0, SRC_AFTER },
		[RM_PROFILE_cost_policy_classify] = { 0, SRC_AFTER },
		[RM_PROFILE_cost_counter_clear] = { 0, SRC_AFTER },
		[RM_PROFILE_cost_replay] = { 0, SRC_AFTER },
		[RM_PROFILE_cost_flush_fault] = { 0, SRC_AFTER },
		[RM_PROFILE_cost_cpu_fault] = { 0, SRC_AFTER },
		[RM_PROFILE_cost_cpu_map_page] = { 0, SRC_AFTER },
		[RM_PROFILE_cost_ioctl] = { 0, SRC_AFTER },
		[RM_PROFILE_cost_poll] = {
			500, "as gtx1080ti: who polls for nothing would poll for ever",
		},
		/* suggested driver parameters */
		[RM_PROFILE_uvm_fault_batch_count] = {
			256, "adaptive's simulator: faults of a cycle are handled together",
		},
		[RM_PROFILE_uvm_root_chunk_bytes] = {
			65536, "adaptive's simulator: memory is counted in pages",
		},
		[RM_PROFILE_uvm_pte_max_bytes] = { 0, SRC_DRIVER },
	},
};
