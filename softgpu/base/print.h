/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What kernels print, until somebody reads it.
 *
 * There is room for SGPU_PRINT_BYTES.  What finds none is not kept in part: from then on all is
 * lost until the reader has had what was kept, and a line that says how much was lost.  A kernel
 * does not wait for its reader, who may come after it has ended.
 */
#ifndef SOFTGPU_PRINT_H
#define SOFTGPU_PRINT_H

#include <linux/spinlock.h>
#include <linux/types.h>
#include <linux/wait.h>

#define SGPU_PRINT_BYTES	(64 * 1024)

/**
 * struct sgpu_print_ring - text, see above
 * @lock: protects the members below
 * @data: ring of SGPU_PRINT_BYTES
 * @head: bytes ever accepted
 * @tail: bytes ever read
 * @lost: bytes that were not accepted since the last line that said so
 * @readers: real wait queue of poll(2)
 */
struct sgpu_print_ring {
	spinlock_t lock;	/* head, tail, lost, what @data points to */
	char *data;
	u64 head;
	u64 tail;
	u64 lost;
	wait_queue_head_t readers;
};

/* Return: 0, or -ENOMEM.  Charged to the caller. */
int sgpu_print_init(struct sgpu_print_ring *ring);
void sgpu_print_destroy(struct sgpu_print_ring *ring);

/* One message of at most SGPU_FORMAT_BYTES; wakes readers.  Any context without interrupts. */
void sgpu_print_put(struct sgpu_print_ring *ring, const char *text, size_t bytes);
/*
 * Copy what comes next to @to, at most @bytes of it, and leave it there; returns bytes.  @at tells
 * sgpu_print_read() what it was.  No lock is held between the two, for who copies to a user may
 * have to wait for the simulated device.
 */
size_t sgpu_print_peek(struct sgpu_print_ring *ring, char *to, size_t bytes, u64 *at);
/* So much of it has been read; false: by somebody else, meanwhile. */
bool sgpu_print_read(struct sgpu_print_ring *ring, u64 at, size_t bytes);
/* Is there anything to read? */
bool sgpu_print_any(struct sgpu_print_ring *ring);

#endif
