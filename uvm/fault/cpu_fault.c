// SPDX-License-Identifier: GPL-2.0
/*
 * CPU page faults, in two passes, since nothing waits in simulated time under mmap_lock; or
 * in one where the kernel cannot come back for a second.
 */
#include <linux/file.h>
#include <linux/mm.h>
#include <linux/sched/mm.h>
#include "block/block_thrashing.h"
#include "fault/cpu_fault.h"
#include "gpu/gpu.h"
#include "base/trace.h"
#include "block/service.h"
#include "block/va_block.h"
#include "space/va_space.h"
#include "base/work.h"

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

/* The entry of one page, just made; the lock of its page table is held. */
static int uvm_cpu_fault_make_writable(pte_t *pte, unsigned long addr, void *data)
{
	struct vm_area_struct *vma = data;

	set_pte_at(vma->vm_mm, addr, pte, pte_mkwrite_novma(pte_mkdirty(ptep_get(pte))));
	return 0;
}

/*
 * vm_insert_page() makes entries as the mapping's protection says, which is without writing:
 * see uvm_cpu_fault_mkwrite().  What the CPU may write gets that afterwards.  map_lock keeps
 * everybody else from the entry; that it goes away meanwhile (MADV_DONTNEED) does no harm,
 * and neither does a failure: there will be a fault.  It is dirty from the start, since nobody
 * asks: User Mode Linux maps what is clean without writing, and the first write would be a
 * second fault.  (What is dirty but not writable, after mprotect(), would be a shadow stack to
 * an x86 CPU.)
 */
static vm_fault_t uvm_cpu_fault_insert(struct vm_area_struct *vma, struct uvm_va_block *block,
				       unsigned int page)
{
	u64 addr = uvm_va_block_address(block, page);
	int ret;

	ret = vm_insert_page(vma, addr, block->pages[page]);
	if (!ret && (vma->vm_flags & VM_WRITE) && uvm_page_mask_test(&block->cpu_writable, page))
		apply_to_existing_page_range(vma->vm_mm, addr, PAGE_SIZE,
					     uvm_cpu_fault_make_writable, vma);
	/* -EBUSY: another thread was quicker */
	if (!ret || ret == -EBUSY)
		return VM_FAULT_NOPAGE;
	return ret == -ENOMEM ? VM_FAULT_OOM : VM_FAULT_SIGBUS;
}

/*
 * Map the faulting page, and with it every page granted along, if the block
 * allows it now.  map_lock keeps the pages from leaving meanwhile.
 */
static vm_fault_t uvm_cpu_fault_map_block(struct vm_fault *vmf, struct uvm_va_block *block)
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
	uvm_cpu_grant_mapped(&block->cpu_grant, page);
	for_each_page_in_mask(p, &block->cpu_grant.pages, block->region) {
		u64 addr = uvm_va_block_address(block, p);

		if (addr < vma->vm_start || addr >= vma->vm_end)
			continue;
		/* a failure only leaves the page to a fault of its own */
		if (uvm_cpu_fault_insert(vma, block, p) == VM_FAULT_NOPAGE)
			uvm_cpu_grant_mapped(&block->cpu_grant, p);
	}
unlock:
	mutex_unlock(&block->map_lock);
	return ret;
}

/* The second pass; 0: the page is not the CPU's (any more). */
static vm_fault_t uvm_cpu_fault_map(struct uvm_va_space *va_space, struct vm_fault *vmf)
{
	struct uvm_va_block *block = uvm_cpu_fault_peek_block(va_space, vmf->address);
	vm_fault_t ret;

	if (!block)
		return 0;
	ret = uvm_cpu_fault_map_block(vmf, block);
	uvm_va_block_put(block);
	return ret;
}

/**
 * struct uvm_cpu_fault_try - a fault, for attempts at serving it
 * @addr: its address
 * @write: it writes
 * @unthrottled: it does not wait though its page thrashes
 * @until: out, if the attempt ends with -EBUSY: not before this driver time
 */
struct uvm_cpu_fault_try {
	u64 addr;
	bool write;
	bool unthrottled;
	u64 until;
};

/*
 * May the CPU have the page now?  If processors fight for it, it may have to wait, or
 * the page is to be kept where it is put down.  Asked anew by each attempt.
 */
