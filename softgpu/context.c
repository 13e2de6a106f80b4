// SPDX-License-Identifier: GPL-2.0
/* Compute contexts and the resource manager's interface to them. */
#include <linux/capability.h>
#include <linux/cred.h>
#include <linux/err.h>
#include <linux/export.h>
#include <linux/pid.h>
#include <linux/sched.h>
#include <linux/slab.h>
#include <softgpu/mmu_format.h>
#include "base/gpu.h"
#include "base/history.h"
#include "base/print.h"
#include "context.h"
#include "isa/image.h"
#include "memory/pma.h"
#include "mmu/access_counter.h"
#include "mmu/recorder.h"
#include "mmu/mmu.h"
#include "mmu/mmu_cancel.h"
#include "mmu/mmu_hold.h"
#include "sm/cta.h"
#include "sm/launch.h"
#include "sm/launch_state.h"
#include "user_copy.h"

#define CONTEXT_INSTANCE_BYTES	4096

static int context_init(struct rm_context *context, struct rm_gpu *gpu)
{
	int ret;

	kref_init(&context->ref);
	context->gpu = gpu;
	context->next_launch = 1;
	spin_lock_init(&context->lock);
	xa_init_flags(&context->images, XA_FLAGS_ALLOC1);
	INIT_LIST_HEAD(&context->launches);
	sgpu_history_init(&context->ended);
	sgpu_cta_pool_init(&context->pool);
	sim_waitq_init(&context->waitq);
	sim_mutex_init(&context->limit_lock);
	sim_mutex_init(&context->prepare_lock);
	mutex_init(&context->stop_lock);
	sgpu_copies_init(&context->copies);
	xa_init_flags(&context->memory, XA_FLAGS_ALLOC1);
	ret = rm_user_get(&context->user);
	if (ret)
		return ret;
	context->limit.user = context->user;
	ret = sgpu_print_init(&context->print);
	if (ret)
		goto put_user;
	/* an instance block, as hardware has: its address names the context */
	ret = sgpu_reserve_alloc_instance(gpu, &context->as.instance);
	if (ret)
		goto destroy_print;
	return 0;

destroy_print:
	sgpu_print_destroy(&context->print);
put_user:
	rm_user_put(context->user);
	return ret;
}

/* contexts_lock held; @context is not in the list.  More than a share needs a capability. */
static int context_check_share(struct rm_gpu *gpu, const struct rm_context *context)
{
	unsigned int process = 0, user = 0;
	struct rm_context *other;

	list_for_each_entry(other, &gpu->contexts, node) {
		process += other->process == context->process;
		user += uid_eq(other->uid, context->uid);
	}
	if (process < SGPU_CONTEXTS_PROCESS && user < SGPU_CONTEXTS_USER)
		return 0;
	return ns_capable_noaudit(&init_user_ns, CAP_SYS_RESOURCE) ? 0 : -EMFILE;
}

static void context_free(struct rm_context *context)
{
	sgpu_cta_pool_exit(&context->pool);
	rm_reserve_free(context->gpu, CONTEXT_INSTANCE_BYTES, context->as.instance);
	xa_destroy(&context->images);
	xa_destroy(&context->memory);
	sgpu_copies_exit(&context->copies);
	sim_mutex_destroy(&context->limit_lock);
	sim_mutex_destroy(&context->prepare_lock);
	mutex_destroy(&context->stop_lock);
	sgpu_print_destroy(&context->print);
	rm_user_put(context->user);
	put_pid(context->process);
	kfree(context);
}

struct rm_context *sgpu_context_create(struct rm_gpu *gpu)
{
	struct rm_context *context = kzalloc(sizeof(*context), GFP_KERNEL_ACCOUNT);
	int ret;

	if (!context)
		return ERR_PTR(-ENOMEM);
	ret = context_init(context, gpu);
	if (ret) {
		kfree(context);
		return ERR_PTR(ret);
	}
	context->process = get_pid(task_tgid(current));
	context->uid = current_uid();
	spin_lock(&gpu->contexts_lock);
	ret = context_check_share(gpu, context);
	if (!ret)
		list_add_tail(&context->node, &gpu->contexts);
	spin_unlock(&gpu->contexts_lock);
	if (ret) {
		context_free(context);
		return ERR_PTR(ret);
	}
	return context;
}

static void context_release(struct kref *ref)
{
	struct rm_context *context = container_of(ref, struct rm_context, ref);
	struct sgpu_history_item *item;

	spin_lock(&context->gpu->contexts_lock);
	list_del(&context->node);
	spin_unlock(&context->gpu->contexts_lock);
	while ((item = sgpu_history_take(&context->ended)))
		sgpu_launch_free(container_of(item, struct sgpu_launch, ended));
	context_free(context);
}

static void context_drop_images(struct rm_context *context)
{
	struct sgpu_image *image;
	unsigned long id;

	xa_for_each(&context->images, id, image) {
		xa_erase(&context->images, id);
		sgpu_image_put(image);
	}
}

