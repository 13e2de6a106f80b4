// SPDX-License-Identifier: GPL-2.0
/*
 * cudaStreamPerThread: each thread has a stream of its own on each GPU, made when it is first asked
 * for.  Like other streams it waits for the default stream, and that for it (CUDA Driver API, "Stream
 * synchronization behavior").  A thread that ends leaves its streams to those that come later.
 */
#include <limits.h>
#include <pthread.h>

#include "graph.h"

/* Whose a stream is when its thread has ended. */
#define NOBODY	ULONG_MAX

static pthread_key_t thread_key;
static pthread_once_t thread_once = PTHREAD_ONCE_INIT;
static unsigned long thread_count;
static _Thread_local unsigned long thread_self;

static void thread_ends(void *self)
{
	struct CUstream_st *s;

	(void)self;
	rt_lock();
	for (s = rt.streams; s; s = s->next)
		if (s->thread == thread_self) {
			rt_capture_leave(s);
			s->thread = NOBODY;
		}
	rt_leave(cudaSuccess);
}

static void thread_prepare(void)
{
	pthread_key_create(&thread_key, thread_ends);
}

static void thread_begins(void)
{
	pthread_once(&thread_once, thread_prepare);
	thread_self = ++thread_count;
	pthread_setspecific(thread_key, &thread_self);
}

/* Nothing of the thread before it is to be seen. */
static bool thread_left(struct CUstream_st *s)
{
	return s->thread == NOBODY && s->device == rt_current && rt_stream_idle(s);
}

cudaError_t rt_stream_of_thread(struct CUstream_st **found)
{
	struct CUstream_st *s;

	if (!rt_device())
		return cudaErrorInvalidResourceHandle;
	if (!thread_self)
		thread_begins();
	for (s = rt.streams; s; s = s->next)
		if (s->thread == thread_self && s->device == rt_current)
			break;
	if (s) {
		*found = s;
		return cudaSuccess;
	}
	for (s = rt.streams; s && !thread_left(s); s = s->next)
		;
	if (s)
		rt_stream_finish(s);
	else
		s = rt_stream_new(cudaStreamDefault);
	if (!s)
		return cudaErrorMemoryAllocation;
	s->thread = thread_self;
	s->policy = 0;
	s->window = (struct cudaAccessPolicyWindow){ 0 };
	*found = s;
	return cudaSuccess;
}

/* The whole program's, since the runtime is told by a header, before main() begins. */
void __cudaDefaultStreamPerThread(void)
{
	rt.null_is_thread = true;
}
