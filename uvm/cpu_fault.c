// SPDX-License-Identifier: GPL-2.0
/*
 * CPU page faults, in two passes (charter 5, rule 4).
 */
#include <linux/file.h>
#include <linux/mm.h>
#include <linux/pfn_t.h>
#include "cpu_fault.h"
#include "gpu.h"
#include "trace.h"
#include "va_block.h"
#include "va_space.h"
#include "work.h"

/* The block of an address if it exists; mmap_lock held, so no @va_space->lock. */
static struct uvm_va_block *uvm_cpu_fault_peek_block(struct uvm_va_space *va_space, u64 addr)
{
	struct uvm_va_block *block = NULL;
	struct uvm_va_range *range;

	mutex_lock(&va_space->ranges_lock);
	range = uvm_va_range_find(&va_space->ranges, addr);
	if (range)
		block = range->blocks[uvm_va_range_block_index(range, addr)];
	if (block)
		uvm_va_block_get(block);
	mutex_unlock(&va_space->ranges_lock);
	return block;
}

/*
 * The mapping's own protection is without writing, see uvm_cpu_fault_mkwrite(),
 * and entries are made as that says: so they are made for a copy of it.
 */
static vm_fault_t uvm_cpu_fault_insert(const struct vm_area_struct *vma,
				       struct uvm_va_block *block, unsigned int page)
{
	struct vm_area_struct copy = *vma;

	if (uvm_page_mask_test(&block->cpu_writable, page))
		copy.vm_page_prot = vm_get_page_prot(vma->vm_flags);
	return vmf_insert_mixed(&copy, uvm_va_block_address(block, page),
				page_to_pfn_t(block->pages[page]));
}

/*
 * Map the faulting page, and with it every page granted along, if the block
 * allows it now.  map_lock keeps the pages from leaving meanwhile.
 */
static vm_fault_t uvm_cpu_fault_map(struct vm_fault *vmf, struct uvm_va_block *block)
{
	struct vm_area_struct *vma = vmf->vma;
	unsigned int page = uvm_va_block_page(block, vmf->address);
	vm_fault_t ret = 0;
	unsigned int p;

	mutex_lock(&block->map_lock);
	if (!uvm_page_mask_test((vmf->flags & FAULT_FLAG_WRITE) ? &block->cpu_writable :
				&block->cpu_mappable, page))
		goto unlock;
	ret = uvm_cpu_fault_insert(vma, block, page);
	if (ret != VM_FAULT_NOPAGE)
		goto unlock;
	uvm_page_mask_clear(&block->cpu_granted, page);
	for_each_page_in_mask(p, &block->cpu_granted, block->region) {
		u64 addr = uvm_va_block_address(block, p);

		if (addr < vma->vm_start || addr >= vma->vm_end)
			continue;
		/* a failure only leaves the page to a fault of its own */
		if (uvm_cpu_fault_insert(vma, block, p) == VM_FAULT_NOPAGE)
			uvm_page_mask_clear(&block->cpu_granted, p);
	}
unlock:
	mutex_unlock(&block->map_lock);
	return ret;
}

static int uvm_cpu_fault_service(struct uvm_va_space *va_space, u64 addr, bool write,
				 struct uvm_service *service)
{
	struct uvm_va_block *block;
	unsigned int page;
	int ret;

	sim_down_read(&va_space->lock);
	uvm_va_space_reap(va_space);
	ret = uvm_va_space_find_block(va_space, addr, &service->span, &block);
	if (ret)
		goto unlock;

	page = uvm_va_block_page(block, addr);
	service->va_space = va_space;
	service->block = block;
	service->requester = UVM_ID_CPU;
	service->cause = UVM_CAUSE_CPU_FAULT;
	uvm_page_mask_zero(&service->wanted);
	uvm_page_mask_set(&service->wanted, page);
	/* a CPU write counts as an atomic: the CPU has them on its memory */
	service->access[page] = write ? UVM_ACCESS_ATOMIC : UVM_ACCESS_READ;
	ret = uvm_service_block(service);
	uvm_va_block_put(block);
unlock:
	sim_up_read(&va_space->lock);
	return ret;
}

