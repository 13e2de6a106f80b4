// SPDX-License-Identifier: GPL-2.0
/*
 * /dev/uvm-tools: one open file is one event queue, once attached.
 *
 * Listeners are no participants of the clock: they read what is there and let
 * no time pass.  (A flush does, by the cost of a poll.)
 */
#include <linux/file.h>
#include <linux/fs.h>
#include <linux/log2.h>
#include <linux/miscdevice.h>
#include <linux/module.h>
#include <linux/poll.h>
#include <linux/uvm.h>
#include <softgpu/door.h>
#include "base/event.h"
#include "gpu/channel.h"
#include "gpu/gpu.h"
#include "ioctl.h"
#include "base/stats.h"
#include "tools.h"
#include "space/va_space.h"
#include "va_space_file.h"

static int uvm_tools_open(struct inode *inode, struct file *file)
{
	file->private_data = NULL;
	return stream_open(inode, file);
}

/* The queue, or NULL before it is attached; set once. */
static struct uvm_event_queue *uvm_tools_queue(struct file *file)
{
	/* Pairs with the cmpxchg() that publishes it. */
	return smp_load_acquire((struct uvm_event_queue **)&file->private_data);
}

static int uvm_tools_release(struct inode *inode, struct file *file)
{
	struct uvm_event_queue *queue = uvm_tools_queue(file);

	if (queue)
		uvm_event_queue_destroy(queue);
	return 0;
}

static ssize_t uvm_tools_read(struct file *file, char __user *buf, size_t bytes, loff_t *pos)
{
	struct uvm_event_queue *queue = uvm_tools_queue(file);

	if (!queue)
		return -ENOTCONN;
	return uvm_event_queue_read(queue, buf, bytes, file->f_flags & O_NONBLOCK);
}

static __poll_t uvm_tools_poll(struct file *file, poll_table *wait)
{
	struct uvm_event_queue *queue = uvm_tools_queue(file);
	__poll_t ret = 0;
	bool eof;

	if (!queue)
		return EPOLLERR;
	poll_wait(file, &queue->wait, wait);
	/* Pairs with wq_has_sleeper() of the producer. */
	smp_mb();
	if (uvm_event_queue_readable(queue, &eof))
		ret |= EPOLLIN | EPOLLRDNORM;
	if (eof)
		ret |= EPOLLIN | EPOLLRDNORM | EPOLLHUP;
	return ret;
}

/* Attach a new queue, and make it the file's if the file has none. */
static int uvm_tools_publish(struct file *file, struct uvm_event_queue *queue,
			     struct uvm_va_space *va_space)
{
	int ret;

	ret = uvm_event_queue_attach(queue, &va_space->events);
	if (ret)
		return ret;
	if (cmpxchg(&file->private_data, NULL, queue))
		return -EBUSY;
	return 0;
}

static int uvm_tools_attach(struct file *file, void *data)
{
	struct uvm_tools_attach *arg = data;
	struct uvm_event_queue *queue;
	struct uvm_va_space *va_space;
	struct file *uvm_file;
	int ret = -EBADF;

	if (!is_power_of_2(arg->entries) || arg->entries < UVM_EVENT_ENTRIES_MIN ||
	    arg->entries > UVM_EVENT_ENTRIES_MAX)
		return -EINVAL;
	if (!arg->event_mask || (arg->event_mask & ~UVM_EVENT_MASK_ALL))
		return -EINVAL;
	if (uvm_tools_queue(file))
		return -EBUSY;
	uvm_file = fget(arg->uvm_fd);
	if (!uvm_file)
		return -EBADF;
	va_space = uvm_va_space_from_file(uvm_file);
	if (!va_space)
		goto put_file;
	queue = uvm_event_queue_create(arg->entries, arg->event_mask);
	ret = queue ? uvm_tools_publish(file, queue, va_space) : -ENOMEM;
	if (ret && queue)
		uvm_event_queue_destroy(queue);
put_file:
	fput(uvm_file);
	return ret;
}

static int uvm_tools_status(struct file *file, void *data)
{
	struct uvm_event_queue *queue = uvm_tools_queue(file);
	struct uvm_tools_status *arg = data;

	if (!queue)
		return -ENOTCONN;
	uvm_event_queue_status(queue, arg);
	return 0;
}

static int uvm_tools_threshold(struct file *file, void *data)
{
	struct uvm_event_queue *queue = uvm_tools_queue(file);
	struct uvm_tools_threshold *arg = data;

	return queue ? uvm_event_queue_set_threshold(queue, arg->entries) : -ENOTCONN;
}

static int uvm_tools_change_mask(struct file *file, u64 add, u64 remove)
{
	struct uvm_event_queue *queue = uvm_tools_queue(file);

	if ((add | remove) & ~UVM_EVENT_MASK_ALL)
		return -EINVAL;
	return queue ? uvm_event_queue_change_mask(queue, add, remove) : -ENOTCONN;
}

static int uvm_tools_enable(struct file *file, void *data)
{
	return uvm_tools_change_mask(file, ((struct uvm_tools_events *)data)->event_mask, 0);
}

