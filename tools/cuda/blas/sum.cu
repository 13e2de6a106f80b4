// SPDX-License-Identifier: GPL-2.0
/*
 * One number from a vector: dot, nrm2, asum, amax, amin.  Each block leaves a part, and another kernel
 * joins the parts, so that sums are made in the same order each time.
 */
#include "kernel.h"

/* A sum of products. */
template<class T> struct sum_dot {
	typedef T part, result;

	__device__ static part none() { return 0; }
	__device__ static part of(T x, T y, long long) { return x * y; }
	__device__ static part join(part a, part b) { return a + b; }
	__device__ static result end(part a) { return a; }
};

/* A sum of products of numbers that are no floats, made as one of floats. */
template<class E> struct sum_dot_small : sum_dot<float> {
	typedef E result;

	__device__ static float of(E x, E y, long long) { return float(x) * float(y); }
	__device__ static E end(float a) { return E(a); }
};

/* A sum of sizes. */
template<class T> struct sum_asum : sum_dot<T> {
	__device__ static T of(T x, T, long long) { return fabs(x); }
};

/* A sum of squares, in units of the largest, which then do not overflow: BLAS's rule. */
template<class T> struct sum_nrm2 {
	struct part {
		T scale, sum;
	};
	typedef T result;

	__device__ static part none() { return { 0, 0 }; }
	__device__ static part of(T x, T, long long)
	{
		return { fabs(x), T(x == 0 ? 0 : 1) };
	}
	__device__ static part join(part a, part b)
	{
		T by;

		if (a.scale < b.scale) {
			part larger = b;

			b = a;
			a = larger;
		}
		if (b.sum == 0)
			return a;
		by = b.scale / a.scale;
		a.sum += b.sum * by * by;
		return a;
	}
	__device__ static result end(part a)
	{
		return isinf(a.scale) || a.sum == 0 ? a.scale : a.scale * sqrt(a.sum);
	}
};

/* The first of the largest, or the smallest; elements are counted from 1. */
template<class T, bool Least> struct sum_extreme {
	struct part {
		T size;
		int at;
	};
	typedef int result;

	__device__ static part none() { return { 0, 0 }; }
	__device__ static part of(T x, T, long long i) { return { fabs(x), int(i + 1) }; }
	__device__ static part join(part a, part b)
	{
		bool better = Least ? b.size < a.size : b.size > a.size;

		if (!a.at || (b.at && (better || (b.size == a.size && b.at < a.at))))
			return b;
		return a;
	}
	__device__ static result end(part a) { return a.at; }
};

/* All parts of a block, joined in pairs; right in thread 0. */
template<class S> __device__ typename S::part sum_block(typename S::part own)
{
	__shared__ typename S::part parts[BLAS_THREADS];

	parts[threadIdx.x] = own;
	for (unsigned int step = BLAS_THREADS / 2; step; step /= 2) {
		__syncthreads();
		if (threadIdx.x < step)
			parts[threadIdx.x] = S::join(parts[threadIdx.x], parts[threadIdx.x + step]);
	}
	return parts[0];
}

template<class S, class T>
__global__ void sum_parts(long long n, blas_vector<const T> x,
			  blas_vector<const T> y, typename S::part *parts)
{
	typename S::part own = S::none();

	for (long long i = blas_first(); i < n; i += blas_all())
		own = S::join(own, S::of(x[i], y[i], i));
	own = sum_block<S>(own);
	if (!threadIdx.x)
		parts[blockIdx.x] = own;
}

template<class S> __global__ void sum_end(unsigned int blocks, const typename S::part *parts,
					  typename S::result *result)
{
	typename S::part own = S::none();

	if (threadIdx.x < blocks)
		own = parts[threadIdx.x];
	own = sum_block<S>(own);
	if (!threadIdx.x)
		*result = S::end(own);
}

/* Where the CPU wants the result, it waits for it: cuBLAS does. */
template<class R> static cublasStatus_t sum_told(cublasHandle_t handle, const R *from, R *result)
{
	if (handle->pointers == CUBLAS_POINTER_MODE_DEVICE)
		return blas_launched();
	cudaMemcpyAsync(result, from, sizeof(R), cudaMemcpyDefault, handle->stream);
	return cudaStreamSynchronize(handle->stream) == cudaSuccess ? blas_launched() :
								      CUBLAS_STATUS_EXECUTION_FAILED;
}

template<class R> static cublasStatus_t sum_nothing(cublasHandle_t handle, R *result)
{
	if (handle->pointers == CUBLAS_POINTER_MODE_HOST)
		*result = 0;
	else
		cudaMemsetAsync(result, 0, sizeof(R), handle->stream);
	return CUBLAS_STATUS_SUCCESS;
}