/* Whoever else has mapped it keeps it. */
static void context_drop_memory(struct rm_context *context)
{
	struct rm_memory *memory;
	unsigned long handle;

	xa_for_each(&context->memory, handle, memory) {
		xa_erase(&context->memory, handle);
		rm_memory_put(memory);
	}
}

void sgpu_context_close(struct rm_context *context)
{
	rm_context_stop(context);
	context_drop_images(context);
	context_drop_memory(context);
	sim_mutex_lock(&context->limit_lock);
	sgpu_pma_release_limit(context->gpu, &context->limit);
	sim_mutex_unlock(&context->limit_lock);
	kref_put(&context->ref, context_release);
}

/* ---- rm.h ------------------------------------------------------------ */

void rm_context_put(struct rm_context *context)
{
	xchg(&context->tied, 0);
	kref_put(&context->ref, context_release);
}
EXPORT_SYMBOL_NS_GPL(rm_context_put, SOFTGPU);

struct rm_gpu *rm_context_gpu(struct rm_context *context)
{
	return context->gpu;
}
EXPORT_SYMBOL_NS_GPL(rm_context_gpu, SOFTGPU);

u64 rm_context_instance(struct rm_context *context)
{
	return context->as.instance;
}
EXPORT_SYMBOL_NS_GPL(rm_context_instance, SOFTGPU);

void rm_context_set_page_directory(struct rm_context *context, enum rm_aperture aperture, u64 pa)
{
	context->as.pdb_aperture = aperture;
	context->as.pdb = pa;
	/* whoever sees it bound sees the directory */
	smp_store_release(&context->as.bound, true);
}
EXPORT_SYMBOL_NS_GPL(rm_context_set_page_directory, SOFTGPU);

void rm_context_unset_page_directory(struct rm_context *context)
{
	struct sgpu_invalidate inv = {
		.pdb_aperture = context->as.pdb_aperture,
		.pdb = context->as.pdb,
	};

	WRITE_ONCE(context->as.bound, false);
	/* the root's memory may be the root of another address space next */
	sgpu_mmu_invalidate(context->gpu, &inv);
	sgpu_access_counters_forget(context->gpu, context->as.instance);
	sgpu_mmu_release(context->gpu, NULL);
	sgpu_recorder_forget(context->gpu, context->as.instance);
}
EXPORT_SYMBOL_NS_GPL(rm_context_unset_page_directory, SOFTGPU);

void rm_context_set_prepare(struct rm_context *context, void (*prepare)(void *data), void *data)
{
	sim_mutex_lock(&context->prepare_lock);
	context->prepare = prepare;
	context->prepare_data = data;
	sim_mutex_unlock(&context->prepare_lock);
}
EXPORT_SYMBOL_NS_GPL(rm_context_set_prepare, SOFTGPU);

void rm_context_set_launched(struct rm_context *context,
			     void (*launched)(void *data, const struct rm_launch *launch,
					      bool begins), void *data)
{
	if (launched)
		context->launched_data = data;
	/* who sees it sees its argument */
	smp_store_release(&context->launched, launched);
}
EXPORT_SYMBOL_NS_GPL(rm_context_set_launched, SOFTGPU);

void rm_context_stop(struct rm_context *context)
{
	spin_lock(&context->lock);
	context->stopped = true;
	spin_unlock(&context->lock);
	sgpu_launches_cancel(context);
	sgpu_copies_stop(context);
}
EXPORT_SYMBOL_NS_GPL(rm_context_stop, SOFTGPU);

void rm_context_set_fault_error(struct rm_context *context, u64 va, int error)
{
	/* drivers give canonical addresses, the MMU has 49 bits of them */
	sgpu_mmu_set_cancel_error(context->gpu, &context->as,
				  va & GENMASK_ULL(MMU_VA_BITS - 1, 0), abs(error));
}
EXPORT_SYMBOL_NS_GPL(rm_context_set_fault_error, SOFTGPU);

/* ---- when nothing will be served any more ----------------------------- */

static void contexts_hang(struct rm_gpu *gpu)
{
	struct rm_context *context;

	spin_lock(&gpu->contexts_lock);
	list_for_each_entry(context, &gpu->contexts, node) {
		sgpu_launches_fail(context, SOFTGPU_FAIL_HANG);
		sgpu_copies_hang(context);
	}
	spin_unlock(&gpu->contexts_lock);
}

void rm_gpu_set_lost(struct rm_gpu *gpu, bool lost)
{
	WRITE_ONCE(gpu->lost, lost);
	/*
	 * A launch was submitted before, or is refused: the lock of its context decides.  A copy
	 * that comes in between may still fault; the driver answers that fault with an error.
	 */
	if (lost)
		contexts_hang(gpu);
}
EXPORT_SYMBOL_NS_GPL(rm_gpu_set_lost, SOFTGPU);

void sgpu_contexts_hang(void)
{
	unsigned int i;

	for (i = 0; i < rm_gpu_count(); i++)
		contexts_hang(rm_gpu(i));
}
