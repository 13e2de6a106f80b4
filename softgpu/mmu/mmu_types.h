/* SPDX-License-Identifier: GPL-2.0 */
/* Structures of the MMU, private to mmu*.c apart from the counters; see mmu.h. */
#ifndef SOFTGPU_MMU_TYPES_H
#define SOFTGPU_MMU_TYPES_H

#include <linux/bitmap.h>
#include <linux/list.h>
#include <linux/rbtree.h>
#include <linux/wait.h>
#include <softgpu/rm.h>
#include "clock/clock.h"
#include "mmu/far_fault_types.h"
#include "mmu/tlb_types.h"

struct rm_gpu;
struct sgpu_mshr;

/* Real clock: worker of the MMU, the fault buffer, the recorder and the interrupt. */
#define SGPU_WORKER_MMU		0

#define SGPU_MMU_REPLAYS	8	/* replays under way at once */
#define SGPU_MMU_BUCKETS	64	/* of a uTLB's MSHRs in use */
#define SGPU_MMU_SMS_MAX	1024
#define SGPU_MMU_L2_PORTS	16

/**
 * struct sgpu_address_space - what the MMU knows of a context
 * @instance: instance pointer, goes into fault records
 * @bound: a page directory is set
 * @pdb_aperture: where the root directory is
 * @pdb: its physical address; with the aperture it tags TLB entries
 * @cancel_page: page whose accesses are about to be cancelled; the MMU's lock
 * @cancel_error: why, positive errno; likewise
 */
struct sgpu_address_space {
	u64 instance;
	bool bound;
	enum rm_aperture pdb_aperture;
	u64 pdb;
	u64 cancel_page;
	int cancel_error;
};

enum sgpu_access_kind {
	SGPU_READ,
	SGPU_WRITE,
	SGPU_ATOMIC,
	SGPU_PREFETCH,
	SGPU_ACCESS_KINDS
};

enum sgpu_access_state {
	SGPU_ACCESS_FREE,		/* not the MMU's */
	SGPU_ACCESS_MSHR,		/* in the list of one */
	SGPU_ACCESS_STALLED,		/* waits for a free one */
	SGPU_ACCESS_HELD,		/* waits for its access counter to be cleared */
	SGPU_ACCESS_DONE,		/* in the list of call-backs to make */
};

/**
 * struct sgpu_translation - a successful translation of one 4K page
 * @aperture: where it points
 * @pa: physical address of the 4K page
 * @write: writes allowed
 * @atomic: atomics allowed
 */
struct sgpu_translation {
	enum rm_aperture aperture;
	u64 pa;
	bool write;
	bool atomic;
};

/**
 * struct sgpu_origin - who made an access
 * @cta: CTA of its launch
 * @pc: address of the instruction in the image window
 * @sm: SM of the GPU
 * @warp: warp of the CTA
 */
struct sgpu_origin {
	u64 cta;
	u64 pc;
	u32 sm;
	u32 warp;
};

/**
 * struct sgpu_access - one page of one warp memory instruction that missed
 * @node: the MMU's while it has the access
 * @as: address space
 * @va: address of the first lane (any byte of the page); canonical page = @va >> 12
 * @kind: access class
 * @sm: SM that issued it; gives uTLB, GPC and client
 * @warp: warp of @cta, for fault records
 * @cta: CTA of the launch, likewise
 * @pc: address of the instruction, likewise
 *
 * The rest is the MMU's: its place in the order of issue, the MSHR it waits in, its
 * state, the result (why it was cancelled, a positive errno, or a translation and its
 * epoch).
 */
struct sgpu_access {
	struct list_head node;
	struct sgpu_address_space *as;
	u64 va;
	enum sgpu_access_kind kind;
	unsigned int sm;
	u32 warp;
	u64 cta;
	u64 pc;
	/* private: the MMU's */
	u64 issue_seq;
	struct sgpu_mshr *mshr;
	u8 state;
	int error;
	struct sgpu_translation xlat;
	u64 epoch;
};

