// SPDX-License-Identifier: GPL-2.0
/* Streams: order within one, between those that wait for each other, and none otherwise. */
#include "cuda_test.h"

#define BYTES	(4 * BLOCK)

static uint64_t elapsed_ns(void (*run)(char *a, char *b, cudaStream_t s, cudaStream_t t), bool same)
{
	cudaStream_t s, t;
	uint64_t start;
	char *a, *b;

	cudaMallocManaged((void **)&a, BYTES, cudaMemAttachGlobal);
	cudaMallocManaged((void **)&b, BYTES, cudaMemAttachGlobal);
	memset(a, 1, BYTES);
	memset(b, 1, BYTES);
	cudaStreamCreateWithFlags(&s, cudaStreamNonBlocking);
	cudaStreamCreateWithFlags(&t, cudaStreamNonBlocking);
	/* the module is loaded before the clock is looked at */
	launch_touch(a, PAGE, 0, s);
	cudaDeviceSynchronize();
	start = device_ns();
	run(a, b, s, same ? s : t);
	cudaDeviceSynchronize();
	start = device_ns() - start;
	cudaStreamDestroy(s);
	cudaStreamDestroy(t);
	cudaFree(a);
	cudaFree(b);
	return start;
}

static void run_prefetch(char *a, char *b, cudaStream_t s, cudaStream_t t)
{
	launch_touch(a, PAGE, BYTES / PAGE, s);
	cudaMemPrefetchAsync(b, BYTES, 0, t);
	launch_touch(b, PAGE, BYTES / PAGE, t);
}

/* A prefetch runs beside a kernel of another stream, and behind one of its own. */
static void test_beside(void)
{
	uint64_t same = elapsed_ns(run_prefetch, true), other = elapsed_ns(run_prefetch, false);

	ok(other < same, "a prefetch beside a kernel: %lu ns, behind it %lu ns", (unsigned long)other,
	   (unsigned long)same);
}

/* Each sees what the one before did, whatever units they are for. */
static void test_order(void)
{
	unsigned char *device, *pinned, *seen;
	int *after_it, value = 0;
	cudaStream_t s;
	const char *of;

	WORKS(cudaStreamCreate(&s));
	cudaMalloc((void **)&device, BYTES);
	cudaMallocHost((void **)&pinned, BYTES);
	cudaMallocHost((void **)&seen, BYTES);
	cudaMallocManaged((void **)&after_it, sizeof(*after_it), cudaMemAttachGlobal);
	memset(pinned, 5, BYTES);
	WORKS(cudaMemcpyAsync(device, pinned, BYTES, cudaMemcpyHostToDevice, s));
	WORKS(launch_touch(device, PAGE, BYTES / PAGE, s));
	of = (char *)device + BYTES - PAGE;
	WORKS(LAUNCH(after, 1, 1, s, &after_it, &of));
	WORKS(cudaMemcpyAsync(seen, device, BYTES, cudaMemcpyDeviceToHost, s));
	WORKS(cudaMemsetAsync(device, 0, BYTES, s));
	WORKS(cudaStreamSynchronize(s));
	ok(seen[0] == 6 && seen[1] == 5 && seen[BYTES - PAGE] == 6, "copy, kernel, copy: %u %u %u",
	   seen[0], seen[1], seen[BYTES - PAGE]);
	ok(*after_it == 6, "kernel after kernel: %d", *after_it);
	cudaMemcpy(&value, device, 1, cudaMemcpyDeviceToHost);
	ok(!value, "memset after copy: %d", value);
	cudaFree(device);
	cudaFreeHost(pinned);
	cudaFreeHost(seen);
	cudaFree(after_it);
	WORKS(cudaStreamDestroy(s));
}

