/* SPDX-License-Identifier: GPL-2.0 WITH Linux-syscall-note */
/*
 * Records of the driver's event queues (/dev/uvm-tools), part of <linux/uvm.h>.
 */
#ifndef _UAPI_LINUX_UVM_EVENTS_H
#define _UAPI_LINUX_UVM_EVENTS_H

#include <linux/types.h>

/* Which members of struct uvm_event say something of an event, besides gpu, time and batch. */
#define UVM_EVENT_HAS_SPAN	0x001	/* address, bytes */
#define UVM_EVENT_HAS_TYPE	0x002	/* fault_type */
#define UVM_EVENT_HAS_ACCESS	0x004	/* access */
#define UVM_EVENT_HAS_WAY	0x008	/* src, dst */
#define UVM_EVENT_HAS_CAUSE	0x010	/* cause */
#define UVM_EVENT_HAS_DURATION	0x020	/* duration_ns */
#define UVM_EVENT_HAS_UNIT	0x040	/* gpc, client, utlb; count: a duplicate */
#define UVM_EVENT_HAS_BATCH	0x080	/* count: faults; value: handling time */
#define UVM_EVENT_HAS_PHASE	0x100	/* count: phase; value: that in which it began */
#define UVM_EVENT_HAS_COUNTER	0x200	/* count: accesses; value: sub-regions */
#define UVM_EVENT_HAS_POLICY	0x400	/* count: wrong answers; value: the policy */
#define UVM_EVENT_HAS_HITS	0x800	/* count: hits, value: requests */
#define UVM_EVENT_HAS_PATTERN	0x1000	/* value: enum uvm_pattern */

/*
 * X(NAME, how users write it, UVM_EVENT_HAS_*), in the order of their numbers, from 1.  Each
 * has a line here.
 *
 *   GPU_FAULT			a record of the fault buffer; time: its hardware timestamp; a
 *				duplicate if its page is in the batch already
 *   CPU_FAULT			the CPU touches a page that it has not mapped so; time: entry of
 *				the handler
 *   MIGRATION			pages change residency; time: start of the first copy of the span
 *   EVICTION			a block loses a chunk; time: begin
 *   REPLAY			the GPU tries again what faulted; time: execution of the method by
 *				the host
 *   COPY			one copy; time: its start
 *   MAP_REMOTE			a processor maps memory of another, by policy, by thrashing
 *				(pinned there) or by eviction (from where it was)
 *   THROTTLE			a GPU's fault is left alone, since another processor keeps the
 *				page
 *   FATAL_FAULT		the fault was cancelled
 *   BATCH			the bottom half served faults; time: begin; handling time: begin
 *				to first copy
 *   PHASE			a piece of driver work spent time in a phase; time: begin.  In
 *				traces only
 *   READ_DUPLICATE		@dst has copies of its own, to read
 *   READ_DUPLICATE_INVALIDATE	only the copies of @dst are left
 *   FAULT_BUFFER_OVERFLOW	records were lost; they come again
 *   NON_REPLAYABLE		fault of copy engine @value
 *   THRASHING_DETECTED		processors take a page from each other; @src has it now
 *   THROTTLING_START		@src is held back from such a page: it is not its turn; the CPU
 *				sleeps
 *   THROTTLING_END		no longer; the CPU has slept
 *   ACCESS_COUNTER		a granule was accessed @count times where it was not the GPU's own
 *				memory
 *   POLICY_EJECTED		an eviction policy gave @count wrong answers: the default took
 *				over
 *   WALK_HIT			the recorder has told of page-walk hits of a page; time: when the
 *				driver read it.  Only while the eviction policy uses the recorder
 *   PATTERN			a policy sees the data of a managed range come in another order
 *				than before; address, bytes: the range; time: when they came
 */
