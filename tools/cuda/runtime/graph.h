/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Graphs: nodes that say what to do, and which of them come before.  What they are made of is in
 * graph.c, what the API makes of that in graph_nodes.c and graph_edges.c, how they run in
 * graph_exec.c; capture.c makes them of what streams are asked for.
 */
#ifndef LIBUVMCUDA_GRAPH_H
#define LIBUVMCUDA_GRAPH_H

#include "copy.h"

/**
 * struct rt_kernel_work - a launch
 * @function: the kernel
 * @launch: how often
 * @args: copies of its arguments, in one piece with them
 */
struct rt_kernel_work {
	const struct rt_function *function;
	struct rt_launch launch;
	void **args;
};

/**
 * struct rt_work - what a node does
 * @type: which of the members says it
 * @device: index, who was current when it was made
 * @kernel: a launch
 * @copy: a copy
 * @fill: a memset
 * @host: a function of the program
 * @child: a graph of the node's own
 * @event: of a record or a wait
 * @block: memory that it allocates or frees
 */
struct rt_work {
	enum cudaGraphNodeType type;
	int device;
	union {
		struct rt_kernel_work kernel;
		struct copy_job copy;
		struct rt_fill_job fill;
		struct cudaHostNodeParams host;
		struct CUgraph_st *child;
		cudaEvent_t event;
		struct rt_block *block;
	};
};

/**
 * struct CUgraphNode_st - a node
 * @next: the graph's list
 * @graph: where it is
 * @id: of no other node
 * @origin: id of the node that it is a copy of, 0: of none
 * @work: what it does
 * @before: what has to be done before
 * @twin: while a graph is copied, the copy
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

/* A set of nodes: one more, all of another set, one less, none. */
bool rt_nodes_has(const struct rt_nodes *set, const struct CUgraphNode_st *node);
void rt_nodes_add(struct rt_nodes *set, struct CUgraphNode_st *node);
void rt_nodes_join(struct rt_nodes *set, const struct rt_nodes *other);
void rt_nodes_drop(struct rt_nodes *set, const struct CUgraphNode_st *node);
void rt_nodes_clear(struct rt_nodes *set);

/* What a launch needs of its arguments, which may go away. */
cudaError_t rt_work_launch(struct rt_work *work, const struct rt_function *f,
			   const struct rt_launch *l, void **args);
void rt_work_free(struct rt_work *work);

/* A new one, that the program can name or not; and one of those that it can. */
struct CUgraph_st *rt_graph_new(bool listed);
struct CUgraph_st *rt_graph(cudaGraph_t graph);
void rt_graph_free(struct CUgraph_st *graph);
struct CUgraph_st *rt_graph_copy(const struct CUgraph_st *graph, bool listed);
/* Nodes in an order in which they can run, those of the program's order first; false: there is none. */
bool rt_graph_sort(struct CUgraph_st *graph);
/* A new node, which takes what @work holds. */
struct CUgraphNode_st *rt_graph_add(struct CUgraph_st *graph, const struct rt_work *work);
void rt_graph_remove(struct CUgraphNode_st *node);
/* A node that the program can name, NULL: it is none. */
struct CUgraphNode_st *rt_graph_node(cudaGraphNode_t node);
/* The copy of a node in a graph and its children, NULL: there is none. */
struct CUgraphNode_st *rt_graph_find_copy(struct CUgraph_st *graph, uint64_t origin, bool deep);
/* All are gone. */
void rt_graphs_free(void);

/* ---- graph_nodes.c ---------------------------------------------------- */

/* What parameters of the API ask for. */
cudaError_t rt_work_of_kernel(struct rt_work *work, const struct cudaKernelNodeParams *params,
			      int device);
cudaError_t rt_work_of_copy(struct rt_work *work, const struct cudaMemcpy3DParms *params);
cudaError_t rt_work_of_flat(struct rt_work *work, void *dst, const void *src, size_t bytes,
			    enum cudaMemcpyKind kind);
cudaError_t rt_work_of_fill(struct rt_work *work, const struct cudaMemsetParams *params);
cudaError_t rt_work_of_host(struct rt_work *work, const struct cudaHostNodeParams *params);
/* Another one of its type for a node; takes it, or gives it up. */
cudaError_t rt_work_replace(struct CUgraphNode_st *node, struct rt_work *work);
/* Nodes of a graph, each once. */
cudaError_t rt_nodes_check(const struct CUgraph_st *graph, const cudaGraphNode_t *list, size_t count);
/* Only edges without data are known. */
cudaError_t rt_edges_check(const cudaGraphEdgeData *edges, size_t count);

/* ---- graph_memory.c --------------------------------------------------- */

/* Nodes that allocate and free; *@out: where. */
cudaError_t rt_work_of_allocation(struct rt_work *work, size_t bytes, int device, void **out);
cudaError_t rt_work_of_pool(struct rt_work *work, struct cudaMemAllocNodeParams *params);
cudaError_t rt_work_of_free(struct rt_work *work, const void *at);
/* One more node knows it, one less. */
void rt_block_keep(struct rt_block *block);
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

/* ---- event.c ---------------------------------------------------------- */

/* Of nodes. */
cudaError_t rt_event_record(cudaEvent_t event, struct CUstream_st *s);
cudaError_t rt_event_wait(cudaEvent_t event, struct CUstream_st *s);
bool rt_is_event(cudaEvent_t event);

/* ---- capture.c -------------------------------------------------------- */

/* What a stream that is captured is asked for becomes a node. */
cudaError_t rt_capture_add(struct CUstream_st *s, struct rt_work *work);
cudaError_t rt_capture_launch(struct CUstream_st *s, const struct rt_function *f,
			      const struct rt_launch *l, void **args);
cudaError_t rt_capture_copy(struct CUstream_st *s, const struct copy_job *job);
cudaError_t rt_capture_fill(struct CUstream_st *s, const struct rt_fill_job *job);
cudaError_t rt_capture_allocate(struct CUstream_st *s, size_t bytes, int device, void **out);
cudaError_t rt_capture_free(struct CUstream_st *s, const void *at);
cudaError_t rt_capture_record(struct CUstream_st *s, struct rt_captured *event);
cudaError_t rt_capture_wait(struct CUstream_st *s, const struct rt_captured *event);
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
