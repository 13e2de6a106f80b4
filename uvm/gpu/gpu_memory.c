// SPDX-License-Identifier: GPL-2.0
/*
 * Kernel buffers that a GPU can reach.
 */
#include <linux/mm.h>
#include <linux/vmalloc.h>
#include <kunit/visibility.h>
#include "gpu/gpu_memory.h"

int uvm_gpu_memory_alloc(struct rm_gpu *rm, size_t bytes, struct uvm_gpu_memory *memory)
{
	size_t offset;
	int ret;

	bytes = PAGE_ALIGN(bytes);
	memory->bytes = 0;
	memory->va = 0;
	memory->rm = rm;
	memory->cpu = __vmalloc(bytes, GFP_KERNEL | __GFP_ZERO | __GFP_NOWARN);
	if (!memory->cpu)
		return -ENOMEM;
	ret = rm_iova_alloc(rm, bytes, &memory->iova);
	if (ret) {
		vfree(memory->cpu);
		memory->cpu = NULL;
		return ret;
	}
	for (offset = 0; offset < bytes; offset += PAGE_SIZE)
		rm_dma_map(rm, memory->iova + offset, vmalloc_to_page(memory->cpu + offset));
	memory->bytes = bytes;
	return 0;
}
EXPORT_SYMBOL_IF_KUNIT(uvm_gpu_memory_alloc);

int uvm_gpu_memory_alloc_channel(struct rm_gpu *rm, size_t bytes, struct uvm_gpu_memory *memory)
{
	int ret = uvm_gpu_memory_alloc(rm, bytes, memory);

	if (ret)
		return ret;
	ret = rm_va_map(rm, memory->iova, memory->bytes, &memory->va);
	if (ret) {
		memory->va = 0;
		uvm_gpu_memory_free(memory);
	}
	return ret;
}
EXPORT_SYMBOL_IF_KUNIT(uvm_gpu_memory_alloc_channel);

void uvm_gpu_memory_free(struct uvm_gpu_memory *memory)
{
	if (!memory->bytes)
		return;
	if (memory->va)
		rm_va_unmap(memory->rm, memory->va);
	rm_iova_free(memory->rm, memory->iova, memory->bytes);
	vfree(memory->cpu);
	memory->cpu = NULL;
	memory->bytes = 0;
}
EXPORT_SYMBOL_IF_KUNIT(uvm_gpu_memory_free);