/**
 * struct sgpu_mshr - a miss status holding register: one outstanding miss of a uTLB
 * @rb: in sgpu_mmu.due, while looked up in the L2 TLB or walked
 * @hash: in sgpu_utlb.buckets, while in use
 * @node: in sgpu_mmu.walk_wait, sgpu_utlb.faulted or sgpu_far_fault.mshrs
 * @accesses: those that wait for it, oldest first; all in the same miss_bytes
 * @as: address space
 * @page: what is translated, virtual address >> 12: that of its oldest access when
 *	the translation began
 * @due: when the present stage ends, ps
 * @seq: issue order of its oldest access
 * @count: length of @accesses
 * @utlb: index of the uTLB
 * @kind: access class
 * @state: enum sgpu_mshr_state
 * @replayed: a replay has looked it up again
 * @far: with far faults that wait: the page it waits for, NULL if none
 *
 * All members are protected by sgpu_mmu.lock.
 */
struct sgpu_mshr {
	struct rb_node rb;
	struct hlist_node hash;
	struct list_head node;
	struct list_head accesses;
	struct sgpu_address_space *as;
	u64 page;
	u64 due;
	u64 seq;
	u32 count;
	u16 utlb;
	u8 kind;
	u8 state;
	bool replayed;
	struct sgpu_far_fault *far;
};

/**
 * struct sgpu_utlb - one uTLB
 * @lock: real clock: protects @tlb and the counters; inside sgpu_mmu.lock
 * @tlb: the translations
 * @hits: lookups that hit
 * @misses: lookups that missed
 * @mshrs: outstanding misses, faulted ones too.  Protected by sgpu_mmu.lock, as all below
 * @used: bit per MSHR in use
 * @buckets: MSHRs in use, by what they cover
 * @stalled: accesses that found no free one (backpressure), in issue order
 * @faulted: MSHRs that wait for a replay, in issue order; none with far faults that wait
 * @port_ps: when its port can pass on another miss
 */
struct sgpu_utlb {
	spinlock_t lock;	/* see above */
	struct sgpu_tlb tlb;
	u64 hits;
	u64 misses;
	struct sgpu_mshr *mshrs;
	unsigned long *used;
	struct hlist_head buckets[SGPU_MMU_BUCKETS];
	struct list_head stalled;
	struct list_head faulted;
	u64 port_ps;
};

/**
 * struct sgpu_replay - a replay that is under way
 * @due: when accesses are let go, ps
 * @taken: how many fault records the driver had taken when it handed the replay over
 */
struct sgpu_replay {
	u64 due;
	u64 taken;
};

/**
 * struct sgpu_mmu_client - whom the MMU calls: the SMs, or a test
 * @translated: an access may be performed
 * @cancelled: an access ends unperformed, and why (positive errno)
 * @faulted: accesses of an SM wait for a replay from now on; only while
 *	sgpu_mmu.tell_faulted
 * @quiesce: real clock: return when no old translation is in use
 *
 * Called without the MMU's lock.
 */
struct sgpu_mmu_client {
	void (*translated)(struct rm_gpu *gpu, struct sgpu_access *access,
			   const struct sgpu_translation *xlat, u64 epoch);
	void (*cancelled)(struct rm_gpu *gpu, struct sgpu_access *access, int error);
	void (*faulted)(struct rm_gpu *gpu, unsigned int sm);
	void (*quiesce)(struct rm_gpu *gpu);
};

