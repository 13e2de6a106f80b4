// SPDX-License-Identifier: GPL-2.0
/* What graphs are made of: sets of nodes, what nodes do, copies of graphs, and an order to run in. */
#include <stdlib.h>
#include <string.h>

#include "graph.h"

static struct CUgraph_st *graph_list;
static uint64_t graph_ids;

/* ---- sets of nodes ---------------------------------------------------- */

bool rt_nodes_has(const struct rt_nodes *set, const struct CUgraphNode_st *node)
{
	for (size_t i = 0; i < set->count; i++)
		if (set->list[i] == node)
			return true;
	return false;
}

void rt_nodes_add(struct rt_nodes *set, struct CUgraphNode_st *node)
{
	if (rt_nodes_has(set, node))
		return;
	if (set->count == set->room) {
		set->room = set->room ? 2 * set->room : 4;
		set->list = realloc(set->list, set->room * sizeof(*set->list));
	}
	set->list[set->count++] = node;
}

void rt_nodes_join(struct rt_nodes *set, const struct rt_nodes *other)
{
	for (size_t i = 0; i < other->count; i++)
		rt_nodes_add(set, other->list[i]);
}

void rt_nodes_drop(struct rt_nodes *set, const struct CUgraphNode_st *node)
{
	size_t kept = 0;

	for (size_t i = 0; i < set->count; i++)
		if (set->list[i] != node)
			set->list[kept++] = set->list[i];
	set->count = kept;
}

void rt_nodes_clear(struct rt_nodes *set)
{
	free(set->list);
	*set = (struct rt_nodes){ 0 };
}

/* ---- what nodes do ---------------------------------------------------- */

static size_t work_align(size_t bytes)
{
	return (bytes + 15) & ~15UL;
}

/* The list, and behind it what it points to. */
static void **work_arguments(const struct rt_function *f, void **args)
{
	size_t at = work_align(f->param_count * sizeof(void *)), bytes = at;
	void **list;

	for (uint32_t i = 0; i < f->param_count; i++)
		bytes += work_align(f->params[i].bytes);
	list = calloc(1, bytes ? bytes : 1);
	for (uint32_t i = 0; i < f->param_count; i++) {
		list[i] = (char *)list + at;
		memcpy(list[i], args[i], f->params[i].bytes);
		at += work_align(f->params[i].bytes);
	}
	return list;
}

cudaError_t rt_work_launch(struct rt_work *work, const struct rt_function *f,
			   const struct rt_launch *l, void **args)
{
	cudaError_t error = rt_launch_check(f, l, work->device);

	if (!error && f->param_count && !args)
		error = cudaErrorInvalidValue;
	for (uint32_t i = 0; i < f->param_count && !error; i++)
		if (!args[i])
			error = cudaErrorInvalidValue;
	if (error)
		return error;
	work->type = cudaGraphNodeTypeKernel;
	work->kernel = (struct rt_kernel_work){
		.function = f, .launch = *l, .args = work_arguments(f, args),
	};
	return cudaSuccess;
}

void rt_work_free(struct rt_work *work)
{
	if (work->type == cudaGraphNodeTypeKernel)
		free(work->kernel.args);
	if (work->type == cudaGraphNodeTypeGraph)
		rt_graph_free(work->child);
	if (work->type == cudaGraphNodeTypeMemAlloc || work->type == cudaGraphNodeTypeMemFree)
		rt_block_drop(work->block);
}

/* Another one that holds the same. */
static struct rt_work work_copy(const struct rt_work *work, bool listed)
{
	struct rt_work copy = *work;

	if (work->type == cudaGraphNodeTypeKernel)
		copy.kernel.args = work_arguments(work->kernel.function, work->kernel.args);
	if (work->type == cudaGraphNodeTypeGraph) {
		copy.child = rt_graph_copy(work->child, listed);
		copy.child->owned = true;
	}
	if (work->type == cudaGraphNodeTypeMemAlloc || work->type == cudaGraphNodeTypeMemFree)
		rt_block_keep(work->block);
	return copy;
}

/* ---- nodes ------------------------------------------------------------ */

struct CUgraphNode_st *rt_graph_add(struct CUgraph_st *graph, const struct rt_work *work)
{
	struct CUgraphNode_st *node = calloc(1, sizeof(*node));

	node->graph = graph;
	node->id = ++graph_ids;
	node->work = *work;
	*graph->end = node;
	graph->end = &node->next;
	graph->count++;
	return node;
}

static void graph_free_node(struct CUgraphNode_st *node)
{
	rt_work_free(&node->work);
	rt_nodes_clear(&node->before);
	free(node);
}

