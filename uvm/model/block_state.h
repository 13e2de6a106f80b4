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
#include "base/page_mask.h"
#include "model/topology.h"
#include "base/types.h"

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
 * @pte_2m: the whole block is mapped by one 2 MB PTE; then @big_ptes is 0
 */
struct uvm_block_gpu_state {
	struct uvm_page_mask resident;
	struct uvm_page_mask pte[UVM_PTE_BITS];
	u32 big_ptes;
	bool pte_2m;
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
 * @discarded: resident pages whose bytes nobody wants any more; none has copies, as
 *	they would not be the same
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

/**
 * uvm_block_state_gpu - a block's state on a GPU
 * @bs: the block's state
 * @id: processor id of a GPU
 *
 * Return: the state; NULL until uvm_block_state_attach_gpu().
 */
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
bool uvm_block_state_to_unmap(const struct uvm_block_state *bs, unsigned int dst,
			      const struct uvm_page_mask *mask, unsigned int id,
			      struct uvm_page_mask *out);

/* ---- block_prot.c ---- */

/**
 * struct uvm_prot_asked - what pages are asked for
 * @read: to be read, or nothing in particular
 * @only_read: not to be written now, whoever could
 * @atomic: for atomics
 */
struct uvm_prot_asked {
	struct uvm_page_mask read;
	struct uvm_page_mask only_read;
	struct uvm_page_mask atomic;
};

void uvm_block_prot_requested(const struct uvm_block_state *bs, unsigned int id,
			      unsigned int dst, const struct uvm_page_mask *pages,
			      const struct uvm_prot_asked *asked, struct uvm_page_mask *by_prot);
void uvm_block_prot_highest(const struct uvm_block_state *bs, unsigned int id, unsigned int dst,
			    const struct uvm_page_mask *pages, struct uvm_page_mask *by_prot);
enum uvm_prot uvm_block_prot_revoked(const struct uvm_block_state *bs, unsigned int id,
				     unsigned int dst, const struct uvm_page_mask *pages,
				     enum uvm_prot prot, unsigned int other,
				     struct uvm_page_mask *lost);
const char *uvm_block_prot_check(const struct uvm_block_state *bs);

u32 uvm_block_own_units(const struct uvm_page_mask *valid);
const char *uvm_block_state_check(const struct uvm_block_state *bs);

/**
 * struct uvm_pte_plan - which PTEs a change of mappings has to write
 * @mask: the pages that change
 * @prot: their new protection; NONE unmaps
 * @after_2m: one 2 MB PTE is in force afterwards
 * @write_2m: it is written valid, with @prot
 * @clear_2m: the valid 2 MB PTE is taken away, with nothing left mapped
 * @split_2m: the valid 2 MB PTE gives way to smaller ones: write @big_write and
 *	@write_4k while it is still there, take it away and invalidate the TLBs,
 *	only then link the tables (nvidia-uvm 3.6)
 * @merge_2m: valid smaller PTEs give way to a 2 MB PTE: unlink the tables and
 *	invalidate the TLBs, empty @big_clear and @clear_4k, then write the PTE
 * @big_after: big PTEs in force afterwards
 * @big_write: units whose big PTE is written valid, with the new protection
 * @big_clear: units whose big PTE is written invalid, with nothing left mapped
 *	by it or by 4K PTEs
 * @big_split: units whose valid big PTE gives way to 4K PTEs: invalidate the
 *	big PTE and the TLBs first, then write @write_4k
 * @big_merge: units of @big_write with valid 4K PTEs: invalidate these and the
 *	TLBs first, then write the big PTE
 * @write_4k: pages whose 4K PTE is written, as uvm_pte_plan_prot() says
 * @clear_4k: pages whose valid 4K PTE is emptied by @merge_2m
 *
 * While a 2 MB PTE is valid what tables there are below hold nothing valid.
 */
struct uvm_pte_plan {
	struct uvm_page_mask mask;
	enum uvm_prot prot;
	bool after_2m;
	bool write_2m;
	bool clear_2m;
	bool split_2m;
	bool merge_2m;
	u32 big_after;
	u32 big_write;
	u32 big_clear;
	u32 big_split;
	u32 big_merge;
	struct uvm_page_mask write_4k;
	struct uvm_page_mask clear_4k;
};

/**
 * struct uvm_pte_layout - which PTEs are possible
 * @contiguous: bit u: the memory of pages [16u, 16u + 16) is contiguous and
 *	aligned to 64K; asked for units with pages that change, and for all if they
 *	are below a 2 MB PTE
 * @contiguous_2m: the memory of the whole block is, and aligned to 2 MB, and no
 *	page of the 2 MB is anybody else's
 * @may_merge: valid PTEs may give way to a larger one
 */
struct uvm_pte_layout {
	u32 contiguous;
	bool contiguous_2m;
	bool may_merge;
};

/* block_layout.c */
void uvm_block_state_plan(const struct uvm_block_state *bs, unsigned int id,
			  const struct uvm_page_mask *mask, enum uvm_prot prot,
			  const struct uvm_pte_layout *layout, struct uvm_pte_plan *plan);
enum uvm_prot uvm_pte_plan_prot(const struct uvm_block_state *bs, unsigned int id,
				const struct uvm_pte_plan *plan, unsigned int page);
void uvm_block_state_apply(struct uvm_block_state *bs, unsigned int id,
			   const struct uvm_pte_plan *plan);
const char *uvm_block_layout_check(const struct uvm_block_state *bs, unsigned int id);

#endif
