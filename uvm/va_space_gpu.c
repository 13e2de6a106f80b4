// SPDX-License-Identifier: GPL-2.0
/*
 * GPUs of a VA space: register, unregister, quiesce.
 */
#include <linux/delay.h>
#include <linux/file.h>
#include <linux/sched/signal.h>
#include <linux/slab.h>
#include <softgpu/regs.h>
#include "base/ioctl_row.h"
#include "gpu/channel.h"
#include "mmu/page_tree.h"
#include "space/external.h"
#include "base/trace.h"
#include "block/va_block.h"
#include "fault/access_counter.h"
#include "fault/fault.h"
#include "fault/gpu_concurrency.h"
#include "fault/non_replayable.h"
#include "memory/pmm.h"
#include "memory/pmm_policy.h"
#include "memory/pmm_recorder.h"
#include "space/va_space.h"
#include "va_space_gpu.h"
#include "va_space_param.h"
#include "base/work.h"

/* One load serves many runs: none inherits the last one's choices. */
static int uvm_va_space_join_gpu(struct uvm_va_space *va_space, struct uvm_gpu_va_space *gvs)
{
	const struct uvm_params *params = &va_space->params;
	struct uvm_gpu *gpu = gvs->gpu;
	int ret;

	sim_assert_held_write(&gpu->users_lock);
	if (uvm_gpu_is_unused(gpu)) {
		ret = uvm_pmm_reset_policy(gpu, params);
		if (ret)
			return ret;
		uvm_gpu_set_concurrency(gpu, params);
		/* busy: others have its memory, their choice holds */
		uvm_pmm_set_shape(gpu, uvm_params_shape(params));
		uvm_channels_restart(gpu);
		uvm_fault_governor_reset(gpu);
	}
	uvm_gpu_add_va_space(gpu, gvs);
	return 0;
}

/*
 * Channels that died under VA spaces which are gone: the cause went with them.  Before the
 * VA space's lock is taken, for the bottom half that is waited for takes it.
 */
static int uvm_gpu_revive(struct uvm_gpu *gpu)
{
	int ret;

	sim_assert_held_write(&gpu->users_lock);
	if (!uvm_gpu_is_unused(gpu) || !uvm_gpu_channel_error(gpu))
		return 0;
	uvm_isr_flush(gpu);
	ret = uvm_channels_revive(gpu);
	if (!ret)
		uvm_isr_revive(gpu);
	return ret;
}

/* A user has left: if it was the last nothing of it stays in force. */
static void uvm_gpu_clear_up(struct uvm_gpu *gpu)
{
	sim_assert_held_write(&gpu->users_lock);
	if (!uvm_gpu_is_unused(gpu))
		return;
	uvm_gpu_set_concurrency(gpu, NULL);
	uvm_gpu_set_extensions(gpu, REG_CAP_FREE_EVICTION | REG_CAP_RECORDER, 0);
	uvm_pmm_clear_up(gpu);
}

static int uvm_va_space_add_context(struct uvm_va_space *va_space, struct rm_context *context,
				    struct uvm_gpu *gpu)
{
	struct uvm_gpu_va_space *gvs;
	struct uvm_gpu_address pdb;
	int ret;

	gvs = kzalloc(sizeof(*gvs), GFP_KERNEL_ACCOUNT);
	if (!gvs)
		return -ENOMEM;
	gvs->va_space = va_space;
	gvs->gpu = gpu;
	gvs->context = context;
	gvs->instance = rm_context_instance(context);
	INIT_LIST_HEAD(&gvs->dead_maps);
	INIT_LIST_HEAD(&gvs->dead_blocks);
	ret = uvm_page_tree_init(gpu, &gvs->page_tree);
	if (ret)
		goto free_gvs;
	gvs->page_tree.memcg = va_space->memcg;
	ret = uvm_va_space_join_gpu(va_space, gvs);
	if (ret)
		goto free_tree;
	va_space->gpus[gpu->index] = gvs;
	uvm_access_counters_apply(gpu, gvs);
	pdb = uvm_page_tree_pdb(&gvs->page_tree);
	rm_context_set_page_directory(context, pdb.aperture, pdb.address);
	return 0;

free_tree:
	uvm_page_tree_deinit(&gvs->page_tree);
free_gvs:
	kfree(gvs);
	return ret;
}

