// SPDX-License-Identifier: GPL-2.0
/* Graphs and their nodes, as the API makes, changes and copies them. */
#include <stdlib.h>

#include "graph.h"

/* ---- what parameters ask for ------------------------------------------ */

cudaError_t rt_work_of_kernel(struct rt_work *work, const struct cudaKernelNodeParams *p, int device)
{
	const struct rt_function *f = p ? rt_function(p->func) : NULL;

	if (!p)
		return cudaErrorInvalidValue;
	if (!f || !f->entry[0])
		return cudaErrorInvalidDeviceFunction;
	if (p->extra)
		return cudaErrorNotSupported;
	work->type = cudaGraphNodeTypeKernel;
	work->device = device;
	work->kernel = (struct rt_kernel_work){ .function = f, .args = p->kernelParams, .launch = {
		.grid = p->gridDim, .block = p->blockDim, .shared = p->sharedMemBytes } };
	return cudaSuccess;
}

cudaError_t rt_work_of_copy(struct rt_work *work, const struct cudaMemcpy3DParms *p)
{
	work->type = cudaGraphNodeTypeMemcpy;
	return p ? rt_copy_box(p, &work->copy) : cudaErrorInvalidValue;
}

cudaError_t rt_work_of_flat(struct rt_work *work, void *dst, const void *src, size_t bytes,
			    enum cudaMemcpyKind kind)
{
	work->type = cudaGraphNodeTypeMemcpy;
	work->copy = rt_copy_flat(dst, src, bytes, kind);
	return cudaSuccess;
}

cudaError_t rt_work_of_fill(struct rt_work *work, const struct cudaMemsetParams *p)
{
	struct rt_fill_job *job = &work->fill;

	if (!p || (p->elementSize != 1 && p->elementSize != 2 && p->elementSize != 4) ||
	    p->width > SIZE_MAX / p->elementSize)
		return cudaErrorInvalidValue;
	work->type = cudaGraphNodeTypeMemset;
	*job = (struct rt_fill_job){
		.ptr = p->dst, .pitch = p->pitch, .value = p->value, .element = p->elementSize,
		.width = p->width * p->elementSize, .height = p->height,
	};
	return cudaSuccess;
}

cudaError_t rt_work_of_host(struct rt_work *work, const struct cudaHostNodeParams *p)
{
	if (!p || !p->fn)
		return cudaErrorInvalidValue;
	work->type = cudaGraphNodeTypeHost;
	work->host = *p;
	return cudaSuccess;
}

static cudaError_t work_of_event(struct rt_work *work, enum cudaGraphNodeType type, cudaEvent_t event)
{
	work->type = type;
	work->event.event = event;
	return cudaSuccess;
}

static cudaError_t work_of_child(struct rt_work *work, cudaGraph_t child)
{
	struct CUgraph_st *graph = rt_graph(child);

	if (!graph || graph->captured)
		return cudaErrorInvalidValue;
	work->type = cudaGraphNodeTypeGraph;
	work->child.graph = graph;
	return cudaSuccess;
}

static cudaError_t work_of_free(struct rt_work *work, const void *at)
{
	work->type = cudaGraphNodeTypeMemFree;
	work->memory.at = at;
	return cudaSuccess;
}

/* The child is copied, so the caller's may not be given away. */
static cudaError_t work_of_any(struct rt_work *work, struct cudaGraphNodeParams *p)
{
	switch (p->type) {
	case cudaGraphNodeTypeKernel:
		return rt_work_of_kernel(work, &p->kernel, rt_current);
	case cudaGraphNodeTypeMemcpy:
		return rt_work_of_copy(work, &p->memcpy.copyParams);
	case cudaGraphNodeTypeMemset:
		return rt_work_of_fill(work, &p->memset);
	case cudaGraphNodeTypeHost:
		return rt_work_of_host(work, &p->host);
	case cudaGraphNodeTypeGraph:
		return p->graph.ownership ? cudaErrorNotSupported :
					    work_of_child(work, p->graph.graph);
	case cudaGraphNodeTypeEmpty:
		work->type = p->type;
		return cudaSuccess;
	case cudaGraphNodeTypeWaitEvent:
		return work_of_event(work, p->type, p->eventWait.event);
	case cudaGraphNodeTypeEventRecord:
		return work_of_event(work, p->type, p->eventRecord.event);
	case cudaGraphNodeTypeMemAlloc:
		return rt_work_of_pool(work, &p->alloc);
	case cudaGraphNodeTypeMemFree:
		return work_of_free(work, p->free.dptr);
	default:
		return cudaErrorNotSupported;
	}
}

