// SPDX-License-Identifier: GPL-2.0
/* Vectors, element by element: axpy, copy, swap, scal, rot. */
#include "kernel.h"

template<class T> __global__ void axpy(long long n, blas_scalar<T> alpha, blas_vector<const T> x,
				       blas_vector<T> y)
{
	T by = alpha.get();

	for (long long i = blas_first(); i < n; i += blas_all())
		y[i] += by * x[i];
}

template<class T> __global__ void copy(long long n, blas_vector<const T> x, blas_vector<T> y)
{
	for (long long i = blas_first(); i < n; i += blas_all())
		y[i] = x[i];
}

template<class T> __global__ void swap(long long n, blas_vector<T> x, blas_vector<T> y)
{
	for (long long i = blas_first(); i < n; i += blas_all()) {
		T was = x[i];

		x[i] = y[i];
		y[i] = was;
	}
}

template<class T> __global__ void scal(long long n, blas_scalar<T> alpha, blas_vector<T> x)
{
	T by = alpha.get();

	for (long long i = blas_first(); i < n; i += blas_all())
		x[i] *= by;
}

template<class T>
__global__ void rot(long long n, blas_vector<T> x, blas_vector<T> y, blas_scalar<T> cosine,
		    blas_scalar<T> sine)
{
	T c = cosine.get(), s = sine.get();

	for (long long i = blas_first(); i < n; i += blas_all()) {
		T was = x[i];

		x[i] = c * was + s * y[i];
		y[i] = c * y[i] - s * was;
	}
}

/* Checks what all calls have; nothing is to be done with no elements, as BLAS has it. */
#define BEGIN(good)										\
	if (!handle)										\
		return CUBLAS_STATUS_NOT_INITIALIZED;						\
	if (n <= 0)										\
		return CUBLAS_STATUS_SUCCESS;							\
	if (!(good))										\
		return CUBLAS_STATUS_INVALID_VALUE

#define X			blas_vector_of(x, n, incx)
#define Y			blas_vector_of(y, n, incy)
#define LAUNCH(kernel, ...)									\
	(kernel<<<blas_blocks(n), BLAS_THREADS, 0, handle->stream>>>(__VA_ARGS__),		\
	 blas_launched())

#define VECTOR(real, S)										\
	extern "C" cublasStatus_t cublas##S##axpy(cublasHandle_t handle, int n, const real *alpha, \
						  const real *x, int incx, real *y, int incy)	\
	{											\
		BEGIN(alpha && x && y);								\
		return LAUNCH(axpy<real>, n, blas_scalar_of(handle, alpha), X, Y);		\
	}											\
	extern "C" cublasStatus_t cublas##S##copy(cublasHandle_t handle, int n, const real *x,	\
						  int incx, real *y, int incy)			\
	{											\
		BEGIN(x && y);									\
		return LAUNCH(copy<real>, n, X, Y);						\
	}											\
	extern "C" cublasStatus_t cublas##S##swap(cublasHandle_t handle, int n, real *x, int incx, \
						  real *y, int incy)				\
	{											\
		BEGIN(x && y);									\
		return LAUNCH(swap<real>, n, X, Y);						\
	}											\
	extern "C" cublasStatus_t cublas##S##scal(cublasHandle_t handle, int n, const real *alpha, \
						  real *x, int incx)				\
	{											\
		if (handle && incx <= 0)							\
			return CUBLAS_STATUS_SUCCESS;						\
		BEGIN(alpha && x);								\
		return LAUNCH(scal<real>, n, blas_scalar_of(handle, alpha), X);			\
	}											\
	extern "C" cublasStatus_t cublas##S##rot(cublasHandle_t handle, int n, real *x, int incx, \
						 real *y, int incy, const real *c, const real *s) \
	{											\
		BEGIN(x && y && c && s);							\
		return LAUNCH(rot<real>, n, X, Y, blas_scalar_of(handle, c),			\
			      blas_scalar_of(handle, s));					\
	}

VECTOR(float, S)
VECTOR(double, D)
