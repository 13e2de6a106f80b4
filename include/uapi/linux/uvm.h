/* SPDX-License-Identifier: GPL-2.0 WITH Linux-syscall-note */
/*
 * User ABI of the unified-memory driver: /dev/uvm and /dev/uvm-tools.
 *
 * One open /dev/uvm is one VA space.  mmap() of it makes a managed range: the
 * mapping must be MAP_SHARED, readable and writable, not executable, and its
 * file offset must equal its address (MAP_FIXED_NOREPLACE over a reservation).
 *
 * ioctl rules and errors as in <linux/softgpu.h>; further ones:
 *   EINVAL also for a range that is not wholly managed; EBUSY for a GPU that
 *   belongs to another VA space; ENODEV for a processor not registered.
 */
#ifndef _UAPI_LINUX_UVM_H
#define _UAPI_LINUX_UVM_H

#include <linux/ioctl.h>
#include <linux/types.h>
#include <linux/uvm_events.h>
#include <linux/uvm_future.h>
#include <linux/uvm_residency.h>

#define UVM_IOC_TYPE		'u'

/* Processors. */
#define UVM_PROCESSOR_CPU	(-1)
#define UVM_PROCESSOR_NONE	(-2)

/**
 * struct uvm_register_gpu - UVM_IOC_REGISTER_GPU: tie a GPU context to this VA space
 * @size: sizeof
 * @flags: 0
 * @softgpu_fd: file descriptor of an open /dev/softgpuN
 * @gpu: out: index of the GPU
 */
struct uvm_register_gpu {
	__u32 size;
	__u32 flags;
	__s32 softgpu_fd;
	__s32 gpu;
};

/**
 * struct uvm_unregister_gpu - UVM_IOC_UNREGISTER_GPU: the reverse
 * @size: sizeof
 * @flags: 0
 * @gpu: index of the GPU; its launches are stopped, its pages come home, advice that
 *	names it is unset.  With ENOMEM some pages could not: it stays registered, without
 *	launches; try again
 * @__reserved: 0
 */
struct uvm_unregister_gpu {
	__u32 size;
	__u32 flags;
	__s32 gpu;
	__u32 __reserved;
};

#define UVM_MIGRATE_ASYNC	1	/* flag: return when the work is queued */

/**
 * struct uvm_migrate - UVM_IOC_MIGRATE: explicit migration ("prefetch")
 * @size: sizeof
 * @flags: UVM_MIGRATE_ASYNC or 0
 * @base: start, page aligned
 * @length: bytes, page aligned; 0 only with @semaphore: nothing but its release
 * @dst: processor
 * @__reserved: 0
 * @fence: out, with ASYNC: wait for it with UVM_IOC_WAIT
 * @semaphore: 0, or with ASYNC: address of a 32-bit word, a multiple of 4
 * @payload: written there when the memory has moved; 0 without @semaphore
 * @__reserved2: 0
 *
 * The word lies in pinned memory of SOFTGPU_IOC_ALLOC; its address is that of a map
 * that UVM_IOC_MAP_EXTERNAL made for some GPU, not read-only.  A GPU writes it, behind
 * its copies; the call itself does when there is nothing to wait for.  UVM_IOC_WAIT
 * waits for that too, and so does whoever unmaps the word.  ENOENT: no map there;
 * EACCES: it is read-only; EOPNOTSUPP: it is device memory.  Nothing has moved then.
 *
 * On the virtual clock time stands still while no thread is inside: to look at the
 * word again and again is to wait for ever, UVM_IOC_WAIT is not.
 */
struct uvm_migrate {
	__u32 size;
	__u32 flags;
	__aligned_u64 base;
	__aligned_u64 length;
	__s32 dst;
	__u32 __reserved;
	__aligned_u64 fence;
	__aligned_u64 semaphore;
	__u32 payload;
	__u32 __reserved2;
};

#define UVM_WAIT_POLL		1	/* flag: say whether it is done, do not wait */

/**
 * struct uvm_wait - UVM_IOC_WAIT: wait for asynchronous work
 * @size: sizeof
 * @flags: UVM_WAIT_POLL or 0
 * @fence: a fence, or 0 for all work of this VA space
 *
 * EAGAIN: with POLL, some asynchronous work of this VA space is not done; it may be work behind
 * @fence.
 */
struct uvm_wait {
	__u32 size;
	__u32 flags;
	__aligned_u64 fence;
};

