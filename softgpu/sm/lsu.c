// SPDX-License-Identifier: GPL-2.0
/* The load/store unit: issue, scoreboard, completion.  See lsu.h. */
#include <kunit/visibility.h>
#include <linux/bitops.h>
#include <linux/export.h>
#include "base/gpu.h"
#include "base/extension.h"
#include "clock/clock.h"
#include "isa/exec.h"
#include "isa/isa.h"
#include "isa/warp.h"
#include "memory/link.h"
#include "memory/peer.h"
#include "mmu/access_counter.h"
#include "mmu/accessed.h"
#include "mmu/recorder.h"
#include "mmu/mmu.h"
#include "context_types.h"
#include "mmu/mmu_hold.h"
#include "mmu/mmu_mshr.h"
#include "mmu/mmu_tlb.h"
#include "sm/cta_state.h"
#include "sm/lsu.h"
#include "sm/sm_state.h"
#include "sm/sm_warp.h"
#include "sm/window.h"
#include "sm/launch_state.h"
#include "isa/simt.h"
#include "isa/image.h"

#define LSU_VA_BITS	49

static struct rm_context *lsu_context(const struct sgpu_warp *warp)
{
	return warp->cta->launch->context;
}

static enum sgpu_access_kind lsu_kind(const struct sgpu_insn *insn)
{
	switch (insn->op) {
	case SGPU_OP_LOAD:
	case SGPU_OP_FLOAD:
		return SGPU_READ;
	case SGPU_OP_STORE:
	case SGPU_OP_FSTORE:
		return SGPU_WRITE;
	case SGPU_OP_ECALL:
		return SGPU_PREFETCH;
	default:
		return SGPU_ATOMIC;
	}
}

/* As softgpu_wait.access. */
static u32 lsu_access(enum sgpu_access_kind kind)
{
	return kind == SGPU_WRITE ? 1 : kind == SGPU_ATOMIC ? 2 : 0;
}

u64 sgpu_lsu_results(const struct sgpu_insn *insn)
{
	switch (insn->op) {
	case SGPU_OP_FLOAD:
		return BIT_ULL(32 + insn->rd);
	case SGPU_OP_LOAD:
	case SGPU_OP_AMO:
		return BIT_ULL(insn->rd) & ~1ULL;
	case SGPU_OP_LR:
	case SGPU_OP_SC:
		return BIT_ULL(insn->rd) | SGPU_RESERVATION;
	default:
		return 0;
	}
}
EXPORT_SYMBOL_IF_KUNIT(sgpu_lsu_results);

/* ---- scoreboard ------------------------------------------------------ */

static void lsu_op_retire(struct sgpu_warp *warp, unsigned int i)
{
	warp->ops_busy &= ~BIT_ULL(i);
	warp->pending &= ~warp->scoreboard[i].regs;
}

/* Wait for the operations that write @regs, or for all; false: nothing to wait for. */
static bool lsu_wait(struct sgpu_sm *sm, struct sgpu_warp *warp, u64 regs, bool all)
{
	u64 busy = warp->ops_busy, wake = 0, translate = 0;
	bool wait = false;

	while (busy) {
		unsigned int i = __ffs64(busy);
		const struct sgpu_scoreboard_entry *slot = &warp->scoreboard[i];

		busy &= busy - 1;
		if (slot->ready_ps <= sm->time) {
			lsu_op_retire(warp, i);
			continue;
		}
		if (!all && !(slot->regs & regs))
			continue;
		wait = true;
		if (slot->ready_ps == U64_MAX)
			translate |= BIT_ULL(i);
		else
			wake = max(wake, slot->ready_ps);
	}
	if (!wait)
		return false;
	warp->awaited = translate;
	warp->any = false;
	if (translate)
		sgpu_sm_sleep_warp(sm, warp, SGPU_STALL_MEMORY, U64_MAX);
	else
		sgpu_sm_sleep_warp(sm, warp, SGPU_STALL_TIME, wake);
	return true;
}

bool sgpu_scoreboard_stalls(struct sgpu_sm *sm, struct sgpu_warp *warp, u64 regs)
{
	return lsu_wait(sm, warp, regs, false);
}

bool sgpu_lsu_draining(struct sgpu_sm *sm, struct sgpu_warp *warp)
{
	return warp->ops_busy && lsu_wait(sm, warp, 0, true);
}

