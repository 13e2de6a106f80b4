// SPDX-License-Identifier: GPL-2.0
/* Launches: arguments of all sorts, limits, many without a wait. */
#include "cuda_test.h"

#define ELEMENTS	10000

static void test_add(void)
{
	float *a, *b, *c;
	int n = ELEMENTS, wrong = 0;

	WORKS(cudaMallocManaged((void **)&a, n * sizeof(*a), cudaMemAttachGlobal));
	WORKS(cudaMallocManaged((void **)&b, n * sizeof(*b), cudaMemAttachGlobal));
	WORKS(cudaMallocManaged((void **)&c, n * sizeof(*c), cudaMemAttachGlobal));
	for (int i = 0; i < n; i++) {
		a[i] = (float)i;
		b[i] = (float)(2 * i);
	}
	WORKS(LAUNCH(add, (n + 255) / 256, 256, 0, &a, &b, &c, &n));
	WORKS(cudaDeviceSynchronize());
	for (int i = 0; i < n; i++)
		wrong += c[i] != (float)(3 * i);
	ok(!wrong, "a vector is added: %d of %d are wrong", wrong, n);
	WORKS(cudaFree(a));
	WORKS(cudaFree(b));
	WORKS(cudaFree(c));
}

static void test_arguments(void)
{
	struct pair p = { -5, 77, 1L << 40 };
	signed char q = -3;
	int64_t *out;

	cudaMallocManaged((void **)&out, 4 * sizeof(*out), cudaMemAttachGlobal);
	WORKS(LAUNCH(take, 1, 1, 0, &p, &q, &out));
	WORKS(cudaDeviceSynchronize());
	ok(out[0] == -5 && out[1] == 77 && out[2] == 1L << 40 && out[3] == -3,
	   "a structure and a byte arrive: %ld %ld %ld %ld", (long)out[0], (long)out[1],
	   (long)out[2], (long)out[3]);
	cudaFree(out);
}

/* What stands between <<< and >>>, and a launch in an argument of another one. */
static void test_configuration(void)
{
	dim3 grid = { 7, 6, 5 }, block = { 4, 3, 2 }, g, b;
	cudaStream_t stream = NULL, s;
	size_t shared;

	WORKS(cudaStreamCreate(&stream));
	__cudaPushCallConfiguration(grid, block, 96, stream);
	__cudaPushCallConfiguration(block, grid, 8, NULL);
	WORKS(__cudaPopCallConfiguration(&g, &b, &shared, &s));
	ok(g.x == 4 && b.z == 5 && shared == 8 && !s, "the inner configuration");
	WORKS(__cudaPopCallConfiguration(&g, &b, &shared, &s));
	ok(g.x == 7 && g.y == 6 && g.z == 5 && b.x == 4 && b.y == 3 && b.z == 2 && shared == 96 &&
	   s == stream, "the outer one");
	RETURNS(cudaErrorMissingConfiguration, __cudaPopCallConfiguration(&g, &b, &shared, &s));
	cudaGetLastError();
	/* exceptions that arguments threw left theirs, and kernels in arguments may be many */
	for (int i = 0; i < 1000; i++)
		__cudaPushCallConfiguration(block, grid, 8, NULL);
	for (int i = 1; i <= 40; i++)
		ok(!__cudaPushCallConfiguration((dim3){ i, 1, 1 }, block, 0, stream), "launch %d", i);
	for (int i = 40; i; i--) {
		WORKS(__cudaPopCallConfiguration(&g, &b, &shared, &s));
		ok(g.x == (unsigned int)i && !shared && s == stream, "launch %d has its own: %u", i, g.x);
	}
	while (!__cudaPopCallConfiguration(&g, &b, &shared, &s))
		;
	RETURNS(cudaErrorMissingConfiguration, cudaGetLastError());
	WORKS(cudaStreamDestroy(stream));
}

static cudaError_t launch_shape(dim3 grid, dim3 block, size_t shared)
{
	int n = 0;
	unsigned long stride = 1;
	void *p = NULL;

	return cudaLaunchKernel((const void *)touch, grid, block, (void *[]){ &p, &stride, &n },
				shared, NULL);
}

