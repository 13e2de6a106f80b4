// SPDX-License-Identifier: GPL-2.0
/* Integers of 128 bits: the GPU computes what the CPU does. */
#include "check.h"

typedef __int128 wide;
typedef unsigned __int128 uwide;

#define THREADS 256
#define RESULTS 8

__host__ __device__ inline void compute(int n, uwide *out)
{
	uwide x = (uwide)(0x9e3779b97f4a7c15ull * (n + 1)) << (n % 65) | (0xbf58476d1ce4e5b9ull ^ n);
	uwide y = ((uwide)(0x94d049bb133111ebull * (n + 3)) << 64 >> (n * 7 % 126)) | 1;
	int by = n % 128;

	out[0] = x / y;
	out[1] = x % y;
	out[2] = (wide)x / (wide)y;
	out[3] = (wide)x % -(wide)y;
	out[4] = x << by;
	out[5] = x >> by;
	out[6] = (wide)x >> by;
	out[7] = x * y;
}

__global__ void run(uwide *out)
{
	compute(threadIdx.x, out + threadIdx.x * RESULTS);
}

int main()
{
	uwide *out = managed<uwide>(THREADS * RESULTS), want[RESULTS];

	run<<<1, THREADS>>>(out);
	MUST(cudaDeviceSynchronize());
	for (int i = 0; i < THREADS * RESULTS; i++) {
		compute(i / RESULTS, want);
		CHECK(out[i] == want[i % RESULTS], "%d, %d", i / RESULTS, i % RESULTS);
	}
	return wrong != 0;
}
