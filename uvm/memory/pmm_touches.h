/* SPDX-License-Identifier: GPL-2.0 */
/* Physical memory of one GPU: what will be touched, for eviction_policy=min. */
#ifndef UVM_PMM_TOUCHES_H
#define UVM_PMM_TOUCHES_H

#include <softgpu/rm.h>
#include "policy/eviction_trace.h"

struct uvm_gpu;

/**
 * struct uvm_touches - a trace, as a policy sees it, and its memory
 * @trace: @positions, and pages
 * @positions: the same, to be written
 * @nr_touches: how many
 * @unit: bytes of the units that it is for
 * @charge: of its memory
 */
struct uvm_touches {
	struct uvm_eviction_trace trace;
	u64 *positions;
	u32 nr_touches;
	u32 unit;
	struct rm_charge charge;
};

/* Charged to the current user; NULL: no memory, or he has too much. */
struct uvm_touches *uvm_touches_alloc(u32 nr_pages, u32 nr_touches);
void uvm_touches_free(struct uvm_touches *touches);

/**
 * uvm_pmm_set_touches - what will be touched is known from now on
 * @gpu: the GPU
 * @touches: it, the GPU's if that succeeds; NULL: nothing is known
 *
 * The eviction policy begins anew.
 *
 * Return: 0; -EBUSY: the GPU has other units by now; -ENOMEM.
 */
int uvm_pmm_set_touches(struct uvm_gpu *gpu, struct uvm_touches *touches);

#endif
