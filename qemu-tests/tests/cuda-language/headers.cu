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
#include <cuda_runtime.h>
#include <cuda_runtime_api.h>
#include <device_functions.h>
#include <device_launch_parameters.h>
#include <limits.h>
#include <math_constants.h>
#include <math_functions.h>
#include <stdint.h>
#include <sys/time.h>
#include "check.h"

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
	return by.at[0] + by.at[1] + (std::isnan(CUDART_NAN_F) ? 100 : 0) + (isinf(CUDART_INF_F) ? 1000 : 0);
}

__global__ void k(float *x, int *y, uint32_t seed)
{
	x[threadIdx.x] = mixed(x[threadIdx.x]);
	y[threadIdx.x] = bits(seed << threadIdx.x);
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
