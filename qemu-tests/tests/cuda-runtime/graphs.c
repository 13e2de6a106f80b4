// SPDX-License-Identifier: GPL-2.0
/* Graphs that a program makes of nodes: what they do, in which order, how often, and what is refused. */
#include <malloc.h>
#include <pthread.h>

#include "cuda_test.h"

#define BYTES	(3 * PAGE)

/* What the graphs here use. */
static unsigned char *device, *pinned, *shared;
static cudaStream_t stream;

static void begin(void)
{
	cudaMalloc((void **)&device, BYTES);
	cudaMallocHost((void **)&pinned, BYTES);
	cudaMallocManaged((void **)&shared, BYTES, cudaMemAttachGlobal);
	memset(pinned, 0, BYTES);
	memset(shared, 0, BYTES);
	cudaStreamCreate(&stream);
}

static void end(void)
{
	cudaStreamDestroy(stream);
	cudaFree(device);
	cudaFreeHost(pinned);
	cudaFree(shared);
	cudaGetLastError();
}

/* A node that adds 1 to the first @n bytes at @p. */
static cudaGraphNode_t add_touch(cudaGraph_t graph, unsigned char *p, int n, const cudaGraphNode_t *before,
				 size_t count)
{
	unsigned long stride = 1;
	struct cudaKernelNodeParams k = {
		.func = (void *)touch, .gridDim = { 1, 1, 1 }, .blockDim = { 256, 1, 1 },
		.kernelParams = (void *[]){ &p, &stride, &n },
	};
	cudaGraphNode_t node = NULL;

	WORKS(cudaGraphAddKernelNode(&node, graph, before, count, &k));
	/* the node has copies */
	p = NULL;
	n = -1;
	return node;
}

static void set_touch(struct cudaKernelNodeParams *k, void **args)
{
	*k = (struct cudaKernelNodeParams){
		.func = (void *)touch, .gridDim = { 1, 1, 1 }, .blockDim = { 256, 1, 1 },
		.kernelParams = args,
	};
}

static void count_call(void *arg)
{
	++*(int *)arg;
}

/* Launch and wait. */
static void run(cudaGraphExec_t exec)
{
	WORKS(cudaGraphLaunch(exec, stream));
	WORKS(cudaStreamSynchronize(stream));
}

/* ---- what nodes do ---------------------------------------------------- */

/* Memset, kernel, copy, function: one behind the other, as often as it is launched. */
static void test_chain(void)
{
	struct cudaMemsetParams fill = {
		.dst = device, .pitch = PAGE, .value = 0x01020304, .elementSize = 4,
		.width = 5, .height = 3,
	};
	struct cudaHostNodeParams host = { .fn = count_call };
	cudaGraphNode_t set, kernel, copy, call;
	cudaGraphExec_t exec;
	cudaGraph_t graph;
	int calls = 0;

	host.userData = &calls;
	cudaMemset(device, 9, BYTES);
	WORKS(cudaGraphCreate(&graph, 0));
	WORKS(cudaGraphAddMemsetNode(&set, graph, NULL, 0, &fill));
	kernel = add_touch(graph, device + PAGE, 2, &set, 1);
	WORKS(cudaGraphAddMemcpyNode1D(&copy, graph, &kernel, 1, pinned, device, BYTES,
				       cudaMemcpyDeviceToHost));
	WORKS(cudaGraphAddHostNode(&call, graph, &copy, 1, &host));
	WORKS(cudaGraphInstantiate(&exec, graph, 0));
	ok(!calls && !pinned[0], "nothing is done before the launch");
	/* it has a copy of all */
	WORKS(cudaGraphDestroy(graph));
	for (int i = 1; i <= 3; i++) {
		memset(pinned, 0, BYTES);
		run(exec);
		ok(calls == i && pinned[0] == 4 && pinned[3] == 1 && pinned[19] == 1 &&
		   pinned[20] == 9 && pinned[PAGE] == 5 && pinned[PAGE + 1] == 4 &&
		   pinned[PAGE + 2] == 2 && pinned[2 * PAGE + 16] == 4 && pinned[2 * PAGE + 20] == 9,
		   "launch %d: %u %u %u, %d calls", i, pinned[0], pinned[PAGE], pinned[PAGE + 2],
		   calls);
	}
	WORKS(cudaGraphExecDestroy(exec));
	RETURNS(cudaErrorInvalidValue, cudaGraphLaunch(exec, stream));
}

