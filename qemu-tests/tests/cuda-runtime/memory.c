// SPDX-License-Identifier: GPL-2.0
/* Allocation: of all kinds, small and large, neighbours, what is given back. */
#include <malloc.h>

#include "cuda_test.h"

static void test_kinds(void)
{
	struct cudaPointerAttributes a;
	char *managed, *device, *pinned, ordinary, *there;
	unsigned int flags;

	WORKS(cudaMallocManaged((void **)&managed, 100, cudaMemAttachGlobal));
	WORKS(cudaMalloc((void **)&device, 100));
	WORKS(cudaHostAlloc((void **)&pinned, 100, cudaHostAllocPortable));
	WORKS(cudaPointerGetAttributes(&a, managed + 99));
	ok(a.type == cudaMemoryTypeManaged && a.devicePointer == managed + 99 &&
	   a.hostPointer == managed + 99 && !a.device, "managed memory is everybody's");
	WORKS(cudaPointerGetAttributes(&a, device));
	ok(a.type == cudaMemoryTypeDevice && a.devicePointer == device && !a.hostPointer,
	   "device memory is the GPU's");
	WORKS(cudaPointerGetAttributes(&a, pinned));
	ok(a.type == cudaMemoryTypeHost && a.devicePointer == pinned && a.hostPointer == pinned,
	   "pinned memory is the host's");
	WORKS(cudaPointerGetAttributes(&a, &ordinary));
	ok(a.type == cudaMemoryTypeUnregistered && !a.devicePointer, "the stack is nobody's");
	WORKS(cudaHostGetDevicePointer((void **)&there, pinned, 0));
	ok(there == pinned, "pinned memory has one address");
	WORKS(cudaHostGetFlags(&flags, pinned));
	ok(flags == (cudaHostAllocPortable | cudaHostAllocMapped), "its flags: %#x", flags);
	RETURNS(cudaErrorInvalidValue, cudaHostGetDevicePointer((void **)&there, &ordinary, 0));
	RETURNS(cudaErrorInvalidValue, cudaFree(pinned));
	RETURNS(cudaErrorInvalidValue, cudaFreeHost(device));
	RETURNS(cudaErrorInvalidValue, cudaFree(managed + 1));
	RETURNS(cudaErrorInvalidValue, cudaFree(&ordinary));
	WORKS(cudaFree(managed));
	RETURNS(cudaErrorInvalidValue, cudaFree(managed));
	WORKS(cudaFree(device));
	WORKS(cudaFreeHost(pinned));
	WORKS(cudaFree(NULL));
	WORKS(cudaFreeHost(NULL));
	RETURNS(cudaErrorInvalidValue, cudaGetLastError());
}

static void test_bad_sizes(void)
{
	void *p = &p;
	size_t pitch;

	RETURNS(cudaErrorInvalidValue, cudaMallocManaged(&p, 0, cudaMemAttachGlobal));
	RETURNS(cudaErrorInvalidValue, cudaMallocManaged(&p, 10, 0));
	RETURNS(cudaErrorInvalidValue, cudaMallocManaged(NULL, 10, cudaMemAttachGlobal));
	WORKS(cudaMalloc(&p, 0));
	ok(!p, "nothing is at no address");
	RETURNS(cudaErrorMemoryAllocation, cudaMalloc(&p, 1UL << 40));
	RETURNS(cudaErrorMemoryAllocation, cudaMallocManaged(&p, SIZE_MAX, cudaMemAttachGlobal));
	RETURNS(cudaErrorMemoryAllocation, cudaMallocPitch(&p, &pitch, 1 << 20, 1UL << 60));
	RETURNS(cudaErrorInvalidValue, cudaHostAlloc(&p, 10, 0x100));
	cudaGetLastError();
}

/* Small ones share 2 MB, at multiples of 512; large ones are next to each other. */
static void test_places(void)
{
	char *a, *b, *c, *d, *e;

	cudaMallocManaged((void **)&a, 1, cudaMemAttachGlobal);
	cudaMallocManaged((void **)&b, 513, cudaMemAttachGlobal);
	cudaMallocManaged((void **)&c, 1, cudaMemAttachGlobal);
	ok(b == a + 512 && c == b + 1024, "small ones: %p %p %p", (void *)a, (void *)b, (void *)c);
	cudaFree(b);
	cudaMallocManaged((void **)&b, 1024, cudaMemAttachGlobal);
	ok(b == a + 512, "what is free is used again: %p", (void *)b);
	cudaMallocManaged((void **)&d, BLOCK + 1, cudaMemAttachGlobal);
	cudaMallocManaged((void **)&e, BLOCK, cudaMemAttachGlobal);
	ok(!((uintptr_t)d % BLOCK) && e == d + 2 * BLOCK, "large ones: %p %p", (void *)d, (void *)e);
	cudaFree(a);
	cudaFree(b);
	cudaFree(c);
	cudaFree(d);
	cudaFree(e);
}

