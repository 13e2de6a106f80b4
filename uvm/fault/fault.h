/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Replayable faults of one GPU: interrupt, bottom half, batches.
 */
#ifndef UVM_FAULT_H
#define UVM_FAULT_H

#include <linux/types.h>
#include <softgpu/sim.h>
#include "model/fault_batch.h"
#include "model/fault_governor.h"
#include "gpu/tracker.h"
#include "fault/fault_service_types.h"

struct uvm_gpu;
struct uvm_service;
struct uvm_work;
struct uvm_replay_policy;

/* isr.c */
int uvm_isr_init(struct uvm_gpu *gpu);
void uvm_isr_exit(struct uvm_gpu *gpu);
void uvm_isr_revive(struct uvm_gpu *gpu);
/* A first user: prefetch faults are on. */
void uvm_fault_governor_reset(struct uvm_gpu *gpu);
/* Wait until no bottom half runs or is due. */
void uvm_isr_flush(struct uvm_gpu *gpu);
bool uvm_faults_pending(struct uvm_gpu *gpu);
bool uvm_fault_wait_first(struct uvm_gpu *gpu);

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

/* fault_preprocess.c: whose faults are they, in which order are they served */
int uvm_fault_preprocess(struct uvm_gpu *gpu, struct uvm_work *work);
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
