// SPDX-License-Identifier: GPL-2.0
/* Devices: which there are, what they are, peers. */
#include "cuda_test.h"

static void test_properties(void)
{
	struct cudaDeviceProp p;
	int value = -1;

	WORKS(cudaGetDeviceProperties(&p, 0));
	ok(!strcmp(p.name, "NVIDIA GeForce GTX 1080 Ti (softgpu)") && p.major == 6 && p.minor == 1,
	   "the default profile: %s, %d.%d", p.name, p.major, p.minor);
	ok(p.multiProcessorCount == 28 && p.clockRate == 1481000 && p.maxThreadsPerMultiProcessor ==
	   2048 && p.sharedMemPerBlock == 49152 && p.warpSize == 32,
	   "SMs, clock and sizes: %d %d %d %zu", p.multiProcessorCount, p.clockRate,
	   p.maxThreadsPerMultiProcessor, p.sharedMemPerBlock);
	ok(p.managedMemory && p.concurrentManagedAccess && p.unifiedAddressing &&
	   !p.pageableMemoryAccess && p.cooperativeLaunch, "what it can");
	WORKS(cudaDeviceGetAttribute(&value, cudaDevAttrMultiProcessorCount, 0));
	ok(value == p.multiProcessorCount, "an attribute: %d", value);
	WORKS(cudaDeviceGetAttribute(&value, cudaDevAttrConcurrentManagedAccess, 0));
	ok(value == 1, "another one: %d", value);
	WORKS(cudaDeviceGetAttribute(&value, cudaDevAttrMaxGridDimX, 0));
	ok(value == 0x7fffffff, "a third: %d", value);
	RETURNS(cudaErrorInvalidValue, cudaDeviceGetAttribute(&value, (enum cudaDeviceAttr)0, 0));
	RETURNS(cudaErrorInvalidDevice, cudaDeviceGetAttribute(&value, cudaDevAttrWarpSize, 99));
	RETURNS(cudaErrorInvalidDevice, cudaGetDeviceProperties(&p, -1));
	RETURNS(cudaErrorInvalidDevice, cudaGetLastError());
}

static void test_which(void)
{
	int count = 0, device = -1;
	char text[32];

	WORKS(cudaGetDeviceCount(&count));
	ok(count >= 1, "there are some: %d", count);
	RETURNS(cudaErrorInvalidDevice, cudaSetDevice(count));
	RETURNS(cudaErrorInvalidDevice, cudaSetDevice(-1));
	WORKS(cudaGetDevice(&device));
	ok(!device, "the first is current");
	WORKS(cudaDeviceGetPCIBusId(text, sizeof(text), 0));
	device = -1;
	WORKS(cudaDeviceGetByPCIBusId(&device, text));
	ok(!device, "by its address %s: %d", text, device);
	RETURNS(cudaErrorInvalidDevice, cudaDeviceGetByPCIBusId(&device, "0000:ff:00.0"));
	RETURNS(cudaErrorInvalidValue, cudaDeviceGetByPCIBusId(&device, "no"));
	cudaGetLastError();
}

static void test_limits(void)
{
	enum cudaFuncCache cache = cudaFuncCachePreferNone;
	size_t value = 0;
	int version;

	WORKS(cudaDeviceSetLimit(cudaLimitPrintfFifoSize, 12345));
	WORKS(cudaDeviceGetLimit(&value, cudaLimitPrintfFifoSize));
	ok(value == 12345, "a limit: %zu", value);
	RETURNS(cudaErrorUnsupportedLimit, cudaDeviceGetLimit(&value, cudaLimitDevRuntimeSyncDepth));
	RETURNS(cudaErrorInvalidValue, cudaDeviceGetLimit(&value, (enum cudaLimit)77));
	WORKS(cudaDeviceSetCacheConfig(cudaFuncCachePreferL1));
	WORKS(cudaDeviceGetCacheConfig(&cache));
	ok(cache == cudaFuncCachePreferL1, "a wish is kept");
	RETURNS(cudaErrorInvalidValue, cudaFuncSetCacheConfig((const void *)touch,
							      (enum cudaFuncCache)9));
	RETURNS(cudaErrorInvalidDeviceFunction,
		cudaFuncSetCacheConfig((const void *)test_limits, cudaFuncCachePreferL1));
	WORKS(cudaRuntimeGetVersion(&version));
	ok(version == 12000, "the version: %d", version);
	cudaGetLastError();
}

