// SPDX-License-Identifier: GPL-2.0
/* Events: what they time, what waits for them. */
#include "cuda_test.h"

#define BYTES	(4 * BLOCK)

static void test_times(void)
{
	cudaEvent_t start, end, copied, untimed;
	float ms = -1, all = -1;
	unsigned char *p, *pinned;
	uint64_t before;

	cudaMallocManaged((void **)&p, BYTES, cudaMemAttachGlobal);
	cudaMallocHost((void **)&pinned, BYTES);
	WORKS(cudaEventCreate(&start));
	WORKS(cudaEventCreate(&end));
	WORKS(cudaEventCreateWithFlags(&copied, cudaEventBlockingSync));
	WORKS(cudaEventCreateWithFlags(&untimed, cudaEventDisableTiming));
	launch_touch(p, PAGE, 0, NULL);
	cudaDeviceSynchronize();

	before = device_ns();
	WORKS(cudaEventRecord(start, NULL));
	launch_touch(p, PAGE, BYTES / PAGE, NULL);
	WORKS(cudaEventRecord(end, NULL));
	if (on_virtual_clock()) {
		RETURNS(cudaErrorNotReady, cudaEventQuery(end));
		RETURNS(cudaErrorNotReady, cudaEventElapsedTime(&ms, start, end));
	}
	cudaMemcpyAsync(p, pinned, BYTES, cudaMemcpyDefault, NULL);
	WORKS(cudaEventRecord(copied, NULL));
	WORKS(cudaEventSynchronize(copied));
	WORKS(cudaEventElapsedTime(&ms, start, end));
	WORKS(cudaEventElapsedTime(&all, start, copied));
	before = device_ns() - before;
	ok(ms > 0 && all > ms && all * 1e6 <= (double)before + 1,
	   "a kernel takes %.6f ms, with a copy %.6f ms of %.6f ms", (double)ms, (double)all,
	   (double)before / 1e6);
	WORKS(cudaEventElapsedTime(&ms, end, start));
	ok(ms < 0, "backwards it is negative: %.6f", (double)ms);

	cudaEventRecord(untimed, NULL);
	RETURNS(cudaErrorInvalidResourceHandle, cudaEventElapsedTime(&ms, start, untimed));
	WORKS(cudaEventDestroy(untimed));
	RETURNS(cudaErrorInvalidResourceHandle, cudaEventRecord(untimed, NULL));
	RETURNS(cudaErrorInvalidResourceHandle, cudaEventSynchronize(untimed));
	RETURNS(cudaErrorNotSupported,
		cudaEventCreateWithFlags(&untimed, cudaEventInterprocess | cudaEventDisableTiming));
	RETURNS(cudaErrorInvalidValue, cudaEventCreateWithFlags(&untimed, 0x80));
	cudaGetLastError();
	cudaEventDestroy(start);
	cudaEventDestroy(end);
	cudaEventDestroy(copied);
	cudaFree(p);
	cudaFreeHost(pinned);
}

/* The GPU forgets when launches ended; an event does not. */
static void test_old(void)
{
	cudaEvent_t start, end, last;
	float first = -1, all = -1;
	unsigned char *p;

	cudaMallocManaged((void **)&p, PAGE, cudaMemAttachGlobal);
	cudaEventCreate(&start);
	cudaEventCreate(&end);
	cudaEventCreate(&last);
	cudaEventRecord(start, NULL);
	launch_touch(p, 1, 32, NULL);
	cudaEventRecord(end, NULL);
	for (int i = 0; i < 5000; i++)
		launch_touch(p, 1, 1, NULL);
	cudaEventRecord(last, NULL);
	WORKS(cudaEventSynchronize(last));
	WORKS(cudaEventElapsedTime(&first, start, end));
	WORKS(cudaEventElapsedTime(&all, start, last));
	ok(first > 0 && all > first, "the first launch %.6f ms, with 5000 more %.6f ms",
	   (double)first, (double)all);
	cudaEventDestroy(start);
	cudaEventDestroy(end);
	cudaEventDestroy(last);
	cudaFree(p);
}

