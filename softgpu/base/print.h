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

/**
 * sgpu_print_init - make an empty ring
 * @ring: storage
 *
 * Context: may sleep; the caller's memory cgroup is charged.
 * Return: 0 or -ENOMEM.
 */
int sgpu_print_init(struct sgpu_print_ring *ring);

/**
 * sgpu_print_destroy - free a ring
 * @ring: nobody writes or reads it any more; also one whose @data is NULL
 */
void sgpu_print_destroy(struct sgpu_print_ring *ring);

/**
 * sgpu_print_put - append a message, and wake readers
 * @ring: the ring
 * @text: the message, not terminated
 * @bytes: its length, at most SGPU_FORMAT_BYTES
 *
 * Context: any but interrupts.
 */
void sgpu_print_put(struct sgpu_print_ring *ring, const char *text, size_t bytes);

/**
 * sgpu_print_peek - copy what comes next, and leave it in the ring
 * @ring: the ring
 * @to: where to
 * @bytes: the most to copy
 * @at: out: what it was, for sgpu_print_read()
 *
 * No lock is held between the two, for who copies to a user may have to wait for the simulated
 * device.
 * Context: any but interrupts.
 * Return: bytes copied; 0: there is nothing to read.
 */
size_t sgpu_print_peek(struct sgpu_print_ring *ring, char *to, size_t bytes, u64 *at);

/**
 * sgpu_print_read - take what sgpu_print_peek() has shown
 * @ring: the ring
 * @at: what was seen
 * @bytes: how much of it has been read
 *
 * Context: any but interrupts.
 * Return: true, or false: somebody else has read it meanwhile.
 */
bool sgpu_print_read(struct sgpu_print_ring *ring, u64 at, size_t bytes);

/**
 * sgpu_print_any - is there anything to read?
 * @ring: the ring
 *
 * Context: any but interrupts.
 * Return: true if there is text, or a loss to tell of.
 */
bool sgpu_print_any(struct sgpu_print_ring *ring);

#endif