cudaError_t rt_work_replace(struct CUgraphNode_st *node, const struct rt_work *work)
{
	cudaError_t error = rt_work_check(work);
	struct rt_work own;

	if (!error && node->work.type != work->type)
		error = cudaErrorInvalidValue;
	if (!error)
		error = rt_work_copy(&own, work, node->graph->listed);
	if (error)
		return error;
	rt_work_free(&node->work);
	node->work = own;
	return cudaSuccess;
}

/* ---- adding nodes ----------------------------------------------------- */

cudaError_t rt_nodes_check(const struct CUgraph_st *graph, const cudaGraphNode_t *list, size_t count)
{
	if (count && !list)
		return cudaErrorInvalidValue;
	for (size_t i = 0; i < count; i++) {
		struct CUgraphNode_st *node = rt_graph_node(list[i]);

		if (!node || node->graph != graph)
			return cudaErrorInvalidValue;
		for (size_t j = 0; j < i; j++)
			if (list[j] == node)
				return cudaErrorInvalidValue;
	}
	return cudaSuccess;
}

/**
 * struct graph_place - where a node goes
 * @out: for its handle
 * @graph: to which graph
 * @before: behind which nodes
 * @count: of them
 */
struct graph_place {
	cudaGraphNode_t *out;
	cudaGraph_t graph;
	const cudaGraphNode_t *before;
	size_t count;
};

/* The lock, and may a node go there? */
static cudaError_t graph_enter(const struct graph_place *place, struct rt_work *work)
{
	cudaError_t error = rt_enter();
	struct CUgraph_st *graph = error ? NULL : rt_graph(place->graph);

	*work = (struct rt_work){ .type = cudaGraphNodeTypeEmpty, .device = rt_current };
	if (!error && (!place->out || !graph))
		error = cudaErrorInvalidValue;
	return error ? error : rt_nodes_check(graph, place->before, place->count);
}

static cudaError_t graph_leave(const struct graph_place *place, const struct rt_work *work,
			       cudaError_t error)
{
	if (!error)
		error = rt_work_check(work);
	if (!error)
		error = rt_graph_add(place->graph, work, place->before, place->count, place->out);
	return rt_leave(error);
}

cudaError_t cudaGraphAddKernelNode(cudaGraphNode_t *node, cudaGraph_t graph,
				   const cudaGraphNode_t *before, size_t count,
				   const struct cudaKernelNodeParams *params)
{
	const struct graph_place place = { node, graph, before, count };
	struct rt_work work;
	cudaError_t error = graph_enter(&place, &work);

	return graph_leave(&place, &work,
			   error ? error : rt_work_of_kernel(&work, params, rt_current));
}

cudaError_t cudaGraphAddMemcpyNode(cudaGraphNode_t *node, cudaGraph_t graph,
				   const cudaGraphNode_t *before, size_t count,
				   const struct cudaMemcpy3DParms *params)
{
	const struct graph_place place = { node, graph, before, count };
	struct rt_work work;
	cudaError_t error = graph_enter(&place, &work);

	return graph_leave(&place, &work, error ? error : rt_work_of_copy(&work, params));
}

cudaError_t cudaGraphAddMemcpyNode1D(cudaGraphNode_t *node, cudaGraph_t graph,
				     const cudaGraphNode_t *before, size_t count, void *dst,
				     const void *src, size_t bytes, enum cudaMemcpyKind kind)
{
	const struct graph_place place = { node, graph, before, count };
	struct rt_work work;
	cudaError_t error = graph_enter(&place, &work);

	return graph_leave(&place, &work,
			   error ? error : rt_work_of_flat(&work, dst, src, bytes, kind));
}

static cudaError_t graph_add_symbol(const struct graph_place *place, const void *symbol, char *other,
				    size_t bytes, size_t offset, enum cudaMemcpyKind kind, bool to)
{
	struct rt_work work;
	cudaError_t error = graph_enter(place, &work);

	work.type = cudaGraphNodeTypeMemcpy;
	if (!error)
		error = rt_copy_symbol(symbol, other, bytes, offset, kind, to, &work.copy);
	return graph_leave(place, &work, error);
}

cudaError_t cudaGraphAddMemcpyNodeToSymbol(cudaGraphNode_t *node, cudaGraph_t graph,
					   const cudaGraphNode_t *before, size_t count,
					   const void *symbol, const void *src, size_t bytes,
					   size_t offset, enum cudaMemcpyKind kind)
{
	const struct graph_place place = { node, graph, before, count };

	return graph_add_symbol(&place, symbol, (char *)src, bytes, offset, kind, true);
}

