// SPDX-License-Identifier: GPL-2.0
/* Matrices, element by element: geam, dgmm. */
#include "kernel.h"

template<class T>
__device__ T element(const T *a, long long ld, bool transposed, long long i, long long j)
{
	return transposed ? a[j + i * ld] : a[i + j * ld];
}

/* What is multiplied by zero is not read. */
template<class T>
__global__ void geam(bool opa, bool opb, long long m, long long n, blas_scalar<T> alpha,
		     const T *a, long long lda, blas_scalar<T> beta, const T *b, long long ldb,
		     T *c, long long ldc)
{
	T by_a = alpha.get(), by_b = beta.get();

	for (long long at = blas_first(); at < m * n; at += blas_all()) {
		long long i = at % m, j = at / m;
		T sum = by_a != 0 ? by_a * element(a, lda, opa, i, j) : T(0);

		if (by_b != 0)
			sum += by_b * element(b, ldb, opb, i, j);
		c[i + j * ldc] = sum;
	}
}

template<class T>
__global__ void dgmm(bool left, long long m, long long n, const T *a, long long lda,
		     blas_vector<const T> x, T *c, long long ldc)
{
	for (long long at = blas_first(); at < m * n; at += blas_all()) {
		long long i = at % m, j = at / m;

		c[i + j * ldc] = a[i + j * lda] * x[left ? i : j];
	}
}

#define MATRIX(real, S)										\
	extern "C" cublasStatus_t cublas##S##geam(cublasHandle_t handle, cublasOperation_t opa,	\
						  cublasOperation_t opb, int m, int n, const real *alpha, \
						  const real *a, int lda, const real *beta,	\
						  const real *b, int ldb, real *c, int ldc)	\
	{											\
		bool ta = blas_is_transposed(opa), tb = blas_is_transposed(opb);		\
												\
		if (!handle)									\
			return CUBLAS_STATUS_NOT_INITIALIZED;					\
		if (!blas_is_operation(opa) || !blas_is_operation(opb) || m < 0 || n < 0 || !alpha || \
		    !beta || lda < (ta ? n : m) || ldb < (tb ? n : m) || ldc < m || lda < 1 ||	\
		    ldb < 1 || ldc < 1)								\
			return CUBLAS_STATUS_INVALID_VALUE;					\
		if (!m || !n)									\
			return CUBLAS_STATUS_SUCCESS;						\
		geam<real><<<blas_blocks((long long)m * n), BLAS_THREADS, 0, handle->stream>>>	\
			(ta, tb, m, n, blas_scalar_of(handle, alpha), a, lda,			\
			 blas_scalar_of(handle, beta), b, ldb, c, ldc);				\
		return blas_launched();								\
	}											\
	extern "C" cublasStatus_t cublas##S##dgmm(cublasHandle_t handle, cublasSideMode_t side, int m, \
						  int n, const real *a, int lda, const real *x, int incx, \
						  real *c, int ldc)				\
	{											\
		bool left = side == CUBLAS_SIDE_LEFT;						\
												\
		if (!handle)									\
			return CUBLAS_STATUS_NOT_INITIALIZED;					\
		if ((unsigned int)side > CUBLAS_SIDE_RIGHT || m < 0 || n < 0 || lda < m || ldc < m || \
		    lda < 1 || ldc < 1)								\
			return CUBLAS_STATUS_INVALID_VALUE;					\
		if (!m || !n)									\
			return CUBLAS_STATUS_SUCCESS;						\
		dgmm<real><<<blas_blocks((long long)m * n), BLAS_THREADS, 0, handle->stream>>>	\
			(left, m, n, a, lda, blas_vector_of(x, left ? m : n, incx), c, ldc);	\
		return blas_launched();								\
	}

MATRIX(float, S)
MATRIX(double, D)