#define UVM_ADVICE_PREFERRED_LOCATION	1	/* processor, or NONE to unset */
#define UVM_ADVICE_ACCESSED_BY		2	/* processor */
#define UVM_ADVICE_READ_DUPLICATE	3	/* processor must be NONE */

#define UVM_ADVISE_UNSET		1	/* flag: of ACCESSED_BY, READ_DUPLICATE */

/**
 * struct uvm_advise - UVM_IOC_ADVISE: policy of a span of managed memory
 * @size: sizeof
 * @flags: UVM_ADVISE_UNSET or 0
 * @base: start, page aligned
 * @length: bytes, page aligned, not 0
 * @advice: UVM_ADVICE_*
 * @processor: its argument; to unset ACCESSED_BY, NONE means every processor
 */
struct uvm_advise {
	__u32 size;
	__u32 flags;
	__aligned_u64 base;
	__aligned_u64 length;
	__u32 advice;
	__s32 processor;
};

/**
 * struct uvm_set_param - UVM_IOC_SET_PARAM: run-time parameter of this VA space
 * @size: sizeof
 * @flags: 0
 * @name: NUL terminated
 * @value: NUL terminated
 *
 * ENOENT unknown name; EINVAL bad value (never corrected); EBUSY too late:
 * memory of a GPU of the VA space is in use with another granularity.
 */
struct uvm_set_param {
	__u32 size;
	__u32 flags;
	char name[48];
	char value[48];
};

/**
 * struct uvm_get_param - UVM_IOC_GET_PARAM: list parameters
 * @size: sizeof
 * @flags: 0
 * @index: in: 0 ... until ENOENT
 * @__reserved: 0
 * @choices: out: its value is one of so many words, see UVM_IOC_GET_CHOICE, or if each of them has
 *	a sentence and is no policy, "none" or some of them with "+" between; 0: a number
 * @__pad: out: 0
 * @min: out: of a number
 * @max: out: of a number
 * @name: out
 * @value: out: in force for this VA space
 * @source: out: "default", "profile", "module", "va_space"
 * @what: out: description
 */
struct uvm_get_param {
	__u32 size;
	__u32 flags;
	__u32 index;
	__u32 __reserved;
	__u32 choices;
	__u32 __pad;
	__aligned_s64 min;
	__aligned_s64 max;
	char name[48];
	char value[48];
	char source[16];
	char what[128];
};

/* What the hardware tells while a policy is in force that has asked for it. */
#define UVM_FEED_ACCESSED	1	/* when GPU memory was accessed last (an extension) */
#define UVM_FEED_COUNTERS	2	/* access counters: memory used over the link */
#define UVM_FEED_WALKS		4	/* recorder: each page-walk hit, in order (an extension) */
#define UVM_FEED_HIR		8	/* recorder: page-walk hits, summed up (an extension) */
#define UVM_FEED_ACCESSES	16	/* recorder: accesses of each 64 KB (an extension) */
#define UVM_FEED_REQUESTS	32	/* recorder: requests for each 64 KB (an extension) */

/**
 * struct uvm_get_choice - UVM_IOC_GET_CHOICE: list the values that a parameter may have
 * @size: sizeof
 * @flags: 0
 * @param: in: index of the parameter, see UVM_IOC_GET_PARAM
 * @choice: in: 0 ... until ENOENT, in the order of their names if they are policies
 * @feeds: out: UVM_FEED_*: what the policy needs of the hardware
 * @__pad: out: 0
 * @kind: out: "eviction", "prefetch", ...; empty if it is no policy
 * @name: out: the value
 * @what: out: one sentence of a policy, or of a word of a list; else empty
 * @params: out: parameters that the policy looks at, separated by blanks
 */
struct uvm_get_choice {
	__u32 size;
	__u32 flags;
	__u32 param;
	__u32 choice;
	__u32 feeds;
	__u32 __pad;
	char kind[16];
	char name[48];
	char what[128];
	char params[256];
};

/**
 * struct uvm_get_policy_number - UVM_IOC_GET_POLICY_NUMBER: what the eviction policy tells
 * @size: sizeof
 * @flags: 0
 * @gpu: in: GPU of the VA space
 * @index: in: 0 ... until ENOENT
 * @value: out: the number, since the policy came into force
 * @name: out: what it is
 *
 * First what every policy was told of, then the recorder's part if the policy uses it, then what
 * the policy says: what these are depends on the policy, and may change.
 */
