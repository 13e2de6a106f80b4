// SPDX-License-Identifier: GPL-2.0
/*
 * The calls of the fuzzer: a row per ioctl with a field per member of its struct,
 * and the other system calls that the devices and their mappings answer.
 */
#include <string.h>

#include <linux/softgpu.h>
#include <linux/uvm.h>

#include "fuzz.h"
#include "kernels.h"

#define FIELD(type, member, kind_, max_) {					\
	.kind = kind_, .place = IN_STRUCT, .width = sizeof(((struct type *)0)->member), \
	.offset = offsetof(struct type, member), .max = max_ }
#define KERNEL_ARG(member, kind_, max_) {					\
	.kind = kind_, .place = IN_ARGS, .width = sizeof(((struct test_args *)0)->member), \
	.offset = offsetof(struct test_args, member), .max = max_ }
#define PLAIN(kind_, max_)	{ .kind = kind_, .place = IN_CALL, .max = max_ }
#define IMAGE(offset_, kind_, max_) {						\
	.kind = kind_, .place = IN_IMAGE, .offset = offset_, .max = max_ }

/* Does the kernel write the struct, and how long was it when first published? */
#define IN			.out = false
#define OUT			.out = true
#define OUT_SINCE(type, member)	.out = true, .first = offsetof(struct type, member)

/*
 * Each ioctl begins with its file, how its struct is passed, and its flags.  What the
 * test of the ABI asks of every call follows from its row, too.
 */
#define IOCTL(slot_, weight_, name_, cmd_, type, flags_, way_, ...) {		\
	.name = name_, .macro = #cmd_, .run = run_ioctl, .cmd = cmd_,		\
	.size = sizeof(struct type), way_,					\
	.slot = slot_, .weight = weight_, .counts = true,			\
	.field = { PLAIN(K_FD, slot_), PLAIN(K_HOW, 0),				\
		   FIELD(type, flags, K_FLAGS, flags_), ##__VA_ARGS__ } }
#define SPAN(type)	FIELD(type, base, K_ADDR, 0), FIELD(type, length, K_LEN, 0)
#define RESERVED_FIELD(type, member) {						\
	.kind = K_ZERO, .place = IN_STRUCT, .width = sizeof(((struct type *)0)->member), \
	.offset = offsetof(struct type, member), .reserved = true }
#define RESERVED(type)	RESERVED_FIELD(type, __reserved)
#define RESERVED2(type)	RESERVED_FIELD(type, __reserved2)

#define CALL(slot_, weight_, name_, run_, counts_, ...) {			\
	.name = name_, .run = run_, .slot = slot_, .weight = weight_, .counts = counts_, \
	.field = { __VA_ARGS__ } }

