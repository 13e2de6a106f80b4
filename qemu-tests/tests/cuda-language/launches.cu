// SPDX-License-Identifier: GPL-2.0
/* Built-in variables in three dimensions, launches written in every way, and another file's kernel. */
#include "check.h"
#include "launches.h"

__global__ void where(int *out)
{
	dim3 block = blockDim;
	uint3 thread = threadIdx;
	int in_block = (thread.z * block.y + thread.y) * block.x + thread.x;
	int of = (blockIdx.z * gridDim.y + blockIdx.y) * gridDim.x + blockIdx.x;

	out[of * (block.x * block.y * block.z) + in_block] = of * 1000 + in_block + warpSize;
}

__global__ void set(int *out, int value) { out[blockIdx.x] = value; }

/* The compiler makes two calls of a launch; the kernel's arguments are evaluated between them. */
static int throws() { throw 1; }

static int throws_at_odd(int i)
{
	if (i % 2)
		throw i;
	return i;
}

/* A launch whose argument throws has made the first call only.  The next launch takes its own. */
static void arguments_that_throw(int *out)
{
	int caught = 0;

	for (int i = 0; i < 100; i++) {
		try {
			set<<<7, 1>>>(out, throws());
		} catch (int) {
			caught++;
		}
		try {
			set<<<2, 1>>>(out, throws_at_odd(i));
			MUST(cudaDeviceSynchronize());
			CHECK(out[0] == i && out[1] == i && out[2] == -1, "%d: %d %d %d", i, out[0], out[1], out[2]);
		} catch (int) {
			caught++;
		}
		MUST(cudaGetLastError());
	}
	CHECK(caught == 150, "%d", caught);
}

int main()
{
	int *out = managed<int>(512);
	dim3 grid(2, 3, 4);
	cudaStream_t stream;
	int (&array)[512] = *(int (*)[512])out;

	where<<<grid, dim3(3, 2, 2)>>>(out);
	MUST(cudaDeviceSynchronize());
	for (int i = 0; i < 24 * 12; i++)
		CHECK(out[i] == i / 12 * 1000 + i % 12 + 32, "%d: %d", i, out[i]);

	MUST(cudaStreamCreate(&stream));
	set<<<4, 1, 0, stream>>>(array, 1);
	set <<< 3, dim3(1) >>> (out, 2);
	set<< <2, 1>> >(out, 1 << 2 >> 1 << 1);
	set << < 1, 1 >> > (out, 5);
	MUST(cudaDeviceSynchronize());
	CHECK(out[0] == 5 && out[1] == 4 && out[2] == 2 && out[3] == 1, "%d %d %d %d", out[0], out[1],
	      out[2], out[3]);
	of_another_file(out);
	CHECK(out[0] == 42, "%d", out[0]);
	CHECK(of_no_device_file() == 7);
	void *args[] = { &out, &wrong };
	out[0] = 1;
	MUST(cudaLaunchKernel((const void *)set, dim3(1), dim3(1), args, 0, 0));
	MUST(cudaDeviceSynchronize());
	CHECK(out[0] == 0);
	out[2] = -1;
	arguments_that_throw(out);
	return wrong != 0;
}
