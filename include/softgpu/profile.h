/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Profile: the machine and the cost table of a run.
 *
 * Every value is a u64 with a name, a unit, a value per profile and a source
 * (a row of the published figures, a paper, or "assumed").  The values are in
 * softgpu/base/profile_NAME.c; `softgpu.set=key:value,...` overrides them at load.
 */
#ifndef SOFTGPU_PROFILE_H
#define SOFTGPU_PROFILE_H

/* X(key, unit, what it is) */
#define RM_PROFILE_KEYS(X) \
	/* streaming multiprocessors */ \
	X(sm_count, "", "streaming multiprocessors") \
	X(sm_clock_khz, "kHz", "SM clock") \
	X(threads_per_sm, "", "resident threads per SM") \
	X(warps_per_sm, "", "resident warps per SM") \
	X(blocks_per_sm, "", "resident blocks per SM") \
	X(regs_per_sm, "", "32-bit registers per SM") \
	X(shared_bytes_per_sm, "B", "shared memory per SM") \
	X(shared_bytes_per_block, "B", "shared memory limit per block") \
	X(mem_ops_per_warp, "", "memory instructions one warp may have in flight") \
	X(quantum_cycles, "cycles", "simulation quantum of one SM") \
	X(mem_latency_cycles, "cycles", "load latency, GPU memory, TLB hit") \
	X(mem_line_cycles, "cycles", "further latency per extra 128-byte line of one instruction") \
	X(shared_latency_cycles, "cycles", "load latency, shared memory, stack, constants") \
	X(double_cycles, "cycles", "from one operation in double precision of a warp to the next") \
	X(tensor_cycles, "cycles", "16x16x16 matrix multiply-accumulate") \
	X(remote_latency_ns, "ns", "access to system memory over the link") \
	X(remote_requests, "", "reads of system memory that can be under way") \
	X(remote_header_bytes, "B", "what a request of SMs takes of the link beside its data") \
	X(peer_latency_ns, "ns", "access to the memory of a peer") \
	X(peer_line_ns, "ns", "time per 128-byte line on the link between peers") \
	X(launch_ns, "ns", "kernel launch to first instruction") \
	X(block_dispatch_cycles, "cycles", "dispatch of one block") \
	X(virtual_thread, "", "blocks beyond the limits of the scheduler wait on their SM") \
	X(extra_blocks_max, "", "most blocks per SM beyond what it holds: REG_OVERSUB_MAX") \
	X(extra_blocks, "", "so many of them whatever the registers say; for tests") \
	X(switch_latency_cycles, "cycles", "saving or restoring the registers of a block") \
	X(switch_line_cycles, "cycles", "further time per 128 bytes of them") \
	X(switch_state_bytes, "B", "scheduler state of a warp, saved and restored") \
	X(switch_on_memory, "", "extra blocks run also while others wait for memory only") \
	X(switch_patience_us, "us", "a block that could go on waits so long for its turn") \
	X(compression_cycles, "cycles", "further latency of GPU memory that is compressed") \
	/* MMU */ \
	X(gpc_count, "", "graphics processing clusters") \
	X(sms_per_utlb, "", "SMs that share one uTLB") \
	X(utlb_entries, "", "uTLB entries") \
	X(utlb_ways, "", "uTLB associativity") \
	X(utlb_port_cycles, "cycles", "a uTLB passes on one miss per") \
	X(l2tlb_entries, "", "shared L2 TLB entries") \
	X(l2tlb_ways, "", "shared L2 TLB associativity") \
	X(l2tlb_cycles, "cycles", "shared L2 TLB lookup") \
	X(l2tlb_ports, "", "lookups that the shared L2 TLB begins in one cycle; 0: any number") \
	X(l2tlb_index, "modulo|xor", "set of a page in the L2 TLB: its number, or that folded") \
	X(walk_cycles, "cycles", "page walk") \
	X(walks_in_flight, "", "concurrent page walks") \
	X(utlb_faults, "", "outstanding faults of one uTLB") \
	X(far_faults, "replay|wait", "what a replay lets go: all, or what has come") \
	X(miss_bytes, "B", "misses of one uTLB to the same so many bytes share a fault") \
	X(fault_ring_entries, "", "records of the replayable fault buffer") \
	X(access_counters, "", "access counters, a multiple of 128") \
	X(access_ring_entries, "", "records of the access-counter notification buffer") \
	X(access_clear_ns, "ns", "clear one or all access counters") \
	X(access_counter_stall, "", "1: what makes a counter tell waits until it is cleared") \
	X(recorder_entries, "", "entries of the recorder for page-walk hits") \
	X(recorder_ways, "", "associativity of the recorder") \
	X(recorder_pages, "", "pages of an entry, a power of two") \
	X(recorder_counter_bits, "bits", "counter of a page") \
	X(recorder_granules, "", "entries of the recorder for accesses of 64 KB") \
	X(recorder_ring_entries, "", "records of the recorder's buffer") \
	X(fault_write_ns, "ns", "fault detection to record visible") \
	X(interrupt_ns, "ns", "record visible to interrupt") \
	X(replay_ns, "ns", "replay method to first re-translation") \
	X(tlb_invalidate_ns, "ns", "one TLB invalidate") \
	X(membar_ns, "ns", "one memory barrier") \
	/* host, copy engines, link */ \
	X(doorbell_ns, "ns", "doorbell to first method") \
	X(method_ns, "ns", "one host method") \
	X(semaphore_ns, "ns", "one semaphore release") \
	X(ce_htod, "", "copy engines, host to device") \
	X(ce_dtoh, "", "copy engines, device to host") \
	X(ce_internal, "", "copy engines, device internal") \
	X(copy_htod_latency_ns, "ns", "latency of a copy that is not pipelined, HtoD") \
	X(copy_dtoh_latency_ns, "ns", "latency of a copy that is not pipelined, DtoH") \
	X(copy_internal_latency_ns, "ns", "latency of a copy inside GPU memory, not pipelined") \
	X(copy_htod_mbps, "MB/s", "link bandwidth, HtoD (1 MB/s = 1e6 B/s)") \
	X(copy_dtoh_mbps, "MB/s", "link bandwidth, DtoH") \
	X(copy_internal_mbps, "MB/s", "bandwidth inside GPU memory") \
	X(link_compression_percent, "%", "bytes that one byte on the link to the CPU stands for") \
	X(peer_link, "", "between GPUs: 0 nothing, 1 PCIe (no atomics), 2 NVLink") \
	X(copy_peer_latency_ns, "ns", "latency of a copy between peers, not pipelined") \
	X(copy_peer_mbps, "MB/s", "bandwidth between peers, each way") \
	X(cpu_link_fast, "", "the link to the CPU is NVLink or as fast: the driver unmaps ahead") \
	/* driver costs, ns; charged by uvm's phase brackets */ \
	X(cost_bh_wake, "ns", "interrupt to bottom half") \
	X(cost_fetch, "ns", "fetch, per batch") \
	X(cost_fetch_fault, "ns", "fetch, per record") \
	X(cost_preprocess, "ns", "preprocess, per batch") \
	X(cost_preprocess_fault, "ns", "preprocess, per record") \
	X(cost_block, "ns", "service, per block: locks, residency, prefetch") \
	X(cost_pma, "ns", "one physical allocation call") \
	X(cost_pma_grant, "ns", "the same, more if it gives memory") \
	X(cost_populate_page, "ns", "populate and zero set-up, per 4K page") \
	X(cost_cpu_unmap, "ns", "CPU unmap, per block") \
	X(cost_cpu_unmap_page, "ns", "CPU unmap, per 4K page") \
	X(cost_copy, "ns", "copy set-up, per push") \
	X(cost_copy_page, "ns", "copy set-up, per 4K page") \
	X(cost_map, "ns", "GPU map, per block") \
	X(cost_map_page, "ns", "GPU map, per 4K page") \
	X(cost_evict, "ns", "eviction, per root chunk") \
	X(cost_evict_page, "ns", "eviction, per 4K page") \
	X(cost_accessed, "ns", "reading when memory was accessed last") \
	X(cost_policy, "ns", "telling a policy of an event that it has asked for") \
	X(cost_policy_compare, "ns", "a policy looks at one set or unit in a search") \
	X(cost_policy_record, "ns", "a policy enters one record of hardware in its books") \
	X(cost_policy_classify, "ns", "a policy looks at all that it knows") \
	X(cost_counter_clear, "ns", "clearing access counters, per push") \
	X(cost_replay, "ns", "replay push and flush") \
	X(cost_flush_fault, "ns", "fault buffer flush, per record") \
	X(cost_cpu_fault, "ns", "CPU fault entry and exit") \
	X(cost_cpu_map_page, "ns", "CPU map, per 4K page") \
	X(cost_ioctl, "ns", "one ioctl") \
	X(cost_poll, "ns", "one polling call") \
	/* driver parameters that the profile suggests; 0: none, the driver's default holds */ \
	X(uvm_fault_batch_count, "", "suggested perf_fault_batch_count; 0: none") \
	X(uvm_root_chunk_bytes, "bytes", "suggested root_chunk_granularity; 0: none") \
	X(uvm_pte_max_bytes, "bytes", "suggested pte_max_bytes; 0: none")

/* A unit with "|" has the names of the values 0, 1, ... */
#define RM_PROFILE_NAMES	'|'

enum rm_profile_key {
#define X(key, unit, what) RM_PROFILE_##key,
	RM_PROFILE_KEYS(X)
#undef X
	RM_PROFILE_COUNT
};

#endif