static int uvm_tools_disable(struct file *file, void *data)
{
	return uvm_tools_change_mask(file, 0, ((struct uvm_tools_events *)data)->event_mask);
}

static int uvm_tools_attached(struct file *file, const void *data)
{
	return uvm_tools_queue(file) ? 0 : -ENOTCONN;
}

/*
 * Events of asynchronous work are told when somebody notices that it is done.
 * This looks, so it is the one call here that takes part in the clock.
 */
static int uvm_tools_flush(struct file *file, void *data)
{
	unsigned int i;

	for (i = 0; i < uvm_gpu_count(); i++)
		uvm_channels_update_progress(uvm_gpu(i));
	uvm_event_queue_flush(uvm_tools_queue(file));
	return 0;
}

static int uvm_tools_gpu_stats(struct file *file, void *data)
{
	struct uvm_tools_gpu_stats *arg = data;
	struct uvm_gpu *gpu = uvm_gpu(arg->gpu);

	if (!gpu)
		return -ENODEV;
	arg->stats.size = sizeof(arg->stats);
	arg->stats.flags = 0;
	uvm_stats_report(&gpu->stats, &arg->stats, false);
	return 0;
}

static int uvm_tools_counters(struct file *file, void *data)
{
	struct uvm_tools_counters *arg = data;
	u8 id = uvm_id_from_user(arg->processor);
	struct uvm_va_space *va_space;
	struct file *uvm_file;
	int ret = -EBADF;

	if (!uvm_id_is_valid(id) || (uvm_id_is_gpu(id) && !uvm_gpu(uvm_id_gpu_index(id))))
		return -ENODEV;
	if (arg->uvm_fd == -1) {
		uvm_counters_report(NULL, id, &arg->counters);
		return 0;
	}
	uvm_file = fget(arg->uvm_fd);
	if (!uvm_file)
		return -EBADF;
	va_space = uvm_va_space_from_file(uvm_file);
	if (va_space) {
		uvm_counters_report(&va_space->counters, id, &arg->counters);
		ret = 0;
	}
	fput(uvm_file);
	return ret;
}

static const struct door_row *const uvm_tools_rows[] = {
	DOOR_ROW(UVM_TOOLS_IOC_ATTACH, uvm_tools_attach, uvm_tools_attach),
	DOOR_ROW(UVM_TOOLS_IOC_STATUS, uvm_tools_status, uvm_tools_status,
		 .min_size = offsetofend(struct uvm_tools_status, dropped), .out = true),
	DOOR_ROW(UVM_TOOLS_IOC_GPU_STATS, uvm_tools_gpu_stats, uvm_tools_gpu_stats,
		 .min_size = offsetofend(struct uvm_tools_gpu_stats, stats.phase_ns),
		 .reserved = { DOOR_AT(uvm_tools_gpu_stats, __reserved) },
		 .gpu = { DOOR_AT(uvm_tools_gpu_stats, gpu) }, .out = true),
	DOOR_ROW(UVM_TOOLS_IOC_THRESHOLD, uvm_tools_threshold, uvm_tools_threshold,
		 .reserved = { DOOR_AT(uvm_tools_threshold, __reserved) }),
	DOOR_ROW(UVM_TOOLS_IOC_ENABLE, uvm_tools_events, uvm_tools_enable),
	DOOR_ROW(UVM_TOOLS_IOC_DISABLE, uvm_tools_events, uvm_tools_disable),
	DOOR_ROW(UVM_TOOLS_IOC_FLUSH, uvm_tools_flush, uvm_tools_flush,
		 .check = uvm_tools_attached, .cost = DOOR_COST(poll)),
	DOOR_ROW(UVM_TOOLS_IOC_COUNTERS, uvm_tools_counters, uvm_tools_counters,
		 .min_size = offsetofend(struct uvm_tools_counters,
					 counters.replays_start_ack_all), .out = true),
};

static const struct door uvm_tools_door = {
	.rows = uvm_tools_rows,
	.count = ARRAY_SIZE(uvm_tools_rows),
	.type = UVM_IOC_TYPE,
	.gpu = uvm_door_gpu,
};

static long uvm_tools_ioctl(struct file *file, unsigned int cmd, unsigned long arg)
{
	return door_ioctl(&uvm_tools_door, file, cmd, arg);
}

static const struct file_operations uvm_tools_fops = {
	.owner = THIS_MODULE,
	.open = uvm_tools_open,
	.release = uvm_tools_release,
	.read = uvm_tools_read,
	.poll = uvm_tools_poll,
	.unlocked_ioctl = uvm_tools_ioctl,
};

static struct miscdevice uvm_tools_device = {
	.minor = MISC_DYNAMIC_MINOR,
	.name = "uvm-tools",
	.fops = &uvm_tools_fops,
	.mode = 0600,
};

/**
 * uvm_tools_init - make the device node
 *
 * Return: 0 or a negative errno.
 */
int uvm_tools_init(void)
{
	return misc_register(&uvm_tools_device);
}

/**
 * uvm_tools_exit - remove it
 */
void uvm_tools_exit(void)
{
	misc_deregister(&uvm_tools_device);
}