int sgpu_lsu_op_get(struct sgpu_sm *sm, struct sgpu_warp *warp)
{
	u64 all = sm->mem_ops == 64 ? ~0ULL : BIT_ULL(sm->mem_ops) - 1;
	u64 busy, wake = U64_MAX;

	if (likely(warp->ops_busy != all))
		return __ffs64(~warp->ops_busy);
	for (busy = all; busy; busy &= busy - 1) {
		unsigned int i = __ffs64(busy);

		if (warp->scoreboard[i].ready_ps <= sm->time)
			lsu_op_retire(warp, i);
		else
			wake = min(wake, warp->scoreboard[i].ready_ps);
	}
	if (warp->ops_busy != all)
		return __ffs64(~warp->ops_busy);
	warp->awaited = all;
	warp->any = true;
	sgpu_sm_sleep_warp(sm, warp, wake == U64_MAX ? SGPU_STALL_MEMORY : SGPU_STALL_TIME, wake);
	return -EAGAIN;
}

/* Operation @i is in flight until @ready_ps. */
static void lsu_op_use(struct sgpu_warp *warp, unsigned int i, u64 regs, u64 ready_ps)
{
	warp->scoreboard[i].regs = regs;
	warp->scoreboard[i].ready_ps = ready_ps;
	warp->ops_busy |= BIT_ULL(i);
	warp->pending |= regs;
}

void sgpu_lsu_op_performed(struct sgpu_sm *sm, struct sgpu_warp *warp, unsigned int i, u64 regs,
			   u64 latency_ps)
{
	if (latency_ps)
		lsu_op_use(warp, i, regs, sm->time + latency_ps);
}

u64 sgpu_lsu_latency(const struct sgpu_sm *sm, enum sgpu_access_kind kind,
		     const struct sgpu_lsu_traffic *traffic, u64 now)
{
	u32 vid = traffic->lines[RM_APERTURE_VID];
	u64 latency = 0;

	if (!sm->is_virtual || kind == SGPU_PREFETCH)
		return 0;
	if (vid)
		latency = sm->mem_ps + (vid - 1) * sm->line_ps;
	if (vid && sgpu_extension_on(sm->gpu, REG_CAP_COMPRESSION))
		latency += sm->compression_ps;
	if (traffic->lines[RM_APERTURE_SYS])
		latency = max(latency, max(traffic->remote_ps, now) - now);
	if (traffic->lines[RM_APERTURE_PEER])
		latency = max(latency, sm->peer_ps + max(traffic->link_ps, now) - now);
	return latency;
}
EXPORT_SYMBOL_IF_KUNIT(sgpu_lsu_latency);

/* ---- performing lanes ------------------------------------------------ */

/* An access over the link is counted before it is made, if somebody wants to know. */
static inline enum sgpu_counted lsu_count(struct rm_gpu *gpu, const struct sgpu_warp *warp,
					  const struct sgpu_translation *xlat, u64 va, u32 lines)
{
	if (likely(xlat->aperture == RM_APERTURE_VID) ||
	    likely(!READ_ONCE(gpu->counters.enabled)))
		return SGPU_COUNTED_GO;
	return sgpu_access_counters_count(gpu, lsu_context(warp)->as.instance, va,
					  xlat->aperture == RM_APERTURE_PEER, hweight32(lines));
}

/* An access was made: it is remembered, if somebody wants to know. */
static inline void lsu_note_access(struct rm_gpu *gpu, const struct sgpu_warp *warp,
				   const struct sgpu_translation *xlat, u64 va, u32 lines)
{
	bool local = xlat->aperture == RM_APERTURE_VID;

	if (sgpu_recorder_accesses(&gpu->recorder))
		sgpu_recorder_count(gpu, lsu_context(warp)->as.instance, va, hweight32(lines),
				    local);
	if (likely(local))
		sgpu_accessed_mark(&gpu->accessed, xlat->pa);
}

/* One request over the link to system memory for each line of 128 bytes. */
static void lsu_request(struct rm_gpu *gpu, struct sgpu_lsu_traffic *traffic,
			enum sgpu_access_kind kind, const u64 *va, u32 mask, u64 now)
{
	unsigned int ways = kind == SGPU_READ ? SGPU_LINK_READ :
			    kind == SGPU_WRITE ? SGPU_LINK_WRITE : SGPU_LINK_ATOMIC;
	struct sgpu_sectors sectors;
	unsigned int line;