/* Elements of two bytes, of pinned and of managed memory. */
static void test_fills(void)
{
	struct cudaMemsetParams fill = { .value = 0x1234, .elementSize = 2, .width = PAGE, .height = 1 };
	cudaGraphNode_t node;
	cudaGraphExec_t exec;
	cudaGraph_t graph;

	memset(pinned, 0, BYTES);
	memset(shared, 0, BYTES);
	cudaGraphCreate(&graph, 0);
	fill.dst = pinned;
	WORKS(cudaGraphAddMemsetNode(&node, graph, NULL, 0, &fill));
	fill.dst = shared;
	WORKS(cudaGraphAddMemsetNode(&node, graph, NULL, 0, &fill));
	WORKS(cudaGraphMemsetNodeGetParams(node, &fill));
	ok(fill.dst == shared && fill.width == PAGE && fill.elementSize == 2, "parameters of a memset");
	WORKS(cudaGraphInstantiate(&exec, graph, 0));
	run(exec);
	ok(pinned[0] == 0x34 && pinned[2 * PAGE - 1] == 0x12 && !pinned[2 * PAGE] &&
	   shared[0] == 0x34 && shared[2 * PAGE - 1] == 0x12 && !shared[2 * PAGE],
	   "two bytes each: %x %x", pinned[0], shared[2 * PAGE - 1]);
	fill.elementSize = 3;
	RETURNS(cudaErrorInvalidValue, cudaGraphAddMemsetNode(&node, graph, NULL, 0, &fill));
	fill.elementSize = 4;
	fill.width = BYTES / 4 + 1;
	RETURNS(cudaErrorInvalidValue, cudaGraphMemsetNodeSetParams(node, &fill));
	fill.width = SIZE_MAX / 2;
	RETURNS(cudaErrorInvalidValue, cudaGraphMemsetNodeSetParams(node, &fill));
	cudaGraphExecDestroy(exec);
	cudaGraphDestroy(graph);
}

/* A box, and variables of the device. */
static void test_copies_of_nodes(void)
{
	struct cudaMemcpy3DParms box = {
		.srcPtr = make_cudaPitchedPtr(pinned, 64, 64, 4),
		.dstPtr = make_cudaPitchedPtr(shared, 32, 32, 4),
		.extent = make_cudaExtent(16, 4, 1), .kind = cudaMemcpyDefault,
	};
	int from = 77, to = 0;
	cudaGraphNode_t node;
	cudaGraphExec_t exec;
	cudaGraph_t graph;

	for (int i = 0; i < 256; i++)
		pinned[i] = (unsigned char)i;
	memset(shared, 0, PAGE);
	cudaGraphCreate(&graph, 0);
	WORKS(cudaGraphAddMemcpyNode(&node, graph, NULL, 0, &box));
	WORKS(cudaGraphAddMemcpyNodeToSymbol(&node, graph, NULL, 0, variable, &from, sizeof(from), 0,
					     cudaMemcpyHostToDevice));
	WORKS(cudaGraphAddMemcpyNodeFromSymbol(&node, graph, &node, 1, &to, variable, sizeof(to), 0,
					       cudaMemcpyDeviceToHost));
	RETURNS(cudaErrorInvalidValue,
		cudaGraphAddMemcpyNodeToSymbol(&node, graph, NULL, 0, variable, &from, 5, 0,
					       cudaMemcpyHostToDevice));
	WORKS(cudaGraphInstantiate(&exec, graph, 0));
	from = 78;
	run(exec);
	ok(to == 78, "what is copied is what is there at the launch: %d", to);
	ok(shared[0] == 0 && shared[15] == 15 && !shared[16] && shared[32] == 64 && shared[111] == 207,
	   "a box: %u %u %u", shared[15], shared[32], shared[111]);
	cudaGraphExecDestroy(exec);
	cudaGraphDestroy(graph);
}

