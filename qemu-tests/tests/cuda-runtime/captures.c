// SPDX-License-Identifier: GPL-2.0
/* Captures: what streams are asked for becomes a graph; what ends a capture, and with which error. */
#include <malloc.h>
#include <pthread.h>

#include "cuda_test.h"

#define BYTES	(2 * PAGE)

static unsigned char *device, *pinned, *shared;
static cudaStream_t s, t, free_one;

static void begin(void)
{
	cudaMalloc((void **)&device, BYTES);
	cudaMallocHost((void **)&pinned, BYTES);
	cudaMallocManaged((void **)&shared, BYTES, cudaMemAttachGlobal);
	cudaStreamCreate(&s);
	cudaStreamCreate(&t);
	cudaStreamCreateWithFlags(&free_one, cudaStreamNonBlocking);
}

static void end(void)
{
	cudaStreamDestroy(s);
	cudaStreamDestroy(t);
	cudaStreamDestroy(free_one);
	cudaFree(device);
	cudaFreeHost(pinned);
	cudaFree(shared);
	cudaGetLastError();
}

static void count_call(void *arg)
{
	++*(int *)arg;
}

static void callback(cudaStream_t stream, cudaError_t status, void *arg)
{
	(void)stream, (void)status, (void)arg;
}

static enum cudaStreamCaptureStatus status_of(cudaStream_t stream)
{
	enum cudaStreamCaptureStatus status = (enum cudaStreamCaptureStatus)9;

	cudaStreamIsCapturing(stream, &status);
	return status;
}

static size_t nodes_of(cudaGraph_t graph)
{
	size_t count = 0;

	cudaGraphGetNodes(graph, NULL, &count);
	return count;
}

static size_t edges_of(cudaGraph_t graph)
{
	size_t count = 0;

	cudaGraphGetEdges(graph, NULL, NULL, &count);
	return count;
}

/* Launch it @times and wait; it is gone then. */
static void run(cudaGraph_t graph, int times)
{
	cudaGraphExec_t exec;

	if (!WORKS(cudaGraphInstantiate(&exec, graph, 0)))
		return;
	while (times--)
		WORKS(cudaGraphLaunch(exec, s));
	WORKS(cudaStreamSynchronize(s));
	cudaGraphExecDestroy(exec);
	cudaGraphDestroy(graph);
}