	sgpu_sectors_of(&sectors, va, mask);
	for (line = 0; line < SGPU_PAGE_LINES; line++) {
		unsigned int n = hweight8(sgpu_sectors_line(&sectors, line));
		u64 done;

		if (!n)
			continue;
		done = sgpu_link_request(gpu, ways, n, now);
		traffic->remote_ps = max(traffic->remote_ps, done);
	}
}

/* Lanes in @mask, at @va in one page that is not in GPU memory; virtual clock. */
static noinline void lsu_go_over_link(struct rm_gpu *gpu, struct sgpu_lsu_traffic *traffic,
				      const struct sgpu_translation *xlat,
				      enum sgpu_access_kind kind, u32 lines, const u64 *va,
				      u32 mask, u64 now)
{
	u64 carried;

	if (xlat->aperture == RM_APERTURE_SYS) {
		lsu_request(gpu, traffic, kind, va, mask, now);
		return;
	}
	carried = sgpu_peer_access(gpu, xlat->pa, kind != SGPU_READ, hweight32(lines), now);
	traffic->link_ps = max(traffic->link_ps, carried);
}

/* Lines of an operation in one page; true if links have to be asked for its latency. */
static inline bool lsu_add_lines(struct sgpu_lsu_traffic *traffic,
				 const struct sgpu_translation *xlat, u32 lines)
{
	traffic->lines[xlat->aperture] += likely(!(lines & (lines - 1))) ? 1 : hweight32(lines);
	return unlikely(xlat->aperture != RM_APERTURE_VID) && sim_is_virtual();
}

/* Lines of its page that a group touches. */
static u32 lsu_group_lines(const struct sgpu_lsu_group *group)
{
	unsigned long mask = group->lanes;
	unsigned int lane;
	u32 lines = 0;

	for_each_set_bit(lane, &mask, SGPU_LANES)
		lines |= BIT((group->op->va[lane] & 0xfff) >> 7);
	return lines;
}

/* Does a translated group have to wait for its access counter?  It is counted once. */
static bool lsu_group_waits(struct rm_gpu *gpu, struct sgpu_lsu_group *group,
			    const struct sgpu_translation *xlat)
{
	enum sgpu_counted counted;

	if (likely(xlat->aperture == RM_APERTURE_VID) || group->counted ||
	    group->op->kind == SGPU_PREFETCH)
		return false;
	counted = lsu_count(gpu, group->op->warp, xlat, group->access.va, lsu_group_lines(group));
	group->counted = counted == SGPU_COUNTED_WAIT;
	return counted != SGPU_COUNTED_GO;
}

/* Lanes of a translated group, from what was captured. */
static void lsu_group_perform(struct rm_gpu *gpu, struct sgpu_lsu_group *group,
			      const struct sgpu_translation *xlat, u64 now)
{
	struct sgpu_lsu_op *op = group->op;
	unsigned long mask = group->lanes;
	u32 lines = lsu_group_lines(group);
	unsigned int lane;
	void *page;

	group->lanes = 0;
	if (op->kind == SGPU_PREFETCH)
		return;
	page = sgpu_mem_get(gpu, xlat->aperture, xlat->pa);
	for_each_set_bit(lane, &mask, SGPU_LANES) {
		u64 va = op->va[lane];

		if (page)
			sgpu_lsu_lane(op->warp, op->insn, lane, page + (va & 0xfff), va,
				      op->data[lane]);
		else
			sgpu_lsu_lane_absent(op->warp, op->insn, lane, va, op->data[lane]);
	}
	if (page)
		sgpu_mem_put(gpu, xlat->aperture);
	if (lsu_add_lines(&op->traffic, xlat, lines))
		lsu_go_over_link(gpu, &op->traffic, xlat, op->kind, lines, op->va, mask, now);
	lsu_note_access(gpu, op->warp, xlat, group->access.va, lines);
}

/* ---- issue ----------------------------------------------------------- */

/* An earlier group of the warp to this page must be performed first. */
static bool lsu_conflict(const struct sgpu_warp *warp, u64 page, enum sgpu_access_kind kind,
			 const struct sgpu_lsu_group *until)
{
	const struct sgpu_lsu_group *group;

	list_for_each_entry(group, &warp->groups, node) {
		if (group == until)
			return false;
		if (group->access.va >> 12 == page && group->access.kind != SGPU_PREFETCH &&
		    (kind != SGPU_READ || group->access.kind != SGPU_READ))
			return true;
	}
	return false;
}

