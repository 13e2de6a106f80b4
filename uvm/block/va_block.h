/* SPDX-License-Identifier: GPL-2.0 */
/*
 * VA block: up to 2 MB of managed memory, the unit of serving.
 *
 * Page numbers count from the 2 MB boundary below the block (@start), so a
 * block that does not begin there has region.first > 0.  A block belongs to one
 * range; when munmap splits the range inside the block both halves share it.
 *
 * A block is dead when munmap took its last page: every path that takes the
 * block lock after holding only a reference checks @dead.
 */
#ifndef UVM_VA_BLOCK_H
#define UVM_VA_BLOCK_H

#include <linux/kref.h>
#include <linux/mutex.h>
#include <softgpu/sim.h>
#include "base/types.h"
#include "base/page_mask.h"
#include "model/block_state.h"
#include "model/cpu_grant.h"
#include "mmu/page_tree.h"
#include "policy/policy.h"
#include "model/thrashing.h"
#include "gpu/tracker.h"
#include "space/va_space_types.h"

struct page;
struct uvm_chunk;
struct uvm_chunk_owner_ops;
struct uvm_eviction_report;
struct uvm_push;
struct uvm_service;
struct uvm_work;

/**
 * struct uvm_va_block_gpu - what a block has on one GPU
 * @state: residency and permissions, attached to uvm_va_block.state
 * @chunks: chunk of each page, NULL where there is none; chunks are the
 *	naturally aligned pieces of the block's region up to @granularity
 * @own: pages whose memory in @chunks holds bytes of their own, be they old; in the
 *	rest is what somebody else left there
 * @granularity: enum uvm_chunk_size: largest chunk
 * @iova: 2 MB of DMA addresses for the block's system pages
 * @dma_units: 64K units of them that are in use: what is there is mapped
 * @range_2m: the PDE0 entry as one 2 MB PTE; unused until @range_2m.table is set
 * @big_range: page table of 64K PTEs; unused until @big_range.table is set
 * @small_range: page table of 4K PTEs, likewise
 * @big_stop: 64K units whose big PTE says "unmapped: stop here"
 * @evicted: pages evicted from this GPU and not migrated back since
 * @ptes: changes of page tables that have not finished
 * @dead_node: in uvm_gpu_va_space.dead_blocks, when the block is gone and the GPU is dead
 * @narrow: what was copied into each of @chunks and out of it is in the tracker of its
 *	memory, so that its eviction need not wait for the other ones
 */
struct uvm_va_block_gpu {
	struct uvm_block_gpu_state state;
	struct uvm_chunk *chunks[UVM_PAGES_PER_BLOCK];
	struct uvm_page_mask own;
	u8 granularity;
	u64 iova;
	u32 dma_units;
	struct uvm_page_table_range range_2m;
	struct uvm_page_table_range big_range;
	struct uvm_page_table_range small_range;
	u32 big_stop;
	struct uvm_page_mask evicted;
	struct uvm_tracker ptes;
	struct list_head dead_node;
	bool narrow;
};

/**
 * struct uvm_va_block - up to 2 MB of managed memory
 * @kref: one per range slot that points here, plus short-lived ones
 * @lock: protects everything below unless it says otherwise
 * @map_lock: protects the CPU's page-table entries of the block,
 *	@cpu_mappable, @cpu_writable and @cpu_grant
 * @va_space: owner
 * @dead: no page is managed any more
 * @start: address of page 0, 2 MB aligned
 * @region: pages that it was made for
 * @valid: pages still managed
 * @unmapped: pages cut off by munmap, to be reaped.  Protected by ranges_lock
 * @slots: range slots that point here.  Protected by ranges_lock
 * @detached_node: in uvm_va_space.detached.  Protected by ranges_lock
 * @state: residency and permissions
 * @pages: system page of each page, NULL where there is none
 * @own: pages whose memory in @pages holds bytes of their own
 * @cpu_mappable: pages that a CPU fault may map without being served: an
 *	upper bound of what the CPU has mapped
 * @cpu_writable: of these, the ones it may map for writing
 * @cpu_grant: of @cpu_mappable, given to the CPU by the first pass of a CPU fault and
 *	not yet mapped by the second
 * @gpu: per GPU, allocated on first use
 * @tracker: GPU work on the block that has not finished
 * @prefetch: the prefetcher's memory
 * @resident: pages by processor, as the counters know them
 * @thrashing: history of pages that processors fight for
 * @pinned_node: in uvm_va_space_thrashing.pinned while it has pinned pages.
 *	Protected by the lock there
 * @unpin_at: driver time at which the first pin ends.  Likewise
 * @remap_node: in uvm_va_space.remap, with a reference, until pages that were evicted are
 *	mapped again.  Protected by its pending_lock
 */