const struct fuzz_desc fuzz_descs[] = {
	IOCTL(SLOT_UVM, 8, "register_gpu", UVM_IOC_REGISTER_GPU, uvm_register_gpu, 0, OUT,
	      FIELD(uvm_register_gpu, softgpu_fd, K_FD, SLOT_GPU),
	      FIELD(uvm_register_gpu, gpu, K_ZERO, 0)),
	IOCTL(SLOT_UVM, 3, "unregister_gpu", UVM_IOC_UNREGISTER_GPU, uvm_unregister_gpu, 0, IN,
	      FIELD(uvm_unregister_gpu, gpu, K_PROC, 0), RESERVED(uvm_unregister_gpu)),
	IOCTL(SLOT_UVM, 10, "migrate", UVM_IOC_MIGRATE, uvm_migrate, UVM_MIGRATE_ASYNC,
	      OUT_SINCE(uvm_migrate, semaphore), SPAN(uvm_migrate),
	      FIELD(uvm_migrate, dst, K_PROC, 0), RESERVED(uvm_migrate),
	      FIELD(uvm_migrate, fence, K_ZERO, 0), FIELD(uvm_migrate, semaphore, K_SEMAPHORE, 0),
	      FIELD(uvm_migrate, payload, K_PAYLOAD, 0),
	      RESERVED2(uvm_migrate)),
	IOCTL(SLOT_UVM, 4, "uvm_wait", UVM_IOC_WAIT, uvm_wait, UVM_WAIT_POLL, IN,
	      FIELD(uvm_wait, fence, K_ID, 0)),
	IOCTL(SLOT_UVM, 10, "advise", UVM_IOC_ADVISE, uvm_advise, UVM_ADVISE_UNSET, IN,
	      SPAN(uvm_advise), FIELD(uvm_advise, advice, K_PICK, UVM_ADVICE_READ_DUPLICATE),
	      FIELD(uvm_advise, processor, K_PROC, 0)),
	IOCTL(SLOT_UVM, 6, "set_param", UVM_IOC_SET_PARAM, uvm_set_param, 0, IN,
	      FIELD(uvm_set_param, name, K_PARAM, 0), FIELD(uvm_set_param, value, K_VALUE, 0)),
	IOCTL(SLOT_UVM, 2, "get_param", UVM_IOC_GET_PARAM, uvm_get_param, 0, OUT,
	      FIELD(uvm_get_param, index, K_SMALL, 40), RESERVED(uvm_get_param)),
	IOCTL(SLOT_UVM, 2, "stats", UVM_IOC_STATS, uvm_stats, UVM_STATS_RESET,
	      OUT_SINCE(uvm_stats, bytes_dtoh_prefetch)),
	IOCTL(SLOT_UVM, 4, "quiesce", UVM_IOC_QUIESCE, uvm_quiesce, 0, IN),
	IOCTL(SLOT_UVM, 4, "group_create", UVM_IOC_GROUP_CREATE, uvm_group, 0, OUT,
	      FIELD(uvm_group, id, K_ZERO, 0)),
	IOCTL(SLOT_UVM, 2, "group_destroy", UVM_IOC_GROUP_DESTROY, uvm_group, 0, IN,
	      FIELD(uvm_group, id, K_ID, 0)),
	IOCTL(SLOT_UVM, 5, "group_set", UVM_IOC_GROUP_SET, uvm_group_set, 0, IN,
	      SPAN(uvm_group_set), FIELD(uvm_group_set, id, K_ID, 0)),
	IOCTL(SLOT_UVM, 4, "group_migration", UVM_IOC_GROUP_MIGRATION, uvm_group_migration,
	      UVM_GROUP_PREVENT, IN, FIELD(uvm_group_migration, count, K_SMALL, 3),
	      RESERVED(uvm_group_migration), FIELD(uvm_group_migration, ids[0], K_ID, 0),
	      FIELD(uvm_group_migration, ids[1], K_ID, 0),
	      FIELD(uvm_group_migration, ids[2], K_ID, 0)),
	IOCTL(SLOT_UVM, 3, "group_migrate", UVM_IOC_GROUP_MIGRATE, uvm_group_migrate, 0, IN,
	      FIELD(uvm_group_migrate, id, K_ID, 0), FIELD(uvm_group_migrate, dst, K_PROC, 0),
	      RESERVED(uvm_group_migrate)),
	IOCTL(SLOT_UVM, 6, "discard", UVM_IOC_DISCARD, uvm_discard, UVM_DISCARD_UNMAP, IN,
	      SPAN(uvm_discard)),
	IOCTL(SLOT_UVM, 5, "populate", UVM_IOC_POPULATE, uvm_populate, 0, IN, SPAN(uvm_populate),
	      FIELD(uvm_populate, dst, K_PROC, 0), RESERVED(uvm_populate)),
	IOCTL(SLOT_UVM, 6, "create_external", UVM_IOC_CREATE_EXTERNAL_RANGE,
	      uvm_create_external_range, 0, IN, SPAN(uvm_create_external_range)),
	IOCTL(SLOT_UVM, 8, "map_external", UVM_IOC_MAP_EXTERNAL, uvm_map_external,
	      UVM_MAP_EXTERNAL_READ_ONLY, IN, SPAN(uvm_map_external),
	      FIELD(uvm_map_external, offset, K_LEN, 0),
	      FIELD(uvm_map_external, softgpu_fd, K_FD, SLOT_GPU),
	      FIELD(uvm_map_external, handle, K_ID, 0), FIELD(uvm_map_external, gpu, K_PROC, 0),
	      RESERVED(uvm_map_external)),
	IOCTL(SLOT_UVM, 3, "unmap_external", UVM_IOC_UNMAP_EXTERNAL, uvm_unmap_external, 0, IN,
	      SPAN(uvm_unmap_external), FIELD(uvm_unmap_external, gpu, K_PROC, 0),
	      RESERVED(uvm_unmap_external)),
	IOCTL(SLOT_UVM, 3, "free_external", UVM_IOC_FREE_EXTERNAL_RANGE, uvm_free_external_range, 0,
	      IN, SPAN(uvm_free_external_range)),
	IOCTL(SLOT_UVM, 4, "config_counters", UVM_IOC_CONFIG_ACCESS_COUNTERS,
	      uvm_config_access_counters, 0, IN, FIELD(uvm_config_access_counters, gpu, K_PROC, 0),
	      FIELD(uvm_config_access_counters, enable, K_PICK, 1),
	      FIELD(uvm_config_access_counters, granularity, K_GRAIN, 0),
	      FIELD(uvm_config_access_counters, threshold, K_SMALL, 16),
	      RESERVED(uvm_config_access_counters)),
	IOCTL(SLOT_UVM, 2, "clear_counters", UVM_IOC_CLEAR_ACCESS_COUNTERS,
	      uvm_clear_access_counters, 0, IN, FIELD(uvm_clear_access_counters, gpu, K_PROC, 0),
	      RESERVED(uvm_clear_access_counters)),
	IOCTL(SLOT_UVM, 4, "residency", UVM_IOC_RESIDENCY, uvm_residency, 0, OUT,
	      SPAN(uvm_residency)),
	IOCTL(SLOT_UVM, 2, "pattern", UVM_IOC_PATTERN, uvm_get_pattern, 0, OUT,
	      FIELD(uvm_get_pattern, address, K_ADDR, 0), RESERVED(uvm_get_pattern)),
	IOCTL(SLOT_UVM, 5, "evict", UVM_IOC_EVICT, uvm_evict, 0, OUT, SPAN(uvm_evict),
	      FIELD(uvm_evict, gpu, K_PROC, 0), RESERVED(uvm_evict)),
	IOCTL(SLOT_UVM, 2, "validate_range", UVM_IOC_VALIDATE_RANGE, uvm_validate_range, 0, IN,
	      SPAN(uvm_validate_range)),
	IOCTL(SLOT_UVM, 1, "pageable_access", UVM_IOC_PAGEABLE_ACCESS, uvm_pageable_access, 0, OUT,
	      RESERVED(uvm_pageable_access)),
	IOCTL(SLOT_UVM, 2, "get_choice", UVM_IOC_GET_CHOICE, uvm_get_choice, 0, OUT,
	      FIELD(uvm_get_choice, param, K_SMALL, 60), FIELD(uvm_get_choice, choice, K_SMALL, 8)),
	IOCTL(SLOT_UVM, 2, "get_policy_number", UVM_IOC_GET_POLICY_NUMBER, uvm_get_policy_number, 0,
	      OUT, FIELD(uvm_get_policy_number, gpu, K_PROC, 0),
	      FIELD(uvm_get_policy_number, index, K_SMALL, 40)),
	IOCTL(SLOT_UVM, 2, "set_stays", UVM_IOC_SET_STAYS, uvm_set_stays, 0, IN,
	      FIELD(uvm_set_stays, gpu, K_PROC, 0), FIELD(uvm_set_stays, nr_pages, K_SMALL, 16),
	      FIELD(uvm_set_stays, pages, K_POINTER, 0),
	      FIELD(uvm_set_stays, ends, K_POINTER, 0),
	      FIELD(uvm_set_stays, nr_stays, K_SMALL, 32), RESERVED(uvm_set_stays)),
	IOCTL(SLOT_UVM, 2, "set_uses", UVM_IOC_SET_USES, uvm_set_uses, 0, IN,
	      FIELD(uvm_set_uses, gpu, K_PROC, 0), FIELD(uvm_set_uses, nr_used, K_SMALL, 16),
	      FIELD(uvm_set_uses, used, K_POINTER, 0), FIELD(uvm_set_uses, uses, K_POINTER, 0),
	      FIELD(uvm_set_uses, launches, K_POINTER, 0),
	      FIELD(uvm_set_uses, nr_uses, K_SMALL, 32),
	      FIELD(uvm_set_uses, nr_launches, K_SMALL, 4)),
	IOCTL(SLOT_UVM, 3, "enable_peer_access", UVM_IOC_ENABLE_PEER_ACCESS, uvm_peer_access, 0, IN,
	      FIELD(uvm_peer_access, gpu_a, K_PICK, 1), FIELD(uvm_peer_access, gpu_b, K_PICK, 1)),
	IOCTL(SLOT_UVM, 3, "disable_peer_access", UVM_IOC_DISABLE_PEER_ACCESS, uvm_peer_access, 0,
	      IN, FIELD(uvm_peer_access, gpu_a, K_PICK, 1),
	      FIELD(uvm_peer_access, gpu_b, K_PICK, 1)),

	IOCTL(SLOT_TOOLS, 4, "attach", UVM_TOOLS_IOC_ATTACH, uvm_tools_attach, 0, IN,
	      FIELD(uvm_tools_attach, uvm_fd, K_FD, SLOT_UVM),
	      FIELD(uvm_tools_attach, entries, K_POW2, 1 << 20),
	      FIELD(uvm_tools_attach, event_mask, K_MASK, UVM_EVENT_COUNT)),
	IOCTL(SLOT_TOOLS, 1, "status", UVM_TOOLS_IOC_STATUS, uvm_tools_status, 0,
	      OUT_SINCE(uvm_tools_status, dropped_by_type)),
	IOCTL(SLOT_TOOLS, 1, "gpu_stats", UVM_TOOLS_IOC_GPU_STATS, uvm_tools_gpu_stats, 0,
	      OUT_SINCE(uvm_tools_gpu_stats, stats.bytes_dtoh_prefetch),
	      FIELD(uvm_tools_gpu_stats, gpu, K_PROC, 0), RESERVED(uvm_tools_gpu_stats)),
	IOCTL(SLOT_TOOLS, 2, "threshold", UVM_TOOLS_IOC_THRESHOLD, uvm_tools_threshold, 0, IN,
	      FIELD(uvm_tools_threshold, entries, K_SMALL, 64), RESERVED(uvm_tools_threshold)),
	IOCTL(SLOT_TOOLS, 2, "enable", UVM_TOOLS_IOC_ENABLE, uvm_tools_events, 0, IN,
	      FIELD(uvm_tools_events, event_mask, K_MASK, UVM_EVENT_COUNT)),
	IOCTL(SLOT_TOOLS, 2, "disable", UVM_TOOLS_IOC_DISABLE, uvm_tools_events, 0, IN,
	      FIELD(uvm_tools_events, event_mask, K_MASK, UVM_EVENT_COUNT)),
	IOCTL(SLOT_TOOLS, 2, "flush", UVM_TOOLS_IOC_FLUSH, uvm_tools_flush, 0, IN),
	IOCTL(SLOT_TOOLS, 1, "counters", UVM_TOOLS_IOC_COUNTERS, uvm_tools_counters, 0,
	      OUT_SINCE(uvm_tools_counters, counters.bytes_populated),
	      FIELD(uvm_tools_counters, uvm_fd, K_FD, SLOT_UVM),
	      FIELD(uvm_tools_counters, processor, K_PROC, 0)),

	IOCTL(SLOT_GPU, 1, "info", SOFTGPU_IOC_INFO, softgpu_info, 0,
	      OUT_SINCE(softgpu_info, switched_out)),
	IOCTL(SLOT_GPU, 1, "profile", SOFTGPU_IOC_PROFILE, softgpu_profile_entry, 0, OUT,
	      FIELD(softgpu_profile_entry, index, K_SMALL, 100)),
	IOCTL(SLOT_GPU, 6, "load", SOFTGPU_IOC_LOAD, softgpu_load, 0, OUT,
	      FIELD(softgpu_load, image, K_POINTER, 0),
	      FIELD(softgpu_load, image_bytes, K_LEN_IMAGE, 16384), RESERVED(softgpu_load),
	      IMAGE(0, K_PICK, 16384), IMAGE(1, K_ZERO, 255)),
	IOCTL(SLOT_GPU, 2, "unload", SOFTGPU_IOC_UNLOAD, softgpu_unload, 0, IN,
	      FIELD(softgpu_unload, image_id, K_ID, 0), RESERVED(softgpu_unload)),
	IOCTL(SLOT_GPU, 8, "launch", SOFTGPU_IOC_LAUNCH, softgpu_launch, 0, OUT,
	      FIELD(softgpu_launch, image_id, K_ID, 0),
	      FIELD(softgpu_launch, shared_bytes, K_SMALL, 4096),
	      FIELD(softgpu_launch, grid[0], K_SMALL, 4),
	      FIELD(softgpu_launch, grid[1], K_SMALL, 2),
	      FIELD(softgpu_launch, block[0], K_SMALL, 64),
	      FIELD(softgpu_launch, block[1], K_SMALL, 2),
	      FIELD(softgpu_launch, args, K_POINTER, 0),
	      FIELD(softgpu_launch, args_bytes, K_PICK, 4096), RESERVED(softgpu_launch),
	      FIELD(softgpu_launch, instruction_limit, K_SMALL, 4096),
	      FIELD(softgpu_launch, entry, K_ENTRY, 0), KERNEL_ARG(address, K_WORD, 0),
	      KERNEL_ARG(value, K_ANY, 0), KERNEL_ARG(out, K_WORD, 0),
	      KERNEL_ARG(count, K_SMALL, 600), KERNEL_ARG(stride, K_GRAIN, 0)),
	IOCTL(SLOT_GPU, 6, "gpu_wait", SOFTGPU_IOC_WAIT, softgpu_wait, SOFTGPU_WAIT_POLL, OUT,
	      FIELD(softgpu_wait, launch_id, K_ID, 0)),
	IOCTL(SLOT_GPU, 3, "vram_limit", SOFTGPU_IOC_VRAM_LIMIT, softgpu_vram_limit,
	      SOFTGPU_VRAM_LIMIT_TOP, OUT, FIELD(softgpu_vram_limit, bytes, K_LEN, 0)),
	IOCTL(SLOT_GPU, 6, "alloc", SOFTGPU_IOC_ALLOC, softgpu_alloc, SOFTGPU_ALLOC_CONTIGUOUS, OUT,
	      FIELD(softgpu_alloc, kind, K_PICK, SOFTGPU_MEMORY_PINNED), RESERVED(softgpu_alloc),
	      FIELD(softgpu_alloc, bytes, K_LEN, 0), RESERVED2(softgpu_alloc)),
	IOCTL(SLOT_GPU, 2, "free", SOFTGPU_IOC_FREE, softgpu_free, 0, IN,
	      FIELD(softgpu_free, handle, K_ID, 0), RESERVED(softgpu_free)),
	IOCTL(SLOT_GPU, 6, "copy", SOFTGPU_IOC_COPY, softgpu_copy, 0, OUT,
	      FIELD(softgpu_copy, direction, K_PICK, SOFTGPU_COPY_DTOD), RESERVED(softgpu_copy),
	      FIELD(softgpu_copy, dst, K_WORD, 0), FIELD(softgpu_copy, src, K_WORD, 0),
	      FIELD(softgpu_copy, bytes, K_LEN, 0)),
	IOCTL(SLOT_GPU, 4, "copy_wait", SOFTGPU_IOC_COPY_WAIT, softgpu_copy_wait, SOFTGPU_WAIT_POLL,
	      OUT, FIELD(softgpu_copy_wait, copy_id, K_ID, 0)),
	IOCTL(SLOT_GPU, 2, "timeline", SOFTGPU_IOC_TIMELINE, softgpu_timeline, 0, OUT,
	      FIELD(softgpu_timeline, entries, K_POW2, 1 << 20),
	      FIELD(softgpu_timeline, fd, K_ZERO, 0),
	      FIELD(softgpu_timeline, mask, K_MASK, SOFTGPU_TIMELINE_COUNT),
	      FIELD(softgpu_timeline, min_stall_ns, K_ANY, 0)),

	/* any ioctl with any words */
	CALL(SLOT_UVM, 3, "raw", run_raw, true, PLAIN(K_FD, SLOT_UVM), PLAIN(K_ANY, 0),
	     PLAIN(K_GRAIN, 0), PLAIN(K_FLAGS, 3), PLAIN(K_ADDR, 0), PLAIN(K_LEN, 0),
	     PLAIN(K_ANY, 0), PLAIN(K_PROC, 0)),
	CALL(SLOT_UVM, 2, "open", run_open, true, PLAIN(K_FD, SLOT_UVM), PLAIN(K_PICK, 3)),
	CALL(SLOT_UVM, 2, "close", run_close, true, PLAIN(K_FD, SLOT_UVM)),
	/* file, where, bytes, offset from there in the file, protection, flags */
	CALL(SLOT_UVM, 14, "mmap", run_mmap, true, PLAIN(K_FD, SLOT_UVM), PLAIN(K_ADDR, 0),
	     PLAIN(K_LEN, 0), PLAIN(K_ZERO, 0), PLAIN(K_PROT, 0), PLAIN(K_ZERO, 3)),
	/* pinned memory: file, where, bytes, handle, protection */
	CALL(SLOT_GPU, 3, "mmap_pinned", run_mmap, true, PLAIN(K_FD, SLOT_GPU),
	     PLAIN(K_ADDR, 0), PLAIN(K_LEN, 0), PLAIN(K_ID, 0), PLAIN(K_PROT, 0),
	     PLAIN(K_ZERO, 3)),
	CALL(SLOT_UVM, 6, "munmap", run_munmap, true, PLAIN(K_ADDR, 0), PLAIN(K_LEN, 0)),
	CALL(SLOT_UVM, 3, "mprotect", run_mprotect, true, PLAIN(K_ADDR, 0), PLAIN(K_LEN, 0),
	     PLAIN(K_PROT, 0)),
	CALL(SLOT_UVM, 3, "mremap", run_mremap, true, PLAIN(K_ADDR, 0), PLAIN(K_LEN, 0),
	     PLAIN(K_LEN, 0), PLAIN(K_PICK, 2), PLAIN(K_ADDR, 0)),
	CALL(SLOT_UVM, 3, "madvise", run_madvise, true, PLAIN(K_ADDR, 0), PLAIN(K_LEN, 0),
	     PLAIN(K_PICK, 25)),
	CALL(SLOT_UVM, 2, "read", run_read, true, PLAIN(K_PICK, SLOT_COUNT - 1), PLAIN(K_POINTER, 0),
	     PLAIN(K_LEN, 0)),
	CALL(SLOT_UVM, 1, "write", run_write, true, PLAIN(K_PICK, SLOT_COUNT - 1), PLAIN(K_POINTER, 0),
	     PLAIN(K_LEN, 0)),
	CALL(SLOT_UVM, 1, "poll", run_poll, true, PLAIN(K_PICK, SLOT_COUNT - 1)),
	/* where, pages, how far apart, write */
	CALL(SLOT_UVM, 10, "touch", run_touch, false, PLAIN(K_ADDR, 0), PLAIN(K_SMALL, 16),
	     PLAIN(K_GRAIN, 0), PLAIN(K_PICK, 1)),
	/* so many calls that follow are made by a child, which then ends */
	CALL(SLOT_UVM, 1, "fork", run_fork, false, PLAIN(K_SMALL, 6)),
};

