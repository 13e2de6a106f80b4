// SPDX-License-Identifier: GPL-2.0
/*
 * State of one VA block: who may do what with a page when somebody is given it, or loses
 * it (nvidia-uvm 3.2, steps 2, 3 and 5).
 *
 * Atomics over a link that has none are done by whoever nobody else writes beside: a
 * processor has them on a page elsewhere as long as all others may only read it.  Pure.
 */
#include <kunit/visibility.h>
#include <linux/bits.h>
#include <linux/export.h>
#include "model/block_state.h"

/* Do atomics of a processor work on memory of another without the help of others? */
static bool block_prot_native(const struct uvm_block_state *bs, unsigned int id, unsigned int dst)
{
	return bs->topology->native_atomics[id] & BIT(dst);
}

/* Pages of @mask that a processor has with more than @prot. */
static bool block_prot_above(const struct uvm_block_state *bs, unsigned int id,
			     const struct uvm_page_mask *mask, enum uvm_prot prot,
			     struct uvm_page_mask *out)
{
	uvm_block_state_mapped(bs, id, prot + 1, out);
	return uvm_page_mask_and(out, out, mask);
}

/* What others than @id may do more than @prot with; @foreign: only over a link without. */
static void block_prot_others(const struct uvm_block_state *bs, unsigned int id, unsigned int dst,
			      const struct uvm_page_mask *mask, enum uvm_prot prot, bool foreign,
			      struct uvm_page_mask *out)
{
	struct uvm_page_mask theirs;
	unsigned int other;

	uvm_page_mask_zero(out);
	for_each_uvm_id(other) {
		if (other == id || !(bs->mapped_procs & BIT(other)) ||
		    (foreign && block_prot_native(bs, other, dst)))
			continue;
		if (block_prot_above(bs, other, mask, prot, &theirs))
			uvm_page_mask_or(out, out, &theirs);
	}
}

static void block_prot_clear(struct uvm_page_mask *by_prot)
{
	unsigned int prot;

	for (prot = UVM_PROT_NONE; prot <= UVM_PROT_READ_WRITE_ATOMIC; prot++)
		uvm_page_mask_zero(&by_prot[prot]);
}

/**
 * uvm_block_prot_requested - what who asked for pages may do with them
 * @bs: the state, with the pages at their new place
 * @id: who asked
 * @dst: where the pages are; in reach of @id
 * @pages: the pages
 * @asked: what for
 * @by_prot: out: the pages by enum uvm_prot
 *
 * Writing comes with reading, unless somebody else has atomics over a link, and atomics
 * with writing, where they need nobody's consent.
 */
void uvm_block_prot_requested(const struct uvm_block_state *bs, unsigned int id,
			      unsigned int dst, const struct uvm_page_mask *pages,
			      const struct uvm_prot_asked *asked, struct uvm_page_mask *by_prot)
{
	struct uvm_page_mask *ro = &by_prot[UVM_PROT_READ_ONLY];
	struct uvm_page_mask *rw = &by_prot[UVM_PROT_READ_WRITE];
	struct uvm_page_mask *rwa = &by_prot[UVM_PROT_READ_WRITE_ATOMIC];

	block_prot_clear(by_prot);
	block_prot_others(bs, id, dst, pages, UVM_PROT_READ_WRITE, true, ro);
	uvm_page_mask_and(ro, ro, &asked->read);
	uvm_page_mask_or(ro, ro, &asked->only_read);
	uvm_page_mask_and(ro, ro, pages);
	uvm_page_mask_andnot(rw, pages, ro);
	if (block_prot_native(bs, id, dst))
		uvm_page_mask_copy(rwa, rw);
	else
		uvm_page_mask_and(rwa, rw, &asked->atomic);
	uvm_page_mask_andnot(rw, rw, rwa);
}
EXPORT_SYMBOL_IF_KUNIT(uvm_block_prot_requested);

/**
 * uvm_block_prot_highest - what a processor may do with pages that nobody asked for
 * @bs: the state
 * @id: the processor
 * @dst: where the pages are, without copies elsewhere; in reach of @id
 * @pages: the pages
 * @by_prot: out: the pages by enum uvm_prot
 *
 * As much as takes nothing from anybody.
 */