/* As many as a program with lists and trees has: 8 MB, and not 2 MB each. */
static void test_small(void)
{
	static char *small[16384];
	size_t n = sizeof(small) / sizeof(small[0]), wrong = 0;

	for (size_t i = 0; i < n; i++)
		wrong += cudaMallocManaged((void **)&small[i], 16, cudaMemAttachGlobal) !=
			 cudaSuccess;
	ok(!wrong && small[n - 1] - small[0] == 4 * (long)BLOCK - 512, "%zu small ones: %zu failed", n,
	   wrong);
	for (size_t i = 0; i < n; i++)
		wrong += cudaFree(small[i * 7 % n]) != cudaSuccess;
	ok(!wrong, "freed in another order: %zu failed", wrong);
}

/*
 * Programs read a little before and behind their arrays: with CUDA that is mapped.  In a program
 * of its own: what others have freed is a hole.
 */
void test_neighbours(void)
{
	char *a, *b;

	cudaMallocManaged((void **)&a, BLOCK, cudaMemAttachGlobal);
	cudaMallocManaged((void **)&b, BLOCK - 100, cudaMemAttachGlobal);
	WORKS(launch_touch(a - 8, 1, 1, NULL));
	WORKS(launch_touch(a + BLOCK, 1, 1, NULL));
	WORKS(launch_touch(b + BLOCK - 1, 1, 1, NULL));
	WORKS(cudaDeviceSynchronize());
	cudaFree(a);
	cudaFree(b);
}

static void test_pitch(void)
{
	struct cudaPitchedPtr box;
	size_t pitch = 0;
	void *p;

	WORKS(cudaMallocPitch(&p, &pitch, 1000, 3));
	ok(pitch == 1024, "rows are 512 bytes or a multiple: %zu", pitch);
	WORKS(cudaFree(p));
	WORKS(cudaMalloc3D(&box, make_cudaExtent(10, 20, 30)));
	ok(box.pitch == 512 && box.xsize == 10 && box.ysize == 20, "of a box, too");
	WORKS(cudaFree(box.ptr));
}

/* Device memory is taken from what there is, and comes back. */
static void test_info(void)
{
	size_t before, after, total, again;
	void *p;

	WORKS(cudaMemGetInfo(&before, &total));
	WORKS(cudaMalloc(&p, 16 * BLOCK));
	WORKS(cudaMemGetInfo(&after, &total));
	ok(before <= total && before - after == 16 * BLOCK, "32 MB are taken: %zu %zu of %zu", before,
	   after, total);
	WORKS(cudaFree(p));
	WORKS(cudaMemGetInfo(&again, &total));
	ok(again == before, "and given back: %zu", again);
	WORKS(cudaMallocAsync(&p, 100, NULL));
	WORKS(cudaFreeAsync(p, NULL));
}

/* Memory that the program has already: from malloc(), not at a page, and static. */
static void test_register(void)
{
	static unsigned char fixed[3 * PAGE];
	unsigned char *heap = malloc(5 * PAGE), *p = heap + 100, *there;
	unsigned int flags = 0, wrong = 0;
	struct cudaPointerAttributes a;

	for (size_t i = 0; i < 5 * PAGE; i++)
		heap[i] = (unsigned char)(i * 3);
	memset(fixed, 9, sizeof(fixed));
	WORKS(cudaHostRegister(p, 4 * PAGE, cudaHostRegisterPortable));
	WORKS(cudaHostRegister(fixed, sizeof(fixed), cudaHostRegisterDefault));
	for (size_t i = 0; i < 5 * PAGE; i++)
		wrong += heap[i] != (unsigned char)(i * 3);
	ok(!wrong, "nothing changes: %u", wrong);
	WORKS(launch_touch(p, PAGE, 4, NULL));
	WORKS(launch_touch(fixed, PAGE, 3, NULL));
	WORKS(cudaDeviceSynchronize());
	ok(heap[100] == (unsigned char)(300 + 1) && fixed[2 * PAGE] == 10 && fixed[1] == 9,
	   "a kernel writes it: %u %u", heap[100], fixed[2 * PAGE]);
	WORKS(cudaPointerGetAttributes(&a, p + 4 * PAGE - 1));
	ok(a.type == cudaMemoryTypeHost && a.devicePointer == p + 4 * PAGE - 1, "it is the host's");
	WORKS(cudaHostGetDevicePointer((void **)&there, p, 0));
	ok(there == p, "with one address");
	WORKS(cudaHostGetFlags(&flags, p));
	ok(flags & cudaHostRegisterPortable, "and its flags: %#x", flags);
	RETURNS(cudaErrorHostMemoryAlreadyRegistered, cudaHostRegister(p, PAGE, 0));
	RETURNS(cudaErrorInvalidValue, cudaFreeHost(p));
	RETURNS(cudaErrorHostMemoryNotRegistered, cudaHostUnregister(p + 1));
	WORKS(cudaHostUnregister(p));
	RETURNS(cudaErrorHostMemoryNotRegistered, cudaHostUnregister(p));
	heap[100]--;
	for (size_t i = 0; i < 5 * PAGE; i++)
		wrong += heap[i] != (unsigned char)(i * 3 + (i > 100 && i % PAGE == 100 && i < 4 * PAGE));
	ok(!wrong, "afterwards it is as it was left: %u", wrong);
	RETURNS(cudaErrorInvalidValue, cudaHostRegister(NULL, PAGE, 0));
	RETURNS(cudaErrorInvalidValue, cudaHostRegister(p, 0, 0));
	RETURNS(cudaErrorNotSupported, cudaHostRegister(p, PAGE, cudaHostRegisterIoMemory));
	free(heap);
	cudaGetLastError();
	/* the other one is given back at the end of the program, which goes on */
}

