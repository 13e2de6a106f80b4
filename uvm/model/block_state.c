// SPDX-License-Identifier: GPL-2.0
/*
 * State of one VA block: residency and permissions.
 */
#include <kunit/visibility.h>
#include <linux/bits.h>
#include <linux/export.h>
#include <linux/kernel.h>
#include "model/block_state.h"

static const struct uvm_page_mask block_state_none;

static void block_state_set_proc(u16 *procs, unsigned int id, bool set)
{
	if (set)
		*procs |= BIT(id);
	else
		*procs &= ~BIT(id);
}

/* The set of resident pages to be changed; NULL without a GPU state. */
static struct uvm_page_mask *block_state_resident_rw(struct uvm_block_state *bs, unsigned int id)
{
	struct uvm_block_gpu_state *gs;

	if (uvm_id_is_cpu(id))
		return &bs->cpu_resident;
	gs = uvm_block_state_gpu(bs, id);
	return gs ? &gs->resident : NULL;
}

/* Pages mapped by a processor with at least this permission. */
static const struct uvm_page_mask *block_state_pte(const struct uvm_block_state *bs,
						   unsigned int id, enum uvm_pte_bit bit)
{
	const struct uvm_block_gpu_state *gs;

	if (uvm_id_is_cpu(id))
		return bit == UVM_PTE_READ ? &bs->cpu_mapped : &bs->cpu_writable;
	gs = uvm_block_state_gpu(bs, id);
	return gs ? &gs->pte[bit] : &block_state_none;
}

/**
 * uvm_block_state_init - make a block that is nowhere
 * @bs: the state
 * @region: pages of the block
 * @topology: who reaches whom; lives longer
 */
void uvm_block_state_init(struct uvm_block_state *bs, struct uvm_region region,
			  const struct uvm_topology *topology)
{
	*bs = (struct uvm_block_state){ .region = region, .topology = topology };
}
EXPORT_SYMBOL_IF_KUNIT(uvm_block_state_init);

/**
 * uvm_block_state_attach_gpu - a GPU has to do with the block from now on
 * @bs: the state
 * @id: the GPU
 * @gs: its state, zeroed
 */
void uvm_block_state_attach_gpu(struct uvm_block_state *bs, unsigned int id,
				struct uvm_block_gpu_state *gs)
{
	bs->gpus[uvm_id_gpu_index(id)] = gs;
}
EXPORT_SYMBOL_IF_KUNIT(uvm_block_state_attach_gpu);

/**
 * uvm_block_state_detach_gpu - a GPU has no more to do with the block
 * @bs: the state
 * @id: the GPU, without resident and mapped pages
 *
 * Return: its state, for the caller to free; NULL if there was none.
 */
struct uvm_block_gpu_state *uvm_block_state_detach_gpu(struct uvm_block_state *bs, unsigned int id)
{
	struct uvm_block_gpu_state *gs = uvm_block_state_gpu(bs, id);

	bs->gpus[uvm_id_gpu_index(id)] = NULL;
	block_state_set_proc(&bs->resident_procs, id, false);
	block_state_set_proc(&bs->mapped_procs, id, false);
	return gs;
}
EXPORT_SYMBOL_IF_KUNIT(uvm_block_state_detach_gpu);

/**
 * uvm_block_state_resident - pages in the memory of a processor
 * @bs: the state
 * @id: the processor
 *
 * Return: the pages, never NULL.
 */
const struct uvm_page_mask *uvm_block_state_resident(const struct uvm_block_state *bs,
						     unsigned int id)
{
	const struct uvm_block_gpu_state *gs;

	if (uvm_id_is_cpu(id))
		return &bs->cpu_resident;
	gs = uvm_block_state_gpu(bs, id);
	return gs ? &gs->resident : &block_state_none;
}
EXPORT_SYMBOL_IF_KUNIT(uvm_block_state_resident);

/**
 * uvm_block_state_residents - where a page is
 * @bs: the state
 * @page: its number
 *
 * Return: bit per processor with a copy.
 */
u16 uvm_block_state_residents(const struct uvm_block_state *bs, unsigned int page)
{
	u16 left, procs = 0;
	unsigned int id;

	for (left = bs->resident_procs; left; left &= ~BIT(id)) {
		id = __ffs(left);
		if (uvm_page_mask_test(uvm_block_state_resident(bs, id), page))
			procs |= BIT(id);
	}
	return procs;
}
EXPORT_SYMBOL_IF_KUNIT(uvm_block_state_residents);

/**
 * uvm_block_state_closest - the copy that a processor uses
 * @bs: the state
 * @id: the processor
 * @page: the page
 *
 * Return: a processor, or UVM_ID_INVALID if the page is nowhere.
 */