void rt_graph_remove(struct CUgraphNode_st *node)
{
	struct CUgraph_st *graph = node->graph;
	struct CUgraphNode_st **link, *other;

	for (link = &graph->first; *link != node; link = &(*link)->next)
		;
	*link = node->next;
	if (graph->end == &node->next)
		graph->end = link;
	graph->count--;
	for (other = graph->first; other; other = other->next)
		rt_nodes_drop(&other->before, node);
	graph_free_node(node);
}

struct CUgraphNode_st *rt_graph_node(cudaGraphNode_t handle)
{
	struct CUgraphNode_st *node;
	struct CUgraph_st *graph;

	for (graph = graph_list; graph; graph = graph->next)
		for (node = graph->first; node; node = node->next)
			if (node == handle)
				return node;
	return NULL;
}

struct CUgraphNode_st *rt_graph_find_copy(struct CUgraph_st *graph, uint64_t origin, bool deep)
{
	struct CUgraphNode_st *node, *found;

	for (node = graph->first; node; node = node->next) {
		if (node->origin == origin)
			return node;
		found = deep && node->work.type == cudaGraphNodeTypeGraph ?
				rt_graph_find_copy(node->work.child, origin, true) : NULL;
		if (found)
			return found;
	}
	return NULL;
}

/* ---- graphs ----------------------------------------------------------- */

struct CUgraph_st *rt_graph_new(bool listed)
{
	struct CUgraph_st *graph = calloc(1, sizeof(*graph));

	graph->end = &graph->first;
	graph->listed = listed;
	if (listed) {
		graph->next = graph_list;
		graph_list = graph;
	}
	return graph;
}

struct CUgraph_st *rt_graph(cudaGraph_t handle)
{
	struct CUgraph_st *graph;

	for (graph = graph_list; graph && graph != handle; graph = graph->next)
		;
	return graph;
}

void rt_graph_free(struct CUgraph_st *graph)
{
	struct CUgraph_st **link;
	struct CUgraphNode_st *node;

	for (link = &graph_list; graph->listed && *link != graph; link = &(*link)->next)
		;
	if (graph->listed)
		*link = graph->next;
	while ((node = graph->first)) {
		graph->first = node->next;
		graph_free_node(node);
	}
	free(graph);
}

/* A child's list goes with its node, so the first that is no child's is taken each time. */
void rt_graphs_free(void)
{
	struct CUgraph_st *graph;

	do {
		for (graph = graph_list; graph && graph->owned; graph = graph->next)
			;
		if (graph)
			rt_graph_free(graph);
	} while (graph);
}

struct CUgraph_st *rt_graph_copy(const struct CUgraph_st *graph, bool listed)
{
	struct CUgraph_st *copy = rt_graph_new(listed);
	struct CUgraphNode_st *node;
	struct rt_work work;

	for (node = graph->first; node; node = node->next) {
		work = work_copy(&node->work, listed);
		node->twin = rt_graph_add(copy, &work);
		node->twin->origin = node->id;
	}
	for (node = graph->first; node; node = node->next)
		for (size_t i = 0; i < node->before.count; i++)
			rt_nodes_add(&node->twin->before, node->before.list[i]->twin);
	return copy;
}

/* ---- order ------------------------------------------------------------ */

/* All that comes before it has its place. */
static bool graph_is_ready(const struct CUgraphNode_st *node)
{
	for (size_t i = 0; i < node->before.count; i++)
		if (!node->before.list[i]->index)
			return false;
	return true;
}

/* One round: nodes that are ready leave the old list for the new one.  How many did? */
static size_t graph_sort_round(struct CUgraphNode_st **old, struct CUgraph_st *graph)
{
	struct CUgraphNode_st **link = old, *node;
	size_t moved = 0;

	while ((node = *link)) {
		if (!graph_is_ready(node)) {
			link = &node->next;
			continue;
		}
		*link = node->next;
		node->next = NULL;
		*graph->end = node;
		graph->end = &node->next;
		node->index = ++graph->count;
		moved++;
	}
	return moved;
}

bool rt_graph_sort(struct CUgraph_st *graph)
{
	struct CUgraphNode_st *old = graph->first, *node;
	bool sorted = true;

	for (node = old; node; node = node->next) {
		node->index = 0;
		if (node->work.type == cudaGraphNodeTypeGraph)
			sorted = rt_graph_sort(node->work.child) && sorted;
	}
	graph->first = NULL;
	graph->end = &graph->first;
	graph->count = 0;
	while (old && graph_sort_round(&old, graph))
		;
	if (!old)
		return sorted;
	/* they wait for each other; whoever asked throws the graph away */
	for (*graph->end = old; *graph->end; graph->end = &(*graph->end)->next)
		graph->count++;
	return false;
}