const unsigned int fuzz_desc_count = sizeof(fuzz_descs) / sizeof(fuzz_descs[0]);

const char * const fuzz_entries[] = {
	"t_store", "t_load", "t_atomic", "t_fill", "t_add", "t_check", "t_walk", "t_prefetch",
	"t_nop", "t_await", "t_spin", "t_stack", "t_barrier_uneven", "t_barrier_even", "t_jump",
	"t_trap", "t_shared", "t_count", "t_check_all", "nosuch", "",
	"t_warp",
};
const unsigned int fuzz_entry_count = sizeof(fuzz_entries) / sizeof(fuzz_entries[0]);

/* Names first as the driver lists them (GET_PARAM), so that none is missed. */
static const char * const fuzz_params[] = {
	"perf_prefetch_enable", "perf_prefetch_threshold", "perf_prefetch_min_faults",
	"perf_fault_batch_count", "perf_fault_replay_update_put_ratio",
	"perf_fault_max_batches_per_service", "perf_fault_max_throttle_per_service",
	"perf_fault_coalesce", "perf_reenable_prefetch_faults_lapse_msec",
	"perf_thrashing_enable", "perf_thrashing_threshold", "perf_thrashing_pin_threshold",
	"perf_thrashing_lapse_usec", "perf_lapse_vote_threshold", "perf_thrashing_nap",
	"perf_thrashing_epoch", "perf_thrashing_pin", "perf_thrashing_max_resets",
	"perf_access_counter_migration_enable", "perf_access_counter_batch_count",
	"perf_access_counter_threshold", "perf_pma_batch_nonpinned_order",
	"channel_num_gpfifo_entries", "global_oversubscription", "eviction_seed",
	"root_chunk_granularity", "cpu_chunk_allocation_sizes", "fault_origin", "cpu_grant_us",
	"replay_policy", "prefetch_policy", "eviction_policy", "residency_policy",
	"thrashing_policy", "nosuch", "",
	/* the corpus has indices: what is new goes behind */
	"eviction_timing", "concurrency_policy", "capacity_compression", "eviction_refresh_size",
	"perf_map_remote_on_eviction", "perf_map_remote_on_native_atomics_fault",
	"fault_force_sysmem", "gpu_memory_limit_kb", "pte_max_bytes",
	/* two names that are no more, for the same reason */
	"recorder_replays", "recorder_every_walk", "recorder_replace", "hpe_set_pages",
	"hpe_interval", "hpe_transfer", "hpe_ratio1_percent", "hpe_ratio2", "hpe_wrong",
	"hpe_guard", "hpe_jump", "hpe_jumps", "hpe_history", "hpe_longer", "hpe_small",
	"hpe_sticky", "hpe_strategy", "rrip_bits", "rrip_distant", "rrip_delay",
	"rrip_frequency", "clock_pro_cold", "clock_pro_warm",
	"min_delay", "recorder_no_fill", "eviction_free_percent", "reserve_lru_percent",
	"adaptive_inversions", "adaptive_log_demand", "adaptive_mixed_reuse", "adaptive_pin",
	"adaptive_penalty", "perf_access_counter_granularity", "hpe_readings",
};