void uvm_block_prot_highest(const struct uvm_block_state *bs, unsigned int id, unsigned int dst,
			    const struct uvm_page_mask *pages, struct uvm_page_mask *by_prot)
{
	struct uvm_page_mask *ro = &by_prot[UVM_PROT_READ_ONLY];
	struct uvm_page_mask *rw = &by_prot[UVM_PROT_READ_WRITE];
	struct uvm_page_mask *rwa = &by_prot[UVM_PROT_READ_WRITE_ATOMIC];

	block_prot_clear(by_prot);
	block_prot_others(bs, id, dst, pages, UVM_PROT_READ_WRITE, true, ro);
	if (!block_prot_native(bs, id, dst))
		block_prot_others(bs, id, dst, pages, UVM_PROT_READ_ONLY, false, rw);
	uvm_page_mask_andnot(rw, rw, ro);
	uvm_page_mask_andnot(rwa, pages, ro);
	uvm_page_mask_andnot(rwa, rwa, rw);
}
EXPORT_SYMBOL_IF_KUNIT(uvm_block_prot_highest);

/**
 * uvm_block_prot_revoked - what a processor loses because of what another is given
 * @bs: the state
 * @id: who is given something
 * @dst: where the pages are
 * @pages: the pages
 * @prot: what @id may do with them from now on
 * @other: the processor
 * @lost: out: the pages of which it has too much
 *
 * Writers exclude atomics over a link without, atomics of any sort such writers; whose
 * atomics work without help has nothing to lose to those who are like it, or only write.
 *
 * Return: what it may do with these pages from now on; UVM_PROT_READ_WRITE_ATOMIC if it
 * loses nothing.
 */
enum uvm_prot uvm_block_prot_revoked(const struct uvm_block_state *bs, unsigned int id,
				     unsigned int dst, const struct uvm_page_mask *pages,
				     enum uvm_prot prot, unsigned int other,
				     struct uvm_page_mask *lost)
{
	enum uvm_prot left = UVM_PROT_READ_WRITE;

	if (other == id || prot <= UVM_PROT_READ_ONLY || !(bs->mapped_procs & BIT(other)))
		return UVM_PROT_READ_WRITE_ATOMIC;
	if ((prot == UVM_PROT_READ_WRITE || block_prot_native(bs, id, dst)) &&
	    block_prot_native(bs, other, dst))
		return UVM_PROT_READ_WRITE_ATOMIC;
	/* a CPU cannot tell its writes from its atomics, and asks for neither */
	if (prot == UVM_PROT_READ_WRITE_ATOMIC && !uvm_id_is_cpu(id))
		left = UVM_PROT_READ_ONLY;
	return block_prot_above(bs, other, pages, left, lost) ? left : UVM_PROT_READ_WRITE_ATOMIC;
}
EXPORT_SYMBOL_IF_KUNIT(uvm_block_prot_revoked);

/**
 * uvm_block_prot_check - are the permissions possible?
 * @bs: the state
 *
 * Return: NULL, or which rule is broken.
 */
const char *uvm_block_prot_check(const struct uvm_block_state *bs)
{
	struct uvm_page_mask atomic, here, writable;
	unsigned int id, dst;

	for_each_uvm_id(id) {
		if (!(bs->mapped_procs & BIT(id)))
			continue;
		uvm_block_state_mapped(bs, id, UVM_PROT_READ_WRITE_ATOMIC, &atomic);
		for_each_uvm_id(dst) {
			if (block_prot_native(bs, id, dst) ||
			    !uvm_page_mask_and(&here, &atomic, uvm_block_state_resident(bs, dst)))
				continue;
			block_prot_others(bs, id, dst, &here, UVM_PROT_READ_ONLY, false, &writable);
			if (!uvm_page_mask_empty(&writable))
				return "atomics over a link, and somebody else may write";
		}
	}
	return NULL;
}
EXPORT_SYMBOL_IF_KUNIT(uvm_block_prot_check);
