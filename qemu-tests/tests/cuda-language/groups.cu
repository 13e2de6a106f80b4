// SPDX-License-Identifier: GPL-2.0
/* Sums and scans of cooperative groups, groups by label, and functions that take any group. */
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#include <cooperative_groups/scan.h>
#include "check.h"

namespace cg = cooperative_groups;

#define THREADS 64

struct row {
	int sum, least, most, bits, own, together, up_to, before, label, odd, down, block, tile, some;
	float real;
	uint4 object;
	double3 sum_of_objects;
};

/* Half of the threads' values move down in each round, as in the teaching examples. */
__device__ int sum_of_any(cg::thread_group group, int *space, int value)
{
	for (int i = group.size() / 2; i; i /= 2) {
		space[group.thread_rank()] = value;
		group.sync();
		if (group.thread_rank() < i)
			value += space[group.thread_rank() + i];
		group.sync();
	}
	return value;
}

struct add_objects {
	__device__ double3 operator()(double3 a, double3 b) const
	{
		return make_double3(a.x + b.x, a.y + b.y, a.z + b.z);
	}
};

__global__ void groups(row *out)
{
	__shared__ int space[THREADS];
	int i = threadIdx.x;
	cg::thread_block block = cg::this_thread_block();
	cg::thread_block_tile<16> tile = cg::tiled_partition<16>(block);
	cg::thread_group four = cg::tiled_partition(block, 4);
	row *r = out + i;

	r->sum = cg::reduce(tile, i, cg::plus<int>());
	r->least = cg::reduce(tile, i ^ 5, cg::less<int>());
	r->most = cg::reduce(tile, i ^ 5, cg::greater<int>());
	r->bits = cg::reduce(tile, 1u << i % 32, cg::bit_or<unsigned int>());
	r->own = cg::reduce(tile, i, [](int a, int b) { return a > b ? a - b : b - a; });
	r->real = cg::reduce(tile, i * 0.5f, cg::plus<float>());
	r->object = tile.shfl_xor(make_uint4(i, i + 1, i + 2, i + 3), 1);
	r->sum_of_objects = cg::reduce(tile, make_double3(i, 0.5 * i, 1), add_objects());
	r->up_to = cg::inclusive_scan(tile, i);
	r->before = cg::exclusive_scan(tile, i);
	r->label = cg::labeled_partition(tile, i % 3).size();
	r->odd = cg::reduce(cg::binary_partition(tile, i & 1), i, cg::plus<int>());
	r->together = r->down = 0;
	if (i % 4 == 1) {
		cg::coalesced_group group = cg::coalesced_threads();

		r->together = cg::inclusive_scan(group, i, cg::plus<int>());
		r->down = group.shfl_down(i, 1);
	}
	r->block = sum_of_any(block, space, i);
	r->tile = sum_of_any(tile, space + i / 16 * 16, i);
	r->some = sum_of_any(four, space + i / 4 * 4, i);
}

int main()
{
	row *r = managed<row>(THREADS);

	groups<<<1, THREADS>>>(r);
	MUST(cudaDeviceSynchronize());
	for (int i = 0; i < THREADS; i++, r++) {
		int first = i / 16 * 16, sum = 16 * first + 120, up_to = 0, together = 0, label = 0;

		for (int j = first; j <= i; j++)
			up_to += j;
		for (int j = i / 32 * 32 + 1; j <= i; j += 4)
			together += j;
		for (int j = first; j < first + 16; j++)
			label += j % 3 == i % 3;
		CHECK(r->sum == sum, "%d: %d", i, r->sum);
		CHECK(r->least == first && r->most == first + 15, "%d: %d %d", i, r->least, r->most);
		CHECK(r->bits == (int)(0xffffu << first % 32), "%d: %x", i, r->bits);
		CHECK(r->own == 0, "%d: %d", i, r->own);
		CHECK(r->real == sum * 0.5f, "%d: %f", i, r->real);
		CHECK(r->object.x == (i ^ 1) && r->object.w == (i ^ 1) + 3, "%d: %u", i, r->object.x);
		CHECK(r->sum_of_objects.x == sum && r->sum_of_objects.y == sum * 0.5, "%d: %f", i,
		      r->sum_of_objects.x);
		CHECK(r->sum_of_objects.z == 16, "%d: %f", i, r->sum_of_objects.z);
		CHECK(r->up_to == up_to && r->before == up_to - i, "%d: %d %d", i, r->up_to, r->before);
		CHECK(r->label == label, "%d: %d", i, r->label);
		CHECK(r->odd == 8 * first + 56 + (i & 1) * 8, "%d: %d", i, r->odd);
		CHECK(r->together == (i % 4 == 1 ? together : 0), "%d: %d", i, r->together);
		CHECK(r->down == (i % 4 != 1 ? 0 : i % 32 == 29 ? i : i + 4), "%d: %d", i, r->down);
		CHECK(i || r->block == THREADS * (THREADS - 1) / 2, "%d: %d", i, r->block);
		CHECK(i % 16 || r->tile == sum, "%d: %d", i, r->tile);
		CHECK(i % 4 || r->some == 4 * i + 6, "%d: %d", i, r->some);
	}
	return wrong != 0;
}