/* A launch sees no page of what was unmapped before it: neither PTEs nor TLBs. */
static void uvm_va_space_prepare_launch(void *data)
{
	struct uvm_va_space *va_space = data;

	sim_down_read(&va_space->lock);
	uvm_va_space_reap(va_space);
	sim_up_read(&va_space->lock);
}

/* An event of the device tells; policies of the GPU may want to know. */
static void uvm_va_space_launched(void *data, const struct rm_launch *launch, bool begins)
{
	struct uvm_gpu *gpu = data;
	struct uvm_eviction_launch told = {
		.id = launch->id,
		.va_space = uvm_gpu_note_launch(gpu, launch->instance, begins),
		.function = launch->function,
		.blocks = launch->blocks,
	};

	uvm_pmm_tell_launch(gpu, &told, begins);
}

/*
 * Tie a GPU context to the VA space.  0, -EBADF, -EBUSY (context or GPU already registered),
 * -ENOMEM, -EIO (the driver's channels are dead, and others who were there when they died use
 * the GPU still), -ETIME (the virtual clock is over).
 */
static int uvm_ioctl_register_gpu(struct file *uvm_file, void *data)
{
	struct uvm_va_space *va_space = uvm_file->private_data;
	struct uvm_register_gpu *arg = data;
	struct rm_context *context;
	struct uvm_gpu *gpu = NULL;
	struct file *file;
	unsigned int i;
	int ret;

	if (sim_is_over())
		return -ETIME;
	file = fget(arg->softgpu_fd);
	if (!file)
		return -EBADF;
	ret = rm_context_get(file, &context);
	fput(file);
	if (ret)
		return ret;
	for (i = 0; i < uvm_gpu_count(); i++)
		if (uvm_gpu(i)->rm == rm_context_gpu(context))
			gpu = uvm_gpu(i);
	if (!gpu) {
		rm_context_put(context);
		return -ENODEV;
	}

	/* before, without the lock that it takes: the context is ours alone by now */
	rm_context_set_prepare(context, uvm_va_space_prepare_launch, va_space);
	sim_down_write(&gpu->users_lock);
	ret = uvm_gpu_revive(gpu);
	sim_down_write(&va_space->lock);
	if (va_space->gpus[gpu->index])
		ret = -EBUSY;
	else if (!ret)
		ret = uvm_va_space_add_context(va_space, context, gpu);
	if (!ret)
		uvm_va_space_join_peers(va_space, gpu);
	sim_up_write(&va_space->lock);
	sim_up_write(&gpu->users_lock);
	if (ret) {
		rm_context_set_prepare(context, NULL, NULL);
		rm_context_put(context);
		return ret;
	}
	rm_context_set_launched(context, uvm_va_space_launched, gpu);
	arg->gpu = gpu->index;
	return 0;
}

UVM_IOCTL(UVM_IOC_REGISTER_GPU, uvm_register_gpu, uvm_ioctl_register_gpu,
	  .cost = DOOR_COST(ioctl), .out = true);

/* Every page comes home.  -ENOMEM: some are still there, nothing is lost. */
static int uvm_va_space_evacuate(struct uvm_va_space *va_space, struct uvm_gpu_va_space *gvs)
{
	struct uvm_va_block *block;
	struct uvm_work work;
	u64 addr = 0;
	int ret = 0;

	uvm_work_begin(&work, &gvs->gpu->stats, &va_space->stats, UVM_PHASE_MIGRATE);
	while (!ret && (block = uvm_va_space_next_block(va_space, &addr))) {
		ret = uvm_va_block_remove_gpu(block, gvs, &work);
		uvm_va_block_put(block);
	}
	uvm_work_end(&work);
	/* blocks that munmap took meanwhile still have tables there */
	uvm_va_space_reap(va_space);
	return ret;
}

