// SPDX-License-Identifier: GPL-2.0
/*
 * Events: when the work that was asked of a stream before was done, by the GPU's clock.  What is
 * pending is looked up when somebody asks; by then the GPU knows when it ended.
 */
#include <stdlib.h>

#include "graph.h"

/**
 * struct CUevent_st - an event
 * @next: list
 * @flags: cudaEvent*
 * @device: index, of its last record
 * @recorded: it was
 * @launch: what must have ended, 0: nothing, or it has
 * @copy: likewise
 * @fence: likewise; only without timing, as nobody knows when it was done
 * @time_ns: if all has ended; until then the earliest that it can be
 * @captured: it was last recorded in a capture
 */
struct CUevent_st {
	struct CUevent_st *next;
	unsigned int flags;
	int device;
	bool recorded;
	uint64_t launch;
	uint64_t copy;
	uint64_t fence;
	uint64_t time_ns;
	struct rt_captured captured;
};

/* The device knows the ends of so many launches and copies; those of events are asked for well before. */
#define EVENT_KEPT	(SOFTGPU_RESULTS_KEPT / 2)

static struct CUevent_st *event_list;

static struct CUevent_st *event_of(cudaEvent_t event)
{
	struct CUevent_st *e;

	for (e = event_list; e && e != event; e = e->next)
		;
	return e;
}

static cudaError_t event_now(int device, uint64_t *time_ns)
{
	struct softgpu_info info;
	int err = uvm_gpu_info(rt.u, rt.devices[device].gpu, &info);

	*time_ns = info.now_ns;
	return rt_error(err);
}

static cudaError_t event_resolve_launch(struct CUevent_st *e, bool wait)
{
	struct softgpu_wait state;
	int err = uvm_launch_state(rt.u, rt.devices[e->device].gpu, e->launch, wait, &state);

	if (err)
		return rt_error(err);
	if (state.state == SOFTGPU_LAUNCH_RUNNING)
		return cudaErrorNotReady;
	e->launch = 0;
	if (state.state == SOFTGPU_LAUNCH_FAILED)
		return rt_collect();
	if (state.end_ns > e->time_ns)
		e->time_ns = state.end_ns;
	return cudaSuccess;
}

static cudaError_t event_resolve_copy(struct CUevent_st *e, bool wait)
{
	struct softgpu_copy_wait state;
	int err = uvm_memcpy_state(rt.u, rt.devices[e->device].gpu, e->copy, wait, &state);

	if (err)
		return rt_error(err);
	if (state.state == SOFTGPU_COPY_RUNNING)
		return cudaErrorNotReady;
	e->copy = 0;
	/* its stream, which waits for it too, makes it an error that stays */
	if (state.state == SOFTGPU_COPY_FAILED)
		return rt_error(-(int)state.error);
	if (state.end_ns > e->time_ns)
		e->time_ns = state.end_ns;
	return cudaSuccess;
}

static cudaError_t event_resolve_fence(struct CUevent_st *e, bool wait)
{
	bool moved = true;
	int err = wait ? uvm_wait_fence(rt.u, e->fence) : uvm_fence_state(rt.u, e->fence, &moved);

	if (!moved && !err)
		return cudaErrorNotReady;
	e->fence = 0;
	return rt_error(err);
}

/* cudaErrorNotReady: it has not happened, and nobody wants to wait. */
static cudaError_t event_resolve(struct CUevent_st *e, bool wait)
{
	cudaError_t error = cudaSuccess;

	if (e->launch)
		error = event_resolve_launch(e, wait);
	if (!error && e->copy)
		error = event_resolve_copy(e, wait);
	return error || !e->fence ? error : event_resolve_fence(e, wait);
}

void rt_events_resolve_old(void)
{
	struct CUevent_st *e;

	for (e = event_list; e; e = e->next) {
		int gpu = rt.devices[e->device].gpu;

		if (e->launch && e->launch + EVENT_KEPT < uvm_last_launch(rt.u, gpu))
			event_resolve_launch(e, true);
		if (e->copy && e->copy + EVENT_KEPT < uvm_last_copy(rt.u, gpu))
			event_resolve_copy(e, true);
	}
}

void rt_events_free(void)
{
	struct CUevent_st *e;

	while ((e = event_list)) {
		event_list = e->next;
		rt_captured_forget(&e->captured);
		free(e);
	}
}

/* ---- the API ---------------------------------------------------------- */

cudaError_t cudaEventCreateWithFlags(cudaEvent_t *event, unsigned int flags)
{
	cudaError_t error = rt_enter();
	struct CUevent_st *e;

	if (!error && flags & cudaEventInterprocess)
		error = cudaErrorNotSupported;
	if (!error && (!event || flags & ~(cudaEventBlockingSync | cudaEventDisableTiming)))
		error = cudaErrorInvalidValue;
	if (error)
		return rt_leave(error);
	e = calloc(1, sizeof(*e));
	if (!e)
		return rt_leave(cudaErrorMemoryAllocation);
	e->flags = flags;
	e->next = event_list;
	event_list = e;
	*event = e;
	return rt_leave(cudaSuccess);
}

cudaError_t cudaEventCreate(cudaEvent_t *event)
{
	return cudaEventCreateWithFlags(event, cudaEventDefault);
}

static cudaError_t event_enter(cudaEvent_t event, struct CUevent_st **e)
{
	cudaError_t error = rt_enter();

	if (error)
		return error;
	*e = event_of(event);
	return *e ? cudaSuccess : cudaErrorInvalidResourceHandle;
}

