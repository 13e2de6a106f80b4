// SPDX-License-Identifier: GPL-2.0
/*
 * State of one VA block: residency, permissions, layout of GPU PTEs.
 */
#include <kunit/visibility.h>
#include <linux/bits.h>
#include <linux/export.h>
#include <linux/kernel.h>
#include "block_state.h"

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
	u16 procs = 0;
	unsigned int id;

	for_each_uvm_id(id) {
		if ((bs->resident_procs & BIT(id)) &&
		    uvm_page_mask_test(uvm_block_state_resident(bs, id), page))
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
 * uvm_block_state_unmap - a processor has no longer mapped pages
 * @bs: the state
 * @id: the processor
 * @mask: the pages
 */
void uvm_block_state_unmap(struct uvm_block_state *bs, unsigned int id,
			   const struct uvm_page_mask *mask)
{
	uvm_block_state_revoke(bs, id, mask, UVM_PROT_NONE);
}
EXPORT_SYMBOL_IF_KUNIT(uvm_block_state_unmap);

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

/* ---- layout of GPU PTEs: pages [16u, 16u + 16) are unit u --------------- */

static struct uvm_region block_state_unit(unsigned int unit)
{
	return uvm_region_make(unit * UVM_PAGES_PER_BIG, (unit + 1) * UVM_PAGES_PER_BIG);
}

static bool block_state_unit_inside(const struct uvm_block_state *bs, struct uvm_region unit)
{
	return unit.first >= bs->region.first && unit.outer <= bs->region.outer;
}

/* Do all PTEs of @id in the unit point to one processor? */
static bool block_state_unit_one_place(const struct uvm_block_state *bs, unsigned int id,
				       struct uvm_region unit)
{
	unsigned int place = uvm_block_state_closest(bs, id, unit.first);
	unsigned int page;

	if (place == UVM_ID_INVALID ||
	    !uvm_page_mask_region_full(uvm_block_state_resident(bs, place), unit))
		return false;
	/* with one copy of each page there is nothing to choose */
	if (uvm_page_mask_region_empty(&bs->read_duplicated, unit))
		return true;
	for (page = unit.first; page < unit.outer; page++) {
		if (uvm_block_state_closest(bs, id, page) != place)
			return false;
	}
	return true;
}

static bool block_state_unit_one_prot(const struct uvm_block_state *bs, unsigned int id,
				      const struct uvm_pte_plan *plan, struct uvm_region unit,
				      enum uvm_prot prot)
{
	unsigned int page;

	for (page = unit.first; page < unit.outer; page++) {
		if (uvm_pte_plan_prot(bs, id, plan, page) != prot)
			return false;
	}
	return true;
}

/* Are all pages of 2 MB at one place, with the protection that @plan gives its pages? */
static bool block_state_equal_2m(const struct uvm_block_state *bs, unsigned int id,
				 const struct uvm_pte_plan *plan)
{
	const struct uvm_region all = uvm_region_make(0, UVM_PAGES_PER_BLOCK);
	struct uvm_page_mask pages;

	if (plan->prot == UVM_PROT_NONE || !block_state_unit_inside(bs, all) ||
	    !block_state_unit_one_place(bs, id, all))
		return false;
	/* What does not change has it already, and no more. */
	uvm_page_mask_or(&pages, &plan->mask,
			 block_state_pte(bs, id, (enum uvm_pte_bit)(plan->prot - 1)));
	if (!uvm_page_mask_region_full(&pages, all))
		return false;
	return plan->prot == UVM_PROT_READ_WRITE_ATOMIC ||
	       uvm_page_mask_subset(block_state_pte(bs, id, (enum uvm_pte_bit)plan->prot),
				    &plan->mask);
}

static void block_state_plan_2m(const struct uvm_block_state *bs, unsigned int id,
				struct uvm_pte_plan *plan)
{
	const struct uvm_block_gpu_state *gs = uvm_block_state_gpu(bs, id);
	unsigned int u;

	plan->after_2m = true;
	plan->write_2m = true;
	plan->big_after = 0;
	if (gs->pte_2m || uvm_page_mask_empty(&gs->pte[UVM_PTE_READ]))
		return;
	plan->merge_2m = true;
	plan->big_clear = gs->big_ptes;
	uvm_page_mask_copy(&plan->clear_4k, &gs->pte[UVM_PTE_READ]);
	for (u = 0; u < UVM_BIG_PER_BLOCK; u++) {
		if (gs->big_ptes & BIT(u))
			uvm_page_mask_clear_region(&plan->clear_4k, block_state_unit(u));
	}
}

/* Below a 2 MB PTE that is split nothing is valid: all of a unit is to be written. */
static void block_state_plan_unit(const struct uvm_block_state *bs, unsigned int id,
				  const struct uvm_pte_layout *layout, unsigned int u,
				  struct uvm_pte_plan *plan)
{
	const struct uvm_page_mask *mapped = block_state_pte(bs, id, UVM_PTE_READ);
	struct uvm_region unit = block_state_unit(u);
	bool was_big = uvm_block_state_gpu(bs, id)->big_ptes & BIT(u);
	bool was_small = !was_big && !plan->split_2m && !uvm_page_mask_region_empty(mapped, unit);
	enum uvm_prot prot = uvm_pte_plan_prot(bs, id, plan, unit.first);
	bool equal = block_state_unit_one_prot(bs, id, plan, unit, prot);
	struct uvm_page_mask write;

	if ((layout->contiguous & BIT(u)) && equal && prot != UVM_PROT_NONE &&
	    (layout->may_merge || !was_small) &&
	    block_state_unit_inside(bs, unit) && block_state_unit_one_place(bs, id, unit)) {
		plan->big_after |= BIT(u);
		plan->big_write |= BIT(u);
		if (was_small)
			plan->big_merge |= BIT(u);
		return;
	}
	plan->big_after &= ~BIT(u);
	if (was_big || plan->split_2m) {
		if (equal && prot == UVM_PROT_NONE) {
			plan->big_clear |= BIT(u);
			return;
		}
		/* The 4K PTEs below are invalid: all are to be written. */
		if (was_big)
			plan->big_split |= BIT(u);
		uvm_page_mask_or_region(&plan->write_4k, unit);
		return;
	}
	uvm_page_mask_copy(&write, &plan->mask);
	uvm_page_mask_and_region(&write, unit);
	if (plan->prot == UVM_PROT_NONE)
		uvm_page_mask_and(&write, &write, mapped);
	uvm_page_mask_or(&plan->write_4k, &plan->write_4k, &write);
}

/**
 * uvm_block_own_units - 64K units that a block has to itself
 * @valid: the block's pages
 *
 * Other units lost pages to munmap, so another block may have 4K PTEs there: a
 * big PTE of ours that says "unmapped: stop here" would end the walks to them.
 *
 * Return: a bit per unit of which no page is missing.
 */
u32 uvm_block_own_units(const struct uvm_page_mask *valid)
{
	u32 own = 0;
	unsigned int u;

	for (u = 0; u < UVM_BIG_PER_BLOCK; u++)
		if (uvm_page_mask_region_full(valid, uvm_region_make(u * UVM_PAGES_PER_BIG,
								     (u + 1) * UVM_PAGES_PER_BIG)))
			own |= BIT(u);
	return own;
}
EXPORT_SYMBOL_IF_KUNIT(uvm_block_own_units);

/**
 * uvm_block_state_plan - which PTEs of a GPU to write
 * @bs: the state, with the residency that the PTEs shall point to
 * @id: the GPU, attached
 * @mask: pages to change
 * @prot: their protection from then on; NONE unmaps
 * @layout: which PTEs are possible
 * @plan: out
 *
 * A large PTE is used where all its pages are in the block, at one place, and
 * have one protection (nvidia-uvm 3.6).  Nothing changes before
 * uvm_block_state_apply().
 */
void uvm_block_state_plan(const struct uvm_block_state *bs, unsigned int id,
			  const struct uvm_page_mask *mask, enum uvm_prot prot,
			  const struct uvm_pte_layout *layout, struct uvm_pte_plan *plan)
{
	const struct uvm_block_gpu_state *gs = uvm_block_state_gpu(bs, id);
	unsigned int u;

	*plan = (struct uvm_pte_plan){
		.mask = *mask,
		.prot = prot,
		.big_after = gs->big_ptes,
	};
	if (layout->contiguous_2m && block_state_equal_2m(bs, id, plan) &&
	    (gs->pte_2m || layout->may_merge ||
	     uvm_page_mask_empty(&gs->pte[UVM_PTE_READ]))) {
		block_state_plan_2m(bs, id, plan);
		return;
	}
	if (gs->pte_2m && prot == UVM_PROT_NONE &&
	    uvm_page_mask_subset(&gs->pte[UVM_PTE_READ], mask)) {
		plan->clear_2m = true;
		return;
	}
	plan->split_2m = gs->pte_2m;
	for (u = 0; u < UVM_BIG_PER_BLOCK; u++) {
		if (plan->split_2m || !uvm_page_mask_region_empty(mask, block_state_unit(u)))
			block_state_plan_unit(bs, id, layout, u, plan);
	}
}
EXPORT_SYMBOL_IF_KUNIT(uvm_block_state_plan);

/**
 * uvm_pte_plan_prot - protection of a page after a plan
 * @bs: the state before it
 * @id: the GPU
 * @plan: the plan
 * @page: the page
 *
 * Return: what its PTE is to allow.
 */
enum uvm_prot uvm_pte_plan_prot(const struct uvm_block_state *bs, unsigned int id,
				const struct uvm_pte_plan *plan, unsigned int page)
{
	if (uvm_page_mask_test(&plan->mask, page))
		return plan->prot;
	return uvm_block_state_prot(bs, id, page);
}
EXPORT_SYMBOL_IF_KUNIT(uvm_pte_plan_prot);

/**
 * uvm_block_state_apply - a plan has been carried out
 * @bs: the state
 * @id: the GPU
 * @plan: the plan
 */
void uvm_block_state_apply(struct uvm_block_state *bs, unsigned int id,
			   const struct uvm_pte_plan *plan)
{
	uvm_block_state_map(bs, id, &plan->mask, plan->prot);
	uvm_block_state_gpu(bs, id)->big_ptes = plan->big_after;
	uvm_block_state_gpu(bs, id)->pte_2m = plan->after_2m;
}
EXPORT_SYMBOL_IF_KUNIT(uvm_block_state_apply);

/* ---- invariants ------------------------------------------------------------ */

static const char *block_state_check_gpu(const struct uvm_block_state *bs, unsigned int id,
					 const struct uvm_page_mask *resident)
{
	const struct uvm_block_gpu_state *gs = uvm_block_state_gpu(bs, id);
	struct uvm_pte_plan whole = { .prot = uvm_block_state_prot(bs, id, 0) };
	struct uvm_page_mask copies;
	unsigned int u;

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
	if (gs->pte_2m && (gs->big_ptes || !block_state_equal_2m(bs, id, &whole)))
		return "2 MB PTE over unequal pages";
	for (u = 0; u < UVM_BIG_PER_BLOCK; u++) {
		struct uvm_pte_plan now = {};

		if (!(gs->big_ptes & BIT(u)))
			continue;
		now.prot = uvm_block_state_prot(bs, id, block_state_unit(u).first);
		if (now.prot == UVM_PROT_NONE ||
		    !block_state_unit_inside(bs, block_state_unit(u)) ||
		    !block_state_unit_one_place(bs, id, block_state_unit(u)) ||
		    !block_state_unit_one_prot(bs, id, &now, block_state_unit(u), now.prot))
			return "big PTE over unequal pages";
	}
	return NULL;
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
	return NULL;
}
EXPORT_SYMBOL_IF_KUNIT(uvm_block_state_check);
