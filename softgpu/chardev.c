// SPDX-License-Identifier: GPL-2.0
/*
 * /dev/softgpuN.  What else of the user a call copies, and the memory that it needs, comes
 * before it becomes a participant of the clock.
 */
#include <linux/fs.h>
#include <linux/math64.h>
#include <linux/miscdevice.h>
#include <linux/module.h>
#include <linux/overflow.h>
#include <linux/poll.h>
#include <linux/sched/signal.h>
#include <linux/slab.h>
#include <linux/uaccess.h>
#include <uapi/linux/softgpu.h>
#include <linux/softgpu_kernel_abi.h>
#include <softgpu/door.h>
#include "base/gpu.h"
#include "base/print.h"
#include "base/timeline.h"
#include "chardev.h"
#include "clock/clock.h"
#include "context.h"
#include "isa/image.h"
#include "memory/link.h"
#include "memory/pma.h"
#include "mmu/mmu.h"
#include "sm/launch.h"
#include "memory/memory.h"
#include "base/profile.h"
#include "sm/launch_state.h"
#include "sm/sm_array.h"
#include "user_copy.h"
#include "user_memory.h"

/**
 * struct sgpu_chardev - a device node
 * @misc: what the kernel knows
 * @gpu: its GPU
 * @name: of the node
 */
struct sgpu_chardev {
	struct miscdevice misc;
	struct rm_gpu *gpu;
	char name[16];
};

/**
 * struct chardev_timeline - SOFTGPU_IOC_TIMELINE, between its function and what comes after
 * @arg: the user's
 * @file: not yet behind its descriptor
 */
struct chardev_timeline {
	struct softgpu_timeline arg;
	struct file *file;
};

static struct rm_gpu *chardev_gpu(struct file *file)
{
	struct rm_context *context = file->private_data;

	return context->gpu;
}

static int chardev_info(struct file *file, void *data)
{
	struct rm_gpu *gpu = chardev_gpu(file);
	struct softgpu_info *info = data;
	struct sgpu_sms_switches switches;
	struct sgpu_link_counters link;
	struct sgpu_mmu_counters mmu;

	sgpu_link_read_counters(gpu, &link);
	sgpu_mmu_read_counters(gpu, &mmu);
	sgpu_sms_read_switches(gpu, &switches);
	info->gpu = gpu->index;
	info->clock = !sim_is_virtual();
	info->vram_bytes = gpu->vram_bytes;
	info->usable_bytes = rm_pma_usable_bytes(gpu);
	info->now_ns = div64_u64(sgpu_now_ps(), PS_PER_NS);
	info->sm_count = sgpu_prof(gpu, sm_count);
	info->sm_clock_khz = sgpu_prof(gpu, sm_clock_khz);
	info->threads_per_sm = sgpu_prof(gpu, threads_per_sm);
	info->warps_per_sm = sgpu_prof(gpu, warps_per_sm);
	info->blocks_per_sm = sgpu_prof(gpu, blocks_per_sm);
	info->profile_entries = RM_PROFILE_COUNT;
	info->dma_faults = rm_dma_faults(gpu);
	info->tlb_hits = mmu.tlb_hits;
	info->tlb_misses = mmu.tlb_misses;
	info->walks = mmu.walks;
	info->faults_written = READ_ONCE(gpu->faults.written);
	info->faults_merged = mmu.merged;
	info->faults_dropped = READ_ONCE(gpu->faults.dropped);
	info->instructions = sgpu_sms_instructions(gpu);
	strscpy_pad(info->profile, gpu->profile_name);
	info->switched_out = switches.out;
	info->switched_in = switches.in;
	info->switch_ns = switches.ns;
	info->faults_replayed = mmu.retried;
	info->link_reads = link.requests[SGPU_LINK_IN];
	info->link_writes = link.requests[SGPU_LINK_OUT];
	info->link_read_bytes = link.bytes[SGPU_LINK_IN];
	info->link_write_bytes = link.bytes[SGPU_LINK_OUT];
	return 0;
}

