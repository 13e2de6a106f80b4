/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Physical memory of one GPU: how long pages are to stay, for eviction_policy=min, or when memory
 * is used, for eviction_policy=fnu.
 */
#ifndef UVM_PMM_STAYS_H
#define UVM_PMM_STAYS_H

#include <softgpu/rm.h>
#include "policy/eviction_plan.h"

struct uvm_gpu;

/**
 * struct uvm_stays - a plan, as a policy sees it, and its memory
 * @plan: @ends, and pages; or @uses, @launches, and 64 KB that are used
 * @ends: the same, to be written
 * @uses: the same, to be written
 * @launches: likewise
 * @nr_stays: how many, or how many uses
 * @unit: bytes of the units that it is for; 0: any
 * @charge: of its memory
 */
struct uvm_stays {
	struct uvm_eviction_plan plan;
	u32 *ends;
	struct uvm_use *uses;
	u32 *launches;
	u32 nr_stays;
	u32 unit;
	struct rm_charge charge;
};

/**
 * uvm_stays_alloc - room for stays
 * @nr_pages: pages that have some
 * @nr_stays: of all pages together
 *
 * Context: may sleep.
 * Return: the room, to be written and checked, charged to the current user; NULL: no memory, or the
 * user has too much.
 */
struct uvm_stays *uvm_stays_alloc(u32 nr_pages, u32 nr_stays);

/**
 * uvm_uses_alloc - room for uses
 * @nr_used: 64 KB that have some
 * @nr_uses: of all
 * @nr_launches: in so many launches
 *
 * Context: may sleep.
 * Return: as uvm_stays_alloc().
 */
struct uvm_stays *uvm_uses_alloc(u32 nr_used, u32 nr_uses, u32 nr_launches);

/**
 * uvm_stays_free - the reverse of both
 * @stays: what they gave, or NULL
 *
 * Context: may sleep.
 */
void uvm_stays_free(struct uvm_stays *stays);

/**
 * uvm_pmm_set_stays - the future is known from now on
 * @gpu: the GPU
 * @stays: it, the GPU's if that succeeds; NULL: nothing is known
 *
 * The eviction policy begins anew.
 *
 * Return: 0; -EBUSY: the GPU has other units by now; -ENOMEM.
 */
int uvm_pmm_set_stays(struct uvm_gpu *gpu, struct uvm_stays *stays);

#endif
