// SPDX-License-Identifier: GPL-2.0
/* Groups of a grid: all its blocks at once, with barriers. */
#include <cooperative_groups.h>
#include "check.h"

namespace cg = cooperative_groups;

#define PHASES	20

/* Each phase reads what other blocks wrote in the one before, and writes what they read. */
__global__ void mix(unsigned int *a, unsigned int *b, unsigned int n)
{
	cg::grid_group grid = cg::this_grid();

	for (int phase = 0; phase < PHASES; phase++) {
		for (unsigned int i = grid.thread_rank(); i < n; i += grid.size())
			b[i] = a[(i * 7 + phase) % n] * 3 + 1;
		if (phase & 1)
			grid.sync();
		else
			cg::sync(grid);
		unsigned int *c = a;
		a = b;
		b = c;
	}
}

/* Every thread once, and the sizes. */
__global__ void ranks(unsigned int *count, unsigned long long *sizes)
{
	cg::grid_group grid = cg::this_grid();

	atomicAdd(&count[grid.thread_rank()], 1);
	grid.sync();
	if (grid.thread_rank() || grid.block_rank())
		return;
	sizes[0] = grid.size();
	sizes[1] = grid.num_blocks();
	sizes[2] = grid.dim_blocks().y;
	sizes[3] = grid.thread_index().x + grid.block_index().y + grid.dim_threads().x;
}

static void test_mix(int blocks)
{
	unsigned int n = 50000, *a = managed<unsigned int>(n), *b = managed<unsigned int>(n), wrong = 0;
	unsigned int *x = new unsigned int[n], *y = new unsigned int[n], *z;
	void *args[] = { &a, &b, &n };

	for (unsigned int i = 0; i < n; i++)
		a[i] = x[i] = i;
	MUST(cudaLaunchCooperativeKernel((void *)mix, blocks, 128, args));
	MUST(cudaDeviceSynchronize());
	for (int phase = 0; phase < PHASES; phase++, z = x, x = y, y = z)
		for (unsigned int i = 0; i < n; i++)
			y[i] = x[(i * 7 + phase) % n] * 3 + 1;
	for (unsigned int i = 0; i < n; i++)
		wrong += a[i] != x[i];
	CHECK(!wrong, "%d blocks: %u of %u", blocks, wrong, n);
	MUST(cudaFree(a));
	MUST(cudaFree(b));
	delete[] x;
	delete[] y;
}

static void test_ranks()
{
	dim3 grid(3, 4, 2), block(5, 2, 3);
	unsigned int n = 3 * 4 * 2 * 5 * 2 * 3, *count = managed<unsigned int>(n), wrong = 0;
	unsigned long long *sizes = managed<unsigned long long>(4);
	void *args[] = { &count, &sizes };

	MUST(cudaLaunchCooperativeKernel((void *)ranks, grid, block, args));
	MUST(cudaDeviceSynchronize());
	for (unsigned int i = 0; i < n; i++)
		wrong += count[i] != 1;
	CHECK(!wrong, "%u", wrong);
	CHECK(sizes[0] == n && sizes[1] == 24 && sizes[2] == 4 && sizes[3] == 15, "%llu %llu %llu %llu",
	      sizes[0], sizes[1], sizes[2], sizes[3]);
}

int main()
{
	int per_sm, sms, can = 0;

	MUST(cudaDeviceGetAttribute(&can, cudaDevAttrCooperativeLaunch, 0));
	CHECK(can == 1);
	MUST(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&per_sm, mix, 128, 0));
	MUST(cudaDeviceGetAttribute(&sms, cudaDevAttrMultiProcessorCount, 0));
	test_mix(1);
	test_mix(37);
	test_mix(per_sm * sms);
	test_mix(sms);
	test_ranks();
	/* blocks that need not be there at once have no barrier */
	ranks<<<2, 32>>>(managed<unsigned int>(64), managed<unsigned long long>(4));
	CHECK(cudaDeviceSynchronize() != cudaSuccess);
	return wrong != 0;
}
