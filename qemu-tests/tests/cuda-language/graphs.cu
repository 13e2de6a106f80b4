// SPDX-License-Identifier: GPL-2.0
/*
 * Graphs in C++: captured, and made by hand, in the forms of CUDA 12 and of CUDA 13.  What is computed
 * is a sum of what each part adds, so that an order or a number of launches that is wrong shows.
 */
#include <cooperative_groups.h>
#include "check.h"

#define N 1000

struct wide {
	int add[1500];		/* more than the arguments of a launch have room for */
};

__device__ int added;
__constant__ int scale;

template<class T> __global__ void fill(T *out, T value, int n)
{
	int i = threadIdx.x + blockIdx.x * blockDim.x;

	if (i < n)
		out[i] = value;
}

__global__ void add(int *out, wide by, int n)
{
	int i = threadIdx.x + blockIdx.x * blockDim.x;

	if (i < n)
		out[i] += by.add[i] * scale + added;
}

/* Out of order it gives something else. */
__global__ void step(int *at, int number)
{
	*at = *at * 10 + number;
}

__global__ void together(int *sums)
{
	cooperative_groups::grid_group grid = cooperative_groups::this_grid();

	atomicAdd(&sums[0], 1);
	grid.sync();
	if (!threadIdx.x)
		atomicAdd(&sums[1], sums[0]);
}

static void run(cudaGraph_t graph, cudaStream_t s, int times)
{
	cudaGraphExec_t exec;

	MUST(cudaGraphInstantiate(&exec, graph, 0));
	for (int i = 0; i < times; i++)
		MUST(cudaGraphLaunch(exec, s));
	MUST(cudaStreamSynchronize(s));
	MUST(cudaGraphExecDestroy(exec));
}

/* Loops as programs have them: many kernels, captured once, launched often. */
static void captured(cudaStream_t s)
{
	int *out = managed<int>(N), *sums = managed<int>(2), *copy, one = 1, two = 2;
	wide by;
	cudaGraph_t graph;
	void *args[] = { &sums };

	for (int i = 0; i < N; i++)
		by.add[i] = i;
	MUST(cudaMallocHost(&copy, N * sizeof(int)));
	MUST(cudaMemcpyToSymbol(added, &one, sizeof(one)));
	MUST(cudaStreamBeginCapture(s, cudaStreamCaptureModeGlobal));
	MUST(cudaMemcpyToSymbolAsync(scale, &two, sizeof(two), 0, cudaMemcpyHostToDevice, s));
	fill<int><<<4, 256, 0, s>>>(out, 5, N);
	for (int i = 0; i < 10; i++) {
		add<<<4, 256, 0, s>>>(out, by, N);
		by.add[1] = 0;
	}
	MUST(cudaMemcpyAsync(copy, out, N * sizeof(int), cudaMemcpyDefault, s));
	MUST(cudaLaunchCooperativeKernel(together, dim3(4), dim3(32), args, 0, s));
	MUST(cudaStreamEndCapture(s, &graph));
	CHECK(!out[3] && !sums[0]);
	run(graph, s, 20);
	for (int i = 0; i < N; i++)
		CHECK(copy[i] == 5 + (i == 1 ? 2 : 20 * i) + 10, "%d: %d", i, copy[i]);
	/* each launch adds what 128 threads of it and of those before it counted, four times */
	CHECK(sums[0] == 20 * 128 && sums[1] == 4 * 128 * (20 * 21 / 2), "%d %d", sums[0], sums[1]);
	MUST(cudaGraphDestroy(graph));
	MUST(cudaFreeHost(copy));
	MUST(cudaFree(out));
	MUST(cudaFree(sums));
}

static cudaKernelNodeParams step_of(void **args)
{
	cudaKernelNodeParams k = { };

	k.func = (void *)step;
	k.gridDim = dim3(1);
	k.blockDim = dim3(1);
	k.kernelParams = args;
	return k;
}

/* What CUDA 13 says of edges, and what CUDA 12 does not. */
static void edges(cudaGraph_t graph, cudaGraphNode_t *nodes)
{
	cudaGraphNode_t from[3], to[3];
	cudaGraphEdgeData data[3];
	size_t count = 0;

	MUST(cudaGraphAddDependencies(graph, nodes, nodes + 1, nullptr, 1));
#if CUDART_VERSION < 13000
	MUST(cudaGraphAddDependencies(graph, nodes + 1, nodes + 2, 1));
	MUST(cudaGraphGetEdges(graph, nullptr, nullptr, &count));
	CHECK(count == 2, "%zu", count);
	MUST(cudaGraphRemoveDependencies(graph, nodes + 1, nodes + 2, 1));
	MUST(cudaGraphNodeGetDependencies(nodes[1], nullptr, &count));
	CHECK(count == 1, "%zu", count);
#endif
	MUST(cudaGraphAddDependencies(graph, nodes + 1, nodes + 2, nullptr, 1));
	MUST(cudaGraphGetEdges(graph, nullptr, nullptr, nullptr, &count));
	CHECK(count == 2, "%zu", count);
	MUST(cudaGraphGetEdges(graph, from, to, data, &count));
	for (size_t i = 0; i < count; i++)
		CHECK((from[i] == nodes[0] && to[i] == nodes[1] && !data[i].type) ||
		      (from[i] == nodes[1] && to[i] == nodes[2] && !data[i].type), "%zu", i);
	MUST(cudaGraphNodeGetDependencies(nodes[2], from, data, &count));
	CHECK(count == 1 && from[0] == nodes[1], "%zu", count);
}