static void test_limits(void)
{
	RETURNS(cudaErrorInvalidConfiguration, launch_shape((dim3){ 0, 1, 1 }, (dim3){ 1, 1, 1 }, 0));
	RETURNS(cudaErrorInvalidConfiguration, launch_shape((dim3){ 1, 1, 1 }, (dim3){ 1, 0, 1 }, 0));
	RETURNS(cudaErrorInvalidConfiguration,
		launch_shape((dim3){ 1, 1, 1 }, (dim3){ 1025, 1, 1 }, 0));
	RETURNS(cudaErrorInvalidConfiguration,
		launch_shape((dim3){ 1, 1, 1 }, (dim3){ 64, 17, 1 }, 0));
	RETURNS(cudaErrorInvalidConfiguration, launch_shape((dim3){ 1, 1, 1 }, (dim3){ 1, 1, 65 }, 0));
	RETURNS(cudaErrorInvalidConfiguration,
		launch_shape((dim3){ 1, 65536, 1 }, (dim3){ 1, 1, 1 }, 0));
	RETURNS(cudaErrorInvalidValue,
		launch_shape((dim3){ 1, 1, 1 }, (dim3){ 1, 1, 1 }, 1 << 20));
	RETURNS(cudaErrorInvalidValue,
		launch_shape((dim3){ 1, 1, 1 }, (dim3){ 1, 1, 1 }, (size_t)-8));
	RETURNS(cudaErrorInvalidValue,
		cudaLaunchKernel((const void *)touch, (dim3){ 1, 1, 1 }, (dim3){ 1, 1, 1 }, NULL, 0, NULL));
	WORKS(launch_shape((dim3){ 1, 1, 1 }, (dim3){ 1024, 1, 1 }, 0));
	RETURNS(cudaErrorInvalidValue, LAUNCH(plain, 1, 1, 0, NULL));
	RETURNS(cudaErrorInvalidDeviceFunction, LAUNCH(unknown, 1, 1, 0, NULL));
	RETURNS(cudaErrorInvalidDeviceFunction, LAUNCH(test_limits, 1, 1, 0, NULL));
	RETURNS(cudaErrorInvalidDeviceFunction, cudaGetLastError());
	WORKS(cudaDeviceSynchronize());
}

/* Blocks that are to be there at once: as many as fit on all SMs, and no more. */
static void test_together(void)
{
	cudaLaunchAttribute together = { .id = cudaLaunchAttributeCooperative,
					 .val = { .cooperative = 1 } };
	cudaLaunchConfig_t config = { .blockDim = { 256, 1, 1 }, .attrs = &together, .numAttrs = 1 };
	int blocks, sms, n = 0;
	unsigned long stride = 1;
	void *p = NULL, *args[] = { &p, &stride, &n };

	WORKS(cudaDeviceGetAttribute(&sms, cudaDevAttrMultiProcessorCount, 0));
	WORKS(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, (const void *)touch, 256, 0));
	config.gridDim = (dim3){ blocks, 1, sms };
	WORKS(cudaLaunchCooperativeKernel((const void *)touch, config.gridDim, config.blockDim, args, 0,
					  NULL));
	WORKS(cudaLaunchKernelExC(&config, (const void *)touch, args));
	config.gridDim = (dim3){ blocks * sms + 1, 1, 1 };
	RETURNS(cudaErrorCooperativeLaunchTooLarge,
		cudaLaunchCooperativeKernel((const void *)touch, config.gridDim, config.blockDim, args, 0,
					    NULL));
	RETURNS(cudaErrorCooperativeLaunchTooLarge,
		cudaLaunchKernelExC(&config, (const void *)touch, args));
	config.gridDim = (dim3){ 0x7fffffff, 65535, 65535 };
	RETURNS(cudaErrorCooperativeLaunchTooLarge,
		cudaLaunchKernelExC(&config, (const void *)touch, args));
	together.val.cooperative = 0;
	config.gridDim = (dim3){ blocks * sms + 1, 1, 1 };
	WORKS(cudaLaunchKernelExC(&config, (const void *)touch, args));
	cudaGetLastError();
	WORKS(cudaDeviceSynchronize());
}

/* Programs wait after thousands of launches, and print from them. */
static void test_many(void)
{
	unsigned int failed = 0;
	unsigned char *p;

	cudaMallocManaged((void **)&p, PAGE, cudaMemAttachGlobal);
	for (int i = 0; i < 3000; i++)
		failed += launch_touch(p, 1, 32, NULL) != cudaSuccess;
	WORKS(cudaDeviceSynchronize());
	ok(!failed && p[0] == (unsigned char)3000 && p[31] == p[0],
	   "3000 launches without a wait: %u failed, %u", failed, p[0]);
	cudaFree(p);
}

