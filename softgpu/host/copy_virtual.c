// SPDX-License-Identifier: GPL-2.0
/*
 * Copies with virtual operands: where they lie, piece by piece; see
 * copy_engine.h.
 *
 * Copy engines walk the tables themselves and keep no translations: the time of
 * their walks is part of a copy's latency (assumed), that of a walk which finds
 * nothing is one walk.
 */
#include <linux/bitops.h>
#include <kunit/visibility.h>
#include <softgpu/fault_format.h>
#include "base/gpu.h"
#include "host/copy_engine.h"
#include "host/copy_move.h"
#include "host/copy_virtual.h"
#include "mmu/mmu_mshr.h"
#include "mmu/walker.h"

/**
 * struct sgpu_copy_side - one operand at one place
 * @aperture: where it lies
 * @pa: physical address
 * @extent: bytes from there on that lie behind each other
 */
struct sgpu_copy_side {
	enum rm_aperture aperture;
	u64 pa;
	u64 extent;
};

static bool sgpu_copy_walk(struct rm_gpu *gpu, const struct sgpu_address_space *as,
			   struct sgpu_copy *copy, u64 va, bool write, struct sgpu_copy_side *side)
{
	enum sgpu_walk_result res = SGPU_WALK_INVALID_PDE;
	struct sgpu_page page;
	u64 within;

	if (as->bound)
		res = sgpu_walk(gpu, as, va, write ? SGPU_WRITE : SGPU_READ, &page);
	if (res != SGPU_WALK_OK) {
		copy->fault_va = va;
		copy->fault_type = sgpu_fault_type(res);
		copy->fault_write = write;
		return false;
	}
	within = va & (BIT_ULL(page.shift) - 1);
	side->aperture = page.aperture;
	side->pa = page.pa + within;
	side->extent = BIT_ULL(page.shift) - within;
	return true;
}

/* The pattern as it goes on @done bytes behind its start. */
static u64 sgpu_copy_pattern_at(const struct sgpu_copy *copy, u64 done)
{
	unsigned int bits = 8 * (done % copy->pattern_bytes);

	return copy->pattern_bytes == 8 ? ror64(copy->pattern, bits) :
	       copy->pattern_bytes == 4 ? ror32(copy->pattern, bits) : copy->pattern;
}

/*
 * What begins @done bytes behind the start of @copy, as a physical copy of as
 * many bytes as lie behind each other; false if there is no translation.
 */
static bool sgpu_copy_part(struct rm_gpu *gpu, const struct sgpu_address_space *as,
			   struct sgpu_copy *copy, u64 done, struct sgpu_copy *part)
{
	struct sgpu_copy_side src = { copy->src_ap, copy->src + done, U64_MAX };
	struct sgpu_copy_side dst = { copy->dst_ap, copy->dst + done, U64_MAX };

	/* what is read is looked up first */
	if (copy->src_virtual && !sgpu_copy_walk(gpu, as, copy, src.pa, false, &src))
		return false;
	if (copy->dst_virtual && !sgpu_copy_walk(gpu, as, copy, dst.pa, true, &dst))
		return false;
	*part = (struct sgpu_copy) {
		.src_ap = src.aperture,
		.src = src.pa,
		.dst_ap = dst.aperture,
		.dst = dst.pa,
		.bytes = min3(src.extent, dst.extent, copy->bytes - done),
		.memset = copy->memset,
		.pattern_bytes = copy->pattern_bytes,
	};
	if (copy->memset)
		part->pattern = sgpu_copy_pattern_at(copy, done);
	return true;
}

void sgpu_copy_plan(struct rm_gpu *gpu, const struct sgpu_address_space *as,
		    struct sgpu_copy *copy)
{
	u64 piece = 0, most = min(copy->bytes - copy->done, SGPU_COPY_PIECE);
	enum rm_aperture src_ap = copy->src_ap, dst_ap = copy->dst_ap;
	struct sgpu_copy part;

	while (piece < most && sgpu_copy_part(gpu, as, copy, copy->done + piece, &part)) {
		if (piece && (part.src_ap != src_ap || part.dst_ap != dst_ap))
			break;
		src_ap = part.src_ap;
		dst_ap = part.dst_ap;
		piece += min(part.bytes, most - piece);
	}
	copy->src_ap = src_ap;
	copy->dst_ap = dst_ap;
	copy->piece = piece;
	copy->planned = true;
}
EXPORT_SYMBOL_IF_KUNIT(sgpu_copy_plan);

int sgpu_copy_move_piece(struct rm_gpu *gpu, const struct sgpu_address_space *as,
			 struct sgpu_copy *copy)
{
	u64 end = copy->done + copy->piece;
	struct sgpu_copy part;

	/* what lost its translation meanwhile begins the next piece, and faults there */
	while (copy->done < end && sgpu_copy_part(gpu, as, copy, copy->done, &part)) {
		part.bytes = min(part.bytes, end - copy->done);
		if (sgpu_copy_move(gpu, &part))
			return -EFAULT;
		copy->done += part.bytes;
	}
	return 0;
}
EXPORT_SYMBOL_IF_KUNIT(sgpu_copy_move_piece);