/* A graph in a graph, events, and a node that does nothing. */
static void test_children(void)
{
	cudaGraphNode_t first, child, empty, event;
	cudaGraph_t inner, outer, own = NULL;
	cudaEvent_t before, behind;
	cudaGraphExec_t exec;
	size_t count = 0;
	float ms = -1;

	cudaEventCreate(&before);
	cudaEventCreate(&behind);
	cudaGraphCreate(&inner, 0);
	cudaGraphCreate(&outer, 0);
	first = add_touch(inner, shared, 1, NULL, 0);
	add_touch(inner, shared, 2, &first, 1);
	WORKS(cudaGraphAddEventRecordNode(&event, outer, NULL, 0, before));
	WORKS(cudaGraphAddChildGraphNode(&child, outer, &event, 1, inner));
	WORKS(cudaGraphChildGraphNodeGetGraph(child, &own));
	ok(own && own != inner, "the child is a copy");
	RETURNS(cudaErrorInvalidValue, cudaGraphDestroy(own));
	/* what becomes of the original does not matter */
	add_touch(inner, shared, 3, NULL, 0);
	cudaGraphDestroy(inner);
	WORKS(cudaGraphAddEmptyNode(&empty, outer, &child, 1));
	WORKS(cudaGraphAddEventRecordNode(&event, outer, &empty, 1, behind));
	WORKS(cudaGraphAddEventWaitNode(&event, outer, &event, 1, behind));
	WORKS(cudaGraphGetNodes(own, NULL, &count));
	ok(count == 2, "nodes of the child: %zu", count);
	WORKS(cudaGraphInstantiate(&exec, outer, 0));
	memset(shared, 0, PAGE);
	run(exec);
	run(exec);
	ok(shared[0] == 4 && shared[1] == 2 && !shared[2], "twice two launches: %u %u %u", shared[0],
	   shared[1], shared[2]);
	WORKS(cudaEventElapsedTime(&ms, before, behind));
	ok(ms > 0, "between events of the graph: %.6f ms", (double)ms);
	cudaEventDestroy(before);
	RETURNS(cudaErrorInvalidResourceHandle, cudaGraphLaunch(exec, stream));
	cudaEventDestroy(behind);
	cudaGraphExecDestroy(exec);
	cudaGraphDestroy(outer);
}

/* Memory that a graph allocates, and another one or the program frees. */
/* What a graph has allocated and nobody has freed stays when the graph goes. */
static void outlives_its_graph(struct cudaMemAllocNodeParams *params)
{
	cudaGraphExec_t exec;
	cudaGraphNode_t node;
	cudaGraph_t graph;

	cudaGraphCreate(&graph, 0);
	WORKS(cudaGraphAddMemAllocNode(&node, graph, NULL, 0, params));
	WORKS(cudaGraphInstantiate(&exec, graph, 0));
	run(exec);
	cudaGraphExecDestroy(exec);
	cudaGraphDestroy(graph);
	WORKS(cudaMemset(params->dptr, 9, PAGE));
	WORKS(cudaMemcpy(pinned, params->dptr, PAGE, cudaMemcpyDefault));
	ok(pinned[PAGE - 1] == 9, "it outlives its graph: %u", pinned[PAGE - 1]);
	WORKS(cudaFree(params->dptr));
	RETURNS(cudaErrorInvalidValue, cudaMemset(params->dptr, 0, 1));
}

