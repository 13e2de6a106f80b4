// SPDX-License-Identifier: GPL-2.0
/* One SM: issue, scheduling, the life of its CTAs. */
#include <kunit/visibility.h>
#include <linux/bitops.h>
#include <linux/export.h>
#include <linux/nospec.h>
#include <linux/prefetch.h>
#include <linux/slab.h>
#include <linux/softgpu_kernel_abi.h>
#include "base/gpu.h"
#include "base/extension.h"
#include "base/timeline.h"
#include "clock/clock.h"
#include "isa/exec.h"
#include "isa/exec_double.h"
#include "isa/simt.h"
#include "isa/image.h"
#include "isa/isa.h"
#include "isa/warp.h"
#include "sm/ahead.h"
#include "sm/cta.h"
#include "sm/cta_state.h"
#include "sm/cta_switch.h"
#include "sm/cta_table.h"
#include "sm/dispatch.h"
#include "sm/intrinsic.h"
#include "sm/kick.h"
#include "sm/launch_progress.h"
#include "sm/lsu.h"
#include "sm/sm.h"
#include "sm/sm_exit.h"
#include "sm/sm_state.h"
#include "sm/sm_warp.h"
#include "sm/wake_queue.h"
#include "sm/launch_state.h"

static void sm_event(struct sgpu_event *ev);

static void sm_init_table(struct sgpu_sm *sm)
{
	struct rm_gpu *gpu = sm->gpu;
	struct sgpu_resources total = {
		.threads = sgpu_prof(gpu, threads_per_sm),
		.warps = sgpu_prof(gpu, warps_per_sm),
		.ctas = sgpu_prof(gpu, blocks_per_sm),
		.regs = sgpu_prof(gpu, regs_per_sm),
		.shared = sgpu_prof(gpu, shared_bytes_per_sm),
	};
	struct sgpu_switch_costs *costs = &sm->table.costs;

	sgpu_cta_table_init(&sm->table, &total);
	sm->table.virtual_thread = sgpu_prof(gpu, virtual_thread);
	sm->table.on_memory = sgpu_prof(gpu, switch_on_memory);
	sm->table.patience_ps = sgpu_prof(gpu, switch_patience_us) * NSEC_PER_USEC * PS_PER_NS;
	if (!sm->is_virtual)
		return;
	costs->latency_ps = sgpu_prof(gpu, switch_latency_cycles) * sm->cycle_ps;
	costs->line_ps = sgpu_prof(gpu, switch_line_cycles) * sm->cycle_ps;
	/* in shared memory, 128 bytes per cycle (batch-aware, 6.5) */
	costs->state_latency_ps = sm->shared_ps;
	costs->state_line_ps = sm->cycle_ps;
	costs->state_bytes = sgpu_prof(gpu, switch_state_bytes);
}

/* Latencies exist on the virtual clock only. */
static void sm_read_profile(struct sgpu_sm *sm)
{
	struct rm_gpu *gpu = sm->gpu;

	sm->cycle_ps = gpu->cycle_ps;
	sm->mem_ops = sgpu_prof(gpu, mem_ops_per_warp);
	if (!sm->is_virtual)
		return;
	sm->mem_ps = sgpu_prof(gpu, mem_latency_cycles) * sm->cycle_ps;
	sm->line_ps = sgpu_prof(gpu, mem_line_cycles) * sm->cycle_ps;
	sm->compression_ps = sgpu_prof(gpu, compression_cycles) * sm->cycle_ps;
	sm->shared_ps = sgpu_prof(gpu, shared_latency_cycles) * sm->cycle_ps;
	sm->tensor_ps = sgpu_prof(gpu, tensor_cycles) * sm->cycle_ps;
	sm->double_ps = sgpu_prof(gpu, double_cycles) * sm->cycle_ps;
	sm->peer_ps = sgpu_prof(gpu, peer_latency_ns) * PS_PER_NS;
}

struct sgpu_sm *sgpu_sm_create(struct rm_gpu *gpu, unsigned int index)
{
	struct sgpu_sm *sm = kzalloc(sizeof(*sm), GFP_KERNEL);