/*
 * Lanes whose page hits, all in one page, straight between memory and registers; nothing is
 * performed if they have to wait for their access counter.
 */
static enum sgpu_counted lsu_perform_page(struct sgpu_sm *sm, struct sgpu_warp *warp,
					  const struct sgpu_insn *insn, u32 mask,
					  const struct sgpu_translation *xlat,
					  struct sgpu_lsu_traffic *traffic)
{
	struct sgpu_lanes *lanes = &sm->lanes;
	u32 lines = sgpu_lanes_page_offsets(lanes, mask);
	u64 va = lanes->va[__ffs(mask)];
	enum sgpu_counted counted = lsu_count(sm->gpu, warp, xlat, va, lines);
	void *page;

	if (unlikely(counted != SGPU_COUNTED_GO))
		return counted;
	page = sgpu_mem_get(sm->gpu, xlat->aperture, xlat->pa);
	if (lsu_add_lines(traffic, xlat, lines)) {
		sgpu_lanes_fill(lanes);
		lsu_go_over_link(sm->gpu, traffic, xlat, lsu_kind(insn), lines, lanes->va, mask,
				 sm->time);
	}
	if (likely(page && (insn->op == SGPU_OP_LOAD || insn->op == SGPU_OP_FLOAD))) {
		sgpu_lanes_load(warp, insn, page, lanes, mask);
	} else if (likely(page && (insn->op == SGPU_OP_STORE || insn->op == SGPU_OP_FSTORE))) {
		sgpu_lanes_store(warp, insn, page, lanes, mask);
	} else {
		sgpu_lanes_offsets(lanes, 0xfff);
		sgpu_lsu_each(warp, insn, page, lanes, mask);
	}
	if (page)
		sgpu_mem_put(sm->gpu, xlat->aperture);
	lsu_note_access(sm->gpu, warp, xlat, va, lines);
	return SGPU_COUNTED_GO;
}

/* Hand a group to the MMU, which has it wait for its counter if so, or chain it behind another. */
static void lsu_group_start(struct sgpu_sm *sm, struct sgpu_lsu_op *op, u32 mask, bool chain,
			    enum sgpu_counted counted)
{
	struct sgpu_warp *warp = op->warp;
	unsigned int i = __ffs64(~warp->groups_busy);
	struct sgpu_lsu_group *group = &warp->group[i];

	warp->groups_busy |= BIT_ULL(i);
	group->op = op;
	group->lanes = mask;
	group->counted = counted == SGPU_COUNTED_WAIT;
	group->access.as = &lsu_context(warp)->as;
	group->access.va = op->va[__ffs(mask)];
	group->access.kind = op->kind;
	group->access.sm = sm->index;
	group->access.warp = warp->index;
	group->access.cta = warp->cta->index;
	group->access.pc = warp->cta->launch->image->code_base + (u64)op->pc * 4;
	list_add_tail(&group->node, &warp->groups);
	op->groups++;
	if (chain) {
		group->state = SGPU_GROUP_CHAINED;
		return;
	}
	group->state = SGPU_GROUP_MMU;
	if (likely(counted == SGPU_COUNTED_GO))
		sgpu_mmu_request(sm->gpu, &group->access, sm->time);
	else
		sgpu_mmu_hold(sm->gpu, &group->access, sm->time);
}

static void lsu_op_prepare(struct sgpu_warp *warp, const struct sgpu_insn *insn,
			   struct sgpu_lsu_op *op)
{
	op->insn = insn;
	op->kind = lsu_kind(insn);
	op->groups = 0;
	op->traffic = (struct sgpu_lsu_traffic){ };
	op->pc = warp->pc;
}

/* What lanes need that are performed later. */
static void lsu_op_capture(struct sgpu_sm *sm, struct sgpu_warp *warp,
			   const struct sgpu_insn *insn, struct sgpu_lsu_op *op)
{
	memcpy(op->va, sm->lanes.va, sizeof(op->va));
	sgpu_lanes_capture(warp, insn, op->data);
}

