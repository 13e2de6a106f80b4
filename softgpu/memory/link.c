// SPDX-License-Identifier: GPL-2.0
/* The link to system memory; see link.h. */
#include <linux/export.h>
#include <linux/math64.h>
#include <linux/minmax.h>
#include <kunit/visibility.h>
#include "base/gpu.h"
#include "memory/link.h"

/* A whole line takes what its bytes take of a copy; headers are a part of that. */
static u64 sgpu_link_request_ps(struct rm_gpu *gpu, u64 mbps, unsigned int sectors)
{
	u64 header = sgpu_prof(gpu, remote_header_bytes);
	u64 bytes = header + sectors * SGPU_LINK_SECTOR;

	/* 1e6 ps per byte at 1 MB/s */
	return mul_u64_u64_div_u64(SGPU_LINK_LINE * bytes, 1000000,
				   mbps * (header + SGPU_LINK_LINE));
}

void sgpu_link_init(struct rm_gpu *gpu)
{
	const u64 mbps[SGPU_LINK_WAYS] = {
		[SGPU_LINK_IN] = sgpu_prof(gpu, copy_htod_mbps),
		[SGPU_LINK_OUT] = sgpu_prof(gpu, copy_dtoh_mbps),
	};
	struct sgpu_link *link = &gpu->link;
	unsigned int i, sectors;

	spin_lock_init(&link->lock);
	link->latency_ps = sgpu_prof(gpu, remote_latency_ns) * PS_PER_NS;
	link->requests = sgpu_prof(gpu, remote_requests);
	for (i = 0; i < SGPU_LINK_WAYS; i++) {
		INIT_LIST_HEAD(&link->way[i].copies);
		for (sectors = 0; sectors <= SGPU_LINK_SECTORS; sectors++)
			link->way[i].request_ps[sectors] =
				sgpu_link_request_ps(gpu, mbps[i], sectors);
	}
}
EXPORT_SYMBOL_IF_KUNIT(sgpu_link_init);

/* Copies that have begun by now share with what SMs wait for. */
static void sgpu_link_meet(struct sgpu_link_direction *way, u64 now_ps)
{
	struct sgpu_link_copy *lc;

	list_for_each_entry(lc, &way->copies, node) {
		u64 waiting, shared;

		if (lc->met || lc->begin_ps > now_ps)
			continue;
		waiting = max(way->free_ps, lc->begin_ps) - lc->begin_ps;
		shared = min(waiting, lc->ps);
		lc->met = true;
		lc->end_ps = lc->begin_ps + lc->ps + shared;
		way->free_ps += shared;
	}
}

/* A request of @ps arrives at @when_ps; when has it been carried? */
static u64 sgpu_link_carry(struct sgpu_link_direction *way, u64 when_ps, u64 ps)
{
	u64 start, longest = 0;
	struct sgpu_link_copy *lc;

	sgpu_link_meet(way, when_ps);
	start = max(when_ps, way->free_ps);
	list_for_each_entry(lc, &way->copies, node) {
		u64 shared;

		if (!lc->met || start < lc->begin_ps || start >= lc->end_ps)
			continue;
		shared = min(ps, lc->end_ps - start);
		lc->end_ps += shared;
		longest = max(longest, shared);
	}
	way->free_ps = start + ps + longest;
	return way->free_ps;
}

u64 sgpu_link_request(struct rm_gpu *gpu, unsigned int ways, unsigned int sectors, u64 when_ps)
{
	struct sgpu_link *link = &gpu->link;
	u64 at = when_ps;
	int i;

	spin_lock(&link->lock);
	if (ways & SGPU_LINK_READ)
		at = max(at, link->back[link->next]);
	/* what an atomic brings in goes out first */
	for (i = SGPU_LINK_WAYS - 1; i >= 0; i--) {
		if (!(ways & BIT(i)))
			continue;
		at = sgpu_link_carry(&link->way[i], at, link->way[i].request_ps[sectors]);
		link->way[i].requests++;
		link->way[i].bytes += sectors * SGPU_LINK_SECTOR;
	}
	at += link->latency_ps;
	if (ways & SGPU_LINK_READ) {
		link->back[link->next] = at;
		link->next = link->next + 1 == link->requests ? 0 : link->next + 1;
	}
	spin_unlock(&link->lock);
	return at;
}
EXPORT_SYMBOL_IF_KUNIT(sgpu_link_request);

void sgpu_link_read_counters(struct rm_gpu *gpu, struct sgpu_link_counters *counters)
{
	struct sgpu_link *link = &gpu->link;
	unsigned int i;

	spin_lock(&link->lock);
	for (i = 0; i < SGPU_LINK_WAYS; i++) {
		counters->requests[i] = link->way[i].requests;
		counters->bytes[i] = link->way[i].bytes;
	}
	spin_unlock(&link->lock);
}
EXPORT_SYMBOL_IF_KUNIT(sgpu_link_read_counters);

void sgpu_link_copy_drop(struct rm_gpu *gpu, struct sgpu_link_copy *lc)
{
	if (!lc->owner)
		return;
	spin_lock(&gpu->link.lock);
	list_del(&lc->node);
	spin_unlock(&gpu->link.lock);
	lc->owner = NULL;
}
EXPORT_SYMBOL_IF_KUNIT(sgpu_link_copy_drop);

void sgpu_link_copy_begin(struct rm_gpu *gpu, struct sgpu_link_copy *lc, const void *owner,
			  enum sgpu_link_way way, u64 begin_ps, u64 ps)
{
	struct sgpu_link *link = &gpu->link;

	if (lc->owner == owner)
		return;
	sgpu_link_copy_drop(gpu, lc);
	lc->owner = owner;
	lc->way = way;
	lc->begin_ps = begin_ps;
	lc->ps = ps;
	lc->end_ps = begin_ps + ps;
	lc->met = false;
	spin_lock(&link->lock);
	list_add_tail(&lc->node, &link->way[way].copies);
	spin_unlock(&link->lock);
}
EXPORT_SYMBOL_IF_KUNIT(sgpu_link_copy_begin);

u64 sgpu_link_copy_end(struct rm_gpu *gpu, struct sgpu_link_copy *lc, u64 now_ps)
{
	struct sgpu_link *link = &gpu->link;
	u64 end;

	if (!lc->owner)
		return 0;
	spin_lock(&link->lock);
	sgpu_link_meet(&link->way[lc->way], now_ps);
	end = lc->end_ps;
	spin_unlock(&link->lock);
	return end;
}
EXPORT_SYMBOL_IF_KUNIT(sgpu_link_copy_end);
