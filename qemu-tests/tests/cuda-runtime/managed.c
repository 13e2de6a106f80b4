// SPDX-License-Identifier: GPL-2.0
/* Managed memory: prefetch and advise of both generations, and what is in force. */
#include "cuda_test.h"

#define BYTES	(2 * BLOCK)

static const struct cudaMemLocation gpu = { cudaMemLocationTypeDevice, 0 };
static const struct cudaMemLocation host = { cudaMemLocationTypeHost, 0 };
static const struct cudaMemLocation node = { cudaMemLocationTypeHostNuma, 1 };

static int attribute(enum cudaMemRangeAttribute which, const char *p, size_t bytes)
{
	int value = -77;

	WORKS(cudaMemRangeGetAttribute(&value, sizeof(value), which, p, bytes));
	return value;
}

static void test_prefetch(char *p, char *device)
{
	WORKS(cudaMemPrefetchAsync(p, BYTES, 0, NULL));
	WORKS(cudaMemPrefetchAsync_v2(p, BLOCK, host, 0, NULL));
	WORKS(cudaDeviceSynchronize());
	ok(attribute(cudaMemRangeAttributeLastPrefetchLocation, p, BLOCK) == cudaCpuDeviceId,
	   "the first half went to the CPU");
	ok(!attribute(cudaMemRangeAttributeLastPrefetchLocation, p + BLOCK, BLOCK),
	   "the other one to the GPU");
	ok(attribute(cudaMemRangeAttributeLastPrefetchLocation, p, BYTES) == cudaInvalidDeviceId,
	   "both together nowhere");
	ok(attribute(cudaMemRangeAttributeLastPrefetchLocationType, p + BLOCK, 1) ==
	   cudaMemLocationTypeDevice, "a type of location");
	RETURNS(cudaErrorInvalidDevice, cudaMemPrefetchAsync(p, BYTES, 99, NULL));
	RETURNS(cudaErrorInvalidDevice, cudaMemPrefetchAsync_v2(p, BYTES, node, 0, NULL));
	RETURNS(cudaErrorInvalidValue, cudaMemPrefetchAsync_v2(p, BYTES, gpu, 1, NULL));
	RETURNS(cudaErrorInvalidValue, cudaMemPrefetchAsync(p, BYTES + 1, 0, NULL));
	RETURNS(cudaErrorInvalidValue, cudaMemPrefetchAsync(device, 10, 0, NULL));
	RETURNS(cudaErrorInvalidValue, cudaMemPrefetchAsync(&gpu, 10, 0, NULL));
	RETURNS(cudaErrorInvalidValue, cudaMemPrefetchAsync(p, 0, 0, NULL));
	cudaGetLastError();
}

static void test_advise(char *p)
{
	int list[3] = { -77, -77, -77 };

	WORKS(cudaMemAdvise(p, BYTES, cudaMemAdviseSetReadMostly, 99));
	ok(attribute(cudaMemRangeAttributeReadMostly, p, BYTES) == 1, "read mostly");
	WORKS(cudaMemAdvise(p, PAGE, cudaMemAdviseUnsetReadMostly, 0));
	ok(!attribute(cudaMemRangeAttributeReadMostly, p, BYTES), "not all of it");
	WORKS(cudaMemAdvise(p, BYTES, cudaMemAdviseUnsetReadMostly, 0));
	WORKS(cudaMemAdvise_v2(p, BYTES, cudaMemAdviseSetPreferredLocation, host));
	ok(attribute(cudaMemRangeAttributePreferredLocation, p, BYTES) == cudaCpuDeviceId,
	   "the preferred location");
	ok(attribute(cudaMemRangeAttributePreferredLocationType, p, BYTES) ==
	   cudaMemLocationTypeHost, "its type");
	WORKS(cudaMemAdvise(p, BYTES, cudaMemAdviseSetAccessedBy, 0));
	WORKS(cudaMemAdvise_v2(p, BYTES, cudaMemAdviseSetAccessedBy, host));
	WORKS(cudaMemRangeGetAttribute(list, sizeof(list), cudaMemRangeAttributeAccessedBy, p, BYTES));
	ok(list[0] == cudaCpuDeviceId && !list[1] && list[2] == cudaInvalidDeviceId,
	   "accessed by: %d %d %d", list[0], list[1], list[2]);
	WORKS(cudaMemAdvise(p, BYTES, cudaMemAdviseUnsetAccessedBy, cudaCpuDeviceId));
	WORKS(cudaMemAdvise(p, BYTES, cudaMemAdviseUnsetAccessedBy, 0));
	WORKS(cudaMemAdvise(p, BYTES, cudaMemAdviseUnsetPreferredLocation, 0));
	ok(attribute(cudaMemRangeAttributePreferredLocation, p, BYTES) == cudaInvalidDeviceId,
	   "none is preferred");
	RETURNS(cudaErrorInvalidValue, cudaMemAdvise(p, BYTES, (enum cudaMemoryAdvise)7, 0));
	RETURNS(cudaErrorInvalidDevice, cudaMemAdvise(p, BYTES, cudaMemAdviseSetAccessedBy, 9));
	RETURNS(cudaErrorInvalidValue,
		cudaMemRangeGetAttribute(list, 8, cudaMemRangeAttributeReadMostly, p, BYTES));
	cudaGetLastError();
}

/* Kept at the CPU, a page is used by a kernel where it is. */
static void test_effect(char *p)
{
	size_t before, after, total;

	/* the module and its variables are there from the first launch on */
	launch_touch(p, PAGE, 0, NULL);
	cudaMemPrefetchAsync(p, BYTES, cudaCpuDeviceId, NULL);
	cudaDeviceSynchronize();
	cudaMemAdvise(p, BYTES, cudaMemAdviseSetPreferredLocation, cudaCpuDeviceId);
	cudaMemAdvise(p, BYTES, cudaMemAdviseSetAccessedBy, 0);
	cudaMemGetInfo(&before, &total);
	launch_touch(p, PAGE, BYTES / PAGE, NULL);
	cudaDeviceSynchronize();
	cudaMemGetInfo(&after, &total);
	ok(before == after, "pages that stay at the CPU take no GPU memory: %zu", before - after);
	cudaMemAdvise(p, BYTES, cudaMemAdviseUnsetPreferredLocation, 0);
	launch_touch(p, PAGE, BYTES / PAGE, NULL);
	cudaMemPrefetchAsync(p, BYTES, 0, NULL);
	cudaDeviceSynchronize();
	cudaMemGetInfo(&after, &total);
	ok(before - after == BYTES, "prefetched ones do: %zu", before - after);
	ok(p[0] == 2 && p[BYTES - PAGE] == 2, "nothing is lost: %d %d", p[0], p[BYTES - PAGE]);
}

static void test_attach(char *p)
{
	WORKS(cudaStreamAttachMemAsync(NULL, p, 0, cudaMemAttachGlobal));
	RETURNS(cudaErrorInvalidValue, cudaStreamAttachMemAsync(NULL, p, 5, cudaMemAttachGlobal));
	RETURNS(cudaErrorInvalidValue, cudaStreamAttachMemAsync(NULL, p, 0, 8));
	cudaGetLastError();
}

void test_managed(void)
{
	char *p, *device;

	WORKS(cudaMallocManaged((void **)&p, BYTES, cudaMemAttachGlobal));
	WORKS(cudaMalloc((void **)&device, 10));
	memset(p, 0, BYTES);
	test_prefetch(p, device);
	test_advise(p);
	test_effect(p);
	test_attach(p);
	cudaFree(p);
	cudaFree(device);
}
