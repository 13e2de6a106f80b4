// SPDX-License-Identifier: GPL-2.0
/*
 * Discarding: the bytes of pages are not wanted any more (nvidia-uvm 6.2).
 *
 * A discarded page that leaves its place is not copied: it reads as zero or as
 * what it held before, until it is written.
 */
#include "base/ioctl_row.h"
#include "gpu/gpu.h"
#include "block/service.h"
#include "block/va_block.h"
#include "gpu/tracker.h"
#include "space/va_space.h"
#include "base/work.h"

/*
 * Everybody loses the pages; what the CPU is being given stays.  Waited for: a
 * write that still went through an old entry would be no fault, and lost.
 */
static int uvm_discard_unmap(struct uvm_service *service, struct uvm_page_mask *pages)
{
	struct uvm_va_block *block = service->request.block;
	struct uvm_va_space *va_space = service->request.va_space;
	unsigned int i;
	int ret = 0;

	uvm_va_block_revoke_cpu(block, pages, UVM_PROT_NONE, false);
	for (i = 0; i < UVM_MAX_GPUS && !ret; i++)
		if (block->gpu[i] && va_space->gpus[i])
			ret = uvm_va_block_unmap_gpu(block, va_space->gpus[i], pages);
	return ret ?: uvm_tracker_wait(&block->tracker);
}

static int uvm_discard_block(struct uvm_service *service, const void *arg)
{
	struct uvm_va_block *block = service->request.block;
	struct uvm_page_mask pages;
	const bool *unmap = arg;
	unsigned int i;
	int ret;

	uvm_block_state_resident_any(&block->state, &pages);
	uvm_page_mask_and(&pages, &pages, &service->pages.wanted);
	ret = uvm_va_block_collapse(service, &pages);
	/* copies that the CPU is being given stay, and so does what they hold */
	uvm_page_mask_andnot(&pages, &pages, &block->state.read_duplicated);
	if (!ret && *unmap)
		ret = uvm_discard_unmap(service, &pages);
	if (ret)
		return ret;
	uvm_page_mask_or(&block->state.discarded, &block->state.discarded, &pages);
	for (i = 0; i < UVM_MAX_GPUS; i++)
		if (block->gpu[i])
			uvm_va_block_mark_chunks(block, uvm_gpu(i), &pages, false);
	return 0;
}

/*
 * Pages are unmapped too, if the user says so, so that a write is noticed; without it they stay
 * discarded until a fault writes or the user migrates them.  0, -EINVAL (not all managed),
 * -ENOMEM, -EIO.
 */
static int uvm_ioctl_discard(struct file *file, void *data)
{
	struct uvm_va_space *va_space = file->private_data;
	const struct uvm_discard *arg = data;
	bool managed, unmap = arg->flags & UVM_DISCARD_UNMAP;
	int ret = -EINVAL;

	sim_down_read(&va_space->lock);
	uvm_va_space_reap(va_space);
	mutex_lock(&va_space->ranges_lock);
	managed = uvm_va_space_is_managed(va_space, arg->base, arg->length);
	mutex_unlock(&va_space->ranges_lock);
	if (managed)
		ret = uvm_va_space_visit(va_space, arg->base, arg->length, uvm_discard_block,
					 &unmap);
	sim_up_read(&va_space->lock);
	return ret;
}

UVM_IOCTL(UVM_IOC_DISCARD, uvm_discard, uvm_ioctl_discard, .flags = UVM_DISCARD_UNMAP,
	  .span = DOOR_AT(uvm_discard, base), .cost = DOOR_COST(ioctl));