static void test_memory_of_graphs(void)
{
	struct cudaMemAllocNodeParams params = {
		.poolProps = { .allocType = cudaMemAllocationTypePinned,
			       .location = { .type = cudaMemLocationTypeDevice } },
		.bytesize = PAGE,
	};
	struct cudaMemsetParams fill = { .elementSize = 1, .value = 8, .width = PAGE, .height = 1 };
	cudaGraph_t allocates, frees;
	cudaGraphExec_t exec, other, again;
	cudaGraphNode_t node, set;

	cudaGraphCreate(&allocates, 0);
	cudaGraphCreate(&frees, 0);
	WORKS(cudaGraphAddMemAllocNode(&node, allocates, NULL, 0, &params));
	fill.dst = params.dptr;
	WORKS(cudaGraphAddMemsetNode(&set, allocates, &node, 1, &fill));
	WORKS(cudaGraphAddMemFreeNode(&node, frees, NULL, 0, params.dptr));
	RETURNS(cudaErrorInvalidValue, cudaGraphAddMemFreeNode(&node, frees, NULL, 0, device));
	WORKS(cudaGraphInstantiate(&exec, allocates, 0));
	WORKS(cudaGraphInstantiate(&again, allocates, cudaGraphInstantiateFlagAutoFreeOnLaunch));
	WORKS(cudaGraphInstantiate(&other, frees, 0));
	cudaGraphDestroy(allocates);
	cudaGraphDestroy(frees);
	RETURNS(cudaErrorInvalidValue, cudaGraphLaunch(other, stream));
	run(exec);
	WORKS(cudaMemcpy(pinned, params.dptr, PAGE, cudaMemcpyDefault));
	ok(pinned[PAGE - 1] == 8, "it stays until it is freed: %u", pinned[PAGE - 1]);
	RETURNS(cudaErrorInvalidValue, cudaGraphLaunch(exec, stream));
	run(again);
	run(other);
	run(exec);
	WORKS(cudaFree(params.dptr));
	RETURNS(cudaErrorInvalidValue, cudaFree(params.dptr));
	run(exec);
	WORKS(cudaFreeAsync(params.dptr, stream));
	cudaGraphExecDestroy(exec);
	cudaGraphExecDestroy(again);
	WORKS(cudaMemset(params.dptr, 0, 1));
	cudaGraphExecDestroy(other);
	RETURNS(cudaErrorInvalidValue, cudaMemset(params.dptr, 0, 1));
	outlives_its_graph(&params);
	params.poolProps.location.id = 99;
	cudaGraphCreate(&allocates, 0);
	RETURNS(cudaErrorInvalidDevice, cudaGraphAddMemAllocNode(&node, allocates, NULL, 0, &params));
	params.poolProps.location.id = 0;
	params.bytesize = 0;
	RETURNS(cudaErrorInvalidValue, cudaGraphAddMemAllocNode(&node, allocates, NULL, 0, &params));
	params.bytesize = 1UL << 50;
	RETURNS(cudaErrorMemoryAllocation, cudaGraphAddMemAllocNode(&node, allocates, NULL, 0, &params));
	cudaGraphDestroy(allocates);
	cudaGetLastError();
}

/* ---- order ------------------------------------------------------------ */

/* Nodes in the wrong order, which edges put right: a copy behind a kernel behind a memset. */
static void test_edges(void)
{
	struct cudaMemsetParams fill = { .dst = device, .elementSize = 1, .value = 7, .width = 1,
					 .height = 1 };
	cudaGraphNode_t n[3], from[4], to[4], all[4] = { 0 };
	enum cudaGraphNodeType type;
	cudaGraphExec_t exec;
	cudaGraph_t graph;
	size_t count = 4;

	cudaGraphCreate(&graph, 0);
	WORKS(cudaGraphAddMemcpyNode1D(&n[2], graph, NULL, 0, pinned, device, 1, cudaMemcpyDefault));
	n[1] = add_touch(graph, device, 1, NULL, 0);
	WORKS(cudaGraphAddMemsetNode(&n[0], graph, NULL, 0, &fill));
	WORKS(cudaGraphAddDependencies(graph, &n[0], &n[1], 2));
	WORKS(cudaGraphInstantiate(&exec, graph, 0));
	run(exec);
	ok(pinned[0] == 8, "memset, kernel, copy: %u", pinned[0]);
	cudaGraphExecDestroy(exec);
	WORKS(cudaGraphGetNodes(graph, all, &count));
	ok(count == 3 && all[0] == n[2] && all[2] == n[0] && !all[3], "nodes, as they were added");
	WORKS(cudaGraphGetRootNodes(graph, NULL, &count));
	ok(count == 1, "one that nothing comes before: %zu", count);
	WORKS(cudaGraphGetEdges(graph, NULL, NULL, &count));
	ok(count == 2, "edges: %zu", count);
	WORKS(cudaGraphGetEdges(graph, from, to, &count));
	ok(from[0] == n[1] && to[0] == n[2] && from[1] == n[0] && to[1] == n[1], "which edges");
	count = 1;
	WORKS(cudaGraphNodeGetDependencies(n[2], from, &count));
	ok(count == 1 && from[0] == n[1], "before the last");
	WORKS(cudaGraphNodeGetDependentNodes(n[0], from, &count));
	ok(count == 1 && from[0] == n[1], "behind the first");
	WORKS(cudaGraphNodeGetType(n[0], &type));
	ok(type == cudaGraphNodeTypeMemset, "its type: %d", type);
	RETURNS(cudaErrorInvalidValue, cudaGraphAddDependencies(graph, &n[0], &n[1], 1));
	RETURNS(cudaErrorInvalidValue, cudaGraphAddDependencies(graph, &n[0], &n[0], 1));
	WORKS(cudaGraphAddDependencies(graph, &n[2], &n[0], 1));
	RETURNS(cudaErrorInvalidValue, cudaGraphInstantiate(&exec, graph, 0));
	WORKS(cudaGraphRemoveDependencies(graph, &n[2], &n[0], 1));
	WORKS(cudaGraphDestroyNode(n[1]));
	WORKS(cudaGraphInstantiate(&exec, graph, 0));
	WORKS(cudaGraphGetEdges(graph, NULL, NULL, &count));
	ok(!count, "edges go with a node: %zu", count);
	cudaGraphExecDestroy(exec);
	cudaGraphDestroy(graph);
}