static int chardev_profile(struct file *file, void *data)
{
	struct rm_gpu *gpu = chardev_gpu(file);
	struct softgpu_profile_entry *entry = data;
	const struct sgpu_profile_key *key;
	u32 index = entry->index;

	if (index >= RM_PROFILE_COUNT)
		return -ENOENT;
	index = array_index_nospec(index, RM_PROFILE_COUNT);
	key = sgpu_profile_key(index);
	entry->overridden = test_bit(index, gpu->profile_override);
	entry->value = gpu->profile[index];
	strscpy_pad(entry->name, key->name);
	strscpy_pad(entry->unit, key->unit);
	strscpy_pad(entry->what, key->what);
	strscpy_pad(entry->source, sgpu_profile_source(gpu, index));
	return 0;
}

static int chardev_load(struct file *file, void *data)
{
	struct rm_context *context = file->private_data;
	struct softgpu_load *load = data;
	struct sgpu_image *image;
	u64 where = 0;
	u8 *elf;
	int ret;

	if (!load->image_bytes || load->image_bytes > SGPU_IMAGE_MAX)
		return -EINVAL;
	elf = kvmalloc(load->image_bytes, GFP_KERNEL_ACCOUNT | __GFP_RETRY_MAYFAIL | __GFP_NOWARN);
	if (!elf)
		return -ENOMEM;
	if (copy_from_user(elf, u64_to_user_ptr(load->image), load->image_bytes)) {
		kvfree(elf);
		return -EFAULT;
	}
	ret = sgpu_image_load(elf, load->image_bytes, &image, &where);
	load->error_offset = where;
	if (ret) {
		kvfree(elf);
		return ret;
	}
	ret = xa_alloc(&context->images, &load->image_id, image, XA_LIMIT(1, SGPU_IMAGES_MAX),
		       GFP_KERNEL_ACCOUNT);
	if (ret)
		sgpu_image_put(image);
	return ret == -EBUSY ? -ENOSPC : ret;
}

static int chardev_unload(struct file *file, void *data)
{
	struct rm_context *context = file->private_data;
	struct softgpu_unload *arg = data;
	struct sgpu_image *image;

	image = xa_erase(&context->images, arg->image_id);
	if (!image)
		return -ENOENT;
	sgpu_image_put(image);
	return 0;
}

static struct sgpu_image *chardev_get_image(struct rm_context *context, u32 id)
{
	struct sgpu_image *image;

	xa_lock(&context->images);
	image = xa_load(&context->images, id);
	if (image)
		sgpu_image_get(image);
	xa_unlock(&context->images);
	return image;
}

static int chardev_check_launch(struct file *file, const void *data)
{
	const struct softgpu_launch *launch = data;
	unsigned int i;

	if (launch->args_bytes > SGPU_ARGS_MAX)
		return -EINVAL;
	if (strnlen(launch->entry, sizeof(launch->entry)) == sizeof(launch->entry))
		return -EINVAL;
	for (i = 0; i < 3; i++)
		if (!launch->grid[i] || launch->grid[i] > (i ? U16_MAX : S32_MAX) ||
		    !launch->block[i] || launch->block[i] > 1024)
			return -EINVAL;
	return 0;
}

static void chardev_put_params(struct sgpu_launch_params *params)
{
	kfree(params->args);
	sgpu_image_put(params->image);
}

/* What the user gave, copied; @params has the image and the arguments then, or nothing. */
static int chardev_get_params(struct rm_context *context, const struct softgpu_launch *launch,
			      struct sgpu_launch_params *params)
{
	int ret;

	params->image = chardev_get_image(context, launch->image_id);
	if (!params->image)
		return -ENOENT;
	params->args = kzalloc(launch->args_bytes, GFP_KERNEL_ACCOUNT);
	ret = params->args ? 0 : -ENOMEM;
	if (!ret && copy_from_user(params->args, u64_to_user_ptr(launch->args), launch->args_bytes))
		ret = -EFAULT;
	if (!ret)
		ret = sgpu_image_entry(params->image, launch->entry, &params->entry);
	if (ret)
		chardev_put_params(params);
	return ret;
}

static struct sgpu_launch *chardev_make_launch(struct rm_context *context,
					       const struct softgpu_launch *arg)
{
	struct sgpu_launch_params params = {
		.shared_bytes = arg->shared_bytes,
		.args_bytes = arg->args_bytes,
		.limit = arg->instruction_limit,
	};
	struct sgpu_launch *launch;
	int ret;

	memcpy(params.grid, arg->grid, sizeof(params.grid));
	memcpy(params.cta_dim, arg->block, sizeof(params.cta_dim));
	ret = chardev_get_params(context, arg, &params);
	if (ret)
		return ERR_PTR(ret);
	launch = sgpu_launch_create(context, &params);
	if (IS_ERR(launch))
		chardev_put_params(&params);
	return launch;
}

