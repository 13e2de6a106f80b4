// SPDX-License-Identifier: GPL-2.0
/* cuda::barrier: arriving apart from waiting, dropping out, completions, and copies with a barrier. */
#include <cooperative_groups.h>
#include <cuda/barrier>
#include "check.h"

#define THREADS 128

namespace cg = cooperative_groups;
typedef cuda::barrier<cuda::thread_scope_block> block_barrier;

/* Each round a thread reads what its neighbour wrote in the round before. */
__global__ void rounds(int *out)
{
	__shared__ block_barrier bar;
	__shared__ int value[THREADS];
	int i = threadIdx.x, own = i;

	if (!i)
		init(&bar, THREADS);
	__syncthreads();
	for (int round = 0; round < 5; round++) {
		value[i] = own;
		block_barrier::arrival_token token = bar.arrive();

		bar.wait(static_cast<block_barrier::arrival_token &&>(token));
		own += value[(i + 1) % THREADS];
		bar.arrive_and_wait();
	}
	out[i] = own;
}

/* One warp makes, the others use; each has a barrier of its own, for all threads. */
__global__ void roles(int *out)
{
	__shared__ block_barrier ready[2], filled[2];
	__shared__ int buffer[2][32];
	int i = threadIdx.x, sum = 0;

	if (i < 4)
		init(i < 2 ? &ready[i] : &filled[i - 2], THREADS);
	__syncthreads();
	for (int n = 0; n < 6; n++) {
		int at = n % 2;

		if (i < 32) {
			ready[at].arrive_and_wait();
			buffer[at][i] = 100 * n + i;
			(void)filled[at].arrive();
		} else {
			(void)ready[at].arrive();
			filled[at].arrive_and_wait();
			sum += buffer[at][i % 32];
		}
	}
	out[i] = sum;
}

/* Threads leave one after the other, in groups that part within a warp. */
__global__ void leave(int *out)
{
	__shared__ block_barrier bar;
	__shared__ int left;
	int i = threadIdx.x;

	if (!i) {
		init(&bar, THREADS);
		left = 0;
	}
	__syncthreads();
	for (int round = 0; round < i % 4; round++)
		bar.arrive_and_wait();
	atomicAdd(&left, 1);
	if (i % 4 != 3) {
		bar.arrive_and_drop();
		out[i] = 0;
		return;
	}
	bar.arrive_and_wait();
	out[i] = left;
}

struct counter {
	int *at;
	__device__ void operator()() const { ++*at; }
};

/* What is done when all have come is done once, before any goes on. */
__global__ void completions(int *out)
{
	__shared__ alignas(16) char space[sizeof(cuda::barrier<cuda::thread_scope_block, counter>)];
	__shared__ int count;
	cuda::barrier<cuda::thread_scope_block, counter> *bar =
		(cuda::barrier<cuda::thread_scope_block, counter> *)space;
	int i = threadIdx.x, seen = 0;

	if (!i) {
		count = 0;
		init(bar, THREADS, counter{ &count });
	}
	__syncthreads();
	for (int round = 1; round <= 3; round++) {
		bar->arrive_and_wait();
		seen += count == round;
		bar->arrive_and_wait();
		count = round;
		__syncthreads();
	}
	out[i] = seen;
}

__global__ void copies(int *out, const int *in)
{
	__shared__ block_barrier bar;
	__shared__ alignas(16) int whole[THREADS], own[THREADS];
	__shared__ char odd[3 * THREADS];
	cg::thread_block block = cg::this_thread_block();
	int i = threadIdx.x;

	if (!i)
		init(&bar, THREADS);
	block.sync();
	cuda::memcpy_async(block, whole, in, sizeof(whole), bar);
	cuda::memcpy_async(own + i, in + i, cuda::aligned_size_t<4>(sizeof(int)), bar);
	cuda::memcpy_async(cg::tiled_partition<32>(block), odd + 96 * (i / 32),
			   (const char *)in + 1 + 96 * (i / 32), 96, bar);
	bar.arrive_and_wait();
	out[i] = whole[THREADS - 1 - i] + own[i ^ 1] +
		 (odd[i] == ((const char *)in)[i + 1] && odd[383 - i] == ((const char *)in)[384 - i]);
}

int main()
{
	int *out = managed<int>(THREADS), *in = managed<int>(THREADS), own[THREADS], next[THREADS];

	for (int i = 0; i < THREADS; i++)
		own[i] = i;
	for (int round = 0; round < 5; round++) {
		for (int i = 0; i < THREADS; i++)
			next[i] = own[i] + own[(i + 1) % THREADS];
		for (int i = 0; i < THREADS; i++)
			own[i] = next[i];
	}
	rounds<<<1, THREADS>>>(out);
	MUST(cudaDeviceSynchronize());
	for (int i = 0; i < THREADS; i++)
		CHECK(out[i] == own[i], "%d: %d", i, out[i]);
	roles<<<1, THREADS>>>(out);
	MUST(cudaDeviceSynchronize());
	for (int i = 0; i < THREADS; i++)
		CHECK(out[i] == (i < 32 ? 0 : 1500 + 6 * (i % 32)), "%d: %d", i, out[i]);
	leave<<<1, THREADS>>>(out);
	MUST(cudaDeviceSynchronize());
	for (int i = 0; i < THREADS; i++)
		CHECK(out[i] == (i % 4 == 3 ? THREADS : 0), "%d: %d", i, out[i]);
	completions<<<1, THREADS>>>(out);
	MUST(cudaDeviceSynchronize());
	for (int i = 0; i < THREADS; i++)
		CHECK(out[i] == 3, "%d: %d", i, out[i]);
	for (int i = 0; i < THREADS; i++)
		in[i] = 12345 * i;
	copies<<<1, THREADS>>>(out, in);
	MUST(cudaDeviceSynchronize());
	for (int i = 0; i < THREADS; i++)
		CHECK(out[i] == 12345 * (127 - i) + 12345 * (i ^ 1) + 1, "%d: %d", i, out[i]);
	return wrong != 0;
}