static void start(cudaStream_t stream)
{
	WORKS(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
}

/* ---- what is captured ------------------------------------------------- */

static void test_chain(void)
{
	unsigned long stride = 1;
	int calls = 0, n = 2;
	unsigned char *p;
	cudaGraph_t graph;

	memset(pinned, 5, BYTES);
	memset(shared, 0, BYTES);
	start(s);
	ok(status_of(s) == cudaStreamCaptureStatusActive && !status_of(t), "one of two is captured");
	WORKS(cudaMemcpyAsync(device, pinned, PAGE, cudaMemcpyHostToDevice, s));
	p = device;
	WORKS(LAUNCH(touch, 1, 32, s, &p, &stride, &n));
	/* arguments are copied */
	p = NULL;
	n = -1;
	WORKS(cudaMemsetAsync(device + 1, 9, 1, s));
	WORKS(cudaMemcpy2DAsync(shared, 16, device, 8, 4, 2, cudaMemcpyDeviceToDevice, s));
	WORKS(cudaLaunchHostFunc(s, count_call, &calls));
	ok(!calls && !shared[0], "nothing is done yet");
	WORKS(cudaStreamEndCapture(s, &graph));
	ok(nodes_of(graph) == 5 && edges_of(graph) == 4, "five nodes in a row: %zu, %zu",
	   nodes_of(graph), edges_of(graph));
	ok(!status_of(s), "it is over");
	run(graph, 3);
	ok(calls == 3, "the function is called each time: %d", calls);
	ok(shared[0] == 6 && shared[1] == 9 && shared[3] == 5 && !shared[4] && shared[16] == 5,
	   "all in their order: %u %u %u", shared[0], shared[1], shared[16]);
}

/* Another stream joins by an event, and the first one comes behind it. */
static void test_fork(void)
{
	cudaEvent_t fork, join;
	cudaGraph_t graph;

	cudaEventCreate(&fork);
	cudaEventCreateWithFlags(&join, cudaEventDisableTiming);
	memset(shared, 0, BYTES);
	start(s);
	launch_touch(shared, 1, 1, s);
	WORKS(cudaEventRecord(fork, s));
	WORKS(cudaStreamWaitEvent(free_one, fork, 0));
	ok(status_of(free_one) == cudaStreamCaptureStatusActive, "the other one is captured, too");
	launch_touch(shared + PAGE, 1, 1, s);
	WORKS(launch_touch(shared, 1, 1, free_one));
	WORKS(cudaEventRecord(join, free_one));
	WORKS(cudaStreamWaitEvent(s, join, 0));
	launch_touch(shared, 1, 1, s);
	RETURNS(cudaErrorCapturedEvent, cudaEventElapsedTime(&(float){ 0 }, fork, fork));
	RETURNS(cudaErrorStreamCaptureInvalidated, cudaStreamEndCapture(s, &graph));

	start(s);
	launch_touch(shared, 1, 1, s);
	cudaEventRecord(fork, s);
	cudaStreamWaitEvent(free_one, fork, 0);
	launch_touch(shared + PAGE, 1, 1, s);
	launch_touch(shared, 1, 1, free_one);
	cudaEventRecord(join, free_one);
	cudaStreamWaitEvent(s, join, 0);
	launch_touch(shared, 1, 1, s);
	WORKS(cudaStreamEndCapture(s, &graph));
	ok(nodes_of(graph) == 4 && edges_of(graph) == 4, "a diamond: %zu nodes, %zu edges",
	   nodes_of(graph), edges_of(graph));
	ok(!status_of(free_one), "both are free again");
	run(graph, 2);
	ok(shared[0] == 6 && shared[PAGE] == 2, "twice four kernels: %u %u", shared[0], shared[PAGE]);
	RETURNS(cudaErrorCapturedEvent, cudaEventQuery(fork));
	RETURNS(cudaErrorCapturedEvent, cudaEventSynchronize(fork));
	RETURNS(cudaErrorCapturedEvent, cudaStreamWaitEvent(t, fork, 0));
	WORKS(cudaEventRecord(fork, t));
	WORKS(cudaEventSynchronize(fork));
	cudaEventDestroy(fork);
	cudaEventDestroy(join);
	cudaGetLastError();
}

/* An event of the graph itself, and a graph that is launched while another one is captured. */
static void test_nested(void)
{
	cudaGraph_t inner, outer, none = NULL;
	cudaGraphExec_t exec;
	cudaEvent_t event;

	cudaEventCreate(&event);
	memset(shared, 0, BYTES);
	start(s);
	launch_touch(shared, 1, 1, s);
	cudaStreamEndCapture(s, &inner);
	cudaGraphInstantiate(&exec, inner, 0);
	start(s);
	WORKS(cudaGraphLaunch(exec, s));
	WORKS(cudaGraphLaunch(exec, s));
	WORKS(cudaEventRecordWithFlags(event, s, cudaEventRecordExternal));
	WORKS(cudaStreamWaitEvent(s, event, cudaEventWaitExternal));
	WORKS(cudaStreamEndCapture(s, &outer));
	ok(!shared[0] && nodes_of(outer) == 4, "two graphs and two events: %zu nodes", nodes_of(outer));
	cudaGraphExecDestroy(exec);
	cudaGraphDestroy(inner);
	run(outer, 2);
	ok(shared[0] == 4, "twice two graphs: %u", shared[0]);
	WORKS(cudaEventQuery(event));
	RETURNS(cudaErrorInvalidValue, cudaEventRecordWithFlags(event, s, cudaEventRecordExternal));
	RETURNS(cudaErrorInvalidValue, cudaStreamWaitEvent(s, event, cudaEventWaitExternal));
	RETURNS(cudaErrorIllegalState, cudaStreamEndCapture(s, &none));
	cudaEventDestroy(event);
	cudaGetLastError();
}

/* Memory of the graph: one address, which is there in a launch. */
static void test_memory_of_graph(void)
{
	unsigned char *p = NULL;
	cudaGraph_t graph;

	start(s);
	WORKS(cudaMallocAsync((void **)&p, BYTES, s));
	WORKS(cudaMemsetAsync(p, 3, BYTES, s));
	launch_touch(p, 1, 1, s);
	WORKS(cudaMemcpyAsync(pinned, p, 2, cudaMemcpyDeviceToHost, s));
	RETURNS(cudaErrorInvalidValue, cudaFreeAsync(device, s));
	WORKS(cudaFreeAsync(p, s));
	WORKS(cudaStreamEndCapture(s, &graph));
	ok(p && nodes_of(graph) == 5, "memory that is allocated and freed: %zu nodes", nodes_of(graph));
	RETURNS(cudaErrorInvalidValue, cudaFree(p));
	run(graph, 2);
	ok(pinned[0] == 4 && pinned[1] == 3, "it is used: %u %u", pinned[0], pinned[1]);
	RETURNS(cudaErrorInvalidValue, cudaFree(p));
	RETURNS(cudaErrorInvalidValue, cudaMemset(p, 0, 1));
	cudaGetLastError();
}

/* Into a graph of the program's; what comes behind what can be asked and changed. */
static void test_by_hand(void)
{
	enum cudaStreamCaptureStatus status;
	const cudaGraphNode_t *tips = NULL;
	cudaGraphNode_t first, second;
	cudaGraph_t graph, same = NULL;
	unsigned long long id = 0;
	size_t count = 0;

	cudaGraphCreate(&graph, 0);
	cudaGraphAddEmptyNode(&first, graph, NULL, 0);
	cudaGraphAddEmptyNode(&second, graph, NULL, 0);
	WORKS(cudaStreamBeginCaptureToGraph(s, graph, &first, NULL, 1, cudaStreamCaptureModeRelaxed));
	WORKS(cudaStreamGetCaptureInfo(s, &status, &id, &same, &tips, &count));
	ok(status == cudaStreamCaptureStatusActive && id && same == graph && count == 1 &&
	   tips[0] == first, "it comes behind the first node");
	RETURNS(cudaErrorInvalidValue, cudaGraphDestroy(graph));
	RETURNS(cudaErrorInvalidValue, cudaGraphDestroyNode(first));
	RETURNS(cudaErrorInvalidValue, cudaGraphInstantiate(&(cudaGraphExec_t){ 0 }, graph, 0));
	WORKS(cudaStreamUpdateCaptureDependencies(s, &second, 1, cudaStreamAddCaptureDependencies));
	WORKS(cudaStreamGetCaptureInfo(s, &status, NULL, NULL, &tips, &count));
	ok(count == 2 && tips[1] == second, "and behind the second");
	WORKS(cudaStreamUpdateCaptureDependencies(s, &second, 1, cudaStreamSetCaptureDependencies));
	WORKS(cudaStreamGetCaptureInfo(s, &status, NULL, NULL, &tips, &count));
	ok(count == 1 && tips[0] == second, "behind the second alone");
	RETURNS(cudaErrorInvalidValue,
		cudaStreamUpdateCaptureDependencies(s, (cudaGraphNode_t *)(void *)&id, 1, 0));
	launch_touch(shared, 1, 1, s);
	WORKS(cudaStreamEndCapture(s, NULL));
	ok(nodes_of(graph) == 3 && edges_of(graph) == 1, "a node more: %zu", nodes_of(graph));
	WORKS(cudaStreamGetCaptureInfo(s, &status, NULL, NULL, NULL, NULL));
	ok(status == cudaStreamCaptureStatusNone, "nothing is captured");
	RETURNS(cudaErrorIllegalState, cudaStreamUpdateCaptureDependencies(s, &second, 1, 0));
	WORKS(cudaGraphDestroy(graph));
	cudaGetLastError();
}

/* ---- what ends a capture ---------------------------------------------- */

/* It is invalid, says so, and gives no graph. */
static void over(cudaStream_t stream, const char *why)
{
	cudaGraph_t graph = (cudaGraph_t)(void *)device;
	cudaError_t error;

	ok(status_of(stream) == cudaStreamCaptureStatusInvalidated, "%s: it is invalid", why);
	RETURNS(cudaErrorStreamCaptureInvalidated, launch_touch(shared, 1, 1, stream));
	error = cudaStreamEndCapture(stream, &graph);
	ok(error == cudaErrorStreamCaptureInvalidated && !graph, "%s: no graph: %s", why,
	   cudaGetErrorName(error));
	ok(!status_of(stream), "%s: it is over", why);
	cudaGetLastError();
}

/* One call that a capture of @stream does not allow. */
#define REFUSED(want, stream, call)						\
do {										\
	start(stream);								\
	RETURNS(want, call);							\
	over(stream, #call);							\
} while (0)

static void test_unsupported(void)
{
	void *out;

	REFUSED(cudaErrorStreamCaptureUnsupported, s, cudaStreamSynchronize(s));
	REFUSED(cudaErrorStreamCaptureUnsupported, s, cudaStreamQuery(s));
	REFUSED(cudaErrorStreamCaptureUnsupported, s, cudaDeviceSynchronize());
	REFUSED(cudaErrorStreamCaptureUnsupported, free_one, cudaDeviceSynchronize());
	REFUSED(cudaErrorStreamCaptureUnsupported, s, cudaStreamAddCallback(s, callback, NULL, 0));
	REFUSED(cudaErrorStreamCaptureUnsupported, s, cudaMemPrefetchAsync(shared, BYTES, 0, s));
	REFUSED(cudaErrorStreamCaptureUnsupported, s,
		cudaStreamAttachMemAsync(s, shared, 0, cudaMemAttachGlobal));
	REFUSED(cudaErrorStreamCaptureUnsupported, s, cudaMalloc(&out, 64));
	REFUSED(cudaErrorStreamCaptureUnsupported, s, cudaFree(NULL));
	REFUSED(cudaErrorStreamCaptureUnsupported, s, cudaHostAlloc(&out, 64, 0));
}

/* The default stream waits for those that are not non-blocking. */
static void test_default(void)
{
	enum cudaStreamCaptureStatus status;
	cudaGraph_t graph;
	char byte = 0;

	REFUSED(cudaErrorStreamCaptureImplicit, s, launch_touch(shared, 1, 1, NULL));
	REFUSED(cudaErrorStreamCaptureImplicit, s, cudaMemcpy(&byte, device, 1, cudaMemcpyDefault));
	REFUSED(cudaErrorStreamCaptureImplicit, s, cudaMemset(device, 0, 1));
	REFUSED(cudaErrorStreamCaptureImplicit, s, cudaStreamSynchronize(NULL));
	start(s);
	RETURNS(cudaErrorStreamCaptureImplicit, cudaStreamIsCapturing(NULL, &status));
	ok(status_of(s) == cudaStreamCaptureStatusActive, "who asks does no harm");
	cudaStreamEndCapture(s, &graph);
	cudaGraphDestroy(graph);
	memset(shared, 0, PAGE);
	start(free_one);
	WORKS(launch_touch(shared, 1, 1, NULL));
	WORKS(launch_touch(shared, 1, 1, t));
	WORKS(cudaStreamSynchronize(t));
	WORKS(cudaStreamSynchronize(NULL));
	ok(shared[0] == 2, "others go on beside a non-blocking stream: %u", shared[0]);
	WORKS(cudaStreamEndCapture(free_one, &graph));
	cudaGraphDestroy(graph);
	RETURNS(cudaErrorStreamCaptureUnsupported,
		cudaStreamBeginCapture(NULL, cudaStreamCaptureModeGlobal));
	RETURNS(cudaErrorInvalidValue, cudaStreamBeginCapture(s, (enum cudaStreamCaptureMode)3));
	cudaGetLastError();
}

static void test_events_of_others(void)
{
	cudaEvent_t ours, theirs;
	cudaGraph_t graph = NULL;

	cudaEventCreate(&ours);
	cudaEventCreate(&theirs);
	cudaEventRecord(theirs, t);
	REFUSED(cudaErrorStreamCaptureIsolation, s, cudaStreamWaitEvent(s, theirs, 0));
	start(s);
	RETURNS(cudaErrorIllegalState, cudaStreamBeginCapture(s, cudaStreamCaptureModeGlobal));
	cudaEventRecord(ours, s);
	start(t);
	RETURNS(cudaErrorStreamCaptureMerge, cudaStreamWaitEvent(t, ours, 0));
	over(s, "two captures would be one");
	over(t, "two captures would be one");
	start(s);
	cudaEventRecord(ours, s);
	RETURNS(cudaErrorCapturedEvent, cudaEventSynchronize(ours));
	over(s, "waiting for an event of a capture");
	start(s);
	launch_touch(shared, 1, 1, s);
	cudaEventRecord(ours, s);
	cudaStreamWaitEvent(t, ours, 0);
	launch_touch(shared, 1, 1, t);
	RETURNS(cudaErrorStreamCaptureUnjoined, cudaStreamEndCapture(s, &graph));
	ok(!graph && !status_of(s) && !status_of(t), "no graph, and both are free");
	start(s);
	cudaEventRecord(ours, s);
	cudaStreamWaitEvent(t, ours, 0);
	RETURNS(cudaErrorStreamCaptureUnmatched, cudaStreamEndCapture(t, &graph));
	over(s, "the end in another stream");
	cudaEventDestroy(ours);
	cudaEventDestroy(theirs);
}

/* A stream that goes away: the first one's capture goes along, another one's work has to be joined. */
static void test_destroyed(void)
{
	cudaGraph_t graph = NULL;
	cudaStream_t gone;
	cudaEvent_t event;

	cudaEventCreate(&event);
	cudaStreamCreate(&gone);
	start(gone);
	cudaEventRecord(event, gone);
	cudaStreamWaitEvent(s, event, 0);
	WORKS(cudaStreamDestroy(gone));
	ok(!status_of(s), "without its first stream a capture is over");
	cudaStreamCreate(&gone);
	start(s);
	cudaEventRecord(event, s);
	cudaStreamWaitEvent(gone, event, 0);
	launch_touch(shared, 1, 1, gone);
	WORKS(cudaStreamDestroy(gone));
	RETURNS(cudaErrorStreamCaptureUnjoined, cudaStreamEndCapture(s, &graph));
	cudaEventDestroy(event);
	cudaGetLastError();
}

/* ---- threads ---------------------------------------------------------- */

struct call {
	enum cudaStreamCaptureMode mode;
	cudaError_t allocates, ends;
};

static void *of_another_thread(void *arg)
{
	struct call *c = arg;
	cudaGraph_t graph;
	void *p = NULL;

	cudaThreadExchangeStreamCaptureMode(&c->mode);
	c->ends = cudaStreamEndCapture(s, &graph);
	c->allocates = cudaMalloc(&p, 64);
	if (!c->allocates)
		cudaFree(p);
	return NULL;
}

static struct call in_thread(enum cudaStreamCaptureMode of_capture, enum cudaStreamCaptureMode of_thread)
{
	struct call c = { .mode = of_thread };
	pthread_t thread;
	cudaGraph_t graph;

	cudaStreamBeginCapture(s, of_capture);
	pthread_create(&thread, NULL, of_another_thread, &c);
	pthread_join(thread, NULL);
	if (!cudaStreamEndCapture(s, &graph))
		cudaGraphDestroy(graph);
	cudaGetLastError();
	return c;
}

static void test_threads(void)
{
	enum cudaStreamCaptureMode mode = cudaStreamCaptureModeRelaxed;
	struct call c = in_thread(cudaStreamCaptureModeGlobal, cudaStreamCaptureModeGlobal);
	cudaGraph_t graph;
	void *p;

	ok(c.ends == cudaErrorStreamCaptureWrongThread &&
	   c.allocates == cudaErrorStreamCaptureUnsupported, "another thread: %s, %s",
	   cudaGetErrorName(c.ends), cudaGetErrorName(c.allocates));
	c = in_thread(cudaStreamCaptureModeThreadLocal, cudaStreamCaptureModeGlobal);
	ok(c.ends == cudaErrorStreamCaptureWrongThread && !c.allocates,
	   "it may allocate beside a capture of this thread: %s", cudaGetErrorName(c.allocates));
	c = in_thread(cudaStreamCaptureModeGlobal, cudaStreamCaptureModeThreadLocal);
	ok(!c.allocates, "or if it says that it minds its own: %s", cudaGetErrorName(c.allocates));
	c = in_thread(cudaStreamCaptureModeRelaxed, cudaStreamCaptureModeGlobal);
	ok(!c.ends, "it may end one that is relaxed: %s", cudaGetErrorName(c.ends));
	start(s);
	WORKS(cudaThreadExchangeStreamCaptureMode(&mode));
	ok(mode == cudaStreamCaptureModeGlobal, "what was there before: %d", mode);
	WORKS(cudaMalloc(&p, 64));
	WORKS(cudaThreadExchangeStreamCaptureMode(&mode));
	WORKS(cudaStreamEndCapture(s, &graph));
	cudaGraphDestroy(graph);
	cudaFree(p);
	RETURNS(cudaErrorInvalidValue, cudaThreadExchangeStreamCaptureMode(NULL));
	cudaGetLastError();
}

/* ---- life ------------------------------------------------------------- */

/* One that gives a graph, one that fails, one whose stream goes away; with events and memory. */
static void capture_and_destroy(void)
{
	unsigned char *p = NULL;
	cudaStream_t stream;
	cudaGraph_t graph;
	cudaEvent_t event;

	cudaStreamCreate(&stream);
	cudaEventCreate(&event);
	for (int fails = 0; fails < 2; fails++) {
		cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal);
		cudaMallocAsync((void **)&p, PAGE, stream);
		launch_touch(p, 1, 1, stream);
		cudaEventRecord(event, stream);
		cudaStreamWaitEvent(t, event, 0);
		launch_touch(p, 1, 1, t);
		cudaEventRecord(event, t);
		if (!fails)
			cudaStreamWaitEvent(stream, event, 0);
		if (!cudaStreamEndCapture(stream, &graph))
			cudaGraphDestroy(graph);
	}
	cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal);
	launch_touch(shared, 1, 1, stream);
	cudaEventRecord(event, stream);
	cudaEventDestroy(event);
	cudaStreamDestroy(stream);
}

