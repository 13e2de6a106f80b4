// SPDX-License-Identifier: GPL-2.0
/* __managed__ variables: both sides have them by their names, and move them as other managed memory. */
#include "check.h"

__managed__ int counter = 5;
__managed__ float table[3000] = { 1, 2, 3 };
__managed__ int *pointer;
static __managed__ unsigned int hidden = 7;

__global__ void use()
{
	unsigned int i = blockIdx.x * blockDim.x + threadIdx.x;

	atomicAdd(&counter, 1);
	if (i < 3000)
		table[i] += i;
	if (i == 0)
		hidden += *pointer;
}

int main()
{
	CHECK(counter == 5 && table[2] == 3 && table[2999] == 0, "a value before the first launch");
	pointer = managed<int>(1);
	*pointer = 35;
	use<<<4, 1024>>>();
	MUST(cudaDeviceSynchronize());
	CHECK(counter == 5 + 4096, "%d", counter);
	CHECK(table[0] == 1 && table[2] == 5 && table[2999] == 2999, "%g %g", table[2], table[2999]);
	CHECK(hidden == 42, "%u", hidden);
	counter = 100;
	use<<<1, 32>>>();
	MUST(cudaDeviceSynchronize());
	CHECK(counter == 132, "%d", counter);
	return wrong != 0;
}