struct uvm_get_policy_number {
	__u32 size;
	__u32 flags;
	__s32 gpu;
	__u32 index;
	__aligned_u64 value;
	char name[32];
};

/* Phases of driver work; charged time by phase. */
enum uvm_phase {
	UVM_PHASE_FETCH,
	UVM_PHASE_PREPROCESS,
	UVM_PHASE_SERVICE,		/* locks, residency, prefetch decision */
	UVM_PHASE_PMA_ALLOC,
	UVM_PHASE_POPULATE,		/* population and zeroing */
	UVM_PHASE_CPU_UNMAP,
	UVM_PHASE_COPY,			/* set-up and wait of copies */
	UVM_PHASE_MAP,
	UVM_PHASE_EVICT,
	UVM_PHASE_REPLAY,		/* flush, replay, wait for it */
	UVM_PHASE_CPU_FAULT,
	UVM_PHASE_MIGRATE,		/* explicit migration */
	UVM_PHASE_COUNT
};

#define UVM_PHASE_MAX		24
#define UVM_BATCH_BUCKETS	16	/* bucket b: 2^b <= faults < 2^(b+1) */

/**
 * struct uvm_stats - UVM_IOC_STATS: counters since open (or since RESET)
 * @size: sizeof
 * @flags: UVM_STATS_RESET or 0: reset after reading
 * @faults_fetched: GPU fault records of this VA space taken from the ring
 * @faults_duplicate: of these, same page as another of the batch
 * @faults_serviced: of these, led to service or found the page present
 * @faults_read: by access type (all records)
 * @faults_write: by access type
 * @faults_atomic: by access type
 * @faults_prefetch: by access type
 * @faults_fatal: cancelled
 * @faults_cpu: CPU page faults served
 * @batches: batches with at least one fault of this VA space
 * @batch_faults_max: largest batch, records
 * @batch_bytes: bytes migrated to the GPU by batches
 * @batch_time_ns: batch begin to end
 * @batch_handling_ns: batch begin to first copy (or end, if none)
 * @batch_histogram: batches by size, see UVM_BATCH_BUCKETS
 * @replays: replays issued by batches of this VA space
 * @bytes_htod: migrated to GPU memory
 * @bytes_dtoh: migrated to system memory
 * @bytes_htod_demand: of @bytes_htod, faulted pages
 * @bytes_htod_prefetch: of @bytes_htod, prefetched by the prefetcher
 * @bytes_dtoh_eviction: of @bytes_dtoh, evicted
 * @evicted_chunks: root chunks (or less, see root_chunk_granularity) evicted that
 *	held pages of this VA space
 * @evicted_pages: 4K pages evicted
 * @premature_pages: evicted pages that faulted on the GPU again
 * @throttled: faults skipped for a CPU grant or throttling
 * @phase_ns: time by enum uvm_phase
 * @bytes_dtoh_prefetch: of @bytes_dtoh, prefetched by CPU faults
 * @faults_non_replayable: faults of copy engines
 * @fault_overflows: times the fault buffer was found to have overflown
 * @prefetch_disabled: times prefetch faults were switched off, see
 *	perf_reenable_prefetch_faults_lapse_msec
 * @thrashing_pages: pages that processors began to fight for
 * @throttles_cpu: times that the CPU slept since such a page was not its turn
 * @throttles_gpu: naps that a GPU was held back; @throttled counts its faults meanwhile
 * @pins_local: faults on such a page after which it was kept at who faulted
 * @pins_remote: or elsewhere, in reach
 * @thrashing_resets: blocks that forgot about it after a while
 * @counter_notifications: access-counter notifications
 * @bytes_htod_counter: of @bytes_htod, because of them, with what the
 *	prefetcher added
 * @bytes_peer: copied from GPU memory to the memory of a peer directly; neither in
 *	@bytes_htod nor in @bytes_dtoh
 * @faults_flushed: fault records dropped unread; what they stood for faults again.
 *	Those of every VA space on the GPU, in the books of the one being served
 * @returned_pages: 4K pages that came to a GPU which they had been evicted from; faulted ones,
 *	that is @premature_pages, and others
 *
 * All words behind the head are 64 bits; new ones come at the end.
 */