/* Whoever gets it unregisters the GPU; NULL if it is not registered, or leaving. */
static struct uvm_gpu_va_space *uvm_va_space_claim_gpu(struct uvm_va_space *va_space,
						       unsigned int index)
{
	struct uvm_gpu_va_space *gvs;

	sim_down_write(&va_space->lock);
	gvs = va_space->gpus[index];
	if (gvs && gvs->leaving)
		gvs = NULL;
	if (gvs)
		gvs->leaving = true;
	sim_up_write(&va_space->lock);
	return gvs;
}

/* The GPU has nothing of the VA space any more, or -ENOMEM and it still has some. */
static int uvm_va_space_take_leave(struct uvm_va_space *va_space, struct uvm_gpu_va_space *gvs)
{
	struct uvm_gpu *gpu = gvs->gpu;
	int ret;

	sim_down_write(&va_space->lock);
	uvm_va_space_reap(va_space);
	uvm_external_remove_gpu(va_space, gvs);
	ret = uvm_va_space_evacuate(va_space, gvs);
	if (ret) {
		gvs->leaving = false;
	} else {
		uvm_gpu_remove_va_space(gpu, gvs);
		uvm_access_counters_apply(gpu, NULL);
		uvm_va_space_leave_peers(va_space, gpu);
		va_space->gpus[gpu->index] = NULL;
		uvm_advice_forget_gpu(va_space, gpu->id);
	}
	sim_up_write(&va_space->lock);
	return ret;
}

/* It leaves, and nothing of it is left behind.  Frees @gvs if that succeeds. */
static int uvm_va_space_part(struct uvm_va_space *va_space, struct uvm_gpu_va_space *gvs)
{
	struct uvm_gpu *gpu = gvs->gpu;
	int ret;

	sim_assert_held_write(&gpu->users_lock);
	ret = uvm_va_space_take_leave(va_space, gvs);
	if (ret)
		return ret;

	/* a batch may still hold the pointer it looked up */
	uvm_isr_flush(gpu);
	uvm_va_space_wait_pending(va_space);
	rm_context_unset_page_directory(gvs->context);
	uvm_page_tree_deinit(&gvs->page_tree);
	uvm_external_free_dead(gvs);
	uvm_va_block_free_dead(gvs);
	rm_context_put(gvs->context);
	kfree(gvs);
	uvm_gpu_clear_up(gpu);
	return 0;
}

/**
 * uvm_va_space_unregister_gpu - the GPU leaves the VA space
 * @va_space: the VA space
 * @gpu_index: the GPU, below %UVM_MAX_GPUS for the CPU's guesses as well
 *
 * Stop the context first, then bring its pages home and make its faults stale,
 * flush the bottom half, and only then take tables away (nvidia-uvm 1.9, 1.10).
 *
 * Return: 0, -ENODEV, or -ENOMEM: pages could not be brought home, the GPU stays
 * registered with its context stopped; to be tried again.
 */
int uvm_va_space_unregister_gpu(struct uvm_va_space *va_space, unsigned int gpu_index)
{
	struct uvm_gpu_va_space *gvs = uvm_va_space_claim_gpu(va_space, gpu_index);
	struct uvm_gpu *gpu;
	int ret;

	if (!gvs)
		return -ENODEV;
	gpu = gvs->gpu;
	/* without the lock: a launch that waits for it may be waited for */
	rm_context_set_prepare(gvs->context, NULL, NULL);
	rm_context_stop(gvs->context);
	rm_context_set_launched(gvs->context, NULL, NULL);
	sim_down_write(&gpu->users_lock);
	ret = uvm_va_space_part(va_space, gvs);
	sim_up_write(&gpu->users_lock);
	return ret;
}

static int uvm_ioctl_unregister_gpu(struct file *file, void *data)
{
	const struct uvm_unregister_gpu *arg = data;

	return uvm_va_space_unregister_gpu(file->private_data, arg->gpu);
}

