// SPDX-License-Identifier: GPL-2.0
/*
 * Mappings after an eviction: what block_remap.c has noted is done here, by the reaper.
 */
#include "block/service.h"
#include "block/va_block.h"
#include "gpu/gpu.h"
#include "space/va_space.h"

static int uvm_block_remap_accessed_by(struct uvm_service *service)
{
	u16 accessed_by = service->request.span.policy.accessed_by;
	unsigned int id;
	int ret = 0;

	/* copies come before remote mappings */
	if (service->request.span.policy.read_duplication == UVM_READ_DUPLICATION_ENABLED)
		return 0;
	for_each_uvm_id(id) {
		if (!ret && (accessed_by & BIT(id)) &&
		    uvm_va_space_has_processor(service->request.va_space, id))
			ret = uvm_service_map_accessed_by(service, id, &service->pages.wanted);
	}
	return ret;
}

/* GPUs map what was evicted from them, unless they have done so as one of the others. */
static int uvm_block_remap_evicted(struct uvm_service *service)
{
	u16 accessed_by = service->request.span.policy.accessed_by;
	struct uvm_va_block *block = service->request.block;
	struct uvm_page_mask pages;
	unsigned int i;
	int ret = 0;

	for (i = 0; i < UVM_MAX_GPUS && !ret; i++) {
		if (!block->gpu[i] || !service->request.va_space->gpus[i] ||
		    (accessed_by & BIT(UVM_ID_GPU(i))) ||
		    !uvm_page_mask_and(&pages, &service->pages.wanted, &block->gpu[i]->evicted))
			continue;
		ret = uvm_service_map_evicted(service, UVM_ID_GPU(i), &pages);
	}
	return ret;
}

/* What cannot be mapped now is faulted in. */
static int uvm_block_remap(struct uvm_service *service, const void *arg)
{
	int ret = uvm_block_remap_accessed_by(service);

	if (!ret && uvm_va_space_remaps_evicted(service->request.va_space))
		ret = uvm_block_remap_evicted(service);
	return ret == -ENOMEM ? 0 : ret;
}

static struct uvm_va_block *uvm_va_space_next_remap(struct uvm_va_space *va_space)
{
	struct uvm_va_block *block;

	mutex_lock(&va_space->pending_lock);
	block = list_first_entry_or_null(&va_space->remap, struct uvm_va_block, remap_node);
	if (block)
		list_del_init(&block->remap_node);
	mutex_unlock(&va_space->pending_lock);
	return block;
}

/**
 * uvm_va_space_remap - map what was evicted since
 * @va_space: the VA space; lock held for reading, no block lock
 */
void uvm_va_space_remap(struct uvm_va_space *va_space)
{
	struct uvm_va_block *block;

	sim_assert_held(&va_space->lock);
	while ((block = uvm_va_space_next_remap(va_space))) {
		uvm_va_space_visit(va_space, uvm_va_block_address(block, block->region.first),
				   uvm_region_bytes(block->region), uvm_block_remap, NULL);
		uvm_va_block_put(block);
	}
}
