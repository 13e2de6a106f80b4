// SPDX-License-Identifier: GPL-2.0
/*
 * Methods: what a data word does.  Everything that is not known here is an
 * error, so that a driver's mistake is found at its place.
 */
#include <linux/bitfield.h>
#include <kunit/visibility.h>
#include <softgpu/ce_class.h>
#include <softgpu/host_class.h>
#include <softgpu/mmu_format.h>
#include <softgpu/sw_class.h>
#include "base/gpu.h"
#include "host/channel_state.h"
#include "host/host_method.h"
#include "host/host_types.h"
#include "mmu/access_counter.h"
#include "mmu/mmu.h"
#include "mmu/mmu_cancel.h"
#include "mmu/mmu_hold.h"
#include "mmu/mmu_replay.h"

#define SGPU_CE_LAUNCH_KNOWN \
	(CE_LAUNCH_TRANSFER | CE_LAUNCH_FLUSH | CE_LAUNCH_SEMAPHORE | CE_LAUNCH_SRC_PITCH | \
	 CE_LAUNCH_DST_PITCH | CE_LAUNCH_REMAP | CE_LAUNCH_SRC_PHYSICAL | \
	 CE_LAUNCH_DST_PHYSICAL | CE_LAUNCH_REDUCTION | CE_LAUNCH_REDUCTION_UNSIGNED | \
	 CE_LAUNCH_REDUCTION_ENABLE | CE_LAUNCH_FLUSH_GL)

static enum sgpu_method_result sgpu_method_error(u32 *error, u32 code)
{
	*error = code;
	return SGPU_METHOD_ERROR;
}

/* Cost of a TLB invalidate with its replay or cancel; U64_MAX if it is no good. */
static u64 sgpu_method_invalidate_ns(struct rm_channel *ch, bool targeted)
{
	u32 a = ch->host.mem_op[0], c = ch->host.mem_op[2];
	u32 field = FIELD_GET(HOST_MEM_OP_C_ACCESS, c);
	u32 aperture = FIELD_GET(HOST_MEM_OP_C_PDB_APERTURE, c);
	u64 ns = sgpu_prof(ch->gpu, tlb_invalidate_ns);

	switch (FIELD_GET(HOST_MEM_OP_C_REPLAY, c)) {
	case HOST_REPLAY_NONE:
	case HOST_REPLAY_START:
	case HOST_REPLAY_START_ACK_ALL:
		if (field > HOST_LEVEL_UP_TO_PDE3)
			return U64_MAX;
		break;
	case HOST_REPLAY_CANCEL_VA_GLOBAL:
		if (!targeted || field == 3)
			return U64_MAX;
		break;
	default:
		return U64_MAX;
	}
	if (aperture != HOST_PDB_VID && aperture != HOST_PDB_SYS_COH)
		return U64_MAX;
	if (FIELD_GET(HOST_MEM_OP_C_ACK, c) > HOST_ACK_GLOBALLY)
		return U64_MAX;
	if (a & HOST_MEM_OP_A_SYSMEMBAR)
		ns += sgpu_prof(ch->gpu, membar_ns);
	return ns;
}

/* Cost of an access counter clear; U64_MAX if it is no good. */
static u64 sgpu_method_clear_ns(struct rm_channel *ch)
{
	u32 known = HOST_MEM_OP_D_OPERATION | HOST_MEM_OP_D_COUNTER_CLR |
		    HOST_MEM_OP_D_COUNTER_CLR_TYPE | HOST_MEM_OP_D_COUNTER_CLR_BANK;

	return ch->host.mem_op[3] & ~known ? U64_MAX : sgpu_prof(ch->gpu, access_clear_ns);
}

static void sgpu_host_clear_counter(struct rm_channel *ch)
{
	u32 d = ch->host.mem_op[3];
	struct sgpu_counter_span span;

	if (FIELD_GET(HOST_MEM_OP_D_COUNTER_CLR_TYPE, d) == HOST_COUNTER_CLR_MIMC &&
	    sgpu_access_counters_clear_one(ch->gpu, FIELD_GET(HOST_MEM_OP_D_COUNTER_CLR_BANK, d),
					   FIELD_GET(HOST_MEM_OP_C_COUNTER_CLR_TAG,
						     ch->host.mem_op[2]), &span))
		sgpu_mmu_release(ch->gpu, &span);
}

