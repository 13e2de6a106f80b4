// SPDX-License-Identifier: GPL-2.0
/*
 * CPU grant; see cpu_grant.h for what and why.
 */
#include <kunit/visibility.h>
#include <linux/export.h>
#include <linux/minmax.h>
#include <linux/time64.h>
#include "model/cpu_grant.h"

/* Also where the parameter is 0 a grant that was lost is followed by a longer one. */
static u64 cpu_grant_ns(const struct uvm_cpu_grant *grant, unsigned int us)
{
	u64 ns = us * (u64)NSEC_PER_USEC;

	if (grant->lost)
		ns = max_t(u64, ns, NSEC_PER_USEC) << grant->lost;
	/* a GPU that wants the page does nothing but wait, on a clock that is everybody's */
	return min_t(u64, ns, NSEC_PER_SEC);
}

/**
 * uvm_cpu_grant_give - the first pass of a CPU fault has brought pages home
 * @grant: the block's
 * @pages: the pages
 * @page: the one that the fault is about; it may have stayed behind
 * @write: it is to be written
 * @us: how long they are promised, if no grant was lost
 * @now: driver time, ns
 *
 * A grant that still runs is not cut short.  What an earlier one left over is promised no
 * more.
 */
void uvm_cpu_grant_give(struct uvm_cpu_grant *grant, const struct uvm_page_mask *pages,
			unsigned int page, bool write, unsigned int us, u64 now)
{
	if (now >= grant->ends)
		uvm_page_mask_zero(&grant->pages);
	uvm_page_mask_or(&grant->pages, &grant->pages, pages);
	grant->ends = max(grant->ends, now + cpu_grant_ns(grant, us));
	if (!uvm_page_mask_test(pages, page))
		return;
	uvm_page_mask_set(&grant->demanded, page);
	if (write)
		uvm_page_mask_set(&grant->writing, page);
}
EXPORT_SYMBOL_IF_KUNIT(uvm_cpu_grant_give);

/**
 * uvm_cpu_grant_holds - is a page not to be taken from the CPU now?
 * @grant: the block's
 * @page: the page
 * @now: driver time, ns
 *
 * Return: true if so.
 */
bool uvm_cpu_grant_holds(const struct uvm_cpu_grant *grant, unsigned int page, u64 now)
{
	return now < grant->ends && uvm_page_mask_test(&grant->pages, page);
}
EXPORT_SYMBOL_IF_KUNIT(uvm_cpu_grant_holds);

/**
 * uvm_cpu_grant_mapped - the CPU has mapped a page: its grant was long enough
 * @grant: the block's
 * @page: the page, granted or not
 */
void uvm_cpu_grant_mapped(struct uvm_cpu_grant *grant, unsigned int page)
{
	if (uvm_page_mask_test(&grant->demanded, page))
		grant->lost = 0;
	uvm_page_mask_clear(&grant->pages, page);
	uvm_page_mask_clear(&grant->demanded, page);
	uvm_page_mask_clear(&grant->writing, page);
}
EXPORT_SYMBOL_IF_KUNIT(uvm_cpu_grant_mapped);

/**
 * uvm_cpu_grant_take - the CPU is to lose pages, or the right to write them
 * @grant: the block's
 * @pages: in: which; out: without those that are promised still
 * @prot: what it may do with them from now on: NONE or READ_ONLY
 * @now: driver time, ns
 */
void uvm_cpu_grant_take(struct uvm_cpu_grant *grant, struct uvm_page_mask *pages,
			enum uvm_prot prot, u64 now)
{
	bool all = prot == UVM_PROT_NONE;
	struct uvm_page_mask lost;

	if (now < grant->ends)
		uvm_page_mask_andnot(pages, pages, &grant->pages);
	if (uvm_page_mask_and(&lost, pages, all ? &grant->demanded : &grant->writing) &&
	    grant->lost < UVM_GRANTS_LOST_MAX)
		grant->lost++;
	uvm_cpu_grant_forget(grant, all ? pages : &lost);
}
EXPORT_SYMBOL_IF_KUNIT(uvm_cpu_grant_take);

/**
 * uvm_cpu_grant_forget - nobody waits for pages any more
 * @grant: the block's
 * @pages: the pages, promised or not
 */
void uvm_cpu_grant_forget(struct uvm_cpu_grant *grant, const struct uvm_page_mask *pages)
{
	uvm_page_mask_andnot(&grant->pages, &grant->pages, pages);
	uvm_page_mask_andnot(&grant->demanded, &grant->demanded, pages);
	uvm_page_mask_andnot(&grant->writing, &grant->writing, pages);
}
EXPORT_SYMBOL_IF_KUNIT(uvm_cpu_grant_forget);
