// SPDX-License-Identifier: GPL-2.0
/*
 * Graphs that run.  Each is a copy of its own, with nodes in an order in which they can run; a launch
 * asks a stream for them one by one.  That is all the order that a program can see.
 */
#include <stdio.h>
#include <stdlib.h>

#include "graph.h"

/**
 * struct CUgraphExec_st - a graph that runs
 * @next: list
 * @graph: what
 * @flags: of cudaGraphInstantiate()
 * @last: stream of the last launch, for the next one comes behind it; NULL: none
 * @busy: launches that are under way, in functions of the program
 * @dead: the program has destroyed it; the last launch that is under way frees it
 */
struct CUgraphExec_st {
	struct CUgraphExec_st *next;
	struct CUgraph_st *graph;
	unsigned long long flags;
	struct CUstream_st *last;
	unsigned int busy;
	bool dead;
};

static struct CUgraphExec_st *exec_list;

static void exec_free(struct CUgraphExec_st *exec)
{
	rt_graph_free(exec->graph);
	free(exec);
}

/* It cannot be named any more, and goes when nobody is in it. */
static void exec_end(struct CUgraphExec_st *exec)
{
	struct CUgraphExec_st **link;

	for (link = &exec_list; *link != exec; link = &(*link)->next)
		;
	*link = exec->next;
	exec->dead = true;
	if (!exec->busy)
		exec_free(exec);
}

void rt_execs_free(void)
{
	while (exec_list)
		exec_end(exec_list);
}

static cudaError_t exec_enter(cudaGraphExec_t handle, struct CUgraphExec_st **exec)
{
	cudaError_t error = rt_enter();

	if (error)
		return error;
	for (*exec = exec_list; *exec && *exec != handle; *exec = (*exec)->next)
		;
	return *exec ? cudaSuccess : cudaErrorInvalidValue;
}

/* ---- instantiation ---------------------------------------------------- */

/* A graph whose nodes wait for each other is none. */
static cudaError_t exec_new(struct CUgraphExec_st **out, cudaGraph_t handle, unsigned long long flags)
{
	const unsigned long long known = cudaGraphInstantiateFlagAutoFreeOnLaunch |
					 cudaGraphInstantiateFlagUpload |
					 cudaGraphInstantiateFlagUseNodePriority;
	struct CUgraph_st *graph = rt_graph(handle), *copy;
	struct CUgraphExec_st *exec;

	if (!out || !graph || graph->captured ||
	    flags & ~(known | cudaGraphInstantiateFlagDeviceLaunch))
		return cudaErrorInvalidValue;
	if (flags & ~known)
		return cudaErrorNotSupported;
	copy = rt_graph_copy(graph, false);
	exec = calloc(1, sizeof(*exec));
	if (!copy || !exec || !rt_graph_sort(copy)) {
		cudaError_t error = copy && exec ? cudaErrorInvalidValue : cudaErrorMemoryAllocation;

		if (copy)
			rt_graph_free(copy);
		free(exec);
		return error;
	}
	exec->graph = copy;
	exec->flags = flags;
	exec->next = exec_list;
	exec_list = exec;
	*out = exec;
	return cudaSuccess;
}

cudaError_t cudaGraphInstantiate(cudaGraphExec_t *exec, cudaGraph_t graph, unsigned long long flags)
{
	cudaError_t error = rt_enter();

	return rt_leave(error ? error : exec_new(exec, graph, flags));
}

cudaError_t cudaGraphInstantiateWithFlags(cudaGraphExec_t *exec, cudaGraph_t graph,
					  unsigned long long flags)
{
	return cudaGraphInstantiate(exec, graph, flags);
}

/* There is nothing to say of one node. */
cudaError_t cudaGraphInstantiate_v1(cudaGraphExec_t *exec, cudaGraph_t graph, cudaGraphNode_t *node,
				    char *log, size_t bytes)
{
	if (node)
		*node = NULL;
	if (log && bytes)
		*log = '\0';
	return cudaGraphInstantiate(exec, graph, 0);
}