/* The same for a call that asks what happened, which no capture knows. */
static cudaError_t event_enter_to_ask(cudaEvent_t event, struct CUevent_st **e)
{
	cudaError_t error = event_enter(event, e);

	return error ? error : rt_capture_refuse_event(&(*e)->captured);
}

/* The flag has a meaning in captures alone. */
static cudaError_t event_submit(enum cudaGraphNodeType type, cudaEvent_t event, cudaStream_t stream,
				unsigned int flags)
{
	struct rt_work work = { .type = type, .event = { event, flags } };
	struct CUevent_st *e;
	cudaError_t error = event_enter(event, &e);

	if (!error && flags > 1)
		error = cudaErrorInvalidValue;
	return rt_leave(error ? error : rt_submit(stream, &work));
}

cudaError_t cudaEventDestroy(cudaEvent_t event)
{
	struct CUevent_st *e, **link;
	cudaError_t error = event_enter(event, &e);

	if (error)
		return rt_leave(error);
	for (link = &event_list; *link != e; link = &(*link)->next)
		;
	*link = e->next;
	rt_captured_forget(&e->captured);
	free(e);
	return rt_leave(cudaSuccess);
}

/*
 * In the default stream: behind the work of all that wait for it.  Of these only launches are left
 * to run, the rest is waited for; so is all but one unit of any stream, and what has no time.
 */
cudaError_t rt_event_record(const struct rt_event_work *work, struct CUstream_st *s)
{
	struct CUevent_st *e = event_of(work->event);
	bool timed = !(e->flags & cudaEventDisableTiming);
	cudaError_t error = cudaSuccess;

	if (work->external)
		return cudaErrorInvalidValue;
	if (s == &rt.devices[s->device].null || (s->fence && timed) ||
	    !!s->launch + !!s->copy + !!s->fence > 1)
		error = rt_stream_before(s, RT_LAUNCH);
	if (error)
		return error;
	rt_captured_forget(&e->captured);
	e->device = s->device;
	e->recorded = true;
	e->launch = s->launch;
	e->copy = s->copy;
	e->fence = s->fence;
	if (s == &rt.devices[s->device].null)
		e->launch = rt_last_pending(s->device);
	return event_now(e->device, &e->time_ns);
}

cudaError_t cudaEventRecordWithFlags(cudaEvent_t event, cudaStream_t stream, unsigned int flags)
{
	return event_submit(cudaGraphNodeTypeEventRecord, event, stream, flags);
}

cudaError_t cudaEventRecord(cudaEvent_t event, cudaStream_t stream)
{
	return cudaEventRecordWithFlags(event, stream, cudaEventRecordDefault);
}

/* What was never recorded has happened. */
cudaError_t cudaEventQuery(cudaEvent_t event)
{
	struct CUevent_st *e;
	cudaError_t error = event_enter_to_ask(event, &e);

	if (!error)
		error = rt_capture_refuse_unsafe();
	return rt_leave(error ? error : event_resolve(e, false));
}

cudaError_t cudaEventSynchronize(cudaEvent_t event)
{
	struct CUevent_st *e;
	cudaError_t error = event_enter_to_ask(event, &e);

	return rt_leave(error ? error : event_resolve(e, true));
}

cudaError_t cudaEventElapsedTime(float *ms, cudaEvent_t start, cudaEvent_t end)
{
	struct CUevent_st *a, *b = NULL;
	cudaError_t error = event_enter_to_ask(start, &a);

	if (!error)
		b = event_of(end);
	if (b)
		error = rt_capture_refuse_event(&b->captured);
	if (!error && (!b || !a->recorded || !b->recorded ||
		       (a->flags | b->flags) & cudaEventDisableTiming))
		error = cudaErrorInvalidResourceHandle;
	if (!error && !ms)
		error = cudaErrorInvalidValue;
	if (!error)
		error = event_resolve(a, false);
	if (!error)
		error = event_resolve(b, false);
	if (!error)
		*ms = (float)(((double)b->time_ns - (double)a->time_ns) / 1e6);
	return rt_leave(error);
}

/* Launches of one GPU come in order: a later launch is all that a stream then waits for. */
cudaError_t rt_event_wait(const struct rt_event_work *work, struct CUstream_st *s)
{
	struct CUevent_st *e = event_of(work->event);
	cudaError_t error = cudaSuccess;

	if (work->external)
		return cudaErrorInvalidValue;
	if (e->captured.id)
		return cudaErrorCapturedEvent;
	error = rt_capture_refuse(s);
	if (!error && (e->copy || e->fence || (e->launch && e->device != s->device)))
		error = event_resolve(e, true);
	if (!error && e->launch > s->launch)
		s->launch = e->launch;
	return error;
}

cudaError_t cudaStreamWaitEvent(cudaStream_t stream, cudaEvent_t event, unsigned int flags)
{
	return event_submit(cudaGraphNodeTypeWaitEvent, event, stream, flags);
}

/* ---- for captures ----------------------------------------------------- */

cudaError_t rt_event_check(const struct rt_event_work *work)
{
	return event_of(work->event) ? cudaSuccess : cudaErrorInvalidResourceHandle;
}

struct rt_captured *rt_event_captured(cudaEvent_t event)
{
	return &event_of(event)->captured;
}

bool rt_event_joins(const struct rt_work *work)
{
	const struct CUevent_st *e = work->type == cudaGraphNodeTypeWaitEvent ?
					     event_of(work->event.event) : NULL;

	return e && e->captured.id && !work->event.external;
}
