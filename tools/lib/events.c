// SPDX-License-Identifier: GPL-2.0
/* The event queue: a thread that hands events to a listener, in order. */
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <sys/eventfd.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "internal.h"

#define EVENTS_QUEUE_ENTRIES	65536
#define EVENTS_PER_READ		256

/*
 * Read until the queue is empty.  Reading and handing over are one critical
 * section, so events reach the listener in queue order whoever reads them.
 */
static int events_read_all(struct uvm *u)
{
	struct uvm_queue *q = &u->queue;
	struct uvm_event events[EVENTS_PER_READ];
	ssize_t got, i;
	int err = 0;

	pthread_mutex_lock(&q->lock);
	for (;;) {
		got = read(q->fd, events, sizeof(events));
		if (got < 0 && errno == EINTR)
			continue;
		if (got <= 0)
			break;
		for (i = 0; i < got / (ssize_t)sizeof(events[0]); i++)
			q->fn(q->arg, &events[i]);
	}
	if (got < 0 && errno != EAGAIN)
		err = errno;
	pthread_mutex_unlock(&q->lock);
	return -err;
}

static void *events_thread(void *arg)
{
	struct uvm *u = arg;
	struct pollfd fds[2] = {
		{ .fd = u->queue.fd, .events = POLLIN },
		{ .fd = u->queue.stop, .events = POLLIN },
	};

	while (poll(fds, 2, -1) >= 0 || errno == EINTR) {
		if (fds[1].revents)
			break;
		if (fds[0].revents & POLLIN && events_read_all(u))
			break;
		/* The VA space is gone, or the queue is broken: nothing will come. */
		if (fds[0].revents & (POLLHUP | POLLERR | POLLNVAL))
			break;
	}
	return NULL;
}

int uvm_events_start(struct uvm *u, uint64_t mask, uvm_event_fn fn, void *arg)
{
	struct uvm_tools_attach attach = {
		.size = sizeof(attach), .uvm_fd = u->fd, .entries = EVENTS_QUEUE_ENTRIES,
		.event_mask = mask ? mask : (1ULL << UVM_EVENT_COUNT) - 2,
	};
	struct uvm_queue *q = &u->queue;
	int err;

	if (q->fd >= 0)
		return uvm_fail(u, EBUSY, "event queue");

	q->fn = fn;
	q->arg = arg;
	q->fd = open("/dev/uvm-tools", O_RDWR | O_CLOEXEC | O_NONBLOCK);
	if (q->fd < 0)
		return uvm_fail(u, errno, "/dev/uvm-tools");
	if (ioctl(q->fd, UVM_TOOLS_IOC_ATTACH, &attach)) {
		err = uvm_fail(u, errno, "event queue");
		goto fail_fd;
	}
	q->stop = eventfd(0, EFD_CLOEXEC);
	if (q->stop < 0) {
		err = uvm_fail(u, errno, "event queue");
		goto fail_fd;
	}
	err = pthread_create(&q->thread, NULL, events_thread, u);
	if (err) {
		err = uvm_fail(u, err, "event thread");
		goto fail_stop;
	}
	return 0;
fail_stop:
	close(q->stop);
fail_fd:
	close(q->fd);
	q->fd = -1;
	return err;
}

int uvm_events_drain(struct uvm *u)
{
	int err;

	if (u->queue.fd < 0)
		return 0;
	err = events_read_all(u);
	return err ? uvm_fail(u, -err, "event queue") : 0;
}

uint64_t uvm_events_dropped(struct uvm *u)
{
	struct uvm_tools_status status = { .size = sizeof(status) };

	if (u->queue.fd < 0 || ioctl(u->queue.fd, UVM_TOOLS_IOC_STATUS, &status))
		return 0;
	return status.dropped;
}

int uvm_events_stop(struct uvm *u)
{
	struct uvm_queue *q = &u->queue;
	uint64_t one = 1;
	int err;

	if (q->fd < 0)
		return 0;

	err = uvm_events_drain(u);
	if (write(q->stop, &one, sizeof(one)) != sizeof(one))
		pthread_cancel(q->thread);
	pthread_join(q->thread, NULL);
	close(q->stop);
	close(q->fd);
	q->fd = -1;
	return err;
}
