// SPDX-License-Identifier: GPL-2.0
/*
 * /dev/uvm: a VA space for each open of it.
 */
#include <linux/fs.h>
#include <linux/memcontrol.h>
#include <linux/mm.h>
#include <linux/module.h>
#include <linux/sched/mm.h>
#include <linux/slab.h>
#include "base/debugfs.h"
#include "block/block_thrashing.h"
#include "block/va_block.h"
#include "gpu/channel.h"
#include "gpu/tracker.h"
#include "ioctl.h"
#include "space/external.h"
#include "space/inode.h"
#include "space/managed_range.h"
#include "space/va_space.h"
#include "va_space_file.h"
#include "va_space_gpu.h"
#include "vma.h"

static atomic64_t uvm_va_space_ids;

static void uvm_va_space_reaper(void *data)
{
	struct uvm_va_space *va_space = data;

	sim_down_read(&va_space->lock);
	uvm_va_space_reap(va_space);
	uvm_va_space_unpin(va_space);
	uvm_va_space_remap(va_space);
	sim_up_read(&va_space->lock);
}

/**
 * uvm_va_space_open - open(2) of /dev/uvm
 * @inode: the device
 * @file: the new file
 *
 * Return: 0 or a negative errno.
 */
static int uvm_va_space_open(struct inode *inode, struct file *file)
{
	struct uvm_va_space *va_space;
	struct inode *own;
	int ret;

	va_space = kzalloc(sizeof(*va_space), GFP_KERNEL_ACCOUNT);
	if (!va_space)
		return -ENOMEM;
	va_space->id = atomic64_inc_return(&uvm_va_space_ids);
	sim_rwsem_init(&va_space->lock);
	sim_mutex_init(&va_space->reap_lock);
	sim_mutex_init(&va_space->external_lock);
	va_space->externals = RB_ROOT_CACHED;
	mutex_init(&va_space->ranges_lock);
	mutex_init(&va_space->pending_lock);
	uvm_va_range_tree_init(&va_space->ranges);
	uvm_range_states_init(&va_space->range_states, &va_space->params);
	spin_lock_init(&va_space->range_lock);
	INIT_LIST_HEAD(&va_space->detached);
	INIT_LIST_HEAD(&va_space->remap);
	uvm_topology_init(&va_space->topology);
	uvm_range_groups_init(&va_space->groups);
	uvm_params_init(&va_space->params);
	uvm_stats_init(&va_space->stats);
	uvm_event_queues_init(&va_space->events);
	va_space->stats.counters = &va_space->counters;
	va_space->stats.listeners = &va_space->events;
	uvm_tracker_init(&va_space->pending);
	mutex_init(&va_space->reaper_lock);
	ret = rm_user_get(&va_space->user);
	if (ret)
		goto free_va_space;
	ret = uvm_va_space_keep_range_states(va_space) ?: uvm_va_space_thrashing_init(va_space);
	if (ret)
		goto put_user;
	own = uvm_inode_new();
	if (IS_ERR(own)) {
		ret = PTR_ERR(own);
		goto exit_thrashing;
	}
	va_space->mm = current->mm;
	mmgrab(va_space->mm);
	va_space->memcg = get_mem_cgroup_from_mm(current->mm);
	va_space->mapping = own->i_mapping;
	file->f_mapping = va_space->mapping;
	file->private_data = va_space;
	uvm_object_inc(UVM_OBJECT_VA_SPACE);
	return 0;

exit_thrashing:
	uvm_va_space_thrashing_exit(va_space);
put_user:
	rm_user_put(va_space->user);
free_va_space:
	kfree(va_space);
	return ret;
}

/**
 * uvm_va_space_start_reaper - there will be managed memory to reap
 * @va_space: the VA space
 *
 * The first mapping starts the thread; an open file alone has none.
 *
 * Return: 0, -EAGAIN (more threads than the user may have), -ENOMEM, -EINTR (killed).
 */