/* Several pages, or one that misses. */
static bool lsu_issue_groups(struct sgpu_sm *sm, struct sgpu_warp *warp,
			     const struct sgpu_insn *insn, unsigned int number, u32 mask)
{
	struct rm_context *context = lsu_context(warp);
	struct sgpu_lsu_op *op = &warp->ops[number];
	u64 regs = sgpu_lsu_results(insn);
	u32 groups[SGPU_LANES];
	struct sgpu_translation xlat;
	unsigned int i, count;
	bool captured = false;

	sgpu_lanes_fill(&sm->lanes);
	count = sgpu_lanes_split(&sm->lanes, mask, groups);
	if (count > SGPU_WARP_GROUPS - hweight64(warp->groups_busy)) {
		sgpu_sm_sleep_warp(sm, warp, SGPU_STALL_LSU_FULL, U64_MAX);
		return false;
	}
	lsu_op_prepare(warp, insn, op);
	for (i = 0; i < count; i++) {
		u64 va = sm->lanes.va[__ffs(groups[i])];
		bool chain = op->kind != SGPU_PREFETCH &&
			     lsu_conflict(warp, va >> 12, op->kind, NULL);
		enum sgpu_counted counted = SGPU_COUNTED_GO;

		if (!chain && sgpu_mmu_lookup(sm->gpu, sm->index, &context->as, va, op->kind,
					      &xlat)) {
			if (op->kind != SGPU_PREFETCH)
				counted = lsu_perform_page(sm, warp, insn, groups[i], &xlat,
							   &op->traffic);
			if (likely(counted == SGPU_COUNTED_GO))
				continue;
		}
		if (!captured)
			lsu_op_capture(sm, warp, insn, op);
		captured = true;
		lsu_group_start(sm, op, groups[i], chain, counted);
	}
	if (op->groups)
		lsu_op_use(warp, number, regs, U64_MAX);
	else
		sgpu_lsu_op_performed(sm, warp, number, regs,
				      sgpu_lsu_latency(sm, op->kind, &op->traffic, sm->time));
	return true;
}

/* All lanes hit one page, and have to wait for its access counter. */
static void lsu_issue_held(struct sgpu_sm *sm, struct sgpu_warp *warp,
			   const struct sgpu_insn *insn, unsigned int number, u32 mask,
			   enum sgpu_counted counted)
{
	struct sgpu_lsu_op *op = &warp->ops[number];

	sgpu_lanes_fill(&sm->lanes);
	lsu_op_prepare(warp, insn, op);
	lsu_op_capture(sm, warp, insn, op);
	lsu_group_start(sm, op, mask, false, counted);
	lsu_op_use(warp, number, sgpu_lsu_results(insn), U64_MAX);
}

static bool lsu_issue_global(struct sgpu_sm *sm, struct sgpu_warp *warp,
			     const struct sgpu_insn *insn, u32 mask)
{
	enum sgpu_access_kind kind = lsu_kind(insn);
	struct sgpu_lsu_traffic traffic = { };
	int number = sgpu_lsu_op_get(sm, warp);
	struct sgpu_translation xlat;
	enum sgpu_counted counted;

	if (unlikely(number < 0))
		return false;
	if (unlikely(sm->lanes.diff >> 12 || warp->groups_busy || kind == SGPU_PREFETCH ||
		     !sgpu_mmu_lookup(sm->gpu, sm->index, &lsu_context(warp)->as,
				      sm->lanes.va[0], kind, &xlat)))
		return lsu_issue_groups(sm, warp, insn, number, mask);
	counted = lsu_perform_page(sm, warp, insn, mask, &xlat, &traffic);
	if (unlikely(counted != SGPU_COUNTED_GO))
		lsu_issue_held(sm, warp, insn, number, mask, counted);
	else
		sgpu_lsu_op_performed(sm, warp, number, sgpu_lsu_results(insn),
				      sgpu_lsu_latency(sm, kind, &traffic, sm->time));
	return true;
}

static void lsu_misaligned(struct sgpu_sm *sm, struct sgpu_warp *warp,
			   const struct sgpu_insn *insn)
{
	unsigned long mask = warp->active;
	unsigned int lane;

	sgpu_lanes_fill(&sm->lanes);
	for_each_set_bit(lane, &mask, SGPU_LANES) {
		u64 va = sm->lanes.va[lane];

		if (va & (BIT(insn->size) - 1)) {
			sgpu_sm_fail(sm, warp, SOFTGPU_FAIL_MISALIGNED, warp->pc, lane,
				     lsu_access(lsu_kind(insn)), va, 0);
			return;
		}
	}
}