cudaError_t cudaGraphAddMemcpyNodeFromSymbol(cudaGraphNode_t *node, cudaGraph_t graph,
					     const cudaGraphNode_t *before, size_t count, void *dst,
					     const void *symbol, size_t bytes, size_t offset,
					     enum cudaMemcpyKind kind)
{
	const struct graph_place place = { node, graph, before, count };

	return graph_add_symbol(&place, symbol, dst, bytes, offset, kind, false);
}

cudaError_t cudaGraphAddMemsetNode(cudaGraphNode_t *node, cudaGraph_t graph,
				   const cudaGraphNode_t *before, size_t count,
				   const struct cudaMemsetParams *params)
{
	const struct graph_place place = { node, graph, before, count };
	struct rt_work work;
	cudaError_t error = graph_enter(&place, &work);

	return graph_leave(&place, &work, error ? error : rt_work_of_fill(&work, params));
}

cudaError_t cudaGraphAddHostNode(cudaGraphNode_t *node, cudaGraph_t graph,
				 const cudaGraphNode_t *before, size_t count,
				 const struct cudaHostNodeParams *params)
{
	const struct graph_place place = { node, graph, before, count };
	struct rt_work work;
	cudaError_t error = graph_enter(&place, &work);

	return graph_leave(&place, &work, error ? error : rt_work_of_host(&work, params));
}

cudaError_t cudaGraphAddChildGraphNode(cudaGraphNode_t *node, cudaGraph_t graph,
				       const cudaGraphNode_t *before, size_t count, cudaGraph_t child)
{
	const struct graph_place place = { node, graph, before, count };
	struct rt_work work;
	cudaError_t error = graph_enter(&place, &work);

	return graph_leave(&place, &work, error ? error : work_of_child(&work, child));
}

cudaError_t cudaGraphAddEmptyNode(cudaGraphNode_t *node, cudaGraph_t graph,
				  const cudaGraphNode_t *before, size_t count)
{
	const struct graph_place place = { node, graph, before, count };
	struct rt_work work;
	cudaError_t error = graph_enter(&place, &work);

	return graph_leave(&place, &work, error);
}

static cudaError_t graph_add_event(const struct graph_place *place, enum cudaGraphNodeType type,
				   cudaEvent_t event)
{
	struct rt_work work;
	cudaError_t error = graph_enter(place, &work);

	return graph_leave(place, &work, error ? error : work_of_event(&work, type, event));
}

cudaError_t cudaGraphAddEventRecordNode(cudaGraphNode_t *node, cudaGraph_t graph,
					const cudaGraphNode_t *before, size_t count, cudaEvent_t event)
{
	const struct graph_place place = { node, graph, before, count };

	return graph_add_event(&place, cudaGraphNodeTypeEventRecord, event);
}

cudaError_t cudaGraphAddEventWaitNode(cudaGraphNode_t *node, cudaGraph_t graph,
				      const cudaGraphNode_t *before, size_t count, cudaEvent_t event)
{
	const struct graph_place place = { node, graph, before, count };

	return graph_add_event(&place, cudaGraphNodeTypeWaitEvent, event);
}

cudaError_t cudaGraphAddMemAllocNode(cudaGraphNode_t *node, cudaGraph_t graph,
				     const cudaGraphNode_t *before, size_t count,
				     struct cudaMemAllocNodeParams *params)
{
	const struct graph_place place = { node, graph, before, count };
	struct rt_work work;
	cudaError_t error = graph_enter(&place, &work);

	return graph_leave(&place, &work, error ? error : rt_work_of_pool(&work, params));
}

cudaError_t cudaGraphAddMemFreeNode(cudaGraphNode_t *node, cudaGraph_t graph,
				    const cudaGraphNode_t *before, size_t count, void *ptr)
{
	const struct graph_place place = { node, graph, before, count };
	struct rt_work work;
	cudaError_t error = graph_enter(&place, &work);

	return graph_leave(&place, &work, error ? error : work_of_free(&work, ptr));
}

cudaError_t cudaGraphAddNode_v2(cudaGraphNode_t *node, cudaGraph_t graph,
				const cudaGraphNode_t *before, const cudaGraphEdgeData *edges,
				size_t count, struct cudaGraphNodeParams *params)
{
	const struct graph_place place = { node, graph, before, count };
	struct rt_work work;
	cudaError_t error = graph_enter(&place, &work);

	if (!error && !params)
		error = cudaErrorInvalidValue;
	if (!error)
		error = rt_edges_check(edges, count);
	error = graph_leave(&place, &work, error ? error : work_of_any(&work, params));
	/* the program gets the node's own child */
	if (!error && work.type == cudaGraphNodeTypeGraph)
		params->graph.graph = (*node)->work.child.graph;
	return error;
}

