// SPDX-License-Identifier: GPL-2.0
/* Edges of graphs: what comes before what, and what a program asks of that. */
#include "graph.h"

cudaError_t rt_edges_check(const cudaGraphEdgeData *edges, size_t count)
{
	for (size_t i = 0; edges && i < count; i++)
		if (edges[i].from_port || edges[i].to_port || edges[i].type)
			return cudaErrorNotSupported;
	return cudaSuccess;
}

/* ---- changing them ---------------------------------------------------- */

/* Two nodes of the graph, with an edge between them or without one. */
static cudaError_t edge_check(const struct CUgraph_st *graph, cudaGraphNode_t from, cudaGraphNode_t to,
			      bool there)
{
	struct CUgraphNode_st *a = rt_graph_node(from), *b = rt_graph_node(to);

	if (!a || !b || a == b || a->graph != graph || b->graph != graph ||
	    rt_nodes_has(&b->before, a) != there)
		return cudaErrorInvalidValue;
	return cudaSuccess;
}

/* All, or up to the first that cannot be. */
static cudaError_t edges_change(cudaGraph_t handle, const cudaGraphNode_t *from,
				const cudaGraphNode_t *to, const cudaGraphEdgeData *edges,
				size_t count, bool add)
{
	cudaError_t error = rt_enter();
	struct CUgraph_st *graph = error ? NULL : rt_graph(handle);

	if (!error && (!graph || (count && (!from || !to))))
		error = cudaErrorInvalidValue;
	if (!error)
		error = rt_edges_check(edges, count);
	for (size_t i = 0; i < count && !error; i++) {
		error = edge_check(graph, from[i], to[i], !add);
		if (error)
			break;
		if (add && !rt_nodes_add(&to[i]->before, from[i]))
			error = cudaErrorMemoryAllocation;
		else if (!add)
			rt_nodes_drop(&to[i]->before, from[i]);
	}
	return rt_leave(error);
}

cudaError_t cudaGraphAddDependencies_v2(cudaGraph_t graph, const cudaGraphNode_t *from,
					const cudaGraphNode_t *to, const cudaGraphEdgeData *edges,
					size_t count)
{
	return edges_change(graph, from, to, edges, count, true);
}

cudaError_t cudaGraphAddDependencies(cudaGraph_t graph, const cudaGraphNode_t *from,
				     const cudaGraphNode_t *to, size_t count)
{
	return edges_change(graph, from, to, NULL, count, true);
}

cudaError_t cudaGraphRemoveDependencies_v2(cudaGraph_t graph, const cudaGraphNode_t *from,
					   const cudaGraphNode_t *to, const cudaGraphEdgeData *edges,
					   size_t count)
{
	return edges_change(graph, from, to, edges, count, false);
}

cudaError_t cudaGraphRemoveDependencies(cudaGraph_t graph, const cudaGraphNode_t *from,
					const cudaGraphNode_t *to, size_t count)
{
	return edges_change(graph, from, to, NULL, count, false);
}

/* ---- lists ------------------------------------------------------------ */

/**
 * struct edge_list - what a program asks for
 * @from: room for nodes, NULL: it asks how many there are
 * @to: room for others, NULL: there are none
 * @edges: room for what is said of edges, NULL: it does not ask
 * @room: how many fit
 * @count: how many there are
 */
struct edge_list {
	cudaGraphNode_t *from, *to;
	cudaGraphEdgeData *edges;
	size_t room, count;
};

static void list_put(struct edge_list *l, struct CUgraphNode_st *from, struct CUgraphNode_st *to)
{
	size_t at = l->count++;

	if (at >= l->room)
		return;
	if (l->from)
		l->from[at] = from;
	if (l->to)
		l->to[at] = to;
	if (l->edges)
		l->edges[at] = (cudaGraphEdgeData){ 0 };
}

/* Room that is left has no nodes. */
static void list_end(struct edge_list *l, size_t *count)
{
	size_t all = l->count;

	while (l->count < l->room)
		list_put(l, NULL, NULL);
	*count = l->from && all > l->room ? l->room : all;
}