struct uvm_stats {
	__u32 size;
	__u32 flags;
	__aligned_u64 faults_fetched;
	__aligned_u64 faults_duplicate;
	__aligned_u64 faults_serviced;
	__aligned_u64 faults_read;
	__aligned_u64 faults_write;
	__aligned_u64 faults_atomic;
	__aligned_u64 faults_prefetch;
	__aligned_u64 faults_fatal;
	__aligned_u64 faults_cpu;
	__aligned_u64 batches;
	__aligned_u64 batch_faults_max;
	__aligned_u64 batch_bytes;
	__aligned_u64 batch_time_ns;
	__aligned_u64 batch_handling_ns;
	__aligned_u64 batch_histogram[UVM_BATCH_BUCKETS];
	__aligned_u64 replays;
	__aligned_u64 bytes_htod;
	__aligned_u64 bytes_dtoh;
	__aligned_u64 bytes_htod_demand;
	__aligned_u64 bytes_htod_prefetch;
	__aligned_u64 bytes_dtoh_eviction;
	__aligned_u64 evicted_chunks;
	__aligned_u64 evicted_pages;
	__aligned_u64 premature_pages;
	__aligned_u64 throttled;
	__aligned_u64 phase_ns[UVM_PHASE_MAX];
	__aligned_u64 bytes_dtoh_prefetch;
	__aligned_u64 faults_non_replayable;
	__aligned_u64 fault_overflows;
	__aligned_u64 prefetch_disabled;
	__aligned_u64 thrashing_pages;
	__aligned_u64 throttles_cpu;
	__aligned_u64 throttles_gpu;
	__aligned_u64 pins_local;
	__aligned_u64 pins_remote;
	__aligned_u64 thrashing_resets;
	__aligned_u64 counter_notifications;
	__aligned_u64 bytes_htod_counter;
	__aligned_u64 bytes_peer;
	__aligned_u64 faults_flushed;
	__aligned_u64 returned_pages;
};

#define UVM_STATS_RESET		1

/**
 * struct uvm_quiesce - UVM_IOC_QUIESCE: wait until nothing moves
 * @size: sizeof
 * @flags: 0
 *
 * Returns when the GPUs of this VA space are idle, their fault rings empty
 * and all driver work done.
 */
struct uvm_quiesce {
	__u32 size;
	__u32 flags;
};

/**
 * struct uvm_group - UVM_IOC_GROUP_CREATE, UVM_IOC_GROUP_DESTROY
 * @size: sizeof
 * @flags: 0
 * @id: out of CREATE, in of DESTROY (ENOENT)
 */
struct uvm_group {
	__u32 size;
	__u32 flags;
	__aligned_u64 id;
};

/**
 * struct uvm_group_set - UVM_IOC_GROUP_SET: put managed memory into a range group
 * @size: sizeof
 * @flags: 0
 * @base: start, page aligned
 * @length: bytes, page aligned, not 0
 * @id: a group (ENOENT), or 0: none
 *
 * Memory is in one group at most.  The prefetcher takes nothing from a group in
 * which no page faulted.
 */
struct uvm_group_set {
	__u32 size;
	__u32 flags;
	__aligned_u64 base;
	__aligned_u64 length;
	__aligned_u64 id;
};

#define UVM_GROUP_PREVENT	1	/* flag: prevent rather than allow */
#define UVM_GROUP_IDS		32

/**
 * struct uvm_group_migration - UVM_IOC_GROUP_MIGRATION: may groups be migrated?
 * @size: sizeof
 * @flags: UVM_GROUP_PREVENT or 0: allow
 * @count: of @ids, 1 ... UVM_GROUP_IDS
 * @__reserved: 0
 * @ids: groups (ENOENT)
 *
 * PREVENT moves their memory to its preferred location, which must be the CPU
 * (EINVAL none, ENODEV a GPU); UVM_IOC_MIGRATE and access counters leave it there.
 * Faults still move it where its advice says.
 */
struct uvm_group_migration {
	__u32 size;
	__u32 flags;
	__u32 count;
	__u32 __reserved;
	__aligned_u64 ids[UVM_GROUP_IDS];
};

/**
 * struct uvm_group_migrate - UVM_IOC_GROUP_MIGRATE: move everything of a group
 * @size: sizeof
 * @flags: 0
 * @id: the group (ENOENT)
 * @dst: processor
 * @__reserved: 0
 */
struct uvm_group_migrate {
	__u32 size;
	__u32 flags;
	__aligned_u64 id;
	__s32 dst;
	__u32 __reserved;
};

#define UVM_DISCARD_UNMAP	1	/* flag: unmap, so that writes are noticed */

