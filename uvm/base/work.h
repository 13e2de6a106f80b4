/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Phase brackets: one piece of driver work (a batch, a CPU fault, a migration)
 * and where its time goes.
 *
 * The work is in exactly one phase at any time.  Entering a phase books the
 * time so far on the phase that ends, then charges the modelled cost of what
 * comes next: so enter the phase before its first device-visible act, with no
 * spinlock and no foreign sleeping lock held.  On the real clock charges cost
 * nothing and the brackets report measured time.
 */
#ifndef UVM_WORK_H
#define UVM_WORK_H

#include <linux/types.h>
#include <linux/uvm.h>
#include "base/stats.h"

/**
 * struct uvm_work - one piece of work; lives on the stack of whoever does it
 * @gpu: counters of the GPU, or NULL
 * @va_space: counters of the VA space, or NULL
 * @phase: the phase it is in
 * @first: the phase it began in
 * @copy: it serves a fault of a copy engine
 * @waiting: between uvm_work_wait_begin() and uvm_work_wait_end()
 * @began: when it began
 * @since: when time was booked last
 * @excluded: time not booked: waits on the real clock
 * @phase_ns: time by phase, over all VA spaces of the work
 */
struct uvm_work {
	struct uvm_stats_set *gpu;
	struct uvm_stats_set *va_space;
	enum uvm_phase phase;
	enum uvm_phase first;
	bool copy;
	bool waiting;
	u64 began;
	u64 since;
	u64 excluded;
	u64 phase_ns[UVM_PHASE_COUNT];
};

void uvm_work_begin(struct uvm_work *work, struct uvm_stats_set *gpu_stats,
		    struct uvm_stats_set *va_stats, enum uvm_phase first);
enum uvm_phase uvm_work_enter(struct uvm_work *work, enum uvm_phase phase, u64 ns);
void uvm_work_charge(struct uvm_work *work, enum uvm_phase phase, u64 ns);
void uvm_work_set_va_space(struct uvm_work *work, struct uvm_stats_set *va_stats);
void uvm_work_wait_begin(struct uvm_work *work);
void uvm_work_wait_end(struct uvm_work *work);
u64 uvm_work_end(struct uvm_work *work);

/**
 * uvm_work_stat - count for the GPU and the VA space of a work
 * @work: the work
 * @stat: the counter
 * @n: how much
 */
static inline void uvm_work_stat(struct uvm_work *work, enum uvm_stat stat, u64 n)
{
	uvm_stat_add(work->gpu, stat, n);
	uvm_stat_add(work->va_space, stat, n);
}

#endif
