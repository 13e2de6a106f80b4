// SPDX-License-Identifier: GPL-2.0
/* The one way of work into a stream: a node of what is captured, or done. */
#include <stdlib.h>
#include <string.h>

#include "graph.h"

/* ---- what a node owns ------------------------------------------------- */

static size_t work_align(size_t bytes)
{
	return (bytes + 15) & ~15UL;
}

/* The list, and behind it what it points to. */
static cudaError_t work_own_arguments(struct rt_kernel_work *k)
{
	const struct rt_function *f = k->function;
	size_t at = work_align(f->param_count * sizeof(void *)), bytes = at;
	void **list;

	for (uint32_t i = 0; i < f->param_count; i++)
		bytes += work_align(f->params[i].bytes);
	list = calloc(1, bytes ? bytes : 1);
	if (!list)
		return cudaErrorMemoryAllocation;
	for (uint32_t i = 0; i < f->param_count; i++) {
		list[i] = (char *)list + at;
		memcpy(list[i], k->args[i], f->params[i].bytes);
		at += work_align(f->params[i].bytes);
	}
	k->args = list;
	return cudaSuccess;
}

static cudaError_t work_own_graph(struct rt_child_work *child, bool listed)
{
	child->exec = NULL;
	child->graph = rt_graph_copy(child->graph, listed);
	if (!child->graph)
		return cudaErrorMemoryAllocation;
	child->graph->owned = true;
	return cudaSuccess;
}

cudaError_t rt_work_copy(struct rt_work *to, const struct rt_work *from, bool listed)
{
	*to = *from;
	to->wait = false;
	switch (to->type) {
	case cudaGraphNodeTypeKernel:
		return work_own_arguments(&to->kernel);
	case cudaGraphNodeTypeGraph:
		return work_own_graph(&to->child, listed);
	case cudaGraphNodeTypeEventRecord:
	case cudaGraphNodeTypeWaitEvent:
		to->event.external = false;
		return cudaSuccess;
	case cudaGraphNodeTypeMemAlloc:
	case cudaGraphNodeTypeMemFree:
		return rt_block_keep(&to->memory);
	default:
		return cudaSuccess;
	}
}

void rt_work_free(struct rt_work *work)
{
	if (work->type == cudaGraphNodeTypeKernel)
		free(work->kernel.args);
	if (work->type == cudaGraphNodeTypeGraph)
		rt_graph_free(work->child.graph);
	if (work->type == cudaGraphNodeTypeMemAlloc || work->type == cudaGraphNodeTypeMemFree)
		rt_block_drop(work->memory.block);
}

/* ---- what can be done ------------------------------------------------- */

cudaError_t rt_work_check(const struct rt_work *work)
{
	switch (work->type) {
	case cudaGraphNodeTypeKernel:
		return rt_launch_check(&work->kernel, work->device);
	case cudaGraphNodeTypeMemcpy:
		return rt_copy_check(&work->copy);
	case cudaGraphNodeTypeMemset:
		return rt_fill_check(&work->fill);
	case cudaGraphNodeTypeEventRecord:
	case cudaGraphNodeTypeWaitEvent:
		return rt_event_check(&work->event);
	case RT_WORK_PREFETCH:
		return rt_prefetch_check(&work->prefetch);
	case RT_WORK_ATTACH:
		return rt_attach_check(&work->attach);
	default:
		return cudaSuccess;
	}
}

/* ---- doing it --------------------------------------------------------- */

/* A launch for another GPU: between what comes before in the stream, and what comes behind. */
static cudaError_t work_launch(const struct rt_work *work, struct CUstream_st *s)
{
	struct CUstream_st side = { .device = work->device, .flags = cudaStreamNonBlocking };
	cudaError_t error;

	if (work->device == s->device)
		return rt_launch_run(&work->kernel, s);
	error = rt_stream_before(s, RT_HOST);
	if (!error)
		error = rt_launch_run(&work->kernel, &side);
	return error ? error : rt_stream_finish(&side);
}

/*
 * A function of the program may not call CUDA, but it may take its time: without the lock.  Meanwhile
 * another thread may destroy whatever it likes, @work too.
 */
static cudaError_t work_call(const struct rt_work *work, struct CUstream_st *s)
{
	const struct rt_work call = *work;
	cudaError_t error = rt_stream_before(s, RT_HOST);

	if (error)
		return error;
	rt_leave(cudaSuccess);
	if (call.type == cudaGraphNodeTypeHost)
		call.host.fn(call.host.userData);
	else
		call.callback.call(call.callback.stream, cudaSuccess, call.callback.arg);
	return rt_enter();
}

cudaError_t rt_work_run(struct rt_run *run, const struct rt_work *work)
{
	struct CUstream_st *s = run->stream;
	cudaError_t error = rt_work_check(work);

	if (error)
		return error;
	switch (work->type) {
	case cudaGraphNodeTypeKernel:
		return work_launch(work, s);
	case cudaGraphNodeTypeMemcpy:
		return rt_copy_run(&work->copy, s, work->wait);
	case cudaGraphNodeTypeMemset:
		return rt_fill_run(&work->fill, s);
	case cudaGraphNodeTypeHost:
	case RT_WORK_CALLBACK:
		return work_call(work, s);
	case cudaGraphNodeTypeGraph:
		return rt_graph_run(&work->child, run);
	case cudaGraphNodeTypeEventRecord:
		return rt_event_record(&work->event, s);
	case cudaGraphNodeTypeWaitEvent:
		return rt_event_wait(&work->event, s);
	case cudaGraphNodeTypeMemAlloc:
		return rt_memory_allocate(&work->memory, run);
	case cudaGraphNodeTypeMemFree:
		return rt_memory_free(&work->memory, run);
	case RT_WORK_PREFETCH:
		return rt_prefetch_run(&work->prefetch, s);
	case RT_WORK_ATTACH:
		/* a hint to GPUs that cannot share memory with the CPU at the same time: this can */
		return rt_capture_refuse(s);
	default:
		return cudaSuccess;
	}
}

cudaError_t rt_submit(cudaStream_t stream, struct rt_work *work)
{
	struct rt_run run = { 0 };
	cudaError_t error = rt_stream(stream, &run.stream);

	if (error)
		return error;
	work->device = work->type == cudaGraphNodeTypeKernel ? run.stream->device : rt_current;
	if (run.stream->capture || rt_event_joins(work))
		return rt_capture_work(run.stream, work);
	return rt_work_run(&run, work);
}
