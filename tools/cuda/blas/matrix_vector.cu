// SPDX-License-Identifier: GPL-2.0
/* A matrix and vectors: gemv, symv, ger.  Matrices lie column by column. */
#include "kernel.h"

#define WARP	32

/* With a beta of zero, y is written only: what was there may be no number. */
template<class T> __device__ void put(T &y, T sum, T alpha, T beta)
{
	y = beta == 0 ? alpha * sum : alpha * sum + beta * y;
}

/* A thread for each row: lanes read what lies together. */
template<class T>
__global__ void gemv_rows(long long m, long long n, blas_scalar<T> alpha, const T *a,
			  long long lda, blas_vector<const T> x, blas_scalar<T> beta,
			  blas_vector<T> y)
{
	T by = alpha.get(), keep = beta.get();

	for (long long i = blas_first(); i < m; i += blas_all()) {
		T sum = 0;

		for (long long j = 0; by != 0 && j < n; j++)
			sum += a[i + j * lda] * x[j];
		put(y[i], sum, by, keep);
	}
}

/* A warp for each column of a matrix that is taken transposed. */
template<class T>
__global__ void gemv_columns(long long m, long long n, blas_scalar<T> alpha, const T *a,
			     long long lda, blas_vector<const T> x, blas_scalar<T> beta,
			     blas_vector<T> y)
{
	T by = alpha.get(), keep = beta.get();
	int lane = threadIdx.x % WARP;

	for (long long j = blas_first() / WARP; j < n; j += blas_all() / WARP) {
		T sum = 0;

		for (long long i = lane; by != 0 && i < m; i += WARP)
			sum += a[i + j * lda] * x[i];
		for (int step = WARP / 2; step; step /= 2)
			sum += __shfl_down_sync(0xffffffff, sum, step);
		if (!lane)
			put(y[j], sum, by, keep);
	}
}

/* Of a symmetric matrix one half is there. */
template<class T> __global__ void symv(bool lower, long long n, blas_scalar<T> alpha, const T *a,
				       long long lda, blas_vector<const T> x, blas_scalar<T> beta,
				       blas_vector<T> y)
{
	T by = alpha.get(), keep = beta.get();

	for (long long i = blas_first(); i < n; i += blas_all()) {
		T sum = 0;

		for (long long j = 0; by != 0 && j < n; j++)
			sum += ((j <= i) == lower ? a[i + j * lda] : a[j + i * lda]) * x[j];
		put(y[i], sum, by, keep);
	}
}

template<class T>
__global__ void ger(long long m, long long n, blas_scalar<T> alpha, blas_vector<const T> x,
		    blas_vector<const T> y, T *a, long long lda)
{
	T by = alpha.get();

	for (long long at = blas_first(); at < m * n; at += blas_all())
		a[at % m + at / m * lda] += by * x[at % m] * y[at / m];
}

template<class T>
static cublasStatus_t gemv(cublasHandle_t handle, cublasOperation_t op, int m, int n,
			   const T *alpha, const T *a, int lda, const T *x, int incx,
			   const T *beta, T *y, int incy)
{
	bool transposed = blas_is_transposed(op);
	int from = transposed ? m : n, to = transposed ? n : m;

	if (!handle)
		return CUBLAS_STATUS_NOT_INITIALIZED;
	if (!blas_is_operation(op) || m < 0 || n < 0 || lda < m || lda < 1 || !incx || !incy ||
		!alpha || !beta) return CUBLAS_STATUS_INVALID_VALUE;
	if (!m || !n)
		return CUBLAS_STATUS_SUCCESS;
	(transposed ? gemv_columns<T> : gemv_rows<T>)
		<<<blas_blocks(transposed ? to * (long long)WARP : to), BLAS_THREADS, 0,
		handle->stream>>> (m, n, blas_scalar_of(handle, alpha), a, lda, blas_vector_of(x,
		 from, incx), blas_scalar_of(handle, beta), blas_vector_of(y, to, incy));
	return blas_launched();
}

#define MATRIX_VECTOR(real, S)									\
	extern "C" cublasStatus_t cublas##S##gemv(cublasHandle_t handle, cublasOperation_t op, int m, \
						  int n, const real *alpha, const real *a, int lda, \
						  const real *x, int incx, const real *beta, real *y, \
						  int incy)					\
	{											\
		return gemv(handle, op, m, n, alpha, a, lda, x, incx, beta, y, incy);		\
	}											\
	extern "C" cublasStatus_t cublas##S##symv(cublasHandle_t handle, cublasFillMode_t fill, int n, \
						  const real *alpha, const real *a, int lda,	\
						  const real *x, int incx, const real *beta, real *y, \
						  int incy)					\
	{											\
		if (!handle)									\
			return CUBLAS_STATUS_NOT_INITIALIZED;					\
		if ((unsigned int)fill > CUBLAS_FILL_MODE_UPPER || n < 0 || lda < n || lda < 1 || \
		    !incx || !incy || !alpha || !beta)						\
			return CUBLAS_STATUS_INVALID_VALUE;					\
		if (!n)										\
			return CUBLAS_STATUS_SUCCESS;						\
		symv<real><<<blas_blocks(n), BLAS_THREADS, 0, handle->stream>>>			\
			(fill == CUBLAS_FILL_MODE_LOWER, n, blas_scalar_of(handle, alpha), a, lda, \
			 blas_vector_of(x, n, incx), blas_scalar_of(handle, beta),		\
			 blas_vector_of(y, n, incy));						\
		return blas_launched();								\
	}											\
	extern "C" cublasStatus_t cublas##S##ger(cublasHandle_t handle, int m, int n, const real *alpha, \
						 const real *x, int incx, const real *y, int incy, \
						 real *a, int lda)				\
	{											\
		if (!handle)									\
			return CUBLAS_STATUS_NOT_INITIALIZED;					\
		if (m < 0 || n < 0 || lda < m || lda < 1 || !incx || !incy || !alpha)		\
			return CUBLAS_STATUS_INVALID_VALUE;					\
		if (!m || !n)									\
			return CUBLAS_STATUS_SUCCESS;						\
		ger<real><<<blas_blocks((long long)m * n), BLAS_THREADS, 0, handle->stream>>>	\
			(m, n, blas_scalar_of(handle, alpha), blas_vector_of(x, m, incx),	\
			 blas_vector_of(y, n, incy), a, lda);					\
		return blas_launched();								\
	}

MATRIX_VECTOR(float, S)
MATRIX_VECTOR(double, D)
