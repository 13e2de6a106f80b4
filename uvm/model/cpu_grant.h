/* SPDX-License-Identifier: GPL-2.0 */
/*
 * CPU grant: what the first pass of a CPU fault has brought home is promised to the CPU
 * until the second pass maps it, but not for long.
 *
 * The clock does not wait for the thread that is to come back, so a GPU may take a page
 * from it again and again.  Each time that this happens to a page that a fault is about
 * the next grant is twice as long, until such a page is mapped.  What was granted along
 * with it is for nobody in particular: it may go, and nobody has lost anything.  Nor has
 * who wants to read lost anything if the CPU may no more write.
 *
 * Several threads may be between their passes, so the pages that they ask for are a set:
 * of one alone, two threads that lose in turn would each make forget the other's.
 *
 * Pure: the caller's lock, and time is an argument.
 */
#ifndef UVM_CPU_GRANT_H
#define UVM_CPU_GRANT_H

#include <linux/types.h>
#include "base/page_mask.h"
#include "base/types.h"

/* A grant lost more often than this is doubled no more: 1024 times the parameter. */
#define UVM_GRANTS_LOST_MAX	10

/**
 * struct uvm_cpu_grant - what of a block is promised to the CPU
 * @pages: granted last and not mapped yet; not to be taken until @ends
 * @demanded: pages that faults are about, granted and neither mapped nor taken since
 * @writing: of @demanded, the ones to be written
 * @ends: driver time, ns
 * @lost: grants lost since one was used; each doubles the next
 */
struct uvm_cpu_grant {
	struct uvm_page_mask pages;
	struct uvm_page_mask demanded;
	struct uvm_page_mask writing;
	u64 ends;
	u8 lost;
};

void uvm_cpu_grant_give(struct uvm_cpu_grant *grant, const struct uvm_page_mask *pages,
			unsigned int page, bool write, unsigned int us, u64 now);
bool uvm_cpu_grant_holds(const struct uvm_cpu_grant *grant, unsigned int page, u64 now);
void uvm_cpu_grant_mapped(struct uvm_cpu_grant *grant, unsigned int page);
void uvm_cpu_grant_take(struct uvm_cpu_grant *grant, struct uvm_page_mask *pages,
			enum uvm_prot prot, u64 now);
void uvm_cpu_grant_forget(struct uvm_cpu_grant *grant, const struct uvm_page_mask *pages);

#endif
