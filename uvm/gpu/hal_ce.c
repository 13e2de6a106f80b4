// SPDX-License-Identifier: GPL-2.0
/*
 * HAL: copy engine.
 */
#include <linux/bitfield.h>
#include <softgpu/ce_class.h>
#include <kunit/visibility.h>
#include "gpu/hal.h"

/*
 * Inlined, so that the header is a constant and the data a few stores: nine of these make
 * a copied and mapped page.
 */
static __always_inline void uvm_ce_methods(struct uvm_push *push, u32 method, const u32 *data,
					   unsigned int count)
{
	u32 *words = uvm_push_words(push, 1 + count);

	words[0] = FIELD_PREP(HOST_HDR_OP, HOST_HDR_OP_INC) |
		   FIELD_PREP(HOST_HDR_COUNT, count) |
		   FIELD_PREP(HOST_HDR_SUBCH, HOST_SUBCH_CE) |
		   FIELD_PREP(HOST_HDR_METHOD, method / 4);
	memcpy(words + 1, data, count * sizeof(u32));
}

static u32 uvm_ce_target(struct uvm_gpu_address address)
{
	switch (address.aperture) {
	case RM_APERTURE_SYS:
		return FIELD_PREP(CE_PHYS_TARGET, CE_PHYS_COHERENT_SYSMEM);
	case RM_APERTURE_PEER:
		return FIELD_PREP(CE_PHYS_TARGET, CE_PHYS_PEER_MEMORY) |
		       FIELD_PREP(CE_PHYS_PEER_ID, address.address >> RM_PEER_SHIFT);
	default:
		return FIELD_PREP(CE_PHYS_TARGET, CE_PHYS_LOCAL_FB);
	}
}

/* The id of a peer is said with the target. */
static u64 uvm_ce_offset(struct uvm_gpu_address address)
{
	if (address.aperture == RM_APERTURE_PEER)
		return address.address & (BIT_ULL(RM_PEER_SHIFT) - 1);
	return address.address;
}

/* Flush bits for the membar that the push's author chose. */
static u32 uvm_ce_flush(struct uvm_push *push)
{
	switch (uvm_push_take_membar(push)) {
	case UVM_MEMBAR_NONE:
		return 0;
	case UVM_MEMBAR_GPU:
		return CE_LAUNCH_FLUSH | CE_LAUNCH_FLUSH_GL;
	default:
		return CE_LAUNCH_FLUSH;
	}
}

static void uvm_ce_launch(struct uvm_push *push, u32 bits)
{
	bits |= uvm_ce_flush(push);
	uvm_ce_methods(push, CE_LAUNCH_DMA, &bits, 1);
}

static void uvm_ce_launch_transfer(struct uvm_push *push, u32 bits)
{
	u32 transfer = uvm_push_take_pipelined(push) ? CE_TRANSFER_PIPELINED :
						       CE_TRANSFER_NON_PIPELINED;

	uvm_ce_launch(push, bits | FIELD_PREP(CE_LAUNCH_TRANSFER, transfer) |
			    CE_LAUNCH_SRC_PITCH | CE_LAUNCH_DST_PITCH | CE_LAUNCH_DST_PHYSICAL);
}

void uvm_ce_memcopy(struct uvm_push *push, struct uvm_gpu_address dst,
		    struct uvm_gpu_address src, u64 bytes)
{
	const u32 modes[] = { uvm_ce_target(src), uvm_ce_target(dst) };
	const u64 in = uvm_ce_offset(src), out = uvm_ce_offset(dst);
	const u32 offsets[] = {
		upper_32_bits(in), lower_32_bits(in), upper_32_bits(out), lower_32_bits(out),
	};
	const u32 length = bytes;

	uvm_ce_methods(push, CE_SET_SRC_PHYS_MODE, modes, ARRAY_SIZE(modes));
	uvm_ce_methods(push, CE_OFFSET_IN_UPPER, offsets, ARRAY_SIZE(offsets));
	uvm_ce_methods(push, CE_LINE_LENGTH_IN, &length, 1);
	uvm_ce_launch_transfer(push, CE_LAUNCH_SRC_PHYSICAL);
}
EXPORT_SYMBOL_IF_KUNIT(uvm_ce_memcopy);