cudaError_t cudaGraphInstantiateWithParams(cudaGraphExec_t *exec, cudaGraph_t graph,
					   cudaGraphInstantiateParams *params)
{
	cudaError_t error;

	if (!params)
		return rt_note(cudaErrorInvalidValue);
	error = cudaGraphInstantiate(exec, graph, params->flags);
	params->errNode_out = NULL;
	params->result_out = !error ? cudaGraphInstantiateSuccess :
			     error == cudaErrorInvalidValue ? cudaGraphInstantiateInvalidStructure :
							      cudaGraphInstantiateError;
	return error;
}

cudaError_t cudaGraphExecGetFlags(cudaGraphExec_t handle, unsigned long long *flags)
{
	struct CUgraphExec_st *exec;
	cudaError_t error = exec_enter(handle, &exec);

	if (!error && !flags)
		error = cudaErrorInvalidValue;
	if (!error)
		*flags = exec->flags;
	return rt_leave(error);
}

cudaError_t cudaGraphExecDestroy(cudaGraphExec_t handle)
{
	struct CUgraphExec_st *exec;
	cudaError_t error = exec_enter(handle, &exec);

	if (!error)
		exec_end(exec);
	return rt_leave(error);
}

/* ---- launches --------------------------------------------------------- */

bool rt_exec_allocates_again(const struct CUgraphExec_st *exec)
{
	return exec->flags & cudaGraphInstantiateFlagAutoFreeOnLaunch;
}

/* Who was current when a node was made is so for what it does; not for a function of the program. */
static cudaError_t exec_run_node(struct rt_run *run, const struct rt_work *work)
{
	bool calls = work->type == cudaGraphNodeTypeHost;
	int current = rt_current;
	cudaError_t error;

	if (!calls)
		rt_current = work->device;
	error = rt_work_run(run, work);
	rt_current = current;
	if (!error && calls && (run->exec->dead || !rt_is_stream(run->stream)))
		error = cudaErrorInvalidResourceHandle;
	return error;
}

static cudaError_t exec_run_graph(struct rt_run *run, const struct CUgraph_st *graph)
{
	cudaError_t error = cudaSuccess;
	struct CUgraphNode_st *node;

	for (node = graph->first; node && !error; node = node->next)
		error = exec_run_node(run, &node->work);
	return error;
}

/* Launches of one graph come one after the other, whatever their streams. */
cudaError_t rt_graph_run(const struct rt_child_work *work, struct rt_run *run)
{
	struct CUgraphExec_st *exec = work->exec;
	struct CUstream_st *s = run->stream;
	cudaError_t error;

	if (!exec)
		return exec_run_graph(run, work->graph);
	error = rt_capture_refuse(s);
	if (!error && exec->last != s && exec->last && rt_is_stream(exec->last))
		error = rt_stream_finish(exec->last);
	if (error)
		return error;
	run->exec = exec;
	exec->last = s;
	exec->busy++;
	error = exec_run_graph(run, exec->graph);
	if (!--exec->busy && exec->dead)
		exec_free(exec);
	return error;
}

cudaError_t cudaGraphLaunch(cudaGraphExec_t handle, cudaStream_t stream)
{
	struct rt_work work = { .type = cudaGraphNodeTypeGraph };
	struct CUgraphExec_st *exec;
	cudaError_t error = exec_enter(handle, &exec);

	if (error)
		return rt_leave(error);
	work.child = (struct rt_child_work){ .graph = exec->graph, .exec = exec };
	return rt_leave(rt_submit(stream, &work));
}

/* There is nothing to prepare. */
cudaError_t cudaGraphUpload(cudaGraphExec_t handle, cudaStream_t stream)
{
	struct CUstream_st *s;
	struct CUgraphExec_st *exec;
	cudaError_t error = exec_enter(handle, &exec);

	return rt_leave(error ? error : rt_stream(stream, &s));
}

/* ---- other parameters ------------------------------------------------- */