/* Which lanes are outside of windows?  Some are not. */
static u32 lsu_outside(struct sgpu_lanes *lanes)
{
	unsigned int lane;
	u32 global = 0;

	/* most often all have the same window's bits */
	if (likely(!(lanes->diff >> LSU_VA_BITS)))
		return 0;
	sgpu_lanes_fill(lanes);
	for (lane = 0; lane < SGPU_LANES; lane++)
		global |= (u32)!(lanes->va[lane] >> LSU_VA_BITS) << lane;
	return global;
}

/* Lanes in windows and lanes outside: the windows first, they cannot wait. */
static bool lsu_issue_mixed(struct sgpu_sm *sm, struct sgpu_warp *warp,
			    const struct sgpu_insn *insn)
{
	u32 global = lsu_outside(&sm->lanes) & warp->active;

	if (likely(!global))
		return sgpu_window_access(sm, warp, insn, warp->active, true);
	/* make sure first that the others will not have to be tried again */
	if (sgpu_lsu_op_get(sm, warp) < 0)
		return false;
	if (hweight64(warp->groups_busy) + SGPU_LANES > SGPU_WARP_GROUPS) {
		sgpu_sm_sleep_warp(sm, warp, SGPU_STALL_LSU_FULL, U64_MAX);
		return false;
	}
	sm->lanes.contiguous = false;
	sm->lanes.diff = ~0ULL;
	if (!sgpu_window_access(sm, warp, insn, warp->active & ~global, false))
		return false;
	return lsu_issue_global(sm, warp, insn, global);
}

bool sgpu_lsu_issue(struct sgpu_sm *sm, struct sgpu_warp *warp, const struct sgpu_insn *insn)
{
	struct sgpu_lanes *lanes = &sm->lanes;

	sgpu_lanes_address(warp, insn->rs1, insn->imm, insn->size, lanes);
	if (unlikely(lanes->low & (BIT(insn->size) - 1))) {
		lsu_misaligned(sm, warp, insn);
		return false;
	}
	if (likely(!(lanes->low >> LSU_VA_BITS)))
		return lsu_issue_global(sm, warp, insn, warp->active);
	return lsu_issue_mixed(sm, warp, insn);
}

bool sgpu_lsu_prefetch(struct sgpu_sm *sm, struct sgpu_warp *warp, const struct sgpu_insn *insn)
{
	sgpu_lanes_address(warp, 10, 0, 0, &sm->lanes);
	if (sm->lanes.low >> LSU_VA_BITS)
		return true;
	return lsu_issue_global(sm, warp, insn, warp->active);
}

/* ---- completion ------------------------------------------------------ */

static struct sgpu_lsu_group *lsu_group(struct sgpu_access *access)
{
	return container_of(access, struct sgpu_lsu_group, access);
}

/* The group is through: tell its operation, its successors and its warp. */
static void lsu_group_done(struct sgpu_sm *sm, struct sgpu_lsu_group *group, u64 now)
{
	struct sgpu_lsu_op *op = group->op;
	struct sgpu_warp *warp = op->warp;

	list_del(&group->node);
	group->state = SGPU_GROUP_FREE;
	warp->groups_busy &= ~BIT_ULL(group - warp->group);
	if (!--op->groups) {
		u64 ready_ps = now + sgpu_lsu_latency(sm, op->kind, &op->traffic, now);

		warp->scoreboard[op - warp->ops].ready_ps = ready_ps;
		if (warp->stall == SGPU_STALL_MEMORY)
			sgpu_sm_wake_warp(sm, warp, ready_ps);
	}
	if (warp->stall == SGPU_STALL_LSU_FULL)
		sgpu_sm_wake_warp(sm, warp, now);
}

/* Start the groups to @page that waited for one that is through now. */
static void lsu_unchain(struct sgpu_sm *sm, struct sgpu_warp *warp, u64 page, u64 now)
{
	struct sgpu_lsu_group *group;

	list_for_each_entry(group, &warp->groups, node) {
		if (group->state != SGPU_GROUP_CHAINED || group->access.va >> 12 != page ||
		    lsu_conflict(warp, page, group->access.kind, group))
			continue;
		group->state = SGPU_GROUP_MMU;
		sgpu_mmu_request(sm->gpu, &group->access, now);
	}
}