	if (!sm)
		return NULL;
	sm->gpu = gpu;
	sm->index = index;
	sm->is_virtual = sim_is_virtual();
	mutex_init(&sm->lock);
	sgpu_event_init(&sm->event, gpu->index, index, sm_event);
	INIT_LIST_HEAD(&sm->ctas);
	INIT_LIST_HEAD(&sm->dead);
	sm->next_wake = U64_MAX;
	sm->deadline = U64_MAX;
	sm->next = U64_MAX;
	sm->stall_ps = U64_MAX;
	sm_read_profile(sm);
	sm_init_table(sm);
	return sm;
}

void sgpu_sm_destroy(struct sgpu_sm *sm)
{
	if (!sm)
		return;
	sgpu_event_cancel(&sm->event);
	mutex_destroy(&sm->lock);
	kfree(sm);
}

/* ---- warps: ready, sleeping, gone ------------------------------------ */

/* Nothing is ready: if there are warps at all, the SM stalls from now on. */
static void sm_stall_begin(struct sgpu_sm *sm)
{
	if (sm->used && sm->stall_ps == U64_MAX)
		sm->stall_ps = sm->time;
}

static void sm_stall_end(struct sgpu_sm *sm)
{
	struct rm_gpu *gpu = sm->gpu;
	u64 ps = sm->time - sm->stall_ps;

	if (ps)
		sgpu_timeline_emit(&gpu->timelines, .type = SOFTGPU_TIMELINE_STALL,
				   .unit = sm->index, .gpu = gpu->index,
				   .time_ns = sm->stall_ps / PS_PER_NS,
				   .duration_ns = ps / PS_PER_NS, .value = hweight64(sm->used));
	sm->stall_ps = U64_MAX;
}

/* Warps whose time has come are ready. */
static void sm_wake_due(struct sgpu_sm *sm)
{
	u64 due = sgpu_wake_due(&sm->wakes, sm->time);

	if (unlikely(sm->time >= sm->deadline))
		sm->turnover = true;
	sm->ready |= due;
	for (; due; due &= due - 1)
		sm->warp[__ffs64(due)]->stall = SGPU_STALL_NONE;
	sm->next_wake = min(sm->deadline, sgpu_wake_next(&sm->wakes));
	if (sm->ready && sm->stall_ps != U64_MAX)
		sm_stall_end(sm);
}

/* ---- issue ----------------------------------------------------------- */

static void sm_jal(struct sgpu_warp *warp, const struct sgpu_insn *insn)
{
	u64 link = warp->cta->launch->image->code_base + ((u64)warp->pc + 1) * 4;

	if (insn->rd)
		sgpu_exec_set(warp, insn->rd, link);
	sgpu_simt_goto(warp, insn->imm, insn->rd == 1);
}

/* Instruction index of a jump to @va, or SGPU_NO_PC. */
static u32 sm_jump_index(const struct sgpu_image *image, u64 va)
{
	u64 index = (va - image->code_base) / 4;

	if (va & 3 || index >= image->code_count)
		return SGPU_NO_PC;
	index = array_index_nospec(index, image->code_count);
	if (image->code[index].class == SGPU_CLASS_ILLEGAL)
		return SGPU_NO_PC;
	return index;
}

/* Active lanes with different targets, or one that is not in the code. */
static void sm_jalr_lanes(struct sgpu_sm *sm, struct sgpu_warp *warp,
			  const struct sgpu_insn *insn, const u64 *va, int depth)
{
	const struct sgpu_image *image = warp->cta->launch->image;
	unsigned long mask = warp->active;
	u32 targets[SGPU_LANES], leaving = 0;
	unsigned int lane;

	for_each_set_bit(lane, &mask, SGPU_LANES) {
		if (va[lane] == SGPU_WINDOW_EXIT) {
			leaving |= BIT(lane);
			targets[lane] = warp->pc;
			continue;
		}
		targets[lane] = sm_jump_index(image, va[lane]);
		if (targets[lane] == SGPU_NO_PC) {
			sgpu_sm_fail(sm, warp, SOFTGPU_FAIL_JUMP, warp->pc, lane, 0, va[lane], 0);
			return;
		}
	}
	if (insn->rd)
		sgpu_exec_set(warp, insn->rd, image->code_base + ((u64)warp->pc + 1) * 4);
	sgpu_simt_jump(warp, targets, depth);
	if (leaving)
		sgpu_sm_exit_lanes(sm, warp, leaving);
}

