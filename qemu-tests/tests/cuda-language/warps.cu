// SPDX-License-Identifier: GPL-2.0
/* Shuffles, votes, matches and groups of the lanes of a warp. */
#include <cooperative_groups.h>
#include "check.h"

namespace cg = cooperative_groups;

#define WARP 32
#define ALL 0xffffffffu

struct row {
	int idx, up, down, bfly, narrow, any, all, ballot, match, match_all, equal, some, in_branch;
	long long wide;
	unsigned long long unsign[4];
	float real;
	int sum, tile_sum, tile_rank, tile_ballot, tile_any, block_rank, together, together_rank;
};

__device__ int sum_of_warp(int value)
{
	for (int by = 16; by; by /= 2)
		value += __shfl_down_sync(ALL, value, by);
	return __shfl_sync(ALL, value, 0);
}

template<int N> __device__ int sum_of_tile(cg::thread_block_tile<N, cg::thread_block> tile, int value)
{
	for (int by = N / 2; by; by /= 2)
		value += tile.shfl_xor(value, by);
	return value;
}

__global__ void lanes(row *out)
{
	int i = threadIdx.x, all;
	cg::thread_block block = cg::this_thread_block();
	auto tile = cg::tiled_partition<8>(block);
	row *r = out + block.thread_rank();

	r->idx = __shfl_sync(ALL, i * 3, i + 5);
	r->up = __shfl_up_sync(ALL, i, 3);
	r->down = __shfl_down_sync(ALL, i, 3);
	r->bfly = __shfl_xor_sync(ALL, i, 9);
	r->narrow = __shfl_down_sync(ALL, i, 2, 8);
	r->wide = __shfl_sync(ALL, (long long)i << 33, 31 - i);
	r->unsign[0] = __shfl_sync(ALL, 1ull << 63 | i, 31 - i);
	r->unsign[1] = __shfl_up_sync(ALL, 1ull << 63 | i, 2, 16);
	r->unsign[2] = __shfl_down_sync(ALL, 1ull << 63 | i, 2, 16);
	r->unsign[3] = __shfl_xor_sync(ALL, 1ull << 63 | i, 5);
	r->real = __shfl_up_sync(ALL, i * 0.5f, 1);
	r->any = __any_sync(ALL, i == 7);
	r->all = __all_sync(ALL, i != 7);
	r->ballot = __ballot_sync(ALL, i % 3 == 0);
	r->match = __match_any_sync(ALL, i % 4);
	r->match_all = __match_all_sync(ALL, i / 32, &all);
	r->equal = all;
	__match_all_sync(ALL, i / 31, &all);
	r->some = all;
	r->sum = sum_of_warp(i);
	r->in_branch = 0;
	if (i < 8)
		r->in_branch = __shfl_sync(0xff, i, 7 - i, 8);
	__syncwarp();
	r->tile_sum = sum_of_tile<8>(tile, i);
	r->tile_rank = tile.thread_rank() + 100 * tile.meta_group_rank() + 10000 * tile.size();
	r->tile_ballot = tile.ballot(i & 1);
	r->tile_any = tile.any(i == 9);
	r->block_rank = block.thread_rank() + 100 * block.size();
	r->together = r->together_rank = 0;
	if (i % 5 == 1) {
		cg::coalesced_group group = cg::coalesced_threads();

		r->together = group.size();
		r->together_rank = group.shfl(i, 2) * 100 + group.thread_rank();
	}
	block.sync();
}

/* A group's lanes in turns: the last one's count is of all. */
__global__ void aggregated(int *counter, int *mine)
{
	if (threadIdx.x % 3)
		return;
	unsigned int mask = __activemask();
	int leader = __ffs(mask) - 1, base = 0;

	if (threadIdx.x % 32 == leader)
		base = atomicAdd(counter, __popc(mask));
	base = __shfl_sync(mask, base, leader);
	mine[threadIdx.x] = base + __popc(mask & ((1u << threadIdx.x % 32) - 1));
}