/* The lock, and what became of a node of the graph that it was made of. */
static cudaError_t exec_enter_node(cudaGraphExec_t handle, cudaGraphNode_t original,
				   enum cudaGraphNodeType type, struct CUgraphNode_st **node,
				   struct rt_work *work)
{
	struct CUgraphExec_st *exec;
	cudaError_t error = exec_enter(handle, &exec);
	struct CUgraphNode_st *named = error ? NULL : rt_graph_node(original);

	*node = named ? rt_graph_find_copy(exec->graph, named->id, true) : NULL;
	if (!error && (!*node || (*node)->work.type != type))
		error = cudaErrorInvalidValue;
	*work = (struct rt_work){ .type = cudaGraphNodeTypeEmpty };
	if (!error)
		work->device = (*node)->work.device;
	return error;
}

cudaError_t cudaGraphExecKernelNodeSetParams(cudaGraphExec_t exec, cudaGraphNode_t original,
					     const struct cudaKernelNodeParams *params)
{
	struct CUgraphNode_st *node;
	struct rt_work work;
	cudaError_t error = exec_enter_node(exec, original, cudaGraphNodeTypeKernel, &node, &work);

	if (!error)
		error = rt_work_of_kernel(&work, params, work.device);
	if (error)
		return rt_leave(error);
	work.kernel.launch.together = node->work.kernel.launch.together;
	return rt_leave(rt_work_replace(node, &work));
}

cudaError_t cudaGraphExecMemcpyNodeSetParams(cudaGraphExec_t exec, cudaGraphNode_t original,
					     const struct cudaMemcpy3DParms *params)
{
	struct CUgraphNode_st *node;
	struct rt_work work;
	cudaError_t error = exec_enter_node(exec, original, cudaGraphNodeTypeMemcpy, &node, &work);

	if (!error)
		error = rt_work_of_copy(&work, params);
	return rt_leave(error ? error : rt_work_replace(node, &work));
}

cudaError_t cudaGraphExecMemcpyNodeSetParams1D(cudaGraphExec_t exec, cudaGraphNode_t original, void *dst,
					       const void *src, size_t bytes, enum cudaMemcpyKind kind)
{
	struct CUgraphNode_st *node;
	struct rt_work work;
	cudaError_t error = exec_enter_node(exec, original, cudaGraphNodeTypeMemcpy, &node, &work);

	if (!error)
		error = rt_work_of_flat(&work, dst, src, bytes, kind);
	return rt_leave(error ? error : rt_work_replace(node, &work));
}

cudaError_t cudaGraphExecMemsetNodeSetParams(cudaGraphExec_t exec, cudaGraphNode_t original,
					     const struct cudaMemsetParams *params)
{
	struct CUgraphNode_st *node;
	struct rt_work work;
	cudaError_t error = exec_enter_node(exec, original, cudaGraphNodeTypeMemset, &node, &work);

	if (!error)
		error = rt_work_of_fill(&work, params);
	return rt_leave(error ? error : rt_work_replace(node, &work));
}

cudaError_t cudaGraphExecHostNodeSetParams(cudaGraphExec_t exec, cudaGraphNode_t original,
					   const struct cudaHostNodeParams *params)
{
	struct CUgraphNode_st *node;
	struct rt_work work;
	cudaError_t error = exec_enter_node(exec, original, cudaGraphNodeTypeHost, &node, &work);

	if (!error)
		error = rt_work_of_host(&work, params);
	return rt_leave(error ? error : rt_work_replace(node, &work));
}

/* ---- another graph of the same shape ---------------------------------- */

/* Places of nodes are those of rt_graph_sort(), which both graphs went through. */
static bool update_same_edges(const struct CUgraphNode_st *a, const struct CUgraphNode_st *b)
{
	size_t found = 0;

	if (a->before.count != b->before.count)
		return false;
	for (size_t i = 0; i < a->before.count; i++)
		for (size_t j = 0; j < b->before.count; j++)
			found += a->before.list[i]->index == b->before.list[j]->index;
	return found == a->before.count;
}