static int chardev_launch(struct file *file, void *data)
{
	struct softgpu_launch *arg = data;
	struct sgpu_launch *launch;
	struct sim_task self;
	int ret;

	launch = chardev_make_launch(file->private_data, arg);
	if (IS_ERR(launch))
		return PTR_ERR(launch);
	sim_enter(&self);
	ret = sim_is_over() ? -ETIME : sgpu_launch_submit(launch, &arg->launch_id);
	sim_leave(&self);
	if (ret)
		sgpu_launch_free(launch);
	return ret;
}

static int chardev_wait(struct file *file, void *data)
{
	struct rm_context *context = file->private_data;
	struct softgpu_wait *wait = data;
	u64 id = wait->launch_id;
	struct softgpu_wait result = { .size = wait->size, .flags = wait->flags,
				       .launch_id = id };
	int ret = 0;

	if (wait->flags & SOFTGPU_WAIT_POLL)
		sim_charge(sgpu_prof(context->gpu, cost_poll));
	else
		ret = sim_wait_event_killable(&context->waitq, sgpu_launch_ended(context, id));
	if (!ret)
		ret = sgpu_launch_result(context, id, &result);
	if (!ret)
		*wait = result;
	return ret;
}

static int chardev_check_limit(struct file *file, const void *data)
{
	const struct softgpu_vram_limit *limit = data;

	return limit->bytes > chardev_gpu(file)->vram_bytes ? -EINVAL : 0;
}

static int chardev_vram_limit(struct file *file, void *data)
{
	struct rm_context *context = file->private_data;
	struct softgpu_vram_limit *limit = data;
	struct rm_gpu *gpu = context->gpu;
	int ret;

	sim_mutex_lock(&context->limit_lock);
	ret = sgpu_pma_set_limit(gpu, &context->limit, limit->bytes,
				 limit->flags & SOFTGPU_VRAM_LIMIT_TOP);
	limit->usable_bytes = rm_pma_usable_bytes(gpu);
	sim_mutex_unlock(&context->limit_lock);
	return ret;
}

static int chardev_timeline(struct file *file, void *data)
{
	struct chardev_timeline *timeline = data;

	return sgpu_timeline_open(chardev_gpu(file), &timeline->arg, &timeline->file);
}

static void chardev_timeline_told(void *data, bool told)
{
	struct chardev_timeline *timeline = data;

	sgpu_timeline_told(timeline->arg.fd, timeline->file, told);
}

static int chardev_alloc_vid(struct rm_context *context, const struct softgpu_alloc *alloc,
			     struct rm_memory **memory)
{
	u32 flags = alloc->flags & SOFTGPU_ALLOC_CONTIGUOUS ? RM_PMA_CONTIGUOUS : 0;
	struct sim_task self;
	int ret;

	door_enter(&self, context->gpu, RM_PROFILE_cost_pma);
	ret = sgpu_memory_alloc_vid(context->gpu, context->user, alloc->bytes, flags, memory);
	sim_leave(&self);
	return ret;
}

static int chardev_alloc(struct file *file, void *data)
{
	struct rm_context *context = file->private_data;
	struct softgpu_alloc *alloc = data;
	struct rm_memory *memory;
	int ret;

	if (alloc->kind == SOFTGPU_MEMORY_DEVICE)
		ret = chardev_alloc_vid(context, alloc, &memory);
	else if (alloc->kind == SOFTGPU_MEMORY_PINNED && !alloc->flags)
		ret = sgpu_memory_alloc_sys(context->gpu, context->user, alloc->bytes, &memory);
	else
		ret = -EINVAL;
	if (ret)
		return ret;
	ret = xa_alloc(&context->memory, &alloc->handle, memory, XA_LIMIT(1, SGPU_MEMORY_HANDLES),
		       GFP_KERNEL_ACCOUNT);
	if (ret) {
		rm_memory_put(memory);
		return ret == -EBUSY ? -ENOSPC : ret;
	}
	alloc->mmap_offset = (u64)alloc->handle << SGPU_MEMORY_OFFSET_SHIFT;
	return 0;
}