/* The default stream waits for the others, and they for it; not for those that are not to. */
static void test_default(void)
{
	cudaStream_t blocking, free_one;
	unsigned char *p, *q;

	cudaStreamCreate(&blocking);
	cudaStreamCreateWithFlags(&free_one, cudaStreamNonBlocking);
	cudaMallocHost((void **)&p, BYTES);
	cudaMalloc((void **)&q, BYTES);
	memset(p, 3, BYTES);
	cudaMemcpyAsync(q, p, BYTES, cudaMemcpyHostToDevice, blocking);
	launch_touch(q, PAGE, BYTES / PAGE, NULL);
	WORKS(cudaStreamSynchronize(NULL));
	cudaMemcpy(p, q, BYTES, cudaMemcpyDeviceToHost);
	ok(p[0] == 4 && p[BYTES - PAGE] == 4, "a kernel of the default stream behind a copy: %u", p[0]);
	launch_touch(q, PAGE, BYTES / PAGE, NULL);
	cudaMemcpyAsync(p, q, BYTES, cudaMemcpyDeviceToHost, blocking);
	cudaStreamSynchronize(blocking);
	ok(p[0] == 5, "a copy behind a kernel of the default stream: %u", p[0]);
	launch_touch(q, PAGE, BYTES / PAGE, free_one);
	if (on_virtual_clock())
		RETURNS(cudaErrorNotReady, cudaStreamQuery(free_one));
	WORKS(cudaStreamQuery(blocking));
	WORKS(cudaStreamSynchronize(free_one));
	WORKS(cudaStreamQuery(free_one));
	cudaGetLastError();
	cudaStreamDestroy(blocking);
	cudaStreamDestroy(free_one);
	cudaFreeHost(p);
	cudaFree(q);
}

/* Who asks whether memory has moved does not wait for it. */
static void test_query(void)
{
	unsigned int asked = 0;
	cudaStream_t s;
	cudaEvent_t e;
	char *p;

	cudaStreamCreateWithFlags(&s, cudaStreamNonBlocking);
	cudaEventCreateWithFlags(&e, cudaEventDisableTiming);
	cudaMallocManaged((void **)&p, BYTES, cudaMemAttachGlobal);
	memset(p, 1, BYTES);
	WORKS(cudaMemPrefetchAsync(p, BYTES, 0, s));
	WORKS(cudaEventRecord(e, s));
	if (on_virtual_clock()) {
		RETURNS(cudaErrorNotReady, cudaStreamQuery(s));
		RETURNS(cudaErrorNotReady, cudaEventQuery(e));
	}
	while (cudaStreamQuery(s) == cudaErrorNotReady && ++asked < 1000000)
		;
	ok(asked < 1000000, "memory that moves is there at last");
	WORKS(cudaEventQuery(e));
	WORKS(cudaStreamQuery(s));
	cudaGetLastError();
	cudaEventDestroy(e);
	cudaStreamDestroy(s);
	cudaFree(p);
}

static void count_call(void *arg)
{
	++*(int *)arg;
}

static void count_callback(cudaStream_t stream, cudaError_t status, void *arg)
{
	*(int *)arg += stream && !status ? 10 : 100;
}

static void test_callbacks(void)
{
	unsigned char *p;
	cudaStream_t s;
	int calls = 0;

	cudaStreamCreate(&s);
	cudaMallocManaged((void **)&p, PAGE, cudaMemAttachGlobal);
	launch_touch(p, 1, 1, s);
	WORKS(cudaLaunchHostFunc(s, count_call, p));
	WORKS(cudaStreamSynchronize(s));
	ok(p[0] == 2, "a function of the CPU behind a kernel: %u", p[0]);
	WORKS(cudaLaunchHostFunc(s, count_call, &calls));
	WORKS(cudaStreamAddCallback(s, count_callback, &calls, 0));
	ok(calls == 11, "calls: %d", calls);
	RETURNS(cudaErrorInvalidValue, cudaLaunchHostFunc(s, NULL, NULL));
	cudaGetLastError();
	cudaFree(p);
	cudaStreamDestroy(s);
}