static int uvm_cpu_fault_attempt(struct uvm_service *service, const void *arg)
{
	/* @arg points to a pointer: the try itself is written to */
	struct uvm_cpu_fault_try *try = *(struct uvm_cpu_fault_try *const *)arg;
	struct uvm_va_block *block = service->request.block;
	unsigned int page = uvm_va_block_page(block, try->addr);
	struct uvm_thrashing_hint_result result;
	enum uvm_access access;

	/* a CPU write counts as an atomic: the CPU has them on its memory */
	access = try->write ? UVM_ACCESS_ATOMIC : UVM_ACCESS_READ;
	uvm_service_want_nothing(service);
	uvm_service_want(service, page, access, false);
	if (try->unthrottled)
		return uvm_service_attempt(service, NULL);
	result = uvm_block_thrashing_hint(block, &service->request.span, UVM_ID_CPU, try->addr,
					  access);
	if (result.hint == UVM_THRASHING_HINT_PIN)
		uvm_service_pin(service, page, result.where);
	try->until = result.until;
	return result.hint == UVM_THRASHING_HINT_THROTTLE ? -EBUSY :
							    uvm_service_attempt(service, NULL);
}

/* -EBUSY: not before @try->until. */
static int uvm_cpu_fault_service(struct uvm_va_space *va_space, struct uvm_cpu_fault_try *try,
				 struct uvm_work *work, struct uvm_service *service)
{
	struct uvm_service_request request = {
		.work = work,
		.va_space = va_space,
		.requester = UVM_ID_CPU,
		.cause = UVM_CAUSE_CPU_FAULT,
	};
	int ret;

	sim_down_read(&va_space->lock);
	uvm_va_space_reap(va_space);
	ret = uvm_va_space_find_block(va_space, try->addr, &request.span, &request.block);
	if (ret)
		goto unlock;
	uvm_service_begin(service, &request);
	ret = uvm_service_try(service, uvm_cpu_fault_attempt, &try);
	uvm_va_block_put(request.block);
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

/*
 * The CPU is throttled by sleeping, with no lock held (nvidia-uvm 3.8), to just
 * after the end of the period, for the end itself still belongs to it; the
 * original sleeps up to half a period longer.
 */
static int uvm_cpu_fault_nap(struct uvm_va_space *va_space, const struct uvm_cpu_fault_try *try,
			     struct uvm_work *work)
{
	u64 now = sim_now();
	int ret;

	uvm_work_enter(work, UVM_PHASE_CPU_FAULT, 0);
	uvm_thrashing_cpu_naps(va_space, try->addr);
	uvm_work_wait_begin(work);
	ret = sim_sleep_killable(max(try->until, now) - now + NSEC_PER_USEC);
	uvm_work_wait_end(work);
	uvm_thrashing_cpu_wakes(va_space, try->addr);
	return ret;
}

/* Simulated time is taken part in: returns 0 when the page has been granted; -EBUSY: killed. */
static int uvm_cpu_fault_serve_inside(struct uvm_va_space *va_space, struct uvm_cpu_fault_try *try,
				      struct uvm_service *service)
{
	enum uvm_access access = try->write ? UVM_ACCESS_WRITE : UVM_ACCESS_READ;
	u64 began = sim_now();
	struct uvm_work work;
	int ret;

	uvm_cpu_fault_report(va_space, try->addr, try->write);
	uvm_work_begin(&work, NULL, &va_space->stats, UVM_PHASE_CPU_FAULT);
	uvm_work_enter(&work, UVM_PHASE_CPU_FAULT, uvm_cost(uvm_gpu(0), cpu_fault));
	do {
		ret = uvm_cpu_fault_service(va_space, try, &work, service);
	} while (ret == -EBUSY && !uvm_cpu_fault_nap(va_space, try, &work));
	uvm_work_stat(&work, UVM_STAT_FAULTS_CPU, 1);
	uvm_counters_fault(&va_space->counters, UVM_ID_CPU, access, false);
	uvm_work_end(&work);
	trace_uvm_cpu_fault(began, va_space->id, try->addr, access, false, sim_now() - began);
	return ret;
}

/*
 * The first pass.  @locked: the mm whose mmap_lock is held, NULL if none is.
 * Returns 0 when the page has been granted; -EBUSY: killed.
 */
static int uvm_cpu_fault_serve(struct uvm_va_space *va_space, u64 addr, bool write,
			       struct mm_struct *locked)
{
	struct uvm_service *service = uvm_service_alloc();
	struct uvm_cpu_fault_try try = { .addr = addr, .write = write };
	struct sim_task self;
	int ret;