static void test_leaks(void)
{
	size_t free_bytes[2], total;
	struct mallinfo2 before, behind;

	/* the C library keeps some of what is freed first */
	for (int i = 0; i < 100; i++)
		capture_and_destroy();
	cudaMemGetInfo(&free_bytes[0], &total);
	before = mallinfo2();
	for (int i = 0; i < 100; i++)
		capture_and_destroy();
	behind = mallinfo2();
	cudaMemGetInfo(&free_bytes[1], &total);
	ok(behind.uordblks == before.uordblks && free_bytes[0] == free_bytes[1],
	   "nothing is left: %zu bytes before, %zu behind; of the GPU %zu and %zu are free",
	   before.uordblks, behind.uordblks, free_bytes[0], free_bytes[1]);
	cudaGetLastError();
}

/* The graph of a node goes with the node, whatever is captured. */
static void test_child(void)
{
	cudaGraph_t parent, none, child;
	cudaGraphNode_t node;

	cudaGraphCreate(&parent, 0);
	cudaGraphCreate(&none, 0);
	WORKS(cudaGraphAddChildGraphNode(&node, parent, NULL, 0, none));
	WORKS(cudaGraphChildGraphNodeGetGraph(node, &child));
	RETURNS(cudaErrorInvalidValue, cudaStreamBeginCaptureToGraph(s, child, NULL, NULL, 0,
								     cudaStreamCaptureModeRelaxed));
	WORKS(cudaGraphDestroy(parent));
	WORKS(cudaGraphDestroy(none));
	cudaGetLastError();
}

