/* SPDX-License-Identifier: GPL-2.0 */
/* What the kernels of cuBLAS share. */
#ifndef SOFTUVM_BLAS_KERNEL_H
#define SOFTUVM_BLAS_KERNEL_H

#include "blas.h"

/* The place in all threads of the grid, and how many there are. */
__device__ static inline long long blas_first(void)
{
	return blockIdx.x * (long long)blockDim.x + threadIdx.x;
}

__device__ static inline long long blas_all(void)
{
	return gridDim.x * (long long)blockDim.x;
}

#endif
