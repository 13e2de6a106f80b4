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
	GOES(cuDeviceGetAttribute(&value, CU_DEVICE_ATTRIBUTE_COMPUTE_MODE, device));
	ok(value == CU_COMPUTEMODE_DEFAULT, "anybody may use it: %d", value);
	/* What the runtime API has no name for, too, and nothing behind the last one. */
	GOES(cuDeviceGetAttribute(&value, CU_DEVICE_ATTRIBUTE_DMA_BUF_SUPPORTED, device));
	ok(!value, "what there is not: %d", value);
	GIVES(CUDA_ERROR_INVALID_VALUE,
	      cuDeviceGetAttribute(&value, CU_DEVICE_ATTRIBUTE_MAX, device));
	GOES(cuCtxCreate(&context, 0, device));
	GOES(cuCtxGetCurrent(&current));
	ok(context && current == context, "the context is current");
	GOES(cuCtxSetCurrent(context));
	GIVES(CUDA_ERROR_INVALID_CONTEXT, cuCtxSetCurrent((CUcontext)name));
	GIVES(CUDA_ERROR_INVALID_DEVICE, cuCtxCreate(&context, 0, 99));
	GOES(cuGetErrorString(CUDA_ERROR_OUT_OF_MEMORY, &text));
	ok(!strcmp(text, "out of memory"), "words: %s", text);
	GOES(cuGetErrorName(CUDA_ERROR_OUT_OF_MEMORY, &text));
	ok(!strcmp(text, "CUDA_ERROR_OUT_OF_MEMORY"), "a name: %s", text);
	GIVES(CUDA_ERROR_INVALID_VALUE, cuGetErrorName((CUresult)12345, &text));
	ok(!text, "a number that is none has no name");
	GIVES(CUDA_ERROR_INVALID_VALUE, cuGetErrorString((CUresult)12345, &text));
	WORKS(cudaGetLastError());
	/* The runtime's last error is not the driver API's to change. */
	RETURNS(cudaErrorInvalidValue, cudaMalloc(NULL, 1));
	GOES(cuMemGetInfo(&bytes, &bytes));
	GIVES(CUDA_ERROR_INVALID_VALUE, cuMemAlloc(NULL, 0));
	RETURNS(cudaErrorInvalidValue, cudaGetLastError());
	WORKS(cudaGetLastError());
}

/* Contexts of a thread are a pile, and the one made last is on top. */
static void test_pile(void)
{
	CUcontext first = NULL, second = NULL, popped = NULL;
	int count = 0, device = -1, last;
	unsigned int flags = 7, version = 0;
	size_t bytes = 0;

	GOES(cuDeviceGetCount(&count));
	last = count - 1;
	GOES(cuCtxGetCurrent(&first));
	GOES(cuDevicePrimaryCtxRetain(&second, last));
	GOES(cuCtxPushCurrent(second));
	GOES(cuCtxGetDevice(&device));
	ok(device == last, "the pushed one is current: %d", device);
	GOES(cuCtxPopCurrent(&popped));
	GOES(cuCtxGetDevice(&device));
	ok(popped == second && !device, "and popped, the one before is: %d", device);
	GIVES(CUDA_ERROR_INVALID_CONTEXT, cuCtxPushCurrent((CUcontext)&count));
	GOES(cuCtxCreate(&second, 0, last));
	GOES(cuCtxDestroy(second));
	GOES(cuCtxGetDevice(&device));
	ok(!device, "what is destroyed is no longer current: %d", device);
	GOES(cuDevicePrimaryCtxGetState(0, &flags, &device));
	ok(!flags && device == 1, "the primary one is active: %u %d", flags, device);
	GOES(cuCtxGetApiVersion(first, &version));
	ok(version == CUDA_VERSION, "a version: %u", version);
	GOES(cuCtxGetLimit(&bytes, CU_LIMIT_MALLOC_HEAP_SIZE));
	ok(bytes == 8 << 20, "a limit: %zu", bytes);
}

/* What an address is of. */
/* Of what is no allocation attributes are 0, of 4 bytes each but those of addresses. */
static void test_nothing(void)
{
	CUpointer_attribute attributes[] = { CU_POINTER_ATTRIBUTE_SYNC_MEMOPS,
					     CU_POINTER_ATTRIBUTE_IS_LEGACY_CUDA_IPC_CAPABLE };
	int flags[4] = { 7, 8, 9, 10 }, here = 0;
	void *data[] = { &flags[0], &flags[2] };

	GOES(cuPointerGetAttributes(2, attributes, data, (uintptr_t)&here));
	ok(!flags[0] && flags[1] == 8 && !flags[2] && flags[3] == 10, "flags of nothing: %d %d %d %d",
	   flags[0], flags[1], flags[2], flags[3]);
	attributes[1] = (CUpointer_attribute)999;
	GIVES(CUDA_ERROR_INVALID_VALUE,
	      cuPointerGetAttributes(2, attributes, data, (uintptr_t)&here));
}

