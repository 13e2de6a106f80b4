// SPDX-License-Identifier: GPL-2.0
/* Timelines; see timeline.h. */
#include <linux/anon_inodes.h>
#include <linux/capability.h>
#include <linux/file.h>
#include <linux/fs.h>
#include <linux/log2.h>
#include <linux/module.h>
#include <linux/poll.h>
#include <linux/sched/signal.h>
#include <linux/slab.h>
#include <kunit/visibility.h>
#include "base/gpu.h"
#include "base/timeline.h"

static DEFINE_SIM_BACKPRESSURE(timeline_backpressure);

/**
 * sgpu_timelines_init - no listeners yet
 * @timelines: of a new GPU
 */
void sgpu_timelines_init(struct sgpu_timelines *timelines)
{
	spin_lock_init(&timelines->lock);
	INIT_LIST_HEAD(&timelines->list);
	timelines->mask = 0;
}
EXPORT_SYMBOL_IF_KUNIT(sgpu_timelines_init);

static u64 timeline_queued(const struct sim_listener *listener)
{
	return kfifo_len(&container_of(listener, struct sgpu_timeline, listener)->records);
}

/**
 * sgpu_timeline_drained - the reader has taken records
 * @timeline: the timeline; reader_lock held
 */
void sgpu_timeline_drained(struct sgpu_timeline *timeline)
{
	lockdep_assert_held(&timeline->reader_lock);
	sim_backpressure_drained(&timeline_backpressure, &timeline->listener);
}
EXPORT_SYMBOL_IF_KUNIT(sgpu_timeline_drained);

/**
 * sgpu_timeline_throttle - wait, in real time, until no timeline is full
 *
 * For the event loop: no lock held, between two events.
 */
void sgpu_timeline_throttle(void)
{
	sim_backpressure_throttle(&timeline_backpressure);
}
EXPORT_SYMBOL_IF_KUNIT(sgpu_timeline_throttle);

/* ---- producers ------------------------------------------------------- */

static bool timeline_wants(const struct sgpu_timeline *timeline,
			   const struct softgpu_timeline_record *record)
{
	if (!(timeline->mask & BIT_ULL(record->type)))
		return false;
	return record->type != SOFTGPU_TIMELINE_STALL ||
	       record->duration_ns >= timeline->min_stall_ns;
}

static void timeline_append(struct sgpu_timeline *timeline,
			    const struct softgpu_timeline_record *record)
{
	struct softgpu_timeline_record lost = {
		.type = SOFTGPU_TIMELINE_LOST,
		.gpu = record->gpu,
		.time_ns = record->time_ns,
		.value = timeline->lost,
	};

	/* Room for both, or the loss goes on. */
	if (kfifo_avail(&timeline->records) < 1 + !!timeline->lost) {
		timeline->lost++;
		return;
	}
	if (timeline->lost)
		kfifo_put(&timeline->records, lost);
	timeline->lost = 0;
	kfifo_put(&timeline->records, *record);
	sim_backpressure_apply(&timeline_backpressure, &timeline->listener);
	if (wq_has_sleeper(&timeline->wait))
		wake_up_interruptible_poll(&timeline->wait, EPOLLIN | EPOLLRDNORM);
}

/**
 * sgpu_timeline_put - tell every listener that wants to know
 * @timelines: of the GPU
 * @record: what happened
 *
 * Any context; never sleeps, allocates nothing.
 */
void sgpu_timeline_put(struct sgpu_timelines *timelines,
		       const struct softgpu_timeline_record *record)
{
	struct sgpu_timeline *timeline;
	unsigned long flags;

	spin_lock_irqsave(&timelines->lock, flags);
	list_for_each_entry(timeline, &timelines->list, node) {
		if (timeline_wants(timeline, record))
			timeline_append(timeline, record);
	}
	spin_unlock_irqrestore(&timelines->lock, flags);
}
EXPORT_SYMBOL_IF_KUNIT(sgpu_timeline_put);

#define TIMELINE_GFP	(GFP_KERNEL_ACCOUNT | __GFP_RETRY_MAYFAIL | __GFP_NOWARN)