unsigned int uvm_block_state_closest(const struct uvm_block_state *bs, unsigned int id,
				     unsigned int page)
{
	return uvm_topology_closest(bs->topology, id, uvm_block_state_residents(bs, page));
}
EXPORT_SYMBOL_IF_KUNIT(uvm_block_state_closest);

/**
 * uvm_block_state_resident_any - pages that are somewhere
 * @bs: the state
 * @out: out: the pages
 */
void uvm_block_state_resident_any(const struct uvm_block_state *bs, struct uvm_page_mask *out)
{
	unsigned int id;

	uvm_page_mask_zero(out);
	for_each_uvm_id(id) {
		if (bs->resident_procs & BIT(id))
			uvm_page_mask_or(out, out, uvm_block_state_resident(bs, id));
	}
}
EXPORT_SYMBOL_IF_KUNIT(uvm_block_state_resident_any);

/* Pages with one copy left are duplicated no more, and without one there is nothing to discard. */
static void block_state_tidy(struct uvm_block_state *bs)
{
	struct uvm_page_mask once = {}, twice = {}, both;
	unsigned int id;

	if (uvm_page_mask_empty(&bs->read_duplicated) && uvm_page_mask_empty(&bs->discarded))
		return;
	for_each_uvm_id(id) {
		const struct uvm_page_mask *resident = uvm_block_state_resident(bs, id);

		uvm_page_mask_and(&both, &once, resident);
		uvm_page_mask_or(&twice, &twice, &both);
		uvm_page_mask_or(&once, &once, resident);
	}
	uvm_page_mask_and(&bs->read_duplicated, &bs->read_duplicated, &twice);
	uvm_page_mask_and(&bs->discarded, &bs->discarded, &once);
}

/**
 * uvm_block_state_set_resident - pages are at a processor, and nowhere else
 * @bs: the state
 * @dst: the processor; a GPU must be attached
 * @mask: the pages; mapped by nobody but @dst
 */
void uvm_block_state_set_resident(struct uvm_block_state *bs, unsigned int dst,
				  const struct uvm_page_mask *mask)
{
	struct uvm_page_mask *resident = block_state_resident_rw(bs, dst);
	unsigned int id;

	if (WARN_ON_ONCE(!resident))
		return;
	/* first here, so that no page is nowhere in between */
	uvm_page_mask_or(resident, resident, mask);
	for_each_uvm_id(id) {
		if (id != dst && (bs->resident_procs & BIT(id)))
			uvm_block_state_clear_resident(bs, id, mask);
	}
	uvm_page_mask_andnot(&bs->read_duplicated, &bs->read_duplicated, mask);
	block_state_set_proc(&bs->resident_procs, dst, !uvm_page_mask_empty(resident));
}
EXPORT_SYMBOL_IF_KUNIT(uvm_block_state_set_resident);

/**
 * uvm_block_state_add_resident - pages are at a processor, too
 * @bs: the state
 * @dst: the processor; a GPU must be attached
 * @mask: the pages; mapped for reading only, if at all, and by who has them
 *
 * Those that are elsewhere are read-duplicated from now on.
 */
void uvm_block_state_add_resident(struct uvm_block_state *bs, unsigned int dst,
				  const struct uvm_page_mask *mask)
{
	struct uvm_page_mask *resident = block_state_resident_rw(bs, dst);
	unsigned int id;

	if (WARN_ON_ONCE(!resident))
		return;
	for_each_uvm_id(id) {
		struct uvm_page_mask copies;

		if (id == dst || !(bs->resident_procs & BIT(id)))
			continue;
		uvm_page_mask_and(&copies, mask, uvm_block_state_resident(bs, id));
		uvm_page_mask_or(&bs->read_duplicated, &bs->read_duplicated, &copies);
	}
	uvm_page_mask_or(resident, resident, mask);
	block_state_set_proc(&bs->resident_procs, dst, !uvm_page_mask_empty(resident));
}
EXPORT_SYMBOL_IF_KUNIT(uvm_block_state_add_resident);

/**
 * uvm_block_state_clear_resident - pages leave a processor
 * @bs: the state
 * @id: the processor
 * @mask: the pages; others are not looked at
 */
void uvm_block_state_clear_resident(struct uvm_block_state *bs, unsigned int id,
				    const struct uvm_page_mask *mask)
{
	struct uvm_page_mask *resident = block_state_resident_rw(bs, id);

	if (!resident)
		return;
	uvm_page_mask_andnot(resident, resident, mask);
	block_state_set_proc(&bs->resident_procs, id, !uvm_page_mask_empty(resident));
	block_state_tidy(bs);
}
EXPORT_SYMBOL_IF_KUNIT(uvm_block_state_clear_resident);

/**
 * uvm_block_state_prot - what a processor may do with a page
 * @bs: the state
 * @id: the processor
 * @page: the page
 *
 * Return: its protection, NONE if it is not mapped.
 */