static cudaError_t list_begin(struct edge_list *l, const size_t *count)
{
	cudaError_t error = rt_enter();

	if (!error && !count)
		error = cudaErrorInvalidValue;
	if (!error)
		l->room = l->from ? *count : 0;
	return error;
}

/* Nodes of a graph: all, or those that nothing comes before. */
static cudaError_t list_nodes(cudaGraph_t handle, cudaGraphNode_t *nodes, size_t *count, bool roots)
{
	struct edge_list l = { .from = nodes };
	cudaError_t error = list_begin(&l, count);
	struct CUgraph_st *graph = error ? NULL : rt_graph(handle);
	struct CUgraphNode_st *node;

	if (!error && !graph)
		error = cudaErrorInvalidValue;
	if (error)
		return rt_leave(error);
	for (node = graph->first; node; node = node->next)
		if (!roots || !node->before.count)
			list_put(&l, node, NULL);
	list_end(&l, count);
	return rt_leave(cudaSuccess);
}

cudaError_t cudaGraphGetNodes(cudaGraph_t graph, cudaGraphNode_t *nodes, size_t *count)
{
	return list_nodes(graph, nodes, count, false);
}

cudaError_t cudaGraphGetRootNodes(cudaGraph_t graph, cudaGraphNode_t *nodes, size_t *count)
{
	return list_nodes(graph, nodes, count, true);
}

cudaError_t cudaGraphGetEdges_v2(cudaGraph_t handle, cudaGraphNode_t *from, cudaGraphNode_t *to,
				 cudaGraphEdgeData *edges, size_t *count)
{
	struct edge_list l = { .from = from, .to = to, .edges = edges };
	cudaError_t error = list_begin(&l, count);
	struct CUgraph_st *graph = error ? NULL : rt_graph(handle);
	struct CUgraphNode_st *node;

	if (!error && (!graph || !from != !to))
		error = cudaErrorInvalidValue;
	if (error)
		return rt_leave(error);
	for (node = graph->first; node; node = node->next)
		for (size_t i = 0; i < node->before.count; i++)
			list_put(&l, node->before.list[i], node);
	list_end(&l, count);
	return rt_leave(cudaSuccess);
}

cudaError_t cudaGraphGetEdges(cudaGraph_t graph, cudaGraphNode_t *from, cudaGraphNode_t *to,
			      size_t *count)
{
	return cudaGraphGetEdges_v2(graph, from, to, NULL, count);
}

/* Nodes next to one: before it, or behind it. */
static cudaError_t list_neighbours(cudaGraphNode_t handle, cudaGraphNode_t *nodes,
				   cudaGraphEdgeData *edges, size_t *count, bool behind)
{
	struct edge_list l = { .from = nodes, .edges = edges };
	cudaError_t error = list_begin(&l, count);
	struct CUgraphNode_st *node = error ? NULL : rt_graph_node(handle), *other;

	if (!error && !node)
		error = cudaErrorInvalidValue;
	if (error)
		return rt_leave(error);
	for (other = node->graph->first; other && behind; other = other->next)
		if (rt_nodes_has(&other->before, node))
			list_put(&l, other, NULL);
	for (size_t i = 0; i < node->before.count && !behind; i++)
		list_put(&l, node->before.list[i], NULL);
	list_end(&l, count);
	return rt_leave(cudaSuccess);
}

cudaError_t cudaGraphNodeGetDependencies_v2(cudaGraphNode_t node, cudaGraphNode_t *before,
					    cudaGraphEdgeData *edges, size_t *count)
{
	return list_neighbours(node, before, edges, count, false);
}

cudaError_t cudaGraphNodeGetDependencies(cudaGraphNode_t node, cudaGraphNode_t *before, size_t *count)
{
	return list_neighbours(node, before, NULL, count, false);
}

cudaError_t cudaGraphNodeGetDependentNodes_v2(cudaGraphNode_t node, cudaGraphNode_t *behind,
					      cudaGraphEdgeData *edges, size_t *count)
{
	return list_neighbours(node, behind, edges, count, true);
}

cudaError_t cudaGraphNodeGetDependentNodes(cudaGraphNode_t node, cudaGraphNode_t *behind, size_t *count)
{
	return list_neighbours(node, behind, NULL, count, true);
}
