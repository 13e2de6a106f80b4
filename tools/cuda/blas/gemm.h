/* SPDX-License-Identifier: GPL-2.0 */
/* Products of matrices: what gemm.cu and gemm_typed.cu share. */
#ifndef SOFTUVM_BLAS_GEMM_H
#define SOFTUVM_BLAS_GEMM_H

#include "kernel.h"

/*
 * A block makes TILE x TILE of the result, DEPTH products of each at a time; a thread makes PART x PART
 * of them, so that what it reads from shared memory is used twice.
 */
#define GEMM_TILE	32
#define GEMM_DEPTH	16
#define GEMM_PART	2
#define GEMM_SIDE	(GEMM_TILE / GEMM_PART)

/* Blocks in the second and third dimension of a grid: CUDA's limit. */
#define GEMM_MOST	65535

/**
 * struct gemm_operand - a matrix, or one of each product of a batch
 * @one: the first
 * @many: or where each is; GPU memory
 * @stride: elements from one to the next of @one
 * @ld: elements from a column to the next
 */
template<class E> struct gemm_operand {
	E *one;
	E *const *many;
	long long stride;
	long long ld;

	__device__ E *at(int number) const { return many ? many[number] : one + number * stride; }
};

/**
 * struct gemm_job - C = alpha op(A) op(B) + beta C
 * @m: rows of C
 * @n: its columns
 * @k: products of each element
 * @count: of the batch
 * @opa: A is taken transposed
 * @opb: so is B
 * @fill: what of C is written; FULL: all
 */
template<class T, class S, class A, class C> struct gemm_job {
	int m, n, k, count;
	bool opa, opb;
	cublasFillMode_t fill;
	blas_scalar<S> alpha, beta;
	gemm_operand<const A> a, b;
	gemm_operand<C> c;
};

/* Tiles that so many rows or columns have. */
__host__ __device__ static inline unsigned int gemm_tiles(unsigned int n)
{
	return (n + GEMM_TILE - 1) / GEMM_TILE;
}

/* DEPTH x TILE of an operand; zeros behind its ends.  Lanes read what lies together. */
template<class T, class E>
__device__ void gemm_stage(T (*tile)[GEMM_TILE], const E *from, long long ld, bool along, int first,
			   int count, int done, int depth)
{
	for (int e = threadIdx.x; e < GEMM_DEPTH * GEMM_TILE; e += GEMM_SIDE * GEMM_SIDE) {
		int d = along ? e % GEMM_DEPTH : e / GEMM_TILE;
		int i = along ? e / GEMM_DEPTH : e % GEMM_TILE;
		long long inner = done + d, outer = first + i;
		T value = 0;

		if (inner < depth && outer < count)
			value = T(along ? from[inner + outer * ld] : from[outer + inner * ld]);
		tile[d][i] = value;
	}
}

template<class T, class S, class A, class C>
__device__ void gemm_put(const gemm_job<T, S, A, C> &job, C *c, int row, int column, T sum,
			 T alpha, T beta)
{
	if (row >= job.m || column >= job.n ||
	    (job.fill == CUBLAS_FILL_MODE_LOWER && row < column) ||
	    (job.fill == CUBLAS_FILL_MODE_UPPER && row > column))
		return;
	c += row + column * job.c.ld;
	*c = C(beta == 0 ? alpha * sum : alpha * sum + beta * T(*c));
}

template<class T, class S, class A, class C>
__device__ void gemm_tile(const gemm_job<T, S, A, C> &job, int number, int row, int column,
			  T alpha, T beta)
{
	__shared__ T as[GEMM_DEPTH][GEMM_TILE], bs[GEMM_DEPTH][GEMM_TILE];
	const A *a = job.a.at(number), *b = job.b.at(number);
	int x = threadIdx.x % GEMM_SIDE, y = threadIdx.x / GEMM_SIDE;
	T sum[GEMM_PART][GEMM_PART] = { };

	for (int done = 0; alpha != 0 && done < job.k; done += GEMM_DEPTH) {
		gemm_stage(as, a, job.a.ld, job.opa, row, job.m, done, job.k);
		gemm_stage(bs, b, job.b.ld, !job.opb, column, job.n, done, job.k);
		__syncthreads();
		for (int d = 0; d < GEMM_DEPTH; d++)
			for (int i = 0; i < GEMM_PART; i++)
				for (int j = 0; j < GEMM_PART; j++)
					sum[i][j] += as[d][x + i * GEMM_SIDE] * bs[d][y + j * GEMM_SIDE];
		__syncthreads();
	}
	for (int i = 0; i < GEMM_PART; i++)
		for (int j = 0; j < GEMM_PART; j++)
			gemm_put(job, job.c.at(number), row + x + i * GEMM_SIDE,
				 column + y + j * GEMM_SIDE, sum[i][j], alpha, beta);
}

template<class T, class S, class A, class C> __global__ void gemm(gemm_job<T, S, A, C> job)
{
	unsigned int columns = gemm_tiles(job.n);
	T alpha = T(job.alpha.get()), beta = T(job.beta.get());

	for (int number = blockIdx.z; number < job.count; number += gridDim.z)
		for (unsigned int y = blockIdx.y; y < columns; y += gridDim.y)
			gemm_tile(job, number, blockIdx.x * GEMM_TILE, y * GEMM_TILE, alpha, beta);
}

/* The columns of a matrix do not overlap. */
static inline bool gemm_is_wide(int ld, int rows)
{
	return ld >= rows && ld >= 1;
}

template<class T, class S, class A, class C>
static cublasStatus_t gemm_launch(cublasHandle_t handle, const gemm_job<T, S, A, C> &job)
{
	unsigned int columns = gemm_tiles(job.n);

	if (!job.m || !job.n || !job.count)
		return CUBLAS_STATUS_SUCCESS;
	if (columns > GEMM_MOST)
		columns = GEMM_MOST;
	gemm<<<dim3(gemm_tiles(job.m), columns, job.count < GEMM_MOST ? job.count : GEMM_MOST),
	       GEMM_SIDE * GEMM_SIDE, 0, handle->stream>>>(job);
	return blas_launched();
}

/* Of one product, of several that lie at strides, or wherever they lie. */
template<class T, class S, class A, class C>
static cublasStatus_t gemm_run(cublasHandle_t handle, cublasOperation_t opa, cublasOperation_t opb,
			       int m, int n, int k, const S *alpha, gemm_operand<const A> a,
			       gemm_operand<const A> b, const S *beta, gemm_operand<C> c, int count)
{
	bool ta = blas_is_transposed(opa), tb = blas_is_transposed(opb);

	if (!handle)
		return CUBLAS_STATUS_NOT_INITIALIZED;
	if (!blas_is_operation(opa) || !blas_is_operation(opb) || m < 0 || n < 0 || k < 0 ||
	    count < 0 || !alpha || !beta || !gemm_is_wide(a.ld, ta ? k : m) ||
	    !gemm_is_wide(b.ld, tb ? n : k) || !gemm_is_wide(c.ld, m))
		return CUBLAS_STATUS_INVALID_VALUE;
	return gemm_launch(handle, gemm_job<T, S, A, C>{ m, n, k, count, ta, tb,
							 CUBLAS_FILL_MODE_FULL,
							 blas_scalar_of(handle, alpha),
							 blas_scalar_of(handle, beta), a, b, c });
}

#endif
