// SPDX-License-Identifier: GPL-2.0
/* Barriers: of the threads that have not left, and those that reduce. */
#include "check.h"

/* The last warp leaves early: a barrier waits for those that are there. */
__global__ void leave(int *out)
{
	__shared__ int sum;

	if (threadIdx.x >= 64)
		return;
	if (threadIdx.x == 0)
		sum = 0;
	__syncthreads();
	atomicAdd(&sum, 1);
	__syncthreads();
	out[threadIdx.x] = sum;
}

__global__ void reduce(int *count, int *all, int *any, int than)
{
	unsigned int i = threadIdx.x;

	count[i] = __syncthreads_count(i < than);
	all[i] = __syncthreads_and(i < than) != 0;
	any[i] = __syncthreads_or(i < than) != 0;
}

int main()
{
	int *out = managed<int>(96), *all = managed<int>(96), *any = managed<int>(96);

	leave<<<1, 96>>>(out);
	MUST(cudaDeviceSynchronize());
	for (int i = 0; i < 64; i++)
		CHECK(out[i] == 64, "%d: %d", i, out[i]);
	for (int than = 0; than <= 96; than += 16) {
		reduce<<<1, 96>>>(out, all, any, than);
		MUST(cudaDeviceSynchronize());
		for (int i = 0; i < 96; i++)
			CHECK(out[i] == than && all[i] == (than == 96) && any[i] == (than > 0),
			      "%d: %d %d %d", than, out[i], all[i], any[i]);
	}
	return wrong != 0;
}