static void *begins_and_ends(void *arg)
{
	*(cudaError_t *)arg = cudaStreamBeginCapture(cudaStreamPerThread, cudaStreamCaptureModeGlobal);
	return NULL;
}

/* A thread ends, and the capture of its own stream with it: nobody else could end that. */
static void test_thread_that_ends(void)
{
	cudaError_t error = cudaErrorUnknown;
	pthread_t thread;
	void *p = NULL;

	pthread_create(&thread, NULL, begins_and_ends, &error);
	pthread_join(thread, NULL);
	ok(!error, "a thread captures its own stream: %s", cudaGetErrorName(error));
	WORKS(cudaMalloc(&p, 64));
	WORKS(cudaFree(p));
}

static void test_reset(void)
{
	cudaStream_t stream;

	cudaStreamCreate(&stream);
	start(stream);
	launch_touch(shared, 1, 1, stream);
	WORKS(cudaDeviceReset());
	WORKS(cudaMalloc((void **)&device, 64));
	WORKS(cudaDeviceSynchronize());
	cudaFree(device);
}

void test_captures(void)
{
	begin();
	test_chain();
	test_fork();
	test_nested();
	test_memory_of_graph();
	test_by_hand();
	test_unsupported();
	test_default();
	test_events_of_others();
	test_destroyed();
	test_threads();
	test_child();
	test_thread_that_ends();
	test_leaks();
	end();
	test_reset();
}