#define UVM_EVENT_TYPES(X) \
	X(GPU_FAULT, "gpu_fault", UVM_EVENT_HAS_SPAN | UVM_EVENT_HAS_TYPE | \
				  UVM_EVENT_HAS_ACCESS | UVM_EVENT_HAS_UNIT) \
	X(CPU_FAULT, "cpu_fault", UVM_EVENT_HAS_SPAN | UVM_EVENT_HAS_ACCESS) \
	X(MIGRATION, "migration", UVM_EVENT_HAS_SPAN | UVM_EVENT_HAS_WAY | \
				  UVM_EVENT_HAS_CAUSE | UVM_EVENT_HAS_DURATION) \
	X(EVICTION, "eviction", UVM_EVENT_HAS_SPAN | UVM_EVENT_HAS_WAY | \
				UVM_EVENT_HAS_CAUSE | UVM_EVENT_HAS_DURATION) \
	X(REPLAY, "replay", 0) \
	X(COPY, "copy", UVM_EVENT_HAS_SPAN | UVM_EVENT_HAS_WAY | \
			UVM_EVENT_HAS_CAUSE | UVM_EVENT_HAS_DURATION) \
	X(MAP_REMOTE, "map_remote", UVM_EVENT_HAS_SPAN | UVM_EVENT_HAS_WAY | \
				    UVM_EVENT_HAS_CAUSE) \
	X(THROTTLE, "throttle", UVM_EVENT_HAS_SPAN | UVM_EVENT_HAS_DURATION) \
	X(FATAL_FAULT, "fatal_fault", UVM_EVENT_HAS_SPAN | UVM_EVENT_HAS_TYPE | \
				      UVM_EVENT_HAS_ACCESS) \
	X(BATCH, "batch", UVM_EVENT_HAS_BATCH | UVM_EVENT_HAS_DURATION) \
	X(PHASE, "phase", UVM_EVENT_HAS_PHASE | UVM_EVENT_HAS_DURATION) \
	X(READ_DUPLICATE, "read_duplicate", UVM_EVENT_HAS_SPAN | UVM_EVENT_HAS_WAY | \
					    UVM_EVENT_HAS_CAUSE) \
	X(READ_DUPLICATE_INVALIDATE, "read_duplicate_invalidate", \
	  UVM_EVENT_HAS_SPAN | UVM_EVENT_HAS_WAY | UVM_EVENT_HAS_CAUSE) \
	X(FAULT_BUFFER_OVERFLOW, "fault_buffer_overflow", 0) \
	X(NON_REPLAYABLE, "non_replayable_fault", UVM_EVENT_HAS_SPAN | UVM_EVENT_HAS_TYPE | \
						  UVM_EVENT_HAS_ACCESS) \
	X(THRASHING_DETECTED, "thrashing_detected", UVM_EVENT_HAS_SPAN | UVM_EVENT_HAS_WAY) \
	X(THROTTLING_START, "throttling_start", UVM_EVENT_HAS_SPAN | UVM_EVENT_HAS_WAY) \
	X(THROTTLING_END, "throttling_end", UVM_EVENT_HAS_SPAN | UVM_EVENT_HAS_WAY) \
	X(ACCESS_COUNTER, "access_counter", UVM_EVENT_HAS_SPAN | UVM_EVENT_HAS_WAY | \
					    UVM_EVENT_HAS_COUNTER) \
	X(POLICY_EJECTED, "policy_ejected", UVM_EVENT_HAS_POLICY | UVM_EVENT_HAS_CAUSE) \
	X(WALK_HIT, "walk_hit", UVM_EVENT_HAS_SPAN | UVM_EVENT_HAS_HITS) \
	X(PATTERN, "pattern", UVM_EVENT_HAS_SPAN | UVM_EVENT_HAS_PATTERN)

enum uvm_event_type {
	UVM_EVENT_NONE,
#define X(name, text, fields) UVM_EVENT_##name,
	UVM_EVENT_TYPES(X)
#undef X
	UVM_EVENT_COUNT
};

#define UVM_EVENT_TYPES_MAX	64	/* event types fit in a mask */

enum uvm_event_cause {
	UVM_CAUSE_NONE,
	UVM_CAUSE_FAULT,	/* demand: the faulting pages */
	UVM_CAUSE_PREFETCH,	/* the prefetcher */
	UVM_CAUSE_EVICTION,
	UVM_CAUSE_USER,		/* explicit migration */
	UVM_CAUSE_CPU_FAULT,
	UVM_CAUSE_POLICY,
	UVM_CAUSE_UNREGISTER,
	UVM_CAUSE_THRASHING,	/* kept in one place since processors fight for it */
	UVM_CAUSE_ACCESS_COUNTER,
	UVM_CAUSE_NON_REPLAYABLE,	/* a copy engine faulted on the page */
};