cudaError_t cudaGraphAddNode(cudaGraphNode_t *node, cudaGraph_t graph, const cudaGraphNode_t *before,
			     size_t count, struct cudaGraphNodeParams *params)
{
	return cudaGraphAddNode_v2(node, graph, before, NULL, count, params);
}

/* ---- nodes that are there --------------------------------------------- */

/* The lock, and a node of a type; any type: cudaGraphNodeTypeCount. */
static cudaError_t node_enter(cudaGraphNode_t handle, enum cudaGraphNodeType type, const void *out,
			      struct CUgraphNode_st **node)
{
	cudaError_t error = rt_enter();

	*node = error ? NULL : rt_graph_node(handle);
	if (error)
		return error;
	if (!*node || !out || (type != cudaGraphNodeTypeCount && (*node)->work.type != type))
		return cudaErrorInvalidValue;
	return cudaSuccess;
}

cudaError_t cudaGraphNodeGetType(cudaGraphNode_t handle, enum cudaGraphNodeType *type)
{
	struct CUgraphNode_st *node;
	cudaError_t error = node_enter(handle, cudaGraphNodeTypeCount, type, &node);

	if (!error)
		*type = node->work.type;
	return rt_leave(error);
}

cudaError_t cudaGraphKernelNodeGetParams(cudaGraphNode_t handle, struct cudaKernelNodeParams *params)
{
	struct CUgraphNode_st *node;
	cudaError_t error = node_enter(handle, cudaGraphNodeTypeKernel, params, &node);
	const struct rt_kernel_work *k = error ? NULL : &node->work.kernel;

	if (!error)
		*params = (struct cudaKernelNodeParams){
			.func = (void *)k->function->host, .gridDim = k->launch.grid,
			.blockDim = k->launch.block, .kernelParams = k->args,
			.sharedMemBytes = (unsigned int)k->launch.shared,
		};
	return rt_leave(error);
}

/* The node stays a cooperative launch if it is one. */
cudaError_t cudaGraphKernelNodeSetParams(cudaGraphNode_t handle,
					 const struct cudaKernelNodeParams *params)
{
	struct CUgraphNode_st *node;
	cudaError_t error = node_enter(handle, cudaGraphNodeTypeKernel, params, &node);
	struct rt_work work = { .type = cudaGraphNodeTypeEmpty };

	if (!error)
		error = rt_work_of_kernel(&work, params, node->work.device);
	if (error)
		return rt_leave(error);
	work.kernel.launch.together = node->work.kernel.launch.together;
	return rt_leave(rt_work_replace(node, &work));
}

cudaError_t cudaGraphMemcpyNodeSetParams(cudaGraphNode_t handle, const struct cudaMemcpy3DParms *params)
{
	struct CUgraphNode_st *node;
	cudaError_t error = node_enter(handle, cudaGraphNodeTypeMemcpy, params, &node);
	struct rt_work work = { .device = error ? 0 : node->work.device };

	if (!error)
		error = rt_work_of_copy(&work, params);
	return rt_leave(error ? error : rt_work_replace(node, &work));
}

cudaError_t cudaGraphMemcpyNodeSetParams1D(cudaGraphNode_t handle, void *dst, const void *src,
					   size_t bytes, enum cudaMemcpyKind kind)
{
	struct CUgraphNode_st *node;
	cudaError_t error = node_enter(handle, cudaGraphNodeTypeMemcpy, dst, &node);
	struct rt_work work = { .device = error ? 0 : node->work.device };

	if (!error)
		error = rt_work_of_flat(&work, dst, src, bytes, kind);
	return rt_leave(error ? error : rt_work_replace(node, &work));
}

cudaError_t cudaGraphMemsetNodeGetParams(cudaGraphNode_t handle, struct cudaMemsetParams *params)
{
	struct CUgraphNode_st *node;
	cudaError_t error = node_enter(handle, cudaGraphNodeTypeMemset, params, &node);
	const struct rt_fill_job *job = error ? NULL : &node->work.fill;

	if (!error)
		*params = (struct cudaMemsetParams){
			.dst = job->ptr, .pitch = job->pitch, .value = job->value,
			.elementSize = job->element, .width = job->width / job->element,
			.height = job->height,
		};
	return rt_leave(error);
}

