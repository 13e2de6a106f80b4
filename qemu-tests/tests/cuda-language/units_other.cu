// SPDX-License-Identifier: GPL-2.0
// options: -rdc=true
/* The other file of units.cu. */
#include "check.h"
#include "units.h"

__device__ int counter = 50;
__constant__ int scale[4];
static __device__ int own = 1;
static __constant__ int fixed = 30000;

namespace {
__global__ void hidden(int *out)
{
	atomicAdd(out, own + fixed);
}
}

static __device__ int less(int x) { return x - 1 + fixed - 30000; }
static __device__ int more(int x) { return x + 1; }

__device__ operation const operations[2] = { more, less };

__device__ int is_odd(unsigned int n)
{
	return n ? is_even(n - 1) : 0;
}

__device__ int sides_of(const shape *s)
{
	return s->sides();
}

/* The launch says how much there is of it. */
__device__ int sum_of_block(int value)
{
	extern __shared__ int values[];
	int sum = 0;

	values[threadIdx.x] = value;
	__syncthreads();
	for (unsigned int i = 0; i < blockDim.x; i++)
		sum += values[i];
	return sum;
}

__global__ void elsewhere(int *out)
{
	*out = shared_by_all;
}

void run_other(int *out)
{
	int value = 2000;
	int *copy = managed<int>(1);

	MUST(cudaMemcpyToSymbol(own, &value, sizeof(value)));
	hidden<<<1, 1>>>(out);
	*copy = 1;
	doubles<<<1, 1>>>(copy);
	MUST(cudaDeviceSynchronize());
	CHECK(*copy == 2, "%d", *copy);
	MUST(cudaFree(copy));
	if (wrong)
		exit(1);
}
