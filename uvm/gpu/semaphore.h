/* SPDX-License-Identifier: GPL-2.0 */
/*
 * GPU semaphores: 32-bit payloads in system memory that a GPU releases and
 * acquires, and that the CPU reads.
 */
#ifndef UVM_SEMAPHORE_H
#define UVM_SEMAPHORE_H

#include <linux/bitmap.h>
#include "gpu/gpu_memory.h"

#define UVM_SEMAPHORE_BYTES	16
#define UVM_SEMAPHORES_PER_POOL	(PAGE_SIZE / UVM_SEMAPHORE_BYTES)

/**
 * struct uvm_semaphore_pool - one page of semaphores of one GPU
 * @memory: the page
 * @used: which are allocated; the owner serialises allocation
 */
struct uvm_semaphore_pool {
	struct uvm_gpu_memory memory;
	DECLARE_BITMAP(used, UVM_SEMAPHORES_PER_POOL);
};

/**
 * struct uvm_semaphore - one semaphore
 * @payload: CPU mapping
 * @va: where channels find it, virtual
 */
struct uvm_semaphore {
	u32 *payload;
	u64 va;
};

/**
 * uvm_semaphore_pool_init - a page of semaphores
 * @pool: written; all are free
 * @rm: the GPU
 *
 * Context: may sleep.
 * Return: 0 or -ENOMEM.
 */
int uvm_semaphore_pool_init(struct uvm_semaphore_pool *pool, struct rm_gpu *rm);

/**
 * uvm_semaphore_pool_deinit - the reverse of uvm_semaphore_pool_init()
 * @pool: the GPU does not use it any more
 *
 * Context: may sleep.
 */
void uvm_semaphore_pool_deinit(struct uvm_semaphore_pool *pool);

/**
 * uvm_semaphore_alloc - take a semaphore
 * @pool: the page; its owner serialises
 * @sem: out; the payload starts at 0
 *
 * Return: 0, or -ENOMEM: all are taken.
 */
int uvm_semaphore_alloc(struct uvm_semaphore_pool *pool, struct uvm_semaphore *sem);

/**
 * uvm_semaphore_free - give a semaphore back
 * @pool: the page; its owner serialises
 * @sem: the semaphore; nothing happens if it was freed already
 */
void uvm_semaphore_free(struct uvm_semaphore_pool *pool, struct uvm_semaphore *sem);

/**
 * uvm_semaphore_extend - 64-bit value behind a 32-bit payload
 * @last: the value known so far; the payload is at most 2^32 - 1 past it
 * @payload: low 32 bits of the present value
 *
 * Return: the smallest value >= @last with these low bits.
 */
static inline u64 uvm_semaphore_extend(u64 last, u32 payload)
{
	return last + (u32)(payload - (u32)last);
}

#endif
