// SPDX-License-Identifier: GPL-2.0
// Conjugate gradients in double precision for Poisson's equation on a square (Hestenes and Stiefel,
// 1952).  Scalar products are added within warps, then by blocks.    ./cg [SIDE [ROUNDS]]
#include <cmath>
#include "example.h"

#define BLOCK	256

/* The five-point stencil: what is beyond the rim is 0. */
__global__ void apply(const double *x, double *y, int side)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x, row = i / side, column = i % side;

	if (i >= side * side)
		return;
	y[i] = 4 * x[i] - (column ? x[i - 1] : 0) - (column < side - 1 ? x[i + 1] : 0) -
	       (row ? x[i - side] : 0) - (row < side - 1 ? x[i + side] : 0);
}

__global__ void dot(const double *a, const double *b, double *sum, int n)
{
	__shared__ double part[BLOCK / 32];
	double mine = 0;

	for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
		mine += a[i] * b[i];
	for (int distance = 16; distance; distance /= 2)
		mine += __shfl_down_sync(0xffffffff, mine, distance);
	if (threadIdx.x % 32 == 0)
		part[threadIdx.x / 32] = mine;
	__syncthreads();
	if (threadIdx.x == 0) {
		for (int i = 1; i < BLOCK / 32; i++)
			mine += part[i];
		atomicAdd(sum, mine);
	}
}

__global__ void add(double *y, double factor, const double *x, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;

	if (i < n)
		y[i] += factor * x[i];
}

__global__ void turn(double *p, double factor, const double *r, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;

	if (i < n)
		p[i] = r[i] + factor * p[i];
}

static double product(const double *a, const double *b, double *sum, int n)
{
	*sum = 0;
	dot<<<16, BLOCK>>>(a, b, sum, n);
	finish();
	return *sum;
}

int main(int argc, char **argv)
{
	int side = argument(argc, argv, 1, 512), rounds = argument(argc, argv, 2, 12);
	int n = side * side, grid = blocks_for(n, BLOCK);
	double *x = managed<double>(n), *r = managed<double>(n), *p = managed<double>(n);
	double *q = managed<double>(n), *sum = managed<double>(1), left, first, before;
	bool right = true;

	for (int i = 0; i < n; i++) {
		x[i] = 0;
		r[i] = p[i] = sin(i * 0.01);
	}
	first = before = product(r, r, sum, n);
	for (int round = 0; round < rounds; round++) {
		double step;

		apply<<<grid, BLOCK>>>(p, q, side);
		step = before / product(p, q, sum, n);
		add<<<grid, BLOCK>>>(x, step, p, n);
		add<<<grid, BLOCK>>>(r, -step, q, n);
		left = product(r, r, sum, n);
		turn<<<grid, BLOCK>>>(p, left / before, r, n);
		before = left;
	}
	finish();
	/* what is left over, computed anew here, is what the rounds said, and it has become less */
	apply<<<grid, BLOCK>>>(x, q, side);
	finish();
	for (int i = 0; i < n; i++)
		right &= std::fabs(sin(i * 0.01) - q[i] - r[i]) < 1e-9;
	right &= before < first;
	printf("%d rounds: %.3g of %.3g is left\n", rounds, before, first);
	CHECK(cudaFree(x));
	CHECK(cudaFree(r));
	CHECK(cudaFree(p));
	CHECK(cudaFree(q));
	CHECK(cudaFree(sum));
	return verdict("cg", right);
}