static void sm_jalr(struct sgpu_sm *sm, struct sgpu_warp *warp, const struct sgpu_insn *insn)
{
	const struct sgpu_image *image = warp->cta->launch->image;
	int depth = insn->rd == 1 ? 1 : !insn->rd && insn->rs1 == 1 ? -1 : 0;
	u32 target;

	sgpu_lanes_address(warp, insn->rs1, insn->imm, 0, &sm->lanes);
	if (sm->lanes.diff & ~1ULL) {
		unsigned int lane;

		sgpu_lanes_fill(&sm->lanes);
		for (lane = 0; lane < SGPU_LANES; lane++)
			sm->lanes.va[lane] &= ~1ULL;
		sm_jalr_lanes(sm, warp, insn, sm->lanes.va, depth);
		return;
	}
	sm->lanes.va[0] &= ~1ULL;
	if (sm->lanes.va[0] == SGPU_WINDOW_EXIT) {
		sgpu_sm_exit_lanes(sm, warp, warp->active);
		return;
	}
	target = sm_jump_index(image, sm->lanes.va[0]);
	if (target == SGPU_NO_PC) {
		sgpu_sm_fail(sm, warp, SOFTGPU_FAIL_JUMP, warp->pc, __ffs(warp->active), 0,
			     sm->lanes.va[0], 0);
		return;
	}
	if (insn->rd)
		sgpu_exec_set(warp, insn->rd, image->code_base + ((u64)warp->pc + 1) * 4);
	sgpu_simt_goto(warp, target, depth);
}

/*
 * An SM has one unit for double precision, which begins an operation each double_ps.  They
 * queue for it in the order of issue, and a warp goes on when the unit has taken its own: what
 * it computes is nobody else's, so it is there already.
 */
static void sm_double_unit(struct sgpu_sm *sm, struct sgpu_warp *warp)
{
	u64 start = max(sm->time, sm->double_next_ps);

	sm->double_next_ps = start + sm->double_ps;
	if (start > sm->time)
		sgpu_sm_sleep_warp(sm, warp, SGPU_STALL_TIME, start + sm->cycle_ps);
}

/* Anything but memory that concerns others, or can fail; false: not executed, no time passes. */
static bool sm_issue_other(struct sgpu_sm *sm, struct sgpu_warp *warp,
			   const struct sgpu_insn *insn)
{
	switch (insn->class) {
	case SGPU_CLASS_JALR:
		sm_jalr(sm, warp, insn);
		return true;
	case SGPU_CLASS_FENCE:
		if (sgpu_lsu_draining(sm, warp))
			return false;
		warp->pc++;
		return true;
	case SGPU_CLASS_ECALL:
		return sgpu_intrinsic(sm, warp, insn);
	case SGPU_CLASS_TRAP:
		sgpu_sm_fail(sm, warp, SOFTGPU_FAIL_TRAP, warp->pc, __ffs(warp->active), 0, 0, 0);
		return false;
	default:
		sgpu_sm_fail(sm, warp, SOFTGPU_FAIL_JUMP, warp->pc, __ffs(warp->active), 0,
			     warp->cta->launch->image->code_base + (u64)warp->pc * 4, 0);
		return false;
	}
}

/*
 * The CTA used up its quota: account, get more; false if there is none, and its launch fails at
 * instruction @pc of the lanes in @active.
 */
static bool sm_refill(struct sgpu_sm *sm, struct sgpu_warp *warp, u32 pc, u32 active)
{
	struct sgpu_cta *cta = warp->cta;

	if (sgpu_cta_recall(cta))
		return true;
	cta->quota = sgpu_launch_quota(cta->launch, cta->last_quota);
	cta->last_quota = cta->quota;
	cta->granted += cta->quota;
	if (cta->quota)
		return true;
	sgpu_sm_fail(sm, warp, SOFTGPU_FAIL_INSTRUCTION_LIMIT, pc, active ? __ffs(active) : 0, 0, 0,
		     0);
	return false;
}