/* ---- other parameters ------------------------------------------------- */

static void test_parameters(void)
{
	cudaGraphNode_t node, same = NULL, of_clone;
	struct cudaKernelNodeParams k;
	cudaGraphExec_t exec, other;
	cudaGraph_t graph, clone;
	unsigned long stride = 1;
	int n = 2;

	memset(shared, 0, PAGE);
	cudaGraphCreate(&graph, 0);
	node = add_touch(graph, shared, 1, NULL, 0);
	WORKS(cudaGraphInstantiate(&exec, graph, 0));
	set_touch(&k, (void *[]){ &shared, &stride, &n });
	WORKS(cudaGraphExecKernelNodeSetParams(exec, node, &k));
	run(exec);
	ok(shared[1] == 1, "other arguments for a graph that runs: %u", shared[1]);
	WORKS(cudaGraphInstantiate(&other, graph, 0));
	run(other);
	ok(shared[0] == 2 && shared[1] == 1, "the graph itself stays: %u %u", shared[0], shared[1]);
	WORKS(cudaGraphClone(&clone, graph));
	WORKS(cudaGraphNodeFindInClone(&of_clone, node, clone));
	WORKS(cudaGraphKernelNodeSetParams(of_clone, &k));
	WORKS(cudaGraphKernelNodeGetParams(of_clone, &k));
	ok(k.func == (void *)touch && k.blockDim.x == 256 && *(int *)k.kernelParams[2] == 2,
	   "parameters of a kernel");
	WORKS(cudaGraphKernelNodeGetParams(node, &k));
	ok(*(int *)k.kernelParams[2] == 1, "of the original: %d", *(int *)k.kernelParams[2]);
	RETURNS(cudaErrorInvalidValue, cudaGraphNodeFindInClone(&same, node, graph));
	RETURNS(cudaErrorInvalidValue, cudaGraphExecKernelNodeSetParams(exec, of_clone, &k));
	cudaGraphExecDestroy(exec);
	cudaGraphExecDestroy(other);
	cudaGraphDestroy(clone);
	cudaGraphDestroy(graph);
}

static void test_update(void)
{
	cudaGraphExecUpdateResultInfo info;
	cudaGraphNode_t first, last;
	cudaGraph_t one, two;
	cudaGraphExec_t exec;

	memset(shared, 0, PAGE);
	cudaGraphCreate(&one, 0);
	cudaGraphCreate(&two, 0);
	first = add_touch(one, shared, 1, NULL, 0);
	add_touch(one, shared, 1, &first, 1);
	first = add_touch(two, shared, 2, NULL, 0);
	last = add_touch(two, shared, 3, &first, 1);
	WORKS(cudaGraphInstantiate(&exec, one, 0));
	WORKS(cudaGraphExecUpdate(exec, two, &info));
	ok(info.result == cudaGraphExecUpdateSuccess, "another graph of the same shape");
	cudaGraphDestroy(one);
	run(exec);
	ok(shared[0] == 2 && shared[1] == 2 && shared[2] == 1, "does what that one does: %u %u %u",
	   shared[0], shared[1], shared[2]);
	WORKS(cudaGraphRemoveDependencies(two, &first, &last, 1));
	RETURNS(cudaErrorGraphExecUpdateFailure, cudaGraphExecUpdate(exec, two, &info));
	ok(info.result == cudaGraphExecUpdateErrorTopologyChanged && info.errorNode == last,
	   "one edge less: %d", info.result);
	cudaGraphDestroyNode(last);
	cudaGraphAddEmptyNode(&last, two, &first, 1);
	RETURNS(cudaErrorGraphExecUpdateFailure, cudaGraphExecUpdate(exec, two, &info));
	ok(info.result == cudaGraphExecUpdateErrorNodeTypeChanged, "another type: %d", info.result);
	cudaGraphAddEmptyNode(&last, two, &first, 1);
	RETURNS(cudaErrorGraphExecUpdateFailure, cudaGraphExecUpdate(exec, two, &info));
	ok(info.result == cudaGraphExecUpdateErrorTopologyChanged, "a node more: %d", info.result);
	run(exec);
	ok(shared[0] == 4 && shared[2] == 2, "it is as before: %u %u", shared[0], shared[2]);
	cudaGraphExecDestroy(exec);
	cudaGraphDestroy(two);
}

