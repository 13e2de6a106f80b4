// SPDX-License-Identifier: GPL-2.0
/*
 * Phase brackets.
 */
#include <linux/bug.h>
#include <linux/string.h>
#include <kunit/visibility.h>
#include <softgpu/sim.h>
#include "base/event.h"
#include "base/work.h"

/* Tell listeners that the current phase has lasted since the last booking. */
static void uvm_work_tell(const struct uvm_work *work, u64 ns)
{
	struct uvm_event_queues *listeners = work->va_space ? work->va_space->listeners : NULL;
	struct uvm_event ev = {
		.type = UVM_EVENT_PHASE,
		.gpu = UVM_PROCESSOR_CPU,
		.count = work->phase,
		.time_ns = work->since,
		.duration_ns = ns,
		.src = UVM_PROCESSOR_NONE,
		.dst = UVM_PROCESSOR_NONE,
		.value = work->first,
	};

	if (!ns || !listeners || !uvm_event_enabled(listeners, UVM_EVENT_PHASE))
		return;
	if (work->gpu)
		ev.gpu = work->gpu->gpu;
	uvm_events_emit(listeners, &ev);
}

/* Book the time since the last booking on the current phase. */
static void uvm_work_book(struct uvm_work *work)
{
	u64 now = sim_now();
	u64 ns = now - work->since;

	uvm_work_tell(work, ns);
	work->since = now;
	work->phase_ns[work->phase] += ns;
	uvm_stat_phase(work->gpu, work->phase, ns);
	uvm_stat_phase(work->va_space, work->phase, ns);
}

/**
 * uvm_work_begin - begin a piece of work; costs nothing by itself
 * @work: storage
 * @gpu_stats: counters of the GPU, or NULL
 * @va_stats: counters of the VA space, or NULL if not yet known
 * @first: phase it begins in
 */
void uvm_work_begin(struct uvm_work *work, struct uvm_stats_set *gpu_stats,
		    struct uvm_stats_set *va_stats, enum uvm_phase first)
{
	memset(work, 0, sizeof(*work));
	work->gpu = gpu_stats;
	work->va_space = va_stats;
	work->phase = first;
	work->first = first;
	work->began = sim_now();
	work->since = work->began;
}
EXPORT_SYMBOL_IF_KUNIT(uvm_work_begin);

/**
 * uvm_work_enter - enter a phase and pay for it
 * @work: the work
 * @phase: the phase that begins
 * @ns: modelled cost, charged in the new phase; 0 only switches
 *
 * Also where full event queues hold the driver back.  May give up the baton:
 * no spinlock and no foreign sleeping lock is held.
 *
 * Return: the phase that ended, to enter again (with 0) when the new one was
 * nested in it.
 */
enum uvm_phase uvm_work_enter(struct uvm_work *work, enum uvm_phase phase, u64 ns)
{
	enum uvm_phase previous = work->phase;

	WARN_ON_ONCE(work->waiting);
	uvm_work_book(work);
	work->phase = phase;
	uvm_events_throttle();
	sim_charge(ns);
	return previous;
}
EXPORT_SYMBOL_IF_KUNIT(uvm_work_enter);

/**
 * uvm_work_charge - pay for something that is of another phase
 * @work: the work, which goes on in its phase
 * @phase: the phase to book it on
 * @ns: modelled cost; 0: nothing is done
 *
 * As uvm_work_enter().
 */
void uvm_work_charge(struct uvm_work *work, enum uvm_phase phase, u64 ns)
{
	if (!ns)
		return;
	phase = uvm_work_enter(work, phase, ns);
	uvm_work_enter(work, phase, 0);
}
EXPORT_SYMBOL_IF_KUNIT(uvm_work_charge);

/**
 * uvm_work_set_va_space - the work goes on for another VA space
 * @work: the work
 * @va_stats: its counters, or NULL
 *
 * Time until now is the old one's.
 */
void uvm_work_set_va_space(struct uvm_work *work, struct uvm_stats_set *va_stats)
{
	uvm_work_book(work);
	work->va_space = va_stats;
}
EXPORT_SYMBOL_IF_KUNIT(uvm_work_set_va_space);

/**
 * uvm_work_wait_begin - the driver is about to wait for the device
 * @work: the work
 *
 * On the virtual clock the wait is part of the phase, as in a real driver's
 * profile.  On the real clock it is left out: brackets then report what the
 * driver's own code costs, and the device is only software.
 */
void uvm_work_wait_begin(struct uvm_work *work)
{
	WARN_ON_ONCE(work->waiting);
	work->waiting = true;
	if (!sim_is_virtual())
		uvm_work_book(work);
}
EXPORT_SYMBOL_IF_KUNIT(uvm_work_wait_begin);

/**
 * uvm_work_wait_end - the wait is over
 * @work: the work
 */
void uvm_work_wait_end(struct uvm_work *work)
{
	u64 now;

	WARN_ON_ONCE(!work->waiting);
	work->waiting = false;
	if (sim_is_virtual())
		return;
	now = sim_now();
	work->excluded += now - work->since;
	work->since = now;
}
EXPORT_SYMBOL_IF_KUNIT(uvm_work_wait_end);

/**
 * uvm_work_end - the work is done
 * @work: the work
 *
 * Return: how long it took, ns; the sum of its phases.
 */
u64 uvm_work_end(struct uvm_work *work)
{
	uvm_work_book(work);
	return work->since - work->began - work->excluded;
}
EXPORT_SYMBOL_IF_KUNIT(uvm_work_end);
