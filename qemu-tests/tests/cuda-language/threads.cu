// SPDX-License-Identifier: GPL-2.0
// options: --default-stream per-thread -rdc=true
/*
 * Each thread has a default stream of its own, which is cudaStreamPerThread.  That two are not the same
 * shows in a capture: what goes to the one is captured, what goes to the other is done.
 */
#include <thread>
#include "check.h"

__global__ void add(int *x, int value) { atomicAdd(x, value); }

/* *seen: what *x is when this thread's work is done. */
static void adds_aside(int *x, int *seen)
{
	cudaStreamCaptureStatus status;

	MUST(cudaStreamIsCapturing(0, &status));
	CHECK(status == cudaStreamCaptureStatusNone, "%d", status);
	add<<<1, 32>>>(x, 1);
	MUST(cudaStreamSynchronize(0));
	*seen = *x;
}

static void test_capture(int *x)
{
	cudaStreamCaptureStatus status;
	cudaGraph_t graph;
	cudaGraphExec_t exec;
	int seen = 0;

	*x = 0;
	MUST(cudaStreamBeginCapture(0, cudaStreamCaptureModeThreadLocal));
	MUST(cudaStreamIsCapturing(cudaStreamPerThread, &status));
	CHECK(status == cudaStreamCaptureStatusActive, "%d", status);
	add<<<1, 1>>>(x, 1000);
	std::thread(adds_aside, x, &seen).join();
	CHECK(seen == 32, "%d", seen);
	MUST(cudaStreamEndCapture(cudaStreamPerThread, &graph));
	MUST(cudaGraphInstantiate(&exec, graph, 0));
	MUST(cudaGraphLaunch(exec, 0));
	MUST(cudaGraphLaunch(exec, cudaStreamPerThread));
	MUST(cudaStreamSynchronize(0));
	CHECK(*x == 2032, "%d", *x);
	MUST(cudaGraphExecDestroy(exec));
	MUST(cudaGraphDestroy(graph));
}

/* The legacy stream and these wait for each other. */
static void test_legacy(int *x)
{
	int read = 0;

	*x = 0;
	add<<<1, 1, 0, cudaStreamLegacy>>>(x, 5);
	add<<<1, 1>>>(x, 7);
	MUST(cudaMemcpyAsync(&read, x, sizeof(read), cudaMemcpyDeviceToHost, cudaStreamLegacy));
	MUST(cudaStreamSynchronize(cudaStreamLegacy));
	CHECK(read == 12, "%d", read);
	CHECK(cudaStreamDestroy(cudaStreamPerThread) == cudaErrorInvalidResourceHandle);
	CHECK(cudaGetLastError() == cudaErrorInvalidResourceHandle);
}

/* Threads that end with work under way, one after another and at once. */
static void test_threads(int *x)
{
	std::thread together[8];

	*x = 0;
	for (int i = 0; i < 50; i++)
		std::thread([=] { add<<<1, 1>>>(x, 1); }).join();
	for (auto &t : together)
		t = std::thread([=] {
			for (int i = 0; i < 20; i++)
				add<<<1, 1>>>(x, 1);
			MUST(cudaStreamSynchronize(cudaStreamPerThread));
		});
	for (auto &t : together)
		t.join();
	MUST(cudaDeviceSynchronize());
	CHECK(*x == 210, "%d", *x);
	MUST(cudaDeviceReset());
	MUST(cudaStreamSynchronize(0));
}

int main()
{
	int *x = managed<int>(1);

	test_capture(x);
	test_legacy(x);
	test_threads(x);
	return wrong != 0;
}
