/* SPDX-License-Identifier: GPL-2.0 */
/*
 * cuBLAS: the part of it that tools/cuda/blas has.  Names, numbers and what the calls do: NVIDIA's
 * documentation of cuBLAS, and of BLAS itself.  Matrices lie column by column.
 */
#ifndef SOFTUVM_CUBLAS_V2_H
#define SOFTUVM_CUBLAS_V2_H

#include "cuComplex.h"
#include "cuda_bf16.h"
#include "cuda_fp16.h"
#include "cuda_runtime_api.h"
#include "library_types.h"

/* What programs ask to find out whether this file was included, and which version it is. */
#define CUBLAS_V2_H_
#define CUBLAS_API_H_
#define CUBLAS_VER_MAJOR	12
#define CUBLAS_VER_MINOR	0
#define CUBLAS_VER_PATCH	0
#define CUBLAS_VERSION		120000

typedef enum {
	CUBLAS_STATUS_SUCCESS = 0,
	CUBLAS_STATUS_NOT_INITIALIZED = 1,
	CUBLAS_STATUS_ALLOC_FAILED = 3,
	CUBLAS_STATUS_INVALID_VALUE = 7,
	CUBLAS_STATUS_ARCH_MISMATCH = 8,
	CUBLAS_STATUS_MAPPING_ERROR = 11,
	CUBLAS_STATUS_EXECUTION_FAILED = 13,
	CUBLAS_STATUS_INTERNAL_ERROR = 14,
	CUBLAS_STATUS_NOT_SUPPORTED = 15,
	CUBLAS_STATUS_LICENSE_ERROR = 16
} cublasStatus_t;

typedef enum {
	CUBLAS_OP_N = 0,
	CUBLAS_OP_T = 1,
	CUBLAS_OP_C = 2,
	CUBLAS_OP_HERMITAN = 2,
	CUBLAS_OP_CONJG = 3
} cublasOperation_t;

typedef enum {
	CUBLAS_FILL_MODE_LOWER = 0,
	CUBLAS_FILL_MODE_UPPER = 1,
	CUBLAS_FILL_MODE_FULL = 2
} cublasFillMode_t;

typedef enum {
	CUBLAS_DIAG_NON_UNIT = 0,
	CUBLAS_DIAG_UNIT = 1
} cublasDiagType_t;

typedef enum {
	CUBLAS_SIDE_LEFT = 0,
	CUBLAS_SIDE_RIGHT = 1
} cublasSideMode_t;

typedef enum {
	CUBLAS_POINTER_MODE_HOST = 0,
	CUBLAS_POINTER_MODE_DEVICE = 1
} cublasPointerMode_t;

typedef enum {
	CUBLAS_ATOMICS_NOT_ALLOWED = 0,
	CUBLAS_ATOMICS_ALLOWED = 1
} cublasAtomicsMode_t;

/* Wishes: there is one way to multiply here. */
typedef enum {
	CUBLAS_GEMM_DFALT = -1,
	CUBLAS_GEMM_DEFAULT = -1,
	CUBLAS_GEMM_DFALT_TENSOR_OP = 99,
	CUBLAS_GEMM_DEFAULT_TENSOR_OP = 99
} cublasGemmAlgo_t;

typedef enum {
	CUBLAS_DEFAULT_MATH = 0,
	CUBLAS_TENSOR_OP_MATH = 1,
	CUBLAS_PEDANTIC_MATH = 2,
	CUBLAS_TF32_TENSOR_OP_MATH = 3,
	CUBLAS_MATH_DISALLOW_REDUCED_PRECISION_REDUCTION = 16
} cublasMath_t;

typedef enum {
	CUBLAS_COMPUTE_16F = 64,
	CUBLAS_COMPUTE_16F_PEDANTIC = 65,
	CUBLAS_COMPUTE_32F = 68,
	CUBLAS_COMPUTE_32F_PEDANTIC = 69,
	CUBLAS_COMPUTE_64F = 70,
	CUBLAS_COMPUTE_64F_PEDANTIC = 71,
	CUBLAS_COMPUTE_32I = 72,
	CUBLAS_COMPUTE_32I_PEDANTIC = 73,
	CUBLAS_COMPUTE_32F_FAST_16F = 74,
	CUBLAS_COMPUTE_32F_FAST_16BF = 75,
	CUBLAS_COMPUTE_32F_FAST_TF32 = 77
} cublasComputeType_t;

