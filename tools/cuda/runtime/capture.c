// SPDX-License-Identifier: GPL-2.0
/*
 * Stream capture.  A stream that is captured does nothing: what it is asked for becomes nodes of a
 * graph, each behind those that came last (its tips).  An event that it records has the tips, and a
 * stream that waits for the event joins the capture with them.  What a graph could not repeat ends
 * the capture: it stays invalid until cudaStreamEndCapture().
 */
#include <stdlib.h>

#include "graph.h"

/**
 * struct rt_capture - a capture under way
 * @next: list
 * @graph: where nodes go
 * @origin: stream that it was begun in
 * @id: of no other one
 * @mode: of cudaStreamBeginCapture()
 * @thread: who began it, as capture_me
 * @lost: tips of streams that went away
 * @given: the graph is the program's, and stays if this fails
 * @invalid: it has failed
 */
struct rt_capture {
	struct rt_capture *next;
	struct CUgraph_st *graph;
	struct CUstream_st *origin;
	unsigned long long id;
	enum cudaStreamCaptureMode mode;
	const void *thread;
	struct rt_nodes lost;
	bool given;
	bool invalid;
};

static struct rt_capture *capture_list;
static _Thread_local enum cudaStreamCaptureMode capture_thread_mode;
/* Each thread has one, so its address is the thread's. */
static _Thread_local char capture_me;

/* A capture that goes on, by the id that an event has; NULL: there is none. */
static struct rt_capture *capture_of(unsigned long long id)
{
	struct rt_capture *c;

	for (c = capture_list; c && c->id != id; c = c->next)
		;
	return c;
}

static cudaError_t capture_fail(struct rt_capture *c, cudaError_t error)
{
	c->invalid = true;
	return error;
}

/* ---- what becomes a node, or says what is behind ---------------------- */

void rt_captured_forget(struct rt_captured *event)
{
	rt_nodes_clear(&event->tips);
	event->id = 0;
}

static cudaError_t capture_add(struct CUstream_st *s, const struct rt_work *work)
{
	struct CUgraphNode_st *node;
	cudaError_t error;

	if (!rt_nodes_room(&s->tips, 1))
		return cudaErrorMemoryAllocation;
	error = rt_graph_add(s->capture->graph, work, s->tips.list, s->tips.count, &node);
	if (error)
		return error;
	s->tips.count = 0;
	rt_nodes_add(&s->tips, node);
	return cudaSuccess;
}

static cudaError_t capture_record(struct CUstream_st *s, struct rt_captured *event)
{
	struct rt_captured captured = { .id = s->capture->id };

	if (s->capture->invalid)
		return cudaErrorStreamCaptureInvalidated;
	if (!rt_nodes_join(&captured.tips, &s->tips))
		return cudaErrorMemoryAllocation;
	rt_captured_forget(event);
	*event = captured;
	return cudaSuccess;
}

/* A stream that is not captured joins; the default one never can. */
static cudaError_t capture_wait(struct CUstream_st *s, const struct rt_captured *event)
{
	struct rt_capture *c = event->id ? capture_of(event->id) : NULL;

	if (s->capture && s->capture->invalid)
		return cudaErrorStreamCaptureInvalidated;
	if (!c)
		return s->capture ? capture_fail(s->capture, cudaErrorStreamCaptureIsolation) :
				    cudaErrorCapturedEvent;
	if (c->invalid)
		return cudaErrorStreamCaptureInvalidated;
	if (s->capture && s->capture != c) {
		s->capture->invalid = true;
		return capture_fail(c, cudaErrorStreamCaptureMerge);
	}
	if (s == &rt.devices[s->device].null)
		return capture_fail(c, cudaErrorStreamCaptureUnsupported);
	if (!rt_nodes_join(&s->tips, &event->tips))
		return cudaErrorMemoryAllocation;
	s->capture = c;
	return cudaSuccess;
}

cudaError_t rt_capture_work(struct CUstream_st *s, const struct rt_work *work)
{
	bool event = work->type == cudaGraphNodeTypeEventRecord ||
		     work->type == cudaGraphNodeTypeWaitEvent;
	cudaError_t error = rt_work_check(work);

	if (error)
		return error;
	if (event && !work->event.external)
		return work->type == cudaGraphNodeTypeEventRecord ?
		       capture_record(s, rt_event_captured(work->event.event)) :
		       capture_wait(s, rt_event_captured(work->event.event));
	if (work->type > cudaGraphNodeTypeCount)
		return rt_capture_refuse(s);
	return s->capture->invalid ? cudaErrorStreamCaptureInvalidated : capture_add(s, work);
}

