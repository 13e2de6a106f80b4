// SPDX-License-Identifier: GPL-2.0
/* Its kernel has the name of one in launches.cu, and is another one. */
#include "check.h"
#include "launches.h"

static __device__ int n = 40;

static __global__ void set(int *out, int value) { *out = n + value; }

void of_another_file(int *out)
{
	set<<<1, 1>>>(out, 2);
	MUST(cudaDeviceSynchronize());
}
