// SPDX-License-Identifier: GPL-2.0
/*
 * Streams.  Work goes to the GPU at once, in the order of the calls, to one of three units: launches,
 * copies, migrations.  Launches of a GPU run in order anyway.  Where a unit has to wait for another
 * one the CPU does, so that what runs beside what depends on the order of calls alone and repeats.
 */
#include <stdio.h>
#include <stdlib.h>

#include "graph.h"

static cudaError_t stream_failed(cudaError_t error, const char *what)
{
	rt_complain(what);
	rt_explain_memory();
	rt.sticky = error;
	return error;
}

/* As CUDA calls what a kernel did wrong; a failed assertion is a trap of its function. */
static cudaError_t stream_reason(const struct uvm_failure *failure)
{
	switch (failure->wait.reason) {
	case SOFTGPU_FAIL_TRAP:
		return rt_failed_in(failure, "__assertfail") ? cudaErrorAssert :
							       cudaErrorLaunchFailure;
	case SOFTGPU_FAIL_FAULT:
	case SOFTGPU_FAIL_WINDOW:
		return cudaErrorIllegalAddress;
	case SOFTGPU_FAIL_MISALIGNED:
		return cudaErrorMisalignedAddress;
	case SOFTGPU_FAIL_JUMP:
		return cudaErrorInvalidPc;
	case SOFTGPU_FAIL_INSTRUCTION_LIMIT:
	case SOFTGPU_FAIL_HANG:
		return cudaErrorLaunchTimeout;
	case SOFTGPU_FAIL_NO_MEMORY:
		return cudaErrorMemoryAllocation;
	default:
		return cudaErrorLaunchFailure;
	}
}

void rt_print_output(void)
{
	char text[4096];
	long n;

	for (int i = 0; i < rt.count; i++)
		while ((n = uvm_gpu_output(rt.u, rt.devices[i].gpu, text, sizeof(text))) > 0)
			fwrite(text, 1, n, stdout);
}

cudaError_t rt_collect(void)
{
	const struct uvm_failure *failure;
	int err = uvm_synchronize(rt.u);

	rt_print_output();
	if (!err || rt.sticky)
		return rt.sticky;
	failure = uvm_failure(rt.u);
	return stream_failed(failure ? stream_reason(failure) : rt_error(err),
			     "a kernel failed");
}

/* All launches of a GPU up to one have ended. */
static void stream_launched(int device, uint64_t launch)
{
	struct CUstream_st *s;

	if (rt.devices[device].null.launch <= launch)
		rt.devices[device].null.launch = 0;
	for (s = rt.streams; s; s = s->next)
		if (s->device == device && s->launch <= launch)
			s->launch = 0;
}

uint64_t rt_last_pending(int device)
{
	uint64_t launch = rt.devices[device].null.launch;
	struct CUstream_st *s;

	for (s = rt.streams; s; s = s->next)
		if (s->device == device && s->launch > launch && !(s->flags & cudaStreamNonBlocking))
			launch = s->launch;
	return launch;
}

static cudaError_t stream_wait_launch(struct CUstream_st *s)
{
	struct softgpu_wait state;
	int err;

	if (!s->launch)
		return cudaSuccess;
	err = uvm_launch_state(rt.u, rt.devices[s->device].gpu, s->launch, true, &state);
	stream_launched(s->device, s->launch);
	if (err)
		return stream_failed(rt_error(err), "waiting for a kernel");
	if (state.state == SOFTGPU_LAUNCH_FAILED)
		return rt_collect();
	rt_print_output();
	return cudaSuccess;
}

static cudaError_t stream_wait_copy(struct CUstream_st *s)
{
	uint64_t copy = s->copy;
	int err;

	if (!copy)
		return cudaSuccess;
	s->copy = 0;
	err = uvm_memcpy_wait(rt.u, rt.devices[s->device].gpu, copy);
	return err ? stream_failed(rt_error(err), "an asynchronous copy failed") : cudaSuccess;
}

static cudaError_t stream_wait_fence(struct CUstream_st *s)
{
	uint64_t fence = s->fence;
	int err;

	if (!fence)
		return cudaSuccess;
	s->fence = 0;
	err = uvm_wait_fence(rt.u, fence);
	return err ? stream_failed(rt_error(err), "a prefetch failed") : cudaSuccess;
}

cudaError_t rt_stream_finish(struct CUstream_st *s)
{
	cudaError_t error = stream_wait_launch(s);

	if (!error)
		error = stream_wait_copy(s);
	return error ? error : stream_wait_fence(s);
}

/* Work of @of has to be done before @unit goes on; launches come in order by themselves. */
static cudaError_t stream_settle(struct CUstream_st *of, enum rt_unit unit)
{
	cudaError_t error = unit == RT_LAUNCH ? cudaSuccess : stream_wait_launch(of);

	if (!error)
		error = stream_wait_copy(of);
	if (!error && unit != RT_MIGRATE)
		error = stream_wait_fence(of);
	return error;
}

