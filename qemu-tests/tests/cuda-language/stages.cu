// SPDX-License-Identifier: GPL-2.0
/* Pipelines of copies into shared memory: of a thread, of a block, with roles, and C's names for them. */
#include <cooperative_groups.h>
#include <cooperative_groups/memcpy_async.h>
#include <cuda/pipeline>
#include <cuda_pipeline.h>
#include "check.h"

#define THREADS 128
#define TILES 9
#define STAGES 2

namespace cg = cooperative_groups;

__global__ void of_thread(int *out, const int *in)
{
	__shared__ int stage[STAGES][THREADS];
	cuda::pipeline<cuda::thread_scope_thread> pipe = cuda::make_pipeline();
	int i = threadIdx.x, sum = 0;

	for (int tile = 0, next = 0; tile < TILES; tile++) {
		for (; next < TILES && next < tile + STAGES; next++) {
			pipe.producer_acquire();
			cuda::memcpy_async(&stage[next % STAGES][i], &in[next * THREADS + i],
					   cuda::aligned_size_t<4>(4), pipe);
			pipe.producer_commit();
		}
		cuda::pipeline_consumer_wait_prior<STAGES - 1>(pipe);
		if (tile == TILES - 1)
			cuda::pipeline_consumer_wait_prior<0>(pipe);
		__syncthreads();
		sum += stage[tile % STAGES][THREADS - 1 - i];
		__syncthreads();
		pipe.consumer_release();
	}
	out[i] = sum;
}

/* All threads fill and use: the stage before is used while the next one is filled. */
__global__ void of_block(int *out, const int *in)
{
	__shared__ int stage[STAGES][THREADS];
	__shared__ cuda::pipeline_shared_state<cuda::thread_scope_block, STAGES> state;
	cg::thread_block block = cg::this_thread_block();
	auto pipe = cuda::make_pipeline(block, &state);
	int i = threadIdx.x, sum = 0;

	for (int tile = 0, next = 0; tile < TILES; tile++) {
		for (; next < TILES && next < tile + STAGES; next++) {
			pipe.producer_acquire();
			cuda::memcpy_async(block, stage[next % STAGES], in + next * THREADS,
					   sizeof(stage[0]), pipe);
			pipe.producer_commit();
		}
		pipe.consumer_wait();
		sum += stage[tile % STAGES][THREADS - 1 - i];
		pipe.consumer_release();
	}
	out[i] = sum;
}

/* The last warp fills, the others use. */
__global__ void with_roles(int *out, const int *in)
{
	__shared__ int stage[STAGES][THREADS];
	__shared__ cuda::pipeline_shared_state<cuda::thread_scope_block, STAGES> state;
	cg::thread_block block = cg::this_thread_block();
	bool fills = threadIdx.x >= THREADS - 32;
	auto pipe = cuda::make_pipeline(block, &state, fills ? cuda::pipeline_role::producer :
							       cuda::pipeline_role::consumer);
	int i = threadIdx.x, sum = 0;

	for (int tile = 0; tile < TILES; tile++) {
		int *at = stage[tile % STAGES];

		if (fills) {
			pipe.producer_acquire();
			cuda::memcpy_async(cg::tiled_partition<32>(block), at, in + tile * THREADS,
					   sizeof(stage[0]), pipe);
			pipe.producer_commit();
		} else {
			pipe.consumer_wait();
			sum += at[THREADS - 1 - i];
			pipe.consumer_release();
		}
	}
	out[i] = sum;
}

__global__ void in_c(int *out, const int *in)
{
	__shared__ int stage[STAGES][THREADS];
	int i = threadIdx.x, sum = 0;

	for (int tile = 0; tile < TILES; tile++) {
		__pipeline_memcpy_async(&stage[tile % STAGES][i], &in[tile * THREADS + i], sizeof(int));
		__pipeline_commit();
		__pipeline_wait_prior(0);
		__syncthreads();
		sum += stage[tile % STAGES][THREADS - 1 - i];
	}
	/* The last bytes may be zeros instead. */
	__pipeline_memcpy_async(&stage[0][i], &in[i], 4, 2);
	__pipeline_commit();
	__pipeline_wait_prior(0);
	out[i] = sum + (stage[0][i] != (in[i] & 0xffff)) * 1000;
}

__global__ void of_group(int *out, const int *in)
{
	__shared__ int stage[THREADS], part[THREADS];
	cg::thread_block block = cg::this_thread_block();
	cg::thread_block_tile<16> tile = cg::tiled_partition<16>(block);
	int i = threadIdx.x, sum = 0, at = i / 16 * 16;

	for (int n = 0; n < TILES; n++) {
		cg::memcpy_async(block, stage, in + n * THREADS, sizeof(stage));
		/* By elements: as many as the smaller side has. */
		cg::memcpy_async(tile, part + at, 16, in + n * THREADS + at, 20);
		cg::wait(block);
		cg::wait(tile);
		sum += stage[THREADS - 1 - i] + part[at + 15 - i % 16] - stage[at + 15 - i % 16];
		block.sync();
	}
	out[i] = sum;
}

static void check(const char *what, const int *out, const int *in, int threads)
{
	MUST(cudaDeviceSynchronize());
	for (int i = 0; i < THREADS; i++) {
		int sum = 0;

		for (int tile = 0; tile < TILES; tile++)
			sum += in[tile * THREADS + THREADS - 1 - i];
		CHECK(out[i] == (i < threads ? sum : 0), "%s: %d: %d", what, i, out[i]);
	}
}

int main()
{
	int *out = managed<int>(THREADS), *in = managed<int>(THREADS * TILES + 4);

	for (int i = 0; i < THREADS * TILES; i++)
		in[i] = i * 7919 % 100003;
	of_thread<<<1, THREADS>>>(out, in);
	check("of a thread", out, in, THREADS);
	of_block<<<1, THREADS>>>(out, in);
	check("of a block", out, in, THREADS);
	with_roles<<<1, THREADS>>>(out, in);
	check("with roles", out, in, THREADS - 32);
	in_c<<<1, THREADS>>>(out, in);
	check("in C", out, in, THREADS);
	of_group<<<1, THREADS>>>(out, in);
	check("of a group", out, in, THREADS);
	return wrong != 0;
}
