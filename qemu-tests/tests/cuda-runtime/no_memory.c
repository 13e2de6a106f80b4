// SPDX-License-Identifier: GPL-2.0
/*
 * A program whose allocations fail (failing_malloc.c): each call works, or says that there is no
 * memory; what all calls that work do is right.
 */
#include <stdio.h>

#include "cuda_test.h"

#define WORDS	1024

static bool refused;

/* Works, or is refused: then the part ends. */
#define TRY(call)								\
	do {									\
		cudaError_t error_ = call;					\
										\
		if (!error_)							\
			break;							\
		refused = true;							\
		if (error_ != cudaErrorMemoryAllocation)			\
			returns(cudaErrorMemoryAllocation, error_, #call);	\
		return;								\
	} while (0)

static void use_memory(void)
{
	void *device, *managed, *pinned, *many[80], *pool;
	static char own[2 * PAGE];
	size_t pitch;

	TRY(cudaMalloc(&device, PAGE));
	TRY(cudaMallocManaged(&managed, 3 * BLOCK, cudaMemAttachGlobal));
	TRY(cudaMallocHost(&pinned, PAGE));
	for (int i = 0; i < 80; i++)
		TRY(cudaMalloc(&many[i], 100));
	TRY(cudaMemset(managed, 3, BLOCK));
	TRY(cudaMemPrefetchAsync(managed, BLOCK, 0, NULL));
	TRY(cudaMemAdvise(managed, BLOCK, cudaMemAdviseSetReadMostly, 0));
	TRY(cudaMemcpy(pinned, managed, PAGE, cudaMemcpyDefault));
	ok(((char *)pinned)[77] == 3, "what was set is copied");
	TRY(cudaMallocPitch(&device, &pitch, 100, 10));
	TRY(cudaMallocAsync(&pool, 200, NULL));
	TRY(cudaFreeAsync(pool, NULL));
	TRY(cudaHostRegister(own, PAGE, 0));
	TRY(cudaHostUnregister(own));
	for (int i = 0; i < 80; i++)
		TRY(cudaFree(many[i]));
	TRY(cudaFree(managed));
	TRY(cudaFreeHost(pinned));
}

static void use_objects(void)
{
	struct cudaChannelFormatDesc desc = { .x = 32, .f = cudaChannelFormatKindUnsigned };
	struct cudaResourceDesc resource = { .resType = cudaResourceTypeArray };
	struct cudaTextureDesc how = { .readMode = cudaReadModeElementType };
	cudaTextureObject_t texture;
	cudaMemPool_t pool;
	struct cudaMemPoolProps props = {
		.allocType = cudaMemAllocationTypePinned,
		.location = { .type = cudaMemLocationTypeDevice },
	};

	TRY(cudaMallocArray(&resource.res.array.array, &desc, 64, 4, 0));
	TRY(cudaCreateTextureObject(&texture, &resource, &how, NULL));
	TRY(cudaDestroyTextureObject(texture));
	TRY(cudaFreeArray(resource.res.array.array));
	TRY(cudaMemPoolCreate(&pool, &props));
	TRY(cudaMemPoolDestroy(pool));
}

static void use_streams(void)
{
	unsigned long stride = 1;
	int n = WORDS, value = 0;
	cudaStream_t s, t;
	cudaGraphExec_t exec;
	cudaGraph_t graph, clone;
	unsigned char *p;
	cudaEvent_t e;
	void *block;

	TRY(cudaStreamCreateWithFlags(&s, cudaStreamNonBlocking));
	TRY(cudaStreamCreateWithFlags(&t, cudaStreamNonBlocking));
	TRY(cudaEventCreate(&e));
	TRY(cudaMallocManaged((void **)&p, WORDS, cudaMemAttachGlobal));
	TRY(cudaMemsetAsync(p, 5, WORDS, s));
	TRY(LAUNCH(touch, 4, 256, s, &p, &stride, &n));
	TRY(cudaEventRecord(e, s));
	TRY(cudaStreamWaitEvent(t, e, 0));
	TRY(cudaStreamSynchronize(t));
	ok(p[0] == 6 && p[WORDS - 1] == 6, "a launch: %u %u", p[0], p[WORDS - 1]);
	TRY(cudaMemcpyFromSymbol(&value, variable, sizeof(value), 0, cudaMemcpyDeviceToHost));
	ok(value == 41, "a variable: %d", value);

	TRY(cudaStreamBeginCapture(s, cudaStreamCaptureModeRelaxed));
	TRY(LAUNCH(touch, 4, 256, s, &p, &stride, &n));
	TRY(cudaEventRecord(e, s));
	TRY(cudaStreamWaitEvent(t, e, 0));
	for (int i = 0; i < 6; i++)
		TRY(LAUNCH(touch, 4, 256, t, &p, &stride, &n));
	TRY(cudaMallocAsync(&block, 100, t));
	TRY(cudaFreeAsync(block, t));
	TRY(cudaEventRecord(e, t));
	TRY(cudaStreamWaitEvent(s, e, 0));
	TRY(cudaStreamEndCapture(s, &graph));
	TRY(cudaGraphClone(&clone, graph));
	TRY(cudaGraphInstantiate(&exec, clone, 0));
	TRY(cudaGraphLaunch(exec, s));
	TRY(cudaStreamSynchronize(s));
	ok(p[0] == 13 && p[WORDS - 1] == 13, "a graph: %u %u", p[0], p[WORDS - 1]);
	TRY(cudaGraphExecDestroy(exec));
	TRY(cudaGraphDestroy(graph));
	TRY(cudaStreamDestroy(s));
	TRY(cudaEventDestroy(e));
}

/* A second try of all works, as only one allocation fails. */
void test_no_memory(void)
{
	/* before main() the runtime is told of kernels */
	bool early = allocator_has_failed();

	use_memory();
	use_objects();
	use_streams();
	if (allocator_has_failed())
		puts("# an allocation failed");
	/* before main() it is for good, if it matters: asprintf() does with more than it needs */
	if (early || !refused)
		return;
	/* ends captures, too */
	RETURNS(cudaSuccess, cudaDeviceReset());
	cudaGetLastError();
	refused = false;
	use_memory();
	use_objects();
	use_streams();
	ok(!refused || !cudaGetLastError(), "after a reset all of it works");
}
