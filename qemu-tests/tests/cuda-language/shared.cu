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

/* Each of these kernels has 40 KB: more than a block can have, if all were there for all. */
#define LARGE 10000

__device__ int turned(int i)
{
	__shared__ int of_both[THREADS];

	of_both[i] = 2 * i;
	__syncthreads();
	return of_both[THREADS - 1 - i];
}

template<class T> __global__ void large(int *out)
{
	__shared__ T all[LARGE * 4 / sizeof(T)];
	int i = threadIdx.x, n = LARGE * 4 / sizeof(T);

	for (int j = i; j < n; j += THREADS)
		all[j] = j;
	__syncthreads();
	out[i] = (int)all[n - 1 - i] + (sizeof(T) == 4 ? turned(i) : 0);
}

/* As much as that, from the launch: it lies behind what this kernel has, no other. */
__global__ void large_at_launch(int *out)
{
	__shared__ int still[THREADS];
	int i = threadIdx.x;

	still[i] = i;
	at_launch[i] = 1000 * i;
	at_launch[LARGE + i] = 7;
	__syncthreads();
	out[i] = still[THREADS - 1 - i] + at_launch[THREADS - 1 - i] + at_launch[LARGE + i] + turned(i);
}

static void kernels_have_their_own(int *out)
{
	cudaFuncAttributes a;
	int blocks;

	large<int><<<1, THREADS>>>(out);
	MUST(cudaDeviceSynchronize());
	for (int i = 0; i < THREADS; i++)
		CHECK(out[i] == LARGE - 1 - i + 2 * (THREADS - 1 - i), "%d: %d", i, out[i]);
	large<double><<<1, THREADS>>>(out);
	MUST(cudaDeviceSynchronize());
	for (int i = 0; i < THREADS; i++)
		CHECK(out[i] == LARGE / 2 - 1 - i, "%d: %d", i, out[i]);
	large_at_launch<<<1, THREADS, (LARGE + THREADS) * sizeof(int)>>>(out);
	MUST(cudaDeviceSynchronize());
	for (int i = 0; i < THREADS; i++)
		CHECK(out[i] == 1003 * (THREADS - 1 - i) + 7, "%d: %d", i, out[i]);
	MUST(cudaFuncGetAttributes(&a, large<int>));
	CHECK(a.sharedSizeBytes >= 4 * (LARGE + THREADS) && a.sharedSizeBytes < 4 * (LARGE + THREADS) + 64,
	      "%zu", a.sharedSizeBytes);
	MUST(cudaFuncGetAttributes(&a, transpose<16>));
	CHECK(a.sharedSizeBytes == 16 * 17 * sizeof(int), "%zu", a.sharedSizeBytes);
	MUST(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, large<int>, THREADS, 0));
	CHECK(blocks <= 2, "%d", blocks);
	MUST(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, transpose<16>, 256, 0));
	CHECK(blocks >= 4, "%d", blocks);
	large<int><<<1, THREADS, 16384>>>(out);
	CHECK(cudaGetLastError() != cudaSuccess);
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
	kernels_have_their_own(out);
	return wrong != 0;
}