/* ---- what captures do not allow --------------------------------------- */

/* The default stream waits for all of its GPU's that are not non-blocking. */
static bool capture_is_waited_for(const struct CUstream_st *s, int device)
{
	return s->capture && s->device == device && !(s->flags & cudaStreamNonBlocking);
}

static cudaError_t capture_refuse_default(int device)
{
	cudaError_t error = cudaSuccess;
	struct CUstream_st *s;

	for (s = rt.streams; s && capture_list; s = s->next)
		if (capture_is_waited_for(s, device))
			error = capture_fail(s->capture, cudaErrorStreamCaptureImplicit);
	return error;
}

cudaError_t rt_capture_refuse(struct CUstream_st *s)
{
	if (s == &rt.devices[s->device].null)
		return capture_refuse_default(s->device);
	if (!s->capture)
		return cudaSuccess;
	return s->capture->invalid ? cudaErrorStreamCaptureInvalidated :
				     capture_fail(s->capture, cudaErrorStreamCaptureUnsupported);
}

cudaError_t rt_capture_refuse_device(int device)
{
	cudaError_t error = cudaSuccess;
	struct CUstream_st *s;

	for (s = rt.streams; s && capture_list; s = s->next)
		if (s->capture && s->device == device)
			error = capture_fail(s->capture, cudaErrorStreamCaptureUnsupported);
	return error;
}

cudaError_t rt_capture_refuse_event(const struct rt_captured *event)
{
	struct rt_capture *c = event->id ? capture_of(event->id) : NULL;

	if (!event->id)
		return cudaSuccess;
	return c ? capture_fail(c, cudaErrorCapturedEvent) : cudaErrorCapturedEvent;
}

/* By the modes of the capture and of this thread (cudaThreadExchangeStreamCaptureMode()). */
static bool capture_forbids(const struct rt_capture *c)
{
	if (capture_thread_mode == cudaStreamCaptureModeRelaxed ||
	    c->mode == cudaStreamCaptureModeRelaxed)
		return false;
	return c->thread == &capture_me || (capture_thread_mode == cudaStreamCaptureModeGlobal &&
					    c->mode == cudaStreamCaptureModeGlobal);
}

cudaError_t rt_capture_refuse_unsafe(void)
{
	cudaError_t error = cudaSuccess;
	struct rt_capture *c;

	for (c = capture_list; c; c = c->next)
		if (capture_forbids(c))
			error = capture_fail(c, cudaErrorStreamCaptureUnsupported);
	return error;
}

cudaError_t rt_enter_unsafe(void)
{
	cudaError_t error = rt_enter();

	return error ? error : rt_capture_refuse_unsafe();
}

/* ---- beginning and end ------------------------------------------------ */

/* The lock, and a stream that can be captured. */
static cudaError_t capture_enter(cudaStream_t stream, struct CUstream_st **s)
{
	cudaError_t error = rt_enter();

	*s = NULL;
	return error ? error : rt_stream(stream, s);
}

static cudaError_t capture_begin(struct CUstream_st *s, struct CUgraph_st *graph,
				 enum cudaStreamCaptureMode mode)
{
	static unsigned long long ids;
	struct rt_capture *c;

	if (s == &rt.devices[s->device].null)
		return cudaErrorStreamCaptureUnsupported;
	if (s->capture)
		return cudaErrorIllegalState;
	if ((unsigned int)mode > cudaStreamCaptureModeRelaxed || (graph && (graph->captured || graph->owned)))
		return cudaErrorInvalidValue;
	c = calloc(1, sizeof(*c));
	if (c)
		c->graph = graph ? graph : rt_graph_new(true);
	if (!c || !c->graph) {
		free(c);
		return cudaErrorMemoryAllocation;
	}
	c->given = graph;
	c->graph->captured = true;
	c->origin = s;
	c->id = ++ids;
	c->mode = mode;
	c->thread = &capture_me;
	c->next = capture_list;
	capture_list = c;
	s->capture = c;
	return cudaSuccess;
}

cudaError_t cudaStreamBeginCapture(cudaStream_t stream, enum cudaStreamCaptureMode mode)
{
	struct CUstream_st *s;
	cudaError_t error = capture_enter(stream, &s);

	return rt_leave(error ? error : capture_begin(s, NULL, mode));
}

