// SPDX-License-Identifier: GPL-2.0
/* Peers and the links between them; see peer.h. */
#include <linux/export.h>
#include <linux/mutex.h>
#include <linux/nospec.h>
#include <kunit/visibility.h>
#include "base/gpu.h"
#include "host/copy_engine_types.h"
#include "memory/peer.h"
#include "memory/vram.h"

#define SGPU_LINE_BYTES		128

/* Pairs of all GPUs; nothing is waited for inside. */
static DEFINE_MUTEX(sgpu_peer_lock);

/* ---- rm.h ------------------------------------------------------------ */

static u64 sgpu_peer_memory(const struct rm_gpu *gpu)
{
	return gpu->vram_bytes + gpu->reserve_bytes;
}

enum rm_peer_link rm_peer_link(struct rm_gpu *a, struct rm_gpu *b)
{
	if (a == b || max(sgpu_peer_memory(a), sgpu_peer_memory(b)) > BIT_ULL(RM_PEER_SHIFT))
		return RM_PEER_LINK_NONE;
	return min(sgpu_prof(a, peer_link), sgpu_prof(b, peer_link));
}
EXPORT_SYMBOL_NS_GPL(rm_peer_link, SOFTGPU);

unsigned int rm_peer_id(struct rm_gpu *gpu, struct rm_gpu *peer)
{
	return peer->index;
}
EXPORT_SYMBOL_NS_GPL(rm_peer_id, SOFTGPU);

static void sgpu_peer_get(struct rm_gpu *gpu, struct rm_gpu *peer)
{
	unsigned int id = rm_peer_id(gpu, peer);

	lockdep_assert_held(&sgpu_peer_lock);
	if (!gpu->peers.users[id]++)
		WRITE_ONCE(gpu->peers.by_id[id], peer);
}

static void sgpu_peer_put(struct rm_gpu *gpu, struct rm_gpu *peer)
{
	unsigned int id = rm_peer_id(gpu, peer);

	lockdep_assert_held(&sgpu_peer_lock);
	if (!WARN_ON_ONCE(!gpu->peers.users[id]) && !--gpu->peers.users[id])
		WRITE_ONCE(gpu->peers.by_id[id], NULL);
}

int rm_peer_create(struct rm_gpu *a, struct rm_gpu *b)
{
	BUILD_BUG_ON(RM_MAX_GPUS > RM_PEER_IDS);
	if (rm_peer_link(a, b) == RM_PEER_LINK_NONE)
		return -EOPNOTSUPP;
	mutex_lock(&sgpu_peer_lock);
	sgpu_peer_get(a, b);
	sgpu_peer_get(b, a);
	mutex_unlock(&sgpu_peer_lock);
	return 0;
}
EXPORT_SYMBOL_NS_GPL(rm_peer_create, SOFTGPU);

void rm_peer_destroy(struct rm_gpu *a, struct rm_gpu *b)
{
	mutex_lock(&sgpu_peer_lock);
	sgpu_peer_put(a, b);
	sgpu_peer_put(b, a);
	mutex_unlock(&sgpu_peer_lock);
}
EXPORT_SYMBOL_NS_GPL(rm_peer_destroy, SOFTGPU);

/* ---- memory ---------------------------------------------------------- */

/* The peer that an address names, or NULL. */
static struct rm_gpu *sgpu_peer_find(struct rm_gpu *gpu, u64 address)
{
	u64 id = address >> RM_PEER_SHIFT;

	if (id >= RM_PEER_IDS)
		return NULL;
	return READ_ONCE(gpu->peers.by_id[array_index_nospec(id, RM_PEER_IDS)]);
}

static u64 sgpu_peer_offset(u64 address)
{
	return address & (BIT_ULL(RM_PEER_SHIFT) - 1);
}

bool sgpu_peer_reachable(struct rm_gpu *gpu, u64 address, u64 bytes)
{
	struct rm_gpu *peer = sgpu_peer_find(gpu, address);
	u64 offset = sgpu_peer_offset(address);

	return peer && offset < sgpu_peer_memory(peer) &&
	       bytes <= sgpu_peer_memory(peer) - offset;
}
EXPORT_SYMBOL_IF_KUNIT(sgpu_peer_reachable);

void *sgpu_peer_ptr(struct rm_gpu *gpu, u64 address)
{
	struct rm_gpu *peer = sgpu_peer_find(gpu, address);
	void *p = peer ? sgpu_vram_ptr(&peer->vram, sgpu_peer_offset(address)) : NULL;

	if (!p)
		atomic64_inc(&gpu->peers.faults);
	return p;
}
EXPORT_SYMBOL_IF_KUNIT(sgpu_peer_ptr);

/* ---- links ----------------------------------------------------------- */

/* Events come one after the other on the virtual clock: no lock. */
static u64 sgpu_link_carry(struct rm_gpu *from, struct rm_gpu *to, u64 when_ps, u64 ps, u64 bytes)
{
	u64 end = max3(when_ps, from->peers.out_ps, to->peers.in_ps) + ps;

	from->peers.out_ps = end;
	to->peers.in_ps = end;
	from->peers.bytes_out += bytes;
	to->peers.bytes_in += bytes;
	return end;
}

u64 sgpu_peer_access(struct rm_gpu *gpu, u64 address, bool write, unsigned int lines, u64 when_ps)
{
	struct rm_gpu *peer = sgpu_peer_find(gpu, address);
	u64 ps = lines * sgpu_prof(gpu, peer_line_ns) * PS_PER_NS;
	u64 bytes = (u64)lines * SGPU_LINE_BYTES;

	if (!peer)
		return when_ps;
	return write ? sgpu_link_carry(gpu, peer, when_ps, ps, bytes) :
		       sgpu_link_carry(peer, gpu, when_ps, ps, bytes);
}
EXPORT_SYMBOL_IF_KUNIT(sgpu_peer_access);

/* Who has an operand of a copy; NULL: not a GPU, or a peer that is none. */
static struct rm_gpu *sgpu_peer_owner(struct rm_gpu *gpu, enum rm_aperture aperture, u64 pa)
{
	if (aperture == RM_APERTURE_PEER)
		return sgpu_peer_find(gpu, pa);
	return gpu;
}

u64 sgpu_peer_copy(struct rm_gpu *gpu, const struct sgpu_copy *copy, u64 started_ps, u64 ps)
{
	struct rm_gpu *from = gpu, *to = sgpu_peer_owner(gpu, copy->dst_ap, copy->dst);

	if (!copy->memset)
		from = sgpu_peer_owner(gpu, copy->src_ap, copy->src);
	if (!from || !to || from == to)
		return 0;
	return sgpu_link_carry(from, to, started_ps, ps,
			       sgpu_copy_is_virtual(copy) ? copy->piece : copy->bytes);
}
EXPORT_SYMBOL_IF_KUNIT(sgpu_peer_copy);
