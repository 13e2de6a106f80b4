// SPDX-License-Identifier: GPL-2.0
/* Vectors and matrices between the CPU and the GPU: copies of rows. */
#include "blas.h"

/* A row is what lies together: an element of a vector with gaps, a column of a matrix. */
static cublasStatus_t transfer(size_t row, size_t rows, const void *from, size_t from_pitch,
			       void *to, size_t to_pitch, bool wait, cudaStream_t stream)
{
	cudaError_t error;

	if (!row || !rows)
		return CUBLAS_STATUS_SUCCESS;
	error = wait ? cudaMemcpy2D(to, to_pitch, from, from_pitch, row, rows, cudaMemcpyDefault) :
		       cudaMemcpy2DAsync(to, to_pitch, from, from_pitch, row, rows,
					 cudaMemcpyDefault, stream);
	return error == cudaSuccess ? CUBLAS_STATUS_SUCCESS : CUBLAS_STATUS_MAPPING_ERROR;
}

static cublasStatus_t transfer_vector(int n, int bytes, const void *x, int incx, void *y, int incy,
				      bool wait, cudaStream_t stream)
{
	size_t size = bytes;

	if (n < 0 || bytes <= 0 || incx <= 0 || incy <= 0)
		return CUBLAS_STATUS_INVALID_VALUE;
	if (incx == 1 && incy == 1)
		return transfer(n * size, n != 0, x, n * size, y, n * size, wait, stream);
	return transfer(size, n, x, incx * size, y, incy * size, wait, stream);
}

static cublasStatus_t transfer_matrix(int rows, int columns, int bytes, const void *a, int lda,
				      void *b, int ldb, bool wait, cudaStream_t stream)
{
	size_t size = bytes;

	if (rows < 0 || columns < 0 || bytes <= 0 || lda <= 0 || ldb <= 0 || lda < rows ||
		ldb < rows) return CUBLAS_STATUS_INVALID_VALUE;
	return transfer(rows * size, columns, a, lda * size, b, ldb * size, wait, stream);
}

/* Both directions are the same: an address tells whose memory it is. */
#define TRANSFER(name)										\
	extern "C" cublasStatus_t cublas##name##Vector(int n, int bytes, const void *x, int incx, \
						       void *y, int incy)			\
	{											\
		return transfer_vector(n, bytes, x, incx, y, incy, true, 0);			\
	}											\
	extern "C" cublasStatus_t cublas##name##VectorAsync(int n, int bytes, const void *x, int incx, \
							    void *y, int incy, cudaStream_t stream) \
	{											\
		return transfer_vector(n, bytes, x, incx, y, incy, false, stream);		\
	}											\
	extern "C" cublasStatus_t cublas##name##Matrix(int rows, int columns, int bytes,	\
						       const void *a, int lda, void *b, int ldb) \
	{											\
		return transfer_matrix(rows, columns, bytes, a, lda, b, ldb, true, 0);		\
	}											\
	extern "C" cublasStatus_t cublas##name##MatrixAsync(int rows, int columns, int bytes,	\
							    const void *a, int lda, void *b, int ldb, \
							    cudaStream_t stream)		\
	{											\
		return transfer_matrix(rows, columns, bytes, a, lda, b, ldb, false, stream);	\
	}

TRANSFER(Set)
TRANSFER(Get)
