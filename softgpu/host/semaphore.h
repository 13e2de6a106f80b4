/* SPDX-License-Identifier: GPL-2.0 */
/* Semaphores, for channels and copy engines. */
#ifndef SOFTGPU_SEMAPHORE_H
#define SOFTGPU_SEMAPHORE_H

#include <linux/types.h>

struct rm_channel;

/**
 * sgpu_semaphore_release - write a semaphore; wakes blocked channels and waiters
 * @channel: whose method or copy it is
 * @addr: of the semaphore, as sgpu_channel_mem_get()
 * @payload: what to write
 * @wide: all 64 bits of it
 * @timestamp: 16 bytes, the time (ns) in the upper half, which is there before the payload
 *
 * Context: event, no lock of the host held.
 * Return: 0, or -EFAULT: @addr leads nowhere.
 */
int sgpu_semaphore_release(struct rm_channel *channel, u64 addr, u64 payload, bool wide,
			   bool timestamp);

/**
 * sgpu_semaphore_increment - count in a semaphore; wakes blocked channels and waiters
 * @channel: whose copy it is
 * @addr: of the semaphore, as sgpu_channel_mem_get()
 * @limit: from this on it becomes 0
 *
 * One operation for whoever else increments it.
 * Context: event, no lock of the host held.
 * Return: 0, or -EFAULT: @addr leads nowhere.
 */
int sgpu_semaphore_increment(struct rm_channel *channel, u64 addr, u32 limit);

/**
 * sgpu_semaphore_test - look at the semaphore that a channel's ACQUIRE is for
 * @channel: the channel
 * @satisfied: out
 *
 * Context: any but interrupts; does not sleep, and sgpu_host.lock may be held.
 * Return: 0, or -EFAULT: its address leads nowhere.
 */
int sgpu_semaphore_test(struct rm_channel *channel, bool *satisfied);

#endif
