// SPDX-License-Identifier: GPL-2.0
/* Events of the driver and timelines of GPUs: threads that hand them to a listener, in order. */
#include <errno.h>
#include <fcntl.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "internal.h"

#define EVENTS_QUEUE_ENTRIES	65536

static void events_give(void *arg, const void *record)
{
	struct uvm *u = arg;

	u->event_fn(u->event_arg, record);
}

int uvm_events_start(struct uvm *u, uint64_t mask, uvm_event_fn fn, void *arg)
{
	struct uvm_tools_attach attach = {
		.size = sizeof(attach), .uvm_fd = u->fd, .entries = EVENTS_QUEUE_ENTRIES,
		.event_mask = mask ? mask : UVM_EVENTS_USUAL,
	};
	struct uvm_reader *r = &u->events;
	int err;

	if (r->fd >= 0)
		return uvm_fail(u, EBUSY, "event queue");

	u->event_fn = fn;
	u->event_arg = arg;
	r->fd = open("/dev/uvm-tools", O_RDWR | O_CLOEXEC | O_NONBLOCK);
	if (r->fd < 0)
		return uvm_fail(u, errno, "/dev/uvm-tools");
	if (ioctl(r->fd, UVM_TOOLS_IOC_ATTACH, &attach))
		err = uvm_fail(u, errno, "event queue");
	else
		err = uvm_reader_start(r, sizeof(struct uvm_event), events_give, u);
	if (err) {
		close(r->fd);
		r->fd = -1;
		uvm_fail(u, -err, "event queue");
	}
	return err;
}

int uvm_events_drain(struct uvm *u)
{
	int err;

	if (u->events.fd < 0)
		return 0;
	err = uvm_reader_drain(&u->events);
	return err ? uvm_fail(u, -err, "event queue") : 0;
}

uint64_t uvm_events_dropped(struct uvm *u)
{
	struct uvm_tools_status status = { .size = sizeof(status) };

	if (u->events.fd < 0 || ioctl(u->events.fd, UVM_TOOLS_IOC_STATUS, &status))
		return 0;
	return status.dropped;
}

int uvm_events_threshold(struct uvm *u, uint32_t entries)
{
	struct uvm_tools_threshold threshold = { .size = sizeof(threshold), .entries = entries };

	if (u->events.fd < 0 || ioctl(u->events.fd, UVM_TOOLS_IOC_THRESHOLD, &threshold))
		return uvm_fail(u, u->events.fd < 0 ? ENOTCONN : errno, "threshold of events");
	return 0;
}

int uvm_events_enable(struct uvm *u, uint64_t mask, bool on)
{
	struct uvm_tools_events events = { .size = sizeof(events), .event_mask = mask };

	if (u->events.fd < 0 ||
	    ioctl(u->events.fd, on ? UVM_TOOLS_IOC_ENABLE : UVM_TOOLS_IOC_DISABLE, &events))
		return uvm_fail(u, u->events.fd < 0 ? ENOTCONN : errno, "types of events");
	return 0;
}

int uvm_events_flush(struct uvm *u)
{
	struct uvm_tools_flush flush = { .size = sizeof(flush) };

	if (u->events.fd < 0 || ioctl(u->events.fd, UVM_TOOLS_IOC_FLUSH, &flush))
		return uvm_fail(u, u->events.fd < 0 ? ENOTCONN : errno, "flush of events");
	return uvm_events_drain(u);
}

int uvm_events_stop(struct uvm *u)
{
	int err;

	if (u->events.fd < 0)
		return 0;
	err = uvm_reader_stop(&u->events);
	return err ? uvm_fail(u, -err, "event queue") : 0;
}

/* ---- timelines ------------------------------------------------------- */

static void timeline_give(void *arg, const void *record)
{
	struct uvm_timeline *t = arg;

	t->fn(t->arg, record);
}

int uvm_timeline_start(struct uvm *u, int gpu, uint64_t mask, uint64_t min_stall_ns,
		       uvm_timeline_fn fn, void *arg)
{
	struct softgpu_timeline timeline = {
		.size = sizeof(timeline), .entries = EVENTS_QUEUE_ENTRIES, .mask = mask,
		.min_stall_ns = min_stall_ns,
	};
	int fd = uvm_gpu_fd(u, gpu), err;
	struct uvm_timeline *t;

	if (fd < 0)
		return uvm_fail(u, ENODEV, "gpu %d", gpu);
	t = &u->timelines[gpu];
	if (t->reader.fd >= 0)
		return uvm_fail(u, EBUSY, "timeline of gpu %d", gpu);
	if (ioctl(fd, SOFTGPU_IOC_TIMELINE, &timeline))
		return uvm_fail(u, errno, "timeline of gpu %d", gpu);
	t->fn = fn;
	t->arg = arg;
	t->reader.fd = timeline.fd;
	err = uvm_reader_start(&t->reader, sizeof(struct softgpu_timeline_record), timeline_give,
			       t);
	if (err) {
		close(t->reader.fd);
		t->reader.fd = -1;
		return uvm_fail(u, -err, "timeline of gpu %d", gpu);
	}
	return 0;
}

int uvm_timeline_stop(struct uvm *u, int gpu)
{
	int err;

	if (gpu < 0 || gpu >= UVM_GPU_MAX || u->timelines[gpu].reader.fd < 0)
		return 0;
	err = uvm_reader_stop(&u->timelines[gpu].reader);
	return err ? uvm_fail(u, -err, "timeline of gpu %d", gpu) : 0;
}
