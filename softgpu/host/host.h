/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Host interface: channels.
 *
 * The owner writes GPFIFO entries (pushbuffer segments in system memory), PUT
 * and the doorbell; doorbell_ns later the channel fetches and executes
 * methods, method_ns each.  Channels run independently of each other.
 *
 * What differs from published hardware, for the manual:
 * - Pushbuffers and semaphores, of the host and of the copy engines, have virtual
 *   addresses (rm_space.h) on the driver's channels; on those of a context DMA addresses
 *   of system memory.  Their walks take no time; one that finds nothing is an error.
 * - Copies and memsets of the driver's channels use physical addresses; a
 *   virtual operand is an error.  Channels of a context have virtual ones too.
 * - A semaphore acquire that is not satisfied blocks its channel (there are no
 *   runlists to switch) and is looked at again after every semaphore release
 *   by this GPU and at the channel's doorbell.
 * - SYNC of a GPFIFO entry changes nothing: no entry is fetched before all methods of those
 *   before it have been executed.
 * - Of control entries there is NOP, which takes no time; all others, conditional fetches and
 *   subroutine levels are errors.
 * - MEM_OP with REPLAY set invalidates first, then replays or cancels.
 * - GPC_DISABLE leaves the GPCs' TLBs alone: nothing else holds translations
 *   here, so the invalidate then has no effect.
 * - CLEAR_FAULTED names the channel by its id; one that has not faulted, or is
 *   gone, is left alone.
 * - The software class runs in the device, not in RM, and its methods take no longer than
 *   others.  Instance blocks are in the GPU's memory and name contexts, so its CLEAR_FAULTED
 *   is for all channels of a context whose fault the driver has fetched.
 *
 * Every unknown method or operand is a channel error: the error word is set,
 * the channel is dead, whoever waits for the GPU is woken.
 */
#ifndef SOFTGPU_HOST_H
#define SOFTGPU_HOST_H

#include <linux/types.h>
#include <softgpu/rm.h>
#include "host/host_types.h"

#define SGPU_CHANNEL_ENTRIES	65536	/* GPFIFO entries at most */

/**
 * sgpu_host_init - make the copy engines that the profile says
 * @gpu: its MMU is up
 *
 * Return: 0 or -ENOMEM.
 */
int sgpu_host_init(struct rm_gpu *gpu);

/**
 * sgpu_host_exit - free them
 * @gpu: every channel is gone by now
 *
 * Context: may sleep.
 */
void sgpu_host_exit(struct rm_gpu *gpu);

/**
 * sgpu_channel_alloc - as rm_channel_alloc(), with virtual operands
 * @gpu: the GPU
 * @engine: kind of copy engine that its copies go to
 * @entries: of its GPFIFO, a power of two, at most SGPU_CHANNEL_ENTRIES
 * @as: address space of the operands, which outlives the channel; NULL: they are physical
 * @channel: out
 *
 * Context: may sleep.
 * Return: 0, -EINVAL, -ENOMEM, or -ENOSPC: a GPU has no more ids for channels with @as.
 */
int sgpu_channel_alloc(struct rm_gpu *gpu, enum rm_engine engine, unsigned int entries,
		       struct sgpu_address_space *as, struct rm_channel **channel);

/**
 * sgpu_host_busy - can a channel or copy engine make progress?
 * @gpu: the GPU
 *
 * Context: any but interrupts; takes sgpu_host.lock.
 * Return: true if so.
 */
bool sgpu_host_busy(struct rm_gpu *gpu);

#endif