/* An instruction that sgpu_insn_is_narrow(). */
static __always_inline void sm_execute_narrow(struct sgpu_warp *warp,
					      const struct sgpu_insn *insn)
{
	switch (insn->class) {
	case SGPU_CLASS_INT:
		sgpu_exec_int(warp, insn);
		warp->pc++;
		break;
	case SGPU_CLASS_FLOAT:
		sgpu_exec_float(warp, insn);
		warp->pc++;
		break;
	case SGPU_CLASS_BRANCH:
		sgpu_simt_branch(warp, sgpu_exec_condition(warp, insn), insn->imm, warp->pc + 1);
		break;
	default:
		sm_jal(warp, insn);
		break;
	}
	if (unlikely(!sgpu_warp_converged(warp)))
		sgpu_simt_picked(warp);
}

/*
 * How many instructions of a warp may be executed at once?  The CTA's quota must not end
 * meanwhile (who asks for the next one, and when, shows in results): for SGPU_AHEAD rounds of the
 * scheduler it is enough if each warp of the CTA can issue in each.
 */
static inline unsigned int sm_most_ahead(const struct sgpu_cta *cta)
{
	return cta->quota > SGPU_AHEAD * cta->count ? SGPU_AHEAD : 1;
}

/*
 * Execute @insn and, while its registers are in the caches, what follows: as far as it is
 * own too and waits for no register.  Nobody can tell, for each still has its time, which
 * passes in sm_issue().
 */
static void sm_issue_narrow(struct sgpu_warp *warp, const struct sgpu_insn *insn)
{
	struct sgpu_cta *cta = warp->cta;
	unsigned int n = 0, most = sm_most_ahead(cta);

	do {
		sm_execute_narrow(warp, insn);
		insn = &warp->code[warp->pc];
	} while (++n < most && sgpu_insn_is_narrow(insn) && !(insn->need & warp->pending));
	cta->quota -= n;
	warp->ahead = sgpu_ahead_pack(n - 1, 0);
}

static __always_inline void sm_execute_own(struct sgpu_warp *warp, const struct sgpu_insn *insn)
{
	if (sgpu_insn_is_narrow(insn)) {
		sm_execute_narrow(warp, insn);
		return;
	}
	sgpu_exec_double(warp, insn);
	warp->pc++;
	if (unlikely(!sgpu_warp_converged(warp)))
		sgpu_simt_picked(warp);
}

/*
 * The same, beginning in float registers of 64 bits.  A warp that waits for the unit for double
 * precision may still be ahead when the quota ends, and so fail in the midst of it.  To know then
 * where that is, the run goes straight on, with the same lanes, but for its last instruction.
 */
static void sm_issue_wide(struct sgpu_sm *sm, struct sgpu_warp *warp, const struct sgpu_insn *insn)
{
	struct sgpu_cta *cta = warp->cta;
	unsigned int n = 0, most = sm_most_ahead(cta);
	u32 first = warp->pc, active = warp->active, units = 0;

	do {
		units |= (u32)(insn->class == SGPU_CLASS_DOUBLE) << n;
		sm_execute_own(warp, insn);
		insn = &warp->code[warp->pc];
	} while (++n < most && warp->pc == first + n && warp->active == active &&
		 sgpu_insn_is_own(insn) && !(insn->need & warp->pending));
	cta->quota -= n;
	warp->ahead = sgpu_ahead_pack(n - 1, units >> 1);
	warp->ahead_end = first + n;
	warp->ahead_active = active;
	if (units & 1)
		sm_double_unit(sm, warp);
}

/* Its next instruction, executed ahead, takes more than a cycle; false: the launch failed. */
static noinline bool sm_look_ahead(struct sgpu_sm *sm, struct sgpu_warp *warp)
{
	struct sgpu_cta *cta = warp->cta;
	bool unit = true;

	if (unlikely(cta->owed && warp->owed)) {
		u32 pc = warp->ahead_end - sgpu_ahead_left(warp->ahead);

		if (!cta->quota && !sm_refill(sm, warp, pc, warp->ahead_active))
			return false;
		unit = sgpu_cta_pay(cta, warp);
	}
	if (unit)
		sm_double_unit(sm, warp);
	return true;
}

