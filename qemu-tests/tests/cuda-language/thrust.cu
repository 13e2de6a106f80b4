// SPDX-License-Identifier: GPL-2.0
/* Thrust on the GPU: vectors, iterators and algorithms, against what the CPU computes. */
#include <thrust/copy.h>
#include <thrust/count.h>
#include <thrust/device_ptr.h>
#include <thrust/device_vector.h>
#include <thrust/execution_policy.h>
#include <thrust/fill.h>
#include <thrust/for_each.h>
#include <thrust/functional.h>
#include <thrust/gather.h>
#include <thrust/host_vector.h>
#include <thrust/inner_product.h>
#include <thrust/iterator/constant_iterator.h>
#include <thrust/iterator/counting_iterator.h>
#include <thrust/iterator/transform_iterator.h>
#include <thrust/iterator/zip_iterator.h>
#include <thrust/reduce.h>
#include <thrust/remove.h>
#include <thrust/scan.h>
#include <thrust/sequence.h>
#include <thrust/sort.h>
#include <thrust/transform.h>
#include <thrust/transform_reduce.h>
#include <thrust/tuple.h>
#include <thrust/unique.h>
#include <thrust/universal_vector.h>
#include <algorithm>
#include <functional>
#include <numeric>
#include <vector>
#include "check.h"

/* More than a block's share, and no multiple of it. */
#define N 5000

struct square {
	__host__ __device__ long long operator()(int x) const { return (long long)x * x; }
};

struct is_odd {
	__host__ __device__ bool operator()(int x) const { return x & 1; }
};

struct saxpy {
	float a;

	__host__ __device__ float operator()(float x, float y) const { return a * x + y; }
};

struct product {
	__host__ __device__ int operator()(const thrust::tuple<int, int> &t) const
	{
		return thrust::get<0>(t) * thrust::get<1>(t);
	}
};

struct add_to {
	int *sums;

	__device__ void operator()(int x) const { atomicAdd(sums + (x & 3), 1); }
};

__global__ void twice(int *x, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;

	if (i < n)
		x[i] *= 2;
}

template<class A, class B> static bool same(const A &a, const B &b)
{
	return a.size() == b.size() && std::equal(a.begin(), a.end(), b.begin());
}

static std::vector<int> numbers(unsigned int seed)
{
	std::vector<int> all(N);

	for (int &x : all) {
		seed = seed * 1664525 + 1013904223;
		x = (int)seed >> 12;
	}
	return all;
}

static void vectors()
{
	thrust::host_vector<int> h(N);
	thrust::device_vector<int> d(N, 7), other;

	CHECK(thrust::reduce(d.begin(), d.end()) == 7 * N);
	thrust::sequence(d.begin(), d.end(), 3, 2);
	h = d;
	CHECK(h[0] == 3 && h[N - 1] == 3 + 2 * (N - 1));
	twice<<<(N + 255) / 256, 256>>>(thrust::raw_pointer_cast(d.data()), N);
	CHECK(d[10] == 2 * (3 + 20), "%d", (int)d[10]);
	d[10] = -1;
	other = d;
	other.resize(N + 1, 5);
	CHECK(other[10] == -1 && other[N] == 5 && other.size() == N + 1);
	thrust::fill(d.begin(), d.begin() + 5, 9);
	thrust::copy(d.begin(), d.begin() + 6, h.begin());
	CHECK(h[0] == 9 && h[4] == 9 && h[5] == 26);
	thrust::host_vector<int> from(d.begin(), d.end());
	CHECK(from[5] == 26 && from.size() == N);

	thrust::universal_vector<int> u(100);
	thrust::sequence(thrust::device, u.begin(), u.end());
	cudaDeviceSynchronize();
	CHECK(u[99] == 99 && thrust::reduce(thrust::device, u.begin(), u.end()) == 4950);

	int *raw = managed<int>(100);
	thrust::device_ptr<int> p = thrust::device_pointer_cast(raw);
	thrust::fill(p, p + 100, 4);
	thrust::transform(thrust::device, raw, raw + 50, raw, thrust::negate<int>());
	cudaDeviceSynchronize();
	CHECK(raw[0] == -4 && raw[49] == -4 && raw[50] == 4);
}