static enum cudaGraphExecUpdateResult update_compare(const struct CUgraph_st *old,
						     const struct CUgraph_st *new,
						     const struct CUgraphNode_st **at)
{
	const struct CUgraphNode_st *a = old->first, *b = new->first;
	enum cudaGraphExecUpdateResult result = cudaGraphExecUpdateSuccess;

	*at = NULL;
	if (old->count != new->count)
		return cudaGraphExecUpdateErrorTopologyChanged;
	for (; a && !result; a = a->next, b = b->next) {
		*at = b;
		if (a->work.type != b->work.type)
			return cudaGraphExecUpdateErrorNodeTypeChanged;
		if (!update_same_edges(a, b))
			return cudaGraphExecUpdateErrorTopologyChanged;
		if (a->work.type == cudaGraphNodeTypeGraph)
			result = update_compare(a->work.child.graph, b->work.child.graph, at);
		else if (a->work.type == cudaGraphNodeTypeKernel &&
			 a->work.device != b->work.device)
			result = cudaGraphExecUpdateErrorUnsupportedFunctionChange;
		else if (a->work.type == cudaGraphNodeTypeMemAlloc ||
			 a->work.type == cudaGraphNodeTypeMemFree)
			result = cudaGraphExecUpdateErrorNotSupported;
	}
	return result;
}

/* What the new one's nodes do goes to the old one's; the new one gets theirs. */
static void update_take(struct CUgraph_st *old, struct CUgraph_st *new)
{
	struct CUgraphNode_st *a, *b;

	for (a = old->first, b = new->first; a; a = a->next, b = b->next) {
		struct rt_work work = a->work;

		if (work.type == cudaGraphNodeTypeGraph) {
			update_take(work.child.graph, b->work.child.graph);
			continue;
		}
		a->work = b->work;
		b->work = work;
	}
}

static cudaError_t exec_update(struct CUgraphExec_st *exec, const struct CUgraph_st *graph,
			       cudaGraphExecUpdateResultInfo *info)
{
	struct CUgraph_st *copy = rt_graph_copy(graph, false);
	const struct CUgraphNode_st *at = NULL;

	if (!copy)
		return cudaErrorMemoryAllocation;
	info->result = cudaGraphExecUpdateErrorTopologyChanged;
	if (rt_graph_sort(copy))
		info->result = update_compare(exec->graph, copy, &at);
	if (info->result == cudaGraphExecUpdateSuccess)
		update_take(exec->graph, copy);
	for (struct CUgraphNode_st *node = graph->first; node && at && info->result; node = node->next)
		if (node->id == at->origin)
			info->errorNode = node;
	rt_graph_free(copy);
	return info->result ? cudaErrorGraphExecUpdateFailure : cudaSuccess;
}

cudaError_t cudaGraphExecUpdate(cudaGraphExec_t handle, cudaGraph_t graph,
				cudaGraphExecUpdateResultInfo *info)
{
	cudaGraphExecUpdateResultInfo unasked;
	struct CUgraphExec_st *exec;
	cudaError_t error = exec_enter(handle, &exec);
	struct CUgraph_st *of = error ? NULL : rt_graph(graph);

	if (!info)
		info = &unasked;
	*info = (cudaGraphExecUpdateResultInfo){ .result = cudaGraphExecUpdateError };
	if (!error && (!of || of->captured || exec->busy))
		error = cudaErrorInvalidValue;
	return rt_leave(error ? error : exec_update(exec, of, info));
}

cudaError_t cudaGraphExecUpdate_v1(cudaGraphExec_t exec, cudaGraph_t graph, cudaGraphNode_t *node,
				   enum cudaGraphExecUpdateResult *result)
{
	cudaGraphExecUpdateResultInfo info;
	cudaError_t error = cudaGraphExecUpdate(exec, graph, &info);

	if (node)
		*node = info.errorNode;
	if (result)
		*result = info.result;
	return error;
}