/* One instruction of one warp; false: nothing was executed. */
static __always_inline bool sm_issue(struct sgpu_sm *sm, struct sgpu_warp *warp)
{
	struct sgpu_cta *cta = warp->cta;
	const struct sgpu_insn *insn;

	if (warp->ahead != SGPU_AHEAD_NONE) {
		if (warp->ahead & 1 && !sm_look_ahead(sm, warp))
			return false;
		warp->ahead >>= 1;
		sm->instructions++;
		return true;
	}
	if (unlikely(!warp->live)) {
		if (!sgpu_lsu_draining(sm, warp))
			sgpu_sm_warp_gone(sm, warp);
		return false;
	}
	insn = &warp->code[warp->pc];
	if (unlikely(insn->need & warp->pending) && sgpu_scoreboard_stalls(sm, warp, insn->need))
		return false;
	if (unlikely(!cta->quota) && !sm_refill(sm, warp, warp->pc, warp->active))
		return false;
	if (sgpu_insn_is_own(insn)) {
		if (sgpu_insn_is_narrow(insn))
			sm_issue_narrow(warp, insn);
		else
			sm_issue_wide(sm, warp, insn);
		sm->instructions++;
		return true;
	}
	if (insn->class == SGPU_CLASS_MEM) {
		if (!sgpu_lsu_issue(sm, warp, insn))
			return false;
		warp->pc++;
	} else if (!sm_issue_other(sm, warp, insn)) {
		return false;
	}
	cta->quota--;
	sm->instructions++;
	if (unlikely(!sgpu_warp_converged(warp)))
		sgpu_simt_picked(warp);
	return true;
}

static inline unsigned int sm_next_slot(const struct sgpu_sm *sm)
{
	u64 later = sm->ready & ~(BIT_ULL(sm->last) | (BIT_ULL(sm->last) - 1));

	later = later ?: sm->ready;
	/* whoever comes then is not in the caches yet */
	if (later & (later - 1))
		prefetch(sm->warp[__ffs64(later & (later - 1))]);
	return __ffs64(later);
}

/* Issue until @end, a turnover, or nothing is ready before @end. */
static void sm_run(struct sgpu_sm *sm, u64 end, unsigned int budget)
{
	while (sm->time < end && budget && !sm->turnover) {
		struct sgpu_warp *warp;
		unsigned int slot;

		if (sm->time >= sm->next_wake)
			sm_wake_due(sm);
		if (!sm->ready) {
			sm_stall_begin(sm);
			if (sm->next_wake >= end)
				break;
			sm->time = sm->next_wake;
			continue;
		}
		slot = sm_next_slot(sm);
		sm->last = slot;
		warp = sm->warp[slot];
		if (sm_issue(sm, warp)) {
			sm->time += sm->cycle_ps;
			budget--;
		}
		if (unlikely(sm->table.inactive) && warp->stall)
			sgpu_sm_check_stalled(sm, warp->cta);
	}
	if (!sm->ready)
		sm_stall_begin(sm);
}

/* ---- CTAs ------------------------------------------------------------ */

/* Take the CTA off the SM.  Caller holds the lock. */
static void sm_release(struct sgpu_sm *sm, struct sgpu_cta *cta)
{
	sm->used &= ~cta->slots;
	if (!sm->used)
		sm->stall_ps = U64_MAX;
	sm->ready &= ~cta->slots;
	sgpu_wake_drop(&sm->wakes, cta->slots);
	sgpu_cta_table_remove(&sm->table, &cta->status);
	list_del(&cta->node);
}

/*
 * CTAs that ran to their end leave, others take their place: first those that wait on
 * the SM, lest they wait for ever, then new ones.
 */
static void sm_turnover(struct sgpu_sm *sm)
{
	struct sgpu_cta *cta, *next;

	sm->turnover = false;
	list_for_each_entry_safe(cta, next, &sm->ctas, node) {
		if (!cta->ended || READ_ONCE(cta->launch->stop))
			continue;
		sm_release(sm, cta);
		sgpu_launch_cta_gone(cta, true, sm->time);
	}
	if (sgpu_sm_is_off(sm->gpu, sm->index))
		return;
	sgpu_sm_switch(sm);
	while (sgpu_sm_take_cta(sm, false) && sm->is_virtual)
		;
	while (sgpu_sm_take_cta(sm, true) && sm->is_virtual)
		;
}