struct uvm_va_block {
	struct kref kref;
	struct sim_mutex lock;
	struct mutex map_lock;	/* the CPU's page-table entries */
	struct uvm_va_space *va_space;
	bool dead;
	u64 start;
	struct uvm_region region;
	struct uvm_page_mask valid;
	struct uvm_page_mask unmapped;
	unsigned int slots;
	struct list_head detached_node;
	struct uvm_block_state state;
	struct page **pages;
	struct uvm_page_mask own;
	struct uvm_page_mask cpu_mappable;
	struct uvm_page_mask cpu_writable;
	struct uvm_cpu_grant cpu_grant;
	struct uvm_va_block_gpu *gpu[UVM_MAX_GPUS];
	struct uvm_tracker tracker;
	struct uvm_prefetch_state prefetch;
	u16 resident[UVM_MAX_PROCESSORS];
	struct uvm_thrashing_block thrashing;
	struct list_head pinned_node;
	u64 unpin_at;
	struct list_head remap_node;
};

struct uvm_va_block *uvm_va_block_create(struct uvm_va_space *va_space, u64 first, u64 last);

/**
 * uvm_va_block_get - one more reference
 * @block: a block that somebody has a reference of
 *
 * Return: @block.
 */
static inline struct uvm_va_block *uvm_va_block_get(struct uvm_va_block *block)
{
	kref_get(&block->kref);
	return block;
}

void uvm_va_block_put(struct uvm_va_block *block);

/**
 * uvm_va_block_count_resident - pages have come to a processor or left one: counters are told
 * @block: the block
 *
 * It looks where the pages are, not at what moved: so each can be checked by the other.
 *
 * Context: block lock held.
 */
void uvm_va_block_count_resident(struct uvm_va_block *block);

/**
 * uvm_va_block_page - which page of a block an address is in
 * @block: the block
 * @addr: an address of its 2 MB
 *
 * Return: 0 ... UVM_PAGES_PER_BLOCK - 1.
 */
static inline unsigned int uvm_va_block_page(const struct uvm_va_block *block, u64 addr)
{
	return (addr - block->start) >> PAGE_SHIFT;
}

/**
 * uvm_va_block_pages - pages of a block that a span is in
 * @block: the block
 * @first: first address, in the block
 * @last: last address, in the block
 *
 * Return: the pages.
 */
static inline struct uvm_region uvm_va_block_pages(const struct uvm_va_block *block, u64 first,
						   u64 last)
{
	return uvm_region_make(uvm_va_block_page(block, first), uvm_va_block_page(block, last) + 1);
}

/**
 * uvm_va_block_address - address of a page
 * @block: the block
 * @page: 0 ... UVM_PAGES_PER_BLOCK
 *
 * Return: the address.
 */
static inline u64 uvm_va_block_address(const struct uvm_va_block *block, unsigned int page)
{
	return block->start + ((u64)page << PAGE_SHIFT);
}

/**
 * uvm_va_block_reap - take pages out of a block after munmap
 * @block: the block; a reference is held. It dies if no page is left
 * @pages: unmapped everywhere, and freed
 *
 * Context: takes the block lock; waits for GPUs.
 */
void uvm_va_block_reap(struct uvm_va_block *block, const struct uvm_page_mask *pages);