/* The default stream and the others of its GPU wait for each other, unless they are not to. */
static bool stream_orders(const struct CUstream_st *a, const struct CUstream_st *b)
{
	const struct CUstream_st *null = &rt.devices[a->device].null;

	return a->device == b->device && a != b && (a == null || b == null) &&
	       !((a->flags | b->flags) & cudaStreamNonBlocking);
}

cudaError_t rt_stream_before(struct CUstream_st *stream, enum rt_unit unit)
{
	struct CUstream_st *null = &rt.devices[stream->device].null, *s;
	cudaError_t error = rt_capture_refuse(stream);

	if (!error)
		error = stream_settle(stream, unit);
	if (!error && stream_orders(stream, null))
		error = stream_settle(null, unit);
	for (s = rt.streams; s && !error; s = s->next)
		if (stream_orders(stream, s))
			error = stream_settle(s, unit);
	return error;
}

cudaError_t rt_finish(void)
{
	cudaError_t error = rt_collect();
	struct CUstream_st *s;

	for (int i = 0; i < rt.count; i++) {
		rt.devices[i].null.launch = 0;
		if (!error)
			error = rt_stream_finish(&rt.devices[i].null);
	}
	for (s = rt.streams; s; s = s->next) {
		s->launch = 0;
		if (!error)
			error = rt_stream_finish(s);
	}
	return error;
}

cudaError_t rt_stream(cudaStream_t stream, struct CUstream_st **s)
{
	if (stream == cudaStreamPerThread || (!stream && rt.null_is_thread))
		return rt_stream_of_thread(s);
	if (!stream || stream == cudaStreamLegacy)
		*s = rt_device() ? &rt_device()->null : NULL;
	else
		for (*s = rt.streams; *s && *s != stream; *s = (*s)->next)
			;
	return *s ? cudaSuccess : cudaErrorInvalidResourceHandle;
}

struct CUstream_st *rt_stream_new(unsigned int flags)
{
	struct CUstream_st *s = calloc(1, sizeof(*s)), **link;

	if (!s)
		return NULL;
	s->device = rt_current;
	s->flags = flags;
	for (link = &rt.streams; *link; link = &(*link)->next)
		;
	return *link = s;
}

bool rt_is_stream(const struct CUstream_st *stream)
{
	const struct CUstream_st *s;

	for (int i = 0; i < rt.count; i++)
		if (stream == &rt.devices[i].null)
			return true;
	for (s = rt.streams; s && s != stream; s = s->next)
		;
	return s;
}

void rt_streams_free(void)
{
	struct CUstream_st *s;

	while ((s = rt.streams)) {
		rt.streams = s->next;
		free(s);
	}
	for (int i = 0; i < rt.count; i++)
		rt.devices[i].null = (struct CUstream_st){ .device = i };
}

/* ---- the API ---------------------------------------------------------- */

cudaError_t cudaStreamCreateWithPriority(cudaStream_t *stream, unsigned int flags, int priority)
{
	cudaError_t error = rt_enter();
	struct CUstream_st *s;

	/* as with CUDA, it becomes one that there is: 0 */
	(void)priority;

	if (!error && (!stream || flags & ~cudaStreamNonBlocking))
		error = cudaErrorInvalidValue;
	s = error ? NULL : rt_stream_new(flags);
	if (!error && !s)
		error = cudaErrorMemoryAllocation;
	if (!error)
		*stream = s;
	return rt_leave(error);
}

cudaError_t cudaStreamCreateWithFlags(cudaStream_t *stream, unsigned int flags)
{
	return cudaStreamCreateWithPriority(stream, flags, 0);
}

cudaError_t cudaStreamCreate(cudaStream_t *stream)
{
	return cudaStreamCreateWithPriority(stream, cudaStreamDefault, 0);
}

/* The stream of a call that only looks at it or waits for it. */
static cudaError_t stream_enter(cudaStream_t stream, struct CUstream_st **s)
{
	cudaError_t error = rt_enter();

	return error ? error : rt_stream(stream, s);
}

cudaError_t cudaStreamDestroy(cudaStream_t stream)
{
	struct CUstream_st *s, **link;
	cudaError_t error = stream_enter(stream, &s);

	if (!error && (s == &rt.devices[s->device].null || s->thread))
		error = cudaErrorInvalidResourceHandle;
	if (error)
		return rt_leave(error);
	rt_capture_leave(s);
	error = rt_stream_finish(s);
	for (link = &rt.streams; *link != s; link = &(*link)->next)
		;
	*link = s->next;
	free(s);
	return rt_leave(error);
}

