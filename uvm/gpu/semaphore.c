// SPDX-License-Identifier: GPL-2.0
/*
 * GPU semaphores.
 */
#include <linux/errno.h>
#include <kunit/visibility.h>
#include "gpu/semaphore.h"

int uvm_semaphore_pool_init(struct uvm_semaphore_pool *pool, struct rm_gpu *rm)
{
	bitmap_zero(pool->used, UVM_SEMAPHORES_PER_POOL);
	return uvm_gpu_memory_alloc_channel(rm, PAGE_SIZE, &pool->memory);
}
EXPORT_SYMBOL_IF_KUNIT(uvm_semaphore_pool_init);

void uvm_semaphore_pool_deinit(struct uvm_semaphore_pool *pool)
{
	uvm_gpu_memory_free(&pool->memory);
}
EXPORT_SYMBOL_IF_KUNIT(uvm_semaphore_pool_deinit);

int uvm_semaphore_alloc(struct uvm_semaphore_pool *pool, struct uvm_semaphore *sem)
{
	unsigned long i = find_first_zero_bit(pool->used, UVM_SEMAPHORES_PER_POOL);

	if (i >= UVM_SEMAPHORES_PER_POOL)
		return -ENOMEM;
	__set_bit(i, pool->used);
	sem->payload = pool->memory.cpu + i * UVM_SEMAPHORE_BYTES;
	sem->va = pool->memory.va + i * UVM_SEMAPHORE_BYTES;
	WRITE_ONCE(*sem->payload, 0);
	return 0;
}
EXPORT_SYMBOL_IF_KUNIT(uvm_semaphore_alloc);

void uvm_semaphore_free(struct uvm_semaphore_pool *pool, struct uvm_semaphore *sem)
{
	if (!sem->payload)
		return;
	__clear_bit((sem->va - pool->memory.va) / UVM_SEMAPHORE_BYTES, pool->used);
	sem->payload = NULL;
}
EXPORT_SYMBOL_IF_KUNIT(uvm_semaphore_free);