/**
 * struct uvm_discard - UVM_IOC_DISCARD: the bytes of a span are not wanted any more
 * @size: sizeof
 * @flags: UVM_DISCARD_UNMAP or 0
 * @base: start, page aligned
 * @length: bytes, page aligned, not 0
 *
 * Discarded pages are evicted without being copied, and first.  They read as zero
 * or as something they held before, until a fault writes them or UVM_IOC_MIGRATE
 * moves them.  Without UNMAP a write through a mapping that exists is no fault:
 * the page stays discarded, and the write can be lost.
 */
struct uvm_discard {
	__u32 size;
	__u32 flags;
	__aligned_u64 base;
	__aligned_u64 length;
};

/**
 * struct uvm_populate - UVM_IOC_POPULATE: memory for pages that have none yet
 * @size: sizeof
 * @flags: 0
 * @base: start, page aligned
 * @length: bytes, page aligned, not 0
 * @dst: processor to have them, zeroed and mapped; others stay where they are
 * @__reserved: 0
 */
struct uvm_populate {
	__u32 size;
	__u32 flags;
	__aligned_u64 base;
	__aligned_u64 length;
	__s32 dst;
	__u32 __reserved;
};

/**
 * struct uvm_create_external_range - UVM_IOC_CREATE_EXTERNAL_RANGE: reserve addresses
 * @size: sizeof
 * @flags: 0
 * @base: start, page aligned
 * @length: bytes, page aligned, not 0
 *
 * For memory of SOFTGPU_IOC_ALLOC on the GPUs of this VA space.  The caller keeps
 * the addresses from other uses of his own (mmap with PROT_NONE).  EEXIST:
 * something of it is managed or external; mmap of managed memory over it fails
 * likewise.  Nothing there is migrated, and what is not mapped is not faulted in:
 * a GPU's access to it ends the launch or the copy with EFAULT.
 */
struct uvm_create_external_range {
	__u32 size;
	__u32 flags;
	__aligned_u64 base;
	__aligned_u64 length;
};

#define UVM_MAP_EXTERNAL_READ_ONLY	1	/* flag */

/**
 * struct uvm_map_external - UVM_IOC_MAP_EXTERNAL: map a memory object for a GPU
 * @size: sizeof
 * @flags: UVM_MAP_EXTERNAL_READ_ONLY or 0
 * @base: start, page aligned, in one external range
 * @length: bytes, page aligned, not 0
 * @offset: in the object, page aligned
 * @softgpu_fd: /dev/softgpuN that the object was allocated with
 * @handle: from SOFTGPU_IOC_ALLOC
 * @gpu: index of a registered GPU that gets the mapping
 * @__reserved: 0
 *
 * The GPU can use it when the call returns.  Pinned memory can be mapped for every
 * GPU, device memory for its own and for the peers of that in this VA space
 * (EOPNOTSUPP for others), atomics included.  What a peer has mapped is unmapped when
 * they are peers no more, by UVM_IOC_DISABLE_PEER_ACCESS or because either leaves.
 * EEXIST: something is mapped there; ENOENT: no such object, or not inside an external
 * range; EBADF: no file of a GPU; EINVAL also if the object ends before @length does.
 */
struct uvm_map_external {
	__u32 size;
	__u32 flags;
	__aligned_u64 base;
	__aligned_u64 length;
	__aligned_u64 offset;
	__s32 softgpu_fd;
	__u32 handle;
	__s32 gpu;
	__u32 __reserved;
};

/**
 * struct uvm_unmap_external - UVM_IOC_UNMAP_EXTERNAL: the reverse
 * @size: sizeof
 * @flags: 0
 * @base: start, page aligned
 * @length: bytes, page aligned, not 0
 * @gpu: of this GPU
 * @__reserved: 0
 *
 * All maps in the span; ENOENT if there is none, EINVAL if one lies in it only in
 * part.  On return the GPU does not use the memory through them any more.
 */
struct uvm_unmap_external {
	__u32 size;
	__u32 flags;
	__aligned_u64 base;
	__aligned_u64 length;
	__s32 gpu;
	__u32 __reserved;
};

/**
 * struct uvm_free_external_range - UVM_IOC_FREE_EXTERNAL_RANGE: give addresses back
 * @size: sizeof
 * @flags: 0
 * @base: of a range made by UVM_IOC_CREATE_EXTERNAL_RANGE
 * @length: of that range
 *
 * What is mapped there is unmapped.  ENOENT: there is no such range.
 */