/* Nor is that of a copy forgotten, and who waits for the event does not make it two. */
static void test_old_copy(void)
{
	unsigned char *device, *pinned;
	cudaEvent_t start, end, last;
	float first = -1, all = -1;
	cudaStream_t s;

	cudaStreamCreateWithFlags(&s, cudaStreamNonBlocking);
	cudaMalloc((void **)&device, BYTES);
	cudaMallocHost((void **)&pinned, BYTES);
	cudaEventCreate(&start);
	cudaEventCreate(&end);
	cudaEventCreate(&last);
	cudaEventRecord(start, s);
	cudaMemcpyAsync(device, pinned, BYTES, cudaMemcpyHostToDevice, s);
	cudaEventRecord(end, s);
	for (int i = 0; i < 3000; i++)
		cudaMemcpy(device, pinned, 1, cudaMemcpyHostToDevice);
	cudaEventRecord(last, s);
	WORKS(cudaEventSynchronize(last));
	WORKS(cudaEventElapsedTime(&first, start, end));
	WORKS(cudaEventElapsedTime(&all, start, last));
	/* of a link of 16 GB/s at most */
	ok(first * 1e6 > BYTES / 16.0 && all > first, "the first copy %.6f ms, with 3000 more %.6f ms",
	   (double)first, (double)all);
	cudaEventDestroy(start);
	cudaEventDestroy(end);
	cudaEventDestroy(last);
	cudaStreamDestroy(s);
	cudaFree(device);
	cudaFreeHost(pinned);
}

/* What an event is behind is all of it: the longer one of a copy and a kernel, and what the CPU did. */
static void test_latest(void)
{
	unsigned char *device, *pinned, *p;
	cudaEvent_t start, copied, all;
	float copy = -1, both = -1;
	cudaStream_t s, t;

	cudaStreamCreateWithFlags(&s, cudaStreamNonBlocking);
	cudaStreamCreateWithFlags(&t, cudaStreamNonBlocking);
	cudaMalloc((void **)&device, BYTES);
	cudaMalloc((void **)&p, 1);
	cudaMallocHost((void **)&pinned, BYTES);
	cudaEventCreate(&start);
	cudaEventCreate(&copied);
	cudaEventCreate(&all);
	cudaEventRecord(start, s);
	cudaMemcpyAsync(device, pinned, BYTES, cudaMemcpyHostToDevice, s);
	cudaEventRecord(copied, s);
	launch_touch(p, 1, 1, t);
	cudaEventRecord(all, t);
	cudaStreamWaitEvent(s, all, 0);
	cudaEventRecord(all, s);
	WORKS(cudaEventSynchronize(all));
	WORKS(cudaEventElapsedTime(&copy, start, copied));
	WORKS(cudaEventElapsedTime(&both, start, all));
	ok(copy > 0 && both >= copy, "a copy %.6f ms, with a kernel beside it %.6f ms", (double)copy,
	   (double)both);
	cudaEventDestroy(start);
	cudaEventDestroy(copied);
	cudaEventDestroy(all);
	cudaStreamDestroy(s);
	cudaStreamDestroy(t);
	cudaFree(device);
	cudaFree(p);
	cudaFreeHost(pinned);
}

/* A stream that waits for an event of another one. */
static void test_wait(void)
{
	unsigned char *device, *pinned;
	cudaStream_t s, t;
	cudaEvent_t e;

	cudaStreamCreateWithFlags(&s, cudaStreamNonBlocking);
	cudaStreamCreateWithFlags(&t, cudaStreamNonBlocking);
	cudaEventCreateWithFlags(&e, cudaEventDisableTiming);
	cudaMalloc((void **)&device, BYTES);
	cudaMallocHost((void **)&pinned, BYTES);
	memset(pinned, 8, BYTES);
	WORKS(cudaEventQuery(e));
	WORKS(cudaStreamWaitEvent(t, e, 0));
	cudaMemcpyAsync(device, pinned, BYTES, cudaMemcpyHostToDevice, s);
	WORKS(cudaEventRecord(e, s));
	WORKS(cudaStreamWaitEvent(t, e, 0));
	launch_touch(device, PAGE, BYTES / PAGE, t);
	WORKS(cudaEventRecord(e, t));
	WORKS(cudaStreamWaitEvent(s, e, 0));
	cudaMemcpyAsync(pinned, device, BYTES, cudaMemcpyDeviceToHost, s);
	WORKS(cudaStreamSynchronize(s));
	ok(pinned[0] == 9 && pinned[1] == 8 && pinned[BYTES - PAGE] == 9,
	   "copy, kernel of another stream, copy: %u %u %u", pinned[0], pinned[1],
	   pinned[BYTES - PAGE]);
	cudaEventDestroy(e);
	cudaStreamDestroy(s);
	cudaStreamDestroy(t);
	cudaFree(device);
	cudaFreeHost(pinned);
}

void test_events(void)
{
	test_times();
	test_old();
	test_old_copy();
	test_latest();
	test_wait();
}
