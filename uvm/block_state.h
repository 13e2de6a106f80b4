/* SPDX-License-Identifier: GPL-2.0 */
/*
 * State of one VA block: where each page is, and who may do what with it.
 *
 * A page is resident on at most one processor, unless it is read-duplicated:
 * then every copy is mapped for reading only, by its own processor.  Where a PTE
 * points is not kept: it points at the closest copy.  What the CPU has mapped is
 * an upper bound, for the kernel may zap its PTEs without telling.  A GPU may map
 * pages of other processors.
 *
 * Pure: the block lock is the caller's; so are the GPU states, which are
 * attached when a GPU first has to do with the block.
 */
#ifndef UVM_BLOCK_STATE_H
#define UVM_BLOCK_STATE_H

#include <linux/types.h>
#include "page_mask.h"
#include "topology.h"
#include "types.h"

/* Permission bits kept per page: the set holds all stronger ones. */
enum uvm_pte_bit {
	UVM_PTE_READ,
	UVM_PTE_WRITE,
	UVM_PTE_ATOMIC,
	UVM_PTE_BITS
};

/**
 * struct uvm_block_gpu_state - what one GPU has of a block
 * @resident: pages in its memory
 * @pte: pages it has mapped, by permission
 * @big_ptes: bit u: pages [16u, 16u + 16) are mapped by one big PTE
 */
struct uvm_block_gpu_state {
	struct uvm_page_mask resident;
	struct uvm_page_mask pte[UVM_PTE_BITS];
	u32 big_ptes;
};

/**
 * struct uvm_block_state - where the pages of a block are
 * @region: pages of the block
 * @topology: who reaches whom
 * @resident_procs: bit per processor with resident pages
 * @mapped_procs: bit per processor with mapped pages
 * @cpu_resident: pages in system memory
 * @cpu_mapped: pages that the CPU may have mapped
 * @cpu_writable: of these, not for reading only; its writes are atomic
 * @read_duplicated: pages with more than one copy
 * @discarded: resident pages whose bytes nobody wants any more
 * @gpus: by GPU index, NULL until attached
 */
struct uvm_block_state {
	struct uvm_region region;
	const struct uvm_topology *topology;
	u16 resident_procs;
	u16 mapped_procs;
	struct uvm_page_mask cpu_resident;
	struct uvm_page_mask cpu_mapped;
	struct uvm_page_mask cpu_writable;
	struct uvm_page_mask read_duplicated;
	struct uvm_page_mask discarded;
	struct uvm_block_gpu_state *gpus[UVM_MAX_GPUS];
};

static inline struct uvm_block_gpu_state *uvm_block_state_gpu(const struct uvm_block_state *bs,
							      unsigned int id)
{
	return bs->gpus[uvm_id_gpu_index(id)];
}

void uvm_block_state_init(struct uvm_block_state *bs, struct uvm_region region,
			  const struct uvm_topology *topology);
void uvm_block_state_attach_gpu(struct uvm_block_state *bs, unsigned int id,
				struct uvm_block_gpu_state *gs);
struct uvm_block_gpu_state *uvm_block_state_detach_gpu(struct uvm_block_state *bs,
						       unsigned int id);

/* Residency. */
const struct uvm_page_mask *uvm_block_state_resident(const struct uvm_block_state *bs,
						     unsigned int id);
u16 uvm_block_state_residents(const struct uvm_block_state *bs, unsigned int page);
unsigned int uvm_block_state_closest(const struct uvm_block_state *bs, unsigned int id,
				     unsigned int page);
void uvm_block_state_resident_any(const struct uvm_block_state *bs, struct uvm_page_mask *out);
void uvm_block_state_set_resident(struct uvm_block_state *bs, unsigned int dst,
				  const struct uvm_page_mask *mask);
void uvm_block_state_add_resident(struct uvm_block_state *bs, unsigned int dst,
				  const struct uvm_page_mask *mask);
void uvm_block_state_clear_resident(struct uvm_block_state *bs, unsigned int id,
				    const struct uvm_page_mask *mask);

/* Mappings. */
enum uvm_prot uvm_block_state_prot(const struct uvm_block_state *bs, unsigned int id,
				   unsigned int page);
void uvm_block_state_mapped(const struct uvm_block_state *bs, unsigned int id,
			    enum uvm_prot prot, struct uvm_page_mask *out);
void uvm_block_state_map(struct uvm_block_state *bs, unsigned int id,
			 const struct uvm_page_mask *mask, enum uvm_prot prot);
void uvm_block_state_revoke(struct uvm_block_state *bs, unsigned int id,
			    const struct uvm_page_mask *mask, enum uvm_prot prot);
void uvm_block_state_unmap(struct uvm_block_state *bs, unsigned int id,
			   const struct uvm_page_mask *mask);
bool uvm_block_state_to_unmap(const struct uvm_block_state *bs, unsigned int dst,
			      const struct uvm_page_mask *mask, unsigned int id,
			      struct uvm_page_mask *out);

u32 uvm_block_own_units(const struct uvm_page_mask *valid);
const char *uvm_block_state_check(const struct uvm_block_state *bs);

/**
 * struct uvm_pte_plan - which PTEs a change of mappings has to write
 * @mask: the pages that change
 * @prot: their new protection; NONE unmaps
 * @big_after: big PTEs in force afterwards
 * @big_write: units whose big PTE is written valid, with the new protection
 * @big_clear: units whose valid big PTE is written invalid, with nothing left
 *	mapped in them
 * @big_split: units whose valid big PTE gives way to 4K PTEs: invalidate the
 *	big PTE and the TLBs first, then write @write_4k
 * @big_merge: units of @big_write with valid 4K PTEs: invalidate these and the
 *	TLBs first, then write the big PTE
 * @write_4k: pages whose 4K PTE is written, as uvm_pte_plan_prot() says
 */
struct uvm_pte_plan {
	struct uvm_page_mask mask;
	enum uvm_prot prot;
	u32 big_after;
	u32 big_write;
	u32 big_clear;
	u32 big_split;
	u32 big_merge;
	struct uvm_page_mask write_4k;
};

void uvm_block_state_plan(const struct uvm_block_state *bs, unsigned int id,
			  const struct uvm_page_mask *mask, enum uvm_prot prot,
			  u32 contiguous, bool may_merge, struct uvm_pte_plan *plan);
enum uvm_prot uvm_pte_plan_prot(const struct uvm_block_state *bs, unsigned int id,
				const struct uvm_pte_plan *plan, unsigned int page);
void uvm_block_state_apply(struct uvm_block_state *bs, unsigned int id,
			   const struct uvm_pte_plan *plan);

#endif
