// SPDX-License-Identifier: GPL-2.0
/*
 * Events: when the work that was asked of a stream before was done, by the GPU's clock.  What is
 * pending is looked up when somebody asks; by then the GPU knows when it ended.
 */
#include <stdlib.h>

#include "runtime.h"

/**
 * struct CUevent_st - an event
 * @next: list
 * @flags: cudaEvent*
 * @device: index, of its last record
 * @recorded: it was
 * @launch: what must have ended, 0: nothing, or it has
 * @copy: likewise
 * @fence: likewise; only without timing, as nobody knows when it was done
 * @time_ns: if all has ended
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
};

/* The device knows the ends of so many launches; those of events are asked for well before. */
#define EVENT_LAUNCHES	(SOFTGPU_RESULTS_KEPT / 2)

static struct CUevent_st *event_list;

static struct CUevent_st *event_of(cudaEvent_t event)
{
	struct CUevent_st *e;

	for (e = event_list; e && e != event; e = e->next)
		;
	return e;
}

static bool event_pending(const struct CUevent_st *e)
{
	return e->launch || e->copy || e->fence;
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
	int gpu = rt.devices[e->device].gpu, err = 0;
	struct softgpu_copy_wait state;

	if (wait)
		err = uvm_memcpy_wait(rt.u, gpu, e->copy);
	if (!err)
		err = uvm_memcpy_state(rt.u, gpu, e->copy, &state);
	if (err)
		return rt_error(err);
	if (state.state == SOFTGPU_COPY_RUNNING)
		return cudaErrorNotReady;
	e->copy = 0;
	if (state.end_ns > e->time_ns)
		e->time_ns = state.end_ns;
	return cudaSuccess;
}

/* cudaErrorNotReady: it has not happened, and nobody wants to wait. */
static cudaError_t event_resolve(struct CUevent_st *e, bool wait)
{
	cudaError_t error = cudaSuccess;

	if (e->launch)
		error = event_resolve_launch(e, wait);
	if (!error && e->copy)
		error = event_resolve_copy(e, wait);
	if (!error && e->fence) {
		error = rt_error(uvm_wait_fence(rt.u, e->fence));
		e->fence = 0;
	}
	return error;
}

void rt_events_resolve_old(void)
{
	struct CUevent_st *e;

	for (e = event_list; e; e = e->next)
		if (e->launch && e->launch + EVENT_LAUNCHES <
				 uvm_last_launch(rt.u, rt.devices[e->device].gpu))
			event_resolve_launch(e, true);
}

void rt_events_free(void)
{
	struct CUevent_st *e;

	while ((e = event_list)) {
		event_list = e->next;
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

cudaError_t cudaEventDestroy(cudaEvent_t event)
{
	struct CUevent_st *e, **link;
	cudaError_t error = event_enter(event, &e);

	if (error)
		return rt_leave(error);
	for (link = &event_list; *link != e; link = &(*link)->next)
		;
	*link = e->next;
	free(e);
	return rt_leave(cudaSuccess);
}

/*
 * In the default stream: behind the work of all that wait for it.  Of these only launches are left
 * to run, the rest is waited for; so is all but one unit of any stream, and what has no time.
 */
static cudaError_t event_record(struct CUevent_st *e, struct CUstream_st *s)
{
	bool timed = !(e->flags & cudaEventDisableTiming);
	cudaError_t error = cudaSuccess;

	if (s == &rt.devices[s->device].null || (s->fence && timed) ||
	    !!s->launch + !!s->copy + !!s->fence > 1)
		error = rt_stream_before(s, RT_LAUNCH);
	if (error)
		return error;
	e->device = s->device;
	e->recorded = true;
	e->launch = s->launch;
	e->copy = s->copy;
	e->fence = s->fence;
	if (s == &rt.devices[s->device].null)
		e->launch = rt_last_pending(s->device);
	return event_pending(e) ? cudaSuccess : event_now(e->device, &e->time_ns);
}

cudaError_t cudaEventRecordWithFlags(cudaEvent_t event, cudaStream_t stream, unsigned int flags)
{
	struct CUevent_st *e;
	cudaError_t error = event_enter(event, &e);
	struct CUstream_st *s = error ? NULL : rt_stream(stream);

	if (!error && !s)
		error = cudaErrorInvalidResourceHandle;
	if (!error && flags)
		error = cudaErrorInvalidValue;
	return rt_leave(error ? error : event_record(e, s));
}

cudaError_t cudaEventRecord(cudaEvent_t event, cudaStream_t stream)
{
	return cudaEventRecordWithFlags(event, stream, cudaEventRecordDefault);
}

/* What was never recorded has happened. */
cudaError_t cudaEventQuery(cudaEvent_t event)
{
	struct CUevent_st *e;
	cudaError_t error = event_enter(event, &e);

	return rt_leave(error ? error : event_resolve(e, false));
}

cudaError_t cudaEventSynchronize(cudaEvent_t event)
{
	struct CUevent_st *e;
	cudaError_t error = event_enter(event, &e);

	return rt_leave(error ? error : event_resolve(e, true));
}

cudaError_t cudaEventElapsedTime(float *ms, cudaEvent_t start, cudaEvent_t end)
{
	struct CUevent_st *a, *b = NULL;
	cudaError_t error = event_enter(start, &a);

	if (!error)
		b = event_of(end);
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
static cudaError_t event_wait(struct CUstream_st *s, struct CUevent_st *e)
{
	cudaError_t error = cudaSuccess;

	if (e->copy || e->fence || (e->launch && e->device != s->device))
		error = event_resolve(e, true);
	if (!error && e->launch > s->launch)
		s->launch = e->launch;
	return error;
}

cudaError_t cudaStreamWaitEvent(cudaStream_t stream, cudaEvent_t event, unsigned int flags)
{
	struct CUevent_st *e;
	cudaError_t error = event_enter(event, &e);
	struct CUstream_st *s = error ? NULL : rt_stream(stream);

	if (!error && !s)
		error = cudaErrorInvalidResourceHandle;
	if (!error && flags)
		error = cudaErrorInvalidValue;
	return rt_leave(error ? error : event_wait(s, e));
}