static void reductions()
{
	std::vector<int> a = numbers(1), b = numbers(2);
	thrust::device_vector<int> x(a.begin(), a.end()), y(b.begin(), b.end());
	long long squares = 0, inner = 0;

	for (int i = 0; i < N; i++) {
		squares += (long long)a[i] * a[i];
		inner += (long long)a[i] * b[i];
	}
	CHECK(thrust::reduce(x.begin(), x.end(), 0ll, thrust::plus<long long>()) ==
	      std::accumulate(a.begin(), a.end(), 0ll));
	CHECK(thrust::reduce(x.begin(), x.end(), INT_MIN, thrust::maximum<int>()) ==
	      *std::max_element(a.begin(), a.end()));
	CHECK(thrust::transform_reduce(x.begin(), x.end(), square(), 0ll, thrust::plus<long long>()) == squares);
	CHECK(thrust::inner_product(x.begin(), x.end(), y.begin(), 0ll, thrust::plus<long long>(),
				    thrust::multiplies<long long>()) == inner);
	CHECK(thrust::count_if(x.begin(), x.end(), is_odd()) == std::count_if(a.begin(), a.end(), is_odd()));
	/* 1 to 1000, squared, without an array. */
	thrust::counting_iterator<int> one(1);
	CHECK(thrust::reduce(thrust::device, thrust::make_transform_iterator(one, square()),
			     thrust::make_transform_iterator(one + 1000, square())) == 333833500ll);
	/* The same numbers, in doubles, whose sum is exact. */
	thrust::device_vector<double> d(N);
	thrust::copy(x.begin(), x.end(), d.begin());
	CHECK(thrust::reduce(d.begin(), d.end()) == (double)std::accumulate(a.begin(), a.end(), 0ll));
}

static void transforms()
{
	std::vector<int> a = numbers(3), b = numbers(4), wanted(N);
	thrust::device_vector<int> x(a.begin(), a.end()), y(b.begin(), b.end()), z(N), sums(4);
	thrust::device_vector<float> f(N), g(N, 0.5f);
	thrust::host_vector<int> h;

	std::transform(a.begin(), a.end(), b.begin(), wanted.begin(), std::minus<int>());
	thrust::transform(x.begin(), x.end(), y.begin(), z.begin(), thrust::minus<int>());
	h = z;
	CHECK(same(h, wanted));
	for (int i = 0; i < N; i++)
		wanted[i] = (a[i] & 255) * i;
	thrust::transform(x.begin(), x.end(), thrust::make_constant_iterator(255), x.begin(),
			  thrust::bit_and<int>());
	thrust::transform(thrust::make_zip_iterator(thrust::make_tuple(x.begin(),
			  thrust::make_counting_iterator(0))), thrust::make_zip_iterator(thrust::make_tuple(
			  x.end(), thrust::make_counting_iterator(N))), z.begin(), product());
	h = z;
	CHECK(same(h, wanted));
	thrust::sequence(f.begin(), f.end());
	thrust::transform(f.begin(), f.end(), g.begin(), g.begin(), saxpy{ 2 });
	CHECK(g[0] == 0.5f && g[N - 1] == 2 * (N - 1) + 0.5f);
	thrust::for_each(thrust::device, x.begin(), x.end(), add_to{ thrust::raw_pointer_cast(sums.data()) });
	for (int i = 0; i < 4; i++)
		CHECK(sums[i] == std::count_if(a.begin(), a.end(), [=](int v) { return (v & 3) == i; }));
	thrust::device_vector<int> map(N);
	thrust::sequence(map.rbegin(), map.rend());
	thrust::gather(map.begin(), map.end(), y.begin(), z.begin());
	std::reverse(b.begin(), b.end());
	h = z;
	CHECK(same(h, b));
}