enum uvm_prot uvm_block_state_prot(const struct uvm_block_state *bs, unsigned int id,
				   unsigned int page)
{
	enum uvm_prot prot = UVM_PROT_NONE;

	while (prot < UVM_PROT_READ_WRITE_ATOMIC &&
	       uvm_page_mask_test(block_state_pte(bs, id, (enum uvm_pte_bit)prot), page))
		prot++;
	return prot;
}
EXPORT_SYMBOL_IF_KUNIT(uvm_block_state_prot);

/**
 * uvm_block_state_mapped - pages that a processor has mapped
 * @bs: the state
 * @id: the processor
 * @prot: with at least this protection; not NONE
 * @out: out: the pages
 */
void uvm_block_state_mapped(const struct uvm_block_state *bs, unsigned int id,
			    enum uvm_prot prot, struct uvm_page_mask *out)
{
	uvm_page_mask_copy(out, block_state_pte(bs, id, (enum uvm_pte_bit)(prot - 1)));
}
EXPORT_SYMBOL_IF_KUNIT(uvm_block_state_mapped);

/* The CPU's writes are atomic: it may write or only read. */
static void block_state_map_cpu(struct uvm_block_state *bs, const struct uvm_page_mask *mask,
				enum uvm_prot prot)
{
	if (prot == UVM_PROT_NONE)
		uvm_page_mask_andnot(&bs->cpu_mapped, &bs->cpu_mapped, mask);
	else
		uvm_page_mask_or(&bs->cpu_mapped, &bs->cpu_mapped, mask);
	if (prot <= UVM_PROT_READ_ONLY)
		uvm_page_mask_andnot(&bs->cpu_writable, &bs->cpu_writable, mask);
	else
		uvm_page_mask_or(&bs->cpu_writable, &bs->cpu_writable, mask);
	block_state_set_proc(&bs->mapped_procs, UVM_ID_CPU, !uvm_page_mask_empty(&bs->cpu_mapped));
}

static void block_state_revoke_cpu(struct uvm_block_state *bs, const struct uvm_page_mask *mask,
				   enum uvm_prot prot)
{
	struct uvm_page_mask mapped;

	if (prot == UVM_PROT_READ_WRITE_ATOMIC)
		return;
	uvm_page_mask_and(&mapped, mask, &bs->cpu_mapped);
	block_state_map_cpu(bs, &mapped, prot == UVM_PROT_NONE ? UVM_PROT_NONE :
								 UVM_PROT_READ_ONLY);
}

/**
 * uvm_block_state_map - a processor has mapped pages
 * @bs: the state
 * @id: the processor; a GPU must be attached
 * @mask: the pages
 * @prot: what they allow now, be it more or less than before; NONE unmaps;
 *	writing means everything on the CPU
 */
void uvm_block_state_map(struct uvm_block_state *bs, unsigned int id,
			 const struct uvm_page_mask *mask, enum uvm_prot prot)
{
	struct uvm_block_gpu_state *gs;
	unsigned int bit;

	if (uvm_id_is_cpu(id)) {
		block_state_map_cpu(bs, mask, prot);
		return;
	}
	gs = uvm_block_state_gpu(bs, id);
	if (WARN_ON_ONCE(!gs))
		return;
	for (bit = UVM_PTE_READ; bit < UVM_PTE_BITS; bit++) {
		if (bit < prot)
			uvm_page_mask_or(&gs->pte[bit], &gs->pte[bit], mask);
		else
			uvm_page_mask_andnot(&gs->pte[bit], &gs->pte[bit], mask);
	}
	block_state_set_proc(&bs->mapped_procs, id, !uvm_page_mask_empty(&gs->pte[UVM_PTE_READ]));
}
EXPORT_SYMBOL_IF_KUNIT(uvm_block_state_map);

/**
 * uvm_block_state_revoke - a processor lost permissions
 * @bs: the state
 * @id: the processor
 * @mask: the pages; those that are not mapped stay so
 * @prot: what they allow at most; without atomics the CPU may only read
 */
void uvm_block_state_revoke(struct uvm_block_state *bs, unsigned int id,
			    const struct uvm_page_mask *mask, enum uvm_prot prot)
{
	struct uvm_block_gpu_state *gs;
	unsigned int bit;

	if (uvm_id_is_cpu(id)) {
		block_state_revoke_cpu(bs, mask, prot);
		return;
	}
	gs = uvm_block_state_gpu(bs, id);
	if (!gs)
		return;
	for (bit = prot; bit < UVM_PTE_BITS; bit++)
		uvm_page_mask_andnot(&gs->pte[bit], &gs->pte[bit], mask);
	block_state_set_proc(&bs->mapped_procs, id, !uvm_page_mask_empty(&gs->pte[UVM_PTE_READ]));
}
EXPORT_SYMBOL_IF_KUNIT(uvm_block_state_revoke);

