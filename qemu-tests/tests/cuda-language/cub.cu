// SPDX-License-Identifier: GPL-2.0
/* CUB: what threads of a warp, of a block and of the whole GPU do together, against the CPU. */
#include <cub/cub.cuh>
#include <algorithm>
#include <numeric>
#include <vector>
#include "check.h"

#define N 3000
#define THREADS 128

/* For a device-wide function, which is asked first how much memory it needs. */
#define ON_DEVICE(...) do {							\
	void *room_ = NULL;							\
	size_t bytes_ = 0;							\
										\
	MUST(__VA_ARGS__);							\
	MUST(cudaMalloc(&room_, bytes_));					\
	MUST(__VA_ARGS__);							\
	MUST(cudaDeviceSynchronize());						\
	MUST(cudaFree(room_));							\
} while (0)
#define ROOM room_, bytes_

struct larger {
	__device__ int operator()(int a, int b) const { return a > b ? a : b; }
};

struct shared_by_warps {
	cub::WarpReduce<int>::TempStorage sums[THREADS / 32];
	cub::WarpScan<long long>::TempStorage scans[THREADS / 32];
};

/* out: per warp a sum, one of its first 20 lanes, and the largest; in @scans each lane's. */
__global__ void warps(const int *in, int *out, long long *scans)
{
	__shared__ shared_by_warps s;
	int i = threadIdx.x, warp = i / 32, x = in[i];
	int sum = cub::WarpReduce<int>(s.sums[warp]).Sum(x);

	__syncwarp();
	int some = cub::WarpReduce<int>(s.sums[warp]).Sum(x, 20);
	__syncwarp();
	int most = cub::WarpReduce<int>(s.sums[warp]).Reduce(x, larger());
	if (i % 32 == 0) {
		out[3 * warp] = sum;
		out[3 * warp + 1] = some;
		out[3 * warp + 2] = most;
	}
	cub::WarpScan<long long>(s.scans[warp]).InclusiveSum((long long)x, scans[i]);
}

template<cub::BlockReduceAlgorithm how> __global__ void block_sums(const int *in, double *out)
{
	using ints = cub::BlockReduce<int, THREADS, how>;
	using doubles = cub::BlockReduce<double, THREADS, how>;
	__shared__ typename ints::TempStorage s;
	__shared__ typename doubles::TempStorage d;
	int x = in[threadIdx.x], sum = ints(s).Sum(x);
	double half = doubles(d).Sum(x * 0.5);

	if (!threadIdx.x) {
		out[0] = sum;
		out[1] = half;
	}
}

__global__ void block_scans(const int *in, int *out, int *total)
{
	using scan = cub::BlockScan<int, THREADS>;
	using load = cub::BlockLoad<int, THREADS, 4, cub::BLOCK_LOAD_WARP_TRANSPOSE>;
	using store = cub::BlockStore<int, THREADS, 4, cub::BLOCK_STORE_WARP_TRANSPOSE>;
	__shared__ union {
		typename scan::TempStorage scan;
		typename load::TempStorage load;
		typename store::TempStorage store;
	} s;
	int items[4], sum;

	load(s.load).Load(in, items);
	__syncthreads();
	scan(s.scan).ExclusiveSum(items, items, sum);
	__syncthreads();
	store(s.store).Store(out, items);
	if (!threadIdx.x)
		*total = sum;
}

__global__ void block_sort(unsigned int *keys, unsigned int *values)
{
	using sort = cub::BlockRadixSort<unsigned int, THREADS, 2, unsigned int>;
	__shared__ typename sort::TempStorage s;
	unsigned int k[2], v[2];

	for (int i = 0; i < 2; i++) {
		k[i] = keys[2 * threadIdx.x + i];
		v[i] = 2 * threadIdx.x + i;
	}
	sort(s).Sort(k, v);
	for (int i = 0; i < 2; i++) {
		keys[2 * threadIdx.x + i] = k[i];
		values[2 * threadIdx.x + i] = v[i];
	}
}

static int *numbers(unsigned int seed)
{
	int *all = managed<int>(N);

	for (int i = 0; i < N; i++) {
		seed = seed * 1664525 + 1013904223;
		all[i] = (int)seed >> 12;
	}
	return all;
}

