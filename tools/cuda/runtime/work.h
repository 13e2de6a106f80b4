/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Work: what a call asks a stream for, and what a node of a graph does.  Each operation of the API
 * makes one struct rt_work and hands it to rt_submit().
 */
#ifndef LIBUVMCUDA_WORK_H
#define LIBUVMCUDA_WORK_H

#include "copy.h"

/* Behind enum cudaGraphNodeType: what no node does. */
enum rt_work_type {
	RT_WORK_PREFETCH = cudaGraphNodeTypeCount + 1,
	RT_WORK_CALLBACK,
	RT_WORK_ATTACH,
};

/**
 * struct rt_kernel_work - a launch
 * @function: the kernel
 * @launch: how often
 * @args: its arguments: the caller's, or a node's copies, in one piece with the list
 */
struct rt_kernel_work {
	const struct rt_function *function;
	struct rt_launch launch;
	void **args;
};

/**
 * struct rt_child_work - a graph
 * @graph: what runs: the program's, or a node's own copy
 * @exec: for a launch of cudaGraphLaunch(): whose; NULL: a node's
 */
struct rt_child_work {
	struct CUgraph_st *graph;
	struct CUgraphExec_st *exec;
};

/**
 * struct rt_event_work - an event is recorded or waited for
 * @event: which
 * @external: in a capture a node does it, and the capture itself does not
 */
struct rt_event_work {
	cudaEvent_t event;
	bool external;
};

/**
 * struct rt_memory_work - memory is allocated or freed in the order of a stream
 * @out: where the address goes
 * @at: what is freed
 * @bytes: to allocate
 * @device: whose memory
 * @pool: where from, NULL: only a node can
 * @block: a node's memory; NULL: the program's
 */
struct rt_memory_work {
	void **out;
	const void *at;
	size_t bytes;
	int device;
	struct CUmemPoolHandle_st *pool;
	struct rt_block *block;
};

/**
 * struct rt_prefetch_work - managed memory moves
 * @at: where it begins
 * @bytes: how much
 * @device: where to
 */
struct rt_prefetch_work {
	const void *at;
	size_t bytes;
	int device;
};

/**
 * struct rt_callback_work - of cudaStreamAddCallback()
 * @call: the program's function
 * @stream: as the program called it
 * @arg: for the function
 */
struct rt_callback_work {
	cudaStreamCallback_t call;
	cudaStream_t stream;
	void *arg;
};

/**
 * struct rt_attach_work - of cudaStreamAttachMemAsync()
 * @at: managed memory
 * @bytes: all of it, or 0
 * @flags: of the call
 */
struct rt_attach_work {
	const void *at;
	size_t bytes;
	unsigned int flags;
};

/**
 * struct rt_work - what is to be done
 * @type: enum cudaGraphNodeType or rt_work_type: which of the members says it
 * @device: index, who was current; of a launch: who does it
 * @wait: the call returns when a copy is done; a node's never does
 * @kernel: a launch
 * @copy: a copy
 * @fill: a memset
 * @host: a function of the program
 * @child: a graph
 * @event: of a record or a wait
 * @memory: that is allocated or freed
 * @prefetch: managed memory that moves
 * @callback: a function that is told the stream
 * @attach: a hint
 *
 * A call's work borrows from the caller what it points to; a node's owns it (rt_work_copy()).
 */
struct rt_work {
	unsigned int type;
	int device;
	bool wait;
	union {
		struct rt_kernel_work kernel;
		struct copy_job copy;
		struct rt_fill_job fill;
		struct cudaHostNodeParams host;
		struct rt_child_work child;
		struct rt_event_work event;
		struct rt_memory_work memory;
		struct rt_prefetch_work prefetch;
		struct rt_callback_work callback;
		struct rt_attach_work attach;
	};
};

/**
 * struct rt_run - where work runs
 * @stream: in whose order
 * @exec: graph of whose launch it is a part, NULL: of none
 */
struct rt_run {
	struct CUstream_st *stream;
	struct CUgraphExec_st *exec;
};

/**
 * rt_submit - ask a stream for work; with the lock
 * @stream: handle of the program
 * @work: what; it is not needed when the call is back
 *
 * In a stream that is captured it becomes a node; else it is run.  This is the one place where work
 * begins.
 *
 * Return: cudaSuccess; cudaErrorInvalidResourceHandle, there is no such stream; what is wrong with
 * the work; cudaErrorMemoryAllocation; what made an earlier work fail.
 */
cudaError_t rt_submit(cudaStream_t stream, struct rt_work *work);

/**
 * rt_work_run - do it now, in the order of a stream; with the lock
 * @run: where
 * @work: what
 *
 * A function of the program runs without the lock; when it is back, streams and graphs may be gone.
 *
 * Return: as rt_submit().
 */
cudaError_t rt_work_run(struct rt_run *run, const struct rt_work *work);

/**
 * rt_work_check - can it be done, as far as one can see before; with the lock
 * @work: what
 *
 * Return: cudaSuccess, or what is wrong with it.
 */
cudaError_t rt_work_check(const struct rt_work *work);

/**
 * rt_work_copy - what a node owns; with the lock
 * @to: the node's
 * @from: a call's or a node's
 * @listed: the program can name graphs in it
 *
 * Return: cudaSuccess; cudaErrorMemoryAllocation; cudaErrorInvalidValue, the memory to free is no
 * graph's.  @to needs no rt_work_free() then.
 */
cudaError_t rt_work_copy(struct rt_work *to, const struct rt_work *from, bool listed);

/* What a node owned is given back. */
void rt_work_free(struct rt_work *work);

/* ---- by type: in the order of a stream, of what rt_work_check() let pass --------------------- */

cudaError_t rt_launch_check(const struct rt_kernel_work *work, int device);
cudaError_t rt_launch_run(const struct rt_kernel_work *work, struct CUstream_st *s);
cudaError_t rt_copy_check(const struct copy_job *job);
cudaError_t rt_copy_run(const struct copy_job *job, struct CUstream_st *s, bool wait);
cudaError_t rt_fill_check(const struct rt_fill_job *job);
cudaError_t rt_fill_run(const struct rt_fill_job *job, struct CUstream_st *s);
cudaError_t rt_graph_run(const struct rt_child_work *work, struct rt_run *run);
cudaError_t rt_event_check(const struct rt_event_work *work);
cudaError_t rt_event_record(const struct rt_event_work *work, struct CUstream_st *s);
cudaError_t rt_event_wait(const struct rt_event_work *work, struct CUstream_st *s);
cudaError_t rt_memory_allocate(const struct rt_memory_work *work, struct rt_run *run);
cudaError_t rt_memory_free(const struct rt_memory_work *work, struct rt_run *run);
cudaError_t rt_prefetch_check(const struct rt_prefetch_work *work);
cudaError_t rt_prefetch_run(const struct rt_prefetch_work *work, struct CUstream_st *s);
cudaError_t rt_attach_check(const struct rt_attach_work *work);

#endif
