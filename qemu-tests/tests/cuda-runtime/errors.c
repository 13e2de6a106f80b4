// SPDX-License-Identifier: GPL-2.0
/* Errors: the last one, those that stay, their names and words. */
#include <sys/wait.h>

#include "cuda_test.h"

static void test_last(void)
{
	void *p;

	WORKS(cudaGetLastError());
	cudaMallocManaged(&p, 0, cudaMemAttachGlobal);
	cudaSetDevice(99);
	WORKS(cudaFree(NULL));
	RETURNS(cudaErrorInvalidDevice, cudaPeekAtLastError());
	RETURNS(cudaErrorInvalidDevice, cudaGetLastError());
	WORKS(cudaGetLastError());
	ok(!strcmp(cudaGetErrorName(cudaErrorIllegalAddress), "cudaErrorIllegalAddress"), "a name");
	ok(!strcmp(cudaGetErrorString(cudaErrorMemoryAllocation), "out of memory"), "words");
	ok(!strcmp(cudaGetErrorString((cudaError_t)12345), "unrecognized error code"),
	   "a number that is no error");
}

/* A kernel that fails: all calls say so until the device is reset, and then it works again. */
static void test_sticky(const char *what, cudaError_t want, cudaError_t (*launch)(void))
{
	unsigned char *p;

	cudaMallocManaged((void **)&p, PAGE, cudaMemAttachGlobal);
	returns(cudaSuccess, launch(), what);
	returns(want, cudaDeviceSynchronize(), what);
	RETURNS(want, cudaGetLastError());
	RETURNS(want, cudaGetLastError());
	RETURNS(want, cudaMalloc((void **)&p, 10));
	RETURNS(want, cudaDeviceSynchronize());
	WORKS(cudaDeviceReset());
	RETURNS(want, cudaGetLastError());
	WORKS(cudaGetLastError());
	WORKS(cudaMallocManaged((void **)&p, PAGE, cudaMemAttachGlobal));
	WORKS(launch_touch(p, 1, 1, NULL));
	WORKS(cudaDeviceSynchronize());
	ok(p[0] == 1, "%s: afterwards it works again", what);
	cudaFree(p);
}

static cudaError_t launch_wild(void)
{
	return launch_touch((void *)0x10, 1, 1, NULL);
}

/* What a program passes on that did not look whether it got its memory. */
static cudaError_t launch_nothing(void)
{
	void *p = NULL;

	cudaMalloc(&p, 1UL << 40);
	return launch_touch(p, 1, 1, NULL);
}

static cudaError_t launch_host(void)
{
	static char ordinary[10];

	return launch_touch(ordinary, 1, 1, NULL);
}

static cudaError_t launch_misaligned(void)
{
	float *a = (float *)2, *c = (float *)2;
	int n = 1;

	return LAUNCH(add, 1, 1, 0, &a, &a, &c, &n);
}

static cudaError_t launch_trap(void)
{
	return LAUNCH(trap, 1, 1, 0, NULL);
}

/* A child has no GPU: what its parent opened is the parent's, also when the child ends. */
static void test_child(void)
{
	unsigned char *p;
	int status = 0;

	cudaMallocManaged((void **)&p, PAGE, cudaMemAttachGlobal);
	if (!fork()) {
		int count, wrong = cudaFree(p) != cudaErrorInitializationError;

		wrong |= cudaGetDeviceCount(&count) != cudaErrorInitializationError;
		wrong |= cudaGetLastError() != cudaErrorInitializationError;
		cudaDeviceReset();
		exit(wrong);
	}
	wait(&status);
	ok(!status, "a child has no GPU: status %#x", status);
	WORKS(launch_touch(p, 1, 1, NULL));
	WORKS(cudaDeviceSynchronize());
	ok(p[0] == 1, "its parent has it as before");
	cudaFree(p);
}

void test_errors(void)
{
	test_last();
	test_child();
	test_sticky("an address that nobody has", cudaErrorIllegalAddress, launch_wild);
	test_sticky("memory that there was not", cudaErrorIllegalAddress, launch_nothing);
	test_sticky("memory of the CPU", cudaErrorIllegalAddress, launch_host);
	test_sticky("an odd address", cudaErrorMisalignedAddress, launch_misaligned);
	test_sticky("a trap", cudaErrorLaunchFailure, launch_trap);
}