static void of_warps()
{
	int *in = numbers(1), *out = managed<int>(3 * THREADS / 32);
	long long *scans = managed<long long>(THREADS), sum = 0;

	warps<<<1, THREADS>>>(in, out, scans);
	MUST(cudaDeviceSynchronize());
	for (int w = 0; w < THREADS / 32; w++) {
		int *part = in + 32 * w;

		CHECK(out[3 * w] == std::accumulate(part, part + 32, 0));
		CHECK(out[3 * w + 1] == std::accumulate(part, part + 20, 0));
		CHECK(out[3 * w + 2] == *std::max_element(part, part + 32));
	}
	for (int i = 0; i < THREADS; i++) {
		sum = i % 32 ? sum + in[i] : in[i];
		CHECK(scans[i] == sum, "lane %d: %lld, not %lld", i, scans[i], sum);
	}
}

static void of_blocks()
{
	int *in = numbers(2), *out = managed<int>(4 * THREADS), *total = managed<int>(1);
	unsigned int *keys = managed<unsigned int>(2 * THREADS), *values = managed<unsigned int>(2 * THREADS);
	double *sums = managed<double>(6);
	int sum = std::accumulate(in, in + THREADS, 0);
	std::vector<int> scan(4 * THREADS);

	block_sums<cub::BLOCK_REDUCE_WARP_REDUCTIONS><<<1, THREADS>>>(in, sums);
	block_sums<cub::BLOCK_REDUCE_RAKING><<<1, THREADS>>>(in, sums + 2);
	block_sums<cub::BLOCK_REDUCE_RAKING_COMMUTATIVE_ONLY><<<1, THREADS>>>(in, sums + 4);
	block_scans<<<1, THREADS>>>(in, out, total);
	for (int i = 0; i < 2 * THREADS; i++)
		keys[i] = in[i] & 0xfff;
	MUST(cudaDeviceSynchronize());
	for (int i = 0; i < 3; i++)
		CHECK(sums[2 * i] == sum && sums[2 * i + 1] == sum * 0.5, "sum %d", i);
	std::partial_sum(in, in + 4 * THREADS - 1, scan.begin() + 1);
	CHECK(std::equal(scan.begin(), scan.end(), out));
	CHECK(*total == scan.back() + in[4 * THREADS - 1]);
	block_sort<<<1, THREADS>>>(keys, values);
	MUST(cudaDeviceSynchronize());
	CHECK(std::is_sorted(keys, keys + 2 * THREADS));
	for (int i = 0; i < 2 * THREADS; i++)
		CHECK(keys[i] == ((unsigned int)in[values[i]] & 0xfff), "%d", i);
}

static void of_the_device()
{
	int *in = numbers(3), *out = managed<int>(N), *values = managed<int>(N), *order = managed<int>(N);
	std::vector<int> wanted(N);

	ON_DEVICE(cub::DeviceReduce::Sum(ROOM, in, out, N));
	CHECK(*out == std::accumulate(in, in + N, 0));
	ON_DEVICE(cub::DeviceReduce::Min(ROOM, in, out, N));
	CHECK(*out == *std::min_element(in, in + N));
	ON_DEVICE(cub::DeviceScan::InclusiveSum(ROOM, in, out, N));
	std::partial_sum(in, in + N, wanted.begin());
	CHECK(std::equal(wanted.begin(), wanted.end(), out));
	ON_DEVICE(cub::DeviceScan::ExclusiveSum(ROOM, in, out, N));
	CHECK(out[0] == 0 && std::equal(wanted.begin(), wanted.end() - 1, out + 1));
	for (int i = 0; i < N; i++)
		wanted[i] = values[i] = i;
	std::sort(wanted.begin(), wanted.end(),
		  [=](int a, int b) { return in[a] != in[b] ? in[a] < in[b] : a < b; });
	ON_DEVICE(cub::DeviceRadixSort::SortPairs(ROOM, in, out, values, order, N));
	CHECK(std::is_sorted(out, out + N));
	CHECK(std::equal(wanted.begin(), wanted.end(), order));
}

int main()
{
	of_warps();
	of_blocks();
	of_the_device();
	return wrong != 0;
}
