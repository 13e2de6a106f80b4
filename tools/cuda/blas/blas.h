/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What the parts of cuBLAS share.  Its kernels are plain CUDA, compiled by "uvm cc" like any program's,
 * so the driver sees their accesses as those of others.
 */
#ifndef SOFTUVM_BLAS_H
#define SOFTUVM_BLAS_H

#include "cublas_v2.h"

/* Threads of a block, and the most blocks of a kernel that goes through a vector. */
#define BLAS_THREADS	256
#define BLAS_BLOCKS	64

/* Bytes that each block of a sum leaves, the largest of them: a double and a scale. */
#define BLAS_PARTIAL	16

/**
 * struct cublasContext - what a handle is
 * @stream: where kernels go
 * @pointers: where scalars are
 * @atomics: kept, and told
 * @math: the same
 * @partials: GPU memory: BLAS_BLOCKS parts of a sum, and the sum
 */
struct cublasContext {
	cudaStream_t stream;
	cublasPointerMode_t pointers;
	cublasAtomicsMode_t atomics;
	cublasMath_t math;
	char *partials;
};

/**
 * struct blas_scalar - alpha or beta
 * @at: where it is when the kernel runs; NULL: it is @value
 * @value: of the CPU's when the call was made
 */
template<class T> struct blas_scalar {
	const T *at;
	T value;

	__device__ T get() const { return at ? *at : value; }
};

template<class T> static inline blas_scalar<T> blas_scalar_of(cublasHandle_t handle, const T *at)
{
	blas_scalar<T> s = { at, T() };

	if (handle->pointers == CUBLAS_POINTER_MODE_HOST) {
		s.at = NULL;
		s.value = *at;
	}
	return s;
}

/**
 * struct blas_vector - every so many elements; with a step below zero from the end
 * @at: the first
 * @step: between two of them, in elements
 */
template<class T> struct blas_vector {
	T *at;
	long long step;

	__device__ T &operator[](long long i) const { return at[i * step]; }
};

template<class T> static inline blas_vector<T> blas_vector_of(T *x, int n, int inc)
{
	return { inc < 0 ? x + (1LL - n) * inc : x, inc };
}

/* Blocks for so many elements: not more than a loop over the grid needs. */
static inline unsigned int blas_blocks(long long n)
{
	long long blocks = (n + BLAS_THREADS - 1) / BLAS_THREADS;

	return blocks < 1 ? 1 : blocks > BLAS_BLOCKS ? BLAS_BLOCKS : blocks;
}

/* An error of an earlier kernel is the program's to ask for, too. */
static inline cublasStatus_t blas_launched(void)
{
	return cudaPeekAtLastError() == cudaSuccess ? CUBLAS_STATUS_SUCCESS :
						      CUBLAS_STATUS_EXECUTION_FAILED;
}

static inline bool blas_is_transposed(cublasOperation_t op)
{
	return op == CUBLAS_OP_T || op == CUBLAS_OP_C;
}

static inline bool blas_is_operation(cublasOperation_t op)
{
	return op == CUBLAS_OP_N || blas_is_transposed(op);
}

#endif