/**
 * uvm_block_state_to_unmap - what must be unmapped before pages move
 * @bs: the state
 * @dst: where they go
 * @mask: the pages
 * @id: the processor to unmap them from; @dst itself is no exception, for its
 *	mappings point at the old place
 * @out: out: the pages of @mask that @id has mapped and that are not at @dst yet,
 *	or have copies that are to go (nvidia-uvm 3.3, steps 1 and 2)
 *
 * Return: true if there are any.
 */
bool uvm_block_state_to_unmap(const struct uvm_block_state *bs, unsigned int dst,
			      const struct uvm_page_mask *mask, unsigned int id,
			      struct uvm_page_mask *out)
{
	struct uvm_page_mask copies;

	uvm_page_mask_andnot(out, mask, uvm_block_state_resident(bs, dst));
	if (id != dst) {
		uvm_page_mask_and(&copies, mask, &bs->read_duplicated);
		uvm_page_mask_or(out, out, &copies);
	}
	return uvm_page_mask_and(out, out, block_state_pte(bs, id, UVM_PTE_READ));
}
EXPORT_SYMBOL_IF_KUNIT(uvm_block_state_to_unmap);

/* ---- invariants ------------------------------------------------------------ */

static const char *block_state_check_gpu(const struct uvm_block_state *bs, unsigned int id,
					 const struct uvm_page_mask *resident)
{
	const struct uvm_block_gpu_state *gs = uvm_block_state_gpu(bs, id);
	struct uvm_page_mask copies;

	if (!uvm_page_mask_subset(&gs->pte[UVM_PTE_WRITE], &gs->pte[UVM_PTE_READ]))
		return "writable but not readable";
	if (!uvm_page_mask_subset(&gs->pte[UVM_PTE_ATOMIC], &gs->pte[UVM_PTE_WRITE]))
		return "atomic but not writable";
	if (!uvm_page_mask_subset(&gs->pte[UVM_PTE_READ], resident))
		return "GPU maps a page that is nowhere";
	if (uvm_page_mask_intersects(&gs->pte[UVM_PTE_WRITE], &bs->read_duplicated))
		return "GPU may write one copy of several";
	uvm_page_mask_and(&copies, &gs->pte[UVM_PTE_READ], &bs->read_duplicated);
	if (!uvm_page_mask_subset(&copies, &gs->resident))
		return "GPU maps somebody else's copy";
	return uvm_block_layout_check(bs, id);
}

/**
 * uvm_block_state_check - is the state possible?
 * @bs: the state
 *
 * Return: NULL, or which rule is broken.
 */
const char *uvm_block_state_check(const struct uvm_block_state *bs)
{
	struct uvm_page_mask resident = {}, twice = {}, both;
	const char *broken;
	unsigned int id;

	for_each_uvm_id(id) {
		const struct uvm_page_mask *mask = uvm_block_state_resident(bs, id);

		uvm_page_mask_and(&both, &resident, mask);
		uvm_page_mask_or(&twice, &twice, &both);
		uvm_page_mask_or(&resident, &resident, mask);
		if (uvm_page_mask_empty(mask) == !!(bs->resident_procs & BIT(id)))
			return "resident processors wrong";
		mask = block_state_pte(bs, id, UVM_PTE_READ);
		if (uvm_page_mask_empty(mask) == !!(bs->mapped_procs & BIT(id)))
			return "mapped processors wrong";
	}
	if (uvm_page_mask_region_weight(&resident, bs->region) != uvm_page_mask_weight(&resident))
		return "page outside the block";
	if (!uvm_page_mask_equal(&twice, &bs->read_duplicated))
		return "page at two places";
	if (!uvm_page_mask_subset(&bs->discarded, &resident))
		return "discarded page that is nowhere";
	if (uvm_page_mask_intersects(&bs->discarded, &bs->read_duplicated))
		return "several copies of a discarded page";
	if (!uvm_page_mask_subset(&bs->cpu_mapped, &bs->cpu_resident))
		return "CPU maps a page that is elsewhere";
	if (!uvm_page_mask_subset(&bs->cpu_writable, &bs->cpu_mapped))
		return "CPU may write what it has not mapped";
	if (uvm_page_mask_intersects(&bs->cpu_writable, &bs->read_duplicated))
		return "CPU may write one copy of several";
	for_each_uvm_gpu_id(id) {
		broken = uvm_block_state_gpu(bs, id) ?
			 block_state_check_gpu(bs, id, &resident) : NULL;
		if (broken)
			return broken;
	}
	return uvm_block_prot_check(bs);
}
EXPORT_SYMBOL_IF_KUNIT(uvm_block_state_check);