UVM_IOCTL(UVM_IOC_UNREGISTER_GPU, uvm_unregister_gpu, uvm_ioctl_unregister_gpu,
	  .reserved = { DOOR_AT(uvm_unregister_gpu, __reserved) },
	  .gpu = { DOOR_AT(uvm_unregister_gpu, gpu) }, .cost = DOOR_COST(ioctl));

/* Looks at hardware queues that empty by themselves, before giving up. */
#define UVM_QUIESCE_POLLS	100000

/* Grows with whatever the two halves of the driver begin. */
static u64 uvm_gpu_services(struct uvm_gpu *gpu)
{
	return READ_ONCE(gpu->faults.interrupts) + READ_ONCE(gpu->faults.batch_id) +
	       READ_ONCE(gpu->counters.interrupts);
}

/*
 * The bottom half first: its replay may set everything else in motion.  And last: what it
 * has fetched while the device was looked at is not pending any more.  If it has begun
 * anything meanwhile all has to be looked at again.
 */
static bool uvm_gpu_is_quiet(struct uvm_gpu *gpu)
{
	u64 services = uvm_gpu_services(gpu);

	uvm_isr_flush(gpu);
	if (rm_gpu_busy(gpu->rm) || uvm_faults_pending(gpu) ||
	    rm_nonreplayable_pending(gpu->rm) || uvm_access_counters_pending(gpu))
		return false;
	uvm_isr_flush(gpu);
	return services == uvm_gpu_services(gpu);
}

/*
 * Launches are waited for; what is left after them (walks, records on their
 * way, a channel's last method) takes a bounded time and tells nobody.
 */
static int uvm_gpu_quiesce(struct uvm_gpu *gpu)
{
	unsigned int polls = 0;
	int ret = 0;

	while (!ret && !uvm_gpu_is_quiet(gpu)) {
		if (rm_gpu_computing(gpu->rm)) {
			ret = sim_wait_event_killable(rm_gpu_waitq(gpu->rm),
						      !rm_gpu_computing(gpu->rm));
			polls = 0;
		} else if (polls++ == UVM_QUIESCE_POLLS) {
			return -ETIMEDOUT;
		} else if (fatal_signal_pending(current)) {
			return -EINTR;
		}
		sim_charge(uvm_cost(gpu, poll));
		if (!sim_is_virtual())
			usleep_range(20, 50);
	}
	return ret;
}

/* Walks that have been recorded are told, though no fault follows. */
static void uvm_gpu_tell_hits(struct uvm_gpu *gpu, struct uvm_va_space *va_space)
{
	struct uvm_work work;

	if (!uvm_pmm_wants_walks(gpu))
		return;
	uvm_work_begin(&work, &gpu->stats, &va_space->stats, UVM_PHASE_EVICT);
	uvm_pmm_fetch_hits(gpu, &work);
	uvm_work_end(&work);
}

/* Wait until nothing moves.  0, -EINTR, -EIO, -ETIMEDOUT. */
static int uvm_ioctl_quiesce(struct file *file, void *data)
{
	struct uvm_va_space *va_space = file->private_data;
	struct uvm_gpu *gpus[UVM_MAX_GPUS];
	unsigned int i, n = 0;
	int ret = 0;

	sim_down_read(&va_space->lock);
	uvm_va_space_reap(va_space);
	for (i = 0; i < UVM_MAX_GPUS; i++)
		if (va_space->gpus[i])
			gpus[n++] = va_space->gpus[i]->gpu;
	sim_up_read(&va_space->lock);

	for (i = 0; i < n && !ret; i++)
		ret = uvm_gpu_quiesce(gpus[i]);
	if (!ret)
		ret = uvm_va_space_wait(va_space, 0);
	for (i = 0; i < n; i++)
		uvm_channels_update_progress(gpus[i]);
	for (i = 0; i < n && !ret; i++)
		uvm_gpu_tell_hits(gpus[i], va_space);
	return ret;
}

UVM_IOCTL(UVM_IOC_QUIESCE, uvm_quiesce, uvm_ioctl_quiesce, .cost = DOOR_COST(ioctl));