/* Before what it causes, so that listeners see cause and effect in order. */
static void uvm_cpu_fault_report(struct uvm_va_space *va_space, u64 addr, bool write)
{
	struct uvm_event ev = {
		.type = UVM_EVENT_CPU_FAULT,
		.gpu = UVM_PROCESSOR_CPU,
		.time_ns = sim_now(),
		.address = addr,
		.bytes = PAGE_SIZE,
		.src = UVM_PROCESSOR_CPU,
		.dst = UVM_PROCESSOR_CPU,
		.access = write ? UVM_ACCESS_WRITE : UVM_ACCESS_READ,
	};

	uvm_events_emit(&va_space->events, &ev);
}

/* First pass, no lock held: returns 0 when the page has been granted. */
static int uvm_cpu_fault_serve(struct uvm_va_space *va_space, u64 addr, bool write)
{
	struct uvm_service *service = uvm_service_alloc();
	struct uvm_gpu *gpu = uvm_gpu(0);
	struct uvm_work work;
	struct sim_task self;
	u64 began;
	int ret;

	if (!service)
		return -ENOMEM;
	sim_enter(&self);
	began = sim_now();
	uvm_cpu_fault_report(va_space, addr, write);
	uvm_work_begin(&work, NULL, &va_space->stats, UVM_PHASE_CPU_FAULT);
	uvm_work_enter(&work, UVM_PHASE_CPU_FAULT, uvm_cost(gpu, cpu_fault));
	service->work = &work;
	ret = uvm_cpu_fault_service(va_space, addr, write, service);
	uvm_work_stat(&work, UVM_STAT_FAULTS_CPU, 1);
	uvm_counters_fault(&va_space->counters, UVM_ID_CPU,
			   write ? UVM_ACCESS_WRITE : UVM_ACCESS_READ, false);
	uvm_work_end(&work);
	trace_uvm_cpu_fault(began, va_space->id, addr, write ? UVM_ACCESS_WRITE : UVM_ACCESS_READ,
			    false, sim_now() - began);
	sim_leave(&self);
	uvm_service_free(service);
	return ret;
}

static vm_fault_t uvm_cpu_fault_first_pass(struct uvm_va_space *va_space, struct vm_fault *vmf)
{
	u64 addr = vmf->address & PAGE_MASK;
	bool write = vmf->flags & FAULT_FLAG_WRITE;
	struct mm_struct *mm;
	struct file *file;
	int ret;

	/* who cannot wait without the lock cannot be served */
	if (!(vmf->flags & FAULT_FLAG_ALLOW_RETRY))
		return VM_FAULT_SIGBUS;
	if (vmf->flags & FAULT_FLAG_RETRY_NOWAIT)
		return VM_FAULT_RETRY;

	/* the mapping may go as soon as the lock is dropped; the file keeps us */
	mm = vmf->vma->vm_mm;
	file = get_file(vmf->vma->vm_file);
	release_fault_lock(vmf);
	ret = uvm_cpu_fault_serve(va_space, addr, write);
	fput(file);
	/* -EFAULT: unmapped meanwhile, the retry finds out */
	if (!ret || ret == -EFAULT)
		return VM_FAULT_RETRY;
	/* an error is returned with the lock held, whatever became of the mapping */
	mmap_read_lock(mm);
	return ret == -ENOMEM ? VM_FAULT_OOM : VM_FAULT_SIGBUS;
}

vm_fault_t uvm_cpu_fault(struct uvm_va_space *va_space, struct vm_fault *vmf)
{
	struct uvm_va_block *block = uvm_cpu_fault_peek_block(va_space, vmf->address);
	vm_fault_t ret = 0;

	if (block) {
		ret = uvm_cpu_fault_map(vmf, block);
		uvm_va_block_put(block);
	}
	return ret ? ret : uvm_cpu_fault_first_pass(va_space, vmf);
}

/**
 * uvm_cpu_fault_mkwrite - a write to a page that is mapped for reading
 * @vmf: the fault
 *
 * The entry goes, and the write comes back as a fault like any other: only
 * there is it decided, under map_lock, what a new entry allows.
 *
 * Return: %VM_FAULT_NOPAGE.
 */
vm_fault_t uvm_cpu_fault_mkwrite(struct vm_fault *vmf)
{
	unmap_mapping_range(vmf->vma->vm_file->f_mapping, vmf->address & PAGE_MASK, PAGE_SIZE, 1);
	return VM_FAULT_NOPAGE;
}
