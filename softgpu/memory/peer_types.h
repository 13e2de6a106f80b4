/* SPDX-License-Identifier: GPL-2.0 */
/* The peers of a GPU; see peer.h. */
#ifndef SOFTGPU_PEER_TYPES_H
#define SOFTGPU_PEER_TYPES_H

#include <linux/atomic.h>
#include <linux/types.h>
#include <softgpu/rm.h>

/**
 * struct sgpu_peers - the peers of one GPU
 * @by_id: by peer id, NULL for none
 * @users: by peer id: how often rm_peer_create() was called; the mutex
 * @out_ps: virtual clock: when the way out is free
 * @in_ps: virtual clock: when the way in is
 * @bytes_out: that left over the link to peers, since load
 * @bytes_in: that came, since load
 * @faults: accesses and copies to peers that are none
 */
struct sgpu_peers {
	struct rm_gpu *by_id[RM_PEER_IDS];
	unsigned int users[RM_PEER_IDS];
	u64 out_ps;
	u64 in_ps;
	u64 bytes_out;
	u64 bytes_in;
	atomic64_t faults;
};

#endif
