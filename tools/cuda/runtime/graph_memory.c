// SPDX-License-Identifier: GPL-2.0
/*
 * Memory of graphs.  A node that allocates has its memory from the day it is made, so its address is
 * always the same; launches only say whether it is allocated.  It goes when no node knows it and it is
 * not allocated: what a program has not freed outlives its graphs (CUDA C++ Programming Guide, "Graph
 * Memory Nodes").
 */
#include <stdlib.h>

#include "graph.h"

/**
 * struct rt_block - memory of a node that allocates
 * @next: list
 * @at: where, NULL: it went with a reset
 * @users: nodes that allocate or free it
 * @live: it is allocated
 */
struct rt_block {
	struct rt_block *next;
	void *at;
	unsigned int users;
	bool live;
};

static struct rt_block *block_list;

static struct rt_block *block_of(const void *at)
{
	struct rt_block *b;

	for (b = block_list; b && (!at || b->at != at); b = b->next)
		;
	return b;
}

/* CUDA waits for the GPU before it frees. */
static void block_end(struct rt_block *block)
{
	struct rt_block **link;

	for (link = &block_list; *link != block; link = &(*link)->next)
		;
	*link = block->next;
	if (block->at) {
		rt_finish();
		rt_forget(rt_find(block->at));
	}
	free(block);
}

void rt_block_drop(struct rt_block *block)
{
	if (!--block->users && !(block->live && block->at))
		block_end(block);
}

/* All memory is gone; a graph that is in a function of the program knows its blocks still. */
void rt_blocks_forget(void)
{
	struct rt_block **link = &block_list, *b;

	while ((b = *link)) {
		b->at = NULL;
		if (b->users) {
			link = &b->next;
			continue;
		}
		*link = b->next;
		free(b);
	}
}

static cudaError_t block_new(struct rt_memory_work *m)
{
	struct rt_block *b;
	cudaError_t error;

	if (!m->bytes || !m->out)
		return cudaErrorInvalidValue;
	b = calloc(1, sizeof(*b));
	error = b ? rt_allocate_own(&b->at, m->bytes, m->device) : cudaErrorMemoryAllocation;
	if (error) {
		free(b);
		return error;
	}
	b->next = block_list;
	block_list = b;
	*m->out = b->at;
	m->block = b;
	return cudaSuccess;
}

/* What was allocated before a capture is not the graph's to free. */
cudaError_t rt_block_keep(struct rt_memory_work *m)
{
	cudaError_t error = cudaSuccess;

	if (!m->block && m->at)
		m->block = block_of(m->at);
	if (!m->block)
		error = m->at ? cudaErrorInvalidValue : block_new(m);
	if (!error)
		m->block->users++;
	return error;
}

/* As a pool of one GPU (pool.c). */
cudaError_t rt_work_of_pool(struct rt_work *work, struct cudaMemAllocNodeParams *p)
{
	const struct cudaMemPoolProps *props = p ? &p->poolProps : NULL;

	if (!p || (p->accessDescCount && !p->accessDescs))
		return cudaErrorInvalidValue;
	if (props->allocType != cudaMemAllocationTypePinned || props->handleTypes ||
	    props->location.type != cudaMemLocationTypeDevice)
		return cudaErrorNotSupported;
	if (!rt_device_at(props->location.id))
		return cudaErrorInvalidDevice;
	for (size_t i = 0; i < p->accessDescCount; i++)
		if (p->accessDescs[i].location.id != props->location.id)
			return cudaErrorNotSupported;
	work->type = cudaGraphNodeTypeMemAlloc;
	work->memory = (struct rt_memory_work){
		.out = &p->dptr, .bytes = p->bytesize, .device = props->location.id,
	};
	return cudaSuccess;
}

cudaError_t rt_block_allocate(struct rt_block *block, bool again)
{
	if (block->live && !again)
		return cudaErrorInvalidValue;
	block->live = true;
	return cudaSuccess;
}

cudaError_t rt_block_free(struct rt_block *block)
{
	if (!block->live)
		return cudaErrorInvalidValue;
	block->live = false;
	if (!block->users)
		block_end(block);
	return cudaSuccess;
}

bool rt_is_block(const void *at)
{
	return block_of(at);
}

cudaError_t rt_block_free_at(const void *at)
{
	cudaError_t error = rt_finish();

	return error ? error : rt_block_free(block_of(at));
}

/* ---- the API ---------------------------------------------------------- */

/* What graphs have they need. */
cudaError_t cudaDeviceGraphMemTrim(int device)
{
	cudaError_t error = rt_enter();

	if (!error && !rt_device_at(device))
		error = cudaErrorInvalidDevice;
	return rt_leave(error);
}
