// SPDX-License-Identifier: GPL-2.0
// Vector addition, a thread for each element.    ./vecadd [ELEMENTS]
#include "example.h"

__global__ void add(const float *a, const float *b, float *c, size_t n)
{
	size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;

	if (i < n)
		c[i] = a[i] + b[i];
}

int main(int argc, char **argv)
{
	size_t n = argument(argc, argv, 1, 1 << 19);
	float *a = managed<float>(n), *b = managed<float>(n), *c = managed<float>(n);
	bool right = true;

	for (size_t i = 0; i < n; i++) {
		a[i] = i;
		b[i] = 2 * (i % 1000);
	}
	add<<<blocks_for(n, 256), 256>>>(a, b, c, n);
	finish();
	for (size_t i = 0; i < n; i++)
		right &= c[i] == a[i] + b[i];
	CHECK(cudaFree(a));
	CHECK(cudaFree(b));
	CHECK(cudaFree(c));
	return verdict("vecadd", right);
}
