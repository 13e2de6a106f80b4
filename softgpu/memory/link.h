/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The link to system memory: what accesses of SMs share, with each other and with copies.
 * Virtual clock only; on the real clock it takes no time.
 *
 * Each direction carries what SMs ask for in the order in which they ask.  A request is one
 * 128-byte line of a warp instruction, with the 32-byte sectors that were touched, and a header.
 * The rate is that of copies in this direction, which move whole lines with headers.
 *
 * Reads hold one of a few tags from when they go until they are back; who finds none waits for
 * the one that was taken longest ago.
 *
 * While both have something to send, a direction is shared half and half with a copy: what a
 * request takes is added to the copy, and as much of the copy to the request.  Who comes last
 * sees what the others still have to send, so that the sum is right:
 *
 *   a copy begins:    both wait min(what SMs wait for, the copy)
 *   a request comes:  both wait min(the request, what the copy has left)
 *
 * A time that was told stays, so of requests that waited when a copy began only the sum is
 * right.  Copies of several engines in one direction each share with SMs, not with each other.
 *
 * Events come in the order of the clock, but for SMs, which run one after the other through
 * the same quantum: a request may wait for later ones of SMs before it, so at most a quantum
 * longer than in order.  That loses no bandwidth, since the link idles for none of them twice.
 * The lock is for copies that a thread takes off an engine (copy_engine.h); a struct
 * sgpu_link_copy is its engine's.
 */
#ifndef SOFTGPU_LINK_H
#define SOFTGPU_LINK_H

#include <linux/bits.h>
#include <linux/types.h>
#include "memory/link_types.h"

struct rm_gpu;

/**
 * sgpu_link_init - read the profile; nothing is under way
 * @gpu: whose link
 */
void sgpu_link_init(struct rm_gpu *gpu);

/* Directions of a request: reads come in, writes go out, atomics do both. */
#define SGPU_LINK_READ		BIT(SGPU_LINK_IN)
#define SGPU_LINK_WRITE		BIT(SGPU_LINK_OUT)
#define SGPU_LINK_ATOMIC	(SGPU_LINK_READ | SGPU_LINK_WRITE)

/**
 * sgpu_link_request - an SM accesses a line of system memory
 * @gpu: whose SM
 * @ways: SGPU_LINK_READ, _WRITE or _ATOMIC
 * @sectors: of the line, 1 ... 4
 * @when_ps: time of the access
 *
 * Return: when it is done: data are back, or a write is known to have arrived.
 */
u64 sgpu_link_request(struct rm_gpu *gpu, unsigned int ways, unsigned int sectors, u64 when_ps);

/**
 * sgpu_link_read_counters - what SMs have accessed over the link until now
 * @gpu: whose SMs
 * @counters: filled; all 0 on the real clock, where nobody asks the link
 *
 * Copies are not in these: their engines count them.
 */
void sgpu_link_read_counters(struct rm_gpu *gpu, struct sgpu_link_counters *counters);

/**
 * sgpu_link_copy_begin - a copy will go over the link
 * @gpu: whose engine copies
 * @lc: what the link knows of that engine; it may have another copy, which did not begin
 * @owner: the copy; if the link knows it already nothing changes
 * @way: direction
 * @begin_ps: when its first byte goes
 * @ps: how long its bytes take
 */
void sgpu_link_copy_begin(struct rm_gpu *gpu, struct sgpu_link_copy *lc, const void *owner,
			  enum sgpu_link_way way, u64 begin_ps, u64 ps);

/**
 * sgpu_link_copy_end - when has the link carried a copy?
 * @gpu: whose engine copies
 * @lc: as in sgpu_link_copy_begin()
 * @now_ps: now; not before the copy begins
 *
 * Return: that time, as far as is known by now; 0 for a copy that the link does not know.
 */
u64 sgpu_link_copy_end(struct rm_gpu *gpu, struct sgpu_link_copy *lc, u64 now_ps);

/**
 * sgpu_link_copy_drop - the copy has ended, or will not
 * @gpu: whose engine copies
 * @lc: as in sgpu_link_copy_begin(); the link may not know a copy of it
 */
void sgpu_link_copy_drop(struct rm_gpu *gpu, struct sgpu_link_copy *lc);

#endif
