/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Access counters of one GPU: configuration, interrupt, service (nvidia-uvm
 * 2.12).
 *
 * The hardware counts while some VA space of the GPU wants it to: because its
 * residency policy delays migrations until a counter says that a page is worth
 * it, because perf_access_counter_migration_enable says so, or because of
 * UVM_IOC_CONFIG_ACCESS_COUNTERS; and while the GPU's eviction policy wants to be
 * told.  Threshold and granularity are the GPU's: who sets them last, wins.
 *
 * Notifications are served by the same thread as faults, as in nvidia-uvm, but
 * under a service lock of their own.
 */
#ifndef UVM_ACCESS_COUNTER_H
#define UVM_ACCESS_COUNTER_H

#include <linux/mutex.h>
#include <linux/types.h>
#include <softgpu/sim.h>
#include "model/access_counter_batch.h"
#include "fault/access_counter_types.h"

struct uvm_gpu;
struct uvm_gpu_va_space;
struct uvm_params;
struct uvm_service;

/* access_counter.c: set-up, configuration, interrupt */
int uvm_access_counters_init(struct uvm_gpu *gpu);
void uvm_access_counters_exit(struct uvm_gpu *gpu);
void uvm_access_counters_top_half(struct uvm_gpu *gpu);
void uvm_access_counters_bottom_half(struct uvm_gpu *gpu);
bool uvm_access_counters_pending(struct uvm_gpu *gpu);
void uvm_access_counters_apply(struct uvm_gpu *gpu, struct uvm_gpu_va_space *latest);

/* access_counter_service.c: one run of the bottom half; service lock held */
void uvm_access_counters_service(struct uvm_gpu *gpu);

#endif