/* Sums and attributes of pools, and what outlives its pool. */
/* With its memory a destroyed pool goes, too, and before that not. */
static void test_destroyed_pools(const struct cudaMemPoolProps *props)
{
	struct mallinfo2 before = { 0 }, behind;
	cudaMemPool_t pool;
	void *p;

	for (int i = 0; i < 101; i++) {
		if (i == 1)
			before = mallinfo2();
		if (cudaMemPoolCreate(&pool, props) || cudaMallocFromPoolAsync(&p, 20, pool, NULL) ||
		    cudaMemPoolDestroy(pool) || cudaMemset(p, 1, 20) || cudaFree(p) ||
		    cudaMemPoolCreate(&pool, props) || cudaMemPoolDestroy(pool))
			break;
	}
	behind = mallinfo2();
	ok(behind.uordblks == before.uordblks, "200 destroyed pools: %zu bytes before, %zu behind",
	   before.uordblks, behind.uordblks);
}

static void test_pools(void)
{
	struct cudaMemPoolProps props = { .allocType = cudaMemAllocationTypePinned,
					  .location = { cudaMemLocationTypeDevice, 0 } };
	cudaMemPool_t standard, pool, now;
	uint64_t used = 1, high = 0, threshold = UINT64_MAX;
	void *p, *q;
	int reuse = 0;

	WORKS(cudaDeviceGetDefaultMemPool(&standard, 0));
	WORKS(cudaMemPoolSetAttribute(standard, cudaMemPoolAttrReleaseThreshold, &threshold));
	threshold = 0;
	WORKS(cudaMemPoolGetAttribute(standard, cudaMemPoolAttrReleaseThreshold, &threshold));
	WORKS(cudaMemPoolGetAttribute(standard, cudaMemPoolReuseAllowOpportunistic, &reuse));
	ok(threshold == UINT64_MAX && reuse == 1, "attributes: %#lx %d", (long)threshold, reuse);
	WORKS(cudaMallocAsync(&p, 1000, NULL));
	WORKS(cudaMemPoolGetAttribute(standard, cudaMemPoolAttrUsedMemCurrent, &used));
	ok(used == 1000, "used: %lu", (long)used);
	WORKS(cudaFreeAsync(p, NULL));
	WORKS(cudaMemPoolGetAttribute(standard, cudaMemPoolAttrUsedMemCurrent, &used));
	WORKS(cudaMemPoolGetAttribute(standard, cudaMemPoolAttrUsedMemHigh, &high));
	ok(!used && high == 1000, "freed: %lu, at most %lu", (long)used, (long)high);
	WORKS(cudaMemPoolCreate(&pool, &props));
	WORKS(cudaDeviceSetMemPool(0, pool));
	WORKS(cudaMallocAsync(&p, 10, NULL));
	WORKS(cudaMallocFromPoolAsync(&q, 20, pool, NULL));
	WORKS(cudaMemPoolGetAttribute(pool, cudaMemPoolAttrReservedMemCurrent, &used));
	ok(used == 30, "of the program's own pool: %lu", (long)used);
	WORKS(cudaMemPoolTrimTo(pool, 0));
	WORKS(cudaMemPoolDestroy(pool));
	RETURNS(cudaErrorInvalidValue, cudaMemPoolDestroy(pool));
	RETURNS(cudaErrorInvalidValue, cudaMallocFromPoolAsync(&q, 20, pool, NULL));
	WORKS(cudaDeviceGetMemPool(&now, 0));
	ok(now == standard, "behind it comes the default one");
	WORKS(cudaMemsetAsync(p, 1, 10, NULL));
	WORKS(cudaFreeAsync(p, NULL));
	WORKS(cudaFree(q));
	test_destroyed_pools(&props);
	RETURNS(cudaErrorInvalidValue, cudaMemPoolDestroy(standard));
	RETURNS(cudaErrorInvalidValue, cudaMemPoolGetAttribute(standard, (enum cudaMemPoolAttr)99, &used));
	RETURNS(cudaErrorInvalidDevice, cudaDeviceGetDefaultMemPool(&now, 77));
	props.handleTypes = cudaMemHandleTypePosixFileDescriptor;
	RETURNS(cudaErrorNotSupported, cudaMemPoolCreate(&pool, &props));
	cudaGetLastError();
}

void test_memory(void)
{
	test_kinds();
	test_bad_sizes();
	test_small();
	test_places();
	test_pitch();
	test_info();
	test_pools();
	test_register();
}