typedef cudaDataType cublasDataType_t;
typedef struct cublasContext *cublasHandle_t;

#ifdef __cplusplus
extern "C" {
#endif

cublasStatus_t cublasCreate(cublasHandle_t *handle);
cublasStatus_t cublasDestroy(cublasHandle_t handle);
cublasStatus_t cublasGetVersion(cublasHandle_t handle, int *version);
cublasStatus_t cublasGetProperty(libraryPropertyType type, int *value);
cublasStatus_t cublasSetStream(cublasHandle_t handle, cudaStream_t stream);
cublasStatus_t cublasGetStream(cublasHandle_t handle, cudaStream_t *stream);
cublasStatus_t cublasSetWorkspace(cublasHandle_t handle, void *memory, size_t bytes);
cublasStatus_t cublasSetPointerMode(cublasHandle_t handle, cublasPointerMode_t mode);
cublasStatus_t cublasGetPointerMode(cublasHandle_t handle, cublasPointerMode_t *mode);
cublasStatus_t cublasSetAtomicsMode(cublasHandle_t handle, cublasAtomicsMode_t mode);
cublasStatus_t cublasGetAtomicsMode(cublasHandle_t handle, cublasAtomicsMode_t *mode);
cublasStatus_t cublasSetMathMode(cublasHandle_t handle, cublasMath_t mode);
cublasStatus_t cublasGetMathMode(cublasHandle_t handle, cublasMath_t *mode);
const char *cublasGetStatusName(cublasStatus_t status);
const char *cublasGetStatusString(cublasStatus_t status);

cublasStatus_t cublasSetVector(int n, int bytes, const void *x, int incx, void *y, int incy);
cublasStatus_t cublasGetVector(int n, int bytes, const void *x, int incx, void *y, int incy);
cublasStatus_t cublasSetVectorAsync(int n, int bytes, const void *x, int incx, void *y, int incy,
				    cudaStream_t stream);
cublasStatus_t cublasGetVectorAsync(int n, int bytes, const void *x, int incx, void *y, int incy,
				    cudaStream_t stream);
cublasStatus_t cublasSetMatrix(int rows, int columns, int bytes, const void *a, int lda, void *b,
			       int ldb);
cublasStatus_t cublasGetMatrix(int rows, int columns, int bytes, const void *a, int lda, void *b,
			       int ldb);
cublasStatus_t cublasSetMatrixAsync(int rows, int columns, int bytes, const void *a, int lda,
				    void *b, int ldb, cudaStream_t stream);
cublasStatus_t cublasGetMatrixAsync(int rows, int columns, int bytes, const void *a, int lda,
				    void *b, int ldb, cudaStream_t stream);

#define SOFTUVM_BLAS_AMAX(letter)	cublasI##letter##amax
#define SOFTUVM_BLAS_AMIN(letter)	cublasI##letter##amin
#define SOFTUVM_BLAS(real, S, s)								\
	cublasStatus_t cublas##S##axpy(cublasHandle_t handle, int n, const real *alpha,		\
				       const real *x, int incx, real *y, int incy);		\
	cublasStatus_t cublas##S##copy(cublasHandle_t handle, int n, const real *x, int incx,	\
				       real *y, int incy);					\
	cublasStatus_t cublas##S##swap(cublasHandle_t handle, int n, real *x, int incx, real *y, \
				       int incy);						\
	cublasStatus_t cublas##S##scal(cublasHandle_t handle, int n, const real *alpha, real *x, \
				       int incx);						\
	cublasStatus_t cublas##S##rot(cublasHandle_t handle, int n, real *x, int incx, real *y,	\
				      int incy, const real *c, const real *s_);			\
	cublasStatus_t cublas##S##dot(cublasHandle_t handle, int n, const real *x, int incx,	\
				      const real *y, int incy, real *result);			\
	cublasStatus_t cublas##S##nrm2(cublasHandle_t handle, int n, const real *x, int incx,	\
				       real *result);						\
	cublasStatus_t cublas##S##asum(cublasHandle_t handle, int n, const real *x, int incx,	\
				       real *result);						\
	cublasStatus_t SOFTUVM_BLAS_AMAX(s)(cublasHandle_t handle, int n, const real *x, int incx, \
					    int *result);					\
	cublasStatus_t SOFTUVM_BLAS_AMIN(s)(cublasHandle_t handle, int n, const real *x, int incx, \
					    int *result);					\
	cublasStatus_t cublas##S##gemv(cublasHandle_t handle, cublasOperation_t op, int m, int n, \
				       const real *alpha, const real *a, int lda, const real *x, \
				       int incx, const real *beta, real *y, int incy);		\
	cublasStatus_t cublas##S##symv(cublasHandle_t handle, cublasFillMode_t fill, int n,	\
				       const real *alpha, const real *a, int lda, const real *x, \
				       int incx, const real *beta, real *y, int incy);		\
	cublasStatus_t cublas##S##ger(cublasHandle_t handle, int m, int n, const real *alpha,	\
				      const real *x, int incx, const real *y, int incy, real *a, \
				      int lda);							\
	cublasStatus_t cublas##S##gemm(cublasHandle_t handle, cublasOperation_t opa,		\
				       cublasOperation_t opb, int m, int n, int k,		\
				       const real *alpha, const real *a, int lda, const real *b, \
				       int ldb, const real *beta, real *c, int ldc);		\
	cublasStatus_t cublas##S##gemmBatched(cublasHandle_t handle, cublasOperation_t opa,	\
					      cublasOperation_t opb, int m, int n, int k,	\
					      const real *alpha, const real *const a[], int lda, \
					      const real *const b[], int ldb, const real *beta,	\
					      real *const c[], int ldc, int count);		\
	cublasStatus_t cublas##S##gemmStridedBatched(cublasHandle_t handle, cublasOperation_t opa, \
						     cublasOperation_t opb, int m, int n, int k, \
						     const real *alpha, const real *a, int lda,	\
						     long long stridea, const real *b, int ldb,	\
						     long long strideb, const real *beta, real *c, \
						     int ldc, long long stridec, int count);	\
	cublasStatus_t cublas##S##syrk(cublasHandle_t handle, cublasFillMode_t fill,		\
				       cublasOperation_t op, int n, int k, const real *alpha,	\
				       const real *a, int lda, const real *beta, real *c, int ldc); \
	cublasStatus_t cublas##S##geam(cublasHandle_t handle, cublasOperation_t opa,		\
				       cublasOperation_t opb, int m, int n, const real *alpha,	\
				       const real *a, int lda, const real *beta, const real *b,	\
				       int ldb, real *c, int ldc);				\
	cublasStatus_t cublas##S##dgmm(cublasHandle_t handle, cublasSideMode_t side, int m, int n, \
				       const real *a, int lda, const real *x, int incx, real *c, \
				       int ldc)