cudaError_t cudaStreamSynchronize(cudaStream_t stream)
{
	struct CUstream_st *s;
	cudaError_t error = stream_enter(stream, &s);

	if (!error)
		error = rt_capture_refuse(s);
	if (!error && s == &rt.devices[s->device].null)
		error = rt_stream_before(s, RT_HOST);
	return rt_leave(error ? error : rt_stream_finish(s));
}

/* cudaErrorNotReady: there is still something to wait for. */
static cudaError_t stream_look(const struct CUstream_st *s)
{
	int gpu = rt.devices[s->device].gpu, err = 0;
	struct softgpu_wait launch = { .state = SOFTGPU_LAUNCH_DONE };
	struct softgpu_copy_wait copy = { .state = SOFTGPU_COPY_DONE };
	bool moved = true;

	if (s->launch)
		err = uvm_launch_state(rt.u, gpu, s->launch, false, &launch);
	if (!err && s->copy)
		err = uvm_memcpy_state(rt.u, gpu, s->copy, false, &copy);
	if (!err && s->fence)
		err = uvm_fence_state(rt.u, s->fence, &moved);
	if (err)
		return rt_error(err);
	return launch.state == SOFTGPU_LAUNCH_RUNNING || copy.state == SOFTGPU_COPY_RUNNING ||
	       !moved ? cudaErrorNotReady : cudaSuccess;
}

static cudaError_t stream_poll(struct CUstream_st *s)
{
	cudaError_t error = stream_look(s);

	return error ? error : rt_stream_finish(s);
}

bool rt_stream_idle(const struct CUstream_st *s)
{
	return !s->fence && !stream_look(s);
}

cudaError_t cudaStreamQuery(cudaStream_t stream)
{
	struct CUstream_st *s;
	cudaError_t error = stream_enter(stream, &s);

	if (!error)
		error = rt_capture_refuse(s);
	return rt_leave(error ? error : stream_poll(s));
}

cudaError_t cudaStreamGetFlags(cudaStream_t stream, unsigned int *flags)
{
	struct CUstream_st *s;
	cudaError_t error = stream_enter(stream, &s);

	if (!error && !flags)
		error = cudaErrorInvalidValue;
	if (!error)
		*flags = s->flags;
	return rt_leave(error);
}

cudaError_t cudaStreamGetPriority(cudaStream_t stream, int *priority)
{
	struct CUstream_st *s;
	cudaError_t error = stream_enter(stream, &s);

	if (!error && !priority)
		error = cudaErrorInvalidValue;
	if (!error)
		*priority = 0;
	return rt_leave(error);
}

cudaError_t cudaDeviceGetStreamPriorityRange(int *least, int *greatest)
{
	if (least)
		*least = 0;
	if (greatest)
		*greatest = 0;
	return cudaSuccess;
}

cudaError_t cudaLaunchHostFunc(cudaStream_t stream, cudaHostFn_t function, void *arg)
{
	struct rt_work work = {
		.type = cudaGraphNodeTypeHost, .host = { .fn = function, .userData = arg },
	};
	cudaError_t error = rt_enter();

	if (!error && !function)
		error = cudaErrorInvalidValue;
	return rt_leave(error ? error : rt_submit(stream, &work));
}

cudaError_t cudaStreamAddCallback(cudaStream_t stream, cudaStreamCallback_t callback, void *arg,
				  unsigned int flags)
{
	struct rt_work work = { .type = RT_WORK_CALLBACK, .callback = { callback, stream, arg } };
	cudaError_t error = rt_enter();

	if (!error && (!callback || flags))
		error = cudaErrorInvalidValue;
	return rt_leave(error ? error : rt_submit(stream, &work));
}

cudaError_t rt_attach_check(const struct rt_attach_work *work)
{
	const struct rt_memory *m = rt_find(work->at);

	if (!m || m->kind != RT_MANAGED || (work->bytes && work->bytes != m->bytes) ||
	    (work->flags != cudaMemAttachGlobal && work->flags != cudaMemAttachHost &&
	     work->flags != cudaMemAttachSingle))
		return cudaErrorInvalidValue;
	return cudaSuccess;
}

cudaError_t cudaStreamAttachMemAsync(cudaStream_t stream, void *ptr, size_t bytes,
				     unsigned int flags)
{
	struct rt_work work = { .type = RT_WORK_ATTACH, .attach = { ptr, bytes, flags } };
	cudaError_t error = rt_enter();

	return rt_leave(error ? error : rt_submit(stream, &work));
}

cudaError_t cudaDeviceSynchronize(void)
{
	cudaError_t error = rt_enter();

	if (!error)
		error = rt_capture_refuse_device(rt_current);
	return rt_leave(error ? error : rt_finish());
}

cudaError_t cudaThreadSynchronize(void)
{
	return cudaDeviceSynchronize();
}