struct uvm_free_external_range {
	__u32 size;
	__u32 flags;
	__aligned_u64 base;
	__aligned_u64 length;
};

/**
 * struct uvm_config_access_counters - UVM_IOC_CONFIG_ACCESS_COUNTERS: count remote accesses
 * @size: sizeof
 * @flags: 0
 * @gpu: index of the GPU, registered
 * @enable: 1: count, whatever the parameters say; 0: as the parameters say
 * @granularity: bytes per counter: 64K, 2M, 16M, 16G; 0: as
 *	perf_access_counter_granularity says
 * @threshold: accesses before a counter notifies, at most 65535; 0: as
 *	perf_access_counter_threshold says
 * @__reserved: 0
 *
 * A counter that notifies is an event.  It is cleared when its pages have been
 * migrated, which perf_access_counter_migration_enable decides about; else it is
 * silent until UVM_IOC_CLEAR_ACCESS_COUNTERS.  On a GPU whose accesses wait for their
 * counter the driver clears it in any case.  Threshold and granularity are the
 * GPU's: the VA space that sets them last decides for all.
 */
struct uvm_config_access_counters {
	__u32 size;
	__u32 flags;
	__s32 gpu;
	__u32 enable;
	__aligned_u64 granularity;
	__u32 threshold;
	__u32 __reserved;
};

/**
 * struct uvm_clear_access_counters - UVM_IOC_CLEAR_ACCESS_COUNTERS: begin at 0
 * @size: sizeof
 * @flags: 0
 * @gpu: index of the GPU, registered, or UVM_PROCESSOR_NONE for all that are
 * @__reserved: 0
 *
 * Clears all counters of the GPU, also those of other VA spaces.
 */
struct uvm_clear_access_counters {
	__u32 size;
	__u32 flags;
	__s32 gpu;
	__u32 __reserved;
};

/**
 * struct uvm_peer_access - UVM_IOC_ENABLE_PEER_ACCESS, UVM_IOC_DISABLE_PEER_ACCESS
 * @size: sizeof
 * @flags: 0
 * @gpu_a: index of a GPU, registered
 * @gpu_b: of another one
 *
 * Peers map each other's memory, where advice or thrashing says so, and pages move
 * between them without a stop in system memory.  Over PCIe atomics need the page at
 * home, over NVLink they do not.  Device memory of one can be mapped for the other
 * (UVM_IOC_MAP_EXTERNAL).  What NVLink joins are peers from the moment both are
 * registered; a GPU that leaves is nobody's peer.
 *
 * EINVAL: a GPU and itself; EOPNOTSUPP: nothing joins them (profile key peer_link);
 * EEXIST, of ENABLE: they are peers; ENOENT, of DISABLE: they are not.  When DISABLE
 * returns neither uses the other's memory: kernels that do fault.  Its external maps
 * are gone, and ENABLE brings none back.  ENOMEM, or EINTR if it is killed: they
 * still are peers.
 */
struct uvm_peer_access {
	__u32 size;
	__u32 flags;
	__s32 gpu_a;
	__s32 gpu_b;
};