void sgpu_access_translated(struct rm_gpu *gpu, struct sgpu_access *access,
			    const struct sgpu_translation *xlat, u64 epoch)
{
	struct sgpu_lsu_group *group = lsu_group(access);
	struct sgpu_sm *sm = gpu->sms.sm[access->sm];
	u64 now = sgpu_now_ps();
	struct sgpu_warp *warp;

	mutex_lock(&sm->lock);
	warp = group->op->warp;
	if (warp->cta->dead) {
		mutex_unlock(&sm->lock);
		return;
	}
	if (!sm->is_virtual && epoch != sgpu_mmu_epoch(gpu)) {
		sgpu_mmu_request(gpu, access, now);
	} else if (unlikely(lsu_group_waits(gpu, group, xlat))) {
		sgpu_mmu_hold(gpu, access, now);
	} else {
		lsu_group_perform(gpu, group, xlat, now);
		lsu_group_done(sm, group, now);
		lsu_unchain(sm, warp, access->va >> 12, now);
	}
	mutex_unlock(&sm->lock);
}

void sgpu_access_cancelled(struct rm_gpu *gpu, struct sgpu_access *access, int error)
{
	struct sgpu_lsu_group *group = lsu_group(access);
	struct sgpu_sm *sm = gpu->sms.sm[access->sm];
	u64 now = sgpu_now_ps();
	struct sgpu_lsu_op *op;
	unsigned int lane;

	mutex_lock(&sm->lock);
	op = group->op;
	if (op->warp->cta->dead)
		goto out;
	if (op->kind != SGPU_PREFETCH) {
		lane = __ffs(group->lanes);
		sgpu_sm_fail(sm, op->warp,
			     error == ENOMEM ? SOFTGPU_FAIL_NO_MEMORY : SOFTGPU_FAIL_FAULT, op->pc,
			     lane, lsu_access(op->kind), op->va[lane], error);
		/* it stays in flight for good: its warp must not go on */
		group->state = SGPU_GROUP_CHAINED;
		group->access.va = U64_MAX;
	} else {
		lsu_group_done(sm, group, now);
		lsu_unchain(sm, op->warp, access->va >> 12, now);
	}
out:
	mutex_unlock(&sm->lock);
}

/* Do the accesses of the warp to this page wait for a replay? */
static bool lsu_page_waits(struct rm_gpu *gpu, const struct sgpu_warp *warp, u64 page)
{
	const struct sgpu_lsu_group *group;

	list_for_each_entry(group, &warp->groups, node)
		if (group->state == SGPU_GROUP_MMU && group->access.va >> 12 == page &&
		    sgpu_mmu_waits(gpu, &group->access))
			return true;
	return false;
}

/* Does one of the groups of @op do so?  One that is chained waits for the one before it. */
static bool lsu_op_waits(struct rm_gpu *gpu, const struct sgpu_warp *warp,
			 const struct sgpu_lsu_op *op)
{
	const struct sgpu_lsu_group *group;

	list_for_each_entry(group, &warp->groups, node)
		if (group->op == op && lsu_page_waits(gpu, warp, group->access.va >> 12))
			return true;
	return false;
}

/* Do all groups in flight do so?  Whichever ends lets the warp try again. */
static bool lsu_groups_wait(struct rm_gpu *gpu, const struct sgpu_warp *warp)
{
	const struct sgpu_lsu_group *group;

	list_for_each_entry(group, &warp->groups, node)
		if (!lsu_page_waits(gpu, warp, group->access.va >> 12))
			return false;
	return true;
}

bool sgpu_lsu_waits_replay(struct rm_gpu *gpu, const struct sgpu_warp *warp)
{
	u64 left;

	if (warp->stall == SGPU_STALL_LSU_FULL)
		return lsu_groups_wait(gpu, warp);
	for (left = warp->awaited; left; left &= left - 1)
		if (lsu_op_waits(gpu, warp, &warp->ops[__ffs64(left)]) != warp->any)
			return !warp->any;
	return warp->any;
}
EXPORT_SYMBOL_IF_KUNIT(sgpu_lsu_waits_replay);

void sgpu_lsu_forget(struct rm_gpu *gpu, struct sgpu_cta *cta)
{
	unsigned int i, j;

	for (i = 0; i < cta->count; i++) {
		struct sgpu_warp *warp = &cta->warp[i];

		for (j = 0; warp->groups_busy && j < SGPU_WARP_GROUPS; j++)
			if (warp->groups_busy >> j & 1 && warp->group[j].state == SGPU_GROUP_MMU)
				sgpu_mmu_forget(gpu, &warp->group[j].access);
		warp->groups_busy = 0;
	}
}
