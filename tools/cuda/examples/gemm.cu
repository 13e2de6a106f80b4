// SPDX-License-Identifier: GPL-2.0
// Matrix product by tiles in shared memory, whose size the launch says; a template for the type.
//    ./gemm [N]
#include <cmath>
#include <vector>
#include "example.h"

extern __shared__ unsigned char tiles[];

template <typename T, int TILE>
__global__ void multiply(const T *a, const T *b, T *c, int n)
{
	T *left = reinterpret_cast<T *>(tiles), *right = left + TILE * TILE, sum = 0;
	int x = blockIdx.x * TILE + threadIdx.x, y = blockIdx.y * TILE + threadIdx.y;

	for (int k = 0; k < n; k += TILE) {
		int kx = k + threadIdx.x, ky = k + threadIdx.y;

		left[threadIdx.y * TILE + threadIdx.x] = y < n && kx < n ? a[y * n + kx] : 0;
		right[threadIdx.y * TILE + threadIdx.x] = ky < n && x < n ? b[ky * n + x] : 0;
		__syncthreads();
#pragma unroll
		for (int i = 0; i < TILE; i++)
			sum += left[threadIdx.y * TILE + i] * right[i * TILE + threadIdx.x];
		__syncthreads();
	}
	if (x < n && y < n)
		c[y * n + x] = sum;
}

template <typename T> static bool product(int n, double error)
{
	size_t count = (size_t)n * n;
	T *a = managed<T>(count), *b = managed<T>(count), *c = managed<T>(count);
	random_numbers numbers(7);
	bool right = true;

	for (size_t i = 0; i < count; i++) {
		a[i] = numbers.fraction();
		b[i] = numbers.fraction();
	}
	multiply<T, 16><<<dim3(blocks_for(n, 16), blocks_for(n, 16)), dim3(16, 16),
			  2 * 16 * 16 * sizeof(T)>>>(a, b, c, n);
	finish();
	/* each 37th element, for the CPU is slow */
	for (size_t i = 0; i < count; i += 37) {
		double sum = 0;

		for (int k = 0; k < n; k++)
			sum += (double)a[i / n * n + k] * b[(size_t)k * n + i % n];
		right &= std::fabs(c[i] - sum) < error * n;
	}
	CHECK(cudaFree(a));
	CHECK(cudaFree(b));
	CHECK(cudaFree(c));
	return right;
}

int main(int argc, char **argv)
{
	int n = argument(argc, argv, 1, 384);

	return verdict("gemm", product<float>(n, 1e-5) && product<double>(n, 1e-13));
}