/* CTAs of stopped launches leave the SM; the MMU may still have accesses. */
static void sm_collect_stopped(struct sgpu_sm *sm)
{
	struct sgpu_cta *cta, *next;

	if (!xchg(&sm->reap, false))
		return;
	list_for_each_entry_safe(cta, next, &sm->ctas, node) {
		if (!READ_ONCE(cta->launch->stop))
			continue;
		cta->dead = true;
		sm_release(sm, cta);
		list_add_tail(&cta->node, &sm->dead);
	}
	sm->turnover = true;
}

/* Not under the lock: a call-back of the MMU may be waiting for it. */
static void sm_bury(struct sgpu_sm *sm, struct list_head *dead)
{
	struct sgpu_cta *cta, *next;

	list_for_each_entry_safe(cta, next, dead, node) {
		list_del(&cta->node);
		sgpu_lsu_forget(sm->gpu, cta);
		sgpu_launch_cta_gone(cta, false, sm->is_virtual ? sm->time : sgpu_now_ps());
	}
}

void sgpu_sm_drop_stopped(struct sgpu_sm *sm)
{
	LIST_HEAD(dead);

	mutex_lock(&sm->lock);
	sm->time = max(sm->time, sgpu_now_ps());
	WRITE_ONCE(sm->reap, true);
	sm_collect_stopped(sm);
	list_splice_init(&sm->dead, &dead);
	/* others take their place: the SM is busy until it has looked */
	sgpu_sms_kick(sm->gpu, sm, sm->time);
	mutex_unlock(&sm->lock);
	sm_bury(sm, &dead);
}

static u64 sm_next_time(const struct sgpu_sm *sm)
{
	bool off = sgpu_sm_is_off(sm->gpu, sm->index);

	if ((sm->ready && !off) || sm->turnover || READ_ONCE(sm->reap))
		return sm->time;
	if (off)
		return U64_MAX;
	return sm->next_wake == U64_MAX ? U64_MAX : max(sm->next_wake, sm->time);
}

void sgpu_sm_quantum(struct sgpu_sm *sm, u64 start, u64 end)
{
	LIST_HEAD(dead);

	mutex_lock(&sm->lock);
	sm->time = max(sm->time, start);
	do {
		sm_collect_stopped(sm);
		if (sm->turnover)
			sm_turnover(sm);
		if (sgpu_sm_is_off(sm->gpu, sm->index))
			break;
		sgpu_fpu_begin();
		sm_run(sm, end, UINT_MAX);
		sgpu_fpu_end();
	} while (sm->turnover && sm->time < end);
	list_splice_init(&sm->dead, &dead);
	sm->next = sm_next_time(sm);
	mutex_unlock(&sm->lock);
	sm_bury(sm, &dead);
}

/* A pass begins or ends: see sms_computes(). */
static void sm_pass(struct sgpu_sm *sm)
{
	/* What was changed before is seen by who sees the number: pairs with sms_computes(). */
	smp_wmb();
	WRITE_ONCE(sm->passes, sm->passes + 1);
	/* Who sees what is changed from now on sees the number, too: pairs as above. */
	smp_wmb();
}

/* Real clock: time is the device's, latencies are 0. */
static void sm_event(struct sgpu_event *ev)
{
	struct sgpu_sm *sm = container_of(ev, struct sgpu_sm, event);
	bool off = sgpu_sm_is_off(sm->gpu, sm->index), again;
	LIST_HEAD(dead);

	mutex_lock(&sm->lock);
	sm_pass(sm);
	sm->time = max(sm->time, sgpu_now_ps());
	sm_collect_stopped(sm);
	sm_turnover(sm);
	sm->next_wake = sm->wakes.timed ? 0 : U64_MAX;
	if (!off) {
		sgpu_fpu_begin();
		sm_run(sm, U64_MAX, SGPU_REAL_SLICE);
		sgpu_fpu_end();
	}
	again = (!off && (sm->ready || sm->wakes.timed)) || sm->turnover || READ_ONCE(sm->reap);
	list_splice_init(&sm->dead, &dead);
	sm_pass(sm);
	mutex_unlock(&sm->lock);
	sm_bury(sm, &dead);
	if (again)
		sgpu_event_at(&sm->event, 0);
	else
		sim_wake(&sm->gpu->progress);	/* rm_gpu_computing() may have changed */
}