/**
 * uvm_va_block_remove_gpu - a GPU leaves the VA space: its pages come home, its tables and chunks
 *	go
 * @block: the block
 * @gvs: the GPU's part; on a dead channel the bytes are lost
 * @work: charged
 *
 * Context: va_space->lock held for writing; takes the block lock; waits for GPUs.
 * Return: 0, or -ENOMEM and nothing has changed.
 */
int uvm_va_block_remove_gpu(struct uvm_va_block *block, struct uvm_gpu_va_space *gvs,
			    struct uvm_work *work);

/**
 * uvm_va_block_free_dead - free DMA addresses of blocks that are gone
 * @gvs: of a GPU that was dead and has been stopped: it might have used them until then. It has
 *	left its VA space, and nobody else knows it any more
 *
 * Context: may sleep.
 */
void uvm_va_block_free_dead(struct uvm_gpu_va_space *gvs);

/**
 * uvm_va_block_gpu_get - a block's part on a GPU, created on first use
 * @block: the block
 * @gpu: the GPU
 *
 * Context: block lock held; may sleep.
 * Return: the part; NULL: no memory.
 */
struct uvm_va_block_gpu *uvm_va_block_gpu_get(struct uvm_va_block *block, struct uvm_gpu *gpu);

/* ---- block_mem.c: chunks and system pages ---------------------------- */

/**
 * uvm_va_block_populate - make sure pages have memory at a destination
 * @service: the operation; may drop and retake the block lock
 * @dst: processor
 * @pages: the pages
 *
 * New memory of pages that are resident nowhere is zeroed.
 * Return: 0; -EAGAIN if the lock was dropped (run the operation again);
 * -ENOMEM; -EIO.
 */
int uvm_va_block_populate(struct uvm_service *service, unsigned int dst,
			  const struct uvm_page_mask *pages);

/**
 * uvm_va_block_page_address - where a page at a processor is, as a GPU addresses it
 * @block: the block, which has a part on @gpu and, if that is one, on the GPU @id
 * @id: the processor
 * @gpu: who addresses it: the same GPU, a peer, or over the link
 * @page: a page that has memory there
 *
 * Context: block lock held.
 * Return: the address.
 */
struct uvm_gpu_address uvm_va_block_page_address(struct uvm_va_block *block, unsigned int id,
						 struct uvm_gpu *gpu, unsigned int page);

/**
 * uvm_va_block_unmap_peer - a GPU no more maps what is in the memory of another one
 * @block: the block
 * @gvs: the GPU; what is in its own memory stays mapped
 * @owner: processor id of the other one
 *
 * Context: block lock held; the work goes to the block's tracker.
 * Return: 0 or -EIO.
 */
int uvm_va_block_unmap_peer(struct uvm_va_block *block, struct uvm_gpu_va_space *gvs,
			    unsigned int owner);

/**
 * uvm_va_block_dma_map - a GPU is to reach the block's system memory from now on
 * @block: the block, which has a part on @gpu
 * @gpu: the GPU
 * @region: pages, rounded to 64 KB; those without system memory are left out
 *
 * Context: block lock held.
 */
void uvm_va_block_dma_map(struct uvm_va_block *block, struct uvm_gpu *gpu,
			  struct uvm_region region);

/**
 * uvm_va_block_free_chunks - free the chunks that hold none but some pages
 * @block: the block, which has a part on @gpu
 * @gpu: the GPU
 * @pages: resident nowhere
 *
 * Context: block lock held.
 */
void uvm_va_block_free_chunks(struct uvm_va_block *block, struct uvm_gpu *gpu,
			      const struct uvm_page_mask *pages);

/**
 * uvm_va_block_free_pages - free the system memory of some pages
 * @block: the block
 * @pages: resident nowhere; no GPU reaches them any more
 *
 * Context: block lock held.
 */
void uvm_va_block_free_pages(struct uvm_va_block *block, const struct uvm_page_mask *pages);