SOFTUVM_BLAS(float, S, s);
SOFTUVM_BLAS(double, D, d);

cublasStatus_t cublasDotEx(cublasHandle_t handle, int n, const void *x, cudaDataType typex, int incx,
			   const void *y, cudaDataType typey, int incy, void *result,
			   cudaDataType typer, cudaDataType compute);
cublasStatus_t cublasDotcEx(cublasHandle_t handle, int n, const void *x, cudaDataType typex, int incx,
			    const void *y, cudaDataType typey, int incy, void *result,
			    cudaDataType typer, cudaDataType compute);
cublasStatus_t cublasGemmEx(cublasHandle_t handle, cublasOperation_t opa, cublasOperation_t opb,
			    int m, int n, int k, const void *alpha, const void *a,
			    cudaDataType typea, int lda, const void *b, cudaDataType typeb,
			    int ldb, const void *beta, void *c, cudaDataType typec, int ldc,
			    cublasComputeType_t compute, cublasGemmAlgo_t algorithm);
cublasStatus_t cublasGemmStridedBatchedEx(cublasHandle_t handle, cublasOperation_t opa,
					  cublasOperation_t opb, int m, int n, int k,
					  const void *alpha, const void *a, cudaDataType typea,
					  int lda, long long stridea, const void *b,
					  cudaDataType typeb, int ldb, long long strideb,
					  const void *beta, void *c, cudaDataType typec, int ldc,
					  long long stridec, int count,
					  cublasComputeType_t compute, cublasGemmAlgo_t algorithm);