static void sgpu_host_clear_counters(struct rm_channel *ch)
{
	u32 clear = FIELD_GET(HOST_MEM_OP_D_COUNTER_CLR, ch->host.mem_op[3]);

	if (clear == HOST_COUNTER_CLR_TARGETED) {
		sgpu_host_clear_counter(ch);
		return;
	}
	sgpu_access_counters_clear(ch->gpu, clear);
	sgpu_mmu_release(ch->gpu, NULL);
}

static enum sgpu_method_result sgpu_method_mem_op(struct rm_channel *ch, u32 *error)
{
	u64 ns = U64_MAX;

	switch (FIELD_GET(HOST_MEM_OP_D_OPERATION, ch->host.mem_op[3])) {
	case HOST_MEM_OP_MEMBAR:
		if (FIELD_GET(HOST_MEM_OP_C_MEMBAR, ch->host.mem_op[2]) <= HOST_MEMBAR_GPU)
			ns = sgpu_prof(ch->gpu, membar_ns);
		break;
	case HOST_MEM_OP_TLB_INVALIDATE:
		ns = sgpu_method_invalidate_ns(ch, false);
		break;
	case HOST_MEM_OP_TLB_INVALIDATE_TARGETED:
		ns = sgpu_method_invalidate_ns(ch, true);
		break;
	case HOST_MEM_OP_ACCESS_COUNTER_CLR:
		ns = sgpu_method_clear_ns(ch);
		break;
	}
	if (ns == U64_MAX)
		return sgpu_method_error(error, RM_CHANNEL_ERR_METHOD);
	ch->action = SGPU_ACTION_MEM_OP;
	ch->now_ps += ns * PS_PER_NS;
	return SGPU_METHOD_ACTION;
}

/*
 * On the real clock a plain START is held up likewise: the driver's CPU could
 * take pages away again before the device's threads had a turn at all, for
 * ever, where in hardware a replay beats any driver.
 */
static u32 sgpu_host_replay(const struct rm_channel *ch)
{
	u32 operation = FIELD_GET(HOST_MEM_OP_D_OPERATION, ch->host.mem_op[3]);

	if (operation != HOST_MEM_OP_TLB_INVALIDATE &&
	    operation != HOST_MEM_OP_TLB_INVALIDATE_TARGETED)
		return HOST_REPLAY_NONE;
	return FIELD_GET(HOST_MEM_OP_C_REPLAY, ch->host.mem_op[2]);
}

bool sgpu_host_is_replay(const struct rm_channel *ch)
{
	u32 replay = sgpu_host_replay(ch);

	return replay == HOST_REPLAY_START || replay == HOST_REPLAY_START_ACK_ALL;
}
EXPORT_SYMBOL_IF_KUNIT(sgpu_host_is_replay);

bool sgpu_host_wants_ack(const struct rm_channel *ch)
{
	u32 replay = sgpu_host_replay(ch);

	return replay == HOST_REPLAY_START_ACK_ALL ||
	       (replay == HOST_REPLAY_START && !sim_is_virtual());
}

void sgpu_host_mem_op(struct rm_channel *ch)
{
	const u32 *op = ch->host.mem_op;
	u32 a = op[0], b = op[1], c = op[2], d = op[3];
	u32 operation = FIELD_GET(HOST_MEM_OP_D_OPERATION, d);
	struct sgpu_invalidate inv = {
		.all_pdbs = c & HOST_MEM_OP_C_PDB_ALL,
		.pdb_aperture = FIELD_GET(HOST_MEM_OP_C_PDB_APERTURE, c) == HOST_PDB_VID ?
				RM_APERTURE_VID : RM_APERTURE_SYS,
		.pdb = (u64)FIELD_GET(HOST_MEM_OP_D_PDB_HI, d) << 32 | (c & HOST_MEM_OP_C_PDB_LO),
		.targeted = operation == HOST_MEM_OP_TLB_INVALIDATE_TARGETED,
		/* drivers give canonical addresses, the MMU has 49 bits of them */
		.va = ((u64)b << 32 | (a & HOST_MEM_OP_A_ADDR_LO)) &
		      GENMASK_ULL(MMU_VA_BITS - 1, 0),
		.log2_pages = FIELD_GET(HOST_MEM_OP_A_INVAL_SIZE, a),
	};
	u32 replay = FIELD_GET(HOST_MEM_OP_C_REPLAY, c);

	if (operation == HOST_MEM_OP_MEMBAR)
		return;
	if (operation == HOST_MEM_OP_ACCESS_COUNTER_CLR) {
		sgpu_host_clear_counters(ch);
		return;
	}
	if (replay != HOST_REPLAY_CANCEL_VA_GLOBAL)
		inv.level = FIELD_GET(HOST_MEM_OP_C_LEVEL, c);
	if (!(c & HOST_MEM_OP_C_GPC_DISABLE))
		sgpu_mmu_invalidate(ch->gpu, &inv);
	if (replay == HOST_REPLAY_CANCEL_VA_GLOBAL)
		sgpu_mmu_cancel(ch->gpu, inv.pdb_aperture, inv.pdb, inv.va,
				FIELD_GET(HOST_MEM_OP_C_ACCESS, c));
	else if (replay != HOST_REPLAY_NONE)
		sgpu_mmu_replay(ch->gpu, ch->fetch.taken);
}

