// SPDX-License-Identifier: GPL-2.0
// options: -rdc=true
/*
 * Device code of two files, linked (nvcc -rdc=true): functions, variables, kernels and tables of
 * functions of the one are used in the other, and static ones of one name stay apart.
 */
#include "check.h"
#include "units.h"

__managed__ int shared_by_all = 5;
__device__ int *to_counter = &counter;
static __device__ int own = 1;
static __constant__ int fixed = 100;

namespace {
__global__ void hidden(int *out)
{
	atomicAdd(out, own + fixed);
}
}

struct square : shape {
	__device__ int sides() const override { return 4; }
};

/* With is_odd() it goes back and forth. */
__device__ int is_even(unsigned int n)
{
	return n ? is_odd(n - 1) : 1;
}

__global__ void uses(int *out)
{
	square s;

	out[0] = is_even(10) + 2 * is_even(7);
	out[1] = scale[0] + scale[3];
	out[2] = sides_of(&s);
	out[3] = operations[0](5) * 100 + operations[1](5);
	out[4] = twice(21);
	atomicAdd(to_counter, 7);
	shared_by_all += 1;
}

__global__ void sums(int *out)
{
	int sum = sum_of_block(threadIdx.x);

	if (!threadIdx.x)
		*out = sum;
}

static void test_uses(int *out)
{
	int numbers[4] = { 1, 2, 3, 4 }, told = 0;

	MUST(cudaMemcpyToSymbol(scale, numbers, sizeof(numbers)));
	uses<<<1, 1>>>(out);
	MUST(cudaDeviceSynchronize());
	CHECK(out[0] == 1, "%d", out[0]);
	CHECK(out[1] == 5, "%d", out[1]);
	CHECK(out[2] == 4, "%d", out[2]);
	CHECK(out[3] == 604, "%d", out[3]);
	CHECK(out[4] == 42, "%d", out[4]);
	MUST(cudaMemcpyFromSymbol(&told, counter, sizeof(told)));
	CHECK(told == 57, "%d", told);
	CHECK(shared_by_all == 6, "%d", shared_by_all);
}

static void test_statics(int *out)
{
	int value = 3;

	MUST(cudaMemcpyToSymbol(own, &value, sizeof(value)));
	*out = 0;
	hidden<<<1, 1>>>(out);
	MUST(cudaDeviceSynchronize());
	CHECK(*out == 103, "%d", *out);
	run_other(out);
	MUST(cudaDeviceSynchronize());
	CHECK(*out == 103 + 2000 + 30000, "%d", *out);
}

int main()
{
	int *out = managed<int>(8);

	test_uses(out);
	test_statics(out);
	sums<<<1, 64, 64 * sizeof(int)>>>(out);
	elsewhere<<<1, 1>>>(out + 1);
	MUST(cudaDeviceSynchronize());
	CHECK(out[0] == 63 * 64 / 2, "%d", out[0]);
	CHECK(out[1] == 6, "%d", out[1]);
	out[2] = 8;
	doubles<<<1, 1>>>(out + 2);
	MUST(cudaDeviceSynchronize());
	CHECK(out[2] == 16, "%d", out[2]);
	return wrong != 0;
}
