// SPDX-License-Identifier: GPL-2.0
/* Products of matrices of float or double: gemm, in batches, syrk. */
#include "gemm.h"

template<class E> static gemm_operand<E> operand(E *one, int ld, long long stride = 0)
{
	return { one, NULL, stride, ld };
}

template<class E> static gemm_operand<E> operand_of_many(E *const *many, int ld)
{
	return { NULL, many, 0, ld };
}

/* A times itself is symmetric: one half of C is written. */
template<class T>
static cublasStatus_t syrk(cublasHandle_t handle, cublasFillMode_t fill, cublasOperation_t op,
			   int n, int k, const T *alpha, const T *a, int lda, const T *beta,
			   T *c, int ldc)
{
	bool transposed = blas_is_transposed(op);

	if (!handle)
		return CUBLAS_STATUS_NOT_INITIALIZED;
	if (!blas_is_operation(op) || (unsigned int)fill > CUBLAS_FILL_MODE_UPPER || n < 0 ||
	    k < 0 || !alpha || !beta || !gemm_is_wide(lda, transposed ? k : n) ||
	    !gemm_is_wide(ldc, n))
		return CUBLAS_STATUS_INVALID_VALUE;
	return gemm_launch(handle, gemm_job<T, T, T, T>{
		n, n, k, 1, transposed, !transposed, fill, blas_scalar_of(handle, alpha),
		blas_scalar_of(handle, beta), operand(a, lda), operand(a, lda), operand(c, ldc) });
}

#define GEMM(real, S)										\
	extern "C" cublasStatus_t cublas##S##gemm(cublasHandle_t handle, cublasOperation_t opa,	\
						  cublasOperation_t opb, int m, int n, int k,	\
						  const real *alpha, const real *a, int lda,	\
						  const real *b, int ldb, const real *beta, real *c, \
						  int ldc)					\
	{											\
		return gemm_run<real>(handle, opa, opb, m, n, k, alpha, operand(a, lda), operand(b, ldb), \
				      beta, operand(c, ldc), 1);				\
	}											\
	extern "C" cublasStatus_t cublas##S##gemmBatched(cublasHandle_t handle, cublasOperation_t opa, \
							 cublasOperation_t opb, int m, int n, int k, \
							 const real *alpha, const real *const a[], \
							 int lda, const real *const b[], int ldb, \
							 const real *beta, real *const c[], int ldc, \
							 int count)				\
	{											\
		return gemm_run<real>(handle, opa, opb, m, n, k, alpha, operand_of_many(a, lda), \
				      operand_of_many(b, ldb), beta, operand_of_many(c, ldc), count); \
	}											\
	extern "C" cublasStatus_t cublas##S##gemmStridedBatched(cublasHandle_t handle,		\
								cublasOperation_t opa,		\
								cublasOperation_t opb, int m, int n, \
								int k, const real *alpha,	\
								const real *a, int lda,		\
								long long stridea, const real *b, \
								int ldb, long long strideb,	\
								const real *beta, real *c, int ldc, \
								long long stridec, int count)	\
	{											\
		return gemm_run<real>(handle, opa, opb, m, n, k, alpha, operand(a, lda, stridea), \
				      operand(b, ldb, strideb), beta, operand(c, ldc, stridec), count); \
	}											\
	extern "C" cublasStatus_t cublas##S##syrk(cublasHandle_t handle, cublasFillMode_t fill,	\
						  cublasOperation_t op, int n, int k, const real *alpha, \
						  const real *a, int lda, const real *beta, real *c, \
						  int ldc)					\
	{											\
		return syrk(handle, fill, op, n, k, alpha, a, lda, beta, c, ldc);		\
	}

GEMM(float, S)
GEMM(double, D)