static void made(cudaStream_t s)
{
	int *at = managed<int>(1), number = 3;
	void *args[] = { &at, &number };
	cudaKernelNodeParams k = step_of(args);
	cudaGraphNodeParams any = { cudaGraphNodeTypeKernel };
	cudaGraphExecUpdateResultInfo info;
	cudaGraphNode_t nodes[3];
	cudaGraphExec_t exec, old;
	cudaGraph_t graph;

	MUST(cudaGraphCreate(&graph, 0));
	MUST(cudaGraphAddKernelNode(&nodes[2], graph, nullptr, 0, &k));
	number = 2;
	any.kernel.func = (void *)step;
	any.kernel.gridDim = dim3(1);
	any.kernel.blockDim = dim3(1);
	any.kernel.kernelParams = args;
	MUST(cudaGraphAddNode(&nodes[1], graph, nullptr, nullptr, 0, &any));
	number = 1;
	MUST(cudaGraphAddKernelNode(&nodes[0], graph, nullptr, 0, &k));
	edges(graph, nodes);
	/* of CUDA 11 */
	MUST(cudaGraphInstantiate(&old, graph, nullptr, nullptr, 0));
	MUST(cudaGraphInstantiateWithFlags(&exec, graph, 0));
	MUST(cudaGraphLaunch(exec, s));
	MUST(cudaStreamSynchronize(s));
	CHECK(*at == 123, "%d", *at);
	*at = 0;
	number = 7;
	MUST(cudaGraphExecKernelNodeSetParams(exec, nodes[1], &k));
	MUST(cudaGraphLaunch(exec, s));
	MUST(cudaGraphLaunch(old, s));
	MUST(cudaStreamSynchronize(s));
	CHECK(*at == 173123, "%d", *at);
	*at = 0;
	number = 9;
	MUST(cudaGraphKernelNodeSetParams(nodes[2], &k));
	MUST(cudaGraphExecUpdate(exec, graph, &info));
	MUST(cudaGraphLaunch(exec, s));
	MUST(cudaStreamSynchronize(s));
	CHECK(*at == 129 && info.result == cudaGraphExecUpdateSuccess, "%d", *at);
	MUST(cudaGraphExecDestroy(exec));
	MUST(cudaGraphExecDestroy(old));
	MUST(cudaGraphDestroy(graph));
	MUST(cudaFree(at));
}

/* A capture that is asked about in the middle, and one that goes on in a graph of the program's. */
static void asked(cudaStream_t s)
{
	int *at = managed<int>(1), number = 4;
	void *args[] = { &at, &number };
	cudaKernelNodeParams k = step_of(args);
	const cudaGraphNode_t *tips;
	const cudaGraphEdgeData *data = nullptr;
	cudaStreamCaptureStatus status;
	cudaGraphNode_t node;
	cudaGraph_t graph, same;
	unsigned long long id;
	size_t count;

	MUST(cudaStreamBeginCapture(s, cudaStreamCaptureModeRelaxed));
	step<<<1, 1, 0, s>>>(at, 1);
#if CUDART_VERSION < 13000
	MUST(cudaStreamGetCaptureInfo(s, &status, &id));
	MUST(cudaStreamGetCaptureInfo_v2(s, &status, &id, &same, &tips, &count));
#endif
	MUST(cudaStreamGetCaptureInfo(s, &status, &id, &same, &tips, &data, &count));
	CHECK(status == cudaStreamCaptureStatusActive && count == 1, "%d %zu", (int)status, count);
	MUST(cudaGraphAddKernelNode(&node, same, tips, count, &k));
	MUST(cudaStreamUpdateCaptureDependencies(s, &node, nullptr, 1, cudaStreamSetCaptureDependencies));
	step<<<1, 1, 0, s>>>(at, 5);
	MUST(cudaStreamEndCapture(s, &graph));
	MUST(cudaStreamBeginCaptureToGraph(s, graph, nullptr, nullptr, 0, cudaStreamCaptureModeGlobal));
	MUST(cudaStreamUpdateCaptureDependencies(s, nullptr, nullptr, 0, cudaStreamSetCaptureDependencies));
	MUST(cudaStreamEndCapture(s, nullptr));
	run(graph, s, 1);
	CHECK(*at == 145, "%d", *at);
	MUST(cudaGraphDestroy(graph));
	MUST(cudaFree(at));
}

int main()
{
	cudaStream_t s;

	MUST(cudaStreamCreate(&s));
	captured(s);
	made(s);
	asked(s);
	MUST(cudaStreamDestroy(s));
	return wrong != 0;
}
