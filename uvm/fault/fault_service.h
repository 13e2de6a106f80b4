/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Replayable faults of one GPU: interrupt, bottom half, batches.
 */
#ifndef UVM_FAULT_SERVICE_H
#define UVM_FAULT_SERVICE_H

#include <linux/types.h>
#include <softgpu/sim.h>
#include "model/fault_batch.h"
#include "model/fault_governor.h"
#include "gpu/tracker.h"

struct uvm_gpu;
struct uvm_service;
struct uvm_work;
struct uvm_replay_policy;

/*
 * Replays that may wait for the GPU on the real clock.  Each brings back, as new
 * records, what was fetched and not yet mapped when it was issued; a driver that
 * runs further ahead serves them all for nothing, and replays after each.  Not a
 * rule of nvidia-uvm: hardware replays in a microsecond, the device's threads
 * take a hundred.
 */
#define UVM_REPLAYS_UNDER_WAY	8

/**
 * struct uvm_fault_service - replayable faults of one GPU
 * @gpu: the GPU
 * @service_lock: taken by trylock in the top half, kept over the hand-over,
 *	released by the bottom half; orders all readers of the ring
 * @bottom_half: the thread that serves
 * @kicked: it has the lock and shall serve
 * @ahead: the top half has found memory full: evict, then charge the wake-up
 * @enabled: faults are to be handled; cleared at teardown
 * @cached_get: ring index of the next record to read
 * @cached_put: last PUT read from the register
 * @entries: ring size
 * @origin: the extension REG_CAP_FAULT_ORIGIN is on
 * @batch_id: batches so far; 0 is no batch
 * @batch: records of the current batch
 * @batch_tracker: work that a replay must wait for
 * @replay_tracker: replays under way
 * @last_replays: the latest ones, number n at n modulo their number; no channel:
 *	none yet.  For those who take pages away, and to bound how many wait
 * @last_replay_lock: protects @last_replays and writes of @replays, a leaf
 * @service: scratch for serving blocks
 * @governor: prefetch faults on or off
 * @overflow: the ring has overflown; noticed when GET is written
 * @owed: records were fetched or dropped since the last replay
 * @interrupts: top halves run
 * @replays: replays issued
 */
struct uvm_fault_service {
	struct uvm_gpu *gpu;
	struct sim_sem service_lock;
	struct sim_kthread bottom_half;
	bool kicked;
	bool ahead;
	bool enabled;
	unsigned int cached_get;
	unsigned int cached_put;
	unsigned int entries;
	bool origin;
	u64 batch_id;
	struct uvm_fault_batch batch;
	struct uvm_tracker batch_tracker;
	struct uvm_tracker replay_tracker;
	struct uvm_tracker_entry last_replays[UVM_REPLAYS_UNDER_WAY];
	spinlock_t last_replay_lock;	/* last_replays, replays */
	struct uvm_service *service;
	struct uvm_fault_governor governor;
	bool overflow;
	bool owed;
	u64 interrupts;
	u64 replays;
};

/* isr.c */
int uvm_isr_init(struct uvm_gpu *gpu);
void uvm_isr_exit(struct uvm_gpu *gpu);
/* Give the service lock back: enable, make the device re-evaluate, release. */
void uvm_isr_unlock(struct uvm_gpu *gpu);
void uvm_isr_revive(struct uvm_gpu *gpu);
/* A first user: prefetch faults are on. */
void uvm_fault_governor_reset(struct uvm_gpu *gpu);
/* Wait until no bottom half runs or is due. */
void uvm_isr_flush(struct uvm_gpu *gpu);
bool uvm_faults_pending(struct uvm_gpu *gpu);

/* fault_service.c: one run of the bottom half; service lock held. */
void uvm_fault_service_run(struct uvm_gpu *gpu);
struct uvm_gpu_va_space;
void uvm_fault_last_replay(struct uvm_gpu *gpu, struct uvm_gpu_va_space *owner,
			   u64 replays_before);

/* fault_buffer.c: ring and replays */
enum uvm_fetch_mode {
	UVM_FETCH_READY,	/* stop at the first record that is not valid yet */
	UVM_FETCH_ALL,		/* wait for every record up to PUT */
};

unsigned int uvm_fault_fetch(struct uvm_gpu *gpu, unsigned int max, enum uvm_fetch_mode mode,
			     struct uvm_work *work);

unsigned int uvm_fault_records(struct uvm_gpu *gpu);

enum uvm_flush_mode {
	UVM_FLUSH_CACHED_PUT,
	UVM_FLUSH_UPDATE_PUT,
	UVM_FLUSH_WAIT_UPDATE_PUT,
};

unsigned int uvm_fault_flush(struct uvm_gpu *gpu, enum uvm_flush_mode mode,
			     struct uvm_work *work);
int uvm_fault_replay(struct uvm_gpu *gpu, unsigned int type, unsigned int flushed,
		     struct uvm_work *work);

/* Have @tracker wait for the latest replay as well.  Return: 0 or -EIO. */
int uvm_fault_track_replay(struct uvm_gpu *gpu, struct uvm_tracker *tracker);

/* fault_preprocess.c: whose faults are they, in which order are they served */
int uvm_fault_preprocess(struct uvm_gpu *gpu, struct uvm_work *work);
/* Have the event say who made the access, if the device said so. */
void uvm_fault_event_origin(struct uvm_event *ev, const struct uvm_fault *fault);

/**
 * struct uvm_fault_run - serving one batch
 * @gpu: the GPU
 * @work: charged
 * @owner: out: VA space of the first fault; stays while the bottom half runs
 * @policy: replay policy in force
 * @bytes: out: migrated to the GPU
 * @first_copy_ns: out: driver time of the first copy, 0 if none
 * @blocks: out: blocks served
 * @throttled: out: faults left for later
 * @served: of the block being looked at, faults that this attempt serves
 * @cancelling: the batch was fetched to cancel what is fatal: no replay meanwhile
 */
struct uvm_fault_run {
	struct uvm_gpu *gpu;
	struct uvm_work *work;
	struct uvm_gpu_va_space *owner;
	const struct uvm_replay_ops *policy;
	u64 bytes;
	u64 first_copy_ns;
	unsigned int blocks;
	unsigned int throttled;
	unsigned int served;
	bool cancelling;
};

/* fault_block.c: serve the faults of one VA space, sorted[first ... outer) */
void uvm_fault_serve(struct uvm_fault_run *run, struct uvm_gpu_va_space *gvs,
		     unsigned int first, unsigned int outer);

/**
 * struct uvm_fault_group - faults of one block, for attempts at serving them
 * @run: the batch
 * @gvs: the VA space on this GPU
 * @first: index of the first in sorted[]
 * @outer: one past the last
 */
struct uvm_fault_group {
	struct uvm_fault_run *run;
	struct uvm_gpu_va_space *gvs;
	unsigned int first;
	unsigned int outer;
};

int uvm_fault_attempt(struct uvm_service *service, const void *arg);

/* fault_cancel.c: precise cancel of the fatal faults of one VA space */
int uvm_fault_cancel(struct uvm_fault_run *run, u64 instance);

#endif
