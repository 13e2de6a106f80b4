// SPDX-License-Identifier: GPL-2.0
/* The driver API: what the runtime API does, under its names. */
#include "cuda_test.h"

#include "cuda.h"

#define BYTES	(2 * BLOCK)

static bool gives(CUresult want, CUresult got, const char *what)
{
	return ok(want == got, "%s: %d, %d", what, (int)got, (int)want);
}

#define GIVES(want, call)	gives(want, call, #call)
#define GOES(call)		gives(CUDA_SUCCESS, call, #call)

static void test_contexts(void)
{
	CUcontext context = NULL, current = NULL;
	const char *text = "";
	CUdevice device = -1;
	int count = 0, value = 0;
	char name[8] = "";
	size_t bytes = 0;

	GOES(cuInit(0));
	GIVES(CUDA_ERROR_INVALID_VALUE, cuInit(1));
	GOES(cuDeviceGetCount(&count));
	GOES(cuDeviceGet(&device, 0));
	GIVES(CUDA_ERROR_INVALID_DEVICE, cuDeviceGet(&device, count));
	GOES(cuDeviceGetName(name, sizeof(name), device));
	ok(!strcmp(name, "NVIDIA "), "a name, as far as there is room: '%s'", name);
	GOES(cuDeviceTotalMem(&bytes, device));
	ok(bytes >= 32 * BLOCK, "memory: %zu", bytes);
	GOES(cuDeviceGetAttribute(&value, CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT, device));
	ok(value == 28, "an attribute: %d", value);
	GOES(cuCtxCreate(&context, 0, device));
	GOES(cuCtxGetCurrent(&current));
	ok(context && current == context, "the context is current");
	GOES(cuCtxSetCurrent(context));
	GIVES(CUDA_ERROR_INVALID_CONTEXT, cuCtxSetCurrent((CUcontext)name));
	GIVES(CUDA_ERROR_INVALID_DEVICE, cuCtxCreate(&context, 0, 99));
	GOES(cuGetErrorString(CUDA_ERROR_OUT_OF_MEMORY, &text));
	ok(!strcmp(text, "out of memory"), "words: %s", text);
	WORKS(cudaGetLastError());
}

void test_driver(void)
{
	unsigned char *managed, out[4] = { 1, 2, 3, 4 };
	CUdeviceptr p = 0, q = 0;
	CUstream stream;
	CUevent a, b;
	float ms = -1;
	int place = 7;

	test_contexts();
	GOES(cuMemAllocManaged(&p, BYTES, CU_MEM_ATTACH_GLOBAL));
	GOES(cuMemAlloc(&q, BYTES));
	GIVES(CUDA_ERROR_INVALID_VALUE, cuMemAlloc(&q, 0));
	managed = (unsigned char *)(uintptr_t)p;
	memset(managed, 5, BYTES);
	GOES(cuStreamCreate(&stream, CU_STREAM_NON_BLOCKING));
	GOES(cuEventCreate(&a, CU_EVENT_DEFAULT));
	GOES(cuEventCreate(&b, CU_EVENT_BLOCKING_SYNC));
	GOES(cuMemPrefetchAsync(p, BYTES, 0, stream));
	GOES(cuEventRecord(a, stream));
	WORKS(launch_touch(managed, PAGE, BYTES / PAGE, stream));
	GOES(cuEventRecord(b, stream));
	GOES(cuMemcpyDtoDAsync(q, p, BYTES, stream));
	GOES(cuStreamSynchronize(stream));
	GOES(cuEventElapsedTime(&ms, a, b));
	ok(ms > 0, "a kernel takes %.6f ms", (double)ms);
	GOES(cuMemcpyDtoH(out, q + PAGE, sizeof(out)));
	ok(out[0] == 6 && out[1] == 5, "what a kernel wrote: %u %u", out[0], out[1]);
	GOES(cuMemsetD8(q, 0x33, 3));
	GOES(cuMemcpyDtoH(out, q, sizeof(out)));
	ok(out[2] == 0x33 && out[3] == 5, "memset: %#x %#x", out[2], out[3]);
	GOES(cuMemAdvise(p, BYTES, CU_MEM_ADVISE_SET_PREFERRED_LOCATION, CU_DEVICE_CPU));
	GOES(cuMemRangeGetAttribute(&place, sizeof(place), CU_MEM_RANGE_ATTRIBUTE_PREFERRED_LOCATION,
				    p, BYTES));
	ok(place == CU_DEVICE_CPU, "its location: %d", place);
	GOES(cuEventDestroy(a));
	GOES(cuEventDestroy(b));
	GOES(cuStreamDestroy(stream));
	GOES(cuMemFree(p));
	GOES(cuMemFree(q));
	GIVES(CUDA_ERROR_INVALID_VALUE, cuMemFree(q));
	GOES(cuCtxSynchronize());
}
