// SPDX-License-Identifier: GPL-2.0
/*
 * State of one VA block: layout of a GPU's PTEs.  Pages [16u, 16u + 16) are unit u.
 */
#include <kunit/visibility.h>
#include <linux/bits.h>
#include <linux/export.h>
#include <linux/kernel.h>
#include "model/block_state.h"

/* Pages that a GPU has mapped with at least this permission. */
static const struct uvm_page_mask *block_layout_pte(const struct uvm_block_state *bs,
						    unsigned int id, enum uvm_pte_bit bit)
{
	return &uvm_block_state_gpu(bs, id)->pte[bit];
}

static struct uvm_region block_layout_unit(unsigned int unit)
{
	return uvm_region_make(unit * UVM_PAGES_PER_BIG, (unit + 1) * UVM_PAGES_PER_BIG);
}

static bool block_layout_unit_inside(const struct uvm_block_state *bs, struct uvm_region unit)
{
	return unit.first >= bs->region.first && unit.outer <= bs->region.outer;
}

/* Do all PTEs of @id in the unit point to one processor? */
static bool block_layout_unit_one_place(const struct uvm_block_state *bs, unsigned int id,
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

static bool block_layout_unit_one_prot(const struct uvm_block_state *bs, unsigned int id,
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
static bool block_layout_equal_2m(const struct uvm_block_state *bs, unsigned int id,
				  const struct uvm_pte_plan *plan)
{
	const struct uvm_region all = uvm_region_make(0, UVM_PAGES_PER_BLOCK);
	struct uvm_page_mask pages;

	if (plan->prot == UVM_PROT_NONE || !block_layout_unit_inside(bs, all))
		return false;
	/* What does not change has it already, and no more. */
	uvm_page_mask_or(&pages, &plan->mask,
			 block_layout_pte(bs, id, (enum uvm_pte_bit)(plan->prot - 1)));
	if (!uvm_page_mask_region_full(&pages, all) || !block_layout_unit_one_place(bs, id, all))
		return false;
	return plan->prot == UVM_PROT_READ_WRITE_ATOMIC ||
	       uvm_page_mask_subset(block_layout_pte(bs, id, (enum uvm_pte_bit)plan->prot),
				    &plan->mask);
}

static void block_layout_plan_2m(const struct uvm_block_state *bs, unsigned int id,
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
			uvm_page_mask_clear_region(&plan->clear_4k, block_layout_unit(u));
	}
}

/* Below a 2 MB PTE that is split nothing is valid: all of a unit is to be written. */
static void block_layout_plan_unit(const struct uvm_block_state *bs, unsigned int id,
				   const struct uvm_pte_layout *layout, unsigned int u,
				   struct uvm_pte_plan *plan)
{
	const struct uvm_page_mask *mapped = block_layout_pte(bs, id, UVM_PTE_READ);
	struct uvm_region unit = block_layout_unit(u);
	bool was_big = uvm_block_state_gpu(bs, id)->big_ptes & BIT(u);
	bool was_small = !was_big && !plan->split_2m && uvm_page_mask_unit(mapped, u);
	enum uvm_prot prot = uvm_pte_plan_prot(bs, id, plan, unit.first);
	bool equal = block_layout_unit_one_prot(bs, id, plan, unit, prot);
	struct uvm_page_mask write;

	if ((layout->contiguous & BIT(u)) && equal && prot != UVM_PROT_NONE &&
	    (layout->may_merge || !was_small) &&
	    block_layout_unit_inside(bs, unit) && block_layout_unit_one_place(bs, id, unit)) {
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
		if (uvm_page_mask_unit(valid, u) == U16_MAX)
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
	if (layout->contiguous_2m && block_layout_equal_2m(bs, id, plan) &&
	    (gs->pte_2m || layout->may_merge ||
	     uvm_page_mask_empty(&gs->pte[UVM_PTE_READ]))) {
		block_layout_plan_2m(bs, id, plan);
		return;
	}
	if (gs->pte_2m && prot == UVM_PROT_NONE &&
	    uvm_page_mask_subset(&gs->pte[UVM_PTE_READ], mask)) {
		plan->clear_2m = true;
		return;
	}
	plan->split_2m = gs->pte_2m;
	for (u = 0; u < UVM_BIG_PER_BLOCK; u++) {
		if (plan->split_2m || uvm_page_mask_unit(mask, u))
			block_layout_plan_unit(bs, id, layout, u, plan);
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

/**
 * uvm_block_layout_check - are large PTEs where they may be?
 * @bs: the state
 * @id: a GPU, attached
 *
 * Return: NULL, or which rule is broken.
 */
const char *uvm_block_layout_check(const struct uvm_block_state *bs, unsigned int id)
{
	const struct uvm_block_gpu_state *gs = uvm_block_state_gpu(bs, id);
	struct uvm_pte_plan whole = { .prot = uvm_block_state_prot(bs, id, 0) };
	unsigned int u;

	if (gs->pte_2m && (gs->big_ptes || !block_layout_equal_2m(bs, id, &whole)))
		return "2 MB PTE over unequal pages";
	for (u = 0; u < UVM_BIG_PER_BLOCK; u++) {
		struct uvm_region unit = block_layout_unit(u);
		struct uvm_pte_plan now = { .prot = uvm_block_state_prot(bs, id, unit.first) };

		if (!(gs->big_ptes & BIT(u)))
			continue;
		if (now.prot == UVM_PROT_NONE || !block_layout_unit_inside(bs, unit) ||
		    !block_layout_unit_one_place(bs, id, unit) ||
		    !block_layout_unit_one_prot(bs, id, &now, unit, now.prot))
			return "big PTE over unequal pages";
	}
	return NULL;
}
