// SPDX-License-Identifier: GPL-2.0
/* Headers of the C++ library and of CUDA's together; functions for both sides by std's names. */
#include <algorithm>
#include <chrono>
#include <complex>
#include <fstream>
#include <functional>
#include <iostream>
#include <map>
#include <memory>
#include <random>
#include <sstream>
#include <string>
#include <thread>
#include <vector>
#include <assert.h>
#include <cuda.h>
#include <cuda_device_runtime_api.h>
#include <cuda_runtime.h>
#include <cuda_runtime_api.h>
#include <device_atomic_functions.h>
#include <device_functions.h>
#include <device_launch_parameters.h>
#include <limits.h>
#include <math_constants.h>
#include <math_functions.h>
#include <sm_60_atomic_functions.h>
#include <stdint.h>
#include <sys/time.h>
#include "check.h"

/* What NVIDIA's headers tell programs by: some have functions only if they find it. */
#if !defined(__CUDA_RUNTIME_H__) || !defined(__CUDA_RUNTIME_API_H__) || \
	!defined(__DRIVER_TYPES_H__) || !defined(__VECTOR_TYPES_H__) || !defined(__cuda_cuda_h__)
#error "a header does not say that it is there"
#endif

/* Errors that programs name in tables of their own: the driver's are the runtime's. */
#define SAME(driver, runtime) static_assert((int)CUDA_ERROR_##driver == (int)cudaError##runtime, #driver);
SAME(PROFILER_DISABLED, ProfilerDisabled)
SAME(PROFILER_ALREADY_STOPPED, ProfilerAlreadyStopped)
SAME(MAP_FAILED, MapBufferObjectFailed)
SAME(ARRAY_IS_MAPPED, ArrayIsMapped)
SAME(NOT_MAPPED_AS_POINTER, NotMappedAsPointer)
SAME(ECC_UNCORRECTABLE, ECCUncorrectable)
SAME(INVALID_PTX, InvalidPtx)
SAME(JIT_COMPILER_NOT_FOUND, JitCompilerNotFound)
SAME(SHARED_OBJECT_INIT_FAILED, SharedObjectInitFailed)
SAME(LAUNCH_INCOMPATIBLE_TEXTURING, LaunchIncompatibleTexturing)
SAME(TOO_MANY_PEERS, TooManyPeers)
SAME(HARDWARE_STACK_ERROR, HardwareStackError)
SAME(COOPERATIVE_LAUNCH_TOO_LARGE, CooperativeLaunchTooLarge)
static_assert(cudaErrorApiFailureBase == 10000, "of CUDA before 4.1");

__host__ __device__ inline float mixed(float x)
{
	return std::sqrt(x) + std::max(x, 2.0f) + fabs(x - 5) + std::min(1.0f, x) + std::floor(x) +
	       abs((int)x - 9) + CUDART_ONE_F;
}

__host__ __device__ inline int bits(uint32_t x)
{
	struct { uint8_t at[4]; } by;

	memcpy(&by, &x, sizeof(by));
	memset(by.at, 7, 1);
	return by.at[0] + by.at[1] + (std::isnan(NAN) ? 100 : 0) + (isinf(INFINITY) ? 1000 : 0);
}

__global__ void k(float *x, int *y, uint32_t seed)
{
	x[threadIdx.x] = mixed(x[threadIdx.x]);
	y[threadIdx.x] = bits(seed << threadIdx.x);
	/* On the device only, as CUDA has them. */
	if (!isnan(CUDART_NAN_F) || !isinf(CUDART_INF_F))
		y[0] = -1;
}

int main()
{
	std::vector<float> v;
	float *x = managed<float>(32);
	int *y = managed<int>(32);

	for (int i = 0; i < 32; i++)
		v.push_back(x[i] = i * 0.5f);
	k<<<1, 32>>>(x, y, 0x12345678);
	MUST(cudaDeviceSynchronize());
	for (int i = 0; i < 32; i++) {
		CHECK(x[i] == mixed(v[i]), "%d: %f", i, x[i]);
		CHECK(y[i] == bits(0x12345678u << i), "%d: %d", i, y[i]);
	}
	return wrong != 0;
}