/* ---- what is refused -------------------------------------------------- */

static void test_refused(void)
{
	unsigned long stride = 1;
	int n = 1;
	void *args[] = { &shared, &stride, &n };
	cudaGraphNode_t node, foreign, twice[2];
	struct cudaKernelNodeParams k;
	cudaGraph_t graph, other;
	cudaGraphExec_t exec;

	RETURNS(cudaErrorInvalidValue, cudaGraphCreate(&graph, 1));
	cudaGraphCreate(&graph, 0);
	cudaGraphCreate(&other, 0);
	foreign = add_touch(other, shared, 1, NULL, 0);
	set_touch(&k, args);
	RETURNS(cudaErrorInvalidValue, cudaGraphAddKernelNode(&node, graph, &foreign, 1, &k));
	RETURNS(cudaErrorInvalidValue, cudaGraphAddKernelNode(&node, graph, NULL, 1, &k));
	RETURNS(cudaErrorInvalidValue, cudaGraphAddKernelNode(&node, graph, NULL, 0, NULL));
	RETURNS(cudaErrorInvalidValue,
		cudaGraphAddKernelNode(&node, (cudaGraph_t)(void *)&k, NULL, 0, &k));
	k.kernelParams = NULL;
	RETURNS(cudaErrorInvalidValue, cudaGraphAddKernelNode(&node, graph, NULL, 0, &k));
	k.kernelParams = args;
	k.blockDim.x = 2000;
	RETURNS(cudaErrorInvalidConfiguration, cudaGraphAddKernelNode(&node, graph, NULL, 0, &k));
	k.func = args;
	RETURNS(cudaErrorInvalidDeviceFunction, cudaGraphAddKernelNode(&node, graph, NULL, 0, &k));
	WORKS(cudaGraphAddEmptyNode(&node, graph, NULL, 0));
	twice[0] = node;
	twice[1] = node;
	RETURNS(cudaErrorInvalidValue, cudaGraphAddEmptyNode(&node, graph, twice, 2));
	RETURNS(cudaErrorInvalidDeviceFunction, cudaGraphKernelNodeSetParams(foreign, &k));
	RETURNS(cudaErrorInvalidValue, cudaGraphKernelNodeGetParams(node, &k));
	RETURNS(cudaErrorInvalidValue,
		cudaGraphAddMemcpyNode1D(&node, graph, NULL, 0, device, pinned, BYTES + 1,
					 cudaMemcpyDefault));
	RETURNS(cudaErrorInvalidValue, cudaGraphDestroyNode((cudaGraphNode_t)(void *)&k));
	RETURNS(cudaErrorInvalidValue, cudaGraphInstantiate(&exec, graph, 1 << 10));
	RETURNS(cudaErrorNotSupported,
		cudaGraphInstantiate(&exec, graph, cudaGraphInstantiateFlagDeviceLaunch));
	RETURNS(cudaErrorInvalidValue, cudaGraphExecDestroy((cudaGraphExec_t)(void *)&k));
	WORKS(cudaGraphInstantiate(&exec, graph, cudaGraphInstantiateFlagAutoFreeOnLaunch));
	RETURNS(cudaErrorInvalidResourceHandle, cudaGraphLaunch(exec, (cudaStream_t)(void *)&k));
	RETURNS(cudaErrorInvalidResourceHandle, cudaGraphUpload(exec, (cudaStream_t)(void *)&k));
	WORKS(cudaGraphUpload(exec, stream));
	cudaGraphExecDestroy(exec);
	cudaGraphDestroy(other);
	WORKS(cudaGraphDestroy(graph));
	RETURNS(cudaErrorInvalidValue, cudaGraphDestroy(graph));
}