/* ---- listeners ------------------------------------------------------- */

static void timeline_free(struct sgpu_timeline *timeline)
{
	kvfree(timeline->storage);
	rm_uncharge(&timeline->charge);
	kfree(timeline);
}

/**
 * sgpu_timeline_create - make a timeline, which is told nothing yet
 * @timelines: of the GPU
 * @entries: length, a power of two
 * @mask: bit per type wanted
 * @min_stall_ns: shorter stalls are not
 *
 * Charged to the caller's memory cgroup and to his user.
 *
 * Return: the timeline, or NULL without memory.
 */
struct sgpu_timeline *sgpu_timeline_create(struct sgpu_timelines *timelines, u32 entries,
					   u64 mask, u64 min_stall_ns)
{
	u32 room = sim_is_virtual() ? roundup_pow_of_two(entries + SGPU_TIMELINE_SLACK) : entries;
	struct sgpu_timeline *timeline = kzalloc(sizeof(*timeline), GFP_KERNEL_ACCOUNT);

	if (!timeline)
		return NULL;
	if (!rm_charge(&timeline->charge, room * sizeof(*timeline->storage)))
		timeline->storage = kvcalloc(room, sizeof(*timeline->storage), TIMELINE_GFP);
	if (!timeline->storage ||
	    kfifo_init(&timeline->records, timeline->storage, room * sizeof(*timeline->storage))) {
		timeline_free(timeline);
		return NULL;
	}
	timeline->timelines = timelines;
	timeline->mask = mask;
	timeline->min_stall_ns = min_stall_ns;
	sim_listener_init(&timeline->listener, timeline_queued, entries);
	init_waitqueue_head(&timeline->wait);
	mutex_init(&timeline->reader_lock);
	INIT_LIST_HEAD(&timeline->node);
	return timeline;
}
EXPORT_SYMBOL_IF_KUNIT(sgpu_timeline_create);

/**
 * sgpu_timeline_listen - be told from now on
 * @timeline: the timeline; somebody can read it, or it would stop the clock for ever
 */
void sgpu_timeline_listen(struct sgpu_timeline *timeline)
{
	struct sgpu_timelines *timelines = timeline->timelines;

	spin_lock_irq(&timelines->lock);
	list_add_tail(&timeline->node, &timelines->list);
	WRITE_ONCE(timelines->mask, timelines->mask | timeline->mask);
	spin_unlock_irq(&timelines->lock);
}
EXPORT_SYMBOL_IF_KUNIT(sgpu_timeline_listen);

/**
 * sgpu_timeline_destroy - stop listening, free
 * @timeline: the timeline; nobody reads
 */
void sgpu_timeline_destroy(struct sgpu_timeline *timeline)
{
	struct sgpu_timelines *timelines = timeline->timelines;
	struct sgpu_timeline *other;
	u64 mask = 0;

	spin_lock_irq(&timelines->lock);
	list_del_init(&timeline->node);
	list_for_each_entry(other, &timelines->list, node)
		mask |= other->mask;
	WRITE_ONCE(timelines->mask, mask);
	spin_unlock_irq(&timelines->lock);

	sim_listener_exit(&timeline_backpressure, &timeline->listener);
	mutex_destroy(&timeline->reader_lock);
	timeline_free(timeline);
}
EXPORT_SYMBOL_IF_KUNIT(sgpu_timeline_destroy);

/* ---- the file -------------------------------------------------------- */

static int timeline_release(struct inode *inode, struct file *file)
{
	sgpu_timeline_destroy(file->private_data);
	return 0;
}

/* Returns bytes; 0: another reader was quicker; -EFAULT: nothing is lost. */
static ssize_t timeline_copy(struct sgpu_timeline *timeline, char __user *buf, size_t bytes)
{
	struct softgpu_timeline_record records[8];
	size_t room = bytes / sizeof(records[0]), done = 0;
	unsigned int count;
	int ret = 0;

	while (done < room && !fatal_signal_pending(current)) {
		count = min_t(size_t, ARRAY_SIZE(records), room - done);
		count = kfifo_out_peek(&timeline->records, records, count);
		if (!count)
			break;
		ret = sim_backpressure_put_user(&timeline_backpressure, &timeline->listener,
						buf + done * sizeof(records[0]), records,
						count * sizeof(records[0]));
		if (ret)
			break;
		kfifo_skip_count(&timeline->records, count);
		done += count;
		sgpu_timeline_drained(timeline);
	}
	return done ? done * sizeof(records[0]) : ret;
}

