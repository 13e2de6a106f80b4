/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Graphs: nodes that say what to do, and which of them come before.  What they are made of is in
 * graph.c, what the API makes of that in graph_nodes.c and graph_edges.c, how they run in
 * graph_exec.c; capture.c makes them of what streams are asked for.
 */
#ifndef LIBUVMCUDA_GRAPH_H
#define LIBUVMCUDA_GRAPH_H

#include "work.h"

/**
 * struct CUgraphNode_st - a node
 * @next: the graph's list
 * @graph: where it is
 * @id: of no other node
 * @origin: id of the node that it is a copy of, 0: of none
 * @work: what it does
 * @before: what has to be done before
 * @twin: while a graph is copied, the copy; while a capture ends, the next one to look at
 * @index: while nodes are put in order or compared, its place; while they are looked for, a mark
 */
struct CUgraphNode_st {
	struct CUgraphNode_st *next;
	struct CUgraph_st *graph;
	uint64_t id;
	uint64_t origin;
	struct rt_work work;
	struct rt_nodes before;
	struct CUgraphNode_st *twin;
	size_t index;
};

/**
 * struct CUgraph_st - a graph
 * @next: list of those that the program can name
 * @first: its nodes, oldest first; of a graph that runs, in an order in which they can
 * @end: where the next one goes
 * @count: of them
 * @listed: the program can name it
 * @owned: it is a node's
 * @captured: by a capture that has not ended
 */
struct CUgraph_st {
	struct CUgraph_st *next;
	struct CUgraphNode_st *first, **end;
	size_t count;
	bool listed;
	bool owned;
	bool captured;
};

/**
 * struct rt_captured - what an event knows of a capture in which it was recorded
 * @id: of that capture, 0: of none
 * @tips: nodes that whoever waits for it comes behind
 */
struct rt_captured {
	unsigned long long id;
	struct rt_nodes tips;
};

/* ---- graph.c ---------------------------------------------------------- */

/* A set of nodes: room for more, one more, all of another set, one less, none; false: no memory. */
bool rt_nodes_has(const struct rt_nodes *set, const struct CUgraphNode_st *node);
bool rt_nodes_room(struct rt_nodes *set, size_t more);
bool rt_nodes_add(struct rt_nodes *set, struct CUgraphNode_st *node);
bool rt_nodes_join(struct rt_nodes *set, const struct rt_nodes *other);
void rt_nodes_drop(struct rt_nodes *set, const struct CUgraphNode_st *node);
void rt_nodes_clear(struct rt_nodes *set);

/* A new one, that the program can name or not, NULL: no memory; and one of those that it can. */
struct CUgraph_st *rt_graph_new(bool listed);
struct CUgraph_st *rt_graph(cudaGraph_t graph);
void rt_graph_free(struct CUgraph_st *graph);
/* NULL: no memory. */
struct CUgraph_st *rt_graph_copy(const struct CUgraph_st *graph, bool listed);
/* Nodes in an order in which they can run, those of the program's order first; false: there is none. */
bool rt_graph_sort(struct CUgraph_st *graph);
/* A new node, which owns a copy of the work, behind others. */
cudaError_t rt_graph_add(struct CUgraph_st *graph, const struct rt_work *work,
			 struct CUgraphNode_st *const *before, size_t count,
			 struct CUgraphNode_st **out);
void rt_graph_remove(struct CUgraphNode_st *node);
/* A node that the program can name, NULL: it is none. */
struct CUgraphNode_st *rt_graph_node(cudaGraphNode_t node);
/* The copy of a node in a graph and its children, NULL: there is none. */
struct CUgraphNode_st *rt_graph_find_copy(struct CUgraph_st *graph, uint64_t origin, bool deep);
/* All are gone. */
void rt_graphs_free(void);

/* ---- graph_nodes.c ---------------------------------------------------- */

/* What parameters of the API ask for; rt_work_check() has to look at it. */
cudaError_t rt_work_of_kernel(struct rt_work *work, const struct cudaKernelNodeParams *params,
			      int device);
cudaError_t rt_work_of_copy(struct rt_work *work, const struct cudaMemcpy3DParms *params);
cudaError_t rt_work_of_flat(struct rt_work *work, void *dst, const void *src, size_t bytes,
			    enum cudaMemcpyKind kind);
cudaError_t rt_work_of_fill(struct rt_work *work, const struct cudaMemsetParams *params);
cudaError_t rt_work_of_host(struct rt_work *work, const struct cudaHostNodeParams *params);
/* Another one of its type for a node. */
cudaError_t rt_work_replace(struct CUgraphNode_st *node, const struct rt_work *work);
/* Nodes of a graph, each once. */
cudaError_t rt_nodes_check(const struct CUgraph_st *graph, const cudaGraphNode_t *list, size_t count);
/* Only edges without data are known. */
cudaError_t rt_edges_check(const cudaGraphEdgeData *edges, size_t count);

/* ---- graph_memory.c --------------------------------------------------- */

cudaError_t rt_work_of_pool(struct rt_work *work, struct cudaMemAllocNodeParams *params);
/* One more node knows its memory, which an allocation gets and a free looks up; one less. */
cudaError_t rt_block_keep(struct rt_memory_work *work);
void rt_block_drop(struct rt_block *block);
void rt_blocks_forget(void);
/* In a launch; @again: it may be allocated still. */
cudaError_t rt_block_allocate(struct rt_block *block, bool again);
cudaError_t rt_block_free(struct rt_block *block);
/* Is there one at an address, and free it. */
bool rt_is_block(const void *at);
cudaError_t rt_block_free_at(const void *at);

/* ---- graph_exec.c ----------------------------------------------------- */

void rt_execs_free(void);
/* A launch of it may find memory that it allocated before. */
bool rt_exec_allocates_again(const struct CUgraphExec_st *exec);

/* ---- event.c ---------------------------------------------------------- */

/* What a capture knows of an event that there is. */
struct rt_captured *rt_event_captured(cudaEvent_t event);
/* A stream that waits for it becomes part of a capture. */
bool rt_event_joins(const struct rt_work *work);

/* ---- capture.c -------------------------------------------------------- */

/* What a stream that is captured is asked for becomes a node; records and waits say what is behind. */
cudaError_t rt_capture_work(struct CUstream_st *s, const struct rt_work *work);
void rt_captured_forget(struct rt_captured *event);

/* What captures do not allow ends them, with an error; cudaSuccess: nothing is captured. */
/* Work for a stream that cannot be captured, or for the default one that all wait for. */
cudaError_t rt_capture_refuse(struct CUstream_st *s);
/* Waiting for a device. */
cudaError_t rt_capture_refuse_device(int device);
/* Asking an event that a capture has. */
cudaError_t rt_capture_refuse_event(const struct rt_captured *event);
/* What a graph would not repeat; and the same behind rt_enter(). */
cudaError_t rt_capture_refuse_unsafe(void);
cudaError_t rt_enter_unsafe(void);
void rt_captures_free(void);
/* A stream goes away. */
void rt_capture_leave(struct CUstream_st *s);

#endif