static void test_handles(void)
{
	unsigned int flags = 5;
	cudaStream_t s;
	int priority = 5;

	WORKS(cudaStreamCreateWithPriority(&s, cudaStreamNonBlocking, -1));
	WORKS(cudaStreamGetFlags(s, &flags));
	WORKS(cudaStreamGetPriority(s, &priority));
	ok(flags == cudaStreamNonBlocking && !priority, "flags and priority: %u %d", flags,
	   priority);
	RETURNS(cudaErrorInvalidValue, cudaStreamCreateWithFlags(&s, 8));
	RETURNS(cudaErrorInvalidValue, cudaStreamCreate(NULL));
	WORKS(cudaStreamDestroy(s));
	RETURNS(cudaErrorInvalidResourceHandle, cudaStreamDestroy(s));
	RETURNS(cudaErrorInvalidResourceHandle, cudaStreamSynchronize(s));
	RETURNS(cudaErrorInvalidResourceHandle, launch_touch(NULL, 1, 0, s));
	RETURNS(cudaErrorInvalidResourceHandle, cudaStreamDestroy(NULL));
	WORKS(cudaStreamSynchronize(cudaStreamPerThread));
	RETURNS(cudaErrorInvalidResourceHandle, cudaGetLastError());
}

/* Hints: kept and told, and wrong ones refused. */
static void test_attributes(void)
{
	cudaStreamAttrValue value = { .accessPolicyWindow = {
		.num_bytes = PAGE, .hitRatio = 0.5f, .hitProp = cudaAccessPropertyPersisting,
		.missProp = cudaAccessPropertyStreaming } }, got;
	enum cudaLaunchAttributeID window = cudaStreamAttributeAccessPolicyWindow;
	cudaStream_t s, t;
	size_t limit;

	cudaStreamCreate(&s);
	cudaStreamCreate(&t);
	WORKS(cudaStreamSetAttribute(s, window, &value));
	WORKS(cudaStreamGetAttribute(t, window, &got));
	ok(!got.accessPolicyWindow.num_bytes, "another stream has no window");
	WORKS(cudaStreamCopyAttributes(t, s));
	WORKS(cudaStreamGetAttribute(t, window, &got));
	ok(got.accessPolicyWindow.num_bytes == PAGE && got.accessPolicyWindow.hitRatio > 0.4f &&
	   got.accessPolicyWindow.hitProp == cudaAccessPropertyPersisting, "it has the same now");
	WORKS(cudaStreamGetAttribute(s, cudaStreamAttributeSynchronizationPolicy, &got));
	ok(got.syncPolicy == cudaSyncPolicyAuto, "it waits as it likes");
	value.accessPolicyWindow.hitRatio = 1.5f;
	RETURNS(cudaErrorInvalidValue, cudaStreamSetAttribute(s, window, &value));
	value.accessPolicyWindow.hitRatio = 1;
	value.accessPolicyWindow.missProp = cudaAccessPropertyPersisting;
	RETURNS(cudaErrorInvalidValue, cudaStreamSetAttribute(s, window, &value));
	value.syncPolicy = (enum cudaSynchronizationPolicy)9;
	RETURNS(cudaErrorInvalidValue,
		cudaStreamSetAttribute(s, cudaStreamAttributeSynchronizationPolicy, &value));
	RETURNS(cudaErrorInvalidValue, cudaStreamSetAttribute(s, window, NULL));
	RETURNS(cudaErrorNotSupported,
		cudaStreamSetAttribute(s, cudaLaunchAttributeClusterDimension, &value));
	WORKS(cudaCtxResetPersistingL2Cache());
	RETURNS(cudaErrorUnsupportedLimit,
		cudaDeviceGetLimit(&limit, cudaLimitPersistingL2CacheSize));
	cudaStreamDestroy(s);
	RETURNS(cudaErrorInvalidResourceHandle, cudaStreamSetAttribute(s, window, &value));
	RETURNS(cudaErrorInvalidResourceHandle, cudaStreamCopyAttributes(t, s));
	cudaStreamDestroy(t);
	cudaGetLastError();
}

void test_streams(void)
{
	test_order();
	test_default();
	test_query();
	test_callbacks();
	test_handles();
	test_attributes();
	if (on_virtual_clock())
		test_beside();
}