/*
 * The last warps of a sum, as public reductions have them: lanes ask for those that are not there, which
 * CUDA leaves open, and add zero.
 */
__global__ void few(int *out, double *real)
{
	unsigned int mask = __ballot_sync(ALL, threadIdx.x < 8);
	int value = threadIdx.x + 1;
	double half = 0.5 * value;

	if (threadIdx.x >= 8)
		return;
	for (int by = 16; by; by /= 2) {
		value += __shfl_down_sync(mask, value, by);
		half += __shfl_down_sync(mask, half, by);
	}
	out[threadIdx.x] = value;
	real[threadIdx.x] = half;
}

int main()
{
	double *real = managed<double>(8);
	row *r = managed<row>(WARP);
	int *counter = managed<int>(1), *mine = managed<int>(96), seen = 0;

	lanes<<<1, WARP>>>(r);
	MUST(cudaDeviceSynchronize());
	for (int i = 0; i < WARP; i++, r++) {
		CHECK(r->idx == (i + 5) % 32 * 3, "%d: %d", i, r->idx);
		CHECK(r->up == (i < 3 ? i : i - 3), "%d: %d", i, r->up);
		CHECK(r->down == (i > 28 ? i : i + 3), "%d: %d", i, r->down);
		CHECK(r->bfly == (i ^ 9), "%d: %d", i, r->bfly);
		CHECK(r->narrow == (i % 8 > 5 ? i : i + 2), "%d: %d", i, r->narrow);
		CHECK(r->wide == (31ll - i) << 33, "%d", i);
		CHECK(r->unsign[0] == (1ull << 63 | (31 - i)), "%d: %llx", i, r->unsign[0]);
		CHECK(r->unsign[1] == (1ull << 63 | (i % 16 < 2 ? i : i - 2)), "%d", i);
		CHECK(r->unsign[2] == (1ull << 63 | (i % 16 > 13 ? i : i + 2)), "%d", i);
		CHECK(r->unsign[3] == (1ull << 63 | (i ^ 5)), "%d", i);
		CHECK(r->real == (i ? i - 1 : i) * 0.5f, "%d", i);
		CHECK(r->any == 1 && r->all == 0, "%d: %d %d", i, r->any, r->all);
		CHECK(r->ballot == 0x49249249, "%d: %x", i, r->ballot);
		CHECK(r->match == 0x11111111 << i % 4, "%d: %x", i, r->match);
		CHECK(r->match_all == -1 && r->equal == 1 && r->some == 0, "%d", i);
		CHECK(r->sum == 31 * 16, "%d: %d", i, r->sum);
		CHECK(r->in_branch == (i < 8 ? 7 - i : 0), "%d: %d", i, r->in_branch);
		CHECK(r->tile_sum == 8 * (i / 8 * 8) + 28, "%d: %d", i, r->tile_sum);
		CHECK(r->tile_rank == i % 8 + 100 * (i / 8) + 80000, "%d: %d", i, r->tile_rank);
		CHECK(r->tile_ballot == 0xaa, "%d: %x", i, r->tile_ballot);
		CHECK(r->tile_any == (i / 8 == 1), "%d: %d", i, r->tile_any);
		CHECK(r->block_rank == i + 3200, "%d: %d", i, r->block_rank);
		CHECK(r->together == (i % 5 == 1 ? 7 : 0), "%d: %d", i, r->together);
		CHECK(r->together_rank == (i % 5 == 1 ? 1100 + i / 5 : 0), "%d: %d", i, r->together_rank);
	}
	aggregated<<<1, 96>>>(counter, mine);
	MUST(cudaDeviceSynchronize());
	CHECK(*counter == 32, "%d", *counter);
	for (int i = 0; i < 96; i += 3)
		seen |= 1 << mine[i];
	CHECK(seen == -1, "%x", seen);
	few<<<1, WARP>>>(mine, real);
	MUST(cudaDeviceSynchronize());
	CHECK(mine[0] == 36 && real[0] == 18, "%d %f", mine[0], real[0]);
	return wrong != 0;
}