static void scans()
{
	std::vector<int> a = numbers(5), wanted(N);
	thrust::device_vector<int> x(a.begin(), a.end()), y(N);
	thrust::host_vector<int> h;

	std::partial_sum(a.begin(), a.end(), wanted.begin(), [](int s, int v) { return (int)((unsigned int)s + v); });
	thrust::inclusive_scan(x.begin(), x.end(), y.begin());
	h = y;
	CHECK(same(h, wanted));
	thrust::exclusive_scan(x.begin(), x.end(), x.begin(), 100);
	h = x;
	CHECK(h[0] == 100 && h[1] == 100 + a[0] && h[N - 1] == 100 + wanted[N - 2]);
	std::partial_sum(a.begin(), a.end(), wanted.begin(), [](int s, int v) { return std::max(s, v); });
	x = a;
	thrust::inclusive_scan(x.begin(), x.end(), y.begin(), thrust::maximum<int>());
	h = y;
	CHECK(same(h, wanted));
}

static void selections()
{
	std::vector<int> a = numbers(6), wanted;
	thrust::device_vector<int> x, y(N), keys(N), values(N, 1), some(100), sums(100);
	thrust::host_vector<int> h;

	for (int &v : a)
		v &= 63;
	x = a;
	y.erase(thrust::copy_if(x.begin(), x.end(), y.begin(), is_odd()), y.end());
	std::copy_if(a.begin(), a.end(), std::back_inserter(wanted), is_odd());
	h = y;
	CHECK(same(h, wanted), "%zu", h.size());
	x.erase(thrust::remove_if(x.begin(), x.end(), is_odd()), x.end());
	a.erase(std::remove_if(a.begin(), a.end(), is_odd()), a.end());
	h = x;
	CHECK(same(h, a), "%zu", h.size());
	x.erase(thrust::unique(x.begin(), x.end()), x.end());
	a.erase(std::unique(a.begin(), a.end()), a.end());
	h = x;
	CHECK(same(h, a), "%zu", h.size());
	/* Of N numbers in steps of 100 the keys, and how many there are of each. */
	thrust::transform(thrust::make_counting_iterator(0), thrust::make_counting_iterator(N), keys.begin(),
			  [] __host__ __device__ (int i) { return i / 100; });
	auto ends = thrust::reduce_by_key(keys.begin(), keys.end(), values.begin(), some.begin(), sums.begin());
	CHECK(ends.first - some.begin() == N / 100 && sums[0] == 100 && sums[N / 100 - 1] == 100);
}

static void sorts()
{
	std::vector<int> a = numbers(7), b(N), order(N);
	thrust::device_vector<int> x(a.begin(), a.end()), keys = x, values(N);
	thrust::host_vector<int> h;

	thrust::sequence(values.begin(), values.end());
	std::iota(order.begin(), order.end(), 0);
	std::sort(order.begin(), order.end(),
		  [&](int i, int j) { return a[i] != a[j] ? a[i] < a[j] : i < j; });
	thrust::stable_sort_by_key(keys.begin(), keys.end(), values.begin());
	h = values;
	CHECK(same(h, order));
	std::sort(a.begin(), a.end());
	thrust::sort(x.begin(), x.end());
	h = x;
	CHECK(same(h, a));
	/* A comparison of one's own: not by digits. */
	thrust::sort(x.begin(), x.end(), [] __host__ __device__ (int i, int j) { return i > j; });
	std::reverse(a.begin(), a.end());
	h = x;
	CHECK(same(h, a));
}

int main()
{
	vectors();
	reductions();
	transforms();
	scans();
	selections();
	sorts();
	MUST(cudaDeviceSynchronize());
	return wrong != 0;
}