static void test_addresses(CUdeviceptr managed, CUdeviceptr device)
{
	CUpointer_attribute asked[] = { CU_POINTER_ATTRIBUTE_IS_MANAGED, CU_POINTER_ATTRIBUTE_DEVICE_ORDINAL,
					CU_POINTER_ATTRIBUTE_RANGE_START_ADDR };
	CUdeviceptr base = 1, nobodys = (uintptr_t)&base;
	unsigned int is_managed = 7;
	size_t bytes = 0;
	int ordinal = 7;
	void *data[] = { &is_managed, &ordinal, &base };
	CUmemorytype type = CU_MEMORYTYPE_ARRAY;

	GOES(cuMemGetAddressRange(&base, &bytes, managed + 100));
	ok(base == managed && bytes == BYTES, "the range of managed memory: %zu", bytes);
	GOES(cuMemGetAddressRange(NULL, &bytes, device + 5));
	ok(bytes == BYTES, "that of a GPU's: %zu", bytes);
	GIVES(CUDA_ERROR_NOT_FOUND, cuMemGetAddressRange(&base, &bytes, nobodys));
	GOES(cuPointerGetAttribute(&type, CU_POINTER_ATTRIBUTE_MEMORY_TYPE, device));
	ok(type == CU_MEMORYTYPE_DEVICE, "a type: %u", type);
	GOES(cuPointerGetAttribute(&bytes, CU_POINTER_ATTRIBUTE_HOST_POINTER, managed + 3));
	ok(bytes == managed + 3, "the host's pointer");
	GIVES(CUDA_ERROR_INVALID_VALUE, cuPointerGetAttribute(&bytes, CU_POINTER_ATTRIBUTE_HOST_POINTER, device));
	GIVES(CUDA_ERROR_INVALID_VALUE, cuPointerGetAttribute(&type, CU_POINTER_ATTRIBUTE_MEMORY_TYPE, nobodys));
	GIVES(CUDA_ERROR_NOT_SUPPORTED, cuPointerGetAttribute(&bytes, CU_POINTER_ATTRIBUTE_BUFFER_ID, device));
	GIVES(CUDA_ERROR_INVALID_VALUE, cuPointerGetAttribute(&bytes, (CUpointer_attribute)99, device));
	GOES(cuPointerGetAttributes(3, asked, data, managed + 4096));
	ok(is_managed == 1 && !ordinal && base == managed, "three at once: %u %d", is_managed, ordinal);
	GOES(cuPointerGetAttributes(3, asked, data, nobodys));
	ok(!is_managed && ordinal == cudaInvalidDeviceId && !base, "of nobody's: %u %d", is_managed, ordinal);
}

/* Words of 16 and 32 bits, of all three kinds of memory. */
static void test_words(CUdeviceptr managed, CUdeviceptr device)
{
	unsigned int out[3] = { 0 }, wrong = 0, *words = (unsigned int *)(uintptr_t)managed;
	unsigned short *halves = NULL;
	CUdeviceptr pinned = 0;

	GOES(cuMemHostAlloc((void **)&halves, BYTES, CU_MEMHOSTALLOC_PORTABLE));
	GOES(cuMemHostGetDevicePointer(&pinned, halves, 0));
	ok(pinned == (uintptr_t)halves, "pinned memory has one address");
	GOES(cuMemsetD16(pinned + 2, 0x1234, 3));
	ok(!halves[0] && halves[1] == 0x1234 && halves[3] == 0x1234 && !halves[4], "halves of pinned memory");
	GOES(cuMemsetD32(managed, 0xdeadbeef, BYTES / 4));
	for (size_t i = 0; i < BYTES / 4; i++)
		wrong += words[i] != 0xdeadbeef;
	ok(!wrong, "words of managed memory: %u are wrong", wrong);
	GOES(cuMemsetD32Async(device + 4, 0x01020304, 2, NULL));
	GOES(cuMemcpyDtoH(out, device + 4, sizeof(out)));
	ok(out[0] == 0x01020304 && out[1] == out[0] && out[2] != out[0], "words of a GPU's: %#x %#x", out[0],
	   out[2]);
	GIVES(CUDA_ERROR_INVALID_VALUE, cuMemsetD32(device + 2, 1, 1));
	GIVES(CUDA_ERROR_INVALID_VALUE, cuMemsetD16(device, 1, BYTES));
	GIVES(CUDA_ERROR_INVALID_VALUE, cuMemsetD32(device, 1, SIZE_MAX / 2));
	GOES(cuMemFreeHost(halves));
}

static void note_status(CUstream stream, CUresult status, void *arg)
{
	*(int *)arg += status == CUDA_SUCCESS && stream;
}

static void count_one(void *arg)
{
	++*(int *)arg;
}

static void test_calls(CUstream stream)
{
	int called = 0, priority = 7;
	size_t pitch = 0;
	CUdeviceptr rows = 0;

	GOES(cuStreamAddCallback(stream, note_status, &called, 0));
	GOES(cuLaunchHostFunc(stream, count_one, &called));
	GOES(cuStreamSynchronize(stream));
	ok(called == 2, "functions of the host are called: %d", called);
	GOES(cuStreamGetPriority(stream, &priority));
	ok(!priority, "a priority: %d", priority);
	GOES(cuMemAllocPitch(&rows, &pitch, 100, 3, 4));
	ok(rows && pitch == 512, "rows: %zu", pitch);
	GIVES(CUDA_ERROR_INVALID_VALUE, cuMemAllocPitch(&rows, &pitch, 100, 3, 5));
	GOES(cuMemFree(rows));
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
	test_pile();
	test_nothing();
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
	test_addresses(p, q);
	test_words(p, q);
	test_calls(stream);
	GOES(cuEventDestroy(a));
	GOES(cuEventDestroy(b));
	GOES(cuStreamDestroy(stream));
	GOES(cuMemFree(p));
	GOES(cuMemFree(q));
	GIVES(CUDA_ERROR_INVALID_VALUE, cuMemFree(q));
	GOES(cuCtxSynchronize());
}
