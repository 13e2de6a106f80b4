// SPDX-License-Identifier: GPL-2.0
/*
 * mmap, munmap and the CPU fault entry: everything that runs under mmap_lock.
 *
 * Nothing here waits in simulated time, for code that knows nothing of it can wait
 * for mmap_lock: mmap and munmap only edit the range tree under ranges_lock, and
 * the fault handler drops the fault lock before it serves.
 */
#include <linux/mm.h>
#include "fault/cpu_fault.h"
#include "base/debugfs.h"
#include "model/external_tree.h"
#include "base/trace.h"
#include "block/va_block.h"
#include "space/managed_range.h"
#include "space/va_space.h"
#include "va_space_file.h"
#include "vma.h"

/*
 * Hand the blocks under a removed range to the reaper, with the pages they
 * lose.  A block shared with another range goes on with the rest.
 */
static void uvm_vma_detach_blocks(struct uvm_va_space *va_space, struct uvm_va_range *range)
{
	unsigned int i;

	for (i = 0; i < range->nr_blocks; i++) {
		struct uvm_va_block *block = range->blocks[i];
		unsigned int first, last;

		if (!block)
			continue;
		first = uvm_va_block_page(block, uvm_va_range_block_start(range, i));
		last = uvm_va_block_page(block, uvm_va_range_block_end(range, i));
		uvm_page_mask_or_region(&block->unmapped, uvm_region_make(first, last + 1));
		if (list_empty(&block->detached_node)) {
			list_add_tail(&block->detached_node, &va_space->detached);
			uvm_va_block_get(block);
		}
	}
}

static void uvm_vma_put_slots(struct uvm_va_range *range)
{
	unsigned int i;

	for (i = 0; i < range->nr_blocks; i++)
		if (range->blocks[i])
			uvm_va_block_put(range->blocks[i]);
}

/* The addresses [start, end] are managed no more; whole ranges, see may_split. */
static void uvm_vma_cut(struct uvm_va_space *va_space, u64 start, u64 end)
{
	struct uvm_va_range *range;
	bool kick;

	mutex_lock(&va_space->ranges_lock);
	while ((range = uvm_va_range_first(&va_space->ranges, start, end))) {
		if (WARN_ON_ONCE(uvm_va_range_start(range) < start ||
				 uvm_va_range_end(range) > end))
			break;
		uvm_managed_range_remove(va_space, range);
		uvm_vma_detach_blocks(va_space, range);
		trace_uvm_va_range(sim_now(), va_space->id, UVM_TRACE_RANGE_DESTROY,
				   uvm_va_range_start(range), uvm_va_range_end(range));
		uvm_vma_put_slots(range);
		uvm_managed_range_free(range);
		uvm_object_dec(UVM_OBJECT_VA_RANGE);
	}
	kick = !list_empty(&va_space->detached);
	mutex_unlock(&va_space->ranges_lock);
	if (kick)
		sim_kthread_kick(&va_space->reaper, 0);
}

static struct uvm_va_space *uvm_vma_va_space(struct vm_area_struct *vma)
{
	return vma->vm_private_data;
}

/*
 * A mapping is about to be split (munmap, mprotect, mremap of a part): split
 * the range here, where failing is still allowed.
 */
static int uvm_vma_may_split(struct vm_area_struct *vma, unsigned long addr)
{
	struct uvm_va_space *va_space = uvm_vma_va_space(vma);
	struct uvm_va_range *range;
	int ret = 0;

	mutex_lock(&va_space->ranges_lock);
	range = uvm_va_range_find(&va_space->ranges, addr);
	if (range && uvm_va_range_start(range) < addr)
		ret = uvm_va_space_split_range(va_space, range, addr);
	mutex_unlock(&va_space->ranges_lock);
	return ret;
}

static void uvm_vma_close(struct vm_area_struct *vma)
{
	uvm_vma_cut(uvm_vma_va_space(vma), vma->vm_start, vma->vm_end - 1);
}

/*
 * A mapping that moved away from its offset has no managed memory under it:
 * what page tables moved along is taken back, every touch is a SIGBUS.
 */
static bool uvm_vma_is_home(struct vm_area_struct *vma)
{
	return vma->vm_pgoff == vma->vm_start >> PAGE_SHIFT;
}

static int uvm_vma_mremap(struct vm_area_struct *vma)
{
	unmap_mapping_range(vma->vm_file->f_mapping, (loff_t)vma->vm_pgoff << PAGE_SHIFT,
			    vma->vm_end - vma->vm_start, 1);
	return 0;
}

