// SPDX-License-Identifier: GPL-2.0
/* Shared memory, static and of the launch's size, in one and more dimensions. */
#include "check.h"

#define THREADS 96

extern __shared__ int at_launch[];
extern __shared__ char same_bytes[];

__global__ void turn_round(int *out, const int *in)
{
	__shared__ int still[THREADS];
	__shared__ struct { short a; long long b; } one;
	unsigned int i = threadIdx.x;

	still[i] = in[i];
	at_launch[i] = in[i] * 2;
	if (i == 5)
		one.b = 7;
	__syncthreads();
	out[i] = still[THREADS - 1 - i] + at_launch[(i + 1) % THREADS] + (int)one.b + same_bytes[1];
}

template<int N> __global__ void transpose(int (*out)[N], const int (*in)[N])
{
	__shared__ int tile[N][N + 1];

	tile[threadIdx.y][threadIdx.x] = in[threadIdx.y][threadIdx.x];
	__syncthreads();
	out[threadIdx.y][threadIdx.x] = tile[threadIdx.x][threadIdx.y];
}

int main()
{
	int *in = managed<int>(256), *out = managed<int>(256);

	for (int i = 0; i < 256; i++)
		in[i] = i;
	turn_round<<<1, THREADS, THREADS * sizeof(int)>>>(out, in);
	MUST(cudaDeviceSynchronize());
	for (int i = 0; i < THREADS; i++) {
		int want = THREADS - 1 - i + (i + 1) % THREADS * 2 + 7;

		CHECK(out[i] == want, "%d: %d", i, out[i]);
	}
	transpose<16><<<1, dim3(16, 16)>>>((int (*)[16])out, (int (*)[16])in);
	MUST(cudaDeviceSynchronize());
	for (int i = 0; i < 256; i++)
		CHECK(out[i] == i % 16 * 16 + i / 16, "%d: %d", i, out[i]);
	return wrong != 0;
}