static void test_attributes(void)
{
	struct cudaFuncAttributes a;
	int blocks, *out;
	size_t bytes;

	WORKS(cudaFuncGetAttributes(&a, (const void *)block));
	ok(a.sharedSizeBytes == 128 && a.numRegs == 32 && a.localSizeBytes == 1024 &&
	   a.maxThreadsPerBlock == 1024, "a kernel's attributes: %zu %d %zu %d", a.sharedSizeBytes,
	   a.numRegs, a.localSizeBytes, a.maxThreadsPerBlock);
	/* of the default profile: 64 warps, 96 KB of shared memory, 48 KB of it for a block */
	WORKS(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, (const void *)block, 256, 0));
	ok(blocks == 8, "blocks of 256 threads: %d", blocks);
	WORKS(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, (const void *)block, 32, 0));
	ok(blocks == 32, "blocks of 32 threads: %d", blocks);
	WORKS(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, (const void *)block, 32, 40000));
	ok(blocks == 2, "blocks with 40000 bytes of shared memory: %d", blocks);
	WORKS(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, (const void *)block, 32,
							    (size_t)-8));
	ok(!blocks, "blocks with more shared memory than there is: %d", blocks);
	WORKS(cudaOccupancyAvailableDynamicSMemPerBlock(&bytes, (const void *)block, 4, 128));
	ok(bytes == 98304 / 4 - 128, "shared memory for four blocks: %zu", bytes);
	WORKS(cudaFuncSetAttribute((const void *)block, cudaFuncAttributeMaxDynamicSharedMemorySize,
				   1024));
	RETURNS(cudaErrorInvalidValue,
		cudaFuncSetAttribute((const void *)block,
				     cudaFuncAttributeMaxDynamicSharedMemorySize, 1 << 20));
	cudaMallocManaged((void **)&out, 4 * sizeof(*out), cudaMemAttachGlobal);
	WORKS(LAUNCH(block, 4, 64, 0, &out));
	WORKS(cudaDeviceSynchronize());
	ok(out[0] == 32 && out[3] == 32, "shared memory of four blocks: %d %d", out[0], out[3]);
	cudaFree(out);
	cudaGetLastError();
}

void test_launches(void)
{
	int n = 12;

	test_add();
	test_arguments();
	test_configuration();
	test_limits();
	test_together();
	test_many();
	test_attributes();
	WORKS(LAUNCH(print, 1, 1, 0, &n));
	WORKS(cudaDeviceSynchronize());
}

/* One copy; who waits for it twice does not make it two. */
void test_one_copy(void)
{
	char *device, *pinned;
	cudaEvent_t e;

	cudaMalloc((void **)&device, BLOCK);
	cudaMallocHost((void **)&pinned, BLOCK);
	cudaEventCreate(&e);
	cudaMemcpyAsync(device, pinned, BLOCK, cudaMemcpyHostToDevice, NULL);
	cudaEventRecord(e, NULL);
	WORKS(cudaEventSynchronize(e));
	WORKS(cudaDeviceSynchronize());
	cudaEventRecord(e, NULL);
	WORKS(cudaEventSynchronize(e));
}

/* A program that gives nothing back and waits for nothing; what its kernel prints comes all the same. */
void test_forgets(void)
{
	cudaStream_t s;
	cudaEvent_t e;
	int n = 34;
	char *p;

	cudaStreamCreate(&s);
	cudaEventCreate(&e);
	cudaMallocHost((void **)&p, BLOCK);
	cudaMalloc((void **)&p, 3 * BLOCK);
	cudaMallocManaged((void **)&p, 3 * BLOCK, cudaMemAttachGlobal);
	cudaMemPrefetchAsync(p, 3 * BLOCK, 0, s);
	cudaEventRecord(e, s);
	WORKS(launch_touch(p, PAGE, 10, s));
	WORKS(LAUNCH(print, 1, 1, s, &n));
}

/* Until somebody kills it. */
void test_endless(void)
{
	char *p;

	cudaMallocManaged((void **)&p, 3 * BLOCK, cudaMemAttachGlobal);
	for (int i = 0; ; i++) {
		launch_touch(p, PAGE, 3 * BLOCK / PAGE, NULL);
		if (i == 100)
			ok(true, "it runs");
	}
}

/* For want of memory. */
void test_gives_up(void)
{
	void *p;

	if (cudaMalloc(&p, 1UL << 40) != cudaSuccess)
		exit(3);
}