static int chardev_free(struct file *file, void *data)
{
	struct rm_context *context = file->private_data;
	struct softgpu_free *arg = data;
	struct rm_memory *memory;

	memory = xa_erase(&context->memory, arg->handle);
	if (!memory)
		return -ENOENT;
	rm_memory_put(memory);
	return 0;
}

static int chardev_check_copy(struct file *file, const void *data)
{
	const struct softgpu_copy *copy = data;
	u64 end;

	return copy->direction >= SOFTGPU_COPY_DIRECTIONS ||
	       !copy->bytes || copy->bytes > SOFTGPU_COPY_MAX ||
	       check_add_overflow(copy->dst, copy->bytes, &end) ||
	       check_add_overflow(copy->src, copy->bytes, &end) ? -EINVAL : 0;
}

static int chardev_copy(struct file *file, void *data)
{
	struct rm_context *context = file->private_data;
	struct softgpu_copy *copy = data;

	copy->direction = array_index_nospec(copy->direction, SOFTGPU_COPY_DIRECTIONS);
	sgpu_launch_prepare(context);
	return sgpu_copy_submit(context, copy);
}

static int chardev_copy_wait(struct file *file, void *data)
{
	struct rm_context *context = file->private_data;
	struct softgpu_copy_wait *wait = data;
	struct softgpu_copy_wait result = { .size = wait->size, .flags = wait->flags,
					    .copy_id = wait->copy_id };
	int ret = 0;

	if (wait->flags & SOFTGPU_WAIT_POLL)
		sim_charge(sgpu_prof(context->gpu, cost_poll));
	else
		ret = sim_wait_event_killable(&context->gpu->progress,
					      sgpu_copy_ended(context, wait->copy_id));
	if (!ret)
		ret = sgpu_copy_result(context, wait->copy_id, &result);
	if (!ret)
		*wait = result;
	return ret;
}