static enum sgpu_method_result sgpu_method_semaphore(struct rm_channel *ch, u32 data, u32 *error)
{
	u64 align = data & HOST_SEM_RELEASE_TIMESTAMP ? 16 : data & HOST_SEM_PAYLOAD_64 ? 8 : 4;
	u32 known = HOST_SEM_OPERATION | HOST_SEM_ACQUIRE_SWITCH | HOST_SEM_RELEASE_WFI |
		    HOST_SEM_PAYLOAD_64 | HOST_SEM_RELEASE_TIMESTAMP;
	u32 operation = FIELD_GET(HOST_SEM_OPERATION, data);

	if ((data & ~known) || operation > HOST_SEM_OP_ACQ_CIRC_GEQ ||
	    ch->host.sem_addr & (align - 1))
		return sgpu_method_error(error, RM_CHANNEL_ERR_METHOD);
	ch->host.sem_execute = data;
	ch->action = SGPU_ACTION_SEMAPHORE;
	if (operation == HOST_SEM_OP_RELEASE)
		ch->now_ps += sgpu_prof(ch->gpu, semaphore_ns) * PS_PER_NS;
	return SGPU_METHOD_ACTION;
}

static void sgpu_method_set_half(u64 *reg, u32 data, bool high)
{
	*reg = high ? (u64)data << 32 | lower_32_bits(*reg) :
		      (*reg & ~(u64)U32_MAX) | data;
}

static enum sgpu_method_result sgpu_method_set_object(struct rm_channel *ch, u32 data, u32 *error)
{
	bool sw = ch->header.subch == HOST_SUBCH_SW;

	if (!sw && ch->header.subch != HOST_SUBCH_CE && ch->header.subch != HOST_SUBCH_HOST)
		return sgpu_method_error(error, RM_CHANNEL_ERR_CLASS);
	if (data != (sw ? SW_CLASS : CE_CLASS))
		return sgpu_method_error(error, RM_CHANNEL_ERR_CLASS);
	if (sw)
		ch->sw.bound = true;
	else
		ch->ce.bound = true;
	return SGPU_METHOD_DONE;
}

/* Only copy engines fault here, never the fetch of a pushbuffer. */
static enum sgpu_method_result sgpu_method_clear_faulted(struct rm_channel *ch, u32 data,
							 u32 *error)
{
	if (data & ~(HOST_CLEAR_FAULTED_CHID | HOST_CLEAR_FAULTED_TYPE) ||
	    !(data & HOST_CLEAR_FAULTED_TYPE))
		return sgpu_method_error(error, RM_CHANNEL_ERR_METHOD);
	ch->host.clear_faulted = FIELD_GET(HOST_CLEAR_FAULTED_CHID, data);
	ch->action = SGPU_ACTION_CLEAR_FAULTED;
	return SGPU_METHOD_ACTION;
}

static enum sgpu_method_result sgpu_method_host(struct rm_channel *ch, u32 method, u32 data,
						u32 *error)
{
	switch (method) {
	case HOST_SET_OBJECT:
		return sgpu_method_set_object(ch, data, error);
	case HOST_NOP:
	case HOST_NON_STALL_INTERRUPT:
		return SGPU_METHOD_DONE;
	case HOST_MEM_OP_A:
	case HOST_MEM_OP_B:
	case HOST_MEM_OP_C:
		ch->host.mem_op[(method - HOST_MEM_OP_A) / 4] = data;
		return SGPU_METHOD_DONE;
	case HOST_MEM_OP_D:
		ch->host.mem_op[3] = data;
		return sgpu_method_mem_op(ch, error);
	case HOST_SEM_ADDR_LO:
	case HOST_SEM_ADDR_HI:
		sgpu_method_set_half(&ch->host.sem_addr, data, method == HOST_SEM_ADDR_HI);
		return SGPU_METHOD_DONE;
	case HOST_SEM_PAYLOAD_LO:
	case HOST_SEM_PAYLOAD_HI:
		sgpu_method_set_half(&ch->host.sem_payload, data, method == HOST_SEM_PAYLOAD_HI);
		return SGPU_METHOD_DONE;
	case HOST_SEM_EXECUTE:
		return sgpu_method_semaphore(ch, data, error);
	case HOST_CLEAR_FAULTED:
		return sgpu_method_clear_faulted(ch, data, error);
	case HOST_WFI:
		ch->action = SGPU_ACTION_WFI;
		return SGPU_METHOD_ACTION;
	default:
		return sgpu_method_error(error, RM_CHANNEL_ERR_METHOD);
	}
}

