/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Peers: GPUs that reach each other's memory, and the links between them.
 *
 * A GPU knows a peer by an id, its place in @by_id; addresses in the peer aperture
 * carry it (rm.h).  An id that is not in use, or an address beyond the peer's
 * memory, leads nowhere: the walker calls it a bad address, an access that comes
 * later is not performed and is counted.
 *
 * Each GPU has one link, with a direction in and one out.  What goes from one GPU
 * to another occupies the one's way out and the other's way in: it begins when both
 * are free.  Copies and accesses of SMs share them.  On the real clock links take
 * no time.
 *
 * Pairs are made and undone under one mutex; the device reads @by_id without.  GPUs
 * live as long as the module, so a pointer that was read stays good.
 */
#ifndef SOFTGPU_PEER_H
#define SOFTGPU_PEER_H

#include <linux/atomic.h>
#include <linux/types.h>
#include <softgpu/rm.h>
#include "memory/peer_types.h"

struct rm_gpu;
struct sgpu_copy;

/**
 * sgpu_peer_reachable - does a span lie in the memory of a peer?
 * @gpu: who asks
 * @address: in the peer aperture
 * @bytes: length of the span
 *
 * Context: any.  Counts nothing.
 * Return: true if all of it does.
 */
bool sgpu_peer_reachable(struct rm_gpu *gpu, u64 address, u64 bytes);

/**
 * sgpu_peer_ptr - CPU pointer to a peer's memory
 * @gpu: who accesses it
 * @address: in the peer aperture
 *
 * Context: any.
 * Return: pointer, good to the end of the 4K page; NULL: it leads nowhere (counted).
 */
void *sgpu_peer_ptr(struct rm_gpu *gpu, u64 address);

/**
 * sgpu_peer_access - lines of an access of an SM go over the link
 * @gpu: whose SM
 * @address: in the peer aperture
 * @write: they go out rather than come in
 * @lines: of 128 bytes
 * @when_ps: time of the access
 *
 * Virtual clock only.
 *
 * Return: when the link has carried them.
 */
u64 sgpu_peer_access(struct rm_gpu *gpu, u64 address, bool write, unsigned int lines, u64 when_ps);

/**
 * sgpu_peer_copy - a copy goes over the links
 * @gpu: whose engine copies
 * @copy: the copy, or the present piece of it
 * @started_ps: when it began
 * @ps: how long the links are occupied
 *
 * Virtual clock only.
 *
 * Return: when the links have carried it; 0 for a copy that uses none.
 */
u64 sgpu_peer_copy(struct rm_gpu *gpu, const struct sgpu_copy *copy, u64 started_ps, u64 ps);

#endif