/* All of them say in their struct what came of it, if only its size. */
#define CHARDEV_ROW(cmd, tag, last, fn, ...)				\
	DOOR_ROW(cmd, tag, fn, .min_size = offsetofend(struct tag, last), .out = true, \
		 ##__VA_ARGS__)

static const struct door_row *const chardev_rows[] = {
	CHARDEV_ROW(SOFTGPU_IOC_INFO, softgpu_info, profile, chardev_info),
	CHARDEV_ROW(SOFTGPU_IOC_PROFILE, softgpu_profile_entry, source, chardev_profile),
	CHARDEV_ROW(SOFTGPU_IOC_LOAD, softgpu_load, error_offset, chardev_load,
		    .reserved = { DOOR_AT(softgpu_load, __reserved) }, .out_error = -ENOEXEC),
	CHARDEV_ROW(SOFTGPU_IOC_UNLOAD, softgpu_unload, __reserved, chardev_unload,
		    .reserved = { DOOR_AT(softgpu_unload, __reserved) }),
	CHARDEV_ROW(SOFTGPU_IOC_LAUNCH, softgpu_launch, entry, chardev_launch,
		    .reserved = { DOOR_AT(softgpu_launch, __reserved) },
		    .check = chardev_check_launch),
	CHARDEV_ROW(SOFTGPU_IOC_WAIT, softgpu_wait, instructions, chardev_wait,
		    .flags = SOFTGPU_WAIT_POLL, .cost = DOOR_INSIDE),
	CHARDEV_ROW(SOFTGPU_IOC_VRAM_LIMIT, softgpu_vram_limit, usable_bytes, chardev_vram_limit,
		    .flags = SOFTGPU_VRAM_LIMIT_TOP, .check = chardev_check_limit,
		    .cost = DOOR_INSIDE),
	CHARDEV_ROW(SOFTGPU_IOC_TIMELINE, softgpu_timeline, min_stall_ns, chardev_timeline,
		    .room = sizeof(struct chardev_timeline), .told = chardev_timeline_told),
	CHARDEV_ROW(SOFTGPU_IOC_ALLOC, softgpu_alloc, mmap_offset, chardev_alloc,
		    .flags = SOFTGPU_ALLOC_CONTIGUOUS,
		    .reserved = { DOOR_AT(softgpu_alloc, __reserved),
				  DOOR_AT(softgpu_alloc, __reserved2) }),
	CHARDEV_ROW(SOFTGPU_IOC_FREE, softgpu_free, __reserved, chardev_free,
		    .reserved = { DOOR_AT(softgpu_free, __reserved) }),
	CHARDEV_ROW(SOFTGPU_IOC_COPY, softgpu_copy, copy_id, chardev_copy,
		    .reserved = { DOOR_AT(softgpu_copy, __reserved) },
		    .check = chardev_check_copy, .cost = DOOR_INSIDE),
	CHARDEV_ROW(SOFTGPU_IOC_COPY_WAIT, softgpu_copy_wait, end_ns, chardev_copy_wait,
		    .flags = SOFTGPU_WAIT_POLL, .cost = DOOR_INSIDE),
};

static const struct door chardev_door = {
	.rows = chardev_rows,
	.count = ARRAY_SIZE(chardev_rows),
	.type = SOFTGPU_IOC_TYPE,
	.gpu = chardev_gpu,
};

static long chardev_ioctl(struct file *file, unsigned int cmd, unsigned long arg)
{
	return door_ioctl(&chardev_door, file, cmd, arg);
}

static int chardev_open(struct inode *inode, struct file *file)
{
	struct sgpu_chardev *dev = container_of(file->private_data, struct sgpu_chardev, misc);
	struct rm_context *context = sgpu_context_create(dev->gpu);

	if (IS_ERR(context))
		return PTR_ERR(context);
	file->private_data = context;
	return stream_open(inode, file);
}

static int chardev_release(struct inode *inode, struct file *file)
{
	struct sim_task self;

	sim_enter(&self);
	sgpu_context_close(file->private_data);
	sim_leave(&self);
	return 0;
}

static int chardev_mmap(struct file *file, struct vm_area_struct *vma)
{
	return sgpu_memory_mmap(file->private_data, vma);
}

/*
 * What cannot be copied is read the next time; a kernel that prints on does not keep who is
 * killed.  Of two readers who want the same text one gets it, and the other what comes next.
 */
static ssize_t chardev_read(struct file *file, char __user *to, size_t bytes, loff_t *pos)
{
	struct rm_context *context = file->private_data;
	size_t done = 0, n, left = 0;
	char chunk[256];
	u64 at;

	while (done < bytes && !left && !fatal_signal_pending(current)) {
		n = sgpu_print_peek(&context->print, chunk, min(bytes - done, sizeof(chunk)), &at);
		if (!n)
			break;
		left = copy_to_user(to + done, chunk, n);
		if (sgpu_print_read(&context->print, at, n - left))
			done += n - left;
	}
	return left && !done ? -EFAULT : done;
}

static __poll_t chardev_poll(struct file *file, poll_table *table)
{
	struct rm_context *context = file->private_data;

	poll_wait(file, &context->print.readers, table);
	return sgpu_print_any(&context->print) ? EPOLLIN | EPOLLRDNORM : 0;
}

static const struct file_operations chardev_fops = {
	.owner = THIS_MODULE,
	.open = chardev_open,
	.release = chardev_release,
	.unlocked_ioctl = chardev_ioctl,
	.compat_ioctl = compat_ptr_ioctl,
	.read = chardev_read,
	.poll = chardev_poll,
	.mmap = chardev_mmap,
};

struct rm_context *sgpu_chardev_context(struct file *file)
{
	return file->f_op == &chardev_fops ? file->private_data : NULL;
}

int sgpu_chardev_register(struct rm_gpu *gpu)
{
	struct sgpu_chardev *dev = kzalloc(sizeof(*dev), GFP_KERNEL);
	int ret;

	if (!dev)
		return -ENOMEM;
	dev->gpu = gpu;
	snprintf(dev->name, sizeof(dev->name), "softgpu%u", gpu->index);
	dev->misc.minor = MISC_DYNAMIC_MINOR;
	dev->misc.name = dev->name;
	dev->misc.fops = &chardev_fops;
	dev->misc.mode = 0600;
	ret = misc_register(&dev->misc);
	if (ret) {
		kfree(dev);
		return ret;
	}
	gpu->misc = &dev->misc;
	return 0;
}

void sgpu_chardev_unregister(struct rm_gpu *gpu)
{
	struct sgpu_chardev *dev;

	if (!gpu->misc)
		return;
	dev = container_of(gpu->misc, struct sgpu_chardev, misc);
	misc_deregister(&dev->misc);
	gpu->misc = NULL;
	kfree(dev);
}
