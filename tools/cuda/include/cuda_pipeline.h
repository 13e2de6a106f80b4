/* SPDX-License-Identifier: GPL-2.0 */
/* Copies into shared memory, by C's names for them: they are done at once. */
#ifndef SOFTUVM_CUDA_PIPELINE_H
#define SOFTUVM_CUDA_PIPELINE_H

#include <cuda_runtime.h>

#if defined(__CUDA__) && defined(__clang__)

/* @zeros: so many bytes at the end are zeros, and not copied. */
static inline __device__ void __pipeline_memcpy_async(void *__restrict__ to,
						      const void *__restrict__ from, size_t bytes,
						      size_t zeros = 0)
{
	__builtin_memcpy(to, from, bytes - zeros);
	__builtin_memset((char *)to + bytes - zeros, 0, zeros);
}

static inline __device__ void __pipeline_commit() { }
static inline __device__ void __pipeline_wait_prior(size_t) { }

#endif
#endif
