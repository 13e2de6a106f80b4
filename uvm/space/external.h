/* SPDX-License-Identifier: GPL-2.0 */
/*
 * External ranges: memory of the resource manager in the page tables of a VA
 * space (nvidia-uvm 6.3).  What is where is external_tree.h; here it is written
 * to the GPU.
 *
 * va_space->external_lock, a simulated lock between va_space->lock and the page
 * trees', protects maps; the tree of ranges is changed under ranges_lock too, so
 * that mmap can look at it.
 *
 * Memory of another GPU is mapped while the two are peers in the VA space.  A map is
 * made under va_space->lock, held for reading from the look at the topology until its
 * entries are written; who changes the topology holds it for writing, and takes the
 * maps away first.
 */
#ifndef UVM_EXTERNAL_H
#define UVM_EXTERNAL_H

#include <linux/types.h>
#include <linux/uvm.h>

struct uvm_gpu;
struct uvm_gpu_va_space;
struct uvm_tracker;
struct uvm_va_space;

/*
 * Semaphores of users: 32-bit words in pinned memory that is mapped for a GPU.
 * va_space->lock held.
 */
int uvm_external_semaphore_check(struct uvm_va_space *va_space, u64 address);
int uvm_external_semaphore_release(struct uvm_va_space *va_space, u64 address, u32 payload,
				   unsigned int gpu, struct uvm_tracker *tracker);

/**
 * uvm_external_remove_gpu - a GPU leaves the VA space
 * @va_space: the VA space
 * @gvs: the GPU's part: its maps go, and those that others have of its memory
 *
 * Context: va_space->lock held for writing; takes external_lock; may sleep and wait for the GPU.
 */
void uvm_external_remove_gpu(struct uvm_va_space *va_space, struct uvm_gpu_va_space *gvs);

/**
 * uvm_external_remove_peer - what a GPU has mapped of another one's memory goes
 * @va_space: the VA space
 * @gvs: the GPU that has mapped it
 * @owner: the GPU whose memory it is
 *
 * Context: va_space->lock held for writing; takes external_lock; may sleep and wait for the GPU.
 * Return: 0, or -EINTR: killed, and some is left.
 */
int uvm_external_remove_peer(struct uvm_va_space *va_space, struct uvm_gpu_va_space *gvs,
			     struct uvm_gpu *owner);

/**
 * uvm_external_free_dead - free maps that a dead channel could not take out of the page tables
 * @gvs: of a GPU that has left its VA space: nobody walks those tables any more
 *
 * Context: may sleep.
 */
void uvm_external_free_dead(struct uvm_gpu_va_space *gvs);

/**
 * uvm_external_forget - a VA space goes, and forgets its ranges
 * @va_space: the VA space; its ranges have no maps any more
 *
 * Context: nobody else knows the VA space.
 */
void uvm_external_forget(struct uvm_va_space *va_space);

#endif