static void uvm_ce_memset(struct uvm_push *push, struct uvm_gpu_address dst, u64 value,
			  u32 components, u32 elements)
{
	const u32 remap[] = { lower_32_bits(value), upper_32_bits(value), components };
	const u64 out = uvm_ce_offset(dst);
	const u32 offsets[] = { upper_32_bits(out), lower_32_bits(out) };
	const u32 mode = uvm_ce_target(dst);

	uvm_ce_methods(push, CE_SET_REMAP_CONST_A, remap, ARRAY_SIZE(remap));
	uvm_ce_methods(push, CE_SET_DST_PHYS_MODE, &mode, 1);
	uvm_ce_methods(push, CE_OFFSET_OUT_UPPER, offsets, ARRAY_SIZE(offsets));
	uvm_ce_methods(push, CE_LINE_LENGTH_IN, &elements, 1);
	uvm_ce_launch_transfer(push, CE_LAUNCH_REMAP);
}

/* Elements of @num components of @size bytes, from CONST_A and then CONST_B. */
static u32 uvm_ce_components(unsigned int num, unsigned int size)
{
	return FIELD_PREP(CE_REMAP_DST_X, CE_REMAP_CONST_A) |
	       FIELD_PREP(CE_REMAP_DST_Y, num > 1 ? CE_REMAP_CONST_B : 0) |
	       FIELD_PREP(CE_REMAP_COMPONENT_SIZE, size - 1) |
	       FIELD_PREP(CE_REMAP_NUM_DST, num - 1);
}

void uvm_ce_memset_8(struct uvm_push *push, struct uvm_gpu_address dst, u64 value, u64 bytes)
{
	uvm_ce_memset(push, dst, value, uvm_ce_components(2, 4), bytes / 8);
}
EXPORT_SYMBOL_IF_KUNIT(uvm_ce_memset_8);

void uvm_ce_memset_4(struct uvm_push *push, struct uvm_gpu_address dst, u32 value, u64 bytes)
{
	uvm_ce_memset(push, dst, value, uvm_ce_components(1, 4), bytes / 4);
}
EXPORT_SYMBOL_IF_KUNIT(uvm_ce_memset_4);

void uvm_ce_memset_1(struct uvm_push *push, struct uvm_gpu_address dst, u8 value, u64 bytes)
{
	uvm_ce_memset(push, dst, value, uvm_ce_components(1, 1), bytes);
}
EXPORT_SYMBOL_IF_KUNIT(uvm_ce_memset_1);

void uvm_ce_memcopy_inline(struct uvm_push *push, struct uvm_gpu_address dst, const void *data,
			   size_t bytes)
{
	struct uvm_gpu_address src;

	uvm_push_inline_begin(push);
	uvm_push_inline_add(push, data, bytes);
	src = uvm_push_inline_end(push);
	uvm_ce_memcopy(push, dst, src, bytes);
}
EXPORT_SYMBOL_IF_KUNIT(uvm_ce_memcopy_inline);

static void uvm_ce_semaphore(struct uvm_push *push, u64 va, u32 payload, u32 kind)
{
	const u32 data[] = { upper_32_bits(va), lower_32_bits(va), payload };

	uvm_ce_methods(push, CE_SET_SEMAPHORE_A, data, ARRAY_SIZE(data));
	uvm_ce_launch(push, FIELD_PREP(CE_LAUNCH_TRANSFER, CE_TRANSFER_NONE) |
			    FIELD_PREP(CE_LAUNCH_SEMAPHORE, kind));
}

void uvm_ce_semaphore_release(struct uvm_push *push, u64 va, u32 payload)
{
	uvm_ce_semaphore(push, va, payload, CE_SEMAPHORE_ONE_WORD);
}
EXPORT_SYMBOL_IF_KUNIT(uvm_ce_semaphore_release);

void uvm_ce_semaphore_timestamp(struct uvm_push *push, u64 va)
{
	/* A time is no data: nobody needs a barrier for it, and flags are for others. */
	u32 flags = push->flags;

	push->flags = UVM_PUSH_NEXT_MEMBAR_NONE;
	uvm_ce_semaphore(push, va, 0, CE_SEMAPHORE_FOUR_WORD);
	push->flags = flags;
}
EXPORT_SYMBOL_IF_KUNIT(uvm_ce_semaphore_timestamp);
