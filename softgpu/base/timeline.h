/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Timelines: listeners to what the hardware does and when (user ABI:
 * SOFTGPU_IOC_TIMELINE).  Costs one read of a mask where nobody listens.
 *
 * On the virtual clock nothing is lost: a queue that is full (its "mark") makes
 * the event loop wait, in real time, after the event that filled it; what that
 * event still emits goes to the slack behind the mark.
 */
#ifndef SOFTGPU_TIMELINE_H
#define SOFTGPU_TIMELINE_H

#include <linux/bits.h>
#include <linux/kfifo.h>
#include <linux/list.h>
#include <linux/mutex.h>
#include <linux/spinlock.h>
#include <linux/wait.h>
#include <softgpu/backpressure.h>
#include <uapi/linux/softgpu.h>
#include <softgpu/rm.h>

struct file;
struct rm_gpu;

#define SGPU_TIMELINE_MIN	64
#define SGPU_TIMELINE_MAX	BIT(20)
/* More than one event of the device emits: each SM ends a few blocks in a quantum. */
#define SGPU_TIMELINE_SLACK	4096
#define SGPU_TIMELINE_ALL	GENMASK_ULL(SOFTGPU_TIMELINE_COUNT - 1, SOFTGPU_TIMELINE_LAUNCH)

/**
 * struct sgpu_timelines - the listeners of one GPU; all zero is none, for fakes
 * @lock: protects @list and the producers' side of each timeline.  Inner-most
 *	but for the list of full ones and wait queues; any context
 * @list: of sgpu_timeline.node
 * @mask: union of their masks.  Written under @lock
 */
struct sgpu_timelines {
	spinlock_t lock;	/* see above */
	struct list_head list;
	u64 mask;
};

/**
 * struct sgpu_timeline - one listener
 * @node: in sgpu_timelines.list; empty until it listens
 * @timelines: of its GPU
 * @mask: bit per type wanted
 * @min_stall_ns: shorter stalls are not
 * @records: the queue; producers under sgpu_timelines.lock, readers under @reader_lock
 * @storage: of @records
 * @charge: of @storage
 * @lost: records that found no room since the last one that did
 * @wait: the reader
 * @reader_lock: serialises readers
 * @listener: stops the clock when @records are full
 */
struct sgpu_timeline {
	struct list_head node;
	struct sgpu_timelines *timelines;
	u64 mask;
	u64 min_stall_ns;
	DECLARE_KFIFO_PTR(records, struct softgpu_timeline_record);
	struct softgpu_timeline_record *storage;
	struct rm_charge charge;
	u64 lost;
	wait_queue_head_t wait;
	struct mutex reader_lock;	/* see above */
	struct sim_listener listener;
};

void sgpu_timelines_init(struct sgpu_timelines *timelines);
struct sgpu_timeline *sgpu_timeline_create(struct sgpu_timelines *timelines, u32 entries,
					   u64 mask, u64 min_stall_ns);
void sgpu_timeline_listen(struct sgpu_timeline *timeline);
void sgpu_timeline_destroy(struct sgpu_timeline *timeline);
void sgpu_timeline_drained(struct sgpu_timeline *timeline);
void sgpu_timeline_throttle(void);
int sgpu_timeline_open(struct rm_gpu *gpu, struct softgpu_timeline *arg, struct file **file);
void sgpu_timeline_told(int fd, struct file *file, bool told);

void sgpu_timeline_put(struct sgpu_timelines *timelines,
		       const struct softgpu_timeline_record *record);

/**
 * sgpu_timeline_enabled - does anybody want this type?
 * @timelines: of a GPU
 * @type: the type
 *
 * Return: true if somebody does; for callers that would have to gather data.
 */
static inline bool sgpu_timeline_enabled(const struct sgpu_timelines *timelines,
					 enum softgpu_timeline_type type)
{
	return unlikely(READ_ONCE(timelines->mask) & BIT_ULL(type));
}

/* Tell every listener that wants to know.  Any context. */
#define sgpu_timeline_emit(timelines, ...) do {				\
	struct sgpu_timelines *__timelines = (timelines);		\
	struct softgpu_timeline_record __record = { __VA_ARGS__ };	\
									\
	if (sgpu_timeline_enabled(__timelines, __record.type))		\
		sgpu_timeline_put(__timelines, &__record);		\
} while (0)

#endif
