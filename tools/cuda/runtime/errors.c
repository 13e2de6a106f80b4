// SPDX-License-Identifier: GPL-2.0
/* The lock, opening, and errors: the last one of a thread, those that stay, names and words. */
#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

#include "runtime.h"

struct rt rt;
_Thread_local int rt_current;

static pthread_mutex_t rt_mutex = PTHREAD_MUTEX_INITIALIZER;
static _Thread_local cudaError_t errors_last, errors_before;

#define ERRORS_ENTRY(name, number, text)	{ name, #name, text },
static const struct {
	cudaError_t error;
	const char *name, *text;
} errors_known[] = {
	SOFTUVM_CUDA_ERRORS(ERRORS_ENTRY)
};

cudaError_t rt_note(cudaError_t error)
{
	if (error) {
		errors_before = errors_last;
		errors_last = error;
	}
	return error;
}

void rt_unnote(void)
{
	errors_last = errors_before;
}

cudaError_t rt_lock(void)
{
	pthread_mutex_lock(&rt_mutex);
	return rt.sticky;
}

cudaError_t rt_leave(cudaError_t error)
{
	pthread_mutex_unlock(&rt_mutex);
	return rt_note(error);
}

void rt_complain(const char *what)
{
	fprintf(stderr, "softuvm: %s: %s\n", what, uvm_last_error(rt.u));
}

cudaError_t rt_error(int err)
{
	switch (-err) {
	case 0:
		return cudaSuccess;
	case ENOMEM:
	case ENOSPC:
	case EPERM:
		return cudaErrorMemoryAllocation;
	case ENODEV:
		return cudaErrorNoDevice;
	case EFAULT:
		return cudaErrorIllegalAddress;
	case EOPNOTSUPP:
		return cudaErrorNotSupported;
	case EINVAL:
	case ENOENT:
		return cudaErrorInvalidValue;
	default:
		return cudaErrorUnknown;
	}
}

/* What is printed and what is reported at the end of the program. */
static void errors_at_exit(void)
{
	rt_lock();
	if (rt.u && !rt.forked) {
		rt_finish();
		rt_environment_end();
		uvm_close(rt.u);
		rt.u = NULL;
	}
	rt.ended = true;
	pthread_mutex_unlock(&rt_mutex);
}

/* Before that: who gave up, with a status, may have done so for want of memory. */
static void errors_at_status(int status, void *arg)
{
	(void)arg;
	if (status && !rt.forked)
		rt_explain_memory();
}

/* What was open is the parent's: its GPU, its memory; whoever had the lock is not here. */
static void errors_in_child(void)
{
	pthread_mutex_init(&rt_mutex, NULL);
	rt.forked = rt.u;
}

cudaError_t rt_open(void)
{
	static bool registered;
	int gpus[UVM_GPU_MAX], i, err;
	cudaError_t error;

	if (rt.forked)
		return cudaErrorInitializationError;
	if (rt.incomplete)
		return cudaErrorMemoryAllocation;
	if (rt.u)
		return cudaSuccess;
	if (rt.ended)
		return cudaErrorCudartUnloading;
	error = rt_find_devices();
	if (error)
		return error;
	for (i = 0; i < rt.count; i++)
		gpus[i] = rt.devices[i].gpu;
	err = uvm_open(&rt.u, gpus, rt.count);
	if (err) {
		rt_complain("no GPU");
		return err == -ENOMEM ? cudaErrorMemoryAllocation : cudaErrorInitializationError;
	}
	/* As with CUDA, who runs over an end finds what lies next to it. */
	uvm_leave_gap(rt.u, 0);
	error = rt_environment_begin();
	if (!error)
		error = rt_read_devices();
	if (!error)
		error = rt_manage_variables();
	if (error) {
		uvm_close(rt.u);
		rt.u = NULL;
		return error;
	}
	if (!registered) {
		atexit(errors_at_exit);
		on_exit(errors_at_status, NULL);
		pthread_atfork(NULL, NULL, errors_in_child);
	}
	registered = true;
	return cudaSuccess;
}

cudaError_t rt_enter(void)
{
	cudaError_t error = rt_lock();

	return error ? error : rt_open();
}

cudaError_t cudaGetLastError(void)
{
	cudaError_t error = rt_lock();

	pthread_mutex_unlock(&rt_mutex);
	if (error)
		return error;
	error = errors_last;
	errors_last = cudaSuccess;
	return error;
}

cudaError_t cudaPeekAtLastError(void)
{
	cudaError_t error = rt_lock();

	pthread_mutex_unlock(&rt_mutex);
	return error ? error : errors_last;
}

const char *cudaGetErrorName(cudaError_t error)
{
	for (size_t i = 0; i < sizeof(errors_known) / sizeof(errors_known[0]); i++)
		if (errors_known[i].error == error)
			return errors_known[i].name;
	return "unrecognized error code";
}

const char *cudaGetErrorString(cudaError_t error)
{
	for (size_t i = 0; i < sizeof(errors_known) / sizeof(errors_known[0]); i++)
		if (errors_known[i].error == error)
			return errors_known[i].text;
	return "unrecognized error code";
}