static const char * const fuzz_values[] = {
	"block", "batch", "batch_flush", "once", "none", "tree", "adaptive", "lru", "fifo",
	"random", "access_counter", "first_touch", "delayed", "remote", "throttle_pin", "2m",
	"64k", "4k", "2097152", "65536", "4096", "on", "off", "-1", "18446744073709551616", "",
	"0x10", "1 ",
	"a value that does not fit into the array it is to go into, all of it",
};

/* Numbers follow after the first ones, so these are far behind. */
static const char * const fuzz_later_values[] = {
	"reactive", "serial", "unobtrusive", "eager", "proactive", "ideal", "oversubscribe",
	"throttle", "fitting", "accessed", "mru", "lru_block",
	"linked", "returning", "tbn", "tbne", "sle", "lfu", "reserve_lru", "adaptive_global",
	"delayed_dynamic", "random4k", "free_buffer", "pilot", "pilot_recorder",
	"fnu",
};

const char *fuzz_param(uint64_t index, bool value)
{
	static char number[24];

	if (!value)
		return fuzz_params[index % (sizeof(fuzz_params) / sizeof(fuzz_params[0]))];
	if (index < sizeof(fuzz_values) / sizeof(fuzz_values[0]))
		return fuzz_values[index];
	if (index >= FUZZ_LATER_VALUES)
		return fuzz_later_values[index % (sizeof(fuzz_later_values) /
						  sizeof(fuzz_later_values[0]))];
	/* one behind them is 0 */
	snprintf(number, sizeof(number), "%lu",
		 (unsigned long)(index - sizeof(fuzz_values) / sizeof(fuzz_values[0])));
	return number;
}

unsigned int fuzz_fields(const struct fuzz_desc *desc)
{
	unsigned int n = FUZZ_ARGS;

	/* a field without meaning is one that is not there: K_ANY of no width, nowhere */
	while (n && !desc->field[n - 1].kind && !desc->field[n - 1].width &&
	       !desc->field[n - 1].place)
		n--;
	return n;
}

int fuzz_desc_find(const char *name)
{
	for (unsigned int i = 0; i < fuzz_desc_count; i++)
		if (!strcmp(fuzz_descs[i].name, name))
			return i;
	return -1;
}