/**
 * uvm_va_block_chunk_region - pages of the chunk that holds (or would hold) a page
 * @block: the block, which has a part on @gpu
 * @gpu: the GPU
 * @page: a page of the block
 *
 * Chunks are the naturally aligned pieces of the block: all of it if it is 2 MB, else whole 64 KB
 * and 4 KB pages at the ends (nvidia-uvm 3.4); and never more than the GPU's granularity.
 *
 * Return: the pages.
 */
struct uvm_region uvm_va_block_chunk_region(struct uvm_va_block *block, struct uvm_gpu *gpu,
					    unsigned int page);

/**
 * uvm_va_block_note_use - who evicts one of these chunks later waits for a push
 * @block: the block, which has a part on @gpu
 * @gpu: the GPU
 * @pages: pages whose chunks it reads or writes
 * @push: the push, which has ended
 *
 * Context: block lock held; takes pmm->lock.
 */
void uvm_va_block_note_use(struct uvm_va_block *block, struct uvm_gpu *gpu,
			   const struct uvm_page_mask *pages, const struct uvm_push *push);

/**
 * uvm_va_block_mark_chunks - tell the allocator whether chunks hold resident pages now
 * @block: the block, which has a part on @gpu
 * @gpu: the GPU
 * @pages: pages that have come or left; pages without a chunk are left out
 * @arrived: some have just come. That some have left is no reason to be evicted later (nvidia-uvm
 *	4.2)
 *
 * Chunks without a resident page go to the list that is evicted first, those with nothing but
 * discarded ones to the list after it.
 *
 * Context: block lock held; takes pmm->lock.
 */
void uvm_va_block_mark_chunks(struct uvm_va_block *block, struct uvm_gpu *gpu,
			      const struct uvm_page_mask *pages, bool arrived);

/* ---- block_pte.c: GPU and CPU mappings ------------------------------- */

int uvm_va_block_map_gpu(struct uvm_va_block *block, struct uvm_gpu_va_space *gvs,
			 const struct uvm_page_mask *pages, enum uvm_prot prot);
int uvm_va_block_unmap_gpu(struct uvm_va_block *block, struct uvm_gpu_va_space *gvs,
			   const struct uvm_page_mask *pages);
int uvm_va_block_release_units(struct uvm_va_block *block, struct uvm_gpu_va_space *gvs);
/* Take permissions away from a GPU; the work goes to the block's tracker. */
int uvm_va_block_revoke_gpu(struct uvm_va_block *block, struct uvm_gpu_va_space *gvs,
			    const struct uvm_page_mask *pages, enum uvm_prot prot);

/**
 * uvm_va_block_revoke_cpu - take permissions away from the CPU
 * @block: the block
 * @pages: in: which; out: without those that are granted and not yet mapped, or held, unless @force
 * @prot: what is left: NONE, or READ_ONLY
 * @force: whatever is promised
 *
 * Context: block lock held; takes map_lock, and unmaps; may sleep.
 */
void uvm_va_block_revoke_cpu(struct uvm_va_block *block, struct uvm_page_mask *pages,
			     enum uvm_prot prot, bool force);

/**
 * uvm_va_block_is_held - does anybody hold a page of system memory?
 * @block: the block
 * @page: the page
 *
 * O_DIRECT, vmsplice and process_vm_writev do.  Who holds it may write to it at any time, so it
 * does not move.
 *
 * Context: block lock held.
 * Return: true if it has more references than the block, mappings and GPUs account for.
 */
bool uvm_va_block_is_held(struct uvm_va_block *block, unsigned int page);

/**
 * uvm_va_block_admit_cpu - from now on the CPU maps pages when it touches them
 * @block: the block
 * @pages: resident in system memory
 * @prot: READ_ONLY, or more: also for writing
 *
 * Context: block lock held; takes map_lock.
 */
void uvm_va_block_admit_cpu(struct uvm_va_block *block, const struct uvm_page_mask *pages,
			    enum uvm_prot prot);

/* ---- block_copy.c ---------------------------------------------------- */