/* uvm_event.fault_type */
enum uvm_fault_type {
	UVM_FAULT_NONE,
	UVM_FAULT_INVALID_PDE,
	UVM_FAULT_INVALID_PTE,
	UVM_FAULT_RO_VIOLATION,
	UVM_FAULT_ATOMIC_VIOLATION,
	UVM_FAULT_OTHER,
};

/*
 * X(NAME, how users write it): in what order the data of a managed range come to a GPU, launch by
 * launch (adaptive framework, DATE 2021, III-A): nothing has come; by ascending addresses in each
 * launch; in no order; in order in some launches, and in none in others.  REUSE: some have come
 * twice.
 */
#define UVM_PATTERNS(X) \
	X(UNDECIDED, "undecided") \
	X(LINEAR, "linear") \
	X(LINEAR_REUSE, "linear_reuse") \
	X(RANDOM, "random") \
	X(RANDOM_REUSE, "random_reuse") \
	X(MIXED, "mixed") \
	X(MIXED_REUSE, "mixed_reuse")

/* uvm_event.value of PATTERN */
enum uvm_pattern {
#define X(name, text) UVM_PATTERN_##name,
	UVM_PATTERNS(X)
#undef X
	UVM_PATTERN_COUNT
};

/* uvm_event.access */
enum uvm_access {
	UVM_ACCESS_PREFETCH,
	UVM_ACCESS_READ,
	UVM_ACCESS_WRITE,
	UVM_ACCESS_ATOMIC,
};

/*
 * uvm_event.flags: a GPU fault or fatal fault says who made the oldest access
 * that waits (module parameter fault_origin).
 */
#define UVM_EVENT_ORIGIN	1

/**
 * struct uvm_event - one record of an event queue
 * @type: enum uvm_event_type
 * @gpu: GPU concerned, or UVM_PROCESSOR_CPU
 * @time_ns: record timestamp of a GPU fault; start of a copy or migration;
 *	execution of the method of a replay
 * @duration_ns: where it applies
 * @address: virtual address
 * @bytes: size; ACCESS_COUNTER: of the granule that @address lies in
 * @batch: batch id on that GPU, 0 if none
 * @src: processor
 * @dst: processor; ACCESS_COUNTER: whose memory was accessed last, UVM_PROCESSOR_NONE for
 *	a peer's
 * @cause: enum uvm_event_cause
 * @fault_type: enum uvm_fault_type
 * @access: enum uvm_access
 * @gpc: of a GPU fault
 * @client: of a GPU fault
 * @utlb: of a GPU fault
 * @count: BATCH: faults of the batch; GPU_FAULT: 1 if a duplicate; PHASE: enum
 *	uvm_phase; ACCESS_COUNTER: accesses; POLICY_EJECTED: wrong answers;
 *	WALK_HIT: hits
 * @value: BATCH: handling time in ns; NON_REPLAYABLE: number of the copy engine; PHASE: enum
 *	uvm_phase in which the work began: FETCH or REPLAY for the bottom half of @gpu,
 *	CPU_FAULT, MIGRATE; ACCESS_COUNTER: bit per sub-region of the granule that was
 *	accessed, 32 of at least 64K each; POLICY_EJECTED: number of the policy among the
 *	choices of its parameter; WALK_HIT: requests that the walk served, 0 if that is not known;
 *	PATTERN: enum uvm_pattern
 * @sm: with %UVM_EVENT_ORIGIN: SM of the GPU
 * @warp: with %UVM_EVENT_ORIGIN: warp of the block
 * @block: with %UVM_EVENT_ORIGIN: block of the launch
 * @pc: with %UVM_EVENT_ORIGIN: address of the instruction, as in
 *	&struct softgpu_wait
 * @flags: UVM_EVENT_ORIGIN
 * @__reserved: 0
 */
struct uvm_event {
	__u16 type;
	__s16 gpu;
	__u32 count;
	__aligned_u64 time_ns;
	__aligned_u64 duration_ns;
	__aligned_u64 address;
	__aligned_u64 bytes;
	__aligned_u64 batch;
	__s16 src;
	__s16 dst;
	__u8 cause;
	__u8 fault_type;
	__u8 access;
	__u8 gpc;
	__u16 client;
	__u16 utlb;
	__u16 sm;
	__u16 warp;
	__aligned_u64 value;
	__aligned_u64 block;
	__aligned_u64 pc;
	__u32 flags;
	__u32 __reserved;
};

#endif