/* ---- life ------------------------------------------------------------- */

/* Each is made and goes away, with all that it holds. */
static void make_and_destroy(void)
{
	cudaGraph_t graph, outer, clone;
	unsigned long stride = 1;
	void *args[] = { &shared, &stride, &(int){ 1 } };
	cudaGraphNode_t node, child;
	struct cudaKernelNodeParams k;
	cudaGraphExec_t exec;

	set_touch(&k, args);
	cudaGraphCreate(&graph, 0);
	cudaGraphCreate(&outer, 0);
	cudaGraphAddKernelNode(&node, graph, NULL, 0, &k);
	cudaGraphAddKernelNode(&node, graph, &node, 1, &k);
	cudaGraphAddChildGraphNode(&child, outer, NULL, 0, graph);
	cudaGraphKernelNodeSetParams(node, &k);
	cudaGraphClone(&clone, outer);
	cudaGraphInstantiate(&exec, clone, 0);
	cudaGraphExecUpdate(exec, outer, NULL);
	cudaGraphExecUpdate(exec, graph, NULL);
	cudaGraphExecDestroy(exec);
	cudaGraphDestroy(clone);
	cudaGraphDestroy(outer);
	cudaGraphDestroyNode(node);
	cudaGraphDestroy(graph);
}

static void test_leaks(void)
{
	struct mallinfo2 before, behind;

	/* the C library keeps some of what is freed first */
	for (int i = 0; i < 100; i++)
		make_and_destroy();
	before = mallinfo2();
	for (int i = 0; i < 100; i++)
		make_and_destroy();
	behind = mallinfo2();
	ok(behind.uordblks == before.uordblks, "nothing is left: %zu bytes before, %zu behind",
	   before.uordblks, behind.uordblks);
}

/* While a function of the program runs, another thread destroys the graph, and its stream. */
static void *destroy_all(void *exec)
{
	cudaGraphExecDestroy(exec);
	cudaStreamDestroy(stream);
	return NULL;
}

static void call_destroy(void *exec)
{
	pthread_t thread;

	pthread_create(&thread, NULL, destroy_all, *(cudaGraphExec_t *)exec);
	pthread_join(thread, NULL);
}

static void test_destroyed(void)
{
	cudaGraphExec_t exec;
	struct cudaHostNodeParams host = { .fn = call_destroy, .userData = &exec };
	cudaGraphNode_t node;
	cudaGraph_t graph;

	memset(shared, 0, PAGE);
	cudaGraphCreate(&graph, 0);
	WORKS(cudaGraphAddHostNode(&node, graph, NULL, 0, &host));
	add_touch(graph, shared, 1, &node, 1);
	WORKS(cudaGraphInstantiate(&exec, graph, 0));
	RETURNS(cudaErrorInvalidResourceHandle, cudaGraphLaunch(exec, stream));
	RETURNS(cudaErrorInvalidValue, cudaGraphExecDestroy(exec));
	WORKS(cudaDeviceSynchronize());
	ok(!shared[0], "what is destroyed goes no further: %u", shared[0]);
	cudaStreamCreate(&stream);
	cudaGraphDestroy(graph);
	cudaGetLastError();
}

/* Each node on its own GPU, whatever the stream is of. */
static void test_two(void)
{
	cudaGraphNode_t a, b;
	cudaGraphExec_t exec;
	cudaGraph_t graph;
	int count = 0;

	cudaGetDeviceCount(&count);
	if (count < 2)
		return;
	memset(shared, 0, PAGE);
	cudaGraphCreate(&graph, 0);
	a = add_touch(graph, shared, 1, NULL, 0);
	cudaSetDevice(1);
	b = add_touch(graph, shared, 1, &a, 1);
	cudaSetDevice(0);
	add_touch(graph, shared, 1, &b, 1);
	WORKS(cudaGraphInstantiate(&exec, graph, 0));
	for (int i = 1; i <= 2; i++) {
		run(exec);
		ok(shared[0] == 3 * i, "two GPUs, three kernels: %u", shared[0]);
	}
	cudaGraphExecDestroy(exec);
	cudaGraphDestroy(graph);
}