#define UVM_IOC_REGISTER_GPU	_IO(UVM_IOC_TYPE, 0x00)
#define UVM_IOC_UNREGISTER_GPU	_IO(UVM_IOC_TYPE, 0x01)
#define UVM_IOC_MIGRATE		_IO(UVM_IOC_TYPE, 0x02)
#define UVM_IOC_WAIT		_IO(UVM_IOC_TYPE, 0x03)
#define UVM_IOC_ADVISE		_IO(UVM_IOC_TYPE, 0x04)
#define UVM_IOC_SET_PARAM	_IO(UVM_IOC_TYPE, 0x05)
#define UVM_IOC_GET_PARAM	_IO(UVM_IOC_TYPE, 0x06)
#define UVM_IOC_STATS		_IO(UVM_IOC_TYPE, 0x07)
#define UVM_IOC_QUIESCE		_IO(UVM_IOC_TYPE, 0x08)
#define UVM_IOC_GROUP_CREATE	_IO(UVM_IOC_TYPE, 0x09)
#define UVM_IOC_GROUP_DESTROY	_IO(UVM_IOC_TYPE, 0x0a)
#define UVM_IOC_GROUP_SET	_IO(UVM_IOC_TYPE, 0x0b)
#define UVM_IOC_GROUP_MIGRATION	_IO(UVM_IOC_TYPE, 0x0c)
#define UVM_IOC_GROUP_MIGRATE	_IO(UVM_IOC_TYPE, 0x0d)
#define UVM_IOC_DISCARD		_IO(UVM_IOC_TYPE, 0x0e)
#define UVM_IOC_POPULATE	_IO(UVM_IOC_TYPE, 0x0f)
#define UVM_IOC_CREATE_EXTERNAL_RANGE	_IO(UVM_IOC_TYPE, 0x10)
#define UVM_IOC_MAP_EXTERNAL		_IO(UVM_IOC_TYPE, 0x11)
#define UVM_IOC_UNMAP_EXTERNAL		_IO(UVM_IOC_TYPE, 0x12)
#define UVM_IOC_FREE_EXTERNAL_RANGE	_IO(UVM_IOC_TYPE, 0x13)
#define UVM_IOC_ENABLE_PEER_ACCESS	_IO(UVM_IOC_TYPE, 0x14)
#define UVM_IOC_DISABLE_PEER_ACCESS	_IO(UVM_IOC_TYPE, 0x15)
#define UVM_IOC_CONFIG_ACCESS_COUNTERS	_IO(UVM_IOC_TYPE, 0x18)
#define UVM_IOC_CLEAR_ACCESS_COUNTERS _IO(UVM_IOC_TYPE, 0x19)
#define UVM_IOC_RESIDENCY	_IO(UVM_IOC_TYPE, 0x1a)
#define UVM_IOC_EVICT		_IO(UVM_IOC_TYPE, 0x1b)
#define UVM_IOC_VALIDATE_RANGE	_IO(UVM_IOC_TYPE, 0x1c)
#define UVM_IOC_PAGEABLE_ACCESS	_IO(UVM_IOC_TYPE, 0x1d)
#define UVM_IOC_GET_CHOICE	_IO(UVM_IOC_TYPE, 0x1e)
#define UVM_IOC_GET_POLICY_NUMBER	_IO(UVM_IOC_TYPE, 0x1f)
#define UVM_IOC_SET_STAYS	_IO(UVM_IOC_TYPE, 0x20)
#define UVM_IOC_SET_USES	_IO(UVM_IOC_TYPE, 0x21)
#define UVM_IOC_PATTERN		_IO(UVM_IOC_TYPE, 0x22)

/* ---- /dev/uvm-tools: event queues ------------------------------------ */

/**
 * struct uvm_tools_attach - UVM_TOOLS_IOC_ATTACH: listen to one VA space
 * @size: sizeof
 * @flags: 0
 * @uvm_fd: open /dev/uvm
 * @entries: queue length, a power of two, 64 ... 2^20
 * @event_mask: bit per enum uvm_event_type
 *
 * Then read(2) returns whole struct uvm_event records (blocking unless
 * O_NONBLOCK; 0 after the VA space is gone), poll(2) works.  On the virtual
 * clock a full queue stops the clock until it is drained, so nothing is lost;
 * on the real clock records are dropped and counted.
 */
struct uvm_tools_attach {
	__u32 size;
	__u32 flags;
	__s32 uvm_fd;
	__u32 entries;
	__aligned_u64 event_mask;
};

/**
 * struct uvm_tools_status - UVM_TOOLS_IOC_STATUS
 * @size: sizeof
 * @flags: 0
 * @queued: out: records waiting
 * @dropped: out: records lost (real clock only)
 * @dropped_by_type: out: the same by enum uvm_event_type
 */
struct uvm_tools_status {
	__u32 size;
	__u32 flags;
	__aligned_u64 queued;
	__aligned_u64 dropped;
	__aligned_u64 dropped_by_type[UVM_EVENT_TYPES_MAX];
};

/**
 * struct uvm_tools_threshold - UVM_TOOLS_IOC_THRESHOLD: when the reader is woken
 * @size: sizeof
 * @flags: 0
 * @entries: records that make the queue readable for poll(2) and a blocking
 *	read(2); 1 (the default) ... length of the queue
 * @__reserved: 0
 *
 * A read with O_NONBLOCK takes what there is.  The end of the VA space makes
 * the rest readable.
 */
struct uvm_tools_threshold {
	__u32 size;
	__u32 flags;
	__u32 entries;
	__u32 __reserved;
};

/**
 * struct uvm_tools_events - UVM_TOOLS_IOC_ENABLE, _DISABLE: listen to more or fewer types
 * @size: sizeof
 * @flags: 0
 * @event_mask: bit per enum uvm_event_type to begin or to stop listening to
 *
 * From now on; what is queued stays.  ENODEV: the VA space is gone.
 */
