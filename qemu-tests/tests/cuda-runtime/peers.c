// SPDX-License-Identifier: GPL-2.0
/* Memory of one GPU for kernels of another: what cudaMalloc() gives, and pools. */
#include "cuda_test.h"

/* A kernel of @device adds one to a byte: what it is then, or -1 - cudaError_t. */
static int touched(int device, char *p)
{
	unsigned char value = 0;
	cudaError_t error;

	cudaSetDevice(device);
	launch_touch(p, 1, 1, NULL);
	error = cudaDeviceSynchronize();
	if (!error)
		error = cudaMemcpy(&value, p, 1, cudaMemcpyDeviceToHost);
	return error ? -1 - (int)error : value;
}

/* Memory of @device that is zero. */
static char *zeroed(int device, size_t bytes)
{
	char *p = NULL;

	cudaSetDevice(device);
	cudaMalloc((void **)&p, bytes);
	cudaMemset(p, 0, bytes);
	return p;
}

/* The kernel fails, and with it all that there was. */
static void is_refused(int device, char *p, const char *what)
{
	int value = touched(device, p);

	ok(value == -1 - (int)cudaErrorIllegalAddress, "%s: %d", what, value);
	cudaDeviceReset();
}

static void test_opened(void)
{
	char *large = zeroed(0, BLOCK + PAGE), *small = zeroed(0, 16), *later, *still;

	cudaSetDevice(1);
	WORKS(cudaDeviceEnablePeerAccess(0, 0));
	ok(touched(1, large + BLOCK) == 1 && touched(1, small) == 1, "memory that there was");
	later = zeroed(0, 3 * BLOCK);
	still = zeroed(0, 16);
	ok(touched(1, later + 2 * BLOCK) == 1 && touched(1, still + 15) == 1,
	   "memory that has come since");
	ok(touched(0, later + 2 * BLOCK) == 2, "its own device sees it");
	cudaFree(large);
	large = zeroed(0, BLOCK + PAGE);
	ok(touched(1, large) == 1, "memory in the place of what was freed");
	is_refused(0, zeroed(1, PAGE), "the other direction is closed");
	is_refused(1, zeroed(0, PAGE), "after cudaDeviceReset() this one is, too");
}

/* Both read and write one word by atomics; a device that has closed it has it no more. */
static void test_both(void)
{
	char *p = zeroed(0, PAGE);
	int64_t sum = 0;

	for (int device = 0; device < 2; device++) {
		cudaSetDevice(device);
		WORKS(cudaDeviceEnablePeerAccess(!device, 0));
	}
	for (int device = 0; device < 2; device++) {
		cudaSetDevice(device);
		WORKS(LAUNCH(tally, 4, 64, 0, &p));
	}
	WORKS(cudaDeviceSynchronize());
	WORKS(cudaMemcpy(&sum, p, sizeof(sum), cudaMemcpyDefault));
	ok(sum == 2 * 4 * 64, "atomics of two devices: %ld", (long)sum);
	cudaSetDevice(0);
	WORKS(cudaDeviceDisablePeerAccess(1));
	ok(touched(1, p + 64) == 1, "what device 1 has opened it has still");
	cudaSetDevice(1);
	WORKS(LAUNCH(tally, 4, 64, 0, &p));
	WORKS(cudaDeviceDisablePeerAccess(0));
	WORKS(cudaMemcpy(&sum, p, sizeof(sum), cudaMemcpyDefault));
	ok(sum == 3 * 4 * 64, "a kernel that was under way has ended well: %ld", (long)sum);
	RETURNS(cudaErrorPeerAccessNotEnabled, cudaDeviceDisablePeerAccess(0));
	is_refused(1, p, "closed");
}

/* A pool asks for itself: cudaDeviceEnablePeerAccess() says nothing of it, nor it of others. */
static void test_pool(void)
{
	struct cudaMemAccessDesc desc = { { cudaMemLocationTypeDevice, 1 },
					  cudaMemAccessFlagsProtReadWrite };
	enum cudaMemAccessFlags flags = cudaMemAccessFlagsProtNone;
	char *other, *before, *after;
	cudaMemPool_t pool;

	cudaSetDevice(0);
	WORKS(cudaDeviceGetDefaultMemPool(&pool, 0));
	WORKS(cudaMallocAsync((void **)&before, 16, NULL));
	cudaMemset(before, 0, 16);
	WORKS(cudaMemPoolSetAccess(pool, &desc, 1));
	WORKS(cudaMemPoolGetAccess(&flags, pool, &desc.location));
	ok(flags == cudaMemAccessFlagsProtReadWrite, "a pool is opened for a device");
	cudaSetDevice(0);
	WORKS(cudaMallocAsync((void **)&after, 3 * BLOCK, NULL));
	cudaMemset(after, 0, 3 * BLOCK);
	ok(touched(1, before) == 1 && touched(1, after + 2 * BLOCK) == 1,
	   "memory of it, from before and after");
	desc.flags = cudaMemAccessFlagsProtNone;
	WORKS(cudaMemPoolSetAccess(pool, &desc, 1));
	cudaMemPoolGetAccess(&flags, pool, &desc.location);
	ok(flags == cudaMemAccessFlagsProtNone, "and closed");
	is_refused(1, after, "closed, it is");
	cudaDeviceGetDefaultMemPool(&pool, 0);
	desc.flags = cudaMemAccessFlagsProtReadWrite;
	WORKS(cudaMemPoolSetAccess(pool, &desc, 1));
	other = zeroed(0, 16);
	is_refused(1, other, "cudaMalloc() gives none of a pool");
	cudaSetDevice(1);
	WORKS(cudaDeviceEnablePeerAccess(0, 0));
	cudaSetDevice(0);
	WORKS(cudaMallocAsync((void **)&before, 16, NULL));
	is_refused(1, before, "nor does a pool ask cudaDeviceEnablePeerAccess()");
}

void test_peers(void)
{
	int count = 0;

	WORKS(cudaGetDeviceCount(&count));
	if (count < 2)
		return;
	is_refused(1, zeroed(0, PAGE), "nobody has opened anything");
	test_opened();
	test_both();
	test_pool();
}