cudaError_t cudaStreamBeginCaptureToGraph(cudaStream_t stream, cudaGraph_t handle,
					  const cudaGraphNode_t *before, const cudaGraphEdgeData *edges,
					  size_t count, enum cudaStreamCaptureMode mode)
{
	struct CUstream_st *s;
	cudaError_t error = capture_enter(stream, &s);
	struct CUgraph_st *graph = error ? NULL : rt_graph(handle);

	if (!error && !graph)
		error = cudaErrorInvalidValue;
	if (!error)
		error = rt_nodes_check(graph, before, count);
	if (!error)
		error = rt_edges_check(edges, count);
	if (!error && !rt_nodes_room(&s->tips, count))
		error = cudaErrorMemoryAllocation;
	if (!error)
		error = capture_begin(s, graph, mode);
	for (size_t i = 0; i < count && !error; i++)
		rt_nodes_add(&s->tips, before[i]);
	return rt_leave(error);
}

/* Nodes without a mark get one, and go on a stack. */
static void capture_push(struct CUgraphNode_st **top, const struct rt_nodes *nodes)
{
	for (size_t i = 0; i < nodes->count; i++) {
		if (nodes->list[i]->index)
			continue;
		nodes->list[i]->index = 1;
		nodes->list[i]->twin = *top;
		*top = nodes->list[i];
	}
}

/* A mark for all nodes from which one leads to the tips of the first stream. */
static void capture_mark(const struct rt_capture *c)
{
	struct CUgraphNode_st *node, *top = NULL;

	for (node = c->graph->first; node; node = node->next)
		node->index = 0;
	capture_push(&top, &c->origin->tips);
	while ((node = top)) {
		top = node->twin;
		capture_push(&top, &node->before);
	}
}

/* Is there a mark at all of them? */
static bool capture_marked(const struct rt_nodes *tips)
{
	for (size_t i = 0; i < tips->count; i++)
		if (!tips->list[i]->index)
			return false;
	return true;
}

/* What other streams did last the first one has to come behind. */
static bool capture_is_joined(const struct rt_capture *c)
{
	struct CUstream_st *s;

	capture_mark(c);
	for (s = rt.streams; s; s = s->next)
		if (s->capture == c && !capture_marked(&s->tips))
			return false;
	return capture_marked(&c->lost);
}

static void capture_release(struct CUstream_st *s)
{
	s->capture = NULL;
	rt_nodes_clear(&s->tips);
}

/* Streams do what they are asked again; the graph, if it is good. */
static struct CUgraph_st *capture_end(struct rt_capture *c, bool good)
{
	struct CUgraph_st *graph = c->graph;
	struct rt_capture **link;
	struct CUstream_st *s;

	for (s = rt.streams; s; s = s->next)
		if (s->capture == c)
			capture_release(s);
	for (link = &capture_list; *link != c; link = &(*link)->next)
		;
	*link = c->next;
	graph->captured = false;
	if (!good && !c->given)
		rt_graph_free(graph);
	rt_nodes_clear(&c->lost);
	free(c);
	return good ? graph : NULL;
}

cudaError_t cudaStreamEndCapture(cudaStream_t stream, cudaGraph_t *graph)
{
	struct CUgraph_st *unasked;
	struct CUstream_st *s;
	cudaError_t error = capture_enter(stream, &s);
	struct rt_capture *c = error ? NULL : s->capture;

	if (!error && !c)
		error = cudaErrorIllegalState;
	if (!error && !graph && !c->given)
		error = cudaErrorInvalidValue;
	if (!error && c->origin != s)
		error = capture_fail(c, cudaErrorStreamCaptureUnmatched);
	if (!error && c->mode != cudaStreamCaptureModeRelaxed && c->thread != &capture_me)
		error = cudaErrorStreamCaptureWrongThread;
	if (error)
		return rt_leave(error);
	if (c->invalid)
		error = cudaErrorStreamCaptureInvalidated;
	else if (!capture_is_joined(c))
		error = cudaErrorStreamCaptureUnjoined;
	*(graph ? graph : &unasked) = capture_end(c, !error);
	return rt_leave(error);
}

/* Without the first stream nobody could end the capture. */
void rt_capture_leave(struct CUstream_st *s)
{
	struct rt_capture *c = s->capture;

	if (c && c->origin == s) {
		capture_end(c, false);
		return;
	}
	/* without memory for its tips nobody could tell whether they are joined */
	if (c && !rt_nodes_join(&c->lost, &s->tips))
		c->invalid = true;
	capture_release(s);
}