template<class S, class T>
static cublasStatus_t sum(cublasHandle_t handle, int n, const T *x, int incx,
			  const T *y, int incy, typename S::result *result)
{
	typedef typename S::part part;
	typedef typename S::result value;
	unsigned int blocks = blas_blocks(n);
	part *parts;
	value *to;

	static_assert(sizeof(part) <= BLAS_PARTIAL && BLAS_BLOCKS <= BLAS_THREADS,
		      "room for parts");
	if (!handle)
		return CUBLAS_STATUS_NOT_INITIALIZED;
	if (!result || (n > 0 && (!x || !y)))
		return CUBLAS_STATUS_INVALID_VALUE;
	if (n <= 0)
		return sum_nothing(handle, result);
	parts = (part *)handle->partials;
	to = handle->pointers == CUBLAS_POINTER_MODE_DEVICE ?
		     result : (value *)(handle->partials + BLAS_BLOCKS * BLAS_PARTIAL);
	sum_parts<S, T><<<blocks, BLAS_THREADS, 0, handle->stream>>>
		(n, blas_vector_of(x, n, incx), blas_vector_of(y, n, incy), parts);
	sum_end<S><<<1, BLAS_THREADS, 0, handle->stream>>>(blocks, parts, to);
	return sum_told(handle, to, result);
}

/* A vector that is not gone through forwards has no sum: BLAS's rule for those of one vector. */
template<class S, class T>
static cublasStatus_t sum_of_one(cublasHandle_t handle, int n, const T *x, int incx,
				 typename S::result *result)
{
	return sum<S>(handle, incx > 0 ? n : 0, x, incx, x, incx, result);
}

#define SUM(real, S, s)										\
	extern "C" cublasStatus_t cublas##S##dot(cublasHandle_t handle, int n, const real *x, int incx, \
						 const real *y, int incy, real *result)		\
	{											\
		return sum<sum_dot<real>>(handle, n, x, incx, y, incy, result);			\
	}											\
	extern "C" cublasStatus_t cublas##S##nrm2(cublasHandle_t handle, int n, const real *x,	\
						  int incx, real *result)			\
	{											\
		return sum_of_one<sum_nrm2<real>>(handle, n, x, incx, result);			\
	}											\
	extern "C" cublasStatus_t cublas##S##asum(cublasHandle_t handle, int n, const real *x,	\
						  int incx, real *result)			\
	{											\
		return sum_of_one<sum_asum<real>>(handle, n, x, incx, result);			\
	}											\
	extern "C" cublasStatus_t cublasI##s##amax(cublasHandle_t handle, int n, const real *x,	\
						   int incx, int *result)			\
	{											\
		return sum_of_one<sum_extreme<real, false>>(handle, n, x, incx, result);	\
	}											\
	extern "C" cublasStatus_t cublasI##s##amin(cublasHandle_t handle, int n, const real *x,	\
						   int incx, int *result)			\
	{											\
		return sum_of_one<sum_extreme<real, true>>(handle, n, x, incx, result);		\
	}

SUM(float, S, s)
SUM(double, D, d)

/* Table of types: NVIDIA's documentation of cublasDotEx(), without complex ones. */
extern "C" cublasStatus_t cublasDotEx(cublasHandle_t handle, int n, const void *x, cudaDataType typex,
				      int incx, const void *y, cudaDataType typey, int incy,
				      void *result, cudaDataType typer, cudaDataType compute)
{
	bool same = typex == typey && typex == typer, floats = compute == CUDA_R_32F;

	if (!handle)
		return CUBLAS_STATUS_NOT_INITIALIZED;
	if (same && typex == CUDA_R_32F && floats)
		return cublasSdot(handle, n, (const float *)x, incx, (const float *)y, incy,
				  (float *)result);
	if (same && typex == CUDA_R_64F && compute == CUDA_R_64F)
		return cublasDdot(handle, n, (const double *)x, incx, (const double *)y, incy,
				  (double *)result);
	if (same && typex == CUDA_R_16F && floats)
		return sum<sum_dot_small<__half>>(handle, n, (const __half *)x, incx,
						  (const __half *)y, incy, (__half *)result);
	if (same && typex == CUDA_R_16BF && floats)
		return sum<sum_dot_small<__nv_bfloat16>>(handle, n, (const __nv_bfloat16 *)x, incx,
							 (const __nv_bfloat16 *)y, incy,
							 (__nv_bfloat16 *)result);
	return CUBLAS_STATUS_NOT_SUPPORTED;
}

/* Of what is not complex the conjugate is the same. */
extern "C" cublasStatus_t cublasDotcEx(cublasHandle_t handle, int n, const void *x, cudaDataType typex,
				       int incx, const void *y, cudaDataType typey, int incy,
				       void *result, cudaDataType typer, cudaDataType compute)
{
	return cublasDotEx(handle, n, x, typex, incx, y, typey, incy, result, typer, compute);
}
