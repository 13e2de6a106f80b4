// SPDX-License-Identifier: GPL-2.0
/* Explicit memory by handle: and in user space; see user_memory.h. */
#include <linux/mm.h>
#include <linux/nospec.h>
#include "context_types.h"
#include "memory/memory.h"
#include "user_memory.h"

static void memory_vma_open(struct vm_area_struct *vma)
{
	struct rm_memory *memory = vma->vm_private_data;

	kref_get(&memory->ref);
}

static void memory_vma_close(struct vm_area_struct *vma)
{
	rm_memory_put(vma->vm_private_data);
}

static vm_fault_t memory_vma_fault(struct vm_fault *vmf)
{
	struct rm_memory *memory = vmf->vma->vm_private_data;
	unsigned long index = vmf->pgoff & (BIT(SGPU_MEMORY_OFFSET_SHIFT - PAGE_SHIFT) - 1);

	if (index >= memory->page_count)
		return VM_FAULT_SIGBUS;
	index = array_index_nospec(index, memory->page_count);
	get_page(memory->pages[index]);
	vmf->page = memory->pages[index];
	return 0;
}

static const struct vm_operations_struct memory_vm_ops = {
	.open = memory_vma_open,
	.close = memory_vma_close,
	.fault = memory_vma_fault,
};

struct rm_memory *sgpu_memory_find(struct rm_context *context, u32 handle)
{
	struct rm_memory *memory;

	xa_lock(&context->memory);
	memory = xa_load(&context->memory, handle);
	if (memory)
		kref_get(&memory->ref);
	xa_unlock(&context->memory);
	return memory;
}

int sgpu_memory_mmap(struct rm_context *context, struct vm_area_struct *vma)
{
	unsigned int shift = SGPU_MEMORY_OFFSET_SHIFT - PAGE_SHIFT;
	unsigned long first = vma->vm_pgoff & (BIT(shift) - 1);
	struct rm_memory *memory;

	if (vma->vm_pgoff >> shift > SGPU_MEMORY_HANDLES)
		return -EINVAL;
	memory = sgpu_memory_find(context, vma->vm_pgoff >> shift);
	if (!memory)
		return -ENOENT;
	/* shared, or a write would copy the page away from the GPU */
	if (memory->aperture != RM_APERTURE_SYS || !(vma->vm_flags & VM_SHARED) ||
	    (vma->vm_flags & VM_EXEC) || first > memory->page_count ||
	    vma_pages(vma) > memory->page_count - first) {
		rm_memory_put(memory);
		return -EINVAL;
	}
	vm_flags_set(vma, VM_DONTEXPAND | VM_DONTCOPY | VM_DONTDUMP);
	vm_flags_clear(vma, VM_MAYEXEC);
	vma->vm_private_data = memory;
	vma->vm_ops = &memory_vm_ops;
	return 0;
}