/* The register behind a copy engine method, NULL if there is none. */
static u32 *sgpu_method_ce_reg(struct rm_channel *ch, u32 method)
{
	switch (method) {
	case CE_SET_SEMAPHORE_A:
		return &ch->ce.sem_hi;
	case CE_SET_SEMAPHORE_B:
		return &ch->ce.sem_lo;
	case CE_SET_SEMAPHORE_PAYLOAD:
		return &ch->ce.sem_payload;
	case CE_SET_SRC_PHYS_MODE:
		return &ch->ce.src_phys;
	case CE_SET_DST_PHYS_MODE:
		return &ch->ce.dst_phys;
	case CE_OFFSET_IN_UPPER:
		return &ch->ce.in_hi;
	case CE_OFFSET_IN_LOWER:
		return &ch->ce.in_lo;
	case CE_OFFSET_OUT_UPPER:
		return &ch->ce.out_hi;
	case CE_OFFSET_OUT_LOWER:
		return &ch->ce.out_lo;
	case CE_LINE_LENGTH_IN:
		return &ch->ce.line_length;
	case CE_SET_REMAP_CONST_A:
		return &ch->ce.remap_a;
	case CE_SET_REMAP_CONST_B:
		return &ch->ce.remap_b;
	case CE_SET_REMAP_COMPONENTS:
		return &ch->ce.remap;
	case CE_LAUNCH_DMA:
		return &ch->ce.launch;
	default:
		return NULL;
	}
}

static enum sgpu_method_result sgpu_method_ce(struct rm_channel *ch, u32 method, u32 data,
					      u32 *error)
{
	u32 *reg;

	if (!ch->ce.bound)
		return sgpu_method_error(error, RM_CHANNEL_ERR_CLASS);
	/* One line only: pitches and the number of lines do not matter. */
	if (method == CE_NOP || method == CE_PITCH_IN || method == CE_PITCH_OUT ||
	    method == CE_LINE_COUNT)
		return SGPU_METHOD_DONE;
	reg = sgpu_method_ce_reg(ch, method);
	if (!reg)
		return sgpu_method_error(error, RM_CHANNEL_ERR_METHOD);
	*reg = data;
	if (method != CE_LAUNCH_DMA)
		return SGPU_METHOD_DONE;
	ch->action = SGPU_ACTION_LAUNCH;
	return SGPU_METHOD_ACTION;
}

/*
 * The instance block that the software class names, into @ch->sw.  All are in the GPU's
 * memory; whether there is one is not looked at, for its context may close meanwhile.
 */
static bool sgpu_method_sw_instance(struct rm_channel *ch, u32 a, u32 b, u32 others)
{
	ch->sw.instance = (u64)b << 32 | (a & SW_INST_LO);
	return !(a & ~(SW_INST_LO | SW_INST_APERTURE | others)) &&
	       FIELD_GET(SW_INST_APERTURE, a) == SW_INST_VID &&
	       ch->sw.instance < ch->gpu->vram_bytes + ch->gpu->reserve_bytes;
}

static enum sgpu_method_result sgpu_method_sw_cancel(struct rm_channel *ch, u32 c, u32 *error)
{
	u32 known = SW_FAULT_CANCEL_C_CLIENT | SW_FAULT_CANCEL_C_GPC | SW_FAULT_CANCEL_C_MODE;
	u32 mode = FIELD_GET(SW_FAULT_CANCEL_C_MODE, c);