static ssize_t timeline_read(struct file *file, char __user *buf, size_t bytes, loff_t *pos)
{
	struct sgpu_timeline *timeline = file->private_data;
	ssize_t ret;

	if (bytes < sizeof(struct softgpu_timeline_record))
		return -EINVAL;
	bytes = min_t(size_t, bytes, INT_MAX);
	do {
		if (kfifo_is_empty(&timeline->records) && (file->f_flags & O_NONBLOCK))
			return -EAGAIN;
		if (wait_event_interruptible(timeline->wait,
					     !kfifo_is_empty(&timeline->records)))
			return -ERESTARTSYS;
		if (mutex_lock_interruptible(&timeline->reader_lock))
			return -ERESTARTSYS;
		ret = timeline_copy(timeline, buf, bytes);
		mutex_unlock(&timeline->reader_lock);
	} while (!ret && !fatal_signal_pending(current));
	return ret ?: -EINTR;
}

static __poll_t timeline_poll(struct file *file, poll_table *table)
{
	struct sgpu_timeline *timeline = file->private_data;

	poll_wait(file, &timeline->wait, table);
	/* Pairs with wq_has_sleeper() of the producer. */
	smp_mb();
	return kfifo_is_empty(&timeline->records) ? 0 : EPOLLIN | EPOLLRDNORM;
}

static const struct file_operations timeline_fops = {
	.owner = THIS_MODULE,
	.release = timeline_release,
	.read = timeline_read,
	.poll = timeline_poll,
};

/**
 * sgpu_timeline_open - SOFTGPU_IOC_TIMELINE, to be followed by sgpu_timeline_told()
 * @gpu: the GPU
 * @arg: the user's struct; its @fd is filled
 * @file: out: what is to be installed there
 *
 * Return: 0, -EPERM, -EINVAL (length or mask), -ENOMEM, -EMFILE, -ENFILE.
 */
int sgpu_timeline_open(struct rm_gpu *gpu, struct softgpu_timeline *arg, struct file **file)
{
	struct sgpu_timeline *timeline;
	int fd;

	/* it shows what others do, and where */
	if (!perfmon_capable())
		return -EPERM;
	if (!is_power_of_2(arg->entries) || arg->entries < SGPU_TIMELINE_MIN ||
	    arg->entries > SGPU_TIMELINE_MAX)
		return -EINVAL;
	if (!arg->mask || (arg->mask & ~SGPU_TIMELINE_ALL))
		return -EINVAL;
	timeline = sgpu_timeline_create(&gpu->timelines, arg->entries, arg->mask,
					arg->min_stall_ns);
	if (!timeline)
		return -ENOMEM;
	fd = get_unused_fd_flags(O_CLOEXEC);
	if (fd < 0) {
		sgpu_timeline_destroy(timeline);
		return fd;
	}
	*file = anon_inode_getfile("[softgpu-timeline]", &timeline_fops, timeline,
				   O_RDONLY | O_NONBLOCK);
	if (IS_ERR(*file)) {
		put_unused_fd(fd);
		sgpu_timeline_destroy(timeline);
		return PTR_ERR(*file);
	}
	arg->fd = fd;
	return 0;
}

/**
 * sgpu_timeline_told - the user has been told of a new timeline, or could not be
 * @fd: its number
 * @file: its file, with the caller's reference
 * @told: which
 *
 * Nobody would ever read, or close, a file that its owner does not know of.
 */
void sgpu_timeline_told(int fd, struct file *file, bool told)
{
	if (!told) {
		put_unused_fd(fd);
		fput(file);
		return;
	}
	sgpu_timeline_listen(file->private_data);
	fd_install(fd, file);
}