cudaError_t cudaGraphMemsetNodeSetParams(cudaGraphNode_t handle, const struct cudaMemsetParams *params)
{
	struct CUgraphNode_st *node;
	cudaError_t error = node_enter(handle, cudaGraphNodeTypeMemset, params, &node);
	struct rt_work work = { .device = error ? 0 : node->work.device };

	if (!error)
		error = rt_work_of_fill(&work, params);
	return rt_leave(error ? error : rt_work_replace(node, &work));
}

cudaError_t cudaGraphHostNodeGetParams(cudaGraphNode_t handle, struct cudaHostNodeParams *params)
{
	struct CUgraphNode_st *node;
	cudaError_t error = node_enter(handle, cudaGraphNodeTypeHost, params, &node);

	if (!error)
		*params = node->work.host;
	return rt_leave(error);
}

cudaError_t cudaGraphHostNodeSetParams(cudaGraphNode_t handle, const struct cudaHostNodeParams *params)
{
	struct CUgraphNode_st *node;
	cudaError_t error = node_enter(handle, cudaGraphNodeTypeHost, params, &node);
	struct rt_work work = { .device = error ? 0 : node->work.device };

	if (!error)
		error = rt_work_of_host(&work, params);
	return rt_leave(error ? error : rt_work_replace(node, &work));
}

cudaError_t cudaGraphChildGraphNodeGetGraph(cudaGraphNode_t handle, cudaGraph_t *graph)
{
	struct CUgraphNode_st *node;
	cudaError_t error = node_enter(handle, cudaGraphNodeTypeGraph, graph, &node);

	if (!error)
		*graph = node->work.child.graph;
	return rt_leave(error);
}

/* Not from a capture, whose streams and events know it. */
cudaError_t cudaGraphDestroyNode(cudaGraphNode_t handle)
{
	struct CUgraphNode_st *node;
	cudaError_t error = node_enter(handle, cudaGraphNodeTypeCount, handle, &node);

	if (!error && node->graph->captured)
		error = cudaErrorInvalidValue;
	if (!error)
		rt_graph_remove(node);
	return rt_leave(error);
}

/* ---- graphs ----------------------------------------------------------- */

/* The lock, and a graph that no capture has. */
static cudaError_t graph_enter_whole(cudaGraph_t handle, struct CUgraph_st **graph)
{
	cudaError_t error = rt_enter();

	*graph = error ? NULL : rt_graph(handle);
	if (error)
		return error;
	return *graph && !(*graph)->captured ? cudaSuccess : cudaErrorInvalidValue;
}

cudaError_t cudaGraphCreate(cudaGraph_t *graph, unsigned int flags)
{
	struct CUgraph_st *made;
	cudaError_t error = rt_enter();

	if (!error && (!graph || flags))
		error = cudaErrorInvalidValue;
	made = error ? NULL : rt_graph_new(true);
	if (!error && !made)
		error = cudaErrorMemoryAllocation;
	if (!error)
		*graph = made;
	return rt_leave(error);
}

cudaError_t cudaGraphDestroy(cudaGraph_t handle)
{
	struct CUgraph_st *graph;
	cudaError_t error = graph_enter_whole(handle, &graph);

	if (!error && graph->owned)
		error = cudaErrorInvalidValue;
	if (!error)
		rt_graph_free(graph);
	return rt_leave(error);
}

cudaError_t cudaGraphClone(cudaGraph_t *clone, cudaGraph_t handle)
{
	struct CUgraph_st *graph, *copy;
	cudaError_t error = graph_enter_whole(handle, &graph);

	if (!error && !clone)
		error = cudaErrorInvalidValue;
	copy = error ? NULL : rt_graph_copy(graph, true);
	if (!error && !copy)
		error = cudaErrorMemoryAllocation;
	if (!error)
		*clone = copy;
	return rt_leave(error);
}

cudaError_t cudaGraphNodeFindInClone(cudaGraphNode_t *out, cudaGraphNode_t original, cudaGraph_t handle)
{
	struct CUgraphNode_st *node, *found = NULL;
	cudaError_t error = node_enter(original, cudaGraphNodeTypeCount, out, &node);
	struct CUgraph_st *clone = error ? NULL : rt_graph(handle);

	if (clone)
		found = rt_graph_find_copy(clone, node->id, false);
	if (!error && !found)
		error = cudaErrorInvalidValue;
	if (!error)
		*out = found;
	return rt_leave(error);
}