static vm_fault_t uvm_vma_fault(struct vm_fault *vmf)
{
	struct vm_area_struct *vma = vmf->vma;

	if (!uvm_vma_is_home(vma))
		return VM_FAULT_SIGBUS;
	return uvm_cpu_fault(uvm_vma_va_space(vma), vmf);
}

/* A write to a page that is mapped for reading: it has copies, which have to go. */
static vm_fault_t uvm_vma_mkwrite(struct vm_fault *vmf)
{
	if (!uvm_vma_is_home(vmf->vma))
		return VM_FAULT_SIGBUS;
	return uvm_cpu_fault_mkwrite(uvm_vma_va_space(vmf->vma), vmf);
}

static void uvm_vma_disabled_close(struct vm_area_struct *vma)
{
}

static vm_fault_t uvm_vma_disabled_fault(struct vm_fault *vmf)
{
	return VM_FAULT_SIGBUS;
}

static const struct vm_operations_struct uvm_vma_disabled_ops = {
	.close = uvm_vma_disabled_close,
	.mremap = uvm_vma_mremap,
	.fault = uvm_vma_disabled_fault,
	.page_mkwrite = uvm_vma_disabled_fault,
};

/*
 * A split stays at home; a copy made by mremap does not and is disabled, as is that of a
 * child (MADV_DOFORK), which also gets none of the entries.
 */
static void uvm_vma_open(struct vm_area_struct *vma)
{
	bool child = vma->vm_mm != uvm_vma_va_space(vma)->mm;

	if (child || !uvm_vma_is_home(vma))
		vma->vm_ops = &uvm_vma_disabled_ops;
	if (child)
		vm_flags_set(vma, VM_WIPEONFORK);
}

static const struct vm_operations_struct uvm_vma_ops = {
	.open = uvm_vma_open,
	.close = uvm_vma_close,
	.may_split = uvm_vma_may_split,
	.mremap = uvm_vma_mremap,
	.fault = uvm_vma_fault,
	.page_mkwrite = uvm_vma_mkwrite,
};

static int uvm_vma_check(struct uvm_va_space *va_space, struct vm_area_struct *vma)
{
	if (vma->vm_mm != va_space->mm)
		return -EOPNOTSUPP;
	if ((vma->vm_flags & (VM_SHARED | VM_READ | VM_WRITE)) !=
	    (VM_SHARED | VM_READ | VM_WRITE))
		return -EINVAL;
	if (vma->vm_flags & VM_EXEC)
		return -EINVAL;
	if (!uvm_vma_is_home(vma))
		return -EINVAL;
	return 0;
}

/**
 * uvm_vma_mmap - make a managed range
 * @file: /dev/uvm
 * @vma: the new mapping
 *
 * Rules of nvidia-uvm 1.3: shared, readable, writable, offset = address, made
 * by the process that opened the file.  Whoever gets pages of it (a debugger, O_DIRECT)
 * gets those of system memory, where the fault has brought them, and what is held stays
 * there; writing pins for long are refused, by the kernel, to whoever has page_mkwrite.
 *
 * Return: 0, -EINVAL, -EOPNOTSUPP (another mm), -EEXIST, -ENOMEM (also: more than one user
 * may have, see rm_charge()), -EAGAIN (no thread for it), -EINTR.
 */
int uvm_vma_mmap(struct file *file, struct vm_area_struct *vma)
{
	struct uvm_va_space *va_space = file->private_data;
	struct uvm_va_range *range;
	int ret;

	ret = uvm_vma_check(va_space, vma);
	if (ret)
		return ret;
	ret = uvm_va_space_start_reaper(va_space);
	if (ret)
		return ret;
	range = uvm_managed_range_new(vma->vm_start, vma->vm_end - 1);
	if (!range)
		return -ENOMEM;

	mutex_lock(&va_space->ranges_lock);
	if (uvm_external_overlaps(&va_space->externals, vma->vm_start, vma->vm_end - 1))
		ret = -EEXIST;
	else
		ret = uvm_managed_range_insert(va_space, range);
	mutex_unlock(&va_space->ranges_lock);
	if (ret) {
		uvm_managed_range_free(range);
		return ret;
	}

	uvm_object_inc(UVM_OBJECT_VA_RANGE);
	vm_flags_set(vma, VM_MIXEDMAP | VM_DONTEXPAND | VM_DONTCOPY);
	vm_flags_clear(vma, VM_MAYEXEC);
	vma->vm_private_data = va_space;
	vma->vm_ops = &uvm_vma_ops;
	trace_uvm_va_range(sim_now(), va_space->id, UVM_TRACE_RANGE_CREATE, vma->vm_start,
			   vma->vm_end - 1);
	return 0;
}
