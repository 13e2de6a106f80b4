// SPDX-License-Identifier: GPL-2.0
/* Products of matrices of other types, which are told as numbers: cublasGemmEx() and its like. */
#include "gemm.h"

/**
 * struct typed_job - the parameters, before their types are known
 *
 * With @many, @a, @b and @c are arrays in GPU memory of where each matrix is.
 */
struct typed_job {
	cublasHandle_t handle;
	cublasOperation_t opa, opb;
	int m, n, k;
	const void *alpha, *a;
	int lda;
	long long stridea;
	const void *b;
	int ldb;
	long long strideb;
	const void *beta;
	void *c;
	int ldc;
	long long stridec;
	int count;
	bool many;
};

template<class E>
static gemm_operand<E> typed_operand(const typed_job &j, const void *at, long long stride, int ld)
{
	if (j.many)
		return { NULL, (E *const *)at, 0, ld };
	return { (E *)at, NULL, stride, ld };
}

/* S: of the scalars; sums are those of T. */
template<class T, class S, class A, class C> static cublasStatus_t typed(const typed_job &j)
{
	return gemm_run<T>(j.handle, j.opa, j.opb, j.m, j.n, j.k, (const S *)j.alpha,
			   typed_operand<const A>(j, j.a, j.stridea, j.lda),
			   typed_operand<const A>(j, j.b, j.strideb, j.ldb),
			   (const S *)j.beta, typed_operand<C>(j, j.c, j.stridec, j.ldc), j.count);
}

/* With scalars of float: what A and B are, and what C is. */
static cublasStatus_t typed_float(const typed_job &j, cudaDataType from, cudaDataType to)
{
	if (from == CUDA_R_32F && to == CUDA_R_32F)
		return typed<float, float, float, float>(j);
	if (from == CUDA_R_16F && to == CUDA_R_32F)
		return typed<float, float, __half, float>(j);
	if (from == CUDA_R_16F && to == CUDA_R_16F)
		return typed<float, float, __half, __half>(j);
	if (from == CUDA_R_16BF && to == CUDA_R_32F)
		return typed<float, float, __nv_bfloat16, float>(j);
	if (from == CUDA_R_16BF && to == CUDA_R_16BF)
		return typed<float, float, __nv_bfloat16, __nv_bfloat16>(j);
	return CUBLAS_STATUS_NOT_SUPPORTED;
}

/* Table of types: NVIDIA's documentation of cublasGemmEx().  Those of integers are not here. */
static cublasStatus_t typed_run(const typed_job &j, cudaDataType a, cudaDataType b, cudaDataType c,
				cublasComputeType_t compute)
{
	if (!j.handle)
		return CUBLAS_STATUS_NOT_INITIALIZED;
	if (a != b)
		return CUBLAS_STATUS_NOT_SUPPORTED;
	switch (compute) {
	case CUBLAS_COMPUTE_64F:
	case CUBLAS_COMPUTE_64F_PEDANTIC:
		if (a == CUDA_R_64F && c == CUDA_R_64F)
			return typed<double, double, double, double>(j);
		return CUBLAS_STATUS_NOT_SUPPORTED;
	case CUBLAS_COMPUTE_16F:
	case CUBLAS_COMPUTE_16F_PEDANTIC:
		if (a == CUDA_R_16F && c == CUDA_R_16F)
			return typed<float, __half, __half, __half>(j);
		return CUBLAS_STATUS_NOT_SUPPORTED;
	case CUBLAS_COMPUTE_32I:
	case CUBLAS_COMPUTE_32I_PEDANTIC:
		return CUBLAS_STATUS_NOT_SUPPORTED;
	default:
		return typed_float(j, a, c);
	}
}

extern "C" cublasStatus_t cublasHgemm(cublasHandle_t handle, cublasOperation_t opa,
				      cublasOperation_t opb, int m, int n, int k,
				      const __half *alpha, const __half *a, int lda,
				      const __half *b, int ldb, const __half *beta, __half *c,
				      int ldc)
{
	return typed<float, __half, __half, __half>({ handle, opa, opb, m, n, k, alpha, a, lda, 0,
						      b, ldb, 0, beta, c, ldc, 0, 1, false });
}

extern "C" cublasStatus_t cublasHgemmStridedBatched(cublasHandle_t handle, cublasOperation_t opa,
						    cublasOperation_t opb, int m, int n, int k,
						    const __half *alpha, const __half *a, int lda,
						    long long stridea, const __half *b, int ldb,
						    long long strideb, const __half *beta, __half *c,
						    int ldc, long long stridec, int count)
{
	return typed<float, __half, __half, __half>({ handle, opa, opb, m, n, k, alpha, a, lda,
						      stridea, b, ldb, strideb, beta, c, ldc,
						      stridec, count, false });
}

extern "C" cublasStatus_t cublasHgemmBatched(cublasHandle_t handle, cublasOperation_t opa,
					     cublasOperation_t opb, int m, int n, int k,
					     const __half *alpha, const __half *const a[], int lda,
					     const __half *const b[], int ldb, const __half *beta,
					     __half *const c[], int ldc, int count)
{
	return typed<float, __half, __half, __half>({ handle, opa, opb, m, n, k, alpha, a, lda, 0,
						      b, ldb, 0, beta, (void *)c, ldc, 0, count,
						      true });
}

extern "C" cublasStatus_t cublasGemmEx(cublasHandle_t handle, cublasOperation_t opa,
				       cublasOperation_t opb, int m, int n, int k,
				       const void *alpha, const void *a, cudaDataType typea,
				       int lda, const void *b, cudaDataType typeb, int ldb,
				       const void *beta, void *c, cudaDataType typec, int ldc,
				       cublasComputeType_t compute, cublasGemmAlgo_t)
{
	return typed_run({ handle, opa, opb, m, n, k, alpha, a, lda, 0, b, ldb, 0, beta, c, ldc, 0,
			 1, false }, typea, typeb, typec, compute);
}

extern "C" cublasStatus_t cublasGemmStridedBatchedEx(cublasHandle_t handle, cublasOperation_t opa,
						     cublasOperation_t opb, int m, int n, int k,
						     const void *alpha, const void *a,
						     cudaDataType typea, int lda,
						     long long stridea, const void *b,
						     cudaDataType typeb, int ldb,
						     long long strideb, const void *beta, void *c,
						     cudaDataType typec, int ldc,
						     long long stridec, int count,
						     cublasComputeType_t compute, cublasGemmAlgo_t)
{
	return typed_run({ handle, opa, opb, m, n, k, alpha, a, lda, stridea, b, ldb, strideb,
			   beta, c, ldc, stridec, count, false }, typea, typeb, typec, compute);
}

extern "C" cublasStatus_t cublasGemmBatchedEx(cublasHandle_t handle, cublasOperation_t opa,
					      cublasOperation_t opb, int m, int n, int k,
					      const void *alpha, const void *const a[],
					      cudaDataType typea, int lda, const void *const b[],
					      cudaDataType typeb, int ldb, const void *beta,
					      void *const c[], cudaDataType typec, int ldc, int count,
					      cublasComputeType_t compute, cublasGemmAlgo_t)
{
	return typed_run({ handle, opa, opb, m, n, k, alpha, a, lda, 0, b, ldb, 0, beta, (void *)c,
			   ldc, 0, count, true }, typea, typeb, typec, compute);
}