/**
 * struct sgpu_mmu - the MMU of one GPU
 * @lock: protects everything here but each uTLB's @tlb
 * @client: whom it calls: set by the unit above that makes accesses (sgpu_sm_array_init())
 * @quiesce_copies: real clock: as @client's, for copy engines; set by sgpu_host_init()
 * @real: real clock: uTLB locks are needed, due times are not
 * @event: the next thing due
 * @armed: when @event is queued for, U64_MAX if it is not
 * @replay_event: the next replay due
 * @due: misses in a timed stage, by (due, seq)
 * @walk_wait: misses that wait for a walker
 * @walking: walks in flight
 * @done: accesses to be called back
 * @held: accesses that wait for their access counter to be cleared, in order
 * @tell_faulted: the client wants to know of accesses that wait for a replay; no lock
 * @faulted: SMs to tell so
 * @faulted_any: there are some
 * @calling: access whose call-back runs
 * @caller: the thread that runs it
 * @called: woken when it returned
 * @l2: the shared L2 TLB
 * @utlbs: uTLBs
 * @by_sm: uTLB of each SM
 * @utlb_count: number of uTLBs
 * @utlb_mshrs: MSHRs of each
 * @mshr_shift: log2 of miss_bytes
 * @sms_per_utlb: SMs of a uTLB
 * @utlbs_per_gpc: uTLBs of a GPC
 * @walks_max: walks in flight at most
 * @issue_seq: of the next access
 * @cancel_before: what the driver may know of: @issue_seq when it last moved GET,
 *                 U64_MAX before it did so the first time; written under the fault
 *                 buffer's lock
 * @epoch: counts invalidates
 * @port_ps: a uTLB passes on one miss per
 * @l2_ps: L2 lookup
 * @l2_ports: L2 lookups that begin in one cycle; 0: any number
 * @l2_port_ps: by port: when it can take another one
 * @cycle_ps: of the SMs' clock
 * @walk_ps: walk
 * @replay_ps: replay method to first re-translation
 * @replays: the replays under way, oldest first
 * @replay_count: how many
 * @far: pages that accesses wait for, with far faults that wait
 * @waiting: accesses that wait for a replay (in MSHRs, and stalled for one)
 * @in_flight: misses being translated
 * @ignore_invalidate: fault injection: TLB invalidates do nothing
 * @lose_replay: fault injection: so many replays get lost
 * @walks: walks since load
 * @merged: accesses merged into an outstanding miss that faulted, since load
 * @faults: faults detected since load
 * @replayed: replays since load
 * @retried: records that replays have answered, since load: what they stand for was looked up
 *	again, or reported again
 * @holds: times that an access had to wait for its counter, since load
 * @released: times that one waited no longer, since load
 * @cancelled: accesses cancelled since load
 * @invalidates: TLB invalidates since load
 */
struct sgpu_mmu {
	spinlock_t lock;	/* everything but the uTLBs' @tlb */
	const struct sgpu_mmu_client *client;
	void (*quiesce_copies)(struct rm_gpu *gpu);
	bool real;
	struct sgpu_event event;
	u64 armed;
	struct sgpu_event replay_event;
	struct rb_root_cached due;
	struct list_head walk_wait;
	unsigned int walking;
	struct list_head done;
	struct list_head held;
	bool tell_faulted;
	DECLARE_BITMAP(faulted, SGPU_MMU_SMS_MAX);
	bool faulted_any;
	struct sgpu_access *calling;
	struct task_struct *caller;
	wait_queue_head_t called;
	struct sgpu_tlb l2;
	struct sgpu_utlb *utlbs;
	struct sgpu_utlb **by_sm;
	unsigned int utlb_count;
	unsigned int utlb_mshrs;
	unsigned int mshr_shift;
	unsigned int sms_per_utlb;
	unsigned int utlbs_per_gpc;
	unsigned int walks_max;
	u64 issue_seq;
	u64 cancel_before;
	atomic64_t epoch;
	u64 port_ps;
	u64 l2_ps;
	unsigned int l2_ports;
	u64 l2_port_ps[SGPU_MMU_L2_PORTS];
	u64 cycle_ps;
	u64 walk_ps;
	u64 replay_ps;
	struct sgpu_replay replays[SGPU_MMU_REPLAYS];
	unsigned int replay_count;
	struct sgpu_far_faults far;
	u64 waiting;
	u64 in_flight;
	bool ignore_invalidate;
	u32 lose_replay;
	u64 walks;
	u64 merged;
	u64 faults;
	u64 replayed;
	u64 retried;
	u64 holds;
	u64 released;
	u64 cancelled;
	u64 invalidates;
};

#endif
