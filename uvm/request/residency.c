// SPDX-License-Identifier: GPL-2.0
/*
 * Looking at managed memory on behalf of the user, and nothing else: no block is made, no
 * page is touched, nothing becomes the last to be evicted, and no time passes.
 *
 * What is told is what the driver has decided.  GPU work for it may be under way, and
 * what munmap cut off is not looked at, so neither trackers nor the reaper are waited for.
 */
#include "base/ioctl_row.h"
#include "model/external_tree.h"
#include "model/page_residency.h"
#include "block/va_block.h"
#include "space/va_space.h"

/*
 * The block of an address, with a reference, or NULL if nobody has used it yet.  @last:
 * out: up to where that holds.
 */
static struct uvm_va_block *uvm_residency_block(struct uvm_va_space *va_space, u64 addr,
						u64 *last)
{
	struct uvm_va_block *block = NULL;
	struct uvm_va_range *range;
	unsigned int i;

	mutex_lock(&va_space->ranges_lock);
	range = uvm_va_range_find(&va_space->ranges, addr);
	/* another thread may have unmapped it meanwhile: then it is nowhere */
	*last = addr + UVM_PAGE_SIZE - 1;
	if (range) {
		i = uvm_va_range_block_index(range, addr);
		*last = uvm_va_range_block_end(range, i);
		if (range->blocks[i])
			block = uvm_va_block_get(range->blocks[i]);
	}
	mutex_unlock(&va_space->ranges_lock);
	return block;
}

/* Whose memory is set aside for a page, be it that its bytes are elsewhere? */
static u16 uvm_residency_populated(const struct uvm_va_block *block, unsigned int page)
{
	u16 procs = block->pages && block->pages[page] ? BIT(UVM_ID_CPU) : 0;
	unsigned int i;

	for (i = 0; i < UVM_MAX_GPUS; i++)
		if (block->gpu[i] && block->gpu[i]->chunks[page])
			procs |= BIT(UVM_ID_GPU(i));
	return procs;
}

static void uvm_residency_pages(struct uvm_va_block *block, struct uvm_region region,
				struct uvm_page_residency *out)
{
	unsigned int page;

	sim_mutex_lock(&block->lock);
	for (page = region.first; !block->dead && page < region.outer; page++, out++) {
		uvm_page_residency(&block->state, page, out);
		out->populated = uvm_residency_populated(block, page);
	}
	sim_mutex_unlock(&block->lock);
}

static int uvm_ioctl_residency_check(struct file *file, const void *data)
{
	const struct uvm_residency *arg = data;

	return arg->length > UVM_RESIDENCY_PAGES * UVM_PAGE_SIZE ? -EINVAL : 0;
}

/*
 * Takes the VA space's lock for reading and those of the span's blocks, one after the other, so
 * pages of two blocks may be of two moments.  0, -EINVAL (not all managed).
 */
static int uvm_ioctl_residency(struct file *file, void *data)
{
	struct uvm_va_space *va_space = file->private_data;
	struct uvm_residency *arg = data;
	u64 addr = arg->base, end = arg->base + arg->length, last;
	struct uvm_va_block *block;
	bool managed;

	memset(arg->pages, 0, sizeof(arg->pages));
	sim_down_read(&va_space->lock);
	mutex_lock(&va_space->ranges_lock);
	managed = uvm_va_space_is_managed(va_space, arg->base, arg->length);
	mutex_unlock(&va_space->ranges_lock);
	for (; managed && addr < end; addr = last + 1) {
		block = uvm_residency_block(va_space, addr, &last);
		if (!block)
			continue;
		uvm_residency_pages(block, uvm_va_block_pages(block, addr, min(last, end - 1)),
				    &arg->pages[(addr - arg->base) >> UVM_PAGE_SHIFT]);
		uvm_va_block_put(block);
	}
	sim_up_read(&va_space->lock);
	return managed ? 0 : -EINVAL;
}

/* Not charged: who only looks lets no time pass. */
UVM_IOCTL(UVM_IOC_RESIDENCY, uvm_residency, uvm_ioctl_residency,
	  .span = DOOR_AT(uvm_residency, base), .check = uvm_ioctl_residency_check,
	  .cost = DOOR_INSIDE, .out = true);

/* What a policy sees in an allocation.  0, -EINVAL, -ENOENT. */
static int uvm_ioctl_pattern(struct file *file, void *data)
{
	struct uvm_va_space *va_space = file->private_data;
	struct uvm_get_pattern *arg = data;
	struct uvm_range_view view = {};
	enum uvm_pattern pattern = UVM_PATTERN_UNDECIDED;
	bool managed, known;

	mutex_lock(&va_space->ranges_lock);
	managed = uvm_va_range_find(&va_space->ranges, arg->address);
	mutex_unlock(&va_space->ranges_lock);
	if (!managed)
		return -EINVAL;
	spin_lock(&va_space->range_lock);
	known = uvm_range_states_pattern(&va_space->range_states, arg->address, &view, &pattern);
	spin_unlock(&va_space->range_lock);
	if (!known)
		return -ENOENT;
	arg->base = view.start;
	arg->length = view.end - view.start + 1;
	arg->pattern = pattern;
	return 0;
}

/* Not charged: who only looks lets no time pass. */
UVM_IOCTL(UVM_IOC_PATTERN, uvm_get_pattern, uvm_ioctl_pattern,
	  .reserved = { DOOR_AT(uvm_get_pattern, __reserved) }, .cost = DOOR_INSIDE, .out = true);

/*
 * Does a span lie in one range, be it managed or external?  As UVM_VALIDATE_VA_RANGE of nvidia-uvm
 * (9).  0, -ENOENT.
 */
static int uvm_ioctl_validate_range(struct file *file, void *data)
{
	struct uvm_va_space *va_space = file->private_data;
	const struct uvm_validate_range *arg = data;
	u64 last = arg->base + arg->length - 1;
	struct uvm_va_range *range;
	bool inside;

	mutex_lock(&va_space->ranges_lock);
	range = uvm_va_range_find(&va_space->ranges, arg->base);
	if (range)
		inside = uvm_va_range_contains(range, last);
	else
		inside = uvm_external_find(&va_space->externals, arg->base, last);
	mutex_unlock(&va_space->ranges_lock);
	return inside ? 0 : -ENOENT;
}

UVM_IOCTL(UVM_IOC_VALIDATE_RANGE, uvm_validate_range, uvm_ioctl_validate_range,
	  .span = DOOR_AT(uvm_validate_range, base), .cost = DOOR_COST(ioctl));