	if (!service)
		return -ENOMEM;
	try.unthrottled = locked && fatal_signal_pending(current);
	if (locked)
		sim_enter_locked(&self, locked);
	else
		sim_enter(&self);
	ret = uvm_cpu_fault_serve_inside(va_space, &try, service);
	sim_leave(&self);
	uvm_service_free(service);
	return ret;
}

/* More than a page and its block take, and as much as the OOM killer can be asked for. */
#define UVM_CPU_FAULT_ORDER	PAGE_ALLOC_COSTLY_ORDER

/*
 * No memory for a fault.  Inside, the OOM killer is not asked (UVM_GFP_ACCOUNT); here
 * no lock is held and nobody waits for us, so that it may do for this memory what it
 * does for any other: make somebody give some back, perhaps ourselves.  (VM_FAULT_OOM
 * would not: the page-fault entry only comes back with the same fault.)
 */
static bool uvm_cpu_fault_make_memory(struct uvm_va_space *va_space)
{
	struct mem_cgroup *old = set_active_memcg(va_space->memcg);
	struct page *page = alloc_pages(GFP_KERNEL_ACCOUNT, UVM_CPU_FAULT_ORDER);

	set_active_memcg(old);
	if (page)
		__free_pages(page, UVM_CPU_FAULT_ORDER);
	return page;
}

/* Both passes while mmap_lock is held: nobody comes back for the second (futex, ptrace). */
static vm_fault_t uvm_cpu_fault_at_once(struct uvm_va_space *va_space, struct vm_fault *vmf)
{
	u64 addr = vmf->address & PAGE_MASK;
	vm_fault_t ret;
	int err;

	do {
		err = uvm_cpu_fault_serve(va_space, addr, vmf->flags & FAULT_FLAG_WRITE,
					  vmf->vma->vm_mm);
		/* -EBUSY: killed while it was throttled, which it is no more */
		if (err && err != -EBUSY)
			return err == -ENOMEM ? VM_FAULT_OOM : VM_FAULT_SIGBUS;
		/* what was granted may be lost to a GPU again, but each time for longer */
		ret = uvm_cpu_fault_map(va_space, vmf);
	} while (!ret);
	return ret;
}

static vm_fault_t uvm_cpu_fault_first_pass(struct uvm_va_space *va_space, struct vm_fault *vmf)
{
	u64 addr = vmf->address & PAGE_MASK;
	bool write = vmf->flags & FAULT_FLAG_WRITE;
	struct mm_struct *mm;
	struct file *file;
	int ret;

	/* the mapping may go as soon as the lock is dropped; the file keeps us */
	mm = vmf->vma->vm_mm;
	file = get_file(vmf->vma->vm_file);
	release_fault_lock(vmf);
	ret = uvm_cpu_fault_serve(va_space, addr, write, NULL);
	if (ret == -ENOMEM && uvm_cpu_fault_make_memory(va_space))
		ret = 0;
	fput(file);
	/* -EFAULT: unmapped meanwhile, the retry finds out; -EBUSY: killed while it waited */
	if (!ret || ret == -EFAULT || ret == -EBUSY)
		return VM_FAULT_RETRY;
	/* an error is returned with the lock held, whatever became of the mapping */
	mmap_read_lock(mm);
	return ret == -ENOMEM ? VM_FAULT_OOM : VM_FAULT_SIGBUS;
}

vm_fault_t uvm_cpu_fault(struct uvm_va_space *va_space, struct vm_fault *vmf)
{
	vm_fault_t ret = uvm_cpu_fault_map(va_space, vmf);

	if (ret)
		return ret;
	if (!(vmf->flags & FAULT_FLAG_ALLOW_RETRY))
		return uvm_cpu_fault_at_once(va_space, vmf);
	if (vmf->flags & FAULT_FLAG_RETRY_NOWAIT)
		return VM_FAULT_RETRY;
	return uvm_cpu_fault_first_pass(va_space, vmf);
}

/**
 * uvm_cpu_fault_mkwrite - a write to a page that is mapped for reading
 * @va_space: the VA space
 * @vmf: the fault; the kernel does not say here whether it could be retried
 *
 * The entry goes, and a new one is made, under map_lock, of what a fault that writes has
 * been granted.
 *
 * Return: VM_FAULT_*; %VM_FAULT_NOPAGE: the page can be written now.
 */
vm_fault_t uvm_cpu_fault_mkwrite(struct uvm_va_space *va_space, struct vm_fault *vmf)
{
	vm_fault_t ret;

	unmap_mapping_range(vmf->vma->vm_file->f_mapping, vmf->address & PAGE_MASK, PAGE_SIZE, 1);
	ret = uvm_cpu_fault_map(va_space, vmf);
	return ret ? ret : uvm_cpu_fault_at_once(va_space, vmf);
}
