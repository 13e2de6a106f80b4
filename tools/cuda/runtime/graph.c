// SPDX-License-Identifier: GPL-2.0
/* What graphs are made of: sets of nodes, copies of graphs, and an order to run in. */
#include <stdlib.h>

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

bool rt_nodes_room(struct rt_nodes *set, size_t more)
{
	size_t room = set->room ? set->room : 4;
	struct CUgraphNode_st **list;

	if (set->count + more <= set->room)
		return true;
	while (room < set->count + more)
		room *= 2;
	list = realloc(set->list, room * sizeof(*list));
	if (!list)
		return false;
	set->list = list;
	set->room = room;
	return true;
}

bool rt_nodes_add(struct rt_nodes *set, struct CUgraphNode_st *node)
{
	if (rt_nodes_has(set, node))
		return true;
	if (!rt_nodes_room(set, 1))
		return false;
	set->list[set->count++] = node;
	return true;
}

/* All, or none. */
bool rt_nodes_join(struct rt_nodes *set, const struct rt_nodes *other)
{
	if (!rt_nodes_room(set, other->count))
		return false;
	for (size_t i = 0; i < other->count; i++)
		rt_nodes_add(set, other->list[i]);
	return true;
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

/* ---- nodes ------------------------------------------------------------ */

static void graph_free_node(struct CUgraphNode_st *node)
{
	rt_work_free(&node->work);
	rt_nodes_clear(&node->before);
	free(node);
}

cudaError_t rt_graph_add(struct CUgraph_st *graph, const struct rt_work *work,
			 struct CUgraphNode_st *const *before, size_t count,
			 struct CUgraphNode_st **out)
{
	struct CUgraphNode_st *node = calloc(1, sizeof(*node));
	cudaError_t error = cudaErrorMemoryAllocation;

	if (node && rt_nodes_room(&node->before, count))
		error = rt_work_copy(&node->work, work, graph->listed);
	if (error) {
		if (node)
			rt_nodes_clear(&node->before);
		free(node);
		return error;
	}
	for (size_t i = 0; i < count; i++)
		rt_nodes_add(&node->before, before[i]);
	node->graph = graph;
	node->id = ++graph_ids;
	*graph->end = node;
	graph->end = &node->next;
	graph->count++;
	*out = node;
	return cudaSuccess;
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
				rt_graph_find_copy(node->work.child.graph, origin, true) : NULL;
		if (found)
			return found;
	}
	return NULL;
}

/* ---- graphs ----------------------------------------------------------- */

struct CUgraph_st *rt_graph_new(bool listed)
{
	struct CUgraph_st *graph = calloc(1, sizeof(*graph));

	if (!graph)
		return NULL;
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
	bool good = copy;

	for (node = graph->first; node && good; node = node->next) {
		good = !rt_graph_add(copy, &node->work, NULL, 0, &node->twin) &&
		       rt_nodes_room(&node->twin->before, node->before.count);
		if (good)
			node->twin->origin = node->id;
	}
	for (node = graph->first; node && good; node = node->next)
		for (size_t i = 0; i < node->before.count; i++)
			rt_nodes_add(&node->twin->before, node->before.list[i]->twin);
	if (good || !copy)
		return copy;
	rt_graph_free(copy);
	return NULL;
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
			sorted = rt_graph_sort(node->work.child.graph) && sorted;
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