struct uvm_tools_events {
	__u32 size;
	__u32 flags;
	__aligned_u64 event_mask;
};

/**
 * struct uvm_tools_flush - UVM_TOOLS_IOC_FLUSH: get what happened until now
 * @size: sizeof
 * @flags: 0
 *
 * Events of copies that the GPU has finished are queued, if they were not yet,
 * and all that is queued is readable, whatever the threshold.
 */
struct uvm_tools_flush {
	__u32 size;
	__u32 flags;
};

/**
 * struct uvm_tools_gpu_stats - UVM_TOOLS_IOC_GPU_STATS: counters of one GPU
 * @size: sizeof
 * @flags: 0
 * @gpu: in: index
 * @__reserved: 0
 * @stats: out: as UVM_IOC_STATS, over all VA spaces since load
 */
struct uvm_tools_gpu_stats {
	__u32 size;
	__u32 flags;
	__s32 gpu;
	__u32 __reserved;
	struct uvm_stats stats;
};

#define UVM_COUNTER_PROCESSORS	16	/* 0: the CPU, 1 + N: GPU N */

/**
 * struct uvm_counters - counters of one processor
 * @bytes_from: bytes migrated to this processor, by where they came from
 * @prefetch_bytes_from: of these, what the prefetcher added to faults
 * @faults: of this processor: GPU fault records fetched, CPU page faults served
 * @faults_duplicate: of these, merged or same page as another of the batch
 * @faults_prefetch: by access type (all records)
 * @faults_read: by access type
 * @faults_write: by access type
 * @faults_atomic: by access type
 * @fault_pages_in: 4K pages that replayable faults of GPUs moved here
 * @fault_pages_out: 4K pages that they moved away from here
 * @replays_start: replays issued
 * @replays_start_ack_all: replays issued that are acknowledged (before a cancel)
 * @bytes_populated: of pages that came to the memory of this processor without a copy:
 *	they were nowhere before, or discarded
 * @bytes_resident: of pages that are in its memory now
 */
struct uvm_counters {
	__aligned_u64 bytes_from[UVM_COUNTER_PROCESSORS];
	__aligned_u64 prefetch_bytes_from[UVM_COUNTER_PROCESSORS];
	__aligned_u64 faults;
	__aligned_u64 faults_duplicate;
	__aligned_u64 faults_prefetch;
	__aligned_u64 faults_read;
	__aligned_u64 faults_write;
	__aligned_u64 faults_atomic;
	__aligned_u64 fault_pages_in;
	__aligned_u64 fault_pages_out;
	__aligned_u64 replays_start;
	__aligned_u64 replays_start_ack_all;
	__aligned_u64 bytes_populated;
	__aligned_u64 bytes_resident;
};

/**
 * struct uvm_tools_counters - UVM_TOOLS_IOC_COUNTERS: counters of one processor
 * @size: sizeof
 * @flags: 0
 * @uvm_fd: open /dev/uvm: in this VA space since it was opened; -1: over all VA
 *	spaces since load
 * @processor: UVM_PROCESSOR_CPU or the index of a GPU
 * @counters: out
 *
 * UVM_IOC_STATS with UVM_STATS_RESET does not reset them.  New members of struct
 * uvm_counters come at its end.
 */
struct uvm_tools_counters {
	__u32 size;
	__u32 flags;
	__s32 uvm_fd;
	__s32 processor;
	struct uvm_counters counters;
};

#define UVM_TOOLS_IOC_ATTACH	_IO(UVM_IOC_TYPE, 0x40)
#define UVM_TOOLS_IOC_STATUS	_IO(UVM_IOC_TYPE, 0x41)
#define UVM_TOOLS_IOC_GPU_STATS	_IO(UVM_IOC_TYPE, 0x42)
#define UVM_TOOLS_IOC_THRESHOLD	_IO(UVM_IOC_TYPE, 0x43)
#define UVM_TOOLS_IOC_ENABLE	_IO(UVM_IOC_TYPE, 0x44)
#define UVM_TOOLS_IOC_DISABLE	_IO(UVM_IOC_TYPE, 0x45)
#define UVM_TOOLS_IOC_FLUSH	_IO(UVM_IOC_TYPE, 0x46)
#define UVM_TOOLS_IOC_COUNTERS	_IO(UVM_IOC_TYPE, 0x47)

#endif
