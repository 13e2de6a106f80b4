// SPDX-License-Identifier: GPL-2.0
/* A thread that reads whole records from a file and hands them over, in order. */
#include <errno.h>
#include <poll.h>
#include <stdint.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include "internal.h"

#define READER_BYTES	16384

/*
 * Reading and handing over are one critical section, so records reach the
 * listener in order whoever reads them.
 */
int uvm_reader_drain(struct uvm_reader *r)
{
	uint64_t buffer[READER_BYTES / sizeof(uint64_t)];
	size_t room = READER_BYTES / r->record * r->record;
	const char *records = (const char *)buffer;
	ssize_t got, at;
	int err = 0;

	pthread_mutex_lock(&r->lock);
	for (;;) {
		got = read(r->fd, buffer, room);
		if (got < 0 && errno == EINTR)
			continue;
		if (got <= 0)
			break;
		for (at = 0; at < got; at += (ssize_t)r->record)
			r->fn(r->arg, records + at);
	}
	if (got < 0 && errno != EAGAIN)
		err = errno;
	pthread_mutex_unlock(&r->lock);
	return -err;
}

static void *reader_thread(void *arg)
{
	struct uvm_reader *r = arg;
	struct pollfd fds[2] = {
		{ .fd = r->fd, .events = POLLIN },
		{ .fd = r->stop, .events = POLLIN },
	};

	while (poll(fds, 2, -1) >= 0 || errno == EINTR) {
		if (fds[1].revents)
			break;
		if (fds[0].revents & POLLIN && uvm_reader_drain(r))
			break;
		/* Nothing will come any more, or the file is broken. */
		if (fds[0].revents & (POLLHUP | POLLERR | POLLNVAL))
			break;
	}
	return NULL;
}

int uvm_reader_start(struct uvm_reader *r, size_t record,
		     void (*fn)(void *arg, const void *record), void *arg)
{
	int err;

	r->record = record;
	r->fn = fn;
	r->arg = arg;
	r->stop = eventfd(0, EFD_CLOEXEC);
	if (r->stop < 0)
		return -errno;
	err = pthread_create(&r->thread, NULL, reader_thread, r);
	if (err)
		close(r->stop);
	return -err;
}

int uvm_reader_stop(struct uvm_reader *r)
{
	int err = uvm_reader_drain(r);
	uint64_t one = 1;

	if (write(r->stop, &one, sizeof(one)) != sizeof(one))
		pthread_cancel(r->thread);
	pthread_join(r->thread, NULL);
	close(r->stop);
	close(r->fd);
	r->fd = -1;
	return err;
}