void rt_captures_free(void)
{
	while (capture_list)
		capture_end(capture_list, false);
}

/* ---- asking ----------------------------------------------------------- */

static enum cudaStreamCaptureStatus capture_status(const struct CUstream_st *s)
{
	if (!s->capture)
		return cudaStreamCaptureStatusNone;
	return s->capture->invalid ? cudaStreamCaptureStatusInvalidated :
				     cudaStreamCaptureStatusActive;
}

/* Of the default stream one may not ask while others that it waits for are captured; they go on. */
static cudaError_t capture_enter_to_ask(cudaStream_t stream, const void *out, struct CUstream_st **s)
{
	cudaError_t error = capture_enter(stream, s);
	struct CUstream_st *other;

	if (!error && !out)
		error = cudaErrorInvalidValue;
	for (other = rt.streams; other && !error; other = other->next)
		if (*s == &rt.devices[(*s)->device].null &&
		    capture_is_waited_for(other, (*s)->device))
			error = cudaErrorStreamCaptureImplicit;
	return error;
}

cudaError_t cudaStreamIsCapturing(cudaStream_t stream, enum cudaStreamCaptureStatus *status)
{
	struct CUstream_st *s;
	cudaError_t error = capture_enter_to_ask(stream, status, &s);

	if (!error)
		*status = capture_status(s);
	return rt_leave(error);
}

cudaError_t cudaStreamGetCaptureInfo_v3(cudaStream_t stream, enum cudaStreamCaptureStatus *status,
					unsigned long long *id, cudaGraph_t *graph,
					const cudaGraphNode_t **before,
					const cudaGraphEdgeData **edges, size_t *count)
{
	struct CUstream_st *s;
	cudaError_t error = capture_enter_to_ask(stream, status, &s);

	if (error)
		return rt_leave(error);
	*status = capture_status(s);
	if (*status != cudaStreamCaptureStatusActive)
		return rt_leave(cudaSuccess);
	if (id)
		*id = s->capture->id;
	if (graph)
		*graph = s->capture->graph;
	if (before)
		*before = s->tips.list;
	if (edges)
		*edges = NULL;
	if (count)
		*count = s->tips.count;
	return rt_leave(cudaSuccess);
}

cudaError_t cudaStreamGetCaptureInfo(cudaStream_t stream, enum cudaStreamCaptureStatus *status,
				     unsigned long long *id, cudaGraph_t *graph,
				     const cudaGraphNode_t **before, size_t *count)
{
	return cudaStreamGetCaptureInfo_v3(stream, status, id, graph, before, NULL, count);
}

cudaError_t cudaStreamUpdateCaptureDependencies_v2(cudaStream_t stream, cudaGraphNode_t *before,
						   const cudaGraphEdgeData *edges, size_t count,
						   unsigned int flags)
{
	struct CUstream_st *s;
	cudaError_t error = capture_enter(stream, &s);

	if (!error && !s->capture)
		error = cudaErrorIllegalState;
	if (!error && s->capture->invalid)
		error = cudaErrorStreamCaptureInvalidated;
	if (!error && flags > cudaStreamSetCaptureDependencies)
		error = cudaErrorInvalidValue;
	if (!error)
		error = rt_nodes_check(s->capture->graph, before, count);
	if (!error)
		error = rt_edges_check(edges, count);
	if (!error && !rt_nodes_room(&s->tips, count))
		error = cudaErrorMemoryAllocation;
	if (error)
		return rt_leave(error);
	if (flags == cudaStreamSetCaptureDependencies)
		s->tips.count = 0;
	for (size_t i = 0; i < count; i++)
		rt_nodes_add(&s->tips, before[i]);
	return rt_leave(cudaSuccess);
}

cudaError_t cudaStreamUpdateCaptureDependencies(cudaStream_t stream, cudaGraphNode_t *before,
						size_t count, unsigned int flags)
{
	return cudaStreamUpdateCaptureDependencies_v2(stream, before, NULL, count, flags);
}

cudaError_t cudaThreadExchangeStreamCaptureMode(enum cudaStreamCaptureMode *mode)
{
	enum cudaStreamCaptureMode old = capture_thread_mode;

	if (!mode || (unsigned int)*mode > cudaStreamCaptureModeRelaxed)
		return rt_note(cudaErrorInvalidValue);
	capture_thread_mode = *mode;
	*mode = old;
	return cudaSuccess;
}
