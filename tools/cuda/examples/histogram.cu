// SPDX-License-Identifier: GPL-2.0
// Histogram of bytes: each block counts in shared memory, then adds to the whole.
//    ./histogram [BYTES]
#include <vector>
#include "example.h"

#define BINS	256

__global__ void count(const unsigned char *data, size_t bytes, unsigned int *bins)
{
	__shared__ unsigned int mine[BINS];

	for (int i = threadIdx.x; i < BINS; i += blockDim.x)
		mine[i] = 0;
	__syncthreads();
	for (size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x; i < bytes;
	     i += (size_t)gridDim.x * blockDim.x)
		atomicAdd(&mine[data[i]], 1u);
	__syncthreads();
	for (int i = threadIdx.x; i < BINS; i += blockDim.x)
		atomicAdd(&bins[i], mine[i]);
}

int main(int argc, char **argv)
{
	size_t bytes = argument(argc, argv, 1, 8 << 20);
	unsigned char *data = managed<unsigned char>(bytes);
	unsigned int *bins = managed<unsigned int>(BINS);
	std::vector<unsigned int> wanted(BINS);
	random_numbers numbers(8);
	bool right = true;

	for (size_t i = 0; i < bytes; i++) {
		data[i] = numbers.next() >> 8 & numbers.next() >> 16;
		wanted[data[i]]++;
	}
	CHECK(cudaMemset(bins, 0, BINS * sizeof(*bins)));
	count<<<32, 256>>>(data, bytes, bins);
	finish();
	for (int i = 0; i < BINS; i++)
		right &= bins[i] == wanted[i];
	CHECK(cudaFree(data));
	CHECK(cudaFree(bins));
	return verdict("histogram", right);
}
