// SPDX-License-Identifier: GPL-2.0
/*
 * Cooperative groups: tiles of several warps, a barrier of the block in two parts, lanes that are
 * together, one thread for all, and sums that go to an atomic.
 */
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#include <cooperative_groups/scan.h>
#include <cuda/atomic>
#include "check.h"

namespace cg = cooperative_groups;

#define THREADS 256
#define BLOCKS 3

struct row {
	int sum, most, from, any, all, rank, group, groups, before, nested;
	double real;
	float2 objects;
};

struct add_objects {
	__device__ float2 operator()(float2 a, float2 b) const { return make_float2(a.x + b.x, a.y + b.y); }
};

/* Tiles take different times, so that they come to their barriers apart.  No block sees another's. */
template<unsigned int Size> __global__ void large(row *out)
{
	__shared__ cg::block_tile_memory<THREADS> memory;
	__shared__ int space[THREADS];
	cg::thread_block block = cg::this_thread_block(memory);
	cg::thread_block_tile<Size, cg::thread_block> tile = cg::tiled_partition<Size>(block);
	auto nested = cg::tiled_partition<Size / 2>(tile);
	int i = threadIdx.x, own = i / Size * Size, value = i, number = blockIdx.x;
	row *r = out + number * THREADS + i;

	for (unsigned int round = 0; round <= 3 + tile.meta_group_rank(); round++) {
		space[i] = value;
		tile.sync();
		value = space[own + (i + 33) % Size];
		tile.sync();
	}
	r->before = value;
	r->sum = cg::reduce(tile, i + number, cg::plus<int>());
	r->most = cg::reduce(tile, i ^ 5, cg::greater<int>());
	r->real = cg::reduce(tile, i * 0.5, cg::plus<double>());
	r->objects = cg::reduce(tile, make_float2(i, 1), add_objects());
	r->nested = cg::reduce(nested, i, cg::plus<int>());
	r->from = tile.shfl(i + 1000 * number, Size - 3);
	r->any = tile.any(i == own + 40) + 2 * tile.any(i < 0);
	r->all = tile.all(i >= own) + 2 * tile.all(i != own + 40);
	r->rank = tile.thread_rank();
	r->group = tile.meta_group_rank();
	r->groups = tile.meta_group_size();
}

template<unsigned int Size> static void check_large(row *r)
{
	large<Size><<<BLOCKS, THREADS>>>(r);
	MUST(cudaDeviceSynchronize());
	for (int at = 0; at < BLOCKS * THREADS; at++, r++) {
		int i = at % THREADS, number = at / THREADS, size = Size, half = size / 2, own = i / size * size;
		int sum = size * own + size * (size - 1) / 2, rounds = 4 + i / size;
		int of_half = half * (i / half * half) + half * (half - 1) / 2;

		CHECK(r->sum == sum + size * number, "%d: %d: %d", size, at, r->sum);
		CHECK(r->most == own + size - 1, "%d: %d: %d", size, at, r->most);
		CHECK(r->real == 0.5 * sum, "%d: %d: %f", size, i, r->real);
		CHECK(r->objects.x == sum && r->objects.y == size, "%d: %d: %f", size, i,
		      r->objects.x);
		CHECK(r->nested == of_half, "%d: %d: %d", size, i, r->nested);
		CHECK(r->from == own + size - 3 + 1000 * number, "%d: %d: %d", size, i, r->from);
		CHECK(r->any == 1 && r->all == 1, "%d: %d: %d %d", size, i, r->any, r->all);
		CHECK(r->rank == i % size && r->group == i / size && r->groups == THREADS / size, "%d: %d",
		      size, i);
		CHECK(r->before == own + (i + 33 * rounds) % size, "%d: %d: %d", size, i, r->before);
	}
}

__global__ void parts(int *out)
{
	__shared__ int space[THREADS];
	cg::thread_block block = cg::this_thread_block();
	int i = threadIdx.x, value = i;

	for (int round = 0; round < 4; round++) {
		space[i] = value;
		cg::thread_block::arrival_token token = block.barrier_arrive();

		value += round;
		block.barrier_wait(static_cast<cg::thread_block::arrival_token &&>(token));
		value += space[(i + 1) % THREADS];
		block.sync();
	}
	out[i] = value;
}

__global__ void together(int *out, int *total, int *count, cuda::atomic<int> *sum)
{
	cg::thread_block block = cg::this_thread_block();
	cg::thread_block_tile<32> warp = cg::tiled_partition<32>(block);
	int i = threadIdx.x, *at = out + 4 * i;

	at[0] = at[1] = at[2] = at[3] = 0;
	if (i % 3 == 1) {
		cg::coalesced_group group = cg::coalesced_threads();
		cg::coalesced_group some = cg::labeled_partition(group, i % 2);

		at[0] = group.match_any(i / 4);
		at[1] = cg::inclusive_scan(some, 1, cg::plus<int>());
		at[2] = cg::exclusive_scan(group, i, cg::plus<int>());
		at[3] = cg::invoke_one_broadcast(group, [=](int base) { return base + i; }, 1000);
		cg::invoke_one(group, [=]() { atomicAdd(count, 1); });
	}
	cg::reduce_update_async(warp, *sum, i, cg::plus<int>());
	cg::reduce_store_async(warp, total + i / 32, i, cg::plus<int>());
}

static void check_together(const int *out, const int *total, int count, int sum)
{
	CHECK(count == THREADS / 32 && sum == THREADS * (THREADS - 1) / 2, "%d %d", count, sum);
	for (int i = 0; i < THREADS; i++) {
		int first = i / 32 * 32, rank = 0, match = 0, up_to = 0, before = 0, lowest = -1;

		for (int j = first; j < first + 32; j++) {
			if (j % 3 != 1)
				continue;
			lowest = lowest < 0 ? j : lowest;
			match |= (j / 4 == i / 4) << rank++;
			up_to += j <= i && j % 2 == i % 2;
			before += j < i ? j : 0;
		}
		CHECK(total[i / 32] == 32 * first + 496, "%d: %d", i, total[i / 32]);
		if (i % 3 != 1)
			continue;
		CHECK(out[4 * i] == match && out[4 * i + 1] == up_to, "%d: %x %d", i, out[4 * i],
		      out[4 * i + 1]);
		CHECK(out[4 * i + 2] == before, "%d: %d", i, out[4 * i + 2]);
		CHECK(out[4 * i + 3] == 1000 + lowest, "%d: %d", i, out[4 * i + 3]);
	}
}

int main()
{
	row *r = managed<row>(BLOCKS * THREADS);
	int *out = managed<int>(4 * THREADS), *total = managed<int>(THREADS), own[THREADS], next[THREADS];
	cuda::atomic<int> *sum = (cuda::atomic<int> *)managed<int>(1);

	check_large<64>(r);
	check_large<128>(r);
	check_large<256>(r);
	parts<<<1, THREADS>>>(out);
	MUST(cudaDeviceSynchronize());
	for (int i = 0; i < THREADS; i++)
		own[i] = i;
	for (int round = 0; round < 4; round++) {
		for (int i = 0; i < THREADS; i++)
			next[i] = own[i] + round + own[(i + 1) % THREADS];
		for (int i = 0; i < THREADS; i++)
			own[i] = next[i];
	}
	for (int i = 0; i < THREADS; i++)
		CHECK(out[i] == own[i], "%d: %d", i, out[i]);
	together<<<1, THREADS>>>(out, total, total + THREADS / 2, sum);
	MUST(cudaDeviceSynchronize());
	check_together(out, total, total[THREADS / 2], *sum);
	return wrong != 0;
}