/* Launches of one graph in two streams come one behind the other. */
static void test_streams_of_launches(void)
{
	cudaGraphExec_t exec;
	cudaGraph_t graph;
	cudaStream_t t;

	memset(shared, 0, PAGE);
	cudaStreamCreateWithFlags(&t, cudaStreamNonBlocking);
	cudaGraphCreate(&graph, 0);
	add_touch(graph, shared, 1, NULL, 0);
	WORKS(cudaGraphInstantiate(&exec, graph, 0));
	for (int i = 0; i < 100; i++) {
		if (cudaGraphLaunch(exec, i % 2 ? t : stream))
			ok(false, "launch %d", i);
	}
	WORKS(cudaGraphLaunch(exec, NULL));
	cudaDeviceSynchronize();
	ok(shared[0] == 101, "101 launches: %u", shared[0]);
	cudaStreamDestroy(t);
	cudaGraphExecDestroy(exec);
	cudaGraphDestroy(graph);
}

static void *reset_all(void *unused)
{
	cudaDeviceReset();
	return unused;
}

static void call_reset(void *unused)
{
	pthread_t thread;

	pthread_create(&thread, NULL, reset_all, unused);
	pthread_join(thread, NULL);
}

/* While a function of the program runs, another thread resets the device, and memory of the graph goes. */
static void test_reset_within(void)
{
	struct cudaMemAllocNodeParams params = {
		.poolProps = { .allocType = cudaMemAllocationTypePinned,
			       .location = { .type = cudaMemLocationTypeDevice } },
		.bytesize = PAGE,
	};
	struct cudaHostNodeParams host = { .fn = call_reset };
	cudaGraphNode_t node;
	cudaGraphExec_t exec;
	cudaGraph_t graph;

	cudaGraphCreate(&graph, 0);
	WORKS(cudaGraphAddMemAllocNode(&node, graph, NULL, 0, &params));
	WORKS(cudaGraphAddHostNode(&node, graph, &node, 1, &host));
	WORKS(cudaGraphInstantiate(&exec, graph, 0));
	RETURNS(cudaErrorInvalidResourceHandle, cudaGraphLaunch(exec, NULL));
	RETURNS(cudaErrorInvalidValue, cudaGraphExecDestroy(exec));
	RETURNS(cudaErrorInvalidValue, cudaFree(params.dptr));
	cudaGetLastError();
}

/* A reset takes them, too; what a failed kernel leaves is told by the launch. */
static void test_reset(void)
{
	struct cudaKernelNodeParams k = { .func = (void *)trap, .gridDim = { 1, 1, 1 },
					  .blockDim = { 1, 1, 1 } };
	cudaGraphNode_t node;
	cudaGraphExec_t exec;
	cudaGraph_t graph;

	cudaGraphCreate(&graph, 0);
	WORKS(cudaGraphAddKernelNode(&node, graph, NULL, 0, &k));
	WORKS(cudaGraphInstantiate(&exec, graph, 0));
	WORKS(cudaGraphLaunch(exec, NULL));
	RETURNS(cudaErrorLaunchFailure, cudaDeviceSynchronize());
	RETURNS(cudaErrorLaunchFailure, cudaGraphLaunch(exec, NULL));
	WORKS(cudaDeviceReset());
	RETURNS(cudaErrorInvalidValue, cudaGraphLaunch(exec, NULL));
	RETURNS(cudaErrorInvalidValue, cudaGraphDestroy(graph));
	RETURNS(cudaErrorInvalidValue, cudaGraphDestroyNode(node));
	cudaGetLastError();
}

void test_graphs(void)
{
	begin();
	test_chain();
	test_fills();
	test_copies_of_nodes();
	test_children();
	test_memory_of_graphs();
	test_edges();
	test_parameters();
	test_update();
	test_refused();
	test_leaks();
	test_destroyed();
	test_two();
	test_streams_of_launches();
	end();
	test_reset_within();
	test_reset();
}
