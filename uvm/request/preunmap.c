// SPDX-License-Identifier: GPL-2.0
/*
 * CPU pre-unmap; see preunmap.h.  What is gained is a walk of page tables and a round of
 * TLB shootdowns for each group of blocks, instead of for each block.
 */
#include <linux/mm.h>
#include "gpu/gpu.h"
#include "request/preunmap.h"
#include "block/service.h"
#include "block/va_block.h"
#include "space/va_space.h"
#include "base/work.h"

/**
 * struct uvm_preunmap_sum - what a group has
 * @pages: pages that the CPU is to lose
 * @stays: some must stay mapped: the blocks see to themselves
 */
struct uvm_preunmap_sum {
	u64 pages;
	bool stays;
};

/**
 * struct uvm_preunmap_visit - argument of a visit to the blocks of a group
 * @dst: where their pages go
 * @sum: added to
 */
struct uvm_preunmap_visit {
	unsigned int dst;
	struct uvm_preunmap_sum *sum;
};

static bool uvm_preunmap_fast_link(const struct uvm_va_space *va_space)
{
	unsigned int i;

	for (i = 0; i < UVM_MAX_GPUS; i++)
		if (va_space->gpus[i] &&
		    rm_profile(va_space->gpus[i]->gpu->rm, RM_PROFILE_cpu_link_fast))
			return true;
	return false;
}

/**
 * uvm_preunmap_wanted - is pre-unmap for a migration of [@base, @last] to @dst?
 * @va_space: the VA space; lock held
 * @dst: where to
 * @base: first byte
 * @last: last byte
 *
 * Only with a GPU whose link to the CPU is fast, for several blocks that leave the CPU
 * (nvidia-uvm 6.1), unless perf_migrate_cpu_preunmap_enable is off.
 *
 * Return: true if so.
 */
bool uvm_preunmap_wanted(struct uvm_va_space *va_space, unsigned int dst, u64 base, u64 last)
{
	sim_assert_held(&va_space->lock);
	return READ_ONCE(va_space->params.perf_migrate_cpu_preunmap_enable) &&
	       dst != UVM_ID_CPU && uvm_block_align_down(base) != uvm_block_align_down(last) &&
	       uvm_preunmap_fast_link(va_space);
}

/* What the CPU has of a block, and whether all of it is to go. */
static int uvm_preunmap_count(struct uvm_service *service, const void *arg)
{
	const struct uvm_preunmap_visit *visit = arg;
	struct uvm_block_state *state = &service->request.block->state;
	const struct uvm_page_mask *wanted = &service->pages.wanted;
	struct uvm_page_mask mapped, leaves;

	uvm_page_mask_and(&mapped, wanted, &state->cpu_mapped);
	uvm_block_state_to_unmap(state, visit->dst, wanted, UVM_ID_CPU, &leaves);
	visit->sum->pages += uvm_page_mask_weight(&leaves);
	visit->sum->stays |= uvm_page_mask_andnot(&mapped, &mapped, &leaves) ||
		service->request.span.policy.read_duplication == UVM_READ_DUPLICATION_ENABLED;
	return 0;
}

/* The entries are gone already; what has been granted meanwhile stays. */
static int uvm_preunmap_revoke(struct uvm_service *service, const void *arg)
{
	const struct uvm_preunmap_visit *visit = arg;
	struct uvm_va_block *block = service->request.block;
	struct uvm_page_mask leaves;

	if (uvm_block_state_to_unmap(&block->state, visit->dst, &service->pages.wanted,
				     UVM_ID_CPU, &leaves))
		uvm_va_block_revoke_cpu(block, &leaves, UVM_PROT_NONE, false);
	visit->sum->pages += uvm_page_mask_weight(&leaves);
	return 0;
}

/**
 * uvm_preunmap_group - take the next group of blocks from the CPU
 * @service: of the migration, between two blocks; VA space lock held
 * @request: what its operations have in common
 * @dst: where to, a GPU
 * @base: first byte that has not moved
 * @last: last byte that is to move
 * @end: out: last byte of the group, an aligned 2 MB <<
 *	perf_migrate_cpu_preunmap_block_order, or @last
 *
 * Nothing is taken if a page of the group has to stay mapped (nvidia-uvm 6.1).  A page
 * that the CPU touches again before its block moves is taken then.
 *
 * Return: 0, or as uvm_service_visit().
 */
int uvm_preunmap_group(struct uvm_service *service, const struct uvm_service_request *request,
		       unsigned int dst, u64 base, u64 last, u64 *end)
{
	struct uvm_va_space *va_space = request->va_space;
	unsigned int order = READ_ONCE(va_space->params.perf_migrate_cpu_preunmap_block_order);
	struct uvm_preunmap_sum found = {}, taken = {};
	const struct uvm_preunmap_visit count = { dst, &found }, revoke = { dst, &taken };
	struct uvm_gpu *gpu = uvm_gpu(0);
	int ret;

	*end = min(last, ALIGN(base + 1, UVM_BLOCK_SIZE << order) - 1);
	ret = uvm_service_visit(service, request, base, *end, uvm_preunmap_count, &count);
	if (ret || found.stays || !found.pages)
		return ret;
	/* entries that are taken without asking come back, as long as their pages are here */
	unmap_mapping_range(va_space->mapping, base, *end - base + 1, 1);
	ret = uvm_service_visit(service, request, base, *end, uvm_preunmap_revoke, &revoke);
	uvm_work_enter(request->work, UVM_PHASE_CPU_UNMAP,
		       uvm_cost(gpu, cpu_unmap) + taken.pages * uvm_cost(gpu, cpu_unmap_page));
	return ret;
}
