// SPDX-License-Identifier: GPL-2.0
/*
 * Lanes that a branch parted are together behind it: what has no mask of its own (__activemask(), the
 * older shuffles) counts on it in public code.
 */
#include "check.h"

#define THREADS 192

__device__ int add_from_below(int x, int by)
{
	int result;

	asm("{ .reg .s32 r; .reg .pred p; shfl.sync.down.b32 r|p, %1, %2, 31, %3;\n"
	    "@p add.s32 r, r, %1; mov.s32 %0, r; }"
	    : "=r"(result) : "r"(x), "r"(by), "r"(__activemask()));
	return result;
}

/* Of the first warp each lane has the sum of what lies 32 apart, below @count. */
__global__ void sum(const int *in, int *out, int count)
{
	__shared__ int all[THREADS];
	int me = threadIdx.x, x = in[me];

	all[me] = x;
	__syncthreads();
	if (me >= 32)
		return;
	for (int i = 0; i < THREADS / 32; i++)
		if (i * 32 + me < count && i > 0)
			x += all[i * 32 + me];
	for (int by = 1; by < 32; by *= 2)
		x = add_from_below(x, by);
	if (!me)
		out[count] = x;
}

int main()
{
	int *in = managed<int>(THREADS), *out = managed<int>(THREADS);

	for (int i = 0; i < THREADS; i++)
		in[i] = 1;
	for (int count = 32; count < THREADS; count++)
		sum<<<1, THREADS>>>(in, out, count);
	MUST(cudaDeviceSynchronize());
	for (int count = 32; count < THREADS; count++)
		CHECK(out[count] == count, "%d: %d", count, out[count]);
	return wrong != 0;
}