/* With two GPUs: each runs its own copy of the module, with its own variables. */
static void test_two(void)
{
	int can = -1, value = 500, count = 0;
	char *p, *q;
	int64_t *out;

	cudaGetDeviceCount(&count);
	if (count < 2) {
		WORKS(cudaDeviceCanAccessPeer(&can, 0, 0));
		ok(!can, "nobody is his own peer");
		return;
	}
	cudaMemcpyToSymbol(variable, &value, sizeof(value), 0, cudaMemcpyHostToDevice);
	cudaMalloc((void **)&p, PAGE);
	cudaMemset(p, 1, PAGE);
	WORKS(cudaSetDevice(1));
	cudaMallocManaged((void **)&out, 3 * sizeof(*out), cudaMemAttachGlobal);
	WORKS(LAUNCH(global, 1, 1, 0, &out));
	WORKS(cudaDeviceSynchronize());
	ok(out[0] == 41 && out[2], "the other GPU has variables of its own: %ld", (long)out[0]);
	cudaMalloc((void **)&q, PAGE);
	WORKS(cudaMemcpyPeer(q, 1, p, 0, PAGE));
	launch_touch(q, 1, 1, NULL);
	value = 0;
	WORKS(cudaMemcpy(&value, q, 1, cudaMemcpyDeviceToHost));
	ok(value == 2, "its memory is copied to there: %d", value);
	WORKS(cudaDeviceCanAccessPeer(&can, 1, 0));
	ok(can == 1, "they can be peers");
	RETURNS(cudaErrorPeerAccessNotEnabled, cudaDeviceDisablePeerAccess(0));
	WORKS(cudaDeviceEnablePeerAccess(0, 0));
	RETURNS(cudaErrorPeerAccessAlreadyEnabled, cudaDeviceEnablePeerAccess(0, 0));
	RETURNS(cudaErrorInvalidDevice, cudaDeviceEnablePeerAccess(1, 0));
	WORKS(cudaDeviceDisablePeerAccess(0));
	WORKS(cudaMemPrefetchAsync(out, PAGE / 512, 0, NULL));
	WORKS(cudaDeviceSynchronize());
	cudaFree(out);
	cudaFree(q);
	WORKS(cudaSetDevice(0));
	cudaFree(p);
	cudaGetLastError();
}

/* A pool is for its own device, and for whom it is opened (peers.c). */
static void test_pool_access(void)
{
	struct cudaMemAccessDesc desc = { { cudaMemLocationTypeDevice, 0 },
					  cudaMemAccessFlagsProtReadWrite };
	enum cudaMemAccessFlags flags = cudaMemAccessFlagsProtNone;
	cudaMemPool_t pool;
	int count = 0;

	WORKS(cudaDeviceGetDefaultMemPool(&pool, 0));
	WORKS(cudaMemPoolSetAccess(pool, &desc, 1));
	WORKS(cudaMemPoolGetAccess(&flags, pool, &desc.location));
	ok(flags == cudaMemAccessFlagsProtReadWrite, "a device has its own pool");
	desc.flags = cudaMemAccessFlagsProtNone;
	RETURNS(cudaErrorInvalidValue, cudaMemPoolSetAccess(pool, &desc, 1));
	desc.location.id = 99;
	RETURNS(cudaErrorInvalidValue, cudaMemPoolSetAccess(pool, &desc, 1));
	RETURNS(cudaErrorInvalidValue, cudaMemPoolGetAccess(&flags, pool, &desc.location));
	RETURNS(cudaErrorInvalidValue, cudaMemPoolSetAccess(pool, NULL, 1));
	cudaGetLastError();
	cudaGetDeviceCount(&count);
	if (count < 2)
		return;
	desc.location.id = 1;
	WORKS(cudaMemPoolSetAccess(pool, &desc, 1));
	WORKS(cudaMemPoolGetAccess(&flags, pool, &desc.location));
	ok(flags == cudaMemAccessFlagsProtNone, "others have no access");
}

void test_devices(void)
{
	test_properties();
	test_which();
	test_limits();
	test_two();
	test_pool_access();
}