	if ((c & ~known) || mode > SW_CANCEL_GLOBAL ||
	    !sgpu_method_sw_instance(ch, ch->sw.cancel_a, ch->sw.cancel_b, 0))
		return sgpu_method_error(error, RM_CHANNEL_ERR_METHOD);
	ch->sw.sm = SGPU_MMU_ALL_SMS;
	if (mode == SW_CANCEL_TARGETED) {
		ch->sw.sm = sgpu_mmu_client_sm(ch->gpu, FIELD_GET(SW_FAULT_CANCEL_C_GPC, c),
					       FIELD_GET(SW_FAULT_CANCEL_C_CLIENT, c));
		if (ch->sw.sm < 0)
			return sgpu_method_error(error, RM_CHANNEL_ERR_METHOD);
	}
	ch->action = SGPU_ACTION_SW_CANCEL;
	return SGPU_METHOD_ACTION;
}

/* As CLEAR_FAULTED of the host: only copy engines fault here. */
static enum sgpu_method_result sgpu_method_sw_clear(struct rm_channel *ch, u32 b, u32 *error)
{
	u32 a = ch->sw.clear_a;

	if (!(a & SW_CLEAR_FAULTED_A_TYPE) ||
	    !sgpu_method_sw_instance(ch, a, b, SW_CLEAR_FAULTED_A_TYPE))
		return sgpu_method_error(error, RM_CHANNEL_ERR_METHOD);
	ch->action = SGPU_ACTION_SW_CLEAR;
	return SGPU_METHOD_ACTION;
}

static enum sgpu_method_result sgpu_method_sw(struct rm_channel *ch, u32 method, u32 data,
					      u32 *error)
{
	if (!ch->sw.bound)
		return sgpu_method_error(error, RM_CHANNEL_ERR_CLASS);
	switch (method) {
	case SW_NOP:
		return SGPU_METHOD_DONE;
	case SW_FAULT_CANCEL_A:
		ch->sw.cancel_a = data;
		return SGPU_METHOD_DONE;
	case SW_FAULT_CANCEL_B:
		ch->sw.cancel_b = data;
		return SGPU_METHOD_DONE;
	case SW_FAULT_CANCEL_C:
		return sgpu_method_sw_cancel(ch, data, error);
	case SW_CLEAR_FAULTED_A:
		ch->sw.clear_a = data;
		return SGPU_METHOD_DONE;
	case SW_CLEAR_FAULTED_B:
		return sgpu_method_sw_clear(ch, data, error);
	default:
		return sgpu_method_error(error, RM_CHANNEL_ERR_METHOD);
	}
}

enum sgpu_method_result sgpu_host_method(struct rm_channel *ch, u32 method, u32 data, u32 *error)
{
	if (method < HOST_METHOD_LIMIT)
		return sgpu_method_host(ch, method, data, error);
	if (ch->header.subch == HOST_SUBCH_CE)
		return sgpu_method_ce(ch, method, data, error);
	if (ch->header.subch == HOST_SUBCH_SW)
		return sgpu_method_sw(ch, method, data, error);
	return sgpu_method_error(error, RM_CHANNEL_ERR_METHOD);
}

/* The memory of a peer lies behind the peer's id; whether there is one shows later. */
static bool sgpu_decode_peer(u32 phys, enum rm_aperture *aperture, u64 *address)
{
	if ((phys & ~CE_PHYS_PEER_ID) != CE_PHYS_PEER_MEMORY || *address >> RM_PEER_SHIFT)
		return false;
	*aperture = RM_APERTURE_PEER;
	*address = rm_peer_address(FIELD_GET(CE_PHYS_PEER_ID, phys), *address);
	return true;
}

static bool sgpu_decode_target(u32 phys, enum rm_aperture *aperture, u64 *address)
{
	if (phys != CE_PHYS_LOCAL_FB && phys != CE_PHYS_COHERENT_SYSMEM)
		return sgpu_decode_peer(phys, aperture, address);
	*aperture = phys == CE_PHYS_LOCAL_FB ? RM_APERTURE_VID : RM_APERTURE_SYS;
	return true;
}

/* Only channels of a context have an address space to be virtual in. */
static bool sgpu_decode_operand(struct rm_channel *ch, bool physical, u32 phys,
				enum rm_aperture *aperture, u64 *address, bool *is_virtual)
{
	*is_virtual = !physical;
	return physical ? sgpu_decode_target(phys, aperture, address) : !!ch->as;
}

static u32 sgpu_decode_constant(struct rm_channel *ch, u32 component, bool *ok)
{
	*ok = *ok && (component == CE_REMAP_CONST_A || component == CE_REMAP_CONST_B);
	return component == CE_REMAP_CONST_A ? ch->ce.remap_a : ch->ce.remap_b;
}