cublasStatus_t cublasGemmBatchedEx(cublasHandle_t handle, cublasOperation_t opa,
				   cublasOperation_t opb, int m, int n, int k, const void *alpha,
				   const void *const a[], cudaDataType typea, int lda,
				   const void *const b[], cudaDataType typeb, int ldb,
				   const void *beta, void *const c[], cudaDataType typec, int ldc,
				   int count, cublasComputeType_t compute,
				   cublasGemmAlgo_t algorithm);

#ifdef __cplusplus
/* C has no type for half precision here. */
cublasStatus_t cublasHgemm(cublasHandle_t handle, cublasOperation_t opa, cublasOperation_t opb,
			   int m, int n, int k, const __half *alpha, const __half *a, int lda,
			   const __half *b, int ldb, const __half *beta, __half *c, int ldc);
cublasStatus_t cublasHgemmStridedBatched(cublasHandle_t handle, cublasOperation_t opa,
					 cublasOperation_t opb, int m, int n, int k,
					 const __half *alpha, const __half *a, int lda,
					 long long stridea, const __half *b, int ldb,
					 long long strideb, const __half *beta, __half *c, int ldc,
					 long long stridec, int count);
cublasStatus_t cublasHgemmBatched(cublasHandle_t handle, cublasOperation_t opa,
				  cublasOperation_t opb, int m, int n, int k, const __half *alpha,
				  const __half *const a[], int lda, const __half *const b[], int ldb,
				  const __half *beta, __half *const c[], int ldc, int count);
}

/* Before CUDA 11 the type of the computation was that of values. */
static inline cublasStatus_t cublasGemmEx(cublasHandle_t handle, cublasOperation_t opa,
					  cublasOperation_t opb, int m, int n, int k,
					  const void *alpha, const void *a, cudaDataType typea,
					  int lda, const void *b, cudaDataType typeb, int ldb,
					  const void *beta, void *c, cudaDataType typec, int ldc,
					  cudaDataType compute, cublasGemmAlgo_t algorithm)
{
	return cublasGemmEx(handle, opa, opb, m, n, k, alpha, a, typea, lda, b, typeb, ldb, beta, c,
			    typec, ldc,
			    compute == CUDA_R_16F ? CUBLAS_COMPUTE_16F :
			    compute == CUDA_R_32F ? CUBLAS_COMPUTE_32F :
			    compute == CUDA_R_64F ? CUBLAS_COMPUTE_64F : CUBLAS_COMPUTE_32I,
			    algorithm);
}
#endif

#undef SOFTUVM_BLAS
#undef SOFTUVM_BLAS_AMAX
#undef SOFTUVM_BLAS_AMIN

/* Some programs say the version of the interface themselves. */
#define cublasCreate_v2			cublasCreate
#define cublasDestroy_v2		cublasDestroy
#define cublasGetVersion_v2		cublasGetVersion
#define cublasSetStream_v2		cublasSetStream
#define cublasGetStream_v2		cublasGetStream
#define cublasSetPointerMode_v2		cublasSetPointerMode
#define cublasGetPointerMode_v2		cublasGetPointerMode
#define cublasSaxpy_v2			cublasSaxpy
#define cublasDaxpy_v2			cublasDaxpy
#define cublasSdot_v2			cublasSdot
#define cublasDdot_v2			cublasDdot
#define cublasSscal_v2			cublasSscal
#define cublasDscal_v2			cublasDscal
#define cublasSgemv_v2			cublasSgemv
#define cublasDgemv_v2			cublasDgemv
#define cublasSgemm_v2			cublasSgemm
#define cublasDgemm_v2			cublasDgemm

#endif