int uvm_va_space_start_reaper(struct uvm_va_space *va_space)
{
	char name[TASK_COMM_LEN];
	int ret = 0;

	if (mutex_lock_killable(&va_space->reaper_lock))
		return -EINTR;
	if (!va_space->has_reaper) {
		snprintf(name, sizeof(name), "uvm-reap%llu", va_space->id);
		ret = rm_charge_thread(&va_space->reaper_charge);
		if (!ret)
			ret = sim_kthread_start(&va_space->reaper, uvm_va_space_reaper, va_space,
						name);
		if (ret) {
			rm_uncharge(&va_space->reaper_charge);
		} else {
			va_space->has_reaper = true;
			uvm_object_inc(UVM_OBJECT_THREAD);
		}
	}
	mutex_unlock(&va_space->reaper_lock);
	return ret;
}

static void uvm_va_space_stop_reaper(struct uvm_va_space *va_space)
{
	if (va_space->has_reaper) {
		sim_kthread_stop(&va_space->reaper);
		uvm_object_dec(UVM_OBJECT_THREAD);
	}
	rm_uncharge(&va_space->reaper_charge);
	mutex_destroy(&va_space->reaper_lock);
}

/*
 * All mappings are gone (each held the file), so every block is detached or
 * dead.  Order as nvidia-uvm 1.10: GPUs first, then what their work used.
 */
static void uvm_va_space_teardown(struct uvm_va_space *va_space)
{
	unsigned int i;

	for (i = 0; i < uvm_gpu_count(); i++)
		uvm_va_space_unregister_gpu(va_space, i);
	sim_down_read(&va_space->lock);
	uvm_va_space_reap(va_space);
	sim_up_read(&va_space->lock);
	if (va_space->has_reaper)
		sim_kthread_flush(&va_space->reaper);
	uvm_va_space_wait_pending(va_space);
	/* copies that are done may not have been reported, and are reported to us */
	for (i = 0; i < uvm_gpu_count(); i++)
		uvm_channels_update_progress(uvm_gpu(i));
}

/**
 * uvm_va_space_release - last close of /dev/uvm
 * @inode: the device
 * @file: the file
 *
 * Return: 0.
 */
static int uvm_va_space_release(struct inode *inode, struct file *file)
{
	struct uvm_va_space *va_space = file->private_data;
	struct sim_task self;

	/* first: a listener that does not read must not stop the clock for us */
	uvm_event_queues_detach_all(&va_space->events);
	sim_enter(&self);
	uvm_va_space_teardown(va_space);
	sim_leave(&self);

	uvm_va_space_thrashing_exit(va_space);
	uvm_va_space_stop_reaper(va_space);
	uvm_external_forget(va_space);
	WARN_ON_ONCE(va_space->ranges.count || !list_empty(&va_space->detached) ||
		     !list_empty(&va_space->remap));
	uvm_range_groups_fini(&va_space->groups);
	uvm_tracker_deinit(&va_space->pending);
	mem_cgroup_put(va_space->memcg);
	rm_user_put(va_space->user);
	mmdrop(va_space->mm);
	iput(va_space->mapping->host);
	sim_mutex_destroy(&va_space->reap_lock);
	sim_mutex_destroy(&va_space->external_lock);
	mutex_destroy(&va_space->ranges_lock);
	mutex_destroy(&va_space->pending_lock);
	uvm_params_free(&va_space->params);
	kfree(va_space);
	uvm_object_dec(UVM_OBJECT_VA_SPACE);
	return 0;
}

const struct file_operations uvm_fops = {
	.owner = THIS_MODULE,
	.open = uvm_va_space_open,
	.release = uvm_va_space_release,
	.mmap = uvm_vma_mmap,
	.unlocked_ioctl = uvm_ioctl,
};

/**
 * uvm_va_space_from_file - the VA space behind a file
 * @file: any file
 *
 * Return: the VA space, or NULL if @file is not an open /dev/uvm; valid as
 * long as the caller holds the file.
 */
struct uvm_va_space *uvm_va_space_from_file(struct file *file)
{
	return file->f_op == &uvm_fops ? file->private_data : NULL;
}