/* A memset: one or two constant components of 4 bytes, or one of 1 byte. */
static bool sgpu_decode_memset(struct rm_channel *ch, struct sgpu_copy *copy)
{
	u32 remap = ch->ce.remap;
	u32 size = FIELD_GET(CE_REMAP_COMPONENT_SIZE, remap) + 1;
	u32 count = FIELD_GET(CE_REMAP_NUM_DST, remap) + 1;
	bool ok = (size == 1 && count == 1) || (size == 4 && count <= 2);

	copy->memset = true;
	copy->pattern = sgpu_decode_constant(ch, FIELD_GET(CE_REMAP_DST_X, remap), &ok);
	if (count == 2)
		copy->pattern |= (u64)sgpu_decode_constant(ch, FIELD_GET(CE_REMAP_DST_Y, remap),
							   &ok) << 32;
	copy->pattern_bytes = size * count;
	copy->bytes = (u64)ch->ce.line_length * copy->pattern_bytes;
	return ok;
}

/* The copy or memset proper. */
static bool sgpu_decode_transfer(struct rm_channel *ch, struct sgpu_copy *copy)
{
	u32 launch = ch->ce.launch, pitch = CE_LAUNCH_SRC_PITCH | CE_LAUNCH_DST_PITCH;

	if ((launch & pitch) != pitch)
		return false;
	copy->dst = (u64)ch->ce.out_hi << 32 | ch->ce.out_lo;
	if (!sgpu_decode_operand(ch, launch & CE_LAUNCH_DST_PHYSICAL, ch->ce.dst_phys,
				 &copy->dst_ap, &copy->dst, &copy->dst_virtual))
		return false;
	if (launch & CE_LAUNCH_REMAP)
		return sgpu_decode_memset(ch, copy);
	copy->bytes = ch->ce.line_length;
	copy->src = (u64)ch->ce.in_hi << 32 | ch->ce.in_lo;
	return sgpu_decode_operand(ch, launch & CE_LAUNCH_SRC_PHYSICAL, ch->ce.src_phys,
				   &copy->src_ap, &copy->src, &copy->src_virtual);
}

/* What happens to the semaphore: written, incremented, or nothing. */
static bool sgpu_decode_semaphore(struct rm_channel *ch, struct sgpu_copy *copy)
{
	u32 reduction = ch->ce.launch & (CE_LAUNCH_REDUCTION | CE_LAUNCH_REDUCTION_UNSIGNED |
					 CE_LAUNCH_REDUCTION_ENABLE);
	u32 increment = FIELD_PREP(CE_LAUNCH_REDUCTION, CE_REDUCTION_INC) |
			CE_LAUNCH_REDUCTION_UNSIGNED | CE_LAUNCH_REDUCTION_ENABLE;
	u64 align;

	copy->semaphore = FIELD_GET(CE_LAUNCH_SEMAPHORE, ch->ce.launch);
	copy->sem_addr = (u64)ch->ce.sem_hi << 32 | ch->ce.sem_lo;
	copy->sem_payload = ch->ce.sem_payload;
	copy->increment = reduction;
	if (reduction && (reduction != increment || copy->semaphore != CE_SEMAPHORE_ONE_WORD))
		return false;
	align = copy->semaphore == CE_SEMAPHORE_FOUR_WORD ? 16 : 4;
	return copy->semaphore <= CE_SEMAPHORE_FOUR_WORD &&
	       (!copy->semaphore || !(copy->sem_addr & (align - 1)));
}

u32 sgpu_host_decode_copy(struct rm_channel *ch, struct sgpu_copy *copy)
{
	u32 launch = ch->ce.launch, transfer = FIELD_GET(CE_LAUNCH_TRANSFER, launch);

	memset(copy, 0, sizeof(*copy));
	if ((launch & ~SGPU_CE_LAUNCH_KNOWN) || transfer > CE_TRANSFER_NON_PIPELINED)
		return RM_CHANNEL_ERR_METHOD;
	if (transfer != CE_TRANSFER_NONE && !sgpu_decode_transfer(ch, copy))
		return RM_CHANNEL_ERR_METHOD;
	copy->pipelined = transfer == CE_TRANSFER_PIPELINED;
	copy->flush = launch & CE_LAUNCH_FLUSH;
	return sgpu_decode_semaphore(ch, copy) ? 0 : RM_CHANNEL_ERR_METHOD;
}