/**
 * uvm_va_block_make_resident - move pages
 * @service: the operation; block lock held, may be dropped and retaken
 * @dst: where to
 * @pages: in: which; out: without those that could not be taken from the CPU
 * @demand: of these, the ones that were asked for; others are prefetched
 * @cause: of the demanded ones
 *
 * Unmaps everybody, populates, copies, sets residency.
 * Return: 0, -EAGAIN (lock was dropped, nothing moved), -ENOMEM, -EIO.
 */
int uvm_va_block_make_resident(struct uvm_service *service, unsigned int dst,
			       struct uvm_page_mask *pages, const struct uvm_page_mask *demand,
			       enum uvm_event_cause cause);

/**
 * uvm_va_block_duplicate - give a processor copies to read
 * @service: the operation; block lock held, may be dropped and retaken
 * @dst: where to
 * @pages: in: which; out: without those that the CPU is being given
 * @demand: of these, the ones that were asked for; others are prefetched
 * @cause: of the demanded ones
 *
 * The pages stay where they are, too, to be read only (nvidia-uvm 3.3).
 * Return: as uvm_va_block_make_resident().
 */
int uvm_va_block_duplicate(struct uvm_service *service, unsigned int dst,
			   struct uvm_page_mask *pages, const struct uvm_page_mask *demand,
			   enum uvm_event_cause cause);

/**
 * uvm_va_block_share - make pages read-only for all who have a copy
 * @service: the operation
 * @pages: in: which; out: without those that the CPU is being given
 *
 * Who has no copy loses its mapping, who has one may only read it (nvidia-uvm 3.3, read_duplicate
 * variant).
 *
 * Context: block lock held; the work goes to the block's tracker.
 * Return: 0 or -EIO.
 */
int uvm_va_block_share(struct uvm_service *service, struct uvm_page_mask *pages);

/**
 * uvm_va_block_collapse - one copy of each page stays
 * @service: the operation
 * @pages: which; those without several copies are left out
 *
 * It is the one at the preferred location, else the one of the lowest processor.
 *
 * Context: block lock held.
 * Return: 0 or -EIO.  No memory is needed: who gets the page has a copy already.
 */
int uvm_va_block_collapse(struct uvm_service *service, const struct uvm_page_mask *pages);

/* ---- block_evict.c --------------------------------------------------- */

/**
 * uvm_va_block_evict - take a chunk away from its block
 * @block: owner of the chunk when the caller looked; reference held, no lock
 * @gpu: the GPU
 * @chunk: the chunk
 * @work: charged
 * @report: added to
 *
 * Return: 0 also if the block is dead or the chunk has left it; -ENOMEM, -EIO.
 */
int uvm_va_block_evict(struct uvm_va_block *block, struct uvm_gpu *gpu, struct uvm_chunk *chunk,
		       struct uvm_work *work, struct uvm_eviction_report *report);
/* Blocks own chunks: for uvm_pmm_init(). */
extern const struct uvm_chunk_owner_ops uvm_va_block_owner_ops;

/* ---- block_remap.c --------------------------------------------------- */

void uvm_va_block_remap_later(struct uvm_va_block *block);

/**
 * uvm_va_space_remaps_evicted - do GPUs map what was evicted from them?
 * @va_space: the VA space
 *
 * Return: true with perf_map_remote_on_eviction, where access counters migrate.
 */
bool uvm_va_space_remaps_evicted(const struct uvm_va_space *va_space);

/* ---- block_cpu.c: what the CPU may map -------------------------------- */

/**
 * uvm_va_block_grant_cpu - promise pages to the CPU until the second pass, or for cpu_grant_us
 * @block: the block
 * @pages: the pages
 * @page: of these, the one that the fault is about
 * @write: it is to be written
 *
 * Context: block lock held; takes map_lock.
 */
void uvm_va_block_grant_cpu(struct uvm_va_block *block, const struct uvm_page_mask *pages,
			    unsigned int page, bool write);

/**
 * uvm_va_block_is_granted - is a page promised to the CPU and not yet mapped?
 * @block: the block
 * @page: the page
 *
 * Context: takes map_lock; no other is needed.
 * Return: true if so, and the time is not over.
 */
bool uvm_va_block_is_granted(struct uvm_va_block *block, unsigned int page);

#endif
