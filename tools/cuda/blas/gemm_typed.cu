// SPDX-License-Identifier: GPL-2.0
/* Products of matrices of other types, which are told as numbers: cublasGemmEx() and its like. */
#include "gemm.h"

/**
 * struct typed_job - the parameters, before their types are known
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
};

/* S: of the scalars; sums are those of T. */
template<class T, class S, class A, class C> static cublasStatus_t typed(const typed_job &j)
{
	return gemm_run<T>(j.handle, j.opa, j.opb, j.m, j.n, j.k, (const S *)j.alpha,
			   gemm_operand<const A>{ (const A *)j.a, NULL, j.stridea, j.lda },
			   gemm_operand<const A>{ (const A *)j.b, NULL, j.strideb, j.ldb },
			   (const S *)j.beta, gemm_operand<C>{ (C *)j.c, NULL, j.stridec, j.ldc },
			   j.count);
}

/* Those of one precision are in gemm.cu. */
static cublasStatus_t typed_same(const typed_job &j, bool twice)
{
	if (twice)
		return cublasDgemmStridedBatched(j.handle, j.opa, j.opb, j.m, j.n, j.k,
						 (const double *)j.alpha, (const double *)j.a,
						 j.lda, j.stridea, (const double *)j.b, j.ldb,
						 j.strideb, (const double *)j.beta, (double *)j.c,
						 j.ldc, j.stridec, j.count);
	return cublasSgemmStridedBatched(j.handle, j.opa, j.opb, j.m, j.n, j.k,
					 (const float *)j.alpha, (const float *)j.a, j.lda,
					 j.stridea, (const float *)j.b, j.ldb, j.strideb,
					 (const float *)j.beta, (float *)j.c, j.ldc, j.stridec,
					 j.count);
}

/* With scalars of float: what A and B are, and what C is. */
static cublasStatus_t typed_float(const typed_job &j, cudaDataType from, cudaDataType to)
{
	if (from == CUDA_R_32F && to == CUDA_R_32F)
		return typed_same(j, false);
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
		return a == CUDA_R_64F && c == CUDA_R_64F ? typed_same(j, true) :
							    CUBLAS_STATUS_NOT_SUPPORTED;
	case CUBLAS_COMPUTE_16F:
	case CUBLAS_COMPUTE_16F_PEDANTIC:
		return a == CUDA_R_16F && c == CUDA_R_16F ? typed<float, __half, __half,
							    __half>(j) : CUBLAS_STATUS_NOT_SUPPORTED;
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
						      b, ldb, 0, beta, c, ldc, 0, 1 });
}

extern "C" cublasStatus_t cublasGemmEx(cublasHandle_t handle, cublasOperation_t opa,
				       cublasOperation_t opb, int m, int n, int k,
				       const void *alpha, const void *a, cudaDataType typea,
				       int lda, const void *b, cudaDataType typeb, int ldb,
				       const void *beta, void *c, cudaDataType typec, int ldc,
				       cublasComputeType_t compute, cublasGemmAlgo_t)
{
	return typed_run({ handle, opa, opb, m, n, k, alpha, a, lda, 0, b, ldb, 0, beta, c, ldc, 0,
			 1 }, typea, typeb, typec, compute);
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
			   beta, c, ldc, stridec, count }, typea, typeb, typec, compute);
}
